/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters: named values over time, such as free memory or dropped frames.
 *
 *      series 3   "heap:bytes:1" of process 7
 *      value            4096       8192            6144
 *      time       .......|----------|----------------|--------- ...
 *
 * Series are numbered as in the capture (tt_series_at: name and process). A value holds until the
 * next one. Before the first value, after lost records until the next value, and for NaN, the value
 * is unknown.
 *
 * Times are ticks, windows [from, to). Threads: as in tracetui/timeline.h.
 */
#ifndef TRACETUI_COUNTERS_H
#define TRACETUI_COUNTERS_H

#include "tracetui/timeline.h"

/* Returns the upper bound of the series that may have values; at most tt_series_count. */
uint32_t tt_counter_series(const struct tt_timelines *timelines);
/* Returns the number of values of a series, including unknown ones. */
uint64_t tt_counter_values(const struct tt_timelines *timelines, uint32_t series);

struct tt_counter_value {
    uint64_t start;
    uint64_t end; /* end of the timelines for the last one */
    double value;
    bool known;
};

/* A position among the values of a series. */
struct tt_counter_at {
    uint32_t series;
    uint32_t chunk;
    uint32_t slot;
};

/* Finds the value at `ticks`; false before the first. O(log n). */
bool tt_counter_find(const struct tt_timelines *timelines, uint32_t series, uint64_t ticks,
                     struct tt_counter_at *at);
/* Move to the first, next and previous value; false if there is none. */
bool tt_counter_first(const struct tt_timelines *timelines, uint32_t series,
                      struct tt_counter_at *at);
bool tt_counter_next(const struct tt_timelines *timelines, struct tt_counter_at *at);
bool tt_counter_previous(const struct tt_timelines *timelines, struct tt_counter_at *at);
/* Returns the value at a position. */
struct tt_counter_value tt_counter_get(const struct tt_timelines *timelines,
                                       struct tt_counter_at at);
/* Returns the number of values before `at`. */
uint64_t tt_counter_index(const struct tt_timelines *timelines, struct tt_counter_at at);

/* The values in a window, including the one in effect at its start. */
struct tt_counter_range {
    double min;
    double max;
    double last;      /* value at the end, if `last_known` */
    uint64_t changes; /* number of values recorded in the window */
    bool known;       /* min and max are valid */
    bool last_known;
};

/* Computes the range of a window: two binary searches and at most about 400 steps. */
void tt_counter_in(const struct tt_timelines *timelines, uint32_t series, uint64_t from,
                   uint64_t to, struct tt_counter_range *range);
/* Computes a row of adjacent windows: cell i is [edges[i], edges[i + 1]). */
void tt_counter_cells(const struct tt_timelines *timelines, uint32_t series, const uint64_t *edges,
                      uint32_t count, struct tt_counter_range *cells);

#endif
