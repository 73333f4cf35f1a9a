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
static bool has_few_types(const struct tt_tester *t, uint32_t types)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < types && count <= TYPES_MOST; type++) {
        count += tt_filter_plan_may_be_type(t->plan, type);
    }
    return count <= TYPES_MOST;
}

/* Returns the number of types that all filters with terms on types decide; UINT32_MAX: any. */
static uint32_t decided_types(const struct tt_testers *s)
{
    uint32_t types = UINT32_MAX;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t own = s->items[i].used ? tt_filter_plan_types(s->items[i].plan) : UINT32_MAX;
        types = own < types ? own : types;
    }
    return types;
}

static void list_types(struct tt_testers *s)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->items[i].few_types =
            s->items[i].used && s->types > 0 && has_few_types(&s->items[i], s->types);
        if (s->items[i].used && !s->items[i].few_types) {
            s->of_any_type[s->any_count++] = i;
        }
    }
    for (uint32_t type = 0; type < s->types; type++) {
        s->first[type] = used;
        for (uint32_t i = 0; i < s->count; i++) {
            if (s->items[i].few_types && tt_filter_plan_may_be_type(s->items[i].plan, type)) {
                s->by_type[used++] = i;
            }
        }
    }
    s->first[s->types] = used;
}

bool tt_testers_begin(struct tt_testers *s)
{
    uint32_t types = decided_types(s);
    s->typeless = types == UINT32_MAX;
    s->types = s->typeless ? 1 : types;
    s->first = calloc((size_t)s->types + 1, sizeof *s->first);
    s->by_type = calloc((size_t)s->count * TYPES_MOST + 1, sizeof *s->by_type);
    s->of_any_type = calloc((size_t)s->count + 1, sizeof *s->of_any_type);
    s->pairs = calloc(PAIR_COUNT, sizeof *s->pairs);
    if (!s->first || !s->by_type || !s->of_any_type || !s->pairs) {
        return false;
    }
    list_types(s);
    return true;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static void add_filter(const struct tt_testers *s, struct tt_pair_filters *pair, uint32_t filter)
{
    enum tt_filter_match match =
        tt_filter_plan_match(s->items[filter].plan, pair->type, pair->thread);
    if (match == TT_FILTER_NEVER || pair->count == UINT32_MAX) {
        return;
    }
    if (pair->count == PAIR_FILTERS) {
        pair->count = UINT32_MAX;
        return;
    }
    pair->items[pair->count++] = filter * 2 + (match == TT_FILTER_ALWAYS);
}

static const struct tt_pair_filters *pair_of(struct tt_testers *s, uint32_t type, uint32_t thread)
{
    uint32_t hash = (type * UINT32_C(0x9e3779b1)) ^ (thread * UINT32_C(0x85ebca6b));
    struct tt_pair_filters *pair = &s->pairs[(hash >> 15) & (PAIR_COUNT - 1)];
    if (pair->known && pair->type == type && pair->thread == thread) {
        return pair;
    }
    *pair = (struct tt_pair_filters){.type = type, .thread = thread, .known = true};
    for (uint32_t at = s->first[type]; at < s->first[type + 1]; at++) {
        add_filter(s, pair, s->by_type[at]);
    }
    for (uint32_t i = 0; i < s->any_count; i++) {
        add_filter(s, pair, s->of_any_type[i]);
    }
    return pair;
}

static void need(struct tt_testers *s, uint32_t filter, uint32_t i)
{
    s->items[filter].need[i / 64] |= UINT64_C(1) << (i % 64);
    s->items[filter].needs = true;
}

/* Sets the need of all filters that may match a type. */
static void need_all(struct tt_testers *s, uint32_t type, uint32_t i)
{
    for (uint32_t at = s->first[type]; at < s->first[type + 1]; at++) {
        need(s, s->by_type[at], i);
    }
    for (uint32_t at = 0; at < s->any_count; at++) {
        need(s, s->of_any_type[at], i);
    }
}

/* Sets the bits of an event that its pair decides, and the filters that have to test it. */
static void take_event(struct tt_testers *s, const struct tt_event *event, uint32_t i)
{
    uint32_t type = s->typeless ? 0 : event->type;
    if (type >= s->types) { /* later than the table */
        for (uint32_t f = 0; f < s->count; f++) {
            need(s, f, i);
        }
        return;
    }
    const struct tt_pair_filters *pair = pair_of(s, type, event->thread);
    if (pair->count == UINT32_MAX) {
        need_all(s, type, i);
        return;
    }
    for (uint32_t at = 0; at < pair->count; at++) {
        struct tt_tester *t = &s->items[pair->items[at] / 2];
        if (pair->items[at] & 1u) {
            t->bits[i / 64] |= UINT64_C(1) << (i % 64);
            t->any = true;
        } else {
            need(s, pair->items[at] / 2, i);
        }
    }
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool test_needs(struct tt_testers *s, struct tt_tester *t, const struct tt_event *events,
                       uint64_t row, uint32_t count)
{
    uint64_t found[TT_FILTER_WORDS];
    tt_filter_test_some(t->worker, events, row, count, t->need, found);
    for (uint32_t word = 0; word * 64 < count; word++) {
        t->bits[word] |= found[word];
        t->any |= found[word] != 0;
    }
    s->truncated |= tt_filter_worker_truncated(t->worker);
    return !tt_filter_worker_failed(t->worker);
}

bool tt_testers_test(struct tt_testers *s, const struct tt_event *events, uint64_t row,
                     uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < s->count; i++) {
        struct tt_tester *t = &s->items[i];
        memset(t->bits, 0, sizeof t->bits);
        memset(t->need, 0, sizeof t->need);
        t->any = t->needs = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        take_event(s, &events[i], i);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i].used && s->items[i].needs) {
            ok &= test_needs(s, &s->items[i], events, row, count);
        }
    }
    return ok;
}

void tt_testers_free(struct tt_testers *s)
{
    for (uint32_t i = 0; s->items && i < s->count; i++) {
        tt_filter_worker_free(s->items[i].worker);
        tt_filter_plan_free(s->items[i].plan);
    }
    free(s->items);
    free(s->first);
    free(s->by_type);
    free(s->of_any_type);
    free(s->pairs);
    *s = (struct tt_testers){0};
}
