/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_set: a set of rows of a trace, one bit per row, with counts for rank and select.
 *
 *      rows     0        4096       8192       12288      16384
 *      pieces   |   0    |    1     |    2     |    3     |
 *      bits     | ? ? ?  |64 words  |64 words  | ? ? ?    |       ?: unknown
 *      before   |        |-17       |0         |284       |
 *                        ^low       ^origin    ^high
 *
 * The set is filled from a row (the origin) in both directions; the known part is always one
 * stretch, [low, high). `before` counts relative to the origin, so that it does not change when the
 * stretch grows downwards; ranks count from the start of the stretch.
 *
 * Threads: one writer fills and publishes pieces, in its own order or under its own lock; any
 * number of readers. tt_row_set_grow needs exclusive access. The caller owns the result of
 * tt_row_set_new.
 */
#ifndef TRACETUI_ROW_SET_H
#define TRACETUI_ROW_SET_H

#include <stdbool.h>
#include <stdint.h>

#define TT_PIECE_ROWS  4096u
#define TT_PIECE_WORDS (TT_PIECE_ROWS / 64)

struct tt_row_set;

/* Returns an empty stretch at `origin` of `rows` rows, of rows / 8 bytes; NULL if out of memory. */
struct tt_row_set *tt_row_set_new(uint64_t rows, uint64_t origin);
void tt_row_set_free(struct tt_row_set *set);

/*
 * Grows the set to `rows` rows and keeps the known rows before `keep`, rounded down to whole
 * pieces; if none are kept, the stretch is empty at `origin`. Returns false, with the set
 * unchanged, if out of memory.
 */
bool tt_row_set_grow(struct tt_row_set *set, uint64_t rows, uint64_t keep, uint64_t origin);

/* Returns the words of a piece, initially 0, to fill before publishing. */
uint64_t *tt_row_set_piece(struct tt_row_set *set, uint64_t piece);
/* Publish the piece above or below the stretch, which has `count` rows in the set. */
void tt_row_set_publish_high(struct tt_row_set *set, uint32_t count);
void tt_row_set_publish_low(struct tt_row_set *set, uint32_t count);

uint64_t tt_row_set_rows(const struct tt_row_set *set); /* all rows */
uint64_t tt_row_set_pieces(const struct tt_row_set *set);
/* Computes the pieces of the stretch, [*low, *high). */
void tt_row_set_piece_range(const struct tt_row_set *set, uint64_t *low, uint64_t *high);
/* Computes the rows of the stretch, [*from, *to). */
void tt_row_set_known(const struct tt_row_set *set, uint64_t *from, uint64_t *to);
/* Returns whether all rows are known. */
bool tt_row_set_whole(const struct tt_row_set *set);

/* Returns the number of known rows in the set. */
uint64_t tt_row_set_count(const struct tt_row_set *set);
/* Returns whether a row is in the set; false for unknown rows. O(1). */
bool tt_row_set_has(const struct tt_row_set *set, uint64_t row);
/* Returns the number of known rows of the set before `row`. O(words of a piece). */
uint64_t tt_row_set_rank(const struct tt_row_set *set, uint64_t row);
/* Returns the row with a rank; UINT64_MAX if there are fewer. O(log pieces). */
uint64_t tt_row_set_select(const struct tt_row_set *set, uint64_t rank);

/* The rows in `set`, or, if `without` is set, its complement. */
struct tt_row_source {
    const struct tt_row_set *set;
    bool without;
};

/*
 * Continues to fill `into` with the intersection of all sources (all rows if there are none), as
 * far as the sources are known and by at most `pieces` pieces. Returns true when nothing is left to
 * do for now.
 */
bool tt_row_set_combine(struct tt_row_set *into, const struct tt_row_source *sources,
                        unsigned source_count, uint64_t pieces);

#endif
