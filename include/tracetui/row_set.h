/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_set: which rows of a trace are in a set, a bit a row, with counts so that one goes by rank.
 *
 *      rows     0        4096       8192       12288      16384
 *      pieces   |   0    |    1     |    2     |    3     |
 *      bits     | ? ? ?  |64 words  |64 words  | ? ? ?    |       ?: not known yet
 *      before   |        |-17       |0         |284       |
 *                        ^low       ^origin    ^high
 *
 * It is filled from a row on (the origin) to both sides, and what is known is always one stretch,
 * [low, high). `before` counts from the origin, so that nothing that was said changes when the
 * stretch grows downwards; ranks count from the beginning of the stretch.
 *
 * Threads: one writes pieces and publishes them, in its own order or under a lock of its own; any
 * number ask. tt_row_set_grow needs it alone. The caller owns what _new gives.
 */
#ifndef TRACETUI_ROW_SET_H
#define TRACETUI_ROW_SET_H

#include <stdbool.h>
#include <stdint.h>

#define TT_PIECE_ROWS  4096u
#define TT_PIECE_WORDS (TT_PIECE_ROWS / 64)

struct tt_row_set;

/* An empty stretch at `origin` of `rows` rows; takes rows / 8 bytes. NULL when out of memory. */
struct tt_row_set *tt_row_set_new(uint64_t rows, uint64_t origin);
void tt_row_set_free(struct tt_row_set *set);

/*
 * Room for `rows` rows, of which those before `keep` stay as they are known, by whole pieces; where
 * nothing stays, an empty stretch at `origin`. False when out of memory; it is then as before.
 */
bool tt_row_set_grow(struct tt_row_set *set, uint64_t rows, uint64_t keep, uint64_t origin);

/* The words of a piece, to be filled before it is published; 0 where nothing was written. */
uint64_t *tt_row_set_piece(struct tt_row_set *set, uint64_t piece);
/* Adds the piece above the stretch, or the one below it, with so many rows in the set. */
void tt_row_set_publish_high(struct tt_row_set *set, uint32_t count);
void tt_row_set_publish_low(struct tt_row_set *set, uint32_t count);

uint64_t tt_row_set_rows(const struct tt_row_set *set); /* in all */
uint64_t tt_row_set_pieces(const struct tt_row_set *set);
/* The pieces of the stretch, [*low, *high). */
void tt_row_set_stretch(const struct tt_row_set *set, uint64_t *low, uint64_t *high);
/* The rows of it, [*from, *to). */
void tt_row_set_known(const struct tt_row_set *set, uint64_t *from, uint64_t *to);
/* Are all rows known? */
bool tt_row_set_whole(const struct tt_row_set *set);

/* Rows known to be in the set. */
uint64_t tt_row_set_count(const struct tt_row_set *set);
/* False for rows that are not known. O(1). */
bool tt_row_set_has(const struct tt_row_set *set, uint64_t row);
/* Rows of the set that are known and lie before `row`. O(words of a piece). */
uint64_t tt_row_set_rank(const struct tt_row_set *set, uint64_t row);
/* The row with that rank; UINT64_MAX if there are not so many. O(log pieces). */
uint64_t tt_row_set_select(const struct tt_row_set *set, uint64_t rank);

/* Rows that are in `set`, or, with `without`, that are not. */
struct tt_row_source {
    const struct tt_row_set *set;
    bool without;
};

/*
 * Goes on filling `into` with the rows that are in all sources (all rows, if there are none), as
 * far as the sources are known, by `pieces` pieces at most. True when there is no more to do now.
 */
bool tt_row_set_combine(struct tt_row_set *into, const struct tt_row_source *sources,
                        unsigned source_count, uint64_t pieces);

#endif
