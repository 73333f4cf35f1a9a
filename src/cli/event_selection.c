/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/event_selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "filter/thread_word.h"
#include "tracetui/event_line.h"

#define WHOLE 1000000000 /* 100 % in units of tt_time_spec */

/* ---- threads ------------------------------------------------------------------------------ */

static struct tt_status pick_threads(const struct tt_text_list *words,
                                     const struct tt_capture *capture,
                                     struct tt_event_selection *pick)
{
    pick->thread_count = tt_thread_count(capture);
    pick->threads = calloc(pick->thread_count / 64 + 1, sizeof *pick->threads);
    if (!pick->threads) {
        return tt_error_memory();
    }
    for (int i = 0; i < words->count; i++) {
        bool found = false;
        for (uint32_t thread = 0; thread < pick->thread_count; thread++) {
            if (tt_word_names_thread(words->v[i], capture, thread)) {
                pick->threads[thread / 64] |= UINT64_C(1) << (thread % 64);
                found = true;
            }
        }
        if (!found) {
            return tt_error(TT_ERR_USAGE, "--thread: no thread '%.80s' in the capture",
                            words->v[i]);
        }
    }
    return tt_ok();
}

/* ---- the range ---------------------------------------------------------------------------- */

static struct tt_status pick_range(const struct tt_options *options, struct tt_input *input,
                                   struct tt_event_selection *pick)
{
    struct tt_status status = tt_ok();
    pick->end_row = tt_events_rows(input->events);
    pick->to_end = options->to.kind == TT_TIME_SPEC_NONE ||
                   (options->to.kind == TT_TIME_SPEC_PART && options->to.value == WHOLE);
    pick->from_begin = options->from.kind == TT_TIME_SPEC_NONE;
    if (!pick->from_begin) {
        status = tt_time_spec_resolve(&options->from, input->trace, input->events,
                                      &pick->from.ticks, &pick->from.pos);
        if (tt_failed(&status)) {
            return tt_status_context(status, "--from");
        }
        pick->first_row = tt_events_row_at_key(input->events, pick->from.ticks, pick->from.pos);
    }
    if (!pick->to_end) {
        status = tt_time_spec_resolve(&options->to, input->trace, input->events, &pick->to.ticks,
                                      &pick->to.pos);
        if (tt_failed(&status)) {
            return tt_status_context(status, "--to");
        }
        pick->end_row = tt_events_row_at_key(input->events, pick->to.ticks, pick->to.pos);
    }
    if (!options->follow && !pick->to_end && tt_event_compare(&pick->from, &pick->to) > 0) {
        return tt_error(TT_ERR_USAGE, "--to: the range ends before it begins");
    }
    return status;
}

/* Fails if none of the CPUs of --cpu is in the capture. A capture that grows may get more. */
static struct tt_status check_cpus(const struct tt_options *options, const struct tt_input *input)
{
    const struct tt_cpu_set *cpus = &options->cpus;
    unsigned count = input->capture->cpu_count, first = TT_CPU_LIMIT;
    for (unsigned cpu = TT_CPU_LIMIT; cpu-- > 0;) {
        first = tt_bit_at(cpus->bits, cpu) ? cpu : first;
    }
    if (!cpus->given || first < count || options->follow) {
        return tt_ok();
    }
    return count == 1
               ? tt_error(TT_ERR_USAGE, "--cpu: no CPU %u in the capture: it has CPU 0", first)
               : tt_error(TT_ERR_USAGE, "--cpu: no CPU %u in the capture: it has 0 to %u", first,
                          count - 1);
}

/* ---- the filter --------------------------------------------------------------------------- */

static struct tt_status check_filter(const char *text, const char *option)
{
    struct tt_filter *filter;
    struct tt_filter_error error;
    if (!text) {
        return tt_ok();
    }
    if (!tt_filter_parse(text, &filter, &error)) {
        return tt_status_context(error.status, option);
    }
    tt_filter_free(filter);
    return tt_ok();
}

/* Parses the filters before any file is opened: a syntax error applies to all of them. */
struct tt_status tt_event_selection_check_filter(const struct tt_options *options)
{
    struct tt_status status = check_filter(options->filter, "--filter");
    if (!tt_failed(&status)) {
        status = check_filter(options->begin, "--begin");
    }
    return tt_failed(&status) ? status : check_filter(options->end, "--end");
}

static struct tt_status pick_filter(const char *text, struct tt_input *input,
                                    struct tt_event_selection *pick)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &pick->filter, &error) ||
        !tt_filter_plan_new(pick->filter, input->trace, input->events, &pick->plan, &error)) {
        return tt_status_context(error.status, "--filter");
    }
    uint64_t first, end;
    tt_filter_plan_rows(pick->plan, input->events, &first, &end);
    pick->first_row = first > pick->first_row ? first : pick->first_row;
    pick->end_row = end < pick->end_row ? end : pick->end_row;
    return tt_ok();
}

struct tt_status tt_event_selection_make(const struct tt_options *options, struct tt_input *input,
                                         struct tt_event_selection *pick)
{
    memset(pick, 0, sizeof *pick);
    pick->cpus = &options->cpus;
    pick->resolve = options->resolve;
    pick->with_names = options->resolve || options->symbols.count > 0;
    pick->colors = options->colors;
    struct tt_status status = pick_range(options, input, pick);
    if (!tt_failed(&status)) {
        status = check_cpus(options, input);
    }
    if (!tt_failed(&status) && options->threads.count > 0) {
        status = pick_threads(&options->threads, input->capture, pick);
    }
    if (!tt_failed(&status) && options->filter) {
        status = pick_filter(options->filter, input, pick);
    }
    if (tt_failed(&status)) {
        tt_event_selection_free(pick);
    }
    return status;
}

void tt_event_selection_times(const struct tt_event_selection *pick,
                              const struct tt_timelines *timelines, uint64_t *from, uint64_t *to)
{
    *from = pick->from_begin ? tt_timelines_begin(timelines) : pick->from.ticks;
    *to = pick->to_end ? tt_timelines_limit(timelines) : pick->to.ticks;
}

void tt_event_selection_free(struct tt_event_selection *pick)
{
    free(pick->threads);
    tt_filter_plan_free(pick->plan);
    tt_filter_free(pick->filter);
    pick->threads = NULL;
    pick->plan = NULL;
    pick->filter = NULL;
}

struct tt_status tt_event_selection_find(const struct tt_event_selection *pick,
                                         struct tt_input *input, struct tt_filter_result **matches)
{
    struct tt_status status = tt_filter_start(pick->plan, 0, NULL, NULL, matches);
    if (!tt_failed(&status)) {
        status = tt_filter_wait(*matches);
        input->undecided += tt_filter_result_undecided(*matches);
        input->shrunk |= tt_filter_result_truncated(*matches);
    }
    return status;
}

bool tt_event_selection_contains(const struct tt_event_selection *pick,
                                 const struct tt_event *event)
{
    return tt_event_compare(event, &pick->from) >= 0 &&
           (pick->to_end || tt_event_compare(event, &pick->to) < 0) &&
           tt_event_selection_matches(pick, event);
}
