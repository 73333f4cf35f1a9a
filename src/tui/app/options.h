/* SPDX-License-Identifier: Apache-2.0 */
/* options: what the command line asks the screen for. Texts are borrowed and outlive the app. */
#ifndef TRACETUI_TUI_APP_OPTIONS_H
#define TRACETUI_TUI_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/time_spec.h"
#include "tracetui/trace.h"

enum tt_tui_color { TT_TUI_COLOR_AUTO, TT_TUI_COLOR_ALWAYS, TT_TUI_COLOR_NEVER };

struct tt_tui_options {
    const char *const *paths; /* captures; the first is shown, the others by :next */
    size_t path_count;
    struct tt_trace_options trace;
    const char *keys;   /* typed once the index is complete, "j<PgDn>:50%<Enter>"; NULL: none */
    const char *view;   /* "events", "info"; NULL: events */
    const char *filter; /* what is shown to begin with; NULL: all */
    const char *theme;  /* a name or a path; NULL: default */
    enum tt_tui_color color;      /* AUTO: what the terminal has, none if NO_COLOR is set */
    int most_colors;              /* 16 or 256: no more than these, whatever the terminal has */
    struct tt_time_spec from, to; /* the window of the views by time, if given */
    bool ascii;                   /* ASCII even where the locale has UTF-8 */
    bool no_mouse;
    const char *config; /* a configuration file, or NULL */
    bool own_config;    /* without one, take the person's own */
    const char *script; /* a file of keys and commands that is played before `keys`; NULL: none */
    bool session;       /* keep the person's places, and restore them */
};

#endif
