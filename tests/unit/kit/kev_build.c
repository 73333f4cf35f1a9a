/* SPDX-License-Identifier: Apache-2.0 */
#include "kev_build.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_of.h"
#include "style/style.h"
#include "tracetui/event_line.h"

/* ---- writing ------------------------------------------------------------------------------ */

void kev_build_empty(struct kev_build *b, bool big)
{
    memset(b, 0, sizeof *b);
    b->big = big;
}

void kev_build_free(struct kev_build *b)
{
    free(b->bytes);
    memset(b, 0, sizeof *b);
}

void kev_build_bytes(struct kev_build *b, const void *bytes, size_t size)
{
    if (b->capacity - b->size < size) {
        b->capacity = 2 * (b->capacity + size) + 4096;
        b->bytes = realloc(b->bytes, b->capacity);
        cr_assert_not_null(b->bytes);
    }
    if (size > 0) {
        memcpy(b->bytes + b->size, bytes, size);
    }
    b->size += size;
}

void kev_build_text(struct kev_build *b, const char *text)
{
    kev_build_bytes(b, text, strlen(text));
}

void kev_build_slots_begin(struct kev_build *b)
{
    b->slots = b->size;
}

void kev_build_begin(struct kev_build *b, const char *release, bool big)
{
    kev_build_empty(b, big);
    kev_build_text(b, "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::test.kevTRACE_VER_MAJOR::1"
                      "TRACE_VER_MINOR::01");
    kev_build_text(b, big ? "TRACE_BIG_ENDIAN::TRUE" : "TRACE_LITTLE_ENDIAN::TRUE");
    kev_build_text(b, "TRACE_ENCODING::16 byte eventsTRACE_CYCLES_PER_SEC::736629000"
                      "TRACE_CPU_NUM::4TRACE_SYSNAME::QNXTRACE_SYS_RELEASE::");
    kev_build_text(b, release);
    kev_build_text(b, "TRACE_SYSPAGE_LEN::0TRACE_HEADER_END::");
    kev_build_slots_begin(b);
}

static void put_word(const struct kev_build *b, uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(word >> 8 * (b->big ? 3 - i : i));
    }
}

void kev_build_slot(struct kev_build *b, unsigned cpu, unsigned structure, unsigned class_,
                    unsigned event, uint32_t stamp, uint32_t first, uint32_t second)
{
    uint8_t slot[16];
    put_word(b, slot, structure << 30 | cpu << 24 | class_ << 10 | event);
    put_word(b, slot + 4, stamp);
    put_word(b, slot + 8, first);
    put_word(b, slot + 12, second);
    kev_build_bytes(b, slot, sizeof slot);
}

void kev_build_words(struct kev_build *b, unsigned cpu, unsigned class_, unsigned event,
                     uint32_t stamp, const uint32_t *words, size_t count)
{
    size_t slots = count <= 2 ? 1 : (count + 1) / 2;
    for (size_t i = 0; i < slots; i++) {
        unsigned structure = slots == 1       ? KB_SIMPLE
                             : i == 0         ? KB_BEGIN
                             : i + 1 == slots ? KB_END
                                              : KB_MIDDLE;
        uint32_t first = 2 * i < count ? words[2 * i] : 0;
        uint32_t second = 2 * i + 1 < count ? words[2 * i + 1] : 0;
        kev_build_slot(b, cpu, structure, class_, event, stamp, first, second);
    }
}

void kev_build_event(struct kev_build *b, unsigned cpu, unsigned class_, unsigned event,
                     uint32_t stamp, size_t count, ...)
{
    uint32_t words[64];
    cr_assert_leq(count, 64);
    va_list list;
    va_start(list, count);
    for (size_t i = 0; i < count; i++) {
        words[i] = va_arg(list, uint32_t);
    }
    va_end(list);
    kev_build_words(b, cpu, class_, event, stamp, words, count);
}

size_t kev_build_text_words(const struct kev_build *b, const char *text, uint32_t *words,
                            size_t max)
{
    size_t length = strlen(text) + 1;
    size_t count = (length + 3) / 4;
    cr_assert_leq(count, max);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {0};
        size_t left = length - 4 * i;
        memcpy(bytes, text + 4 * i, left < 4 ? left : 4);
        words[i] = b->big ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
                                (uint32_t)bytes[2] << 8 | bytes[3]
                          : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
                                (uint32_t)bytes[1] << 8 | bytes[0];
    }
    return count;
}

void kev_build_named(struct kev_build *b, unsigned cpu, unsigned event, uint32_t stamp,
                     uint32_t first, uint32_t second, const char *name)
{
    uint32_t words[128] = {first, second};
    size_t count = 2 + kev_build_text_words(b, name, words + 2, 126);
    kev_build_words(b, cpu, KB_THREAD, event, stamp, words, count);
}

void kev_build_time(struct kev_build *b, unsigned cpu, uint32_t stamp, uint32_t msb)
{
    kev_build_slot(b, cpu, KB_SIMPLE, KB_CONTROL, 1, stamp, msb, stamp);
}

void kev_build_buffer(struct kev_build *b, unsigned cpu, uint32_t stamp, uint32_t sequence,
                      uint32_t slots)
{
    kev_build_slot(b, cpu, KB_SIMPLE, KB_CONTROL, 2, stamp, sequence, slots);
}

/* ---- reading back ------------------------------------------------------------------------- */

#define BATCH 64u

static void decode_all(struct kev_read *r)
{
    const struct tt_format *format = r->capture->format;
    struct tt_cursor *cursor = format->cursor_new(r->capture, true);
    cr_assert_not_null(cursor);
    uint32_t event_room = 0;
    uint32_t action_room = 0;
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE) {
        if (event_room - r->event_count < BATCH) {
            event_room = 2 * event_room + BATCH;
            r->events = realloc(r->events, event_room * sizeof *r->events);
            cr_assert_not_null(r->events);
        }
        if (action_room - r->action_count < BATCH + TT_ACTIONS_PER_EVENT) {
            action_room = 2 * action_room + BATCH + TT_ACTIONS_PER_EVENT;
            r->actions = realloc(r->actions, action_room * sizeof *r->actions);
            cr_assert_not_null(r->actions);
        }
        struct tt_batch batch = {.events = r->events + r->event_count,
                                 .capacity = BATCH,
                                 .actions = r->actions + r->action_count,
                                 .action_capacity = BATCH + TT_ACTIONS_PER_EVENT,
                                 .unwanted = NOTES};
        result = format->decode(cursor, r->capture->bytes.size, true, &batch);
        for (uint32_t i = 0; i < batch.action_count; i++) {
            cr_assert_lt(event_of(&batch.actions[i], batch.events, batch.count), batch.count);
        }
        r->event_count += batch.count;
        r->action_count += batch.action_count;
        r->records += batch.records;
    }
    cr_assert_eq(result, TT_DECODE_END);
    format->cursor_free(cursor);
}

struct kev_read kev_read_capture(struct tt_capture *capture)
{
    struct kev_read r = {.capture = capture};
    decode_all(&r);
    return r;
}

struct kev_read kev_read_bytes(const uint8_t *bytes, size_t size, const char *names_path)
{
    struct kev_read r;
    memset(&r, 0, sizeof r);
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &r.capture);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    struct tt_capture_options options = {.names_path = names_path};
    status = tt_capture_open(r.capture, "test.kev", &options);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    decode_all(&r);
    return r;
}

struct kev_read kev_read_all(const struct kev_build *b)
{
    return kev_read_bytes(b->bytes, b->size, NULL);
}

struct tt_status kev_read_status(const struct kev_build *b)
{
    struct tt_capture *capture = NULL;
    struct tt_status status = tt_capture_new(tt_bytes_of(b->bytes, b->size), &capture);
    cr_assert_eq(status.code, TT_OK);
    struct tt_capture_options options = {0};
    status = tt_capture_open(capture, "test.kev", &options);
    tt_capture_free(capture);
    return status;
}

void kev_read_free(struct kev_read *r)
{
    tt_capture_free(r->capture);
    free(r->events);
    free(r->actions);
    memset(r, 0, sizeof *r);
}

const char *kev_read_name(const struct kev_read *r, uint32_t event)
{
    cr_assert_lt(event, r->event_count);
    return tt_types_at(r->capture, r->events[event].type)->name;
}

const char *kev_read_class(const struct kev_read *r, uint32_t event)
{
    cr_assert_lt(event, r->event_count);
    return tt_types_at(r->capture, r->events[event].type)->class_name;
}

const char *kev_read_args(const struct kev_read *r, uint32_t event)
{
    static struct tt_args args;
    static char buffer[16384];
    cr_assert_lt(event, r->event_count);
    cr_assert(
        r->capture->format->describe(r->capture, &r->events[event], r->capture->bytes.size, &args));
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    for (unsigned i = 0; i < args.count; i++) {
        const struct tt_arg *arg = &args.v[i];
        tt_text_str(&text, i > 0 ? " " : "");
        tt_text_str(&text, arg->hidden ? "[" : "");
        tt_text_escaped(&text, arg->name.data, arg->name.length);
        tt_text_char(&text, '=');
        tt_line_value(&text, arg);
        tt_text_str(&text, arg->hidden ? "]" : "");
    }
    return tt_text_cstr(&text);
}

const struct tt_action *kev_read_action(const struct kev_read *r, unsigned kind, unsigned n)
{
    for (uint32_t i = 0; i < r->action_count; i++) {
        if (r->actions[i].kind == kind && n-- == 0) {
            return &r->actions[i];
        }
    }
    return NULL;
}

unsigned kev_read_action_count(const struct kev_read *r, unsigned kind)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < r->action_count; i++) {
        count += r->actions[i].kind == kind;
    }
    return count;
}

const char *kev_read_thread(const struct kev_read *r, uint32_t thread)
{
    static char text[48];
    if (thread == TT_NO_THREAD) {
        return "-";
    }
    const struct tt_thread *lane = tt_thread_at(r->capture, thread);
    const struct tt_process *process = tt_process_at(r->capture, lane->process);
    snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)process->pid,
             (unsigned long long)lane->tid);
    return text;
}

struct output {
    char *bytes;
    size_t used;
    size_t capacity;
};

static bool collect(void *arg, const char *bytes, size_t length)
{
    struct output *out = arg;
    if (out->capacity - out->used <= length) {
        out->capacity = 2 * (out->capacity + length) + 1;
        out->bytes = realloc(out->bytes, out->capacity);
        cr_assert_not_null(out->bytes);
    }
    memcpy(out->bytes + out->used, bytes, length);
    out->used += length;
    out->bytes[out->used] = '\0';
    return true;
}

char *kev_read_style(const struct kev_read *r, const char *style)
{
    struct output out = {0};
    const struct tt_style *found = tt_style_find(r->capture->format, style);
    cr_assert_not_null(found, "no style %s", style);
    struct tt_sink sink = {.write = collect, .arg = &out};
    struct tt_status status = found->print(r->capture, &sink, NULL, NULL);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_not_null(out.bytes);
    return out.bytes;
}
