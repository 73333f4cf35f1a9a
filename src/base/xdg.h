/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xdg: the user's folders by the XDG Base Directory Specification: $XDG_CONFIG_HOME/tracetui
 * (default ~/.config/tracetui), $XDG_STATE_HOME/tracetui (default ~/.local/state/tracetui) and
 * $XDG_CACHE_HOME/tracetui (default ~/.cache/tracetui). Any thread.
 */
#ifndef TRACETUI_BASE_XDG_H
#define TRACETUI_BASE_XDG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum tt_xdg_directory { TT_FOLDER_CONFIG, TT_FOLDER_STATE, TT_FOLDER_CACHE };

/* Writes the path of `name` ("" for the folder itself); false if there is no such folder. */
bool tt_xdg_path(enum tt_xdg_directory folder, const char *name, char *path, size_t capacity);
/* Creates the folder of a file and its parents, with mode 0700. */
bool tt_xdg_make_directory(const char *file);
/* Returns the mode of `old`, the replaced file; if NULL, the mode of a new file after the umask. */
mode_t tt_xdg_file_mode(const struct stat *old);

/*
 * Returns in *bytes the space that this user may still use on the file system of `path`, at most
 * UINT64_MAX / 2; false if the system does not report it.
 */
bool tt_xdg_directory_available(const char *path, uint64_t *bytes);

#endif
