/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen: the terminal. The only part that knows curses.
 *
 * It takes the terminal when opened and puts it back when closed, suspended, or when the program
 * crashes (see signals.h). Of a grid only what has changed is sent: by strokes (see term/diff.h)
 * where the terminal takes them, else by curses. There is one screen at a time, and it belongs to
 * one thread.
 */
#ifndef TRACETUI_TUI_TERM_SCREEN_H
#define TRACETUI_TUI_TERM_SCREEN_H

#include "tracetui/status.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/term/keys.h"
#include "tui/term/sync.h"

struct tt_screen;

struct tt_screen_options {
    bool colors; /* use those that the terminal has */
    bool mouse;
    int most_colors; /* 0: as many as there are */
};

/* The library that draws, with its version. */
const char *tt_screen_library(void);

/* TT_ERR_USAGE for a terminal that cannot do it, saying what to set. */
struct tt_status tt_screen_open(const struct tt_screen_options *options, struct tt_screen **screen);
void tt_screen_close(struct tt_screen *screen);

/* The descriptor to poll for keys. */
int tt_screen_fd(const struct tt_screen *screen);
/* Colours that it uses; 0: none. */
int tt_screen_colors(const struct tt_screen *screen);
void tt_screen_size(const struct tt_screen *screen, int *width, int *height);
/* The next key that was typed, or TT_KEY_NONE. Does not wait. */
uint32_t tt_screen_key(struct tt_screen *screen);

struct tt_mouse {
    int x, y;
    int wheel;  /* -1 up, 1 down, 0 none */
    bool click; /* the first button went down */
};

/* What TT_KEY_MOUSE, the last key, was about. */
struct tt_mouse tt_screen_mouse(const struct tt_screen *screen);
void tt_screen_use_mouse(struct tt_screen *screen, bool use);

/*
 * Pictures are sent whole (mode 2026) where the terminal said that it can, where `on` or nowhere.
 */
void tt_screen_use_sync(struct tt_screen *screen, enum tt_sync sync);

void tt_screen_draw(struct tt_screen *screen, const struct tt_grid *grid,
                    const struct tt_theme *theme);
/* Forgets what the terminal shows: the next paint draws all of it. */
void tt_screen_forget(struct tt_screen *screen);
/* The terminal's size may have changed. */
void tt_screen_resize(struct tt_screen *screen);
/* Gives the terminal back for a while, and takes it again. */
void tt_screen_leave(struct tt_screen *screen);
void tt_screen_return(struct tt_screen *screen);
/* Puts a text on the terminal's clipboard (OSC 52); false where the terminal is not asked to. */
bool tt_screen_copy(struct tt_screen *screen, const char *text, size_t length);

#endif
