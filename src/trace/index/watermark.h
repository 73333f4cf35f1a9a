/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watermark: the time before which all events have arrived, while a capture grows.
 *
 * A file is a set of streams (a ring per CPU, a provider), each nearly in time order. The watermark
 * is the minimum of the streams' latest times:
 *
 *      stream 0   ...xxxxxxxxxxxxx|
 *      stream 1   ...xxxxx|                      <- minimum of the latest times
 *      stream 2   ...x|    silent for 2 s        <- ignored
 *                         ^ watermark
 *
 * Within a stream time may go back a little, so twice the largest step back is subtracted from its
 * latest time.
 *
 * Used by the indexing thread only.
 */
#ifndef TRACETUI_TRACE_INDEX_WATERMARK_H
#define TRACETUI_TRACE_INDEX_WATERMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_stream {
    uint64_t newest;    /* ticks */
    uint64_t disorder;  /* largest step back in ticks */
    uint64_t newest_ms; /* wall time of the latest event */
    bool begun;
};

struct tt_watermark {
    struct tt_stream *items; /* by number */
    size_t count;
    uint32_t announced; /* number of streams by the file's header; 0: not given */
    uint64_t begun_ms;  /* wall time of the first event */
};

#define TT_STREAMS_MAX 4096u /* higher numbers share the last stream */

void tt_watermark_free(struct tt_watermark *watermark);
/* Accounts for an event of `stream` at `ticks`. Returns false when out of memory. */
bool tt_watermark_advance(struct tt_watermark *watermark, uint32_t stream, uint64_t ticks,
                          uint64_t now_ms);
/*
 * Returns the watermark in ticks; UINT64_MAX if all streams have been silent for `silence_ms`. Sets
 * *next_ms to the time at which it may change without new events (a stream becomes silent), or to
 * UINT64_MAX.
 */
uint64_t tt_watermark_final(const struct tt_watermark *watermark, uint64_t now_ms,
                            uint64_t silence_ms, uint64_t *next_ms);
/*
 * Returns the number of streams with events. tt_watermark_final waits `silence_ms` for the
 * announced ones.
 */
uint32_t tt_watermark_count(const struct tt_watermark *watermark);

#endif
