/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config: $XDG_CONFIG_HOME/tracetui/config, an INI file:
 *
 *      [settings]
 *      theme = dark                  as `:set` takes them (settings.h)
 *      [keys]
 *      move.down = j <Down> <C-e>    an action's keys, blanks between; none: it has no key
 *
 * A key that is given to an action is taken from those that had it by default where both work. One
 * thread.
 */
#ifndef TRACETUI_TUI_APP_CONFIG_H
#define TRACETUI_TUI_APP_CONFIG_H

#include <stddef.h>

#include "tracetui/status.h"

struct tt_app;
struct tt_text;

/*
 * Takes the lines of a file. Returns the first error, as "FILE:LINE: what was expected"; the lines
 * that are good hold.
 */
struct tt_status tt_config_apply(struct tt_app *app, const char *file, const char *text,
                                 size_t length);
/* Takes a file; NULL: the person's own, if there is one. */
struct tt_status tt_config_load(struct tt_app *app, const char *path);

/* The file that sets what is set without one, with help. */
void tt_config_dump(struct tt_text *text);
/* docs/config.md */
void tt_config_page(struct tt_text *text);

#endif
