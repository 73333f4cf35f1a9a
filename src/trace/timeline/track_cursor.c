/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors that move through a track. */
#include "trace/timeline/track_cursor.h"

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

/* ---- interrupts --------------------------------------------------------------------------- */

/* Returns the interrupt ticks of the items [first, last) of a page, without its last item. */
static uint64_t irq_ticks(const struct tt_track_page *page, uint32_t first, uint32_t last)
{
    uint64_t ticks = 0;
    for (uint32_t i = first; i < last; i++) {
        ticks += page->value[i] > 0 ? page->delta[i + 1] - page->delta[i] : 0;
    }
    return ticks;
}

static void irq_set(struct tt_irq_walk *w, struct tt_track_place place)
{
    uint64_t sums[IRQ_SUMS];
    tt_track_cursor_set(&w->cursor, place, false);
    tt_track_sums(w->cursor.track, place, sums);
    w->ticks = sums[IRQ_TICKS] + irq_ticks(&w->cursor.page, 0, place.slot);
}

void tt_irq_walk_find(struct tt_irq_walk *w, uint64_t time)
{
    struct tt_track_place place;
    w->ticks = w->quiet_until = 0;
    w->cursor.begun = tt_track_find(w->cursor.track, time, &place);
    if (w->cursor.begun) {
        irq_set(w, place);
    }
}

uint64_t tt_irq_walk_on(struct tt_irq_walk *w, uint64_t time)
{
    struct tt_track_cursor *m = &w->cursor;
    struct tt_track_place place;
    if (!tt_track_cursor_is_near(m, time, &place)) {
        irq_set(w, place);
    }
    uint64_t start = m->begun ? tt_track_cursor_time(m) : 0;
    bool in = m->begun && tt_track_cursor_value(m) > 0;
    while (tt_track_cursor_step(m, time)) {
        uint64_t now = tt_track_cursor_time(m);
        w->ticks += in ? now - start : 0;
        start = now;
        in = tt_track_cursor_value(m) > 0;
    }
    w->quiet_until = m->begun && !in ? tt_page_end(&m->page, m->slot, UINT64_MAX) : 0;
    uint64_t to = time < w->end ? time : w->end;
    return w->ticks + (in && to > start ? to - start : 0);
}
