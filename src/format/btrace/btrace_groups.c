/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_groups.h"

#include <stdlib.h>

#include "base/hash.h"

/* ---- walking the parts of one trace ------------------------------------------------------- */

void btrace_gather_start(struct btrace_gather *g, struct tt_bytes bytes,
                         const struct btrace_record *first)
{
    g->bytes = bytes;
    g->next = btrace_record_next(first);
    g->id = first->extra;
    g->total = btrace_record_word(first, 0);
    g->filled = btrace_part_bytes(first);
    g->whole = false;
    g->over = !(first->flags & BTRACE_HAS_EXTRA) || first->length < 8 || g->filled > g->total;
}

/* Does `part` go on where `filled` of `total` bytes ended? */
static bool goes_on(uint32_t total, uint32_t filled, const struct btrace_record *part)
{
    uint32_t bytes = btrace_part_bytes(part);
    return part->length >= 8 && btrace_record_word(part, 0) == total &&
           btrace_record_word(part, 1) == filled && bytes <= total - filled &&
           (part->part != BTRACE_LAST || bytes == total - filled);
}

bool btrace_gather_next(struct btrace_gather *g, struct btrace_record *part)
{
    for (unsigned i = 0; i < BTRACE_GROUP_GAP && !g->over; i++) {
        if (btrace_record_read(g->bytes, g->next, part) != BTRACE_READ_OK) {
            break;
        }
        g->next = btrace_record_next(part);
        if (part->part == BTRACE_WHOLE || !(part->flags & BTRACE_HAS_EXTRA) ||
            part->extra != g->id) {
            continue;
        }
        if (part->part == BTRACE_FIRST || !goes_on(g->total, g->filled, part)) {
            break;
        }
        g->filled += btrace_part_bytes(part);
        g->whole = part->part == BTRACE_LAST;
        g->over = g->whole;
        return true;
    }
    g->over = true;
    return false;
}

/* ---- the open traces of a stream ---------------------------------------------------------- */

/* At most one trace a record, and none older than the gap: the slots always suffice. */
#define SLOTS   (BTRACE_GROUP_GAP + 2)
#define BUCKETS 4096u
#define NONE    UINT32_MAX

struct btrace_groups {
    struct btrace_group slots[SLOTS];
    uint32_t buckets[BUCKETS];
    uint32_t free; /* chained by `next` */
    uint32_t newest;
    uint32_t oldest;
};

struct btrace_groups *btrace_groups_new(void)
{
    struct btrace_groups *g = malloc(sizeof *g);
    if (!g) {
        return NULL;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        g->slots[i].next = i + 1 < SLOTS ? i + 1 : NONE;
    }
    for (uint32_t i = 0; i < BUCKETS; i++) {
        g->buckets[i] = NONE;
    }
    g->free = 0;
    g->newest = NONE;
    g->oldest = NONE;
    return g;
}

void btrace_groups_free(struct btrace_groups *groups)
{
    free(groups);
}

static uint32_t *bucket_of(struct btrace_groups *g, uint32_t id)
{
    return &g->buckets[tt_hash_of_pair(id, 0) % BUCKETS];
}

static uint32_t find(struct btrace_groups *g, uint32_t id)
{
    uint32_t slot = *bucket_of(g, id);
    while (slot != NONE && g->slots[slot].id != id) {
        slot = g->slots[slot].next;
    }
    return slot;
}

static void unlink_age(struct btrace_groups *g, uint32_t slot)
{
    struct btrace_group *group = &g->slots[slot];
    *(group->newer == NONE ? &g->newest : &g->slots[group->newer].older) = group->older;
    *(group->older == NONE ? &g->oldest : &g->slots[group->older].newer) = group->newer;
}

static void link_newest(struct btrace_groups *g, uint32_t slot)
{
    struct btrace_group *group = &g->slots[slot];
    group->newer = NONE;
    group->older = g->newest;
    *(g->newest == NONE ? &g->oldest : &g->slots[g->newest].newer) = slot;
    g->newest = slot;
}

static struct btrace_group take_out(struct btrace_groups *g, uint32_t slot)
{
    struct btrace_group closed = g->slots[slot];
    uint32_t *link = bucket_of(g, closed.id);
    while (*link != slot) {
        link = &g->slots[*link].next;
    }
    *link = closed.next;
    unlink_age(g, slot);
    g->slots[slot].next = g->free;
    g->free = slot;
    return closed;
}

bool btrace_groups_open(struct btrace_groups *g, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed)
{
    uint32_t slot = find(g, first->extra);
    bool reused = slot != NONE;
    if (reused) {
        *closed = take_out(g, slot);
    }
    slot = g->free;
    struct btrace_group *group = &g->slots[slot];
    g->free = group->next;
    group->first_pos = first->pos;
    group->record = record_number;
    group->id = first->extra;
    group->total = btrace_record_word(first, 0);
    group->filled = btrace_part_bytes(first);
    uint32_t *bucket = bucket_of(g, group->id);
    group->next = *bucket;
    *bucket = slot;
    link_newest(g, slot);
    return reused;
}

enum btrace_part_fate btrace_groups_part(struct btrace_groups *g, const struct btrace_record *part,
                                         uint64_t record_number, struct btrace_group *closed)
{
    uint32_t slot = part->flags & BTRACE_HAS_EXTRA ? find(g, part->extra) : NONE;
    if (slot == NONE) {
        return BTRACE_PART_ORPHAN;
    }
    struct btrace_group *group = &g->slots[slot];
    if (!goes_on(group->total, group->filled, part)) {
        *closed = take_out(g, slot);
        return BTRACE_PART_MISFIT;
    }
    group->filled += btrace_part_bytes(part);
    group->record = record_number;
    if (part->part == BTRACE_LAST) {
        *closed = take_out(g, slot);
        return BTRACE_PART_FINISHED;
    }
    unlink_age(g, slot);
    link_newest(g, slot);
    return BTRACE_PART_TAKEN;
}

bool btrace_groups_expire(struct btrace_groups *g, uint64_t record_number,
                          struct btrace_group *closed)
{
    if (g->oldest == NONE || record_number - g->slots[g->oldest].record <= BTRACE_GROUP_GAP) {
        return false;
    }
    *closed = take_out(g, g->oldest);
    return true;
}
