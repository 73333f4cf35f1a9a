/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the records of a Fuchsia trace. The first byte selects the byte order, whether
 * definitions are listed and whether the file may grow; the rest follows a magic number.
 *
 * Learning has a fast path for common records; decoding again has not.
 *
 * The bytes are in memory of exactly their size, so that a sanitizer detects a read past their end.
 * A cursor that does not learn must decode the same events as a learning cursor, block by block and
 * backwards; every event must have a description, with arguments inside its bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "format/fxt/fxt_internal.h"
#include "fuzz_decode.h"

#define BLOCKS 512

struct block {
    uint8_t blob[64];
    size_t blob_size;
    uint32_t count;
    struct tt_event events[FUZZ_BATCH];
};

static void describe(const struct tt_capture *c, const struct tt_event *event)
{
    static struct tt_args args;
    fuzz_check_event(c, event);
    require(event->pos + event->length <= c->bytes.size);
    require(c->format->describe(c, event, c->bytes.size, &args));
    for (unsigned i = 0; i < args.count; i++) {
        require((uint64_t)args.v[i].raw_offset + args.v[i].raw_length <= event->length);
    }
}

static bool same(const struct tt_event *a, const struct tt_event *b)
{
    return a->ticks == b->ticks && a->pos == b->pos && a->type == b->type &&
           a->thread == b->thread && a->length == b->length && a->cpu == b->cpu &&
           a->kind == b->kind && a->flags == b->flags;
}

static void decode_again(struct tt_capture *c, const struct block *blocks, unsigned count)
{
    struct tt_event events[FUZZ_BATCH];
    struct tt_cursor *cursor = c->format->cursor_new(c, false);
    require(cursor != NULL);
    cursor->fast = false;
    while (count-- > 0) {
        uint32_t n;
        c->format->cursor_load(cursor, blocks[count].blob, blocks[count].blob_size);
        fuzz_decode(c, cursor, c->bytes.size, true, FUZZ_BATCH, events, &n);
        require(n >= blocks[count].count);
        for (uint32_t i = 0; i < blocks[count].count; i++) {
            require(same(&events[i], &blocks[count].events[i]));
            describe(c, &events[i]);
        }
    }
    c->format->cursor_free(cursor);
}

/* Decodes up to `limit`; returns the number of blocks so far. */
static unsigned learn(struct tt_capture *c, struct tt_cursor *cursor, uint64_t limit, bool final,
                      struct block *blocks, unsigned count)
{
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE && count < BLOCKS) {
        struct block *block = &blocks[count];
        block->blob_size = c->format->cursor_save(cursor, block->blob, sizeof block->blob);
        require(block->blob_size <= sizeof block->blob);
        result = fuzz_decode(c, cursor, limit, final, FUZZ_BATCH, block->events, &block->count);
        require(result != TT_DECODE_MEMORY);
        count += block->count > 0;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct block blocks[BLOCKS];
    static const uint8_t magic[8] = {0x10, 0, 4, 0x46, 0x78, 0x54, 0x16, 0};
    if (size < 1) {
        return 0;
    }
    size_t length = size - 1 + sizeof magic;
    uint8_t *bytes = malloc(length);
    require(bytes != NULL);
    for (size_t i = 0; i < sizeof magic; i++) {
        bytes[i] = magic[data[0] & 1 ? 7 - i : i];
    }
    memcpy(bytes + sizeof magic, data + 1, size - 1);
    struct tt_capture *c;
    struct tt_capture_options options = {.definitions = (data[0] & 2) != 0};
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, length), &c);
    require(!tt_failed(&status));
    status = tt_capture_open(c, "fuzz.fxt", &options);
    require(!tt_failed(&status));
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    require(cursor != NULL);
    unsigned count = 0;
    if (data[0] & 4) {
        for (uint64_t limit = 0; limit < length; limit += 1 + length / 8) {
            count = learn(c, cursor, limit, false, blocks, count);
        }
    }
    count = learn(c, cursor, length, true, blocks, count);
    c->format->cursor_free(cursor);
    decode_again(c, blocks, count);
    tt_capture_free(c);
    free(bytes);
    return 0;
}
