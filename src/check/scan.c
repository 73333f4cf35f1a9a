/* SPDX-License-Identifier: Apache-2.0 */
#include "check/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct scan {
    const char *line;
    size_t at;
    struct tt_arena *texts;
    struct tt_tokens *tokens;
    struct tt_status status;
    uint32_t column; /* of the error */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

uint32_t tt_scan_column(const char *line, size_t byte)
{
    uint32_t column = 1;
    for (size_t i = 0; i < byte; i++) {
        column += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return column;
}

static bool fail(struct scan *s, size_t byte, const char *text)
{
    s->column = tt_scan_column(s->line, byte);
    s->status = tt_error(TT_ERR_USAGE, "%s", text);
    return false;
}

static bool no_memory(struct scan *s)
{
    s->status = tt_error_memory();
    return false;
}

/* Returns whether a comment begins here: # at the start or between blanks. */
static bool is_comment(const char *line, size_t at)
{
    return line[at] == '#' && (at == 0 || is_blank(line[at - 1])) &&
           (line[at + 1] == '\0' || is_blank(line[at + 1]) || line[at + 1] == '#' || at == 0);
}

/* Returns the byte after a text in quotes or between slashes; 0 if it has no end. */
static size_t enclosed_end(const char *line, size_t at)
{
    char close = line[at];
    for (at++; line[at] != '\0'; at++) {
        if (line[at] == '\\' && line[at + 1] != '\0') {
            at++;
        } else if (line[at] == close) {
            return at + 1;
        }
    }
    return 0;
}

/* Returns whether a slash in a filter begins a regex: after ~ ( or an operator word. */
static bool begins_regex(const char *line, size_t open, size_t at)
{
    static const char *const words[] = {"and", "or", "not"};
    size_t before = at;
    while (before > open + 1 && is_blank(line[before - 1])) {
        before--;
    }
    if (before == open + 1 || strchr("~(", line[before - 1])) {
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words && before < at; i++) {
        size_t length = strlen(words[i]);
        if (before >= open + 1 + length && strncmp(line + before - length, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the byte after the brace that closes the one at `open`; 0 if there is none. */
static size_t filter_end(const char *line, size_t open)
{
    unsigned depth = 1;
    for (size_t at = open + 1; line[at] != '\0';) {
        if (line[at] == '"' || (line[at] == '/' && begins_regex(line, open, at))) {
            size_t end = enclosed_end(line, at);
            if (end == 0) {
                return 0;
            }
            at = end;
            continue;
        }
        depth += line[at] == '{';
        depth -= line[at] == '}';
        at++;
        if (depth == 0) {
            return at;
        }
    }
    return 0;
}

size_t tt_scan_end(const char *line, size_t at)
{
    return line[at] == '{' ? filter_end(line, at) : enclosed_end(line, at);
}

static bool add(struct scan *s, enum tt_token_kind kind, size_t from, size_t to, const char *text,
                size_t length)
{
    struct tt_tokens *t = s->tokens;
    struct tt_token *room = tt_array_grow(t->items, t->count, &t->capacity, sizeof *t->items);
    char *copy = room ? tt_arena_text(s->texts, text, length) : NULL;
    if (room) {
        t->items = room;
    }
    if (!copy) {
        return no_memory(s);
    }
    t->items[t->count++] = (struct tt_token){.kind = kind,
                                             .text = copy,
                                             .column = tt_scan_column(s->line, from),
                                             .from = from,
                                             .to = to};
    s->at = to;
    return true;
}

/* Adds a text in quotes; a backslash makes the next character part of the text. */
static bool add_quoted(struct scan *s)
{
    size_t from = s->at, end = enclosed_end(s->line, from), used = 0;
    if (end == 0) {
        return fail(s, from, "the quoted text has no end");
    }
    char *text = malloc(end - from);
    if (!text) {
        return no_memory(s);
    }
    for (size_t i = from + 1; i + 1 < end; i++) {
        i += s->line[i] == '\\';
        text[used++] = s->line[i];
    }
    bool ok = add(s, TT_TOKEN_QUOTED, from, end, text, used);
    free(text);
    return ok;
}

/* Returns the number of bytes of an operator at `p`; 0: none. */
static size_t operator_at(const char *p)
{
    static const char *const operators[] = {"->", "<=", ">=", "==", "!=", "!~", "<", ">", "=", "~"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i]);
        if (strncmp(p, operators[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Returns whether the last token is ~ or !~. */
static bool wants_regex(const struct tt_tokens *t)
{
    const struct tt_token *last = t->count > 0 ? &t->items[t->count - 1] : NULL;
    return last && last->kind == TT_TOKEN_OP &&
           (strcmp(last->text, "~") == 0 || strcmp(last->text, "!~") == 0);
}

/* Adds a word; after ~ it is a regex up to the next blank. */
static bool add_word(struct scan *s)
{
    size_t from = s->at, end = from;
    bool regex = wants_regex(s->tokens);
    while (s->line[end] != '\0' && !is_blank(s->line[end]) &&
           (regex || (!operator_at(s->line + end) && s->line[end] != '{' && s->line[end] != '"'))) {
        end++;
    }
    return add(s, regex ? TT_TOKEN_REGEX : TT_TOKEN_WORD, from, end, s->line + from, end - from);
}

/* Adds the next token; a regex or a filter without what encloses it. */
static bool next_token(struct scan *s)
{
    const char *p = s->line + s->at;
    size_t op = operator_at(p), end;
    if (op > 0) {
        return add(s, TT_TOKEN_OP, s->at, s->at + op, p, op);
    }
    if (*p == '"') {
        return add_quoted(s);
    }
    if (*p == '}') {
        return fail(s, s->at, "a closing brace without an opening one");
    }
    bool filter = *p == '{';
    if (!filter && (*p != '/' || !wants_regex(s->tokens))) {
        return add_word(s);
    }
    end = tt_scan_end(s->line, s->at);
    if (end == 0) {
        return fail(s, s->at,
                    filter ? "the filter has no end: a brace is missing"
                           : "the regex has no end: a slash is missing");
    }
    return add(s, filter ? TT_TOKEN_FILTER : TT_TOKEN_REGEX, s->at, end, p + 1, end - s->at - 2);
}

/* Finds the name of the rule: the text before a colon that a blank follows. */
static bool find_name(struct scan *s)
{
    const char *line = s->line;
    size_t from = s->at;
    for (size_t at = from; line[at] != '\0' && !strchr("{\"~<>=", line[at]); at++) {
        if (line[at] == ':' && (line[at + 1] == '\0' || is_blank(line[at + 1]))) {
            size_t end = at;
            while (end > from && is_blank(line[end - 1])) {
                end--;
            }
            s->tokens->name = tt_arena_text(s->texts, line + from, end - from);
            s->at = at + 1;
            if (!s->tokens->name) {
                return no_memory(s);
            }
            return end > from || fail(s, from, "the name before the colon is missing");
        }
        if (is_comment(line, at)) {
            break;
        }
    }
    return true;
}

static void skip_blanks(struct scan *s)
{
    while (is_blank(s->line[s->at])) {
        s->at++;
    }
}

struct tt_status tt_scan(const char *line, struct tt_arena *texts, struct tt_tokens *tokens,
                         uint32_t *column)
{
    struct scan s = {.line = line, .texts = texts, .tokens = tokens, .status = tt_ok()};
    *tokens = (struct tt_tokens){0};
    skip_blanks(&s);
    bool ok = is_comment(line, s.at) || find_name(&s);
    skip_blanks(&s);
    tokens->body = s.at;
    while (ok && line[s.at] != '\0' && !is_comment(line, s.at)) {
        ok = next_token(&s);
        tokens->end = s.at;
        skip_blanks(&s);
    }
    tokens->end = tokens->end < tokens->body ? tokens->body : tokens->end;
    ok = ok && add(&s, TT_TOKEN_END, tokens->end, tokens->end, "", 0);
    if (!ok) {
        free(tokens->items);
        *tokens = (struct tt_tokens){0};
        *column = s.column;
    }
    return s.status;
}
