/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wakes: which thread or interrupt made a blocked thread ready, and how.
 *
 * A wake is the instant at which a thread leaves a blocked state (class ipc, lock, sleep or wait)
 * for ready, or for running directly. The index holds no wakes: each is found again from the events
 * before it. docs/causes.md defines waker and kind for each format. What the capture does not show
 * is unknown; nothing is guessed.
 *
 *      CPU 1   THRUNNING server   KER_CALL MSG_REPLYV   REPLY_MESSAGE   THREADY client
 *              ^ waker                                  ^ kind: reply   ^ wake
 *
 * Cost: one block decoded, rarely more; at most TT_WAKE_REACH events are read backwards. Times are
 * ticks. An object belongs to one thread, and uses the timelines as they were at tt_wakes_new.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_WAKES_H
#define TRACETUI_ANALYSIS_CAUSES_WAKES_H

#include "tracetui/timeline.h"
#include "tracetui/trace.h"

/* Events read backwards from a wake at most; a cause before them is unknown. */
#define TT_WAKE_REACH 4096u

enum tt_waker { TT_WAKER_UNKNOWN, TT_WAKER_THREAD, TT_WAKER_INTERRUPT };

#define TT_NO_VECTOR UINT64_MAX

struct tt_wake {
    uint64_t at;
    uint64_t vector; /* of an interrupt; TT_NO_VECTOR: not recorded */
    uint64_t object; /* address, rcvid or connection of the call; 0: none */
    uint32_t thread;
    uint32_t waker; /* thread number or TT_NO_THREAD */
    uint16_t state; /* the blocked state that ended */
    uint16_t cpu;   /* where the wake was recorded, or TT_NO_CPU */
    uint8_t by;     /* enum tt_waker */
    uint8_t kind;   /* enum tt_wake_kind */
    uint64_t pos;   /* tape position of the event that shows the wake; its key with `at` */
    bool has_event; /* `pos` is valid */
    bool has_since; /* by an interrupt whose entry, or delivery, is recorded: */
    uint64_t since; /* its key */
    uint64_t since_pos;
};

struct tt_wakes;

/* Returns a reader of wakes; NULL if out of memory. The trace outlives it and has timelines. */
struct tt_wakes *tt_wakes_new(struct tt_trace *trace);
void tt_wakes_free(struct tt_wakes *wakes);
/*
 * Enlarges the cache of wakes that were found, to at most 25 MB: explanations of all threads need
 * the wakes of a server again for each client. Call it before the first search.
 */
void tt_wakes_keep_many(struct tt_wakes *wakes);
/* Return what the reader reads. */
const struct tt_timelines *tt_wakes_timelines(const struct tt_wakes *wakes);
const struct tt_capture *tt_wakes_capture(const struct tt_wakes *wakes);
struct tt_events *tt_wakes_events(struct tt_wakes *wakes);
/*
 * Selects the system of a thread, of a merged capture: tt_wakes_events then reads its events alone. A
 * search for a thread or CPU selects it.
 */
void tt_wakes_search_in(struct tt_wakes *wakes, uint32_t thread);
struct tt_trace *tt_wakes_trace(struct tt_wakes *wakes);

/* Returns whether a class of states is one that wakes end: ipc, lock, sleep or wait. */
static inline bool tt_class_is_blocked(unsigned class_)
{
    return tt_class_is_waiting(class_) != 0;
}

/* Finds the wake that ends `blocked`, an interval that is not open and for which tt_ends_in_wake is true. */
void tt_wake_find(struct tt_wakes *wakes, const struct tt_interval *blocked, struct tt_wake *wake);

/*
 * Returns whether a thread waits for the answer to a message in an interval without a recorded state:
 * the thread leaves the CPU after the send, and does not run before the answer. Only for formats that
 * do not record waits for messages (BTrace). The wait ends at message->end. O(log n).
 */
struct tt_message;
bool tt_waits_for_answer(const struct tt_timelines *timelines, const struct tt_capture *capture,
                         const struct tt_interval *interval, struct tt_message *message);

/*
 * Returns whether a wake ends an interval: a blocked one, or one in which tt_waits_for_answer finds a
 * message with an end. tt_wake_find finds it if the interval is not open. O(log n).
 */
bool tt_ends_in_wake(const struct tt_timelines *timelines, const struct tt_capture *capture,
                     const struct tt_interval *interval);

/*
 * Returns whether records of a CPU are lost in (from, to], also in a loss that continues after
 * `to`. Reads at most TT_WAKE_REACH events after `to`. Times are ticks, less than UINT64_MAX.
 */
bool tt_wakes_lost(struct tt_wakes *wakes, uint64_t from, uint64_t to);

/*
 * Returns the innermost interrupt that is open on a CPU just after `ticks`; TT_NO_VECTOR if it is
 * not recorded within TT_WAKE_REACH events.
 */
uint64_t tt_wakes_interrupt_at(struct tt_wakes *wakes, uint16_t cpu, uint64_t ticks);

/* Returns the name of a kind: "reply". */
const char *tt_wake_kind_name(unsigned kind);

#endif
