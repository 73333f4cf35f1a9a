/* SPDX-License-Identifier: Apache-2.0 */
/*
 * longest_delays: prints the ten longest delays of a capture, from the end of a wait to running, with the time at
 * which the thread ran, in nanoseconds, or in ticks if the capture has no clock. An example of the library:
 *
 *      cc -o longest_delays longest_delays.c $(pkg-config --cflags --libs tracetui)
 */
#include <inttypes.h>
#include <stdio.h>

#include "tracetui/capture.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define LONGEST 10

struct delay {
    uint64_t ticks, at;
    uint32_t thread;
};

/* Adds a delay to the list, the longest first, if it is one of the longest; returns their number. */
static unsigned keep_delay(struct delay list[LONGEST + 1], unsigned count, struct delay delay)
{
    unsigned i = count;
    for (; i > 0 && list[i - 1].ticks < delay.ticks; i--) {
        list[i] = list[i - 1];
    }
    list[i] = delay;
    return count < LONGEST ? count + 1 : LONGEST;
}

/* Walks the intervals of a thread: a delay is a ready interval between a wait and a run. */
static unsigned find_delays(const struct tt_timelines *timelines, uint32_t thread,
                            struct delay list[LONGEST + 1], unsigned count)
{
    struct tt_interval_at at;
    struct tt_interval before = {.class_ = TT_CLASS_UNKNOWN}, ready = before;
    bool more = tt_interval_first(timelines, thread, &at);
    for (; more; more = tt_interval_next(timelines, &at)) {
        struct tt_interval interval = tt_interval_get(timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING && ready.class_ == TT_CLASS_READY &&
            tt_class_is_waiting(before.class_) && !ready.since_before && !interval.since_before) {
            struct delay delay = {ready.end - ready.start, ready.end, thread};
            count = keep_delay(list, count, delay);
        }
        before = ready;
        ready = interval;
    }
    return count;
}

static void print_delay(const struct tt_capture *capture, const struct delay *delay)
{
    const struct tt_thread *thread = tt_thread_at(capture, delay->thread);
    int64_t at = (int64_t)delay->at, length = (int64_t)delay->ticks;
    if (capture->clock_hz > 0) {
        tt_ticks_to_ns(delay->at, capture->clock_hz, &at);
        tt_ticks_to_ns(delay->ticks, capture->clock_hz, &length);
    }
    printf("%" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64 "\n", length, at,
           tt_process_at(capture, thread->process)->pid, thread->tid);
}

int main(int argc, char **argv)
{
    struct tt_trace *trace;
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(argc > 1 ? argv[1] : "", &options, &trace);
    if (tt_failed(&status)) {
        fprintf(stderr, "%s\n", status.text);
        return 2;
    }
    status = tt_trace_index(trace);
    struct delay list[LONGEST + 1];
    unsigned count = 0;
    const struct tt_capture *capture = tt_trace_capture(trace);
    for (uint32_t thread = 0; !tt_failed(&status) && thread < tt_thread_count(capture); thread++) {
        if (tt_thread_is_counted(tt_thread_at(capture, thread))) {
            count = find_delays(tt_trace_timelines(trace), thread, list, count);
        }
    }
    puts("delay at pid tid");
    for (unsigned i = 0; i < count; i++) {
        print_delay(capture, &list[i]);
    }
    tt_trace_close(trace);
    return tt_failed(&status) ? 1 : 0;
}
