/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode_fast: decodes events without learning and without actions. Only the first slot of an
 * event matters then, so a stretch is walked twice: first to list the slots that begin an event,
 * then to decode these events.
 *
 *      slots   | S | CB| CC| CE| S | CB| CE| S |      structure: S and CB have the top bit clear
 *      begins  | 0 | 1 |   |   | 4 | 5 |   | 7 |
 *
 * The kind of the next event is unpredictable, so neither walk branches on it: the thread of a
 * state is computed for every event and selected if the event is a state. Rare cases (a CPU's first
 * slot, CONTROL events, new processes and threads, a dump) go to kev_decode_event().
 *
 * State that only health notes and actions need is not maintained: open events, `state_seen`.
 */
#include "format/kev/kev_decode_fast.h"

/* Lists the slots that begin an event. */
static KEV_HOT uint32_t list_begins(const uint8_t *bytes, uint32_t slots, bool big,
                                    uint16_t *begins)
{
    const uint8_t *structure = bytes + (big ? 0 : 3);
    uint32_t count = 0;
    for (uint32_t i = 0; i < slots; i++) {
        begins[count] = (uint16_t)i;
        count += structure[(size_t)i * KEV_SLOT] < 0x80u;
    }
    return count;
}

/* Returns the byte offset of a listed event from the first slot. */
static KEV_HOT uint64_t offset_of(const uint16_t *begins, uint32_t index)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.*): list_begins set it */
    return (uint64_t)begins[index] * KEV_SLOT;
}

/* Decodes the events that begin in `slots` slots and fit the batch. */
static KEV_HOT enum tt_decode_result decode_stretch(struct tt_cursor *cursor, uint32_t slots,
                                                    bool big, const struct kev_span *span,
                                                    struct tt_batch *batch)
{
    uint16_t begins[KEV_STRETCH];
    const uint64_t pos = cursor->s.pos;
    const uint8_t *bytes = cursor->capture->bytes.data + pos;
    const uint32_t room = batch->capacity - batch->count;
    uint32_t count = list_begins(bytes, slots, big, begins);
    const bool full = count >= room;
    count = full ? room : count;
    struct tt_event *event = batch->events + batch->count;
    struct kev_fast_state state = kev_fast_state_of(cursor);
    uint32_t info;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = offset_of(begins, i);
        tt_prefetch(bytes + at + (uint64_t)KEV_STRETCH * KEV_SLOT);
        if (kev_fast_event(&state, bytes + at, pos + at, big, KEV_INFO_FAST, false, event, &info)) {
            event++;
            continue;
        }
        kev_commit(cursor, pos + at, batch, event);
        enum tt_decode_result result = kev_decode_event(cursor, span, batch);
        uint64_t next = i + 1 < count ? pos + offset_of(begins, i + 1) : UINT64_MAX;
        if (result != TT_DECODE_MORE || cursor->s.in_dump || cursor->s.pos > next) {
            return result;
        }
        state = kev_fast_state_of(cursor);
        event = batch->events + batch->count;
    }
    uint64_t end = pos + (full ? offset_of(begins, count - 1) + KEV_SLOT : slots * KEV_SLOT);
    kev_commit(cursor, end > cursor->s.pos ? end : cursor->s.pos, batch, event);
    return TT_DECODE_MORE;
}

/* Skips the slots of the last event that are adjacent to its first one. */
static void skip_parts(struct tt_cursor *cursor, uint64_t limit, struct tt_batch *batch)
{
    const struct tt_event *last = &batch->events[batch->count - 1];
    if (last->flags & TT_EVENT_MULTIPART) {
        uint64_t end = last->pos + (uint64_t)kev_chain_at(cursor, last->pos, limit) * KEV_SLOT;
        kev_commit(cursor, end > cursor->s.pos ? end : cursor->s.pos, batch, last + 1);
    }
}

static KEV_HOT enum tt_decode_result decode(struct tt_cursor *cursor, const struct kev_span *span,
                                            bool big, struct tt_batch *batch)
{
    const uint32_t had = batch->count;
    enum tt_decode_result result = TT_DECODE_MORE;
    while (batch->count < batch->capacity && cursor->s.pos < span->stop &&
           result == TT_DECODE_MORE) {
        uint32_t slots = kev_stretch_slots(cursor->s.pos, span, batch->capacity - batch->count);
        result = slots > 0 && !cursor->s.in_dump && cursor->s.begun
                     ? decode_stretch(cursor, slots, big, span, batch)
                     : kev_decode_event(cursor, span, batch);
    }
    if (batch->count > had && result == TT_DECODE_MORE) {
        skip_parts(cursor, span->limit, batch);
    }
    return result;
}

enum tt_decode_result kev_decode_fast(struct tt_cursor *cursor, const struct kev_span *span,
                                      struct tt_batch *batch)
{
    cursor->s.late_count = 0; /* unused without actions */
    return cursor->d->big ? decode(cursor, span, true, batch) : decode(cursor, span, false, batch);
}
