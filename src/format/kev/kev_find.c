/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_find: a .kev file inside another file: from TRACE_HEADER_BEGIN:: to the last kernel buffer. A
 * buffer begins with CONTROL/BUFFER, which has its number of slots; the next one follows it. Where one
 * does not follow, slots are searched for a short distance.
 */
#include <stdlib.h>
#include <string.h>

#include "format/find.h"
#include "format/kev/kev_internal.h"

#define BEGIN      "TRACE_HEADER_BEGIN::"
#define END        "TRACE_HEADER_END::"
#define SYSPAGE    "TRACE_SYSPAGE_LEN::"
#define HEADER_TOP (UINT64_C(256) << 10)
#define PAGE_TOP   (UINT64_C(16) << 20)
#define REACH      4096u   /* slots to search for the next buffer */
#define CODE_MASK  0x7fffu /* class and event of a slot's first word */
#define TIME       0x401u
#define BUFFER     0x402u
#define SLOTS_MOST 65536u /* in a kernel buffer */

/* Returns the number of slots of the buffer that begins at `at`, 0 if none does. */
static uint64_t buffer_at(struct tt_bytes bytes, uint64_t at)
{
    for (int order = 0; order < 2; order++) {
        uint64_t first = at, before = 0;
        if (tt_bytes_has(bytes, first, KEV_SLOT) &&
            (tt_load_u32(bytes.data + first, order) & CODE_MASK) == TIME) {
            first += KEV_SLOT; /* 8.0 writes the time first */
            before = 1;
        }
        if (tt_bytes_has(bytes, first, KEV_SLOT) &&
            (tt_load_u32(bytes.data + first, order) & CODE_MASK) == BUFFER) {
            uint64_t slots = tt_load_u32(bytes.data + first + 12, order);
            if (slots > before && slots <= SLOTS_MOST) {
                return slots;
            }
        }
    }
    return 0;
}

/* Follows the buffers from `at` on; returns the offset of their end. */
static uint64_t end_of_buffers(struct tt_bytes bytes, uint64_t at, struct tt_found *found)
{
    uint64_t end = at;
    for (uint32_t skipped = 0; skipped < REACH && tt_bytes_has(bytes, at, KEV_SLOT);) {
        uint64_t slots = buffer_at(bytes, at);
        if (slots == 0) {
            skipped++;
            at += KEV_SLOT;
            continue;
        }
        skipped = 0;
        at += slots * KEV_SLOT;
        found->cut = at > bytes.size;
        end = found->cut ? bytes.size : at;
        found->events += found->cut ? slots - (at - bytes.size + KEV_SLOT - 1) / KEV_SLOT : slots;
    }
    return end;
}

static uint64_t page_length(struct tt_bytes header)
{
    char digits[24] = "";
    uint64_t at = tt_find_text(header, 0, SYSPAGE, sizeof SYSPAGE - 1);
    if (at == UINT64_MAX) {
        return 0;
    }
    struct tt_bytes value = tt_bytes_slice(header, at + sizeof SYSPAGE - 1, sizeof digits - 1);
    memcpy(digits, value.data, (size_t)value.size);
    return strtoull(digits, NULL, 10);
}

bool tt_kev_find(struct tt_bytes bytes, uint64_t from, struct tt_found *found)
{
    for (;;) {
        uint64_t begin = tt_find_text(bytes, from, BEGIN, sizeof BEGIN - 1);
        if (begin == UINT64_MAX) {
            return false;
        }
        *found = (struct tt_found){.offset = begin};
        struct tt_bytes rest = tt_bytes_slice(bytes, begin, UINT64_MAX);
        struct tt_bytes top = tt_bytes_slice(rest, 0, HEADER_TOP);
        uint64_t end = tt_find_text(top, 0, END, sizeof END - 1);
        uint64_t page = end == UINT64_MAX ? 0 : page_length(tt_bytes_slice(top, 0, end));
        /* A second header before the end: the first one is a text that only begins like one. */
        uint64_t other = tt_find_text(top, 1, BEGIN, sizeof BEGIN - 1);
        if (end != UINT64_MAX && other > end && page > 0 && page <= PAGE_TOP) {
            found->size = end_of_buffers(rest, end + sizeof END - 1 + page, found);
            if (found->events > 0) {
                return true;
            }
        }
        from = begin + 1;
    }
}
