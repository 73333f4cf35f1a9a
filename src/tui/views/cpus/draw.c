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

unsigned tt_cpus_color(const struct tt_capture *capture, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(capture, thread);
    uint32_t processes = tt_process_count(capture), process = t->process;
    uint64_t pid = process < processes ? tt_process_at(capture, process)->pid : 0;
    /* Threads of a process mostly have consecutive numbers, and so different colours. */
    return (unsigned)(((pid * UINT64_C(0x9E3779B97F4A7C15) >> 61) + t->tid) % TT_CPU_COLORS);
}

/* Returns whether the occupant passes the filters. */
static bool cpus_draw_is_shown(const struct tt_workspace *ws, uint32_t occupant)
{
    return occupant >= TT_OCCUPANT_IDLE || tt_visible_thread(&ws->filters, occupant);
}

/* Returns the role of an occupant: its colour, unless it is the selected thread or filtered out. */
static unsigned cpus_role(const struct tt_workspace *ws, uint32_t occupant)
{
    return occupant >= TT_OCCUPANT_IDLE        ? (unsigned)TT_ROLE_CPU_1
           : !cpus_draw_is_shown(ws, occupant) ? (unsigned)TT_ROLE_DIM
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
static void cpus_draw_draw_name(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                                int width, uint32_t thread, unsigned role)
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

/* Returns whether interrupts have more of a column than threads, or an eighth of it. */
static bool load_shows_irq(const struct tt_cpu_cell *cell)
{
    const uint64_t total = cell->busy + cell->idle + cell->irq + cell->kernel + cell->unknown;
    return cell->irq > 0 && (cell->irq > cell->busy || cell->irq >= total / 8);
}

/*
 * Draws a column of the load: threads and interrupts together. It has the colour of interrupts where
 * they show; without colours, their glyph.
 */
static void draw_load(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                      const struct tt_cpu_cell *cell)
{
    struct tt_load load = {cell->busy + cell->irq, cell->unknown,
                           cell->busy + cell->idle + cell->irq + cell->kernel + cell->unknown};
    tt_lanes_draw_load(ws, area, x, y, &load);
    const bool visible = load_shows_irq(cell);
    if (visible && ws->term.colored) {
        tt_draw_over(area, x, y, 1, TT_ROLE_CPU_IRQ);
    } else if (visible) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_CPU_IRQ, tt_term_glyph(&ws->term, TT_GLYPH_IRQ));
    }
}

bool tt_cpus_fill_lanes(const struct tt_workspace *ws, struct tt_cpus_view *view, uint64_t deadline)
{
    while (view->lanes_known < view->lanes_shown && tt_now_ns() < deadline) {
        uint16_t cpu = (uint16_t)(view->first + view->lanes_known);
        size_t place = (size_t)view->lanes_known * view->columns;
        if (view->event_count > 0) {
            /* Computes the cells of the sequence axis: the occupant at the time of each event. */
            const struct tt_timelines *timelines = view->t;
            struct tt_cpu_lane_cell *cells = view->at_events + place;
            for (uint32_t i = 0; i < view->event_count; i++) {
                struct tt_occupation_at at;
                uint64_t ticks = view->lanes.events[i].ticks;
                cells[i] = (struct tt_cpu_lane_cell){.kind = TT_CPU_CELL_NOTHING};
                if (!tt_occupation_find(timelines, cpu, ticks, &at)) {
                    continue;
                }
                struct tt_occupation o = tt_occupation_get(timelines, at);
                bool pseudo = o.occupant < TT_OCCUPANT_IDLE &&
                              tt_thread_at(ws->opened.capture, o.occupant)->pseudo;
                cells[i].occupant = o.occupant;
                cells[i].irq = tt_cpu_irq_depth(timelines, cpu, ticks) > 0;
                cells[i].kind = cells[i].irq                                 ? TT_CPU_CELL_IRQ
                                : o.occupant == TT_OCCUPANT_UNKNOWN          ? TT_CPU_CELL_UNKNOWN
                                : o.occupant == TT_OCCUPANT_KERNEL || pseudo ? TT_CPU_CELL_KERNEL
                                : o.idle                                     ? TT_CPU_CELL_IDLE
                                                                             : TT_CPU_CELL_BUSY;
            }
        } else if (!ws->nav.lane.sequence) {
            tt_cpu_cells(view->t, cpu, view->lanes.edges, view->columns, view->cells + place);
        }
        view->lanes_known++;
    }
    return view->lanes_known >= view->lanes_shown;
}

static void draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                      struct tt_area area, int y, uint16_t cpu)
{
    size_t place = (size_t)(cpu - view->first) * view->columns;
    const struct tt_cpu_cell *sums = view->cells + place;
    bool known = cpu - view->first < view->lanes_known;
    struct tt_cpu_lane_cell cells[COLUMNS_MOST];
    int x = view->lanes.layout.gutter;
    unsigned count = view->columns < COLUMNS_MOST ? view->columns : COLUMNS_MOST;
    count = ws->nav.lane.sequence && view->event_count < count ? view->event_count : count;
    count = known ? count : 0;
    for (unsigned i = 0; i < count; i++) {
        cells[i] =
            ws->nav.lane.sequence ? view->at_events[place + i] : tt_cpu_lane_cell_of(&sums[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        draw_cell(ws, area, x + (int)i, y, &cells[i], cpus_role(ws, cells[i].occupant));
    }

    /* Draws names where a thread occupies several adjacent columns. */
    for (unsigned i = 0; i < count;) {
        unsigned run = 1;
        bool named = cells[i].kind == TT_CPU_CELL_BUSY && cells[i].occupant < TT_OCCUPANT_IDLE;
        while (named && i + run < count && cells[i + run].kind == TT_CPU_CELL_BUSY &&
               cells[i + run].occupant == cells[i].occupant) {
            run++;
        }
        if (named && run > 1 && cpus_draw_is_shown(ws, cells[i].occupant)) {
            cpus_draw_draw_name(ws, area, x + (int)i, y, (int)run, cells[i].occupant,
                                cpus_role(ws, cells[i].occupant));
        }
        i += run;
    }

    for (unsigned i = 0; view->lines_each > 1 && !ws->nav.lane.sequence && i < count; i++) {
        draw_load(ws, area, x + (int)i, y + 1, &sums[i]);
    }
    tt_lanes_draw_over(ws, &view->lanes, area, y);
    if (view->lines_each > 1) {
        tt_lanes_draw_over(ws, &view->lanes, area, y + 1);
    }
}

void tt_cpus_draw_number(struct tt_area area, int x, int y, int width, uint64_t number)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_units_count(&text, number);
    tt_draw_right(area, x, y, width, TT_ROLE_TEXT, tt_text_cstr(&text));
}

void tt_cpus_draw_heading(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                          struct tt_area area, int y, uint16_t cpu)
{
    char buffer[TT_MERGE_NAME_MOST * 4];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_lanes_capture_text(ws, tt_merge_of_cpu(ws->opened.capture, cpu), &text);
    tt_draw_text(area, view->gutter.cpu, y, view->gutter.width - 1 - view->gutter.cpu,
                 TT_ROLE_TITLE, buffer, text.used);
}

void tt_cpus_draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                       const struct tt_timelines *timelines, struct tt_area area, int y,
                       uint16_t cpu)
{
    const struct tt_cpus_gutter *gutter = &view->gutter;
    struct tt_cpu_sums sums;
    tt_cpu_sum(timelines, cpu, ws->nav.viewport.from, ws->nav.viewport.to, &sums);
    uint64_t whole = sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown;
    tt_cpus_draw_number(area, gutter->cpu, y, 3, cpu);
    tt_cpus_draw_number(area, gutter->busy, y, 4, tt_percent(sums.busy, whole));
    if (gutter->irq >= 0 && sums.irq > 0) {
        tt_cpus_draw_number(area, gutter->irq, y, IRQ_WIDTH, tt_percent(sums.irq, whole));
    }
    if (gutter->kernel >= 0 && sums.kernel > 0) {
        tt_cpus_draw_number(area, gutter->kernel, y, KERNEL_WIDTH, tt_percent(sums.kernel, whole));
    }
    if (gutter->switches >= 0) {
        tt_cpus_draw_number(area, gutter->switches, y, SWITCHES_WIDTH, sums.switches);
    }
    if (!tt_visible_cpu(&ws->filters, cpu)) {
        tt_draw_over(area, 1, y, gutter->width - 2, TT_ROLE_DIM);
    }
    draw_lane(ws, view, area, y, cpu);
    if (cpu == ws->nav.lane.cpu) {
        tt_term_draw_cursor(&ws->term, tt_area_part(area, 0, y, gutter->width - 1, 1),
                            gutter->cpu + 3);
    }
}

static void draw_head(struct tt_area area, int x, int y, int width, const char *key)
{
    if (x >= 0) {
        tt_draw_right(area, x, y, width, TT_ROLE_COLUMNS, tt_table_head(&tt_table_cpus, key));
    }
}

void tt_cpus_draw_heads(struct tt_area area, const struct tt_cpus_gutter *gutter, int y)
{
    draw_head(area, gutter->cpu, y, 3, "cpu");
    draw_head(area, gutter->busy, y, 4, "busy");
    draw_head(area, gutter->irq, y, IRQ_WIDTH, "irq");
    draw_head(area, gutter->kernel, y, KERNEL_WIDTH, "kernel");
    draw_head(area, gutter->switches, y, SWITCHES_WIDTH, "switches");
}

void tt_cpus_draw_glyph(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        uint32_t occupant)
{
    const bool is_thread = occupant < TT_OCCUPANT_IDLE;
    const struct tt_thread *thread = is_thread ? tt_thread_at(ws->opened.capture, occupant) : NULL;
    const struct tt_cpu_lane_cell cell = {
        .kind = occupant == TT_OCCUPANT_UNKNOWN                                ? TT_CPU_CELL_UNKNOWN
                : occupant == TT_OCCUPANT_KERNEL || (thread && thread->pseudo) ? TT_CPU_CELL_KERNEL
                : occupant == TT_OCCUPANT_IDLE || (thread && thread->idle)     ? TT_CPU_CELL_IDLE
                                                                               : TT_CPU_CELL_BUSY,
        .occupant = occupant};
    draw_cell(ws, area, x, y, &cell, cpus_role(ws, occupant));
}

int tt_cpus_glyph_width(const struct tt_workspace *ws)
{
    return ws->term.colored ? 2 : 0;
}

/* Bit of the cells of several kinds, beside those of TT_CPU_CELL_INFO. */
#define SEEN_MANY (1u << TT_CPU_CELL_COUNT)

/* Returns the set of the kinds of cells on the screen. */
static unsigned kinds_seen(const struct tt_workspace *ws, const struct tt_cpus_view *view)
{
    const bool sequence = ws->nav.lane.sequence;
    const unsigned count =
        sequence && view->event_count < view->columns ? view->event_count : view->columns;
    unsigned seen = 1u << TT_CPU_CELL_BUSY | 1u << TT_CPU_CELL_IDLE;
    for (size_t lane = 0; lane < view->lanes_known; lane++) {
        for (size_t i = lane * view->columns; i < lane * view->columns + count; i++) {
            const struct tt_cpu_lane_cell cell =
                sequence ? view->at_events[i] : tt_cpu_lane_cell_of(&view->cells[i]);
            seen |= 1u << cell.kind | (cell.many ? SEEN_MANY : 0);
            seen |= !sequence && view->lines_each > 1 && load_shows_irq(&view->cells[i])
                        ? 1u << TT_CPU_CELL_IRQ
                        : 0;
        }
    }
    return seen;
}

int tt_cpus_draw_legend(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area, int y)
{
    static const struct {
        uint8_t kind;
        const char *name;
    } items[] = {{TT_CPU_CELL_BUSY, "a thread"},
                 {TT_CPU_CELL_IDLE, "idle"},
                 {TT_CPU_CELL_KERNEL, "kernel"},
                 {TT_CPU_CELL_IRQ, "interrupt"},
                 {TT_CPU_CELL_UNKNOWN, "unknown"}};
    const int width = area.width - 1;
    const unsigned seen = kinds_seen(ws, view);
    int x = 1;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        struct tt_cpu_lane_cell cell = {.kind = items[i].kind, .occupant = TT_OCCUPANT_UNKNOWN};
        const int length = (int)strlen(items[i].name);
        if ((seen & 1u << items[i].kind) && x + 3 + length <= width) {
            draw_cell(ws, area, x, y, &cell, TT_ROLE_CPU_1);
            x += 2;
            x += tt_draw(area, x, y, width - x, TT_ROLE_DIM, items[i].name) + 1;
        }
    }
    if ((seen & SEEN_MANY) && x + 7 <= width) {
        struct tt_cpu_lane_cell cell = {TT_CPU_CELL_BUSY, true, false, TT_OCCUPANT_UNKNOWN};
        draw_cell(ws, area, x, y, &cell, TT_ROLE_CPU_1);
        cell.kind = TT_CPU_CELL_IDLE;
        draw_cell(ws, area, x + 1, y, &cell, TT_ROLE_CPU_1);
        x += 3;
        x += tt_draw(area, x, y, width - x, TT_ROLE_DIM, "many") + 1;
    }
    return x;
}
