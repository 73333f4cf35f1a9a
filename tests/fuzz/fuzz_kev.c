/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the slots of a QNX capture. The first byte selects the byte order, the release and
 * the growth of the file; the rest follows a header.
 *
 * The bytes are in memory of exactly their size, so that a sanitizer detects a read past their end.
 * A cursor that does not learn must decode the same events as a learning cursor, block by block and
 * backwards; every event must have a description, with arguments inside its bytes, and be printable
 * in both styles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_decode.h"
#include "fuzz_decode.h"
#include "style/style.h"
#include "trace/timeline/timeline.h"
#include "tracetui/event_line.h"

#define BLOCKS 1024
#define BLOB   (64 * 1024)

struct block {
    uint8_t *blob;
    size_t blob_size;
    uint32_t count;
    struct tt_event events[FUZZ_BATCH];
};

static void describe(const struct tt_capture *c, const struct tt_event *event)
{
    static struct tt_args args;
    struct tt_part parts[4];
    uint32_t count = c->format->parts(c, event, c->bytes.size, parts, 4);
    fuzz_check_event(c, event);
    require(count >= 1 && parts[0].offset == event->pos);
    require(c->format->describe(c, event, c->bytes.size, &args));
    for (unsigned i = 0; i < args.count; i++) {
        require((uint64_t)args.v[i].raw_offset + args.v[i].raw_length <= 8 * (uint64_t)count);
    }
}

/* Without actions another loop decodes: it must find the same events and end at the same place. */
static void decode_bare(struct tt_capture *c, struct tt_cursor *cursor, const struct block *block,
                        const struct tt_event *events)
{
    struct tt_event bare[FUZZ_BATCH];
    struct tt_batch batch = {.events = bare, .capacity = block->count};
    uint64_t pos = c->format->cursor_pos(cursor);
    c->format->cursor_load(cursor, block->blob, block->blob_size);
    c->format->decode(cursor, c->bytes.size, true, &batch);
    require(batch.count == block->count && c->format->cursor_pos(cursor) == pos);
    require(memcmp(bare, events, block->count * sizeof *events) == 0);
}

static void decode_again(struct tt_capture *c, struct block *blocks, unsigned count)
{
    struct tt_event events[FUZZ_BATCH];
    struct tt_cursor *cursor = c->format->cursor_new(c, false);
    require(cursor != NULL);
    for (unsigned i = count; i-- > 0;) {
        uint32_t seen = 0;
        c->format->cursor_load(cursor, blocks[i].blob, blocks[i].blob_size);
        /* As many as the block had: later events may be complete by now. */
        if (blocks[i].count > 0) {
            fuzz_decode(c, cursor, c->bytes.size, true, blocks[i].count, events, &seen);
        }
        require(seen == blocks[i].count);
        if (seen > 0) {
            decode_bare(c, cursor, &blocks[i], events);
        }
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

static bool swallow(void *arg, const char *bytes, size_t length)
{
    (void)arg;
    for (size_t i = 0; i < length; i++) {
        require(bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] != 0x7f) || bytes[i] < 0);
    }
    return true;
}

static struct tt_capture *open_slots(const uint8_t *data, size_t size, uint8_t **copy)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    struct tt_capture_options options = {0};
    struct tt_capture *c = NULL;
    char header[192];
    int written = snprintf(header, sizeof header,
                           "TRACE_HEADER_BEGIN::TRACE_CPU_NUM::4TRACE_CYCLES_PER_SEC::1000000"
                           "TRACE_%s_ENDIAN::TRUETRACE_SYS_RELEASE::%sTRACE_HEADER_END::",
                           data[0] & 1 ? "BIG" : "LITTLE", releases[data[0] >> 1 & 3]);
    require(written > 0 && (size_t)written < sizeof header);
    size_t length = (size_t)written;
    *copy = malloc(length + size - 1);
    require(*copy != NULL);
    memcpy(*copy, header, length);
    memcpy(*copy + length, data + 1, size - 1);
    struct tt_status status = tt_capture_new(tt_bytes_of(*copy, length + size - 1), &c);
    require(status.code == TT_OK);
    status = tt_capture_open(c, "x.kev", &options);
    require(status.code == TT_OK);
    return c;
}

/* Learns the whole file, in pieces if it grows; returns the number of blocks. */
static unsigned learn(struct tt_capture *c, size_t piece, struct block *blocks)
{
    static uint8_t blob[BLOB];
    struct tt_event events[FUZZ_BATCH];
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    require(cursor != NULL);
    uint64_t limit = piece > 0 ? 0 : c->bytes.size;
    unsigned count = 0;
    for (;;) {
        struct block *block = count < BLOCKS ? &blocks[count] : NULL;
        if (block) {
            block->blob_size = c->format->cursor_save(cursor, blob, sizeof blob);
            require(block->blob_size <= sizeof blob);
            block->blob = malloc(block->blob_size);
            require(block->blob != NULL);
            memcpy(block->blob, blob, block->blob_size);
            count++;
        }
        uint32_t seen = 0;
        bool final = limit >= c->bytes.size;
        memset(events, 0, sizeof events);
        enum tt_decode_result result =
            fuzz_decode(c, cursor, limit, final, FUZZ_BATCH, events, &seen);
        for (uint32_t i = 0; i < seen; i++) {
            describe(c, &events[i]);
        }
        if (block) {
            block->count = seen;
            memcpy(block->events, events, sizeof events);
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

/* As the index asks; `quick`: a stretch at a time. */
static struct tt_cursor *begin_index(const uint8_t *data, size_t size, bool quick, uint8_t **copy,
                                     struct tt_capture **c)
{
    *c = open_slots(data, size, copy);
    struct tt_cursor *cursor = (*c)->format->cursor_new(*c, true);
    require(cursor != NULL);
    cursor->fast = quick;
    return cursor;
}

/* The index decodes a stretch of slots at a time where it can: to what it gets slot by slot. */
static void index_both_ways(const uint8_t *data, size_t size)
{
    static struct tt_event events[2][FUZZ_BATCH];
    static struct tt_action actions[2][FUZZ_ACTIONS];
    struct tt_capture *c[2];
    struct tt_cursor *cursors[2];
    struct tt_batch batches[2];
    uint8_t *copies[2];
    enum tt_decode_result results[2] = {TT_DECODE_MORE, TT_DECODE_MORE};
    for (unsigned i = 0; i < 2; i++) {
        cursors[i] = begin_index(data, size, i == 0, &copies[i], &c[i]);
    }
    while (results[0] == TT_DECODE_MORE) {
        for (unsigned i = 0; i < 2; i++) {
            batches[i] = (struct tt_batch){.events = events[i],
                                           .capacity = FUZZ_BATCH,
                                           .actions = actions[i],
                                           .action_capacity = FUZZ_ACTIONS,
                                           .unwanted = ~tt_timelines_kinds()};
            results[i] = c[i]->format->decode(cursors[i], c[i]->bytes.size, true, &batches[i]);
        }
        require(results[0] == results[1] && batches[0].count == batches[1].count &&
                batches[0].action_count == batches[1].action_count);
        require(memcmp(events[0], events[1], batches[0].count * sizeof events[0][0]) == 0);
        require(memcmp(actions[0], actions[1], batches[0].action_count * sizeof actions[0][0]) ==
                0);
    }
    require(tt_thread_count(c[0]) == tt_thread_count(c[1]) &&
            tt_process_count(c[0]) == tt_process_count(c[1]) &&
            tt_health_kept(c[0]) == tt_health_kept(c[1]));
    for (unsigned i = 0; i < 2; i++) {
        c[i]->format->cursor_free(cursors[i]);
        tt_capture_free(c[i]);
        free(copies[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct block blocks[BLOCKS];
    if (size < 1) {
        return 0;
    }
    uint8_t *copy = NULL;
    struct tt_capture *c = open_slots(data, size, &copy);
    size_t piece = data[0] >> 3;
    unsigned count = learn(c, piece * piece, blocks);
    decode_again(c, blocks, count);
    struct tt_sink sink = {.write = swallow};
    tt_style_find(c->format, "traceprinter")->print(c, &sink, NULL, NULL);
    tt_style_find(c->format, "traceprinter7")->print(c, &sink, NULL, NULL);
    for (unsigned i = 0; i < count; i++) {
        free(blocks[i].blob);
    }
    tt_capture_free(c);
    free(copy);
    index_both_ways(data, size);
    return 0;
}
