/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/literal.h"

#include <string.h>

#include "base/format_fast.h"

struct parsing {
    const char *at;
    const char *end;
    bool ignore_case;
    struct tt_literal run;  /* the word that is being read */
    bool run_cut;           /* it is longer than there is room for: what follows is not adjacent */
    struct tt_literal best; /* of this alternative */
};

/* ---- characters --------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_wordy(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is it shown as it is, and folds to nothing else? */
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7f && c != '\\' && c != '"';
}

/* Could it stand in a number, a time, bytes, or what is written for a value that has no number? */
static bool is_numeric(const struct tt_literal *l)
{
    static const char *const values[] = {"inf", "nan", "true", "false", "null"};
    char text[TT_LITERAL_MOST + 1];
    bool digits = true;
    for (unsigned i = 0; i < l->length; i++) {
        text[i] = small(l->text[i]);
        bool hex = text[i] >= 'a' && text[i] <= 'f';
        digits &= !is_letter(text[i]) || hex || text[i] == 'x';
        digits &= text[i] != '_';
    }
    text[l->length] = '\0';
    for (size_t i = 0; i < sizeof values / sizeof *values && !digits; i++) {
        digits = strstr(values[i], text) != NULL;
    }
    return digits;
}

/* ---- reading a pattern -------------------------------------------------------------------- */

static void end_run(struct parsing *p)
{
    if (p->run.length > p->best.length && p->run.length > 1 && !is_numeric(&p->run)) {
        p->best = p->run;
    }
    p->run.length = 0;
    p->run_cut = false;
}

static void add(struct parsing *p, char c)
{
    if (p->run.length == TT_LITERAL_MOST) {
        p->run_cut = true;
    }
    if (!p->run_cut) {
        p->run.text[p->run.length++] = p->ignore_case ? small(c) : c;
    }
}

/* The last character need not be there. */
static void drop_last(struct parsing *p)
{
    if (p->run.length > 0 && !p->run_cut) {
        p->run.length--;
    }
    end_run(p);
}

/* `at` stands behind the [. */
static bool skip_class(struct parsing *p)
{
    p->at += p->at < p->end && *p->at == '^';
    p->at += p->at < p->end && *p->at == ']';
    for (; p->at < p->end && *p->at != ']'; p->at++) {
        if (*p->at == '[') {
            return false; /* perhaps [:alpha:] */
        }
        if (*p->at == '\\') {
            p->at++;
            if (p->at == p->end || *p->at == 'Q' || *p->at == 'E') {
                return false;
            }
        }
    }
    p->at++;
    return p->at <= p->end;
}

/* A group that changes how the rest is read, or that is not a group. */
static bool is_odd_group(const struct parsing *p)
{
    if (p->at < p->end && *p->at == '*') {
        return true;
    }
    if (p->at == p->end || *p->at != '?') {
        return false;
    }
    return p->at + 1 >= p->end || !strchr(":=!<>|", p->at[1]);
}

/* `at` stands behind the (. */
static bool skip_group(struct parsing *p)
{
    unsigned depth = 1;
    if (is_odd_group(p)) {
        return false;
    }
    while (depth > 0) {
        if (p->at >= p->end) {
            return false;
        }
        char c = *p->at++;
        if (c == '\\') {
            if (p->at == p->end || *p->at == 'Q' || *p->at == 'E') {
                return false;
            }
            p->at++;
        } else if (c == '[') {
            if (!skip_class(p)) {
                return false;
            }
        } else if (c == '(') {
            if (is_odd_group(p)) {
                return false;
            }
            depth++;
        } else {
            depth -= c == ')';
        }
    }
    return true;
}

/* `at` stands behind the {. */
static bool skip_count(struct parsing *p)
{
    while (p->at < p->end && (is_digit(*p->at) || *p->at == ',')) {
        p->at++;
    }
    return p->at < p->end && *p->at++ == '}';
}

/* `at` stands behind the backslash. */
static bool take_escape(struct parsing *p)
{
    if (p->at == p->end) {
        return false;
    }
    char c = *p->at++;
    if (c == '-' || c == '_') {
        add(p, c);
        return true;
    }
    end_run(p);
    return (!is_letter(c) && !is_digit(c)) || strchr("bBdDwWsSAzZhHvVR", c) != NULL;
}

/* One alternative; false: nothing can be said. Stops behind its |. */
static bool take_alternative(struct parsing *p)
{
    while (p->at < p->end) {
        char c = *p->at++;
        bool good = true;
        if (is_wordy(c)) {
            add(p, c);
            continue;
        }
        switch (c) {
        case '|':
            end_run(p);
            return true;
        case '\\':
            good = take_escape(p);
            break;
        case '?':
        case '*':
            drop_last(p);
            break;
        case '{':
            drop_last(p);
            good = skip_count(p);
            break;
        case '[':
            end_run(p);
            good = skip_class(p);
            break;
        case '(':
            end_run(p);
            good = skip_group(p);
            break;
        case ')':
            good = false;
            break;
        default:
            end_run(p); /* an anchor, a sign, a byte of another letter */
            break;
        }
        if (!good) {
            return false;
        }
    }
    end_run(p);
    return true;
}

static void set_stops(struct tt_literals *out)
{
    out->shortest = TT_LITERAL_MOST;
    for (unsigned c = 0; c < 256; c++) {
        out->stops[c] = !is_plain((unsigned char)c);
    }
    for (unsigned i = 0; i < out->count; i++) {
        unsigned char first = (unsigned char)out->v[i].text[0];
        out->stops[first] = true;
        out->stops[first - (out->ignore_case && first >= 'a' && first <= 'z' ? 'a' - 'A' : 0)] =
            true;
        out->shortest = out->v[i].length < out->shortest ? out->v[i].length : out->shortest;
    }
}

void tt_literals_of(const char *pattern, size_t length, bool ignore_case, struct tt_literals *out)
{
    struct parsing p = {.at = pattern, .end = pattern + length, .ignore_case = ignore_case};
    unsigned count = 0;
    bool more = true;
    *out = (struct tt_literals){.ignore_case = ignore_case};
    while (more) {
        p.best.length = 0;
        if (count == TT_LITERALS || !take_alternative(&p) || p.best.length == 0) {
            return;
        }
        out->v[count++] = p.best;
        more = p.at < p.end || (length > 0 && p.at[-1] == '|' && p.at == p.end);
    }
    out->count = count;
    set_stops(out);
}

/* ---- looking for them --------------------------------------------------------------------- */

static bool same_here(const struct tt_literals *all, const struct tt_literal *l, const char *text)
{
    if (!all->ignore_case) {
        return memcmp(text, l->text, l->length) == 0;
    }
    for (unsigned i = 0; i < l->length; i++) {
        if (small(text[i]) != l->text[i]) {
            return false;
        }
    }
    return true;
}

/* Texts that no word fits into: eight bytes in one go. */
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

/* Up to which of the eights of a text no byte is the first of the word, or not plain. */
static size_t skip_eights(const struct tt_literals *all, const char *text, size_t length)
{
    const uint64_t first = TT_EACH_BYTE((uint64_t)(unsigned char)all->v[0].text[0]);
    size_t at = 0;
    for (; length - at >= 8; at += 8) {
        uint64_t eight, other;
        memcpy(&eight, text + at, 8);
        other = eight ^ first; /* 0 where it is */
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
        if (!is_plain(c)) {
            return true;
        }
        for (unsigned i = 0; i < all->count; i++) {
            const struct tt_literal *l = &all->v[i];
            if (length - at >= l->length && same_here(all, l, text + at)) {
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
