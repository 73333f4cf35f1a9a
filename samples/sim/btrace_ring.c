// SPDX-License-Identifier: Apache-2.0
//
// btrace_ring: see btrace_ring.h.

#include "btrace_ring.h"

#include <stdlib.h>
#include <string.h>

enum { HEARD = 8, MISSING = 128, HEADER2 = 1 };

bool btrace_ring_open(struct btrace_ring *ring, const struct sim_write_config *config,
                      struct sim_out *out)
{
    ring->out = out;
    ring->dry = config->dry;
    ring->limit = config->btrace_ring * 1024;
    if (ring->limit == 0)
        return true;
    // The shortest record has 8 bytes: the numbers before the records at most double the room.
    ring->size = 2 * ring->limit + 512;
    ring->bytes = malloc(ring->size);
    return ring->bytes != NULL;
}

void btrace_ring_close(struct btrace_ring *ring)
{
    free(ring->bytes);
}

static void copy_in(struct btrace_ring *ring, const void *from, uint32_t length)
{
    const uint8_t *bytes = from;
    for (uint32_t i = 0; i < length; i++) {
        ring->bytes[ring->tail] = bytes[i];
        ring->tail = ring->tail + 1 == ring->size ? 0 : ring->tail + 1;
    }
}

static void copy_out(const struct btrace_ring *ring, uint32_t at, void *to, uint32_t length)
{
    uint8_t *bytes = to;
    for (uint32_t i = 0; i < length; i++)
        bytes[i] = ring->bytes[(at + i) % ring->size];
}

static uint32_t padded(uint32_t length)
{
    return (length + 3) & ~3u;
}

// Middle and last parts of a multipart trace do not count as events.
static bool is_event(const uint8_t *record)
{
    return (record[1] & HEADER2) == 0 || (record[4] & 3) < 2;
}

static void drop_oldest(struct btrace_ring *ring)
{
    uint8_t record[8];
    copy_out(ring, ring->head + HEARD, record, sizeof record);
    uint32_t length = padded(record[0]);
    ring->head = (ring->head + HEARD + length) % ring->size;
    ring->used -= length;
    ring->overwritten = true;
    ring->gone.records++;
    if (is_event(record)) {
        ring->gone.events++;
        ring->gone.classes[record[2]]++;
    }
}

void btrace_ring_put(struct btrace_ring *ring, const uint8_t *record, uint32_t length,
                     uint64_t heard)
{
    static const uint8_t padding[4] = {0xcc, 0xcc, 0xcc, 0xcc};
    uint32_t whole = padded(length);
    if (ring->limit == 0) {
        if (ring->dry)
            return;
        sim_out_put(ring->out, record, length);
        sim_out_put(ring->out, padding, whole - length);
        return;
    }
    while (ring->used + whole > ring->limit)
        drop_oldest(ring);
    copy_in(ring, &heard, HEARD);
    copy_in(ring, record, length);
    copy_in(ring, padding, whole - length);
    ring->used += whole;
}

void btrace_ring_finish(struct btrace_ring *ring, struct sim_counts *counts)
{
    if (ring->limit == 0)
        return;
    counts->records -= ring->gone.records;
    counts->events -= ring->gone.events;
    for (size_t i = 0; i < sizeof counts->classes / sizeof counts->classes[0]; i++)
        counts->classes[i] -= ring->gone.classes[i];
    if (ring->overwritten)
        copy_out(ring, ring->head, &counts->skip, HEARD);
    bool first = ring->overwritten;
    for (uint32_t at = ring->head; ring->used > 0;) {
        uint8_t record[128];
        copy_out(ring, at + HEARD, record, 1);
        uint32_t whole = padded(record[0]);
        copy_out(ring, at + HEARD, record, whole);
        if (first)
            record[1] |= MISSING;
        first = false;
        if (!ring->dry)
            sim_out_put(ring->out, record, whole);
        ring->used -= whole;
        at = (at + HEARD + whole) % ring->size;
    }
}
