/* SPDX-License-Identifier: Apache-2.0 */
/* The publishing thread: the choice between one thread and two, and the registry's changes. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fake_format.h"
#include "format/registry_watch.h"
#include "trace/events.h"
#include "trace/index/build.h"
#include "trace/index/pace.h"

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

/* Ends the current phase: `work` in `ns`. Returns the time afterwards. */
static uint64_t run_phase(struct tt_pace *pace, uint64_t now, uint64_t ns, uint64_t work)
{
    cr_assert(!tt_pace_ends(pace, now + ns - 1));
    pace->work = work;
    cr_assert(tt_pace_ends(pace, now + ns));
    tt_pace_choose(pace, now + ns);
    cr_assert_eq(pace->work, 0);
    return now + ns;
}

Test(pace, two_threads_without_a_stall)
{
    struct tt_pace pace = {.began = 5};
    for (uint64_t now = 5; now < 100 * TT_PACE_TRY_NS; now += TT_PACE_TRY_NS) {
        cr_assert(!tt_pace_ends(&pace, now));
        cr_assert(!tt_pace_is_one(&pace));
    }
}

Test(pace, two_threads_always_for_measurements)
{
    struct tt_pace pace = {.always_two = true, .stalled = true};
    cr_assert(!tt_pace_ends(&pace, TT_PACE_TRY_NS));
    cr_assert(!tt_pace_is_one(&pace));
}

Test(pace, one_thread_if_it_is_faster_and_two_when_they_are_again)
{
    struct tt_pace pace = {.stalled = true};
    uint64_t now = run_phase(&pace, 0, TT_PACE_TRY_NS, 1000);
    cr_assert(tt_pace_is_one(&pace));
    now = run_phase(&pace, now, TT_PACE_TRY_NS, 1500);
    cr_assert_eq(pace.phase, TT_PACE_KEEP_ONE);
    now = run_phase(&pace, now, TT_PACE_KEEP_NS, 15000);
    cr_assert(!tt_pace_is_one(&pace));
    now = run_phase(&pace, now, TT_PACE_TRY_NS, 1400);
    cr_assert_eq(pace.phase, TT_PACE_KEEP_ONE);
    now = run_phase(&pace, now, TT_PACE_KEEP_NS, 15000);
    run_phase(&pace, now, TT_PACE_TRY_NS, 2500);
    cr_assert_eq(pace.phase, TT_PACE_WATCH);
}

Test(pace, two_threads_if_they_are_faster_in_spite_of_stalls)
{
    struct tt_pace pace = {.stalled = true};
    uint64_t now = run_phase(&pace, 0, TT_PACE_TRY_NS, 1500);
    now = run_phase(&pace, now, TT_PACE_TRY_NS, 1000);
    cr_assert_eq(pace.phase, TT_PACE_KEEP_TWO);
    pace.stalled = true;
    run_phase(&pace, now, TT_PACE_KEEP_NS, 1500);
    cr_assert_eq(pace.phase, TT_PACE_WATCH);
    cr_assert(!pace.stalled);
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
    unsigned phases = 0;
    struct tt_status status = tt_builder_init(&b, &trace->index);
    cr_assert(!tt_failed(&status));
    b.final = true;
    tt_builder_split(&b);
    while (more) {
        if (b.publish_thread) { /* NULL on one CPU */
            struct tt_pace *pace = tt_publish_thread_pace(b.publish_thread);
            phases |= 1u << pace->phase;
            pace->began = 0;
            pace->stalled = true;
        }
        status = tt_builder_step(&b, &more);
        cr_assert(!tt_failed(&status));
    }
    cr_assert(!b.publish_thread || (phases & 1u << TT_PACE_TRY_ONE));
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
