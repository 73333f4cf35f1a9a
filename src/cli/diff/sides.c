/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff/sides.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/event_selection.h"
#include "tracetui/jobs.h"

#define UNIT 1e9 /* of shares */

const struct tt_table *tt_sides_table(const struct tt_options *options)
{
    const struct tt_table *table = tt_table_any_at((size_t)options->by);
    return tt_baseline_has(table) ? table : NULL;
}

struct tt_status tt_sides_range(const struct tt_options *options, struct tt_input *input,
                                const struct tt_time_spec *from, const struct tt_time_spec *to,
                                struct tt_key_range *keys)
{
    struct tt_options own = *options;
    struct tt_event_selection pick;
    own.from = from->kind != TT_TIME_SPEC_NONE ? *from : options->from;
    own.to = to->kind != TT_TIME_SPEC_NONE ? *to : options->to;
    struct tt_status status = tt_event_selection_make(&own, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    *keys = (struct tt_key_range){.from_ticks = pick.from.ticks,
                                  .from_pos = pick.from.pos,
                                  .to_ticks = pick.to_end ? UINT64_MAX : pick.to.ticks,
                                  .to_pos = pick.to_end ? UINT64_MAX : pick.to.pos};
    tt_event_selection_free(&pick);
    return tt_ok();
}

static struct tt_status sides_resolve(const struct tt_options *options, struct tt_sides *sides,
                                      int side)
{
    struct tt_input *input = sides->of[side];
    struct tt_status status =
        tt_sides_range(options, input, side == 0 ? &options->from_a : &options->from_b,
                       side == 0 ? &options->to_a : &options->to_b, &sides->keys[side]);
    return tt_failed(&status)
               ? status
               : tt_status_context(tt_job_ends_parse(input->capture->format, options->job_ends,
                                                     &sides->job_ends[side]),
                                   "--job-ends");
}

static struct tt_status sides_open_side(const struct tt_options *options, struct tt_sides *sides,
                                        int side)
{
    const struct tt_time_spec *from = side == 0 ? &options->from_a : &options->from_b;
    const struct tt_time_spec *to = side == 0 ? &options->to_a : &options->to_b;
    bool alone = options->files.count == 1;
    sides->paths[side] = options->files.v[alone ? 0 : side];
    if (tt_baseline_is_file(sides->paths[side])) {
        bool ranged = from->kind != TT_TIME_SPEC_NONE || to->kind != TT_TIME_SPEC_NONE;
        return alone    ? tt_error(TT_ERR_USAGE, "a baseline is compared with a second file")
               : ranged ? tt_error(TT_ERR_USAGE, "a baseline has no range")
                        : tt_ok();
    }
    struct tt_status status = tt_ok();
    sides->of[side] = side == 1 && alone ? sides->of[0] : &sides->inputs[side];
    if (sides->of[side] == &sides->inputs[side]) {
        status = tt_input_open(sides->paths[side], options, sides->of[side]);
    }
    return tt_failed(&status) ? status : sides_resolve(options, sides, side);
}

bool tt_sides_open(const struct tt_options *options, struct tt_sides *sides)
{
    memset(sides, 0, sizeof *sides);
    for (int side = 0; side < 2; side++) {
        struct tt_status status = sides_open_side(options, sides, side);
        if (tt_failed(&status)) {
            tt_message_error(sides->paths[side], &status);
            return false;
        }
    }
    return true;
}

/* Sets a side of the request; reads the table of a baseline. */
static struct tt_status set_side(const struct tt_sides *sides, int side,
                                 const struct tt_table *table, struct tt_comparison_side *to)
{
    const struct tt_input *input = sides->of[side];
    if (!input) {
        struct tt_status status = tt_baseline_read(sides->paths[side], table, &to->saved);
        if (tt_failed(&status)) {
            tt_baseline_free(to->saved);
            to->saved = NULL;
        }
        return tt_status_context(status, sides->paths[side]);
    }
    to->trace = input->trace;
    to->events = input->events;
    to->keys = sides->keys[side];
    to->job_ends = sides->job_ends[side];
    return tt_ok();
}

struct tt_status tt_sides_compare(const struct tt_options *options, struct tt_sides *sides,
                                  const struct tt_table *table, const struct tt_table_column *extra,
                                  struct tt_comparison **comparison)
{
    struct tt_comparison_request request = {.table = table,
                                            .alpha = (double)options->alpha / UNIT,
                                            .min_change = (double)options->min_change / UNIT,
                                            .extra = extra};
    bool complete;
    *comparison = NULL;
    struct tt_status status = set_side(sides, 0, table, &request.a);
    if (!tt_failed(&status)) {
        status = set_side(sides, 1, table, &request.b);
    }
    if (tt_failed(&status)) {
        tt_baseline_free(request.a.saved);
        return status;
    }
    status = tt_comparison_begin(comparison, &request);
    if (!tt_failed(&status)) {
        status = tt_comparison_step(*comparison, UINT64_MAX, &complete);
    }
    for (int side = 0; side < 2 && !tt_failed(&status); side++) {
        const struct tt_baseline *baseline =
            side == 0 ? tt_comparison_side_a(*comparison) : tt_comparison_side_b(*comparison);
        if (sides->of[side]) {
            sides->of[side]->shrunk |= baseline->shrunk;
        }
    }
    return status;
}

enum tt_exit tt_sides_verdict(struct tt_sides *sides)
{
    const struct tt_status good = tt_ok();
    enum tt_exit result = TT_EXIT_GOOD;
    for (int side = 0; side < 2; side++) {
        if (sides->of[side] && (side == 0 || sides->of[1] != sides->of[0])) {
            result = tt_exit_worse(result, tt_input_verdict(sides->of[side], &good));
        }
    }
    return result;
}

void tt_sides_close(struct tt_sides *sides)
{
    for (int i = 0; i < 2; i++) {
        if (sides->inputs[i].trace) {
            tt_input_close(&sides->inputs[i]);
        }
    }
}
