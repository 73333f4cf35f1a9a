/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls: the nested slices of threads as a flame graph in cells, with the callers above what they call:
 *
 *       calls: view 0..10.6 s                                       12 names, 1 thread
 *      ┌ all ───────────────────────────────────────────────────────────────────────┐
 *      [0x40472b                                                                    ]
 *      [0x4045c8                                                                 ][]
 *      [0x403760                                                             ][]
 *       0x403760: total 10.4 s (97.9 %), self 10.1 s, 616 calls, mean 16.9 ms, max 65.9 ms
 *
 * The width of a bar is its part of the time of the top one. It covers the view below it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "analysis/calls.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/sink.h"
#include "export/folded.h"
#include "filter/thread_word.h"
#include "trace/slice_name.h"
#include "tracetui/event_line.h"
#include "tracetui/timeline.h"
#include "tui/panes/pane.h"

#define WORK      4096u    /* slices between two looks at the clock */
#define FIRST_NS  8000000u /* calls that are read faster need no second frame */
#define TOP       1        /* first line of the bars */
#define BELOW     2        /* lines below the bars */
#define NAME_MOST 512u

enum calls_scope { SCOPE_SELECTION, SCOPE_VIEW, SCOPE_ALL, SCOPE_COUNT };

/* A bar of the last layout. */
struct calls_bar {
    uint32_t node; /* TT_NO_CALL: all */
    int line, x, width;
};

struct calls_pane {
    struct tt_calls tree, inverted;
    char *threads; /* the word that names them; NULL: those of the filter */
    enum calls_scope scope;
    uint64_t from, to;
    uint32_t generation; /* of the timelines */
    uint32_t thread;     /* the next one to read */
    uint32_t selected;   /* number of threads read */
    bool begun, complete, failed;
    bool is_inverted, of_run;
    uint32_t zoom, at; /* nodes; TT_NO_CALL: all */
    struct calls_bar *bars;
    size_t count, capacity;
    int top, lines; /* first line that is shown */
};

static const struct tt_calls *shown_calls(const struct calls_pane *pane)
{
    return pane->is_inverted ? &pane->inverted : &pane->tree;
}

static uint64_t bar_ticks(const struct calls_pane *pane, uint32_t node)
{
    const struct tt_calls *calls = shown_calls(pane);
    uint64_t ticks = 0;
    if (node != TT_NO_CALL) {
        const struct tt_call_sums *sums = &calls->calls[node].sums;
        return pane->is_inverted ? (pane->of_run ? sums->self_run : sums->self)
               : pane->of_run    ? sums->run
                                 : sums->total;
    }
    for (uint32_t at = calls->first; at != TT_NO_CALL; at = calls->calls[at].next) {
        ticks += bar_ticks(pane, at);
    }
    return ticks;
}

/* ---- reading ------------------------------------------------------------------------------ */

static void calls_drop(struct tt_workspace *ws, void *state)
{
    struct calls_pane *pane = state;
    (void)ws;
    tt_calls_free(&pane->tree);
    tt_calls_free(&pane->inverted);
    pane->begun = pane->complete = pane->failed = false;
    pane->zoom = pane->at = TT_NO_CALL;
    pane->count = 0;
}

static void calls_close(void *state)
{
    struct calls_pane *pane = state;
    calls_drop(NULL, pane);
    free(pane->threads);
    free(pane->bars);
}

/* Begins to read the range of the scope, or of the next one that there is. */
static void begin_range(const struct tt_workspace *ws, struct calls_pane *pane)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    calls_drop(NULL, pane);
    pane->from = 0;
    pane->to = timelines ? tt_timelines_limit(timelines) : 0;
    pane->generation = timelines ? tt_timelines_number(timelines) : 0;
    uint64_t from, to;
    if (pane->scope == SCOPE_SELECTION && tt_viewport_selection(viewport, &from, &to)) {
        pane->from = from;
        pane->to = to;
    } else if (pane->scope == SCOPE_SELECTION) {
        pane->scope = SCOPE_VIEW;
    }
    if (pane->scope == SCOPE_VIEW && !viewport->all && viewport->to > viewport->from) {
        pane->from = viewport->from;
        pane->to = viewport->to;
    }
    tt_calls_begin(&pane->tree, ws->opened.capture, pane->from, pane->to);
    tt_calls_begin(&pane->inverted, ws->opened.capture, pane->from, pane->to);
    pane->thread = pane->selected = 0;
    pane->begun = timelines && ws->index.progress.finished;
}

static struct tt_status calls_begin(struct tt_workspace *ws, void *state, const char *text,
                                    const char **result)
{
    struct calls_pane *pane = state;
    if (!ws->opened.trace) {
        return tt_error(TT_ERR_USAGE, "no capture is open");
    }
    free(pane->threads);
    pane->threads = text[0] ? strdup(text) : NULL;
    if (text[0] && !pane->threads) {
        return tt_error_memory();
    }
    pane->scope = SCOPE_SELECTION;
    pane->is_inverted = pane->of_run = false;
    begin_range(ws, pane);
    *result = text[0] ? text : "all";
    return tt_ok();
}

static bool is_selected(const struct tt_workspace *ws, const struct calls_pane *pane,
                        uint32_t thread)
{
    return pane->threads ? tt_word_names_thread(pane->threads, ws->opened.capture, thread)
                         : tt_visible_thread(&ws->filters, thread);
}

/* Reads calls until a time; returns whether all are read. */
static bool read_until(struct tt_workspace *ws, struct calls_pane *pane, uint64_t until_ns)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (!timelines || !ws->index.progress.finished || pane->complete || pane->failed) {
        return pane->complete || pane->failed;
    }
    if (!pane->begun || tt_timelines_number(timelines) != pane->generation) {
        begin_range(ws, pane);
    }
    const uint32_t threads = tt_thread_count(ws->opened.capture);
    while (pane->thread < threads && tt_now_ns() < until_ns) {
        uint64_t work = WORK;
        bool wanted = is_selected(ws, pane, pane->thread);
        enum tt_calls_walked walked =
            wanted ? tt_calls_add(&pane->tree, timelines, pane->thread, &work) : TT_CALLS_ALL;
        pane->failed = walked == TT_CALLS_NO_MEMORY;
        if (pane->failed) {
            return true;
        }
        pane->selected += wanted && walked == TT_CALLS_ALL;
        pane->thread += walked == TT_CALLS_ALL;
    }
    if (pane->thread < threads) {
        return false;
    }
    pane->failed = !tt_calls_invert(&pane->tree, &pane->inverted) || !tt_calls_sort(&pane->tree) ||
                   !tt_calls_sort(&pane->inverted);
    pane->complete = !pane->failed;
    return true;
}

static bool calls_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct calls_pane *pane = state;
    bool was_complete = pane->complete || pane->failed;
    return ws->opened.trace == NULL ||
           (read_until(ws, pane, tt_now_ns() + budget_ns) && (budget_ns > 0 || was_complete));
}

static bool calls_settled(const struct tt_workspace *ws, const void *state)
{
    const struct calls_pane *pane = state;
    return !ws->opened.trace || pane->complete || pane->failed;
}

/* ---- layout ------------------------------------------------------------------------------- */

struct placing {
    struct calls_pane *pane;
    uint64_t whole;
    int width;
};

static int column_of(const struct placing *placing, uint64_t ticks)
{
    return (int)((double)ticks * placing->width / (double)placing->whole);
}

static void add_bar(struct calls_pane *pane, uint32_t node, int line, int x, int width)
{
    struct calls_bar *bars = tt_array_grow(pane->bars, pane->count, &pane->capacity, sizeof *bars);
    if (bars) {
        pane->bars = bars;
        bars[pane->count++] = (struct calls_bar){node, line, x, width};
        pane->lines = line + 1 > pane->lines ? line + 1 : pane->lines;
    }
}

/* Places the bar of a node that begins at `before` ticks, and those below it; bars without a cell are left out. */
static void place_bar(const struct placing *placing, uint32_t node, uint64_t before, int line)
{
    const struct tt_calls *calls = shown_calls(placing->pane);
    const int x = column_of(placing, before);
    const int end = column_of(placing, before + bar_ticks(placing->pane, node));
    if (end <= x) {
        return;
    }
    add_bar(placing->pane, node, line, x, end - x);
    uint32_t child = node == TT_NO_CALL ? calls->first : calls->calls[node].child;
    for (; child != TT_NO_CALL; child = calls->calls[child].next) {
        place_bar(placing, child, before, line + 1);
        before += bar_ticks(placing->pane, child);
    }
}

/* Returns the number of the bar of the cursor; the bar of the zoom if it has none. */
static size_t bar_at(const struct calls_pane *pane)
{
    size_t zoomed = 0;
    for (size_t i = 0; i < pane->count; i++) {
        if (pane->bars[i].node == pane->at) {
            return i;
        }
        zoomed = pane->bars[i].node == pane->zoom ? i : zoomed;
    }
    return zoomed;
}

static void calls_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct calls_pane *pane = state;
    read_until(ws, pane, tt_now_ns() + FIRST_NS);
    const struct tt_calls *calls = shown_calls(pane);
    pane->count = 0;
    pane->lines = 0;
    if (!pane->complete || calls->call_count == 0) {
        return;
    }
    pane->zoom = pane->zoom < calls->call_count ? pane->zoom : TT_NO_CALL;
    int line = 0;
    for (uint32_t at = pane->zoom; at != TT_NO_CALL; at = calls->calls[at].parent) {
        line++;
    }
    uint32_t above = pane->zoom;
    for (int i = line - 1; i >= 0; i--) { /* what contains the zoomed bar is as wide */
        above = calls->calls[above].parent;
        add_bar(pane, above, i, 0, area.width);
    }
    struct placing placing = {pane, bar_ticks(pane, pane->zoom), area.width};
    if (placing.whole > 0) {
        place_bar(&placing, pane->zoom, 0, line);
    }
    if (pane->count == 0) {
        return;
    }
    const struct calls_bar *cursor = &pane->bars[bar_at(pane)];
    const int shown = area.height - TOP - BELOW;
    pane->at = cursor->node;
    pane->top = cursor->line < pane->top ? cursor->line : pane->top;
    pane->top = cursor->line >= pane->top + shown ? cursor->line - shown + 1 : pane->top;
    pane->top = pane->lines <= shown ? 0 : pane->top;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void put_node_name(const struct tt_workspace *ws, const struct calls_pane *pane,
                          uint32_t node, struct tt_text *text)
{
    const struct tt_calls *calls = shown_calls(pane);
    if (node == TT_NO_CALL) {
        tt_text_str(text, "all");
        return;
    }
    const struct tt_call_name *name = &calls->names[calls->calls[node].name];
    if (calls->calls[node].depth == 0 && name->process < tt_process_count(ws->opened.capture)) {
        size_t length;
        const char *process = tt_process_base_name(
            ws->opened.capture, tt_process_at(ws->opened.capture, name->process), &length);
        tt_text_escaped(text, process, length);
        tt_text_str(text, ": ");
    }
    tt_slice_name(ws->opened.trace, name->process, name->type, text);
}

static void draw_bar(const struct tt_workspace *ws, const struct calls_pane *pane,
                     struct tt_area area, const struct calls_bar *bar)
{
    const struct tt_calls *calls = shown_calls(pane);
    const int y = TOP + bar->line - pane->top;
    char buffer[NAME_MOST];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (bar->line < pane->top || y >= area.height - BELOW) {
        return;
    }
    bool odd = bar->node != TT_NO_CALL && (calls->calls[bar->node].name & 1);
    unsigned role = bar->node == TT_NO_CALL ? TT_ROLE_DIM
                    : odd                   ? TT_ROLE_SLICE_OTHER
                                            : TT_ROLE_SLICE;
    int x = bar->x, end = bar->x + bar->width;
    tt_draw_fill(area, x, y, bar->width, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE));
    if (bar->width > 1) {
        tt_draw_fill(area, x++, y, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE_BEGIN));
        tt_draw_fill(area, --end, y, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE_END));
    }
    if (end - x > 1) {
        put_node_name(ws, pane, bar->node, &text);
        tt_draw_text(area, x, y, end - x, role, buffer, text.used);
    }
    if (bar->node == pane->at) {
        tt_draw_over(area, bar->x, y, bar->width, TT_ROLE_CURSOR);
    }
}

static void put_ticks(const struct tt_workspace *ws, const char *word, uint64_t ticks,
                      uint64_t whole, struct tt_text *text)
{
    tt_text_put(text, "%s%s %s", text->used > 0 ? ", " : "", word, tt_words_duration(ws, ticks).s);
    if (whole > 0) {
        const uint64_t parts = (uint64_t)((double)ticks * 1000.0 / (double)whole + 0.5);
        tt_text_put(text, " (%ju.%ju %%)", parts / 10, parts % 10);
    }
}

/* Draws the name of the bar of the cursor and its numbers. */
static void draw_numbers(const struct tt_workspace *ws, const struct calls_pane *pane,
                         struct tt_area area)
{
    const struct tt_calls *calls = shown_calls(pane);
    const struct tt_call *call = pane->at == TT_NO_CALL ? NULL : &calls->calls[pane->at];
    const uint64_t whole = bar_ticks(pane, TT_NO_CALL);
    char buffer[TT_PANE_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    put_node_name(ws, pane, pane->at, &text);
    if (call) {
        tt_text_put(&text, ", %'ju %s", (uintmax_t)call->sums.count,
                    call->sums.count == 1 ? "call" : "calls");
        if (call->sums.count > 0) {
            put_ticks(ws, "mean", call->sums.sum / call->sums.count, 0, &text);
            put_ticks(ws, "max", call->sums.max, 0, &text);
        }
    }
    tt_draw_text(area, 1, area.height - 2, area.width - 2, TT_ROLE_FIELD, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    if (!call) {
        put_ticks(ws, pane->of_run ? "on a CPU" : "in calls", whole, 0, &text);
    } else {
        put_ticks(ws, "total", call->sums.total, pane->of_run ? 0 : whole, &text);
        put_ticks(ws, "self", call->sums.self, pane->of_run ? 0 : whole, &text);
        if (calls->has_run) {
            put_ticks(ws, "on a CPU", call->sums.run, pane->of_run ? whole : 0, &text);
        }
    }
    tt_draw_text(area, 1, area.height - 1, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
}

static void calls_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    static const char *const scopes[SCOPE_COUNT] = {"selection", "view", "all"};
    const struct calls_pane *pane = state;
    char left[TT_PANE_LINE], right[128];
    struct tt_text title = tt_text_of(left, sizeof left), note = tt_text_of(right, sizeof right);
    tt_text_put(&title, "calls%s of %s, %s", pane->is_inverted ? ", inverted," : "",
                pane->threads ? pane->threads : "all threads", scopes[pane->scope]);
    if (pane->from > 0) {
        tt_text_put(&title, " %s..", tt_words_moment(ws, pane->from).s);
        tt_text_str(&title, tt_words_moment(ws, pane->to).s);
    }
    if (pane->failed) {
        tt_text_str(&note, "out of memory");
    } else if (!pane->complete) {
        const uint32_t threads = tt_thread_count(ws->opened.capture);
        tt_text_put(&note, "reading: %ju %%",
                    (uintmax_t)(threads > 0 ? 100u * (uint64_t)pane->thread / threads : 0));
    } else {
        tt_text_put(&note, "%'ju %s, %s", (uintmax_t)pane->tree.name_count,
                    pane->tree.name_count == 1 ? "name" : "names",
                    pane->of_run ? "time on a CPU" : "elapsed time");
    }
    tt_pane_title(area, &title, &note, pane->failed ? TT_ROLE_ERROR : TT_ROLE_PROGRESS);
    for (size_t i = 0; i < pane->count; i++) {
        draw_bar(ws, pane, area, &pane->bars[i]);
    }
    if (pane->count > 0) {
        draw_numbers(ws, pane, area);
    } else if (pane->complete) {
        tt_draw(area, 1, TOP, area.width - 2, TT_ROLE_DIM,
                "no call in this range: the threads have no nested slices here");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Moves the cursor to the nearest bar in a direction: of the bars on a line, or to a line above or below. */
static void move_cursor(struct calls_pane *pane, int dx, int dy)
{
    if (pane->count == 0) {
        return;
    }
    const struct calls_bar cursor = pane->bars[bar_at(pane)];
    const struct calls_bar *best = NULL;
    for (size_t i = 0; i < pane->count; i++) {
        const struct calls_bar *bar = &pane->bars[i];
        bool beside =
            dy == 0 && bar->line == cursor.line && (dx > 0 ? bar->x > cursor.x : bar->x < cursor.x);
        bool below = dy > 0 && bar->line == cursor.line + 1 && bar->x >= cursor.x &&
                     bar->x < cursor.x + cursor.width;
        bool above = dy < 0 && bar->line == cursor.line - 1 && bar->x <= cursor.x &&
                     cursor.x < bar->x + bar->width;
        if (beside || below || above) {
            bool nearer = !best || (dx < 0 ? bar->x > best->x : bar->x < best->x);
            best = nearer ? bar : best;
        }
    }
    pane->at = best ? best->node : pane->at;
}

/* Explains the longest call of the cursor, or shows it in the lanes. */
static void show_longest(struct tt_workspace *ws, const struct calls_pane *pane, bool explain)
{
    const struct tt_calls *calls = shown_calls(pane);
    const struct tt_call_sums *sums =
        pane->count == 0 || pane->at == TT_NO_CALL ? NULL : &calls->calls[pane->at].sums;
    if (!sums || sums->count == 0) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no call of it ends in the range");
    } else if (explain) {
        tt_pane_explain(ws, sums->max_thread, sums->max_at - sums->max, sums->max_at, "range");
    } else {
        tt_pane_go(ws, sums->max_thread, sums->max_at - sums->max, sums->max_at, sums->max_at);
    }
}

static void zoom_to(struct tt_workspace *ws, struct calls_pane *pane, uint32_t node)
{
    ws->trail.left = true; /* the way back leads to the zoom before */
    pane->zoom = pane->at = node;
}

static bool calls_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct calls_pane *pane = state;
    switch (action) {
    case TT_DO_UP:
    case TT_DO_DOWN:
        move_cursor(pane, 0, action == TT_DO_DOWN ? 1 : -1);
        return true;
    case TT_DO_LANE_LEFT:
    case TT_DO_LANE_RIGHT:
        move_cursor(pane, action == TT_DO_LANE_RIGHT ? 1 : -1, 0);
        return true;
    case TT_DO_FIRST:
        pane->at = pane->zoom;
        return true;
    case TT_DO_GO:
        if (pane->count > 0 && pane->at == pane->zoom) {
            show_longest(ws, pane, false);
        } else if (pane->count > 0) {
            zoom_to(ws, pane, pane->at);
        }
        return true;
    case TT_DO_ZOOM_ALL:
        zoom_to(ws, pane, TT_NO_CALL);
        return true;
    case TT_DO_WHY:
        show_longest(ws, pane, true);
        return true;
    case TT_DO_SORT:
        pane->is_inverted = !pane->is_inverted;
        pane->zoom = pane->at = TT_NO_CALL;
        return true;
    case TT_DO_TIME:
        pane->of_run = !pane->of_run && pane->tree.has_run;
        return true;
    case TT_DO_RANGE:
        pane->scope = (enum calls_scope)((pane->scope + 1) % SCOPE_COUNT);
        begin_range(ws, pane);
        return true;
    default:
        return false;
    }
}

static bool calls_dismiss(struct tt_workspace *ws, void *state)
{
    struct calls_pane *pane = state;
    if (!pane->complete || pane->zoom >= shown_calls(pane)->call_count) {
        return tt_pane_dismiss(ws, state);
    }
    pane->at = pane->zoom;
    pane->zoom = shown_calls(pane)->calls[pane->zoom].parent;
    return true;
}

static void calls_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct calls_pane *pane = state;
    (void)ws;
    for (size_t i = 0; i < pane->count; i++) {
        const struct calls_bar *bar = &pane->bars[i];
        if (TOP + bar->line - pane->top == y && x >= bar->x && x < bar->x + bar->width) {
            pane->at = bar->node;
        }
    }
}

/* Copies the path of the cursor. */
static void calls_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct calls_pane *pane = state;
    const struct tt_calls *calls = shown_calls(pane);
    uint32_t path[TT_SLICE_DEPTHS];
    unsigned count = 0;
    (void)all;
    for (uint32_t at = pane->count > 0 ? pane->at : TT_NO_CALL; at != TT_NO_CALL;
         at = calls->calls[at].parent) {
        path[count++] = at;
    }
    while (count-- > 0) {
        const struct tt_call_name *name = &calls->names[calls->calls[path[count]].name];
        tt_slice_name(ws->opened.trace, name->process, name->type, text);
        tt_text_str(text, count > 0 ? ";" : "");
    }
}

static struct tt_status calls_write(struct tt_workspace *ws, void *state, FILE *file,
                                    const char *path, struct tt_text *what)
{
    const struct calls_pane *pane = state;
    struct tt_sink sink = tt_sink_of_file(file);
    (void)path;
    if (!pane->complete) {
        return tt_error(TT_ERR_USAGE, "not written: the calls are not read yet");
    }
    size_t lines = tt_export_folded(ws->opened.trace, &pane->tree, pane->of_run, &sink);
    tt_text_put(what, "%'zu %s", lines, lines == 1 ? "path" : "paths");
    return tt_ok();
}

static const struct tt_member saved[] = {
    TT_MEMBER(struct calls_pane, zoom),
    TT_MEMBER(struct calls_pane, at),
    TT_MEMBER(struct calls_pane, is_inverted),
    TT_MEMBER(struct calls_pane, of_run),
    {0, 0},
};

static const enum tt_do offers[] = {
    TT_DO_GO,    TT_DO_SORT, TT_DO_TIME, TT_DO_RANGE,  TT_DO_WHY,
    TT_DO_WRITE, TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
};

static const char *const about[] = {
    "The nested slices of the threads: functions, durations, system calls. A bar is as wide as its "
    "part of the time; what it calls is below it. `stats --by calltree` prints the same.",
    "Inverted, the bars at the top are the names with the time of their own, and below them are "
    "the callers.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "zoom", "zoom in; on the top bar: to its longest call"},
    {TT_DO_SORT, "inverted", "callers above what they call, or below it"},
    {TT_DO_TIME, "time", "elapsed time, or time on a CPU"},
    {TT_DO_RANGE, "range", "range: selection, visible window, or whole capture"},
    {TT_DO_WHY, "why", "explain the longest call"},
    {TT_DO_WRITE, "folded", "write folded stacks for flame graph tools to a file"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_calls = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct calls_pane),
    .close = calls_close,
    .begin = calls_begin,
    .drop = calls_drop,
    .layout = calls_layout,
    .work = calls_work,
    .settled = calls_settled,
    .draw = calls_draw,
    .act = calls_act,
    .click = calls_click,
    .copy = calls_copy,
    .dismiss = calls_dismiss,
    .file = "calls.folded",
    .write = calls_write,
    .saved = saved,
};
