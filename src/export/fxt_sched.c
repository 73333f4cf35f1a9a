/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the changes of all CPUs and the wakeups of all threads. At equal times the changes come
 * first, each after the wakeups of the thread that gets the CPU.
 */
#include "export/fxt_sched.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#define NOT_IN_HEAP UINT32_MAX
#define NO_CPU      UINT32_MAX

/* Outgoing states of a switch record. */
enum outgoing_state {
    STATE_READY = 1,
    STATE_SUSPENDED = 2,
    STATE_BLOCKED = 3,
    STATE_DEAD = 5,
    STATE_UNKNOWN = 6,
    STATE_LOST = 15, /* docs/format-fxt.md, "No thread" */
};

/* ---- what is selected --------------------------------------------------------------------- */

static bool is_picked_thread(const struct tt_fxt_sched *sched, uint32_t thread)
{
    return tt_bit_selects(sched->request->subset.threads, sched->request->subset.thread_count,
                          thread);
}

static bool is_picked_cpu(const struct tt_fxt_sched *sched, uint32_t cpu)
{
    return tt_bit_selects(sched->request->subset.cpus, sched->request->subset.cpu_count, cpu);
}

static bool fxt_sched_is_thread(const struct tt_fxt_sched *sched, uint32_t occupant)
{
    return occupant < sched->tracks->threads;
}

/* Returns the occupant as the records show it: threads that are not selected are no thread. */
static uint32_t shown(const struct tt_fxt_sched *sched, uint32_t occupant)
{
    return fxt_sched_is_thread(sched, occupant) && !is_picked_thread(sched, occupant)
               ? TT_OCCUPANT_KERNEL
               : occupant;
}

/* ---- records ------------------------------------------------------------------------------ */

static bool is_idle(const struct tt_fxt_sched *sched, uint32_t occupant)
{
    return !fxt_sched_is_thread(sched, occupant) || tt_thread_at(sched->capture, occupant)->idle;
}

static int32_t weight_of(const struct tt_fxt_sched *sched, uint32_t occupant, uint64_t ticks)
{
    if (is_idle(sched, occupant)) {
        return INT32_MIN;
    }
    int priority = tt_thread_priority(sched->timelines, occupant, ticks);
    if (priority == TT_NO_PRIORITY) {
        return 0;
    }
    const struct tt_format *format = sched->capture->format;
    return format->refers.weight
               ? format->refers.weight(sched->capture, occupant, (int16_t)priority)
               : priority;
}

static struct tt_fxt_ids ids_of(const struct tt_fxt_sched *sched, uint32_t cpu, uint32_t occupant)
{
    bool thread = fxt_sched_is_thread(sched, occupant);
    if (!thread && occupant != TT_OCCUPANT_IDLE) {
        return (struct tt_fxt_ids){0, 0};
    }
    uint32_t track = thread ? occupant : tt_fxt_track_of_idle(sched->tracks, cpu);
    return tt_fxt_track_ids(sched->tracks, track);
}

static void fxt_sched_put_switch(struct tt_fxt_sched *sched, uint32_t cpu, uint64_t ticks,
                                 uint32_t from, uint32_t to, enum outgoing_state state)
{
    tt_fxt_writer_switch(sched->w,
                         &(struct tt_fxt_switch){.ns = tt_fxt_time_of(sched->clock, ticks),
                                                 .cpu = cpu,
                                                 .state = state,
                                                 .from = ids_of(sched, cpu, from),
                                                 .to = ids_of(sched, cpu, to),
                                                 .from_weight = weight_of(sched, from, ticks),
                                                 .to_weight = weight_of(sched, to, ticks)});
    sched->switches++;
}

static enum outgoing_state state_of_class(unsigned class_)
{
    switch (class_) {
    case TT_CLASS_READY:
        return STATE_READY;
    case TT_CLASS_STOPPED:
        return STATE_SUSPENDED;
    case TT_CLASS_DEAD:
        return STATE_DEAD;
    case TT_CLASS_RUNNING: /* on another CPU, without having left this one */
    case TT_CLASS_UNKNOWN:
        return STATE_UNKNOWN;
    default:
        return STATE_BLOCKED;
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

static bool fxt_sched_is_before(struct tt_fxt_moment x, struct tt_fxt_moment y)
{
    return x.ticks != y.ticks ? x.ticks < y.ticks : x.unknown < y.unknown;
}

static bool fxt_sched_is_earlier(const struct tt_fxt_sched *sched, uint32_t a, uint32_t b)
{
    struct tt_fxt_moment x = sched->changes[a].when, y = sched->changes[b].when;
    return fxt_sched_is_before(x, y) || (!fxt_sched_is_before(y, x) && a < b);
}

static void heap_set(struct tt_fxt_sched *sched, uint32_t place, uint32_t thread)
{
    sched->heap[place] = thread;
    sched->heap_places[thread] = place;
}

static void heap_up(struct tt_fxt_sched *sched, uint32_t place, uint32_t thread)
{
    while (place > 0 && fxt_sched_is_earlier(sched, thread, sched->heap[(place - 1) / 2])) {
        heap_set(sched, place, sched->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_set(sched, place, thread);
}

static void heap_down(struct tt_fxt_sched *sched, uint32_t place, uint32_t thread)
{
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= sched->heap_count) {
            break;
        }
        if (child + 1 < sched->heap_count &&
            fxt_sched_is_earlier(sched, sched->heap[child + 1], sched->heap[child])) {
            child++;
        }
        if (!fxt_sched_is_earlier(sched, sched->heap[child], thread)) {
            break;
        }
        heap_set(sched, place, sched->heap[child]);
        place = child;
    }
    heap_set(sched, place, thread);
}

static struct tt_fxt_change change_to(const struct tt_interval *interval, struct tt_interval_at at)
{
    bool unknown = interval->class_ == TT_CLASS_UNKNOWN;
    return (struct tt_fxt_change){{interval->start, unknown}, at, false};
}

/*
 * Moves from the interval at `at` to the next one whose state the switches do not show: of a thread
 * that was on no CPU before. Returns false if there is none before the end of the request.
 */
static bool fxt_sched_find_change(const struct tt_fxt_sched *sched, struct tt_interval_at at,
                                  struct tt_fxt_change *change)
{
    struct tt_interval_at next = at;
    unsigned class_ = tt_interval_get(sched->timelines, at).class_;
    for (; tt_interval_next(sched->timelines, &next); at = next) {
        struct tt_interval interval = tt_interval_get(sched->timelines, next);
        if (interval.start >= sched->request->to) {
            return false;
        }
        if (class_ != TT_CLASS_RUNNING && interval.class_ != TT_CLASS_RUNNING &&
            interval.start >= sched->request->from &&
            state_of_class(class_) != state_of_class(interval.class_)) {
            *change = change_to(&interval, next);
            return true;
        }
        class_ = interval.class_;
    }

    /* Decides whether a thread that ends with its process in the interval at `at` was on no CPU. */
    struct tt_interval last = tt_interval_get(sched->timelines, at);
    *change = (struct tt_fxt_change){{last.end, false}, at, true};
    return !last.open && last.class_ != TT_CLASS_DEAD && last.class_ != TT_CLASS_RUNNING &&
           last.end < sched->request->to;
}

/* Returns the wake that a wakeup shows; of a thread that was not blocked it has no waker. */
static struct tt_wake wake_of(const struct tt_fxt_sched *sched, const struct tt_interval *ready,
                              struct tt_interval_at at)
{
    struct tt_wake wake = {.at = ready->start, .thread = ready->thread, .cpu = TT_NO_CPU};
    if (tt_interval_previous(sched->timelines, &at)) {
        struct tt_interval before = tt_interval_get(sched->timelines, at);
        if (tt_class_is_blocked(before.class_)) {
            tt_wake_find(sched->wakes, &before, &wake);
        }
    }
    return wake;
}

/* Writes the state of a thread that is on no CPU. */
static void fxt_sched_put_state(struct tt_fxt_sched *sched, const struct tt_interval *interval,
                                struct tt_interval_at at)
{
    if (interval->class_ == TT_CLASS_RUNNING) {
        return;
    }
    if (interval->class_ == TT_CLASS_READY) {
        struct tt_wake wake = wake_of(sched, interval, at);
        uint16_t cpu = wake.cpu != TT_NO_CPU        ? wake.cpu
                       : interval->cpu != TT_NO_CPU ? interval->cpu
                                                    : 0;
        if (is_picked_cpu(sched, cpu)) {
            bool has_waker = wake.by == TT_WAKER_THREAD;
            tt_fxt_writer_wakeup(
                sched->w,
                &(struct tt_fxt_wakeup){.ns = tt_fxt_time_of(sched->clock, wake.at),
                                        .cpu = cpu,
                                        .thread = tt_fxt_track_ids(sched->tracks, wake.thread),
                                        .weight = weight_of(sched, wake.thread, wake.at),
                                        .has_waker = has_waker,
                                        .waker = has_waker ? sched->tracks->koids[wake.waker] : 0});
            sched->wakeup_records++;
        }

        return;
    }
    if (!tt_interval_previous(sched->timelines, &at) && interval->class_ != TT_CLASS_UNKNOWN) {
        fxt_sched_put_switch(sched, sched->first_cpu, interval->start, interval->thread,
                             TT_OCCUPANT_KERNEL, STATE_UNKNOWN); /* the state begins here */
    }
    fxt_sched_put_switch(sched, sched->first_cpu, interval->start, interval->thread,
                         TT_OCCUPANT_KERNEL, state_of_class(interval->class_));
}

/* Writes the next change of a thread and finds the one after it. */
static void pass_state(struct tt_fxt_sched *sched, uint32_t thread)
{
    struct tt_fxt_change *change = &sched->changes[thread];
    struct tt_interval interval = tt_interval_get(sched->timelines, change->at);
    if (change->ends) {
        fxt_sched_put_switch(sched, sched->first_cpu, change->when.ticks, thread,
                             TT_OCCUPANT_KERNEL, STATE_DEAD);
    } else {
        fxt_sched_put_state(sched, &interval, change->at);
    }
    if (!change->ends && fxt_sched_find_change(sched, change->at, change)) {
        heap_down(sched, sched->heap_places[thread], thread);
    } else {
        /* Fills the place of a removed thread with the last thread of the heap. */
        uint32_t place = sched->heap_places[thread], last = sched->heap[--sched->heap_count];
        sched->heap_places[thread] = NOT_IN_HEAP;
        if (last != thread) {
            if (place > 0 && fxt_sched_is_earlier(sched, last, sched->heap[(place - 1) / 2])) {
                heap_up(sched, place, last);
            } else {
                heap_down(sched, place, last);
            }
        }
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static void next_change(struct tt_fxt_sched *sched, struct tt_fxt_cpu *cpu)
{
    cpu->has_next = tt_occupation_next(sched->timelines, &cpu->at);
    if (cpu->has_next) {
        cpu->next = tt_occupation_get(sched->timelines, cpu->at);
        cpu->has_next = cpu->next.start < sched->request->to;
    }
}

/* Returns the state in which a thread left a CPU at `ticks`, on which it ran since `since`. */
static enum outgoing_state left_state(const struct tt_fxt_sched *sched, uint32_t thread,
                                      uint16_t cpu, uint64_t since, uint64_t ticks)
{
    struct tt_interval_at at;
    unsigned class_ = TT_CLASS_UNKNOWN;
    if (!tt_interval_find(sched->timelines, thread, ticks, &at)) {
        return STATE_DEAD; /* its process has ended */
    }
    do {
        struct tt_interval interval = tt_interval_get(sched->timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING && interval.cpu == cpu && interval.start <= since) {
            break;
        }
        class_ = interval.class_;
    } while (tt_interval_previous(sched->timelines, &at));
    return state_of_class(class_);
}

/* Returns whether the run of a thread that begins at `ticks` had begun before the capture. */
static bool ran_before(const struct tt_fxt_sched *sched, uint32_t thread, uint16_t cpu,
                       uint64_t ticks)
{
    struct tt_interval_at at;
    bool found = fxt_sched_is_thread(sched, thread) &&
                 tt_interval_find(sched->timelines, thread, ticks, &at);
    while (found) {
        struct tt_interval interval = tt_interval_get(sched->timelines, at);
        if (interval.start < ticks) {
            break;
        }
        if (interval.class_ == TT_CLASS_RUNNING && interval.cpu == cpu) {
            return interval.since_before;
        }
        found = tt_interval_previous(sched->timelines, &at);
    }
    return false;
}

/* Skips kernel time without duration between two threads, and a run of which only the end is known. */
static bool skip_change(struct tt_fxt_sched *sched, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &sched->cpus[number];
    struct tt_occupation_at at = cpu->at;
    struct tt_occupation now = cpu->next;
    if (now.end != now.start || !tt_occupation_next(sched->timelines, &at)) {
        return false;
    }
    uint32_t after = tt_occupation_get(sched->timelines, at).occupant;
    if (now.occupant == TT_OCCUPANT_KERNEL) {
        return after != TT_OCCUPANT_UNKNOWN && after != cpu->occupant &&
               cpu->occupant != TT_OCCUPANT_UNKNOWN;
    }
    bool is_end = cpu->occupant == TT_OCCUPANT_UNKNOWN && after != TT_OCCUPANT_KERNEL &&
                  after != TT_OCCUPANT_UNKNOWN &&
                  ran_before(sched, now.occupant, number, now.start);
    if (is_end) {
        cpu->occupant = shown(sched, now.occupant);
        cpu->since = now.start;
    }
    return is_end;
}

static void show_change(struct tt_fxt_sched *sched, uint16_t number, uint32_t to, uint64_t ticks)
{
    struct tt_fxt_cpu *cpu = &sched->cpus[number];
    uint32_t from = cpu->occupant;
    bool from_none = from == TT_OCCUPANT_KERNEL || from == TT_OCCUPANT_UNKNOWN;
    enum outgoing_state state = STATE_READY;
    if (to == from || (from_none && to == TT_OCCUPANT_KERNEL)) {
        return;
    }
    if (to == TT_OCCUPANT_UNKNOWN) {
        state = STATE_LOST;
    } else if (fxt_sched_is_thread(sched, from)) {
        state = left_state(sched, from, number, cpu->since, ticks);
    } else if (from == TT_OCCUPANT_UNKNOWN && ran_before(sched, to, number, ticks)) {
        state = STATE_LOST;
    }
    fxt_sched_put_switch(sched, number, ticks, from, to, state);
    cpu->occupant = to;
    cpu->since = ticks;
}

/*
 * Returns the CPU that a thread leaves at `ticks`, or NO_CPU: none, or one whose change is being
 * passed.
 */
static uint32_t cpu_left(const struct tt_fxt_sched *sched, uint32_t thread, uint64_t ticks)
{
    for (uint32_t i = 0; i < sched->cpu_count; i++) {
        const struct tt_fxt_cpu *cpu = &sched->cpus[i];
        if (cpu->occupant == thread && !cpu->changing && cpu->has_next &&
            cpu->next.start == ticks && cpu->next.occupant != thread) {
            return i;
        }
    }
    return NO_CPU;
}

/* Writes the change of a CPU, after the wakeups of the thread that gets it. */
static void put_change(struct tt_fxt_sched *sched, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &sched->cpus[number];
    uint32_t to = shown(sched, cpu->change.occupant);
    while (fxt_sched_is_thread(sched, to) && sched->heap_places[to] != NOT_IN_HEAP &&
           sched->changes[to].when.ticks <= cpu->change.start) {
        pass_state(sched, to);
    }
    show_change(sched, number, to, cpu->change.start);
    cpu->changing = false;
}

/* ---- both --------------------------------------------------------------------------------- */

void tt_fxt_sched_until(struct tt_fxt_sched *sched, uint64_t ticks)
{
    for (;;) {
        struct tt_fxt_moment first = {UINT64_MAX, true};
        uint32_t changes = sched->cpu_count; /* the CPU that changes first, if any does */
        for (uint32_t i = 0; i < sched->cpu_count; i++) {
            const struct tt_fxt_cpu *cpu = &sched->cpus[i];
            struct tt_fxt_moment next = {cpu->next.start,
                                         cpu->next.occupant == TT_OCCUPANT_UNKNOWN};
            if (cpu->has_next && fxt_sched_is_before(next, first)) {
                first = next;
                changes = i;
            }
        }
        if (sched->heap_count > 0 &&
            fxt_sched_is_before(sched->changes[sched->heap[0]].when, first)) {
            first = sched->changes[sched->heap[0]].when;
            changes = sched->cpu_count;
        }
        if (!fxt_sched_is_before(first, (struct tt_fxt_moment){ticks, true})) {
            return;
        }
        if (changes < sched->cpu_count) {
            /*
             * Passes the next change of a CPU. A thread that moves from one CPU to another at one
             * time leaves the first before it gets the second, so a chain of such moves is passed
             * from its end.
             */
            uint32_t number = changes;
            uint32_t depth = 0;
            while (number != NO_CPU) {
                struct tt_fxt_cpu *cpu = &sched->cpus[number];
                if (skip_change(sched, (uint16_t)number)) {
                    next_change(sched, cpu);
                    break;
                }
                cpu->change = cpu->next;
                cpu->changing = true;
                next_change(sched, cpu);
                sched->chain[depth++] = number;
                uint32_t to = shown(sched, cpu->change.occupant);
                number = fxt_sched_is_thread(sched, to) ? cpu_left(sched, to, cpu->change.start)
                                                        : NO_CPU;
            }
            while (depth > 0) {
                put_change(sched, (uint16_t)sched->chain[--depth]);
            }
        } else {
            pass_state(sched, sched->heap[0]);
        }
    }
}

/* Sets the occupant at the beginning of the request, and writes it if it ran then. */
static void open_cpu(struct tt_fxt_sched *sched, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &sched->cpus[number];
    uint64_t from = sched->request->from;
    cpu->occupant = TT_OCCUPANT_UNKNOWN;
    if (from > 0 && tt_occupation_find(sched->timelines, number, from - 1, &cpu->at)) {
        struct tt_occupation before = tt_occupation_get(sched->timelines, cpu->at);
        cpu->since = before.start;
        next_change(sched, cpu);
        if (fxt_sched_is_thread(sched, shown(sched, before.occupant)) ||
            before.occupant == TT_OCCUPANT_IDLE) {
            fxt_sched_put_switch(sched, number, from, TT_OCCUPANT_KERNEL, before.occupant,
                                 STATE_LOST);
        }
        cpu->occupant = shown(sched, before.occupant);
        return;
    }
    cpu->has_next = tt_occupation_first(sched->timelines, number, &cpu->at);
    if (cpu->has_next) {
        cpu->next = tt_occupation_get(sched->timelines, cpu->at);
        cpu->has_next = cpu->next.start < sched->request->to;
    }
}

/*
 * Writes the state that a thread has at the beginning of the request, or its first state, and finds
 * the change after it. Returns false if there is none.
 */
static bool open_thread(struct tt_fxt_sched *sched, uint32_t thread)
{
    uint64_t from = sched->request->from, begin = tt_timelines_begin(sched->timelines);
    struct tt_interval_at at;
    if (!(from > 0 && tt_interval_find(sched->timelines, thread, from - 1, &at)) &&
        !tt_interval_first(sched->timelines, thread, &at)) {
        return false;
    }
    struct tt_interval interval = tt_interval_get(sched->timelines, at);
    from = from > begin ? from : begin;
    if (interval.start > from || (interval.start == from && !interval.since_before)) {
        sched->changes[thread] = change_to(&interval, at);
        return interval.start < sched->request->to;
    }
    if (interval.class_ != TT_CLASS_RUNNING) {
        fxt_sched_put_switch(sched, sched->first_cpu, from, thread, TT_OCCUPANT_KERNEL,
                             state_of_class(interval.class_));
    }
    return fxt_sched_find_change(sched, at, &sched->changes[thread]);
}

static struct tt_fxt_text_ref fxt_sched_constant(struct tt_fxt_writer *writer, const char *text)
{
    return tt_fxt_writer_text(writer, text, strlen(text));
}

struct tt_status tt_fxt_sched_open(struct tt_fxt_sched *sched,
                                   const struct tt_export_request *request,
                                   struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer,
                                   struct tt_fxt_clock clock)
{
    size_t threads = (size_t)tracks->threads + 1; /* calloc(0) may return NULL */
    *sched = (struct tt_fxt_sched){.request = request,
                                   .capture = tracks->capture,
                                   .timelines = tt_trace_timelines(request->trace),
                                   .tracks = tracks,
                                   .w = writer,
                                   .clock = clock,
                                   .cpu_count = tracks->cpus};
    sched->wakes = tt_wakes_new(request->trace);
    sched->cpus = calloc((size_t)sched->cpu_count + 1, sizeof *sched->cpus);
    sched->chain = calloc((size_t)sched->cpu_count + 1, sizeof *sched->chain);
    sched->changes = calloc(threads, sizeof *sched->changes);
    sched->heap = calloc(threads, sizeof *sched->heap);
    sched->heap_places = calloc(threads, sizeof *sched->heap_places);
    if (!sched->wakes || !sched->cpus || !sched->chain || !sched->changes || !sched->heap ||
        !sched->heap_places) {
        return tt_error_memory();
    }
    writer->incoming_weight = fxt_sched_constant(writer, "incoming_weight");
    writer->outgoing_weight = fxt_sched_constant(writer, "outgoing_weight");
    writer->weight_text = fxt_sched_constant(writer, "weight");
    writer->waker_text = fxt_sched_constant(writer, "waker");
    for (uint32_t i = 0; i < sched->cpu_count; i++) {
        if (is_picked_cpu(sched, i)) {
            open_cpu(sched, (uint16_t)i);
        }
    }

    while (sched->first_cpu + 1u < sched->cpu_count && !is_picked_cpu(sched, sched->first_cpu)) {
        sched->first_cpu++;
    }
    for (uint32_t i = 0; i < sched->tracks->threads; i++) {
        const struct tt_thread *thread = tt_thread_at(sched->capture, i);
        sched->heap_places[i] = NOT_IN_HEAP;
        if (thread->idle || thread->pseudo || !is_picked_thread(sched, i)) {
            continue;
        }
        if (open_thread(sched, i)) {
            heap_up(sched, sched->heap_count++, i);
        }
    }

    return tt_ok();
}

void tt_fxt_sched_close(struct tt_fxt_sched *sched)
{
    tt_wakes_free(sched->wakes);
    free(sched->cpus);
    free(sched->chain);
    free(sched->changes);
    free(sched->heap);
    free(sched->heap_places);
}
