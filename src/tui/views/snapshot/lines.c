/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/lines: the snapshot at the cursor, and its rows in the order of the screen. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/model/causes.h"
#include "tui/model/visible_lanes.h"
#include "tui/views/snapshot/view.h"

#define LINKED_AT_ONCE 1u
/* Time of a frame for linking. */
#define FRAME_NS UINT64_C(300000)
/* Time of a frame for linking the rows on the screen. */
#define VISIBLE_NS UINT64_C(300000)
#define PID_MOST   10
/* The states of a few threads are searched at once on any machine. */
#define THREADS_FEW  100u
#define RUNS_AT_ONCE 8u /* threads between two checks of the clock */

/* ---- run times ---------------------------------------------------------------------------- */

/* Begins another instant of `threads` threads. Returns false if out of memory. */
static bool begin_runs(struct tt_run_times *times, uint32_t threads)
{
    if (threads > times->room || !times->known) {
        free(times->ticks);
        free(times->known);
        times->ticks = malloc(((size_t)threads + 1) * sizeof *times->ticks);
        times->known = malloc((size_t)threads + 1);
        times->room = times->ticks && times->known ? threads : 0;
    }
    times->threads = times->ticks && times->known ? threads : 0;
    times->reached = 0;
    if (times->known) {
        memset(times->known, 0, (size_t)times->threads + 1);
    }
    return times->ticks && times->known;
}

static bool has_run(const struct tt_run_times *times, uint32_t thread, unsigned window)
{
    return thread < times->threads && (times->known[thread] >> window & 1) != 0;
}

static void snapshot_lines_find_run(struct tt_snapshot_view *view, uint32_t thread, unsigned window)
{
    struct tt_run_times *times = &view->runs;
    if (thread < times->threads && !has_run(times, thread, window)) {
        times->ticks[thread][window] = tt_snapshot_run(&view->scene, thread, window);
        times->known[thread] |= (uint8_t)(1u << window);
    }
}

struct tt_snapshot_value tt_snapshot_value_of(const struct tt_snapshot_view *view,
                                              const struct tt_snapshot_row *row, unsigned column)
{
    const uint64_t at = view->snapshot.at;
    const unsigned window = column - TT_SNAPSHOT_RUN_1;
    struct tt_snapshot_value value = {.known = true};
    switch (column) {
    case TT_SNAPSHOT_PRIORITY:
        value.known = row->priority != TT_NO_PRIORITY;
        value.number = (uint64_t)((int64_t)row->priority - INT32_MIN);
        break;
    case TT_SNAPSHOT_STATE:
        value.number = row->doing;
        value.text = tt_line_state(view->scene.capture, row->state);
        break;
    case TT_SNAPSHOT_SINCE:
        value.known = row->since_known;
        value.number = at - row->since;
        break;
    case TT_SNAPSHOT_UNTIL:
        value.known = row->until_known;
        value.number = row->until - at;
        break;
    case TT_SNAPSHOT_CPU:
        value.known = row->cpu != TT_NO_CPU;
        value.number = row->cpu;
        break;
    case TT_SNAPSHOT_DEPTH:
    case TT_SNAPSHOT_CHAIN:
        value.number = row->depth;
        break;
    case TT_SNAPSHOT_RUN_1:
    case TT_SNAPSHOT_RUN_10:
    case TT_SNAPSHOT_RUN_100:
    case TT_SNAPSHOT_RUN_1000:
        value.pending = !has_run(&view->runs, row->thread, window);
        value.number = value.pending ? 0 : view->runs.ticks[row->thread][window];
        value.known = !value.pending && value.number != UINT64_MAX;
        break;
    default: /* the rows are in the order of process and thread */
        value.number = (uint64_t)(row - view->snapshot.rows);
        break;
    }
    return value;
}

/* Returns whether the table is in the order of run times, which are computed in steps. */
static bool needs_runs(const struct tt_snapshot_view *view)
{
    return view->sort >= TT_SNAPSHOT_RUN_1 && view->sort <= TT_SNAPSHOT_RUN_1000;
}

/* Returns whether the values to sort by are known. */
static bool has_keys(const struct tt_snapshot_view *view)
{
    const struct tt_run_times *times = &view->runs;
    return !needs_runs(view) || times->threads == 0 ||
           (times->window == view->sort - TT_SNAPSHOT_RUN_1 && times->reached == times->threads);
}

/* Computes the values to sort by; true when they are known. */
static bool find_keys(struct tt_snapshot_view *view, uint64_t deadline)
{
    struct tt_run_times *times = &view->runs;
    const unsigned window = view->sort - TT_SNAPSHOT_RUN_1;
    if (!needs_runs(view)) {
        return true;
    }
    times->reached = times->window == window ? times->reached : 0;
    times->window = window;
    while (times->reached < times->threads && tt_now_ns() < deadline) {
        for (unsigned i = 0; i < RUNS_AT_ONCE && times->reached < times->threads; i++) {
            snapshot_lines_find_run(view, times->reached++, window);
        }
    }
    return times->reached == times->threads;
}

/* ---- which rows, in which order ----------------------------------------------------------- */

static bool snapshot_lines_is_wanted(const struct tt_workspace *ws,
                                     const struct tt_snapshot_view *view,
                                     const struct tt_snapshot_row *row)
{
    bool plain =
        !tt_thread_at(ws->opened.capture, row->thread)->idle && row->class_ != TT_CLASS_DEAD;
    return (view->all || plain) && tt_visible_thread(&ws->filters, row->thread);
}

struct item {
    struct tt_snapshot_value value; /* in the sorted column; unknown ones come last */
    uint32_t row;
    bool reverse;
};

static int snapshot_lines_compare(const void *x, const void *y)
{
    const struct item *left = x, *right = y;
    int order = 0;
    if (left->value.known != right->value.known) {
        return left->value.known ? -1 : 1;
    }
    if (left->value.known) {
        order =
            (left->value.number > right->value.number) - (left->value.number < right->value.number);
    }
    if (order == 0 && left->value.known && left->value.text && right->value.text) {
        order = strcmp(left->value.text, right->value.text);
    }
    order = left->reverse ? -order : order;
    return order ? order : (left->row > right->row) - (left->row < right->row);
}

/* Finds the line of the selected thread, near the previous line if it has none. */
static void find_cursor(const struct tt_workspace *ws, struct tt_snapshot_view *view)
{
    if (!ws->nav.lane.chosen) {
        view->list.at = 0;
        return;
    }
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->snapshot.rows[view->lines[i]].thread == ws->nav.lane.thread) {
            view->list.at = i;
            return;
        }
    }
}

/* Returns the width of the widest process id among the rows; 0 if there are no processes. */
static int pid_width(const struct tt_workspace *ws, const struct tt_snapshot_view *view)
{
    const struct tt_capture *capture = ws->opened.capture;
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t most = 0;
    uint32_t process = 0;
    for (uint32_t i = 0; i < view->snapshot.count; i++) {
        const struct tt_thread *thread = tt_thread_at(capture, view->snapshot.rows[i].thread);
        uint64_t pid = tt_process_at(capture, thread->process)->pid;
        process = pid > most ? (uint32_t)thread->process : process;
        most = pid > most ? pid : most;
    }
    if (most > 0) {
        tt_line_id(&text, capture, process, most);
    }
    return text.used > PID_MOST ? PID_MOST : (int)text.used;
}

static bool snapshot_lines_arrange(const struct tt_workspace *ws, struct tt_snapshot_view *view)
{
    view->arranged = view->snapshot.complete && has_keys(view);
    view->deadlock_count = 0;
    for (uint32_t i = 0; view->snapshot.complete && i < view->snapshot.count; i++) {
        view->deadlock_count +=
            tt_snapshot_begins_deadlock(&view->snapshot, &view->snapshot.rows[i]);
    }
    view->pid_width = pid_width(ws, view);

    /* Makes the lines. */
    const uint32_t rows = view->snapshot.count;
    uint32_t count = 0;
    memset(view->doing, 0, sizeof view->doing);
    struct item *items = malloc(((size_t)rows + 1) * sizeof *items);
    if (view->room < rows || !view->lines) {
        uint32_t *lines = realloc(view->lines, ((size_t)rows + 1) * sizeof *lines);
        view->lines = lines ? lines : view->lines;
        view->room = lines ? rows : view->room;
    }
    if (!items || view->room < rows || !view->lines) {
        free(items);
        return false;
    }
    for (uint32_t i = 0; i < rows; i++) {
        if (snapshot_lines_is_wanted(ws, view, &view->snapshot.rows[i])) {
            items[count++] = (struct item){
                .value = tt_snapshot_value_of(view, &view->snapshot.rows[i], view->sort),
                .row = i,
                .reverse = view->reverse != tt_snapshot_columns[view->sort].down};
        }
    }
    if (view->sort != TT_SNAPSHOT_PID || view->reverse) {
        qsort(items, count, sizeof *items, snapshot_lines_compare);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_snapshot_row *row = &view->snapshot.rows[items[i].row];
        view->lines[i] = items[i].row;
        view->doing[row->doing] += !tt_thread_at(ws->opened.capture, row->thread)->idle;
    }
    view->count = count;
    free(items);
    return true;
}

/* ---- the cursor --------------------------------------------------------------------------- */

const struct tt_snapshot_row *tt_snapshot_view_row_of(const struct tt_snapshot_view *view,
                                                      size_t line)
{
    const struct tt_snapshot_row *row = &view->snapshot.rows[view->lines[line]];
    return view->snapshot.row_of[row->thread] != UINT32_MAX ? row : NULL;
}

const struct tt_snapshot_row *tt_snapshot_view_row(const struct tt_snapshot_view *view)
{
    return !view->why && view->list.at < view->count ? tt_snapshot_view_row_of(view, view->list.at)
                                                     : NULL;
}

void tt_snapshot_view_moved(struct tt_workspace *ws, void *state)
{
    struct tt_snapshot_view *view = state;
    const struct tt_snapshot_row *row = tt_snapshot_view_row(view);
    view->list.end = 0; /* another instant has other lines: the cursor stays with its thread */
    if (row) {
        ws->nav.lane.thread = row->thread;
        ws->nav.lane.process = tt_thread_at(ws->opened.capture, row->thread)->process;
        ws->nav.lane.kind = 0; /* a thread */
        ws->nav.lane.chosen = true;
    }
}

/* ---- updating ----------------------------------------------------------------------------- */

/*
 * Begins the snapshot of another instant. The lines stay those of the same threads until all states are
 * known: most threads have a state at both instants, so that the screen does not change twice.
 */
static bool snapshot_lines_begin(struct tt_snapshot_view *view, struct tt_wakes *wakes, uint64_t at)
{
    struct tt_snapshot *snapshot = &view->snapshot;
    view->count = view->number == 0 ? 0 : view->count;
    for (uint32_t i = 0; i < view->count; i++) {
        view->lines[i] = snapshot->rows[view->lines[i]].thread;
    }
    if (!tt_snapshot_begin(wakes, at, snapshot) || !begin_runs(&view->runs, snapshot->threads)) {
        view->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < view->count; i++) {
        view->lines[i] = snapshot->place[view->lines[i]];
    }
    view->arranged = view->listed = false;
    return true;
}

static bool snapshot_lines_update(struct tt_workspace *ws, struct tt_snapshot_view *view,
                                  struct tt_wakes *wakes)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint64_t at = ws->nav.viewport.at, end = tt_timelines_end(timelines);
    unsigned version = tt_visible_lanes_version(&ws->filters);
    bool same = view->number == tt_timelines_number(timelines) && view->end == end &&
                view->snapshot.at == at;
    if (!same) {
        if (!snapshot_lines_begin(view, wakes, at)) {
            return false;
        }
        view->t = timelines;
        view->scene = (struct tt_snapshot_scene){ws->opened.capture, timelines, &view->snapshot,
                                                 ws->opened.events};
        view->number = tt_timelines_number(timelines);
        view->end = end;
        if (view->snapshot.threads <= THREADS_FEW) {
            find_keys(view, UINT64_MAX);
            tt_snapshot_step(wakes, &view->snapshot, THREADS_FEW);
        }
        tt_snapshot_view_work(ws, view, tt_now_ns() + FRAME_NS);

        /* Computes what the CPUs do, and so the threads on them. */
        const uint32_t count = tt_cpu_count(view->t);
        view->cpu_count = count < TT_SNAPSHOT_CPUS_MOST ? count : TT_SNAPSHOT_CPUS_MOST;
        for (uint32_t i = 0; i < view->cpu_count; i++) {
            view->cpu_known[i] =
                tt_snapshot_cpu(wakes, view->snapshot.at, (uint16_t)i, &view->cpus[i]);
        }
    }
    view->stale |= !same || view->lanes_version != version ||
                   view->listed != view->snapshot.listed ||
                   view->arranged != view->snapshot.complete;
    view->lanes_version = version;
    if (!view->snapshot.listed) {
        return true;
    }
    if (view->stale && view->listed && !has_keys(view)) {
        view->arranged = false;
        return true; /* the lines stay in their previous order until they can be sorted */
    }
    view->listed = true;
    bool stale = view->stale;
    view->stale = stale && !has_keys(view);
    return !stale || snapshot_lines_arrange(ws, view);
}

bool tt_snapshot_view_refresh(struct tt_workspace *ws, struct tt_snapshot_view *view)
{
    struct tt_wakes *wakes = tt_causes_wakes(&ws->opened);
    if (!wakes || !snapshot_lines_update(ws, view, wakes)) {
        view->number = 0;
        return false;
    }
    find_cursor(ws, view);
    if (tt_list_layout(&view->list, view->count, view->list.y, view->list.lines)) {
        tt_snapshot_view_moved(ws, view);
    }

    /*
     * Links the cursor's row, and those on the screen as far as a frame has time for them; the
     * others follow when the whole snapshot is linked.
     */
    struct tt_snapshot *snapshot = &view->snapshot;
    uint64_t deadline = tt_now_ns() + VISIBLE_NS;
    for (int i = -1; i < view->list.lines; i++) {
        const size_t line = i < 0 ? view->list.at : view->list.top + (size_t)i;
        struct tt_snapshot_row *row =
            line < view->count
                ? tt_snapshot_state(wakes, snapshot, snapshot->rows[view->lines[line]].thread)
                : NULL;
        if (row && !snapshot->complete && (i < 0 || tt_now_ns() < deadline)) {
            tt_snapshot_link_chain(wakes, snapshot, row);
        }
    }

    return true;
}

bool tt_snapshot_view_fill(struct tt_snapshot_view *view, uint64_t deadline)
{
    for (int y = -1; y < view->list.lines; y++) {
        /* The line of the cursor first: its times are below the table too. */
        const size_t line = y < 0 ? view->list.at : view->list.top + (size_t)y;
        const struct tt_snapshot_row *row =
            line < view->count ? tt_snapshot_view_row_of(view, line) : NULL;
        for (unsigned i = 0; row && i < TT_SNAPSHOT_RUNS; i++) {
            bool shown = y < 0 || view->places[TT_SNAPSHOT_RUN_1 + i].width > 0;
            if (!shown || has_run(&view->runs, row->thread, i)) {
                continue;
            }
            if (tt_now_ns() >= deadline) {
                return false;
            }
            snapshot_lines_find_run(view, row->thread, i);
        }
    }
    return true;
}

bool tt_snapshot_view_work(struct tt_workspace *ws, struct tt_snapshot_view *view,
                           uint64_t deadline)
{
    struct tt_wakes *wakes = tt_causes_wakes(&ws->opened);
    if (!wakes || view->number != tt_timelines_number(tt_trace_timelines(ws->opened.trace))) {
        return true; /* the next layout begins another snapshot */
    }
    /* Before the rows are listed, which moves them: lines that cannot be sorted yet refer to them. */
    if (!find_keys(view, deadline)) {
        return false;
    }
    /* Without time nothing is linked: what a frame shows would be out of date. */
    while (!view->snapshot.complete && tt_now_ns() < deadline) {
        tt_snapshot_step(wakes, &view->snapshot, LINKED_AT_ONCE);
    }
    return view->snapshot.complete;
}
