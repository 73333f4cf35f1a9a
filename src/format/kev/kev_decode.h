/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode: the state of the sequential decoder, shared by its files. A file calls only files
 * below it:
 *
 *      kev_checkpoint                                       the state as bytes, one per index block
 *          |
 *      kev_cursor                                           creation
 *          |
 *      kev_decode_fast                                      a batch, from stretches of slots
 *          |                                                (kev_find_types: a search of a block)
 *          |
 *      kev_decode                                           one event: time, slots, empty slots
 *          |
 *          |------------.
 *          |            |
 *      kev_codes   kev_actions                              a code's task; actions, dump
 *          |            |
 *          |       kev_write                                actions of one shape, messages
 *          |            |
 *          |       kev_lanes                                threads and processes
 *          |            |
 *      kev_damage  kev_control                              damage; buffers, losses, notes
 *
 * The loop hands an event that it cannot decode to kev_decode_event(), which decodes that event and
 * returns to the loop.
 *
 * The dump of states. When tracing starts (linear mode) or ends (ring mode) the kernel writes all
 * existing objects: for each process PROCCREATE_NAME (or PROCCREATE), then for each of its threads
 * THCREATE, its current state, and PROCTHREAD_NAME if it has a name ("System Analysis Toolkit
 * User's Guide", chapter 6). These events create and switch nothing. Two signs identify a dump:
 * process 1 and its thread 1 exist before any tracing, so their creation begins a dump anywhere;
 * and so does a creation that is the first event of the capture. A dump continues across CONTROL,
 * interrupt and SYSTEM events and across other CPUs' events. It ends at the first event of its CPU
 * that a dump cannot contain: a state of a thread other than the one just announced, a second
 * state, or any other event (usually KER_EXIT TRACE_EVENT). In 8.0, where each CPU has its own
 * buffers, it continues only in the next buffer of its CPU.
 */
#ifndef TRACETUI_FORMAT_KEV_KEV_DECODE_H
#define TRACETUI_FORMAT_KEV_KEV_DECODE_H

#include "format/kev/kev_internal.h"

#define KEV_NO_RING      UINT8_MAX
#define KEV_LATE_MAX     8u
#define KEV_LANE_CACHE   512u /* a power of two */
#define KEV_RECENT_BITS  9u
#define KEV_PROCESS_BITS 6u
#define KEV_PID_BUCKETS  512u /* a power of two */
#define KEV_GROUP        32u  /* entries of the caches of lanes */

#if defined(__GNUC__)
#define KEV_RARELY(condition) __builtin_expect(!!(condition), 0)
#define KEV_COLD              __attribute__((noinline, cold))
#define KEV_APART             __attribute__((noinline))
#define KEV_HOT               inline __attribute__((always_inline))
#else
#define KEV_RARELY(condition) (condition)
#define KEV_COLD
#define KEV_APART
#define KEV_HOT inline
#endif

/* Work for an event besides listing it. */
enum kev_task {
    KEV_PLAIN,
    KEV_UNKNOWN,
    KEV_CONTROL, /* concerns the trace; belongs to no thread */
    KEV_TIME,
    KEV_BUFFER,
    KEV_BUFFER_END,
    KEV_DROPPED, /* events of this CPU are missing since its latest event */
    KEV_STATE,
    KEV_THREAD_CREATE,
    KEV_THREAD_DESTROY,
    KEV_THREAD_NAME,
    KEV_PROCESS_CREATE, /* with or without name */
    KEV_PROCESS_DESTROY,
    KEV_INTERRUPT_ENTER,
    KEV_INTERRUPT_LEAVE,
    KEV_MESSAGE_SEND,
    KEV_PULSE_SEND,        /* by the running thread */
    KEV_KERNEL_PULSE_SEND, /* by the kernel: the sender is not the running thread */
    KEV_MESSAGE_RECEIVE,
    KEV_PULSE_RECEIVE,
    KEV_MESSAGE_REPLY,
    KEV_MESSAGE_ERROR,
    KEV_RECEIVE_CALL, /* a call that receives from a channel */
    KEV_ERROR_CALL,   /* a call that answers with an error */
    KEV_LOCK_WAIT,    /* a call that may wait for an object */
    KEV_LOCK_FREE,    /* a call that releases one */
    KEV_OF_THREAD,    /* first two words: pid and tid of its thread */
    KEV_TRACE_EXIT,   /* return from TraceEvent(): ends a dump */
    KEV_GUEST_ENTER,  /* the running thread lets its guest run */
    KEV_GUEST_CYCLES, /* how long the guest has run */
    KEV_GUEST_EXIT,
};

/*
 * Properties of a code in one word, computed when the code first occurs; 0 in the decoder's table:
 * has not occurred yet.
 *
 *      bit 31      the event names its thread                      } only with
 *          30      the event sets that thread running              } bit 29
 *          29      kev_find_types.c can find it
 *          24-28   task
 *          23      kev_decode_fast.c can decode it
 *          16-22   kind
 *           0-15   type index plus 1
 */
#define KEV_INFO_NAMES_BIT    31u
#define KEV_INFO_NAMES        (1u << KEV_INFO_NAMES_BIT)
#define KEV_INFO_RUNS_BIT     30u
#define KEV_INFO_RUNS         (1u << KEV_INFO_RUNS_BIT)
#define KEV_INFO_FAST         (1u << 29)
#define KEV_INFO_FAST_ACTIONS (1u << 23)

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

#define KEV_NO_TICKS (UINT64_C(3) << 62) /* the top bit is set even some time before and after */

struct kev_cpu {
    uint64_t ticks;          /* of its latest event; KEV_NO_TICKS: not in kev_state.active */
    uint64_t control;        /* 8.0: of its latest CONTROL event */
    uint64_t before_control; /* 8.0: of its latest event before that other than CONTROL */
    uint32_t running;        /* last thread set running, or TT_NO_THREAD */
    uint32_t sequence;       /* 8.0: of its latest buffer */
};

/* An event whose last slot has not been read. */
struct kev_open {
    uint64_t pos;
    uint32_t stamp;
    uint32_t thread; /* thread state with its priority still missing; else TT_NO_THREAD */
    uint16_t code;
    uint8_t cpu;
    uint8_t parts; /* slots so far, 255 for more */
    uint32_t reserved;
};

/* A priority from a later slot of a state event, to be attached to the next event. */
struct kev_late {
    uint32_t thread;
    int16_t priority;
    uint16_t cpu;
};

/* Saved state of a cursor, besides the CPUs in `active`, open events and late priorities. */
struct kev_state {
    uint64_t pos;
    uint64_t active;         /* one bit per CPU: had a slot */
    uint64_t state_seen;     /* one bit per CPU: had a state outside a dump */
    uint64_t last_ticks;     /* of the latest event of any CPU */
    uint64_t sequence_known; /* one bit per CPU (8.0), or all bits */
    uint64_t lost_when;      /* of the latest loss (6.x, 7.x), or 0 */
    uint64_t buffer_pos;     /* of the latest CONTROL/BUFFER, or UINT64_MAX */
    uint64_t control_end;    /* 8.0: file offset after the latest CONTROL event */
    uint64_t line;           /* of a text: lines before `pos` */
    uint32_t buffer_slots;   /* count in that event */
    uint32_t sequence;       /* of the latest buffer (6.x, 7.x) */
    uint32_t newest;         /* the highest so far */
    uint32_t dump_pid;       /* the last thread announced by the dump */
    uint32_t dump_tid;
    uint16_t open_count;
    uint8_t late_count;
    uint8_t dump_cpu;
    bool in_dump;
    bool dump_state_due; /* the announced thread's state is still missing */
    bool dump_at_end;    /* its CPU had states before: ring mode, dump at the end */
    bool begun;          /* had an event other than CONTROL */
    bool time_seen;
    uint8_t buffer_cpu;  /* of the latest CONTROL/BUFFER, or KEV_NO_RING */
    uint8_t dump_ring;   /* 8.0: CPU with the dump in its buffers */
    uint8_t damaged : 1; /* damaged bytes were skipped, and no event followed yet */
    uint8_t dumped : 1;  /* a dump of states was seen */
    uint8_t listed : 1;  /* it lists threads */
    uint8_t lost : 1;    /* records were lost, other than by damage */
};

struct kev_lane {
    uint32_t pid;
    uint32_t tid;
    uint32_t lane;
    uint32_t generation;
};

/*
 * A recently named thread. An empty entry has a key that hashes to another place. In the entry of a
 * process the upper half of the key is KEV_WHOLE_PROCESS; an empty one has key 0.
 */
struct kev_recent {
    uint64_t key;  /* pid and, in the upper half, tid */
    uint32_t lane; /* or process */
};

#define KEV_WHOLE_PROCESS UINT32_MAX /* instead of a tid: the entry is a process index */

/*
 * The words of an event and its slots that become the action of a task: see
 * kev_decode_fast.c.
 */
struct kev_shape {
    uint32_t value;     /* mask of the first word */
    uint32_t no_other;  /* all bits: `other` is TT_NO_THREAD, else the second word */
    uint32_t no_thread; /* all bits: `thread` is TT_NO_THREAD, else the event's */
    uint16_t state;     /* all bits: it has a state, and in the wide form a priority */
    uint8_t kind;
    uint8_t size; /* of struct tt_action; 0: no action, or an unwanted one */
};

struct tt_cursor {
    struct tt_capture *capture;
    struct kev_decoder *d;
    bool learn;
    bool fast;  /* stretches are decoded; tests decode each event alone */
    bool ended; /* the end of the file was checked (learning cursor) */
    bool out_of_memory;
    bool own_start_known;
    bool final; /* the bytes up to `limit`, which are decoded, are all of the file */
    uint64_t limit;
    uint64_t searched;      /* slots were searched from this damage on, while the file grows, ... */
    uint64_t searched_to;   /* ... up to here */
    uint32_t generation;    /* of valid entries in `lanes` */
    uint64_t before_buffer; /* time of the latest event before the current CONTROL event */
    uint64_t zeros_end;     /* file offset where the trailing empty slots begin, or 0 */
    struct kev_state s;
    struct kev_start own_start; /* while the decoder has none */
    struct kev_cpu cpu[KEV_CPUS];
    uint64_t ahead_of; /* all active CPUs but those in `behind` have reached this time */
    uint64_t behind;   /* one bit per CPU */
    uint8_t open_count[KEV_CPUS];
    struct kev_open open[KEV_CPUS][KEV_OPEN_EVENTS]; /* oldest first */
    struct kev_late late[KEV_LATE_MAX];
    struct kev_lane lanes[KEV_LANE_CACHE];
    uint32_t recent_generation; /* `recent` is valid while `generation` equals this */
    struct kev_recent recent[1u << KEV_RECENT_BITS];
    struct kev_recent recent_processes[1u << KEV_PROCESS_BITS]; /* as `recent` */
    struct kev_marks *marks;                                    /* of the last search; NULL: none */
    bool shaped; /* `shapes` are valid for batches with these unwanted kinds: */
    uint64_t shaped_unwanted;
    struct kev_shape shapes[32]; /* by task */
    /*
     * The groups of entries that may have a pid, one bit each, by bucket of the pid. A group is KEV_GROUP
     * entries of `lanes`, `recent` or `recent_processes`, numbered in this order.
     */
    uint64_t pids[KEV_PID_BUCKETS];
};

/* The slot being decoded. */
struct kev_slot {
    const uint8_t *bytes;
    uint64_t ticks;
    uint32_t header;
    uint32_t stamp;
    uint32_t code;
    uint32_t cpu;
    uint32_t chain; /* adjacent slots of the event, this one included */
    bool whole;     /* they are the complete event */
    bool timed;     /* `ticks` is the whole time: it does not follow from the stamp */
    int open;       /* of a later part: index of its event among the open ones; -1: none */
    /* Not next to ticks: a pair stored separately and loaded together would stall the loop. */
    uint64_t pos;
    uint64_t when; /* for the registry (struct tt_process): pos, or ticks if rings are merged */
};

static inline uint32_t kev_slot_word(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                     uint32_t word)
{
    return tt_load_u32(slot->bytes + KEV_SLOT_HEAD + 4 * word, cursor->d->big);
}

/* Returns whether the current slot is part of the dump of states. */
static inline bool kev_in_dump(const struct tt_cursor *cursor)
{
    return cursor->s.in_dump &&
           (cursor->d->release != KEV_8 || cursor->s.buffer_cpu == cursor->s.dump_ring);
}

/* Sets the time of a CPU. */
static inline void kev_set_ticks(struct tt_cursor *cursor, uint32_t cpu, uint64_t ticks)
{
    cursor->cpu[cpu].ticks = ticks;
    cursor->behind |= (uint64_t)(ticks < cursor->ahead_of) << cpu;
}

/* The stream of the slices that guests make on a CPU: a buffer of 8.0 has the events of one CPU. */
static inline uint16_t kev_guest_stream(const struct tt_cursor *cursor, uint32_t cpu)
{
    return cursor->d->release == KEV_8 ? (uint16_t)cpu : 0;
}

/* Adds an action of the current event, which is not counted yet; NULL if none are wanted. */
static inline struct tt_action *kev_act(struct tt_batch *batch, enum tt_action_kind kind)
{
    return tt_batch_act(batch, &batch->events[batch->count], kind);
}

/* Returns the entry for a key (pid, tid). Key 0 hashes to the first entry, key 1 does not. */
static inline struct kev_recent *kev_recent_at(struct tt_cursor *cursor, uint64_t key)
{
    return &cursor->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEV_RECENT_BITS)];
}
static inline void kev_recent_clear(struct tt_cursor *cursor, uint32_t index)
{
    cursor->recent[index].key = index == 0;
}

static inline struct kev_recent *kev_recent_process_at(struct tt_cursor *cursor, uint32_t pid)
{
    return &cursor->recent_processes[pid * 0x9e3779b1u >> (32 - KEV_PROCESS_BITS)];
}

/* The entries of the caches of lanes by number: see `pids`. */
#define KEV_RECENT_FIRST  KEV_LANE_CACHE
#define KEV_PROCESS_FIRST (KEV_RECENT_FIRST + (1u << KEV_RECENT_BITS))
#define KEV_CACHED        (KEV_PROCESS_FIRST + (1u << KEV_PROCESS_BITS))
_Static_assert(KEV_CACHED <= 64 * KEV_GROUP && KEV_CACHED % KEV_GROUP == 0, "bits of the groups");

static inline uint32_t kev_pid_bucket(uint32_t pid)
{
    return pid * 0x9e3779b1u >> 16 & (KEV_PID_BUCKETS - 1);
}
/* Notes that the entry with this number has the pid. */
static KEV_HOT void kev_pid_note(struct tt_cursor *cursor, uint32_t pid, uint32_t number)
{
    cursor->pids[kev_pid_bucket(pid)] |= UINT64_C(1) << number / KEV_GROUP;
}

/* Returns whether the batch has room for the actions of one more event. */
static inline bool kev_actions_fit(const struct tt_batch *batch)
{
    return !batch->actions || batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT;
}

/*
 * The bytes to decode: up to `limit`, without events that begin at or after `stop`. `final` as in
 * tt_format.decode.
 */
struct kev_span {
    uint64_t limit;
    uint64_t stop;
    bool final;
};

/* ---- kev_cursor.c ------------------------------------------------------------------------- */

/* Moves the cursor to the first slot and clears its state. */
void kev_cursor_reset(struct tt_cursor *cursor);

/* ---- kev_decode_fast.c -------------------------------------------------------------------- */

/* Decodes a batch, with actions or without, learning or not. */
enum tt_decode_result kev_decode_fast(struct tt_cursor *cursor, const struct kev_span *span,
                                      struct tt_batch *batch);

/* ---- kev_decode.c ------------------------------------------------------------------------- */

/*
 * Decodes slots up to and including the next event. The cursor must be before the end of the span,
 * and the batch must have room for the event and its actions. Stops without an event, with
 * TT_DECODE_MORE, where the span ends or slots of earlier events have filled the actions.
 */
enum tt_decode_result kev_decode_event(struct tt_cursor *cursor, const struct kev_span *span,
                                       struct tt_batch *batch);

/*
 * Adds the event of a whole slot that the caller has read itself, with its actions. The bytes are those of
 * the slot and, if the chain is longer, of the next one. The batch must have room.
 */
void kev_decode_take(struct tt_cursor *cursor, struct kev_slot *slot, struct tt_batch *batch);

/* ---- kev_codes.c -------------------------------------------------------------------------- */

/* Returns the word for a code that occurs for the first time and stores it in the table. */
uint32_t kev_code_info(struct tt_cursor *cursor, uint32_t code);
/* Returns whether the capture's release has an event with this code. */
bool kev_code_is_known(const struct kev_decoder *decoder, uint32_t code);

/* ---- kev_damage.c ------------------------------------------------------------------------- */

/* Ticks by which stamps of slots that follow each other differ at most, other than after a pause. */
#define KEV_NEAR (UINT32_C(1) << 22)

static inline bool kev_is_near(uint32_t stamp, uint32_t reference)
{
    return stamp - reference + KEV_NEAR <= 2 * KEV_NEAR;
}

/* How an event is confirmed that names a thread which is not known. */
enum kev_naming {
    KEV_NAMED_AGAIN, /* one of the next 2,048 slots is an event of it, or the file ends before 256 of them */
    KEV_NAMED_ONCE,
    KEV_NAMED_PERHAPS, /* undecided while the file may grow */
};
enum kev_naming kev_naming_of(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid,
                              uint64_t pos);

/* Returns whether slots of the indexed part are damaged: the fast loops without actions do not see that. */
static inline bool kev_is_damaged(const struct tt_capture *capture)
{
    return tt_health_count(capture, TT_HEALTH_DAMAGED) +
               tt_health_count(capture, TT_HEALTH_BAD_TIME) >
           0;
}

enum kev_verdict {
    KEV_SOUND,
    KEV_BAD_TIME, /* the event exists, but not at this time */
    KEV_DAMAGED,  /* no slots up to *end */
    KEV_WAIT,     /* undecided while the file may grow */
};

/* Judges a slot that does not follow those before it, from the slots around it. */
enum kev_verdict kev_judge(struct tt_cursor *cursor, const struct kev_slot *slot,
                           const struct kev_span *span, uint64_t *end);

#define KEV_CODE_TIME (KEV_CLASS_CONTROL << 10 | 1u)

/*
 * Judges the time of a CONTROL/TIME: it is bad if it is 2^32 ticks and more from that of its CPU, while the next TIME is
 * not. O(slots up to it), at most 4,096.
 */
enum kev_verdict kev_judge_time(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                const struct kev_span *span);

/* ---- kev_write.c -------------------------------------------------------------------------- */

/* Adds the action of a task that has a shape or is a message, for `event` of the slot. */
void kev_add_action(struct tt_cursor *cursor, uint32_t task, const struct kev_slot *slot,
                    const struct tt_event *event, struct tt_batch *batch);

/* ---- kev_lanes.c -------------------------------------------------------------------------- */

/* Returns the lane of (pid, tid) that the learning cursor added, or TT_NO_THREAD. Any thread. */
uint32_t kev_known_lane(const struct tt_capture *capture, uint32_t pid, uint32_t tid,
                        uint64_t when);
/* Adds the thread that a creation names (learning cursor). */
void kev_expect_thread(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when);
/* Returns the lane of (pid, tid); the learning cursor adds it. */
uint32_t kev_lane_of(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when);
/* Returns the process of a pid; TT_NO_THREAD: unknown, or through the network manager. */
uint32_t kev_process_of(struct tt_cursor *cursor, uint32_t pid, uint64_t when);

/*
 * Finds the lane that an event names and adds it to the cache of named threads. The mask is 0 if the
 * event names no thread; it then belongs to the running one.
 */
struct kev_named {
    uint32_t lane; /* KEV_UNDECIDED: kev_lacks_names() is true */
    uint32_t mask;
};
#define KEV_UNDECIDED (TT_NO_THREAD - 1)
struct kev_named kev_find_named(struct tt_cursor *cursor, uint64_t key, uint32_t info, uint64_t pos,
                                uint64_t ticks);

/* Returns whether an event of a growing file names a process that later slots must confirm (learning cursor only). */
bool kev_lacks_names(struct tt_cursor *cursor, const struct kev_slot *slot);

/* Sets the process or thread of a message, and notes it for the next time. */
void kev_look_up(struct tt_cursor *cursor, bool is_reply, const struct tt_event *event,
                 struct kev_recent *recent, uint64_t key, struct tt_action *action);

/* Removes a pid from the caches, as it may now be another process. */
void kev_forget_pid(struct tt_cursor *cursor, uint32_t pid);
/* Begins the process of a pid again that occurs after a loss although it had ended before. */
void kev_begin_missed_process(struct tt_cursor *cursor, uint32_t pid, uint64_t when);

/* ---- kev_actions.c ------------------------------------------------------------------------ */

/* Handles the tasks that need more than the event itself; may set its thread and flags. */
void kev_do_task(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                 struct tt_batch *batch, struct tt_event *event);

/* Returns whether a call that waits for an object also releases one and requests it again. */
bool kev_has_two_objects(uint32_t code);

/* Tracks the dump of states; called for each event until the dump ends, and for creations. */
void kev_track_dump(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot);

/* Stores the name in a complete combine event, if it has one (learning cursor only). */
void kev_store_name(struct tt_cursor *cursor, uint32_t code, uint64_t pos, uint64_t limit);

/* ---- kev_control.c ------------------------------------------------------------------------ */

/* Records a fault of the capture at `pos` (learning cursor only). */
void kev_note(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos, uint64_t value,
              const char *detail);
/* Sets the running thread to unknown on one CPU, or (cpu >= KEV_CPUS) on all. */
void kev_forget_running(struct tt_cursor *cursor, uint32_t cpu);
void kev_on_time(struct tt_cursor *cursor, struct kev_slot *slot);
void kev_on_buffer(struct tt_cursor *cursor, const struct kev_slot *slot, struct tt_batch *batch);
void kev_on_buffer_end(struct tt_cursor *cursor, const struct kev_slot *slot);
/* Makes what was before damaged bytes unknown at their first event; `before`: time of the last one before. */
void kev_on_damage(struct tt_cursor *cursor, const struct kev_slot *slot, uint64_t before,
                   struct tt_batch *batch);
void kev_on_dropped(struct tt_cursor *cursor, const struct kev_slot *slot, struct tt_batch *batch);
/* Handles the end of a complete file at `limit`; the learning cursor records missing data. */
void kev_on_end(struct tt_cursor *cursor, uint64_t limit);

#endif
