/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_join.h"

#include <stdlib.h>
#include <string.h>

#define ID_BITS     0xffffu /* of the word of an event; its top byte is the core */
#define ISR         UINT64_C(0xffffffff)
#define INIT        UINT64_C(0xf0f0f0f0)
#define KNOWN       64u
#define COMMON_MOST 64u  /* places that are compared */
#define STEPS       256u /* entries that show the direction of the timer */

/* Where the buffers are, and the image that takes their entries. */
struct joining {
    struct tt_bytes file;
    struct trx_header header; /* of the first buffer */
    struct trx_joined *joined;
    uint64_t from;         /* of the image: offset of the first entry */
    uint64_t known[KNOWN]; /* contexts that are objects of the registry, by hash */
};

static bool is_used(const struct trx_header *header, const uint8_t *entry)
{
    return trx_load(header, entry) != 0; /* the context */
}

/* Returns whether an entry can be one: it has an event, in a context that is an object of the registry. */
static bool is_entry(struct joining *joining, const uint8_t *entry)
{
    const struct trx_header *header = &joining->header;
    const uint64_t context = trx_load(header, entry);
    const uint64_t event = trx_load(header, entry + 2 * (size_t)header->word);
    const uint8_t *slot = joining->joined->image + header->registry_offset;
    uint64_t *known = &joining->known[(context >> 4) % KNOWN];
    bool is_known = context == ISR || context == INIT || context == *known;
    for (uint64_t i = 0; i < header->slots && !is_known; i++, slot += header->slot_size) {
        is_known = trx_load(header, slot + header->word) == context;
    }
    *known = is_known ? context : *known;
    return context != 0 && (event & ID_BITS) != 0 && is_known;
}

/* Returns whether two buffers have the same form, wherever they are in memory. */
static bool have_same_form(const struct trx_header *left, const struct trx_header *right)
{
    return left->big == right->big && left->wide == right->wide && left->mask == right->mask &&
           left->slots == right->slots && left->slot_size == right->slot_size &&
           left->buffer_offset == right->buffer_offset && !left->saved && !right->saved &&
           (right->doubts & ~(unsigned)TRX_DOUBT_NAME_SIZE) == 0;
}

/* Returns whether a registry has an object of the image's, at the same address with the same name. */
static bool shares_object(const struct joining *joining, const uint8_t *registry)
{
    const struct trx_header *header = &joining->header;
    const uint8_t *own = joining->joined->image + header->registry_offset;
    for (uint64_t i = 0; i < header->slots;
         i++, own += header->slot_size, registry += header->slot_size) {
        if (trx_load(header, own + header->word) != 0 &&
            memcmp(own, registry, header->slot_size) == 0) {
            return true;
        }
    }
    return header->slots == 0;
}

/* Returns how many of the first entries the image has already at its end. */
static uint64_t count_common(const struct joining *joining, const uint8_t *entries, uint64_t count)
{
    const struct trx_joined *joined = joining->joined;
    const uint64_t size = joining->header.entry_size;
    const uint8_t *image = joined->image + joining->from;
    const uint64_t most = count < joined->entries ? count : joined->entries;
    unsigned places = 0;
    for (uint64_t common = most; common > 0 && places < COMMON_MOST; common--) {
        const uint8_t *end = image + (joined->entries - common) * size;
        if (memcmp(end, entries, size) == 0) {
            places++;
            if (memcmp(end, entries, common * size) == 0) {
                return common;
            }
        }
    }
    return 0;
}

/*
 * Returns whether the time of an entry is before that of the last one of the image on its core; the last entries there show
 * the direction in which the timer counts.
 */
static bool goes_back(const struct joining *joining, const uint8_t *entry)
{
    const struct trx_header *header = &joining->header;
    const uint64_t size = header->entry_size, mask = header->mask;
    const size_t event_at = 2 * (size_t)header->word, stamp_at = 3 * (size_t)header->word;
    const uint64_t core = trx_load(header, entry + event_at) >> 24;
    const uint64_t count = joining->joined->entries;
    uint64_t later = trx_load(header, entry + stamp_at);
    int joint = 0, forward = 0; /* 1: up, -1: down */
    bool is_joint = true;
    for (uint64_t i = 0; i < STEPS && i < count; i++) {
        const uint8_t *before = joining->joined->image + joining->from + (count - 1 - i) * size;
        if (trx_load(header, before + event_at) >> 24 != core) {
            continue;
        }
        const uint64_t stamp = trx_load(header, before + stamp_at), step = (later - stamp) & mask;
        const int direction = step == 0 ? 0 : step <= mask / 2 ? 1 : -1;
        joint = is_joint ? direction : joint;
        forward += is_joint ? 0 : direction;
        is_joint = false;
        later = stamp;
    }
    return (joint > 0 && forward < 0) || (joint < 0 && forward > 0);
}

/* Appends entries up to the first unused one; returns their number. */
static uint64_t append(struct joining *joining, const uint8_t *entries, uint64_t count)
{
    struct trx_joined *joined = joining->joined;
    const struct trx_header *header = &joining->header;
    const uint64_t size = header->entry_size;
    uint64_t used = 0;
    while (used < count && is_used(header, entries + used * size)) {
        used++;
    }
    const uint64_t common = count_common(joining, entries, used);
    joined->back += common < used && goes_back(joining, entries + common * size);
    memcpy(joined->image + joining->from + joined->entries * size, entries + common * size,
           (used - common) * size);
    joined->entries += used - common;
    return used;
}

/* Appends the entries of a ring from its oldest one on. */
static void append_ring(struct joining *joining, const struct trx_header *header, uint64_t at)
{
    const uint8_t *ring = joining->file.data + at + header->buffer_offset;
    const uint64_t oldest = header->oldest < header->entries ? header->oldest : 0;
    if (is_used(header, ring + oldest * header->entry_size)) { /* else it was never full */
        append(joining, ring + oldest * header->entry_size, header->entries - oldest);
    }
    append(joining, ring, oldest);
}

/*
 * Returns the number of entries at the offset. Bytes that were inserted into a buffer move its last entries there: if
 * not all before are entries, these are no others.
 */
static uint64_t count_entries(struct joining *joining, uint64_t offset)
{
    const uint64_t size = joining->header.entry_size;
    const uint8_t *image = joining->joined->image + joining->from;
    uint64_t count = 0;
    for (uint64_t i = 0; i < joining->joined->entries; i++) {
        if (!is_entry(joining, image + i * size)) {
            return 0;
        }
    }
    while (tt_bytes_has(joining->file, offset + count * size, size) &&
           is_entry(joining, joining->file.data + offset + count * size)) {
        count++;
    }
    return count;
}

/* Skips words that are 0: neither a header nor an entry begins with one. */
static uint64_t skip_zeros(struct tt_bytes file, uint64_t offset)
{
    while (tt_bytes_has(file, offset, 4) && tt_load_u32(file.data + offset, false) == 0) {
        offset += 4;
    }
    return file.size - offset < 4 ? file.size : offset;
}

/* Appends the next buffer, or entries alone, at the offset; returns the offset after them, or 0. */
static uint64_t append_next(struct joining *joining, uint64_t offset)
{
    struct trx_header next;
    const struct tt_bytes rest = tt_bytes_slice(joining->file, offset, joining->file.size - offset);
    struct tt_status status = trx_header_read(rest, &next);
    if (tt_failed(&status)) {
        const uint64_t count = count_entries(joining, offset);
        append(joining, joining->file.data + offset, count);
        joining->joined->buffers += count > 0;
        return count > 0 ? offset + count * joining->header.entry_size : 0;
    }
    const uint64_t size = next.buffer_offset + next.entries * next.entry_size;
    if (!have_same_form(&joining->header, &next) || !tt_bytes_has(rest, 0, size) ||
        !shares_object(joining, rest.data + next.registry_offset)) {
        return 0;
    }
    append_ring(joining, &next, offset);
    memcpy(joining->joined->image, rest.data, next.buffer_offset); /* the latest registry */
    joining->joined->buffers++;
    return offset + size;
}

bool trx_join(struct tt_bytes file, struct trx_joined *joined)
{
    struct joining joining = {.file = file, .joined = joined};
    struct trx_header *header = &joining.header;
    *joined = (struct trx_joined){.rest = file.size};
    struct tt_status status = trx_header_read(file, header);
    const uint64_t end = tt_failed(&status)
                             ? file.size
                             : header->buffer_offset + header->entries * header->entry_size;
    if (tt_failed(&status) || header->entries == 0 || end >= file.size ||
        !have_same_form(header, header) || skip_zeros(file, end) == file.size) {
        return true;
    }
    joined->image = malloc((size_t)file.size);
    if (!joined->image) {
        return false;
    }
    joining.from = header->buffer_offset;
    memcpy(joined->image, file.data, header->buffer_offset);
    append_ring(&joining, header, 0);
    joined->buffers = 1;
    uint64_t next = end;
    while (next != 0) {
        joined->rest = next;
        next = skip_zeros(file, next);
        next = next < file.size ? append_next(&joining, next) : 0;
    }
    joined->rest = skip_zeros(file, joined->rest);
    joined->size = joining.from + joined->entries * header->entry_size;
    if (joined->buffers < 2) {
        free(joined->image);
        joined->image = NULL;
    }
    return true;
}
