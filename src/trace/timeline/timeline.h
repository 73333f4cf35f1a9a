/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline (internal): the lanes behind tracetui/timeline.h, which are built from actions.
 *
 * Each thread has a track of states, each CPU a track of occupants and one of interrupt depth. The
 * sums of a track's chunks (see track.h) are listed below; they are those at the time of the
 * chunk's first item, without what that item itself counts.
 *
 *      value of a state item
 *      | cpu 16 | - 2 | cut_before 1 | since_before 1 | migrated 1 | in 1 | out 2 | state 8 |
 *
 * A switch counts when the new thread gets the CPU; timeline/switches_out.c counts it for the
 * thread that left.
 *
 * The indexing or publishing thread builds; readers follow the published tracks.
 */
#ifndef TRACETUI_TRACE_TIMELINE_TIMELINE_H
#define TRACETUI_TRACE_TIMELINE_TIMELINE_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/timeline/counters_internal.h"
#include "trace/timeline/deferred_health.h"
#include "trace/timeline/messages_internal.h"
#include "trace/timeline/objects_internal.h"
#include "trace/timeline/slices_internal.h"
#include "trace/timeline/systems.h"
#include "trace/track/track.h"
#include "tracetui/timeline.h"

enum lane_sum {
    LANE_CLASS, /* TT_CLASS_COUNT words: ticks by class */
    LANE_IRQ = LANE_CLASS + TT_CLASS_COUNT,
    LANE_IN,
    LANE_VOLUNTARY,
    LANE_PREEMPTED,
    LANE_UNKNOWN_OUT,
    LANE_MIGRATIONS,
    LANE_RUNS,
    LANE_SUMS
};

enum cpu_kind { CPU_BUSY, CPU_IDLE, CPU_KERNEL, CPU_UNKNOWN, CPU_KINDS };

enum cpu_sum {
    CPU_TICKS,                       /* CPU_KINDS words: ticks by kind */
    CPU_IRQ = CPU_TICKS + CPU_KINDS, /* CPU_KINDS words: interrupt ticks by kind */
    CPU_SWITCHES = CPU_IRQ + CPU_KINDS,
    CPU_LAST, /* last thread (or idle) before the chunk, or TT_OCCUPANT_UNKNOWN */
    CPU_SUMS
};

enum irq_sum { IRQ_TICKS, IRQ_ENTERS, IRQ_NESTED, IRQ_SUMS };

/*
 * State of the item that ends a lane at the end of its process, or, with VALUE_CUT_BEFORE, of its member of a merged
 * capture; nothing counts from there on.
 */
#define VALUE_ENDED 0xffu

#define VALUE_STATE(value)   ((value)&0xffu)
#define VALUE_OUT_SHIFT      8
#define VALUE_OUT(value)     (((value) >> VALUE_OUT_SHIFT) & 3u)
#define VALUE_FLAGS          64u /* values of the flags, from `out` on */
#define VALUE_SWITCHED_IN    (1u << 10)
#define VALUE_MIGRATED       (1u << 11)
#define VALUE_SINCE_BEFORE   (1u << 12)
#define VALUE_CUT_BEFORE     (1u << 13) /* the end of the item before was not seen */
#define VALUE_CPU(value)     ((uint16_t)((value) >> 16))
#define VALUE_OF(state, cpu) ((uint32_t)(state) | ((uint32_t)(cpu) << 16))

/* A loss on a CPU, or TT_NO_CPU, of a system. */
#define LOSS_OF(cpu, system) ((uint32_t)(cpu) | (uint32_t)(system) << 16)
#define LOSS_CPU(value)      ((uint16_t)(value))
#define LOSS_SYSTEM(value)   ((value) >> 16)

/* Switches out of a CPU that another thread got only after this one had run on another CPU. */
struct tt_late_outs {
    struct tt_track track; /* time when the other thread got the CPU; value: | cpu 16 | out 16 | */
    uint64_t sums[TT_OUT_UNKNOWN]; /* builder only: count by tt_out, without NONE */
};

#define LATE_OUT_OF(out, cpu) ((uint32_t)(out) | (uint32_t)(cpu) << 16)
#define LATE_OUT(value)       ((value)&3u)
#define LATE_OUT_CPU(value)   ((uint16_t)((value) >> 16))

/* Members that few lanes need. */
struct tt_lane_more {
    struct tt_track priorities;               /* value: the number as uint16_t */
    _Atomic(struct tt_late_outs *) late_outs; /* in the arena, or NULL: rare */
};

/*
 * A capture may have a million threads with one or two events each, so a lane is small. `more` is
 * created with the first priority or late out, `notes` with the first note.
 */
struct tt_lane {
    struct tt_track states;
    _Atomic(struct tt_lane_more *) more; /* in the arena, or NULL */
    _Atomic(struct tt_track *) notes;    /* the same; user events; value: type */
    /* Used by the builder only, from here on. */
    uint64_t irq;             /* interrupt ticks of its runs; of the current one: less those of its
                                 CPU at the begin, modulo 2^64 */
    uint32_t thread;          /* number of its thread */
    uint32_t next_of_process; /* next lane that began in the same process, or TT_NO_THREAD */
    uint16_t cpu;             /* current or last CPU */
    int16_t priority;         /* its last one, or TT_NO_PRIORITY */
    uint8_t created;          /* enum tt_action_flag of its creation, until its next state */
    uint8_t left_class;       /* class of its state after its last run */
    uint8_t call_state;       /* state in which it would wait in its call; 0: it is in none */
    unsigned out : 2;         /* enum tt_out of the switch out since, or NONE */
    bool known : 1;           /* it is in `known`: its state is known */
    bool running : 1;
    bool in_message : 1; /* it waits for the answer to a message (messages_internal.h) */
    bool idle : 1;       /* it was known to be an idle thread when it began */
    unsigned kind : 2;   /* enum cpu_kind of its first run */
};

/* Returns whether the lane has a state. For the builder. */
static inline bool tt_lane_has_begun(const struct tt_lane *lane)
{
    return !tt_track_is_empty(&lane->states);
}

/* Returns the notes; NULL: none. */
static inline struct tt_track *tt_lane_notes(const struct tt_lane *lane)
{
    return atomic_load_explicit(&lane->notes, memory_order_acquire);
}

/* Returns `more`; NULL: none. */
static inline struct tt_lane_more *tt_lane_more(const struct tt_lane *lane)
{
    return atomic_load_explicit(&lane->more, memory_order_acquire);
}

struct tt_cpu_lane {
    struct tt_track occupants;
    struct tt_track irqs; /* value: depth */
    /* Used by the builder only, from here on. */
    uint64_t sums[CPU_SUMS];
    uint64_t since;
    uint64_t irq_at_start; /* interrupt ticks when the occupant began */
    uint64_t irq_sums[IRQ_SUMS];
    uint64_t irq_since;
    uint32_t irq_depth;
    uint32_t occupant;
    uint32_t last;    /* last thread, or idle, on it; or TT_OCCUPANT_UNKNOWN */
    uint8_t last_out; /* enum tt_out of that thread, if it has got another CPU since */
    uint8_t kind;     /* enum cpu_kind of the occupant */
};

struct tt_timelines {
    struct tt_capture *capture;
    struct tt_arena arena;             /* memory of all tracks */
    struct tt_track_store *store;      /* of the tracks of an index cache; owned; NULL: none */
    const _Atomic bool *gone;          /* set if that was truncated: walks end; NULL: no cache */
    struct tt_column lanes;            /* struct tt_lane, by thread */
    struct tt_column cpus;             /* struct tt_cpu_lane */
    struct tt_column first_of_process; /* uint32_t, by process: first lane + 1; 0: none */
    struct tt_slice_lanes slices;
    struct tt_counter_lanes counters;
    struct tt_message_lanes messages;
    struct tt_object_lanes objects;
    struct tt_track losses; /* value: LOSS_OF */
    _Atomic uint64_t begin;
    _Atomic uint64_t end;
    _Atomic bool provisional;
    /* Used by the builder only, from here on. */
    struct tt_column_index lane_at; /* indexes of `lanes` and `cpus`, used by every action */
    struct tt_column_index cpu_at;
    struct tt_column_index thread_at; /* index of the capture's threads that have lanes */
    uint32_t *known;                  /* lanes with a known state, which a loss may affect */
    size_t known_count;
    size_t known_capacity;
    struct tt_action
        *open_losses; /* losses of one CPU's stream that have begun: their end is later */
    size_t open_loss_count;
    size_t open_loss_capacity;
    uint32_t number;            /* version, counted per trace; set before publication */
    struct tt_timelines *older; /* the timelines that these replaced; readers may still use them */
    struct tt_system system;    /* of the current action */
    struct tt_systems *systems; /* of a merged capture; owned; NULL: there is one */
    uint8_t class_of[256];      /* enum tt_class, by state */
    uint8_t sum_of_state[256];  /* enum lane_sum of its ticks, or LANE_SUMS: not counted */
    uint64_t run_counts[VALUE_FLAGS]; /* by flags: what the begin of a run counts (lanes_build.c) */
    uint8_t object_kind[256];         /* enum tt_object_kind that a state waits for, by state */
    bool awaits_reply[256];           /* by state: the thread waits for the answer to a message */
    struct tt_deferred_health *held;  /* receives problems; NULL: the capture does */
    bool quiet;                       /* a rebuild: the problems were reported before */
    bool no_memory;                   /* allocating a lane failed */
};

/*
 * Returns whether the mapped index cache was truncated. Its zeros are no valid lane: a walk through
 * them might not end.
 */
static inline bool tt_timelines_gone(const struct tt_timelines *timelines)
{
    return timelines->gone && atomic_load_explicit(timelines->gone, memory_order_relaxed);
}

/* Counts a switch out of kind `out` (enum tt_out). */
static inline void tt_lane_count_out(uint64_t *sums, unsigned out)
{
    sums[LANE_VOLUNTARY] += out == TT_OUT_VOLUNTARY;
    sums[LANE_PREEMPTED] += out == TT_OUT_PREEMPTED;
    sums[LANE_UNKNOWN_OUT] += out == TT_OUT_UNKNOWN;
}

/* ---- switches out: timeline/switches_out.c ------------------------------------------------ */

/* Returns how a thread that changed to `class_` left its CPU. */
static inline unsigned tt_out_of_class(unsigned class_)
{
    return class_ == TT_CLASS_READY     ? TT_OUT_PREEMPTED
           : class_ == TT_CLASS_UNKNOWN ? TT_OUT_UNKNOWN
                                        : TT_OUT_VOLUNTARY;
}

/* For the builder. Adds a switch out to a lane's late outs. Returns false when out of memory. */
bool tt_outs_add_late(struct tt_timelines *timelines, struct tt_lane *lane, uint16_t cpu,
                      uint64_t time, unsigned out);
/*
 * For the builder. Counts the switch out for `left`, the last thread on CPU `number`, which `newcomer`
 * (a thread or idle) gets. `left` is NULL if there is none. Returns false when out of memory.
 */
static inline bool tt_outs_newcomer(struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                                    struct tt_lane *left, uint16_t number, uint64_t time,
                                    uint32_t newcomer)
{
    if (!left || cpu->last == newcomer) {
        return true;
    }
    if (cpu->last_out != TT_OUT_NONE) {
        return tt_outs_add_late(timelines, left, number, time, cpu->last_out);
    }
    if (!left->running && left->cpu == number) {
        left->out = tt_out_of_class(left->left_class) & 3u;
    }
    return true;
}

/* For the builder. Handles a thread that gets CPU `number` before another one got its last CPU. */
static inline void tt_outs_elsewhere(struct tt_timelines *timelines, const struct tt_lane *lane,
                                     uint16_t number)
{
    struct tt_cpu_lane *left =
        lane->cpu != number ? tt_column_index_at(&timelines->cpu_at, lane->cpu) : NULL;
    if (left && left->last == lane->thread) {
        left->last_out = (uint8_t)tt_out_of_class(lane->left_class);
    }
}

/*
 * Adds the switches out before `time` that no item before it counts; `last` is the lane's last item
 * before `time`.
 */
void tt_outs_before(const struct tt_timelines *timelines, uint32_t thread,
                    const struct tt_lane *lane, struct tt_track_place last, uint64_t time,
                    uint64_t *sums);
/* Creates a lane's late outs, empty; returns NULL when out of memory. */
struct tt_late_outs *tt_late_outs_add(struct tt_timelines *timelines, struct tt_lane_more *more);

static inline struct tt_late_outs *tt_late_outs_of(const struct tt_lane_more *more)
{
    return atomic_load_explicit(&more->late_outs, memory_order_acquire);
}

struct tt_timelines *tt_timelines_new(struct tt_capture *capture, uint64_t begin);
void tt_timelines_free(struct tt_timelines *timelines);
/* Frees the memory of the tracks, for tt_timelines_free. */
void tt_timelines_free_tracks(struct tt_timelines *timelines);

/* Returns the time of the last event before a loss. */
static inline uint64_t tt_lost_since(const struct tt_action *action)
{
    uint64_t since = action->value;
    return since != 0 && since < action->ticks ? since : action->ticks;
}

/*
 * Begins a loss of one CPU's stream, which its TT_ACTION_LOST ends: until then only a thread that runs on
 * another CPU has a known state. All actions up to the last event before the loss must have been fed, and
 * none after it. Returns false when out of memory.
 */
bool tt_timelines_begin_loss(struct tt_timelines *timelines, const struct tt_action *lost);
/* Handles actions like tt_timelines_feed while such losses are open. */
bool tt_timelines_feed_in_loss(struct tt_timelines *timelines, const struct tt_action *actions,
                               size_t count);

/* Notes health at an action's place, unless it was noted when they were built first. */
void tt_timelines_health(struct tt_timelines *timelines, enum tt_health_kind kind, uint64_t pos,
                         uint64_t value, const char *detail);

/* Interrupt ticks of a CPU before `time`. O(log interrupts). */
uint64_t tt_cpu_irq_before(const struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                           uint64_t time);
/*
 * Returns the begin of the outermost interrupt that is open on a CPU at `ticks`; UINT64_MAX if none is,
 * 0 if it is too deep to be found. O(log interrupts + depth changes since).
 */
uint64_t tt_cpu_irq_begin(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks);

/* The kinds of actions that change a lane, a bit each; the others need not be fed. */
uint64_t tt_timelines_kinds(void);

/* Creates a lane's `more`, empty; returns NULL when out of memory. */
struct tt_lane_more *tt_lane_add_more(struct tt_timelines *timelines, struct tt_lane *lane);
struct tt_track *tt_lane_add_notes(struct tt_timelines *timelines,
                                   struct tt_lane *lane); /* the same */
/* Returns the lane's `more`, created if there is none; NULL when out of memory. */
struct tt_lane_more *tt_lane_ensure_more(struct tt_timelines *timelines, struct tt_lane *lane);

/* Handles actions in the order of (ticks, pos). Returns false when out of memory. */
bool tt_timelines_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                       size_t count);
/* The same one after the other, for all of them or those whose numbers are in a list. */
bool tt_timelines_handle(struct tt_timelines *timelines, const struct tt_action *actions,
                         size_t count);
bool tt_timelines_handle_some(struct tt_timelines *timelines, const struct tt_action *actions,
                              const uint16_t *list, uint32_t count);
/* Handles a note. Returns false when out of memory. */
bool tt_notes_handle(struct tt_timelines *timelines, const struct tt_action *action);
/* Returns whether threads were recognised as idle after their time had been counted as busy. */
bool tt_timelines_idle_changed(const struct tt_timelines *timelines);
/* Extends the last intervals to `ticks`. */
void tt_timelines_reach(struct tt_timelines *timelines, uint64_t ticks);

static inline enum tt_class tt_state_class(const struct tt_timelines *timelines, uint32_t state)
{
    return state < sizeof timelines->class_of ? (enum tt_class)timelines->class_of[state]
                                              : TT_CLASS_UNKNOWN;
}

/*
 * Returns the state of an item; "unknown" for one that the format does not have (a damaged cache).
 */
static inline uint16_t tt_value_state(const struct tt_timelines *timelines, uint32_t value)
{
    uint32_t state = VALUE_STATE(value);
    return state < timelines->capture->format->state_count ? (uint16_t)state : 0;
}

static inline enum cpu_kind tt_occupant_kind(const struct tt_timelines *timelines,
                                             uint32_t occupant)
{
    switch (occupant) {
    case TT_OCCUPANT_UNKNOWN:
        return CPU_UNKNOWN;
    case TT_OCCUPANT_KERNEL:
        return CPU_KERNEL;
    case TT_OCCUPANT_IDLE:
        return CPU_IDLE;
    default:
        break;
    }
    if (occupant >= tt_thread_count(timelines->capture)) {
        return CPU_UNKNOWN;
    }
    const struct tt_thread *thread = tt_thread_at(timelines->capture, occupant);
    return thread->pseudo ? CPU_KERNEL : thread->idle ? CPU_IDLE : CPU_BUSY;
}

/* Returns whether an occupant is a thread or idle, which context switches are counted for. */
static inline bool tt_occupant_is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

#endif
