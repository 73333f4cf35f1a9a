/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of neighbouring windows, for drawing.
 *
 * A walk stands at an edge, with the sums of everything before it. To the next edge it takes a
 * few steps; where that is not enough it jumps there by the chunks' sums. So a row costs the lesser
 * of its items and its cells.
 */
#include <string.h>

#include "trace/mark.h"
#include "trace/timeline.h"

static uint32_t to_u32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* ---- threads ------------------------------------------------------------------------------ */

struct thread_walk {
    const struct tt_timelines *t;
    struct tt_track_mark mark;
    uint64_t time;                 /* counted up to here */
    uint64_t end;                  /* of what is known */
    uint64_t sums[TT_CLASS_COUNT]; /* of everything before `time` */
};

/* Counts what the mark's item holds up to `time`. */
static void thread_count(struct thread_walk *w, uint64_t time)
{
    uint64_t to = time < w->end ? time : w->end;
    if (w->mark.begun && to > w->time) {
        uint32_t state = VALUE_STATE(w->mark.item.value);
        if (state != VALUE_ENDED) {
            w->sums[tt_state_class(w->t, state)] += to - w->time;
        }
    }
    w->time = time;
}

static void thread_jump(struct thread_walk *w, uint64_t time)
{
    memset(w->sums, 0, sizeof w->sums);
    w->time = time;
    tt_track_mark_find(&w->mark, time);
    if (!w->mark.begun) {
        return;
    }
    struct tt_track_place found = w->mark.at;
    w->mark.at.slot = 0;
    w->mark.item = tt_track_item(w->mark.track, w->mark.at);
    memcpy(w->sums, tt_track_sums(w->mark.track, found) + LANE_CLASS, sizeof w->sums);
    w->time = w->mark.item.time;
    while (w->mark.at.slot < found.slot) {
        struct tt_track_place next = {found.chunk, w->mark.at.slot + 1};
        struct tt_track_item item = tt_track_item(w->mark.track, next);
        thread_count(w, item.time);
        w->mark.at = next;
        w->mark.item = item;
    }
    thread_count(w, time);
}

/* To `time` in a few steps; false if there are more. */
static bool thread_walk(struct thread_walk *w, uint64_t time, uint32_t *changes)
{
    uint64_t from = w->time;
    struct tt_track_mark before = w->mark;
    for (unsigned step = 0; step <= TT_MARK_STEPS; step++) {
        if (!tt_track_mark_step(&w->mark, time)) {
            thread_count(w, time);
            return true;
        }
        struct tt_track_mark now = w->mark;
        w->mark = before;
        thread_count(w, now.item.time > from ? now.item.time : from);
        w->mark = before = now;
        *changes += now.item.time > from && now.item.time < time;
    }
    return false;
}

void tt_thread_cells(const struct tt_timelines *t, uint32_t thread, const uint64_t *edges,
                     uint32_t count, struct tt_thread_cell *cells)
{
    memset(cells, 0, count * sizeof *cells);
    if (thread >= tt_column_count(&t->lanes) || count == 0) {
        return;
    }
    const struct tt_lane *lane = tt_column_at(&t->lanes, thread);
    struct thread_walk w = {.t = t, .mark.track = &lane->states, .end = tt_timelines_end(t)};
    bool jumps = false; /* the last cell held so much that a walk was in vain */
    thread_jump(&w, edges[0]);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before[TT_CLASS_COUNT];
        uint64_t items = tt_track_mark_count(&w.mark);
        uint64_t to = edges[i + 1];
        memcpy(before, w.sums, sizeof before);
        if (jumps || !thread_walk(&w, to, &cells[i].changes)) {
            thread_jump(&w, to);
            cells[i].changes = to_u32(tt_track_mark_count_before(&w.mark, to) - items);
            jumps = cells[i].changes > TT_CELL_WALK;
        }
        for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
            cells[i].ticks[class_] = w.sums[class_] - before[class_];
        }
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

struct cpu_walk {
    const struct tt_timelines *t;
    struct tt_track_mark mark;
    struct tt_irq_walk irqs;
    bool has_irqs;
    uint64_t time;
    uint64_t end;
    uint64_t irq;              /* up to `time` */
    uint64_t ticks[CPU_KINDS]; /* of everything before `time`, interrupts included */
    uint64_t irqs_in[CPU_KINDS];
    /* The busy threads since the last edge, while they are few. */
    struct {
        uint32_t thread;
        uint64_t ticks;
    } seen[TT_MARK_STEPS + 2];
    unsigned seen_count;
};

static void see(struct cpu_walk *w, uint32_t thread, uint64_t ticks)
{
    unsigned i = 0;
    while (i < w->seen_count && w->seen[i].thread != thread) {
        i++;
    }
    if (i == w->seen_count) {
        if (i == TT_MARK_STEPS + 2) {
            return;
        }
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
    if (w->mark.begun && to > w->time) {
        enum cpu_kind kind = tt_occupant_kind(w->t, w->mark.item.value);
        w->ticks[kind] += to - w->time;
        w->irqs_in[kind] += irq - w->irq;
        if (kind == CPU_BUSY) {
            see(w, w->mark.item.value, to - w->time);
        }
    }
    w->irq = irq;
    w->time = time;
}

static void cpu_jump(struct cpu_walk *w, uint64_t time)
{
    memset(w->ticks, 0, sizeof w->ticks);
    memset(w->irqs_in, 0, sizeof w->irqs_in);
    w->time = time;
    w->irq = 0;
    tt_track_mark_find(&w->mark, time);
    struct tt_track_place found = w->mark.at;
    if (w->mark.begun) {
        const uint64_t *sums = tt_track_sums(w->mark.track, found);
        memcpy(w->ticks, sums + CPU_TICKS, sizeof w->ticks);
        memcpy(w->irqs_in, sums + CPU_IRQ, sizeof w->irqs_in);
        w->mark.at.slot = 0;
        w->mark.item = tt_track_item(w->mark.track, w->mark.at);
        w->time = w->mark.item.time;
    }
    if (w->has_irqs) {
        tt_irq_walk_find(&w->irqs, w->time);
        w->irq = tt_irq_walk_to(&w->irqs, w->time);
    }
    while (w->mark.begun && w->mark.at.slot < found.slot) {
        struct tt_track_place next = {found.chunk, w->mark.at.slot + 1};
        struct tt_track_item item = tt_track_item(w->mark.track, next);
        cpu_count(w, item.time);
        w->mark.at = next;
        w->mark.item = item;
    }
    cpu_count(w, time);
    w->seen_count = 0;
}

static bool cpu_walk(struct cpu_walk *w, uint64_t time, uint32_t *changes)
{
    uint64_t from = w->time;
    struct tt_track_mark before = w->mark;
    for (unsigned step = 0; step <= TT_MARK_STEPS; step++) {
        if (!tt_track_mark_step(&w->mark, time)) {
            cpu_count(w, time);
            return true;
        }
        struct tt_track_mark now = w->mark;
        w->mark = before;
        cpu_count(w, now.item.time > from ? now.item.time : from);
        w->mark = before = now;
        *changes += now.item.time > from && now.item.time < time;
    }
    return false;
}

static uint32_t most_seen(const struct cpu_walk *w)
{
    uint32_t thread = TT_OCCUPANT_UNKNOWN;
    uint64_t most = 0;
    for (unsigned i = 0; i < w->seen_count; i++) {
        if (w->seen[i].ticks > most) {
            most = w->seen[i].ticks;
            thread = w->seen[i].thread;
        }
    }
    return thread;
}

/* Of [from, to) what lies inside the capture. */
static uint64_t inside(const struct tt_timelines *t, uint64_t end, uint64_t from, uint64_t to)
{
    uint64_t begin = tt_timelines_begin(t);
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    return to > from ? to - from : 0;
}

static void cpu_difference(const struct cpu_walk *now, const struct cpu_walk *then, uint64_t length,
                           struct tt_cpu_cell *cell)
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
                         .mark.track = &lane->occupants,
                         .irqs = {.mark.track = &lane->irqs, .end = end},
                         .has_irqs = !tt_track_is_empty(&lane->irqs),
                         .end = end};
    bool jumps = false; /* the last cell held so much that a walk was in vain */
    cpu_jump(&w, edges[0]);
    for (uint32_t i = 0; i < count; i++) {
        struct cpu_walk before = w;
        uint64_t to = edges[i + 1];
        cells[i].occupant = TT_OCCUPANT_UNKNOWN;
        if (jumps) {
            cpu_jump(&w, to);
            cells[i].changes =
                to_u32(tt_track_mark_count_before(&w.mark, to) - tt_track_mark_count(&before.mark));
            jumps = cells[i].changes > TT_CELL_WALK;
            w = jumps ? w : before; /* who had it is seen by walking only */
        }
        if (!jumps) {
            w.seen_count = 0;
            cells[i].changes = 0;
            jumps = !cpu_walk(&w, to, &cells[i].changes);
            if (jumps) {
                cpu_jump(&w, to);
                cells[i].changes = to_u32(tt_track_mark_count_before(&w.mark, to) -
                                          tt_track_mark_count(&before.mark));
            } else {
                cells[i].occupant = most_seen(&w);
            }
        }
        cpu_difference(&w, &before, inside(t, end, edges[i], to), &cells[i]);
    }
}
