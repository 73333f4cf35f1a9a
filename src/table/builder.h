/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder: the state of runs whose rows are struct tt_stat_row.
 *
 * A maker uses up the remaining work and returns whether the run is complete. Between steps it
 * stores times and row numbers, never positions in the timelines, which may be rebuilt. Belongs to
 * the run.
 */
#ifndef TRACETUI_TABLE_BUILDER_H
#define TRACETUI_TABLE_BUILDER_H

#include "analysis/messages/imposed.h"
#include "analysis/run_union.h"
#include "base/heap.h"
#include "table/registry.h"
#include "table/store.h"
#include "tracetui/blame.h"
#include "tracetui/interrupts.h"
#include "tracetui/message_list.h"
#include "tracetui/object_stats.h"
#include "tracetui/table.h"

struct tt_stat_order;
struct tt_services;

struct tt_stat_builder {
    struct tt_table_request request; /* of the run, as are the next two */
    const struct tt_capture *capture;
    const struct tt_timelines *t;
    struct tt_table_run *sheet;
    uint64_t work; /* remaining work of this step */
    bool begun;    /* the members above are set */
    struct tt_delays scratch;
    struct tt_thread_totals *own; /* by thread: counts of the format's tool; or NULL */
    struct tt_totals totals;      /* its totals, if `own` is set */

    /* Threads and processes. */
    bool summed;                 /* all rows exist and have their sums */
    uint32_t next;               /* next thread or process to sum */
    bool summing;                /* `open` is that thread's row, and has its sums */
    uint64_t ranged;             /* its range has the priorities before this time */
    struct tt_stat_order *order; /* the rows, while they are sorted */
    size_t row;                  /* row whose samples are gathered */
    uint32_t member;             /* its current thread */
    uint64_t reached;            /* end of the part of the window that is done */
    uint64_t readied;            /* the same for the causes of its ready time; at most `reached` */
    bool readies;                /* `ready_pieces` is set */
    uint64_t ready_pieces;       /* number of pieces of ready time that may still be read */
    unsigned settling;           /* current one of its distributions */
    bool opened;                 /* `open` is the row whose distributions are computed */
    struct tt_stat_row open;
    struct tt_event_numbers open_events; /* statistics of `open` */
    struct tt_selection selection;
    struct tt_job_walk jobs; /* of `open` */
    struct tt_job_samples job_samples;
    struct tt_run_union runs; /* of `open`, a process */
    uint32_t *members;        /* threads by process: those of p are [first[p], first[p + 1]) */
    uint32_t *first;
    struct tt_imposed *imposed; /* by thread; NULL: not wanted, or there are no messages */
    uint32_t imposed_count;
    bool *seen;             /* total: by process, whether a thread of it is counted */
    uint32_t process_count; /* number of `seen` */
    /* Pairs and events. */
    struct tt_pair_count *pairs;
    bool counted;          /* counting is complete */
    bool picking;          /* the most frequent ones are being selected */
    size_t passed;         /* number of pairs compared so far */
    size_t pickable;       /* number of those that qualify */
    size_t picked;         /* number of entries in picks[] */
    bool listing;          /* the entries are sorted and listed */
    size_t next_pick;      /* number of pairs at the next selection */
    struct tt_pair *picks; /* heap of request.row_limit entries */
    struct tt_heap_sort pick_sort;
    struct tt_event_stats *events;
    bool previews;                  /* rows of events are listed before they are complete */
    bool previewed;                 /* `preview` is at the end of the window */
    struct tt_event_stats *preview; /* the statistics that are listed until then, or NULL */
    struct tt_interrupt_stats *interrupts;
    struct tt_interrupt_numbers open_interrupt; /* statistics of `open` */
    struct tt_blames *blames;                   /* of blame and inversions */
    struct tt_message_counting *messages;
    uint32_t counted_number; /* generation of the timelines when `counted` was set */
    struct tt_message_list *list;
    struct tt_imposing *imposing;
    uint64_t client_systems; /* in which messages were sent, one bit each; valid with `imposed` */
    struct tt_object_counting *objects;
    struct tt_services *services;
    uint32_t objects_number; /* generation of their timelines */
    unsigned listed;         /* version of their rows that the sheet has */
    /* Inversions by the format's tool. */
    struct tt_tool_inversion *tool_list;
    size_t tool_count;
    size_t tool_capacity;
    bool tool_failed;    /* out of memory */
    char count_text[40]; /* "12 inversions" */
};

/* Returns the last line of the table. */
static inline struct tt_stat_row *tt_stat_builder_total(const struct tt_stat_builder *m)
{
    return m->sheet->total;
}
bool tt_stat_builder_includes(const struct tt_stat_builder *m, uint32_t thread);
/* Returns whether a thread counts: neither idle nor a pseudo thread. */
bool tt_stat_builder_counts(const struct tt_stat_builder *m, uint32_t thread);
/* Subtracts from the remaining work; returns false if none is left. */
bool tt_sheet_spend(struct tt_stat_builder *m, uint64_t work);

/* sheet_threads.c */
/* Returns the threads of a row: its own, or those of its process. */
const uint32_t *tt_stat_builder_members(const struct tt_stat_builder *m,
                                        const struct tt_stat_row *row, uint32_t *count);
/* Adds a row with sums for each thread; idle ones only if `with_idle`. */
enum tt_made tt_sum_threads(struct tt_stat_builder *m, bool with_idle);
enum tt_made tt_make_threads(struct tt_stat_builder *m);
enum tt_made tt_make_processes(struct tt_stat_builder *m);
enum tt_made tt_make_total(struct tt_stat_builder *m);

/* sheet_order.c */
/*
 * Sorts the rows by run time, most first, in steps. Returns ALL when they are sorted; until then they
 * keep their order.
 */
enum tt_made tt_order_rows(struct tt_stat_builder *m);

/* sheet_jobs.c */
enum tt_made tt_make_jobs(struct tt_stat_builder *m);
/* Returns the deadline of a thread in ticks; 0: none. */
uint64_t tt_stat_deadline_of(const struct tt_stat_builder *m, uint32_t thread);

/* sheet_pairs.c */
enum tt_made tt_make_pairs(struct tt_stat_builder *m);

/* sheet_counts.c */
enum tt_made tt_make_cpus(struct tt_stat_builder *m);
enum tt_made tt_make_events(struct tt_stat_builder *m);
/* Returns the range and the filters of the request for a walk over events. */
struct tt_event_window tt_stat_builder_window(const struct tt_stat_builder *m);
/* List the rows counted so far; false if out of memory. */
bool tt_list_pairs(struct tt_stat_builder *m);
bool tt_list_events(struct tt_stat_builder *m);

/* sheet_interrupts.c */
enum tt_made tt_make_interrupts(struct tt_stat_builder *m);
bool tt_list_interrupts(struct tt_stat_builder *m);

/* sheet_blame.c */
enum tt_made tt_make_blames(struct tt_stat_builder *m);
/* Lists the rows counted so far, in steps, unless a step has begun to list the final ones. */
enum tt_made tt_refresh_blames(struct tt_stat_builder *m);

/* sheet_objects.c */
enum tt_made tt_make_objects(struct tt_stat_builder *m);

/* sheet_services.c */
enum tt_made tt_make_services(struct tt_stat_builder *m);
enum tt_made tt_refresh_services(struct tt_stat_builder *m);
unsigned tt_services_percent(const struct tt_stat_builder *m);
void tt_services_free(struct tt_services *services);

/* sheet_tool.c */
enum tt_made tt_make_tool(struct tt_stat_builder *m);

/* sheet_messages.c */
enum tt_made tt_make_messages(struct tt_stat_builder *m);

/* builder.c: the functions of these tables. */
enum tt_made tt_stat_builder_step(struct tt_table_run *run);
enum tt_made tt_stat_builder_refresh(struct tt_table_run *run);
unsigned tt_stat_builder_percent(const struct tt_table_run *run);
bool tt_stat_builder_shrink(struct tt_table_run *run, size_t *bytes);
void tt_stat_builder_end(struct tt_table_run *run);

/* The members that tables of struct tt_stat_row share. */
#define OF_STAT_ROWS                                                                               \
    .row_size = sizeof(struct tt_stat_row), .state_size = sizeof(struct tt_stat_builder),          \
    .settled = offsetof(struct tt_stat_row, settled), .clear = tt_stat_row_clear,                  \
    .step = tt_stat_builder_step, .refresh = tt_stat_builder_refresh,                              \
    .percent = tt_stat_builder_percent, .shrink = tt_stat_builder_shrink,                          \
    .end = tt_stat_builder_end

#endif
