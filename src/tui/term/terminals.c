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
