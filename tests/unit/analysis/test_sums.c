/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums in the sheets of `stats`, over random windows of samples, real and simulated captures:
 *
 *      |---- first ----|-------- second --------|-- third --|    add up, row by row, to
 *      |---------------------- whole -----------------------|
 *
 * and the sheets agree with each other as docs/metrics.md defines. Every sheet is made in steps of
 * random size; some are dropped half made and begun again.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table/registry.h"
#include "tracetui/table.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

struct capture_of_test {
    const char *path;
    struct tt_trace *trace;
    struct tt_events *events;
};

/* ---- sheets in steps ---------------------------------------------------------------------- */

static uint64_t random_work(void)
{
    static const uint64_t works[] = {1, 20, 300, 4000, UINT64_MAX};
    return works[dice(sizeof works / sizeof *works)];
}

static void step(struct tt_table_run *sheet, uint64_t work)
{
    struct tt_status status = tt_table_step(sheet, work);
    cr_assert(!tt_failed(&status), "%s", status.text);
    if (dice(8) == 0) {
        status = tt_table_refresh(sheet);
        cr_assert(!tt_failed(&status), "%s", status.text);
    }
}

static void begin(struct tt_table_run *sheet, const struct tt_table_request *request)
{
    struct tt_status status = tt_table_begin(sheet, request);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

/* Makes a sheet; the caller frees it. */
static struct tt_table_run make_sheet(const struct tt_table_request *request)
{
    struct tt_table_run sheet;
    uint64_t work = random_work();
    begin(&sheet, request);
    if (dice(4) == 0) { /* dropped and begun again */
        for (uint64_t steps = 1 + dice(20); steps > 0; steps--) {
            step(&sheet, 1 + dice(50));
        }
        tt_table_free(&sheet);
        begin(&sheet, request);
    }
    while (!sheet.complete) {
        step(&sheet, work);
        work += work < UINT64_MAX / 2 ? work / 8 : 0; /* even small steps come to an end */
    }
    return sheet;
}

static struct tt_table_request request_of(const struct capture_of_test *c,
                                          const struct tt_table *by,
                                          const struct tt_key_range *keys)
{
    struct tt_table_request request = {.table = by, .trace = c->trace, .events = c->events};
    tt_table_request_range(&request, keys);
    return request;
}

static struct tt_table_run sheet_of(const struct capture_of_test *c, const struct tt_table *by,
                                    const struct tt_key_range *keys)
{
    struct tt_table_request request = request_of(c, by, keys);
    return make_sheet(&request);
}

/* ---- windows ------------------------------------------------------------------------------ */

struct key {
    uint64_t ticks;
    uint64_t pos;
};

/* Returns a time, an event, or the end of the capture, for which the largest tick is used. */
static struct key random_key(const struct capture_of_test *c)
{
    const struct tt_timelines *t = tt_trace_timelines(c->trace);
    uint64_t rows = tt_events_rows(c->events), begin_ticks = tt_timelines_begin(t);
    struct tt_event event;
    if (dice(12) == 0) {
        return dice(2) ? (struct key){0, 0} : (struct key){UINT64_MAX, UINT64_MAX};
    }
    if (dice(2) && tt_events_read(c->events, dice(rows), 1, &event) == 1 &&
        event.ticks < UINT64_MAX) {
        return (struct key){event.ticks, event.pos};
    }
    return (struct key){begin_ticks + dice(tt_timelines_end(t) - begin_ticks + 2), 0};
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->ticks != y->ticks) {
        return x->ticks < y->ticks ? -1 : 1;
    }
    return (x->pos > y->pos) - (x->pos < y->pos);
}

#define PARTS 3

struct windows {
    struct tt_key_range whole;
    struct tt_key_range parts[PARTS];
};

static struct tt_key_range range_of(struct key from, struct key to)
{
    return (struct tt_key_range){from.ticks, from.pos, to.ticks, to.pos};
}

static struct windows random_windows(const struct capture_of_test *c)
{
    struct key keys[PARTS + 1];
    struct windows w;
    for (unsigned i = 0; i <= PARTS; i++) {
        keys[i] = random_key(c);
    }
    qsort(keys, PARTS + 1, sizeof *keys, compare_keys);
    for (unsigned i = 0; i < PARTS; i++) {
        w.parts[i] = range_of(keys[i], keys[i + 1]);
    }
    w.whole = range_of(keys[0], keys[PARTS]);
    return w;
}

/* ---- values ------------------------------------------------------------------------------- */

static bool is_one_of(const char *key, const char *const *keys)
{
    while (*keys && strcmp(key, *keys) != 0) {
        keys++;
    }
    return *keys != NULL;
}

/* Returns whether the column adds up over consecutive windows. */
static bool is_additive(const struct tt_table_column *column)
{
    static const char *const others[] = {
        "processes", "threads", "cpus", "idle",     "stack_min", "stack_size", "vector", "depth",
        "address",   "size",    "used", "used_pct", "min",       "min_event",  NULL};
    switch (column->unit) {
    case TT_UNIT_MEAN_US: /* of a mean: the sum that it is made of */
        return true;
    case TT_UNIT_TIME_MS:
        return true;
    case TT_UNIT_COUNT:
        return !column->is_level && !is_one_of(column->key, others);
    default:
        return false;
    }
}

/* Returns the value in ticks or as a count; TT_TABLE_NONE: the capture has none. */
static uint64_t value_of(const struct tt_table_column *column, const void *row)
{
    uint64_t value;
    size_t sum = column->unit == TT_UNIT_MEAN_US ? offsetof(struct tt_distribution, sum) : 0;
    memcpy(&value, (const char *)row + column->field + sum, sizeof value);
    return value;
}

static const struct tt_table_column *column_of(const struct tt_table_run *sheet, const char *key)
{
    const struct tt_table_column *column = sheet->columns;
    const struct tt_table_column *end = column + sheet->column_count;
    while (column < end && strcmp(column->key, key) != 0) {
        column++;
    }
    cr_assert(column < end, "no column %s", key);
    return column;
}

/* Finds the row of the sheet with the same subject; all zero, and false, if it has none. */
static bool row_like(const struct tt_table_run *sheet, const struct tt_table_row *like,
                     struct tt_table_row *row)
{
    for (size_t i = 0; i < sheet->count; i++) {
        tt_table_row_at(sheet, i, row);
        if (tt_subject_is(&row->of, &like->of)) {
            return true;
        }
    }
    memset(row, 0, sizeof *row);
    return false;
}

typedef bool row_filter(const struct tt_capture *c, const struct tt_table_row *row);

static bool any_row(const struct tt_capture *c, const struct tt_table_row *row)
{
    (void)c, (void)row;
    return true;
}

static bool is_idle(const struct tt_capture *c, const struct tt_table_row *row)
{
    return tt_thread_at(c, row->of.thread)->idle;
}

static bool is_not_idle(const struct tt_capture *c, const struct tt_table_row *row)
{
    return !is_idle(c, row) && !tt_thread_at(c, row->of.thread)->pseudo;
}

static bool from_thread(const struct tt_capture *c, const struct tt_table_row *row)
{
    return row->of.from < tt_thread_count(c);
}

static bool to_thread(const struct tt_capture *c, const struct tt_table_row *row)
{
    return row->of.to < tt_thread_count(c);
}

/* Returns the sum of a column over the rows that the filter selects. */
static uint64_t sum_where(const struct tt_table_run *sheet, const char *key, row_filter *filter)
{
    const struct tt_table_column *column = column_of(sheet, key);
    uint64_t sum = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        struct tt_table_row row;
        tt_table_row_at(sheet, i, &row);
        sum += filter(sheet->capture, &row) ? value_of(column, &row) : 0;
    }
    return sum;
}

static uint64_t sum_of(const struct tt_table_run *sheet, const char *key)
{
    return sum_where(sheet, key, any_row);
}

#define same(path, what, a, b)                                                                     \
    do {                                                                                           \
        uint64_t a_ = (a), b_ = (b);                                                               \
        cr_assert_eq(a_, b_, "%s: %s: %" PRIu64 ", not %" PRIu64, path, what, a_, b_);             \
    } while (0)

/* ---- windows add up ----------------------------------------------------------------------- */

static void check_row_adds_up(const char *path, const struct tt_table_run *whole,
                              const struct tt_table_row *row,
                              const struct tt_table_run parts[PARTS])
{
    struct tt_table_row rows[PARTS];
    bool has[PARTS];
    for (unsigned p = 0; p < PARTS; p++) {
        has[p] = row_like(&parts[p], row, &rows[p]);
    }
    for (size_t i = 0; i < whole->column_count; i++) {
        const struct tt_table_column *column = &whole->columns[i];
        uint64_t all = value_of(column, row), sum = 0;
        if (!is_additive(column) || !tt_table_prints(whole, column)) {
            continue;
        }
        for (unsigned p = 0; p < PARTS; p++) {
            uint64_t part = value_of(column, &rows[p]);
            bool absent = !has[p] && part == 0;
            cr_assert(all != TT_TABLE_NONE || part == TT_TABLE_NONE || absent, "%s: %s", path,
                      column->key);
            sum += part;
        }
        if (all != TT_TABLE_NONE) {
            same(path, column->key, sum, all);
        }
    }
}

static void check_windows(const struct capture_of_test *c, const struct tt_table *by)
{
    struct windows w = random_windows(c);
    struct tt_table_run whole = sheet_of(c, by, &w.whole), parts[PARTS];
    for (unsigned p = 0; p < PARTS; p++) {
        parts[p] = sheet_of(c, by, &w.parts[p]);
    }
    for (size_t i = 0; i < whole.count; i++) {
        struct tt_table_row row;
        tt_table_row_at(&whole, i, &row);
        check_row_adds_up(c->path, &whole, &row, parts);
    }
    for (unsigned p = 0; p < PARTS; p++) {
        tt_table_free(&parts[p]);
    }
    tt_table_free(&whole);
}

/* ---- one window --------------------------------------------------------------------------- */

/*
 * The line "total" of a sheet is the sum of the rows that count. The times in which a thread of a process
 * runs have no sum, as processes run at the same time.
 */
static void check_total_line(const char *path, const struct tt_table_run *sheet, row_filter *filter)
{
    for (size_t i = 0; sheet->has_total && i < sheet->column_count; i++) {
        const struct tt_table_column *column = &sheet->columns[i];
        bool adds = is_additive(column) || strcmp(column->key, "threads") == 0;
        if (strcmp(column->key, "running_any") == 0) {
            same(path, column->key, value_of(column, sheet->total), TT_TABLE_NONE);
        } else if (adds && !column->of_tool) {
            same(path, column->key, value_of(column, sheet->total),
                 sum_where(sheet, column->key, filter));
        }
    }
}

/* Five times of a CPU are the window's part inside the capture. */
static void check_cpu_rows(const char *path, const struct tt_table_run *cpus)
{
    for (size_t i = 0; i < cpus->count; i++) {
        struct tt_table_row row;
        tt_table_row_at(cpus, i, &row);
        static const char *const times[] = {"busy", "idle", "irq", "kernel", "unknown"};
        uint64_t sum = 0;
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            sum += tt_table_number(cpus->table, &row, times[k]);
        }
        same(path, "a CPU's times", sum, cpus->window);
    }
    check_total_line(path, cpus, any_row);
}

static void check_thread_rows(const char *path, const struct tt_table_run *threads)
{
    for (size_t i = 0; i < threads->count; i++) {
        struct tt_table_row row;
        tt_table_row_at(threads, i, &row);
        const struct tt_thread_sums *s = (const void *)((const char *)&row + threads->table->sums);
        same(path, "switches_out", tt_table_number(threads->table, &row, "switches_out"),
             s->out_voluntary + s->out_preempted + s->out_unknown);
        same(path, "running", s->ticks[TT_CLASS_RUNNING],
             tt_table_number(threads->table, &row, "run") + s->irq);
    }
    check_total_line(path, threads, is_not_idle);
}

/* Ticks in interrupts while no thread had the CPU: the kernel, idleness without a thread. */
static uint64_t irq_without_thread(const struct capture_of_test *c, const struct tt_key_range *keys)
{
    const struct tt_timelines *t = tt_trace_timelines(c->trace);
    uint64_t ticks = 0;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_occupation_at at;
        bool more = tt_occupation_first(t, (uint16_t)cpu, &at);
        for (; more; more = tt_occupation_next(t, &at)) {
            struct tt_occupation o = tt_occupation_get(t, at);
            uint64_t from = o.start > keys->from_ticks ? o.start : keys->from_ticks;
            uint64_t to = o.end < keys->to_ticks ? o.end : keys->to_ticks;
            bool thread = o.occupant < tt_thread_count(tt_trace_capture(c->trace));
            ticks += !thread && to > from ? tt_cpu_irq(t, (uint16_t)cpu, from, to) : 0;
        }
    }
    return ticks;
}

/* Returns a number of the only row of the table of totals. */
static uint64_t of_all(const struct tt_table_run *total, const char *key)
{
    struct tt_table_row row;
    tt_table_row_at(total, 0, &row);
    return tt_table_number(total->table, &row, key);
}

/* Time and switches by thread, by CPU, by process and by pair are the same time and switches. */
static void check_agreement(const struct capture_of_test *c, const struct tt_key_range *keys)
{
    const char *path = c->path;
    struct tt_table_run cpus = sheet_of(c, &tt_table_cpus, keys);
    struct tt_table_run threads = sheet_of(c, &tt_table_threads, keys);
    struct tt_table_run processes = sheet_of(c, &tt_table_processes, keys);
    struct tt_table_run pairs = sheet_of(c, &tt_table_pairs, keys);
    struct tt_table_run total = sheet_of(c, &tt_table_total, keys);

    check_cpu_rows(path, &cpus);
    check_thread_rows(path, &threads);
    check_total_line(path, &processes, any_row);
    same(path, "run of threads", sum_where(&threads, "run", is_not_idle), sum_of(&cpus, "busy"));
    same(path, "run of processes", sum_of(&processes, "run"), sum_of(&cpus, "busy"));
    if (sum_where(&threads, "idle", any_row) > 0) { /* idle is a thread */
        same(path, "run of idle threads", sum_where(&threads, "run", is_idle),
             sum_of(&cpus, "idle"));
    }
    same(path, "irq", sum_of(&threads, "irq") + irq_without_thread(c, keys), sum_of(&cpus, "irq"));
    same(path, "switches by pair", sum_of(&pairs, "count"), sum_of(&cpus, "switches"));
    same(path, "switches in", sum_of(&threads, "switches_in"),
         sum_where(&pairs, "count", to_thread));
    same(path, "switches out", sum_of(&threads, "switches_out"),
         sum_where(&pairs, "count", from_thread));
    same(path, "busy of all", of_all(&total, "busy"), sum_of(&cpus, "busy"));
    same(path, "migrations of all", of_all(&total, "migrations"),
         sum_where(&threads, "migrations", is_not_idle));
    same(path, "delays of all", of_all(&total, "delay_count"),
         sum_where(&threads, "delay_count", is_not_idle));
    if (!total.has_tool) {
        same(path, "switches of all", of_all(&total, "context_switches"),
             sum_of(&cpus, "switches"));
        same(path, "interrupts of all", of_all(&total, "interrupts"), sum_of(&cpus, "irq_count"));
        same(path, "preemptions of all", of_all(&total, "preemptions"),
             sum_where(&threads, "preempted", is_not_idle));
        same(path, "inversions", of_all(&total, "inversions_deterministic"), TT_TABLE_NONE);
    }
    tt_table_free(&cpus);
    tt_table_free(&threads);
    tt_table_free(&processes);
    tt_table_free(&pairs);
    tt_table_free(&total);
}

/* ---- some CPUs, some threads -------------------------------------------------------------- */

/* Checks the row and the pairs of one CPU; `run`: the run time of threads on it. */
static void check_one_cpu(const char *path, struct tt_table_request *request, uint64_t run)
{
    request->table = &tt_table_cpus;
    struct tt_table_run cpu = make_sheet(request);
    request->table = &tt_table_pairs;
    struct tt_table_run pairs = make_sheet(request);
    cr_assert_eq(cpu.count, 1, "%s: rows of one CPU", path);
    same(path, "run on one CPU", run, sum_of(&cpu, "busy"));
    same(path, "switches of one CPU", sum_of(&pairs, "count"), sum_of(&cpu, "switches"));
    tt_table_free(&cpu);
    tt_table_free(&pairs);
}

/* Each CPU alone, together: all but what came before a thread's first run. */
static void check_single_cpus(const struct capture_of_test *c, const struct tt_key_range *keys)
{
    static const char *const by_cpu[] = {"run",         "irq",         "switches_in", "voluntary",
                                         "preempted",   "unknown_out", "migrations",  "slices",
                                         "delay_count", NULL};
    struct tt_table_run whole = sheet_of(c, &tt_table_threads, keys);
    uint64_t sums[sizeof by_cpu / sizeof *by_cpu] = {0};
    for (uint32_t cpu = 0; cpu < tt_cpu_count(tt_trace_timelines(c->trace)); cpu++) {
        uint64_t bits[TT_NO_CPU / 64 + 1] = {0};
        struct tt_table_request request = request_of(c, &tt_table_threads, keys);
        bits[cpu / 64] = UINT64_C(1) << (cpu % 64);
        request.window.cpus = bits;
        request.window.cpu_limit = TT_NO_CPU;
        struct tt_table_run one = make_sheet(&request);
        for (unsigned k = 0; by_cpu[k]; k++) {
            sums[k] += sum_of(&one, by_cpu[k]);
        }
        uint64_t run = sum_where(&one, "run", is_not_idle);
        tt_table_free(&one);
        check_one_cpu(c->path, &request, run);
    }
    for (unsigned k = 0; by_cpu[k]; k++) {
        same(c->path, by_cpu[k], sums[k], sum_of(&whole, by_cpu[k]));
    }
    tt_table_free(&whole);
}

/* A process row of some threads is the sum of their rows. */
static void check_some_threads(const struct capture_of_test *c, const struct tt_key_range *keys)
{
    uint32_t count = tt_thread_count(tt_trace_capture(c->trace));
    uint64_t *bits = calloc(count / 64 + 1, sizeof *bits);
    cr_assert_not_null(bits);
    for (uint32_t thread = 0; thread < count; thread++) {
        bits[thread / 64] |= dice(2) << (thread % 64);
    }
    struct tt_table_request request = request_of(c, &tt_table_threads, keys);
    request.threads = bits;
    request.thread_limit = count;
    struct tt_table_run threads = make_sheet(&request);
    request.table = &tt_table_processes;
    struct tt_table_run processes = make_sheet(&request);
    for (size_t i = 0; i < processes.column_count; i++) {
        const struct tt_table_column *column = &processes.columns[i];
        if (strcmp(column->key, "running_any") == 0) {
            /* Threads of a process run at the same time. */
            cr_assert_leq(sum_of(&processes, column->key), sum_of(&processes, "running"), "%s",
                          c->path);
        } else if (is_additive(column)) {
            same(c->path, column->key, sum_of(&processes, column->key),
                 sum_where(&threads, column->key, is_not_idle));
        }
    }
    tt_table_free(&threads);
    tt_table_free(&processes);
    free(bits);
}

/* ---- events ------------------------------------------------------------------------------- */

static bool is_of(const struct tt_capture *c, const struct tt_event *event,
                  const struct tt_table_row *row)
{
    const struct tt_event_type *type = tt_types_at(c, event->type);
    return (event->flags & TT_EVENT_UNNUMBERED) == 0 && type->class_id == row->of.class_id &&
           strcmp(type->name, row->of.name) == 0;
}

/* Counts the events of a row among rows [first, end) of the trace, one by one. */
static uint64_t count_events(const struct capture_of_test *c, const struct tt_table_row *row,
                             uint64_t first, uint64_t end)
{
    struct tt_event batch[256];
    uint64_t count = 0;
    while (first < end) {
        uint32_t got = tt_events_read(c->events, first,
                                      end - first < 256 ? (uint32_t)(end - first) : 256, batch);
        cr_assert_gt(got, 0);
        for (uint32_t i = 0; i < got; i++) {
            count += is_of(tt_trace_capture(c->trace), &batch[i], row);
        }
        first += got;
    }
    return count;
}

static void check_events(const struct capture_of_test *c, const struct tt_key_range *keys)
{
    struct tt_table_request request = request_of(c, &tt_table_event_names, keys);
    struct tt_table_run names = make_sheet(&request);
    struct tt_table_run total = sheet_of(c, &tt_table_total, keys);
    struct tt_table_row row;
    tt_table_row_at(&total, 0, &row);
    same(c->path, "events of all names", sum_of(&names, "count"),
         tt_table_number(total.table, &row, "events"));
    for (size_t i = 0; i < names.count; i++) {
        tt_table_row_at(&names, i, &row);
        same(c->path, row.of.name, tt_table_number(names.table, &row, "count"),
             count_events(c, &row, request.first_row, request.end_row));
    }
    tt_table_free(&names);
    tt_table_free(&total);
}

/* ---- durations of events ------------------------------------------------------------------- */

/* Count, sum and maximum of durations, computed from the events one by one. */
struct durations {
    uint64_t count;
    uint64_t sum;
    uint64_t max;
};

static void add_duration(struct durations *d, uint64_t ticks)
{
    d->count++;
    d->sum += ticks;
    d->max = ticks > d->max ? ticks : d->max;
}

#define CPUS    8
#define THREADS 256
#define DEPTH   16

struct walk {
    struct durations interrupts; /* nested on their CPU */
    struct durations calls;      /* MSG_SENDV, until the thread's exit from that call */
    struct durations periods;    /* from one THRUNNING to the next */
    uint64_t entered[CPUS][DEPTH];
    unsigned depth[CPUS];
    uint64_t called[THREADS];
    const char *call[THREADS]; /* NULL: none */
    uint64_t last_running;
};

static void walk_event(struct walk *w, const struct tt_capture *c, const struct tt_event *event)
{
    const struct tt_event_type *type = tt_types_at(c, event->type);
    unsigned cpu = event->cpu, thread = event->thread;
    if (strcmp(type->name, "INT_ENTR") == 0) {
        cr_assert(cpu < CPUS && w->depth[cpu] < DEPTH);
        w->entered[cpu][w->depth[cpu]++] = event->ticks;
    } else if (strcmp(type->name, "INT_EXIT") == 0 && w->depth[cpu] > 0) {
        add_duration(&w->interrupts, event->ticks - w->entered[cpu][--w->depth[cpu]]);
    } else if (strcmp(type->name, "THRUNNING") == 0) {
        if (w->last_running > 0) {
            add_duration(&w->periods, event->ticks - w->last_running);
        }
        w->last_running = event->ticks;
    } else if (strcmp(type->class_name, "KER_CALL") == 0 && thread < THREADS) {
        w->call[thread] = type->name;
        w->called[thread] = event->ticks;
    } else if (strcmp(type->class_name, "KER_EXIT") == 0 && thread < THREADS && w->call[thread] &&
               strcmp(w->call[thread], type->name) == 0) {
        if (strcmp(type->name, "MSG_SENDV") == 0) {
            add_duration(&w->calls, event->ticks - w->called[thread]);
        }
        w->call[thread] = NULL;
    }
}

static void check_durations(const struct durations *walked, const struct tt_distribution *d,
                            const char *name)
{
    cr_assert_gt(walked->count, 10, "%s", name);
    same(name, "count", d->count, walked->count);
    same(name, "sum", d->sum, walked->sum);
    same(name, "max", d->max, walked->max);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 5;
}

TestSuite(sums, .init = begin_seed);

Test(sums, durations_of_events)
{
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    static struct walk w;
    struct capture_of_test c = {.path = "samples/demo.kev"};
    struct tt_status status = tt_trace_open(c.path, NULL, &c.trace);
    cr_assert(!tt_failed(&status));
    status = tt_trace_index(c.trace);
    cr_assert(!tt_failed(&status));
    c.events = tt_events_new(c.trace);
    cr_assert_not_null(c.events);
    struct tt_event event;
    for (uint64_t row = 0; tt_events_read(c.events, row, 1, &event) == 1; row++) {
        walk_event(&w, tt_trace_capture(c.trace), &event);
    }
    struct tt_table_run names = sheet_of(&c, &tt_table_event_names, &all);
    for (size_t i = 0; i < names.count; i++) {
        struct tt_table_row row;
        tt_table_row_at(&names, i, &row);
        if (strcmp(row.of.name, "INT_ENTR") == 0) {
            check_durations(&w.interrupts,
                            tt_table_distribution(names.table, &row, TT_SAMPLES_duration),
                            row.of.name);
        } else if (strcmp(row.of.name, "THRUNNING") == 0) {
            check_durations(&w.periods, tt_table_distribution(names.table, &row, TT_SAMPLES_period),
                            row.of.name);
        } else if (strcmp(tt_classes_name(tt_trace_capture(c.trace), row.of.class_id),
                          "KER_CALL") == 0 &&
                   strcmp(row.of.name, "MSG_SENDV") == 0) {
            check_durations(&w.calls, tt_table_distribution(names.table, &row, TT_SAMPLES_duration),
                            row.of.name);
        }
    }
    tt_table_free(&names);
    tt_events_free(c.events);
    tt_trace_close(c.trace);
}

/* ---- captures ----------------------------------------------------------------------------- */

static void check_capture(const char *path, unsigned rounds)
{
    struct capture_of_test c = {.path = path};
    struct tt_status status = tt_trace_open(path, NULL, &c.trace);
    if (tt_failed(&status)) {
        return; /* damaged from its header on: other tests */
    }
    status = tt_trace_index(c.trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    c.events = tt_events_new(c.trace);
    cr_assert_not_null(c.events);
    for (unsigned round = 0; tt_trace_timelines(c.trace) && round < rounds; round++) {
        struct windows w = random_windows(&c);
        const struct tt_table *table;
        for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
            if (table == &tt_table_inversions || table->of_messages ||
                table == &tt_table_migrations) {
                continue; /* a list: windows divide an inversion into several */
            }
            bool is_slow = table == &tt_table_blame;
            if (is_slow ? round == 0 : table != &tt_table_pairs || round % 4 == 0) {
                check_windows(&c, table);
            }
        }
        check_agreement(&c, &w.whole);
        check_some_threads(&c, &w.whole);
        check_single_cpus(&c, &w.whole);
        if (round % 4 == 0) {
            check_events(&c, &w.whole);
        }
    }
    tt_events_free(c.events);
    tt_trace_close(c.trace);
}

static void check_all(const char *pattern, unsigned rounds)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        cr_assert(strncmp(pattern, "samples/", 8) != 0, "%s: samples are missing", pattern);
        cr_skip_test("there is nothing like %s", pattern);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_capture(found.gl_pathv[i], rounds);
    }
    globfree(&found);
}

Test(sums, kev_samples)
{
    check_all("samples/*.kev", 12);
}

Test(sums, other_samples)
{
    check_all("samples/*.fxt", 12);
    check_all("samples/*.trx", 12);
    check_all("samples/*.btrace", 12);
}

Test(sums, real_fxt)
{
    check_all("../shared/captures/fxt/*.fxt", 4);
}

Test(sums, real_trx)
{
    check_all("../shared/captures/trx/*.trx", 3);
}

/* ---- simulated captures ------------------------------------------------------------------- */

/* BUILD_DIR has the simulator (tests/run.sh sets it). */
static void check_simulated(const char *format, const char *options)
{
    static const char *const scenarios[] = {"mixed", "irqstorm", "churn", "inversion"};
    const char *build = getenv("BUILD_DIR");
    char command[400], path[80];
    snprintf(command, sizeof command, "%s/ttsim", build ? build : "build/asan");
    if (access(command, X_OK) != 0) {
        cr_assert(!build, "there is no simulator %s", command);
        cr_skip_test("there is no simulator %s", command);
    }
    snprintf(path, sizeof path, "/tmp/tt-sums-%ld.%s", (long)getpid(), format);
    for (unsigned i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        snprintf(
            command, sizeof command,
            "%s/ttsim --scenario %s --format %s --events 4000 --seed %u %s -o %s >/dev/null 2>&1",
            build ? build : "build/asan", scenarios[i], format, 21 + i, options, path);
        cr_assert_eq(system(command), 0, "%s", command);
        check_capture(path, 3);
    }
    unlink(path);
}

Test(sums, simulated_kev)
{
    check_simulated("kev", "");
}

Test(sums, simulated_kev_with_losses)
{
    check_simulated("kev", "--kev-version 8.0 --lose 8");
}

Test(sums, simulated_fxt)
{
    check_simulated("fxt", "");
}

Test(sums, simulated_trx)
{
    check_simulated("trx", "");
}

Test(sums, simulated_btrace)
{
    check_simulated("btrace", "");
}

Test(sums, simulated_btrace_with_losses)
{
    check_simulated("btrace", "--lose 6");
}
