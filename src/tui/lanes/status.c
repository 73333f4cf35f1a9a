/* SPDX-License-Identifier: Apache-2.0 */
/* status: describes states, their neighbours and their events. */
#include "tui/lanes/status.h"

#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tui/lanes/cause.h"

#define LINE_BYTES 1024
/* Maximum of events searched for the first event of an interval. */
#define EVENTS_AT_ONCE 64u
#define NAME_LEAST     8 /* minimum columns of a truncated name */
#define STATES_FROM    3 /* status line from which on states are listed */

const char *tt_lanes_state_name(const struct tt_workspace *ws, unsigned state)
{
    return state > 0 ? tt_format_state(ws->opened.capture->format, state)->name : "unknown";
}

void tt_lanes_status_time(const struct tt_workspace *ws, struct tt_text *text)
{
    tt_time_label_place(ws, text, ws->nav.viewport.at);
}

void tt_lanes_status_interval(const struct tt_workspace *ws, const struct tt_interval *interval,
                              uint64_t at, struct tt_text *text)
{
    tt_text_str(text, tt_lanes_state_name(ws, interval->state));
    bool begins =
        interval->since_before && at == interval->start; /* the duration so far is unknown */
    if (!begins) {
        tt_text_put(text, "%s%s", interval->since_before ? " for at least " : " for ",
                    tt_words_duration(ws, at - interval->start).s);
    }
    if (interval->open) {
        tt_text_str(text, ws->index.progress.finished ? ", to the end" : " so far");
    } else if (!interval->since_before) {
        tt_text_put(text, " of %s", tt_words_duration(ws, interval->end - interval->start).s);
    }
    if (interval->cpu != TT_NO_CPU) {
        tt_text_put(text, "%s%d",
                    interval->class_ == TT_CLASS_RUNNING ? ", on CPU " : ", last on CPU ",
                    interval->cpu);
    }
}

/* ---- events ------------------------------------------------------------------------------- */

/* Finds the event of this thread at the start of the interval. */
static bool lane_status_find_event(const struct tt_workspace *ws,
                                   const struct tt_interval *interval, struct tt_event *found)
{
    struct tt_event events[EVENTS_AT_ONCE];
    uint64_t row = tt_events_row_at_time(ws->opened.events, interval->start);
    uint32_t count = tt_events_read(ws->opened.events, row, EVENTS_AT_ONCE, events);
    bool any = false;
    for (uint32_t i = 0; i < count && events[i].ticks == interval->start; i++) {
        bool is_change = events[i].kind == TT_KIND_STATE || events[i].kind == TT_KIND_SWITCH ||
                         events[i].kind == TT_KIND_WAKEUP || events[i].kind == TT_KIND_LIFETIME;
        if (is_change && events[i].thread == interval->thread) {
            *found = events[i];
            return true;
        }
        if (!any && events[i].thread == interval->thread) {
            *found = events[i];
            any = true;
        }
    }
    return any;
}

void tt_lanes_status_event(const struct tt_workspace *ws, const struct tt_interval *interval,
                           struct tt_args *args, struct tt_text *text)
{
    struct tt_event event;
    if (interval->since_before || tt_lanes_cause(ws, interval, text) ||
        !lane_status_find_event(ws, interval, &event)) {
        return;
    }
    const struct tt_event_type *type = tt_types_at(ws->opened.capture, event.type);
    tt_text_escaped(text, type->name, strlen(type->name));
    if (tt_events_describe(ws->opened.events, &event, args) && args->count > 0) {
        tt_text_char(text, ' ');
        tt_line_args(text, args);
    }
}

/* ---- neighbours --------------------------------------------------------------------------- */

/* Finds the previous and next interval; skips empty intervals. */
static bool lane_status_neighbour(const struct tt_timelines *timelines, struct tt_interval_at at,
                                  bool after, struct tt_interval *interval)
{
    while (after ? tt_interval_next(timelines, &at) : tt_interval_previous(timelines, &at)) {
        *interval = tt_interval_get(timelines, at);
        if (interval->end > interval->start || interval->open) {
            return true;
        }
    }
    return false;
}

static void write_length(const struct tt_workspace *ws, const struct tt_interval *interval,
                         struct tt_text *text)
{
    tt_text_put(text, "%s ", tt_lanes_state_name(ws, interval->state));
    if (interval->since_before) {
        tt_text_str(text, "at least ");
    }
    tt_time_label_duration(ws, text, interval->end - interval->start);
    if (interval->open) {
        tt_text_str(text, ws->index.progress.finished ? " to the end" : " so far");
    }
}

static void lane_status_write_neighbours(const struct tt_workspace *ws,
                                         const struct tt_timelines *timelines,
                                         struct tt_interval_at at, struct tt_text *text)
{
    struct tt_interval other;
    bool before = lane_status_neighbour(timelines, at, false, &other);
    if (before) {
        tt_text_str(text, "after ");
        write_length(ws, &other, text);
    }
    if (lane_status_neighbour(timelines, at, true, &other)) {
        tt_text_str(text, before ? ", then " : "then ");
        write_length(ws, &other, text);
    }
}

bool tt_lanes_status_selection(const struct tt_workspace *ws, uint32_t thread, struct tt_text *text)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint64_t from, to;
    if (!timelines || !tt_viewport_selection(&ws->nav.viewport, &from, &to)) {
        return false;
    }
    uint64_t first =
        tt_events_number(ws->opened.events, tt_events_row_at_time(ws->opened.events, from));
    uint64_t last =
        tt_events_number(ws->opened.events, tt_events_row_at_time(ws->opened.events, to));
    tt_text_put(text, "selected %s, %'ju%s", tt_words_duration(ws, to - from).s, last - first,
                last - first == 1 ? " event" : " events");
    if (thread != TT_NO_THREAD) {
        struct tt_thread_sums sums;
        tt_thread_sum(timelines, thread, from, to, &sums);
        tt_text_put(text, "; this thread ran %s, %u %%, %'ju%s",
                    tt_words_duration(ws, sums.ticks[TT_CLASS_RUNNING] - sums.irq).s,
                    tt_percent(sums.ticks[TT_CLASS_RUNNING] - sums.irq, to - from), sums.in,
                    sums.in == 1 ? " run" : " runs");
    }
    return true;
}

/* ---- the states around the cursor --------------------------------------------------------- */

void tt_state_list_ask(const struct tt_workspace *ws, struct tt_state_list *list, uint32_t thread,
                       int lines)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval_at at, place;
    struct tt_interval interval;
    lines = lines < TT_STATE_LIST_ROWS ? lines : TT_STATE_LIST_ROWS;
    list->count = list->cursor = 0;
    if (lines < 1 || !timelines || !tt_lane_at(timelines, thread, ws->nav.viewport.at, &interval) ||
        !tt_interval_find(timelines, thread, ws->nav.viewport.at, &at)) {
        return;
    }
    place = at;
    while (list->cursor < lines / 2 && tt_interval_previous(timelines, &place)) {
        at = place;
        list->cursor++;
    }
    do {
        list->rows[list->count++] = tt_interval_get(timelines, at);
    } while (list->count < lines && tt_interval_next(timelines, &at));
}

/* Returns the time inside the state that its text depends on: the cursor's, or its start. */
static uint64_t time_inside(const struct tt_workspace *ws, const struct tt_interval *interval)
{
    uint64_t at = ws->nav.viewport.at;
    return at >= interval->start && (at < interval->end || interval->open) ? at : interval->start;
}

const struct tt_state_text *tt_state_list_text(const struct tt_workspace *ws,
                                               const struct tt_state_list *list,
                                               const struct tt_interval *interval)
{
    uint64_t at = time_inside(ws, interval);
    for (unsigned i = 0; i < list->known; i++) {
        const struct tt_state_text *text = &list->texts[i];
        if (text->thread == interval->thread && text->start == interval->start &&
            text->end == interval->end && text->at == at) {
            return text;
        }
    }
    return NULL;
}

bool tt_state_list_work(const struct tt_workspace *ws, struct tt_state_list *list,
                        struct tt_args *args, uint64_t deadline)
{
    /* Drops the texts that other events or settings would change. */
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint32_t number = timelines ? tt_timelines_number(timelines) : 0;
    unsigned times = (unsigned)ws->nav.times;
    if (list->number != number || list->index_rows != ws->index.rows || list->times != times) {
        list->number = number;
        list->index_rows = ws->index.rows;
        list->times = times;
        list->known = list->next = 0;
    }

    /* The cursor's state first, then those before and after it in turn. */
    for (int i = 0, missing = 0; i < 2 * list->count; i++) {
        int row = list->cursor + (i % 2 ? -(i + 1) / 2 : i / 2);
        if (row < 0 || row >= list->count || tt_state_list_text(ws, list, &list->rows[row])) {
            continue;
        }
        if (missing++ > 0 && tt_now_ns() >= deadline) {
            return false;
        }

        const struct tt_interval *interval = &list->rows[row];
        struct tt_state_text *entry = &list->texts[list->next];
        struct tt_text text = tt_text_of(entry->bytes, sizeof entry->bytes);
        entry->thread = interval->thread;
        entry->start = interval->start;
        entry->end = interval->end;
        entry->at = time_inside(ws, interval);
        tt_lanes_status_event(ws, interval, args, &text);
        entry->length = text.used;
        list->next = (list->next + 1) % TT_STATE_LIST_TEXTS;
        list->known += list->known < TT_STATE_LIST_TEXTS;
    }
    return true;
}

/* ---- the lines ---------------------------------------------------------------------------- */

/* Draws what was written about a state, which may still be missing. */
static void draw_event(const struct tt_workspace *ws, struct tt_area line, int x, unsigned role,
                       const struct tt_state_list *list, const struct tt_interval *interval)
{
    const struct tt_state_text *text = tt_state_list_text(ws, list, interval);
    if (text) {
        tt_draw_text(line, x, 0, line.width - x - 1, role, text->bytes, text->length);
    }
}

/* Draws the states around the cursor, one per line. */
static void draw_states(const struct tt_workspace *ws, struct tt_area area,
                        const struct tt_state_list *list)
{
    for (int i = 0; i < list->count && i < area.height; i++) {
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const struct tt_interval *row = &list->rows[i];
        struct tt_area line = tt_area_part(area, 0, i, area.width, 1);
        tt_time_label_moment(ws, &text, row->start);
        tt_draw_right(line, 1, 0, 18, TT_ROLE_TIME, tt_text_cstr(&text));
        text = tt_text_of(buffer, sizeof buffer);
        tt_time_label_duration(ws, &text, row->end - row->start);
        tt_draw_right(line, 19, 0, 13, TT_ROLE_DELTA, tt_text_cstr(&text));
        tt_lanes_draw_cell(ws, line, 33, 0, (struct tt_lane_cell){.class_ = row->class_});
        tt_draw(line, 35, 0, 14, TT_ROLE_EVENT_STATE, tt_lanes_state_name(ws, row->state));
        if (row->class_ == TT_CLASS_RUNNING) {
            text = tt_text_of(buffer, sizeof buffer);
            tt_text_put(&text, "CPU %d", row->cpu);
            tt_draw(line, 50, 0, 8, TT_ROLE_CPU, tt_text_cstr(&text));
        }
        draw_event(ws, line, 58, TT_ROLE_ARGUMENTS, list, row);
        if (i == list->cursor) {
            tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_CURSOR);
            tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
        }
    }
}

/* Draws time, name and state; truncates the name if they do not fit. */
static void draw_first_line(const struct tt_workspace *ws, struct tt_area area, int y,
                            const char *name, size_t name_length, const char *state,
                            size_t state_length)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_lanes_status_time(ws, &text);
    int x = 1 + tt_draw_text(area, 1, y, area.width - 2, TT_ROLE_TIME, buffer, text.used) + 2;
    int wanted = tt_grid_columns(area.grid, name, name_length);
    int room = area.width - 1 - x - 2 - tt_grid_columns(area.grid, state, state_length);
    room = room < wanted ? room : wanted;
    if (room >= NAME_LEAST || room == wanted) {
        x += tt_draw_text(area, x, y, room, TT_ROLE_TITLE, name, name_length) + 2;
    }
    tt_draw_text(area, x, y, area.width - 1 - x, TT_ROLE_TEXT, state, state_length);
}

void tt_lanes_status_lines(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, const struct tt_text *name,
                           const struct tt_text *first, const struct tt_text *second)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    draw_first_line(ws, area, view->layout.status, name->buffer, name->used, first->buffer,
                    first->used);
    if (view->layout.status_lines < 2) {
        return;
    }
    bool selected = tt_lanes_status_selection(ws, TT_NO_THREAD, &text);
    tt_draw_text(area, 1, view->layout.status + 1, area.width - 2,
                 selected ? TT_ROLE_MARK : TT_ROLE_TEXT, selected ? buffer : second->buffer,
                 selected ? text.used : second->used);
}

void tt_lanes_status_thread(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                            struct tt_area area, uint32_t thread,
                            const struct tt_state_list *states, const struct tt_text *message)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_lanes_layout *layout = &view->layout;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t at = ws->nav.viewport.at;
    struct tt_interval interval;
    struct tt_interval_at place;
    bool is = tt_lane_at(timelines, thread, at, &interval) &&
              tt_interval_find(timelines, thread, at, &place);
    if (is) {
        tt_lanes_status_interval(ws, &interval, at, &text);
    } else {
        bool begun = tt_interval_first(timelines, thread, &place) &&
                     tt_interval_get(timelines, place).start <= at;
        tt_text_str(&text, begun ? "has ended with its process" : "unknown so far");
    }
    char name[LINE_BYTES];
    struct tt_text who = tt_text_of(name, sizeof name);
    tt_line_thread(&who, ws->opened.capture, thread);
    draw_first_line(ws, area, layout->status, name, who.used, buffer, text.used);
    if (layout->status_lines < 2) {
        return;
    }
    text = tt_text_of(buffer, sizeof buffer);
    bool selected = tt_lanes_status_selection(ws, thread, &text);
    if (!selected && is) {
        lane_status_write_neighbours(ws, timelines, place, &text);
    }
    int x = 1 + tt_draw_text(area, 1, layout->status + 1, area.width - 2,
                             selected ? TT_ROLE_MARK : TT_ROLE_TEXT, buffer, text.used);
    struct tt_area rest = tt_area_part(area, 0, layout->status + 1, area.width, 1);
    if (!selected && is && layout->status_lines == 2 && message->used == 0) {
        draw_event(ws, rest, x + 2, TT_ROLE_DIM, states, &interval);
    } else if (!selected && is && message->used > 0) {
        text = tt_text_of(buffer, sizeof buffer);
        bool caused = layout->status_lines == 2 && tt_lanes_cause(ws, &interval, &text);
        tt_text_str(&text, caused ? "; " : "");
        tt_text_bytes(&text, message->buffer, message->used);
        tt_draw_text(rest, x + 2, 0, area.width - x - 3, TT_ROLE_DIM, buffer, text.used);
    }
    if (layout->status_lines > STATES_FROM && is) {
        int y = layout->status + STATES_FROM;
        draw_states(ws, tt_area_part(area, 0, y, area.width, layout->status_lines - STATES_FROM),
                    states);
    }
}

int tt_lanes_status_rows(const struct tt_lanes_view *view)
{
    int lines = view->layout.status_lines;
    return lines > STATES_FROM ? lines - STATES_FROM : lines == 2;
}
