/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/draw: tabs, headings, deadlocks, and the lines of threads and CPUs. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/time.h"
#include "tui/draw/event_role.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/status.h"
#include "tui/views/snapshot/view.h"

#define LINE_BYTES  4096
#define THREAD_MOST 32
#define STATE_MOST  14
#define TREE_MOST   60 /* names in the tree */
#define TICKS_WIDTH 12 /* of a distance in ticks */
#define INDENT_MOST 12u
#define CHAIN_LEAST 18 /* the name of a thread grows after it */

const struct tt_snapshot_column_info tt_snapshot_columns[TT_SNAPSHOT_COLUMNS] = {
#define X(id, head, name, width, from, right, down) [id] = {head, name, width, from, right, down},
    TT_SNAPSHOT_COLUMN_INFO(X)
#undef X
};

/* Returns whether times are in ticks, whose unit is in the heading. */
static bool in_ticks(const struct tt_workspace *ws)
{
    return ws->opened.capture->clock_hz == 0 || ws->nav.times == TT_TIMES_TICKS;
}

static void put_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    if (in_ticks(ws)) {
        tt_units_grouped(text, ticks);
    } else {
        tt_time_label_duration(ws, text, ticks);
    }
}

/* ---- placing ------------------------------------------------------------------------------ */

void tt_snapshot_columns_place(const struct tt_workspace *ws, struct tt_snapshot_view *v, int width)
{
    struct tt_snapshot_place *p = v->places;
    bool tree = v->tab == TT_SNAPSHOT_WAITS;
    int left = width;
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        p[i].width = width >= tt_snapshot_columns[i].from ? tt_snapshot_columns[i].width : 0;
        if (i == TT_SNAPSHOT_PID && p[i].width > 0) {
            int needed = v->pid_width;
            p[i].width = needed > p[i].width ? needed : needed == 0 ? 0 : p[i].width;
        } else if ((i == TT_SNAPSHOT_SINCE || i == TT_SNAPSHOT_UNTIL) && in_ticks(ws) &&
                   p[i].width > 0) {
            p[i].width = TICKS_WIDTH;
        } else if (tree && i >= TT_SNAPSHOT_DEPTH) {
            p[i].width = 0; /* the tree shows the chain; its names are indented */
        }
        left -= p[i].width > 0 ? p[i].width + 1 : 0;
    }
    static const struct {
        uint8_t column;
        int most;
    } growth[] = {{TT_SNAPSHOT_CHAIN, CHAIN_LEAST},  {TT_SNAPSHOT_THREAD, 18},
                  {TT_SNAPSHOT_STATE, STATE_MOST},   {TT_SNAPSHOT_CHAIN, 40},
                  {TT_SNAPSHOT_THREAD, THREAD_MOST}, {TT_SNAPSHOT_CHAIN, INT16_MAX}};
    for (size_t i = 0; i < sizeof growth / sizeof *growth && left > 0; i++) {
        struct tt_snapshot_place *place = &p[growth[i].column];
        bool last = i + 2 >= sizeof growth / sizeof *growth;
        int more = (tree && last ? TREE_MOST : growth[i].most) - place->width;
        more = more < left ? more : left;
        if (place->width > 0 && more > 0) {
            place->width += more;
            left -= more;
        }
    }
    int x = 1;
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        p[i].x = x;
        x += p[i].width > 0 ? p[i].width + 1 : 0;
    }
}

/* ---- the line of tabs, headings ----------------------------------------------------------- */

struct tt_tabs tt_snapshot_tabs(const struct tt_snapshot_view *v, int width)
{
    static const char *const titles[TT_SNAPSHOT_TABS] = {
#define X(id, title, word) title,
        TT_SNAPSHOT_TAB_INFO(X)
#undef X
    };
    return (struct tt_tabs){titles, TT_SNAPSHOT_TABS, (int)v->tab, width};
}

static void draw_title(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                       struct tt_area line)
{
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_tabs tabs = tt_snapshot_tabs(v, line.width);
    int used = tt_tabs_draw(&tabs, line);
    tt_text_str(&text, "at ");
    tt_lanes_status_time(ws, &text);
    int width = tt_grid_columns(line.grid, buffer, text.used);
    if (line.width - width - 1 > used) {
        tt_draw_text(line, line.width - width - 1, 0, width, TT_ROLE_STATUS, buffer, text.used);
    }
    if (!v->snapshot.complete) {
        tt_draw(line, used + 2, 0, line.width - width - used - 4, TT_ROLE_PROGRESS,
                "searching for causes");
    }
}

static void draw_deadlocks(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                           struct tt_area area)
{
    const struct tt_snapshot *s = &v->snapshot;
    int y = 0;
    for (uint32_t i = 0; i < s->count && y < area.height; i++) {
        if (!tt_snapshot_begins_deadlock(s, &s->rows[i])) {
            continue;
        }
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        uint32_t rest = v->deadlock_count - (uint32_t)y;
        if (y == area.height - 1 && rest > 1) {
            tt_text_u64(&text, rest);
            tt_text_str(&text, " more deadlocks");
        } else {
            tt_text_str(&text, "deadlock: ");
            tt_snapshot_put_cycle(&text, ws->opened.capture, s, &s->rows[i]);
        }
        tt_draw_text(area, 1, y, area.width - 1, TT_ROLE_ERROR, buffer, text.used);
        y++;
    }
}

static void draw_heads(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                       struct tt_area line)
{
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        const struct tt_snapshot_column_info *column = &tt_snapshot_columns[i];
        const struct tt_list_head head = {.x = v->places[i].x,
                                          .width = v->places[i].width,
                                          .right = column->right,
                                          .sorted = i == (unsigned)v->sort &&
                                                    v->tab == TT_SNAPSHOT_THREADS,
                                          .down = column->down != v->reverse};
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, column->head);
        if ((i == TT_SNAPSHOT_SINCE || i == TT_SNAPSHOT_UNTIL) && in_ticks(ws)) {
            tt_text_str(&text, " ticks");
        }
        if (head.width > 0) {
            tt_list_draw_head(&ws->term, line, &head, tt_text_cstr(&text));
        }
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Appends the value of a column other than the thread's name. */
static void put_value(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                      const struct tt_snapshot_row *row, unsigned column, struct tt_text *text)
{
    const struct tt_capture *c = ws->opened.capture;
    const struct tt_snapshot_value value = tt_snapshot_value_of(v, row, column);
    const bool distance = column == TT_SNAPSHOT_SINCE || column == TT_SNAPSHOT_UNTIL;
    if (column == TT_SNAPSHOT_PID) {
        const uint32_t process = tt_thread_at(c, row->thread)->process;
        tt_line_id(text, c, process, tt_process_at(c, process)->pid);
    } else if (column == TT_SNAPSHOT_CHAIN) {
        tt_snapshot_put_chain(text, &v->scene, row);
    } else if (!value.known) {
        tt_text_str(text, value.pending ? "" : distance ? "?" : "-");
    } else if (value.text) {
        tt_text_str(text, value.text);
    } else if (column == TT_SNAPSHOT_PRIORITY) {
        tt_text_i64(text, row->priority);
    } else if (distance || column >= TT_SNAPSHOT_RUN_1) {
        tt_text_str(text, !distance ? "" : column == TT_SNAPSHOT_SINCE ? "-" : "+");
        put_duration(ws, text, value.number);
    } else {
        tt_text_u64(text, value.number);
    }
}

static void draw_thread(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                        struct tt_area line, const struct tt_snapshot_line *at)
{
    const struct tt_snapshot_row *row = tt_snapshot_view_row_of(v, (size_t)(at - v->lines.lines));
    if (!row) {
        return; /* the thread has no state at this instant; its line is removed with the next frame */
    }
    const int shift = 2 * (int)(at->indent < INDENT_MOST ? at->indent : INDENT_MOST);
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        const struct tt_snapshot_place *p = &v->places[i];
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        unsigned role = i == TT_SNAPSHOT_STATE ? (unsigned)tt_role_of_class(row->class_)
                        : i == TT_SNAPSHOT_CHAIN && row->deadlock ? (unsigned)TT_ROLE_ERROR
                                                                  : (unsigned)TT_ROLE_TEXT;
        if (p->width == 0) {
            continue;
        }
        if (i == TT_SNAPSHOT_THREAD) {
            int x = shift < p->width - 6 ? shift : p->width - 6;
            x = x > 0 ? x : 0;
            tt_thread_label(line.grid, ws->opened.capture, row->thread, p->width - x, &text);
            tt_draw_text(line, p->x + x, 0, p->width - x, TT_ROLE_THREAD, buffer, text.used);
            continue;
        }
        put_value(ws, v, row, i, &text);
        if (tt_snapshot_columns[i].right) {
            tt_draw_right(line, p->x, 0, p->width, role, tt_text_cstr(&text));
        } else {
            tt_draw_text(line, p->x, 0, p->width, role, buffer, text.used);
        }
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static void draw_cpu(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                     struct tt_area line, uint32_t shown)
{
    const struct tt_capture *c = ws->opened.capture;
    const struct tt_snapshot_cpu *cpu = &v->cpus[shown].cpu;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int width = line.width >= 100 ? THREAD_MOST : 20, x = 9;
    tt_text_str(&text, "CPU");
    tt_text_u64_width(&text, v->first_cpu + shown, 4, ' ');
    tt_draw_text(line, 1, 0, x - 1, TT_ROLE_CPU, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    if (!v->cpus[shown].known) {
        tt_draw(line, x, 0, width, TT_ROLE_UNKNOWN, "unknown");
        return;
    }
    bool thread = cpu->occupant < tt_thread_count(c);
    if (thread) {
        tt_thread_label(line.grid, c, cpu->occupant, width, &text);
    } else {
        tt_text_str(&text, cpu->occupant == TT_OCCUPANT_IDLE     ? "idle"
                           : cpu->occupant == TT_OCCUPANT_KERNEL ? "kernel"
                                                                 : "unknown");
    }
    bool idle = !thread || tt_thread_at(c, cpu->occupant)->idle;
    tt_draw_text(line, x, 0, width, idle ? TT_ROLE_CPU_IDLE : TT_ROLE_THREAD, buffer, text.used);
    x += width + 1;
    text = tt_text_of(buffer, sizeof buffer);
    int priority =
        thread ? tt_thread_priority(v->t, cpu->occupant, v->snapshot.at) : TT_NO_PRIORITY;
    if (priority != TT_NO_PRIORITY) {
        tt_text_i64(&text, priority);
        tt_draw_right(line, x, 0, 4, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_char(&text, '-');
    put_duration(ws, &text, v->snapshot.at - cpu->since);
    tt_draw_right(line, x + 5, 0, 9, TT_ROLE_TEXT, tt_text_cstr(&text));
    text = tt_text_of(buffer, sizeof buffer);
    if (tt_snapshot_put_cpu(&text, c, cpu)) {
        tt_draw_text(line, x + 16, 0, line.width - x - 16,
                     cpu->interrupts > 0 ? TT_ROLE_CPU_IRQ : TT_ROLE_EVENT_CALL, buffer, text.used);
    }
}

static void draw_cpu_heads(struct tt_area line)
{
    int x = 10 + (line.width >= 100 ? THREAD_MOST : 20);
    tt_draw(line, 1, 0, 7, TT_ROLE_COLUMNS, "CPU");
    tt_draw(line, 9, 0, x - 9, TT_ROLE_COLUMNS, "thread");
    tt_draw_right(line, x, 0, 4, TT_ROLE_COLUMNS, "pri");
    tt_draw_right(line, x + 5, 0, 9, TT_ROLE_COLUMNS, "since");
    tt_draw(line, x + 16, 0, line.width - x - 16, TT_ROLE_COLUMNS, "kernel call, interrupts");
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Draws the whole chain of the selected thread, and its run times. */
static void draw_status(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                        struct tt_area area)
{
    const struct tt_snapshot_row *row = tt_snapshot_view_row(v);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_draw_fill(area, 0, 0, area.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    if (!row) {
        return;
    }
    tt_line_thread(&text, ws->opened.capture, row->thread);
    int x = 1 + tt_draw_text(area, 1, 1, area.width - 1, TT_ROLE_TITLE, buffer, text.used) + 1;
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, tt_line_state(ws->opened.capture, row->state));
    size_t start = text.used;
    tt_text_str(&text, "  waits for ");
    if (!tt_snapshot_put_chain(&text, &v->scene, row)) {
        text.used = start;
        tt_text_str(&text,
                    tt_class_is_blocked(row->class_) ? "  waits for: not in the capture" : "");
    }
    tt_draw_text(area, x, 1, area.width - x, TT_ROLE_STATUS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    for (unsigned i = 0; i < TT_SNAPSHOT_RUNS && ws->opened.capture->clock_hz != 0; i++) {
        tt_text_str(&text, i > 0 ? ", " : "ran in ");
        tt_text_str(&text, tt_snapshot_runs[i].head);
        tt_text_str(&text, ": ");
        put_value(ws, v, row, TT_SNAPSHOT_RUN_1 + i, &text);
    }
    tt_draw_text(area, 1, 2, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
}

#define FIRST_LANES 4096u /* lanes read for the first known state */

/* Writes why there are no rows: before the first known state of a thread, the time of that. */
static void draw_none(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                      struct tt_area area)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint32_t threads = t ? tt_thread_count(ws->opened.capture) : 0;
    uint64_t first = UINT64_MAX;
    char buffer[96];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    for (uint32_t i = 0; i < threads && i < FIRST_LANES; i++) {
        struct tt_interval_at at;
        uint64_t start = tt_interval_first(t, i, &at) ? tt_interval_get(t, at).start : UINT64_MAX;
        first = start > v->snapshot.at && start < first ? start : first;
    }
    if (!v->snapshot.complete) {
        tt_text_str(&text, "searching for causes");
    } else if (first == UINT64_MAX) {
        tt_text_str(&text, "no thread here");
    } else {
        tt_text_str(&text, "no thread's state is known yet; the first one at ");
        tt_time_label_moment(ws, &text, first);
    }
    tt_draw(area, 1, 0, area.width - 1, TT_ROLE_DIM, tt_text_cstr(&text));
}

static void draw_table(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                       struct tt_area area)
{
    const struct tt_snapshot_place *name = &v->places[TT_SNAPSHOT_THREAD];
    for (int y = 0; tt_list_row(&v->list, y) < v->list.count; y++) {
        const size_t at = tt_list_row(&v->list, y);
        struct tt_area line = tt_area_part(area, 0, y, area.width, 1);
        if (v->tab == TT_SNAPSHOT_CPUS) {
            if (at - v->first_cpu < v->cpus_shown) {
                draw_cpu(ws, v, line, (uint32_t)at - v->first_cpu);
            }
        } else if (v->lines.lines[at].root) {
            char buffer[LINE_BYTES];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_snapshot_put_root(&text, ws->opened.capture,
                                 &v->snapshot.rows[v->lines.lines[at].row]);
            tt_draw_text(line, name->x, 0, line.width, TT_ROLE_TITLE, buffer, text.used);
        } else {
            draw_thread(ws, v, line, &v->lines.lines[at]);
        }
        if (at == v->list.at) {
            tt_term_draw_cursor(&ws->term, line, name->x + name->width);
        }
    }
    if (v->list.count == 0) {
        draw_none(ws, v, area);
    }
}

void tt_snapshot_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_snapshot_view *v = state;
    const struct tt_lanes_layout *l = &v->lanes.layout;
    if (v->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, v->why);
        return;
    }
    if (l->axis >= 0) {
        tt_lanes_draw_top(ws, &v->lanes, area);
    }
    draw_title(ws, v, tt_area_part(area, 0, v->title, area.width, 1));
    draw_deadlocks(ws, v, tt_area_part(area, 0, v->deadlocks, area.width, v->deadlock_lines));
    for (int i = 0; i < v->cpu_lines && (uint32_t)i < v->cpus_shown; i++) {
        draw_cpu(ws, v, tt_area_part(area, 0, v->heads - v->cpu_lines + i, area.width, 1),
                 (uint32_t)i);
    }
    struct tt_area heads = tt_area_part(area, 0, v->heads, area.width, 1);
    if (v->tab == TT_SNAPSHOT_CPUS) {
        draw_cpu_heads(heads);
    } else {
        draw_heads(ws, v, heads);
    }
    draw_table(ws, v, tt_area_part(area, 0, v->list.y, area.width, v->list.lines));
    if (v->status >= 0) {
        draw_status(ws, v, tt_area_part(area, 0, v->status, area.width, area.height - v->status));
    }
}
