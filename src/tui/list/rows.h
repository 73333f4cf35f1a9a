/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows: a list whose rows are those of a table (tracetui/table.h). Headings, cells, the order, the selected
 * column and its sentence, and what `w` writes follow from the columns of the table:
 *
 *         over by^  response   deadline  begin of the job  thread         y: headings
 *      ▌ 10.73 µs   160.7 µs     150 µs  0.015 000 262     sensor/1       the list
 *       over by: Time from the deadline to the end of the job.            its last line
 *
 * A pane names the table in its struct tt_view (`rows`), and its state begins with a struct tt_rows. It lays
 * the list out with the number of its rows, and draws it. A column is on the screen if it has a place there; those
 * with the highest ranks are left out of a narrow screen; that of rank 0 gets the rest of the width.
 * Screen thread only.
 */
#ifndef TRACETUI_TUI_LIST_ROWS_H
#define TRACETUI_TUI_LIST_ROWS_H

#include <stdio.h>

#include "tracetui/table.h"
#include "tui/list/list.h"
#include "tui/model/workspace.h"

/* How a pane makes rows. */
struct tt_rows_of {
    const struct tt_table *table;
    /* Sets a row, which is zeroed, and has room for one of any table. */
    void (*make)(const struct tt_workspace *ws, const void *state, size_t index,
                 struct tt_table_row *row);
    /* Returns whether the rows have a column; NULL: all of them. */
    bool (*has)(const void *state, const struct tt_table_column *column);
    /* Returns the role of a cell; NULL: that of text. */
    enum tt_role (*role)(const struct tt_table_column *column, const struct tt_table_row *row);
    /* Returns whether the list has the rows now; NULL: always. */
    bool (*shown)(const void *state);
    /* Appends what is not in the list, ", only the first 5 of 1,005"; NULL: all is. */
    void (*note)(const struct tt_workspace *ws, const void *state, struct tt_text *text);
};

struct tt_rows {
    struct tt_list list;
    uint8_t chosen;  /* the selected column, from the left */
    uint8_t sorted;  /* the column of the order, plus 1; 0: the rows have their own */
    int width;       /* of the last layout */
    bool upwards;    /* from the smallest value on */
    uint8_t of;      /* the order that the rows have, as of `sorted`, */
    bool of_upwards; /* `upwards` */
    unsigned version;
    uint32_t *order; /* rows by line; NULL: their own order */
    size_t ordered;  /* rows of the order */
};

/*
 * Places the headings at y, the rows below them and the sentence on the last of `lines` lines. Rows that are not
 * `final` are sorted again when there are twice as many. `version`: that of the rows.
 */
void tt_rows_layout(const struct tt_workspace *ws, struct tt_rows *rows,
                    const struct tt_rows_of *of, size_t count, unsigned version, bool final, int y,
                    int lines);
void tt_rows_free(struct tt_rows *rows);
/* Returns the row on a line of the list; SIZE_MAX: there is none. */
size_t tt_rows_at(const struct tt_rows *rows, size_t line);

void tt_rows_draw(const struct tt_workspace *ws, const struct tt_rows *rows,
                  const struct tt_rows_of *of, struct tt_area area);
/* Carries out the actions of a list of rows; returns false if the action is another one. */
bool tt_rows_act(struct tt_rows *rows, const struct tt_rows_of *of, enum tt_do action);
/* Sorts by the heading at (x, y); returns false if there is none. */
bool tt_rows_click(struct tt_rows *rows, const struct tt_rows_of *of, int x, int y);
/* Appends the sentence of the selected column: "over by: Time from ...". */
void tt_rows_describe(const struct tt_rows *rows, const struct tt_rows_of *of,
                      struct tt_text *text);
/* Appends "over_ns=10730" and a newline for each value of the row with the cursor. */
void tt_rows_copy_all(const struct tt_workspace *ws, const struct tt_rows *rows,
                      const struct tt_rows_of *of, struct tt_text *text);
/* Writes the rows in their order as CSV, or JSON lines if the path ends so, and their number to `what`. */
struct tt_status tt_rows_write(const struct tt_workspace *ws, const struct tt_rows *rows,
                               const struct tt_rows_of *of, FILE *file, const char *path,
                               struct tt_text *what);

#endif
