/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_decode: reads the records of the tape as events, and saves the cursor's state. */
#include <stdlib.h>
#include <string.h>

#include "format/btrace/btrace_damage.h"
#include "format/btrace/btrace_internal.h"
#include "format/btrace/btrace_record_inline.h"

struct tt_cursor *btrace_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) {
        return NULL;
    }
    cursor->capture = capture;
    cursor->decoder = capture->decoder;
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
    const struct btrace_state_blob *btrace_state_blob = &cursor->state;
    size_t measurements =
        btrace_state_blob->measurement_count * sizeof btrace_state_blob->measurements[0];
    size_t size = FIXED_BYTES + measurements;
    for (unsigned i = 0; i < btrace_state_blob->cpu_count; i++) {
        size += CPU_BYTES +
                btrace_state_blob->cpus[i].depth * sizeof btrace_state_blob->cpus[i].stack[0];
    }
    if (size > capacity) {
        return size;
    }
    uint8_t *at = blob;
    memcpy(at, btrace_state_blob, FIXED_BYTES);
    at += FIXED_BYTES;
    memcpy(at, btrace_state_blob->measurements, measurements);
    at += measurements;
    for (unsigned i = 0; i < btrace_state_blob->cpu_count; i++) {
        size_t length = CPU_BYTES + btrace_state_blob->cpus[i].depth *
                                        sizeof btrace_state_blob->cpus[i].stack[0];
        memcpy(at, &btrace_state_blob->cpus[i], length);
        at += length;
    }
    return size;
}

/*
 * A saved state may come from the index cache, so every value is checked.
 */
static bool btrace_decode_is_thread(const struct tt_capture *capture, uint32_t thread)
{
    return thread == TT_NO_THREAD || thread < tt_thread_count(capture);
}

/* A byte read as bool has to be 0 or 1. */
static bool btrace_decode_is_flag(const uint8_t *state, size_t at)
{
    return state[at] <= 1;
}

static bool load_fixed(struct btrace_state_blob *blob, struct tt_reader *from)
{
    const uint8_t *at = tt_read_span(from, FIXED_BYTES);
    if (!at || !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, any)) ||
        !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, lost)) ||
        !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, switches)) ||
        !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, resuming)) ||
        !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, overwritten)) ||
        !btrace_decode_is_flag(at, offsetof(struct btrace_state_blob, time) +
                                       offsetof(struct btrace_time, started))) {
        return false;
    }
    memcpy(blob, at, FIXED_BYTES);
    return blob->measurement_count <= BTRACE_MEASUREMENTS && blob->cpu_count <= BTRACE_CPUS;
}

static bool load_measurements(const struct tt_capture *capture, struct btrace_state_blob *blob,
                              struct tt_reader *from)
{
    for (unsigned i = 0; i < blob->measurement_count; i++) {
        struct btrace_measurement *measurement = &blob->measurements[i];
        const uint8_t *at = tt_read_span(from, sizeof *measurement);
        if (!at) {
            return false;
        }
        memcpy(measurement, at, sizeof *measurement);
        if (!btrace_decode_is_thread(capture, measurement->thread) ||
            measurement->type >= tt_types_count(capture)) {
            return false;
        }
    }
    return true;
}

static bool load_cpu(const struct tt_capture *capture, struct btrace_cpu *cpu,
                     struct tt_reader *from)
{
    btrace_cpu_reset(cpu);
    const uint8_t *at = tt_read_span(from, CPU_BYTES);
    if (!at) {
        return false;
    }
    memcpy(cpu, at, CPU_BYTES);
    if (cpu->depth > BTRACE_NEST || cpu->leaving >= BTRACE_STATE_COUNT ||
        !btrace_decode_is_thread(capture, cpu->thread) ||
        !btrace_decode_is_thread(capture, cpu->sampled) ||
        !btrace_decode_is_thread(capture, cpu->resumes) ||
        (cpu->ending != UINT32_MAX && cpu->ending >= tt_process_count(capture))) {
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
    struct btrace_state_blob *btrace_state_blob = &cursor->state;
    struct tt_reader from = tt_reader_of(tt_bytes_of(blob, size), tt_host_is_big());
    memset(btrace_state_blob, 0, sizeof *btrace_state_blob);
    cursor->bad_from = UINT64_MAX;
    bool good = load_fixed(btrace_state_blob, &from) &&
                load_measurements(cursor->capture, btrace_state_blob, &from);
    for (unsigned i = 0; good && i < btrace_state_blob->cpu_count; i++) {
        good = load_cpu(cursor->capture, &btrace_state_blob->cpus[i], &from);
    }
    if (!good) {
        memset(btrace_state_blob, 0, sizeof *btrace_state_blob);
    }
    if (btrace_state_blob->pos == 0) {
        btrace_ledger_free(&cursor->ledger); /* the account restarts, too */
    }
}

/* ---- records to events ------------------------------------------------------------------ */

/*
 * Sets the thread from the context id; without one, from the CPU's running thread. A record of an
 * interrupt has no thread.
 */
static void event_thread(struct tt_cursor *cursor, const struct btrace_record *record,
                         struct tt_event *event)
{
    if (record->category == BTRACE_PROFILING) {
        /* Sets the thread of a profiler sample: its own word, or that of the previous sample. */
        enum { FULL, OPTIMISED };
        struct btrace_cpu *cpu = btrace_cpu_of(cursor, record);
        event->thread = TT_NO_THREAD;
        if (record->sub == FULL) {
            event->thread = btrace_lane_of(cursor, btrace_record_word(record, 1), record->pos);
            if (cpu) {
                cpu->sampled = event->thread;
            }
        } else if (record->sub == OPTIMISED && cpu && cpu->sampled != TT_NO_THREAD) {
            event->thread = cpu->sampled;
            event->flags |= TT_EVENT_INFERRED;
        }
    } else if (record->flags & BTRACE_HAS_CONTEXT) {
        if ((record->context & 3u) == BTRACE_IN_THREAD) {
            event->thread = btrace_lane_of(cursor, record->context, record->pos);
        }
    } else if (record->category != BTRACE_CPU_USAGE) {
        const struct btrace_cpu *cpu = btrace_cpu_of(cursor, record);
        if (cpu && cpu->thread != TT_NO_THREAD && cpu->depth == 0) {
            event->thread = cpu->thread;
            event->flags |= TT_EVENT_INFERRED;
        }
    }
}

/* The parts of a record that are right. */
enum btrace_trust {
    BTRACE_TRUSTED,
    BTRACE_ALL_BUT_TIME,
    BTRACE_UNCERTAIN, /* damage begins after it, or inside of it, or in its context */
};

static void make_event(struct tt_cursor *cursor, const struct btrace_record *record, uint64_t code,
                       enum btrace_trust trust, struct tt_event *event)
{
    *event = (struct tt_event){
        .ticks = cursor->state.time.ticks,
        .pos = record->pos,
        .type = (uint32_t)code - 1,
        .length = record->size,
        .cpu = record->cpu,
        .kind = (uint8_t)(code >> BTRACE_CODE_KIND),
    };
    if (record->part == BTRACE_FIRST) {
        event->flags |= TT_EVENT_MULTIPART;
        if (record->length < 8 || !(record->flags & BTRACE_HAS_EXTRA)) {
            event->flags |= TT_EVENT_MALFORMED;
        }
    }
    event->thread = TT_NO_THREAD;
    if (trust != BTRACE_UNCERTAIN) {
        event_thread(cursor, record, event);
    }
    event->flags |= trust == BTRACE_ALL_BUT_TIME ? TT_EVENT_BAD_TIME : 0;
}

static void btrace_decode_act(struct tt_cursor *cursor, struct tt_bytes bytes,
                              const struct btrace_record *btrace_record, uint64_t code,
                              const struct tt_event *event, struct tt_batch *batch)
{
    const uint8_t *record = bytes.data + btrace_record->pos;
    struct btrace_actor a = {
        .cursor = cursor,
        .event = event,
        .out = tt_action_out_begin(batch, &cursor->spare),
        .cpu = btrace_cpu_of(cursor, btrace_record),
        .record = record,
        .header = btrace_record->size - (uint32_t)btrace_payload(btrace_record).size,
    };
    if (cursor->state.lost) {
        btrace_act_loss(&a);
    }
    if (cursor->state.resuming) {
        btrace_act_resume(&a);
    }
    btrace_acts[btrace_code_effect(code)](&a);
    tt_action_out_end(&a.out, batch);
}

static void read_flags(struct tt_cursor *cursor, const struct btrace_record *record)
{
    struct btrace_state_blob *state = &cursor->state;
    uint64_t before = state->time.ticks;
    if (!btrace_time_step(&cursor->decoder->clock, &state->time, record->flags, record->timestamp,
                          record->timestamp2)) {
        btrace_learn_health(cursor, TT_HEALTH_TIME_BACK, record->pos, record->timestamp,
                            "timestamp");
    }
    /* On the first record the flag only means that the ring had been overwritten. */
    if ((record->flags & BTRACE_MISSING) && state->any) {
        btrace_learn_health(cursor, TT_HEALTH_LOST, record->pos, 0, NULL);
        btrace_handle_loss(cursor, before);
    }
    state->overwritten |= !state->any && (record->flags & BTRACE_MISSING) != 0;
    state->any = true;
}

static void decode_record(struct tt_cursor *cursor, struct tt_bytes bytes,
                          const struct btrace_record *record, enum btrace_trust trust,
                          uint64_t next, struct tt_batch *batch)
{
    bool learns = btrace_learns(cursor, record->pos);
    if (trust == BTRACE_ALL_BUT_TIME) {
        btrace_learn_health(cursor, TT_HEALTH_BAD_TIME, record->pos, record->timestamp,
                            "timestamp");
    } else {
        read_flags(cursor, record);
    }
    if (learns && trust == BTRACE_TRUSTED) {
        uint64_t code = btrace_code_known(cursor->decoder, record->category, record->sub);
        if (code == 0 || btrace_teaches(cursor, record, code)) {
            btrace_learn(cursor, bytes, record);
        } else {
            cursor->learner->records++;
        }
    } else if (learns) {
        cursor->learner->records++;
    }
    batch->records++;
    if (record->part != BTRACE_MIDDLE && record->part != BTRACE_LAST) {
        /* Adds the event of a record; only one that is trusted has an effect. */
        struct tt_event *event = &batch->events[batch->count];
        uint64_t code = btrace_code(cursor, record->category, record->sub);
        make_event(cursor, record, code, trust, event);
        if (trust == BTRACE_TRUSTED) {
            btrace_decode_act(cursor, bytes, record, code, event, batch);
        }
        tt_batch_note(batch, event);
        batch->count++;
    } else if (cursor->state.time.ticks > batch->reached) {
        batch->reached = cursor->state.time.ticks;
    }
    if (cursor->ledger.pos == record->pos && batch->actions) {
        cursor->ledger.pos = next;
    }
    cursor->state.pos = next;
    if (learns) {
        cursor->learner->frontier = next;
    }
}

/* ---- damage ----------------------------------------------------------------------------- */

static void add_verdict(struct tt_cursor *cursor, struct btrace_verdict verdict)
{
    if (!btrace_verdicts_add(&cursor->decoder->verdicts, verdict)) {
        cursor->learner->memory_short = true;
    }
}

static struct btrace_judge judge_of(const struct tt_cursor *cursor, struct tt_bytes bytes,
                                    bool final, bool *open)
{
    const struct btrace_state_blob *state = &cursor->state;
    const struct btrace_clock *clock = &cursor->decoder->clock;
    return (struct btrace_judge){
        .clock = clock,
        .bytes = bytes,
        .ticks = state->time.ticks,
        .cpus = state->cpu_count > clock->cpus ? state->cpu_count : clock->cpus,
        .started = state->time.started,
        .damaged = tt_health_count(cursor->capture, TT_HEALTH_DAMAGED) > 0,
        .final = final,
        .open = open,
    };
}

/* Finds where the damage at the cursor ends, and keeps it; returns false if more bytes are needed. */
static bool judge_damage(struct tt_cursor *cursor, struct tt_bytes bytes, bool final)
{
    uint64_t from = cursor->state.pos, to;
    uint32_t lanes[BTRACE_CPUS];
    if (cursor->bad_from != from) {
        cursor->bad_from = from;
        cursor->bad_resume = from < cursor->decoder->front ? cursor->decoder->front : from + 1;
    }
    const struct btrace_judge judge = judge_of(cursor, bytes, final, NULL);
    bool found = btrace_judge_recover(&judge, &cursor->bad_resume, &to);
    if (!found && !final) {
        return false;
    }
    to = found ? to : bytes.size;

    /*
     * Finds out which threads run on after damage that ends at `to`: those on a CPU before it of
     * which no record says otherwise. Returns false if more bytes are needed.
     */
    const struct btrace_state_blob *state = &cursor->state;
    uint32_t threads[BTRACE_CPUS] = {0};
    for (unsigned i = 0; i < state->cpu_count; i++) {
        const struct btrace_cpu *cpu = &state->cpus[i];
        lanes[i] = cpu->thread == TT_NO_THREAD ? cpu->resumes : cpu->thread;
        if (lanes[i] != TT_NO_THREAD && cpu->leaving == BTRACE_STATE_UNKNOWN &&
            cpu->ending == UINT32_MAX) {
            threads[i] = (uint32_t)tt_thread_at(cursor->capture, lanes[i])->tid;
        }
    }
    if (!btrace_judge_running(&judge, to, threads, state->cpu_count)) {
        return false;
    }
    for (unsigned i = 0; i < state->cpu_count; i++) {
        lanes[i] = threads[i] == 0 ? TT_NO_THREAD : lanes[i];
    }

    for (unsigned i = 0; i < cursor->state.cpu_count; i++) {
        if (lanes[i] != TT_NO_THREAD) {
            add_verdict(cursor, (struct btrace_verdict){from, lanes[i], BTRACE_RUNS_ON, i});
        }
    }
    add_verdict(cursor, (struct btrace_verdict){from, to, BTRACE_IS_DAMAGE, 0});
    return true;
}

/* Skips the bytes that are no records at the cursor, which is a loss; verdicts from `index` on say how many. */
static void btrace_decode_skip_damage(struct tt_cursor *cursor)
{
    struct btrace_state_blob *state = &cursor->state;
    const struct tt_column *verdicts = &cursor->decoder->verdicts;
    const uint64_t from = state->pos;
    uint64_t index = btrace_verdicts_before(verdicts, from);
    const struct btrace_verdict *verdict = tt_column_at(verdicts, index);
    if (state->any) {
        btrace_handle_loss(cursor, state->time.ticks);
    }
    for (; verdict->kind == BTRACE_RUNS_ON; verdict = tt_column_at(verdicts, ++index)) {
        state->cpus[verdict->cpu].resumes = state->any ? (uint32_t)verdict->value : TT_NO_THREAD;
        state->resuming |= state->any;
    }
    btrace_learn_bad(cursor, from, verdict->value);
    state->pos = verdict->value;
    if (cursor->ledger.pos == from) {
        cursor->ledger.pos = verdict->value;
    }
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

/* ---- what is to be believed of a record --------------------------------------------------- */

/* Returns whether a thread is not known. */
static bool is_new(struct tt_cursor *cursor, uint32_t nthread)
{
    return nthread != btrace_lane_slot(cursor, nthread)->address &&
           !btrace_lane_exists(cursor, nthread);
}

/* Returns the NThread of a record's context; 0: none. */
static uint32_t btrace_decode_thread_of(const struct btrace_record *record)
{
    bool has = (record->flags & BTRACE_HAS_CONTEXT) && (record->context & 3u) == BTRACE_IN_THREAD;
    return has ? record->context : 0;
}

/* Returns whether the first word of a known record is at `pos`. */
static bool has_plain_head(const struct btrace_decoder *decoder, struct tt_bytes bytes,
                           uint64_t pos)
{
    if (!tt_bytes_has(bytes, pos, BTRACE_SIZE_MIN)) {
        return false;
    }
    const uint32_t first = tt_load_u32(bytes.data + pos, false), size = first & UINT8_MAX;
    const uint8_t flags = (uint8_t)(first >> 8);
    return (btrace_code_at(decoder, first >> 16) & BTRACE_CODE_PLAIN) != 0 &&
           size >= btrace_header_bytes(flags) && size <= BTRACE_SIZE_MAX &&
           (flags & BTRACE_STREAM_FLAGS) == decoder->clock.stream_flags;
}

/* Returns whether a new thread that a record mentions does not exist. */
static bool btrace_decode_is_nobody(struct tt_cursor *cursor, const struct btrace_judge *judge,
                                    const struct btrace_record *record, uint32_t nthread,
                                    bool switches)
{
    return !btrace_judge_thread(judge, record, nthread, btrace_lane_is_far(cursor, nthread),
                                switches);
}

/* Returns whether damage begins after a record, or in it, of which the tables may get something. */
static bool is_uncertain(struct tt_cursor *cursor, const struct btrace_judge *judge,
                         const struct btrace_record *record)
{
    const uint64_t code = btrace_code_known(cursor->decoder, record->category, record->sub);
    const uint32_t own = btrace_decode_thread_of(record);
    const bool own_is_new = is_new(cursor, own);
    if (code != 0 && (code & BTRACE_CODE_TEACHES) == 0 && !own_is_new) {
        return false;
    }
    const uint32_t named = btrace_judge_named(record);
    return (!has_plain_head(cursor->decoder, judge->bytes, btrace_record_next(record)) &&
            !btrace_judge_next(judge, record)) ||
           (own_is_new &&
            btrace_decode_is_nobody(cursor, judge, record, own, cursor->state.switches)) ||
           (named != 0 && is_new(cursor, named) &&
            btrace_decode_is_nobody(cursor, judge, record, named, false));
}

/* Judges the record at `pos`. */
static enum btrace_read judge_record(struct tt_cursor *cursor, const struct btrace_judge *judge,
                                     uint64_t pos, struct btrace_record *record,
                                     enum btrace_trust *trust)
{
    enum btrace_read read = btrace_judge_read(judge, pos, record);
    if (read == BTRACE_READ_BAD_TIME && is_new(cursor, btrace_decode_thread_of(record))) {
        return BTRACE_READ_BAD;
    }
    *trust = read == BTRACE_READ_BAD_TIME ? BTRACE_ALL_BUT_TIME : BTRACE_TRUSTED;
    if (read == BTRACE_READ_OK && is_uncertain(cursor, judge, record)) {
        *trust = BTRACE_UNCERTAIN;
    }
    return read == BTRACE_READ_BAD_TIME ? BTRACE_READ_OK : read;
}

/* Judges records again that were believed when there were fewer bytes: another result would be a guess. */
static void check_beliefs(struct tt_cursor *cursor, struct tt_bytes bytes, bool final)
{
    struct btrace_learner *learner = cursor->learner;
    unsigned kept = 0;
    for (unsigned i = 0; i < learner->beliefs; i++) {
        const struct btrace_belief *belief = &learner->belief[i];
        bool open = false;
        struct btrace_judge judge = judge_of(cursor, bytes, final, &open);
        struct btrace_record r;
        enum btrace_trust trust;
        judge.ticks = belief->ticks;
        judge.cpus = belief->cpus;
        judge.started = belief->started;
        judge.damaged = belief->damaged;
        enum btrace_read read = judge_record(cursor, &judge, belief->pos, &r, &trust);
        cursor->capture->guessed |= read != BTRACE_READ_OK || trust != BTRACE_TRUSTED;
        if (open) {
            learner->belief[kept++] = *belief;
        }
    }
    learner->beliefs = kept;
}

/* Reads the record at the cursor for the first time, and keeps what is not to be believed of it. */
static enum btrace_read read_new(struct tt_cursor *cursor, struct tt_bytes bytes, bool final,
                                 struct btrace_record *record, enum btrace_trust *trust)
{
    static const enum btrace_verdict_kind kinds[] = {
        [BTRACE_UNCERTAIN] = BTRACE_IS_UNCERTAIN,
        [BTRACE_ALL_BUT_TIME] = BTRACE_HAS_BAD_TIME,
    };
    const uint64_t pos = cursor->state.pos;
    bool open = false;
    const struct btrace_judge judge = judge_of(cursor, bytes, final, &open);
    enum btrace_read read = pos < cursor->decoder->front
                                ? BTRACE_READ_BAD
                                : judge_record(cursor, &judge, pos, record, trust);
    if (read == BTRACE_READ_OK && *trust != BTRACE_TRUSTED) {
        add_verdict(cursor, (struct btrace_verdict){pos, 0, kinds[*trust], 0});
    } else if (read == BTRACE_READ_OK && open) {
        struct btrace_learner *learner = cursor->learner;
        if (learner->beliefs == BTRACE_BELIEFS) {
            cursor->capture->guessed = true;
            learner->beliefs = 0;
        }
        learner->belief[learner->beliefs++] =
            (struct btrace_belief){pos, judge.ticks, judge.cpus, judge.started, judge.damaged};
    } else if (read == BTRACE_READ_BAD && !judge_damage(cursor, bytes, final)) {
        read = BTRACE_READ_END;
    }
    return read;
}

/* Reads the record at the cursor, with what the learning cursor decided. */
static enum btrace_read read_known(const struct tt_cursor *cursor, struct tt_bytes bytes,
                                   struct btrace_record *record, enum btrace_trust *trust)
{
    static const enum btrace_trust trusts[BTRACE_VERDICT_KINDS] = {
        [BTRACE_IS_UNCERTAIN] = BTRACE_UNCERTAIN,
        [BTRACE_HAS_BAD_TIME] = BTRACE_ALL_BUT_TIME,
    };
    enum btrace_read read = btrace_record_read(bytes, cursor->state.pos, record);
    const struct tt_column *verdicts = &cursor->decoder->verdicts;
    const uint64_t pos = cursor->state.pos, index = btrace_verdicts_before(verdicts, pos);
    const struct btrace_verdict *verdict =
        index < tt_column_count(verdicts) ? tt_column_at(verdicts, index) : NULL;
    *trust = BTRACE_TRUSTED;
    if (verdict && verdict->pos == pos) {
        *trust = trusts[verdict->kind];
        return verdict->kind == BTRACE_RUNS_ON || verdict->kind == BTRACE_IS_DAMAGE
                   ? BTRACE_READ_BAD
                   : read;
    }
    return read == BTRACE_READ_BAD ? BTRACE_READ_END : read; /* not yet decided */
}

enum tt_decode_result btrace_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    struct tt_bytes bytes = tt_bytes_of(cursor->capture->bytes.data, limit);
    uint64_t start = cursor->state.pos;
    struct btrace_record r;
    enum btrace_trust trust;
    if (cursor->learner && cursor->learner->beliefs > 0) {
        check_beliefs(cursor, bytes, final);
    }
    for (;;) {
        if (cursor->state.pos >= cursor->decoder->front) {
            btrace_decode_plain(cursor, bytes, start, batch);
        }
        if (!btrace_has_room(batch, start, cursor->state.pos)) {
            return TT_DECODE_MORE;
        }
        enum btrace_read read = btrace_learns(cursor, cursor->state.pos)
                                    ? read_new(cursor, bytes, final, &r, &trust)
                                    : read_known(cursor, bytes, &r, &trust);
        if (read == BTRACE_READ_OK) {
            uint64_t next = btrace_record_next(&r);
            decode_record(cursor, bytes, &r, trust, next < limit ? next : limit, batch);
        }
        if (cursor->learner && cursor->learner->memory_short) {
            return TT_DECODE_MEMORY;
        }
        if (read == BTRACE_READ_BAD) {
            btrace_decode_skip_damage(cursor);
        } else if (read != BTRACE_READ_OK) {
            return end_of_bytes(cursor, bytes, read == BTRACE_READ_PARTIAL, final);
        }
    }
}
