/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads/keys: handles the keys of the Threads view.
 */
#include "tui/input/list_motion.h"
#include "tui/lanes/follow_cause.h"
#include "tui/lanes/status.h"
#include "tui/views/threads/view.h"

static bool act_on_rows(struct tt_workspace *ws, struct tt_threads_view *view, enum tt_do action)
{
    struct tt_move move = tt_list_motion_of(action, view->lanes.layout.lanes_height);
    if (move.kind == TT_MOVE_NONE) {
        return false;
    }
    if (move.kind == TT_MOVE_END) {
        tt_threads_go_end(ws, view, move.by > 0);
    } else {
        tt_threads_go_row(ws, view, view->at + move.by);
    }
    return true;
}

static void sort_lanes(struct tt_workspace *ws, struct tt_threads_view *view, enum tt_do action)
{
    if (action == TT_DO_SORT) {
        view->sort = (view->sort + 1) % TT_LANES_SORT_COUNT;
    } else {
        view->reverse = !view->reverse;
    }
    view->order_pending = true;
    view->order_set = false;
    tt_message_set(&ws->message, TT_ROLE_STATUS, "lanes by %s%s%s", tt_lanes_sort_name(view->sort),
                   tt_lanes_sort_needs_numbers(view->sort) ? " in the visible range" : "",
                   view->reverse ? ", reversed" : "");
}

static void fold(struct tt_workspace *ws, struct tt_threads_view *view, enum tt_do action)
{
    struct tt_lane_rows *rows = &view->rows;
    uint32_t process = ws->nav.lane.process, thread = ws->nav.lane.thread;
    if (action == TT_DO_FOLD && thread != TT_NO_THREAD &&
        tt_slice_rows(tt_trace_timelines(ws->opened.trace), thread) > 0) {
        tt_lane_rows_fold_slices(rows, thread, !tt_lane_rows_slices_folded(rows, thread));
        ws->nav.lane.kind = TT_LANE_THREAD;
        view->stale = true;
        return;
    }
    if (rows->flat || process == UINT32_MAX) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no processes to fold");
        return;
    }
    bool folded = tt_lane_rows_folded(rows, process);
    if (action == TT_DO_FOLD_ALL) {
        for (uint32_t i = 0; i < tt_process_count(ws->opened.capture); i++) {
            tt_lane_rows_fold(rows, i, !folded);
        }
    } else {
        tt_lane_rows_fold(rows, process, !folded);
    }
    if (!folded && !tt_lane_rows_is_pinned(rows, ws->nav.lane.thread)) {
        ws->nav.lane.thread = TT_NO_THREAD;
        ws->nav.lane.kind = TT_LANE_PROCESS;
        ws->nav.lane.chosen = true;
    }
    view->stale = true;
}

static void pin(struct tt_workspace *ws, struct tt_threads_view *view)
{
    uint32_t thread = ws->nav.lane.thread;
    if (thread == TT_NO_THREAD) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "only threads can be pinned");
        return;
    }
    tt_lane_rows_pin(&view->rows, thread, !tt_lane_rows_is_pinned(&view->rows, thread));
    view->stale = true;
}

static void go_state(struct tt_workspace *ws, struct tt_threads_view *view, bool forward)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    unsigned kind = ws->nav.lane.kind;
    if (timelines && (kind == TT_LANE_SLICES || kind == TT_LANE_COUNTER)) {
        /* Moves to the next start or end of a slice, or change of a counter. */
        const struct tt_lane_row row = {.thread = ws->nav.lane.thread,
                                        .number = ws->nav.lane.number,
                                        .kind = ws->nav.lane.kind};
        uint64_t to, now = ws->nav.viewport.at;
        bool is = row.kind == TT_LANE_SLICES
                      ? tt_lanes_slice_edge(timelines, &row, now, forward, &to)
                      : tt_lanes_counter_edge(timelines, row.number, now, forward, &to);
        if (is) {
            tt_lanes_go(ws, &view->lanes, to);
        } else {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "nothing %s in this row",
                           forward ? "later" : "earlier");
        }
    } else {
        tt_lanes_go_state(ws, &view->lanes, ws->nav.lane.thread, forward);
    }
}

bool tt_threads_act(struct tt_workspace *ws, struct tt_threads_view *view, enum tt_do action)
{
    if (tt_lanes_act(ws, &view->lanes, action) || act_on_rows(ws, view, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_STATE_PREVIOUS:
    case TT_DO_STATE_NEXT:
        go_state(ws, view, action == TT_DO_STATE_NEXT);
        return true;
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        if (ws->nav.lane.thread != TT_NO_THREAD) {
            tt_nav_search_value(ws, TT_EVENT_SCAN_THREAD, ws->nav.lane.thread,
                                action == TT_DO_THREAD_NEXT);
        }
        return true;
    case TT_DO_WHY:
    case TT_DO_CAUSE_BLOCKER:
    case TT_DO_CAUSE_WAKER:
    case TT_DO_PARTNER:
    case TT_DO_ONLY_THREAD:
    case TT_DO_WITHOUT_EVENT:
    case TT_DO_ONLY_MESSAGE:
        tt_lanes_act_cause(ws, ws->nav.lane.thread, ws->nav.viewport.at, action);
        return true;
    case TT_DO_GO:
        tt_lanes_show_event(ws, ws->nav.lane.thread, TT_NO_CPU);
        return true;
    case TT_DO_FOLD:
    case TT_DO_FOLD_ALL:
        view->end = 0;
        fold(ws, view, action);
        return true;
    case TT_DO_PIN:
        view->end = 0;
        pin(ws, view);
        return true;
    case TT_DO_HIDE_IDLE:
        view->end = 0;
        view->hide_idle = !view->hide_idle;
        view->stale = true;
        tt_message_set(&ws->message, TT_ROLE_STATUS,
                       "threads that never run in the visible range: %s",
                       view->hide_idle ? "hidden" : "shown");
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        view->end = 0;
        sort_lanes(ws, view, action);
        return true;
    default:
        return false;
    }
}
