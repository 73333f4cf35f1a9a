/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linux_sched: what scheduling events of Linux mean, whichever format they are recorded in: the states of threads, and
 * the state in which a switch leaves a thread.
 *
 * prev_state of sched_switch is a mask whose bits differ between kernels. The event's own print format has the
 * letter of each bit, and the bit that marks a thread as preempted:
 *
 *      {0x01, "S"}, {0x02, "D"}, ... prev_state & 0x100 ? "+" : ""        S: sleeping   R+: preempted
 *
 * Constants, and plain data that the caller owns. Any thread.
 */
#ifndef TRACETUI_FORMAT_LINUX_LINUX_SCHED_H
#define TRACETUI_FORMAT_LINUX_LINUX_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/format.h"
#include "tracetui/object_kind.h"

/*
 * States of threads: X(id, name, class, flags, kind of the wake that ends it, kind of object). In the
 * states that end a job a thread may wait for its next activation.
 */
#define LINUX_STATE_INFO(X)                                                                        \
    X(LINUX_UNKNOWN, "unknown", TT_CLASS_UNKNOWN, 0, 0, 0)                                         \
    X(LINUX_RUNNING, "running", TT_CLASS_RUNNING, 0, 0, 0)                                         \
    X(LINUX_READY, "ready", TT_CLASS_READY, 0, 0, 0)                                               \
    X(LINUX_PREEMPTED, "preempted", TT_CLASS_READY, 0, 0, 0)                                       \
    X(LINUX_SLEEPING, "sleeping", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, 0, 0)                          \
    X(LINUX_BLOCKED, "blocked", TT_CLASS_WAIT, 0, 0, 0)                                            \
    X(LINUX_IDLE, "idle", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, 0, 0)                                  \
    X(LINUX_LOCK, "lock", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_MUTEX)                       \
    X(LINUX_FUTEX, "futex", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_MUTEX)                     \
    X(LINUX_NANOSLEEP, "nanosleep", TT_CLASS_SLEEP, TT_STATE_ENDS_JOB, TT_WAKE_TIMER, 0)           \
    X(LINUX_POLL, "poll", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, 0, 0)                                  \
    X(LINUX_READ, "read", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, 0, 0)                                  \
    X(LINUX_WRITE, "write", TT_CLASS_WAIT, 0, 0, 0)                                                \
    X(LINUX_CHILD, "child", TT_CLASS_WAIT, 0, TT_WAKE_EXIT, 0)                                     \
    X(LINUX_SIGNAL, "signal", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, TT_WAKE_SIGNAL, 0)                 \
    X(LINUX_MESSAGE, "message", TT_CLASS_IPC, TT_STATE_ENDS_JOB, TT_WAKE_MESSAGE, 0)               \
    X(LINUX_STOPPED, "stopped", TT_CLASS_STOPPED, 0, 0, 0)                                         \
    X(LINUX_TRACED, "traced", TT_CLASS_STOPPED, 0, 0, 0)                                           \
    X(LINUX_PARKED, "parked", TT_CLASS_STOPPED, 0, 0, 0)                                           \
    X(LINUX_ZOMBIE, "zombie", TT_CLASS_DEAD, 0, 0, 0)                                              \
    X(LINUX_DEAD, "dead", TT_CLASS_DEAD, 0, 0, 0)

enum linux_state {
#define X(id, name, class_, flags, wake, object) id,
    LINUX_STATE_INFO(X)
#undef X
        LINUX_STATES
};

extern const struct tt_state_info linux_states[LINUX_STATES];

#define LINUX_LETTERS 16u

/* How prev_state is read. */
struct linux_leave {
    struct {
        uint64_t bit;
        char letter;
    } letters[LINUX_LETTERS];
    unsigned count;
    uint64_t mark;    /* the bit of preemption */
    bool is_index;    /* of 4.14: a number instead of a bit */
    uint8_t low[256]; /* the state of each mask of the low bits; from linux_leave_finish */
};

/* Adds a letter of the print format. */
void linux_leave_add(struct linux_leave *leave, uint64_t bit, char letter);
/* Completes the rules; without letters those of 4.15 and later. */
void linux_leave_finish(struct linux_leave *leave, uint64_t mark);

/*
 * Does both for a kernel of which only the release is known, "6.1.0-56-rt". `is_raw`: prev_state is the state of the
 * task, as before 4.14. Returns the bit that marks idle kernel threads then; 0: the letters have it.
 */
uint64_t linux_leave_of_kernel(struct linux_leave *leave, const char *release, bool is_raw);

/* Writes the letters of prev_state as the kernel prints them: "S", "R+"; returns their number, at most 2 * LINUX_LETTERS + 1. */
unsigned linux_leave_text(const struct linux_leave *leave, uint64_t prev_state, char *text);

/* Does the same for a plan of text (tt_text_label); `leave` is a struct linux_leave. */
char *linux_leave_label(char *to, const void *leave, uint64_t prev_state);

/* Returns the state in which a switch leaves a thread. */
static inline unsigned linux_leave_state(const struct linux_leave *leave, uint64_t prev_state)
{
    return (prev_state & leave->mark) != 0 ? LINUX_PREEMPTED
           : prev_state < 256              ? leave->low[prev_state]
                                           : leave->low[prev_state & 255];
}

/* Returns a priority of the kernel as that of an action: -1 deadline, 0..99 real time, 100..139 normal. */
static inline int16_t linux_priority(int64_t prio)
{
    return prio >= -1 && prio <= 255 ? (int16_t)prio : (int16_t)TT_NO_PRIORITY;
}

/* Bits of the flags of contention_begin: of locks for reading and for writing. */
#define LINUX_LOCK_SHARED 6u

/* Bits of common_flags: in a hard interrupt or an NMI; and in a softirq, which PREEMPT_RT runs in threads. */
#define LINUX_INTERRUPTS 0x48u
#define LINUX_SOFTIRQ    0x10u

/* Returns the kind of object of a lock (enum tt_object_kind). */
static inline unsigned linux_lock_kind(uint64_t flags)
{
    return (flags & LINUX_LOCK_SHARED) != 0 ? TT_OBJECT_RWLOCK : TT_OBJECT_MUTEX;
}

#define LINUX_CLONE_THREAD 0x10000u

#endif
