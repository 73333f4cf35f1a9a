/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, keys and checksums of decoded events. */
#include "trace/index/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Parts after which the counts by type are shown. */
#define SHOW_PARTS 256u

void tt_survey_init(struct tt_survey *survey, struct tt_index *index)
{
    *survey = (struct tt_survey){.index = index};
    survey->watermark.announced = index->capture->streams;
}

void tt_survey_free(struct tt_survey *survey)
{
    tt_watermark_free(&survey->watermark);
    free(survey->counts);
}

/* ---- counts by type ----------------------------------------------------------------------- */

bool tt_survey_show_counts(struct tt_survey *survey)
{
    struct tt_column *column = &survey->index->type_counts;
    survey->parts = 0;
    for (uint32_t type = 0; type < survey->count_capacity; type++) {
        while (tt_column_count(column) <= type) {
            if (!tt_column_next(column)) {
                return false;
            }
            tt_column_publish(column);
        }
        if (survey->counts[type] != 0) {
            _Atomic uint64_t *count = tt_column_at(column, type);
            atomic_store_explicit(count, survey->counts[type], memory_order_relaxed);
        }
    }
    return true;
}

/* ---- keys and counts ---------------------------------------------------------------------- */

/*
 * Counts events by type and extends the current block's range of keys by them, in one pass. The keys
 * usually ascend.
 */
static struct tt_surveyed survey_measure(struct tt_survey *survey, const struct tt_event *events,
                                         uint32_t count)
{
    uint64_t *counts = survey->counts;
    const uint32_t types = survey->count_capacity;
    uint64_t last_ticks = survey->last.ticks, last_pos = survey->last.pos;
    uint32_t back = 0, derived = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t ticks = events[i].ticks, pos = events[i].pos;
        const uint32_t type = events[i].type;
        if (type < types) {
            counts[type]++;
        }
        derived += (events[i].flags & TT_EVENT_UNNUMBERED) != 0;
        if (ticks > last_ticks || (ticks == last_ticks && pos >= last_pos)) {
            last_ticks = ticks;
            last_pos = pos;
        } else {
            struct tt_key key = {ticks, pos};
            survey->first = tt_key_before(key, survey->first) ? key : survey->first;
            back++;
        }
    }
    survey->last = (struct tt_key){last_ticks, last_pos};
    return (struct tt_surveyed){derived, back == 0};
}

bool tt_survey_read(struct tt_survey *survey, const struct tt_event *events, uint32_t count,
                    bool begins, struct tt_surveyed *surveyed)
{
    /* Makes room for the counts of all known types. */
    uint32_t types = tt_types_count(survey->index->capture);
    if (types > survey->count_capacity) {
        uint32_t capacity = types < 512 ? 1024 : types * 2;
        uint64_t *counts = realloc(survey->counts, capacity * sizeof *counts);
        if (!counts) {
            return false;
        }
        memset(counts + survey->count_capacity, 0,
               (capacity - survey->count_capacity) * sizeof *counts);
        survey->counts = counts;
        survey->count_capacity = capacity;
    }
    if (!(++survey->parts < SHOW_PARTS || tt_survey_show_counts(survey))) {
        return false;
    }

    if (begins) {
        survey->first = survey->last = (struct tt_key){events[0].ticks, events[0].pos};
        survey->sum = 0;
    }
    *surveyed = survey_measure(survey, events, count);
    if (!survey->index->follows) {
        return true;
    }

    /*
     * ---- a file that may change ---------------------------------------------------------------
     */
    for (uint32_t i = 0; i < count; i++) {
        survey->sum = tt_event_sum(survey->sum, &events[i]);
    }

    const struct tt_capture *capture = survey->index->capture;
    uint64_t now = tt_now_ms();
    for (uint32_t i = 0; i < count; i++) {
        survey->late += events[i].ticks < survey->final_ticks;
        uint32_t stream = tt_capture_stream(capture, &events[i]);
        if (!tt_watermark_advance(&survey->watermark, stream, events[i].ticks, now)) {
            return false;
        }
    }
    return true;
}
