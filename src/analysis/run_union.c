/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run_union.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"

void tt_run_union_begin(struct tt_run_union *u, const struct tt_timelines *t,
                        const struct tt_window *window, const uint32_t *threads, uint32_t count)
{
    *u = (struct tt_run_union){.t = t, .window = window, .threads = threads, .count = count};
    u->covered = window->from;
}

void tt_run_union_free(struct tt_run_union *u)
{
    free(u->heads);
    memset(u, 0, sizeof *u);
}

static bool is_before(const void *x, const void *y)
{
    const struct tt_run_head *a = x, *b = y;
    return a->start < b->start;
}

static void spend(uint64_t *work, uint64_t cost)
{
    *work -= *work < cost ? *work : cost;
}

/* Moves `head->at` to the first run from there on; false if none begins before the window's end. */
static bool find_run(const struct tt_run_union *u, struct tt_run_head *head, uint64_t *work)
{
    for (;;) {
        struct tt_interval interval = tt_interval_get(u->t, head->at);
        spend(work, 1);
        if (interval.start >= u->window->to) {
            return false;
        }
        if (interval.class_ == TT_CLASS_RUNNING && interval.end > u->window->from &&
            tt_window_has_cpu(u->window, interval.cpu)) {
            head->start = interval.start;
            head->end = interval.end < u->window->to ? interval.end : u->window->to;
            return true;
        }
        if (!tt_interval_next(u->t, &head->at)) {
            return false;
        }
    }
}

static void add_thread(struct tt_run_union *u, uint32_t thread, uint64_t *work)
{
    struct tt_run_head head;
    spend(work, 1);
    if ((!tt_interval_find(u->t, thread, u->window->from, &head.at) &&
         !tt_interval_first(u->t, thread, &head.at)) ||
        !find_run(u, &head, work)) {
        return;
    }
    struct tt_run_head *heads = tt_array_grow(u->heads, u->used, &u->capacity, sizeof *heads);
    u->no_memory = !heads;
    if (heads) {
        u->heads = heads;
        heads[u->used++] = head;
    }
}

/* Adds the earliest run to the union and replaces it by the next one of its thread. */
static void merge_run(struct tt_run_union *u, uint64_t *work)
{
    struct tt_run_head *head = &u->heads[0];
    uint64_t from = head->start > u->covered ? head->start : u->covered;
    if (head->end > from) {
        u->ticks += head->end - from;
        u->covered = head->end;
    }
    if (!tt_interval_next(u->t, &head->at) || !find_run(u, head, work)) {
        u->heads[0] = u->heads[--u->used];
    }
    tt_heap_down(u->heads, u->used, sizeof *u->heads, 0, is_before);
    spend(work, 1);
}

bool tt_run_union_step(struct tt_run_union *u, uint64_t *work)
{
    while (u->next<u->count && * work> 0 && !u->no_memory) {
        add_thread(u, u->threads[u->next++], work);
    }
    if (u->next == u->count && !u->merging) {
        tt_heap_make(u->heads, u->used, sizeof *u->heads, is_before);
        u->merging = true;
    }
    while (u->merging && u->used > 0 && *work > 0) {
        merge_run(u, work);
    }
    return u->no_memory || (u->merging && u->used == 0);
}
