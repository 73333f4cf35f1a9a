/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the lanes: intervals by time, and exact sums over windows.
 *
 * A sum over [from, to) is the difference of two sums from the lane's beginning. The sum up to a
 * time is that of the chunk's beginning plus at most 64 items.
 */
#include <string.h>

#include "trace/mark.h"
#include "trace/timeline.h"

bool tt_timelines_provisional(const struct tt_timelines *t)
{
    return atomic_load_explicit(&t->provisional, memory_order_acquire);
}

uint64_t tt_timelines_begin(const struct tt_timelines *t)
{
    return atomic_load_explicit(&t->begin, memory_order_acquire);
}

uint64_t tt_timelines_end(const struct tt_timelines *t)
{
    return atomic_load_explicit(&t->end, memory_order_acquire);
}

static const struct tt_lane *lane_of(const struct tt_timelines *t, uint32_t thread)
{
    return thread < tt_column_count(&t->lanes) ? tt_column_at(&t->lanes, thread) : NULL;
}

static const struct tt_cpu_lane *cpu_of(const struct tt_timelines *t, uint32_t cpu)
{
    return cpu < tt_column_count(&t->cpus) ? tt_column_at(&t->cpus, cpu) : NULL;
}

uint64_t tt_timelines_memory(const struct tt_timelines *t)
{
    uint64_t bytes = tt_column_memory(&t->lanes) + tt_column_memory(&t->cpus) +
                     tt_slices_memory(t) + tt_counters_memory(t);
    for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        bytes += tt_track_memory(&lane->states) + tt_track_memory(&lane->priorities) +
                 tt_track_memory(&lane->notes);
    }
    for (uint64_t i = 0; i < tt_column_count(&t->cpus); i++) {
        const struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        bytes += tt_track_memory(&cpu->occupants) + tt_track_memory(&cpu->irqs);
    }
    return bytes;
}

uint64_t tt_timelines_intervals(const struct tt_timelines *t)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        count += tt_track_count(&lane->states);
    }
    for (uint64_t i = 0; i < tt_column_count(&t->cpus); i++) {
        const struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        count += tt_track_count(&cpu->occupants) + tt_track_count(&cpu->irqs);
    }
    return count;
}

/* When the item's successor begins; the end of the timelines for the last one. */
static uint64_t item_end(const struct tt_timelines *t, const struct tt_track *track,
                         struct tt_track_place place)
{
    uint64_t end = tt_timelines_end(t);
    return tt_track_next(track, &place) ? tt_track_item(track, place).time : end;
}

/* ---- interrupts --------------------------------------------------------------------------- */

/* Interrupt ticks of a CPU, and how often one was entered, before `time`. */
static void irq_before(const struct tt_timelines *t, const struct tt_cpu_lane *cpu, uint64_t time,
                       uint64_t *sums)
{
    struct tt_track_place found, at;
    memset(sums, 0, IRQ_SUMS * sizeof *sums);
    if (time == 0 || !tt_track_find(&cpu->irqs, time - 1, &found)) {
        return;
    }
    memcpy(sums, tt_track_sums(&cpu->irqs, found), IRQ_SUMS * sizeof *sums);
    uint32_t depth = 0;
    at = found;
    at.slot = 0;
    struct tt_track_place before = at;
    if (tt_track_previous(&cpu->irqs, &before)) {
        depth = tt_track_item(&cpu->irqs, before).value;
    }
    for (; at.slot <= found.slot; at.slot++) {
        struct tt_track_item item = tt_track_item(&cpu->irqs, at);
        uint64_t end = item_end(t, &cpu->irqs, at);
        sums[IRQ_ENTERS] += item.value > depth;
        sums[IRQ_NESTED] += item.value > depth && depth > 0;
        depth = item.value;
        if (depth > 0) {
            sums[IRQ_TICKS] += (end < time ? end : time) - item.time;
        }
    }
}

static uint64_t irq_ticks_before(const struct tt_timelines *t, const struct tt_cpu_lane *cpu,
                                 uint64_t time)
{
    uint64_t sums[IRQ_SUMS];
    irq_before(t, cpu, time, sums);
    return sums[IRQ_TICKS];
}

uint64_t tt_cpu_irq(const struct tt_timelines *t, uint16_t cpu, uint64_t from, uint64_t to)
{
    const struct tt_cpu_lane *lane = cpu_of(t, cpu);
    if (!lane || from >= to || tt_track_is_empty(&lane->irqs)) {
        return 0;
    }
    return irq_ticks_before(t, lane, to) - irq_ticks_before(t, lane, from);
}

uint32_t tt_cpu_irq_depth(const struct tt_timelines *t, uint16_t cpu, uint64_t ticks)
{
    const struct tt_cpu_lane *lane = cpu_of(t, cpu);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->irqs, ticks, &place)) {
        return 0;
    }
    return tt_track_item(&lane->irqs, place).value;
}

/* ---- threads ------------------------------------------------------------------------------ */

static struct tt_track_place place_of(struct tt_interval_at at)
{
    struct tt_track_place place = {at.chunk, at.slot};
    return place;
}

static struct tt_interval_at interval_at(uint32_t thread, struct tt_track_place place)
{
    struct tt_interval_at at = {thread, place.chunk, place.slot};
    return at;
}

/* Does the lane end with this item? */
static bool is_end(const struct tt_lane *lane, struct tt_track_place place)
{
    return VALUE_STATE(tt_track_item(&lane->states, place).value) == VALUE_ENDED;
}

bool tt_interval_find(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                      struct tt_interval_at *at)
{
    const struct tt_lane *lane = lane_of(t, thread);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->states, ticks, &place) || is_end(lane, place)) {
        return false;
    }
    *at = interval_at(thread, place);
    return true;
}

bool tt_interval_first(const struct tt_timelines *t, uint32_t thread, struct tt_interval_at *at)
{
    const struct tt_lane *lane = lane_of(t, thread);
    struct tt_track_place place;
    if (!lane || !tt_track_first(&lane->states, &place)) {
        return false;
    }
    *at = interval_at(thread, place);
    return true;
}

static bool step(const struct tt_timelines *t, struct tt_interval_at *at,
                 bool (*move)(const struct tt_track *, struct tt_track_place *))
{
    const struct tt_lane *lane = lane_of(t, at->thread);
    struct tt_track_place place = place_of(*at);
    if (!lane || !move(&lane->states, &place) || is_end(lane, place)) {
        return false;
    }
    *at = interval_at(at->thread, place);
    return true;
}

bool tt_interval_next(const struct tt_timelines *t, struct tt_interval_at *at)
{
    return step(t, at, tt_track_next);
}

bool tt_interval_previous(const struct tt_timelines *t, struct tt_interval_at *at)
{
    return step(t, at, tt_track_previous);
}

struct tt_interval tt_interval_get(const struct tt_timelines *t, struct tt_interval_at at)
{
    const struct tt_lane *lane = lane_of(t, at.thread);
    struct tt_track_place place = place_of(at), next = place;
    struct tt_track_item item = tt_track_item(&lane->states, place);
    struct tt_interval interval = {
        .start = item.time,
        .end = tt_timelines_end(t),
        .thread = at.thread,
        .cpu = VALUE_CPU(item.value),
        .state = (uint16_t)VALUE_STATE(item.value),
        .class_ = (uint8_t)tt_state_class(t, VALUE_STATE(item.value)),
        .open = true,
        .since_before = (item.value & VALUE_SINCE_BEFORE) != 0,
        .switched_in = (item.value & VALUE_SWITCHED_IN) != 0,
        .migrated = (item.value & VALUE_MIGRATED) != 0,
        .out_before = (uint8_t)VALUE_OUT(item.value),
    };
    if (tt_track_next(&lane->states, &next)) {
        interval.end = tt_track_item(&lane->states, next).time;
        interval.open = false;
    }
    return interval;
}

uint32_t tt_interval_read(const struct tt_timelines *t, struct tt_interval_at at, uint32_t max,
                          struct tt_state_span *spans)
{
    struct tt_track_item items[TT_STATE_SPANS + 1];
    max = max < TT_STATE_SPANS ? max : TT_STATE_SPANS;
    uint32_t count = tt_track_read(&lane_of(t, at.thread)->states, place_of(at), max + 1, items);
    uint32_t done = 0;
    for (; done < count && done < max && VALUE_STATE(items[done].value) != VALUE_ENDED; done++) {
        unsigned state = VALUE_STATE(items[done].value);
        spans[done].start = items[done].time;
        spans[done].end = done + 1 < count ? items[done + 1].time : tt_timelines_end(t);
        spans[done].state = (uint16_t)state;
        spans[done].class_ = (uint8_t)tt_state_class(t, state);
    }
    return done;
}

uint64_t tt_interval_count(const struct tt_timelines *t, uint32_t thread)
{
    const struct tt_lane *lane = lane_of(t, thread);
    return lane ? tt_track_count(&lane->states) : 0;
}

/* Interrupts of the CPU that was asked for last: runs follow each other on one CPU mostly. */
struct run_irqs {
    struct tt_irq_walk walk;
    uint32_t cpu;
    bool found;
};

static uint64_t irq_in_run(const struct tt_timelines *t, struct run_irqs *irqs, uint16_t number,
                           uint64_t start, uint64_t end)
{
    const struct tt_cpu_lane *cpu = cpu_of(t, number);
    if (!cpu || start >= end || tt_track_is_empty(&cpu->irqs)) {
        return 0;
    }
    if (!irqs->found || irqs->cpu != number) {
        irqs->walk.mark.track = &cpu->irqs;
        irqs->walk.end = tt_timelines_end(t);
        irqs->cpu = number;
        irqs->found = true;
        tt_irq_walk_find(&irqs->walk, start);
    }
    uint64_t before = tt_irq_walk_to(&irqs->walk, start);
    return tt_irq_walk_to(&irqs->walk, end) - before;
}

static void add_item(const struct tt_timelines *t, struct run_irqs *irqs, uint32_t value,
                     uint64_t start, uint64_t end, uint64_t *sums)
{
    tt_lane_count_out(sums, VALUE_LATE_OUT(value));
    if (VALUE_STATE(value) == VALUE_ENDED) {
        return;
    }
    enum tt_class class_ = tt_state_class(t, VALUE_STATE(value));
    sums[LANE_CLASS + (int)class_] += end - start;
    if (class_ != TT_CLASS_RUNNING) {
        return;
    }
    sums[LANE_IRQ] += irq_in_run(t, irqs, VALUE_CPU(value), start, end);
    if (value & VALUE_SINCE_BEFORE) {
        return;
    }
    sums[LANE_RUNS]++;
    sums[LANE_IN] += (value & VALUE_SWITCHED_IN) != 0;
    sums[LANE_MIGRATIONS] += (value & VALUE_MIGRATED) != 0;
    tt_lane_count_out(sums, VALUE_OUT(value));
}

/*
 * Did another thread come to `cpu` in [from, to), before anything that is not known?
 * `left_at_once`: the thread itself had come at `from` too.
 */
static bool another_came(const struct tt_timelines *t, uint16_t number, uint32_t thread,
                         uint64_t from, uint64_t to, bool left_at_once)
{
    const struct tt_cpu_lane *cpu = cpu_of(t, number);
    struct tt_track_place place;
    if (!cpu || !tt_track_find(&cpu->occupants, from, &place)) {
        return false;
    }
    /* Several occupants may share the instant: begin with the first of them. */
    struct tt_track_place before = place;
    while (tt_track_previous(&cpu->occupants, &before) &&
           tt_track_item(&cpu->occupants, before).time >= from) {
        place = before;
    }
    do {
        struct tt_track_item item = tt_track_item(&cpu->occupants, place);
        if (item.time >= to) {
            return false;
        }
        if (item.time < from) {
            continue;
        }
        if (item.value == TT_OCCUPANT_UNKNOWN) {
            return false;
        }
        if (item.value == thread && item.time == from && left_at_once) {
            left_at_once = false;
            continue;
        }
        if (tt_occupant_is_thread(item.value)) {
            return item.value != thread;
        }
    } while (tt_track_next(&cpu->occupants, &place));
    return false;
}

/*
 * The run that ended last before `time` may have ended in a switch that only the thread's next run
 * tells of; that run is not before `time`.
 */
static void add_pending_out(const struct tt_timelines *t, uint32_t thread,
                            const struct tt_lane *lane, struct tt_track_place last, uint64_t time,
                            uint64_t *sums)
{
    struct tt_track_place place = last, after = last;
    struct tt_track_item item = tt_track_item(&lane->states, place);
    while (tt_state_class(t, VALUE_STATE(item.value)) != TT_CLASS_RUNNING) {
        after = place;
        if (!tt_track_previous(&lane->states, &place)) {
            return;
        }
        item = tt_track_item(&lane->states, place);
    }
    if (place.chunk == after.chunk && place.slot == after.slot) {
        return;
    }
    struct tt_track_item left = tt_track_item(&lane->states, after);
    bool left_at_once = item.time == left.time;
    if (!another_came(t, VALUE_CPU(item.value), thread, left.time, time, left_at_once)) {
        return;
    }
    switch (tt_state_class(t, VALUE_STATE(left.value))) {
    case TT_CLASS_READY:
        sums[LANE_PREEMPTED]++;
        break;
    case TT_CLASS_UNKNOWN:
        sums[LANE_UNKNOWN_OUT]++;
        break;
    default:
        sums[LANE_VOLUNTARY]++;
        break;
    }
}

/* Everything before `time`. */
static void lane_before(const struct tt_timelines *t, uint32_t thread, const struct tt_lane *lane,
                        uint64_t time, uint64_t *sums)
{
    struct tt_track_place last, at;
    struct run_irqs irqs = {.found = false};
    memset(sums, 0, LANE_SUMS * sizeof *sums);
    if (time == 0 || !tt_track_find(&lane->states, time - 1, &last)) {
        return;
    }
    memcpy(sums, tt_track_sums(&lane->states, last), LANE_SUMS * sizeof *sums);
    at = last;
    for (at.slot = 0; at.slot <= last.slot; at.slot++) {
        struct tt_track_item item = tt_track_item(&lane->states, at);
        uint64_t end = item_end(t, &lane->states, at);
        if (end > time) {
            end = time;
        }
        add_item(t, &irqs, item.value, item.time, end > item.time ? end : item.time, sums);
    }
    add_pending_out(t, thread, lane, last, time, sums);
}

void tt_thread_sum(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                   struct tt_thread_sums *out)
{
    memset(out, 0, sizeof *out);
    const struct tt_lane *lane = lane_of(t, thread);
    if (!lane || from >= to) {
        return;
    }
    uint64_t a[LANE_SUMS], b[LANE_SUMS];
    lane_before(t, thread, lane, from, a);
    lane_before(t, thread, lane, to, b);
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        out->ticks[i] = b[LANE_CLASS + i] - a[LANE_CLASS + i];
    }
    out->irq = b[LANE_IRQ] - a[LANE_IRQ];
    out->in = b[LANE_IN] - a[LANE_IN];
    out->out_voluntary = b[LANE_VOLUNTARY] - a[LANE_VOLUNTARY];
    out->out_preempted = b[LANE_PREEMPTED] - a[LANE_PREEMPTED];
    out->out_unknown = b[LANE_UNKNOWN_OUT] - a[LANE_UNKNOWN_OUT];
    out->migrations = b[LANE_MIGRATIONS] - a[LANE_MIGRATIONS];
    out->runs = b[LANE_RUNS] - a[LANE_RUNS];
}

int tt_thread_priority(const struct tt_timelines *t, uint32_t thread, uint64_t ticks)
{
    const struct tt_lane *lane = lane_of(t, thread);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->priorities, ticks, &place)) {
        return TT_NO_PRIORITY;
    }
    return (int16_t)tt_track_item(&lane->priorities, place).value;
}

bool tt_thread_priority_range(const struct tt_timelines *t, uint32_t thread, uint64_t from,
                              uint64_t to, int *least, int *greatest)
{
    const struct tt_lane *lane = lane_of(t, thread);
    struct tt_track_place place;
    bool any = false;
    if (!lane || from >= to || tt_track_is_empty(&lane->priorities)) {
        return false;
    }
    if (!tt_track_find(&lane->priorities, from, &place)) {
        tt_track_first(&lane->priorities, &place);
    }
    do {
        struct tt_track_item item = tt_track_item(&lane->priorities, place);
        if (item.time >= to) {
            break;
        }
        int priority = (int16_t)item.value;
        *least = any && *least < priority ? *least : priority;
        *greatest = any && *greatest > priority ? *greatest : priority;
        any = true;
    } while (tt_track_next(&lane->priorities, &place));
    return any;
}

/* ---- rare things -------------------------------------------------------------------------- */

/* The first item in [from, to). */
static bool first_in(const struct tt_track *track, uint64_t from, uint64_t to,
                     struct tt_track_item *item)
{
    struct tt_track_place place;
    bool there = from > 0 && tt_track_find(track, from - 1, &place) ? tt_track_next(track, &place)
                                                                    : tt_track_first(track, &place);
    if (there) {
        *item = tt_track_item(track, place);
    }
    return there && item->time < to;
}

bool tt_thread_note(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                    uint64_t *ticks, uint32_t *type)
{
    const struct tt_lane *lane = lane_of(t, thread);
    struct tt_track_item item;
    if (!lane || !first_in(&lane->notes, from, to, &item)) {
        return false;
    }
    *ticks = item.time;
    *type = item.value;
    return true;
}

bool tt_loss_in(const struct tt_timelines *t, uint64_t from, uint64_t to, uint64_t *ticks)
{
    struct tt_track_item item;
    bool is = first_in(&t->losses, from, to, &item);
    *ticks = is ? item.time : 0;
    return is;
}

/* ---- CPUs --------------------------------------------------------------------------------- */

uint32_t tt_cpu_count(const struct tt_timelines *t)
{
    return (uint32_t)tt_column_count(&t->cpus);
}

static struct tt_track_place occupation_place(struct tt_occupation_at at)
{
    struct tt_track_place place = {at.chunk, at.slot};
    return place;
}

bool tt_occupation_find(const struct tt_timelines *t, uint16_t cpu, uint64_t ticks,
                        struct tt_occupation_at *at)
{
    const struct tt_cpu_lane *lane = cpu_of(t, cpu);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->occupants, ticks, &place)) {
        return false;
    }
    *at = (struct tt_occupation_at){cpu, place.chunk, place.slot};
    return true;
}

bool tt_occupation_first(const struct tt_timelines *t, uint16_t cpu, struct tt_occupation_at *at)
{
    const struct tt_cpu_lane *lane = cpu_of(t, cpu);
    *at = (struct tt_occupation_at){cpu, 0, 0};
    return lane && !tt_track_is_empty(&lane->occupants);
}

static bool occupation_step(const struct tt_timelines *t, struct tt_occupation_at *at,
                            bool (*move)(const struct tt_track *, struct tt_track_place *))
{
    const struct tt_cpu_lane *lane = cpu_of(t, at->cpu);
    struct tt_track_place place = occupation_place(*at);
    if (!lane || !move(&lane->occupants, &place)) {
        return false;
    }
    at->chunk = place.chunk;
    at->slot = place.slot;
    return true;
}

bool tt_occupation_next(const struct tt_timelines *t, struct tt_occupation_at *at)
{
    return occupation_step(t, at, tt_track_next);
}

bool tt_occupation_previous(const struct tt_timelines *t, struct tt_occupation_at *at)
{
    return occupation_step(t, at, tt_track_previous);
}

struct tt_occupation tt_occupation_get(const struct tt_timelines *t, struct tt_occupation_at at)
{
    const struct tt_cpu_lane *lane = cpu_of(t, at.cpu);
    struct tt_track_place place = occupation_place(at);
    struct tt_track_item item = tt_track_item(&lane->occupants, place);
    struct tt_occupation occupation = {
        .start = item.time,
        .end = item_end(t, &lane->occupants, place),
        .occupant = item.value,
        .cpu = at.cpu,
        .idle = tt_occupant_kind(t, item.value) == CPU_IDLE,
    };
    return occupation;
}

/* Everything before `time`. */
static void cpu_before(const struct tt_timelines *t, const struct tt_cpu_lane *cpu, uint64_t time,
                       uint64_t *sums)
{
    struct tt_track_place found, at;
    memset(sums, 0, CPU_SUMS * sizeof *sums);
    if (time == 0 || !tt_track_find(&cpu->occupants, time - 1, &found)) {
        return;
    }
    memcpy(sums, tt_track_sums(&cpu->occupants, found), CPU_SUMS * sizeof *sums);
    /* No sums are kept for the first chunk; its first item is unknown, and no thread before it. */
    uint32_t last = found.chunk == 0 ? TT_OCCUPANT_UNKNOWN : (uint32_t)sums[CPU_LAST];
    bool has_irqs = !tt_track_is_empty(&cpu->irqs);
    struct tt_irq_walk irqs = {.mark.track = &cpu->irqs, .end = tt_timelines_end(t)};
    at = found;
    at.slot = 0;
    if (has_irqs) {
        tt_irq_walk_find(&irqs, tt_track_item(&cpu->occupants, at).time);
    }
    for (at.slot = 0; at.slot <= found.slot; at.slot++) {
        struct tt_track_item item = tt_track_item(&cpu->occupants, at);
        uint64_t end = item_end(t, &cpu->occupants, at);
        end = end < time ? end : time;
        enum cpu_kind kind = tt_occupant_kind(t, item.value);
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

void tt_cpu_sum(const struct tt_timelines *t, uint16_t number, uint64_t from, uint64_t to,
                struct tt_cpu_sums *out)
{
    memset(out, 0, sizeof *out);
    const struct tt_cpu_lane *cpu = cpu_of(t, number);
    /* The window's length: of what lies inside the capture. Instants at its very end still count.
     */
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
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
    cpu_before(t, cpu, from, a);
    cpu_before(t, cpu, to, b);
    irq_before(t, cpu, from, irqs_a);
    irq_before(t, cpu, to, irqs_b);
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
