/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters: named values over time, such as free memory or frames dropped.
 *
 *      series 3   "heap:bytes:1" of process 7
 *      value            4096       8192            6144
 *      time       .......|----------|----------------|--------- ...
 *
 * A series is numbered as in the capture (tt_series_at: its name and process). A value holds until
 * the next one; before the first one, and from lost records on until it is told again, it is not
 * known. A value that is not a number (NaN) is not known either.
 *
 * Times are ticks, windows [from, to). Threads: as tracetui/timeline.h.
 */
#ifndef TRACETUI_COUNTERS_H
#define TRACETUI_COUNTERS_H

#include "tracetui/timeline.h"

/* Series below this number may have values; at most tt_series_count. */
uint32_t tt_counter_series(const struct tt_timelines *t);
/* Values of a series, those included that say "not known". */
uint64_t tt_counter_values(const struct tt_timelines *t, uint32_t series);

struct tt_counter_value {
    uint64_t start;
    uint64_t end; /* of the timelines for the last one */
    double value;
    bool known;
};

/* A place among the values of a series. */
struct tt_counter_at {
    uint32_t series;
    uint32_t chunk;
    uint32_t slot;
};

/* The value that holds at `ticks`; false before the first. O(log n). */
bool tt_counter_find(const struct tt_timelines *t, uint32_t series, uint64_t ticks,
                     struct tt_counter_at *at);
bool tt_counter_first(const struct tt_timelines *t, uint32_t series, struct tt_counter_at *at);
bool tt_counter_next(const struct tt_timelines *t, struct tt_counter_at *at);
bool tt_counter_previous(const struct tt_timelines *t, struct tt_counter_at *at);
struct tt_counter_value tt_counter_get(const struct tt_timelines *t, struct tt_counter_at at);

/* What holds in a window, that from before it included. */
struct tt_counter_range {
    double least;
    double greatest;
    double last;      /* what holds at its end, if `last_known` */
    uint64_t changes; /* values told in it */
    bool known;       /* some value holds in it: least and greatest are good */
    bool last_known;
};

/* Two binary searches and, however many values there are, at most some 400 steps. */
void tt_counter_in(const struct tt_timelines *t, uint32_t series, uint64_t from, uint64_t to,
                   struct tt_counter_range *range);
/* A row of neighbouring windows: cell i is [edges[i], edges[i + 1]). */
void tt_counter_cells(const struct tt_timelines *t, uint32_t series, const uint64_t *edges,
                      uint32_t count, struct tt_counter_range *cells);

#endif
