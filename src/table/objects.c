/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_objects: rows of locks and other objects that threads wait for. */
#include "table/builder.h"
#include "table/columns.h"
#include "table/stat_cells.h"

static bool add_object(struct tt_stat_builder *m, const struct tt_object_stat *stat)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.process = stat->object.process;
    row.number = stat->object.id;
    row.post = stat->object.kind;
    row.event = stat->number;
    row.o.waits = stat->waits;
    row.o.wait = stat->wait;
    row.o.hold = stat->hold;
    row.o.contended = stat->contended;
    row.o.waiting = stat->waiting;
    row.o.waiting_max = stat->waiting_max;
    row.o.waiter = stat->longest_waiter;
    row.o.wait_holder = stat->max_holder;
    row.o.holder = stat->longest_holder;
    row.o.system = stat->object.system;
    row.settled = true;
    return tt_table_add(m->sheet, &row);
}

static bool list_objects(struct tt_stat_builder *m)
{
    const struct tt_object_stats *stats = tt_object_counting_stats(m->objects);
    bool ok = tt_table_reserve(m->sheet, stats->count);
    for (size_t i = 0; ok && i < stats->count; i++) {
        ok = add_object(m, &stats->rows[i]);
    }
    return ok;
}

/* Begins, or begins again with other timelines. */
static bool begin(struct tt_stat_builder *m)
{
    const struct tt_object_window window = {m->request.window.from, m->request.window.to,
                                            m->request.threads, m->request.thread_limit};
    tt_object_counting_free(m->objects);
    m->objects_number = tt_timelines_number(m->t);
    m->objects = tt_object_counting_new(m->t, &window);
    return m->objects != NULL;
}

/* Lists the objects that are done in every step: there are few, and each step handles several. */
enum tt_made tt_make_objects(struct tt_stat_builder *m)
{
    bool done = false;
    if (m->objects_number != tt_timelines_number(m->t) && !begin(m)) {
        return TT_MADE_NO_MEMORY;
    }
    struct tt_status status = tt_object_counting_step(m->objects, m->work, &done);
    if (tt_failed(&status) || !list_objects(m)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct tt_stat_row

/* clang-format off */
static const struct tt_table_column object_columns[] = {
    COLUMN("pid", NULL, PROCESS_PID, process, SCREEN("", "pid", 30, 4),
     "Number of the process to which the object belongs."),
    COLUMN("process", "process", PROCESS_NAME, process, SCREEN("", "process", 2, 3),
     "Process to which the object belongs.", .is_key = true),
    MADE("kind", "kind", NAME, tt_stat_object_kind, SCREEN("", "kind", 1, 2),
     "Kind of the object: mutex, semaphore, ...", .is_key = true),
    COLUMN("object", "object", HEX, number, OFF_SCREEN,
     "Address or number of the object.", .is_identity = true),
    MADE("name", "name", NAME, tt_stat_object_name, OFF_SCREEN,
     "Name of the object."),
    MADE("label", NULL, NAME, tt_stat_object_label, SCREEN("", "object", 0, 1),
     "Name of the object, or its number without one.", .is_screen = true, .is_key = true),
    COLUMN("waits", "waits", COUNT, o.waits, SCREEN("", "waits", 3, 5),
     "Waits that begin in the range.", .compared = 1),
    COUNT_OF("wait_count", NULL, o.wait, OFF_SCREEN,
     "Waits that end in the range."),
    OF("wait_sum", "wait sum", TIME_US, o.wait, sum, SCREEN("wait", "sum", 14, 6),
     "Time of all waits that end in the range.", .is_sum = true),
    MEAN_OF("wait_mean", "mean", o.wait, SCREEN("wait", "mean", 6, 7),
     "Time of a wait, the mean."),
    OF("wait_p50", NULL, TIME_US, o.wait, p50, SCREEN("wait", "p50", 13, 8),
     "Time of a wait, the median.", .compared = 2),
    OF("wait_p99", "p99", TIME_US, o.wait, p99, SCREEN("wait", "p99", 5, 9),
     "Time of a wait that 99 % do not exceed.", .compared = 3),
    OF("wait_max", "max", TIME_US, o.wait, max, SCREEN("wait", "max", 4, 10),
     "Time of a wait, the longest."),
    OF("wait_max_at", "at", AT, o.wait, max_at, SCREEN("wait", "at", 10, 11),
     "When the longest wait ended.", .names_unit = true),
    COLUMN("waiter_pid", NULL, LANE_PID, o.waiter, OFF_SCREEN,
     "Process of the thread of the longest wait."),
    COLUMN("waiter_tid", NULL, LANE_TID, o.waiter, OFF_SCREEN,
     "Number of the thread of the longest wait."),
    COLUMN("waiter", "waiter", LANE_NAME, o.waiter, SCREEN("", "waiter", 11, 12),
     "Thread of the longest wait."),
    COLUMN("max_holder_pid", NULL, LANE_PID, o.wait_holder, OFF_SCREEN,
     "Process of the thread that released it last during the longest wait."),
    COLUMN("max_holder_tid", NULL, LANE_TID, o.wait_holder, OFF_SCREEN,
     "Number of the thread that released it last during the longest wait."),
    COLUMN("max_holder", NULL, LANE_NAME, o.wait_holder, SCREEN("", "held by", 9, 13),
     "Thread that released it last during the longest wait."),
    COUNT_OF("holds", "holds", o.hold, SCREEN("hold", "count", 17, 14),
     "Times for which a thread had it while another waited."),
    OF("hold_sum", NULL, TIME_US, o.hold, sum, OFF_SCREEN,
     "Time for which it was held while others waited.", .is_sum = true),
    MEAN_OF("hold_mean", "hold mean", o.hold, SCREEN("hold", "mean", 16, 15),
     "Time for which a thread had it while another waited, the mean.", .compared = 4),
    OF("hold_max", "max", TIME_US, o.hold, max, SCREEN("hold", "max", 8, 16),
     "Time for which a thread had it while another waited, the longest."),
    OF("hold_max_at", NULL, AT, o.hold, max_at, SCREEN("hold", "at", 18, 17),
     "When the longest hold ended."),
    COLUMN("holder_pid", NULL, LANE_PID, o.holder, OFF_SCREEN,
     "Process of the thread of the longest hold."),
    COLUMN("holder_tid", NULL, LANE_TID, o.holder, OFF_SCREEN,
     "Number of the thread of the longest hold."),
    COLUMN("holder", "holder", LANE_NAME, o.holder, SCREEN("hold", "by", 19, 18),
     "Thread of the longest hold."),
    COLUMN("contended", NULL, TIME_MS, o.contended, SCREEN("contended", "", 31, 19),
     "Time with at least one waiter.", .compared = 5),
    COLUMN("contended_pct", "contended%", SHARE, o.contended, SCREEN("contended", "%", 7, 20),
     "Time with at least one waiter, in percent of the range."),
    COLUMN("waiting_mean", "waiting", DEPTH, o.waiting, SCREEN("waiting", "mean", 20, 21),
     "Waiting threads at once, the mean over the range.", .is_precise = true),
    COLUMN("waiting_max", "most", COUNT, o.waiting_max, SCREEN("waiting", "max", 12, 22),
     "Waiting threads at once, the most.", .is_level = true),
};
/* clang-format on */

static int compare_objects(const void *a, const void *b)
{
    const struct tt_stat_row *x = a, *y = b;
    if (x->o.wait.sum != y->o.wait.sum) {
        return x->o.wait.sum > y->o.wait.sum ? -1 : 1;
    }
    if (x->o.waits != y->o.waits) {
        return x->o.waits > y->o.waits ? -1 : 1;
    }
    return (x->event > y->event) - (x->event < y->event);
}

const struct tt_table tt_table_objects = {
    .name = "object",
    .title = "Locks and other objects",
    .doc = "A lock or another object that threads wait for.",
    .row_name = "[label]| of [process?]",
    .row_title = "[kind] [label]| of [process?]",
    COLUMNS(object_columns),
    .order = "wait_max",
    .filter = TT_FILTER_THREADS,
    .of_messages = true,
    .compare = compare_objects,
    OF_STAT_ROWS,
};
