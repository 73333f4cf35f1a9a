/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/panes/diff_compare.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table/registry.h"
#include "tracetui/jobs.h"
#include "tracetui/trace.h"
#include "tui/model/place_text.h"
#include "tui/panes/pane.h"

static void close_others(struct tt_comparing *comparing)
{
    for (int side = 0; side < 2; side++) {
        tt_events_free(comparing->other_events[side]);
        tt_trace_close(comparing->others[side]);
        comparing->other_events[side] = NULL;
        comparing->others[side] = NULL;
    }
}

void tt_compare_free(struct tt_comparing *comparing)
{
    tt_comparison_free(comparing->comparison);
    close_others(comparing);
    *comparing = (struct tt_comparing){.version = comparing->version + 1};
}

/*
 * Begins to compare the sides of `next` in place of the comparison so far. Captures that are not open are
 * opened beside the open one. On an error the previous comparison stays.
 */
static struct tt_status diff_compare_compare(struct tt_workspace *ws,
                                             struct tt_comparing *comparing,
                                             struct tt_comparing *next)
{
    const char *paths[] = {next->path_a, next->path_b};
    struct tt_status status = tt_ok();
    for (int side = 0; side < 2 && !tt_failed(&status); side++) {
        if (strcmp(paths[side], tt_trace_path(ws->opened.trace)) != 0 &&
            !tt_baseline_is_file(paths[side])) {
            status = tt_pane_open_trace(ws, paths[side], &next->others[side]);
        }
    }
    if (tt_failed(&status)) {
        close_others(next);
        return status;
    }
    tt_compare_free(comparing);
    next->version = comparing->version;
    *comparing = *next;
    return status;
}

struct tt_status tt_compare_table(struct tt_workspace *ws, struct tt_comparing *comparing, int step)
{
    struct tt_comparing next = *comparing;
    size_t count = 0, at = 0;
    for (const struct tt_table *other; (other = tt_table_at(count)) != NULL; count++) {
        at = other == next.table ? count : at;
    }
    do {
        at = (at + count + (size_t)step) % count;
    } while (!tt_baseline_has(tt_table_at(at)));
    next.table = tt_table_at(at);
    next.comparison = NULL;
    next.complete = false;
    next.status = tt_ok();
    memset(next.others, 0, sizeof next.others);
    memset(next.other_events, 0, sizeof next.other_events);
    return diff_compare_compare(ws, comparing, &next);
}

/* Parses one or two ranges of the open capture; false if the text is something else. */
static bool read_ranges(struct tt_workspace *ws, const char *text, struct tt_key_range *left,
                        struct tt_key_range *right)
{
    char first[128];
    uint64_t from, to;
    size_t length = strcspn(text, " ");
    const char *second = text + length + strspn(text + length, " ");
    if (length >= sizeof first) {
        return false;
    }
    memcpy(first, text, length);
    first[length] = '\0';
    struct tt_status status = tt_place_parse_range(ws, first, &from, &to);
    if (tt_failed(&status)) {
        return false;
    }
    *left = (struct tt_key_range){.from_ticks = from, .to_ticks = to};
    if (second[0]) {
        status = tt_place_parse_range(ws, second, &from, &to);
        *right = (struct tt_key_range){.from_ticks = from, .to_ticks = to};
    }
    return !tt_failed(&status);
}

struct tt_status tt_compare_begin(struct tt_workspace *ws, struct tt_comparing *comparing,
                                  const char *text, const char **result)
{
    const struct tt_key_range whole = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_comparing next = {
        .table = &tt_table_threads, .keys_a = whole, .keys_b = whole, .status = tt_ok()};
    size_t word = strcspn(text, " ");
    uint64_t from, to;
    *result = text[0] ? text : NULL;
    for (size_t i = 0; tt_table_at(i); i++) {
        const struct tt_table *table = tt_table_at(i);
        if (tt_baseline_has(table) && strlen(table->name) == word &&
            memcmp(text, table->name, word) == 0) {
            next.table = table;
            text += word + strspn(text + word, " ");
            break;
        }
    }
    if (!text[0]) {
        *result = NULL;
        return comparing->path_a[0] ? tt_ok()
                                    : tt_error(TT_ERR_USAGE, "nothing to compare with: :diff FILE");
    }
    if (!ws->opened.trace) {
        return tt_error(TT_ERR_USAGE, "no capture is open");
    }
    const char *open = tt_trace_path(ws->opened.trace);
    bool selected = tt_viewport_selection(&ws->nav.viewport, &from, &to);
    bool before = strcmp(text, "before") == 0, rest = before || strcmp(text, "after") == 0;
    bool is_file = access(text, F_OK) == 0, is_range = false;
    if (selected) {
        next.keys_b = (struct tt_key_range){.from_ticks = from, .to_ticks = to};
    }
    if (rest && selected) {
        struct tt_bounds bounds = tt_nav_bounds(ws);
        next.keys_a = (struct tt_key_range){.from_ticks = before ? bounds.begin : to,
                                            .to_ticks = before ? from : bounds.end};
        if (next.keys_a.to_ticks <= next.keys_a.from_ticks) {
            return tt_error(TT_ERR_USAGE, "nothing is %s the selection", text);
        }
        is_range = true;
    } else if (rest && !is_file) {
        return tt_error(TT_ERR_USAGE, "no selection (press v, or V for two marks)");
    } else if (strstr(text, "..") && !is_file) {
        is_range = read_ranges(ws, text, &next.keys_a, &next.keys_b);
    }
    const char *other = is_range ? open : text;
    const char *path_b = open;
    size_t length = strlen(other);
    for (size_t i = 0; !is_range && !is_file && i < length; i++) { /* two files, as of `diff` */
        const bool is_pair = text[i] == ' ' && access(text + i + 1, F_OK) == 0;
        path_b = is_pair ? text + i + 1 : path_b;
        length = is_pair ? i : length;
    }
    if (strlen(path_b) >= sizeof next.path_b || length >= sizeof next.path_a) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    memcpy(next.path_a, other, length);
    memcpy(next.path_b, path_b, strlen(path_b) + 1);
    return diff_compare_compare(ws, comparing, &next);
}

/* Sets a side of the request: the open capture, another one, or a baseline. */
static struct tt_status set_side(const struct tt_workspace *ws, struct tt_comparing *comparing,
                                 int number, struct tt_comparison_side *side)
{
    const char *path = number == 0 ? comparing->path_a : comparing->path_b;
    *side =
        (struct tt_comparison_side){.trace = ws->opened.trace,
                                    .events = ws->opened.events,
                                    .keys = number == 0 ? comparing->keys_a : comparing->keys_b};
    if (comparing->others[number]) {
        side->trace = comparing->others[number];
        side->events = comparing->other_events[number] = tt_events_new(side->trace);
        if (!side->events) {
            return tt_error_memory();
        }
    } else if (strcmp(path, tt_trace_path(ws->opened.trace)) != 0) {
        return tt_baseline_read(path, comparing->table, &side->saved);
    }
    return tt_job_ends_parse(tt_trace_capture(side->trace)->format, NULL, &side->job_ends);
}

/* Returns whether the captures that are not open are indexed; waits a little for them. */
static bool others_are_indexed(const struct tt_comparing *comparing)
{
    for (int side = 0; side < 2; side++) {
        if (comparing->others[side] && !tt_trace_progress(comparing->others[side]).finished) {
            nanosleep(&(struct timespec){.tv_nsec = TT_PANE_CLOCK}, NULL);
            if (!tt_trace_progress(comparing->others[side]).finished) {
                return false;
            }
        }
    }
    return true;
}

bool tt_compare_work(struct tt_workspace *ws, struct tt_comparing *comparing, uint64_t deadline_ns)
{
    struct tt_status status = tt_ok();
    if (!comparing->path_a[0] || comparing->complete || tt_failed(&comparing->status)) {
        return true;
    }
    if (!ws->opened.trace || !ws->index.progress.finished || !others_are_indexed(comparing)) {
        return !comparing->others[0] && !comparing->others[1];
    }
    if (!comparing->comparison) {
        struct tt_comparison_request request = {.table = comparing->table,
                                                .alpha = TT_COMPARISON_ALPHA,
                                                .min_change = TT_COMPARISON_MIN_CHANGE};
        status = set_side(ws, comparing, 0, &request.a);
        if (!tt_failed(&status)) {
            status = set_side(ws, comparing, 1, &request.b);
        }
        if (tt_failed(&status)) {
            tt_baseline_free(request.a.saved);
            tt_baseline_free(request.b.saved);
        } else {
            status = tt_comparison_begin(&comparing->comparison, &request);
        }
    }
    if (!tt_failed(&status)) {
        status = tt_comparison_step(comparing->comparison, deadline_ns, &comparing->complete);
    }
    if (tt_failed(&status)) {
        tt_comparison_free(comparing->comparison);
        comparing->comparison = NULL;
        comparing->complete = false;
        comparing->status = status;
    }
    if (comparing->complete || tt_failed(&status)) {
        close_others(comparing);
    }
    return comparing->complete || tt_failed(&status);
}
