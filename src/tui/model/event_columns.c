/* SPDX-License-Identifier: Apache-2.0 */
/* event_columns: distributes the width of a line among the columns. */
#include "tui/model/event_columns.h"

#include <limits.h>
#include <stddef.h>

static const struct {
    const char *name;
    int priority;
    int min;
    int from; /* screen width from which on the column is shown */
} table[TT_COLUMN_COUNT] = {
#define X(id, word, name, priority, min, from) {name, priority, min, from},
    TT_COLUMN_INFO(X)
#undef X
};

/* The columns that get the remaining width, in this order, each up to a width. */
static const struct {
    enum tt_column_id column;
    int up_to;
} growth[] = {
    {TT_COLUMN_THREAD, 16},         {TT_COLUMN_EVENT, 15}, {TT_COLUMN_ARGUMENTS, 30},
    {TT_COLUMN_THREAD, 24},         {TT_COLUMN_EVENT, 20}, {TT_COLUMN_ARGUMENTS, 60},
    {TT_COLUMN_THREAD, 32},         {TT_COLUMN_EVENT, 28}, {TT_COLUMN_CLASS, 16},
    {TT_COLUMN_ARGUMENTS, INT_MAX},
};

const char *tt_column_name(unsigned column)
{
    return column < TT_COLUMN_COUNT ? table[column].name : "";
}

int tt_column_from(unsigned column)
{
    return column < TT_COLUMN_COUNT ? table[column].from : 0;
}

void tt_columns_place(int width, const struct tt_column_needs *needs,
                      struct tt_column_place places[TT_COLUMN_COUNT])
{
    int left = width; /* a column takes its width and the preceding blank or mark */
    for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
        places[i].width = 0;
    }
    for (int priority = 0; priority < TT_COLUMN_COUNT; priority++) {
        for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
            int min = i == TT_COLUMN_TIME      ? needs->time_width
                      : i == TT_COLUMN_CAPTURE ? needs->capture_width
                      : i == TT_COLUMN_CPU     ? needs->cpu_width
                                               : table[i].min;
            if (table[i].priority == priority && !(needs->hidden & 1u << i) &&
                (width >= table[i].from || (needs->forced & 1u << i)) && min + 1 <= left) {
                places[i].width = min;
                left -= min + 1;
            }
        }
    }
    for (size_t i = 0; i < sizeof growth / sizeof *growth && left > 0; i++) {
        struct tt_column_place *place = &places[growth[i].column];
        int more = growth[i].up_to - place->width;
        if (place->width > 0 && more > 0) {
            more = more < left ? more : left;
            place->width += more;
            left -= more;
        }
    }
    int x = 1;
    for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
        places[i].x = x;
        x += places[i].width > 0 ? places[i].width + 1 : 0;
    }
}
