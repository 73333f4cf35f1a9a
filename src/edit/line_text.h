/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_text: positions and changes in one line of UTF-8. Positions are byte offsets at the start of a
 * character. Pure functions; any thread.
 */
#ifndef TT_EDIT_LINE_TEXT_H
#define TT_EDIT_LINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

static inline bool tt_line_text_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns the start of the character before `at`; 0 at the start. */
size_t tt_line_text_before(const char *text, size_t at);
/* Returns the start of the character after the one at `at`; `length` at the end. */
size_t tt_line_text_after(const char *text, size_t length, size_t at);
/* Returns the start of the word before `at`; words are separated by spaces. */
size_t tt_line_text_word_before(const char *text, size_t at);

/*
 * Replaces bytes [from, to) of the NUL-terminated text by `count` bytes. False, without a change, if
 * the result and its NUL need more than `capacity` bytes.
 */
bool tt_line_text_replace(char *text, size_t capacity, size_t *length, size_t from, size_t to,
                          const char *bytes, size_t count);

#endif
