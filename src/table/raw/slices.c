/* SPDX-License-Identifier: Apache-2.0 */
/* slices: durations that programs record, and values of counters. */
#include "tracetui/slices.h"

#include <math.h>

#include "table/raw/bounds.h"
#include "tracetui/counters.h"
#include "tracetui/timeline.h"

/* ---- slices ------------------------------------------------------------------------------- */

struct slice_row {
    uint64_t start, end, length;
    uint64_t depth, is_async, is_open, is_cut;
    const char *name;
    uint32_t thread, type;
};

struct slice_rows {
    bool more;
    uint32_t thread, threads; /* `threads`: those of no thread */
    uint32_t row, rows;
    uint64_t row_count;   /* slices of this row */
    uint64_t rows_before; /* slices of the thread in the rows before this one */
    struct tt_slice_at at, next;
};

static uint32_t raw_slices_thread_of(const struct slice_rows *rows)
{
    return rows->thread < rows->threads ? rows->thread : TT_NO_THREAD;
}

/* Goes to the next row of slices; false after the last one. */
static bool next_row(const struct tt_table_run *run, struct slice_rows *rows)
{
    const struct tt_timelines *timelines = run->timelines;
    while (!tt_raw_is_stopped(run)) {
        if (rows->row < rows->rows) {
            const struct tt_slice_row *row =
                tt_slice_row(timelines, raw_slices_thread_of(rows), rows->row++);
            rows->rows_before += rows->row_count;
            rows->row_count = row ? tt_slice_count(row) : 0;
            rows->more =
                row && tt_slice_first(timelines, row, run->bounds.from, UINT64_MAX, &rows->next);
            return true;
        }
        if (rows->thread >= rows->threads && rows->thread != UINT32_MAX) {
            return false;
        }
        rows->thread = tt_raw_next_thread(run, rows->thread + 1);
        rows->row = 0;
        rows->rows_before = rows->row_count = 0;
        rows->rows = tt_slice_rows(timelines, raw_slices_thread_of(rows));
    }
    return false;
}

static bool begin_slices(struct tt_table_run *run)
{
    struct slice_rows *rows = run->state;
    rows->thread = UINT32_MAX; /* before the first one */
    rows->threads = tt_thread_count(run->capture);
    return true;
}

static enum tt_made next_slice(struct tt_table_run *run, void *row)
{
    struct slice_rows *rows = run->state;
    do {
        while (rows->more) {
            rows->at = rows->next;
            struct tt_slice slice = tt_slice_get(run->timelines, rows->at);
            rows->more = tt_slice_next(&rows->next) && slice.start <= run->bounds.last;
            if (tt_raw_has_time(run, slice.start)) {
                *(struct slice_row *)row =
                    (struct slice_row){.start = slice.start,
                                       .end = slice.end,
                                       .length = slice.end - slice.start,
                                       .depth = slice.depth,
                                       .is_async = slice.async,
                                       .is_open = slice.open,
                                       .is_cut = slice.cut,
                                       .name = tt_types_at(run->capture, slice.type)->name,
                                       .thread = raw_slices_thread_of(rows),
                                       .type = slice.type};
                return TT_MADE_PART;
            }
        }
    } while (next_row(run, rows));
    return TT_MADE_ALL;
}

static uint64_t slice_number(const struct tt_table_run *run)
{
    const struct slice_rows *rows = run->state;
    uint32_t lane = rows->thread < rows->threads ? rows->thread : rows->threads;
    return tt_raw_number(lane, rows->rows_before + tt_slice_index(rows->at));
}

#define ROW struct slice_row

/* clang-format off */
static const struct tt_table_column slice_columns[] = {
    RAW("utid", KEY, thread, "Thread: key of `threads`; null: of no thread.", .bound = TT_BOUND_THREAD),
    RAW("ts", AT, start, "When it began.", .bound = TT_BOUND_TIME),
    RAW("end", AT, end, "When it ended.", .is_ticks = true),
    RAW("dur", TIME_US, length, "Time from its begin to its end."),
    RAW("name", TEXT, name, "Name.", .is_lasting = true),
    RAW("type_id", KEY, type, "Key of `types`: its class and name."),
    RAW("depth", COUNT, depth, "Number of slices around it.", .is_level = true),
    RAW("is_async", FLAG, is_async, "1: may end on another thread."),
    RAW("is_open", FLAG, is_open, "1: without an end in the capture."),
    RAW("is_cut", FLAG, is_cut, "1: its end may be lost."),
};
/* clang-format on */

const struct tt_table tt_table_slice_rows = {
    NAMES("slices", "Slices", "Durations that programs record, thread by thread.", "[name]"),
    COLUMNS(slice_columns),
    .begin = begin_slices,
    .next = next_slice,
    .number = slice_number,
    OF_RAW_ROWS(struct slice_row, struct slice_rows),
};

/* ---- counters ----------------------------------------------------------------------------- */

struct counter_row {
    uint64_t start, end;
    double value; /* NaN: unknown */
    const char *name;
    uint32_t series, process;
};

struct counter_rows {
    bool more;
    uint32_t series, next, end;
    struct tt_counter_at at, following;
};

static bool begin_counters(struct tt_table_run *run)
{
    struct counter_rows *rows = run->state;
    uint32_t wanted = run->bounds.object;
    rows->end = tt_counter_series(run->timelines);
    if (wanted != UINT32_MAX) {
        rows->next = wanted;
        rows->end = wanted < rows->end ? wanted + 1 : 0;
    }
    return true;
}

static enum tt_made next_counter(struct tt_table_run *run, void *row)
{
    struct counter_rows *rows = run->state;
    const struct tt_timelines *timelines = run->timelines;
    for (;;) {
        while (rows->more) {
            rows->at = rows->following;
            struct tt_counter_value value = tt_counter_get(timelines, rows->at);
            rows->more =
                tt_counter_next(timelines, &rows->following) && value.start <= run->bounds.last;
            if (tt_raw_has_time(run, value.start)) {
                const struct tt_series *series = tt_series_at(run->capture, rows->series);
                size_t length;
                *(struct counter_row *)row = (struct counter_row){
                    .start = value.start,
                    .end = value.end,
                    .value = value.known ? value.value : NAN,
                    .name = tt_capture_text(run->capture, series->name, &length),
                    .series = rows->series,
                    .process = series->process};
                return TT_MADE_PART;
            }
        }
        if (rows->next >= rows->end || tt_raw_is_stopped(run)) {
            return TT_MADE_ALL;
        }
        rows->series = rows->next++;
        uint64_t from = run->bounds.from; /* several values may begin there */
        rows->more =
            (from > 0 && tt_counter_find(timelines, rows->series, from - 1, &rows->following)) ||
            tt_counter_first(timelines, rows->series, &rows->following);
    }
}

static uint64_t counter_number(const struct tt_table_run *run)
{
    const struct counter_rows *rows = run->state;
    return tt_raw_number(rows->series, tt_counter_index(run->timelines, rows->at));
}

#undef ROW
#define ROW struct counter_row

/* clang-format off */
static const struct tt_table_column counter_columns[] = {
    RAW("series_id", KEY, series, "Key of the series.", .bound = TT_BOUND_OBJECT),
    RAW("name", TEXT, name, "Its name: counter, argument, id.", .is_lasting = true),
    RAW("upid", KEY, process, "Process that counts: key of `processes`."),
    RAW("ts", AT, start, "From when on it has the value.", .bound = TT_BOUND_TIME),
    RAW("end", AT, end, "Until when.", .is_ticks = true),
    RAW("value", REAL, value, "Value; null: unknown."),
};
/* clang-format on */

const struct tt_table tt_table_counter_rows = {
    NAMES("counters", "Counters", "Values of counters, series by series.", "[name]"),
    COLUMNS(counter_columns),
    .begin = begin_counters,
    .next = next_counter,
    .number = counter_number,
    OF_RAW_ROWS(struct counter_row, struct counter_rows),
};
