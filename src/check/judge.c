/* SPDX-License-Identifier: Apache-2.0 */
/* judge: judges all rules on a capture, one kind after the other. */
#include "check/judge.h"

#include <stdlib.h>

#include "base/clock.h"
#include "tracetui/reactions.h"

/* ---- health ------------------------------------------------------------------------------- */

static void judge_health(struct tt_check *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const struct tt_rule *rule = tt_rules_at(k->request.rules, i);
        if (rule->kind == TT_RULE_HEALTH) {
            struct tt_finding f =
                tt_finding_of(tt_health_count(k->capture, (enum tt_health_kind)rule->health), 0);
            f.doubt = k->request.growing ? TT_DOUBT_MORE : TT_DOUBT_NONE;
            uint64_t at;
            if (rule->health == TT_HEALTH_LOST && k->t && tt_loss_in(k->t, 0, UINT64_MAX, &at)) {
                f.at = at;
            }
            tt_check_take(k, i, &f);
        }
    }
}

/* ---- reactions ---------------------------------------------------------------------------- */

#define PART_EVENTS 50000u /* events of all threads in a part: less than a few milliseconds */

struct tt_reacting {
    const struct tt_rule *rule;
    struct tt_samples samples;
    struct tt_reaction worst;
    uint64_t longest;
    uint64_t min;
    bool no_memory;
    bool active; /* the thread is being judged: */
    uint32_t thread;
    size_t window;
    uint64_t from; /* its time before this is done */
};

static bool take_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct tt_reacting *r = arg;
    int part = r->rule->part;
    if (part >= 0 && part < TT_REACTION_READY && !reaction->has_handler) {
        return true;
    }
    uint64_t ticks = part < 0 ? reaction->to - reaction->from : reaction->parts[part];
    if (r->samples.count == 0 || ticks > r->longest) {
        r->worst = *reaction;
        r->longest = ticks;
    }
    r->min = r->samples.count == 0 || ticks < r->min ? ticks : r->min;
    r->no_memory = !tt_samples_add(&r->samples, ticks, reaction->to);
    return !r->no_memory;
}

static struct tt_finding reaction_finding(const struct tt_check *k, struct tt_reacting *r)
{
    struct tt_distribution d = tt_samples_distribution(&r->samples);
    const uint64_t values[] = {[TT_QUANTILE_MIN] = r->min,
                               [TT_QUANTILE_P50] = d.p50,
                               [TT_QUANTILE_P95] = d.p95,
                               [TT_QUANTILE_P99] = d.p99,
                               [TT_QUANTILE_MAX] = d.max};
    if (r->rule->quantile == TT_QUANTILE_COUNT) {
        return tt_finding_of(d.count, 0);
    }
    return tt_finding_time(k, r->rule->quantile == TT_QUANTILE_MEAN ? d.sum / d.count
                                                                    : values[r->rule->quantile]);
}

/* Records the reactions of one thread in one window. */
static void finish_window(struct tt_check *k, struct tt_reacting *r,
                          const struct tt_check_window *w)
{
    if (r->samples.count > 0 || r->rule->quantile == TT_QUANTILE_COUNT) {
        struct tt_finding f = reaction_finding(k, r);
        bool lost = tt_check_lost_lane(k, r->thread, w);
        bool more = r->rule->quantile == TT_QUANTILE_COUNT || r->rule->quantile == TT_QUANTILE_MAX;
        bool elsewhere = tt_check_lost_elsewhere(k, r->thread, w);
        f.doubt = elsewhere ? TT_DOUBT_EITHER
                  : !lost   ? TT_DOUBT_NONE
                  : more    ? TT_DOUBT_MORE
                            : TT_DOUBT_EITHER;
        if (r->samples.count > 0) {
            f.at = f.from = r->worst.from;
            f.to = r->worst.to;
        }
        f.thread = r->thread;
        f.kind = "reaction";
        tt_check_take(k, k->next, &f);
    }
    tt_samples_free(&r->samples);
    r->longest = r->min = 0;
}

/* Begins the reactions of the next thread, if the rule selects it. */
static void begin_thread(struct tt_check *k, const struct tt_check_windows *list)
{
    struct tt_reacting *r = k->reacting;
    uint32_t thread = k->next_lane;
    bool selected = tt_check_selects_thread(k, &r->rule->of, thread);
    k->found |= selected;
    r->active = selected && list->count > 0;
    r->thread = thread;
    r->window = 0;
    r->from = list->count > 0 ? list->items[0].from : 0;
    k->next_lane += !r->active;
}

/* Returns the end of the next part of a window. */
static uint64_t part_end(const struct tt_check *k, uint64_t from, const struct tt_check_window *w)
{
    uint64_t begin = tt_timelines_begin(k->t), end = tt_timelines_end(k->t);
    uint64_t parts = tt_events_rows(k->events) / PART_EVENTS + 1;
    uint64_t width = (end - begin) / parts + 1;
    return from > end || w->to - from <= width || end - from < width ? w->to : from + width;
}

/* Continues with a part of the window, or all of it. */
static void continue_thread(struct tt_check *k, const struct tt_check_windows *list, bool all)
{
    struct tt_reacting *r = k->reacting;
    const struct tt_check_window *w = &list->items[r->window];
    uint64_t to = all ? w->to : part_end(k, r->from, w);
    tt_reactions(k->wakes, r->thread, r->rule->vector, r->from, to, take_reaction, r);
    r->from = to;
    if (to < w->to || r->no_memory) {
        return;
    }
    finish_window(k, r, w);
    if (++r->window < list->count) {
        r->from = list->items[r->window].from;
    } else {
        r->active = false;
        k->next_lane++;
    }
}

/* Judges the next thread of a rule about reactions, or a part of its time. */
static struct tt_status step_reactions(struct tt_check *k, bool all)
{
    const struct tt_rule *rule = tt_rules_at(k->request.rules, k->next);
    const struct tt_check_windows *list = &k->windows[k->judged[k->next].windows];
    if (rule->kind != TT_RULE_REACTION || k->next_lane >= tt_thread_count(k->capture)) {
        if (rule->kind == TT_RULE_REACTION && !k->found) {
            tt_check_miss_name(k, k->next);
        }
        k->next++;
        k->next_lane = 0;
        k->found = false;
        return tt_ok();
    }
    k->wakes = k->wakes ? k->wakes : tt_wakes_new(k->request.trace);
    k->reacting = k->reacting ? k->reacting : calloc(1, sizeof *k->reacting);
    if (!k->wakes || !k->reacting) {
        return tt_error_memory();
    }
    k->reacting->rule = rule;
    if (!k->reacting->active) {
        begin_thread(k, list);
    } else {
        continue_thread(k, list, all);
    }
    return k->reacting->no_memory ? tt_error_memory() : tt_ok();
}

static void free_reacting(struct tt_check *k)
{
    if (k->reacting) {
        tt_samples_free(&k->reacting->samples);
    }
    free(k->reacting);
    k->reacting = NULL;
}

/* ---- the check ---------------------------------------------------------------------------- */

static struct tt_status begin(struct tt_check *k)
{
    k->capture = tt_trace_capture(k->request.trace);
    k->t = tt_trace_timelines(k->request.trace);
    k->first_ticks = tt_trace_progress(k->request.trace).first_ticks;
    k->count = tt_rules_count(k->request.rules);
    k->events = tt_events_new(k->request.trace);
    k->judged = calloc(k->count + 1, sizeof *k->judged);
    k->results = calloc(k->count + 1, sizeof *k->results);
    return k->events && k->judged && k->results ? tt_ok() : tt_error_memory();
}

/* Sets the reason of rules whose window does not exist. */
static void report_windows(struct tt_check *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const struct tt_check_windows *list = &k->windows[k->judged[i].windows];
        if (!k->t) {
            tt_check_miss(k, i, "the capture has no events");
        } else if (tt_failed(&list->status)) {
            tt_check_miss(k, i, tt_check_line(k, list->status.text));
        } else if (list->count == 0) {
            tt_check_miss(k, i,
                          list->of.kind == TT_WINDOW_RANGE
                              ? "no window: the range is empty or outside the capture"
                              : "no window: the event of `during` does not occur");
        }
    }
}

/* Continues the current stage; *over: it has ended. */
static struct tt_status step(struct tt_check *k, uint64_t deadline_ns, bool *over)
{
    struct tt_status status = tt_ok();
    *over = k->next >= k->count;
    switch (k->stage) {
    case TT_CHECK_WINDOWS:
        if (*over) {
            report_windows(k);
            status = tt_check_find_losses(k);
            judge_health(k);
            return status;
        }
        return tt_check_resolve_windows(k, k->next++);
    case TT_CHECK_TABLES:
        return tt_check_judge_tables(k, deadline_ns, over);
    case TT_CHECK_ROWS:
        return tt_check_judge_rows(k, deadline_ns, over);
    case TT_CHECK_EVENTS:
        return tt_check_judge_events(k, deadline_ns, over);
    case TT_CHECK_REACTIONS:
        return *over ? status : step_reactions(k, deadline_ns == UINT64_MAX);
    default:
        return *over ? status : tt_check_result_make(k, k->next++);
    }
}

/* Begins the next stage; without events there are only results. */
static void next_stage(struct tt_check *k)
{
    k->stage++;
    k->stage = k->t || k->stage > TT_CHECK_REACTIONS ? k->stage : TT_CHECK_RESULTS;
    k->next = 0;
    tt_check_free_tables(k);
    tt_check_free_rows(k);
    if (k->stage > TT_CHECK_EVENTS) {
        tt_check_free_walk(k);
    }
}

/* Frees the data that only judging needs. The texts of the results outlive the trace. */
static void finish(struct tt_check *k)
{
    tt_wakes_free(k->wakes);
    tt_events_free(k->events);
    k->wakes = NULL;
    k->events = NULL;
}

struct tt_status tt_check_begin(const struct tt_check_request *request, struct tt_check **check)
{
    struct tt_check *k = calloc(1, sizeof *k);
    *check = NULL;
    if (!k) {
        return tt_error_memory();
    }
    k->request = *request;
    struct tt_status status = begin(k);
    if (tt_failed(&status)) {
        tt_check_free(k);
        return status;
    }
    *check = k;
    return status;
}

struct tt_status tt_check_step(struct tt_check *k, uint64_t deadline_ns, bool *complete)
{
    struct tt_status status = tt_ok();
    *complete = k->stage == TT_CHECK_COMPLETE;
    while (!*complete && !tt_failed(&status)) {
        bool over;
        status = step(k, deadline_ns, &over);
        if (over && !tt_failed(&status)) {
            next_stage(k);
        }
        *complete = k->stage == TT_CHECK_COMPLETE;
        if (deadline_ns != UINT64_MAX && tt_now_ns() >= deadline_ns) {
            break;
        }
    }
    if (*complete) {
        finish(k);
    }
    return status;
}

unsigned tt_check_percent(const struct tt_check *k)
{
    static const unsigned begins[] = {
        [TT_CHECK_WINDOWS] = 0,    [TT_CHECK_TABLES] = 10,       [TT_CHECK_ROWS] = 40,
        [TT_CHECK_EVENTS] = 50,    [TT_CHECK_REACTIONS] = 80,    [TT_CHECK_RESULTS] = 90,
        [TT_CHECK_COMPLETE] = 100, [TT_CHECK_COMPLETE + 1] = 100};
    unsigned part = k->stage == TT_CHECK_EVENTS && k->events ? tt_check_walk_percent(k)
                    : k->count > 0                           ? (unsigned)(k->next * 100 / k->count)
                                                             : 0;
    if (k->stage == TT_CHECK_TABLES) {
        part = tt_check_tables_percent(k);
    }
    return begins[k->stage] + (begins[k->stage + 1] - begins[k->stage]) * part / 100;
}

struct tt_status tt_check_run(const struct tt_check_request *request, struct tt_check **check)
{
    struct tt_check *k;
    bool complete;
    *check = NULL;
    struct tt_status status = tt_check_begin(request, &k);
    if (!tt_failed(&status)) {
        status = tt_check_step(k, UINT64_MAX, &complete);
    }
    if (tt_failed(&status)) {
        tt_check_free(k);
        return status;
    }
    *check = k;
    return status;
}

void tt_check_free(struct tt_check *k)
{
    if (!k) {
        return;
    }
    for (uint32_t i = 0; i < k->window_count; i++) {
        free(k->windows[i].items);
    }
    tt_check_free_tables(k);
    tt_check_free_rows(k);
    tt_check_free_walk(k);
    free(k->windows);
    free(k->losses);
    free_reacting(k);
    tt_check_free_selections(k);
    free(k->judged);
    free(k->results);
    tt_wakes_free(k->wakes);
    tt_events_free(k->events);
    tt_arena_free(&k->texts);
    free(k);
}

const struct tt_check_result *tt_check_results(const struct tt_check *k, size_t *count)
{
    *count = k->count;
    return k->results;
}

bool tt_check_truncated(const struct tt_check *k)
{
    return k->truncated;
}
