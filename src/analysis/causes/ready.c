/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/ready.h"

uint16_t tt_ready_cpu(const struct tt_timelines *t, struct tt_interval_at at,
                      const struct tt_interval *ready)
{
    if (tt_interval_next(t, &at)) {
        struct tt_interval next = tt_interval_get(t, at);
        if (next.class_ == TT_CLASS_RUNNING) {
            return next.cpu;
        }
    }
    return ready->cpu;
}

/* Sets the cause of a piece in which a thread has the CPU, and its end. */
static void charge_thread(const struct tt_ready_walk *w, struct tt_ready_piece *piece, uint32_t by)
{
    uint64_t own_until, by_until;
    int own = tt_thread_priority_until(w->t, w->thread, piece->from, &own_until);
    int theirs = tt_thread_priority_until(w->t, by, piece->from, &by_until);
    piece->to = tt_earlier(piece->to, tt_earlier(own_until, by_until));
    piece->by = by;
    if (own == TT_NO_PRIORITY || theirs == TT_NO_PRIORITY) {
        piece->cause = TT_CAUSE_OCCUPIED;
    } else {
        piece->cause = tt_is_more_urgent(w->c, theirs, own)   ? TT_CAUSE_HIGHER
                       : tt_is_more_urgent(w->c, own, theirs) ? TT_CAUSE_LOWER
                                                              : TT_CAUSE_EQUAL;
    }
}

static void charge(const struct tt_ready_walk *w, const struct tt_occupation *o,
                   struct tt_ready_piece *piece)
{
    if (o->idle) {
        piece->cause = TT_CAUSE_IDLE;
    } else if (o->occupant == TT_OCCUPANT_UNKNOWN) {
        piece->cause = TT_CAUSE_UNKNOWN;
    } else if (o->occupant == TT_OCCUPANT_KERNEL || o->occupant == w->thread ||
               tt_thread_at(w->c, o->occupant)->pseudo) {
        piece->cause = TT_CAUSE_KERNEL;
    } else {
        charge_thread(w, piece, o->occupant);
    }
}

bool tt_ready_next(struct tt_ready_walk *w, struct tt_ready_piece *piece)
{
    struct tt_occupation_at place;
    uint64_t until;
    if (w->at >= w->to) {
        return false;
    }
    *piece = (struct tt_ready_piece){w->at, w->to, TT_NO_THREAD, TT_CAUSE_UNKNOWN};
    if (w->cpu != TT_NO_CPU && tt_occupation_find(w->t, w->cpu, w->at, &place)) {
        uint32_t irqs = tt_cpu_irq_until(w->t, w->cpu, w->at, &until);
        piece->to = tt_earlier(until, w->to);
        if (irqs > 0) {
            piece->cause = TT_CAUSE_INTERRUPT;
        } else {
            struct tt_occupation o = tt_occupation_get(w->t, place);
            piece->to = o.end > w->at ? tt_earlier(piece->to, o.end) : piece->to;
            charge(w, &o, piece);
        }
    }
    w->at = piece->to;
    return true;
}

/* ---- sums --------------------------------------------------------------------------------- */

#define PIECE_WORK 8u /* cost of a piece, in intervals */

static void add_piece(struct tt_ready_by *sums, const struct tt_ready_piece *piece)
{
    uint64_t ticks = piece->to - piece->from;
    switch (piece->cause) {
#define X(member, cause)                                                                           \
    case cause:                                                                                    \
        sums->member += ticks;                                                                     \
        break;
        TT_READY_BY_INFO(X)
#undef X
    default:
        break;
    }
}

/* Subtracts from the remaining work; returns false if none is left. */
static bool spend(uint64_t *work, uint64_t cost)
{
    *work -= cost < *work ? cost : *work;
    return *work > 0;
}

/* Adds a part of a ready interval that begins at *reached; returns false if the work is used up. */
static bool add_ready(struct tt_ready_walk *w, uint64_t *reached, uint64_t *work,
                      struct tt_ready_by *sums)
{
    struct tt_ready_piece piece;
    while (tt_ready_next(w, &piece)) {
        add_piece(sums, &piece);
        *reached = piece.to;
        if (!spend(work, PIECE_WORK)) {
            return false;
        }
    }
    return true;
}

void tt_ready_sum_part(const struct tt_timelines *t, const struct tt_capture *c, uint32_t thread,
                       const struct tt_window *window, uint64_t to, uint64_t *reached,
                       uint64_t *work, struct tt_ready_by *sums)
{
    struct tt_interval_at at;
    bool more = *reached < to &&
                (tt_interval_find(t, thread, *reached, &at) || tt_interval_first(t, thread, &at));
    while (more) {
        struct tt_interval i = tt_interval_get(t, at);
        if (i.start >= to) {
            break;
        }
        uint64_t from = i.start > *reached ? i.start : *reached, end = tt_earlier(i.end, to);
        if (i.class_ == TT_CLASS_READY && from < end && tt_window_has_cpu(window, i.cpu)) {
            struct tt_ready_walk w = {t, c, thread, tt_ready_cpu(t, at, &i), from, end};
            if (!add_ready(&w, reached, work, sums)) {
                return;
            }
        }
        more = tt_interval_next(t, &at);
        *reached = end > *reached ? end : *reached;
        if (!spend(work, 1)) {
            return;
        }
    }
    *reached = to;
}
