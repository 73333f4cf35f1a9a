/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot: what every thread was doing at an instant, and what it waited for.
 *
 * The state at an instant T is that of the interval [start, end) with start <= T < end: all events at T
 * have happened. A thread waits for, as far as the capture shows it:
 *
 *      REPLY, SEND    the server that received, or receives, the message
 *      MUTEX          the holder at T
 *      JOIN           the joined thread
 *      ready          the thread that has the CPU
 *      any other      what ends the wait: a thread, an interrupt, a timer (`from_wake`)
 *
 * Following these links gives a chain. A cycle of waits that do not end in the capture is a
 * deadlock. docs/snapshot.md has the rules.
 *
 * Cost: two searches of events per blocked thread. Times are ticks. A snapshot owns its rows until
 * tt_snapshot_free, and belongs to one thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_SNAPSHOT_H
#define TRACETUI_ANALYSIS_CAUSES_SNAPSHOT_H

#include "analysis/causes/wakes.h"

/* Kinds of objects that a thread waits for. X(id, name in jsonl) */
#define TT_WAITS_FOR_INFO(X)                                                                       \
    X(TT_WAITS_FOR_NOTHING, "nothing")                                                             \
    X(TT_WAITS_FOR_THREAD, "thread")                                                               \
    X(TT_WAITS_FOR_CPU, "cpu") /* ready; `by` has the CPU, or an interrupt, or nothing */          \
    X(TT_WAITS_FOR_TIMER, "timer")                                                                 \
    X(TT_WAITS_FOR_INTERRUPT, "interrupt")                                                         \
    X(TT_WAITS_FOR_UNKNOWN, "unknown")

enum tt_waits_for {
#define X(id, name) id,
    TT_WAITS_FOR_INFO(X)
#undef X
};
const char *tt_waits_for_name(unsigned waits_for);

/* Activity of a thread at an instant, in the order of tables. An idle thread waits for its next message. */
enum tt_doing {
    TT_DOING_RUN,
    TT_DOING_READY,
    TT_DOING_BLOCKED, /* by a lock, or by the thread that has to answer */
    TT_DOING_WAIT,
    TT_DOING_IDLE,
};

struct tt_snapshot_row {
    uint64_t since;
    uint64_t until;
    uint64_t vector; /* of an interrupt, or TT_NO_VECTOR */
    uint32_t thread;
    uint32_t by;      /* or TT_NO_THREAD */
    int32_t priority; /* or TT_NO_PRIORITY */
    uint32_t depth;   /* links of the chain */
    uint16_t state;
    uint16_t cpu;      /* where it runs, for which it waits if ready, else of its last run */
    uint8_t class_;    /* enum tt_class */
    uint8_t waits_for; /* enum tt_waits_for */
    uint8_t doing;     /* enum tt_doing; of a thread that is not linked, as its state shows it */
    bool since_known;
    bool until_known;
    bool from_wake; /* what it waits for is known from the wake that ends the wait */
    bool deadlock;  /* part of a cycle of waits that do not end */
    bool linked;    /* what it waits for has been searched */
};

struct tt_snapshot {
    uint64_t at;
    struct tt_snapshot_row *rows; /* by process id, then thread id; idle and ended threads too */
    uint32_t count;
    uint32_t
        *row_of; /* by thread number: its row, or UINT32_MAX: it has none, or it is not known */
    uint32_t threads;
    uint32_t *order; /* thread numbers in the order of the rows */
    /* Until all states are known (`listed`), count is 0 and rows[place[n]] is that of thread n. */
    uint32_t *place;
    bool *known; /* by place: the state has been searched */
    uint32_t searched;
    bool listed;
    uint32_t reached; /* rows that tt_snapshot_step has linked */
    bool complete;    /* all rows are linked; depths and deadlocks are known */
};

/*
 * Computes the snapshot at `at`; empty before the first and after the last event. `*snapshot` is
 * {0} or the result of a previous call. Returns false if out of memory.
 */
bool tt_snapshot_make(struct tt_wakes *wakes, uint64_t at, struct tt_snapshot *snapshot);

/*
 * Does the same in steps, for a screen that follows a cursor. tt_snapshot_begin reuses the memory
 * of a previous call for the same capture; O(threads) without a search. tt_snapshot_step searches
 * the states of some threads, then links up to `rows` more rows: finds what they wait for; true
 * when it is complete.
 */
bool tt_snapshot_begin(struct tt_wakes *wakes, uint64_t at, struct tt_snapshot *snapshot);
bool tt_snapshot_step(struct tt_wakes *wakes, struct tt_snapshot *snapshot, uint32_t rows);
/*
 * Returns the row of a thread, whose state is searched if it is not known; NULL if it has none. A row
 * moves when the step returns that lists all rows.
 */
struct tt_snapshot_row *tt_snapshot_state(struct tt_wakes *wakes, struct tt_snapshot *snapshot,
                                          uint32_t thread);
/* Links a row and the rows of its chain; sets its depth and whether it is part of a deadlock. */
void tt_snapshot_link_chain(struct tt_wakes *wakes, struct tt_snapshot *snapshot,
                            struct tt_snapshot_row *row);
void tt_snapshot_free(struct tt_snapshot *snapshot);

/* Returns the row of the thread that a row waits for, or NULL. */
const struct tt_snapshot_row *tt_snapshot_next(const struct tt_snapshot *snapshot,
                                               const struct tt_snapshot_row *row);

/* Returns whether a row is the first one, in the order of the rows, of a deadlock. */
bool tt_snapshot_begins_deadlock(const struct tt_snapshot *snapshot,
                                 const struct tt_snapshot_row *row);
/* Appends a deadlock: "bank/1 debit MUTEX > bank/2 credit MUTEX > bank/1 debit". */
struct tt_text;
void tt_snapshot_put_cycle(struct tt_text *text, const struct tt_capture *capture,
                           const struct tt_snapshot *snapshot, const struct tt_snapshot_row *first);

/* The state of a CPU at an instant; `since` in ticks. */
struct tt_snapshot_cpu {
    uint32_t occupant; /* thread number or TT_OCCUPANT_* */
    uint64_t since;
    uint32_t interrupts; /* nesting depth */
    uint64_t vector;     /* of the innermost one, or TT_NO_VECTOR */
    bool has_call;       /* the thread is in a kernel call: an event of type `call` */
    uint32_t call;
};
/* Returns false if the CPU is not in the capture at that time. */
bool tt_snapshot_cpu(struct tt_wakes *wakes, uint64_t at, uint16_t cpu,
                     struct tt_snapshot_cpu *result);

#endif
