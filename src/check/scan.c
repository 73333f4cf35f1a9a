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

static bool scan_is_blank(char c)
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

static bool scan_fail(struct scan *scan, size_t byte, const char *text)
{
    scan->column = tt_scan_column(scan->line, byte);
    scan->status = tt_error(TT_ERR_USAGE, "%s", text);
    return false;
}

static bool scan_no_memory(struct scan *scan)
{
    scan->status = tt_error_memory();
    return false;
}

/* Returns whether a comment begins here: # at the start or between blanks. */
static bool is_comment(const char *line, size_t at)
{
    return line[at] == '#' && (at == 0 || scan_is_blank(line[at - 1])) &&
           (line[at + 1] == '\0' || scan_is_blank(line[at + 1]) || line[at + 1] == '#' || at == 0);
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
    while (before > open + 1 && scan_is_blank(line[before - 1])) {
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

static bool scan_add(struct scan *scan, enum tt_token_kind kind, size_t from, size_t to,
                     const char *text, size_t length)
{
    struct tt_tokens *tokens = scan->tokens;
    struct tt_token *room =
        tt_array_grow(tokens->items, tokens->count, &tokens->capacity, sizeof *tokens->items);
    char *copy = room ? tt_arena_text(scan->texts, text, length) : NULL;
    if (room) {
        tokens->items = room;
    }
    if (!copy) {
        return scan_no_memory(scan);
    }
    tokens->items[tokens->count++] = (struct tt_token){.kind = kind,
                                                       .text = copy,
                                                       .column = tt_scan_column(scan->line, from),
                                                       .from = from,
                                                       .to = to};
    scan->at = to;
    return true;
}

/* Adds a text in quotes; a backslash makes the next character part of the text. */
static bool add_quoted(struct scan *scan)
{
    size_t from = scan->at, end = enclosed_end(scan->line, from), used = 0;
    if (end == 0) {
        return scan_fail(scan, from, "the quoted text has no end");
    }
    char *text = malloc(end - from);
    if (!text) {
        return scan_no_memory(scan);
    }
    for (size_t i = from + 1; i + 1 < end; i++) {
        i += scan->line[i] == '\\';
        text[used++] = scan->line[i];
    }
    bool ok = scan_add(scan, TT_TOKEN_QUOTED, from, end, text, used);
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
static bool wants_regex(const struct tt_tokens *tokens)
{
    const struct tt_token *last = tokens->count > 0 ? &tokens->items[tokens->count - 1] : NULL;
    return last && last->kind == TT_TOKEN_OP &&
           (strcmp(last->text, "~") == 0 || strcmp(last->text, "!~") == 0);
}

/* Adds a word; after ~ it is a regex up to the next blank. */
static bool scan_add_word(struct scan *scan)
{
    size_t from = scan->at, end = from;
    bool regex = wants_regex(scan->tokens);
    while (scan->line[end] != '\0' && !scan_is_blank(scan->line[end]) &&
           (regex ||
            (!operator_at(scan->line + end) && scan->line[end] != '{' && scan->line[end] != '"'))) {
        end++;
    }
    return scan_add(scan, regex ? TT_TOKEN_REGEX : TT_TOKEN_WORD, from, end, scan->line + from,
                    end - from);
}

/* Adds the next token; a regex or a filter without what encloses it. */
static bool next_token(struct scan *scan)
{
    const char *p = scan->line + scan->at;
    size_t op = operator_at(p), end;
    if (op > 0) {
        return scan_add(scan, TT_TOKEN_OP, scan->at, scan->at + op, p, op);
    }
    if (*p == '"') {
        return add_quoted(scan);
    }
    if (*p == '}') {
        return scan_fail(scan, scan->at, "a closing brace without an opening one");
    }
    bool filter = *p == '{';
    if (!filter && (*p != '/' || !wants_regex(scan->tokens))) {
        return scan_add_word(scan);
    }
    end = tt_scan_end(scan->line, scan->at);
    if (end == 0) {
        return scan_fail(scan, scan->at,
                         filter ? "the filter has no end: a brace is missing"
                                : "the regex has no end: a slash is missing");
    }
    return scan_add(scan, filter ? TT_TOKEN_FILTER : TT_TOKEN_REGEX, scan->at, end, p + 1,
                    end - scan->at - 2);
}

/* Finds the name of the rule: the text before a colon that a blank follows. */
static bool find_name(struct scan *scan)
{
    const char *line = scan->line;
    size_t from = scan->at;
    for (size_t at = from; line[at] != '\0' && !strchr("{\"~<>=", line[at]); at++) {
        if (line[at] == ':' && (line[at + 1] == '\0' || scan_is_blank(line[at + 1]))) {
            size_t end = at;
            while (end > from && scan_is_blank(line[end - 1])) {
                end--;
            }
            scan->tokens->name = tt_arena_text(scan->texts, line + from, end - from);
            scan->at = at + 1;
            if (!scan->tokens->name) {
                return scan_no_memory(scan);
            }
            return end > from || scan_fail(scan, from, "the name before the colon is missing");
        }
        if (is_comment(line, at)) {
            break;
        }
    }
    return true;
}

static void scan_skip_blanks(struct scan *scan)
{
    while (scan_is_blank(scan->line[scan->at])) {
        scan->at++;
    }
}

struct tt_status tt_scan(const char *line, struct tt_arena *texts, struct tt_tokens *tokens,
                         uint32_t *column)
{
    struct scan s = {.line = line, .texts = texts, .tokens = tokens, .status = tt_ok()};
    *tokens = (struct tt_tokens){0};
    scan_skip_blanks(&s);
    bool ok = is_comment(line, s.at) || find_name(&s);
    scan_skip_blanks(&s);
    tokens->body = s.at;
    while (ok && line[s.at] != '\0' && !is_comment(line, s.at)) {
        ok = next_token(&s);
        tokens->end = s.at;
        scan_skip_blanks(&s);
    }
    tokens->end = tokens->end < tokens->body ? tokens->body : tokens->end;
    ok = ok && scan_add(&s, TT_TOKEN_END, tokens->end, tokens->end, "", 0);
    if (!ok) {
        free(tokens->items);
        *tokens = (struct tt_tokens){0};
        *column = s.column;
    }
    return s.status;
}
