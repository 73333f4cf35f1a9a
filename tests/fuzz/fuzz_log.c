/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a log. The first byte selects how the file grows and what is beside it.
 *
 * The bytes are in memory of exactly their size. Every line that is not empty is an event with a description; a growing
 * file gives the events of the complete one, and a cursor that does not learn the same events block by block and backwards.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_decode.h"

#define BLOCKS 512
#define BLOB   256

struct block {
    uint8_t blob[BLOB];
    size_t blob_size;
    uint32_t count;
    struct tt_event events[FUZZ_BATCH];
};

static struct block blocks[BLOCKS];

static struct tt_capture *open_log(const uint8_t *data, size_t size, uint8_t **copy)
{
    static const struct tt_log_form forms[] = {
        {"own", "^(?<level>\\w+)@(?<time>[0-9.:]+) (?<process>\\S+)/(?<thread>\\S+) (?<text>.*)"}};
    const bool has_date = (data[0] & 1) != 0;
    struct tt_capture_options options = {.is_log = true,
                                         .has_log_date = has_date,
                                         .log_date = has_date ? 1737486742 : 0,
                                         .log_begin = has_date ? 1737486000 : 0,
                                         .log_forms = forms,
                                         .log_form_count = (data[0] & 2) != 0};
    struct tt_capture *c = NULL;
    *copy = malloc(size - 1);
    require(*copy != NULL);
    memcpy(*copy, data + 1, size - 1);
    require(tt_capture_new(tt_bytes_of(*copy, size - 1), &c).code == TT_OK);
    if (tt_capture_open(c, "x.log", &options).code != TT_OK) { /* no line has a time */
        tt_capture_free(c);
        free(*copy);
        return NULL;
    }
    return c;
}

static void describe(const struct tt_capture *c, const struct tt_event *event)
{
    static struct tt_args args;
    fuzz_check_event(c, event);
    require(event->thread != TT_NO_THREAD && event->ticks <= INT64_MAX);
    require(event->length > 0 && event->pos + event->length <= c->bytes.size);
    require(c->format->describe(c, event, c->bytes.size, &args));
    for (unsigned i = 0; i < args.count; i++) {
        require(args.v[i].raw_offset + args.v[i].raw_length <= event->length);
    }
}

/* Learns the whole file, in pieces if it grows; returns a sum over the events, and their number. */
static uint64_t learn(struct tt_capture *c, size_t piece, unsigned *kept, uint64_t *events)
{
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    require(cursor != NULL);
    uint64_t limit = piece > 0 && piece < c->bytes.size ? piece : c->bytes.size, sum = 0;
    enum tt_decode_result result = TT_DECODE_MORE;
    *kept = 0;
    *events = 0;
    while (result == TT_DECODE_MORE || limit < c->bytes.size) {
        struct block *block = &blocks[*kept < BLOCKS ? *kept : BLOCKS - 1];
        limit = result == TT_DECODE_END && c->bytes.size - limit > piece ? limit + piece
                : result == TT_DECODE_END                                ? c->bytes.size
                                                                         : limit;
        block->blob_size = c->format->cursor_save(cursor, block->blob, BLOB);
        require(block->blob_size <= BLOB);
        memset(block->events, 0, sizeof block->events);
        result = fuzz_decode(c, cursor, limit, limit == c->bytes.size, FUZZ_BATCH, block->events,
                             &block->count);
        for (uint32_t i = 0; i < block->count; i++) {
            const struct tt_event *event = &block->events[i];
            describe(c, event);
            sum = sum * 31 + event->pos * 7 + event->ticks + event->length + event->type * 5;
        }
        *events += block->count;
        *kept += block->count > 0 && *kept < BLOCKS - 1;
    }
    free(cursor);
    return sum;
}

static void decode_again(struct tt_capture *c, unsigned count)
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
        require(memcmp(events, blocks[i].events, seen * sizeof *events) == 0);
    }
    free(cursor);
}

/* Returns the number of lines that have a character besides those of their end. */
static uint64_t count_lines(const uint8_t *bytes, size_t size)
{
    uint64_t count = 0;
    bool has_any = false;
    for (size_t i = 0; i < size; i++) {
        has_any = has_any || (bytes[i] != '\n' && bytes[i] != '\r');
        if (bytes[i] == '\n' || i + 1 == size) {
            count += has_any;
            has_any = false;
        }
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    uint8_t *copy = NULL, *other = NULL;
    struct tt_capture *c = open_log(data, size, &copy);
    if (!c) {
        return 0;
    }
    const size_t piece = data[0] >> 2;
    unsigned count;
    uint64_t events, again;
    const uint64_t sum = learn(c, piece * piece, &count, &events);
    require(events == count_lines(data + 1, size - 1));
    decode_again(c, count);
    struct tt_capture *whole = open_log(data, size, &other);
    require(whole != NULL && learn(whole, 0, &count, &again) == sum && again == events);
    tt_capture_free(c);
    tt_capture_free(whole);
    free(copy);
    free(other);
    return 0;
}
