/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_columns: the table of the columns of the Events view, and the layout of a line.
 *
 *      |m|time         | delta  |c|~thread         |event          |arguments ...
 *       ^ the cursor's mark; one blank between columns; ~ inferred belongs to the thread
 *
 * Columns are shown by priority while their minimum widths fit; the remaining width is distributed
 * in steps (see event_columns.c). Pure functions.
 */
#ifndef TRACETUI_TUI_MODEL_EVENT_COLUMNS_H
#define TRACETUI_TUI_MODEL_EVENT_COLUMNS_H

#include <stdint.h>

/* X(id, word in settings, name in the column list, priority (0: first), minimum width, minimum screen width) */
#define TT_COLUMN_INFO(X)                                                                          \
    X(TT_COLUMN_TIME, "time", "time", 1, 4, 0)                                                     \
    X(TT_COLUMN_DELTA, "delta", "time since the previous event", 5, 8, 0)                          \
    X(TT_COLUMN_DURATION, "duration", "duration", 6, 9, 100)                                       \
    X(TT_COLUMN_CAPTURE, "capture", "capture, if several are merged", 7, 4, 0)                     \
    X(TT_COLUMN_CPU, "cpu", "CPU", 4, 1, 0)                                                        \
    X(TT_COLUMN_THREAD, "thread", "thread", 2, 9, 0)                                               \
    X(TT_COLUMN_CLASS, "class", "class", 8, 10, 110)                                               \
    X(TT_COLUMN_EVENT, "event", "event", 0, 10, 0)                                                 \
    X(TT_COLUMN_ARGUMENTS, "arguments", "arguments", 3, 6, 0)

enum tt_column_id {
#define X(id, word, name, priority, min, from) id,
    TT_COLUMN_INFO(X)
#undef X
        TT_COLUMN_COUNT
};

struct tt_column_place {
    int x;
    int width; /* 0: not shown */
};

const char *tt_column_name(unsigned column);
/* Returns the screen width from which on the column is shown. */
int tt_column_from(unsigned column);

/* Widths required by the capture and the time format. */
struct tt_column_needs {
    int time_width;
    int cpu_width;
    int capture_width;
    uint32_t hidden; /* a bit for each hidden column */
    uint32_t forced; /* a bit for each column that is shown on narrow screens too */
};

void tt_columns_place(int width, const struct tt_column_needs *needs,
                      struct tt_column_place places[TT_COLUMN_COUNT]);

#endif
