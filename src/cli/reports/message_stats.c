/* SPDX-License-Identifier: Apache-2.0 */
/* message_stats: statistics of messages as a table, CSV or JSON. */
#include "cli/reports/message_stats.h"

#include "cli/event_selection.h"
#include "cli/reports/message_filter.h"
#include "cli/reports/stat_table.h"
#include "cli/stats_filter.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/objects.h"

/* ---- columns ------------------------------------------------------------------------------ */

#define PAIR    (1u << TT_MESSAGES_BY_PAIR)
#define SERVER  (1u << TT_MESSAGES_BY_SERVER)
#define CLIENT  (1u << TT_MESSAGES_BY_CLIENT)
#define CHANNEL (1u << TT_MESSAGES_BY_CHANNEL)
#define IMPOSED (1u << TT_MESSAGES_BY_IMPOSED)
#define MATRIX  (1u << TT_MESSAGES_BY_MATRIX)
#define COUNTED (PAIR | SERVER | CLIENT | CHANNEL | PAIR_OF_THREADS | SERVER_THREAD)
/* The same in systems without processes, or where only some have none. */
#define PAIR_OF_THREADS (1u << TT_MESSAGES_BY_COUNT)
#define SERVER_THREAD   (2u << TT_MESSAGES_BY_COUNT)

#define AT(member)              offsetof(struct tt_message_stat, member)
#define OF(distribution, field) (AT(distribution) + offsetof(struct tt_distribution, field))

/* clang-format off */
static const struct tt_report_column columns[] = {
    {"client_pid", NULL, UNIT_PID, AT(client_process), SIZE_MAX, PAIR | CLIENT | MATRIX | PAIR_OF_THREADS},
    {"client_tid", NULL, UNIT_TID, AT(client), SIZE_MAX, CLIENT | MATRIX | PAIR_OF_THREADS},
    {"client", "client", UNIT_PROCESS, AT(client_process), SIZE_MAX, PAIR},
    {"client", "client", UNIT_THREAD, AT(client), SIZE_MAX, CLIENT | MATRIX},
    {"client", "client", UNIT_TEXT, AT(client), SIZE_MAX, PAIR_OF_THREADS},
    {"server_pid", NULL, UNIT_PID, AT(process), SIZE_MAX, PAIR | SERVER | CHANNEL | MATRIX | PAIR_OF_THREADS | SERVER_THREAD},
    {"server_tid", NULL, UNIT_TID, AT(server), SIZE_MAX, PAIR_OF_THREADS | SERVER_THREAD},
    {"server", "server", UNIT_TEXT, AT(server), SIZE_MAX, PAIR_OF_THREADS | SERVER_THREAD},
    {"server", "server", UNIT_PROCESS, AT(process), SIZE_MAX, PAIR | SERVER | CHANNEL | MATRIX},
    {"channel", NULL, UNIT_NUMBER, AT(channel), SIZE_MAX, CHANNEL},
    {"connection", NULL, UNIT_NUMBER, AT(connection), SIZE_MAX, CHANNEL},
    {"channel_name", "channel", UNIT_TEXT, AT(connection), SIZE_MAX, CHANNEL},
    {"kind", "kind", UNIT_TEXT, AT(post), SIZE_MAX, COUNTED},
    {"count", "count", UNIT_NUMBER, AT(count), SIZE_MAX, COUNTED},
    {"rate_hz", "per second", UNIT_RATE, AT(count), SIZE_MAX, COUNTED},
    {"round_mean", "round mean", UNIT_MEAN, AT(round), OF(round, count), COUNTED},
    {"round_p50", NULL, UNIT_TIME, OF(round, p50), OF(round, count), COUNTED},
    {"round_p99", "p99", UNIT_TIME, OF(round, p99), OF(round, count), COUNTED},
    {"round_max", "max", UNIT_TIME, OF(round, max), OF(round, count), COUNTED},
    {"round_max_at", "at", UNIT_AT, OF(round, max_at), OF(round, count), COUNTED},
    {"queue_mean", "queue mean", UNIT_MEAN, AT(queue), OF(queue, count), COUNTED},
    {"queue_p50", NULL, UNIT_TIME, OF(queue, p50), OF(queue, count), COUNTED},
    {"queue_p99", NULL, UNIT_TIME, OF(queue, p99), OF(queue, count), COUNTED},
    {"queue_max", "max", UNIT_TIME, OF(queue, max), OF(queue, count), COUNTED},
    {"queue_max_at", NULL, UNIT_AT, OF(queue, max_at), OF(queue, count), COUNTED},
    {"queue_busy", NULL, UNIT_TIME, AT(queue_busy), SIZE_MAX, COUNTED},
    {"queue_sched", NULL, UNIT_TIME, AT(queue_sched), SIZE_MAX, COUNTED},
    {"service_mean", "service mean", UNIT_MEAN, AT(service), OF(service, count), COUNTED},
    {"service_p50", NULL, UNIT_TIME, OF(service, p50), OF(service, count), COUNTED},
    {"service_p99", NULL, UNIT_TIME, OF(service, p99), OF(service, count), COUNTED},
    {"service_max", "max", UNIT_TIME, OF(service, max), OF(service, count), COUNTED},
    {"service_max_at", NULL, UNIT_AT, OF(service, max_at), OF(service, count), COUNTED},
    {"errors", "errors", UNIT_NUMBER, AT(errors), SIZE_MAX, COUNTED},
    {"errno", NULL, UNIT_NUMBER, AT(error), SIZE_MAX, COUNTED},
    {"error", "error", UNIT_TEXT, AT(error), SIZE_MAX, COUNTED},
    {"busy", NULL, UNIT_TIME, AT(busy), SIZE_MAX, SERVER | SERVER_THREAD},
    {"busy_pct", "busy%", UNIT_SHARE, AT(busy), SIZE_MAX, SERVER | SERVER_THREAD},
    {"waiting_mean", "waiting", UNIT_DEPTH, AT(waiting), SIZE_MAX, SERVER | SERVER_THREAD},
    {"waiting_max", "max", UNIT_NUMBER, AT(waiting_max), SIZE_MAX, SERVER | SERVER_THREAD},
    {"serving_max", "serving", UNIT_NUMBER, AT(serving_max), SIZE_MAX, SERVER | SERVER_THREAD},
    {"pid", NULL, UNIT_PID, AT(client_process), SIZE_MAX, IMPOSED},
    {"tid", NULL, UNIT_TID, AT(client), SIZE_MAX, IMPOSED},
    {"thread", "thread", UNIT_THREAD, AT(client), SIZE_MAX, IMPOSED},
    {"self", "self", UNIT_TIME, AT(self), SIZE_MAX, IMPOSED},
    {"imposed", "imposed", UNIT_TIME, AT(imposed), SIZE_MAX, IMPOSED | MATRIX},
    {"imposed_gross", "gross", UNIT_TIME, AT(imposed_gross), SIZE_MAX, IMPOSED | MATRIX},
    {"charged", "charged", UNIT_TIME, AT(charged), SIZE_MAX, IMPOSED | MATRIX},
    {"unserved", "unserved", UNIT_TIME, AT(unserved), SIZE_MAX, IMPOSED},
    {"total", "total", UNIT_TIME, AT(total), SIZE_MAX, IMPOSED},
};
/* clang-format on */

#define COLUMN_COUNT (sizeof columns / sizeof columns[0])

/* Appends a client or server: a process, or a thread where there are none; "-" and false: unknown. */
static bool put_side(struct tt_text *text, const struct tt_capture *c, uint32_t process,
                     uint32_t thread)
{
    if (process >= tt_process_count(c) || tt_merge_lacks_processes(c, process, thread)) {
        tt_line_thread(text, c, thread);
        return thread < tt_thread_count(c);
    }
    size_t length;
    const char *name = tt_process_base_name(c, tt_process_at(c, process), &length);
    if (length > 0) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_u64(text, tt_process_at(c, process)->pid);
    }
    return true;
}

/* Appends the name of a queue, the number of a channel, or #CONNECTION if nothing else is known. */
static bool put_queue(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_message_stat *stat)
{
    const struct tt_object queue = {.id = stat->connection,
                                    .process = TT_NO_THREAD,
                                    .kind = TT_OBJECT_QUEUE,
                                    .system = (uint8_t)tt_merge_of_process(c, stat->process)};
    size_t length = 0;
    const char *name = tt_object_name(c, &queue, &length);
    if (name && length > 0) {
        tt_text_escaped(text, name, length);
    } else if (stat->channel != TT_NO_CONNECTION) {
        tt_text_u64(text, stat->channel);
    } else if (stat->connection != TT_NO_CONNECTION) {
        tt_text_char(text, '#');
        tt_text_u64(text, stat->connection);
    } else {
        tt_text_char(text, '-');
        return false;
    }
    return true;
}

static bool put_text(struct tt_text *text, const struct tt_report *r,
                     const struct tt_report_column *column, const void *row)
{
    const struct tt_message_stat *stat = row;
    if (column->field == AT(connection)) {
        return put_queue(text, r->capture, stat);
    }
    if (column->field == AT(error)) {
        unsigned system = tt_merge_of_side(r->capture, stat->process, stat->client);
        const char *name = tt_message_error_name(
            r->capture, system, stat->error < UINT32_MAX ? (uint32_t)stat->error : 0);
        tt_text_str(text, name ? name : "-");
        return name != NULL;
    }
    if (column->field == AT(client) || column->field == AT(server)) {
        bool is_client = column->field == AT(client);
        return put_side(text, r->capture, is_client ? stat->client_process : stat->process,
                        is_client ? stat->client : stat->server);
    }
    tt_text_str(text, stat->post ? "post" : "message");
    return true;
}

/* Returns the bit of the columns of a kind of rows. */
static unsigned columns_of(const struct tt_capture *c, enum tt_messages_by by)
{
    bool by_thread = tt_merge_any_lacks_processes(c);
    return by_thread && by == TT_MESSAGES_BY_PAIR     ? PAIR_OF_THREADS
           : by_thread && by == TT_MESSAGES_BY_SERVER ? SERVER_THREAD
                                                      : 1u << by;
}

/* ---- the command -------------------------------------------------------------------------- */

bool tt_is_by_message(const struct tt_options *options)
{
    return options->command == TT_COMMAND_STATS && options->by >= TT_STATS_BY_COUNT &&
           options->by < TT_BY_OBJECT;
}

/* Filters of the selection: of messages, or of the threads of --by imposed and matrix. */
struct filters {
    struct tt_message_filter messages;
    struct tt_stats_filter threads;
};

static bool message_matches(void *filter, const struct tt_message *message)
{
    return tt_message_filter_test(filter, message);
}

static struct tt_status begin_filters(struct filters *f, enum tt_messages_by by,
                                      const struct tt_event_selection *pick, struct tt_input *input,
                                      struct tt_message_window *window)
{
    *f = (struct filters){0};
    if (!pick->plan) {
        return tt_ok();
    }
    if (by == TT_MESSAGES_BY_IMPOSED || by == TT_MESSAGES_BY_MATRIX) {
        return tt_stats_filter_threads(&f->threads, pick, input, &window->threads,
                                       &window->thread_limit);
    }
    window->wanted = message_matches;
    window->wanted_arg = &f->messages;
    return tt_message_filter_begin(&f->messages, pick, input) ? tt_ok() : tt_error_memory();
}

/* Returns `status`, or an error of a filter. */
static struct tt_status end_filters(struct filters *f, struct tt_input *input,
                                    struct tt_status status)
{
    bool ok = tt_message_filter_end(&f->messages, input);
    tt_stats_filter_free(&f->threads);
    return ok || tt_failed(&status) ? status : tt_error_memory();
}

struct tt_status tt_message_stats_use(const struct tt_options *options, struct tt_input *input,
                                      tt_report_use *use, void *arg)
{
    const struct tt_timelines *t = tt_trace_timelines(input->trace);
    struct tt_event_selection pick;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status) || !t) {
        return status;
    }
    enum tt_messages_by by = (enum tt_messages_by)(options->by - TT_STATS_BY_COUNT);
    struct tt_message_window window = {.threads = pick.threads, .thread_limit = pick.thread_count};
    tt_event_selection_times(&pick, t, &window.from, &window.to);
    struct tt_message_stats stats = {0};
    struct filters filters;
    status = begin_filters(&filters, by, &pick, input, &window);
    if (!tt_failed(&status)) {
        status = tt_message_stats_compute(t, input->capture, by, &window, &stats);
    }
    status = end_filters(&filters, input, status);
    if (!tt_failed(&status)) {
        struct tt_report report = {.capture = input->capture,
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .rows = stats.rows,
                                   .row_size = sizeof *stats.rows,
                                   .row_count = stats.count,
                                   .by = columns_of(input->capture, by),
                                   .window = tt_timelines_part(t, window.from, window.to),
                                   .first_ticks = input->progress.first_ticks,
                                   .text = put_text};
        status = use(arg, &report);
    }
    tt_message_stats_free(&stats);
    tt_event_selection_free(&pick);
    return status;
}

static struct tt_status stats_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    struct tt_report_print print = {options->format, out};
    return tt_message_stats_use(options, input, tt_report_print_to, &print);
}

enum tt_exit tt_command_message_stats(const struct tt_options *options)
{
    return tt_command_each_input(options, stats_input);
}
