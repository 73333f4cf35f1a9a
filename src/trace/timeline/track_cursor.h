/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark (internal): a place in a track that walks along with time.
 *
 *      track   | a | b | c | d | e | f | ...
 *                        ^ mark: the last item at or before some time
 *
 * A mark has the chunk that it stands in unpacked, so that a step is a look at the next number. It
 * goes forward in steps; whoever sees that the time is chunks away finds the place anew. Plain data
 * of one thread; the track may grow meanwhile: what is behind the last chunk when it is unpacked is
 * not seen.
 */
#ifndef TRACETUI_TRACE_TIMELINE_TRACK_CURSOR_H
#define TRACETUI_TRACE_TIMELINE_TRACK_CURSOR_H

#include "trace/timeline/timeline.h"

struct tt_track_cursor {
    const struct tt_track *track;
    uint32_t slot;
    bool begun;  /* there is an item */
    bool partly; /* of the chunk only what is up to the mark and the item behind it is unpacked */
    struct tt_track_page page;
};

/* To the item there; `partly`: the next time asked for is far away. */
void tt_track_cursor_set(struct tt_track_cursor *m, struct tt_track_place place, bool partly);
/* Unpacks the chunk behind the mark's, or the mark's own as a whole. */
void tt_track_cursor_load(struct tt_track_cursor *m, uint32_t chunk);
/* Is the time in the mark's chunk, or the one behind it, or few items away? If not, *place is where
 * it is. */
bool tt_track_cursor_is_near(const struct tt_track_cursor *m, uint64_t time,
                             struct tt_track_place *place);
/* Items that begin before `time`, which the mark stands at. */
uint64_t tt_track_cursor_count_before(const struct tt_track_cursor *m, uint64_t time);

static inline uint64_t tt_track_cursor_time(const struct tt_track_cursor *m)
{
    return tt_page_time(&m->page, m->slot);
}

static inline uint32_t tt_track_cursor_value(const struct tt_track_cursor *m)
{
    return m->page.value[m->slot];
}

/* Items up to the mark. */
static inline uint64_t tt_track_cursor_count(const struct tt_track_cursor *m)
{
    return m->begun ? m->page.first + m->slot + 1 : 0;
}

/* To the next item if it begins at or before `time`; the mark is not partly unpacked. */
static inline bool tt_track_cursor_step(struct tt_track_cursor *m, uint64_t time)
{
    if (m->begun && m->slot + 1 < m->page.count) {
        if (tt_page_time(&m->page, m->slot + 1) > time) {
            return false;
        }
        m->slot++;
        return true;
    }
    if (m->begun ? !m->page.has_next || m->page.next > time : tt_track_is_empty(m->track)) {
        return false;
    }
    tt_track_cursor_load(m, m->begun ? m->page.chunk + 1 : 0);
    m->slot = 0;
    m->begun = m->begun || m->page.base <= time;
    return m->begun;
}

/*
 * Asks ahead for the chunks at the edges of a row, where those are many: a row of few chunks
 * is walked as soon.
 */
void tt_track_prefetch_cursor(const struct tt_track *track, const uint64_t *edges, uint32_t count);

/* Interrupt ticks of a CPU up to times that only grow; begins with its track and end alone. */
struct tt_irq_walk {
    struct tt_track_cursor mark;
    uint64_t ticks;       /* before the mark's item */
    uint64_t end;         /* of the timelines */
    uint64_t quiet_until; /* no interrupt before this: `ticks` is all */
};

/* To any time. */
void tt_irq_walk_find(struct tt_irq_walk *w, uint64_t time);
/* Ticks in interrupts before `time`, which is not before the last one asked for. */
uint64_t tt_irq_walk_on(struct tt_irq_walk *w, uint64_t time);

static inline uint64_t tt_irq_walk_to(struct tt_irq_walk *w, uint64_t time)
{
    return time < w->quiet_until ? w->ticks : tt_irq_walk_on(w, time);
}

#endif
