/* SPDX-License-Identifier: Apache-2.0 */
/* thread_pairs: pairs the threads of two ranges by the keys of their rows. */
#include "compare/thread_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/timeline.h"

void tt_thread_pairs_free(struct tt_thread_pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (struct tt_thread_pairs){0};
}

/* A thread of a side, which is sorted by its key. */
struct keyed {
    const char *key;
    uint32_t side, thread;
};

static int compare_keyed(const void *x, const void *y)
{
    const struct keyed *left = x, *right = y;
    int keys = strcmp(left->key, right->key);
    return keys != 0 ? keys
           : left->side != right->side
               ? (int)left->side - (int)right->side
               : (left->thread > right->thread) - (left->thread < right->thread);
}

/* Adds the share of the range in which a thread of a side runs; false: it is left out of lists. */
static bool add_side(struct tt_thread_pair *pair, const struct tt_thread_range *side,
                     const struct keyed *of)
{
    const struct tt_timelines *timelines = tt_trace_timelines(side->trace);
    struct tt_thread_sums sums;
    pair->threads[of->side] = of->thread;
    if (timelines && side->to > side->from) {
        tt_thread_sum(timelines, of->thread, side->from, side->to, &sums);
        double run = (double)(sums.ticks[TT_CLASS_RUNNING] - sums.irq);
        run /= (double)(side->to - side->from);
        pair->run = run > pair->run ? run : pair->run;
    }
    return tt_thread_is_counted(tt_thread_at(tt_trace_capture(side->trace), of->thread));
}

static int compare_pairs(const void *x, const void *y)
{
    const struct tt_thread_pair *left = x, *right = y;
    if (left->run < right->run || left->run > right->run) {
        return left->run > right->run ? -1 : 1;
    }
    if (left->threads[1] != right->threads[1]) {
        return left->threads[1] < right->threads[1] ? -1 : 1;
    }
    return left->threads[0] < right->threads[0] ? -1 : left->threads[0] > right->threads[0];
}

bool tt_thread_pairs_make(struct tt_thread_pairs *pairs, const struct tt_thread_range sides[2])
{
    struct tt_baseline_names names[2] = {0};
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        ok = ok && tt_baseline_make_names(&names[i], tt_trace_capture(sides[i].trace),
                                          tt_trace_timelines(sides[i].trace));
    }
    size_t count = 0, most = (size_t)names[0].threads.count + names[1].threads.count + 1;
    struct keyed *threads = calloc(most, sizeof *threads);
    *pairs = (struct tt_thread_pairs){.pairs = calloc(most, sizeof *pairs->pairs)};
    ok = ok && threads && pairs->pairs;
    for (uint32_t side = 0; ok && side < 2; side++) {
        for (uint32_t i = 0; i < names[side].threads.count; i++) {
            threads[count++] = (struct keyed){names[side].threads.of[i], side, i};
        }
    }
    if (ok) {
        qsort(threads, count, sizeof *threads, compare_keyed);
    }
    for (size_t i = 0, next; i < count; i = next) {
        struct tt_thread_pair pair = {.threads = {TT_NO_THREAD, TT_NO_THREAD}};
        bool counted = add_side(&pair, &sides[threads[i].side], &threads[i]);
        next = i + 1;
        if (next < count && threads[next].side > threads[i].side &&
            strcmp(threads[next].key, threads[i].key) == 0) {
            counted &= add_side(&pair, &sides[threads[next].side], &threads[next]);
            next++;
        }
        if (counted) {
            pairs->pairs[pairs->count++] = pair;
        }
    }
    if (ok) {
        qsort(pairs->pairs, pairs->count, sizeof *pairs->pairs, compare_pairs);
    } else {
        tt_thread_pairs_free(pairs);
    }
    free(threads);
    tt_baseline_free_names(&names[0]);
    tt_baseline_free_names(&names[1]);
    return ok;
}
