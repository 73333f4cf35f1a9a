/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events/view: the list of the events that pass the filters, and the detail pane below it.
 * Lines are addressed by rank among the visible events, the cursor by its event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tui/app/view.h"
#include "tui/lanes/follow_cause.h"
#include "tui/lanes/partner.h"
#include "tui/model/causes.h"
#include "tui/model/visible_rows.h"
#include "tui/views/events/detail.h"
#include "tui/views/events/line.h"

#define SHIFT_STEP    8
#define SHIFT_LIMIT   4000
#define LINES_AT_ONCE 64

struct events_view {
    uint64_t top;        /* row of the first line */
    struct tt_list list; /* by rank among the visible events, as of the last layout */
    int pane;            /* lines of the detail pane, 0: closed */
    struct tt_column_place places[TT_COLUMN_COUNT];
    struct tt_detail detail;
    struct tt_events_line *text;
    /* The cursor in the last layout: if its row number changes, the list scrolls with it. */
    struct tt_event last;
    uint64_t last_line;
    bool has_last;
    int8_t end; /* cursor follows the last (1) or first (-1) row; 0: neither */
    struct tt_event end_at;
    bool arrives; /* the cursor goes to the longest event when it is known */
};

static void events_view_close(void *state)
{
    struct events_view *view = state;
    if (view) {
        tt_event_durations_free(&view->text->durations);
        tt_event_longest_free(&view->text->longest);
        free(view->text);
        free(view);
    }
}

static void *events_view_open(void)
{
    struct events_view *view = calloc(1, sizeof *view);
    struct tt_events_line *text = calloc(1, sizeof *text);
    if (!view || !text) {
        free(view);
        free(text);
        return NULL;
    }
    view->list.lines = 1;
    view->text = text;
    view->detail.args = &text->args;
    return view;
}

/* ---- the list ------------------------------------------------------------------------------ */

/* The lines: events that pass the filters, in the order of time, or the longest of them. */
static uint64_t list_count(const struct tt_workspace *ws, const struct events_view *view)
{
    const struct tt_event_longest *longest = &view->text->longest;
    return !view->text->by_duration ? tt_visible_count(ws) : longest->complete ? longest->count : 0;
}

static uint64_t list_row(const struct tt_workspace *ws, const struct events_view *view,
                         uint64_t rank)
{
    if (!view->text->by_duration) {
        return tt_visible_row(ws, rank);
    }
    return rank < list_count(ws, view) ? view->text->longest.heap[rank].row : UINT64_MAX;
}

static uint64_t list_rank(const struct tt_workspace *ws, const struct events_view *view,
                          uint64_t row)
{
    if (!view->text->by_duration) {
        return tt_visible_rank(ws, row);
    }
    uint32_t rank =
        view->text->longest.complete ? tt_event_longest_rank(&view->text->longest, row) : 0;
    return rank < list_count(ws, view) ? rank : 0;
}

static bool same_event(const struct tt_event *left, const struct tt_event *right)
{
    return left->ticks == right->ticks && left->pos == right->pos;
}

/*
 * Returns the rank of the first line that keeps the cursor visible with the least scrolling. The cursor
 * returns to its line when a list that was too short for it is long again.
 */
static uint64_t first_rank(const struct tt_workspace *ws, struct events_view *view)
{
    uint64_t rank = list_rank(ws, view, ws->nav.cursor.row), lines = (uint64_t)view->list.lines;
    uint64_t top = list_rank(ws, view, view->top), count = list_count(ws, view);
    bool same = view->has_last && same_event(&view->last, &ws->nav.cursor.event);
    if (same) {
        /* The row number may have changed, but the event is the same: keep its line. */
        top = rank > view->last_line ? rank - view->last_line : 0;
    }
    bool far = rank + lines < top || rank >= top + 2 * lines;
    if (far) {
        top = rank > lines / 2 ? rank - lines / 2 : 0;
    } else if (rank < top) {
        top = rank;
    } else if (rank >= top + lines) {
        top = rank - lines + 1;
    }
    if (top + lines > count) {
        top = count > lines ? count - lines : 0;
    }
    view->has_last = ws->nav.cursor.valid;
    view->last = ws->nav.cursor.event;
    view->last_line = same && view->last_line >= lines ? view->last_line : rank - top;
    return top;
}

/* Reads the events of up to `count` ranks from `rank`; returns the number read. */
static uint32_t read_shown(const struct tt_workspace *ws, const struct events_view *view,
                           uint64_t rank, uint32_t count, struct tt_event *events, uint64_t *rows)
{
    uint32_t done = 0;
    while (done < count) {
        uint64_t row = list_row(ws, view, rank + done);
        uint32_t run = 1; /* consecutive rows are read at once */
        rows[done] = row;
        while (done + run < count && row != UINT64_MAX &&
               list_row(ws, view, rank + done + run) == row + run) {
            rows[done + run] = row + run;
            run++;
        }
        if (row == UINT64_MAX ||
            tt_events_read(ws->opened.events, row, run, events + done) != run) {
            break;
        }
        done += run;
    }
    return done;
}

/* Returns whether records are lost or damaged at this event. */
static bool has_damage(const struct tt_workspace *ws, const struct tt_event *event)
{
    const struct tt_capture *capture = ws->opened.capture;
    uint32_t kept = tt_health_kept(capture);
    for (uint32_t i = 0; i < kept; i++) {
        struct tt_health_record record = tt_health_at(capture, i);
        bool matters = record.kind == TT_HEALTH_LOST || tt_health_is_damage(record.kind);
        if (matters && record.pos >= event->pos && record.pos - event->pos <= event->length) {
            return true;
        }
    }
    return false;
}

/* Draws the cursor, a bookmark or damage in front of an event, whose time is at `time`. */
static void events_view_draw_mark(const struct tt_workspace *ws, struct tt_area line,
                                  const struct tt_event *event, bool on_cursor,
                                  const struct tt_column_place *time)
{
    char mark = tt_bookmark_at(&ws->nav, event);
    if (on_cursor) {
        tt_term_draw_cursor(&ws->term, line, time->width > 0 ? time->x + time->width : line.width);
    }
    if (mark) {
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_MARK, (uint32_t)mark);
    } else if (!on_cursor && has_damage(ws, event)) {
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_WARNING, tt_term_glyph(&ws->term, TT_GLYPH_LOST));
    }
}

static void draw_empty(const struct tt_workspace *ws, const struct events_view *view,
                       struct tt_area area)
{
    const struct tt_event_longest *longest = &view->text->longest;
    const char *text = "reading the first events";
    char buffer[64];
    if (view->text->by_duration && ws->nav.cursor.valid) {
        snprintf(buffer, sizeof buffer, "searching for the longest durations: %u %%",
                 tt_event_longest_percent(longest));
        text = longest->complete ? "no event here has a duration"
               : longest->failed ? "out of memory"
                                 : buffer;
    } else if (ws->nav.cursor.valid) {
        text = tt_filter_stack_busy(&ws->filters.stack) ? "no match so far"
                                                        : "no event passes the filters";
    } else if (ws->index.progress.finished) {
        text = "no events in this capture";
    }
    tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, text);
}

/* Draws a line for each event; `before`: ticks of the event before the first, or NULL. */
static void draw_lines(const struct tt_workspace *ws, const struct events_view *view,
                       struct tt_area area, int first, const struct tt_event *events,
                       const uint64_t *rows, uint32_t count, const uint64_t *before)
{
    for (uint32_t i = 0; i < count; i++) {
        struct tt_area line = tt_area_part(area, 0, first + (int)i, area.width, 1);
        tt_events_line_draw(ws, view->text, line, view->places, &events[i], rows[i], before);
        events_view_draw_mark(ws, line, &events[i], same_event(&events[i], &ws->nav.cursor.event),
                              &view->places[TT_COLUMN_TIME]);
        tt_events_line_highlight(ws, view->text, line, &events[i], rows[i]);
        before = &events[i].ticks;
    }
}

static void draw_list(const struct tt_workspace *ws, const struct events_view *view,
                      struct tt_area area)
{
    struct tt_event events[LINES_AT_ONCE], last;
    uint64_t rows[LINES_AT_ONCE];
    bool has_last =
        view->list.top > 0 && read_shown(ws, view, view->list.top - 1, 1, &last, rows) == 1;
    for (int line = 0; line < view->list.lines; line += LINES_AT_ONCE) {
        int left = view->list.lines - line;
        uint32_t wanted = left < LINES_AT_ONCE ? (uint32_t)left : LINES_AT_ONCE;
        uint32_t count = 0;
        if (ws->nav.cursor.valid) {
            count = read_shown(ws, view, view->list.top + (uint64_t)line, wanted, events, rows);
        }
        draw_lines(ws, view, area, line, events, rows, count, has_last ? &last.ticks : NULL);
        if (count == 0 && line == 0) {
            draw_empty(ws, view, area);
        }
        if (count < wanted) {
            return;
        }
        last = events[count - 1];
        has_last = true;
    }
}

static void go_to_end(struct tt_workspace *ws, const struct events_view *view, bool last)
{
    uint64_t count = list_count(ws, view);
    if (count > 0) {
        tt_nav_go_row(ws, list_row(ws, view, last ? count - 1 : 0));
    }
}

/* Keeps the cursor in the list of the longest events; a jump elsewhere ends that list. */
static void keep_sorted(struct tt_workspace *ws, struct events_view *view)
{
    struct tt_event_longest *longest = &view->text->longest;
    if (!view->text->by_duration) {
        return;
    }
    tt_event_longest_ask(ws, longest);
    if (!longest->complete) {
        view->arrives = true;
    } else if (view->arrives) {
        view->arrives = false;
        view->has_last = false;
        tt_nav_go_row(ws, longest->count > 0 ? longest->heap[0].row : ws->nav.cursor.row);
    } else if (tt_event_longest_rank(longest, ws->nav.cursor.row) == longest->count &&
               longest->count > 0) {
        view->text->by_duration = false;
    }
}

static void events_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct events_view *view = state;
    view->pane = view->detail.open ? tt_detail_height(area.height) : 0;
    const int lines = area.height - 1 - view->pane;
    view->list = (struct tt_list){.y = 1, .lines = lines > 0 ? lines : 0};
    tt_causes_refresh(&ws->opened);

    /*
     * Keeps the cursor on the first or last event while events are still being indexed or filtered,
     * as if the key had been pressed afterwards. Following a growing capture is handled elsewhere.
     */
    bool left = !same_event(&view->end_at, &ws->nav.cursor.event);
    if (view->end != 0 && !left && !ws->index.following.live.follows) {
        go_to_end(ws, view, view->end > 0);
        view->end_at = ws->nav.cursor.event;
    }
    if (left || ws->index.following.live.follows ||
        (ws->index.progress.finished && tt_find_settled(ws))) {
        view->end = 0;
    }

    tt_visible_place_cursor(ws);
    keep_sorted(ws, view);
    tt_events_line_columns(ws, view->text, area.width, view->places);
    view->list.top = first_rank(ws, view);
    view->list.count = list_count(ws, view);
    view->list.at = list_rank(ws, view, ws->nav.cursor.row);
    if (ws->nav.cursor.valid && view->list.top < list_count(ws, view)) {
        view->top = list_row(ws, view, view->list.top);
    }

    /* Requests the durations of the lines on the screen, if their column is shown. */
    uint64_t rows[TT_EVENTS_LINES];
    uint32_t count = 0;
    while (view->places[TT_COLUMN_DURATION].width > 0 && !view->text->by_duration &&
           count < TT_EVENTS_LINES && count < (uint32_t)view->list.lines) {
        rows[count] = list_row(ws, view, view->list.top + count);
        if (rows[count] == UINT64_MAX) {
            break;
        }
        count++;
    }
    tt_event_durations_ask(ws, &view->text->durations, rows, count);
}

static bool events_view_fill(struct tt_workspace *ws, void *state)
{
    struct events_view *view = state;
    if (ws->nav.cursor.valid) {
        tt_event_durations_work(ws, &view->text->durations, tt_term_share(&ws->term, 2));
    }
    return false;
}

static bool events_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct events_view *view = state;
    uint64_t deadline = tt_now_ns() + budget_ns;
    return !ws->nav.cursor.valid ||
           (tt_event_durations_work(ws, &view->text->durations, deadline) &&
            (!view->text->by_duration || !view->text->longest.begun ||
             tt_event_longest_work(ws, &view->text->longest, deadline)));
}

static bool events_view_settled(const struct tt_workspace *ws, const void *state)
{
    const struct events_view *view = state;
    const struct tt_event_longest *longest = &view->text->longest;
    (void)ws;
    return !view->text->by_duration || longest->failed || (longest->complete && !view->arrives);
}

static void events_view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct events_view *view = state;
    tt_events_line_heads(ws, view->text, area, view->places);
    draw_list(ws, view, tt_area_part(area, 0, 1, area.width, view->list.lines));
    if (view->pane > 0) {
        tt_detail_draw(ws, &view->detail,
                       tt_area_part(area, 0, area.height - view->pane, area.width, view->pane));
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static struct tt_list *events_view_list(void *state)
{
    return &((struct events_view *)state)->list;
}

/* Goes to the event of the line to which the list was moved. */
static void view_moved(struct tt_workspace *ws, void *state)
{
    struct events_view *view = state;
    const struct tt_list *list = &view->list;
    /* A cursor between two lines is already above the next one. */
    const bool between = !view->text->by_duration && !tt_visible_has(ws, ws->nav.cursor.row);
    const bool down = list->at > list_rank(ws, view, ws->nav.cursor.row);
    view->end = list->end;
    if (view->end != 0) {
        tt_nav_leave(ws);
        go_to_end(ws, view, view->end > 0);
    } else if (list->count > 0) {
        view->top = list_row(ws, view, list->top);
        tt_nav_go_row(ws, list_row(ws, view, list->at - (down && between)));
    }
    view->end_at = ws->nav.cursor.event;
}

static bool act_shifting(struct events_view *view, enum tt_do action)
{
    if (action == TT_DO_LEFT) {
        view->text->shift = view->text->shift > SHIFT_STEP ? view->text->shift - SHIFT_STEP : 0;
    } else if (action == TT_DO_RIGHT) {
        view->text->shift += view->text->shift < SHIFT_LIMIT ? SHIFT_STEP : 0;
    } else {
        return false;
    }
    return true;
}

static bool act_searching(struct tt_workspace *ws, enum tt_do action)
{
    switch (action) {
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        tt_nav_search(ws, TT_EVENT_SCAN_THREAD, action == TT_DO_THREAD_NEXT);
        return true;
    case TT_DO_CPU_NEXT:
    case TT_DO_CPU_PREVIOUS:
        tt_nav_search(ws, TT_EVENT_SCAN_CPU, action == TT_DO_CPU_NEXT);
        return true;
    case TT_DO_TYPE_NEXT:
    case TT_DO_TYPE_PREVIOUS:
        tt_nav_search(ws, TT_EVENT_SCAN_TYPE, action == TT_DO_TYPE_NEXT);
        return true;
    default:
        return false;
    }
}

static bool events_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct events_view *view = state;
    if (act_shifting(view, action) || act_searching(ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_WHY:
    case TT_DO_CAUSE_BLOCKER:
    case TT_DO_CAUSE_WAKER:
    case TT_DO_PARTNER:
    case TT_DO_ONLY_THREAD:
    case TT_DO_WITHOUT_EVENT:
    case TT_DO_ONLY_MESSAGE:
        tt_lanes_act_cause(ws, ws->nav.cursor.event.thread, ws->nav.cursor.event.ticks, action);
        return true;
    case TT_DO_SORT:
        view->text->by_duration = !view->text->by_duration;
        view->arrives = view->text->by_duration;
        view->has_last = false;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "%s",
                       view->text->by_duration ? "the longest events, longest first; o: by time"
                                               : "events by time");
        return true;
    case TT_DO_DETAIL:
        view->detail.open = !view->detail.open;
        return true;
    case TT_DO_FIELD_NEXT:
    case TT_DO_FIELD_PREVIOUS:
        tt_detail_choose(ws, &view->detail, action == TT_DO_FIELD_NEXT);
        return true;
    case TT_DO_PLOT: {
        char line[512];
        struct tt_text text = tt_text_of(line, sizeof line);
        if (tt_detail_plot(ws, &view->detail, &text)) {
            ws->host.prompt(ws->host.app, TT_PROMPT_COMMAND, tt_text_cstr(&text));
        } else {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "only numbers have a plot");
        }
        return true;
    }
    default:
        return false;
    }
}

static bool events_view_dismiss(struct tt_workspace *ws, void *state)
{
    struct events_view *view = state;
    (void)ws;
    bool was_open = view->detail.open;
    view->detail.open = false;
    return was_open;
}

/* Appends the line of the event, or, with `all` or with the pane open, its fields. */
static void events_view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    struct events_view *view = state;
    const struct tt_event *event = &ws->nav.cursor.event;
    if (!ws->nav.cursor.valid) {
        return;
    }
    if (!tt_events_describe(ws->opened.events, event, &view->text->args)) {
        tt_args_clear(&view->text->args);
    }
    if (all || view->detail.open) {
        tt_detail_copy(ws, event, &view->text->args, text);
        return;
    }
    tt_line_event(text, ws->opened.capture, event, &view->text->args,
                  ws->index.progress.first_ticks);
}

static void events_view_leave(const struct tt_workspace *ws, const void *state,
                              struct tt_spot *spot)
{
    const struct events_view *view = state;
    (void)ws;
    spot->numbers[0] = view->top;
    spot->numbers[1] = (uint64_t)view->text->shift;
    spot->numbers[2] = view->detail.open;
    spot->numbers[3] = view->detail.field;
    spot->numbers[4] = view->text->by_duration;
}

static void events_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct events_view *view = state;
    view->top = spot->numbers[0] < ws->index.rows ? spot->numbers[0] : 0;
    view->text->shift = spot->numbers[1] < SHIFT_LIMIT ? (int)spot->numbers[1] : SHIFT_LIMIT;
    view->detail.open = spot->numbers[2] != 0;
    view->detail.field = (unsigned)spot->numbers[3];
    view->text->by_duration = spot->numbers[4] != 0;
    view->has_last = view->arrives = false;
    view->end = 0;
}

static const enum tt_do offers[] = {
    TT_DO_HELP,    TT_DO_ASK,       TT_DO_SEARCH, TT_DO_FILTER,  TT_DO_WHY,     TT_DO_TIME,
    TT_DO_DETAIL,  TT_DO_VIEW_NEXT, TT_DO_MARK,   TT_DO_GOTO,    TT_DO_FILTERS, TT_DO_THREAD_NEXT,
    TT_DO_COLUMNS, TT_DO_COPY,      TT_DO_QUIT,   TT_DO_NOTHING,
};

static const enum tt_do detail_offers[] = {
    TT_DO_HELP, TT_DO_ASK,  TT_DO_FIELD_NEXT, TT_DO_SEARCH,      TT_DO_FILTER,
    TT_DO_WHY,  TT_DO_TIME, TT_DO_MARK,       TT_DO_THREAD_NEXT, TT_DO_PLOT,
    TT_DO_COPY, TT_DO_QUIT, TT_DO_NOTHING,
};

static const char *const detail_about[] = {
    "All fields of the event at the cursor, and its bytes in the file; those of the selected field "
    "are "
    "highlighted.",
    NULL,
};

static const struct tt_view_pane detail_pane = {TT_IN_DETAIL, detail_offers, detail_about};

static const struct tt_view_pane *const panes[] = {&detail_pane, NULL};

static const struct tt_view_pane *view_pane(const void *state)
{
    const struct events_view *view = state;
    return view->detail.open ? &detail_pane : NULL;
}

static void events_view_renew(void *state)
{
    struct events_view *view = state;
    view->top = 0;
    view->text->shift = 0;
    tt_event_durations_free(&view->text->durations);
    tt_event_longest_free(&view->text->longest);
    view->text->by_duration = false;
    view->has_last = false;
    view->end = 0;
}

static const char *const about[] = {
    "Every event in the order of time, with the time since the line above.",
    "{inferred} before a thread: it is inferred, not recorded. {exit} before a name: a call ends.",
    "{lost} before a line: records are missing there. Enter opens all fields and bytes.",
    "dur: until its end (call, interrupt, message, slice); o lists the longest.",
    "f filters while you type, / searches; J K L H go along a thread and a CPU.",
    "m and a letter mark an event; the distance of two marks is on the status line.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_SORT, "longest", "the longest events that pass the filters, or all by time"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_view_events = {
    .about = about,
    .open = events_view_open,
    .close = events_view_close,
    .renew = events_view_renew,
    .layout = events_view_layout,
    .fill = events_view_fill,
    .draw = events_view_draw,
    .work = events_view_work,
    .settled = events_view_settled,
    .leave = events_view_leave,
    .resume = events_view_resume,
    .act = events_view_act,
    .list = events_view_list,
    .moved = view_moved,
    .copy = events_view_copy,
    .dismiss = events_view_dismiss,
    .footer = offers,
    .verbs = verbs,
    .panes = panes,
    .pane = view_pane,
};
