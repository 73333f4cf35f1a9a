/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_plan: a filter's nodes ordered by cost, with terms decided by value.
 *
 *      term        table                   lookup for an event
 *      thread ~    one byte per thread     verdicts[event.thread]
 *      event =     one byte per type       verdicts[event.type]
 *      cpu =       one byte per CPU        verdicts[event.cpu]
 *      state =     one byte per state and class, from the timelines
 *      time in     key ranges              [from, to) with the event's key
 *      dur >       ranges of ticks         [from, to)
 *
 * A verdict has two bits, `may` and `must`, so that not, and, or distinguish a regex that gave up
 * from one that did not match.
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

/* How a term is evaluated for an event, in order of cost. */
enum tt_term_way {
    TT_WAY_FLAG,
    TT_WAY_KIND,
    TT_WAY_TYPE,
    TT_WAY_THREAD,
    TT_WAY_CPU,
    TT_WAY_TIME,
    TT_WAY_NUMBER,
    TT_WAY_OFFSET,
    TT_WAY_CAPTURE,
    TT_WAY_STATE,
    TT_WAY_DUR,
    TT_WAY_PRIORITY,
    TT_WAY_ARG,
    TT_WAY_LINE,
};

/* A range [from, to) of keys, or of ticks (pos unused). */
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
    struct tt_plan_range *ranges; /* one per span */
    uint64_t kinds;               /* bits */
    uint8_t flag;                 /* bit of event.flags */
    bool wants_flag;
    /*
     * For a regex on the line: words that every match contains, and the threads and types whose
     * text may contain one.
     */
    struct tt_literals literals;
    uint8_t *threads_may; /* one byte per thread */
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
    struct tt_line_names *names; /* NULL: rendered for every line */
    uint64_t first_ticks;
    unsigned line_terms;
    bool uses_number;
    bool uses_timelines;
    /*
     * Numbers of threads and types that the checksum covers, and the checksum, to detect changes.
     */
    uint32_t threads;
    uint32_t types;
    uint64_t sum;
};

/* A text buffer that grows until the text fits. */
struct tt_scratch {
    char *buffer;
    size_t capacity;
};

bool tt_scratch_grow(struct tt_scratch *scratch);
void tt_scratch_free(struct tt_scratch *scratch);

/* Per-thread state for deciding. */
struct tt_deciding {
    const struct tt_filter_plan *plan;
    struct tt_regex_tools *tools;
    struct tt_scratch scratch;
    bool failed; /* out of memory */
};

/*
 * Return whether the operator of the term holds for a number or a text; the last one matches a
 * regex.
 */
bool tt_term_number(const struct tt_filter_term *term, const struct tt_number *number);
bool tt_term_text(const struct tt_filter_term *term, const char *text, size_t length,
                  bool ignore_case);
enum tt_verdict tt_term_regex(const struct tt_filter_term *term, struct tt_regex_tools *tools,
                              const char *text, size_t length);
/* Inverts the verdict for != and !~; the functions above ignore the negation. */
enum tt_verdict tt_term_negate(const struct tt_filter_term *term, enum tt_verdict verdict);

/*
 * Return whether a text of the term is a name of the thread or process: one that the fields thread
 * and process accept, numbers excepted.
 */
bool tt_is_thread_named(struct tt_deciding *deciding, const struct tt_filter_term *term,
                        uint32_t thread);
bool tt_is_process_named(struct tt_deciding *deciding, const struct tt_filter_term *term,
                         uint32_t process);

/* Return the verdict for a thread or a type from the capture's tables. */
enum tt_verdict tt_decide_thread(struct tt_deciding *deciding, const struct tt_filter_term *term,
                                 uint32_t thread);
enum tt_verdict tt_decide_type(struct tt_deciding *deciding, const struct tt_filter_term *term,
                               uint32_t type);

/*
 * Returns whether a line of the event can only match through its arguments; if false, the arguments
 * need no check for the words.
 */
static inline bool tt_term_asks_args(const struct tt_plan_term *pt, const struct tt_event *event)
{
    bool no_thread = event->thread == TT_NO_THREAD;
    return pt->literals.count > 0 && event->type < pt->types_may_count &&
           !pt->types_may[event->type] &&
           (no_thread ||
            (event->thread < pt->threads_may_count && !pt->threads_may[event->thread]));
}

/* Fills in the tables and ranges of a term. Returns false with *error. */
bool tt_decide_term(struct tt_deciding *deciding, struct tt_plan_term *pt, struct tt_events *events,
                    struct tt_filter_error *error);

#endif
