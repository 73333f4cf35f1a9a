/* SPDX-License-Identifier: Apache-2.0 */
/* events/line: draws an event as a line of columns. */
#include "tui/views/events/line.h"

#include <string.h>

#include "trace/arg_names.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"
#include "tui/draw/event_role.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"

#define CAPTURE_MOST 14
#define NAME_MIDDLE  12  /* columns from which a long name loses its middle, not its end */
#define SPOTS_MOST   32u /* maximum of highlighted matches per line */

/* Returns the width of the time column for all times of the capture. */
static int time_width(const struct tt_workspace *ws)
{
    const struct tt_progress *progress = &ws->index.progress;
    const uint64_t ends[2] = {progress->first_ticks, progress->last_ticks};
    char unit[TT_TIME_UNIT_BYTES];
    int width = (int)strlen(tt_time_label_unit(ws, unit));
    for (int i = 0; i < 2; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_time_label(ws, &text, ends[i], progress->first_ticks);
        width = (int)text.used > width ? (int)text.used : width;
    }
    return width;
}

static int cpu_width(const struct tt_workspace *ws)
{
    uint32_t cpus = ws->opened.capture->cpu_count;
    return cpus <= 10 ? 1 : cpus <= 100 ? 2 : 4;
}

/* Returns the width of the names of merged captures; 0: there are none. */
static int capture_width(const struct tt_workspace *ws)
{
    const struct tt_capture *capture = ws->opened.capture;
    int width = 0;
    for (unsigned i = 0; i < tt_merge_headings(capture); i++) {
        const char *label = capture->merge->members[i].capture->label;
        const int own = tt_grid_columns(&ws->term.grid, label, strlen(label));
        width = own > width ? own : width;
    }
    return width < CAPTURE_MOST ? width : CAPTURE_MOST;
}

void tt_events_line_columns(const struct tt_workspace *ws, const struct tt_events_line *line,
                            int width, struct tt_column_place places[TT_COLUMN_COUNT])
{
    struct tt_column_needs needs = {time_width(ws), cpu_width(ws), capture_width(ws),
                                    ws->nav.hidden_columns, 0};
    if (needs.capture_width == 0) {
        needs.hidden |= 1u << TT_COLUMN_CAPTURE;
    }
    if (line->by_duration) { /* the line above is not the previous event */
        needs.hidden = (needs.hidden | 1u << TT_COLUMN_DELTA) & ~(1u << TT_COLUMN_DURATION);
        needs.forced = 1u << TT_COLUMN_DURATION;
    }
    if (ws->nav.times == TT_TIMES_DELTA) {
        needs.hidden |= 1u << TT_COLUMN_DELTA;
    }
    tt_columns_place(width, &needs, places);
}

static void draw_heading(struct tt_area line, const struct tt_column_place *place, const char *name)
{
    tt_draw(line, place->x, 0, place->width, TT_ROLE_COLUMNS, name);
}

void tt_events_line_heads(const struct tt_workspace *ws, const struct tt_events_line *events_line,
                          struct tt_area line, const struct tt_column_place *places)
{
    char delta[16];
    struct tt_text text = tt_text_of(delta, sizeof delta);
    const uint32_t glyphs[2] = {tt_term_glyph(&ws->term, TT_GLYPH_DELTA),
                                tt_term_glyph(&ws->term, TT_GLYPH_MICRO)};
    char utf8[4];
    tt_text_bytes(&text, utf8, tt_utf8_encode(glyphs[0], utf8));
    if (ws->nav.times == TT_TIMES_TICKS || !ws->opened.capture->clock_hz) {
        tt_text_str(&text, " ticks");
    } else {
        tt_text_char(&text, ' ');
        tt_text_bytes(&text, utf8, tt_utf8_encode(glyphs[1], utf8));
        tt_text_char(&text, 's');
    }
    const struct tt_column_place *place = places;
    if (ws->nav.times == TT_TIMES_DELTA) {
        tt_draw_right(line, place[TT_COLUMN_TIME].x, 0, place[TT_COLUMN_TIME].width,
                      TT_ROLE_COLUMNS,
                      ws->opened.capture->clock_hz ? "since last s" : "since last");
    } else {
        char unit[TT_TIME_UNIT_BYTES];
        tt_draw(line, place[TT_COLUMN_TIME].x, 0, place[TT_COLUMN_TIME].width, TT_ROLE_COLUMNS,
                tt_time_label_unit(ws, unit));
    }
    tt_draw_right(line, place[TT_COLUMN_DELTA].x, 0, place[TT_COLUMN_DELTA].width, TT_ROLE_COLUMNS,
                  tt_text_cstr(&text));
    text = tt_text_of(delta, sizeof delta);
    if (events_line->by_duration) {
        tt_text_bytes(&text, utf8, tt_utf8_encode(tt_term_glyph(&ws->term, TT_GLYPH_DOWN), utf8));
    }
    tt_text_str(&text, "dur");
    if (ws->opened.capture->clock_hz == 0 || ws->nav.times == TT_TIMES_TICKS) {
        tt_text_str(&text, events_line->by_duration ? "" : " ticks");
    }
    tt_draw_right(line, place[TT_COLUMN_DURATION].x, 0, place[TT_COLUMN_DURATION].width,
                  TT_ROLE_COLUMNS, tt_text_cstr(&text));
    draw_heading(line, &place[TT_COLUMN_CAPTURE], "capture");
    tt_draw_right(line, place[TT_COLUMN_CPU].x, 0, place[TT_COLUMN_CPU].width, TT_ROLE_COLUMNS,
                  "C");
    tt_draw(line, place[TT_COLUMN_THREAD].x + 1, 0, place[TT_COLUMN_THREAD].width - 1,
            TT_ROLE_COLUMNS, "thread");
    draw_heading(line, &place[TT_COLUMN_CLASS], "class");
    draw_heading(line, &place[TT_COLUMN_EVENT], "event");
    draw_heading(line, &place[TT_COLUMN_ARGUMENTS], "arguments");
}

static unsigned event_role(const struct tt_event *event)
{
    return event->flags & TT_EVENT_MALFORMED ? TT_ROLE_WARNING : tt_role_of_kind(event->kind);
}

static void draw_times(const struct tt_workspace *ws, struct tt_area line,
                       const struct tt_column_place *places, const struct tt_event *event,
                       const uint64_t *before)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (before || ws->nav.times != TT_TIMES_DELTA) {
        tt_time_label(ws, &text, event->ticks, before ? *before : event->ticks);
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
    if (ws->nav.times != TT_TIMES_TICKS && ws->opened.capture->clock_hz &&
        tt_ticks_to_ns(delta, ws->opened.capture->clock_hz, &ns)) {
        tt_units_delta(&text, (uint64_t)ns);
    } else {
        tt_text_u64(&text, delta);
    }
    tt_draw_right(line, place->x, 0, place->width, TT_ROLE_DELTA, tt_text_cstr(&text));
}

/* Draws the duration of the event, with its unit; an ellipsis while its end is searched for. */
static void draw_duration(const struct tt_workspace *ws, const struct tt_events_line *events_line,
                          struct tt_area line, const struct tt_column_place *place, uint64_t row)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t ticks;
    enum tt_duration_state state = events_line->by_duration
                                       ? tt_event_longest_of(&events_line->longest, row, &ticks)
                                       : tt_event_duration_of(&events_line->durations, row, &ticks);
    if (place->width > 0 && state == TT_DURATION_KNOWN) {
        if (ws->opened.capture->clock_hz == 0 || ws->nav.times == TT_TIMES_TICKS) {
            tt_units_grouped(&text, ticks); /* the unit is in the heading */
        } else {
            tt_time_label_duration(ws, &text, ticks);
        }
        tt_draw_right(line, place->x, 0, place->width, TT_ROLE_DELTA, tt_text_cstr(&text));
    } else if (place->width > 0 && state == TT_DURATION_OPEN) {
        tt_draw_fill(line, place->x + place->width - 1, 0, 1, TT_ROLE_DIM,
                     tt_term_glyph(&ws->term, TT_GLYPH_ELLIPSIS));
    }
}

static void draw_thread(const struct tt_workspace *ws, struct tt_events_line *events_line,
                        struct tt_area line, const struct tt_column_place *place,
                        const struct tt_event *event)
{
    bool inferred = event->flags & TT_EVENT_INFERRED;
    if (place->width == 0 || event->thread == TT_NO_THREAD) {
        return;
    }
    if (inferred) {
        tt_draw_fill(line, place->x, 0, 1, TT_ROLE_INFERRED,
                     tt_term_glyph(&ws->term, TT_GLYPH_INFERRED));
    }
    struct tt_text text = tt_text_of(events_line->line, sizeof events_line->line);
    tt_thread_label(&ws->term.grid, ws->opened.capture, event->thread, place->width - 1, &text);
    tt_draw_text(line, place->x + 1, 0, place->width - 1,
                 inferred ? TT_ROLE_INFERRED : TT_ROLE_THREAD, events_line->line, text.used);
}

/* Draws a name; where it is too long, without its middle, since many names begin alike. */
static void events_line_draw_name(const struct tt_workspace *ws, struct tt_events_line *events_line,
                                  struct tt_area line, const struct tt_column_place *place,
                                  const char *name, uint32_t before, unsigned role)
{
    struct tt_text text = tt_text_of(events_line->line, sizeof events_line->line);
    char utf8[4];
    if (before) {
        tt_text_bytes(&text, utf8, tt_utf8_encode(before, utf8));
    }
    tt_text_escaped(&text, name, strlen(name));
    const int columns = tt_grid_columns(line.grid, text.buffer, text.used);
    if (columns == (int)text.used && columns > place->width && place->width >= NAME_MIDDLE) {
        const int tail = place->width / 2;
        const int x = place->x + place->width - tail;
        tt_draw_text(line, place->x, 0, place->width - tail - 1, role, text.buffer,
                     (size_t)(place->width - tail - 1));
        tt_draw_fill(line, x - 1, 0, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_ELLIPSIS));
        tt_draw_text(line, x, 0, tail, role, text.buffer + text.used - tail, (size_t)tail);
    } else {
        tt_draw_text(line, place->x, 0, place->width, role, text.buffer, text.used);
    }
}

/* Returns "begin", "end" and so on for kinds where several events share one name, else "". */
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

static bool events_line_is_number(const struct tt_arg *arg, uint64_t number)
{
    return arg->type == TT_ARG_I64 || arg->type == TT_ARG_U64 || arg->type == TT_ARG_HEX ||
                   arg->type == TT_ARG_KOID
               ? arg->value.u == number
               : false;
}

/* Hides pid and tid arguments that the thread column already shows. */
static void hide_own_thread(const struct tt_workspace *ws, const struct tt_event *event,
                            struct tt_args *args)
{
    bool says_whose = event->kind == TT_KIND_STATE || event->kind == TT_KIND_LIFETIME;
    if (!says_whose || (event->flags & TT_EVENT_INFERRED) ||
        event->thread >= tt_thread_count(ws->opened.capture)) {
        return;
    }
    const struct tt_thread *thread = tt_thread_at(ws->opened.capture, event->thread);
    const struct tt_process *process = tt_process_at(ws->opened.capture, thread->process);
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if ((named(arg, "pid") && events_line_is_number(arg, process->pid)) ||
            (named(arg, "tid") && events_line_is_number(arg, thread->tid))) {
            arg->hidden = 1;
        }
    }
}

static void draw_arguments(const struct tt_workspace *ws, struct tt_events_line *events_line,
                           struct tt_area line, const struct tt_column_place *place,
                           const struct tt_event *event)
{
    if (place->width == 0) {
        return;
    }
    struct tt_text text = tt_text_of(events_line->line, sizeof events_line->line);
    if (event->flags & TT_EVENT_MALFORMED) {
        tt_text_str(&text, "malformed ");
    }
    tt_text_str(&text, kind_word(event));
    if (text.used > 0 && text.buffer[text.used - 1] != ' ') {
        tt_text_char(&text, ' ');
    }
    if (tt_events_describe(ws->opened.events, event, &events_line->args)) {
        if (!(ws->nav.hidden_columns & 1u << TT_COLUMN_THREAD)) {
            hide_own_thread(ws, event, &events_line->args);
        }
        tt_args_resolve(ws->opened.events, event, &events_line->args);
        tt_line_args(&text, &events_line->args);
    } else {
        tt_text_str(&text, "the file no longer contains its bytes");
    }
    tt_draw_scrolled(line, place->x, 0, place->width, TT_ROLE_ARGUMENTS, events_line->line,
                     text.used, events_line->shift);
}

void tt_events_line_draw(const struct tt_workspace *ws, struct tt_events_line *events_line,
                         struct tt_area line, const struct tt_column_place *places,
                         const struct tt_event *event, uint64_t row, const uint64_t *before)
{
    const struct tt_event_type *type = tt_types_at(ws->opened.capture, event->type);
    draw_times(ws, line, places, event, before);
    draw_duration(ws, events_line, line, &places[TT_COLUMN_DURATION], row);
    if (event->cpu != TT_NO_CPU && places[TT_COLUMN_CPU].width > 0) {
        char buffer[16];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_u64(&text, event->cpu);
        tt_draw_right(line, places[TT_COLUMN_CPU].x, 0, places[TT_COLUMN_CPU].width, TT_ROLE_CPU,
                      tt_text_cstr(&text));
    }
    const char *capture = tt_merge_name(ws->opened.capture, event->pos);
    if (capture && places[TT_COLUMN_CAPTURE].width > 0) {
        events_line_draw_name(ws, events_line, line, &places[TT_COLUMN_CAPTURE], capture, 0,
                              TT_ROLE_DIM);
    }
    draw_thread(ws, events_line, line, &places[TT_COLUMN_THREAD], event);
    events_line_draw_name(ws, events_line, line, &places[TT_COLUMN_CLASS], type->class_name, 0,
                          TT_ROLE_DIM);
    uint32_t sign = event->kind == TT_KIND_EXIT ? tt_term_glyph(&ws->term, TT_GLYPH_EXIT) : 0;
    events_line_draw_name(ws, events_line, line, &places[TT_COLUMN_EVENT], type->name, sign,
                          event_role(event));
    draw_arguments(ws, events_line, line, &places[TT_COLUMN_ARGUMENTS], event);
}

/* ---- lit ---------------------------------------------------------------------------------- */

/* Highlights the first occurrence of a text from byte `from`; returns its end, or `from`. */
static size_t light_text(struct tt_area line, const struct tt_text *text, size_t from,
                         const char *word, size_t length)
{
    for (size_t at = from; at + length <= text->used; at++) {
        if (memcmp(text->buffer + at, word, length) == 0) {
            int x = tt_grid_columns(line.grid, text->buffer, at);
            tt_draw_over(line, x - line.x, 0, tt_grid_columns(line.grid, word, length),
                         TT_ROLE_MATCH);
            return at + length;
        }
    }
    return from;
}

/* Highlights the visible parts that the search's regex matches; false if there are none. */
static bool light_parts(const struct tt_workspace *ws, struct tt_events_line *events_line,
                        struct tt_area line, const struct tt_event *event)
{
    char buffer[TT_EVENTS_LINE_BYTES];
    struct tt_filter_spot spots[SPOTS_MOST];
    struct tt_text text = tt_text_of(events_line->line, sizeof events_line->line);
    struct tt_text drawn = tt_text_of(buffer, sizeof buffer);
    size_t at = 0;
    if (!tt_events_describe(ws->opened.events, event, &events_line->args)) {
        tt_args_clear(&events_line->args);
    }
    tt_line_event(&text, ws->opened.capture, event, &events_line->args,
                  ws->index.progress.first_ticks);
    unsigned count = tt_filter_spots(tt_filter_run_filter(ws->filters.find.search.run),
                                     events_line->line, text.used, spots, SPOTS_MOST);
    if (count == 0) {
        return false;
    }
    tt_grid_line(line.grid, line.y, &drawn);
    for (unsigned i = 0; i < count; i++) {
        at = light_text(line, &drawn, at, events_line->line + spots[i].start,
                        spots[i].end - spots[i].start);
    }
    return at > 0;
}

/* A regex search highlights its visible matches; any other match highlights the whole line. */
void tt_events_line_highlight(const struct tt_workspace *ws, struct tt_events_line *events_line,
                              struct tt_area line, const struct tt_event *event, uint64_t row)
{
    const struct tt_row_set *matches = tt_find_matches(&ws->filters);
    if (ws->filters.stack.peek && tt_filter_stack_hides(&ws->filters.stack, row)) {
        tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_DIM);
    }
    if (tt_filter_stack_highlighted(&ws->filters.stack, row)) {
        tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_HIGHLIGHT);
    }
    if (matches && ws->filters.find.search.highlighted && tt_row_set_has(matches, row) &&
        !light_parts(ws, events_line, line, event)) {
        tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_MATCH);
    }
}
