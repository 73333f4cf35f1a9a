/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_text: the form of the text of a session: a first line with the version, lines of words, a
 * last line with the XXH3 of all before it. tui/app/session.h has the lines.
 *
 * Any thread.
 */
#ifndef TT_BASE_SESSION_TEXT_H
#define TT_BASE_SESSION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"
#include "tracetui/text.h"

#define TT_SESSION_HEAD  "tracetui-session 1\n"
#define TT_SESSION_WORDS 40 /* of a line; the rest of the line is not read */

/* Writes a blank and a word; blanks and controls become %XX, an empty word "%". */
void tt_session_word(struct tt_text *text, const char *word);
/* Decodes the escapes, in place. */
void tt_session_unescape(char *word);
/* Writes a word and `count` numbers, without a newline. */
void tt_session_numbers(struct tt_text *text, const char *word, const uint64_t *numbers,
                        size_t count);
/* Writes the last line. */
void tt_session_finish(struct tt_text *text);

/* Checks the first and the last line. TT_ERR_FORMAT. */
struct tt_status tt_session_check(const char *text, size_t length);
/* Splits a line at its blanks, in place; returns the number of words. */
int tt_session_split(char *line, char *words[TT_SESSION_WORDS]);
/* Parses a decimal number; false if the word is none. */
bool tt_session_number(const char *word, uint64_t *value);

#endif
