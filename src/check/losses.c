/* SPDX-License-Identifier: Apache-2.0 */
/* losses: where records are lost, and which rows of a table that concerns. */
#include "base/array.h"
#include "check/judge.h"

/* Returns whether a loss on a CPU, or on any, overlaps a window; its first event may be after it. */
static bool overlaps(const struct tt_check *k, uint16_t cpu, const struct tt_check_window *w)
{
    for (size_t i = 0; i < k->loss_count; i++) {
        const struct tt_check_loss *loss = &k->losses[i];
        if ((cpu == TT_NO_CPU || loss->cpu == cpu) && loss->from < w->to && loss->to > w->from) {
            return true;
        }
    }
    return false;
}

bool tt_check_lost(const struct tt_check *k, const struct tt_check_window *w)
{
    uint64_t at;
    return k->request.growing ||
           (k->t && (tt_loss_in(k->t, w->from, w->to, &at) || overlaps(k, TT_NO_CPU, w)));
}

bool tt_check_lost_cpu(const struct tt_check *k, uint16_t cpu, const struct tt_check_window *w)
{
    return k->request.growing ||
           (k->t && (tt_loss_on(k->t, cpu, w->from, w->to) || overlaps(k, cpu, w)));
}

/* Returns whether a loss explains that the state is unknown in [from, to); it may end later on its CPU. */
static bool unknown_by_loss(const struct tt_check *k, uint32_t thread, uint64_t from, uint64_t to)
{
    uint64_t at;
    return tt_loss_of(k->t, thread, from, to < UINT64_MAX ? to + 1 : to, &at) ||
           tt_loss_between(k->t, thread, from, to);
}

/* Finds the first interval of a lane in a window; *late: the lane begins after a loss in it. */
static bool first_interval(const struct tt_check *k, uint32_t thread,
                           const struct tt_check_window *w, struct tt_interval_at *at, bool *late)
{
    *late = false;
    if (tt_interval_find(k->t, thread, w->from, at)) {
        return true;
    }
    if (!tt_interval_first(k->t, thread, at)) {
        return false;
    }
    struct tt_interval first = tt_interval_get(k->t, *at);
    *late = first.start < w->to && unknown_by_loss(k, thread, w->from, first.start);
    return true;
}

bool tt_check_lost_lane(const struct tt_check *k, uint32_t thread, const struct tt_check_window *w)
{
    struct tt_interval_at at;
    struct tt_interval read[TT_INTERVALS];
    bool late;
    if (!tt_check_lost(k, w) || k->request.growing) {
        return k->request.growing;
    }
    bool more = first_interval(k, thread, w, &at, &late);
    while (more && !late) {
        uint32_t count = tt_intervals_read(k->t, &at, read, &more);
        for (uint32_t i = 0; i < count && read[i].start < w->to; i++) {
            if (read[i].class_ == TT_CLASS_UNKNOWN && read[i].end > w->from &&
                unknown_by_loss(k, thread, read[i].start, read[i].end)) {
                return true;
            }
        }
        more = more && read[count - 1].end < w->to;
    }
    return late;
}

/* ---- losses of single CPUs ---------------------------------------------------------------- */

struct tt_status tt_check_find_losses(struct tt_check *k)
{
    struct tt_occupation_at at;
    struct tt_occupation read[TT_INTERVALS];
    uint64_t first;
    bool any = k->t && tt_loss_in(k->t, 0, UINT64_MAX, &first);
    for (uint32_t cpu = 0; any && cpu < tt_cpu_count(k->t); cpu++) {
        bool more = tt_occupation_first(k->t, (uint16_t)cpu, &at);
        while (more) {
            uint32_t count = tt_occupations_read(k->t, &at, read, &more);
            for (uint32_t i = 0; i < count; i++) {
                const struct tt_occupation *o = &read[i];
                if (o->occupant != TT_OCCUPANT_UNKNOWN ||
                    !tt_loss_on(k->t, o->cpu, o->start, o->end + 1)) {
                    continue;
                }
                struct tt_check_loss *room =
                    tt_array_grow(k->losses, k->loss_count, &k->loss_capacity, sizeof *room);
                if (!room) {
                    return tt_error_memory();
                }
                k->losses = room;
                bool of_all = tt_loss_on(k->t, TT_NO_CPU, o->start, o->end + 1);
                room[k->loss_count++] = (struct tt_check_loss){o->start, o->end, o->cpu, of_all};
            }
        }
    }
    return tt_ok();
}

/* Returns whether a lane has a known state other than running in [from, to). */
static bool is_elsewhere(const struct tt_check *k, uint32_t thread, uint64_t from, uint64_t to)
{
    struct tt_interval_at at;
    bool more = tt_interval_find(k->t, thread, from, &at);
    if (!more && tt_interval_first(k->t, thread, &at)) {
        more = tt_interval_get(k->t, at).start < to;
    }
    while (more) {
        struct tt_interval interval = tt_interval_get(k->t, at);
        if (interval.start >= to) {
            return false;
        }
        if (interval.end > from && interval.class_ != TT_CLASS_RUNNING &&
            interval.class_ != TT_CLASS_UNKNOWN && interval.class_ != TT_CLASS_DEAD) {
            return true;
        }
        more = tt_interval_next(k->t, &at);
    }
    return false;
}

bool tt_check_lost_elsewhere(const struct tt_check *k, uint32_t thread,
                             const struct tt_check_window *w)
{
    for (size_t i = 0; i < k->loss_count; i++) {
        const struct tt_check_loss *loss = &k->losses[i];
        uint64_t from = loss->from > w->from ? loss->from : w->from;
        uint64_t to = loss->to < w->to ? loss->to : w->to;
        /* If all CPUs lost records, a state that is known was recorded after that. */
        if (!loss->of_all && from < to && is_elsewhere(k, thread, from, to)) {
            return true;
        }
    }
    return false;
}
