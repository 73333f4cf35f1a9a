/* SPDX-License-Identifier: Apache-2.0 */
/* judge: judges all rules on a capture, one kind after the other. */
#include "check/judge.h"

#include <stdlib.h>

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

struct reacting {
    const struct tt_rule *rule;
    struct tt_samples samples;
    struct tt_reaction worst;
    uint64_t longest;
    uint64_t min;
    bool no_memory;
};

static bool take_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct reacting *r = arg;
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

static struct tt_finding reaction_finding(const struct tt_check *k, struct reacting *r)
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

/* Judges a rule about reactions of one thread in one window. */
static bool judge_reaction(struct tt_check *k, size_t index, uint32_t thread,
                           const struct tt_check_window *w)
{
    struct reacting r = {.rule = tt_rules_at(k->request.rules, index)};
    tt_reactions(k->wakes, thread, r.rule->vector, w->from, w->to, take_reaction, &r);
    if (!r.no_memory && (r.samples.count > 0 || r.rule->quantile == TT_QUANTILE_COUNT)) {
        struct tt_finding f = reaction_finding(k, &r);
        bool lost = tt_check_lost_lane(k, thread, w);
        bool more = r.rule->quantile == TT_QUANTILE_COUNT || r.rule->quantile == TT_QUANTILE_MAX;
        bool elsewhere = tt_check_lost_elsewhere(k, thread, w);
        f.doubt = elsewhere ? TT_DOUBT_EITHER
                  : !lost   ? TT_DOUBT_NONE
                  : more    ? TT_DOUBT_MORE
                            : TT_DOUBT_EITHER;
        if (r.samples.count > 0) {
            f.at = f.from = r.worst.from;
            f.to = r.worst.to;
        }
        f.thread = thread;
        f.kind = "reaction";
        tt_check_take(k, index, &f);
    }
    tt_samples_free(&r.samples);
    return !r.no_memory;
}

struct tt_status tt_check_judge_reactions(struct tt_check *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const struct tt_rule *rule = tt_rules_at(k->request.rules, i);
        const struct tt_check_windows *list = &k->windows[k->judged[i].windows];
        if (rule->kind != TT_RULE_REACTION) {
            continue;
        }
        k->wakes = k->wakes ? k->wakes : tt_wakes_new(k->request.trace);
        bool ok = k->wakes != NULL, found = false;
        for (uint32_t t = 0; t < tt_thread_count(k->capture) && ok; t++) {
            bool selected = tt_check_selects_thread(k, &rule->of, t);
            found |= selected;
            for (size_t w = 0; selected && w < list->count && ok; w++) {
                ok = judge_reaction(k, i, t, &list->items[w]);
            }
        }
        if (!found) {
            tt_check_miss_name(k, i);
        }
        if (!ok) {
            return tt_error_memory();
        }
    }
    return tt_ok();
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
            tt_check_miss(k, i, "no window: the event of `during` does not occur");
        }
    }
}

static struct tt_status judge(struct tt_check *k)
{
    struct tt_status status = tt_check_resolve_windows(k);
    if (tt_failed(&status)) {
        return status;
    }
    report_windows(k);
    status = tt_check_find_losses(k);
    if (tt_failed(&status)) {
        return status;
    }
    judge_health(k);
    if (k->t) {
        status = tt_check_judge_tables(k);
    }
    if (k->t && !tt_failed(&status)) {
        status = tt_check_judge_events(k);
    }
    if (k->t && !tt_failed(&status)) {
        status = tt_check_judge_reactions(k);
    }
    for (size_t i = 0; i < k->count && !tt_failed(&status); i++) {
        status = tt_check_result_make(k, i);
    }
    return status;
}

struct tt_status tt_check_run(const struct tt_check_request *request, struct tt_check **check)
{
    struct tt_check *k = calloc(1, sizeof *k);
    *check = NULL;
    if (!k) {
        return tt_error_memory();
    }
    k->request = *request;
    struct tt_status status = begin(k);
    if (!tt_failed(&status)) {
        status = judge(k);
    }
    if (tt_failed(&status)) {
        tt_check_free(k);
        return status;
    }
    /* The texts of the results outlive the trace. */
    tt_wakes_free(k->wakes);
    tt_events_free(k->events);
    k->wakes = NULL;
    k->events = NULL;
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
    free(k->windows);
    free(k->losses);
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
