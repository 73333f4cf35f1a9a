/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pulse: a minimal format, the example of docs/first-day.md. The tests build the program with
 * it: this directory, and one line in src/format/formats.c.
 *
 *       file        "PULSE 1\n" | u64 ticks per second | u32 streams | u32 0 | record, record, ...
 *       record      u64 ticks | u8 code | u8 cpu | u16 thread | u32 value      16 bytes, little-endian
 *       definition  u64 0 | u8 255 | u8 0 | u16 length | u32 code | "CLASS NAME argument", padded to 16 bytes
 *
 * Each CPU is a stream: its records are in order of time. A definition names the events of a code. The
 * decoder keeps nothing but the tables of the capture, so that an index cache needs no code here.
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/format.h"

#define MAGIC         "PULSE 1\n"
#define HEADER_BYTES  24u
#define RECORD_BYTES  16u
#define DEFINITION    255u
#define CODES         16u /* that a capture may use; type 0 of a code: unknown */
#define THE_PROCESS   1u  /* a kernel without processes: all threads are in one */
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

/* The state of a cursor: what a checkpoint has. */
struct state {
    uint64_t pos;
    uint32_t types[CODES]; /* of a code: number of the type + 1 */
};

struct tt_cursor {
    struct tt_capture *capture;
    struct state s;
    bool learn;
};

static int probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    return tt_bytes_has(head, 0, HEADER_BYTES) && memcmp(head.data, MAGIC, 8) == 0 ? 100 : 0;
}

/* Types have the numbers of the table, with one more for unknown codes; then those of definitions. */
static struct tt_status open_capture(struct tt_capture *c, const struct tt_capture_options *options)
{
    c->clock_hz = tt_load_u64(c->bytes.data + 8, false);
    if (c->clock_hz == 0 && options) {
        c->clock_hz = options->clock_hz;
    }
    c->streams = tt_load_u32(c->bytes.data + 16, false);
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
        *cursor = (struct tt_cursor){.capture = c, .s.pos = HEADER_BYTES, .learn = learn};
        for (uint32_t i = 0; i < EVENTS; i++) {
            cursor->s.types[events[i].code] = i + 1;
        }
    }
    return cursor;
}

static size_t cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->s) {
        memcpy(blob, &cursor->s, sizeof cursor->s);
    }
    return sizeof cursor->s;
}

static void cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    if (size == sizeof cursor->s) {
        memcpy(&cursor->s, blob, size);
    }
}

static uint64_t cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->s.pos;
}

/* ---- definitions -------------------------------------------------------------------------- */

/* Returns word `number` of the text of a definition. */
static struct tt_arg_span word_of(const uint8_t *record, unsigned number)
{
    const char *text = (const char *)record + RECORD_BYTES;
    const char *end = text + tt_load_u16(record + 10, false);
    for (; number > 0 && text < end; text++) {
        number -= *text == ' ';
    }
    const char *blank = memchr(text, ' ', (size_t)(end - text));
    return (struct tt_arg_span){text, (uint32_t)((blank ? blank : end) - text)};
}

static const char *interned(struct tt_capture *c, struct tt_arg_span word)
{
    return tt_capture_text(c, tt_capture_intern(c, word.data, word.length), NULL);
}

/* The code of the type is the position of its definition, where `describe` finds the argument. */
static void define(struct tt_cursor *cursor, const uint8_t *record)
{
    struct tt_capture *c = cursor->capture;
    uint32_t code = tt_load_u32(record + 12, false), type = 0;
    while (!cursor->learn && type < tt_types_count(c) &&
           tt_types_at(c, type)->code != cursor->s.pos) {
        type++;
    }
    if (cursor->learn) {
        type = tt_types_add(c, interned(c, word_of(record, 0)), interned(c, word_of(record, 1)),
                            cursor->s.pos, TT_KIND_USER);
    }
    if (code < CODES) {
        cursor->s.types[code] = type + 1;
    }
}

/* ---- events ------------------------------------------------------------------------------- */

/* Returns the lane; the learning cursor adds it. */
static uint32_t thread_of(const struct tt_cursor *cursor, uint16_t number)
{
    return cursor->learn
               ? tt_registry_thread(cursor->capture, THE_PROCESS, number, cursor->s.pos)
               : tt_registry_find_thread(cursor->capture, THE_PROCESS, number, cursor->s.pos);
}

static void take_record(struct tt_cursor *cursor, const uint8_t *record, struct tt_batch *batch)
{
    uint32_t code = record[8];
    uint32_t type = code < CODES && cursor->s.types[code] ? cursor->s.types[code] - 1 : EVENTS;
    struct tt_event *event = &batch->events[batch->count];
    *event = (struct tt_event){
        .ticks = tt_load_u64(record, false),
        .pos = cursor->s.pos,
        .type = type,
        .thread = thread_of(cursor, tt_load_u16(record + 10, false)),
        .length = RECORD_BYTES,
        .cpu = record[9],
        .kind = tt_types_at(cursor->capture, type)->kind,
    };
    if (type == EVENTS && cursor->learn) {
        tt_health_add(cursor->capture, TT_HEALTH_UNKNOWN_EVENT, cursor->s.pos, cursor->s.pos, code,
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

/* Returns the bytes of the record at `at`; more than there are if it is incomplete. */
static uint64_t bytes_of(const uint8_t *at, uint64_t left)
{
    uint64_t text = left >= RECORD_BYTES && at[8] == DEFINITION ? tt_load_u16(at + 10, false) : 0;
    return RECORD_BYTES + (text + RECORD_BYTES - 1) / RECORD_BYTES * RECORD_BYTES;
}

static enum tt_decode_result decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    const uint8_t *bytes = cursor->capture->bytes.data;
    uint64_t begin = cursor->s.pos, size = 0;
    while (cursor->s.pos < limit &&
           (size = bytes_of(bytes + cursor->s.pos, limit - cursor->s.pos)) <=
               limit - cursor->s.pos) {
        bool full =
            batch->count == batch->capacity ||
            (batch->actions && batch->action_capacity - batch->action_count < TT_ACTIONS_PER_EVENT);
        if (full || (batch->byte_budget && cursor->s.pos - begin >= batch->byte_budget)) {
            return TT_DECODE_MORE;
        }
        if (bytes[cursor->s.pos + 8] == DEFINITION) {
            define(cursor, bytes + cursor->s.pos);
        } else {
            take_record(cursor, bytes + cursor->s.pos, batch);
        }
        cursor->s.pos += size;
    }
    if (final && cursor->s.pos < limit && cursor->learn) {
        tt_health_add(cursor->capture, TT_HEALTH_TRUNCATED, cursor->s.pos, cursor->s.pos, 0, NULL);
        cursor->s.pos = limit;
    }
    return TT_DECODE_END;
}

static bool describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    if (limit < RECORD_BYTES || event->pos > limit - RECORD_BYTES) {
        return false;
    }
    const uint64_t defined_at = tt_types_at(c, event->type)->code;
    struct tt_arg_span name = {"value", 5};
    if (event->type < EVENTS) {
        const char *argument = events[event->type].argument;
        name = (struct tt_arg_span){argument, argument ? (uint32_t)strlen(argument) : 0};
    } else if (event->type > EVENTS) {
        const uint8_t *definition = c->bytes.data + defined_at;
        bool has = defined_at >= HEADER_BYTES && limit - RECORD_BYTES >= defined_at;
        has = has && bytes_of(definition, limit - defined_at) <= limit - defined_at;
        name = has ? word_of(definition, 2) : name;
    }
    struct tt_arg *arg = name.length > 0 ? tt_args_add_span(args, name.data, name.length) : NULL;
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
