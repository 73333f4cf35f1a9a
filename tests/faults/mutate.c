/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged captures: every byte of a header flipped, and random damage anywhere.
 *
 *      mutate FILE                     all flips of its first FLIPPED (1024) bytes, then
 *                                      MUTATIONS (2000) random cases
 *      mutate FILE CASE                only that random case
 *      mutate --write OUT FILE CASE    writes the capture of that case to OUT
 *
 * Each case is opened, indexed, read to the end, described, and its timelines are summed up. It may
 * be refused with a message; it may not use more than a second of CPU time or more memory than 64
 * MB and 4 times the file, nor leak any. The number of a case determines its bytes. Prints a test
 * case for the flips and one for the damage. SEED (1) selects other damage.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"
#include "tracetui/event_line.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define FILE_MOST    (1u << 20)
#define ROWS_AT_ONCE 256u
#define MEMORY_MOST  (INT64_C(64) << 20)
#define CASE_NS      INT64_C(1000000000)
#define HANG_SECONDS 300u

struct told {
    uint64_t at;
    uint64_t tried;
    uint64_t opened;
    int64_t slowest_ns;
    int64_t most_bytes;
    char wrong[512];
};

struct source {
    const char *path;
    const char *name;
    uint8_t *bytes;
    size_t size;
    uint64_t seed;
    struct told *told;
};

/* ---- damage ------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t end)
{
    return end > 0 ? (size_t)(next_random(state) % end) : 0;
}

/* Damages one place of the file; returns the new size, at most FILE_MOST. */
static size_t damage(uint8_t *bytes, size_t size, uint64_t *state)
{
    static const uint64_t odd[] = {0,      1,          0x7f,       0x80,       0xff,      0x7fff,
                                   0x8000, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
    size_t at = below(state, size), other = below(state, size);
    /* A third of it where the header is. */
    at = below(state, 3) == 0 ? at % (size < 256 ? size : 256) : at;
    size_t room = size - (at > other ? at : other);
    size_t length = below(state, 64) % (room + 1);
    uint64_t value = odd[below(state, sizeof odd / sizeof odd[0])] + below(state, 3) - 1;
    size_t width = (size_t)1 << below(state, 4);
    switch (below(state, 8)) {
    case 0:
        bytes[at] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 1:
        bytes[at] = (uint8_t)next_random(state);
        break;
    case 2:
    case 3:
        memcpy(bytes + at, &value, width < size - at ? width : size - at);
        break;
    case 4:
        memmove(bytes + at, bytes + other, length);
        break;
    case 5: /* cut out */
        memmove(bytes + at, bytes + at + length, size - at - length);
        size -= length;
        break;
    case 6: /* doubled */
        if (size + length <= FILE_MOST) {
            memmove(bytes + at + length, bytes + at, size - at);
            size += length;
        }
        break;
    default:
        size = below(state, 16) == 0 ? at : size;
        break;
    }
    return size > 0 ? size : 1;
}

/* ---- one case ----------------------------------------------------------------------------- */

static void read_rows(struct tt_trace *trace)
{
    static struct tt_event rows[ROWS_AT_ONCE];
    static struct tt_args args;
    char buffer[4096];
    struct tt_part parts[4];
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_events *events = tt_events_new(trace);
    uint64_t first = tt_trace_progress(trace).first_ticks;
    uint64_t end = events ? tt_events_rows(events) : 0;
    for (uint64_t row = 0; row < end; row += ROWS_AT_ONCE) {
        uint32_t count = tt_events_read(events, row, ROWS_AT_ONCE, rows);
        for (uint32_t i = 0; i < count; i++) {
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_events_describe(events, &rows[i], &args);
            tt_line_event(&text, c, &rows[i], &args, first);
            tt_events_parts(events, &rows[i], parts, 4);
        }
    }
    tt_events_free(events);
}

static void sum_lanes(struct tt_trace *trace)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    for (uint32_t i = 0; t && i < tt_thread_count(tt_trace_capture(trace)); i++) {
        struct tt_thread_sums sums;
        tt_thread_sum(t, i, tt_timelines_begin(t), tt_timelines_end(t), &sums);
    }
    for (uint32_t i = 0; t && i < tt_cpu_count(t); i++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, (uint16_t)i, tt_timelines_begin(t), tt_timelines_end(t), &sums);
    }
}

/* Returns true if it could be opened; *silent: it was refused without a message. */
static bool read_case(const char *path, bool *silent)
{
    struct tt_trace *trace;
    struct tt_trace_options options = {.map = {.spool_limit = 8 << 20}};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    bool opened = !tt_failed(&status);
    if (opened) {
        status = tt_trace_index(trace);
        read_rows(trace);
        sum_lanes(trace);
        tt_trace_close(trace);
    }
    *silent = tt_failed(&status) && status.text[0] == '\0';
    return opened;
}

static int64_t processor_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool try_bytes(const struct source *s, const uint8_t *bytes, size_t size)
{
    char path[64];
    bool silent;
    int fd = memfd_create("case", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0) {
        perror("mutate");
        exit(2);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    faults_arm(NULL);
    int64_t begun = processor_ns(), bytes_before = faults_live_bytes();
    int64_t blocks_before = faults_live_blocks();
    alarm(HANG_SECONDS);
    s->told->opened += read_case(path, &silent);
    alarm(0);
    int64_t spent = processor_ns() - begun, peak = faults_peak_bytes() - bytes_before;
    close(fd);
    s->told->tried++;
    s->told->slowest_ns = spent > s->told->slowest_ns ? spent : s->told->slowest_ns;
    s->told->most_bytes = peak > s->told->most_bytes ? peak : s->told->most_bytes;
    const char *why = silent                                   ? "refused without a message"
                      : spent > CASE_NS                        ? "it takes too long"
                      : peak > MEMORY_MOST + 4 * (int64_t)size ? "it takes too much memory"
                      : faults_live_blocks() != blocks_before  ? "it leaves memory"
                                                               : NULL;
    if (why && !s->told->wrong[0]) {
        snprintf(s->told->wrong, sizeof s->told->wrong,
                 "%s: case %llu: %lld ms, %lld kB for a file of %zu", why,
                 (unsigned long long)s->told->at, (long long)(spent / 1000000),
                 (long long)(peak / 1024), size);
    }
    return why == NULL;
}

static size_t make_case(const struct source *s, uint64_t number, uint8_t *bytes)
{
    uint64_t state = s->seed * UINT64_C(1000003) + number;
    size_t size = s->size;
    memcpy(bytes, s->bytes, size);
    for (uint64_t changes = 1 + below(&state, 8); changes > 0; changes--) {
        size = damage(bytes, size, &state);
    }
    return size;
}

static void try_case(const struct source *s, uint64_t number)
{
    uint8_t *bytes = malloc(FILE_MOST);
    s->told->at = number;
    size_t size = make_case(s, number, bytes);
    try_bytes(s, bytes, size);
    free(bytes);
}

/* ---- all of them -------------------------------------------------------------------------- */

static void try_flips(const struct source *s)
{
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    const char *wanted = getenv("FLIPPED");
    size_t header = wanted ? strtoull(wanted, NULL, 10) : 1024;
    header = header < s->size ? header : s->size;
    uint8_t *bytes = malloc(s->size);
    memcpy(bytes, s->bytes, s->size);
    for (size_t at = 0; at < header; at++) {
        for (size_t i = 0; i < sizeof flips + 1; i++) {
            uint8_t was = bytes[at];
            bytes[at] = i < sizeof flips ? was ^ flips[i] : 0;
            s->told->at = at;
            try_bytes(s, bytes, s->size);
            bytes[at] = was;
        }
    }
    free(bytes);
}

static void try_damage(const struct source *s)
{
    const char *wanted = getenv("MUTATIONS");
    uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 2000;
    for (uint64_t number = 0; number < count && !s->told->wrong[0]; number++) {
        try_case(s, number);
    }
}

/* Runs the cases in a child process: a crash is a failed test. */
static bool apart(struct source *s, const char *what, void (*run)(const struct source *))
{
    memset(s->told, 0, sizeof *s->told);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run(s);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("mutate");
        exit(2);
    }
    const struct told *told = s->told;
    if (status != 0) {
        printf("not ok - %s: %s: %s at case %llu\n", s->name, what,
               WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it hangs" : "it died",
               (unsigned long long)told->at);
        return false;
    }
    if (told->wrong[0]) {
        printf("not ok - %s: %s: %s\n", s->name, what, told->wrong);
        return false;
    }
    printf("ok - %s: %s (%llu cases, %llu opened, slowest %lld ms, most memory %lld kB)\n", s->name,
           what, (unsigned long long)told->tried, (unsigned long long)told->opened,
           (long long)(told->slowest_ns / 1000000), (long long)(told->most_bytes / 1024));
    return true;
}

static void read_source(struct source *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *seed = getenv("SEED");
    FILE *file = fopen(path, "rb");
    s->path = path;
    s->name = slash ? slash + 1 : path;
    s->seed = seed ? strtoull(seed, NULL, 10) : 1;
    s->bytes = malloc(FILE_MOST / 2);
    if (!file || !s->bytes) {
        perror(path);
        exit(2);
    }
    s->size = fread(s->bytes, 1, FILE_MOST / 2, file);
    fclose(file);
    s->told =
        mmap(NULL, sizeof *s->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->size == 0 || s->told == MAP_FAILED) {
        perror(path);
        exit(2);
    }
}

static int write_case(struct source *s, const char *path, uint64_t number)
{
    uint8_t *bytes = malloc(FILE_MOST);
    size_t size = make_case(s, number, bytes);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0;
    free(bytes);
    return good ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct source s = {0};
    if (argc == 5 && strcmp(argv[1], "--write") == 0) {
        read_source(&s, argv[3]);
        return write_case(&s, argv[2], strtoull(argv[4], NULL, 10));
    }
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: mutate FILE [CASE]\n");
        return 2;
    }
    read_source(&s, argv[1]);
    if (argc == 3) {
        try_case(&s, strtoull(argv[2], NULL, 10));
        puts(s.told->wrong[0] ? s.told->wrong : "good");
        return s.told->wrong[0] != 0;
    }
    bool good = apart(&s, "every byte of its beginning flipped", try_flips);
    good = apart(&s, "random damage", try_damage) && good;
    free(s.bytes);
    return good ? 0 : 1;
}
