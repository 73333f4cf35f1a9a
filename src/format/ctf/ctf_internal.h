/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_internal: declarations shared by the files of the decoder of the Common Trace Format (CTF 1.8 and 2).
 *
 *      ctf.c           the format table: probe, open, close, facts
 *      ctf_metadata.c  metadata as text: packets of it, declarations as they come
 *      ctf_tsdl.c      blocks of CTF 1.8; ctf_tsdl_types.c: types; ctf_tokens.c: tokens; ctf_json.c: CTF 2
 *      ctf_classes.c   classes of fields: alignments, references, roles
 *      ctf_plan.c      how an event is skipped, and where its fields are
 *      ctf_walk.c      fields of any class, one after the other
 *      ctf_streams.c   stream files and their packets; ctf_decode.c: cursor and events
 *      ctf_lttng.c     meaning of events: the Linux kernel, by LTTng and by perf
 *      ctf_zephyr.c    meaning of events: Zephyr; ctf_ust.c: programs, by LTTng
 *      ctf_describe.c  arguments on demand
 *      ctf_cache.c     the decoder in the index cache
 *
 * Metadata describe the fields of each kind of event, by classes: integers, structures, sequences and so on. A class
 * is compiled once into a plan, so that an event is skipped without looking at its fields:
 *
 *      struct { int32 tid; string name; int8 a; int8 b; }      run of 32 bits | string | run of 16 bits
 *
 * A capture has traces (directories with a file `metadata`), a trace has streams, and a stream has packets, which
 * decode alone. Positions within a packet are in bits. The tape is the packets of all streams, the earliest first:
 *
 *      stream 0   [packet ......][packet ..][packet ...]
 *      stream 1     [packet .][packet ........]
 *      tape       | 0 | 1 | 1 | 0 | 0 |       position = `base` of the packet + position in it, in bytes
 *
 * The position is in bits if events of the capture can begin within a byte (position_shift).
 *
 * The learning cursor determines the order of packets and appends it to `packets`; other cursors read it there.
 * `struct ctf` lives from open to close; its metadata do not change after open. Each cursor belongs to its caller
 * and to one thread.
 */
#ifndef TRACETUI_FORMAT_CTF_CTF_INTERNAL_H
#define TRACETUI_FORMAT_CTF_CTF_INTERNAL_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/column.h"
#include "format/linux/linux_sched.h"
#include "format/linux/linux_syscalls.h"
#include "format/linux/linux_threads.h"
#include "tracetui/format.h"
#include "tracetui/map.h"
#include "tracetui/text.h"

/* Limits of metadata. A capture beyond them is refused with a message. */
#define CTF_METADATA_MOST (UINT64_C(64) << 20) /* bytes */
#define CTF_DEPTH         24u                  /* classes within each other */
#define CTF_MEMBERS       (UINT32_C(1) << 20)  /* fields of all events together */
#define CTF_EVENTS        65536u
#define CTF_STREAMS       1024u /* stream blocks */
#define CTF_REGISTERS     64u   /* fields of an event that others refer to */
#define CTF_TRACES        64u
#define CTF_FILES         4096u

#define CTF_NO_TYPE UINT32_MAX
#define CTF_NONE    UINT64_MAX

/* ---- classes of fields -------------------------------------------------------------------- */

enum ctf_kind {
    CTF_INTEGER, /* also an enumeration (labels), a boolean, a bit array */
    CTF_FLOAT,
    CTF_VARINT, /* LEB128 */
    CTF_STRING, /* up to its NUL */
    CTF_TEXT,   /* `length` bytes, up to a NUL in them */
    CTF_BLOB,   /* `length` bytes */
    CTF_STRUCT,
    CTF_ARRAY,   /* `length` times members[0] */
    CTF_VARIANT, /* one of the members; an optional field is a variant with one option */
};

enum ctf_order { CTF_NATIVE, CTF_LITTLE, CTF_BIG };

/* Meanings of numbers in packets and in headers of events. */
enum ctf_role {
    CTF_ROLE_NONE,
    CTF_ROLE_MAGIC,
    CTF_ROLE_UUID,
    CTF_ROLE_STREAM_ID,
    CTF_ROLE_INSTANCE,
    CTF_ROLE_BEGIN,
    CTF_ROLE_END,
    CTF_ROLE_CONTENT,
    CTF_ROLE_SIZE,
    CTF_ROLE_DISCARDED,
    CTF_ROLE_SEQUENCE,
    CTF_ROLE_CPU,
    CTF_ROLE_ID,
    CTF_ROLE_TIME,
    CTF_ROLES,
};

/* A label of an enumeration, or a range of values that selects an option. */
struct ctf_label {
    const char *text;
    uint64_t low; /* of a signed number: its 64 bits */
    uint64_t high;
    struct ctf_label *next;
};

struct ctf_class;

struct ctf_member {
    const char *name; /* without the underscore that protects it */
    struct ctf_class *type;
    struct ctf_label *ranges; /* of an option: the values of the selector */
    bool any;                 /* of an option: selected by any value but 0 (an optional field) */
    struct ctf_member *next;
};

/* Another field that a class depends on: its length, or its selector. */
struct ctf_path {
    const char *name; /* "trace.packet.header", or a part; NULL: the parent (CTF 2) */
    struct ctf_path *next;
};

struct ctf_class {
    uint8_t kind;  /* enum ctf_kind */
    uint8_t order; /* enum ctf_order, until it is bound */
    uint8_t bits;  /* of a number */
    uint8_t base;  /* 2, 8, 10 or 16 */
    uint8_t role;  /* enum ctf_role */
    bool big;      /* once it is bound */
    bool is_signed;
    bool is_text;        /* an integer that is a character */
    bool is_enumeration; /* it may have no labels */
    bool is_clock;       /* its values are those of the clock */
    bool has_path;
    bool reversed;  /* bits last to first */
    bool is_simple; /* 8, 16, 32 or 64 bits that are not reversed, once it is bound */
    uint16_t save;  /* register + 1 that receives its value; 0: none */
    uint16_t from;  /* register + 1 with its length or its selector; 0: none */
    uint32_t align;
    uint32_t member_count;
    uint64_t length;
    uint64_t
        fixed; /* bits from its aligned begin; CTF_NONE: they depend on values or on the position */
    struct ctf_label *labels;
    struct ctf_member *members;
    struct ctf_path *path;
    bool selector_is_signed;
};

/* Parts of an event, in this order; those of packets are before them. */
enum ctf_scope {
    CTF_PACKET_HEADER,
    CTF_PACKET_CONTEXT,
    CTF_EVENT_HEADER,
    CTF_COMMON_CONTEXT, /* of all events of a stream: stream.event.context */
    CTF_EVENT_CONTEXT,
    CTF_PAYLOAD,
    CTF_SCOPES,
};

/* How metadata call the parts: in JSON, and as the begin of an absolute path of TSDL. */
struct ctf_origin {
    const char *json;
    const char *words[3];
    uint8_t scope;
};

extern const struct ctf_origin ctf_origins[CTF_SCOPES];

/* ---- plans -------------------------------------------------------------------------------- */

enum ctf_step_kind {
    CTF_STEP_RUN,    /* `bits` from the next multiple of `align` */
    CTF_STEP_SAVE,   /* the same, a number that goes to register `number` */
    CTF_STEP_STRING, /* up to a NUL */
    CTF_STEP_ITEMS, /* as many items of `bits` as register `number` has; `stride` bits from one to the next */
    CTF_STEP_WALK, /* `type`, by ctf_walk */
};

struct ctf_step {
    uint8_t kind;
    uint8_t number;
    uint32_t align;
    uint64_t bits;
    uint64_t stride;
    const struct ctf_class *type;
};

/* A field at a constant place, and the argument that it becomes, but for the value: its name is "ctx.tid" or "b[0]". */
struct ctf_leaf {
    const struct ctf_class *type;
    uint32_t at; /* bits from the begin of its part */
    struct tt_arg arg;
};

#define CTF_LEAVES TT_ARGS_MAX

/* How a part of an event is skipped, and what its arguments are. */
struct ctf_plan {
    const struct ctf_class *type; /* NULL: the part does not exist */
    struct ctf_step *steps;
    uint32_t count;
    uint32_t align;
    uint64_t bits; /* if all of it is one run; otherwise CTF_NONE */
    struct ctf_leaf
        *leaves; /* of its first members, up to `rest`, which begins after rest_at bits */
    uint32_t leaf_count;
    const struct ctf_member *rest; /* NULL: there is none */
    uint64_t rest_at;
    const char *prefix; /* of the names of arguments */
};

/* Where a number or a text is in an event. */
struct ctf_place {
    const struct ctf_class *type; /* NULL: the event lacks it */
    uint64_t offset;              /* bits from the begin of its part; CTF_NONE: found by ctf_walk */
    uint8_t scope;
};

#define CTF_PLACES 8

struct ctf_tracer;

/* A kind of event: an event block. */
struct ctf_event {
    const char *name;       /* as in the metadata */
    const char *class_name; /* set by the tracer's `mean`, as is the following name */
    const char *shown_name;
    uint64_t id;
    uint64_t stream_id;
    const struct ctf_stream_class *of;
    struct ctf_class *context;
    struct ctf_class *payload;
    struct ctf_plan plans[CTF_SCOPES]; /* the last two */
    struct ctf_place at[CTF_PLACES];   /* fields that matter: set by `mean` */
    _Atomic uint32_t type;             /* CTF_NO_TYPE: none was recorded so far */
    uint32_t number;                   /* for `mean` */
    uint32_t offsets[CTF_SCOPES]; /* of its parts after its header, if it has a constant size, */
    uint64_t bits;                /* which is without the header; otherwise CTF_NONE */
    uint16_t registers;           /* that its fields use */
    uint16_t meaning;             /* of the tracer; 0: none */
    uint8_t kind;                 /* enum tt_kind */
    struct ctf_event *next;
};

/* The header of events, if it has the usual form: numbers, and one variant at its end at most. */
struct ctf_header_part {
    const struct ctf_class *id, *time; /* NULL: it has none */
    uint64_t id_at, time_at;
    uint64_t bits;
    uint32_t align;
    const struct ctf_label *ranges;
};

struct ctf_header {
    bool is_usual;
    uint32_t align;
    struct ctf_header_part first;
    const struct ctf_class *selector;
    uint64_t selector_at;
    unsigned option_count;
    struct ctf_header_part options[4];
    unsigned
        word; /* LTTng's compact form: bits of the id in a little-endian word, whose rest is the time; 0: another */
};

/* A stream block. */
struct ctf_stream_class {
    uint64_t id;
    struct ctf_trace *trace;
    const char *name;
    const char *clock_name;                /* of CTF 2; NULL: none */
    struct ctf_class *classes[CTF_SCOPES]; /* packet context, event header, common context */
    struct ctf_plan plans[CTF_SCOPES];
    struct ctf_header header;
    uint32_t event_align;     /* of the begin of its events, if it is the same for all; else 1 */
    struct ctf_event *events; /* the list, newest first */
    uint32_t event_count;
    struct ctf_event **sorted; /* by id */
    struct ctf_event **direct; /* by id below direct_count */
    uint32_t direct_count;
    struct ctf_place tid, pid, comm; /* of common context: thread, process and name; of `tracer` */
    struct ctf_stream_class *next;
};

/* ---- traces, streams, packets --------------------------------------------------------------- */

struct ctf_clock {
    const char *name;
    const char *uid; /* uuid or uid; NULL */
    const char *description;
    uint64_t freq;
    int64_t offset_s;
    uint64_t offset;
    uint64_t add; /* ticks of the capture at value 0, modulo 2^64 */
    struct ctf_clock *next;
};

struct ctf_entry {
    const char *key;
    const char *text; /* NULL: a number */
    int64_t number;
    struct ctf_entry *next;
};

/* A directory with metadata. */
struct ctf_trace {
    struct ctf *decoder;
    unsigned number;
    const char *folder; /* with its slash; empty: the capture's own */
    unsigned version;   /* 1 or 2 */
    bool is_packetized;
    bool has_order;
    bool big;
    bool has_uuid;
    uint8_t uuid[16];
    const char *name;
    struct ctf_entry *env; /* in order */
    struct ctf_clock *clocks;
    struct ctf_class *packet_header;
    struct ctf_stream_class *streams;
    uint32_t stream_count;
    uint32_t event_count;
    uint32_t member_count; /* of all classes, */
    uint32_t bound_count;  /* and of their copies */
    uint32_t compared;     /* labels with options */
    const struct ctf_tracer *tracer;
    struct ctf_event *declared; /* events whose stream is not known yet */
    bool is_implicit_clock;     /* the header's field `timestamp` counts ns */
    bool has_registers;         /* events refer to fields of the packet */
};

/* State of a stream between events that meanings need; all zero at its begin and after a loss. */
union ctf_state {
    uint64_t words[4];
    struct {
        uint32_t lane;  /* the thread that runs, + 1; 0: not known */
        uint16_t depth; /* interrupts that are open */
        uint16_t
            call; /* while that thread is not known: the state in which it would wait in its call, */
        uint64_t futex; /* and for what */
    } lttng;
    struct ctf_zephyr_cpu {  /* of CPUs in one stream: the first four */
        uint32_t lane : 19;  /* the thread that runs, + 1; 0: not known */
        uint32_t idle : 1;   /* it is an idle one, by the name in its switch */
        uint32_t depth : 4;  /* interrupts that are open */
        uint32_t call : 4;   /* state in which the thread would wait in the call that it is in */
        uint32_t reason : 4; /* state in which it leaves; 0: no reason was seen */
        uint32_t object;     /* of the call, or what it waits for */
    } zephyr[4];
};

/* A packet as its own header and context describe it. */
struct ctf_found {
    uint64_t offset;    /* in the capture's bytes */
    uint64_t size;      /* bytes, not more than the file has */
    uint64_t content;   /* bits, likewise */
    uint64_t begin;     /* of the clock; CTF_NONE: it has none */
    uint64_t discarded; /* counter; CTF_NONE: none */
    uint64_t sequence;  /* CTF_NONE: none */
    uint64_t events;    /* bits before its first event */
    uint32_t stream;
    uint16_t cpu;
    bool is_cut;   /* the file ends before the packet */
    bool is_found; /* by its magic number, after bytes that are no packets */
    bool is_open;  /* it has no size: it ends with the file */
};

struct ctf_slot {
    uint64_t sequence;
    uint64_t offset; /* in the file */
};

struct ctf_file {
    struct ctf_trace *trace;
    const char *name; /* in the capture's directory */
    uint64_t at;      /* in the capture's bytes */
    uint64_t size;
    uint64_t done; /* bytes of packets that were read */
    uint32_t number;
    unsigned in;            /* its number in the directory */
    bool is_queued;         /* its next packet is in the heap */
    bool is_bad;            /* no further packets are read */
    struct ctf_found next;  /* the next packet of the tape */
    struct ctf_slot *order; /* its packets, if they are a ring; NULL */
    uint32_t order_count, order_at;
};

/* A stream: packets of one file, of several (trace-file rotation), or some of a file. */
struct ctf_stream {
    struct ctf_trace *trace;
    const struct ctf_stream_class *of;
    uint64_t instance;
    const struct ctf_clock *clock_of;
    uint32_t older; /* in its bucket, + 1 */
    uint32_t
        before; /* the stream of another directory that it continues (an archive of chunks), + 1; 0: none */
    uint16_t cpu; /* TT_NO_CPU: the packets do not have it */
    bool has_discarded, has_sequence;
    /* Learning cursor only, after the packets that it has decoded: */
    uint64_t clock;
    uint64_t discarded;
    uint64_t sequence;
    uint64_t last;       /* ticks of the last event; 0: none yet */
    uint64_t lost_since; /* the next event follows a loss since then; 0: no */
    union ctf_state state;
};

/* A packet on the tape. */
struct ctf_packet {
    uint64_t base; /* tape position */
    uint64_t offset;
    uint64_t content; /* bits, not more than the file has */
    uint64_t clock;   /* value at its begin */
    uint64_t since;   /* ticks of the last event before a loss; 0: no loss before its first event */
    union ctf_state state;
    uint64_t events; /* bits before its first event */
    uint32_t stream;
    uint32_t file;
    uint16_t cpu;
    uint16_t is_open; /* what the file gets after it is a packet of its own */
    uint32_t padding;
};

/* ---- the decoder -------------------------------------------------------------------------- */

struct ctf_next {
    uint64_t time; /* ticks */
    uint32_t file;
};

#define CTF_BUCKETS 4096u
#define CTF_NEAR    256u

struct ctf {
    struct tt_capture *capture;
    struct tt_arena arena; /* metadata; only open adds */
    struct ctf_trace *traces[CTF_TRACES];
    unsigned trace_count;
    struct ctf_file *files;
    uint32_t file_count;
    unsigned listed;               /* files of the directory that were seen, metadata included */
    struct tt_column streams;      /* struct ctf_stream */
    uint32_t buckets[CTF_BUCKETS]; /* of streams, + 1 */
    struct ctf_next *next;         /* the next packet of each file: a heap */
    size_t next_count;
    uint64_t tape;                   /* learning cursor: end of the packets on the tape */
    struct tt_column packets;        /* struct ctf_packet */
    _Atomic uint32_t near[CTF_NEAR]; /* packets that were looked up last, by their tape positions */
    unsigned position_shift;
    bool no_memory;
    bool is_final; /* learning cursor: the files do not grow any more */

    /* Of the Linux kernel and its programs. */
    struct linux_threads threads;
    struct linux_leave leave;
    uint64_t no_load;     /* the bit of prev_state that marks idle kernel threads; 0: none */
    bool is_rt;           /* a kernel with PREEMPT_RT */
    uint16_t births[4];   /* calls that return twice */
    _Atomic uint64_t has; /* meanings of events that are declared, a bit each */
    _Atomic uint32_t call_types[LINUX_CALLS + 1];
    void *own[CTF_TRACES]; /* of a tracer, by trace: from the arena */
};

/* An event with its bytes: what meanings and arguments are read from. */
struct ctf_record {
    const struct ctf *d;
    const struct ctf_event *of; /* NULL: no block has its id */
    const struct ctf_stream *stream;
    const uint8_t *bytes; /* of its packet */
    uint64_t end;         /* bits of the packet */
    uint64_t id;
    uint64_t begin;          /* bits of the packet before it */
    uint64_t at[CTF_SCOPES]; /* of its parts: their aligned begins */
    uint64_t after;
    uint64_t *registers; /* CTF_REGISTERS, filled in by the parts that were read */
};

/* The state of a cursor: all that the index stores for a block. */
struct ctf_cursor_place {
    uint64_t packet; /* number of the current packet */
    uint64_t at;     /* bits of it that are decoded; 0: its begin */
    uint64_t clock;
    union ctf_state state;
    uint64_t first; /* the next event is the first of its packet */
};

struct tt_cursor {
    struct ctf *d;
    struct ctf_cursor_place s;
    bool learn;
    uint64_t registers[CTF_REGISTERS];
};

/*
 * The meaning of the events of a tracer. An absent function: nothing.
 *
 * `act` is called for each event after its thread was set from the contexts (TT_NO_THREAD if there are none); it may
 * change event->thread, ->kind, ->cpu and ->flags, uses and changes cursor->s.state, and adds actions. A cursor that
 * does not learn must find the same: it may depend on the record, on the state, and on tables that only grow (lanes).
 */
struct ctf_tracer {
    const char *name; /* in Info */
    /* Returns whether the events of a trace are of this tracer. */
    bool (*is_of)(const struct ctf_trace *trace);
    /* Prepares the tracer for a trace; after all metadata are known. Returns false if out of memory. */
    bool (*prepare)(struct ctf_trace *trace);
    /* Sets class_name, shown_name, kind, meaning and places of an event. */
    void (*mean)(struct ctf_trace *trace, struct ctf_event *event);
    /* Sees the events of the first packets before the index is begun. */
    void (*survey)(struct ctf *ctf, const struct ctf_record *record);
    void (*act)(struct tt_cursor *cursor, const struct ctf_record *record, struct tt_event *event,
                struct tt_batch *batch);
    /* As in struct tt_format, for an event whose record was found. */
    uint32_t (*edges)(const struct ctf_record *record, const struct tt_event *event,
                      struct tt_edge *edges);
    void (*clue)(const struct ctf_record *record, const struct tt_event *event,
                 struct tt_clue *clue);
    /* Adds labels to arguments. */
    void (*label)(const struct ctf_record *record, const struct tt_event *event,
                  struct tt_args *args);
    const char *const *recording; /* of tt_capture */
};

/*
 * Sets the names of an event: "lttng_ust:x" is x of class lttng_ust; otherwise the class is what comes before the first `between`
 * (NUL: "event").
 */
void ctf_names_of(struct ctf_trace *trace, struct ctf_event *event, char between);

/* Finds the names of slices again, in the types of an index cache. */
void ctf_ust_restore(struct ctf *ctf);

extern const struct ctf_tracer ctf_kernel, ctf_perf, ctf_ust, ctf_zephyr, ctf_plain;

/* ---- states ------------------------------------------------------------------------------- */

/* States of Zephyr, after those of Linux (linux_sched.h): X as there. */
#define CTF_ZEPHYR_STATE_INFO(X)                                                                   \
    X(ZEPHYR_SEMAPHORE, "semaphore", TT_CLASS_LOCK, 0, TT_WAKE_POST, TT_OBJECT_SEMAPHORE)          \
    X(ZEPHYR_MUTEX, "mutex", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_MUTEX)                    \
    X(ZEPHYR_CONDVAR, "condvar", TT_CLASS_CONDITION, 0, TT_WAKE_CONDVAR, TT_OBJECT_CONDVAR)        \
    X(ZEPHYR_QUEUE, "queue", TT_CLASS_IPC, TT_STATE_ENDS_JOB, TT_WAKE_QUEUE, TT_OBJECT_QUEUE)      \
    X(ZEPHYR_EVENT, "event", TT_CLASS_CONDITION, TT_STATE_ENDS_JOB, TT_WAKE_FLAGS,                 \
      TT_OBJECT_FLAGS)                                                                             \
    X(ZEPHYR_MEMORY, "memory", TT_CLASS_LOCK, 0, TT_WAKE_MEMORY, TT_OBJECT_BLOCK_POOL)             \
    X(ZEPHYR_JOIN, "join", TT_CLASS_WAIT, 0, TT_WAKE_EXIT, 0)                                      \
    X(ZEPHYR_SLEEP, "sleep", TT_CLASS_SLEEP, TT_STATE_ENDS_JOB, TT_WAKE_TIMER, 0)                  \
    X(ZEPHYR_PENDING, "pending", TT_CLASS_WAIT, 0, 0, 0)                                           \
    X(ZEPHYR_SUSPENDED, "suspended", TT_CLASS_STOPPED, 0, TT_WAKE_RESUME, 0)                       \
    X(ZEPHYR_OFF, "off", TT_CLASS_UNKNOWN, 0, 0, 0)

enum ctf_zephyr_state {
    CTF_ZEPHYR_FIRST = LINUX_STATES - 1,
#define X(id, name, class_, flags, wake, object) id,
    CTF_ZEPHYR_STATE_INFO(X)
#undef X
        CTF_STATES
};

/* ---- ctf_metadata.c, ctf_tsdl.c, ctf_json.c ------------------------------------------------- */

/* Returns whether bytes are the begin of metadata: of any kind that ctf_metadata_read knows. */
bool ctf_is_metadata(struct tt_bytes head);
/* Reads the metadata of a trace. TT_ERR_FORMAT with the line, TT_ERR_MEMORY. */
struct tt_status ctf_metadata_read(struct ctf_trace *trace, struct tt_bytes bytes);
struct tt_status ctf_tsdl_read(struct ctf_trace *trace, const char *text, size_t length);
struct tt_status ctf_json_read(struct ctf_trace *trace, const char *text, size_t length);
/* Reads the 36 characters of a uuid. */
bool ctf_read_uuid(const char *text, uint8_t uuid[16]);

/* ---- ctf_classes.c ------------------------------------------------------------------------ */

/* Return new zeroed objects, or NULL with no_memory set. */
void *ctf_new(struct ctf *ctf, size_t size);
char *ctf_text(struct ctf *ctf, const char *bytes, size_t length);
/* Returns a name without the one underscore that may protect it. */
const char *ctf_bare(const char *name);
const struct ctf_entry *ctf_env(const struct ctf_trace *trace, const char *key);
/* Returns an entry that is a text; "" if there is none. */
const char *ctf_env_text(const struct ctf_trace *trace, const char *key);
struct ctf_stream_class *ctf_stream_class(const struct ctf_trace *trace, uint64_t id);
const struct ctf_member *ctf_member(const struct ctf_class *type, const char *name);
/* Completes a trace: copies classes for each use, resolves references, makes plans. */
struct tt_status ctf_bind(struct ctf_trace *trace);
const struct ctf_event *ctf_event_search(const struct ctf_stream_class *of, uint64_t id);
/* Returns the event block with an id; NULL if there is none. */
static inline const struct ctf_event *ctf_event_of(const struct ctf_stream_class *of, uint64_t id)
{
    return of->direct_count == 0   ? ctf_event_search(of, id)
           : id < of->direct_count ? of->direct[id]
                                   : NULL;
}

/* ---- ctf_plan.c --------------------------------------------------------------------------- */

/* Makes the plan of a part whose arguments have names with a prefix. Returns false if out of memory. */
bool ctf_plan_make(struct ctf *ctf, struct ctf_plan *plan, const struct ctf_class *type,
                   const char *prefix);
/* Lists the arguments at constant places. Returns false if out of memory. */
bool ctf_leaves_make(struct ctf *ctf, struct ctf_plan *plan);
void ctf_header_make(struct ctf_stream_class *of);
/*
 * Returns where a field of an event is, by the name of a member of its payload, of its contexts, then of the common
 * context; with dots for members of members.
 */
struct ctf_place ctf_place_of(const struct ctf_event *event, const char *name);
/* The same in one part. */
struct ctf_place ctf_place_in(const struct ctf_class *type, unsigned scope, const char *name);
/* Returns the position after a part that begins at `at`; CTF_NONE if it leaves the packet. */
uint64_t ctf_skip(const struct ctf_plan *plan, const uint8_t *bytes, uint64_t at, uint64_t end,
                  uint64_t *registers);

/* ---- ctf_walk.c --------------------------------------------------------------------------- */

struct ctf_walk {
    const uint8_t *bytes;
    uint64_t at; /* CTF_NONE: it has left the packet */
    uint64_t end;
    uint64_t *registers;
    const struct ctf_class *target; /* the walk stops at its begin, NULL: nowhere */
    bool found;
    uint32_t has; /* roles that were read, a bit each */
    uint64_t roles[CTF_ROLES];
    uint64_t clock; /* updated by fields that have its values */
    const uint8_t *uuid;
};

struct ctf_walk ctf_walk_of(const uint8_t *bytes, uint64_t at, uint64_t end, uint64_t *registers);
/* Walks over a field. Returns false if it leaves the packet, has no option, or the walk stopped. */
bool ctf_walk_over(struct ctf_walk *walk, const struct ctf_class *type);
/* Returns the selected option of a variant; NULL if there is none. */
const struct ctf_member *ctf_option(const struct ctf_class *type, uint64_t selector);
/* Returns whether a label's range contains a value. */
bool ctf_in_range(const struct ctf_label *label, uint64_t value, bool is_signed);
/* Returns a LEB128 number and moves past it. */
uint64_t ctf_walk_varint(struct ctf_walk *walk, const struct ctf_class *type);
/* Returns the number of items of an array, or of bytes of a text. */
static inline uint64_t ctf_length(const struct ctf_class *type, const uint64_t *registers)
{
    return type->from ? registers[type->from - 1] : type->length;
}

/* Returns `at` or the next multiple of `align`, a power of two. */
static inline uint64_t ctf_align(uint64_t at, uint32_t align)
{
    return (at + align - 1) & ~(uint64_t)(align - 1);
}

uint64_t ctf_load_bits(const uint8_t *bytes, uint64_t at, const struct ctf_class *type);

/* Returns a number at a position in bits; the caller has checked the bounds. */
static inline uint64_t ctf_load(const uint8_t *bytes, uint64_t at, const struct ctf_class *type)
{
    const uint8_t *p = bytes + at / 8;
    uint64_t value;
    if (at % 8 != 0 || !type->is_simple) {
        return ctf_load_bits(bytes, at, type);
    }
    switch (type->bits) {
    case 8:
        value = *p;
        break;
    case 16:
        value = tt_load_u16(p, type->big);
        break;
    case 32:
        value = tt_load_u32(p, type->big);
        break;
    default:
        return tt_load_u64(p, type->big);
    }
    const unsigned unused = 64u - type->bits;
    return type->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

/* Returns the clock's value after it was seen in a field of `bits`. */
static inline uint64_t ctf_clock_next(uint64_t clock, uint64_t value, unsigned bits)
{
    if (bits >= 64) {
        return value;
    }
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    clock += value < (clock & mask) ? mask + 1 : 0;
    return (clock & ~mask) | value;
}

/* ---- reading records ---------------------------------------------------------------------- */

/* Returns the position of a place in bits; CTF_NONE if the event lacks it. */
uint64_t ctf_find(const struct ctf_record *record, const struct ctf_place *place);
/* Returns a number of an event, sign extended; 0 if it lacks it. */
static inline uint64_t ctf_number(const struct ctf_record *record, const struct ctf_place *place)
{
    if (!place->type) {
        return 0;
    }
    uint64_t at = place->offset != CTF_NONE ? record->at[place->scope] + place->offset
                                            : ctf_find(record, place);
    return at != CTF_NONE && at + place->type->bits <= record->after
               ? ctf_load(record->bytes, at, place->type)
               : 0;
}
/* Returns a text of an event up to its end or its NUL: characters in an array, or a string. "" if it lacks it. */
struct tt_bytes ctf_string(const struct ctf_record *record, const struct ctf_place *place);

/* ---- ctf_streams.c ------------------------------------------------------------------------ */

/* Returns a stream of a trace, which is added if it is new; UINT32_MAX if out of memory. */
uint32_t ctf_stream_of(struct ctf *ctf, struct ctf_trace *trace, const struct ctf_stream_class *of,
                       uint64_t instance, uint16_t cpu);
/* Lists the files of the capture and their packets. Returns an error if no file fits. */
struct tt_status ctf_streams_find(struct ctf *ctf);
/*
 * Appends the earliest packet of all streams to the tape. Returns false at the end, or if out of memory. `final`: the
 * files do not grow.
 */
bool ctf_add_packet(struct ctf *ctf, bool final);
/* Shows the first packets of each file to the tracers that survey them. */
void ctf_survey(struct ctf *ctf);
/* Fills in the registers of the packet's own fields, if events refer to them. */
void ctf_packet_registers(const struct ctf_record *record);
static inline struct ctf_stream *ctf_stream_at(const struct ctf *ctf, uint32_t stream)
{
    return tt_column_at(&ctf->streams, stream);
}
/* Returns the ticks of a value of the stream's clock. */
static inline uint64_t ctf_ticks(const struct ctf_stream *stream, uint64_t value)
{
    return value + (stream->clock_of ? stream->clock_of->add : 0);
}
/* Returns the packet at a tape position; NULL if there is none. Any thread. */
const struct ctf_packet *ctf_packet_at(const struct ctf *ctf, uint64_t pos);

/* ---- ctf_decode.c ------------------------------------------------------------------------- */

struct tt_cursor *ctf_cursor_new(struct tt_capture *capture, bool learn);
size_t ctf_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void ctf_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
/* Returns whether the lanes in a state of a packet's stream exist: those of a damaged index cache may not. */
bool ctf_state_is_valid(const struct ctf *ctf, uint64_t packet, const union ctf_state *state);
uint64_t ctf_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result ctf_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch);
uint64_t ctf_offset(const struct tt_capture *capture, uint64_t pos);
/*
 * Reads the event of the packet `bytes` at `record->begin`: its header, whose time updates *clock, and the places of its parts.
 * `record` has bytes, end, begin, registers, stream and d. Returns false if it leaves the packet.
 */
bool ctf_read_event(struct ctf_record *record, uint64_t *clock);
/* Finds the record of an event; `registers` has room for CTF_REGISTERS. Returns false if its bytes are gone. */
bool ctf_find_record(const struct ctf *ctf, const struct tt_event *event, uint64_t limit,
                     struct ctf_record *record, uint64_t *registers);

/* Returns the next action of an event, on its CPU. NULL if none is wanted. */
static inline struct tt_action *ctf_act(struct tt_batch *batch, const struct tt_event *event,
                                        unsigned kind, uint32_t thread)
{
    struct tt_action *action = tt_batch_act(batch, event, kind);
    if (action) {
        action->thread = thread;
        action->cpu = event->cpu;
    }
    return action;
}

/* ---- threads of Linux ------------------------------------------------------------------------ */

/* Returns the lane of a tid on a CPU, which a learning cursor adds; TT_NO_THREAD if there is none. */
static inline uint32_t ctf_lane(struct tt_cursor *cursor, int64_t tid, uint16_t cpu)
{
    return cursor->learn ? linux_lane(&cursor->d->threads, tid, cpu)
                         : linux_known_lane(&cursor->d->threads, tid, cpu);
}

/* Sets the name of a thread (learning cursor). */
static inline void ctf_name(struct tt_cursor *cursor, int64_t tid, uint32_t lane,
                            struct tt_bytes comm)
{
    if (cursor->learn) {
        linux_thread_name(&cursor->d->threads, tid, lane, comm);
    }
}

/* ---- others ------------------------------------------------------------------------------- */

bool ctf_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args);
void ctf_save(const struct tt_capture *capture, struct tt_section_writer *writer);
bool ctf_restore(struct tt_capture *capture, struct tt_reader *reader);

#endif
