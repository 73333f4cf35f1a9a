/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_columns: the columns of the Events view as one table, and how they share a line.
 *
 *      |m|time         | delta  |c|~thread         |event          |arguments ...
 *       ^ the cursor's mark; one blank between columns; ~ inferred belongs to the thread
 *
 * Which columns there are goes by priority while their least widths fit; what is left over is
 * shared out in steps (see event_columns.c). Pure functions.
 */
#ifndef TRACETUI_TUI_MODEL_EVENT_COLUMNS_H
#define TRACETUI_TUI_MODEL_EVENT_COLUMNS_H

#include <stdint.h>

/* X(id, name in the list of columns, priority (0 first), least width, from this screen width on) */
#define TT_COLUMN_INFO(X)                                                                          \
    X(TT_COLUMN_TIME, "time", 1, 4, 0)                                                             \
    X(TT_COLUMN_DELTA, "time since the previous event", 5, 8, 0)                                   \
    X(TT_COLUMN_CPU, "CPU", 4, 1, 0)                                                               \
    X(TT_COLUMN_THREAD, "thread", 2, 9, 0)                                                         \
    X(TT_COLUMN_CLASS, "class", 6, 10, 100)                                                        \
    X(TT_COLUMN_EVENT, "event", 0, 10, 0)                                                          \
    X(TT_COLUMN_ARGUMENTS, "arguments", 3, 6, 0)

enum tt_column_id {
#define X(id, name, priority, least, from) id,
    TT_COLUMN_INFO(X)
#undef X
        TT_COLUMN_COUNT
};

struct tt_column_place {
    int x;
    int width; /* 0: not shown */
};

const char *tt_column_name(unsigned column);
/* The width of the screen from which on the column is worth its room. */
int tt_column_from(unsigned column);

/* What the capture and the time format need. */
struct tt_column_needs {
    int time_width;
    int cpu_width;
    uint32_t hidden; /* a bit for each column that is not wanted */
};

void tt_columns_place(int width, const struct tt_column_needs *needs,
                      struct tt_column_place places[TT_COLUMN_COUNT]);

#endif
