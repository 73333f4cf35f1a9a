/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finders CAPTURE FILTER...: filters that run while the capture is indexed, for ThreadSanitizer.
 * Each starts on the first rows and continues as rows are published, as on the screen, while its
 * result is read; at the end it must equal the result of a run over all rows. Exits 0 if it does.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "filter/row_owners.h"
#include "tracetui/filter.h"

struct finder {
    const char *text;
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_result *result;
    struct tt_row_owners owners;
    unsigned went_on;
    unsigned kept;
};

static void nothing(void *arg)
{
    (void)arg;
}

static bool fail(const char *text, const char *what)
{
    fprintf(stderr, "finders: %s: %s\n", text, what);
    return false;
}

/* Reads the result during the run: selected rows are in the set and stay selected. */
static bool ask(struct finder *f, struct tt_events *events)
{
    const struct tt_row_set *set = tt_filter_result_set(f->result);
    uint64_t count = tt_row_set_count(set);
    for (uint64_t k = 0; k < count; k += 1 + count / 50) {
        uint64_t row = tt_row_set_select(set, k);
        if (row == UINT64_MAX || !tt_row_set_has(set, row)) {
            return fail(f->text, "a match that is none");
        }
    }
    tt_row_owners_step(&f->owners, events, set, 0, UINT64_MAX, 2000);
    return true;
}

static bool begin(struct finder *f, struct tt_trace *trace, struct tt_events *events)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(f->text, &f->filter, &error) ||
        !tt_filter_plan_new(f->filter, trace, events, &f->plan, &error)) {
        return fail(f->text, error.status.text);
    }
    struct tt_status status =
        tt_filter_start_at(f->plan, 2, tt_events_rows(events) / 2, nothing, NULL, &f->result);
    return !tt_failed(&status) || fail(f->text, status.text);
}

/* Continues with the rows published since the last run. */
static bool go_on(struct finder *f, struct tt_events *events)
{
    bool changed, kept;
    if (!tt_filter_plan_extend(f->plan, events, &changed)) {
        return fail(f->text, "extend");
    }
    struct tt_status status =
        tt_filter_resume(f->result, !changed, tt_events_rows(events) / 3, &kept);
    if (!kept) {
        tt_row_owners_free(&f->owners);
    }
    f->went_on++;
    f->kept += kept;
    return !tt_failed(&status) || fail(f->text, status.text);
}

static bool same_at_the_end(struct finder *f, struct tt_trace *trace, struct tt_events *events)
{
    struct finder whole = {.text = f->text};
    bool same = begin(&whole, trace, events);
    if (same) {
        tt_filter_wait(whole.result);
        uint64_t rows = tt_filter_result_total(whole.result);
        same = rows == tt_filter_result_total(f->result) &&
               tt_filter_result_rows(f->result) == rows &&
               tt_filter_result_count(f->result) == tt_filter_result_count(whole.result);
        for (uint64_t row = 0; row < rows && same; row++) {
            same = tt_filter_result_has(f->result, row) == tt_filter_result_has(whole.result, row);
        }
        if (!same) {
            fail(f->text, "another answer than that of a run over the whole");
        }
        tt_filter_result_free(whole.result);
    }
    tt_filter_plan_free(whole.plan);
    tt_filter_free(whole.filter);
    return same;
}

static bool run(struct finder *f, struct tt_trace *trace, struct tt_events *events)
{
    while (tt_events_rows(events) == 0 && !tt_trace_progress(trace).finished) {
        sched_yield();
    }
    bool good = begin(f, trace, events);
    for (bool last = false; good && !last;) {
        last = tt_trace_progress(trace).finished;
        while (good && !tt_filter_result_ended(f->result)) {
            good = ask(f, events);
        }
        good = good && go_on(f, events);
    }
    if (f->result) {
        tt_filter_wait(f->result);
    }
    good = good && ask(f, events) && same_at_the_end(f, trace, events);
    if (f->result) {
        tt_filter_result_free(f->result);
    }
    tt_row_owners_free(&f->owners);
    tt_filter_plan_free(f->plan);
    tt_filter_free(f->filter);
    printf("%s: continued %u times, %u of them with the earlier results\n", f->text, f->went_on,
           f->kept);
    return good;
}

int main(int argc, char **argv)
{
    bool good = argc >= 3;
    for (int i = 2; i < argc; i++) {
        struct tt_trace *trace = NULL;
        struct tt_status status = tt_trace_open(argv[1], NULL, &trace);
        if (!tt_failed(&status)) {
            status = tt_trace_index_start(trace, NULL, NULL);
        }
        if (tt_failed(&status)) {
            fprintf(stderr, "finders: %s\n", status.text);
            return 2;
        }
        struct tt_events *events = tt_events_new(trace);
        struct finder finder = {.text = argv[i]};
        good = events && run(&finder, trace, events) && good;
        tt_events_free(events);
        tt_trace_close(trace);
    }
    return good ? 0 : 2;
}
