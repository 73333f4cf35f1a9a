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
    uint64_t active;
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
    struct kev_fast_state state = {cursor, cursor->d->codes, cursor->s.active, cursor->ahead_of};
    return state;
}

/* As kev_time_extend(), except near 0: a result before 0 has the top bit set. */
static KEV_HOT uint64_t kev_fast_extend(uint64_t ticks, uint32_t stamp)
{
    uint32_t forward = stamp - (uint32_t)ticks + KEV_BACK_WINDOW;
    return ticks + forward - KEV_BACK_WINDOW;
}

static KEV_HOT uint64_t kev_key_at(const uint8_t *slot, bool big)
{
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    return big ? tt_load_u32(words, true) | (uint64_t)tt_load_u32(words + 4, true) << 32
               : tt_load_u64(words, false);
}

/* Returns first if `which`, else second, without a branch. */
static KEV_HOT uint32_t kev_select(bool which, uint32_t first, uint32_t second)
{
    return second ^ ((first ^ second) & (0u - (uint32_t)which));
}

/*
 * Decodes the event that begins at the slot and sets *word to the properties of its code. Returns
 * false if kev_decode_event() must decode it: its code lacks a bit of `needs` (KEV_INFO_*), its CPU
 * has no slot yet, or its CPU's time goes back: with `forward` at all, else before `ahead_of`.
 */
static KEV_HOT bool kev_fast_event(const struct kev_fast_state *k, const uint8_t *slot,
                                   uint64_t pos, bool big, uint32_t needs, bool forward,
                                   struct tt_event *event, uint32_t *word)
{
    const uint32_t header = tt_load_u32(slot, big);
    const uint32_t stamp = tt_load_u32(slot + 4, big);
    const uint64_t key = kev_key_at(slot, big);
    const uint32_t number = kev_cpu(header);
    const uint32_t info = atomic_load_explicit(&k->codes[kev_code(header)], memory_order_acquire);
    struct kev_cpu *cpu = &k->cursor->cpu[number];
    const struct kev_recent *recent = kev_recent_at(k->cursor, key);
    const uint64_t ticks = kev_fast_extend(cpu->ticks, stamp);
    const uint32_t running = cpu->running;
    uint32_t lane = recent->lane;
    bool named = kev_info_names(info);
    if (KEV_RARELY((info & needs) != needs) || KEV_RARELY(!(k->active >> number & 1)) ||
        KEV_RARELY(ticks >> 63) || KEV_RARELY(ticks < (forward ? cpu->ticks : k->ahead_of))) {
        return false;
    }
    if (KEV_RARELY((recent->key ^ key) & (0u - (uint64_t)named))) {
        named = kev_named_lane(k->cursor, key, info, pos, ticks, &lane);
    }
    const uint32_t thread = kev_select(named, lane, running);
    cpu->ticks = ticks;
    cpu->running = kev_select(kev_info_runs(info), lane, running);
    event->ticks = ticks;
    event->pos = pos;
    event->type = kev_info_type(info);
    event->thread = thread;
    event->length = KEV_SLOT;
    event->cpu = (uint16_t)number;
    event->kind = kev_info_kind(info);
    event->flags = (uint8_t)(((!named & (thread != TT_NO_THREAD)) ? TT_EVENT_INFERRED : 0u) |
                             (header >> 30 & 1 ? TT_EVENT_MULTIPART : 0u));
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
