/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain: what a thread spent an interval on, and what kept it from running.
 *
 * The result is a partition: the pieces that are not waits cover the interval exactly, in order of
 * time. A wait that a thread ended is followed by the pieces of that thread during the wait, one
 * level deeper. docs/causes.md has the rules.
 *
 *      client   | running | blocked: reply by server ................ | ready | running |
 *      server             | ready | running | blocked: mutex ..| run |
 *      holder                               | ready | running  |
 *
 * Bounds. At most TT_EXPLAIN_DEPTH levels (cause `deep` below them), TT_EXPLAIN_PIECES pieces and
 * TT_EXPLAIN_STEPS steps (cause `cut` after them). Times are ticks. One thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_EXPLAIN_H
#define TRACETUI_ANALYSIS_CAUSES_EXPLAIN_H

#include "analysis/causes/wakes.h"

#define TT_EXPLAIN_DEPTH  64u
#define TT_EXPLAIN_PIECES 65536u
#define TT_EXPLAIN_STEPS  (UINT32_C(1) << 20)

/* Causes. X(id, name in jsonl, text for the user) */
#define TT_CAUSE_INFO(X)                                                                           \
    X(TT_CAUSE_WORK, "work", "ran")                                                                \
    X(TT_CAUSE_GUEST, "guest", "ran the guest")                                                    \
    X(TT_CAUSE_STEAL, "steal", "was off the host's CPUs")                                          \
    X(TT_CAUSE_HIGHER, "higher", "had the CPU: more urgent")                                       \
    X(TT_CAUSE_EQUAL, "equal", "had the CPU: equally urgent")                                      \
    X(TT_CAUSE_LOWER, "lower", "had the CPU: less urgent")                                         \
    X(TT_CAUSE_OCCUPIED, "occupied", "had the CPU")                                                \
    X(TT_CAUSE_INTERRUPT, "interrupt", "interrupt")                                                \
    X(TT_CAUSE_KERNEL, "kernel", "the kernel had the CPU")                                         \
    X(TT_CAUSE_IDLE, "idle", "the CPU was free: dispatch")                                         \
    X(TT_CAUSE_TIMER, "timer", "until its timer expired")                                          \
    X(TT_CAUSE_UNKNOWN, "unknown", "not in the capture")                                           \
    X(TT_CAUSE_UNFINISHED, "unfinished", "did not end in the capture")                             \
    X(TT_CAUSE_STOPPED, "stopped", "was stopped")                                                  \
    X(TT_CAUSE_DEAD, "dead", "had ended")                                                          \
    X(TT_CAUSE_HANDOVER, "handover", "handed over in the kernel")                                  \
    X(TT_CAUSE_CYCLE, "cycle", "deadlock")                                                         \
    X(TT_CAUSE_DEEP, "deep", "too many levels")                                                    \
    X(TT_CAUSE_CUT, "cut", "too many pieces")

enum tt_cause {
#define X(id, name, text) id,
    TT_CAUSE_INFO(X)
#undef X
        TT_CAUSE_COUNT
};

/* Return the name and the text of a cause. */
const char *tt_cause_name(unsigned cause);
const char *tt_cause_text(unsigned cause);

enum tt_piece_flag {
    TT_PIECE_WAIT = 1 << 0,       /* a wait that the pieces after it, one level deeper, explain */
    TT_PIECE_UNFINISHED = 1 << 1, /* of a wait: it did not end in the capture; `by` is what it
                                     waits for */
    TT_PIECE_INVERSION = 1 << 2,  /* `by` is less urgent than the thread of depth 0 */
    /* Part of the wait for an answer that the piece, or the innermost such level above, is in: */
    TT_PIECE_QUEUED = 1 << 3, /* the server has not received the message */
    TT_PIECE_SERVED = 1 << 4, /* it has */
};

struct tt_piece {
    uint64_t from;
    uint64_t to;
    uint64_t vector; /* of an interrupt, or TT_NO_VECTOR */
    uint64_t object; /* of the wake, or 0 */
    uint32_t thread;
    uint32_t by;    /* thread that the piece is charged to, or TT_NO_THREAD; of a wait: its waker */
    uint16_t state; /* of `thread` */
    uint16_t cpu;   /* where it ran or was ready, where the interrupt was; or TT_NO_CPU */
    uint8_t depth;
    uint8_t cause; /* enum tt_cause; of a wait: UNKNOWN */
    uint8_t kind;  /* enum tt_wake_kind of the wake that led here; UNKNOWN: none, or not known */
    uint8_t flags; /* enum tt_piece_flag */
};

/* The thread, interrupt or cause that a piece is charged to. */
struct tt_charge {
    uint64_t vector; /* of an interrupt or timer, or TT_NO_VECTOR */
    uint32_t by;     /* thread, or TT_NO_THREAD */
    uint16_t cpu;    /* of `interrupt`; otherwise TT_NO_CPU */
    uint8_t cause;   /* enum tt_cause; of an inversion: LOWER */
    bool inversion;  /* `by` is less urgent than the thread that is explained */
};

struct tt_charge tt_charge_of(const struct tt_piece *piece);
/* Compares two charges in some fixed order: <0, 0, >0. */
int tt_charge_compare(const struct tt_charge *left, const struct tt_charge *right);

/* Sums over pieces by what they are charged to, longest first. */
struct tt_late_by {
    struct tt_charge charge;
    uint64_t ticks;
};

/* Returns "queued", "served", or NULL: the part of a message wait that a piece is in. */
const char *tt_piece_part(const struct tt_piece *piece);

/* Starts as {0}; owns its arrays until tt_explanation_free. */
struct tt_explanation {
    uint32_t thread;
    uint64_t from;
    uint64_t to;
    struct tt_piece *pieces;
    size_t count;
    size_t capacity;
    struct tt_late_by *late;
    size_t late_count;
    size_t late_capacity;
};

struct tt_explain_request {
    uint32_t thread;
    uint64_t from;
    uint64_t to;
    unsigned depth;     /* levels; 0: TT_EXPLAIN_DEPTH, the maximum */
    size_t piece_limit; /* 0: TT_EXPLAIN_PIECES */
};

/*
 * Explains [from, to) of a thread and replaces what `result` had. Time outside the thread's lane is
 * `unknown`. Returns false if out of memory.
 */
bool tt_explain(struct tt_wakes *wakes, const struct tt_explain_request *request,
                struct tt_explanation *result);

/*
 * Does the same in steps, for a screen. Between two steps `result` has the pieces so far, in order,
 * and their sums; the last piece may still grow. A step of N pieces makes about N pieces, and finds
 * at most N wakes. `w`, its timelines and `result` outlive the explanation. tt_explain_begin
 * returns NULL if out of memory; tt_explain_end frees, NULL included.
 */
struct tt_explaining;

enum tt_explain_state { TT_EXPLAIN_PART, TT_EXPLAIN_DONE, TT_EXPLAIN_NO_MEMORY };

struct tt_explaining *tt_explain_begin(struct tt_wakes *wakes,
                                       const struct tt_explain_request *request,
                                       struct tt_explanation *result);
enum tt_explain_state tt_explain_step(struct tt_explaining *explaining, uint32_t pieces);
void tt_explain_end(struct tt_explaining *explaining);

void tt_explanation_free(struct tt_explanation *result);

/*
 * Finds the interval that `why` explains for a thread at a time: of a ready state that state, of a
 * blocked state from blocking to running again, of a running state from the wake that led to it to
 * its end. *state is the state at that time. Returns false if the thread has no state then.
 */
bool tt_explain_default(const struct tt_timelines *timelines, uint32_t thread, uint64_t at,
                        uint64_t *from, uint64_t *to, uint16_t *state);

/* ---- which intervals ---------------------------------------------------------------------- */

/* X(id, word, what it is) */
#define TT_LATE_INFO(X)                                                                            \
    X(TT_LATE_DELAY, "delay")         /* ready after a blocked state, until it runs */             \
    X(TT_LATE_WAIT, "wait")           /* blocked, and ready after that, until it runs */           \
    X(TT_LATE_REPLY, "reply")         /* of these, for a reply */                                  \
    X(TT_LATE_LOCK, "lock")           /* of these, for a lock */                                   \
    X(TT_LATE_PREEMPTED, "preempted") /* ready after running, until it runs again */               \
    X(TT_LATE_RESPONSE, "response")   /* a job, from ready to its end (jobs.h) */                  \
    X(TT_LATE_MESSAGE, "message")     /* a message that its sender waits for: its round */

enum tt_late {
#define X(id, word) id,
    TT_LATE_INFO(X)
#undef X
        TT_LATE_COUNT
};

/* The kinds of intervals of which the worst can be explained: late ones, and these. X(id, word) */
#define TT_WORST_INFO(X)                                                                           \
    TT_LATE_INFO(X)                                                                                \
    X(TT_WORST_INVERSION, "inversion") /* of priorities (blame.h) */                               \
    X(TT_WORST_MISS, "miss")           /* of a deadline: by how much */

enum tt_worst { TT_WORST_INVERSION = TT_LATE_COUNT, TT_WORST_MISS, TT_WORST_COUNT };

/* An interval to explain; `state` is its last blocked state, or ready; of a message: 0. */
struct tt_late_interval {
    uint64_t from;
    uint64_t to;
    uint32_t thread;
    uint16_t state;
};

/*
 * Returns <0 if `left` is worse than `right`: longer, then earlier, then of the lower thread number; 0 if
 * they are the same.
 */
int tt_late_compare(const struct tt_late_interval *left, const struct tt_late_interval *right);

/*
 * Calls `take` for every interval of a kind of one thread that ends in [from, to), in order of time,
 * until it returns false. Returns false then. O(intervals of the thread).
 */
bool tt_late_intervals(const struct tt_timelines *timelines, const struct tt_capture *capture,
                       enum tt_late what, uint32_t thread, uint64_t from, uint64_t to,
                       bool (*take)(void *arg, const struct tt_late_interval *interval), void *arg);

/*
 * Does the same for intervals that last at least *least ticks; shorter ones may be among them.
 * `take` may raise *least. Long ready states are found by the sums of the timelines: for delays and
 * preempted waits this takes O(intervals / TT_INTERVALS) and 2 * TT_INTERVALS for each that is
 * found.
 */
bool tt_late_intervals_long(const struct tt_timelines *timelines, const struct tt_capture *capture,
                            enum tt_late what, uint32_t thread, uint64_t from, uint64_t to,
                            const uint64_t *least,
                            bool (*take)(void *arg, const struct tt_late_interval *interval),
                            void *arg);

struct tt_job_ends;
/* Does the same for the jobs that end in the states `ends` (tt_job_ends_parse of jobs.h). */
bool tt_late_jobs(const struct tt_timelines *timelines, const struct tt_capture *capture,
                  const struct tt_job_ends *ends, uint32_t thread, uint64_t from, uint64_t to,
                  bool (*take)(void *arg, const struct tt_late_interval *interval), void *arg);

#endif
