/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rows of slices. */
#include <string.h>

#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

static const struct tt_slice_lane *timeline_slices_lane_of(const struct tt_timelines *timelines,
                                                           uint32_t thread)
{
    const struct tt_slice_lanes *slices = &timelines->slices;
    if (thread == TT_NO_THREAD) {
        return &slices->threadless;
    }
    return thread < tt_column_count(&slices->lanes) ? tt_column_at(&slices->lanes, thread) : NULL;
}

static const struct tt_slice_row *timeline_slices_row_at(const struct tt_timelines *timelines,
                                                         uint32_t number)
{
    return number == NO_ROW ? NULL : tt_column_at(&timelines->slices.rows, number);
}

static const struct tt_slice_row *first_row(const struct tt_timelines *timelines,
                                            const _Atomic uint32_t *link)
{
    return timeline_slices_row_at(timelines, atomic_load_explicit(link, memory_order_acquire) - 1);
}

static const struct tt_slice_row *row_above(const struct tt_timelines *timelines,
                                            const struct tt_slice_row *row)
{
    return timeline_slices_row_at(timelines,
                                  atomic_load_explicit(&row->above, memory_order_acquire));
}

static uint32_t count_rows(const struct tt_timelines *timelines, const struct tt_slice_row *row)
{
    uint32_t count = 0;
    for (; row; row = row_above(timelines, row)) {
        count++;
    }
    return count;
}

uint32_t tt_slice_depths(const struct tt_timelines *timelines, uint32_t thread)
{
    const struct tt_slice_lane *lane = timeline_slices_lane_of(timelines, thread);
    return lane ? count_rows(timelines, first_row(timelines, &lane->nested)) : 0;
}

uint32_t tt_slice_rows(const struct tt_timelines *timelines, uint32_t thread)
{
    const struct tt_slice_lane *lane = timeline_slices_lane_of(timelines, thread);
    return lane ? tt_slice_depths(timelines, thread) +
                      count_rows(timelines, first_row(timelines, &lane->async))
                : 0;
}

const struct tt_slice_row *tt_slice_row(const struct tt_timelines *timelines, uint32_t thread,
                                        uint32_t number)
{
    const struct tt_slice_lane *lane = timeline_slices_lane_of(timelines, thread);
    if (!lane) {
        return NULL;
    }
    const struct tt_slice_row *row = first_row(timelines, &lane->nested);
    for (; row && number > 0; number--) {
        row = row_above(timelines, row);
    }
    if (row) {
        return row;
    }
    for (row = first_row(timelines, &lane->async); row && number > 0; number--) {
        row = row_above(timelines, row);
    }
    return row;
}

const struct tt_slice_row *tt_guest_row(const struct tt_timelines *timelines, uint32_t thread)
{
    return tt_format_has(tt_merge_format_of(timelines->capture, thread), TT_FORMAT_GUESTS)
               ? tt_slice_row(timelines, thread, 0)
               : NULL;
}

bool tt_guests_any(const struct tt_timelines *timelines)
{
    return tt_format_has(timelines->capture->format, TT_FORMAT_GUESTS) &&
           tt_column_count(&timelines->slices.rows) > 0;
}

uint64_t tt_slices_total(const struct tt_timelines *timelines)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < tt_column_count(&timelines->slices.rows); i++) {
        const struct tt_slice_row *row = tt_column_at(&timelines->slices.rows, i);
        count += tt_track_count(&row->slices);
    }
    return count;
}

/* ---- one row ------------------------------------------------------------------------------ */

static struct tt_track_place timeline_slices_place_of(struct tt_slice_at at)
{
    struct tt_track_place place = {at.chunk, at.slot};
    return place;
}

static struct tt_slice_at slice_at(const struct tt_slice_row *row, struct tt_track_place place)
{
    struct tt_slice_at at = {row, place.chunk, place.slot};
    return at;
}

/* Returns the end of a slice whose duration is in `longs`. */
static uint64_t long_end(const struct tt_slice_row *row, struct tt_track_place place,
                         uint64_t start, bool *cut)
{
    uint32_t number = LONG_NUMBER(tt_track_index(&row->slices, place));
    struct tt_track_place at;
    bool more = start > 0 && tt_track_find(&row->longs, start - 1, &at)
                    ? tt_track_next(&row->longs, &at)
                    : tt_track_first(&row->longs, &at);
    for (; more; more = tt_track_next(&row->longs, &at)) {
        struct tt_track_item item = tt_track_item(&row->longs, at);
        if (LONG_NUMBER(item.value) == number) {
            *cut = (item.value & LONG_CUT) != 0;
            return item.time;
        }
    }
    return start;
}

static struct tt_slice timeline_slices_get(const struct tt_slice_row *row,
                                           struct tt_track_place place, uint64_t end)
{
    struct tt_track_item item = tt_track_item(&row->slices, place);
    uint32_t length = tt_track_more(&row->slices, place);
    struct tt_slice slice = {.start = item.time,
                             .end = item.time + length,
                             .thread = row->thread,
                             .type = item.value,
                             .depth = row->depth,
                             .async = row->async,
                             .open = length == SLICE_OPEN};
    if (length == SLICE_OPEN) {
        slice.end = end > item.time ? end : item.time;
    } else if (length == SLICE_LONG) {
        slice.end = long_end(row, place, item.time, &slice.cut);
    }
    slice.end =
        slice.end > slice.start ? slice.end : slice.start; /* an index cache may be damaged */
    return slice;
}

/* Returns the end of an open slice of a row. */
static uint64_t timeline_slices_end_of(const struct tt_timelines *timelines,
                                       const struct tt_slice_row *row)
{
    return tt_timelines_end_of(timelines, tt_merge_of_thread(timelines->capture, row->thread));
}

void tt_slice_row_sums(const struct tt_slice_row *row, uint64_t sums[SLICE_SUMS])
{
    struct tt_track_place at;
    struct tt_track_page page;
    struct tt_track_maxima longest;
    uint32_t more[TT_TRACK_CHUNK];
    memset(sums, 0, SLICE_SUMS * sizeof *sums);
    if (!tt_track_last(&row->slices, &at)) {
        return;
    }
    tt_track_sums(&row->slices, at, sums);
    tt_track_maxima_resume(&longest, &sums[SLICE_LONGEST], at.chunk);
    tt_track_load(&row->slices, at.chunk, TT_TRACK_CHUNK, &page);
    tt_track_load_more(&row->slices, &page, TT_TRACK_CHUNK, more);
    for (at.slot = 0; at.slot < page.count; at.slot++) {
        uint64_t length = more[at.slot];
        if (length >= SLICE_LONG) {
            struct tt_slice slice = timeline_slices_get(row, at, 0);
            length = slice.end - slice.start;
        }
        sums[SLICE_COVERED] += length;
        tt_track_maxima_note(&longest, length, at);
    }
    tt_track_maxima_put(&longest, &sums[SLICE_LONGEST]);
}

uint64_t tt_slice_index(struct tt_slice_at at)
{
    return tt_track_index(&at.row->slices, timeline_slices_place_of(at));
}

uint64_t tt_slice_count(const struct tt_slice_row *row)
{
    return tt_track_count(&row->slices);
}

struct tt_slice tt_slice_get(const struct tt_timelines *timelines, struct tt_slice_at at)
{
    struct tt_slice slice = timeline_slices_get(at.row, timeline_slices_place_of(at),
                                                timeline_slices_end_of(timelines, at.row));
    slice.type = slice.type < tt_types_count(timelines->capture) ? slice.type : 0;
    return slice;
}

bool tt_slice_find(const struct tt_slice_row *row, uint64_t ticks, struct tt_slice_at *at)
{
    struct tt_track_place place;
    if (!tt_track_find(&row->slices, ticks, &place)) {
        return false;
    }
    *at = slice_at(row, place);
    return true;
}

bool tt_slice_next(struct tt_slice_at *at)
{
    struct tt_track_place place = timeline_slices_place_of(*at);
    bool more = tt_track_next(&at->row->slices, &place);
    *at = slice_at(at->row, place);
    return more;
}

bool tt_slice_previous(struct tt_slice_at *at)
{
    struct tt_track_place place = timeline_slices_place_of(*at);
    bool more = tt_track_previous(&at->row->slices, &place);
    *at = slice_at(at->row, place);
    return more;
}

/* The first that begins at `from` or later, or reaches into what follows it. */
static bool first_from(const struct tt_slice_row *row, uint64_t from, uint64_t end,
                       struct tt_track_place *place)
{
    if (from == 0 || !tt_track_find(&row->slices, from - 1, place)) {
        return tt_track_first(&row->slices, place);
    }
    return timeline_slices_get(row, *place, end).end > from || tt_track_next(&row->slices, place);
}

bool tt_slice_first(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                    uint64_t from, uint64_t to, struct tt_slice_at *at)
{
    struct tt_track_place place;
    if (!first_from(row, from, timeline_slices_end_of(timelines, row), &place) ||
        tt_track_item(&row->slices, place).time >= to) {
        return false;
    }
    *at = slice_at(row, place);
    return true;
}

/* ---- sums and cells ----------------------------------------------------------------------- */

/* Returns the ticks in slices before `time`. */
static uint64_t covered_before(const struct tt_slice_row *row, uint64_t time, uint64_t end)
{
    struct tt_track_place found;
    if (!tt_track_find(&row->slices, time, &found)) {
        return 0;
    }
    uint64_t sums[SLICE_SUMS];
    tt_track_sums(&row->slices, found, sums);
    uint64_t ticks = sums[SLICE_COVERED];
    for (struct tt_track_place at = {found.chunk, 0}; at.slot <= found.slot; at.slot++) {
        struct tt_slice slice = timeline_slices_get(row, at, end);
        ticks += (slice.end < time ? slice.end : time) - slice.start;
    }
    return ticks;
}

uint64_t tt_slice_ticks(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                        uint64_t from, uint64_t to)
{
    uint64_t end = timeline_slices_end_of(timelines, row);
    return from < to ? covered_before(row, to, end) - covered_before(row, from, end) : 0;
}

struct row_reader {
    const struct tt_slice_row *row;
    uint64_t end; /* of an open slice */
};

static bool timeline_slices_length_of(const void *owner, struct tt_track_place place,
                                      uint64_t *length)
{
    const struct row_reader *reader = owner;
    struct tt_slice slice = timeline_slices_get(reader->row, place, reader->end);
    *length = slice.end - slice.start;
    return true;
}

/* Makes the slice the cell's if it covers more of [from, to) than the previous one. */
static void show_if_longer(struct tt_slice_cell *cell, const struct row_reader *reader,
                           struct tt_track_place place, uint64_t from, uint64_t to)
{
    struct tt_slice slice = timeline_slices_get(reader->row, place, reader->end);
    uint64_t start = slice.start > from ? slice.start : from;
    uint64_t end = slice.end < to ? slice.end : to;
    uint64_t ticks = end > start ? end - start : 0;
    if (!cell->at.row || ticks > cell->most_ticks) {
        cell->at = slice_at(reader->row, place);
        cell->most_ticks = ticks;
    }
}

static bool same_place(struct tt_track_place a, struct tt_track_place b)
{
    return a.chunk == b.chunk && a.slot == b.slot;
}

/* Slices between the first and the last of a cell are inside it: the longest covers most. */
static void fill_cell(const struct row_reader *reader, uint64_t from, uint64_t to,
                      struct tt_slice_cell *cell)
{
    const struct tt_track *track = &reader->row->slices;
    struct tt_track_place first, last;
    if (from >= to || !first_from(reader->row, from, reader->end, &first) ||
        tt_track_item(track, first).time >= to || !tt_track_find(track, to - 1, &last)) {
        return;
    }
    cell->slices = tt_track_index(track, last) - tt_track_index(track, first) + 1;
    cell->ticks = covered_before(reader->row, to, reader->end) -
                  covered_before(reader->row, from, reader->end);
    show_if_longer(cell, reader, first, from, to);
    if (cell->slices > 2) {
        struct tt_track_place inner_first = first, inner_last = last;
        tt_track_next(track, &inner_first);
        tt_track_previous(track, &inner_last);
        struct tt_track_max peak = tt_track_max_between(
            track, inner_first, inner_last, SLICE_LONGEST, timeline_slices_length_of, reader);
        show_if_longer(cell, reader, peak.place, from, to);
    }
    if (!same_place(first, last)) {
        show_if_longer(cell, reader, last, from, to);
    }
}

void tt_slice_cells(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                    const uint64_t *edges, uint32_t count, struct tt_slice_cell *cells)
{
    struct row_reader r = {row, timeline_slices_end_of(timelines, row)};
    memset(cells, 0, count * sizeof *cells);
    for (uint32_t i = 0; i < count; i++) {
        fill_cell(&r, edges[i], edges[i + 1], &cells[i]);
    }
}
