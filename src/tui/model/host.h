/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host: what views and panes ask of the application around them, which has the prompts, the files and
 * the history. All functions are set before the first key. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_HOST_H
#define TRACETUI_TUI_MODEL_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/filter/filter_stack.h"
#include "tui/input/line_edit.h"

struct tt_app;
struct tt_text;

struct tt_host {
    struct tt_app *app; /* of all functions */
    /* Appends the rule that judges the number selected in the view or pane on the screen. */
    struct tt_status (*rule)(struct tt_app *app, struct tt_text *text);
    /* Opens a prompt with a text. */
    void (*prompt)(struct tt_app *app, enum tt_line_edit_kind kind, const char *text);
    /* Shows a capture, which is opened unless it is shown; returns false, with a message, if it cannot. */
    bool (*show_file)(struct tt_app *app, const char *path);
    /* Show an entry of the history, or a result. */
    void (*show_place)(struct tt_app *app, size_t number);
    void (*show_result)(struct tt_app *app, size_t number);
    /* Open the prompts for a filter of the stack, as of tt_find_prompt_filter, and for its name. */
    void (*edit_filter)(struct tt_app *app, unsigned number, enum tt_use use, bool empty);
    void (*name_filter)(struct tt_app *app, unsigned number);
    /* Adds a filter of what the cursor is on, which the way back undoes. */
    void (*add_filter)(struct tt_app *app, enum tt_use use, const char *text);
    /* Applies a change of the stack. */
    bool (*update_filters)(struct tt_app *app);
    /* Adds the place before the next of several jumps of one key to the history. */
    void (*pass)(struct tt_app *app);
};

#endif
