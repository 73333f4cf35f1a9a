/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event: what a decoder says of one record, the same for all formats.
 *
 * An event is one thing that happened, with its own time. It holds no copy of the file's bytes,
 * only where they are; arguments are decoded on demand (`struct tt_args`). Everything here is
 * plain data: copy it freely, on any thread.
 *
 * Positions. A decoder reads its file as a tape: `pos` grows along the tape and is unique to an
 * event. For most formats it is the file offset of the event's first byte; where the file is a
 * ring (.trx) the tape starts at the oldest entry. Cursors, marks and selections hold positions.
 * The order of events is by (ticks, pos).
 */
#ifndef TRACETUI_EVENT_H
#define TRACETUI_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_NO_THREAD UINT32_MAX
#define TT_NO_CPU    UINT16_MAX

/* What sort of event it is, whatever the format calls it. X(id, name in jsonl) */
#define TT_KIND_INFO(X)                                                                            \
    X(TT_KIND_EVENT, "event")             /* a thing that happened, nothing more is known */       \
    X(TT_KIND_ENTER, "enter")             /* a call begins */                                      \
    X(TT_KIND_EXIT, "exit")               /* a call ends */                                        \
    X(TT_KIND_INTERRUPTED, "interrupted") /* a call broken off */                                  \
    X(TT_KIND_STATE, "state")             /* a thread's state changed */                           \
    X(TT_KIND_SWITCH, "switch")           /* a CPU's thread changed */                             \
    X(TT_KIND_WAKEUP, "wakeup")                                                                    \
    X(TT_KIND_LIFETIME, "lifetime") /* something was created, named or destroyed */                \
    X(TT_KIND_INTERRUPT_ENTER, "interrupt_enter")                                                  \
    X(TT_KIND_INTERRUPT_EXIT, "interrupt_exit")                                                    \
    X(TT_KIND_MESSAGE, "message")                                                                  \
    X(TT_KIND_CONTROL, "control") /* about the trace itself */                                     \
    X(TT_KIND_USER, "user")       /* put there by the program under test */                        \
    X(TT_KIND_INSTANT, "instant")                                                                  \
    X(TT_KIND_BEGIN, "begin")                                                                      \
    X(TT_KIND_END, "end")                                                                          \
    X(TT_KIND_COMPLETE, "complete")                                                                \
    X(TT_KIND_ASYNC_BEGIN, "async_begin")                                                          \
    X(TT_KIND_ASYNC_INSTANT, "async_instant")                                                      \
    X(TT_KIND_ASYNC_END, "async_end")                                                              \
    X(TT_KIND_FLOW_BEGIN, "flow_begin")                                                            \
    X(TT_KIND_FLOW_STEP, "flow_step")                                                              \
    X(TT_KIND_FLOW_END, "flow_end")                                                                \
    X(TT_KIND_COUNTER, "counter")                                                                  \
    X(TT_KIND_LOG, "log")                                                                          \
    X(TT_KIND_SAMPLE, "sample")                                                                    \
    X(TT_KIND_BLOB, "blob")                                                                        \
    X(TT_KIND_DEFINITION, "definition") /* listed on request only, never counted as an event */

enum tt_kind {
#define X(id, name) id,
    TT_KIND_INFO(X)
#undef X
        TT_KIND_COUNT
};

/* The name of a kind as it stands in jsonl; "event" for a number out of range. */
const char *tt_kind_name(unsigned kind);

enum tt_event_flag {
    TT_EVENT_INFERRED = 1 << 0,   /* the thread is inferred from who ran on that CPU */
    TT_EVENT_DERIVED = 1 << 1,    /* not in the file: put there by a rule of the format */
    TT_EVENT_MALFORMED = 1 << 2,  /* something of it could not be read */
    TT_EVENT_UNFINISHED = 1 << 3, /* a later part of it is missing */
    TT_EVENT_MULTIPART = 1 << 4,  /* more than one record carries it */
    TT_EVENT_DEFINITION = 1 << 5, /* not an event of its own: see TT_KIND_DEFINITION */
};

/* Has a row and no number: not counted among the events. */
#define TT_EVENT_UNNUMBERED (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)

struct tt_event {
    uint64_t ticks;  /* of the capture's clock, 64 bits, unwrapped */
    uint64_t pos;    /* its place on the decoder's tape: identity and tie-break */
    uint32_t type;   /* number of its type in the capture's table (tt_types) */
    uint32_t thread; /* number of the thread it belongs to, or TT_NO_THREAD */
    uint32_t length; /* bytes of its first record; a derived event has 0 */
    uint16_t cpu;    /* or TT_NO_CPU */
    uint8_t kind;    /* enum tt_kind */
    uint8_t flags;   /* enum tt_event_flag */
};

/* The order of events: time, then place. <0, 0, >0. */
static inline int tt_event_compare(const struct tt_event *a, const struct tt_event *b)
{
    if (a->ticks != b->ticks) {
        return a->ticks < b->ticks ? -1 : 1;
    }
    return (a->pos > b->pos) - (a->pos < b->pos);
}

/* ---- arguments ---------------------------------------------------------------------------- */

enum tt_arg_type {
    TT_ARG_NULL,
    TT_ARG_I64,     /* value.i, decimal */
    TT_ARG_U64,     /* value.u, decimal */
    TT_ARG_HEX,     /* value.u, 0x..., `digits` of them at least */
    TT_ARG_POINTER, /* value.u, an address on the target */
    TT_ARG_DOUBLE,  /* value.d */
    TT_ARG_BOOL,    /* value.u */
    TT_ARG_STRING,  /* value.s: bytes of the file, not NUL-terminated, not trusted */
    TT_ARG_BYTES,   /* value.s: shown in hex */
    TT_ARG_KOID,    /* value.u, a kernel object's number */
};

struct tt_arg_span {
    const char *data;
    uint32_t length;
};

/*
 * One argument. `name` and `label` are borrowed: from a const table, from the capture (until it
 * is closed), from the mapped file, or from the scratch space of the tt_args it stands in.
 */
struct tt_arg {
    struct tt_arg_span name;
    union {
        int64_t i;
        uint64_t u;
        double d;
        struct tt_arg_span s;
    } value;
    struct tt_arg_span label; /* what the value stands for (a state, an object); length 0: none */
    uint32_t raw_offset;      /* where it lies in the event's payload (see tt_part) ... */
    uint32_t raw_length;      /* ... and how many bytes; 0: it does not lie there */
    uint8_t type;             /* enum tt_arg_type */
    uint8_t digits;           /* least number of hex digits */
    uint8_t hidden;           /* padding and unused fields: for the raw view only */
    uint8_t plain;            /* the name is a constant: there is nothing in it to be escaped */
};

#define TT_ARGS_MAX     64
#define TT_ARGS_SCRATCH 2048

/* An event's arguments; about 6 KB: keep one and use it again. */
struct tt_args {
    struct tt_arg v[TT_ARGS_MAX];
    unsigned count;
    bool cut; /* there were more than TT_ARGS_MAX, or scratch ran out */
    uint32_t scratch_used;
    char scratch[TT_ARGS_SCRATCH]; /* texts that stand nowhere else, such as joined parts */
};

void tt_args_clear(struct tt_args *args);
/* The next argument, cleared, with its name set; NULL (and `cut`) when there is no room. */
static inline struct tt_arg *tt_args_add_span(struct tt_args *args, const char *name,
                                              uint32_t length)
{
    static const struct tt_arg none;
    if (args->count == TT_ARGS_MAX) {
        args->cut = true;
        return NULL;
    }
    struct tt_arg *arg = &args->v[args->count++];
    *arg = none;
    arg->name.data = name;
    arg->name.length = length;
    return arg;
}
/* The same with a constant for a name: printable ASCII, neither a quote nor a backslash. */
static inline struct tt_arg *tt_args_add_constant(struct tt_args *args, const char *name,
                                                  uint32_t length)
{
    struct tt_arg *arg = tt_args_add_span(args, name, length);
    if (arg) {
        arg->plain = 1;
    }
    return arg;
}
struct tt_arg *tt_args_add(struct tt_args *args, const char *name);
/* `length` bytes of scratch space, or NULL (and `cut`). */
char *tt_args_scratch(struct tt_args *args, uint32_t length);
static inline void tt_arg_label(struct tt_arg *arg, const char *label, uint32_t length)
{
    arg->label.data = label;
    arg->label.length = length;
}

/* ---- where the bytes are ------------------------------------------------------------------ */

/*
 * An event's bytes: one record, or several of a combine event or a multipart trace. The payload
 * is the parts' bytes without their headers, put end to end; tt_arg.raw_offset counts in it.
 *
 *      part 0                      part 1
 *      | header |  payload 0..7 |  | header | payload 8..15 |
 *      ^offset  ^ +header
 */
struct tt_part {
    uint64_t offset; /* in the file */
    uint32_t length;
    uint32_t header; /* bytes before the payload */
};

#endif
