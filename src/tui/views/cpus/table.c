/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus/table: the part below the lanes of the CPUs view: the occupants of the selected CPU, longest
 * first, and the status of the cursor.
 */
#include <limits.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/status.h"
#include "tui/views/cpus/view.h"

#define NAME_BYTES 256
#define NAME_MOST  34
#define PANEL_GAP  3  /* columns between table and panel */
#define SHORT_NAME 24 /* columns of a cpus_table_neighbour's name */
/* Until then the rows of before are shown, so that a frame less is sent. */
#define LATE_NS UINT64_C(100000000)

void tt_cpus_occupant_text(const struct tt_workspace *ws, uint32_t occupant, int width,
                           struct tt_text *text)
{
    switch (occupant) {
    case TT_OCCUPANT_UNKNOWN:
        tt_text_str(text, "unknown");
        break;
    case TT_OCCUPANT_KERNEL:
        tt_text_str(text, "kernel");
        break;
    case TT_OCCUPANT_IDLE:
        tt_text_str(text, "idle");
        break;
    default:
        tt_thread_label(&ws->term.grid, ws->opened.capture, occupant, width, text);
        break;
    }
}

/* Widths of the columns after the name; adjacent, so that drawing needs fewer cursor moves. */
enum { RUNNING = 9, PERCENT = 4, TIMES = 7, LONGEST = 10 };

static int name_width(int width)
{
    return width / 3 < NAME_MOST ? width / 3 : NAME_MOST;
}

void tt_cpus_draw_length(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                         int width, uint64_t ticks)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (ws->opened.capture->clock_hz) {
        tt_time_label_duration(ws, &text, ticks);
    } else {
        tt_units_count(&text, ticks);
    }
    tt_draw_right(area, x, y, width, TT_ROLE_TEXT, tt_text_cstr(&text));
}

/* Returns whether the table contains a thread of another process with the same name. */
static bool has_namesake(const struct tt_capture *capture, const struct tt_top_threads *top,
                         uint32_t occupant)
{
    const struct tt_thread *thread =
        occupant < TT_OCCUPANT_IDLE ? tt_thread_at(capture, occupant) : NULL;
    for (uint32_t i = 0; thread && i < top->count; i++) {
        const uint32_t number = top->rows[i].occupant;
        const struct tt_thread *other =
            number < TT_OCCUPANT_IDLE ? tt_thread_at(capture, number) : NULL;
        if (other && other->process != thread->process && other->name == thread->name &&
            other->tid == thread->tid &&
            tt_process_at(capture, other->process)->name ==
                tt_process_at(capture, thread->process)->name) {
            return true;
        }
    }
    return false;
}

static void draw_top_row(const struct tt_workspace *ws, struct tt_area area, int y,
                         const struct tt_top_threads *top, const struct tt_top_threads_row *row,
                         uint64_t whole)
{
    const struct tt_capture *capture = ws->opened.capture;
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int name = name_width(area.width), x = 1 + name;
    const int glyph = tt_cpus_glyph_width(ws);
    if (glyph > 0) {
        tt_cpus_draw_glyph(ws, area, 1, y, row->occupant);
    }
    char number[NAME_BYTES] = "";
    struct tt_text pid = tt_text_of(number, sizeof number);
    if (has_namesake(capture, top, row->occupant)) {
        const uint32_t process = tt_thread_at(capture, row->occupant)->process;
        tt_text_str(&pid, " (");
        tt_line_id(&pid, capture, process, tt_process_at(capture, process)->pid);
        tt_text_char(&pid, ')');
    }
    tt_cpus_occupant_text(ws, row->occupant, name - 1 - glyph - (int)pid.used, &text);
    tt_text_bytes(&text, number, pid.used);
    tt_draw_text(area, 1 + glyph, y, name - 1 - glyph, TT_ROLE_THREAD, buffer, text.used);
    tt_cpus_draw_length(ws, area, x, y, RUNNING, row->ticks);
    tt_cpus_draw_number(area, x += RUNNING, y, PERCENT, tt_percent(row->ticks, whole));
    tt_cpus_draw_number(area, x += PERCENT, y, TIMES, row->times);
    tt_cpus_draw_length(ws, area, x + TIMES, y, LONGEST, row->longest);
}

static void draw_top_heads(struct tt_area area, int y, const char *title)
{
    int name = name_width(area.width), x = 1 + name;
    tt_draw(area, 1, y, name, TT_ROLE_COLUMNS, title);
    tt_draw_right(area, x, y, RUNNING, TT_ROLE_COLUMNS, "running");
    tt_draw_right(area, x += RUNNING, y, PERCENT, TT_ROLE_COLUMNS, "%");
    tt_draw_right(area, x += PERCENT, y, TIMES, TT_ROLE_COLUMNS, "runs");
    tt_draw_right(area, x + TIMES, y, LONGEST, TT_ROLE_COLUMNS, "longest");
}

void tt_cpus_fill_table(const struct tt_workspace *ws, struct tt_cpus_view *view,
                        const struct tt_timelines *timelines)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    view->has_top = view->table_lines >= 2 &&
                    tt_top_threads_ask(&view->top, timelines, ws->nav.lane.cpu, viewport->from,
                                       viewport->to, tt_thread_count(ws->opened.capture));
    view->top_known = view->has_top && tt_top_threads_work(&view->top, tt_term_share(&ws->term, 1));
    const bool stays = ws->index.following.at_end && view->top.rows_cpu == ws->nav.lane.cpu;
    view->top_late = !view->top_known && (view->top.count == 0 ||
                                          (!stays && tt_now_ns() - view->top.asked_ns >= LATE_NS));
}

void tt_cpus_draw_table(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area)
{
    int y = view->table;
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!view->has_top) {
        return;
    }
    tt_text_put(&text, "threads on CPU %d",
                view->top_known || view->top_late ? ws->nav.lane.cpu : view->top.rows_cpu);
    draw_top_heads(area, y, tt_text_cstr(&text));
    if (view->top_late) {
        tt_draw(area, 1, y + 1, area.width - 2, TT_ROLE_PROGRESS, "counting");
        return;
    }
    uint64_t whole = 0;
    for (uint32_t i = 0; i < view->top.count; i++) {
        whole += view->top.rows[i].ticks;
    }
    for (uint32_t i = 0; i < view->top.count && (int)i + 1 < view->table_lines; i++) {
        draw_top_row(ws, area, y + 1 + (int)i, &view->top, &view->top.rows[i], whole);
    }
    int x = 1 + name_width(area.width) + RUNNING + PERCENT + TIMES + LONGEST + PANEL_GAP;
    tt_cpus_draw_panel(ws, view, tt_area_part(area, x, y, area.width - x - 1, view->table_lines));
}

static void write_occupation(const struct tt_workspace *ws, const struct tt_occupation *occupation,
                             struct tt_text *text)
{
    tt_cpus_occupant_text(ws, occupation->occupant, SHORT_NAME, text);
    tt_text_put(text, " %s", tt_words_duration(ws, occupation->end - occupation->start).s);
}

/* Skips empty occupations: several may begin at the same time. */
static bool cpus_table_neighbour(const struct tt_timelines *timelines, struct tt_occupation_at at,
                                 bool after, struct tt_occupation *occupation)
{
    while (after ? tt_occupation_next(timelines, &at) : tt_occupation_previous(timelines, &at)) {
        *occupation = tt_occupation_get(timelines, at);
        if (occupation->end > occupation->start) {
            return true;
        }
    }
    return false;
}

static void cpus_table_write_neighbours(const struct tt_workspace *ws,
                                        const struct tt_timelines *timelines,
                                        struct tt_occupation_at at, struct tt_text *text)
{
    struct tt_occupation o;
    bool before = cpus_table_neighbour(timelines, at, false, &o);
    if (before) {
        tt_text_str(text, "after ");
        write_occupation(ws, &o, text);
    }
    if (cpus_table_neighbour(timelines, at, true, &o)) {
        tt_text_str(text, before ? ", then " : "then ");
        write_occupation(ws, &o, text);
    }
}

void tt_cpus_status(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                    const struct tt_timelines *timelines, struct tt_area area)
{
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t at = ws->nav.viewport.at;
    struct tt_occupation_at place;
    bool is = at <= tt_timelines_end(timelines) &&
              tt_occupation_find(timelines, ws->nav.lane.cpu, at, &place);
    tt_lanes_status_time(ws, &text);
    tt_text_put(&text, "  CPU %d  ", ws->nav.lane.cpu);
    if (is) {
        struct tt_occupation o = tt_occupation_get(timelines, place);
        tt_cpus_occupant_text(ws, o.occupant, INT_MAX, &text);
        tt_text_put(&text, " for %s of %s", tt_words_duration(ws, at - o.start).s,
                    tt_words_duration(ws, o.end - o.start).s);
        if (tt_cpu_irq_depth(timelines, ws->nav.lane.cpu, at) > 0) {
            tt_text_str(&text, ", in an interrupt");
        }
    } else {
        tt_text_str(&text, "no data");
    }
    tt_draw_text(area, 1, layout->status, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
    if (layout->status_lines < 2) {
        return;
    }
    text = tt_text_of(buffer, sizeof buffer);
    bool selected = tt_lanes_status_selection(ws, TT_NO_THREAD, &text);
    if (selected) {
        uint64_t from, to;
        struct tt_cpu_sums sums;
        tt_viewport_selection(&ws->nav.viewport, &from, &to);
        tt_cpu_sum(timelines, ws->nav.lane.cpu, from, to, &sums);
        uint64_t whole = sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown;
        tt_text_put(&text, "; this CPU busy %u %%, %'ju switches, %'ju interrupts",
                    tt_percent(sums.busy, whole), sums.switches, sums.interrupts);
    } else if (is) {
        cpus_table_write_neighbours(ws, timelines, place, &text);
    }
    tt_draw_text(area, 1, layout->status + 1, area.width - 2,
                 selected ? TT_ROLE_MARK : TT_ROLE_TEXT, buffer, text.used);
}
