/* SPDX-License-Identifier: Apache-2.0 */
/* Types that a filter excludes have no match, and a test of some events has the bits of all. */
#include <criterion/criterion.h>
#include <string.h>

#include "tracetui/filter_types.h"
#include "tracetui/trace.h"

#define DEMO "samples/demo.kev"

static const char *const filters[] = {
    "event = THREADY",
    "event = THREADY and thread = sensor/1",
    "not event = THREADY",
    "event = THREADY or cpu = 1",
    "not (event = THREADY or event = THRUNNING)",
    "not (event = THREADY and cpu = 1)",
    "event ~ /^MSG_/ and not event = MSG_REPLYV",
    "state = RECEIVE and event != INT_ENTR",
    "not not event = MSG_SENDV",
    "cpu = 1",
    "/sensor/",
    "not thread = sensor/1 and event = THREADY or thread ~ /^hmi/",
};

/* Returns the number of types that the filter excludes, after a comparison over all events. */
static unsigned compare(struct tt_trace *trace, struct tt_events *events, const char *text)
{
    unsigned matches[3] = {0};
    static struct tt_event block[TT_FILTER_BLOCK];
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    cr_assert(tt_filter_parse(text, &filter, &error), "%s", text);
    cr_assert(tt_filter_plan_new(filter, trace, events, &plan, &error), "%s", text);
    struct tt_filter_worker *worker = tt_filter_worker_new(plan, events);
    cr_assert_not_null(worker);
    uint32_t count;
    for (uint64_t row = 0; (count = tt_events_read(events, row, TT_FILTER_BLOCK, block)) > 0;
         row += count) {
        uint64_t all[TT_FILTER_WORDS], some[TT_FILTER_WORDS], need[TT_FILTER_WORDS] = {0};
        for (uint32_t i = 0; i < count; i++) {
            bool may = tt_filter_plan_may_be_type(plan, block[i].type);
            need[i / 64] |= (uint64_t)may << (i % 64);
        }
        tt_filter_test(worker, block, row, count, all);
        tt_filter_test_some(worker, block, row, count, need, some);
        for (uint32_t word = 0; word * 64 < count; word++) {
            cr_assert_eq(all[word], some[word], "%s: row %u", text, (unsigned)row + word * 64);
        }
        for (uint32_t i = 0; i < count; i++) {
            unsigned match = tt_filter_plan_match(plan, block[i].type, block[i].thread);
            bool is = all[i / 64] >> (i % 64) & 1u;
            cr_assert(match == TT_FILTER_SOMETIMES || is == (match == TT_FILTER_ALWAYS),
                      "%s: row %u", text, (unsigned)row + i);
            matches[match]++;
        }
        for (uint32_t word = 0; word * 64 < count; word++) { /* a third of them */
            need[word] &= UINT64_C(0x9249249249249249);
        }
        tt_filter_test_some(worker, block, row, count, need, some);
        for (uint32_t word = 0; word * 64 < count; word++) {
            cr_assert_eq(all[word] & need[word], some[word], "%s", text);
        }
    }
    unsigned excluded = 0;
    for (uint32_t type = 0; type < tt_types_count(tt_trace_capture(trace)); type++) {
        excluded += !tt_filter_plan_may_be_type(plan, type);
    }
    bool decided = !strstr(text, "cpu") && !strstr(text, "state") && text[0] != '/';
    cr_assert_eq(decided, matches[TT_FILTER_SOMETIMES] == 0, "%s", text);
    tt_filter_worker_free(worker);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    return excluded;
}

Test(filter_types, types_that_are_excluded_have_no_match)
{
    struct tt_trace_options options = {0};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(DEMO, &options, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
    struct tt_events *events = tt_events_new(trace);
    cr_assert_not_null(events);
    uint32_t types = tt_types_count(tt_trace_capture(trace));
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        unsigned excluded = compare(trace, events, filters[i]);
        if (i == 0 || i == 1) {
            cr_assert_eq(excluded, types - 1, "%s: %u of %u", filters[i], excluded, types);
        } else if (i == 8) {
            cr_assert_gt(excluded, types / 2); /* MSG_SENDV has several types */
        } else if (i >= 9 || i == 3 || i == 5) {
            cr_assert_eq(excluded, 0, "%s: %u", filters[i], excluded);
        }
    }
    tt_events_free(events);
    tt_trace_close(trace);
}
