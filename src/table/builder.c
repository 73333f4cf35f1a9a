/* SPDX-License-Identifier: Apache-2.0 */
/* builder: runs of the tables whose rows are struct tt_stat_row. */
#include "table/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "tracetui/trace.h"

void tt_stat_row_clear(void *row)
{
    struct tt_stat_row *empty = row;
    memset(empty, 0, sizeof *empty);
    empty->thread = empty->process = empty->from = empty->to = empty->peer = TT_NO_THREAD;
    empty->cpu = TT_NO_CPU;
    empty->channel = TT_TABLE_NONE;
    empty->priority = empty->priority_min = empty->priority_max = TT_NO_PRIORITY;
}

bool tt_stat_builder_includes(const struct tt_stat_builder *m, uint32_t thread)
{
    return tt_bit_selects(m->request.threads, m->request.thread_limit, thread);
}

bool tt_stat_builder_counts(const struct tt_stat_builder *m, uint32_t thread)
{
    return tt_thread_is_counted(tt_thread_at(m->capture, thread));
}

bool tt_sheet_spend(struct tt_stat_builder *m, uint64_t work)
{
    m->work -= work < m->work ? work : m->work;
    return m->work > 0;
}

/* Returns the builder of a run, with the run's current state. */
static struct tt_stat_builder *builder_of(struct tt_table_run *run)
{
    struct tt_stat_builder *m = run->state;
    if (!m->begun) {
        struct tt_stat_row *total = run->total;
        total->is_total = true;
        total->own.stack_min = total->own.stack_size = TT_TABLE_NONE;
        m->request = run->request;
        m->capture = run->capture;
        m->reached = m->readied = run->request.window.from;
        m->begun = true;
    }
    m->sheet = run; /* it may be a copy of the run that was begun */
    m->work = run->work;
    m->t = run->timelines;
    if (m->pairs) {
        tt_pair_count_set_timelines(m->pairs, m->t);
    }
    return m;
}

/* The makers of tables. */
static const struct {
    const struct tt_table *table;
    enum tt_made (*make)(struct tt_stat_builder *);
} makers[] = {
    {&tt_table_threads, tt_make_threads},     {&tt_table_cpus, tt_make_cpus},
    {&tt_table_processes, tt_make_processes}, {&tt_table_pairs, tt_make_pairs},
    {&tt_table_event_names, tt_make_events},  {&tt_table_total, tt_make_total},
    {&tt_table_jobs, tt_make_jobs},           {&tt_table_interrupts, tt_make_interrupts},
    {&tt_table_blame, tt_make_blames},        {&tt_table_inversions, tt_make_blames},
    {&tt_table_services, tt_make_services},   {&tt_table_profile, tt_make_tool},
    {&tt_table_stacks, tt_make_tool},         {&tt_table_filex, tt_make_tool},
    {&tt_table_netx, tt_make_tool},           {&tt_table_objects, tt_make_objects},
};

enum tt_made tt_stat_builder_step(struct tt_table_run *run)
{
    size_t i = 0;
    while (i < sizeof makers / sizeof *makers && makers[i].table != run->table) {
        i++;
    }
    return i < sizeof makers / sizeof *makers ? makers[i].make(builder_of(run))
                                              : tt_make_messages(builder_of(run));
}

enum tt_made tt_stat_builder_refresh(struct tt_table_run *run)
{
    struct tt_stat_builder *m = builder_of(run);
    bool ok = true;
    if (m->blames) {
        return tt_refresh_blames(m);
    }
    if (m->services) {
        return tt_refresh_services(m);
    }
    if (m->pairs) {
        ok = tt_list_pairs(m);
    } else if (m->events && !m->summed) {
        ok = tt_list_events(m);
    } else if (m->interrupts && !m->summed) {
        ok = tt_list_interrupts(m);
    }
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static unsigned percent_of(uint64_t done, uint64_t whole)
{
    return whole > 0 && done < whole ? (unsigned)((double)done * 100.0 / (double)whole) : 99;
}

/* Returns the progress of the part of an incomplete run that is computed now. */
static unsigned percent_of_part(const struct tt_table_run *run)
{
    const struct tt_stat_builder *m = run->state;
    if (m->events) {
        return percent_of(tt_event_stats_row(m->events), m->request.end_row);
    }
    if (m->interrupts) {
        return tt_interrupt_stats_percent(m->interrupts);
    }
    if (m->pairs) {
        return tt_pair_count_percent(m->pairs);
    }
    if (m->blames) {
        return tt_blames_percent(m->blames);
    }
    if (m->messages) {
        return tt_message_counting_percent(m->messages);
    }
    if (m->list) {
        return tt_message_list_percent(m->list);
    }
    if (m->imposing) {
        return tt_imposing_percent(m->imposing);
    }
    if (m->objects) {
        return tt_object_counting_percent(m->objects);
    }
    if (m->services) {
        return tt_services_percent(m);
    }
    if (m->seen) {
        return percent_of(m->next, m->member);
    }
    return m->summed ? percent_of(m->row, run->count) : 0;
}

unsigned tt_stat_builder_percent(const struct tt_table_run *run)
{
    struct tt_stat_builder *m = run->state;
    m->t = tt_trace_timelines(run->request.trace);
    if (m->pairs) {
        tt_pair_count_set_timelines(m->pairs, m->t);
    }
    unsigned percent = percent_of_part(run);
    if (m->imposing && !run->table->of_messages) {
        return percent / 2; /* CPU time by client comes first */
    }
    return m->imposed ? 50 + percent / 2 : percent;
}

bool tt_stat_builder_shrink(struct tt_table_run *run, size_t *bytes)
{
    struct tt_stat_builder *m = run->state;
    return (m->pairs && tt_pair_count_shrink(m->pairs, bytes)) ||
           (m->events && tt_event_stats_shrink(m->events, bytes)) ||
           (m->preview && tt_event_stats_shrink(m->preview, bytes)) ||
           (m->interrupts && tt_interrupt_stats_shrink(m->interrupts, bytes)) ||
           (m->messages && tt_message_counting_shrink(m->messages, bytes));
}

/* Passes the walk over events on, or frees it. */
static void end_walk(struct tt_stat_builder *m)
{
    if (m->request.walk && m->events) {
        tt_event_stats_free(*m->request.walk);
        *m->request.walk = m->events;
    } else {
        tt_event_stats_free(m->events);
    }
}

void tt_stat_builder_end(struct tt_table_run *run)
{
    struct tt_stat_builder *m = run->state;
    tt_delays_free(&m->scratch);
    tt_job_samples_free(&m->job_samples);
    tt_run_union_free(&m->runs);
    tt_pair_count_free(m->pairs);
    end_walk(m);
    tt_event_stats_free(m->preview);
    tt_interrupt_stats_free(m->interrupts);
    tt_blames_free(m->blames);
    tt_message_counting_free(m->messages);
    tt_message_list_free(m->list);
    tt_imposing_free(m->imposing);
    tt_object_counting_free(m->objects);
    tt_services_free(m->services);
    free(m->order);
    free(m->picks);
    free(m->members);
    free(m->first);
    free(m->seen);
    free(m->own);
    free(m->tool_list);
    free(m->imposed);
}
