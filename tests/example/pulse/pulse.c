/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pulse: a minimal format, the example of docs/architecture.md. The tests build the program with
 * it: this directory, and one line in src/format/formats.c.
 *
 *       file    "PULSE 1\n" | u64 ticks per second | record, record, ...
 *       record  u64 ticks | u8 code | u8 cpu | u16 thread | u32 value      16 bytes, little-endian
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/format.h"

#define MAGIC         "PULSE 1\n"
#define HEADER_BYTES  16u
#define RECORD_BYTES  16u
#define THE_PROCESS   1u /* a kernel without processes: all threads are in one */
#define NOT_A_STATE   0u
#define STATE_RUNNING 1u
#define STATE_READY   2u
#define STATE_WAITING 3u

static const struct tt_state_info states[] = {
    {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    {.name = "RUNNING", .class_ = TT_CLASS_RUNNING},
    {.name = "READY", .class_ = TT_CLASS_READY},
    {.name = "WAITING", .class_ = TT_CLASS_WAIT},
};

/* The events: code, name, kind, state, argument. */
static const struct pulse_event {
    uint8_t code;
    const char *class_name;
    const char *name;
    uint8_t kind;         /* enum tt_kind */
    uint8_t state;        /* of the thread from this event on */
    const char *argument; /* meaning of `value`; NULL: unused */
} events[] = {
    {0, "THREAD", "RUN", TT_KIND_STATE, STATE_RUNNING, NULL},
    {1, "THREAD", "WAIT", TT_KIND_STATE, STATE_WAITING, "object"},
    {2, "THREAD", "READY", TT_KIND_STATE, STATE_READY, NULL},
    {3, "USER", "MARK", TT_KIND_USER, NOT_A_STATE, "value"},
};

#define EVENTS (sizeof events / sizeof *events)

struct tt_cursor {
    struct tt_capture *capture;
    uint64_t pos;
    bool learn;
};

static int probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    return tt_bytes_has(head, 0, HEADER_BYTES) && memcmp(head.data, MAGIC, 8) == 0 ? 100 : 0;
}

/* Types have the numbers of the table, with one more for unknown codes. */
static struct tt_status open_capture(struct tt_capture *c, const struct tt_capture_options *options)
{
    c->clock_hz = tt_load_u64(c->bytes.data + 8, false);
    if (c->clock_hz == 0 && options) {
        c->clock_hz = options->clock_hz;
    }
    c->origin_ticks = UINT64_MAX;
    for (size_t i = 0; i < EVENTS; i++) {
        tt_types_add(c, events[i].class_name, events[i].name, events[i].code, events[i].kind);
    }
    tt_types_add(c, "UNKNOWN", "code", 0, TT_KIND_EVENT);
    return tt_types_count(c) == EVENTS + 1 ? tt_ok() : tt_error_memory();
}

static struct tt_cursor *cursor_new(struct tt_capture *c, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        *cursor = (struct tt_cursor){c, HEADER_BYTES, learn};
    }
    return cursor;
}

static size_t cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->pos) {
        memcpy(blob, &cursor->pos, sizeof cursor->pos);
    }
    return sizeof cursor->pos;
}

static void cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    if (size == sizeof cursor->pos) {
        memcpy(&cursor->pos, blob, size);
    }
}

static uint64_t cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->pos;
}

static size_t event_of(uint8_t code)
{
    size_t i = 0;
    while (i < EVENTS && events[i].code != code) {
        i++;
    }
    return i;
}

/* Returns the lane; the learning cursor adds it. */
static uint32_t thread_of(const struct tt_cursor *cursor, uint16_t number)
{
    return cursor->learn
               ? tt_registry_thread(cursor->capture, THE_PROCESS, number, cursor->pos)
               : tt_registry_find_thread(cursor->capture, THE_PROCESS, number, cursor->pos);
}

static void take_record(struct tt_cursor *cursor, const uint8_t *record, struct tt_batch *batch)
{
    size_t type = event_of(record[8]);
    struct tt_event *event = &batch->events[batch->count];
    *event = (struct tt_event){
        .ticks = tt_load_u64(record, false),
        .pos = cursor->pos,
        .type = (uint32_t)type,
        .thread = thread_of(cursor, tt_load_u16(record + 10, false)),
        .length = RECORD_BYTES,
        .cpu = record[9],
        .kind = type < EVENTS ? events[type].kind : TT_KIND_EVENT,
    };
    if (type == EVENTS && cursor->learn) {
        tt_health_add(cursor->capture, TT_HEALTH_UNKNOWN_EVENT, cursor->pos, cursor->pos, record[8],
                      "code");
    }
    if (cursor->learn && record[9] >= cursor->capture->cpu_count) {
        cursor->capture->cpu_count = record[9] + 1u;
    }
    bool acts = type < EVENTS && events[type].state != NOT_A_STATE;
    struct tt_action *action = acts ? tt_batch_act(batch, event, TT_ACTION_STATE) : NULL;
    if (action) {
        action->thread = event->thread;
        action->cpu = event->cpu;
        action->state = events[type].state;
    }
    tt_batch_note(batch, event);
    batch->count++;
    batch->records++;
}

static enum tt_decode_result decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    const struct tt_capture *c = cursor->capture;
    uint64_t begin = cursor->pos;
    while (limit >= RECORD_BYTES && cursor->pos <= limit - RECORD_BYTES) {
        bool full =
            batch->count == batch->capacity ||
            (batch->actions && batch->action_capacity - batch->action_count < TT_ACTIONS_PER_EVENT);
        if (full || (batch->byte_budget && cursor->pos - begin >= batch->byte_budget)) {
            return TT_DECODE_MORE;
        }
        take_record(cursor, c->bytes.data + cursor->pos, batch);
        cursor->pos += RECORD_BYTES;
    }
    if (final && cursor->pos < limit && cursor->learn) {
        tt_health_add(cursor->capture, TT_HEALTH_TRUNCATED, cursor->pos, cursor->pos, 0, NULL);
        cursor->pos = limit;
    }
    return TT_DECODE_END;
}

static bool describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    if (limit < RECORD_BYTES || event->pos > limit - RECORD_BYTES) {
        return false;
    }
    const char *name = event->type < EVENTS ? events[event->type].argument : "value";
    struct tt_arg *arg = name ? tt_args_add(args, name) : NULL;
    if (arg) {
        arg->type = TT_ARG_U64;
        arg->value.u = tt_load_u32(c->bytes.data + event->pos + 12, false);
        arg->raw_offset = 12;
        arg->raw_length = 4;
    }
    return true;
}

const struct tt_format tt_format_pulse = {
    .name = "pulse",
    .title = "Pulse",
    .extensions = ".pulse",
    .states = states,
    .state_count = sizeof states / sizeof *states,
    .probe = probe,
    .open = open_capture,
    .cursor_new = cursor_new,
    .cursor_save = cursor_save,
    .cursor_load = cursor_load,
    .cursor_pos = cursor_pos,
    .decode = decode,
    .describe = describe,
};
