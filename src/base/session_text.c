/* SPDX-License-Identifier: Apache-2.0 */
/* session_text: writes, checks and parses the text of sessions. */
#include "base/session_text.h"
#include "base/digits.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void tt_session_word(struct tt_text *text, const char *word)
{
    tt_text_char(text, ' ');
    tt_text_str(text, word[0] ? "" : "%");
    for (; *word; word++) {
        unsigned char c = (unsigned char)*word;
        if (c <= ' ' || c == '%' || c == 0x7f) {
            tt_text_char(text, '%');
            tt_text_hex(text, c, 2);
        } else {
            tt_text_char(text, *word);
        }
    }
}

static int session_text_hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

void tt_session_unescape(char *word)
{
    char *out = word;
    for (; *word; word++) {
        int high = *word == '%' ? session_text_hex_digit(word[1]) : -1;
        int low = high >= 0 ? session_text_hex_digit(word[2]) : -1;
        if (low >= 0 && (high || low)) {
            *out++ = (char)(high << 4 | low);
            word += 2;
        } else if (*word != '%') {
            *out++ = *word;
        }
    }
    *out = '\0';
}

void tt_session_numbers(struct tt_text *text, const char *word, const uint64_t *numbers,
                        size_t count)
{
    tt_text_str(text, word);
    for (size_t i = 0; i < count; i++) {
        tt_text_char(text, ' ');
        tt_text_u64(text, numbers[i]);
    }
}

void tt_session_finish(struct tt_text *text)
{
    uint64_t hash = XXH3_64bits(text->buffer, text->used);
    tt_text_str(text, "end ");
    tt_text_hex(text, hash, 16);
    tt_text_char(text, '\n');
}

struct tt_status tt_session_check(const char *text, size_t length)
{
    const size_t end = 4 + 16 + 1; /* "end ", 16 digits, newline */
    size_t head = strlen(TT_SESSION_HEAD);
    if (length < head + end || memcmp(text, TT_SESSION_HEAD, head) != 0) {
        return tt_error(TT_ERR_FORMAT, "not a session of this version");
    }
    char last[32];
    struct tt_text expected = tt_text_of(last, sizeof last);
    tt_text_str(&expected, "end ");
    tt_text_hex(&expected, XXH3_64bits(text, length - end), 16);
    tt_text_char(&expected, '\n');
    if (memcmp(text + length - end, last, end) != 0 || memchr(text, '\0', length)) {
        return tt_error(TT_ERR_FORMAT, "damaged");
    }
    return tt_ok();
}

int tt_session_split(char *line, char *words[TT_SESSION_WORDS])
{
    int count = 0;
    for (char *at = line; *at && count < TT_SESSION_WORDS;) {
        words[count++] = at;
        at += strcspn(at, " ");
        if (*at) {
            *at++ = '\0';
        }
    }
    return count;
}

bool tt_session_number(const char *word, uint64_t *value)
{
    return tt_digits_pass(&word, value) && *word == '\0';
}
