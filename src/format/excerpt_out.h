/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt_out: the buffered output of an excerpt. One thread. */
#ifndef FORMAT_EXCERPT_OUT_H
#define FORMAT_EXCERPT_OUT_H

#include "base/sink.h"

#define TT_EXCERPT_BUFFER 65536u

struct tt_excerpt_out {
    struct tt_sink sink;
    uint64_t bytes; /* of the output so far */
    size_t used;
    uint8_t buffer[TT_EXCERPT_BUFFER];
};

void tt_excerpt_put(struct tt_excerpt_out *out, const void *bytes, size_t length);
/* Writes a number of 32 bits in the byte order of the capture. */
void tt_excerpt_put_u32(struct tt_excerpt_out *out, uint32_t word, bool big);
/* Writes what is buffered. */
void tt_excerpt_flush(struct tt_excerpt_out *out);

#endif
