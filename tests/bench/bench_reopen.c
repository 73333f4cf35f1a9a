/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_reopen: measures the time to open an indexed capture again with its events in order, lanes
 * and counts, with a warm page cache.
 *
 *      bench_reopen FILE FOLDER [ROUNDS]     prints one JSON object; FOLDER is for the index cache
 *
 * The fastest round counts; the median is printed, too. A round opens the capture, restores the
 * index, and formats the lines of the first screen; closing is measured separately.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tracetui/event_line.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define SCREEN_ROWS 24
#define ROUNDS_MOST 100

static double milliseconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double now(void)
{
    return milliseconds(CLOCK_MONOTONIC);
}

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "bench_reopen: %s: %s\n", path, what);
    exit(2);
}

struct round {
    double opened; /* ms since the beginning */
    double screen;
    double ready;
    double busy; /* processor time of all threads until then */
    double closing;
    enum tt_cache_state state;
    uint64_t events;
};

static void read_screen(struct tt_trace *trace, const char *path)
{
    static struct tt_args args;
    struct tt_event events[SCREEN_ROWS];
    char line[4096];
    struct tt_events *reader = tt_events_new(trace);
    uint32_t count = reader ? tt_events_read(reader, 0, SCREEN_ROWS, events) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct tt_text text = tt_text_of(line, sizeof line);
        tt_events_describe(reader, &events[i], &args);
        tt_line_event(&text, tt_trace_capture(trace), &events[i], &args, events[0].ticks);
    }
    tt_events_free(reader);
    if (count == 0) {
        fail(path, "no events");
    }
}

static struct round open_once(const char *path, const char *folder)
{
    struct tt_trace_options options = {.cache = {.on = true, .folder = folder}};
    struct round r;
    struct tt_trace *trace;
    double start = now(), busy = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    struct tt_status status = tt_trace_open(path, &options, &trace);
    if (tt_failed(&status)) {
        fail(path, status.text);
    }
    r.opened = now() - start;
    r.state = tt_trace_cache(trace, &status);
    if (r.state == TT_CACHE_RESTORED) {
        read_screen(trace, path);
    }
    r.screen = now() - start;
    status = tt_trace_index(trace);
    if (tt_failed(&status)) {
        fail(path, status.text);
    }
    r.ready = now() - start;
    r.busy = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - busy;
    r.events = tt_trace_progress(trace).events;
    start = now();
    tt_trace_close(trace);
    r.closing = now() - start;
    return r;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *path, const char *folder, int rounds)
{
    struct round first = open_once(path, folder), best = {.ready = 1e9};
    double ready[ROUNDS_MOST];
    for (int i = 0; i < rounds; i++) {
        struct round r = open_once(path, folder);
        if (r.state != TT_CACHE_RESTORED) {
            fail(path, "its index was not kept");
        }
        best = r.ready < best.ready ? r : best;
        ready[i] = r.ready;
    }
    qsort(ready, (size_t)rounds, sizeof *ready, compare_numbers);
    printf("{\"events\":%llu,\"first_ms\":%.1f,\"opened_ms\":%.2f,\"screen_ms\":%.2f,"
           "\"ready_ms\":%.2f,\"middle_ready_ms\":%.2f,\"processor_ms\":%.2f,\"close_ms\":%.2f}\n",
           (unsigned long long)best.events, first.ready, best.opened, best.screen, best.ready,
           ready[rounds / 2], best.busy, best.closing);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_reopen FILE FOLDER [ROUNDS]\n");
        return 2;
    }
    int rounds = argc > 3 ? atoi(argv[3]) : 5;
    measure(argv[1], argv[2], rounds < 1 ? 1 : rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds);
    return 0;
}
