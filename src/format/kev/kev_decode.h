/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_cursor: the state of the sequential decoder, shared by its six files:
 *
 *      kev_decode.c    the loop over slots, 64-bit time, combine events
 *      kev_decode_fast.c     the same for who wants neither actions nor to learn
 *      kev_decode_fast_actions.c    the same for the index
 *      kev_actions.c   who runs, processes and threads, actions, the dump of states
 *      kev_control.c   buffers, losses, what the end of the file says
 *      kev_checkpoint.c     the state as bytes, one piece a block of the index
 *
 * The dump of states. When tracing starts (linear mode) or ends (ring mode) the kernel writes out
 * what exists: for each process PROCCREATE_NAME (or PROCCREATE), then for each of its threads
 * THCREATE, its present state, and PROCTHREAD_NAME if it has a name ("System Analysis Toolkit
 * User's Guide", chapter 6). These create and switch nothing. They are told by what cannot happen
 * otherwise: process 1 and its thread 1 are there before any tracing, so their creation begins a
 * dump wherever it stands; and a creation that is the first event of the capture does. A dump goes
 * on over CONTROL, interrupt and SYSTEM events and over other CPUs' events, and ends at the first
 * event of its CPU that a dump does not have: a state of a thread other than the one just
 * announced, or a second state, or any other event (as a rule KER_EXIT TRACE_EVENT). In 8.0, where
 * each CPU has buffers of its own, it goes on in the next buffer of its CPU only.
 */
#ifndef TRACETUI_FORMAT_KEV_KEV_DECODE_H
#define TRACETUI_FORMAT_KEV_KEV_DECODE_H

#include "format/kev/kev_internal.h"

#define KEV_NO_RING    UINT8_MAX
#define KEV_LATE_MAX   8u
#define KEV_LANE_CACHE 512u /* a power of two */
#define KEV_MET_BITS   9u
#define KEV_PID_BITS   2048u /* a power of two */

#if defined(__GNUC__)
#define KEV_RARELY(condition) __builtin_expect(!!(condition), 0)
#define KEV_COLD              __attribute__((noinline, cold))
#define KEV_HOT               inline __attribute__((always_inline))
#else
#define KEV_RARELY(condition) (condition)
#define KEV_COLD
#define KEV_HOT inline
#endif

/* What has to be done for an event besides listing it. */
enum kev_task {
    KEV_PLAIN,
    KEV_UNKNOWN,
    KEV_CONTROL, /* about the trace: belongs to no thread */
    KEV_TIME,
    KEV_BUFFER,
    KEV_BUFFER_END,
    KEV_STATE,
    KEV_THREAD_CREATE,
    KEV_THREAD_DESTROY,
    KEV_THREAD_NAME,
    KEV_PROCESS_CREATE, /* with or without name */
    KEV_PROCESS_DESTROY,
    KEV_INTERRUPT_ENTER,
    KEV_INTERRUPT_LEAVE,
    KEV_MESSAGE_SEND,
    KEV_PULSE_SEND, /* by the kernel: the sender is not the running thread */
    KEV_MESSAGE_RECEIVE,
    KEV_MESSAGE_REPLY,
    KEV_LOCK_WAIT,
    KEV_LOCK_FREE,
    KEV_LOCK_WAIT_64,
    KEV_LOCK_FREE_64,
    KEV_OF_THREAD,  /* first two words are pid and tid of whom it is about */
    KEV_TRACE_EXIT, /* return from TraceEvent(): ends a dump */
};

/*
 * All about a code in one word, made when it is first met; 0 in the decoder's table: not met yet.
 *
 *      bit 31   the event names the thread that it belongs to     } of those that are
 *          30   ... and says that it runs                         } quick
 *          29   it is quick: kev_decode_fast.c needs to know no more of it
 *          24   task
 *          23   ... and kev_decode_fast_actions.c no more
 *          16   kind
 *           0   number of the type plus 1
 */
#define KEV_INFO_NAMES (1u << 31)
#define KEV_INFO_RUNS  (1u << 30)
#define KEV_INFO_QUICK (1u << 29)
#define KEV_INFO_ACTS  (1u << 23)

static inline uint32_t kev_info(unsigned task, unsigned kind, uint32_t type)
{
    return task << 24 | kind << 16 | ((type + 1) & 0xffffu);
}
static inline unsigned kev_info_task(uint32_t info)
{
    return info >> 24 & 0x1fu;
}
static inline uint8_t kev_info_kind(uint32_t info)
{
    return (uint8_t)(info >> 16 & 0x7fu);
}
static inline uint32_t kev_info_type(uint32_t info)
{
    return (info & 0xffffu) - 1; /* UINT32_MAX: not in the table */
}
static inline bool kev_info_names(uint32_t info)
{
    return (info & KEV_INFO_NAMES) != 0;
}
static inline bool kev_info_runs(uint32_t info)
{
    return (info & KEV_INFO_RUNS) != 0;
}

struct kev_cpu {
    uint64_t ticks;    /* of its latest event */
    uint64_t control;  /* 8.0: of its latest CONTROL event */
    uint64_t heard;    /* 8.0: of its latest event before that which was no CONTROL event */
    uint32_t running;  /* thread that was last set running, or TT_NO_THREAD */
    uint32_t sequence; /* 8.0: of its latest buffer */
};

/* An event whose last slot has not come yet. */
struct kev_open {
    uint64_t pos;
    uint32_t stamp;
    uint32_t thread; /* of a thread state: whose priority is to come; else TT_NO_THREAD */
    uint16_t code;
    uint8_t cpu;
    uint8_t parts; /* slots so far, 255 for more */
    uint32_t reserved;
};

/* A priority that came with the end of a state event, waiting for an event to go with. */
struct kev_late {
    uint32_t thread;
    int16_t priority;
    uint16_t cpu;
};

/* What is saved of a cursor, with the CPUs in `active`, the open events and the late priorities. */
struct kev_state {
    uint64_t pos;
    uint64_t active;         /* bit a CPU: has had a slot */
    uint64_t state_seen;     /* bit a CPU: a state outside a dump */
    uint64_t last_ticks;     /* of the latest event of any CPU */
    uint64_t sequence_known; /* bit a CPU (8.0), or all bits */
    uint64_t lost_when;      /* of the latest loss (6.x, 7.x), or 0 */
    uint64_t buffer_pos;     /* of the latest CONTROL/BUFFER, or UINT64_MAX */
    uint32_t buffer_slots;   /* as it says */
    uint32_t sequence;       /* of the latest buffer (6.x, 7.x) */
    uint32_t newest;         /* the highest so far */
    uint32_t dump_pid;       /* the thread that the dump announced last */
    uint32_t dump_tid;
    uint16_t open_count;
    uint8_t late_count;
    uint8_t dump_cpu;
    bool in_dump;
    bool dump_state_due; /* the announced thread's state has not come yet */
    bool dump_at_end;    /* its CPU told states before: it is a ring's, told at its end */
    bool begun;          /* an event other than CONTROL was met */
    bool time_seen;
    uint8_t buffer_cpu; /* of the latest CONTROL/BUFFER, or KEV_NO_RING */
    uint8_t dump_ring;  /* 8.0: whose buffers the dump is in */
    uint8_t reserved[1];
};

struct kev_lane {
    uint32_t pid;
    uint32_t tid;
    uint32_t lane;
    uint32_t generation;
};

/* A thread that was named lately. Where there is none, a key that has its place elsewhere. */
struct kev_met {
    uint64_t key; /* pid and, in the upper half, tid */
    uint32_t lane;
};

struct tt_cursor {
    struct tt_capture *capture;
    struct kev_decoder *d;
    bool learn;
    bool quick; /* may take short ways; a test may forbid it */
    bool ended; /* the end of the file was looked at (learning cursor) */
    bool out_of_memory;
    bool own_start_known;
    uint32_t generation;    /* of good entries in `lanes` */
    uint64_t before_buffer; /* time of the latest event before the CONTROL event at hand */
    uint64_t zeros_end;     /* file offset up to which slots are known to be empty */
    struct kev_state s;
    struct kev_start own_start; /* where the decoder has none yet */
    struct kev_cpu cpu[KEV_CPUS];
    uint8_t open_count[KEV_CPUS];
    struct kev_open open[KEV_CPUS][KEV_OPEN_EVENTS]; /* oldest first */
    struct kev_late late[KEV_LATE_MAX];
    struct kev_lane lanes[KEV_LANE_CACHE];
    uint32_t met_generation; /* all of `met` are good as long as `generation` is this */
    struct kev_met met[1u << KEV_MET_BITS];
    uint64_t pids[KEV_PID_BITS / 64]; /* a bit is set of each pid in `lanes` and `met` */
};

/* A slot on its way through the loop. */
struct kev_slot {
    const uint8_t *bytes;
    uint64_t ticks;
    uint32_t header;
    uint32_t stamp;
    uint32_t code;
    uint32_t cpu;
    uint32_t chain; /* slots of the event that follow each other here, this one included */
    bool whole;     /* ... and are all of it */
    /* Kept apart from ticks: stored one by one and loaded as a pair they would stall the loop. */
    uint64_t pos;
    uint64_t when; /* for the registry (struct tt_process): pos, or ticks where rings are merged */
};

static inline uint32_t kev_slot_word(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                     uint32_t word)
{
    return tt_load_u32(slot->bytes + KEV_SLOT_HEAD + 4 * word, cursor->d->big);
}

/* Is the slot at hand part of the dump of states? */
static inline bool kev_in_dump(const struct tt_cursor *cursor)
{
    return cursor->s.in_dump &&
           (cursor->d->release != KEV_8 || cursor->s.buffer_cpu == cursor->s.dump_ring);
}

/* Notes a fault of the capture at the slot (learning cursor only). */
void kev_note(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos, uint64_t value,
              const char *detail);

/* Adds an action of the event at hand, which is not counted yet; NULL if none are wanted. */
static inline struct tt_action *kev_act(struct tt_batch *batch, enum tt_action_kind kind)
{
    return tt_batch_act(batch, &batch->events[batch->count], kind);
}

/* To the first slot, nothing known. */
void kev_cursor_reset(struct tt_cursor *cursor);

/* Slots from the first one of a combine event on that are to be read at once with it. */
uint32_t kev_chain_at(const struct tt_cursor *cursor, uint64_t pos, uint64_t limit);
/* The bytes that are asked for: up to limit, and no event that begins at or behind stop. `final` as
 * in tt_format.decode. */
struct kev_span {
    uint64_t limit;
    uint64_t stop;
    bool final;
};
/* Decodes up to and with the next event, from before the span's stop on; the batch has room. */
enum tt_decode_result kev_decode_one(struct tt_cursor *cursor, const struct kev_span *span,
                                     struct tt_batch *batch);

/* Where a thread of (pid, tid) is if it was met lately. The place of 0 is the first, of 1 not. */
static inline struct kev_met *kev_met_at(struct tt_cursor *cursor, uint64_t key)
{
    return &cursor->met[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEV_MET_BITS)];
}
static inline void kev_met_clear(struct tt_cursor *cursor, uint32_t index)
{
    cursor->met[index].key = index == 0;
}

/* Which of the bits is a pid's. */
static inline uint32_t kev_pid_bit(uint32_t pid)
{
    return pid * 0x9e3779b1u >> 16 & (KEV_PID_BITS - 1);
}
static inline void kev_pid_note(struct tt_cursor *cursor, uint32_t pid)
{
    cursor->pids[kev_pid_bit(pid) / 64] |= UINT64_C(1) << kev_pid_bit(pid) % 64;
}

/* ---- kev_decode_fast.c -------------------------------------------------------------------------- */

/*
 * Decodes without learning and without actions, of a file that will not grow. From there on the
 * cursor cannot be asked for actions before it is loaded.
 */
enum tt_decode_result kev_decode_quick(struct tt_cursor *cursor, uint64_t limit,
                                       struct tt_batch *batch);

/* ---- kev_decode_fast_actions.c ------------------------------------------------------------------------- */

/* Are actions wanted, and only such as kev_decode_acting makes? */
bool kev_can_act(const struct tt_batch *batch);
/* Decodes with actions. */
enum tt_decode_result kev_decode_acting(struct tt_cursor *cursor, uint64_t limit, bool final,
                                        struct tt_batch *batch);

/* ---- kev_actions.c ------------------------------------------------------------------------ */

/* Word of the table of codes for a code not met before. */
uint32_t kev_learn_code(struct tt_cursor *cursor, uint32_t code);

/* The lane of (pid, tid), added by the learning cursor. */
uint32_t kev_lane_of(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when);

/* Does the tasks above from KEV_THREAD_CREATE on; sets thread and flags of `event`. */
void kev_do_task(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                 struct tt_batch *batch, struct tt_event *event);

/* Follows the dump of states; called for every event until one is over, and for creations. */
void kev_watch_dump(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot);

/* A combine event is complete: takes its name if it carries one (learning cursor only). */
void kev_learn_name(struct tt_cursor *cursor, uint32_t code, uint64_t pos, uint64_t limit);

/* Nobody knows who runs any more, on one CPU or (cpu >= KEV_CPUS) on all. */
void kev_forget_running(struct tt_cursor *cursor, uint32_t cpu);

/* ---- kev_control.c ------------------------------------------------------------------------ */

void kev_on_time(struct tt_cursor *cursor, struct kev_slot *slot);
void kev_on_buffer(struct tt_cursor *cursor, const struct kev_slot *slot, struct tt_batch *batch);
void kev_on_buffer_end(struct tt_cursor *cursor, const struct kev_slot *slot);
/* The file is over at `limit` and will not grow; the learning cursor notes what is missing. */
void kev_on_end(struct tt_cursor *cursor, uint64_t limit);

#endif
