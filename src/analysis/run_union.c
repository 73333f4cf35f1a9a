/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run_union.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"

void tt_run_union_begin(struct tt_run_union *runs, const struct tt_timelines *timelines,
                        const struct tt_window *window, const uint32_t *threads, uint32_t count)
{
    *runs =
        (struct tt_run_union){.t = timelines, .window = window, .threads = threads, .count = count};
    runs->covered = window->from;
}

void tt_run_union_free(struct tt_run_union *runs)
{
    free(runs->heads);
    memset(runs, 0, sizeof *runs);
}

static bool run_union_is_before(const void *x, const void *y)
{
    const struct tt_run_head *left = x, *right = y;
    return left->start < right->start;
}

static void run_union_spend(uint64_t *work, uint64_t cost)
{
    *work -= *work < cost ? *work : cost;
}

/* Moves `head->at` to the first run from there on; false if none begins before the window's end. */
static bool run_union_find_run(const struct tt_run_union *runs, struct tt_run_head *head,
                               uint64_t *work)
{
    for (;;) {
        struct tt_interval interval = tt_interval_get(runs->t, head->at);
        run_union_spend(work, 1);
        if (interval.start >= runs->window->to) {
            return false;
        }
        if (interval.class_ == TT_CLASS_RUNNING && interval.end > runs->window->from &&
            tt_window_has_cpu(runs->window, interval.cpu)) {
            head->start = interval.start;
            head->end = interval.end < runs->window->to ? interval.end : runs->window->to;
            return true;
        }
        if (!tt_interval_next(runs->t, &head->at)) {
            return false;
        }
    }
}

bool tt_run_union_step(struct tt_run_union *runs, uint64_t *work)
{
    while (*work > 0 && runs->next < runs->count && !runs->no_memory) {
        uint32_t thread = runs->threads[runs->next++];
        struct tt_run_head head;
        run_union_spend(work, 1);
        if ((!tt_interval_find(runs->t, thread, runs->window->from, &head.at) &&
             !tt_interval_first(runs->t, thread, &head.at)) ||
            !run_union_find_run(runs, &head, work)) {
            continue;
        }
        struct tt_run_head *heads =
            tt_array_grow(runs->heads, runs->used, &runs->capacity, sizeof *heads);
        runs->no_memory = !heads;
        if (heads) {
            runs->heads = heads;
            heads[runs->used++] = head;
        }
    }
    if (runs->next == runs->count && !runs->merging) {
        tt_heap_make(runs->heads, runs->used, sizeof *runs->heads, run_union_is_before);
        runs->merging = true;
    }
    while (runs->merging && runs->used > 0 && *work > 0) {
        /* Adds the earliest run to the union and replaces it by the next one of its thread. */
        struct tt_run_head *head = &runs->heads[0];
        uint64_t from = head->start > runs->covered ? head->start : runs->covered;
        if (head->end > from) {
            runs->ticks += head->end - from;
            runs->covered = head->end;
        }
        if (!tt_interval_next(runs->t, &head->at) || !run_union_find_run(runs, head, work)) {
            runs->heads[0] = runs->heads[--runs->used];
        }
        tt_heap_down(runs->heads, runs->used, sizeof *runs->heads, 0, run_union_is_before);
        run_union_spend(work, 1);
    }
    return runs->no_memory || (runs->merging && runs->used == 0);
}
