/* SPDX-License-Identifier: Apache-2.0 */
/* mark: places that walk along with time. */
#include "trace/mark.h"

void tt_track_mark_find(struct tt_track_mark *m, uint64_t time)
{
    m->begun = tt_track_find(m->track, time, &m->at);
    if (m->begun) {
        m->item = tt_track_item(m->track, m->at);
    }
}

bool tt_track_mark_step(struct tt_track_mark *m, uint64_t time)
{
    struct tt_track_place next = m->at;
    if (!(m->begun ? tt_track_next(m->track, &next) : tt_track_first(m->track, &next))) {
        return false;
    }
    struct tt_track_item item = tt_track_item(m->track, next);
    if (item.time > time) {
        return false;
    }
    m->at = next;
    m->item = item;
    m->begun = true;
    return true;
}

uint64_t tt_track_mark_count(const struct tt_track_mark *m)
{
    return m->begun ? tt_track_index(m->track, m->at) + 1 : 0;
}

uint64_t tt_track_mark_count_before(const struct tt_track_mark *m, uint64_t time)
{
    struct tt_track_place place = m->at;
    uint64_t count = tt_track_mark_count(m);
    while (count > 0 && tt_track_item(m->track, place).time >= time) {
        count--;
        if (!tt_track_previous(m->track, &place)) {
            break;
        }
    }
    return count;
}

/* ---- interrupts --------------------------------------------------------------------------- */

void tt_irq_walk_find(struct tt_irq_walk *w, uint64_t time)
{
    tt_track_mark_find(&w->mark, time);
    w->ticks = 0;
    if (!w->mark.begun) {
        return;
    }
    struct tt_track_place place = {w->mark.at.chunk, 0};
    w->ticks = tt_track_sums(w->mark.track, place)[IRQ_TICKS];
    struct tt_track_item item = tt_track_item(w->mark.track, place);
    while (place.slot < w->mark.at.slot) {
        place.slot++;
        struct tt_track_item next = tt_track_item(w->mark.track, place);
        w->ticks += item.value > 0 ? next.time - item.time : 0;
        item = next;
    }
}

uint64_t tt_irq_walk_to(struct tt_irq_walk *w, uint64_t time)
{
    unsigned step = 0;
    struct tt_track_item item = w->mark.item;
    bool begun = w->mark.begun;
    while (step < TT_MARK_STEPS && tt_track_mark_step(&w->mark, time)) {
        w->ticks += begun && item.value > 0 ? w->mark.item.time - item.time : 0;
        item = w->mark.item;
        begun = true;
        step++;
    }
    if (step == TT_MARK_STEPS) {
        tt_irq_walk_find(w, time);
    }
    uint64_t to = time < w->end ? time : w->end;
    bool inside = w->mark.begun && w->mark.item.value > 0 && to > w->mark.item.time;
    return w->ticks + (inside ? to - w->mark.item.time : 0);
}
