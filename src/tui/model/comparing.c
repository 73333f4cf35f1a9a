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

static void close_others(struct tt_comparing *c)
{
    for (int side = 0; side < 2; side++) {
        tt_events_free(c->other_events[side]);
        tt_trace_close(c->others[side]);
        c->other_events[side] = NULL;
        c->others[side] = NULL;
    }
}

void tt_comparing_free(struct tt_comparing *c)
{
    tt_comparison_free(c->comparison);
    close_others(c);
    *c = (struct tt_comparing){.version = c->version + 1};
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

/* Opens a capture beside the open one and begins to index it. */
static struct tt_status open_other(struct tt_workspace *ws, const char *path,
                                   struct tt_trace **trace)
{
    struct tt_trace_options options = {
        .capture = {.clock_hz = ws->opened.capture->clock_hz},
        .map = {.remote = tt_remote_files_options(&ws->remote)},
    };
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

/* Opens what the sides need and replaces the comparison by `next`. */
static struct tt_status replace(struct tt_workspace *ws, struct tt_comparing *next)
{
    const char *paths[] = {next->path_a, next->path_b};
    struct tt_status status = tt_ok();
    for (int side = 0; side < 2 && !tt_failed(&status); side++) {
        if (strcmp(paths[side], tt_trace_path(ws->opened.trace)) != 0 &&
            !tt_baseline_is_file(paths[side])) {
            status = open_other(ws, paths[side], &next->others[side]);
        }
    }
    if (tt_failed(&status)) {
        close_others(next);
        return status;
    }
    tt_comparing_free(&ws->comparing);
    next->version = ws->comparing.version;
    ws->comparing = *next;
    return status;
}

struct tt_status tt_comparing_begin(struct tt_workspace *ws, const struct tt_table *table,
                                    const char *path_a, const struct tt_key_range *keys_a,
                                    const struct tt_key_range *keys_b)
{
    struct tt_comparing next = {
        .table = table, .keys_a = *keys_a, .keys_b = *keys_b, .status = tt_ok()};
    const char *path_b = tt_trace_path(ws->opened.trace);
    if (strlen(path_b) >= sizeof next.path_b || (path_a && strlen(path_a) >= sizeof next.path_a)) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    memcpy(next.path_b, path_b, strlen(path_b) + 1);
    memcpy(next.path_a, path_a ? path_a : path_b, strlen(path_a ? path_a : path_b) + 1);
    return replace(ws, &next);
}

struct tt_status tt_comparing_table(struct tt_workspace *ws, const struct tt_table *table)
{
    struct tt_comparing next = ws->comparing;
    next.table = table;
    next.comparison = NULL;
    next.complete = false;
    next.status = tt_ok();
    memset(next.others, 0, sizeof next.others);
    memset(next.other_events, 0, sizeof next.other_events);
    return replace(ws, &next);
}

const struct tt_table *tt_comparing_next(const struct tt_table *table, int step)
{
    size_t count = 0, at = 0;
    for (const struct tt_table *other; (other = tt_table_at(count)) != NULL; count++) {
        at = other == table ? count : at;
    }
    do {
        at = (at + count + (size_t)step) % count;
    } while (!tt_baseline_has(tt_table_at(at)));
    return tt_table_at(at);
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Sets a side of the request: the open capture, another one, or a baseline. */
static struct tt_status set_side(struct tt_workspace *ws, int number,
                                 struct tt_comparison_side *side)
{
    struct tt_comparing *c = &ws->comparing;
    const char *path = number == 0 ? c->path_a : c->path_b;
    *side = (struct tt_comparison_side){.trace = ws->opened.trace,
                                        .events = ws->opened.events,
                                        .keys = number == 0 ? c->keys_a : c->keys_b};
    if (c->others[number]) {
        side->trace = c->others[number];
        side->events = c->other_events[number] = tt_events_new(side->trace);
        if (!side->events) {
            return tt_error_memory();
        }
    } else if (strcmp(path, tt_trace_path(ws->opened.trace)) != 0) {
        return tt_baseline_read(path, c->table, &side->saved);
    }
    return tt_job_ends_parse(tt_trace_capture(side->trace)->format, NULL, &side->job_ends);
}

static struct tt_status begin(struct tt_workspace *ws)
{
    struct tt_comparing *c = &ws->comparing;
    struct tt_comparison_request request = {
        .table = c->table, .alpha = TT_COMPARISON_ALPHA, .min_change = TT_COMPARISON_MIN_CHANGE};
    struct tt_status status = set_side(ws, 0, &request.a);
    if (!tt_failed(&status)) {
        status = set_side(ws, 1, &request.b);
    }
    if (tt_failed(&status)) {
        tt_baseline_free(request.a.saved);
        tt_baseline_free(request.b.saved);
        return status;
    }
    return tt_comparison_begin(&c->comparison, &request);
}

static bool has_others(const struct tt_comparing *c)
{
    return c->others[0] || c->others[1];
}

static bool others_are_indexed(const struct tt_comparing *c)
{
    return (!c->others[0] || tt_trace_progress(c->others[0]).finished) &&
           (!c->others[1] || tt_trace_progress(c->others[1]).finished);
}

/* Returns whether all captures are indexed; waits a little for those that are not open. */
static bool is_indexed(const struct tt_workspace *ws)
{
    const struct tt_comparing *c = &ws->comparing;
    if (!ws->index.progress.finished) {
        return false;
    }
    if (!others_are_indexed(c)) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        return others_are_indexed(c);
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
        return !has_others(c);
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
        close_others(c);
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
