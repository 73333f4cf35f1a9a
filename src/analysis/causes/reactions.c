/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/reactions.h"

#define EVENTS 256u

/* Finds the first begin and the last end of handlers on the CPU between entry and wake. */
static void find_handler(struct tt_wakes *wakes, const struct tt_wake *wake, uint64_t *begin,
                         uint64_t *end)
{
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[EVENTS];
    struct tt_edge edges[TT_EDGES_PER_EVENT];
    uint64_t row = tt_events_row_at_key(events, wake->since, wake->since_pos) + 1;
    uint64_t last = tt_events_row_at_key(events, wake->at, wake->pos);
    unsigned depth = 0;
    *begin = *end = UINT64_MAX;
    while (row < last) {
        uint32_t ask = last - row < EVENTS ? (uint32_t)(last - row) : EVENTS;
        uint32_t count = tt_events_read(events, row, ask, list);
        for (uint32_t i = 0; i < count; i++) {
            struct tt_clue clue;
            bool whole;
            tt_events_clue(events, &list[i], false, &clue);
            if (list[i].cpu != wake->cpu) {
                continue;
            }
            depth += clue.role == TT_CLUE_IRQ;
            depth -= clue.role == TT_CLUE_IRQ_END && depth > 0;
            if (clue.role != TT_CLUE_HANDLER || depth > 0) {
                continue;
            }
            bool begins = tt_events_edges(events, &list[i], 1, TT_EDGES_ALL, edges, &whole) > 0 &&
                          edges[0].side == TT_EDGE_BEGIN;
            if (begins && *begin == UINT64_MAX) {
                *begin = list[i].ticks;
            }
            *end = begins ? UINT64_MAX : list[i].ticks;
        }
        if (count == 0) {
            return;
        }
        row += count;
    }
}

/* Finds when a thread that was woken at the start of `at` runs; false if it blocks or is lost. */
static bool reactions_find_run(const struct tt_timelines *timelines, struct tt_interval_at at,
                               uint64_t *run)
{
    struct tt_interval i = tt_interval_get(timelines, at);
    if (i.class_ == TT_CLASS_READY && tt_interval_next(timelines, &at)) {
        i = tt_interval_get(timelines, at);
    }
    *run = i.start;
    return i.class_ == TT_CLASS_RUNNING && !i.since_before && !i.cut_before;
}

/*
 * Finds an interval from which a walk meets every reaction that ends at `from` or later: the
 * thread's last run that begins before `from`, or its first interval. Returns false if its last
 * interval ends before `from`.
 */
static bool reactions_first_interval(const struct tt_timelines *timelines, uint32_t thread,
                                     uint64_t from, struct tt_interval_at *at)
{
    if (!tt_interval_find(timelines, thread, from, at)) {
        return tt_interval_first(timelines, thread, at) &&
               tt_interval_get(timelines, *at).start >= from;
    }
    while (true) {
        struct tt_interval i = tt_interval_get(timelines, *at);
        if ((i.class_ == TT_CLASS_RUNNING && i.start < from) ||
            !tt_interval_previous(timelines, at)) {
            return true;
        }
    }
}

void tt_reactions(struct tt_wakes *wakes, uint32_t thread, uint64_t vector, uint64_t from,
                  uint64_t to, bool (*take)(void *arg, const struct tt_reaction *reaction),
                  void *arg)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at at;
    struct tt_interval last = {.class_ = TT_CLASS_UNKNOWN};
    if (!reactions_first_interval(timelines, thread, from, &at)) {
        return;
    }
    do {
        struct tt_interval i = tt_interval_get(timelines, at);
        struct tt_reaction r = {.thread = thread, .vector = vector};
        if (i.start >= to) {
            return;
        }
        bool woken = tt_class_is_blocked(last.class_) && reactions_find_run(timelines, at, &r.to) &&
                     r.to >= from && r.to < to;
        struct tt_wake wake;
        if (woken) {
            tt_wake_find(wakes, &last, &wake);
        }
        if (woken && wake.by == TT_WAKER_INTERRUPT && wake.vector == vector && wake.has_since) {
            r.from = wake.since;
            r.cpu = wake.cpu;

            /* Divides the time of a reaction. */
            uint64_t begin, end;
            find_handler(wakes, &wake, &begin, &end);
            r.has_handler = begin != UINT64_MAX;
            if (r.has_handler) {
                end = end != UINT64_MAX && end >= begin ? end : wake.at;
                r.parts[TT_REACTION_ENTRY] = begin - r.from;
                r.parts[TT_REACTION_HANDLER] = end - begin;
                r.parts[TT_REACTION_READY] = wake.at - end;
            } else {
                r.parts[TT_REACTION_READY] = wake.at - r.from;
            }
            r.parts[TT_REACTION_RUNNING] = r.to - wake.at;

            if (!take(arg, &r)) {
                return;
            }
        }
        last = i;
    } while (tt_interval_next(timelines, &at));
}
