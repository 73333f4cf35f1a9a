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

/* X(ID, name) */
#define TT_OVERLAY_INFO(X)                                                                         \
    X(HELP, help)                                                                                  \
    X(COLUMNS, columns)                                                                            \
    X(MARKS, marks)                                                                                \
    X(FILTERS, filters)                                                                            \
    X(HISTORY, history)                                                                            \
    X(RESULTS, results)                                                                            \
    X(NOTICES, notices)                                                                            \
    X(WHY, why)                                                                                    \
    X(MEASURE, measure)                                                                            \
    X(CHECK, check)                                                                                \
    X(MISSES, misses)                                                                              \
    X(DIFF, diff)                                                                                  \
    X(ALIGN, align)                                                                                \
    X(SQL, sql)

enum tt_overlay_id {
    TT_OVERLAY_NONE,
#define X(id, name) TT_OVERLAY_##id,
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
