/* SPDX-License-Identifier: Apache-2.0 */
/* Many filters at once have the matches of each one by itself. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "check/testers.h"
#include "tracetui/trace.h"

#define FILTERS_MOST 40u

static const char *const mixed[] = {
    "event = THREADY",
    "event = THREADY and thread = sensor/1",
    "event = THREADY and not thread = sensor/1",
    "event = THREADY and cpu = 1",
    "event = THREADY or thread ~ /^hmi/",
    "not event ~ /^MSG/",
    "thread = sensor/1",
    "not thread = sensor/1",
    "state = RECEIVE",
    "kind = enter",
    "arg.pid = 5 and event = THRUNNING",
    NULL,
};
/* No term on types. */
static const char *const of_threads[] = {
    "thread = sensor/1", "thread ~ /^hmi/ and cpu = 0", "process = fusion", "cpu = 1", NULL,
};

static struct tt_trace *trace;
static struct tt_events *events;

static void open_demo(void)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open("samples/demo.kev", &options, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
    events = tt_events_new(trace);
    cr_assert_not_null(events);
}

static void close_demo(void)
{
    tt_events_free(events);
    tt_trace_close(trace);
}

static struct tt_filter *add(struct tt_testers *s, const char *text)
{
    struct tt_filter *filter;
    struct tt_filter_error error;
    struct tt_tester *t = &s->items[s->count++];
    cr_assert(tt_filter_parse(text, &filter, &error), "%s", text);
    cr_assert(tt_filter_plan_new(filter, trace, events, &t->plan, &error), "%s", text);
    t->worker = tt_filter_worker_new(t->plan, events);
    cr_assert_not_null(t->worker);
    t->used = true;
    return filter;
}

/* Compares the bits of each filter with those of a test of its own; returns the matches. */
static uint64_t compare(const char *const *texts, unsigned copies)
{
    static struct tt_event block[TT_FILTER_BLOCK];
    struct tt_testers s = {.items = calloc(FILTERS_MOST, sizeof(struct tt_tester))};
    struct tt_filter *filters[FILTERS_MOST];
    uint64_t all[TT_FILTER_WORDS], matches = 0;
    cr_assert_not_null(s.items);
    for (unsigned copy = 0; copy < copies; copy++) {
        for (size_t i = 0; texts[i]; i++) {
            uint32_t next = s.count;
            filters[next] = add(&s, texts[i]);
        }
    }
    cr_assert(tt_testers_begin(&s));
    uint32_t count;
    for (uint64_t row = 0; (count = tt_events_read(events, row, TT_FILTER_BLOCK, block)) > 0;
         row += count) {
        cr_assert(tt_testers_test(&s, block, row, count));
        for (uint32_t f = 0; f < s.count; f++) {
            bool any = false;
            tt_filter_test(s.items[f].worker, block, row, count, all);
            for (uint32_t i = 0; i < count; i++) {
                bool is = all[i / 64] >> (i % 64) & 1u;
                cr_assert_eq(is, s.items[f].bits[i / 64] >> (i % 64) & 1u, "filter %u, row %u", f,
                             (unsigned)row + i);
                any |= is;
                matches += is;
            }
            cr_assert_eq(any, s.items[f].any);
        }
    }
    uint32_t made = s.count;
    tt_testers_free(&s);
    for (uint32_t f = 0; f < made; f++) {
        tt_filter_free(filters[f]);
    }
    return matches;
}

Test(check_testers, many_filters_have_the_matches_of_each, .init = open_demo, .fini = close_demo)
{
    cr_assert_gt(compare(mixed, 1), 100);
    cr_assert_gt(compare(of_threads, 1), 100, "no filter has a term on types");
    cr_assert_gt(compare(mixed, 3), 100, "more filters of a pair than the cache has room for");
}
