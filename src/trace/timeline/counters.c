/* SPDX-License-Identifier: Apache-2.0 */
/* Counter values over time: building and reading. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

#define SIGN (UINT64_C(1) << 63)

void tt_counter_lanes_init(struct tt_counter_lanes *counters)
{
    tt_column_init(&counters->lanes, sizeof(struct tt_counter_lane));
}

void tt_counter_lanes_free(struct tt_counter_lanes *counters)
{
    tt_column_free(&counters->lanes);
    tt_column_index_free(&counters->lane_at);
    free(counters->known);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool is_nan(uint64_t bits)
{
    return (bits & ~SIGN) > UINT64_C(0x7ff0000000000000);
}

/* Maps a value to a key with the same order. */
static uint64_t key_of_bits(uint64_t bits)
{
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double value_of_key(uint64_t key)
{
    uint64_t bits = key & SIGN ? key & ~SIGN : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_at(const struct tt_track *track, struct tt_track_place place)
{
    return (uint64_t)tt_track_more(track, place) << 32 | tt_track_item(track, place).value;
}

static bool max_key(const void *track, struct tt_track_place place, uint64_t *key)
{
    uint64_t bits = bits_at(track, place);
    *key = key_of_bits(bits);
    return !is_nan(bits);
}

static bool min_key(const void *track, struct tt_track_place place, uint64_t *key)
{
    bool known = max_key(track, place, key);
    *key = ~*key;
    return known;
}

/* ---- filling ------------------------------------------------------------------------------ */

/* Computes the sums after the last value of a track. */
static void sums_after(const struct tt_track *track, uint64_t sums[COUNTER_SUMS])
{
    struct tt_track_place at;
    struct tt_track_page page;
    struct tt_track_maxima max, min;
    uint32_t more[TT_TRACK_CHUNK];
    memset(sums, 0, COUNTER_SUMS * sizeof *sums);
    if (!tt_track_last(track, &at)) {
        return;
    }
    tt_track_sums(track, at, sums);
    tt_track_maxima_resume(&max, &sums[COUNTER_MAX], at.chunk);
    tt_track_maxima_resume(&min, &sums[COUNTER_MIN], at.chunk);
    tt_track_load(track, at.chunk, TT_TRACK_CHUNK, &page);
    tt_track_load_more(track, &page, TT_TRACK_CHUNK, more);
    for (at.slot = 0; at.slot < page.count; at.slot++) {
        uint64_t bits = (uint64_t)more[at.slot] << 32 | page.value[at.slot];
        if (!is_nan(bits)) {
            tt_track_maxima_note(&max, key_of_bits(bits), at);
            tt_track_maxima_note(&min, ~key_of_bits(bits), at);
        }
    }
    tt_track_maxima_put(&max, &sums[COUNTER_MAX]);
    tt_track_maxima_put(&min, &sums[COUNTER_MIN]);
}

static bool begin_chunk(struct tt_timelines *timelines, struct tt_track *values, uint64_t time)
{
    uint64_t sums[COUNTER_SUMS];
    sums_after(values, sums);
    return tt_track_begin_chunk(values, &timelines->arena, time, sums);
}

static inline bool lane_append(struct tt_timelines *timelines, struct tt_counter_lane *lane,
                               uint64_t time, uint64_t bits)
{
    struct tt_track *values = &lane->values;
    if (tt_track_needs_sums(values, time) && !begin_chunk(timelines, values, time)) {
        return false;
    }
    tt_track_put(values, time, (uint32_t)bits, true, (uint32_t)(bits >> 32));
    return true;
}

static bool add_known(struct tt_counter_lanes *counters, struct tt_counter_lane *lane)
{
    uint32_t *known = tt_array_grow(counters->known, counters->known_count,
                                    &counters->known_capacity, sizeof *known);
    if (!known) {
        return false;
    }
    counters->known = known;
    counters->known[counters->known_count++] = lane->series;
    lane->known = true;
    return true;
}

static struct tt_counter_lane *timeline_counters_make_lanes(struct tt_timelines *timelines,
                                                            uint32_t series)
{
    struct tt_counter_lanes *counters = &timelines->counters;
    while (counters->lane_at.count <= series) {
        struct tt_counter_lane *lane = tt_column_next(&counters->lanes);
        if (!lane || !tt_column_index_add(&counters->lane_at, lane, sizeof *lane)) {
            return NULL;
        }
        tt_track_init_wide(&lane->values, COUNTER_SUMS);
        lane->series = counters->lane_at.count - 1;
        tt_column_publish(&counters->lanes);
    }
    return tt_column_index_at(&counters->lane_at, series);
}

static inline bool append_value(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_counter_lanes *counters = &timelines->counters;
    uint32_t series = action->other;
    struct tt_counter_lane *lane = tt_column_index_at(&counters->lane_at, series);
    if (!lane && series >= tt_series_count(timelines->capture)) {
        return true;
    }
    if (!lane && !(lane = timeline_counters_make_lanes(timelines, series))) {
        return false;
    }
    lane->stream = action->state;
    return (lane->known || add_known(counters, lane)) &&
           lane_append(timelines, lane, action->ticks, action->value);
}

bool tt_counters_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    return append_value(timelines, action);
}

#define AHEAD 8u /* values whose lanes are prefetched */

bool tt_counters_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                      const uint16_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upcoming = list[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&timelines->counters.lane_at, actions[upcoming].other);
        if (!append_value(timelines, &actions[list[i]])) {
            return false;
        }
    }
    return true;
}

bool tt_counters_lost(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_counter_lanes *counters = &timelines->counters;
    const uint64_t nan_bits = UINT64_C(0x7ff8000000000000);
    uint64_t from = tt_lost_since(action);
    size_t remaining = 0;
    bool ok = true;
    for (size_t i = 0; i < counters->known_count; i++) {
        struct tt_counter_lane *lane = tt_column_at(&counters->lanes, counters->known[i]);
        if (lane->stream != action->state) {
            counters->known[remaining++] = lane->series;
            continue;
        }
        struct tt_track_place last;
        tt_track_last(&lane->values, &last);
        uint64_t time = tt_track_item(&lane->values, last).time;
        if (!is_nan(bits_at(&lane->values, last))) {
            ok = ok && lane_append(timelines, lane, from > time ? from : time, nan_bits);
        }
        lane->known = false;
    }
    counters->known_count = remaining;
    return ok;
}

/* ---- reading ------------------------------------------------------------------------------ */

static const struct tt_track *timeline_counters_track_of(const struct tt_timelines *timelines,
                                                         uint32_t series)
{
    if (series >= tt_column_count(&timelines->counters.lanes)) {
        return NULL;
    }
    const struct tt_counter_lane *lane = tt_column_at(&timelines->counters.lanes, series);
    return &lane->values;
}

uint32_t tt_counter_series(const struct tt_timelines *timelines)
{
    return (uint32_t)tt_column_count(&timelines->counters.lanes);
}

uint64_t tt_counter_values(const struct tt_timelines *timelines, uint32_t series)
{
    const struct tt_track *track = timeline_counters_track_of(timelines, series);
    return track ? tt_track_count(track) : 0;
}

bool tt_counter_find(const struct tt_timelines *timelines, uint32_t series, uint64_t ticks,
                     struct tt_counter_at *at)
{
    const struct tt_track *track = timeline_counters_track_of(timelines, series);
    struct tt_track_place place;
    if (!track || !tt_track_find(track, ticks, &place)) {
        return false;
    }
    *at = (struct tt_counter_at){series, place.chunk, place.slot};
    return true;
}

bool tt_counter_first(const struct tt_timelines *timelines, uint32_t series,
                      struct tt_counter_at *at)
{
    const struct tt_track *track = timeline_counters_track_of(timelines, series);
    *at = (struct tt_counter_at){.series = series};
    return track && !tt_track_is_empty(track);
}

static bool move(const struct tt_timelines *timelines, struct tt_counter_at *at,
                 bool (*step)(const struct tt_track *, struct tt_track_place *))
{
    const struct tt_track *track = timeline_counters_track_of(timelines, at->series);
    struct tt_track_place place = {at->chunk, at->slot};
    if (!track || !step(track, &place)) {
        return false;
    }
    *at = (struct tt_counter_at){at->series, place.chunk, place.slot};
    return true;
}

bool tt_counter_next(const struct tt_timelines *timelines, struct tt_counter_at *at)
{
    return move(timelines, at, tt_track_next);
}

bool tt_counter_previous(const struct tt_timelines *timelines, struct tt_counter_at *at)
{
    return move(timelines, at, tt_track_previous);
}

struct tt_counter_value tt_counter_get(const struct tt_timelines *timelines,
                                       struct tt_counter_at at)
{
    const struct tt_track *track = timeline_counters_track_of(timelines, at.series);
    struct tt_track_place place = {at.chunk, at.slot}, next = place;
    uint64_t bits = bits_at(track, place);
    uint32_t process = tt_series_at(timelines->capture, at.series)->process;
    uint64_t end = tt_timelines_end_of(timelines, tt_merge_of_process(timelines->capture, process));
    struct tt_counter_value value = {.start = tt_track_item(track, place).time,
                                     .known = !is_nan(bits)};
    value.end = tt_track_next(track, &next) ? tt_track_item(track, next).time : end;
    memcpy(&value.value, &bits, sizeof value.value);
    return value;
}

uint64_t tt_counter_index(const struct tt_timelines *timelines, struct tt_counter_at at)
{
    return tt_track_index(timeline_counters_track_of(timelines, at.series),
                          (struct tt_track_place){at.chunk, at.slot});
}

/* Finds the value at `from`, or else the first in the window; `first_change`: the first recorded in it. */
static bool first_value(const struct tt_track *track, uint64_t from, struct tt_track_place *place,
                        uint64_t *first_change)
{
    if (from > 0 && tt_track_find(track, from - 1, place)) {
        *first_change = tt_track_index(track, *place) + 1;
        struct tt_track_place next = *place;
        /* A value recorded at the very start replaces the one before. */
        if (tt_track_next(track, &next) && tt_track_item(track, next).time == from) {
            *place = next;
        }
        return true;
    }
    *first_change = 0;
    return tt_track_first(track, place);
}

void tt_counter_in(const struct tt_timelines *timelines, uint32_t series, uint64_t from,
                   uint64_t to, struct tt_counter_range *range)
{
    const struct tt_track *track = timeline_counters_track_of(timelines, series);
    struct tt_track_place first, last;
    uint64_t first_change;
    memset(range, 0, sizeof *range);
    if (!track || from >= to || !first_value(track, from, &first, &first_change) ||
        !tt_track_find(track, to - 1, &last) || tt_track_item(track, first).time >= to) {
        return;
    }
    range->changes = tt_track_index(track, last) + 1 - first_change;
    struct tt_track_max max = tt_track_max_between(track, first, last, COUNTER_MAX, max_key, track);
    struct tt_track_max min = tt_track_max_between(track, first, last, COUNTER_MIN, min_key, track);
    uint64_t bits = bits_at(track, last);
    range->last_known = !is_nan(bits);
    memcpy(&range->last, &bits, sizeof range->last);
    range->known = max.any;
    if (range->known) {
        range->max = value_of_key(max.key);
        range->min = value_of_key(~min.key);
    }
}

void tt_counter_cells(const struct tt_timelines *timelines, uint32_t series, const uint64_t *edges,
                      uint32_t count, struct tt_counter_range *cells)
{
    for (uint32_t i = 0; i < count; i++) {
        tt_counter_in(timelines, series, edges[i], edges[i + 1], &cells[i]);
    }
}
