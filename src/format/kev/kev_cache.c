/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_cache: the part of the index cache that is specific to QNX captures: the first slot and the
 * start of each CPU's time.
 *
 *      u64 first slot | u64 CPUs with known start, one bit each | u64 a TIME was found
 *      u64 ticks of the first slot, for each of those CPUs
 *
 * Cursors need nothing else: the word of a code (kev_info()) follows from the types, threads are in
 * the registry, names of events in the types.
 */
#include "base/section_file.h"
#include "format/kev/kev_internal.h"

void kev_save(const struct tt_capture *c, struct tt_section_writer *w)
{
    const struct kev_decoder *d = c->decoder;
    tt_section_put_u64(w, d->slots);
    tt_section_put_u64(w, d->start.known);
    tt_section_put_u64(w, d->start.has_time);
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (d->start.known >> i & 1) {
            tt_section_put_u64(w, d->start.ticks[i]);
        }
    }
}

static bool read_start(struct tt_reader *r, struct kev_start *start)
{
    *start = (struct kev_start){.known = tt_read_u64(r)};
    uint64_t has_time = tt_read_u64(r);
    start->has_time = has_time == 1;
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (start->known >> i & 1) {
            start->ticks[i] = tt_read_u64(r);
        }
    }
    return !r->failed && r->pos == r->bytes.size && has_time <= 1;
}

/* Returns whether each type has a valid code; cursors look types up by code. */
static bool types_are_codes(const struct tt_capture *c)
{
    uint32_t count = tt_types_count(c);
    for (uint32_t i = 0; i < count; i++) {
        if (tt_types_at(c, i)->code >= KEV_CODES) {
            return false;
        }
    }
    return count <= KEV_CODES;
}

/* Opening searches the starts too; the stored ones must be equal. */
static bool is_same_start(const struct kev_start *a, const struct kev_start *b)
{
    return a->known == b->known && a->has_time == b->has_time &&
           memcmp(a->ticks, b->ticks, sizeof a->ticks) == 0;
}

bool kev_restore(struct tt_capture *c, struct tt_reader *r)
{
    struct kev_decoder *d = c->decoder;
    struct kev_start start;
    if (tt_read_u64(r) != d->slots || !read_start(r, &start) || !types_are_codes(c)) {
        return false;
    }
    if (atomic_load_explicit(&d->start_known, memory_order_acquire)) {
        return is_same_start(&start, &d->start);
    }
    d->start = start;
    atomic_store_explicit(&d->start_known, true, memory_order_release);
    return true;
}
