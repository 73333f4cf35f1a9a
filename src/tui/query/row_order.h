/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_order: the order of the rows of a query by one column, made on a worker thread by a stable merge sort:
 * NULL, then numbers, texts and bytes, as SQLite orders them. The rows must not change any more. Main
 * thread.
 */
#ifndef TRACETUI_TUI_QUERY_ROW_ORDER_H
#define TRACETUI_TUI_QUERY_ROW_ORDER_H

#include "base/column.h"
#include "tui/query/querying.h"

struct tt_row_order;

/* Begins to sort the published rows; NULL if out of memory or there are no threads. */
struct tt_row_order *tt_row_order_begin(const struct tt_column *rows, struct tt_query_order order);
/* Returns whether the order is complete; never waits. */
bool tt_row_order_is_made(struct tt_row_order *o);
/* Returns whether it is this order; NULL is the order of the query. */
bool tt_row_order_is(const struct tt_row_order *o, struct tt_query_order order);
/* Returns the row at a place of a complete order. */
uint64_t tt_row_order_at(const struct tt_row_order *o, uint64_t index);
/* Ends the sorting if it is not complete; NULL is allowed. */
void tt_row_order_free(struct tt_row_order *o);

#endif
