/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the lanes of CPUs: occupants and interrupts by time, and exact sums over windows.
 */
#include <string.h>

#include "trace/timeline/irq_walk.h"
#include "trace/timeline/timeline.h"

static const struct tt_cpu_lane *timeline_cpus_cpu_of(const struct tt_timelines *timelines,
                                                      uint32_t cpu)
{
    return cpu < tt_column_count(&timelines->cpus) ? tt_column_at(&timelines->cpus, cpu) : NULL;
}

/* Returns the time of the item's successor; the end of the timelines for the last item. */
static uint64_t item_end(const struct tt_timelines *timelines, const struct tt_track *track,
                         struct tt_track_place place)
{
    uint64_t end = tt_timelines_end(timelines);
    return tt_track_next(track, &place) ? tt_track_item(track, place).time : end;
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

static void irq_set(struct tt_irq_walk *walk, struct tt_track_place place)
{
    uint64_t sums[IRQ_SUMS];
    tt_track_cursor_set(&walk->cursor, place, false);
    tt_track_sums(walk->cursor.track, place, sums);
    walk->ticks = sums[IRQ_TICKS] + irq_ticks(&walk->cursor.page, 0, place.slot);
}

void tt_irq_walk_find(struct tt_irq_walk *walk, uint64_t time)
{
    struct tt_track_place place;
    walk->ticks = walk->quiet_until = 0;
    walk->cursor.begun = tt_track_find(walk->cursor.track, time, &place);
    if (walk->cursor.begun) {
        irq_set(walk, place);
    }
}

uint64_t tt_irq_walk_on(struct tt_irq_walk *walk, uint64_t time)
{
    struct tt_track_cursor *cursor = &walk->cursor;
    struct tt_track_place place;
    if (!tt_track_cursor_is_near(cursor, time, &place)) {
        irq_set(walk, place);
    }
    uint64_t start = cursor->begun ? tt_track_cursor_time(cursor) : 0;
    bool in = cursor->begun && tt_track_cursor_value(cursor) > 0;
    while (tt_track_cursor_step(cursor, time)) {
        uint64_t now = tt_track_cursor_time(cursor);
        walk->ticks += in ? now - start : 0;
        start = now;
        in = tt_track_cursor_value(cursor) > 0;
    }
    walk->quiet_until =
        cursor->begun && !in ? tt_page_end(&cursor->page, cursor->slot, UINT64_MAX) : 0;
    uint64_t to = time < walk->end ? time : walk->end;
    return walk->ticks + (in && to > start ? to - start : 0);
}

/* Returns interrupt ticks of a CPU and the number of interrupts before `time`. */
static void irq_before(const struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                       uint64_t time, uint64_t *sums)
{
    struct tt_track_place found;
    struct tt_track_page page;
    uint64_t timelines_end = tt_timelines_end(timelines);
    memset(sums, 0, IRQ_SUMS * sizeof *sums);
    if (time == 0 || !tt_track_find(&cpu->irqs, time - 1, &found)) {
        return;
    }
    tt_track_sums(&cpu->irqs, found, sums);
    uint32_t depth = 0;
    struct tt_track_place before = {found.chunk, 0};
    if (tt_track_previous(&cpu->irqs, &before)) {
        depth = tt_track_item(&cpu->irqs, before).value;
    }
    tt_track_load(&cpu->irqs, found.chunk, found.slot + 2, &page);
    for (uint32_t i = 0; i <= found.slot; i++) {
        uint64_t end = tt_page_end(&page, i, timelines_end);
        sums[IRQ_ENTERS] += page.value[i] > depth;
        sums[IRQ_NESTED] += page.value[i] > depth && depth > 0;
        depth = page.value[i];
        if (depth > 0) {
            sums[IRQ_TICKS] += (end < time ? end : time) - tt_page_time(&page, i);
        }
    }
}

uint64_t tt_cpu_irq_before(const struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                           uint64_t time)
{
    uint64_t sums[IRQ_SUMS];
    irq_before(timelines, cpu, time, sums);
    return sums[IRQ_TICKS];
}

/* A short window has few interrupts: they are added one by one. */
#define IRQ_STEPS 12u

/* Returns the interrupt ticks of a CPU in [from, to). */
static uint64_t irq_between(const struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                            uint64_t from, uint64_t to)
{
    struct tt_track_place at;
    uint64_t ticks = 0, since = from, end = tt_timelines_end(timelines);
    uint32_t depth = 0;
    bool more = tt_track_find(&cpu->irqs, from, &at);
    if (more) {
        depth = tt_track_item(&cpu->irqs, at).value;
        more = tt_track_next(&cpu->irqs, &at);
    } else {
        more = tt_track_first(&cpu->irqs, &at);
    }
    for (unsigned steps = 0; more; steps++) {
        struct tt_track_item item = tt_track_item(&cpu->irqs, at);
        if (item.time >= to) {
            break;
        }
        if (steps == IRQ_STEPS) {
            return tt_cpu_irq_before(timelines, cpu, to) - tt_cpu_irq_before(timelines, cpu, from);
        }
        ticks += depth > 0 ? item.time - since : 0;
        since = item.time;
        depth = item.value;
        more = tt_track_next(&cpu->irqs, &at);
    }
    /* The last one may extend beyond the end. */
    to = more || to < end ? to : end;
    return ticks + (depth > 0 && to > since ? to - since : 0);
}

uint64_t tt_cpu_irq(const struct tt_timelines *timelines, uint16_t cpu, uint64_t from, uint64_t to)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    if (!lane || from >= to || tt_track_is_empty(&lane->irqs)) {
        return 0;
    }
    return irq_between(timelines, lane, from, to);
}

uint32_t tt_cpu_irq_depth(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->irqs, ticks, &place)) {
        return 0;
    }
    return tt_track_item(&lane->irqs, place).value;
}

uint32_t tt_cpu_irq_until(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks,
                          uint64_t *until)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    uint32_t depth;
    *until = UINT64_MAX;
    return lane && tt_track_value_at(&lane->irqs, ticks, &depth, until) ? depth : 0;
}

/* Depths that are searched for the begin of an open interrupt. */
#define IRQ_BACK 4096u

uint64_t tt_cpu_irq_begin(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    struct tt_track_place place;
    bool more = lane && tt_track_find(&lane->irqs, ticks, &place);
    uint64_t begin = UINT64_MAX;
    for (unsigned i = 0; more; i++) {
        struct tt_track_item item = tt_track_item(&lane->irqs, place);
        if (item.value == 0) {
            break;
        }
        begin = item.time;
        more = tt_track_previous(&lane->irqs, &place);
        if (i == IRQ_BACK) {
            return 0;
        }
    }
    return begin;
}

/* ---- CPUs --------------------------------------------------------------------------------- */

uint32_t tt_cpu_count(const struct tt_timelines *timelines)
{
    return (uint32_t)tt_column_count(&timelines->cpus);
}

static struct tt_track_place occupation_place(struct tt_occupation_at at)
{
    struct tt_track_place place = {at.chunk, at.slot};
    return place;
}

bool tt_occupation_find(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks,
                        struct tt_occupation_at *at)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->occupants, ticks, &place)) {
        return false;
    }
    *at = (struct tt_occupation_at){cpu, place.chunk, place.slot};
    return true;
}

bool tt_occupation_first(const struct tt_timelines *timelines, uint16_t cpu,
                         struct tt_occupation_at *at)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, cpu);
    *at = (struct tt_occupation_at){cpu, 0, 0};
    return lane && !tt_track_is_empty(&lane->occupants);
}

static bool occupation_step(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                            bool (*move)(const struct tt_track *, struct tt_track_place *))
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, at->cpu);
    struct tt_track_place place = occupation_place(*at);
    if (!lane || !move(&lane->occupants, &place)) {
        return false;
    }
    at->chunk = place.chunk;
    at->slot = place.slot;
    return true;
}

bool tt_occupation_next(const struct tt_timelines *timelines, struct tt_occupation_at *at)
{
    return occupation_step(timelines, at, tt_track_next);
}

bool tt_occupation_previous(const struct tt_timelines *timelines, struct tt_occupation_at *at)
{
    return occupation_step(timelines, at, tt_track_previous);
}

/* Returns an occupant, or TT_OCCUPANT_UNKNOWN for the number of a thread that does not exist. */
static uint32_t known_occupant(const struct tt_timelines *timelines, uint32_t value)
{
    bool is = value >= TT_OCCUPANT_IDLE || value < tt_thread_count(timelines->capture);
    return is ? value : TT_OCCUPANT_UNKNOWN;
}

struct tt_occupation tt_occupation_get(const struct tt_timelines *timelines,
                                       struct tt_occupation_at at)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, at.cpu);
    struct tt_track_place place = occupation_place(at);
    struct tt_track_item item = tt_track_item(&lane->occupants, place);
    struct tt_occupation occupation = {
        .start = item.time,
        .end = item_end(timelines, &lane->occupants, place),
        .occupant = known_occupant(timelines, item.value),
        .cpu = at.cpu,
        .idle = tt_occupant_kind(timelines, item.value) == CPU_IDLE,
    };
    return occupation;
}

uint32_t tt_occupations_read(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                             struct tt_occupation occupations[TT_INTERVALS], bool *more)
{
    const struct tt_cpu_lane *lane = timeline_cpus_cpu_of(timelines, at->cpu);
    struct tt_track_page page;
    uint64_t timelines_end = tt_timelines_end(timelines);
    uint32_t done = 0;
    tt_track_load(&lane->occupants, at->chunk, TT_TRACK_CHUNK, &page);
    for (uint32_t slot = at->slot; slot < page.count; slot++) {
        occupations[done++] = (struct tt_occupation){
            .start = tt_page_time(&page, slot),
            .end = tt_page_end(&page, slot, timelines_end),
            .occupant = known_occupant(timelines, page.value[slot]),
            .cpu = at->cpu,
            .idle = tt_occupant_kind(timelines, page.value[slot]) == CPU_IDLE};
    }
    at->chunk++;
    at->slot = 0;
    *more = page.has_next;
    return done;
}

uint64_t tt_occupation_index(const struct tt_timelines *timelines, struct tt_occupation_at at)
{
    return tt_track_index(&timeline_cpus_cpu_of(timelines, at.cpu)->occupants,
                          occupation_place(at));
}

bool tt_occupation_skip(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                        uint32_t count)
{
    struct tt_track_place place = occupation_place(*at);
    bool is = tt_track_skip(&timeline_cpus_cpu_of(timelines, at->cpu)->occupants, &place, count);
    *at = (struct tt_occupation_at){at->cpu, place.chunk, place.slot};
    return is;
}

/* Computes the sums of everything before `time`. */
static void cpu_before(const struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                       uint64_t time, uint64_t *sums)
{
    struct tt_track_place found;
    memset(sums, 0, CPU_SUMS * sizeof *sums);
    if (time == 0 || !tt_track_find(&cpu->occupants, time - 1, &found)) {
        return;
    }
    tt_track_sums(&cpu->occupants, found, sums);
    /* The first chunk has no sums: its first item is unknown, with no thread before it. */
    uint32_t last = found.chunk == 0 ? TT_OCCUPANT_UNKNOWN : (uint32_t)sums[CPU_LAST];
    bool has_irqs = !tt_track_is_empty(&cpu->irqs);
    struct tt_irq_walk irqs = {.cursor.track = &cpu->irqs, .end = tt_timelines_end(timelines)};
    struct tt_track_page page;
    tt_track_load(&cpu->occupants, found.chunk, found.slot + 2, &page);
    if (has_irqs) {
        tt_irq_walk_find(&irqs, page.base);
    }
    for (uint32_t i = 0; i <= found.slot; i++) {
        struct tt_track_item item = {tt_page_time(&page, i), page.value[i]};
        uint64_t end = tt_page_end(&page, i, irqs.end);
        end = end < time ? end : time;
        enum cpu_kind kind = tt_occupant_kind(timelines, item.value);
        if (end > item.time) {
            sums[CPU_TICKS + (int)kind] += end - item.time;
            if (has_irqs) {
                uint64_t before = tt_irq_walk_to(&irqs, item.time);
                sums[CPU_IRQ + (int)kind] += tt_irq_walk_to(&irqs, end) - before;
            }
        }
        if (tt_occupant_is_thread(item.value)) {
            sums[CPU_SWITCHES] += last != TT_OCCUPANT_UNKNOWN && last != item.value;
            last = item.value;
        } else if (item.value == TT_OCCUPANT_UNKNOWN) {
            last = TT_OCCUPANT_UNKNOWN;
        }
    }
}

void tt_cpu_sum(const struct tt_timelines *timelines, uint16_t number, uint64_t from, uint64_t to,
                struct tt_cpu_sums *out)
{
    memset(out, 0, sizeof *out);
    const struct tt_cpu_lane *cpu = timeline_cpus_cpu_of(timelines, number);
    /* Only the window's part inside the capture has a duration; instants at its very end count. */
    uint64_t begin = tt_timelines_begin(timelines), end = tt_timelines_end(timelines);
    uint64_t first = from > begin ? from : begin, last = to < end ? to : end;
    uint64_t length = first < last ? last - first : 0;
    if (from >= to) {
        return;
    }
    if (!cpu) {
        out->unknown = length;
        return;
    }
    uint64_t a[CPU_SUMS], b[CPU_SUMS], irqs_a[IRQ_SUMS], irqs_b[IRQ_SUMS];
    cpu_before(timelines, cpu, from, a);
    cpu_before(timelines, cpu, to, b);
    irq_before(timelines, cpu, from, irqs_a);
    irq_before(timelines, cpu, to, irqs_b);
    uint64_t net[CPU_KINDS], known = 0;
    for (unsigned kind = 0; kind < CPU_KINDS; kind++) {
        uint64_t irq = b[CPU_IRQ + kind] - a[CPU_IRQ + kind];
        net[kind] = b[CPU_TICKS + kind] - a[CPU_TICKS + kind] - irq;
        out->irq += irq;
        known += net[kind] + irq;
    }
    out->busy = net[CPU_BUSY];
    out->idle = net[CPU_IDLE];
    out->kernel = net[CPU_KERNEL];
    out->unknown = net[CPU_UNKNOWN] + (length - known);
    out->interrupts = irqs_b[IRQ_ENTERS] - irqs_a[IRQ_ENTERS];
    out->nested = irqs_b[IRQ_NESTED] - irqs_a[IRQ_NESTED];
    out->switches = b[CPU_SWITCHES] - a[CPU_SWITCHES];
}
