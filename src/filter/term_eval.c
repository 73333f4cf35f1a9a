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
static bool find_state(struct tt_filter_worker *w, struct tt_lane_now *lane, uint32_t thread,
                       uint64_t ticks)
{
    struct tt_states *s = &lane->states;
    s->count = lane->thread == thread ? s->count : 0;
    lane->thread = thread;
    lane->now = 0;
    if ((s->count == 0 || ticks < s->base || ticks >= s->end) &&
        !tt_states_at(w->timelines, thread, ticks, s)) {
        return false;
    }
    for (uint32_t left = s->count; left > 1; left -= left / 2) {
        uint32_t middle = lane->now + left / 2;
        lane->now = s->start[middle] <= ticks - s->base ? middle : lane->now;
    }
    return true;
}

/*
 * Returns the lane of the event's thread, positioned at the event's time; NULL if the state is
 * unknown.
 */
static const struct tt_lane_now *state_of(struct tt_filter_worker *w, const struct tt_event *event)
{
    if (event->thread >= w->lane_count) {
        return NULL;
    }
    struct tt_lane_now *lane = &w->lanes[event->thread % TT_LANES_NOW];
    const struct tt_states *s = &lane->states;
    uint64_t offset = event->ticks - s->base;
    if (lane->thread != event->thread || s->count == 0 || event->ticks >= s->end ||
        event->ticks < s->base || offset < s->start[lane->now]) {
        return find_state(w, lane, event->thread, event->ticks) ? lane : NULL;
    }
    /* Events arrive in time order. */
    while (lane->now + 1 < s->count && s->start[lane->now + 1] <= offset) {
        lane->now++;
    }
    return lane;
}

static unsigned test_state(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                           const struct tt_event *event)
{
    const struct tt_lane_now *lane = state_of(w, event);
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
        const struct tt_plan_range *r = &pt->ranges[i];
        bool from = ticks != r->from_ticks ? ticks > r->from_ticks : pos >= r->from_pos;
        bool to = ticks != r->to_ticks ? ticks < r->to_ticks : pos < r->to_pos;
        if (from && to) {
            return true;
        }
    }
    return false;
}

static unsigned test_duration(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                              const struct tt_event *event)
{
    const struct tt_lane_now *lane = changes_state(event->kind) ? state_of(w, event) : NULL;
    const struct tt_states *s = lane ? &lane->states : NULL;
    if (!s || s->what[lane->now] == TT_STATES_ENDED ||
        s->base + s->start[lane->now] != event->ticks) {
        return TT_VERDICT_NO;
    }
    uint32_t next = lane->now + 1;
    uint64_t end = next < s->count ? s->base + s->start[next] : s->end;
    bool in = in_ranges(pt, end - event->ticks, 0);
    return in != (pt->term->op == TT_OP_NE) ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static unsigned verdict_of_number(const struct tt_filter_term *term, struct tt_number number)
{
    return tt_term_negate(term, tt_term_number(term, &number) ? TT_VERDICT_YES : TT_VERDICT_NO);
}

static unsigned test_priority(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                              const struct tt_event *event)
{
    if (!w->timelines || event->thread >= w->lane_count) {
        return TT_VERDICT_NO;
    }
    int priority = tt_thread_priority(w->timelines, event->thread, event->ticks);
    return priority == TT_NO_PRIORITY ? TT_VERDICT_NO
                                      : verdict_of_number(pt->term, tt_number_of_i64(priority));
}

/* ---- one event, one term -------------------------------------------------------------------- */

static unsigned test_thread(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                            const struct tt_event *event)
{
    return event->thread < pt->verdict_count
               ? pt->verdicts[event->thread]
               : tt_decide_thread(&w->deciding, pt->term, event->thread);
}

static unsigned test_type(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                          const struct tt_event *event)
{
    return event->type < pt->verdict_count ? pt->verdicts[event->type]
                                           : tt_decide_type(&w->deciding, pt->term, event->type);
}

static unsigned test_time(const struct tt_plan_term *pt, const struct tt_event *event)
{
    bool in = in_ranges(pt, event->ticks, event->pos);
    return in != (pt->term->op == TT_OP_NE) ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static unsigned test_number(struct tt_filter_worker *w, const struct tt_plan_term *pt, uint32_t i)
{
    if (w->events[i].flags & TT_EVENT_DERIVED) {
        return TT_VERDICT_NO; /* derived events have no number */
    }
    return verdict_of_number(pt->term, tt_number_of_u64(w->numbers[i]));
}

static unsigned test_one(struct tt_filter_worker *w, const struct tt_plan_term *pt, uint32_t i)
{
    const struct tt_event *event = &w->events[i];
    switch (pt->way) {
    case TT_WAY_TIME:
        return test_time(pt, event);
    case TT_WAY_NUMBER:
        return test_number(w, pt, i);
    case TT_WAY_OFFSET:
        return verdict_of_number(pt->term,
                                 tt_number_of_u64(tt_merge_offset(w->plan->capture, event->pos)));
    case TT_WAY_CAPTURE:
        return pt->verdict_count == 0
                   ? TT_VERDICT_NO
                   : pt->verdicts[tt_merge_at(w->plan->capture->merge, event->pos)];
    case TT_WAY_STATE:
        return test_state(w, pt, event);
    case TT_WAY_DUR:
        return test_duration(w, pt, event);
    case TT_WAY_PRIORITY:
        return test_priority(w, pt, event);
    case TT_WAY_ARG:
        return tt_worker_test_arg(w, pt->term, event);
    case TT_WAY_LINE:
        return tt_worker_test_line(w, pt, i);
    case TT_WAY_FLAG:
        return (event->flags & pt->flag) == 0 ? pt->wants_flag ? TT_VERDICT_NO : TT_VERDICT_YES
               : pt->wants_flag               ? TT_VERDICT_YES
                                              : TT_VERDICT_NO;
    case TT_WAY_KIND:
        return pt->kinds >> event->kind & 1u ? TT_VERDICT_YES : TT_VERDICT_NO;
    case TT_WAY_CPU:
        return event->cpu < pt->verdict_count ? pt->verdicts[event->cpu] : TT_VERDICT_NO;
    case TT_WAY_TYPE:
        return test_type(w, pt, event);
    case TT_WAY_THREAD:
        return test_thread(w, pt, event);
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

static void test_dense(struct tt_filter_worker *w, const struct tt_plan_term *pt, uint32_t word,
                       struct tt_filter_bits *out)
{
    const struct tt_event *events = w->events + (size_t)word * 64;
    uint32_t count = w->count - word * 64 < 64 ? w->count - word * 64 : 64;
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
        TEST_WORD(test_type(w, pt, event))
        break;
    case TT_WAY_STATE:
        TEST_WORD(test_state(w, pt, event))
        break;
    case TT_WAY_THREAD:
        TEST_WORD(event->thread == TT_NO_THREAD ? TT_VERDICT_NO : test_thread(w, pt, event))
        break;
    default:
        TEST_WORD(test_one(w, pt, (uint32_t)(event - w->events)))
        break;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.*): a word has at least one event */
    out->may[word] = may >> (64 - count);
    out->must[word] = must >> (64 - count);
}

static void test_sparse(struct tt_filter_worker *w, const struct tt_plan_term *pt, uint32_t word,
                        uint64_t need, struct tt_filter_bits *out)
{
    uint64_t may = 0, must = 0;
    while (need) {
        unsigned bit = tt_lowest_bit(need);
        unsigned verdict = test_one(w, pt, word * 64 + bit);
        may |= tt_verdict_may(verdict) << bit;
        must |= tt_verdict_must(verdict) << bit;
        need &= need - 1;
    }
    out->may[word] = may;
    out->must[word] = must;
}

#define SPARSE_MOST 8u /* up to this number, tests one by one beat a loop over all 64 */

static void test_term(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                      const uint64_t *need, struct tt_filter_bits *out)
{
    for (uint32_t word = 0; word < w->words; word++) {
        if (need[word] == 0) {
            out->may[word] = out->must[word] = 0;
        } else if (need[word] == UINT64_MAX ||
                   (pt->way <= TT_WAY_CPU && tt_bits_in(need[word]) > SPARSE_MOST)) {
            test_dense(w, pt, word, out);
        } else {
            test_sparse(w, pt, word, need[word], out);
        }
    }
}

/* ---- one block, the tree -------------------------------------------------------------------- */

static void test_node(struct tt_filter_worker *w, uint32_t number, const uint64_t *need,
                      struct tt_filter_bits *out);

/* Evaluates an "and". Bits outside `need` are undefined; the caller masks them. */
static void test_all(struct tt_filter_worker *w, const struct tt_plan_node *node,
                     const uint64_t *need, struct tt_filter_bits *out)
{
    struct tt_filter_bits part;
    bool first = true;
    memcpy(out->may, need, w->words * sizeof *need);
    for (uint32_t child = node->child; child != TT_NO_NODE; child = w->plan->nodes[child].next) {
        test_node(w, child, out->may, &part);
        for (uint32_t word = 0; word < w->words; word++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): test_node fills w->words of them */
            out->may[word] &= part.may[word];
            out->must[word] = first ? part.must[word] : out->must[word] & part.must[word];
        }
        first = false;
    }
    for (uint32_t word = 0; word < w->words; word++) {
        out->must[word] &= out->may[word];
    }
}

static void test_any(struct tt_filter_worker *w, const struct tt_plan_node *node,
                     const uint64_t *need, struct tt_filter_bits *out)
{
    struct tt_filter_bits part;
    uint64_t open[TT_FILTER_WORDS];
    memset(out, 0, sizeof *out);
    memcpy(open, need, w->words * sizeof *need);
    for (uint32_t child = node->child; child != TT_NO_NODE; child = w->plan->nodes[child].next) {
        test_node(w, child, open, &part);
        for (uint32_t word = 0; word < w->words; word++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): test_node fills w->words of them */
            out->may[word] |= part.may[word] & open[word];
            out->must[word] |= part.must[word] & open[word];
            open[word] &= ~out->must[word];
        }
    }
}

static void test_node(struct tt_filter_worker *w, uint32_t number, const uint64_t *need,
                      struct tt_filter_bits *out)
{
    const struct tt_plan_node *node = &w->plan->nodes[number];
    struct tt_filter_bits part;
    switch (node->kind) {
    case TT_NODE_TERM:
        test_term(w, &w->plan->terms[node->term], need, out);
        break;
    case TT_NODE_AND:
        test_all(w, node, need, out);
        break;
    case TT_NODE_OR:
        test_any(w, node, need, out);
        break;
    case TT_NODE_NOT:
        test_node(w, node->child, need, &part);
        for (uint32_t word = 0; word < w->words; word++) {
            out->may[word] = need[word] & ~part.must[word];
            out->must[word] = need[word] & ~part.may[word];
        }
        break;
    }
}

/* ---- worker ---------------------------------------------------------------------------------- */

/* Loads the current timelines; drops cached states of older ones. */
static void load_timelines(struct tt_filter_worker *w)
{
    const struct tt_timelines *now = tt_trace_timelines(w->plan->trace);
    uint32_t count = now ? tt_thread_count(w->plan->capture) : 0;
    w->lane_count = w->lanes ? count : 0;
    if (now == w->timelines && w->settled) {
        return;
    }
    for (uint32_t i = 0; w->lanes && i < TT_LANES_NOW; i++) {
        w->lanes[i].states.count = 0;
    }
    w->timelines = now;
    w->settled = now && !tt_timelines_provisional(now);
}

static void number_events(struct tt_filter_worker *w, uint64_t row)
{
    uint64_t number = tt_events_number(w->reader, row);
    for (uint32_t i = 0; i < w->count; i++) {
        w->numbers[i] = number;
        number += !(w->events[i].flags & TT_EVENT_DERIVED);
    }
}

void tt_filter_test(struct tt_filter_worker *w, const struct tt_event *events, uint64_t row,
                    uint32_t count, uint64_t *bits)
{
    uint64_t need[TT_FILTER_WORDS] = {0};
    for (uint32_t word = 0; word * 64 < count; word++) {
        uint32_t rest = count - word * 64;
        need[word] = rest < 64 ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
    }
    tt_filter_test_some(w, events, row, count, need, bits);
}

void tt_filter_test_some(struct tt_filter_worker *w, const struct tt_event *events, uint64_t row,
                         uint32_t count, const uint64_t *need, uint64_t *bits)
{
    struct tt_filter_bits out;
    w->events = events;
    w->count = count;
    w->words = (count + 63) / 64;
    if (count == 0) {
        return;
    }
    if (w->plan->uses_timelines) {
        load_timelines(w);
    }
    if (w->plan->uses_number) {
        number_events(w, row);
    }
    tt_worker_drop_lines(w);
    test_node(w, w->plan->filter->root, need, &out);
    for (uint32_t word = 0; word < w->words; word++) {
        bits[word] = out.must[word] & need[word];
        w->undecided += tt_bits_in(out.may[word] & ~out.must[word] & need[word]);
    }
}

struct tt_filter_worker *tt_filter_worker_new(const struct tt_filter_plan *plan,
                                              struct tt_events *events)
{
    struct tt_filter_worker *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->plan = plan;
    w->reader = events;
    w->deciding.plan = plan;
    w->deciding.tools = tt_regex_tools_new();
    if (plan->uses_timelines) {
        w->lanes = calloc(TT_LANES_NOW, sizeof *w->lanes);
    }
    if (!w->deciding.tools || (plan->uses_timelines && !w->lanes)) {
        tt_filter_worker_free(w);
        return NULL;
    }
    return w;
}

void tt_filter_worker_free(struct tt_filter_worker *w)
{
    if (w) {
        tt_regex_tools_free(w->deciding.tools);
        tt_scratch_free(&w->deciding.scratch);
        tt_scratch_free(&w->lines);
        free(w->lanes);
        free(w);
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
