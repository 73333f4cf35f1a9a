/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stat_rows: the row that tables without a row type of their own share.
 */
#ifndef TRACETUI_STAT_ROWS_H
#define TRACETUI_STAT_ROWS_H

#include "tracetui/format.h"
#include "tracetui/job_stats.h"
#include "tracetui/ready_by.h"
#include "tracetui/stats.h"
#include "tracetui/tool_rows.h"

/*
 * CPU time by client of a row of threads or processes, in ticks, as in struct tt_message_stat. Of a
 * process: sums over its threads.
 */
struct tt_stat_clients {
    uint64_t known; /* 1: computed; the capture has messages */
    uint64_t self;
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
    uint64_t unserved; /* only of tt_table_imposed, as is `total` */
    uint64_t total;
};

/* A value that the capture does not contain: null in JSON, empty in CSV, - in the table. */
#define TT_TABLE_NONE UINT64_MAX

/* Values of the rows of blame and inversions. */
struct tt_stat_blame {
    const char *by; /* what is charged in a row without a thread `to` */
    const char *cause;
    uint64_t vector; /* of an interrupt; of inversions: the object */
    uint64_t ready;
    uint64_t blocked;
    uint64_t total;
    uint64_t from;
    uint64_t to;
    uint64_t begin; /* inversions by the format's tool: rows of the events at `from` and `to` */
    uint64_t end;
};

/* Values of the rows of messages. */
struct tt_stat_messages {
    const char *kind;  /* "post" or "": a message; of a single message, its end */
    const char *error; /* name of the most frequent error, or "" */
    uint64_t error_number;
    uint64_t queue_busy; /* parts of the queue times in `queue`, where they are known */
    uint64_t queue_sched;
    uint64_t errors;
    uint64_t system; /* of a merged capture, in which they were sent */
    struct tt_distribution round;
    struct tt_distribution queue;
    struct tt_distribution service;
    struct tt_distribution back;
    uint64_t class_ticks[TT_CLASS_COUNT]; /* parts of the service, as in struct tt_message_stat */
    uint64_t irq;
    uint64_t known;
    uint64_t busy;
    uint64_t waiting;
    uint64_t waiting_max;
    uint64_t serving_max;
    /* Of pairs of processes, see tt_table_request.with_clients. */
    uint64_t has_cpu; /* 1: these are computed */
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
};

/* Values of the rows of objects. */
struct tt_stat_objects {
    uint64_t waits;
    struct tt_distribution wait;
    struct tt_distribution hold;
    uint64_t contended;
    uint64_t waiting;
    uint64_t waiting_max;
    uint32_t waiter;      /* thread of the longest wait, or TT_NO_THREAD; so are the others */
    uint32_t wait_holder; /* released it last in that wait */
    uint32_t holder;      /* of the longest hold */
    uint32_t system;      /* of the object */
};

/* Values of the rows of interrupts; the others are in `e` and `number`. */
struct tt_stat_interrupts {
    struct tt_distribution handler;
    uint64_t nested;
    uint64_t depth;
    uint64_t wakes;
    uint64_t threads;
    const char *woken;
    unsigned system; /* in which they happen */
};

/* Values of the rows of tables of the format's tool. */
struct tt_stat_tool {
    const char *kind;
    const char *name;
    uint64_t v[TT_TOOL_VALUES];
};

struct tt_stat_row {
    uint32_t thread;  /* thread number or TT_NO_THREAD; of a message the client */
    uint32_t process; /* of a message that of the server */
    uint32_t from;    /* pairs: thread numbers or TT_OCCUPANT_*; inversions: the holder */
    uint32_t to;      /* of blame and inversions: the thread that a row is charged to; of a message
                      the receiver */
    uint32_t peer;    /* client process of messages */
    uint16_t cpu;
    bool is_total;
    bool settled;  /* the distributions are computed; before that only the sums are */
    uint64_t idle; /* 1: idle thread */
    int32_t priority;
    int32_t priority_min;
    int32_t priority_max;
    uint64_t threads;
    uint64_t run;
    uint64_t out;
    uint64_t count;
    uint64_t first_at; /* pairs only: time of the first switch */
    uint64_t window;
    uint64_t events;
    uint64_t processes;
    uint64_t cpus;
    uint64_t post;    /* 1: messages whose sender does not wait; of an object its kind */
    uint64_t number;  /* of the connection, object or interrupt; TT_TABLE_NONE: unknown */
    uint64_t channel; /* of messages; TT_TABLE_NONE: unknown */
    uint64_t begin;   /* of a single message: its first known step */
    uint64_t length;  /* from there to its last one */
    union {
        struct {
            struct tt_numbers n;
            struct tt_ready_by ready_by; /* settled rows only */
            struct tt_stat_clients clients;
        };
        struct tt_stat_messages m; /* of tables of messages */
        struct tt_stat_objects o;  /* of the table of objects */
        struct tt_stat_interrupts i;
        struct tt_stat_tool tool;
    };
    struct tt_cpu_sums c;
    struct tt_totals totals;
    struct tt_thread_totals own; /* TT_NO_TOTAL: not provided by the format */
    struct tt_stat_blame b;
    struct tt_event_numbers e;
    struct tt_job_numbers j;
    size_t event; /* of events, interrupts and messages: index in the statistics */
};

/* Sets all values of a row to none. */
void tt_stat_row_clear(void *row);

#endif
