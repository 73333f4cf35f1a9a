/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_list: the tables of views and overlays. The view ids, key contexts, actions that show them,
 * header tabs, the setting "view", the help and the table of view functions are generated from
 * them.
 *
 * A view `X(HELLO, hello, ...)` is defined as `const struct tt_view tt_view_hello`, see app/view.h.
 */
#ifndef TRACETUI_TUI_INPUT_VIEW_LIST_H
#define TRACETUI_TUI_INPUT_VIEW_LIST_H

#include <stdbool.h>

/*
 * X(ID, name, key, title, short title, by time)
 * By time: the view's cursor is a time, so going to a place does not leave the view.
 */
#define TT_VIEW_INFO(X)                                                                            \
    X(EVENTS, events, "1", "Events", "Ev", false)                                                  \
    X(THREADS, threads, "2", "Threads", "Thr", true)                                               \
    X(CPUS, cpus, "3", "CPUs", "CPU", true)                                                        \
    X(SUMMARY, summary, "4", "Summary", "Sum", false)                                              \
    X(INFO, info, "5", "Info", "Inf", false)                                                       \
    X(MESSAGES, messages, "6", "Messages", "Msg", false)                                           \
    X(SNAPSHOT, snapshot, "7", "Snapshot", "Snp", true)

enum tt_view_id {
#define X(id, name, key, title, tab, by_time) TT_VIEW_##id,
    TT_VIEW_INFO(X)
#undef X
        TT_VIEW_COUNT
};

/*
 * X(ID, name, action, title)
 * The action shows and closes it; TT_DO_NOTHING: a command of the pane shows it, or a key of a view. A key is
 * bound in the list under the title.
 */
#define TT_OVERLAY_INFO(X)                                                                         \
    X(HELP, help, TT_DO_HELP, "help")                                                              \
    X(COLUMNS, columns, TT_DO_COLUMNS, "list of columns")                                          \
    X(MARKS, marks, TT_DO_MARKS, "list of marks")                                                  \
    X(FILTERS, filters, TT_DO_FILTERS, "list of filters")                                          \
    X(HISTORY, history, TT_DO_HISTORY, "list of places")                                           \
    X(RESULTS, results, TT_DO_RESULTS, "list of results")                                          \
    X(NOTICES, notices, TT_DO_MESSAGES, "list of messages")                                        \
    X(WHY, why, TT_DO_NOTHING, "Why")                                                              \
    X(MEASURE, measure, TT_DO_NOTHING, "Measure")                                                  \
    X(CHECK, check, TT_DO_NOTHING, "Check")                                                        \
    X(MISSES, misses, TT_DO_NOTHING, "Misses")                                                     \
    X(DIFF, diff, TT_DO_NOTHING, "Diff")                                                           \
    X(ALIGN, align, TT_DO_NOTHING, "Align")                                                        \
    X(SQL, sql, TT_DO_NOTHING, "SQL")                                                              \
    X(CALLS, calls, TT_DO_NOTHING, "Calls")

enum tt_overlay_id {
    TT_OVERLAY_NONE,
#define X(id, name, action, title) TT_OVERLAY_##id,
    TT_OVERLAY_INFO(X)
#undef X
        TT_OVERLAY_COUNT
};

struct tt_view_names {
    const char *name;  /* "events" */
    const char *key;   /* "1" */
    const char *title; /* "Events" */
    const char *tab;   /* "Ev" */
    bool by_time;
};

/* Returns the table row of a view, below TT_VIEW_COUNT. */
const struct tt_view_names *tt_view_names(enum tt_view_id view);

#endif
