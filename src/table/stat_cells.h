/* SPDX-License-Identifier: Apache-2.0 */
/* stat_cells: values that several members of a struct tt_stat_row make; see struct tt_table_column. */
#ifndef TRACETUI_TABLE_STAT_CELLS_H
#define TRACETUI_TABLE_STAT_CELLS_H

#include "tracetui/table.h"

#define TT_CELL_FUNCTION(name)                                                                     \
    void name(const struct tt_table_run *run, const struct tt_table_column *column,                \
              const void *row, struct tt_table_cell *cell)

/* The thread that a row is charged to, or the cause if it is no thread. */
TT_CELL_FUNCTION(tt_stat_charged);
/* The process or, where there are none, the thread that sends or receives messages. */
TT_CELL_FUNCTION(tt_stat_client);
TT_CELL_FUNCTION(tt_stat_server);
/* The name of a queue, the number of a channel, or #CONNECTION if nothing else is known. */
TT_CELL_FUNCTION(tt_stat_queue);
/* The kind of an object, its name, and its name or number. */
TT_CELL_FUNCTION(tt_stat_object_kind);
TT_CELL_FUNCTION(tt_stat_object_name);
TT_CELL_FUNCTION(tt_stat_object_label);
/* A part of the service in percent, and all parts: "run 31 lock 64 irq 5". */
TT_CELL_FUNCTION(tt_stat_part);
TT_CELL_FUNCTION(tt_stat_parts);

#endif
