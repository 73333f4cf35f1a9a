/* SPDX-License-Identifier: Apache-2.0 */
/*
 * theme: the colours and glyphs of roles. Views name roles, never colours.
 *
 * A theme is a text file with one role per line:
 *
 *      # a comment
 *      name = default
 *      background = dark
 *      cursor = 14 default bold          foreground, background, attributes
 *      glyph.cursor = "▌" ">"            with UTF-8, and without
 *
 * A colour is `default` (the terminal's own), one of the 16 names (black red green yellow blue
 * magenta cyan white, bright-...), a number 0..255, or #rrggbb, which becomes the nearest of the
 * 256. Attributes: bold dim underline reverse italic. Roles and glyphs that a theme
 * omits keep the default theme's values, listed in the tables below. Plain data; any thread.
 */
#ifndef TRACETUI_TUI_DRAW_THEME_H
#define TRACETUI_TUI_DRAW_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

/* X(id, name in a theme, the default theme's style, purpose) */
#define TT_ROLE_INFO(X)                                                                            \
    X(TT_ROLE_TEXT, "text", "default default", "everything else")                                  \
    X(TT_ROLE_DIM, "dim", "default default dim", "secondary text")                                 \
    X(TT_ROLE_TITLE, "title", "default default bold", "headings and names")                        \
    X(TT_ROLE_HEADER, "header", "default default reverse", "the top line")                         \
    X(TT_ROLE_TAB, "header.tab", "default default bold,reverse", "the current view")               \
    X(TT_ROLE_COLUMNS, "columns", "cyan default", "column headings")                               \
    X(TT_ROLE_STATUS, "status", "default default", "the status line")                              \
    X(TT_ROLE_PROGRESS, "progress", "yellow default", "running work")                              \
    X(TT_ROLE_FOOTER, "footer", "default default dim", "descriptions of keys")                     \
    X(TT_ROLE_KEY, "key", "cyan default", "names of keys")                                         \
    X(TT_ROLE_PROMPT, "prompt", "default default bold", "the prompt")                              \
    X(TT_ROLE_ERROR, "error", "red default bold", "errors")                                        \
    X(TT_ROLE_WARNING, "warning", "yellow default", "damage and losses")                           \
    X(TT_ROLE_CURSOR, "cursor", "default default bold", "the cursor's line (overlay)")             \
    X(TT_ROLE_CURSOR_MARK, "cursor.mark", "cyan default bold", "the mark left of the cursor")      \
    X(TT_ROLE_MATCH, "match", "black yellow", "search matches (overlay)")                          \
    X(TT_ROLE_HIGHLIGHT, "highlight", "default default reverse",                                   \
      "lines highlighted by a filter (overlay)")                                                   \
    X(TT_ROLE_MARK, "mark", "magenta default bold", "marks set by the user")                       \
    X(TT_ROLE_TIME, "time", "default default", "times")                                            \
    X(TT_ROLE_DELTA, "delta", "default default dim", "time since the previous event")              \
    X(TT_ROLE_CPU, "cpu", "default default", "numbers of CPUs")                                    \
    X(TT_ROLE_THREAD, "thread", "default default", "recorded threads")                             \
    X(TT_ROLE_INFERRED, "thread.inferred", "default default dim", "inferred threads")              \
    X(TT_ROLE_EVENT, "event", "default default", "all other events")                               \
    X(TT_ROLE_EVENT_STATE, "event.state", "green default", "states, switches, wakeups")            \
    X(TT_ROLE_EVENT_CALL, "event.call", "blue default", "calls, slices")                           \
    X(TT_ROLE_EVENT_MESSAGE, "event.message", "cyan default", "messages, flows")                   \
    X(TT_ROLE_EVENT_INTERRUPT, "event.interrupt", "red default", "interrupts")                     \
    X(TT_ROLE_EVENT_USER, "event.user", "magenta default", "user events, logs")                    \
    X(TT_ROLE_EVENT_CONTROL, "event.control", "default default dim", "about the trace itself")     \
    X(TT_ROLE_ARGUMENTS, "arguments", "default default", "arguments of an event")                  \
    X(TT_ROLE_LINE, "line", "default default dim", "lines between parts of the screen")            \
    X(TT_ROLE_FIELD, "field", "default default reverse", "the selected field")                     \
    X(TT_ROLE_HEX, "hex", "default default dim", "bytes of the file")                              \
    X(TT_ROLE_HEX_FIELD, "hex.field", "default default bold", "bytes of the selected field")       \
    X(TT_ROLE_RUNNING, "state.running", "green default", "a thread that runs")                     \
    X(TT_ROLE_READY, "state.ready", "bright-yellow default", "a thread that waits for a CPU")      \
    X(TT_ROLE_IPC, "state.ipc", "cyan default", "a thread that waits for messages")                \
    X(TT_ROLE_LOCK, "state.lock", "red default", "a thread that waits for a lock")                 \
    X(TT_ROLE_CONDITION, "state.condition", "bright-cyan default",                                 \
      "a thread that waits for a signal: a condition variable, a semaphore")                       \
    X(TT_ROLE_SLEEP, "state.sleep", "bright-blue default", "a thread that sleeps")                 \
    X(TT_ROLE_WAIT, "state.wait", "blue default", "a thread that waits for something else")        \
    X(TT_ROLE_STOPPED, "state.stopped", "magenta default", "a stopped thread")                     \
    X(TT_ROLE_DEAD, "state.dead", "bright-black default", "a terminated thread")                   \
    X(TT_ROLE_UNKNOWN, "state.unknown", "default default dim", "unknown state")                    \
    X(TT_ROLE_READY_BEHIND, "state.ready.behind", "default yellow",                                \
      "ready beside running in a column (overlay)")                                                \
    X(TT_ROLE_LOCK_BEHIND, "state.lock.behind", "default red",                                     \
      "a lock beside running in a column (overlay)")                                               \
    X(TT_ROLE_IPC_BEHIND, "state.ipc.behind", "default default",                                   \
      "waiting for messages behind a bar; a shade of its colour unless it has one (overlay)")      \
    X(TT_ROLE_CONDITION_BEHIND, "state.condition.behind", "default default",                       \
      "waiting for a signal behind a bar (overlay)")                                               \
    X(TT_ROLE_SLEEP_BEHIND, "state.sleep.behind", "default default",                               \
      "sleeping behind a bar (overlay)")                                                           \
    X(TT_ROLE_WAIT_BEHIND, "state.wait.behind", "default default",                                 \
      "waiting for something else behind a bar (overlay)")                                         \
    X(TT_ROLE_LOAD, "load", "blue default", "load of the CPUs")                                    \
    X(TT_ROLE_SHOWN, "load.shown", "cyan default", "load of the visible range (overlay)")          \
    X(TT_ROLE_CPU_1, "cpu.thread.1", "green default",                                              \
      "a thread on a CPU; its colour depends on its pid and tid")                                  \
    X(TT_ROLE_CPU_2, "cpu.thread.2", "cyan default", "other threads")                              \
    X(TT_ROLE_CPU_3, "cpu.thread.3", "blue default", "other threads")                              \
    X(TT_ROLE_CPU_4, "cpu.thread.4", "magenta default", "other threads")                           \
    X(TT_ROLE_CPU_5, "cpu.thread.5", "bright-green default", "other threads")                      \
    X(TT_ROLE_CPU_6, "cpu.thread.6", "bright-cyan default", "other threads")                       \
    X(TT_ROLE_CPU_7, "cpu.thread.7", "bright-blue default", "other threads")                       \
    X(TT_ROLE_CPU_8, "cpu.thread.8", "bright-magenta default", "other threads")                    \
    X(TT_ROLE_CPU_SELECTED, "cpu.selected", "default default bold",                                \
      "the selected thread on a CPU")                                                              \
    X(TT_ROLE_CPU_NAME, "cpu.name", "default default reverse", "a thread's name (overlay)")        \
    X(TT_ROLE_CPU_IDLE, "cpu.idle", "default default dim", "an idle CPU")                          \
    X(TT_ROLE_CPU_KERNEL, "cpu.kernel", "yellow default", "a CPU in the kernel")                   \
    X(TT_ROLE_CPU_IRQ, "cpu.irq", "red default", "a CPU in interrupts")                            \
    X(TT_ROLE_SLICE, "slice", "blue default", "a slice: a duration reported by a program")         \
    X(TT_ROLE_SLICE_OTHER, "slice.other", "magenta default", "slices of every other name")         \
    X(TT_ROLE_COUNTER, "counter", "yellow default", "the value of a counter")                      \
    X(TT_ROLE_COUNTER_MANY, "counter.many", "yellow default bold", "several values of a counter")  \
    X(TT_ROLE_LOST, "lost", "red default bold", "where records were lost")                         \
    X(TT_ROLE_AXIS, "axis", "cyan default", "the time axis")                                       \
    X(TT_ROLE_PARTNER, "lane.partner", "black cyan", "ends of the message at the cursor")          \
    X(TT_ROLE_LANE_CURSOR, "lane.cursor", "cyan default reverse", "the cursor's column (overlay)") \
    X(TT_ROLE_OWN_EVENT, "lane.event", "default default bold", "user events on a lane (overlay)")  \
    X(TT_ROLE_ON_PATH, "lane.path", "default default bold", "the path of Why on a lane (overlay)") \
    X(TT_ROLE_OFF_PATH, "lane.off", "default default dim", "the rest of a lane in Why (overlay)")  \
    X(TT_ROLE_LANE_CURRENT, "lane.current", "default default",                                     \
      "the lane of the selected thread (overlay)")                                                 \
    X(TT_ROLE_SELECTION, "selection", "default default underline", "the selection (overlay)")

enum tt_role {
#define X(id, name, style, help) id,
    TT_ROLE_INFO(X)
#undef X
        TT_ROLE_COUNT
};

/* X(id, name after "glyph.", UTF-8 glyph, ASCII glyph, purpose); each is one column wide */
#define TT_GLYPH_INFO(X)                                                                           \
    X(TT_GLYPH_CURSOR, "cursor", "▌", ">", "left of the cursor's line")                            \
    X(TT_GLYPH_LOST, "lost", "!", "!", "left of an event before which records are missing")        \
    X(TT_GLYPH_INFERRED, "inferred", "~", "~", "before a thread that is inferred")                 \
    X(TT_GLYPH_EXIT, "exit", "<", "<", "before the end of a call")                                 \
    X(TT_GLYPH_ELLIPSIS, "ellipsis", "…", ">", "where a text was cut")                             \
    X(TT_GLYPH_LINE, "line", "─", "-", "lines between parts of the screen")                        \
    X(TT_GLYPH_MICRO, "micro", "µ", "u", "in µs")                                                  \
    X(TT_GLYPH_DELTA, "delta", "Δ", "d", "time since the previous event")                          \
    X(TT_GLYPH_CHOSEN, "chosen", "✓", "x", "something that is switched on")                        \
    X(TT_GLYPH_UP, "up", "↑", "^", "sorted upwards")                                               \
    X(TT_GLYPH_DOWN, "down", "↓", "v", "sorted downwards")                                         \
    X(TT_GLYPH_SEND, "send", "→", ">", "a message is sent or received")                            \
    X(TT_GLYPH_REPLY, "reply", "←", "<", "a message is answered, or its client runs again")        \
    X(TT_GLYPH_RUNNING, "running", "█", "#", "runs")                                               \
    X(TT_GLYPH_RUNNING_MANY, "running.many", "▓", "%", "runs, and much else inside")               \
    X(TT_GLYPH_READY, "ready", "▒", "=", "is ready")                                               \
    X(TT_GLYPH_READY_MANY, "ready.many", "░", "&", "is ready, and much else inside")               \
    X(TT_GLYPH_IPC, "ipc", "─", "-", "waits for messages")                                         \
    X(TT_GLYPH_IPC_MANY, "ipc.many", "┼", "+", "waits for messages, and much else inside")         \
    X(TT_GLYPH_LOCK, "lock", "x", "x", "waits for a lock")                                         \
    X(TT_GLYPH_LOCK_MANY, "lock.many", "X", "X", "waits for a lock, and much else inside")         \
    X(TT_GLYPH_CONDITION, "condition", "c", "c", "waits for a signal")                             \
    X(TT_GLYPH_CONDITION_MANY, "condition.many", "C", "C",                                         \
      "waits for a signal, and much else inside")                                                  \
    X(TT_GLYPH_SLEEP, "sleep", "·", ".", "sleeps")                                                 \
    X(TT_GLYPH_SLEEP_MANY, "sleep.many", "•", ":", "sleeps, and much else inside")                 \
    X(TT_GLYPH_WAIT, "wait", "w", "w", "waits for something else")                                 \
    X(TT_GLYPH_WAIT_MANY, "wait.many", "W", "W", "waits for something else, and much else inside") \
    X(TT_GLYPH_STOPPED, "stopped", "s", "s", "is stopped")                                         \
    X(TT_GLYPH_STOPPED_MANY, "stopped.many", "S", "S", "is stopped, and much else inside")         \
    X(TT_GLYPH_DEAD, "dead", "_", "_", "has ended")                                                \
    X(TT_GLYPH_DEAD_MANY, "dead.many", "_", "_", "has ended, and much else inside")                \
    X(TT_GLYPH_UNKNOWN, "unknown", "?", "?", "no data")                                            \
    X(TT_GLYPH_UNKNOWN_MANY, "unknown.many", "?", "?", "nothing is known, and much else inside")   \
    X(TT_GLYPH_OFF, "off", "~", "~", "off the CPU; the reason is not recorded")                    \
    X(TT_GLYPH_OFF_MANY, "off.many", "≈", "~", "off the CPU, and much else inside")                \
    X(TT_GLYPH_IDLE, "idle", "·", ".", "an idle CPU")                                              \
    X(TT_GLYPH_IDLE_MANY, "idle.many", "•", ":", "an idle CPU, and much else inside")              \
    X(TT_GLYPH_KERNEL, "kernel", "k", "k", "a CPU in the kernel")                                  \
    X(TT_GLYPH_IRQ, "irq", "i", "i", "a CPU in interrupts")                                        \
    X(TT_GLYPH_BUSY, "busy", "█", "#", "a CPU that runs a thread")                                 \
    X(TT_GLYPH_BUSY_MANY, "busy.many", "▓", "%", "a CPU that runs several threads")                \
    X(TT_GLYPH_BAR_1, "bar.1", "▁", "1", "an eighth")                                              \
    X(TT_GLYPH_BAR_2, "bar.2", "▂", "2", "two eighths")                                            \
    X(TT_GLYPH_BAR_3, "bar.3", "▃", "3", "three eighths")                                          \
    X(TT_GLYPH_BAR_4, "bar.4", "▄", "4", "half")                                                   \
    X(TT_GLYPH_BAR_5, "bar.5", "▅", "5", "five eighths")                                           \
    X(TT_GLYPH_BAR_6, "bar.6", "▆", "6", "six eighths")                                            \
    X(TT_GLYPH_BAR_7, "bar.7", "▇", "7", "seven eighths")                                          \
    X(TT_GLYPH_BAR_8, "bar.8", "█", "8", "all of it")                                              \
    X(TT_GLYPH_TICK, "tick", "┼", "+", "a round time on the axis")                                 \
    X(TT_GLYPH_HERE, "here", "▼", "V", "the cursor's column on the axis")                          \
    X(TT_GLYPH_OPEN, "open", "▾", "v", "an open process")                                          \
    X(TT_GLYPH_FOLDED, "folded", "▸", ">", "a folded process")                                     \
    X(TT_GLYPH_USER, "user", "◆", "*", "a user event")                                             \
    X(TT_GLYPH_SLICE, "slice", "━", "=", "a slice")                                                \
    X(TT_GLYPH_SLICE_MANY, "slice.many", "≡", "%", "several slices")                               \
    X(TT_GLYPH_SLICE_BEGIN, "slice.begin", "[", "[", "where a slice begins")                       \
    X(TT_GLYPH_SLICE_END, "slice.end", "]", "]", "where a slice ends")                             \
    X(TT_GLYPH_ZERO, "zero", "_", "0", "a counter at the bottom")                                  \
    X(TT_GLYPH_SELECTED, "selected", "═", "~", "selected, on the axis")

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

struct tt_cell_style {
    int16_t fg; /* 0..255 or TT_COLOR_DEFAULT */
    int16_t bg;
    uint8_t attrs; /* enum tt_attr */
};

/* Returns the glyph with a name of `length` bytes, TT_GLYPH_COUNT if there is none. */
enum tt_glyph tt_glyph_find(const char *name, size_t length);

/* The terminal's background: red, green, blue from 0 to 65535. */
struct tt_background {
    uint16_t red, green, blue;
};

struct tt_theme {
    char name[32];
    int16_t cursor_bg;    /* of overlays without one, see tt_theme_use_background; or default */
    int16_t selection_bg; /* the same */
    bool has_shades; /* the background is known: states behind bars are shades of their colours */
    bool is_dark;    /* then: the background is dark */
    bool light;      /* designed for a light background */
    struct tt_cell_style styles[TT_ROLE_COUNT];
    uint32_t glyphs[TT_GLYPH_COUNT][2]; /* UTF-8, ASCII */
};

const char *tt_role_name(unsigned role);

/* Appends the page docs/themes.md, generated from the tables. */
struct tt_text;
void tt_theme_page(struct tt_text *text);

/* Sets the default theme from the tables above. */
void tt_theme_default(struct tt_theme *theme);

/*
 * Applies the lines of a theme file to `theme`. On an error the status is
 * "FILE:LINE:COLUMN: what is wrong" and `theme` is unchanged.
 */
struct tt_status tt_theme_parse(struct tt_theme *theme, const char *file, const char *text,
                                size_t length);
/*
 * Starts from the default theme and loads `name`: a path if it contains a slash; else NAME.theme
 * in the user's directory ($XDG_CONFIG_HOME/tracetui/themes), else a built-in theme.
 */
struct tt_status tt_theme_load(struct tt_theme *theme, const char *name);

/* Calls `take` with the name and origin of each theme: "built in" or "user theme". */
void tt_theme_each(void (*take)(void *arg, const char *name, const char *where), void *arg);

/* Returns whether the theme distinguishes states by colour. */
bool tt_theme_colored(const struct tt_theme *theme);
/* Returns the nearest of the 16 basic colours to one of the 256; keeps TT_COLOR_DEFAULT. */
int16_t tt_color_sixteen(int16_t color);

/*
 * Sets a grey background for the cursor's line and the selection on the terminal's own one, lighter
 * on a dark terminal and darker on a light one, if the theme has colours and leaves the backgrounds
 * to the terminal. NULL: unknown, no background. For terminals with 256 colours.
 */
void tt_theme_use_background(struct tt_theme *theme, const struct tt_background *terminal);

/* Returns whether the current lane has a background. */
bool tt_theme_has_lane_background(const struct tt_theme *theme);

/* Returns the style of a role with an overlay role, whose colours win unless default. */
struct tt_cell_style tt_theme_style(const struct tt_theme *theme, unsigned role, unsigned over);
/*
 * Reduces a style to a terminal with `colors` colours (0: none). With 8, bright colours become
 * normal ones in bold; text never gets the colour of its background; without colours, a
 * non-default background becomes reverse.
 */
struct tt_cell_style tt_theme_fit(const struct tt_theme *theme, struct tt_cell_style style,
                                  int colors);
uint32_t tt_theme_glyph(const struct tt_theme *theme, unsigned glyph, bool ascii);

#endif
