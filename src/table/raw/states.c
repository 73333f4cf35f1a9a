/* SPDX-License-Identifier: Apache-2.0 */
/* states: the intervals of threads, thread by thread. */
#include "table/raw/bounds.h"
#include "tracetui/timeline.h"

struct state_row {
    uint64_t start, end, length;
    uint64_t switched_in, migrated, is_open, since_before;
    const char *state, *class_name;
    uint32_t thread;
    uint16_t cpu;
    uint16_t zero;
};

struct state_rows {
    bool more;
    uint32_t thread, threads;
    uint32_t count, at;
    struct tt_interval_at first; /* position of list[0] */
    struct tt_interval_at next;
    struct tt_interval list[TT_INTERVALS];
};

/* Reads more intervals, of this thread or of the next one that has some. */
static bool read_intervals(const struct tt_table_run *run, struct state_rows *rows)
{
    if (tt_raw_is_stopped(run)) {
        return false;
    }
    const struct tt_timelines *timelines = run->timelines;
    uint64_t from = run->bounds.from;
    bool past = rows->count > 0 && rows->list[rows->count - 1].start > run->bounds.last;
    if (!rows->more || past) {
        bool has = false;
        do { /* before the first interval within the bounds: several may begin at one time */
            rows->thread = tt_raw_next_thread(run, rows->thread + 1);
            has = rows->thread < rows->threads &&
                  ((from > 0 && tt_interval_find(timelines, rows->thread, from - 1, &rows->next)) ||
                   tt_interval_first(timelines, rows->thread, &rows->next));
        } while (rows->thread < rows->threads && !has);
        if (rows->thread >= rows->threads) {
            return false;
        }
    }
    rows->first = rows->next;
    rows->count = tt_intervals_read(timelines, &rows->next, rows->list, &rows->more);
    rows->at = 0;
    return rows->count > 0;
}

static bool begin_states(struct tt_table_run *run)
{
    struct state_rows *rows = run->state;
    rows->thread = rows->at = UINT32_MAX; /* before the first one */
    rows->threads = tt_thread_count(run->capture);
    return true;
}

static enum tt_made next_state(struct tt_table_run *run, void *row)
{
    struct state_rows *rows = run->state;
    for (rows->at++;; rows->at++) {
        while (rows->at >= rows->count) {
            if (!read_intervals(run, rows)) {
                return TT_MADE_ALL;
            }
        }
        const struct tt_interval *interval = &rows->list[rows->at];
        bool on_cpu = run->bounds.cpu == UINT32_MAX || interval->cpu == run->bounds.cpu;
        if (on_cpu && tt_raw_has_time(run, interval->start)) {
            /* Its end may not be recorded, although another one follows. */
            bool is_cut =
                rows->at + 1 < rows->count
                    ? rows->list[rows->at + 1].cut_before
                    : rows->more && tt_interval_get(run->timelines, rows->next).cut_before;
            *(struct state_row *)row =
                (struct state_row){.start = interval->start,
                                   .end = interval->end,
                                   .length = interval->end - interval->start,
                                   .switched_in = interval->switched_in,
                                   .migrated = interval->migrated,
                                   .is_open = interval->open || is_cut,
                                   .since_before = interval->since_before,
                                   .state = tt_raw_state(run->capture, interval->state),
                                   .class_name = tt_class_name(interval->class_),
                                   .thread = interval->thread,
                                   .cpu = interval->cpu};
            return TT_MADE_PART;
        }
    }
}

static uint64_t state_number(const struct tt_table_run *run)
{
    const struct state_rows *rows = run->state;
    return tt_raw_number(rows->thread, tt_interval_index(run->timelines, rows->first) + rows->at);
}

static TT_CELL_FUNCTION(priority)
{
    const struct state_row *state = row;
    int number = tt_thread_priority(run->timelines, state->thread, state->start);
    (void)column;
    if (number != TT_NO_PRIORITY) {
        cell->kind = TT_CELL_SIGNED;
        cell->signed_number = number;
    }
}

#define ROW struct state_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    RAW("utid", KEY, thread, "Thread: key of `threads`.", .bound = TT_BOUND_THREAD),
    RAW("ts", AT, start, "When it began.", .bound = TT_BOUND_TIME),
    RAW("end", AT, end, "When it ended: the begin of the thread's next state."),
    RAW("dur", TIME_US, length, "Time from its begin to its end; sums in ticks are exact."),
    RAW("state", TEXT, state, "The format's state: `RECEIVE`.", .is_lasting = true),
    RAW("class", TEXT, class_name, "Its class: `running`, `ready`, `ipc`, ...", .is_lasting = true),
    RAW("cpu", CPU, cpu, "CPU of a run; else that of the last run.", .bound = TT_BOUND_CPU),
    RAW_MADE("priority", NUMBER, priority, "Priority at its begin, or null."),
    RAW("switched_in", FLAG, switched_in, "1: a run that began with a switch."),
    RAW("migrated", FLAG, migrated, "1: a run on another CPU than the last."),
    RAW("is_open", FLAG, is_open, "1: its true end is not recorded."),
    RAW("since_before", FLAG, since_before, "1: its true begin is not recorded."),
    RAW("pid", LANE_PID, thread, "Number of the thread's process.", .bound = TT_BOUND_PID),
    RAW("tid", LANE_TID, thread, "Number of the thread in it.", .bound = TT_BOUND_TID),
    RAW("thread", LANE_NAME, thread, "Process, number and name of the thread."),
};
/* clang-format on */

const struct tt_table tt_table_state_rows = {
    NAMES("states", "States",
          "States of threads, thread by thread in order of time, without gaps. A run is a row of "
          "class `running`.",
          "[thread] [state]"),
    COLUMNS(columns),
    .begin = begin_states,
    .next = next_state,
    .number = state_number,
    OF_RAW_ROWS(struct state_row, struct state_rows),
};
