/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_decode_fast: runs of plain records, which nearly all are: of a known type, with nothing to learn,
 * in one part, on a known CPU, without a loss before them, and with the same words up to the
 * timestamps as the first record of the run:
 *
 *       | size, flags, numbers | Header2 | Timestamp | Timestamp2 | context id | ... | data |
 *         the same flags of the run ------------------------------  any of these
 *
 *  So the places of these words are constants of the run, and whether a record is plain is decided by its
 * first two words and its code (struct btrace_type_row). All else is left to btrace_decode.c, which gives the
 * same results for plain records, too.
 */
#include "base/prefetch.h"
#include "format/btrace/btrace_internal.h"
#include "format/btrace/btrace_record_inline.h"

/* Flags that are equal in all records of a run; the last two are not set. */
#define RUN_FLAGS (BTRACE_HAS_HEADER2 | BTRACE_STREAM_FLAGS | BTRACE_TRUNCATED | BTRACE_MISSING)

enum { CONTEXT_BIT = 3 }; /* log2(BTRACE_HAS_CONTEXT); then the program counter and Extra */

/* Constants of a run. */
struct run {
    const uint8_t *bytes;
    uint64_t end;   /* a record that begins before it is complete, and in the batch's budget */
    uint64_t codes; /* bits of a code that decide: all but SEEN are 0 in a plain record */
    uint32_t flags;
    uint32_t header2; /* mask: 0 if the records have none */
    uint32_t cpus;
    uint32_t time_at; /* offsets in the record */
    uint32_t context_at;
    uint32_t actions_end; /* the batch has room while it has fewer actions */
    bool halves;          /* the timestamps are the halves of one count that goes up */
    bool learns;
    bool accounts;
    uint8_t headers[8]; /* bytes before the data, by the flags of context, program counter, Extra */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns where the run ends at the latest: the same cases apply to all records before. */
static uint64_t end_of_run(const struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                           const struct tt_batch *batch)
{
    const uint64_t pos = cursor->state.pos, budget = batch->byte_budget;
    uint64_t end = bytes.size > BTRACE_SIZE_MAX ? bytes.size - BTRACE_SIZE_MAX : 0;
    if (budget != 0 && budget < UINT64_MAX - start) {
        end = least(end, start + budget);
    }
    if (cursor->ledger.pos > pos) {
        end = least(end, cursor->ledger.pos);
    }
    if (cursor->learner && cursor->learner->frontier > pos) {
        end = least(end, cursor->learner->frontier);
    }
    return end;
}

/* Returns the number of CPUs that are known. */
static uint32_t known_cpus(const struct tt_cursor *cursor)
{
    uint32_t cpus = cursor->state.cpu_count;
    return cursor->learner ? (uint32_t)least(cpus, cursor->capture->cpu_count) : cpus;
}

/* Begins a run with the record at the cursor; returns false if it cannot be plain. */
static bool begin_run(const struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                      const struct tt_batch *batch, struct run *run)
{
    const struct btrace_state_blob *state = &cursor->state;
    const struct btrace_learner *learner = cursor->learner;
    const struct btrace_clock *clock = &cursor->decoder->clock;
    uint64_t end = end_of_run(cursor, bytes, start, batch);
    if (state->pos >= end || !state->any || state->lost || (learner && learner->may_expire)) {
        return false;
    }
    uint32_t flags = bytes.data[state->pos + 1] & RUN_FLAGS;
    if ((flags & ~(uint32_t)BTRACE_HAS_HEADER2) != clock->stream_flags) {
        return false;
    }
    *run = (struct run){
        .bytes = bytes.data,
        .end = end,
        .codes = BTRACE_CODE_SEEN | BTRACE_CODE_SPECIAL | (learner ? BTRACE_CODE_TEACHES : 0),
        .flags = flags << 8,
        .header2 = flags & BTRACE_HAS_HEADER2 ? UINT32_MAX : 0,
        .cpus = known_cpus(cursor),
        .time_at = flags & BTRACE_HAS_HEADER2 ? 8 : 4,
        .context_at = btrace_header_bytes((uint8_t)flags),
        .actions_end = tt_action_out_limit(batch),
        .halves = clock->wide && !clock->down && state->time.started &&
                  (flags & BTRACE_STREAM_FLAGS) == BTRACE_STREAM_FLAGS,
        .learns = btrace_learns(cursor, state->pos),
        .accounts = batch->actions && cursor->ledger.pos == state->pos,
    };
    for (unsigned i = 0; i < sizeof run->headers; i++) {
        run->headers[i] = (uint8_t)btrace_header_bytes((uint8_t)(flags | i << CONTEXT_BIT));
    }
    return true;
}

/* The words of a plain record. */
struct plain {
    const uint8_t *at;
    uint64_t code;
    uint32_t first; /* size, flags, category and sub-category */
    uint32_t size;
    uint32_t header; /* bytes before the data */
    uint32_t cpu;
};

/* Reads the record at `pos`; returns false if it is not plain. */
static inline bool read_plain(const struct btrace_decoder *d, const struct run *run, uint64_t pos,
                              struct plain *r)
{
    const uint8_t *at = run->bytes + pos;
    uint32_t first = tt_load_u32(at, false);
    uint32_t header2 = tt_load_u32(at + 4, false) & run->header2;
    r->at = at;
    r->first = first;
    r->size = first & UINT8_MAX;
    r->header = run->headers[first >> (8 + CONTEXT_BIT) & 7];
    /* The CPU comes to the low bits, and all others, which are 0 in a plain record, above them. */
    r->cpu = header2 >> BTRACE_CPU_SHIFT | header2 << (32 - BTRACE_CPU_SHIFT);
    r->code = btrace_code_known(d, (uint8_t)(first >> 16), (uint8_t)(first >> 24));
    return (first & RUN_FLAGS << 8) == run->flags && r->cpu < run->cpus && r->size >= r->header &&
           r->size <= BTRACE_SIZE_MAX && (r->code & run->codes) == BTRACE_CODE_SEEN;
}

/* Sets the thread of an event, as event_thread in btrace_decode.c. */
static inline void set_thread(struct tt_cursor *cursor, const struct run *run,
                              const struct plain *r, struct tt_event *event)
{
    const struct btrace_cpu *cpu = &cursor->state.cpus[r->cpu];
    event->thread = TT_NO_THREAD;
    event->flags = 0;
    if (r->first & BTRACE_HAS_CONTEXT << 8) {
        uint32_t context = tt_load_u32(r->at + run->context_at, false);
        if ((context & 3u) == BTRACE_IN_THREAD) {
            event->thread = btrace_lane_at(cursor, context, event->pos, run->learns);
        }
    } else if ((r->code & BTRACE_CODE_USAGE) == 0 && cpu->thread != TT_NO_THREAD &&
               cpu->depth == 0) {
        event->thread = cpu->thread;
        event->flags = TT_EVENT_INFERRED;
    }
}

static void step_other_time(struct tt_cursor *cursor, const struct run *run, const struct plain *r,
                            uint64_t pos)
{
    const uint8_t flags = (uint8_t)(run->flags >> 8), *at = r->at + run->time_at;
    uint32_t timestamp = btrace_take_word(&at, flags, BTRACE_HAS_TIMESTAMP);
    uint32_t timestamp2 = btrace_take_word(&at, flags, BTRACE_HAS_TIMESTAMP2);
    if (!btrace_time_step(&cursor->decoder->clock, &cursor->state.time, flags, timestamp,
                          timestamp2)) {
        btrace_learn_health(cursor, TT_HEALTH_TIME_BACK, pos, timestamp, "timestamp");
    }
}

static inline void step_time(struct tt_cursor *cursor, const struct run *run, const struct plain *r,
                             uint64_t pos)
{
    struct btrace_time *time = &cursor->state.time;
    uint64_t ticks = tt_load_u64(r->at + run->time_at, false);
    if (run->halves && ticks >= time->ticks) {
        time->ticks = ticks;
    } else {
        step_other_time(cursor, run, r, pos);
    }
}

static inline void take_plain(struct tt_cursor *cursor, const struct run *run,
                              const struct plain *r, uint64_t pos, struct btrace_actor *actor,
                              struct tt_event *event)
{
    const enum btrace_effect effect =
        (enum btrace_effect)(r->code >> BTRACE_CODE_EFFECT & UINT8_MAX);
    step_time(cursor, run, r, pos);
    event->ticks = cursor->state.time.ticks;
    event->pos = pos;
    event->type = (uint32_t)r->code - 1;
    event->length = r->size;
    event->cpu = (uint16_t)r->cpu;
    event->kind = (uint8_t)(r->code >> BTRACE_CODE_KIND);
    set_thread(cursor, run, r, event);
    actor->event = event;
    if (effect != BTRACE_NO_EFFECT) {
        actor->cpu = &cursor->state.cpus[r->cpu];
        actor->payload = tt_bytes_of(r->at + r->header, r->size - r->header);
        actor->sub = (uint8_t)(r->first >> 24);
        if (run->accounts && effect >= BTRACE_COUNTS_CHUNK) {
            cursor->ledger.pos = pos;
        }
        btrace_act(actor, effect);
    }
    if (TT_NOTE_KINDS >> event->kind & 1) {
        btrace_act_note(actor);
    }
}

/* Moves the cursor to the record after the run's last one. */
static void end_run(struct tt_cursor *cursor, const struct run *run, uint64_t records,
                    uint64_t next)
{
    if (run->accounts) {
        cursor->ledger.pos = next;
    }
    if (run->learns) {
        cursor->learner->records += records;
        cursor->learner->frontier = next;
    }
    cursor->state.pos = next;
}

void btrace_decode_plain(struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                         struct tt_batch *batch)
{
    struct run run;
    struct plain r;
    if (!begin_run(cursor, bytes, start, batch, &run)) {
        return;
    }
    const struct btrace_decoder *d = cursor->decoder;
    struct btrace_actor actor = {.cursor = cursor,
                                 .out = tt_action_out_begin(batch, &cursor->spare)};
    struct tt_event *first = batch->events + batch->count, *event = first;
    const struct tt_event *end = batch->events + batch->capacity;
    uint64_t pos = cursor->state.pos;
    while (pos < run.end && event < end && actor.out.count < run.actions_end &&
           read_plain(d, &run, pos, &r)) {
        tt_prefetch(r.at + TT_AHEAD_BYTES);
        take_plain(cursor, &run, &r, pos, &actor, event);
        event++;
        pos += (r.size + 3u) & ~3u;
    }
    if (event > first) {
        end_run(cursor, &run, (uint64_t)(event - first), pos);
    }
    tt_action_out_end(&actor.out, batch);
    batch->count += (uint32_t)(event - first);
    batch->records += (uint64_t)(event - first);
}
