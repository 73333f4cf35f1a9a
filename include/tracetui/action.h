/* SPDX-License-Identifier: Apache-2.0 */
/*
 * action: what an event means for threads and CPUs, the only thing that timelines understand.
 *
 * A decoder writes zero or more actions with each event. They say what the record says, in the
 * words of the format's own states; what follows from it (that the displaced thread is ready,
 * when an interval ends) is the timelines' business. An action has the time and the position of the
 * event it came with: that is its key, and what it is fed by. Plain data; any thread.
 */
#ifndef TRACETUI_ACTION_H
#define TRACETUI_ACTION_H

#include <stdint.h>

/* The class of a thread state: colours, glyphs and sums go by it. X(id, name) */
#define TT_CLASS_INFO(X)                                                                           \
    X(TT_CLASS_UNKNOWN, "unknown")                                                                 \
    X(TT_CLASS_RUNNING, "running")                                                                 \
    X(TT_CLASS_READY, "ready")                                                                     \
    X(TT_CLASS_IPC, "ipc")                                                                         \
    X(TT_CLASS_LOCK, "lock")                                                                       \
    X(TT_CLASS_SLEEP, "sleep")                                                                     \
    X(TT_CLASS_WAIT, "wait")                                                                       \
    X(TT_CLASS_STOPPED, "stopped")                                                                 \
    X(TT_CLASS_DEAD, "dead")

enum tt_class {
#define X(id, name) id,
    TT_CLASS_INFO(X)
#undef X
        TT_CLASS_COUNT
};

const char *tt_class_name(unsigned class_);

enum tt_action_kind {
    TT_ACTION_STATE,  /* `thread` is now in `state`; RUNNING: on `cpu`. `value` may hold the
                         state before, where the record says it */
    TT_ACTION_SWITCH, /* `cpu`: `other` left in `state`; `thread` came, or none: idle; `value`: 0,
                         or the priority of `other` (tt_action_left_with) */
    TT_ACTION_WAKEUP, /* `thread` was made ready, by `other` if known */
    TT_ACTION_INTERRUPT_ENTER, /* on `cpu`, number `value` */
    TT_ACTION_INTERRUPT_LEAVE, /* on `cpu`, number `value` */
    TT_ACTION_THREAD_CREATE,   /* `thread` begins */
    TT_ACTION_THREAD_DESTROY,  /* `thread` ends */
    TT_ACTION_PROCESS_CREATE,  /* `value`: number of the process */
    TT_ACTION_PROCESS_DESTROY, /* `value`: number of the process */
    TT_ACTION_PRIORITY,        /* `thread` has `priority` */
    TT_ACTION_MESSAGE_SEND,    /* `thread` sent to process or thread `other`; id `value` */
    TT_ACTION_MESSAGE_RECEIVE, /* `thread` received; id `value` */
    TT_ACTION_MESSAGE_REPLY,   /* `thread` replied to thread `other`; id `value` */
    TT_ACTION_LOCK_WAIT,       /* `thread` asks for lock `value`, held by `other` if known */
    TT_ACTION_LOCK_FREE,       /* `thread` gives back lock `value` */
    TT_ACTION_SLICE_BEGIN,     /* a duration on `thread`, id `value`; its name is the event type
                                  `other` */
    TT_ACTION_SLICE_END,       /* the innermost open duration of `thread` with id `value` ends */
    TT_ACTION_SLICE,           /* a whole duration on `thread` of `value` ticks; name: as above */
    TT_ACTION_ASYNC_BEGIN,     /* id `value`; name: as above */
    TT_ACTION_ASYNC_END,       /* ends the last one of the same id and name */
    TT_ACTION_COUNTER,         /* series `other` now stands at `value` (bits of a double) */
    TT_ACTION_FLOW_BEGIN,      /* id `value`, from `thread` */
    TT_ACTION_FLOW_STEP,
    TT_ACTION_FLOW_END,
    TT_ACTION_LOST_SLICES, /* the same of slices and counters: those of stream `state` */
    TT_ACTION_LOST, /* records lost on `cpu`'s stream (TT_NO_CPU: on all); `value`: ticks of the
                       last event before them, from which on nothing is known; 0: not known */
    TT_ACTION_NOTE, /* the program's own event, of type `other` (tt_batch_note) */
};

#define TT_ACTION_NONE 63 /* no kind of action: never wanted (tt_batch_act) */

/* Of THREAD_CREATE: the list of what exists, which some kernels write. */
enum tt_action_flag {
    TT_ACTION_ANNOUNCED = 1 << 0,  /* told when tracing began: the thread's state that follows held
                                      before, since when is not known; no switch, no wakeup */
    TT_ACTION_RETOLD = 1 << 1,     /* told at the end of a ring: changes nothing */
    TT_ACTION_RAN_BEFORE = 1 << 2, /* of a state: the thread ran already, since when is not known.
                                      Of a switch: so it may be if it is the CPU's first one */
};

#define TT_NO_PRIORITY       INT16_MIN
#define TT_ACTIONS_PER_EVENT 24 /* at most; an FXT counter event has 15 series */

/* Five words: many are held back while a capture is indexed, and go round in the cache. */
struct tt_action {
    uint64_t ticks; /* of its event, as is the next */
    uint64_t pos;
    uint64_t value;
    uint32_t thread;  /* thread number or TT_NO_THREAD */
    uint32_t other;   /* a second thread, or what the kind says; or TT_NO_THREAD */
    uint16_t cpu;     /* or TT_NO_CPU */
    int16_t priority; /* or TT_NO_PRIORITY */
    uint16_t state;   /* number of the format's own state (tt_format.states); of slices, counters
                         and LOST_SLICES: of the stream that tells of them */
    uint8_t kind;     /* enum tt_action_kind */
    uint8_t flags;    /* enum tt_action_flag */
};

/* The `value` of a switch whose record gives the priority of the thread that left. */
static inline uint64_t tt_action_left_with(int16_t priority)
{
    uint64_t given = priority != TT_NO_PRIORITY;
    return (given << 16 | (uint16_t)priority) & -given;
}

/* That priority; TT_NO_PRIORITY where none was given. */
static inline int16_t tt_action_left_priority(uint64_t value)
{
    return value >> 16 ? (int16_t)(uint16_t)value : (int16_t)TT_NO_PRIORITY;
}

#endif
