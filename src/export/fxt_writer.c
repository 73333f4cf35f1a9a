/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "tracetui/event_line.h"
#include "tracetui/text.h"

#define BUFFER_BYTES   ((size_t)256 * 1024)
#define TEXTS_MAX      0x7fffu
#define INLINE         0x8000u
#define TAIL_BYTES     16u /* reserved for the words after the arguments */
#define WORDS(bytes)   (((bytes) + 7u) / 8u)
#define ARGUMENT_BYTES 16u /* header and value, without texts */

enum object_type { OBJECT_PROCESS = 1, OBJECT_THREAD = 2 };
enum scheduling_record { RECORD_SWITCH = 1, RECORD_WAKEUP = 2 };

bool tt_fxt_writer_open(struct tt_fxt_writer *writer, struct tt_sink sink)
{
    memset(writer, 0, sizeof *writer);
    writer->sink = sink;
    writer->buffer = malloc(BUFFER_BYTES);
    return writer->buffer != NULL;
}

static void fxt_writer_flush(struct tt_fxt_writer *writer)
{
    tt_sink_put(&writer->sink, (const char *)writer->buffer, writer->used);
    writer->used = 0;
}

void tt_fxt_writer_close(struct tt_fxt_writer *writer)
{
    if (writer->buffer) {
        fxt_writer_flush(writer);
    }
    free(writer->buffer);
    free(writer->known);
    free(writer->texts);
    tt_numbers_free(&writer->index);
    writer->buffer = NULL;
}

/* ---- words -------------------------------------------------------------------------------- */

static inline void fxt_writer_put_at(unsigned char *to, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        to[i] = (unsigned char)(word >> (8 * i));
    }
}

static inline uint64_t fxt_writer_word_at(const unsigned char *from)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        word |= (uint64_t)from[i] << (8 * i);
    }
    return word;
}

void tt_fxt_writer_word(struct tt_fxt_writer *writer, uint64_t word)
{
    if (writer->form) {
        return;
    }
    fxt_writer_put_at(writer->buffer + writer->used, word);
    writer->used += 8;
}

void tt_fxt_writer_begin(struct tt_fxt_writer *writer, enum tt_fxt_record_type type, uint64_t bits)
{
    if (BUFFER_BYTES - writer->used < TT_FXT_RECORD_MAX) {
        fxt_writer_flush(writer);
    }
    writer->record = writer->used;
    tt_fxt_writer_word(writer, (uint64_t)type | bits);
}

/* Adds bits to the header of the current record. */
static void fxt_writer_header_bits(struct tt_fxt_writer *writer, uint64_t bits)
{
    unsigned char *header = writer->buffer + writer->record;
    fxt_writer_put_at(header, fxt_writer_word_at(header) | bits);
}

void tt_fxt_writer_end(struct tt_fxt_writer *writer)
{
    writer->records++;
    if (!writer->form) {
        fxt_writer_header_bits(writer, (uint64_t)(writer->used - writer->record) / 8 << 4);
    }
}

static void fxt_writer_put_bytes(struct tt_fxt_writer *writer, const char *bytes, size_t length)
{
    if (writer->form) {
        return;
    }
    memcpy(writer->buffer + writer->used, bytes, length);
    memset(writer->buffer + writer->used + length, 0, WORDS(length) * 8 - length);
    writer->used += WORDS(length) * 8;
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Returns the length of the longest beginning of whole UTF-8 sequences; *valid: all of it is UTF-8. */
static size_t utf8_length(const char *bytes, size_t length, size_t most, bool *valid)
{
    size_t at = 0;
    *valid = true;
    while (at < length) {
        uint32_t code_point;
        unsigned step = (unsigned char)bytes[at] < 0x80
                            ? 1
                            : tt_utf8_decode(bytes + at, length - at, &code_point);
        *valid = step > 0;
        if (step == 0 || at + step > most) {
            break;
        }
        at += step;
    }
    return at;
}

/* Returns the text as UTF-8 of at most TT_FXT_TEXT_MAX bytes: itself, or escaped in `to`. */
static const char *sanitize(const char *bytes, size_t *length, char to[TT_FXT_TEXT_MAX])
{
    bool valid;
    size_t fits = utf8_length(bytes, *length, TT_FXT_TEXT_MAX, &valid);
    if (valid) {
        *length = fits;
        return bytes;
    }
    struct tt_text text = tt_text_of(to, TT_FXT_TEXT_MAX);
    tt_text_escaped(&text, bytes, *length < TT_FXT_TEXT_MAX ? *length : TT_FXT_TEXT_MAX);
    *length = utf8_length(to, text.used, TT_FXT_TEXT_MAX, &valid);
    return to;
}

static uint64_t known_hash(const void *owner, uint32_t number)
{
    const struct tt_fxt_writer *writer = owner;
    return writer->known[number].hash;
}

static uint32_t fxt_writer_find_text(const struct tt_fxt_writer *writer, uint64_t hash,
                                     const char *bytes, size_t length)
{
    struct tt_hash_set_probe probe;
    uint32_t n = tt_numbers_first(&writer->index, hash, &probe);
    for (; n != TT_NUMBERS_NONE; n = tt_numbers_next(&writer->index, &probe)) {
        const struct tt_fxt_known_text *known = &writer->known[n];
        if (known->hash == hash && known->length == length &&
            memcmp(writer->texts + known->at, bytes, length) == 0) {
            return n;
        }
    }
    return TT_NUMBERS_NONE;
}

/* Copies a text that will have the next index. */
static bool keep_text(struct tt_fxt_writer *writer, uint64_t hash, const char *bytes, size_t length)
{
    struct tt_fxt_known_text *known =
        tt_array_grow(writer->known, writer->known_count, &writer->known_capacity, sizeof *known);
    if (!known) {
        return false;
    }
    writer->known = known;
    char *texts =
        tt_array_reserve(writer->texts, writer->texts_used + length, &writer->texts_capacity, 1);
    if (!texts) {
        return false;
    }
    writer->texts = texts;
    if (!tt_numbers_reserve(&writer->index, known_hash, writer)) {
        return false;
    }
    memcpy(texts + writer->texts_used, bytes, length);
    known[writer->known_count] =
        (struct tt_fxt_known_text){hash, (uint32_t)writer->texts_used, (uint32_t)length};
    writer->texts_used += length;
    tt_numbers_put(&writer->index, hash, (uint32_t)writer->known_count++);
    return true;
}

struct tt_fxt_text_ref tt_fxt_writer_text(struct tt_fxt_writer *writer, const char *bytes,
                                          size_t length)
{
    char *scratch = writer->escaped[writer->next_escaped];
    bytes = length > 0 ? sanitize(bytes, &length, scratch) : "";
    if (length == 0) {
        return (struct tt_fxt_text_ref){0, NULL};
    }
    uint64_t hash = tt_hash_of(bytes, length);
    uint32_t number = fxt_writer_find_text(writer, hash, bytes, length);
    if (number == TT_NUMBERS_NONE && writer->known_count < TEXTS_MAX) {
        number = (uint32_t)writer->known_count;
        if (!keep_text(writer, hash, bytes, length)) {
            writer->no_memory = true;
            return (struct tt_fxt_text_ref){0, NULL};
        }
        tt_fxt_writer_begin(writer, TT_FXT_RECORD_STRING,
                            (uint64_t)(number + 1) << 16 | (uint64_t)length << 32);
        fxt_writer_put_bytes(writer, bytes, length);
        tt_fxt_writer_end(writer);
    }
    if (number != TT_NUMBERS_NONE) {
        return (struct tt_fxt_text_ref){(uint16_t)(number + 1), NULL};
    }
    if (bytes == scratch) {
        writer->next_escaped = (writer->next_escaped + 1) % TT_FXT_ESCAPED;
    }
    return (struct tt_fxt_text_ref){(uint16_t)(INLINE | length), bytes};
}

static size_t inline_length(struct tt_fxt_text_ref text)
{
    return text.inline_bytes ? text.ref & ~INLINE : 0;
}

struct tt_arg_span tt_fxt_writer_bytes(const struct tt_fxt_writer *writer,
                                       struct tt_fxt_text_ref text)
{
    if (text.inline_bytes || text.ref == 0) {
        return (struct tt_arg_span){text.inline_bytes ? text.inline_bytes : "",
                                    (uint32_t)inline_length(text)};
    }
    const struct tt_fxt_known_text *known = &writer->known[text.ref - 1];
    return (struct tt_arg_span){writer->texts + known->at, known->length};
}

/* Appends the bytes of an inline text; nothing for a registered one. */
static void fxt_writer_put_text(struct tt_fxt_writer *writer, struct tt_fxt_text_ref text)
{
    if (text.inline_bytes) {
        fxt_writer_put_bytes(writer, text.inline_bytes, inline_length(text));
    }
}

/* ---- arguments ---------------------------------------------------------------------------- */

static struct tt_fxt_encoded text_value(const char *bytes, size_t length,
                                        char scratch[TT_FXT_TEXT_MAX])
{
    bytes = length > 0 ? sanitize(bytes, &length, scratch) : bytes;
    return (struct tt_fxt_encoded){.type = TT_FXT_VALUE_STRING, .bytes = bytes, .length = length};
}

struct tt_fxt_encoded tt_fxt_encode(const struct tt_arg *arg, char scratch[TT_FXT_TEXT_MAX])
{
    if (arg->label.length > 0) {
        return text_value(arg->label.data, arg->label.length, scratch);
    }
    struct tt_fxt_encoded encoded = {.number = arg->value.u};
    switch (arg->type) {
    case TT_ARG_I64:
        encoded.type = arg->value.i >= INT32_MIN && arg->value.i <= INT32_MAX ? TT_FXT_VALUE_INT32
                                                                              : TT_FXT_VALUE_INT64;
        return encoded;
    case TT_ARG_U64:
        encoded.type = arg->value.u <= UINT32_MAX ? TT_FXT_VALUE_UINT32 : TT_FXT_VALUE_UINT64;
        return encoded;
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
        encoded.type = TT_FXT_VALUE_POINTER;
        return encoded;
    case TT_ARG_KOID:
        encoded.type = TT_FXT_VALUE_KOID;
        return encoded;
    case TT_ARG_DOUBLE:
        encoded.type = TT_FXT_VALUE_DOUBLE;
        memcpy(&encoded.number, &arg->value.d, sizeof encoded.number);
        return encoded;
    case TT_ARG_BOOL:
        return (struct tt_fxt_encoded){.type = TT_FXT_VALUE_BOOL, .number = arg->value.u != 0};
    case TT_ARG_STRING:
        return text_value(arg->value.s.data, arg->value.s.length, scratch);
    case TT_ARG_BYTES: {
        struct tt_text text = tt_text_of(scratch, TT_FXT_TEXT_MAX);
        tt_line_value(&text, arg);
        return text_value(scratch, text.used, scratch);
    }
    default:
        return (struct tt_fxt_encoded){.type = TT_FXT_VALUE_NULL};
    }
}

/* Appends an argument: small values are in the high half of its header. */
static void fxt_writer_put_argument(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name,
                                    const struct tt_fxt_encoded *encoded)
{
    bool text = encoded->type == TT_FXT_VALUE_STRING;
    bool wide = !text && encoded->type >= TT_FXT_VALUE_INT64 && encoded->type <= TT_FXT_VALUE_KOID;
    size_t words = 1 + WORDS(inline_length(name)) + WORDS(encoded->length) + wide;
    uint64_t high = text   ? (encoded->length > 0 ? INLINE | encoded->length : 0)
                    : wide ? 0
                           : (uint32_t)encoded->number;
    tt_fxt_writer_word(writer, (uint64_t)encoded->type | (uint64_t)words << 4 |
                                   (uint64_t)name.ref << 16 | high << 32);
    fxt_writer_put_text(writer, name);
    if (encoded->length > 0) {
        fxt_writer_put_bytes(writer, encoded->bytes, encoded->length);
    }
    if (wide) {
        tt_fxt_writer_word(writer, encoded->number);
    }
}

static void fxt_writer_put_number(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name,
                                  enum tt_fxt_value type, uint64_t number)
{
    fxt_writer_put_argument(writer, name, &(struct tt_fxt_encoded){.type = type, .number = number});
}

/* Appends the first arguments, as many as fit with the words after them; returns their number. */
static unsigned fxt_writer_args(struct tt_fxt_writer *writer, const struct tt_fxt_out_arg *args,
                                unsigned count)
{
    char scratch[TT_FXT_TEXT_MAX];
    unsigned done = 0;
    while (done < count && done < TT_FXT_ARGS_MAX) {
        struct tt_fxt_encoded e = tt_fxt_encode(&args[done].value, scratch);
        size_t bytes =
            ARGUMENT_BYTES + 8 * (WORDS(inline_length(args[done].name)) + WORDS(e.length));
        if (writer->used - writer->record + bytes + TAIL_BYTES > TT_FXT_RECORD_MAX) {
            break;
        }
        fxt_writer_put_argument(writer, args[done].name, &e);
        done++;
    }
    return done;
}

/* ---- records ------------------------------------------------------------------------------ */

void tt_fxt_writer_event(struct tt_fxt_writer *writer, const struct tt_fxt_event *event)
{
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_EVENT,
                        (uint64_t)event->kind << 16 | (uint64_t)event->ref << 24 |
                            (uint64_t)event->category.ref << 32 | (uint64_t)event->name.ref << 48);
    if (writer->form) {
        writer->sink.stopped |= !writer->form->event(writer->form->arg, writer, event);
    } else {
        tt_fxt_writer_word(writer, event->ns);
        if (event->ref == 0) {
            tt_fxt_writer_word(writer, event->ids.process);
            tt_fxt_writer_word(writer, event->ids.thread);
        }
        fxt_writer_put_text(writer, event->category);
        fxt_writer_put_text(writer, event->name);
        fxt_writer_header_bits(writer, (uint64_t)fxt_writer_args(writer, event->args, event->count)
                                           << 20);
        if (event->has_tail) {
            tt_fxt_writer_word(writer, event->tail);
        }
    }
    tt_fxt_writer_end(writer);
}

void tt_fxt_writer_object(struct tt_fxt_writer *writer, struct tt_fxt_ids ids,
                          struct tt_fxt_text_ref name)
{
    bool thread = ids.thread != 0;
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_KERNEL_OBJECT,
                        (uint64_t)(thread ? OBJECT_THREAD : OBJECT_PROCESS) << 16 |
                            (uint64_t)name.ref << 24 | (uint64_t)thread << 40);
    if (writer->form) {
        writer->sink.stopped |= !writer->form->object(writer->form->arg, writer, ids, name);
    } else {
        tt_fxt_writer_word(writer, thread ? ids.thread : ids.process);
        fxt_writer_put_text(writer, name);
        if (thread) {
            fxt_writer_put_number(writer, writer->process_text, TT_FXT_VALUE_KOID, ids.process);
        }
    }
    tt_fxt_writer_end(writer);
}

void tt_fxt_writer_switch(struct tt_fxt_writer *writer, const struct tt_fxt_switch *change)
{
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_SCHEDULING,
                        UINT64_C(2) << 16 | (uint64_t)change->cpu << 20 |
                            (uint64_t)change->state << 36 | (uint64_t)RECORD_SWITCH << 60);
    if (writer->form) {
        writer->sink.stopped |= !writer->form->change(writer->form->arg, change);
    } else {
        tt_fxt_writer_word(writer, change->ns);
        tt_fxt_writer_word(writer, change->from.thread);
        tt_fxt_writer_word(writer, change->to.thread);
        fxt_writer_put_number(writer, writer->outgoing_weight, TT_FXT_VALUE_INT32,
                              (uint32_t)change->from_weight);
        fxt_writer_put_number(writer, writer->incoming_weight, TT_FXT_VALUE_INT32,
                              (uint32_t)change->to_weight);
    }
    tt_fxt_writer_end(writer);
}

void tt_fxt_writer_wakeup(struct tt_fxt_writer *writer, const struct tt_fxt_wakeup *wakeup)
{
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_SCHEDULING,
                        (wakeup->has_waker ? UINT64_C(2) : UINT64_C(1)) << 16 |
                            (uint64_t)wakeup->cpu << 20 | (uint64_t)RECORD_WAKEUP << 60);
    if (writer->form) {
        writer->sink.stopped |= !writer->form->wakeup(writer->form->arg, wakeup);
    } else {
        tt_fxt_writer_word(writer, wakeup->ns);
        tt_fxt_writer_word(writer, wakeup->thread.thread);
        fxt_writer_put_number(writer, writer->weight_text, TT_FXT_VALUE_INT32,
                              (uint32_t)wakeup->weight);
        if (wakeup->has_waker) {
            fxt_writer_put_number(writer, writer->waker_text, TT_FXT_VALUE_KOID, wakeup->waker);
        }
    }
    tt_fxt_writer_end(writer);
}
