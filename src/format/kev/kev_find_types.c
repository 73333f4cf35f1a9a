/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_find_types: finds the events of some types in a block. A slot of another type costs a look at its
 * code and its time:
 *
 *      codes    mark
 *      INT_ENTR   WANTED     becomes an event
 *      THRUNNING  RUNS       the last one of each CPU is noted, and looked up for an event there
 *      BUFFER     SPECIAL    must follow the one before: no CPU forgets its thread
 *      others     KNOWN
 *
 * The index has the times of the first and last event of the block. The time of a slot follows from
 * its low half and these alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "format/kev/kev_decode.h"

enum { KNOWN = 1, SPECIAL = 2, RUNS = 4, WANTED = 8 };

/* The marks of each code, and the types that they are made of. */
struct kev_marks {
    uint8_t of[KEV_CODES];
    uint8_t wanted[KEV_CODES];
    uint32_t count; /* of `wanted` */
    uint32_t types; /* of the capture */
};

struct walk {
    struct tt_cursor *cursor;
    struct tt_block_search *search;
    const uint8_t *marks;
    const uint8_t *bytes; /* of the first slot */
    struct kev_state s;   /* before the block; the sequence numbers are those of the last buffer */
    uint32_t base;        /* low half of the block's first time */
    bool loaded;          /* the cursor has the state before the block */
    bool big;
    uint32_t runs[2 * KEV_CPUS]; /* by CPU: last slot that set a thread running, + 1; the upper half
                                    is written for all other slots */
};

/* ---- marks -------------------------------------------------------------------------------- */

static bool kev_find_types_is_wanted(const struct tt_type_set *types, uint32_t type)
{
    return type >= types->count || types->wanted[type] != 0;
}

static uint8_t mark_of(struct tt_cursor *cursor, uint32_t code, bool wanted)
{
    uint32_t info = atomic_load_explicit(&cursor->d->codes[code], memory_order_acquire);
    info = info != 0 ? info : kev_code_info(cursor, code);
    bool special = wanted || kev_info_task(info) == KEV_BUFFER;
    return (uint8_t)(KNOWN | (special ? SPECIAL : 0) | (wanted ? WANTED : 0) |
                     (kev_info_runs(info) ? RUNS : 0));
}

/* Returns the marks for a set of types; NULL if out of memory. */
static const uint8_t *marks_for(struct tt_cursor *cursor, const struct tt_type_set *types)
{
    const struct tt_capture *capture = cursor->capture;
    struct kev_marks *marks = cursor->marks ? cursor->marks : calloc(1, sizeof *marks);
    uint32_t count = tt_types_count(capture);
    cursor->marks = marks;
    if (!marks || types->count > KEV_CODES) {
        return NULL;
    }
    if (marks->types == count && marks->count == types->count &&
        memcmp(marks->wanted, types->wanted, types->count) == 0) {
        return marks->of;
    }
    marks->types = count;
    marks->count = types->count;
    memcpy(marks->wanted, types->wanted, types->count);
    for (uint32_t type = 0; type < count; type++) {
        uint64_t code = tt_types_at(capture, type)->code;
        if (code != 0 && code < KEV_CODES) { /* 0: it may be an empty slot */
            marks->of[code] =
                mark_of(cursor, (uint32_t)code, kev_find_types_is_wanted(types, type));
        }
    }
    return marks->of;
}

/* Returns whether a buffer is the one after the last. Otherwise records are lost or out of order. */
static bool follows(struct walk *walk, const uint8_t *slot)
{
    uint32_t sequence = tt_load_u32(slot + KEV_SLOT_HEAD, walk->big);
    if (walk->cursor->d->release == KEV_8) {
        return false; /* a sequence per CPU */
    }
    bool next = walk->s.sequence_known != 0 && walk->s.sequence == walk->s.newest &&
                sequence == walk->s.newest + 1;
    walk->s.sequence = walk->s.newest = sequence;
    return next;
}

/* Returns the lane that a slot names. */
static uint32_t kev_find_types_lane_at(const struct walk *walk, uint32_t index)
{
    const uint8_t *words = walk->bytes + (uint64_t)index * KEV_SLOT + KEV_SLOT_HEAD;
    return kev_known_lane(walk->cursor->capture, tt_load_u32(words, walk->big),
                          tt_load_u32(words + 4, walk->big),
                          walk->s.pos + (uint64_t)index * KEV_SLOT);
}

static uint32_t running_on(struct walk *walk, uint32_t cpu)
{
    if (walk->runs[cpu] != 0) {
        return kev_find_types_lane_at(walk, walk->runs[cpu] - 1);
    }

    /*
     * ---- rare slots ---------------------------------------------------------------------------
     */
    if (!walk->loaded) {
        kev_cursor_load(walk->cursor, walk->search->blob, walk->search->blob_size);
        walk->loaded = true;
    }

    bool active = walk->cursor->s.active >> cpu & 1;
    return active ? walk->cursor->cpu[cpu].running : TT_NO_THREAD;
}

/*
 * Handles a slot with the mark SPECIAL, or of an unknown code. Returns false if the block has to be
 * decoded.
 */
static KEV_COLD bool visit_slot(struct walk *walk, uint32_t index, uint32_t row, unsigned mark)
{
    struct tt_block_search *search = walk->search;
    const uint8_t *slot = walk->bytes + (uint64_t)index * KEV_SLOT;
    uint32_t header = tt_load_u32(slot, walk->big), stamp = tt_load_u32(slot + 4, walk->big);
    uint32_t info =
        atomic_load_explicit(&walk->cursor->d->codes[kev_code(header)], memory_order_acquire);
    if (!(mark & WANTED)) {
        return (mark & SPECIAL) && follows(walk, slot);
    }
    if (!(info & KEV_INFO_FAST) || search->count == search->capacity) {
        return false;
    }

    /* Decides whether the event of a slot belongs to the thread that it names, as kev_named_lane. */
    const uint8_t *words = walk->bytes + (uint64_t)index * KEV_SLOT + KEV_SLOT_HEAD;
    int32_t pid = (int32_t)tt_load_u32(words, walk->big);
    int32_t tid = (int32_t)tt_load_u32(words + 4, walk->big);
    bool named =
        kev_info_names(info) && ((pid > 0 && tid > 0) || kev_info_task(info) != KEV_OF_THREAD);

    uint32_t thread =
        named ? kev_find_types_lane_at(walk, index) : running_on(walk, kev_cpu(header));
    search->rows[search->count] = row;
    search->found[search->count++] = (struct tt_event){
        .ticks = search->first_ticks + (stamp - walk->base),
        .pos = walk->s.pos + (uint64_t)index * KEV_SLOT,
        .type = kev_info_type(info),
        .thread = thread,
        .length = KEV_SLOT,
        .cpu = (uint16_t)kev_cpu(header),
        .kind = kev_info_kind(info),
        .flags = (uint8_t)((!named && thread != TT_NO_THREAD ? TT_EVENT_INFERRED : 0) |
                           (header >> 30 & 1 ? TT_EVENT_MULTIPART : 0)),
    };
    return true;
}

/* ---- the block ---------------------------------------------------------------------------- */

/* Branches on wanted slots and buffers only. */
static KEV_HOT bool walk_slots(struct walk *walk, uint64_t slots, bool big)
{
    const uint8_t *marks = walk->marks, *slot = walk->bytes;
    const uint32_t events = walk->search->events, base = walk->base;
    const uint32_t most = slots < UINT32_MAX ? (uint32_t)slots : UINT32_MAX;
    uint32_t *runs = walk->runs;
    uint32_t begins = 0, before = 0, unsorted = 0;
    for (uint32_t i = 0; begins < events; i++, slot += KEV_SLOT) {
        if (i >= most) {
            return false;
        }
        const uint32_t header = tt_load_u32(slot, big);
        const uint32_t part = (uint32_t)((int32_t)header >> 31); /* 0, or all bits: no event */
        const uint32_t after = tt_load_u32(slot + 4, big) - base;
        const uint32_t mark = marks[kev_code(header)] | (part & KNOWN);
        tt_prefetch(slot + TT_AHEAD_BYTES);
        if (KEV_RARELY((mark & (KNOWN | SPECIAL)) != KNOWN) && part == 0 &&
            !visit_slot(walk, i, begins, mark)) {
            return false;
        }
        runs[kev_cpu(header) | ((mark & ~part & RUNS) ^ RUNS) * (KEV_CPUS / RUNS)] = i + 1;
        unsorted |= (after < before) & (part + 1);
        before ^= (before ^ after) & ~part;
        begins += part + 1;
    }
    return !unsorted && before <= walk->search->last_ticks - walk->search->first_ticks;
}

bool kev_find_types(struct tt_cursor *cursor, uint64_t limit, struct tt_block_search *search)
{
    struct walk w = {.cursor = cursor,
                     .search = search,
                     .marks = marks_for(cursor, &search->types),
                     .base = (uint32_t)search->first_ticks,
                     .big = cursor->d->big};
    search->count = 0;
    if (!w.marks || kev_is_damaged(cursor->capture) || search->blob_size < sizeof w.s ||
        search->last_ticks - search->first_ticks > UINT32_MAX) {
        return false;
    }
    memcpy(&w.s, search->blob, sizeof w.s);
    if (w.s.pos < cursor->d->slots || w.s.pos > limit) {
        return false;
    }
    w.bytes = cursor->capture->bytes.data + w.s.pos;
    uint64_t slots = (limit - w.s.pos) / KEV_SLOT;
    return w.big ? walk_slots(&w, slots, true) : walk_slots(&w, slots, false);
}
