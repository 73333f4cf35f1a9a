/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why: the Why pane: the lanes of the threads of an explanation, and its pieces below them.
 *
 *      [▅▆▅▅▃▂▂▄▅▄▃▁▁ ▁▂▄▃▄▅▄▄▆██▇▆▅]       overview, axis
 *       sensor/1 sample     30 ████────       lanes; what is on the path is bright
 *      ▌logger/1 writer      8 ████▒▒▒▒
 *      ─ why: sensor/1 reply 1.912 ms ─
 *         12.40 µs   1 %  fusion/1 ...        pieces, as in `why`
 *      ▌   1.530 ms  80 % logger/1 ...
 *      ─ late by ──────────────────────
 *       netmgr/2 worker 1.530 ms 80 %         sums
 *
 * It covers the view below it, which is neither laid out nor drawn until the pane is closed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/input/list_motion.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/lanes.h"
#include "tui/lanes/row_cache.h"
#include "tui/panes/pane.h"

#define SMALL_HEIGHT 12
#define TALL_HEIGHT  30
#define LANES_MOST   32u
#define MARGIN       8u /* the window is this part of the interval wider on either side */
#define FIRST_NS     UINT64_C(400000) /* for the first frame of an explanation */

struct why_pane {
    struct tt_list pieces;
    struct tt_lanes_view lanes;
    struct tt_lanes_gutter gutter;
    struct tt_lane_cache cache;
    struct tt_thread_cell *sums; /* scratch, a column each */
    uint8_t *path;               /* by lane and column: the path is there */
    size_t sums_room, path_room;
    uint32_t threads[LANES_MOST]; /* of the lanes */
    unsigned lane_count;
    const char *why; /* reason that there is nothing to show */
    int title, list, list_lines, late, late_lines;
    unsigned version; /* subject that the window was set for */
    unsigned moves;   /* choice that the cursor was moved for */
    bool filled;      /* the last frame had all its parts, complete or not */
};

static void why_close(void *state)
{
    struct why_pane *pane = state;
    tt_lanes_free(&pane->lanes);
    tt_lane_cache_free(&pane->cache);
    free(pane->sums);
    free(pane->path);
}

/* ---- which lanes -------------------------------------------------------------------------- */

/* Returns the lane of a thread; the number of lanes if it has none. */
static unsigned why_lane_of(const struct why_pane *pane, uint32_t thread)
{
    unsigned lane = 0;
    while (lane < pane->lane_count && pane->threads[lane] != thread) {
        lane++;
    }
    return lane;
}

static void why_add_lane(struct why_pane *pane, uint32_t thread, unsigned most)
{
    if (why_lane_of(pane, thread) == pane->lane_count && pane->lane_count < most) {
        pane->threads[pane->lane_count++] = thread;
    }
}

/*
 * Selects the lanes: the thread that is explained, the levels of the chosen piece, the thread that
 * it is charged to, then the others in the order of the pieces.
 */
static void choose_lanes(struct why_pane *pane, const struct tt_why *why, unsigned most)
{
    const struct tt_explanation *explanation = &why->shown;
    most = most < LANES_MOST ? most : LANES_MOST;
    pane->lane_count = 0;
    why_add_lane(pane, tt_why_subject(why)->thread, most);
    if (why->at < explanation->count) {
        /* Adds the threads of the levels above a piece, outermost first, and its own. */
        size_t piece = why->at;
        uint32_t levels[TT_EXPLAIN_DEPTH + 1];
        unsigned depth = explanation->pieces[piece].depth;
        for (size_t i = piece + 1, wanted = depth; i-- > 0;) {
            if (explanation->pieces[i].depth == wanted) {
                levels[wanted] = explanation->pieces[i].thread;
                if (wanted-- == 0) {
                    break;
                }
            }
        }
        /* The chosen piece and what it is charged to have precedence. */
        unsigned first = depth + 2 > most ? depth + 2 - most : 0;
        for (unsigned i = first; i <= depth; i++) {
            why_add_lane(pane, levels[i], most);
        }

        if (explanation->pieces[why->at].by != TT_NO_THREAD) {
            why_add_lane(pane, explanation->pieces[why->at].by, most);
        }
    }
    for (size_t i = 0; i < explanation->count && pane->lane_count < most; i++) {
        why_add_lane(pane, explanation->pieces[i].thread, most);
    }
    for (size_t i = 0; i < explanation->late_count && pane->lane_count < most; i++) {
        if (explanation->late[i].charge.by != TT_NO_THREAD) {
            why_add_lane(pane, explanation->late[i].charge.by, most);
        }
    }
}

/* ---- layout ------------------------------------------------------------------------------- */

static void scroll(struct why_pane *pane, const struct tt_why *why)
{
    pane->pieces.at = why->at;
    pane->pieces.returns &= why->wanted == pane->pieces.return_at;
    tt_list_layout(&pane->pieces, why->shown.count, pane->list, pane->list_lines);
}

/*
 * Shows the interval of a new subject, with a margin. The cursor goes to its beginning at once, unless it
 * stays: until a piece is chosen, the lanes would follow it out of the interval.
 */
static void show_subject(struct tt_workspace *ws, struct why_pane *pane)
{
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    struct tt_bounds bounds = tt_nav_bounds(ws);
    uint64_t margin = (subject->to - subject->from) / MARGIN + 1;
    uint64_t from = subject->from > margin ? subject->from - margin : 0;
    uint64_t to = subject->to < UINT64_MAX - margin ? subject->to + margin : UINT64_MAX;
    from = from > bounds.begin ? from : bounds.begin;
    to = to < bounds.end ? to : bounds.end;
    tt_viewport_show(&ws->nav.viewport, bounds, (unsigned)pane->lanes.layout.columns, from, to);
    ws->nav.viewport.all = false;
    if (!ws->why.stays) {
        tt_lanes_go(ws, &pane->lanes, subject->from);
    }
    pane->version = ws->why.version;
    pane->pieces.top = 0;
}

/* Moves the cursor to the chosen piece, which becomes the selection. */
static void show_choice(struct tt_workspace *ws, struct why_pane *pane)
{
    const struct tt_why *why = &ws->why;
    if (!tt_why_has_choice(why)) {
        return;
    }
    pane->moves = why->moves;
    const struct tt_piece *piece = &why->shown.pieces[why->at];
    struct tt_viewport *viewport = &ws->nav.viewport;
    viewport->spans = true;
    viewport->growing = false;
    viewport->anchor = piece->from;
    viewport->other = piece->to;
    ws->nav.lane.thread = piece->thread;
    ws->nav.lane.process = tt_thread_at(ws->opened.capture, piece->thread)->process;
    ws->nav.lane.kind = TT_LANE_THREAD;
    bool inside = viewport->at >= viewport->from && viewport->at < viewport->to &&
                  viewport->at >= piece->from && viewport->at < piece->to;
    if (!why->stays || !inside) {
        tt_lanes_go(ws, &pane->lanes, piece->from);
    }
}

static bool why_reserve(struct why_pane *pane)
{
    size_t columns = (size_t)pane->lanes.layout.columns, cells = columns * LANES_MOST;
    if (columns > pane->sums_room) {
        struct tt_thread_cell *sums = realloc(pane->sums, columns * sizeof *sums);
        pane->sums = sums ? sums : pane->sums;
        pane->sums_room = sums ? columns : pane->sums_room;
    }
    if (cells > pane->path_room) {
        uint8_t *path = realloc(pane->path, cells);
        pane->path = path ? path : pane->path;
        pane->path_room = path ? cells : pane->path_room;
    }
    return columns <= pane->sums_room && cells <= pane->path_room;
}

static void why_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct why_pane *pane = state;
    struct tt_why *why = &ws->why;
    pane->why = NULL;
    if (!why->open || !tt_why_subject(why)) {
        pane->why = why->search.active ? "searching" : "nothing is explained";
        return;
    }
    tt_why_refresh(ws);
    if (why->explaining && why->shown.count == 0) {
        tt_why_work(ws, tt_now_ns() + FIRST_NS);
    }
    /* Divides the lines: lanes get what the pieces do not need, and at least two fifths. */
    struct tt_lanes_layout *layout = &pane->lanes.layout;
    bool small = area.height < SMALL_HEIGHT;
    int y = 0;
    pane->gutter = tt_lanes_gutter_of(area.width);
    *layout = (struct tt_lanes_layout){.load = -1, .legend = -1, .width = area.width};
    layout->overview = small ? -1 : y++;
    layout->labels = small ? 0 : y++;
    layout->axis = small ? 0 : y++;
    y = small ? 1 : y;
    layout->lanes = y;
    layout->gutter = pane->gutter.width;
    layout->columns = area.width - layout->gutter > 1 ? area.width - layout->gutter : 1;
    pane->late_lines = small ? 1 : area.height < TALL_HEIGHT ? 2 : 3; /* with their rule */
    int left = area.height - y - 1 - pane->late_lines;
    int least = left * 2 / 5 > 1 ? left * 2 / 5 : 1;
    int needed = why->shown.count < (size_t)left ? (int)why->shown.count : left;
    int most = left - needed > least ? left - needed : least;
    choose_lanes(pane, why, (unsigned)(most > 0 ? most : 1));
    layout->lanes_height = (int)pane->lane_count;
    pane->title = y + layout->lanes_height;
    pane->list = pane->title + 1;
    pane->late = area.height - pane->late_lines;
    pane->list_lines = pane->late - pane->list > 0 ? pane->late - pane->list : 0;
    layout->status = area.height;
    if (pane->version != why->version) {
        show_subject(ws, pane);
    }
    if (pane->moves != why->moves) {
        show_choice(ws, pane);
    }
    scroll(pane, why);
    if (tt_lanes_ready(ws, &pane->lanes, &pane->why) && !why_reserve(pane)) {
        pane->why = "out of memory";
    }
    pane->why = why->failed ? "out of memory" : pane->why;
}

int tt_why_lanes_lines(const void *state)
{
    const struct why_pane *pane = state;
    return pane->why ? 0 : pane->title;
}

/* ---- contents ----------------------------------------------------------------------------- */

/* Computes at least one missing lane, and more until `deadline`; true when there are all. */
static bool fill_lanes(const struct tt_workspace *ws, struct why_pane *pane, uint64_t deadline)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    for (unsigned i = 0, missing = 0; i < pane->lane_count; i++) {
        const uint32_t thread = pane->threads[i];
        if (tt_lane_cache_find(&pane->cache, thread)) {
            continue;
        }
        if (missing++ > 0 && tt_now_ns() >= deadline) {
            return false;
        }
        struct tt_lane_cell *cells = tt_lane_cache_add(&pane->cache, thread);
        if (cells) {
            tt_lane_cells_of(cells, timelines, ws->opened.capture, thread, pane->lanes.edges,
                             (unsigned)pane->lanes.layout.columns, pane->sums);
        }
        tt_lane_cache_sum(&pane->cache, timelines, viewport->from, viewport->to);
    }
    return true;
}

/* Returns the column of a time in the window: for most pieces that of the one before, `near`. */
static unsigned why_column_of(const struct why_pane *pane, const struct tt_viewport *viewport,
                              unsigned near, uint64_t ticks)
{
    bool same = ticks >= pane->lanes.edges[near] && ticks < pane->lanes.edges[near + 1];
    return same ? near : tt_viewport_column(viewport, (unsigned)pane->lanes.layout.columns, ticks);
}

static bool why_fill(struct tt_workspace *ws, void *state)
{
    struct why_pane *pane = state;
    pane->filled = false;
    if (pane->why) {
        return false;
    }
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    size_t pieces = ws->why.shown.count;
    unsigned moves = ws->why.moves, version = ws->why.version;
    tt_why_work(ws, tt_term_share(&ws->term, 3));
    if (moves != ws->why.moves || version != ws->why.version ||
        (pieces < (size_t)pane->list_lines && pieces != ws->why.shown.count)) {
        return true;
    }
    struct tt_lane_cache_key key = {.from = viewport->from,
                                    .to = viewport->to,
                                    .end = tt_timelines_end(timelines),
                                    .rows = ws->index.rows,
                                    .number = tt_timelines_number(timelines),
                                    .columns = (unsigned)pane->lanes.layout.columns};
    if (!tt_lane_cache_begin(&pane->cache, &key)) {
        pane->why = "out of memory";
        return false;
    }
    fill_lanes(ws, pane, tt_term_share(&ws->term, 1));
    /* Marks the columns of the innermost pieces on the lanes of their threads. */
    const struct tt_explanation *explanation = &ws->why.shown;
    unsigned columns = (unsigned)pane->lanes.layout.columns, near = 0;
    memset(pane->path, 0, (size_t)columns * LANES_MOST);
    for (size_t i = 0; i < explanation->count; i++) {
        const struct tt_piece *piece = &explanation->pieces[i];
        if (piece->flags & TT_PIECE_WAIT || piece->to <= viewport->from ||
            piece->from >= viewport->to) {
            continue;
        }
        unsigned lane = why_lane_of(pane, piece->thread);
        if (lane < pane->lane_count) {
            unsigned from = why_column_of(pane, viewport, near, piece->from);
            near = why_column_of(pane, viewport, from, piece->to - 1);
            memset(pane->path + (size_t)lane * columns + from, 1, near - from + 1);
        }
    }
    tt_lanes_fill_top(ws, &pane->lanes);
    pane->filled = true;
    return false;
}

/* Without a budget: whether all is drawn. Parts that the frame had no time for need another one. */
static bool why_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct why_pane *pane = state;
    uint64_t deadline = tt_now_ns() + budget_ns;
    unsigned version = ws->why.version, moves = ws->why.moves;
    if (!ws->why.open) {
        return true;
    }
    bool done = tt_why_work(ws, deadline) && version == ws->why.version && moves == ws->why.moves;
    return done &&
           (pane->why || (fill_lanes(ws, pane, deadline) && tt_lanes_work(&pane->lanes, deadline) &&
                          (pane->filled || budget_ns > 0)));
}

static bool why_settled(const struct tt_workspace *ws, const void *state)
{
    (void)state;
    return tt_why_settled(&ws->why);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static struct tt_why_scene scene_of(const struct tt_workspace *ws)
{
    return (struct tt_why_scene){.capture = ws->opened.capture,
                                 .timelines = tt_trace_timelines(ws->opened.trace),
                                 .first_ticks = ws->index.progress.first_ticks,
                                 .events = ws->opened.events};
}

/* Returns the columns of the pieces for a screen. */
static struct tt_why_shape why_shape_of(const struct tt_workspace *ws, int width)
{
    return (struct tt_why_shape){.width = width > 21 ? (unsigned)width - 1 : 20,
                                 .name = width < 60    ? 11
                                         : width < 110 ? 18
                                                       : 28,
                                 .state = width < 60    ? 6
                                          : width < 110 ? 9
                                                        : 12,
                                 .micro = tt_pane_micro(ws)};
}

/* Draws the subject on the left of its line, and its time on the right if there is room. */
static void draw_why_title(const struct tt_workspace *ws, const struct why_pane *pane,
                           struct tt_area area)
{
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    char buffer[TT_WHY_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_pane_rule(ws, area, pane->title, "");
    tt_text_str(&text, " why: ");
    tt_why_put_subject(ws, tt_pane_micro(ws), &text);
    if (!tt_why_settled(&ws->why)) {
        tt_text_str(&text, ws->why.search.active ? ", searching" : ", more follows");
    }
    tt_text_char(&text, ' ');
    int used = tt_draw_text(area, 1, pane->title, area.width - 2, TT_ROLE_TITLE, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&text, " %s .. %s ", tt_words_moment(ws, subject->from).s,
                tt_words_moment(ws, subject->to).s);
    int width = tt_grid_columns(area.grid, buffer, text.used);
    if (used + width + 4 <= area.width) {
        tt_draw_text(area, area.width - width - 1, pane->title, width, TT_ROLE_TIME, buffer,
                     text.used);
    }
}

/* Draws a piece's line, each part in its colour. */
static void draw_parts(struct tt_area area, int y, const char *line, size_t length,
                       const struct tt_why_places *places, const struct tt_piece *piece)
{
    bool is_unknown = piece->cause == TT_CAUSE_UNKNOWN && !(piece->flags & TT_PIECE_WAIT);
    unsigned cause = piece->flags & TT_PIECE_INVERSION ? TT_ROLE_WARNING
                     : piece->cause == TT_CAUSE_CYCLE  ? TT_ROLE_ERROR
                     : is_unknown                      ? TT_ROLE_DIM
                                                       : TT_ROLE_TEXT;
    const int ends[] = {(int)places->name, (int)places->state, (int)places->cause, area.width};
    const unsigned roles[] = {TT_ROLE_DELTA, TT_ROLE_THREAD, TT_ROLE_EVENT_STATE, cause};
    size_t at = 0;
    for (int i = 0, x = 0; i < 4 && at < length; x = ends[i], i++) {
        size_t part = tt_grid_fitting(area.grid, line + at, length - at, ends[i] - x);
        tt_draw_text(area, 1 + x, y, area.width - 1 - x, roles[i], line + at, part);
        at += part;
    }
}

static void draw_pieces(const struct tt_workspace *ws, const struct why_pane *pane,
                        struct tt_area area)
{
    const struct tt_why *why = &ws->why;
    struct tt_why_scene scene = scene_of(ws);
    struct tt_why_shape shape = why_shape_of(ws, area.width);
    for (int i = 0; tt_list_row(&pane->pieces, i) < why->shown.count; i++) {
        const struct tt_piece *piece = &why->shown.pieces[tt_list_row(&pane->pieces, i)];
        char buffer[TT_WHY_LINE];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        struct tt_why_places places;
        tt_why_piece(&text, &scene, &shape, &why->shown, piece, &places);
        draw_parts(area, pane->list + i, buffer, text.used, &places, piece);
    }
    tt_list_draw_cursor(&pane->pieces, &ws->term, area);
}

/*
 * Appends item `i` of the lines below, and returns its role: the sums, then the other CPUs. If the thread was ready for
 * half of the time, the CPU that was most free for it is second.
 */
static enum tt_role put_item(const struct tt_workspace *ws, size_t i, unsigned cpus,
                             struct tt_text *text)
{
    const struct tt_explanation *explanation = &ws->why.shown;
    struct tt_why_scene scene = scene_of(ws);
    const bool second = cpus > 0 && explanation->late_count > 0 &&
                        ws->why.elsewhere.ready >= (explanation->to - explanation->from) / 2;
    size_t cpu = second && i == 1 ? 0 : i - explanation->late_count;
    if ((second && i == 1) || i >= explanation->late_count + second) {
        tt_why_elsewhere_short(text, &ws->why.elsewhere, &ws->why.elsewhere.cpus[cpu]);
        return TT_ROLE_DIM;
    }
    const struct tt_late_by *late = &explanation->late[i - (second && i > 1)];
    tt_why_late_short(text, &scene, tt_pane_micro(ws), explanation, late);
    return late->charge.inversion ? TT_ROLE_WARNING : TT_ROLE_TEXT;
}

/* Draws the sums and the other CPUs one after the other, as many as there is room for. */
static void draw_late(const struct tt_workspace *ws, const struct why_pane *pane,
                      struct tt_area area)
{
    const struct tt_explanation *explanation = &ws->why.shown;
    const struct tt_elsewheres *others = &ws->why.elsewhere;
    const unsigned cpus =
        ws->why.complete && tt_elsewheres_matter(others, explanation) ? others->count : 0;
    bool small = pane->late_lines < 2;
    int y = pane->late + !small, x = 1;
    if (!small) {
        tt_pane_rule(ws, area, pane->late, " late by ");
    }
    for (size_t i = 0; i < explanation->late_count + cpus && y < pane->late + pane->late_lines;
         i++) {
        char buffer[TT_WHY_LINE];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const enum tt_role role = put_item(ws, i, cpus, &text);
        int width = tt_grid_columns(area.grid, buffer, text.used);
        if (x > 1 && x + width > area.width - 1) {
            x = 1;
            y++;
        }
        if (y < pane->late + pane->late_lines) {
            x += 2 + tt_draw_text(area, x, y, area.width - 1 - x, role, buffer, text.used);
        }
    }
}

static void why_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct why_pane *pane = state;
    if (pane->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, pane->why);
        return;
    }
    if (pane->lanes.layout.axis != pane->lanes.layout.labels) {
        tt_lanes_gutter_heads(area, &pane->gutter, pane->lanes.layout.axis);
    }
    tt_lanes_draw_top(ws, &pane->lanes, area);
    for (unsigned lane = 0; lane < pane->lane_count; lane++) {
        const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
        int y = pane->lanes.layout.lanes + (int)lane, columns = pane->lanes.layout.columns;
        uint32_t thread = pane->threads[lane];
        const struct tt_lane_cell *cells = tt_lane_cache_find(&pane->cache, thread);
        const uint8_t *path = pane->path + (size_t)lane * (size_t)columns;
        char buffer[TT_WHY_LINE];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_line_thread(&text, ws->opened.capture, thread);
        tt_draw_text(area, pane->gutter.name, y, pane->gutter.name_width - 1, TT_ROLE_THREAD,
                     buffer, text.used);
        tt_lanes_gutter_thread(ws, timelines, area, &pane->gutter, y, thread,
                               tt_lane_cache_sums(&pane->cache, thread));
        for (int i = 0; cells && i < columns; i++) {
            int x = pane->lanes.layout.gutter + i;
            tt_lanes_draw_cell(ws, area, x, y, cells[i]);
            if (cells[i].class_ < TT_CLASS_COUNT) {
                tt_draw_over(area, x, y, 1, path[i] ? TT_ROLE_ON_PATH : TT_ROLE_OFF_PATH);
            }
        }
        if (thread == ws->nav.lane.thread) {
            tt_draw_over(area, 1, y, pane->gutter.width - 1, TT_ROLE_CURSOR);
            tt_draw_fill(area, 0, y, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
        }
        tt_lanes_draw_over(ws, &pane->lanes, area, y);
    }
    draw_why_title(ws, pane, area);
    draw_pieces(ws, pane, area);
    draw_late(ws, pane, area);
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool why_put_line(FILE *file, struct tt_text *text)
{
    tt_text_char(text, '\n');
    return fwrite(text->buffer, 1, text->used, file) == text->used;
}

static bool write_text(const struct tt_workspace *ws, FILE *file)
{
    const struct tt_explanation *explanation = &ws->why.shown;
    const struct tt_why_shape *shape = &tt_why_shape_text;
    struct tt_why_scene scene = scene_of(ws);
    struct tt_why_places places;
    char buffer[TT_WHY_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_why_head(&text, &scene, shape, explanation, tt_why_subject(&ws->why)->what);
    bool ok = why_put_line(file, &text);
    for (size_t i = 0; i < explanation->count && ok; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_why_piece(&text, &scene, shape, explanation, &explanation->pieces[i], &places);
        ok = why_put_line(file, &text);
    }
    ok = ok && fputs("late by\n", file) >= 0;
    for (size_t i = 0; i < explanation->late_count && ok; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_why_late(&text, &scene, shape, explanation, &explanation->late[i]);
        ok = why_put_line(file, &text);
    }
    const struct tt_elsewheres *others = &ws->why.elsewhere;
    const unsigned count = tt_elsewheres_matter(others, explanation) ? others->count : 0;
    for (unsigned i = 0; i < count && ok; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        if (i == 0) {
            tt_why_elsewhere_head(&text, others);
            tt_text_char(&text, '\n');
        }
        tt_why_elsewhere(&text, &scene, shape, others, &others->cpus[i]);
        ok = why_put_line(file, &text);
    }
    return ok;
}

static struct tt_status why_write(struct tt_workspace *ws, void *state, FILE *file,
                                  const char *path, struct tt_text *what)
{
    (void)state;
    if (!tt_why_settled(&ws->why) || ws->why.failed) {
        return tt_error(TT_ERR_USAGE, "not written: the explanation is not complete");
    }
    tt_text_put(what, "%'ju%s", ws->why.shown.count,
                ws->why.shown.count == 1 ? " piece" : " pieces");
    if (tt_pane_has_end(path, ".jsonl")) {
        /* Writes the line of JSON, in a buffer that is enlarged until it fits. */
        const struct tt_explanation *explanation = &ws->why.shown;
        struct tt_why_scene scene = scene_of(ws);
        char *buffer = NULL;
        for (size_t size = 1u << 16;; size *= 2) {
            char *room = realloc(buffer, size);
            if (!room) {
                free(buffer);
                return tt_error_memory();
            }
            buffer = room;
            struct tt_text text = tt_text_of(buffer, size);
            tt_why_json(&text, &scene, explanation, tt_why_subject(&ws->why)->what);
            if (!text.truncated) {
                bool ok = fwrite(buffer, 1, text.used, file) == text.used;
                free(buffer);
                return ok ? tt_ok() : tt_error_errno(errno, "write");
            }
        }
    }
    return write_text(ws, file) ? tt_ok() : tt_error_errno(errno, "write");
}

/* Copies the chosen line; `all`: where it is from, and the whole explanation, as many lines as fit. */
static void why_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_explanation *explanation = &ws->why.shown;
    struct tt_why_scene scene = scene_of(ws);
    struct tt_why_places places;
    char buffer[TT_WHY_LINE];
    (void)state;
    if (explanation->count == 0) {
        return;
    }
    if (!all) {
        tt_why_piece(text, &scene, &tt_why_shape_text, explanation,
                     &explanation->pieces[ws->why.at], &places);
        return;
    }
    tt_why_put_origin(ws, tt_pane_micro(ws), text);
    tt_why_head(text, &scene, &tt_why_shape_text, explanation, tt_why_subject(&ws->why)->what);
    for (size_t i = 0; i < explanation->count; i++) {
        struct tt_text line = tt_text_of(buffer, sizeof buffer);
        tt_why_piece(&line, &scene, &tt_why_shape_text, explanation, &explanation->pieces[i],
                     &places);
        if (text->used + line.used + 2 > text->capacity) {
            return;
        }
        tt_text_char(text, '\n');
        tt_text_bytes(text, buffer, line.used);
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Stops a search, or else closes the pane. */
static bool why_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    if (!ws->why.search.active || ws->why.count == 0) {
        return tt_why_close(ws);
    }
    ws->why.search.active = false;
    tt_message_set(&ws->message, TT_ROLE_STATUS, "search stopped");
    return true;
}

static bool why_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct why_pane *pane = state;
    struct tt_move by = tt_list_motion_of(action, pane->list_lines);
    if (by.kind != TT_MOVE_NONE) {
        int64_t to = by.kind == TT_MOVE_END ? (by.by > 0 ? (int64_t)ws->why.shown.count - 1 : 0)
                                            : (int64_t)ws->why.at + by.by;
        tt_why_choose(ws, to > 0 ? (size_t)to : 0);
        return true;
    }
    switch (action) {
    case TT_DO_GO:
        tt_why_go(ws);
        return true;
    case TT_DO_WHY_FOLLOW:
        tt_why_follow(ws);
        return true;
    case TT_DO_WHY_BACK:
        tt_why_back(ws);
        return true;
    case TT_DO_WHY_NEXT:
    case TT_DO_WHY_NEXT_ALL:
        tt_why_next_worst(ws, action == TT_DO_WHY_NEXT_ALL);
        return true;
    case TT_DO_WHY:
        why_dismiss(ws, pane);
        return true;
    default: { /* moves the cursor in time; the piece at that time becomes the chosen one */
        bool moves = action == TT_DO_LANE_LEFT || action == TT_DO_LANE_RIGHT;
        bool zooms =
            action >= TT_DO_ZOOM_IN && action <= TT_DO_ZOOM_SELECTION && action != TT_DO_SELECT;
        if (pane->why || !(moves || zooms) || !tt_lanes_act(ws, &pane->lanes, action)) {
            return false;
        }
        if (moves) {
            tt_why_choose_at(ws, ws->nav.viewport.at);
            const struct tt_piece *piece =
                ws->why.at < ws->why.shown.count ? &ws->why.shown.pieces[ws->why.at] : NULL;
            if (piece && piece->from <= ws->nav.viewport.at && ws->nav.viewport.at < piece->to) {
                ws->nav.viewport.anchor = piece->from;
                ws->nav.viewport.other = piece->to;
                ws->nav.lane.thread = piece->thread;
            }
        }
        return true;
    }
    }
}

/* After a click; motion also chooses pieces that are not known yet. */
static void why_moved(struct tt_workspace *ws, void *state)
{
    tt_why_choose(ws, ((const struct why_pane *)state)->pieces.at);
}

/* The subjects are saved with the place, see app/places.c. */
static void why_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct why_pane *pane = state;
    pane->version = ws->why.version; /* the window is the one of the place */
    tt_list_return(&pane->pieces, ws->why.wanted, spot->numbers[1]);
}

static struct tt_status why_rule(struct tt_workspace *ws, void *state, struct tt_text *text)
{
    (void)state;
    return tt_why_rule(ws, text);
}

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY_FOLLOW, TT_DO_WHY_BACK, TT_DO_WHY_NEXT, TT_DO_WHY_NEXT_ALL, TT_DO_WRITE,
    TT_DO_COPY, TT_DO_ZOOM_OUT,   TT_DO_HELP,     TT_DO_CANCEL,   TT_DO_NOTHING,
};

static const char *const about[] = {
    "Why a thread was late: the pieces of its time, and of the threads it waited for.",
    TT_LANE_LEGEND,
    "Indented: what the thread did that ended the wait above. The lanes are theirs.",
    "INVERSION: a less urgent thread had the CPU. late by: what the time is charged to.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "close the pane at this piece: its thread, its beginning"},
    {TT_DO_WHY, "", "close the pane; view, cursor, zoom and lanes are as before"},
    {TT_DO_WRITE, "write", "write all pieces to a file; FILE.jsonl as JSON"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_why = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct why_pane),
    .close = why_close,
    .list = tt_pane_list,
    .moved = why_moved,
    .layout = why_layout,
    .fill = why_fill,
    .work = why_work,
    .settled = why_settled,
    .draw = why_draw,
    .act = why_act,
    .dismiss = why_dismiss,
    .copy = why_copy,
    .file = "why.txt",
    .write = why_write,
    .rule = why_rule,
    .resume = why_resume,
};
