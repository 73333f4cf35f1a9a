/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen: controls the terminal. The only module that uses curses.
 *
 * Sets up the terminal when opened and restores it when closed, suspended, or when the program
 * crashes (see signals.h). Curses sends the difference from the shown frame (doupdate). There is one
 * screen at a time, and it belongs to one thread.
 */
#ifndef TRACETUI_TUI_TERM_SCREEN_H
#define TRACETUI_TUI_TERM_SCREEN_H

#include "tracetui/status.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/term/pace.h"
#include "tui/term/sync.h"

struct tt_screen;

struct tt_screen_options {
    bool colors; /* use the terminal's colours */
    bool mouse;
    int color_limit; /* upper limit; 0: unlimited */
};

/* Returns the name and version of the curses library. */
const char *tt_screen_library(void);

/* Returns the number of colours of the terminal at `fd`; 0: none, unknown, or not a terminal. */
int tt_screen_colors_of(int fd);

/* Takes the terminal. TT_ERR_USAGE if it is unsuitable; the message names the remedy. */
struct tt_status tt_screen_open(const struct tt_screen_options *options, struct tt_screen **screen);
void tt_screen_close(struct tt_screen *screen);
/* Returns the value of TERM, which has no description, if that of xterm-256color is used; else NULL. */
const char *tt_screen_undescribed(const struct tt_screen *screen);

/* Returns the descriptor to poll for keys. */
int tt_screen_fd(const struct tt_screen *screen);
/* Returns the number of colours in use; 0: none. */
int tt_screen_colors(const struct tt_screen *screen);
void tt_screen_size(const struct tt_screen *screen, int *width, int *height);
/* Returns the next key, or TT_KEY_NONE. Does not block. */
uint32_t tt_screen_key(struct tt_screen *screen);
/* Returns the milliseconds until tt_screen_key may have a key without further input; -1: never. */
int tt_screen_timeout(const struct tt_screen *screen);

/* Returns the mouse event of the last key, which was TT_KEY_MOUSE. */
struct tt_mouse tt_screen_mouse(const struct tt_screen *screen);
/* Requests reports of the mouse (modes 1002 and 1006), or ends them. */
void tt_screen_use_mouse(struct tt_screen *screen, bool use);

/* Returns the background that the terminal has reported; NULL: none so far. */
const struct tt_background *tt_screen_background(const struct tt_screen *screen);

/*
 * Sets whether frames are sent as synchronized output (mode 2026): if the terminal reports support,
 * always, or never.
 */
void tt_screen_use_sync(struct tt_screen *screen, enum tt_sync sync);

/*
 * Draws the frame, and may request an answer of the terminal after it. Returns false if only a part
 * was sent: keys arrived, or the line is slow and the frame is not for a key. The next draw
 * continues.
 */
bool tt_screen_draw(struct tt_screen *screen, const struct tt_grid *grid,
                    const struct tt_theme *theme, enum tt_pace_reason reason);
/* Sets the maximum number of frames per second that are not drawn for a key. */
void tt_screen_use_rate(struct tt_screen *screen, unsigned rate);
/* Returns whether a frame takes long on the line to the terminal, or the terminal does not answer. */
bool tt_screen_is_slow(const struct tt_screen *screen);
/* Returns the nanoseconds until the next frame may be drawn, see pace.h. */
uint64_t tt_screen_wait(const struct tt_screen *screen, enum tt_pace_reason reason);
/* Invalidates the shown frame: the next draw sends all of it. */
void tt_screen_invalidate(struct tt_screen *screen);
/* Makes the next draw send all of the frame without clearing the terminal, which does not flicker. */
void tt_screen_repaint(struct tt_screen *screen);
/* Handles a possible change of the terminal's size. */
void tt_screen_resize(struct tt_screen *screen);
/* Returns whether the terminal's size differs from the one of tt_screen_size. */
bool tt_screen_is_resized(const struct tt_screen *screen);
/* Restores the terminal temporarily, and takes it again. */
void tt_screen_leave(struct tt_screen *screen);
void tt_screen_return(struct tt_screen *screen);
/*
 * Sets the program's modes again if another program has changed them, such as one in the same pipeline
 * that restores the modes it found. Returns true then: the terminal may have shown keys as they were
 * typed. Costs a system call.
 */
bool tt_screen_keep_modes(struct tt_screen *screen);
/* Copies a text to the terminal's clipboard (OSC 52); false if it was not sent. */
bool tt_screen_copy(struct tt_screen *screen, const char *text, size_t length);

#endif
