/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_internal: a sheet under construction, for the files that build its rows.
 *
 * A builder uses up the remaining work and returns whether the sheet is complete. Between steps it
 * stores times and row numbers, never positions in the timelines, which may be rebuilt. Belongs to
 * the sheet.
 */
#ifndef TRACETUI_ANALYSIS_SHEET_SHEET_INTERNAL_H
#define TRACETUI_ANALYSIS_SHEET_SHEET_INTERNAL_H

#include "analysis/messages/imposed.h"
#include "analysis/run_union.h"
#include "base/arena.h"
#include "base/heap.h"
#include "tracetui/blame.h"
#include "tracetui/interrupts.h"
#include "tracetui/message_list.h"
#include "tracetui/object_stats.h"
#include "tracetui/sheet.h"

enum tt_made { TT_MADE_PART, TT_MADE_ALL, TT_MADE_NO_MEMORY };

struct tt_stat_order;
struct tt_services;

struct tt_stat_builder {
    struct tt_stat_request request;
    const struct tt_capture *capture;
    const struct tt_timelines *t;
    struct tt_stat_sheet *sheet;
    uint64_t work; /* remaining work of this step */
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
    struct tt_arena packed;              /* the sheet's rows */
    struct tt_arena held;                /* earlier rows that the caller still uses */
    bool holds;                          /* the rows in `packed` are to be kept as `held` */
    bool refreshing;                     /* new_rows are those of a refresh, not of a step */
    const uint8_t **new_rows;            /* rows that will replace them; NULL: none */
    size_t new_count;
    struct tt_arena new_packed;
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

bool tt_stat_builder_includes(const struct tt_stat_builder *m, uint32_t thread);
/* Returns whether a thread counts: neither idle nor a pseudo thread. */
bool tt_stat_builder_counts(const struct tt_stat_builder *m, uint32_t thread);
/* Replaces the rows by room for `count` rows. These three return false if out of memory. */
bool tt_stat_builder_reserve(struct tt_stat_builder *m, size_t count);
bool tt_stat_builder_add(struct tt_stat_builder *m, const struct tt_stat_row *row);
/* Replaces a row. */
bool tt_stat_builder_put(struct tt_stat_builder *m, size_t index, const struct tt_stat_row *row);
void tt_stat_builder_free_rows(struct tt_stat_builder *m);
/*
 * List rows again in steps, while the sheet keeps those that it has: reserve room for `count` new rows,
 * add each of them, and replace the old rows by them. The first two return false if out of memory.
 */
bool tt_stat_builder_reserve_new(struct tt_stat_builder *m, size_t count);
bool tt_stat_builder_add_new(struct tt_stat_builder *m, const struct tt_stat_row *row);
void tt_stat_builder_use_new(struct tt_stat_builder *m);
void tt_stat_builder_free_new(struct tt_stat_builder *m);
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

#endif
