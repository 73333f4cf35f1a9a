/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TraceX's results for thousands of random rings, from a model of its rules (trx_model.h), compared
 * with the decoder's: next contexts, RUNNING events, times, performance statistics, those of each
 * thread, and the same in consecutive windows.
 *
 *  Deviations, all in docs/metrics.md and docs/format-trx.md: a derived RUNNING of the idle system
 * is not a context switch, and time slices are counted as TraceX intends.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trx_build.h"
#include "trx_model.h"

#define THREADS     6u
#define ENTRIES_MAX 90u

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    return (trx_kit_random(&seed) >> 20) % below;
}

/* ---- random rings ----------------------------------------------------------------------- */

struct made {
    struct trx_kit_object objects[2 * THREADS];
    uint64_t threads[THREADS];
    uint64_t stack_starts[THREADS]; /* 0: not in the registry */
    struct trx_kit_entry in_order[ENTRIES_MAX];
    struct trx_kit_entry ring[ENTRIES_MAX + 4];
    struct trx_kit_buffer buffer;
    struct model *model;
    uint32_t cores;
    bool old_kernel; /* records neither the next thread nor the interrupted one */
    bool hostile;    /* words may be anything */
};

static uint64_t some_thread(const struct made *made)
{
    return made->threads[dice(THREADS)];
}

/* Returns a next-thread word: nothing, a thread, sometimes something else. */
static uint64_t some_next(const struct made *made)
{
    if (made->hostile && dice(6) == 0) {
        static const uint64_t strange[] = {MODEL_ISR, MODEL_INIT, 0x7770};
        return strange[dice(3)];
    }
    if (made->old_kernel) {
        return 0;
    }
    return dice(4) == 0 ? 0 : some_thread(made);
}

static void make_registry(struct made *made)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        uint64_t above = made->buffer.wide && dice(2) ? UINT64_C(0x5500000000) : 0;
        made->threads[i] = above + 0x1000 + 0x100 * i;
        made->stack_starts[i] = dice(5) == 0 ? 0 : 0x8000 + 0x400 * i;
        if (made->stack_starts[i] != 0) {
            made->objects[count++] = (struct trx_kit_object){
                (uint8_t)dice(2), 1, {0, 0}, made->threads[i], {made->stack_starts[i], 0x400}, "t"};
        }
        if (dice(6) == 0) { /* a slot never used, or a later one with the same address */
            made->objects[count++] = (struct trx_kit_object){1,
                                                             (uint8_t)(made->stack_starts[i] > 0),
                                                             {0, 0},
                                                             made->threads[i],
                                                             {0x20, 0x30},
                                                             "other"};
        }
    }
    made->buffer.objects = made->objects;
    made->buffer.object_count = count;
}

static uint32_t some_id(void)
{
    static const uint16_t ids[] = {
        1,  1,  1,   1,   2,   2,   2,   3,   3,   4,   4,   5,   5,  5,    52,   52, 52,
        57, 57, 109, 109, 6,   10,  12,  17,  21,  26,  31,  36,  44, 62,   68,   81, 83,
        87, 88, 100, 101, 102, 103, 111, 115, 117, 120, 127, 203, 0,  4098, 65535};
    return ids[dice(sizeof ids / sizeof ids[0])];
}

/* Makes the information words of an entry; words read by a rule have values that match it. */
static void make_words(const struct made *made, uint32_t id, uint64_t context, uint64_t *info)
{
    for (unsigned i = 0; i < 4; i++) {
        info[i] = dice(3) == 0 ? some_thread(made) : 0x7c00 + dice(0x2000);
    }
    if (id == 1 || id == 2) {
        info[0] = id == 2 && dice(3) > 0 ? context : some_thread(made);
        info[1] = dice(15);
        info[3] = some_next(made);
    } else if (id == 5) {
        info[0] = dice(8) == 0 ? 0 : some_thread(made);
    } else if (id == 109) {
        info[1] = some_next(made);
    } else if (id == 52 || id == 57) {
        info[0] = 0x9000 + 0x10 * dice(3);
        info[2] = id == 57 ? dice(3) : dice(4) == 0 ? 0 : some_thread(made);
    }
}

static void make_entry(const struct made *made, uint64_t before, struct trx_kit_entry *entry)
{
    uint64_t kind = dice(20);
    uint64_t context = kind < 7    ? before
                       : kind < 12 ? some_thread(made)
                       : kind < 19 ? MODEL_ISR
                                   : MODEL_INIT;
    uint32_t id = some_id();
    uint64_t core = made->cores > 1 ? dice(made->cores) : 0;
    entry->words[0] = context;
    entry->words[1] = dice(8) | (dice(2) ? 0x80000000u | dice(8) << 16 : 0);
    if (context == MODEL_ISR) {
        entry->words[1] = made->old_kernel || dice(3) == 0 ? 0 : some_thread(made);
    } else if (context == MODEL_INIT) {
        entry->words[1] = 0;
    }
    entry->words[2] = core << 24 | id;
    make_words(made, id, context, &entry->words[4]);
}

static void make_stamps(struct made *made, uint32_t count)
{
    bool down = dice(2);
    uint64_t stamp = trx_kit_random(&seed);
    uint64_t garbage = made->hostile ? trx_kit_random(&seed) & ~made->buffer.mask : 0;
    garbage &= UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        made->in_order[i].words[3] = (stamp & made->buffer.mask) | garbage;
        uint64_t step = dice(4) == 0 ? dice(3) * 6 : dice(300);
        stamp = down ? stamp - step : stamp + step;
    }
}

/* Puts the entries into the ring: full, with the oldest anywhere, or partly unused. */
static void fill_ring(struct made *made, uint32_t count)
{
    struct trx_kit_buffer *b = &made->buffer;
    uint32_t unused = count > 0 && dice(3) > 0 ? 0 : 1 + (uint32_t)dice(3);
    uint32_t oldest = unused ? 0 : (uint32_t)dice(count);
    memset(made->ring, 0, sizeof made->ring);
    for (uint32_t i = 0; i < count; i++) {
        made->ring[(i + oldest) % count] = made->in_order[i];
    }
    b->entries = made->ring;
    b->entry_count = count + unused;
    b->oldest = unused ? count : oldest;
}

static struct model_event event_of_words(const uint64_t *w)
{
    return (struct model_event){.context = w[0],
                                .priority = w[1],
                                .info = {w[4], w[5], w[6], w[7]},
                                .stamp = w[3],
                                .id = (uint32_t)(w[2] & 0xffff),
                                .core = (uint32_t)(w[2] >> 24)};
}

static void fill_model(struct model *m, uint64_t mask, const struct trx_kit_entry *entries,
                       uint32_t count)
{
    m->count = count;
    m->mask = mask;
    for (uint32_t i = 0; i < count; i++) {
        m->events[i] = event_of_words(entries[i].words);
    }
    model_run(m);
}

static void make_ring(struct made *made)
{
    static const uint64_t masks[] = {0xffffffff, 0xffffffff, 0xffff, 0xffffff};
    static struct model model;
    memset(made, 0, sizeof *made);
    made->model = &model;
    made->buffer.big = dice(2);
    made->buffer.wide = dice(3) == 0;
    made->buffer.mask = masks[dice(4)];
    made->buffer.name_size = dice(2) ? 32 : 16;
    made->cores = dice(4) == 0 ? 2 + (uint32_t)dice(4) : 1;
    made->old_kernel = dice(2);
    made->hostile = dice(3) == 0;
    make_registry(made);
    uint32_t count = (uint32_t)dice(dice(3) == 0 ? 8 : ENTRIES_MAX + 1);
    uint64_t before = some_thread(made);
    for (uint32_t i = 0; i < count; i++) {
        make_entry(made, before, &made->in_order[i]);
        uint64_t context = made->in_order[i].words[0];
        before = context == MODEL_ISR || context == MODEL_INIT ? before : context;
    }
    make_stamps(made, count);
    fill_ring(made, count);
    fill_model(&model, made->buffer.mask, made->in_order, count);
}

/* ---- events ----------------------------------------------------------------------------- */

static uint64_t context_of(const struct trx_kit *kit, const struct tt_event *event)
{
    return event->thread == TT_NO_THREAD ? 0 : tt_thread_at(kit->capture, event->thread)->tid;
}

static void check_events(const struct trx_kit *kit, const struct model *m, uint64_t ring)
{
    static struct tt_args args;
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct model_event *e = &m->events[i];
        cr_assert_lt(at, kit->count, "ring %" PRIu64 ": events end at %u", ring, i);
        const struct tt_event *event = &kit->events[at];
        cr_assert_eq(context_of(kit, event), e->context, "ring %" PRIu64 ", event %u", ring, i);
        cr_assert(!m->has_direction || event->ticks == e->time, "ring %" PRIu64 ", event %u", ring,
                  i);
        cr_assert(trx_kit_describe(kit, at, &args));
        const struct tt_arg *next = trx_kit_arg(&args, "next_context");
        cr_assert(next && next->value.u == e->next, "ring %" PRIu64 ", event %u: next %" PRIx64,
                  ring, i, e->next);
        at++;
        if (e->running) {
            cr_assert_lt(at, kit->count, "ring %" PRIu64 ", event %u: no RUNNING", ring, i);
            event = &kit->events[at++];
            cr_assert(event->flags & TT_EVENT_DERIVED, "ring %" PRIu64 ", event %u", ring, i);
            /* An interrupt, which only damage puts here, has a lane if an event occurred in it. */
            bool laneless =
                event->thread == TT_NO_THREAD && (e->next == MODEL_ISR || e->next == MODEL_INIT);
            cr_assert(laneless || context_of(kit, event) == e->next, "ring %" PRIu64 ", event %u",
                      ring, i);
            cr_assert(!m->has_direction || event->ticks == e->rested,
                      "ring %" PRIu64 ", event %u: RUNNING", ring, i);
        }
    }
    cr_assert_eq(at, kit->count, "ring %" PRIu64 ": %u events, not %u", ring, kit->count, at);
}

/* ---- statistics ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} figures[] = {
#define FIGURE(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct tt_totals, name)                                                    \
    }
    FIGURE(context_switches),
    FIGURE(preemptions),
    FIGURE(time_slices),
    FIGURE(suspensions),
    FIGURE(resumptions),
    FIGURE(interrupts),
    FIGURE(nested_interrupts),
    FIGURE(inversions_deterministic),
    FIGURE(inversions_nondeterministic),
};

static uint64_t figure(const struct tt_totals *totals, size_t index)
{
    uint64_t value;
    memcpy(&value, (const char *)totals + figures[index].offset, sizeof value);
    return value;
}

struct counted {
    struct tt_totals totals;
    struct tt_thread_totals threads[THREADS + 4 * ENTRIES_MAX];
};

static void count_range(const struct trx_kit *kit, const struct tt_key_range *range,
                        struct counted *counted)
{
    struct tt_capture *c = kit->capture;
    cr_assert_leq(tt_thread_count(c), sizeof counted->threads / sizeof counted->threads[0]);
    c->format->tool.totals(c, range, c->bytes.size, &counted->totals, counted->threads);
}

static void check_totals(const struct counted *whole, const struct model *m, uint64_t ring)
{
    struct tt_totals expected = m->totals;
    expected.context_switches -= m->idle_switches;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        cr_assert_eq(figure(&whole->totals, i), figure(&expected, i),
                     "ring %" PRIu64 ": %s %" PRIu64 ", not %" PRIu64, ring, figures[i].name,
                     figure(&whole->totals, i), figure(&expected, i));
    }
}

static void check_thread(const struct tt_thread_totals *counted, const struct made *made,
                         uint32_t thread, uint64_t ring)
{
    const struct model *m = made->model;
    uint64_t start = made->stack_starts[thread], suspensions = 0, resumptions = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        bool own = m->events[i].context == made->threads[thread];
        suspensions += own && m->events[i].id == 2;
        resumptions += own && m->events[i].id == 1;
    }
    uint64_t min = start ? model_stack_min(m, made->threads[thread], start) : UINT64_MAX;
    cr_assert_eq(counted->suspensions, suspensions, "ring %" PRIu64 ", thread %u", ring, thread);
    cr_assert_eq(counted->resumptions, resumptions, "ring %" PRIu64 ", thread %u", ring, thread);
    cr_assert_eq(counted->stack_size, start ? 0x400 : TT_NO_TOTAL);
    cr_assert_eq(counted->stack_min, min == UINT64_MAX ? TT_NO_TOTAL : min,
                 "ring %" PRIu64 ", thread %u: %" PRIu64 " bytes free, not %" PRIu64, ring, thread,
                 counted->stack_min, min);
}

static void check_threads(const struct trx_kit *kit, const struct counted *whole,
                          const struct made *made, uint64_t ring)
{
    for (uint32_t i = 0; i < tt_thread_count(kit->capture); i++) {
        for (uint32_t k = 0; k < THREADS; k++) {
            if (tt_thread_at(kit->capture, i)->tid == made->threads[k]) {
                check_thread(&whole->threads[i], made, k, ring);
            }
        }
    }
}

/* With several cores a RUNNING may be later than the next event, which is another core's. */
static bool is_before(const struct tt_event *a, const struct tt_event *b)
{
    return a->ticks != b->ticks ? a->ticks < b->ticks : a->pos < b->pos;
}

/* Returns the number of SUSPEND events before another event. */
static uint64_t suspends_before(const struct trx_kit *kit, const struct tt_event *end)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < kit->count; i++) {
        const struct tt_event_type *type = tt_types_at(kit->capture, kit->events[i].type);
        count += is_before(&kit->events[i], end) && strcmp(type->name, "THREAD_SUSPEND") == 0;
    }
    return count;
}

/* Expects the results of the ranges before, between and after two events to add up to the whole. */
static void check_windows(const struct trx_kit *kit, const struct counted *whole, uint64_t ring)
{
    const struct tt_event *first = &kit->events[dice(kit->count)];
    const struct tt_event *second = &kit->events[dice(kit->count)];
    if (is_before(second, first)) {
        const struct tt_event *other = first;
        first = second;
        second = other;
    }
    const struct tt_key_range ranges[] = {
        {0, 0, first->ticks, first->pos},
        {first->ticks, first->pos, second->ticks, second->pos},
        {second->ticks, second->pos, UINT64_MAX, UINT64_MAX},
    };
    struct counted parts[3];
    for (size_t i = 0; i < 3; i++) {
        count_range(kit, &ranges[i], &parts[i]);
    }
    cr_assert_eq(parts[0].totals.suspensions, suspends_before(kit, first), "ring %" PRIu64, ring);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        cr_assert_eq(figure(&parts[0].totals, i) + figure(&parts[1].totals, i) +
                         figure(&parts[2].totals, i),
                     figure(&whole->totals, i), "ring %" PRIu64 ": %s of its windows", ring,
                     figures[i].name);
    }
    for (uint32_t i = 0; i < tt_thread_count(kit->capture); i++) {
        uint64_t suspensions = 0, min = TT_NO_TOTAL;
        for (size_t k = 0; k < 3; k++) {
            const struct tt_thread_totals *part = &parts[k].threads[i];
            suspensions += part->suspensions;
            min = part->stack_min < min ? part->stack_min : min;
        }
        cr_assert_eq(suspensions, whole->threads[i].suspensions, "ring %" PRIu64, ring);
        cr_assert_eq(min, whole->threads[i].stack_min, "ring %" PRIu64, ring);
    }
}

static const struct tt_key_range all = {0, 0, UINT64_MAX, UINT64_MAX};

static void check_ring(struct made *made, uint64_t ring)
{
    struct counted whole;
    struct trx_kit kit;
    make_ring(made);
    trx_kit_load_buffer(&kit, &made->buffer);
    count_range(&kit, &all, &whole);
    check_totals(&whole, made->model, ring);
    check_events(&kit, made->model, ring);
    check_threads(&kit, &whole, made, ring);
    if (kit.count > 0) {
        check_windows(&kit, &whole, ring);
    }
    trx_kit_close(&kit);
}

Test(trx_tracex, random_rings)
{
    static struct made made;
    for (uint64_t ring = 1; ring <= 6000; ring++) {
        seed = ring * UINT64_C(0x9e3779b97f4a7c15);
        check_ring(&made, ring);
    }
}

/* ---- single rules ----------------------------------------------------------------------- */

#define A    UINT64_C(0x1000)
#define B    UINT64_C(0x2000)
#define C    UINT64_C(0x3000)
#define ISR  MODEL_ISR
#define INIT MODEL_INIT

/* Returns the totals of a ring, after comparing them with the model's. */
static struct tt_totals totals_of(const struct trx_kit_entry *entries, uint32_t count)
{
    static struct model model;
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = count};
    struct counted counted;
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    count_range(&kit, &all, &counted);
    fill_model(&model, UINT32_MAX, entries, count);
    check_totals(&counted, &model, 0);
    check_events(&kit, &model, 0);
    trx_kit_close(&kit);
    return counted.totals;
}

#define TOTALS_OF(entries) totals_of(entries, sizeof(entries) / sizeof((entries)[0]))

/* An old kernel's round robin, as in TraceX's UDP demo: interrupts without begin and end. Each
 * event is an interrupt. */
Test(trx_tracex, interrupts_that_were_never_entered)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},    {{ISR, 0, 1, 2, B, 4, 0, 0}},
        {{ISR, 0, 5, 3, B}}, {{B, 5, 103, 4}},
        {{ISR, 0, 5, 5, A}}, {{A, 5, 103, 6}},
        {{ISR, 0, 4, 7}},    {{A, 5, 103, 8}},
    };
    struct tt_totals totals = TOTALS_OF(entries);
    cr_assert_eq(totals.interrupts, 3); /* not the exit of one that began before the capture */
    cr_assert_eq(totals.nested_interrupts, 0);
    cr_assert_eq(totals.context_switches, 2);
}

/* Inside an interrupt that was entered only the entry counts. */
Test(trx_tracex, interrupts_that_were_entered)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},       {{ISR, A, 3, 2, 0, 7}}, {{ISR, A, 1, 3, B, 4, 0, A}},
        {{ISR, A, 3, 4, 0, 8}}, {{ISR, A, 4, 5, 0, 8}}, {{ISR, A, 4, 6, 0, 7}},
        {{ISR, A, 4, 7, 0, 7}}, {{A, 5, 103, 8}},
    };
    struct tt_totals totals = TOTALS_OF(entries);
    cr_assert_eq(totals.interrupts, 2); /* the exit of an interrupt that was not entered is none */
    cr_assert_eq(totals.nested_interrupts, 1);
}

/* The RESUME finds B, so the TIME_SLICE to B is not a second preemption. */
Test(trx_tracex, a_resume_moves_the_current_thread)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},       {{A, 5, 103, 2}},
        {{ISR, A, 3, 3, 0, 7}}, {{ISR, A, 1, 4, B, 4, 0, B}},
        {{ISR, A, 4, 5, 0, 7}}, {{ISR, A, 5, 6, B}},
        {{B, 5, 103, 7}},
    };
    cr_assert_eq(TOTALS_OF(entries).preemptions, 1);
}

Test(trx_tracex, two_resumes_that_find_one_thread_preempt_once)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},
        {{A, 5, 103, 2}},
        {{ISR, A, 3, 3, 0, 7}},
        {{ISR, A, 1, 4, C, 4, 0, C}},
        {{ISR, A, 1, 5, B, 4, 0, B}},
        {{ISR, A, 4, 6, 0, 7}},
        {{B, 5, 103, 7}},
    };
    cr_assert_eq(TOTALS_OF(entries).preemptions, 1);
}

/* Without a thread so far, a TIME_SLICE to idle changes nothing, ... */
Test(trx_tracex, a_time_slice_to_idle_without_a_thread)
{
    static const struct trx_kit_entry entries[] = {
        {{ISR, 0, 1, 1, C, 4, 0, 0}},
        {{ISR, 0, 5, 2, 0}},
        {{ISR, 0, 103, 3}},
    };
    cr_assert_eq(TOTALS_OF(entries).preemptions, 1); /* the RESUME, which finds no thread */
}

/* ... unless the RESUME before it finds a thread later. */
Test(trx_tracex, a_time_slice_from_a_thread_that_is_found_later)
{
    static const struct trx_kit_entry entries[] = {
        {{ISR, 0, 1, 1, C, 4, 0, 0}},
        {{ISR, 0, 5, 2, 0}},
        {{ISR, 0, 103, 3}},
        {{B, 5, 103, 4}},
    };
    cr_assert_eq(TOTALS_OF(entries).preemptions, 2);
}

Test(trx_tracex, a_time_slice_from_the_thread_that_resumes)
{
    static const struct trx_kit_entry entries[] = {
        {{B, 5, 1, 1, C, 4, 0, 0}},
        {{ISR, 0, 5, 2, 0}},
        {{ISR, 0, 103, 3}},
    };
    cr_assert_eq(TOTALS_OF(entries).preemptions, 2);
}

/* The first thread is the one after the interrupt at the ring's beginning. */
Test(trx_tracex, a_ring_that_begins_with_an_interrupt)
{
    static const struct trx_kit_entry entries[] = {
        {{ISR, 0, 5, 1, B}},
        {{ISR, 0, 5, 2, C}},
        {{C, 5, 103, 3}},
    };
    cr_assert_eq(TOTALS_OF(entries).context_switches, 1);
}

/* A RUNNING to idle is a switch, one from idle to idle is not. */
Test(trx_tracex, derived_idle_is_not_a_switch)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},
        {{A, 5, 2, 2, A, 4, 0, 0}},
        {{ISR, 0, 1, 100, A, 4, 0, A}},
        {{A, 5, 103, 101}},
    };
    cr_assert_eq(TOTALS_OF(entries).context_switches, 1);
}

/* A TIME_SLICE has an interrupt's stack pointer; a label in a names file changes nothing. */
Test(trx_tracex, stack_pointers_are_those_of_the_thread)
{
    static const struct trx_kit_object objects[] = {{0, 1, {0, 0}, A, {0x8000, 0x400}, "a"}};
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 1, 1, B, 4, 0x8300, A}},
        {{A, 5, 5, 2, B, 0, 0, 0x8010}},
        {{A, 5, 4100, 3, 0x8020}},
    };
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .entries = entries,
                                    .entry_count = 3,
                                    .objects = objects,
                                    .object_count = 1};
    char path[] = "/tmp/tracetui-names-XXXXXX";
    int file = mkstemp(path);
    FILE *names = fdopen(file, "w");
    cr_assert_not_null(names);
    fprintf(names, "Start\n4100,MARK,MK,(0,0,0),(0,0,0),stack_ptr,b,c,d\nEnd\n");
    fclose(names);
    struct tt_capture_options options = {.names_path = path};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct counted counted;
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, &options);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(trx_kit_decode(&kit, 16));
    cr_assert_str_eq(tt_types_at(kit.capture, kit.events[2].type)->name, "MARK");
    count_range(&kit, &all, &counted);
    cr_assert_eq(counted.threads[0].stack_min, 0x300, "%" PRIu64, counted.threads[0].stack_min);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    unlink(path);
}

/* At the largest sum of ticks time stops: windows still add up. */
Test(trx_tracex, times_beyond_the_limit)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 1, 9, B, 4, 0, B}}, {{B, 5, 2, 7, B, 4, 0, A}}, {{A, 5, 1, 8, B, 4, 0, B}},
        {{B, 5, 2, 6, B, 4, 0, A}}, {{A, 5, 1, 7, B, 4, 0, B}}, {{B, 5, 2, 8, B, 4, 0, A}},
        {{A, 5, 103, 9}},
    };
    struct trx_kit_buffer buffer = {
        .wide = true, .mask = UINT64_MAX, .entries = entries, .entry_count = 7};
    struct counted whole;
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    count_range(&kit, &all, &whole);
    cr_assert_eq(whole.totals.suspensions, 3);
    for (uint32_t i = 0; i < 100; i++) {
        seed = i + 1;
        check_windows(&kit, &whole, i);
    }
    trx_kit_close(&kit);
}

/* Two cores: B runs on core 1 before A runs on core 0 again, which the RESUME in the interrupt leaves idle. */
Test(trx_tracex, a_look_ahead_stays_on_its_core)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},        {{A, 5, 103, 2}},    {{ISR, A, 1, 3, B, 4, 0, 0}},
        {{B, 5, 0x01000067, 4}}, {{ISR, 0, 5, 5, A}}, {{A, 5, 103, 6}},
    };
    struct tt_totals totals = TOTALS_OF(entries);
    cr_assert_eq(totals.context_switches, 1);
    cr_assert_eq(totals.preemptions, 0);
}

/* ---- real captures ---------------------------------------------------------------------- */

static uint64_t little(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

/* Fills the model from a little-endian file without unused entries. */
static void read_model(const struct trx_bytes *bytes, struct model *m)
{
    unsigned word = little(bytes->data + 4, 4) == 0 ? 8 : 4;
    uint64_t base = little(bytes->data + 2 * word, word), size = 8 * word;
    uint64_t start = little(bytes->data + 6 * word, word),
             end = little(bytes->data + 7 * word, word);
    uint64_t oldest = (little(bytes->data + 8 * word, word) - start) / size;
    m->count = (uint32_t)((end - start) / size);
    m->mask = little(bytes->data + word, word);
    cr_assert_leq(m->count, MODEL_MAX);
    for (uint32_t i = 0; i < m->count; i++) {
        const uint8_t *at = bytes->data + (start - base) + (oldest + i) % m->count * size;
        uint64_t w[8];
        for (unsigned k = 0; k < 8; k++) {
            w[k] = little(at + k * word, word);
        }
        cr_assert_neq(w[0], 0);
        m->events[i] = event_of_words(w);
    }
    model_run(m);
}

/* `preemptions` and `interrupts`: as printed by TraceX, or by its rules. */
static void check_real(const char *name, uint64_t preemptions, uint64_t interrupts)
{
    static struct model model;
    char path[256];
    snprintf(path, sizeof path, TRX_CAPTURES "%s.trx", name);
    struct trx_bytes bytes = trx_bytes_read(path);
    if (!bytes.data) {
        cr_skip_test(TRX_CAPTURES " is not there");
    }
    read_model(&bytes, &model);
    struct counted whole;
    struct trx_kit kit;
    trx_kit_load(&kit, &bytes);
    count_range(&kit, &all, &whole);
    check_totals(&whole, &model, 0);
    check_events(&kit, &model, 0);
    cr_assert_eq(whole.totals.preemptions, preemptions);
    cr_assert_eq(whole.totals.interrupts, interrupts);
    for (uint32_t i = 0; i < 20; i++) {
        seed = i + 1;
        check_windows(&kit, &whole, i);
    }
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

Test(trx_tracex, demo_threadx)
{
    check_real("demo_threadx", 5, 3);
}

Test(trx_tracex, demo_netx_tcp)
{
    check_real("demo_netx_tcp", 12, 0);
}

Test(trx_tracex, gen_up_le32_wrapped)
{
    check_real("gen_up_le32_wrapped", 82, 41);
}

/* TraceX has no results for several cores: each core by its rules. */
Test(trx_tracex, gen_smp_le64_4core)
{
    check_real("gen_smp_le64_4core", 98, 207);
}
