/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/ready.h"

uint16_t tt_ready_cpu(const struct tt_timelines *timelines, struct tt_interval_at at,
                      const struct tt_interval *ready)
{
    if (tt_interval_next(timelines, &at)) {
        struct tt_interval next = tt_interval_get(timelines, at);
        if (next.class_ == TT_CLASS_RUNNING) {
            return next.cpu;
        }
    }
    return ready->cpu;
}

/* Sets the cause of a piece in which a thread has the CPU, and its end. */
static void charge_thread(struct tt_ready_walk *walk, struct tt_ready_piece *piece, uint32_t by)
{
    uint64_t by_until;
    if (walk->own_until <= piece->from) {
        walk->own = tt_thread_priority_until(walk->t, walk->thread, piece->from, &walk->own_until);
    }
    int own = walk->own, theirs = tt_thread_priority_until(walk->t, by, piece->from, &by_until);
    piece->to = tt_earlier(piece->to, tt_earlier(walk->own_until, by_until));
    piece->by = by;
    if (own == TT_NO_PRIORITY || theirs == TT_NO_PRIORITY) {
        piece->cause = TT_CAUSE_OCCUPIED;
    } else {
        piece->cause = tt_is_more_urgent(walk->c, by, theirs, own)   ? TT_CAUSE_HIGHER
                       : tt_is_more_urgent(walk->c, by, own, theirs) ? TT_CAUSE_LOWER
                                                                     : TT_CAUSE_EQUAL;
    }
}

/* Reads the occupation after `place`. */
static void read_after(struct tt_ready_walk *walk)
{
    walk->has_after = tt_occupation_next(walk->t, &walk->place);
    if (walk->has_after) {
        walk->after = tt_occupation_get(walk->t, walk->place);
    }
}

/* Finds the occupation at walk->at; false if there is none. */
static bool ready_find_occupation(struct tt_ready_walk *walk)
{
    if (!walk->found) {
        walk->found = tt_occupation_find(walk->t, walk->cpu, walk->at, &walk->place);
        if (walk->found) {
            walk->occupation = tt_occupation_get(walk->t, walk->place);
            read_after(walk);
        }
        return walk->found;
    }
    while (walk->has_after && walk->after.start <= walk->at) {
        walk->occupation = walk->after;
        read_after(walk);
    }
    return true;
}

bool tt_ready_next(struct tt_ready_walk *walk, struct tt_ready_piece *piece)
{
    if (walk->at >= walk->to) {
        return false;
    }
    *piece = (struct tt_ready_piece){walk->at, walk->to, TT_NO_THREAD, TT_CAUSE_UNKNOWN};
    if (walk->cpu != TT_NO_CPU && ready_find_occupation(walk)) {
        if (walk->irqs_until <= walk->at) {
            walk->irqs = tt_cpu_irq_until(walk->t, walk->cpu, walk->at, &walk->irqs_until);
        }
        piece->to = tt_earlier(walk->irqs_until, walk->to);
        if (walk->irqs > 0) {
            piece->cause = TT_CAUSE_INTERRUPT;
        } else {
            const struct tt_occupation *occupation = &walk->occupation;
            piece->to =
                occupation->end > walk->at ? tt_earlier(piece->to, occupation->end) : piece->to;

            if (occupation->idle) {
                piece->cause = TT_CAUSE_IDLE;
            } else if (occupation->occupant == TT_OCCUPANT_UNKNOWN) {
                piece->cause = TT_CAUSE_UNKNOWN;
            } else if (occupation->occupant == TT_OCCUPANT_KERNEL ||
                       occupation->occupant == walk->thread ||
                       tt_thread_at(walk->c, occupation->occupant)->pseudo) {
                piece->cause = TT_CAUSE_KERNEL;
            } else {
                charge_thread(walk, piece, occupation->occupant);
            }
        }
    }
    walk->at = piece->to;
    return true;
}
