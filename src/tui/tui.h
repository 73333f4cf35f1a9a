/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui: runs the program on a terminal, or prints one screen of it without a terminal.
 *
 * Both open the capture themselves and set LC_CTYPE. Call from one thread.
 */
#ifndef TRACETUI_TUI_TUI_H
#define TRACETUI_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sink.h"
#include "trace/line_colors.h"
#include "tracetui/status.h"
#include "tracetui/text.h"
#include "tui/app/options.h"

struct tt_sql_definition;

struct tt_tui_result {
    struct tt_status status;
    const char *path; /* the capture that the status refers to, from options->paths, or NULL */
    struct tt_status damage; /* of the first displayed capture that is damaged, else success */
    int signal; /* signal that requested termination, to be raised after cleanup; else 0 */
};

/* Returns the terminal library and its version: "ncurses 6.4". Static storage. */
const char *tt_tui_library(void);

/* Prints the default configuration. */
void tt_tui_dump_config(struct tt_text *text);

/*
 * Reads the setting remote_shell; "" if it is not set. `config`: a configuration file, NULL: the
 * user's own.
 */
struct tt_status tt_tui_remote_shell(const char *config, char *shell, size_t capacity);

/*
 * Reads the lines of section [sql] or [logs]; `config` as above. *definitions is one allocation, which the caller
 * frees; NULL if there are none.
 */
struct tt_status tt_tui_definitions(const char *config, const char *section,
                                    struct tt_sql_definition **definitions, size_t *count);

/*
 * Runs until the user quits. Standard output must be a terminal. Keys are read from standard input
 * if that is a terminal, else from /dev/tty.
 */
struct tt_tui_result tt_tui_run(const struct tt_tui_options *options);

/* Terminates the process with the signal of a result, as if it had not been caught. */
void tt_tui_die(int signal);

/*
 * Indexes the first capture, feeds options->keys, and writes the screen of width x height as lines
 * of text without trailing blanks; with terminal colour sequences if options->color is ALWAYS.
 */
struct tt_tui_result tt_tui_render(const struct tt_tui_options *options, int width, int height,
                                   struct tt_sink *sink);

/*
 * Fills `colors` for the lines of events from options->theme. *use: whether the lines have colours;
 * with AUTO if standard output is a terminal with colours and NO_COLOR is unset or empty. Fails if
 * the theme does.
 */
struct tt_status tt_tui_line_colors(const struct tt_tui_options *options,
                                    struct tt_line_colors *colors, bool *use);

#endif
