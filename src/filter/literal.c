/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/literal.h"

#include <string.h>

#include "base/format_fast.h"

struct parsing {
    const char *at;
    const char *end;
    bool ignore_case;
    struct tt_literal run;  /* the current word */
    bool run_cut;           /* the word exceeded its capacity: later characters are not adjacent */
    struct tt_literal best; /* of the current alternative */
};

/* ---- characters --------------------------------------------------------------------------- */

static bool literal_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool literal_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_char(char c)
{
    return literal_is_letter(c) || literal_is_digit(c) || c == '_' || c == '-';
}

static char literal_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns whether a byte is printed unescaped and has no other case-folded form. */
static bool literal_is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7f && c != '\\' && c != '"';
}

/*
 * Returns whether the word could occur in a number, a time, bytes, or the text of a value without
 * digits.
 */
static bool is_numeric(const struct tt_literal *literal)
{
    static const char *const values[] = {"inf", "nan", "true", "false", "null"};
    char text[TT_LITERAL_MOST + 1];
    bool digits = true;
    for (unsigned i = 0; i < literal->length; i++) {
        text[i] = literal_lower(literal->text[i]);
        bool hex = text[i] >= 'a' && text[i] <= 'f';
        digits &= !literal_is_letter(text[i]) || hex || text[i] == 'x';
        digits &= text[i] != '_';
    }
    text[literal->length] = '\0';
    for (size_t i = 0; i < sizeof values / sizeof *values && !digits; i++) {
        digits = strstr(values[i], text) != NULL;
    }
    return digits;
}

/* ---- reading a pattern -------------------------------------------------------------------- */

static void end_run(struct parsing *parsing)
{
    if (parsing->run.length > parsing->best.length && parsing->run.length > 1 &&
        !is_numeric(&parsing->run)) {
        parsing->best = parsing->run;
    }
    parsing->run.length = 0;
    parsing->run_cut = false;
}

static void literal_add(struct parsing *parsing, char c)
{
    if (parsing->run.length == TT_LITERAL_MOST) {
        parsing->run_cut = true;
    }
    if (!parsing->run_cut) {
        parsing->run.text[parsing->run.length++] = parsing->ignore_case ? literal_lower(c) : c;
    }
}

/* Removes the last character, which is optional. */
static void drop_last(struct parsing *parsing)
{
    if (parsing->run.length > 0 && !parsing->run_cut) {
        parsing->run.length--;
    }
    end_run(parsing);
}

/* Skips a character class; `at` is after the [. */
static bool skip_class(struct parsing *parsing)
{
    parsing->at += parsing->at < parsing->end && *parsing->at == '^';
    parsing->at += parsing->at < parsing->end && *parsing->at == ']';
    for (; parsing->at < parsing->end && *parsing->at != ']'; parsing->at++) {
        if (*parsing->at == '[') {
            return false; /* possibly [:alpha:] */
        }
        if (*parsing->at == '\\') {
            parsing->at++;
            if (parsing->at == parsing->end || *parsing->at == 'Q' || *parsing->at == 'E') {
                return false;
            }
        }
    }
    parsing->at++;
    return parsing->at <= parsing->end;
}

/* Returns whether a group changes the meaning of the rest, or is not a group. */
static bool is_odd_group(const struct parsing *parsing)
{
    if (parsing->at < parsing->end && *parsing->at == '*') {
        return true;
    }
    if (parsing->at == parsing->end || *parsing->at != '?') {
        return false;
    }
    return parsing->at + 1 >= parsing->end || !strchr(":=!<>|", parsing->at[1]);
}

/* Skips a group; `at` is after the (. */
static bool skip_group(struct parsing *parsing)
{
    unsigned depth = 1;
    if (is_odd_group(parsing)) {
        return false;
    }
    while (depth > 0) {
        if (parsing->at >= parsing->end) {
            return false;
        }
        char c = *parsing->at++;
        if (c == '\\') {
            if (parsing->at == parsing->end || *parsing->at == 'Q' || *parsing->at == 'E') {
                return false;
            }
            parsing->at++;
        } else if (c == '[') {
            if (!skip_class(parsing)) {
                return false;
            }
        } else if (c == '(') {
            if (is_odd_group(parsing)) {
                return false;
            }
            depth++;
        } else {
            depth -= c == ')';
        }
    }
    return true;
}

/* Skips a repetition count; `at` is after the {. */
static bool skip_count(struct parsing *parsing)
{
    while (parsing->at < parsing->end && (literal_is_digit(*parsing->at) || *parsing->at == ',')) {
        parsing->at++;
    }
    return parsing->at < parsing->end && *parsing->at++ == '}';
}

/* Parses an escape; `at` is after the backslash. */
static bool parse_escape(struct parsing *parsing)
{
    if (parsing->at == parsing->end) {
        return false;
    }
    char c = *parsing->at++;
    if (c == '-' || c == '_') {
        literal_add(parsing, c);
        return true;
    }
    end_run(parsing);
    return (!literal_is_letter(c) && !literal_is_digit(c)) || strchr("bBdDwWsSAzZhHvVR", c) != NULL;
}

/* Parses an alternative up to and including its |; returns false if its syntax is not supported. */
static bool parse_alternative(struct parsing *parsing)
{
    while (parsing->at < parsing->end) {
        char c = *parsing->at++;
        bool good = true;
        if (is_word_char(c)) {
            literal_add(parsing, c);
            continue;
        }
        switch (c) {
        case '|':
            end_run(parsing);
            return true;
        case '\\':
            good = parse_escape(parsing);
            break;
        case '?':
        case '*':
            drop_last(parsing);
            break;
        case '{':
            drop_last(parsing);
            good = skip_count(parsing);
            break;
        case '[':
            end_run(parsing);
            good = skip_class(parsing);
            break;
        case '(':
            end_run(parsing);
            good = skip_group(parsing);
            break;
        case ')':
            good = false;
            break;
        default:
            end_run(parsing); /* an anchor, punctuation or a byte of a non-ASCII letter */
            break;
        }
        if (!good) {
            return false;
        }
    }
    end_run(parsing);
    return true;
}

void tt_literals_of(const char *pattern, size_t length, bool ignore_case, struct tt_literals *out)
{
    struct parsing p = {.at = pattern, .end = pattern + length, .ignore_case = ignore_case};
    unsigned count = 0;
    bool more = true;
    *out = (struct tt_literals){.ignore_case = ignore_case};
    while (more) {
        p.best.length = 0;
        if (count == TT_LITERALS || !parse_alternative(&p) || p.best.length == 0) {
            return;
        }
        out->v[count++] = p.best;
        more = p.at < p.end || (length > 0 && p.at[-1] == '|' && p.at == p.end);
    }
    out->count = count;

    out->shortest = TT_LITERAL_MOST;
    for (unsigned c = 0; c < 256; c++) {
        out->stops[c] = !literal_is_plain((unsigned char)c);
    }
    for (unsigned i = 0; i < out->count; i++) {
        unsigned char first = (unsigned char)out->v[i].text[0];
        out->stops[first] = true;
        out->stops[first - (out->ignore_case && first >= 'a' && first <= 'z' ? 'a' - 'A' : 0)] =
            true;
        out->shortest = out->v[i].length < out->shortest ? out->v[i].length : out->shortest;
    }
}

/* ---- search --------------------------------------------------------------------------------- */

static bool same_here(const struct tt_literals *all, const struct tt_literal *literal,
                      const char *text)
{
    if (!all->ignore_case) {
        return memcmp(text, literal->text, literal->length) == 0;
    }
    for (unsigned i = 0; i < literal->length; i++) {
        if (literal_lower(text[i]) != literal->text[i]) {
            return false;
        }
    }
    return true;
}

/* Scans a text that is too short for any word, eight bytes at a time. */
static bool any_not_plain(const char *text, size_t length)
{
    uint64_t eight;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&eight, text, 8);
        if (tt_any_special(eight)) {
            return true;
        }
    }
    eight = TT_EACH_BYTE(' ');
    for (size_t i = 0; i < length; i++) {
        eight = eight << 8 | (unsigned char)text[i];
    }
    return tt_any_special(eight);
}

/*
 * Returns the length of the groups of eight bytes that contain neither the word's first byte nor an
 * unprintable byte.
 */
static size_t skip_eights(const struct tt_literals *all, const char *text, size_t length)
{
    const uint64_t first = TT_EACH_BYTE((uint64_t)(unsigned char)all->v[0].text[0]);
    size_t at = 0;
    for (; length - at >= 8; at += 8) {
        uint64_t eight, other;
        memcpy(&eight, text + at, 8);
        other = eight ^ first; /* 0 in bytes that are equal */
        if (((other - TT_EACH_BYTE(1)) & ~other & TT_EACH_BYTE(0x80)) != 0 ||
            tt_any_special(eight)) {
            break;
        }
    }
    return at;
}

bool tt_literals_may_be_in(const struct tt_literals *all, const char *text, size_t length)
{
    const bool one = all->count == 1 && !all->ignore_case;
    if (length < all->shortest) {
        return any_not_plain(text, length);
    }
    for (size_t at = 0; at < length; at++) {
        if (one && at % 8 == 0) {
            at += skip_eights(all, text + at, length - at);
            if (at == length) {
                break;
            }
        }
        unsigned char c = (unsigned char)text[at];
        if (!all->stops[c]) {
            continue;
        }
        if (!literal_is_plain(c)) {
            return true;
        }
        for (unsigned i = 0; i < all->count; i++) {
            const struct tt_literal *literal = &all->v[i];
            if (length - at >= literal->length && same_here(all, literal, text + at)) {
                return true;
            }
        }
    }
    return false;
}

bool tt_literals_may_be_in_args(const struct tt_literals *all, const struct tt_args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (!arg->hidden &&
            (tt_literals_may_be_in(all, arg->name.data, arg->name.length) ||
             (arg->label.length > 0 &&
              tt_literals_may_be_in(all, arg->label.data, arg->label.length)) ||
             (arg->type == TT_ARG_STRING &&
              tt_literals_may_be_in(all, arg->value.s.data, arg->value.s.length)))) {
            return true;
        }
    }
    return false;
}
