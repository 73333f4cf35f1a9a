/* SPDX-License-Identifier: Apache-2.0 */
/* The watermark of a growing capture. */
#include "trace/index/watermark.h"

#include <stdlib.h>
#include <string.h>

void tt_watermark_free(struct tt_watermark *watermark)
{
    free(watermark->items);
    memset(watermark, 0, sizeof *watermark);
}

bool tt_watermark_advance(struct tt_watermark *watermark, uint32_t stream, uint64_t ticks,
                          uint64_t now_ms)
{
    if (stream >= TT_STREAMS_MAX) {
        stream = TT_STREAMS_MAX - 1;
    }
    if (stream >= watermark->count) {
        size_t count = (size_t)stream + 1;
        struct tt_stream *items = realloc(watermark->items, count * sizeof *items);
        if (!items) {
            return false;
        }
        memset(items + watermark->count, 0, (count - watermark->count) * sizeof *items);
        watermark->begun_ms = watermark->count > 0 ? watermark->begun_ms : now_ms;
        watermark->items = items;
        watermark->count = count;
    }
    struct tt_stream *s = &watermark->items[stream];
    if (!s->begun || ticks > s->newest) {
        s->newest = ticks;
    } else if (s->newest - ticks > s->disorder) {
        s->disorder = s->newest - ticks;
    }
    s->begun = true;
    s->newest_ms = now_ms;
    return true;
}

uint64_t tt_watermark_final(const struct tt_watermark *watermark, uint64_t now_ms,
                            uint64_t silence_ms, uint64_t *next_ms)
{
    uint64_t final = UINT64_MAX;
    *next_ms = UINT64_MAX;
    if (watermark->count > 0 && tt_watermark_count(watermark) < watermark->announced &&
        now_ms - watermark->begun_ms < silence_ms) {
        *next_ms = watermark->begun_ms + silence_ms;
        return 0;
    }
    for (size_t i = 0; i < watermark->count; i++) {
        const struct tt_stream *stream = &watermark->items[i];
        if (!stream->begun || now_ms - stream->newest_ms >= silence_ms) {
            continue;
        }
        if (stream->newest_ms + silence_ms < *next_ms) {
            *next_ms = stream->newest_ms + silence_ms;
        }
        uint64_t back = stream->disorder > UINT64_MAX / 2 ? UINT64_MAX : 2 * stream->disorder;
        /*
         * Events still to come at the latest time itself have higher positions: they sort after it.
         */
        uint64_t own = stream->newest > back
                           ? stream->newest - back + (stream->newest - back < UINT64_MAX)
                           : 0;
        final = own < final ? own : final;
    }
    return final;
}

uint32_t tt_watermark_count(const struct tt_watermark *watermark)
{
    uint32_t count = 0;
    for (size_t i = 0; i < watermark->count; i++) {
        count += watermark->items[i].begun;
    }
    return count;
}
