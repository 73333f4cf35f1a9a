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
#include "tui/views/info/view.h"

/* Time of a frame for the times of health records. */
#define TIMES_NS UINT64_C(500000)

static void *info_view_open(void)
{
    struct tt_info_view *info_view = calloc(1, sizeof *info_view);
    if (info_view) {
        info_view->stale = true;
    }
    return info_view;
}

static void info_view_close(void *state)
{
    struct tt_info_view *view = state;
    if (view) {
        free(view->lines);
        free(view->counts);
        free(view);
    }
}

static void info_view_renew(void *state)
{
    struct tt_info_view *view = state;
    view->stale = true;
    view->count = 0;
    view->list = (struct tt_list){0};
}

static void info_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_info_view *view = state;
    struct tt_list *list = &view->list;
    tt_info_renew(ws, view);
    if (view->failed) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "out of memory: some lines are missing");
    }
    tt_list_layout(list, view->count, 0, area.height);
    /* A title is shown together with the first line below it. */
    if (list->at == list->top && list->at > 0 && list->lines > 1 &&
        view->lines[list->at - 1].kind == TT_LINE_TITLE) {
        list->top--;
    }
    tt_info_find_times(ws, view, tt_now_ns() + TIMES_NS);
}

static bool info_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    return tt_info_find_times(ws, state, budget_ns == 0 ? 0 : tt_now_ns() + budget_ns);
}

static void info_view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_info_view *view = state;
    for (int y = 0; tt_list_row(&view->list, y) < view->count; y++) {
        tt_info_draw_line(ws, view, tt_area_part(area, 0, y, area.width, 1),
                          &view->lines[tt_list_row(&view->list, y)]);
    }
    tt_list_draw_cursor(&view->list, &ws->term, area);
}

static struct tt_list *info_view_list(void *state)
{
    return &((struct tt_info_view *)state)->list;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void go_section(struct tt_info_view *view, bool next)
{
    size_t at = view->list.at;
    do {
        at = next ? at + 1 : at - 1; /* wraps around before the first line, which ends the loop */
    } while (at < view->count && view->lines[at].kind != TT_LINE_TITLE);
    if (at < view->count) {
        tt_list_go(&view->list, at);
        view->list.top = at;
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

static void jump(struct tt_workspace *ws, struct tt_info_view *view)
{
    const size_t at = view->list.at;
    const struct tt_info_line *line = at < view->count ? &view->lines[at] : NULL;
    if (!line) {
        return;
    }
    if (line->kind == TT_LINE_RECORD) {
        jump_to_record(ws, (uint32_t)line->number);
    } else if (line->kind == TT_LINE_HEALTH && at + 1 < view->count &&
               line[1].kind == TT_LINE_RECORD) {
        jump_to_record(ws, (uint32_t)line[1].number);
    } else if (line->kind == TT_LINE_TYPE) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_search_type(ws, line->count->type);
    } else if (line->kind == TT_LINE_SUMMARY && line->number == TT_INFO_HEALTH) {
        for (uint32_t i = 0; i < view->count; i++) {
            if (view->lines[i].kind == TT_LINE_HEALTH || view->lines[i].kind == TT_LINE_SOUND) {
                tt_list_go(&view->list, i);
                break;
            }
        }
    } else {
        tt_message_set(&ws->message, TT_ROLE_STATUS,
                       "Enter works on event counts and health offsets");
    }
}

static bool info_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_info_view *view = state;
    tt_info_renew(ws, view);
    switch (action) {
    case TT_DO_SECTION_NEXT:
    case TT_DO_SECTION_PREVIOUS:
        go_section(view, action == TT_DO_SECTION_NEXT);
        return true;
    case TT_DO_SORT:
        view->sort = (view->sort + 1) % TT_SORT_COUNT_OF;
        view->reverse = false;
        view->stale = true;
        return true;
    case TT_DO_REVERSE:
        view->reverse = !view->reverse;
        view->stale = true;
        return true;
    case TT_DO_GO:
        jump(ws, view);
        return true;
    default:
        return false;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static void info_view_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct tt_info_view *view = state;
    (void)ws;
    spot->numbers[0] = view->list.at;
    spot->numbers[1] = view->list.top;
    spot->numbers[2] = 2 * (uint64_t)view->sort + view->reverse;
}

static void info_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_info_view *view = state;
    const uint64_t order = spot->numbers[2];
    if (order != 2 * (uint64_t)view->sort + view->reverse && order / 2 < TT_SORT_COUNT_OF) {
        view->sort = (enum tt_sort)(order / 2);
        view->reverse = order % 2 != 0;
        view->stale = true;
    }
    tt_info_renew(ws, view);
    tt_list_return(&view->list, spot->numbers[0], spot->numbers[1]);
}

static const enum tt_do offers[] = {
    TT_DO_HELP, TT_DO_ASK,  TT_DO_GO,        TT_DO_SECTION_NEXT, TT_DO_SORT,
    TT_DO_TIME, TT_DO_COPY, TT_DO_VIEW_NEXT, TT_DO_QUIT,         TT_DO_NOTHING,
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
    .open = info_view_open,
    .close = info_view_close,
    .renew = info_view_renew,
    .leave = info_view_leave,
    .resume = info_view_resume,
    .layout = info_view_layout,
    .draw = info_view_draw,
    .list = info_view_list,
    .act = info_view_act,
    .footer = offers,
    .verbs = verbs,
    .work = info_view_work,
};
