/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_internal: what the files of the QNX decoder share.
 *
 *      "TRACE_HEADER_BEGIN::" "TRACE_key::value" ... "TRACE_HEADER_END::"     text, no separators
 *      system page: TRACE_SYSPAGE_LEN bytes, as it was in the target's memory
 *      slots of 16 bytes, at any alignment, to the end of the file
 *
 *      slot       word 0: header          word 1: stamp           words 2, 3: payload
 *      header     bits 0-9 event  10-14 class  24-29 CPU  30-31 structure (S, CB, CC, CE)
 *
 * A slot's stamp is the low half of the CPU's ClockCycles(). An event of more than two payload
 * words is a combine event: its slots (CB, CC..., CE) repeat header and stamp and may stand apart,
 * with other events, buffers and CPUs between them.
 *
 * Source of the numbers: "System Analysis Toolkit User's Guide" (chapters 2, 6, appendices A, B)
 * and the public headers sys/trace.h, sys/kercalls.h, sys/states.h of QNX 6.4 to 8.0.
 *
 * Memory: the decoder (struct kev_decoder) belongs to the capture, a cursor to its user. Threads:
 * a decoder does not change after open but for its atomics; a cursor is one thread's.
 */
#ifndef FORMAT_KEV_INTERNAL_H
#define FORMAT_KEV_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracetui/format.h"

/* ---- the slot ----------------------------------------------------------------------------- */

#define KEV_SLOT       16u
#define KEV_SLOT_HEAD  8u /* header and stamp, before the payload */
#define KEV_CPUS       64u
#define KEV_CODES      0x8000u /* class << 10 | event */
#define KEV_EVENT_MASK 0x3ffu
#define KEV_64_BIT     0x200u      /* event bit: the payload has 64-bit types */
#define KEV_EXIT       128u        /* added to a kernel call's number at its exit ... */
#define KEV_BROKEN_OFF 256u        /* ... and when it was interrupted */
#define KEV_SAME_EVENT 0x3f007fffu /* CPU, class and event: what the slots of one event share */

enum kev_structure { KEV_SIMPLE, KEV_BEGIN, KEV_MIDDLE, KEV_END };

enum kev_class {
    KEV_CLASS_EMPTY,
    KEV_CLASS_CONTROL,
    KEV_CLASS_CALL,
    KEV_CLASS_INTERRUPT,
    KEV_CLASS_THREAD, /* and processes, and virtual threads */
    KEV_CLASS_SYSTEM,
    KEV_CLASS_USER,
    KEV_CLASS_COMM,
    KEV_CLASS_QUIP,
    KEV_CLASS_SEC,
    KEV_CLASS_QVM,
    KEV_CLASS_PMU,
    KEV_CLASS_SYSTEM_6_4 = 13, /* where the C library of 6.4 puts its function events */
};

static inline uint32_t kev_code(uint32_t header)
{
    return header & (KEV_CODES - 1);
}

static inline uint32_t kev_class_of(uint32_t code)
{
    return code >> 10;
}

static inline uint32_t kev_cpu(uint32_t header)
{
    return (header >> 24) & (KEV_CPUS - 1);
}

static inline uint32_t kev_structure(uint32_t header)
{
    return header >> 30;
}

/* ---- the tables --------------------------------------------------------------------------- */

/* Types of an argument. The printer's letters for them, in its own tables: H D P X E Q S N. */
enum kev_type {
    KEV_H32,      /* one word, hexadecimal */
    KEV_D32,      /* one word, signed */
    KEV_P32,      /* one word, an address */
    KEV_H64,      /* two words, packed, hexadecimal */
    KEV_D64,      /* two words, signed */
    KEV_P64,      /* two words, an address */
    KEV_TEXT,     /* one word of four characters; neighbours belong together */
    KEV_STRING,   /* NUL-terminated, to the end of the payload */
    KEV_SIGEVENT, /* struct sigevent of a 32-bit target: four words */
    KEV_PAD,      /* one word without meaning */
};

/* In which mode a field is written. A payload of two words is fast where there is a fast list. */
#define KEV_FAST 1u
#define KEV_WIDE 2u
#define KEV_BOTH (KEV_FAST | KEV_WIDE)

struct kev_field {
    const char *name; /* NULL ends a list */
    uint8_t length;   /* of the name */
    uint8_t type;     /* enum kev_type */
    uint8_t modes;
};

struct kev_layout {
    uint16_t event; /* number within the class */
    const char *name;
    const struct kev_field *fields; /* NULL: the payload is not known and shown as words */
};

/* Another list for an event, told by the number of its payload words. */
struct kev_variant {
    uint16_t event; /* of class KEV_CLASS_CALL */
    uint16_t words;
    const struct kev_field *fields;
};

/* Releases of QNX that number or lay out events in different ways. */
enum kev_release { KEV_6_4, KEV_6_6, KEV_7, KEV_8 };

/* A row of the kernel-call table: a layout and the releases that use it, both included. */
struct kev_call {
    uint8_t first; /* enum kev_release */
    uint8_t last;
    struct kev_layout layout;
};

/* kev_tables_kercalls.c. In one release an event number has at most one row. */
extern const struct kev_call kev_calls[];            /* layout.name NULL ends it */
extern const struct kev_variant kev_call_variants[]; /* 7.x and later; fields NULL ends it */

/* Fills layouts[KEV_CODES], which must be all NULL, with the layouts of a release, by code. */
void kev_tables_fill(const struct kev_layout **layouts, enum kev_release release);

/* Events of the thread class below this number are about threads, the others about processes. */
#define KEV_STATE_EVENTS 64u

/* Thread states, number 0 unknown, and the format's number for an event of the thread class. */
#define KEV_STATE_COUNT 33u
extern const struct tt_state_info kev_states[];
uint16_t kev_state_of(enum kev_release release, uint32_t event);

/* "KER_CALL", "THREAD", ...; a class without a name is NULL. */
const char *kev_class_name(enum kev_release release, uint32_t code);
/* enum tt_kind of an event. */
unsigned kev_kind_of(uint32_t code);

/* "ENOENT", or NULL. Numbers of QNX's <errno.h>. */
const char *kev_errno_name(uint32_t number);

/* ---- names from the user's file ----------------------------------------------------------- */

/* Names for user events and interrupt vectors, from an INI file; immutable once read. */
struct kev_names;

struct tt_status kev_names_read(struct tt_capture *c, const char *path, struct kev_names **names);
void kev_names_free(struct kev_names *names);
/* NULL: no name. `names` may be NULL. */
const char *kev_names_user(const struct kev_names *names, uint32_t event);
const char *kev_names_vector(const struct kev_names *names, uint32_t vector);

/* ---- the decoder -------------------------------------------------------------------------- */

/*
 * Where each CPU's 64-bit time begins. The slots carry the low half only; the high half is in the
 * CONTROL/TIME events, the first of which may come late. So the first KEV_START_SLOTS slots are
 * looked through once for each CPU's first TIME, and what comes before it is counted back.
 */
#define KEV_START_SLOTS 70000u
struct kev_start {
    uint64_t ticks[KEV_CPUS]; /* of the CPU's first slot */
    uint64_t known;           /* bit a CPU: `ticks` is good */
    bool has_time;            /* some TIME was seen */
};

struct kev_decoder {
    uint64_t slots; /* file offset of the first slot */
    enum kev_release release;
    bool big;          /* byte order of the file */
    bool by_words;     /* big-endian by swapping words, texts too: see kev_order_find() */
    bool global_clock; /* ClockCycles() agrees across CPUs */
    uint32_t cpu_num;  /* as the header says; 0: it does not */
    struct kev_names *names;
    struct kev_start start;
    _Atomic bool start_known;                /* `start` is good */
    const struct kev_layout **layouts;       /* by code */
    uint8_t state_numbers[KEV_STATE_EVENTS]; /* of kev_states, by event */
    _Atomic uint32_t codes[KEV_CODES];       /* see kev_info() */
};

/* Reads header and system page; fills facts of `c` and of `d` (kev_header.c). */
struct tt_status kev_header_read(struct tt_capture *c, struct kev_decoder *d);

/* Looks for the first TIME of each CPU in the slots below `limit`; also says which CPUs it saw. */
void kev_start_find(const struct tt_capture *c, const struct kev_decoder *d, uint64_t limit,
                    struct kev_start *start, uint64_t *cpus_seen);

/*
 * Were the texts of this big-endian file swapped word by word, as a converter does that knows no
 * types? On a big-endian target they stand as they are read. Told by the first name of a process
 * or thread whose padding stands in front of its end.
 */
bool kev_order_find(const struct tt_capture *c, const struct kev_decoder *d, uint64_t limit);

/*
 * Carries a CPU's 64-bit time on to a slot with this stamp. The low half is taken to have gone
 * forward unless it stands less than 2^30 behind: a CPU may be silent for long, but what comes out
 * of order comes soon.
 */
#define KEV_BACK_WINDOW (1u << 30)
static inline uint64_t kev_time_extend(uint64_t ticks, uint32_t stamp)
{
    uint32_t forward = stamp - (uint32_t)ticks;
    uint32_t back = 0u - forward;
    if (forward > UINT32_MAX - KEV_BACK_WINDOW && ticks >= back) {
        return ticks - back;
    }
    return ticks + forward;
}

/* Full time of a CONTROL/TIME slot: its stamp is taken a little later than its low half. */
static inline uint64_t kev_time_of_event(uint32_t stamp, uint32_t msb, uint32_t lsb)
{
    uint64_t high = (uint64_t)msb << 32;
    return (high | stamp) + (stamp < lsb ? (uint64_t)1 << 32 : 0);
}

/* ---- a whole event ------------------------------------------------------------------------ */

/*
 * The slots of a combine event are looked for no further than this behind its first one, and not
 * behind KEV_OPEN_EVENTS other events of that CPU that were begun and not finished meanwhile. The
 * same bounds hold in the cursor, so that hostile input costs linear time.
 */
#define KEV_REACH       4096u
#define KEV_OPEN_EVENTS 32u
#define KEV_WORDS_MAX   (2u * (KEV_REACH + 1))

struct kev_event {
    uint32_t header; /* of the first slot */
    uint32_t stamp;
    uint32_t parts;    /* slots found */
    uint32_t words;    /* payload words found: two a slot */
    uint64_t last_pos; /* of the last slot found */
    bool finished;
};

/*
 * Gathers the event that begins at `pos`: payload bytes into `payload` (as many as fit), places
 * into `parts` (as many as fit); either may be NULL. False if the first slot is not below `limit`.
 * The payload's byte order is kev_payload_big()'s.
 */
bool kev_gather(const struct tt_capture *c, uint64_t pos, uint64_t limit, struct kev_event *event,
                uint8_t *payload, uint32_t payload_size, struct tt_part *parts, uint32_t max);

/* ---- arguments ---------------------------------------------------------------------------- */

/* A payload being read field by field; one interpreter for arguments and printers. */
struct kev_payload {
    const uint8_t *bytes;
    uint32_t words; /* that are there */
    bool big;
    bool combine; /* of a combine event, of which no more than the first slot may be there */
};

/* What was gathered of a file swapped by words is put back. */
static inline bool kev_payload_big(const struct kev_decoder *d)
{
    return d->big && !d->by_words;
}

struct kev_value {
    const struct kev_field *field;
    uint32_t word;        /* place in the payload */
    uint32_t words;       /* how many it takes */
    uint64_t bits;        /* of a number, zero-extended */
    const char *text;     /* of KEV_STRING */
    uint32_t text_length; /* without the NUL */
};

struct kev_walk {
    struct kev_payload payload;
    const struct kev_field *next;
    unsigned mode;
    uint32_t word;
};

static inline uint32_t kev_word(const struct kev_payload *p, uint32_t word)
{
    return tt_load_u32(p->bytes + 4 * (uint64_t)word, p->big);
}

static inline struct kev_payload kev_payload_of(const struct kev_decoder *d,
                                                const struct kev_event *whole, const uint8_t *bytes)
{
    struct kev_payload payload = {bytes, whole->words, kev_payload_big(d),
                                  kev_structure(whole->header) == KEV_BEGIN};
    return payload;
}

/* Is it one slot's: the fast form of most events? */
static inline bool kev_is_short(const struct kev_payload *payload)
{
    return payload->words <= 2 && !payload->combine;
}

/* The list to read a payload by, and the mode; NULL: as bare words. */
const struct kev_field *kev_fields(const struct kev_decoder *d, uint32_t code,
                                   const struct kev_payload *payload, unsigned *mode);

static inline uint32_t kev_words_of(unsigned type)
{
    return type >= KEV_H64 && type <= KEV_P64 ? 2 : type == KEV_SIGEVENT ? 4 : 1;
}

/*
 * The next value, or false at the end of the list or of the payload. Inline: most of the work of
 * describing an event is asking for numbers.
 */
static inline bool kev_walk_next(struct kev_walk *walk, struct kev_value *value)
{
    const struct kev_field *field = walk->next;
    while (field && field->name && !(field->modes & walk->mode)) {
        field++;
    }
    const struct kev_payload *p = &walk->payload;
    if (!field || !field->name || walk->word >= p->words) {
        walk->next = NULL;
        return false;
    }
    walk->next = field + 1;
    value->field = field;
    value->word = walk->word;
    uint32_t left = p->words - walk->word;
    value->words = kev_words_of(field->type);
    if (field->type == KEV_STRING) {
        value->words = left;
        value->text = (const char *)p->bytes + 4 * (uint64_t)walk->word;
        const char *end = memchr(value->text, '\0', 4 * (size_t)left);
        value->text_length = end ? (uint32_t)(end - value->text) : 4 * left;
    } else if (value->words > left) {
        value->words = left; /* cut short: what there is of it */
        value->bits = kev_word(p, walk->word);
    } else if (value->words == 2) {
        value->bits = tt_load_u64(p->bytes + 4 * (uint64_t)walk->word, p->big);
    } else {
        value->bits = kev_word(p, walk->word);
    }
    walk->word += value->words;
    return true;
}

/* Padding, and what the tables call `empty`, is for the raw view only. */
bool kev_is_filler(const struct kev_field *field);

/*
 * What the values of a number are called: *labels, up to one without text; NULL: nothing. False:
 * that is not all there is to it.
 */
struct kev_label {
    uint32_t value;
    uint32_t length;
    const char *text;
};
bool kev_labels_of(const struct kev_decoder *d, uint32_t code, const struct kev_field *field,
                   const struct kev_label **labels);

/* A kernel call that was interrupted: these have no arguments; their words mean nothing. */
bool kev_is_broken_off(uint32_t code);

/* The end of a kernel call, which may say that it failed. */
bool kev_may_fail(uint32_t code);

/* Is this payload that of a kernel call that failed (-1, errno)? */
bool kev_call_failed(uint32_t code, const struct kev_payload *p);

/* Does a user event's payload look like the text it may be? Its length, or 0. */
uint32_t kev_text_length(const struct kev_payload *p);

/* Text of a 32-bit target's struct sigevent, as traceprinter writes it. */
void kev_sigevent_text(const struct kev_payload *p, uint32_t word, struct tt_text *text);

bool kev_describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args);
uint32_t kev_edges(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                   struct tt_edge *edges);
bool kev_is_whole(const struct tt_capture *c, const struct tt_event *event, uint64_t limit);
uint32_t kev_parts(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                   struct tt_part *parts, uint32_t max);

/* struct tt_format, texts_*. */
struct tt_texts *kev_texts_new(const struct tt_capture *c);
void kev_texts_free(struct tt_texts *texts);
char *kev_texts_put(const struct tt_texts *texts, const struct tt_capture *c,
                    const struct tt_event *event, uint64_t limit, char *to, size_t room);

/* ---- the cursor --------------------------------------------------------------------------- */

struct tt_cursor *kev_cursor_new(struct tt_capture *c, bool learn);
void kev_cursor_free(struct tt_cursor *cursor);
size_t kev_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void kev_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t kev_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result kev_cursor_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                        struct tt_batch *batch);

/* ---- keeping ------------------------------------------------------------------------------ */

void kev_keep(const struct tt_capture *c, struct tt_section_writer *w);
bool kev_restore(struct tt_capture *c, struct tt_reader *r);
void kev_keep_cursor(const struct tt_cursor *cursor, struct tt_section_writer *w);
bool kev_restore_cursor(struct tt_cursor *cursor, struct tt_reader *r);

/* ---- printing ----------------------------------------------------------------------------- */

#define KEV_STYLE_COUNT 2u
extern const struct tt_style kev_styles[];

#endif
