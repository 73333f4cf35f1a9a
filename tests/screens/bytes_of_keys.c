/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes_of_keys [--mute] FILE: reads lines of keys (as for --keys), prints for each line the number of
 * bytes that the terminal, 80x24, receives in response to its last key.
 *
 * On a slow machine the program sends an extra frame when numbers take longer than a frame waits
 * for them. The screen therefore runs without its loop here: a key's frame is drawn when all work
 * is done, so that the count is the same on every machine. `^L` redraws the screen. The terminal
 * answers queries, unless it is mute.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "../bench/on_terminal.h"
#include "tui/app/app.h"
#include "tui/app/event_loop.h"
#include "tui/term/keys.h"
#include "tui/term/screen.h"

#define LINE 256
/* Ends the bytes of a frame: curses does not send this byte. */
#define MARK '\001'

struct terminal {
    int master, slave;
    FILE *lines;   /* the original standard input */
    FILE *answers; /* the original standard output */
    bool mute;     /* it answers no query */
};

/* Opens a new terminal as standard input and output. A frame fits into its buffer. */
static bool take_terminal(struct terminal *t)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    t->lines = fdopen(dup(STDIN_FILENO), "r");
    t->answers = fdopen(dup(STDOUT_FILENO), "w");
    t->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (!t->lines || !t->answers || t->master < 0 || grantpt(t->master) != 0 ||
        unlockpt(t->master) != 0) {
        return false;
    }
    t->slave = open(ptsname(t->master), O_RDWR | O_NOCTTY);
    return t->slave >= 0 && ioctl(t->slave, TIOCSWINSZ, &size) == 0 &&
           dup2(t->slave, STDIN_FILENO) >= 0 && dup2(t->slave, STDOUT_FILENO) >= 0;
}

/* Returns the number of bytes sent since the last call. */
static size_t count_sent(const struct terminal *t)
{
    const char mark = MARK;
    char buffer[4096];
    size_t count = 0;
    fflush(stdout);
    if (write(t->slave, &mark, 1) != 1) {
        return 0;
    }
    for (;;) {
        ssize_t got = read(t->master, buffer, sizeof buffer);
        if (got <= 0) {
            return count;
        }
        if (!t->mute) {
            answer_terminal(t->master, buffer, got);
        }
        count += (size_t)got;
        if (buffer[got - 1] == MARK) {
            return count - 1;
        }
    }
}

static size_t send_frame(struct tt_app *app, struct tt_screen *screen, const struct terminal *t)
{
    tt_event_loop_wait(app);
    tt_app_draw(app);
    tt_screen_draw(screen, &app->ws.term.grid, &app->ws.term.theme, TT_PACE_KEY);
    size_t bytes = count_sent(t);
    tt_screen_key(screen); /* reads the terminal's answers */
    return bytes;
}

/* Types the keys; returns the number of bytes of the last key's frame. */
static size_t type(struct tt_app *app, struct tt_screen *screen, const struct terminal *t,
                   const char *keys)
{
    size_t left = strlen(keys), used, bytes = 0;
    for (; left > 0; keys += used, left -= used) {
        uint32_t key;
        used = tt_key_parse(keys, left, &key);
        if (used == 0) {
            fprintf(stderr, "bytes_of_keys: no keys: %s\n", keys);
            exit(2);
        }
        tt_app_key(app, key);
        if (app->ws.term.requests.redraw) {
            app->ws.term.requests.redraw = false;
            tt_screen_invalidate(screen);
        }
        bytes = send_frame(app, screen, t);
    }
    return bytes;
}

static void answer_lines(struct tt_app *app, struct tt_screen *screen, const struct terminal *t)
{
    char line[LINE];
    send_frame(app, screen, t);
    while (fgets(line, sizeof line, t->lines)) {
        line[strcspn(line, "\n")] = '\0';
        fprintf(t->answers, "%zu\n", type(app, screen, t, line));
        fflush(t->answers);
    }
}

static struct tt_status run(struct tt_app *app, const char *const *path, const struct terminal *t)
{
    const struct tt_tui_options options = {.paths = path, .path_count = 1, .view = "events"};
    const struct tt_screen_options colored = {.colors = true, .mouse = true};
    struct tt_screen *screen;
    struct tt_status status = tt_app_open(app, &options, false, NULL);
    if (tt_failed(&status)) {
        return status;
    }
    tt_app_update(app);
    status = tt_screen_open(&colored, &screen);
    if (!tt_failed(&status)) {
        int width, height;
        tt_screen_size(screen, &width, &height);
        app->ws.term.has_colors = tt_screen_colors(screen) > 0;
        app->ws.term.greys = tt_screen_colors(screen) >= 256;
        app->ws.term.colored = app->ws.term.has_colors && tt_theme_colored(&app->ws.term.theme);
        status = tt_grid_resize(&app->ws.term.grid, width, height) ? tt_ok() : tt_error_memory();
        if (!tt_failed(&status)) {
            answer_lines(app, screen, t);
        }
        tt_screen_close(screen);
    }
    tt_app_close(app);
    return status;
}

int main(int argc, char **argv)
{
    static struct tt_app app;
    struct terminal t;
    setlocale(LC_CTYPE, "");
    int used = 1;
    t.mute = used < argc && strcmp(argv[used], "--mute") == 0;
    used += t.mute;
    if (argc != used + 1) {
        fprintf(stderr, "usage: bytes_of_keys [--mute] FILE\n");
        return 2;
    }
    if (!take_terminal(&t)) {
        fprintf(stderr, "bytes_of_keys: no terminal\n");
        return 2;
    }
    const char *path = argv[argc - 1];
    struct tt_status status = run(&app, &path, &t);
    if (tt_failed(&status)) {
        fprintf(stderr, "bytes_of_keys: %s: %s\n", path, status.text);
    }
    fclose(t.lines);
    fclose(t.answers);
    return tt_failed(&status) ? 2 : 0;
}
