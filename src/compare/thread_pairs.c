/* SPDX-License-Identifier: Apache-2.0 */
/* thread_pairs: pairs the threads of two ranges by the keys of their rows. */
#include "tracetui/thread_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/timeline.h"

void tt_thread_pairs_free(struct tt_thread_pairs *p)
{
    free(p->pairs);
    *p = (struct tt_thread_pairs){0};
}

/* Makes the keys of the threads of a side, and finds threads by them. */
static bool make_names(struct tt_baseline_names *names, const struct tt_thread_range *side)
{
    const struct tt_timelines *t = tt_trace_timelines(side->trace);
    bool ok = tt_baseline_make_names(names, tt_trace_capture(side->trace), t);
    for (uint32_t i = 0; ok && i < names->thread_count; i++) {
        const char *key = names->threads[i];
        ok = tt_hash_add(&names->by_key, tt_hash_of(key, strlen(key)), i);
    }
    return ok;
}

static uint32_t find_thread(const struct tt_baseline_names *names, const char *key)
{
    struct tt_probe probe;
    uint64_t hash = tt_hash_of(key, strlen(key));
    for (uint32_t n = tt_hash_first(&names->by_key, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&names->by_key, &probe)) {
        if (strcmp(names->threads[n], key) == 0) {
            return n;
        }
    }
    return TT_NO_THREAD;
}

static double share_of(const struct tt_thread_range *side, uint32_t thread)
{
    const struct tt_timelines *t = tt_trace_timelines(side->trace);
    struct tt_thread_sums sums;
    if (!t || thread == TT_NO_THREAD || side->to <= side->from) {
        return 0;
    }
    tt_thread_sum(t, thread, side->from, side->to, &sums);
    return (double)(sums.ticks[TT_CLASS_RUNNING] - sums.irq) / (double)(side->to - side->from);
}

static void add_pair(struct tt_thread_pairs *p, const struct tt_thread_range sides[2], uint32_t a,
                     uint32_t b)
{
    uint32_t threads[] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (threads[i] != TT_NO_THREAD &&
            !tt_thread_is_counted(tt_thread_at(tt_trace_capture(sides[i].trace), threads[i]))) {
            return;
        }
    }
    double of_a = share_of(&sides[0], a), of_b = share_of(&sides[1], b);
    p->pairs[p->count++] = (struct tt_thread_pair){{a, b}, of_a > of_b ? of_a : of_b};
}

static int compare_pairs(const void *x, const void *y)
{
    const struct tt_thread_pair *a = x, *b = y;
    if (a->run < b->run || a->run > b->run) {
        return a->run > b->run ? -1 : 1;
    }
    if (a->threads[1] != b->threads[1]) {
        return a->threads[1] < b->threads[1] ? -1 : 1;
    }
    return a->threads[0] < b->threads[0] ? -1 : a->threads[0] > b->threads[0];
}

bool tt_thread_pairs_make(struct tt_thread_pairs *p, const struct tt_thread_range sides[2])
{
    struct tt_baseline_names names[2] = {0};
    *p = (struct tt_thread_pairs){0};
    bool ok = make_names(&names[0], &sides[0]) && make_names(&names[1], &sides[1]);
    if (ok) {
        p->pairs =
            calloc((size_t)names[0].thread_count + names[1].thread_count + 1, sizeof *p->pairs);
        ok = p->pairs != NULL;
    }
    for (uint32_t a = 0; ok && a < names[0].thread_count; a++) {
        add_pair(p, sides, a, find_thread(&names[1], names[0].threads[a]));
    }
    for (uint32_t b = 0; ok && b < names[1].thread_count; b++) {
        if (find_thread(&names[0], names[1].threads[b]) == TT_NO_THREAD) {
            add_pair(p, sides, TT_NO_THREAD, b);
        }
    }
    if (p->count > 1) {
        qsort(p->pairs, p->count, sizeof *p->pairs, compare_pairs);
    }
    tt_baseline_free_names(&names[0]);
    tt_baseline_free_names(&names[1]);
    return ok;
}
