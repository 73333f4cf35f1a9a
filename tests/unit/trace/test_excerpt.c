/* SPDX-License-Identifier: Apache-2.0 */
/* Excerpts: selections without events. tests/golden/save.sh compares the contents. */
#include <criterion/criterion.h>
#include <string.h>

#include "excerpt/excerpt.h"

static bool wants_none(void *arg, uint64_t row)
{
    (void)arg;
    (void)row;
    return false;
}

static bool discard(void *arg, const char *bytes, size_t length)
{
    (void)bytes;
    *(uint64_t *)arg += length;
    return true;
}

/* Returns a row with a kernel call, which no state needs, at a time of its own. */
static uint64_t row_of_call(struct tt_trace *trace, struct tt_events *events)
{
    const struct tt_capture *c = tt_trace_capture(trace);
    uint64_t rows = tt_events_rows(events);
    for (uint64_t row = rows / 2; row + 1 < rows; row++) {
        struct tt_event e[3];
        cr_assert_eq(tt_events_read(events, row - 1, 3, e), 3);
        if (strcmp(tt_types_at(c, e[1].type)->class_name, "KER_CALL") == 0 &&
            e[0].ticks < e[1].ticks && e[1].ticks < e[2].ticks) {
            return row;
        }
    }
    cr_assert_fail("no kernel call");
    return 0;
}

Test(excerpt, a_selection_without_events_is_an_error)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open("samples/demo.kev", NULL, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    struct tt_events *events = tt_events_new(trace);
    uint64_t row = row_of_call(trace, events), bytes = 0;
    struct tt_excerpt_request request = {.trace = trace,
                                         .first_row = row,
                                         .end_row = row + 1,
                                         .subset = {.wanted = wants_none},
                                         .sink = {.write = discard, .arg = &bytes}};
    struct tt_excerpt_counts counts;
    status = tt_excerpt_write(&request, &counts);
    cr_expect_eq(status.code, TT_ERR_USAGE);
    cr_expect_str_eq(status.text, "no events are selected");
    cr_expect_eq(bytes, 0);
    request.end_row = row;
    status = tt_excerpt_write(&request, &counts);
    cr_expect_str_eq(status.text, "no events in the range");
    request.subset.wanted = NULL;
    request.end_row = row + 1;
    status = tt_excerpt_write(&request, &counts);
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_eq(counts.events, 1);
    cr_expect_gt(bytes, 0);
    tt_events_free(events);
    tt_trace_close(trace);
}
