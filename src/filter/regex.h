/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_regex: PCRE2 with bounds. A compiled regex never changes and is shared by all threads;
 * what a match needs (its data, its JIT stack) belongs to one thread's tools.
 *
 * As rg -P -S: UTF-8 and Unicode classes, case ignored unless the pattern has an upper-case letter
 * that is not escaped. Subjects are valid UTF-8 without a newline.
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
 * NULL: *offset is the byte of the pattern that it is about, `message` (of TT_REGEX_MESSAGE bytes)
 * says what is wrong; an empty message: out of memory.
 */
struct tt_regex *tt_regex_new(const char *pattern, size_t length, size_t *offset, char *message);
void tt_regex_free(struct tt_regex *regex);
/* Are upper and lower case alike where the pattern itself says nothing else? */
bool tt_regex_ignores_case(const struct tt_regex *regex);

struct tt_regex_tools *tt_regex_tools_new(void); /* NULL: out of memory */
void tt_regex_tools_free(struct tt_regex_tools *tools);

enum tt_regex_answer tt_regex_match(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                    const char *subject, size_t length);

/* The same of matches that begin at byte `from`, where a character begins, or behind it. */
enum tt_regex_answer tt_regex_match_from(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                         const char *subject, size_t length, size_t from);

/* The bytes [*start, *end) of the subject that matched last. */
void tt_regex_matched(const struct tt_regex_tools *tools, size_t *start, size_t *end);

/* For tests: matches by the interpreter from now on. */
void tt_regex_tools_interpret(struct tt_regex_tools *tools);

#endif
