/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_record: reads single records, with bounds checks.
 *
 *       byte 0   1      2         3             then, each a word and only if its flag is set
 *       | size | flags | category | sub-category | Header2 | Timestamp | Timestamp2 | context id |
 *       | program counter | Extra | data ... size | padding to a word |
 *
 *  Little-endian. `size` is without the padding, 4..116 (class BTrace, "A trace record consists of
 * three parts"; KMaxBTraceRecordSize). There is no file header and no magic number.
 *
 *  Pure functions over borrowed bytes; any thread.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_RECORD_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/bytes.h"

/* enum BTrace::TFlags */
enum btrace_flag {
    BTRACE_HAS_HEADER2 = 0x01,
    BTRACE_HAS_TIMESTAMP = 0x02,
    BTRACE_HAS_TIMESTAMP2 = 0x04,
    BTRACE_HAS_CONTEXT = 0x08,
    BTRACE_HAS_PC = 0x10,
    BTRACE_HAS_EXTRA = 0x20,
    BTRACE_TRUNCATED = 0x40,
    BTRACE_MISSING = 0x80,
};

/* enum BTrace::TMultiPart */
enum btrace_part {
    BTRACE_WHOLE,
    BTRACE_FIRST,
    BTRACE_MIDDLE,
    BTRACE_LAST,
};

/* The two low bits of a context id. */
enum btrace_context {
    BTRACE_IN_THREAD,
    BTRACE_IN_FIQ,
    BTRACE_IN_IRQ,
    BTRACE_IN_IDFC,
};

#define BTRACE_SIZE_MIN 4u
#define BTRACE_SIZE_MAX 116u

/* Absent words are 0. */
struct btrace_sub;

struct btrace_record {
    uint64_t pos;                    /* of its first byte in the file */
    const struct btrace_sub *layout; /* of its category and sub-category; NULL: unknown */
    const uint8_t *data;             /* `length` bytes */
    uint32_t header2;
    uint32_t timestamp;
    uint32_t timestamp2;
    uint32_t context;
    uint32_t pc;
    uint32_t extra;
    uint16_t cpu;  /* Header2 bits 20..31 */
    uint8_t size;  /* bytes without padding */
    uint8_t flags; /* enum btrace_flag */
    uint8_t category;
    uint8_t sub;
    uint8_t part;   /* enum btrace_part */
    uint8_t header; /* bytes before the data */
    uint8_t length; /* bytes of data */
};

enum btrace_read {
    BTRACE_READ_OK,
    BTRACE_READ_END,      /* no byte at `pos` */
    BTRACE_READ_PARTIAL,  /* the bytes end inside the record */
    BTRACE_READ_BAD,      /* not a record */
    BTRACE_READ_BAD_TIME, /* a record with a wrong time (btrace_damage.h) */
};

/* Reads the record at `pos`. */
enum btrace_read btrace_record_read(struct tt_bytes bytes, uint64_t pos,
                                    struct btrace_record *record);

/* Returns the position of the next record. */
static inline uint64_t btrace_record_next(const struct btrace_record *record)
{
    return record->pos + ((record->size + 3u) & ~3u);
}

/* Returns a word of the data; 0 if the data end before it. */
static inline uint32_t btrace_record_word(const struct btrace_record *record, unsigned index)
{
    return (index + 1) * 4 <= record->length ? tt_load_u32(record->data + index * 4, false) : 0;
}

/* Returns whether category and sub-category are documented. */
bool btrace_record_is_known(const struct btrace_record *record);
/*
 * Returns whether the kernel can have written this record: category and sub-category are known,
 * reserved bits are 0, parts have an id. Stricter than reading, for the probe and for recovery.
 */
bool btrace_record_is_plausible(const struct btrace_record *record);

/* Flags that are equal in all records of a stream. */
#define BTRACE_STREAM_FLAGS (BTRACE_HAS_TIMESTAMP | BTRACE_HAS_TIMESTAMP2)

#endif
