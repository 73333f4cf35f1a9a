/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_open_track: saves the tracks of unfinished timelines, and restores them so that items can be
 * appended again.
 *
 *      TT_SECTION_OPEN_LANES   ... | packed chunks: 32 | items: 32 | second value of the last item,
 *                              if wide: 32 | ...
 *      TT_SECTION_OPEN_PLACES  position of the finished track's directory: 64, if it has items
 *
 * Items never change, and neither do packed chunks: the finished track begins with the packed
 * chunks, and its next chunk begins with the items. Only the second value of the last item may have
 * changed since.
 *
 * Plain data of one thread.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_OPEN_TRACK_H
#define TRACETUI_TRACE_CACHE_SAVE_OPEN_TRACK_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

/* The tracks that had items when they were recorded, in the order of recording. */
struct tt_open_tracks {
    const struct tt_track **tracks; /* borrowed from the timelines */
    uint32_t count;
    uint32_t capacity;
};

void tt_open_tracks_free(struct tt_open_tracks *open);

/*
 * Records a track in the current section, and lists it if it has items. Returns false when out of
 * memory.
 */
bool tt_open_track_save(struct tt_open_tracks *open, const struct tt_track *track,
                        struct tt_section_writer *w);

struct tt_track_store;
struct tt_tracks_saved;
/* Writes the positions of the listed tracks, which are all saved. */
void tt_open_tracks_put_places(const struct tt_open_tracks *open, struct tt_tracks_saved *saved);

/*
 * Restores a recorded track into a new one, which refers to chunks in the section of tracks.
 * `places` reads the positions. Returns false if the bytes are inconsistent, or if out of memory.
 */
bool tt_open_track_restore(struct tt_reader *r, struct tt_reader *places,
                           struct tt_track_store *tracks, struct tt_arena *arena,
                           struct tt_track *track);

#endif
