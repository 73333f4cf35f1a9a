/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns: the initializers of columns, for the files of the tables. A file defines ROW as the struct
 * of its rows first. The last arguments are further members: `.worse = 1, .compared = 2`.
 */
#ifndef TRACETUI_TABLE_COLUMNS_H
#define TRACETUI_TABLE_COLUMNS_H

#include "tracetui/table.h"

/* Where the screen shows a column, see struct tt_table_screen. */
#define SCREEN(group, head, rank, place)                                                           \
    {                                                                                              \
        group, head, rank, place                                                                   \
    }
#define OFF_SCREEN                                                                                 \
    {                                                                                              \
        NULL, NULL, 0, 0                                                                           \
    }

#define AT(member)           offsetof(ROW, member)
#define PLAIN                .basis = TT_TABLE_ALWAYS, .distribution = TT_TABLE_ALWAYS
#define OF_DISTRIBUTION(its) .basis = AT(its.count), .distribution = AT(its)

/* clang-format off */
/* A member of the row. */
#define COLUMN(key_, heading_, unit_, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_##unit_, .field = AT(member), PLAIN, \
     .screen = screen_, .doc = doc_, __VA_ARGS__}
/* A value that a function makes of the row. */
#define MADE(key_, heading_, unit_, cell_, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_##unit_, PLAIN, .cell = cell_, \
     .screen = screen_, .doc = doc_, __VA_ARGS__}
/* A value of a distribution, unknown while the distribution is empty. */
#define OF(key_, heading_, unit_, its, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_##unit_, \
     .field = AT(its) + offsetof(struct tt_distribution, member), OF_DISTRIBUTION(its), \
     .screen = screen_, .doc = doc_, __VA_ARGS__}
#define MEAN_OF(key_, heading_, its, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_MEAN_US, .field = AT(its), \
     OF_DISTRIBUTION(its), .screen = screen_, .doc = doc_, __VA_ARGS__}
#define COUNT_OF(key_, heading_, its, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_COUNT, .field = AT(its.count), \
     .basis = TT_TABLE_ALWAYS, .distribution = AT(its), .screen = screen_, .doc = doc_, __VA_ARGS__}
/* clang-format on */

/* The members of a table that are an array. */
#define COLUMNS(array) .columns = array, .column_count = sizeof(array) / sizeof *(array)

#endif
