/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_cursor: walks the tapes of the members one after the other. A batch has events of one member. The
 * cursors of members are also called struct tt_cursor; this file passes them on and never looks inside.
 */
#include <stdlib.h>
#include <string.h>

#include "format/merge/merge_internal.h"

struct tt_cursor {
    struct tt_capture *capture;
    bool learn;
    uint32_t at;            /* number of the current member */
    struct tt_event latest; /* latest event of this member so far (indexing cursor only); */
    bool has_latest;        /* valid if set */
    /* Of files that grow: the sizes up to which they are read, + 1, and whether that was the last time. */
    uint64_t ends[TT_MERGE_MOST];
    bool is_final;
    struct tt_cursor *members[]; /* NULL until needed */
};

static const struct tt_merge_member *current(const struct tt_cursor *cursor)
{
    return &cursor->capture->merge->members[cursor->at];
}

/* Creates the current member's cursor if there is none; false if out of memory. */
static bool make_current(struct tt_cursor *cursor)
{
    struct tt_cursor **own = &cursor->members[cursor->at];
    if (!*own) {
        struct tt_capture *capture = current(cursor)->capture;
        *own = capture->format->cursor_new(capture, cursor->learn);
    }
    return *own != NULL;
}

static void free_current(struct tt_cursor *cursor)
{
    tt_cursor_free(current(cursor)->capture->format, cursor->members[cursor->at]);
    cursor->members[cursor->at] = NULL;
}

struct tt_cursor *merge_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor =
        calloc(1, sizeof *cursor + capture->merge->count * sizeof *cursor->members);
    if (!cursor) {
        return NULL;
    }
    cursor->capture = capture;
    cursor->learn = learn;
    if (!make_current(cursor)) {
        free(cursor);
        return NULL;
    }
    return cursor;
}

void merge_cursor_free(struct tt_cursor *cursor)
{
    if (!cursor) {
        return;
    }
    for (cursor->at = 0; cursor->at < cursor->capture->merge->count; cursor->at++) {
        free_current(cursor);
    }
    free(cursor);
}

size_t merge_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    size_t head = sizeof cursor->at;
    const struct tt_cursor *own = cursor->members[cursor->at];
    const struct tt_format *format = current(cursor)->capture->format;
    uint8_t *to = blob;
    bool fits = capacity >= head;
    if (fits) {
        memcpy(to, &cursor->at, head);
    }
    if (!own) {
        return head;
    }
    return head + format->cursor_save(own, fits ? to + head : NULL, fits ? capacity - head : 0);
}

void merge_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    const uint8_t *from = blob;
    uint32_t at = 0;
    if (size >= sizeof at) {
        memcpy(&at, from, sizeof at);
    }
    if (at >= cursor->capture->merge->count) {
        return;
    }
    if (cursor->learn && at != cursor->at) {
        free_current(cursor);
    }
    cursor->at = at;
    if (make_current(cursor) && size > sizeof at) {
        current(cursor)->capture->format->cursor_load(cursor->members[at], from + sizeof at,
                                                      size - sizeof at);
    }
}

uint64_t merge_cursor_pos(const struct tt_cursor *cursor)
{
    const struct tt_capture *capture = current(cursor)->capture;
    const struct tt_cursor *own = cursor->members[cursor->at];
    return capture->base + (own ? capture->format->cursor_pos(own) : 0);
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* Goes on to the next member, which the indexing cursor reads for the first time. */
static bool next_member(struct tt_cursor *cursor)
{
    struct tt_capture *capture = cursor->capture;
    if (cursor->at + 1 == capture->merge->count) {
        return false;
    }
    const struct tt_merge_member *done = current(cursor);
    uint32_t first = atomic_load_explicit(&done->first_cpu, memory_order_relaxed);
    uint32_t next = first + done->capture->cpu_count;
    if (cursor->learn) {
        free_current(cursor);
    }
    cursor->at++;
    cursor->has_latest = false;
    if (cursor->learn && !capture->merge->one_system) {
        _Atomic uint16_t *place = &capture->merge->members[cursor->at].first_cpu;
        atomic_store_explicit(place, (uint16_t)(next < TT_NO_CPU ? next : TT_NO_CPU),
                              memory_order_relaxed);
    }
    return true;
}

/*
 * Decodes a part of the current member. One action less fits than in the batch: its end is added after all
 * others.
 */
static enum tt_decode_result decode_member(struct tt_cursor *cursor, uint64_t limit, bool final,
                                           struct tt_batch *batch)
{
    const struct tt_merge_member *member = current(cursor);
    uint32_t room = batch->action_capacity;
    batch->action_capacity = room > 0 ? room - 1 : 0;
    enum tt_decode_result result = member->capture->format->decode(
        cursor->members[cursor->at], merge_limit(cursor->capture, cursor->at, limit), final, batch);
    batch->action_capacity = room;
    return result;
}

/* Adds the end of a member to the actions, unless the members are parts of one system. */
static void add_end(struct tt_cursor *cursor, uint32_t events, bool ends, struct tt_batch *batch)
{
    if (cursor->capture->merge->one_system || merge_of(cursor->capture)->map || !batch->actions) {
        return;
    }
    const struct tt_event *latest = merge_latest(batch, events);
    if (cursor->learn) {
        /* Keeps the latest event of the member, and notes that it is the last one if `ends`. */
        struct tt_merge *merge = &merge_of(cursor->capture)->merge;
        bool is_new =
            latest && (!cursor->has_latest || tt_event_compare(latest, &cursor->latest) > 0);
        if (is_new) {
            cursor->latest = *latest;
            cursor->has_latest = true;
        }
        if (ends && cursor->has_latest) {
            atomic_store_explicit(&merge->members[cursor->at].end_pos, cursor->latest.pos,
                                  memory_order_relaxed);
            if (!is_new) {
                atomic_store_explicit(&merge->ends_late, true, memory_order_relaxed);
            }
        }
    }
    merge_add_end(current(cursor), cursor->at, latest, batch);
}

/*
 * Goes on to the next file that has grown since it was read to its end, in a block of its own; `size` is that up to which
 * the current one is read. Returns TT_DECODE_END if there is none.
 */
static enum tt_decode_result next_grown(struct tt_cursor *cursor, uint64_t size, bool final)
{
    const unsigned count = cursor->capture->merge->count;
    if (final && !cursor->is_final) {
        /* All are read a last time, to the end of their last record. */
        memset(cursor->ends, 0, sizeof cursor->ends);
        cursor->is_final = true;
    }
    cursor->ends[cursor->at] = size + 1;
    for (unsigned step = 1; step < count; step++) {
        const uint32_t at = (cursor->at + step) % count;
        if (merge_limit(cursor->capture, at, UINT64_MAX) + 1 > cursor->ends[at]) {
            cursor->at = at;
            return make_current(cursor) ? TT_DECODE_MORE : TT_DECODE_MEMORY;
        }
    }
    return TT_DECODE_END;
}

enum tt_decode_result merge_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                   struct tt_batch *batch)
{
    struct tt_capture *capture = cursor->capture;
    const struct tt_merge_member *member = current(cursor);
    uint32_t events = batch->count, actions = batch->action_count;
    uint64_t reached = batch->reached;
    const struct tt_map *map = merge_of(capture)->map;
    if (!make_current(cursor)) {
        return TT_DECODE_MEMORY;
    }
    batch->reached = 0;
    const uint64_t had = merge_limit(capture, cursor->at, limit);
    enum tt_decode_result result = decode_member(cursor, limit, !map || final, batch);
    if (cursor->learn) {
        /*
         * Keeps the number of CPUs of the merged capture: members of a system have the same CPUs.
         */
        uint32_t first = atomic_load_explicit(&member->first_cpu, memory_order_relaxed);
        uint32_t count = first + member->capture->cpu_count;
        if (count > capture->cpu_count) {
            capture->cpu_count = count < TT_NO_CPU ? count : TT_NO_CPU;
        }
    }

    for (uint32_t i = events; i < batch->count; i++) {
        merge_map_event(member, &batch->events[i]);
    }
    for (uint32_t i = actions; batch->actions && i < batch->action_count; i++) {
        merge_map_action(capture, member, &batch->actions[i]);
    }

    if (cursor->learn) {
        /* Keeps the time of the member's first event. */
        _Atomic uint64_t *begin = &cursor->capture->merge->members[cursor->at].begin;
        uint64_t first = atomic_load_explicit(begin, memory_order_relaxed);
        for (uint32_t i = events; i < batch->count; i++) {
            first = batch->events[i].ticks < first ? batch->events[i].ticks : first;
        }
        atomic_store_explicit(begin, first, memory_order_relaxed);
    }
    add_end(cursor, events, result == TT_DECODE_END, batch);
    uint64_t now = batch->reached > 0 ? tt_clock_map_ticks(&member->clock, batch->reached) : 0;
    batch->reached = now > reached ? now : reached;
    if (result == TT_DECODE_END && map) {
        return cursor->learn ? next_grown(cursor, had, final) : result;
    }
    if (result == TT_DECODE_END && next_member(cursor)) {
        return make_current(cursor) ? TT_DECODE_MORE : TT_DECODE_MEMORY;
    }
    return result;
}
