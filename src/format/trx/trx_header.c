/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_header.h"

#include <string.h>

#define MAGIC          0x54585442u /* "TXTB" as a number */
#define NAME_SIZE_TOP  64u
#define RESERVED_FIRST UINT64_C(0xaaaaaaaa)

/* Offsets of the header's words, in bytes, for both sizes of ULONG. */
enum word_at { MASK, BASE, REGISTRY_START, NAME_SIZE, REGISTRY_END, START, END, OLDEST, RESERVED };
static const uint8_t offsets[2][9] = {
    {4, 8, 12, 18, 20, 24, 28, 32, 36},
    {8, 16, 24, 34, 40, 48, 56, 64, 72},
};

static bool looks_wide(const uint8_t *head, bool big)
{
    uint64_t base = tt_load_u64(head + offsets[1][BASE], big);
    uint64_t start = tt_load_u64(head + offsets[1][REGISTRY_START], big);
    return start - base == TRX_HEADER_SIZE(true) ||
           tt_load_u64(head + offsets[1][RESERVED], big) == RESERVED_FIRST;
}

/*
 * Determines byte order and ULONG size. The first word of a wide little-endian file has zeros where
 * a narrow one has its timer mask, so later words decide if the mask may be 0.
 */
static bool read_magic(struct tt_bytes head, bool *big, bool *wide)
{
    if (head.size < 8) {
        return false;
    }
    *wide = false;
    if (tt_load_u32(head.data, false) == MAGIC) {
        *big = false;
        *wide = tt_load_u32(head.data + 4, false) == 0 && head.size >= TRX_HEADER_SIZE(true) &&
                looks_wide(head.data, false);
        return true;
    }
    *big = true;
    if (tt_load_u32(head.data, true) == MAGIC) {
        return true;
    }
    *wide = tt_load_u32(head.data, true) == 0 && tt_load_u32(head.data + 4, true) == MAGIC;
    return *wide;
}

int trx_header_probe(struct tt_bytes head)
{
    struct trx_header header = {0};
    bool big;
    bool wide;
    if (!read_magic(head, &big, &wide)) {
        return 0;
    }
    struct tt_status status = trx_header_read(head, &header);
    if (tt_failed(&status)) {
        return 40;
    }
    return header.doubts & (TRX_DOUBT_BASE | TRX_DOUBT_BUFFER_START) ? 70 : 95;
}

/* Returns whether the file can begin at address `base`: whole registry slots follow the header. */
static bool base_fits(const struct trx_header *header, uint64_t base, uint64_t file_size)
{
    uint64_t offset = header->buffer_start - base;
    return header->buffer_start >= base && offset >= TRX_HEADER_SIZE(header->wide) &&
           offset <= file_size &&
           (offset - TRX_HEADER_SIZE(header->wide)) % (4 * header->word + header->name_size) == 0;
}

/* Determines the address of the file's first byte: the header's word, or the one that the registry
 * implies. */
static uint64_t find_base(struct trx_header *header, uint64_t file_size)
{
    uint64_t implied = header->registry_start - TRX_HEADER_SIZE(header->wide);
    if (header->base == implied) {
        return header->base;
    }
    header->doubts |= TRX_DOUBT_BASE;
    return !base_fits(header, header->base, file_size) && base_fits(header, implied, file_size)
               ? implied
               : header->base;
}

static void find_registry(struct trx_header *header, uint64_t base)
{
    uint64_t first = base + TRX_HEADER_SIZE(header->wide);
    uint64_t end = header->registry_end;
    if (end != header->buffer_start) {
        header->doubts |= TRX_DOUBT_REGISTRY_END;
    }
    if (header->buffer_start >= first && (end < first || end > header->buffer_start)) {
        end = header->buffer_start;
    }
    uint64_t bytes = end >= first ? end - first : 0;
    header->registry_offset = TRX_HEADER_SIZE(header->wide);

    uint32_t plain = 4 * header->word + header->name_size;
    uint32_t padded = (plain + header->word - 1) / header->word * header->word;
    /*
     * A compiler pads the struct, TraceX assumes none. The size that divides the registry is right.
     */
    header->slot_size = bytes % plain == 0 ? plain : padded;

    header->slots = bytes / header->slot_size;
}

static void find_buffer(struct trx_header *header, uint64_t base, uint64_t file_size)
{
    header->entry_size = 8 * header->word;
    header->buffer_offset = header->buffer_start - base;
    header->oldest = UINT64_MAX;
    if (header->buffer_start < base || header->buffer_offset < TRX_HEADER_SIZE(header->wide)) {
        header->doubts |= TRX_DOUBT_BUFFER_START;
        header->buffer_offset = file_size;
        header->entries = 0;
        return;
    }
    uint64_t end = header->buffer_end;
    if (end <= header->buffer_start) {
        header->doubts |= TRX_DOUBT_BUFFER_END;
        end = base + (file_size > header->buffer_offset ? file_size : header->buffer_offset);
    }
    header->entries = (end - header->buffer_start) / header->entry_size;
    uint64_t distance = header->buffer_oldest - header->buffer_start;
    if (distance % header->entry_size == 0 && distance / header->entry_size < header->entries) {
        header->oldest = distance / header->entry_size;
    } else {
        header->doubts |= TRX_DOUBT_OLDEST;
    }
}

struct tt_status trx_header_read(struct tt_bytes bytes, struct trx_header *header)
{
    struct trx_header h = {0};
    if (!read_magic(bytes, &h.big, &h.wide)) {
        return tt_error_at(TT_ERR_NOT_CAPTURE, 0, "not a ThreadX trace buffer");
    }
    if (bytes.size < TRX_HEADER_SIZE(h.wide)) {
        return tt_error_at(TT_ERR_FORMAT, bytes.size,
                           "the file ends inside the control header of %u bytes",
                           TRX_HEADER_SIZE(h.wide));
    }
    const uint8_t *at = offsets[h.wide];
    const uint8_t *p = bytes.data;
    h.word = h.wide ? 8 : 4;
    h.mask = trx_load(&h, p + at[MASK]);
    h.base = trx_load(&h, p + at[BASE]);
    h.registry_start = trx_load(&h, p + at[REGISTRY_START]);
    h.registry_end = trx_load(&h, p + at[REGISTRY_END]);
    h.buffer_start = trx_load(&h, p + at[START]);
    h.buffer_end = trx_load(&h, p + at[END]);
    h.buffer_oldest = trx_load(&h, p + at[OLDEST]);
    h.name_size = tt_load_u16(p + at[NAME_SIZE], h.big);
    h.usual = !h.wide && !h.big && (h.mask & (h.mask + 1)) == 0;
    if (h.mask == 0) {
        h.doubts |= TRX_DOUBT_MASK;
    }
    if (h.name_size == 0 || h.name_size >= NAME_SIZE_TOP) {
        h.doubts |= TRX_DOUBT_NAME_SIZE;
    }
    uint64_t base = find_base(&h, bytes.size);
    find_registry(&h, base);
    find_buffer(&h, base, bytes.size);

    /* Reads the facts of an excerpt. */
    const uint8_t *constants = p + at[RESERVED];
    h.saved = trx_load(&h, constants) == TRX_SAVED;
    const uint64_t word = h.saved ? trx_load(&h, constants + h.word) : 0;
    h.saved_internal = (word & TRX_SAVED_INTERNAL) != 0;
    h.saved_down = (word & TRX_SAVED_DOWN) != 0;
    h.saved_apart = (word & TRX_SAVED_APART) != 0;
    h.beginning = (uint32_t)word & (TRX_SAVED_APART - 1);

    *header = h;
    return tt_ok();
}
