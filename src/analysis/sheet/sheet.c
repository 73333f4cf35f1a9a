/* SPDX-License-Identifier: Apache-2.0 */
/* sheet: computes a sheet step by step. */
#include <stdlib.h>
#include <string.h>

#include "analysis/sheet/sheet_internal.h"
#include "base/bits.h"

/* ---- for the row builders ------------------------------------------------------------------ */

bool tt_stat_builder_includes(const struct tt_stat_builder *m, uint32_t thread)
{
    const struct tt_stat_request *request = &m->request;
    return tt_bit_selects(request->threads, request->thread_limit, thread);
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

/* ---- life cycle ---------------------------------------------------------------------------- */

void tt_stat_request_range(struct tt_stat_request *request, const struct tt_key_range *keys)
{
    const struct tt_timelines *t = tt_trace_timelines(request->trace);
    bool to_end = keys->to_ticks == UINT64_MAX;
    request->keys = *keys;
    request->first_row = tt_events_row_at_key(request->events, keys->from_ticks, keys->from_pos);
    request->end_row = to_end ? tt_events_rows(request->events)
                              : tt_events_row_at_key(request->events, keys->to_ticks, keys->to_pos);
    request->window.from = keys->from_ticks;
    request->window.to = !to_end ? keys->to_ticks : t ? tt_timelines_limit(t) : 0;
}

struct tt_status tt_stat_sheet_begin(struct tt_stat_sheet *sheet,
                                     const struct tt_stat_request *request)
{
    memset(sheet, 0, sizeof *sheet);
    sheet->capture = tt_trace_capture(request->trace);
    sheet->columns = tt_stat_columns(request->by, &sheet->column_count);
    sheet->first_ticks = tt_trace_progress(request->trace).first_ticks;
    tt_stat_row_clear(&sheet->total);
    sheet->total.is_total = true;
    sheet->has_clients = request->with_clients;
    sheet->total.own.stack_min = sheet->total.own.stack_size = TT_STAT_NONE;
    struct tt_stat_builder *m = calloc(1, sizeof *m);
    if (!m) {
        return tt_error_memory();
    }
    m->request = *request;
    m->capture = sheet->capture;
    m->t = tt_trace_timelines(request->trace);
    m->sheet = sheet;
    m->reached = m->readied = request->window.from;
    sheet->builder = m;
    sheet->complete = !m->t; /* there are no events */
    sheet->window = m->t ? tt_timelines_part(m->t, request->window.from, request->window.to) : 0;
    return tt_ok();
}

/* Loads the current timelines; those of the previous step may have been freed. */
static void load_timelines(struct tt_stat_builder *m)
{
    m->t = tt_trace_timelines(m->request.trace);
    if (m->pairs) {
        tt_pair_count_set_timelines(m->pairs, m->t);
    }
}

struct tt_status tt_stat_sheet_step(struct tt_stat_sheet *sheet, uint64_t work)
{
    static enum tt_made (*const makers[TT_STATS_BY_ALL])(struct tt_stat_builder *) = {
        [TT_STATS_BY_THREAD] = tt_make_threads,     [TT_STATS_BY_CPU] = tt_make_cpus,
        [TT_STATS_BY_PROCESS] = tt_make_processes,  [TT_STATS_BY_PAIR] = tt_make_pairs,
        [TT_STATS_BY_EVENT] = tt_make_events,       [TT_STATS_BY_TOTAL] = tt_make_total,
        [TT_STATS_BY_JOB] = tt_make_jobs,           [TT_STATS_BY_BLAME] = tt_make_blames,
        [TT_STATS_BY_INVERSION] = tt_make_blames,   [TT_STATS_BY_SERVICE] = tt_make_services,
        [TT_STATS_BY_PROFILE] = tt_make_tool,       [TT_STATS_BY_STACK] = tt_make_tool,
        [TT_STATS_BY_FILEX] = tt_make_tool,         [TT_STATS_BY_NETX] = tt_make_tool,
        [TT_STATS_BY_PROCESSES] = tt_make_messages, [TT_STATS_BY_SERVER] = tt_make_messages,
        [TT_STATS_BY_CHANNEL] = tt_make_messages,   [TT_STATS_BY_INTERRUPT] = tt_make_interrupts,
        [TT_STATS_BY_OBJECT] = tt_make_objects,     [TT_STATS_BY_MATRIX] = tt_make_messages,
        [TT_STATS_BY_CLIENT] = tt_make_messages,    [TT_STATS_BY_IMPOSED] = tt_make_messages,
        [TT_STATS_BY_MESSAGE] = tt_make_messages,
    };
    struct tt_stat_builder *m = sheet->builder;
    if (sheet->complete) {
        return tt_ok();
    }
    m->work = work;
    load_timelines(m);
    if (m->refreshing) {
        m->refreshing = false;
        tt_stat_builder_free_new(m);
    }
    enum tt_made made = makers[m->request.by](m);
    sheet->complete = made == TT_MADE_ALL;
    return made == TT_MADE_NO_MEMORY ? tt_error_memory() : tt_ok();
}

struct tt_status tt_stat_sheet_refresh_step(struct tt_stat_sheet *sheet, uint64_t work, bool *done)
{
    struct tt_stat_builder *m = sheet->builder;
    enum tt_made made = TT_MADE_ALL;
    bool ok = true;
    if (!sheet->complete) {
        load_timelines(m);
        m->work = work;
    }
    if (!sheet->complete && m->pairs) {
        ok = tt_list_pairs(m);
    } else if (!sheet->complete && m->events && !m->summed) {
        ok = tt_list_events(m);
    } else if (!sheet->complete && m->interrupts && !m->summed) {
        ok = tt_list_interrupts(m);
    } else if (!sheet->complete && m->blames) {
        made = tt_refresh_blames(m);
    } else if (!sheet->complete && m->services) {
        made = tt_refresh_services(m);
    }
    *done = made != TT_MADE_PART;
    return ok && made != TT_MADE_NO_MEMORY ? tt_ok() : tt_error_memory();
}

struct tt_status tt_stat_sheet_refresh(struct tt_stat_sheet *sheet)
{
    bool done = false;
    struct tt_status status = tt_ok();
    while (!done && !tt_failed(&status)) {
        status = tt_stat_sheet_refresh_step(sheet, UINT64_MAX, &done);
    }
    return status;
}

static unsigned percent_of(uint64_t done, uint64_t whole)
{
    return whole > 0 && done < whole ? (unsigned)((double)done * 100.0 / (double)whole) : 99;
}

/* Returns the progress of the part of an incomplete sheet that is computed now. */
static unsigned percent_of_part(const struct tt_stat_sheet *sheet)
{
    const struct tt_stat_builder *m = sheet->builder;
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
    return m->summed ? percent_of(m->row, sheet->count) : 0;
}

unsigned tt_stat_sheet_percent(const struct tt_stat_sheet *sheet)
{
    struct tt_stat_builder *m = sheet->builder;
    if (sheet->complete || !m) {
        return sheet->complete ? 100 : 0;
    }
    load_timelines(m);
    unsigned percent = percent_of_part(sheet);
    if (m->imposing && !tt_stats_is_of_messages(m->request.by)) {
        return percent / 2; /* CPU time by client comes first */
    }
    return m->imposed ? 50 + percent / 2 : percent;
}

bool tt_stat_sheet_shrink(struct tt_stat_sheet *sheet, size_t bytes)
{
    struct tt_stat_builder *m = sheet->builder;
    return m && ((m->pairs && tt_pair_count_shrink(m->pairs, &bytes)) ||
                 (m->events && tt_event_stats_shrink(m->events, &bytes)) ||
                 (m->preview && tt_event_stats_shrink(m->preview, &bytes)) ||
                 (m->interrupts && tt_interrupt_stats_shrink(m->interrupts, &bytes)) ||
                 (m->messages && tt_message_counting_shrink(m->messages, &bytes)));
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

void tt_stat_sheet_free(struct tt_stat_sheet *sheet)
{
    struct tt_stat_builder *m = sheet->builder;
    if (m) {
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
        m->sheet = sheet; /* it may be a copy of the sheet that was begun */
        tt_stat_builder_free_rows(m);
        tt_stat_builder_free_new(m);
        free(m);
    }
    sheet->builder = NULL;
}
