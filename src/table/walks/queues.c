/* SPDX-License-Identifier: Apache-2.0 */
/* queues: the table of the run queues: the ready threads of each CPU and of all, and imbalance. */
#include "analysis/run_queue.h"
#include "table/sums.h"

struct queue_row {
    struct tt_subject of; /* CPU; `number`: of the queue */
    uint64_t queue;       /* 0: all, 1: of a CPU, 2: of threads that have not run */
    uint64_t imbalance, imbalance_max, imbalance_max_at; /* TT_TABLE_NONE: unknown */
    struct tt_queue_sums sums;
};

enum { OF_ALL, OF_CPU, OF_NONE };

struct queues {
    uint32_t generation; /* of the timelines that are read; 0: none */
    uint32_t thread;     /* the next one to be added */
    struct tt_run_queues of;
};

static bool make_queue(const struct tt_table_run *run, size_t index, void *room)
{
    const struct tt_run_queues *queues = &((const struct queues *)run->state)->of;
    const uint32_t number = index == 0 ? tt_queue_of_all(queues) : (uint32_t)index - 1;
    const struct tt_queue *queue = &queues->queues[number];
    struct queue_row *row = room;
    row->queue = index == 0 ? OF_ALL : number < queues->cpus ? OF_CPU : OF_NONE;
    row->of.cpu = row->queue == OF_CPU ? (uint16_t)number : TT_NO_CPU;
    row->of.number = row->queue;
    row->sums = queue->sums;
    row->imbalance = queues->may ? queue->sums.imbalance : TT_TABLE_NONE;
    row->imbalance_max = queues->may ? queue->sums.imbalance_max : TT_TABLE_NONE;
    row->imbalance_max_at =
        queues->may && queue->sums.imbalance_max > 0 ? queue->sums.imbalance_max_at : TT_TABLE_NONE;
    return row->queue == OF_CPU   ? tt_window_has_cpu(&run->request.window, number)
           : row->queue == OF_ALL ? run->request.window.cpus == NULL
                                  : queue->sums.ready > 0 && run->request.window.cpus == NULL;
}

static enum tt_made step_queues(struct tt_table_run *run)
{
    const struct tt_window *window = &run->request.window;
    struct queues *queues = run->state;
    const uint32_t generation = tt_timelines_number(run->timelines);
    const uint32_t threads = tt_thread_count(run->capture);
    if (queues->generation != generation) {
        tt_run_queues_free(&queues->of);
        queues->generation = 0;
        queues->thread = 0;
        if (!tt_run_queues_begin(&queues->of, run->timelines, window->from, window->to)) {
            return TT_MADE_NO_MEMORY;
        }
        queues->generation = generation;
    }
    for (; queues->thread < threads; queues->thread++) {
        const uint32_t thread = queues->thread;
        if (tt_table_counts(run, thread)) {
            if (!tt_run_queues_add(&queues->of, thread)) {
                return TT_MADE_NO_MEMORY;
            }
            tt_table_spend(run, tt_interval_count(run->timelines, thread) / 16);
        }
        if (!tt_table_spend(run, 1)) {
            queues->thread++;
            return TT_MADE_PART;
        }
    }
    if (!tt_run_queues_step(&queues->of, &run->work)) {
        return TT_MADE_PART;
    }
    return tt_table_list(run, (size_t)queues->of.cpus + 2, make_queue) ? TT_MADE_ALL
                                                                       : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_queues(const struct tt_table_run *run)
{
    const struct queues *queues = run->state;
    const uint64_t from = queues->of.from, to = queues->of.to;
    const struct tt_queue *all =
        queues->generation ? &queues->of.queues[tt_queue_of_all(&queues->of)] : NULL;
    return all ? tt_table_percent_of(all->since - from, to - from) : 0;
}

static void end_queues(struct tt_table_run *run)
{
    tt_run_queues_free(&((struct queues *)run->state)->of);
}

static bool place_of_queue(const struct tt_table_run *run, const struct tt_table_column *column,
                           const void *row, struct tt_table_place *place)
{
    const struct queue_row *queue = row;
    (void)run;
    const bool imbalance =
        column && (column->field == offsetof(struct queue_row, imbalance) ||
                   column->field == offsetof(struct queue_row, imbalance_max) ||
                   column->field == offsetof(struct queue_row, imbalance_max_at));
    place->at = imbalance ? queue->imbalance_max_at : queue->sums.max_at;
    place->length = imbalance ? queue->sums.imbalance_max : 0;
    place->what = imbalance ? "imbalance" : "ready";
    return imbalance ? queue->imbalance_max_at != TT_TABLE_NONE : queue->sums.max > 0;
}

/* ---- columns ------------------------------------------------------------------------------ */

static TT_CELL_FUNCTION(set_queue)
{
    const struct queue_row *queue = row;
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    if (queue->queue == OF_CPU) {
        tt_text_put(&cell->text, "CPU %u", queue->of.cpu);
    } else {
        tt_text_str(&cell->text, queue->queue == OF_ALL ? "all" : "no CPU yet");
    }
}

#define ROW struct queue_row
#define IN

/* clang-format off */
static const struct tt_table_column queue_columns[] = {
    MADE("queue", "queue", NAME, set_queue, SCREEN("", "queue", 0, 1), "The CPU on which the threads of the queue ran last; all threads; those that have not run.", .is_key = true),
    COLUMN("cpu", NULL, CPU, of.cpu, OFF_SCREEN, "Number of the CPU."),
    COLUMN("ready_mean", "ready mean", DEPTH, sums.ready, SCREEN("ready", "mean", 1, 2), "Ready threads at once, the mean over the range.", .compared = 1, .is_precise = true),
    KNOWN_BY("ready_max", "max", COUNT, sums.max, sums.max, SCREEN("ready", "max", 2, 3), "Ready threads at once, the most.", .compared = 2, .is_level = true),
    KNOWN_BY("ready_max_at", "at", AT, sums.max_at, sums.max, SCREEN("ready", "at", 7, 4), "When there were that many for the first time.", .names_unit = true),
    COLUMN("ready_sum", NULL, TIME_MS, sums.ready, SCREEN("ready", "sum", 8, 5), "Time in which threads were ready, summed over the threads.", .is_sum = true),
    COLUMN("waiting", "waiting", TIME_MS, sums.waiting, SCREEN("waiting", "", 5, 6), "Time with at least one ready thread.", .compared = 3, .is_sum = true),
    COLUMN("waiting_pct", "% of range", SHARE, sums.waiting, SCREEN("waiting", "%", 3, 7), "Time with at least one ready thread, in percent of the range."),
    COLUMN("imbalance", "imbalance", TIME_MS, imbalance, SCREEN("imbalance", "", 4, 8), "Time in which a thread of the queue was ready while another CPU was idle on which it runs at some time in the capture.", .compared = 4, .is_sum = true),
    COLUMN("imbalance_max", "max", TIME_US, imbalance_max, SCREEN("imbalance", "max", 6, 9), "The longest such time without a break.", .compared = 5),
    COLUMN("imbalance_max_at", "at", AT, imbalance_max_at, SCREEN("imbalance", "at", 9, 10), "When the longest of them ended.", .names_unit = true),
};
/* clang-format on */

const struct tt_table tt_table_queues = {
    NAMES("queue", "Run queues", "The ready threads of a CPU.", "[queue]"),
    COLUMNS(queue_columns),
    OF_ROW(struct queue_row),
    .state_size = sizeof(struct queues),
    .filter = TT_FILTER_THREADS,
    .step = step_queues,
    .percent = percent_of_queues,
    .end = end_queues,
    .place = place_of_queue,
};
