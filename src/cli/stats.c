/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/stats.h"

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/pick.h"
#include "cli/stats_filter.h"

static struct tt_stat_wish wish_of(const struct tt_options *options, const struct tt_input *input,
                                   const struct tt_pick *pick)
{
    struct tt_key_range keys = {.from_ticks = pick->from.ticks,
                                .from_pos = pick->from.pos,
                                .to_ticks = pick->to_end ? UINT64_MAX : pick->to.ticks,
                                .to_pos = pick->to_end ? UINT64_MAX : pick->to.pos};
    struct tt_stat_wish wish = {.by = (enum tt_stats_by)options->by,
                                .trace = input->trace,
                                .events = input->events,
                                .threads = pick->threads,
                                .thread_limit = pick->thread_count};
    if (options->cpus.given) {
        wish.window.cpus = options->cpus.bits;
        wish.window.cpu_limit = TT_CPU_LIMIT;
    }
    tt_stat_wish_range(&wish, &keys);
    return wish;
}

static struct tt_status stats_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    struct tt_pick pick;
    struct tt_status status = tt_pick_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_stat_sheet sheet = {0};
    struct tt_stats_filter filter = {0};
    struct tt_stat_wish wish = wish_of(options, input, &pick);
    status = tt_stats_filter_apply(&filter, &pick, input, &wish);
    if (!tt_failed(&status)) {
        status = tt_stat_sheet_begin(&sheet, &wish);
    }
    if (!tt_failed(&status)) {
        status = tt_stat_sheet_step(&sheet, UINT64_MAX);
    }
    if (!tt_failed(&status)) {
        status = tt_stat_sheet_print(&sheet, options->format, out);
    }
    input->shrunk |= sheet.shrunk;
    tt_stat_sheet_free(&sheet);
    tt_stats_filter_free(&filter);
    tt_pick_free(&pick);
    return status;
}

static enum tt_exit stats_file(const struct tt_options *options, const char *path,
                               struct tt_output *out)
{
    struct tt_input input;
    struct tt_status status = tt_input_open(path, options, &input);
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
        return TT_EXIT_FAILED;
    }
    status = stats_input(options, &input, out);
    enum tt_exit result = TT_EXIT_FAILED;
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
    } else {
        result = tt_input_verdict(&input);
    }
    tt_input_close(&input);
    return result;
}

enum tt_exit tt_command_stats(const struct tt_options *options)
{
    return tt_command_each(options, stats_file);
}
