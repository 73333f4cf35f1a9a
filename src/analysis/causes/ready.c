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
static void charge_thread(struct tt_ready_walk *w, struct tt_ready_piece *piece, uint32_t by)
{
    uint64_t by_until;
    if (w->own_until <= piece->from) {
        w->own = tt_thread_priority_until(w->t, w->thread, piece->from, &w->own_until);
    }
    int own = w->own, theirs = tt_thread_priority_until(w->t, by, piece->from, &by_until);
    piece->to = tt_earlier(piece->to, tt_earlier(w->own_until, by_until));
    piece->by = by;
    if (own == TT_NO_PRIORITY || theirs == TT_NO_PRIORITY) {
        piece->cause = TT_CAUSE_OCCUPIED;
    } else {
        piece->cause = tt_is_more_urgent(w->c, by, theirs, own)   ? TT_CAUSE_HIGHER
                       : tt_is_more_urgent(w->c, by, own, theirs) ? TT_CAUSE_LOWER
                                                                  : TT_CAUSE_EQUAL;
    }
}

static void charge(struct tt_ready_walk *w, const struct tt_occupation *o,
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

/* Reads the occupation after `place`. */
static void read_after(struct tt_ready_walk *w)
{
    w->has_after = tt_occupation_next(w->t, &w->place);
    if (w->has_after) {
        w->after = tt_occupation_get(w->t, w->place);
    }
}

/* Finds the occupation at w->at; false if there is none. */
static bool find_occupation(struct tt_ready_walk *w)
{
    if (!w->found) {
        w->found = tt_occupation_find(w->t, w->cpu, w->at, &w->place);
        if (w->found) {
            w->occupation = tt_occupation_get(w->t, w->place);
            read_after(w);
        }
        return w->found;
    }
    while (w->has_after && w->after.start <= w->at) {
        w->occupation = w->after;
        read_after(w);
    }
    return true;
}

bool tt_ready_next(struct tt_ready_walk *w, struct tt_ready_piece *piece)
{
    if (w->at >= w->to) {
        return false;
    }
    *piece = (struct tt_ready_piece){w->at, w->to, TT_NO_THREAD, TT_CAUSE_UNKNOWN};
    if (w->cpu != TT_NO_CPU && find_occupation(w)) {
        if (w->irqs_until <= w->at) {
            w->irqs = tt_cpu_irq_until(w->t, w->cpu, w->at, &w->irqs_until);
        }
        piece->to = tt_earlier(w->irqs_until, w->to);
        if (w->irqs > 0) {
            piece->cause = TT_CAUSE_INTERRUPT;
        } else {
            const struct tt_occupation *o = &w->occupation;
            piece->to = o->end > w->at ? tt_earlier(piece->to, o->end) : piece->to;
            charge(w, o, piece);
        }
    }
    w->at = piece->to;
    return true;
}
