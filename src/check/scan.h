/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan: the tokens of a line of a rules file.
 *
 *      woken in time: delay p99 of thread ~ /^sensor/ < 200us     # comment
 *      |name          |word |word  |   |op|regex     |op|word
 *
 * A word ends at a blank or an operator. Braces enclose a filter (docs/filter.md), which ends at its
 * closing brace outside quotes and regexes. Columns count characters from 1.
 */
#ifndef TT_CHECK_SCAN_H
#define TT_CHECK_SCAN_H

#include "base/arena.h"
#include "tracetui/status.h"

enum tt_token_kind {
    TT_TOKEN_END,
    TT_TOKEN_WORD,
    TT_TOKEN_QUOTED,
    TT_TOKEN_REGEX,
    TT_TOKEN_FILTER,
    TT_TOKEN_OP
};

struct tt_token {
    enum tt_token_kind kind;
    const char *text; /* NUL-terminated: unescaped, without quotes, slashes and braces */
    uint32_t column;
    size_t from, to; /* bytes of the line, [from, to) */
};

struct tt_tokens {
    struct tt_token *items; /* the last one is TT_TOKEN_END */
    size_t count;
    size_t capacity;
    const char *name; /* text before the colon, or NULL */
    size_t body;      /* byte after the colon and blanks */
    size_t end;       /* byte after the last token */
};

/*
 * Splits a line. On success the caller frees tokens->items; the texts are in the arena. TT_ERR_USAGE
 * with the column of the error in *column, or TT_ERR_MEMORY.
 */
struct tt_status tt_scan(const char *line, struct tt_arena *texts, struct tt_tokens *tokens,
                         uint32_t *column);
/* Returns the column of a byte of a line. */
uint32_t tt_scan_column(const char *line, size_t byte);

/*
 * Returns the byte after the text in quotes, the regex between slashes or the filter in braces that begins at
 * `at`; 0: it has no end.
 */
size_t tt_scan_end(const char *line, size_t at);

#endif
