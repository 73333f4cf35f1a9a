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

static void align_close(void *state)
{
    struct tt_align_pane *pane = state;
    for (int side = 0; side < 2; side++) {
        free(pane->edges[side]);
        tt_lane_cache_free(&pane->caches[side]);
    }
    tt_align_sides_free(&pane->sides);
    free(pane->sums);
    free(pane->order);
}

static void align_drop(struct tt_workspace *ws, void *state)
{
    tt_align_sides_drop(&((struct tt_align_pane *)state)->sides, ws);
}

/* Begins :align [EVENT | PLACE [PLACE]]; without an argument it shows the sides again, if they are the same. */
static struct tt_status align_begin(struct tt_workspace *ws, void *state, const char *text,
                                    const char **result)
{
    struct tt_align_sides *sides = &((struct tt_align_pane *)state)->sides;
    const struct tt_comparing *comparing = ws->comparing;
    bool same = comparing && sides->paths[0][0] &&
                strcmp(sides->paths[0], comparing->path_a) == 0 &&
                strcmp(sides->paths[1], comparing->path_b) == 0 && !tt_failed(&sides->status);
    same &=
        !text[0] && !ws->trail.reopens; /* a result that is made again takes the place of another */
    *result = same ? NULL : text;
    return same ? tt_ok() : tt_align_sides_begin(sides, ws, text);
}

/* ---- order -------------------------------------------------------------------------------- */

/* Returns whether the Diff pane has verdicts on the threads of these sides. */
static bool has_verdicts(const struct tt_workspace *ws, const struct tt_align_pane *pane)
{
    const struct tt_comparing *comparing = ws->comparing;
    return comparing->complete && comparing->table == &tt_table_threads &&
           strcmp(comparing->path_a, pane->sides.paths[0]) == 0 &&
           strcmp(comparing->path_b, pane->sides.paths[1]) == 0;
}

static uint32_t align_find_pair(const struct tt_thread_pairs *pairs, uint32_t a, uint32_t b)
{
    uint32_t i = 0;
    while (i < pairs->count &&
           (pairs->pairs[i].threads[0] != a || pairs->pairs[i].threads[1] != b)) {
        i++;
    }
    return i;
}

/* Sorts the pairs. False if out of memory. */
static bool order_pairs(const struct tt_workspace *ws, struct tt_align_pane *pane)
{
    const struct tt_thread_pairs *pairs = &pane->sides.pairs;
    const struct tt_comparison *judged = has_verdicts(ws, pane) ? ws->comparing->comparison : NULL;
    if (pane->ordered == pairs->pairs && pane->judged == judged &&
        pane->version == ws->comparing->version && pane->order) {
        return true;
    }
    uint32_t *order = realloc(pane->order, ((size_t)pairs->count + 1) * sizeof *order);
    pane->order = order ? order : pane->order;
    uint8_t *placed = calloc((size_t)pairs->count + 1, 1);
    if (!order || !placed) {
        free(placed);
        return false;
    }
    pane->ordered = pairs->pairs;
    pane->judged = judged;
    pane->version = ws->comparing->version;
    pane->changed = 0;
    /* Puts the pairs that changed first, the largest change before the others, and marks them. */
    size_t count = 0;
    const struct tt_comparison_change *changes =
        pane->judged ? tt_comparison_changes(pane->judged, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (tt_comparison_is_change(changes[i].verdict)) {
            uint32_t pair =
                align_find_pair(pairs, changes[i].row_a->thread, changes[i].row_b->thread);
            if (pair < pairs->count && !placed[pair]) {
                placed[pair] = 1;
                pane->order[pane->changed++] = pair;
            }
        }
    }
    size_t next = pane->changed;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!placed[i]) {
            order[next++] = i;
        }
    }
    free(placed);
    return true;
}

const struct tt_thread_pair *tt_align_pair_at(const struct tt_align_pane *pane, size_t index)
{
    return index < pane->sides.pairs.count ? &pane->sides.pairs.pairs[pane->order[index]] : NULL;
}

/* ---- layout ------------------------------------------------------------------------------- */

static bool align_reserve(struct tt_align_pane *pane)
{
    unsigned columns = (unsigned)pane->columns;
    if (columns <= pane->room) {
        return true;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t *edges = realloc(pane->edges[side], ((size_t)columns + 1) * sizeof *edges);
        if (!edges) {
            return false;
        }
        pane->edges[side] = edges;
    }
    struct tt_thread_cell *sums = realloc(pane->sums, columns * sizeof *sums);
    if (sums) {
        pane->sums = sums;
        pane->room = columns;
    }
    return sums != NULL;
}

/* Returns the number of pairs on the screen. */
size_t tt_align_pairs_shown(const struct tt_align_pane *pane)
{
    int lines = pane->by_capture ? (pane->row_lines - 1) / 2 : pane->row_lines / 2;
    return lines > 0 ? (size_t)lines : 1;
}

/* Returns the pair on a line, and its side; SIZE_MAX: none. */
size_t tt_align_pair_on_line(const struct tt_align_pane *pane, int line, int *side)
{
    size_t shown = tt_align_pairs_shown(pane), n = (size_t)line;
    size_t index = pane->by_capture ? n % (shown + 1) : n / 2;
    *side = pane->by_capture ? n > shown : (int)(n % 2);
    if (index >= shown || (pane->by_capture && n >= 2 * shown + 1)) {
        return SIZE_MAX;
    }
    return pane->list.top + index < pane->sides.pairs.count ? pane->list.top + index : SIZE_MAX;
}

/* Shows the ranges that are compared, or as much as the view showed, around the moment. */
static void place_window(const struct tt_workspace *ws, struct tt_align_pane *pane)
{
    struct tt_align_sides *sides = &pane->sides;
    struct tt_bounds bounds = tt_align_bounds(&pane->sides);
    const struct tt_viewport *view = &ws->nav.viewport;
    unsigned columns = (unsigned)pane->columns;
    sides->viewport = (struct tt_viewport){.at = TT_ALIGNED_ZERO, .chosen = true};
    tt_viewport_all(&sides->viewport, bounds, columns);
    if (sides->keys[0].to_ticks != UINT64_MAX || sides->keys[1].to_ticks != UINT64_MAX) {
        uint64_t from = UINT64_MAX, to = 0;
        for (int side = 0; side < 2; side++) {
            uint64_t begin = tt_align_time(&pane->sides, side, sides->keys[side].from_ticks);
            uint64_t end = tt_align_time(&pane->sides, side, sides->keys[side].to_ticks);
            from = begin < from ? begin : from;
            to = end > to ? end : to;
        }
        from = from > bounds.begin ? from : bounds.begin;
        to = to < bounds.end ? to : bounds.end;
        tt_viewport_show(&sides->viewport, bounds, columns, from, to);
    } else if (!view->all && view->to > view->from) {
        uint64_t width = view->to - view->from, before = width / 4;
        uint64_t from = TT_ALIGNED_ZERO - before;
        tt_viewport_show(&sides->viewport, bounds, columns,
                         from > bounds.begin ? from : bounds.begin,
                         from + width < bounds.end ? from + width : bounds.end);
    }
    tt_viewport_go(&sides->viewport, bounds, columns, TT_ALIGNED_ZERO);
    sides->placed = true;
}

/* Continues until a time; returns whether nothing is left to do. */
static bool align_step(struct tt_workspace *ws, struct tt_align_pane *pane, uint64_t until)
{
    /* The verdicts of the comparison are the order of the threads. */
    return tt_align_sides_work(&pane->sides, until) &&
           (!ws->comparing || tt_compare_work(ws, ws->comparing, until));
}

static void align_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_align_pane *pane = state;
    struct tt_align_sides *sides = &pane->sides;
    bool small = area.height < SMALL_HEIGHT;
    pane->name_width = area.width < 60 ? 11 : area.width < 110 ? 17 : area.width < 160 ? 26 : 36;
    pane->gutter = 1 + pane->name_width + 3 + TT_ALIGN_PERCENT_WIDTH + 1;
    pane->columns = area.width - pane->gutter > 1 ? area.width - pane->gutter : 1;
    pane->labels = small ? 1 : TITLE_LINES;
    pane->axis = pane->labels + 1;
    pane->rows = pane->axis + 1;
    pane->status = area.height - STATUS_LINES;
    pane->row_lines = pane->status - pane->rows > 2 ? pane->status - pane->rows : 2;
    pane->laid_out =
        align_step(ws, pane, tt_now_ns()); /* so that small captures need no second frame */
    pane->why = !sides->paths[0][0]         ? "nothing is aligned: :diff FILE, then :align"
                : tt_failed(&sides->status) ? sides->status.text
                : pane->awaited             ? "waits for the index"
                : sides->search             ? "searching for the event"
                : !sides->ready             ? "waits for the index"
                                            : NULL;
    if (!sides->ready || tt_failed(&sides->status) || pane->awaited) {
        return;
    }
    if (!align_reserve(pane) || !order_pairs(ws, pane)) {
        pane->why = "out of memory";
        return;
    }
    pane->why = NULL; /* a search for the next event leaves the lanes where they are */
    if (!sides->placed) {
        place_window(ws, pane);
    }
    tt_viewport_fit(&sides->viewport, tt_align_bounds(&pane->sides), (unsigned)pane->columns);
    unsigned columns = (unsigned)pane->columns;
    for (unsigned i = 0; i <= columns; i++) {
        uint64_t edge = tt_viewport_edge(&pane->sides.viewport, columns, i);
        pane->edges[0][i] = tt_align_ticks(&pane->sides, 0, edge);
        pane->edges[1][i] = tt_align_ticks(&pane->sides, 1, edge);
    }
    tt_list_layout(&pane->list, pane->sides.pairs.count, area.height,
                   (int)tt_align_pairs_shown(pane));
}

static bool align_fill(struct tt_workspace *ws, void *state)
{
    struct tt_align_pane *pane = state;
    (void)ws;
    for (int side = 0; side < 2 && !pane->why; side++) {
        const struct tt_timelines *timelines =
            tt_trace_timelines(tt_align_trace(&pane->sides, side));
        struct tt_lane_cache_key key = {.from = pane->edges[side][0],
                                        .to = pane->edges[side][pane->columns],
                                        .end = tt_timelines_end(timelines),
                                        .number = tt_timelines_number(timelines),
                                        .columns = (unsigned)pane->columns};
        if (!tt_lane_cache_begin(&pane->caches[side], &key)) {
            pane->why = "out of memory";
        }
    }
    for (int line = 0; line < pane->row_lines && !pane->why; line++) {
        int side;
        size_t index = tt_align_pair_on_line(pane, line, &side);
        const struct tt_thread_pair *pair = tt_align_pair_at(pane, index);
        if (pair && pair->threads[side] != TT_NO_THREAD) {
            /*
             * ---- contents
             * -----------------------------------------------------------------------------
             */
            const struct tt_timelines *timelines =
                tt_trace_timelines(tt_align_trace(&pane->sides, side));
            uint32_t thread = pair->threads[side];
            unsigned columns = (unsigned)pane->columns;
            if (tt_lane_cache_find(&pane->caches[side], thread)) {
                continue;
            }
            struct tt_lane_cell *cells = tt_lane_cache_add(&pane->caches[side], thread);
            if (cells) {
                tt_lane_cells_of(cells, timelines,
                                 tt_trace_capture(tt_align_trace(&pane->sides, side)), thread,
                                 pane->edges[side], columns, pane->sums);
            }
        }
    }
    return false;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Goes to the thread at the cursor's time on a side, the capture of which is open and indexed. */
static void align_go(struct tt_workspace *ws, struct tt_align_pane *pane)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(pane, pane->list.at);
    uint32_t thread = pair ? pair->threads[pane->to_b] : TT_NO_THREAD;
    pane->awaited = false;
    pane->of_b = !pane->to_b;
    if (thread >= tt_thread_count(ws->opened.capture)) {
        return;
    }
    uint64_t at = tt_align_ticks(&pane->sides, pane->to_b, pane->sides.viewport.at);
    tt_nav_show(&ws->nav, TT_VIEW_THREADS);
    tt_nav_go_thread(ws, thread, at);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "in %s; :align returns%s", pane->to_b ? "B" : "A",
                   pair->threads[!pane->to_b] != TT_NO_THREAD ? ", Enter goes to the other side"
                                                              : "");
}

/* Opens the capture of the next side that has the thread, A first, and goes to it. */
static void align_open_side(struct tt_workspace *ws, struct tt_align_pane *pane)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(pane, pane->list.at);
    if (!pair) {
        return;
    }
    pane->to_b =
        pair->threads[1] != TT_NO_THREAD && (pane->of_b || pair->threads[0] == TT_NO_THREAD);
    if (tt_align_is_open(&pane->sides, pane->to_b)) {
        align_go(ws, pane);
        return;
    }
    if (ws->host.show_file(ws->host.app, pane->sides.paths[pane->to_b])) {
        pane->awaited = true;
        ws->nav.overlay = TT_OVERLAY_ALIGN; /* the session of the capture has its own view */
    }
}

static bool align_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_align_pane *pane = state;
    bool done = align_step(ws, pane, tt_now_ns() + budget_ns) && (budget_ns > 0 || pane->laid_out);
    if (pane->awaited && pane->sides.ready) {
        if (order_pairs(ws, pane)) {
            align_go(ws, pane);
        }
        return false;
    }
    return done;
}

static bool align_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_align_pane *pane = state;
    const struct tt_align_sides *sides = &pane->sides;
    const struct tt_comparing *comparing = ws->comparing;
    bool compared =
        !comparing || !comparing->path_a[0] || comparing->complete || tt_failed(&comparing->status);
    return !sides->paths[0][0] || tt_failed(&sides->status) ||
           (sides->ready && !sides->search && !pane->awaited && compared);
}

/* Handles movements in time and zoom; false if `action` is none of them. */
static bool act_in_time(struct tt_align_pane *pane, enum tt_do action)
{
    struct tt_viewport *viewport = &pane->sides.viewport;
    struct tt_bounds bounds = tt_align_bounds(&pane->sides);
    unsigned columns = (unsigned)pane->columns;
    int half = pane->columns / 2 > 0 ? pane->columns / 2 : 1;
    switch (action) {
    case TT_DO_LANE_LEFT:
    case TT_DO_LANE_RIGHT:
        tt_viewport_step(viewport, bounds, columns, action == TT_DO_LANE_RIGHT ? 1 : -1);
        return true;
    case TT_DO_PAN_LEFT:
    case TT_DO_PAN_RIGHT:
        tt_viewport_pan(viewport, bounds, columns, action == TT_DO_PAN_RIGHT ? half : -half);
        return true;
    case TT_DO_TIME_FIRST:
    case TT_DO_TIME_LAST:
        tt_viewport_go(viewport, bounds, columns,
                       action == TT_DO_TIME_FIRST ? bounds.begin : bounds.end - 1);
        return true;
    case TT_DO_ZOOM_IN:
    case TT_DO_ZOOM_OUT:
        tt_viewport_zoom(viewport, bounds, columns, action == TT_DO_ZOOM_IN);
        return true;
    case TT_DO_ZOOM_ALL:
        tt_viewport_all(viewport, bounds, columns);
        return true;
    case TT_DO_ALIGN_ZERO:
        tt_viewport_go(viewport, bounds, columns, TT_ALIGNED_ZERO);
        return true;
    default:
        return false;
    }
}

/* Enter begins with A on another pair. */
static void align_moved(struct tt_workspace *ws, void *state)
{
    (void)ws;
    ((struct tt_align_pane *)state)->of_b = false;
}

static bool align_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_align_pane *pane = state;
    if (pane->why) {
        return false;
    }
    switch (action) {
    case TT_DO_GO:
        align_open_side(ws, pane);
        return true;
    case TT_DO_SORT:
        pane->by_capture = !pane->by_capture;
        return true;
    case TT_DO_ALIGN_NEXT:
    case TT_DO_ALIGN_PREVIOUS: {
        struct tt_status status = tt_align_sides_move(&pane->sides, action == TT_DO_ALIGN_NEXT);
        if (tt_failed(&status)) {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", status.text);
        }
        return true;
    }
    default:
        return act_in_time(pane, action);
    }
}

static void align_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_align_pane *pane = state;
    (void)ws;
    int side;
    size_t index = y >= pane->rows ? tt_align_pair_on_line(pane, y - pane->rows, &side) : SIZE_MAX;
    if (pane->why || y >= pane->status) {
        return;
    }
    if (index != SIZE_MAX) {
        pane->list.at = index;
        pane->of_b = false;
    }
    if (x >= pane->gutter) {
        struct tt_viewport *viewport = &pane->sides.viewport;
        viewport->at =
            tt_viewport_edge(viewport, (unsigned)pane->columns, (unsigned)(x - pane->gutter));
    }
}

static void align_zoom(struct tt_workspace *ws, void *state, int x, bool in)
{
    struct tt_align_pane *pane = state;
    (void)ws;
    if (!pane->why) {
        struct tt_viewport *viewport = &pane->sides.viewport;
        if (x >= pane->gutter) {
            viewport->at =
                tt_viewport_edge(viewport, (unsigned)pane->columns, (unsigned)(x - pane->gutter));
        }
        tt_viewport_zoom(viewport, tt_align_bounds(&pane->sides), (unsigned)pane->columns, in);
    }
}

static void align_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_align_pane *pane = state;
    (void)ws;
    (void)all;
    if (!pane->why) {
        tt_align_put_state(pane, 0, text);
        tt_text_str(text, "  ");
        tt_align_put_state(pane, 1, text);
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct tt_align_pane, by_capture),
    TT_MEMBER(struct tt_align_pane, sides.viewport.from),
    TT_MEMBER(struct tt_align_pane, sides.viewport.to),
    TT_MEMBER(struct tt_align_pane, sides.viewport.at),
    TT_MEMBER(struct tt_align_pane, sides.viewport.all),
    {0, 0},
};

static void align_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_align_pane *pane = state;
    struct tt_viewport *viewport = &pane->sides.viewport;
    (void)ws;
    (void)spot;
    pane->awaited = viewport->spans = viewport->growing = false;
    viewport->chosen = true;
    pane->sides.placed = viewport->to > viewport->from; /* also if the sides are aligned again */
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
    .close = align_close,
    .begin = align_begin,
    .drop = align_drop,
    .list = tt_pane_list,
    .moved = align_moved,
    .layout = align_layout,
    .fill = align_fill,
    .work = align_work,
    .settled = align_settled,
    .draw = tt_align_draw,
    .act = align_act,
    .click = align_click,
    .zoom = align_zoom,
    .dismiss = tt_pane_dismiss,
    .copy = align_copy,
    .saved = saved,
    .resume = align_resume,
};
