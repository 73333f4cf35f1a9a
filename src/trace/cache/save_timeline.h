/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_keep (internal): timelines into a kept file (base/section_file.h) and out of it again.
 *
 *      TT_SECTION_TRACKS      for each track its chunks as they are, then its directory
 *      TT_SECTION_TIMELINES   the lanes: where in there the directory of each of their tracks is
 *
 * A chunk holds no pointer, and a directory says how far from itself each chunk is. So both are
 * used where they are mapped: what is copied on the way back are the lanes.
 *
 * What is restored answers everything as what was kept, and is never fed. Any bytes are either
 * refused or give timelines that may be wrong, and do no harm: the place and shape of every chunk
 * is checked here; the numbers in it are where they are read.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_TIMELINE_H
#define TRACETUI_TRACE_CACHE_SAVE_TIMELINE_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

struct tt_open_tracks;

/*
 * Writes both sections. The timelines are whole: no one feeds them any more. Any thread. `open`:
 * some of their tracks, whose chunks are to be found again (cache/save_lanes.h), or NULL.
 */
void tt_timelines_save(const struct tt_timelines *t, const struct tt_open_tracks *open,
                       struct tt_section_writer *w);

/*
 * The timelines of a capture whose tables are restored; NULL when it makes no sense, or out of
 * memory. The sections were found sound, and stay mapped as long as the timelines are used.
 * O(lanes + chunks).
 */
struct tt_timelines *tt_timelines_restore(struct tt_capture *c, const struct tt_section *timelines,
                                          const struct tt_section *tracks);

#endif
