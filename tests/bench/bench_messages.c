/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_messages: measures the cost of further rows in the index: a capture is indexed with and
 * without the actions of messages, of locks, of interrupts, and of all three, in alternation.
 *
 *      bench_messages FILE [PAIRS]     prints one JSON object
 *
 * Each ratio of CPU times is the median over the pairs; `bytes_a_message` is the memory that a
 * message of three steps adds. Wakes, ready-by and jobs are found in the intervals of threads when
 * a table needs them; the index does not contain them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "trace/trace_internal.h"
#include "tracetui/messages.h"
#include "tracetui/trace.h"

#define BIT(kind) (UINT64_C(1) << TT_ACTION_##kind)
#define MESSAGES                                                                                   \
    (BIT(MESSAGE_SEND) | BIT(MESSAGE_RECEIVE) | BIT(MESSAGE_REPLY) | BIT(POST) | BIT(TAKE) |       \
     BIT(CHANNEL) | BIT(ERROR_CODE) | BIT(FLOW_BEGIN) | BIT(FLOW_STEP) | BIT(FLOW_END))
#define LOCKS      (BIT(LOCK_WAIT) | BIT(LOCK_FREE))
#define INTERRUPTS (BIT(INTERRUPT_ENTER) | BIT(INTERRUPT_LEAVE))
#define PAIRS_MOST 101

static const struct {
    const char *name;
    uint64_t actions;
} kinds[] = {
    {"messages", MESSAGES},
    {"locks", LOCKS},
    {"interrupts", INTERRUPTS},
    {"all", MESSAGES | LOCKS | INTERRUPTS},
};

/* The format of the capture, and the actions that its decoder omits. */
static const struct tt_format *format;
static uint64_t omitted;

static enum tt_decode_result decode_without(struct tt_cursor *cursor, uint64_t limit, bool final,
                                            struct tt_batch *batch)
{
    batch->unwanted |= omitted;
    return format->decode(cursor, limit, final, batch);
}

/* Returns the CPU time of all threads in seconds; other programs hardly change it. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct run {
    double seconds;
    uint64_t bytes;
    uint64_t steps;
};

static struct run index_once(const char *path, uint64_t without_actions)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    struct tt_format without;
    omitted = without_actions;
    if (!tt_failed(&status)) {
        format = trace->capture->format;
        without = *format;
        without.decode = decode_without;
        trace->capture->format = &without;
    }
    double start = now();
    if (!tt_failed(&status)) {
        status = tt_trace_index(trace);
    }
    double seconds = now() - start;
    if (tt_failed(&status)) {
        fprintf(stderr, "bench_messages: %s: %s\n", path, status.text);
        exit(2);
    }
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct run run = {seconds, tt_timelines_memory(t), tt_message_steps(t)};
    tt_trace_close(trace);
    return run;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Measures one kind; returns the memory that its actions add. */
static double measure(const char *path, int pairs, size_t kind, uint64_t *steps)
{
    double ratios[PAIRS_MOST];
    struct run with = {0}, without = {0};
    for (int i = 0; i < pairs; i++) {
        with = index_once(path, 0);
        without = index_once(path, kinds[kind].actions);
        ratios[i] = with.seconds / without.seconds;
    }
    qsort(ratios, (size_t)pairs, sizeof *ratios, by_value);
    printf("\"%s\":%.3f,", kinds[kind].name, ratios[pairs / 2]);
    *steps = with.steps;
    return (double)(with.bytes - without.bytes);
}

int main(int argc, char **argv)
{
    int pairs = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || pairs < 1 || pairs > PAIRS_MOST) {
        fprintf(stderr, "usage: bench_messages FILE [PAIRS]\n");
        return 2;
    }
    uint64_t steps;
    printf("{");
    double bytes = measure(argv[1], pairs, 0, &steps);
    for (size_t kind = 1; kind < sizeof kinds / sizeof *kinds; kind++) {
        measure(argv[1], pairs, kind, &steps);
    }
    printf("\"steps\":%llu,\"bytes_a_message\":%.2f}\n", (unsigned long long)steps,
           steps > 0 ? bytes * 3 / (double)steps : 0);
    return 0;
}
