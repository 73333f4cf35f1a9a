/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_keep (internal): timelines into a kept file (base/keep.h) and out of it again.
 *
 *      TT_KEEP_TRACKS      for each track its chunks as they are, then its directory
 *      TT_KEEP_TIMELINES   the lanes: where in there the directory of each of their tracks is
 *
 * A chunk holds no pointer, and a directory says how far from itself each chunk is. So both are
 * used where they are mapped: what is copied on the way back are the lanes.
 *
 * What is restored answers everything as what was kept, and is never fed. Any bytes are either
 * refused or give timelines that may be wrong, and do no harm: the place and shape of every chunk
 * is checked here; the numbers in it are where they are read.
 */
#ifndef TT_TRACE_TIMELINE_KEEP_H
#define TT_TRACE_TIMELINE_KEEP_H

#include "base/keep.h"
#include "trace/timeline.h"

struct tt_open_tracks;

/*
 * Writes both sections. The timelines are whole: no one feeds them any more. Any thread. `open`:
 * some of their tracks, whose chunks are to be found again (lanes_keep.h), or NULL.
 */
void tt_timelines_keep(const struct tt_timelines *t, const struct tt_open_tracks *open,
                       struct tt_keep_writer *w);

/*
 * The timelines of a capture whose tables are restored; NULL when it makes no sense, or out of
 * memory. The sections were found sound, and stay mapped as long as the timelines are used.
 * O(lanes + chunks).
 */
struct tt_timelines *tt_timelines_restore(struct tt_capture *c,
                                          const struct tt_keep_section *timelines,
                                          const struct tt_keep_section *tracks);

#endif
