/* SPDX-License-Identifier: Apache-2.0 */
/* object_stats: statistics of locks and other objects as a table, CSV or JSON. */
#include "cli/reports/object_stats.h"

#include "cli/event_selection.h"
#include "cli/reports/message_stats.h"
#include "cli/reports/stat_table.h"
#include "cli/stats_filter.h"
#include "tracetui/object_stats.h"

/* ---- columns ------------------------------------------------------------------------------ */

#define AT(member)              offsetof(struct tt_object_stat, member)
#define OF(distribution, field) (AT(distribution) + offsetof(struct tt_distribution, field))
#define ALWAYS                  SIZE_MAX

/* clang-format off */
static const struct tt_report_column columns[] = {
    {"pid", NULL, UNIT_PID, AT(object.process), ALWAYS, 1},
    {"process", "process", UNIT_PROCESS, AT(object.process), ALWAYS, 1},
    {"kind", "kind", UNIT_TEXT, AT(object.kind), ALWAYS, 1},
    {"object", "object", UNIT_HEX, AT(object.id), ALWAYS, 1},
    {"name", "name", UNIT_TEXT, AT(object), ALWAYS, 1},
    {"waits", "waits", UNIT_NUMBER, AT(waits), ALWAYS, 1},
    {"wait_count", NULL, UNIT_NUMBER, OF(wait, count), ALWAYS, 1},
    {"wait_sum", "wait sum", UNIT_TIME, OF(wait, sum), OF(wait, count), 1},
    {"wait_mean", "mean", UNIT_MEAN, AT(wait), OF(wait, count), 1},
    {"wait_p50", NULL, UNIT_TIME, OF(wait, p50), OF(wait, count), 1},
    {"wait_p99", "p99", UNIT_TIME, OF(wait, p99), OF(wait, count), 1},
    {"wait_max", "max", UNIT_TIME, OF(wait, max), OF(wait, count), 1},
    {"wait_max_at", "at", UNIT_AT, OF(wait, max_at), OF(wait, count), 1},
    {"waiter_pid", NULL, UNIT_PID_OF, AT(longest_waiter), ALWAYS, 1},
    {"waiter_tid", NULL, UNIT_TID, AT(longest_waiter), ALWAYS, 1},
    {"waiter", "waiter", UNIT_THREAD, AT(longest_waiter), ALWAYS, 1},
    {"max_holder_pid", NULL, UNIT_PID_OF, AT(max_holder), ALWAYS, 1},
    {"max_holder_tid", NULL, UNIT_TID, AT(max_holder), ALWAYS, 1},
    {"max_holder", NULL, UNIT_THREAD, AT(max_holder), ALWAYS, 1},
    {"holds", "holds", UNIT_NUMBER, OF(hold, count), ALWAYS, 1},
    {"hold_sum", NULL, UNIT_TIME, OF(hold, sum), OF(hold, count), 1},
    {"hold_mean", "hold mean", UNIT_MEAN, AT(hold), OF(hold, count), 1},
    {"hold_max", "max", UNIT_TIME, OF(hold, max), OF(hold, count), 1},
    {"hold_max_at", NULL, UNIT_AT, OF(hold, max_at), OF(hold, count), 1},
    {"holder_pid", NULL, UNIT_PID_OF, AT(longest_holder), ALWAYS, 1},
    {"holder_tid", NULL, UNIT_TID, AT(longest_holder), ALWAYS, 1},
    {"holder", "holder", UNIT_THREAD, AT(longest_holder), ALWAYS, 1},
    {"contended", NULL, UNIT_TIME, AT(contended), ALWAYS, 1},
    {"contended_pct", "contended%", UNIT_SHARE, AT(contended), ALWAYS, 1},
    {"waiting_mean", "waiting", UNIT_DEPTH, AT(waiting), ALWAYS, 1},
    {"waiting_max", "most", UNIT_NUMBER, AT(waiting_max), ALWAYS, 1},
};
/* clang-format on */

/* Appends the kind or the name of the object; "-": it has no name. */
static bool put_text(struct tt_text *text, const struct tt_report *r,
                     const struct tt_report_column *column, const void *row)
{
    const struct tt_object_stat *stat = row;
    size_t length = 0;
    if (column->field == AT(object.kind)) {
        tt_text_str(text, tt_object_kind_name(stat->object.kind));
        return true;
    }
    const char *name = tt_object_name(r->capture, &stat->object, &length);
    bool known = name && length > 0;
    if (known) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_char(text, '-');
    }
    return known;
}

/* ---- the command -------------------------------------------------------------------------- */

bool tt_is_by_object(const struct tt_options *options)
{
    return options->command == TT_COMMAND_STATS && options->by == TT_BY_OBJECT;
}

struct tt_status tt_object_stats_use(const struct tt_options *options, struct tt_input *input,
                                     tt_report_use *use, void *arg)
{
    const struct tt_timelines *t = tt_trace_timelines(input->trace);
    struct tt_event_selection pick;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status) || !t) {
        return status;
    }
    struct tt_object_window window = {.threads = pick.threads, .thread_limit = pick.thread_count};
    tt_event_selection_times(&pick, t, &window.from, &window.to);
    struct tt_object_stats stats = {0};
    struct tt_stats_filter filter = {0};
    status = tt_stats_filter_threads(&filter, &pick, input, &window.threads, &window.thread_limit);
    if (!tt_failed(&status)) {
        status = tt_object_stats_compute(t, &window, &stats);
    }
    if (!tt_failed(&status)) {
        struct tt_report report = {.capture = input->capture,
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .rows = stats.rows,
                                   .row_size = sizeof *stats.rows,
                                   .row_count = stats.count,
                                   .by = 1,
                                   .window = tt_timelines_part(t, window.from, window.to),
                                   .first_ticks = input->progress.first_ticks,
                                   .text = put_text};
        status = use(arg, &report);
    }
    tt_object_stats_free(&stats);
    tt_stats_filter_free(&filter);
    tt_event_selection_free(&pick);
    return status;
}

static struct tt_status stats_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    struct tt_report_print print = {options->format, out};
    return tt_object_stats_use(options, input, tt_report_print_to, &print);
}

enum tt_exit tt_command_object_stats(const struct tt_options *options)
{
    return tt_command_each_input(options, stats_input);
}
