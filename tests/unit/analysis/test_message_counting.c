/* SPDX-License-Identifier: Apache-2.0 */
/* Messages counted in steps, and the longest messages, against all messages read one by one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kit/kev_build.h"
#include "analysis/messages/message_list.h"
#include "analysis/messages/object_stats.h"
#include "table/registry.h"
#include "tracetui/table.h"
#include "tracetui/trace.h"

static struct tt_trace *open_indexed(const char *path)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    return trace;
}

/* A window of the capture in thousandths. */
static struct tt_message_window window_of(const struct tt_timelines *t, uint64_t from, uint64_t to)
{
    uint64_t begin = tt_timelines_begin(t), span = tt_timelines_limit(t) - begin;
    return (struct tt_message_window){.from = begin + span * from / 1000,
                                      .to = begin + span * to / 1000};
}

static const struct {
    uint64_t from, to;
} windows[] = {{0, 1000}, {200, 600}, {410, 430}, {700, 1000}, {0, 90}};

#define WINDOWS (sizeof windows / sizeof *windows)

static bool is_in(const struct tt_message_window *w, uint64_t time)
{
    return time != TT_NO_TIME && time >= w->from && time < w->to;
}

/* Sums over all messages of the capture, read row by row from the beginning. */
struct sums {
    uint64_t count, errors, rounds, round, queues, queue, services, service, returns, back, irq;
    uint64_t known, run, longest;
};

static struct sums all_messages(const struct tt_timelines *t, const struct tt_message_window *w)
{
    struct sums s = {0};
    for (uint32_t row = 0; row < tt_message_rows(t); row++) {
        struct tt_message_reader reader;
        struct tt_message m;
        struct tt_message_parts p;
        tt_message_read_from(&reader, t, row, 0);
        while (tt_message_read(&reader, &m)) {
            tt_message_parts_of(t, &m, &p);
            s.count += is_in(w, m.send);
            s.errors += m.how == TT_MESSAGE_ERROR && is_in(w, m.end);
            bool round = p.round != TT_NO_TIME && is_in(w, p.run);
            bool queue = p.queue != TT_NO_TIME && is_in(w, m.receive);
            bool service = p.service != TT_NO_TIME && is_in(w, m.end);
            bool back = p.back != TT_NO_TIME && is_in(w, p.run);
            s.rounds += round;
            s.round += round ? p.round : 0;
            s.longest = round && p.round > s.longest ? p.round : s.longest;
            s.queues += queue;
            s.queue += queue ? p.queue : 0;
            s.services += service;
            s.service += service ? p.service : 0;
            s.returns += back;
            s.back += back ? p.back : 0;
            s.known += service && p.has_classes ? p.service : 0;
            s.irq += service ? p.irq : 0;
            s.run += service ? p.class_ticks[TT_CLASS_RUNNING] : 0;
        }
    }
    return s;
}

static void add_row(struct sums *s, const struct tt_message_stat *row)
{
    uint64_t parts = row->irq;
    s->count += row->count;
    s->errors += row->errors;
    s->rounds += row->round.count;
    s->round += row->round.sum;
    s->longest = row->round.max > s->longest ? row->round.max : s->longest;
    s->queues += row->queue.count;
    s->queue += row->queue.sum;
    s->services += row->service.count;
    s->service += row->service.sum;
    s->returns += row->back.count;
    s->back += row->back.sum;
    s->known += row->known;
    s->irq += row->irq;
    s->run += row->class_ticks[TT_CLASS_RUNNING];
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        parts += row->class_ticks[i];
    }
    cr_expect_eq(parts, row->known, "the parts of a service are the service");
}

static void compare(const char *path, enum tt_messages_by by, uint64_t step)
{
    struct tt_trace *trace = open_indexed(path);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    for (size_t i = 0; i < WINDOWS; i++) {
        struct tt_message_window w = window_of(t, windows[i].from, windows[i].to);
        struct sums expected = all_messages(t, &w), sums = {0};
        struct tt_message_counting *k = tt_message_counting_new(tt_trace_capture(trace), by, &w);
        cr_assert_not_null(k);
        bool done = false;
        unsigned last = 0, version = 0, versions = 0;
        size_t count = 0, bytes = 1;
        while (!done) {
            uint64_t work = step;
            cr_assert(tt_message_counting_step(k, t, &work, &done));
            tt_message_counting_rows(k, &count, &version);
            versions += version != last;
            last = version;
            cr_assert_leq(tt_message_counting_percent(k), 99u);
        }
        const struct tt_message_stat *rows = tt_message_counting_rows(k, &count, &version);
        for (size_t r = 0; r < count; r++) {
            add_row(&sums, &rows[r]);
        }
        cr_expect_eq(memcmp(&sums, &expected, sizeof sums), 0, "%s by %d, window %zu", path, by, i);
        cr_expect_geq(versions, 1u);
        while (tt_message_counting_shrink(k, &bytes)) {
            bytes = 4096;
        }
        tt_message_counting_free(k);
    }
    tt_trace_close(trace);
}

Test(message_counting, sums_in_steps_are_those_of_all_messages)
{
    for (int by = TT_MESSAGES_BY_PAIR; by <= TT_MESSAGES_BY_CHANNEL; by++) {
        compare("samples/demo.kev", (enum tt_messages_by)by, 50);
    }
    compare("samples/demo.btrace", TT_MESSAGES_BY_PAIR, 1);
    compare("samples/wide4.kev", TT_MESSAGES_BY_SERVER, UINT64_MAX);
}

static int longest_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The limit leaves out the shorter ones. */
static void compare_list(const char *path, size_t limit)
{
    struct tt_trace *trace = open_indexed(path);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    static uint64_t lengths[4096];
    for (size_t i = 0; i < WINDOWS; i++) {
        struct tt_message_window w = window_of(t, windows[i].from, windows[i].to);
        size_t count = 0, listed;
        uint64_t all, end = tt_timelines_end(t) < w.to ? tt_timelines_end(t) : w.to;
        for (uint32_t row = 0; row < tt_message_rows(t); row++) {
            struct tt_message_reader reader;
            struct tt_message m;
            struct tt_message_parts p;
            tt_message_read_from(&reader, t, row, 0);
            while (tt_message_read(&reader, &m)) {
                tt_message_parts_of(t, &m, &p);
                uint64_t over = p.run != TT_NO_TIME ? p.run : m.last, begin = tt_message_begin(&m);
                bool open = m.how == TT_MESSAGE_OPEN;
                if (begin < w.to && (open || over >= w.from)) {
                    over = open ? end : m.last;
                    lengths[count++] = p.round != TT_NO_TIME ? p.round
                                       : over > begin        ? over - begin
                                                             : 0;
                    cr_assert_lt(count, sizeof lengths / sizeof *lengths);
                }
            }
        }
        qsort(lengths, count, sizeof *lengths, longest_first);
        struct tt_message_list *list = tt_message_list_new(&w, limit);
        cr_assert_not_null(list);
        bool done = false;
        unsigned version;
        while (!done) {
            uint64_t work = 100;
            cr_assert(tt_message_list_step(list, t, &work, &done));
            cr_assert_leq(tt_message_list_percent(list), 99u);
        }
        const struct tt_listed_message *items =
            tt_message_list_items(list, &listed, &all, &version);
        cr_assert_eq(all, count);
        cr_assert_eq(listed, count < limit ? count : limit);
        for (size_t n = 0; n < listed; n++) {
            cr_assert_eq(items[n].length, lengths[n], "%s, window %zu, message %zu", path, i, n);
        }
        tt_message_list_free(list);
    }
    tt_trace_close(trace);
}

Test(message_counting, the_list_has_the_longest_messages)
{
    compare_list("samples/demo.kev", 7);
    compare_list("samples/demo.kev", 1000);
    compare_list("samples/demo.btrace", 20);
}

Test(message_counting, only_messages_of_the_picked_threads_are_counted)
{
    struct tt_trace *trace = open_indexed("samples/demo.kev");
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint32_t client = tt_message_row_client(t, 0);
    uint64_t picked[64] = {0}, work = UINT64_MAX, all;
    struct tt_message_window w = window_of(t, 0, 1000);
    picked[client / 64] |= UINT64_C(1) << (client % 64);
    w.threads = picked;
    w.thread_limit = 64 * 64;
    struct tt_message_list *list = tt_message_list_new(&w, 100);
    bool done;
    size_t count;
    unsigned version;
    cr_assert(tt_message_list_step(list, t, &work, &done) && done);
    const struct tt_listed_message *items = tt_message_list_items(list, &count, &all, &version);
    cr_assert_gt(count, 0u);
    for (size_t i = 0; i < count; i++) {
        cr_expect(items[i].message.client == client || items[i].message.server == client);
    }
    tt_message_list_free(list);
    tt_trace_close(trace);
}

/* ---- as sheets ---------------------------------------------------------------------------- */

static struct tt_table_run sheet_of(struct tt_trace *trace, struct tt_events *events,
                                    const struct tt_table *by, uint64_t step)
{
    struct tt_table_run sheet;
    struct tt_table_request request = {
        .table = by, .trace = trace, .events = events, .row_limit = 5};
    struct tt_key_range keys = {.to_ticks = UINT64_MAX};
    tt_table_request_range(&request, &keys);
    struct tt_status status = tt_table_begin(&sheet, &request);
    while (!tt_failed(&status) && !sheet.complete) {
        cr_assert_leq(tt_table_percent(&sheet), 99u);
        status = tt_table_step(&sheet, step);
    }
    cr_assert(!tt_failed(&status));
    return sheet;
}

/* Returns the value of a cell as text. */
static const char *cell_of(const struct tt_table_run *sheet, const struct tt_table_row *row,
                           const char *key)
{
    static char buffer[512], number[32];
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (strcmp(sheet->columns[i].key, key) == 0) {
            struct tt_table_cell cell =
                tt_table_cell_of(sheet, &sheet->columns[i], row, buffer, sizeof buffer);
            snprintf(number, sizeof number, "%llu", (unsigned long long)cell.number);
            return cell.kind == TT_CELL_NONE   ? "-"
                   : cell.kind == TT_CELL_TEXT ? tt_text_cstr(&cell.text)
                                               : number;
        }
    }
    return "no such column";
}

Test(message_counting, sheets_have_the_rows_of_the_statistics)
{
    static const struct {
        const struct tt_table *by;
        enum tt_messages_by messages;
    } tables[] = {{&tt_table_message_pairs, TT_MESSAGES_BY_PAIR},
                  {&tt_table_servers, TT_MESSAGES_BY_SERVER},
                  {&tt_table_channels, TT_MESSAGES_BY_CHANNEL}};
    struct tt_trace *trace = open_indexed("samples/demo.kev");
    struct tt_events *events = tt_events_new(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_message_window w = window_of(t, 0, 1000);
    for (size_t i = 0; i < 3; i++) {
        struct tt_table_run sheet = sheet_of(trace, events, tables[i].by, 300);
        struct tt_message_stats stats;
        struct tt_status status =
            tt_message_stats_compute(t, tt_trace_capture(trace), tables[i].messages, &w, &stats);
        cr_assert(!tt_failed(&status));
        cr_assert_eq(sheet.count, stats.count);
        uint64_t busy = 0, rounds = 0, deepest = 0;
        for (size_t n = 0; n < stats.count; n++) {
            struct tt_table_row row;
            tt_table_row_at(&sheet, n, &row);
            const struct tt_distribution *round =
                tt_table_distribution(sheet.table, &row, TT_SAMPLES_round);
            rounds += stats.rows[n].round.sum - (round ? round->sum : 0);
            if (sheet.table == &tt_table_servers) {
                busy += stats.rows[n].busy - tt_table_number(sheet.table, &row, "busy");
                deepest +=
                    stats.rows[n].waiting_max - tt_table_number(sheet.table, &row, "waiting_max");
            }
        }
        cr_expect(busy == 0 && rounds == 0 && deepest == 0, "table %zu", i);
        tt_message_stats_free(&stats);
        tt_table_free(&sheet);
    }
    tt_events_free(events);
    tt_trace_close(trace);
}

/* Returns the sum of the CPU time of a server process for the threads of a client process. */
static struct tt_message_stat sum_of(const struct tt_message_stats *cells, uint32_t client,
                                     uint32_t server)
{
    struct tt_message_stat sum = {0};
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->rows[i].client_process == client && cells->rows[i].process == server) {
            sum.imposed += cells->rows[i].imposed;
            sum.charged += cells->rows[i].charged;
        }
    }
    return sum;
}

Test(message_counting, sheets_have_the_cpu_time_by_client)
{
    struct tt_trace *trace = open_indexed("samples/demo.kev");
    struct tt_events *events = tt_events_new(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_message_window w = window_of(t, 0, 1000);
    struct tt_message_stats cells;
    struct tt_status status =
        tt_message_stats_compute(t, tt_trace_capture(trace), TT_MESSAGES_BY_MATRIX, &w, &cells);
    cr_assert(!tt_failed(&status));
    struct tt_table_run sheet = sheet_of(trace, events, &tt_table_matrix, 7);
    cr_assert_eq(sheet.count, cells.count);
    struct tt_table_row row;
    for (size_t i = 0; i < sheet.count; i++) {
        unsigned found = 0;
        tt_table_row_at(&sheet, i, &row);
        for (size_t n = 0; n < cells.count; n++) {
            found += cells.rows[n].client == row.of.thread &&
                     cells.rows[n].process == row.of.process &&
                     cells.rows[n].imposed == tt_table_number(sheet.table, &row, "imposed") &&
                     cells.rows[n].imposed_gross ==
                         tt_table_number(sheet.table, &row, "imposed_gross") &&
                     cells.rows[n].charged == tt_table_number(sheet.table, &row, "charged");
        }
        cr_expect_eq(found, 1u, "row %zu", i);
    }
    tt_table_free(&sheet);
    struct tt_table_request request = {
        .table = &tt_table_message_pairs, .trace = trace, .events = events, .with_clients = true};
    tt_table_request_range(&request, &(struct tt_key_range){.to_ticks = UINT64_MAX});
    status = tt_table_begin(&sheet, &request);
    unsigned steps = 0;
    for (; !tt_failed(&status) && !sheet.complete; steps++) {
        status = tt_table_step(&sheet, 300);
    }
    cr_assert(!tt_failed(&status));
    cr_expect_leq(steps, 20u); /* the messages are counted once */
    for (size_t i = 0; i < sheet.count; i++) {
        tt_table_row_at(&sheet, i, &row);
        struct tt_message_stat sum = sum_of(&cells, row.of.peer, row.of.process);
        cr_expect_eq(tt_table_number(sheet.table, &row, "imposed"),
                     row.of.kind ? TT_TABLE_NONE : sum.imposed);
        cr_expect_eq(tt_table_number(sheet.table, &row, "charged"),
                     row.of.kind ? TT_TABLE_NONE : sum.charged);
    }
    tt_table_free(&sheet);
    tt_message_stats_free(&cells);
    tt_events_free(events);
    tt_trace_close(trace);
}

Test(message_counting, a_sheet_of_objects_has_the_rows_of_the_statistics)
{
    struct tt_trace *trace = open_indexed("samples/demo.kev");
    struct tt_events *events = tt_events_new(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_object_window w = {tt_timelines_begin(t), tt_timelines_limit(t), NULL, 0};
    struct tt_table_run sheet = sheet_of(trace, events, &tt_table_objects, 3);
    struct tt_object_stats stats;
    struct tt_status status = tt_object_stats_compute(t, &w, &stats);
    cr_assert(!tt_failed(&status));
    cr_assert_eq(sheet.count, stats.count);
    for (size_t n = 0; n < stats.count; n++) {
        const struct tt_object_stat *stat = &stats.rows[n];
        unsigned found = 0;
        for (size_t i = 0; i < sheet.count; i++) {
            struct tt_table_row row;
            tt_table_row_at(&sheet, i, &row);
            if (row.of.number == stat->object.id && row.of.process == stat->object.process &&
                row.of.kind == stat->object.kind) {
                const struct tt_table *table = sheet.table;
                const struct tt_table_column *waiter = tt_table_column_of(table, "waiter");
                const struct tt_distribution *wait, *hold;
                char text[256];
                wait = tt_table_distribution(table, &row, TT_SAMPLES_wait);
                hold = tt_table_distribution(table, &row, TT_SAMPLES_hold);
                found += tt_table_number(table, &row, "waits") == stat->waits &&
                         (wait ? wait->sum : 0) == stat->wait.sum &&
                         (hold ? hold->max_at : 0) == stat->hold.max_at &&
                         tt_table_cell_of(&sheet, waiter, &row, text, sizeof text).thread ==
                             stat->longest_waiter;
            }
        }
        cr_expect_eq(found, 1u, "object %zu", n);
    }
    struct tt_table_row row;
    tt_table_row_at(&sheet, 0, &row);
    row.of.number = 0xabc;
    row.of.kind = TT_OBJECT_MUTEX;
    cr_expect_str_eq(cell_of(&sheet, &row, "label"), "0xabc");
    cr_expect_str_eq(cell_of(&sheet, &row, "kind"), "mutex");
    row.of.number = TT_NO_OBJECT_ID;
    cr_expect_str_eq(cell_of(&sheet, &row, "object"), "-");
    tt_object_stats_free(&stats);
    tt_table_free(&sheet);
    tt_events_free(events);
    tt_trace_close(trace);
}

Test(message_counting, a_sheet_of_messages_has_the_longest_first)
{
    struct tt_trace *trace = open_indexed("samples/demo.kev");
    struct tt_events *events = tt_events_new(trace);
    struct tt_table_run sheet = sheet_of(trace, events, &tt_table_single_messages, 1000);
    struct tt_table_row row;
    cr_assert_eq(sheet.count, 5u);
    cr_expect_gt(sheet.left_out, 0u);
    tt_table_row_at(&sheet, 0, &row);
    /* The longest round of `stats --by message`; `dump --messages` has its parts. */
    cr_expect_str_eq(cell_of(&sheet, &row, "round"), "2144989");
    cr_expect_str_eq(cell_of(&sheet, &row, "client"), "logger/1 writer");
    cr_expect_str_eq(cell_of(&sheet, &row, "server"), "io-blk/2 serve");
    cr_expect_str_eq(cell_of(&sheet, &row, "end"), "reply");
    cr_expect_str_eq(cell_of(&sheet, &row, "service_parts"), "running 3 ready 1 wait 94");
    row.of.to = TT_NO_THREAD;
    cr_expect_str_eq(cell_of(&sheet, &row, "server"), "io-blk");
    const struct tt_table_column *part = tt_table_column_of(sheet.table, "run_pct");
    memset((char *)&row + part->basis, 0, sizeof(uint64_t)); /* no part is known */
    cr_expect_str_eq(cell_of(&sheet, &row, "service_parts"), "-");
    cr_expect_str_eq(cell_of(&sheet, &row, "run_pct"), "-");
    tt_table_free(&sheet);
    tt_events_free(events);
    tt_trace_close(trace);
}

/* ---- errors ------------------------------------------------------------------------------- */

/* Writes a capture in which a client sends three messages; two of the answers are errors. */
static void write_errors(char *path)
{
    enum { RUNNING = 1, REPLY = 6, COMM_REPLY = 10, COMM_ERROR = 11 };
    static const unsigned answers[] = {COMM_ERROR, COMM_REPLY, COMM_ERROR};
    struct kev_build b;
    uint32_t at = 1000;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_slots_begin(&b);
    kev_build_event(&b, 0, KB_CONTROL, 1, 0, 2, 0, 0);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        kev_build_event(&b, 0, KB_THREAD, RUNNING, at += 10, 2, 3, 1);
        kev_build_event(&b, 0, KB_COMM, 0, at += 10, 2, 0x10001, 2);
        kev_build_event(&b, 0, KB_THREAD, REPLY, at += 10, 2, 3, 1);
        kev_build_event(&b, 0, KB_THREAD, RUNNING, at += 10, 2, 2, 1);
        kev_build_event(&b, 0, KB_COMM, answers[i], at += 10, 2, 1, 3);
    }
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, b.bytes, b.size) == (ssize_t)b.size);
    close(fd);
    kev_build_free(&b);
}

Test(message_counting, a_sheet_has_the_errors_of_each_row)
{
    static const struct tt_table *const tables[] = {&tt_table_clients, &tt_table_servers,
                                                    &tt_table_channels};
    char path[] = "/tmp/tt-errors-XXXXXX";
    write_errors(path);
    struct tt_trace *trace = open_indexed(path);
    struct tt_events *events = tt_events_new(trace);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct tt_table_run sheet = sheet_of(trace, events, tables[i], 1000);
        struct tt_table_row row;
        cr_assert_geq(sheet.count, 1u);
        tt_table_row_at(&sheet, 0, &row);
        cr_expect_eq(tt_table_number(sheet.table, &row, "count"), 3u);
        cr_expect_eq(tt_table_number(sheet.table, &row, "errors"), 2u, "table %zu", i);
        cr_expect_str_eq(cell_of(&sheet, &row, "errors"), "2");
        tt_table_free(&sheet);
    }
    tt_events_free(events);
    tt_trace_close(trace);
    unlink(path);
}
