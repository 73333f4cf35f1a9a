/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus: a lane a CPU: who had it, and how busy it was; below, who had the chosen one longest.
 *
 *       CPU busy irq ┼───────────┼───────────┼───────────┼───────────┼────
 *         0   87   2 sensor/2 isr██··i·kfusion/1███········worker████▓▓▓··
 *                    ███████████▇▂▂▁▁▁▃████████▇▂▁▁▁▁▁▁▁▁▁█████████▅▅▅▁▁▁
 *      ▌  1   12   0 ·················
 *       ── CPU 1 in what is shown ──────────────────────────────────────────
 *       procnto/2 idle         1.82 ms  86.7 %     31 times, longest 0.41 ms
 *
 * Where lines are few a CPU has one line, without its load.
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/line.h"
#include "tracetui/time.h"
#include "tui/lanes_say.h"
#include "tui/lanes_top.h"
#include "tui/units.h"

#define NAME_BYTES  256
#define TABLE_LEAST 4 /* lines of the table with its title, where there is room for one */
#define NAME_LEAST  6 /* columns of a part of a name */

struct cpus_view {
    struct tt_lanes_view lanes;
    struct tt_top top;
    /* The lanes that can be seen: columns of cells each, worked out one after the other. */
    struct tt_cpu_cell *cells;
    size_t cell_room;
    uint32_t lanes_shown;
    uint32_t lanes_known; /* the first ones */
    uint32_t known_first; /* what they are of */
    uint64_t from, to, end;
    const struct tt_timelines *t;
    unsigned columns;
    int lines_each; /* of a CPU */
    int table, table_lines;
    uint32_t first; /* CPU of the first line */
};

static void *view_open(void)
{
    struct cpus_view *v = calloc(1, sizeof *v);
    if (v) {
        v->lines_each = 1;
    }
    return v;
}

static void view_renew(void *state)
{
    struct cpus_view *v = state;
    tt_lanes_free(&v->lanes);
    tt_top_free(&v->top);
    free(v->cells);
    *v = (struct cpus_view){.lines_each = 1};
}

static void view_close(void *state)
{
    if (state) {
        view_renew(state);
        free(state);
    }
}

/* ---- layout ------------------------------------------------------------------------------- */

struct gutter {
    int cpu, busy;
    int irq, kernel, switches; /* -1: no room */
    int width;
};

static struct gutter gutter_of(int width)
{
    struct gutter g = {.cpu = 1, .busy = 5, .irq = -1, .kernel = -1, .switches = -1, .width = 10};
    if (width >= 60) {
        g.irq = g.width - 1;
        g.width += 4;
    }
    if (width >= 110) {
        g.kernel = g.width - 1;
        g.width += 4;
        g.switches = g.width;
        g.width += 8;
    }
    g.width++;
    return g;
}

/* Shares the lines between lanes and table: a line each first, then the table, then loads. */
static void place(struct cpus_view *v, struct tt_area area, int gutter, uint32_t cpus)
{
    struct tt_lanes_layout *l = &v->lanes.layout;
    tt_lanes_place(l, area, gutter);
    if (l->say_lines > 2) {
        l->lanes_height += l->say_lines - 2;
        l->say_lines = 2;
        l->say = area.height - 2;
        l->legend = l->say - 1;
    }
    int room = l->lanes_height, all = cpus < 1 ? 1 : cpus > 1000 ? 1000 : (int)cpus;
    v->table_lines = 0;
    if (l->legend >= 0 && room >= TABLE_LEAST + 2) {
        int left = room - all;
        v->table_lines = left < TABLE_LEAST ? TABLE_LEAST : left;
    }
    v->lines_each = 1;
    if (v->table_lines - all >= TABLE_LEAST + 2) {
        v->lines_each = 2;
        v->table_lines -= all;
    }
    l->lanes_height = room - v->table_lines;
    if (l->lanes_height > all * v->lines_each) {
        l->lanes_height = all * v->lines_each;
    }
    if (l->legend >= 0) {
        l->legend = l->lanes + l->lanes_height;
        v->table = l->legend + 1;
        v->table_lines =
            v->table_lines > 0 ? v->table_lines - (v->table + v->table_lines > l->say) : 0;
    }
}

/* ---- lanes -------------------------------------------------------------------------------- */

static void occupant_text(const struct tt_app *app, uint32_t occupant, struct tt_text *text)
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
        tt_line_thread(text, app->opened.capture, occupant);
        break;
    }
}

/*
 * The whole name where it fits, else the thread's own. What fits of that is a name only from
 * NAME_LEAST columns on: below, the cells say as much.
 */
static void draw_name(struct tt_app *app, struct tt_area area, int x, int y, int width,
                      uint32_t thread)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    size_t length;
    const char *own = tt_capture_text(app->opened.capture,
                                      tt_thread_at(app->opened.capture, thread)->name, &length);
    tt_line_thread(&text, app->opened.capture, thread);
    if (length > 0 && tt_grid_columns(area.grid, buffer, text.used) > width) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_escaped(&text, own, length);
    }
    if (tt_grid_columns(area.grid, buffer, text.used) > width) {
        if (width < NAME_LEAST) {
            return;
        }
        text.used = tt_grid_fitting(area.grid, buffer, text.used, width);
    }
    int used = tt_draw_text(area, x, y, width, thread & 1 ? TT_ROLE_CPU_OTHER : TT_ROLE_CPU_ONE,
                            buffer, text.used);
    tt_draw_over(area, x, y, used, TT_ROLE_CPU_NAME);
}

/* Do the filters leave an event of who had the CPU? */
static bool is_shown(const struct tt_app *app, uint32_t occupant)
{
    return occupant >= TT_OCCUPANT_IDLE || tt_shown_thread(app, occupant);
}

static void draw_cell(struct tt_app *app, struct tt_area area, int x, int y,
                      const struct tt_cpu_lane_cell *cell)
{
    static const struct {
        uint8_t role, glyph, many;
    } looks[TT_CPU_IS_COUNT] = {
        [TT_CPU_IS_BUSY] = {TT_ROLE_CPU_ONE, TT_GLYPH_BUSY, TT_GLYPH_BUSY_MANY},
        [TT_CPU_IS_IDLE] = {TT_ROLE_CPU_IDLE, TT_GLYPH_IDLE, TT_GLYPH_IDLE_MANY},
        [TT_CPU_IS_KERNEL] = {TT_ROLE_CPU_KERNEL, TT_GLYPH_KERNEL, TT_GLYPH_KERNEL},
        [TT_CPU_IS_IRQ] = {TT_ROLE_CPU_IRQ, TT_GLYPH_IRQ, TT_GLYPH_IRQ},
        [TT_CPU_IS_UNKNOWN] = {TT_ROLE_UNKNOWN, TT_GLYPH_UNKNOWN, TT_GLYPH_UNKNOWN},
    };
    if (cell->is == TT_CPU_IS_NOTHING) {
        return;
    }
    unsigned role = looks[cell->is].role;
    if (cell->is == TT_CPU_IS_BUSY && cell->occupant < TT_OCCUPANT_IDLE && cell->occupant & 1) {
        role = TT_ROLE_CPU_OTHER;
    }
    if (cell->is == TT_CPU_IS_BUSY && !is_shown(app, cell->occupant)) {
        role = TT_ROLE_DIM;
    }
    tt_draw_fill(area, x, y, 1, role,
                 tt_app_glyph(app, cell->many ? looks[cell->is].many : looks[cell->is].glyph));
}

/* Names go where one thread has some columns to itself. */
static void draw_names(struct tt_app *app, struct tt_area area, int x, int y,
                       const struct tt_cpu_lane_cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count;) {
        unsigned run = 1;
        bool named = cells[i].is == TT_CPU_IS_BUSY && cells[i].occupant < TT_OCCUPANT_IDLE;
        while (named && i + run < count && cells[i + run].is == TT_CPU_IS_BUSY &&
               cells[i + run].occupant == cells[i].occupant) {
            run++;
        }
        if (named && run > 1 && is_shown(app, cells[i].occupant)) {
            draw_name(app, area, x + (int)i, y, (int)run, cells[i].occupant);
        }
        i += run;
    }
}

/* What holds at the moment of each event. */
static void sequence_cells(const struct cpus_view *v, const struct tt_app *app,
                           const struct tt_timelines *t, uint16_t cpu,
                           struct tt_cpu_lane_cell *cells)
{
    for (uint32_t i = 0; i < v->lanes.event_count; i++) {
        struct tt_occupation_at at;
        uint64_t ticks = v->lanes.events[i].ticks;
        cells[i] = (struct tt_cpu_lane_cell){.is = TT_CPU_IS_NOTHING};
        if (!tt_occupation_find(t, cpu, ticks, &at)) {
            continue;
        }
        struct tt_occupation o = tt_occupation_get(t, at);
        bool pseudo =
            o.occupant < TT_OCCUPANT_IDLE && tt_thread_at(app->opened.capture, o.occupant)->pseudo;
        cells[i].occupant = o.occupant;
        cells[i].irq = tt_cpu_irq_depth(t, cpu, ticks) > 0;
        cells[i].is = cells[i].irq                                 ? TT_CPU_IS_IRQ
                      : o.occupant == TT_OCCUPANT_UNKNOWN          ? TT_CPU_IS_UNKNOWN
                      : o.occupant == TT_OCCUPANT_KERNEL || pseudo ? TT_CPU_IS_KERNEL
                      : o.idle                                     ? TT_CPU_IS_IDLE
                                                                   : TT_CPU_IS_BUSY;
    }
}

/* Works out lanes until `deadline`; true when all that can be seen are known. */
static bool know_lanes(struct cpus_view *v, uint64_t deadline)
{
    while (v->lanes_known < v->lanes_shown && tt_monotonic_ns() < deadline) {
        tt_cpu_cells(v->t, (uint16_t)(v->first + v->lanes_known), v->lanes.edges, v->columns,
                     v->cells + (size_t)v->lanes_known * v->columns);
        v->lanes_known++;
    }
    return v->lanes_known >= v->lanes_shown;
}

static void draw_lane(struct tt_app *app, struct cpus_view *v, const struct tt_timelines *t,
                      struct tt_area area, int y, uint16_t cpu)
{
    const struct tt_cpu_cell *sums = v->cells + (size_t)(cpu - v->first) * v->columns;
    bool known = cpu - v->first < v->lanes_known;
    struct tt_cpu_lane_cell cells[1024];
    int x = v->lanes.layout.gutter;
    unsigned count = v->columns < 1024 ? v->columns : 1024;
    if (app->lane.sequence) {
        count = v->lanes.event_count < count ? v->lanes.event_count : count;
        sequence_cells(v, app, t, cpu, cells);
    } else {
        count = known ? count : 0;
        for (unsigned i = 0; i < count; i++) {
            cells[i] = tt_cpu_lane_cell_of(&sums[i]);
        }
    }
    for (unsigned i = 0; i < count; i++) {
        draw_cell(app, area, x + (int)i, y, &cells[i]);
    }
    draw_names(app, area, x, y, cells, count);
    for (unsigned i = 0; v->lines_each > 1 && !app->lane.sequence && i < count; i++) {
        const struct tt_cpu_cell *c = &sums[i];
        struct tt_load load = {c->busy, c->unknown,
                               c->busy + c->idle + c->irq + c->kernel + c->unknown};
        tt_lanes_draw_load(app, area, x + (int)i, y + 1, &load);
    }
    tt_lanes_draw_over(app, &v->lanes, area, y);
    if (v->lines_each > 1) {
        tt_lanes_draw_over(app, &v->lanes, area, y + 1);
    }
}

static void draw_number(struct tt_area area, int x, int y, int width, uint64_t number)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_units_count(&text, number);
    tt_draw_right(area, x, y, width, TT_ROLE_TEXT, tt_text_cstr(&text));
}

static void draw_cpu(struct tt_app *app, struct cpus_view *v, const struct tt_timelines *t,
                     struct tt_area area, const struct gutter *g, int y, uint16_t cpu)
{
    struct tt_cpu_sums sums;
    tt_cpu_sum(t, cpu, app->viewport.from, app->viewport.to, &sums);
    uint64_t whole = sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown;
    draw_number(area, g->cpu, y, 3, cpu);
    draw_number(area, g->busy, y, 4, tt_percent(sums.busy, whole));
    if (g->irq >= 0 && sums.irq > 0) {
        draw_number(area, g->irq, y, 4, tt_percent(sums.irq, whole));
    }
    if (g->kernel >= 0 && sums.kernel > 0) {
        draw_number(area, g->kernel, y, 4, tt_percent(sums.kernel, whole));
    }
    if (g->switches >= 0) {
        draw_number(area, g->switches, y, 7, sums.switches);
    }
    if (!tt_shown_cpu(app, cpu)) {
        tt_draw_over(area, 1, y, g->width - 2, TT_ROLE_DIM);
    }
    draw_lane(app, v, t, area, y, cpu);
    if (cpu == app->lane.cpu) {
        tt_draw_over(area, 1, y, g->width - 2, TT_ROLE_CURSOR);
        tt_draw_fill(area, 0, y, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
    }
}

static void draw_heads(struct tt_area area, const struct gutter *g, int y)
{
    tt_draw_right(area, g->cpu, y, 3, TT_ROLE_COLUMNS, "CPU");
    tt_draw_right(area, g->busy, y, 4, TT_ROLE_COLUMNS, "busy");
    if (g->irq >= 0) {
        tt_draw_right(area, g->irq, y, 4, TT_ROLE_COLUMNS, "irq");
    }
    if (g->kernel >= 0) {
        tt_draw_right(area, g->kernel, y, 4, TT_ROLE_COLUMNS, "krn");
    }
    if (g->switches >= 0) {
        tt_draw_right(area, g->switches, y, 7, TT_ROLE_COLUMNS, "switch");
    }
}

/* ---- below the lanes ---------------------------------------------------------------------- */

static void draw_legend(struct tt_app *app, struct tt_area area, int y, int width)
{
    static const struct {
        uint8_t is;
        const char *name;
    } items[] = {{TT_CPU_IS_BUSY, "a thread"},
                 {TT_CPU_IS_IDLE, "idle"},
                 {TT_CPU_IS_KERNEL, "kernel"},
                 {TT_CPU_IS_IRQ, "interrupt"},
                 {TT_CPU_IS_UNKNOWN, "unknown"}};
    int x = 1;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        struct tt_cpu_lane_cell cell = {.is = items[i].is, .occupant = TT_OCCUPANT_UNKNOWN};
        int needs = 3 + (int)strlen(items[i].name);
        if (x + needs <= width) {
            draw_cell(app, area, x, y, &cell);
            x += 1 + needs - 2 - (int)strlen(items[i].name);
            x += tt_draw(area, x, y, width - x, TT_ROLE_DIM, items[i].name) + 1;
        }
    }
    if (x + 7 <= width) {
        struct tt_cpu_lane_cell cell = {TT_CPU_IS_BUSY, true, false, TT_OCCUPANT_UNKNOWN};
        draw_cell(app, area, x, y, &cell);
        cell.is = TT_CPU_IS_IDLE;
        draw_cell(app, area, x + 1, y, &cell);
        tt_draw(area, x + 3, y, width - x - 3, TT_ROLE_DIM, "many");
    }
}

/* Ticks need more columns than times with a unit; where there is no room they are cut. */
static int length_width(const struct tt_app *app, int width)
{
    int ticks = (width - width / 3 - 18) / 2;
    return app->opened.capture->clock_hz ? 12 : ticks < 12 ? 12 : ticks > 20 ? 20 : ticks;
}

static void draw_top_row(struct tt_app *app, struct tt_area area, int y,
                         const struct tt_top_row *row, uint64_t whole)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int name = area.width / 3, wide = length_width(app, area.width);
    occupant_text(app, row->occupant, &text);
    tt_draw_text(area, 1, y, name - 1, TT_ROLE_THREAD, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    tt_app_duration(app, &text, row->ticks);
    tt_draw_right(area, 1 + name, y, wide, TT_ROLE_TEXT, tt_text_cstr(&text));
    draw_number(area, 2 + name + wide, y, 4, tt_percent(row->ticks, whole));
    draw_number(area, 7 + name + wide, y, 8, row->times);
    text = tt_text_of(buffer, sizeof buffer);
    tt_app_duration(app, &text, row->longest);
    tt_draw_right(area, 16 + name + wide, y, wide, TT_ROLE_DELTA, tt_text_cstr(&text));
}

static void draw_table(struct tt_app *app, struct cpus_view *v, const struct tt_timelines *t,
                       struct tt_area area)
{
    const struct tt_viewport *w = &app->viewport;
    int y = v->table, name = area.width / 3, wide = length_width(app, area.width);
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (v->table_lines < 2 || !tt_top_ask(&v->top, t, app->lane.cpu, w->from, w->to,
                                          tt_thread_count(app->opened.capture))) {
        return;
    }
    tt_text_str(&text, "who had CPU ");
    tt_text_u64(&text, app->lane.cpu);
    tt_draw(area, 1, y, name, TT_ROLE_COLUMNS, tt_text_cstr(&text));
    tt_draw_right(area, 1 + name, y, wide, TT_ROLE_COLUMNS, "running");
    tt_draw_right(area, 2 + name + wide, y, 4, TT_ROLE_COLUMNS, "%");
    tt_draw_right(area, 7 + name + wide, y, 8, TT_ROLE_COLUMNS, "times");
    tt_draw_right(area, 16 + name + wide, y, wide, TT_ROLE_COLUMNS, "longest");
    if (!tt_top_work(&v->top, tt_monotonic_ns() + UINT64_C(1000000))) {
        tt_draw(area, 1, y + 1, area.width - 2, TT_ROLE_PROGRESS, "adding up");
        return;
    }
    uint64_t whole = 0;
    for (uint32_t i = 0; i < v->top.count; i++) {
        whole += v->top.rows[i].ticks;
    }
    for (uint32_t i = 0; i < v->top.count && (int)i + 1 < v->table_lines; i++) {
        draw_top_row(app, area, y + 1 + (int)i, &v->top.rows[i], whole);
    }
}

static void say_occupation(const struct tt_app *app, const struct tt_occupation *o,
                           struct tt_text *text)
{
    occupant_text(app, o->occupant, text);
    tt_text_char(text, ' ');
    tt_app_duration(app, text, o->end - o->start);
}

static void say_selection(struct tt_app *app, const struct tt_timelines *t, struct tt_text *text)
{
    uint64_t from, to;
    struct tt_cpu_sums sums;
    tt_viewport_selection(&app->viewport, &from, &to);
    tt_cpu_sum(t, app->lane.cpu, from, to, &sums);
    uint64_t whole = sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown;
    tt_text_str(text, "; this CPU busy ");
    tt_text_u64(text, tt_percent(sums.busy, whole));
    tt_text_str(text, " %, ");
    tt_text_grouped(text, sums.switches);
    tt_text_str(text, " switches, ");
    tt_text_grouped(text, sums.interrupts);
    tt_text_str(text, " interrupts");
}

/* Occupations of no length are passed over: several may begin at one moment. */
static bool neighbour(const struct tt_timelines *t, struct tt_occupation_at at, bool after,
                      struct tt_occupation *o)
{
    while (after ? tt_occupation_next(t, &at) : tt_occupation_previous(t, &at)) {
        *o = tt_occupation_get(t, at);
        if (o->end > o->start) {
            return true;
        }
    }
    return false;
}

static void say_neighbours(const struct tt_app *app, const struct tt_timelines *t,
                           struct tt_occupation_at at, struct tt_text *text)
{
    struct tt_occupation o;
    bool before = neighbour(t, at, false, &o);
    if (before) {
        tt_text_str(text, "after ");
        say_occupation(app, &o, text);
    }
    if (neighbour(t, at, true, &o)) {
        tt_text_str(text, before ? ", then " : "then ");
        say_occupation(app, &o, text);
    }
}

static void say_cpu(struct tt_app *app, struct cpus_view *v, const struct tt_timelines *t,
                    struct tt_area area)
{
    const struct tt_lanes_layout *l = &v->lanes.layout;
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t at = app->viewport.at;
    struct tt_occupation_at place;
    bool is = at <= tt_timelines_end(t) && tt_occupation_find(t, app->lane.cpu, at, &place);
    tt_lanes_say_time(app, &text);
    tt_text_str(&text, "  CPU ");
    tt_text_u64(&text, app->lane.cpu);
    tt_text_str(&text, "  ");
    if (is) {
        struct tt_occupation o = tt_occupation_get(t, place);
        occupant_text(app, o.occupant, &text);
        tt_text_str(&text, " for ");
        tt_app_duration(app, &text, at - o.start);
        tt_text_str(&text, " of ");
        tt_app_duration(app, &text, o.end - o.start);
        if (tt_cpu_irq_depth(t, app->lane.cpu, at) > 0) {
            tt_text_str(&text, ", in an interrupt");
        }
    } else {
        tt_text_str(&text, "nothing is known");
    }
    tt_draw_text(area, 1, l->say, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
    if (l->say_lines < 2) {
        return;
    }
    text = tt_text_of(buffer, sizeof buffer);
    bool selected = tt_lanes_say_selection(app, TT_NO_THREAD, &text);
    if (selected) {
        say_selection(app, t, &text);
    } else if (is) {
        say_neighbours(app, t, place, &text);
    }
    tt_draw_text(area, 1, l->say + 1, area.width - 2, selected ? TT_ROLE_MARK : TT_ROLE_TEXT,
                 buffer, text.used);
}

/* ---- the picture -------------------------------------------------------------------------- */

/* Scrolls so that the cursor's CPU can be seen. */
static void place_cursor(struct tt_app *app, struct cpus_view *v, uint32_t cpus)
{
    uint32_t lanes = (uint32_t)(v->lanes.layout.lanes_height / v->lines_each);
    lanes = lanes > 0 ? lanes : 1;
    if (app->lane.cpu >= cpus) {
        app->lane.cpu = (uint16_t)(cpus - 1);
    }
    uint32_t at = app->lane.cpu;
    v->first = at < v->first ? at : v->first;
    v->first = at >= v->first + lanes ? at - lanes + 1 : v->first;
    v->first = v->first + lanes > cpus ? (cpus > lanes ? cpus - lanes : 0) : v->first;
    v->lanes_shown = lanes < cpus ? lanes : cpus;
}

static bool prepare(struct tt_app *app, struct cpus_view *v, const struct tt_timelines *t)
{
    unsigned columns = (unsigned)v->lanes.layout.columns;
    uint64_t end = tt_timelines_end(t);
    const struct tt_viewport *w = &app->viewport;
    bool same = v->t == t && v->from == w->from && v->to == w->to && v->end == end &&
                v->columns == columns && v->known_first == v->first;
    size_t wanted = (size_t)columns * v->lanes_shown;
    if (wanted > v->cell_room) {
        struct tt_cpu_cell *cells = realloc(v->cells, wanted * sizeof *cells);
        if (!cells) {
            v->lanes_shown = v->lanes_known = 0; /* there are no cells to work on */
            return false;
        }
        v->cells = cells;
        v->cell_room = wanted;
    }
    if (!same) {
        v->lanes_known = 0;
    }
    v->t = t;
    v->from = w->from;
    v->to = w->to;
    v->end = end;
    v->columns = columns;
    v->known_first = v->first;
    return true;
}

static void view_draw(struct tt_app *app, void *state, struct tt_area area)
{
    struct cpus_view *v = state;
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct gutter g = gutter_of(area.width);
    uint32_t cpus = t ? tt_cpu_count(t) : 0;
    const char *why;
    place(v, area, g.width, cpus);
    if (!tt_lanes_ready(app, &v->lanes, &why)) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, why);
        return;
    }
    if (cpus == 0) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM,
                "this capture does not say what ran on its CPUs");
        return;
    }
    place_cursor(app, v, cpus);
    if (!prepare(app, v, t)) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_ERROR, "out of memory");
        return;
    }
    if (!app->lane.sequence) {
        know_lanes(v, tt_monotonic_ns() + UINT64_C(3000000));
    }
    draw_heads(area, &g, v->lanes.layout.axis);
    tt_lanes_draw_top(app, &v->lanes, area);
    int y = v->lanes.layout.lanes, end = y + v->lanes.layout.lanes_height;
    for (uint32_t cpu = v->first; cpu < cpus && y + v->lines_each <= end; cpu++) {
        draw_cpu(app, v, t, area, &g, y, (uint16_t)cpu);
        y += v->lines_each;
    }
    if (v->lanes.layout.legend >= 0) {
        int width = tt_lanes_draw_scale(app, &v->lanes, area, v->lanes.layout.legend);
        draw_legend(app, area, v->lanes.layout.legend, width - 1);
        draw_table(app, v, t, area);
    }
    say_cpu(app, v, t, area);
}

static bool view_work(struct tt_app *app, void *state, uint64_t budget_ns)
{
    struct cpus_view *v = state;
    uint64_t deadline = tt_monotonic_ns() + budget_ns;
    return !tt_trace_timelines(app->opened.trace) || v->lanes.layout.columns == 0 ||
           ((v->lanes_shown == 0 || app->lane.sequence || know_lanes(v, deadline)) &&
            tt_lanes_work(&v->lanes, deadline) && tt_top_work(&v->top, deadline));
}

/* ---- keys --------------------------------------------------------------------------------- */

static void go_cpu(struct tt_app *app, int64_t cpu)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    int64_t last = t ? (int64_t)tt_cpu_count(t) - 1 : 0;
    cpu = cpu > last ? last : cpu;
    app->lane.cpu = (uint16_t)(cpu < 0 ? 0 : cpu);
}

static bool act_on_rows(struct tt_app *app, const struct cpus_view *v, enum tt_do action)
{
    int64_t at = app->lane.cpu;
    int64_t page = v->lines_each > 0 ? v->lanes.layout.lanes_height / v->lines_each : 1;
    page = page > 1 ? page - 1 : 1;
    switch (action) {
    case TT_DO_DOWN:
        go_cpu(app, at + 1);
        return true;
    case TT_DO_UP:
        go_cpu(app, at - 1);
        return true;
    case TT_DO_PAGE_DOWN:
        go_cpu(app, at + page);
        return true;
    case TT_DO_PAGE_UP:
        go_cpu(app, at - page);
        return true;
    case TT_DO_HALF_DOWN:
        go_cpu(app, at + page / 2 + 1);
        return true;
    case TT_DO_HALF_UP:
        go_cpu(app, at - page / 2 - 1);
        return true;
    case TT_DO_FIRST:
        go_cpu(app, 0);
        return true;
    case TT_DO_LAST:
        go_cpu(app, UINT16_MAX);
        return true;
    default:
        return false;
    }
}

static void go_change(struct tt_app *app, struct cpus_view *v, bool forward)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_occupation_at at;
    uint64_t now = app->viewport.at;
    bool there = t && tt_occupation_find(t, app->lane.cpu, now, &at);
    while (there) {
        uint64_t start = tt_occupation_get(t, at).start;
        if (forward ? start > now : start < now) {
            tt_lanes_go(app, &v->lanes, start);
            return;
        }
        there = forward ? tt_occupation_next(t, &at) : tt_occupation_previous(t, &at);
    }
    tt_app_say(app, TT_ROLE_WARNING, "nothing %s on this CPU", forward ? "later" : "earlier");
}

static bool view_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct cpus_view *v = state;
    if (tt_lanes_act(app, &v->lanes, action) || act_on_rows(app, v, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_STATE_PREVIOUS:
    case TT_DO_STATE_NEXT:
        go_change(app, v, action == TT_DO_STATE_NEXT);
        return true;
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        tt_app_search(app, TT_SEARCH_THREAD, action == TT_DO_THREAD_NEXT);
        return true;
    case TT_DO_LANE_EVENT:
        tt_lanes_show_event(app, TT_NO_THREAD, app->lane.cpu);
        return true;
    default:
        return false;
    }
}

static bool view_shut(struct tt_app *app, void *state)
{
    (void)state;
    return tt_lanes_shut(app);
}

static void view_click(struct tt_app *app, void *state, int x, int y)
{
    struct cpus_view *v = state;
    const struct tt_lanes_layout *l = &v->lanes.layout;
    if (y >= l->lanes && y < l->lanes + l->lanes_height) {
        go_cpu(app, (int64_t)v->first + (y - l->lanes) / v->lines_each);
    }
    tt_lanes_click(app, &v->lanes, x - l->gutter);
}

static void view_contexts(const struct tt_app *app, const void *state, unsigned out[4])
{
    (void)app;
    (void)state;
    out[0] = TT_IN_CPUS;
    out[1] = TT_IN_VIEWS;
    out[2] = 0;
}

static const enum tt_do *view_footer(const void *state)
{
    static const enum tt_do footer[] = {
        TT_DO_HELP,        TT_DO_ZOOM_IN,        TT_DO_ZOOM_OUT,   TT_DO_LANE_LEFT,
        TT_DO_LANE_RIGHT,  TT_DO_STATE_PREVIOUS, TT_DO_STATE_NEXT, TT_DO_SWITCH_PREVIOUS,
        TT_DO_SWITCH_NEXT, TT_DO_LANE_EVENT,     TT_DO_SELECT,     TT_DO_AXIS,
        TT_DO_ZOOM_ALL,    TT_DO_MARK,           TT_DO_QUIT,       TT_DO_NOTHING,
    };
    (void)state;
    return footer;
}

const struct tt_view tt_view_cpus = {
    .name = "cpus",
    .title = "CPUs",
    .tab = "CPU",
    .digit = '3',
    .open = view_open,
    .close = view_close,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .shut = view_shut,
    .contexts = view_contexts,
    .footer = view_footer,
    .renew = view_renew,
    .work = view_work,
    .by_time = true,
};
