/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "export/fxt_value.h"
#include "tracetui/event_line.h"
#include "tracetui/text.h"

#define BUFFER_BYTES   ((size_t)256 * 1024)
#define TEXTS_MAX      0x7fffu
#define INLINE         0x8000u
#define TAIL_BYTES     16u /* reserved for the words after the arguments */
#define WORDS(bytes)   (((bytes) + 7u) / 8u)
#define ARGUMENT_BYTES 16u /* header and value, without texts */

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

void tt_fxt_writer_header_bits(struct tt_fxt_writer *writer, uint64_t bits)
{
    unsigned char *header = writer->buffer + writer->record;
    fxt_writer_put_at(header, fxt_writer_word_at(header) | bits);
}

void tt_fxt_writer_end(struct tt_fxt_writer *writer)
{
    tt_fxt_writer_header_bits(writer, (uint64_t)(writer->used - writer->record) / 8 << 4);
    writer->records++;
}

static void fxt_writer_put_bytes(struct tt_fxt_writer *writer, const char *bytes, size_t length)
{
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

void tt_fxt_writer_put_text(struct tt_fxt_writer *writer, struct tt_fxt_text_ref text)
{
    if (text.inline_bytes) {
        fxt_writer_put_bytes(writer, text.inline_bytes, inline_length(text));
    }
}

/* ---- arguments ---------------------------------------------------------------------------- */

/* An argument as it is written: a word or the high half of the header, or a text. */
struct encoded {
    enum tt_fxt_value type;
    uint32_t high;
    bool has_word;
    uint64_t word;
    const char *bytes;
    size_t length;
};

static struct encoded text_value(const char *bytes, size_t length, char scratch[TT_FXT_TEXT_MAX])
{
    bytes = length > 0 ? sanitize(bytes, &length, scratch) : bytes;
    return (struct encoded){.type = TT_FXT_VALUE_STRING,
                            .high = length > 0 ? (uint32_t)(INLINE | length) : 0,
                            .bytes = bytes,
                            .length = length};
}

/* Encodes the value that a line of `dump` has: the label, if there is one. */
static struct encoded encode(const struct tt_arg *arg, char scratch[TT_FXT_TEXT_MAX])
{
    if (arg->label.length > 0) {
        return text_value(arg->label.data, arg->label.length, scratch);
    }
    struct encoded e = {.has_word = true, .word = arg->value.u};
    switch (arg->type) {
    case TT_ARG_I64:
        e.type = TT_FXT_VALUE_INT64;
        if (arg->value.i >= INT32_MIN && arg->value.i <= INT32_MAX) {
            return (struct encoded){.type = TT_FXT_VALUE_INT32, .high = (uint32_t)arg->value.i};
        }
        return e;
    case TT_ARG_U64:
        e.type = TT_FXT_VALUE_UINT64;
        if (arg->value.u <= UINT32_MAX) {
            return (struct encoded){.type = TT_FXT_VALUE_UINT32, .high = (uint32_t)arg->value.u};
        }
        return e;
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
        e.type = TT_FXT_VALUE_POINTER;
        return e;
    case TT_ARG_KOID:
        e.type = TT_FXT_VALUE_KOID;
        return e;
    case TT_ARG_DOUBLE:
        e.type = TT_FXT_VALUE_DOUBLE;
        memcpy(&e.word, &arg->value.d, sizeof e.word);
        return e;
    case TT_ARG_BOOL:
        return (struct encoded){.type = TT_FXT_VALUE_BOOL, .high = arg->value.u != 0};
    case TT_ARG_STRING:
        return text_value(arg->value.s.data, arg->value.s.length, scratch);
    case TT_ARG_BYTES: {
        struct tt_text text = tt_text_of(scratch, TT_FXT_TEXT_MAX);
        tt_line_value(&text, arg);
        return text_value(scratch, text.used, scratch);
    }
    default:
        return (struct encoded){.type = TT_FXT_VALUE_NULL};
    }
}

static void fxt_writer_put_argument(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name,
                                    const struct encoded *encoded)
{
    size_t words =
        1 + WORDS(inline_length(name)) + WORDS(encoded->length) + (encoded->has_word ? 1u : 0u);
    tt_fxt_writer_word(writer, (uint64_t)encoded->type | (uint64_t)words << 4 |
                                   (uint64_t)name.ref << 16 | (uint64_t)encoded->high << 32);
    tt_fxt_writer_put_text(writer, name);
    if (encoded->length > 0) {
        fxt_writer_put_bytes(writer, encoded->bytes, encoded->length);
    }
    if (encoded->has_word) {
        tt_fxt_writer_word(writer, encoded->word);
    }
}

unsigned tt_fxt_writer_args(struct tt_fxt_writer *writer, const struct tt_fxt_out_arg *args,
                            unsigned count)
{
    char scratch[TT_FXT_TEXT_MAX];
    unsigned done = 0;
    while (done < count && done < TT_FXT_ARGS_MAX) {
        struct encoded e = encode(&args[done].value, scratch);
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

void tt_fxt_writer_int32(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name, int32_t value)
{
    struct encoded e = {.type = TT_FXT_VALUE_INT32, .high = (uint32_t)value};
    fxt_writer_put_argument(writer, name, &e);
}

void tt_fxt_writer_koid(struct tt_fxt_writer *writer, struct tt_fxt_text_ref name, uint64_t koid)
{
    struct encoded e = {.type = TT_FXT_VALUE_KOID, .has_word = true, .word = koid};
    fxt_writer_put_argument(writer, name, &e);
}
