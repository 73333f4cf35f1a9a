/* SPDX-License-Identifier: Apache-2.0 */
/* terminals: looks up a description in the table. */
#include "tui/term/terminals.h"

#include <stddef.h>
#include <string.h>

const char *tt_terminal_description(const char *name)
{
    for (const struct tt_terminal *terminal = tt_terminals; terminal->name; terminal++) {
        if (strcmp(terminal->name, name) == 0) {
            return terminal->description;
        }
    }
    return NULL;
}

bool tt_terminal_is_like_xterm(const char *name)
{
    /* Newer terminals, whose descriptions other machines often do not have. */
    static const char *const families[] = {"xterm-",  "alacritty", "contour", "foot",
                                           "ghostty", "iterm2",    "kitty",   "konsole",
                                           "rio",     "vte",       "wezterm"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strncmp(name, families[i], strlen(families[i])) == 0) {
            return true;
        }
    }
    return false;
}
