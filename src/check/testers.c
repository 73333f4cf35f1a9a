/* SPDX-License-Identifier: Apache-2.0 */
#include "check/testers.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/filter_types.h"

#define TYPES_MOST 16u /* a filter that may match more types tests all events */

/* Returns whether a filter may match a few types only. */
static bool has_few_types(const struct tt_tester *t, uint32_t types)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < types && count <= TYPES_MOST; type++) {
        count += tt_filter_plan_may_be_type(t->plan, type);
    }
    return count <= TYPES_MOST;
}

bool tt_testers_list_types(struct tt_testers *s)
{
    uint32_t types = UINT32_MAX, used = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t own = s->items[i].used ? tt_filter_plan_types(s->items[i].plan) : UINT32_MAX;
        types = own < types ? own : types;
    }
    s->types = types == UINT32_MAX ? 0 : types;
    s->first = calloc((size_t)s->types + 1, sizeof *s->first);
    s->by_type = calloc((size_t)s->count * TYPES_MOST + 1, sizeof *s->by_type);
    if (!s->first || !s->by_type) {
        return false;
    }
    for (uint32_t i = 0; i < s->count && s->types > 0; i++) {
        s->items[i].by_type = s->items[i].used && has_few_types(&s->items[i], s->types);
    }
    for (uint32_t type = 0; type < s->types; type++) {
        s->first[type] = used;
        for (uint32_t i = 0; i < s->count; i++) {
            if (s->items[i].by_type && tt_filter_plan_may_be_type(s->items[i].plan, type)) {
                s->by_type[used++] = i;
            }
        }
    }
    s->first[s->types] = used;
    return true;
}

/* Sets the events of the block that each filter has to test. */
static void set_needs(struct tt_testers *s, const struct tt_event *events, uint32_t count)
{
    for (uint32_t i = 0; i < s->count; i++) {
        memset(s->items[i].need, 0, sizeof s->items[i].need);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (i % 64);
        uint32_t type = events[i].type;
        if (type < s->types) {
            for (uint32_t at = s->first[type]; at < s->first[type + 1]; at++) {
                s->items[s->by_type[at]].need[i / 64] |= bit;
            }
            continue;
        }
        for (uint32_t f = 0; f < s->count; f++) { /* a type later than the table */
            s->items[f].need[i / 64] |= bit;
        }
    }
}

bool tt_testers_test(struct tt_testers *s, const struct tt_event *events, uint64_t row,
                     uint32_t count)
{
    bool ok = true;
    if (s->types > 0) {
        set_needs(s, events, count);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        struct tt_tester *t = &s->items[i];
        if (!t->used) {
            continue;
        }
        if (t->by_type) {
            tt_filter_test_some(t->worker, events, row, count, t->need, t->bits);
        } else {
            tt_filter_test(t->worker, events, row, count, t->bits);
        }
        s->truncated |= tt_filter_worker_truncated(t->worker);
        ok = ok && !tt_filter_worker_failed(t->worker);
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
    *s = (struct tt_testers){0};
}
