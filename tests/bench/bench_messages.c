/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What messages cost the index: a capture is indexed with and without the actions of messages, in turn.
 *
 *      bench_messages FILE [PAIRS]     prints one JSON object
 *
 * `with_of_without` is the median of the pairs' ratios of CPU time, and `bytes_a_message` the memory that
 * a message of three steps adds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "trace/trace_internal.h"
#include "tracetui/messages.h"
#include "tracetui/trace.h"

#define MESSAGE_KINDS                                                                              \
    (UINT64_C(1) << TT_ACTION_MESSAGE_SEND | UINT64_C(1) << TT_ACTION_MESSAGE_RECEIVE |            \
     UINT64_C(1) << TT_ACTION_MESSAGE_REPLY | UINT64_C(1) << TT_ACTION_POST |                      \
     UINT64_C(1) << TT_ACTION_TAKE | UINT64_C(1) << TT_ACTION_CHANNEL |                            \
     UINT64_C(1) << TT_ACTION_ERROR_CODE)
#define PAIRS_MOST 101

static enum tt_decode_result decode_without(struct tt_cursor *cursor, uint64_t limit, bool final,
                                            struct tt_batch *batch)
{
    extern const struct tt_format tt_format_kev;
    batch->unwanted |= MESSAGE_KINDS;
    return tt_format_kev.decode(cursor, limit, final, batch);
}

/* CPU time, of all threads: other programs do not change it much. */
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

static struct run index_once(const char *path, bool with)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    struct tt_format without;
    if (!tt_failed(&status) && !with) {
        without = *trace->capture->format;
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

int main(int argc, char **argv)
{
    double ratios[PAIRS_MOST];
    int pairs = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || pairs < 1 || pairs > PAIRS_MOST) {
        fprintf(stderr, "usage: bench_messages FILE [PAIRS]\n");
        return 2;
    }
    struct run with = {0}, without = {0};
    for (int i = 0; i < pairs; i++) {
        with = index_once(argv[1], true);
        without = index_once(argv[1], false);
        ratios[i] = with.seconds / without.seconds;
    }
    qsort(ratios, (size_t)pairs, sizeof *ratios, by_value);
    double messages = with.steps > 0 ? (double)with.steps / 3 : 1;
    printf("{\"with_of_without\":%.3f,\"steps\":%llu,\"bytes_a_message\":%.2f}\n",
           ratios[pairs / 2], (unsigned long long)with.steps,
           (double)(with.bytes - without.bytes) / messages);
    return 0;
}
