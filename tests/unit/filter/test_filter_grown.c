/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of growing captures: an extended plan decides like a new plan of the whole capture and
 * reports whether earlier results still hold. Also arguments with a fraction.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fxt_build.h"
#include "tracetui/filter.h"

static void put_thread_name(struct fxt_out *out, uint64_t koid, const char *name)
{
    size_t at = fxt_begin(out, fxt_kernel_object(2, FXT_INLINE(strlen(name)), 1));
    fxt_word(out, koid);
    fxt_text(out, name);
    fxt_arg_long(out, 8, "process", 1);
    fxt_end(out, at);
}

static void put_events(struct fxt_out *out, uint64_t from, uint64_t tid)
{
    for (uint64_t i = 0; i < 50; i++) {
        fxt_simple_event(out, 0, from + i, 1, tid, "c", "an event");
    }
}

struct growing {
    char path[64];
    int fd;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
};

static void append(struct growing *g, struct fxt_out *out)
{
    cr_assert_eq(write(g->fd, out->bytes, out->size), (ssize_t)out->size);
    free(out->bytes);
    *out = (struct fxt_out){0};
}

static void await_rows(struct growing *g, uint64_t rows)
{
    const struct timespec nap = {0, 10 * 1000 * 1000};
    for (unsigned i = 0; i < 1000 && tt_events_rows(g->events) < rows; i++) {
        nanosleep(&nap, NULL);
    }
    cr_assert_eq(tt_events_rows(g->events), rows);
}

static void parse(const char *text, struct tt_filter **filter)
{
    struct tt_filter_error error;
    cr_assert(tt_filter_parse(text, filter, &error), "%s: %s", text, error.status.text);
}

/* Returns the number of rows that match a plan. */
static uint64_t count_of(const struct tt_filter_plan *plan)
{
    struct tt_filter_result *result = NULL;
    struct tt_status status = tt_filter_start(plan, 1, NULL, NULL, &result);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_filter_wait(result);
    cr_assert(!tt_failed(&status), "%s", status.text);
    uint64_t count = tt_filter_result_count(result);
    tt_filter_result_free(result);
    return count;
}

static struct growing begin(const char *filter)
{
    struct growing g = {.path = "/tmp/tracetui-grown-XXXXXX"};
    struct tt_filter_error error;
    struct fxt_out out = {0};
    struct tt_trace_options options = {.map.follow = true};
    g.fd = mkstemp(g.path);
    cr_assert_geq(g.fd, 0);
    fxt_magic(&out);
    put_thread_name(&out, 2, "first");
    put_events(&out, 1000, 2);
    append(&g, &out);
    struct tt_status status = tt_trace_open(g.path, &options, &g.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    g.events = tt_events_new(g.trace);
    status = tt_trace_index_start(g.trace, NULL, NULL);
    cr_assert(!tt_failed(&status), "%s", status.text);
    await_rows(&g, 50);
    parse(filter, &g.filter);
    cr_assert(tt_filter_plan_new(g.filter, g.trace, g.events, &g.plan, &error), "%s",
              error.status.text);
    return g;
}

static bool extend(struct growing *g)
{
    bool changed = false;
    cr_assert(tt_filter_plan_extend(g->plan, g->events, &changed));
    return changed;
}

static void end(struct growing *g)
{
    tt_filter_plan_free(g->plan);
    tt_filter_free(g->filter);
    tt_events_free(g->events);
    tt_trace_close(g->trace);
    close(g->fd);
    unlink(g->path);
}

Test(filter_grown, new_threads_keep_earlier_results)
{
    struct growing g = begin("thread ~ \"second\"");
    struct fxt_out out = {0};
    cr_expect_eq(count_of(g.plan), 0);
    cr_expect_not(extend(&g), "nothing came");
    put_thread_name(&out, 3, "second");
    put_events(&out, 2000, 3);
    append(&g, &out);
    await_rows(&g, 100);
    cr_expect_not(extend(&g), "what was decided of the first thread holds");
    cr_expect_eq(count_of(g.plan), 50, "and the second one is decided");
    end(&g);
}

Test(filter_grown, a_later_thread_name_changes_results)
{
    struct growing g = begin("thread ~ \"renamed\"");
    struct fxt_out out = {0};
    cr_expect_eq(count_of(g.plan), 0);
    put_thread_name(&out, 2, "renamed");
    put_events(&out, 2000, 2);
    append(&g, &out);
    await_rows(&g, 100);
    cr_expect(extend(&g), "its events before have another answer");
    cr_expect_eq(count_of(g.plan), 100);
    cr_expect_not(extend(&g), "nothing came since");
    end(&g);
}

/* ---- arguments with a fraction --------------------------------------------------------------- */

static void put_double(struct fxt_out *out, uint64_t ticks, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    size_t at = fxt_begin(out, fxt_event(0, 1, 0, FXT_INLINE(1), FXT_INLINE(1)));
    fxt_word(out, ticks);
    fxt_word(out, 1);
    fxt_word(out, 2);
    fxt_text(out, "c");
    fxt_text(out, "e");
    fxt_arg_long(out, 5, "load", bits);
    fxt_end(out, at);
}

static uint64_t matches(struct tt_trace *trace, struct tt_events *events, const char *text)
{
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    parse(text, &filter);
    cr_assert(tt_filter_plan_new(filter, trace, events, &plan, &error), "%s", error.status.text);
    uint64_t count = count_of(plan);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    return count;
}

Test(filter_grown, arguments_with_a_fraction_are_compared_as_numbers)
{
    char path[] = "/tmp/tracetui-double-XXXXXX";
    struct tt_trace *trace;
    struct fxt_out out = {0};
    int fd = mkstemp(path);
    fxt_magic(&out);
    for (int i = -20; i <= 20; i++) {
        put_double(&out, (uint64_t)(i + 100), i * 0.25);
    }
    cr_assert(fd >= 0 && write(fd, out.bytes, out.size) == (ssize_t)out.size);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    struct tt_events *events = tt_events_new(trace);
    cr_expect_eq(matches(trace, events, "arg.load > 1.5"), 14);
    cr_expect_eq(matches(trace, events, "arg.load >= 1.5"), 15);
    cr_expect_eq(matches(trace, events, "arg.load = -0.25"), 1);
    cr_expect_eq(matches(trace, events, "arg.load < 0"), 20);
    cr_expect_eq(matches(trace, events, "arg.load in 0.5..1"), 3);
    cr_expect_eq(matches(trace, events, "arg.load = 2"), 1);
    tt_events_free(events);
    tt_trace_close(trace);
    close(fd);
    unlink(path);
    free(out.bytes);
}
