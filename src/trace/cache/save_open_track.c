/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/save_open_track.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/cache/save_track.h"
#include "trace/track/track_pack.h"

/* ---- saving --------------------------------------------------------------------------------- */

void tt_open_tracks_free(struct tt_open_tracks *open)
{
    free(open->tracks);
    *open = (struct tt_open_tracks){0};
}

static bool list_track(struct tt_open_tracks *open, const struct tt_track *track)
{
    const struct tt_track **tracks = tt_array_grow_32(open->tracks, open->count, &open->capacity,
                                                      sizeof(const struct tt_track *));
    if (tracks) {
        open->tracks = tracks;
        tracks[open->count++] = track;
    }
    return tracks != NULL;
}

bool tt_open_track_save(struct tt_open_tracks *open, const struct tt_track *track,
                        struct tt_section_writer *w)
{
    struct tt_pack_items items;
    uint64_t chunks = tt_pack_tail(track, &items);
    tt_section_put_u32(w, (uint32_t)chunks);
    tt_section_put_u32(w, items.count);
    if (items.count > 0 && items.wide) {
        tt_section_put_u32(w, items.more[items.count - 1]);
    }
    return items.count == 0 || list_track(open, track);
}

/* Finished timelines have all these tracks in the same order, with others in between. */
void tt_open_tracks_put_places(const struct tt_open_tracks *open, struct tt_tracks_saved *saved)
{
    for (uint32_t i = 0, at = 0; i < open->count; i++, at++) {
        while (at < saved->count && saved->places[at].track != open->tracks[i]) {
            at++;
        }
        tt_section_put_u64(saved->w, at < saved->count ? saved->places[at].place : UINT64_MAX);
    }
}

/* ---- restoring ------------------------------------------------------------------------------ */

/* Reads the first items of chunk `chunks` of the finished track, which has the type of `track`. */
static bool take_items(const struct tt_track_directory *directory, const struct tt_track *track,
                       uint32_t chunks, struct tt_pack_items *items)
{
    struct tt_track finished;
    struct tt_track_page page;
    tt_track_init(&finished, track->sum_count);
    finished.wide = track->wide;
    tt_track_restore(&finished, directory, chunks + UINT64_C(1));
    tt_track_load(&finished, chunks, TT_TRACK_CHUNK, &page);
    if (items->count > page.count) {
        return false;
    }
    items->base = page.base;
    memcpy(items->delta, page.delta, items->count * sizeof *items->delta);
    memcpy(items->value, page.value, items->count * sizeof *items->value);
    if (items->wide) {
        tt_track_load_more(&finished, &page, items->count, items->more);
    }
    tt_track_sums(&finished, (struct tt_track_place){chunks, 0}, items->sums);
    return true;
}

static bool ascends(const struct tt_pack_items *items)
{
    for (uint32_t i = 1; i < items->count; i++) {
        if (items->delta[i] < items->delta[i - 1]) {
            return false;
        }
    }
    return true;
}

bool tt_open_track_restore(struct tt_reader *r, struct tt_reader *places,
                           struct tt_track_store *tracks, struct tt_arena *arena,
                           struct tt_track *track)
{
    uint32_t chunks = tt_read_u32(r);
    struct tt_pack_items items = {.count = tt_read_u32(r), .wide = track->wide};
    if (items.count == 0) {
        /* There is always an unpacked item after the packed ones: readers use its time. */
        return !r->failed && chunks == 0;
    }
    uint32_t more = items.wide ? tt_read_u32(r) : 0;
    uint64_t place = tt_read_u64(places);
    const struct tt_track_directory *directory =
        r->failed || places->failed
            ? NULL
            : tt_track_store_directory(tracks, place, chunks + UINT64_C(1), track);
    if (!directory || !take_items(directory, track, chunks, &items) || !ascends(&items)) {
        return false;
    }
    items.sum_count = chunks > 0 ? track->sum_count : 0;
    items.more[items.count - 1] = more;
    return tt_pack_open(track, arena, directory, chunks, &items);
}
