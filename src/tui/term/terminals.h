/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminals: built-in descriptions of common terminals, for systems without a terminfo database,
 * such as a static binary on a bare target.
 *
 * The table is const data that terminals.sh generates from the build machine's descriptions. A
 * description is a value for ncurses' TERMINFO: "b64:" and the compiled entry in base 64
 * (terminfo(5), "Fetching Compiled Descriptions").
 */
#ifndef TRACETUI_TUI_TERM_TERMINALS_H
#define TRACETUI_TUI_TERM_TERMINALS_H

#include <stdbool.h>

struct tt_terminal {
    const char *name; /* as in TERM */
    const char *description;
};

/* Ends with a NULL name. */
extern const struct tt_terminal tt_terminals[];

/* Returns the description of a terminal, or NULL if it is not built in. */
const char *tt_terminal_description(const char *name);

/* Returns whether a terminal of this name understands the sequences of xterm-256color. */
bool tt_terminal_is_like_xterm(const char *name);

#endif
