/* SPDX-License-Identifier: Apache-2.0 */
/* sums: what several tables of sums need: their subject, totals, and the order by run time. */
#ifndef TRACETUI_TABLE_SUMS_H
#define TRACETUI_TABLE_SUMS_H

#include "base/heap.h"
#include "table/columns.h"
#include "table/registry.h"
#include "table/store.h"

/* Sets the subject of a row to nothing: the `clear` of tables whose rows are otherwise 0. */
void tt_subject_clear(void *row);
/* Returns whether a thread counts, neither idle nor a pseudo thread, and the request selects it. */
bool tt_table_counts(const struct tt_table_run *run, uint32_t thread);
/* Adds a distribution to a total, which has no percentiles because they do not add up. */
void tt_distribution_add(struct tt_distribution *total, const struct tt_distribution *more);
void tt_cpu_sums_add(struct tt_cpu_sums *total, const struct tt_cpu_sums *more);
/* Returns `done` in percent of `whole`, at most 99. */
unsigned tt_table_percent_of(uint64_t done, uint64_t whole);

/* Sets row `index`, an empty one; returns false if there is no such row after all. */
typedef bool tt_row_maker(const struct tt_table_run *run, size_t index, void *row);

/* Lists up to `count` rows in place of the run's; false if out of memory. */
bool tt_table_list(struct tt_table_run *run, size_t count, tt_row_maker *make);
/*
 * Does the same in steps, each row for `cost`; 0: in one step. The run has its earlier rows until ALL is
 * returned. Every row is made.
 */
enum tt_made tt_table_list_step(struct tt_table_run *run, size_t count, tt_row_maker *make,
                                uint64_t cost);
/* Sorts items in steps for SORT_WORK each; returns whether they are sorted. */
bool tt_table_sort_step(struct tt_table_run *run, struct tt_heap_sort *sort, void *items,
                        size_t count, size_t size, bool (*comes_after)(const void *, const void *),
                        bool at_once);

/* Sort keys of rows: most run time first. Starts as {0}; the last step frees them. */
struct tt_run_order {
    struct tt_heap_sort sort;
    size_t read; /* rows whose keys are read */
    struct tt_run_key *keys;
};

/*
 * Sorts the rows by run time, a uint64_t at offset `field`, in steps. Returns ALL when they are sorted; until
 * then they keep their order.
 */
enum tt_made tt_run_order_step(struct tt_run_order *order, struct tt_table_run *run, size_t field);

#endif
