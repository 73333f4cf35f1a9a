/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_format.h"

#include <criterion/criterion.h>
#include <stdlib.h>

struct tt_cursor {
    struct tt_capture *capture;
    uint64_t pos;
    bool learn;
};

static struct tt_cursor *fake_cursor_new(struct tt_capture *c, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->capture = c;
        cursor->learn = learn;
    }
    return cursor;
}

static size_t fake_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->pos) {
        memcpy(blob, &cursor->pos, sizeof cursor->pos);
    }
    return sizeof cursor->pos;
}

static void fake_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    cr_assert_eq(size, sizeof cursor->pos);
    memcpy(&cursor->pos, blob, sizeof cursor->pos);
}

static uint64_t fake_cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->pos;
}

static void put_event(struct tt_batch *batch, const struct fake_record *r, uint64_t pos,
                      unsigned flags)
{
    struct tt_event *e = &batch->events[batch->count++];
    memset(e, 0, sizeof *e);
    e->ticks = r->ticks;
    e->pos = pos;
    e->thread = TT_NO_THREAD;
    e->cpu = (uint16_t)((r->flags >> 16) - 1); /* 0 gives TT_NO_CPU */
    e->length = flags ? 0 : (uint32_t)sizeof *r;
    e->flags = (uint8_t)flags;
}

_Atomic unsigned long fake_decodes;

static enum tt_decode_result fake_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                         struct tt_batch *batch)
{
    (void) final;
    fake_decodes++;
    while (limit - cursor->pos >= sizeof(struct fake_record)) {
        struct fake_record r;
        memcpy(&r, cursor->capture->bytes.data + cursor->pos, sizeof r);
        if (batch->capacity - batch->count < 1 + (r.flags & 1)) {
            return TT_DECODE_MORE;
        }
        if (cursor->learn && tt_types_count(cursor->capture) == 0) {
            tt_types_add(cursor->capture, "FAKE", "RECORD", 0, TT_KIND_EVENT);
        }
        put_event(batch, &r, cursor->pos, 0);
        if (r.flags & 1) {
            put_event(batch, &r, cursor->pos + 1, TT_EVENT_DERIVED);
        }
        batch->records++;
        cursor->pos += sizeof r;
    }
    return TT_DECODE_END;
}

const struct tt_format fake_format = {
    .name = "fake",
    .title = "fake",
    .extensions = ".fake",
    .cursor_new = fake_cursor_new,
    .cursor_save = fake_cursor_save,
    .cursor_load = fake_cursor_load,
    .cursor_pos = fake_cursor_pos,
    .decode = fake_decode,
};

struct tt_trace *fake_trace(const struct fake_record *records, size_t count)
{
    struct tt_trace *trace = calloc(1, sizeof *trace);
    cr_assert(trace);
    struct tt_bytes bytes = tt_bytes_of(records, count * sizeof *records);
    struct tt_status status = tt_capture_new(bytes, &trace->capture);
    cr_assert(!tt_failed(&status));
    trace->capture->format = &fake_format;
    status = tt_index_init(&trace->index, trace->capture, NULL);
    cr_assert(!tt_failed(&status));
    trace->has_index = true;
    return trace;
}
