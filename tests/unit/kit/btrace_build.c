/* SPDX-License-Identifier: Apache-2.0 */
#include "btrace_build.h"
#include "same_action.h"

#include <stdlib.h>
#include <string.h>

#include "event_of.h"

/* ---- writing ---------------------------------------------------------------------------- */

void stream_bytes(struct stream *s, const void *bytes, size_t length)
{
    if (s->size + length > s->capacity) {
        s->capacity = (s->size + length) * 2;
        s->bytes = realloc(s->bytes, s->capacity);
        cr_assert_not_null(s->bytes);
    }
    if (length > 0) {
        memcpy(s->bytes + s->size, bytes, length);
    }
    s->size += length;
}

static void put32(struct stream *s, uint32_t v)
{
    uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    stream_bytes(s, b, 4);
}

uint64_t stream_record(struct stream *s, const struct rec *r)
{
    uint64_t pos = s->size;
    uint8_t head[4] = {0, r->flags, r->category, r->sub};
    stream_bytes(s, head, 4);
    const uint32_t words[6] = {r->header2, r->ts, r->ts2, r->context, r->pc, r->extra};
    for (unsigned i = 0; i < 6; i++) {
        if (r->flags >> i & 1) {
            put32(s, words[i]);
        }
    }
    stream_bytes(s, r->data, r->length);
    cr_assert_leq(s->size - pos, 255);
    s->bytes[pos] = (uint8_t)(s->size - pos);
    while (s->size % 4 != 0) {
        stream_bytes(s, "\xcc", 1);
    }
    return pos;
}

uint64_t stream_words(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts,
                      const uint32_t *words, unsigned count)
{
    struct stream data = {0};
    for (unsigned i = 0; i < count; i++) {
        put32(&data, words[i]);
    }
    uint64_t pos = stream_record(s, &(struct rec){.flags = TS,
                                                  .category = category,
                                                  .sub = sub,
                                                  .ts = ts,
                                                  .data = data.bytes,
                                                  .length = data.size});
    stream_free(&data);
    return pos;
}

uint64_t stream_name(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts, uint32_t a,
                     uint32_t b, const char *name)
{
    struct stream data = {0};
    put32(&data, a);
    put32(&data, b);
    stream_bytes(&data, name, strlen(name));
    uint64_t pos = stream_record(s, &(struct rec){.flags = TS,
                                                  .category = category,
                                                  .sub = sub,
                                                  .ts = ts,
                                                  .data = data.bytes,
                                                  .length = data.size});
    stream_free(&data);
    return pos;
}

uint64_t stream_switch(struct stream *s, uint32_t ts, uint32_t nthread)
{
    return stream_record(
        s, &(struct rec){.flags = TS | CTX, .category = 4, .sub = 6, .ts = ts, .context = nthread});
}

uint64_t stream_smp(struct stream *s, uint16_t cpu, uint8_t sub, uint64_t ts, uint32_t word)
{
    uint8_t vector[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                         (uint8_t)(word >> 24)};
    struct rec r = {.flags = H2 | TS | TS2,
                    .category = 4,
                    .sub = sub,
                    .header2 = (uint32_t)cpu << 20,
                    .ts = (uint32_t)ts,
                    .ts2 = (uint32_t)(ts >> 32)};
    if (sub == 6) {
        r.flags |= CTX;
        r.context = word;
    } else if (sub == 0) {
        r.data = vector;
        r.length = 4;
    }
    return stream_record(s, &r);
}

uint64_t stream_part(struct stream *s, unsigned what, uint8_t category, uint8_t sub, uint32_t ts,
                     uint32_t id, uint32_t n, uint32_t second, const void *bytes, size_t length)
{
    struct stream data = {0};
    put32(&data, n);
    put32(&data, second);
    stream_bytes(&data, bytes, length);
    uint64_t pos = stream_record(s, &(struct rec){.flags = H2 | TS | EXTRA,
                                                  .category = category,
                                                  .sub = sub,
                                                  .header2 = what,
                                                  .ts = ts,
                                                  .extra = id,
                                                  .data = data.bytes,
                                                  .length = data.size});
    stream_free(&data);
    return pos;
}

uint64_t stream_parts(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts, uint32_t id,
                      uint32_t a, const void *data, uint32_t length)
{
    const uint8_t *d = data;
    uint64_t pos = stream_part(s, 1, category, sub, ts, id, length, a, d, 80);
    for (uint32_t at = 80; at < length;) {
        uint32_t left = length - at, take = left > 80 ? 80 : left;
        stream_part(s, left > 80 ? 2 : 3, category, sub, ++ts, id, length, at, d + at, take);
        at += take;
    }
    return pos;
}

void stream_free(struct stream *s)
{
    free(s->bytes);
    memset(s, 0, sizeof *s);
}

/* ---- reading ---------------------------------------------------------------------------- */

enum { BATCH = 37, BATCH_ACTIONS = BATCH + TT_ACTIONS_PER_EVENT * 2, BLOB = 16384 };

static void append_batch(struct reading *r, const struct tt_batch *batch)
{
    uint32_t before = r->count;
    if (before + batch->count >= r->event_room) {
        r->event_room = 2 * (before + BATCH);
        r->events = realloc(r->events, r->event_room * sizeof *r->events);
    }
    if (r->action_count + batch->action_count >= r->action_room) {
        r->action_room = 2 * (r->action_count + BATCH_ACTIONS);
        r->actions = realloc(r->actions, r->action_room * sizeof *r->actions);
    }
    cr_assert(r->events && r->actions);
    memcpy(r->events + before, batch->events, batch->count * sizeof *r->events);
    for (uint32_t i = 0; i < batch->action_count; i++) {
        cr_assert_lt(event_of(&batch->actions[i], batch->events, batch->count), batch->count);
        r->actions[r->action_count++] = batch->actions[i];
    }
    r->count += batch->count;
}

/* Decodes the block at `blob` again with a cursor that does not learn. */
static void expect_same(struct tt_cursor *cursor, const void *blob, size_t blob_size,
                        const struct tt_batch *first, uint64_t limit)
{
    struct tt_event events[BATCH];
    struct tt_action actions[BATCH_ACTIONS];
    struct tt_batch again = {.events = events,
                             .capacity = BATCH,
                             .actions = actions,
                             .action_capacity = BATCH_ACTIONS,
                             .unwanted = NOTES};
    tt_format_btrace.cursor_load(cursor, blob, blob_size);
    tt_format_btrace.decode(cursor, limit, true, &again);
    cr_assert_eq(again.count, first->count, "%u events, then %u", first->count, again.count);
    for (uint32_t i = 0; i < again.count; i++) {
        cr_assert_eq(memcmp(&events[i], &first->events[i], sizeof events[i]), 0,
                     "event at %llu is another the second time",
                     (unsigned long long)first->events[i].pos);
    }
    cr_assert_eq(again.action_count, first->action_count);
    for (uint32_t i = 0; i < again.action_count; i++) {
        cr_assert(same_action(&actions[i], &first->actions[i]));
    }
}

struct reading read_bytes(const void *bytes, size_t size)
{
    struct reading r = {0};
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &r.capture);
    cr_assert(!tt_failed(&status));
    const struct tt_capture_options options = {0};
    status = tt_format_btrace.open(r.capture, &options);
    cr_assert(!tt_failed(&status));
    r.capture->format = &tt_format_btrace;
    struct tt_event events[BATCH];
    struct tt_action actions[BATCH_ACTIONS];
    struct tt_batch batch = {.events = events,
                             .capacity = BATCH,
                             .actions = actions,
                             .action_capacity = BATCH_ACTIONS,
                             .unwanted = NOTES};
    struct tt_cursor *learner = tt_format_btrace.cursor_new(r.capture, true);
    struct tt_cursor *second = tt_format_btrace.cursor_new(r.capture, false);
    static _Thread_local uint8_t blob[BLOB];
    enum tt_decode_result result;
    do {
        size_t blob_size = tt_format_btrace.cursor_save(learner, blob, BLOB);
        cr_assert_leq(blob_size, BLOB);
        batch.count = batch.action_count = 0;
        result = tt_format_btrace.decode(learner, size, true, &batch);
        append_batch(&r, &batch);
        expect_same(second, blob, blob_size, &batch, size);
    } while (result == TT_DECODE_MORE);
    cr_assert_eq(result, TT_DECODE_END);
    r.records = batch.records;
    tt_format_btrace.cursor_free(learner);
    tt_format_btrace.cursor_free(second);
    return r;
}

struct reading read_stream(const struct stream *s)
{
    return read_bytes(s->bytes, s->size);
}

void reading_free(struct reading *r)
{
    tt_capture_free(r->capture);
    free(r->events);
    free(r->actions);
    memset(r, 0, sizeof *r);
}

/* ---- queries ---------------------------------------------------------------------------- */

const char *type_name(const struct reading *r, uint32_t event)
{
    return tt_types_at(r->capture, r->events[event].type)->name;
}

const char *class_name(const struct reading *r, uint32_t event)
{
    return tt_types_at(r->capture, r->events[event].type)->class_name;
}

const char *thread_name(const struct reading *r, uint32_t thread)
{
    if (thread == TT_NO_THREAD) {
        return "-";
    }
    return tt_capture_text(r->capture, tt_thread_at(r->capture, thread)->name, NULL);
}

const char *process_name_of(const struct reading *r, uint32_t thread)
{
    uint32_t process = tt_thread_at(r->capture, thread)->process;
    return tt_capture_text(r->capture, tt_process_at(r->capture, process)->name, NULL);
}

void describe(const struct reading *r, uint32_t event, struct tt_args *args)
{
    cr_assert(
        tt_format_btrace.describe(r->capture, &r->events[event], r->capture->bytes.size, args));
}

const char *args_line(const struct reading *r, uint32_t event)
{
    static _Thread_local char buffer[16384];
    static _Thread_local struct tt_args args;
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    describe(r, event, &args);
    tt_line_args(&text, &args);
    return tt_text_cstr(&text);
}

uint32_t action_total(const struct reading *r, enum tt_action_kind kind)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < r->action_count; i++) {
        total += r->actions[i].kind == kind;
    }
    return total;
}

const struct tt_action *action_at(const struct reading *r, enum tt_action_kind kind, uint32_t n)
{
    for (uint32_t i = 0; i < r->action_count; i++) {
        if (r->actions[i].kind == kind && n-- == 0) {
            return &r->actions[i];
        }
    }
    cr_assert_fail("there is no such action");
    return NULL;
}
