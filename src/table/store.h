/* SPDX-License-Identifier: Apache-2.0 */
/* store: the memory of a run's packed rows. Belongs to the run. */
#ifndef TRACETUI_TABLE_STORE_H
#define TRACETUI_TABLE_STORE_H

#include "base/arena.h"
#include "tracetui/table.h"

struct tt_table_store {
    struct tt_arena packed;   /* the run's rows */
    struct tt_arena held;     /* earlier rows that the caller still uses */
    bool holds;               /* the rows in `packed` are to be kept as `held` */
    bool refreshing;          /* new_rows are those of a refresh, not of a step */
    const uint8_t **new_rows; /* rows that will replace them; NULL: none */
    size_t new_count;
    struct tt_arena new_packed;
};

/* Frees the store of a run and its rows. */
void tt_table_store_free(struct tt_table_run *run);

#endif
