/* SPDX-License-Identifier: Apache-2.0 */
/* objects: the table of locks and other objects that threads wait for. */
#include "tracetui/objects.h"
#include "analysis/messages/object_stats.h"
#include "table/sums.h"

struct object_row {
    struct tt_subject of; /* process, number, kind and system */
    uint64_t number;      /* in the statistics */
    uint64_t waits;
    struct tt_distribution wait, hold;
    uint64_t contended;
    uint64_t waiting, waiting_max;
    uint32_t waiter;     /* thread of the longest wait, or TT_NO_THREAD, as the others */
    uint32_t max_holder; /* released it last in that wait */
    uint32_t holder;     /* of the longest hold */
    uint32_t unused;
};

struct objects {
    struct tt_object_counting *counting;
    uint32_t generation; /* of its timelines */
};

static bool make_object(const struct tt_table_run *run, size_t index, void *room)
{
    const struct objects *objects = run->state;
    const struct tt_object_stat *stat = &tt_object_counting_stats(objects->counting)->rows[index];
    struct object_row *row = room;
    row->of.process = stat->object.process;
    row->of.number = stat->object.id;
    row->of.kind = stat->object.kind;
    row->of.system = stat->object.system;
    row->number = stat->number;
    row->waits = stat->waits;
    row->wait = stat->wait;
    row->hold = stat->hold;
    row->contended = stat->contended;
    row->waiting = stat->waiting;
    row->waiting_max = stat->waiting_max;
    row->waiter = stat->longest_waiter;
    row->max_holder = stat->max_holder;
    row->holder = stat->longest_holder;
    return true;
}

/* Lists the objects that are done in every step: there are few, and each step handles several. */
static enum tt_made step_objects(struct tt_table_run *run)
{
    struct objects *objects = run->state;
    const struct tt_table_request *request = &run->request;
    uint32_t generation = tt_timelines_number(run->timelines);
    bool done = false;
    if (objects->generation != generation) { /* begins, or begins again with other timelines */
        const struct tt_object_window window = {request->window.from, request->window.to,
                                                request->threads, request->thread_limit};
        tt_object_counting_free(objects->counting);
        objects->generation = generation;
        objects->counting = tt_object_counting_new(run->timelines, &window);
    }
    if (!objects->counting) {
        return TT_MADE_NO_MEMORY;
    }
    struct tt_status status = tt_object_counting_step(objects->counting, run->work, &done);
    if (tt_failed(&status) ||
        !tt_table_list(run, tt_object_counting_stats(objects->counting)->count, make_object)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

static unsigned percent_of_objects(const struct tt_table_run *run)
{
    const struct objects *objects = run->state;
    return objects->counting ? tt_object_counting_percent(objects->counting) : 0;
}

static void end_objects(struct tt_table_run *run)
{
    tt_object_counting_free(((struct objects *)run->state)->counting);
}

static int compare_objects(const void *a, const void *b)
{
    const struct object_row *left = a, *right = b;
    if (left->wait.sum != right->wait.sum) {
        return left->wait.sum > right->wait.sum ? -1 : 1;
    }
    if (left->waits != right->waits) {
        return left->waits > right->waits ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

/* The longest wait with its thread and the holder, or the longest hold with its thread and the waiter. */
static bool place_of_object(const struct tt_table_run *run, const struct tt_table_column *column,
                            const void *row, struct tt_table_place *place)
{
    const struct object_row *object = row;
    bool holds = column->samples == TT_SAMPLES_hold && object->hold.count > 0;
    const struct tt_distribution *its = holds ? &object->hold : &object->wait;
    (void)run;
    place->at = its->max_at;
    place->length = its->max;
    place->thread = holds ? object->holder : object->waiter;
    place->other = holds ? object->waiter : object->max_holder;
    place->what = holds ? "hold" : "wait";
    return its->count > 0;
}

/* ---- columns ------------------------------------------------------------------------------ */

static TT_CELL_FUNCTION(set_kind)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, tt_object_kind_name(((const struct tt_subject *)row)->kind));
}

static TT_CELL_FUNCTION(set_name)
{
    const struct tt_subject *of = row;
    const struct tt_object object = {.id = of->number,
                                     .process = of->process,
                                     .kind = (uint8_t)of->kind,
                                     .system = (uint8_t)of->system};
    size_t length = 0;
    const char *name = tt_object_name(run->capture, &object, &length);
    (void)column;
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    }
}

/* Sets the name, or the number of an object without one. */
static TT_CELL_FUNCTION(set_label)
{
    const struct tt_subject *of = row;
    set_name(run, column, row, cell);
    if (cell->kind == TT_CELL_NONE && of->number != TT_NO_OBJECT_ID) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, "0x");
        tt_text_hex(&cell->text, of->number, 1);
    }
}

#define ROW struct object_row
#define IN

/* clang-format off */
static const struct tt_table_column object_columns[] = {
    COLUMN("pid", NULL, PROCESS_PID, of.process, SCREEN("", "pid", 30, 4), "Number of the process to which the object belongs."),
    COLUMN("process", "process", PROCESS_NAME, of.process, SCREEN("", "process", 2, 3), "Process to which the object belongs.", .is_key = true),
    MADE("kind", "kind", NAME, set_kind, SCREEN("", "kind", 1, 2), "Kind of the object: mutex, semaphore, ...", .is_key = true),
    COLUMN("object", "object", HEX, of.number, OFF_SCREEN, "Address or number of the object.", .is_identity = true),
    MADE("name", "name", NAME, set_name, OFF_SCREEN, "Name of the object."),
    MADE("label", NULL, NAME, set_label, SCREEN("", "object", 0, 1), "Name of the object, or its number without one.", .is_screen = true, .is_key = true),
    COLUMN("waits", "waits", COUNT, waits, SCREEN("", "waits", 3, 5), "Waits that begin in the range.", .compared = 1),
    COUNT_OF("wait_count", NULL, wait, OFF_SCREEN, "Waits that end in the range."),
    OF("wait_sum", "wait sum", TIME_US, wait, sum, SCREEN("wait", "sum", 14, 6), "Time of all waits that end in the range.", .is_sum = true),
    MEAN_OF("wait_mean", "mean", wait, SCREEN("wait", "mean", 6, 7), "Time of a wait, the mean."),
    OF("wait_p50", NULL, TIME_US, wait, p50, SCREEN("wait", "p50", 13, 8), "Time of a wait, the median.", .compared = 2),
    OF("wait_p99", "p99", TIME_US, wait, p99, SCREEN("wait", "p99", 5, 9), "Time of a wait that 99 % do not exceed.", .compared = 3),
    OF("wait_max", "max", TIME_US, wait, max, SCREEN("wait", "max", 4, 10), "Time of a wait, the longest."),
    OF("wait_max_at", "at", AT, wait, max_at, SCREEN("wait", "at", 10, 11), "When the longest wait ended.", .names_unit = true),
    COLUMN("waiter_pid", NULL, LANE_PID, waiter, OFF_SCREEN, "Process of the thread of the longest wait."),
    COLUMN("waiter_tid", NULL, LANE_TID, waiter, OFF_SCREEN, "Number of the thread of the longest wait."),
    COLUMN("waiter", "waiter", LANE_NAME, waiter, SCREEN("", "waiter", 11, 12), "Thread of the longest wait."),
    COLUMN("max_holder_pid", NULL, LANE_PID, max_holder, OFF_SCREEN, "Process of the thread that released it last during the longest wait."),
    COLUMN("max_holder_tid", NULL, LANE_TID, max_holder, OFF_SCREEN, "Number of the thread that released it last during the longest wait."),
    COLUMN("max_holder", NULL, LANE_NAME, max_holder, SCREEN("", "held by", 9, 13), "Thread that released it last during the longest wait."),
    COUNT_OF("holds", "holds", hold, SCREEN("hold", "count", 17, 14), "Times for which a thread had it while another waited."),
    OF("hold_sum", NULL, TIME_US, hold, sum, OFF_SCREEN, "Time for which it was held while others waited.", .is_sum = true),
    MEAN_OF("hold_mean", "hold mean", hold, SCREEN("hold", "mean", 16, 15), "Time for which a thread had it while another waited, the mean.", .compared = 4),
    OF("hold_max", "max", TIME_US, hold, max, SCREEN("hold", "max", 8, 16), "Time for which a thread had it while another waited, the longest."),
    OF("hold_max_at", NULL, AT, hold, max_at, SCREEN("hold", "at", 18, 17), "When the longest hold ended."),
    COLUMN("holder_pid", NULL, LANE_PID, holder, OFF_SCREEN, "Process of the thread of the longest hold."),
    COLUMN("holder_tid", NULL, LANE_TID, holder, OFF_SCREEN, "Number of the thread of the longest hold."),
    COLUMN("holder", "holder", LANE_NAME, holder, SCREEN("hold", "by", 19, 18), "Thread of the longest hold."),
    COLUMN("contended", NULL, TIME_MS, contended, SCREEN("contended", "", 31, 19), "Time with at least one waiter.", .compared = 5),
    COLUMN("contended_pct", "contended % of range", SHARE, contended, SCREEN("contended", "%", 7, 20), "Time with at least one waiter, in percent of the range."),
    COLUMN("waiting_mean", "waiting", DEPTH, waiting, SCREEN("waiting", "mean", 20, 21), "Waiting threads at once, the mean over the range.", .is_precise = true),
    COLUMN("waiting_max", "most", COUNT, waiting_max, SCREEN("waiting", "max", 12, 22), "Waiting threads at once, the most.", .is_level = true),
};
/* clang-format on */

const struct tt_table tt_table_objects = {
    NAMES("object", "Locks and other objects", "A lock or another object that threads wait for.",
          "[label]| of [process?]"),
    .row_title = "[kind] [label]| of [process?]",
    COLUMNS(object_columns),
    OF_ROW(struct object_row),
    .state_size = sizeof(struct objects),
    .filter = TT_FILTER_THREADS,
    .of_messages = true,
    .order = "wait_max",
    .step = step_objects,
    .compare = compare_objects,
    .percent = percent_of_objects,
    .end = end_objects,
    .place = place_of_object,
};
