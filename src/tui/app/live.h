/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: a capture that grows while it is looked at: what the screen says of it, and whether it
 * follows.
 *
 *      at the end   the cursor stays on the last event, the window over time goes along
 *      held         the person went back: all stays where it is, what came since is counted
 *
 * A key that leaves the end holds; G, F, or coming to the last line by any key follows again.
 *
 * What happens to the file is said once. With --on-change reload it is opened anew as soon as it is
 * a capture again, and what was shown stays on the screen until then; filters, view and format of
 * times go over to the new one.
 */
#ifndef TRACETUI_TUI_APP_LIVE_H
#define TRACETUI_TUI_APP_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"
#include "tui/input/actions.h"

struct tt_app;
struct tt_text;

/* A capture was opened. */
void tt_live_begin(struct tt_app *app);
/* Takes what the indexer says; true if there is something new to draw. */
bool tt_live_update(struct tt_app *app);
/* The person did something: does it still follow? */
void tt_live_acted(struct tt_app *app, enum tt_do action);
void tt_live_toggle(struct tt_app *app);
void tt_live_next_window(struct tt_app *app);

/* Is all read that was there when it was opened? */
bool tt_live_is_read(const struct tt_app *app);
/* "LIVE 24.1k ev/s 1.2 MB/s 13:22:01", or what came since it is held; false: nothing is followed.
 */
bool tt_live_text(const struct tt_app *app, struct tt_text *text);

#endif
