/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export: `:write FILE` writes the current view to a file: in Events the rows that pass the
 * filters, as `dump` prints them or, if the name ends in .csv, as CSV; a table in its view's own
 * format; in Threads and CPUs a .csv of intervals; for .svg the frame as a picture; otherwise
 * the frame as text. `:picture FILE` writes the frame of any view. `:write FILE.fxt` writes the selection or the whole
 * capture as FXT (export/export.h), with the events that pass the filters; a name of the capture's own format, as
 * FILE.kev, writes them in it (excerpt/excerpt.h); FILE.html is the report of the selection or of the capture.
 *
 * Events are written in slices, so that the keyboard is never blocked. The file appears once it is
 * complete; until then it is owned here. One thread.
 */
#ifndef TRACETUI_TUI_APP_EXPORT_H
#define TRACETUI_TUI_APP_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"
#include "excerpt/excerpt_marks.h"
#include "tracetui/status.h"
#include "tui/draw/picture.h"
#include "tui/model/save.h"

struct tt_app;
struct tt_text;
struct tt_view;
struct tt_events;
struct tt_excerpt;
struct tt_fxt_export;

struct tt_export {
    bool active; /* events are being written */
    bool csv;
    struct tt_save save;
    struct tt_events *events;  /* its own reader */
    uint64_t first, at, end;   /* first and next row, and end, in displayed rows */
    unsigned version;          /* of the filters; the writing stops if they change */
    uint64_t written;          /* events in the file */
    struct tt_fxt_export *fxt; /* the export as FXT; `at` and `end` are rows of the capture */
    struct tt_save session;    /* the session beside it, if one is requested */
    struct tt_excerpt_mark marks[TT_EXCERPT_MARKS]; /* for the session */
    unsigned mark_count;
    const struct tt_view *table; /* its rows are written; `at` and `end` as in `part` */
    void *table_state;
    unsigned table_version;
    struct tt_excerpt *excerpt; /* a part of the capture; `at` and `end` are percent */
    void *report;               /* the page of `report`; the same */
};

/*
 * Opens the prompt of :write with the offered name CAPTURE-END, such as demo-why.txt, of the view or pane.
 */
void tt_export_prompt(struct tt_app *app);
/* Writes the file, or starts to. On error nothing is written. */
struct tt_status tt_export_start(struct tt_app *app, const char *path, bool overwrite);
/* Does the same for an export as FXT, independent of the name of the file. */
struct tt_status tt_export_start_fxt(struct tt_app *app, const char *path, bool overwrite);
/* Does the same for the page of `report`, a section in each step. */
struct tt_status tt_export_start_report(struct tt_app *app, const char *path, bool overwrite);
/* Returns whether the name of a file is that of a capture of the open one's format, apart from FXT. */
bool tt_export_is_excerpt(const struct tt_app *app, const char *path);
/*
 * Does the same for a part of the capture in its own format: the selection, or else all of it.
 * `with_marks`: also writes PATH.session with the marks and notes of the saved events.
 */
struct tt_status tt_export_start_excerpt(struct tt_app *app, const char *path, bool overwrite,
                                         bool with_marks);
/*
 * Writes the frame that was drawn last: as a picture, or as lines of text with `colors` (256, 16 or 0).
 */
struct tt_status tt_export_frame(const struct tt_app *app, enum tt_picture kind, int colors,
                                 struct tt_sink *sink);
/*
 * Draws the frame into a file: a picture, or text with colours (.ansi) or without. `:picture FILE`.
 */
struct tt_status tt_export_picture(struct tt_app *app, const char *path, bool overwrite);
/* Writes the lanes of the current view as CSV, and their number to `what`: export_lanes.c. */
struct tt_status tt_export_lanes(struct tt_app *app, FILE *file, struct tt_text *what);
/* Continues for about `budget_ns`; returns true when it ended, with a message. */
bool tt_export_step(struct tt_app *app, uint64_t budget_ns);
/* Stops writing and deletes the incomplete file. */
void tt_export_stop(struct tt_app *app);
/* Writes the progress: "writing out.csv 40 %, Esc stops". */
void tt_export_progress(const struct tt_app *app, struct tt_text *text);

#endif
