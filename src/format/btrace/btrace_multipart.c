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

/* Returns the position of the part after the one at `from`; UINT64_MAX: none recorded. Takes the
 * lock. */
static uint64_t btrace_jumps_find(struct btrace_jumps *jumps, uint64_t from)
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

void btrace_gather_start(struct btrace_gather *gather, struct tt_bytes bytes,
                         struct btrace_jumps *jumps, const struct btrace_record *first)
{
    gather->bytes = bytes;
    gather->jumps = jumps;
    gather->at = first->pos;
    gather->next = btrace_record_next(first);
    gather->id = first->extra;
    gather->total = btrace_record_word(first, 0);
    gather->filled = btrace_part_bytes(first);
    gather->whole = false;
    gather->over =
        !(first->flags & BTRACE_HAS_EXTRA) || first->length < 8 || gather->filled > gather->total;
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
static bool next_of_id(struct btrace_gather *gather, struct btrace_record *part)
{
    for (unsigned i = 0; i < BTRACE_GROUP_NEAR; i++) {
        if (btrace_record_read(gather->bytes, gather->next, part) != BTRACE_READ_OK) {
            return false;
        }
        gather->next = btrace_record_next(part);
        if (part->part != BTRACE_WHOLE && (part->flags & BTRACE_HAS_EXTRA) &&
            part->extra == gather->id) {
            return true;
        }
    }
    uint64_t far = btrace_jumps_find(gather->jumps, gather->at);
    if (far == UINT64_MAX || btrace_record_read(gather->bytes, far, part) != BTRACE_READ_OK) {
        return false;
    }
    gather->next = btrace_record_next(part);
    return part->extra == gather->id;
}

bool btrace_gather_next(struct btrace_gather *gather, struct btrace_record *part)
{
    if (gather->over || !next_of_id(gather, part) || part->part == BTRACE_FIRST ||
        !is_continuation(gather->total, gather->filled, part)) {
        gather->over = true;
        return false;
    }
    gather->at = part->pos;
    gather->filled += btrace_part_bytes(part);
    gather->whole = part->part == BTRACE_LAST;
    gather->over = gather->whole;
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
    struct btrace_groups *groups = malloc(sizeof *groups);
    if (!groups) {
        return NULL;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        groups->slots[i].next = i + 1 < SLOTS ? i + 1 : NONE;
    }
    for (uint32_t i = 0; i < BUCKETS; i++) {
        groups->buckets[i] = NONE;
    }
    groups->free = 0;
    groups->newest = NONE;
    groups->oldest = NONE;
    return groups;
}

void btrace_groups_free(struct btrace_groups *groups)
{
    free(groups);
}

static uint32_t *btrace_multipart_bucket_of(struct btrace_groups *groups, uint32_t id)
{
    return &groups->buckets[tt_hash_of_pair(id, 0) % BUCKETS];
}

static uint32_t btrace_multipart_find(struct btrace_groups *groups, uint32_t id)
{
    uint32_t slot = *btrace_multipart_bucket_of(groups, id);
    while (slot != NONE && groups->slots[slot].id != id) {
        slot = groups->slots[slot].next;
    }
    return slot;
}

static void unlink_age(struct btrace_groups *groups, uint32_t slot)
{
    struct btrace_group *group = &groups->slots[slot];
    *(group->newer == NONE ? &groups->newest : &groups->slots[group->newer].older) = group->older;
    *(group->older == NONE ? &groups->oldest : &groups->slots[group->older].newer) = group->newer;
}

static void link_newest(struct btrace_groups *groups, uint32_t slot)
{
    struct btrace_group *group = &groups->slots[slot];
    group->newer = NONE;
    group->older = groups->newest;
    *(groups->newest == NONE ? &groups->oldest : &groups->slots[groups->newest].newer) = slot;
    groups->newest = slot;
}

static struct btrace_group remove_part(struct btrace_groups *groups, uint32_t slot)
{
    struct btrace_group closed = groups->slots[slot];
    uint32_t *link = btrace_multipart_bucket_of(groups, closed.id);
    while (*link != slot) {
        link = &groups->slots[*link].next;
    }
    *link = closed.next;
    unlink_age(groups, slot);
    groups->slots[slot].next = groups->free;
    groups->free = slot;
    return closed;
}

/* Inserts it as the most recent one. There is a free slot. */
static void insert_newest(struct btrace_groups *groups, const struct btrace_group *opened)
{
    uint32_t slot = groups->free, *bucket = btrace_multipart_bucket_of(groups, opened->id);
    struct btrace_group *group = &groups->slots[slot];
    groups->free = group->next;
    *group = *opened;
    group->next = *bucket;
    *bucket = slot;
    link_newest(groups, slot);
}

bool btrace_groups_open(struct btrace_groups *groups, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed)
{
    uint32_t slot = btrace_multipart_find(groups, first->extra);
    bool reused = slot != NONE;
    if (reused) {
        *closed = remove_part(groups, slot);
    }
    insert_newest(groups, &(struct btrace_group){.first_pos = first->pos,
                                                 .last_pos = first->pos,
                                                 .record = record_number,
                                                 .id = first->extra,
                                                 .total = btrace_record_word(first, 0),
                                                 .filled = btrace_part_bytes(first)});
    return reused;
}

enum btrace_part_fate btrace_groups_part(struct btrace_groups *groups,
                                         const struct btrace_record *part, uint64_t record_number,
                                         struct btrace_group *before)
{
    uint32_t slot =
        part->flags & BTRACE_HAS_EXTRA ? btrace_multipart_find(groups, part->extra) : NONE;
    if (slot == NONE) {
        return BTRACE_PART_ORPHAN;
    }
    struct btrace_group *group = &groups->slots[slot];
    *before = *group;
    if (!is_continuation(group->total, group->filled, part)) {
        remove_part(groups, slot);
        return BTRACE_PART_MISFIT;
    }
    if (part->part == BTRACE_LAST) {
        remove_part(groups, slot);
        return BTRACE_PART_FINISHED;
    }
    group->filled += btrace_part_bytes(part);
    group->record = record_number;
    group->last_pos = part->pos;
    unlink_age(groups, slot);
    link_newest(groups, slot);
    return BTRACE_PART_TAKEN;
}

bool btrace_groups_any(const struct btrace_groups *groups)
{
    return groups->oldest != NONE;
}

bool btrace_groups_expire(struct btrace_groups *groups, uint64_t record_number,
                          struct btrace_group *closed)
{
    if (groups->oldest == NONE ||
        record_number - groups->slots[groups->oldest].record <= BTRACE_GROUP_GAP) {
        return false;
    }
    *closed = remove_part(groups, groups->oldest);
    return true;
}
