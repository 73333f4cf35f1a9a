/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus/draw: draws the lanes of the CPUs view: occupants, with names if there is room, and load.
 */
#include <string.h>

#include "base/clock.h"
#include "table/registry.h"
#include "tracetui/merge.h"
#include "tracetui/table.h"
#include "tracetui/time.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/status.h"
#include "tui/views/cpus/view.h"

#define NAME_BYTES   256
#define COLUMNS_MOST 1024u
/* Widths of the gutter's columns after `busy`. */
enum { IRQ_WIDTH = 4, KERNEL_WIDTH = 7, SWITCHES_WIDTH = 9 };

#define NAME_LEAST 6 /* minimum columns of a truncated name */

/* ---- colours ------------------------------------------------------------------------------ */

unsigned tt_cpus_color(const struct tt_capture *c, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(c, thread);
    uint32_t processes = tt_process_count(c), process = t->process;
    uint64_t pid = process < processes ? tt_process_at(c, process)->pid : 0;
    /* Threads of a process mostly have consecutive numbers, and so different colours. */
    return (unsigned)(((pid * UINT64_C(0x9E3779B97F4A7C15) >> 61) + t->tid) % TT_CPU_COLORS);
}

/* Returns whether the occupant passes the filters. */
static bool is_shown(const struct tt_workspace *ws, uint32_t occupant)
{
    return occupant >= TT_OCCUPANT_IDLE || tt_visible_thread(&ws->filters, occupant);
}

unsigned tt_cpus_role(const struct tt_workspace *ws, uint32_t occupant)
{
    return occupant >= TT_OCCUPANT_IDLE ? (unsigned)TT_ROLE_CPU_1
           : !is_shown(ws, occupant)    ? (unsigned)TT_ROLE_DIM
           : occupant == ws->nav.lane.thread
               ? (unsigned)TT_ROLE_CPU_SELECTED
               : TT_ROLE_CPU_1 + tt_cpus_color(ws->opened.capture, occupant);
}

/* ---- cells -------------------------------------------------------------------------------- */

/*
 * Draws the full name if it fits, else the thread's own name, truncated to no less than NAME_LEAST
 * columns. A name that ends with a number is never truncated, because only the number distinguishes
 * it: "thread 1" is shown in full or not at all.
 */
static void draw_name(const struct tt_workspace *ws, struct tt_area area, int x, int y, int width,
                      uint32_t thread, unsigned role)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_thread_label(area.grid, ws->opened.capture, thread, width, &text);
    if (tt_grid_columns(area.grid, buffer, text.used) > width) {
        char last = buffer[text.used - 1];
        if (width < NAME_LEAST || (last >= '0' && last <= '9')) {
            return;
        }
        text.used = tt_grid_fitting(area.grid, buffer, text.used, width);
    }
    int used = tt_draw_text(area, x, y, width, role, buffer, text.used);
    tt_draw_over(area, x, y, used, TT_ROLE_CPU_NAME);
}

/* Draws a cell; `role`: that of a thread. */
static void draw_cell(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                      const struct tt_cpu_lane_cell *cell, unsigned role)
{
    static const struct {
        uint8_t role, glyph, many;
    } styles[TT_CPU_CELL_COUNT] = {
        [TT_CPU_CELL_BUSY] = {0, TT_GLYPH_BUSY, TT_GLYPH_BUSY_MANY},
        [TT_CPU_CELL_IDLE] = {TT_ROLE_CPU_IDLE, TT_GLYPH_IDLE, TT_GLYPH_IDLE_MANY},
        [TT_CPU_CELL_KERNEL] = {TT_ROLE_CPU_KERNEL, TT_GLYPH_KERNEL, TT_GLYPH_KERNEL},
        [TT_CPU_CELL_IRQ] = {TT_ROLE_CPU_IRQ, TT_GLYPH_IRQ, TT_GLYPH_IRQ},
        [TT_CPU_CELL_UNKNOWN] = {TT_ROLE_UNKNOWN, TT_GLYPH_UNKNOWN, TT_GLYPH_UNKNOWN},
    };
    if (cell->kind == TT_CPU_CELL_NOTHING) {
        return;
    }
    unsigned glyph = cell->many ? styles[cell->kind].many : styles[cell->kind].glyph;
    tt_draw_fill(area, x, y, 1, cell->kind == TT_CPU_CELL_BUSY ? role : styles[cell->kind].role,
                 tt_term_glyph(&ws->term, (enum tt_glyph)glyph));
}

/* Draws names where a thread occupies several adjacent columns. */
static void draw_names(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                       const struct tt_cpu_lane_cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count;) {
        unsigned run = 1;
        bool named = cells[i].kind == TT_CPU_CELL_BUSY && cells[i].occupant < TT_OCCUPANT_IDLE;
        while (named && i + run < count && cells[i + run].kind == TT_CPU_CELL_BUSY &&
               cells[i + run].occupant == cells[i].occupant) {
            run++;
        }
        if (named && run > 1 && is_shown(ws, cells[i].occupant)) {
            draw_name(ws, area, x + (int)i, y, (int)run, cells[i].occupant,
                      tt_cpus_role(ws, cells[i].occupant));
        }
        i += run;
    }
}

/*
 * Draws a column of the load: threads and interrupts together. It has the colour of interrupts if
 * they have more of the column than threads, or an eighth of it; without colours, their glyph.
 */
static void draw_load(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                      const struct tt_cpu_cell *c)
{
    struct tt_load load = {c->busy + c->irq, c->unknown,
                           c->busy + c->idle + c->irq + c->kernel + c->unknown};
    tt_lanes_draw_load(ws, area, x, y, &load);
    bool visible = c->irq > 0 && (c->irq > c->busy || c->irq >= load.total / 8);
    if (visible && ws->term.colored) {
        tt_draw_over(area, x, y, 1, TT_ROLE_CPU_IRQ);
    } else if (visible) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_CPU_IRQ, tt_term_glyph(&ws->term, TT_GLYPH_IRQ));
    }
}

/* Computes the cells of the sequence axis: the occupant at the time of each event. */
static void sequence_cells(const struct tt_cpus_view *v, const struct tt_workspace *ws,
                           const struct tt_timelines *t, uint16_t cpu,
                           struct tt_cpu_lane_cell *cells)
{
    for (uint32_t i = 0; i < v->event_count; i++) {
        struct tt_occupation_at at;
        uint64_t ticks = v->lanes.events[i].ticks;
        cells[i] = (struct tt_cpu_lane_cell){.kind = TT_CPU_CELL_NOTHING};
        if (!tt_occupation_find(t, cpu, ticks, &at)) {
            continue;
        }
        struct tt_occupation o = tt_occupation_get(t, at);
        bool pseudo =
            o.occupant < TT_OCCUPANT_IDLE && tt_thread_at(ws->opened.capture, o.occupant)->pseudo;
        cells[i].occupant = o.occupant;
        cells[i].irq = tt_cpu_irq_depth(t, cpu, ticks) > 0;
        cells[i].kind = cells[i].irq                                 ? TT_CPU_CELL_IRQ
                        : o.occupant == TT_OCCUPANT_UNKNOWN          ? TT_CPU_CELL_UNKNOWN
                        : o.occupant == TT_OCCUPANT_KERNEL || pseudo ? TT_CPU_CELL_KERNEL
                        : o.idle                                     ? TT_CPU_CELL_IDLE
                                                                     : TT_CPU_CELL_BUSY;
    }
}

bool tt_cpus_fill_lanes(const struct tt_workspace *ws, struct tt_cpus_view *v, uint64_t deadline)
{
    while (v->lanes_known < v->lanes_shown && tt_now_ns() < deadline) {
        uint16_t cpu = (uint16_t)(v->first + v->lanes_known);
        size_t place = (size_t)v->lanes_known * v->columns;
        if (v->event_count > 0) {
            sequence_cells(v, ws, v->t, cpu, v->at_events + place);
        } else if (!ws->nav.lane.sequence) {
            tt_cpu_cells(v->t, cpu, v->lanes.edges, v->columns, v->cells + place);
        }
        v->lanes_known++;
    }
    return v->lanes_known >= v->lanes_shown;
}

static void draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                      struct tt_area area, int y, uint16_t cpu)
{
    size_t place = (size_t)(cpu - v->first) * v->columns;
    const struct tt_cpu_cell *sums = v->cells + place;
    bool known = cpu - v->first < v->lanes_known;
    struct tt_cpu_lane_cell cells[COLUMNS_MOST];
    int x = v->lanes.layout.gutter;
    unsigned count = v->columns < COLUMNS_MOST ? v->columns : COLUMNS_MOST;
    count = ws->nav.lane.sequence && v->event_count < count ? v->event_count : count;
    count = known ? count : 0;
    for (unsigned i = 0; i < count; i++) {
        cells[i] = ws->nav.lane.sequence ? v->at_events[place + i] : tt_cpu_lane_cell_of(&sums[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        draw_cell(ws, area, x + (int)i, y, &cells[i], tt_cpus_role(ws, cells[i].occupant));
    }
    draw_names(ws, area, x, y, cells, count);
    for (unsigned i = 0; v->lines_each > 1 && !ws->nav.lane.sequence && i < count; i++) {
        draw_load(ws, area, x + (int)i, y + 1, &sums[i]);
    }
    tt_lanes_draw_over(ws, &v->lanes, area, y);
    if (v->lines_each > 1) {
        tt_lanes_draw_over(ws, &v->lanes, area, y + 1);
    }
}

void tt_cpus_draw_number(struct tt_area area, int x, int y, int width, uint64_t number)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_units_count(&text, number);
    tt_draw_right(area, x, y, width, TT_ROLE_TEXT, tt_text_cstr(&text));
}

void tt_cpus_draw_heading(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                          struct tt_area area, int y, uint16_t cpu)
{
    char buffer[TT_MERGE_NAME_MOST * 4];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_lanes_capture_text(ws, tt_merge_of_cpu(ws->opened.capture, cpu), &text);
    tt_draw_text(area, v->gutter.cpu, y, v->gutter.width - 1 - v->gutter.cpu, TT_ROLE_TITLE, buffer,
                 text.used);
}

void tt_cpus_draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                       const struct tt_timelines *t, struct tt_area area, int y, uint16_t cpu)
{
    const struct tt_cpus_gutter *g = &v->gutter;
    struct tt_cpu_sums sums;
    tt_cpu_sum(t, cpu, ws->nav.viewport.from, ws->nav.viewport.to, &sums);
    uint64_t whole = sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown;
    tt_cpus_draw_number(area, g->cpu, y, 3, cpu);
    tt_cpus_draw_number(area, g->busy, y, 4, tt_percent(sums.busy, whole));
    if (g->irq >= 0 && sums.irq > 0) {
        tt_cpus_draw_number(area, g->irq, y, IRQ_WIDTH, tt_percent(sums.irq, whole));
    }
    if (g->kernel >= 0 && sums.kernel > 0) {
        tt_cpus_draw_number(area, g->kernel, y, KERNEL_WIDTH, tt_percent(sums.kernel, whole));
    }
    if (g->switches >= 0) {
        tt_cpus_draw_number(area, g->switches, y, SWITCHES_WIDTH, sums.switches);
    }
    if (!tt_visible_cpu(&ws->filters, cpu)) {
        tt_draw_over(area, 1, y, g->width - 2, TT_ROLE_DIM);
    }
    draw_lane(ws, v, area, y, cpu);
    if (cpu == ws->nav.lane.cpu) {
        tt_term_draw_cursor(&ws->term, tt_area_part(area, 0, y, g->width - 1, 1), g->cpu + 3);
    }
}

static void draw_head(struct tt_area area, int x, int y, int width, const char *key)
{
    if (x >= 0) {
        tt_draw_right(area, x, y, width, TT_ROLE_COLUMNS, tt_table_head(&tt_table_cpus, key));
    }
}

void tt_cpus_draw_heads(struct tt_area area, const struct tt_cpus_gutter *g, int y)
{
    draw_head(area, g->cpu, y, 3, "cpu");
    draw_head(area, g->busy, y, 4, "busy");
    draw_head(area, g->irq, y, IRQ_WIDTH, "irq");
    draw_head(area, g->kernel, y, KERNEL_WIDTH, "kernel");
    draw_head(area, g->switches, y, SWITCHES_WIDTH, "switches");
}

void tt_cpus_draw_legend(const struct tt_workspace *ws, struct tt_area area, int y, int width)
{
    static const struct {
        uint8_t kind;
        const char *name;
    } items[] = {{TT_CPU_CELL_BUSY, "a thread"},
                 {TT_CPU_CELL_IDLE, "idle"},
                 {TT_CPU_CELL_KERNEL, "kernel"},
                 {TT_CPU_CELL_IRQ, "interrupt"},
                 {TT_CPU_CELL_UNKNOWN, "unknown"}};
    int x = 1;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        struct tt_cpu_lane_cell cell = {.kind = items[i].kind, .occupant = TT_OCCUPANT_UNKNOWN};
        int needs = 3 + (int)strlen(items[i].name);
        if (x + needs <= width) {
            draw_cell(ws, area, x, y, &cell, TT_ROLE_CPU_1);
            x += 1 + needs - 2 - (int)strlen(items[i].name);
            x += tt_draw(area, x, y, width - x, TT_ROLE_DIM, items[i].name) + 1;
        }
    }
    if (x + 7 <= width) {
        struct tt_cpu_lane_cell cell = {TT_CPU_CELL_BUSY, true, false, TT_OCCUPANT_UNKNOWN};
        draw_cell(ws, area, x, y, &cell, TT_ROLE_CPU_1);
        cell.kind = TT_CPU_CELL_IDLE;
        draw_cell(ws, area, x + 1, y, &cell, TT_ROLE_CPU_1);
        tt_draw(area, x + 3, y, width - x - 3, TT_ROLE_DIM, "many");
    }
}
