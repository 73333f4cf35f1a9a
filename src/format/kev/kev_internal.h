/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_internal: declarations shared by the files of the QNX decoder.
 *
 *      "TRACE_HEADER_BEGIN::" "TRACE_key::value" ... "TRACE_HEADER_END::"     text, no separators
 *      system page: TRACE_SYSPAGE_LEN bytes, a copy of the target's memory
 *      slots of 16 bytes, at any alignment, to the end of the file
 *
 *      slot       word 0: header          word 1: stamp           words 2, 3: payload
 *      header     bits 0-9 event  10-14 class  24-29 CPU  30-31 structure (S, CB, CC, CE)
 *
 * A slot's stamp is the low half of the CPU's ClockCycles(). An event of more than two payload
 * words is a combine event: its slots (CB, CC..., CE) repeat header and stamp and need not be
 * adjacent; slots of other events, buffers and CPUs may separate them.
 *
 * Source of the numbers: "System Analysis Toolkit User's Guide" (chapters 2, 6, appendices A, B)
 * and the public headers sys/trace.h, sys/kercalls.h, sys/states.h of QNX 6.4 to 8.0.
 *
 * Memory: the capture owns the decoder (struct kev_decoder), the caller of kev_cursor_new() owns
 * the cursor. Threads: only the atomics of a decoder change after open; a cursor is used by one
 * thread at a time.
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
#define KEV_TIDS       (1u << 20) /* tids are smaller; pids are positive */
#define KEV_CODES      0x8000u    /* class << 10 | event */
#define KEV_EVENT_MASK 0x3ffu
#define KEV_64_BIT     0x200u      /* event bit: the payload has 64-bit types */
#define KEV_EXIT       128u        /* added to a kernel call's number at its exit ... */
#define KEV_BROKEN_OFF 256u        /* ... and when it was interrupted */
#define KEV_SAME_EVENT 0x3f007fffu /* CPU, class and event: what the slots of one event share */

#define KEV_GUEST_ENTER_CODE ((uint32_t)KEV_CLASS_QVM << 10)
#define KEV_GUEST_EXIT_CODE  ((uint32_t)KEV_CLASS_QVM << 10 | 1)

enum kev_structure { KEV_SIMPLE, KEV_BEGIN, KEV_MIDDLE, KEV_END };

enum kev_class {
    KEV_CLASS_EMPTY,
    KEV_CLASS_CONTROL,
    KEV_CLASS_CALL,
    KEV_CLASS_INTERRUPT,
    KEV_CLASS_THREAD, /* also processes and virtual threads */
    KEV_CLASS_SYSTEM,
    KEV_CLASS_USER,
    KEV_CLASS_COMM,
    KEV_CLASS_QUIP,
    KEV_CLASS_SEC,
    KEV_CLASS_QVM,
    KEV_CLASS_PMU,
    KEV_CLASS_SYSTEM_6_4 = 13, /* class of the function events in 6.4 */
};

static inline uint32_t kev_code(uint32_t header)
{
    return header & (KEV_CODES - 1);
}

static inline uint32_t kev_class_of(uint32_t code)
{
    return code >> 10;
}

/* Returns whether the code is of a class that a release has. */
static inline bool kev_has_class(uint32_t code)
{
    return kev_class_of(code) != KEV_CLASS_EMPTY && kev_class_of(code) <= KEV_CLASS_SYSTEM_6_4;
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

/* Types of an argument. traceprinter's letters for them: H D P X E Q S N. */
enum kev_type {
    KEV_H32,      /* one word, hexadecimal */
    KEV_D32,      /* one word, signed */
    KEV_P32,      /* one word, an address */
    KEV_H64,      /* two words, packed, hexadecimal */
    KEV_D64,      /* two words, signed */
    KEV_P64,      /* two words, an address */
    KEV_TEXT,     /* one word of four characters; adjacent ones form one text */
    KEV_STRING,   /* NUL-terminated, to the end of the payload */
    KEV_SIGEVENT, /* struct sigevent of a 32-bit target: four words */
    KEV_PAD,      /* one unused word */
};

/* Modes that write a field. A payload of two words is fast if the event has a fast list. */
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
    const struct kev_field *fields; /* NULL: unknown payload, shown as words */
};

/* Another list of an event, selected by the number of payload words. */
struct kev_variant {
    uint16_t event; /* of class KEV_CLASS_CALL */
    uint16_t words;
    const struct kev_field *fields;
};

/* QNX releases that differ in event numbers or layouts. */
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

/*
 * Returns the list of 6.4's traceprinter where it differs from the event tables, else NULL. Static.
 * Linear in the number of such lists.
 */
const struct kev_field *kev_print_fields_6(uint32_t code);

/* Events of the thread class below this number concern threads, the others processes. */
#define KEV_STATE_EVENTS 64u

/* Thread states; number 0 is unknown. kev_state_of() maps an event of the thread class to one. */
#define KEV_STATE_COUNT 33u
extern const struct tt_state_info kev_states[];
extern const struct tt_excerpt_format kev_excerpt; /* kev_excerpt.c */
uint16_t kev_state_of(enum kev_release release, uint32_t event);

/* Returns "KER_CALL", "THREAD", ...; NULL if the class has no name. */
const char *kev_class_name(enum kev_release release, uint32_t code);
/* Returns the enum tt_kind of an event. */
unsigned kev_kind_of(uint32_t code);

/* Returns "ENOENT" or the like, or NULL. Numbers are those of QNX's <errno.h>. */
const char *kev_errno_name(uint32_t number);

/* ---- names from the user's file ----------------------------------------------------------- */

/* Names for user events and interrupt vectors, from an INI file; immutable once read. */
struct kev_names;

struct tt_status kev_names_read(struct tt_capture *capture, const char *path,
                                struct kev_names **names);
void kev_names_free(struct kev_names *names);
/* Return NULL if there is no name. `names` may be NULL. */
const char *kev_names_user(const struct kev_names *names, uint32_t event);
const char *kev_names_vector(const struct kev_names *names, uint32_t vector);

/* ---- the decoder -------------------------------------------------------------------------- */

/*
 * Start of each CPU's 64-bit time. A slot has the low half only; the high half is in CONTROL/TIME
 * events, and the first of them may come late. The first KEV_START_SLOTS slots are therefore
 * searched once for each CPU's first TIME; earlier times are computed back from it.
 */
#define KEV_START_SLOTS 70000u
struct kev_start {
    uint64_t ticks[KEV_CPUS]; /* of the CPU's first slot */
    uint64_t known;           /* one bit per CPU: `ticks` is valid */
    bool has_time;            /* a TIME was found */
};

struct kev_event;

/*
 * Where events come from if the file has no slots: another directory reads its records, and this one
 * gives them their meaning. The header of an event is that of a slot.
 */
struct kev_source {
    /* Gathers the event at `pos` as kev_gather() does. */
    bool (*gather)(const struct tt_capture *capture, uint64_t pos, uint64_t limit,
                   struct kev_event *event, uint8_t *payload, uint32_t payload_size,
                   struct tt_part *parts, uint32_t max);
    /* Writes the first slot of the event at or after `pos`; returns the place of the next one, 0 at the end. */
    uint64_t (*next)(const struct tt_capture *capture, uint64_t pos, uint64_t limit, uint8_t *slot);
};

struct kev_decoder {
    const struct kev_source *source; /* NULL: slots */
    uint64_t slots;                  /* file offset of the first slot */
    enum kev_release release;
    bool big;              /* byte order of the file */
    bool by_words;         /* texts were byte-swapped word by word: see kev_order_find() */
    bool global_clock;     /* ClockCycles() agrees across CPUs */
    uint32_t cpu_num;      /* from the header; 0: unknown */
    uint32_t clock_vector; /* interrupt of the clock, from the system page; UINT32_MAX: unknown */
    struct kev_names *names;
    struct kev_start start;
    _Atomic bool start_known;                /* `start` is valid */
    const struct kev_layout **layouts;       /* by code */
    uint8_t state_numbers[KEV_STATE_EVENTS]; /* of kev_states, by event */
    _Atomic uint32_t codes[KEV_CODES];       /* see kev_info() */
};

/* Reads header and system page into `capture` and `decoder` (kev_header.c). */
struct tt_status kev_header_read(struct tt_capture *capture, struct kev_decoder *decoder);

/* The keys of a header, as they are read. */
struct kev_header {
    struct tt_capture *c;
    struct kev_decoder *d;
    uint64_t syspage; /* file offset */
    uint64_t syspage_length;
    uint64_t cycles_per_sec;
    uint64_t key_count;
    bool little;
    bool big;
    bool middle;
    bool has_release;
    bool encoding_supported;
    unsigned major; /* of SYS_RELEASE */
    unsigned minor;
};
/* Takes the next key and its value, which are bytes of the file. Returns false if out of memory. */
bool kev_header_take(struct kev_header *header, struct tt_bytes key, struct tt_bytes value);
/* Sets the clock and the release, if the keys have them. */
void kev_header_end(struct kev_header *header);

/*
 * Reads the names that the options have, finds the start of the times, and sets what a capture has whose header
 * and tables have been read. The decoder is the capture's; on failure the caller closes it (kev.c).
 */
struct tt_status kev_open_events(struct tt_capture *capture,
                                 const struct tt_capture_options *options);
/* Frees the capture's decoder, which is one block that begins with struct kev_decoder. */
void kev_close_capture(struct tt_capture *capture);

/* kev_cut.c: files without a header. Returns whether there is a place from which slots agree. */
bool kev_cut_probe(struct tt_bytes bytes);
/* The same; sets place, byte order and release in `decoder`, whose layouts are all NULL afterwards. */
bool kev_cut_read(struct tt_capture *capture, struct kev_decoder *decoder);

/*
 * Returns the offset of the header of another capture (files one after the other) at a slot's offset, or
 * up to a slot before; UINT64_MAX: none. Its letters are no class of events: see kev_is_text().
 */
uint64_t kev_other_header(const struct tt_capture *capture, uint64_t pos, uint64_t limit);

/* Returns whether the code is of a class that no release has, but every letter of a header. */
static inline bool kev_is_text(uint32_t code)
{
    return kev_class_of(code) >= 14;
}

/* Finds the first TIME of each CPU below `limit`. *cpus_seen: one bit per CPU with a slot. */
bool kev_has_guests(const struct tt_capture *capture);
void kev_start_find(const struct tt_capture *capture, const struct kev_decoder *decoder,
                    uint64_t limit, struct kev_start *start, uint64_t *cpus_seen);

/*
 * Returns whether a converter without type information swapped this big-endian file word by word,
 * texts included. The texts of a big-endian target need no swap. The evidence is the first process
 * or thread name whose zero padding precedes its end.
 */
bool kev_order_find(const struct tt_capture *capture, const struct kev_decoder *decoder,
                    uint64_t limit);

/*
 * Extends a slot's stamp to 64 bits, given the CPU's previous time. A stamp less than 2^30 ticks
 * before the previous one counts as out of order, any other as later: a CPU may be idle for long,
 * but events out of order are close together.
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

/* Returns the time of a CONTROL/TIME slot, whose stamp is read a little later than its lsb. */
static inline uint64_t kev_time_of_event(uint32_t stamp, uint32_t msb, uint32_t lsb)
{
    uint64_t high = (uint64_t)msb << 32;
    return (high | stamp) + (stamp < lsb ? (uint64_t)1 << 32 : 0);
}

/* ---- a whole event ------------------------------------------------------------------------ */

/*
 * The search for the slots of a combine event ends KEV_REACH slots after its first one, or once
 * KEV_OPEN_EVENTS later events of that CPU are unfinished. The cursor has the same bounds, so
 * hostile input costs linear time.
 */
#define KEV_REACH       4096u
#define KEV_OPEN_EVENTS 32u
#define KEV_WORDS_MAX   (2u * (KEV_REACH + 1))

struct kev_event {
    uint32_t header; /* of the first slot */
    uint32_t stamp;
    uint32_t parts;    /* slots found */
    uint32_t words;    /* payload words found: two per slot */
    uint64_t last_pos; /* of the last slot found */
    bool finished;
};

/*
 * Gathers the event that begins at `pos`: payload bytes into `payload` and slot positions into
 * `parts`, as many as fit; either may be NULL. Returns false if the first slot ends after `limit`.
 * kev_payload_big() returns the payload's byte order.
 */
bool kev_gather(const struct tt_capture *capture, uint64_t pos, uint64_t limit,
                struct kev_event *event, uint8_t *payload, uint32_t payload_size,
                struct tt_part *parts, uint32_t max);

/* ---- arguments ---------------------------------------------------------------------------- */

/* A payload; arguments and printers read it field by field with the same interpreter. */
struct kev_payload {
    const uint8_t *bytes;
    uint32_t words; /* present */
    bool big;
    bool combine; /* of a combine event; possibly its first slot only */
};

/* Returns the byte order of a gathered payload: kev_gather() undoes a swap by words. */
static inline bool kev_payload_big(const struct kev_decoder *decoder)
{
    return decoder->big && !decoder->by_words;
}

struct kev_value {
    const struct kev_field *field;
    uint32_t word;        /* place in the payload */
    uint32_t words;       /* length in words */
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

static inline uint32_t kev_word(const struct kev_payload *payload, uint32_t word)
{
    return tt_load_u32(payload->bytes + 4 * (uint64_t)word, payload->big);
}

static inline struct kev_payload kev_payload_of(const struct kev_decoder *decoder,
                                                const struct kev_event *whole, const uint8_t *bytes)
{
    struct kev_payload payload = {bytes, whole->words, kev_payload_big(decoder),
                                  kev_structure(whole->header) == KEV_BEGIN};
    return payload;
}

/* Returns whether the payload is a single slot: the fast form of most events. */
static inline bool kev_is_short(const struct kev_payload *payload)
{
    return payload->words <= 2 && !payload->combine;
}

/* Returns the list for a payload and sets the mode; NULL: unknown, shown as words. */
const struct kev_field *kev_fields(const struct kev_decoder *decoder, uint32_t code,
                                   const struct kev_payload *payload, unsigned *mode);

static inline uint32_t kev_words_of(unsigned type)
{
    return type >= KEV_H64 && type <= KEV_P64 ? 2 : type == KEV_SIGEVENT ? 4 : 1;
}

/*
 * Reads the next value; returns false at the end of the list or of the payload. Inline: describing
 * an event spends most of its time here.
 */
static inline bool kev_walk_next(struct kev_walk *walk, struct kev_value *value)
{
    const struct kev_field *field = walk->next;
    while (field && field->name && !(field->modes & walk->mode)) {
        field++;
    }
    const struct kev_payload *payload = &walk->payload;
    if (!field || !field->name || walk->word >= payload->words) {
        walk->next = NULL;
        return false;
    }
    walk->next = field + 1;
    value->field = field;
    value->word = walk->word;
    uint32_t left = payload->words - walk->word;
    value->words = kev_words_of(field->type);
    if (field->type == KEV_STRING) {
        value->words = left;
        value->text = (const char *)payload->bytes + 4 * (uint64_t)walk->word;
        const char *end = memchr(value->text, '\0', 4 * (size_t)left);
        value->text_length = end ? (uint32_t)(end - value->text) : 4 * left;
    } else if (value->words > left) {
        value->words = left; /* truncated: the words present */
        value->bits = kev_word(payload, walk->word);
    } else if (value->words == 2) {
        value->bits = tt_load_u64(payload->bytes + 4 * (uint64_t)walk->word, payload->big);
    } else {
        value->bits = kev_word(payload, walk->word);
    }
    walk->word += value->words;
    return true;
}

/* Returns whether the payload is that of a failed kernel call (-1, errno). */
bool kev_call_failed(uint32_t code, const struct kev_payload *payload);

/* Appends a 32-bit target's struct sigevent in traceprinter's notation. */
void kev_sigevent_text(const struct kev_payload *payload, uint32_t word, struct tt_text *text);
/* Reads such a text into four words, for a capture of this byte order. Returns its length, 0: it is none. */
uint64_t kev_sigevent_words(struct tt_bytes text, bool big, uint32_t *words);

bool kev_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args);
uint32_t kev_edges(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_edge *edges);
/* struct tt_format, clue, wake_of_state, awaits_reply and message_id. */
void kev_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
              bool with_details, struct tt_clue *clue);
/* See tt_references.args, arg_owner and is_owner. */
extern const struct tt_arg_rule kev_arg_rules[];
uint32_t kev_arg_owner(const struct tt_capture *capture, const struct tt_event *event,
                       uint64_t owner, const char **special);
/* Returns the owner for a LOCK_WAIT action, or TT_NO_THREAD for a value that is no thread. */
uint32_t kev_owner_of_action(uint32_t owner);
bool kev_is_owner(const struct tt_capture *capture, uint32_t thread, uint32_t owner);
void kev_message_id(uint64_t id, struct tt_message_id *parts);
uint32_t kev_parts(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_part *parts, uint32_t max);

/* ---- the cursor --------------------------------------------------------------------------- */

struct tt_cursor *kev_cursor_new(struct tt_capture *capture, bool learn);
void kev_cursor_free(struct tt_cursor *cursor);
size_t kev_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void kev_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t kev_cursor_pos(const struct tt_cursor *cursor);
bool kev_find_types(struct tt_cursor *cursor, uint64_t limit, struct tt_block_search *search);
enum tt_decode_result kev_cursor_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                        struct tt_batch *batch);

/* ---- index cache -------------------------------------------------------------------------- */

void kev_save(const struct tt_capture *capture, struct tt_section_writer *writer);
bool kev_restore(struct tt_capture *capture, struct tt_reader *reader);

#endif
