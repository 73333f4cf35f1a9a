/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parser: parses a structured line into nodes and terms. Grammar:
 *
 *      line   or                            or   and { "or" and }
 *      not    [ "not" ] primary             and  not { "and" not }
 *      primary  "(" or ")"  |  /regex/  |  field op value  |  field "in" range or "(" list ")"
 *
 * A deviation ends the parsing with its column and the expected token; check.c validates the
 * values.
 */
#include <string.h>

#include "base/array.h"
#include "filter/filter_internal.h"

struct reading {
    const char *text;
    size_t at;
    struct tt_filter *filter;
    struct tt_filter_error *error;
    unsigned depth;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
}

/* Returns the column of a byte, in characters from 1. */
static uint32_t column_of(const struct reading *r, size_t at)
{
    uint32_t column = 1;
    for (size_t i = 0; i < at; i++) {
        column += ((unsigned char)r->text[i] & 0xc0u) != 0x80u;
    }
    return column;
}

static bool expected(struct reading *r, size_t at, const char *what)
{
    *r->error = tt_filter_error_at(column_of(r, at), "expected %s", what);
    return false;
}

static bool no_memory(struct reading *r)
{
    *r->error = tt_filter_error_memory();
    return false;
}

static void skip_spaces(struct reading *r)
{
    while (is_space(r->text[r->at])) {
        r->at++;
    }
}

/* Returns whether a keyword is at `at`, in lower or upper case. */
static bool keyword_at(const struct reading *r, size_t at, const char *word)
{
    const char *p = r->text + at;
    size_t length = strlen(word);
    bool lower = true, upper = true;
    for (size_t i = 0; i < length; i++) {
        lower = lower && p[i] == word[i];
        upper = upper && p[i] == word[i] - 'a' + 'A';
        if (!lower && !upper) {
            return false;
        }
    }
    return !is_word(p[length]);
}

static bool accept_keyword(struct reading *r, const char *word)
{
    skip_spaces(r);
    if (!keyword_at(r, r->at, word)) {
        return false;
    }
    r->at += strlen(word);
    return true;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static bool add_node(struct reading *r, enum tt_filter_node_kind kind, uint32_t child,
                     uint32_t term, uint32_t *node)
{
    struct tt_filter *f = r->filter;
    struct tt_filter_node *nodes =
        tt_array_grow_32(f->nodes, f->node_count, &f->node_capacity, sizeof *nodes);
    if (!nodes) {
        return no_memory(r);
    }
    f->nodes = nodes;
    *node = f->node_count++;
    nodes[*node] = (struct tt_filter_node){kind, child, TT_NO_NODE, term};
    return true;
}

static struct tt_filter_term *add_term(struct reading *r, enum tt_filter_field_id field, size_t at)
{
    struct tt_filter *f = r->filter;
    struct tt_filter_term *terms =
        tt_array_grow_32(f->terms, f->term_count, &f->term_capacity, sizeof *terms);
    if (!terms) {
        no_memory(r);
        return NULL;
    }
    f->terms = terms;
    struct tt_filter_term *term = &terms[f->term_count++];
    memset(term, 0, sizeof *term);
    term->field = field;
    term->column = column_of(r, at);
    return term;
}

/* ---- texts -------------------------------------------------------------------------------- */

static void put(struct tt_filter *f, char c)
{
    f->texts[f->texts_used++] = c;
}

/* Reads a /regex/ at r->at unchanged; fails if the closing slash is missing. */
static bool read_regex(struct reading *r, struct tt_filter_term *term)
{
    struct tt_filter *f = r->filter;
    size_t start = r->at;
    term->pattern = f->texts + f->texts_used;
    term->pattern_column = column_of(r, start + 1);
    for (r->at++; r->text[r->at] != '/'; r->at++) {
        if (r->text[r->at] == '\\' && r->text[r->at + 1] != '\0') {
            put(f, r->text[r->at++]);
        }
        if (r->text[r->at] == '\0') {
            return expected(r, r->at, "a / at the end of the regex");
        }
        put(f, r->text[r->at]);
    }
    put(f, '\0');
    r->at++;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads an escape in quotes, after the backslash. */
static bool read_escape(struct reading *r)
{
    static const char letters[] = "ntre0\"\\";
    static const char meanings[] = "\n\t\r\x1b\0\"\\";
    const char *p = r->text + r->at;
    const char *letter = *p ? strchr(letters, *p) : NULL;
    if (letter) {
        put(r->filter, meanings[letter - letters]);
        r->at++;
        return true;
    }
    int high = *p == 'x' ? hex_digit(p[1]) : -1;
    int low = high >= 0 ? hex_digit(p[2]) : -1;
    if (low < 0) {
        return expected(r, r->at, "one of \\\" \\\\ \\n \\t \\r \\e \\0 \\xNN");
    }
    put(r->filter, (char)(high * 16 + low));
    r->at += 3;
    return true;
}

static bool read_quoted(struct reading *r)
{
    for (r->at++; r->text[r->at] != '"';) {
        if (r->text[r->at] == '\0') {
            return expected(r, r->at, "a \" at the end of the text");
        }
        if (r->text[r->at] == '\\') {
            r->at++;
            if (!read_escape(r)) {
                return false;
            }
        } else {
            put(r->filter, r->text[r->at++]);
        }
    }
    r->at++;
    return true;
}

/* The context of a value determines what ends a word. */
enum place { PLACE_ALONE, PLACE_RANGE, PLACE_LIST };

static bool ends_word(const struct reading *r, enum place place, unsigned depth)
{
    char c = r->text[r->at];
    return c == '\0' || is_space(c) || (c == ')' && depth == 0) ||
           (c == ',' && place == PLACE_LIST) ||
           (place != PLACE_ALONE && c == '.' && r->text[r->at + 1] == '.');
}

static void read_bare(struct reading *r, enum place place)
{
    unsigned depth = 0; /* of parentheses inside the word, as in lsb(offset) */
    for (; !ends_word(r, place, depth); r->at++) {
        char c = r->text[r->at];
        depth += c == '(';
        depth -= c == ')';
        put(r->filter, c);
    }
}

static bool read_value(struct reading *r, enum place place, struct tt_filter_value *value)
{
    struct tt_filter *f = r->filter;
    skip_spaces(r);
    size_t start = r->at;
    memset(value, 0, sizeof *value);
    value->column = column_of(r, start);
    value->text = f->texts + f->texts_used;
    value->quoted = r->text[start] == '"';
    if (value->quoted) {
        if (!read_quoted(r)) {
            return false;
        }
    } else {
        if (strchr("=!<>~(", r->text[start])) {
            return expected(r, start, "a value");
        }
        read_bare(r, place);
        if (r->at == start) {
            return expected(r, start, "a value");
        }
    }
    value->length = (size_t)(f->texts + f->texts_used - value->text);
    put(f, '\0');
    return true;
}

/* ---- terms -------------------------------------------------------------------------------- */

/* Returns whether a range is open-ended; r->at is after the two dots. */
static bool range_is_open(struct reading *r)
{
    bool space = is_space(r->text[r->at]);
    size_t at = r->at;
    while (is_space(r->text[at])) {
        at++;
    }
    char c = r->text[at];
    return c == '\0' || c == ')' || c == ',' ||
           (space && (keyword_at(r, at, "and") || keyword_at(r, at, "or")));
}

static bool dots_at(const struct reading *r)
{
    return r->text[r->at] == '.' && r->text[r->at + 1] == '.';
}

static bool read_span(struct reading *r, enum place place, struct tt_filter_span *span)
{
    memset(span, 0, sizeof *span);
    skip_spaces(r);
    size_t start = r->at;
    if (!dots_at(r) && !read_value(r, place, &span->from)) {
        return false;
    }
    size_t after = r->at;
    skip_spaces(r);
    if (place == PLACE_ALONE || !dots_at(r)) {
        r->at = after;
        return true;
    }
    span->is_range = true;
    r->at += 2;
    if (range_is_open(r)) {
        return span->from.text || expected(r, start + 2, "a value");
    }
    return read_value(r, place, &span->to);
}

static bool add_span(struct reading *r, struct tt_filter_term *term, uint32_t *capacity,
                     enum place place)
{
    struct tt_filter_span *spans =
        tt_array_grow_32(term->spans, term->span_count, capacity, sizeof *spans);
    if (!spans) {
        return no_memory(r);
    }
    term->spans = spans;
    return read_span(r, place, &spans[term->span_count++]);
}

static bool read_list(struct reading *r, struct tt_filter_term *term)
{
    uint32_t capacity = 0;
    skip_spaces(r);
    if (r->text[r->at] != '(') {
        size_t start = r->at;
        return add_span(r, term, &capacity, PLACE_RANGE) &&
               (term->spans[0].is_range ||
                expected(r, start, "a range (from..to) or a list in parentheses"));
    }
    do {
        r->at++;
        if (!add_span(r, term, &capacity, PLACE_LIST)) {
            return false;
        }
        skip_spaces(r);
    } while (r->text[r->at] == ',');
    if (r->text[r->at] != ')') {
        return expected(r, r->at, "a comma or a ) in the list");
    }
    r->at++;
    return true;
}

/* Reads the operand of ~: a /regex/, or a word or quoted text used as one. */
static bool read_pattern(struct reading *r, struct tt_filter_term *term)
{
    skip_spaces(r);
    if (r->text[r->at] == '/') {
        return read_regex(r, term);
    }
    struct tt_filter_value value;
    if (!read_value(r, PLACE_ALONE, &value)) {
        return expected(r, r->at, "a /regex/");
    }
    term->pattern = value.text;
    term->pattern_column = value.column + value.quoted;
    return true;
}

static bool read_op(struct reading *r, enum tt_filter_op *op)
{
    static const struct {
        const char *text;
        enum tt_filter_op op;
    } ops[] = {
        {"==", TT_OP_EQ}, {"!=", TT_OP_NE}, {"<=", TT_OP_LE},
        {">=", TT_OP_GE}, {"=", TT_OP_EQ},  {"!~", TT_OP_NO_MATCH},
        {"<", TT_OP_LT},  {">", TT_OP_GT},  {"~", TT_OP_MATCH},
    };
    skip_spaces(r);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        size_t length = strlen(ops[i].text);
        if (strncmp(r->text + r->at, ops[i].text, length) == 0) {
            *op = ops[i].op;
            r->at += length;
            return true;
        }
    }
    if (keyword_at(r, r->at, "in")) {
        *op = TT_OP_IN;
        r->at += 2;
        return true;
    }
    return false;
}

/* Returns whether the name of an argument ends here; not at the arrow of event->sigev_notify. */
static bool ends_arg_name(const char *p)
{
    return strchr(" \t=!<>~", *p) && !(*p == '>' && p[-1] == '-' && is_letter(p[1]));
}

static bool read_arg_name(struct reading *r, struct tt_filter_term *term)
{
    struct tt_filter *f = r->filter;
    size_t start = r->at;
    term->arg = f->texts + f->texts_used;
    if (r->text[r->at] == '"') {
        if (!read_quoted(r)) {
            return false;
        }
    } else {
        for (; !ends_arg_name(r->text + r->at); r->at++) {
            put(f, r->text[r->at]);
        }
    }
    term->arg_length = (size_t)(f->texts + f->texts_used - term->arg);
    put(f, '\0');
    return term->arg_length > 0 || expected(r, start, "the name of an argument");
}

static size_t name_length(const char *p)
{
    size_t length = 0;
    while (is_letter(p[length])) {
        length++;
    }
    return length;
}

/* Reads the field at r->at; TT_FIELD_COUNT if there is none. */
static enum tt_filter_field_id read_field(struct reading *r)
{
    const char *p = r->text + r->at;
    size_t length = name_length(p);
    if (length == 3 && strncmp(p, "arg.", 4) == 0) {
        r->at += 4;
        return TT_FIELD_ARG;
    }
    enum tt_filter_field_id field = tt_filter_field_find(p, length);
    r->at += field != TT_FIELD_COUNT ? length : 0;
    return field;
}

static bool read_term(struct reading *r, struct tt_filter_term *term)
{
    if (term->field == TT_FIELD_ARG && !read_arg_name(r, term)) {
        return false;
    }
    if (!read_op(r, &term->op)) {
        return expected(r, r->at, "an operator: = != < <= > >= ~ !~ in");
    }
    if (TT_OPS(term->op) & TT_OPS_MATCH) {
        return read_pattern(r, term);
    }
    if (term->op == TT_OP_IN) {
        return read_list(r, term);
    }
    uint32_t capacity = 0;
    return add_span(r, term, &capacity, PLACE_ALONE);
}

/* Returns whether a word, an operator and a value, separated by spaces, are at `start`. */
static bool resembles_term(const struct reading *reading, size_t start, size_t length)
{
    struct reading r = *reading;
    enum tt_filter_op op;
    r.at = start + length;
    if (length == 0 || !is_space(r.text[r.at]) || !read_op(&r, &op) || op == TT_OP_IN ||
        !is_space(r.text[r.at])) {
        return false;
    }
    skip_spaces(&r);
    return r.text[r.at] != '\0';
}

/* Fails where a term was expected. A term of an unknown field is an error, not a regex. */
static bool no_field(struct reading *r, size_t start)
{
    const char *name = r->text + start;
    size_t length = strcspn(name, " \t=!<>~()");
    if (!resembles_term(r, start, length)) {
        return expected(r, start, "a term (field op value), a /regex/, not, or (");
    }
    const char *nearest = tt_filter_field_nearest(name, length);
    int shown = length < 40 ? (int)length : 40;
    r->filter->unknown_field = true;
    *r->error =
        nearest
            ? tt_filter_error_at(column_of(r, start), "unknown field %.*s, did you mean %s?", shown,
                                 name, nearest)
            : tt_filter_error_at(column_of(r, start), "unknown field %.*s; an argument is arg.%.*s",
                                 shown, name, shown, name);
    return false;
}

static bool read_or(struct reading *r, uint32_t *node);

static bool read_parentheses(struct reading *r, uint32_t *node)
{
    if (r->depth == TT_FILTER_DEPTH) {
        return expected(r, r->at, "fewer parentheses inside of each other");
    }
    r->at++;
    r->depth++;
    if (!read_or(r, node)) {
        return false;
    }
    r->depth--;
    skip_spaces(r);
    if (r->text[r->at] != ')') {
        return expected(r, r->at, "and, or, or a )");
    }
    r->at++;
    return true;
}

static bool read_primary(struct reading *r, uint32_t *node)
{
    skip_spaces(r);
    size_t start = r->at;
    if (r->text[start] == '(') {
        return read_parentheses(r, node);
    }
    bool regex = r->text[start] == '/';
    enum tt_filter_field_id field = regex ? TT_FIELD_LINE : read_field(r);
    if (field == TT_FIELD_COUNT) {
        return no_field(r, start);
    }
    struct tt_filter_term *term = add_term(r, field, start);
    if (!term || !(regex ? read_regex(r, term) : read_term(r, term))) {
        return false;
    }
    if (r->text[r->at] != '\0' && r->text[r->at] != ')' && !is_space(r->text[r->at])) {
        return expected(r, r->at, "a space");
    }
    return add_node(r, TT_NODE_TERM, TT_NO_NODE, r->filter->term_count - 1, node);
}

static bool read_not(struct reading *r, uint32_t *node)
{
    bool negated = false;
    while (accept_keyword(r, "not")) {
        negated = !negated;
    }
    return read_primary(r, node) && (!negated || add_node(r, TT_NODE_NOT, *node, 0, node));
}

/* Reads one or more operands with `read_part`, separated by `word`. */
static bool read_row(struct reading *r, const char *word, enum tt_filter_node_kind kind,
                     bool (*read_part)(struct reading *, uint32_t *), uint32_t *node)
{
    uint32_t first, last, part;
    if (!read_part(r, &first)) {
        return false;
    }
    for (last = first; accept_keyword(r, word); last = part) {
        if (!read_part(r, &part)) {
            return false;
        }
        r->filter->nodes[last].next = part;
    }
    *node = first; /* a parent follows its children */
    return last == first || add_node(r, kind, first, 0, node);
}

static bool read_and(struct reading *r, uint32_t *node)
{
    return read_row(r, "and", TT_NODE_AND, read_not, node);
}

static bool read_or(struct reading *r, uint32_t *node)
{
    return read_row(r, "or", TT_NODE_OR, read_and, node);
}

bool tt_filter_read(const char *text, struct tt_filter *filter, struct tt_filter_error *error)
{
    struct reading r = {text, 0, filter, error, 0};
    if (!read_or(&r, &filter->root)) {
        return false;
    }
    skip_spaces(&r);
    return text[r.at] == '\0' || expected(&r, r.at, "and, or, or the end");
}

bool tt_filter_begins_like_term(const char *text)
{
    struct tt_filter_error unused;
    struct reading r = {text, 0, NULL, &unused, 0};
    enum tt_filter_op op;
    while (accept_keyword(&r, "not") || r.text[r.at] == '(') {
        r.at += r.text[r.at] == '(';
    }
    size_t start = r.at;
    enum tt_filter_field_id field = read_field(&r);
    for (; field == TT_FIELD_ARG && !ends_arg_name(r.text + r.at); r.at++) {
    }
    return field != TT_FIELD_COUNT && r.at > start && read_op(&r, &op);
}
