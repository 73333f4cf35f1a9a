/* SPDX-License-Identifier: Apache-2.0 */
/* kev_cursor: creates cursors, and limits a batch to its budget. */
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_decode.h"

/* ---- life --------------------------------------------------------------------------------- */

void kev_cursor_reset(struct tt_cursor *cursor)
{
    memset(&cursor->s, 0, sizeof cursor->s);
    memset(cursor->open_count, 0, sizeof cursor->open_count);
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        cursor->cpu[i].ticks = KEV_NO_TICKS;
    }
    cursor->ahead_of = 0;
    cursor->behind = 0;
    cursor->s.pos = cursor->d->slots;
    cursor->s.buffer_pos = UINT64_MAX;
    cursor->s.buffer_cpu = KEV_NO_RING;
    cursor->generation = cursor->generation < UINT32_MAX ? cursor->generation + 1 : 1;
}

struct tt_cursor *kev_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->capture = capture;
        cursor->d = capture->decoder;
        cursor->learn = learn;
        cursor->fast = true;
        kev_cursor_reset(cursor);
    }
    return cursor;
}

void kev_cursor_free(struct tt_cursor *cursor)
{
    if (cursor) {
        free(cursor->marks);
    }
    free(cursor);
}

uint64_t kev_cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->s.pos;
}

enum tt_decode_result kev_cursor_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                        struct tt_batch *batch)
{
    const uint64_t begin = cursor->s.pos;
    const bool bounded = batch->byte_budget > 0 && batch->byte_budget < UINT64_MAX - begin;
    const struct kev_span span = {limit, bounded ? begin + batch->byte_budget : UINT64_MAX, final};
    cursor->limit = limit;
    cursor->final = final;
    return kev_decode_fast(cursor, &span, batch);
}
