/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal: the terminal-related state, independent of a real terminal: theme, glyphs, colours, the
 * grid, the key bindings, and the requests to the terminal. The event loop carries out the
 * requests; `render` prints the grid. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_TERMINAL_H
#define TRACETUI_TUI_MODEL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/input/actions.h"
#include "tui/term/sync.h"

/* Time budget for the work done within one frame; later frames continue the rest. */
#define TT_FRAME_NS UINT64_C(600000)

/* In the order of the setting "glyphs". */
enum tt_glyph_set {
    TT_GLYPHS_AUTO, /* chosen by the locale */
    TT_GLYPHS_UTF8,
    TT_GLYPHS_ASCII
};

/* In the order of the setting "background". */
enum tt_background_choice {
    TT_BACKGROUND_AUTO, /* the background that the terminal reports; none if it reports none */
    TT_BACKGROUND_DARK,
    TT_BACKGROUND_LIGHT
};

/* Requests to the terminal. */
struct tt_terminal_requests {
    bool quit;
    bool redraw;
    bool suspend;
    bool mouse;          /* turn mouse reporting on or off */
    enum tt_sync sync;   /* stays set */
    unsigned frame_rate; /* stays set: maximum frames per second without a key */
    bool copy;           /* copy_text[0..copy_length) to the clipboard */
    size_t copy_length;
    char copy_text[4096];
};

#define TT_THEME_FROM 1024

struct tt_terminal {
    struct tt_theme theme;
    char theme_from[TT_THEME_FROM]; /* its name or path, as given */
    struct tt_keymap keymap;
    struct tt_grid grid;
    struct tt_area body; /* the view's part of the grid, see tt_app_layout */
    enum tt_glyph_set glyphs;
    bool ascii_locale; /* the locale is ASCII only */
    bool has_colors;   /* the terminal has colours and they are enabled */
    bool colored;      /* colours distinguish states, so glyphs can show something else */
    bool mouse_on;
    enum tt_background_choice background;
    struct tt_background reported; /* by the terminal */
    bool has_reported;
    bool greys;          /* the terminal has 256 colours */
    uint64_t frame_ends; /* when the current frame's budget is used up, see tt_term_share */
    bool patient; /* a script is played: what a key reports is complete, see tt_term_report */
    struct tt_terminal_requests requests;
};

/* Loads another theme; keeps the old one on error. */
struct tt_status tt_term_theme(struct tt_terminal *term, const char *name);
/* Sets the backgrounds of cursor and selection in the theme by setting, report and colours. */
void tt_term_use_background(struct tt_terminal *term);
/* Chooses the glyphs by theme, locale and setting. */
void tt_term_use_glyphs(struct tt_terminal *term);
uint32_t tt_term_glyph(const struct tt_terminal *term, enum tt_glyph glyph);
/*
 * Highlights the cursor's line of a table: the whole line if the theme's cursor is a bar, else its
 * first `name` columns, which are as visible at a third of the bytes.
 */
void tt_term_draw_cursor(const struct tt_terminal *term, struct tt_area line, int name);
/*
 * Returns the deadline (tt_now_ns) for one part of a frame's work, after which the rest is left for
 * later frames: one n-th of the frame's remaining time from now.
 */
uint64_t tt_term_share(const struct tt_terminal *term, unsigned n);
/* Returns the deadline for work of `ns` on what a key reports; never in a script. */
uint64_t tt_term_report(const struct tt_terminal *term, uint64_t ns);

#endif
