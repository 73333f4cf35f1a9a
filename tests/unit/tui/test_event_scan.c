/* SPDX-License-Identifier: Apache-2.0 */
/* Searching in time slices, compared with reading every event. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fake_format.h"
#include "tui/filter/event_scan.h"

enum { COUNT = 5000, CPUS = 7, RARE_AT = 4200 };

static struct fake_record records[COUNT];
static struct tt_trace *trace;
static struct tt_events *events;

static void setup(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        records[i].ticks = 10 + i;
        uint32_t cpu = i == RARE_AT ? CPUS : i * 31 % CPUS;
        records[i].flags = (cpu + 1) << 16;
    }
    trace = fake_trace(records, COUNT);
    cr_assert_not_null(trace);
    struct tt_status status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
    events = tt_events_new(trace);
    cr_assert_not_null(events);
}

static void teardown(void)
{
    tt_events_free(events);
    tt_trace_close(trace);
}

TestSuite(tui_search, .init = setup, .fini = teardown);

static struct tt_event event_at(uint64_t row)
{
    struct tt_event event;
    cr_assert_eq(tt_events_read(events, row, 1, &event), 1);
    return event;
}

/* Runs a search in slices without time; returns the row found, or UINT64_MAX. */
static uint64_t run(struct tt_event_scan *search)
{
    struct tt_event found;
    uint64_t row = UINT64_MAX;
    enum tt_event_scan_result result;
    unsigned slices = 0;
    do {
        result = tt_event_scan_step(search, events, 0, &found, &row);
        cr_assert_lt(slices++, 1000u);
    } while (result == TT_EVENT_SCAN_GOING);
    cr_assert_not(search->active);
    if (result == TT_EVENT_SCAN_NONE) {
        return UINT64_MAX;
    }
    struct tt_event there = event_at(row);
    cr_assert_eq(there.pos, found.pos);
    return row;
}

static uint64_t search_cpu(uint64_t from, bool forward)
{
    struct tt_event_scan search;
    memset(&search, 0, sizeof search);
    struct tt_event event = event_at(from);
    tt_event_scan_start(&search, TT_EVENT_SCAN_CPU, forward, &event, from);
    return run(&search);
}

Test(tui_search, the_next_and_the_previous_of_a_cpu)
{
    for (uint64_t from = 0; from < COUNT; from += 37) {
        uint16_t cpu = event_at(from).cpu;
        uint64_t next = from + 1, previous = from;
        while (next < COUNT && event_at(next).cpu != cpu) {
            next++;
        }
        while (previous > 0 && event_at(previous - 1).cpu != cpu) {
            previous--;
        }
        cr_assert_eq(search_cpu(from, true), next < COUNT ? next : UINT64_MAX);
        cr_assert_eq(search_cpu(from, false), previous > 0 ? previous - 1 : UINT64_MAX);
    }
}

Test(tui_search, a_missing_event_is_not_found)
{
    cr_assert_eq(search_cpu(RARE_AT, true), UINT64_MAX);
    cr_assert_eq(search_cpu(RARE_AT, false), UINT64_MAX);
    cr_assert_eq(search_cpu(COUNT - 1, true), UINT64_MAX);
    cr_assert_eq(search_cpu(0, false), UINT64_MAX);
}

Test(tui_search, a_wrapping_search_continues_from_the_start)
{
    struct tt_event_scan search;
    memset(&search, 0, sizeof search);
    struct tt_event event = event_at(4500);
    tt_event_scan_start(&search, TT_EVENT_SCAN_CPU, true, &event, 4500);
    search.value = event_at(RARE_AT).cpu;
    search.wrap = true;
    cr_assert_eq(run(&search), RARE_AT);
    /* The first row too. */
    tt_event_scan_start(&search, TT_EVENT_SCAN_CPU, true, &event, COUNT - 1);
    search.ticks = UINT64_MAX;
    search.value = event_at(0).cpu;
    search.wrap = true;
    cr_assert_eq(run(&search), 0);
}

Test(tui_search, progress_goes_from_0_to_100)
{
    struct tt_event_scan search;
    memset(&search, 0, sizeof search);
    struct tt_event event = event_at(1000);
    tt_event_scan_start(&search, TT_EVENT_SCAN_CPU, true, &event, 1000);
    search.value = 12345;
    cr_assert_eq(tt_event_scan_percent(&search, COUNT), 0);
    struct tt_event found;
    uint64_t row;
    unsigned last = 0;
    while (tt_event_scan_step(&search, events, 0, &found, &row) == TT_EVENT_SCAN_GOING) {
        unsigned percent = tt_event_scan_percent(&search, COUNT);
        cr_assert(percent >= last && percent <= 100);
        last = percent;
    }
    cr_assert_gt(last, 50);
}
