/* SPDX-License-Identifier: Apache-2.0 */
#include "trx_build.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event_of.h"
#include "format/trx/trx_internal.h"

void trx_bytes_free(struct trx_bytes *bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

static struct trx_bytes bytes_new(size_t size)
{
    struct trx_bytes bytes = {calloc(1, size ? size : 1), size};
    cr_assert_not_null(bytes.data);
    return bytes;
}

struct trx_bytes trx_bytes_read(const char *path)
{
    struct trx_bytes bytes = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        return bytes;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    bytes = bytes_new((size_t)size);
    cr_assert_eq(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

/* ---- words ------------------------------------------------------------------------------ */

static void put(uint8_t *at, uint64_t value, unsigned size, bool big)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (big ? size - 1 - i : i);
        at[i] = (uint8_t)(value >> shift);
    }
}

static uint64_t get(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

void trx_kit_put_word(struct trx_bytes *bytes, bool wide, bool big, size_t offset, uint64_t value)
{
    unsigned word = wide ? 8 : 4;
    cr_assert(offset + word <= bytes->size);
    put(bytes->data + offset, value, word, big);
}

struct sizes {
    unsigned word;
    size_t header;
    size_t slot;
    size_t entry;
};

static struct sizes sizes_of(bool wide, uint32_t name_size)
{
    unsigned word = wide ? 8 : 4;
    return (struct sizes){word, 12 * word, 4 * word + name_size, 8 * word};
}

static void put_header(uint8_t *at, const struct sizes *s, bool big, uint64_t mask, uint64_t base,
                       uint32_t name_size, const uint64_t pointers[5])
{
    unsigned w = s->word;
    put(at, 0x54585442, w, big);
    put(at + w, mask, w, big);
    put(at + 2 * w, base, w, big);
    put(at + 3 * w, pointers[0], w, big);
    put(at + 4 * w, 0, 2, big);
    put(at + 4 * w + 2, name_size, 2, big);
    for (unsigned i = 0; i < 4; i++) {
        put(at + (5 + i) * w, pointers[1 + i], w, big);
    }
    put(at + 9 * w, 0xaaaaaaaa, w, big);
    put(at + 10 * w, 0xbbbbbbbb, w, big);
    put(at + 11 * w, 0xcccccccc, w, big);
}

struct trx_bytes trx_kit_make(const struct trx_kit_buffer *b)
{
    uint32_t name_size = b->name_size ? b->name_size : 32;
    struct sizes s = sizes_of(b->wide, name_size);
    size_t entries_at = s.header + b->object_count * s.slot;
    struct trx_bytes bytes = bytes_new(entries_at + b->entry_count * s.entry);
    uint64_t start = TRX_KIT_BASE + entries_at;
    uint64_t pointers[5] = {TRX_KIT_BASE + s.header, start, start, TRX_KIT_BASE + bytes.size,
                            start + b->oldest * s.entry};
    put_header(bytes.data, &s, b->big, b->mask, TRX_KIT_BASE, name_size, pointers);
    for (uint32_t i = 0; i < b->object_count; i++) {
        const struct trx_kit_object *o = &b->objects[i];
        uint8_t *at = bytes.data + s.header + i * s.slot;
        at[0] = o->available;
        at[1] = o->type;
        at[2] = o->reserved[0];
        at[3] = o->reserved[1];
        put(at + s.word, o->address, s.word, b->big);
        put(at + 2 * s.word, o->parameters[0], s.word, b->big);
        put(at + 3 * s.word, o->parameters[1], s.word, b->big);
        strncpy((char *)at + 4 * s.word, o->name ? o->name : "", name_size);
    }
    for (uint32_t i = 0; i < b->entry_count; i++) {
        for (unsigned k = 0; k < 8; k++) {
            put(bytes.data + entries_at + i * s.entry + k * s.word, b->entries[i].words[k], s.word,
                b->big);
        }
    }
    return bytes;
}

struct trx_bytes trx_as_layout(const struct trx_bytes *narrow, bool wide, bool big)
{
    uint32_t name_size = (uint32_t)get(narrow->data + 18, 2);
    struct sizes from = sizes_of(false, name_size);
    struct sizes to = sizes_of(wide, name_size);
    uint64_t start = get(narrow->data + 24, 4), end = get(narrow->data + 28, 4);
    size_t slots = (size_t)(get(narrow->data + 20, 4) - get(narrow->data + 12, 4)) / from.slot;
    size_t entries = (size_t)(end - start) / from.entry;
    size_t oldest = (size_t)(get(narrow->data + 32, 4) - start) / from.entry;
    size_t entries_at = to.header + slots * to.slot;
    struct trx_bytes out = bytes_new(entries_at + entries * to.entry);
    uint64_t base = get(narrow->data + 8, 4);
    uint64_t pointers[5] = {base + to.header, base + entries_at, base + entries_at, base + out.size,
                            base + entries_at + oldest * to.entry};
    put_header(out.data, &to, big, get(narrow->data + 4, 4), base, name_size, pointers);
    for (size_t i = 0; i < slots; i++) {
        const uint8_t *f = narrow->data + from.header + i * from.slot;
        uint8_t *t = out.data + to.header + i * to.slot;
        memcpy(t, f, 4);
        for (unsigned k = 1; k < 4; k++) {
            put(t + k * to.word, get(f + k * 4, 4), to.word, big);
        }
        memcpy(t + 4 * to.word, f + 16, name_size);
    }
    for (size_t i = 0; i < entries * 8; i++) {
        put(out.data + entries_at + i * to.word,
            get(narrow->data + from.header + slots * from.slot + i * 4, 4), to.word, big);
    }
    return out;
}

/* ---- containers ------------------------------------------------------------------------- */

struct writer {
    struct trx_bytes out;
    size_t used;
};

static struct writer writer_new(size_t size)
{
    return (struct writer){bytes_new(size), 0};
}

static void write_text(struct writer *w, const char *text)
{
    size_t length = strlen(text);
    cr_assert(w->used + length <= w->out.size);
    memcpy(w->out.data + w->used, text, length);
    w->used += length;
}

static void write_hex(struct writer *w, const uint8_t *bytes, size_t length)
{
    char pair[3];
    for (size_t i = 0; i < length; i++) {
        snprintf(pair, sizeof pair, i % 3 == 1 ? "%02x" : "%02X", bytes[i]);
        write_text(w, pair);
    }
}

static uint8_t sum(const uint8_t *bytes, size_t length)
{
    unsigned total = 0;
    for (size_t i = 0; i < length; i++) {
        total += bytes[i];
    }
    return (uint8_t)total;
}

static struct trx_bytes writer_end(struct writer *w)
{
    w->out.size = w->used;
    return w->out;
}

static void intel_line(struct writer *w, uint8_t type, uint16_t address, const uint8_t *data,
                       size_t length)
{
    uint8_t record[300] = {(uint8_t)length, (uint8_t)(address >> 8), (uint8_t)address, type};
    memcpy(record + 4, data, length);
    record[4 + length] = (uint8_t)-sum(record, 4 + length);
    write_text(w, ":");
    write_hex(w, record, length + 5);
    write_text(w, "\r\n");
}

struct trx_bytes trx_as_intel_hex(const struct trx_bytes *bytes)
{
    struct writer w = writer_new(bytes->size * 3 + 4096);
    for (size_t at = 0; at < bytes->size; at += 32) {
        if (at % 0x10000 == 0) {
            uint8_t segment[2] = {0x20, (uint8_t)(at >> 16)};
            intel_line(&w, 4, 0, segment, 2);
        }
        size_t length = bytes->size - at < 32 ? bytes->size - at : 32;
        intel_line(&w, 0, (uint16_t)at, bytes->data + at, length);
    }
    intel_line(&w, 1, 0, (const uint8_t *)"", 0);
    return writer_end(&w);
}

static void s_line(struct writer *w, char type, unsigned address_bytes, uint32_t address,
                   const uint8_t *data, size_t length)
{
    uint8_t record[300] = {(uint8_t)(address_bytes + length + 1)};
    char mark[3] = {'S', type, 0};
    for (unsigned i = 0; i < address_bytes; i++) {
        record[1 + i] = (uint8_t)(address >> (8 * (address_bytes - 1 - i)));
    }
    memcpy(record + 1 + address_bytes, data, length);
    record[1 + address_bytes + length] = (uint8_t)~sum(record, 1 + address_bytes + length);
    write_text(w, mark);
    write_hex(w, record, 2 + address_bytes + length);
    write_text(w, "\n");
}

struct trx_bytes trx_as_s_record(const struct trx_bytes *bytes, unsigned address_bytes)
{
    struct writer w = writer_new(bytes->size * 3 + 4096);
    s_line(&w, '0', 2, 0, (const uint8_t *)"trace", 5);
    for (size_t at = 0; at < bytes->size; at += 28) {
        size_t length = bytes->size - at < 28 ? bytes->size - at : 28;
        s_line(&w, (char)('0' + address_bytes - 1), address_bytes, (uint32_t)at, bytes->data + at,
               length);
    }
    s_line(&w, (char)('0' + 11 - address_bytes), address_bytes, 0, (const uint8_t *)"", 0);
    return writer_end(&w);
}

struct trx_bytes trx_as_hex_dump(const struct trx_bytes *bytes)
{
    struct writer w = writer_new(bytes->size * 3 + 4096);
    for (size_t at = 0; at < bytes->size; at += 40) {
        size_t length = bytes->size - at < 40 ? bytes->size - at : 40;
        write_hex(&w, bytes->data + at, length);
        write_text(&w, "\r\n");
    }
    return writer_end(&w);
}

/* ---- decoding --------------------------------------------------------------------------- */

struct tt_status trx_kit_open(struct trx_kit *kit, const struct trx_bytes *bytes,
                              const struct tt_capture_options *options)
{
    memset(kit, 0, sizeof *kit);
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes->data, bytes->size), &kit->capture);
    cr_assert_not(tt_failed(&status));
    return tt_capture_open(kit->capture, "test.trx", options);
}

static void keep(struct trx_kit *kit, const struct tt_batch *batch)
{
    size_t events = (size_t)kit->count + batch->count + 1;
    size_t actions = (size_t)kit->action_count + batch->action_count + 1;
    kit->events = tt_array_reserve(kit->events, events, &kit->event_capacity, sizeof *kit->events);
    kit->actions =
        tt_array_reserve(kit->actions, actions, &kit->action_capacity, sizeof *kit->actions);
    cr_assert(kit->events && kit->actions);
    memcpy(kit->events + kit->count, batch->events, batch->count * sizeof *kit->events);
    for (uint32_t i = 0; i < batch->action_count; i++) {
        kit->actions[kit->action_count + i] = batch->actions[i];
        cr_assert_lt(event_of(&batch->actions[i], batch->events, batch->count), batch->count);
    }
    kit->count += batch->count;
    kit->action_count += batch->action_count;
}

bool trx_kit_decode(struct trx_kit *kit, uint32_t capacity)
{
    const struct tt_format *format = kit->capture->format;
    struct tt_cursor *cursor = format->cursor_new(kit->capture, true);
    uint32_t action_capacity = capacity + TT_ACTIONS_PER_EVENT;
    struct tt_batch batch = {.events = malloc(capacity * sizeof(struct tt_event)),
                             .capacity = capacity,
                             .actions = malloc(action_capacity * sizeof(struct tt_action)),
                             .action_capacity = action_capacity,
                             .unwanted = NOTES};
    cr_assert(cursor && batch.events && batch.actions);
    enum tt_decode_result result;
    /* Small pieces, of several sizes: the expected results do not depend on them. */
    trx_plan_piece(kit->capture->decoder, 1 + (uint32_t)(kit->capture->bytes.size / 32 % 7));
    do {
        batch.count = 0;
        batch.action_count = 0;
        result = format->decode(cursor, kit->capture->bytes.size, true, &batch);
        cr_assert(batch.count <= capacity && batch.action_count <= action_capacity);
        keep(kit, &batch);
    } while (result == TT_DECODE_MORE);
    kit->records = batch.records;
    format->cursor_free(cursor);
    free(batch.events);
    free(batch.actions);
    return result == TT_DECODE_END;
}

void trx_kit_load(struct trx_kit *kit, const struct trx_bytes *bytes)
{
    struct tt_status status = trx_kit_open(kit, bytes, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(trx_kit_decode(kit, 256));
}

void trx_kit_load_buffer(struct trx_kit *kit, const struct trx_kit_buffer *buffer)
{
    struct trx_bytes bytes = trx_kit_make(buffer);
    trx_kit_load(kit, &bytes);
    kit->owned = bytes;
}

void trx_kit_close(struct trx_kit *kit)
{
    tt_capture_free(kit->capture);
    trx_bytes_free(&kit->owned);
    free(kit->events);
    free(kit->actions);
    memset(kit, 0, sizeof *kit);
}

bool trx_kit_describe(const struct trx_kit *kit, uint32_t index, struct tt_args *args)
{
    return kit->capture->format->describe(kit->capture, &kit->events[index],
                                          kit->capture->bytes.size, args);
}

const struct tt_arg *trx_kit_arg(const struct tt_args *args, const char *name)
{
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg_span *span = &args->v[i].name;
        if (span->length == strlen(name) && memcmp(span->data, name, span->length) == 0) {
            return &args->v[i];
        }
    }
    return NULL;
}

const struct tt_arg *trx_kit_word(const struct trx_kit *kit, const struct tt_args *args,
                                  unsigned word)
{
    unsigned size = kit->events[0].length / 8;
    for (unsigned i = 0; i < args->count; i++) {
        if (args->v[i].raw_length == size && args->v[i].raw_offset == word * size) {
            return &args->v[i];
        }
    }
    return NULL;
}

bool trx_kit_labelled(const struct tt_arg *arg, const char *label)
{
    return arg && arg->label.length == strlen(label) &&
           memcmp(arg->label.data, label, arg->label.length) == 0;
}

const char *trx_kit_thread(const struct trx_kit *kit, uint32_t index)
{
    uint32_t thread = kit->events[index].thread;
    return thread == TT_NO_THREAD
               ? ""
               : tt_capture_text(kit->capture, tt_thread_at(kit->capture, thread)->name, NULL);
}

const char *trx_kit_fact(const struct trx_kit *kit, const char *section, const char *key)
{
    for (uint32_t i = 0; i < tt_facts_count(kit->capture); i++) {
        const struct tt_fact *fact = tt_facts_at(kit->capture, i);
        if (strcmp(fact->section, section) == 0 && strcmp(fact->key, key) == 0) {
            return fact->value;
        }
    }
    return NULL;
}

void trx_kit_touch_all(const struct trx_kit *kit)
{
    static struct tt_args args;
    uint64_t size = kit->capture->bytes.size;
    for (uint32_t i = 0; i < kit->count; i++) {
        const struct tt_event *event = &kit->events[i];
        struct tt_part part;
        cr_assert(event->type < tt_types_count(kit->capture));
        cr_assert(event->thread == TT_NO_THREAD || event->thread < tt_thread_count(kit->capture));
        cr_assert(trx_kit_describe(kit, i, &args));
        for (unsigned k = 0; k < args.count; k++) {
            /* Reads the label to its last byte, for the sanitizer. */
            cr_assert(args.v[k].label.length == 0 || args.v[k].label.data[0] != 0);
            cr_assert(args.v[k].raw_offset + args.v[k].raw_length <= event->length);
        }
        if (tt_capture_parts(kit->capture, event, size, &part, 1) == 1) {
            cr_assert(part.offset <= size && part.length <= size - part.offset);
            cr_assert_eq(tt_capture_offset(kit->capture, event->pos), part.offset);
        }
    }
}

uint64_t trx_kit_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
