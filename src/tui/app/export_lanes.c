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
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
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

static void export_lanes_put_time(struct tt_fields *fields, const struct lanes *lanes,
                                  const char *key, uint64_t ticks)
{
    uint64_t first = lanes->app->ws.index.progress.first_ticks;
    if (tt_field_key(fields, key)) {
        tt_line_time(fields->text, lanes->capture, tt_relative_ticks(lanes->capture, ticks, first));
    }
}

static void put_wake(struct tt_fields *fields, const struct lanes *lanes,
                     const struct tt_wake *wake)
{
    if (wake && wake->by == TT_WAKER_INTERRUPT) {
        size_t start = tt_field_open_text(fields, "waker");
        tt_text_str(fields->text, "interrupt");
        if (wake->vector != TT_NO_VECTOR) {
            tt_text_put(fields->text, " %ju", wake->vector);
        }
        tt_field_close_text(fields, start);
    } else {
        tt_field_thread(fields, lanes->capture, "waker",
                        wake && wake->by == TT_WAKER_THREAD ? wake->waker : TT_NO_THREAD);
    }
    tt_field_text(fields, "cause", wake ? tt_wake_kind_name(wake->kind) : NULL);
}

/* Writes a line, or the header: NULL. */
static void export_lanes_put_line(struct lanes *lanes, const struct line *line)
{
    char buffer[LINE_BYTES];
    const struct line none = {.thread = TT_NO_THREAD};
    bool clock = lanes->capture->clock_hz != 0;
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_fields fields = tt_fields_begin(&text, line ? TT_FIELDS_CSV : TT_FIELDS_HEADER);
    lanes->written += line != NULL;
    line = line ? line : &none;
    tt_field_thread(&fields, lanes->capture, "thread", line->thread);
    tt_field_text(&fields, "state", line->state);
    export_lanes_put_time(&fields, lanes, clock ? "from_s" : "from_ticks", line->from);
    export_lanes_put_time(&fields, lanes, clock ? "to_s" : "to_ticks", line->to);
    tt_field_number(&fields, "cpu", line->cpu != TT_NO_CPU, line->cpu);
    put_wake(&fields, lanes, line->wake);
    tt_fields_end(&fields);
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

static void put_interval(struct lanes *lanes, const struct tt_interval *interval)
{
    struct tt_wake wake;
    bool ends = tt_ends_in_wake(lanes->timelines, lanes->capture, interval) && !interval->open;
    bool runs = interval->class_ == TT_CLASS_RUNNING;
    if (ends) {
        tt_wake_find(lanes->wakes, interval, &wake);
    }
    export_lanes_put_line(
        lanes,
        &(struct line){interval->thread, lanes->capture->format->states[interval->state].name,
                       interval->start, interval->end, runs ? interval->cpu : TT_NO_CPU,
                       ends && wake.has_event ? &wake : NULL});
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
            put_interval(lanes, &interval);
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

static void put_occupation(struct lanes *lanes, const struct tt_occupation *occupation)
{
    struct tt_wake wake;
    bool is_thread = occupation->occupant < tt_thread_count(lanes->capture);
    bool woken = is_thread && !occupation->idle &&
                 wake_before(lanes, occupation->occupant, occupation->start, &wake);
    const char *state = occupation->idle                             ? "idle"
                        : is_thread                                  ? "busy"
                        : occupation->occupant == TT_OCCUPANT_KERNEL ? "kernel"
                                                                     : "unknown";
    export_lanes_put_line(lanes, &(struct line){is_thread ? occupation->occupant : TT_NO_THREAD,
                                                state, occupation->start, occupation->end,
                                                occupation->cpu, woken ? &wake : NULL});
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
            put_occupation(lanes, &o);
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
