/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring tracks. */
#include "trace/cache/save_track.h"

#include <string.h>

#include "base/array.h"
#include "base/varint.h"

/* ---- writing ------------------------------------------------------------------------------- */

static void remember(struct tt_tracks_saved *saved, const struct tt_track *track, uint64_t place)
{
    struct tt_track_saved *places =
        tt_array_grow_32(saved->places, saved->count, &saved->capacity, sizeof *saved->places);
    if (!places) {
        saved->no_memory = true;
        return;
    }
    saved->places = places;
    places[saved->count++] = (struct tt_track_saved){track, place};
}

/* Collects a chunk and its sums. */
static void take_chunk(const struct tt_track *track, uint64_t chunk, struct tt_pack_items *items)
{
    struct tt_track_page page;
    tt_track_load(track, (uint32_t)chunk, TT_TRACK_CHUNK, &page);
    items->base = page.base;
    items->first = page.first;
    items->count = page.count < TT_TRACK_CHUNK ? page.count : TT_TRACK_CHUNK;
    items->sum_count = chunk > 0 ? track->sum_count : 0;
    items->wide = track->wide;
    memcpy(items->delta, page.delta, items->count * sizeof *items->delta);
    memcpy(items->value, page.value, items->count * sizeof *items->value);
    if (track->wide) {
        tt_track_load_more(track, &page, TT_TRACK_CHUNK, items->more);
    }
    tt_track_sums(track, (struct tt_track_place){(uint32_t)chunk, 0}, items->sums);
}

static void put_entry(struct tt_section_writer *directory, const struct tt_pack_items *items,
                      uint64_t chunk, uint64_t since, size_t size)
{
    bool odd = items->count != tt_track_capacity(chunk);
    tt_varint_put(directory, since);
    tt_varint_put(directory, (uint64_t)size << 1 | odd);
    if (odd) {
        tt_varint_put(directory, items->count);
    }
}

/* Writes the codes of the chunks, and collects the directory. */
static void put_chunks(struct tt_tracks_saved *saved, const struct tt_track *track, uint64_t chunks,
                       struct tt_section_writer *directory)
{
    const struct tt_code_refs *refs = saved->is_states ? &saved->refs : NULL;
    uint64_t sums[TT_TRACK_SUMS_MAX], base = 0;
    for (uint64_t i = 0; i < chunks && !tt_section_failed(saved->w); i++) {
        struct tt_pack_items items;
        struct tt_track_entry entry;
        uint8_t code[TT_CODE_MOST], packed[TT_PACK_MOST];
        size_t unpacked;
        tt_pack_chunk(track, i, &entry, &unpacked, packed);
        saved->unpacked += unpacked;
        take_chunk(track, i, &items);
        if (i % TT_STORE_GROUP == 0) {
            memset(sums, 0, sizeof sums);
        }
        size_t size = tt_code_put(&items, sums, refs, code);
        tt_section_put(saved->w, code, size);
        put_entry(directory, &items, i, items.base - base, size);
        memcpy(sums, items.sums, items.sum_count * sizeof *sums);
        base = items.base;
    }
}

/* Counts a bound instead of a track's codes, which are about half as long as its chunks. */
static void count_chunks(struct tt_tracks_saved *saved, const struct tt_track *track,
                         uint64_t chunks)
{
    uint8_t scratch[TT_PACK_MOST];
    for (uint64_t i = 0; i < chunks; i++) {
        struct tt_track_entry entry;
        size_t size;
        const uint8_t *bytes = tt_pack_chunk(track, i, &entry, &size, scratch);
        tt_section_put(saved->w, bytes, size);
    }
}

void tt_track_save(struct tt_tracks_saved *saved, const struct tt_track *track)
{
    uint64_t chunks = tt_track_chunks(track);
    if (chunks == 0 || tt_section_failed(saved->w)) {
        return;
    }
    if (tt_section_counts(saved->w)) {
        count_chunks(saved, track, chunks);
        remember(saved, track, tt_section_at(saved->w));
        return;
    }
    struct tt_section_writer *directory = tt_section_writer_gathering();
    if (!directory) {
        saved->no_memory = true;
        return;
    }
    tt_varint_put(directory, chunks);
    put_chunks(saved, track, chunks, directory);
    saved->no_memory = saved->no_memory || tt_section_failed(directory);
    if (!saved->no_memory) {
        struct tt_bytes entries = tt_section_gathered(directory);
        remember(saved, track, tt_section_at(saved->w));
        tt_section_put(saved->w, entries.data, (size_t)entries.size);
    }
    tt_section_writer_free(directory);
}

/* Returns the position of a saved track; 0 if it has no chunks. */
static uint64_t place_of(const struct tt_tracks_saved *saved, const struct tt_track *track)
{
    for (uint32_t i = saved->count; i-- > 0;) {
        if (saved->places[i].track == track) {
            return saved->places[i].place;
        }
    }
    return 0;
}

void tt_tracks_end(struct tt_tracks_saved *saved)
{
    static const uint8_t zeros[TT_CODE_AFTER];
    for (uint32_t i = 0; i < saved->refs.count; i++) {
        tt_section_put_u64(saved->w, place_of(saved, saved->refs.occupants[i]));
        tt_section_put_u64(saved->w, tt_track_chunks(saved->refs.occupants[i]));
    }
    tt_section_put_u64(saved->w, saved->refs.count);
    tt_section_put_u64(saved->w, saved->unpacked);
    tt_section_put(saved->w, zeros, sizeof zeros);
}

void tt_track_put_place(struct tt_tracks_saved *saved, const struct tt_track *track)
{
    uint64_t chunks = tt_track_chunks(track);
    tt_section_put_u32(saved->w, (uint32_t)chunks);
    if (chunks > 0) {
        uint64_t place = saved->next < saved->count ? saved->places[saved->next].place : 0;
        saved->next++;
        tt_section_put_u64(saved->w, place);
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

bool tt_track_restore_at(struct tt_reader *r, struct tt_track_store *tracks, struct tt_track *track)
{
    uint32_t chunks = tt_read_u32(r);
    if (chunks == 0) {
        return !r->failed;
    }
    uint64_t place = tt_read_u64(r);
    const struct tt_track_directory *directory =
        r->failed ? NULL : tt_track_store_directory(tracks, place, chunks, track);
    if (directory) {
        tt_track_restore(track, directory, chunks);
    }
    return directory != NULL;
}
