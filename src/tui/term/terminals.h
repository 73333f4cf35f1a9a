/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminals: descriptions of common terminals that the program carries, for a system that has no
 * terminfo database: a static binary on a target with nothing else on it.
 *
 * The table is const data that terminals.sh makes at build time from the descriptions of the
 * machine that builds. A description is what ncurses takes as the value of TERMINFO: the compiled
 * entry in base 64 behind "b64:" (terminfo(5), "Fetching Compiled Descriptions").
 */
#ifndef TRACETUI_TUI_TERM_TERMINALS_H
#define TRACETUI_TUI_TERM_TERMINALS_H

struct tt_terminal {
    const char *name; /* as in TERM */
    const char *description;
};

/* A NULL name at the end. */
extern const struct tt_terminal tt_terminals[];

/* The description of a terminal, or NULL if none is carried. */
const char *tt_terminal_description(const char *name);

#endif
