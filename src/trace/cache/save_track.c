/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring tracks. */
#include "trace/cache/save_track.h"

#include <stdlib.h>

#include "base/array.h"
#include "trace/timeline/track_pack.h"

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

static void put_chunks(struct tt_tracks_saved *saved, const struct tt_track *track, uint64_t chunks)
{
    uint8_t scratch[TT_PACK_MOST];
    for (uint64_t i = 0; i < chunks; i++) {
        struct tt_track_entry entry;
        size_t size;
        const uint8_t *bytes = tt_pack_chunk(track, i, &entry, &size, scratch);
        tt_section_put(saved->w, bytes, size);
    }
}

/* Copies the track's entries, with the distances of the chunks measured from `directory`. */
static void put_directory(struct tt_tracks_saved *saved, const struct tt_track *track,
                          uint64_t chunks, uint64_t first_chunk)
{
    uint8_t scratch[TT_PACK_MOST];
    uint64_t directory = tt_section_at(saved->w), place = first_chunk;
    struct tt_track_directory head = {.older = NULL, .first = 0};
    tt_section_put(saved->w, &head, sizeof head);
    for (uint64_t i = 0; i < chunks; i++) {
        struct tt_track_entry entry;
        size_t size;
        tt_pack_chunk(track, i, &entry, &size, scratch);
        tt_pack_set_distance(&entry, place - directory);
        tt_section_put(saved->w, &entry, sizeof entry);
        place += size;
    }
}

void tt_track_save(struct tt_tracks_saved *saved, const struct tt_track *track)
{
    uint64_t chunks = tt_track_chunks(track);
    if (chunks == 0 || tt_section_failed(saved->w)) {
        return;
    }
    uint64_t first_chunk = tt_section_at(saved->w);
    put_chunks(saved, track, chunks);
    tt_section_align(saved->w);
    remember(saved, track, tt_section_at(saved->w));
    put_directory(saved, track, chunks, first_chunk);
}

void tt_tracks_end(struct tt_tracks_saved *saved)
{
    static const uint8_t zeros[TT_PACK_MOST];
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

/*
 * Returns whether every chunk is inside the section and has a possible layout, and whether their
 * times and item numbers ascend.
 */
static bool entries_are_sound(const struct tt_track_entry *entries, uint32_t count,
                              uint64_t directory, uint64_t size)
{
    uint64_t last = size - TT_PACK_MOST, base = 0, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_track_entry *entry = &entries[i];
        bool follows = tt_pack_first(entry) == first && entry->base >= base;
        bool inside = directory + tt_pack_distance(entry) <= last;
        if (!follows || !inside || !tt_pack_is_possible(entry)) {
            return false;
        }
        base = entry->base;
        first += tt_pack_count(entry);
    }
    return true;
}

const struct tt_track_directory *tt_track_directory_at(const struct tt_section *tracks,
                                                       uint64_t place, uint64_t chunks)
{
    uint64_t size = tracks->bytes.size;
    const struct tt_track_directory *directory;
    if (size < TT_PACK_MOST || place > size || place % 8 != 0 || chunks > UINT32_MAX ||
        size - place < sizeof *directory ||
        (size - place - sizeof *directory) / sizeof directory->entries[0] < chunks ||
        (uintptr_t)tracks->bytes.data % 8 != 0) {
        return NULL;
    }
    directory = (const void *)(tracks->bytes.data + place);
    bool sound = !directory->older && directory->first == 0 &&
                 entries_are_sound(directory->entries, (uint32_t)chunks, place, size);
    return sound ? directory : NULL;
}

bool tt_track_restore_at(struct tt_reader *r, const struct tt_section *tracks,
                         struct tt_track *track)
{
    uint32_t chunks = tt_read_u32(r);
    if (chunks == 0) {
        return !r->failed;
    }
    uint64_t place = tt_read_u64(r);
    const struct tt_track_directory *directory =
        r->failed ? NULL : tt_track_directory_at(tracks, place, chunks);
    if (directory) {
        tt_track_restore(track, directory, chunks);
    }
    return directory != NULL;
}
