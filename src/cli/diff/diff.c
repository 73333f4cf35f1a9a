/* SPDX-License-Identifier: Apache-2.0 */
/* diff: opens both sides, compares them and prints the changes. */
#include "tracetui/comparison.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/diff/diff_print.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "tracetui/jobs.h"
#include "tracetui/message_stats.h"

#define UNIT 1e9 /* of shares */

/* The two sides; B is the same input as A if one file is given. */
struct sides {
    struct tt_input inputs[2];
    struct tt_input *of[2];
    struct tt_comparison_request request;
};

/* Returns the table of a value of --by, or -1 if it cannot be compared. */
static int table_of(const struct tt_options *options)
{
    int messages = options->by - TT_STATS_BY_COUNT;
    int by = messages < 0                        ? options->by
             : messages == TT_MESSAGES_BY_PAIR   ? (int)TT_STATS_BY_PROCESSES
             : messages == TT_MESSAGES_BY_SERVER ? (int)TT_STATS_BY_SERVER
             : messages == TT_MESSAGES_BY_COUNT  ? (int)TT_STATS_BY_OBJECT
                                                 : -1;
    return by >= 0 && tt_baseline_has(by) ? by : -1;
}

static void close_sides(struct sides *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->inputs[i].trace) {
            tt_input_close(&s->inputs[i]);
        }
    }
}

/* Resolves the range of a side; what is not given is taken from --from and --to. */
static struct tt_status resolve(const struct tt_options *options, struct tt_input *input, bool of_a,
                                struct tt_comparison_side *side)
{
    struct tt_options own = *options;
    const struct tt_time_spec *from = of_a ? &options->from_a : &options->from_b;
    const struct tt_time_spec *to = of_a ? &options->to_a : &options->to_b;
    struct tt_event_selection pick;
    own.from = from->kind != TT_TIME_SPEC_NONE ? *from : options->from;
    own.to = to->kind != TT_TIME_SPEC_NONE ? *to : options->to;
    struct tt_status status = tt_event_selection_make(&own, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    side->trace = input->trace;
    side->events = input->events;
    side->keys = (struct tt_key_range){.from_ticks = pick.from.ticks,
                                       .from_pos = pick.from.pos,
                                       .to_ticks = pick.to_end ? UINT64_MAX : pick.to.ticks,
                                       .to_pos = pick.to_end ? UINT64_MAX : pick.to.pos};
    tt_event_selection_free(&pick);
    return tt_status_context(
        tt_job_ends_parse(input->capture->format, options->job_ends, &side->job_ends),
        "--job-ends");
}

static struct tt_status open_side(const struct tt_options *options, struct sides *s, int side)
{
    const char *path = options->files.v[side];
    struct tt_status status = tt_ok();
    s->of[side] = side == 1 && options->files.count == 1 ? s->of[0] : &s->inputs[side];
    if (s->of[side] == &s->inputs[side]) {
        status = tt_input_open(path, options, s->of[side]);
    }
    if (!tt_failed(&status)) {
        status =
            resolve(options, s->of[side], side == 0, side == 0 ? &s->request.a : &s->request.b);
    }
    return status;
}

/* Prints an error about the file of a side. */
static void report(const struct tt_options *options, int side, const struct tt_status *status)
{
    tt_message_error(options->files.v[side < options->files.count ? side : 0], status);
}

static enum tt_exit verdict_of(const struct tt_options *options, struct sides *s,
                               const struct tt_comparison *diff)
{
    const struct tt_status good = tt_ok();
    s->of[0]->shrunk |= tt_comparison_side_a(diff)->shrunk;
    s->of[1]->shrunk |= tt_comparison_side_b(diff)->shrunk;
    enum tt_exit a = tt_input_verdict(s->of[0], &good);
    enum tt_exit b = options->files.count > 1 ? tt_input_verdict(s->of[1], &good) : a;
    return tt_exit_worse(a, b);
}

static enum tt_exit compare(const struct tt_options *options, struct sides *s)
{
    struct tt_comparison *diff;
    struct tt_output out;
    bool complete;
    struct tt_status status = tt_comparison_begin(&diff, &s->request);
    if (!tt_failed(&status)) {
        status = tt_comparison_step(diff, UINT64_MAX, &complete);
    }
    enum tt_exit result = TT_EXIT_FAILED;
    if (!tt_failed(&status)) {
        result = verdict_of(options, s, diff);
        status =
            tt_output_open(&out, tt_command_is_stdout(options->output) ? NULL : options->output);
        if (!tt_failed(&status)) {
            tt_comparison_print(diff, options, s->request.by, &out);
        }
        status = tt_output_close(&out, true);
    }
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        result = TT_EXIT_FAILED;
    }
    tt_comparison_free(diff);
    return result;
}

enum tt_exit tt_command_diff(const struct tt_options *options)
{
    struct sides s = {.request = {.alpha = (double)options->alpha / UNIT,
                                  .min_change = (double)options->min_change / UNIT}};
    int by = table_of(options);
    struct tt_status status = tt_command_check_output(options);
    if (!tt_failed(&status) && by < 0) {
        status =
            tt_error(TT_ERR_USAGE, "--by: diff compares thread, cpu, process, pair, event, job, "
                                   "interrupt, total, blame, message, server and object");
    }
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    s.request.by = (enum tt_stats_by)by;
    enum tt_exit result = TT_EXIT_FAILED;
    int side = 0;
    for (; side < 2 && !tt_failed(&status); side++) {
        status = open_side(options, &s, side);
    }
    if (tt_failed(&status)) {
        report(options, side - 1, &status);
    } else {
        result = compare(options, &s);
    }
    close_sides(&s);
    return result;
}
