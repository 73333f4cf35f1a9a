/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/crossings.h"

#include <stdlib.h>

#define MESSAGE_WORK 4u /* intervals that cost as much as a message */

struct tt_crossings {
    const struct tt_timelines *t;
    const struct tt_capture *capture;
    enum tt_crossing what;
    uint64_t from;
    uint64_t to;
    struct tt_sample_sink sink;
    /* Migrations: the next thread, and the place in its intervals. */
    uint32_t thread;
    bool inside;
    struct tt_interval_at at;
    /* Messages. */
    struct tt_message_walk walk;
    bool prepared;
};

struct tt_crossings *tt_crossings_new(const struct tt_timelines *t, const struct tt_capture *c,
                                      enum tt_crossing what, uint64_t from, uint64_t to,
                                      const struct tt_sample_sink *sink)
{
    struct tt_crossings *x = calloc(1, sizeof *x);
    if (!x) {
        return NULL;
    }
    x->t = t;
    x->capture = c;
    x->what = what;
    x->from = from;
    x->to = to;
    x->sink = *sink;
    if (what == TT_CROSSING_MESSAGE && !tt_message_walk_start(&x->walk, t, from, false)) {
        tt_crossings_free(x);
        return NULL;
    }
    return x;
}

void tt_crossings_free(struct tt_crossings *x)
{
    if (x) {
        tt_message_walk_free(&x->walk);
        free(x);
    }
}

static void spend(uint64_t *work, uint64_t cost)
{
    *work -= *work < cost ? *work : cost;
}

/* ---- migrations --------------------------------------------------------------------------- */

/* Moves to the first interval of the next thread that counts and overlaps the range. */
static bool enter_thread(struct tt_crossings *x)
{
    return tt_thread_is_counted(tt_thread_at(x->capture, x->thread)) &&
           (tt_interval_find(x->t, x->thread, x->from, &x->at) ||
            tt_interval_first(x->t, x->thread, &x->at));
}

static bool step_migrations(struct tt_crossings *x, uint64_t *work, bool *done)
{
    uint32_t threads = tt_thread_count(x->capture);
    for (; x->thread<threads && * work> 0; spend(work, 1)) {
        if (!x->inside) {
            x->inside = enter_thread(x);
            x->thread += !x->inside;
            continue;
        }
        struct tt_interval interval = tt_interval_get(x->t, x->at);
        bool in_range = interval.start < x->to;
        x->sink.thread = interval.thread;
        if (in_range && interval.start >= x->from && interval.migrated &&
            interval.class_ == TT_CLASS_RUNNING &&
            !tt_sample_sink_take(&x->sink, 0, interval.start)) {
            return false;
        }
        x->inside = in_range && tt_interval_next(x->t, &x->at);
        x->thread += !x->inside;
    }
    *done = x->thread >= threads;
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

/* Returns the CPU of a thread's run at a time, or of its run before (`next`: after) it. */
static uint16_t cpu_at(const struct tt_timelines *t, uint32_t thread, uint64_t ticks, bool next)
{
    struct tt_interval_at at;
    if (thread == TT_NO_THREAD || !tt_interval_find(t, thread, ticks, &at)) {
        return TT_NO_CPU;
    }
    for (;;) {
        struct tt_interval interval = tt_interval_get(t, at);
        if (interval.class_ == TT_CLASS_RUNNING) {
            return interval.cpu;
        }
        if (!next) {
            return interval.cpu; /* that of the last run */
        }
        if (interval.class_ == TT_CLASS_UNKNOWN || !tt_interval_next(t, &at)) {
            return TT_NO_CPU;
        }
    }
}

bool tt_message_crosses(const struct tt_timelines *t, const struct tt_message *m)
{
    if (m->send == TT_NO_TIME || m->receive == TT_NO_TIME) {
        return false;
    }
    uint16_t from = cpu_at(t, m->client, m->send, false);
    uint16_t to = cpu_at(t, m->server, m->receive, true);
    return from != TT_NO_CPU && to != TT_NO_CPU && from != to;
}

static bool step_messages(struct tt_crossings *x, uint64_t *work, bool *done)
{
    struct tt_message m;
    while (*work > 0) {
        if (!x->prepared) {
            x->prepared = tt_message_walk_prepare(&x->walk, work);
            continue;
        }
        spend(work, MESSAGE_WORK);
        if (!tt_message_walk_next(&x->walk, &m) || tt_message_begin(&m) >= x->to) {
            *done = true;
            return true;
        }
        x->sink.thread = m.client;
        if (m.send != TT_NO_TIME && m.send >= x->from && tt_message_crosses(x->t, &m) &&
            !tt_sample_sink_take(&x->sink, 0, m.send)) {
            return false;
        }
    }
    return true;
}

bool tt_crossings_step(struct tt_crossings *x, uint64_t *work, bool *done)
{
    *done = false;
    return x->what == TT_CROSSING_MIGRATION ? step_migrations(x, work, done)
                                            : step_messages(x, work, done);
}
