/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/filter/filter_run.h"

#include "base/clock.h"

#include <stdlib.h>

#define LONG_NS UINT64_C(80000000) /* partial results are shown after this delay */
/* Pieces combined in one step: a few milliseconds at most. */
#define PIECES_A_GO 8192u
#define PAUSE_NS    UINT64_C(50000000) /* between two steps while the index grows */

struct tt_filter_run {
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_result *result;
    struct tt_filter_result *replacement; /* replaces `result` when whole */
    uint64_t started;
    uint64_t went_on;
    unsigned version;
    bool stopped;
    bool complete;              /* last continued after the index was complete */
    bool broken;                /* out of memory during the run */
    struct tt_filter_run *next; /* in the bin */
};

static void free_run(struct tt_filter_run *run)
{
    if (run) {
        tt_filter_result_free(run->result);
        tt_filter_result_free(run->replacement);
        tt_filter_plan_free(run->plan);
        tt_filter_free(run->filter);
        free(run);
    }
}

static struct tt_status filter_run_start(const struct tt_filter_run *run,
                                         const struct tt_filter_target *in,
                                         struct tt_filter_result **result)
{
    struct tt_status status = tt_filter_start_at(run->plan, 0, in->row, in->notify, NULL, result);
    if (!tt_failed(&status) && !in->notify) {
        tt_filter_wait(*result);
    }
    return status;
}

bool tt_filter_run_new(const char *text, const struct tt_filter_target *in,
                       struct tt_filter_run **run, struct tt_filter_error *error)
{
    struct tt_filter_run *filter_run = calloc(1, sizeof *filter_run);
    *run = NULL;
    if (!filter_run) {
        *error = (struct tt_filter_error){0, tt_error_memory()};
        return false;
    }
    filter_run->started = filter_run->went_on = tt_now_ns();
    filter_run->complete = in->finished;
    bool good =
        tt_filter_parse(text, &filter_run->filter, error) &&
        tt_filter_plan_new(filter_run->filter, in->trace, in->events, &filter_run->plan, error);
    if (good) {
        *error = (struct tt_filter_error){0, filter_run_start(filter_run, in, &filter_run->result)};
        good = !tt_failed(&error->status);
    }
    if (!good) {
        free_run(filter_run);
        return false;
    }
    *run = filter_run;
    return true;
}

/* Replaces the previous run by the new one once that has ended, unless it was stopped early. */
static void adopt_new(struct tt_filter_run *run)
{
    if (!run->replacement || !tt_filter_result_ended(run->replacement)) {
        return;
    }
    if (tt_row_set_whole(tt_filter_result_set(run->replacement))) {
        tt_filter_result_free(run->result);
        run->result = run->replacement;
        run->version++;
    } else {
        tt_filter_result_free(run->replacement);
    }
    run->replacement = NULL;
}

static void continue_run(struct tt_filter_run *run, const struct tt_filter_target *in)
{
    bool changed, kept;
    struct tt_status status = tt_ok();
    run->went_on = tt_now_ns();
    if (!tt_filter_plan_extend(run->plan, in->events, &changed)) {
        run->broken = true;
        return;
    }
    run->complete = in->finished;
    if (changed && tt_filter_result_rows(run->result) == tt_filter_result_total(run->result)) {
        status = filter_run_start(run, in, &run->replacement);
    } else {
        status = tt_filter_resume(run->result, !changed, in->row, &kept);
        run->version += !kept;
        if (!tt_failed(&status) && !in->notify) {
            tt_filter_wait(run->result);
        }
    }
    run->broken = tt_failed(&status);
    adopt_new(run);
}

bool tt_filter_run_update(struct tt_filter_run *run, const struct tt_filter_target *in)
{
    adopt_new(run);
    if (run->stopped || run->broken || run->replacement || !tt_filter_result_ended(run->result)) {
        return false;
    }
    bool behind = tt_filter_result_total(run->result) != tt_events_rows(in->events) ||
                  tt_filter_result_rows(run->result) != tt_filter_result_total(run->result) ||
                  (in->finished && !run->complete);
    if (behind && !in->finished && tt_now_ns() - run->went_on < PAUSE_NS) {
        return true;
    }
    if (behind) {
        continue_run(run, in);
    }
    return false;
}

void tt_filter_run_stop(struct tt_filter_run *run)
{
    if (tt_filter_run_busy(run)) {
        run->stopped = true;
        tt_filter_cancel(run->replacement ? run->replacement : run->result);
    }
}

void tt_filter_run_resume(struct tt_filter_run *run)
{
    run->stopped = false;
}

void tt_filter_run_wait(struct tt_filter_run *run)
{
    tt_filter_wait(run->replacement ? run->replacement : run->result);
    adopt_new(run);
}

const struct tt_filter *tt_filter_run_filter(const struct tt_filter_run *run)
{
    return run->filter;
}

const struct tt_row_set *tt_filter_run_rows(const struct tt_filter_run *run)
{
    return tt_filter_result_set(run->result);
}

unsigned tt_filter_run_version(const struct tt_filter_run *run)
{
    return run->version;
}

bool tt_filter_run_busy(const struct tt_filter_run *run)
{
    return !run->stopped && ((run->replacement && !tt_filter_result_ended(run->replacement)) ||
                             !tt_filter_result_ended(run->result));
}

bool tt_filter_run_stopped(const struct tt_filter_run *run)
{
    return run->stopped;
}

uint64_t tt_filter_run_undecided(const struct tt_filter_run *run)
{
    return tt_filter_result_undecided(run->result);
}

bool tt_filter_run_ready(const struct tt_filter_run *run, uint64_t enough)
{
    return tt_filter_result_ended(run->result) || tt_filter_result_count(run->result) >= enough ||
           tt_now_ns() - run->started > LONG_NS;
}

bool tt_filter_run_combine(struct tt_row_set **set, uint64_t *last_sum, uint64_t sum,
                           const struct tt_row_source *sources, unsigned count, uint64_t row)
{
    /*
     * ---- combining ----------------------------------------------------------------------------
     */
    uint64_t rows = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint64_t has = tt_row_set_rows(sources[i].set);
        rows = has < rows ? has : rows;
    }

    if (*set && *last_sum == sum && tt_row_set_rows(*set) != rows &&
        !tt_row_set_grow(*set, rows, UINT64_MAX, row)) {
        *last_sum = ~sum;
    }
    if (!*set || *last_sum != sum) {
        tt_row_set_free(*set);
        *set = tt_row_set_new(rows, row);
        *last_sum = sum;
    }
    return !*set || tt_row_set_combine(*set, sources, count, PIECES_A_GO);
}

/* ---- the bin ------------------------------------------------------------------------------ */

void tt_filter_run_discard(struct tt_filter_run_bin *bin, struct tt_filter_run *run)
{
    if (run) {
        tt_filter_cancel(run->result);
        if (run->replacement) {
            tt_filter_cancel(run->replacement);
        }
        run->next = bin->first;
        bin->first = run;
    }
    tt_filter_run_bin_empty(bin);
}

bool tt_filter_run_bin_empty(struct tt_filter_run_bin *bin)
{
    struct tt_filter_run **at = &bin->first;
    while (*at) {
        struct tt_filter_run *run = *at;
        if (tt_filter_result_ended(run->result) &&
            (!run->replacement || tt_filter_result_ended(run->replacement))) {
            *at = run->next;
            free_run(run);
        } else {
            at = &run->next;
        }
    }
    return !bin->first;
}

void tt_filter_run_bin_free(struct tt_filter_run_bin *bin)
{
    while (bin->first) {
        struct tt_filter_run *run = bin->first;
        bin->first = run->next;
        free_run(run);
    }
}
