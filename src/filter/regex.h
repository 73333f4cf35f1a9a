/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_regex: PCRE2 with limits. A compiled regex is immutable and shared by all threads; the
 * data of a match (match data, JIT stack) belong to one thread's tools.
 *
 * Semantics of rg -P -S: UTF-8 and Unicode classes; case is ignored unless the pattern has an
 * unescaped upper-case letter. Subjects are valid UTF-8 without a newline.
 */
#ifndef TRACETUI_FILTER_REGEX_H
#define TRACETUI_FILTER_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_regex;
struct tt_regex_tools;

enum tt_regex_answer { TT_REGEX_NO, TT_REGEX_YES, TT_REGEX_GAVE_UP };

#define TT_REGEX_MESSAGE 160

/*
 * Compiles a pattern. On failure returns NULL with the position of the error in *offset (bytes) and
 * its text in `message` (TT_REGEX_MESSAGE bytes); an empty message means out of memory.
 */
struct tt_regex *tt_regex_new(const char *pattern, size_t length, size_t *offset, char *message);
void tt_regex_free(struct tt_regex *regex);
/* Returns whether case is ignored where the pattern has no option of its own. */
bool tt_regex_ignores_case(const struct tt_regex *regex);

struct tt_regex_tools *tt_regex_tools_new(void); /* NULL if out of memory */
void tt_regex_tools_free(struct tt_regex_tools *tools);

enum tt_regex_answer tt_regex_match(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                    const char *subject, size_t length);

/* Finds a match that begins at byte `from`, a character boundary, or later. */
enum tt_regex_answer tt_regex_match_from(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                         const char *subject, size_t length, size_t from);

/* Returns the bytes [*start, *end) of the subject that matched last. */
void tt_regex_matched(const struct tt_regex_tools *tools, size_t *start, size_t *end);

/* Disables the JIT from now on; for tests. */
void tt_regex_tools_interpret(struct tt_regex_tools *tools);

#endif
