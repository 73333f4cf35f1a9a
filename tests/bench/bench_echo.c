/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_echo: measures the time from a key to its echo, the first byte that the program sends,
 * while a filter is typed.
 *
 *      bench_echo PROGRAM FILE TEXT...
 *
 * Runs the program on a pty of 80x24, waits until it is quiet, and types each TEXT twice: into the
 * prompt of a filter, which runs on every key, and into the prompt of a command, without background
 * work, as the reference. Types a key every KEY_MS. Prints one JSON object, in milliseconds.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "on_terminal.h"

#define KEY_MS    60
#define QUIET_MS  700
#define LATE_MS   2000 /* a key without an echo by then counts as lost */
#define KEYS_MOST 4096

struct echoes {
    double ms[KEYS_MOST];
    size_t count;
    size_t lost;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Reads the output until there was none for `quiet` ms, or until `until`. */
static void read_output(int master, int quiet, double until)
{
    char buffer[65536];
    struct pollfd fd = {.fd = master, .events = POLLIN};
    for (;;) {
        double left = until - now_ms();
        int wait = left < quiet ? (int)left : quiet;
        ssize_t got = wait >= 0 && poll(&fd, 1, wait) > 0 ? read(master, buffer, sizeof buffer) : 0;
        if (got <= 0) {
            return;
        }
        answer_terminal(master, buffer, got);
    }
}

static void press(int master, const char *keys, size_t length)
{
    if (write(master, keys, length) < 0) {
        perror("bench_echo: write");
        exit(2);
    }
}

static void time_key(int master, char key, struct echoes *echoes)
{
    struct pollfd fd = {.fd = master, .events = POLLIN};
    double start = now_ms();
    press(master, &key, 1);
    if (poll(&fd, 1, LATE_MS) <= 0) {
        echoes->lost++;
    } else if (echoes->count < KEYS_MOST) {
        echoes->ms[echoes->count++] = now_ms() - start;
    }
    read_output(master, KEY_MS, start + KEY_MS);
}

/* Opens a prompt by the keys `open`, types the text, and leaves the prompt. */
static void type(int master, const char *open, const char *text, struct echoes *echoes)
{
    press(master, open, strlen(open));
    read_output(master, KEY_MS, now_ms() + 4 * KEY_MS);
    for (const char *at = text; *at; at++) {
        time_key(master, *at, echoes);
    }
    press(master, "\033", 1);
    read_output(master, QUIET_MS, now_ms() + 4 * QUIET_MS);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, struct echoes *e)
{
    size_t late = 0;
    qsort(e->ms, e->count, sizeof *e->ms, by_value);
    for (size_t i = 0; i < e->count; i++) {
        late += e->ms[i] > 16;
    }
    printf("\"%s\":{\"keys\":%zu,\"lost\":%zu,\"median_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f,"
           "\"over_16_ms\":%zu}",
           name, e->count, e->lost, e->count ? e->ms[e->count / 2] : 0,
           e->count ? e->ms[e->count * 99 / 100] : 0, e->count ? e->ms[e->count - 1] : 0, late);
}

int main(int argc, char **argv)
{
    static struct echoes filter, command;
    pid_t pid;
    if (argc < 4) {
        fprintf(stderr, "usage: bench_echo PROGRAM FILE TEXT...\n");
        return 2;
    }
    char *program[] = {argv[1], "--no-config", "--no-session", argv[2], NULL};
    int master = run_on_terminal(80, 24, program, &pid);
    if (master < 0) {
        fprintf(stderr, "bench_echo: no pty\n");
        return 2;
    }
    read_output(master, 3 * QUIET_MS, now_ms() + 300e3);
    for (int i = 3; i < argc; i++) {
        type(master, ":", argv[i], &command);
        type(master, "f", argv[i], &filter);
    }
    printf("{");
    print("filter", &filter);
    printf(",");
    print("command", &command);
    printf("}\n");
    press(master, "q", 1);
    kill(pid, SIGTERM);
    close(master);
    waitpid(pid, NULL, 0);
    return filter.count > 0 && command.count > 0 ? 0 : 2;
}
