/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_timeline: saves finished timelines in an index cache (base/section_file.h), and restores
 * them.
 *
 *      TT_SECTION_TRACKS      the frames of all chunks (track/track_store.h)
 *      TT_SECTION_TIMELINES   the lanes, each with the directories of its tracks
 *
 * Restored timelines return the same results as the saved ones; no actions are added to them.
 * Invalid bytes are either rejected or result in timelines that may be wrong, but are safe to read:
 * the position and the number of items of every chunk are checked here, its numbers when they are read.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_TIMELINE_H
#define TRACETUI_TRACE_CACHE_SAVE_TIMELINE_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

/* Writes both sections of finished timelines, which are no longer fed. Any thread. */
void tt_timelines_save(const struct tt_timelines *timelines, struct tt_section_writer *writer);

/*
 * Returns the timelines of a capture whose tables are restored; NULL if the sections are
 * inconsistent or out of memory. Their checksums have been verified, and they stay mapped while the
 * timelines are used. O(lanes + chunks).
 */
struct tt_timelines *tt_timelines_restore(struct tt_capture *capture,
                                          const struct tt_section *timelines,
                                          const struct tt_section *tracks);

#endif
