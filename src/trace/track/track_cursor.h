/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_cursor: a position in a track that moves forward in time.
 *
 *      track   | a | b | c | d | e | f | ...
 *                        ^ cursor: the last item at or before some time
 *
 * A cursor has its chunk unpacked, so that a step only reads the next number. It moves in steps;
 * the caller searches again where the time is chunks away. Plain data of one thread; the track may
 * grow meanwhile, but items after the last chunk at the time of unpacking are not visible.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_CURSOR_H
#define TRACETUI_TRACE_TRACK_TRACK_CURSOR_H

#include "trace/track/track.h"

struct tt_track_cursor {
    const struct tt_track *track;
    uint32_t slot;
    bool begun;  /* there is an item */
    bool partly; /* the chunk is unpacked only up to the item after the cursor */
    struct tt_track_page page;
};

/* Moves to the item at `place`; `partly`: the next time is far away. */
void tt_track_cursor_set(struct tt_track_cursor *cursor, struct tt_track_place place, bool partly);
/* Unpacks the next chunk, or the cursor's own completely. */
void tt_track_cursor_load(struct tt_track_cursor *cursor, uint32_t chunk);
/*
 * Returns whether the time is in the cursor's chunk or the next one, or a few items away; otherwise
 * sets *place to its position.
 */
bool tt_track_cursor_is_near(const struct tt_track_cursor *cursor, uint64_t time,
                             struct tt_track_place *place);
/* Returns the number of items that begin before `time`, the time of the cursor. */
uint64_t tt_track_cursor_count_before(const struct tt_track_cursor *cursor, uint64_t time);

static inline uint64_t tt_track_cursor_time(const struct tt_track_cursor *cursor)
{
    return tt_page_time(&cursor->page, cursor->slot);
}

static inline uint32_t tt_track_cursor_value(const struct tt_track_cursor *cursor)
{
    return cursor->page.value[cursor->slot];
}

/* Returns the number of items up to the cursor, with its own. */
static inline uint64_t tt_track_cursor_count(const struct tt_track_cursor *cursor)
{
    return cursor->begun ? cursor->page.first + cursor->slot + 1 : 0;
}

/* Moves to the next item if it begins at or before `time`; the chunk is completely unpacked. */
static inline bool tt_track_cursor_step(struct tt_track_cursor *cursor, uint64_t time)
{
    if (cursor->begun && cursor->slot + 1 < cursor->page.count) {
        if (tt_page_time(&cursor->page, cursor->slot + 1) > time) {
            return false;
        }
        cursor->slot++;
        return true;
    }
    if (cursor->begun ? !cursor->page.has_next || cursor->page.next > time
                      : tt_track_is_empty(cursor->track)) {
        return false;
    }
    tt_track_cursor_load(cursor, cursor->begun ? cursor->page.chunk + 1 : 0);
    cursor->slot = 0;
    cursor->begun = cursor->begun || cursor->page.base <= time;
    return cursor->begun;
}

/*
 * Prefetches the chunks at the edges of a row, if there are many: a row of few chunks is walked as
 * fast.
 */
void tt_track_prefetch_cursor(const struct tt_track *track, const uint64_t *edges, uint32_t count);

#endif
