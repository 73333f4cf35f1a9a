/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_histogram: histograms of a row's samples or of a column. */
#include <string.h>

#include "analysis/sheet/sheet_internal.h"
#include "tracetui/time.h"

static const uint64_t steps[3] = {1, 2, 5};

uint64_t tt_histogram_edge(unsigned bin)
{
    if (bin == 0) {
        return 0;
    }
    uint64_t power = 1;
    for (unsigned i = (bin - 1) / 3; i > 0; i--) {
        if (power > UINT64_MAX / 10) {
            return UINT64_MAX;
        }
        power *= 10;
    }
    uint64_t step = steps[(bin - 1) % 3];
    return power > UINT64_MAX / step ? UINT64_MAX : power * step;
}

/* Returns the last bin whose edge is not above the value. */
static unsigned bin_of(uint64_t value)
{
    unsigned digits = 0;
    uint64_t power = 1;
    if (value == 0 || value == UINT64_MAX) {
        return value == 0 ? 0 : TT_HISTOGRAM_BINS - 1;
    }
    while (value / 10 >= power) {
        power *= 10;
        digits++;
    }
    uint64_t first = value / power;
    return 1 + 3 * digits + (first >= 5 ? 2 : first >= 2 ? 1 : 0);
}

static void add(struct tt_histogram *h, uint64_t value)
{
    h->bins[bin_of(value)]++;
    h->count++;
}

static void add_length(struct tt_histogram *h, uint64_t ticks)
{
    int64_t ns;
    uint64_t hz = h->sheet->capture->clock_hz;
    add(h, hz != 0 && tt_ticks_to_ns(ticks, hz, &ns) ? (uint64_t)ns : ticks);
}

static void add_samples(struct tt_histogram *h, const struct tt_samples *s)
{
    for (size_t i = 0; i < s->count; i++) {
        add_length(h, tt_samples_at(s, i));
    }
}

void tt_histogram_begin(struct tt_histogram *h, const struct tt_stat_sheet *sheet,
                        const struct tt_stat_column *column, const struct tt_stat_row *row)
{
    struct tt_delays scratch = h->scratch;
    memset(h, 0, sizeof *h);
    tt_delays_clear(&scratch);
    h->scratch = scratch;
    h->sheet = sheet;
    h->column = column;
    h->row = *row;
    h->reached = sheet->builder->request.window.from;
}

/* ---- of one row --------------------------------------------------------------------------- */

static const struct tt_samples *samples_of(const struct tt_histogram *h)
{
    static const struct {
        size_t distribution;
        size_t samples;
    } places[] = {
        {offsetof(struct tt_stat_row, n.delay), offsetof(struct tt_delays, delay)},
        {offsetof(struct tt_stat_row, n.preempted), offsetof(struct tt_delays, preempted)},
        {offsetof(struct tt_stat_row, n.wait), offsetof(struct tt_delays, wait)},
        {offsetof(struct tt_stat_row, n.slice), offsetof(struct tt_delays, slice)},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].distribution == h->column->distribution) {
            return (const struct tt_samples *)((const char *)&h->scratch + places[i].samples);
        }
    }
    return NULL;
}

static bool step_threads(struct tt_histogram *h, uint64_t work)
{
    const struct tt_stat_builder *m = h->sheet->builder;
    const struct tt_samples *samples = samples_of(h);
    uint32_t count;
    const uint32_t *threads = tt_stat_builder_members(m, &h->row, &count);
    while (samples && h->member < count && work > 0) {
        if (!tt_delays_gather_part(&h->scratch, m->t, threads[h->member], &m->request.window,
                                   &h->reached, &work)) {
            return false;
        }
        add_samples(h, samples);
        tt_delays_clear(&h->scratch);
        if (h->reached >= m->request.window.to) {
            h->member++;
            h->reached = m->request.window.from;
        }
    }
    h->complete = !samples || h->member >= count;
    return true;
}

/* Adds a value of a job, by the column's distribution; a job without a period has none. */
static void add_job(struct tt_histogram *h, const struct tt_job *job)
{
    size_t place = h->column->distribution;
    uint64_t length = place == offsetof(struct tt_stat_row, j.run)      ? job->run
                      : place == offsetof(struct tt_stat_row, j.period) ? job->period
                                                                        : tt_job_response(job);
    if (length != TT_JOB_UNKNOWN) {
        add_length(h, length);
    }
}

/* Adds the jobs of the row's thread that end from h->reached on, at least one. */
static void step_jobs(struct tt_histogram *h, uint64_t work)
{
    const struct tt_stat_builder *m = h->sheet->builder;
    struct tt_job_walk walk;
    struct tt_job job;
    uint64_t first = UINT64_MAX, *left = &first;
    tt_job_walk_begin(&walk, m->t, m->capture, m->request.job_ends, h->row.thread, h->reached,
                      m->request.window.to);
    while (tt_job_walk_next(&walk, left, &job)) {
        left = &work;
        h->reached = job.end + 1;
        if (tt_window_has_cpu(&m->request.window, job.cpu)) {
            add_job(h, &job);
        }
    }
    h->complete = tt_job_walk_ended(&walk);
}

/* Adds samples of an event, of interrupts or of messages, of which a busy capture has millions. */
static void step_stored(struct tt_histogram *h, uint64_t work)
{
    const struct tt_stat_builder *m = h->sheet->builder;
    bool durations = h->column->distribution == offsetof(struct tt_stat_row, e.duration);
    const struct tt_samples *s =
        m->events       ? tt_event_stats_samples(m->events, h->row.event, durations)
        : m->interrupts ? tt_stat_interrupt_samples(m, &h->row, h->column->distribution)
                        : tt_stat_message_samples(m, &h->row, h->column->distribution);
    for (; s && h->passed < s->count && work > 0; work--) {
        add_length(h, tt_samples_at(s, h->passed++));
    }
    h->complete = !s || h->passed >= s->count;
}

/* ---- of all rows -------------------------------------------------------------------------- */

static void step_rows(struct tt_histogram *h, uint64_t work)
{
    char buffer[64];
    for (; h->passed < h->sheet->count && work > 0; work--) {
        struct tt_stat_row row;
        tt_stat_row_at(h->sheet, h->passed++, &row);
        struct tt_stat_cell cell =
            tt_stat_cell_of(h->sheet, h->column, &row, buffer, sizeof buffer);
        if (cell.kind == TT_CELL_NUMBER || cell.kind == TT_CELL_DECIMAL) {
            add(h, cell.number);
        }
    }
    h->complete = h->passed >= h->sheet->count;
}

bool tt_histogram_step(struct tt_histogram *h, uint64_t work)
{
    if (h->complete) {
        return true;
    }
    int by = h->sheet->builder->request.by;
    if (h->column->distribution == TT_STAT_ALWAYS || by == TT_STATS_BY_MESSAGE) {
        step_rows(h, work);
    } else if (by == TT_STATS_BY_EVENT || by == TT_STATS_BY_INTERRUPT ||
               tt_stats_is_of_messages(by)) {
        step_stored(h, work);
    } else if (by == TT_STATS_BY_JOB) {
        step_jobs(h, work);
    } else {
        return step_threads(h, work);
    }
    return true;
}

void tt_histogram_free(struct tt_histogram *h)
{
    tt_delays_free(&h->scratch);
}
