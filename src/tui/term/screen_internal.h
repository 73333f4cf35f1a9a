/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_internal: the screen's state, shared by the screen*.c files, which alone use curses.
 *
 * Define _XOPEN_SOURCE 700 before including any header.
 */
#ifndef TRACETUI_TUI_TERM_SCREEN_INTERNAL_H
#define TRACETUI_TUI_TERM_SCREEN_INTERNAL_H

#include "tui/term/screen.h"

#include <curses.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>

#include "tui/term/mouse.h"
#include "tui/term/pace.h"
#include "tui/term/reply.h"

#define TERM_BYTES 64            /* of the value of TERM */
#define CODE_PASTE (KEY_MAX + 1) /* key code of a paste's begin; its end is the next code */
/* The terminal displays everything between the two at once (see screen.c). */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"
/*
 * Reports of the mouse: presses, releases and motion with a button pressed (1002; 1000 for terminals
 * without it), in decimal numbers (1006).
 */
#define MOUSE_ON  "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"
/* A status report (DSR): the terminal answers when it has handled everything before it. */
#define STATUS_ASK "\033[5n"

/* A cell as the terminal shows it. */
struct tt_screen_cell {
    uint32_t ch;   /* code point; 0: the right half of a wide character; UINT32_MAX: unknown */
    uint32_t mark; /* combining mark, or 0 */
    struct tt_cell_style style;
};

struct tt_screen {
    SCREEN *curses;
    FILE *in, *out;
    bool owns_in;
    struct termios modes;         /* terminal modes to restore: those before tt_screen_open */
    struct termios own_modes;     /* those of the program */
    char undescribed[TERM_BYTES]; /* TERM, if another terminal's description is used; else empty */
    int colors;                   /* 0: monochrome */
    int color_limit;
    bool modern; /* handles or ignores sequences unknown to terminfo */
    enum tt_sync sync;
    bool can_sync;       /* the terminal reported support */
    bool answer_pending; /* the terminal's answer is pending */
    bool in_sequence;
    uint64_t sequence_ms; /* time of its last byte */
    struct tt_reply_reader reader;
    uint64_t escape_ms; /* time of an Esc that may begin an answer; 0: none */
    struct tt_pace pace;
    int next_row;       /* the row after the part of the last frame that was sent */
    int rows_left;      /* rows of the frame of a key that are not sent yet */
    bool mouse;         /* reports are requested */
    bool mouse_arrived; /* `last_mouse` is not returned as a key yet */
    struct tt_mouse last_mouse;
    struct tt_mouse_press press;
    bool has_background;
    struct tt_background background;
    wint_t held; /* pending key that followed an Esc; 0: none */
    bool held_is_key;
    WINDOW *keys; /* window for reading keys, so that reading never draws */
    bool hides_cursor;
    bool redraws; /* the next frame is sent as a whole: the terminal may show anything */
    struct tt_screen_cell *sent;  /* the frame that was passed to curses */
    struct tt_screen_cell *cells; /* the next one */
    cchar_t *row;                 /* buffer for one line of curses cells */
    int width, height;            /* of `sent` and `cells` */
};

/* Writes a sequence unknown to terminfo, if the terminal is modern. */
void tt_screen_send(struct tt_screen *screen, const char *text);

/* Returns true while an answer of the terminal is expected. */
static inline bool tt_screen_expects(const struct tt_screen *screen)
{
    return screen->answer_pending || screen->pace.pending > 0;
}

static inline uint64_t tt_screen_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#endif
