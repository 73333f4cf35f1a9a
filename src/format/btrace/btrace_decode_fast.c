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
 * first two words, its step of time and its code (BTRACE_CODE_PLAIN). All else is left to btrace_decode.c,
 * which gives the same results for plain records, too.
 */
#include "base/prefetch.h"
#include "format/btrace/btrace_internal.h"
#include "format/btrace/btrace_record_inline.h"

/* Flags that are equal in all records of a run; the last two are not set. */
#define RUN_FLAGS (BTRACE_HAS_HEADER2 | BTRACE_STREAM_FLAGS | BTRACE_TRUNCATED | BTRACE_MISSING)

enum { CONTEXT_BIT = 3, INFER_BIT = 7 };
_Static_assert(BTRACE_HAS_CONTEXT == 1 << CONTEXT_BIT && BTRACE_WORK_INFER == 1u << INFER_BIT,
               "one is shifted to the place of the other");

/* Constants of a run. */
struct run {
    const uint8_t *bytes;
    const uint8_t *end; /* a record that begins before it is complete, and in the batch's budget */
    uint64_t plain;     /* bit that the code of a plain record has */
    uint8_t flags;
    uint32_t header2; /* mask: 0 if the records have none */
    uint32_t cpus;
    uint32_t time_at; /* offsets in the record */
    uint32_t context_at;
    uint32_t actions_end; /* the batch has room while it has fewer actions */
    uint64_t width;       /* mask of the count: 32 or 64 bits, 0 if the records have no time */
    uint64_t base;        /* to be subtracted from a count for its time */
    uint64_t down;        /* all ones if the count goes down */
    uint64_t step;        /* a step of time without a question is shorter */
    bool learns;
    bool accounts;
};

static uint64_t min_u32(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns where the run ends at the latest: the same cases apply to all records before. */
static uint64_t end_of_run(const struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                           const struct tt_batch *batch)
{
    const uint64_t pos = cursor->state.pos, budget = batch->byte_budget;
    uint64_t end = bytes.size > BTRACE_SIZE_MAX + 4 ? bytes.size - (BTRACE_SIZE_MAX + 4) : 0;
    if (budget != 0 && budget < UINT64_MAX - start) {
        end = min_u32(end, start + budget);
    }
    if (cursor->ledger.pos > pos) {
        end = min_u32(end, cursor->ledger.pos);
    }
    if (cursor->learner && cursor->learner->frontier > pos) {
        end = min_u32(end, cursor->learner->frontier);
    }
    if (!btrace_learns(cursor, pos) && tt_column_count(&cursor->decoder->verdicts) > 0) {
        end = min_u32(end, btrace_verdicts_next(&cursor->decoder->verdicts, pos));
    }
    return end;
}

/* Returns the number of CPUs that are known. */
static uint32_t known_cpus(const struct tt_cursor *cursor)
{
    uint32_t cpus = cursor->state.cpu_count;
    return cursor->learner ? (uint32_t)min_u32(cpus, cursor->capture->cpu_count) : cpus;
}

/* Fills the table of header bytes for runs of these flags. */
static void set_headers(struct tt_cursor *cursor, uint8_t flags)
{
    for (unsigned i = 0; i <= UINT8_MAX; i++) {
        bool in_run = (i & RUN_FLAGS) == flags;
        cursor->headers[i] = in_run ? (uint8_t)btrace_header_bytes((uint8_t)i) : UINT8_MAX;
    }
    cursor->headers_flags = flags;
}

/* Returns the mask of the count in a stream's timestamps. */
static uint64_t btrace_fast_width_of(const struct btrace_clock *clock)
{
    if (clock->stream_flags == 0) {
        return 0;
    }
    return clock->wide ? UINT64_MAX : UINT32_MAX;
}

/* Returns whether the record at the cursor is of a type that is plain. */
static bool has_plain_type(const struct tt_cursor *cursor, struct tt_bytes bytes)
{
    const uint64_t pos = cursor->state.pos;
    const uint64_t plain = cursor->learner ? BTRACE_CODE_PLAIN_NEW : BTRACE_CODE_PLAIN;
    return tt_bytes_has(bytes, pos, BTRACE_SIZE_MIN) &&
           (btrace_code_at(cursor->decoder, tt_load_u32(bytes.data + pos, false) >> 16) & plain);
}

/* Begins a run with the record at the cursor; returns false if it cannot be plain. */
static bool begin_run(struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                      const struct tt_batch *batch, struct run *run)
{
    const struct btrace_state_blob *state = &cursor->state;
    const struct btrace_learner *learner = cursor->learner;
    const struct btrace_clock *clock = &cursor->decoder->clock;
    uint64_t end = end_of_run(cursor, bytes, start, batch);
    if (state->pos >= end || !state->any || state->lost || state->resuming ||
        (learner && learner->may_expire) || (clock->stream_flags != 0 && !state->time.started)) {
        return false;
    }
    uint32_t flags = bytes.data[state->pos + 1] & RUN_FLAGS;
    if ((flags & ~(uint32_t)BTRACE_HAS_HEADER2) != clock->stream_flags) {
        return false;
    }
    if (cursor->headers_flags != flags) {
        set_headers(cursor, (uint8_t)flags);
    }
    *run = (struct run){
        .bytes = bytes.data,
        .end = bytes.data + end,
        .plain = learner ? BTRACE_CODE_PLAIN_NEW : BTRACE_CODE_PLAIN,
        .flags = (uint8_t)flags,
        .header2 = flags & BTRACE_HAS_HEADER2 ? UINT32_MAX : 0,
        .cpus = known_cpus(cursor),
        .time_at = flags & BTRACE_HAS_HEADER2 ? 8 : 4,
        .context_at = btrace_header_bytes((uint8_t)flags),
        .actions_end = tt_action_out_limit(batch),
        .width = btrace_fast_width_of(clock),
        .down = clock->down ? UINT64_MAX : 0,
        .base = clock->down && clock->wide ? UINT64_MAX - clock->base : 0,
        .step = clock->step,
        .learns = btrace_learns(cursor, state->pos),
        .accounts = batch->actions && cursor->ledger.pos == state->pos,
    };
    return true;
}

/* The words of a record. */
struct plain {
    const uint8_t *at;
    uint64_t code;
    uint64_t count; /* the time, up to multiples of its width */
    uint64_t step;  /* of time since the record before */
    uint32_t first; /* size, flags, category and sub-category */
    uint32_t size;
    uint32_t header; /* bytes before the data */
    uint32_t cpu;
    uint32_t lane;
};

/*
 * Reads a record after one with the count `before`; returns false if it is not plain, or if something about it
 * is to be judged.
 */
static inline bool read_plain(const struct tt_cursor *cursor, const struct run *run,
                              const uint8_t *at, uint64_t before, struct plain *plain)
{
    uint32_t first = tt_load_u32(at, false);
    uint32_t header2 = tt_load_u32(at + 4, false) & run->header2;
    uint64_t time = tt_load_u64(at + run->time_at, false) ^ run->down;
    plain->at = at;
    plain->first = first;
    plain->size = first & UINT8_MAX;
    plain->header = cursor->headers[first >> 8 & UINT8_MAX];
    /* The CPU comes to the low bits, and all others, which are 0 in a plain record, above them. */
    plain->cpu = header2 >> BTRACE_CPU_SHIFT | header2 << (32 - BTRACE_CPU_SHIFT);
    plain->code = btrace_code_at(cursor->decoder, first >> 16);
    plain->count = time;
    plain->step = (time - before) & run->width;
    return plain->size >= plain->header && plain->size <= BTRACE_SIZE_MAX &&
           plain->cpu < run->cpus && (plain->code & run->plain) != 0 && plain->step < run->step;
}

/* Finds the lane of a record; returns false if its thread is new, and so to be judged. */
static inline bool btrace_fast_find_lane(struct tt_cursor *cursor, const struct run *run,
                                         struct plain *plain)
{
    const uint64_t pos = (uint64_t)(plain->at - run->bytes);

    /* The NThread in a record's context; 0: none. Without a branch: interrupts have no context. */
    uint32_t context = tt_load_u32(plain->at + run->context_at, false);
    uint32_t has = plain->first >> (8 + CONTEXT_BIT) & ((context & 3u) == BTRACE_IN_THREAD);
    const uint32_t nthread = context & (0 - has);

    const struct btrace_lane_slot *slot = btrace_lane_slot(cursor, nthread);
    if (btrace_lane_is_known(cursor, slot, nthread, pos, run->learns)) {
        plain->lane = slot->lane;
        return true;
    }
    if (run->learns && nthread != slot->address && !btrace_lane_exists(cursor, nthread)) {
        return false;
    }
    plain->lane = btrace_lane_find(cursor, nthread, pos);
    return true;
}

static inline void decode_plain(struct tt_cursor *cursor, const struct run *run,
                                const struct plain *plain, uint64_t ticks,
                                struct btrace_actor *actor, struct tt_event *event)
{
    const uint64_t pos = (uint64_t)(plain->at - run->bytes);

    /* The work of a record: see BTRACE_WORK_EFFECT. */
    unsigned with_context = plain->first >> (8 + CONTEXT_BIT - INFER_BIT) & BTRACE_WORK_INFER;
    const unsigned work = btrace_code_work(plain->code) & ~with_context;

    const enum btrace_effect effect = (enum btrace_effect)(work & BTRACE_WORK_EFFECT);
    event->ticks = ticks;
    event->pos = pos;
    event->type = (uint32_t)plain->code - 1;
    event->length = plain->size;
    event->cpu = (uint16_t)plain->cpu;
    event->kind = (uint8_t)(plain->code >> BTRACE_CODE_KIND);
    event->flags = 0;
    event->thread = plain->lane;
    actor->event = event;
    actor->cpu = &cursor->state.cpus[plain->cpu];
    actor->record = plain->at;
    actor->header = plain->header;
    if (work & BTRACE_WORK_INFER) {
        /* Sets the thread of an event without a context to the one on the CPU. */
        const struct btrace_cpu *cpu = actor->cpu;
        if (cpu->thread != TT_NO_THREAD && cpu->depth == 0) {
            event->thread = cpu->thread;
            event->flags = TT_EVENT_INFERRED;
        }
    }
    if (run->accounts && effect >= BTRACE_COUNTS_CHUNK) {
        cursor->ledger.pos = pos;
    }
    btrace_acts[effect](actor);
    if (work & BTRACE_WORK_NOTE) {
        btrace_act_note(actor);
    }
}

void btrace_decode_plain(struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                         struct tt_batch *batch)
{
    struct run run;
    if (!has_plain_type(cursor, bytes) || !begin_run(cursor, bytes, start, batch, &run)) {
        return;
    }
    struct btrace_actor actor = {.cursor = cursor,
                                 .out = tt_action_out_begin(batch, &cursor->spare)};
    struct tt_event *first = batch->events + batch->count, *event = first;
    const struct tt_event *end = batch->events + batch->capacity;
    const uint8_t *at = run.bytes + cursor->state.pos;
    uint64_t ticks = cursor->state.time.ticks, before = ticks + run.base;
    struct plain r;
    while (at < run.end && event < end && actor.out.count < run.actions_end &&
           read_plain(cursor, &run, at, before, &r) && btrace_fast_find_lane(cursor, &run, &r)) {
        tt_prefetch(at + TT_AHEAD_BYTES);
        before = r.count;
        ticks += r.step;
        decode_plain(cursor, &run, &r, ticks, &actor, event);
        event++;
        at += (r.size + 3u) & ~3u;
    }
    if (event > first) {
        cursor->state.time.ticks = ticks;

        /* Moves the cursor to the record after the run's last one. */
        uint64_t records = (uint64_t)(event - first);
        uint64_t next = (uint64_t)(at - run.bytes);
        if (run.accounts) {
            cursor->ledger.pos = next;
        }
        if (run.learns) {
            cursor->learner->records += records;
            cursor->learner->frontier = next;
        }
        cursor->state.pos = next;
    }
    tt_action_out_end(&actor.out, batch);
    batch->count += (uint32_t)(event - first);
    batch->records += (uint64_t)(event - first);
}
