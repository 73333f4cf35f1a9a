/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_parts: what the files of the screen share: its state. They alone know curses.
 *
 * Whoever includes this defines what it needs of the system before anything else.
 */
#ifndef TRACETUI_TUI_TERM_SCREEN_INTERNAL_H
#define TRACETUI_TUI_TERM_SCREEN_INTERNAL_H

#include "tui/term/screen.h"

#include <curses.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>

#include "tui/term/diff.h"

#define PAIR_LIMIT   256
#define CODE_PASTE   (KEY_MAX + 1) /* curses' number of a paste's begin; its end is the next one */
#define SEQUENCE_MAX 32
/* The terminal shows what stands between the two at once (see screen.c). */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"

struct color_pair {
    int16_t fg, bg;
};

struct tt_screen {
    SCREEN *curses;
    FILE *in, *out;
    bool own_in;
    struct termios modes; /* as we found them */
    int colors;           /* 0: none are used */
    int most_colors;
    struct color_pair pairs[PAIR_LIMIT]; /* pair 0 is the terminal's own */
    int pair_count;
    bool modern; /* understands what came after terminfo, or leaves it alone */
    enum tt_sync sync;
    bool can_sync; /* the terminal said so */
    bool asked;    /* and its answer is still to come */
    bool in_sequence;
    uint64_t sequence_ms; /* when the last of it came */
    size_t sequence_length;
    char sequence[SEQUENCE_MAX];
    bool mouse;
    struct tt_mouse last_mouse;
    wint_t held; /* a key that came behind an Esc and waits; 0: none */
    bool held_is_key;
    cchar_t *row; /* one line of cells on its way to curses */
    int row_capacity;
    WINDOW *keys;      /* where keys are read: reading them draws nothing */
    bool strokes_suit; /* the terminal takes them as they are; else curses draws */
    bool hides_cursor;
    bool forgotten; /* what it shows is not what the strokes believe */
    struct tt_diff strokes;
};

/* Writes something that came after terminfo, where the terminal has an idea of it. */
void tt_screen_tell(struct tt_screen *screen, const char *text);

static inline uint64_t tt_screen_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#endif
