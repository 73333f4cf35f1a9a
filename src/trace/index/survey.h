/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey: reads the events of each decoded part once, for all that indexing needs of them: counts by
 * type, the range of their keys, their checksum, and the watermark of their streams.
 *
 *      indexing thread                                   publishing thread, or the same
 *      decode -> events  -> survey -> range, sum   ->    block list, runs
 *                           counts by type -> readers
 *             -> actions                           ->    timelines
 *
 * So events never leave the CPU that decoded them: a second thread gets the range of a part instead
 * of 32 bytes per event (index/publish.h). Blocks are decoded again when their events are read.
 *
 * One thread, the indexing thread; readers see the counts in index->type_counts.
 */
#ifndef TRACETUI_TRACE_INDEX_SURVEY_H
#define TRACETUI_TRACE_INDEX_SURVEY_H

#include "trace/index/index.h"
#include "trace/index/watermark.h"

struct tt_survey {
    struct tt_index *index;
    uint64_t *counts; /* by type, not yet shown to readers */
    uint32_t count_capacity;
    uint32_t parts; /* since the counts were shown */
    /* The events of the current block so far; keys are valid if there are any. */
    struct tt_key first;
    struct tt_key last;
    uint64_t sum; /* checksum, if the file may change; else 0 */
    /* While following a file. */
    struct tt_watermark watermark;
    uint64_t final_ticks; /* all events before this time have arrived, except the late ones */
    uint64_t late;        /* events that arrived after the watermark had passed their time */
};

/* The events of one part. */
struct tt_surveyed {
    uint32_t derived; /* derived events among them */
    bool ascending;   /* their keys, and none is before the largest one of the block so far */
};

void tt_survey_init(struct tt_survey *survey, struct tt_index *index);
void tt_survey_free(struct tt_survey *survey);

/*
 * Reads the `count` events of a part, at least one; `begins`: they are the first ones of a block. Returns
 * false when out of memory. O(events).
 */
bool tt_survey_read(struct tt_survey *survey, const struct tt_event *events, uint32_t count,
                    bool begins, struct tt_surveyed *surveyed);
/*
 * Shows the counts by type to readers; tt_survey_read also does so now and then. Returns false when out
 * of memory.
 */
bool tt_survey_show_counts(struct tt_survey *survey);

#endif
