/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_slow CAPTURE GROWING TRACETUI [answers|silent] [COLUMNSxROWS]
 *
 * The program on a terminal at the end of a slow line: a pseudo terminal whose output passes through
 * a buffer of BUFFER_BYTES at LINE_BYTES a second. The terminal answers status reports (DSR) when they
 * leave the line, or is silent. GROWING is followed and grows by GROWTH_BYTES a second.
 *
 * Measures the bytes per second without keys, and the time from a key to the byte of its answer at the
 * end of the line: `:` opens a prompt, which shows the terminal's cursor. Prints one line of JSON.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "on_terminal.h"

#define LINE_BYTES   10000.0
#define BUFFER_BYTES 65536u
#define GROWTH_BYTES 333000.0
#define STEP_MS      5
#define START_MS     3000.0 /* the first frames */
#define QUIET_MS     8000.0 /* without keys: bytes are counted */
#define KEYS         20
#define KEY_GAP_MS   437.0
#define LATE_MS      20000.0

struct line {
    int master;
    bool answers;
    char buffer[BUFFER_BYTES];
    size_t first, used; /* the bytes on the line */
    double budget;      /* bytes that may leave the line now */
    double stepped;
    char seen[8]; /* the last bytes that left the line */
    size_t delivered;
    double cursor_shown; /* times at which the terminal's cursor was shown, and hidden; 0: not since
                       * the key */
    double cursor_hidden;
};

struct growth {
    int fd;
    uint8_t *bytes;
    size_t size, at;
    double begun;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void write_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t n = write(fd, at, length);
        if (n <= 0) {
            perror("bench_slow: write");
            exit(2);
        }
        at += n;
        length -= (size_t)n;
    }
}

static bool ends_with(const struct line *line, const char *text)
{
    size_t length = strlen(text);
    return memcmp(line->seen + sizeof line->seen - length, text, length) == 0;
}

/* Passes one byte to the terminal. */
static void deliver(struct line *line, char byte)
{
    memmove(line->seen, line->seen + 1, sizeof line->seen - 1);
    line->seen[sizeof line->seen - 1] = byte;
    line->delivered++;
    if (line->answers && ends_with(line, "\033[5n")) {
        write_all(line->master, "\033[0n", 4);
    } else if (ends_with(line, "\033[c")) {
        write_all(line->master, "\033[?62c", 6);
    } else if (ends_with(line, "\033[?25h")) {
        line->cursor_shown = now_ms();
    } else if (ends_with(line, "\033[?25l")) {
        line->cursor_hidden = now_ms();
    }
}

/* Moves bytes from the program to the line and from the line to the terminal. */
static void step_line(struct line *line)
{
    double now = now_ms();
    line->budget += (now - line->stepped) * LINE_BYTES / 1e3;
    line->stepped = now;
    while (line->budget >= 1 && line->used > 0) {
        deliver(line, line->buffer[line->first]);
        line->first = (line->first + 1) % BUFFER_BYTES;
        line->used--;
        line->budget -= 1;
    }
    if (line->used == 0) {
        line->budget = 0;
    }
    struct pollfd fd = {.fd = line->master, .events = POLLIN};
    while (line->used < BUFFER_BYTES && poll(&fd, 1, 0) > 0) {
        char bytes[4096];
        size_t room = BUFFER_BYTES - line->used;
        ssize_t got = read(line->master, bytes, room < sizeof bytes ? room : sizeof bytes);
        if (got <= 0) {
            return;
        }
        for (ssize_t i = 0; i < got; i++) {
            line->buffer[(line->first + line->used++) % BUFFER_BYTES] = bytes[i];
        }
    }
}

static void grow(struct growth *growth)
{
    double want = 65536 + (now_ms() - growth->begun) * GROWTH_BYTES / 1e3;
    size_t until = want < (double)growth->size ? (size_t)want : growth->size;
    if (until > growth->at) {
        write_all(growth->fd, growth->bytes + growth->at, until - growth->at);
        growth->at = until;
    }
}

static void step(struct line *line, struct growth *growth)
{
    const struct timespec nap = {0, STEP_MS * 1000000};
    nanosleep(&nap, NULL);
    grow(growth);
    step_line(line);
}

static void pass(struct line *line, struct growth *growth, double ms)
{
    for (double until = now_ms() + ms; now_ms() < until;) {
        step(line, growth);
    }
}

static bool read_capture(struct growth *growth, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    growth->size = (size_t)ftell(file);
    rewind(file);
    growth->bytes = malloc(growth->size + 1);
    bool whole = growth->bytes && fread(growth->bytes, 1, growth->size, file) == growth->size;
    fclose(file);
    return whole && growth->size > 65536;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Types `:`, waits until its answer has left the line, and leaves the prompt. */
static double time_key(struct line *line, struct growth *growth)
{
    double typed = now_ms();
    line->cursor_shown = line->cursor_hidden = 0;
    write_all(line->master, ":", 1);
    while (line->cursor_shown == 0 && now_ms() - typed < LATE_MS) {
        step(line, growth);
    }
    double ms = line->cursor_shown > 0 ? line->cursor_shown - typed : LATE_MS;
    write_all(line->master, "\033", 1);
    for (double left = now_ms(); line->cursor_hidden == 0 && now_ms() - left < LATE_MS;) {
        step(line, growth);
    }
    pass(line, growth, KEY_GAP_MS);
    return ms;
}

static void measure(struct line *line, struct growth *growth)
{
    static double keys[KEYS];
    write_all(line->master, "2", 1);
    pass(line, growth, START_MS);
    size_t before = line->delivered, queued = line->used;
    double begun = now_ms();
    pass(line, growth, QUIET_MS);
    double seconds = (now_ms() - begun) / 1e3;
    double sent = (double)(line->delivered - before) + (double)line->used - (double)queued;
    size_t count = 0;
    while (count < KEYS && growth->at < growth->size) {
        keys[count++] = time_key(line, growth);
    }
    qsort(keys, count, sizeof *keys, by_value);
    printf("{\"bytes_per_s\":%.0f,\"keys\":%zu,\"key_p50_ms\":%.0f,\"key_max_ms\":%.0f}\n",
           sent / seconds, count, keys[count / 2], count > 0 ? keys[count - 1] : LATE_MS);
}

int main(int argc, char **argv)
{
    static struct line line;
    static struct growth growth;
    pid_t child = 0;
    unsigned short columns = 80, rows = 24;
    if (argc < 4 || !read_capture(&growth, argv[1])) {
        fprintf(stderr, "usage: bench_slow CAPTURE GROWING TRACETUI [answers|silent] [80x24]\n");
        return 2;
    }
    if (argc > 5) {
        sscanf(argv[5], "%hux%hu", &columns, &rows);
    }
    growth.fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    growth.begun = now_ms();
    grow(&growth);
    char *program[] = {argv[3], "--no-config", "--no-session", "-f", argv[2], NULL};
    line.answers = argc <= 4 || strcmp(argv[4], "silent") != 0;
    line.master = run_on_terminal(columns, rows, program, &child);
    line.stepped = now_ms();
    if (growth.fd < 0 || line.master < 0) {
        fprintf(stderr, "bench_slow: no terminal\n");
        return 2;
    }
    measure(&line, &growth);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    unlink(argv[2]);
    free(growth.bytes);
    return 0;
}
