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

static bool ends_inside(const struct walk *walk, uint64_t end, uint16_t cpu)
{
    return end >= walk->window->from && end < walk->window->to &&
           tt_window_has_cpu(walk->window, cpu);
}

/* Handles a run; `next` is the interval after it, or NULL. */
static bool gather_run(struct walk *walk, const struct tt_interval *interval,
                       const struct tt_interval *next)
{
    bool cut = interval->open || (next && next->cut_before);
    walk->waiting = false;
    if (cut || interval->since_before || !ends_inside(walk, interval->end, interval->cpu)) {
        return true;
    }
    uint64_t irq = tt_cpu_irq(walk->t, interval->cpu, interval->start, interval->end);
    return tt_samples_add(&walk->delays->slice, interval->end - interval->start - irq,
                          interval->end);
}

/* Handles a ready interval; `ran` is the run after it, or NULL. */
static bool gather_ready(struct walk *walk, const struct tt_interval *interval,
                         const struct tt_interval *ran)
{
    bool ok = true;
    if (walk->waiting && !interval->since_before &&
        ends_inside(walk, interval->start, interval->cpu)) {
        ok = tt_samples_add(&walk->delays->wait, interval->start - walk->left, interval->start);
    }
    walk->waiting = false;
    if (!ok || !ran || interval->since_before || ran->since_before ||
        !ends_inside(walk, interval->end, ran->cpu)) {
        return ok;
    }
    if (tt_class_is_waiting(walk->before)) {
        return tt_samples_add(&walk->delays->delay, interval->end - interval->start, interval->end);
    }
    if (walk->before == TT_CLASS_RUNNING) {
        return tt_samples_add(&walk->delays->preempted, interval->end - interval->start,
                              interval->end);
    }
    return true;
}

/*
 * Moves back to the last run or unknown interval that ends before `from`, where a wait may have
 * begun. Many intervals may have the same end.
 */
static void delays_step_back(const struct tt_timelines *timelines, uint64_t from,
                             struct tt_interval_at *at)
{
    struct tt_interval_at before = *at;
    while (tt_interval_previous(timelines, &before)) {
        *at = before;
        struct tt_interval i = tt_interval_get(timelines, before);
        if (i.end < from && (i.class_ == TT_CLASS_RUNNING || i.class_ == TT_CLASS_UNKNOWN)) {
            return;
        }
    }
}

bool tt_delays_gather_in(struct tt_delays *delays, const struct tt_timelines *timelines,
                         uint32_t thread, const struct tt_window *window)
{
    struct walk w = {
        .t = timelines, .delays = delays, .window = window, .before = TT_CLASS_UNKNOWN};
    struct tt_interval_at at;
    /*
     * list[0] is the last interval of the previous batch: it is handled together with its
     * successor.
     */
    struct tt_interval list[TT_INTERVALS + 1];
    uint32_t kept = 0;
    if (!tt_interval_find(timelines, thread, window->from, &at) &&
        !tt_interval_first(timelines, thread, &at)) {
        return true;
    }
    delays_step_back(timelines, window->from, &at);
    for (bool more = true; more;) {
        uint32_t count = kept + tt_intervals_read(timelines, &at, list + kept, &more);
        for (uint32_t i = 0; i + more < count; i++) {
            if (list[i].start >= window->to) {
                return true;
            }

            /* Handles an interval; `next` is the one after it, or NULL. */
            const struct tt_interval *interval = &list[i];
            const struct tt_interval *next = i + 1 < count ? &list[i + 1] : NULL;
            bool ok = true;
            if (interval->class_ == TT_CLASS_RUNNING) {
                ok = gather_run(&w, interval, next);
            } else if (interval->class_ == TT_CLASS_READY) {
                ok = gather_ready(&w, interval,
                                  next && next->class_ == TT_CLASS_RUNNING ? next : NULL);
            } else {
                /* Handles any other state: it continues, begins or interrupts a wait. */
                if (interval->class_ == TT_CLASS_UNKNOWN || interval->class_ == TT_CLASS_DEAD) {
                    w.waiting = false;
                } else if (w.before == TT_CLASS_RUNNING) {
                    w.waiting = true;
                    w.left = interval->start;
                }
            }
            w.before = interval->class_;
            if (!ok) {
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
static uint64_t delays_part_end(const struct tt_timelines *timelines, uint32_t thread,
                                uint64_t from, uint64_t to, uint64_t *work)
{
    struct tt_interval_at at, last;
    if (*work == UINT64_MAX || to <= from ||
        (!tt_interval_find(timelines, thread, from, &at) &&
         !tt_interval_first(timelines, thread, &at))) {
        return to;
    }
    if (tt_interval_get(timelines, at).start >= to) {
        return to;
    }
    uint64_t first = tt_interval_index(timelines, at);
    uint64_t count = tt_interval_find(timelines, thread, to - 1, &last)
                         ? tt_interval_index(timelines, last) - first
                         : tt_interval_count(timelines, thread) - first;
    uint64_t steps = *work < count ? *work : count;
    *work -= steps;
    if (*work > 0 || !tt_interval_skip(timelines, &at, (uint32_t)steps)) {
        return to;
    }
    /* Intervals with the same start belong to one part. */
    do {
        uint64_t start = tt_interval_get(timelines, at).start;
        if (start >= to) {
            break;
        }
        if (start > from) {
            return start;
        }
    } while (tt_interval_next(timelines, &at));
    return to;
}

bool tt_delays_gather_part(struct tt_delays *delays, const struct tt_timelines *timelines,
                           uint32_t thread, const struct tt_window *window, uint64_t *reached,
                           uint64_t *work)
{
    struct tt_window part = *window;
    part.from = *reached;
    part.to = delays_part_end(timelines, thread, *reached, window->to, work);
    *reached = part.to;
    return tt_delays_gather_in(delays, timelines, thread, &part);
}

bool tt_delays_gather(struct tt_delays *delays, const struct tt_timelines *timelines,
                      uint32_t thread, uint64_t from, uint64_t to)
{
    struct tt_window window = {.from = from, .to = to};
    return tt_delays_gather_in(delays, timelines, thread, &window);
}

void tt_delays_clear(struct tt_delays *delays)
{
    tt_samples_clear(&delays->delay);
    tt_samples_clear(&delays->preempted);
    tt_samples_clear(&delays->wait);
    tt_samples_clear(&delays->slice);
}

void tt_delays_free(struct tt_delays *delays)
{
    tt_samples_free(&delays->delay);
    tt_samples_free(&delays->preempted);
    tt_samples_free(&delays->wait);
    tt_samples_free(&delays->slice);
}
