/* SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "filter/regex.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * With these limits a hostile pattern costs some ten microseconds per line. Compiled code counts
 * far fewer steps than the interpreter for the same match.
 */
#define STEPS_COMPILED    10000u
#define STEPS_INTERPRETED 100000u
#define HEAP_KIB          4096u
#define STACK_FIRST       ((size_t)32 * 1024)
#define STACK_MOST        ((size_t)1024 * 1024)

/*
 * The compile time of nested groups grows with PCRE2's own limit of 250; handwritten patterns need
 * less.
 */
#define NESTING_MOST 100u

#define OPTIONS (PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C)

struct tt_regex {
    pcre2_code *code;
    bool compiled;
    bool ignores_case;
};

struct tt_regex_tools {
    pcre2_match_data *data;
    pcre2_match_context *compiled;
    pcre2_match_context *interpreted;
    pcre2_jit_stack *stack; /* NULL: the library has no JIT */
    bool interpret;
};

/* Returns whether the pattern has an upper-case letter outside escapes, by the rule of rg -S -P. */
static bool has_upper_case(const char *pattern, size_t length)
{
    static const char looks_for[] = "\\A(?:\\\\.|[^\\\\\\p{Lu}])*+\\p{Lu}";
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)looks_for, PCRE2_ZERO_TERMINATED,
                                     PCRE2_UTF | PCRE2_DOTALL, &error, &offset, NULL);
    pcre2_match_data *data = code ? pcre2_match_data_create(1, NULL) : NULL;
    bool found = data && pcre2_match(code, (PCRE2_SPTR)pattern, length, 0, 0, data, NULL) >= 0;
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return found;
}

static pcre2_code *compile(const char *pattern, size_t length, bool ignore_case, int *error,
                           PCRE2_SIZE *offset)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context) {
        *error = PCRE2_ERROR_NOMEMORY;
        return NULL;
    }
    pcre2_set_parens_nest_limit(context, NESTING_MOST);
    uint32_t options = OPTIONS | (ignore_case ? PCRE2_CASELESS : 0);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, length, options, error, offset, context);
    pcre2_compile_context_free(context);
    return code;
}

struct tt_regex *tt_regex_new(const char *pattern, size_t length, size_t *offset, char *message)
{
    int error = 0;
    PCRE2_SIZE at = 0;
    message[0] = '\0';
    *offset = 0;
    struct tt_regex *regex = calloc(1, sizeof *regex);
    if (!regex) {
        return NULL;
    }
    regex->ignores_case = !has_upper_case(pattern, length);
    regex->code = compile(pattern, length, regex->ignores_case, &error, &at);
    if (!regex->code) {
        free(regex);
        *offset = at <= length ? at : length;
        if (error != PCRE2_ERROR_NOMEMORY && error != 121 /* out of memory while compiling */) {
            pcre2_get_error_message(error, (PCRE2_UCHAR *)message, TT_REGEX_MESSAGE);
        }
        return NULL;
    }
    regex->compiled = pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE) == 0;
    return regex;
}

void tt_regex_free(struct tt_regex *regex)
{
    if (regex) {
        pcre2_code_free(regex->code);
        free(regex);
    }
}

bool tt_regex_ignores_case(const struct tt_regex *regex)
{
    return regex->ignores_case;
}

struct tt_regex_tools *tt_regex_tools_new(void)
{
    struct tt_regex_tools *tools = calloc(1, sizeof *tools);
    if (!tools) {
        return NULL;
    }
    tools->data = pcre2_match_data_create(1, NULL);
    tools->compiled = pcre2_match_context_create(NULL);
    tools->interpreted = pcre2_match_context_create(NULL);
    tools->stack = pcre2_jit_stack_create(STACK_FIRST, STACK_MOST, NULL);
    if (!tools->data || !tools->compiled || !tools->interpreted) {
        tt_regex_tools_free(tools);
        return NULL;
    }
    pcre2_set_match_limit(tools->compiled, STEPS_COMPILED);
    pcre2_set_match_limit(tools->interpreted, STEPS_INTERPRETED);
    pcre2_set_heap_limit(tools->interpreted, HEAP_KIB);
    if (tools->stack) {
        pcre2_jit_stack_assign(tools->compiled, NULL, tools->stack);
    }
    return tools;
}

void tt_regex_tools_free(struct tt_regex_tools *tools)
{
    if (tools) {
        pcre2_match_data_free(tools->data);
        pcre2_match_context_free(tools->compiled);
        pcre2_match_context_free(tools->interpreted);
        pcre2_jit_stack_free(tools->stack);
        free(tools);
    }
}

void tt_regex_tools_interpret(struct tt_regex_tools *tools)
{
    tools->interpret = true;
}

enum tt_regex_answer tt_regex_match(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                    const char *subject, size_t length)
{
    return tt_regex_match_from(regex, tools, subject, length, 0);
}

enum tt_regex_answer tt_regex_match_from(const struct tt_regex *regex, struct tt_regex_tools *tools,
                                         const char *subject, size_t length, size_t from)
{
    int result = PCRE2_ERROR_JIT_STACKLIMIT;
    if (regex->compiled && !tools->interpret) {
        result = pcre2_jit_match(regex->code, (PCRE2_SPTR)subject, length, from, 0, tools->data,
                                 tools->compiled);
    }
    if (result == PCRE2_ERROR_JIT_STACKLIMIT || result == PCRE2_ERROR_JIT_BADOPTION) {
        result = pcre2_match(regex->code, (PCRE2_SPTR)subject, length, from,
                             PCRE2_NO_JIT | PCRE2_NO_UTF_CHECK, tools->data, tools->interpreted);
    }
    if (result >= 0) {
        return TT_REGEX_YES;
    }
    return result == PCRE2_ERROR_NOMATCH ? TT_REGEX_NO : TT_REGEX_GAVE_UP;
}

void tt_regex_matched(const struct tt_regex_tools *tools, size_t *start, size_t *end)
{
    const PCRE2_SIZE *pair = pcre2_get_ovector_pointer(tools->data);
    *start = pair[0] <= pair[1] ? pair[0] : pair[1]; /* \K may reverse them */
    *end = pair[1];
}
