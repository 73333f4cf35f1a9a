/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_excerpt: writes a part of a BTrace capture.
 *
 *      period of the timestamps | names of threads and objects | contexts and states | records
 *
 * A BTrace stream has no header. The beginning repeats records from before the range, with the time
 * of its beginning: EMetaTraceTimestampsInfo, all records of EThreadIdentification and those with the
 * names of other objects, which give addresses their meaning. Then come the records that blocked
 * threads (before any switch they set the state without one), the last switch of each CPU, and the
 * records that blocked threads which still run.
 */
#include <stdlib.h>
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "format/excerpt_format.h"

#define WORD             4u
#define RECORDS_PER_STEP 4096u
#define GROUPS           64u /* multipart names that are open at once */

struct tt_excerpt_state {
    const struct tt_excerpt_job *job;
    struct tt_bytes bytes;
    uint32_t stamp; /* of the beginning */
    uint32_t stamp2;
    uint64_t next;
    uint32_t groups[GROUPS]; /* ids of multipart names */
    uint32_t group_count;
    uint64_t *blocked; /* by thread: position + 1 of the record that blocks it; 0: none */
    uint32_t running[BTRACE_CPUS];
    uint64_t switched[BTRACE_CPUS]; /* position + 1 of the last switch; 0: none */
};

/* Writes a record and its padding to a word. */
static void btrace_excerpt_put(struct tt_excerpt_state *state, const uint8_t *bytes, uint32_t size)
{
    static const uint8_t padding[WORD];
    tt_excerpt_put(state->job->out, bytes, size);
    tt_excerpt_put(state->job->out, padding, (WORD - size % WORD) % WORD);
}

static void store_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++) {
        to[i] = (uint8_t)(word >> (8 * i));
    }
}

/* Writes a record from before the range with the time of the beginning. It follows no loss. */
static void put_earlier(struct tt_excerpt_state *state, const struct btrace_record *record)
{
    uint8_t copy[BTRACE_SIZE_MAX];
    memcpy(copy, state->bytes.data + record->pos, record->size);
    copy[1] &= (uint8_t)~BTRACE_MISSING;
    unsigned at = record->flags & BTRACE_HAS_HEADER2 ? 2 * WORD : WORD;
    if (record->flags & BTRACE_HAS_TIMESTAMP) {
        store_word(copy + at, state->stamp);
        at += WORD;
    }
    if (record->flags & BTRACE_HAS_TIMESTAMP2) {
        store_word(copy + at, state->stamp2);
    }
    btrace_excerpt_put(state, copy, record->size);
}

static bool btrace_excerpt_is_definition(uint8_t category, uint8_t sub,
                                         const struct btrace_sub *layout)
{
    return category == BTRACE_THREAD_IDENTIFICATION ||
           (category == BTRACE_META_TRACE && sub == BTRACE_TIMESTAMPS_INFO) ||
           (category == BTRACE_CLIENT_SERVER && sub == BTRACE_SESSION_ATTACH) ||
           (layout && layout->names);
}

/* Returns whether a part of a multipart trace continues a definition. */
static bool continues_definition(struct tt_excerpt_state *state, const struct btrace_record *record)
{
    for (uint32_t i = 0; i < state->group_count; i++) {
        if (state->groups[i] == record->extra) {
            if (record->part == BTRACE_LAST) {
                state->groups[i] = state->groups[--state->group_count];
            }
            return true;
        }
    }
    return false;
}

/* ---- contexts and states ------------------------------------------------------------------ */

/* Returns the thread of a record: that of its context, or the one that runs on its CPU. */
static uint32_t btrace_excerpt_thread_of(const struct tt_excerpt_state *state,
                                         const struct btrace_record *record)
{
    struct btrace_decoder *decoder = state->job->capture->decoder;
    if (!(record->flags & BTRACE_HAS_CONTEXT)) {
        return record->cpu < BTRACE_CPUS ? state->running[record->cpu] : TT_NO_THREAD;
    }
    if ((record->context & 3u) != BTRACE_IN_THREAD) {
        return TT_NO_THREAD;
    }
    uint32_t lane = btrace_names_lookup(&decoder->names, BTRACE_OBJECT_THREAD, record->context,
                                        record->pos, false);
    return lane < state->job->thread_count ? lane : TT_NO_THREAD;
}

enum effect { NO_EFFECT, BLOCKS, UNBLOCKS };

static enum effect effect_of(const struct btrace_record *record)
{
    if (record->category == BTRACE_FAST_MUTEX) {
        return record->sub == BTRACE_FAST_MUTEX_BLOCK  ? BLOCKS
               : record->sub == BTRACE_FAST_MUTEX_WAIT ? UNBLOCKS
                                                       : NO_EFFECT;
    }
    if (record->category != BTRACE_KERNEL_SYNC) {
        return NO_EFFECT;
    }
    switch (record->sub) {
    case BTRACE_SEMAPHORE_BLOCK:
    case BTRACE_MUTEX_BLOCK:
    case BTRACE_CONDVAR_BLOCK:
        return BLOCKS;
    case BTRACE_SEMAPHORE_ACQUIRE:
    case BTRACE_MUTEX_ACQUIRE:
    case BTRACE_CONDVAR_WAKE_UP:
        return UNBLOCKS;
    default:
        return NO_EFFECT;
    }
}

/* Records what a record before the range changes. */
static void btrace_excerpt_see(struct tt_excerpt_state *state, const struct btrace_record *record)
{
    if (record->category == BTRACE_CPU_USAGE && record->sub == BTRACE_NEW_THREAD_CONTEXT &&
        record->cpu < BTRACE_CPUS) {
        uint32_t came = btrace_excerpt_thread_of(state, record);
        state->running[record->cpu] = came;
        state->switched[record->cpu] = record->pos + 1;
        if (came != TT_NO_THREAD) {
            state->blocked[came] = 0;
        }
        return;
    }
    enum effect effect = effect_of(record);
    uint32_t thread = effect == NO_EFFECT ? TT_NO_THREAD : btrace_excerpt_thread_of(state, record);
    if (thread != TT_NO_THREAD) {
        state->blocked[thread] = effect == BLOCKS ? record->pos + 1 : 0;
    }
}

static bool runs(const struct tt_excerpt_state *state, uint32_t thread)
{
    for (uint32_t cpu = 0; cpu < BTRACE_CPUS; cpu++) {
        if (state->switched[cpu] != 0 && state->running[cpu] == thread) {
            return true;
        }
    }
    return false;
}

static void btrace_excerpt_put_at(struct tt_excerpt_state *state, uint64_t pos)
{
    struct btrace_record r;
    if (btrace_record_read(state->bytes, pos, &r) == BTRACE_READ_OK) {
        put_earlier(state, &r);
    }
}

/* Writes the records that block threads that run, or those that do not. */
static void put_blocked(struct tt_excerpt_state *state, bool running)
{
    for (uint32_t thread = 0; thread < state->job->thread_count; thread++) {
        if (state->blocked[thread] != 0 && runs(state, thread) == running) {
            btrace_excerpt_put_at(state, state->blocked[thread] - 1);
        }
    }
}

/* ---- the beginning ------------------------------------------------------------------------ */

/* Writes the definitions before the range and finds the contexts and states at its beginning. */
static void put_definitions(struct tt_excerpt_state *state)
{
    struct btrace_record r;
    uint64_t pos = 0;
    while (pos < state->job->first_pos) {
        enum btrace_read read = btrace_record_read(state->bytes, pos, &r);
        if (read == BTRACE_READ_BAD) {
            pos += WORD;
            continue;
        }
        if (read != BTRACE_READ_OK) {
            return;
        }
        bool later = r.part == BTRACE_MIDDLE || r.part == BTRACE_LAST;
        bool picked = later ? continues_definition(state, &r)
                            : btrace_excerpt_is_definition(r.category, r.sub, r.layout);
        if (picked) {
            put_earlier(state, &r);
        } else if (!later) {
            btrace_excerpt_see(state, &r);
        }
        if (picked && r.part == BTRACE_FIRST && state->group_count < GROUPS) {
            state->groups[state->group_count++] = r.extra;
        }
        pos = btrace_record_next(&r);
    }
}

static struct tt_excerpt_state *btrace_excerpt_begin(const struct tt_excerpt_job *job)
{
    struct tt_excerpt_state *state = calloc(1, sizeof *state);
    struct btrace_record before;
    if (!state ||
        !(state->blocked = calloc((size_t)job->thread_count + 1, sizeof *state->blocked))) {
        free(state);
        return NULL;
    }
    state->job = job;
    for (uint32_t cpu = 0; cpu < BTRACE_CPUS; cpu++) {
        state->running[cpu] = TT_NO_THREAD;
    }
    state->bytes = tt_bytes_slice(job->capture->bytes, 0, job->limit);
    if (job->has_past &&
        btrace_record_read(state->bytes, job->before_pos, &before) == BTRACE_READ_OK) {
        state->stamp = before.timestamp;
        state->stamp2 = before.timestamp2;
        put_definitions(state);

        put_blocked(state, false);
        for (uint32_t cpu = 0; cpu < BTRACE_CPUS; cpu++) {
            if (state->switched[cpu] != 0) {
                btrace_excerpt_put_at(state, state->switched[cpu] - 1);
            }
        }
        put_blocked(state, true);
        for (uint32_t i = 0; i < state->job->interrupt_count; i++) {
            btrace_excerpt_put_at(state, state->job->interrupts[i].pos);
        }
    }
    return state;
}

static bool btrace_excerpt_step(struct tt_excerpt_state *state)
{
    struct btrace_record r;
    for (uint32_t n = 0; n < RECORDS_PER_STEP && !state->job->out->sink.stopped; n++) {
        if (!tt_record_set_next(state->job->records, &state->next) ||
            btrace_record_read(state->bytes, state->next, &r) != BTRACE_READ_OK) {
            return false;
        }
        btrace_excerpt_put(state, state->bytes.data + state->next, r.size);
        state->next += WORD;
    }
    return true;
}

static void btrace_excerpt_end(struct tt_excerpt_state *state)
{
    free(state->blocked);
    free(state);
}

static uint64_t btrace_excerpt_base_of(const struct tt_capture *capture)
{
    (void)capture;
    return 0;
}

static bool btrace_excerpt_is_kept(const struct tt_capture *capture, const struct tt_event *event)
{
    const uint64_t code = tt_types_at(capture, event->type)->code;
    const uint8_t category = (uint8_t)(code >> 8), sub = (uint8_t)code;
    bool is_state = event->kind == TT_KIND_STATE || event->kind == TT_KIND_SWITCH ||
                    event->kind == TT_KIND_WAKEUP || event->kind == TT_KIND_LIFETIME ||
                    event->kind == TT_KIND_CONTROL || event->kind == TT_KIND_INTERRUPT_ENTER ||
                    event->kind == TT_KIND_INTERRUPT_EXIT;
    return is_state || category == BTRACE_CPU_USAGE ||
           btrace_excerpt_is_definition(category, sub, btrace_sub_of(category, sub));
}

const struct tt_excerpt_format btrace_excerpt = {
    .unit = WORD,
    .base = btrace_excerpt_base_of,
    .is_kept = btrace_excerpt_is_kept,
    .begin = btrace_excerpt_begin,
    .step = btrace_excerpt_step,
    .end = btrace_excerpt_end,
};
