/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_order: sorts the rows of threads and processes by run time, a part per step: a capture may
 * have a million of them. Each row is added to a heap, and then the heap is emptied from its end.
 */
#include <stdlib.h>

#include "base/heap.h"
#include "table/builder.h"

#define UNPACK_WORK 4u /* cost of reading a row and adding its key, in intervals */
#define PLACE_WORK  8u /* cost of moving a key to its place */

/* Sort key of a row. */
struct row_key {
    uint64_t run;
    uint32_t process, thread;
    const uint8_t *row;
};

struct tt_stat_order {
    struct tt_heap_sort sort;
    size_t read; /* rows whose keys are read */
    struct row_key keys[];
};

/* Returns whether `a` has its place after `b`: the last row is the first of the heap. */
static bool comes_after(const void *x, const void *y)
{
    const struct row_key *a = x, *b = y;
    if (a->run != b->run) {
        return a->run < b->run;
    }
    if (a->process != b->process) {
        return a->process > b->process;
    }
    return a->thread > b->thread;
}

static void add_key(const struct tt_stat_builder *m, struct tt_stat_order *o)
{
    struct tt_stat_row row;
    tt_table_row_at(m->sheet, o->read, &row);
    o->keys[o->read] = (struct row_key){row.run, row.process, row.thread, m->sheet->rows[o->read]};
    tt_heap_sort_step(o->keys, ++o->read, sizeof *o->keys, &o->sort, 1, comes_after);
}

enum tt_made tt_order_rows(struct tt_stat_builder *m)
{
    size_t count = m->sheet->count;
    struct tt_stat_order *o = m->order;
    if (!o) {
        o = count < SIZE_MAX / sizeof *o->keys - 1 ? malloc(sizeof *o + count * sizeof *o->keys)
                                                   : NULL;
        if (!o) {
            return TT_MADE_NO_MEMORY;
        }
        o->sort = (struct tt_heap_sort){0};
        o->read = 0;
        m->order = o;
    }
    while (o->sort.placed < count) {
        bool adds = o->read < count;
        if (adds) {
            add_key(m, o);
        } else {
            tt_heap_sort_step(o->keys, count, sizeof *o->keys, &o->sort, 1, comes_after);
        }
        if (!tt_sheet_spend(m, adds ? UNPACK_WORK : PLACE_WORK) && o->sort.placed < count) {
            return TT_MADE_PART;
        }
    }
    for (size_t i = 0; i < count; i++) {
        m->sheet->rows[i] = o->keys[i].row;
    }
    free(o);
    m->order = NULL;
    return TT_MADE_ALL;
}
