/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_sched: the contents of a scheduling record, old or new. Plain data; any thread.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_SCHED_H
#define TRACETUI_FORMAT_FXT_FXT_SCHED_H

#include "format/fxt/fxt_names.h"

struct tt_fxt_sched {
    uint32_t outgoing;         /* lane; of a wakeup: the waker */
    uint32_t incoming;         /* lane; of a wakeup: the woken thread */
    int16_t outgoing_priority; /* or TT_NO_PRIORITY */
    int16_t incoming_priority;
    int32_t outgoing_deadline; /* packed weight of a deadline thread, or 0 */
    int32_t incoming_deadline;
    bool outgoing_idle;
    bool incoming_idle;
};

/* Accepted CPU numbers: twice the maximum of Zircon's builds. */
#define TT_FXT_CPUS 1024u

#define TT_FXT_NO_SCHED                                                                            \
    {                                                                                              \
        TT_NO_THREAD, TT_NO_THREAD, TT_NO_PRIORITY, TT_NO_PRIORITY, 0, 0, false, false             \
    }

/*
 * The decoder's states of the outgoing thread, by the state in the record. A thread that leaves a
 * CPU as "running" or "new" (older kernels write ready so) is ready.
 */
extern const uint8_t tt_fxt_outgoing_states[16];

/* In a switch to or from no thread: records were lost, or the incoming thread ran before. */
#define TT_FXT_OUTGOING_LOST 15u

enum tt_fxt_state {
    TT_FXT_STATE_UNKNOWN,
    TT_FXT_STATE_READY,
    TT_FXT_STATE_RUNNING,
    TT_FXT_STATE_SUSPENDED,
    TT_FXT_STATE_BLOCKED,
    TT_FXT_STATE_DYING,
    TT_FXT_STATE_DEAD,
};

/*
 * Recent kernels pack the parameters of a deadline thread into its weight:
 *
 *      -(capacity * 10000 + deadline)        both in units of 10 us, 1 to 9999
 *
 * Its priority is above the weights of all fair threads; of two, that with the shorter deadline is the
 * more urgent one.
 */
#define TT_FXT_PACK           10000
#define TT_FXT_DEADLINE_UNIT  10000 /* ns */
#define TT_FXT_DEADLINE_FIRST (-(TT_FXT_PACK * TT_FXT_PACK - 1))
#define TT_FXT_DEADLINE_LAST  (-(TT_FXT_PACK + 1))
#define TT_FXT_FAIR_MOST      (INT16_MAX - TT_FXT_PACK)

static inline bool tt_fxt_is_deadline(int64_t weight)
{
    return weight >= TT_FXT_DEADLINE_FIRST && weight <= TT_FXT_DEADLINE_LAST &&
           weight % TT_FXT_PACK != 0;
}

/* Converts a weight of 32 bits to a priority of 16. */
static inline int16_t tt_fxt_priority_of(int64_t weight)
{
    if (tt_fxt_is_deadline(weight)) {
        return (int16_t)(INT16_MAX + weight % TT_FXT_PACK);
    }
    int64_t low = weight <= INT16_MIN ? INT16_MIN + 1 : weight;
    return (int16_t)(low > TT_FXT_FAIR_MOST ? TT_FXT_FAIR_MOST : low);
}

/* Returns the weight of a thread that has a priority. Any thread. */
int32_t tt_fxt_weight(const struct tt_capture *capture, uint32_t thread, int16_t priority);

/* Branch-free: *number = other if `is_to`. */
static inline void tt_fxt_set_if(bool is_to, int16_t other, int16_t *number)
{
    *number = (int16_t)(*number ^ ((*number ^ other) & -(int)is_to));
}

/* Stores the number of an argument. Branch-free, as the roles alternate. */
static inline void tt_fxt_store_weight(unsigned role, int64_t weight, struct tt_fxt_sched *sched)
{
    bool idle = weight == INT32_MIN;
    int16_t priority = idle ? TT_NO_PRIORITY : tt_fxt_priority_of(weight);
    bool incoming = role == TT_FXT_WEIGHT_INCOMING, outgoing = role == TT_FXT_WEIGHT_OUTGOING;
    sched->incoming_idle = (incoming & idle) | (!incoming & sched->incoming_idle);
    sched->outgoing_idle = (outgoing & idle) | (!outgoing & sched->outgoing_idle);
    if ((incoming | outgoing) & tt_fxt_is_deadline(weight)) {
        *(incoming ? &sched->incoming_deadline : &sched->outgoing_deadline) = (int32_t)weight;
    }
    tt_fxt_set_if(incoming, priority, &sched->incoming_priority);
    tt_fxt_set_if(outgoing, priority, &sched->outgoing_priority);
}

/*
 * Adds the action of a switch or a wakeup for the batch's last event. `state` is the number in the
 * record. Branch-free: which of the two follows is unpredictable.
 */
static inline void tt_fxt_add_sched(const struct tt_fxt_sched *sched, bool is_switch, uint16_t cpu,
                                    unsigned state, struct tt_batch *batch)
{
    struct tt_action *action =
        tt_fxt_action(batch, is_switch ? TT_ACTION_SWITCH : TT_ACTION_WAKEUP, sched->incoming);
    if (action) {
        bool left = is_switch & (sched->outgoing != TT_NO_THREAD);
        uint8_t outgoing_state = tt_fxt_outgoing_states[state & 15];
        action->value = tt_action_left_with(sched->outgoing_priority) & -(uint64_t)left;
        action->other = sched->outgoing;
        action->cpu = cpu;
        action->state = is_switch ? outgoing_state : TT_FXT_STATE_READY;
        action->priority = sched->incoming_priority;
    }
}

#endif
