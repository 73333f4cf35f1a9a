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
static void unpack_rest(struct tt_track_cursor *cursor)
{
    if (cursor->begun && cursor->partly) {
        tt_track_cursor_load(cursor, cursor->page.chunk);
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
static unsigned class_of_item(const struct tt_timelines *timelines, uint32_t value)
{
    uint32_t state = VALUE_STATE(value);
    return state != VALUE_ENDED ? tt_state_class(timelines, state) : TT_CLASS_COUNT;
}

/* Adds the time of the cursor's item up to `time`. */
static void thread_count(struct thread_walk *walk, uint64_t time)
{
    uint64_t to = time < walk->end ? time : walk->end;
    if (walk->cursor.begun && to > walk->time) {
        walk->sums[class_of_item(walk->t, tt_track_cursor_value(&walk->cursor))] += to - walk->time;
    }
    walk->time = time;
}

/* Computes the sums backwards from those of the next chunk. */
static void thread_jump_back(struct thread_walk *walk, struct tt_track_place found, uint64_t time)
{
    const struct tt_track_page *page = &walk->cursor.page;
    struct tt_track_place behind = {found.chunk + 1, 0};
    uint64_t sums[LANE_SUMS];
    tt_track_sums(walk->cursor.track, behind, sums);
    memcpy(walk->sums, sums + LANE_CLASS, TT_CLASS_COUNT * sizeof *sums);
    for (uint32_t i = found.slot; i < page->count; i++) {
        uint64_t start = i == found.slot ? time : tt_page_time(page, i);
        walk->sums[class_of_item(walk->t, page->value[i])] -= tt_page_end(page, i, start) - start;
    }
    walk->time = time;
}

static void thread_jump(struct thread_walk *walk, struct tt_track_place found, uint64_t time,
                        bool partly)
{
    uint64_t sums[LANE_SUMS];
    tt_track_cursor_set(&walk->cursor, found, partly && !tt_track_is_late(found));
    if (tt_track_is_late(found) && walk->cursor.page.has_next) {
        thread_jump_back(walk, found, time);
        return;
    }
    tt_track_sums(walk->cursor.track, found, sums);
    memcpy(walk->sums, sums + LANE_CLASS, TT_CLASS_COUNT * sizeof *sums);
    const struct tt_track_page *page = &walk->cursor.page;
    for (uint32_t i = 0; i < found.slot; i++) {
        walk->sums[class_of_item(walk->t, page->value[i])] += page->delta[i + 1] - page->delta[i];
    }
    walk->time = tt_track_cursor_time(&walk->cursor);
    thread_count(walk, time);
}

static void thread_go(struct thread_walk *walk, uint64_t time)
{
    struct tt_track_place found;
    if (!tt_track_cursor_is_near(&walk->cursor, time, &found)) {
        thread_jump(walk, found, time, true);
        return;
    }
    unpack_rest(&walk->cursor);
    for (;;) {
        struct tt_track_cursor *cursor = &walk->cursor;
        const struct tt_track_page *page = &cursor->page;
        if (cursor->begun && cursor->slot + 1 < page->count &&
            tt_page_time(page, cursor->slot + 1) <= time) {
            thread_count(walk, tt_page_time(page, cursor->slot + 1));
            cursor->slot++;
        } else if (cursor->begun && cursor->slot + 1 == page->count && page->has_next &&
                   page->next <= time) {
            thread_count(walk, page->next);
            tt_track_cursor_step(cursor, time);
        } else if (!cursor->begun && tt_track_cursor_step(cursor, time)) {
            walk->time = tt_track_cursor_time(cursor);
        } else {
            break;
        }
    }
    thread_count(walk, time);
}

void tt_thread_cells(const struct tt_timelines *timelines, uint32_t thread, const uint64_t *edges,
                     uint32_t count, struct tt_thread_cell *cells)
{
    memset(cells, 0, count * sizeof *cells);
    if (thread >= tt_column_count(&timelines->lanes) || count == 0) {
        return;
    }
    const struct tt_lane *lane = tt_column_at(&timelines->lanes, thread);
    struct thread_walk w = {
        .t = timelines, .cursor.track = &lane->states, .end = tt_timelines_end(timelines)};
    tt_track_prefetch_cursor(&lane->states, edges, count);

    uint64_t time = edges[0];
    struct tt_track_place found;
    memset(w.sums, 0, sizeof w.sums);
    w.time = time;
    if (tt_track_find(w.cursor.track, time, &found)) {
        thread_jump(&w, found, time, false);
    }

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

static void timeline_cells_see(struct cpu_walk *walk, uint32_t thread, uint64_t ticks)
{
    unsigned i = 0;
    if (walk->steps > TT_CELL_WALK) {
        return; /* too many: the cell has no occupant */
    }
    while (i < walk->seen_count && walk->seen[i].thread != thread) {
        i++;
    }
    if (i == walk->seen_count) {
        walk->seen[i].thread = thread;
        walk->seen[i].ticks = 0;
        walk->seen_count++;
    }
    walk->seen[i].ticks += ticks;
}

static void cpu_count(struct cpu_walk *walk, uint64_t time)
{
    uint64_t to = time < walk->end ? time : walk->end;
    uint64_t irq = walk->has_irqs ? tt_irq_walk_to(&walk->irqs, time) : 0;
    if (walk->cursor.begun && to > walk->time) {
        uint32_t occupant = tt_track_cursor_value(&walk->cursor);
        enum cpu_kind kind = tt_occupant_kind(walk->t, occupant);
        walk->sums.ticks[kind] += to - walk->time;
        walk->sums.irqs_in[kind] += irq - walk->irq;
        if (kind == CPU_BUSY) {
            timeline_cells_see(walk, occupant, to - walk->time);
        }
    }
    walk->irq = irq;
    walk->time = time;
}

static void copy_sums(struct cpu_walk *walk, struct tt_track_place place)
{
    uint64_t sums[CPU_SUMS];
    tt_track_sums(walk->cursor.track, place, sums);
    memcpy(walk->sums.ticks, sums + CPU_TICKS, sizeof walk->sums.ticks);
    memcpy(walk->sums.irqs_in, sums + CPU_IRQ, sizeof walk->sums.irqs_in);
}

static void find_irqs(struct cpu_walk *walk, uint64_t time)
{
    walk->time = time;
    if (walk->has_irqs) {
        tt_irq_walk_find(&walk->irqs, time);
        walk->irq = tt_irq_walk_to(&walk->irqs, time);
    }
}

/* Computes the sums backwards from those of the next chunk. */
static void cpu_jump_back(struct cpu_walk *walk, struct tt_track_place found, uint64_t time)
{
    const struct tt_track_page *page = &walk->cursor.page;
    copy_sums(walk, (struct tt_track_place){found.chunk + 1, 0});
    find_irqs(walk, time);
    struct tt_irq_walk irqs = walk->irqs;
    uint64_t before = walk->irq;
    for (uint32_t i = found.slot; i < page->count; i++) {
        uint64_t start = i == found.slot ? time : tt_page_time(page, i);
        uint64_t end = tt_page_end(page, i, start);
        enum cpu_kind kind = tt_occupant_kind(walk->t, page->value[i]);
        uint64_t irq = walk->has_irqs ? tt_irq_walk_to(&irqs, end) : 0;
        walk->sums.ticks[kind] -= end - start;
        walk->sums.irqs_in[kind] -= irq - before;
        before = irq;
    }
}

static void cpu_jump(struct cpu_walk *walk, struct tt_track_place found, uint64_t time, bool partly)
{
    struct tt_track_cursor *cursor = &walk->cursor;
    walk->steps = TT_CELL_WALK + 1;
    tt_track_cursor_set(cursor, found, partly && !tt_track_is_late(found));
    if (tt_track_is_late(found) && cursor->page.has_next) {
        cpu_jump_back(walk, found, time);
        return;
    }
    copy_sums(walk, found);
    find_irqs(walk, cursor->page.base);
    for (cursor->slot = 0; cursor->slot < found.slot; cursor->slot++) {
        cpu_count(walk, tt_page_time(&cursor->page, cursor->slot + 1));
    }
    cpu_count(walk, time);
}

static void cpu_go(struct cpu_walk *walk, uint64_t time)
{
    struct tt_track_place found;
    struct tt_track_cursor *cursor = &walk->cursor;
    const struct tt_track_page *page = &cursor->page;
    walk->seen_count = walk->steps = 0;
    if (!tt_track_cursor_is_near(cursor, time, &found)) {
        cpu_jump(walk, found, time, true);
        return;
    }
    unpack_rest(cursor);
    for (;; walk->steps++) {
        if (cursor->begun && cursor->slot + 1 < page->count &&
            tt_page_time(page, cursor->slot + 1) <= time) {
            cpu_count(walk, tt_page_time(page, cursor->slot + 1));
            cursor->slot++;
        } else if (cursor->begun && cursor->slot + 1 == page->count && page->has_next &&
                   page->next <= time) {
            cpu_count(walk, page->next);
            tt_track_cursor_step(cursor, time);
        } else if (!cursor->begun && tt_track_cursor_step(cursor, time)) {
            walk->irq =
                walk->has_irqs ? tt_irq_walk_to(&walk->irqs, tt_track_cursor_time(cursor)) : 0;
            walk->time = tt_track_cursor_time(cursor);
        } else {
            break;
        }
    }
    cpu_count(walk, time);
}

static uint32_t max_seen(const struct cpu_walk *walk)
{
    uint32_t thread = TT_OCCUPANT_UNKNOWN;
    uint64_t most = 0;
    for (unsigned i = 0; walk->steps <= TT_CELL_WALK && i < walk->seen_count; i++) {
        if (walk->seen[i].ticks > most) {
            most = walk->seen[i].ticks;
            thread = walk->seen[i].thread;
        }
    }
    return thread;
}

/* Clips [from, to) to the capture. */
static uint64_t inside(const struct tt_timelines *timelines, uint64_t end, uint64_t from,
                       uint64_t to)
{
    uint64_t begin = tt_timelines_begin(timelines);
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

void tt_cpu_cells(const struct tt_timelines *timelines, uint16_t number, const uint64_t *edges,
                  uint32_t count, struct tt_cpu_cell *cells)
{
    uint64_t end = tt_timelines_end(timelines);
    memset(cells, 0, count * sizeof *cells);
    const struct tt_cpu_lane *lane =
        number < tt_column_count(&timelines->cpus) ? tt_column_at(&timelines->cpus, number) : NULL;
    for (uint32_t i = 0; !lane && i < count; i++) {
        cells[i].unknown = inside(timelines, end, edges[i], edges[i + 1]);
        cells[i].occupant = TT_OCCUPANT_UNKNOWN;
    }
    if (!lane || count == 0) {
        return;
    }
    struct cpu_walk w = {.t = timelines,
                         .cursor.track = &lane->occupants,
                         .irqs = {.cursor.track = &lane->irqs, .end = end},
                         .has_irqs = !tt_track_is_empty(&lane->irqs),
                         .end = end};
    tt_track_prefetch_cursor(&lane->occupants, edges, count);
    tt_track_prefetch_cursor(&lane->irqs, edges, count);

    uint64_t time = edges[0];
    struct tt_track_place found;
    if (tt_track_find(w.cursor.track, time, &found)) {
        cpu_jump(&w, found, time, false);
    } else {
        find_irqs(&w, time);
    }

    for (uint32_t i = 0; i < count; i++) {
        struct cpu_sums_at before = w.sums;
        uint64_t to = edges[i + 1], items = tt_track_cursor_count(&w.cursor);
        cpu_go(&w, to);
        uint64_t begun = tt_track_cursor_count_before(&w.cursor, to);
        cells[i].changes = begun > items ? to_u32(begun - items) : 0;
        cells[i].occupant = max_seen(&w);
        cpu_difference(&w.sums, &before, inside(timelines, end, edges[i], to), &cells[i]);
    }
}
