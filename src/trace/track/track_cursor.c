/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors that move through a track. */
#include "trace/track/track_cursor.h"

void tt_track_cursor_load(struct tt_track_cursor *cursor, uint32_t chunk)
{
    tt_track_load(cursor->track, chunk, TT_TRACK_CHUNK, &cursor->page);
    cursor->partly = false;
}

void tt_track_cursor_set(struct tt_track_cursor *cursor, struct tt_track_place place, bool partly)
{
    tt_track_load(cursor->track, place.chunk, partly ? place.slot + 2 : TT_TRACK_CHUNK,
                  &cursor->page);
    cursor->partly = partly;
    cursor->slot = place.slot;
    cursor->begun = true;
}

bool tt_track_cursor_is_near(const struct tt_track_cursor *cursor, uint64_t time,
                             struct tt_track_place *place)
{
    if (cursor->begun && (!cursor->page.has_next || cursor->page.next > time)) {
        return true;
    }
    uint64_t next = cursor->begun ? cursor->page.chunk + UINT64_C(1) : 0;
    /* Chunks may be small. */
    return !tt_track_find(cursor->track, time, place) || place->chunk <= next ||
           tt_track_index(cursor->track, *place) - tt_track_cursor_count(cursor) < TT_TRACK_CHUNK;
}

uint64_t tt_track_cursor_count_before(const struct tt_track_cursor *cursor, uint64_t time)
{
    uint64_t count = tt_track_cursor_count(cursor);
    uint32_t slot = cursor->slot;
    if (count == 0 || tt_page_time(&cursor->page, slot) < time) {
        return count;
    }
    for (; slot > 0 && tt_page_time(&cursor->page, slot - 1) >= time; slot--) {
        count--;
    }
    count--;
    struct tt_track_place place = {cursor->page.chunk, 0};
    while (slot == 0 && count > 0 && tt_track_previous(cursor->track, &place) &&
           tt_track_item(cursor->track, place).time >= time) {
        count--;
    }
    return count;
}

void tt_track_prefetch_cursor(const struct tt_track *track, const uint64_t *edges, uint32_t count)
{
    struct tt_track_place first = {0, 0}, last;
    if (!tt_track_find(track, edges[count], &last)) {
        return;
    }
    tt_track_find(track, edges[0], &first);
    if (last.chunk - first.chunk > count / 8) {
        tt_track_prefetch(track, edges, count + 1);
    }
}
