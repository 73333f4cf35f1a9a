/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_find: a chain of records inside a larger file. Records have no identification; the chain has to
 * begin with a record about the clock (category 15, sub-category 0), which BTRACE.EXE records when the
 * buffer is reset, or with the name of a thread (category 3). Records before the first of these are not
 * found.
 */
#include "format/btrace/btrace_internal.h"
#include "format/find.h"

extern const struct tt_format tt_format_btrace;

#define RECORDS_LEAST 64u /* fewer may be a coincidence */
#define WORD          4u

/* Walks the records from `at` on; returns the offset after the last sound one. */
static uint64_t btrace_find_walk(struct tt_bytes bytes, uint64_t at, struct tt_found *found)
{
    struct btrace_record r;
    unsigned flags = 0;
    found->events = 0;
    found->cut = false;
    for (;;) {
        enum btrace_read read = btrace_record_read(bytes, at, &r);
        found->cut = read == BTRACE_READ_PARTIAL;
        if (read != BTRACE_READ_OK || !btrace_record_is_plausible(&r) ||
            (found->events > 0 && ((r.flags ^ flags) & BTRACE_STREAM_FLAGS) != 0)) {
            return at;
        }
        flags = r.flags;
        found->events++;
        at = btrace_record_next(&r) < bytes.size ? btrace_record_next(&r) : bytes.size;
    }
}

/* Returns whether a record's header is one with which buffers begin. */
static bool is_first(const uint8_t *header)
{
    return (header[2] == BTRACE_META_TRACE && header[3] == 0) ||
           header[2] == BTRACE_THREAD_IDENTIFICATION;
}

bool tt_btrace_find(struct tt_bytes bytes, uint64_t from, struct tt_found *found)
{
    for (uint64_t at = from; tt_bytes_has(bytes, at, WORD); at++) {
        const uint8_t *p = bytes.data + at;
        if (!is_first(p) || p[0] < BTRACE_SIZE_MIN || p[0] > BTRACE_SIZE_MAX) {
            continue;
        }
        struct tt_bytes rest = tt_bytes_slice(bytes, at, UINT64_MAX);
        found->offset = at;
        found->size = btrace_find_walk(rest, 0, found);
        struct tt_bytes chain = tt_bytes_slice(rest, 0, found->size);
        if (found->events >= RECORDS_LEAST && tt_format_btrace.probe(chain, chain.size) > 0) {
            return true;
        }
    }
    return false;
}
