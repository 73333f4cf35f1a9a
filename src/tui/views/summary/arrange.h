/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/arrange: sorts the rows of a table in steps.
 *
 *      refresh --> measure --> read --> sort --> rows[] of the table
 *
 * The sheet may not be stepped meanwhile. The previous rows of the table stay on the screen until the new
 * ones are sorted. A table of a few hundred rows takes one step. One thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_ARRANGE_H
#define TRACETUI_TUI_VIEWS_SUMMARY_ARRANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"

struct tt_workspace;
struct tt_summary_table;
struct tt_summary_item;

#define TT_SUMMARY_NAME_BYTES 512

enum tt_summary_arrange_stage {
    TT_ARRANGE_NOTHING,
    TT_ARRANGE_REFRESH, /* the sheet lists its rows again */
    TT_ARRANGE_MEASURE, /* the first rows determine the widths of the columns */
    TT_ARRANGE_READ,    /* the sorted column of each row is read */
    TT_ARRANGE_SORT
};

struct tt_summary_arranging {
    enum tt_summary_arrange_stage stage;
    struct tt_summary_item *items;
    char *names; /* texts of the items */
    size_t names_used;
    size_t names_room;
    size_t next;   /* next row to measure or to read */
    bool measured; /* the columns are measured for all rows */
    bool final;    /* no other numbers will follow */
    bool failed;   /* out of memory */
    uint32_t count;
    const uint8_t
        *cursor;    /* its packed row when the reading began; NULL: none, or it is at an end */
    uint32_t found; /* the row that equals the cursor's, or UINT32_MAX */
    struct tt_heap_sort sort;
    uint64_t spent; /* ns */
};

/*
 * Begins, also in the middle of earlier steps. `refresh`: the sheet has new numbers; `final`: those of a
 * sheet that is complete or stopped.
 */
void tt_summary_arrange_begin(struct tt_summary_table *tab, bool refresh, bool final);
/*
 * Continues until `until` (tt_now_ns), or for a few hundred rows if that is longer. Returns true when
 * the table has its rows in the new order, or no memory is left (tab->failed).
 */
bool tt_summary_arrange_step(struct tt_summary_table *tab, const struct tt_workspace *ws,
                             uint64_t until);
/* Cancels the steps in progress and frees their memory. */
void tt_summary_arrange_free(struct tt_summary_table *tab);

#endif
