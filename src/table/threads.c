/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_threads: rows of threads and processes, and the total of all.
 *
 * Sums come first: each costs a search. The delays follow: they cost a walk over intervals, in
 * consecutive parts of the window. Distributions cover the intervals that end inside a part, so the
 * parts add up.
 */
#include <stdlib.h>

#include "analysis/causes/ready.h"
#include "table/builder.h"
#include "trace/timeline/priority_part.h"

/* Cost of sums and a search, in intervals. */
#define SUM_WORK 100u

static void settle_sums(struct tt_stat_row *row)
{
    const struct tt_thread_sums *s = &row->n.sums;
    row->run = s->ticks[TT_CLASS_RUNNING] - s->irq;
    row->out = s->out_voluntary + s->out_preempted + s->out_unknown;
}

/* Adds a distribution to a total, which has no percentiles because they do not add up. */
static void add_distribution(struct tt_distribution *total, const struct tt_distribution *d)
{
    if (d->count > 0 && (total->count == 0 || d->max > total->max)) {
        total->max = d->max;
        total->max_at = d->max_at;
    }
    total->count += d->count;
    total->sum += d->sum;
    total->p50 = total->p95 = total->p99 = TT_TABLE_NONE;
}

static void add_sums_to_total(struct tt_table_run *sheet, const struct tt_stat_row *row)
{
    struct tt_stat_row *total = sheet->total;
    tt_thread_sums_add(&total->n.sums, &row->n.sums);
    total->threads += row->threads;
    settle_sums(total);
}

static void add_ready_by(struct tt_ready_by *total, const struct tt_ready_by *by)
{
#define X(member, cause) total->member += by->member;
    TT_READY_BY_INFO(X)
#undef X
}

static void add_delays_to_total(struct tt_table_run *sheet, const struct tt_stat_row *row)
{
    struct tt_stat_row *total = sheet->total;
    add_distribution(&total->n.delay, &row->n.delay);
    add_distribution(&total->n.preempted, &row->n.preempted);
    add_distribution(&total->n.wait, &row->n.wait);
    add_distribution(&total->n.slice, &row->n.slice);
    add_ready_by(&total->ready_by, &row->ready_by);
}

/* Continues the range of priorities of the open row; returns false if the work is used up first. */
static bool range_priorities(struct tt_stat_builder *m)
{
    struct tt_stat_row *row = &m->open;
    int lowest = row->priority_min, highest = row->priority_max;
    bool done = tt_thread_priority_part(m->t, row->thread, m->request.window.to, &m->ranged,
                                        &m->work, &lowest, &highest);
    row->priority_min = lowest;
    row->priority_max = highest;
    return done;
}

/* Computes the totals of the format's tool, if it has any. Returns false if out of memory. */
static bool compute_tool_totals(struct tt_stat_builder *m)
{
    uint32_t count = tt_thread_count(m->capture);
    if (!m->capture->format->totals) {
        return true;
    }
    m->own = calloc((size_t)count + 1, sizeof *m->own);
    if (!m->own) {
        return false;
    }
    m->sheet->has_tool = tt_events_totals(m->request.events, &m->request.keys, &m->totals, m->own);
    return true;
}

/* ---- CPU time by client ---------------------------------------------------------------------- */

/* Computes the CPU time by client of all threads in steps, if requested; ALL: it is complete. */
static enum tt_made compute_clients(struct tt_stat_builder *m)
{
    const struct tt_window *w = &m->request.window;
    const struct tt_message_window window = {.from = w->from, .to = w->to};
    bool wanted = m->request.with_clients && !w->cpus && tt_message_rows(m->t) > 0;
    bool done = false;
    if (!wanted || m->imposed) {
        return TT_MADE_ALL;
    }
    m->imposing = m->imposing ? m->imposing : tt_imposing_new(m->capture, &window, false);
    if (!m->imposing || !tt_imposing_step(m->imposing, m->t, &m->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    m->imposed = tt_imposing_take_times(m->imposing, &m->imposed_count);
    m->client_systems = tt_message_systems(m->t);
    tt_imposing_free(m->imposing);
    m->imposing = NULL;
    return TT_MADE_ALL;
}

/* Adds the CPU time of a thread that counts to a row; unknown in systems without messages. */
static void add_clients(const struct tt_stat_builder *m, uint32_t thread, struct tt_stat_row *row)
{
    unsigned system = tt_merge_of_thread(m->capture, thread);
    bool known = m->imposed && thread < m->imposed_count && (m->client_systems >> system & 1) != 0;
    if (known && tt_stat_builder_counts(m, thread)) {
        const struct tt_imposed *i = &m->imposed[thread];
        row->clients.known = 1;
        row->clients.self += i->self;
        row->clients.imposed += i->imposed;
        row->clients.imposed_gross += i->imposed_gross;
        row->clients.charged += i->charged;
    }
}

/* ---- causes of ready time -------------------------------------------------------------------- */

#define PIECE_WORK 8u /* cost of a piece, in intervals */

static void add_piece(struct tt_ready_by *sums, const struct tt_ready_piece *piece)
{
    uint64_t ticks = piece->to - piece->from;
    switch (piece->cause) {
#define X(member, cause)                                                                           \
    case cause:                                                                                    \
        sums->member += ticks;                                                                     \
        break;
        TT_READY_BY_INFO(X)
#undef X
    default:
        break;
    }
}

/* Subtracts from the remaining work; returns false if none is left. */
static bool spend(uint64_t *work, uint64_t cost)
{
    *work -= cost < *work ? cost : *work;
    return *work > 0;
}

/*
 * Adds a part of a ready interval that begins at *reached; returns false if the work is used up.
 * The rest counts as unknown when *pieces are used up.
 */
static bool add_ready(struct tt_ready_walk *w, uint64_t *reached, uint64_t *work, uint64_t *pieces,
                      struct tt_ready_by *sums)
{
    struct tt_ready_piece piece;
    while (tt_ready_next(w, &piece)) {
        if (*pieces == 0) {
            sums->unknown += w->to - piece.from;
            *reached = w->to;
            return true;
        }
        --*pieces;
        add_piece(sums, &piece);
        *reached = piece.to;
        if (!spend(work, PIECE_WORK)) {
            return false;
        }
    }
    return true;
}

/*
 * Adds the ready time of a thread in [*reached, to) to `sums` by the occupant of the CPU, for the
 * part that about *work intervals cover; subtracts these from *work and advances *reached, finally
 * to `to`. Consecutive parts give the result of one call. A ready interval belongs to the CPU of
 * the thread's last run, as in tt_thread_sum_in.
 */
static void sum_ready_part(const struct tt_timelines *t, const struct tt_capture *c,
                           uint32_t thread, const struct tt_window *window, uint64_t to,
                           uint64_t *reached, uint64_t *work, uint64_t *pieces,
                           struct tt_ready_by *sums)
{
    struct tt_interval_at at;
    bool more = *reached < to &&
                (tt_interval_find(t, thread, *reached, &at) || tt_interval_first(t, thread, &at));
    while (more) {
        struct tt_interval i = tt_interval_get(t, at);
        if (i.start >= to) {
            break;
        }
        uint64_t from = i.start > *reached ? i.start : *reached, end = tt_earlier(i.end, to);
        if (i.class_ == TT_CLASS_READY && from < end && tt_window_has_cpu(window, i.cpu)) {
            struct tt_ready_walk w = {.t = t,
                                      .c = c,
                                      .thread = thread,
                                      .cpu = tt_ready_cpu(t, at, &i),
                                      .at = from,
                                      .to = end};
            if (!add_ready(&w, reached, work, pieces, sums)) {
                return;
            }
        }
        more = tt_interval_next(t, &at);
        bool goes_on = end > *reached; /* false after the end of a lane */
        *reached = goes_on ? end : *reached;
        if (!spend(work, 1) && goes_on) {
            return;
        }
    }
    *reached = to;
}

/* ---- delays ------------------------------------------------------------------------------- */

const uint32_t *tt_stat_builder_members(const struct tt_stat_builder *m,
                                        const struct tt_stat_row *row, uint32_t *count)
{
    if (m->request.table != &tt_table_processes) {
        *count = 1;
        return &row->thread;
    }
    *count = m->first[row->process + 1] - m->first[row->process];
    return m->members + m->first[row->process];
}

/* Computes the distributions of a row; returns false if the work is used up first. */
static bool settle_row(struct tt_stat_builder *m, struct tt_stat_row *row)
{
    struct tt_samples *const samples[] = {&m->scratch.delay, &m->scratch.preempted,
                                          &m->scratch.wait, &m->scratch.slice};
    struct tt_distribution *const distributions[] = {&row->n.delay, &row->n.preempted, &row->n.wait,
                                                     &row->n.slice};
    for (; m->settling < sizeof samples / sizeof *samples; m->settling++) {
        if (!tt_samples_distribution_step(samples[m->settling], &m->selection, &m->work,
                                          distributions[m->settling])) {
            return false;
        }
    }
    m->settling = 0;
    row->settled = true;
    if (m->request.table == &tt_table_processes || tt_stat_builder_counts(m, row->thread)) {
        add_delays_to_total(m->sheet, row);
    }
    return true;
}

/*
 * Gathers the delays of a thread up to the end of the next part of the window, and the causes of its
 * ready time in that part.
 */
static enum tt_made gather_thread(struct tt_stat_builder *m, uint32_t thread,
                                  struct tt_stat_row *row)
{
    const struct tt_window *window = &m->request.window;
    if (m->readied >= m->reached &&
        !tt_delays_gather_part(&m->scratch, m->t, thread, window, &m->reached, &m->work)) {
        return TT_MADE_NO_MEMORY;
    }
    if (m->request.without_ready_by) {
        m->readied = m->reached;
    } else {
        if (!m->readies) { /* not before it is needed: the count is O(threads) */
            m->readies = true;
            m->ready_pieces = TT_READY_PIECES + TT_READY_PIECES_EACH * tt_timelines_intervals(m->t);
        }
        sum_ready_part(m->t, m->capture, thread, window, m->reached, &m->readied, &m->work,
                       &m->ready_pieces, &row->ready_by);
    }
    return m->readied < m->reached ? TT_MADE_PART : TT_MADE_ALL;
}

static enum tt_made gather_rows(struct tt_stat_builder *m)
{
    struct tt_table_run *sheet = m->sheet;
    while (m->row < sheet->count) {
        struct tt_stat_row *row = &m->open;
        uint32_t count;
        if (!m->opened) {
            tt_table_row_at(sheet, m->row, row);
            m->opened = true;
        }
        const uint32_t *threads = tt_stat_builder_members(m, row, &count);
        while (m->member < count) {
            enum tt_made made = gather_thread(m, threads[m->member], row);
            if (made != TT_MADE_ALL) {
                return made;
            }
            if (m->reached >= m->request.window.to) {
                m->member++;
                m->reached = m->readied = m->request.window.from;
            }
            if (!tt_sheet_spend(m, SUM_WORK) && m->member < count) {
                return TT_MADE_PART;
            }
        }
        if (m->work == 0 || !settle_row(m, row)) {
            return TT_MADE_PART;
        }
        if (!tt_table_put(m->sheet, m->row, row)) {
            return TT_MADE_NO_MEMORY;
        }
        tt_delays_clear(&m->scratch);
        m->member = 0;
        m->opened = false;
        m->row++;
        if (m->work == 0 && m->row < sheet->count) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* Sorts the rows once all have their sums; from then on they keep their positions. */
static enum tt_made order_rows(struct tt_stat_builder *m)
{
    enum tt_made made = tt_order_rows(m);
    if (made == TT_MADE_ALL) {
        m->sheet->has_total = true;
        m->summed = true;
        m->member = 0;
    }
    return made;
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Begins the row of a thread, with its sums. */
static void open_thread(struct tt_stat_builder *m, uint32_t thread)
{
    const struct tt_thread *lane = tt_thread_at(m->capture, thread);
    const struct tt_window *w = &m->request.window;
    struct tt_stat_row *row = &m->open;
    tt_stat_row_clear(row);
    row->thread = thread;
    row->process = lane->process;
    row->idle = lane->idle;
    row->own = m->sheet->has_tool ? m->own[thread] : row->own;
    tt_thread_sum_prefetch(m->t, thread + TT_SUMS_AHEAD, w->from, w->to);
    tt_thread_sum_in(m->t, thread, w, &row->n.sums);
    row->priority = tt_thread_priority(m->t, thread, w->to > w->from ? w->to - 1 : w->from);
    settle_sums(row);
    m->ranged = w->from;
    m->summing = true;
}

/* Adds a row for a thread. */
static enum tt_made sum_thread(struct tt_stat_builder *m, uint32_t thread)
{
    if (!m->summing) {
        open_thread(m, thread);
    }
    if (!range_priorities(m)) {
        return TT_MADE_PART;
    }
    m->summing = false;
    add_clients(m, thread, &m->open);
    if (tt_stat_builder_counts(m, thread)) {
        add_sums_to_total(m->sheet, &m->open);
    }
    return tt_table_add(m->sheet, &m->open) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

/* Returns whether the sheet has a row for a thread. */
static bool has_row(const struct tt_stat_builder *m, uint32_t thread, bool with_idle)
{
    return !tt_thread_at(m->capture, thread)->pseudo &&
           (with_idle || tt_stat_builder_counts(m, thread)) && tt_stat_builder_includes(m, thread);
}

enum tt_made tt_sum_threads(struct tt_stat_builder *m, bool with_idle)
{
    if (!m->sheet->rows) {
        m->member = tt_thread_count(m->capture); /* excludes threads that are added later */
        if (!tt_table_reserve(m->sheet, m->member) || !compute_tool_totals(m)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    while (!m->summed) {
        enum tt_made made = m->next >= m->member             ? order_rows(m)
                            : has_row(m, m->next, with_idle) ? sum_thread(m, m->next)
                                                             : TT_MADE_ALL;
        if (made != TT_MADE_ALL) {
            return made;
        }
        m->next += m->next < m->member;
        if (!tt_sheet_spend(m, SUM_WORK)) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

enum tt_made tt_make_threads(struct tt_stat_builder *m)
{
    enum tt_made made = m->sheet->rows ? TT_MADE_ALL : compute_clients(m);
    if (made == TT_MADE_ALL) {
        made = tt_sum_threads(m, true);
    }
    return made == TT_MADE_ALL ? gather_rows(m) : made;
}

/* ---- processes ---------------------------------------------------------------------------- */

/* Groups the threads that count by process. */
static bool group_threads(struct tt_stat_builder *m, uint32_t processes)
{
    uint32_t count = tt_thread_count(m->capture);
    m->first = calloc((size_t)processes + 1, sizeof *m->first);
    m->members = calloc((size_t)count + 1, sizeof *m->members);
    if (!m->first || !m->members) {
        return false;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = count; i-- > 0;) {
            uint32_t process = tt_thread_at(m->capture, i)->process;
            if (process >= processes || !tt_stat_builder_counts(m, i) ||
                !tt_stat_builder_includes(m, i)) {
                continue;
            }
            if (pass == 0) {
                m->first[process]++;
            } else {
                m->members[--m->first[process]] = i;
            }
        }
        for (uint32_t p = 1; pass == 0 && p <= processes; p++) {
            m->first[p] += m->first[p - 1];
        }
    }
    return true;
}

/* Begins `open`, the row of a process. */
static void open_process(struct tt_stat_builder *m, uint32_t process)
{
    struct tt_stat_row *row = &m->open;
    const uint32_t *threads = &m->members[m->first[process]];
    uint32_t count = m->first[process + 1] - m->first[process];
    tt_stat_row_clear(row);
    row->process = process;
    row->threads = count;
    for (uint32_t i = 0; i < count; i++) {
        struct tt_thread_sums sums;
        tt_thread_sum_in(m->t, threads[i], &m->request.window, &sums);
        tt_thread_sums_add(&row->n.sums, &sums);
        add_clients(m, threads[i], row);
    }
    settle_sums(row);
    tt_sheet_spend(m, SUM_WORK * (uint64_t)count);
    m->summing = true;
    tt_run_union_begin(&m->runs, m->t, &m->request.window, threads, count);
}

/* Adds the row of a process. */
static enum tt_made sum_process(struct tt_stat_builder *m, uint32_t process)
{
    if (m->first[process + 1] == m->first[process]) {
        return TT_MADE_ALL;
    }
    if (m->summing && m->runs.t != m->t) { /* positions in intervals are those of other timelines */
        tt_run_union_free(&m->runs);
        m->summing = false;
    }
    if (!m->summing) {
        open_process(m, process);
    }
    if (!tt_run_union_step(&m->runs, &m->work)) {
        return TT_MADE_PART;
    }
    if (m->runs.no_memory) {
        return TT_MADE_NO_MEMORY;
    }
    m->open.c.busy = m->runs.ticks;
    tt_run_union_free(&m->runs);
    m->summing = false;
    add_sums_to_total(m->sheet, &m->open);
    return tt_table_add(m->sheet, &m->open) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

enum tt_made tt_make_processes(struct tt_stat_builder *m)
{
    if (!m->sheet->rows) {
        enum tt_made made = compute_clients(m);
        if (made != TT_MADE_ALL) {
            return made;
        }
        m->member = tt_process_count(m->capture);
        tt_stat_builder_total(m)->c.busy = TT_TABLE_NONE; /* processes run at the same time */
        if (!tt_table_reserve(m->sheet, m->member) || !group_threads(m, m->member)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    while (!m->summed) {
        if (m->next >= m->member) {
            enum tt_made made = order_rows(m);
            if (made != TT_MADE_ALL) {
                return made;
            }
        } else {
            enum tt_made made = sum_process(m, m->next);
            if (made != TT_MADE_ALL) {
                return made;
            }
            m->next++;
        }
        if (m->work == 0) {
            return TT_MADE_PART;
        }
    }
    return gather_rows(m);
}

/* ---- total --------------------------------------------------------------------------------- */

static uint64_t count_events(const struct tt_stat_builder *m)
{
    const struct tt_table_request *request = &m->request;
    if (request->threads || request->window.cpus) {
        return TT_TABLE_NONE; /* `--by event` counts them */
    }
    return request->end_row > request->first_row
               ? tt_events_number(request->events, request->end_row) -
                     tt_events_number(request->events, request->first_row)
               : 0;
}

/* Returns whether the totals are those of the format's tool. */
static bool has_tool_totals(const struct tt_stat_builder *m)
{
    return m->sheet->has_tool && !m->request.window.cpus;
}

/* Begins the total with the values that are not sums over threads. */
static enum tt_made begin_total(struct tt_stat_builder *m)
{
    if (tt_make_cpus(m) != TT_MADE_ALL) {
        return TT_MADE_NO_MEMORY;
    }
    struct tt_stat_row *total = m->sheet->total;
    total->cpus = m->sheet->count;
    m->sheet->has_total = false;
    tt_totals_of_cpus(m->t, &m->request.window, &total->totals);
    m->member = tt_thread_count(m->capture); /* excludes threads that are added later */
    m->process_count = tt_process_count(m->capture);
    m->seen = calloc((size_t)m->process_count + 1, sizeof *m->seen);
    return m->seen && tt_table_reserve(m->sheet, 1) && compute_tool_totals(m) ? TT_MADE_ALL
                                                                              : TT_MADE_NO_MEMORY;
}

/* Begins a thread of the total, with its sums. */
static void begin_thread(struct tt_stat_builder *m, uint32_t thread)
{
    struct tt_stat_row *row = &m->open;
    uint32_t process = tt_thread_at(m->capture, thread)->process;
    tt_stat_row_clear(row);
    row->thread = thread;
    row->threads = 1;
    tt_thread_sum_in(m->t, thread, &m->request.window, &row->n.sums);
    add_sums_to_total(m->sheet, row);
    if (process < m->process_count && !m->seen[process]) {
        m->seen[process] = true;
        tt_stat_builder_total(m)->processes++;
    }
    m->reached = m->request.window.from;
    m->opened = true;
}

/* Returns a distribution as a total contains it. */
static struct tt_distribution without_percentiles(const struct tt_samples *s)
{
    return (struct tt_distribution){
        .count = s->count, .sum = s->sum, .max = s->max, .max_at = s->max_at};
}

/* Adds the next part of a thread to the total: its delays and suspensions. */
static bool add_thread_part(struct tt_stat_builder *m, uint32_t thread)
{
    struct tt_window part = m->request.window;
    struct tt_totals *totals = &tt_stat_builder_total(m)->totals;
    uint64_t suspensions, resumptions;
    part.from = m->reached;
    if (!tt_delays_gather_part(&m->scratch, m->t, thread, &m->request.window, &m->reached,
                               &m->work)) {
        return false;
    }
    m->open.n.delay = without_percentiles(&m->scratch.delay);
    m->open.n.preempted = without_percentiles(&m->scratch.preempted);
    m->open.n.wait = without_percentiles(&m->scratch.wait);
    m->open.n.slice = without_percentiles(&m->scratch.slice);
    add_delays_to_total(m->sheet, &m->open);
    tt_delays_clear(&m->scratch);
    if (!has_tool_totals(m)) {
        part.to = m->reached;
        tt_thread_suspensions(m->t, thread, &part, &suspensions, &resumptions);
        totals->suspensions += suspensions;
        totals->resumptions += resumptions;
    }
    return true;
}

/* Adds the metrics of a thread to the sheet's total. */
static enum tt_made total_thread(struct tt_stat_builder *m, uint32_t thread)
{
    if (!m->opened) {
        begin_thread(m, thread);
    }
    while (m->reached < m->request.window.to) {
        if (!add_thread_part(m, thread)) {
            return TT_MADE_NO_MEMORY;
        }
        if (!tt_sheet_spend(m, SUM_WORK)) {
            return TT_MADE_PART;
        }
    }
    m->opened = false;
    return TT_MADE_ALL;
}

/*
 * Completes the totals, by the rules of the format's tool if it has any and they apply to the
 * selection.
 */
static void set_totals(struct tt_stat_builder *m, struct tt_totals *totals)
{
    const struct tt_thread_sums *sums = &tt_stat_builder_total(m)->n.sums;
    if (has_tool_totals(m) && !m->request.threads) {
        *totals = m->totals;
        return;
    }
    totals->preemptions = sums->out_preempted;
    if (m->request.threads) { /* switches to the selected threads */
        totals->context_switches = sums->in;
        totals->interrupts = totals->nested_interrupts = TT_NO_TOTAL;
    }
    for (uint32_t thread = 0; has_tool_totals(m) && thread < m->member; thread++) {
        if (tt_stat_builder_includes(m, thread)) {
            totals->suspensions += m->own[thread].suspensions;
            totals->resumptions += m->own[thread].resumptions;
        }
    }
}

static enum tt_made end_total(struct tt_stat_builder *m)
{
    const struct tt_stat_row *total = m->sheet->total;
    struct tt_stat_row *row = &m->open;
    tt_stat_row_clear(row);
    row->window = m->sheet->window;
    row->events = count_events(m);
    row->cpus = total->cpus;
    row->processes = total->processes;
    row->threads = total->threads;
    row->c = total->c;
    row->n = total->n;
    row->totals = total->totals;
    set_totals(m, &row->totals);
    row->settled = true;
    return tt_table_add(m->sheet, row) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

enum tt_made tt_make_total(struct tt_stat_builder *m)
{
    enum tt_made made = m->seen ? TT_MADE_ALL : begin_total(m);
    while (made == TT_MADE_ALL && m->next < m->member) {
        bool counts = tt_stat_builder_includes(m, m->next) && tt_stat_builder_counts(m, m->next);
        made = counts ? total_thread(m, m->next) : TT_MADE_ALL;
        m->next += made == TT_MADE_ALL;
        if (made == TT_MADE_ALL && !tt_sheet_spend(m, 1) && m->next < m->member) {
            return TT_MADE_PART;
        }
    }
    return made == TT_MADE_ALL ? end_total(m) : made;
}
