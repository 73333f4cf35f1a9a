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

static bool parser_is_space(char c)
{
    return c == ' ' || c == '\t';
}

static bool parser_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool parser_is_word(char c)
{
    return parser_is_letter(c) || (c >= '0' && c <= '9') || c == '.';
}

/* Returns the column of a byte, in characters from 1. */
static uint32_t parser_column_of(const struct reading *reading, size_t at)
{
    uint32_t column = 1;
    for (size_t i = 0; i < at; i++) {
        column += ((unsigned char)reading->text[i] & 0xc0u) != 0x80u;
    }
    return column;
}

static bool parser_expected(struct reading *reading, size_t at, const char *what)
{
    *reading->error = tt_filter_error_at(parser_column_of(reading, at), "expected %s", what);
    return false;
}

static bool parser_no_memory(struct reading *reading)
{
    *reading->error = tt_filter_error_memory();
    return false;
}

static void skip_spaces(struct reading *reading)
{
    while (parser_is_space(reading->text[reading->at])) {
        reading->at++;
    }
}

/* Returns whether a keyword is at `at`, in lower or upper case. */
static bool keyword_at(const struct reading *reading, size_t at, const char *word)
{
    const char *p = reading->text + at;
    size_t length = strlen(word);
    bool lower = true, upper = true;
    for (size_t i = 0; i < length; i++) {
        lower = lower && p[i] == word[i];
        upper = upper && p[i] == word[i] - 'a' + 'A';
        if (!lower && !upper) {
            return false;
        }
    }
    return !parser_is_word(p[length]);
}

static bool accept_keyword(struct reading *reading, const char *word)
{
    skip_spaces(reading);
    if (!keyword_at(reading, reading->at, word)) {
        return false;
    }
    reading->at += strlen(word);
    return true;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static bool add_node(struct reading *reading, enum tt_filter_node_kind kind, uint32_t child,
                     uint32_t term, uint32_t *node)
{
    struct tt_filter *filter = reading->filter;
    struct tt_filter_node *nodes =
        tt_array_grow_32(filter->nodes, filter->node_count, &filter->node_capacity, sizeof *nodes);
    if (!nodes) {
        return parser_no_memory(reading);
    }
    filter->nodes = nodes;
    *node = filter->node_count++;
    nodes[*node] = (struct tt_filter_node){kind, child, TT_NO_NODE, term};
    return true;
}

static struct tt_filter_term *add_term(struct reading *reading, enum tt_filter_field_id field,
                                       size_t at)
{
    struct tt_filter *filter = reading->filter;
    struct tt_filter_term *terms =
        tt_array_grow_32(filter->terms, filter->term_count, &filter->term_capacity, sizeof *terms);
    if (!terms) {
        parser_no_memory(reading);
        return NULL;
    }
    filter->terms = terms;
    struct tt_filter_term *term = &terms[filter->term_count++];
    memset(term, 0, sizeof *term);
    term->field = field;
    term->column = parser_column_of(reading, at);
    return term;
}

/* ---- texts -------------------------------------------------------------------------------- */

static void parser_put(struct tt_filter *filter, char c)
{
    filter->texts[filter->texts_used++] = c;
}

/* Reads a /regex/ at reading->at unchanged; fails if the closing slash is missing. */
static bool read_regex(struct reading *reading, struct tt_filter_term *term)
{
    struct tt_filter *filter = reading->filter;
    size_t start = reading->at;
    term->pattern = filter->texts + filter->texts_used;
    term->pattern_column = parser_column_of(reading, start + 1);
    for (reading->at++; reading->text[reading->at] != '/'; reading->at++) {
        if (reading->text[reading->at] == '\\' && reading->text[reading->at + 1] != '\0') {
            parser_put(filter, reading->text[reading->at++]);
        }
        if (reading->text[reading->at] == '\0') {
            return parser_expected(reading, reading->at, "a / at the end of the regex");
        }
        parser_put(filter, reading->text[reading->at]);
    }
    parser_put(filter, '\0');
    reading->at++;
    return true;
}

static int parser_hex_digit(char c)
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
static bool parser_read_escape(struct reading *reading)
{
    static const char letters[] = "ntre0\"\\";
    static const char meanings[] = "\n\t\r\x1b\0\"\\";
    const char *p = reading->text + reading->at;
    const char *letter = *p ? strchr(letters, *p) : NULL;
    if (letter) {
        parser_put(reading->filter, meanings[letter - letters]);
        reading->at++;
        return true;
    }
    int high = *p == 'x' ? parser_hex_digit(p[1]) : -1;
    int low = high >= 0 ? parser_hex_digit(p[2]) : -1;
    if (low < 0) {
        return parser_expected(reading, reading->at, "one of \\\" \\\\ \\n \\t \\r \\e \\0 \\xNN");
    }
    parser_put(reading->filter, (char)(high * 16 + low));
    reading->at += 3;
    return true;
}

static bool read_quoted(struct reading *reading)
{
    for (reading->at++; reading->text[reading->at] != '"';) {
        if (reading->text[reading->at] == '\0') {
            return parser_expected(reading, reading->at, "a \" at the end of the text");
        }
        if (reading->text[reading->at] == '\\') {
            reading->at++;
            if (!parser_read_escape(reading)) {
                return false;
            }
        } else {
            parser_put(reading->filter, reading->text[reading->at++]);
        }
    }
    reading->at++;
    return true;
}

/* The context of a value determines what ends a word. */
enum place { PLACE_ALONE, PLACE_RANGE, PLACE_LIST };

static bool ends_word(const struct reading *reading, enum place place, unsigned depth)
{
    char c = reading->text[reading->at];
    return c == '\0' || parser_is_space(c) || (c == ')' && depth == 0) ||
           (c == ',' && place == PLACE_LIST) ||
           (place != PLACE_ALONE && c == '.' && reading->text[reading->at + 1] == '.');
}

static bool parser_read_value(struct reading *reading, enum place place,
                              struct tt_filter_value *value)
{
    struct tt_filter *filter = reading->filter;
    skip_spaces(reading);
    size_t start = reading->at;
    memset(value, 0, sizeof *value);
    value->column = parser_column_of(reading, start);
    value->text = filter->texts + filter->texts_used;
    value->quoted = reading->text[start] == '"';
    if (value->quoted) {
        if (!read_quoted(reading)) {
            return false;
        }
    } else {
        if (strchr("=!<>~(", reading->text[start])) {
            return parser_expected(reading, start, "a value");
        }

        unsigned depth = 0; /* of parentheses inside the word, as in lsb(offset) */
        for (; !ends_word(reading, place, depth); reading->at++) {
            char c = reading->text[reading->at];
            depth += c == '(';
            depth -= c == ')';
            parser_put(reading->filter, c);
        }

        if (reading->at == start) {
            return parser_expected(reading, start, "a value");
        }
    }
    value->length = (size_t)(filter->texts + filter->texts_used - value->text);
    parser_put(filter, '\0');
    return true;
}

/* ---- terms -------------------------------------------------------------------------------- */

static bool dots_at(const struct reading *reading)
{
    return reading->text[reading->at] == '.' && reading->text[reading->at + 1] == '.';
}

static bool parser_add_span(struct reading *reading, struct tt_filter_term *term,
                            uint32_t *capacity, enum place place)
{
    struct tt_filter_span *spans =
        tt_array_grow_32(term->spans, term->span_count, capacity, sizeof *spans);
    if (!spans) {
        return parser_no_memory(reading);
    }
    term->spans = spans;

    struct tt_filter_span *span = &spans[term->span_count++];
    memset(span, 0, sizeof *span);
    skip_spaces(reading);
    size_t start = reading->at;
    if (!dots_at(reading) && !parser_read_value(reading, place, &span->from)) {
        return false;
    }
    size_t after = reading->at;
    skip_spaces(reading);
    if (place == PLACE_ALONE || !dots_at(reading)) {
        reading->at = after;
        return true;
    }
    span->is_range = true;
    reading->at += 2;

    /* Decides whether a range is open-ended; reading->at is after the two dots. */
    bool space = parser_is_space(reading->text[reading->at]);
    size_t at = reading->at;
    while (parser_is_space(reading->text[at])) {
        at++;
    }
    char c = reading->text[at];
    if (c == '\0' || c == ')' || c == ',' ||
        (space && (keyword_at(reading, at, "and") || keyword_at(reading, at, "or")))) {
        return span->from.text || parser_expected(reading, start + 2, "a value");
    }

    return parser_read_value(reading, place, &span->to);
}

static bool read_list(struct reading *reading, struct tt_filter_term *term)
{
    uint32_t capacity = 0;
    skip_spaces(reading);
    if (reading->text[reading->at] != '(') {
        size_t start = reading->at;
        return parser_add_span(reading, term, &capacity, PLACE_RANGE) &&
               (term->spans[0].is_range ||
                parser_expected(reading, start, "a range (from..to) or a list in parentheses"));
    }
    do {
        reading->at++;
        if (!parser_add_span(reading, term, &capacity, PLACE_LIST)) {
            return false;
        }
        skip_spaces(reading);
    } while (reading->text[reading->at] == ',');
    if (reading->text[reading->at] != ')') {
        return parser_expected(reading, reading->at, "a comma or a ) in the list");
    }
    reading->at++;
    return true;
}

static bool read_op(struct reading *reading, enum tt_filter_op *op)
{
    static const struct {
        const char *text;
        enum tt_filter_op op;
    } ops[] = {
        {"==", TT_OP_EQ}, {"!=", TT_OP_NE}, {"<=", TT_OP_LE},
        {">=", TT_OP_GE}, {"=", TT_OP_EQ},  {"!~", TT_OP_NO_MATCH},
        {"<", TT_OP_LT},  {">", TT_OP_GT},  {"~", TT_OP_MATCH},
    };
    skip_spaces(reading);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        size_t length = strlen(ops[i].text);
        if (strncmp(reading->text + reading->at, ops[i].text, length) == 0) {
            *op = ops[i].op;
            reading->at += length;
            return true;
        }
    }
    if (keyword_at(reading, reading->at, "in")) {
        *op = TT_OP_IN;
        reading->at += 2;
        return true;
    }
    return false;
}

/* Returns whether the name of an argument ends here; not at the arrow of event->sigev_notify. */
static bool ends_arg_name(const char *p)
{
    return strchr(" \t=!<>~", *p) && !(*p == '>' && p[-1] == '-' && parser_is_letter(p[1]));
}

static bool read_arg_name(struct reading *reading, struct tt_filter_term *term)
{
    struct tt_filter *filter = reading->filter;
    size_t start = reading->at;
    term->arg = filter->texts + filter->texts_used;
    if (reading->text[reading->at] == '"') {
        if (!read_quoted(reading)) {
            return false;
        }
    } else {
        for (; !ends_arg_name(reading->text + reading->at); reading->at++) {
            parser_put(filter, reading->text[reading->at]);
        }
    }
    term->arg_length = (size_t)(filter->texts + filter->texts_used - term->arg);
    parser_put(filter, '\0');
    return term->arg_length > 0 || parser_expected(reading, start, "the name of an argument");
}

/* Reads the field at reading->at; TT_FIELD_COUNT if there is none. */
static enum tt_filter_field_id read_field(struct reading *reading)
{
    const char *p = reading->text + reading->at;

    size_t length = 0;
    while (parser_is_letter(p[length])) {
        length++;
    }

    if (length == 3 && strncmp(p, "arg.", 4) == 0) {
        reading->at += 4;
        return TT_FIELD_ARG;
    }
    enum tt_filter_field_id field = tt_filter_field_find(p, length);
    reading->at += field != TT_FIELD_COUNT ? length : 0;
    return field;
}

static bool read_term(struct reading *reading, struct tt_filter_term *term)
{
    if (term->field == TT_FIELD_ARG && !read_arg_name(reading, term)) {
        return false;
    }
    if (!read_op(reading, &term->op)) {
        return parser_expected(reading, reading->at, "an operator: = != < <= > >= ~ !~ in");
    }
    if (TT_OPS(term->op) & TT_OPS_MATCH) {
        /* Reads the operand of ~: a /regex/, or a word or quoted text used as one. */
        skip_spaces(reading);
        if (reading->text[reading->at] == '/') {
            return read_regex(reading, term);
        }
        struct tt_filter_value value;
        if (!parser_read_value(reading, PLACE_ALONE, &value)) {
            return parser_expected(reading, reading->at, "a /regex/");
        }
        term->pattern = value.text;
        term->pattern_column = value.column + value.quoted;
        return true;
    }
    if (term->op == TT_OP_IN) {
        return read_list(reading, term);
    }
    uint32_t capacity = 0;
    return parser_add_span(reading, term, &capacity, PLACE_ALONE);
}

/* Fails where a term was expected. A term of an unknown field is an error, not a regex. */
static bool no_field(struct reading *reading, size_t start)
{
    const char *name = reading->text + start;
    size_t length = strcspn(name, " \t=!<>~()");

    /* Decides whether a word, an operator and a value, separated by spaces, are at `start`. */
    struct reading r = *reading;
    enum tt_filter_op op;
    r.at = start + length;
    if (length == 0 || !parser_is_space(r.text[r.at]) || !read_op(&r, &op) || op == TT_OP_IN ||
        !parser_is_space(r.text[r.at])) {
        return parser_expected(reading, start, "a term (field op value), a /regex/, not, or (");
    }
    skip_spaces(&r);
    if (r.text[r.at] == '\0') {
        return parser_expected(reading, start, "a term (field op value), a /regex/, not, or (");
    }

    const char *nearest = tt_filter_field_nearest(name, length);
    int shown = length < 40 ? (int)length : 40;
    reading->filter->unknown_field = true;
    *reading->error =
        nearest ? tt_filter_error_at(parser_column_of(reading, start),
                                     "unknown field %.*s, did you mean %s?", shown, name, nearest)
                : tt_filter_error_at(parser_column_of(reading, start),
                                     "unknown field %.*s; an argument is arg.%.*s", shown, name,
                                     shown, name);
    return false;
}

static bool read_or(struct reading *reading, uint32_t *node);

static bool read_primary(struct reading *reading, uint32_t *node)
{
    skip_spaces(reading);
    size_t start = reading->at;
    if (reading->text[start] == '(') {
        if (reading->depth == TT_FILTER_DEPTH) {
            return parser_expected(reading, reading->at, "fewer parentheses inside of each other");
        }
        reading->at++;
        reading->depth++;
        if (!read_or(reading, node)) {
            return false;
        }
        reading->depth--;
        skip_spaces(reading);
        if (reading->text[reading->at] != ')') {
            return parser_expected(reading, reading->at, "and, or, or a )");
        }
        reading->at++;
        return true;
    }
    bool regex = reading->text[start] == '/';
    enum tt_filter_field_id field = regex ? TT_FIELD_LINE : read_field(reading);
    if (field == TT_FIELD_COUNT) {
        return no_field(reading, start);
    }
    struct tt_filter_term *term = add_term(reading, field, start);
    if (!term || !(regex ? read_regex(reading, term) : read_term(reading, term))) {
        return false;
    }
    if (reading->text[reading->at] != '\0' && reading->text[reading->at] != ')' &&
        !parser_is_space(reading->text[reading->at])) {
        return parser_expected(reading, reading->at, "a space");
    }
    return add_node(reading, TT_NODE_TERM, TT_NO_NODE, reading->filter->term_count - 1, node);
}

static bool read_not(struct reading *reading, uint32_t *node)
{
    bool negated = false;
    while (accept_keyword(reading, "not")) {
        negated = !negated;
    }
    return read_primary(reading, node) &&
           (!negated || add_node(reading, TT_NODE_NOT, *node, 0, node));
}

/* Reads one or more operands with `read_part`, separated by `word`. */
static bool read_row(struct reading *reading, const char *word, enum tt_filter_node_kind kind,
                     bool (*read_part)(struct reading *, uint32_t *), uint32_t *node)
{
    uint32_t first, last, part;
    if (!read_part(reading, &first)) {
        return false;
    }
    for (last = first; accept_keyword(reading, word); last = part) {
        if (!read_part(reading, &part)) {
            return false;
        }
        reading->filter->nodes[last].next = part;
    }
    *node = first; /* a parent follows its children */
    return last == first || add_node(reading, kind, first, 0, node);
}

static bool read_and(struct reading *reading, uint32_t *node)
{
    return read_row(reading, "and", TT_NODE_AND, read_not, node);
}

static bool read_or(struct reading *reading, uint32_t *node)
{
    return read_row(reading, "or", TT_NODE_OR, read_and, node);
}

bool tt_filter_read(const char *text, struct tt_filter *filter, struct tt_filter_error *error)
{
    struct reading r = {text, 0, filter, error, 0};
    if (!read_or(&r, &filter->root)) {
        return false;
    }
    skip_spaces(&r);
    return text[r.at] == '\0' || parser_expected(&r, r.at, "and, or, or the end");
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
