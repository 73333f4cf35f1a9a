/* SPDX-License-Identifier: Apache-2.0 */
/* gutter: names and numbers to the left of the lanes. */
#include "tui/lanes/gutter.h"

#include <string.h>

#include "table/registry.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/table.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/counters.h"
#include "tui/lanes/slices.h"
#include "tui/lanes/status.h"

/* Larger thread ids (kernel object ids, addresses) are omitted in favour of the thread's name. */
#define TID_MOST 99999u

struct tt_lanes_gutter tt_lanes_gutter_of(int width)
{
    struct tt_lanes_gutter g = {.name = 1, .priority = -1, .state = -1, .switches = -1};
    g.name_width = width < 60 ? 11 : width < 110 ? 17 : width < 160 ? 22 : 28;
    int x = g.name + g.name_width;
    if (width >= 60) {
        g.priority = x;
        x += 4;
    }
    g.percent = x;
    x += 4;
    if (width >= 160) {
        g.switches = x;
        x += 8;
    }
    if (width >= 110) {
        g.state = x + 1;
        x += 12;
    }
    g.width = x + 1;
    return g;
}

void tt_lanes_gutter_heads(struct tt_area area, const struct tt_lanes_gutter *gutter, int y)
{
    tt_draw(area, gutter->name, y, gutter->name_width, TT_ROLE_COLUMNS, "thread");
    if (gutter->priority >= 0) {
        tt_draw_right(area, gutter->priority, y, 4, TT_ROLE_COLUMNS,
                      tt_table_head(&tt_table_threads, "priority"));
    }
    tt_draw_right(area, gutter->percent, y, 4, TT_ROLE_COLUMNS, "%");
    if (gutter->switches >= 0) {
        tt_draw_right(area, gutter->switches, y, 8, TT_ROLE_COLUMNS,
                      tt_table_head(&tt_table_threads, "switches_in"));
    }
    if (gutter->state >= 0) {
        tt_draw(area, gutter->state, y, 11, TT_ROLE_COLUMNS, "state");
    }
}

void tt_lanes_process_text(const struct tt_workspace *ws, uint32_t process, bool pid_too,
                           struct tt_text *text)
{
    const struct tt_process *p = tt_process_at(ws->opened.capture, process);
    size_t length;
    tt_process_base_name(ws->opened.capture, p, &length);
    tt_line_process(text, ws->opened.capture, process);
    if (length > 0 && pid_too) {
        tt_text_char(text, ' ');
        tt_line_id(text, ws->opened.capture, process, p->pid);
    }
}

/* Returns the number of a process's threads in the registry. */
static uint32_t threads_of(const struct tt_workspace *ws, uint32_t process)
{
    return tt_process_at(ws->opened.capture, process)->threads;
}

/* Appends the name of a row, indented and qualified according to its place in the list. */
static void lanes_gutter_name(const struct tt_workspace *ws, const struct tt_lane_rows *rows,
                              const struct tt_lane_row *row, struct tt_text *text)
{
    const struct tt_thread *thread =
        row->thread != TT_NO_THREAD ? tt_thread_at(ws->opened.capture, row->thread) : NULL;
    size_t length = 0;
    if (row->kind == TT_LANE_CAPTURE) {
        tt_lanes_capture_text(ws, row->number, text);
        return;
    }
    if (row->kind >= TT_LANE_SLICES) {
        tt_text_str(text, rows->flat || row->process == UINT32_MAX ? "  " : "      ");
        if (row->kind == TT_LANE_SLICES) {
            tt_lanes_slices_name(ws, row, text);
        } else {
            tt_lanes_series_text(ws, row->number, text);
        }
        return;
    }
    if (!thread) {
        bool folded = tt_lane_rows_folded(rows, row->process);
        tt_lanes_glyph(ws, folded ? TT_GLYPH_FOLDED : TT_GLYPH_OPEN, text);
        tt_text_char(text, ' ');
        tt_lanes_process_text(ws, row->process, true, text);
        if (folded) {
            tt_text_put(text, " (%u)", threads_of(ws, row->process));
        }
        return;
    }
    if (rows->flat) {
        tt_line_thread(text, ws->opened.capture, row->thread);
        return;
    }
    const char *name = tt_capture_text(ws->opened.capture, thread->name, &length);
    if ((row->alone || row->pinned) && tt_line_is_own_process(ws->opened.capture, row->thread)) {
        tt_text_str(text, row->alone ? "  " : "");
        tt_line_thread(text, ws->opened.capture, row->thread);
        return;
    }
    if (row->alone) {
        tt_text_str(text, "  ");
        tt_lanes_process_text(ws, row->process, true, text);
        tt_text_char(text, '/');
    } else if (row->pinned) {
        tt_lanes_process_text(ws, row->process, false, text);
        tt_text_char(text, '/');
    } else {
        tt_text_str(text, "    ");
    }
    if (length == 0 || thread->tid <= TID_MOST) {
        tt_line_id(text, ws->opened.capture, thread->process, thread->tid);
        tt_text_str(text, length > 0 ? " " : "");
    }
    tt_text_escaped(text, name, length);
}

void tt_lanes_capture_text(const struct tt_workspace *ws, uint32_t number, struct tt_text *text)
{
    const struct tt_merge *merge = ws->opened.capture->merge;
    const char *name = merge && number < merge->count ? merge->members[number].capture->label : "";
    tt_text_escaped(text, name, strlen(name));
}

void tt_lanes_series_text(const struct tt_workspace *ws, uint32_t series, struct tt_text *text)
{
    size_t length;
    const char *name = tt_capture_text(ws->opened.capture,
                                       tt_series_at(ws->opened.capture, series)->name, &length);
    tt_text_escaped(text, name, length);
}

#define SERIES_COMPARED 512u /* at most, for the label of one */
#define TAIL            3u   /* last characters of a counter's name that a short label keeps */

/* Returns the length of "counter" in "counter:argument:id", and that of "counter:argument"; 0: another form. */
static size_t gutter_parts_of(const char *name, size_t length, size_t *argument_end)
{
    size_t ends[2], at = length;
    for (unsigned i = 0; i < 2; i++) {
        while (at > 0 && name[at - 1] != ':') {
            at--;
        }
        if (at < 2) {
            return 0;
        }
        ends[i] = --at;
    }
    *argument_end = ends[0];
    return ends[1];
}

/* Returns whether another argument of the same counter is a series, too. */
static bool has_other_argument(const struct tt_capture *capture, const char *name, size_t counter,
                               size_t argument_end)
{
    uint32_t count = tt_series_count(capture);
    for (uint32_t i = 0; i < count && i < SERIES_COMPARED; i++) {
        size_t length, end;
        const char *other = tt_capture_text(capture, tt_series_at(capture, i)->name, &length);
        if (gutter_parts_of(other, length, &end) == counter && memcmp(other, name, counter) == 0 &&
            (end != argument_end || memcmp(other, name, end) != 0)) {
            return true;
        }
    }
    return count > SERIES_COMPARED;
}

/*
 * Writes a series into few columns so that it differs from others: without its argument if the counter
 * has no other one, and cut in the middle, since the numbers are at its end.
 */
static void write_short_series(const struct tt_workspace *ws, struct tt_area area, uint32_t series,
                               size_t width, struct tt_text *text)
{
    const struct tt_capture *capture = ws->opened.capture;
    size_t length, argument_end, start = text->used;
    const char *name = tt_capture_text(capture, tt_series_at(capture, series)->name, &length);
    size_t counter = gutter_parts_of(name, length, &argument_end);
    if (counter == 0) {
        counter = argument_end = length;
    }
    bool argument = counter > 0 && has_other_argument(capture, name, counter, argument_end);
    tt_text_escaped(text, name, counter);
    size_t tail = text->used;
    tt_text_escaped(text, name + (argument ? counter : argument_end),
                    length - (argument ? counter : argument_end));
    size_t shown = text->used - start, kept = text->used - tail + TAIL;
    bool plain = tt_grid_columns(area.grid, text->buffer + start, shown) == (int)shown;
    if (shown <= width || width < 4 || !plain) {
        return;
    }
    char utf8[4], end[256];
    kept = kept < width - 2 ? kept : width - 2;
    kept = kept < sizeof end ? kept : sizeof end;
    memcpy(end, text->buffer + text->used - kept, kept);
    text->used = start + width - 1 - kept;
    tt_text_bytes(text, utf8, tt_utf8_encode(area.grid->ellipsis, utf8));
    tt_text_bytes(text, end, kept);
}

/* Returns whether the width cuts "name pid/thread" at or before the slash. */
static bool hides_thread(const struct tt_grid *grid, const struct tt_text *text, int width)
{
    const char *slash = memchr(text->buffer, '/', text->used);
    size_t before = slash ? (size_t)(slash - text->buffer) + 1 : 0;
    return tt_grid_columns(grid, text->buffer, text->used) > width &&
           tt_grid_columns(grid, text->buffer, before) + 1 >= width;
}

void tt_lanes_gutter_row(const struct tt_workspace *ws, const struct tt_lane_rows *rows,
                         const struct tt_lane_row *row, struct tt_area area,
                         const struct tt_lanes_gutter *gutter, int y)
{
    static const uint8_t roles[] = {[TT_LANE_THREAD] = TT_ROLE_THREAD,
                                    [TT_LANE_PROCESS] = TT_ROLE_TITLE,
                                    [TT_LANE_SLICES] = TT_ROLE_DIM,
                                    [TT_LANE_COUNTER] = TT_ROLE_COUNTER,
                                    [TT_LANE_CAPTURE] = TT_ROLE_TITLE};
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    /* Slices have no numbers: their names may use these columns. */
    int width = row->kind == TT_LANE_SLICES || row->kind == TT_LANE_CAPTURE
                    ? gutter->width - 1 - gutter->name
                : row->kind == TT_LANE_PROCESS ? gutter->name_width
                                               : gutter->name_width - 1;
    lanes_gutter_name(ws, rows, row, &text);
    if (row->alone && hides_thread(area.grid, &text, width)) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, "  ");
        tt_thread_label(area.grid, ws->opened.capture, row->thread, width - 2, &text);
    }
    if (row->kind == TT_LANE_COUNTER &&
        tt_grid_columns(area.grid, text.buffer, text.used) > width) {
        size_t indent = strspn(tt_text_cstr(&text), " ");
        text.used = indent;
        write_short_series(ws, area, row->number,
                           (size_t)width > indent ? (size_t)width - indent : 0, &text);
    }
    tt_draw_text(area, gutter->name, y, width, roles[row->kind], buffer, text.used);
}

void tt_lanes_gutter_counter(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                             struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                             uint32_t series)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    double value;
    if (tt_lanes_counter_at(timelines, series, ws->nav.viewport.at, &value)) {
        tt_lanes_counter_text(value, &text);
        tt_draw_right(area, gutter->percent - 4, y, 8, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
}

static void draw_percent(struct tt_area area, int x, int y, uint64_t part, uint64_t whole)
{
    char buffer[16];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (part > 0) {
        tt_text_u64(&text, tt_percent(part, whole));
        tt_draw_right(area, x, y, 4, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
}

/* Returns the length of the window inside the capture, in ticks. */
static uint64_t window_length(const struct tt_workspace *ws)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    uint64_t to = ws->nav.viewport.to < bounds.end ? ws->nav.viewport.to : bounds.end - 1;
    return to > ws->nav.viewport.from ? to - ws->nav.viewport.from : 0;
}

void tt_lanes_gutter_process(const struct tt_workspace *ws, const struct tt_row_stats *numbers,
                             struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                             uint32_t process)
{
    const struct tt_lane_number *number = tt_row_stats_process(numbers, process);
    if (!number) {
        return;
    }
    draw_percent(area, gutter->percent, y, number->run, window_length(ws));
    if (gutter->switches >= 0 && number->in > 0) {
        char buffer[32];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_units_count(&text, number->in);
        tt_draw_right(area, gutter->switches, y, 8, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
}

void tt_lanes_gutter_thread(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                            struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                            uint32_t thread, const struct tt_lane_sums *sums)
{
    char buffer[32];
    struct tt_text text;
    struct tt_interval interval;
    const struct tt_viewport *viewport = &ws->nav.viewport;
    int priority = tt_thread_priority(timelines, thread, viewport->at);
    if (gutter->priority >= 0 && priority != TT_NO_PRIORITY) {
        const struct tt_format *format = ws->opened.capture->format;
        int16_t own = (int16_t)priority;
        text = tt_text_of(buffer, sizeof buffer);
        if (format->refers.weight &&
            format->refers.weight(ws->opened.capture, thread, own) < priority) {
            tt_text_str(&text, "dl"); /* a deadline instead of a priority */
        } else {
            tt_text_i64(&text, priority);
        }
        tt_draw_right(area, gutter->priority, y, 4, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
    draw_percent(area, gutter->percent, y, sums ? sums->run : 0, window_length(ws));
    if (gutter->switches >= 0 && sums && sums->in > 0) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_units_count(&text, sums->in);
        tt_draw_right(area, gutter->switches, y, 8, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
    if (gutter->state >= 0 && tt_lane_at(timelines, thread, viewport->at, &interval)) {
        tt_draw(area, gutter->state, y, 11, TT_ROLE_DIM, tt_lanes_state_name(ws, interval.state));
    }
}
