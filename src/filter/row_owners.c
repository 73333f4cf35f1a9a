/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/row_owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define BATCH 1024u

void tt_row_owners_free(struct tt_row_owners *owners)
{
    free(owners->threads);
    free(owners->cpus);
    memset(owners, 0, sizeof *owners);
}

/* Makes room for bit `number`. */
static bool row_owners_reserve(uint64_t **bits, uint32_t *limit, uint32_t number)
{
    if (number < *limit) {
        return true;
    }
    size_t had = *limit / 64, words = ((size_t)number / 64 + 1) * 2;
    uint64_t *more = words <= UINT32_MAX / 64 ? realloc(*bits, words * sizeof *more) : NULL;
    if (!more) {
        return false;
    }
    memset(more + had, 0, (words - had) * sizeof *more);
    *bits = more;
    *limit = (uint32_t)words * 64;
    return true;
}

/* Handles rows [row, row + count); skips the read if none of them is in the set. */
static void row_owners_add_rows(struct tt_row_owners *owners, struct tt_events *events,
                                const struct tt_row_set *set, uint64_t row, uint32_t count)
{
    struct tt_event batch[BATCH];
    if (tt_row_set_rank(set, row) == tt_row_set_rank(set, row + count)) {
        return;
    }
    count = tt_events_read(events, row, count, batch);
    for (uint32_t i = 0; i < count; i++) {
        if (tt_row_set_has(set, row + i)) {
            const struct tt_event *event = &batch[i];
            if (event->thread != TT_NO_THREAD) {
                if (row_owners_reserve(&owners->threads, &owners->thread_limit, event->thread)) {
                    owners->threads[event->thread / 64] |= UINT64_C(1) << (event->thread % 64);
                } else {
                    owners->failed = true;
                }
            }
            if (event->cpu != TT_NO_CPU) {
                if (row_owners_reserve(&owners->cpus, &owners->cpu_limit, event->cpu)) {
                    owners->cpus[event->cpu / 64] |= UINT64_C(1) << (event->cpu % 64);
                } else {
                    owners->failed = true;
                }
            }
        }
    }
}

static uint32_t batch_size(uint64_t left, uint64_t most)
{
    left = left < most ? left : most;
    return left < BATCH ? (uint32_t)left : BATCH;
}

bool tt_row_owners_step(struct tt_row_owners *owners, struct tt_events *events,
                        const struct tt_row_set *set, uint64_t first, uint64_t end, uint64_t most)
{
    uint64_t low, high;
    tt_row_set_known(set, &low, &high);
    low = low > first ? low : first;
    high = high < end ? high : end;
    owners->failed |= !row_owners_reserve(&owners->threads, &owners->thread_limit, 0) ||
                      !row_owners_reserve(&owners->cpus, &owners->cpu_limit, 0);
    if (low >= high) {
        return true;
    }
    if (!owners->begun) {
        owners->from = owners->to = low;
        owners->begun = true;
    }
    while (most > 0 && owners->to < high) {
        uint32_t count = batch_size(high - owners->to, most);
        row_owners_add_rows(owners, events, set, owners->to, count);
        owners->to += count;
        most -= count;
    }
    while (most > 0 && owners->from > low) {
        uint32_t count = batch_size(owners->from - low, most);
        owners->from -= count;
        row_owners_add_rows(owners, events, set, owners->from, count);
        most -= count;
    }
    return owners->to >= high && owners->from <= low;
}

static bool row_owners_has_bit(const uint64_t *bits, uint32_t limit, uint32_t bit)
{
    return bit < limit && tt_bit_at(bits, bit);
}

bool tt_row_owners_thread(const struct tt_row_owners *owners, uint32_t thread)
{
    return row_owners_has_bit(owners->threads, owners->thread_limit, thread);
}

bool tt_row_owners_cpu(const struct tt_row_owners *owners, uint32_t cpu)
{
    return row_owners_has_bit(owners->cpus, owners->cpu_limit, cpu);
}

uint32_t tt_row_owners_threads(const struct tt_row_owners *owners)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < owners->thread_limit / 64; word++) {
        count += tt_bits_in(owners->threads[word]);
    }
    return count;
}
