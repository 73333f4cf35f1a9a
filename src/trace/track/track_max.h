/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_max: finds the largest item in a range of a track without walking it.
 *
 * A chunk's sums contain the largest key of the previous chunk, and that of the previous chunk's
 * group of 64 chunks, up to there:
 *
 *      chunks     | 0 | 1 | 2 | ... | 63 | 64 | 65 |
 *      sums of 65  [64..64]  of its group [64..64]
 *      sums of 64  [63..63]  of its group [0..63]
 *
 * The owner of the track defines an item's key; it must be final when the next chunk begins.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_MAX_H
#define TRACETUI_TRACE_TRACK_TRACK_MAX_H

#include "trace/track/track.h"

#define TT_TRACK_MAX_SUMS 4u /* words that a max takes in the sums of a track */

struct tt_track_max {
    uint64_t key;
    struct tt_track_place place;
    bool any;
};

/* Running maxima for the builder. Items are added in their order. */
struct tt_track_maxima {
    struct tt_track_max chunk; /* of the last chunk */
    struct tt_track_max group; /* of the chunks of its group before it */
};

/* Writes TT_TRACK_MAX_SUMS words; call before an item is appended. */
void tt_track_maxima_put(const struct tt_track_maxima *maxima, uint64_t *sums);
/* Starts a chunk after its first item was appended. */
void tt_track_maxima_begin_chunk(struct tt_track_maxima *maxima, uint32_t chunk);

/*
 * Sets the maxima to those of a builder at the first item of `chunk`; `sums` are that chunk's words.
 */
void tt_track_maxima_resume(struct tt_track_maxima *maxima, const uint64_t *sums, uint32_t chunk);

/* Starts a chunk if the item at `place`, which was just appended, is its first one. */
static inline void tt_track_maxima_begin(struct tt_track_maxima *maxima,
                                         struct tt_track_place place)
{
    if (place.slot == 0) {
        tt_track_maxima_begin_chunk(maxima, place.chunk);
    }
}

/* Adds the key of the item; of equal keys the first counts. */
static inline void tt_track_maxima_note(struct tt_track_maxima *maxima, uint64_t key,
                                        struct tt_track_place place)
{
    if (!maxima->chunk.any || key > maxima->chunk.key) {
        maxima->chunk = (struct tt_track_max){key, place, true};
    }
}

/* Sets *key to the key of an item; returns false if it has none. */
typedef bool (*tt_track_max_key)(const void *owner, struct tt_track_place place, uint64_t *key);

/*
 * Returns the largest of the items from `first` to `last`, both included; of equal ones the first.
 * `any` is false if none has a key. `sum`: index of the maxima in the sums. Steps: 128 items, 64
 * chunks and the groups between.
 */
struct tt_track_max tt_track_max_between(const struct tt_track *track, struct tt_track_place first,
                                         struct tt_track_place last, unsigned sum,
                                         tt_track_max_key key_of, const void *owner);

#endif
