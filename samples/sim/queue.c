// SPDX-License-Identifier: Apache-2.0
//
// An indexed binary heap: see queue.h.

#include "queue.h"

#include <stdlib.h>

bool sim_queue_open(struct sim_queue *queue, uint32_t sources)
{
    queue->heap = calloc(sources, sizeof *queue->heap);
    queue->place = calloc(sources, sizeof *queue->place);
    queue->count = 0;
    queue->sources = sources;
    return queue->heap != NULL && queue->place != NULL;
}

void sim_queue_close(struct sim_queue *queue)
{
    free(queue->heap);
    free(queue->place);
    queue->heap = NULL;
    queue->place = NULL;
}

static bool before(struct sim_appointment a, struct sim_appointment b)
{
    return a.time < b.time || (a.time == b.time && a.source < b.source);
}

static void put(struct sim_queue *queue, uint32_t at, struct sim_appointment what)
{
    queue->heap[at] = what;
    queue->place[what.source] = at + 1;
}

static void rise(struct sim_queue *queue, uint32_t at, struct sim_appointment what)
{
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        if (!before(what, queue->heap[parent]))
            break;
        put(queue, at, queue->heap[parent]);
        at = parent;
    }
    put(queue, at, what);
}

static void sink(struct sim_queue *queue, uint32_t at, struct sim_appointment what)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= queue->count)
            break;
        if (child + 1 < queue->count && before(queue->heap[child + 1], queue->heap[child]))
            child++;
        if (!before(queue->heap[child], what))
            break;
        put(queue, at, queue->heap[child]);
        at = child;
    }
    put(queue, at, what);
}

static void place_at(struct sim_queue *queue, uint32_t at, struct sim_appointment what)
{
    if (at > 0 && before(what, queue->heap[(at - 1) / 2]))
        rise(queue, at, what);
    else
        sink(queue, at, what);
}

void sim_queue_set(struct sim_queue *queue, uint32_t source, uint64_t time)
{
    struct sim_appointment what = {time, source};
    if (queue->place[source] != 0)
        place_at(queue, queue->place[source] - 1, what);
    else
        rise(queue, queue->count++, what);
}

void sim_queue_cancel(struct sim_queue *queue, uint32_t source)
{
    uint32_t place = queue->place[source];
    if (place == 0)
        return;
    queue->place[source] = 0;
    struct sim_appointment last = queue->heap[--queue->count];
    if (place - 1 != queue->count)
        place_at(queue, place - 1, last);
}

bool sim_queue_has(const struct sim_queue *queue, uint32_t source)
{
    return queue->place[source] != 0;
}

uint64_t sim_queue_time(const struct sim_queue *queue, uint32_t source)
{
    return queue->heap[queue->place[source] - 1].time;
}

uint64_t sim_queue_first(const struct sim_queue *queue)
{
    return queue->count == 0 ? UINT64_MAX : queue->heap[0].time;
}

struct sim_appointment sim_queue_take(struct sim_queue *queue)
{
    struct sim_appointment first = queue->heap[0];
    sim_queue_cancel(queue, first.source);
    return first;
}
