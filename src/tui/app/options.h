/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line's options for the screen. Pointers are borrowed and outlive the app. */
#ifndef TRACETUI_TUI_APP_OPTIONS_H
#define TRACETUI_TUI_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/time_spec.h"
#include "tracetui/trace.h"
#include "tui/draw/picture.h"

enum tt_tui_color { TT_TUI_COLOR_AUTO, TT_TUI_COLOR_ALWAYS, TT_TUI_COLOR_NEVER };

struct tt_tui_options {
    const char *const *paths; /* captures; the first is shown, :next opens the others */
    size_t path_count;
    struct tt_trace_options trace;
    const char *keys;   /* typed once the index is complete, "j<PgDn>:50%<Enter>"; NULL: none */
    const char *view;   /* "events", "info"; NULL: events */
    const char *filter; /* the initial filter; NULL: none */
    const char *theme;  /* a name or a path; NULL: default */
    const char *zone;   /* of absolute times: tt_time_zone_set; NULL: the setting */
    enum tt_tui_color color;      /* AUTO: the terminal's colours; none if NO_COLOR is set */
    int most_colors;              /* 16 or 256: upper limit, even if the terminal has more */
    struct tt_time_spec from, to; /* the initial time window, if given */
    bool ascii;                   /* ASCII even in a UTF-8 locale */
    bool no_mouse;
    const char *config;      /* a configuration file, or NULL */
    bool own_config;         /* if `config` is NULL, use the user's own file */
    const char *script;      /* a file of keys and commands, played before `keys`; NULL: none */
    bool session;            /* save and restore sessions */
    enum tt_picture picture; /* of tt_tui_render; NONE: text */
    struct tt_trace *opened; /* the first capture, opened and indexed; NULL: opened from `paths` */
};

#endif
