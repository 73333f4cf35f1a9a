/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode_fast: the common part of the two fast loops. They walk a stretch of slots twice: first
 * to find where events begin, then to decode them. Neither walk branches on the next slot's kind.
 * Ownership and threads as in kev_decode.h.
 */
#ifndef TRACETUI_FORMAT_KEV_KEV_DECODE_FAST_H
#define TRACETUI_FORMAT_KEV_KEV_DECODE_FAST_H

#include "base/prefetch.h"
#include "format/kev/kev_decode.h"

#define KEV_STRETCH 512u /* slots */

/* Cursor members read for each event; only rare events change them. */
struct kev_fast_state {
    struct tt_cursor *cursor;
    const _Atomic uint32_t *codes;
    uint64_t ahead_of;
};

static KEV_HOT struct kev_fast_state kev_fast_state_of(struct tt_cursor *cursor)
{
    if (KEV_RARELY(cursor->recent_generation != cursor->generation)) {
        for (uint32_t i = 0; i < sizeof cursor->recent / sizeof cursor->recent[0]; i++) {
            kev_recent_clear(cursor, i);
        }
        memset(cursor->recent_processes, 0, sizeof cursor->recent_processes);
        cursor->recent_generation = cursor->generation;
    }
    struct kev_fast_state state = {cursor, cursor->d->codes, cursor->ahead_of};
    return state;
}

static KEV_HOT uint64_t kev_key_at(const uint8_t *slot, bool big)
{
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    return big ? tt_load_u32(words, true) | (uint64_t)tt_load_u32(words + 4, true) << 32
               : tt_load_u64(words, false);
}

/* Returns all bits if the bit with this number is set, else 0. */
static KEV_HOT uint32_t kev_mask_of(uint32_t word, unsigned bit)
{
    return (uint32_t)((int32_t)(word << (31 - bit)) >> 31);
}

/* Returns the header and, in the upper half, the stamp of a slot. */
static KEV_HOT uint64_t kev_head_at(const uint8_t *slot, bool big)
{
    const uint64_t head = tt_load_u64(slot, big);
    return big ? head << 32 | head >> 32 : head;
}

/*
 * Computes the time of an event of a CPU. Returns false if kev_decode_event() must do it: the CPU has
 * no slot yet (KEV_NO_TICKS), or its time goes back: with `forward` at all, or more than
 * KEV_NEAR on; else before `ahead_of`.
 */
static KEV_HOT bool kev_fast_time(const struct kev_fast_state *k, const struct kev_cpu *cpu,
                                  uint32_t stamp, bool forward, uint64_t *ticks)
{
    const uint64_t before = cpu->ticks;
    const uint32_t after = stamp - (uint32_t)before;
    if (forward) {
        *ticks = before + after;
        return !KEV_RARELY(after > KEV_NEAR) && !KEV_RARELY(before >> 63);
    }
    /* As kev_time_extend(), except near 0: a result before 0 has the top bit set. */
    *ticks = before + (uint32_t)(after + KEV_BACK_WINDOW) - KEV_BACK_WINDOW;
    return !KEV_RARELY(*ticks >> 63) && !KEV_RARELY(*ticks < k->ahead_of);
}

/*
 * Decodes the event that begins at the slot and sets *word to the properties of its code. Returns
 * false if kev_decode_event() must decode it: its code lacks a bit of `needs` (KEV_INFO_*), or
 * because of its time.
 */
static KEV_HOT bool kev_fast_event(const struct kev_fast_state *k, const uint8_t *slot,
                                   uint64_t pos, bool big, uint32_t needs, bool forward,
                                   struct tt_event *event, uint32_t *word)
{
    const uint32_t header = tt_load_u32(slot, big);
    const uint64_t key = kev_key_at(slot, big);
    const uint32_t number = kev_cpu(header);
    const uint32_t info = atomic_load_explicit(&k->codes[kev_code(header)], memory_order_acquire);
    struct kev_cpu *cpu = &k->cursor->cpu[number];
    const struct kev_recent *recent = kev_recent_at(k->cursor, key);
    uint64_t ticks;
    const bool in_time = kev_fast_time(k, cpu, tt_load_u32(slot + 4, big), forward, &ticks);
    if (KEV_RARELY(!in_time) || KEV_RARELY((info & needs) != needs)) {
        return false;
    }
    const uint32_t running = cpu->running;
    uint32_t lane = recent->lane, names = kev_mask_of(info, KEV_INFO_NAMES_BIT);
    if (KEV_RARELY((recent->key ^ key) & (0u - (uint64_t)kev_info_names(info)))) {
        const struct kev_named named = kev_find_named(k->cursor, key, info, pos, ticks);
        if (named.lane == KEV_UNDECIDED) {
            return false;
        }
        lane = named.lane;
        names = named.mask;
    }
    const uint32_t differs = lane ^ running;
    const uint32_t thread = running ^ (differs & names);
    cpu->ticks = ticks;
    cpu->running = running ^ (differs & kev_mask_of(info, KEV_INFO_RUNS_BIT));
    event->ticks = ticks;
    event->pos = pos;
    event->type = kev_info_type(info);
    event->thread = thread;
    event->length = KEV_SLOT;
    event->cpu = (uint16_t)number;
    event->kind = kev_info_kind(info);
    event->flags = (uint8_t)(((names + 1) & (thread != TT_NO_THREAD)) * TT_EVENT_INFERRED |
                             (header >> 30 & 1) * TT_EVENT_MULTIPART);
    *word = info;
    return true;
}

/* Moves the cursor to the position of the walk, before another function continues. */
static KEV_HOT void kev_commit(struct tt_cursor *cursor, uint64_t pos, struct tt_batch *batch,
                               const struct tt_event *end)
{
    batch->count = (uint32_t)(end - batch->events);
    batch->records += (pos - cursor->s.pos) / KEV_SLOT;
    cursor->s.pos = pos;
    if (batch->count > 0) {
        cursor->s.last_ticks = end[-1].ticks;
    }
}

/* Returns the number of slots to walk as one stretch. */
static KEV_HOT uint32_t kev_stretch_slots(uint64_t pos, const struct kev_span *span, uint32_t room)
{
    uint64_t available = span->limit > pos ? (span->limit - pos) / KEV_SLOT : 0;
    uint64_t before_stop = (span->stop - pos - 1) / KEV_SLOT + 1; /* rounded up */
    uint64_t most = room < KEV_STRETCH / 4 ? 2 * room + 8 : KEV_STRETCH;
    most = available < most ? available : most;
    return (uint32_t)(before_stop < most ? before_stop : most);
}

#endif
