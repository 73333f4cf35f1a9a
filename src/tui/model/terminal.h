/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal: the terminal's side of the program, without a terminal: what is drawn with (theme,
 * glyphs, colours), what is drawn into (the grid), which keys are bound, and what the terminal is
 * asked to do. The event loop carries the requests out; `render` prints the grid. One thread.
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

/* What a frame works out at once takes TT_FRAME_NS together; what is left comes with later ones. */
#define TT_FRAME_NS UINT64_C(2000000)

/* In the order of the setting "glyphs". */
enum tt_glyph_set {
    TT_GLYPHS_AUTO, /* as the locale has them */
    TT_GLYPHS_UTF8,
    TT_GLYPHS_ASCII
};

/* What the terminal is asked to do. */
struct tt_terminal_requests {
    bool quit;
    bool redraw;
    bool suspend;
    bool mouse;        /* turn it on or off */
    enum tt_sync sync; /* lasts */
    bool copy;         /* copy_text[0..copy_length) to the clipboard */
    size_t copy_length;
    char copy_text[4096];
};

struct tt_terminal {
    struct tt_theme theme;
    struct tt_keymap keymap;
    struct tt_grid grid;
    struct tt_area body; /* the view's part of the grid, see tt_app_layout */
    enum tt_glyph_set glyphs;
    bool ascii_locale; /* the locale has nothing but ASCII */
    bool has_colors;   /* the terminal has colours, and they are used */
    bool colored;      /* states differ by colour: glyphs are free to show more */
    bool mouse_on;
    uint64_t frame_ends; /* when the current frame has taken its time, see tt_term_share */
    struct tt_terminal_requests requests;
};

/* Loads another theme; on an error the old one stays. */
struct tt_status tt_term_theme(struct tt_terminal *term, const char *name);
/* Chooses the glyphs by theme, locale and setting. */
void tt_term_use_glyphs(struct tt_terminal *term);
uint32_t tt_term_glyph(const struct tt_terminal *term, enum tt_glyph glyph);
/*
 * Highlights the cursor's line of a table: all of it where the theme's cursor is a bar, else its
 * first `name` columns, which is seen as well and takes a third of the bytes.
 */
void tt_term_draw_cursor(const struct tt_terminal *term, struct tt_area line, int name);
/*
 * Returns until when something of a frame may be worked out at once, before the rest is left for
 * later: one n-th of the time that the frame has left (tt_now_ns).
 */
uint64_t tt_term_share(const struct tt_terminal *term, unsigned n);

#endif
