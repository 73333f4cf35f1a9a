/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/table: one table of the Summary view: the sheet of numbers as far as it is made, the
 * order of its rows, and where the person stands in it.
 *
 *      ask (range) --> sheet, made in steps by work --> arrange --> order[] --> top, at
 *
 * The person stays on a row, wherever sorting, new numbers or another range put it, or at an end of
 * the table. A tab owns its sheet and its order; one thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_TABLE_H
#define TRACETUI_TUI_VIEWS_SUMMARY_TABLE_H

#include <stdio.h>

#include "tracetui/row_owners.h"
#include "tui/views/summary/columns.h"

/* What the numbers are of. X(id, name) */
#define TT_SCOPE_INFO(X)                                                                           \
    X(TT_SCOPE_VIEW, "view")                                                                       \
    X(TT_SCOPE_SELECTION, "selection")                                                             \
    X(TT_SCOPE_ALL, "all")

enum tt_scope {
#define X(id, name) id,
    TT_SCOPE_INFO(X)
#undef X
        TT_SCOPE_COUNT
};

struct tt_summary_range {
    enum tt_scope scope;
    struct tt_key_range keys; /* to_ticks UINT64_MAX: to the end */
};

/*
 * What a scope is now; false if there is none: the view is what the views by time show, a selection
 * is theirs or what stands between the two marks set last.
 */
bool tt_summary_range_of(const struct tt_workspace *ws, enum tt_scope scope,
                         struct tt_summary_range *range);
/* The range cut to the capture: [*from, *to) in ticks. */
void tt_summary_range_ends(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           uint64_t *from, uint64_t *to);
/* "view 1.2040..1.2061 s" */
void tt_summary_range_text(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           struct tt_text *text);

/* What the person stands on, wherever new numbers or another order put the rows. */
enum tt_summary_stand {
    TT_STAND_FIRST, /* the first row, whichever it is: so it begins */
    TT_STAND_ROW,   /* one row, wherever it goes */
    TT_STAND_LAST,
};

struct tt_summary_table {
    enum tt_stats_by by;
    struct tt_summary_columns columns;
    unsigned chosen; /* columns */
    unsigned sorted;
    bool downwards;

    struct tt_stat_sheet sheet;
    struct tt_stat_sheet waste; /* the one before, while it is given back */
    bool wastes;
    struct tt_stat_request request;
    struct tt_row_owners owners;   /* whose numbers the filters leave; the request borrows them */
    unsigned filters;              /* which filters, see tt_summary_table_ask */
    bool picking;                  /* the owners are being looked for; then it begins */
    struct tt_summary_range range; /* that it is made of */
    uint64_t made_rows;            /* and of so many events */
    bool made_finished;
    uint64_t made_at; /* tt_now_ns */
    bool begun;
    bool stopped;    /* by the person */
    bool failed;     /* out of memory: some numbers are missing */
    bool unmeasured; /* columns are not as wide as the numbers that are there now */
    bool fresh;      /* there are numbers that are not arranged, */
    bool shifted;    /* or another order is wanted */

    uint32_t *order; /* rows of the sheet as they are shown */
    uint32_t count;
    uint32_t room;
    bool hides_idle;
    struct tt_stat_row row; /* the one that the person stands on, if it is to be kept */
    enum tt_summary_stand stand;
    uint32_t at;  /* where it stands in order[] */
    int64_t owed; /* rows to go on when there are rows */
    uint32_t top;
};

void tt_summary_table_open(struct tt_summary_table *tab, enum tt_stats_by by);
/* Forgets the numbers: they were of another capture. */
void tt_summary_table_renew(struct tt_summary_table *tab);
void tt_summary_table_close(struct tt_summary_table *tab);

/*
 * Asks for the numbers of a range; if they are there it costs nothing. `again`: even so. Filters
 * choose as they do for `stats --filter`, once it is known what they leave; until then the numbers
 * stay as they are.
 */
void tt_summary_table_ask(struct tt_summary_table *tab, struct tt_workspace *ws,
                          const struct tt_summary_range *range, bool again);
/* Goes on for about `budget_ns`; true when nothing is left to do. */
bool tt_summary_table_work(struct tt_summary_table *tab, const struct tt_workspace *ws,
                           uint64_t budget_ns);
/* Brings the order up to the numbers that there are. */
void tt_summary_table_arrange(struct tt_summary_table *tab, const struct tt_workspace *ws);

/* Orders by the chosen column: numbers downwards, names and times upwards. */
void tt_summary_table_sort(struct tt_summary_table *tab, bool reverse);
void tt_summary_table_go(struct tt_summary_table *tab, int64_t at);
/* So many rows on, as soon as there are rows. */
void tt_summary_table_move(struct tt_summary_table *tab, int64_t by);
/* Goes to the first or the last row and stays there, whichever row comes to stand there. */
void tt_summary_table_end(struct tt_summary_table *tab, bool last);
/* The next column that is shown, to the right or to the left. */
void tt_summary_table_choose(struct tt_summary_table *tab, bool right);
/* The row that the person stands on, unpacked into *row; NULL: none. */
const struct tt_stat_row *tt_summary_table_row(const struct tt_summary_table *tab,
                                               struct tt_stat_row *row);
bool tt_summary_same_row(const struct tt_stat_row *a, const struct tt_stat_row *b);
/* "sensor/2 isr", "sensor", "CPU 0", "a, then b", "THRUNNING" */
void tt_summary_row_name(const struct tt_summary_table *tab, const struct tt_stat_row *row,
                         struct tt_text *text);

/* Writes the rows in their order, with all columns, as CSV. */
struct tt_status tt_summary_table_write(const struct tt_summary_table *tab, FILE *file);

#endif
