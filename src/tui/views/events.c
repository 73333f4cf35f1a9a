/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events: the list of all events by time, and the detail pane below it.
 *
 *       time s           d us C  thread          event           arguments
 *       1.204 118 204    0.412 2  io-blk/3 worker MSG_RECEIVEV    chid=0x1 rparts=1
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/format.h"
#include "tracetui/line.h"
#include "tracetui/time.h"
#include "tui/app.h"
#include "tui/units.h"
#include "tui/views/columns.h"
#include "tui/views/detail.h"

#define LINE_BYTES  4096
#define SHIFT_STEP  8
#define SHIFT_LIMIT 4000

struct events_view {
    uint64_t top; /* row of the first line */
    int lines;    /* of events, when drawn last */
    int shift;    /* columns that the arguments are scrolled to the left */
    struct tt_detail detail;
    struct tt_args args;
    struct tt_event *shown; /* one before the first line, and the lines */
    int shown_room;
    /* The cursor when drawn last: if its row shifts below it, the list shifts along. */
    uint64_t last_row;
    struct tt_event last;
    bool has_last;
    char line[LINE_BYTES];
};

static void *view_open(void)
{
    struct events_view *v = calloc(1, sizeof *v);
    if (v) {
        v->lines = 1;
        v->detail.args = &v->args;
    }
    return v;
}

static void view_close(void *state)
{
    struct events_view *v = state;
    if (v) {
        free(v->shown);
        free(v);
    }
}

/* ---- what stands in the columns ------------------------------------------------------------ */

/* The width that the time column needs for all times of the capture. */
static int time_width(struct tt_app *app)
{
    const struct tt_progress *p = &app->progress;
    const uint64_t ends[2] = {p->first_ticks, p->last_ticks};
    int width = (int)strlen(tt_app_time_unit(app));
    for (int i = 0; i < 2; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_app_time(app, &text, ends[i], p->first_ticks);
        width = (int)text.used > width ? (int)text.used : width;
    }
    return width;
}

static int cpu_width(const struct tt_app *app)
{
    uint32_t cpus = app->opened.capture->cpu_count;
    return cpus <= 10 ? 1 : cpus <= 100 ? 2 : 4;
}

static void place_columns(struct tt_app *app, int width,
                          struct tt_column_place places[TT_COLUMN_COUNT])
{
    struct tt_column_needs needs = {time_width(app), cpu_width(app), app->hidden_columns};
    if (app->times == TT_TIMES_DELTA) {
        needs.hidden |= 1u << TT_COLUMN_DELTA;
    }
    tt_columns_place(width, &needs, places);
}

static void draw_heads(struct tt_app *app, struct tt_area line,
                       const struct tt_column_place *places)
{
    char delta[16];
    struct tt_text text = tt_text_of(delta, sizeof delta);
    const uint32_t glyphs[2] = {tt_app_glyph(app, TT_GLYPH_DELTA),
                                tt_app_glyph(app, TT_GLYPH_MICRO)};
    char utf8[4];
    tt_text_bytes(&text, utf8, tt_utf8_encode(glyphs[0], utf8));
    if (app->times == TT_TIMES_TICKS || !app->opened.capture->clock_hz) {
        tt_text_str(&text, " ticks");
    } else {
        tt_text_char(&text, ' ');
        tt_text_bytes(&text, utf8, tt_utf8_encode(glyphs[1], utf8));
        tt_text_char(&text, 's');
    }
    const struct tt_column_place *p = places;
    if (app->times == TT_TIMES_DELTA) {
        tt_draw_right(line, p[TT_COLUMN_TIME].x, 0, p[TT_COLUMN_TIME].width, TT_ROLE_COLUMNS,
                      app->opened.capture->clock_hz ? "since last s" : "since last");
    } else {
        tt_draw(line, p[TT_COLUMN_TIME].x, 0, p[TT_COLUMN_TIME].width, TT_ROLE_COLUMNS,
                tt_app_time_unit(app));
    }
    tt_draw_right(line, p[TT_COLUMN_DELTA].x, 0, p[TT_COLUMN_DELTA].width, TT_ROLE_COLUMNS,
                  tt_text_cstr(&text));
    tt_draw_right(line, p[TT_COLUMN_CPU].x, 0, p[TT_COLUMN_CPU].width, TT_ROLE_COLUMNS, "C");
    tt_draw(line, p[TT_COLUMN_THREAD].x + 1, 0, p[TT_COLUMN_THREAD].width - 1, TT_ROLE_COLUMNS,
            "thread");
    tt_draw(line, p[TT_COLUMN_CLASS].x, 0, p[TT_COLUMN_CLASS].width, TT_ROLE_COLUMNS, "class");
    tt_draw(line, p[TT_COLUMN_EVENT].x, 0, p[TT_COLUMN_EVENT].width, TT_ROLE_COLUMNS, "event");
    tt_draw(line, p[TT_COLUMN_ARGUMENTS].x, 0, p[TT_COLUMN_ARGUMENTS].width, TT_ROLE_COLUMNS,
            "arguments");
}

/* The colour of an event goes by what sort it is, whatever the format calls it. */
static unsigned event_role(const struct tt_event *event)
{
    static const uint8_t roles[TT_KIND_COUNT] = {
        [TT_KIND_EVENT] = TT_ROLE_EVENT,
        [TT_KIND_ENTER] = TT_ROLE_EVENT_CALL,
        [TT_KIND_EXIT] = TT_ROLE_EVENT_CALL,
        [TT_KIND_INTERRUPTED] = TT_ROLE_EVENT_CALL,
        [TT_KIND_STATE] = TT_ROLE_EVENT_STATE,
        [TT_KIND_SWITCH] = TT_ROLE_EVENT_STATE,
        [TT_KIND_WAKEUP] = TT_ROLE_EVENT_STATE,
        [TT_KIND_LIFETIME] = TT_ROLE_EVENT_STATE,
        [TT_KIND_INTERRUPT_ENTER] = TT_ROLE_EVENT_INTERRUPT,
        [TT_KIND_INTERRUPT_EXIT] = TT_ROLE_EVENT_INTERRUPT,
        [TT_KIND_MESSAGE] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_CONTROL] = TT_ROLE_EVENT_CONTROL,
        [TT_KIND_USER] = TT_ROLE_EVENT_USER,
        [TT_KIND_INSTANT] = TT_ROLE_EVENT_USER,
        [TT_KIND_BEGIN] = TT_ROLE_EVENT_CALL,
        [TT_KIND_END] = TT_ROLE_EVENT_CALL,
        [TT_KIND_COMPLETE] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_BEGIN] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_INSTANT] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_END] = TT_ROLE_EVENT_CALL,
        [TT_KIND_FLOW_BEGIN] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_FLOW_STEP] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_FLOW_END] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_COUNTER] = TT_ROLE_EVENT,
        [TT_KIND_LOG] = TT_ROLE_EVENT_USER,
        [TT_KIND_SAMPLE] = TT_ROLE_EVENT,
        [TT_KIND_BLOB] = TT_ROLE_EVENT,
        [TT_KIND_DEFINITION] = TT_ROLE_EVENT_CONTROL,
    };
    if (event->flags & TT_EVENT_MALFORMED) {
        return TT_ROLE_WARNING;
    }
    return event->kind < TT_KIND_COUNT ? roles[event->kind] : TT_ROLE_EVENT;
}

static void draw_times(struct tt_app *app, struct tt_area line,
                       const struct tt_column_place *places, const struct tt_event *event,
                       const uint64_t *before)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (before || app->times != TT_TIMES_DELTA) {
        tt_app_time(app, &text, event->ticks, before ? *before : event->ticks);
    }
    const struct tt_column_place *place = &places[TT_COLUMN_TIME];
    tt_draw_right(line, place->x, 0, place->width, TT_ROLE_TIME, tt_text_cstr(&text));

    place = &places[TT_COLUMN_DELTA];
    if (place->width == 0 || !before) {
        return;
    }
    text = tt_text_of(buffer, sizeof buffer);
    int64_t ns;
    uint64_t delta = event->ticks - *before;
    if (app->times != TT_TIMES_TICKS && app->opened.capture->clock_hz &&
        tt_ticks_to_ns(delta, app->opened.capture->clock_hz, &ns)) {
        tt_units_delta(&text, (uint64_t)ns);
    } else {
        tt_text_u64(&text, delta);
    }
    tt_draw_right(line, place->x, 0, place->width, TT_ROLE_DELTA, tt_text_cstr(&text));
}

static void draw_thread(struct tt_app *app, struct events_view *v, struct tt_area line,
                        const struct tt_column_place *place, const struct tt_event *event)
{
    bool inferred = event->flags & TT_EVENT_INFERRED;
    if (place->width == 0 || event->thread == TT_NO_THREAD) {
        return;
    }
    if (inferred) {
        tt_draw_fill(line, place->x, 0, 1, TT_ROLE_INFERRED, tt_app_glyph(app, TT_GLYPH_INFERRED));
    }
    struct tt_text text = tt_text_of(v->line, sizeof v->line);
    tt_line_thread(&text, app->opened.capture, event->thread);
    tt_draw_text(line, place->x + 1, 0, place->width - 1,
                 inferred ? TT_ROLE_INFERRED : TT_ROLE_THREAD, v->line, text.used);
}

static void draw_name(struct events_view *v, struct tt_area line,
                      const struct tt_column_place *place, const char *name, uint32_t before,
                      unsigned role)
{
    struct tt_text text = tt_text_of(v->line, sizeof v->line);
    char utf8[4];
    if (before) {
        tt_text_bytes(&text, utf8, tt_utf8_encode(before, utf8));
    }
    tt_text_escaped(&text, name, strlen(name));
    tt_draw_text(line, place->x, 0, place->width, role, v->line, text.used);
}

/* What an event's name leaves open in formats where one name stands for both ends of a thing. */
static const char *kind_word(const struct tt_event *event)
{
    switch (event->kind) {
    case TT_KIND_BEGIN:
    case TT_KIND_END:
    case TT_KIND_COMPLETE:
    case TT_KIND_ASYNC_BEGIN:
    case TT_KIND_ASYNC_INSTANT:
    case TT_KIND_ASYNC_END:
    case TT_KIND_FLOW_BEGIN:
    case TT_KIND_FLOW_STEP:
    case TT_KIND_FLOW_END:
        return tt_kind_name(event->kind);
    default:
        return "";
    }
}

static bool named(const struct tt_arg *arg, const char *name)
{
    return arg->name.length == strlen(name) && memcmp(arg->name.data, name, arg->name.length) == 0;
}

static bool is_number(const struct tt_arg *arg, uint64_t number)
{
    return arg->type == TT_ARG_I64 || arg->type == TT_ARG_U64 || arg->type == TT_ARG_HEX ||
                   arg->type == TT_ARG_KOID
               ? arg->value.u == number
               : false;
}

/* A state's pid and tid stand in the thread column already: the room is for what else there is. */
static void hide_own_thread(const struct tt_app *app, const struct tt_event *event,
                            struct tt_args *args)
{
    bool says_whose = event->kind == TT_KIND_STATE || event->kind == TT_KIND_LIFETIME;
    if (!says_whose || (event->flags & TT_EVENT_INFERRED) ||
        event->thread >= tt_thread_count(app->opened.capture)) {
        return;
    }
    const struct tt_thread *thread = tt_thread_at(app->opened.capture, event->thread);
    const struct tt_process *process = tt_process_at(app->opened.capture, thread->process);
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if ((named(arg, "pid") && is_number(arg, process->pid)) ||
            (named(arg, "tid") && is_number(arg, thread->tid))) {
            arg->hidden = 1;
        }
    }
}

static void draw_arguments(struct tt_app *app, struct events_view *v, struct tt_area line,
                           const struct tt_column_place *place, const struct tt_event *event)
{
    if (place->width == 0) {
        return;
    }
    struct tt_text text = tt_text_of(v->line, sizeof v->line);
    if (event->flags & TT_EVENT_MALFORMED) {
        tt_text_str(&text, "malformed ");
    }
    tt_text_str(&text, kind_word(event));
    if (text.used > 0 && text.buffer[text.used - 1] != ' ') {
        tt_text_char(&text, ' ');
    }
    if (tt_events_describe(app->opened.events, event, &v->args)) {
        if (!(app->hidden_columns & 1u << TT_COLUMN_THREAD)) {
            hide_own_thread(app, event, &v->args);
        }
        tt_line_args(&text, &v->args);
    } else {
        tt_text_str(&text, "its bytes are gone from the file");
    }
    tt_draw_scrolled(line, place->x, 0, place->width, TT_ROLE_ARGUMENTS, v->line, text.used,
                     v->shift);
}

static void draw_event(struct tt_app *app, struct events_view *v, struct tt_area line,
                       const struct tt_column_place *places, const struct tt_event *event,
                       const uint64_t *before)
{
    const struct tt_event_type *type = tt_types_at(app->opened.capture, event->type);
    draw_times(app, line, places, event, before);
    if (event->cpu != TT_NO_CPU && places[TT_COLUMN_CPU].width > 0) {
        char buffer[16];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_u64(&text, event->cpu);
        tt_draw_right(line, places[TT_COLUMN_CPU].x, 0, places[TT_COLUMN_CPU].width, TT_ROLE_CPU,
                      tt_text_cstr(&text));
    }
    draw_thread(app, v, line, &places[TT_COLUMN_THREAD], event);
    draw_name(v, line, &places[TT_COLUMN_CLASS], type->class_name, 0, TT_ROLE_DIM);
    uint32_t sign = event->kind == TT_KIND_EXIT ? tt_app_glyph(app, TT_GLYPH_EXIT) : 0;
    draw_name(v, line, &places[TT_COLUMN_EVENT], type->name, sign, event_role(event));
    draw_arguments(app, v, line, &places[TT_COLUMN_ARGUMENTS], event);
}

/* ---- the list ------------------------------------------------------------------------------ */

static bool same_event(const struct tt_event *a, const struct tt_event *b)
{
    return a->ticks == b->ticks && a->pos == b->pos;
}

/* Chooses the first line so that the cursor is to be seen and moves as little as can be. */
static void place_top(struct tt_app *app, struct events_view *v)
{
    uint64_t row = app->cursor.row;
    uint64_t lines = (uint64_t)v->lines;
    if (v->has_last && same_event(&v->last, &app->cursor.event) && row != v->last_row) {
        /* Rows shifted, the event did not: neither does its line. */
        uint64_t line = v->last_row >= v->top ? v->last_row - v->top : 0;
        v->top = row > line ? row - line : 0;
    }
    bool far = row + lines < v->top || row >= v->top + 2 * lines;
    if (far) {
        v->top = row > lines / 2 ? row - lines / 2 : 0;
    } else if (row < v->top) {
        v->top = row;
    } else if (row >= v->top + lines) {
        v->top = row - lines + 1;
    }
    if (v->top + lines > app->rows) {
        v->top = app->rows > lines ? app->rows - lines : 0;
    }
    v->has_last = app->cursor.valid;
    v->last = app->cursor.event;
    v->last_row = row;
}

static bool reserve_shown(struct events_view *v, int lines)
{
    if (v->shown_room < lines + 1) {
        struct tt_event *shown = realloc(v->shown, (size_t)(lines + 1) * sizeof *shown);
        if (!shown) {
            return false;
        }
        v->shown = shown;
        v->shown_room = lines + 1;
    }
    return true;
}

/* Is something lost or damaged where this event stands? */
static bool is_troubled(const struct tt_app *app, const struct tt_event *event)
{
    const struct tt_capture *c = app->opened.capture;
    uint32_t kept = tt_health_kept(c);
    for (uint32_t i = 0; i < kept; i++) {
        struct tt_health_record record = tt_health_at(c, i);
        bool matters = record.kind == TT_HEALTH_LOST || tt_health_is_damage(record.kind);
        if (matters && record.pos >= event->pos && record.pos - event->pos <= event->length) {
            return true;
        }
    }
    return false;
}

static void draw_mark(struct tt_app *app, struct tt_area line, const struct tt_event *event,
                      bool on_cursor)
{
    char mark = tt_app_mark_at(app, event);
    if (on_cursor) {
        tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_CURSOR);
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
    }
    if (mark) {
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_MARK, (uint32_t)mark);
    } else if (!on_cursor && is_troubled(app, event)) {
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_WARNING, tt_app_glyph(app, TT_GLYPH_LOST));
    }
}

static void draw_list(struct tt_app *app, struct events_view *v, struct tt_area area,
                      const struct tt_column_place *places)
{
    if (!app->cursor.valid) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM,
                app->progress.finished ? "no events in this capture" : "reading the first events");
        return;
    }
    uint64_t first = v->top > 0 ? v->top - 1 : 0;
    uint32_t lead = v->top > 0 ? 1 : 0;
    if (!reserve_shown(v, v->lines)) {
        tt_app_say(app, TT_ROLE_ERROR, "out of memory");
        return;
    }
    uint32_t count = tt_events_read(app->opened.events, first, (uint32_t)v->lines + lead, v->shown);
    for (uint32_t i = lead; i < count; i++) {
        const struct tt_event *event = &v->shown[i];
        const uint64_t *before = i > 0 ? &v->shown[i - 1].ticks : NULL;
        struct tt_area line = tt_area_part(area, 0, (int)(i - lead), area.width, 1);
        draw_event(app, v, line, places, event, before);
        draw_mark(app, line, event, same_event(event, &app->cursor.event));
    }
}

static void view_draw(struct tt_app *app, void *state, struct tt_area area)
{
    struct events_view *v = state;
    struct tt_column_place places[TT_COLUMN_COUNT];
    int pane = v->detail.open ? tt_detail_height(area.height) : 0;
    v->lines = area.height - 1 - pane;
    place_columns(app, area.width, places);
    place_top(app, v);
    draw_heads(app, area, places);
    draw_list(app, v, tt_area_part(area, 0, 1, area.width, v->lines), places);
    if (v->detail.open) {
        tt_detail_draw(app, &v->detail,
                       tt_area_part(area, 0, area.height - pane, area.width, pane));
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void move(struct tt_app *app, struct events_view *v, int64_t by, bool page)
{
    uint64_t row = app->cursor.row;
    uint64_t distance = by < 0 ? (uint64_t)-by : (uint64_t)by;
    if (by < 0) {
        row = row > distance ? row - distance : 0;
        if (page) {
            v->top = v->top > distance ? v->top - distance : 0;
        }
    } else {
        row += distance;
        if (page) {
            v->top += distance;
        }
    }
    tt_app_go_row(app, row);
}

static void go_to_end(struct tt_app *app, bool last)
{
    app->before_jump = app->cursor;
    tt_app_go_row(app, last ? UINT64_MAX : 0);
}

static bool act_moving(struct tt_app *app, struct events_view *v, enum tt_do action)
{
    int page = v->lines > 1 ? v->lines - 1 : 1;
    int half = v->lines > 1 ? v->lines / 2 : 1;
    switch (action) {
    case TT_DO_DOWN:
        move(app, v, 1, false);
        return true;
    case TT_DO_UP:
        move(app, v, -1, false);
        return true;
    case TT_DO_PAGE_DOWN:
        move(app, v, page, true);
        return true;
    case TT_DO_PAGE_UP:
        move(app, v, -page, true);
        return true;
    case TT_DO_HALF_DOWN:
        move(app, v, half, true);
        return true;
    case TT_DO_HALF_UP:
        move(app, v, -half, true);
        return true;
    case TT_DO_FIRST:
    case TT_DO_LAST:
        go_to_end(app, action == TT_DO_LAST);
        return true;
    case TT_DO_LEFT:
        v->shift = v->shift > SHIFT_STEP ? v->shift - SHIFT_STEP : 0;
        return true;
    case TT_DO_RIGHT:
        v->shift += v->shift < SHIFT_LIMIT ? SHIFT_STEP : 0;
        return true;
    default:
        return false;
    }
}

static bool act_searching(struct tt_app *app, enum tt_do action)
{
    switch (action) {
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        tt_app_search(app, TT_SEARCH_THREAD, action == TT_DO_THREAD_NEXT);
        return true;
    case TT_DO_CPU_NEXT:
    case TT_DO_CPU_PREVIOUS:
        tt_app_search(app, TT_SEARCH_CPU, action == TT_DO_CPU_NEXT);
        return true;
    case TT_DO_TYPE_NEXT:
    case TT_DO_TYPE_PREVIOUS:
        tt_app_search(app, TT_SEARCH_TYPE, action == TT_DO_TYPE_NEXT);
        return true;
    default:
        return false;
    }
}

static bool view_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct events_view *v = state;
    if (act_moving(app, v, action) || act_searching(app, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_DETAIL:
        v->detail.open = !v->detail.open;
        return true;
    case TT_DO_FIELD_NEXT:
    case TT_DO_FIELD_PREVIOUS:
        tt_detail_choose(app, &v->detail, action == TT_DO_FIELD_NEXT);
        return true;
    default:
        return false;
    }
}

static bool view_shut(struct tt_app *app, void *state)
{
    struct events_view *v = state;
    (void)app;
    bool was_open = v->detail.open;
    v->detail.open = false;
    return was_open;
}

static void view_click(struct tt_app *app, void *state, int x, int y)
{
    struct events_view *v = state;
    (void)x;
    if (y >= 1 && y <= v->lines && v->top + (uint64_t)(y - 1) < app->rows) {
        tt_app_go_row(app, v->top + (uint64_t)(y - 1));
    }
}

static void view_copy(struct tt_app *app, void *state, struct tt_text *text)
{
    struct events_view *v = state;
    const struct tt_event *event = &app->cursor.event;
    if (!app->cursor.valid) {
        return;
    }
    if (!tt_events_describe(app->opened.events, event, &v->args)) {
        tt_args_clear(&v->args);
    }
    tt_line_event(text, app->opened.capture, event, &v->args, app->progress.first_ticks);
}

static void view_contexts(const struct tt_app *app, const void *state, unsigned out[4])
{
    const struct events_view *v = state;
    (void)app;
    int n = 0;
    if (v->detail.open) {
        out[n++] = TT_IN_DETAIL;
    }
    out[n++] = TT_IN_EVENTS;
    out[n++] = TT_IN_VIEWS;
    out[n] = 0;
}

static const enum tt_do *footer(const void *state)
{
    static const enum tt_do list[] = {
        TT_DO_HELP,      TT_DO_GOTO,    TT_DO_DETAIL, TT_DO_TIME, TT_DO_MARK,    TT_DO_THREAD_NEXT,
        TT_DO_VIEW_NEXT, TT_DO_COLUMNS, TT_DO_COPY,   TT_DO_QUIT, TT_DO_NOTHING,
    };
    static const enum tt_do pane[] = {
        TT_DO_HELP,        TT_DO_GOTO, TT_DO_FIELD_NEXT, TT_DO_TIME,    TT_DO_MARK,
        TT_DO_THREAD_NEXT, TT_DO_COPY, TT_DO_QUIT,       TT_DO_NOTHING,
    };
    const struct events_view *v = state;
    return v->detail.open ? pane : list;
}

static void view_renew(void *state)
{
    struct events_view *v = state;
    v->top = 0;
    v->shift = 0;
    v->has_last = false;
}

const struct tt_view tt_view_events = {
    .name = "events",
    .title = "Events",
    .tab = "Ev",
    .digit = '1',
    .open = view_open,
    .close = view_close,
    .renew = view_renew,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .copy = view_copy,
    .shut = view_shut,
    .contexts = view_contexts,
    .footer = footer,
};
