/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a ThreadX trace buffer. The first byte selects a valid header of a byte order and a
 * width of ULONG, which is put before the rest (registry and ring), or no header.
 *
 * A cursor that does not learn must decode the same events as a learning cursor, block by block;
 * every event must have a description, with bytes inside the file.
 */
#include "format/trx/trx_internal.h"
#include "fuzz_decode.h"

extern const struct tt_format tt_format_trx;

enum { BATCH = 16, ACTIONS = BATCH + TT_ACTIONS_PER_EVENT, BLOB = 65536 };

static const struct tt_format *const format = &tt_format_trx;

static void put(uint8_t *at, uint64_t value, size_t width, int big)
{
    for (size_t i = 0; i < width; i++) {
        at[big ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
    }
}

/*
 * Id, timer mask, base, registry start, size of names, registry end; start, end and oldest entry of
 * the ring.
 */
static size_t write_header(uint8_t *bytes, uint8_t how, size_t body)
{
    int big = how & 1;
    size_t width = how & 2 ? 8 : 4, header = 12 * width, entry = 8 * width;
    size_t registry = (size_t)(how >> 3 & 7) * (4 * width + 32);
    size_t entries = body > registry ? (body - registry) / entry : 0;
    uint64_t base = 0x20000, start = base + header + registry;
    const uint64_t words[9] = {0x54585442,
                               how & 4 ? 0xffffff : 0xffffffff,
                               base,
                               base + header,
                               0,
                               start,
                               start,
                               start + entries * entry,
                               start + entries / 2 * entry};
    memset(bytes, 0, header);
    for (size_t i = 0; i < 9; i++) {
        put(bytes + i * width, words[i], width, big);
    }
    put(bytes + 4 * width + 2, 32, 2, big);
    return header;
}

static void print_all(const struct tt_capture *c, const struct tt_batch *batch)
{
    static struct tt_args args;
    struct tt_part parts[4];
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tt_event *event = &batch->events[i];
        fuzz_check_event(c, event);
        require(format->describe(c, event, c->bytes.size, &args));
        uint32_t count = tt_capture_parts(c, event, c->bytes.size, parts, 4);
        for (uint32_t p = 0; p < count && p < 4; p++) {
            require(parts[p].offset + parts[p].length <= c->bytes.size);
        }
    }
}

static void read_again(struct tt_cursor *cursor, const void *blob, size_t blob_size,
                       const struct tt_batch *first, uint64_t limit)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    struct tt_batch again = {
        .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
    format->cursor_load(cursor, blob, blob_size);
    format->decode(cursor, limit, true, &again);
    require(again.count == first->count && again.action_count == first->action_count);
    require(memcmp(events, first->events, first->count * sizeof *events) == 0);
}

static void read_all(struct tt_capture *c)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    static uint8_t blob[BLOB];
    struct tt_cursor *learner = format->cursor_new(c, true);
    struct tt_cursor *second = format->cursor_new(c, false);
    require(learner && second);
    struct tt_batch batch = {
        .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
    enum tt_decode_result result;
    do {
        size_t blob_size = format->cursor_save(learner, blob, BLOB);
        require(blob_size <= BLOB);
        batch.count = batch.action_count = 0;
        result = format->decode(learner, c->bytes.size, true, &batch);
        require(result != TT_DECODE_MEMORY);
        fuzz_check_batch(c, format, &batch);
        print_all(c, &batch);
        read_again(second, blob, blob_size, &batch, c->bytes.size);
    } while (result == TT_DECODE_MORE);
    format->cursor_free(learner);
    format->cursor_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t header[128];
    if (size < 1) {
        return 0;
    }
    size_t length = data[0] & 0x80 ? 0 : write_header(header, data[0], size - 1);
    uint8_t *bytes = malloc(length + size);
    require(bytes != NULL);
    memcpy(bytes, header, length);
    memcpy(bytes + length, data + 1, size - 1);
    bytes = realloc(bytes, length + size - 1 > 0 ? length + size - 1 : 1);
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, length + size - 1), &c);
    require(!tt_failed(&status));
    format->probe(c->bytes, c->bytes.size);
    status = format->open(c, NULL);
    if (!tt_failed(&status)) {
        c->format = format;
        read_all(c);
    }
    tt_capture_free(c);
    free(bytes);
    return 0;
}
