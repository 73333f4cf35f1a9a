/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/model/comparing.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tracetui/jobs.h"
#include "tracetui/trace.h"
#include "tui/model/workspace.h"

#define PAUSE_NS 2000000 /* while the index of the other capture is made */

static void close_trace(struct tt_comparing *c)
{
    tt_events_free(c->events_a);
    tt_trace_close(c->trace_a);
    c->events_a = NULL;
    c->trace_a = NULL;
}

void tt_comparing_free(struct tt_comparing *c)
{
    tt_comparison_free(c->comparison);
    close_trace(c);
    *c = (struct tt_comparing){0};
}

void tt_comparing_drop(struct tt_comparing *c)
{
    if (!c->complete) {
        tt_comparing_free(c);
    }
}

static void no_notice(void *arg)
{
    (void)arg;
}

/* Opens the capture of A and begins to index it. */
static struct tt_status open_other(struct tt_workspace *ws, const char *path,
                                   struct tt_trace **trace)
{
    struct tt_trace_options options = {.capture = {.clock_hz = ws->opened.capture->clock_hz}};
    *trace = NULL;
    struct tt_status status = tt_trace_open(path, &options, trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index_start(*trace, no_notice, NULL);
    }
    if (tt_failed(&status)) {
        tt_trace_close(*trace);
        *trace = NULL;
    }
    return status;
}

struct tt_status tt_comparing_begin(struct tt_workspace *ws, enum tt_stats_by by,
                                    const char *path_a, const struct tt_key_range *keys_a,
                                    const struct tt_key_range *keys_b)
{
    struct tt_comparing next = {.by = by, .keys_a = *keys_a, .keys_b = *keys_b, .status = tt_ok()};
    const char *path_b = tt_trace_path(ws->opened.trace);
    struct tt_status status = tt_ok();
    if (strlen(path_b) >= sizeof next.path_b || (path_a && strlen(path_a) >= sizeof next.path_a)) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    memcpy(next.path_b, path_b, strlen(path_b) + 1);
    memcpy(next.path_a, path_a ? path_a : path_b, strlen(path_a ? path_a : path_b) + 1);
    if (path_a && !tt_baseline_is_file(path_a)) {
        status = open_other(ws, path_a, &next.trace_a);
    }
    if (!tt_failed(&status)) {
        tt_comparing_free(&ws->comparing);
        ws->comparing = next;
    }
    return status;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Returns whether A is a range of the open capture. */
static bool is_own(const struct tt_comparing *c)
{
    return !c->trace_a && strcmp(c->path_a, c->path_b) == 0;
}

static struct tt_status set_side(struct tt_trace *trace, struct tt_events *events,
                                 const struct tt_key_range *keys, struct tt_comparison_side *side)
{
    *side = (struct tt_comparison_side){.trace = trace, .events = events, .keys = *keys};
    return tt_job_ends_parse(tt_trace_capture(trace)->format, NULL, &side->job_ends);
}

static struct tt_status begin(struct tt_workspace *ws)
{
    struct tt_comparing *c = &ws->comparing;
    struct tt_comparison_request request = {
        .by = c->by, .alpha = TT_COMPARISON_ALPHA, .min_change = TT_COMPARISON_MIN_CHANGE};
    struct tt_status status = set_side(ws->opened.trace, ws->opened.events, &c->keys_b, &request.b);
    if (!tt_failed(&status) && is_own(c)) {
        status = set_side(ws->opened.trace, ws->opened.events, &c->keys_a, &request.a);
    } else if (!tt_failed(&status) && c->trace_a) {
        c->events_a = tt_events_new(c->trace_a);
        status = c->events_a ? set_side(c->trace_a, c->events_a, &c->keys_a, &request.a)
                             : tt_error_memory();
    } else if (!tt_failed(&status)) {
        status = tt_baseline_read(c->path_a, (int)c->by, &request.a.saved);
    }
    if (tt_failed(&status)) {
        tt_baseline_free(request.a.saved);
        return status;
    }
    return tt_comparison_begin(&c->comparison, &request);
}

/* Returns whether both captures are indexed; waits a little for that of A. */
static bool is_indexed(const struct tt_workspace *ws)
{
    const struct tt_comparing *c = &ws->comparing;
    if (!ws->index.progress.finished) {
        return false;
    }
    if (c->trace_a && !tt_trace_progress(c->trace_a).finished) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        return tt_trace_progress(c->trace_a).finished;
    }
    return true;
}

bool tt_comparing_work(struct tt_workspace *ws, uint64_t deadline_ns)
{
    struct tt_comparing *c = &ws->comparing;
    if (!c->path_a[0] || c->complete || tt_failed(&c->status)) {
        return true;
    }
    if (!ws->opened.trace || !is_indexed(ws)) {
        return !c->trace_a;
    }
    struct tt_status status = c->comparison ? tt_ok() : begin(ws);
    if (!tt_failed(&status)) {
        status = tt_comparison_step(c->comparison, deadline_ns, &c->complete);
    }
    if (tt_failed(&status)) {
        tt_comparison_free(c->comparison);
        c->comparison = NULL;
        c->complete = false;
        c->status = status;
    }
    if (c->complete || tt_failed(&status)) {
        close_trace(c);
    }
    return c->complete || tt_failed(&status);
}

size_t tt_comparing_lines(const struct tt_comparing *c)
{
    size_t count = 0, lines = 0;
    if (!c->complete) {
        return 0;
    }
    const struct tt_comparison_change *changes = tt_comparison_changes(c->comparison, &count);
    for (size_t i = 0; i < count; i++) {
        lines += changes[i].verdict != TT_COMPARISON_UNCHANGED;
    }
    return lines;
}
