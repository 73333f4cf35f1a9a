/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config: $XDG_CONFIG_HOME/tracetui/config, an INI file:
 *
 *      [settings]
 *      theme = dark                  as `:set` takes them (settings.h)
 *      [keys]
 *      move.down = j <Down> <C-e>    an action's keys, separated by blanks; may be empty
 *
 * A key bound to an action is removed from the actions that have it by default in the same context.
 * One thread.
 */
#ifndef TRACETUI_TUI_APP_CONFIG_H
#define TRACETUI_TUI_APP_CONFIG_H

#include <stddef.h>

#include "tracetui/status.h"

#define TT_CONFIG_BYTES 65536 /* size limit of the file */

struct tt_app;
struct tt_text;

/*
 * Applies the lines of a file. Returns the first error, as "FILE:LINE: what was expected"; valid
 * lines take effect all the same.
 */
struct tt_status tt_config_apply(struct tt_app *app, const char *file, const char *text,
                                 size_t length);
/* Applies a file; NULL: the user's own file, if there is one. */
struct tt_status tt_config_load(struct tt_app *app, const char *path);

/* Adds a key to an action, from "KEY ACTION"; other actions lose the key where both work. */
struct tt_status tt_config_map(struct tt_app *app, const char *text);

/*
 * Writes the settings and keys changed by commands into the user's file, or that of the option --config;
 * other lines and comments stay. Writes its path to `path`.
 */
struct tt_status tt_config_save(const struct tt_app *app, char *path, size_t capacity);

/* Writes a file that sets every default, with help. */
void tt_config_dump(struct tt_text *text);
/* Writes the page docs/config.md. */
void tt_config_page(struct tt_text *text);

#endif
