/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui: the program on a terminal, and one screen of it printed without one.
 *
 * Both open the capture themselves. Call from one thread; LC_CTYPE is set here.
 */
#ifndef TRACETUI_TUI_TUI_H
#define TRACETUI_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/status.h"
#include "tracetui/text.h"
#include "tui/app/options.h"

struct tt_tui_result {
    struct tt_status status;
    const char *path; /* the capture that the status is about, of options->paths, or NULL */
    bool damaged;     /* malformed bytes were met in a capture that was shown */
    int signal;       /* a signal asked to end: die of it once all is tidied up; else 0 */
};

/* The library that draws, with its version: "ncurses 6.4". Borrowed, lasts. */
const char *tt_tui_library(void);

/* Prints the configuration that holds without a file. */
void tt_tui_dump_config(struct tt_text *text);

/*
 * Runs until the person quits. Standard output must be a terminal; keys come from standard input
 * if that is one too, else from /dev/tty.
 */
struct tt_tui_result tt_tui_run(const struct tt_tui_options *options);

/* Ends the process by the signal of a result, as if it had not been caught. */
void tt_tui_die(int signal);

/*
 * Indexes the first capture, types options->keys, and writes the screen of width x height as
 * lines of text, trailing blanks left out; with colours, as a terminal takes them, if
 * options->color says ALWAYS. `write` returns false to stop.
 */
struct tt_tui_result tt_tui_render(const struct tt_tui_options *options, int width, int height,
                                   bool (*write)(void *arg, const char *bytes, size_t length),
                                   void *arg);

#endif
