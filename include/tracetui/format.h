/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format: the interface of a decoder. A format is one constant table of functions, one folder below
 * src/format/ and one line in src/format/formats.c. A decoder depends on the bytes of its file and
 * the tables of struct tt_capture; it has no access to blocks, timelines or screens.
 *
 * Reading. The file is a tape. A cursor walks it forwards and fills batches:
 *
 *      open      reads the header; the cursor starts at the first record after it
 *      decode    reads from the cursor: up to batch->capacity events, with their actions
 *      save/load the cursor's state (a checkpoint) as a small blob, enough to resume there
 *
 *      tape   [ header | r r r r r r | r r r r r r | r r r ...
 *                        ^ block 0     ^ block 1     ^ block 2
 *                        blob 0        blob 1        blob 2
 *
 * The index stores one blob per block; decoding a block again from its blob yields the same events.
 * Exactly one cursor of a capture, the indexing cursor, adds to the capture's tables (types,
 * threads, names, health). All other cursors only look up; a block is published after its entries
 * are in the tables, so every lookup succeeds.
 *
 * Within a batch, events are in tape order; the caller sorts by time where needed.
 *
 * Speed: decode allocates only when a table grows, prints nothing, and does not hash per event
 * where an index suffices.
 *
 * Faults: decode reads mapped bytes inside tt_sigbus_guard and holds no lock while it reads them;
 * see map.h. The same applies to every function here that reads the file.
 *
 * Threads: the functions of a cursor run on one thread. Functions that read a const capture
 * (describe, parts, edges) may be called by any thread.
 */
#ifndef TRACETUI_FORMAT_H
#define TRACETUI_FORMAT_H

#include "tracetui/action.h"
#include "tracetui/capture.h"
#include "tracetui/event.h"
#include "tracetui/object_kind.h"

struct tt_text;
struct tt_section_writer;
struct tt_excerpt_format;

/*
 * Begin and end edges of an event. The begin and the end of one operation share a key (make it with
 * a hash, so that keys of different kinds differ). Of operations open under the same key, the
 * newest ends first.
 */
enum tt_edge_side {
    TT_EDGE_BEGIN,
    TT_EDGE_END,
    TT_EDGE_END_ALL, /* ends all open operations with the key */
    TT_EDGE_FORGET,  /* discards the open operations with the key: they never end */
    TT_EDGE_WHOLE,   /* begins here and ends `ticks` later */
};

struct tt_edge {
    uint64_t key;
    uint64_t ticks;  /* duration of WHOLE */
    uint32_t event;  /* index into the queried events */
    uint32_t thread; /* a loss on this lane or on this CPU makes the duration unknown; */
    uint16_t cpu;    /* or TT_NO_THREAD, TT_NO_CPU */
    uint8_t side;    /* enum tt_edge_side */
    bool alone;      /* BEGIN only: discards open operations with the key */
};

#define TT_EDGES_PER_EVENT 4

/*
 * The cause of a wake as far as the events around it show it (analysis/causes/wakes.h). Kinds of wakes:
 * X(id, name in jsonl).
 */
#define TT_WAKE_INFO(X)                                                                            \
    X(TT_WAKE_UNKNOWN, "unknown")                                                                  \
    X(TT_WAKE_MESSAGE, "message")                                                                  \
    X(TT_WAKE_REPLY, "reply")                                                                      \
    X(TT_WAKE_ERROR, "error")                                                                      \
    X(TT_WAKE_PULSE, "pulse")                                                                      \
    X(TT_WAKE_SIGNAL, "signal")                                                                    \
    X(TT_WAKE_UNLOCK, "unlock")                                                                    \
    X(TT_WAKE_CONDVAR, "condvar")                                                                  \
    X(TT_WAKE_POST, "post")                                                                        \
    X(TT_WAKE_BARRIER, "barrier")                                                                  \
    X(TT_WAKE_QUEUE, "queue")                                                                      \
    X(TT_WAKE_FLAGS, "flags")                                                                      \
    X(TT_WAKE_MEMORY, "memory")                                                                    \
    X(TT_WAKE_CREATE, "create")                                                                    \
    X(TT_WAKE_EXIT, "exit")                                                                        \
    X(TT_WAKE_PAGE, "page")                                                                        \
    X(TT_WAKE_RESUME, "resume")                                                                    \
    X(TT_WAKE_TIMER, "timer")                                                                      \
    X(TT_WAKE_INTERRUPT, "interrupt")                                                              \
    X(TT_WAKE_PLAIN, "wake") /* the capture has wakes without kinds */

enum tt_wake_kind {
#define X(id, name) id,
    TT_WAKE_INFO(X)
#undef X
        TT_WAKE_COUNT
};

/*
 * The role of an event. Roles refer to the event's CPU. The waker of a wake is, from the wake
 * backwards on its CPU, the innermost open interrupt or the thread that runs:
 *
 *      RUNS w   CALL unlock   READY t   CALL_END        t is woken by w, by unlocking
 *      IRQ 35   READY t   IRQ_END                       t is woken by interrupt 35
 *      DELIVER 11   READY t   RUNS t                    t is woken by interrupt 11
 */
enum tt_clue_role {
    TT_CLUE_NONE,
    TT_CLUE_READY,  /* `thread` becomes ready */
    TT_CLUE_WOKEN,  /* the same; the event has the waker `other`, or TT_NO_THREAD, and the `kind` */
    TT_CLUE_RUNS,   /* `thread` runs; if it was blocked, this is its wake */
    TT_CLUE_SWITCH, /* `thread` runs; the event shows nothing of its wake */
    TT_CLUE_CALL,   /* the running thread's call, whose wakes are of `kind`, on object `value` */
    TT_CLUE_CALL_END, /* earlier calls have ended */
    TT_CLUE_IRQ,      /* interrupt `value` begins; `kind` TIMER: that of the clock */
    TT_CLUE_IRQ_END,
    TT_CLUE_HANDLER, /* a handler of the open interrupt begins or ends */
    TT_CLUE_DELIVER, /* interrupt `value` is delivered, as above; it has no end */
    TT_CLUE_TIMER,   /* a timer of `thread` expires */
    TT_CLUE_FLOW,    /* `thread` passes flow `value` on, or receives it */
    TT_CLUE_SEND,    /* `thread` sends message `value`, in formats without calls */
    TT_CLUE_ANSWER,  /* `thread` answers message `value`, likewise */
};

struct tt_clue {
    uint64_t value;
    uint32_t thread;
    uint32_t other;
    uint8_t role; /* enum tt_clue_role */
    uint8_t kind; /* enum tt_wake_kind */
};

/* Meanings of arguments that refer to processes and threads (trace/arg_names.h). */
enum tt_arg_meaning {
    TT_ARG_PLAIN,       /* none */
    TT_ARG_PROCESS,     /* a pid */
    TT_ARG_OWN_PROCESS, /* a pid; 0: the process of the event's thread */
    TT_ARG_THREAD,      /* a tid of the process in argument `process`; NULL: of the event's */
    TT_ARG_OWNER,       /* the owner of a synchronization object (tt_references.arg_owner) */
    TT_ARG_PEER,        /* a connection or message: it means the process or thread of the message
                           that is recorded in the same call */
    TT_ARG_CODE,        /* a code address of the process in `process`; NULL: of the event's */
};

/* A row of a table; the last row has NULL as `name`. */
struct tt_arg_rule {
    const char *class_name; /* of the events; NULL: all */
    const char *event;      /* name of the event; with * at its end, the beginning; NULL: all */
    const char *name;       /* of the argument */
    enum tt_arg_meaning meaning;
    const char *process; /* of THREAD and CODE: the argument with the pid, or NULL */
};

/*
 * Kinds of records that a capture may lack because they were not recorded. X(id, key in jsonl,
 * consequence). tracetui/missing.h detects them; docs/capturing.md is the page for users.
 */
#define TT_MISSING_INFO(X)                                                                         \
    X(TT_MISSING_SCHEDULING, "scheduling", "no lanes, states, run times or delays")                \
    X(TT_MISSING_WAKEUPS, "wakeups", "sch delays and the causes of waits are unknown")             \
    X(TT_MISSING_PRIORITIES, "priorities", "delays have no higher or lower thread, no inversions") \
    X(TT_MISSING_INTERRUPTS, "interrupts", "their time counts as that of the thread")              \
    X(TT_MISSING_CALLS, "calls", "kernel calls have no times, wakes no kind")                      \
    X(TT_MISSING_MESSAGES, "messages", "the causes of message waits have no kind")                 \
    X(TT_MISSING_NAMES, "names", "threads and processes are shown by number")                      \
    X(TT_MISSING_CLOCK, "clock", "times are ticks")                                                \
    X(TT_MISSING_RECORDS, "records", "records were lost: states and times there are unknown")

enum tt_missing {
#define X(id, key, cost) id,
    TT_MISSING_INFO(X)
#undef X
        TT_MISSING_COUNT
};

/* Parts of the id of a message. */
struct tt_message_id {
    uint64_t connection; /* number of the connection in the server process; UINT64_MAX: none */
    uint64_t tid;        /* of the client in its process; 0: none */
};

/* Totals as the format's own tool counts them. TT_NO_TOTAL: the tool has no such number. */
#define TT_NO_TOTAL UINT64_MAX

struct tt_totals {
    uint64_t context_switches;
    uint64_t preemptions;
    uint64_t time_slices;
    uint64_t suspensions;
    uint64_t resumptions;
    uint64_t interrupts; /* nested ones included */
    uint64_t nested_interrupts;
    uint64_t inversions_deterministic;
    uint64_t inversions_nondeterministic;
};

/*
 * A priority inversion by the rules of the format's own tool: `thread` waits from one event to another
 * for an object of the less urgent `holder`.
 */
struct tt_tool_inversion {
    uint64_t begin; /* key of the event at which it begins */
    uint64_t begin_pos;
    uint64_t end; /* key of the thread's first event after those of others */
    uint64_t end_pos;
    uint64_t object;
    uint32_t thread;
    uint32_t holder;
    uint32_t by; /* thread whose event makes it non-deterministic, or TT_NO_THREAD */
    bool has_end;
};

/* The same for one thread, and its stack in bytes. */
struct tt_thread_totals {
    uint64_t suspensions;
    uint64_t resumptions;
    uint64_t stack_min; /* smallest number of free bytes in the range */
    uint64_t stack_size;
    uint64_t stack_ticks; /* key of the event with stack_min */
    uint64_t stack_pos;
    uint64_t scratch; /* for use by the format while it counts */
};

struct tt_tool_query;
struct tt_tool_row;

/* Events from one key up to, but not including, another. */
struct tt_key_range {
    uint64_t from_ticks;
    uint64_t from_pos;
    uint64_t to_ticks;
    uint64_t to_pos;
};

/* Properties of a thread state: one bit each. */
enum tt_state_flag {
    TT_STATE_ENDS_JOB = 1 << 0,     /* the thread waits for its next activation (tracetui/jobs.h) */
    TT_STATE_AWAITS_REPLY = 1 << 1, /* of class ipc: it ends with a reply */
};

/* A thread state of the format. State 0 is always "unknown". Absent members: none. */
struct tt_state_info {
    const char *name; /* "RECEIVE", "QUEUE_SUSP" */
    uint8_t class_;   /* enum tt_class */
    uint8_t flags;    /* enum tt_state_flag */
    uint8_t wake;     /* enum tt_wake_kind: of wakes that end it where no call shows the kind */
    uint8_t object;   /* enum tt_object_kind: what the thread waits for */
    const struct tt_format *format; /* that defines the state, in a merged capture; NULL: its own */
};

struct tt_batch {
    struct tt_event *events;
    uint32_t count;
    uint32_t capacity;
    struct tt_action *actions; /* NULL: not wanted */
    uint32_t action_count;
    uint32_t action_capacity; /* the batch also ends when fewer than TT_ACTIONS_PER_EVENT are
                                 left */
    uint64_t unwanted;        /* kinds of actions to omit, one bit each (1 << kind) */
    uint64_t byte_budget;     /* the batch ends after this many bytes of the tape; 0: no limit */
    uint64_t records;         /* out: incremented by the number of records (slots) read */
    uint64_t reached;         /* out: raised to the latest time of a record that has no event */
};

/* Sets an action: the key of its event, its kind, and defaults otherwise. */
static inline void tt_action_init(struct tt_action *action, uint64_t ticks, uint64_t pos,
                                  unsigned kind)
{
    action->ticks = ticks;
    action->pos = pos;
    action->value = 0;
    action->thread = TT_NO_THREAD;
    action->other = TT_NO_THREAD;
    action->cpu = TT_NO_CPU;
    action->priority = TT_NO_PRIORITY;
    action->state = 0;
    action->kind = (uint8_t)kind;
    action->flags = 0;
}

/*
 * Returns the batch's next action with the key of `event` and defaults; the caller fills it in.
 * NULL if no actions are wanted. An action of an unwanted kind is written but not counted: the next
 * kind is unpredictable, so this avoids a branch.
 */
static inline struct tt_action *tt_batch_act(struct tt_batch *batch, const struct tt_event *event,
                                             unsigned kind)
{
    if (!batch->actions || batch->action_count >= batch->action_capacity) {
        return NULL;
    }
    struct tt_action *action = &batch->actions[batch->action_count];
    batch->action_count += ((batch->unwanted | UINT64_C(1) << TT_ACTION_NONE) >> kind & 1) == 0;
    tt_action_init(action, event->ticks, event->pos, kind);
    return action;
}

/* Events that programs write themselves: rare, and important to the user. */
#define TT_NOTE_KINDS                                                                              \
    (UINT64_C(1) << TT_KIND_USER | UINT64_C(1) << TT_KIND_INSTANT | UINT64_C(1) << TT_KIND_LOG |   \
     UINT64_C(1) << TT_KIND_LOG_WARNING | UINT64_C(1) << TT_KIND_LOG_ERROR)

/*
 * Appends the note of a program's own event, if it is one. Call it after the actions of each event.
 */
static inline void tt_batch_note(struct tt_batch *batch, const struct tt_event *event)
{
    if ((TT_NOTE_KINDS >> event->kind & 1) != 0 && event->thread != TT_NO_THREAD) {
        struct tt_action *note = tt_batch_act(batch, event, TT_ACTION_NOTE);
        if (note) {
            note->thread = event->thread;
            note->other = event->type;
            note->cpu = event->cpu;
        }
    }
}

/* Types of events: one byte per type, not 0 if it is wanted. Types from `count` on are wanted. */
struct tt_type_set {
    const uint8_t *wanted;
    uint32_t count;
};

/* A search for the events of some types in a block (tt_tape.find_types). */
struct tt_block_search {
    struct tt_type_set types;
    const void *blob; /* the state of a cursor before the block */
    size_t blob_size;
    uint32_t events;      /* of the block */
    uint64_t first_ticks; /* the times of its first and last event */
    uint64_t last_ticks;
    struct tt_event *found; /* out, in order */
    uint64_t *rows;         /* out: events of the block before each of them */
    uint32_t capacity;
    uint32_t count; /* out */
};

enum tt_decode_result {
    TT_DECODE_MORE,   /* the batch is full or its budget is used up; call again */
    TT_DECODE_END,    /* no complete record is left below the limit; a growing file may bring
                         more */
    TT_DECODE_MEMORY, /* an allocation failed */
};

struct tt_cursor; /* defined by the decoder */

/* Properties of a format: one bit each. */
enum tt_format_flag {
    /*
     * A thread's process or idleness may become known after its actions were applied: timelines
     * are built when all is decoded. Otherwise they are built meanwhile.
     */
    TT_FORMAT_LATE_LANES = 1 << 0,
    /* The file is always written as a whole, in place: after a rewrite no earlier state is valid. */
    TT_FORMAT_SNAPSHOT = 1 << 1,
    /* The system has threads and no processes: messages are counted by thread. */
    TT_FORMAT_NO_PROCESSES = 1 << 2,
    TT_FORMAT_NO_WAKERS = 1 << 3,     /* the cause of a thread's becoming ready is not recorded */
    TT_FORMAT_NAMES = 1 << 5,         /* reads names_path of struct tt_capture_options */
    TT_FORMAT_LOW_IS_URGENT = 1 << 6, /* the smaller of two priorities is the more urgent one */
    TT_FORMAT_REPLIES = 1 << 7,       /* TT_STATE_AWAITS_REPLY is known of states */
    /* Ids of messages, and numbers of objects, are unique within a server process only. */
    TT_FORMAT_LOCAL_IDS = 1 << 8,
    TT_FORMAT_FLOWS = 1 << 9, /* each message is a step of a flow that the capture records */
    /* Counters can be sums of all events before: only a cursor from the tape's start has them. */
    TT_FORMAT_SUMS = 1 << 10,
    /* State 0 without a loss is off the CPU, ready or waiting: no record has which. */
    TT_FORMAT_UNKNOWN_IS_OFF = 1 << 12,
    TT_FORMAT_LOG = 1 << 4, /* lines of text with a time: it adds no states and no CPUs to others */
    TT_FORMAT_RINGS = 1 << 11,  /* can find processes by time (struct tt_capture, lanes_by_time) */
    TT_FORMAT_GUESTS = 1 << 13, /* the slices of a thread are the runs of the guest that it hosts */
};

/*
 * Order of the tape, where it is not that of one file in nearly the order of time. Absent members:
 */
struct tt_tape {
    /* Returns the file offset of a tape position. NULL: the same number. */
    uint64_t (*offset)(const struct tt_capture *capture, uint64_t pos);
    /*
     * Returns the number of the stream of an event; each stream is nearly in time order (a
     * provider). Called by the indexer. NULL: the CPU of the event if the capture has `streams`;
     * otherwise there is one stream.
     */
    uint32_t (*stream)(const struct tt_capture *capture, const struct tt_event *event);
    /*
     * Finds the events of some types in a block without decoding the others: the same events as
     * `decode`. Returns false if the block has to be decoded: its events are not in time order, are
     * of rare kinds, or too many are wanted. The cursor is in no defined state afterwards. NULL:
     * blocks are always decoded.
     */
    bool (*find_types)(struct tt_cursor *cursor, uint64_t limit, struct tt_block_search *search);
};

/* Things to which numbers of events refer. Any thread. */
struct tt_references {
    /* The meanings of arguments; NULL: none has one. */
    const struct tt_arg_rule *args;
    /*
     * Returns the thread that an OWNER argument of an event refers to, or TT_NO_THREAD; *special is
     * a constant text for a value that is no thread, or NULL. NULL: there are no such arguments.
     */
    uint32_t (*arg_owner)(const struct tt_capture *capture, const struct tt_event *event,
                          uint64_t value, const char **special);
    /*
     * Returns whether the `other` of a LOCK_WAIT action refers to a thread. Constant time. NULL:
     * it always does.
     */
    bool (*is_owner)(const struct tt_capture *capture, uint32_t thread, uint32_t owner);
    /*
     * Returns the name of an object (enum tt_object_kind), not terminated; NULL if it has none.
     * NULL: none has one.
     */
    const char *(*object_name)(const struct tt_capture *capture, unsigned kind, uint64_t id,
                               size_t *length);
    /*
     * Splits the id of a message (struct tt_action) into its parts; `parts` has none at first.
     * NULL: ids have no parts.
     */
    void (*message_id)(uint64_t id, struct tt_message_id *parts);
    /* Returns the name of an error that ends messages, or NULL. NULL: errors have no names. */
    const char *(*error_name)(uint32_t error);
    /* Returns what the format records for a priority of a thread. NULL: the same number. */
    int32_t (*weight)(const struct tt_capture *capture, uint32_t thread, int16_t priority);
};

/*
 * The decoder's state in the index cache (base/section_file.h). Absent members: there is no such
 * state. A capture with a decoder whose format has no `save` is not cached.
 */
struct tt_decoder_cache {
    /*
     * Writes the decoder's state after indexing, as far as the other functions need it
     * (non-indexing cursors, describe, parts, edges, totals), into a section that follows the
     * capture's tables and may refer to their numbers.
     */
    void (*save)(const struct tt_capture *capture, struct tt_section_writer *writer);
    /*
     * Reads what `save` wrote into a capture that was just opened and whose tables are restored.
     * No indexing cursor may follow. Validates everything: returns false for a number
     * outside the tables, or if out of memory; the capture can then only be freed.
     */
    bool (*restore)(struct tt_capture *capture, struct tt_reader *reader);
};

/*
 * The recorder on the target, and what the vendor's own tool counts (its totals, inversions and
 * tables). The functions are called when the index is finished; they walk the capture once and stop
 * where bytes are gone. NULL: the tool has no such numbers.
 */
struct tt_tool {
    const char *message_records; /* the records that messages come from; NULL: there are none */
    /* Computes the totals of a range; `threads` has room for tt_thread_count entries. */
    void (*totals)(const struct tt_capture *capture, const struct tt_key_range *range,
                   uint64_t limit, struct tt_totals *totals, struct tt_thread_totals *threads);
    /*
     * Calls `take` for the priority inversions that `totals` counts, in order of their ends, until
     * it returns false; `threads` is scratch space.
     */
    void (*inversions)(const struct tt_capture *capture, const struct tt_key_range *range,
                       uint64_t limit, struct tt_thread_totals *threads,
                       bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                       void *arg);
    /*
     * Calls `take` for each row of a table of the tool (tracetui/tool_rows.h) until it returns
     * false. Returns false if out of memory.
     */
    bool (*rows)(const struct tt_capture *capture, const struct tt_tool_query *query,
                 uint64_t limit, bool (*take)(void *arg, const struct tt_tool_row *row), void *arg);
};

/*
 * A format. Required are the name, states, probe, open, cursor_new, cursor_save, cursor_load,
 * cursor_pos, decode and describe; the comments of the others say what the core does without them.
 */
struct tt_format {
    const char *name;       /* "kev": in options and in json */
    const char *title;      /* "QNX kernel event trace" */
    const char *extensions; /* ".kev .kev2": break ties only */
    uint32_t flags;         /* enum tt_format_flag; 0: none of them is true */
    uint32_t state_count;
    const struct tt_state_info *states;

    /*
     * Returns a score from 0 (no) to 100 (certain) that `head`, the first bytes of the file (all of
     * them, up to a few MB), is of this format. Reads only `head`; `size` is the size of the file
     * in bytes.
     */
    int (*probe)(struct tt_bytes head, uint64_t size);
    /*
     * Returns whether a file whose beginning no format recognises is one of this format that was cut at the front:
     * records begin somewhere in `head`. NULL: it is not.
     */
    bool (*probe_cut)(struct tt_bytes head);

    /*
     * Reads the header, sets the capture's facts and capture->decoder. The cost must not depend on the
     * size of the file. On failure nothing is left to free. Errors: TT_ERR_FORMAT, TT_ERR_MEMORY,
     * TT_ERR_USAGE.
     */
    struct tt_status (*open)(struct tt_capture *capture, const struct tt_capture_options *options);
    /*
     * Frees the decoder's state. Also called after a fault in the mapping interrupted open:
     * capture->decoder may be NULL. NULL: capture->decoder is passed to free.
     */
    void (*close)(struct tt_capture *capture);

    /*
     * Returns a cursor at the tape's start; NULL if out of memory. `learn`: the indexing cursor.
     * The caller frees it with tt_cursor_free.
     */
    struct tt_cursor *(*cursor_new)(struct tt_capture *capture, bool learn);
    /* Frees a cursor. NULL: it is passed to free. */
    void (*cursor_free)(struct tt_cursor *cursor);
    /* Writes the cursor's state to `blob` if it fits; returns its size in bytes in any case. */
    size_t (*cursor_save)(const struct tt_cursor *cursor, void *blob, size_t capacity);
    /* Restores a state written by cursor_save for the same capture. */
    void (*cursor_load)(struct tt_cursor *cursor, const void *blob, size_t size);
    /* Returns the tape position of the next record. */
    uint64_t (*cursor_pos)(const struct tt_cursor *cursor);

    /*
     * Decodes the next records, reading only file offsets below `limit`. `final`: the file will not
     * grow, so an incomplete record at the end is damage; otherwise it is left for later.
     */
    enum tt_decode_result (*decode)(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch);
    /*
     * Decodes the arguments of an event of this capture, in order. Reads only offsets below
     * `limit`. Sets args->is_partial if records of the event may still come. Returns false if the
     * bytes are gone.
     */
    bool (*describe)(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args);
    /*
     * Fills in at most `max` parts of the event's record and returns the number of its parts. NULL:
     * the record is the `length` bytes at the event's position; derived events have none.
     */
    uint32_t (*parts)(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max);
    /*
     * Computes the operations that an event begins and ends; `edges` has room for
     * TT_EDGES_PER_EVENT edges, whose `event` and `alone` are zero. Returns the number of edges.
     * NULL: events have no edges. Any thread.
     */
    uint32_t (*edges)(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges);
    /*
     * Fills in the role of an event in a wake; `clue` has the role NONE and no threads. Sets
     * `other`, `value` and the `kind` of interrupts only if `with_details`. Runs inside
     * tt_sigbus_guard. NULL: the format has no wakes. Any thread.
     */
    void (*clue)(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue);

    /*
     * Returns whether the capture has runs of guests (TT_FORMAT_GUESTS). Reads the file up to the first one, inside
     * tt_sigbus_guard. NULL: it has none.
     */
    bool (*hosts)(const struct tt_capture *capture);

    /* Members of these are documented above; without any of them, all are absent. */
    struct tt_tape tape;
    struct tt_references refers;
    struct tt_decoder_cache cache;
    struct tt_tool tool;
    const struct tt_excerpt_format *excerpt; /* format/excerpt_format.h; NULL: no parts are saved */
};

/* Returns whether a format has a property. */
static inline bool tt_format_has(const struct tt_format *format, enum tt_format_flag flag)
{
    return (format->flags & flag) != 0;
}

/* Returns whether a capture is one of a moment, and is read as a whole; the files of a directory grow. */
static inline bool tt_capture_is_snapshot(const struct tt_capture *capture)
{
    return tt_format_has(capture->format, TT_FORMAT_SNAPSHOT) && !capture->files;
}

/* Returns a state of a format; its name is "unknown" and its class too if there is none. */
static inline const struct tt_state_info *tt_format_state(const struct tt_format *format,
                                                          unsigned state)
{
    static const struct tt_state_info none = {.name = "unknown"};
    return state < format->state_count ? &format->states[state] : &none;
}

/* The functions of a format with their defaults. */

/* Returns the stream of an event (struct tt_tape). */
static inline uint32_t tt_capture_stream(const struct tt_capture *capture,
                                         const struct tt_event *event)
{
    return capture->format->tape.stream ? capture->format->tape.stream(capture, event)
           : capture->streams > 0       ? event->cpu
                                        : 0;
}

/* Frees a cursor; NULL is allowed. */
void tt_cursor_free(const struct tt_format *format, struct tt_cursor *cursor);
/* Fills in at most `max` parts of an event's record and returns the number of its parts. */
uint32_t tt_capture_parts(const struct tt_capture *capture, const struct tt_event *event,
                          uint64_t limit, struct tt_part *parts, uint32_t max);
/*
 * Return whether the decoder's state can be saved in the index cache, and whether it was read from there
 * (struct tt_decoder_cache).
 */
bool tt_capture_can_save(const struct tt_capture *capture);
bool tt_capture_restore(struct tt_capture *capture, struct tt_reader *reader);

/* All formats, terminated by NULL. */
extern const struct tt_format *const tt_formats[];

#endif
