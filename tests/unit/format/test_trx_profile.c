/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of each context on the processor, from the timelines, compared with the "Thread
 * Execution" part of TraceX's output for the same captures.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define CAPTURES "../shared/captures/trx/"

static uint64_t ticks_of_thread(struct tt_trace *trace, const struct tt_timelines *t,
                                const char *name)
{
    struct tt_capture *c = tt_trace_capture(trace);
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        if (strcmp(tt_capture_text(c, thread->name, NULL), name) == 0) {
            struct tt_thread_sums sums;
            tt_thread_sum(t, i, tt_timelines_begin(t), tt_timelines_end(t), &sums);
            return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
        }
    }
    cr_assert(false, "no thread is called %s", name);
    return 0;
}

static uint64_t ticks_of(struct tt_trace *trace, const char *name)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_cpu_sums sums;
    cr_assert_not_null(t);
    tt_cpu_sum(t, 0, tt_timelines_begin(t), tt_timelines_end(t), &sums);
    if (strcmp(name, "Idle System") == 0) {
        return sums.idle;
    }
    if (strcmp(name, "Interrupt") == 0) {
        return sums.irq;
    }
    return ticks_of_thread(trace, t, name);
}

/* Parses " 00000000000000001492        <1%  System Timer Thread"; returns false for other lines. */
static bool read_line(char *line, uint64_t *ticks, const char **name)
{
    char *end;
    *ticks = strtoull(line, &end, 10);
    char *percent = strchr(line, '%');
    if (end == line || !percent) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    *name = percent + 1 + strspn(percent + 1, " ");
    return true;
}

static void check_profile(const char *capture, const char *dump, unsigned contexts)
{
    char line[512];
    unsigned checked = 0;
    bool inside = false;
    struct tt_trace *trace;
    FILE *file = fopen(dump, "r");
    if (!file) {
        cr_skip_test(CAPTURES " is not there");
    }
    struct tt_status status = tt_trace_open(capture, NULL, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    while (fgets(line, sizeof line, file)) {
        uint64_t ticks;
        const char *name;
        if (strstr(line, "*****")) {
            inside = strstr(line, "Thread Execution") != NULL;
        } else if (inside && read_line(line, &ticks, &name)) {
            cr_assert_eq(ticks_of(trace, name), ticks, "%s: %" PRIu64 ", not %" PRIu64, name,
                         ticks_of(trace, name), ticks);
            checked++;
        }
    }
    fclose(file);
    tt_trace_close(trace);
    cr_assert_eq(checked, contexts, "%u contexts", checked);
}

Test(trx_profile, demo_threadx)
{
    check_profile(CAPTURES "demo_threadx.trx", CAPTURES "demo_threadx.dump.txt", 11);
}

Test(trx_profile, demo_netx_tcp)
{
    check_profile(CAPTURES "demo_netx_tcp.trx", CAPTURES "demo_netx_tcp.dump.txt", 7);
}
