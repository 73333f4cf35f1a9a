/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_perf: a perf.data file while its samples become pages of a ring buffer, see ftrace_perf.c. One thread; the
 * object lives as long as the capture is being opened.
 */
#ifndef TRACETUI_FORMAT_FTRACE_FTRACE_PERF_H
#define TRACETUI_FORMAT_FTRACE_FTRACE_PERF_H

#include "format/ftrace/ftrace_internal.h"

/* clang-format off */
enum {
    RECORD_LOST = 2, RECORD_COMM = 3, RECORD_FORK = 7, RECORD_SAMPLE = 9, RECORD_LOST_SAMPLES = 13,
    RECORD_ATTR = 64, RECORD_TRACING = 66, RECORD_AUXTRACE = 71, RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81, RECORD_COMPRESSED_2 = 83,
};
enum { FEATURE_TRACING = 1, FEATURE_RELEASE = 4, FEATURE_ARCH = 6, FEATURE_EVENTS = 12, FEATURES = 256 };
enum {
    SAMPLE_IP = 0x1, SAMPLE_TID = 0x2, SAMPLE_TIME = 0x4, SAMPLE_ADDR = 0x8, SAMPLE_READ = 0x10, SAMPLE_CALLCHAIN = 0x20,
    SAMPLE_ID = 0x40, SAMPLE_CPU = 0x80, SAMPLE_PERIOD = 0x100, SAMPLE_STREAM_ID = 0x200, SAMPLE_RAW = 0x400,
    SAMPLE_IDENTIFIER = 0x10000,
};
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };
/* clang-format on */

#define HEADER_BYTES 104u
#define PIPE_HEADER  16u
#define ATTR_LEAST   64u
#define ATTRS_MAX    65536u
#define IDS_MAX      (UINT64_C(1) << 24)
#define TRACEPOINT   2u /* a type */
#define FLAG_ID_ALL  (UINT64_C(1) << 18)
#define PAGE_BYTES   4096u
#define DELTA_MAX    ((UINT64_C(1) << 27) - 1)
#define NO_EVENT     0u
#define MEMORY_MOST  (UINT64_C(32) << 20) /* of pages, beside the size of the file */

struct attr {
    uint32_t type;
    uint16_t event; /* id of its description; of tracepoints NO_EVENT: the sample has it */
    uint64_t sample_type, read_format, flags;
};

struct attr_id {
    uint64_t id;
    uint32_t attr;
};

/* The page of a CPU that is being filled. */
struct cpu_page {
    uint8_t *bytes;  /* NULL: the CPU has no samples so far */
    uint32_t used;   /* 0: empty */
    uint64_t time;   /* of the last record */
    uint64_t lost;   /* events lost since the last page */
    uint64_t offset; /* in the file, of its first sample */
    bool has_lost;
    uint64_t *places; /* of its pages in the spool */
    size_t place_count, place_capacity;
};

struct perf {
    struct ftrace *d;
    struct attr *attrs;
    size_t attr_count, attr_capacity;
    struct attr_id *ids;
    size_t id_count, id_capacity;
    bool mixed;                  /* attributes with different samples */
    uint64_t memory;             /* bytes of all pages that are filled */
    struct cpu_page *cpus;       /* LINUX_CPUS */
    struct tt_bytes in;          /* what has the records: the file, or its unpacked records */
    uint64_t data, data_end;     /* of the records in it */
    uint64_t features;           /* in the file */
    struct tt_map *unpacked;     /* NULL: no record is compressed */
    struct ftrace_chunk *packed; /* where its compressed records were */
    size_t packed_count, packed_capacity;
    uint16_t next_event; /* id of the next description that is made here */
};

/*
 * Returns the offset of the record after the one at `at`, which has this type and size in bytes; 0 at the end, or at a
 * record that cannot be one.
 */
uint64_t ftrace_perf_next(const struct perf *perf, uint64_t at, uint32_t *type, uint32_t *size);
/* Returns whether records of a type contain others, compressed. */
bool ftrace_perf_is_packed(uint32_t type);
/*
 * Unpacks compressed records into a file of their own, together with the others: the records that result may begin
 * in one and end in the next one. Those before a damaged one are read. Errors: TT_ERR_MEMORY, TT_ERR_IO.
 */
struct tt_status ftrace_perf_unpack(struct perf *perf);

#endif
