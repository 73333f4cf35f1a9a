/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_edit: edits one line of input, with a history per kind of prompt. Independent of the text's
 * meaning and of the screen; app/prompt.h connects it to both.
 *
 *      :1.5s_
 *      ^label ^caret (a byte offset into the UTF-8 text, always at the start of a character)
 *
 * A line holds TT_PROMPT_BYTES - 1 bytes, the maximum length of a filter. Input that does not fit
 * is rejected. Owns its histories: tt_line_edit_free. One thread.
 */
#ifndef TRACETUI_TUI_INPUT_LINE_EDIT_H
#define TRACETUI_TUI_INPUT_LINE_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "edit/history.h"
#include "tracetui/status.h"
#include "tui/input/actions.h"

#define TT_PROMPT_BYTES 8193

/* X(id, name of its history, label before the text) */
#define TT_PROMPT_INFO(X)                                                                          \
    X(TT_PROMPT_COMMAND, "command", ":")                                                           \
    X(TT_PROMPT_FILTER, "filter", "filter: ")                                                      \
    X(TT_PROMPT_EXCLUDE, "exclude", "exclude: ")                                                   \
    X(TT_PROMPT_HIGHLIGHT, "highlight", "highlight: ")                                             \
    X(TT_PROMPT_SEARCH, "search", "/")                                                             \
    X(TT_PROMPT_NOTE, "note", "note: ")                                                            \
    X(TT_PROMPT_NAME, "name", "name: ")                                                            \
    X(TT_PROMPT_HELP, "help", "help: /")                                                           \
    X(TT_PROMPT_COLUMN, "column", "columns: /")                                                    \
    X(TT_PROMPT_LIST, "list", "list: /")

enum tt_line_edit_kind {
#define X(id, name, label) id,
    TT_PROMPT_INFO(X)
#undef X
        TT_PROMPT_KINDS
};

struct tt_line_edit {
    bool open;
    enum tt_line_edit_kind kind;
    char text[TT_PROMPT_BYTES]; /* NUL-terminated */
    size_t length;
    size_t caret;
    size_t offer;        /* byte from which the text is an offer, see tt_line_edit_offer */
    bool offers;         /* there is one */
    int scroll;          /* columns of the text scrolled off to the left */
    char *draft;         /* text typed before browsing the history; NULL: not browsing */
    unsigned history_at; /* index of the shown history line, if `draft` is set */
    struct tt_history histories[TT_PROMPT_KINDS];
    uint32_t error_column; /* character position in the text, from 1; 0: none */
    char error[TT_STATUS_TEXT];
};

enum tt_line_edit_result {
    TT_PROMPT_IGNORED,  /* the key has no effect, or the line is full */
    TT_PROMPT_EDITED,   /* the text or the caret changed */
    TT_PROMPT_ACCEPTED, /* closed; the text is valid and in the history */
    TT_PROMPT_CANCELLED,
};

const char *tt_line_edit_label(enum tt_line_edit_kind kind);
const char *tt_line_edit_kind_name(enum tt_line_edit_kind kind);

/*
 * Opens and closes the prompt; each stops browsing the history. tt_line_edit_open starts with an
 * empty line; tt_line_edit_reopen keeps text, caret and error, for a line that was rejected.
 */
void tt_line_edit_open(struct tt_line_edit *prompt, enum tt_line_edit_kind kind);
void tt_line_edit_reopen(struct tt_line_edit *prompt);
void tt_line_edit_close(struct tt_line_edit *prompt);
/* Sets the text and moves the caret to its end; truncates a long text at a character boundary. */
void tt_line_edit_set(struct tt_line_edit *prompt, const char *text);
/*
 * Marks the text from byte `from` on as an offer: a character typed, or Backspace, replaces all of it; any
 * other key keeps it as typed text.
 */
void tt_line_edit_offer(struct tt_line_edit *prompt, size_t from);
/* Replaces bytes [from, to) by `text` and moves the caret after it; false if it does not fit. */
bool tt_line_edit_replace(struct tt_line_edit *prompt, size_t from, size_t to, const char *text);
/* Sets the error message of the text; an empty `error` clears it. */
void tt_line_edit_fail(struct tt_line_edit *prompt, uint32_t column, const char *error);
/* Handles a key and the action bound to it at a prompt (TT_DO_NOTHING: none). */
enum tt_line_edit_result tt_line_edit_key(struct tt_line_edit *prompt, uint32_t key,
                                          enum tt_do action);
/* Frees the histories. */
void tt_line_edit_free(struct tt_line_edit *prompt);

#endif
