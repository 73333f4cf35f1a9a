/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_decoded: reads a Fuchsia trace that lies in memory, all at once, for tests.
 *
 * Reading decodes the bytes with a learning cursor in small batches and then every batch again,
 * from its saved state, in reverse order, with a cursor that only looks up: events and actions must
 * be the very same. So each test also tests that a block can be decoded alone.
 */
#ifndef TRACETUI_TESTS_FXT_DECODED_H
#define TRACETUI_TESTS_FXT_DECODED_H

#include "fxt_build.h"
#include "tracetui/format.h"

struct fxt_reading {
    struct tt_capture *c;
    struct tt_event *events; /* in the order of the file */
    size_t count;
    struct tt_action *actions; /* but for notes */
    size_t action_count;
    uint64_t records;
};

/* The bytes must outlive the reading. Fails the test when they cannot be opened. */
struct fxt_reading fxt_read(const void *bytes, size_t size, bool definitions);
void fxt_reading_free(struct fxt_reading *r);

/* The whole way: the bytes in a file, opened and indexed. The caller closes the trace. */
struct tt_trace *fxt_index(const struct fxt_out *out);

/* Text of an event's category and name. */
const char *fxt_class(const struct fxt_reading *r, size_t event);
const char *fxt_name(const struct fxt_reading *r, size_t event);
/* The first event with this name; fails the test when there is none. */
size_t fxt_find(const struct fxt_reading *r, const char *name);
/* The n-th action of an event, or NULL. */
const struct tt_action *fxt_action_of(const struct fxt_reading *r, size_t event, size_t n);

/* The arguments of an event, in a static place. */
const struct tt_args *fxt_describe(const struct fxt_reading *r, size_t event);
/* The first argument with this name, or NULL. */
const struct tt_arg *fxt_arg_named(const struct tt_args *args, const char *name);
bool fxt_span_is(struct tt_arg_span span, const char *text);
/* pid and tid of an event's thread; fails the test when it has none. */
uint64_t fxt_pid(const struct fxt_reading *r, uint32_t lane);
uint64_t fxt_tid(const struct fxt_reading *r, uint32_t lane);
const char *fxt_lane_name(const struct fxt_reading *r, uint32_t lane);

#endif
