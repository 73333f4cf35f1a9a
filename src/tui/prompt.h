/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prompt: one line that a person types, with history. It edits text and knows nothing of what
 * the text means or of the screen.
 *
 *      :1.5s_
 *      ^sigil ^caret (a byte offset into the UTF-8 text, always at the start of a character)
 *
 * Owns nothing outside itself; one thread.
 */
#ifndef TRACETUI_TUI_PROMPT_H
#define TRACETUI_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/actions.h"

#define TT_PROMPT_BYTES   256
#define TT_PROMPT_HISTORY 50

struct tt_prompt {
    bool open;
    char sigil;
    char text[TT_PROMPT_BYTES]; /* NUL-terminated */
    size_t length;
    size_t caret;
    char draft[TT_PROMPT_BYTES]; /* what was typed before going into the history */
    char history[TT_PROMPT_HISTORY][TT_PROMPT_BYTES];
    unsigned history_count;
    unsigned history_at; /* history_count: not in the history */
};

enum tt_prompt_result {
    TT_PROMPT_IGNORED,  /* the key means nothing here */
    TT_PROMPT_EDITED,   /* the text or the caret changed */
    TT_PROMPT_ACCEPTED, /* closed; the text is ready to use and in the history */
    TT_PROMPT_CANCELLED,
};

/* Opens it empty. */
void tt_prompt_open(struct tt_prompt *prompt, char sigil);
void tt_prompt_set(struct tt_prompt *prompt, const char *text);
/* A key and the action that the keymap has for it at a prompt (TT_DO_NOTHING: none). */
enum tt_prompt_result tt_prompt_key(struct tt_prompt *prompt, uint32_t key, enum tt_do action);

#endif
