/* SPDX-License-Identifier: Apache-2.0 */
/* why: selects the intervals to explain. */
#include "cli/reports/why.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/blame.h"
#include "analysis/missing.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/heap.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/job_rules.h"
#include "cli/reports/why_print.h"
#include "tracetui/jobs.h"
#include "tracetui/messages.h"

#define WORST_DEFAULT 5u

/* One run of the command on one file. */
struct why {
    const struct tt_options *options;
    struct tt_input *input;
    struct tt_output *out;
    struct tt_wakes *wakes;
    const struct tt_timelines *timelines;
    struct tt_event_selection pick;
    struct tt_why_scene scene;
    bool jsonl;
    bool unknown; /* a wake that was printed is unknown */
    struct tt_explanation explanation;
    uint64_t from, to;
    tt_why_use *use; /* NULL: prints */
    void *use_arg;
};

static const char *const worst_words[] = {
#define X(id, word) word,
    TT_WORST_INFO(X)
#undef X
};

static bool why_is_picked(const struct why *why, uint32_t thread)
{
    const uint64_t *threads = why->pick.threads;
    if (threads) {
        return tt_bit_at(threads, thread);
    }
    return tt_thread_is_counted(tt_thread_at(why->input->capture, thread));
}

static uint32_t thread_count(const struct why *why)
{
    return why->pick.threads ? why->pick.thread_count : tt_thread_count(why->input->capture);
}

static struct tt_status print_one(struct why *why, uint32_t thread, uint64_t from, uint64_t to,
                                  const char *what)
{
    struct tt_explain_request request = {
        .thread = thread, .from = from, .to = to, .depth = (unsigned)why->options->depth};
    if (!tt_explain(why->wakes, &request, &why->explanation)) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < why->explanation.count && !why->unknown; i++) {
        const struct tt_piece *piece = &why->explanation.pieces[i];
        why->unknown =
            piece->cause == TT_CAUSE_UNKNOWN && !(piece->flags & TT_PIECE_WAIT) &&
            tt_class_is_blocked(tt_format_state(why->input->capture->format, piece->state)->class_);
    }
    if (why->use) {
        struct tt_why_item item = {thread, from, to, what};
        return why->use(why->use_arg, &why->scene, &item, &why->explanation);
    }
    tt_why_print(&why->scene, why->jsonl, &why->explanation, what, why->out);
    return tt_ok();
}

/* ---- a time, or a range ------------------------------------------------------------------- */

static struct tt_status explain_at(struct why *why)
{
    uint64_t at, pos, from, to;
    uint16_t state;
    bool any = false;
    struct tt_status status =
        tt_time_spec_resolve(&why->options->at, why->input->trace, why->input->events, &at, &pos);
    if (tt_failed(&status)) {
        return tt_status_context(status, "--at");
    }
    for (uint32_t i = 0; i < thread_count(why) && !tt_failed(&status); i++) {
        if (why_is_picked(why, i) &&
            tt_explain_default(why->timelines, i, at, &from, &to, &state)) {
            unsigned class_ = why->input->capture->format->states[state].class_;
            any = true;
            status = print_one(why, i, from, to,
                               class_ == TT_CLASS_READY      ? "ready"
                               : class_ == TT_CLASS_RUNNING  ? "job"
                               : tt_class_is_blocked(class_) ? "wait"
                                                             : "state");
        }
    }
    return any || tt_failed(&status)
               ? status
               : tt_error(TT_ERR_USAGE, "--at: the thread has no state at that time");
}

static struct tt_status explain_range(struct why *why)
{
    struct tt_status status = tt_ok();
    for (uint32_t i = 0; i < thread_count(why) && !tt_failed(&status); i++) {
        if (why_is_picked(why, i)) {
            status = print_one(why, i, why->from, why->to, "range");
        }
    }
    return status;
}

/* ---- the worst, or each ------------------------------------------------------------------- */

struct collection {
    struct tt_late_interval *items;
    size_t count;
    size_t capacity;
    size_t most;    /* 0: all; else a heap with the shortest of the longest on top */
    uint64_t least; /* ticks of the shortest when the heap is full */
    const struct tt_deadlines *deadlines; /* of missed jobs */
    bool no_memory;
};

static int by_length(const void *a, const void *b)
{
    return tt_late_compare(a, b);
}

static int by_start(const void *a, const void *b)
{
    const struct tt_late_interval *left = a, *right = b;
    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    if (left->thread != right->thread) {
        return left->thread < right->thread ? -1 : 1;
    }
    return (left->to > right->to) - (left->to < right->to);
}

static bool is_shorter(const void *a, const void *b)
{
    return by_length(a, b) > 0;
}

static bool collect(void *arg, const struct tt_late_interval *interval)
{
    struct collection *all = arg;
    size_t limit = all->most > 0 ? all->most : SIZE_MAX;
    if (all->count < limit) {
        struct tt_late_interval *room =
            tt_array_grow(all->items, all->count, &all->capacity, sizeof *all->items);
        if (!room) {
            all->no_memory = true;
            return false;
        }
        all->items = room;
    }
    if (all->most == 0) {
        all->items[all->count++] = *interval;
    } else {
        all->count =
            tt_heap_keep(all->items, all->count, limit, sizeof *interval, interval, is_shorter);
        all->least = all->count == limit ? all->items[0].to - all->items[0].from : 0;
    }
    return true;
}

/* Collects a job that misses its deadline: the time after the deadline. */
static bool collect_miss(void *arg, const struct tt_late_interval *job)
{
    const struct collection *all = arg;
    const uint64_t deadline = tt_deadline_of(all->deadlines, job->thread);
    struct tt_late_interval late = *job;
    late.from += deadline;
    return deadline == 0 || job->to - job->from <= deadline || collect(arg, &late);
}

static void collect_inversions(const struct why *why, struct collection *all)
{
    const struct tt_blame_request request = {why->from, why->to, why->pick.threads,
                                             why->pick.thread_count};
    struct tt_blames *blames = tt_blames_new(why->input->trace, &request);
    uint64_t work = UINT64_MAX;
    bool done = false;
    size_t count = 0;
    all->no_memory = !blames || !tt_blames_step(blames, &work, &done);
    const struct tt_inversion *list = all->no_memory ? NULL : tt_blames_inversions(blames, &count);
    for (size_t i = 0; i < count && !all->no_memory; i++) {
        if (why_is_picked(why, list[i].thread)) {
            collect(all, &(struct tt_late_interval){list[i].from, list[i].to, list[i].thread, 0});
        }
    }
    tt_blames_free(blames);
}

static struct tt_status explain_worst(struct why *why, int what, size_t most)
{
    struct tt_job_rules rules;
    struct tt_status status = tt_job_rules_make(why->options, why->input->capture, &rules);
    if (tt_failed(&status)) {
        return status;
    }
    struct collection all = {.most = most, .deadlines = &rules.deadlines};
    if (what == TT_WORST_INVERSION) {
        collect_inversions(why, &all);
    }
    for (uint32_t i = 0; what != TT_WORST_INVERSION && i < thread_count(why) && !all.no_memory;
         i++) {
        if (why_is_picked(why, i)) {
            const struct tt_capture *capture = why->input->capture;
            if (what == TT_LATE_RESPONSE || what == TT_WORST_MISS) {
                tt_late_jobs(why->timelines, capture, &rules.ends, i, why->from, why->to,
                             what == TT_WORST_MISS ? collect_miss : collect, &all);
            } else {
                tt_late_intervals_long(why->timelines, capture, (enum tt_late)what, i, why->from,
                                       why->to, &all.least, collect, &all);
            }
        }
    }
    if (all.no_memory) {
        status = tt_error_memory();
    } else if (all.count > 1) {
        qsort(all.items, all.count, sizeof *all.items, most > 0 ? by_length : by_start);
    }
    if (all.count == 0 && !tt_failed(&status)) {
        tt_why_print_none(why->jsonl, worst_words[what], why->out);
    }
    for (size_t i = 0; i < all.count && !tt_failed(&status) && tt_output_is_open(why->out); i++) {
        const struct tt_late_interval *item = &all.items[i];
        const uint64_t deadline =
            what == TT_WORST_MISS ? tt_deadline_of(&rules.deadlines, item->thread) : 0;
        status = print_one(why, item->thread, item->from - deadline, item->to, worst_words[what]);
    }
    free(all.items);
    tt_job_rules_free(&rules);
    return status;
}

/* ---- wakes -------------------------------------------------------------------------------- */

struct blocked_list {
    struct tt_interval *items;
    size_t count;
    size_t capacity;
};

static int by_end(const void *a, const void *b)
{
    const struct tt_interval *left = a, *right = b;
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Adds the blocked intervals of a thread that end in a wake inside the range; false if out of memory. */
static bool list_blocked(const struct why *why, uint32_t thread, struct blocked_list *list)
{
    struct tt_interval_at at;
    struct tt_interval read[TT_INTERVALS], last = {.class_ = TT_CLASS_UNKNOWN};
    bool more = tt_interval_first(why->timelines, thread, &at);
    while (more) {
        uint32_t count = tt_intervals_read(why->timelines, &at, read, &more);
        for (uint32_t i = 0; i < count; i++) {
            if (tt_ends_in_wake(why->timelines, why->input->capture, &last) &&
                (read[i].class_ == TT_CLASS_READY || read[i].class_ == TT_CLASS_RUNNING) &&
                last.end >= why->from && last.end < why->to) {
                struct tt_interval *room =
                    tt_array_grow(list->items, list->count, &list->capacity, sizeof *room);
                if (!room) {
                    return false;
                }
                list->items = room;
                list->items[list->count++] = last;
            }
            last = read[i];
        }
    }
    return true;
}

static struct tt_status print_wakes(struct why *why)
{
    struct blocked_list list = {0};
    bool ok = true;
    for (uint32_t i = 0; i < thread_count(why) && ok; i++) {
        ok = !why_is_picked(why, i) || list_blocked(why, i, &list);
    }
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof *list.items, by_end);
    }
    for (size_t i = 0; i < list.count && ok && tt_output_is_open(why->out); i++) {
        struct tt_wake wake;
        tt_wake_find(why->wakes, &list.items[i], &wake);
        tt_why_print_wake(&why->scene, why->jsonl, &wake, why->out);
        why->unknown |= wake.by == TT_WAKER_UNKNOWN;
    }
    free(list.items);
    return ok ? tt_ok() : tt_error_memory();
}

/* ---- the reason for unknown wakes ---------------------------------------------------------- */

static bool stop_at_first(void *arg, const struct tt_late_interval *interval)
{
    (void)interval;
    *(bool *)arg = true;
    return false;
}

/* Returns whether the capture has wakes: a thread that is ready after it was blocked. */
static bool has_wakes(const struct why *why)
{
    const struct tt_capture *capture = why->input->capture;
    bool found = false;
    for (uint32_t i = 0; i < tt_thread_count(capture) && !found; i++) {
        tt_late_intervals(why->timelines, capture, TT_LATE_DELAY, i, 0, UINT64_MAX, stop_at_first,
                          &found);
    }
    return found;
}

/* Prints why wakes are unknown: not recorded, not part of the format, or lost. */
static void print_reason(const struct why *why)
{
    uint32_t missing = tt_missing_find(why->input->trace);
    const char *remedy = tt_missing_remedy(why->input->capture, TT_MISSING_WAKEUPS);
    if (missing >> TT_MISSING_WAKEUPS & 1 && remedy) {
        tt_why_print_reason("no wakes are recorded; to record them:\n  ", remedy, why->out);
    } else if (!has_wakes(why)) {
        tt_why_print_reason(why->input->capture->format->title, " has no records of wakes",
                            why->out);
    } else if (missing >> TT_MISSING_RECORDS & 1 ||
               tt_health_count(why->input->capture, TT_HEALTH_DAMAGED) > 0) {
        tt_why_print_reason("records were lost", "", why->out);
    }
}

/* ---- the command -------------------------------------------------------------------------- */

struct tt_status tt_why_explain(const struct tt_options *options, struct tt_input *input,
                                struct tt_output *out, tt_why_use *use, void *arg)
{
    struct why y = {.options = options, .input = input, .out = out, .use = use, .use_arg = arg};
    struct tt_status status = tt_event_selection_make(options, input, &y.pick);
    if (tt_failed(&status)) {
        return status;
    }
    y.timelines = tt_trace_timelines(input->trace);
    y.wakes = y.timelines ? tt_wakes_new(input->trace) : NULL;
    y.jsonl = options->format == TT_OUTPUT_JSONL;
    int late = options->worst >= 0 ? options->worst : options->each;
    size_t most = options->worst < 0 ? 0
                  : options->number  ? (size_t)options->number
                                     : WORST_DEFAULT;
    if (!y.timelines && !options->wakes && late < 0) {
        status = tt_error(TT_ERR_USAGE, "no events to explain");
    } else if (!y.timelines && !options->wakes) {
        tt_why_print_none(y.jsonl, worst_words[late], out);
    } else if (y.wakes) {
        tt_event_selection_times(&y.pick, y.timelines, &y.from, &y.to);
        y.scene = (struct tt_why_scene){.capture = input->capture,
                                        .timelines = y.timelines,
                                        .first_ticks = input->progress.first_ticks,
                                        .events = input->events};
        status = options->wakes                          ? print_wakes(&y)
                 : options->at.kind != TT_TIME_SPEC_NONE ? explain_at(&y)
                 : late >= 0                             ? explain_worst(&y, late, most)
                                                         : explain_range(&y);
        if (y.unknown && !y.jsonl && !tt_failed(&status) && tt_output_is_open(out)) {
            print_reason(&y);
        }
    } else if (y.timelines) {
        status = tt_error_memory();
    }
    tt_explanation_free(&y.explanation);
    tt_wakes_free(y.wakes);
    tt_event_selection_free(&y.pick);
    return status;
}

static struct tt_status why_input(const struct tt_options *options, struct tt_input *input,
                                  struct tt_output *out)
{
    return tt_why_explain(options, input, out, NULL, NULL);
}

enum tt_exit tt_command_why(const struct tt_options *options)
{
    return tt_command_each_input(options, why_input);
}
