/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a BTrace stream, also where the probe refuses them. The first byte selects by how much
 * the file grows between two reads (0: not at all).
 *
 * A second cursor decodes every block again from its saved state and must find the same events; a
 * growing file must give the same events as the whole.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_decode.h"
#include "tracetui/event_line.h"

extern const struct tt_format tt_format_btrace;

enum { BATCH = 61, ACTIONS = BATCH + TT_ACTIONS_PER_EVENT, BLOB = 65536 };

static const struct tt_format *const format = &tt_format_btrace;

static void print_all(const struct tt_capture *c, const struct tt_batch *batch, uint64_t limit)
{
    static struct tt_args args;
    char buffer[2048];
    struct tt_part parts[8];
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tt_event *event = &batch->events[i];
        fuzz_check_event(c, event);
        require(format->describe(c, event, limit, &args));
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_line_event(&text, c, event, &args, 0);
        uint32_t count = format->parts(c, event, limit, parts, 8);
        for (uint32_t p = 0; p < count && p < 8; p++) {
            require(parts[p].offset + parts[p].length <= limit);
            require(parts[p].header <= parts[p].length);
        }
    }
}

static void read_again(struct tt_cursor *cursor, const void *blob, size_t blob_size, uint64_t limit,
                       const struct tt_batch *first)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    struct tt_batch again = {
        .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
    format->cursor_load(cursor, blob, blob_size);
    format->decode(cursor, limit, true, &again);
    require(again.count == first->count && again.action_count == first->action_count);
    require(memcmp(events, first->events, first->count * sizeof *events) == 0);
    require(memcmp(actions, first->actions, first->action_count * sizeof *actions) == 0);
}

/*
 * Reads all of it, growing by `step` bytes at a time; returns the number of events. *guessed: damage may have been
 * taken for records at the end of the bytes.
 */
static uint64_t read_growing(struct tt_bytes bytes, uint64_t step, bool *guessed)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    static uint8_t blob[BLOB];
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(bytes, &c);
    require(!tt_failed(&status));
    status = format->open(c, NULL);
    require(!tt_failed(&status));
    c->format = format;
    struct tt_cursor *learner = format->cursor_new(c, true);
    struct tt_cursor *second = format->cursor_new(c, false);
    require(learner && second);
    struct tt_batch batch = {
        .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
    uint64_t total = 0, limit = step < bytes.size ? step : bytes.size;
    for (;;) {
        bool final = limit == bytes.size;
        size_t blob_size = format->cursor_save(learner, blob, BLOB);
        require(blob_size <= BLOB);
        batch.count = batch.action_count = 0;
        enum tt_decode_result result = format->decode(learner, limit, final, &batch);
        require(result != TT_DECODE_MEMORY);
        total += batch.count;
        fuzz_check_batch(c, format, &batch);
        print_all(c, &batch, limit);
        if (step > bytes.size) {
            read_again(second, blob, blob_size, limit, &batch);
        }
        if (result == TT_DECODE_END) {
            if (final) {
                break;
            }
            limit = bytes.size - limit < step ? bytes.size : limit + step;
        }
    }
    require(format->cursor_pos(learner) == bytes.size);
    *guessed = c->guessed;
    format->cursor_free(learner);
    format->cursor_free(second);
    tt_capture_free(c);
    return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    /* A separate block, so that reads past its end are detected. */
    uint8_t *copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    struct tt_bytes bytes = tt_bytes_of(copy, size - 1);
    format->probe(bytes, bytes.size);
    bool guessed;
    uint64_t events = read_growing(bytes, bytes.size + 1, &guessed);
    require(!guessed);
    if (data[0] != 0) {
        uint64_t grown = read_growing(bytes, (uint64_t)data[0] * 4, &guessed);
        require(guessed || grown == events);
    }
    free(copy);
    return 0;
}
