/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_record: records of the Fuchsia trace format as bounded views of words and bit fields.
 *
 *  A record is a row of 64-bit words in the writer's byte order:
 *
 *       word 0       1 ...                                    words
 *       | header | atom | atom | ... | argument | ... | tail |
 *         [0..3] type  [4..15] size in words  [16..63] fields of the type
 *
 *  The header is followed by atoms, whose list depends on the type (Fuchsia Trace Format, "Record
 * Types"). The lists are const tables (fxt_tables_records.c); tt_fxt_parse interprets them and
 * finds each atom, never beyond the record's end. Words after the last atom are allowed: the format
 * is extended by appending.
 *
 *  The functions borrow the bytes, allocate nothing and keep no state; any thread.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_RECORD_H
#define TRACETUI_FORMAT_FXT_FXT_RECORD_H

#include <string.h>

#include "tracetui/bytes.h"
#include "tracetui/event.h"

#define TT_FXT_MAGIC UINT64_C(0x0016547846040010)

enum tt_fxt_record_type {
    TT_FXT_METADATA = 0,
    TT_FXT_EVENT = 4,
    TT_FXT_BLOB = 5,
    TT_FXT_SCHEDULING = 8,
    TT_FXT_LARGE = 15,
};

/* A record; its `words` words may be read. */
struct tt_fxt_record {
    const uint8_t *bytes;
    uint64_t pos;   /* file offset of the header */
    uint32_t words; /* including the header */
    bool big;       /* writer's byte order */
};

static inline uint64_t tt_fxt_bits(uint64_t word, unsigned lsb, unsigned width)
{
    return word >> lsb & ((UINT64_C(1) << width) - 1);
}

static inline uint64_t tt_fxt_word(const struct tt_fxt_record *record, uint64_t index)
{
    return tt_load_u64(record->bytes + index * 8, record->big);
}

/* Returns the size in words given in a header: 12 bits, or 32 for a large record. */
static inline uint32_t tt_fxt_claimed_words(uint64_t header)
{
    bool large = (header & 15) == TT_FXT_LARGE;
    return (uint32_t)tt_fxt_bits(header, 4, large ? 32 : 12);
}

/* Returns the words of a stream of `length` bytes. */
static inline uint32_t tt_fxt_stream_words(uint32_t length)
{
    return length / 8 + (length % 8 != 0);
}

/* ---- atoms ------------------------------------------------------------------------------ */

enum tt_fxt_op {
    TT_FXT_OP_END,
    TT_FXT_OP_TIME,     /* a word: ticks */
    TT_FXT_OP_WORD,     /* a word */
    TT_FXT_OP_OPTIONAL, /* a word that older writers omit */
    TT_FXT_OP_WORDS,    /* words, their number in the field */
    TT_FXT_OP_THREAD,   /* thread ref in the field; inline: process word, thread word */
    TT_FXT_OP_PROCESS,  /* thread ref in the field; inline: process word */
    TT_FXT_OP_TEXT,     /* string ref in the field; inline: stream */
    TT_FXT_OP_STREAM,   /* stream, its bytes in the field */
    TT_FXT_OP_ARGS,     /* arguments, their number in the field */
    TT_FXT_OP_SIZED,    /* a word with a size in bytes, then a stream of this size */
};

/* Meaning of an atom in its record: its index in a view. */
enum tt_fxt_role {
    TT_FXT_TIME,
    TT_FXT_THREAD,   /* the event's thread; the outgoing one of a switch */
    TT_FXT_INCOMING, /* the incoming thread of a switch */
    TT_FXT_CATEGORY,
    TT_FXT_NAME,
    TT_FXT_FORMAT, /* second word of fields, in a large record */
    TT_FXT_A,
    TT_FXT_B,
    TT_FXT_C,
    TT_FXT_STREAM,
    TT_FXT_STREAM_2,
    TT_FXT_ARGS,
    TT_FXT_TAIL,
    TT_FXT_ROLES,
};

#define TT_FXT_HIDE 255 /* `show` of an atom that is not an argument */

struct tt_fxt_labels {
    const char *const *names; /* by value; NULL: no name */
    uint32_t count;
};

struct tt_fxt_atom {
    uint8_t op;   /* enum tt_fxt_op */
    uint8_t role; /* enum tt_fxt_role */
    uint8_t word; /* word with the field: 0 or 1 */
    uint8_t lsb;
    uint8_t width;
    uint8_t show;     /* enum tt_arg_type, or TT_FXT_HIDE */
    const char *name; /* of the argument */
    const struct tt_fxt_labels *labels;
};

/* A field of the header (or format) word shown as an argument. */
struct tt_fxt_field {
    const char *name; /* NULL ends the list */
    const struct tt_fxt_labels *labels;
    uint8_t word;
    uint8_t lsb;
    uint8_t width;
    uint8_t show; /* enum tt_arg_type */
};

/* Effect of a record, besides being an event. */
enum tt_fxt_does {
    TT_FXT_DOES_NOTHING,
    TT_FXT_DOES_PROVIDER_INFO,
    TT_FXT_DOES_PROVIDER_SECTION,
    TT_FXT_DOES_PROVIDER_EVENT,
    TT_FXT_DOES_INIT,
    TT_FXT_DOES_STRING,
    TT_FXT_DOES_THREAD,
    TT_FXT_DOES_USER_OBJECT,
    TT_FXT_DOES_KERNEL_OBJECT,
    TT_FXT_DOES_COUNTER,
    TT_FXT_DOES_SLICE_BEGIN,
    TT_FXT_DOES_SLICE_END,
    TT_FXT_DOES_SLICE,
    TT_FXT_DOES_ASYNC_BEGIN,
    TT_FXT_DOES_ASYNC_END,
    TT_FXT_DOES_FLOW_BEGIN,
    TT_FXT_DOES_FLOW_STEP,
    TT_FXT_DOES_FLOW_END,
    TT_FXT_DOES_SWITCH_LEGACY,
    TT_FXT_DOES_SWITCH,
    TT_FXT_DOES_WAKEUP,
    TT_FXT_DOES_UNKNOWN_EVENT,
};

#define TT_FXT_LAYOUTS 48 /* layout numbers are below */

struct tt_fxt_layout {
    const char *class_name; /* NULL: category and name are in the record */
    const char *name;
    const struct tt_fxt_atom *atoms;
    const struct tt_fxt_atom *other; /* of another writer version, chosen by size; or NULL */
    const struct tt_fxt_field *fields;
    uint64_t reserved; /* header bits that every known writer leaves zero */
    uint8_t number;    /* 1 .. TT_FXT_LAYOUTS - 1 */
    uint8_t kind;      /* enum tt_kind */
    uint8_t does;      /* enum tt_fxt_does */
    uint8_t tail;      /* enum tt_fxt_op of what follows the arguments of an event */
    bool timed;        /* an event; otherwise a definition */
};

/* Layouts of event records, by event type. */
extern const struct tt_fxt_layout tt_fxt_event_layouts[16];
/* Layouts of scheduling records, by subtype: legacy switch, switch, wakeup. */
extern const struct tt_fxt_layout tt_fxt_sched_layouts[3];

const struct tt_fxt_layout *tt_fxt_find_layout(uint64_t header);
/* Returns the layout for a header, or NULL for an undefined type. */
static inline const struct tt_fxt_layout *tt_fxt_layout_of(uint64_t header)
{
    bool event = (header & 15) == TT_FXT_EVENT;
    return event ? &tt_fxt_event_layouts[header >> 16 & 15] : tt_fxt_find_layout(header);
}

/* Returns the names of the kernel object types. */
const struct tt_fxt_labels *tt_fxt_object_types(void);

/* Places of the atoms of one record. */
struct tt_fxt_view {
    uint32_t at[TT_FXT_ROLES];    /* word index; 0: absent (word 0 is the header) */
    uint32_t value[TT_FXT_ROLES]; /* a reference, or a number of bytes, words or arguments */
    uint32_t end;                 /* word after the last atom */
    uint8_t args;                 /* complete arguments */
    bool process_alone;           /* the inline thread is a process word only */
    bool is_other;                /* made from the layout's `other` list */
    bool usable;                  /* everything before the arguments is present */
    bool whole;                   /* everything is present */
};

/* Finds the atoms of a record. O(atoms + arguments). */
void tt_fxt_parse(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                  struct tt_fxt_view *view);
/* The same by the tables alone, without the fast paths: for tests. */
void tt_fxt_parse_by_table(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                           struct tt_fxt_view *view);

static inline const char *tt_fxt_bytes_at(const struct tt_fxt_record *record, uint32_t word)
{
    return (const char *)record->bytes + (uint64_t)word * 8;
}

/* ---- string refs ------------------------------------------------------------------------ */

#define TT_FXT_INLINE 0x8000u

static inline bool tt_fxt_ref_is_inline(uint32_t ref)
{
    return (ref & TT_FXT_INLINE) != 0;
}

static inline uint32_t tt_fxt_ref_length(uint32_t ref)
{
    return ref & 0x7fffu;
}

/* ---- arguments -------------------------------------------------------------------------- */

enum tt_fxt_arg_type {
    TT_FXT_ARG_NULL,
    TT_FXT_ARG_INT32,
    TT_FXT_ARG_UINT32,
    TT_FXT_ARG_INT64,
    TT_FXT_ARG_UINT64,
    TT_FXT_ARG_DOUBLE,
    TT_FXT_ARG_STRING,
    TT_FXT_ARG_POINTER,
    TT_FXT_ARG_KOID,
    TT_FXT_ARG_BOOL,
    TT_FXT_ARG_BLOB,
    TT_FXT_ARG_TYPES,
};

struct tt_fxt_arg {
    uint64_t value;    /* sign-extended where the type is signed; the bits of a double */
    uint32_t at;       /* word index of the header */
    uint32_t words;    /* of the whole argument */
    uint32_t data;     /* word index of the value word or stream; 0: the value is in the header */
    uint32_t length;   /* bytes of a stream value */
    uint16_t name_ref; /* inline: the name follows the header */
    uint16_t text_ref; /* of a string value */
    uint8_t type;      /* 0..15, may exceed TT_FXT_ARG_TYPES */
};

#define TT_FXT_TEXT_VALUE 254u
#define TT_FXT_BLOB_VALUE 255u

/* Words of each argument type's value after header and name, or one of the two constants above. */
extern const uint8_t tt_fxt_arg_value_words[16];

static inline uint32_t tt_fxt_arg_name_words(uint64_t header)
{
    uint32_t ref = (uint16_t)(header >> 16);
    return tt_fxt_ref_is_inline(ref) ? tt_fxt_stream_words(tt_fxt_ref_length(ref)) : 0;
}

/* Returns the minimum words of an argument with this header. */
static inline uint32_t tt_fxt_arg_min_words(uint64_t header)
{
    uint32_t value = tt_fxt_arg_value_words[header & 15];
    uint32_t high = (uint32_t)(header >> 32);
    if (value == TT_FXT_TEXT_VALUE) {
        uint32_t ref = high & 0xffff;
        value = tt_fxt_ref_is_inline(ref) ? tt_fxt_stream_words(tt_fxt_ref_length(ref)) : 0;
    } else if (value == TT_FXT_BLOB_VALUE) {
        value = tt_fxt_stream_words(high);
    }
    return 1 + tt_fxt_arg_name_words(header) + value;
}

/* Converts a number to the bits of a double. `value` is sign-extended if the type is signed.
 * Returns false if the type is not a number. */
static inline bool tt_fxt_number_bits(unsigned type, uint64_t value, uint64_t *bits)
{
    double number;
    switch (type) {
    case TT_FXT_ARG_INT32:
    case TT_FXT_ARG_INT64:
        number = (double)(int64_t)value;
        break;
    case TT_FXT_ARG_UINT32:
    case TT_FXT_ARG_UINT64:
        number = (double)value;
        break;
    case TT_FXT_ARG_DOUBLE:
        *bits = value;
        return true;
    default:
        return false;
    }
    memcpy(bits, &number, sizeof number);
    return true;
}

/* Parses the argument whose header is word `at`; returns false if it does not fit. */
bool tt_fxt_arg_at(const struct tt_fxt_record *record, uint32_t at, struct tt_fxt_arg *arg);

/* ---- resynchronization ------------------------------------------------------------------ */

/* Returns whether a record can begin with this word. */
bool tt_fxt_header_plausible(uint64_t header);

/*
 * Returns whether a record can begin at `pos`, or the bytes end there. Checks headers only and
 * steps over a few of unknown type. Sets *guessed if bytes from `limit` on could change the result.
 */
bool tt_fxt_record_may_follow(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                              bool *guessed);

/* Parses the record at `pos`; returns its words, or 0 if it is not sound. */
uint32_t tt_fxt_sound_record(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                             struct tt_fxt_view *view);

/* Returns the number of consecutive sound records from `pos` on, at most `most`. */
uint32_t tt_fxt_count_valid(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                            uint32_t most);

#endif
