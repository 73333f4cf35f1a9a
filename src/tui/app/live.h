/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: follows a capture that grows while it is shown, or whose bytes still arrive, and reports its state.
 *
 *      following   the cursor stays on the last event, the time window moves with it
 *      held        the user went back: nothing moves, new events are counted
 *
 * A key that leaves the end holds. G, F, or reaching the last line by any key follows again.
 *
 * A change of the file is reported once. With --on-change reload the file is reopened as soon as it
 * is a capture again; until then the old content stays on the screen. The new capture keeps the
 * filters, the view and the time format.
 */
#ifndef TRACETUI_TUI_APP_LIVE_H
#define TRACETUI_TUI_APP_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"
#include "tui/input/actions.h"

struct tt_app;
struct tt_text;

/* Starts with a capture that was just opened. */
void tt_live_begin(struct tt_app *app);
/* Applies the indexer's reports; returns true if the frame must be drawn again. */
bool tt_live_update(struct tt_app *app);
/* Does the same for how much of the input has arrived. */
bool tt_live_update_arrival(struct tt_app *app);
/* Decides after an action of the user whether to follow or hold. */
void tt_live_acted(struct tt_app *app, enum tt_do action);
void tt_live_toggle(struct tt_app *app);
void tt_live_next_window(struct tt_app *app);

/* Returns true once everything present at opening is read. */
bool tt_live_is_read(const struct tt_app *app);
/* Returns true if quitting loses the events: they came through a pipe that was followed. */
bool tt_live_is_only_here(const struct tt_app *app);
/*
 * Writes "LIVE 24.1k ev/s 1.2 MB/s 13:22:01", or "PAUSED +120 new 24.1k ev/s ..." while held; "receiving 3 MB
 * 82.9k ev" while bytes arrive. Returns false if nothing more comes.
 */
bool tt_live_text(const struct tt_app *app, struct tt_text *text);

#endif
