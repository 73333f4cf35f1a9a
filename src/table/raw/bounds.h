/* SPDX-License-Identifier: Apache-2.0 */
/* bounds: what a run over raw rows reads (run->bounds), and the initializers of its columns. */
#ifndef TRACETUI_TABLE_RAW_BOUNDS_H
#define TRACETUI_TABLE_RAW_BOUNDS_H

#include "table/columns.h"
#include "tracetui/table.h"

/* Returns the first wanted thread from `thread` on, or the number of threads. */
uint32_t tt_raw_next_thread(const struct tt_table_run *run, uint32_t thread);
/* Returns whether rows of a thread, or TT_NO_THREAD, are wanted. */
bool tt_raw_wants_thread(const struct tt_table_run *run, uint32_t thread);

static inline bool tt_raw_is_stopped(const struct tt_table_run *run)
{
    return run->bounds.stopped && run->bounds.stopped(run->bounds.arg);
}

static inline bool tt_raw_has_time(const struct tt_table_run *run, uint64_t ticks)
{
    return ticks >= run->bounds.from && ticks <= run->bounds.last;
}

/* Returns the number of a row among those of its lane, for rows that are read lane by lane. */
static inline uint64_t tt_raw_number(uint32_t lane, uint64_t index)
{
    return (uint64_t)lane << 32 | (uint32_t)index;
}

/* Returns the name of a state; NULL: it has none. */
const char *tt_raw_state(const struct tt_capture *capture, unsigned state);
/* Returns the number of a thread that has a CPU; UINT32_MAX: idleness, the kernel or an unknown one. */
uint32_t tt_raw_occupant(const struct tt_capture *capture, uint32_t occupant);
/* Sets the name of a process, or its number if it has none. */
void tt_raw_set_process(const struct tt_capture *capture, uint32_t process,
                        struct tt_table_cell *cell);

/* clang-format off */
#define RAW(key_, unit_, member, doc_, ...) COLUMN(key_, NULL, unit_, member, OFF_SCREEN, doc_, __VA_ARGS__)
#define RAW_MADE(key_, unit_, cell_, doc_, ...) MADE(key_, NULL, unit_, cell_, OFF_SCREEN, doc_, __VA_ARGS__)
#define RAW_ID(key_, doc_, ...) {.key = key_, .unit = TT_UNIT_ID, PLAIN, .doc = doc_, __VA_ARGS__}
/* clang-format on */

/* The members of a table of raw rows of type `row`, which fit into a struct tt_table_row. */
#define OF_RAW_ROWS(row, state)                                                                    \
    .row_size =                                                                                    \
        sizeof(row) + 0 * sizeof(char[sizeof(struct tt_table_row) >= sizeof(row) ? 1 : -1]),       \
    .state_size = sizeof(state)

#endif
