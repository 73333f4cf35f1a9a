/* SPDX-License-Identifier: Apache-2.0 */
/* judge: judges all rules on a capture, one kind after the other. */
#include "check/judge.h"

#include <stdlib.h>

#include "analysis/causes/reactions.h"
#include "base/clock.h"

/* ---- health ------------------------------------------------------------------------------- */

static void judge_health(struct tt_check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        const struct tt_rule *rule = tt_rules_at(check->request.rules, i);
        if (rule->kind == TT_RULE_HEALTH) {
            struct tt_finding f = tt_finding_of(
                tt_health_count(check->capture, (enum tt_health_kind)rule->health), 0);
            f.doubt = check->request.growing ? TT_DOUBT_MORE : TT_DOUBT_NONE;
            uint64_t at;
            if (rule->health == TT_HEALTH_LOST && check->t &&
                tt_loss_in(check->t, 0, UINT64_MAX, &at)) {
                f.at = at;
            }
            tt_check_add_finding(check, i, &f);
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

static bool judge_add_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct tt_reacting *reacting = arg;
    int part = reacting->rule->part;
    if (part >= 0 && part < TT_REACTION_READY && !reaction->has_handler) {
        return true;
    }
    uint64_t ticks = part < 0 ? reaction->to - reaction->from : reaction->parts[part];
    if (reacting->samples.count == 0 || ticks > reacting->longest) {
        reacting->worst = *reaction;
        reacting->longest = ticks;
    }
    reacting->min = reacting->samples.count == 0 || ticks < reacting->min ? ticks : reacting->min;
    reacting->no_memory = !tt_samples_add(&reacting->samples, ticks, reaction->to);
    return !reacting->no_memory;
}

static struct tt_finding reaction_finding(const struct tt_check *check,
                                          struct tt_reacting *reacting)
{
    struct tt_distribution d = tt_samples_distribution(&reacting->samples);
    const uint64_t values[] = {[TT_QUANTILE_MIN] = reacting->min,
                               [TT_QUANTILE_P50] = d.p50,
                               [TT_QUANTILE_P95] = d.p95,
                               [TT_QUANTILE_P99] = d.p99,
                               [TT_QUANTILE_MAX] = d.max};
    if (reacting->rule->quantile == TT_QUANTILE_COUNT) {
        return tt_finding_of(d.count, 0);
    }
    return tt_finding_time(check, reacting->rule->quantile == TT_QUANTILE_MEAN
                                      ? d.sum / d.count
                                      : values[reacting->rule->quantile]);
}

/* Returns the end of the next part of a window. */
static uint64_t judge_part_end(const struct tt_check *check, uint64_t from,
                               const struct tt_check_window *window)
{
    uint64_t begin = tt_timelines_begin(check->t), end = tt_timelines_end(check->t);
    uint64_t parts = tt_events_rows(check->events) / PART_EVENTS + 1;
    uint64_t width = (end - begin) / parts + 1;
    return from > end || window->to - from <= width || end - from < width ? window->to
                                                                          : from + width;
}

/* Continues with a part of the window, or all of it. */
static void continue_thread(struct tt_check *check, const struct tt_check_windows *list, bool all)
{
    struct tt_reacting *reacting = check->reacting;
    const struct tt_check_window *window = &list->items[reacting->window];
    uint64_t to = all ? window->to : judge_part_end(check, reacting->from, window);
    tt_reactions(check->wakes, reacting->thread, reacting->rule->vector, reacting->from, to,
                 judge_add_reaction, reacting);
    reacting->from = to;
    if (to < window->to || reacting->no_memory) {
        return;
    }

    /* Records the reactions of one thread in one window. */
    if (reacting->samples.count > 0 || reacting->rule->quantile == TT_QUANTILE_COUNT) {
        struct tt_finding f = reaction_finding(check, reacting);
        bool lost = tt_check_lost_lane(check, reacting->thread, window);
        bool more = reacting->rule->quantile == TT_QUANTILE_COUNT ||
                    reacting->rule->quantile == TT_QUANTILE_MAX;
        bool elsewhere = tt_check_lost_elsewhere(check, reacting->thread, window);
        f.doubt = elsewhere ? TT_DOUBT_EITHER
                  : !lost   ? TT_DOUBT_NONE
                  : more    ? TT_DOUBT_MORE
                            : TT_DOUBT_EITHER;
        if (reacting->samples.count > 0) {
            f.at = f.from = reacting->worst.from;
            f.to = reacting->worst.to;
        }
        f.thread = reacting->thread;
        f.kind = "reaction";
        tt_check_add_finding(check, check->next, &f);
    }
    tt_samples_free(&reacting->samples);
    reacting->longest = reacting->min = 0;

    if (++reacting->window < list->count) {
        reacting->from = list->items[reacting->window].from;
    } else {
        reacting->active = false;
        check->next_lane++;
    }
}

/* Judges the next thread of a rule about reactions, or a part of its time. */
static struct tt_status step_reactions(struct tt_check *check, bool all)
{
    const struct tt_rule *rule = tt_rules_at(check->request.rules, check->next);
    const struct tt_check_windows *list = &check->windows[check->judged[check->next].windows];
    if (rule->kind != TT_RULE_REACTION || check->next_lane >= tt_thread_count(check->capture)) {
        if (rule->kind == TT_RULE_REACTION && !check->found) {
            tt_check_miss_name(check, check->next);
        }
        check->next++;
        check->next_lane = 0;
        check->found = false;
        return tt_ok();
    }
    check->wakes = check->wakes ? check->wakes : tt_wakes_new(check->request.trace);
    check->reacting = check->reacting ? check->reacting : calloc(1, sizeof *check->reacting);
    if (!check->wakes || !check->reacting) {
        return tt_error_memory();
    }
    check->reacting->rule = rule;
    if (!check->reacting->active) {
        /* Begins the reactions of the next thread, if the rule selects it. */
        struct tt_reacting *reacting = check->reacting;
        uint32_t thread = check->next_lane;
        bool selected = tt_check_selects_thread(check, &reacting->rule->of, thread);
        check->found |= selected;
        reacting->active = selected && list->count > 0;
        reacting->thread = thread;
        reacting->window = 0;
        reacting->from = list->count > 0 ? list->items[0].from : 0;
        check->next_lane += !reacting->active;
    } else {
        continue_thread(check, list, all);
    }
    return check->reacting->no_memory ? tt_error_memory() : tt_ok();
}

/* Continues the current stage; *over: it has ended. */
static struct tt_status check_judge_step(struct tt_check *check, uint64_t deadline_ns, bool *over)
{
    struct tt_status status = tt_ok();
    *over = check->next >= check->count;
    switch (check->stage) {
    case TT_CHECK_WINDOWS:
        if (*over) {
            /* Sets the reason of rules whose window does not exist. */
            for (size_t i = 0; i < check->count; i++) {
                const struct tt_check_windows *list = &check->windows[check->judged[i].windows];
                if (!check->t) {
                    tt_check_miss(check, i, "the capture has no events");
                } else if (tt_failed(&list->status)) {
                    tt_check_miss(check, i, tt_check_line(check, list->status.text));
                } else if (list->count == 0) {
                    tt_check_miss(check, i,
                                  list->of.kind == TT_WINDOW_RANGE
                                      ? "no window: the range is empty or outside the capture"
                                      : "no window: the event of `during` does not occur");
                }
            }

            status = tt_check_find_losses(check);
            judge_health(check);
            return status;
        }
        return tt_check_resolve_windows(check, check->next++);
    case TT_CHECK_TABLES:
        return tt_check_judge_tables(check, deadline_ns, over);
    case TT_CHECK_ROWS:
        return tt_check_judge_rows(check, deadline_ns, over);
    case TT_CHECK_EVENTS:
        return tt_check_judge_events(check, deadline_ns, over);
    case TT_CHECK_REACTIONS:
        return *over ? status : step_reactions(check, deadline_ns == UINT64_MAX);
    default:
        return *over ? status : tt_check_result_make(check, check->next++);
    }
}

struct tt_status tt_check_begin(const struct tt_check_request *request, struct tt_check **check)
{
    struct tt_check *k = calloc(1, sizeof *k);
    *check = NULL;
    if (!k) {
        return tt_error_memory();
    }
    k->request = *request;

    /*
     * ---- the check ----------------------------------------------------------------------------
     */
    k->capture = tt_trace_capture(k->request.trace);
    k->t = tt_trace_timelines(k->request.trace);
    k->first_ticks = tt_trace_progress(k->request.trace).first_ticks;
    k->count = tt_rules_count(k->request.rules);
    k->events = tt_events_new(k->request.trace);
    k->judged = calloc(k->count + 1, sizeof *k->judged);
    k->results = calloc(k->count + 1, sizeof *k->results);
    struct tt_status status = k->events && k->judged && k->results ? tt_ok() : tt_error_memory();

    if (tt_failed(&status)) {
        tt_check_free(k);
        return status;
    }
    *check = k;
    return status;
}

struct tt_status tt_check_step(struct tt_check *check, uint64_t deadline_ns, bool *complete)
{
    struct tt_status status = tt_ok();
    *complete = check->stage == TT_CHECK_COMPLETE;
    while (!*complete && !tt_failed(&status)) {
        bool over;
        status = check_judge_step(check, deadline_ns, &over);
        if (over && !tt_failed(&status)) {
            /* Begins the next stage; without events there are only results. */
            check->stage++;
            check->stage =
                check->t || check->stage > TT_CHECK_REACTIONS ? check->stage : TT_CHECK_RESULTS;
            check->next = 0;
            tt_check_free_tables(check);
            tt_check_free_rows(check);
            if (check->stage > TT_CHECK_EVENTS) {
                tt_check_free_walk(check);
            }
        }
        *complete = check->stage == TT_CHECK_COMPLETE;
        if (deadline_ns != UINT64_MAX && tt_now_ns() >= deadline_ns) {
            break;
        }
    }
    if (*complete) {
        /* Frees the data that only judging needs. The texts of the results outlive the trace. */
        tt_wakes_free(check->wakes);
        tt_events_free(check->events);
        check->wakes = NULL;
        check->events = NULL;
    }
    return status;
}

unsigned tt_check_percent(const struct tt_check *check)
{
    static const unsigned begins[] = {
        [TT_CHECK_WINDOWS] = 0,    [TT_CHECK_TABLES] = 10,       [TT_CHECK_ROWS] = 40,
        [TT_CHECK_EVENTS] = 50,    [TT_CHECK_REACTIONS] = 80,    [TT_CHECK_RESULTS] = 90,
        [TT_CHECK_COMPLETE] = 100, [TT_CHECK_COMPLETE + 1] = 100};
    unsigned part = check->stage == TT_CHECK_EVENTS && check->events ? tt_check_walk_percent(check)
                    : check->count > 0 ? (unsigned)(check->next * 100 / check->count)
                                       : 0;
    if (check->stage == TT_CHECK_TABLES) {
        part = tt_check_tables_percent(check);
    }
    return begins[check->stage] + (begins[check->stage + 1] - begins[check->stage]) * part / 100;
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

void tt_check_free(struct tt_check *check)
{
    if (!check) {
        return;
    }
    for (uint32_t i = 0; i < check->window_count; i++) {
        free(check->windows[i].items);
    }
    tt_check_free_tables(check);
    tt_check_free_rows(check);
    tt_check_free_walk(check);
    free(check->windows);
    free(check->losses);

    if (check->reacting) {
        tt_samples_free(&check->reacting->samples);
    }
    free(check->reacting);
    check->reacting = NULL;

    tt_check_free_selections(check);
    free(check->judged);
    free(check->results);
    tt_wakes_free(check->wakes);
    tt_events_free(check->events);
    tt_arena_free(&check->texts);
    free(check);
}

const struct tt_check_result *tt_check_results(const struct tt_check *check, size_t *count)
{
    *count = check->count;
    return check->results;
}

bool tt_check_truncated(const struct tt_check *check)
{
    return check->truncated;
}
