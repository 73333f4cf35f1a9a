/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pick: which events of a capture the command line asks for: a range, some threads, some CPUs, and
 * what matches the filter.
 *
 * The words are looked up once; what is asked an event is then two bits, and the filter's worker of
 * whoever asks (tt_filter_test, against `plan`). What is here belongs to the struct until
 * tt_event_selection_free. One thread.
 */
#ifndef TRACETUI_CLI_EVENT_SELECTION_H
#define TRACETUI_CLI_EVENT_SELECTION_H

#include "cli/input.h"
#include "tracetui/filter.h"

struct tt_event_selection {
    uint64_t first_row; /* rows [first_row, end_row) */
    uint64_t end_row;
    struct tt_event from; /* the same range as keys: ticks and pos of these are good */
    struct tt_event to;
    bool to_end;       /* `to` holds nothing back */
    uint64_t *threads; /* a bit a thread; NULL: all, and events of no thread too */
    uint32_t thread_count;
    const struct tt_cpu_set *cpus;
    struct tt_filter *filter; /* NULL: none was given */
    struct tt_filter_plan *plan;
};

/* On failure there is nothing to free. */
struct tt_status tt_event_selection_make(const struct tt_options *options, struct tt_input *input,
                                         struct tt_event_selection *pick);
void tt_event_selection_free(struct tt_event_selection *pick);

/*
 * Is the filter a filter? Says on standard error where it is one that may not be meant as it will
 * be read.
 */
struct tt_status tt_event_selection_check_filter(const struct tt_options *options);

/* Is an event of the range wanted? */
static inline bool tt_event_selection_matches(const struct tt_event_selection *pick,
                                              const struct tt_event *event)
{
    if (pick->threads && (event->thread >= pick->thread_count ||
                          !(pick->threads[event->thread / 64] >> (event->thread % 64) & 1u))) {
        return false;
    }
    return !pick->cpus->given || (event->cpu < TT_CPU_LIMIT &&
                                  (pick->cpus->bits[event->cpu / 64] >> (event->cpu % 64) & 1u));
}

/* The same for an event that may lie outside of the range. */
bool tt_event_selection_contains(const struct tt_event_selection *pick,
                                 const struct tt_event *event);

#endif
