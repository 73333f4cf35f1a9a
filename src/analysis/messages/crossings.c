/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/messages/crossings.h"

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

struct tt_crossings *tt_crossings_new(const struct tt_timelines *timelines,
                                      const struct tt_capture *capture, enum tt_crossing what,
                                      uint64_t from, uint64_t to, const struct tt_sample_sink *sink)
{
    struct tt_crossings *crossings = calloc(1, sizeof *crossings);
    if (!crossings) {
        return NULL;
    }
    crossings->t = timelines;
    crossings->capture = capture;
    crossings->what = what;
    crossings->from = from;
    crossings->to = to;
    crossings->sink = *sink;
    if (what == TT_CROSSING_MESSAGE &&
        !tt_message_walk_start(&crossings->walk, timelines, from, false)) {
        tt_crossings_free(crossings);
        return NULL;
    }
    return crossings;
}

void tt_crossings_free(struct tt_crossings *crossings)
{
    if (crossings) {
        tt_message_walk_free(&crossings->walk);
        free(crossings);
    }
}

static void crossings_spend(uint64_t *work, uint64_t cost)
{
    *work -= *work < cost ? *work : cost;
}

/* ---- migrations --------------------------------------------------------------------------- */

static bool step_migrations(struct tt_crossings *crossings, uint64_t *work, bool *done)
{
    uint32_t threads = tt_thread_count(crossings->capture);
    for (; crossings->thread<threads && * work> 0; crossings_spend(work, 1)) {
        if (!crossings->inside) {
            /* Moves to the first interval of the next thread that counts and overlaps the range. */
            crossings->inside =
                tt_thread_is_counted(tt_thread_at(crossings->capture, crossings->thread)) &&
                (tt_interval_find(crossings->t, crossings->thread, crossings->from,
                                  &crossings->at) ||
                 tt_interval_first(crossings->t, crossings->thread, &crossings->at));
            crossings->thread += !crossings->inside;
            continue;
        }
        struct tt_interval interval = tt_interval_get(crossings->t, crossings->at);
        bool in_range = interval.start < crossings->to;
        crossings->sink.thread = interval.thread;
        if (in_range && interval.start >= crossings->from && interval.migrated &&
            interval.class_ == TT_CLASS_RUNNING &&
            !tt_sample_sink_pass(&crossings->sink, 0, interval.start)) {
            return false;
        }
        crossings->inside = in_range && tt_interval_next(crossings->t, &crossings->at);
        crossings->thread += !crossings->inside;
    }
    *done = crossings->thread >= threads;
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

/* Returns the CPU of a thread's run at a time, or of its run before (`next`: after) it. */
static uint16_t crossings_cpu_at(const struct tt_timelines *timelines, uint32_t thread,
                                 uint64_t ticks, bool next)
{
    struct tt_interval_at at;
    if (thread == TT_NO_THREAD || !tt_interval_find(timelines, thread, ticks, &at)) {
        return TT_NO_CPU;
    }
    for (;;) {
        struct tt_interval interval = tt_interval_get(timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING) {
            return interval.cpu;
        }
        if (!next) {
            return interval.cpu; /* that of the last run */
        }
        if (interval.class_ == TT_CLASS_UNKNOWN || !tt_interval_next(timelines, &at)) {
            return TT_NO_CPU;
        }
    }
}

/* Returns whether a message crosses. O(log n). */
static bool message_crosses(const struct tt_timelines *timelines, const struct tt_message *message)
{
    if (message->send == TT_NO_TIME || message->receive == TT_NO_TIME) {
        return false;
    }
    uint16_t from = crossings_cpu_at(timelines, message->client, message->send, false);
    uint16_t to = crossings_cpu_at(timelines, message->server, message->receive, true);
    return from != TT_NO_CPU && to != TT_NO_CPU && from != to;
}

static bool step_messages(struct tt_crossings *crossings, uint64_t *work, bool *done)
{
    struct tt_message m;
    while (*work > 0) {
        if (!crossings->prepared) {
            crossings->prepared = tt_message_walk_prepare(&crossings->walk, work);
            continue;
        }
        crossings_spend(work, MESSAGE_WORK);
        if (!tt_message_walk_next(&crossings->walk, &m) || tt_message_begin(&m) >= crossings->to) {
            *done = true;
            return true;
        }
        crossings->sink.thread = m.client;
        if (m.send != TT_NO_TIME && m.send >= crossings->from &&
            message_crosses(crossings->t, &m) &&
            !tt_sample_sink_pass(&crossings->sink, 0, m.send)) {
            return false;
        }
    }
    return true;
}

bool tt_crossings_step(struct tt_crossings *crossings, uint64_t *work, bool *done)
{
    *done = false;
    return crossings->what == TT_CROSSING_MIGRATION ? step_migrations(crossings, work, done)
                                                    : step_messages(crossings, work, done);
}
