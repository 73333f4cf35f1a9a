/* SPDX-License-Identifier: Apache-2.0 */
#include "check/testers.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/filter_types.h"

#define TYPES_MOST   16u    /* a filter that may match more types is of any type */
#define PAIR_COUNT   16384u /* pairs in the cache, a power of two */
#define PAIR_FILTERS 12u    /* filters of a pair at most; beyond, all of the type are tested */

/* The filters that may match events of a type and a thread. */
struct tt_pair_filters {
    uint32_t type, thread;
    uint32_t count;               /* UINT32_MAX: too many */
    uint32_t items[PAIR_FILTERS]; /* number of the filter * 2, and 1: it matches all of them */
    bool known;
};

/* ---- types -------------------------------------------------------------------------------- */

/* Returns whether a filter may match a few types only. */
static bool has_few_types(const struct tt_tester *tester, uint32_t types)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < types && count <= TYPES_MOST; type++) {
        count += tt_filter_plan_may_be_type(tester->plan, type);
    }
    return count <= TYPES_MOST;
}

bool tt_testers_begin(struct tt_testers *testers)
{
    /* The number of types that all filters with terms on types decide; UINT32_MAX: any. */
    uint32_t types = UINT32_MAX;
    for (uint32_t i = 0; i < testers->count; i++) {
        uint32_t own =
            testers->items[i].used ? tt_filter_plan_types(testers->items[i].plan) : UINT32_MAX;
        types = own < types ? own : types;
    }

    testers->typeless = types == UINT32_MAX;
    testers->types = testers->typeless ? 1 : types;
    testers->first = calloc((size_t)testers->types + 1, sizeof *testers->first);
    testers->by_type = calloc((size_t)testers->count * TYPES_MOST + 1, sizeof *testers->by_type);
    testers->of_any_type = calloc((size_t)testers->count + 1, sizeof *testers->of_any_type);
    testers->pairs = calloc(PAIR_COUNT, sizeof *testers->pairs);
    if (!testers->first || !testers->by_type || !testers->of_any_type || !testers->pairs) {
        return false;
    }

    uint32_t used = 0;
    for (uint32_t i = 0; i < testers->count; i++) {
        testers->items[i].few_types = testers->items[i].used && testers->types > 0 &&
                                      has_few_types(&testers->items[i], testers->types);
        if (testers->items[i].used && !testers->items[i].few_types) {
            testers->of_any_type[testers->any_count++] = i;
        }
    }
    for (uint32_t type = 0; type < testers->types; type++) {
        testers->first[type] = used;
        for (uint32_t i = 0; i < testers->count; i++) {
            if (testers->items[i].few_types &&
                tt_filter_plan_may_be_type(testers->items[i].plan, type)) {
                testers->by_type[used++] = i;
            }
        }
    }
    testers->first[testers->types] = used;

    return true;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static void testers_add_filter(const struct tt_testers *testers, struct tt_pair_filters *pair,
                               uint32_t filter)
{
    enum tt_filter_match match =
        tt_filter_plan_match(testers->items[filter].plan, pair->type, pair->thread);
    if (match == TT_FILTER_NEVER || pair->count == UINT32_MAX) {
        return;
    }
    if (pair->count == PAIR_FILTERS) {
        pair->count = UINT32_MAX;
        return;
    }
    pair->items[pair->count++] = filter * 2 + (match == TT_FILTER_ALWAYS);
}

static const struct tt_pair_filters *testers_pair_of(struct tt_testers *testers, uint32_t type,
                                                     uint32_t thread)
{
    uint32_t hash = (type * UINT32_C(0x9e3779b1)) ^ (thread * UINT32_C(0x85ebca6b));
    struct tt_pair_filters *pair = &testers->pairs[(hash >> 15) & (PAIR_COUNT - 1)];
    if (pair->known && pair->type == type && pair->thread == thread) {
        return pair;
    }
    *pair = (struct tt_pair_filters){.type = type, .thread = thread, .known = true};
    for (uint32_t at = testers->first[type]; at < testers->first[type + 1]; at++) {
        testers_add_filter(testers, pair, testers->by_type[at]);
    }
    for (uint32_t i = 0; i < testers->any_count; i++) {
        testers_add_filter(testers, pair, testers->of_any_type[i]);
    }
    return pair;
}

static void testers_need(struct tt_testers *testers, uint32_t filter, uint32_t i)
{
    testers->items[filter].need[i / 64] |= UINT64_C(1) << (i % 64);
    testers->items[filter].needs = true;
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool test_needs(struct tt_testers *testers, struct tt_tester *tester,
                       const struct tt_event *events, uint64_t row, uint32_t count)
{
    uint64_t found[TT_FILTER_WORDS];
    tt_filter_test_some(tester->worker, events, row, count, tester->need, found);
    for (uint32_t word = 0; word * 64 < count; word++) {
        tester->bits[word] |= found[word];
        tester->any |= found[word] != 0;
    }
    testers->truncated |= tt_filter_worker_truncated(tester->worker);
    return !tt_filter_worker_failed(tester->worker);
}

bool tt_testers_test(struct tt_testers *testers, const struct tt_event *events, uint64_t row,
                     uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < testers->count; i++) {
        struct tt_tester *tester = &testers->items[i];
        memset(tester->bits, 0, sizeof tester->bits);
        memset(tester->need, 0, sizeof tester->need);
        tester->any = tester->needs = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        /* Sets the bits of an event that its pair decides, and the filters that have to test it. */
        const struct tt_event *event = &events[i];
        uint32_t type = testers->typeless ? 0 : event->type;
        if (type >= testers->types) { /* later than the table */
            for (uint32_t f = 0; f < testers->count; f++) {
                testers_need(testers, f, i);
            }
            continue;
        }
        const struct tt_pair_filters *pair = testers_pair_of(testers, type, event->thread);
        if (pair->count == UINT32_MAX) {
            /* Sets the need of all filters that may match a type. */
            for (uint32_t at = testers->first[type]; at < testers->first[type + 1]; at++) {
                testers_need(testers, testers->by_type[at], i);
            }
            for (uint32_t at = 0; at < testers->any_count; at++) {
                testers_need(testers, testers->of_any_type[at], i);
            }

            continue;
        }
        for (uint32_t at = 0; at < pair->count; at++) {
            struct tt_tester *tester = &testers->items[pair->items[at] / 2];
            if (pair->items[at] & 1u) {
                tester->bits[i / 64] |= UINT64_C(1) << (i % 64);
                tester->any = true;
            } else {
                testers_need(testers, pair->items[at] / 2, i);
            }
        }
    }
    for (uint32_t i = 0; i < testers->count; i++) {
        if (testers->items[i].used && testers->items[i].needs) {
            ok &= test_needs(testers, &testers->items[i], events, row, count);
        }
    }
    return ok;
}

void tt_testers_free(struct tt_testers *testers)
{
    for (uint32_t i = 0; testers->items && i < testers->count; i++) {
        tt_filter_worker_free(testers->items[i].worker);
        tt_filter_plan_free(testers->items[i].plan);
    }
    free(testers->items);
    free(testers->first);
    free(testers->by_type);
    free(testers->of_any_type);
    free(testers->pairs);
    *testers = (struct tt_testers){0};
}
