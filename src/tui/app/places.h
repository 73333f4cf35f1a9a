/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places: the way back from a jump: notes the place before each key, adds it to the history if the
 * key was a jump (model/trail.h), and shows places again, across files.
 *
 *      key --> note --> action --> jump? (tt_nav_leave) --> keep     ^O, ^T, the list --> show
 *
 * A place in another file is shown when the events of that file are indexed up to it; a key before
 * that leaves it. The session of a capture has its places (session.h). One thread.
 */
#ifndef TRACETUI_TUI_APP_PLACES_H
#define TRACETUI_TUI_APP_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/text.h"
#include "tui/input/view_list.h"

struct tt_app;
struct tt_trail;

/* Adds the place before the next of several jumps of one key to the history, and notes the present one. */
void tt_places_pass(struct tt_app *app);
/* Notes the place before a key or a command. */
void tt_places_note(struct tt_app *app);
/* Adds the noted place to the history if it was left. */
void tt_places_keep(struct tt_app *app);

/* Goes to the place before or after the present one; shows a message with its name. */
void tt_places_step(struct tt_app *app, bool forward);
/* Goes to a place of the history. */
void tt_places_go(struct tt_app *app, size_t number);
/*
 * Adds what a command has computed and shows in a pane; TT_OVERLAY_NONE: a search. The same command in
 * the same file replaces its older result.
 */
void tt_results_add(struct tt_app *app, enum tt_overlay_id pane, const char *name,
                    const char *argument);
/* Shows a result, or the newest one, as it was; computes it again if its pane has another one. */
void tt_results_open(struct tt_app *app, size_t number);
void tt_results_newest(struct tt_app *app);
/* Appends "Measure: class = A -> class = B". */
void tt_results_name(const struct tt_trail *trail, size_t number, struct tt_text *text);

/* Shows the place that waits for its file. Returns whether it did. */
bool tt_places_settle(struct tt_app *app);

/* Appends the name of a place, after that of its file if the places are in several. */
void tt_places_name(const struct tt_trail *trail, size_t number, struct tt_text *text);
/* Removes the places in a file. */
void tt_places_forget(struct tt_trail *trail, size_t file);
void tt_places_free(struct tt_trail *trail);

/* Writes the places in the current file as lines of its session, without their panes. */
void tt_places_write(const struct tt_app *app, struct tt_text *text);
/* Inserts the place of such a line, from its second word on, as the place `number`. */
bool tt_places_read(struct tt_app *app, char *const *words, int count, size_t number);
/* Returns whether the history has a place in the current file. */
bool tt_places_known(const struct tt_app *app);

#endif
