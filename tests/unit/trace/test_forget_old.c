/* SPDX-License-Identifier: Apache-2.0 */
/* Replaced timelines are freed once no reader can use them, and not before. */
#include <criterion/criterion.h>

#include "fake_format.h"
#include "trace/timeline/timeline.h"

enum { RECORDS = 100 };

static struct fake_record records[RECORDS];

/* Returns an indexed trace whose timelines were replaced twice. */
static struct tt_trace *trace_with_older(struct tt_timelines **first, struct tt_timelines **second)
{
    for (uint64_t i = 0; i < RECORDS; i++) {
        records[i] = (struct fake_record){i * 10, 0, 1u << 16};
    }
    struct tt_trace *trace = fake_trace(records, RECORDS);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    *first = (struct tt_timelines *)(uintptr_t)tt_trace_timelines(trace);
    *second = tt_timelines_new(trace->capture, 0);
    struct tt_timelines *third = tt_timelines_new(trace->capture, 0);
    cr_assert(*first && *second && third);
    third->older = *second;
    (*second)->older = *first;
    atomic_store(&trace->index.timelines, third);
    return trace;
}

Test(forget_old, timelines_older_than_the_seen_ones_are_freed)
{
    struct tt_timelines *first, *second;
    struct tt_trace *trace = trace_with_older(&first, &second);
    const struct tt_timelines *third = tt_trace_timelines(trace);
    tt_trace_free_old_timelines(trace, first);
    cr_expect_eq(second->older, first, "there is nothing older than the first");
    tt_trace_free_old_timelines(trace, second);
    cr_expect_null(second->older);
    cr_expect_eq(third->older, second, "it is still seen");
    tt_trace_free_old_timelines(trace, third);
    cr_expect_null(third->older);
    cr_expect_eq(tt_trace_timelines(trace), third);
    tt_trace_close(trace);
}

Test(forget_old, nothing_is_freed_while_another_thread_reads_or_for_unknown_timelines)
{
    struct tt_timelines *first, *second;
    struct tt_trace *trace = trace_with_older(&first, &second);
    const struct tt_timelines *third = tt_trace_timelines(trace);
    tt_trace_reader_begin(trace);
    tt_trace_reader_begin(trace);
    tt_trace_free_old_timelines(trace, third);
    tt_trace_reader_end(trace);
    tt_trace_free_old_timelines(trace, third);
    cr_expect_eq(third->older, second, "one still reads");
    tt_trace_reader_end(trace);
    tt_trace_free_old_timelines(trace, NULL);
    cr_expect_eq(third->older, second, "those that are not of the trace");
    tt_trace_free_old_timelines(trace, third);
    cr_expect_null(third->older);
    tt_trace_close(trace);
}
