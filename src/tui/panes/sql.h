/* SPDX-License-Identifier: Apache-2.0 */
/* sql: the state of the SQL pane. */
#ifndef TRACETUI_TUI_PANES_SQL_H
#define TRACETUI_TUI_PANES_SQL_H

#include "tui/list/list.h"
#include "tui/panes/sql_query.h"

struct tt_sql_column {
    int width;
    bool is_text;
};

struct tt_sql_pane {
    struct tt_list list;
    struct tt_querying query;
    unsigned column;  /* the selected one */
    unsigned first;   /* leftmost shown one */
    const void *run;  /* the query of `columns` */
    uint64_t sampled; /* rows that `columns` are based on */
    struct tt_sql_column *columns;
    unsigned column_count;
    bool laid_out; /* with all rows */
};

#endif
