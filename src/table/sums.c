/* SPDX-License-Identifier: Apache-2.0 */
#include "table/sums.h"

#include <stdlib.h>
#include <string.h>

#define UNPACK_WORK 4u  /* cost of reading a row and adding its key, in intervals */
#define PLACE_WORK  8u  /* cost of moving a key to its place */
#define SORT_WORK   16u /* cost of a step of a sort */

struct tt_run_key {
    uint64_t ran;
    uint32_t process, thread;
    const uint8_t *row;
};

void tt_subject_clear(void *row)
{
    struct tt_subject *of = row;
    of->thread = of->process = of->from = of->to = of->peer = TT_NO_THREAD;
    of->cpu = TT_NO_CPU;
    of->channel = TT_TABLE_NONE;
}

bool tt_table_counts(const struct tt_table_run *run, uint32_t thread)
{
    return tt_thread_is_counted(tt_thread_at(run->capture, thread)) &&
           tt_table_includes(run, thread);
}

void tt_distribution_add(struct tt_distribution *total, const struct tt_distribution *more)
{
    if (more->count > 0 && (total->count == 0 || more->max > total->max)) {
        total->max = more->max;
        total->max_at = more->max_at;
    }
    total->count += more->count;
    total->sum += more->sum;
    total->p50 = total->p95 = total->p99 = TT_TABLE_NONE;
}

void tt_cpu_sums_add(struct tt_cpu_sums *total, const struct tt_cpu_sums *more)
{
    total->busy += more->busy;
    total->idle += more->idle;
    total->irq += more->irq;
    total->kernel += more->kernel;
    total->unknown += more->unknown;
    total->interrupts += more->interrupts;
    total->nested += more->nested;
    total->switches += more->switches;
}

unsigned tt_table_percent_of(uint64_t done, uint64_t whole)
{
    return whole > 0 && done < whole ? (unsigned)((double)done * 100.0 / (double)whole) : 99;
}

/* ---- lists -------------------------------------------------------------------------------- */

bool tt_table_list(struct tt_table_run *run, size_t count, tt_row_maker *make)
{
    bool ok = tt_table_reserve(run, count);
    for (size_t i = 0; ok && i < count; i++) {
        struct tt_table_row row;
        tt_table_clear_row(run->table, &row);
        ok = !make(run, i, &row) || tt_table_add(run, &row);
    }
    return ok;
}

static int compare_listed(const void *x, const void *y)
{
    const struct tt_listed *left = x, *right = y;
    if (left->class_id != right->class_id) {
        return left->class_id < right->class_id ? -1 : 1;
    }
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    int by_name = strcmp(left->name, right->name);
    return by_name != 0 ? by_name
           : left->vector != right->vector
               ? (left->vector < right->vector ? -1 : 1)
               : (left->index > right->index) - (left->index < right->index);
}

bool tt_table_list_frequent(struct tt_table_run *run, struct tt_listed *items, size_t count,
                            tt_row_maker *make)
{
    bool ok = tt_table_reserve(run, count);
    if (ok && count > 0) {
        qsort(items, count, sizeof *items, compare_listed);
    }
    for (size_t i = 0; ok && i < count; i++) {
        struct tt_table_row row;
        tt_table_clear_row(run->table, &row);
        ok = make(run, items[i].index, &row) && tt_table_add(run, &row);
    }
    free(items);
    return ok;
}

enum tt_made tt_table_list_step(struct tt_table_run *run, size_t count, tt_row_maker *make,
                                uint64_t cost)
{
    struct tt_table_store *store = run->store;
    if (!store->new_rows && !tt_table_reserve_new(run, count)) {
        return TT_MADE_NO_MEMORY;
    }
    while (store->new_count < count) {
        struct tt_table_row row;
        tt_table_clear_row(run->table, &row);
        make(run, store->new_count, &row);
        if (!tt_table_add_new(run, &row)) {
            return TT_MADE_NO_MEMORY;
        }
        if (cost > 0 && !tt_table_spend(run, cost) && store->new_count < count) {
            return TT_MADE_PART;
        }
    }
    tt_table_use_new(run);
    return TT_MADE_ALL;
}

bool tt_table_sort_step(struct tt_table_run *run, struct tt_heap_sort *sort, void *items,
                        size_t count, size_t size, bool (*comes_after)(const void *, const void *),
                        bool at_once)
{
    uint64_t before = sort->added + sort->placed;
    size_t steps = at_once ? SIZE_MAX : (size_t)(run->work / SORT_WORK) + 1;
    bool sorted = tt_heap_sort_step(items, count, size, sort, steps, comes_after);
    tt_table_spend(run, (sort->added + sort->placed - before) * SORT_WORK);
    return sorted;
}

/* ---- order by run time -------------------------------------------------------------------- */

/* Returns whether `a` has its place after `b`: the last row is the first of the heap. */
static bool sums_comes_after(const void *x, const void *y)
{
    const struct tt_run_key *left = x, *right = y;
    return left->ran != right->ran           ? left->ran < right->ran
           : left->process != right->process ? left->process > right->process
                                             : left->thread > right->thread;
}

enum tt_made tt_run_order_step(struct tt_run_order *order, struct tt_table_run *run, size_t field)
{
    size_t count = run->count;
    if (!order->keys) {
        bool fits = count < SIZE_MAX / sizeof *order->keys;
        order->keys = fits ? malloc((count + 1) * sizeof *order->keys) : NULL;
    }
    if (!order->keys) {
        return TT_MADE_NO_MEMORY;
    }
    while (order->sort.placed < count) {
        bool adds = order->read < count;
        if (adds) {
            struct tt_table_row row;
            struct tt_run_key *key = &order->keys[order->read];
            tt_table_row_at(run, order->read++, &row);
            *key =
                (struct tt_run_key){0, row.of.process, row.of.thread, run->rows[order->read - 1]};
            memcpy(&key->ran, (const char *)&row + field, sizeof key->ran);
        }
        tt_heap_sort_step(order->keys, adds ? order->read : count, sizeof *order->keys,
                          &order->sort, 1, sums_comes_after);
        if (!tt_table_spend(run, adds ? UNPACK_WORK : PLACE_WORK) && order->sort.placed < count) {
            return TT_MADE_PART;
        }
    }
    for (size_t i = 0; i < count; i++) {
        run->rows[i] = order->keys[i].row;
    }
    free(order->keys);
    *order = (struct tt_run_order){0};
    return TT_MADE_ALL;
}
