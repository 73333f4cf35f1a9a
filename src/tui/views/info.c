/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info: what the capture says of itself, what it holds, and its health, as one list of lines.
 *
 *       capture            title of a section
 *         format           QNX kernel event trace, 7.1
 *       counts             by count
 *         THREAD           1,204,221   38.8 %
 *           THRUNNING        402,110   12.9 %        Enter: the next one in Events
 *       health
 *         lost                     3  records lost before this place
 *           offset 0x1a40  3 buffers                 Enter: there
 *
 * The lines are made again when the index has published more or the order changes; each says
 * what it is about, and its text is made when it is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/format.h"
#include "tracetui/line.h"
#include "tui/app.h"
#include "tui/units.h"
#include "tui/views/counts.h"

#define LINE_BYTES   1024
#define LABEL_WIDTH  26 /* of a pair; LABEL_NARROW on a screen below LABEL_FROM columns */
#define LABEL_NARROW 16
#define LABEL_FROM   72
#define COUNT_END    46  /* column where counts end, if the screen is as wide */
#define RECORDS_EACH 100 /* health records listed of one kind; all are counted */

/* X(id, label) of the first section */
#define SUMMARY_INFO(X)                                                                            \
    X(SUMMARY_FILE, "file")                                                                        \
    X(SUMMARY_FORMAT, "format")                                                                    \
    X(SUMMARY_EVENTS, "events")                                                                    \
    X(SUMMARY_TIME, "time")                                                                        \
    X(SUMMARY_CLOCK, "clock")                                                                      \
    X(SUMMARY_WALL, "begins")                                                                      \
    X(SUMMARY_CPUS, "CPUs")                                                                        \
    X(SUMMARY_THREADS, "threads")                                                                  \
    X(SUMMARY_MEMORY, "index")                                                                     \
    X(SUMMARY_HEALTH, "health")

enum summary {
#define X(id, label) id,
    SUMMARY_INFO(X)
#undef X
        SUMMARY_COUNT
};

enum line_kind {
    LINE_BLANK,
    LINE_TITLE,   /* text */
    LINE_SUMMARY, /* number: enum summary */
    LINE_FACT,    /* number: of the fact */
    LINE_COUNT,   /* number: of the row in counts */
    LINE_HEALTH,  /* number: kind */
    LINE_RECORD,  /* number: of the record */
    LINE_MORE,    /* number: records of the kind that are not listed */
    LINE_SOUND,   /* nothing is wrong */
};

struct line {
    enum line_kind kind;
    uint64_t number;
    const char *text;
};

struct info_view {
    struct line *lines;
    uint32_t count, room;
    bool failed; /* out of memory: some lines are missing */
    struct tt_count_row *counts;
    uint32_t count_rows;
    enum tt_sort sort;
    bool reverse;
    bool stale;
    uint64_t made_rows; /* what it was made from */
    bool made_finished;
    uint32_t at; /* the cursor's line */
    uint32_t top;
    int height;
    char text[LINE_BYTES];
};

static void *view_open(void)
{
    struct info_view *v = calloc(1, sizeof *v);
    if (v) {
        v->stale = true;
        v->height = 1;
    }
    return v;
}

static void view_close(void *state)
{
    struct info_view *v = state;
    if (v) {
        free(v->lines);
        free(v->counts);
        free(v);
    }
}

static void view_renew(void *state)
{
    struct info_view *v = state;
    v->stale = true;
    v->at = 0;
    v->top = 0;
}

/* ---- making the lines ---------------------------------------------------------------------- */

static void add(struct info_view *v, enum line_kind kind, uint64_t number, const char *text)
{
    if (v->count == v->room) {
        uint32_t room = v->room ? v->room * 2 : 64;
        struct line *lines = realloc(v->lines, room * sizeof *lines);
        if (!lines) {
            v->failed = true;
            return;
        }
        v->lines = lines;
        v->room = room;
    }
    struct line line = {kind, number, text};
    v->lines[v->count++] = line;
}

static void add_title(struct info_view *v, const char *text)
{
    if (v->count > 0) {
        add(v, LINE_BLANK, 0, NULL);
    }
    add(v, LINE_TITLE, 0, text);
}

/* Facts in the order in which their sections first appear. */
static void add_facts(struct info_view *v, const struct tt_capture *c)
{
    uint32_t count = tt_facts_count(c);
    for (uint32_t i = 0; i < count; i++) {
        const char *section = tt_facts_at(c, i)->section;
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++) {
            seen = strcmp(tt_facts_at(c, j)->section, section) == 0;
        }
        if (seen) {
            continue;
        }
        add_title(v, section);
        for (uint32_t j = i; j < count; j++) {
            if (strcmp(tt_facts_at(c, j)->section, section) == 0) {
                add(v, LINE_FACT, j, NULL);
            }
        }
    }
}

static void add_health_kind(struct info_view *v, const struct tt_capture *c, unsigned kind)
{
    uint64_t listed = 0;
    uint32_t kept = tt_health_kept(c);
    add(v, LINE_HEALTH, kind, NULL);
    for (uint32_t i = 0; i < kept && listed < RECORDS_EACH; i++) {
        if (tt_health_at(c, i).kind == kind) {
            add(v, LINE_RECORD, i, NULL);
            listed++;
        }
    }
    uint64_t all = tt_health_count(c, (enum tt_health_kind)kind);
    if (all > listed) {
        add(v, LINE_MORE, all - listed, NULL);
    }
}

static void add_health(struct info_view *v, const struct tt_capture *c)
{
    bool sound = true;
    add_title(v, "health");
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        if (tt_health_count(c, (enum tt_health_kind)kind) > 0) {
            sound = false;
            add_health_kind(v, c, kind);
        }
    }
    if (sound) {
        add(v, LINE_SOUND, 0, NULL);
    }
}

static bool has_summary(const struct tt_app *app, unsigned number)
{
    return number != SUMMARY_WALL || app->opened.capture->has_wall_clock;
}

static void make_lines(struct tt_app *app, struct info_view *v)
{
    v->count = 0;
    v->failed = false;
    add_title(v, "capture");
    for (unsigned i = 0; i < SUMMARY_COUNT; i++) {
        if (has_summary(app, i)) {
            add(v, LINE_SUMMARY, i, NULL);
        }
    }
    add_facts(v, app->opened.capture);
    free(v->counts);
    v->counts = NULL;
    v->count_rows = 0;
    v->failed |=
        !tt_counts_take(app->opened.trace, v->sort, v->reverse, &v->counts, &v->count_rows);
    if (v->count_rows > 0) {
        add_title(v, "counts");
    }
    for (uint32_t i = 0; i < v->count_rows; i++) {
        add(v, LINE_COUNT, i, NULL);
    }
    add_health(v, app->opened.capture);
    v->stale = false;
    v->made_rows = app->rows;
    v->made_finished = app->progress.finished;
    v->at = v->at < v->count ? v->at : v->count > 0 ? v->count - 1 : 0;
}

static void renew(struct tt_app *app, struct info_view *v)
{
    if (v->stale || v->made_rows != app->rows || v->made_finished != app->progress.finished) {
        make_lines(app, v);
    }
}

/* ---- texts --------------------------------------------------------------------------------- */

static void write_time_span(struct tt_app *app, struct tt_text *text)
{
    const struct tt_progress *p = &app->progress;
    if (p->events == 0) {
        tt_text_str(text, "no events");
        return;
    }
    enum tt_times times = app->times;
    if (times == TT_TIMES_DELTA) {
        app->times = TT_TIMES_RELATIVE; /* a span has no event before it */
    }
    tt_app_time(app, text, p->first_ticks, p->first_ticks);
    tt_text_str(text, " .. ");
    tt_app_time(app, text, p->last_ticks, p->first_ticks);
    app->times = times;
    if (app->opened.capture->clock_hz && times != TT_TIMES_TICKS) {
        tt_text_str(text, times == TT_TIMES_ABSOLUTE && app->opened.capture->has_wall_clock ? " UTC"
                                                                                            : " s");
    } else {
        tt_text_str(text, " ticks");
    }
    tt_text_str(text, ", ");
    tt_app_duration(app, text, p->last_ticks - p->first_ticks);
}

static void write_events(const struct tt_progress *p, struct tt_text *text)
{
    tt_text_grouped(text, p->events);
    tt_text_str(text, " in ");
    tt_text_grouped(text, p->records);
    tt_text_str(text, " records");
    if (p->derived > 0) {
        tt_text_str(text, ", and ");
        tt_text_grouped(text, p->derived);
        tt_text_str(text, " derived");
    }
}

static void write_health(const struct tt_capture *c, struct tt_text *text)
{
    uint64_t all = 0, damage = 0;
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(c, (enum tt_health_kind)kind);
        all += count;
        damage += tt_health_is_damage(kind) ? count : 0;
    }
    if (all == 0) {
        tt_text_str(text, "nothing is wrong with it");
        return;
    }
    tt_text_grouped(text, all);
    tt_text_str(text, all == 1 ? " thing noted" : " things noted");
    if (damage > 0) {
        tt_text_str(text, ", ");
        tt_text_grouped(text, damage);
        tt_text_str(text, " of them damage");
    }
    tt_text_str(text, ": Enter shows them");
}

static void write_summary(struct tt_app *app, struct tt_text *text, enum summary number)
{
    const struct tt_capture *c = app->opened.capture;
    const char *path = tt_trace_path(app->opened.trace);
    switch (number) {
    case SUMMARY_FILE:
        tt_text_escaped(text, path, strlen(path));
        tt_text_str(text, ", ");
        tt_text_grouped(text,
                        app->following.live.follows ? app->following.live.bytes : c->bytes.size);
        tt_text_str(text, " bytes");
        break;
    case SUMMARY_FORMAT:
        tt_text_str(text, c->format->title);
        if (c->version[0]) {
            tt_text_str(text, ", ");
            tt_text_escaped(text, c->version, strlen(c->version));
        }
        break;
    case SUMMARY_EVENTS:
        write_events(&app->progress, text);
        break;
    case SUMMARY_TIME:
        write_time_span(app, text);
        break;
    case SUMMARY_CLOCK:
        if (c->clock_hz) {
            tt_text_grouped(text, c->clock_hz);
            tt_text_str(text, " Hz");
        } else {
            tt_text_str(text, "none: times are ticks (--clock HZ gives one)");
        }
        break;
    case SUMMARY_WALL:
        tt_app_date(app, text, app->progress.first_ticks);
        break;
    case SUMMARY_CPUS:
        tt_text_u64(text, c->cpu_count);
        break;
    case SUMMARY_THREADS:
        tt_text_grouped(text, tt_thread_count(c));
        tt_text_str(text, " in ");
        tt_text_grouped(text, tt_process_count(c));
        tt_text_str(text, tt_process_count(c) == 1 ? " process" : " processes");
        break;
    case SUMMARY_MEMORY:
        tt_text_grouped(text, tt_trace_memory(app->opened.trace));
        tt_text_str(text, " bytes of memory, ");
        tt_text_u64(text, app->progress.runs);
        tt_text_str(text, app->progress.runs == 1 ? " run" : " runs");
        break;
    case SUMMARY_HEALTH:
        write_health(c, text);
        break;
    case SUMMARY_COUNT:
        break;
    }
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_pair(struct tt_area line, const char *label, struct tt_text *value, unsigned role)
{
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&text, label, strlen(label));
    int width = line.width < LABEL_FROM ? LABEL_NARROW : LABEL_WIDTH;
    tt_draw_text(line, 3, 0, width - 1, TT_ROLE_DIM, buffer, text.used);
    tt_draw_text(line, 3 + width, 0, line.width - 3 - width, role, value->buffer, value->used);
}

static void draw_number(struct tt_area line, int end, unsigned role, uint64_t number)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_grouped(&text, number);
    int width = (int)text.used;
    tt_draw_text(line, end - width, 0, width, role, buffer, text.used);
}

static int count_end(struct tt_area line)
{
    return line.width - 10 < COUNT_END ? line.width - 10 : COUNT_END;
}

static void draw_count(struct tt_app *app, struct info_view *v, struct tt_area line,
                       const struct tt_count_row *row)
{
    bool is_class = row->name == NULL;
    int x = is_class ? 3 : 5, end = count_end(line);
    unsigned role = is_class ? TT_ROLE_TITLE : TT_ROLE_TEXT;
    const char *name = is_class ? row->class_name : row->name;
    struct tt_text text = tt_text_of(v->text, sizeof v->text);
    tt_text_escaped(&text, name, strlen(name));
    tt_draw_text(line, x, 0, end - 13 - x, role, text.buffer, text.used);
    draw_number(line, end, role, row->events);

    uint64_t all = app->progress.events + app->progress.derived;
    uint64_t permille = all > 0 ? (uint64_t)((double)row->events * 1000.0 / (double)all) : 0;
    char buffer[32];
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_u64_width(&text, permille / 10, 4, ' ');
    tt_text_char(&text, '.');
    tt_text_u64(&text, permille % 10);
    tt_text_str(&text, " %");
    tt_draw_text(line, end + 1, 0, 9, is_class ? TT_ROLE_TEXT : TT_ROLE_DIM, buffer, text.used);
}

static void draw_health(struct tt_app *app, struct tt_area line, unsigned kind)
{
    unsigned role = tt_health_is_damage(kind) ? TT_ROLE_ERROR : TT_ROLE_WARNING;
    tt_draw(line, 3, 0, 20, role, tt_health_key(kind));
    draw_number(line, 34, role, tt_health_count(app->opened.capture, (enum tt_health_kind)kind));
    tt_draw(line, 36, 0, line.width - 36, TT_ROLE_TEXT, tt_health_text(kind));
}

static void draw_record(struct tt_app *app, struct info_view *v, struct tt_area line,
                        uint32_t number)
{
    struct tt_health_record record = tt_health_at(app->opened.capture, number);
    struct tt_text text = tt_text_of(v->text, sizeof v->text);
    tt_text_str(&text, "offset 0x");
    tt_text_hex(&text, record.offset, 1);
    int x = 5 + tt_draw_text(line, 5, 0, line.width - 5, TT_ROLE_TEXT, v->text, text.used);
    x = x < 23 ? 23 : x + 1;
    struct tt_event event;
    if (tt_events_at_offset(app->opened.events, record.offset, &event)) {
        text = tt_text_of(v->text, sizeof v->text);
        enum tt_times times = app->times;
        app->times = times == TT_TIMES_DELTA ? TT_TIMES_RELATIVE : times;
        tt_app_time(app, &text, event.ticks, event.ticks);
        app->times = times;
        x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TIME, v->text, text.used) + 2;
    }
    text = tt_text_of(v->text, sizeof v->text);
    tt_text_grouped(&text, record.value);
    if (record.detail) {
        tt_text_char(&text, ' ');
        tt_text_escaped(&text, record.detail, strlen(record.detail));
    }
    tt_draw_text(line, x, 0, line.width - x, TT_ROLE_DIM, v->text, text.used);
}

static void draw_title(struct tt_app *app, struct info_view *v, struct tt_area line,
                       const char *title)
{
    static const char *const orders[TT_SORT_COUNT_OF] = {
#define X(id, name) name,
        TT_SORT_INFO(X)
#undef X
    };
    int x = 1 + tt_draw(line, 1, 0, line.width - 1, TT_ROLE_TITLE, title);
    if (strcmp(title, "counts") == 0) {
        x += 2;
        x += tt_draw(line, x, 0, line.width - x, TT_ROLE_COLUMNS, orders[v->sort]) + 1;
        bool up = v->sort == TT_SORT_COUNT ? v->reverse : !v->reverse;
        tt_draw_fill(line, x, 0, 1, TT_ROLE_COLUMNS,
                     tt_app_glyph(app, up ? TT_GLYPH_UP : TT_GLYPH_DOWN));
    }
}

static void draw_line(struct tt_app *app, struct info_view *v, struct tt_area area,
                      const struct line *line)
{
    static const char *const labels[SUMMARY_COUNT] = {
#define X(id, label) label,
        SUMMARY_INFO(X)
#undef X
    };
    struct tt_text text = tt_text_of(v->text, sizeof v->text);
    const struct tt_fact *fact;
    switch (line->kind) {
    case LINE_BLANK:
        break;
    case LINE_TITLE:
        draw_title(app, v, area, line->text);
        break;
    case LINE_SUMMARY:
        write_summary(app, &text, (enum summary)line->number);
        draw_pair(area, labels[line->number], &text, TT_ROLE_TEXT);
        break;
    case LINE_FACT:
        fact = tt_facts_at(app->opened.capture, (uint32_t)line->number);
        tt_text_escaped(&text, fact->value, strlen(fact->value));
        draw_pair(area, fact->key, &text, TT_ROLE_TEXT);
        break;
    case LINE_COUNT:
        draw_count(app, v, area, &v->counts[line->number]);
        break;
    case LINE_HEALTH:
        draw_health(app, area, (unsigned)line->number);
        break;
    case LINE_RECORD:
        draw_record(app, v, area, (uint32_t)line->number);
        break;
    case LINE_MORE:
        tt_text_str(&text, "and ");
        tt_text_grouped(&text, line->number);
        tt_text_str(&text, " more");
        tt_draw_text(area, 5, 0, area.width - 5, TT_ROLE_DIM, text.buffer, text.used);
        break;
    case LINE_SOUND:
        tt_draw(area, 3, 0, area.width - 3, TT_ROLE_TEXT, "nothing is wrong with it");
        break;
    }
}

static void place_top(struct info_view *v)
{
    uint32_t height = (uint32_t)v->height;
    if (v->at < v->top) {
        /* A title comes to sight with the first line below it. */
        v->top = v->at > 0 && v->lines[v->at - 1].kind == LINE_TITLE ? v->at - 1 : v->at;
    } else if (v->at >= v->top + height) {
        v->top = v->at - height + 1;
    }
    if (v->top + height > v->count) {
        v->top = v->count > height ? v->count - height : 0;
    }
}

static void view_draw(struct tt_app *app, void *state, struct tt_area area)
{
    struct info_view *v = state;
    v->height = area.height;
    renew(app, v);
    if (v->failed) {
        tt_app_say(app, TT_ROLE_ERROR, "out of memory: some lines are missing");
    }
    place_top(v);
    for (uint32_t i = v->top; i < v->count && (int)(i - v->top) < area.height; i++) {
        struct tt_area line = tt_area_part(area, 0, (int)(i - v->top), area.width, 1);
        draw_line(app, v, line, &v->lines[i]);
        if (i == v->at) {
            tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
            tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_CURSOR);
        }
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void go(struct info_view *v, int64_t to)
{
    int64_t last = v->count > 0 ? (int64_t)v->count - 1 : 0;
    v->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static void go_section(struct info_view *v, bool next)
{
    uint32_t at = v->at;
    do {
        at = next ? at + 1 : at - 1; /* before the first line it wraps to beyond the last */
    } while (at < v->count && v->lines[at].kind != LINE_TITLE);
    if (at < v->count) {
        v->at = at;
        v->top = at;
    }
}

static void go_to_health(struct info_view *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->lines[i].kind == LINE_HEALTH || v->lines[i].kind == LINE_SOUND) {
            v->at = i;
            return;
        }
    }
}

static void jump_to_record(struct tt_app *app, uint32_t number)
{
    struct tt_health_record record = tt_health_at(app->opened.capture, number);
    struct tt_event event;
    if (!tt_events_at_offset(app->opened.events, record.offset, &event)) {
        if (app->rows == 0) {
            tt_app_say(app, TT_ROLE_WARNING, "there is no event");
            return;
        }
        tt_app_show(app, TT_VIEW_EVENTS);
        tt_app_jump(app, UINT64_MAX, UINT64_MAX);
        tt_app_say(app, TT_ROLE_STATUS, "behind the last event");
        return;
    }
    tt_app_show(app, TT_VIEW_EVENTS);
    tt_app_jump(app, event.ticks, event.pos);
}

static void jump(struct tt_app *app, struct info_view *v)
{
    const struct line *line = v->at < v->count ? &v->lines[v->at] : NULL;
    if (!line) {
        return;
    }
    if (line->kind == LINE_RECORD) {
        jump_to_record(app, (uint32_t)line->number);
    } else if (line->kind == LINE_HEALTH && v->at + 1 < v->count &&
               v->lines[v->at + 1].kind == LINE_RECORD) {
        jump_to_record(app, (uint32_t)v->lines[v->at + 1].number);
    } else if (line->kind == LINE_COUNT && v->counts[line->number].name) {
        tt_app_show(app, TT_VIEW_EVENTS);
        tt_app_search_type(app, v->counts[line->number].type);
    } else if (line->kind == LINE_SUMMARY && line->number == SUMMARY_HEALTH) {
        go_to_health(v);
    } else {
        tt_app_say(app, TT_ROLE_STATUS, "an event's count or a place in health leads to Events");
    }
}

static void sort(struct info_view *v, bool reverse)
{
    if (reverse) {
        v->reverse = !v->reverse;
    } else {
        v->sort = (v->sort + 1) % TT_SORT_COUNT_OF;
        v->reverse = false;
    }
    v->stale = true;
}

static bool view_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct info_view *v = state;
    int64_t at = v->at, page = v->height > 1 ? v->height - 1 : 1;
    renew(app, v);
    switch (action) {
    case TT_DO_DOWN:
        go(v, at + 1);
        return true;
    case TT_DO_UP:
        go(v, at - 1);
        return true;
    case TT_DO_PAGE_DOWN:
        v->top += (uint32_t)page;
        go(v, at + page);
        return true;
    case TT_DO_PAGE_UP:
        go(v, at - page);
        v->top = v->top > (uint32_t)page ? v->top - (uint32_t)page : 0;
        return true;
    case TT_DO_HALF_DOWN:
        go(v, at + page / 2);
        return true;
    case TT_DO_HALF_UP:
        go(v, at - page / 2);
        return true;
    case TT_DO_FIRST:
        go(v, 0);
        v->top = 0;
        return true;
    case TT_DO_LAST:
        go(v, INT64_MAX);
        return true;
    case TT_DO_SECTION_NEXT:
    case TT_DO_SECTION_PREVIOUS:
        go_section(v, action == TT_DO_SECTION_NEXT);
        return true;
    case TT_DO_SORT:
    case TT_DO_SORT_REVERSE:
        sort(v, action == TT_DO_SORT_REVERSE);
        return true;
    case TT_DO_JUMP:
        jump(app, v);
        return true;
    default:
        return false;
    }
}

static void view_click(struct tt_app *app, void *state, int x, int y)
{
    struct info_view *v = state;
    (void)app;
    (void)x;
    go(v, (int64_t)v->top + y);
}

static void view_copy(struct tt_app *app, void *state, struct tt_text *text)
{
    struct info_view *v = state;
    struct tt_grid line = {.ascii = app->grid.ascii, .ellipsis = app->grid.ellipsis};
    if (v->at >= v->count || !tt_grid_resize(&line, app->grid.width, 1)) {
        return;
    }
    draw_line(app, v, tt_grid_area(&line), &v->lines[v->at]);
    tt_grid_line(&line, 0, text);
    tt_grid_free(&line);
}

static void view_contexts(const struct tt_app *app, const void *state, unsigned out[4])
{
    (void)app;
    (void)state;
    out[0] = TT_IN_INFO;
    out[1] = TT_IN_VIEWS;
    out[2] = 0;
}

static const enum tt_do *footer(const void *state)
{
    static const enum tt_do offers[] = {
        TT_DO_HELP, TT_DO_JUMP,      TT_DO_SECTION_NEXT, TT_DO_SORT,    TT_DO_TIME,
        TT_DO_COPY, TT_DO_VIEW_NEXT, TT_DO_QUIT,         TT_DO_NOTHING,
    };
    (void)state;
    return offers;
}

const struct tt_view tt_view_info = {
    .name = "info",
    .title = "Info",
    .tab = "Inf",
    .digit = '5',
    .open = view_open,
    .close = view_close,
    .renew = view_renew,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .copy = view_copy,
    .contexts = view_contexts,
    .footer = footer,
};
