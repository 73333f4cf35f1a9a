/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/view: shared by the files of the Info view: the list of lines, their text and drawing.
 *
 * The view owns the lines and the counts. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_INFO_VIEW_H
#define TRACETUI_TUI_VIEWS_INFO_VIEW_H

#include "tui/list/list.h"
#include "tui/model/workspace.h"

/* X(id, label) of the first section */
#define TT_INFO_SUMMARY_INFO(X)                                                                    \
    X(TT_INFO_FILE, "file")                                                                        \
    X(TT_INFO_FORMAT, "format")                                                                    \
    X(TT_INFO_EVENTS, "events")                                                                    \
    X(TT_INFO_TIME, "time")                                                                        \
    X(TT_INFO_CLOCK, "clock")                                                                      \
    X(TT_INFO_WALL, "begins")                                                                      \
    X(TT_INFO_CPUS, "CPUs")                                                                        \
    X(TT_INFO_THREADS, "threads")                                                                  \
    X(TT_INFO_MEMORY, "index")                                                                     \
    X(TT_INFO_HEALTH, "health")

enum tt_info_summary {
#define X(id, label) id,
    TT_INFO_SUMMARY_INFO(X)
#undef X
        TT_INFO_COUNT
};

/* The orders of the counts. X(id, name in the title) */
#define TT_SORT_INFO(X)                                                                            \
    X(TT_SORT_COUNT, "by count")                                                                   \
    X(TT_SORT_NAME, "by name")                                                                     \
    X(TT_SORT_SEEN, "by first occurrence")

enum tt_sort {
#define X(id, name) id,
    TT_SORT_INFO(X)
#undef X
        TT_SORT_COUNT_OF
};

/* The events of a type, or, before its types, of a class. */
struct tt_count_row {
    const char *class_name;
    const char *name; /* NULL: the row of the class itself */
    uint64_t class_events;
    uint64_t events;
    uint32_t class_id;
    uint32_t type; /* of a class: of its first type that has events */
    uint8_t sort;  /* enum tt_sort */
    bool reverse;
};

enum tt_info_kind {
    TT_LINE_BLANK,
    TT_LINE_TITLE,   /* text */
    TT_LINE_SUMMARY, /* number: enum tt_info_summary */
    TT_LINE_FACT,    /* number: index of the fact */
    TT_LINE_CLASS,   /* number: class; count */
    TT_LINE_TYPE,    /* number: type; count */
    TT_LINE_HEALTH,  /* number: kind */
    TT_LINE_RECORD,  /* number: index of the record */
    TT_LINE_MORE,    /* number: kind; more: its records that are not shown */
    TT_LINE_SOUND,   /* no health records */
    TT_LINE_MISSING, /* number: enum tt_missing; what is missing and what that costs */
    TT_LINE_REMEDY,  /* number: enum tt_missing; how to record it */
};

/* Kind, number and text identify a line in each list. */
struct tt_info_line {
    enum tt_info_kind kind;
    uint64_t number;
    const char *text; /* of a title, and of the blank line above it */
    const struct tt_count_row *count;
    uint64_t more;
    /* Of a record: the time of the event at its offset, once it was looked up. */
    uint64_t ticks;
    bool looked_up, has_time;
};

struct tt_info_view {
    struct tt_list list;
    struct tt_info_line *lines;
    uint32_t count, room;
    bool failed; /* out of memory: some lines are missing */
    struct tt_registry_totals totals;
    struct tt_count_row *counts;
    enum tt_sort sort;
    bool reverse;
    bool stale;
    uint64_t built_rows; /* indexed events when the lines were built */
    bool built_finished; /* index was complete when the lines were built */
};

/* Rebuilds the lines if the index has published more events or the order has changed. */
void tt_info_renew(const struct tt_workspace *ws, struct tt_info_view *view);

/*
 * Looks up the times of the records among the lines on the screen, at least one, until `deadline`: each
 * decodes a block. With `deadline` 0 it looks up none. Returns true if all are known.
 */
bool tt_info_find_times(const struct tt_workspace *ws, struct tt_info_view *view,
                        uint64_t deadline);

/* Draws a line into an area of one line. */
void tt_info_draw_line(const struct tt_workspace *ws, const struct tt_info_view *view,
                       struct tt_area area, const struct tt_info_line *line);

#endif
