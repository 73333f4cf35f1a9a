/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event: one decoded event, the same structure for all formats.
 *
 * An event is one thing that happened, with its own time. It holds no copy of the file's bytes,
 * only their position; its arguments are decoded on demand (`struct tt_args`). Everything here is
 * plain data: copy it freely, on any thread.
 *
 * Positions. A decoder reads its file as a tape. `pos` grows along the tape and is unique to an
 * event. For most formats it is the file offset of the event's first byte; where the file is a ring
 * (.trx) the tape starts at the oldest entry. Cursors, marks and selections store positions. Events
 * are ordered by (ticks, pos).
 */
#ifndef TRACETUI_EVENT_H
#define TRACETUI_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_NO_THREAD UINT32_MAX
#define TT_NO_CPU    UINT16_MAX

/* Kinds of events, common to all formats. X(id, name in jsonl) */
#define TT_KIND_INFO(X)                                                                            \
    X(TT_KIND_EVENT, "event")             /* no more specific kind */                              \
    X(TT_KIND_ENTER, "enter")             /* call begins */                                        \
    X(TT_KIND_EXIT, "exit")               /* call ends */                                          \
    X(TT_KIND_INTERRUPTED, "interrupted") /* call interrupted */                                   \
    X(TT_KIND_STATE, "state")             /* change of a thread's state */                         \
    X(TT_KIND_SWITCH, "switch")           /* change of the thread on a CPU */                      \
    X(TT_KIND_WAKEUP, "wakeup")                                                                    \
    X(TT_KIND_LIFETIME, "lifetime") /* creation, naming or destruction of an object */             \
    X(TT_KIND_INTERRUPT_ENTER, "interrupt_enter")                                                  \
    X(TT_KIND_INTERRUPT_EXIT, "interrupt_exit")                                                    \
    X(TT_KIND_MESSAGE, "message")                                                                  \
    X(TT_KIND_CONTROL, "control") /* about the trace itself */                                     \
    X(TT_KIND_USER, "user")       /* written by the traced program */                              \
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
    X(TT_KIND_LOG_WARNING, "log_warning")                                                          \
    X(TT_KIND_LOG_ERROR, "log_error")                                                              \
    X(TT_KIND_SAMPLE, "sample")                                                                    \
    X(TT_KIND_BLOB, "blob")                                                                        \
    X(TT_KIND_DEFINITION, "definition") /* listed on request only, never counted as an event */

enum tt_kind {
#define X(id, name) id,
    TT_KIND_INFO(X)
#undef X
        TT_KIND_COUNT
};

/* Returns the name of a kind as written in jsonl; "event" for a number out of range. */
const char *tt_kind_name(unsigned kind);

enum tt_event_flag {
    TT_EVENT_INFERRED = 1 << 0,   /* thread inferred from the thread that ran on the CPU */
    TT_EVENT_DERIVED = 1 << 1,    /* not in the file: added by a rule of the format */
    TT_EVENT_MALFORMED = 1 << 2,  /* some part of the event is unreadable */
    TT_EVENT_UNFINISHED = 1 << 3, /* a later part of the event is missing */
    TT_EVENT_MULTIPART = 1 << 4,  /* the event consists of several records */
    TT_EVENT_DEFINITION = 1 << 5, /* a definition, not an event: see TT_KIND_DEFINITION */
    TT_EVENT_BAD_TIME =
        1 << 6, /* its time contradicts its neighbours: it has that of the one before */
};

/* Events with a row but no number: not counted among the events. */
#define TT_EVENT_UNNUMBERED (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)

struct tt_event {
    uint64_t ticks;  /* time in ticks of the capture's clock, unwrapped to 64 bits */
    uint64_t pos;    /* position on the decoder's tape: identity and tie-break */
    uint32_t type;   /* type number in the capture (tt_types_at) */
    uint32_t thread; /* thread number or TT_NO_THREAD */
    uint32_t length; /* bytes of the first record; 0 for a derived event */
    uint16_t cpu;    /* CPU number or TT_NO_CPU */
    uint8_t kind;    /* enum tt_kind */
    uint8_t flags;   /* enum tt_event_flag */
};

/* Compares two events in record order, by time and then position: <0, 0 or >0. */
static inline int tt_event_compare(const struct tt_event *left, const struct tt_event *right)
{
    if (left->ticks != right->ticks) {
        return left->ticks < right->ticks ? -1 : 1;
    }
    return (left->pos > right->pos) - (left->pos < right->pos);
}

/* ---- arguments ---------------------------------------------------------------------------- */

enum tt_arg_type {
    TT_ARG_NULL,
    TT_ARG_I64,     /* value.i, decimal */
    TT_ARG_U64,     /* value.u, decimal */
    TT_ARG_HEX,     /* value.u, 0x... with at least `digits` digits */
    TT_ARG_POINTER, /* value.u, an address on the target */
    TT_ARG_DOUBLE,  /* value.d */
    TT_ARG_BOOL,    /* value.u */
    TT_ARG_STRING,  /* value.s: bytes of the file, not NUL-terminated, untrusted */
    TT_ARG_BYTES,   /* value.s: printed in hex */
    TT_ARG_KOID,    /* value.u, number of a kernel object */
};

struct tt_arg_span {
    const char *data;
    uint32_t length;
};

/*
 * An argument. `name` and `label` are borrowed from a constant table, from the capture (valid until
 * it is freed), from the mapped file, or from the scratch space of the tt_args that contains the
 * argument.
 */
struct tt_arg {
    struct tt_arg_span name;
    union {
        int64_t i;
        uint64_t u;
        double d;
        struct tt_arg_span s;
    } value;
    struct tt_arg_span label; /* meaning of the value (a state, an object); length 0: none */
    uint32_t raw_offset;      /* position in the event's payload (see tt_part) */
    uint32_t raw_length;      /* length in bytes; 0: not in the payload */
    uint8_t type;             /* enum tt_arg_type */
    uint8_t digits;           /* minimum number of hex digits */
    uint8_t hidden;           /* padding or unused field: raw view only */
    uint8_t plain;            /* the name is a constant and needs no escaping */
    uint8_t named;            /* the label is a name by tt_args_resolve, printed after a blank */
};

#define TT_ARGS_MAX     64
#define TT_ARGS_SCRATCH 2048

/* The arguments of an event. About 6 KB: reuse one. */
struct tt_args {
    struct tt_arg v[TT_ARGS_MAX];
    unsigned count;
    bool cut;        /* more than TT_ARGS_MAX arguments, or scratch space exhausted */
    bool is_partial; /* records of the event may still come */
    uint32_t scratch_used;
    char scratch[TT_ARGS_SCRATCH]; /* texts that exist nowhere else, such as joined parts */
};

/* Removes all arguments and scratch texts. */
void tt_args_clear(struct tt_args *args);
/*
 * Appends an argument with the given name and all else zero. Returns NULL and sets `cut` if there
 * is no room.
 */
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
/* Appends an argument whose name is a constant: printable ASCII without quotes and backslashes. */
static inline struct tt_arg *tt_args_add_constant(struct tt_args *args, const char *name,
                                                  uint32_t length)
{
    struct tt_arg *arg = tt_args_add_span(args, name, length);
    if (arg) {
        arg->plain = 1;
    }
    return arg;
}
/* Appends an argument like tt_args_add_span; `name` is NUL-terminated. */
struct tt_arg *tt_args_add(struct tt_args *args, const char *name);
/* Returns `length` bytes of scratch space; NULL, with `cut` set, if there is not enough. */
char *tt_args_scratch(struct tt_args *args, uint32_t length);
static inline void tt_arg_label(struct tt_arg *arg, const char *label, uint32_t length)
{
    arg->label.data = label;
    arg->label.length = length;
}

/* ---- where the bytes are ------------------------------------------------------------------ */

/*
 * A part of an event's bytes. An event is one record, or several for a combine event or a multipart
 * trace. The payload is the concatenation of the parts without their headers; tt_arg.raw_offset is
 * an offset into the payload.
 *
 *      part 0                      part 1
 *      | header |  payload 0..7 |  | header | payload 8..15 |
 *      ^offset  ^ +header
 */
struct tt_part {
    uint64_t offset; /* in the file */
    uint32_t length;
    uint32_t header; /* bytes of the header before the payload */
};

#endif
