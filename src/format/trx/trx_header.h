/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_header: the control header of a ThreadX trace buffer, and the places that follow from it.
 *
 *       ULONG of 4 bytes: 48 bytes            ULONG of 8 bytes: 96 bytes
 *       +0  id "TXTB"   +4  timer mask        +0  id            +8  timer mask
 *       +8  base        +12 registry start    +16 base          +24 registry start
 *       +16 u16 0       +18 u16 name size     +32 u16 0         +34 u16 name size, 4 unused
 *       +20 registry end                      +40 registry end
 *       +24 +28 +32 buffer start, end, oldest +48 +56 +64 buffer start, end, oldest
 *       +36 three constants                   +72 three constants
 *
 *  An excerpt of a trace (trx_excerpt.c) has TRX_SAVED in place of the first constant, and of the second one
 * the number of entries that show the threads and cores at its beginning, with facts of the whole trace:
 *
 *       | RESUME or SUSPEND were recorded 1 | timer counts down 1 | a timer per core 1 | number 29 |
 *
 *  The object registry and the ring of entries follow. The pointers are addresses on the target;
 * `pointer - base` is the offset in the file (ThreadX user guide, "Format of event trace buffer").
 * TraceX reads the three parts one after another; for a sound header both ways agree. For others
 * trx_header_read uses the words that are consistent and reports the rest in `doubts`.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_HEADER_H
#define TRACETUI_FORMAT_TRX_TRX_HEADER_H

#include <stdbool.h>

#include "tracetui/bytes.h"
#include "tracetui/status.h"

/* Inconsistencies of a header, as bits. */
enum trx_header_doubt {
    TRX_DOUBT_BASE = 1 << 0,         /* registry does not follow the header */
    TRX_DOUBT_REGISTRY_END = 1 << 1, /* registry end is not where the buffer starts */
    TRX_DOUBT_BUFFER_START = 1 << 2, /* buffer start is before the registry: no entries */
    TRX_DOUBT_BUFFER_END = 1 << 3,   /* buffer end is before its start: read to the file's end */
    TRX_DOUBT_OLDEST = 1 << 4,       /* oldest entry is not an entry: read in file order */
    TRX_DOUBT_MASK = 1 << 5,         /* timer mask 0: all times are equal */
    TRX_DOUBT_NAME_SIZE = 1 << 6,    /* names of 0, or of 64 bytes or more, which TraceX refuses */
};

struct trx_header {
    bool big;   /* big-endian */
    bool wide;  /* ULONG of 8 bytes */
    bool usual; /* neither, and the timer mask has all bits below its highest one */
    uint64_t mask;
    uint64_t base; /* addresses as in the header */
    uint64_t registry_start;
    uint64_t registry_end;
    uint64_t buffer_start;
    uint64_t buffer_end;
    uint64_t buffer_oldest;
    uint32_t name_size;

    uint32_t word;            /* bytes of a ULONG */
    uint64_t registry_offset; /* derived from them: offsets in the file, sizes in bytes */
    uint32_t slot_size;
    uint64_t slots;
    uint64_t buffer_offset;
    uint32_t entry_size;
    uint64_t entries;   /* capacity of the ring; may exceed the file */
    uint64_t oldest;    /* index of the oldest entry in the ring; UINT64_MAX: unknown */
    uint32_t beginning; /* entries that show the beginning of an excerpt; 0: not one */
    bool saved;         /* an excerpt, of a trace with these facts: */
    bool saved_internal;
    bool saved_down;
    bool saved_apart;
    unsigned doubts; /* enum trx_header_doubt */
};

/* Size of a header in bytes. */
#define TRX_HEADER_SIZE(wide) ((wide) ? 96u : 48u)

#define TRX_SAVED          UINT32_C(0x45564153)
#define TRX_SAVED_INTERNAL (UINT32_C(1) << 31)
#define TRX_SAVED_DOWN     (UINT32_C(1) << 30)
#define TRX_SAVED_APART    (UINT32_C(1) << 29)

/* Returns how likely `head` begins with a trace buffer: 0..100. */
int trx_header_probe(struct tt_bytes head);

/* Reads the header. Fails only if it is missing or truncated. Any thread. */
struct tt_status trx_header_read(struct tt_bytes bytes, struct trx_header *header);

/* Loads a ULONG of the file from `p`, which has 8 readable bytes (4 where a ULONG has 4). */
static inline uint64_t trx_load(const struct trx_header *header, const uint8_t *p)
{
    return header->wide ? tt_load_u64(p, header->big) : tt_load_u32(p, header->big);
}

#endif
