/* SPDX-License-Identifier: Apache-2.0 */
/* wakes: instants at which threads become ready, thread by thread. */
#include "analysis/causes/wakes.h"

#include "table/raw/bounds.h"
#include "tracetui/jobs.h"
#include "tracetui/messages.h"

struct wake_row {
    struct tt_interval blocked;
    uint64_t time;
    uint64_t length; /* from the begin of the blocked state */
    const char *state;
    /* Costly. */
    uint64_t vector, object;
    const char *by, *kind;
    uint32_t waker;
    uint16_t cpu;
    uint16_t zero;
};

struct wake_rows {
    bool more;
    uint32_t thread, threads;
    struct tt_interval_at at; /* after the blocked interval */
    struct tt_wakes *wakes;
    struct tt_wakes *own; /* that the run frees */
};

static bool begin_wakes(struct tt_table_run *run)
{
    struct wake_rows *rows = run->state;
    rows->thread = UINT32_MAX; /* before the first one */
    rows->threads = tt_thread_count(run->capture);
    rows->own = run->request.wakes ? NULL : tt_wakes_new(run->request.trace);
    rows->wakes = rows->own ? rows->own : run->request.wakes;
    return rows->wakes != NULL;
}

/* Returns the time of the wake: the end of the interval or, if it was a wait for it, the answer's. */
static uint64_t wake_time(const struct tt_table_run *run, const struct tt_interval *interval)
{
    struct tt_message m;
    bool waits = tt_waits_for_answer(run->timelines, run->capture, interval, &m);
    return waits && m.end != TT_NO_TIME ? m.end : interval->end;
}

/* Goes to the next thread that is counted; false: there is none. */
static bool wakes_next_lane(const struct tt_table_run *run, struct wake_rows *rows)
{
    const struct tt_timelines *timelines = run->timelines;
    uint64_t from = run->bounds.from > 0 ? run->bounds.from - 1 : 0;
    do {
        rows->thread = tt_raw_next_thread(run, rows->thread + 1);
    } while (rows->thread < rows->threads &&
             !tt_thread_is_counted(tt_thread_at(run->capture, rows->thread)));
    rows->more = rows->thread < rows->threads &&
                 (tt_interval_find(timelines, rows->thread, from, &rows->at) ||
                  tt_interval_first(timelines, rows->thread, &rows->at));
    return rows->thread < rows->threads;
}

static enum tt_made next_wake(struct tt_table_run *run, void *room)
{
    struct wake_rows *rows = run->state;
    struct wake_row *row = room;
    do {
        while (rows->more) {
            row->blocked = tt_interval_get(run->timelines, rows->at);
            bool has_next = tt_interval_next(run->timelines, &rows->at);
            rows->more = has_next && row->blocked.start <= run->bounds.last;
            unsigned class_ = !has_next || row->blocked.open
                                  ? TT_CLASS_UNKNOWN
                                  : tt_interval_get(run->timelines, rows->at).class_;
            bool wakes = (class_ == TT_CLASS_READY || class_ == TT_CLASS_RUNNING) &&
                         row->blocked.end >= run->bounds.from &&
                         tt_ends_in_wake(run->timelines, run->capture, &row->blocked);
            row->time = wakes ? wake_time(run, &row->blocked) : 0;
            if (wakes && tt_raw_has_time(run, row->time)) {
                row->length = row->time - row->blocked.start;
                row->state = tt_raw_state(run->capture, row->blocked.state);
                return TT_MADE_PART;
            }
        }
    } while (!tt_raw_is_stopped(run) && wakes_next_lane(run, rows));
    return TT_MADE_ALL;
}

/* The number of the interval that begins with the wake. */
static uint64_t wake_number(const struct tt_table_run *run)
{
    const struct wake_rows *rows = run->state;
    return tt_raw_number(rows->thread, tt_interval_index(run->timelines, rows->at));
}

static void complete_wake(const struct tt_table_run *run, void *room)
{
    static const char *const words[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                        [TT_WAKER_THREAD] = "thread",
                                        [TT_WAKER_INTERRUPT] = "interrupt"};
    const struct wake_rows *rows = run->state;
    struct wake_row *row = room;
    struct tt_wake wake;
    tt_wake_find(rows->wakes, &row->blocked, &wake);
    row->by = words[wake.by];
    row->waker = wake.waker;
    row->kind = wake.kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake.kind);
    row->vector = wake.vector;
    row->object = wake.object != 0 ? wake.object : TT_TABLE_NONE;
    row->cpu = wake.cpu;
}

static void end_wakes(struct tt_table_run *run)
{
    const struct wake_rows *rows = run->state;
    tt_wakes_free(rows->own);
}

_Static_assert(TT_NO_VECTOR == TT_TABLE_NONE, "an unknown vector");

#define ROW struct wake_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    RAW("utid", KEY, blocked.thread, "Thread that is made ready: key of `threads`.", .bound = TT_BOUND_THREAD),
    RAW("ts", AT, time, "When it became ready.", .bound = TT_BOUND_TIME),
    RAW("by", TEXT, by, "`thread`, `interrupt` or `unknown`.", .is_costly = true, .is_lasting = true),
    RAW("waker_utid", KEY, waker, "Waker: key of `threads`, or null.", .is_costly = true),
    RAW("kind", TEXT, kind, "How: `reply`, `unlock`, `timer`, ...; or null.", .is_costly = true, .is_lasting = true),
    RAW("vector", COUNT, vector, "Number of the interrupt, or null.", .is_costly = true, .is_identity = true),
    RAW("object", COUNT, object, "Address or connection of the call.", .is_costly = true, .is_identity = true),
    RAW("cpu", CPU, cpu, "CPU on which it is recorded, or null.", .is_costly = true),
    RAW("state", TEXT, state, "State that it ends.", .is_lasting = true),
    RAW("blocked", TIME_US, length, "Time from the begin of that state."),
};
/* clang-format on */

const struct tt_table tt_table_wake_rows = {
    NAMES("wakes", "Wakes",
          "Wakes: instants at which a thread that was blocked becomes ready or runs, and what woke "
          "it ([causes](causes.md)), thread by thread. The waker of each row is searched when a "
          "column with it is read.",
          "[state]"),
    COLUMNS(columns),
    .begin = begin_wakes,
    .next = next_wake,
    .number = wake_number,
    .complete = complete_wake,
    .end = end_wakes,
    OF_RAW_ROWS(struct wake_row, struct wake_rows),
};
