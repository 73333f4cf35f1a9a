/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads/draw: draws the lanes of the Threads view and the legend below them.
 */
#include <string.h>

#include "base/clock.h"
#include "tracetui/format.h"
#include "tui/lanes/lane_marks.h"
#include "tui/views/threads/view.h"

/* Cells of a frame that are computed before the clock is read: all lanes of 80x24. */
#define CELLS_LEAST 800u

/* Returns whether indexing is complete and found no CPU. */
static bool is_stateless(const struct tt_workspace *ws)
{
    return ws->index.progress.finished && tt_cpu_count(tt_trace_timelines(ws->opened.trace)) == 0;
}

/* ---- what the lanes contain --------------------------------------------------------------- */

static void note_cell(struct tt_threads_view *view, struct tt_lane_cell cell)
{
    view->seen |= cell.class_ != TT_LANE_NOTHING ? 1u << cell.class_ : 0;
    view->seen |= cell.many ? 1u << TT_THREADS_MANY : 0;
}

/* Computes the cells of a thread's lane; on the axis of sequence, those of the events' columns. */
static void make_cells(const struct tt_workspace *ws, struct tt_threads_view *view,
                       const struct tt_timelines *timelines, uint32_t thread,
                       struct tt_lane_cell *cells)
{
    const struct tt_capture *capture = ws->opened.capture;
    const unsigned columns = (unsigned)view->lanes.layout.columns;
    if (!ws->nav.lane.sequence) {
        tt_lane_cells_of(cells, timelines, capture, thread, view->lanes.edges, columns,
                         &view->cells->thread);
        return;
    }
    for (unsigned i = 0; i < columns; i++) {
        struct tt_interval interval;
        bool is = i < view->lanes.event_count &&
                  tt_lane_at(timelines, thread, view->lanes.events[i].ticks, &interval);
        cells[i].class_ = is ? tt_lane_class_of(timelines, capture, &interval) : TT_LANE_NOTHING;
        cells[i].many = false;
        cells[i].run = 0;
    }
}

/* Returns the number of cells that were not known before. */
static unsigned fill_thread(const struct tt_workspace *ws, struct tt_threads_view *view,
                            const struct tt_timelines *timelines, uint32_t thread)
{
    unsigned columns = (unsigned)view->lanes.layout.columns;
    const struct tt_lane_cell *known = tt_lane_cache_find(&view->cache, thread);
    bool is_new = known == NULL;
    if (is_new) {
        struct tt_lane_cell *cells = tt_lane_cache_add(&view->cache, thread);
        make_cells(ws, view, timelines, thread, cells);
        tt_lane_cache_sum(&view->cache, timelines, ws->nav.viewport.from, ws->nav.viewport.to);
        known = cells;
    }
    for (unsigned i = 0; i < columns; i++) {
        note_cell(view, known[i]);
    }
    return is_new ? columns : 0;
}

static struct tt_lane_cell folded_cell(const struct tt_workspace *ws,
                                       const struct tt_threads_view *view,
                                       const struct tt_thread_cell *sums, unsigned column)
{
    const uint64_t from = view->lanes.edges[column], to = view->lanes.edges[column + 1];
    struct tt_lane_cell cell = tt_lane_cell_of_group(&sums[column], to - from);
    uint64_t lost;
    if (cell.class_ == TT_CLASS_UNKNOWN &&
        tt_format_has(ws->opened.capture->format, TT_FORMAT_UNKNOWN_IS_OFF) &&
        !tt_loss_in(tt_trace_timelines(ws->opened.trace), from, to, &lost)) {
        cell.class_ = TT_LANE_OFF;
    }
    return cell;
}

/* Returns the set of classes used by the states of the format. */
static uint32_t classes_of(const struct tt_format *format)
{
    uint32_t classes = 0;
    for (uint32_t i = 0; i < format->state_count; i++) {
        classes |= 1u << format->states[i].class_;
    }
    return classes;
}

/*
 * Lists the entries of the legend: the most frequent classes that the format has always, so that scrolling by a line
 * changes few cells, and what else the lines on the screen have, whatever was there before.
 */
static void list_words(struct tt_threads_view *view, const struct tt_format *format)
{
    static const uint32_t always =
        1u << TT_CLASS_RUNNING | 1u << TT_CLASS_READY | 1u << TT_CLASS_IPC | 1u << TT_CLASS_LOCK |
        1u << TT_CLASS_CONDITION | 1u << TT_CLASS_SLEEP | 1u << TT_CLASS_WAIT;
    static const uint8_t order[] = {TT_CLASS_RUNNING, TT_CLASS_READY,       TT_CLASS_IPC,
                                    TT_CLASS_LOCK,    TT_CLASS_CONDITION,   TT_CLASS_SLEEP,
                                    TT_CLASS_WAIT,    TT_THREADS_MISS,      TT_THREADS_MANY,
                                    TT_CLASS_STOPPED, TT_THREADS_OFF,       TT_CLASS_UNKNOWN,
                                    TT_CLASS_DEAD,    TT_THREADS_OWN_EVENT, TT_THREADS_SLICE};
    const uint32_t seen = view->seen | (classes_of(format) & always);
    view->legend_count = 0;
    view->legend_seen = view->seen;
    for (size_t i = 0; i < sizeof order; i++) {
        if (seen & 1u << order[i]) {
            view->legend[view->legend_count++] = order[i];
        }
    }
}

/* Fills a line; returns the number of cells of threads that were not known before. */
static unsigned fill_line(const struct tt_workspace *ws, struct tt_threads_view *view,
                          const struct tt_timelines *timelines, int line)
{
    uint32_t number = tt_threads_row_on_line(view, line);
    const struct tt_lane_row *row = number != UINT32_MAX ? &view->rows.rows[number] : NULL;
    unsigned cells = 0;
    if (row && row->kind == TT_LANE_PROCESS) {
        uint32_t process = row->process;
        const struct tt_thread_cell *sums = NULL;
        if (!ws->nav.lane.sequence && tt_lane_rows_folded(&view->rows, process)) {
            sums = tt_lane_groups_get(&view->groups, process, tt_term_share(&ws->term, 1));
        }
        for (unsigned i = 0; sums && i < (unsigned)view->lanes.layout.columns; i++) {
            note_cell(view, folded_cell(ws, view, sums, i));
        }
    } else if (row && row->kind == TT_LANE_THREAD) {
        cells = fill_thread(ws, view, timelines, row->thread);
        bool ticks = tt_lanes_user_ticks(ws, &view->lanes, row->thread);
        view->seen |= ticks ? 1u << TT_THREADS_OWN_EVENT : 0;
        bool missed = tt_lanes_has_miss(ws, row->thread);
        view->seen |= missed ? 1u << TT_THREADS_MISS : 0;
    } else if (row && row->kind == TT_LANE_SLICES) {
        view->seen |= 1u << TT_THREADS_SLICE;
    }
    return cells;
}

bool tt_threads_fill_rows(const struct tt_workspace *ws, struct tt_threads_view *view,
                          const struct tt_timelines *timelines, uint64_t deadline)
{
    unsigned cells = 0;
    view->seen = view->filled > 0 ? view->seen : 0;
    if (view->filled == 0 && view->at_line >= 0 &&
        view->at_line < view->lanes.layout.lanes_height) {
        cells += fill_line(ws, view, timelines, view->at_line);
    }
    while (view->filled < view->lanes.layout.lanes_height &&
           (cells < CELLS_LEAST || tt_now_ns() < deadline)) {
        cells += fill_line(ws, view, timelines, view->filled++);
    }
    bool complete = view->filled >= view->lanes.layout.lanes_height;
    /* Until all lines are known, the legend is that of the frame before. */
    if (complete && view->lanes.layout.legend >= 0 && !is_stateless(ws)) {
        list_words(view, ws->opened.capture->format);
    }
    return complete;
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Draws the lane of a thread; nothing while its cells are not known. */
static void draw_thread_lane(const struct tt_workspace *ws, const struct tt_threads_view *view,
                             struct tt_area area, int y, uint32_t thread)
{
    const struct tt_lane_cell *known = tt_lane_cache_find(&view->cache, thread);
    int x = view->lanes.layout.gutter;
    for (int i = 0; known && i < view->lanes.layout.columns; i++) {
        if (known[i].class_ != TT_LANE_NOTHING || !ws->nav.lane.sequence) {
            tt_lanes_draw_cell(ws, area, x + i, y, known[i]);
        }
    }
    for (uint32_t i = 0; known && ws->nav.lane.sequence && i < view->lanes.event_count; i++) {
        if (view->lanes.events[i].thread == thread && known[i].class_ != TT_LANE_NOTHING) {
            tt_draw_over(area, x + (int)i, y, 1, TT_ROLE_OWN_EVENT);
        }
    }
}

static void draw_folded_lane(const struct tt_workspace *ws, const struct tt_threads_view *view,
                             struct tt_area area, int y, uint32_t process)
{
    const struct tt_thread_cell *sums = NULL;
    if (!ws->nav.lane.sequence) {
        sums = tt_lane_groups_peek(&view->groups, process);
    }
    for (unsigned i = 0; sums && i < (unsigned)view->lanes.layout.columns; i++) {
        tt_lanes_draw_cell(ws, area, view->lanes.layout.gutter + (int)i, y,
                           folded_cell(ws, view, sums, i));
    }
}

/* Lays the background of the current lane below its cells without an overlay of their own. */
static void highlight_lane(const struct tt_threads_view *view, struct tt_area area, int y)
{
    for (int x = view->gutter.width; x < area.width; x++) {
        if (tt_grid_at(area.grid, area.x + x, area.y + y)->over == 0) {
            tt_draw_over(area, x, y, 1, TT_ROLE_LANE_CURRENT);
        }
    }
}

void tt_threads_draw_row(const struct tt_workspace *ws, const struct tt_threads_view *view,
                         const struct tt_timelines *timelines, struct tt_area area, int y,
                         uint32_t number)
{
    const struct tt_lane_row *row = &view->rows.rows[number];
    const struct tt_lanes_gutter *gutter = &view->gutter;
    tt_lanes_gutter_row(ws, &view->rows, row, area, gutter, y);
    switch (row->kind) {
    case TT_LANE_PROCESS:
        tt_lanes_gutter_process(ws, &view->numbers, area, gutter, y, row->process);
        if (tt_lane_rows_folded(&view->rows, row->process)) {
            draw_folded_lane(ws, view, area, y, row->process);
        }
        break;
    case TT_LANE_SLICES:
        tt_lanes_draw_slices(ws, &view->lanes, area, y, row, &view->cells->slice);
        break;
    case TT_LANE_CAPTURE:
        break;
    case TT_LANE_COUNTER:
        tt_lanes_gutter_counter(ws, timelines, area, gutter, y, row->number);
        tt_lanes_draw_counter(ws, &view->lanes, area, y, row->number, &view->cells->counter);
        break;
    default:
        tt_lanes_gutter_thread(ws, timelines, area, gutter, y, row->thread,
                               tt_lane_cache_sums(&view->cache, row->thread));
        draw_thread_lane(ws, view, area, y, row->thread);
        tt_lanes_draw_user_events(ws, &view->lanes, area, y, row->thread);
        if (tt_visible_thread_peeked(&ws->filters, row->thread)) {
            tt_draw_over(area, 1, y, area.width - 1, TT_ROLE_OFF_PATH);
        }
        tt_partner_draw(ws, &view->lanes, &view->partner, area, y, row->thread);
        tt_lanes_draw_misses(ws, &view->lanes, area, y, row->thread);
        break;
    }
    if (number == view->at) {
        tt_term_draw_cursor(&ws->term, tt_area_part(area, 0, y, gutter->width, 1),
                            gutter->name + gutter->name_width);
        if (tt_theme_has_lane_background(&ws->term.theme)) {
            highlight_lane(view, area, y);
        }
    }
    tt_lanes_draw_over(ws, &view->lanes, area, y);
}

/* How much the names of the legend are shortened: less in wider legends. */
enum words { ALL_WORDS, WORDS, SHORT_WORDS, TIGHT_WORDS };

#define ALL_WORDS_WIDTH 130 /* from which bars are explained in full */
#define WORDS_WIDTH     75

static const char *word_text(const struct tt_workspace *ws, unsigned word, enum words level)
{
    switch (word) {
    case TT_THREADS_OWN_EVENT:
        return level >= TIGHT_WORDS ? "event" : "user event";
    case TT_CLASS_STOPPED:
        return level >= TIGHT_WORDS ? "stop" : tt_class_name(TT_CLASS_STOPPED);
    case TT_THREADS_OFF:
        return "off CPU";
    case TT_CLASS_UNKNOWN:
        return "no data";
    case TT_THREADS_SLICE:
        return "slice";
    case TT_THREADS_MISS:
        return level >= SHORT_WORDS ? "late" : "deadline missed";
    case TT_THREADS_MANY:
        return ws->term.colored && !ws->term.grid.ascii && level == ALL_WORDS
                   ? "mixed (bar: share running)"
                   : "mix";
    case TT_CLASS_RUNNING:
        return level >= SHORT_WORDS ? "run" : tt_class_name(TT_CLASS_RUNNING);
    case TT_CLASS_CONDITION:
        return level >= SHORT_WORDS ? "cond" : tt_class_name(TT_CLASS_CONDITION);
    case TT_CLASS_READY:
        return level >= TIGHT_WORDS ? "rdy" : tt_class_name(TT_CLASS_READY);
    case TT_CLASS_SLEEP:
        return level >= TIGHT_WORDS ? "slp" : tt_class_name(TT_CLASS_SLEEP);
    default:
        return tt_class_name((uint8_t)word);
    }
}

static int glyph_width(unsigned word)
{
    return word == TT_THREADS_MANY ? 4 : 2;
}

/* Returns the columns of the legend; the usual entries that are not on the screen may be left out. */
static int legend_columns(const struct tt_workspace *ws, const struct tt_threads_view *view,
                          uint32_t entries, enum words level)
{
    int x = 0;
    for (unsigned i = 0; i < view->legend_count; i++) {
        const unsigned word = view->legend[i];
        if (entries & 1u << word) {
            x += 1 + glyph_width(word) + (int)strlen(word_text(ws, word, level));
        }
    }
    return x;
}

static void draw_glyph(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                       unsigned word)
{
    static const struct tt_lane_cell many[] = {{.class_ = TT_CLASS_RUNNING, .many = true, .run = 7},
                                               {.class_ = TT_CLASS_IPC, .many = true, .run = 3},
                                               {.class_ = TT_CLASS_SLEEP, .many = true, .run = 1}};
    switch (word) {
    case TT_THREADS_OWN_EVENT:
        tt_draw_fill(area, x, y, 1, TT_ROLE_EVENT_USER, tt_term_glyph(&ws->term, TT_GLYPH_USER));
        break;
    case TT_THREADS_SLICE:
        tt_draw_fill(area, x, y, 1, TT_ROLE_SLICE, tt_term_glyph(&ws->term, TT_GLYPH_SLICE));
        break;
    case TT_THREADS_MISS:
        tt_draw(area, x, y, 1, TT_ROLE_ERROR, "!");
        break;
    case TT_THREADS_MANY:
        for (int i = 0; i < 3; i++) {
            tt_lanes_draw_cell(ws, area, x + i, y, many[i]);
        }
        break;
    default:
        tt_lanes_draw_cell(ws, area, x, y, (struct tt_lane_cell){.class_ = (uint8_t)word});
        break;
    }
}

/* Draws a legend entry at x; returns the x of the next one, or x if it does not fit. */
static int draw_word(const struct tt_workspace *ws, struct tt_area area, int x, int y, int width,
                     unsigned word, enum words level)
{
    const char *text = word_text(ws, word, level);
    int length = (int)strlen(text), at = x + glyph_width(word);
    if (at + length > width) {
        return x;
    }
    draw_glyph(ws, area, x, y, word);
    tt_draw(area, at, y, width - at, TT_ROLE_DIM, text);
    return at + length + 1;
}

void tt_threads_draw_legend(const struct tt_workspace *ws, const struct tt_threads_view *view,
                            struct tt_area area, int y)
{
    /* Each step takes less room: short words, no length of a cell, only what is on the screen. */
    static const struct {
        enum words level;
        bool all;
        int scale; /* 2: whole, 1: of the range alone */
    } steps[] = {{ALL_WORDS, true, 2},    {WORDS, true, 2},        {SHORT_WORDS, true, 2},
                 {SHORT_WORDS, true, 1},  {SHORT_WORDS, false, 1}, {TIGHT_WORDS, false, 1},
                 {SHORT_WORDS, false, 0}, {TIGHT_WORDS, false, 0}};
    const int scales[] = {0, 1 + tt_lanes_scale_columns(ws, &view->lanes, area, false),
                          1 + tt_lanes_scale_columns(ws, &view->lanes, area, true)};
    const size_t last = sizeof steps / sizeof *steps - 1;
    size_t step = area.width >= ALL_WORDS_WIDTH ? 0 : area.width >= WORDS_WIDTH ? 1 : 2;
    uint32_t entries = UINT32_MAX;
    if (is_stateless(ws)) {
        tt_draw(area, 1, y, area.width - 2, TT_ROLE_WARNING, "no thread states in this capture");
        return;
    }
    for (; step < last; step++) {
        entries = steps[step].all ? UINT32_MAX : view->legend_seen;
        if (2 + legend_columns(ws, view, entries, steps[step].level) + scales[steps[step].scale] <=
            area.width) {
            break;
        }
    }
    int x = 1;
    for (unsigned i = 0; i < view->legend_count; i++) {
        if (entries & 1u << view->legend[i]) {
            x = draw_word(ws, area, x, y, area.width - 1, view->legend[i], steps[step].level);
        }
    }
    tt_lanes_draw_scale(ws, &view->lanes, area, x - 1, y);
}
