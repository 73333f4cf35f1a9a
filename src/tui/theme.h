/* SPDX-License-Identifier: Apache-2.0 */
/*
 * theme: what colours and glyphs the roles have. Views name roles, never colours.
 *
 * A theme is text, one line a role:
 *
 *      # a comment
 *      name = default
 *      background = dark
 *      cursor = 14 default bold          foreground, background, attributes
 *      glyph.cursor = "▌" ">"            with UTF-8, and without
 *
 * A colour is `default` (the terminal's own), one of the 16 names (black red green yellow blue
 * magenta cyan white, bright-...), a number 0..255, or #rrggbb, which becomes the nearest of the
 * 256. Attributes: bold dim underline reverse italic. What a theme leaves out is as in the
 * default theme, whose values stand in the tables below. Plain data; any thread.
 */
#ifndef TRACETUI_TUI_THEME_H
#define TRACETUI_TUI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

/* X(id, name in a theme, the default theme's style, what it is for) */
#define TT_ROLE_INFO(X)                                                                            \
    X(TT_ROLE_TEXT, "text", "default default", "everything else")                                  \
    X(TT_ROLE_DIM, "dim", "default default dim", "what matters less")                              \
    X(TT_ROLE_TITLE, "title", "default default bold", "headings and names")                        \
    X(TT_ROLE_HEADER, "header", "default default reverse", "the line on top")                      \
    X(TT_ROLE_TAB, "header.tab", "default default bold,reverse", "the view that is shown")         \
    X(TT_ROLE_COLUMNS, "columns", "cyan default", "heads of columns")                              \
    X(TT_ROLE_STATUS, "status", "default default", "the status line")                              \
    X(TT_ROLE_PROGRESS, "progress", "yellow default", "work that goes on")                         \
    X(TT_ROLE_FOOTER, "footer", "default default dim", "what the keys do")                         \
    X(TT_ROLE_KEY, "key", "cyan default", "names of keys")                                         \
    X(TT_ROLE_PROMPT, "prompt", "default default bold", "the line that is typed")                  \
    X(TT_ROLE_ERROR, "error", "red default bold", "what went wrong")                               \
    X(TT_ROLE_WARNING, "warning", "yellow default", "what is damaged or lost")                     \
    X(TT_ROLE_CURSOR, "cursor", "default default bold", "laid over the cursor's line")             \
    X(TT_ROLE_CURSOR_MARK, "cursor.mark", "cyan default bold", "the mark left of it")              \
    X(TT_ROLE_MARK, "mark", "magenta default bold", "marks set by the person")                     \
    X(TT_ROLE_TIME, "time", "default default", "times")                                            \
    X(TT_ROLE_DELTA, "delta", "default default dim", "time since the event before")                \
    X(TT_ROLE_CPU, "cpu", "default default", "numbers of CPUs")                                    \
    X(TT_ROLE_THREAD, "thread", "default default", "threads that the capture names")               \
    X(TT_ROLE_INFERRED, "thread.inferred", "default default dim", "threads that are inferred")     \
    X(TT_ROLE_EVENT, "event", "default default", "events of no other sort")                        \
    X(TT_ROLE_EVENT_STATE, "event.state", "green default", "states, switches, wakeups")            \
    X(TT_ROLE_EVENT_CALL, "event.call", "blue default", "calls, slices")                           \
    X(TT_ROLE_EVENT_MESSAGE, "event.message", "cyan default", "messages, flows")                   \
    X(TT_ROLE_EVENT_INTERRUPT, "event.interrupt", "red default", "interrupts")                     \
    X(TT_ROLE_EVENT_USER, "event.user", "magenta default", "the program's own, logs")              \
    X(TT_ROLE_EVENT_CONTROL, "event.control", "default default dim", "about the trace itself")     \
    X(TT_ROLE_ARGUMENTS, "arguments", "default default", "arguments of an event")                  \
    X(TT_ROLE_LINE, "line", "default default dim", "lines between parts of the screen")            \
    X(TT_ROLE_FIELD, "field", "default default reverse", "the field that is chosen")               \
    X(TT_ROLE_HEX, "hex", "default default dim", "bytes of the file")                              \
    X(TT_ROLE_HEX_LIT, "hex.field", "default default bold", "the chosen field's bytes")

enum tt_role {
#define X(id, name, style, help) id,
    TT_ROLE_INFO(X)
#undef X
        TT_ROLE_COUNT
};

/* X(id, name after "glyph.", with UTF-8, without, what it is for); each is one column wide */
#define TT_GLYPH_INFO(X)                                                                           \
    X(TT_GLYPH_CURSOR, "cursor", "▌", ">", "left of the cursor's line")                            \
    X(TT_GLYPH_LOST, "lost", "!", "!", "left of an event before which records are missing")        \
    X(TT_GLYPH_INFERRED, "inferred", "~", "~", "before a thread that is inferred")                 \
    X(TT_GLYPH_EXIT, "exit", "<", "<", "before the end of a call")                                 \
    X(TT_GLYPH_ELLIPSIS, "ellipsis", "…", ">", "where a text was cut")                             \
    X(TT_GLYPH_LINE, "line", "─", "-", "lines between parts of the screen")                        \
    X(TT_GLYPH_MICRO, "micro", "µ", "u", "in µs")                                                  \
    X(TT_GLYPH_DELTA, "delta", "Δ", "d", "time since the event before")                            \
    X(TT_GLYPH_CHOSEN, "chosen", "✓", "x", "something that is switched on")                        \
    X(TT_GLYPH_UP, "up", "↑", "^", "sorted upwards")                                               \
    X(TT_GLYPH_DOWN, "down", "↓", "v", "sorted downwards")

enum tt_glyph {
#define X(id, name, utf8, ascii, help) id,
    TT_GLYPH_INFO(X)
#undef X
        TT_GLYPH_COUNT
};

#define TT_COLOR_DEFAULT (-1)

enum tt_attr {
    TT_ATTR_BOLD = 1 << 0,
    TT_ATTR_DIM = 1 << 1,
    TT_ATTR_UNDERLINE = 1 << 2,
    TT_ATTR_REVERSE = 1 << 3,
    TT_ATTR_ITALIC = 1 << 4,
};

struct tt_look {
    int16_t fg; /* 0..255 or TT_COLOR_DEFAULT */
    int16_t bg;
    uint8_t attrs; /* enum tt_attr */
};

struct tt_theme {
    char name[32];
    bool light; /* made for a light background */
    struct tt_look looks[TT_ROLE_COUNT];
    uint32_t glyphs[TT_GLYPH_COUNT][2]; /* with UTF-8, without */
};

const char *tt_role_name(unsigned role);
const char *tt_glyph_name(unsigned glyph);

/* The tables as the page docs/themes.md. */
struct tt_text;
void tt_theme_page(struct tt_text *text);

/* The default theme, as the tables above have it. */
void tt_theme_default(struct tt_theme *theme);

/*
 * Takes the lines of a theme over what `theme` holds. On an error the status says
 * "FILE:LINE:COLUMN: what is wrong" and the theme is as before.
 */
struct tt_status tt_theme_parse(struct tt_theme *theme, const char *file, const char *text,
                                size_t length);
/*
 * Starts from the default theme and loads `name`: a path when it has a slash; else NAME.theme
 * of the person's own ($XDG_CONFIG_HOME/tracetui/themes), else one of those built in.
 */
struct tt_status tt_theme_load(struct tt_theme *theme, const char *name);

/* The look of a role with another laid over it: the upper one's colours win where it has any. */
struct tt_look tt_theme_look(const struct tt_theme *theme, unsigned role, unsigned over);
uint32_t tt_theme_glyph(const struct tt_theme *theme, unsigned glyph, bool ascii);

#endif
