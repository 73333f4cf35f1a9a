/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump -f: prints each event once, when no earlier event can arrive any more, so that lines and
 * order are those of a dump of the finished file. Late events, from a stream that was silent, are
 * printed on arrival (see tracetui/tail.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "cli/commands.h"
#include "cli/dump_rows.h"
#include "cli/event_selection.h"
#include "cli/live.h"
#include "cli/writers.h"
#include "trace/tail.h"

#define SILENCE_MS 2000u /* maximum delay by a silent stream or an incomplete event */
#define LOOK_MS    100u  /* wait between two checks while events are held back */

struct follower {
    struct tt_live_input l;
    struct tt_event_selection pick;
    struct tt_event_selection until; /* its plan is NULL without --filter */
    struct tt_options wait; /* the options with the filter of --until; `until` points into it */
    struct tt_output *out;
    tt_writer *writer;
    struct tt_tail *take;
    uint64_t *numbers; /* numbers of the events to print next */
    size_t capacity;
    uint64_t numbered; /* printed events with a number */
    bool met;
    bool picked;
};

static void let_go(struct follower *follower)
{
    if (follower->picked) {
        tt_event_selection_free(&follower->pick);
        tt_event_selection_free(&follower->until);
    }
    follower->picked = false;
}

/* Drops the events after the first one that matches --until, if there is one. */
static struct tt_status find_until(struct follower *follower, struct tt_event_list *given)
{
    uint64_t bits[TT_FILTER_WORDS];
    if (!follower->until.plan) {
        return tt_ok();
    }
    struct tt_events *reader = follower->l.input.events;
    struct tt_filter_worker *worker = tt_filter_worker_new(follower->until.plan, reader);
    if (!worker) {
        return tt_error_memory();
    }
    for (size_t at = 0; at < given->count && !follower->met;) {
        uint32_t count = tt_event_list_run(given, at, TT_FILTER_BLOCK);
        uint64_t row = tt_events_row_of_number(reader, given->numbers[at]);
        tt_filter_test(worker, given->events + at, row, count, bits);
        for (uint32_t i = 0; i < count && !follower->met; i++) {
            if (tt_bit_at(bits, i)) {
                follower->met = true;
                given->count = at + i + 1;
            }
        }
        at += count;
    }
    bool failed = tt_filter_worker_failed(worker);
    tt_filter_worker_free(worker);
    return failed ? tt_error_memory() : tt_ok();
}

static struct tt_status dump_follow_print_events(struct follower *follower, bool all)
{
    const struct tt_event *events;
    size_t late;
    size_t count = tt_tail_ready(follower->take, all, &events, &late);
    if (count == 0) {
        return tt_ok();
    }

    /*
     * Late events are between printed ones: their numbers come from the current index. All others
     * follow the printed ones.
     */
    struct tt_events *reader = follower->l.input.events;
    if (count > follower->capacity) {
        uint64_t *numbers = realloc(follower->numbers, count * sizeof *numbers);
        if (!numbers) {
            return tt_error_memory();
        }
        follower->numbers = numbers;
        follower->capacity = count;
    }
    for (size_t i = 0; i < count; i++) {
        bool numbered = !(events[i].flags & TT_EVENT_UNNUMBERED);
        follower->numbers[i] =
            i < late ? tt_events_number(
                           reader, tt_events_row_at_key(reader, events[i].ticks, events[i].pos))
                     : follower->numbered;
        follower->numbered += numbered && i >= late;
    }
    for (size_t i = 0; i < late; i++) {
        follower->numbered += !(events[i].flags & TT_EVENT_UNNUMBERED);
    }

    struct tt_event_list given = {events, follower->numbers, count};
    struct tt_status status = find_until(follower, &given);
    if (!tt_failed(&status)) {
        status = tt_dump_list(&follower->l.input, &follower->pick, &given, follower->writer,
                              follower->out);
    }
    if (!tt_failed(&status) && !tt_tail_next(follower->take, count)) {
        status = tt_error_memory();
    }
    return status;
}

/* Prints the events that are ready; `all`: every event held back. */
static struct tt_status print_ready(struct follower *follower, bool all)
{
    struct tt_events *events = follower->l.input.events;
    struct tt_status status = tt_ok();
    bool changed, more = true;
    while (more && !tt_failed(&status) && !follower->met && tt_output_is_open(follower->out)) {
        if (!tt_tail_update(follower->take, &more) ||
            (follower->pick.plan &&
             !tt_filter_plan_extend(follower->pick.plan, events, &changed)) ||
            (follower->until.plan &&
             !tt_filter_plan_extend(follower->until.plan, events, &changed))) {
            return tt_error_memory();
        }
        follower->l.input.progress = tt_trace_progress(follower->l.input.trace);
        status = dump_follow_print_events(follower, all && !more);
    }
    tt_output_flush(follower->out);
    return status;
}

/* Continues with a reopened trace; `again`: its bytes are the same. */
static struct tt_status switch_trace(struct follower *follower, bool again)
{
    let_go(follower);
    if (!again) {
        tt_tail_free(follower->take);
        follower->take = tt_tail_new(follower->l.input.trace, SILENCE_MS);
        follower->numbered = 0;
    }
    if (!follower->take || (again && !tt_tail_restart(follower->take, follower->l.input.trace))) {
        return tt_error_memory();
    }

    /* Resolves the filters for the open trace. */
    struct tt_status status =
        tt_event_selection_make(follower->l.options, &follower->l.input, &follower->pick);
    if (tt_failed(&status)) {
        return status;
    }
    follower->wait = *follower->l.options;
    follower->wait.filter = follower->l.options->until;
    status = tt_event_selection_make(&follower->wait, &follower->l.input, &follower->until);
    if (tt_failed(&status)) {
        tt_event_selection_free(&follower->pick);
        return status;
    }
    follower->picked = true;
    return status;
}

static struct tt_status dump_follow_follow(struct follower *follower)
{
    struct tt_status status = switch_trace(follower, false);
    while (!tt_failed(&status) && !follower->met && tt_output_is_open(follower->out)) {
        uint64_t most = tt_tail_held(follower->take) > 0 ? LOOK_MS : UINT64_MAX;
        enum tt_live_news news = tt_live_wait(&follower->l, most);
        if (news != TT_LIVE_MORE) {
            status = switch_trace(follower, news == TT_LIVE_AGAIN);
        }
        bool last = follower->l.over || follower->l.timed_out;
        if (!tt_failed(&status)) {
            status = print_ready(follower, last);
        }
        if (last) {
            break;
        }
    }
    return status;
}

enum tt_exit tt_dump_follow(const struct tt_options *options, const char *path,
                            struct tt_output *out)
{
    struct follower f;
    memset(&f, 0, sizeof f);
    f.out = out;
    f.writer = tt_writer_of(options);
    if (options->format == TT_OUTPUT_CSV && !out->begun) {
        TT_PRINT_LINE(out, tt_row_header(&text, options->plan != NULL));
    }
    struct tt_status status = tt_live_open(path, options, &f.l);
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
        return options->until ? TT_EXIT_NOT_MET : TT_EXIT_FAILED;
    }
    status = dump_follow_follow(&f);
    let_go(&f);
    tt_tail_free(f.take);
    free(f.numbers);
    enum tt_exit result = tt_input_verdict(&f.l.input, &status);
    if (!tt_failed(&status) && options->until) {
        result = f.met ? TT_EXIT_GOOD : TT_EXIT_NOT_MET;
    }
    if (!tt_failed(&status) && tt_failed(&f.l.live.status)) {
        tt_message_error(path, &f.l.live.status);
        result = TT_EXIT_FAILED;
    }
    tt_live_close(&f.l);
    return result;
}
