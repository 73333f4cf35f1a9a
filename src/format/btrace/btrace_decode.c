/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_decode: reads the records of the tape as events, and saves the cursor's state. */
#include <stdlib.h>
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "format/btrace/btrace_record_inline.h"

struct tt_cursor *btrace_cursor_new(struct tt_capture *c, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) {
        return NULL;
    }
    cursor->capture = c;
    cursor->decoder = c->decoder;
    cursor->bad_from = UINT64_MAX;
    cursor->state.time.ticks = cursor->decoder->clock.start;
    cursor->headers_flags = UINT8_MAX; /* not filled */
    btrace_lanes_init(cursor);
    btrace_ledger_init(&cursor->ledger);
    if (learn && !(cursor->learner = btrace_learner_new())) {
        free(cursor);
        return NULL;
    }
    return cursor;
}

void btrace_cursor_free(struct tt_cursor *cursor)
{
    if (cursor) {
        btrace_learner_free(cursor->learner);
        btrace_ledger_free(&cursor->ledger);
        free(cursor);
    }
}

uint64_t btrace_cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->state.pos;
}

/* ---- saving ----------------------------------------------------------------------------- */

/*
 *      | pos .. cpu_count | open measurements | CPU 0 without stack | its stack | CPU 1 ...
 */
enum {
    FIXED_BYTES = offsetof(struct btrace_state_blob, measurements),
    CPU_BYTES = offsetof(struct btrace_cpu, stack),
};

size_t btrace_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    const struct btrace_state_blob *s = &cursor->state;
    size_t measurements = s->measurement_count * sizeof s->measurements[0];
    size_t size = FIXED_BYTES + measurements;
    for (unsigned i = 0; i < s->cpu_count; i++) {
        size += CPU_BYTES + s->cpus[i].depth * sizeof s->cpus[i].stack[0];
    }
    if (size > capacity) {
        return size;
    }
    uint8_t *at = blob;
    memcpy(at, s, FIXED_BYTES);
    at += FIXED_BYTES;
    memcpy(at, s->measurements, measurements);
    at += measurements;
    for (unsigned i = 0; i < s->cpu_count; i++) {
        size_t length = CPU_BYTES + s->cpus[i].depth * sizeof s->cpus[i].stack[0];
        memcpy(at, &s->cpus[i], length);
        at += length;
    }
    return size;
}

/*
 * A saved state may come from the index cache, so every value is checked.
 */
static bool is_thread(const struct tt_capture *c, uint32_t thread)
{
    return thread == TT_NO_THREAD || thread < tt_thread_count(c);
}

/* A byte read as bool has to be 0 or 1. */
static bool is_flag(const uint8_t *state, size_t at)
{
    return state[at] <= 1;
}

static bool load_fixed(struct btrace_state_blob *s, struct tt_reader *from)
{
    const uint8_t *at = tt_read_span(from, FIXED_BYTES);
    if (!at || !is_flag(at, offsetof(struct btrace_state_blob, any)) ||
        !is_flag(at, offsetof(struct btrace_state_blob, lost)) ||
        !is_flag(at, offsetof(struct btrace_state_blob, switches)) ||
        !is_flag(at, offsetof(struct btrace_state_blob, overwritten)) ||
        !is_flag(at, offsetof(struct btrace_state_blob, time) +
                         offsetof(struct btrace_time, started))) {
        return false;
    }
    memcpy(s, at, FIXED_BYTES);
    return s->measurement_count <= BTRACE_MEASUREMENTS && s->cpu_count <= BTRACE_CPUS;
}

static bool load_measurements(const struct tt_capture *c, struct btrace_state_blob *s,
                              struct tt_reader *from)
{
    for (unsigned i = 0; i < s->measurement_count; i++) {
        struct btrace_measurement *m = &s->measurements[i];
        const uint8_t *at = tt_read_span(from, sizeof *m);
        if (!at) {
            return false;
        }
        memcpy(m, at, sizeof *m);
        if (!is_thread(c, m->thread) || m->type >= tt_types_count(c)) {
            return false;
        }
    }
    return true;
}

static bool load_cpu(const struct tt_capture *c, struct btrace_cpu *cpu, struct tt_reader *from)
{
    btrace_cpu_reset(cpu);
    const uint8_t *at = tt_read_span(from, CPU_BYTES);
    if (!at) {
        return false;
    }
    memcpy(cpu, at, CPU_BYTES);
    if (cpu->depth > BTRACE_NEST || cpu->leaving >= BTRACE_STATE_COUNT ||
        !is_thread(c, cpu->thread) || !is_thread(c, cpu->sampled) ||
        (cpu->ending != UINT32_MAX && cpu->ending >= tt_process_count(c))) {
        return false;
    }
    at = tt_read_span(from, cpu->depth * sizeof cpu->stack[0]);
    if (at) {
        memcpy(cpu->stack, at, cpu->depth * sizeof cpu->stack[0]);
    }
    return at != NULL;
}

void btrace_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    struct btrace_state_blob *s = &cursor->state;
    struct tt_reader from = tt_reader_of(tt_bytes_of(blob, size), tt_host_is_big());
    memset(s, 0, sizeof *s);
    cursor->bad_from = UINT64_MAX;
    bool good = load_fixed(s, &from) && load_measurements(cursor->capture, s, &from);
    for (unsigned i = 0; good && i < s->cpu_count; i++) {
        good = load_cpu(cursor->capture, &s->cpus[i], &from);
    }
    if (!good) {
        memset(s, 0, sizeof *s);
    }
    if (s->pos == 0) {
        btrace_ledger_free(&cursor->ledger); /* the account restarts, too */
    }
}

/* ---- records to events ------------------------------------------------------------------ */

/* Sets the thread of a profiler sample: its own word, or that of the previous sample. */
static void sample_thread(struct tt_cursor *cursor, const struct btrace_record *r,
                          struct tt_event *event)
{
    enum { FULL, OPTIMISED };
    struct btrace_cpu *cpu = btrace_cpu_of(cursor, r);
    event->thread = TT_NO_THREAD;
    if (r->sub == FULL) {
        event->thread = btrace_lane_of(cursor, btrace_record_word(r, 1), r->pos);
        if (cpu) {
            cpu->sampled = event->thread;
        }
    } else if (r->sub == OPTIMISED && cpu && cpu->sampled != TT_NO_THREAD) {
        event->thread = cpu->sampled;
        event->flags |= TT_EVENT_INFERRED;
    }
}

/*
 * Sets the thread from the context id; without one, from the CPU's running thread. A record of an
 * interrupt has no thread.
 */
static void event_thread(struct tt_cursor *cursor, const struct btrace_record *r,
                         struct tt_event *event)
{
    event->thread = TT_NO_THREAD;
    if (r->category == BTRACE_PROFILING) {
        sample_thread(cursor, r, event);
    } else if (r->flags & BTRACE_HAS_CONTEXT) {
        if ((r->context & 3u) == BTRACE_IN_THREAD) {
            event->thread = btrace_lane_of(cursor, r->context, r->pos);
        }
    } else if (r->category != BTRACE_CPU_USAGE) {
        const struct btrace_cpu *cpu = btrace_cpu_of(cursor, r);
        if (cpu && cpu->thread != TT_NO_THREAD && cpu->depth == 0) {
            event->thread = cpu->thread;
            event->flags |= TT_EVENT_INFERRED;
        }
    }
}

static void make_event(struct tt_cursor *cursor, const struct btrace_record *r, uint64_t code,
                       struct tt_event *event)
{
    *event = (struct tt_event){
        .ticks = cursor->state.time.ticks,
        .pos = r->pos,
        .type = (uint32_t)code - 1,
        .length = r->size,
        .cpu = r->cpu,
        .kind = (uint8_t)(code >> BTRACE_CODE_KIND),
    };
    if (r->part == BTRACE_FIRST) {
        event->flags |= TT_EVENT_MULTIPART;
        if (r->length < 8 || !(r->flags & BTRACE_HAS_EXTRA)) {
            event->flags |= TT_EVENT_MALFORMED;
        }
    }
    event_thread(cursor, r, event);
}

static void act(struct tt_cursor *cursor, struct tt_bytes bytes, const struct btrace_record *r,
                uint64_t code, const struct tt_event *event, struct tt_batch *batch)
{
    const uint8_t *record = bytes.data + r->pos;
    struct btrace_actor a = {
        .cursor = cursor,
        .event = event,
        .out = tt_action_out_begin(batch, &cursor->spare),
        .cpu = btrace_cpu_of(cursor, r),
        .record = record,
        .header = r->size - (uint32_t)btrace_payload(r).size,
    };
    if (cursor->state.lost) {
        btrace_act_loss(&a);
    }
    btrace_acts[btrace_code_effect(code)](&a);
    tt_action_out_end(&a.out, batch);
}

static void take_flags(struct tt_cursor *cursor, const struct btrace_record *r)
{
    struct btrace_state_blob *state = &cursor->state;
    uint64_t before = state->time.ticks;
    if (!btrace_time_step(&cursor->decoder->clock, &state->time, r->flags, r->timestamp,
                          r->timestamp2)) {
        btrace_learn_health(cursor, TT_HEALTH_TIME_BACK, r->pos, r->timestamp, "timestamp");
    }
    /* On the first record the flag only means that the ring had been overwritten. */
    if ((r->flags & BTRACE_MISSING) && state->any) {
        btrace_learn_health(cursor, TT_HEALTH_LOST, r->pos, 0, NULL);
        btrace_handle_loss(cursor, before);
    }
    state->overwritten |= !state->any && (r->flags & BTRACE_MISSING) != 0;
    state->any = true;
}

static void take_record(struct tt_cursor *cursor, struct tt_bytes bytes,
                        const struct btrace_record *r, uint64_t next, struct tt_batch *batch)
{
    bool learns = btrace_learns(cursor, r->pos);
    bool begins = r->part != BTRACE_MIDDLE && r->part != BTRACE_LAST;
    take_flags(cursor, r);
    uint64_t code = btrace_code_known(cursor->decoder, r->category, r->sub);
    if (learns && (code == 0 || btrace_teaches(cursor, r, code))) {
        btrace_learn(cursor, bytes, r);
    } else if (learns) {
        cursor->learner->records++;
    }
    batch->records++;
    if (begins) {
        struct tt_event *event = &batch->events[batch->count];
        code = btrace_code(cursor, r->category, r->sub);
        make_event(cursor, r, code, event);
        act(cursor, bytes, r, code, event, batch);
        tt_batch_note(batch, event);
        batch->count++;
    } else if (cursor->state.time.ticks > batch->reached) {
        batch->reached = cursor->state.time.ticks;
    }
    if (cursor->ledger.pos == r->pos && batch->actions) {
        cursor->ledger.pos = next;
    }
    cursor->state.pos = next;
    if (learns) {
        cursor->learner->frontier = next;
    }
}

/* ---- bytes that are not records --------------------------------------------------------- */

/*
 * Checks a record of unknown category. It is accepted if three more records follow, since newer
 * kernels have more categories; otherwise the cursor has left the chain.
 */
static enum btrace_read check_unknown(struct tt_bytes bytes, const struct btrace_record *r,
                                      uint8_t stream_flags, bool final)
{
    enum { FOLLOWERS = 3 };
    struct btrace_record next = *r;
    for (unsigned i = 0; i < FOLLOWERS; i++) {
        switch (btrace_record_read(bytes, btrace_record_next(&next), &next)) {
        case BTRACE_READ_END:
        case BTRACE_READ_PARTIAL:
            return final ? BTRACE_READ_OK : BTRACE_READ_PARTIAL;
        case BTRACE_READ_BAD:
            return BTRACE_READ_BAD;
        case BTRACE_READ_OK:
            break;
        }
        uint8_t flags = next.flags & BTRACE_STREAM_FLAGS;
        if (flags != stream_flags && flags != (r->flags & BTRACE_STREAM_FLAGS)) {
            return BTRACE_READ_BAD;
        }
    }
    return BTRACE_READ_OK;
}

static enum btrace_read read_checked(struct tt_cursor *cursor, struct tt_bytes bytes, bool final,
                                     struct btrace_record *r)
{
    uint8_t stream_flags = cursor->decoder->clock.stream_flags;
    enum btrace_read read = btrace_record_read_inline(bytes, cursor->state.pos, r);
    if (read == BTRACE_READ_OK && ((r->flags & BTRACE_STREAM_FLAGS) != stream_flags ||
                                   !btrace_record_is_plausible_inline(r))) {
        read = check_unknown(bytes, r, stream_flags, final);
    }
    if (read == BTRACE_READ_OK && !final && btrace_record_next(r) > bytes.size) {
        read = BTRACE_READ_PARTIAL; /* its padding is still missing */
    }
    return read;
}

/* Skips bytes that are not records; returns false if more bytes are needed. */
static bool skip_bad(struct tt_cursor *cursor, struct tt_bytes bytes, bool final)
{
    uint64_t from = cursor->state.pos, to;
    if (cursor->bad_from != from) {
        cursor->bad_from = from;
        cursor->bad_resume = from + 1;
    }
    bool found = btrace_record_recover(bytes, from, &cursor->bad_resume,
                                       cursor->decoder->clock.stream_flags, final, &to);
    if (!found && !final) {
        return false;
    }
    to = found ? to : bytes.size;
    btrace_learn_bad(cursor, from, to);
    if (cursor->state.any) {
        btrace_handle_loss(cursor, cursor->state.time.ticks);
    }
    cursor->state.pos = to;
    if (cursor->ledger.pos == from) {
        cursor->ledger.pos = to;
    }
    return found;
}

static enum tt_decode_result end_of_bytes(struct tt_cursor *cursor, struct tt_bytes bytes,
                                          bool partial, bool final)
{
    if (final && partial) {
        btrace_learn_health(cursor, TT_HEALTH_TRUNCATED, cursor->state.pos,
                            bytes.size - cursor->state.pos, "bytes of it are there");
        cursor->state.pos = bytes.size;
    }
    if (final && cursor->learner) {
        btrace_learn_end(cursor, cursor->state.pos);
        if (cursor->learner->frontier < cursor->state.pos) {
            cursor->learner->frontier = cursor->state.pos;
        }
    }
    return TT_DECODE_END;
}

enum tt_decode_result btrace_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    struct tt_bytes bytes = tt_bytes_of(cursor->capture->bytes.data, limit);
    uint64_t start = cursor->state.pos;
    struct btrace_record r;
    for (;;) {
        btrace_decode_plain(cursor, bytes, start, batch);
        if (!btrace_has_room(batch, start, cursor->state.pos)) {
            return TT_DECODE_MORE;
        }
        enum btrace_read read = read_checked(cursor, bytes, final, &r);
        if (read == BTRACE_READ_BAD) {
            if (!skip_bad(cursor, bytes, final)) {
                return end_of_bytes(cursor, bytes, false, final);
            }
            continue;
        }
        if (read != BTRACE_READ_OK) {
            return end_of_bytes(cursor, bytes, read == BTRACE_READ_PARTIAL, final);
        }
        uint64_t next = btrace_record_next(&r);
        take_record(cursor, bytes, &r, next < bytes.size ? next : bytes.size, batch);
        if (cursor->learner && cursor->learner->memory_short) {
            return TT_DECODE_MEMORY;
        }
    }
}
