/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_live throughput CAPTURE GROWING MB/S: copies the capture to GROWING at that rate while it
 * is followed; measures the largest lag of the reader and its time from the last write to the end.
 *
 * bench_live screen CAPTURE GROWING MB/S TRACETUI: the same with the program on a terminal, in
 * bursts a quarter of a second apart: from a burst's write() to the last byte that it sends to the
 * screen for it (p50, p99), and from a key to the first byte.
 *
 * bench_live bytes CAPTURE GROWING MB/S TRACETUI KEY: the same at 80x24 on a fast line that answers status
 * reports, steadily and without keys after KEY, the key of a view: bytes and frames per second.
 *
 * Prints one line of JSON.
 */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "on_terminal.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define STEP_MS        10u
#define BURST_MS       250u
#define BURSTS_MAX     400u
#define SETTLE_MS      600u
#define STEADY_MS      1500u  /* before bytes are counted */
#define CUT_BYTES      70000u /* the capture may be cut inside an event of many slots */
#define SCREEN_ROWS    50
#define SCREEN_COLUMNS 160

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void sleep_until(double ms)
{
    double left = ms - now_ms();
    if (left > 0) {
        struct timespec nap = {(time_t)(left / 1e3), (long)(left * 1e6) % 1000000000};
        nanosleep(&nap, NULL);
    }
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
    uint8_t *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        *size = 0;
    }
    fclose(file);
    return bytes;
}

static bool write_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n <= 0) {
            return false;
        }
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

/* ---- throughput ----------------------------------------------------------------------------- */

static int throughput(const uint8_t *bytes, size_t size, const char *growing, double rate)
{
    int fd = open(growing, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    size_t at = size < 65536 ? size : 65536;
    struct tt_trace_options options = {.map.follow = true};
    struct tt_trace *trace;
    if (fd < 0 || !write_all(fd, bytes, at)) {
        return 2;
    }
    struct tt_status status = tt_trace_open(growing, &options, &trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index_start(trace, NULL, NULL);
    }
    if (tt_failed(&status)) {
        fprintf(stderr, "%s\n", status.text);
        return 2;
    }
    double begun = now_ms(), most = 0;
    size_t step = (size_t)(rate * 1e6 * STEP_MS / 1e3);
    for (unsigned i = 1; at < size; i++) {
        size_t piece = step < size - at ? step : size - at;
        write_all(fd, bytes + at, piece);
        at += piece;
        sleep_until(begun + i * STEP_MS);
        double behind = (double)(at - tt_trace_progress(trace).bytes_done);
        most = behind > most ? behind : most;
    }
    double written = now_ms();
    while (tt_trace_progress(trace).bytes_done + CUT_BYTES < size && now_ms() - written < 60000) {
        sleep_until(now_ms() + 1);
    }
    double caught = now_ms();
    printf("{\"wanted_mb_s\":%.1f,\"written_mb_s\":%.1f,\"seconds\":%.1f,"
           "\"most_behind_mb\":%.1f,\"catches_up_ms\":%.1f}\n",
           rate, (double)size / 1e3 / (written - begun), (written - begun) / 1e3, most / 1e6,
           caught - written);
    tt_trace_close(trace);
    close(fd);
    unlink(growing);
    return 0;
}

/* ---- the screen ------------------------------------------------------------------------------ */

/*
 * Reads the output until `until`; sets the times of the first and the last byte, 0 if there was
 * none.
 */
static void drain(int master, double until, double *first, double *last)
{
    char buffer[65536];
    *first = *last = 0;
    for (double left = until - now_ms(); left > 0; left = until - now_ms()) {
        struct pollfd fd = {.fd = master, .events = POLLIN};
        ssize_t got = poll(&fd, 1, (int)left + 1) > 0 ? read(master, buffer, sizeof buffer) : 0;
        answer_terminal(master, buffer, got);
        if (got > 0) {
            *last = now_ms();
            *first = *first > 0 ? *first : *last;
        }
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double part_of(double *sorted, unsigned count, double part)
{
    return count ? sorted[(unsigned)((double)(count - 1) * part + 0.5)] : -1;
}

static int on_screen(const uint8_t *bytes, size_t size, const char *growing, double rate,
                     const char *program)
{
    static double bursts[BURSTS_MAX], keys[BURSTS_MAX];
    unsigned count = 0, key_count = 0;
    size_t step = (size_t)(rate * 1e6 * BURST_MS / 1e3), at = size < 65536 ? size : 65536;
    int fd = open(growing, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child;
    double first, last;
    if (fd < 0 || !write_all(fd, bytes, at)) {
        return 2;
    }
    char *argv[] = {(char *)program, "--no-config", "--no-session", "-f", (char *)growing, NULL};
    int master = run_on_terminal(SCREEN_COLUMNS, SCREEN_ROWS, argv, &child);
    if (master < 0) {
        return 2;
    }
    drain(master, now_ms() + SETTLE_MS, &first, &last);
    while (at < size && count < BURSTS_MAX) {
        size_t piece = step < size - at ? step : size - at;
        double begun = now_ms();
        size_t end = at + piece, part = piece / (BURST_MS / STEP_MS) + 1;
        for (unsigned i = 1; at < end; i++) {
            size_t now = part < end - at ? part : end - at;
            write_all(fd, bytes + at, now);
            at += now;
            if (at < end) {
                drain(master, begun + i * STEP_MS, &first, &last);
            }
        }
        double written = now_ms();
        drain(master, written + BURST_MS, &first, &last);
        bursts[count++] = last > 0 ? last - written : BURST_MS;
        if (count % 4 == 0) {
            double typed = now_ms();
            write_all(master, (const uint8_t *)"t", 1);
            drain(master, typed + 60, &first, &last);
            keys[key_count++] = first > 0 ? first - typed : 60;
        }
    }
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    qsort(bursts, count, sizeof *bursts, compare);
    qsort(keys, key_count, sizeof *keys, compare);
    printf("{\"mb_s\":%.2f,\"bursts\":%u,\"screen_p50_ms\":%.1f,\"screen_p99_ms\":%.1f,"
           "\"key_p99_ms\":%.1f}\n",
           rate, count, part_of(bursts, count, 0.5), part_of(bursts, count, 0.99),
           part_of(keys, key_count, 0.99));
    close(master);
    close(fd);
    unlink(growing);
    return 0;
}

/* ---- bytes ------------------------------------------------------------------------------------ */

struct sent {
    size_t bytes, frames;
};

/*
 * Reads until `until` and answers status reports at once. Counts bytes and frames: a frame ends
 * with a request for a status report.
 */
static void count_sent(int master, double until, struct sent *sent)
{
    char buffer[65536];
    for (double left = until - now_ms(); left > 0; left = until - now_ms()) {
        struct pollfd fd = {.fd = master, .events = POLLIN};
        ssize_t got = poll(&fd, 1, (int)left + 1) > 0 ? read(master, buffer, sizeof buffer) : 0;
        answer_terminal(master, buffer, got);
        for (ssize_t i = 0; i + 4 <= got; i++) {
            sent->frames += memcmp(buffer + i, "\033[5n", 4) == 0;
        }
        sent->bytes += got > 0 ? (size_t)got : 0;
    }
}

static int count_bytes(const uint8_t *bytes, size_t size, const char *growing, double rate,
                       char *program, const char *view)
{
    size_t step = (size_t)(rate * 1e6 * STEP_MS / 1e3), at = size < 65536 ? size : 65536;
    int fd = open(growing, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct sent start = {0, 0}, sent = {0, 0};
    pid_t child;
    if (fd < 0 || !write_all(fd, bytes, at)) {
        return 2;
    }
    char *argv[] = {program, "--no-config", "--no-session", "-f", (char *)growing, NULL};
    int master = run_on_terminal(80, 24, argv, &child);
    if (master < 0) {
        return 2;
    }
    count_sent(master, now_ms() + SETTLE_MS, &start);
    write_all(master, (const uint8_t *)view, strlen(view));
    double begun = now_ms(), counted = begun + STEADY_MS;
    for (unsigned i = 1; at < size; i++) {
        size_t piece = step < size - at ? step : size - at;
        write_all(fd, bytes + at, piece);
        at += piece;
        double next = begun + i * STEP_MS;
        count_sent(master, next, next > counted ? &sent : &start);
    }
    double seconds = (now_ms() - counted) / 1e3;
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    printf("{\"mb_s\":%.2f,\"seconds\":%.1f,\"bytes_per_s\":%.0f,\"frames_per_s\":%.1f}\n", rate,
           seconds, (double)sent.bytes / seconds, (double)sent.frames / seconds);
    close(master);
    close(fd);
    unlink(growing);
    return 0;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    uint8_t *bytes = argc >= 5 ? read_file(argv[2], &size) : NULL;
    if (!bytes || size == 0) {
        fprintf(stderr, "usage: bench_live throughput|screen|bytes CAPTURE GROWING MB/S [TRACETUI "
                        "[KEY]]\n");
        return 2;
    }
    double rate = strtod(argv[4], NULL);
    int result = argc > 6 && strcmp(argv[1], "bytes") == 0
                     ? count_bytes(bytes, size, argv[3], rate, argv[5], argv[6])
                 : argc > 5 && strcmp(argv[1], "screen") == 0
                     ? on_screen(bytes, size, argv[3], rate, argv[5])
                     : throughput(bytes, size, argv[3], rate);
    free(bytes);
    return result;
}
