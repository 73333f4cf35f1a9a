/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors that move through a track. */
#include "trace/track/track_cursor.h"

void tt_track_cursor_load(struct tt_track_cursor *m, uint32_t chunk)
{
    tt_track_load(m->track, chunk, TT_TRACK_CHUNK, &m->page);
    m->partly = false;
}

void tt_track_cursor_set(struct tt_track_cursor *m, struct tt_track_place place, bool partly)
{
    tt_track_load(m->track, place.chunk, partly ? place.slot + 2 : TT_TRACK_CHUNK, &m->page);
    m->partly = partly;
    m->slot = place.slot;
    m->begun = true;
}

bool tt_track_cursor_is_near(const struct tt_track_cursor *m, uint64_t time,
                             struct tt_track_place *place)
{
    if (m->begun && (!m->page.has_next || m->page.next > time)) {
        return true;
    }
    uint64_t next = m->begun ? m->page.chunk + UINT64_C(1) : 0;
    /* Chunks may be small. */
    return !tt_track_find(m->track, time, place) || place->chunk <= next ||
           tt_track_index(m->track, *place) - tt_track_cursor_count(m) < TT_TRACK_CHUNK;
}

uint64_t tt_track_cursor_count_before(const struct tt_track_cursor *m, uint64_t time)
{
    uint64_t count = tt_track_cursor_count(m);
    uint32_t slot = m->slot;
    if (count == 0 || tt_page_time(&m->page, slot) < time) {
        return count;
    }
    for (; slot > 0 && tt_page_time(&m->page, slot - 1) >= time; slot--) {
        count--;
    }
    count--;
    struct tt_track_place place = {m->page.chunk, 0};
    while (slot == 0 && count > 0 && tt_track_previous(m->track, &place) &&
           tt_track_item(m->track, place).time >= time) {
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
