/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: validates terms: operators against fields, values against their types; compiles regexes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter_internal.h"

/* ---- errors ------------------------------------------------------------------------------- */

struct tt_filter_error tt_filter_error_at(uint32_t column, const char *fmt, ...)
{
    struct tt_filter_error error = {column, tt_error(TT_ERR_USAGE, " ")};
    size_t used = 0;
    if (column > 0) {
        used = (size_t)snprintf(error.status.text, sizeof error.status.text,
                                "column %u: ", (unsigned)column);
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(error.status.text + used, sizeof error.status.text - used, fmt, args);
    va_end(args);
    return error;
}

struct tt_filter_error tt_filter_error_memory(void)
{
    return (struct tt_filter_error){0, tt_error_memory()};
}

/* ---- regexes ------------------------------------------------------------------------------ */

bool tt_filter_check_regex(struct tt_filter_term *term, struct tt_filter_error *error)
{
    size_t offset;
    char message[TT_REGEX_MESSAGE];
    size_t length = strlen(term->pattern);
    if (length == 0) {
        *error = tt_filter_error_at(term->pattern_column, "the regex is empty");
        return false;
    }
    term->regex = tt_regex_new(term->pattern, length, &offset, message);
    if (term->regex) {
        return true;
    }
    uint32_t column = term->pattern_column;
    for (size_t i = 0; i < offset; i++) {
        column += ((unsigned char)term->pattern[i] & 0xc0u) != 0x80u;
    }
    *error = message[0] ? tt_filter_error_at(column, "the regex: %s", message)
                        : tt_filter_error_memory();
    return false;
}

/* ---- values ------------------------------------------------------------------------------- */

static bool check_wrong(struct tt_filter_error *error, const struct tt_filter_value *value,
                        const char *what)
{
    *error = tt_filter_error_at(value->column, "'%.60s' is not a %s", value->text, what);
    return false;
}

static bool check_when(const struct tt_filter_field_info *field, struct tt_filter_value *value,
                       struct tt_filter_error *error)
{
    struct tt_status status = tt_time_spec_parse(value->text, &value->when);
    if (tt_failed(&status)) {
        *error = tt_filter_error_at(value->column, "%s", status.text);
        return false;
    }
    if (field->values == TT_VALUES_TIME) {
        return true;
    }
    if (value->when.value < 0 ||
        (value->when.kind != TT_TIME_SPEC_NS && value->when.kind != TT_TIME_SPEC_TICKS)) {
        return check_wrong(error, value, "duration: the units are s, ms, us, ns, t for ticks");
    }
    return true;
}

static bool check_flag(struct tt_filter_value *value, struct tt_filter_error *error)
{
    static const char *const words[] = {"no", "yes", "false", "true", "0", "1"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], value->text) == 0) {
            value->word = i % 2;
            return true;
        }
    }
    return check_wrong(error, value, "flag: yes or no");
}

static bool check_any(const struct tt_filter_term *term, struct tt_filter_value *value,
                      bool in_range, struct tt_filter_error *error)
{
    value->is_number =
        !value->quoted && tt_number_parse(value->text, value->length, &value->number);
    bool needed = in_range || TT_OPS(term->op) & TT_OPS_ORDER;
    return !needed || value->is_number || check_wrong(error, value, "number");
}

/* Returns whether the value looks like a regex written after =. */
static bool looks_like_regex(const struct tt_filter_value *value)
{
    return !value->quoted && value->length > 2 && value->text[0] == '/' &&
           value->text[value->length - 1] == '/';
}

static bool check_value(const struct tt_filter_term *term, struct tt_filter_value *value,
                        bool in_range, struct tt_filter_error *error)
{
    const struct tt_filter_field_info *field = tt_filter_field_info(term->field);
    if (TT_OPS_MATCH & field->ops && looks_like_regex(value)) {
        *error = tt_filter_error_at(value->column,
                                    "%s compares with a text; for a regex write ~, or put the "
                                    "text in quotes",
                                    tt_filter_op_text(term->op));
        return false;
    }
    switch (field->values) {
    case TT_VALUES_NUMBER:
        value->is_number =
            !value->quoted && tt_number_parse(value->text, value->length, &value->number);
        if (!value->is_number) {
            return check_wrong(error, value, "number");
        }
        return !field->whole || value->number.whole || check_wrong(error, value, "whole number");
    case TT_VALUES_TIME:
    case TT_VALUES_DURATION:
        return check_when(field, value, error);
    case TT_VALUES_KIND:
        for (unsigned kind = 0; kind < TT_KIND_COUNT; kind++) {
            if (strcmp(tt_kind_name(kind), value->text) == 0) {
                value->word = kind;
                return true;
            }
        }
        return check_wrong(error, value,
                           "kind: event, enter, exit, state, switch, message, user, ...");
    case TT_VALUES_FLAG:
        return check_flag(value, error);
    case TT_VALUES_ANY:
        return check_any(term, value, in_range, error);
    case TT_VALUES_TEXT:
        break;
    }
    if (in_range) {
        *error = tt_filter_error_at(value->column, "only numbers and times have ranges");
        return false;
    }
    return true;
}

static bool check_backwards(const struct tt_filter_span *span, struct tt_filter_error *error)
{
    const struct tt_filter_value *from = &span->from, *to = &span->to;
    bool numbers = from->is_number && to->is_number;
    bool whens = from->when.kind != TT_TIME_SPEC_NONE && from->when.kind == to->when.kind;
    if ((numbers && tt_number_compare(&from->number, &to->number) > 0) ||
        (whens && from->when.value > to->when.value)) {
        *error = tt_filter_error_at(to->column, "the range ends before it begins");
        return false;
    }
    return true;
}

static bool check_span(const struct tt_filter_term *term, struct tt_filter_span *span,
                       struct tt_filter_error *error)
{
    if (span->from.text && !check_value(term, &span->from, span->is_range, error)) {
        return false;
    }
    if (span->to.text && !check_value(term, &span->to, span->is_range, error)) {
        return false;
    }
    return !span->from.text || !span->to.text || check_backwards(span, error);
}

static bool check_term(struct tt_filter_term *term, struct tt_filter_error *error)
{
    const struct tt_filter_field_info *field = tt_filter_field_info(term->field);
    if (term->field != TT_FIELD_LINE && !(field->ops & TT_OPS(term->op))) {
        *error = tt_filter_error_at(term->column, "%s accepts %s, not %s", field->shown.name,
                                    field->shown.operators, tt_filter_op_text(term->op));
        return false;
    }
    if (term->pattern) {
        return tt_filter_check_regex(term, error);
    }
    for (uint32_t i = 0; i < term->span_count; i++) {
        if (!check_span(term, &term->spans[i], error)) {
            return false;
        }
    }
    return true;
}

bool tt_filter_check(struct tt_filter *filter, struct tt_filter_error *error)
{
    for (uint32_t i = 0; i < filter->term_count; i++) {
        if (!check_term(&filter->terms[i], error)) {
            return false;
        }
    }
    return true;
}
