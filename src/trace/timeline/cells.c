/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of adjacent windows, for drawing.
 *
 * A walk is at an edge, with the sums of everything before it. It moves to the next edge item by
 * item within its chunk and the next one; for a greater distance it uses the sums of the chunks. So
 * the cost of a row is proportional to the smaller of its items and its cells.
 */
#include <string.h>

#include "trace/timeline/irq_walk.h"
#include "trace/timeline/timeline.h"

static uint32_t to_u32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Unpacks the rest of a chunk that a jump unpacked for one edge. */
static void unpack_rest(struct tt_track_cursor *m)
{
    if (m->begun && m->partly) {
        tt_track_cursor_load(m, m->page.chunk);
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

struct thread_walk {
    const struct tt_timelines *t;
    struct tt_track_cursor cursor;
    uint64_t time;                     /* the sums are up to here */
    uint64_t end;                      /* of the timelines */
    uint64_t sums[TT_CLASS_COUNT + 1]; /* of everything before `time`; the last word is unused */
};

/* Returns the class of an item; TT_CLASS_COUNT for the item that ends the lane. */
static unsigned class_of_item(const struct tt_timelines *t, uint32_t value)
{
    uint32_t state = VALUE_STATE(value);
    return state != VALUE_ENDED ? tt_state_class(t, state) : TT_CLASS_COUNT;
}

/* Adds the time of the cursor's item up to `time`. */
static void thread_count(struct thread_walk *w, uint64_t time)
{
    uint64_t to = time < w->end ? time : w->end;
    if (w->cursor.begun && to > w->time) {
        w->sums[class_of_item(w->t, tt_track_cursor_value(&w->cursor))] += to - w->time;
    }
    w->time = time;
}

/* Computes the sums backwards from those of the next chunk. */
static void thread_jump_back(struct thread_walk *w, struct tt_track_place found, uint64_t time)
{
    const struct tt_track_page *page = &w->cursor.page;
    struct tt_track_place behind = {found.chunk + 1, 0};
    uint64_t sums[LANE_SUMS];
    tt_track_sums(w->cursor.track, behind, sums);
    memcpy(w->sums, sums + LANE_CLASS, TT_CLASS_COUNT * sizeof *sums);
    for (uint32_t i = found.slot; i < page->count; i++) {
        uint64_t start = i == found.slot ? time : tt_page_time(page, i);
        w->sums[class_of_item(w->t, page->value[i])] -= tt_page_end(page, i, start) - start;
    }
    w->time = time;
}

static void thread_jump(struct thread_walk *w, struct tt_track_place found, uint64_t time,
                        bool partly)
{
    uint64_t sums[LANE_SUMS];
    tt_track_cursor_set(&w->cursor, found, partly && !tt_track_is_late(found));
    if (tt_track_is_late(found) && w->cursor.page.has_next) {
        thread_jump_back(w, found, time);
        return;
    }
    tt_track_sums(w->cursor.track, found, sums);
    memcpy(w->sums, sums + LANE_CLASS, TT_CLASS_COUNT * sizeof *sums);
    const struct tt_track_page *page = &w->cursor.page;
    for (uint32_t i = 0; i < found.slot; i++) {
        w->sums[class_of_item(w->t, page->value[i])] += page->delta[i + 1] - page->delta[i];
    }
    w->time = tt_track_cursor_time(&w->cursor);
    thread_count(w, time);
}

static void thread_begin(struct thread_walk *w, uint64_t time)
{
    struct tt_track_place found;
    memset(w->sums, 0, sizeof w->sums);
    w->time = time;
    if (tt_track_find(w->cursor.track, time, &found)) {
        thread_jump(w, found, time, false);
    }
}

static void thread_go(struct thread_walk *w, uint64_t time)
{
    struct tt_track_place found;
    if (!tt_track_cursor_is_near(&w->cursor, time, &found)) {
        thread_jump(w, found, time, true);
        return;
    }
    unpack_rest(&w->cursor);
    for (;;) {
        struct tt_track_cursor *m = &w->cursor;
        const struct tt_track_page *page = &m->page;
        if (m->begun && m->slot + 1 < page->count && tt_page_time(page, m->slot + 1) <= time) {
            thread_count(w, tt_page_time(page, m->slot + 1));
            m->slot++;
        } else if (m->begun && m->slot + 1 == page->count && page->has_next && page->next <= time) {
            thread_count(w, page->next);
            tt_track_cursor_step(m, time);
        } else if (!m->begun && tt_track_cursor_step(m, time)) {
            w->time = tt_track_cursor_time(m);
        } else {
            break;
        }
    }
    thread_count(w, time);
}

void tt_thread_cells(const struct tt_timelines *t, uint32_t thread, const uint64_t *edges,
                     uint32_t count, struct tt_thread_cell *cells)
{
    memset(cells, 0, count * sizeof *cells);
    if (thread >= tt_column_count(&t->lanes) || count == 0) {
        return;
    }
    const struct tt_lane *lane = tt_column_at(&t->lanes, thread);
    struct thread_walk w = {.t = t, .cursor.track = &lane->states, .end = tt_timelines_end(t)};
    tt_track_prefetch_cursor(&lane->states, edges, count);
    thread_begin(&w, edges[0]);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before[TT_CLASS_COUNT], items = tt_track_cursor_count(&w.cursor);
        memcpy(before, w.sums, sizeof before);
        thread_go(&w, edges[i + 1]);
        uint64_t begun = tt_track_cursor_count_before(&w.cursor, edges[i + 1]);
        cells[i].changes = begun > items ? to_u32(begun - items) : 0;
        for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
            cells[i].ticks[class_] = w.sums[class_] - before[class_];
        }
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

struct cpu_sums_at {
    uint64_t ticks[CPU_KINDS]; /* of everything before a time, with interrupts */
    uint64_t irqs_in[CPU_KINDS];
};

struct cpu_walk {
    const struct tt_timelines *t;
    struct tt_track_cursor cursor;
    struct tt_irq_walk irqs;
    bool has_irqs;
    uint64_t time;
    uint64_t end;
    uint64_t irq; /* up to `time` */
    struct cpu_sums_at sums;
    /* The busy threads since the last edge, up to TT_CELL_WALK. */
    struct {
        uint32_t thread;
        uint64_t ticks;
    } seen[TT_CELL_WALK + 2];
    unsigned seen_count;
    unsigned steps; /* since the last edge */
};

static void see(struct cpu_walk *w, uint32_t thread, uint64_t ticks)
{
    unsigned i = 0;
    if (w->steps > TT_CELL_WALK) {
        return; /* too many: the cell has no occupant */
    }
    while (i < w->seen_count && w->seen[i].thread != thread) {
        i++;
    }
    if (i == w->seen_count) {
        w->seen[i].thread = thread;
        w->seen[i].ticks = 0;
        w->seen_count++;
    }
    w->seen[i].ticks += ticks;
}

static void cpu_count(struct cpu_walk *w, uint64_t time)
{
    uint64_t to = time < w->end ? time : w->end;
    uint64_t irq = w->has_irqs ? tt_irq_walk_to(&w->irqs, time) : 0;
    if (w->cursor.begun && to > w->time) {
        uint32_t occupant = tt_track_cursor_value(&w->cursor);
        enum cpu_kind kind = tt_occupant_kind(w->t, occupant);
        w->sums.ticks[kind] += to - w->time;
        w->sums.irqs_in[kind] += irq - w->irq;
        if (kind == CPU_BUSY) {
            see(w, occupant, to - w->time);
        }
    }
    w->irq = irq;
    w->time = time;
}

static void take_sums(struct cpu_walk *w, struct tt_track_place place)
{
    uint64_t sums[CPU_SUMS];
    tt_track_sums(w->cursor.track, place, sums);
    memcpy(w->sums.ticks, sums + CPU_TICKS, sizeof w->sums.ticks);
    memcpy(w->sums.irqs_in, sums + CPU_IRQ, sizeof w->sums.irqs_in);
}

static void find_irqs(struct cpu_walk *w, uint64_t time)
{
    w->time = time;
    if (w->has_irqs) {
        tt_irq_walk_find(&w->irqs, time);
        w->irq = tt_irq_walk_to(&w->irqs, time);
    }
}

/* Computes the sums backwards from those of the next chunk. */
static void cpu_jump_back(struct cpu_walk *w, struct tt_track_place found, uint64_t time)
{
    const struct tt_track_page *page = &w->cursor.page;
    take_sums(w, (struct tt_track_place){found.chunk + 1, 0});
    find_irqs(w, time);
    struct tt_irq_walk irqs = w->irqs;
    uint64_t before = w->irq;
    for (uint32_t i = found.slot; i < page->count; i++) {
        uint64_t start = i == found.slot ? time : tt_page_time(page, i);
        uint64_t end = tt_page_end(page, i, start);
        enum cpu_kind kind = tt_occupant_kind(w->t, page->value[i]);
        uint64_t irq = w->has_irqs ? tt_irq_walk_to(&irqs, end) : 0;
        w->sums.ticks[kind] -= end - start;
        w->sums.irqs_in[kind] -= irq - before;
        before = irq;
    }
}

static void cpu_jump(struct cpu_walk *w, struct tt_track_place found, uint64_t time, bool partly)
{
    struct tt_track_cursor *m = &w->cursor;
    w->steps = TT_CELL_WALK + 1;
    tt_track_cursor_set(m, found, partly && !tt_track_is_late(found));
    if (tt_track_is_late(found) && m->page.has_next) {
        cpu_jump_back(w, found, time);
        return;
    }
    take_sums(w, found);
    find_irqs(w, m->page.base);
    for (m->slot = 0; m->slot < found.slot; m->slot++) {
        cpu_count(w, tt_page_time(&m->page, m->slot + 1));
    }
    cpu_count(w, time);
}

static void cpu_begin(struct cpu_walk *w, uint64_t time)
{
    struct tt_track_place found;
    if (tt_track_find(w->cursor.track, time, &found)) {
        cpu_jump(w, found, time, false);
    } else {
        find_irqs(w, time);
    }
}

static void cpu_go(struct cpu_walk *w, uint64_t time)
{
    struct tt_track_place found;
    struct tt_track_cursor *m = &w->cursor;
    const struct tt_track_page *page = &m->page;
    w->seen_count = w->steps = 0;
    if (!tt_track_cursor_is_near(m, time, &found)) {
        cpu_jump(w, found, time, true);
        return;
    }
    unpack_rest(m);
    for (;; w->steps++) {
        if (m->begun && m->slot + 1 < page->count && tt_page_time(page, m->slot + 1) <= time) {
            cpu_count(w, tt_page_time(page, m->slot + 1));
            m->slot++;
        } else if (m->begun && m->slot + 1 == page->count && page->has_next && page->next <= time) {
            cpu_count(w, page->next);
            tt_track_cursor_step(m, time);
        } else if (!m->begun && tt_track_cursor_step(m, time)) {
            w->irq = w->has_irqs ? tt_irq_walk_to(&w->irqs, tt_track_cursor_time(m)) : 0;
            w->time = tt_track_cursor_time(m);
        } else {
            break;
        }
    }
    cpu_count(w, time);
}

static uint32_t most_seen(const struct cpu_walk *w)
{
    uint32_t thread = TT_OCCUPANT_UNKNOWN;
    uint64_t most = 0;
    for (unsigned i = 0; w->steps <= TT_CELL_WALK && i < w->seen_count; i++) {
        if (w->seen[i].ticks > most) {
            most = w->seen[i].ticks;
            thread = w->seen[i].thread;
        }
    }
    return thread;
}

/* Clips [from, to) to the capture. */
static uint64_t inside(const struct tt_timelines *t, uint64_t end, uint64_t from, uint64_t to)
{
    uint64_t begin = tt_timelines_begin(t);
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    return to > from ? to - from : 0;
}

static void cpu_difference(const struct cpu_sums_at *now, const struct cpu_sums_at *then,
                           uint64_t length, struct tt_cpu_cell *cell)
{
    uint64_t net[CPU_KINDS], known = 0;
    for (unsigned kind = 0; kind < CPU_KINDS; kind++) {
        uint64_t irq = now->irqs_in[kind] - then->irqs_in[kind];
        uint64_t ticks = now->ticks[kind] - then->ticks[kind];
        net[kind] = ticks - irq;
        known += ticks;
        cell->irq += irq;
    }
    cell->busy = net[CPU_BUSY];
    cell->idle = net[CPU_IDLE];
    cell->kernel = net[CPU_KERNEL];
    cell->unknown = net[CPU_UNKNOWN] + (length > known ? length - known : 0);
}

void tt_cpu_cells(const struct tt_timelines *t, uint16_t number, const uint64_t *edges,
                  uint32_t count, struct tt_cpu_cell *cells)
{
    uint64_t end = tt_timelines_end(t);
    memset(cells, 0, count * sizeof *cells);
    const struct tt_cpu_lane *lane =
        number < tt_column_count(&t->cpus) ? tt_column_at(&t->cpus, number) : NULL;
    for (uint32_t i = 0; !lane && i < count; i++) {
        cells[i].unknown = inside(t, end, edges[i], edges[i + 1]);
        cells[i].occupant = TT_OCCUPANT_UNKNOWN;
    }
    if (!lane || count == 0) {
        return;
    }
    struct cpu_walk w = {.t = t,
                         .cursor.track = &lane->occupants,
                         .irqs = {.cursor.track = &lane->irqs, .end = end},
                         .has_irqs = !tt_track_is_empty(&lane->irqs),
                         .end = end};
    tt_track_prefetch_cursor(&lane->occupants, edges, count);
    tt_track_prefetch_cursor(&lane->irqs, edges, count);
    cpu_begin(&w, edges[0]);
    for (uint32_t i = 0; i < count; i++) {
        struct cpu_sums_at before = w.sums;
        uint64_t to = edges[i + 1], items = tt_track_cursor_count(&w.cursor);
        cpu_go(&w, to);
        uint64_t begun = tt_track_cursor_count_before(&w.cursor, to);
        cells[i].changes = begun > items ? to_u32(begun - items) : 0;
        cells[i].occupant = most_seen(&w);
        cpu_difference(&w.sums, &before, inside(t, end, edges[i], to), &cells[i]);
    }
}
