/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/view: shows properties, contents and health of the capture as one list of lines.
 *
 *       capture            title of a section
 *         format           QNX kernel event trace, 7.1
 *       counts             by count
 *         THREAD           1,204,221   38.8 %
 *           THRUNNING        402,110   12.9 %        Enter: the next one in Events
 *       health
 *         lost                     3  records lost before this offset
 *           offset 0x1a40  3 buffers                 Enter: there
 *
 * The lines are rebuilt when the index has published more events or the order changes. A line holds
 * only its identity; its text is formatted when it is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tui/app/view.h"
#include "tui/input/list_motion.h"
#include "tui/views/info/view.h"

/* Time of a frame for the times of health records. */
#define TIMES_NS UINT64_C(500000)

static void *view_open(void)
{
    struct tt_info_view *v = calloc(1, sizeof *v);
    if (v) {
        v->stale = true;
        v->height = 1;
    }
    return v;
}

static void view_close(void *state)
{
    struct tt_info_view *v = state;
    if (v) {
        free(v->lines);
        free(v->counts);
        free(v);
    }
}

static void view_renew(void *state)
{
    struct tt_info_view *v = state;
    v->stale = true;
    v->count = 0;
    v->at = 0;
    v->top = 0;
}

static void place_top(struct tt_info_view *v)
{
    uint32_t height = (uint32_t)v->height;
    if (v->at < v->top) {
        /* Show the title together with the first line below it. */
        v->top = v->at > 0 && v->lines[v->at - 1].kind == TT_LINE_TITLE ? v->at - 1 : v->at;
    } else if (v->at >= v->top + height) {
        v->top = v->at - height + 1;
    }
    if (v->top + height > v->count) {
        v->top = v->count > height ? v->count - height : 0;
    }
}

static void view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_info_view *v = state;
    v->height = area.height;
    tt_info_renew(ws, v);
    if (v->failed) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "out of memory: some lines are missing");
    }
    place_top(v);
    tt_info_find_times(ws, v, tt_now_ns() + TIMES_NS);
}

static bool view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    return budget_ns == 0 ? tt_info_has_times(state)
                          : tt_info_find_times(ws, state, tt_now_ns() + budget_ns);
}

static void view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_info_view *v = state;
    for (uint32_t i = v->top; i < v->count && (int)(i - v->top) < area.height; i++) {
        struct tt_area line = tt_area_part(area, 0, (int)(i - v->top), area.width, 1);
        tt_info_draw_line(ws, v, line, &v->lines[i]);
        if (i == v->at) {
            tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
            tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_CURSOR);
        }
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void go(struct tt_info_view *v, int64_t to)
{
    int64_t last = v->count > 0 ? (int64_t)v->count - 1 : 0;
    v->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static void go_section(struct tt_info_view *v, bool next)
{
    uint32_t at = v->at;
    do {
        at = next ? at + 1 : at - 1; /* wraps around before the first line, which ends the loop */
    } while (at < v->count && v->lines[at].kind != TT_LINE_TITLE);
    if (at < v->count) {
        v->at = at;
        v->top = at;
    }
}

static void go_to_health(struct tt_info_view *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->lines[i].kind == TT_LINE_HEALTH || v->lines[i].kind == TT_LINE_SOUND) {
            v->at = i;
            return;
        }
    }
}

static void jump_to_record(struct tt_workspace *ws, uint32_t number)
{
    struct tt_health_record record = tt_health_at(ws->opened.capture, number);
    struct tt_event event;
    bool around = record.kind == TT_HEALTH_CONTAINER; /* its offset does not belong to an event */
    if (around || !tt_events_at_offset(ws->opened.events, record.offset, &event)) {
        if (ws->index.rows == 0) {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "there is no event");
            return;
        }
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, UINT64_MAX, UINT64_MAX);
        tt_message_set(&ws->message, TT_ROLE_STATUS, "after the last event");
        return;
    }
    tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
    tt_nav_jump(ws, event.ticks, event.pos);
}

static void jump(struct tt_workspace *ws, struct tt_info_view *v)
{
    const struct tt_info_line *line = v->at < v->count ? &v->lines[v->at] : NULL;
    if (!line) {
        return;
    }
    if (line->kind == TT_LINE_RECORD) {
        jump_to_record(ws, (uint32_t)line->number);
    } else if (line->kind == TT_LINE_HEALTH && v->at + 1 < v->count &&
               v->lines[v->at + 1].kind == TT_LINE_RECORD) {
        jump_to_record(ws, (uint32_t)v->lines[v->at + 1].number);
    } else if (line->kind == TT_LINE_COUNT && v->counts[line->number].name) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_search_type(ws, v->counts[line->number].type);
    } else if (line->kind == TT_LINE_SUMMARY && line->number == TT_INFO_HEALTH) {
        go_to_health(v);
    } else {
        tt_message_set(&ws->message, TT_ROLE_STATUS,
                       "Enter works on event counts and health offsets");
    }
}

static void sort(struct tt_info_view *v, bool reverse)
{
    if (reverse) {
        v->reverse = !v->reverse;
    } else {
        v->sort = (v->sort + 1) % TT_SORT_COUNT_OF;
        v->reverse = false;
    }
    v->stale = true;
}

/* A page move also scrolls the list; place_top corrects it at both ends. */
static void move(struct tt_info_view *v, struct tt_move by)
{
    if (by.kind == TT_MOVE_PAGE) {
        int64_t top = v->top + by.by;
        v->top = top > 0 ? (uint32_t)top : 0;
    } else if (by.kind == TT_MOVE_END && by.by < 0) {
        v->top = 0;
    }
    go(v, v->at + by.by);
}

static bool view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_info_view *v = state;
    struct tt_move by = tt_list_motion_of(action, v->height);
    tt_info_renew(ws, v);
    if (by.kind != TT_MOVE_NONE) {
        move(v, by);
        return true;
    }
    switch (action) {
    case TT_DO_SECTION_NEXT:
    case TT_DO_SECTION_PREVIOUS:
        go_section(v, action == TT_DO_SECTION_NEXT);
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        sort(v, action == TT_DO_REVERSE);
        return true;
    case TT_DO_GO:
        jump(ws, v);
        return true;
    default:
        return false;
    }
}

static void view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_info_view *v = state;
    (void)ws;
    (void)x;
    go(v, (int64_t)v->top + y);
}

static void view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    struct tt_info_view *v = state;
    struct tt_grid line = {.ascii = ws->term.grid.ascii, .ellipsis = ws->term.grid.ellipsis};
    (void)all;
    if (v->at >= v->count || !tt_grid_resize(&line, ws->term.grid.width, 1)) {
        return;
    }
    tt_info_draw_line(ws, v, tt_grid_area(&line), &v->lines[v->at]);
    tt_grid_line(&line, 0, text);
    tt_grid_free(&line);
}

/* ---- places of the history ------------------------------------------------------------------ */

static void view_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct tt_info_view *v = state;
    (void)ws;
    spot->numbers[0] = v->at;
    spot->numbers[1] = v->top;
    spot->numbers[2] = 2 * (uint64_t)v->sort + v->reverse;
}

static void view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_info_view *v = state;
    const uint64_t order = spot->numbers[2];
    if (order != 2 * (uint64_t)v->sort + v->reverse && order / 2 < TT_SORT_COUNT_OF) {
        v->sort = (enum tt_sort)(order / 2);
        v->reverse = order % 2 != 0;
        v->stale = true;
    }
    tt_info_renew(ws, v);
    const uint64_t last = v->count > 0 ? v->count - 1 : 0;
    v->at = (uint32_t)(spot->numbers[0] < last ? spot->numbers[0] : last);
    v->top = (uint32_t)(spot->numbers[1] < last ? spot->numbers[1] : last);
}

static const enum tt_do offers[] = {
    TT_DO_HELP, TT_DO_GO,        TT_DO_SECTION_NEXT, TT_DO_SORT,    TT_DO_TIME,
    TT_DO_COPY, TT_DO_VIEW_NEXT, TT_DO_QUIT,         TT_DO_NOTHING,
};

static const char *const about[] = {
    "What the file is, its health, and counts of the events.",
    "Health: what is damaged or missing, with the offset; Enter goes there.",
    "Counts: Enter goes to the next event of that type; o sorts.",
    "{ and } go from section to section.",
    "tracetui info prints the same.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go there", "show this offset, or the next event of this type, in Events"},
    {TT_DO_SORT, "sort", "sort the counts: by count, by name, by first occurrence"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_view_info = {
    .about = about,
    .open = view_open,
    .close = view_close,
    .renew = view_renew,
    .leave = view_leave,
    .resume = view_resume,
    .layout = view_layout,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .copy = view_copy,
    .footer = offers,
    .verbs = verbs,
    .work = view_work,
};
