/* SPDX-License-Identifier: Apache-2.0 */
/* line_edit: edits one line of UTF-8. */
#include "tui/input/line_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit/line_text.h"
#include "tui/draw/grid.h"
#include "tui/term/keys.h"

static const struct {
    const char *name;
    const char *label;
} kinds[TT_PROMPT_KINDS] = {
#define X(id, name, label) {name, label},
    TT_PROMPT_INFO(X)
#undef X
};

const char *tt_line_edit_label(enum tt_line_edit_kind kind)
{
    return kinds[kind].label;
}

const char *tt_line_edit_kind_name(enum tt_line_edit_kind kind)
{
    return kinds[kind].name;
}

void tt_line_edit_set(struct tt_line_edit *prompt, const char *text)
{
    size_t length = strlen(text);
    if (length >= TT_PROMPT_BYTES) {
        length = TT_PROMPT_BYTES - 1;
        while (length > 0 && tt_line_text_continues(text[length])) {
            length--;
        }
    }
    memmove(prompt->text, text, length);
    prompt->text[length] = '\0';
    prompt->length = length;
    prompt->caret = length;
    prompt->offers = false;
    prompt->scroll = 0;
}

/* Stops browsing the history: the text becomes a new line. */
static void leave_history(struct tt_line_edit *prompt)
{
    free(prompt->draft);
    prompt->draft = NULL;
}

/* Returns the index of the shown history line, or the history's count if none is shown. */
static unsigned history_place(const struct tt_line_edit *prompt)
{
    return prompt->draft ? prompt->history_at : prompt->histories[prompt->kind].count;
}

void tt_line_edit_open(struct tt_line_edit *prompt, enum tt_line_edit_kind kind)
{
    prompt->kind = kind;
    tt_line_edit_set(prompt, "");
    tt_line_edit_fail(prompt, 0, "");
    tt_line_edit_reopen(prompt);
}

void tt_line_edit_reopen(struct tt_line_edit *prompt)
{
    leave_history(prompt);
    prompt->open = true;
}

void tt_line_edit_close(struct tt_line_edit *prompt)
{
    leave_history(prompt);
    prompt->open = false;
}

void tt_line_edit_fail(struct tt_line_edit *prompt, uint32_t column, const char *error)
{
    prompt->error_column = column;
    snprintf(prompt->error, sizeof prompt->error, "%s", error);
}

void tt_line_edit_free(struct tt_line_edit *prompt)
{
    leave_history(prompt);
    for (int kind = 0; kind < TT_PROMPT_KINDS; kind++) {
        tt_history_free(&prompt->histories[kind]);
    }
}

bool tt_line_edit_replace(struct tt_line_edit *prompt, size_t from, size_t to, const char *text)
{
    size_t count = strlen(text);
    if (!tt_line_text_replace(prompt->text, TT_PROMPT_BYTES, &prompt->length, from, to, text,
                              count)) {
        return false;
    }
    prompt->offers = false;
    prompt->caret = from + count;
    return true;
}

void tt_line_edit_offer(struct tt_line_edit *prompt, size_t from)
{
    prompt->offer = from;
    prompt->offers = from < prompt->length;
}

static void line_edit_erase(struct tt_line_edit *prompt, size_t from, size_t to)
{
    tt_line_edit_replace(prompt, from, to, "");
}

static bool line_edit_insert(struct tt_line_edit *prompt, uint32_t ch)
{
    char bytes[5] = {0};
    tt_utf8_encode(ch, bytes);
    size_t from = prompt->offers ? prompt->offer : prompt->caret;
    size_t to = prompt->offers ? prompt->length : prompt->caret;
    return tt_line_edit_replace(prompt, from, to, bytes);
}

/* Shows line `at` of the history, or the draft if `at` is the count. */
static bool line_edit_recall(struct tt_line_edit *prompt, unsigned at)
{
    const struct tt_history *history = &prompt->histories[prompt->kind];
    if (at == history_place(prompt) || at > history->count) {
        return false;
    }
    if (at == history->count) {
        tt_line_edit_set(prompt, prompt->draft);
        leave_history(prompt);
        return true;
    }
    if (!prompt->draft) {
        prompt->draft = strdup(prompt->text);
        if (!prompt->draft) {
            return false;
        }
    }
    prompt->history_at = at;
    tt_line_edit_set(prompt, history->lines[at]);
    return true;
}

/* Shows the next older line that contains the draft. */
static bool recall_matching(struct tt_line_edit *prompt)
{
    const struct tt_history *history = &prompt->histories[prompt->kind];
    const char *typed = prompt->draft ? prompt->draft : prompt->text;
    return line_edit_recall(prompt, tt_history_find(history, history_place(prompt), typed));
}

static enum tt_line_edit_result line_edit_finish(struct tt_line_edit *prompt,
                                                 enum tt_line_edit_result result)
{
    if (result == TT_PROMPT_ACCEPTED) {
        tt_history_type(&prompt->histories[prompt->kind], prompt->text);
    }
    tt_line_edit_close(prompt);
    return result;
}

static bool goes_through_history(enum tt_do action)
{
    return action == TT_DO_EDIT_OLDER || action == TT_DO_EDIT_NEWER || action == TT_DO_EDIT_RECALL;
}

static enum tt_line_edit_result line_edit_edit(struct tt_line_edit *prompt, uint32_t key,
                                               enum tt_do action)
{
    if (!goes_through_history(action)) {
        leave_history(prompt); /* editing a history line makes it a new line */
    }
    switch (action) {
    case TT_DO_EDIT_ACCEPT:
        return line_edit_finish(prompt, TT_PROMPT_ACCEPTED);
    case TT_DO_EDIT_CANCEL:
        return line_edit_finish(prompt, TT_PROMPT_CANCELLED);
    case TT_DO_EDIT_LEFT:
        prompt->caret = tt_line_text_before(prompt->text, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_RIGHT:
        prompt->caret = tt_line_text_after(prompt->text, prompt->length, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_HOME:
        prompt->caret = 0;
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_END:
        prompt->caret = prompt->length;
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_BACKSPACE:
        if (prompt->length == 0) {
            return line_edit_finish(prompt, TT_PROMPT_CANCELLED);
        }
        line_edit_erase(prompt,
                        prompt->offers ? prompt->offer
                                       : tt_line_text_before(prompt->text, prompt->caret),
                        prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE:
        line_edit_erase(prompt, prompt->caret,
                        tt_line_text_after(prompt->text, prompt->length, prompt->caret));
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_WORD:
        line_edit_erase(prompt, tt_line_text_word_before(prompt->text, prompt->caret),
                        prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_ALL:
        line_edit_erase(prompt, 0, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_REST:
        line_edit_erase(prompt, prompt->caret, prompt->length);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_OLDER:
        /* Before the first line the index wraps beyond the count, where recall fails as well. */
        return line_edit_recall(prompt, history_place(prompt) - 1) ? TT_PROMPT_EDITED
                                                                   : TT_PROMPT_IGNORED;
    case TT_DO_EDIT_NEWER:
        return line_edit_recall(prompt, history_place(prompt) + 1) ? TT_PROMPT_EDITED
                                                                   : TT_PROMPT_IGNORED;
    case TT_DO_EDIT_RECALL:
        return recall_matching(prompt) ? TT_PROMPT_EDITED : TT_PROMPT_IGNORED;
    default:
        return tt_key_is_text(key) && line_edit_insert(prompt, key) ? TT_PROMPT_EDITED
                                                                    : TT_PROMPT_IGNORED;
    }
}

enum tt_line_edit_result tt_line_edit_key(struct tt_line_edit *prompt, uint32_t key,
                                          enum tt_do action)
{
    enum tt_line_edit_result result = line_edit_edit(prompt, key, action);
    prompt->offers &= result == TT_PROMPT_IGNORED;
    return result;
}
