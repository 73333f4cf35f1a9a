/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term_eval: evaluates a plan for blocks of events. Every node of the filter produces two bit
 * vectors, `may` and `must`, for the requested events. An "and" requests each operand only for
 * events that the previous operands left open, an "or" only for those not yet certain. Operands are
 * in order of cost, so that a line is rendered only if no cheaper term decides.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "filter/worker.h"
#include "tracetui/filter_types.h"
#include "tracetui/merge.h"

/* ---- states of threads -------------------------------------------------------------------- */

/* Finds the state at a time among all states of the lane. */
static bool term_eval_find_state(struct tt_filter_worker *worker, struct tt_lane_now *lane,
                                 uint32_t thread, uint64_t ticks)
{
    struct tt_states *states = &lane->states;
    states->count = lane->thread == thread ? states->count : 0;
    lane->thread = thread;
    lane->now = 0;
    if ((states->count == 0 || ticks < states->base || ticks >= states->end) &&
        !tt_states_at(worker->timelines, thread, ticks, states)) {
        return false;
    }
    for (uint32_t left = states->count; left > 1; left -= left / 2) {
        uint32_t middle = lane->now + left / 2;
        lane->now = states->start[middle] <= ticks - states->base ? middle : lane->now;
    }
    return true;
}

/*
 * Returns the lane of the event's thread, positioned at the event's time; NULL if the state is
 * unknown.
 */
static const struct tt_lane_now *term_eval_state_of(struct tt_filter_worker *worker,
                                                    const struct tt_event *event)
{
    if (event->thread >= worker->lane_count) {
        return NULL;
    }
    struct tt_lane_now *lane = &worker->lanes[event->thread % TT_LANES_NOW];
    const struct tt_states *states = &lane->states;
    uint64_t offset = event->ticks - states->base;
    if (lane->thread != event->thread || states->count == 0 || event->ticks >= states->end ||
        event->ticks < states->base || offset < states->start[lane->now]) {
        return term_eval_find_state(worker, lane, event->thread, event->ticks) ? lane : NULL;
    }
    /* Events arrive in time order. */
    while (lane->now + 1 < states->count && states->start[lane->now + 1] <= offset) {
        lane->now++;
    }
    return lane;
}

static unsigned test_state(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                           const struct tt_event *event)
{
    const struct tt_lane_now *lane = term_eval_state_of(worker, event);
    uint32_t entry = lane ? lane->states.what[lane->now] : TT_STATES_ENDED;
    return entry < pt->verdict_count ? pt->verdicts[entry] : TT_VERDICT_NO;
}

/* Returns whether events of this kind begin an interval. */
static bool changes_state(unsigned kind)
{
    return kind == TT_KIND_STATE || kind == TT_KIND_SWITCH || kind == TT_KIND_WAKEUP ||
           kind == TT_KIND_LIFETIME;
}

static bool in_ranges(const struct tt_plan_term *pt, uint64_t ticks, uint64_t pos)
{
    for (uint32_t i = 0; i < pt->term->span_count; i++) {
        const struct tt_plan_range *range = &pt->ranges[i];
        bool from = ticks != range->from_ticks ? ticks > range->from_ticks : pos >= range->from_pos;
        bool to = ticks != range->to_ticks ? ticks < range->to_ticks : pos < range->to_pos;
        if (from && to) {
            return true;
        }
    }
    return false;
}

static unsigned test_duration(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                              const struct tt_event *event)
{
    const struct tt_lane_now *lane =
        changes_state(event->kind) ? term_eval_state_of(worker, event) : NULL;
    const struct tt_states *states = lane ? &lane->states : NULL;
    if (!states || states->what[lane->now] == TT_STATES_ENDED ||
        states->base + states->start[lane->now] != event->ticks) {
        return TT_VERDICT_NO;
    }
    uint32_t next = lane->now + 1;
    uint64_t end = next < states->count ? states->base + states->start[next] : states->end;
    bool in = in_ranges(pt, end - event->ticks, 0);
    return in != (pt->term->op == TT_OP_NE) ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static unsigned verdict_of_number(const struct tt_filter_term *term, struct tt_number number)
{
    return tt_term_negate(term, tt_term_number(term, &number) ? TT_VERDICT_YES : TT_VERDICT_NO);
}

static unsigned test_priority(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                              const struct tt_event *event)
{
    if (!worker->timelines || event->thread >= worker->lane_count) {
        return TT_VERDICT_NO;
    }
    int priority = tt_thread_priority(worker->timelines, event->thread, event->ticks);
    return priority == TT_NO_PRIORITY ? TT_VERDICT_NO
                                      : verdict_of_number(pt->term, tt_number_of_i64(priority));
}

/* ---- one event, one term -------------------------------------------------------------------- */

static unsigned test_thread(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                            const struct tt_event *event)
{
    return event->thread < pt->verdict_count
               ? pt->verdicts[event->thread]
               : tt_decide_thread(&worker->deciding, pt->term, event->thread);
}

static unsigned test_type(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                          const struct tt_event *event)
{
    return event->type < pt->verdict_count
               ? pt->verdicts[event->type]
               : tt_decide_type(&worker->deciding, pt->term, event->type);
}

static unsigned test_time(const struct tt_plan_term *pt, const struct tt_event *event)
{
    bool in = in_ranges(pt, event->ticks, event->pos);
    return in != (pt->term->op == TT_OP_NE) ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static unsigned test_one(struct tt_filter_worker *worker, const struct tt_plan_term *pt, uint32_t i)
{
    const struct tt_event *event = &worker->events[i];
    switch (pt->way) {
    case TT_WAY_TIME:
        return test_time(pt, event);
    case TT_WAY_NUMBER:
        if (worker->events[i].flags & TT_EVENT_DERIVED) {
            return TT_VERDICT_NO; /* derived events have no number */
        }
        return verdict_of_number(pt->term, tt_number_of_u64(worker->numbers[i]));
    case TT_WAY_OFFSET:
        return verdict_of_number(
            pt->term, tt_number_of_u64(tt_merge_offset(worker->plan->capture, event->pos)));
    case TT_WAY_CAPTURE:
        return pt->verdict_count == 0
                   ? TT_VERDICT_NO
                   : pt->verdicts[tt_merge_at(worker->plan->capture->merge, event->pos)];
    case TT_WAY_STATE:
        return test_state(worker, pt, event);
    case TT_WAY_DUR:
        return test_duration(worker, pt, event);
    case TT_WAY_PRIORITY:
        return test_priority(worker, pt, event);
    case TT_WAY_ARG:
        return tt_worker_test_arg(worker, pt->term, event);
    case TT_WAY_LINE:
        return tt_worker_test_line(worker, pt, i);
    case TT_WAY_FLAG:
        return (event->flags & pt->flag) == 0 ? pt->wants_flag ? TT_VERDICT_NO : TT_VERDICT_YES
               : pt->wants_flag               ? TT_VERDICT_YES
                                              : TT_VERDICT_NO;
    case TT_WAY_KIND:
        return pt->kinds >> event->kind & 1u ? TT_VERDICT_YES : TT_VERDICT_NO;
    case TT_WAY_CPU:
        return event->cpu < pt->verdict_count ? pt->verdicts[event->cpu] : TT_VERDICT_NO;
    case TT_WAY_TYPE:
        return test_type(worker, pt, event);
    case TT_WAY_THREAD:
        return test_thread(worker, pt, event);
    }
    return TT_VERDICT_NO;
}

/* ---- one block, one term -------------------------------------------------------------------- */

/* Evaluates EXPRESSION, a verdict, for up to 64 events; shifts its bits in at the top. */
#define TEST_WORD(expression)                                                                      \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        const struct tt_event *event = &events[i];                                                 \
        uint64_t verdict = (expression);                                                           \
        may = may >> 1 | verdict << 63;                                                            \
        must = must >> 1 | verdict >> 1 << 63;                                                     \
    }

static void test_dense(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                       uint32_t word, struct tt_filter_bits *out)
{
    const struct tt_event *events = worker->events + (size_t)word * 64;
    uint32_t count = worker->count - word * 64 < 64 ? worker->count - word * 64 : 64;
    uint64_t may = 0, must = 0;
    switch (pt->way) {
    case TT_WAY_FLAG:
        TEST_WORD(((event->flags & pt->flag) != 0) == pt->wants_flag ? TT_VERDICT_YES
                                                                     : TT_VERDICT_NO)
        break;
    case TT_WAY_KIND:
        TEST_WORD((unsigned)(pt->kinds >> event->kind & 1u) * TT_VERDICT_YES)
        break;
    case TT_WAY_CPU:
        TEST_WORD(event->cpu < pt->verdict_count ? pt->verdicts[event->cpu] : TT_VERDICT_NO)
        break;
    case TT_WAY_TYPE:
        TEST_WORD(test_type(worker, pt, event))
        break;
    case TT_WAY_STATE:
        TEST_WORD(test_state(worker, pt, event))
        break;
    case TT_WAY_THREAD:
        TEST_WORD(event->thread == TT_NO_THREAD ? TT_VERDICT_NO : test_thread(worker, pt, event))
        break;
    default:
        TEST_WORD(test_one(worker, pt, (uint32_t)(event - worker->events)))
        break;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.*): a word has at least one event */
    out->may[word] = may >> (64 - count);
    out->must[word] = must >> (64 - count);
}

static void test_sparse(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                        uint32_t word, uint64_t need, struct tt_filter_bits *out)
{
    uint64_t may = 0, must = 0;
    while (need) {
        unsigned bit = tt_lowest_bit(need);
        unsigned verdict = test_one(worker, pt, word * 64 + bit);
        may |= tt_verdict_may(verdict) << bit;
        must |= tt_verdict_must(verdict) << bit;
        need &= need - 1;
    }
    out->may[word] = may;
    out->must[word] = must;
}

#define SPARSE_MOST 8u /* up to this number, tests one by one beat a loop over all 64 */

static void test_term(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                      const uint64_t *need, struct tt_filter_bits *out)
{
    for (uint32_t word = 0; word < worker->words; word++) {
        if (need[word] == 0) {
            out->may[word] = out->must[word] = 0;
        } else if (need[word] == UINT64_MAX ||
                   (pt->way <= TT_WAY_CPU && tt_bits_in(need[word]) > SPARSE_MOST)) {
            test_dense(worker, pt, word, out);
        } else {
            test_sparse(worker, pt, word, need[word], out);
        }
    }
}

/* ---- one block, the tree -------------------------------------------------------------------- */

static void test_node(struct tt_filter_worker *worker, uint32_t number, const uint64_t *need,
                      struct tt_filter_bits *out);

/* Evaluates an "and". Bits outside `need` are undefined; the caller masks them. */
static void test_all(struct tt_filter_worker *worker, const struct tt_plan_node *node,
                     const uint64_t *need, struct tt_filter_bits *out)
{
    struct tt_filter_bits part;
    bool first = true;
    memcpy(out->may, need, worker->words * sizeof *need);
    for (uint32_t child = node->child; child != TT_NO_NODE;
         child = worker->plan->nodes[child].next) {
        test_node(worker, child, out->may, &part);
        for (uint32_t word = 0; word < worker->words; word++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): test_node fills worker->words of them */
            out->may[word] &= part.may[word];
            out->must[word] = first ? part.must[word] : out->must[word] & part.must[word];
        }
        first = false;
    }
    for (uint32_t word = 0; word < worker->words; word++) {
        out->must[word] &= out->may[word];
    }
}

static void test_any(struct tt_filter_worker *worker, const struct tt_plan_node *node,
                     const uint64_t *need, struct tt_filter_bits *out)
{
    struct tt_filter_bits part;
    uint64_t open[TT_FILTER_WORDS];
    memset(out, 0, sizeof *out);
    memcpy(open, need, worker->words * sizeof *need);
    for (uint32_t child = node->child; child != TT_NO_NODE;
         child = worker->plan->nodes[child].next) {
        test_node(worker, child, open, &part);
        for (uint32_t word = 0; word < worker->words; word++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): test_node fills worker->words of them */
            out->may[word] |= part.may[word] & open[word];
            out->must[word] |= part.must[word] & open[word];
            open[word] &= ~out->must[word];
        }
    }
}

static void test_node(struct tt_filter_worker *worker, uint32_t number, const uint64_t *need,
                      struct tt_filter_bits *out)
{
    const struct tt_plan_node *node = &worker->plan->nodes[number];
    struct tt_filter_bits part;
    switch (node->kind) {
    case TT_NODE_TERM:
        test_term(worker, &worker->plan->terms[node->term], need, out);
        break;
    case TT_NODE_AND:
        test_all(worker, node, need, out);
        break;
    case TT_NODE_OR:
        test_any(worker, node, need, out);
        break;
    case TT_NODE_NOT:
        test_node(worker, node->child, need, &part);
        for (uint32_t word = 0; word < worker->words; word++) {
            out->may[word] = need[word] & ~part.must[word];
            out->must[word] = need[word] & ~part.may[word];
        }
        break;
    }
}

/* ---- worker ---------------------------------------------------------------------------------- */

/* Loads the current timelines; drops cached states of older ones. */
static void load_timelines(struct tt_filter_worker *worker)
{
    const struct tt_timelines *now = tt_trace_timelines(worker->plan->trace);
    uint32_t count = now ? tt_thread_count(worker->plan->capture) : 0;
    worker->lane_count = worker->lanes ? count : 0;
    if (now == worker->timelines && worker->settled) {
        return;
    }
    for (uint32_t i = 0; worker->lanes && i < TT_LANES_NOW; i++) {
        worker->lanes[i].states.count = 0;
    }
    worker->timelines = now;
    worker->settled = now && !tt_timelines_provisional(now);
}

void tt_filter_test(struct tt_filter_worker *worker, const struct tt_event *events, uint64_t row,
                    uint32_t count, uint64_t *bits)
{
    uint64_t need[TT_FILTER_WORDS] = {0};
    for (uint32_t word = 0; word * 64 < count; word++) {
        uint32_t rest = count - word * 64;
        need[word] = rest < 64 ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
    }
    tt_filter_test_some(worker, events, row, count, need, bits);
}

void tt_filter_test_some(struct tt_filter_worker *worker, const struct tt_event *events,
                         uint64_t row, uint32_t count, const uint64_t *need, uint64_t *bits)
{
    struct tt_filter_bits out;
    worker->events = events;
    worker->count = count;
    worker->words = (count + 63) / 64;
    if (count == 0) {
        return;
    }
    if (worker->plan->uses_timelines) {
        load_timelines(worker);
    }
    if (worker->plan->uses_number) {
        uint64_t number = tt_events_number(worker->reader, row);
        for (uint32_t i = 0; i < worker->count; i++) {
            worker->numbers[i] = number;
            number += !(worker->events[i].flags & TT_EVENT_DERIVED);
        }
    }
    tt_worker_drop_lines(worker);
    test_node(worker, worker->plan->filter->root, need, &out);
    for (uint32_t word = 0; word < worker->words; word++) {
        bits[word] = out.must[word] & need[word];
        worker->undecided += tt_bits_in(out.may[word] & ~out.must[word] & need[word]);
    }
}

struct tt_filter_worker *tt_filter_worker_new(const struct tt_filter_plan *plan,
                                              struct tt_events *events)
{
    struct tt_filter_worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        return NULL;
    }
    worker->plan = plan;
    worker->reader = events;
    worker->deciding.plan = plan;
    worker->deciding.tools = tt_regex_tools_new();
    if (plan->uses_timelines) {
        worker->lanes = calloc(TT_LANES_NOW, sizeof *worker->lanes);
    }
    if (!worker->deciding.tools || (plan->uses_timelines && !worker->lanes)) {
        tt_filter_worker_free(worker);
        return NULL;
    }
    return worker;
}

void tt_filter_worker_free(struct tt_filter_worker *worker)
{
    if (worker) {
        tt_regex_tools_free(worker->deciding.tools);
        tt_scratch_free(&worker->deciding.scratch);
        tt_scratch_free(&worker->lines);
        free(worker->lanes);
        free(worker);
    }
}

uint64_t tt_filter_worker_undecided(const struct tt_filter_worker *worker)
{
    return worker->undecided;
}

bool tt_filter_worker_truncated(const struct tt_filter_worker *worker)
{
    return worker->shrunk;
}

bool tt_filter_worker_failed(const struct tt_filter_worker *worker)
{
    return worker->failed || worker->deciding.failed;
}
