/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus/panel: the part right of the occupant table on a wide screen: rates of all CPUs in the
 * window, and the occupants of the selected CPU around the cursor.
 *
 *       CPU  switches      /s    irqs      /s   irq time
 *         0       158   3.0 k      79   1.5 k   266.3 µs
 *         1       181   3.5 k      14     272   52.95 µs
 *
 *       on CPU 0                     for
 *         0.013 927 390         1.064 ms   sh/4 crunch2
 *      ▌  0.014 992 200         2.543 µs   devc-pty/3 echo
 */
#include "table/registry.h"
#include "tracetui/table.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/views/cpus/view.h"

#define LINE_BYTES 256
/* Occupations passed in search of a thread or idleness, in each direction. */
#define STEPS_MOST 256
#define ROWS_MOST  64

/* Widths of the columns of the rates. */
enum { CPU_WIDTH = 4, COUNT_WIDTH = 10, RATE_WIDTH = 8, TIME_WIDTH = 11 };
/* Columns of the list of occupants. */
enum { START_WIDTH = 18, LENGTH_WIDTH = 12, NAME_AT = 1 + START_WIDTH + LENGTH_WIDTH + 2 };

/* ---- rates -------------------------------------------------------------------------------- */

static void draw_rate(const struct tt_workspace *ws, struct tt_area line, int x, uint64_t count)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    struct tt_bounds bounds = tt_nav_bounds(ws);
    uint64_t from = viewport->from > bounds.begin ? viewport->from : bounds.begin;
    uint64_t to = viewport->to < bounds.end ? viewport->to : bounds.end, rate;
    uint64_t hz = ws->opened.capture->clock_hz;
    if (hz == 0 || to <= from || !tt_mul_div(count, hz, to - from, &rate)) {
        tt_draw_right(line, x, 0, RATE_WIDTH, TT_ROLE_TEXT, "-");
        return;
    }
    tt_cpus_draw_number(line, x, 0, RATE_WIDTH, rate);
}

static void draw_rates(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                       struct tt_area line, uint16_t cpu)
{
    struct tt_cpu_sums sums;
    int x = CPU_WIDTH;
    tt_cpu_sum(timelines, cpu, ws->nav.viewport.from, ws->nav.viewport.to, &sums);
    tt_cpus_draw_number(line, 0, 0, CPU_WIDTH, cpu);
    tt_cpus_draw_number(line, x, 0, COUNT_WIDTH, sums.switches);
    draw_rate(ws, line, x += COUNT_WIDTH, sums.switches);
    tt_cpus_draw_number(line, x += RATE_WIDTH, 0, COUNT_WIDTH, sums.interrupts);
    draw_rate(ws, line, x += COUNT_WIDTH, sums.interrupts);
    tt_cpus_draw_length(ws, line, x + RATE_WIDTH, 0, TIME_WIDTH, sums.irq);
    if (cpu == ws->nav.lane.cpu) {
        tt_draw_over(line, 0, 0, line.width, TT_ROLE_CURSOR);
    }
}

/* ---- occupants around the cursor ---------------------------------------------------------- */

/* Moves to the next thread or idleness: the kernel's part between two threads is not listed. */
static bool panel_step(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                       bool after)
{
    for (int i = 0; i < STEPS_MOST; i++) {
        if (!(after ? tt_occupation_next(timelines, at) : tt_occupation_previous(timelines, at))) {
            return false;
        }
        struct tt_occupation o = tt_occupation_get(timelines, *at);
        if (o.end > o.start && o.occupant != TT_OCCUPANT_KERNEL) {
            return true;
        }
    }
    return false;
}

static void draw_occupation(const struct tt_workspace *ws, struct tt_area line,
                            const struct tt_occupation *occupation)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_time_label_moment(ws, &text, occupation->start);
    tt_draw_right(line, 1, 0, START_WIDTH, TT_ROLE_TIME, tt_text_cstr(&text));
    tt_cpus_draw_length(ws, line, 1 + START_WIDTH, 0, LENGTH_WIDTH,
                        occupation->end - occupation->start);
    text = tt_text_of(buffer, sizeof buffer);
    const int name = NAME_AT + tt_cpus_glyph_width(ws);
    const int width = line.width - name;
    if (name > NAME_AT) {
        tt_cpus_draw_glyph(ws, line, NAME_AT, 0, occupation->occupant);
    }
    tt_cpus_occupant_text(ws, occupation->occupant, width, &text);
    tt_draw_text(line, name, 0, width, occupation->idle ? TT_ROLE_DIM : TT_ROLE_THREAD, buffer,
                 text.used);
}

static void draw_occupants(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                           struct tt_area area)
{
    struct tt_occupation_at at, places[ROWS_MOST];
    int rows = area.height < ROWS_MOST ? area.height : ROWS_MOST, first = rows / 2, count;
    if (!tt_occupation_find(timelines, ws->nav.lane.cpu, ws->nav.viewport.at, &at)) {
        return;
    }
    places[first] = at;
    for (int i = first; i > 0 && panel_step(timelines, &at, false); i--) {
        places[i - 1] = at;
        first = i - 1;
    }
    at = places[rows / 2];
    for (count = rows / 2 + 1;
         count < first + rows && count < ROWS_MOST && panel_step(timelines, &at, true); count++) {
        places[count] = at;
    }
    for (int i = first; i < count && i - first < rows; i++) {
        struct tt_area line = tt_area_part(area, 0, i - first, area.width, 1);
        struct tt_occupation o = tt_occupation_get(timelines, places[i]);
        draw_occupation(ws, line, &o);
        if (i == rows / 2) {
            tt_term_draw_cursor(&ws->term, line, 0);
        }
    }
}

void tt_cpus_draw_panel(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area)
{
    uint32_t cpus = tt_cpu_count(view->t);
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int y = 1, rates = area.height / 2;
    if (area.width < TT_CPUS_PANEL_WIDTH || area.height < 4) {
        return;
    }

    struct tt_area line = tt_area_part(area, 0, 0, area.width, 1);
    int x = 0;
    tt_draw_right(line, x, 0, CPU_WIDTH, TT_ROLE_COLUMNS, tt_table_head(&tt_table_cpus, "cpu"));
    x += CPU_WIDTH;
    tt_draw_right(line, x, 0, COUNT_WIDTH, TT_ROLE_COLUMNS,
                  tt_table_head(&tt_table_cpus, "switches"));
    x += COUNT_WIDTH;
    tt_draw_right(line, x, 0, RATE_WIDTH, TT_ROLE_COLUMNS, "/s");
    x += RATE_WIDTH;
    tt_draw_right(line, x, 0, COUNT_WIDTH, TT_ROLE_COLUMNS,
                  tt_table_head(&tt_table_cpus, "irq_count"));
    x += COUNT_WIDTH;
    tt_draw_right(line, x, 0, RATE_WIDTH, TT_ROLE_COLUMNS, "/s");
    x += RATE_WIDTH;
    tt_draw_right(line, x, 0, TIME_WIDTH, TT_ROLE_COLUMNS, tt_table_head(&tt_table_cpus, "irq"));

    for (uint32_t i = view->first; i < cpus && y < rates; i++) {
        draw_rates(ws, view->t, tt_area_part(area, 0, y++, area.width, 1), (uint16_t)i);
    }
    int left = area.height - y - 2;
    if (left < 3) {
        return;
    }
    tt_text_put(&text, "on CPU %d", ws->nav.lane.cpu);
    struct tt_area heads = tt_area_part(area, 0, y + 1, area.width, 1);
    tt_draw_right(heads, 1, 0, START_WIDTH, TT_ROLE_COLUMNS, "from");
    tt_draw_right(heads, 1 + START_WIDTH, 0, LENGTH_WIDTH, TT_ROLE_COLUMNS, "for");
    tt_draw(heads, NAME_AT, 0, heads.width - NAME_AT, TT_ROLE_COLUMNS, tt_text_cstr(&text));
    draw_occupants(ws, view->t, tt_area_part(area, 0, y + 2, area.width, left));
}
