/* SPDX-License-Identifier: Apache-2.0 */
/*
 * action: the effects of events on threads and CPUs; the only input of timelines.
 *
 * A decoder writes zero or more actions with each event. An action repeats the content of the
 * record in terms of the format's own states. The timelines derive the rest: the displaced thread
 * becomes ready, an interval ends. The time and position of the event are the action's key, and
 * actions are applied in key order. Plain data; any thread.
 */
#ifndef TRACETUI_ACTION_H
#define TRACETUI_ACTION_H

#include <stdint.h>

/* Classes of thread states; colours, glyphs and sums depend on the class. X(id, name) */
#define TT_CLASS_INFO(X)                                                                           \
    X(TT_CLASS_UNKNOWN, "unknown")                                                                 \
    X(TT_CLASS_RUNNING, "running")                                                                 \
    X(TT_CLASS_READY, "ready")                                                                     \
    X(TT_CLASS_IPC, "ipc")                                                                         \
    X(TT_CLASS_LOCK, "lock")                                                                       \
    X(TT_CLASS_SLEEP, "sleep")                                                                     \
    X(TT_CLASS_WAIT, "wait")                                                                       \
    X(TT_CLASS_STOPPED, "stopped")                                                                 \
    X(TT_CLASS_DEAD, "dead")                                                                       \
    X(TT_CLASS_CONDITION, "condition")

enum tt_class {
#define X(id, name) id,
    TT_CLASS_INFO(X)
#undef X
        TT_CLASS_COUNT
};

/*
 * Returns whether threads in a class wait for something. A condition is a synchronization object
 * that another thread signals; sums and filters count it as a lock (tt_class_is_lock).
 */
static inline int tt_class_is_waiting(unsigned class_)
{
    return class_ == TT_CLASS_IPC || class_ == TT_CLASS_LOCK || class_ == TT_CLASS_CONDITION ||
           class_ == TT_CLASS_SLEEP || class_ == TT_CLASS_WAIT;
}

static inline int tt_class_is_lock(unsigned class_)
{
    return class_ == TT_CLASS_LOCK || class_ == TT_CLASS_CONDITION;
}

/* Returns the name of a class; a constant. */
const char *tt_class_name(unsigned class_);

enum tt_action_kind {
    TT_ACTION_STATE,  /* `thread` is now in `state`; RUNNING: on `cpu`. `value`: the previous
                         state, if the record has it */
    TT_ACTION_SWITCH, /* on `cpu`, `other` left in `state` and `thread` runs (TT_NO_THREAD:
                         idle); `value`: 0, or the priority of `other` (tt_action_left_with) */
    TT_ACTION_WAKEUP, /* `thread` was made ready, by `other` if known */
    TT_ACTION_INTERRUPT_ENTER, /* on `cpu`; `value`: interrupt number */
    TT_ACTION_INTERRUPT_LEAVE, /* on `cpu`; `value`: interrupt number */
    TT_ACTION_THREAD_CREATE,   /* `thread` begins */
    TT_ACTION_THREAD_DESTROY,  /* `thread` ends */
    TT_ACTION_PROCESS_CREATE,  /* `value`: process number */
    TT_ACTION_PROCESS_DESTROY, /* `value`: process number */
    TT_ACTION_PRIORITY,        /* `thread` now has `priority` */
    TT_ACTION_MESSAGE_SEND,    /* `thread` sent to process `other` and waits for an answer; id
                                  `value` */
    TT_ACTION_MESSAGE_RECEIVE, /* `thread` received; id `value`; `other`: pid of the receiver, if
                                  recorded: `thread` is unknown if it is of another process */
    TT_ACTION_MESSAGE_REPLY,   /* `thread` answered thread `other`, or, if that is not recorded,
                                  the message with id `value` */
    TT_ACTION_POST,            /* `thread` sent to process `other` without waiting; id `value` */
    TT_ACTION_TAKE,            /* `thread` received the oldest of them with id `value`; `other` as
                                  in RECEIVE. Of POST and TAKE, `state`: 0, or messages in the queue
                                  before, + 1; a POST to an empty queue (1) loses all earlier
                                  ones. FAILED: the messages in the queue are not known */
    TT_ACTION_CHANNEL,         /* `thread` now receives from channel `value` */
    TT_ACTION_ERROR_CODE,      /* `thread` answers a message with the error `other` */
    TT_ACTION_LOCK_WAIT,       /* `thread` requests object `value`; `other`: its owner, as
                                  tt_references.is_owner reads it, or TT_NO_THREAD; `state`: enum
                                  tt_object_kind */
    TT_ACTION_LOCK_FREE,       /* `thread` releases object `value` of kind `state` */
    TT_ACTION_CALL, /* `thread` enters a call in which it would wait in `state`; 0: leaves it */
    TT_ACTION_SLICE_BEGIN, /* slice on `thread` begins, id `value`; its name is event type
                                  `other` */
    TT_ACTION_SLICE_END,   /* innermost open slice of `thread` with id `value` ends */
    TT_ACTION_SLICE,       /* complete slice on `thread` of `value` ticks; name as above */
    TT_ACTION_ASYNC_BEGIN, /* id `value`; name as above */
    TT_ACTION_ASYNC_END,   /* ends the newest one with the same id and name */
    TT_ACTION_COUNTER,     /* series `other` changes to `value` (bits of a double) */
    TT_ACTION_FLOW_BEGIN,  /* id `value`, from `thread` */
    TT_ACTION_FLOW_STEP,
    TT_ACTION_FLOW_END,
    TT_ACTION_LOST_SLICES, /* records lost that belong to slices and counters of stream `state`;
                              `value` as in LOST */
    TT_ACTION_LOST, /* records lost on the stream of `cpu` (TT_NO_CPU: all); `value`: ticks of
                       the last event before the loss, after which the state is unknown; 0: not
                       recorded. `other`: number of the system (struct tt_process, space), or
                       TT_NO_THREAD: of all */
    TT_ACTION_NOTE, /* the program's own event of type `other` (tt_batch_note) */
};

#define TT_ACTION_NONE 63 /* not a kind of action: never wanted (tt_batch_act) */

/* The first two: of THREAD_CREATE for the list of existing threads that some kernels write. */
enum tt_action_flag {
    TT_ACTION_ANNOUNCED = 1 << 0,  /* listed at the start of the trace: the thread was already in
                                      the following state, since an unknown time; no switch, no
                                      wake-up */
    TT_ACTION_REPEATED = 1 << 1,   /* listed at the end of a ring: changes nothing */
    TT_ACTION_RAN_BEFORE = 1 << 2, /* of a running state: the thread already ran, since an unknown
                                      time. Of a switch: the same if it is the first on the CPU. Of
                                      another state: the thread was already in it, if it is the
                                      first that is known */
    TT_ACTION_FAILED = 1 << 3,     /* of a reply: it is an error */
    TT_ACTION_MAY_EXIST = 1 << 4,  /* of THREAD_CREATE: it may be written again for a living thread,
                                      whose state it leaves unchanged */
    TT_ACTION_BY_CALL = 1 << 5, /* of a switch: the state of `other` is that of its call, if it is
                                      in one: that may have begun on another CPU */
    TT_ACTION_ALONE = 1 << 6,   /* of the begin of a slice: an earlier one that is open has lost its
                                      end. Of an end: the slice may have ended, or not begun */
    TT_ACTION_LENGTH = 1 << 7,  /* of such an end: the slice has lasted `value` ticks */
};

#define TT_NO_PRIORITY       INT16_MIN
#define TT_ACTIONS_PER_EVENT 24 /* maximum; an FXT counter event has 15 series */

/* Five words: the reorder buffer holds many actions, so their size costs cache misses. */
struct tt_action {
    uint64_t ticks; /* key of the event: time and position */
    uint64_t pos;
    uint64_t value;
    uint32_t thread;  /* thread number or TT_NO_THREAD */
    uint32_t other;   /* second thread, or as described for the kind; or TT_NO_THREAD */
    uint16_t cpu;     /* CPU number or TT_NO_CPU */
    int16_t priority; /* or TT_NO_PRIORITY */
    uint16_t state;   /* number of the format's own state (tt_format.states); for slices,
                         counters and LOST_SLICES: number of their stream */
    uint8_t kind;     /* enum tt_action_kind */
    uint8_t flags;    /* enum tt_action_flag */
};

/* Returns the `value` of a switch whose record has the priority of the thread that left. */
static inline uint64_t tt_action_left_with(int16_t priority)
{
    uint64_t given = priority != TT_NO_PRIORITY;
    return (given << 16 | (uint16_t)priority) & -given;
}

/* Returns the priority in such a `value`; TT_NO_PRIORITY if the record had none. */
static inline int16_t tt_action_left_priority(uint64_t value)
{
    return value >> 16 ? (int16_t)(uint16_t)value : (int16_t)TT_NO_PRIORITY;
}

#endif
