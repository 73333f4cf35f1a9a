/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_names: the names of events and threads that a filter compares with = and `in`, so that a
 * caller can report one that the capture does not have. Any thread.
 */
#ifndef TRACETUI_FILTER_FILTER_NAMES_H
#define TRACETUI_FILTER_FILTER_NAMES_H

#include "tracetui/filter.h"

enum tt_filter_name_kind {
    TT_FILTER_NAME_EVENT,
    TT_FILTER_NAME_CLASS,
    TT_FILTER_NAME_THREAD,
    TT_FILTER_NAME_PROCESS
};

struct tt_filter_name {
    enum tt_filter_name_kind kind;
    const char *text; /* belongs to the filter */
    uint32_t column;  /* in the filter's text, from 1 */
};

/* Place of the next name; 0 at first. */
struct tt_filter_names {
    uint32_t term, span;
};

/* Returns the next name; false: there are no more. */
bool tt_filter_next_name(const struct tt_filter *filter, struct tt_filter_names *at,
                         struct tt_filter_name *name);

#endif
