/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_pairs: rows of pairs. Many threads on many CPUs make millions of pairs; if only a few rows
 * are requested, a heap whose root is the least frequent entry selects the most frequent pairs, in
 * steps.
 *
 *      count ... count, select from the pairs so far, count ... select at the end
 *
 * A selection is a pass over all pairs, so it happens when their number has doubled. The selected pairs
 * are sorted and listed in steps too; the sheet has its earlier rows until then.
 */
#include <stdlib.h>

#include "base/heap.h"
#include "table/builder.h"

#define FIRST_PICK 16u
/* Pairs compared for the work of one interval: inserting one costs a path through the heap. */
#define PAIRS_A_WORK 1u
#define LIST_WORK    32u /* cost of packing a row, in intervals */
#define SORT_WORK    16u /* cost of a step of the sort */
#define LISTED_FEW   64u /* rows that are listed in one step */

static bool is_wanted(const struct tt_stat_builder *m, const struct tt_pair *pair)
{
    return tt_window_has_cpu(&m->request.window, pair->cpu) &&
           (tt_stat_builder_includes(m, pair->from) || tt_stat_builder_includes(m, pair->to));
}

static struct tt_stat_row row_of(const struct tt_pair *pair)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.cpu = pair->cpu;
    row.from = pair->from;
    row.to = pair->to;
    row.count = pair->count;
    row.first_at = pair->first_at;
    row.settled = true;
    return row;
}

/* ---- all pairs ----------------------------------------------------------------------------- */

static bool list_all(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_pair *pairs = tt_pair_count_pairs(m->pairs, &count);
    if (!tt_table_reserve(m->sheet, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct tt_stat_row row = row_of(&pairs[i]);
        if (is_wanted(m, &pairs[i]) && !tt_table_add(m->sheet, &row)) {
            return false;
        }
    }
    return true;
}

/* ---- the most frequent pairs --------------------------------------------------------------- */

static bool is_after(const void *a, const void *b)
{
    return tt_pair_compare(a, b) > 0;
}

static void pick(struct tt_stat_builder *m, const struct tt_pair *pair)
{
    m->picked =
        tt_heap_keep(m->picks, m->picked, m->request.row_limit, sizeof *pair, pair, is_after);
}

/* Sorts the selected pairs in steps; returns whether they are sorted. */
static bool sort_picks(struct tt_stat_builder *m)
{
    struct tt_heap_sort *sort = &m->pick_sort;
    uint64_t before = sort->added + sort->placed;
    size_t steps = m->picked <= LISTED_FEW ? SIZE_MAX : (size_t)(m->work / SORT_WORK) + 1;
    bool sorted = tt_heap_sort_step(m->picks, m->picked, sizeof *m->picks, sort, steps, is_after);
    tt_sheet_spend(m, (sort->added + sort->placed - before) * SORT_WORK);
    return sorted;
}

/* Lists the selected pairs in steps; at the end they replace the rows. */
static enum tt_made list_picks(struct tt_stat_builder *m)
{
    if (!sort_picks(m)) {
        return TT_MADE_PART;
    }
    if (!m->sheet->store->new_rows && !tt_table_reserve_new(m->sheet, m->picked)) {
        return TT_MADE_NO_MEMORY;
    }
    while (m->sheet->store->new_count < m->picked) {
        struct tt_stat_row row = row_of(&m->picks[m->sheet->store->new_count]);
        if (!tt_table_add_new(m->sheet, &row)) {
            return TT_MADE_NO_MEMORY;
        }
        if (!tt_sheet_spend(m, LIST_WORK) && m->picked > LISTED_FEW &&
            m->sheet->store->new_count < m->picked) {
            return TT_MADE_PART;
        }
    }
    tt_table_use_new(m->sheet);
    m->sheet->left_out = m->pickable - m->picked;
    m->picking = m->listing = false;
    return TT_MADE_ALL;
}

/*
 * Continues the selection as far as the work allows; at its end, replaces the rows by the selected
 * pairs.
 */
static enum tt_made pick_step(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_pair *pairs = tt_pair_count_pairs(m->pairs, &count);
    size_t room = m->work > count / PAIRS_A_WORK ? count : (size_t)m->work * PAIRS_A_WORK;
    size_t end = m->passed + room < count ? m->passed + room : count;
    for (; m->passed < end && !m->listing; m->passed++) {
        if (is_wanted(m, &pairs[m->passed])) {
            pick(m, &pairs[m->passed]);
            m->pickable++;
        }
    }
    if (!m->listing) {
        tt_sheet_spend(m, room / PAIRS_A_WORK + 1);
        m->listing = m->passed == count;
        if (!m->listing) {
            return TT_MADE_PART;
        }
    }
    return list_picks(m);
}

static bool begin_picking(struct tt_stat_builder *m, size_t count)
{
    if (!m->picks) {
        m->picks = malloc(m->request.row_limit * sizeof *m->picks);
    }
    m->picking = true;
    m->pick_sort = (struct tt_heap_sort){0};
    m->passed = m->picked = m->pickable = 0;
    m->next_pick = count > FIRST_PICK / 2 ? count * 2 : FIRST_PICK;
    return m->picks != NULL;
}

/* ---- both --------------------------------------------------------------------------------- */

bool tt_list_pairs(struct tt_stat_builder *m)
{
    return m->request.row_limit > 0 || list_all(m);
}

static enum tt_made count_step(struct tt_stat_builder *m)
{
    size_t count;
    struct tt_status status = tt_pair_count_step(m->pairs, m->work, &m->counted);
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    tt_pair_count_pairs(m->pairs, &count);
    if (m->request.row_limit == 0 && m->counted) {
        tt_pair_count_sort(m->pairs);
        return list_all(m) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
    }
    bool due = m->request.row_limit > 0 && (m->counted || count >= m->next_pick);
    return due && !begin_picking(m, count) ? TT_MADE_NO_MEMORY : TT_MADE_PART;
}

enum tt_made tt_make_pairs(struct tt_stat_builder *m)
{
    if (!m->pairs) {
        m->next_pick = FIRST_PICK;
        m->pairs = tt_pair_count_new(m->t, m->request.window.from, m->request.window.to);
        if (!m->pairs) {
            return TT_MADE_NO_MEMORY;
        }
    }
    if (!m->picking) {
        enum tt_made made = count_step(m);
        if (made != TT_MADE_PART || !m->picking) {
            return made;
        }
    }
    enum tt_made made = pick_step(m);
    return made == TT_MADE_ALL && !m->counted ? TT_MADE_PART : made;
}
