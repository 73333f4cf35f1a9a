/* SPDX-License-Identifier: Apache-2.0 */
/* late: the intervals of a thread that can be explained: delays, waits, preempted waits. */
#include "analysis/causes/blocked_on.h"
#include "analysis/causes/explain.h"
#include "analysis/causes/ready.h"
#include "tracetui/jobs.h"
#include "tracetui/messages.h"

struct late_walk {
    const struct tt_capture *c;
    enum tt_late what;
    uint64_t from, to;
    bool (*take)(void *arg, const struct tt_late_interval *interval);
    void *arg;
    uint8_t before; /* class of the previous interval */
    bool blocked;   /* in a wait that began at `since` and is blocked or ready */
    struct tt_late_interval wait;
    struct tt_late_interval ready; /* the current ready state, if `before` is ready */
    bool ready_known;              /* its beginning is known */
    uint8_t ready_after;           /* class of the interval before it */
};

static bool late_is_wanted(const struct late_walk *walk, uint32_t thread, unsigned state)
{
    bool shows_replies = tt_format_has(tt_merge_format_of(walk->c, thread), TT_FORMAT_REPLIES);
    const struct tt_state_info *info = tt_format_state(walk->c->format, state);
    unsigned class_ = info->class_;
    return walk->what == TT_LATE_WAIT || (walk->what == TT_LATE_LOCK && tt_class_is_lock(class_)) ||
           (walk->what == TT_LATE_REPLY && class_ == TT_CLASS_IPC &&
            (!shows_replies || (info->flags & TT_STATE_AWAITS_REPLY)));
}

/* Handles the start of a run, which ends the delay or wait before it. */
static bool end_at_run(struct late_walk *walk, const struct tt_interval *run)
{
    const struct tt_late_interval *done = NULL;
    bool after_ready = walk->before == TT_CLASS_READY && walk->ready_known;
    if (run->since_before || run->start < walk->from || run->start >= walk->to) {
        return true;
    }
    if (walk->what == TT_LATE_DELAY) {
        done = after_ready && tt_class_is_blocked(walk->ready_after) ? &walk->ready : NULL;
    } else if (walk->what == TT_LATE_PREEMPTED) {
        done = after_ready && walk->ready_after == TT_CLASS_RUNNING ? &walk->ready : NULL;
    } else if (walk->blocked && late_is_wanted(walk, walk->wait.thread, walk->wait.state)) {
        done = &walk->wait;
    }
    if (!done) {
        return true;
    }
    struct tt_late_interval interval = *done;
    interval.to = run->start;
    return walk->take(walk->arg, &interval);
}

static bool late_pass(struct late_walk *walk, const struct tt_interval *interval)
{
    bool go_on = true;
    if (tt_class_is_blocked(interval->class_)) {
        if (!tt_class_is_blocked(walk->before)) {
            walk->blocked = !interval->since_before;
            walk->wait = (struct tt_late_interval){interval->start, interval->end, interval->thread,
                                                   interval->state};
        }
        walk->wait.state = interval->state;
    } else if (interval->class_ == TT_CLASS_READY) {
        walk->blocked = walk->blocked && tt_class_is_blocked(walk->before);
        walk->ready = (struct tt_late_interval){interval->start, interval->end, interval->thread,
                                                interval->state};
        walk->ready_known = !interval->since_before;
        walk->ready_after = walk->before;
    } else {
        if (interval->class_ == TT_CLASS_RUNNING) {
            go_on = end_at_run(walk, interval);
        }
        walk->blocked = false;
    }
    walk->before = interval->class_;
    return go_on;
}

/*
 * Moves back so that a delay or wait that ends at or after the first interval is walked from its
 * beginning.
 */
static void late_step_back(const struct tt_timelines *timelines, struct tt_interval_at *at)
{
    struct tt_interval_at before = *at;
    while (tt_interval_previous(timelines, &before)) {
        *at = before;
        unsigned class_ = tt_interval_get(timelines, before).class_;
        if (class_ == TT_CLASS_RUNNING || class_ == TT_CLASS_UNKNOWN) {
            return;
        }
    }
}

bool tt_late_jobs(const struct tt_timelines *timelines, const struct tt_capture *capture,
                  const struct tt_job_ends *ends, uint32_t thread, uint64_t from, uint64_t to,
                  bool (*take)(void *arg, const struct tt_late_interval *interval), void *arg)
{
    struct tt_job_walk walk;
    struct tt_job job;
    uint64_t work = UINT64_MAX;
    tt_job_walk_begin(&walk, timelines, capture, ends, thread, from, to);
    while (tt_job_walk_next(&walk, &work, &job)) {
        struct tt_late_interval interval = {job.ready, job.end, thread, job.state};
        if (!take(arg, &interval)) {
            return false;
        }
    }
    return true;
}

/* Returns the begin of the wait that a thread is in at a time, or the time. */
static uint64_t wait_before(const struct tt_timelines *timelines, uint32_t thread, uint64_t at)
{
    struct tt_interval_at place;
    if (!tt_interval_find(timelines, thread, at, &place)) {
        return 0;
    }
    late_step_back(timelines, &place);
    return tt_earlier(at, tt_interval_get(timelines, place).start);
}

/* Calls `take` for the messages of a thread whose rounds end in [from, to). */
static bool visit_messages(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                           uint64_t to,
                           bool (*take)(void *arg, const struct tt_late_interval *interval),
                           void *arg)
{
    struct tt_message_reader reader;
    struct tt_message m;
    uint32_t row = tt_message_row_of(timelines, thread);
    uint64_t begin = wait_before(timelines, thread, from);
    for (; row != TT_NO_ROW; row = tt_message_row_next(timelines, row)) {
        tt_message_read_from(&reader, timelines, row, begin);
        while (tt_message_read(&reader, &m) && !m.async && tt_message_begin(&m) < to) {
            struct tt_late_interval interval = {m.send, tt_message_return(timelines, &m), thread,
                                                0};
            if (m.send != TT_NO_TIME && interval.to != TT_NO_TIME && interval.to >= from &&
                interval.to < to && !take(arg, &interval)) {
                return false;
            }
        }
    }
    return true;
}

/*
 * Skips intervals that contain no ready state of `least` ticks, unless a ready state is open. The
 * walk continues as at the beginning of a lane.
 */
static void skip_short(struct late_walk *walk, const struct tt_timelines *timelines,
                       struct tt_interval_at *at, uint64_t least)
{
    struct tt_interval_at before = *at;
    bool by_ready = walk->what == TT_LATE_DELAY || walk->what == TT_LATE_PREEMPTED;
    if (!by_ready || walk->before == TT_CLASS_READY) {
        return;
    }
    tt_intervals_skip_short(timelines, at, TT_CLASS_READY, least);
    if (at->chunk != before.chunk || at->slot != before.slot) {
        walk->before = TT_CLASS_UNKNOWN;
        walk->blocked = false;
    }
}

bool tt_late_intervals_long(const struct tt_timelines *timelines, const struct tt_capture *capture,
                            enum tt_late what, uint32_t thread, uint64_t from, uint64_t to,
                            const uint64_t *least,
                            bool (*take)(void *arg, const struct tt_late_interval *interval),
                            void *arg)
{
    struct late_walk k = {.c = capture,
                          .what = what,
                          .from = from,
                          .to = to,
                          .take = take,
                          .arg = arg,
                          .before = TT_CLASS_UNKNOWN};
    struct tt_interval_at at;
    struct tt_interval list[TT_INTERVALS];
    if (what == TT_LATE_RESPONSE) {
        struct tt_job_ends ends;
        struct tt_status status = tt_job_ends_parse(capture->format, NULL, &ends);
        return tt_failed(&status) ||
               tt_late_jobs(timelines, capture, &ends, thread, from, to, take, arg);
    }
    if (what == TT_LATE_MESSAGE) {
        return visit_messages(timelines, thread, from, to, take, arg);
    }
    if (!tt_interval_find(timelines, thread, from, &at) &&
        !tt_interval_first(timelines, thread, &at)) {
        return true;
    }
    late_step_back(timelines, &at);
    for (bool more = true; more;) {
        if (*least > 0) {
            skip_short(&k, timelines, &at, *least);
        }
        uint32_t count = tt_intervals_read(timelines, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].start >= to) {
                return true;
            }
            if (!late_pass(&k, &list[i])) {
                return false;
            }
        }
    }
    return true;
}

bool tt_late_intervals(const struct tt_timelines *timelines, const struct tt_capture *capture,
                       enum tt_late what, uint32_t thread, uint64_t from, uint64_t to,
                       bool (*take)(void *arg, const struct tt_late_interval *interval), void *arg)
{
    const uint64_t least = 0;
    return tt_late_intervals_long(timelines, capture, what, thread, from, to, &least, take, arg);
}

int tt_late_compare(const struct tt_late_interval *left, const struct tt_late_interval *right)
{
    uint64_t x = left->to - left->from, y = right->to - right->from;
    if (x != y) {
        return x > y ? -1 : 1;
    }
    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* ---- the interval around a time ----------------------------------------------------------- */

#define STEPS_MOST 65536u

/* Returns the wake that led to a run: the beginning of the runs and ready states before it. */
static uint64_t wake_before(const struct tt_timelines *timelines, struct tt_interval_at at,
                            uint64_t start)
{
    for (unsigned i = 0; i < STEPS_MOST && tt_interval_previous(timelines, &at); i++) {
        struct tt_interval before = tt_interval_get(timelines, at);
        if (before.class_ != TT_CLASS_READY && before.class_ != TT_CLASS_RUNNING) {
            break;
        }
        start = before.start;
    }
    return start;
}

static uint64_t end_of_wait(const struct tt_timelines *timelines, struct tt_interval_at at,
                            uint64_t end)
{
    for (unsigned i = 0; i < STEPS_MOST && tt_interval_next(timelines, &at); i++) {
        struct tt_interval next = tt_interval_get(timelines, at);
        if (!tt_class_is_blocked(next.class_) && next.class_ != TT_CLASS_READY) {
            break;
        }
        end = next.end;
    }
    return end;
}

bool tt_explain_default(const struct tt_timelines *timelines, uint32_t thread, uint64_t at,
                        uint64_t *from, uint64_t *to, uint16_t *state)
{
    struct tt_interval_at place;
    if (at > tt_timelines_end(timelines) || !tt_interval_find(timelines, thread, at, &place)) {
        return false;
    }
    struct tt_interval i = tt_interval_get(timelines, place);
    *from = i.start;
    *to = i.end;
    *state = i.state;
    if (i.class_ == TT_CLASS_RUNNING) {
        *from = wake_before(timelines, place, i.start);
    } else if (tt_class_is_blocked(i.class_)) {
        *from = tt_wait_begin(timelines, place);
        *to = end_of_wait(timelines, place, i.end);
    }
    return true;
}
