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

static void free_run(struct tt_filter_run *f)
{
    if (f) {
        tt_filter_result_free(f->result);
        tt_filter_result_free(f->replacement);
        tt_filter_plan_free(f->plan);
        tt_filter_free(f->filter);
        free(f);
    }
}

static struct tt_status start(const struct tt_filter_run *f, const struct tt_filter_target *in,
                              struct tt_filter_result **result)
{
    struct tt_status status = tt_filter_start_at(f->plan, 0, in->row, in->notify, NULL, result);
    if (!tt_failed(&status) && !in->notify) {
        tt_filter_wait(*result);
    }
    return status;
}

bool tt_filter_run_new(const char *text, const struct tt_filter_target *in,
                       struct tt_filter_run **run, struct tt_filter_error *error)
{
    struct tt_filter_run *f = calloc(1, sizeof *f);
    *run = NULL;
    if (!f) {
        *error = (struct tt_filter_error){0, tt_error_memory()};
        return false;
    }
    f->started = f->went_on = tt_now_ns();
    f->complete = in->finished;
    bool good = tt_filter_parse(text, &f->filter, error) &&
                tt_filter_plan_new(f->filter, in->trace, in->events, &f->plan, error);
    if (good) {
        *error = (struct tt_filter_error){0, start(f, in, &f->result)};
        good = !tt_failed(&error->status);
    }
    if (!good) {
        free_run(f);
        return false;
    }
    *run = f;
    return true;
}

/* Replaces the previous run by the new one once that has ended, unless it was stopped early. */
static void take_new(struct tt_filter_run *f)
{
    if (!f->replacement || !tt_filter_result_ended(f->replacement)) {
        return;
    }
    if (tt_row_set_whole(tt_filter_result_set(f->replacement))) {
        tt_filter_result_free(f->result);
        f->result = f->replacement;
        f->version++;
    } else {
        tt_filter_result_free(f->replacement);
    }
    f->replacement = NULL;
}

static void go_on(struct tt_filter_run *f, const struct tt_filter_target *in)
{
    bool changed, kept;
    struct tt_status status = tt_ok();
    f->went_on = tt_now_ns();
    if (!tt_filter_plan_extend(f->plan, in->events, &changed)) {
        f->broken = true;
        return;
    }
    f->complete = in->finished;
    if (changed && tt_filter_result_rows(f->result) == tt_filter_result_total(f->result)) {
        status = start(f, in, &f->replacement);
    } else {
        status = tt_filter_resume(f->result, !changed, in->row, &kept);
        f->version += !kept;
        if (!tt_failed(&status) && !in->notify) {
            tt_filter_wait(f->result);
        }
    }
    f->broken = tt_failed(&status);
    take_new(f);
}

bool tt_filter_run_update(struct tt_filter_run *f, const struct tt_filter_target *in)
{
    take_new(f);
    if (f->stopped || f->broken || f->replacement || !tt_filter_result_ended(f->result)) {
        return false;
    }
    bool behind = tt_filter_result_total(f->result) != tt_events_rows(in->events) ||
                  tt_filter_result_rows(f->result) != tt_filter_result_total(f->result) ||
                  (in->finished && !f->complete);
    if (behind && !in->finished && tt_now_ns() - f->went_on < PAUSE_NS) {
        return true;
    }
    if (behind) {
        go_on(f, in);
    }
    return false;
}

void tt_filter_run_stop(struct tt_filter_run *f)
{
    if (tt_filter_run_busy(f)) {
        f->stopped = true;
        tt_filter_cancel(f->replacement ? f->replacement : f->result);
    }
}

void tt_filter_run_resume(struct tt_filter_run *f)
{
    f->stopped = false;
}

void tt_filter_run_wait(struct tt_filter_run *f)
{
    tt_filter_wait(f->replacement ? f->replacement : f->result);
    take_new(f);
}

const struct tt_filter *tt_filter_run_filter(const struct tt_filter_run *f)
{
    return f->filter;
}

const struct tt_row_set *tt_filter_run_rows(const struct tt_filter_run *f)
{
    return tt_filter_result_set(f->result);
}

unsigned tt_filter_run_version(const struct tt_filter_run *f)
{
    return f->version;
}

bool tt_filter_run_busy(const struct tt_filter_run *f)
{
    return !f->stopped && ((f->replacement && !tt_filter_result_ended(f->replacement)) ||
                           !tt_filter_result_ended(f->result));
}

bool tt_filter_run_stopped(const struct tt_filter_run *f)
{
    return f->stopped;
}

uint64_t tt_filter_run_undecided(const struct tt_filter_run *f)
{
    return tt_filter_result_undecided(f->result);
}

bool tt_filter_run_ready(const struct tt_filter_run *f, uint64_t enough)
{
    return tt_filter_result_ended(f->result) || tt_filter_result_count(f->result) >= enough ||
           tt_now_ns() - f->started > LONG_NS;
}

/* ---- combining ---------------------------------------------------------------------------- */

static uint64_t least_rows(const struct tt_row_source *sources, unsigned count)
{
    uint64_t rows = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint64_t has = tt_row_set_rows(sources[i].set);
        rows = has < rows ? has : rows;
    }
    return rows;
}

bool tt_filter_run_combine(struct tt_row_set **set, uint64_t *last_sum, uint64_t sum,
                           const struct tt_row_source *sources, unsigned count, uint64_t row)
{
    uint64_t rows = least_rows(sources, count);
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

void tt_filter_run_discard(struct tt_filter_run_bin *bin, struct tt_filter_run *f)
{
    if (f) {
        tt_filter_cancel(f->result);
        if (f->replacement) {
            tt_filter_cancel(f->replacement);
        }
        f->next = bin->first;
        bin->first = f;
    }
    tt_filter_run_bin_empty(bin);
}

bool tt_filter_run_bin_empty(struct tt_filter_run_bin *bin)
{
    struct tt_filter_run **at = &bin->first;
    while (*at) {
        struct tt_filter_run *f = *at;
        if (tt_filter_result_ended(f->result) &&
            (!f->replacement || tt_filter_result_ended(f->replacement))) {
            *at = f->next;
            free_run(f);
        } else {
            at = &f->next;
        }
    }
    return !bin->first;
}

void tt_filter_run_bin_free(struct tt_filter_run_bin *bin)
{
    while (bin->first) {
        struct tt_filter_run *f = bin->first;
        bin->first = f->next;
        free_run(f);
    }
}
