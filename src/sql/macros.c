/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/macros.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct span {
    const char *at;
    size_t length;
};

struct sql_macro {
    char *head; /* "name(a, b)": the spans point into it */
    char *text;
    struct span name;
    struct span parameters[SQL_MACRO_PARAMS];
    size_t count;
};

struct buffer {
    char *v;
    size_t used, capacity;
    bool no_memory;
};

static void macros_append(struct buffer *buffer, const char *bytes, size_t length)
{
    char *more = buffer->no_memory
                     ? NULL
                     : tt_array_reserve(buffer->v, buffer->used + length + 1, &buffer->capacity, 1);
    if (!more) {
        buffer->no_memory = true;
        return;
    }
    buffer->v = more;
    memcpy(buffer->v + buffer->used, bytes, length);
    buffer->used += length;
    buffer->v[buffer->used] = '\0';
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t macros_name_length(const char *p)
{
    size_t length = 0;
    while (starts_name(p[length]) || (length > 0 && isdigit((unsigned char)p[length]))) {
        length++;
    }
    return length;
}

static bool same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Returns the end of a text in quotes, which closes with `quote`. */
static const char *skip_quoted(const char *p, char quote)
{
    p++;
    while (*p && *p != quote) {
        p++;
    }
    return *p ? p + 1 : p;
}

/* Returns the end of the text, comment or single byte at `p` in a query. */
static const char *skip_token(const char *p)
{
    if (*p == '\'' || *p == '"' || *p == '`') {
        return skip_quoted(p, *p);
    }
    if (*p == '[') {
        return skip_quoted(p, ']');
    }
    if (p[0] == '-' && p[1] == '-') {
        return p + strcspn(p, "\n");
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    return p + 1;
}

static struct span macros_trimmed(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from)) {
        from++;
    }
    while (to > from && isspace((unsigned char)to[-1])) {
        to--;
    }
    return (struct span){from, (size_t)(to - from)};
}

/*
 * Splits "(a, b)" at `p` and sets *end to the text after it. Returns the number of arguments, or
 * SQL_MACRO_PARAMS + 1 if there are more or no parenthesis closes.
 */
static size_t macros_split(const char *p, struct span *arguments, const char **end)
{
    size_t count = 0, depth = 0;
    const char *from = p + 1;
    for (; *p; p = skip_token(p)) {
        depth += *p == '(';
        bool closes = *p == ')' && depth == 1;
        if (closes || (*p == ',' && depth == 1)) {
            struct span argument = macros_trimmed(from, p);
            if (count == SQL_MACRO_PARAMS) {
                return SQL_MACRO_PARAMS + 1;
            }
            if (!closes || count > 0 || argument.length > 0) {
                arguments[count++] = argument;
            }
            from = p + 1;
        }
        if (closes) {
            *end = p + 1;
            return count;
        }
        depth -= *p == ')' && depth > 0;
    }
    return SQL_MACRO_PARAMS + 1;
}

/* ---- definitions ---------------------------------------------------------------------------- */

static void free_macro(struct sql_macro *macro)
{
    free(macro->head);
    free(macro->text);
}

static struct sql_macro *macros_find(const struct sql_macros *macros, struct span name)
{
    for (size_t i = 0; i < macros->count; i++) {
        if (same(macros->v[i].name, name)) {
            return &macros->v[i];
        }
    }
    return NULL;
}

/* Reads the head of a macro. Returns false if it is not valid. */
static bool macros_read_head(struct sql_macro *macro)
{
    struct span head = macros_trimmed(macro->head, macro->head + strlen(macro->head));
    const char *end = head.at + head.length;
    macro->name = (struct span){head.at, macros_name_length(head.at)};
    const char *rest = head.at + macro->name.length;
    if (macro->name.length == 0) {
        return false;
    }
    if (rest == end) {
        return true;
    }
    if (*rest != '(') {
        return false;
    }
    macro->count = macros_split(rest, macro->parameters, &rest);
    bool valid = macro->count <= SQL_MACRO_PARAMS && rest == end;
    for (size_t i = 0; valid && i < macro->count; i++) {
        struct span parameter = macro->parameters[i];
        valid = parameter.length > 0 && macros_name_length(parameter.at) == parameter.length;
    }
    return valid;
}

struct tt_status sql_macros_add(struct sql_macros *macros, const char *head, const char *text)
{
    struct sql_macro macro = {.head = strdup(head), .text = strdup(text)};
    if (!macro.head || !macro.text) {
        free_macro(&macro);
        return tt_error_memory();
    }
    if (!macros_read_head(&macro)) {
        free_macro(&macro);
        return tt_error(TT_ERR_USAGE, "macro '%s': expected NAME or NAME(PARAMETER, ...)", head);
    }
    struct sql_macro *old = macros_find(macros, macro.name);
    if (old) {
        free_macro(old);
        *old = macro;
        return tt_ok();
    }
    struct sql_macro *more =
        tt_array_grow(macros->v, macros->count, &macros->capacity, sizeof *more);
    if (!more) {
        free_macro(&macro);
        return tt_error_memory();
    }
    macros->v = more;
    macros->v[macros->count++] = macro;
    return tt_ok();
}

void sql_macros_free(struct sql_macros *macros)
{
    for (size_t i = 0; i < macros->count; i++) {
        free_macro(&macros->v[i]);
    }
    free(macros->v);
}

/* ---- expansion ------------------------------------------------------------------------------ */

/* Appends a macro's text with its parameters replaced. */
static void append_macro(struct buffer *out, const struct sql_macro *macro,
                         const struct span *arguments)
{
    const char *p = macro->text;
    while (*p) {
        size_t length = *p == '$' ? macros_name_length(p + 1) : 0;
        size_t i = 0;
        while (length > 0 && i < macro->count &&
               !same(macro->parameters[i], (struct span){p + 1, length})) {
            i++;
        }
        if (length > 0 && i < macro->count) {
            macros_append(out, arguments[i].at, arguments[i].length);
            p += 1 + length;
        } else {
            macros_append(out, p, 1);
            p++;
        }
    }
}

/* Replaces the calls of a text once; *calls is their number. */
static struct tt_status expand_once(const struct sql_macros *macros, const char *p,
                                    struct buffer *out, size_t *calls)
{
    *calls = 0;
    while (*p) {
        struct span name = {p + 1, *p == '@' ? macros_name_length(p + 1) : 0};
        if (name.length == 0) {
            const char *end = skip_token(p);
            macros_append(out, p, (size_t)(end - p));
            p = end;
            continue;
        }
        const struct sql_macro *macro = macros_find(macros, name);
        struct span arguments[SQL_MACRO_PARAMS];
        const char *end = name.at + name.length;
        size_t count =
            *end == '(' && (!macro || macro->count > 0) ? macros_split(end, arguments, &end) : 0;
        if (!macro) {
            return tt_error(TT_ERR_USAGE, "there is no macro @%.*s", (int)name.length, name.at);
        }
        if (count != macro->count) {
            return tt_error(TT_ERR_USAGE, "macro @%.*s needs %zu arguments", (int)name.length,
                            name.at, macro->count);
        }
        append_macro(out, macro, arguments);
        p = end;
        ++*calls;
        if (out->no_memory || out->used > SQL_MACRO_BYTES) {
            break;
        }
    }
    return out->no_memory                ? tt_error_memory()
           : out->used > SQL_MACRO_BYTES ? tt_error(TT_ERR_USAGE, "the expanded query is too long")
                                         : tt_ok();
}

struct tt_status sql_macros_expand(const struct sql_macros *macros, const char *query,
                                   char **expanded)
{
    char *text = NULL;
    struct tt_status status = tt_ok();
    *expanded = NULL;
    for (unsigned depth = 0; !tt_failed(&status); depth++) {
        struct buffer out = {0};
        size_t calls;
        status = expand_once(macros, text ? text : query, &out, &calls);
        if (tt_failed(&status) || calls == 0) {
            free(out.v);
            break;
        }
        free(text);
        text = out.v;
        if (depth == SQL_MACRO_DEPTH) {
            status =
                tt_error(TT_ERR_USAGE, "macros use each other more than %u deep", SQL_MACRO_DEPTH);
        }
    }
    if (tt_failed(&status)) {
        free(text);
        return status;
    }
    *expanded = text;
    return tt_ok();
}
