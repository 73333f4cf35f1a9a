/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_truth CAPTURE TRUTH: holds the timelines and the numbers that the library makes of a
 * simulated capture against what the simulator says really happened (docs/simulator.md), to the
 * tick. Prints "ok" and exits 0, or the first differences and exits 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/stats.h"

#define DIFFERENCES_SHOWN 12

struct checker {
    struct tt_trace *trace;
    struct tt_capture *capture;
    const struct tt_timelines *t;
    uint64_t differences;
    uint64_t checks;
    uint64_t intervals; /* of known state and some length, as the truth tells them */
    uint64_t to;        /* behind the last event */
};

/* ---- one line of the truth: a flat JSON object -------------------------------------------- */

static const char *find_key(const char *line, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : NULL;
}

static uint64_t number_of(const char *line, const char *key)
{
    const char *at = find_key(line, key);
    return at ? strtoull(at, NULL, 10) : 0;
}

static bool text_is(const char *line, const char *key, const char *text)
{
    const char *at = find_key(line, key);
    size_t length = strlen(text);
    return at && at[0] == '"' && strncmp(at + 1, text, length) == 0 && at[1 + length] == '"';
}

/* ---- saying what differs ------------------------------------------------------------------ */

static void expect(struct checker *c, const char *line, const char *what, uint64_t truth,
                   uint64_t ours)
{
    c->checks++;
    if (truth == ours) {
        return;
    }
    if (c->differences++ < DIFFERENCES_SHOWN) {
        printf("%s: truth %" PRIu64 ", ours %" PRIu64 ": %.180s\n", what, truth, ours, line);
    }
}

/* ---- lanes -------------------------------------------------------------------------------- */

/* How many processes with this one's pid began before it. */
static uint64_t instance_of(const struct checker *c, const struct tt_process *process)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < tt_process_count(c->capture); i++) {
        const struct tt_process *p = tt_process_at(c->capture, i);
        before += p->pid == process->pid && p->first_when < process->first_when;
    }
    return before;
}

/* The lane of (pid, tid) in the instance-th process of that pid. */
static uint32_t lane_of(const struct checker *c, const char *line)
{
    uint64_t pid = number_of(line, "pid"), tid = number_of(line, "tid");
    uint64_t instance = number_of(line, "instance");
    for (uint32_t i = 0; i < tt_process_count(c->capture); i++) {
        const struct tt_process *p = tt_process_at(c->capture, i);
        if (p->pid == pid && instance_of(c, p) == instance) {
            return tt_registry_find_thread(c->capture, pid, tid, p->first_when);
        }
    }
    return UINT32_MAX;
}

static void check_interval(struct checker *c, const char *line)
{
    uint64_t start = number_of(line, "start"), end = number_of(line, "end");
    if (start == end) {
        return; /* a state that another one replaced at once */
    }
    c->intervals++;
    struct tt_interval_at at;
    uint32_t lane = lane_of(c, line);
    if (!tt_interval_find(c->t, lane, start, &at)) {
        expect(c, line, "no interval there", 1, 0);
        return;
    }
    struct tt_interval i = tt_interval_get(c->t, at);
    const struct tt_state_info *state = &c->capture->format->states[i.state];
    expect(c, line, "start", start, i.start);
    expect(c, line, "end", end, i.end);
    expect(c, line, "start_unknown", number_of(line, "start_unknown"), i.since_before);
    if (!text_is(line, "state", state->name) || !text_is(line, "class", tt_class_name(i.class_))) {
        expect(c, line, state->name, 1, 0);
    }
    if (find_key(line, "cpu")) {
        expect(c, line, "cpu", number_of(line, "cpu"), i.cpu);
        expect(c, line, "irq", number_of(line, "irq"), tt_cpu_irq(c->t, i.cpu, start, end));
    }
}

static uint64_t count_intervals(const struct checker *c)
{
    uint64_t count = 0;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        struct tt_interval_at at;
        if (!tt_interval_first(c->t, lane, &at)) {
            continue;
        }
        do {
            struct tt_interval i = tt_interval_get(c->t, at);
            count += i.class_ != TT_CLASS_UNKNOWN && i.end > i.start;
        } while (tt_interval_next(c->t, &at));
    }
    return count;
}

/* ---- sums --------------------------------------------------------------------------------- */

static void check_samples(struct checker *c, const char *line, const char *name,
                          const struct tt_samples *s)
{
    char key[32];
    snprintf(key, sizeof key, "%s_count", name);
    expect(c, line, key, number_of(line, key), s->count);
    snprintf(key, sizeof key, "%s_ticks", name);
    expect(c, line, key, number_of(line, key), s->sum);
    snprintf(key, sizeof key, "%s_max", name);
    expect(c, line, key, number_of(line, key), s->max);
}

static void check_thread(struct checker *c, const char *line)
{
    uint32_t lane = lane_of(c, line);
    struct tt_thread_sums sums;
    tt_thread_sum(c->t, lane, 0, c->to, &sums);
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        expect(c, line, tt_class_name(i), number_of(line, tt_class_name(i)), sums.ticks[i]);
    }
    expect(c, line, "run", number_of(line, "run"), sums.ticks[TT_CLASS_RUNNING] - sums.irq);
    expect(c, line, "irq", number_of(line, "irq"), sums.irq);
    expect(c, line, "in", number_of(line, "in"), sums.in);
    expect(c, line, "voluntary", number_of(line, "voluntary"), sums.out_voluntary);
    expect(c, line, "preempted", number_of(line, "preempted"), sums.out_preempted);
    expect(c, line, "out_unknown", number_of(line, "out_unknown"), sums.out_unknown);
    expect(c, line, "migrations", number_of(line, "migrations"), sums.migrations);
    expect(c, line, "idle", number_of(line, "idle"),
           lane != UINT32_MAX && tt_thread_at(c->capture, lane)->idle);
    struct tt_delays delays = {0};
    if (!tt_delays_gather(&delays, c->t, lane, 0, c->to)) {
        expect(c, line, "out of memory", 0, 1);
    }
    check_samples(c, line, "sch", &delays.delay);
    check_samples(c, line, "preempted", &delays.preempted);
    check_samples(c, line, "wait", &delays.wait);
    tt_delays_free(&delays);
}

static void check_cpu(struct checker *c, const char *line)
{
    struct tt_cpu_sums sums;
    tt_cpu_sum(c->t, (uint16_t)number_of(line, "cpu"), 0, c->to, &sums);
    expect(c, line, "busy", number_of(line, "busy"), sums.busy);
    expect(c, line, "idle", number_of(line, "idle"), sums.idle);
    expect(c, line, "irq", number_of(line, "irq"), sums.irq);
    expect(c, line, "kernel", number_of(line, "kernel"), sums.kernel);
    expect(c, line, "unknown", number_of(line, "unknown"), sums.unknown);
    expect(c, line, "switches", number_of(line, "switches"), sums.switches);
    expect(c, line, "sum of a CPU's times", tt_timelines_end(c->t) - tt_timelines_begin(c->t),
           sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown);
}

static void check_run(struct checker *c, const char *line)
{
    struct tt_pairs pairs;
    struct tt_status status = tt_pairs_count(c->t, 0, c->to, &pairs);
    uint64_t switches = 0;
    for (size_t i = 0; !tt_failed(&status) && i < pairs.count; i++) {
        switches += pairs.pairs[i].count;
    }
    tt_pairs_free(&pairs);
    expect(c, line, "switches", number_of(line, "switches"), switches);
    expect(c, line, "start", number_of(line, "start"), tt_timelines_begin(c->t));
    expect(c, line, "end", number_of(line, "end"), tt_timelines_end(c->t));
}

static void check_file(struct checker *c, const char *line)
{
    struct tt_progress p = tt_trace_progress(c->trace);
    expect(c, line, "events", number_of(line, "events"), p.events);
    expect(c, line, "records", number_of(line, "records"), p.records);
}

/* ---- the whole ---------------------------------------------------------------------------- */

struct line_kind {
    const char *name;
    void (*check)(struct checker *c, const char *line);
};

static const struct line_kind kinds[] = {
    {"interval", check_interval}, {"sum_thread", check_thread}, {"sum_cpu", check_cpu},
    {"sum_run", check_run},       {"file", check_file},
};

static void check_lines(struct checker *c, FILE *truth)
{
    static char line[4096];
    bool full = false;
    while (fgets(line, sizeof line, truth)) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (text_is(line, "t", kinds[i].name)) {
                kinds[i].check(c, line);
                full |= i == 0;
            }
        }
    }
    if (full) {
        expect(c, "", "intervals", c->intervals, count_intervals(c));
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: check_truth CAPTURE TRUTH\n");
        return 2;
    }
    struct checker c = {0};
    struct tt_status status = tt_trace_open(argv[1], NULL, &c.trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index(c.trace);
    }
    FILE *truth = fopen(argv[2], "r");
    if (tt_failed(&status) || !truth) {
        printf("%s: %s\n", argv[1], truth ? status.text : "no truth");
        tt_trace_close(c.trace);
        return 1;
    }
    c.capture = tt_trace_capture(c.trace);
    c.t = tt_trace_timelines(c.trace);
    c.to = tt_timelines_end(c.t) + 1;
    check_lines(&c, truth);
    fclose(truth);
    tt_trace_close(c.trace);
    if (c.differences > 0) {
        printf("%" PRIu64 " of %" PRIu64 " differ\n", c.differences, c.checks);
        return 1;
    }
    printf("ok %" PRIu64 " checks\n", c.checks);
    return c.checks == 0;
}
