/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the text of traceprinter. The first byte selects how the file grows; the rest follows a header.
 *
 * The bytes are in memory of exactly their size. A growing file must give the events of the complete one, a
 * cursor that does not learn the same events block by block and backwards, and every event must have a description.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_decode.h"

#define BLOCKS 512
#define BLOB   (64 * 1024)

struct block {
    uint8_t *blob;
    size_t blob_size;
    uint32_t count;
    struct tt_event events[FUZZ_BATCH];
};

extern const struct tt_format tt_format_tpt;

static struct tt_capture *open_text(const uint8_t *data, size_t size, uint8_t **copy)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    struct tt_capture_options options = {.names_path = NULL};
    struct tt_capture *c = NULL;
    char header[160];
    int written =
        snprintf(header, sizeof header,
                 "TRACEPRINTER version 1.02\n TRACE_CPU_NUM:: 4\n TRACE_CYCLES_PER_SEC:: 1000000\n"
                 " TRACE_SYS_RELEASE:: %s\n",
                 releases[data[0] & 3]);
    require(written > 0 && (size_t)written < sizeof header);
    size_t length = data[0] & 4 ? 26 : (size_t)written; /* without a release: it is inferred */
    *copy = malloc(length + size - 1);
    require(*copy != NULL);
    memcpy(*copy, header, length);
    memcpy(*copy + length, data + 1, size - 1);
    struct tt_status status = tt_capture_new(tt_bytes_of(*copy, length + size - 1), &c);
    require(status.code == TT_OK);
    status = tt_capture_open(c, "x.txt", &options);
    require(status.code == TT_OK && c->format == &tt_format_tpt);
    return c;
}

static void describe(const struct tt_capture *c, const struct tt_event *event)
{
    static struct tt_args args;
    struct tt_part parts[2];
    struct tt_edge edges[TT_EDGES_PER_EVENT] = {{0}};
    struct tt_clue clue = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
    fuzz_check_event(c, event);
    require(c->format->parts(c, event, c->bytes.size, parts, 2) == 1);
    require(parts[0].offset == event->pos && parts[0].length == event->length);
    require(event->pos + event->length <= c->bytes.size);
    require(c->format->describe(c, event, c->bytes.size, &args));
    c->format->edges(c, event, c->bytes.size, edges);
    c->format->clue(c, event, c->bytes.size, true, &clue);
}

/* Learns the whole file, in pieces if it grows; returns the number of blocks. */
static unsigned learn(struct tt_capture *c, size_t piece, struct block *blocks)
{
    static uint8_t blob[BLOB];
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    require(cursor != NULL);
    uint64_t limit = piece > 0 && piece < c->bytes.size ? piece : c->bytes.size;
    unsigned count = 0;
    for (;;) {
        struct tt_event events[FUZZ_BATCH];
        struct block *block = count < BLOCKS ? &blocks[count] : NULL;
        const size_t size = c->format->cursor_save(cursor, blob, sizeof blob);
        require(size <= sizeof blob);
        uint32_t seen = 0;
        const bool final = limit >= c->bytes.size;
        memset(events, 0, sizeof events);
        enum tt_decode_result result =
            fuzz_decode(c, cursor, limit, final, FUZZ_BATCH, events, &seen);
        for (uint32_t i = 0; i < seen; i++) {
            describe(c, &events[i]);
        }
        if (block && seen > 0) {
            block->blob = malloc(size);
            require(block->blob != NULL);
            memcpy(block->blob, blob, size);
            block->blob_size = size;
            block->count = seen;
            memcpy(block->events, events, sizeof events);
            count++;
        }
        if (result == TT_DECODE_END) {
            if (final) {
                break;
            }
            limit = limit + piece < c->bytes.size ? limit + piece : c->bytes.size;
        }
    }
    c->format->cursor_free(cursor);
    return count;
}

static void decode_again(struct tt_capture *c, const struct block *blocks, unsigned count)
{
    struct tt_event events[FUZZ_BATCH];
    struct tt_cursor *cursor = c->format->cursor_new(c, false);
    require(cursor != NULL);
    for (unsigned i = count; i-- > 0;) {
        uint32_t seen = 0;
        c->format->cursor_load(cursor, blocks[i].blob, blocks[i].blob_size);
        memset(events, 0, sizeof events);
        fuzz_decode(c, cursor, c->bytes.size, true, blocks[i].count, events, &seen);
        require(seen == blocks[i].count);
        for (uint32_t k = 0; k < seen; k++) {
            if (c->lanes_by_time) { /* assigned by the merge of the rings */
                events[k].thread = blocks[i].events[k].thread;
                events[k].flags = blocks[i].events[k].flags;
            }
            require(memcmp(&events[k], &blocks[i].events[k], sizeof events[k]) == 0);
        }
    }
    c->format->cursor_free(cursor);
}

/* Returns a sum over the events of the whole text, in places and times. */
static uint64_t sum_of(struct tt_capture *c)
{
    struct tt_event events[FUZZ_BATCH];
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    enum tt_decode_result result = TT_DECODE_MORE;
    uint64_t sum = 0;
    require(cursor != NULL);
    while (result == TT_DECODE_MORE) {
        uint32_t seen = 0;
        result = fuzz_decode(c, cursor, c->bytes.size, true, FUZZ_BATCH, events, &seen);
        for (uint32_t i = 0; i < seen; i++) {
            sum = sum * 31 + events[i].pos * 7 + events[i].ticks + events[i].length;
        }
    }
    c->format->cursor_free(cursor);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct block blocks[BLOCKS];
    if (size < 1) {
        return 0;
    }
    uint8_t *copy = NULL, *other = NULL;
    struct tt_capture *c = open_text(data, size, &copy);
    const size_t piece = data[0] >> 3;
    const unsigned count = learn(c, piece * piece, blocks);
    decode_again(c, blocks, count);
    struct tt_capture *whole = open_text(data, size, &other);
    const uint64_t sum = sum_of(whole);
    require(piece > 0 || sum == sum_of(c));
    for (unsigned i = 0; i < count; i++) {
        free(blocks[i].blob);
        blocks[i].blob = NULL;
    }
    tt_capture_free(c);
    tt_capture_free(whole);
    free(copy);
    free(other);
    return 0;
}
