/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_plan: a filter's nodes in the order of what they cost, and what was decided by value.
 *
 *      term        table               an event asks
 *      thread ~    a byte a thread     verdicts[event.thread]
 *      event =     a byte a type       verdicts[event.type]
 *      cpu =       a byte a CPU        verdicts[event.cpu]
 *      state =     a byte a state and class, found by the timelines
 *      time in     key ranges          [from, to) with the event's key
 *      dur >       ranges of ticks     [from, to)
 *
 * A verdict is two bits, so that a regex that gave up is told apart from one that did not match,
 * through not, and, or: `may` and `must`.
 */
#ifndef TRACETUI_FILTER_PLAN_H
#define TRACETUI_FILTER_PLAN_H

#include "filter/filter_internal.h"
#include "filter/literal.h"
#include "tracetui/event_line.h"

enum tt_verdict { TT_VERDICT_NO = 0, TT_VERDICT_MAY = 1, TT_VERDICT_YES = 3 };

static inline uint64_t tt_verdict_may(unsigned verdict)
{
    return verdict & 1u;
}

static inline uint64_t tt_verdict_must(unsigned verdict)
{
    return verdict >> 1;
}

/* How a term is told of an event; the order is that of the cost. */
enum tt_term_way {
    TT_WAY_FLAG,
    TT_WAY_KIND,
    TT_WAY_TYPE,
    TT_WAY_THREAD,
    TT_WAY_CPU,
    TT_WAY_TIME,
    TT_WAY_NUMBER,
    TT_WAY_OFFSET,
    TT_WAY_STATE,
    TT_WAY_DUR,
    TT_WAY_PRIORITY,
    TT_WAY_ARG,
    TT_WAY_LINE,
};

/* [from, to): of keys, or of ticks (pos then unused). */
struct tt_plan_range {
    uint64_t from_ticks;
    uint64_t from_pos;
    uint64_t to_ticks;
    uint64_t to_pos;
};

struct tt_plan_term {
    const struct tt_filter_term *term;
    enum tt_term_way way;
    uint8_t *verdicts;
    uint32_t verdict_count;
    struct tt_plan_range *ranges; /* one for each span */
    uint64_t kinds;               /* bits */
    uint8_t flag;                 /* of event.flags */
    bool wants_flag;
    /* Of a regex on the line: words that a match has, and who may have them. */
    struct tt_literals literals;
    uint8_t *threads_may; /* a byte a thread: its text may have one */
    uint32_t threads_may_count;
    uint8_t *types_may;
    uint32_t types_may_count;
};

struct tt_plan_node {
    enum tt_filter_node_kind kind;
    uint32_t child;
    uint32_t next;
    uint32_t term;
    unsigned cost;
};

struct tt_filter_plan {
    const struct tt_filter *filter;
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_plan_term *terms;
    struct tt_plan_node *nodes;
    struct tt_line_names *names; /* NULL: rendered each time */
    uint64_t first_ticks;
    unsigned line_terms;
    bool uses_number;
    bool uses_timelines;
    /* What was told of so many threads and types, to see whether it changes. */
    uint32_t threads;
    uint32_t types;
    uint64_t sum;
};

/* A text that grows until what is written into it fits. */
struct tt_scratch {
    char *buffer;
    size_t capacity;
};

bool tt_scratch_grow(struct tt_scratch *scratch);
void tt_scratch_free(struct tt_scratch *scratch);

/* What deciding needs of one thread. */
struct tt_deciding {
    const struct tt_filter_plan *plan;
    struct tt_regex_tools *tools;
    struct tt_scratch scratch;
    bool failed; /* out of memory */
};

/* Does what the operator says hold for a number, a text, a regex on a text? */
bool tt_term_number(const struct tt_filter_term *term, const struct tt_number *number);
bool tt_term_text(const struct tt_filter_term *term, const char *text, size_t length,
                  bool ignore_case);
enum tt_verdict tt_term_regex(const struct tt_filter_term *term, struct tt_regex_tools *tools,
                              const char *text, size_t length);
/* The same turned round for != and !~, where the term is only about what is there. */
enum tt_verdict tt_term_turned(const struct tt_filter_term *term, enum tt_verdict verdict);

/* The verdict on a thread or a type, from the tables of the capture. */
enum tt_verdict tt_decide_thread(struct tt_deciding *d, const struct tt_filter_term *term,
                                 uint32_t thread);
enum tt_verdict tt_decide_type(struct tt_deciding *d, const struct tt_filter_term *term,
                               uint32_t type);

/* Can no line of the event but by its arguments match the term? False: they are not to be asked. */
static inline bool tt_term_asks_args(const struct tt_plan_term *pt, const struct tt_event *event)
{
    bool nobody = event->thread == TT_NO_THREAD;
    return pt->literals.count > 0 && event->type < pt->types_may_count &&
           !pt->types_may[event->type] &&
           (nobody || (event->thread < pt->threads_may_count && !pt->threads_may[event->thread]));
}

/* Fills the tables and ranges of a term. */
bool tt_decide_term(struct tt_deciding *d, struct tt_plan_term *pt, struct tt_events *events,
                    struct tt_filter_error *error);

#endif
