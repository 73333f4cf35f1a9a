/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/row_set.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

struct tt_row_set {
    uint64_t rows;
    uint64_t pieces;
    uint64_t room; /* capacity in pieces */
    uint64_t *bits;
    uint64_t *before; /* one entry per piece and one after the last; modulo 2^64 */
    _Atomic uint64_t low;
    _Atomic uint64_t high;
};

static uint64_t pieces_of(uint64_t rows)
{
    return rows / TT_PIECE_ROWS + (rows % TT_PIECE_ROWS > 0);
}

/* Reserves memory for `pieces`; new pieces are zero. */
static bool row_set_reserve(struct tt_row_set *set, uint64_t pieces)
{
    if (set->bits && pieces <= set->room) {
        return true;
    }
    uint64_t room = set->bits && pieces < set->room * 2 ? set->room * 2 : pieces + 1;
    if (room >= SIZE_MAX / (TT_PIECE_WORDS * sizeof *set->bits)) {
        return false;
    }
    size_t words = (size_t)room * TT_PIECE_WORDS;
    if (!set->bits) {
        set->bits = calloc(words, sizeof *set->bits);
    } else {
        size_t had = (size_t)set->room * TT_PIECE_WORDS;
        uint64_t *bits = realloc(set->bits, words * sizeof *bits);
        if (!bits) {
            return false;
        }
        memset(bits + had, 0, (words - had) * sizeof *bits);
        set->bits = bits;
    }
    uint64_t *before = realloc(set->before, ((size_t)room + 1) * sizeof *before);
    if (before) {
        set->before = before;
    }
    if (!set->bits || !before) {
        return false;
    }
    set->room = room;
    return true;
}

static void begin_at(struct tt_row_set *set, uint64_t piece)
{
    piece = piece < set->pieces ? piece : set->pieces;
    atomic_store(&set->low, piece);
    atomic_store(&set->high, piece);
    set->before[piece] = 0;
}

struct tt_row_set *tt_row_set_new(uint64_t rows, uint64_t origin)
{
    struct tt_row_set *set = calloc(1, sizeof *set);
    if (!set) {
        return NULL;
    }
    set->rows = rows;
    set->pieces = pieces_of(rows);
    if (!row_set_reserve(set, set->pieces)) {
        tt_row_set_free(set);
        return NULL;
    }
    begin_at(set, origin / TT_PIECE_ROWS);
    return set;
}

void tt_row_set_free(struct tt_row_set *set)
{
    if (set) {
        free(set->bits);
        free(set->before);
        free(set);
    }
}

bool tt_row_set_grow(struct tt_row_set *set, uint64_t rows, uint64_t keep, uint64_t origin)
{
    uint64_t pieces = pieces_of(rows);
    uint64_t whole = keep < set->rows ? keep : set->rows;
    whole = whole < rows ? whole : rows;
    whole = whole == set->rows && whole == rows ? set->pieces : whole / TT_PIECE_ROWS;
    if (!row_set_reserve(set, pieces)) {
        return false;
    }
    uint64_t low = atomic_load(&set->low), high = atomic_load(&set->high);
    uint64_t most = set->pieces > pieces ? set->pieces : pieces;
    set->rows = rows;
    set->pieces = pieces;
    if (high > whole) {
        size_t from = (size_t)whole * TT_PIECE_WORDS;
        memset(set->bits + from, 0, ((size_t)most * TT_PIECE_WORDS - from) * sizeof *set->bits);
        if (whole > low) {
            atomic_store(&set->high, whole);
        } else {
            begin_at(set, origin / TT_PIECE_ROWS);
        }
    }
    return true;
}

uint64_t *tt_row_set_piece(struct tt_row_set *set, uint64_t piece)
{
    return set->bits + piece * TT_PIECE_WORDS;
}

void tt_row_set_publish_high(struct tt_row_set *set, uint32_t count)
{
    uint64_t high = atomic_load_explicit(&set->high, memory_order_relaxed);
    set->before[high + 1] = set->before[high] + count;
    atomic_store_explicit(&set->high, high + 1, memory_order_release);
}

void tt_row_set_publish_low(struct tt_row_set *set, uint32_t count)
{
    uint64_t low = atomic_load_explicit(&set->low, memory_order_relaxed);
    set->before[low - 1] = set->before[low] - count;
    atomic_store_explicit(&set->low, low - 1, memory_order_release);
}

/* ---- queries ------------------------------------------------------------------------------- */

uint64_t tt_row_set_rows(const struct tt_row_set *set)
{
    return set->rows;
}

uint64_t tt_row_set_pieces(const struct tt_row_set *set)
{
    return set->pieces;
}

void tt_row_set_piece_range(const struct tt_row_set *set, uint64_t *low, uint64_t *high)
{
    *low = atomic_load_explicit(&set->low, memory_order_acquire);
    *high = atomic_load_explicit(&set->high, memory_order_acquire);
}

void tt_row_set_known(const struct tt_row_set *set, uint64_t *from, uint64_t *to)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    *from = low < set->pieces ? low * TT_PIECE_ROWS : set->rows;
    *to = high < set->pieces ? high * TT_PIECE_ROWS : set->rows;
}

bool tt_row_set_whole(const struct tt_row_set *set)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    return low == 0 && high == set->pieces;
}

uint64_t tt_row_set_count(const struct tt_row_set *set)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    return set->before[high] - set->before[low];
}

bool tt_row_set_has(const struct tt_row_set *set, uint64_t row)
{
    uint64_t from, to;
    tt_row_set_known(set, &from, &to);
    return row >= from && row < to && tt_bit_at(set->bits, row);
}

uint64_t tt_row_set_rank(const struct tt_row_set *set, uint64_t row)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    uint64_t piece = row / TT_PIECE_ROWS;
    if (piece < low) {
        return 0;
    }
    if (row >= set->rows || piece >= high) {
        return set->before[high] - set->before[low];
    }
    uint64_t rank = set->before[piece] - set->before[low];
    for (uint64_t word = piece * TT_PIECE_WORDS; word < row / 64; word++) {
        rank += tt_bits_in(set->bits[word]);
    }
    uint64_t below = (UINT64_C(1) << (row % 64)) - 1;
    return rank + tt_bits_in(set->bits[row / 64] & below);
}

/* Returns the index of set bit number `k` of a word. */
static unsigned bit_number(uint64_t word, uint64_t k)
{
    for (; k > 0; k--) {
        word &= word - 1;
    }
    return tt_lowest_bit(word);
}

uint64_t tt_row_set_select(const struct tt_row_set *set, uint64_t rank)
{
    uint64_t low, high;
    tt_row_set_piece_range(set, &low, &high);
    const uint64_t base = set->before[low];
    if (rank >= set->before[high] - base) {
        return UINT64_MAX;
    }
    while (high - low > 1) { /* before[low] <= rank < before[high] */
        uint64_t middle = low + (high - low) / 2;
        if (set->before[middle] - base <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    rank -= set->before[low] - base;
    for (uint64_t word = low * TT_PIECE_WORDS;; word++) {
        unsigned count = tt_bits_in(set->bits[word]);
        if (rank < count) {
            return word * 64 + bit_number(set->bits[word], rank);
        }
        rank -= count;
    }
}

/* ---- combining ---------------------------------------------------------------------------- */

static uint32_t combine_piece(struct tt_row_set *into, const struct tt_row_source *sources,
                              unsigned source_count, uint64_t piece)
{
    uint64_t *bits = tt_row_set_piece(into, piece);
    uint64_t first = piece * TT_PIECE_ROWS;
    uint64_t rows = into->rows - first < TT_PIECE_ROWS ? into->rows - first : TT_PIECE_ROWS;
    uint32_t count = 0;
    for (uint32_t word = 0; word < TT_PIECE_WORDS; word++) {
        uint64_t here = (uint64_t)word * 64;
        uint64_t all = here + 64 <= rows ? UINT64_MAX
                       : here < rows     ? (UINT64_C(1) << (rows - here)) - 1
                                         : 0;
        for (unsigned i = 0; i < source_count; i++) {
            uint64_t is_in = sources[i].set->bits[piece * TT_PIECE_WORDS + word];
            all &= sources[i].without ? ~is_in : is_in;
        }
        bits[word] = all;
        count += tt_bits_in(all);
    }
    return count;
}

bool tt_row_set_combine(struct tt_row_set *into, const struct tt_row_source *sources,
                        unsigned source_count, uint64_t pieces)
{
    uint64_t min = 0, most = into->pieces;
    for (unsigned i = 0; i < source_count; i++) {
        uint64_t low, high;
        tt_row_set_piece_range(sources[i].set, &low, &high);
        min = low > min ? low : min;
        most = high < most ? high : most;
    }
    uint64_t low, high;
    tt_row_set_piece_range(into, &low, &high);
    if (low == high && min < most && (low < min || low >= most)) {
        /* The sources have another origin. */
        begin_at(into, low < min ? min : most - 1);
        tt_row_set_piece_range(into, &low, &high);
    }
    for (; pieces > 0 && high < most && high >= min; pieces--, high++) {
        tt_row_set_publish_high(into, combine_piece(into, sources, source_count, high));
    }
    for (; pieces > 0 && low > min && low <= most; pieces--, low--) {
        tt_row_set_publish_low(into, combine_piece(into, sources, source_count, low - 1));
    }
    return pieces > 0;
}
