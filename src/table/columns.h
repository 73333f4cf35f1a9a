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
        group, head, rank, place, 0                                                                \
    }
/* The same in a list of a pane, with columns of its own. */
#define WIDE(width_, head, rank, place)                                                            \
    {                                                                                              \
        "", head, rank, place, width_                                                              \
    }
#define OFF_SCREEN                                                                                 \
    {                                                                                              \
        NULL, NULL, 0, 0, 0                                                                        \
    }

/*
 * A distribution is a member of the row of the name that enum tt_samples has for it, inside the members that
 * IN names: `#define IN sum.`
 */
#define AT(member)           offsetof(ROW, member)
#define PLAIN                .basis = TT_TABLE_ALWAYS, .distribution = TT_TABLE_ALWAYS
#define OF_DISTRIBUTION(its) .distribution = AT(IN its), .samples = TT_SAMPLES_##its

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
     .field = AT(IN its) + offsetof(struct tt_distribution, member), .basis = AT(IN its.count), \
     OF_DISTRIBUTION(its), .screen = screen_, .doc = doc_, __VA_ARGS__}
#define MEAN_OF(key_, heading_, its, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_MEAN_US, .field = AT(IN its), \
     .basis = AT(IN its.count), OF_DISTRIBUTION(its), .screen = screen_, .doc = doc_, __VA_ARGS__}
#define COUNT_OF(key_, heading_, its, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_COUNT, .field = AT(IN its.count), \
     .basis = TT_TABLE_ALWAYS, OF_DISTRIBUTION(its), .screen = screen_, .doc = doc_, __VA_ARGS__}
/* Another value that follows from a distribution. */
#define BESIDE(key_, heading_, unit_, its, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_##unit_, .field = AT(member), \
     .basis = AT(IN its.count), .distribution = TT_TABLE_ALWAYS, .samples = TT_SAMPLES_##its, \
     .screen = screen_, .doc = doc_, __VA_ARGS__}
/* A member that is known only if another one is not 0. */
#define KNOWN_BY(key_, heading_, unit_, member, known, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_##unit_, .field = AT(member), \
     .basis = AT(known), .distribution = TT_TABLE_ALWAYS, .screen = screen_, .doc = doc_, __VA_ARGS__}

/* clang-format on */

/* The name of a table, its title, a sentence about a row, and how rows are named. */
#define NAMES(name_, title_, doc_, row_name_)                                                      \
    .name = name_, .title = title_, .doc = doc_, .row_name = row_name_

/* The row of a table of sums, which begins with a struct tt_subject and fits in a struct tt_table_row. */
#define OF_ROW(type)                                                                               \
    .row_size = sizeof(type) / (offsetof(type, of) == 0 && sizeof(type) % sizeof(uint64_t) == 0 && \
                                sizeof(type) <= sizeof(struct tt_table_row)),                      \
    .clear = tt_subject_clear

/* The function that sets a cell. */
#define TT_CELL_FUNCTION(name)                                                                     \
    void name(const struct tt_table_run *run, const struct tt_table_column *column,                \
              const void *row, struct tt_table_cell *cell)

/* The members of a table that are an array. */
#define COLUMNS(array) .columns = array, .column_count = sizeof(array) / sizeof *(array)

#endif
