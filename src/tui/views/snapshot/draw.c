/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/draw: what the instant has in a line, headings, deadlocks, and the lines of threads. */
#include <string.h>

#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"
#include "tui/draw/event_role.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/status.h"
#include "tui/views/snapshot/view.h"

#define LINE_BYTES  4096
#define THREAD_MOST 32
#define STATE_MOST  14
#define TICKS_WIDTH 12 /* of a distance in ticks */
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

static void snapshot_draw_put_duration(const struct tt_workspace *ws, struct tt_text *text,
                                       uint64_t ticks)
{
    if (in_ticks(ws)) {
        tt_units_grouped(text, ticks);
    } else {
        tt_time_label_duration(ws, text, ticks);
    }
}

/* ---- placing ------------------------------------------------------------------------------ */

void tt_snapshot_columns_place(const struct tt_workspace *ws, struct tt_snapshot_view *view,
                               int width)
{
    struct tt_snapshot_place *snapshot_place = view->places;
    int left = width;
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        snapshot_place[i].width =
            width >= tt_snapshot_columns[i].from ? tt_snapshot_columns[i].width : 0;
        if (i == TT_SNAPSHOT_PID && snapshot_place[i].width > 0) {
            int needed = view->pid_width;
            snapshot_place[i].width = needed > snapshot_place[i].width ? needed
                                      : needed == 0                    ? 0
                                                                       : snapshot_place[i].width;
        } else if ((i == TT_SNAPSHOT_SINCE || i == TT_SNAPSHOT_UNTIL) && in_ticks(ws) &&
                   snapshot_place[i].width > 0) {
            snapshot_place[i].width = TICKS_WIDTH;
        }
        left -= snapshot_place[i].width > 0 ? snapshot_place[i].width + 1 : 0;
    }
    static const struct {
        uint8_t column;
        int most;
    } growth[] = {{TT_SNAPSHOT_CHAIN, CHAIN_LEAST},  {TT_SNAPSHOT_THREAD, 18},
                  {TT_SNAPSHOT_STATE, STATE_MOST},   {TT_SNAPSHOT_CHAIN, 40},
                  {TT_SNAPSHOT_THREAD, THREAD_MOST}, {TT_SNAPSHOT_CHAIN, INT16_MAX}};
    for (size_t i = 0; i < sizeof growth / sizeof *growth && left > 0; i++) {
        struct tt_snapshot_place *place = &snapshot_place[growth[i].column];
        int more = growth[i].most - place->width;
        more = more < left ? more : left;
        if (place->width > 0 && more > 0) {
            place->width += more;
            left -= more;
        }
    }
    int x = 1;
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        snapshot_place[i].x = x;
        x += snapshot_place[i].width > 0 ? snapshot_place[i].width + 1 : 0;
    }
}

/* ---- the line of tabs, headings ----------------------------------------------------------- */

/* Draws how many threads do what, the idle CPUs, and the instant. */
static void draw_title(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                       struct tt_area line)
{
    static const char *const words[] = {" run", " ready", " blocked", " wait", " idle"};
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "at ");
    tt_lanes_status_time(ws, &text);
    const int width = tt_grid_columns(line.grid, buffer, text.used);
    const int left = line.width - width - 3;
    if (left > 0) {
        tt_draw_text(line, line.width - width - 1, 0, width, TT_ROLE_STATUS, buffer, text.used);
    }
    text = tt_text_of(buffer, sizeof buffer);
    for (unsigned i = 0; i < sizeof words / sizeof *words && view->snapshot.complete; i++) {
        if (view->doing[i] > 0) {
            tt_text_put(&text, "%s%'u%s", text.used > 0 ? ", " : "", view->doing[i], words[i]);
        }
    }

    /* Appends the CPUs without a thread: "CPU 0 2 idle, 1 (interrupt 14) idle". */
    const struct tt_capture *capture = ws->opened.capture;
    bool any = false;
    for (uint32_t i = 0; i < view->cpu_count; i++) {
        const struct tt_snapshot_cpu *cpu = &view->cpus[i];
        const bool thread = cpu->occupant < tt_thread_count(capture);
        if (view->cpu_known[i] && (thread ? tt_thread_at(capture, cpu->occupant)->idle
                                          : cpu->occupant == TT_OCCUPANT_IDLE)) {
            tt_text_put(&text, "%s%u", any ? " " : text.used > 0 ? ", CPU " : "CPU ", i);
            any = true;
            if (cpu->interrupts > 0) {
                tt_text_str(&text, " (");
                tt_snapshot_put_cpu(&text, capture, cpu);
                tt_text_char(&text, ')');
            }
        }
    }
    tt_text_str(&text, any ? " idle" : "");

    tt_draw_text(line, 1, 0, left, TT_ROLE_TITLE, buffer, text.used);
    if (!view->snapshot.complete) {
        const int used = tt_grid_columns(line.grid, buffer, text.used);
        tt_draw(line, used + 3, 0, left - used - 3, TT_ROLE_PROGRESS, "searching for causes");
    }
}

static void draw_deadlocks(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                           struct tt_area area)
{
    const struct tt_snapshot *snapshot = &view->snapshot;
    int y = 0;
    for (uint32_t i = 0; i < snapshot->count && y < area.height; i++) {
        if (!tt_snapshot_begins_deadlock(snapshot, &snapshot->rows[i])) {
            continue;
        }
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        uint32_t rest = view->deadlock_count - (uint32_t)y;
        if (y == area.height - 1 && rest > 1) {
            tt_text_put(&text, "%u more deadlocks", rest);
        } else {
            tt_text_str(&text, "deadlock: ");
            tt_snapshot_put_cycle(&text, ws->opened.capture, snapshot, &snapshot->rows[i]);
        }
        tt_draw_text(area, 1, y, area.width - 1, TT_ROLE_ERROR, buffer, text.used);
        y++;
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Appends the value of a column other than the thread's name. */
static void snapshot_draw_put_value(const struct tt_workspace *ws,
                                    const struct tt_snapshot_view *view,
                                    const struct tt_snapshot_row *row, unsigned column,
                                    struct tt_text *text)
{
    const struct tt_capture *capture = ws->opened.capture;
    const struct tt_snapshot_value value = tt_snapshot_value_of(view, row, column);
    const bool distance = column == TT_SNAPSHOT_SINCE || column == TT_SNAPSHOT_UNTIL;
    if (column == TT_SNAPSHOT_PID) {
        const uint32_t process = tt_thread_at(capture, row->thread)->process;
        tt_line_id(text, capture, process, tt_process_at(capture, process)->pid);
    } else if (column == TT_SNAPSHOT_CHAIN) {
        const bool runs = row->doing == TT_DOING_RUN && row->cpu < view->cpu_count;
        tt_snapshot_put_wait(text, &view->scene, row);
        if (runs && view->cpu_known[row->cpu] && view->cpus[row->cpu].occupant == row->thread) {
            tt_snapshot_put_cpu(text, capture, &view->cpus[row->cpu]);
        }
    } else if (!value.known) {
        tt_text_str(text, value.pending ? "" : distance ? "?" : "-");
    } else if (value.text) {
        tt_text_str(text, value.text);
    } else if (column == TT_SNAPSHOT_PRIORITY) {
        tt_text_i64(text, row->priority);
    } else if (distance || column >= TT_SNAPSHOT_RUN_1) {
        tt_text_str(text, !distance ? "" : column == TT_SNAPSHOT_SINCE ? "-" : "+");
        snapshot_draw_put_duration(ws, text, value.number);
    } else {
        tt_text_u64(text, value.number);
    }
}

static void draw_thread(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                        struct tt_area line, size_t at)
{
    const struct tt_snapshot_row *row = tt_snapshot_view_row_of(view, at);
    if (!row) {
        return; /* the thread has no state at this instant; its line is removed with the next frame */
    }
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        const struct tt_snapshot_place *place = &view->places[i];
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        unsigned role = i == TT_SNAPSHOT_STATE ? (unsigned)tt_role_of_class(row->class_)
                        : i == TT_SNAPSHOT_CHAIN && row->deadlock ? (unsigned)TT_ROLE_ERROR
                                                                  : (unsigned)TT_ROLE_TEXT;
        if (place->width == 0) {
            continue;
        }
        if (i == TT_SNAPSHOT_THREAD) {
            tt_thread_label(line.grid, ws->opened.capture, row->thread, place->width, &text);
            tt_draw_text(line, place->x, 0, place->width, TT_ROLE_THREAD, buffer, text.used);
            continue;
        }
        snapshot_draw_put_value(ws, view, row, i, &text);
        if (tt_snapshot_columns[i].right) {
            tt_draw_right(line, place->x, 0, place->width, role, tt_text_cstr(&text));
        } else {
            tt_draw_text(line, place->x, 0, place->width, role, buffer, text.used);
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Draws the whole chain of the selected thread, and its run times. */
static void draw_status(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                        struct tt_area area)
{
    const struct tt_snapshot_row *row = tt_snapshot_view_row(view);
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
    const bool known = row->waits_for != TT_WAITS_FOR_UNKNOWN || row->doing == TT_DOING_IDLE;
    const bool waits = row->waits_for != TT_WAITS_FOR_NOTHING && !row->from_wake;
    tt_text_str(&text, !known                                 ? "  waits for: not in the capture"
                       : waits && row->doing != TT_DOING_IDLE ? "  waits for "
                                                              : "  ");
    snapshot_draw_put_value(ws, view, row, TT_SNAPSHOT_CHAIN, &text);
    tt_draw_text(area, x, 1, area.width - x, TT_ROLE_STATUS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    for (unsigned i = 0; i < TT_SNAPSHOT_RUNS && ws->opened.capture->clock_hz != 0; i++) {
        tt_text_put(&text, "%s%s: ", i > 0 ? ", " : "ran in ", tt_snapshot_runs[i].head);
        snapshot_draw_put_value(ws, view, row, TT_SNAPSHOT_RUN_1 + i, &text);
    }
    tt_draw_text(area, 1, 2, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
}

#define FIRST_LANES 4096u /* lanes read for the first known state */

/* Writes why there are no rows: before the first known state of a thread, the time of that. */
static void draw_none(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                      struct tt_area area)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint32_t threads = timelines ? tt_thread_count(ws->opened.capture) : 0;
    uint64_t first = UINT64_MAX;
    char buffer[96];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    for (uint32_t i = 0; i < threads && i < FIRST_LANES; i++) {
        struct tt_interval_at at;
        uint64_t start = tt_interval_first(timelines, i, &at) ? tt_interval_get(timelines, at).start
                                                              : UINT64_MAX;
        first = start > view->snapshot.at && start < first ? start : first;
    }
    if (!view->snapshot.complete) {
        tt_text_str(&text, "searching for causes");
    } else if (first == UINT64_MAX) {
        tt_text_str(&text, "no thread here");
    } else {
        tt_text_put(&text, "no thread's state is known yet; the first one at %s",
                    tt_words_moment(ws, first).s);
    }
    tt_draw(area, 1, 0, area.width - 1, TT_ROLE_DIM, tt_text_cstr(&text));
}

static void draw_table(const struct tt_workspace *ws, const struct tt_snapshot_view *view,
                       struct tt_area area)
{
    const struct tt_snapshot_place *name = &view->places[TT_SNAPSHOT_THREAD];
    for (int y = 0; tt_list_row(&view->list, y) < view->list.count; y++) {
        const size_t at = tt_list_row(&view->list, y);
        struct tt_area line = tt_area_part(area, 0, y, area.width, 1);
        draw_thread(ws, view, line, at);
        if (at == view->list.at) {
            tt_term_draw_cursor(&ws->term, line, name->x + name->width);
        }
    }
    if (view->list.count == 0) {
        draw_none(ws, view, area);
    }
}

void tt_snapshot_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_snapshot_view *view = state;
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (view->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, view->why);
        return;
    }
    if (layout->axis >= 0) {
        tt_lanes_draw_top(ws, &view->lanes, area);
    }
    draw_title(ws, view, tt_area_part(area, 0, view->title, area.width, 1));
    draw_deadlocks(ws, view,
                   tt_area_part(area, 0, view->deadlocks, area.width, view->deadlock_lines));

    struct tt_area line = tt_area_part(area, 0, view->heads, area.width, 1);
    for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
        const struct tt_snapshot_column_info *column = &tt_snapshot_columns[i];
        const struct tt_list_head head = {.x = view->places[i].x,
                                          .width = view->places[i].width,
                                          .right = column->right,
                                          .sorted = i == (unsigned)view->sort,
                                          .down = column->down != view->reverse};
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

    draw_table(ws, view, tt_area_part(area, 0, view->list.y, area.width, view->list.lines));
    if (view->status >= 0) {
        draw_status(ws, view,
                    tt_area_part(area, 0, view->status, area.width, area.height - view->status));
    }
}
