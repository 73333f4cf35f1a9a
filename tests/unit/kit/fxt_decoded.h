/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_decoded: decodes a Fuchsia trace in memory, for tests.
 *
 *  The bytes are decoded by a learning cursor in small batches, then every batch again from its
 * saved state, in reverse order, by a cursor that does not learn; events and actions must be equal.
 * So each test also checks that a block can be decoded on its own.
 */
#ifndef TRACETUI_TESTS_FXT_DECODED_H
#define TRACETUI_TESTS_FXT_DECODED_H

#include "fxt_build.h"
#include "tracetui/format.h"

struct fxt_reading {
    struct tt_capture *c;
    struct tt_event *events; /* in file order */
    size_t count;
    struct tt_action *actions; /* without notes */
    size_t action_count;
    uint64_t records;
};

/* Decodes the bytes, which must outlive the result. Fails the test if they cannot be opened. */
struct fxt_reading fxt_read(const void *bytes, size_t size, bool definitions);
void fxt_reading_free(struct fxt_reading *r);

/* Writes the bytes to a file, opens and indexes it. The caller closes the trace. */
struct tt_trace *fxt_index(const struct fxt_out *out);

/* Return the category and the name of an event. */
const char *fxt_class(const struct fxt_reading *r, size_t event);
const char *fxt_name(const struct fxt_reading *r, size_t event);
/* Returns the first event with this name; fails the test if there is none. */
size_t fxt_find(const struct fxt_reading *r, const char *name);
/* Returns the n-th action of an event, or NULL. */
const struct tt_action *fxt_action_of(const struct fxt_reading *r, size_t event, size_t n);

/* Returns the arguments of an event, in a static buffer. */
const struct tt_args *fxt_describe(const struct fxt_reading *r, size_t event);
/* Returns the first argument with this name, or NULL. */
const struct tt_arg *fxt_arg_named(const struct tt_args *args, const char *name);
bool fxt_span_is(struct tt_arg_span span, const char *text);
/* Return pid and tid of a lane; fail the test if there is none. */
uint64_t fxt_pid(const struct fxt_reading *r, uint32_t lane);
uint64_t fxt_tid(const struct fxt_reading *r, uint32_t lane);
const char *fxt_lane_name(const struct fxt_reading *r, uint32_t lane);

#endif
