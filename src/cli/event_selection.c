/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/event_selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/event_line.h"

#define WHOLE 1000000000 /* 100 % in units of tt_time_spec */

/* ---- threads ------------------------------------------------------------------------------ */

/* A part of a --thread word: a number, a name, or both. */
struct word {
    const char *text;
    size_t length;
    bool is_number;
    uint64_t number;
};

static struct word word_of(const char *text, size_t length)
{
    struct word w = {text, length, false, 0};
    char digits[32];
    if (length > 0 && length < sizeof digits && text[0] >= '0' && text[0] <= '9') {
        memcpy(digits, text, length);
        digits[length] = '\0';
        char *end;
        errno = 0;
        w.number = strtoull(digits, &end, 0);
        w.is_number = *end == '\0' && errno == 0;
    }
    return w;
}

static bool word_is_name(const struct word *w, const struct tt_capture *c, tt_string name)
{
    size_t length;
    const char *text = tt_capture_text(c, name, &length);
    return name != 0 && length == w->length && memcmp(text, w->text, length) == 0;
}

/* By number, path or base name. */
static bool is_process(const struct word *w, const struct tt_capture *c, uint32_t process)
{
    const struct tt_process *p = tt_process_at(c, process);
    size_t length;
    const char *base = tt_process_base_name(c, p, &length);
    return (w->is_number && w->number == p->pid) ||
           (length > 0 && length == w->length && memcmp(base, w->text, length) == 0) ||
           word_is_name(w, c, atomic_load_explicit(&p->name, memory_order_acquire));
}

static bool is_thread(const struct word *w, const struct tt_capture *c, const struct tt_thread *t)
{
    return (w->is_number && w->number == t->tid) ||
           word_is_name(w, c, atomic_load_explicit(&t->name, memory_order_acquire));
}

/* As in the thread column, or with the path of the process. */
static bool is_shown_as(const char *text, const struct tt_capture *c, uint32_t thread)
{
    char buffer[1024];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&shown, c, thread);
    if (strcmp(tt_text_cstr(&shown), text) == 0) {
        return true;
    }
    shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread_path(&shown, c, thread);
    return strcmp(tt_text_cstr(&shown), text) == 0;
}

bool tt_word_names_thread(const char *text, const struct tt_capture *c, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(c, thread);
    struct word whole = word_of(text, strlen(text));
    if (is_process(&whole, c, t->process) ||
        word_is_name(&whole, c, atomic_load_explicit(&t->name, memory_order_acquire)) ||
        is_shown_as(text, c, thread)) {
        return true;
    }
    const char *slash = strrchr(text, '/');
    if (!slash) {
        return tt_process_count(c) == 1 && is_thread(&whole, c, t);
    }
    struct word process = word_of(text, (size_t)(slash - text));
    struct word member = word_of(slash + 1, strlen(slash + 1));
    return is_process(&process, c, t->process) && is_thread(&member, c, t);
}

static struct tt_status pick_threads(const struct tt_text_list *words, const struct tt_capture *c,
                                     struct tt_event_selection *pick)
{
    pick->thread_count = tt_thread_count(c);
    pick->threads = calloc(pick->thread_count / 64 + 1, sizeof *pick->threads);
    if (!pick->threads) {
        return tt_error_memory();
    }
    for (int i = 0; i < words->count; i++) {
        bool found = false;
        for (uint32_t thread = 0; thread < pick->thread_count; thread++) {
            if (tt_word_names_thread(words->v[i], c, thread)) {
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
    if (options->from.kind != TT_TIME_SPEC_NONE) {
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
        first = cpus->bits[cpu / 64] >> (cpu % 64) & 1u ? cpu : first;
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
    error = tt_filter_ambiguity(filter);
    if (tt_failed(&error.status)) {
        struct tt_status note = tt_error(TT_ERR_USAGE, "%s: parsed as one regex, not as terms: %s",
                                         option, error.status.text);
        tt_message_error(NULL, &note);
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

void tt_event_selection_free(struct tt_event_selection *pick)
{
    free(pick->threads);
    tt_filter_plan_free(pick->plan);
    tt_filter_free(pick->filter);
    pick->threads = NULL;
    pick->plan = NULL;
    pick->filter = NULL;
}

bool tt_event_selection_contains(const struct tt_event_selection *pick,
                                 const struct tt_event *event)
{
    return tt_event_compare(event, &pick->from) >= 0 &&
           (pick->to_end || tt_event_compare(event, &pick->to) < 0) &&
           tt_event_selection_matches(pick, event);
}
