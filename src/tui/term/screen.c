/* SPDX-License-Identifier: Apache-2.0 */
/* screen: takes the terminal, queries its capabilities, and restores it. */
#define _XOPEN_SOURCE    700
#define _DEFAULT_SOURCE  /* TIOCGWINSZ, SIGWINCH */
#define NCURSES_WIDECHAR 1
#include "tui/term/screen_internal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include "base/clock.h"
#include "tui/term/osc52.h"
#include "tui/term/signals.h"
#include "tui/term/terminals.h"

#define ESC_DELAY_MS 25

/* Bracketed paste: the terminal marks pasted text, so that it is not handled as keys. */
#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"

/*
 * Synchronized output: DECRQM queries the support. Every terminal answers the DA1 query after it,
 * so an answer to DA1 alone means that DECRQM is unsupported. Both are sent before the first frame,
 * which overwrites them on a terminal that prints them as text.
 */
#define SYNC_ASK "\033[?2026$p\033[c"
/* The background (OSC 11), asked before them. */
#define BACKGROUND_ASK "\033]11;?\033\\"
/* Time to wait for answers before restoring the terminal; the longer one if it answers at all. */
#define ANSWER_MS      100
#define SLOW_ANSWER_MS 2000

/* ---- taking the terminal ------------------------------------------------------------------- */

/* Tries the built-in description of a terminal that the system does not describe. */
static bool set_up_builtin_description(const char *name, int fd)
{
    const char *description = tt_terminal_description(name);
    int error = 0;
    return description && setenv("TERMINFO", description, 1) == 0 &&
           setupterm(NULL, fd, &error) == OK;
}

/*
 * Tries the description of xterm for a terminal that understands its sequences, and sets TERM to it, so
 * that newterm finds it too.
 */
static bool set_up_like_xterm(const char *name, int fd)
{
    static const char like[] = "xterm-256color";
    int error = 0;
    return tt_terminal_is_like_xterm(name) && setenv("TERM", like, 1) == 0 &&
           (setupterm(NULL, fd, &error) == OK || set_up_builtin_description(like, fd));
}

/*
 * Loads the terminal's description into cur_term and checks it. `own` is set to the value of TERM if the
 * description is that of another terminal.
 */
static struct tt_status check_terminal(int fd, char own[TERM_BYTES])
{
    const char *name = getenv("TERM");
    own[0] = '\0';
    if (!name || !*name) {
        return tt_error(TT_ERR_USAGE, "TERM is not set: set it to the terminal's name, "
                                      "such as xterm-256color or vt100");
    }
    int error = 0;
    char asked[TERM_BYTES];
    snprintf(asked, sizeof asked, "%s", name); /* setenv may free it */
    bool described = setupterm(NULL, fd, &error) == OK || set_up_builtin_description(name, fd);
    if (!described && set_up_like_xterm(asked, fd)) {
        memcpy(own, asked, sizeof asked);
    } else if (!described) {
        if (error < 0) {
            return tt_error(TT_ERR_USAGE, "no terminfo database found: set TERMINFO to its "
                                          "directory");
        }
        if (error == 0) {
            return tt_error(TT_ERR_USAGE,
                            "TERM=%s is unknown: "
                            "try TERM=xterm-256color or TERM=vt100",
                            asked);
        }
    }
    if (!cursor_address || !clear_screen) {
        return tt_error(TT_ERR_USAGE,
                        "TERM=%s cannot place its cursor: "
                        "try TERM=xterm-256color or TERM=vt100",
                        asked);
    }
    return tt_ok();
}

int tt_screen_colors_of(int fd)
{
    char own[TERM_BYTES];
    struct tt_status status = isatty(fd) ? check_terminal(fd, own) : tt_error(TT_ERR_USAGE, "none");
    if (tt_failed(&status)) {
        return 0;
    }
    int colors = max_colors > 0 ? max_colors : 0;
    del_curterm(cur_term);
    return colors;
}

/* Appends a capability without its padding, which only old hardware needs. */
static size_t add_capability(char *out, size_t used, const char *capability)
{
    if (!capability || capability == (const char *)-1) {
        return used;
    }
    while (*capability && used < TT_RESET_BYTES) {
        const char *end = strncmp(capability, "$<", 2) == 0 ? strchr(capability, '>') : NULL;
        if (end) {
            capability = end + 1;
        } else {
            out[used++] = *capability++;
        }
    }
    return used;
}

/* Appends what ends styles and margins. */
static size_t add_plain_drawing(char *out, size_t used)
{
    used = add_capability(out, used, exit_attribute_mode);
    used = add_capability(out, used, orig_pair);
    if (change_scroll_region && LINES > 0) { /* not known before newterm */
        used = add_capability(out, used, tparm(change_scroll_region, 0, LINES - 1));
    }
    return used;
}

/* Prepares the output of endwin for the handler of fatal signals, which must not call it. */
static void arm_reset(struct tt_screen *screen)
{
    char reset[TT_RESET_BYTES];
    size_t used = add_plain_drawing(reset, 0);
    if (screen->modern) {
        used = add_capability(reset, used, SYNC_END PASTE_OFF);
    }
    if (screen->mouse) {
        used = add_capability(reset, used, MOUSE_OFF);
    }
    used = add_capability(reset, used, keypad_local);
    used = add_capability(reset, used, cursor_normal);
    if (LINES > 0) {
        used = add_capability(reset, used, tparm(cursor_address, LINES - 1, 0));
    }
    used = add_capability(reset, used, exit_ca_mode);
    if (!exit_ca_mode) {
        used = add_capability(reset, used, "\r\n");
    }
    tt_signals_arm(fileno(screen->out), reset, used, &screen->modes);
}

/* Returns whether the terminal does not print sequences that are unknown to terminfo. */
static bool is_modern(void)
{
    const char *name = getenv("TERM");
    return name && max_colors >= 8 && strncmp(name, "linux", 5) != 0;
}

void tt_screen_send(struct tt_screen *screen, const char *text)
{
    if (screen->modern) {
        fputs(text, screen->out);
        fflush(screen->out);
    }
}

static bool set_modes(struct tt_screen *screen)
{
    screen->keys = newpad(1, 1);
    if (!screen->keys) {
        return false;
    }
    raw();
    noecho();
    nonl();
    keypad(screen->keys, TRUE);
    nodelay(screen->keys, TRUE);
    set_escdelay(ESC_DELAY_MS);
    idlok(stdscr, TRUE);

    screen->hides_cursor = curs_set(0) != ERR;
    if (screen->colors && has_colors()) {
        start_color();
        use_default_colors();
        screen->colors = COLORS < screen->color_limit ? COLORS : screen->color_limit;
    } else {
        screen->colors = 0;
    }
    return true;
}

static bool equals(const char *capability, const char *text)
{
    return capability && capability != (const char *)-1 && strcmp(capability, text) == 0;
}

/* Opens the key input: standard input, or the terminal if a capture is read from there. */
static FILE *open_keys(bool *own)
{
    *own = !isatty(STDIN_FILENO);
    return *own ? fopen("/dev/tty", "r") : stdin;
}

/*
 * Defines what terminals send for keys whatever TERM describes, where the description has no other
 * meaning for it: PuTTY and the Linux console send ESC [ 1 ~ for Home, rxvt ESC [ 7 ~, and TERM is
 * xterm.
 */
static void define_usual_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } keys[] = {
        {"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[7~", KEY_HOME},  {"\033[8~", KEY_END},
        {"\033[H", KEY_HOME},  {"\033[F", KEY_END},  {"\033OH", KEY_HOME},   {"\033OF", KEY_END},
        {"\033[2~", KEY_IC},   {"\033[3~", KEY_DC},  {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (key_defined(keys[i].sequence) == 0) {
            define_key(keys[i].sequence, keys[i].code);
        }
    }
}

/* Asks for a status report, and modern terminals for their capabilities. */
static void ask_at_start(struct tt_screen *screen)
{
    /* "user7" is the terminal's question for the cursor's position, a status report like this. */
    bool asks = screen->modern || equals(user7, "\033[6n");
    tt_pace_begin(&screen->pace, asks, tt_now_ns());
    if (asks) {
        fputs(STATUS_ASK, screen->out);
        fflush(screen->out);
    }
    tt_screen_send(screen, BACKGROUND_ASK SYNC_ASK);
    screen->answer_pending = screen->modern;
}

struct tt_status tt_screen_open(const struct tt_screen_options *options, struct tt_screen **out)
{
    char own[TERM_BYTES];
    struct tt_status status = check_terminal(STDOUT_FILENO, own);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_screen *screen = calloc(1, sizeof *screen);
    if (!screen) {
        return tt_error_memory();
    }
    memcpy(screen->undescribed, own, sizeof own);
    screen->out = stdout;
    screen->in = open_keys(&screen->owns_in);
    if (!screen->in) {
        status = tt_error_errno(errno, "open /dev/tty");
        free(screen);
        return status;
    }
    tcgetattr(STDOUT_FILENO, &screen->modes);
    screen->colors = options->colors;
    screen->color_limit = options->color_limit > 0 ? options->color_limit : INT_MAX;
    /* Armed before anything is sent, so that a crash right after it restores the terminal. */
    arm_reset(screen);
    TERMINAL *checked = cur_term;
    screen->curses = newterm(NULL, screen->out, screen->in);
    del_curterm(checked); /* newterm loads its own copy */
    if (!screen->curses || !set_modes(screen)) {
        if (screen->curses) {
            endwin();
            delscreen(screen->curses);
        }
        tt_signals_disarm();
        if (screen->owns_in) {
            fclose(screen->in);
        }
        free(screen);
        return tt_error(TT_ERR_USAGE, "cannot set up the terminal");
    }
    screen->modern = is_modern();
    arm_reset(screen);
    tcgetattr(fileno(screen->out), &screen->own_modes);
    keyok(KEY_MOUSE, FALSE); /* reports are parsed by reply.c: curses merges and drops some */
    define_key(PASTE_BEGIN, CODE_PASTE);
    define_key(PASTE_END, CODE_PASTE + 1);
    define_usual_keys();
    tt_screen_send(screen, PASTE_ON);
    ask_at_start(screen);
    tt_screen_use_mouse(screen, options->mouse);
    *out = screen;
    return tt_ok();
}

/* Clears the last line for the shell if the terminal has no alternate screen. */
static void leave_curses(void)
{
    if (!exit_ca_mode) {
        move(LINES - 1, 0);
        clrtoeol();
        refresh();
    }
    endwin();
}

/* Waits for pending answers, which would otherwise be typed into the shell. */
static void wait_for_answers(struct tt_screen *screen)
{
    uint64_t until = tt_screen_now_ms() + (screen->pace.answers ? SLOW_ANSWER_MS : ANSWER_MS);
    while (tt_screen_expects(screen) && tt_screen_now_ms() < until) {
        struct pollfd fd = {.fd = fileno(screen->in), .events = POLLIN};
        if (poll(&fd, 1, (int)(until - tt_screen_now_ms()) + 1) <= 0) {
            return;
        }
        if (tt_screen_key(screen) == TT_KEY_NONE && (fd.revents & POLLHUP)) {
            return;
        }
    }
}

/* Ends the modes that curses does not know. */
static void end_modes(struct tt_screen *screen)
{
    tt_screen_send(screen, PASTE_OFF);
    if (screen->mouse) {
        tt_screen_send(screen, MOUSE_OFF);
    }
}

void tt_screen_close(struct tt_screen *screen)
{
    if (screen) {
        wait_for_answers(screen);
        end_modes(screen);
        leave_curses();
        tt_signals_disarm();
        delwin(screen->keys);
        delscreen(screen->curses);
        if (screen->owns_in) {
            fclose(screen->in);
        }
        free(screen->sent);
        free(screen->cells);
        free(screen->row);
        free(screen);
    }
}

void tt_screen_leave(struct tt_screen *screen)
{
    wait_for_answers(screen);
    end_modes(screen);
    leave_curses();
    tt_signals_disarm();
}

/* Returns whether keys arrive, and text is shown, the same way in both modes. */
static bool modes_agree(const struct termios *modes, const struct termios *own)
{
    const tcflag_t local = ICANON | ECHO | ISIG | IEXTEN;
    const tcflag_t in = ICRNL | INLCR | IGNCR | IXON | ISTRIP;
    return ((modes->c_lflag ^ own->c_lflag) & local) == 0 &&
           ((modes->c_iflag ^ own->c_iflag) & in) == 0 &&
           ((modes->c_oflag ^ own->c_oflag) & OPOST) == 0 &&
           (modes->c_lflag & ICANON || modes->c_cc[VMIN] == own->c_cc[VMIN]);
}

bool tt_screen_keep_modes(struct tt_screen *screen)
{
    const int fd = fileno(screen->out);
    struct termios modes;
    if (tcgetattr(fd, &modes) != 0 || modes_agree(&modes, &screen->own_modes) ||
        tcgetpgrp(fd) != getpgrp()) { /* in the background, setting them would stop the program */
        return false;
    }
    if (modes.c_lflag & ICANON && modes.c_lflag & ECHO) {
        screen->modes = modes; /* those of the shell: what the other program found or left */
        def_shell_mode();
        arm_reset(screen);
    }
    reset_prog_mode();
    tcgetattr(fd, &screen->own_modes); /* a terminal may refuse some */
    return true;
}

void tt_screen_return(struct tt_screen *screen)
{
    reset_prog_mode();
    tt_screen_send(screen, PASTE_ON);
    if (screen->mouse) {
        tt_screen_send(screen, MOUSE_ON);
    }
    ask_at_start(screen); /* it may be another terminal */
    tt_screen_resize(screen);
    tt_screen_invalidate(screen);
    arm_reset(screen);
}

void tt_screen_invalidate(struct tt_screen *screen)
{
    char plain[TT_RESET_BYTES];
    if (!isendwin()) { /* some terminals keep the margins of the former size */
        fwrite(plain, 1, add_plain_drawing(plain, 0), screen->out);
        fflush(screen->out);
    }
    screen->redraws = true;
    clearok(curscr, TRUE);
}

void tt_screen_repaint(struct tt_screen *screen)
{
    char plain[TT_RESET_BYTES];
    /* The cursor is where curses left it, or elsewhere: curses moves it to the origin, and then it is there. */
    leaveok(stdscr, FALSE);
    move(0, 0);
    refresh();
    size_t used = add_plain_drawing(plain, 0);
    used = add_capability(plain, used, tparm(cursor_address, 0, 0));
    fwrite(plain, 1, used, screen->out);
    fflush(screen->out);
    screen->redraws = true;
    redrawwin(stdscr);
}

/* Reads the terminal's size; false if it is unknown. */
static bool read_size(const struct tt_screen *screen, struct winsize *size)
{
    return ioctl(fileno(screen->out), TIOCGWINSZ, size) == 0 && size->ws_row > 0 &&
           size->ws_col > 0;
}

bool tt_screen_is_resized(const struct tt_screen *screen)
{
    struct winsize size;
    int width, height;
    tt_screen_size(screen, &width, &height);
    return read_size(screen, &size) && (size.ws_col != width || size.ws_row != height);
}

void tt_screen_resize(struct tt_screen *screen)
{
    struct winsize size;
    if (read_size(screen, &size)) {
        resizeterm(size.ws_row, size.ws_col);
        /* Curses redraws for a new size only; intermediate sizes truncate the frame too. */
        tt_screen_invalidate(screen);
        arm_reset(screen);
    }
}

int tt_screen_fd(const struct tt_screen *screen)
{
    return fileno(screen->in);
}

int tt_screen_colors(const struct tt_screen *screen)
{
    return screen->colors;
}

void tt_screen_size(const struct tt_screen *screen, int *width, int *height)
{
    (void)screen;
    getmaxyx(stdscr, *height, *width);
}

void tt_screen_use_mouse(struct tt_screen *screen, bool use)
{
    use = use && screen->modern;
    if (use != screen->mouse) {
        tt_screen_send(screen, use ? MOUSE_ON : MOUSE_OFF);
    }
    screen->mouse = use;
    screen->press = (struct tt_mouse_press){0};
    arm_reset(screen);
}

void tt_screen_use_sync(struct tt_screen *screen, enum tt_sync sync)
{
    screen->sync = sync;
}

/* ---- clipboard ----------------------------------------------------------------------------- */

bool tt_screen_copy(struct tt_screen *screen, const char *text, size_t length)
{
    char *out = screen->modern ? malloc(TT_CLIPBOARD_BYTES(length)) : NULL;
    if (!out) {
        return false;
    }
    const char *term = getenv("TERM");
    enum tt_osc52_way way = TT_CLIPBOARD_PLAIN;
    if (getenv("TMUX") || (term && strncmp(term, "tmux", 4) == 0)) {
        way = TT_CLIPBOARD_TMUX;
    } else if (term && strncmp(term, "screen", 6) == 0) {
        way = TT_CLIPBOARD_SCREEN;
    }
    fwrite(out, 1, tt_osc52_write(way, text, length, out), screen->out);
    free(out);
    return fflush(screen->out) == 0;
}

const char *tt_screen_undescribed(const struct tt_screen *screen)
{
    return screen->undescribed[0] ? screen->undescribed : NULL;
}

const char *tt_screen_library(void)
{
    return curses_version();
}
