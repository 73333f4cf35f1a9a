/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump -f: rows are printed when they are final (see "following" in tracetui/trace.h), so that the
 * lines are those of a dump of the finished file, in the same order. Events that come late, from a
 * stream that was silent, are printed when they come.
 *
 *      rows    |== printed ==|== final, printed now ==|·· not yet ··|
 *                            ^ printed                ^ ready
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/dump_rows.h"
#include "cli/live.h"
#include "cli/pick.h"
#include "cli/writers.h"

struct follower {
    struct tt_live_input l;
    struct tt_pick pick;
    struct tt_pick until; /* its plan is NULL where none was given */
    struct tt_options wait; /* the options with the filter of --until; `until` refers to it */
    struct tt_output *out;
    tt_writer *writer;
    uint64_t printed;     /* rows */
    struct tt_event last; /* the latest of these */
    uint64_t tape;        /* what is behind it on the tape is new */
    bool met;
    bool picked;
};

static void let_go(struct follower *f)
{
    if (f->picked) {
        tt_pick_free(&f->pick);
        tt_pick_free(&f->until);
    }
    f->picked = false;
}

/* The filters against the trace as it is open now. */
static struct tt_status take_up(struct follower *f)
{
    struct tt_status status = tt_pick_make(f->l.options, &f->l.input, &f->pick);
    if (tt_failed(&status)) {
        return status;
    }
    f->wait = *f->l.options;
    f->wait.filter = f->l.options->until;
    status = tt_pick_make(&f->wait, &f->l.input, &f->until);
    if (tt_failed(&status)) {
        tt_pick_free(&f->pick);
        return status;
    }
    f->picked = true;
    return status;
}

/* Of rows [first, end): the end of what is printed, if one of them is what was waited for. */
static struct tt_status find_until(struct follower *f, uint64_t first, uint64_t *end)
{
    static const uint32_t at_once = TT_FILTER_BLOCK;
    struct tt_event events[TT_FILTER_BLOCK];
    uint64_t bits[TT_FILTER_WORDS];
    if (!f->until.plan) {
        return tt_ok();
    }
    struct tt_filter_worker *worker = tt_filter_worker_new(f->until.plan, f->l.input.events);
    if (!worker) {
        return tt_error_memory();
    }
    for (uint64_t row = first; row < *end && !f->met;) {
        uint32_t ask = *end - row < at_once ? (uint32_t)(*end - row) : at_once;
        uint32_t count = tt_events_read(f->l.input.events, row, ask, events);
        tt_filter_test(worker, events, row, count, bits);
        for (uint32_t i = 0; i < count && !f->met; i++) {
            if (bits[i / 64] >> (i % 64) & 1u) {
                f->met = true;
                *end = row + i + 1;
            }
        }
        if (count == 0) {
            break;
        }
        row += count;
    }
    tt_filter_worker_free(worker);
    return tt_ok();
}

static struct tt_status print_rows(struct follower *f, uint64_t first, uint64_t end)
{
    struct tt_status status = find_until(f, first, &end);
    f->pick.first_row = first;
    f->pick.end_row = end;
    if (!tt_failed(&status) && first < end) {
        status = tt_dump_rows(&f->l.input, &f->pick, f->writer, f->out);
    }
    return status;
}

/* Events new on the tape whose place is among what was printed. */
static struct tt_status print_late(struct follower *f, uint64_t *printed)
{
    struct tt_events *events = f->l.input.events;
    struct tt_status status = tt_ok();
    struct tt_event e;
    *printed = f->printed;
    if (f->printed == 0) {
        return status;
    }
    uint64_t stands = tt_events_row_at_key(events, f->last.ticks, f->last.pos) + 1;
    uint64_t row = stands;
    for (uint64_t missing = stands > f->printed ? stands - f->printed : 0;
         missing > 0 && row > 0 && !tt_failed(&status) && !f->met; row--) {
        if (tt_events_read(events, row - 1, 1, &e) == 1 && e.pos >= f->tape) {
            status = print_rows(f, row - 1, row);
            missing--;
        }
    }
    *printed = stands;
    return status;
}

static struct tt_status print_ready(struct follower *f)
{
    struct tt_events *events = f->l.input.events;
    bool changed;
    uint64_t tape = f->l.input.progress.bytes_done, printed;
    if (f->pick.plan && !tt_filter_plan_extend(f->pick.plan, events, &changed)) {
        return tt_error_memory();
    }
    if (f->until.plan && !tt_filter_plan_extend(f->until.plan, events, &changed)) {
        return tt_error_memory();
    }
    uint64_t ready = f->l.live.final_ticks == UINT64_MAX
                         ? tt_events_rows(events)
                         : tt_events_row_at_time(events, f->l.live.final_ticks);
    struct tt_status status = print_late(f, &printed);
    if (!tt_failed(&status) && !f->met && ready > printed) {
        status = print_rows(f, printed, ready);
        f->printed = ready;
        tt_events_read(events, ready - 1, 1, &f->last);
    } else {
        f->printed = printed;
    }
    f->tape = tape;
    tt_output_flush(f->out);
    return status;
}

/* The trace is another object now; `again`: of the same bytes. */
static struct tt_status go_over(struct follower *f, bool again)
{
    let_go(f);
    if (again && f->printed > 0) {
        tt_trace_wait_rows(f->l.input.trace, f->printed);
        f->l.input.progress = tt_trace_progress(f->l.input.trace);
        f->l.live = tt_trace_live(f->l.input.trace);
        f->printed = tt_events_row_at_key(f->l.input.events, f->last.ticks, f->last.pos);
        f->printed += f->printed < tt_events_rows(f->l.input.events);
    } else {
        f->printed = 0;
        f->tape = 0;
    }
    return take_up(f);
}

static struct tt_status follow(struct follower *f)
{
    struct tt_status status = take_up(f);
    while (!tt_failed(&status) && !f->met && tt_output_wanted(f->out)) {
        enum tt_live_news news = tt_live_wait(&f->l, UINT64_MAX);
        if (news != TT_LIVE_MORE) {
            status = go_over(f, news == TT_LIVE_AGAIN);
        }
        bool last = f->l.over || f->l.timed_out;
        if (!tt_failed(&status)) {
            status = print_ready(f);
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
    static tt_writer *const writers[] = {
        [TT_OUTPUT_TEXT] = tt_write_text,
        [TT_OUTPUT_CSV] = tt_write_csv,
        [TT_OUTPUT_JSONL] = tt_write_jsonl,
    };
    struct follower f;
    memset(&f, 0, sizeof f);
    f.out = out;
    f.writer = writers[options->format];
    if (options->format == TT_OUTPUT_CSV && !out->begun) {
        tt_output_write(out, tt_csv_header, strlen(tt_csv_header));
    }
    struct tt_status status = tt_live_open(path, options, &f.l);
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
        return options->until ? TT_EXIT_NOT_MET : TT_EXIT_FAILED;
    }
    status = follow(&f);
    let_go(&f);
    enum tt_exit result = TT_EXIT_FAILED;
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
    } else {
        result = tt_input_verdict(&f.l.input);
        if (options->until) {
            result = f.met ? TT_EXIT_GOOD : TT_EXIT_NOT_MET;
        }
        if (tt_failed(&f.l.live.status)) {
            tt_message_error(path, &f.l.live.status);
            result = TT_EXIT_FAILED;
        }
    }
    tt_live_close(&f.l);
    return result;
}
