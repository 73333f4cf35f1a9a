/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/stats_filter.h"

#include <stdlib.h>
#include <string.h>

#define AT_ONCE 1024u

static bool row_matches(const void *result, uint64_t row)
{
    return tt_filter_result_has(result, row);
}

static bool has_bit(const uint64_t *bits, uint32_t limit, uint32_t bit)
{
    return !bits || (bit < limit && (bits[bit / 64] >> (bit % 64) & 1u));
}

static void set_bit(uint64_t *bits, uint32_t bit)
{
    bits[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static struct tt_status run_filter(struct tt_stats_filter *f, const struct tt_pick *pick,
                                   struct tt_input *input)
{
    struct tt_status status = tt_filter_start(pick->plan, 0, NULL, NULL, &f->matches);
    if (tt_failed(&status)) {
        return status;
    }
    status = tt_filter_wait(f->matches);
    input->undecided += tt_filter_result_undecided(f->matches);
    input->shrunk |= tt_filter_result_shrunk(f->matches);
    return status;
}

/* Sets the bit of the event's thread and of its CPU, where they are asked for. */
static void note_event(struct tt_stats_filter *f, const struct tt_stat_wish *wish,
                       const struct tt_event *event, uint32_t threads)
{
    if (event->thread < threads && has_bit(wish->threads, wish->thread_limit, event->thread)) {
        set_bit(f->threads, event->thread);
    }
    if (event->cpu < TT_CPU_LIMIT &&
        has_bit(wish->window.cpus, wish->window.cpu_limit, event->cpu)) {
        set_bit(f->cpus, event->cpu);
    }
}

static void note_matches(struct tt_stats_filter *f, const struct tt_stat_wish *wish,
                         struct tt_events *events, uint32_t threads)
{
    struct tt_event batch[AT_ONCE];
    for (uint64_t row = wish->first_row; row < wish->end_row; row += AT_ONCE) {
        uint64_t left = wish->end_row - row;
        uint32_t count = left < AT_ONCE ? (uint32_t)left : AT_ONCE;
        if (tt_filter_result_rank(f->matches, row) ==
            tt_filter_result_rank(f->matches, row + count)) {
            continue;
        }
        count = tt_events_read(events, row, count, batch);
        for (uint32_t i = 0; i < count; i++) {
            if (tt_filter_result_has(f->matches, row + i)) {
                note_event(f, wish, &batch[i], threads);
            }
        }
    }
}

struct tt_status tt_stats_filter_apply(struct tt_stats_filter *f, const struct tt_pick *pick,
                                       struct tt_input *input, struct tt_stat_wish *wish)
{
    if (!pick->plan) {
        return tt_ok();
    }
    struct tt_status status = run_filter(f, pick, input);
    if (tt_failed(&status)) {
        return status;
    }
    if (wish->by == TT_STATS_BY_EVENT) {
        wish->wanted = row_matches;
        wish->wanted_arg = f->matches;
        return tt_ok();
    }
    uint32_t threads = tt_thread_count(input->capture);
    f->threads = calloc(threads / 64 + 1, sizeof *f->threads);
    f->cpus = calloc(TT_CPU_LIMIT / 64, sizeof *f->cpus);
    if (!f->threads || !f->cpus) {
        return tt_error_memory();
    }
    note_matches(f, wish, input->events, threads);
    if (wish->by == TT_STATS_BY_CPU) {
        wish->window.cpus = f->cpus;
        wish->window.cpu_limit = TT_CPU_LIMIT;
    } else {
        wish->threads = f->threads;
        wish->thread_limit = threads;
    }
    return tt_ok();
}

void tt_stats_filter_free(struct tt_stats_filter *f)
{
    if (f->matches) {
        tt_filter_result_free(f->matches);
    }
    free(f->threads);
    free(f->cpus);
    memset(f, 0, sizeof *f);
}
