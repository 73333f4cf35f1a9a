/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_writer: builds Fuchsia trace records in a buffer.
 *
 *      ref = tt_fxt_writer_text(w, name)        writes a string record if the text is new
 *      tt_fxt_writer_begin(w, type)             the record's header word
 *      tt_fxt_writer_word, _put_text, _arg      the words after the header
 *      tt_fxt_writer_end(w)                     sets the size
 *
 * Texts are resolved before the record that refers to them begins. Up to 32,767 texts are
 * registered; further ones are written inline. A record has at most TT_FXT_RECORD_MAX bytes: an
 * argument that does not fit is left out.
 *
 * Independent of the decoder in format/fxt: both follow the format's document.
 */
#ifndef TRACETUI_EXPORT_FXT_WRITER_H
#define TRACETUI_EXPORT_FXT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_set.h"
#include "base/sink.h"
#include "tracetui/event.h"

enum tt_fxt_record_type {
    TT_FXT_RECORD_METADATA = 0,
    TT_FXT_RECORD_INITIALIZATION = 1,
    TT_FXT_RECORD_STRING = 2,
    TT_FXT_RECORD_THREAD = 3,
    TT_FXT_RECORD_EVENT = 4,
    TT_FXT_RECORD_KERNEL_OBJECT = 7,
    TT_FXT_RECORD_SCHEDULING = 8,
};

enum tt_fxt_event_kind {
    TT_FXT_EVENT_INSTANT = 0,
    TT_FXT_EVENT_COUNTER = 1,
    TT_FXT_EVENT_BEGIN = 2,
    TT_FXT_EVENT_END = 3,
    TT_FXT_EVENT_COMPLETE = 4,
    TT_FXT_EVENT_ASYNC_BEGIN = 5,
    TT_FXT_EVENT_ASYNC_INSTANT = 6,
    TT_FXT_EVENT_ASYNC_END = 7,
    TT_FXT_EVENT_FLOW_BEGIN = 8,
    TT_FXT_EVENT_FLOW_STEP = 9,
    TT_FXT_EVENT_FLOW_END = 10,
};

#define TT_FXT_RECORD_MAX (4095u * 8u)
#define TT_FXT_TEXT_MAX   1024u /* longer texts are cut */
#define TT_FXT_ARGS_MAX   15u
#define TT_FXT_ESCAPED    (TT_FXT_ARGS_MAX + 3u) /* texts of one record */

/* A text: a registered one by its index, or one to be written inline. */
struct tt_fxt_text_ref {
    uint16_t ref;
    const char *inline_bytes; /* NULL: registered or empty */
};

/* An argument whose name is resolved; `value` as in struct tt_arg. */
struct tt_fxt_out_arg {
    struct tt_fxt_text_ref name;
    struct tt_arg value;
};

/* A registered text. */
struct tt_fxt_known_text {
    uint64_t hash;
    uint32_t at; /* in the writer's `texts` */
    uint32_t length;
};

struct tt_fxt_writer {
    struct tt_sink sink;
    unsigned char *buffer;
    size_t used;
    size_t record; /* where the record begins */
    uint64_t records;
    bool no_memory;
    struct tt_numbers index; /* numbers of known texts by hash */
    struct tt_fxt_known_text *known;
    size_t known_count;
    size_t known_capacity;
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
    char escaped[TT_FXT_ESCAPED][TT_FXT_TEXT_MAX]; /* inline texts that are not UTF-8, used
                                                    * round-robin */
    unsigned next_escaped;
};

/* Returns false if out of memory. */
bool tt_fxt_writer_open(struct tt_fxt_writer *writer, struct tt_sink sink);
/* Writes the buffered records and frees the writer. */
void tt_fxt_writer_close(struct tt_fxt_writer *writer);

/*
 * Returns the reference of a text, which is registered if it is new; valid until the end of the next
 * record. Inline bytes are borrowed from `bytes`. A text that is not UTF-8 is escaped; one that is
 * too long is truncated.
 */
struct tt_fxt_text_ref tt_fxt_writer_text(struct tt_fxt_writer *writer, const char *bytes,
                                          size_t length);

/* Begins a record; `bits` are the header's bits above its type and size. */
void tt_fxt_writer_begin(struct tt_fxt_writer *writer, enum tt_fxt_record_type type, uint64_t bits);
void tt_fxt_writer_word(struct tt_fxt_writer *writer, uint64_t word);
/* Appends the bytes of an inline text; nothing for a registered one. */
void tt_fxt_writer_put_text(struct tt_fxt_writer *writer, struct tt_fxt_text_ref text);
void tt_fxt_writer_end(struct tt_fxt_writer *writer);

/*
 * Appends the first arguments, as many as fit with the words after them; returns their number, which
 * belongs in the header.
 */
unsigned tt_fxt_writer_args(struct tt_fxt_writer *writer, const struct tt_fxt_out_arg *args,
                            unsigned count);
/* Adds bits to the header of the current record. */
void tt_fxt_writer_header_bits(struct tt_fxt_writer *writer, uint64_t bits);

/* Appends an argument of 32 bits with a registered name. */
void tt_fxt_writer_int32(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name, int32_t value);
/* Does the same for a kernel object. */
void tt_fxt_writer_koid(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name, uint64_t koid);

#endif
