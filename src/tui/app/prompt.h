/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prompt: the prompt on the screen, and who is asked about what is typed there. Each kind of
 * prompt has a const table of functions, in the file whose subject it is; a kind without one is
 * not opened by anybody.
 *
 *      | thread = 1 and bla_                  indexed 100 % |   the line, scrolled to its caret
 *      |              ^ an operator is missing              |   what is wrong with it, and where
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

/* What is being pasted. */
struct tt_paste {
    bool open;
    uint64_t last_ns; /* when the last of it came */
    size_t refused;   /* characters that did not fit */
};

struct tt_prompt {
    struct tt_line_edit line;
    struct tt_completion completion;
    struct tt_paste paste;
};

struct tt_line_edit_use {
    /* The text changed: says what is wrong with it by tt_line_edit_fail. May be NULL. */
    void (*edited)(struct tt_app *app);
    /* The prompt was left by Enter; app->prompt.line.text is what was typed. */
    void (*accepted)(struct tt_app *app);
    /* It was left otherwise. May be NULL. */
    void (*cancelled)(struct tt_app *app);
    /* What could stand at the caret; `app` is the app. May be NULL. */
    tt_complete_source complete;
    /* A line of help about what is typed, while nothing is wrong. May be NULL or write nothing. */
    void (*hint)(struct tt_app *app, struct tt_text *text);
};

/* Opens the prompt with a text in it ("": empty). */
void tt_prompt_open(struct tt_app *app, enum tt_line_edit_kind kind, const char *text);
/* Closes it without taking its text; neither `accepted` nor `cancelled` is called. */
void tt_prompt_close(struct tt_app *app);
/* Takes a text as if it had been typed and accepted there; an empty one opens the prompt. */
void tt_prompt_enter(struct tt_app *app, enum tt_line_edit_kind kind, const char *text);
/*
 * Candidates of another kind of prompt for the part of `text` that begins at byte `start`: for
 * commands that take such a text.
 */
void tt_prompt_complete(struct tt_app *app, enum tt_line_edit_kind kind, const char *text,
                        size_t start, size_t caret, struct tt_completion *out);
/* A key while it is open. */
void tt_prompt_key(struct tt_app *app, uint32_t key);
/*
 * Text that the terminal brings between its marks of a paste is never taken for keys. True if the
 * key was a part of that.
 */
bool tt_prompt_paste(struct tt_app *app, uint32_t key);

/* The label and the text, on the first `room` columns of `line`. */
void tt_prompt_draw(struct tt_app *app, struct tt_area line, int room);
/* What is wrong, or a hint, on the line below; false if there is neither. */
bool tt_prompt_draw_below(struct tt_app *app, struct tt_area line);

#endif
