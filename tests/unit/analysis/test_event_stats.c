/* SPDX-License-Identifier: Apache-2.0 */
/* Durations of events: a duration with lost records inside does not count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btrace_build.h"
#include "tracetui/stats.h"
#include "tracetui/trace.h"

enum { SWITCH = 6, IRQ_BEGIN = 0, IRQ_END = 1 };

static struct tt_trace *trace_of(const struct stream *s)
{
    char path[] = "/tmp/tracetui-stats-XXXXXX";
    struct tt_trace *trace = NULL;
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, s->bytes, s->size) == (ssize_t)s->size);
    close(fd);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    unlink(path);
    return trace;
}

/* Returns the durations of a name in the whole capture. */
static struct tt_distribution durations_of(const struct stream *s, const char *name)
{
    struct tt_trace *trace = trace_of(s);
    struct tt_events *events = tt_events_new(trace);
    struct tt_event_window window = {
        .from = 0, .to = UINT64_MAX, .first_row = 0, .end_row = tt_events_rows(events)};
    struct tt_event_stats *stats = tt_event_stats_new(trace, &window);
    struct tt_distribution found = {0};
    for (bool done = false; !done;) {
        struct tt_status status = tt_event_stats_step(stats, events, 1000, &done);
        cr_assert(!tt_failed(&status), "%s", status.text);
    }
    for (size_t i = 0; i < tt_event_stats_count(stats); i++) {
        struct tt_event_numbers numbers = tt_event_stats_at(stats, i);
        found = strcmp(numbers.name, name) == 0 ? numbers.duration : found;
    }
    tt_event_stats_free(stats);
    tt_events_free(events);
    tt_trace_close(trace);
    return found;
}

/*
 * Returns the durations of two interrupts on CPU 0 with a loss in the first, the second, or
 * neither.
 */
static struct tt_distribution interrupts(unsigned lost_in)
{
    struct stream s = {0};
    uint64_t lossy = 0;
    stream_smp(&s, 0, SWITCH, 100, 0x1000);
    stream_smp(&s, 0, IRQ_BEGIN, 200, 7);
    lossy = stream_smp(&s, 0, IRQ_END, 230, 0);
    if (lost_in == 1) {
        s.bytes[lossy + 1] |= LOSS;
    }
    stream_smp(&s, 0, SWITCH, 250, 0x2000);
    stream_smp(&s, 0, IRQ_BEGIN, 300, 7);
    lossy = stream_smp(&s, 0, IRQ_END, 350, 0);
    if (lost_in == 2) {
        s.bytes[lossy + 1] |= LOSS;
    }
    stream_smp(&s, 0, SWITCH, 400, 0x1000);
    struct tt_distribution d = durations_of(&s, "EIrqStart");
    stream_free(&s);
    return d;
}

Test(event_stats, a_duration_in_which_records_were_lost_does_not_count)
{
    struct tt_distribution all = interrupts(0), first = interrupts(1), second = interrupts(2);
    cr_expect_eq(all.count, 2);
    cr_expect_eq(all.sum, 80);
    cr_expect_eq(first.count, 1, "%u", (unsigned)first.count);
    cr_expect_eq(first.sum, 50);
    cr_expect_eq(second.count, 1, "%u", (unsigned)second.count);
    cr_expect_eq(second.sum, 30);
}
