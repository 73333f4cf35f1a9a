/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/event_counts: counts events by class and type, in the order that the user chose. A class
 * comes before its types. One thread; the caller owns the rows.
 */
#ifndef TRACETUI_TUI_VIEWS_INFO_EVENT_COUNTS_H
#define TRACETUI_TUI_VIEWS_INFO_EVENT_COUNTS_H

#include "tracetui/trace.h"

/* X(id, name in the message) */
#define TT_SORT_INFO(X)                                                                            \
    X(TT_SORT_COUNT, "by count")                                                                   \
    X(TT_SORT_NAME, "by name")                                                                     \
    X(TT_SORT_SEEN, "by first occurrence")

enum tt_sort {
#define X(id, name) id,
    TT_SORT_INFO(X)
#undef X
        TT_SORT_COUNT_OF
};

struct tt_count_row {
    const char *class_name;
    const char *name; /* NULL: the row of the class itself */
    uint64_t class_events;
    uint64_t events;
    uint32_t class_id;
    uint32_t type; /* of a class: of its first type that has events */
    uint8_t sort;  /* enum tt_sort */
    bool reverse;
};

/* Counts and sorts. Allocates *rows, which the caller frees; false when out of memory. */
bool tt_counts_take(struct tt_trace *trace, enum tt_sort sort, bool reverse,
                    struct tt_count_row **rows, uint32_t *count);

#endif
