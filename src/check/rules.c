/* SPDX-License-Identifier: Apache-2.0 */
/* rules: the lines of rules files: comments, include, set, variables, rules. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file_read.h"
#include "check/rules_internal.h"
#include "filter/regex.h"
#include "table/registry.h"

#define LINE_MOST 65536u

/* The text of a line and where it comes from. */
struct source {
    const char *file;
    uint32_t line;
};

/* ---- life cycle --------------------------------------------------------------------------- */

struct tt_status tt_rules_new(struct tt_rules **rules)
{
    *rules = calloc(1, sizeof **rules);
    return *rules ? tt_ok() : tt_error_memory();
}

void tt_rules_free(struct tt_rules *rules)
{
    if (!rules) {
        return;
    }
    for (uint32_t i = 0; i < rules->filter_count; i++) {
        tt_filter_free(rules->filters[i].filter);
    }
    for (size_t i = 0; i < rules->regex_count; i++) {
        tt_regex_free(rules->regexes[i]);
    }
    free(rules->filters);
    free(rules->regexes);
    free(rules->variables);
    free(rules->errors);
    free(rules->rules);
    tt_arena_free(&rules->texts);
    free(rules);
}

size_t tt_rules_count(const struct tt_rules *rules)
{
    return rules->count;
}

const struct tt_rule *tt_rules_at(const struct tt_rules *rules, size_t index)
{
    return &rules->rules[index];
}

size_t tt_rules_error_count(const struct tt_rules *rules)
{
    return rules->error_count;
}

struct tt_rules_error tt_rules_error_at(const struct tt_rules *rules, size_t index)
{
    return rules->errors[index];
}

uint32_t tt_rules_filter_count(const struct tt_rules *rules)
{
    return rules->filter_count;
}

const struct tt_filter *tt_rules_filter(const struct tt_rules *rules, uint32_t number)
{
    return rules->filters[number].filter;
}

const char *tt_rules_filter_text(const struct tt_rules *rules, uint32_t number)
{
    return rules->filters[number].text;
}

const char *tt_rule_kind_word(unsigned kind)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_RULE_INFO(X)
#undef X
    };
    return words[kind];
}

/* ---- errors ------------------------------------------------------------------------------- */

/* Adds an error with its place. Returns only a failure to add it. */
static struct tt_status add_error(struct tt_rules *rules, const struct source *at,
                                  const struct tt_rule_error *error)
{
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *what = error->status.text;
    if (error->status.code == TT_ERR_MEMORY) {
        return error->status;
    }
    if (strncmp(what, "column ", 7) == 0 && strstr(what, ": ")) {
        what = strstr(what, ": ") + 2; /* of a filter: its own column */
    }
    tt_text_put(&text, "%s:%u:%u", at->file, at->line, error->column);
    struct tt_rules_error *room =
        tt_array_grow(rules->errors, rules->error_count, &rules->error_capacity, sizeof *room);
    char *place = room ? tt_arena_text(&rules->texts, text.buffer, text.used) : NULL;
    char *copy = room ? tt_arena_text(&rules->texts, what, strlen(what)) : NULL;
    if (room) {
        rules->errors = room;
    }
    if (!place || !copy) {
        return tt_error_memory();
    }
    rules->errors[rules->error_count++] = (struct tt_rules_error){place, copy};
    return tt_ok();
}

/* ---- variables ---------------------------------------------------------------------------- */

static size_t rules_name_length(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return text[0] >= '0' && text[0] <= '9' ? 0 : length;
}

static struct tt_variable *find_variable(const struct tt_rules *rules, const char *name,
                                         size_t length)
{
    for (size_t i = 0; i < rules->variable_count; i++) {
        if (strlen(rules->variables[i].name) == length &&
            memcmp(rules->variables[i].name, name, length) == 0) {
            return &rules->variables[i];
        }
    }
    return NULL;
}

static struct tt_status set_variable(struct tt_rules *rules, const char *name, size_t length,
                                     const char *value, size_t value_length, bool fixed)
{
    struct tt_variable *known = find_variable(rules, name, length);
    char *copy = tt_arena_text(&rules->texts, value, value_length);
    if (known && copy) {
        if (fixed || !known->fixed) {
            known->value = copy;
            known->fixed = fixed;
        }
        return tt_ok();
    }
    struct tt_variable *room = tt_array_grow(rules->variables, rules->variable_count,
                                             &rules->variable_capacity, sizeof *room);
    char *own = tt_arena_text(&rules->texts, name, length);
    if (room) {
        rules->variables = room;
    }
    if (!room || !own || !copy) {
        return tt_error_memory();
    }
    rules->variables[rules->variable_count++] = (struct tt_variable){own, copy, fixed};
    return tt_ok();
}

struct tt_status tt_rules_set(struct tt_rules *rules, const char *assignment)
{
    size_t length = rules_name_length(assignment);
    if (length == 0 || assignment[length] != '=') {
        return tt_error(TT_ERR_USAGE, "'%.60s' is not NAME=VALUE", assignment);
    }
    const char *value = assignment + length + 1;
    return set_variable(rules, assignment, length, value, strlen(value), true);
}

/*
 * The line with its variables replaced, and for each byte the byte of the source: errors have the
 * columns of the file.
 */
struct expanded {
    char *text;
    uint32_t *from;
    size_t used, capacity;
    size_t from_capacity;
};

static bool put_byte(struct expanded *expanded, char c, size_t from)
{
    if (expanded->used + 1 >= expanded->capacity) {
        char *text = tt_array_more_text(expanded->text, &expanded->capacity, 256);
        uint32_t *places = text ? tt_array_reserve(expanded->from, expanded->capacity,
                                                   &expanded->from_capacity, sizeof *places)
                                : NULL;
        expanded->text = text ? text : expanded->text;
        if (!places) {
            return false;
        }
        expanded->from = places;
    }
    expanded->text[expanded->used] = c;
    expanded->from[expanded->used++] = (uint32_t)from;
    return true;
}

/* Replaces $NAME and ${NAME}; $$ is a dollar sign, and $ before another character is kept. */
static struct tt_status expand(struct tt_rules *rules, const char *line, struct expanded *expanded,
                               struct tt_rule_error *error)
{
    bool ok = true;
    for (size_t at = 0; line[at] != '\0' && ok;) {
        bool braces = line[at] == '$' && line[at + 1] == '{';
        const char *name = line + at + 1 + braces;
        size_t length = line[at] == '$' ? rules_name_length(name) : 0;
        if (line[at] == '$' && line[at + 1] == '$') {
            ok = put_byte(expanded, '$', at);
            at += 2;
            continue;
        }
        if (length == 0 || (braces && name[length] != '}')) {
            ok = put_byte(expanded, line[at], at);
            at++;
            continue;
        }
        const struct tt_variable *variable = find_variable(rules, name, length);
        if (!variable) {
            error->column = tt_scan_column(line, at);
            error->status = tt_error(TT_ERR_USAGE, "no variable '%.*s' is set",
                                     length < 40 ? (int)length : 40, name);
            return tt_ok();
        }
        for (const char *v = variable->value; *v && ok; v++) {
            ok = expanded->used < LINE_MOST && put_byte(expanded, *v, at);
        }
        at += 1 + length + 2 * (size_t)braces;
    }
    if (!ok || !put_byte(expanded, '\0', strlen(line))) {
        return tt_error_memory();
    }
    return tt_ok();
}

uint32_t tt_rule_column_at(const struct tt_rule *rule, uint32_t column)
{
    return column > 0 && column <= rule->source_count ? rule->source[column - 1] : column;
}

/* Stores the columns in the file of a rule whose line has variables. */
static struct tt_status keep_columns(struct tt_rules *rules, const char *line,
                                     const struct expanded *expanded, struct tt_rule *rule)
{
    uint32_t columns = tt_scan_column(expanded->text, expanded->used - 1), column = 0;
    if (!strchr(line, '$')) {
        return tt_ok();
    }
    uint32_t *source = tt_arena_alloc(&rules->texts, columns * sizeof *source);
    if (!source) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < expanded->used && column < columns; i++) {
        if (((unsigned char)expanded->text[i] & 0xc0) != 0x80) {
            source[column++] = tt_scan_column(line, expanded->from[i]);
        }
    }
    rule->source = source;
    rule->source_count = columns;
    return tt_ok();
}

/* ---- lines -------------------------------------------------------------------------------- */

static struct tt_status rules_add_rule(struct tt_rules *rules, const struct source *at,
                                       const char *text, const struct tt_tokens *tokens,
                                       struct tt_rule_error *error)
{
    if (rules->count >= TT_RULES_MOST) {
        return tt_error(TT_ERR_USAGE, "more than %u rules", TT_RULES_MOST);
    }
    struct tt_rule *room =
        tt_array_grow(rules->rules, rules->count, &rules->capacity, sizeof *room);
    if (!room) {
        return tt_error_memory();
    }
    rules->rules = room;
    struct tt_rule *rule = &rules->rules[rules->count];
    *rule = (struct tt_rule){
        .file = at->file, .line = at->line, .table = &tt_table_threads}; /* what a reaction is of */
    rule->text = tt_arena_text(&rules->texts, text + tokens->body, tokens->end - tokens->body);
    rule->name = tokens->name ? tokens->name : rule->text;
    if (!rule->text) {
        return tt_error_memory();
    }
    if (tt_rule_parse(rules, tokens, rule, error)) {
        rules->count++;
    }
    return tt_ok();
}

/* Returns the value of `word VALUE`, or NULL if the line does not begin with the word. */
static const char *after_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    line += strspn(line, " \t");
    bool begins = strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\t');
    return begins ? line + length + strspn(line + length, " \t") : NULL;
}

static size_t rules_trimmed(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1])) {
        length--;
    }
    return length;
}

/* Reads `set NAME = VALUE`. */
static struct tt_status read_set(struct tt_rules *rules, const char *line, const char *text,
                                 struct tt_rule_error *error)
{
    size_t length = rules_name_length(text);
    const char *p = text + length + strspn(text + length, " \t");
    if (length == 0 || *p != '=') {
        error->column = tt_scan_column(line, (size_t)(p - line));
        error->status = tt_error(TT_ERR_USAGE, "expected set NAME = VALUE");
        return tt_ok();
    }
    p += 1 + strspn(p + 1, " \t");
    const char *comment = strstr(p, " # ");
    size_t value = rules_trimmed(p);
    if (comment && (size_t)(comment - p) < value) {
        for (value = (size_t)(comment - p); value > 0 && p[value - 1] == ' '; value--) {
        }
    }
    return set_variable(rules, text, length, p, value, false);
}

static struct tt_status read_include(struct tt_rules *rules, const struct source *at,
                                     const char *line, const char *text,
                                     struct tt_rule_error *error)
{
    size_t length = rules_trimmed(text);

    /* The path of an include, which is relative to the file that contains it. */
    const char *file = at->file;
    const char *slash = strrchr(file, '/');
    size_t folder = slash && text[0] != '/' ? (size_t)(slash - file) + 1 : 0;
    char *path = tt_arena_alloc(&rules->texts, folder + length + 1);
    if (path) {
        memcpy(path, file, folder);
        memcpy(path + folder, text, length);
        path[folder + length] = '\0';
    }

    if (!path) {
        return tt_error_memory();
    }
    bool open = false;
    for (unsigned i = 0; i < rules->depth; i++) {
        open |= strcmp(rules->open[i], path) == 0;
    }
    struct tt_status status = length == 0 ? tt_error(TT_ERR_USAGE, "expected include FILE")
                              : open      ? tt_error(TT_ERR_USAGE, "the file includes itself")
                              : rules->depth >= TT_RULES_DEPTH
                                  ? tt_error(TT_ERR_USAGE, "too many nested includes")
                                  : tt_rules_read_file(rules, path);
    if (status.code == TT_ERR_IO || status.code == TT_ERR_USAGE) {
        error->column = tt_scan_column(line, (size_t)(text - line));
        error->status = status;
        return tt_ok();
    }
    return status;
}

static struct tt_status read_rule(struct tt_rules *rules, const struct source *at, const char *line,
                                  struct tt_rule_error *error)
{
    struct expanded e = {0};
    struct tt_tokens tokens = {0};
    struct tt_status status = expand(rules, line, &e, error);
    bool usable = !tt_failed(&status) && !tt_failed(&error->status);
    if (usable) {
        error->status = tt_scan(e.text, &rules->texts, &tokens, &error->column);
    }
    size_t before = rules->count;
    if (tokens.items && (tokens.count > 1 || tokens.name)) {
        status = rules_add_rule(rules, at, e.text, &tokens, error);
    }
    if (!tt_failed(&status) && rules->count > before) {
        status = keep_columns(rules, line, &e, &rules->rules[before]);
    }
    for (size_t i = 0; usable && tt_failed(&error->status) && i < e.used; i++) {
        if (tt_scan_column(e.text, i) >= error->column) { /* the column in the file */
            error->column = tt_scan_column(line, e.from[i]);
            break;
        }
    }
    free(tokens.items);
    free(e.text);
    free(e.from);
    return status;
}

struct tt_status tt_rules_read_text(struct tt_rules *rules, const char *name, const char *text)
{
    struct tt_status status = tt_ok();
    struct source at = {tt_arena_text(&rules->texts, name, strlen(name)), 0};
    if (!at.file) {
        return tt_error_memory();
    }
    while (*text && !tt_failed(&status)) {
        size_t length = strcspn(text, "\n");
        char *line = tt_arena_text(&rules->texts, text, length);
        at.line++;
        if (!line) {
            return tt_error_memory();
        }
        struct tt_rule_error error = {0, tt_ok()};
        const char *set = after_word(line, "set"), *include = after_word(line, "include");
        if (length > LINE_MOST) {
            error = (struct tt_rule_error){1, tt_error(TT_ERR_USAGE, "the line is too long")};
        } else {
            status = set       ? read_set(rules, line, set, &error)
                     : include ? read_include(rules, &at, line, include, &error)
                               : read_rule(rules, &at, line, &error);
        }
        if (!tt_failed(&status) && tt_failed(&error.status)) {
            status = add_error(rules, &at, &error);
        }
        text += length + (text[length] == '\n');
    }
    return status;
}

struct tt_status tt_rules_read_file(struct tt_rules *rules, const char *path)
{
    char *text;
    size_t length;
    int error = tt_file_text(path, TT_RULES_BYTES, &text, &length);
    if (error) {
        return tt_status_context(tt_error_errno(error, "open"), path);
    }
    if (strlen(text) != length) {
        free(text);
        return tt_status_context(tt_error(TT_ERR_USAGE, "a NUL byte: not a rules file"), path);
    }
    if (rules->depth < TT_RULES_DEPTH) {
        rules->open[rules->depth++] = path;
    }
    struct tt_status status = tt_rules_read_text(rules, path, text);
    rules->depth--;
    free(text);
    return status;
}
