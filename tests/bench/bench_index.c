/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_index: measures the rate of indexing a capture, beside an XXH3 pass over the same mapping
 * in the same run, and the time to the lines of the first screen.
 *
 *      bench_index FILE [ROUNDS]     prints one JSON object
 *      bench_index --only FILE ROUNDS  only indexes; prints the smallest processor time in seconds
 *      bench_index --two FILE        processor time of one indexing by two threads, and that
 *                                    of the busier thread: the longest stage
 *      bench_index --first FILE      elapsed time in seconds to the lines of the first screen,
 *                                    with the index cache; of a compressed file while it is unpacked
 *      bench_index --first-of-all FILE the same when it is unpacked
 *      bench_index --peak FILE       peak resident memory of one indexing, file pages included
 *
 * Hash and index are measured in processor time; the fastest round of each counts. A round begins
 * with the hash, so that both read from memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <xxhash.h>

#include "trace/index/build.h"
#include "trace/trace_internal.h"
#include "tracetui/event_line.h"
#include "tracetui/trace.h"

#define SCREEN_ROWS 24

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Returns the processor time of this thread, or of all threads of the process: other processes on
 * the machine hardly change it.
 */
static double used(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void ignore_news(void *arg)
{
    (void)arg;
}

static void fail(const char *path, const struct tt_status *status)
{
    fprintf(stderr, "bench_index: %s: %s\n", path, status->text);
    exit(2);
}

static double hash_seconds(const char *path, uint64_t *bytes, uint64_t *sum)
{
    struct tt_map *map;
    struct tt_map_options options = {0};
    struct tt_status status = tt_map_open(path, &options, &map);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    struct tt_bytes all = tt_map_bytes(map);
    double start = used(CLOCK_PROCESS_CPUTIME_ID);
    *sum ^= XXH3_64bits(all.data, all.size);
    double seconds = used(CLOCK_PROCESS_CPUTIME_ID) - start;
    *bytes = all.size;
    tt_map_close(map);
    return seconds;
}

/*
 * Returns the elapsed time from opening the capture to the lines of the first screen, while
 * indexing continues in the background; `early`: also while a compressed file is unpacked.
 */
static double first_screen_seconds(const char *path, bool cached, bool early)
{
    static struct tt_args args;
    struct tt_event events[SCREEN_ROWS];
    char line[4096];
    struct tt_trace *trace;
    double start = now();
    struct tt_trace_options options = {.map = {.early = early ? TT_TRACE_EARLY : 0,
                                               .early_few = TT_TRACE_EARLY_FEW,
                                               .early_ms = TT_TRACE_EARLY_MS},
                                       .cache = {.on = cached}};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    status = tt_trace_index_start(trace, ignore_news, NULL);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    tt_trace_wait_rows(trace, SCREEN_ROWS);
    struct tt_events *reader = tt_events_new(trace);
    uint32_t count = reader ? tt_events_read(reader, 0, SCREEN_ROWS, events) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct tt_text text = tt_text_of(line, sizeof line);
        tt_events_describe(reader, &events[i], &args);
        tt_line_event(&text, tt_trace_capture(trace), &events[i], &args, events[0].ticks);
    }
    double seconds = now() - start;
    tt_events_free(reader);
    tt_trace_close(trace);
    return count > 0 ? seconds : 1e9;
}

/* Returns the processor time until one thread has indexed the rows of the first screen. */
static double first_rows_seconds(const char *path)
{
    struct tt_trace *trace;
    struct tt_builder builder;
    bool more = true;
    double start = used(CLOCK_PROCESS_CPUTIME_ID);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    status = tt_builder_init(&builder, &trace->index);
    while (!tt_failed(&status) && more && tt_trace_progress(trace).events < SCREEN_ROWS) {
        status = tt_builder_step(&builder, &more);
    }
    double seconds = used(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    tt_builder_free(&builder);
    tt_trace_close(trace);
    return seconds;
}

struct indexed {
    double open_seconds;
    double index_seconds; /* processor time of all threads */
    double path_seconds;  /* of the busier thread: the longest stage */
    double elapsed_seconds;
    struct tt_progress progress;
    uint64_t memory;
};

static struct indexed index_once(const char *path, bool always_two)
{
    struct indexed r;
    struct tt_trace *trace;
    double start = now();
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    r.open_seconds = now() - start;
    trace->index.always_two = always_two;
    double opened = now();
    double own = used(CLOCK_THREAD_CPUTIME_ID), all = used(CLOCK_PROCESS_CPUTIME_ID);
    status = tt_trace_index(trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    own = used(CLOCK_THREAD_CPUTIME_ID) - own;
    all = used(CLOCK_PROCESS_CPUTIME_ID) - all;
    r.elapsed_seconds = now() - opened;
    r.index_seconds = all;
    r.path_seconds = own > all - own ? own : all - own;
    r.progress = tt_trace_progress(trace);
    r.memory = tt_trace_memory(trace);
    tt_trace_close(trace);
    return r;
}

/* Prints the peak of resident memory, which includes pages of the file. */
static int print_peak(const char *path)
{
    struct rusage usage;
    struct indexed r = index_once(path, false);
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 2;
    }
    printf("{\"events\":%llu,\"peak_mb\":%.1f}\n", (unsigned long long)r.progress.events,
           (double)usage.ru_maxrss / 1024);
    return 0;
}

static int print_least(const char *path, int rounds)
{
    double least = 1e9;
    for (int i = 0; i < rounds; i++) {
        struct indexed r = index_once(path, false);
        least = r.index_seconds < least ? r.index_seconds : least;
    }
    printf("%.6f\n", least);
    return 0;
}

static int print_stages(const char *path)
{
    struct indexed r = index_once(path, true);
    printf("{\"events\":%llu,\"cpu_seconds\":%.6f,\"path_seconds\":%.6f}\n",
           (unsigned long long)r.progress.events, r.index_seconds, r.path_seconds);
    return 0;
}

int main(int argc, char **argv)
{
    bool early = argc == 3 && strcmp(argv[1], "--first") == 0;
    if (early || (argc == 3 && strcmp(argv[1], "--first-of-all") == 0)) {
        printf("%.6f\n", first_screen_seconds(argv[2], true, early));
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--peak") == 0) {
        return print_peak(argv[2]);
    }
    if (argc == 4 && strcmp(argv[1], "--only") == 0) {
        return print_least(argv[2], atoi(argv[3]));
    }
    if (argc == 3 && strcmp(argv[1], "--two") == 0) {
        return print_stages(argv[2]);
    }
    if (argc < 2) {
        fprintf(stderr, "usage: bench_index FILE [ROUNDS]\n");
        return 2;
    }
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    uint64_t bytes = 0, sum = 0;
    double hash = 1e9, first = 1e9, elapsed = 1e9, rows = 1e9;
    struct indexed best = {.open_seconds = 1e9, .index_seconds = 1e9};
    for (int i = 0; i < rounds; i++) {
        double h = hash_seconds(argv[1], &bytes, &sum);
        double f = first_screen_seconds(argv[1], false, false);
        first = f < first ? f : first;
        double w = first_rows_seconds(argv[1]);
        rows = w < rows ? w : rows;
        struct indexed r = index_once(argv[1], false);
        double open = r.open_seconds < best.open_seconds ? r.open_seconds : best.open_seconds;
        hash = h < hash ? h : hash;
        elapsed = r.elapsed_seconds < elapsed ? r.elapsed_seconds : elapsed;
        best = r.index_seconds < best.index_seconds ? r : best;
        best.open_seconds = open;
    }
    double events = best.progress.events > 0 ? (double)best.progress.events : 1;
    printf("{\"bytes\":%llu,\"records\":%llu,\"events\":%llu,\"hash\":\"%016llx\","
           "\"xxh3_seconds\":%.6f,\"open_seconds\":%.6f,\"index_seconds\":%.6f,"
           "\"elapsed_seconds\":%.6f,"
           "\"first_screen_seconds\":%.6f,\"first_rows_seconds\":%.6f,"
           "\"xxh3_mb_s\":%.0f,\"index_mb_s\":%.0f,\"records_m_s\":%.1f,"
           "\"index_of_xxh3\":%.4f,\"bytes_an_event\":%.3f}\n",
           (unsigned long long)bytes, (unsigned long long)best.progress.records,
           (unsigned long long)best.progress.events, (unsigned long long)sum, hash,
           best.open_seconds, best.index_seconds, elapsed, first, rows, (double)bytes / hash / 1e6,
           (double)bytes / best.index_seconds / 1e6,
           (double)best.progress.records / best.index_seconds / 1e6, hash / best.index_seconds,
           (double)best.memory / events);
    return 0;
}
