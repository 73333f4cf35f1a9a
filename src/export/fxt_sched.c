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

enum scheduling_record { RECORD_SWITCH = 1, RECORD_WAKEUP = 2 };

/* ---- what is selected --------------------------------------------------------------------- */

static bool is_picked_thread(const struct tt_fxt_sched *s, uint32_t thread)
{
    return tt_bit_selects(s->request->subset.threads, s->request->subset.thread_count, thread);
}

static bool is_picked_cpu(const struct tt_fxt_sched *s, uint32_t cpu)
{
    return tt_bit_selects(s->request->subset.cpus, s->request->subset.cpu_count, cpu);
}

static bool is_thread(const struct tt_fxt_sched *s, uint32_t occupant)
{
    return occupant < s->tracks->threads;
}

/* Returns the occupant as the records show it: threads that are not selected are no thread. */
static uint32_t shown(const struct tt_fxt_sched *s, uint32_t occupant)
{
    return is_thread(s, occupant) && !is_picked_thread(s, occupant) ? TT_OCCUPANT_KERNEL : occupant;
}

/* ---- records ------------------------------------------------------------------------------ */

static bool is_idle(const struct tt_fxt_sched *s, uint32_t occupant)
{
    return !is_thread(s, occupant) || tt_thread_at(s->capture, occupant)->idle;
}

static int32_t weight_of(const struct tt_fxt_sched *s, uint32_t occupant, uint64_t ticks)
{
    if (is_idle(s, occupant)) {
        return INT32_MIN;
    }
    int priority = tt_thread_priority(s->timelines, occupant, ticks);
    if (priority == TT_NO_PRIORITY) {
        return 0;
    }
    const struct tt_format *format = s->capture->format;
    return format->refers.weight ? format->refers.weight(s->capture, occupant, (int16_t)priority)
                                 : priority;
}

static uint32_t koid_of(const struct tt_fxt_sched *s, uint32_t cpu, uint32_t occupant)
{
    if (is_thread(s, occupant)) {
        return s->tracks->koids[occupant];
    }
    return occupant == TT_OCCUPANT_IDLE ? s->tracks->koids[tt_fxt_track_of_idle(s->tracks, cpu)]
                                        : 0;
}

static void put_switch(struct tt_fxt_sched *s, uint32_t cpu, uint64_t ticks, uint32_t from,
                       uint32_t to, enum outgoing_state state)
{
    tt_fxt_writer_begin(s->w, TT_FXT_RECORD_SCHEDULING,
                        UINT64_C(2) << 16 | (uint64_t)cpu << 20 | (uint64_t)state << 36 |
                            (uint64_t)RECORD_SWITCH << 60);
    tt_fxt_writer_word(s->w, tt_fxt_time_of(s->clock, ticks));
    tt_fxt_writer_word(s->w, koid_of(s, cpu, from));
    tt_fxt_writer_word(s->w, koid_of(s, cpu, to));
    tt_fxt_writer_int32(s->w, s->outgoing_weight, weight_of(s, from, ticks));
    tt_fxt_writer_int32(s->w, s->incoming_weight, weight_of(s, to, ticks));
    tt_fxt_writer_end(s->w);
    s->switches++;
}

static void put_wakeup(struct tt_fxt_sched *s, const struct tt_wake *wake, uint16_t cpu)
{
    bool has_waker = wake->by == TT_WAKER_THREAD;
    tt_fxt_writer_begin(s->w, TT_FXT_RECORD_SCHEDULING,
                        (has_waker ? UINT64_C(2) : UINT64_C(1)) << 16 | (uint64_t)cpu << 20 |
                            (uint64_t)RECORD_WAKEUP << 60);
    tt_fxt_writer_word(s->w, tt_fxt_time_of(s->clock, wake->at));
    tt_fxt_writer_word(s->w, s->tracks->koids[wake->thread]);
    tt_fxt_writer_int32(s->w, s->weight, weight_of(s, wake->thread, wake->at));
    if (has_waker) {
        tt_fxt_writer_koid(s->w, s->waker, s->tracks->koids[wake->waker]);
    }
    tt_fxt_writer_end(s->w);
    s->wakeup_records++;
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

static bool is_before(struct tt_fxt_moment x, struct tt_fxt_moment y)
{
    return x.ticks != y.ticks ? x.ticks < y.ticks : x.unknown < y.unknown;
}

static bool is_earlier(const struct tt_fxt_sched *s, uint32_t a, uint32_t b)
{
    struct tt_fxt_moment x = s->changes[a].when, y = s->changes[b].when;
    return is_before(x, y) || (!is_before(y, x) && a < b);
}

static void heap_set(struct tt_fxt_sched *s, uint32_t place, uint32_t thread)
{
    s->heap[place] = thread;
    s->heap_places[thread] = place;
}

static void heap_up(struct tt_fxt_sched *s, uint32_t place, uint32_t thread)
{
    while (place > 0 && is_earlier(s, thread, s->heap[(place - 1) / 2])) {
        heap_set(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_set(s, place, thread);
}

static void heap_down(struct tt_fxt_sched *s, uint32_t place, uint32_t thread)
{
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= s->heap_count) {
            break;
        }
        if (child + 1 < s->heap_count && is_earlier(s, s->heap[child + 1], s->heap[child])) {
            child++;
        }
        if (!is_earlier(s, s->heap[child], thread)) {
            break;
        }
        heap_set(s, place, s->heap[child]);
        place = child;
    }
    heap_set(s, place, thread);
}

/* Fills the place of a removed thread with the last thread of the heap. */
static void heap_remove(struct tt_fxt_sched *s, uint32_t thread)
{
    uint32_t place = s->heap_places[thread], last = s->heap[--s->heap_count];
    s->heap_places[thread] = NOT_IN_HEAP;
    if (last != thread) {
        if (place > 0 && is_earlier(s, last, s->heap[(place - 1) / 2])) {
            heap_up(s, place, last);
        } else {
            heap_down(s, place, last);
        }
    }
}

/* Returns whether a thread that ends with its process in the interval at `at` was on no CPU. */
static bool find_end(const struct tt_fxt_sched *s, struct tt_interval_at at,
                     struct tt_fxt_change *change)
{
    struct tt_interval last = tt_interval_get(s->timelines, at);
    *change = (struct tt_fxt_change){{last.end, false}, at, true};
    return !last.open && last.class_ != TT_CLASS_DEAD && last.class_ != TT_CLASS_RUNNING &&
           last.end < s->request->to;
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
static bool find_change(const struct tt_fxt_sched *s, struct tt_interval_at at,
                        struct tt_fxt_change *change)
{
    struct tt_interval_at next = at;
    unsigned class_ = tt_interval_get(s->timelines, at).class_;
    for (; tt_interval_next(s->timelines, &next); at = next) {
        struct tt_interval interval = tt_interval_get(s->timelines, next);
        if (interval.start >= s->request->to) {
            return false;
        }
        if (class_ != TT_CLASS_RUNNING && interval.class_ != TT_CLASS_RUNNING &&
            interval.start >= s->request->from &&
            state_of_class(class_) != state_of_class(interval.class_)) {
            *change = change_to(&interval, next);
            return true;
        }
        class_ = interval.class_;
    }
    return find_end(s, at, change);
}

/* Returns the wake that a wakeup shows; of a thread that was not blocked it has no waker. */
static struct tt_wake wake_of(const struct tt_fxt_sched *s, const struct tt_interval *ready,
                              struct tt_interval_at at)
{
    struct tt_wake wake = {.at = ready->start, .thread = ready->thread, .cpu = TT_NO_CPU};
    if (tt_interval_previous(s->timelines, &at)) {
        struct tt_interval before = tt_interval_get(s->timelines, at);
        if (tt_class_is_blocked(before.class_)) {
            tt_wake_find(s->wakes, &before, &wake);
        }
    }
    return wake;
}

static void put_ready(struct tt_fxt_sched *s, const struct tt_interval *ready,
                      struct tt_interval_at at)
{
    struct tt_wake wake = wake_of(s, ready, at);
    uint16_t cpu = wake.cpu != TT_NO_CPU ? wake.cpu : ready->cpu != TT_NO_CPU ? ready->cpu : 0;
    if (is_picked_cpu(s, cpu)) {
        put_wakeup(s, &wake, cpu);
    }
}

/* Writes the state of a thread that is on no CPU. */
static void put_state(struct tt_fxt_sched *s, const struct tt_interval *interval,
                      struct tt_interval_at at)
{
    if (interval->class_ == TT_CLASS_RUNNING) {
        return;
    }
    if (interval->class_ == TT_CLASS_READY) {
        put_ready(s, interval, at);
        return;
    }
    if (!tt_interval_previous(s->timelines, &at) && interval->class_ != TT_CLASS_UNKNOWN) {
        put_switch(s, s->first_cpu, interval->start, interval->thread, TT_OCCUPANT_KERNEL,
                   STATE_UNKNOWN); /* the state begins here */
    }
    put_switch(s, s->first_cpu, interval->start, interval->thread, TT_OCCUPANT_KERNEL,
               state_of_class(interval->class_));
}

/* Writes the next change of a thread and finds the one after it. */
static void pass_state(struct tt_fxt_sched *s, uint32_t thread)
{
    struct tt_fxt_change *change = &s->changes[thread];
    struct tt_interval interval = tt_interval_get(s->timelines, change->at);
    if (change->ends) {
        put_switch(s, s->first_cpu, change->when.ticks, thread, TT_OCCUPANT_KERNEL, STATE_DEAD);
    } else {
        put_state(s, &interval, change->at);
    }
    if (!change->ends && find_change(s, change->at, change)) {
        heap_down(s, s->heap_places[thread], thread);
    } else {
        heap_remove(s, thread);
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static void next_change(struct tt_fxt_sched *s, struct tt_fxt_cpu *cpu)
{
    cpu->has_next = tt_occupation_next(s->timelines, &cpu->at);
    if (cpu->has_next) {
        cpu->next = tt_occupation_get(s->timelines, cpu->at);
        cpu->has_next = cpu->next.start < s->request->to;
    }
}

/* Returns the state in which a thread left a CPU at `ticks`, on which it ran since `since`. */
static enum outgoing_state left_state(const struct tt_fxt_sched *s, uint32_t thread, uint16_t cpu,
                                      uint64_t since, uint64_t ticks)
{
    struct tt_interval_at at;
    unsigned class_ = TT_CLASS_UNKNOWN;
    if (!tt_interval_find(s->timelines, thread, ticks, &at)) {
        return STATE_DEAD; /* its process has ended */
    }
    do {
        struct tt_interval interval = tt_interval_get(s->timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING && interval.cpu == cpu && interval.start <= since) {
            break;
        }
        class_ = interval.class_;
    } while (tt_interval_previous(s->timelines, &at));
    return state_of_class(class_);
}

/* Returns whether the run of a thread that begins at `ticks` had begun before the capture. */
static bool ran_before(const struct tt_fxt_sched *s, uint32_t thread, uint16_t cpu, uint64_t ticks)
{
    struct tt_interval_at at;
    bool found = is_thread(s, thread) && tt_interval_find(s->timelines, thread, ticks, &at);
    while (found) {
        struct tt_interval interval = tt_interval_get(s->timelines, at);
        if (interval.start < ticks) {
            break;
        }
        if (interval.class_ == TT_CLASS_RUNNING && interval.cpu == cpu) {
            return interval.since_before;
        }
        found = tt_interval_previous(s->timelines, &at);
    }
    return false;
}

/* Skips kernel time without duration between two threads, and a run of which only the end is known. */
static bool skip_change(struct tt_fxt_sched *s, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &s->cpus[number];
    struct tt_occupation_at at = cpu->at;
    struct tt_occupation now = cpu->next;
    if (now.end != now.start || !tt_occupation_next(s->timelines, &at)) {
        return false;
    }
    uint32_t after = tt_occupation_get(s->timelines, at).occupant;
    if (now.occupant == TT_OCCUPANT_KERNEL) {
        return after != TT_OCCUPANT_UNKNOWN && after != cpu->occupant &&
               cpu->occupant != TT_OCCUPANT_UNKNOWN;
    }
    bool is_end = cpu->occupant == TT_OCCUPANT_UNKNOWN && after != TT_OCCUPANT_KERNEL &&
                  after != TT_OCCUPANT_UNKNOWN && ran_before(s, now.occupant, number, now.start);
    if (is_end) {
        cpu->occupant = shown(s, now.occupant);
        cpu->since = now.start;
    }
    return is_end;
}

static void show_change(struct tt_fxt_sched *s, uint16_t number, uint32_t to, uint64_t ticks)
{
    struct tt_fxt_cpu *cpu = &s->cpus[number];
    uint32_t from = cpu->occupant;
    bool from_none = from == TT_OCCUPANT_KERNEL || from == TT_OCCUPANT_UNKNOWN;
    enum outgoing_state state = STATE_READY;
    if (to == from || (from_none && to == TT_OCCUPANT_KERNEL)) {
        return;
    }
    if (to == TT_OCCUPANT_UNKNOWN) {
        state = STATE_LOST;
    } else if (is_thread(s, from)) {
        state = left_state(s, from, number, cpu->since, ticks);
    } else if (from == TT_OCCUPANT_UNKNOWN && ran_before(s, to, number, ticks)) {
        state = STATE_LOST;
    }
    put_switch(s, number, ticks, from, to, state);
    cpu->occupant = to;
    cpu->since = ticks;
}

/*
 * Returns the CPU that a thread leaves at `ticks`, or NO_CPU: none, or one whose change is being
 * passed.
 */
static uint32_t cpu_left(const struct tt_fxt_sched *s, uint32_t thread, uint64_t ticks)
{
    for (uint32_t i = 0; i < s->cpu_count; i++) {
        const struct tt_fxt_cpu *cpu = &s->cpus[i];
        if (cpu->occupant == thread && !cpu->changing && cpu->has_next &&
            cpu->next.start == ticks && cpu->next.occupant != thread) {
            return i;
        }
    }
    return NO_CPU;
}

/* Writes the change of a CPU, after the wakeups of the thread that gets it. */
static void put_change(struct tt_fxt_sched *s, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &s->cpus[number];
    uint32_t to = shown(s, cpu->change.occupant);
    while (is_thread(s, to) && s->heap_places[to] != NOT_IN_HEAP &&
           s->changes[to].when.ticks <= cpu->change.start) {
        pass_state(s, to);
    }
    show_change(s, number, to, cpu->change.start);
    cpu->changing = false;
}

/*
 * Passes the next change of a CPU. A thread that moves from one CPU to another at one time leaves
 * the first before it gets the second, so a chain of such moves is passed from its end.
 */
static void pass_change(struct tt_fxt_sched *s, uint32_t number)
{
    uint32_t depth = 0;
    while (number != NO_CPU) {
        struct tt_fxt_cpu *cpu = &s->cpus[number];
        if (skip_change(s, (uint16_t)number)) {
            next_change(s, cpu);
            break;
        }
        cpu->change = cpu->next;
        cpu->changing = true;
        next_change(s, cpu);
        s->chain[depth++] = number;
        uint32_t to = shown(s, cpu->change.occupant);
        number = is_thread(s, to) ? cpu_left(s, to, cpu->change.start) : NO_CPU;
    }
    while (depth > 0) {
        put_change(s, (uint16_t)s->chain[--depth]);
    }
}

/* ---- both --------------------------------------------------------------------------------- */

void tt_fxt_sched_until(struct tt_fxt_sched *s, uint64_t ticks)
{
    for (;;) {
        struct tt_fxt_moment first = {UINT64_MAX, true};
        uint32_t changes = s->cpu_count; /* the CPU that changes first, if any does */
        for (uint32_t i = 0; i < s->cpu_count; i++) {
            const struct tt_fxt_cpu *cpu = &s->cpus[i];
            struct tt_fxt_moment next = {cpu->next.start,
                                         cpu->next.occupant == TT_OCCUPANT_UNKNOWN};
            if (cpu->has_next && is_before(next, first)) {
                first = next;
                changes = i;
            }
        }
        if (s->heap_count > 0 && is_before(s->changes[s->heap[0]].when, first)) {
            first = s->changes[s->heap[0]].when;
            changes = s->cpu_count;
        }
        if (!is_before(first, (struct tt_fxt_moment){ticks, true})) {
            return;
        }
        if (changes < s->cpu_count) {
            pass_change(s, changes);
        } else {
            pass_state(s, s->heap[0]);
        }
    }
}

/* Sets the occupant at the beginning of the request, and writes it if it ran then. */
static void open_cpu(struct tt_fxt_sched *s, uint16_t number)
{
    struct tt_fxt_cpu *cpu = &s->cpus[number];
    uint64_t from = s->request->from;
    cpu->occupant = TT_OCCUPANT_UNKNOWN;
    if (from > 0 && tt_occupation_find(s->timelines, number, from - 1, &cpu->at)) {
        struct tt_occupation before = tt_occupation_get(s->timelines, cpu->at);
        cpu->since = before.start;
        next_change(s, cpu);
        if (is_thread(s, shown(s, before.occupant)) || before.occupant == TT_OCCUPANT_IDLE) {
            put_switch(s, number, from, TT_OCCUPANT_KERNEL, before.occupant, STATE_LOST);
        }
        cpu->occupant = shown(s, before.occupant);
        return;
    }
    cpu->has_next = tt_occupation_first(s->timelines, number, &cpu->at);
    if (cpu->has_next) {
        cpu->next = tt_occupation_get(s->timelines, cpu->at);
        cpu->has_next = cpu->next.start < s->request->to;
    }
}

/*
 * Writes the state that a thread has at the beginning of the request, or its first state, and finds
 * the change after it. Returns false if there is none.
 */
static bool open_thread(struct tt_fxt_sched *s, uint32_t thread)
{
    uint64_t from = s->request->from, begin = tt_timelines_begin(s->timelines);
    struct tt_interval_at at;
    if (!(from > 0 && tt_interval_find(s->timelines, thread, from - 1, &at)) &&
        !tt_interval_first(s->timelines, thread, &at)) {
        return false;
    }
    struct tt_interval interval = tt_interval_get(s->timelines, at);
    from = from > begin ? from : begin;
    if (interval.start > from || (interval.start == from && !interval.since_before)) {
        s->changes[thread] = change_to(&interval, at);
        return interval.start < s->request->to;
    }
    if (interval.class_ != TT_CLASS_RUNNING) {
        put_switch(s, s->first_cpu, from, thread, TT_OCCUPANT_KERNEL,
                   state_of_class(interval.class_));
    }
    return find_change(s, at, &s->changes[thread]);
}

static void open_threads(struct tt_fxt_sched *s)
{
    while (s->first_cpu + 1u < s->cpu_count && !is_picked_cpu(s, s->first_cpu)) {
        s->first_cpu++;
    }
    for (uint32_t i = 0; i < s->tracks->threads; i++) {
        const struct tt_thread *t = tt_thread_at(s->capture, i);
        s->heap_places[i] = NOT_IN_HEAP;
        if (t->idle || t->pseudo || !is_picked_thread(s, i)) {
            continue;
        }
        if (open_thread(s, i)) {
            heap_up(s, s->heap_count++, i);
        }
    }
}

static struct tt_fxt_text_ref constant(struct tt_fxt_writer *w, const char *text)
{
    return tt_fxt_writer_text(w, text, strlen(text));
}

struct tt_status tt_fxt_sched_open(struct tt_fxt_sched *s, const struct tt_export_request *request,
                                   struct tt_fxt_tracks *tracks, struct tt_fxt_writer *w,
                                   struct tt_fxt_clock clock)
{
    size_t threads = (size_t)tracks->threads + 1; /* calloc(0) may return NULL */
    *s = (struct tt_fxt_sched){.request = request,
                               .capture = tracks->capture,
                               .timelines = tt_trace_timelines(request->trace),
                               .tracks = tracks,
                               .w = w,
                               .clock = clock,
                               .cpu_count = tracks->cpus};
    s->wakes = tt_wakes_new(request->trace);
    s->cpus = calloc((size_t)s->cpu_count + 1, sizeof *s->cpus);
    s->chain = calloc((size_t)s->cpu_count + 1, sizeof *s->chain);
    s->changes = calloc(threads, sizeof *s->changes);
    s->heap = calloc(threads, sizeof *s->heap);
    s->heap_places = calloc(threads, sizeof *s->heap_places);
    if (!s->wakes || !s->cpus || !s->chain || !s->changes || !s->heap || !s->heap_places) {
        return tt_error_memory();
    }
    s->incoming_weight = constant(w, "incoming_weight");
    s->outgoing_weight = constant(w, "outgoing_weight");
    s->weight = constant(w, "weight");
    s->waker = constant(w, "waker");
    for (uint32_t i = 0; i < s->cpu_count; i++) {
        if (is_picked_cpu(s, i)) {
            open_cpu(s, (uint16_t)i);
        }
    }
    open_threads(s);
    return tt_ok();
}

void tt_fxt_sched_close(struct tt_fxt_sched *s)
{
    tt_wakes_free(s->wakes);
    free(s->cpus);
    free(s->chain);
    free(s->changes);
    free(s->heap);
    free(s->heap_places);
}
