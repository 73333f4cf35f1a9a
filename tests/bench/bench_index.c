/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a capture is indexed, held against one XXH3 pass over the same mapping in the same run,
 * and how soon the lines of a first screen are there.
 *
 *      bench_index FILE [ROUNDS]     prints one JSON object
 *      bench_index --peak FILE       the most memory that indexing it once takes, of all kinds
 *
 * The best of the rounds counts on both sides. The hash comes first in each, so that both read
 * from memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <xxhash.h>

#include "tracetui/event_line.h"
#include "tracetui/trace.h"

#define SCREEN_ROWS 24

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wake_nobody(void *arg)
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
    double start = now();
    *sum ^= XXH3_64bits(all.data, all.size);
    double seconds = now() - start;
    *bytes = all.size;
    tt_map_close(map);
    return seconds;
}

/* From nothing to the lines of a first screen, with the index going on behind. */
static double first_screen_seconds(const char *path)
{
    static struct tt_args args;
    struct tt_event events[SCREEN_ROWS];
    char line[4096];
    struct tt_trace *trace;
    double start = now();
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    status = tt_trace_index_start(trace, wake_nobody, NULL);
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

struct indexed {
    double open_seconds;
    double index_seconds;
    struct tt_progress progress;
    uint64_t memory;
};

static struct indexed index_once(const char *path)
{
    struct indexed r;
    struct tt_trace *trace;
    double start = now();
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    double opened = now();
    status = tt_trace_index(trace);
    if (tt_failed(&status)) {
        fail(path, &status);
    }
    r.open_seconds = opened - start;
    r.index_seconds = now() - opened;
    r.progress = tt_trace_progress(trace);
    r.memory = tt_trace_memory(trace);
    tt_trace_close(trace);
    return r;
}

/* Resident pages at most: those of the file too. */
static int print_peak(const char *path)
{
    struct rusage usage;
    struct indexed r = index_once(path);
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 2;
    }
    printf("{\"events\":%llu,\"peak_mb\":%.1f}\n", (unsigned long long)r.progress.events,
           (double)usage.ru_maxrss / 1024);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--peak") == 0) {
        return print_peak(argv[2]);
    }
    if (argc < 2) {
        fprintf(stderr, "usage: bench_index FILE [ROUNDS]\n");
        return 2;
    }
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    uint64_t bytes = 0, sum = 0;
    double hash = 1e9, first = 1e9;
    struct indexed best = {.open_seconds = 1e9, .index_seconds = 1e9};
    for (int i = 0; i < rounds; i++) {
        double h = hash_seconds(argv[1], &bytes, &sum);
        double f = first_screen_seconds(argv[1]);
        first = f < first ? f : first;
        struct indexed r = index_once(argv[1]);
        double open = r.open_seconds < best.open_seconds ? r.open_seconds : best.open_seconds;
        hash = h < hash ? h : hash;
        best = r.index_seconds < best.index_seconds ? r : best;
        best.open_seconds = open;
    }
    double events = best.progress.events > 0 ? (double)best.progress.events : 1;
    printf("{\"bytes\":%llu,\"records\":%llu,\"events\":%llu,\"hash\":\"%016llx\","
           "\"xxh3_seconds\":%.6f,\"open_seconds\":%.6f,\"index_seconds\":%.6f,"
           "\"first_screen_seconds\":%.6f,"
           "\"xxh3_mb_s\":%.0f,\"index_mb_s\":%.0f,\"records_m_s\":%.1f,"
           "\"index_of_xxh3\":%.4f,\"bytes_an_event\":%.3f}\n",
           (unsigned long long)bytes, (unsigned long long)best.progress.records,
           (unsigned long long)best.progress.events, (unsigned long long)sum, hash,
           best.open_seconds, best.index_seconds, first, (double)bytes / hash / 1e6,
           (double)bytes / best.index_seconds / 1e6,
           (double)best.progress.records / best.index_seconds / 1e6, hash / best.index_seconds,
           (double)best.memory / events);
    return 0;
}
