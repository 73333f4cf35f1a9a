/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline/track_max.h"

#include <string.h>

#define GROUP 64u

/* A place as one word; 0: none. */
static uint64_t pack(const struct tt_track_max *peak)
{
    return peak->any ? ((uint64_t)peak->place.chunk * TT_TRACK_CHUNK + peak->place.slot) + 1 : 0;
}

static struct tt_track_max unpack(const uint64_t *words)
{
    struct tt_track_max peak = {.key = words[0], .any = words[1] != 0};
    if (peak.any) {
        peak.place.chunk = (uint32_t)((words[1] - 1) / TT_TRACK_CHUNK);
        peak.place.slot = (uint32_t)((words[1] - 1) % TT_TRACK_CHUNK);
    }
    return peak;
}

/* `peak` takes over what is greater, or as great and earlier. */
static void take(struct tt_track_max *peak, struct tt_track_max other)
{
    if (!other.any) {
        return;
    }
    bool earlier = other.place.chunk != peak->place.chunk ? other.place.chunk < peak->place.chunk
                                                          : other.place.slot < peak->place.slot;
    if (!peak->any || other.key > peak->key || (other.key == peak->key && earlier)) {
        *peak = other;
    }
}

void tt_track_maxima_put(const struct tt_track_maxima *peaks, uint64_t *sums)
{
    struct tt_track_max group = peaks->group;
    take(&group, peaks->chunk);
    sums[0] = peaks->chunk.key;
    sums[1] = pack(&peaks->chunk);
    sums[2] = group.key;
    sums[3] = pack(&group);
}

void tt_track_maxima_begin_chunk(struct tt_track_maxima *peaks, uint32_t chunk)
{
    take(&peaks->group, peaks->chunk);
    memset(&peaks->chunk, 0, sizeof peaks->chunk);
    if (chunk % GROUP == 0) {
        memset(&peaks->group, 0, sizeof peaks->group);
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
    /* What is left of the first chunk, if it is not taken as a whole. */
    for (; more && at.chunk < whole && at.chunk <= last.chunk; more = tt_track_next(track, &at)) {
        if (at.chunk == last.chunk && at.slot > last.slot) {
            return best;
        }
        struct tt_track_max peak = {.place = at};
        peak.any = key_of(owner, at, &peak.key);
        take(&best, peak);
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
        struct tt_track_max peak = unpack(sums + sum + (all ? 2 : 0));
        /* What a damaged file says may be nowhere. */
        peak.any = peak.any && peak.place.chunk < end && tt_track_has(track, peak.place);
        take(&best, peak);
        end = all ? group : end - 1;
    }
    for (at = (struct tt_track_place){last.chunk, 0}; at.slot <= last.slot; at.slot++) {
        struct tt_track_max peak = {.place = at};
        peak.any = key_of(owner, at, &peak.key);
        take(&best, peak);
    }
    return best;
}
