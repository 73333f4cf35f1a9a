/* SPDX-License-Identifier: Apache-2.0 */
/* plan: a filter for one trace: how each term is evaluated, in which order, and tables by value. */
#include "filter/plan.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tracetui/filter_types.h"

static enum tt_term_way way_of(enum tt_filter_field_id field)
{
    static const enum tt_term_way ways[TT_FIELD_COUNT] = {
        [TT_FIELD_LINE] = TT_WAY_LINE,      [TT_FIELD_TIME] = TT_WAY_TIME,
        [TT_FIELD_N] = TT_WAY_NUMBER,       [TT_FIELD_OFFSET] = TT_WAY_OFFSET,
        [TT_FIELD_CPU] = TT_WAY_CPU,        [TT_FIELD_PID] = TT_WAY_THREAD,
        [TT_FIELD_TID] = TT_WAY_THREAD,     [TT_FIELD_PROCESS] = TT_WAY_THREAD,
        [TT_FIELD_THREAD] = TT_WAY_THREAD,  [TT_FIELD_CLASS] = TT_WAY_TYPE,
        [TT_FIELD_EVENT] = TT_WAY_TYPE,     [TT_FIELD_KIND] = TT_WAY_KIND,
        [TT_FIELD_STATE] = TT_WAY_STATE,    [TT_FIELD_PRIORITY] = TT_WAY_PRIORITY,
        [TT_FIELD_DUR] = TT_WAY_DUR,        [TT_FIELD_ARG] = TT_WAY_ARG,
        [TT_FIELD_INFERRED] = TT_WAY_FLAG,  [TT_FIELD_DERIVED] = TT_WAY_FLAG,
        [TT_FIELD_MALFORMED] = TT_WAY_FLAG, [TT_FIELD_CAPTURE] = TT_WAY_CAPTURE,
    };
    return ways[field];
}

/* ---- order -------------------------------------------------------------------------------- */

/* Copies the nodes in order of cost; children precede their parents in the array. */
static void order_nodes(struct tt_filter_plan *plan)
{
    const struct tt_filter *filter = plan->filter;
    for (uint32_t i = 0; i < filter->node_count; i++) {
        const struct tt_filter_node *from = &filter->nodes[i];
        struct tt_plan_node *node = &plan->nodes[i];
        *node = (struct tt_plan_node){from->kind, TT_NO_NODE, TT_NO_NODE, from->term, 0};
        if (from->kind == TT_NODE_TERM) {
            node->cost = plan->terms[from->term].way;
        }
        for (uint32_t part = from->child; part != TT_NO_NODE; part = filter->nodes[part].next) {
            /*
             * Inserts node `part` among the children of `node`, after those of lower or equal cost.
             */
            struct tt_plan_node *nodes = plan->nodes;
            uint32_t *at = &node->child;
            while (*at != TT_NO_NODE && nodes[*at].cost <= nodes[part].cost) {
                at = &nodes[*at].next;
            }
            nodes[part].next = *at;
            *at = part;
            node->cost = nodes[part].cost > node->cost ? nodes[part].cost : node->cost;
        }
    }
}

/* ---- construction -------------------------------------------------------------------------- */

static bool plan_decide(struct tt_filter_plan *plan, struct tt_events *events,
                        struct tt_filter_error *error)
{
    struct tt_deciding d = {.plan = plan, .tools = tt_regex_tools_new()};
    bool good = d.tools != NULL;
    if (!good) {
        *error = tt_filter_error_memory();
    }
    for (uint32_t i = 0; good && i < plan->filter->term_count; i++) {
        good = tt_decide_term(&d, &plan->terms[i], events, error);
    }
    tt_scratch_free(&d.scratch);
    tt_regex_tools_free(d.tools);
    plan->first_ticks = tt_trace_progress(plan->trace).first_ticks;
    if (good && plan->line_terms > 0) {
        tt_line_names_free(plan->names);
        plan->names = tt_line_names_new(plan->capture);
    }
    return good;
}

/*
 * Returns a checksum of the plan's tables for the given numbers of threads and types, of its time
 * ranges, and of the names that lines contain.
 */
static uint64_t checksum_of(const struct tt_filter_plan *plan, uint32_t threads, uint32_t types)
{
    uint64_t sum = plan->line_terms > 0 ? plan->first_ticks : 0;
    for (uint32_t i = 0; i < plan->filter->term_count; i++) {
        const struct tt_plan_term *pt = &plan->terms[i];
        uint32_t count = pt->way == TT_WAY_THREAD ? threads : pt->way == TT_WAY_TYPE ? types : 0;
        if (count > 0) {
            sum = XXH3_64bits_withSeed(pt->verdicts, count, sum);
        }
        if (pt->ranges) {
            sum = XXH3_64bits_withSeed(pt->ranges, pt->term->span_count * sizeof *pt->ranges, sum);
        }
    }
    for (uint32_t thread = 0; thread < threads && plan->line_terms > 0; thread++) {
        char name[256];
        struct tt_text text = tt_text_of(name, sizeof name);
        tt_line_thread(&text, plan->capture, thread);
        sum = XXH3_64bits_withSeed(name, text.used, sum);
    }
    return sum;
}

/* Stores the checksum and the numbers it covers: names change, tables grow. */
static void store_sum(struct tt_filter_plan *plan)
{
    plan->threads = UINT32_MAX;
    plan->types = UINT32_MAX;
    for (uint32_t i = 0; i < plan->filter->term_count; i++) {
        const struct tt_plan_term *pt = &plan->terms[i];
        if (pt->way == TT_WAY_THREAD && pt->verdict_count < plan->threads) {
            plan->threads = pt->verdict_count;
        }
        if (pt->way == TT_WAY_TYPE && pt->verdict_count < plan->types) {
            plan->types = pt->verdict_count;
        }
    }
    if (plan->threads == UINT32_MAX) {
        plan->threads = tt_thread_count(plan->capture);
    }
    plan->sum = checksum_of(plan, plan->threads, plan->types);
}

bool tt_filter_plan_new(const struct tt_filter *filter, struct tt_trace *trace,
                        struct tt_events *events, struct tt_filter_plan **plan,
                        struct tt_filter_error *error)
{
    *plan = NULL;
    *error = (struct tt_filter_error){0, tt_ok()};
    struct tt_filter_plan *filter_plan = calloc(1, sizeof *filter_plan);
    if (!filter_plan) {
        *error = tt_filter_error_memory();
        return false;
    }
    filter_plan->filter = filter;
    filter_plan->trace = trace;
    filter_plan->capture = tt_trace_capture(trace);
    filter_plan->terms = calloc(filter->term_count, sizeof *filter_plan->terms);
    filter_plan->nodes = calloc(filter->node_count, sizeof *filter_plan->nodes);
    if (!filter_plan->terms || !filter_plan->nodes) {
        *error = tt_filter_error_memory();
        tt_filter_plan_free(filter_plan);
        return false;
    }

    for (uint32_t i = 0; i < filter_plan->filter->term_count; i++) {
        struct tt_plan_term *pt = &filter_plan->terms[i];
        pt->term = &filter_plan->filter->terms[i];
        pt->way = way_of(pt->term->field);
        filter_plan->line_terms += pt->way == TT_WAY_LINE;
        filter_plan->uses_number = filter_plan->uses_number || pt->way == TT_WAY_NUMBER;
        filter_plan->uses_timelines = filter_plan->uses_timelines || pt->way == TT_WAY_STATE ||
                                      pt->way == TT_WAY_DUR || pt->way == TT_WAY_PRIORITY;
    }

    order_nodes(filter_plan);
    if (!plan_decide(filter_plan, events, error)) {
        tt_filter_plan_free(filter_plan);
        return false;
    }
    store_sum(filter_plan);
    *plan = filter_plan;
    return true;
}

void tt_filter_plan_free(struct tt_filter_plan *plan)
{
    if (!plan) {
        return;
    }
    for (uint32_t i = 0; plan->terms && i < plan->filter->term_count; i++) {
        free(plan->terms[i].verdicts);
        free(plan->terms[i].ranges);
        free(plan->terms[i].threads_may);
        free(plan->terms[i].types_may);
    }
    tt_line_names_free(plan->names);
    free(plan->terms);
    free(plan->nodes);
    free(plan);
}

bool tt_filter_plan_extend(struct tt_filter_plan *plan, struct tt_events *events, bool *changed)
{
    struct tt_filter_error error;
    uint64_t before = plan->sum;
    uint64_t after = 0;
    bool good = plan_decide(plan, events, &error);
    *changed = true;
    if (good) {
        after = checksum_of(plan, plan->threads, plan->types);
        *changed = plan->uses_timelines || after != before;
        store_sum(plan);
    }
    return good;
}

/* ---- range of rows ------------------------------------------------------------------------- */

static void plan_narrow(const struct tt_plan_term *pt, struct tt_events *events, uint64_t *first,
                        uint64_t *end)
{
    if (pt->way != TT_WAY_TIME || pt->term->op == TT_OP_NE || pt->term->span_count != 1) {
        return;
    }
    const struct tt_plan_range *range = &pt->ranges[0];
    uint64_t from = tt_events_row_at_key(events, range->from_ticks, range->from_pos);
    *first = from > *first ? from : *first;
    if (range->to_ticks != UINT64_MAX) {
        uint64_t to = tt_events_row_at_key(events, range->to_ticks, range->to_pos);
        *end = to < *end ? to : *end;
    }
}

void tt_filter_plan_rows(const struct tt_filter_plan *plan, struct tt_events *events,
                         uint64_t *first, uint64_t *end)
{
    const struct tt_plan_node *root = &plan->nodes[plan->filter->root];
    *first = 0;
    *end = tt_events_rows(events);
    if (root->kind == TT_NODE_TERM) {
        plan_narrow(&plan->terms[root->term], events, first, end);
    } else if (root->kind == TT_NODE_AND) {
        for (uint32_t part = root->child; part != TT_NO_NODE; part = plan->nodes[part].next) {
            if (plan->nodes[part].kind == TT_NODE_TERM) {
                plan_narrow(&plan->terms[plan->nodes[part].term], events, first, end);
            }
        }
    }
    *first = *first < *end ? *first : *end;
}

/* ---- types --------------------------------------------------------------------------------- */

uint32_t tt_filter_plan_types(const struct tt_filter_plan *plan)
{
    return plan->types;
}

/*
 * Returns the verdict of a node for a type, and for a thread if `with_thread`: MAY where other terms
 * decide.
 */
static unsigned verdict_of_pair(const struct tt_filter_plan *plan, uint32_t number, uint32_t type,
                                uint32_t thread, bool with_thread)
{
    const struct tt_plan_node *node = &plan->nodes[number];
    const struct tt_plan_term *pt = &plan->terms[node->term];
    unsigned verdict = node->kind == TT_NODE_AND ? TT_VERDICT_YES : TT_VERDICT_NO;
    switch (node->kind) {
    case TT_NODE_TERM:
        if (pt->way == TT_WAY_THREAD && with_thread) {
            return thread == TT_NO_THREAD       ? TT_VERDICT_NO
                   : thread < pt->verdict_count ? pt->verdicts[thread]
                                                : TT_VERDICT_MAY;
        }
        return pt->way == TT_WAY_TYPE && type < pt->verdict_count ? pt->verdicts[type]
                                                                  : TT_VERDICT_MAY;
    case TT_NODE_NOT:
        verdict = verdict_of_pair(plan, node->child, type, thread, with_thread);
        return verdict == TT_VERDICT_NO    ? TT_VERDICT_YES
               : verdict == TT_VERDICT_YES ? TT_VERDICT_NO
                                           : TT_VERDICT_MAY;
    default:
        break;
    }
    /* NO, MAY and YES are sets of bits: their intersection and union are "and" and "or". */
    for (uint32_t child = node->child; child != TT_NO_NODE; child = plan->nodes[child].next) {
        unsigned part = verdict_of_pair(plan, child, type, thread, with_thread);
        verdict = node->kind == TT_NODE_AND ? verdict & part : verdict | part;
    }
    return verdict;
}

bool tt_filter_plan_may_be_type(const struct tt_filter_plan *plan, uint32_t type)
{
    return verdict_of_pair(plan, plan->filter->root, type, 0, false) != TT_VERDICT_NO;
}

enum tt_filter_match tt_filter_plan_match(const struct tt_filter_plan *plan, uint32_t type,
                                          uint32_t thread)
{
    unsigned verdict = verdict_of_pair(plan, plan->filter->root, type, thread, true);
    return verdict == TT_VERDICT_NO    ? TT_FILTER_NEVER
           : verdict == TT_VERDICT_YES ? TT_FILTER_ALWAYS
                                       : TT_FILTER_SOMETIMES;
}
