/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls: the nested slices of threads as a tree of calls, and the sums of each name.
 *
 *      main  |-----------------------------|         main             total 30   self 12
 *      draw     |--------|   |---------|             main;draw        total 18   self 14
 *      swap       |--|                               main;draw;swap   total  4   self  4
 *
 * A call is a slice that is not asynchronous (tracetui/slices.h). Its caller is the slice one row below that
 * contains its begin. Calls of one process with the same names of all callers are one node of the tree:
 *
 *      total      time in these calls inside the window; what ends after its caller counts to the caller's end
 *      self       total without that of the nodes below
 *      run        the part of total in which the thread had a CPU, without interrupts; self_run alike
 *      count      calls that end in the window with a known begin and end; min, max and their sum are of these
 *
 * The sums of a name are those of all its nodes, except for total and run, which count a name that is its
 * own caller once. The inverted tree has the names as roots, and callers below what they call:
 *
 *      swap -> draw -> main                          each with what `swap` has on this path
 *
 * A call that is open at a loss ends there, so a call after the loss has no caller that began before it. Of two
 * callers that begin at the same tick one after the other, the second one has the calls of that tick.
 *
 * Owns its arrays; one thread. The walk reads published timelines, which may still grow.
 */
#ifndef TRACETUI_ANALYSIS_CALLS_H
#define TRACETUI_ANALYSIS_CALLS_H

#include "base/hash.h"
#include "tracetui/slices.h"

#define TT_NO_CALL UINT32_MAX

struct tt_call_sums {
    uint64_t total, self, run, self_run; /* ticks */
    uint64_t count;                      /* of the next four */
    uint64_t sum, min, max;
    uint64_t max_at;     /* when the longest ended */
    uint32_t max_thread; /* whose it was */
};

struct tt_call {
    uint32_t name; /* its index in `names` */
    uint32_t parent, child, next;
    uint32_t depth;
    struct tt_call_sums sums;
};

struct tt_call_name {
    uint32_t process; /* UINT32_MAX: of a thread without one */
    uint32_t type;    /* event type with the class and the name */
    uint32_t open;    /* of the walk: calls of the current thread that are open */
    struct tt_call_sums sums;
};

struct tt_calls_walk;

struct tt_calls {
    const struct tt_capture *capture;
    uint64_t from, to; /* window */
    struct tt_call *calls;
    size_t call_count, call_capacity;
    uint32_t first; /* root; the others follow by `next` */
    struct tt_call_name *names;
    size_t name_count, name_capacity;
    struct tt_hash by_name, by_call;
    bool is_inverted;
    bool has_run; /* the scheduling of a thread with calls is recorded */
    struct tt_calls_walk *walk;
};

enum tt_calls_walked { TT_CALLS_PART, TT_CALLS_ALL, TT_CALLS_NO_MEMORY };

/* Prepares for a window [from, to) of the capture. */
void tt_calls_begin(struct tt_calls *calls, const struct tt_capture *capture, uint64_t from,
                    uint64_t to);
/* Adds the calls of a thread in steps of about *work slices, which is reduced; PART: call it again. */
enum tt_calls_walked tt_calls_add(struct tt_calls *calls, const struct tt_timelines *timelines,
                                  uint32_t thread, uint64_t *work);
/* Makes the inverted tree of a complete one; false if out of memory. O(calls * depth). */
bool tt_calls_invert(const struct tt_calls *calls, struct tt_calls *inverted);
/* Orders the calls below each one, the largest total first, inverted the largest self; false if out of memory. O(n log n). */
bool tt_calls_sort(struct tt_calls *calls);
/* Returns the call after one in the order of the tree, TT_NO_CALL after the last. O(depth). */
uint32_t tt_calls_next(const struct tt_calls *calls, uint32_t call);
void tt_calls_free(struct tt_calls *calls);

#endif
