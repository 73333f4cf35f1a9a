/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_keep (internal): tracks in the sections of a kept file (base/section_file.h).
 *
 *      TT_SECTION_TRACKS      | chunks of a track | directory | chunks of the next | directory | ... |
 *                                               at a multiple of 8                 zeros --^
 *      TT_SECTION_TIMELINES   ... | chunks: 32 | place of the directory: 64, if there are chunks | ...
 *
 * Sections are written one after the other, so where the directories are is remembered between the
 * two. Both go through the same tracks in the same order. Behind the last track are as many zeros
 * as a chunk can have bytes: none is read beyond the section, whatever is in it (see track_pack.h).
 *
 * Plain data of one thread.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_TRACK_H
#define TRACETUI_TRACE_CACHE_SAVE_TRACK_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

/* Where the directory of a track that has chunks was put. */
struct tt_track_saved {
    const struct tt_track *track;
    uint64_t place;
};

/* The tracks on their way into a file. */
struct tt_tracks_saved {
    struct tt_section_writer *w;
    struct tt_track_saved *places;
    uint32_t count;
    uint32_t capacity;
    uint32_t next; /* to be told */
    bool no_memory;
};

/* Writes a track's chunks and directory, and remembers where. */
void tt_track_save(struct tt_tracks_saved *kept, const struct tt_track *track);
/* What has to follow the last one. */
void tt_tracks_end(struct tt_tracks_saved *kept);
/* Writes where the track is that was kept as many-th. */
void tt_track_tell(struct tt_tracks_saved *kept, const struct tt_track *track);

/* The opposite of tt_track_tell, into a track that was just made. False: there is no such track. */
bool tt_track_take(struct tt_reader *r, const struct tt_section *tracks, struct tt_track *track);

/* The directory of `chunks` chunks at a place of the section; NULL: there is none, or it is not
 * sound. */
const struct tt_track_directory *tt_track_directory_at(const struct tt_section *tracks,
                                                       uint64_t place, uint64_t chunks);

/* ---- what hangs on the tracks, by kind ----------------------------------------------------- */

/* What is done with each track in turn: tt_track_save or tt_track_tell. */
typedef void tt_track_do(struct tt_tracks_saved *kept, const struct tt_track *track);

/* Slices: `visit` of all tracks; what a lane and a row is; back again. */
void tt_slices_visit(const struct tt_timelines *t, struct tt_tracks_saved *kept,
                     tt_track_do *visit);
void tt_slices_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_slices_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_slices_take_tracks(struct tt_timelines *t, struct tt_reader *r,
                           const struct tt_section *tracks);

/* Does every row above another one come later, one deeper: so that no chain of them is a ring? */
bool tt_slices_are_chains(const struct tt_timelines *t);
/* Is `link` of a lane 0, or that of a first row, which is of this sort? */
bool tt_slices_is_first_row(const struct tt_timelines *t, uint32_t link, uint32_t thread,
                            bool async);

/* The same of counters. */
void tt_counters_visit(const struct tt_timelines *t, struct tt_tracks_saved *kept,
                       tt_track_do *visit);
void tt_counters_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_counters_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_counters_take_tracks(struct tt_timelines *t, struct tt_reader *r,
                             const struct tt_section *tracks);

#endif
