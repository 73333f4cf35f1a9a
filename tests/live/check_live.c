/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_live [OPTION=VALUE ...] CAPTURE: writes a copy of the capture piece by piece while it is
 * followed, and compares the followed copy with the complete capture: each event with its
 * arguments, each interval and each number.
 *
 *      seed=N          pieces and pauses (1)
 *      piece=N|random  bytes written at once (random: 1 to 9000)
 *      pause=US        longest pause after a piece, microseconds (300)
 *      still=MS        stream silence, milliseconds (20)
 *      rest=N          one piece in N is followed by a pause of twice `still` (200)
 *      pipe=1          through a pipe, not a file
 *      to=FILE         the file that grows (./live.tmp)
 *      hold=1          reads rows and lanes on another thread meanwhile
 *
 * It compares twice: when all streams are silent but not ended, and after the end. Prints a line
 * "same ..." or the differences; exit 0 or 1.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tracetui/event_line.h"
#include "tracetui/table.h"
#include "tracetui/timeline.h"

#define AT_ONCE  512u
#define TOLD_MAX 10u
#define WAIT_MS  60000

struct setup {
    const char *capture;
    const char *to;
    uint64_t seed;
    uint64_t piece; /* 0: random */
    uint64_t pause_us;
    uint64_t still_ms;
    uint64_t rest;
    bool pipe;
    bool hold;
};

struct writer {
    const struct setup *setup;
    const uint8_t *bytes;
    size_t size;
    int fd;
    _Atomic size_t written;
};

static void nap_us(uint64_t us)
{
    const struct timespec nap = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    nanosleep(&nap, NULL);
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (*state >> 33) % below : 0;
}

static void *write_pieces(void *arg)
{
    struct writer *w = arg;
    const struct setup *s = w->setup;
    uint64_t state = s->seed * 2 + 1;
    for (size_t at = 0; at < w->size;) {
        size_t piece = s->piece ? s->piece : 1 + draw(&state, draw(&state, 4) == 0 ? 9000 : 200);
        piece = piece < w->size - at ? piece : w->size - at;
        ssize_t n = write(w->fd, w->bytes + at, piece);
        if (n <= 0) {
            perror("write");
            break;
        }
        at += (size_t)n;
        atomic_store(&w->written, at);
        if (s->rest && draw(&state, s->rest) == 0) {
            nap_us(2000 * s->still_ms);
        } else if (s->pause_us) {
            nap_us(draw(&state, s->pause_us));
        }
    }
    close(w->fd);
    return NULL;
}

/* ---- comparison ---------------------------------------------------------------------------- */

static unsigned told;
static bool quiet;

static void differ(const char *what, uint64_t at, uint64_t whole, uint64_t live)
{
    if (told++ < TOLD_MAX && !quiet) {
        printf("%s at %" PRIu64 ": %" PRIu64 " in the whole, %" PRIu64 " followed\n", what, at,
               whole, live);
    }
}

#define SAME(what, at, a, b)                                                                       \
    do {                                                                                           \
        if ((a) != (b)) {                                                                          \
            differ(what, at, (uint64_t)(a), (uint64_t)(b));                                        \
        }                                                                                          \
    } while (0)

static void compare_event(uint64_t row, const struct tt_event *a, const struct tt_event *b)
{
    SAME("ticks of the event", row, a->ticks, b->ticks);
    SAME("place of the event", row, a->pos, b->pos);
    SAME("type of the event", row, a->type, b->type);
    SAME("thread of the event", row, a->thread, b->thread);
    SAME("CPU of the event", row, a->cpu, b->cpu);
    SAME("length of the event", row, a->length, b->length);
    SAME("kind of the event", row, a->kind, b->kind);
    SAME("flags of the event", row, a->flags, b->flags);
}

static void line_of(struct tt_events *e, struct tt_capture *c, const struct tt_event *event,
                    struct tt_args *args, char *line, size_t capacity)
{
    struct tt_text text = tt_text_of(line, capacity);
    tt_events_describe(e, event, args);
    tt_line_event(&text, c, event, args, 0);
    tt_text_cstr(&text);
}

static void compare_events(struct tt_trace *whole, struct tt_trace *live)
{
    static struct tt_event a[AT_ONCE], b[AT_ONCE];
    static struct tt_args x, y;
    static char one[65536], two[65536];
    struct tt_events *e = tt_events_new(whole), *f = tt_events_new(live);
    uint64_t rows = tt_events_rows(e);
    SAME("rows", 0, rows, tt_events_rows(f));
    for (uint64_t row = 0; row < rows && told == 0; row += AT_ONCE) {
        uint32_t n = tt_events_read(e, row, AT_ONCE, a), m = tt_events_read(f, row, AT_ONCE, b);
        SAME("events read", row, n, m);
        SAME("number of the row", row, tt_events_number(e, row), tt_events_number(f, row));
        for (uint32_t i = 0; i < n && i < m; i++) {
            compare_event(row + i, &a[i], &b[i]);
            line_of(e, tt_trace_capture(whole), &a[i], &x, one, sizeof one);
            line_of(f, tt_trace_capture(live), &b[i], &y, two, sizeof two);
            if (strcmp(one, two) != 0 && told++ < TOLD_MAX && !quiet) {
                printf("row %" PRIu64 "\n  whole    %s\n  followed %s\n", row + i, one, two);
            }
        }
    }
    tt_events_free(e);
    tt_events_free(f);
}

static void compare_thread(const struct tt_timelines *t, const struct tt_timelines *u, uint32_t n)
{
    struct tt_interval_at a, b;
    SAME("intervals of the thread", n, tt_interval_count(t, n), tt_interval_count(u, n));
    bool x = tt_interval_first(t, n, &a), y = tt_interval_first(u, n, &b);
    while (x && y && told < TOLD_MAX) {
        struct tt_interval i = tt_interval_get(t, a), j = tt_interval_get(u, b);
        SAME("start of an interval", n, i.start, j.start);
        SAME("end of an interval", n, i.end, j.end);
        SAME("state of an interval", i.start, i.state, j.state);
        SAME("CPU of an interval", i.start, i.cpu, j.cpu);
        SAME("flags of an interval", i.start,
             i.open | i.since_before << 1 | i.switched_in << 2 | i.migrated << 3 |
                 i.out_before << 4,
             j.open | j.since_before << 1 | j.switched_in << 2 | j.migrated << 3 |
                 j.out_before << 4);
        x = tt_interval_next(t, &a);
        y = tt_interval_next(u, &b);
    }
    SAME("more intervals of the thread", n, x, y);
    SAME("priority", n, tt_thread_priority(t, n, tt_timelines_end(t)),
         tt_thread_priority(u, n, tt_timelines_end(t)));
}

static void compare_cpu(const struct tt_timelines *t, const struct tt_timelines *u, uint16_t n)
{
    struct tt_occupation_at a, b;
    bool x = tt_occupation_first(t, n, &a), y = tt_occupation_first(u, n, &b);
    while (x && y && told < TOLD_MAX) {
        struct tt_occupation i = tt_occupation_get(t, a), j = tt_occupation_get(u, b);
        SAME("start of an occupation", n, i.start, j.start);
        SAME("end of an occupation", n, i.end, j.end);
        SAME("occupant", i.start, i.occupant, j.occupant);
        x = tt_occupation_next(t, &a);
        y = tt_occupation_next(u, &b);
    }
    SAME("more occupations", n, x, y);
}

static void compare_sums(const struct tt_timelines *t, const struct tt_timelines *u,
                         uint32_t threads)
{
    uint64_t begin = tt_timelines_begin(t), length = tt_timelines_end(t) - begin;
    for (unsigned part = 0; part < 5; part++) {
        uint64_t from = begin + length / 5 * part, to = from + length / 3 + 1;
        for (uint32_t n = 0; n < threads; n++) {
            struct tt_thread_sums a, b;
            memset(&a, 0, sizeof a);
            memset(&b, 0, sizeof b);
            tt_thread_sum(t, n, from, to, &a);
            tt_thread_sum(u, n, from, to, &b);
            SAME("sums of the thread", n, memcmp(&a, &b, sizeof a), 0);
        }
        for (uint32_t n = 0; n < tt_cpu_count(t); n++) {
            struct tt_cpu_sums a, b;
            tt_cpu_sum(t, (uint16_t)n, from, to, &a);
            tt_cpu_sum(u, (uint16_t)n, from, to, &b);
            SAME("busy", n, a.busy, b.busy);
            SAME("idle", n, a.idle, b.idle);
            SAME("irq", n, a.irq, b.irq);
            SAME("kernel", n, a.kernel, b.kernel);
            SAME("unknown", n, a.unknown, b.unknown);
            SAME("interrupts", n, a.interrupts, b.interrupts);
            SAME("nested", n, a.nested, b.nested);
            SAME("switches", n, a.switches, b.switches);
        }
    }
}

static void compare_lanes(struct tt_trace *whole, struct tt_trace *live)
{
    const struct tt_timelines *t = tt_trace_timelines(whole), *u = tt_trace_timelines(live);
    SAME("timelines", 0, t != NULL, u != NULL);
    if (!t || !u) {
        return;
    }
    uint32_t threads = tt_thread_count(tt_trace_capture(whole));
    SAME("threads", 0, threads, tt_thread_count(tt_trace_capture(live)));
    SAME("CPUs", 0, tt_cpu_count(t), tt_cpu_count(u));
    SAME("beginning", 0, tt_timelines_begin(t), tt_timelines_begin(u));
    SAME("end", 0, tt_timelines_end(t), tt_timelines_end(u));
    if (told > 0) {
        return;
    }
    for (uint32_t n = 0; n < threads; n++) {
        compare_thread(t, u, n);
    }
    for (uint32_t n = 0; n < tt_cpu_count(t); n++) {
        compare_cpu(t, u, (uint16_t)n);
    }
    compare_sums(t, u, threads);
}

static void compare_counts(struct tt_trace *whole, struct tt_trace *live, bool at_end)
{
    struct tt_capture *c = tt_trace_capture(whole), *d = tt_trace_capture(live);
    struct tt_progress p = tt_trace_progress(whole), q = tt_trace_progress(live);
    SAME("events", 0, p.events, q.events);
    SAME("derived events", 0, p.derived, q.derived);
    SAME("records", 0, p.records, q.records);
    SAME("first time", 0, p.first_ticks, q.first_ticks);
    SAME("last time", 0, p.last_ticks, q.last_ticks);
    SAME("types", 0, tt_types_count(c), tt_types_count(d));
    for (uint32_t i = 0; i < tt_types_count(c); i++) {
        SAME("events of a type", i, tt_trace_type_events(whole, i), tt_trace_type_events(live, i));
    }
    SAME("CPUs of the capture", 0, c->cpu_count, d->cpu_count);
    /* Health is compared at the end only: missing records are not reported before. */
    for (unsigned kind = 0; at_end && kind < TT_HEALTH_COUNT; kind++) {
        if (kind != TT_HEALTH_TWO_CPUS && kind != TT_HEALTH_UNMATCHED &&
            kind != TT_HEALTH_NESTING) {
            SAME(tt_health_key(kind), 0, tt_health_count(c, kind), tt_health_count(d, kind));
        }
    }
}

/* Returns the number of differences; prints the first TOLD_MAX. */
static unsigned compare(const char *when, struct tt_trace *whole, struct tt_trace *live,
                        bool at_end)
{
    told = 0;
    compare_counts(whole, live, at_end);
    compare_events(whole, live);
    compare_lanes(whole, live);
    if (told > 0 && !quiet) {
        printf("%s: %u differences\n", when, told);
    }
    return told;
}

/* ---- a concurrent reader --------------------------------------------------------------------- */

struct reader {
    struct tt_trace *trace;
    _Atomic bool stop;
    uint64_t reads;
    bool bad;
    pthread_t thread;
};

/*
 * Checks that rows are in order whenever they are read, that the times of each CPU add up, and that
 * new timelines have a higher number.
 */
static void *read_on(void *arg)
{
    struct reader *r = arg;
    struct tt_events *e = tt_events_new(r->trace);
    struct tt_event events[64];
    uint64_t state = 7;
    const struct tt_timelines *before = NULL;
    uint32_t number = 0;
    while (!atomic_load(&r->stop)) {
        uint64_t rows = tt_events_rows(e);
        uint64_t row = draw(&state, 2) ? draw(&state, rows) : rows > 40 ? rows - 40 : 0;
        uint32_t n = tt_events_read(e, row, 64, events);
        for (uint32_t i = 1; i < n; i++) {
            r->bad |= tt_event_compare(&events[i - 1], &events[i]) >= 0;
        }
        const struct tt_timelines *t = tt_trace_timelines(r->trace);
        r->bad |= t && t != before && tt_timelines_number(t) <= number;
        number = t ? tt_timelines_number(t) : 0;
        before = t;
        struct tt_cpu_sums sums;
        for (uint32_t cpu = 0; t && cpu < tt_cpu_count(t); cpu++) {
            uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
            tt_cpu_sum(t, (uint16_t)cpu, begin, end, &sums);
            r->bad |= sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown != end - begin;
        }
        r->reads++;
        nap_us(200);
    }
    tt_events_free(e);
    return NULL;
}

static void start_reader(struct reader *r, struct tt_trace *trace)
{
    memset(r, 0, sizeof *r);
    r->trace = trace;
    pthread_create(&r->thread, NULL, read_on, r);
}

static bool end_reader(struct reader *r)
{
    atomic_store(&r->stop, true);
    pthread_join(r->thread, NULL);
    if (r->bad) {
        printf(
            "a reader saw rows out of order, times of a CPU that do not add up, or two timelines "
            "with one number\n");
    }
    return !r->bad;
}

/* ---- following ------------------------------------------------------------------------------ */

static struct tt_status open_live(const struct setup *s, struct tt_trace **live)
{
    struct tt_trace_options options = {.map.follow = true};
    struct tt_status status = tt_error_memory();
    for (int ms = 0; ms < WAIT_MS; ms++) {
        status = tt_trace_open(s->pipe ? "-" : s->to, &options, live);
        if (!tt_failed(&status) || s->pipe) {
            return status;
        }
        nap_us(1000);
    }
    return status;
}

/* Follows until all written bytes are read and all streams are silent. */
static struct tt_status follow(const struct setup *s, struct writer *w, struct tt_trace **live,
                               unsigned *openings, bool *good)
{
    struct reader reader;
    struct tt_status status = tt_ok();
    *openings = 1;
    for (;;) {
        tt_trace_follow_silence(*live, s->still_ms);
        status = tt_trace_index_start(*live, NULL, NULL);
        if (tt_failed(&status)) {
            return status;
        }
        if (s->hold) {
            start_reader(&reader, *live);
        }
        struct tt_live now = tt_trace_live(*live);
        int ms = 0;
        for (; ms < WAIT_MS && now.change == TT_CHANGE_NONE; ms++) {
            bool all = atomic_load(&w->written) == w->size && now.bytes == w->size &&
                       now.final_ticks == UINT64_MAX;
            if (all || !now.follows) {
                break;
            }
            nap_us(1000);
            now = tt_trace_live(*live);
        }
        if (s->hold) {
            *good &= end_reader(&reader);
        }
        if (now.change == TT_CHANGE_NONE) {
            return ms < WAIT_MS ? tt_ok() : tt_error(TT_ERR_IO, "does not come to an end");
        }
        struct tt_trace *reopened = NULL;
        for (ms = 0; ms < WAIT_MS; ms++) {
            status = tt_trace_reopen(*live, &reopened);
            if (!tt_failed(&status)) {
                break;
            }
            nap_us(1000);
        }
        if (tt_failed(&status)) {
            return status;
        }
        tt_trace_close(*live);
        *live = reopened;
        ++*openings;
    }
}

static int start_writer(const struct setup *s, struct writer *w, pthread_t *thread)
{
    int ends[2];
    if (s->pipe) {
        if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0) {
            return -1;
        }
        close(ends[0]);
        w->fd = ends[1];
    } else {
        w->fd = open(s->to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    return w->fd < 0 ? -1 : pthread_create(thread, NULL, write_pieces, w);
}

static void await_finish(struct tt_trace *live)
{
    for (int ms = 0; ms < WAIT_MS && !tt_trace_progress(live).finished; ms++) {
        nap_us(1000);
    }
}

/* Late data makes timelines stale; they are rebuilt after a while, which is longer on a busy machine. */
static bool compare_in_time(struct tt_trace *whole, struct tt_trace *live)
{
    for (int ms = 0; ms < WAIT_MS; ms += 50) {
        quiet = true;
        nap_us(50000);
        if (compare("", whole, live, false) == 0) {
            break;
        }
    }
    quiet = false;
    if (compare("while more may come", whole, live, false) == 0) {
        return true;
    }
    struct tt_live now = tt_trace_live(live);
    printf("late events %" PRIu64 ", timelines number %u%s\n", now.late,
           tt_timelines_number(tt_trace_timelines(live)),
           tt_timelines_provisional(tt_trace_timelines(live)) ? ", provisional" : "");
    return false;
}

static struct tt_status check(const struct setup *s, struct writer *w, bool *good)
{
    struct tt_trace *whole = NULL, *live = NULL;
    pthread_t thread;
    unsigned openings = 0;
    struct tt_status status = tt_trace_open(s->capture, NULL, &whole);
    if (!tt_failed(&status)) {
        status = tt_trace_index(whole);
    }
    if (tt_failed(&status)) {
        tt_trace_close(whole);
        return status;
    }
    if (start_writer(s, w, &thread) != 0) {
        perror("writer");
        exit(1);
    }
    status = open_live(s, &live);
    if (!tt_failed(&status)) {
        status = follow(s, w, &live, &openings, good);
    }
    pthread_join(thread, NULL);
    if (!tt_failed(&status)) {
        struct tt_live seen = tt_trace_live(live);
        if (!s->pipe) {
            *good &= compare_in_time(whole, live);
        }
        tt_trace_follow_end(live);
        await_finish(live);
        *good &= compare("at the end", whole, live, true) == 0;
        if (*good) {
            printf("same: %" PRIu64 " events, %" PRIu64 " intervals, %u openings, %" PRIu64
                   " late, %u streams\n",
                   tt_trace_progress(live).events,
                   tt_trace_timelines(live) ? tt_timelines_intervals(tt_trace_timelines(live)) : 0,
                   openings, seen.late, seen.streams);
        }
    }
    tt_trace_close(whole);
    tt_trace_close(live);
    return status;
}

/* ---- the command line ----------------------------------------------------------------------- */

static bool take_option(struct setup *s, const char *text)
{
    const char *value = strchr(text, '=');
    if (!value) {
        s->capture = text;
        return true;
    }
    size_t length = (size_t)(value++ - text);
    uint64_t number = strtoull(value, NULL, 10);
    const struct {
        const char *name;
        uint64_t *number;
    } numbers[] = {{"seed", &s->seed},
                   {"piece", &s->piece},
                   {"pause", &s->pause_us},
                   {"still", &s->still_ms},
                   {"rest", &s->rest}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strlen(numbers[i].name) == length && strncmp(text, numbers[i].name, length) == 0) {
            *numbers[i].number = number;
            return true;
        }
    }
    if (strncmp(text, "pipe=", 5) == 0) {
        s->pipe = number != 0;
    } else if (strncmp(text, "hold=", 5) == 0) {
        s->hold = number != 0;
    } else if (strncmp(text, "to=", 3) == 0) {
        s->to = value;
    } else {
        return false;
    }
    return true;
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size ? *size : 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    struct setup s = {.to = "live.tmp", .seed = 1, .pause_us = 300, .still_ms = 20, .rest = 200};
    for (int i = 1; i < argc; i++) {
        if (!take_option(&s, argv[i])) {
            fprintf(stderr, "check_live: no option \"%s\"\n", argv[i]);
            return 2;
        }
    }
    struct writer w = {.setup = &s};
    uint8_t *bytes = s.capture ? read_file(s.capture, &w.size) : NULL;
    if (!bytes) {
        fprintf(stderr, "check_live: no capture\n");
        return 2;
    }
    w.bytes = bytes;
    remove(s.to);
    bool good = true;
    struct tt_status status = check(&s, &w, &good);
    if (tt_failed(&status)) {
        printf("failed: %s\n", status.text);
    }
    remove(s.to);
    free(bytes);
    return good && !tt_failed(&status) ? 0 : 1;
}
