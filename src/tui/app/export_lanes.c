/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export_lanes: writes the lanes of Threads or CPUs as CSV, a line per interval:
 *
 *      thread,state,from_s,to_s,cpu,waker,cause
 *
 * The lanes are those that pass the filters; the intervals those that overlap the selection, or
 * else the visible range, with their whole duration. In Threads waker and cause are those of the
 * wake that ends the interval, in CPUs those of the wake that led to the run.
 */
#include <errno.h>
#include <string.h>

#include "analysis/causes/wakes.h"
#include "print/print.h"
#include "table/columns.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"
#include "tui/app/app.h"
#include "tui/model/visible_lanes.h"

#define LINE_BYTES 4096
/* More intervals are refused: the program would not answer while it writes them. */
#define INTERVALS_MOST 500000u

struct lanes {
    const struct tt_app *app;
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    struct tt_wakes *wakes;
    FILE *file;
    uint64_t from, to;
    uint64_t written;
    struct tt_table_run run; /* of the columns */
    struct tt_print print;
};

/* ---- lines -------------------------------------------------------------------------------- */

/* An interval of a lane; `state` is its text. */
struct line {
    uint32_t thread; /* or TT_NO_THREAD */
    const char *state;
    uint64_t from, to;
    uint16_t cpu;
    const struct tt_wake *wake; /* NULL: none */
};

static void set_time(const struct tt_table_run *run, uint64_t ticks, struct tt_table_cell *cell)
{
    const struct tt_relative relative = tt_relative_ticks(run->capture, ticks, run->first_ticks);
    int64_t ns = (int64_t)relative.ticks;
    if (run->capture->clock_hz == 0 ||
        tt_ticks_to_ns(relative.ticks, run->capture->clock_hz, &ns)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->number = (uint64_t)ns;
        cell->decimals = run->capture->clock_hz == 0 ? 0 : 9;
        cell->is_negative = relative.before;
    }
}

static TT_CELL_FUNCTION(put_from)
{
    (void)column;
    set_time(run, ((const struct line *)row)->from, cell);
}

static TT_CELL_FUNCTION(put_to)
{
    (void)column;
    set_time(run, ((const struct line *)row)->to, cell);
}

static TT_CELL_FUNCTION(put_waker)
{
    const struct tt_wake *wake = ((const struct line *)row)->wake;
    (void)column;
    if (wake && wake->by == TT_WAKER_INTERRUPT) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, "interrupt");
        if (wake->vector != TT_NO_VECTOR) {
            tt_text_put(&cell->text, " %ju", wake->vector);
        }
    } else if (wake && wake->by == TT_WAKER_THREAD) {
        cell->kind = TT_CELL_TEXT;
        tt_line_thread(&cell->text, run->capture, wake->waker);
    }
}

static TT_CELL_FUNCTION(put_cause)
{
    const struct tt_wake *wake = ((const struct line *)row)->wake;
    (void)run;
    (void)column;
    if (wake) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, tt_wake_kind_name(wake->kind));
    }
}

#define ROW struct line

/* clang-format off */
#define LANE_COLUMNS(from_key, to_key) { \
    COLUMN("thread", NULL, LANE_NAME, thread, OFF_SCREEN, "Process, number and name of the thread."), \
    COLUMN("state", NULL, TEXT, state, OFF_SCREEN, "State of the thread; of a CPU busy, idle, kernel or unknown."), \
    MADE(from_key, NULL, REAL, put_from, OFF_SCREEN, "When the interval begins."), \
    MADE(to_key, NULL, REAL, put_to, OFF_SCREEN, "When it ends."), \
    COLUMN("cpu", NULL, CPU, cpu, OFF_SCREEN, "CPU of a run."), \
    MADE("waker", NULL, NAME, put_waker, OFF_SCREEN, "What ended the wait: a thread or an interrupt."), \
    MADE("cause", NULL, NAME, put_cause, OFF_SCREEN, "How it did: a reply, an unlock, a timer, ..."), \
}
/* clang-format on */

static const struct tt_table_column columns[] = LANE_COLUMNS("from_s", "to_s"),
                                    without_clock[] = LANE_COLUMNS("from_ticks", "to_ticks");

static const struct tt_table table_intervals = {
    NAMES("interval", "Intervals", "An interval of a lane.", "[thread] [state]"),
    COLUMNS(columns),
    .row_size = sizeof(struct line),
    .is_overall = true,
};

/* Writes a line, or the header: NULL. */
static void export_lanes_put_line(struct lanes *lanes, const struct line *line)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    lanes->written += line != NULL;
    if (line) {
        tt_print_row(&lanes->print, &text, line);
    } else {
        tt_print_header(&lanes->print, &text);
    }
    fwrite(buffer, 1, text.used, lanes->file);
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Finds the first interval that overlaps the range; false if there is none. */
static bool export_lanes_first_interval(const struct lanes *lanes, uint32_t thread,
                                        struct tt_interval_at *at)
{
    return tt_interval_find(lanes->timelines, thread, lanes->from, at) ||
           tt_interval_first(lanes->timelines, thread, at);
}

static uint64_t export_lanes_count_thread(const struct lanes *lanes, uint32_t thread)
{
    struct tt_interval_at first, last;
    if (!export_lanes_first_interval(lanes, thread, &first) ||
        !tt_interval_find(lanes->timelines, thread, lanes->to, &last)) {
        return tt_interval_count(lanes->timelines, thread);
    }
    return tt_interval_index(lanes->timelines, last) - tt_interval_index(lanes->timelines, first) +
           1;
}

static void put_thread_lane(struct lanes *lanes, uint32_t thread)
{
    struct tt_interval_at at;
    bool more = export_lanes_first_interval(lanes, thread, &at);
    while (more) {
        struct tt_interval interval = tt_interval_get(lanes->timelines, at);
        if (interval.start >= lanes->to) {
            return;
        }
        if (interval.end > lanes->from) {
            struct tt_wake wake;
            bool ends =
                tt_ends_in_wake(lanes->timelines, lanes->capture, &interval) && !interval.open;
            bool runs = interval.class_ == TT_CLASS_RUNNING;
            if (ends) {
                tt_wake_find(lanes->wakes, &interval, &wake);
            }
            export_lanes_put_line(
                lanes,
                &(struct line){interval.thread, lanes->capture->format->states[interval.state].name,
                               interval.start, interval.end, runs ? interval.cpu : TT_NO_CPU,
                               ends && wake.has_event ? &wake : NULL});
        }
        more = tt_interval_next(lanes->timelines, &at);
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static bool first_occupation(const struct lanes *lanes, uint16_t cpu, struct tt_occupation_at *at)
{
    return tt_occupation_find(lanes->timelines, cpu, lanes->from, at) ||
           tt_occupation_first(lanes->timelines, cpu, at);
}

static uint64_t count_cpu(const struct lanes *lanes, uint16_t cpu)
{
    struct tt_occupation_at first, last;
    if (!first_occupation(lanes, cpu, &first) ||
        !tt_occupation_find(lanes->timelines, cpu, lanes->to, &last)) {
        return 0;
    }
    return tt_occupation_index(lanes->timelines, last) -
           tt_occupation_index(lanes->timelines, first) + 1;
}

/* Finds the wake after which a thread was ready until it ran at `ticks`; false if it was not woken. */
static bool wake_before(struct lanes *lanes, uint32_t thread, uint64_t ticks, struct tt_wake *wake)
{
    struct tt_interval_at at;
    if (!tt_interval_find(lanes->timelines, thread, ticks, &at)) {
        return false;
    }
    while (tt_interval_previous(lanes->timelines, &at)) {
        struct tt_interval before = tt_interval_get(lanes->timelines, at);
        if (tt_ends_in_wake(lanes->timelines, lanes->capture, &before)) {
            tt_wake_find(lanes->wakes, &before, wake);
            return wake->has_event;
        }
        if (before.class_ != TT_CLASS_READY) {
            return false;
        }
    }
    return false;
}

static void put_cpu_lane(struct lanes *lanes, uint16_t cpu)
{
    struct tt_occupation_at at;
    bool more = first_occupation(lanes, cpu, &at);
    while (more) {
        struct tt_occupation o = tt_occupation_get(lanes->timelines, at);
        if (o.start >= lanes->to) {
            return;
        }
        if (o.end > lanes->from && o.end > o.start) {
            struct tt_wake wake;
            bool is_thread = o.occupant < tt_thread_count(lanes->capture);
            bool woken = is_thread && !o.idle && wake_before(lanes, o.occupant, o.start, &wake);
            const char *state = o.idle                             ? "idle"
                                : is_thread                        ? "busy"
                                : o.occupant == TT_OCCUPANT_KERNEL ? "kernel"
                                                                   : "unknown";
            export_lanes_put_line(lanes,
                                  &(struct line){is_thread ? o.occupant : TT_NO_THREAD, state,
                                                 o.start, o.end, o.cpu, woken ? &wake : NULL});
        }
        more = tt_occupation_next(lanes->timelines, &at);
    }
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Visits the lanes that are shown: counts their intervals, or writes them. */
static uint64_t each_lane(struct lanes *lanes, bool write)
{
    const struct tt_filters *filters = &lanes->app->ws.filters;
    uint64_t count = 0;
    bool threads = lanes->app->ws.nav.view == TT_VIEW_THREADS;
    uint32_t number = threads ? tt_thread_count(lanes->capture) : tt_cpu_count(lanes->timelines);
    for (uint32_t i = 0; i < number; i++) {
        if (!(threads ? tt_visible_thread(filters, i) : tt_visible_cpu(filters, i))) {
            continue;
        }
        if (!write) {
            count += threads ? export_lanes_count_thread(lanes, i) : count_cpu(lanes, (uint16_t)i);
        } else if (threads) {
            put_thread_lane(lanes, i);
        } else {
            put_cpu_lane(lanes, (uint16_t)i);
        }
    }
    return count;
}

static struct tt_status write_lanes(struct lanes *lanes, struct tt_text *what)
{
    uint64_t count = each_lane(lanes, false);
    if (count > INTERVALS_MOST) {
        return tt_error(TT_ERR_USAGE, "not written: %llu intervals; select a shorter range",
                        (unsigned long long)count);
    }
    lanes->run =
        (struct tt_table_run){.table = &table_intervals,
                              .capture = lanes->capture,
                              .columns = lanes->capture->clock_hz ? columns : without_clock,
                              .column_count = table_intervals.column_count,
                              .first_ticks = lanes->app->ws.index.progress.first_ticks};
    tt_print_begin(&lanes->print, &lanes->run, TT_PRINT_CSV);
    export_lanes_put_line(lanes, NULL);
    each_lane(lanes, true);
    tt_text_put(what, "%ju intervals", lanes->written);
    return ferror(lanes->file) ? tt_error_errno(errno, "write") : tt_ok();
}

struct tt_status tt_export_lanes(struct tt_app *app, FILE *file, struct tt_text *what)
{
    struct tt_trace *trace = app->ws.opened.trace;
    const struct tt_viewport *viewport = &app->ws.nav.viewport;
    struct lanes l = {.app = app,
                      .capture = app->ws.opened.capture,
                      .timelines = tt_trace_timelines(trace),
                      .file = file,
                      .from = viewport->from,
                      .to = viewport->to};
    uint64_t from, to;
    if (tt_viewport_selection(viewport, &from, &to)) {
        l.from = from;
        l.to = to;
    }
    l.wakes = l.timelines ? tt_wakes_new(trace) : NULL;
    if (!l.wakes) {
        return l.timelines ? tt_error_memory()
                           : tt_error(TT_ERR_USAGE, "not written: nothing is indexed yet");
    }
    struct tt_status status = write_lanes(&l, what);
    tt_wakes_free(l.wakes);
    return status;
}
