/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/lines: the snapshot at the cursor, and its rows in the order of the screen. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
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
static bool begin_runs(struct tt_run_times *r, uint32_t threads)
{
    if (threads > r->room || !r->known) {
        free(r->ticks);
        free(r->known);
        r->ticks = malloc(((size_t)threads + 1) * sizeof *r->ticks);
        r->known = malloc((size_t)threads + 1);
        r->room = r->ticks && r->known ? threads : 0;
    }
    r->threads = r->ticks && r->known ? threads : 0;
    r->reached = 0;
    if (r->known) {
        memset(r->known, 0, (size_t)r->threads + 1);
    }
    return r->ticks && r->known;
}

static bool has_run(const struct tt_run_times *r, uint32_t thread, unsigned window)
{
    return thread < r->threads && (r->known[thread] >> window & 1) != 0;
}

static void find_run(struct tt_snapshot_view *v, uint32_t thread, unsigned window)
{
    struct tt_run_times *r = &v->runs;
    if (thread < r->threads && !has_run(r, thread, window)) {
        r->ticks[thread][window] = tt_snapshot_run(&v->scene, thread, window);
        r->known[thread] |= (uint8_t)(1u << window);
    }
}

struct tt_snapshot_value tt_snapshot_value_of(const struct tt_snapshot_view *v,
                                              const struct tt_snapshot_row *row, unsigned column)
{
    const uint64_t at = v->snapshot.at;
    const unsigned window = column - TT_SNAPSHOT_RUN_1;
    struct tt_snapshot_value value = {.known = true};
    switch (column) {
    case TT_SNAPSHOT_PRIORITY:
        value.known = row->priority != TT_NO_PRIORITY;
        value.number = (uint64_t)((int64_t)row->priority - INT32_MIN);
        break;
    case TT_SNAPSHOT_STATE:
        value.number = row->doing;
        value.text = tt_line_state(v->scene.capture, row->state);
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
        value.pending = !has_run(&v->runs, row->thread, window);
        value.number = value.pending ? 0 : v->runs.ticks[row->thread][window];
        value.known = !value.pending && value.number != UINT64_MAX;
        break;
    default: /* the rows are in the order of process and thread */
        value.number = (uint64_t)(row - v->snapshot.rows);
        break;
    }
    return value;
}

/* Returns whether the table is in the order of run times, which are computed in steps. */
static bool needs_runs(const struct tt_snapshot_view *v)
{
    return v->sort >= TT_SNAPSHOT_RUN_1 && v->sort <= TT_SNAPSHOT_RUN_1000;
}

/* Returns whether the values to sort by are known. */
static bool has_keys(const struct tt_snapshot_view *v)
{
    const struct tt_run_times *r = &v->runs;
    return !needs_runs(v) || r->threads == 0 ||
           (r->window == v->sort - TT_SNAPSHOT_RUN_1 && r->reached == r->threads);
}

/* Computes the values to sort by; true when they are known. */
static bool find_keys(struct tt_snapshot_view *v, uint64_t deadline)
{
    struct tt_run_times *r = &v->runs;
    const unsigned window = v->sort - TT_SNAPSHOT_RUN_1;
    if (!needs_runs(v)) {
        return true;
    }
    r->reached = r->window == window ? r->reached : 0;
    r->window = window;
    while (r->reached < r->threads && tt_now_ns() < deadline) {
        for (unsigned i = 0; i < RUNS_AT_ONCE && r->reached < r->threads; i++) {
            find_run(v, r->reached++, window);
        }
    }
    return r->reached == r->threads;
}

/* ---- which rows, in which order ----------------------------------------------------------- */

static bool is_wanted(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                      const struct tt_snapshot_row *row)
{
    bool plain =
        !tt_thread_at(ws->opened.capture, row->thread)->idle && row->class_ != TT_CLASS_DEAD;
    return (v->all || plain) && tt_visible_thread(&ws->filters, row->thread);
}

struct item {
    struct tt_snapshot_value value; /* in the sorted column; unknown ones come last */
    uint32_t row;
    bool reverse;
};

static int compare(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    int order = 0;
    if (a->value.known != b->value.known) {
        return a->value.known ? -1 : 1;
    }
    if (a->value.known) {
        order = (a->value.number > b->value.number) - (a->value.number < b->value.number);
    }
    if (order == 0 && a->value.known && a->value.text && b->value.text) {
        order = strcmp(a->value.text, b->value.text);
    }
    order = a->reverse ? -order : order;
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Makes the lines. */
static bool sort_rows(const struct tt_workspace *ws, struct tt_snapshot_view *v)
{
    const uint32_t rows = v->snapshot.count;
    uint32_t count = 0;
    memset(v->doing, 0, sizeof v->doing);
    struct item *items = malloc(((size_t)rows + 1) * sizeof *items);
    if (v->room < rows || !v->lines) {
        uint32_t *lines = realloc(v->lines, ((size_t)rows + 1) * sizeof *lines);
        v->lines = lines ? lines : v->lines;
        v->room = lines ? rows : v->room;
    }
    if (!items || v->room < rows || !v->lines) {
        free(items);
        return false;
    }
    for (uint32_t i = 0; i < rows; i++) {
        if (is_wanted(ws, v, &v->snapshot.rows[i])) {
            items[count++] =
                (struct item){.value = tt_snapshot_value_of(v, &v->snapshot.rows[i], v->sort),
                              .row = i,
                              .reverse = v->reverse != tt_snapshot_columns[v->sort].down};
        }
    }
    if (v->sort != TT_SNAPSHOT_PID || v->reverse) {
        qsort(items, count, sizeof *items, compare);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_snapshot_row *row = &v->snapshot.rows[items[i].row];
        v->lines[i] = items[i].row;
        v->doing[row->doing] += !tt_thread_at(ws->opened.capture, row->thread)->idle;
    }
    v->count = count;
    free(items);
    return true;
}

/* Finds the line of the selected thread, near the previous line if it has none. */
static void find_cursor(const struct tt_workspace *ws, struct tt_snapshot_view *v)
{
    if (!ws->nav.lane.chosen) {
        v->list.at = 0;
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->snapshot.rows[v->lines[i]].thread == ws->nav.lane.thread) {
            v->list.at = i;
            return;
        }
    }
}

/* Returns the width of the widest process id among the rows; 0 if there are no processes. */
static int pid_width(const struct tt_workspace *ws, const struct tt_snapshot_view *v)
{
    const struct tt_capture *c = ws->opened.capture;
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t most = 0;
    uint32_t process = 0;
    for (uint32_t i = 0; i < v->snapshot.count; i++) {
        const struct tt_thread *t = tt_thread_at(c, v->snapshot.rows[i].thread);
        uint64_t pid = tt_process_at(c, t->process)->pid;
        process = pid > most ? (uint32_t)t->process : process;
        most = pid > most ? pid : most;
    }
    if (most > 0) {
        tt_line_id(&text, c, process, most);
    }
    return text.used > PID_MOST ? PID_MOST : (int)text.used;
}

static bool arrange(const struct tt_workspace *ws, struct tt_snapshot_view *v)
{
    v->arranged = v->snapshot.complete && has_keys(v);
    v->deadlock_count = 0;
    for (uint32_t i = 0; v->snapshot.complete && i < v->snapshot.count; i++) {
        v->deadlock_count += tt_snapshot_begins_deadlock(&v->snapshot, &v->snapshot.rows[i]);
    }
    v->pid_width = pid_width(ws, v);
    return sort_rows(ws, v);
}

/* ---- the cursor --------------------------------------------------------------------------- */

const struct tt_snapshot_row *tt_snapshot_view_row_of(const struct tt_snapshot_view *v, size_t line)
{
    const struct tt_snapshot_row *row = &v->snapshot.rows[v->lines[line]];
    return v->snapshot.row_of[row->thread] != UINT32_MAX ? row : NULL;
}

const struct tt_snapshot_row *tt_snapshot_view_row(const struct tt_snapshot_view *v)
{
    return !v->why && v->list.at < v->count ? tt_snapshot_view_row_of(v, v->list.at) : NULL;
}

void tt_snapshot_view_moved(struct tt_workspace *ws, void *state)
{
    struct tt_snapshot_view *v = state;
    const struct tt_snapshot_row *row = tt_snapshot_view_row(v);
    v->list.end = 0; /* another instant has other lines: the cursor stays with its thread */
    if (row) {
        ws->nav.lane.thread = row->thread;
        ws->nav.lane.process = tt_thread_at(ws->opened.capture, row->thread)->process;
        ws->nav.lane.kind = 0; /* a thread */
        ws->nav.lane.chosen = true;
    }
}

/* ---- updating ----------------------------------------------------------------------------- */

/* Computes what the CPUs do, and so the threads on them. */
static void find_cpus(struct tt_snapshot_view *v, struct tt_wakes *wakes)
{
    const uint32_t count = tt_cpu_count(v->t);
    v->cpu_count = count < TT_SNAPSHOT_CPUS_MOST ? count : TT_SNAPSHOT_CPUS_MOST;
    for (uint32_t i = 0; i < v->cpu_count; i++) {
        v->cpu_known[i] = tt_snapshot_cpu(wakes, v->snapshot.at, (uint16_t)i, &v->cpus[i]);
    }
}

/*
 * Links the cursor's row, and those on the screen as far as a frame has time for them; the others
 * follow when the whole snapshot is linked.
 */
static void link_visible(struct tt_snapshot_view *v, struct tt_wakes *wakes)
{
    struct tt_snapshot *s = &v->snapshot;
    uint64_t deadline = tt_now_ns() + VISIBLE_NS;
    for (int i = -1; i < v->list.lines; i++) {
        const size_t line = i < 0 ? v->list.at : v->list.top + (size_t)i;
        struct tt_snapshot_row *row =
            line < v->count ? tt_snapshot_state(wakes, s, s->rows[v->lines[line]].thread) : NULL;
        if (row && !s->complete && (i < 0 || tt_now_ns() < deadline)) {
            tt_snapshot_link_chain(wakes, s, row);
        }
    }
}

/*
 * Begins the snapshot of another instant. The lines stay those of the same threads until all states are
 * known: most threads have a state at both instants, so that the screen does not change twice.
 */
static bool begin(struct tt_snapshot_view *v, struct tt_wakes *wakes, uint64_t at)
{
    struct tt_snapshot *s = &v->snapshot;
    v->count = v->number == 0 ? 0 : v->count;
    for (uint32_t i = 0; i < v->count; i++) {
        v->lines[i] = s->rows[v->lines[i]].thread;
    }
    if (!tt_snapshot_begin(wakes, at, s) || !begin_runs(&v->runs, s->threads)) {
        v->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        v->lines[i] = s->place[v->lines[i]];
    }
    v->arranged = v->listed = false;
    return true;
}

static bool update(struct tt_workspace *ws, struct tt_snapshot_view *v, struct tt_wakes *wakes)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint64_t at = ws->nav.viewport.at, end = tt_timelines_end(t);
    unsigned version = tt_visible_lanes_version(&ws->filters);
    bool same = v->number == tt_timelines_number(t) && v->end == end && v->snapshot.at == at;
    if (!same) {
        if (!begin(v, wakes, at)) {
            return false;
        }
        v->t = t;
        v->scene = (struct tt_snapshot_scene){ws->opened.capture, t, &v->snapshot};
        v->number = tt_timelines_number(t);
        v->end = end;
        if (v->snapshot.threads <= THREADS_FEW) {
            find_keys(v, UINT64_MAX);
            tt_snapshot_step(wakes, &v->snapshot, THREADS_FEW);
        }
        tt_snapshot_view_work(ws, v, tt_now_ns() + FRAME_NS);
        find_cpus(v, wakes);
    }
    v->stale |= !same || v->lanes_version != version || v->listed != v->snapshot.listed ||
                v->arranged != v->snapshot.complete;
    v->lanes_version = version;
    if (!v->snapshot.listed) {
        return true;
    }
    if (v->stale && v->listed && !has_keys(v)) {
        v->arranged = false;
        return true; /* the lines stay in their previous order until they can be sorted */
    }
    v->listed = true;
    bool stale = v->stale;
    v->stale = stale && !has_keys(v);
    return !stale || arrange(ws, v);
}

bool tt_snapshot_view_refresh(struct tt_workspace *ws, struct tt_snapshot_view *v)
{
    struct tt_wakes *wakes = tt_causes_wakes(&ws->opened);
    if (!wakes || !update(ws, v, wakes)) {
        v->number = 0;
        return false;
    }
    find_cursor(ws, v);
    if (tt_list_layout(&v->list, v->count, v->list.y, v->list.lines)) {
        tt_snapshot_view_moved(ws, v);
    }
    link_visible(v, wakes);
    return true;
}

bool tt_snapshot_view_fill(struct tt_snapshot_view *v, uint64_t deadline)
{
    for (int y = -1; y < v->list.lines; y++) {
        /* The line of the cursor first: its times are below the table too. */
        const size_t line = y < 0 ? v->list.at : v->list.top + (size_t)y;
        const struct tt_snapshot_row *row =
            line < v->count ? tt_snapshot_view_row_of(v, line) : NULL;
        for (unsigned i = 0; row && i < TT_SNAPSHOT_RUNS; i++) {
            bool shown = y < 0 || v->places[TT_SNAPSHOT_RUN_1 + i].width > 0;
            if (!shown || has_run(&v->runs, row->thread, i)) {
                continue;
            }
            if (tt_now_ns() >= deadline) {
                return false;
            }
            find_run(v, row->thread, i);
        }
    }
    return true;
}

bool tt_snapshot_view_work(struct tt_workspace *ws, struct tt_snapshot_view *v, uint64_t deadline)
{
    struct tt_wakes *wakes = tt_causes_wakes(&ws->opened);
    if (!wakes || v->number != tt_timelines_number(tt_trace_timelines(ws->opened.trace))) {
        return true; /* the next layout begins another snapshot */
    }
    /* Before the rows are listed, which moves them: lines that cannot be sorted yet refer to them. */
    if (!find_keys(v, deadline)) {
        return false;
    }
    /* Without time nothing is linked: what a frame shows would be out of date. */
    while (!v->snapshot.complete && tt_now_ns() < deadline) {
        tt_snapshot_step(wakes, &v->snapshot, LINKED_AT_ONCE);
    }
    return v->snapshot.complete;
}
