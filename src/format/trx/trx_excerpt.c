/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_excerpt: writes a part of a ThreadX trace.
 *
 *      header | registry | entries at the beginning | entries of the range
 *
 * The ring becomes a buffer in time order that its entries fill exactly; the header has its new end
 * and oldest entry. The beginning repeats entries from before the range, with the time of the last of
 * them: the last RESUME or SUSPEND of each thread and its last own entry, the last entry of each core,
 * and the begins of open interrupts. Every entry shows which thread runs, so all entries of the range are written.
 */
#include <stdlib.h>

#include "format/excerpt_format.h"
#include "format/trx/trx_decode.h"

#define ENTRIES_PER_STEP 4096u

struct tt_excerpt_state {
    const struct tt_excerpt_job *job;
    const struct trx_decoder *d;
    uint32_t first; /* index of the first entry of the range */
    uint32_t next;
    uint8_t *repeated; /* one byte per entry before the range: it is repeated */
    uint64_t repeated_count;
};

static const uint8_t *entry_at(const struct tt_excerpt_state *x, uint32_t index)
{
    const struct tt_capture *c = x->job->capture;
    uint64_t offset = trx_entry_offset(x->d, index);
    uint64_t end = x->d->image ? c->bytes.size : x->job->limit;
    bool is_there = offset <= end && end - offset >= x->d->header.entry_size;
    return is_there ? c->bytes.data + offset : NULL;
}

static void put_ulong(struct tt_excerpt_state *x, uint64_t value)
{
    const struct trx_header *h = &x->d->header;
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (!h->wide) {
        tt_excerpt_put_u32(x->job->out, low, h->big);
        return;
    }
    tt_excerpt_put_u32(x->job->out, h->big ? high : low, h->big);
    tt_excerpt_put_u32(x->job->out, h->big ? low : high, h->big);
}

/* ---- the beginning ------------------------------------------------------------------------ */

static void repeat(struct tt_excerpt_state *x, uint32_t index)
{
    if (index < x->first && !x->repeated[index]) {
        x->repeated[index] = 1;
        x->repeated_count++;
    }
}

/* Selects the entries that are repeated. Returns false if out of memory. */
static bool find_repeated(struct tt_excerpt_state *x)
{
    const struct trx_decoder *d = x->d;
    const struct tt_excerpt_job *job = x->job;
    uint32_t *states = calloc((size_t)job->thread_count + 1, sizeof *states);
    uint32_t *own = calloc((size_t)job->thread_count + 1, sizeof *own);
    uint32_t cores[TRX_CORES] = {0};
    x->repeated = calloc((size_t)x->first + 1, 1);
    if (!states || !own || !x->repeated) {
        free(states);
        free(own);
        return false;
    }
    for (uint32_t i = 0; i < x->first; i++) {
        struct trx_entry entry;
        const uint8_t *bytes = entry_at(x, i);
        if (!bytes) {
            break;
        }
        trx_entry_load(&d->header, bytes, &entry);
        uint32_t id = trx_id_of(entry.event), core = trx_core_of(entry.event);
        uint32_t context = id == TRX_ID_RESUME || id == TRX_ID_SUSPEND
                               ? trx_context_find(d, entry.info[0])
                               : TRX_NO_CONTEXT;
        uint32_t thread = context == TRX_NO_CONTEXT ? TT_NO_THREAD : trx_context_thread(d, context);
        if (thread < job->thread_count) {
            states[thread] = i + 1;
        }
        if (core < TRX_CORES) {
            cores[core] = i + 1;
        }
        thread = trx_context_thread(d, d->plan.steps[i].context & TRX_STEP_CONTEXT);
        if (thread < job->thread_count) {
            own[thread] = i + 1;
        }
    }
    for (uint32_t i = 0; i < job->thread_count; i++) {
        repeat(x, states[i] - 1);
        repeat(x, own[i] - 1);
    }
    for (uint32_t i = 0; i < TRX_CORES; i++) {
        repeat(x, cores[i] - 1);
    }
    for (uint32_t i = 0; i < job->interrupt_count; i++) {
        repeat(x, (uint32_t)(job->interrupts[i].pos / d->header.entry_size));
    }
    free(states);
    free(own);
    return true;
}

static void put_repeated(struct tt_excerpt_state *x)
{
    const struct trx_header *h = &x->d->header;
    const uint8_t *last = x->first > 0 ? entry_at(x, x->first - 1) : NULL;
    for (uint32_t i = 0; i < x->first && last; i++) {
        const uint8_t *bytes = x->repeated[i] ? entry_at(x, i) : NULL;
        if (bytes) {
            tt_excerpt_put(x->job->out, bytes, (size_t)3 * h->word);
            tt_excerpt_put(x->job->out, last + (size_t)3 * h->word, h->word);
            tt_excerpt_put(x->job->out, bytes + (size_t)4 * h->word, (size_t)4 * h->word);
        }
    }
}

/* Writes header and registry, with a buffer of `entries` entries. */
static void put_header(struct tt_excerpt_state *x, uint64_t entries)
{
    const struct trx_header *h = &x->d->header;
    const uint8_t *bytes = x->job->capture->bytes.data;
    const size_t end_at = h->wide ? 56 : 28, after = end_at + (size_t)2 * h->word;
    tt_excerpt_put(x->job->out, bytes, end_at);
    put_ulong(x, h->buffer_start + entries * h->entry_size);
    put_ulong(x, h->buffer_start);
    tt_excerpt_put(x->job->out, bytes + after, (size_t)h->buffer_offset - after);
}

/* ---- interface ---------------------------------------------------------------------------- */

static void end(struct tt_excerpt_state *x)
{
    free(x->repeated);
    free(x);
}

static struct tt_excerpt_state *begin(const struct tt_excerpt_job *job)
{
    struct tt_excerpt_state *x = calloc(1, sizeof *x);
    if (!x) {
        return NULL;
    }
    x->job = job;
    x->d = job->capture->decoder;
    if (job->has_past) {
        x->first = (uint32_t)(job->first_pos / x->d->header.entry_size);
        x->next = x->first;
        if (!find_repeated(x)) {
            end(x);
            return NULL;
        }
    }
    put_header(x, job->records->count + x->repeated_count);
    put_repeated(x);
    return x;
}

static bool step(struct tt_excerpt_state *x)
{
    for (uint32_t n = 0; n < ENTRIES_PER_STEP && !x->job->out->stopped; n++, x->next++) {
        const uint8_t *bytes = x->next < x->d->plan.entries ? entry_at(x, x->next) : NULL;
        if (!bytes) {
            return false;
        }
        if (tt_record_set_has(x->job->records, trx_entry_offset(x->d, x->next))) {
            tt_excerpt_put(x->job->out, bytes, x->d->header.entry_size);
        }
    }
    return true;
}

static uint64_t base_of(const struct tt_capture *c)
{
    const struct trx_decoder *d = c->decoder;
    return d->header.buffer_offset;
}

static bool is_kept(const struct tt_capture *c, const struct tt_event *event)
{
    (void)c;
    (void)event;
    return true;
}

const struct tt_excerpt_format trx_excerpt = {
    .unit = 32, /* entries of 32 or 64 bytes */
    .base = base_of,
    .is_kept = is_kept,
    .begin = begin,
    .step = step,
    .end = end,
};
