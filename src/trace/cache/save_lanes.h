/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_keep (internal): timelines that will be fed again, into a kept file (base/section_file.h) and out
 * of it.
 *
 *      TT_SECTION_OPEN_LANES    what the builder of the lanes knows, and the items that are not packed
 *      TT_SECTION_OPEN_PLACES   u64 for each track that has packed chunks: where its directory is ...
 *      TT_SECTION_TRACKS        ... here, among the chunks of the finished timelines (cache/save_timeline.h)
 *
 * The file that timelines are made of may grow, so they are noted once when nothing whole is left
 * in it. Then it is taken as finished: what was held back is fed, and they are written. Packed
 * chunks never change, so the finished tracks begin with those that there were before, and the
 * chunks stand in the file once. What was noted is small: at most a chunk's items a track.
 *
 * As everything in a kept file: any bytes are refused or give timelines that may be wrong, can be
 * fed, and do no harm.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_LANES_H
#define TRACETUI_TRACE_CACHE_SAVE_LANES_H

#include "base/section_file.h"
#include "trace/timeline/timeline.h"

/* Those tracks that had packed chunks when they were noted, in the order in which they were. */
struct tt_open_tracks {
    const struct tt_track **tracks; /* of the timelines */
    uint32_t count;
    uint32_t capacity;
};

void tt_open_tracks_free(struct tt_open_tracks *open);

/* Notes them in the section at hand. The builder's thread. False when out of memory. */
bool tt_lanes_save(const struct tt_timelines *t, struct tt_open_tracks *open,
                   struct tt_section_writer *w);

struct tt_tracks_saved;
/* Puts the places of the noted ones, all of whose tracks were kept by now. */
void tt_open_tracks_tell(const struct tt_open_tracks *open, struct tt_tracks_saved *kept);

/*
 * The timelines as they were noted, which may be fed; NULL when it makes no sense, or out of
 * memory. The capture's tables are those of that time. The sections were found sound, and stay
 * mapped.
 */
struct tt_timelines *tt_lanes_restore(struct tt_capture *c, const struct tt_section *lanes,
                                      const struct tt_section *places,
                                      const struct tt_section *tracks);

/* Can an action be fed to timelines of this capture? What is read out of a file may be anything. */
bool tt_lanes_take(const struct tt_capture *c, const struct tt_action *action);

#endif
