/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot: what every thread does at an instant. A row is made from one of the request's scene. */
#include "table/raw/bounds.h"
#include "table/raw/raw_rows.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

struct snapshot_row {
    const struct tt_snapshot_row *row;
    uint64_t at, since, until;
    uint64_t depth, from_wake, deadlock;
    uint64_t runs[TT_SNAPSHOT_RUNS];
    const char *state, *waits_for;
    uint32_t thread, process, by;
    int32_t priority;
    uint16_t cpu;
    uint16_t zero[3];
};

void tt_snapshot_row_make(const struct tt_table_run *run, const struct tt_snapshot_row *from,
                          struct tt_table_row *room)
{
    const struct tt_snapshot_scene *scene = run->request.scene;
    struct snapshot_row *row = (void *)room;
    *row = (struct snapshot_row){.row = from,
                                 .at = scene->snapshot->at,
                                 .since = from->since_known ? from->since : TT_TABLE_NONE,
                                 .until = from->until_known ? from->until : TT_TABLE_NONE,
                                 .depth = from->depth,
                                 .from_wake = from->from_wake,
                                 .deadlock = from->deadlock,
                                 .state = tt_line_state(run->capture, from->state),
                                 .waits_for = tt_waits_for_name(from->waits_for),
                                 .thread = from->thread,
                                 .process = tt_thread_at(run->capture, from->thread)->process,
                                 .by = from->waits_for == TT_WAITS_FOR_THREAD ? from->by
                                                                              : TT_NO_THREAD,
                                 .priority = from->priority,
                                 .cpu = from->cpu};
    for (unsigned i = 0; i < TT_SNAPSHOT_RUNS; i++) {
        row->runs[i] = tt_snapshot_run(scene, from->thread, i);
    }
}

static TT_CELL_FUNCTION(blocked_on)
{
    const struct snapshot_row *snapshot_row = row;
    (void)column;
    cell->kind = tt_snapshot_put_blocked_on(&cell->text, run->capture, snapshot_row->row)
                     ? TT_CELL_TEXT
                     : TT_CELL_NONE;
}

static TT_CELL_FUNCTION(chain)
{
    const struct snapshot_row *snapshot_row = row;
    (void)column;
    cell->kind = tt_snapshot_put_chain(&cell->text, run->request.scene, snapshot_row->row)
                     ? TT_CELL_TEXT
                     : TT_CELL_NONE;
}

#define ROW struct snapshot_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    RAW("at", AT, at, "The instant."),
    RAW("pid", LANE_PID, thread, "Number of the thread's process."),
    RAW("tid", LANE_TID, thread, "Number of the thread in it."),
    RAW("process", PROCESS_NAME, process, "Name of its process."),
    RAW("thread", LANE_NAME, thread, "Process, number and name of the thread."),
    RAW("priority", NUMBER, priority, "Its priority."),
    RAW("state", TEXT, state, "Its state."),
    RAW("since", AT, since, "When the state began."),
    RAW("until", AT, until, "When the state ended."),
    RAW("cpu", CPU, cpu, "CPU on which it runs, for which it waits, or of its last run."),
    RAW("blocked_on_pid", LANE_PID, by, "Process of the thread for which it waits."),
    RAW("blocked_on_tid", LANE_TID, by, "Number of the thread for which it waits."),
    RAW_MADE("blocked_on", NAME, blocked_on, "For which it waits: a thread, `timer`, `interrupt 14`."),
    RAW_MADE("chain", NAME, chain, "For which it waits, for which that waits, ..."),
    RAW("depth", COUNT, depth, "Number of links of the chain."),
    RAW("waits_for", TEXT, waits_for, "Kind of thing for which it waits."),
    RAW("from_wake", FLAG, from_wake, "1: known from the wake that ends the wait."),
    RAW("deadlock", FLAG, deadlock, "1: part of a cycle of waits that do not end."),
    RAW("run_1ms", TIME_US, runs[0], "Time on a CPU in the millisecond before."),
    RAW("run_10ms", TIME_US, runs[1], "Time on a CPU in the 10 milliseconds before."),
    RAW("run_100ms", TIME_US, runs[2], "Time on a CPU in the 100 milliseconds before."),
    RAW("run_1s", TIME_US, runs[3], "Time on a CPU in the second before."),
};
/* clang-format on */

const struct tt_table tt_table_snapshot_rows = {
    NAMES("snapshot", "Snapshot", "What every thread does at an instant.", "[thread] [state]"),
    COLUMNS(columns),
    OF_RAW_ROWS(struct snapshot_row, char),
};
