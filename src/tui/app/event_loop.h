/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_loop: runs an app on a screen until the person quits, a signal asks to end, or the terminal
 * is gone. The signals must be open (signals.h). One thread.
 */
#ifndef TRACETUI_TUI_APP_EVENT_LOOP_H
#define TRACETUI_TUI_APP_EVENT_LOOP_H

#include "tui/app/app.h"
#include "tui/term/screen.h"

/* *signal: the one that asked to end, or 0. */
struct tt_status tt_event_loop_run(struct tt_app *app, struct tt_screen *screen, int *signal);

/* Types keys as keys.h writes them, each search done before the next key. NULL: none. */
void tt_event_loop_type(struct tt_app *app, const char *keys);

/* Ends what goes on, search or writing, and works out what the picture lacks. */
void tt_event_loop_wait(struct tt_app *app);

/* Draws, works out what the picture lacks, and draws again. */
void tt_event_loop_settle(struct tt_app *app);

#endif
