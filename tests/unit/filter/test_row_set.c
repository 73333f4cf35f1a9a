/* SPDX-License-Identifier: Apache-2.0 */
/* Row sets compared with a plain list: rank, select, growing, combining. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/row_set.h"

enum { ROWS = 5 * TT_PIECE_ROWS + 1234 };

static uint64_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* Chooses about one row of `step` at random. */
static void choose(bool *in, uint32_t step)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        in[row] = any(step) == 0;
    }
}

static uint32_t fill(struct tt_row_set *set, const bool *in, uint64_t piece)
{
    uint64_t *bits = tt_row_set_piece(set, piece);
    uint64_t rows = tt_row_set_rows(set), first = piece * TT_PIECE_ROWS;
    uint32_t count = 0;
    memset(bits, 0, TT_PIECE_WORDS * sizeof *bits);
    for (uint64_t row = first; row < rows && row < first + TT_PIECE_ROWS; row++) {
        bits[(row - first) / 64] |= (uint64_t)in[row] << (row % 64);
        count += in[row];
    }
    return count;
}

static void fill_up(struct tt_row_set *set, const bool *in)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    for (; high < tt_row_set_pieces(set); high++) {
        tt_row_set_publish_high(set, fill(set, in, high));
    }
}

static void fill_down(struct tt_row_set *set, const bool *in)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    for (; low > 0; low--) {
        tt_row_set_publish_low(set, fill(set, in, low - 1));
    }
}

/* Checks that the set agrees with the list for all known rows. */
static void check(const struct tt_row_set *set, const bool *in)
{
    uint64_t from, to, rank = 0;
    tt_row_set_known(set, &from, &to);
    for (uint64_t row = 0; row < tt_row_set_rows(set) + 100; row++) {
        bool is_in = row >= from && row < to && in[row];
        cr_assert_eq(tt_row_set_has(set, row), is_in, "row %d", (int)row);
        cr_assert_eq(tt_row_set_rank(set, row), rank, "row %d", (int)row);
        if (is_in) {
            cr_assert_eq(tt_row_set_select(set, rank), row, "rank %d", (int)rank);
            rank++;
        }
    }
    cr_assert_eq(tt_row_set_count(set), rank);
    cr_assert_eq(tt_row_set_select(set, rank), UINT64_MAX);
}

Test(row_set, rank_and_select_from_any_origin)
{
    static bool in[ROWS];
    for (uint64_t origin = 0; origin <= ROWS; origin += TT_PIECE_ROWS) {
        choose(in, origin == 0 ? 1 : 7 + 100 * (uint32_t)(origin / TT_PIECE_ROWS));
        struct tt_row_set *set = tt_row_set_new(ROWS, origin);
        cr_assert_not_null(set);
        check(set, in);
        fill_up(set, in);
        check(set, in);
        cr_assert_eq(tt_row_set_whole(set), origin == 0);
        fill_down(set, in);
        check(set, in);
        cr_assert(tt_row_set_whole(set));
        tt_row_set_free(set);
    }
}

Test(row_set, an_empty_set_is_whole)
{
    struct tt_row_set *set = tt_row_set_new(0, 0);
    cr_assert(tt_row_set_whole(set));
    cr_assert_eq(tt_row_set_count(set), 0);
    cr_assert_eq(tt_row_set_select(set, 0), UINT64_MAX);
    cr_assert_eq(tt_row_set_rank(set, 5), 0);
    tt_row_set_free(set);
}

Test(row_set, growing_keeps_whole_pieces)
{
    static bool in[ROWS];
    choose(in, 3);
    struct tt_row_set *set = tt_row_set_new(TT_PIECE_ROWS + 100, 0);
    uint64_t low, high;
    for (uint64_t rows = TT_PIECE_ROWS + 100; rows <= ROWS; rows += 999) {
        cr_assert(tt_row_set_grow(set, rows, UINT64_MAX, 0));
        tt_row_set_piece_range(set, &low, &high);
        cr_assert_eq(low, 0);
        cr_assert(high + 1 >= rows / TT_PIECE_ROWS || rows < 2 * TT_PIECE_ROWS);
        check(set, in);
        fill_up(set, in);
        check(set, in);
    }
    /* Rows have shifted: those before row 5000 are kept. */
    cr_assert(tt_row_set_grow(set, ROWS, 5000, 0));
    tt_row_set_piece_range(set, &low, &high);
    cr_assert_eq(high, 1);
    check(set, in);
    cr_assert(tt_row_set_grow(set, ROWS, 0, 9000));
    cr_assert_eq(tt_row_set_count(set), 0);
    fill_up(set, in);
    check(set, in);
    fill_down(set, in);
    check(set, in);
    tt_row_set_free(set);
}

Test(row_set, combining_intersects_and_complements)
{
    static bool a[ROWS], b[ROWS], both[ROWS];
    for (int round = 0; round < 12; round++) {
        bool without = round % 2;
        choose(a, 2);
        choose(b, 3);
        for (uint32_t row = 0; row < ROWS; row++) {
            both[row] = a[row] && b[row] != without;
        }
        struct tt_row_set *sets[3] = {tt_row_set_new(ROWS, any(ROWS)),
                                      tt_row_set_new(ROWS, any(ROWS)),
                                      tt_row_set_new(ROWS, any(ROWS))};
        const struct tt_row_source sources[2] = {{sets[0], false}, {sets[1], without}};
        /* The sources become known piece by piece, on either side, in any order. */
        while (!tt_row_set_whole(sets[2])) {
            unsigned which = any(2);
            uint64_t low, high;
            tt_row_set_piece_range(sets[which], &low, &high);
            const bool *in = which == 0 ? a : b;
            if (any(2) && high < tt_row_set_pieces(sets[which])) {
                tt_row_set_publish_high(sets[which], fill(sets[which], in, high));
            } else if (low > 0) {
                tt_row_set_publish_low(sets[which], fill(sets[which], in, low - 1));
            }
            bool done = tt_row_set_combine(sets[2], sources, 2, 1 + any(3));
            if (done && any(4) == 0) {
                check(sets[2], both);
            }
        }
        check(sets[2], both);
        for (int i = 0; i < 3; i++) {
            tt_row_set_free(sets[i]);
        }
    }
}

Test(row_set, combining_no_sources_yields_all_rows)
{
    struct tt_row_set *set = tt_row_set_new(ROWS, 9999);
    while (!tt_row_set_combine(set, NULL, 0, 2)) {
    }
    cr_assert(tt_row_set_whole(set));
    cr_assert_eq(tt_row_set_count(set), ROWS);
    cr_assert_eq(tt_row_set_select(set, ROWS - 1), ROWS - 1);
    tt_row_set_free(set);
}
