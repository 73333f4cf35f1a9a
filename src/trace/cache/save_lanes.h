/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_lanes: saves unfinished timelines in an index cache (base/section_file.h), and restores them
 * so that actions can be added again.
 *
 *      TT_SECTION_OPEN_LANES    state of the lanes' builder, without the items of tracks
 *      TT_SECTION_OPEN_PLACES   u64 per track with items: position of its directory in ...
 *      TT_SECTION_TRACKS        ... the codes of the finished timelines (track/track_store.h)
 *
 * The first two sections are packed (base/section_file.h).
 *
 * Since the capture may grow, the state is recorded once when no complete record is left. Then the
 * actions in the reorder buffer are added and the finished timelines are written. Packed chunks
 * never change, so each finished track begins with the recorded chunks and the items after them,
 * and the file has every item once.
 *
 * Invalid bytes are either rejected or result in timelines that may be wrong, but to which actions
 * can be added safely.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_LANES_H
#define TRACETUI_TRACE_CACHE_SAVE_LANES_H

#include "base/section_file.h"
#include "trace/cache/save_open_track.h"
#include "trace/timeline/timeline.h"

/* Records the lanes in the current section. Indexing thread. Returns false if out of memory. */
bool tt_lanes_save(const struct tt_timelines *t, struct tt_open_tracks *open,
                   struct tt_section_writer *w);

/*
 * Returns the recorded timelines, to which actions can be added; NULL if the sections are
 * inconsistent or out of memory. The capture's tables are those of the same time. The sections were
 * opened (tt_section_open), and the tracks stay mapped.
 */
struct tt_timelines *tt_lanes_restore(struct tt_capture *c, const struct tt_section *lanes,
                                      const struct tt_section *places,
                                      const struct tt_section *tracks);

#endif
