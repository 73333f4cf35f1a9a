/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt_out: collects small pieces of output. */
#include "format/excerpt_out.h"

#include <string.h>

void tt_excerpt_flush(struct tt_excerpt_out *out)
{
    tt_sink_put(&out->sink, (const char *)out->buffer, out->used);
    out->used = 0;
}

void tt_excerpt_put(struct tt_excerpt_out *out, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    out->bytes += length;
    while (length > 0) {
        size_t room = sizeof out->buffer - out->used;
        size_t part = length < room ? length : room;
        memcpy(out->buffer + out->used, from, part);
        out->used += part;
        from += part;
        length -= part;
        if (out->used == sizeof out->buffer) {
            tt_excerpt_flush(out);
        }
    }
}

void tt_excerpt_put_u32(struct tt_excerpt_out *out, uint32_t word, bool big)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> (big ? 24 - 8 * i : 8 * i));
    }
    tt_excerpt_put(out, bytes, sizeof bytes);
}
