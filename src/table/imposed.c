/* SPDX-License-Identifier: Apache-2.0 */
/* imposed: the tables of CPU time by client thread, and by client thread and server process. */
#include "analysis/messages/imposed.h"

#include "table/sums.h"

struct imposed_row {
    struct tt_subject of; /* client thread and server process */
    uint64_t self, imposed, imposed_gross, charged;
    uint64_t unserved, total; /* of a client alone */
};

struct imposed {
    struct tt_imposing *imposing;
    unsigned listed; /* percent of the counting that the rows cover */
};

static bool make_cell(const struct tt_table_run *run, size_t index, void *room)
{
    const struct imposed *imposed = run->state;
    size_t count;
    uint32_t threads;
    const struct tt_message_stat *cell = &tt_imposing_cells(imposed->imposing, &count)[index];
    struct imposed_row *row = room;
    row->of.thread = cell->client;
    row->of.process = cell->process;
    row->self = tt_imposing_times(imposed->imposing, &threads)[cell->client].self;
    row->imposed = cell->imposed;
    row->imposed_gross = cell->imposed_gross;
    row->charged = cell->charged;
    return cell->imposed_gross > 0 && tt_table_includes(run, cell->client);
}

/* Sets the row of a thread that counts and has any time. */
static bool make_client(const struct tt_table_run *run, size_t thread, void *room)
{
    const struct imposed *imposed = run->state;
    uint32_t count;
    const struct tt_imposed *times = &tt_imposing_times(imposed->imposing, &count)[thread];
    struct imposed_row *row = room;
    row->of.thread = (uint32_t)thread;
    row->of.process = tt_thread_at(run->capture, (uint32_t)thread)->process;
    row->self = times->self;
    row->imposed = times->imposed;
    row->imposed_gross = times->imposed_gross;
    row->charged = times->charged;
    row->unserved = times->unserved;
    row->total = times->self + times->imposed;
    return row->total > 0 && tt_table_counts(run, (uint32_t)thread);
}

static enum tt_made step_imposed(struct tt_table_run *run)
{
    struct imposed *imposed = run->state;
    const struct tt_table_request *request = &run->request;
    const struct tt_message_window window = {.from = request->window.from,
                                             .to = request->window.to,
                                             .threads = request->threads,
                                             .thread_limit = request->thread_limit};
    bool matrix = run->table == &tt_table_matrix, done = false;
    size_t cells;
    uint32_t threads;
    if (!imposed->imposing) {
        imposed->imposing = tt_imposing_new(run->capture, &window, matrix);
    }
    if (!imposed->imposing ||
        !tt_imposing_step(imposed->imposing, run->timelines, &run->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    unsigned percent = tt_imposing_percent(imposed->imposing);
    if (!done && percent == imposed->listed) {
        return TT_MADE_PART;
    }
    imposed->listed = percent;
    if (matrix) {
        tt_imposing_cells(imposed->imposing, &cells);
    } else {
        tt_imposing_times(imposed->imposing, &threads);
        cells = threads;
    }
    return !tt_table_list(run, cells, matrix ? make_cell : make_client) ? TT_MADE_NO_MEMORY
           : done                                                       ? TT_MADE_ALL
                                                                        : TT_MADE_PART;
}

static unsigned percent_of_imposed(const struct tt_table_run *run)
{
    const struct imposed *imposed = run->state;
    return imposed->imposing ? tt_imposing_percent(imposed->imposing) : 0;
}

static void end_imposed(struct tt_table_run *run)
{
    tt_imposing_free(((struct imposed *)run->state)->imposing);
}

static int compare_imposed(const void *a, const void *b)
{
    const struct imposed_row *left = a, *right = b;
    if (left->total != right->total) {
        return left->total > right->total ? -1 : 1;
    }
    if (left->imposed != right->imposed) {
        return left->imposed > right->imposed ? -1 : 1;
    }
    return left->of.thread != right->of.thread
               ? (left->of.thread < right->of.thread ? -1 : 1)
               : (left->of.process > right->of.process) - (left->of.process < right->of.process);
}

#define ROW struct imposed_row

/* clang-format off */
static const struct tt_table_column matrix_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, of.thread, SCREEN("client", "pid", 20, 3), "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, of.thread, SCREEN("client", "tid", 21, 4), "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, of.thread, SCREEN("", "client", 0, 1), "Client thread.", .is_key = true),
    COLUMN("server_pid", NULL, PROCESS_PID, of.process, SCREEN("server", "pid", 22, 5), "Number of the server's process."),
    COLUMN("server", "server", PROCESS_NAME, of.process, SCREEN("", "server", 1, 2), "Process that serves.", .is_key = true),
    COLUMN("imposed", "imposed", TIME_US, imposed, SCREEN("imposed", "", 2, 6), "CPU time of the server while it serves the client, directly or through others.", .is_sum = true),
    COLUMN("imposed_pct", NULL, SHARE, imposed, SCREEN("imposed", "%", 4, 7), "CPU time of the server for the client, in percent of the range."),
    COLUMN("imposed_gross", "gross", TIME_US, imposed_gross, SCREEN("", "gross", 6, 8), "CPU time of servers while they serve it, with interrupts.", .is_sum = true),
    COLUMN("charged", "charged", TIME_US, charged, SCREEN("charged", "", 3, 9), "CPU time of servers, each instant given to one client only.", .is_sum = true),
    COLUMN("charged_pct", NULL, SHARE, charged, SCREEN("charged", "%", 5, 10), "CPU time of the server given to the client, in percent of the range."),
    COLUMN("client_self", NULL, TIME_MS, self, SCREEN("self", "", 7, 11), "CPU time of the client's own.", .is_sum = true),
};

static const struct tt_table_column imposed_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, OFF_SCREEN, "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, OFF_SCREEN, "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, OFF_SCREEN, "Process, number and name of the thread.", .is_key = true),
    COLUMN("self", "self", TIME_US, self, OFF_SCREEN, "CPU time of its own.", .is_sum = true),
    COLUMN("imposed", "imposed", TIME_US, imposed, OFF_SCREEN, "CPU time of servers while they serve it, directly or through others.", .is_sum = true),
    COLUMN("imposed_gross", "gross", TIME_US, imposed_gross, OFF_SCREEN, "CPU time of servers while they serve it, with interrupts.", .is_sum = true),
    COLUMN("charged", "charged", TIME_US, charged, OFF_SCREEN, "CPU time of servers, each instant given to one client only.", .is_sum = true),
    COLUMN("unserved", "unserved", TIME_US, unserved, OFF_SCREEN, "CPU time in which it serves no message.", .is_sum = true),
    COLUMN("total", "total", TIME_US, total, OFF_SCREEN, "CPU time of its own and of servers for it.", .is_sum = true),
};
/* clang-format on */

#define OF_IMPOSED                                                                                 \
    OF_ROW(struct imposed_row), .state_size = sizeof(struct imposed), .filter = TT_FILTER_THREADS, \
                                .of_messages = true, .step = step_imposed,                         \
                                .percent = percent_of_imposed, .end = end_imposed,                 \
                                .compare = compare_imposed

const struct tt_table tt_table_matrix = {
    NAMES("matrix", "CPU time by client and server",
          "A client thread and a server process that runs for it.", "[client] -> [server]"),
    COLUMNS(matrix_columns),
    .is_shared = true,
    .order = "imposed",
    OF_IMPOSED,
};

const struct tt_table tt_table_imposed = {
    NAMES("imposed", "CPU time by client", "A thread, and servers that run for it.", "[thread]"),
    COLUMNS(imposed_columns),
    .is_shared = true,
    OF_IMPOSED,
};
