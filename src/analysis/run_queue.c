/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"

/* The next change of a thread or a CPU. */
struct tt_queue_edge {
    uint64_t time;
    uint32_t number; /* of the thread or the CPU */
    bool is_cpu;
    bool begins;              /* of a thread: it becomes ready */
    uint16_t cpu;             /* of a thread: its queue */
    uint64_t end;             /* of a thread: of the ready state */
    struct tt_interval_at at; /* of a thread: the interval */
};

/* Ends come before begins at the same time: the states in between last for no time. */
static bool edge_before(const void *x, const void *y)
{
    const struct tt_queue_edge *left = x, *right = y;
    return left->time != right->time       ? left->time < right->time
           : left->begins != right->begins ? right->begins
           : left->is_cpu != right->is_cpu ? left->is_cpu
                                           : left->number < right->number;
}

bool tt_run_queues_begin(struct tt_run_queues *queues, const struct tt_timelines *timelines,
                         uint64_t from, uint64_t to)
{
    uint32_t cpus = tt_cpu_count(timelines);
    *queues = (struct tt_run_queues){
        .timelines = timelines, .from = from, .to = to, .cpus = cpus, .words = (cpus + 63) / 64};
    const uint64_t end = tt_timelines_limit(timelines), begin = tt_timelines_begin(timelines);
    queues->from = from > begin ? from : begin;
    queues->to = to < end ? to : end;
    queues->queues = calloc((size_t)cpus + 2, sizeof *queues->queues);
    queues->is_idle = calloc((size_t)cpus + 1, 1);
    queues->may = cpus > 0 && cpus <= TT_QUEUE_CPUS
                      ? calloc(((size_t)cpus + 2) * cpus, sizeof *queues->may)
                      : NULL;
    bool ok =
        queues->queues && queues->is_idle && (queues->may || cpus == 0 || cpus > TT_QUEUE_CPUS);
    for (uint32_t i = 0; ok && i < cpus + 2; i++) {
        queues->queues[i].since = queues->from;
        queues->queues[i].imbalanced_since = UINT64_MAX;
    }
    for (uint32_t cpu = 0; ok && cpu < cpus; cpu++) {
        struct tt_queue_edge *edges =
            tt_array_grow(queues->edges, queues->count, &queues->capacity, sizeof *edges);
        ok = edges != NULL;
        if (ok) {
            queues->edges = edges;
            edges[queues->count] =
                (struct tt_queue_edge){.time = queues->from, .number = cpu, .is_cpu = true};
            tt_heap_up(edges, sizeof *edges, queues->count++, edge_before);
        }
    }
    if (!ok) {
        tt_run_queues_free(queues);
    }
    return ok;
}

void tt_run_queues_free(struct tt_run_queues *queues)
{
    free(queues->queues);
    free(queues->may);
    free(queues->is_idle);
    free(queues->edges);
    free(queues->allowed);
    *queues = (struct tt_run_queues){0};
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Sets the CPUs on which a thread runs at some time. */
static bool note_allowed(struct tt_run_queues *queues, uint32_t thread)
{
    if (thread >= queues->threads) {
        uint64_t *allowed =
            realloc(queues->allowed, ((size_t)thread + 1) * queues->words * sizeof *allowed);
        if (!allowed) {
            return false;
        }
        memset(allowed + (size_t)queues->threads * queues->words, 0,
               ((size_t)thread + 1 - queues->threads) * queues->words * sizeof *allowed);
        queues->allowed = allowed;
        queues->threads = thread + 1;
    }
    uint64_t *own = queues->allowed + (size_t)thread * queues->words;
    struct tt_interval list[TT_INTERVALS];
    struct tt_interval_at at;
    bool more = tt_interval_first(queues->timelines, thread, &at);
    while (more) {
        uint32_t count = tt_intervals_read(queues->timelines, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].class_ == TT_CLASS_RUNNING && list[i].cpu < queues->cpus) {
                own[list[i].cpu / 64] |= UINT64_C(1) << list[i].cpu % 64;
            }
        }
    }
    return true;
}

/* Sets the edge to the next ready state of a thread from the interval at `at` on; false if there is none. */
static bool find_ready(const struct tt_run_queues *queues, struct tt_queue_edge *edge, bool more)
{
    for (; more; more = tt_interval_next(queues->timelines, &edge->at)) {
        struct tt_interval interval = tt_interval_get(queues->timelines, edge->at);
        const uint64_t begin = interval.start > queues->from ? interval.start : queues->from;
        const uint64_t end = interval.end < queues->to ? interval.end : queues->to;
        if (interval.start >= queues->to) {
            return false;
        }
        if (interval.class_ == TT_CLASS_READY && begin < end) {
            edge->time = begin;
            edge->end = end;
            edge->cpu = interval.cpu;
            edge->begins = true;
            return true;
        }
    }
    return false;
}

bool tt_run_queues_add(struct tt_run_queues *queues, uint32_t thread)
{
    struct tt_queue_edge edge = {.number = thread};
    bool more = tt_interval_find(queues->timelines, thread, queues->from, &edge.at) ||
                tt_interval_first(queues->timelines, thread, &edge.at);
    if (!find_ready(queues, &edge, more)) {
        return true;
    }
    struct tt_queue_edge *edges =
        tt_array_grow(queues->edges, queues->count, &queues->capacity, sizeof *edges);
    if (!edges || !note_allowed(queues, thread)) {
        queues->edges = edges ? edges : queues->edges;
        return false;
    }
    queues->edges = edges;
    edges[queues->count] = edge;
    tt_heap_up(edges, sizeof *edges, queues->count++, edge_before);
    return true;
}

/* ---- queues ------------------------------------------------------------------------------- */

/* Adds the time since the last change to the sums of a queue. */
static void run_queue_advance(struct tt_run_queues *queues, uint32_t number, uint64_t now)
{
    struct tt_queue *queue = &queues->queues[number];
    const uint64_t ticks = now - queue->since;
    if (ticks == 0) {
        return;
    }
    queue->sums.ready += ticks * queue->ready;
    queue->sums.waiting += queue->ready > 0 ? ticks : 0;
    if (queue->ready > queue->sums.max) {
        queue->sums.max = queue->ready;
        queue->sums.max_at = queue->since;
    }
    if (queue->idle > 0) {
        queue->imbalanced_since =
            queue->imbalanced_since == UINT64_MAX ? queue->since : queue->imbalanced_since;
        queue->sums.imbalance += ticks;
        const uint64_t length = now - queue->imbalanced_since;
        if (length > queue->sums.imbalance_max) {
            queue->sums.imbalance_max = length;
            queue->sums.imbalance_max_at = now;
        }
    } else {
        queue->imbalanced_since = UINT64_MAX;
    }
    if (queues->note) {
        queues->note(queues->note_arg, number, queue->since, queue->ready);
    }
    queue->since = now;
}

/* Returns whether a queue with a thread that may use a CPU could use it instead of its own one. */
static bool is_other(const struct tt_run_queues *queues, uint32_t queue, uint32_t cpu)
{
    return queue != cpu && queues->may[(size_t)queue * queues->cpus + cpu] > 0;
}

/* Adds a number of idle CPUs to a queue, and a queue that becomes imbalanced to that of all. */
static void add_idle(struct tt_run_queues *queues, uint32_t queue, uint64_t now, int change)
{
    struct tt_queue *its = &queues->queues[queue];
    const uint32_t all = tt_queue_of_all(queues);
    run_queue_advance(queues, queue, now);
    const bool was = its->idle > 0;
    its->idle += (uint32_t)change;
    if (was != (its->idle > 0)) {
        run_queue_advance(queues, all, now);
        queues->queues[all].idle += was ? UINT32_MAX : 1u;
    }
}

static void set_idle(struct tt_run_queues *queues, uint32_t cpu, uint64_t now, bool idle)
{
    if (queues->is_idle[cpu] == idle) {
        return;
    }
    queues->is_idle[cpu] = idle;
    for (uint32_t queue = 0; queues->may && queue <= queues->cpus; queue++) {
        if (is_other(queues, queue, cpu)) {
            add_idle(queues, queue, now, idle ? 1 : -1);
        }
    }
}

/* Adds a thread to its queue and to that of all, or removes it. */
static void change_queue(struct tt_run_queues *queues, const struct tt_queue_edge *edge, bool joins)
{
    const uint32_t queue = edge->cpu < queues->cpus ? edge->cpu : tt_queue_of_none(queues);
    const uint32_t both[] = {queue, tt_queue_of_all(queues)};
    for (unsigned i = 0; i < 2; i++) {
        run_queue_advance(queues, both[i], edge->time);
        queues->queues[both[i]].ready += joins ? 1u : UINT32_MAX;
    }
    const uint64_t *allowed = queues->allowed + (size_t)edge->number * queues->words;
    for (uint32_t cpu = 0; queues->may && cpu < queues->cpus; cpu++) {
        uint32_t *may = &queues->may[(size_t)queue * queues->cpus + cpu];
        if (allowed[cpu / 64] >> cpu % 64 & 1) {
            const bool was = is_other(queues, queue, cpu);
            *may += joins ? 1u : UINT32_MAX;
            const bool is = is_other(queues, queue, cpu);
            if (was != is && queues->is_idle[cpu]) {
                add_idle(queues, queue, edge->time, is ? 1 : -1);
            }
        }
    }
}

/* Handles the edge of a CPU, and sets the next one; false if there is none. */
static bool pass_cpu(struct tt_run_queues *queues, struct tt_queue_edge *edge)
{
    struct tt_occupation_at at;
    const uint16_t cpu = (uint16_t)edge->number;
    uint64_t until = UINT64_MAX, next = queues->to;
    bool idle = false;
    if (tt_occupation_find(queues->timelines, cpu, edge->time, &at)) {
        struct tt_occupation occupation = tt_occupation_get(queues->timelines, at);
        idle = occupation.idle && tt_cpu_irq_until(queues->timelines, cpu, edge->time, &until) == 0;
        next = occupation.end;
        next = occupation.idle && until < next ? until : next;
    } else if (tt_occupation_first(queues->timelines, cpu, &at)) {
        next = tt_occupation_get(queues->timelines, at).start;
    }
    set_idle(queues, edge->number, edge->time, idle);
    edge->time = next > edge->time ? next : queues->to;
    return edge->time < queues->to;
}

/* Handles the edge of a thread, and sets the next one; false if there is none. */
static bool pass_thread(struct tt_run_queues *queues, struct tt_queue_edge *edge)
{
    change_queue(queues, edge, edge->begins);
    if (edge->begins) {
        edge->begins = false;
        edge->time = edge->end;
        return true;
    }
    return find_ready(queues, edge, tt_interval_next(queues->timelines, &edge->at));
}

bool tt_run_queues_step(struct tt_run_queues *queues, uint64_t *work)
{
    for (; queues->count > 0 && *work > 0; --*work) {
        struct tt_queue_edge *first = &queues->edges[0];
        if (!(first->is_cpu ? pass_cpu(queues, first) : pass_thread(queues, first))) {
            *first = queues->edges[--queues->count];
        }
        tt_heap_down(queues->edges, queues->count, sizeof *first, 0, edge_before);
    }
    for (uint32_t i = 0; queues->count == 0 && i < queues->cpus + 2; i++) {
        run_queue_advance(queues, i, queues->to);
    }
    return queues->count == 0;
}
