/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_find: the control header of a trace buffer in the memory of a target. All words have to be as
 * tx_trace_enable writes them: the identification may also be a constant of the program.
 */
#include <string.h>

#include "format/find.h"
#include "format/trx/trx_header.h"

#define KINDS_MOST    40u /* object types are below; the largest known one is 28 */
#define ENTRIES_LEAST 2u  /* tx_trace_enable refuses less */
#define CONSTANTS     3u
#define CONSTANTS_AT  36u /* of a header with 4-byte words; 72 with 8 */
#define RESERVED_AT   16u /* the reserved half word; 32 */

/* Returns whether the reserved words have their constants. */
static bool has_constants(struct tt_bytes bytes, const struct trx_header *header)
{
    static const uint32_t constants[CONSTANTS] = {0xaaaaaaaau, 0xbbbbbbbbu, 0xccccccccu};
    uint32_t scale = header->wide ? 2 : 1;
    const uint8_t *p = bytes.data + CONSTANTS_AT * scale;
    for (unsigned i = 0; i < CONSTANTS; i++, p += header->word) {
        if ((header->wide ? tt_load_u64(p, header->big) : tt_load_u32(p, header->big)) !=
            constants[i]) {
            return false;
        }
    }
    return tt_load_u16(bytes.data + RESERVED_AT * scale, header->big) == 0;
}

static bool has_registry(struct tt_bytes bytes, const struct trx_header *header)
{
    uint64_t length = header->buffer_offset - header->registry_offset;
    if (header->slot_size == 0 || length % header->slot_size != 0 ||
        !tt_bytes_has(bytes, header->registry_offset, length)) {
        return false;
    }
    for (uint64_t i = 0; i < header->slots; i++) {
        const uint8_t *slot = bytes.data + header->registry_offset + i * header->slot_size;
        if (slot[0] > 1 || slot[1] >= KINDS_MOST) {
            return false;
        }
    }
    return true;
}

/* Counts the entries that were written: those that have a context. */
static uint64_t count_entries(struct tt_bytes bytes, const struct trx_header *header)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < header->entries; i++) {
        uint64_t at = header->buffer_offset + i * header->entry_size;
        if (!tt_bytes_has(bytes, at, header->entry_size) ||
            trx_load(header, bytes.data + at) == 0) {
            break;
        }
        count++;
    }
    return count;
}

/* Checks the buffer that begins with `bytes`; fills in everything but the offset. */
static bool trx_find_check(struct tt_bytes bytes, struct tt_found *found)
{
    struct trx_header h;
    struct tt_status status = trx_header_read(bytes, &h);
    if (tt_failed(&status) || (h.doubts & ~(unsigned)TRX_DOUBT_MASK) != 0 ||
        h.entries < ENTRIES_LEAST || (h.buffer_end - h.buffer_start) % h.entry_size != 0 ||
        h.base % 4 != 0 || !has_constants(bytes, &h) || !has_registry(bytes, &h)) {
        return false;
    }
    uint64_t size = h.buffer_offset + h.entries * h.entry_size;
    found->cut = size > bytes.size;
    found->size = found->cut ? bytes.size : size;
    found->events = count_entries(bytes, &h);
    return found->events > 0;
}

bool tt_trx_find(struct tt_bytes bytes, uint64_t from, struct tt_found *found)
{
    while (from < bytes.size) {
        /* Both byte orders of the identification have an X inside. */
        const uint8_t *x = memchr(bytes.data + from, 'X', (size_t)(bytes.size - from));
        if (!x) {
            return false;
        }
        uint64_t at = (uint64_t)(x - bytes.data);
        bool little = at >= 2 && tt_bytes_has(bytes, at - 2, 4) && memcmp(x - 2, "BTXT", 4) == 0;
        bool big = at >= 1 && tt_bytes_has(bytes, at - 1, 4) && memcmp(x - 1, "TXTB", 4) == 0;
        /* Words of 8 bytes: big-endian ones begin with four zeros. */
        for (uint64_t zeros = 0; zeros <= 4 && (little || big); zeros += little ? 8 : 4) {
            uint64_t before = (little ? 2u : 1u) + zeros;
            if (before <= at &&
                trx_find_check(tt_bytes_slice(bytes, at - before, UINT64_MAX), found)) {
                found->offset = at - before;
                return true;
            }
        }
        from = at + 1;
    }
    return false;
}
