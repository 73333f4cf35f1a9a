/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line's options for the screen. Pointers are borrowed and outlive the app. */
#ifndef TRACETUI_TUI_APP_OPTIONS_H
#define TRACETUI_TUI_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sink.h"
#include "tracetui/time_spec.h"
#include "tracetui/trace.h"
#include "tui/draw/picture.h"

/*
 * What `tracetui report` writes, in steps: the screen does not depend on the commands, so that main supplies it.
 * The capture is indexed and outlives the report.
 */
struct tt_tui_report_request {
    struct tt_trace *trace;
    const char *path;
    struct tt_time_spec from, to; /* the selection; NONE: the whole capture */
    const char *deadlines;        /* as --deadline takes them; NULL: none */
    const char *job_ends;         /* as --job-ends takes them; NULL: those of the format */
};

struct tt_tui_reporter {
    const void *arg; /* of begin */
    struct tt_status (*begin)(const void *arg, const struct tt_tui_report_request *request,
                              void **report);
    /* Adds a section; false after the last one. */
    bool (*step)(void *report, unsigned *percent);
    /* Writes the page and frees the report; NULL: only frees it. */
    struct tt_status (*end)(void *report, struct tt_sink *sink);
};

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
    const struct tt_tui_reporter *reporter; /* of :write FILE.html; NULL: none */
    struct tt_trace *opened; /* the first capture, opened and indexed; NULL: opened from `paths` */
};

#endif
