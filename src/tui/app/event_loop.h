/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_loop: runs an app on a screen until the user quits, a signal ends the program, or the
 * terminal is gone. The signals must be open (signals.h). One thread.
 */
#ifndef TRACETUI_TUI_APP_EVENT_LOOP_H
#define TRACETUI_TUI_APP_EVENT_LOOP_H

#include "tui/app/app.h"
#include "tui/term/screen.h"

/* Runs the app. *signal: the signal that ended it, or 0. */
struct tt_status tt_event_loop_run(struct tt_app *app, struct tt_screen *screen, int *signal);

/* Types keys in the notation of keys.h; each search ends before the next key. NULL: none. */
void tt_event_loop_type(struct tt_app *app, const char *keys);

/* Completes the search or write in progress and the missing parts of the frame. */
void tt_event_loop_wait(struct tt_app *app);

/* Draws, completes the missing parts of the frame, and draws again. */
void tt_event_loop_settle(struct tt_app *app);

#endif
