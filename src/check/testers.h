/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testers: tests the filters of all rules on a block of events. Most filters require one type of event:
 * a table of types has the filters that may match each, and only these are tested on an event.
 * One thread.
 */
#ifndef TT_CHECK_TESTERS_H
#define TT_CHECK_TESTERS_H

#include "tracetui/filter.h"

/* A filter of some rule. */
struct tt_tester {
    struct tt_filter_plan *plan;
    struct tt_filter_worker *worker;
    uint64_t bits[TT_FILTER_WORDS]; /* events of the block that match */
    uint64_t need[TT_FILTER_WORDS]; /* events of the block to test */
    bool used;
    bool by_type; /* it is among the filters of each type that it may match */
};

struct tt_testers {
    struct tt_tester *items;
    uint32_t count;
    bool truncated; /* bytes of some events were gone */
    /* The filters that may match type i: by_type[first[i]] to by_type[first[i + 1] - 1]. */
    uint32_t types; /* 0: all filters test all events */
    uint32_t *first;
    uint32_t *by_type;
};

/* Makes the table of types, when all plans are made; false: out of memory. */
bool tt_testers_list_types(struct tt_testers *testers);
/* Sets the bits of all filters for a block; false: out of memory. */
bool tt_testers_test(struct tt_testers *testers, const struct tt_event *events, uint64_t row,
                     uint32_t count);
/* Frees the filters' plans and workers, and the tables. */
void tt_testers_free(struct tt_testers *testers);

#endif
