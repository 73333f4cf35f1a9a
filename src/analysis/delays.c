/* SPDX-License-Identifier: Apache-2.0 */
/*
 * delays: the delays of a thread, from the sequence of its states:
 *
 *      sch delay        waiting | READY ...... | RUNNING      wake-up to running
 *      preempted wait   RUNNING | READY ...... | RUNNING
 *      wait time        RUNNING | anything but ready ... | READY
 *
 * An interval of unknown state interrupts all three. A run whose start is unknown ends none of
 * them; neither it nor a run whose end is missing counts as a slice.
 */
#include "tracetui/stats.h"

struct walk {
    const struct tt_timelines *t;
    struct tt_delays *delays;
    const struct tt_window *window;
    uint8_t before; /* class of the previous interval, TT_CLASS_UNKNOWN if there is none */
    bool waiting;   /* left the CPU for a state other than READY and DEAD, at `left` */
    uint64_t left;
};

static bool ends_inside(const struct walk *w, uint64_t end, uint16_t cpu)
{
    return end >= w->window->from && end < w->window->to && tt_window_has_cpu(w->window, cpu);
}

/* Handles a run; `next` is the interval after it, or NULL. */
static bool gather_run(struct walk *w, const struct tt_interval *i, const struct tt_interval *next)
{
    bool cut = i->open || (next && next->cut_before);
    w->waiting = false;
    if (cut || i->since_before || !ends_inside(w, i->end, i->cpu)) {
        return true;
    }
    uint64_t irq = tt_cpu_irq(w->t, i->cpu, i->start, i->end);
    return tt_samples_add(&w->delays->slice, i->end - i->start - irq, i->end);
}

/* Handles a ready interval; `ran` is the run after it, or NULL. */
static bool gather_ready(struct walk *w, const struct tt_interval *i, const struct tt_interval *ran)
{
    bool ok = true;
    if (w->waiting && !i->since_before && ends_inside(w, i->start, i->cpu)) {
        ok = tt_samples_add(&w->delays->wait, i->start - w->left, i->start);
    }
    w->waiting = false;
    if (!ok || !ran || i->since_before || ran->since_before || !ends_inside(w, i->end, ran->cpu)) {
        return ok;
    }
    if (tt_class_is_waiting(w->before)) {
        return tt_samples_add(&w->delays->delay, i->end - i->start, i->end);
    }
    if (w->before == TT_CLASS_RUNNING) {
        return tt_samples_add(&w->delays->preempted, i->end - i->start, i->end);
    }
    return true;
}

/* Handles any other state: it continues, begins or interrupts a wait. */
static void pass_other(struct walk *w, const struct tt_interval *i)
{
    if (i->class_ == TT_CLASS_UNKNOWN || i->class_ == TT_CLASS_DEAD) {
        w->waiting = false;
    } else if (w->before == TT_CLASS_RUNNING) {
        w->waiting = true;
        w->left = i->start;
    }
}

/*
 * Moves back to the last run or unknown interval that ends before `from`, where a wait may have
 * begun. Many intervals may have the same end.
 */
static void step_back(const struct tt_timelines *t, uint64_t from, struct tt_interval_at *at)
{
    struct tt_interval_at before = *at;
    while (tt_interval_previous(t, &before)) {
        *at = before;
        struct tt_interval i = tt_interval_get(t, before);
        if (i.end < from && (i.class_ == TT_CLASS_RUNNING || i.class_ == TT_CLASS_UNKNOWN)) {
            return;
        }
    }
}

/* Handles an interval; `next` is the one after it, or NULL. */
static bool gather(struct walk *w, const struct tt_interval *i, const struct tt_interval *next)
{
    bool ok = true;
    if (i->class_ == TT_CLASS_RUNNING) {
        ok = gather_run(w, i, next);
    } else if (i->class_ == TT_CLASS_READY) {
        ok = gather_ready(w, i, next && next->class_ == TT_CLASS_RUNNING ? next : NULL);
    } else {
        pass_other(w, i);
    }
    w->before = i->class_;
    return ok;
}

bool tt_delays_gather_in(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                         const struct tt_window *window)
{
    struct walk w = {.t = t, .delays = delays, .window = window, .before = TT_CLASS_UNKNOWN};
    struct tt_interval_at at;
    /*
     * list[0] is the last interval of the previous batch: it is handled together with its
     * successor.
     */
    struct tt_interval list[TT_INTERVALS + 1];
    uint32_t kept = 0;
    if (!tt_interval_find(t, thread, window->from, &at) && !tt_interval_first(t, thread, &at)) {
        return true;
    }
    step_back(t, window->from, &at);
    for (bool more = true; more;) {
        uint32_t count = kept + tt_intervals_read(t, &at, list + kept, &more);
        for (uint32_t i = 0; i + more < count; i++) {
            if (list[i].start >= window->to) {
                return true;
            }
            if (!gather(&w, &list[i], i + 1 < count ? &list[i + 1] : NULL)) {
                return false;
            }
        }
        kept = count > 0;
        list[0] = list[count - kept];
    }
    return true;
}

/*
 * Returns the end of a part of the window that begins at `from`: after about *work intervals, or at
 * the end of the window.
 */
static uint64_t part_end(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                         uint64_t *work)
{
    struct tt_interval_at at, last;
    if (*work == UINT64_MAX || to <= from ||
        (!tt_interval_find(t, thread, from, &at) && !tt_interval_first(t, thread, &at))) {
        return to;
    }
    if (tt_interval_get(t, at).start >= to) {
        return to;
    }
    uint64_t first = tt_interval_index(t, at);
    uint64_t count = tt_interval_find(t, thread, to - 1, &last)
                         ? tt_interval_index(t, last) - first
                         : tt_interval_count(t, thread) - first;
    uint64_t steps = *work < count ? *work : count;
    *work -= steps;
    if (*work > 0 || !tt_interval_skip(t, &at, (uint32_t)steps)) {
        return to;
    }
    /* Intervals with the same start belong to one part. */
    do {
        uint64_t start = tt_interval_get(t, at).start;
        if (start >= to) {
            break;
        }
        if (start > from) {
            return start;
        }
    } while (tt_interval_next(t, &at));
    return to;
}

bool tt_delays_gather_part(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                           const struct tt_window *window, uint64_t *reached, uint64_t *work)
{
    struct tt_window part = *window;
    part.from = *reached;
    part.to = part_end(t, thread, *reached, window->to, work);
    *reached = part.to;
    return tt_delays_gather_in(delays, t, thread, &part);
}

bool tt_delays_gather(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                      uint64_t from, uint64_t to)
{
    struct tt_window window = {.from = from, .to = to};
    return tt_delays_gather_in(delays, t, thread, &window);
}

void tt_delays_clear(struct tt_delays *d)
{
    tt_samples_clear(&d->delay);
    tt_samples_clear(&d->preempted);
    tt_samples_clear(&d->wait);
    tt_samples_clear(&d->slice);
}

void tt_delays_free(struct tt_delays *d)
{
    tt_samples_free(&d->delay);
    tt_samples_free(&d->preempted);
    tt_samples_free(&d->wait);
    tt_samples_free(&d->slice);
}
