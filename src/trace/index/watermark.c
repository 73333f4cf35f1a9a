/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/index/watermark.h"

#include <stdlib.h>
#include <string.h>

void tt_watermark_free(struct tt_watermark *streams)
{
    free(streams->items);
    memset(streams, 0, sizeof *streams);
}

bool tt_watermark_advance(struct tt_watermark *streams, uint32_t stream, uint64_t ticks,
                          uint64_t now_ms)
{
    if (stream >= TT_STREAMS_MAX) {
        stream = TT_STREAMS_MAX - 1;
    }
    if (stream >= streams->count) {
        size_t count = (size_t)stream + 1;
        struct tt_stream *items = realloc(streams->items, count * sizeof *items);
        if (!items) {
            return false;
        }
        memset(items + streams->count, 0, (count - streams->count) * sizeof *items);
        streams->begun_ms = streams->count > 0 ? streams->begun_ms : now_ms;
        streams->items = items;
        streams->count = count;
    }
    struct tt_stream *s = &streams->items[stream];
    if (!s->begun || ticks > s->newest) {
        s->newest = ticks;
    } else if (s->newest - ticks > s->disorder) {
        s->disorder = s->newest - ticks;
    }
    s->begun = true;
    s->heard_ms = now_ms;
    return true;
}

uint64_t tt_watermark_final(const struct tt_watermark *streams, uint64_t now_ms,
                            uint64_t silence_ms, uint64_t *next_ms)
{
    uint64_t final = UINT64_MAX;
    *next_ms = UINT64_MAX;
    if (streams->count > 0 && tt_watermark_count(streams) < streams->announced &&
        now_ms - streams->begun_ms < silence_ms) {
        *next_ms = streams->begun_ms + silence_ms;
        return 0;
    }
    for (size_t i = 0; i < streams->count; i++) {
        const struct tt_stream *s = &streams->items[i];
        if (!s->begun || now_ms - s->heard_ms >= silence_ms) {
            continue;
        }
        if (s->heard_ms + silence_ms < *next_ms) {
            *next_ms = s->heard_ms + silence_ms;
        }
        uint64_t back = s->disorder > UINT64_MAX / 2 ? UINT64_MAX : 2 * s->disorder;
        /* At the same time comes only what stands behind: places grow along the tape. */
        uint64_t own = s->newest > back ? s->newest - back + (s->newest - back < UINT64_MAX) : 0;
        final = own < final ? own : final;
    }
    return final;
}

uint32_t tt_watermark_count(const struct tt_watermark *streams)
{
    uint32_t count = 0;
    for (size_t i = 0; i < streams->count; i++) {
        count += streams->items[i].begun;
    }
    return count;
}
