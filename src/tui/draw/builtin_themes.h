/* SPDX-License-Identifier: Apache-2.0 */
/* builtin_themes: the files of themes/, compiled in by the Makefile; const data. */
#ifndef TRACETUI_TUI_DRAW_BUILTIN_THEMES_H
#define TRACETUI_TUI_DRAW_BUILTIN_THEMES_H

struct tt_builtin_theme {
    const char *name;
    const char *text;
};

/* Sorted by name; ends with a NULL name. */
extern const struct tt_builtin_theme tt_builtin_themes[];

#endif
