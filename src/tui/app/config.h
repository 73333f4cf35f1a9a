/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config: $XDG_CONFIG_HOME/tracetui/config, an INI file:
 *
 *      [settings]
 *      theme = dark                  in the syntax of `:set` (settings.h)
 *      [keys]
 *      move.down = j <Down> <C-e>    an action's keys, separated by blanks; may be empty
 *      [sql]
 *      idle = select ...             a view; a name with (PARAMETERS) is a macro
 *      [logs]
 *      mine = ^(?<time>...) ...      a form of lines for --log, which is read before the file is applied
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
struct tt_query_definitions;
struct tt_text;

/*
 * Applies the lines of a file. Returns the first error, as "FILE:LINE: what was expected"; valid
 * lines take effect all the same.
 */
struct tt_status tt_config_apply(struct tt_app *app, const char *file, const char *text,
                                 size_t length);
/* Applies a file; NULL: the user's own file, if there is one. */
struct tt_status tt_config_load(struct tt_app *app, const char *path);

/*
 * Reads one setting of a file, "" if it is not set, without the checks of tt_config_apply. `path`: as
 * for tt_config_load; a missing file of the user is not an error.
 */
struct tt_status tt_config_setting(const char *path, const char *name, char *value,
                                   size_t capacity);

/*
 * Reads the lines of section [sql] or [logs] without the checks of tt_config_apply. `path`: as above.
 * The caller frees the definitions, also after an error.
 */
struct tt_status tt_config_definitions(const char *path, const char *section,
                                       struct tt_query_definitions *definitions);

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
