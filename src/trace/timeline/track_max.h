/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peak (internal): the greatest item of a stretch of a track, without walking it.
 *
 * A chunk's sums hold the greatest key of the chunk before it, and of the group of 64 chunks that
 * the one before it belongs to, up to there:
 *
 *      chunks     | 0 | 1 | 2 | ... | 63 | 64 | 65 |
 *      sums of 65  [64..64]  of its group [64..64]
 *      sums of 64  [63..63]  of its group [0..63]
 *
 * What an item's key is, the owner of the track says; it must be final when the next chunk begins.
 */
#ifndef TRACETUI_TRACE_TIMELINE_TRACK_MAX_H
#define TRACETUI_TRACE_TIMELINE_TRACK_MAX_H

#include "trace/timeline/track.h"

#define TT_TRACK_MAX_SUMS 4u /* words that a peak takes in the sums of a track */

struct tt_track_max {
    uint64_t key;
    struct tt_track_place place;
    bool any;
};

/* The builder's. Items are noted in their order. */
struct tt_track_maxima {
    struct tt_track_max chunk; /* of the last chunk so far */
    struct tt_track_max group; /* of the chunks of its group before it */
};

/* Writes TT_TRACK_MAX_SUMS words; to be done before an item is appended. */
void tt_track_maxima_put(const struct tt_track_maxima *peaks, uint64_t *sums);
/* The first item of a chunk was appended. */
void tt_track_maxima_begin_chunk(struct tt_track_maxima *peaks, uint32_t chunk);

/* An item was appended. */
static inline void tt_track_maxima_begin(struct tt_track_maxima *peaks, struct tt_track_place place)
{
    if (place.slot == 0) {
        tt_track_maxima_begin_chunk(peaks, place.chunk);
    }
}

/* Its key is known: of equal ones the first counts. */
static inline void tt_track_maxima_note(struct tt_track_maxima *peaks, uint64_t key,
                                        struct tt_track_place place)
{
    if (!peaks->chunk.any || key > peaks->chunk.key) {
        peaks->chunk = (struct tt_track_max){key, place, true};
    }
}

/* The key of an item; false if it has none. */
typedef bool (*tt_track_max_key)(const void *owner, struct tt_track_place place, uint64_t *key);

/*
 * The greatest of the items from `first` to `last`, both included; of equals the first. `any` is
 * false where none has a key. `sum`: where the peak's words stand in the sums. Steps: 128 items, 64
 * chunks and the groups between.
 */
struct tt_track_max tt_track_max_between(const struct tt_track *track, struct tt_track_place first,
                                         struct tt_track_place last, unsigned sum,
                                         tt_track_max_key key_of, const void *owner);

#endif
