/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prompt: the prompt on the screen, and the callbacks of each kind of prompt. Each kind has a const
 * table of functions, in the file that implements it; a kind without a table is never opened.
 *
 *      | thread = 1 and bla_                  indexed 100 % |   the line, scrolled to its caret
 *      |              ^ an operator is missing              |   the error and its position
 *
 * One thread.
 */
#ifndef TRACETUI_TUI_APP_PROMPT_H
#define TRACETUI_TUI_APP_PROMPT_H

#include "tui/draw/grid.h"
#include "tui/input/completion.h"
#include "tui/input/line_edit.h"

struct tt_app;
struct tt_text;

/* A paste in progress. */
struct tt_paste {
    bool open;
    uint64_t last_ns; /* time of its last character */
    size_t refused;   /* characters that did not fit */
};

struct tt_prompt {
    struct tt_line_edit line;
    struct tt_completion completion;
    struct tt_paste paste;
};

struct tt_line_edit_use {
    /* Checks the changed text; reports an error with tt_line_edit_fail. May be NULL. */
    void (*edited)(struct tt_app *app);
    /* Handles Enter; app->prompt.line.text is the text. */
    void (*accepted)(struct tt_app *app);
    /* Handles closing without Enter. May be NULL. */
    void (*cancelled)(struct tt_app *app);
    /* Offers completions at the caret; `app` is a struct tt_app. May be NULL. */
    tt_complete_source complete;
    /* Writes a line of help while there is no error. May be NULL or write nothing. */
    void (*hint)(const struct tt_app *app, struct tt_text *text);
};

/* Opens the prompt with an initial text ("": empty). */
void tt_prompt_open(struct tt_app *app, enum tt_line_edit_kind kind, const char *text);
/* Does the same with `text` and an offered rest, which typing replaces. */
void tt_prompt_offer(struct tt_app *app, enum tt_line_edit_kind kind, const char *text,
                     const char *offer);
/* Closes the prompt and drops its text; calls neither `accepted` nor `cancelled`. */
void tt_prompt_close(struct tt_app *app);
/* Accepts a text as if it had been typed there; an empty text opens the prompt. */
void tt_prompt_enter(struct tt_app *app, enum tt_line_edit_kind kind, const char *text);
/*
 * Offers the completions of another kind of prompt for the part of `text` that begins at byte
 * `start`, for commands whose argument is such a text.
 */
void tt_prompt_complete(struct tt_app *app, enum tt_line_edit_kind kind, const char *text,
                        size_t start, size_t caret, struct tt_completion *out);
/* Handles a key while the prompt is open. */
void tt_prompt_key(struct tt_app *app, uint32_t key);
/*
 * Handles bracketed paste: text between the terminal's paste markers is never taken for keys.
 * Returns true if the key was part of a paste.
 */
bool tt_prompt_paste(struct tt_app *app, uint32_t key);

/* Scrolls the text so that the caret is visible if label and text have `width` columns. */
void tt_prompt_layout(struct tt_app *app, int width);
/* Draws the label and the text in the first `width` columns of `line`, and places the caret. */
void tt_prompt_draw(const struct tt_app *app, struct tt_area line, int width);
/* Draws the error or the hint on the line below; returns false if there is neither. */
bool tt_prompt_draw_below(const struct tt_app *app, struct tt_area line);

#endif
