/* SPDX-License-Identifier: Apache-2.0 */
/* losses: where records are lost, and which rows of a table that concerns. */
#include "base/array.h"
#include "check/judge.h"

/* Returns whether a loss on a CPU, or on any, overlaps a window; its first event may be after it. */
static bool overlaps(const struct tt_check *check, uint16_t cpu,
                     const struct tt_check_window *window)
{
    for (size_t i = 0; i < check->loss_count; i++) {
        const struct tt_check_loss *loss = &check->losses[i];
        if ((cpu == TT_NO_CPU || loss->cpu == cpu) && loss->from < window->to &&
            loss->to > window->from) {
            return true;
        }
    }
    return false;
}

bool tt_check_lost(const struct tt_check *check, const struct tt_check_window *window)
{
    uint64_t at;
    return check->request.growing ||
           (check->t && (tt_loss_in(check->t, window->from, window->to, &at) ||
                         overlaps(check, TT_NO_CPU, window)));
}

bool tt_check_lost_cpu(const struct tt_check *check, uint16_t cpu,
                       const struct tt_check_window *window)
{
    return check->request.growing ||
           (check->t &&
            (tt_loss_on(check->t, cpu, window->from, window->to) || overlaps(check, cpu, window)));
}

/* Returns whether a loss explains that the state is unknown in [from, to); it may end later on its CPU. */
static bool unknown_by_loss(const struct tt_check *check, uint32_t thread, uint64_t from,
                            uint64_t to)
{
    uint64_t at;
    return tt_loss_of(check->t, thread, from, to < UINT64_MAX ? to + 1 : to, &at) ||
           tt_loss_between(check->t, thread, from, to);
}

/* Finds the first interval of a lane in a window; *late: the lane begins after a loss in it. */
static bool losses_first_interval(const struct tt_check *check, uint32_t thread,
                                  const struct tt_check_window *window, struct tt_interval_at *at,
                                  bool *late)
{
    *late = false;
    if (tt_interval_find(check->t, thread, window->from, at)) {
        return true;
    }
    if (!tt_interval_first(check->t, thread, at)) {
        return false;
    }
    struct tt_interval first = tt_interval_get(check->t, *at);
    *late = first.start < window->to && unknown_by_loss(check, thread, window->from, first.start);
    return true;
}

bool tt_check_lost_lane(const struct tt_check *check, uint32_t thread,
                        const struct tt_check_window *window)
{
    struct tt_interval_at at;
    struct tt_interval read[TT_INTERVALS];
    bool late;
    if (!tt_check_lost(check, window) || check->request.growing) {
        return check->request.growing;
    }
    bool more = losses_first_interval(check, thread, window, &at, &late);
    while (more && !late) {
        uint32_t count = tt_intervals_read(check->t, &at, read, &more);
        for (uint32_t i = 0; i < count && read[i].start < window->to; i++) {
            if (read[i].class_ == TT_CLASS_UNKNOWN && read[i].end > window->from &&
                unknown_by_loss(check, thread, read[i].start, read[i].end)) {
                return true;
            }
        }
        more = more && read[count - 1].end < window->to;
    }
    return late;
}

/* ---- losses of single CPUs ---------------------------------------------------------------- */

struct tt_status tt_check_find_losses(struct tt_check *check)
{
    struct tt_occupation_at at;
    struct tt_occupation read[TT_INTERVALS];
    uint64_t first;
    bool any = check->t && tt_loss_in(check->t, 0, UINT64_MAX, &first);
    for (uint32_t cpu = 0; any && cpu < tt_cpu_count(check->t); cpu++) {
        bool more = tt_occupation_first(check->t, (uint16_t)cpu, &at);
        while (more) {
            uint32_t count = tt_occupations_read(check->t, &at, read, &more);
            for (uint32_t i = 0; i < count; i++) {
                const struct tt_occupation *occupation = &read[i];
                if (occupation->occupant != TT_OCCUPANT_UNKNOWN ||
                    !tt_loss_on(check->t, occupation->cpu, occupation->start,
                                occupation->end + 1)) {
                    continue;
                }
                struct tt_check_loss *room = tt_array_grow(check->losses, check->loss_count,
                                                           &check->loss_capacity, sizeof *room);
                if (!room) {
                    return tt_error_memory();
                }
                check->losses = room;
                bool of_all =
                    tt_loss_on(check->t, TT_NO_CPU, occupation->start, occupation->end + 1);
                room[check->loss_count++] = (struct tt_check_loss){
                    occupation->start, occupation->end, occupation->cpu, of_all};
            }
        }
    }
    return tt_ok();
}

/* Returns whether a lane has a known state other than running in [from, to). */
static bool is_elsewhere(const struct tt_check *check, uint32_t thread, uint64_t from, uint64_t to)
{
    struct tt_interval_at at;
    bool more = tt_interval_find(check->t, thread, from, &at);
    if (!more && tt_interval_first(check->t, thread, &at)) {
        more = tt_interval_get(check->t, at).start < to;
    }
    while (more) {
        struct tt_interval interval = tt_interval_get(check->t, at);
        if (interval.start >= to) {
            return false;
        }
        if (interval.end > from && interval.class_ != TT_CLASS_RUNNING &&
            interval.class_ != TT_CLASS_UNKNOWN && interval.class_ != TT_CLASS_DEAD) {
            return true;
        }
        more = tt_interval_next(check->t, &at);
    }
    return false;
}

bool tt_check_lost_elsewhere(const struct tt_check *check, uint32_t thread,
                             const struct tt_check_window *window)
{
    for (size_t i = 0; i < check->loss_count; i++) {
        const struct tt_check_loss *loss = &check->losses[i];
        uint64_t from = loss->from > window->from ? loss->from : window->from;
        uint64_t to = loss->to < window->to ? loss->to : window->to;
        /* If all CPUs lost records, a state that is known was recorded after that. */
        if (!loss->of_all && from < to && is_elsewhere(check, thread, from, to)) {
            return true;
        }
    }
    return false;
}
