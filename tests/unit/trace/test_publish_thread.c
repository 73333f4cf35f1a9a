/* SPDX-License-Identifier: Apache-2.0 */
/* The publishing thread: the choice between one thread and two, and the registry's changes. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fake_format.h"
#include "format/registry_watch.h"
#include "trace/events.h"
#include "trace/index/build.h"
#include "trace/index/thread_choice.h"

enum { RECORDS = 50000 };

static struct fake_record *ascending_records(void)
{
    struct fake_record *records = calloc(RECORDS, sizeof *records);
    cr_assert(records);
    for (size_t i = 0; i < RECORDS; i++) {
        records[i].ticks = 10 * i;
        records[i].flags = i % 11 == 5;
    }
    return records;
}

/* ---- the choice ---------------------------------------------------------------------------- */

/* Work in a window or phase, per ns. */
struct happens {
    double cpus;   /* that both threads get */
    double waits;  /* threads that wait for the other one */
    uint64_t work; /* per us */
};

static const struct happens idle_machine = {1.9, 0.1, 20}, shared_cpu = {1.0, 0.1, 10},
                            one_thread = {1.0, 1.0, 11}, both_busy = {1.0, 0.1, 20},
                            decoding_only = {1.0, 1.0, 10};

/* Ends a window or phase, which lasts for `ns`. */
static void pass(struct tt_thread_choice *c, uint64_t ns, const struct happens *what)
{
    struct tt_choice_times times = {.now = c->began.now + ns,
                                    .spent = c->began.spent + (uint64_t)(what->cpus * (double)ns),
                                    .waited =
                                        c->began.waited + (uint64_t)(what->waits * (double)ns)};
    cr_assert(!tt_thread_choice_is_due(c, times.now - 1));
    cr_assert(tt_thread_choice_is_due(c, times.now));
    c->work = what->work * ns / 1000;
    tt_thread_choice_make(c, &times);
    tt_thread_choice_begin(c, &times);
    cr_assert_eq(c->work, 0);
}

static void pass_windows(struct tt_thread_choice *c, uint64_t ns, const struct happens *what)
{
    for (uint64_t i = 0; i < ns; i += TT_CHOICE_WINDOW_NS) {
        pass(c, TT_CHOICE_WINDOW_NS, what);
        cr_assert(!tt_thread_choice_is_one(c));
    }
}

Test(thread_choice, two_threads_while_they_get_the_time_that_they_can_use)
{
    struct tt_thread_choice c = {.began = {.now = 5, .spent = 77, .waited = 3}};
    pass_windows(&c, 100 * TT_CHOICE_WINDOW_NS, &idle_machine);
    pass_windows(&c, 100 * TT_CHOICE_WINDOW_NS, &decoding_only);
    for (unsigned i = 0; i < 100; i++) {
        pass_windows(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
        pass_windows(&c, TT_CHOICE_WINDOW_NS, &idle_machine);
    }
}

Test(thread_choice, two_threads_always_for_measurements)
{
    struct tt_thread_choice c = {.always_two = true};
    pass_windows(&c, 100 * TT_CHOICE_WINDOW_NS, &shared_cpu);
}

Test(thread_choice, one_thread_on_one_CPU_for_twice_as_long_each_time)
{
    struct tt_thread_choice c = {0};
    for (uint64_t ns = TT_CHOICE_PERIOD_NS; ns < 4 * TT_CHOICE_PERIOD_MAX_NS; ns *= 2) {
        pass_windows(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
        pass(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
        cr_assert_eq(c.phase, TT_CHOICE_TRIAL);
        pass(&c, TT_CHOICE_TRIAL_NS, &one_thread);
        cr_assert_eq(c.phase, TT_CHOICE_ONE);
        pass(&c, ns < TT_CHOICE_PERIOD_MAX_NS ? ns : TT_CHOICE_PERIOD_MAX_NS, &one_thread);
        cr_assert_eq(c.phase, TT_CHOICE_TWO);
    }
}

Test(thread_choice, two_threads_if_one_is_not_faster_and_no_trial_for_a_period)
{
    struct tt_thread_choice c = {0};
    pass_windows(&c, TT_CHOICE_WINDOW_NS, &both_busy);
    for (uint64_t ns = TT_CHOICE_PERIOD_NS; ns < 4 * TT_CHOICE_PERIOD_MAX_NS; ns *= 2) {
        pass(&c, TT_CHOICE_WINDOW_NS, &both_busy);
        pass(&c, TT_CHOICE_TRIAL_NS, &one_thread);
        cr_assert_eq(c.phase, TT_CHOICE_TWO);
        uint64_t hold = ns < TT_CHOICE_PERIOD_MAX_NS ? ns : TT_CHOICE_PERIOD_MAX_NS;
        pass_windows(&c, hold - TT_CHOICE_WINDOW_NS, &both_busy);
    }
}

Test(thread_choice, the_first_period_again_after_a_window_that_is_not_short)
{
    struct tt_thread_choice c = {0};
    for (unsigned i = 0; i < 3; i++) {
        pass_windows(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
        pass(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
        pass(&c, TT_CHOICE_TRIAL_NS, &one_thread);
        pass(&c, TT_CHOICE_PERIOD_NS, &one_thread);
        pass(&c, TT_CHOICE_WINDOW_NS, &idle_machine);
    }
}

/* Ends a window of one thread, with one CPU left or more. */
static void pass_alone(struct tt_thread_choice *c, uint64_t ns, bool one_cpu_left)
{
    struct tt_choice_times times = {.now = c->began.now + ns, .one_cpu_left = one_cpu_left};
    cr_assert(tt_thread_choice_is_one(c));
    cr_assert(!tt_thread_choice_is_due(c, times.now - 1));
    cr_assert(tt_thread_choice_is_due(c, times.now));
    tt_thread_choice_make(c, &times);
    tt_thread_choice_begin(c, &times);
}

Test(thread_choice, one_thread_from_the_start_while_one_CPU_is_left)
{
    struct tt_thread_choice c = {0};
    tt_thread_choice_start(&c, false, true);
    for (unsigned i = 0; i < 100; i++) {
        pass_alone(&c, TT_CHOICE_WINDOW_NS, true);
    }
    pass_alone(&c, TT_CHOICE_WINDOW_NS, false);
    cr_assert_eq(c.phase, TT_CHOICE_TWO);
    pass_windows(&c, 100 * TT_CHOICE_WINDOW_NS, &idle_machine);
    tt_thread_choice_start(&c, true, true);
    cr_assert_eq(c.phase, TT_CHOICE_TWO);
    tt_thread_choice_start(&c, false, false);
    cr_assert_eq(c.phase, TT_CHOICE_TWO);
}

Test(thread_choice, one_thread_after_a_period_if_one_CPU_is_left)
{
    struct tt_thread_choice c = {0};
    pass_windows(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
    pass(&c, TT_CHOICE_WINDOW_NS, &shared_cpu);
    pass(&c, TT_CHOICE_TRIAL_NS, &one_thread);
    cr_assert_eq(c.phase, TT_CHOICE_ONE);
    pass_alone(&c, TT_CHOICE_PERIOD_NS, true);
    cr_assert_eq(c.phase, TT_CHOICE_ALONE);
    pass_alone(&c, TT_CHOICE_WINDOW_NS, false);
    cr_assert_eq(c.phase, TT_CHOICE_TWO);
}

/* ---- an index by one thread and two in turn -------------------------------------------------- */

static void check_rows(struct tt_trace *trace, const struct fake_record *records)
{
    struct tt_events *e = tt_events_new(trace);
    struct tt_event event;
    cr_assert(e);
    uint64_t row = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        for (uint32_t part = 0; part <= (records[i].flags & 1); part++, row++) {
            if (i % 97 == 0 || part > 0) {
                cr_assert_eq(tt_events_read(e, row, 1, &event), 1);
                cr_assert_eq(event.ticks, records[i].ticks);
                cr_assert_eq(event.pos, i * sizeof *records + part);
            }
        }
    }
    cr_assert_eq(tt_events_rows(e), row);
    cr_assert_eq(tt_trace_type_events(trace, 0), row);
    tt_events_free(e);
}

Test(publish_thread, parts_by_one_thread_and_two_in_turn)
{
    struct fake_record *records = ascending_records();
    struct tt_trace *trace = fake_trace(records, RECORDS);
    struct tt_builder b;
    bool more = true;
    unsigned ways = 0;
    struct tt_status status = tt_builder_init(&b, &trace->index);
    cr_assert(!tt_failed(&status));
    b.final = true;
    tt_builder_split(&b);
    while (more) {
        if (b.publish_thread) { /* NULL on one CPU */
            struct tt_thread_choice *choice = tt_publish_thread_choice(b.publish_thread);
            /* How busy the machine is does not count. */
            choice->phase = choice->phase == TT_CHOICE_ALONE ? TT_CHOICE_TWO : choice->phase;
            ways |= 1u << tt_thread_choice_is_one(choice);
            choice->began = (struct tt_choice_times){.now = 1};
            choice->period = choice->hold = 0;
            choice->was_short = true;
        }
        status = tt_builder_step(&b, &more);
        cr_assert(!tt_failed(&status));
    }
    cr_assert(!b.publish_thread || ways == 3);
    cr_assert(tt_builder_join(&b));
    status = tt_builder_settle(&b);
    tt_builder_free(&b);
    tt_index_finish(&trace->index, status);
    check_rows(trace, records);
    tt_trace_close(trace);
    free(records);
}

/* ---- changes of the registry ---------------------------------------------------------------- */

static struct tt_index *watched;

/* Changes the thread before each block: what is published then does not depend on the threads. */
static enum tt_decode_result decode_and_change(struct tt_cursor *cursor, uint64_t limit, bool final,
                                               struct tt_batch *batch)
{
    struct tt_capture *c = watched->capture;
    uint32_t lane = tt_registry_thread(c, 1, 1, 0);
    bool idle = tt_thread_at(c, lane)->idle;
    tt_registry_set_idle(c, lane, idle);
    tt_registry_set_idle(c, lane, !idle);
    cr_expect_eq(watched->progress.bytes_done, fake_format.cursor_pos(cursor));
    return fake_format.decode(cursor, limit, final, batch);
}

Test(publish_thread, everything_is_published_before_a_thread_changes)
{
    struct fake_record *records = ascending_records();
    struct tt_trace *trace = fake_trace(records, RECORDS);
    struct tt_format format = fake_format;
    format.decode = decode_and_change;
    format.flags |= TT_FORMAT_LATE_LANES;
    trace->capture->format = &format;
    watched = &trace->index;
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    trace->capture->format = &fake_format;
    check_rows(trace, records);
    tt_trace_close(trace);
    free(records);
}

struct change {
    struct tt_capture *c;
    uint32_t lane;
    unsigned calls;
    bool idle;
    uint32_t process;
};

static void note_change(void *arg)
{
    struct change *change = arg;
    change->calls++;
    change->idle = tt_thread_at(change->c, change->lane)->idle;
    change->process = tt_thread_at(change->c, change->lane)->process;
}

Test(registry_watch, is_called_before_an_owner_or_idleness_changes)
{
    struct fake_record record = {0};
    struct tt_trace *trace = fake_trace(&record, 1);
    struct tt_capture *c = trace->capture;
    uint32_t first = tt_registry_process(c, 1, 0), second = tt_registry_process(c, 2, 0);
    struct change change = {.c = c, .lane = tt_registry_thread(c, 1, 7, 0)};
    tt_registry_watch(c, note_change, &change);
    tt_registry_set_idle(c, change.lane, false);
    cr_assert(tt_registry_thread_move(c, change.lane, first));
    cr_assert_eq(change.calls, 0);
    tt_registry_set_idle(c, change.lane, true);
    cr_assert_eq(change.calls, 1);
    cr_assert(!change.idle);
    cr_assert(tt_registry_thread_move(c, change.lane, second));
    cr_assert_eq(change.calls, 2);
    cr_assert_eq(change.process, first);
    tt_registry_watch(c, NULL, NULL);
    tt_registry_set_idle(c, change.lane, false);
    cr_assert_eq(change.calls, 2);
    tt_trace_close(trace);
}
