/* SPDX-License-Identifier: Apache-2.0 */
/* prompt: editing one line of UTF-8. */
#include "tui/prompt.h"

#include <string.h>

#include "tui/grid.h"
#include "tui/keys.h"

void tt_prompt_set(struct tt_prompt *prompt, const char *text)
{
    size_t length = strlen(text);
    if (length >= TT_PROMPT_BYTES) {
        length = 0;
    }
    memmove(prompt->text, text, length);
    prompt->text[length] = '\0';
    prompt->length = length;
    prompt->caret = length;
}

void tt_prompt_open(struct tt_prompt *prompt, char sigil)
{
    prompt->open = true;
    prompt->sigil = sigil;
    prompt->history_at = prompt->history_count;
    tt_prompt_set(prompt, "");
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t before(const struct tt_prompt *prompt, size_t at)
{
    do {
        at -= at > 0;
    } while (at > 0 && is_continuation(prompt->text[at]));
    return at;
}

static size_t after(const struct tt_prompt *prompt, size_t at)
{
    if (at < prompt->length) {
        at++;
    }
    while (at < prompt->length && is_continuation(prompt->text[at])) {
        at++;
    }
    return at;
}

static void erase(struct tt_prompt *prompt, size_t from, size_t to)
{
    memmove(prompt->text + from, prompt->text + to, prompt->length - to + 1);
    prompt->length -= to - from;
    prompt->caret = from;
}

static bool insert(struct tt_prompt *prompt, uint32_t ch)
{
    char bytes[4];
    size_t length = tt_utf8_encode(ch, bytes);
    if (prompt->length + length >= TT_PROMPT_BYTES) {
        return false;
    }
    char *at = prompt->text + prompt->caret;
    memmove(at + length, at, prompt->length - prompt->caret + 1);
    memcpy(at, bytes, length);
    prompt->length += length;
    prompt->caret += length;
    return true;
}

static size_t word_before(const struct tt_prompt *prompt)
{
    size_t at = prompt->caret;
    while (at > 0 && prompt->text[at - 1] == ' ') {
        at--;
    }
    while (at > 0 && prompt->text[at - 1] != ' ') {
        at--;
    }
    return at;
}

static void remember(struct tt_prompt *prompt)
{
    unsigned count = prompt->history_count;
    if (prompt->length == 0 ||
        (count > 0 && strcmp(prompt->history[count - 1], prompt->text) == 0)) {
        return;
    }
    if (count == TT_PROMPT_HISTORY) {
        memmove(prompt->history[0], prompt->history[1],
                sizeof prompt->history - sizeof prompt->history[0]);
        count--;
    }
    memcpy(prompt->history[count], prompt->text, prompt->length + 1);
    prompt->history_count = count + 1;
}

static bool recall(struct tt_prompt *prompt, bool older)
{
    unsigned at = prompt->history_at;
    if (older ? at == 0 : at == prompt->history_count) {
        return false;
    }
    if (at == prompt->history_count) {
        memcpy(prompt->draft, prompt->text, prompt->length + 1);
    }
    at = older ? at - 1 : at + 1;
    prompt->history_at = at;
    tt_prompt_set(prompt, at == prompt->history_count ? prompt->draft : prompt->history[at]);
    return true;
}

static enum tt_prompt_result finish(struct tt_prompt *prompt, enum tt_prompt_result result)
{
    if (result == TT_PROMPT_ACCEPTED) {
        remember(prompt);
    }
    prompt->open = false;
    return result;
}

enum tt_prompt_result tt_prompt_key(struct tt_prompt *prompt, uint32_t key, enum tt_do action)
{
    switch (action) {
    case TT_DO_EDIT_ACCEPT:
        return finish(prompt, TT_PROMPT_ACCEPTED);
    case TT_DO_EDIT_CANCEL:
        return finish(prompt, TT_PROMPT_CANCELLED);
    case TT_DO_EDIT_LEFT:
        prompt->caret = before(prompt, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_RIGHT:
        prompt->caret = after(prompt, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_HOME:
        prompt->caret = 0;
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_END:
        prompt->caret = prompt->length;
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_BACKSPACE:
        if (prompt->length == 0) {
            return finish(prompt, TT_PROMPT_CANCELLED);
        }
        erase(prompt, before(prompt, prompt->caret), prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE:
        erase(prompt, prompt->caret, after(prompt, prompt->caret));
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_WORD:
        erase(prompt, word_before(prompt), prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_ALL:
        erase(prompt, 0, prompt->caret);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_DELETE_REST:
        erase(prompt, prompt->caret, prompt->length);
        return TT_PROMPT_EDITED;
    case TT_DO_EDIT_OLDER:
    case TT_DO_EDIT_NEWER:
        return recall(prompt, action == TT_DO_EDIT_OLDER) ? TT_PROMPT_EDITED : TT_PROMPT_IGNORED;
    default:
        return tt_key_is_text(key) && insert(prompt, key) ? TT_PROMPT_EDITED : TT_PROMPT_IGNORED;
    }
}
