/* SPDX-License-Identifier: Apache-2.0 */
/* run: computes the rows of a table step by step. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "table/namesakes.h"
#include "table/store.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

/* ---- for the tables ------------------------------------------------------------------------ */

bool tt_table_includes(const struct tt_table_run *run, uint32_t thread)
{
    return tt_bit_selects(run->request.threads, run->request.thread_limit, thread);
}

bool tt_table_spend(struct tt_table_run *run, uint64_t work)
{
    run->work -= work < run->work ? work : run->work;
    return run->work > 0;
}

/* ---- life cycle ---------------------------------------------------------------------------- */

void tt_table_request_range(struct tt_table_request *request, const struct tt_key_range *keys)
{
    const struct tt_timelines *timelines = tt_trace_timelines(request->trace);
    bool to_end = keys->to_ticks == UINT64_MAX;
    request->keys = *keys;
    request->first_row = tt_events_row_at_key(request->events, keys->from_ticks, keys->from_pos);
    request->end_row = to_end ? tt_events_rows(request->events)
                              : tt_events_row_at_key(request->events, keys->to_ticks, keys->to_pos);
    request->window.from = keys->from_ticks;
    request->window.to = !to_end ? keys->to_ticks : timelines ? tt_timelines_limit(timelines) : 0;
}

struct tt_event_window tt_table_event_window(const struct tt_table_request *request)
{
    return (struct tt_event_window){.first_row = request->first_row,
                                    .end_row = request->end_row,
                                    .from = request->window.from,
                                    .to = request->keys.to_ticks,
                                    .threads = request->threads,
                                    .thread_limit = request->thread_limit,
                                    .cpus = request->window.cpus,
                                    .cpu_limit = request->window.cpu_limit,
                                    .wanted = request->wanted,
                                    .wanted_arg = request->wanted_arg};
}

uint64_t tt_table_deadline(const struct tt_table_request *request, uint32_t thread)
{
    return thread < request->deadline_limit && request->deadlines ? request->deadlines[thread] : 0;
}

struct tt_status tt_table_begin(struct tt_table_run *run, const struct tt_table_request *request)
{
    const struct tt_table *table = request->table;
    memset(run, 0, sizeof *run);
    run->table = table;
    run->request = *request;
    run->capture = tt_trace_capture(request->trace);
    run->timelines = tt_trace_timelines(request->trace);
    run->columns = table->columns;
    run->column_count = table->column_count;
    run->first_ticks = tt_trace_progress(request->trace).first_ticks;
    run->has_clients = request->with_clients;
    run->complete = !run->timelines && !table->needs_no_events;
    run->window = run->timelines
                      ? tt_timelines_part(run->timelines, request->window.from, request->window.to)
                      : 0;
    run->total = malloc(table->row_size);
    run->store = calloc(1, sizeof *run->store);
    run->state = calloc(1, table->state_size ? table->state_size : 1);
    if (!run->total || !run->store || !run->state) {
        free(run->total);
        free(run->store);
        free(run->state);
        run->total = run->state = NULL;
        run->store = NULL;
        return tt_error_memory();
    }
    tt_table_clear_row(table, run->total);
    if (request->short_names) {
        tt_namesakes_find(run);
    }
    return tt_ok();
}

/* ---- order -------------------------------------------------------------------------------- */

struct ordered_row {
    const struct tt_table *table;
    const uint8_t *packed;
};

static int compare_rows(const void *a, const void *b)
{
    const struct ordered_row *left = a, *right = b;
    struct tt_table_row first, second;
    tt_table_unpack(left->table, left->packed, &first);
    tt_table_unpack(right->table, right->packed, &second);
    return left->table->compare(&first, &second);
}

/* Puts the rows in order; false if out of memory. O(n log n) unpacked rows. */
static bool order_rows(struct tt_table_run *run)
{
    struct ordered_row *rows = calloc(run->count + 1, sizeof *rows);
    for (size_t i = 0; rows && i < run->count; i++) {
        rows[i] = (struct ordered_row){run->table, run->rows[i]};
    }
    if (rows && run->count > 1) {
        qsort(rows, run->count, sizeof *rows, compare_rows);
    }
    for (size_t i = 0; rows && i < run->count; i++) {
        run->rows[i] = rows[i].packed;
    }
    bool ok = rows != NULL;
    free(rows);
    return ok;
}

/* ---- steps -------------------------------------------------------------------------------- */

struct tt_status tt_table_step(struct tt_table_run *run, uint64_t work)
{
    if (run->complete) {
        return tt_ok();
    }
    run->work = work;
    run->timelines = tt_trace_timelines(run->request.trace);
    if (run->store->refreshing) {
        run->store->refreshing = false;
        tt_table_free_new(run);
    }
    enum tt_made made = run->table->step(run);
    run->complete = made == TT_MADE_ALL;
    if (run->complete && run->request.in_order && run->table->compare && !order_rows(run)) {
        return tt_error_memory();
    }
    return made == TT_MADE_NO_MEMORY ? tt_error_memory() : tt_ok();
}

/* Begins to read raw rows; false if out of memory. */
static bool run_begin_rows(struct tt_table_run *run)
{
    const struct tt_key_range *keys = &run->request.keys;
    run->begun = true;
    run->bounds = run->request.bounds
                      ? *run->request.bounds
                      : (struct tt_table_bounds){.from = keys->from_ticks,
                                                 .last = keys->to_ticks - (keys->to_ticks > 0),
                                                 .id_last = UINT64_MAX,
                                                 .cpu = UINT32_MAX,
                                                 .type = UINT32_MAX,
                                                 .object = UINT32_MAX};
    return !run->table->begin || run->table->begin(run);
}

bool tt_table_next(struct tt_table_run *run, void *row, struct tt_status *status)
{
    enum tt_made made = run->complete                         ? TT_MADE_ALL
                        : !run->begun && !run_begin_rows(run) ? TT_MADE_NO_MEMORY
                                                              : run->table->next(run, row);
    run->complete = made != TT_MADE_PART;
    if (made == TT_MADE_NO_MEMORY) {
        *status = tt_error_memory();
    }
    return made == TT_MADE_PART;
}

void tt_table_complete(const struct tt_table_run *run, void *row)
{
    if (run->table->complete) {
        run->table->complete(run, row);
    }
}

struct tt_status tt_table_refresh_step(struct tt_table_run *run, uint64_t work, bool *done)
{
    enum tt_made made = TT_MADE_ALL;
    /* Without memory for the total nothing was made. */
    bool lists = run->store && run->store->new_rows && !run->store->refreshing; /* a step does */
    if (!run->complete && run->table->refresh && run->total && !lists) {
        run->timelines = tt_trace_timelines(run->request.trace);
        run->work = work;
        made = run->table->refresh(run);
        run->store->refreshing = made == TT_MADE_PART;
    }
    *done = made != TT_MADE_PART;
    return made == TT_MADE_NO_MEMORY ? tt_error_memory() : tt_ok();
}

struct tt_status tt_table_refresh(struct tt_table_run *run)
{
    bool done = false;
    struct tt_status status = tt_ok();
    while (!done && !tt_failed(&status)) {
        status = tt_table_refresh_step(run, UINT64_MAX, &done);
    }
    return status;
}

unsigned tt_table_percent(const struct tt_table_run *run)
{
    if (run->complete || !run->state) {
        return run->complete ? 100 : 0;
    }
    return run->table->percent ? run->table->percent(run) : 0;
}

bool tt_table_shrink(struct tt_table_run *run, size_t bytes)
{
    return run->state && run->table->shrink && run->table->shrink(run, &bytes);
}

void tt_table_free(struct tt_table_run *run)
{
    if (run->state && run->table->end) {
        run->table->end(run);
    }
    if (run->store) {
        tt_table_store_free(run);
    }
    free(run->state);
    free(run->total);
    free(run->namesakes);
    run->namesakes = NULL;
    run->state = NULL;
    run->store = NULL;
    run->total = NULL;
}
