/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export: `:write FILE` puts what is shown into a file: in Events the rows that the filters leave,
 * as `dump` prints them or, for a name that ends in .csv, as CSV; a table as its view writes it;
 * else the picture as text.
 *
 * Events are written in slices, so that the keyboard is never blocked, and the file appears when
 * all is in it. Owns its file until then. One thread.
 */
#ifndef TRACETUI_TUI_APP_EXPORT_H
#define TRACETUI_TUI_APP_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"
#include "tui/app/save.h"

struct tt_app;
struct tt_text;
struct tt_events;

struct tt_exporting {
    bool active; /* events are being written */
    bool csv;
    struct tt_save save;
    struct tt_events *events; /* a reader of its own */
    uint64_t at, end;         /* rows as they are shown */
};

/* Writes, or begins to. An error says why nothing is written. */
struct tt_status tt_export_start(struct tt_app *app, const char *path, bool overwrite);
/* Goes on for about `budget_ns`; true when it ended, which is said on the status line. */
bool tt_export_step(struct tt_app *app, uint64_t budget_ns);
/* Leaves no file behind. */
void tt_export_stop(struct tt_app *app);
/* "writing out.csv 40 %, Esc stops" */
void tt_export_progress(const struct tt_app *app, struct tt_text *text);

#endif
