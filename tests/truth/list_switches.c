/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_switches CAPTURE: prints the switches of each CPU, from the timelines, as "CPU TICKS
 * THREAD", one a line; idle is "idle", a thread without a name of its own "main". For comparing one
 * run in several formats.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tracetui/timeline.h"
#include "tracetui/trace.h"

static const char *name_of(const struct tt_timelines *t, struct tt_capture *c,
                           const struct tt_occupation *o)
{
    (void)t;
    if (o->idle) {
        return "idle";
    }
    const char *name = tt_capture_text(c, tt_thread_at(c, o->occupant)->name, NULL);
    return name[0] == '\0' || strcmp(name, "Main") == 0 || strcmp(name, "thread") == 0 ? "main"
                                                                                       : name;
}

static void list_cpu(const struct tt_timelines *t, struct tt_capture *c, uint16_t cpu)
{
    struct tt_occupation_at at;
    uint32_t last = TT_OCCUPANT_UNKNOWN;
    if (!tt_occupation_first(t, cpu, &at)) {
        return;
    }
    do {
        struct tt_occupation o = tt_occupation_get(t, at);
        if (o.occupant == TT_OCCUPANT_KERNEL || o.occupant == TT_OCCUPANT_UNKNOWN ||
            o.occupant == last) {
            continue;
        }
        last = o.occupant;
        printf("%u %" PRIu64 " %s\n", (unsigned)cpu, o.start, name_of(t, c, &o));
    } while (tt_occupation_next(t, &at));
}

int main(int argc, char **argv)
{
    struct tt_trace *trace = NULL;
    struct tt_status status = argc == 2 ? tt_trace_open(argv[1], NULL, &trace)
                                        : tt_error(TT_ERR_USAGE, "usage: list_switches CAPTURE");
    if (!tt_failed(&status)) {
        status = tt_trace_index(trace);
    }
    const struct tt_timelines *t = tt_failed(&status) ? NULL : tt_trace_timelines(trace);
    for (uint32_t cpu = 0; t && cpu < tt_cpu_count(t); cpu++) {
        list_cpu(t, tt_trace_capture(trace), (uint16_t)cpu);
    }
    if (tt_failed(&status)) {
        fprintf(stderr, "%s\n", status.text);
    }
    tt_trace_close(trace);
    return tt_failed(&status);
}
