/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tpt_internal: declarations shared by the files that read the text of QNX's traceprinter.
 *
 *      t:0x4f81e320 CPU:00 THREAD  :THRUNNING     pid:1 tid:4 priority:10 policy:2
 *      |    head          | class | label       | arguments, on this line or on the next ones
 *
 * A record of the text becomes the header, the stamp and the payload words of a slot of the .kev file
 * (format/kev/kev_internal.h). The meaning of events is decided there: the decoder and the cursor are its own, and
 * this directory is its source of events.
 *
 *      tpt.c         format table, opening
 *      tpt_header.c  the lines before the events; the release if they do not name it
 *      tpt_decode.c  records in order: cursor, kev_source
 *      tpt_record.c  one record: where it ends, its head, class and label
 *      tpt_args.c    its arguments as payload words
 *      tpt_labels.c  classes and labels by name
 *
 * Memory: the capture owns the decoder, which begins with struct kev_decoder. Threads: only kev's atomics change
 * after open.
 */
#ifndef TT_FORMAT_TPT_INTERNAL_H
#define TT_FORMAT_TPT_INTERNAL_H

#include "format/kev/kev_internal.h"

/* ---- classes and labels (tpt_labels.c) ------------------------------------------------------ */

/* The text after the name of a class. */
enum tpt_form {
    TPT_LABELS,      /* labels of the event tables */
    TPT_CALLS,       /* NAME/number */
    TPT_NUMBERS,     /* USREVENT: EVENT:number */
    TPT_VECTOR,      /* the class is the event; a vector instead of the label */
    TPT_CONTROL_FORM /* as TPT_LABELS; some arguments have forms of their own */
};

/* A class as it is printed. */
struct tpt_class {
    const char *name;
    uint8_t length;
    uint8_t form;   /* enum tpt_form */
    uint8_t class_; /* enum kev_class */
    uint16_t event; /* of TPT_VECTOR; of TPT_CALLS: added to the number */
};

/* Returns the class with this name, or NULL. */
const struct tpt_class *tpt_class_find(const uint8_t *name, size_t length);

/* Events of a class with one label: of several, the 64-bit forms come later. */
#define TPT_CODES_MAX 3u
struct tpt_label {
    const char *name; /* NULL: the entry is free */
    uint8_t length;
    uint8_t class_;
    uint8_t count;
    uint16_t codes[TPT_CODES_MAX];
};

#define TPT_LABEL_BITS 10u

struct tpt_decoder {
    struct kev_decoder kev;
    bool whole_times;  /* stamps are whole times: the form of 7.x */
    bool is_64;        /* a machine of 64 bits, whose interrupts have the 64-bit forms */
    bool microseconds; /* times are in microseconds, without cycles: -p with %t */
    struct tpt_label labels[1u << TPT_LABEL_BITS];
};

/* Fills the table from the layouts of the release. */
void tpt_labels_fill(struct tpt_decoder *decoder);
/* Returns the entry of a label of a class, or NULL. */
const struct tpt_label *tpt_label_find(const struct tpt_decoder *decoder, uint32_t class_,
                                       const uint8_t *name, size_t length);

/* ---- one record (tpt_record.c) -------------------------------------------------------------- */

enum tpt_sort {
    TPT_EVENT,
    TPT_DOUBTFUL, /* an event whose arguments are not as listed: cut, damaged, or of another version */
    TPT_HEADER, /* a line that traceprinter writes around the events, or an empty one */
    TPT_OTHER,  /* a line that is no event */
    TPT_CUT,    /* incomplete while the file may grow, or the end */
};

/* The words of an event; those past the capacity are counted only. */
struct tpt_payload {
    uint8_t *bytes;
    uint32_t capacity; /* words */
    uint32_t words;
    bool big;
};

static inline void tpt_put_word(struct tpt_payload *payload, uint32_t word)
{
    if (payload->words < payload->capacity) {
        const uint32_t stored = payload->big == tt_host_is_big() ? word : tt_swap32(word);
        memcpy(payload->bytes + 4 * (size_t)payload->words, &stored, sizeof stored);
    }
    payload->words += payload->words < KEV_WORDS_MAX;
}

/* The text between two places. */
struct tpt_span {
    const uint8_t *at;
    const uint8_t *end;
};

/* The part of a line before the label. */
struct tpt_head {
    uint64_t time;
    uint32_t cpu;
    bool whole;   /* `time` is more than a stamp */
    bool is_time; /* in microseconds */
    const struct tpt_class *class_;
    const uint8_t *after; /* after the colon of the class */
};

/* Reads the head of the line that begins at span.at. */
bool tpt_head_read(struct tpt_span line, struct tpt_head *head);

struct tpt_record {
    enum tpt_sort sort;
    uint64_t end; /* offset of the next record */
    uint32_t lines;
    uint32_t code;
    struct tpt_head head; /* of an event */
};

/* Reads the record at `pos`, with the payload of an event. `final`: the bytes before `limit` are all. */
void tpt_record_read(const struct tpt_decoder *decoder, struct tt_bytes bytes, uint64_t pos,
                     bool final, struct tpt_record *record, struct tpt_payload *payload);

/* ---- arguments (tpt_args.c) ----------------------------------------------------------------- */

/* The codes that a label may have. */
struct tpt_codes {
    uint32_t codes[TPT_CODES_MAX];
    uint32_t count;
};

/*
 * Reads arguments by the lists of the codes; *code is the one that fits. Returns false if none does: the
 * values are then the words, in their order.
 */
bool tpt_args_read(const struct tpt_decoder *decoder, const struct tpt_codes *codes,
                   struct tpt_span text, uint32_t *code, struct tpt_payload *payload);
/* The same of classes with forms of their own. */
bool tpt_args_of_vector(const struct tpt_decoder *decoder, uint32_t event, struct tpt_span text,
                        uint32_t *code, struct tpt_payload *payload);
bool tpt_args_of_user(struct tpt_span text, struct tpt_payload *payload);
/* BUFFER, BUFFER_END: numbers after equals signs, hexadecimal or not. */
bool tpt_args_of_buffer(struct tpt_span text, bool hex, struct tpt_payload *payload);

/* ---- header and cursor ---------------------------------------------------------------------- */

/* Reads what is before the first event, and the form of the events. */
struct tt_status tpt_header_read(struct tt_capture *capture, struct tpt_decoder *decoder);
/* Returns whether a line is one of those that traceprinter writes around the events. */
bool tpt_header_has(struct tpt_span line);

extern const struct kev_source tpt_source;
enum tt_decode_result tpt_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch);

#endif
