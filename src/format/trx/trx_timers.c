/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_timers: ports of ThreadX for several cores whose cores stamp entries with timers of their own. All count
 * with one rate and begin anywhere.
 *
 *  The entries are in the order of time, whatever their stamps. The stamps of such a ring go back at many
 * neighbours of different cores, and hardly ever within a core. Each core is unwrapped on its own, and
 * shifted so that its entries are between their neighbours of the first core:
 *
 *       first core    0 ----- 1000 ----- 2000        its entries, in ticks
 *       other core        0 ------ 1000              0 <= shift, shift <= 1000: the middle, 500
 *
 *  An excerpt shows each core at its beginning, with one time.
 */
#include <string.h>

#include "format/trx/trx_internal.h"

/* Neighbours per step back: at most this number shows several timers. */
#define BACK_SHARE 16u

struct core_timer {
    uint64_t first; /* stamp */
    uint64_t last;
    int64_t ticks; /* from the first stamp to the last */
    int64_t least; /* shift: after the first core's entries before its own */
    int64_t most;
    uint64_t up, down; /* steps */
    bool seen, has_most, fixed;
};

/* An entry of the ring. */
struct stamp_at {
    uint32_t core;
    uint64_t event;
    uint64_t stamp; /* masked */
};

static struct stamp_at read_stamp(const struct trx_decoder *decoder, const struct trx_walk *walk)
{
    const uint64_t event = trx_word(&decoder->header, walk->at, TRX_WORD_EVENT);
    const uint32_t core = trx_core_of(event);
    return (struct stamp_at){core == TRX_NO_CORE ? 0 : core, event,
                             trx_word(&decoder->header, walk->at, TRX_WORD_STAMP) &
                                 decoder->header.mask};
}

/* Returns whether the stamps are those of a timer per core; *down: their direction. */
static bool are_apart(const struct trx_decoder *decoder, const struct core_timer *timers,
                      const struct core_timer *all, bool *down)
{
    uint64_t up = 0, back = 0;
    for (uint32_t i = 0; i < decoder->plan.cores; i++) {
        up += timers[i].up;
        back += timers[i].down;
    }
    *down = back > up;
    const uint64_t within = *down ? up : back, between = *down ? all->up : all->down;
    return between > 2 * within + 2 * (uint64_t)decoder->plan.cores &&
           between * BACK_SHARE > decoder->plan.entries;
}

/* Adds an entry to the bounds of the shifts. */
static void add_bounds(struct core_timer *timers, uint32_t cores, uint32_t first, uint32_t core)
{
    struct core_timer *own = &timers[core];
    if (core != first) {
        const int64_t least = timers[first].ticks - own->ticks;
        own->least = !own->seen || least > own->least ? least : own->least;
        return;
    }
    for (uint32_t i = 0; i < cores; i++) {
        struct core_timer *other = &timers[i];
        const int64_t most = own->ticks - other->ticks;
        if (i != first && other->seen && (!other->has_most || most < other->most)) {
            other->most = most;
            other->has_most = true;
        }
    }
}

/* Finds the bounds of the shift of each core; returns the core of the first entry. */
static uint32_t find_bounds(const struct trx_decoder *decoder, struct core_timer *timers)
{
    struct trx_walk walk = trx_walk_begin(decoder, 0);
    const uint32_t first = read_stamp(decoder, &walk).core;
    for (uint32_t i = 0; i < decoder->plan.entries; i++, trx_walk_next(&walk)) {
        const struct stamp_at at = read_stamp(decoder, &walk);
        struct core_timer *own = &timers[at.core];
        if (own->seen) {
            own->ticks += (int64_t)trx_ticks_between(own->last, at.stamp, decoder->header.mask,
                                                     decoder->plan.counts_down);
        } else {
            own->first = at.stamp;
        }
        own->last = at.stamp;
        add_bounds(timers, decoder->plan.cores, first, at.core);
        own->fixed = own->fixed || i < decoder->plan.beginning;
        own->seen = true;
    }
    return first;
}

/* Reports the entries whose times contradict their order; they have the time of the entry before. */
static void report_steps(const struct trx_decoder *decoder)
{
    struct trx_walk walk = trx_walk_begin(decoder, 0);
    uint64_t before = 0, steps = 0, first = 0;
    for (uint32_t i = 0; i < decoder->plan.entries; i++, trx_walk_next(&walk)) {
        const struct stamp_at at = read_stamp(decoder, &walk);
        const uint64_t stamp =
            trx_stamp_of(&decoder->plan, decoder->header.mask, at.event, at.stamp);
        before = i > 0 ? before : stamp;
        const uint64_t ticks =
            trx_ticks_between(before, stamp, decoder->header.mask, decoder->plan.counts_down);
        trx_stamp_step(&decoder->plan, decoder->header.mask, &before, stamp);
        if (ticks > decoder->header.mask / 2) {
            first = steps == 0 ? i : first;
            steps++;
        }
    }
    if (steps > 0) {
        tt_health_add(decoder->capture, TT_HEALTH_TIME_BACK, trx_entry_offset(decoder, first),
                      first * decoder->header.entry_size, steps,
                      "stamps of a core's own timer that contradict the order of the entries");
        tt_health_count_more(decoder->capture, TT_HEALTH_TIME_BACK, steps - 1);
    }
}

void trx_timers_align(struct trx_decoder *decoder)
{
    struct core_timer timers[TRX_CORES] = {0}, all = {0};
    struct trx_plan *plan = &decoder->plan;
    const uint64_t mask = decoder->header.mask;
    bool down = plan->counts_down;
    if (plan->cores < 2 || plan->entries == 0 || mask == 0 || (mask & (mask + 1)) != 0) {
        return;
    }
    if (!decoder->header.saved) {
        /* Counts the steps within each core, and those between neighbours. */
        struct trx_walk walk = trx_walk_begin(decoder, 0);
        for (uint32_t i = 0; i < decoder->plan.entries; i++, trx_walk_next(&walk)) {
            const struct stamp_at at = read_stamp(decoder, &walk);
            struct core_timer *of[2] = {&timers[at.core], &all};
            for (unsigned k = 0; k < 2; k++) {
                of[k]->up += of[k]->seen && at.stamp > of[k]->last;
                of[k]->down += of[k]->seen && at.stamp < of[k]->last;
                of[k]->first = of[k]->seen ? of[k]->first : at.stamp;
                of[k]->last = at.stamp;
                of[k]->seen = true;
            }
        }
    }
    if (decoder->header.saved ? !decoder->header.saved_apart
                              : !are_apart(decoder, timers, &all, &down)) {
        return;
    }
    plan->counts_down = down;
    memset(timers, 0, sizeof timers);
    const uint32_t first = find_bounds(decoder, timers);
    for (uint32_t i = 0; i < plan->cores; i++) {
        const struct core_timer *own = &timers[i];
        int64_t shift = own->has_most ? own->least + (own->most - own->least) / 2 : own->least;
        shift = i == first || own->fixed ? 0 : shift;
        const uint64_t ticks = down ? 0 - (uint64_t)shift : (uint64_t)shift;
        plan->ahead[i] = (timers[first].first + ticks - own->first) & mask;
    }
    plan->apart = true;
    decoder->header.usual = false;
    report_steps(decoder);
}
