/* SPDX-License-Identifier: Apache-2.0 */
/*
 * streams: up to when all is known, while a capture grows.
 *
 * A file is a set of streams (a ring for each CPU, a provider), each nearly in the order of time.
 * What lies before the newest time of each of them is final:
 *
 *      stream 0   ...xxxxxxxxxxxxx|
 *      stream 1   ...xxxxx|                      <- the least of the newest times
 *      stream 2   ...x|  silent for 2 s          <- holds back no longer
 *                          ^ final
 *
 * Within a stream time may go back a little; twice as far as it ever did is held back as well.
 *
 * The indexer's own.
 */
#ifndef TRACETUI_TRACE_INDEX_WATERMARK_H
#define TRACETUI_TRACE_INDEX_WATERMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_stream {
    uint64_t newest;   /* ticks */
    uint64_t disorder; /* ticks that it went back at most */
    uint64_t heard_ms; /* when something came */
    bool begun;
};

struct tt_watermark {
    struct tt_stream *items; /* by number */
    size_t count;
    uint32_t announced; /* there will be so many, says the file's header; 0: it does not */
    uint64_t begun_ms;  /* when the first was heard */
};

#define TT_STREAMS_MAX 4096u /* those with higher numbers are one */

void tt_watermark_free(struct tt_watermark *streams);
/* An event of `stream`. False when out of memory. */
bool tt_watermark_advance(struct tt_watermark *streams, uint32_t stream, uint64_t ticks,
                          uint64_t now_ms);
/*
 * All events before the result have come; UINT64_MAX where all streams are silent since
 * `silence_ms`. Sets *next_ms to when it may change by itself (a stream becomes silent), or
 * UINT64_MAX.
 */
uint64_t tt_watermark_final(const struct tt_watermark *streams, uint64_t now_ms,
                            uint64_t silence_ms, uint64_t *next_ms);
/* Streams that were heard; of those that were announced all are waited for, as for a silent one. */
uint32_t tt_watermark_count(const struct tt_watermark *streams);

#endif
