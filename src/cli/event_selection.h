/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_selection: the events of a capture that the command line selects: a range, threads, CPUs,
 * and matches of the filter.
 *
 * The arguments are resolved once. An event is then tested with two bits, and by the caller's
 * filter worker (tt_filter_test, with `plan`). The struct owns its members until
 * tt_event_selection_free. One thread.
 */
#ifndef TRACETUI_CLI_EVENT_SELECTION_H
#define TRACETUI_CLI_EVENT_SELECTION_H

#include "base/bits.h"
#include "cli/input.h"
#include "tracetui/filter.h"

struct tt_event_selection {
    uint64_t first_row; /* rows [first_row, end_row) */
    uint64_t end_row;
    struct tt_event from; /* the same range as keys; only ticks and pos are valid */
    struct tt_event to;
    bool from_begin;   /* no --from */
    bool to_end;       /* `to` does not limit the range */
    uint64_t *threads; /* one bit per thread; NULL: all, and events without a thread */
    uint32_t thread_count;
    const struct tt_cpu_set *cpus;
    struct tt_filter *filter; /* NULL: no --filter */
    struct tt_filter_plan *plan;
    bool resolve;                        /* print names beside arguments */
    bool with_names;                     /* --resolve or --symbols: names beside arguments */
    const struct tt_line_colors *colors; /* of the lines; NULL: none */
};

/* On failure nothing needs to be freed. */
struct tt_status tt_event_selection_make(const struct tt_options *options, struct tt_input *input,
                                         struct tt_event_selection *pick);
void tt_event_selection_free(struct tt_event_selection *pick);

/* Sets the range in ticks, as far as the timelines have it: [*from, *to). */
void tt_event_selection_times(const struct tt_event_selection *pick,
                              const struct tt_timelines *timelines, uint64_t *from, uint64_t *to);

/*
 * Tests all events with the filter, `plan`; counts those that are undecided, for the exit status. The
 * caller frees *matches, also after an error, if it was NULL before.
 */
struct tt_status tt_event_selection_find(const struct tt_event_selection *pick,
                                         struct tt_input *input, struct tt_filter_result **matches);

/* Checks the syntax of the filters; warns on standard error if one is ambiguous. */
struct tt_status tt_event_selection_check_filter(const struct tt_options *options);

/* Returns whether --cpu selects a CPU. */
static inline bool tt_event_selection_has_cpu(const struct tt_cpu_set *cpus, unsigned cpu)
{
    return tt_bit_selects(cpus->given ? cpus->bits : NULL, TT_CPU_LIMIT, cpu);
}

/* Returns whether an event of the range matches threads and CPUs. */
static inline bool tt_event_selection_matches(const struct tt_event_selection *pick,
                                              const struct tt_event *event)
{
    return tt_bit_selects(pick->threads, pick->thread_count, event->thread) &&
           tt_event_selection_has_cpu(pick->cpus, event->cpu);
}

/* Does the same for an event that may be outside the range. */
bool tt_event_selection_contains(const struct tt_event_selection *pick,
                                 const struct tt_event *event);

#endif
