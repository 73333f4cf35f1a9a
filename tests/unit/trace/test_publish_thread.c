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

/* Ends a window of two threads, which had this processor time (ns) in total. */
static void end_window(struct tt_thread_choice *c, uint64_t worked)
{
    uint64_t end = c->began + TT_CHOICE_WINDOW_NS, spent = c->spent + worked;
    cr_assert(!c->one);
    cr_assert(!tt_thread_choice_is_due(c, end - 1));
    cr_assert(tt_thread_choice_is_due(c, end));
    tt_thread_choice_make(c, end, spent);
    tt_thread_choice_begin(c, end, spent);
}

/* Ends a period of one thread, which lasts for `ns`. */
static void end_period(struct tt_thread_choice *c, uint64_t ns)
{
    uint64_t end = c->began + ns, spent = c->spent + ns;
    cr_assert(c->one);
    cr_assert(!tt_thread_choice_is_due(c, end - 1));
    cr_assert(tt_thread_choice_is_due(c, end));
    tt_thread_choice_make(c, end, spent);
    tt_thread_choice_begin(c, end, spent);
}

/* Processor time of both threads in a window: 1.2 CPUs, and a little less. */
#define ENOUGH  (TT_CHOICE_WINDOW_NS / 5 * 6)
#define STARVED (ENOUGH - 1)

Test(thread_choice, two_threads_while_they_get_more_than_one_CPU)
{
    struct tt_thread_choice c = {.began = 5, .spent = 77};
    for (unsigned i = 0; i < 100; i++) {
        end_window(&c, ENOUGH);
        cr_assert(!c.one);
    }
}

Test(thread_choice, two_threads_always_for_measurements)
{
    struct tt_thread_choice c = {.always_two = true};
    end_window(&c, 1);
    cr_assert(!c.one);
}

Test(thread_choice, one_thread_while_both_get_one_CPU_for_twice_as_long_each_time)
{
    struct tt_thread_choice c = {0};
    for (uint64_t ns = TT_CHOICE_PERIOD_NS; ns < TT_CHOICE_PERIOD_MAX_NS; ns *= 2) {
        end_window(&c, STARVED);
        end_period(&c, ns);
    }
    end_window(&c, STARVED);
    end_period(&c, TT_CHOICE_PERIOD_MAX_NS);
    end_window(&c, STARVED);
    end_period(&c, TT_CHOICE_PERIOD_MAX_NS);
}

Test(thread_choice, the_first_period_again_after_two_threads_were_faster)
{
    struct tt_thread_choice c = {0};
    end_window(&c, STARVED);
    end_period(&c, TT_CHOICE_PERIOD_NS);
    end_window(&c, ENOUGH);
    end_window(&c, STARVED);
    end_period(&c, TT_CHOICE_PERIOD_NS);
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
            ways |= 1u << choice->one;
            choice->began = 0;
            choice->spent = 0;
            choice->period = 0;
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
