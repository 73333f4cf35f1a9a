/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_format: a minimal decoder, to test the index with any order of times and without a capture.
 * A record is 16 bytes in the host's byte order:
 *
 *       u64 ticks | u32 thread | u32 flags (bit 0: a derived event follows at the same time;
 *                                       high half: CPU + 1, 0 for none)
 */
#ifndef TRACETUI_TESTS_FAKE_FORMAT_H
#define TRACETUI_TESTS_FAKE_FORMAT_H

#include "trace/trace_internal.h"

struct fake_record {
    uint64_t ticks;
    uint32_t thread;
    uint32_t flags;
};

extern const struct tt_format fake_format;

/* Number of calls of its decode. */
extern _Atomic unsigned long fake_decodes;

/* Returns a trace over `count` records (borrowed), not indexed yet. */
struct tt_trace *fake_trace(const struct fake_record *records, size_t count);

#endif
