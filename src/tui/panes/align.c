/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align: the Align pane: the lanes of both sides of a comparison above each other, on one time line.
 *
 *       A: before.kev 0.012 345 678 s                            at FRAME_BEGIN
 *       B: after.kev 0.013 345 678 s                      offset B-A +1.000 ms
 *                      time s  -0.001       0.000       0.001
 *       thread              %  ─────┼───────────┼──▼────────┼─────
 *      ▌sensor/1 sample  A  2  ███───────────────────███──────────
 *      ▌                 B! 3  ████──────────────────████─────────
 *       +248.1 µs  A  0.012 593 778 s  sensor/1 sample  REPLY 2.104 ms
 *                  B  0.013 593 778 s  sensor/1 sample  RUNNING 12.30 µs
 *
 * Pairs of threads that changed come first, then those with most run time. Cursor, window and zoom are
 * those of both sides. It covers the view below it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "table/registry.h"
#include "tui/app/view.h"
#include "tui/lanes/cell.h"
#include "tui/panes/align.h"
#include "tui/panes/diff_compare.h"

#define TITLE_LINES  2
#define STATUS_LINES 2
#define SMALL_HEIGHT 12 /* below it the title has one line */

static void pane_close(void *state)
{
    struct tt_align_pane *p = state;
    for (int side = 0; side < 2; side++) {
        free(p->edges[side]);
        tt_lane_cache_free(&p->caches[side]);
    }
    tt_align_sides_free(&p->sides);
    free(p->sums);
    free(p->order);
}

static void pane_drop(struct tt_workspace *ws, void *state)
{
    tt_align_sides_drop(&((struct tt_align_pane *)state)->sides, ws);
}

/* Begins :align [EVENT | PLACE [PLACE]]; without an argument it shows the sides again, if they are the same. */
static struct tt_status pane_begin(struct tt_workspace *ws, void *state, const char *text,
                                   const char **result)
{
    struct tt_align_sides *a = &((struct tt_align_pane *)state)->sides;
    const struct tt_comparing *c = ws->comparing;
    bool same = c && a->paths[0][0] && strcmp(a->paths[0], c->path_a) == 0 &&
                strcmp(a->paths[1], c->path_b) == 0 && !tt_failed(&a->status);
    *result = text[0] ? text : same ? NULL : " ";
    return text[0] || !same ? tt_align_sides_begin(a, ws, text) : tt_ok();
}

/* ---- order -------------------------------------------------------------------------------- */

/* Returns whether the Diff pane has verdicts on the threads of these sides. */
static bool has_verdicts(const struct tt_workspace *ws, const struct tt_align_pane *p)
{
    const struct tt_comparing *c = ws->comparing;
    return c->complete && c->table == &tt_table_threads &&
           strcmp(c->path_a, p->sides.paths[0]) == 0 && strcmp(c->path_b, p->sides.paths[1]) == 0;
}

static uint32_t find_pair(const struct tt_thread_pairs *pairs, uint32_t a, uint32_t b)
{
    uint32_t i = 0;
    while (i < pairs->count &&
           (pairs->pairs[i].threads[0] != a || pairs->pairs[i].threads[1] != b)) {
        i++;
    }
    return i;
}

/* Sorts the pairs. False if out of memory. */
static bool order_pairs(const struct tt_workspace *ws, struct tt_align_pane *p)
{
    const struct tt_thread_pairs *pairs = &p->sides.pairs;
    const struct tt_comparison *judged = has_verdicts(ws, p) ? ws->comparing->comparison : NULL;
    if (p->ordered == pairs->pairs && p->judged == judged && p->version == ws->comparing->version &&
        p->order) {
        return true;
    }
    uint32_t *order = realloc(p->order, ((size_t)pairs->count + 1) * sizeof *order);
    p->order = order ? order : p->order;
    uint8_t *placed = calloc((size_t)pairs->count + 1, 1);
    if (!order || !placed) {
        free(placed);
        return false;
    }
    p->ordered = pairs->pairs;
    p->judged = judged;
    p->version = ws->comparing->version;
    p->changed = 0;
    /* Puts the pairs that changed first, the largest change before the others, and marks them. */
    size_t count = 0;
    const struct tt_comparison_change *changes =
        p->judged ? tt_comparison_changes(p->judged, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (tt_comparison_is_change(changes[i].verdict)) {
            uint32_t pair = find_pair(pairs, changes[i].row_a->thread, changes[i].row_b->thread);
            if (pair < pairs->count && !placed[pair]) {
                placed[pair] = 1;
                p->order[p->changed++] = pair;
            }
        }
    }
    size_t next = p->changed;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!placed[i]) {
            order[next++] = i;
        }
    }
    free(placed);
    return true;
}

const struct tt_thread_pair *tt_align_pair_at(const struct tt_align_pane *p, size_t index)
{
    return index < p->sides.pairs.count ? &p->sides.pairs.pairs[p->order[index]] : NULL;
}

/* ---- layout ------------------------------------------------------------------------------- */

static bool reserve(struct tt_align_pane *p)
{
    unsigned columns = (unsigned)p->columns;
    if (columns <= p->room) {
        return true;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t *edges = realloc(p->edges[side], ((size_t)columns + 1) * sizeof *edges);
        if (!edges) {
            return false;
        }
        p->edges[side] = edges;
    }
    struct tt_thread_cell *sums = realloc(p->sums, columns * sizeof *sums);
    if (sums) {
        p->sums = sums;
        p->room = columns;
    }
    return sums != NULL;
}

/* Returns the number of pairs on the screen. */
size_t tt_align_pairs_shown(const struct tt_align_pane *p)
{
    int lines = p->by_capture ? (p->row_lines - 1) / 2 : p->row_lines / 2;
    return lines > 0 ? (size_t)lines : 1;
}

/* Returns the pair on a line, and its side; SIZE_MAX: none. */
size_t tt_align_pair_on_line(const struct tt_align_pane *p, int line, int *side)
{
    size_t shown = tt_align_pairs_shown(p), n = (size_t)line;
    size_t index = p->by_capture ? n % (shown + 1) : n / 2;
    *side = p->by_capture ? n > shown : (int)(n % 2);
    if (index >= shown || (p->by_capture && n >= 2 * shown + 1)) {
        return SIZE_MAX;
    }
    return p->list.top + index < p->sides.pairs.count ? p->list.top + index : SIZE_MAX;
}

/* Shows the ranges that are compared, or as much as the view showed, around the moment. */
static void place_window(const struct tt_workspace *ws, struct tt_align_pane *p)
{
    struct tt_align_sides *a = &p->sides;
    struct tt_bounds bounds = tt_align_bounds(&p->sides);
    const struct tt_viewport *view = &ws->nav.viewport;
    unsigned columns = (unsigned)p->columns;
    a->viewport = (struct tt_viewport){.at = TT_ALIGNED_ZERO, .chosen = true};
    tt_viewport_all(&a->viewport, bounds, columns);
    if (a->keys[0].to_ticks != UINT64_MAX || a->keys[1].to_ticks != UINT64_MAX) {
        uint64_t from = UINT64_MAX, to = 0;
        for (int side = 0; side < 2; side++) {
            uint64_t begin = tt_align_time(&p->sides, side, a->keys[side].from_ticks);
            uint64_t end = tt_align_time(&p->sides, side, a->keys[side].to_ticks);
            from = begin < from ? begin : from;
            to = end > to ? end : to;
        }
        from = from > bounds.begin ? from : bounds.begin;
        to = to < bounds.end ? to : bounds.end;
        tt_viewport_show(&a->viewport, bounds, columns, from, to);
    } else if (!view->all && view->to > view->from) {
        uint64_t width = view->to - view->from, before = width / 4;
        uint64_t from = TT_ALIGNED_ZERO - before;
        tt_viewport_show(&a->viewport, bounds, columns, from > bounds.begin ? from : bounds.begin,
                         from + width < bounds.end ? from + width : bounds.end);
    }
    tt_viewport_go(&a->viewport, bounds, columns, TT_ALIGNED_ZERO);
    a->placed = true;
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_align_pane *p = state;
    struct tt_align_sides *a = &p->sides;
    bool small = area.height < SMALL_HEIGHT;
    p->name_width = area.width < 60 ? 11 : area.width < 110 ? 17 : area.width < 160 ? 26 : 36;
    p->gutter = 1 + p->name_width + 3 + TT_ALIGN_PERCENT_WIDTH + 1;
    p->columns = area.width - p->gutter > 1 ? area.width - p->gutter : 1;
    p->labels = small ? 1 : TITLE_LINES;
    p->axis = p->labels + 1;
    p->rows = p->axis + 1;
    p->status = area.height - STATUS_LINES;
    p->row_lines = p->status - p->rows > 2 ? p->status - p->rows : 2;
    tt_align_sides_work(&p->sides,
                        tt_now_ns()); /* a step, so that small captures need no second frame */
    p->why = !a->paths[0][0]         ? "nothing is aligned: :diff FILE, then :align"
             : tt_failed(&a->status) ? a->status.text
             : p->awaited            ? "waits for the index"
             : a->search             ? "searching for the event"
             : !a->ready             ? "waits for the index"
                                     : NULL;
    if (!a->ready || tt_failed(&a->status) || p->awaited) {
        return;
    }
    if (!reserve(p) || !order_pairs(ws, p)) {
        p->why = "out of memory";
        return;
    }
    p->why = NULL; /* a search for the next event leaves the lanes where they are */
    if (!a->placed) {
        place_window(ws, p);
    }
    tt_viewport_fit(&a->viewport, tt_align_bounds(&p->sides), (unsigned)p->columns);
    unsigned columns = (unsigned)p->columns;
    for (unsigned i = 0; i <= columns; i++) {
        uint64_t edge = tt_viewport_edge(&p->sides.viewport, columns, i);
        p->edges[0][i] = tt_align_ticks(&p->sides, 0, edge);
        p->edges[1][i] = tt_align_ticks(&p->sides, 1, edge);
    }
    tt_list_layout(&p->list, p->sides.pairs.count, area.height, (int)tt_align_pairs_shown(p));
}

/* ---- contents ----------------------------------------------------------------------------- */

static void fill_lane(struct tt_align_pane *p, const struct tt_timelines *t, int side,
                      uint32_t thread)
{
    unsigned columns = (unsigned)p->columns;
    if (tt_lane_cache_find(&p->caches[side], thread)) {
        return;
    }
    struct tt_lane_cell *cells = tt_lane_cache_add(&p->caches[side], thread);
    tt_thread_cells(t, thread, p->edges[side], columns, p->sums);
    for (unsigned i = 0; cells && i < columns; i++) {
        cells[i] = tt_lane_cell_of(&p->sums[i]);
    }
}

static bool pane_fill(struct tt_workspace *ws, void *state)
{
    struct tt_align_pane *p = state;
    (void)ws;
    for (int side = 0; side < 2 && !p->why; side++) {
        const struct tt_timelines *t = tt_trace_timelines(tt_align_trace(&p->sides, side));
        struct tt_lane_cache_key key = {.from = p->edges[side][0],
                                        .to = p->edges[side][p->columns],
                                        .end = tt_timelines_end(t),
                                        .number = tt_timelines_number(t),
                                        .columns = (unsigned)p->columns};
        if (!tt_lane_cache_begin(&p->caches[side], &key)) {
            p->why = "out of memory";
        }
    }
    for (int line = 0; line < p->row_lines && !p->why; line++) {
        int side;
        size_t index = tt_align_pair_on_line(p, line, &side);
        const struct tt_thread_pair *pair = tt_align_pair_at(p, index);
        if (pair && pair->threads[side] != TT_NO_THREAD) {
            fill_lane(p, tt_trace_timelines(tt_align_trace(&p->sides, side)), side,
                      pair->threads[side]);
        }
    }
    return false;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Goes to the thread at the cursor's time on a side, the capture of which is open and indexed. */
static void go(struct tt_workspace *ws, struct tt_align_pane *p)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(p, p->list.at);
    uint32_t thread = pair ? pair->threads[p->to_b] : TT_NO_THREAD;
    p->awaited = false;
    p->of_b = !p->to_b;
    if (thread >= tt_thread_count(ws->opened.capture)) {
        return;
    }
    uint64_t at = tt_align_ticks(&p->sides, p->to_b, p->sides.viewport.at);
    tt_nav_show(&ws->nav, TT_VIEW_THREADS);
    tt_nav_go_thread(ws, thread, at);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "in %s; :align returns%s", p->to_b ? "B" : "A",
                   pair->threads[!p->to_b] != TT_NO_THREAD ? ", Enter goes to the other side" : "");
}

/* Opens the capture of the next side that has the thread, A first, and goes to it. */
static void open_side(struct tt_workspace *ws, struct tt_align_pane *p)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(p, p->list.at);
    if (!pair) {
        return;
    }
    p->to_b = pair->threads[1] != TT_NO_THREAD && (p->of_b || pair->threads[0] == TT_NO_THREAD);
    if (tt_align_is_open(&p->sides, p->to_b)) {
        go(ws, p);
        return;
    }
    if (ws->host.show_file(ws->host.app, p->sides.paths[p->to_b])) {
        p->awaited = true;
        ws->nav.overlay = TT_OVERLAY_ALIGN; /* the session of the capture has its own view */
    }
}

static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_align_pane *p = state;
    const uint64_t until = tt_now_ns() + budget_ns;
    bool done = tt_align_sides_work(&p->sides, until);
    if (done && ws->comparing) { /* its verdicts are the order of the threads */
        done = tt_compare_work(ws, ws->comparing, until);
    }
    if (p->awaited && p->sides.ready) {
        if (order_pairs(ws, p)) {
            go(ws, p);
        }
        return false;
    }
    return done;
}

static bool pane_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_align_pane *p = state;
    const struct tt_align_sides *a = &p->sides;
    const struct tt_comparing *c = ws->comparing;
    bool compared = !c || !c->path_a[0] || c->complete || tt_failed(&c->status);
    return !a->paths[0][0] || tt_failed(&a->status) ||
           (a->ready && !a->search && !p->awaited && compared);
}

/* Handles movements in time and zoom; false if `action` is none of them. */
static bool act_in_time(struct tt_align_pane *p, enum tt_do action)
{
    struct tt_viewport *w = &p->sides.viewport;
    struct tt_bounds bounds = tt_align_bounds(&p->sides);
    unsigned columns = (unsigned)p->columns;
    int half = p->columns / 2 > 0 ? p->columns / 2 : 1;
    switch (action) {
    case TT_DO_LANE_LEFT:
    case TT_DO_LANE_RIGHT:
        tt_viewport_step(w, bounds, columns, action == TT_DO_LANE_RIGHT ? 1 : -1);
        return true;
    case TT_DO_PAN_LEFT:
    case TT_DO_PAN_RIGHT:
        tt_viewport_pan(w, bounds, columns, action == TT_DO_PAN_RIGHT ? half : -half);
        return true;
    case TT_DO_TIME_FIRST:
    case TT_DO_TIME_LAST:
        tt_viewport_go(w, bounds, columns,
                       action == TT_DO_TIME_FIRST ? bounds.begin : bounds.end - 1);
        return true;
    case TT_DO_ZOOM_IN:
    case TT_DO_ZOOM_OUT:
        tt_viewport_zoom(w, bounds, columns, action == TT_DO_ZOOM_IN);
        return true;
    case TT_DO_ZOOM_ALL:
        tt_viewport_all(w, bounds, columns);
        return true;
    case TT_DO_ALIGN_ZERO:
        tt_viewport_go(w, bounds, columns, TT_ALIGNED_ZERO);
        return true;
    default:
        return false;
    }
}

/* Enter begins with A on another pair. */
static void pane_moved(struct tt_workspace *ws, void *state)
{
    (void)ws;
    ((struct tt_align_pane *)state)->of_b = false;
}

static bool pane_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_align_pane *p = state;
    if (p->why) {
        return false;
    }
    switch (action) {
    case TT_DO_GO:
        open_side(ws, p);
        return true;
    case TT_DO_SORT:
        p->by_capture = !p->by_capture;
        return true;
    case TT_DO_ALIGN_NEXT:
    case TT_DO_ALIGN_PREVIOUS: {
        struct tt_status status = tt_align_sides_move(&p->sides, action == TT_DO_ALIGN_NEXT);
        if (tt_failed(&status)) {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", status.text);
        }
        return true;
    }
    default:
        return act_in_time(p, action);
    }
}

static void pane_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_align_pane *p = state;
    (void)ws;
    int side;
    size_t index = y >= p->rows ? tt_align_pair_on_line(p, y - p->rows, &side) : SIZE_MAX;
    if (p->why || y >= p->status) {
        return;
    }
    if (index != SIZE_MAX) {
        p->list.at = index;
        p->of_b = false;
    }
    if (x >= p->gutter) {
        struct tt_viewport *w = &p->sides.viewport;
        w->at = tt_viewport_edge(w, (unsigned)p->columns, (unsigned)(x - p->gutter));
    }
}

static void pane_zoom(struct tt_workspace *ws, void *state, int x, bool in)
{
    struct tt_align_pane *p = state;
    (void)ws;
    if (!p->why) {
        struct tt_viewport *w = &p->sides.viewport;
        if (x >= p->gutter) {
            w->at = tt_viewport_edge(w, (unsigned)p->columns, (unsigned)(x - p->gutter));
        }
        tt_viewport_zoom(w, tt_align_bounds(&p->sides), (unsigned)p->columns, in);
    }
}

static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_align_pane *p = state;
    (void)ws;
    (void)all;
    if (!p->why) {
        tt_align_put_state(p, 0, text);
        tt_text_str(text, "  ");
        tt_align_put_state(p, 1, text);
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static void pane_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct tt_align_pane *p = state;
    (void)ws;
    const struct tt_viewport *w = &p->sides.viewport;
    spot->numbers[2] = p->by_capture;
    spot->numbers[3] = w->from;
    spot->numbers[4] = w->to;
    spot->numbers[5] = w->at;
    spot->numbers[6] = w->all;
}

static void pane_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_align_pane *p = state;
    (void)ws;
    struct tt_viewport *w = &p->sides.viewport;
    p->by_capture = spot->numbers[2] != 0;
    p->awaited = false;
    *w = (struct tt_viewport){.from = spot->numbers[3],
                              .to = spot->numbers[4],
                              .at = spot->numbers[5],
                              .all = spot->numbers[6] != 0,
                              .chosen = true};
    p->sides.placed = w->to > w->from; /* also if the sides are aligned again */
}

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_ZOOM_OUT, TT_DO_ALIGN_NEXT, TT_DO_SORT,
    TT_DO_COPY, TT_DO_HELP,     TT_DO_CANCEL,     TT_DO_NOTHING,
};

static const char *const about[] = {
    "The lanes of A and B on one time line: 0 is the moment at which they are aligned.",
    TT_LANE_LEGEND,
    "Threads that changed (!) come first, then those with most run time. See docs/diff.md.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to this thread at this time in A, then in B; :align returns"},
    {TT_DO_SORT, "order", "lanes by thread, or all of A above all of B"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_align = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct tt_align_pane),
    .close = pane_close,
    .begin = pane_begin,
    .drop = pane_drop,
    .list = tt_pane_list,
    .moved = pane_moved,
    .layout = pane_layout,
    .fill = pane_fill,
    .work = pane_work,
    .settled = pane_settled,
    .draw = tt_align_draw,
    .act = pane_act,
    .click = pane_click,
    .zoom = pane_zoom,
    .dismiss = tt_pane_dismiss,
    .copy = pane_copy,
    .leave = pane_leave,
    .resume = pane_resume,
};
