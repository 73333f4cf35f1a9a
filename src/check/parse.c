/* SPDX-License-Identifier: Apache-2.0 */
/* parse: from the tokens of a line to a rule. docs/check.md has the grammar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest_word.h"
#include "check/rules_internal.h"
#include "filter/regex.h"
#include "table/registry.h"
#include "tracetui/reactions.h"

struct parser {
    struct tt_rules *rules;
    const struct tt_tokens *tokens;
    size_t next;
    struct tt_rule *rule;
    struct tt_rule_error *error;
};

/* ---- errors ------------------------------------------------------------------------------- */

static bool fail_at(struct parser *p, uint32_t column, struct tt_status status)
{
    p->error->column = column;
    p->error->status = status;
    return false;
}

static const struct tt_token *peek(const struct parser *p)
{
    return &p->tokens->items[p->next];
}

/* Fails at the next token: "expected X, found Y". */
static bool expected(struct parser *p, const char *what)
{
    const struct tt_token *t = peek(p);
    return fail_at(p, t->column,
                   t->kind == TT_TOKEN_END
                       ? tt_error(TT_ERR_USAGE, "expected %s at the end of the rule", what)
                       : tt_error(TT_ERR_USAGE, "expected %s, found '%.60s'", what, t->text));
}

static bool no_memory(struct parser *p)
{
    return fail_at(p, 0, tt_error_memory());
}

/* ---- tokens ------------------------------------------------------------------------------- */

static const struct tt_token *take(struct parser *p)
{
    const struct tt_token *t = peek(p);
    p->next += t->kind != TT_TOKEN_END;
    return t;
}

static bool is_at(const struct parser *p, size_t ahead, enum tt_token_kind kind, const char *text)
{
    size_t at = p->next + ahead;
    return at < p->tokens->count && p->tokens->items[at].kind == kind &&
           (!text || strcmp(p->tokens->items[at].text, text) == 0);
}

static bool is_word(const struct parser *p, const char *word)
{
    return is_at(p, 0, TT_TOKEN_WORD, word);
}

static bool accept(struct parser *p, const char *word)
{
    bool found = is_word(p, word);
    p->next += found;
    return found;
}

/* Consumes a keyword, or fails and proposes it if the word is misspelled. */
static bool need(struct parser *p, const char *word)
{
    const struct tt_token *t = peek(p);
    if (accept(p, word)) {
        return true;
    }
    if (t->kind == TT_TOKEN_WORD) {
        struct tt_nearest_word search = tt_nearest_word_of(t->text, strlen(t->text));
        tt_nearest_word_try(&search, word);
        if (search.nearest) {
            return fail_at(
                p, t->column,
                tt_error(TT_ERR_USAGE, "unexpected '%.40s'; did you mean '%s'?", t->text, word));
        }
    }
    char quoted[40];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return expected(p, quoted);
}

/* ---- filters and names -------------------------------------------------------------------- */

/* Returns the number of a filter text in the list of all rules; each is parsed once. */
static bool add_filter(struct parser *p, const struct tt_token *t, uint32_t *number)
{
    struct tt_rules *r = p->rules;
    for (uint32_t i = 0; i < r->filter_count; i++) {
        if (strcmp(r->filters[i].text, t->text) == 0) {
            *number = i;
            return true;
        }
    }
    struct tt_rule_filter *room =
        tt_array_grow_32(r->filters, r->filter_count, &r->filter_capacity, sizeof *room);
    if (!room) {
        return no_memory(p);
    }
    r->filters = room;
    struct tt_rule_filter *added = &r->filters[r->filter_count];
    struct tt_filter_error error;
    if (!tt_filter_parse(t->text, &added->filter, &error)) {
        return fail_at(p, t->column + error.column, error.status);
    }
    added->text = t->text;
    *number = r->filter_count++;
    return true;
}

static bool take_filter(struct parser *p, uint32_t *number)
{
    if (peek(p)->kind != TT_TOKEN_FILTER) {
        return expected(p, "a filter in braces, as {event = THRUNNING}");
    }
    return add_filter(p, take(p), number);
}

static bool take_step(struct parser *p)
{
    struct tt_rule *r = p->rule;
    if (r->filter_count == TT_RULE_STEPS) {
        return fail_at(p, peek(p)->column,
                       tt_error(TT_ERR_USAGE, "a sequence has at most %u events", TT_RULE_STEPS));
    }
    r->columns[r->filter_count] = peek(p)->column;
    return take_filter(p, &r->filters[r->filter_count]) && ++r->filter_count > 0;
}

/* Compiles a pattern, which the rules own. */
static bool take_regex(struct parser *p, struct tt_rule_name *name)
{
    const struct tt_token *t = peek(p);
    char message[TT_REGEX_MESSAGE];
    size_t offset = 0;
    if (t->kind != TT_TOKEN_REGEX) {
        return expected(p, "a regex, as /^sensor/");
    }
    struct tt_regex **room = tt_array_grow(p->rules->regexes, p->rules->regex_count,
                                           &p->rules->regex_capacity, sizeof(struct tt_regex *));
    if (!room) {
        return no_memory(p);
    }
    p->rules->regexes = room;
    name->text = t->text;
    name->regex = tt_regex_new(t->text, strlen(t->text), &offset, message);
    if (!name->regex) {
        return message[0] ? fail_at(p, t->column + 1 + tt_scan_column(t->text, offset) - 1,
                                    tt_error(TT_ERR_USAGE, "regex: %s", message))
                          : no_memory(p);
    }
    p->rules->regexes[p->rules->regex_count++] = name->regex;
    p->next++;
    return true;
}

/* Returns whether the operators = and != belong to a selector and not to a limit. */
static bool names_follow(const struct parser *p)
{
    bool equal = is_at(p, 0, TT_TOKEN_OP, "=") || is_at(p, 0, TT_TOKEN_OP, "!=") ||
                 is_at(p, 0, TT_TOKEN_OP, "==");
    return equal && (is_at(p, 1, TT_TOKEN_WORD, NULL) || is_at(p, 1, TT_TOKEN_QUOTED, NULL));
}

/* Parses NAME, * , ~ REGEX, !~ REGEX, = NAME or != NAME. */
static bool take_name(struct parser *p, struct tt_rule_name *name, const char *what)
{
    bool without = is_at(p, 0, TT_TOKEN_OP, "!~");
    if (without || is_at(p, 0, TT_TOKEN_OP, "~")) {
        p->next++;
        name->how = without ? TT_NAME_DIFFERS : TT_NAME_MATCHES;
        return take_regex(p, name);
    }
    name->how = TT_NAME_IS;
    if (names_follow(p)) {
        name->how = peek(p)->text[0] == '!' ? TT_NAME_IS_NOT : TT_NAME_IS;
        p->next++;
    } else if (accept(p, "*")) {
        name->how = TT_NAME_ANY;
        name->text = "*";
        return true;
    }
    if (!is_at(p, 0, TT_TOKEN_WORD, NULL) && !is_at(p, 0, TT_TOKEN_QUOTED, NULL)) {
        return expected(p, what);
    }
    name->text = take(p)->text;
    return true;
}

/* Parses the number after a word such as `interrupt`. */
static bool take_number(struct parser *p, uint64_t *number, const char *what)
{
    const struct tt_token *t = peek(p);
    char *end;
    if (t->kind != TT_TOKEN_WORD || t->text[0] < '0' || t->text[0] > '9') {
        return expected(p, what);
    }
    *number = strtoull(t->text, &end, 0);
    if (*end != '\0') {
        return expected(p, what);
    }
    p->next++;
    return true;
}

/* ---- limits and windows ------------------------------------------------------------------- */

static const char *const compare_texts[] = {"<", "<=", ">", ">=", "=", "!="};

const char *tt_rule_compare_text(unsigned compare)
{
    return compare_texts[compare];
}

/* Joins a number and a unit after a blank: 200 us. The result is in `buffer`. */
static const char *number_word(struct parser *p, char *buffer, size_t size)
{
    const struct tt_token *t = take(p);
    bool unit = peek(p)->kind == TT_TOKEN_WORD && tt_rule_is_unit(peek(p)->text);
    snprintf(buffer, size, "%s%s", t->text, unit ? take(p)->text : "");
    return buffer;
}

static bool take_limit_word(struct parser *p, enum tt_rule_unit unit)
{
    char word[80];
    const struct tt_token *t = peek(p);
    if (t->kind != TT_TOKEN_WORD) {
        return expected(p, "a limit");
    }
    struct tt_status status =
        tt_rule_limit_parse(number_word(p, word, sizeof word), unit, &p->rule->limit);
    p->rule->has_limit = true;
    return !tt_failed(&status) || fail_at(p, t->column, status);
}

static bool take_limit(struct parser *p, enum tt_rule_unit unit)
{
    const struct tt_token *t = peek(p);
    for (size_t i = 0; t->kind == TT_TOKEN_OP && i < sizeof compare_texts / sizeof *compare_texts;
         i++) {
        if (strcmp(t->text, compare_texts[i]) == 0 ||
            (i == TT_EQUAL && strcmp(t->text, "==") == 0)) {
            p->rule->limit.compare = (enum tt_rule_compare)i;
            p->next++;
            return take_limit_word(p, unit);
        }
    }
    return expected(p, "a comparison, as < 200us");
}

/* Parses the time of a sequence: within TIME. */
static bool take_span(struct parser *p)
{
    p->rule->limit.compare = TT_LESS_EQUAL;
    if (!need(p, "within")) {
        return false;
    }
    uint32_t column = peek(p)->column;
    if (!take_limit_word(p, TT_RULE_UNIT_NS)) {
        return false;
    }
    return p->rule->limit.value.number > 0 ||
           fail_at(p, column, tt_error(TT_ERR_USAGE, "the time has to be more than 0"));
}

/* Parses a point in time of a window; empty: the begin or the end. */
static bool point(struct parser *p, uint32_t column, const char *text, size_t length,
                  struct tt_time_spec *when)
{
    char word[64];
    when->kind = TT_TIME_SPEC_NONE;
    if (length == 0) {
        return true;
    }
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    struct tt_status status = tt_time_spec_parse(word, when);
    return !tt_failed(&status) || fail_at(p, column, status);
}

static bool take_range(struct parser *p)
{
    const struct tt_token *t = peek(p);
    const char *dots = t->kind == TT_TOKEN_WORD ? strstr(t->text, "..") : NULL;
    if (!dots) {
        return expected(p, "a range of time, as 1s..2s or 20%..80%");
    }
    p->next++;
    p->rule->window.kind = TT_WINDOW_RANGE;
    uint32_t second = t->column + tt_scan_column(t->text, (size_t)(dots - t->text)) + 1;
    return point(p, t->column, t->text, (size_t)(dots - t->text), &p->rule->window.from) &&
           point(p, second, dots + 2, strlen(dots + 2), &p->rule->window.to);
}

static bool take_window(struct parser *p)
{
    struct tt_rule_window *w = &p->rule->window;
    w->first = w->last = TT_NO_FILTER;
    if (accept(p, "within")) {
        return take_range(p);
    }
    if (accept(p, "during")) {
        w->kind = TT_WINDOW_DURING;
        w->first_column = peek(p)->column;
        if (!take_filter(p, &w->first)) {
            return false;
        }
        if (accept(p, "to")) {
            w->kind = TT_WINDOW_BETWEEN;
            w->last_column = peek(p)->column;
            return take_filter(p, &w->last);
        }
    }
    return true;
}

/* Parses the property that joins two events: same thread, same arg:NAME. */
static bool take_same(struct parser *p)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_MEASURE_SAME_INFO(X)
#undef X
    };
    if (!accept(p, "same")) {
        return true;
    }
    const struct tt_token *t = peek(p);
    if (t->kind == TT_TOKEN_WORD && strncmp(t->text, "arg:", 4) == 0 && t->text[4]) {
        p->rule->same = TT_MEASURE_ARG;
        p->rule->same_arg = t->text + 4;
        p->next++;
        return true;
    }
    for (int i = TT_MEASURE_THREAD; i < TT_MEASURE_ARG; i++) {
        if (accept(p, words[i])) {
            p->rule->same = (enum tt_measure_same)i;
            return true;
        }
    }
    return expected(p, "thread, cpu, process or arg:NAME");
}

/* ---- statements --------------------------------------------------------------------------- */

static const char *const quantile_words[] = {
#define X(id, word) word,
    TT_QUANTILE_INFO(X)
#undef X
};

const char *tt_quantile_word(unsigned quantile)
{
    return quantile_words[quantile];
}

bool tt_quantile_find(const char *word, enum tt_quantile *quantile)
{
    for (int i = 0; i < TT_QUANTILE_COUNT_; i++) {
        if (strcmp(quantile_words[i], word) == 0) {
            *quantile = (enum tt_quantile)i;
            return true;
        }
    }
    return false;
}

/* Reads the quantile of a time; fails with the list of words. */
static bool need_quantile(struct parser *p, const struct tt_token *t)
{
    if (t && tt_quantile_find(t->text, &p->rule->quantile)) {
        return true;
    }
    return fail_at(p, t ? t->column : peek(p)->column,
                   tt_error(TT_ERR_USAGE,
                            "expected count, min, mean, p50, p95, p99 or max%s%.40s%s",
                            t ? ", found '" : "", t ? t->text : "", t ? "'" : ""));
}

static enum tt_rule_unit quantile_unit(const struct tt_rule *r)
{
    return r->quantile == TT_QUANTILE_COUNT ? TT_RULE_UNIT_COUNT : TT_RULE_UNIT_NS;
}

/* Parses QUANTILE time from {A} to {B} [same WHAT] [pair first]. */
static bool parse_time(struct parser *p, const struct tt_token *quantile)
{
    p->rule->kind = TT_RULE_TIME;
    if (!need_quantile(p, quantile) || !need(p, "from") || !take_step(p) || !need(p, "to") ||
        !take_step(p) || !take_same(p)) {
        return false;
    }
    if (accept(p, "pair")) {
        p->rule->pair_first = is_word(p, "first");
        if (!accept(p, "first") && !accept(p, "last")) {
            return expected(p, "first or last");
        }
    }
    return take_limit(p, quantile_unit(p->rule)) && take_window(p);
}

/* Parses reaction QUANTILE of thread NAME to interrupt NUMBER. */
static bool parse_reaction(struct parser *p, const struct tt_token *quantile, int part)
{
    p->rule->kind = TT_RULE_REACTION;
    p->rule->part = part;
    return need_quantile(p, quantile) && need(p, "of") && need(p, "thread") &&
           take_name(p, &p->rule->of, "a thread") && need(p, "to") && need(p, "interrupt") &&
           take_number(p, &p->rule->vector, "the number of an interrupt") &&
           take_limit(p, quantile_unit(p->rule)) && take_window(p);
}

/* Returns the part of a reaction of that word: -1 all of it, -2 none. */
static int reaction_part(const char *word)
{
    static const char *const parts[] = {
#define X(id, key, text) key,
        TT_REACTION_INFO(X)
#undef X
    };
    for (int i = 0; i < TT_REACTION_PARTS; i++) {
        if (strcmp(parts[i], word) == 0) {
            return i;
        }
    }
    return strcmp(word, "reaction") == 0 ? -1 : -2;
}

bool tt_rule_is_part(const char *word)
{
    return reaction_part(word) >= -1;
}

/* ---- measures of tables ------------------------------------------------------------------- */

static bool take_second_name(struct parser *p)
{
    struct tt_rule *r = p->rule;
    if (strcmp(tt_rule_between(r->table), "by") == 0) {
        return need(p, "by") && take_name(p, &r->to, "a thread or a cause");
    }
    if (!is_at(p, 0, TT_TOKEN_OP, "->")) {
        return expected(p, "-> and the second name");
    }
    p->next++;
    return take_name(p, &r->to, "the second name");
}

static bool take_selector(struct parser *p)
{
    struct tt_rule *r = p->rule;
    const struct tt_token *t = peek(p);
    const struct tt_table *table = t->kind == TT_TOKEN_WORD ? tt_rule_table(t->text) : NULL;
    if (!table) {
        struct tt_nearest_word search = tt_nearest_word_of(t->text, strlen(t->text));
        tt_rule_try_selectors(&search);
        return search.nearest
                   ? fail_at(p, t->column,
                             tt_error(TT_ERR_USAGE, "unknown selector '%.40s'; did you mean '%s'?",
                                      t->text, search.nearest))
                   : expected(p, "a selector: thread, cpu, process, job, event, message, server, "
                                 "client, channel, object, interrupt, pair, blame, inversion, "
                                 "imposed or matrix");
    }
    p->next++;
    r->table = table;
    r->connection = UINT64_MAX;
    if (!take_name(p, &r->of, "a name, * or ~ /regex/")) {
        return false;
    }
    if (r->table == &tt_table_channels && is_at(p, 0, TT_TOKEN_WORD, NULL)) {
        return take_number(p, &r->connection, "the number of a connection");
    }
    bool two = tt_rule_has_two(r->table);
    return !two || take_second_name(p);
}

static bool ends_in_percent(const struct parser *p)
{
    const struct tt_token *t =
        p->next + 1 < p->tokens->count ? &p->tokens->items[p->next + 1] : NULL;
    size_t length = t ? strlen(t->text) : 0;
    return length > 0 && (t->text[length - 1] == '%' || is_at(p, 2, TT_TOKEN_WORD, "%"));
}

static bool parse_column(struct parser *p, const struct tt_token *first,
                         const struct tt_token *second)
{
    struct tt_rule *r = p->rule;
    enum tt_rule_unit unit;
    struct tt_status status = tt_rule_measure_find(
        r->table, first->text, second ? second->text : "", ends_in_percent(p), &r->column);
    if (tt_failed(&status)) {
        return fail_at(p, first->column, status);
    }
    tt_rule_column(r->column, &unit);
    return take_limit(p, unit) && take_window(p);
}

/* Parses a measure of the whole capture: lost = 0, context_switches < 1000. */
static bool parse_total(struct parser *p, const struct tt_token *first,
                        const struct tt_token *second)
{
    p->rule->kind = TT_RULE_TABLE;
    p->rule->table = &tt_table_total;
    for (unsigned i = 0; !second && i < TT_HEALTH_COUNT; i++) {
        if (strcmp(tt_health_key(i), first->text) == 0) {
            p->rule->kind = TT_RULE_HEALTH;
            p->rule->health = i;
            return take_limit(p, TT_RULE_UNIT_COUNT);
        }
    }
    return parse_column(p, first, second);
}

/* Reads the key of a column of the rule's table; a number has a unit that a limit can have. */
static const struct tt_table_column *take_column(struct parser *p)
{
    const struct tt_token *t = peek(p);
    const struct tt_table *table = p->rule->table;
    struct tt_nearest_word search = tt_nearest_word_of(t->text, strlen(t->text));
    for (size_t i = 0; t->kind == TT_TOKEN_WORD && i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        const char *key = column->sql ? column->sql : column->key;
        if (strcmp(key, t->text) == 0 || strcmp(column->key, t->text) == 0) {
            p->next++;
            return column;
        }
        tt_nearest_word_try(&search, key);
    }
    fail_at(p, t->column,
            search.nearest
                ? tt_error(TT_ERR_USAGE, "no column '%.40s' of %s; did you mean '%s'?", t->text,
                           table->name, search.nearest)
                : tt_error(TT_ERR_USAGE, "no column '%.40s' of %s", t->text, table->name));
    return NULL;
}

/* Parses COLUMN and a comparison with a number or a name. */
static bool take_term(struct parser *p, struct tt_rule_term *term)
{
    struct tt_rule *r = p->rule;
    enum tt_rule_unit unit;
    term->column = take_column(p);
    if (!term->column) {
        return false;
    }
    const char *op = peek(p)->kind == TT_TOKEN_OP ? peek(p)->text : "";
    bool orders = op[0] == '<' || op[0] == '>';
    bool measures = tt_rule_column(term->column, &unit);
    if (!measures && orders) {
        return fail_at(
            p, peek(p)->column,
            tt_error(TT_ERR_USAGE, "%s is no number to compare; use = or ~", term->column->key));
    }
    term->is_number = measures && (orders || unit != TT_RULE_UNIT_COUNT);
    if (!term->is_number) {
        return take_name(p, &term->name, "= NAME or ~ /regex/");
    }
    bool ok = take_limit(p, unit);
    term->limit = r->limit;
    r->limit = (struct tt_rule_limit){.compare = TT_EQUAL};
    r->has_limit = false;
    return ok;
}

/* Parses [where COLUMN COMPARISON VALUE {and ...}]. */
static bool take_terms(struct parser *p)
{
    struct tt_rule *r = p->rule;
    struct tt_rule_term terms[TT_RULE_TERMS] = {0};
    for (bool more = accept(p, "where"); more; more = accept(p, "and")) {
        if (r->term_count == TT_RULE_TERMS) {
            return fail_at(
                p, peek(p)->column,
                tt_error(TT_ERR_USAGE, "a rule has at most %u conditions", TT_RULE_TERMS));
        }
        if (!take_term(p, &terms[r->term_count++])) {
            return false;
        }
    }
    size_t size = r->term_count * sizeof *terms;
    struct tt_rule_term *kept = size > 0 ? tt_arena_words(&p->rules->texts, size) : NULL;
    if (kept) {
        memcpy(kept, terms, size);
    }
    r->terms = kept;
    return kept || size == 0 || no_memory(p);
}

/* Parses QUANTILE of COLUMN of TABLE [where ...]; the next four tokens are words. */
static bool parse_rows(struct parser *p)
{
    struct tt_rule *r = p->rule;
    enum tt_rule_unit unit = TT_RULE_UNIT_COUNT;
    const struct tt_token *column = &p->tokens->items[p->next + 2];
    const struct tt_token *word = &p->tokens->items[p->next + 4];
    struct tt_nearest_word search = tt_nearest_word_of(word->text, strlen(word->text));
    r->kind = TT_RULE_ROWS;
    r->table = tt_rule_any_table(word->text, &search);
    if (!r->table) {
        const char *near = search.nearest;
        return fail_at(p, word->column,
                       tt_error(TT_ERR_USAGE, "no table '%.40s'%s%s%s", word->text,
                                near ? "; did you mean '" : "", near ? near : "",
                                near ? "'?" : ""));
    }
    p->next += 2;
    r->column = take_column(p);
    if (!r->column) {
        return false;
    }
    if (r->quantile == TT_QUANTILE_COUNT) {
        unit = TT_RULE_UNIT_COUNT;
    } else if (!tt_rule_column(r->column, &unit)) {
        return fail_at(p, column->column,
                       tt_error(TT_ERR_USAGE, "%s of %s is no number; count it", r->column->key,
                                r->table->name));
    }
    p->next += 2;
    return take_terms(p) && take_limit(p, unit) && take_window(p);
}

static bool parse_measure(struct parser *p)
{
    const struct tt_token *first = take(p), *second = NULL;
    if (strcmp(first->text, "inversions") == 0) {
        p->rule->kind = TT_RULE_INVERSIONS;
        p->rule->table = &tt_table_inversions;
        return need(p, "of") && need(p, "thread") && take_name(p, &p->rule->of, "a thread") &&
               take_limit(p, TT_RULE_UNIT_COUNT) && take_window(p);
    }
    if (is_at(p, 0, TT_TOKEN_WORD, NULL) && !is_word(p, "of")) {
        second = take(p);
    }
    bool of_row = !second && is_word(p, "of"); /* time of profile NAME */
    if ((strcmp(first->text, "time") == 0 && !of_row) ||
        (second && strcmp(second->text, "time") == 0)) {
        return parse_time(p, strcmp(first->text, "time") == 0 ? second : first);
    }
    int part = reaction_part(first->text), other = second ? reaction_part(second->text) : -2;
    if (part >= -1 || other >= -1) {
        return parse_reaction(p, part >= -1 ? second : first, part >= -1 ? part : other);
    }
    if (peek(p)->kind == TT_TOKEN_OP) {
        return parse_total(p, first, second);
    }
    p->rule->kind = TT_RULE_TABLE;
    return need(p, "of") && take_selector(p) && parse_column(p, first, second);
}

static bool parse_statement(struct parser *p)
{
    struct tt_rule *r = p->rule;
    if (peek(p)->kind == TT_TOKEN_FILTER) {
        r->kind = TT_RULE_SEQUENCE;
        bool ok = take_step(p) && need(p, "then") && take_step(p);
        while (ok && accept(p, "then")) {
            ok = take_step(p);
        }
        return ok && take_same(p) && take_span(p) && take_window(p);
    }
    if (peek(p)->kind != TT_TOKEN_WORD) {
        return expected(p, "a measure, every, never, no, count or a filter");
    }
    bool rate = is_word(p, "rate");
    if ((rate || is_word(p, "count")) && is_at(p, 1, TT_TOKEN_WORD, "of") &&
        is_at(p, 2, TT_TOKEN_FILTER, NULL)) {
        p->next += 2;
        r->kind = rate ? TT_RULE_RATE : TT_RULE_COUNT;
        return take_step(p) && take_limit(p, rate ? TT_RULE_UNIT_HZ : TT_RULE_UNIT_COUNT) &&
               take_window(p);
    }
    if (tt_quantile_find(peek(p)->text, &r->quantile) && is_at(p, 1, TT_TOKEN_WORD, "of") &&
        is_at(p, 2, TT_TOKEN_WORD, NULL) && is_at(p, 3, TT_TOKEN_WORD, "of") &&
        is_at(p, 4, TT_TOKEN_WORD, NULL)) {
        return parse_rows(p);
    }
    if (accept(p, "every")) {
        r->kind = TT_RULE_EVERY;
        return take_step(p) && need(p, "is") && need(p, "followed") && need(p, "by") &&
               take_step(p) && take_same(p) && take_span(p) && take_window(p);
    }
    if (accept(p, "never")) {
        r->kind = TT_RULE_NEVER;
        return take_step(p) && take_window(p);
    }
    if (accept(p, "no")) {
        r->kind = TT_RULE_ABSENCE;
        return take_step(p) && need(p, "between") && take_step(p) && need(p, "and") &&
               take_step(p) && take_same(p) && take_window(p);
    }
    return parse_measure(p);
}

bool tt_rule_parse(struct tt_rules *rules, const struct tt_tokens *tokens, struct tt_rule *rule,
                   struct tt_rule_error *error)
{
    struct parser p = {.rules = rules, .tokens = tokens, .rule = rule, .error = error};
    rule->window.first = rule->window.last = TT_NO_FILTER;
    rule->connection = UINT64_MAX;
    rule->part = -1;
    rule->limit.compare = TT_EQUAL; /* of rules without a limit: no event */
    if (!parse_statement(&p)) {
        return false;
    }
    return peek(&p)->kind == TT_TOKEN_END || expected(&p, "the end of the rule");
}
