/* SPDX-License-Identifier: Apache-2.0 */
/* open_app: an interactive program without a terminal, on a grid of 80x24, in ASCII. */
#ifndef TRACETUI_TESTS_OPEN_APP_H
#define TRACETUI_TESTS_OPEN_APP_H

#include "tui/app/app.h"

/* Opens a capture and indexes it; `view` NULL: the default view. The test fails if it cannot. */
struct tt_app *open_app_in(const char *path, const char *view);
struct tt_app *open_app(const char *path);
/* Closes and frees. */
void close_app(struct tt_app *app);

/*
 * Types keys in the notation of keys.h. Results of filters are complete after the last key; other
 * work that the keys start is not continued.
 */
void type_keys(struct tt_app *app, const char *keys);
/* Types keys as a user does: each waits for all work of the one before. Draws the screen. */
void type_settled(struct tt_app *app, const char *keys);

/* Returns the line of the screen as it was last drawn that has these words; -1 if there is none. */
int screen_line(const struct tt_app *app, const char *words);
/* Draws the screen; returns whether one of its lines has these words. */
bool screen_shows(struct tt_app *app, const char *words);

#endif
