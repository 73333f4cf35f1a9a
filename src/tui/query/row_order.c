/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/query/row_order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/worker_thread.h"

#define STOP_ROWS 4096u /* rows between two looks at `stop` */

struct tt_row_order {
    const struct tt_column *rows;
    struct tt_query_order order;
    uint32_t *v;     /* numbers of rows; TT_QUERY_ROWS is below 2^32 */
    uint32_t *other; /* of a pass */
    uint32_t count;
    pthread_t thread;
    bool has_thread;
    atomic_bool ended;
    atomic_bool stop;
};

/* ---- comparison -------------------------------------------------------------------------------- */

static int rank_of(const struct tt_query_cell *cell)
{
    static const int ranks[] = {[TT_SQL_NULL] = 0,
                                [TT_SQL_INTEGER] = 1,
                                [TT_SQL_REAL] = 1,
                                [TT_SQL_TEXT] = 2,
                                [TT_SQL_BLOB] = 3};
    return ranks[cell->type];
}

static double real_of(const struct tt_query_cell *cell)
{
    return cell->type == TT_SQL_REAL ? cell->value.real : (double)cell->value.integer;
}

static int compare_numbers(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    if (a->type == TT_SQL_INTEGER && b->type == TT_SQL_INTEGER) {
        return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
    }
    double x = real_of(a), y = real_of(b);
    return (x > y) - (x < y);
}

static int compare_bytes(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    uint64_t x = a->value.length, y = b->value.length;
    int order = memcmp(a->text, b->text, x < y ? x : y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_cells(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    int x = rank_of(a), y = rank_of(b);
    return x != y ? x - y : x == 0 ? 0 : x == 1 ? compare_numbers(a, b) : compare_bytes(a, b);
}

/* Returns whether row `b` comes before `a`, which precedes it; false if they are equal. */
static bool is_before(const struct tt_row_order *o, uint32_t b, uint32_t a)
{
    const struct tt_query_row *x = tt_column_at(o->rows, a), *y = tt_column_at(o->rows, b);
    int order = compare_cells(&x->cells[o->order.column], &y->cells[o->order.column]);
    return o->order.descending ? order < 0 : order > 0;
}

/* ---- sorting ----------------------------------------------------------------------------------- */

static void merge(const struct tt_row_order *o, uint32_t from, uint32_t middle, uint32_t to)
{
    uint32_t a = from, b = middle;
    for (uint32_t i = from; i < to; i++) {
        if (i % STOP_ROWS == 0 && atomic_load(&o->stop)) {
            return;
        }
        bool second = a == middle || (b < to && is_before(o, o->v[b], o->v[a]));
        o->other[i] = second ? o->v[b++] : o->v[a++];
    }
}

static void sort(struct tt_row_order *o)
{
    for (uint64_t width = 1; width < o->count && o->order.column != UINT_MAX; width *= 2) {
        for (uint64_t from = 0; from < o->count && !atomic_load(&o->stop); from += 2 * width) {
            uint64_t middle = from + width < o->count ? from + width : o->count;
            uint64_t to = from + 2 * width < o->count ? from + 2 * width : o->count;
            merge(o, (uint32_t)from, (uint32_t)middle, (uint32_t)to);
        }
        uint32_t *sorted = o->other;
        o->other = o->v;
        o->v = sorted;
    }
}

static void *run_sort(void *arg)
{
    struct tt_row_order *o = arg;
    tt_platform_lower_priority();
    sort(o);
    atomic_store_explicit(&o->ended, true, memory_order_release);
    return NULL;
}

/* ---- the order --------------------------------------------------------------------------------- */

struct tt_row_order *tt_row_order_begin(const struct tt_column *rows, struct tt_query_order order)
{
    struct tt_row_order *o = calloc(1, sizeof *o);
    if (!o) {
        return NULL;
    }
    o->rows = rows;
    o->order = order;
    o->count = (uint32_t)tt_column_count(rows);
    o->v = malloc(((size_t)o->count + 1) * sizeof *o->v);
    o->other = malloc(((size_t)o->count + 1) * sizeof *o->other);
    for (uint32_t i = 0; o->v && i < o->count; i++) {
        o->v[i] = i;
    }
    o->has_thread = o->v && o->other && tt_worker_start(&o->thread, run_sort, o) == 0;
    if (!o->has_thread) {
        tt_row_order_free(o);
        return NULL;
    }
    return o;
}

bool tt_row_order_is_made(struct tt_row_order *o)
{
    return atomic_load_explicit(&o->ended, memory_order_acquire);
}

bool tt_row_order_is(const struct tt_row_order *o, struct tt_query_order order)
{
    return o ? o->order.column == order.column && o->order.descending == order.descending
             : order.column == UINT_MAX;
}

uint64_t tt_row_order_at(const struct tt_row_order *o, uint64_t index)
{
    return o->v[index];
}

void tt_row_order_free(struct tt_row_order *o)
{
    if (!o) {
        return;
    }
    if (o->has_thread) {
        atomic_store(&o->stop, true);
        pthread_join(o->thread, NULL);
    }
    free(o->v);
    free(o->other);
    free(o);
}
