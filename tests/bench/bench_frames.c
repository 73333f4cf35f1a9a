/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the time from a key to its drawn frame and the bytes sent to the terminal for it.
 *
 *      bench_frames FILE [KEYS [WxH [US]]]       frames by random keys in each view, no terminal
 *      bench_frames --bytes PROGRAM FILE         bytes that the program sends, through a pty
 *      bench_frames --burst FILE PROGRAM...      BURST keys at once, through a pty, of each program
 *
 * Prints one JSON object. A frame is the key's action and the drawing. Background work continues in
 * slices, as in the program, and is counted separately: a key waits for the end of the current slice.
 * Keys are the same in every run. With US, a line on standard error describes each frame and slice of
 * more than that many microseconds of processor time: where it began and ended on the monotonic clock,
 * by which samples of `perf record -k CLOCK_MONOTONIC` are found, and its parts.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <locale.h>
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

#include "base/clock.h"
#include "base/platform.h"
#include "on_terminal.h"
#include "tracetui/time.h"
#include "tui/app/app.h"
#include "tui/term/keys.h"

#define SLICE_NS UINT64_C(1000000) /* as in the event loop */
#define KEYS     400
/* Slices of work between two keys, at most: no user types faster. */
#define SLICES 32

static uint64_t seed = 1;
static uint64_t slow_ns = UINT64_MAX; /* frames and slices that take longer are described */

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 17) % below;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Each is typed as a whole; the time of its last key counts. */
static const char *const common[] = {"j", "k", "<PgDn>", "<PgUp>", "<C-d>", "g", "G", "t"};
static const char *const by_time[] = {
    "h", "l", "+",       "-", "0", "+++", "++++++",      "--",         "<lt>",        ">",
    ".", ",", "]",       "[", "v", "z",   ":50%<Enter>", ":3%<Enter>", ":97%<Enter>", ":31%<Enter>",
    "x", "x", "<Space>", "p", "i", "o",   "O",           "<Esc>",
};
static const char *const of_events[] = {":50%<Enter>", ":7%<Enter>", ":99%<Enter>", "<Enter>", "J",
                                        "K",           "L",          "H",           "}",       "{"};
static const char *const of_tables[] = {"h", "l", "o", "O", "]", "[", "r", "d", "c", "R", "<Esc>"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *some_key(const char *view)
{
    if (dice(4) == 0) {
        return common[dice(COUNT(common))];
    }
    if (strcmp(view, "events") == 0) {
        return of_events[dice(COUNT(of_events))];
    }
    if (strcmp(view, "messages") == 0 && dice(8) == 0) {
        return "<Enter>"; /* in the lanes */
    }
    if (strcmp(view, "summary") == 0 || strcmp(view, "messages") == 0) {
        return of_tables[dice(COUNT(of_tables))];
    }
    return strcmp(view, "info") == 0 ? "}" : by_time[dice(COUNT(by_time))];
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct times {
    uint64_t *ns;
    size_t count;
    char slowest[64]; /* the key that took longest */
};

static void note(struct times *t, uint64_t ns, const char *key)
{
    bool most = true;
    for (size_t i = 0; i < t->count && most; i++) {
        most = t->ns[i] < ns;
    }
    if (most) {
        snprintf(t->slowest, sizeof t->slowest, "%s", key);
    }
    t->ns[t->count++] = ns;
}

static void print_times(const char *name, struct times *t)
{
    if (t->count == 0) {
        printf("\"%s\":{\"count\":0}", name);
        return;
    }
    qsort(t->ns, t->count, sizeof *t->ns, by_value);
    printf("\"%s\":{\"count\":%zu,\"median_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,"
           "\"slowest\":\"%s\"}",
           name, t->count, (double)t->ns[t->count / 2] / 1e6,
           (double)t->ns[t->count * 99 / 100] / 1e6, (double)t->ns[t->count - 1] / 1e6, t->slowest);
}

/* Returns the CPU time of this thread: wall time includes other programs. */
static uint64_t own_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Describes a part of a program's turn that began at `start`, if it was slow. */
static void describe(const struct tt_app *app, const char *key, const char *part, uint64_t start,
                     uint64_t own)
{
    if (own > slow_ns) {
        fprintf(stderr, "%.6f %.6f %s%s %s %.3f ms, %s\n", (double)start / 1e9,
                (double)tt_now_ns() / 1e9, tt_view_names(app->ws.nav.view)->name,
                app->ws.why.open ? " why" : "", part, (double)own / 1e6, key);
    }
}

/* One key and its frame; *own is the processor time of it. */
static uint64_t frame(struct tt_app *app, uint32_t key, uint64_t *own)
{
    uint64_t start = tt_now_ns(), began = own_ns();
    tt_app_key(app, key);
    while (app->ws.filters.scan.active) {
        tt_app_work(app, SLICE_NS); /* a search only redraws its progress */
        start = tt_now_ns();
        began = own_ns();
    }
    uint64_t acted = own_ns();
    tt_app_draw(app);
    uint64_t drawn = own_ns(), whole = tt_now_ns() - start;
    *own = drawn - began;
    if (*own > slow_ns) {
        char name[TT_KEY_NAME], part[64];
        snprintf(part, sizeof part, "action %.3f + frame", (double)(acted - began) / 1e6);
        describe(app, tt_key_write(key, name), part, start, *own);
    }
    return whole;
}

static void work_on(struct tt_app *app, struct times *slices, struct times *owns, const char *keys)
{
    bool complete = tt_app_complete(app, 0);
    for (unsigned i = 0; i < SLICES && !complete; i++) {
        uint64_t start = tt_now_ns(), own = own_ns();
        complete = tt_app_complete(app, SLICE_NS);
        own = own_ns() - own;
        note(owns, own, keys);
        note(slices, tt_now_ns() - start, keys);
        describe(app, keys, "slice", start, own);
    }
    if (complete) {
        uint64_t start = tt_now_ns(), own = own_ns();
        tt_app_draw(app);
        describe(app, keys, "frame of results", start, own_ns() - own);
    }
}

static bool measure_view(struct tt_app *app, unsigned number, unsigned keys)
{
    const char *view = tt_view_names((enum tt_view_id)number)->name;
    struct times frames = {.ns = calloc((size_t)keys * 16, sizeof(uint64_t))};
    struct times slices = {.ns = calloc((size_t)keys * SLICES, sizeof(uint64_t))};
    struct times owns = {.ns = calloc((size_t)keys * 16, sizeof(uint64_t))};
    struct times slice_owns = {.ns = calloc((size_t)keys * SLICES, sizeof(uint64_t))};
    bool ok = frames.ns && slices.ns && owns.ns && slice_owns.ns;
    for (unsigned i = 0; ok && i < keys; i++) {
        if (app->ws.nav.view != number || app->ws.nav.overlay != TT_OVERLAY_NONE) {
            app->ws.nav.overlay = TT_OVERLAY_NONE;
            tt_nav_show(&app->ws.nav, number);
            tt_app_draw(app);
        }
        const char *key = some_key(view);
        size_t left = strlen(key), used;
        for (const char *at = key; left > 0; at += used, left -= used) {
            uint32_t code;
            used = tt_key_parse(at, left, &code);
            uint64_t own, whole = frame(app, code, &own);
            note(&frames, whole, key);
            note(&owns, own, key);
        }
        app->ws.term.requests.quit = false;
        work_on(app, &slices, &slice_owns, key);
    }
    if (ok) {
        printf("%s\"%s\":{", number > 0 ? "," : "", view);
        print_times("frame", &frames);
        printf(",");
        print_times("frame_cpu", &owns);
        printf(",");
        print_times("slice", &slices);
        printf(",");
        print_times("slice_cpu", &slice_owns);
        printf("}");
    }
    free(frames.ns);
    free(owns.ns);
    free(slices.ns);
    free(slice_owns.ns);
    return ok;
}

static void type_all(struct tt_app *app, const char *keys)
{
    uint64_t own;
    for (size_t left = strlen(keys), used; left > 0; keys += used, left -= used) {
        uint32_t code;
        used = tt_key_parse(keys, left, &code);
        frame(app, code, &own);
    }
}

/*
 * Measures the Why pane: its first frame at places all over the capture, and the frames of its
 * keys.
 */
static bool measure_why(struct tt_app *app, unsigned keys)
{
    static const char *const pane[] = {"j", "k", "G",    "g", "<PgDn>", "h",
                                       "l", ">", "<lt>", "z", "0"};
    struct times opens = {.ns = calloc(keys, sizeof(uint64_t))};
    struct times open_owns = {.ns = calloc(keys, sizeof(uint64_t))};
    struct times frames = {.ns = calloc((size_t)keys * 8, sizeof(uint64_t))};
    struct times owns = {.ns = calloc((size_t)keys * 8, sizeof(uint64_t))};
    struct times slices = {.ns = calloc((size_t)keys * SLICES * 9, sizeof(uint64_t))};
    struct times slice_owns = {.ns = calloc((size_t)keys * SLICES * 9, sizeof(uint64_t))};
    bool ok = opens.ns && open_owns.ns && frames.ns && owns.ns && slices.ns && slice_owns.ns;
    for (unsigned i = 0; ok && i < keys; i++) {
        char place[64];
        bool range = dice(4) == 0; /* a selection of a fifth of the capture */
        unsigned at = (unsigned)dice(79);
        tt_nav_show(&app->ws.nav, TT_VIEW_THREADS);
        snprintf(place, sizeof place,
                 range ? "0<Esc>:%u%%<Enter>v:%u%%<Enter>v" : "0<Esc>:%u%%<Enter>", at, at + 20);
        type_all(app, place);
        for (uint64_t down = dice(24); down > 0; down--) {
            type_all(app, "j");
        }
        uint64_t own, whole = frame(app, 'b', &own);
        if (!app->ws.why.open) {
            continue;
        }
        note(&opens, whole, range ? "b of a range" : "b");
        note(&open_owns, own, range ? "b of a range" : "b");
        work_on(app, &slices, &slice_owns, "b");
        for (unsigned k = 0; k < 8 && app->ws.why.open; k++) {
            const char *key = pane[dice(COUNT(pane))];
            uint32_t code;
            tt_key_parse(key, strlen(key), &code);
            note(&frames, frame(app, code, &own), key);
            note(&owns, own, key);
            work_on(app, &slices, &slice_owns, key);
        }
        type_all(app, "<Esc>");
    }
    if (ok) {
        printf(",\"why\":{");
        print_times("open", &opens);
        printf(",");
        print_times("open_cpu", &open_owns);
        printf(",");
        print_times("frame", &frames);
        printf(",");
        print_times("frame_cpu", &owns);
        printf(",");
        print_times("slice_cpu", &slice_owns);
        printf("}");
    }
    free(opens.ns);
    free(open_owns.ns);
    free(frames.ns);
    free(owns.ns);
    free(slices.ns);
    free(slice_owns.ns);
    return ok;
}

static int measure_frames(const char *path, unsigned keys, int width, int height)
{
    const char *paths[1] = {path};
    struct tt_tui_options options = {.paths = paths, .path_count = 1, .view = "threads"};
    struct tt_app *app = malloc(sizeof *app);
    if (!app) {
        return 2;
    }
    struct tt_status status = tt_app_open(app, &options, false, NULL);
    if (tt_failed(&status) || !tt_grid_resize(&app->ws.term.grid, width, height)) {
        fprintf(stderr, "bench_frames: %s: %s\n", path, status.text);
        return 2;
    }
    tt_app_update(app);
    app->ws.term.colored = true;
    printf("{\"events\":%llu,\"threads\":%u,\"cpus\":%u,\"size\":\"%dx%d\",",
           (unsigned long long)app->ws.index.progress.events,
           tt_thread_count(app->ws.opened.capture), app->ws.opened.capture->cpu_count, width,
           height);
    bool ok = true;
    for (unsigned view = 0; ok && view < TT_VIEW_COUNT; view++) {
        ok = measure_view(app, view, keys);
    }
    ok = ok && measure_why(app, keys);
    printf("}\n");
    tt_app_close(app);
    free(app);
    return ok ? 0 : 2;
}

/* ---- bytes -------------------------------------------------------------------------------- */

#define QUIET_MS   150
#define SETTLED_MS 1500 /* the time in which tables are completed */
#define LATE_MS    5000 /* the first byte arrives earlier */

/* Reads the output until there was none for `quiet` ms; returns the number of bytes. */
static size_t read_until(int master, int quiet)
{
    char buffer[65536];
    size_t total = 0;
    struct pollfd fd = {.fd = master, .events = POLLIN};
    while (poll(&fd, 1, quiet) > 0) {
        ssize_t count = read(master, buffer, sizeof buffer);
        if (count <= 0) {
            break;
        }
        answer_terminal(master, buffer, count);
        total += (size_t)count;
    }
    return total;
}

static size_t read_all(int master)
{
    return read_until(master, QUIET_MS);
}

static size_t bytes_of(int master, const char *keys)
{
    ssize_t written = write(master, keys, strlen(keys));
    return written > 0 ? read_all(master) : 0;
}

static int measure_bytes(const char *program, const char *path)
{
    pid_t pid;
    char *argv[] = {(char *)program, "--no-config", "--no-session", (char *)path, NULL};
    int master = run_on_terminal(80, 24, argv, &pid);
    if (master < 0) {
        fprintf(stderr, "bench_frames: no pty\n");
        return 2;
    }
    size_t first = 0;
    while (first == 0) {
        first = read_all(master);
    }
    printf("{\"first\":%zu", first);
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        const struct tt_view_names *view = tt_view_names((enum tt_view_id)i);
        bytes_of(master, view->key);
        read_until(master, SETTLED_MS);
        size_t full = bytes_of(master, "\014"); /* ^L: redraws the whole screen */
        size_t down = bytes_of(master, "j");
        size_t idle = read_all(master);
        printf(",\"%s\":{\"full\":%zu,\"down\":%zu,\"idle\":%zu", view->name, full, down, idle);
        if (view->by_time) {
            printf(",\"right\":%zu", bytes_of(master, "l"));
            printf(",\"zoom\":%zu", bytes_of(master, "+"));
            printf(",\"pan\":%zu", bytes_of(master, ">"));
            bytes_of(master, "0");
        }
        printf("}");
    }
    printf("}\n");
    bytes_of(master, "q");
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    close(master);
    return 0;
}

/* ---- bursts ------------------------------------------------------------------------------- */

#define BURST 500
#define PAIRS 5

/* Keys of a burst in each view, repeated; the first one shows the view. */
static const struct {
    const char *view, *keys;
} bursts[] = {{"1", "j"}, {"2", "jl"}, {"2", "l+h-"}, {"3", "lj"}, {"4", "jl"}, {"5", "j"}};

/* Returns the milliseconds from the first key to the last byte of the last frame. */
static double burst_ms(int master, const char *keys)
{
    char burst[BURST + 1], buffer[65536];
    struct pollfd fd = {.fd = master, .events = POLLIN};
    size_t length = strlen(keys);
    for (size_t i = 0; i < BURST; i++) {
        burst[i] = keys[i % length];
    }
    uint64_t start = tt_now_ns(), last = start;
    if (write(master, burst, BURST) != BURST) {
        return -1;
    }
    for (int wait = LATE_MS; poll(&fd, 1, wait) > 0; wait = QUIET_MS) {
        ssize_t got = read(master, buffer, sizeof buffer);
        if (got <= 0) {
            break;
        }
        last = tt_now_ns();
        answer_terminal(master, buffer, got);
    }
    return (double)(last - start) / 1e6;
}

static bool burst_program(const char *program, const char *path, double ms[COUNT(bursts)])
{
    pid_t pid;
    char *argv[] = {(char *)program, "--no-config", "--no-session", (char *)path, NULL};
    int master = run_on_terminal(80, 24, argv, &pid);
    if (master < 0) {
        return false;
    }
    while (read_all(master) == 0) {
    }
    for (size_t i = 0; i < COUNT(bursts); i++) {
        bytes_of(master, bursts[i].view);
        read_all(master);
        ms[i] = burst_ms(master, bursts[i].keys);
    }
    bytes_of(master, "q");
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    close(master);
    return true;
}

static int by_ms(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs the programs in alternation, PAIRS times each, and prints the medians. */
static int measure_bursts(const char *path, int programs, char **program)
{
    double ms[8][COUNT(bursts)][PAIRS], once[COUNT(bursts)];
    for (int pair = 0; pair < PAIRS; pair++) {
        for (int i = 0; i < programs && i < 8; i++) {
            if (!burst_program(program[i], path, once)) {
                fprintf(stderr, "bench_frames: no pty\n");
                return 2;
            }
            for (size_t b = 0; b < COUNT(bursts); b++) {
                ms[i][b][pair] = once[b];
            }
        }
    }
    for (int i = 0; i < programs && i < 8; i++) {
        printf("%s{", i > 0 ? "," : programs > 1 ? "[" : "");
        for (size_t b = 0; b < COUNT(bursts); b++) {
            qsort(ms[i][b], PAIRS, sizeof(double), by_ms);
            printf("%s\"%s %s\":{\"ms\":%.1f}", b > 0 ? "," : "", bursts[b].view, bursts[b].keys,
                   ms[i][b][PAIRS / 2]);
        }
        printf("}");
    }
    printf("%s\n", programs > 1 ? "]" : "");
    return 0;
}

int main(int argc, char **argv)
{
    int width = 200, height = 60;
    setlocale(LC_CTYPE, "");
    tt_platform_separate_large_allocations(); /* as the program does */
    if (argc == 4 && strcmp(argv[1], "--bytes") == 0) {
        return measure_bytes(argv[2], argv[3]);
    }
    if (argc >= 4 && strcmp(argv[1], "--burst") == 0) {
        return measure_bursts(argv[2], argc - 3, argv + 3);
    }
    if (argc < 2 || (argc > 3 && sscanf(argv[3], "%dx%d", &width, &height) != 2)) {
        fprintf(stderr, "usage: bench_frames FILE [KEYS [WxH [US]]] | --bytes PROGRAM FILE | "
                        "--burst FILE PROGRAM...\n");
        return 2;
    }
    if (argc > 4) {
        slow_ns = strtoull(argv[4], NULL, 10) * 1000;
    }
    return measure_frames(argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : KEYS, width, height);
}
