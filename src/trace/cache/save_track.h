/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_track: saves tracks in the sections of an index cache (base/section_file.h), and restores
 * them.
 *
 *      TT_SECTION_TRACKS      the codes of all chunks (track/track_store.h)
 *      TT_SECTION_TIMELINES   ... | chunks: 32 | if chunks > 0: position of directory: 64 | ...
 *
 * Sections are written one after the other, so the positions of the directories are stored in
 * between. Both sections visit the same tracks in the same order.
 *
 * Plain data of one thread.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_TRACK_H
#define TRACETUI_TRACE_CACHE_SAVE_TRACK_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"
#include "trace/track/track_code.h"
#include "trace/track/track_store.h"

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
    bool is_states;    /* the next track has the states of a thread */
    uint64_t unpacked; /* size of all chunks */
    struct tt_code_refs refs;
};

/* Writes a track's codes and directory, and stores its position. */
void tt_track_save(struct tt_tracks_saved *saved, const struct tt_track *track);
/* Writes the end of the section. */
void tt_tracks_end(struct tt_tracks_saved *saved);
/* Writes the position of the next saved track. */
void tt_track_put_place(struct tt_tracks_saved *saved, const struct tt_track *track);

/* Restores a track from its position into a new track. Returns false if there is no such track. */
bool tt_track_restore_at(struct tt_reader *r, struct tt_track_store *tracks,
                         struct tt_track *track);

/* ---- slices and counters ------------------------------------------------------------------- */

/* Handles one track: tt_track_save or tt_track_put_place. */
typedef void tt_track_visitor(struct tt_tracks_saved *saved, const struct tt_track *track);

/* Visit all tracks of slices, save the lanes and rows, and restore them. */
void tt_slices_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                     tt_track_visitor *visit);
void tt_slices_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_slices_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_slices_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                              struct tt_track_store *tracks);

/* Do the same for counters. */
void tt_counters_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit);
void tt_counters_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_counters_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_counters_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                struct tt_track_store *tracks);

/* Do the same for messages. */
void tt_messages_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit);
void tt_messages_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_messages_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_messages_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                struct tt_track_store *tracks);

/* Do the same for objects. */
void tt_objects_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                      tt_track_visitor *visit);
void tt_objects_save(const struct tt_timelines *t, struct tt_section_writer *w);
bool tt_objects_restore(struct tt_timelines *t, struct tt_reader *r);
bool tt_objects_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                               struct tt_track_store *tracks);

#endif
