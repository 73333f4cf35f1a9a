/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readers CAPTURE [FOLDER]: an indexing worker and two reading threads at once, for
 * ThreadSanitizer. The readers go to random rows, describe events, sum random windows of threads
 * and CPUs and read the tables, from the first published block to some rounds after the end. With
 * FOLDER the index is cached there, or restored from there; the readers run until this is done, and
 * the state of the cache is printed. Exits 0.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracetui/counters.h"
#include "tracetui/event_line.h"
#include "tracetui/slices.h"
#include "tracetui/stats.h"

#define ROUNDS_AFTER_END 200

struct reader {
    struct tt_trace *trace;
    uint64_t seed;
    uint64_t seen;
};

static uint64_t next_random(struct reader *r)
{
    r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
    return r->seed >> 20;
}

static void read_events(struct reader *r, struct tt_events *events, struct tt_args *args)
{
    enum { PIECE = 40 };
    struct tt_event out[PIECE];
    char buffer[1024];
    struct tt_capture *c = tt_trace_capture(r->trace);
    uint64_t rows = tt_events_rows(events);
    uint32_t got = rows ? tt_events_read(events, next_random(r) % rows, PIECE, out) : 0;
    for (uint32_t i = 0; i < got; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_events_describe(events, &out[i], args);
        tt_line_event(&text, c, &out[i], args, tt_trace_progress(r->trace).first_ticks);
        r->seen += text.used + tt_trace_type_events(r->trace, out[i].type);
    }
}

static void read_lanes(struct reader *r)
{
    const struct tt_timelines *t = tt_trace_timelines(r->trace);
    uint32_t threads = tt_thread_count(tt_trace_capture(r->trace));
    if (!t || threads == 0) {
        return;
    }
    uint64_t begin = tt_timelines_begin(t), length = tt_timelines_end(t) - begin + 1;
    uint64_t from = begin + next_random(r) % length, to = from + next_random(r) % length;
    struct tt_thread_sums sums;
    tt_thread_sum(t, (uint32_t)(next_random(r) % threads), from, to, &sums);
    struct tt_cpu_sums cpu;
    tt_cpu_sum(t, (uint16_t)(next_random(r) % (tt_cpu_count(t) + 1)), from, to, &cpu);
    r->seen += sums.in + cpu.switches + tt_health_kept(tt_trace_capture(r->trace));
}

static void read_slices(struct reader *r)
{
    const struct tt_timelines *t = tt_trace_timelines(r->trace);
    uint32_t threads = tt_thread_count(tt_trace_capture(r->trace));
    if (!t || threads == 0) {
        return;
    }
    uint32_t thread = (uint32_t)(next_random(r) % threads);
    uint64_t begin = tt_timelines_begin(t), half = begin + (tt_timelines_end(t) - begin) / 2;
    uint64_t edges[3] = {begin, half, tt_timelines_end(t) + 1};
    struct tt_slice_cell cells[2];
    for (uint32_t n = tt_slice_rows(t, thread); n-- > 0;) {
        tt_slice_cells(t, tt_slice_row(t, thread, n), edges, 2, cells);
        r->seen += cells[0].ticks + cells[1].slices;
    }
    struct tt_counter_range values[2];
    for (uint32_t series = tt_counter_series(t); series-- > 0;) {
        tt_counter_cells(t, series, edges, 2, values);
        r->seen += values[0].changes + values[1].changes;
    }
}

static bool is_being_kept(const struct tt_trace *trace)
{
    struct tt_status why;
    return tt_trace_cache(trace, &why) == TT_CACHE_WRITING;
}

static void print_state(const struct tt_trace *trace)
{
    static const char *const names[] = {
#define X(id, key, text) key,
        TT_CACHE_INFO(X)
#undef X
    };
    struct tt_status why;
    printf("%s\n", names[tt_trace_cache(trace, &why)]);
}

static void *read_all(void *arg)
{
    struct reader *r = arg;
    struct tt_args *args = malloc(sizeof *args);
    struct tt_events *events = tt_events_new(r->trace);
    for (int rounds = 0; args && events && rounds < ROUNDS_AFTER_END;) {
        rounds += tt_trace_progress(r->trace).finished && !is_being_kept(r->trace);
        read_events(r, events, args);
        read_lanes(r);
        read_slices(r);
    }
    tt_events_free(events);
    free(args);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: readers CAPTURE [FOLDER]\n");
        return 2;
    }
    struct tt_trace *trace = NULL;
    /* A compressed file is read while it is unpacked. */
    struct tt_trace_options options = {.map.early = 1 << 16,
                                       .cache = {.on = argc == 3, .folder = argv[2]}};
    struct tt_status status = tt_trace_open(argv[1], &options, &trace);
    if (tt_failed(&status)) {
        fprintf(stderr, "%s\n", status.text);
        return 2;
    }
    struct reader readers[2] = {{trace, 1, 0}, {trace, 2, 0}};
    pthread_t threads[2];
    status = tt_trace_index_start(trace, NULL, NULL);
    if (tt_failed(&status)) {
        fprintf(stderr, "%s\n", status.text);
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, read_all, &readers[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    if (argc == 3) {
        print_state(trace);
    }
    tt_trace_close(trace);
    return readers[0].seen + readers[1].seen == 0;
}
