/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track_max.h"

#include <string.h>

#define GROUP 64u

/* Encodes a place as one word; 0: none. */
static uint64_t track_max_pack(const struct tt_track_max *max)
{
    return max->any ? ((uint64_t)max->place.chunk * TT_TRACK_CHUNK + max->place.slot) + 1 : 0;
}

static struct tt_track_max track_max_unpack(const uint64_t *words)
{
    struct tt_track_max max = {.key = words[0], .any = words[1] != 0};
    if (max.any) {
        max.place.chunk = (uint32_t)((words[1] - 1) / TT_TRACK_CHUNK);
        max.place.slot = (uint32_t)((words[1] - 1) % TT_TRACK_CHUNK);
    }
    return max;
}

/* Replaces *max by a larger item, or an equal earlier one. */
static void keep_max(struct tt_track_max *max, struct tt_track_max other)
{
    if (!other.any) {
        return;
    }
    bool earlier = other.place.chunk != max->place.chunk ? other.place.chunk < max->place.chunk
                                                         : other.place.slot < max->place.slot;
    if (!max->any || other.key > max->key || (other.key == max->key && earlier)) {
        *max = other;
    }
}

void tt_track_maxima_put(const struct tt_track_maxima *maxima, uint64_t *sums)
{
    struct tt_track_max group = maxima->group;
    keep_max(&group, maxima->chunk);
    sums[0] = maxima->chunk.key;
    sums[1] = track_max_pack(&maxima->chunk);
    sums[2] = group.key;
    sums[3] = track_max_pack(&group);
}

void tt_track_maxima_begin_chunk(struct tt_track_maxima *maxima, uint32_t chunk)
{
    keep_max(&maxima->group, maxima->chunk);
    memset(&maxima->chunk, 0, sizeof maxima->chunk);
    if (chunk % GROUP == 0) {
        memset(&maxima->group, 0, sizeof maxima->group);
    }
}

void tt_track_maxima_resume(struct tt_track_maxima *maxima, const uint64_t *sums, uint32_t chunk)
{
    memset(maxima, 0, sizeof *maxima);
    if (chunk % GROUP != 0) {
        maxima->group = track_max_unpack(sums + 2);
    }
}

struct tt_track_max tt_track_max_between(const struct tt_track *track, struct tt_track_place first,
                                         struct tt_track_place last, unsigned sum,
                                         tt_track_max_key key_of, const void *owner)
{
    struct tt_track_max best = {0};
    uint32_t whole = first.slot == 0 ? first.chunk : first.chunk + 1;
    struct tt_track_place at = first;
    bool more = true;
    /* The rest of the first chunk, unless it is used as a whole. */
    for (; more && at.chunk < whole && at.chunk <= last.chunk; more = tt_track_next(track, &at)) {
        if (at.chunk == last.chunk && at.slot > last.slot) {
            return best;
        }
        struct tt_track_max max = {.place = at};
        max.any = key_of(owner, at, &max.key);
        keep_max(&best, max);
    }
    if (whole > last.chunk) {
        return best;
    }
    for (uint32_t end = last.chunk; end > whole;) {
        struct tt_track_place behind = {end, 0};
        uint64_t sums[TT_TRACK_SUMS_MAX];
        tt_track_sums(track, behind, sums);
        uint32_t group = (end - 1) / GROUP * GROUP;
        bool all = group >= whole;
        struct tt_track_max max = track_max_unpack(sums + sum + (all ? 2 : 0));
        /* The position may be invalid in a damaged file. */
        max.any = max.any && max.place.chunk < end && tt_track_has(track, max.place);
        keep_max(&best, max);
        end = all ? group : end - 1;
    }
    for (at = (struct tt_track_place){last.chunk, 0}; at.slot <= last.slot; at.slot++) {
        struct tt_track_max max = {.place = at};
        max.any = key_of(owner, at, &max.key);
        keep_max(&best, max);
    }
    return best;
}
