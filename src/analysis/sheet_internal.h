/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_making: a sheet on its way, for the files that make its rows.
 *
 * A maker takes as much as the work that is left allows and says whether the sheet is complete.
 * It keeps times and numbers of rows between its steps, never places in the timelines: those may
 * be built anew meanwhile. Belongs to the sheet.
 */
#ifndef TRACETUI_ANALYSIS_SHEET_INTERNAL_H
#define TRACETUI_ANALYSIS_SHEET_INTERNAL_H

#include "base/arena.h"
#include "tracetui/sheet.h"

enum tt_made { TT_MADE_PART, TT_MADE_ALL, TT_MADE_NO_MEMORY };

struct tt_stat_making {
    struct tt_stat_wish wish;
    const struct tt_capture *capture;
    const struct tt_timelines *t;
    struct tt_stat_sheet *sheet;
    uint64_t work; /* left in this step */
    struct tt_delays scratch;
    struct tt_thread_totals *own; /* by thread, what the format's tool counts; or NULL */
    struct tt_totals totals;      /* its totals, when `own` is there */

    /* Threads and processes. */
    bool summed;       /* all rows are there, with their sums */
    uint32_t next;     /* the thread or process to be summed */
    size_t row;        /* whose delays are gathered: */
    uint32_t member;   /* of its threads this one, */
    uint64_t reached;  /* up to here */
    unsigned settling; /* of its distributions this one */
    bool opened;       /* `open` is the row whose distributions are being made */
    struct tt_stat_row open;
    struct tt_event_numbers open_events; /* those of `open` */
    struct tt_arena packed;              /* the sheet's rows */
    struct tt_selection selection;
    uint32_t *members; /* the threads by process: those of p from first[p] to first[p + 1] */
    uint32_t *first;
    /* Pairs and events. */
    struct tt_pair_count *pairs;
    bool counted;          /* all of them; */
    bool picking;          /* the most frequent ones are being picked, */
    size_t passed;         /* out of these so far */
    size_t pickable;       /* that may be rows */
    size_t picked;         /* in picks[] */
    size_t next_pick;      /* again when there are so many */
    struct tt_pair *picks; /* wish.row_limit of them, a heap */
    struct tt_event_stats *events;
};

bool tt_making_wants(const struct tt_stat_making *m, uint32_t thread);
/* Not idle, not a pseudo thread. */
bool tt_making_counts(const struct tt_stat_making *m, uint32_t thread);
/* Room for so many rows, in the place of what was there. These three: false when out of memory. */
bool tt_making_reserve(struct tt_stat_making *m, size_t count);
bool tt_making_add(struct tt_stat_making *m, const struct tt_stat_row *row);
/* In the place of one that there is. */
bool tt_making_put(struct tt_stat_making *m, size_t index, const struct tt_stat_row *row);
void tt_making_free_rows(struct tt_stat_making *m);
/* Takes so much off the work; false when none is left. */
bool tt_sheet_spend(struct tt_stat_making *m, uint64_t work);

/* sheet_threads.c */
/* The threads of a row; its own or those of its process. */
const uint32_t *tt_making_members(const struct tt_stat_making *m, const struct tt_stat_row *row,
                                  uint32_t *count);
enum tt_made tt_make_threads(struct tt_stat_making *m);
enum tt_made tt_make_processes(struct tt_stat_making *m);
enum tt_made tt_make_total(struct tt_stat_making *m);

/* sheet_pairs.c */
enum tt_made tt_make_pairs(struct tt_stat_making *m);

/* sheet_counts.c */
enum tt_made tt_make_cpus(struct tt_stat_making *m);
enum tt_made tt_make_events(struct tt_stat_making *m);
/* The rows as far as they are counted; false when out of memory. */
bool tt_list_pairs(struct tt_stat_making *m);
bool tt_list_events(struct tt_stat_making *m);

#endif
