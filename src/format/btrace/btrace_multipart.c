/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_multipart.h"

#include <stdlib.h>

#include "base/section_file.h"

/* ---- jumps to distant parts ------------------------------------------------------------- */

bool btrace_jumps_init(struct btrace_jumps *jumps)
{
    *jumps = (struct btrace_jumps){0};
    tt_column_init(&jumps->list, sizeof(struct btrace_jump));
    return pthread_mutex_init(&jumps->lock, NULL) == 0;
}

void btrace_jumps_free(struct btrace_jumps *jumps)
{
    tt_hash_free(&jumps->hash);
    tt_column_free(&jumps->list);
    pthread_mutex_destroy(&jumps->lock);
}

bool btrace_jumps_add(struct btrace_jumps *jumps, uint64_t from, uint64_t to)
{
    uint64_t count = tt_column_count(&jumps->list);
    struct btrace_jump *jump = count < TT_HASH_NONE ? tt_column_next(&jumps->list) : NULL;
    if (!jump) {
        return false;
    }
    jump->from = from;
    jump->to = to;
    pthread_mutex_lock(&jumps->lock);
    bool added = tt_hash_add(&jumps->hash, tt_hash_of_pair(from, 0), (uint32_t)count);
    if (added) {
        tt_column_publish(&jumps->list);
    }
    pthread_mutex_unlock(&jumps->lock);
    return added;
}

uint64_t btrace_jumps_find(struct btrace_jumps *jumps, uint64_t from)
{
    uint64_t to = UINT64_MAX;
    struct tt_probe probe;
    pthread_mutex_lock(&jumps->lock);
    for (uint32_t n = tt_hash_first(&jumps->hash, tt_hash_of_pair(from, 0), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&jumps->hash, &probe)) {
        const struct btrace_jump *jump = tt_column_at(&jumps->list, n);
        if (jump->from == from) {
            to = jump->to;
            break;
        }
    }
    pthread_mutex_unlock(&jumps->lock);
    return to;
}

/* ---- parts of one trace ----------------------------------------------------------------- */

void btrace_gather_start(struct btrace_gather *g, struct tt_bytes bytes, struct btrace_jumps *jumps,
                         const struct btrace_record *first)
{
    g->bytes = bytes;
    g->jumps = jumps;
    g->at = first->pos;
    g->next = btrace_record_next(first);
    g->id = first->extra;
    g->total = btrace_record_word(first, 0);
    g->filled = btrace_part_bytes(first);
    g->whole = false;
    g->over = !(first->flags & BTRACE_HAS_EXTRA) || first->length < 8 || g->filled > g->total;
}

/* Returns whether `part` continues after `filled` of `total` bytes. */
static bool is_continuation(uint32_t total, uint32_t filled, const struct btrace_record *part)
{
    uint32_t bytes = btrace_part_bytes(part);
    return part->length >= 8 && btrace_record_word(part, 0) == total &&
           btrace_record_word(part, 1) == filled && bytes <= total - filled &&
           (part->part != BTRACE_LAST || bytes == total - filled);
}

/* Finds the next record with the trace's id, by walking or by a jump; returns false if there is
 * none. */
static bool next_of_id(struct btrace_gather *g, struct btrace_record *part)
{
    for (unsigned i = 0; i < BTRACE_GROUP_NEAR; i++) {
        if (btrace_record_read(g->bytes, g->next, part) != BTRACE_READ_OK) {
            return false;
        }
        g->next = btrace_record_next(part);
        if (part->part != BTRACE_WHOLE && (part->flags & BTRACE_HAS_EXTRA) &&
            part->extra == g->id) {
            return true;
        }
    }
    uint64_t far = btrace_jumps_find(g->jumps, g->at);
    if (far == UINT64_MAX || btrace_record_read(g->bytes, far, part) != BTRACE_READ_OK) {
        return false;
    }
    g->next = btrace_record_next(part);
    return part->extra == g->id;
}

bool btrace_gather_next(struct btrace_gather *g, struct btrace_record *part)
{
    if (g->over || !next_of_id(g, part) || part->part == BTRACE_FIRST ||
        !is_continuation(g->total, g->filled, part)) {
        g->over = true;
        return false;
    }
    g->at = part->pos;
    g->filled += btrace_part_bytes(part);
    g->whole = part->part == BTRACE_LAST;
    g->over = g->whole;
    return true;
}

/* ---- open traces of a stream ------------------------------------------------------------ */

/* Each record opens at most one trace and none is older than the gap, so the slots suffice. */
#define SLOTS   (BTRACE_GROUP_GAP + 2)
#define BUCKETS 4096u
#define NONE    UINT32_MAX

struct btrace_groups {
    struct btrace_group slots[SLOTS];
    uint32_t buckets[BUCKETS];
    uint32_t free; /* linked by `next` */
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

/* Inserts it as the most recent one. There is a free slot. */
static void insert_newest(struct btrace_groups *g, const struct btrace_group *opened)
{
    uint32_t slot = g->free, *bucket = bucket_of(g, opened->id);
    struct btrace_group *group = &g->slots[slot];
    g->free = group->next;
    *group = *opened;
    group->next = *bucket;
    *bucket = slot;
    link_newest(g, slot);
}

bool btrace_groups_open(struct btrace_groups *g, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed)
{
    uint32_t slot = find(g, first->extra);
    bool reused = slot != NONE;
    if (reused) {
        *closed = take_out(g, slot);
    }
    insert_newest(g, &(struct btrace_group){.first_pos = first->pos,
                                            .last_pos = first->pos,
                                            .record = record_number,
                                            .id = first->extra,
                                            .total = btrace_record_word(first, 0),
                                            .filled = btrace_part_bytes(first)});
    return reused;
}

enum btrace_part_fate btrace_groups_part(struct btrace_groups *g, const struct btrace_record *part,
                                         uint64_t record_number, struct btrace_group *before)
{
    uint32_t slot = part->flags & BTRACE_HAS_EXTRA ? find(g, part->extra) : NONE;
    if (slot == NONE) {
        return BTRACE_PART_ORPHAN;
    }
    struct btrace_group *group = &g->slots[slot];
    *before = *group;
    if (!is_continuation(group->total, group->filled, part)) {
        take_out(g, slot);
        return BTRACE_PART_MISFIT;
    }
    if (part->part == BTRACE_LAST) {
        take_out(g, slot);
        return BTRACE_PART_FINISHED;
    }
    group->filled += btrace_part_bytes(part);
    group->record = record_number;
    group->last_pos = part->pos;
    unlink_age(g, slot);
    link_newest(g, slot);
    return BTRACE_PART_TAKEN;
}

bool btrace_groups_any(const struct btrace_groups *g)
{
    return g->oldest != NONE;
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
