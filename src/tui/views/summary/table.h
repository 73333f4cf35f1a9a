/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/table: one table of the Summary view: the sheet of numbers computed so far, the order of
 * its rows, and the position of the cursor.
 *
 *      ask (range) --> sheet, computed in steps by work --> arrange --> rows[] --> top, at
 *      arrange, in steps too:  refresh --> measure --> read --> sort
 *
 * Until a large table is arranged, the rows on the screen are the earlier ones, which the sheet holds. The cursor follows its row when sorting, new numbers or another range move it, or stays at one
 * end of the table. A tab owns its sheet and its order; one thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_TABLE_H
#define TRACETUI_TUI_VIEWS_SUMMARY_TABLE_H

#include <stdio.h>

#include "base/heap.h"
#include "filter/row_owners.h"
#include "table/registry.h"
#include "tui/list/list.h"
#include "tui/views/summary/columns.h"

/* The scope that the numbers cover. X(id, name) */
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
    struct tt_key_range keys; /* to_ticks is UINT64_MAX: to the end */
};

/*
 * Returns the current range of a scope; false if it has none. TT_SCOPE_VIEW is the window of the
 * time-based views; TT_SCOPE_SELECTION is their selection, or the range between the two marks set
 * last.
 */
bool tt_summary_range_of(const struct tt_workspace *ws, enum tt_scope scope,
                         struct tt_summary_range *range);
/* Returns the range clamped to the capture as [*from, *to) in ticks. */
void tt_summary_range_ends(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           uint64_t *from, uint64_t *to);
/* Appends a point in time in seconds with at most `decimals` decimals. */
void tt_summary_moment(const struct tt_workspace *ws, uint64_t ticks, size_t decimals,
                       struct tt_text *text);
/* Appends "view 1.2040..1.2061 s". */
void tt_summary_range_text(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           struct tt_text *text);

/*
 * The order of the rows, made in steps: the sheet may not be stepped meanwhile, and the previous rows of
 * the table stay on the screen until the new ones are sorted.
 */
struct tt_summary_item;

enum tt_summary_arrange_stage {
    TT_ARRANGE_NOTHING,
    TT_ARRANGE_REFRESH, /* the sheet lists its rows again */
    TT_ARRANGE_MEASURE, /* the first rows determine the widths of the columns */
    TT_ARRANGE_READ,    /* the sorted column of each row is read */
    TT_ARRANGE_SORT
};

struct tt_summary_arranging {
    enum tt_summary_arrange_stage stage;
    struct tt_summary_item *items;
    char *names; /* texts of the items */
    size_t names_used;
    size_t names_room;
    size_t next; /* next row to measure or to read */
    bool final;  /* no other numbers will follow */
    bool failed; /* out of memory */
    uint32_t count;
    const uint8_t
        *cursor;    /* its packed row when the reading began; NULL: none, or it is at an end */
    uint32_t found; /* the row that equals the cursor's, or UINT32_MAX */
    struct tt_heap_sort sort;
    uint64_t spent; /* ns */
};

struct tt_summary_table {
    const struct tt_table *table;
    struct tt_summary_columns columns;
    unsigned chosen; /* columns */
    unsigned sorted;
    bool downwards;

    struct tt_table_run sheet;
    struct tt_table_run discarded; /* the previous sheet while it is freed in steps */
    bool has_discarded;
    struct tt_table_run
        ahead; /* newer numbers of a growing capture; the sheet stays until they are complete */
    bool has_ahead;
    struct tt_table_request request;
    uint32_t work; /* of the next step of the sheet */
    struct tt_row_owners
        owners;          /* threads and CPUs that pass the filters; borrowed by the request */
    uint64_t *deadlines; /* of jobs, by thread; borrowed by the request */
    unsigned jobs;       /* version of the settings of jobs */
    const struct tt_lane_set *lanes; /* of the table of lanes */
    unsigned filters;                /* version of the filters, see tt_summary_table_ask */
    bool finds_owners;             /* the owners are being determined, before the sheet is begun */
    struct tt_summary_range range; /* range that the sheet covers, and that of the numbers ahead */
    struct tt_summary_range ahead_range;
    uint64_t as_of, ahead_of; /* last tick of the capture at their beginnings */
    uint64_t built_rows;      /* number of events when the sheet was begun */
    bool built_finished;
    uint64_t built_at; /* tt_now_ns; when they were complete if there were others before */
    bool begun;
    bool stopped;           /* by the user */
    bool failed;            /* out of memory: some numbers are missing */
    bool unmeasured;        /* column widths do not reflect the current numbers yet */
    bool fresh;             /* there are numbers not arranged yet */
    bool shifted;           /* another order was requested */
    uint64_t arrange_after; /* tt_now_ns: incomplete numbers are not arranged again before */

    struct tt_summary_arranging arranging;
    const uint8_t **rows; /* packed rows of the sheet in display order */
    uint32_t count;
    uint32_t room;
    bool hides_idle;       /* rows of threads that never run; of Blame idle waits, at first */
    struct tt_subject row; /* the cursor's row, which it follows unless it stays at an end */
    struct tt_list list;
    /* A place of the history to return to, once the numbers and the order are final. */
    bool returns;
    uint32_t return_at, return_top;
    int8_t return_end;
};

void tt_summary_table_open(struct tt_summary_table *tab, const struct tt_table *table);
/* Drops the numbers, which are those of another capture. */
void tt_summary_table_renew(struct tt_summary_table *tab);
void tt_summary_table_close(struct tt_summary_table *tab);

/*
 * Requests the numbers of a range; a no-op if they are current, unless `again` is set. Filters
 * apply as in `stats --filter`, once their results are known; until then the numbers stay
 * unchanged.
 */
void tt_summary_table_ask(struct tt_summary_table *tab, struct tt_workspace *ws,
                          const struct tt_summary_range *range, bool again);
/* Computes first numbers for about `budget_ns`, in a frame: it frees nothing and arranges no rows. */
void tt_summary_table_begin(struct tt_summary_table *tab, const struct tt_workspace *ws,
                            uint64_t budget_ns);
/* Continues for about `budget_ns`; true when nothing is left to do. */
bool tt_summary_table_work(struct tt_summary_table *tab, const struct tt_workspace *ws,
                           uint64_t budget_ns);
/* Returns whether the order of the rows is final: no number is pending, and no other order. */
bool tt_summary_table_settled(const struct tt_summary_table *tab);
/*
 * Begins, also in the middle of earlier steps. `refresh`: the sheet has new numbers; `final`: those of a
 * sheet that is complete or stopped.
 */
void tt_summary_arrange_begin(struct tt_summary_table *tab, bool refresh, bool final);
/*
 * Continues until `until` (tt_now_ns), or for a few hundred rows if that is longer. Returns true when
 * the table has its rows in the new order, or no memory is left (tab->failed).
 */
bool tt_summary_arrange_step(struct tt_summary_table *tab, const struct tt_workspace *ws,
                             uint64_t until);
/* Cancels the steps in progress and frees their memory. */
void tt_summary_arrange_free(struct tt_summary_table *tab);

/* Updates the order to the current numbers; what takes longer than a frame is left for `work`. */
void tt_summary_table_arrange(struct tt_summary_table *tab, const struct tt_workspace *ws);

/* Sorts by the chosen column: numbers descending, names and times ascending. */
void tt_summary_table_sort(struct tt_summary_table *tab, bool reverse);
void tt_summary_table_go(struct tt_summary_table *tab, size_t at);
/* Places the list of the rows; lines are from y on. */
void tt_summary_table_place(struct tt_summary_table *tab, int y, int lines);
/* Remembers the cursor's row, after the list has moved it. */
void tt_summary_table_moved(struct tt_summary_table *tab);
/* Puts the cursor on a row as it was, with that row on top of the lines; later if rows are missing. */
void tt_summary_table_resume(struct tt_summary_table *tab, uint32_t at, uint32_t top, int8_t end);
/* Chooses the next visible column to the right or to the left. */
void tt_summary_table_choose(struct tt_summary_table *tab, bool right);
/* Scrolls to the chosen column if it is not shown. */
void tt_summary_table_reveal(struct tt_summary_table *tab);
/* Unpacks the cursor's row into *row and returns it; NULL: none. */
const struct tt_table_row *tt_summary_table_row(const struct tt_summary_table *tab,
                                                struct tt_table_row *row);
/* Unpacks a row; `at` is below the count. */
void tt_summary_table_row_at(const struct tt_summary_table *tab, size_t at,
                             struct tt_table_row *row);

/* Writes the rows in display order, with all columns, as CSV. */
struct tt_status tt_summary_table_write(const struct tt_summary_table *tab, FILE *file);

#endif
