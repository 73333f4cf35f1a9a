/* SPDX-License-Identifier: Apache-2.0 */
/* The watermark of a growing capture. */
#include "trace/index/watermark.h"

#include <stdlib.h>
#include <string.h>

void tt_watermark_free(struct tt_watermark *w)
{
    free(w->items);
    memset(w, 0, sizeof *w);
}

bool tt_watermark_advance(struct tt_watermark *w, uint32_t stream, uint64_t ticks, uint64_t now_ms)
{
    if (stream >= TT_STREAMS_MAX) {
        stream = TT_STREAMS_MAX - 1;
    }
    if (stream >= w->count) {
        size_t count = (size_t)stream + 1;
        struct tt_stream *items = realloc(w->items, count * sizeof *items);
        if (!items) {
            return false;
        }
        memset(items + w->count, 0, (count - w->count) * sizeof *items);
        w->begun_ms = w->count > 0 ? w->begun_ms : now_ms;
        w->items = items;
        w->count = count;
    }
    struct tt_stream *s = &w->items[stream];
    if (!s->begun || ticks > s->newest) {
        s->newest = ticks;
    } else if (s->newest - ticks > s->disorder) {
        s->disorder = s->newest - ticks;
    }
    s->begun = true;
    s->newest_ms = now_ms;
    return true;
}

uint64_t tt_watermark_final(const struct tt_watermark *w, uint64_t now_ms, uint64_t silence_ms,
                            uint64_t *next_ms)
{
    uint64_t final = UINT64_MAX;
    *next_ms = UINT64_MAX;
    if (w->count > 0 && tt_watermark_count(w) < w->announced && now_ms - w->begun_ms < silence_ms) {
        *next_ms = w->begun_ms + silence_ms;
        return 0;
    }
    for (size_t i = 0; i < w->count; i++) {
        const struct tt_stream *s = &w->items[i];
        if (!s->begun || now_ms - s->newest_ms >= silence_ms) {
            continue;
        }
        if (s->newest_ms + silence_ms < *next_ms) {
            *next_ms = s->newest_ms + silence_ms;
        }
        uint64_t back = s->disorder > UINT64_MAX / 2 ? UINT64_MAX : 2 * s->disorder;
        /*
         * Events still to come at the latest time itself have higher positions: they sort after it.
         */
        uint64_t own = s->newest > back ? s->newest - back + (s->newest - back < UINT64_MAX) : 0;
        final = own < final ? own : final;
    }
    return final;
}

uint32_t tt_watermark_count(const struct tt_watermark *w)
{
    uint32_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        count += w->items[i].begun;
    }
    return count;
}
