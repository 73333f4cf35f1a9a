/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of `stats`: numbers of the library, put into sheets. */
#include <stdlib.h>
#include <string.h>

#include "cli/stats.h"

struct making {
    const struct tt_capture *capture;
    const struct tt_timelines *t;
    const struct tt_pick *pick;
    struct tt_window window;
    struct tt_trace *trace;
    struct tt_events *events;
    bool *shrunk;
    struct tt_stat_sheet *sheet;
    struct tt_delays scratch;
    struct tt_thread_totals *own; /* by thread, what the format's tool counts; or NULL */
    struct tt_totals totals;      /* its totals, when `own` is there */
};

static bool wants_thread(const struct making *m, uint32_t thread)
{
    const struct tt_pick *pick = m->pick;
    return !pick->threads ||
           (thread < pick->thread_count && (pick->threads[thread / 64] >> (thread % 64) & 1u));
}

static bool is_counted(const struct making *m, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(m->capture, thread);
    return !t->idle && !t->pseudo;
}

/* Room for so many rows, in the place of what was there. */
static bool reserve(struct making *m, size_t count)
{
    free(m->sheet->rows);
    m->sheet->count = 0;
    m->sheet->rows = calloc(count ? count : 1, sizeof *m->sheet->rows);
    return m->sheet->rows != NULL;
}

static struct tt_stat_row *add_row(struct making *m)
{
    struct tt_stat_row *row = &m->sheet->rows[m->sheet->count++];
    row->thread = row->process = row->from = row->to = TT_NO_THREAD;
    row->cpu = TT_NO_CPU;
    row->priority = row->priority_min = row->priority_max = TT_NO_PRIORITY;
    return row;
}

/* ---- threads and processes ---------------------------------------------------------------- */

static void settle_sums(struct tt_stat_row *row)
{
    const struct tt_thread_sums *s = &row->n.sums;
    row->run = s->ticks[TT_CLASS_RUNNING] - s->irq;
    row->out = s->out_voluntary + s->out_preempted + s->out_unknown;
}

/* Percentiles do not add up: a total has none. */
static void add_distribution(struct tt_distribution *total, const struct tt_distribution *d)
{
    if (d->count > 0 && (total->count == 0 || d->max > total->max)) {
        total->max = d->max;
        total->max_at = d->max_at;
    }
    total->count += d->count;
    total->sum += d->sum;
    total->p50 = total->p95 = total->p99 = TT_STAT_NONE;
}

static void add_to_total(struct tt_stat_sheet *sheet, const struct tt_stat_row *row)
{
    struct tt_stat_row *total = &sheet->total;
    tt_thread_sums_add(&total->n.sums, &row->n.sums);
    add_distribution(&total->n.delay, &row->n.delay);
    add_distribution(&total->n.preempted, &row->n.preempted);
    add_distribution(&total->n.wait, &row->n.wait);
    add_distribution(&total->n.slice, &row->n.slice);
    total->threads += row->threads;
    settle_sums(total);
}

static void set_priorities(const struct making *m, struct tt_stat_row *row)
{
    const struct tt_window *w = &m->window;
    int least, greatest;
    row->priority = tt_thread_priority(m->t, row->thread, w->to > w->from ? w->to - 1 : w->from);
    if (tt_thread_priority_range(m->t, row->thread, w->from, w->to, &least, &greatest)) {
        row->priority_min = least;
        row->priority_max = greatest;
    }
}

static int by_run(const void *x, const void *y)
{
    const struct tt_stat_row *a = x, *b = y;
    if (a->run != b->run) {
        return a->run > b->run ? -1 : 1;
    }
    if (a->process != b->process) {
        return a->process < b->process ? -1 : 1;
    }
    return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Asks for what the format's tool counts, if it does. False when out of memory. */
static bool ask_tool(struct making *m)
{
    uint32_t count = tt_thread_count(m->capture);
    if (!m->capture->format->totals) {
        return true;
    }
    m->own = calloc((size_t)count + 1, sizeof *m->own);
    if (!m->own) {
        return false;
    }
    struct tt_key_range range = {.from_ticks = m->pick->from.ticks,
                                 .from_pos = m->pick->from.pos,
                                 .to_ticks = m->pick->to_end ? UINT64_MAX : m->pick->to.ticks,
                                 .to_pos = m->pick->to_end ? UINT64_MAX : m->pick->to.pos};
    m->sheet->has_tool = tt_events_totals(m->events, &range, &m->totals, m->own);
    return true;
}

static bool make_threads(struct making *m)
{
    uint32_t count = tt_thread_count(m->capture);
    if (!reserve(m, count) || !ask_tool(m)) {
        return false;
    }
    for (uint32_t thread = 0; thread < count; thread++) {
        const struct tt_thread *lane = tt_thread_at(m->capture, thread);
        if (lane->pseudo || !wants_thread(m, thread)) {
            continue;
        }
        struct tt_stat_row *row = add_row(m);
        row->thread = thread;
        row->process = lane->process;
        row->idle = lane->idle;
        row->own = m->sheet->has_tool ? m->own[thread] : row->own;
        if (!tt_numbers_of_thread(m->t, thread, &m->window, &m->scratch, &row->n)) {
            return false;
        }
        set_priorities(m, row);
        settle_sums(row);
        if (is_counted(m, thread)) {
            add_to_total(m->sheet, row);
        }
    }
    qsort(m->sheet->rows, m->sheet->count, sizeof *m->sheet->rows, by_run);
    m->sheet->has_total = true;
    return true;
}

/* The threads that count, ordered by process: process p has those from first[p] to first[p + 1]. */
static uint32_t *group_threads(const struct making *m, uint32_t processes, uint32_t *first)
{
    uint32_t count = tt_thread_count(m->capture);
    uint32_t *threads = calloc((size_t)count + 1, sizeof *threads);
    if (!threads) {
        return NULL;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = count; i-- > 0;) {
            uint32_t process = tt_thread_at(m->capture, i)->process;
            if (process >= processes || !is_counted(m, i) || !wants_thread(m, i)) {
                continue;
            }
            if (pass == 0) {
                first[process]++;
            } else {
                threads[--first[process]] = i;
            }
        }
        for (uint32_t p = 1; pass == 0 && p <= processes; p++) {
            first[p] += first[p - 1];
        }
    }
    return threads;
}

static bool make_grouped(struct making *m, uint32_t processes, const uint32_t *threads,
                         const uint32_t *first)
{
    for (uint32_t process = 0; process < processes; process++) {
        uint32_t count = first[process + 1] - first[process];
        if (count == 0) {
            continue;
        }
        struct tt_stat_row *row = add_row(m);
        row->process = process;
        row->threads = count;
        if (!tt_numbers_of_threads(m->t, threads + first[process], count, &m->window, &m->scratch,
                                   &row->n)) {
            return false;
        }
        settle_sums(row);
        add_to_total(m->sheet, row);
    }
    qsort(m->sheet->rows, m->sheet->count, sizeof *m->sheet->rows, by_run);
    m->sheet->has_total = true;
    return true;
}

static bool make_processes(struct making *m)
{
    uint32_t processes = tt_process_count(m->capture);
    uint32_t *first = calloc((size_t)processes + 1, sizeof *first);
    uint32_t *threads = first ? group_threads(m, processes, first) : NULL;
    bool ok = threads && reserve(m, processes) && make_grouped(m, processes, threads, first);
    free(first);
    free(threads);
    return ok;
}

/* ---- CPUs and pairs ----------------------------------------------------------------------- */

static void add_cpu(struct tt_cpu_sums *total, const struct tt_cpu_sums *c)
{
    total->busy += c->busy;
    total->idle += c->idle;
    total->irq += c->irq;
    total->kernel += c->kernel;
    total->unknown += c->unknown;
    total->interrupts += c->interrupts;
    total->switches += c->switches;
}

static bool make_cpus(struct making *m)
{
    uint32_t count = tt_cpu_count(m->t);
    count = count > m->capture->cpu_count ? count : m->capture->cpu_count;
    if (!reserve(m, count)) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < count && cpu < TT_NO_CPU; cpu++) {
        if (!tt_window_has_cpu(&m->window, cpu)) {
            continue;
        }
        struct tt_stat_row *row = add_row(m);
        row->cpu = (uint16_t)cpu;
        tt_cpu_sum(m->t, row->cpu, m->window.from, m->window.to, &row->c);
        add_cpu(&m->sheet->total.c, &row->c);
    }
    m->sheet->has_total = m->sheet->count > 1;
    return true;
}

static bool make_pairs(struct making *m)
{
    struct tt_pairs pairs;
    struct tt_status status = tt_pairs_count(m->t, m->window.from, m->window.to, &pairs);
    if (tt_failed(&status) || !reserve(m, pairs.count)) {
        tt_pairs_free(&pairs);
        return false;
    }
    for (size_t i = 0; i < pairs.count; i++) {
        const struct tt_pair *pair = &pairs.pairs[i];
        if (!tt_window_has_cpu(&m->window, pair->cpu) ||
            (!wants_thread(m, pair->from) && !wants_thread(m, pair->to))) {
            continue;
        }
        struct tt_stat_row *row = add_row(m);
        row->cpu = pair->cpu;
        row->from = pair->from;
        row->to = pair->to;
        row->count = pair->count;
    }
    tt_pairs_free(&pairs);
    return true;
}

/* ---- the total ---------------------------------------------------------------------------- */

static uint64_t count_events(const struct making *m)
{
    const struct tt_pick *pick = m->pick;
    if (pick->threads || pick->cpus->given) {
        return TT_STAT_NONE; /* --by event tells */
    }
    return pick->end_row > pick->first_row ? tt_events_number(m->events, pick->end_row) -
                                                 tt_events_number(m->events, pick->first_row)
                                           : 0;
}

/* Numbers of all threads that count, into the sheet's total. */
static bool total_threads(struct making *m, struct tt_stat_row *row)
{
    uint32_t count = tt_process_count(m->capture);
    uint8_t *seen = calloc((size_t)count + 1, sizeof *seen);
    bool ok = seen != NULL;
    for (uint32_t thread = 0; ok && thread < tt_thread_count(m->capture); thread++) {
        if (!wants_thread(m, thread) || !is_counted(m, thread)) {
            continue;
        }
        uint32_t process = tt_thread_at(m->capture, thread)->process;
        struct tt_stat_row one = {.threads = 1};
        ok = tt_numbers_of_thread(m->t, thread, &m->window, &m->scratch, &one.n);
        add_to_total(m->sheet, &one);
        row->processes += process < count && !seen[process];
        seen[process < count ? process : count] = 1;
    }
    free(seen);
    row->n = m->sheet->total.n;
    row->threads = m->sheet->total.threads;
    return ok;
}

/* By the rules of the format's tool, if it has any and they can be asked of so much. */
static void set_totals(struct making *m, struct tt_stat_row *row)
{
    const struct tt_pick *pick = m->pick;
    tt_totals_of(m->capture, m->t, &m->window, pick->threads, &row->totals);
    if (!m->sheet->has_tool || m->window.cpus) {
        return;
    }
    if (!pick->threads) {
        row->totals = m->totals;
        return;
    }
    row->totals.suspensions = row->totals.resumptions = 0;
    for (uint32_t thread = 0; thread < tt_thread_count(m->capture); thread++) {
        if (wants_thread(m, thread)) {
            row->totals.suspensions += m->own[thread].suspensions;
            row->totals.resumptions += m->own[thread].resumptions;
        }
    }
}

static bool make_total(struct making *m)
{
    if (!make_cpus(m)) {
        return false;
    }
    struct tt_cpu_sums cpus = m->sheet->total.c;
    uint64_t cpu_count = m->sheet->count;
    if (!reserve(m, 1) || !ask_tool(m)) {
        return false;
    }
    struct tt_stat_row *row = add_row(m);
    row->window = m->sheet->window;
    row->events = count_events(m);
    row->cpus = cpu_count;
    row->c = cpus;
    set_totals(m, row);
    m->sheet->has_total = false;
    m->sheet->upright = true;
    return total_threads(m, row);
}

/* ---- events ------------------------------------------------------------------------------- */

static int by_class_and_count(const void *x, const void *y)
{
    const struct tt_event_numbers *a = &((const struct tt_stat_row *)x)->e;
    const struct tt_event_numbers *b = &((const struct tt_stat_row *)y)->e;
    if (a->class_id != b->class_id) {
        return a->class_id < b->class_id ? -1 : 1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

static bool fill_events(struct making *m, struct tt_event_stats *stats)
{
    bool done;
    struct tt_status status = tt_event_stats_step(stats, m->events, UINT64_MAX, &done);
    size_t count = tt_event_stats_count(stats);
    if (tt_failed(&status) || !reserve(m, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct tt_event_numbers numbers = tt_event_stats_at(stats, i);
        if (numbers.count > 0 || numbers.duration.count > 0) {
            add_row(m)->e = numbers;
        }
    }
    *m->shrunk |= tt_event_stats_shrunk(stats);
    qsort(m->sheet->rows, m->sheet->count, sizeof *m->sheet->rows, by_class_and_count);
    return true;
}

static bool make_events(struct making *m)
{
    const struct tt_pick *pick = m->pick;
    struct tt_event_window window = {.first_row = pick->first_row,
                                     .end_row = pick->end_row,
                                     .from = m->window.from,
                                     .to = pick->to_end ? UINT64_MAX : m->window.to,
                                     .threads = pick->threads,
                                     .thread_limit = pick->thread_count,
                                     .cpus = m->window.cpus,
                                     .cpu_limit = m->window.cpu_limit};
    struct tt_event_stats *stats = tt_event_stats_new(m->trace, &window);
    bool ok = stats && fill_events(m, stats);
    tt_event_stats_free(stats);
    return ok;
}

/* ---- the sheet ---------------------------------------------------------------------------- */

/* The window's part inside the capture, which shares are of. */
static uint64_t window_ticks(const struct tt_timelines *t, const struct tt_window *w)
{
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
    uint64_t from = w->from > begin ? w->from : begin;
    uint64_t to = w->to < end ? w->to : end;
    return to > from ? to - from : 0;
}

struct tt_status tt_stat_sheet_make(const struct tt_options *options, struct tt_input *input,
                                    const struct tt_pick *pick, struct tt_stat_sheet *sheet)
{
    static bool (*const makers[TT_STATS_BY_COUNT])(struct making *) = {
        [TT_STATS_BY_THREAD] = make_threads,    [TT_STATS_BY_CPU] = make_cpus,
        [TT_STATS_BY_PROCESS] = make_processes, [TT_STATS_BY_PAIR] = make_pairs,
        [TT_STATS_BY_EVENT] = make_events,      [TT_STATS_BY_TOTAL] = make_total,
    };
    struct making m = {.capture = input->capture,
                       .t = tt_trace_timelines(input->trace),
                       .pick = pick,
                       .trace = input->trace,
                       .events = input->events,
                       .shrunk = &input->shrunk,
                       .sheet = sheet};
    memset(sheet, 0, sizeof *sheet);
    sheet->capture = input->capture;
    sheet->columns = tt_stat_columns(options->by, &sheet->column_count);
    sheet->first_ticks = input->progress.first_ticks;
    sheet->total.is_total = true;
    sheet->total.own.stack_min = sheet->total.own.stack_size = TT_STAT_NONE;
    sheet->total.process = sheet->total.thread = TT_NO_THREAD;
    sheet->total.cpu = TT_NO_CPU;
    sheet->total.priority = TT_NO_PRIORITY;
    if (!m.t) {
        return tt_ok(); /* there are no events */
    }
    m.window.from = pick->from.ticks;
    m.window.to = pick->to_end ? tt_timelines_end(m.t) + 1 : pick->to.ticks;
    if (options->cpus.given) {
        m.window.cpus = options->cpus.bits;
        m.window.cpu_limit = TT_CPU_LIMIT;
    }
    sheet->window = window_ticks(m.t, &m.window);
    bool ok = makers[options->by](&m);
    tt_delays_free(&m.scratch);
    free(m.own);
    if (!ok) {
        tt_stat_sheet_free(sheet);
        return tt_error_memory();
    }
    return tt_ok();
}

void tt_stat_sheet_free(struct tt_stat_sheet *sheet)
{
    free(sheet->rows);
    sheet->rows = NULL;
    sheet->count = 0;
}
