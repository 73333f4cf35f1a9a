/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_track: saves tracks in the sections of an index cache (base/section_file.h), and restores
 * them.
 *
 *      TT_SECTION_TRACKS      | chunks of a track | directory | chunks | directory | ... |
 *                                                   8-byte aligned          zeros --^
 *      TT_SECTION_TIMELINES   ... | chunks: 32 | if chunks > 0: position of directory: 64 | ...
 *
 * Sections are written one after the other, so the positions of the directories are stored in
 * between. Both sections visit the same tracks in the same order. The last track is followed by as
 * many zeros as the largest chunk has bytes: whatever a chunk contains, nothing beyond the section
 * is read (see track_pack.h).
 *
 * Plain data of one thread.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_TRACK_H
#define TRACETUI_TRACE_CACHE_SAVE_TRACK_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

/* Position of the directory of a track that has chunks. */
struct tt_track_saved {
    const struct tt_track *track;
    uint64_t place;
};

/* The tracks while they are saved. */
struct tt_tracks_saved {
    struct tt_section_writer *w;
    struct tt_track_saved *places;
    uint32_t count;
    uint32_t capacity;
    uint32_t next; /* next one whose position is written */
    bool no_memory;
};

/* Writes a track's chunks and directory, and stores their position. */
void tt_track_save(struct tt_tracks_saved *saved, const struct tt_track *track);
/* Writes the zeros that follow the last track. */
void tt_tracks_end(struct tt_tracks_saved *saved);
/* Writes the position of the next saved track. */
void tt_track_put_place(struct tt_tracks_saved *saved, const struct tt_track *track);

/* Restores a track from its position into a new track. Returns false if there is no such track. */
bool tt_track_restore_at(struct tt_reader *r, const struct tt_section *tracks,
                         struct tt_track *track);

/*
 * Returns the directory of `chunks` chunks at a position in the section; NULL if there is none or
 * it is inconsistent.
 */
const struct tt_track_directory *tt_track_directory_at(const struct tt_section *tracks,
                                                       uint64_t place, uint64_t chunks);

/* ---- slices and counters ------------------------------------------------------------------- */

/* Handles one track: tt_track_save or tt_track_put_place. */
typedef void tt_track_visitor(struct tt_tracks_saved *saved, const struct tt_track *track);

/* Slices: visits all tracks; saves the lanes and rows; restores them. */
void tt_slices_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                     tt_track_visitor *visit);
void tt_slices_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_slices_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_slices_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                              const struct tt_section *tracks);

/* Returns whether each row above another is later and one deeper: the links then form no cycle. */
bool tt_slices_are_chains(const struct tt_timelines *t);
/* Returns whether the `link` of a lane is 0 or that of a first row of this kind. */
bool tt_slices_is_first_row(const struct tt_timelines *t, uint32_t link, uint32_t thread,
                            bool async);

/* The same for counters. */
void tt_counters_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit);
void tt_counters_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_counters_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_counters_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                const struct tt_section *tracks);

/*
 * The same for messages; tt_messages_save and tt_messages_restore also serve unfinished timelines.
 */
void tt_messages_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit);
void tt_messages_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_messages_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_messages_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                const struct tt_section *tracks);

/*
 * The same for objects. tt_objects_save_builder writes what only unfinished timelines need, and
 * follows tt_objects_save.
 */
void tt_objects_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                      tt_track_visitor *visit);
void tt_objects_save(const struct tt_timelines *t, struct tt_section_writer *w);
void tt_objects_save_builder(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_objects_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_objects_restore_builder(struct tt_timelines *t, struct tt_reader *r);
bool tt_objects_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                               const struct tt_section *tracks);

#endif
