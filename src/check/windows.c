/* SPDX-License-Identifier: Apache-2.0 */
/* windows: the parts of a capture that rules are about. */
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/durations.h"
#include "base/array.h"
#include "base/bits.h"
#include "check/judge.h"
#include "check/testers.h"

#define BATCH TT_FILTER_BLOCK

/* ---- windows ------------------------------------------------------------------------------ */

static bool same_spec(const struct tt_time_spec *left, const struct tt_time_spec *right)
{
    return left->kind == right->kind &&
           (left->kind == TT_TIME_SPEC_NONE || left->value == right->value);
}

static bool same_window(const struct tt_rule_window *left, const struct tt_rule_window *right)
{
    return left->kind == right->kind && left->first == right->first && left->last == right->last &&
           same_spec(&left->from, &right->from) && same_spec(&left->to, &right->to);
}

/* Adds [from, to) with its rows. */
static struct tt_status add_window(struct tt_check *check, struct tt_check_windows *list,
                                   const struct tt_key_range *keys)
{
    struct tt_check_window *room =
        tt_array_grow(list->items, list->count, &list->capacity, sizeof *room);
    if (!room) {
        return tt_error_memory();
    }
    list->items = room;
    struct tt_table_request request = {.trace = check->request.trace, .events = check->events};
    tt_table_request_range(&request, keys);
    struct tt_check_window *window = &list->items[list->count++];
    *window = (struct tt_check_window){.keys = *keys,
                                       .from = request.window.from,
                                       .to = request.window.to,
                                       .first_row = request.first_row,
                                       .end_row = request.end_row};
    if (window->from < tt_timelines_begin(check->t)) {
        window->from = tt_timelines_begin(check->t);
    }
    return tt_ok();
}

/* Returns whether a range is not empty and a part of it is in the capture. */
static bool meets_capture(const struct tt_check *check, const struct tt_key_range *keys)
{
    struct tt_progress p = tt_trace_progress(check->request.trace);
    bool ordered = keys->from_ticks < keys->to_ticks ||
                   (keys->from_ticks == keys->to_ticks && keys->from_pos < keys->to_pos);
    return ordered && keys->from_ticks <= p.last_ticks && keys->to_ticks > p.first_ticks;
}

static struct tt_status resolve_range(struct tt_check *check, struct tt_check_windows *list)
{
    struct tt_key_range keys = {0, 0, UINT64_MAX, UINT64_MAX};
    struct tt_status status = tt_ok();
    if (list->of.from.kind != TT_TIME_SPEC_NONE) {
        status = tt_time_spec_resolve(&list->of.from, check->request.trace, check->events,
                                      &keys.from_ticks, &keys.from_pos);
    }
    if (!tt_failed(&status) && list->of.to.kind != TT_TIME_SPEC_NONE) {
        status = tt_time_spec_resolve(&list->of.to, check->request.trace, check->events,
                                      &keys.to_ticks, &keys.to_pos);
    }
    if (tt_failed(&status)) {
        list->status = status;
        return tt_ok();
    }
    bool outside = list->of.kind == TT_WINDOW_RANGE && !meets_capture(check, &keys);
    return outside ? tt_ok() : add_window(check, list, &keys);
}

/* ---- windows from events ------------------------------------------------------------------ */

struct span {
    uint64_t from, to;
};

struct during {
    struct tt_check *k;
    struct tt_tester begin, end;
    struct span *spans;
    size_t count, capacity;
    bool no_memory;
    bool open;
    uint64_t since;
};

struct tt_status tt_check_make_tester(struct tt_check *check, const struct tt_rule *rule,
                                      uint32_t filter, uint32_t column, struct tt_tester *tester)
{
    struct tt_filter_error error = {0, tt_ok()};
    if (!tester->plan &&
        !tt_filter_plan_new(tt_rules_filter(check->request.rules, filter), check->request.trace,
                            check->events, &tester->plan, &error)) {
        const char *what = strstr(error.status.text, ": ");
        return error.status.code != TT_ERR_USAGE || error.column == 0 || !what
                   ? error.status
                   : tt_error(TT_ERR_USAGE, "%.200s:%u:%u: %s", rule->file, (unsigned)rule->line,
                              (unsigned)tt_rule_column_at(rule, column + error.column), what + 2);
    }
    tester->worker =
        tester->worker ? tester->worker : tt_filter_worker_new(tester->plan, check->events);
    return tester->worker ? tt_ok() : tt_error_memory();
}

static void windows_add_span(struct during *during, uint64_t from, uint64_t to)
{
    struct span *room =
        tt_array_grow(during->spans, during->count, &during->capacity, sizeof *room);
    if (!room) {
        during->no_memory = true;
        return;
    }
    during->spans = room;
    during->spans[during->count++] = (struct span){from, to};
}

static bool windows_is_wanted(void *arg, const struct tt_event *event, uint64_t row)
{
    struct during *during = arg;
    uint64_t bits[TT_FILTER_WORDS];
    tt_filter_test(during->begin.worker, event, row, 1, bits);
    return bits[0] & 1u;
}

static void add_duration(void *arg, uint64_t row, uint64_t ticks)
{
    struct during *during = arg;
    struct tt_event event;
    if (tt_events_read(during->k->events, row, 1, &event) == 1 && ticks > 0) {
        windows_add_span(during, event.ticks, event.ticks + ticks);
    }
}

/* Adds the span that an event of `during {A} to {B}` ends, then begins the next one. */
static void windows_add_pair(struct during *during, const struct tt_event *event, uint64_t i)
{
    if (during->open && tt_bit_at(during->end.bits, i)) {
        windows_add_span(during, during->since, event->ticks);
        during->open = false;
    }
    if (!during->open && tt_bit_at(during->begin.bits, i)) {
        during->open = true;
        during->since = event->ticks;
    }
}

/* Adds the state that an event begins on its thread. */
static void windows_add_state(struct during *during, const struct tt_event *event)
{
    struct tt_interval_at at;
    bool begins = event->kind == TT_KIND_STATE || event->kind == TT_KIND_SWITCH ||
                  event->kind == TT_KIND_WAKEUP;
    if (begins && event->thread != TT_NO_THREAD &&
        tt_interval_find(during->k->t, event->thread, event->ticks, &at)) {
        struct tt_interval interval = tt_interval_get(during->k->t, at);
        if (interval.start == event->ticks && interval.end > interval.start) {
            windows_add_span(during, interval.start, interval.end);
        }
    }
}

static void walk_events(struct during *during, bool pairs)
{
    struct tt_event events[BATCH];
    uint64_t end = tt_events_rows(during->k->events);
    for (uint64_t row = 0; row < end && !during->no_memory;) {
        uint32_t count = tt_events_read(during->k->events, row, BATCH, events);
        if (count == 0) {
            during->k->truncated = true;
            return;
        }
        tt_filter_test(during->begin.worker, events, row, count, during->begin.bits);
        if (pairs) {
            tt_filter_test(during->end.worker, events, row, count, during->end.bits);
        }
        for (uint32_t i = 0; i < count; i++) {
            if (pairs) {
                windows_add_pair(during, &events[i], i);
            } else if (tt_bit_at(during->begin.bits, i)) {
                windows_add_state(during, &events[i]);
            }
        }
        row += count;
    }
}

static struct tt_status walk_durations(struct during *during)
{
    struct tt_duration_walk *walk = tt_duration_walk_new(during->k->request.trace);
    struct tt_duration_sink sink = {windows_is_wanted, add_duration, during, TT_EDGES_ALL};
    struct tt_events *events = tt_events_new(during->k->request.trace);
    struct tt_status status = walk && events ? tt_ok() : tt_error_memory();
    uint64_t end = tt_events_rows(during->k->events), row = 0;
    while (row < end && !tt_failed(&status)) {
        uint32_t count = tt_duration_walk_step(walk, events, row, end - row, &sink, &status);
        if (count == 0) {
            break;
        }
        row += count;
    }
    tt_duration_walk_free(walk);
    tt_events_free(events);
    return status;
}

static int by_begin(const void *a, const void *b)
{
    const struct span *left = a, *right = b;
    return left->from != right->from ? (left->from < right->from ? -1 : 1)
                                     : (left->to > right->to) - (left->to < right->to);
}

/* Adds the spans in order of time; those that overlap are one window. */
static struct tt_status add_spans(struct during *during, struct tt_check_windows *list)
{
    struct tt_status status = tt_ok();
    if (during->count > 1) {
        qsort(during->spans, during->count, sizeof *during->spans, by_begin);
    }
    for (size_t i = 0; i < during->count && !tt_failed(&status);) {
        struct tt_key_range keys = {during->spans[i].from, 0, during->spans[i].to, 0};
        for (i++; i < during->count && during->spans[i].from < keys.to_ticks; i++) {
            keys.to_ticks =
                during->spans[i].to > keys.to_ticks ? during->spans[i].to : keys.to_ticks;
        }
        status = add_window(during->k, list, &keys);
    }
    return status;
}

static struct tt_status resolve_during(struct tt_check *check, const struct tt_rule *rule,
                                       struct tt_check_windows *list)
{
    struct during d = {.k = check};
    bool pairs = list->of.kind == TT_WINDOW_BETWEEN;
    struct tt_status status =
        tt_check_make_tester(check, rule, list->of.first, list->of.first_column, &d.begin);
    if (!tt_failed(&status) && pairs) {
        status = tt_check_make_tester(check, rule, list->of.last, list->of.last_column, &d.end);
    }
    if (!tt_failed(&status)) {
        walk_events(&d, pairs);
        status = pairs ? tt_ok() : walk_durations(&d);
    }
    if (!tt_failed(&status)) {
        status = d.no_memory ? tt_error_memory() : add_spans(&d, list);
    }
    tt_filter_worker_free(d.begin.worker);
    tt_filter_worker_free(d.end.worker);
    tt_filter_plan_free(d.begin.plan);
    tt_filter_plan_free(d.end.plan);
    free(d.spans);
    return status;
}

struct tt_status tt_check_resolve_windows(struct tt_check *check, size_t rule)
{
    const struct tt_rule_window *of = &tt_rules_at(check->request.rules, rule)->window;
    uint32_t at = 0;
    while (at < check->window_count && !same_window(of, &check->windows[at].of)) {
        at++;
    }
    check->judged[rule].windows = at;
    if (at < check->window_count) {
        return tt_ok();
    }
    struct tt_check_windows *room = tt_array_grow_32(check->windows, check->window_count,
                                                     &check->window_capacity, sizeof *room);
    if (!room) {
        return tt_error_memory();
    }
    check->windows = room;
    check->windows[check->window_count++] = (struct tt_check_windows){.of = *of, .status = tt_ok()};
    if (!check->t) {
        return tt_ok();
    }
    return of->kind == TT_WINDOW_WHOLE || of->kind == TT_WINDOW_RANGE
               ? resolve_range(check, &check->windows[at])
               : resolve_during(check, tt_rules_at(check->request.rules, rule),
                                &check->windows[at]);
}
