/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_excerpt: writes a part of a ThreadX trace.
 *
 *      header | registry | beginning | entries of the range
 *
 * The ring becomes a buffer in time order that its entries fill exactly; the header has its new end
 * and oldest entry, and the number of entries of the beginning (trx_header.h). These have the time of the
 * last entry before the range:
 *
 *      RESUME, SUSPEND    of each thread that is ready, or waits, in its own context, with its priority
 *      RELINQUISH         of each core, to the thread that runs there, or to none
 *      ISR_ENTER          the begins of open interrupts, as recorded
 *
 * Every entry shows which thread runs, so all entries of the range are written.
 */
#include <stdlib.h>
#include <string.h>

#include "format/excerpt_format.h"
#include "format/trx/trx_decode.h"

#define ENTRIES_PER_STEP 4096u

struct tt_excerpt_state {
    const struct tt_excerpt_job *job;
    const struct trx_decoder *d;
    uint32_t first; /* index of the first entry of the range */
    uint32_t next;
    uint32_t count;             /* entries of the beginning */
    uint64_t stamp;             /* theirs, of the one timer */
    uint64_t fallback;          /* address of a context for a core without a thread, */
    uint64_t fallback_priority; /* and its priority word, which a reader takes for the thread's */
    bool counting;              /* entries are counted and not written */
};

static const uint8_t *trx_excerpt_entry_at(const struct tt_excerpt_state *state, uint32_t index)
{
    const struct tt_capture *capture = state->job->capture;
    uint64_t offset = trx_entry_offset(state->d, index);
    uint64_t end = state->d->image ? capture->bytes.size : state->job->limit;
    bool is_there = offset <= end && end - offset >= state->d->header.entry_size;
    return is_there ? trx_entry_at(state->d, index) : NULL;
}

static void put_ulong(struct tt_excerpt_state *state, uint64_t value)
{
    const struct trx_header *header = &state->d->header;
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (!header->wide) {
        tt_excerpt_put_u32(state->job->out, low, header->big);
        return;
    }
    tt_excerpt_put_u32(state->job->out, header->big ? high : low, header->big);
    tt_excerpt_put_u32(state->job->out, header->big ? low : high, header->big);
}

/* ---- the beginning ------------------------------------------------------------------------ */

/* Writes an entry of the beginning. */
static void put_entry(struct tt_excerpt_state *state, uint64_t context, uint64_t priority,
                      uint32_t core, uint32_t id, const uint64_t info[4])
{
    const uint64_t stamp = state->d->plan.apart
                               ? (state->stamp - state->d->plan.ahead[core]) & state->d->header.mask
                               : state->stamp;
    const uint64_t words[] = {context, priority, core << 24 | id, stamp,
                              info[0], info[1],  info[2],         info[3]};
    state->count++;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !state->counting; i++) {
        put_ulong(state, words[i]);
    }
}

static uint64_t trx_excerpt_address_of(const struct tt_excerpt_state *state, uint32_t thread)
{
    return tt_thread_at(state->job->capture, thread)->tid;
}

/* Returns the priority word of a thread. */
static uint64_t priority_word(const struct tt_excerpt_thread *of)
{
    return of->priority == TT_NO_PRIORITY ? 0 : (uint64_t)of->priority;
}

/* Writes which thread has each core. */
static void put_occupants(struct tt_excerpt_state *state)
{
    uint32_t running[TRX_CORES];
    bool seen[TRX_CORES] = {false};

    /* Sets, by core, whether it has an entry before the range. */
    for (uint32_t i = 0; i < state->first; i++) {
        seen[trx_step_core(state->d->plan.steps[i].context)] = true;
    }

    memset(running, 0xff, sizeof running); /* TT_NO_THREAD */
    for (uint32_t i = 0; i < state->job->thread_count; i++) {
        const struct tt_excerpt_thread *of = &state->job->threads[i];
        if (of->role == TT_EXCERPT_ON_CPU && of->cpu < TRX_CORES) {
            running[of->cpu] = i;
        }
    }
    for (uint32_t core = 0; core < state->d->plan.cores; core++) {
        const uint32_t thread = running[core];
        if (thread != TT_NO_THREAD) {
            const uint64_t address = trx_excerpt_address_of(state, thread);
            const uint64_t info[4] = {0, address};
            put_entry(state, address, priority_word(&state->job->threads[thread]), core,
                      TRX_ID_RELINQUISH, info);
        } else if (seen[core]) {
            const uint64_t info[4] = {0};
            put_entry(state, state->fallback, state->fallback_priority, core, TRX_ID_RELINQUISH,
                      info);
        }
    }
}

static void trx_excerpt_put_beginning(struct tt_excerpt_state *state)
{
    state->count = 0;
    state->fallback = TRX_ADDRESS_ISR;
    state->fallback_priority = 0;

    /* Writes the states of the threads that do not run. */
    for (uint32_t i = 0; i < state->job->thread_count; i++) {
        const struct tt_excerpt_thread *of = &state->job->threads[i];
        if (of->role < TT_EXCERPT_IN_STATE || of->state < TRX_STATE_READY ||
            tt_thread_at(state->job->capture, i)->pseudo) {
            continue;
        }
        const bool is_ready = of->state == TRX_STATE_READY;
        const uint64_t address = trx_excerpt_address_of(state, i);
        const uint64_t info[4] = {address, of->state - TRX_STATE_READY};
        state->fallback = address;
        state->fallback_priority = priority_word(of);
        put_entry(state, address, state->fallback_priority, 0,
                  is_ready ? TRX_ID_RESUME : TRX_ID_SUSPEND, info);
    }

    put_occupants(state);

    for (uint32_t i = 0; i < state->job->interrupt_count; i++) {
        struct trx_entry entry;
        const uint64_t pos = state->job->interrupts[i].pos;
        const uint8_t *bytes =
            trx_excerpt_entry_at(state, (uint32_t)(pos / state->d->header.entry_size));
        if (bytes) {
            trx_entry_load(&state->d->header, bytes, &entry);
            put_entry(state, entry.context, entry.priority, trx_core_of(entry.event) % TRX_CORES,
                      trx_id_of(entry.event), entry.info);
        }
    }
}

/* ---- interface ---------------------------------------------------------------------------- */

static void trx_excerpt_end(struct tt_excerpt_state *state)
{
    free(state);
}

static struct tt_excerpt_state *trx_excerpt_begin(const struct tt_excerpt_job *job)
{
    struct tt_excerpt_state *state = calloc(1, sizeof *state);
    if (!state) {
        return NULL;
    }
    state->job = job;
    state->d = job->capture->decoder;
    if (job->has_past) {
        state->first = state->next = (uint32_t)(job->first_pos / state->d->header.entry_size);
        const uint8_t *last =
            state->first > 0 ? trx_excerpt_entry_at(state, state->first - 1) : NULL;
        state->stamp = !last                  ? 0
                       : state->d->plan.apart ? trx_stamp_at(state->d, last)
                                              : trx_word(&state->d->header, last, TRX_WORD_STAMP);
        state->counting = true;
        trx_excerpt_put_beginning(state);
        state->counting = false;
    }

    /* Writes header and registry, with a buffer of `entries` entries. */
    uint64_t entries = job->records->count + state->count;
    const struct trx_header *header = &state->d->header;
    const uint8_t *bytes = state->job->capture->bytes.data;
    const size_t end_at = header->wide ? 56 : 28;
    size_t after = end_at + (size_t)2 * header->word;
    tt_excerpt_put(state->job->out, bytes, end_at);
    put_ulong(state, header->buffer_start + entries * header->entry_size);
    put_ulong(state, header->buffer_start);
    if (state->job->has_past) {
        put_ulong(state, TRX_SAVED);
        put_ulong(state, state->count | (state->d->plan.has_internal ? TRX_SAVED_INTERNAL : 0) |
                             (state->d->plan.counts_down ? TRX_SAVED_DOWN : 0) |
                             (state->d->plan.apart ? TRX_SAVED_APART : 0));
        after += (size_t)2 * header->word;
    }
    tt_excerpt_put(state->job->out, bytes + after, (size_t)header->buffer_offset - after);

    if (job->has_past) {
        trx_excerpt_put_beginning(state);
    }
    return state;
}

static bool trx_excerpt_step(struct tt_excerpt_state *state)
{
    for (uint32_t n = 0; n < ENTRIES_PER_STEP && !state->job->out->sink.stopped;
         n++, state->next++) {
        const uint8_t *bytes =
            state->next < state->d->plan.entries ? trx_excerpt_entry_at(state, state->next) : NULL;
        if (!bytes) {
            return false;
        }
        const uint64_t offset = trx_entry_offset(state->d, state->next);
        if (tt_record_set_has(state->job->records, offset)) {
            /* An entry with a wrong time gets that of the entry before. */
            const uint8_t *own = state->job->capture->bytes.data + offset;
            const size_t word = state->d->header.word, size = state->d->header.entry_size;
            tt_excerpt_put(state->job->out, own, TRX_WORD_STAMP * word);
            tt_excerpt_put(state->job->out, bytes + TRX_WORD_STAMP * word,
                           size - TRX_WORD_STAMP * word);
        }
    }
    return true;
}

static uint64_t trx_excerpt_base_of(const struct tt_capture *capture)
{
    const struct trx_decoder *decoder = capture->decoder;
    return decoder->header.buffer_offset;
}

static bool trx_excerpt_is_kept(const struct tt_capture *capture, const struct tt_event *event)
{
    (void)capture;
    (void)event;
    return true;
}

const struct tt_excerpt_format trx_excerpt = {
    .unit = 32, /* entries of 32 or 64 bytes */
    .base = trx_excerpt_base_of,
    .is_kept = trx_excerpt_is_kept,
    .begin = trx_excerpt_begin,
    .step = trx_excerpt_step,
    .end = trx_excerpt_end,
};
