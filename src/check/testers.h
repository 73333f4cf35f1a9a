/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testers: tests the filters of all rules on a block of events. The type and the thread of an event
 * exclude most filters, and decide most of the others: a cache by such pairs contains the filters
 * that remain.
 *
 *      event (type 4, thread 7) --hash--> pair (4, 7): filter 3 matches, filter 9 has to be tested
 *
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
    bool any;                       /* an event of the block matches */
    bool needs;                     /* an event of the block has to be tested */
    bool used;
    bool few_types; /* it is among the filters of each type that it may match */
};

struct tt_pair_filters;

struct tt_testers {
    struct tt_tester *items;
    uint32_t count;
    bool truncated; /* bytes of some events were gone */
    /* The filters that may match type i: by_type[first[i]] to by_type[first[i + 1] - 1]. */
    uint32_t types; /* in the table; 0: there is none */
    bool typeless;  /* no filter has a term on types: all events count as type 0 */
    uint32_t *first;
    uint32_t *by_type;
    uint32_t *of_any_type; /* filters that may match many types, or types later than the table */
    uint32_t any_count;
    struct tt_pair_filters *pairs;
};

/* Makes the tables of types and pairs, when all plans are made; false: out of memory. */
bool tt_testers_begin(struct tt_testers *testers);
/* Sets the bits of all filters for a block; false: out of memory. */
bool tt_testers_test(struct tt_testers *testers, const struct tt_event *events, uint64_t row,
                     uint32_t count);
/* Frees the filters' plans and workers, and the tables. */
void tt_testers_free(struct tt_testers *testers);

#endif
