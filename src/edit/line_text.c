/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/line_text.h"

#include <string.h>

size_t tt_line_text_before(const char *text, size_t at)
{
    do {
        at -= at > 0;
    } while (at > 0 && tt_line_text_continues(text[at]));
    return at;
}

size_t tt_line_text_after(const char *text, size_t length, size_t at)
{
    do {
        at += at < length;
    } while (at < length && tt_line_text_continues(text[at]));
    return at;
}

size_t tt_line_text_word_before(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] == ' ') {
        at--;
    }
    while (at > 0 && text[at - 1] != ' ') {
        at--;
    }
    return at;
}

bool tt_line_text_replace(char *text, size_t capacity, size_t *length, size_t from, size_t to,
                          const char *bytes, size_t count)
{
    size_t replaced = *length - (to - from) + count;
    if (replaced >= capacity) {
        return false;
    }
    memmove(text + from + count, text + to, *length - to + 1);
    memcpy(text + from, bytes, count);
    *length = replaced;
    return true;
}
