/* SPDX-License-Identifier: Apache-2.0 */
/* parse: from the tokens of a line to a rule. docs/check.md has the grammar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/reactions.h"
#include "base/array.h"
#include "base/digits.h"
#include "base/nearest_word.h"
#include "check/rules_internal.h"
#include "filter/regex.h"
#include "table/registry.h"

struct parser {
    struct tt_rules *rules;
    const struct tt_tokens *tokens;
    size_t next;
    struct tt_rule *rule;
    struct tt_rule_error *error;
};

/* ---- errors ------------------------------------------------------------------------------- */

static bool fail_at(struct parser *parser, uint32_t column, struct tt_status status)
{
    parser->error->column = column;
    parser->error->status = status;
    return false;
}

static const struct tt_token *parse_peek(const struct parser *parser)
{
    return &parser->tokens->items[parser->next];
}

/* Fails at the next token: "expected X, found Y". */
static bool parse_expected(struct parser *parser, const char *what)
{
    const struct tt_token *token = parse_peek(parser);
    return fail_at(parser, token->column,
                   token->kind == TT_TOKEN_END
                       ? tt_error(TT_ERR_USAGE, "expected %s at the end of the rule", what)
                       : tt_error(TT_ERR_USAGE, "expected %s, found '%.60s'", what, token->text));
}

static bool parse_no_memory(struct parser *parser)
{
    return fail_at(parser, 0, tt_error_memory());
}

/* ---- tokens ------------------------------------------------------------------------------- */

static const struct tt_token *next_token(struct parser *parser)
{
    const struct tt_token *token = parse_peek(parser);
    parser->next += token->kind != TT_TOKEN_END;
    return token;
}

static bool is_at(const struct parser *parser, size_t ahead, enum tt_token_kind kind,
                  const char *text)
{
    size_t at = parser->next + ahead;
    return at < parser->tokens->count && parser->tokens->items[at].kind == kind &&
           (!text || strcmp(parser->tokens->items[at].text, text) == 0);
}

static bool parse_is_word(const struct parser *parser, const char *word)
{
    return is_at(parser, 0, TT_TOKEN_WORD, word);
}

static bool accept(struct parser *parser, const char *word)
{
    bool found = parse_is_word(parser, word);
    parser->next += found;
    return found;
}

/* Consumes a keyword, or fails and proposes it if the word is misspelled. */
static bool parse_need(struct parser *parser, const char *word)
{
    const struct tt_token *token = parse_peek(parser);
    if (accept(parser, word)) {
        return true;
    }
    if (token->kind == TT_TOKEN_WORD) {
        struct tt_nearest_word search = tt_nearest_word_of(token->text, strlen(token->text));
        tt_nearest_word_try(&search, word);
        if (search.nearest) {
            return fail_at(parser, token->column,
                           tt_error(TT_ERR_USAGE, "unexpected '%.40s'; did you mean '%s'?",
                                    token->text, word));
        }
    }
    char quoted[40];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return parse_expected(parser, quoted);
}

/* ---- filters and names -------------------------------------------------------------------- */

static bool parse_filter(struct parser *parser, uint32_t *number)
{
    if (parse_peek(parser)->kind != TT_TOKEN_FILTER) {
        return parse_expected(parser, "a filter in braces, as {event = THRUNNING}");
    }

    /* Finds the number of a filter text in the list of all rules; each is parsed once. */
    const struct tt_token *token = next_token(parser);
    struct tt_rules *rules = parser->rules;
    for (uint32_t i = 0; i < rules->filter_count; i++) {
        if (strcmp(rules->filters[i].text, token->text) == 0) {
            *number = i;
            return true;
        }
    }
    struct tt_rule_filter *room = tt_array_grow_32(rules->filters, rules->filter_count,
                                                   &rules->filter_capacity, sizeof *room);
    if (!room) {
        return parse_no_memory(parser);
    }
    rules->filters = room;
    struct tt_rule_filter *added = &rules->filters[rules->filter_count];
    struct tt_filter_error error;
    if (!tt_filter_parse(token->text, &added->filter, &error)) {
        return fail_at(parser, token->column + error.column, error.status);
    }
    added->text = token->text;
    *number = rules->filter_count++;
    return true;
}

static bool parse_step(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    if (rule->filter_count == TT_RULE_STEPS) {
        return fail_at(parser, parse_peek(parser)->column,
                       tt_error(TT_ERR_USAGE, "a sequence has at most %u events", TT_RULE_STEPS));
    }
    rule->columns[rule->filter_count] = parse_peek(parser)->column;
    return parse_filter(parser, &rule->filters[rule->filter_count]) && ++rule->filter_count > 0;
}

/* Returns whether the operators = and != belong to a selector and not to a limit. */
static bool names_follow(const struct parser *parser)
{
    bool equal = is_at(parser, 0, TT_TOKEN_OP, "=") || is_at(parser, 0, TT_TOKEN_OP, "!=") ||
                 is_at(parser, 0, TT_TOKEN_OP, "==");
    return equal &&
           (is_at(parser, 1, TT_TOKEN_WORD, NULL) || is_at(parser, 1, TT_TOKEN_QUOTED, NULL));
}

/* Parses NAME, * , ~ REGEX, !~ REGEX, = NAME or != NAME. */
static bool parse_name(struct parser *parser, struct tt_rule_name *name, const char *what)
{
    bool without = is_at(parser, 0, TT_TOKEN_OP, "!~");
    if (without || is_at(parser, 0, TT_TOKEN_OP, "~")) {
        parser->next++;
        name->how = without ? TT_NAME_DIFFERS : TT_NAME_MATCHES;

        /* Compiles a pattern, which the rules own. */
        const struct tt_token *token = parse_peek(parser);
        char message[TT_REGEX_MESSAGE];
        size_t offset = 0;
        if (token->kind != TT_TOKEN_REGEX) {
            return parse_expected(parser, "a regex, as /^sensor/");
        }
        struct tt_regex **room =
            tt_array_grow(parser->rules->regexes, parser->rules->regex_count,
                          &parser->rules->regex_capacity, sizeof(struct tt_regex *));
        if (!room) {
            return parse_no_memory(parser);
        }
        parser->rules->regexes = room;
        name->text = token->text;
        name->regex = tt_regex_new(token->text, strlen(token->text), &offset, message);
        if (!name->regex) {
            return message[0] ? fail_at(parser,
                                        token->column + 1 + tt_scan_column(token->text, offset) - 1,
                                        tt_error(TT_ERR_USAGE, "regex: %s", message))
                              : parse_no_memory(parser);
        }
        parser->rules->regexes[parser->rules->regex_count++] = name->regex;
        parser->next++;
        return true;
    }
    name->how = TT_NAME_IS;
    if (names_follow(parser)) {
        name->how = parse_peek(parser)->text[0] == '!' ? TT_NAME_IS_NOT : TT_NAME_IS;
        parser->next++;
    } else if (accept(parser, "*")) {
        name->how = TT_NAME_ANY;
        name->text = "*";
        return true;
    }
    if (!is_at(parser, 0, TT_TOKEN_WORD, NULL) && !is_at(parser, 0, TT_TOKEN_QUOTED, NULL)) {
        return parse_expected(parser, what);
    }
    name->text = next_token(parser)->text;
    return true;
}

/* Parses the number after a word such as `interrupt`. */
static bool parse_parse_number(struct parser *parser, uint64_t *number, const char *what)
{
    const struct tt_token *token = parse_peek(parser);
    if (token->kind != TT_TOKEN_WORD ||
        !tt_digits_parse(token->text, strlen(token->text), number)) {
        return parse_expected(parser, what);
    }
    parser->next++;
    return true;
}

/* ---- limits and windows ------------------------------------------------------------------- */

static const char *const compare_texts[] = {"<", "<=", ">", ">=", "=", "!="};

const char *tt_rule_compare_text(unsigned compare)
{
    return compare_texts[compare];
}

/* Joins a number and a unit after a blank: 200 us. The result is in `buffer`. */
static const char *number_word(struct parser *parser, char *buffer, size_t size)
{
    const struct tt_token *token = next_token(parser);
    bool unit =
        parse_peek(parser)->kind == TT_TOKEN_WORD && tt_rule_is_unit(parse_peek(parser)->text);
    snprintf(buffer, size, "%s%s", token->text, unit ? next_token(parser)->text : "");
    return buffer;
}

static bool parse_limit_word(struct parser *parser, enum tt_rule_unit unit)
{
    char word[80];
    const struct tt_token *token = parse_peek(parser);
    if (token->kind != TT_TOKEN_WORD) {
        return parse_expected(parser, "a limit");
    }
    struct tt_status status =
        tt_rule_limit_parse(number_word(parser, word, sizeof word), unit, &parser->rule->limit);
    parser->rule->has_limit = true;
    return !tt_failed(&status) || fail_at(parser, token->column, status);
}

static bool parse_limit(struct parser *parser, enum tt_rule_unit unit)
{
    const struct tt_token *token = parse_peek(parser);
    for (size_t i = 0;
         token->kind == TT_TOKEN_OP && i < sizeof compare_texts / sizeof *compare_texts; i++) {
        if (strcmp(token->text, compare_texts[i]) == 0 ||
            (i == TT_EQUAL && strcmp(token->text, "==") == 0)) {
            parser->rule->limit.compare = (enum tt_rule_compare)i;
            parser->next++;
            return parse_limit_word(parser, unit);
        }
    }
    return parse_expected(parser, "a comparison, as < 200us");
}

/* Parses the time of a sequence: within TIME. */
static bool parse_span(struct parser *parser)
{
    parser->rule->limit.compare = TT_LESS_EQUAL;
    if (!parse_need(parser, "within")) {
        return false;
    }
    uint32_t column = parse_peek(parser)->column;
    if (!parse_limit_word(parser, TT_RULE_UNIT_NS)) {
        return false;
    }
    return parser->rule->limit.value.number > 0 ||
           fail_at(parser, column, tt_error(TT_ERR_USAGE, "the time has to be more than 0"));
}

/* Parses a point in time of a window; empty: the begin or the end. */
static bool point(struct parser *parser, uint32_t column, const char *text, size_t length,
                  struct tt_time_spec *when)
{
    char word[64];
    when->kind = TT_TIME_SPEC_NONE;
    if (length == 0) {
        return true;
    }
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    struct tt_status status = tt_time_spec_parse(word, when);
    return !tt_failed(&status) || fail_at(parser, column, status);
}

static bool parse_window(struct parser *parser)
{
    struct tt_rule_window *window = &parser->rule->window;
    window->first = window->last = TT_NO_FILTER;
    if (accept(parser, "within")) {
        const struct tt_token *token = parse_peek(parser);
        const char *dots = token->kind == TT_TOKEN_WORD ? strstr(token->text, "..") : NULL;
        if (!dots) {
            return parse_expected(parser, "a range of time, as 1s..2s or 20%..80%");
        }
        parser->next++;
        parser->rule->window.kind = TT_WINDOW_RANGE;
        uint32_t second =
            token->column + tt_scan_column(token->text, (size_t)(dots - token->text)) + 1;
        return point(parser, token->column, token->text, (size_t)(dots - token->text),
                     &parser->rule->window.from) &&
               point(parser, second, dots + 2, strlen(dots + 2), &parser->rule->window.to);
    }
    if (accept(parser, "during")) {
        window->kind = TT_WINDOW_DURING;
        window->first_column = parse_peek(parser)->column;
        if (!parse_filter(parser, &window->first)) {
            return false;
        }
        if (accept(parser, "to")) {
            window->kind = TT_WINDOW_BETWEEN;
            window->last_column = parse_peek(parser)->column;
            return parse_filter(parser, &window->last);
        }
    }
    return true;
}

/* Parses the property that joins two events: same thread, same arg:NAME. */
static bool parse_same(struct parser *parser)
{
    if (!accept(parser, "same")) {
        return true;
    }
    const struct tt_token *token = parse_peek(parser);
    enum tt_measure_same same = TT_MEASURE_ANY;
    if (token->kind == TT_TOKEN_WORD &&
        tt_measure_same_parse(token->text, &same, &parser->rule->same_arg) &&
        same != TT_MEASURE_ANY) {
        parser->rule->same = same;
        parser->next++;
        return true;
    }
    return parse_expected(parser, "thread, cpu, process or arg:NAME");
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
static bool need_quantile(struct parser *parser, const struct tt_token *token)
{
    if (token && tt_quantile_find(token->text, &parser->rule->quantile)) {
        return true;
    }
    return fail_at(parser, token ? token->column : parse_peek(parser)->column,
                   tt_error(TT_ERR_USAGE,
                            "expected count, min, mean, p50, p95, p99 or max%s%.40s%s",
                            token ? ", found '" : "", token ? token->text : "", token ? "'" : ""));
}

static enum tt_rule_unit quantile_unit(const struct tt_rule *rule)
{
    return rule->quantile == TT_QUANTILE_COUNT ? TT_RULE_UNIT_COUNT : TT_RULE_UNIT_NS;
}

/* Parses QUANTILE time from {A} to {B} [same WHAT] [pair first]. */
static bool parse_time(struct parser *parser, const struct tt_token *quantile)
{
    parser->rule->kind = TT_RULE_TIME;
    if (!need_quantile(parser, quantile) || !parse_need(parser, "from") || !parse_step(parser) ||
        !parse_need(parser, "to") || !parse_step(parser) || !parse_same(parser)) {
        return false;
    }
    if (accept(parser, "pair")) {
        parser->rule->pair_first = parse_is_word(parser, "first");
        if (!accept(parser, "first") && !accept(parser, "last")) {
            return parse_expected(parser, "first or last");
        }
    }
    return parse_limit(parser, quantile_unit(parser->rule)) && parse_window(parser);
}

/* Parses reaction QUANTILE of thread NAME to interrupt NUMBER. */
static bool parse_reaction(struct parser *parser, const struct tt_token *quantile, int part)
{
    parser->rule->kind = TT_RULE_REACTION;
    parser->rule->part = part;
    return need_quantile(parser, quantile) && parse_need(parser, "of") &&
           parse_need(parser, "thread") && parse_name(parser, &parser->rule->of, "a thread") &&
           parse_need(parser, "to") && parse_need(parser, "interrupt") &&
           parse_parse_number(parser, &parser->rule->vector, "the number of an interrupt") &&
           parse_limit(parser, quantile_unit(parser->rule)) && parse_window(parser);
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

static bool parse_second_name(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    if (strcmp(tt_rule_between(rule->table), "by") == 0) {
        return parse_need(parser, "by") && parse_name(parser, &rule->to, "a thread or a cause");
    }
    if (!is_at(parser, 0, TT_TOKEN_OP, "->")) {
        return parse_expected(parser, "-> and the second name");
    }
    parser->next++;
    return parse_name(parser, &rule->to, "the second name");
}

static bool parse_selector(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    const struct tt_token *token = parse_peek(parser);
    const struct tt_table *table = token->kind == TT_TOKEN_WORD ? tt_rule_table(token->text) : NULL;
    if (!table) {
        struct tt_nearest_word search = tt_nearest_word_of(token->text, strlen(token->text));
        tt_rule_try_selectors(&search);
        return search.nearest
                   ? fail_at(parser, token->column,
                             tt_error(TT_ERR_USAGE, "unknown selector '%.40s'; did you mean '%s'?",
                                      token->text, search.nearest))
                   : parse_expected(
                         parser, "a selector: thread, cpu, process, job, event, message, server, "
                                 "client, channel, object, interrupt, pair, blame, inversion, "
                                 "imposed or matrix");
    }
    parser->next++;
    rule->table = table;
    rule->connection = UINT64_MAX;
    if (!parse_name(parser, &rule->of, "a name, * or ~ /regex/")) {
        return false;
    }
    if (rule->table == &tt_table_channels && is_at(parser, 0, TT_TOKEN_WORD, NULL)) {
        return parse_parse_number(parser, &rule->connection, "the number of a connection");
    }
    bool two = tt_rule_has_two(rule->table);
    return !two || parse_second_name(parser);
}

static bool ends_in_percent(const struct parser *parser)
{
    const struct tt_token *token =
        parser->next + 1 < parser->tokens->count ? &parser->tokens->items[parser->next + 1] : NULL;
    size_t length = token ? strlen(token->text) : 0;
    return length > 0 && (token->text[length - 1] == '%' || is_at(parser, 2, TT_TOKEN_WORD, "%"));
}

static bool parse_column(struct parser *parser, const struct tt_token *first,
                         const struct tt_token *second)
{
    struct tt_rule *rule = parser->rule;
    enum tt_rule_unit unit;
    struct tt_status status =
        tt_rule_measure_find(rule->table, first->text, second ? second->text : "",
                             ends_in_percent(parser), &rule->column);
    if (tt_failed(&status)) {
        return fail_at(parser, first->column, status);
    }
    tt_rule_column(rule->column, &unit);
    return parse_limit(parser, unit) && parse_window(parser);
}

/* Reads the key of a column of the rule's table; a number has a unit that a limit can have. */
static const struct tt_table_column *parse_column_key(struct parser *parser)
{
    const struct tt_token *token = parse_peek(parser);
    const struct tt_table *table = parser->rule->table;
    struct tt_nearest_word search = tt_nearest_word_of(token->text, strlen(token->text));
    for (size_t i = 0; token->kind == TT_TOKEN_WORD && i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        const char *key = column->sql ? column->sql : column->key;
        if (strcmp(key, token->text) == 0 || strcmp(column->key, token->text) == 0) {
            parser->next++;
            return column;
        }
        tt_nearest_word_try(&search, key);
    }
    fail_at(parser, token->column,
            search.nearest
                ? tt_error(TT_ERR_USAGE, "no column '%.40s' of %s; did you mean '%s'?", token->text,
                           table->name, search.nearest)
                : tt_error(TT_ERR_USAGE, "no column '%.40s' of %s", token->text, table->name));
    return NULL;
}

/* Parses COLUMN and a comparison with a number or a name. */
static bool parse_term(struct parser *parser, struct tt_rule_term *term)
{
    struct tt_rule *rule = parser->rule;
    enum tt_rule_unit unit;
    term->column = parse_column_key(parser);
    if (!term->column) {
        return false;
    }
    const char *op = parse_peek(parser)->kind == TT_TOKEN_OP ? parse_peek(parser)->text : "";
    bool orders = op[0] == '<' || op[0] == '>';
    bool measures = tt_rule_column(term->column, &unit);
    if (!measures && orders) {
        return fail_at(
            parser, parse_peek(parser)->column,
            tt_error(TT_ERR_USAGE, "%s is no number to compare; use = or ~", term->column->key));
    }
    term->is_number = measures && (orders || unit != TT_RULE_UNIT_COUNT);
    if (!term->is_number) {
        return parse_name(parser, &term->name, "= NAME or ~ /regex/");
    }
    bool ok = parse_limit(parser, unit);
    term->limit = rule->limit;
    rule->limit = (struct tt_rule_limit){.compare = TT_EQUAL};
    rule->has_limit = false;
    return ok;
}

/* Parses [where COLUMN COMPARISON VALUE {and ...}]. */
static bool parse_terms(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    struct tt_rule_term terms[TT_RULE_TERMS] = {0};
    for (bool more = accept(parser, "where"); more; more = accept(parser, "and")) {
        if (rule->term_count == TT_RULE_TERMS) {
            return fail_at(
                parser, parse_peek(parser)->column,
                tt_error(TT_ERR_USAGE, "a rule has at most %u conditions", TT_RULE_TERMS));
        }
        if (!parse_term(parser, &terms[rule->term_count++])) {
            return false;
        }
    }
    size_t size = rule->term_count * sizeof *terms;
    struct tt_rule_term *kept = size > 0 ? tt_arena_words(&parser->rules->texts, size) : NULL;
    if (kept) {
        memcpy(kept, terms, size);
    }
    rule->terms = kept;
    return kept || size == 0 || parse_no_memory(parser);
}

/* Parses QUANTILE of COLUMN of TABLE [where ...]; the next four tokens are words. */
static bool parse_rows(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    enum tt_rule_unit unit = TT_RULE_UNIT_COUNT;
    const struct tt_token *column = &parser->tokens->items[parser->next + 2];
    const struct tt_token *word = &parser->tokens->items[parser->next + 4];
    struct tt_nearest_word search = tt_nearest_word_of(word->text, strlen(word->text));
    rule->kind = TT_RULE_ROWS;
    rule->table = tt_rule_any_table(word->text, &search);
    if (!rule->table) {
        const char *near = search.nearest;
        return fail_at(parser, word->column,
                       tt_error(TT_ERR_USAGE, "no table '%.40s'%s%s%s", word->text,
                                near ? "; did you mean '" : "", near ? near : "",
                                near ? "'?" : ""));
    }
    parser->next += 2;
    rule->column = parse_column_key(parser);
    if (!rule->column) {
        return false;
    }
    if (rule->quantile == TT_QUANTILE_COUNT) {
        unit = TT_RULE_UNIT_COUNT;
    } else if (!tt_rule_column(rule->column, &unit)) {
        return fail_at(parser, column->column,
                       tt_error(TT_ERR_USAGE, "%s of %s is no number; count it", rule->column->key,
                                rule->table->name));
    }
    parser->next += 2;
    return parse_terms(parser) && parse_limit(parser, unit) && parse_window(parser);
}

static bool parse_measure(struct parser *parser)
{
    const struct tt_token *first = next_token(parser), *second = NULL;
    if (strcmp(first->text, "inversions") == 0) {
        parser->rule->kind = TT_RULE_INVERSIONS;
        parser->rule->table = &tt_table_inversions;
        return parse_need(parser, "of") && parse_need(parser, "thread") &&
               parse_name(parser, &parser->rule->of, "a thread") &&
               parse_limit(parser, TT_RULE_UNIT_COUNT) && parse_window(parser);
    }
    if (is_at(parser, 0, TT_TOKEN_WORD, NULL) && !parse_is_word(parser, "of")) {
        second = next_token(parser);
    }
    bool of_row = !second && parse_is_word(parser, "of"); /* time of profile NAME */
    if ((strcmp(first->text, "time") == 0 && !of_row) ||
        (second && strcmp(second->text, "time") == 0)) {
        return parse_time(parser, strcmp(first->text, "time") == 0 ? second : first);
    }
    int part = reaction_part(first->text), other = second ? reaction_part(second->text) : -2;
    if (part >= -1 || other >= -1) {
        return parse_reaction(parser, part >= -1 ? second : first, part >= -1 ? part : other);
    }
    if (parse_peek(parser)->kind == TT_TOKEN_OP) {
        /* Parses a measure of the whole capture: lost = 0, context_switches < 1000. */
        parser->rule->kind = TT_RULE_TABLE;
        parser->rule->table = &tt_table_total;
        for (unsigned i = 0; !second && i < TT_HEALTH_COUNT; i++) {
            if (strcmp(tt_health_key(i), first->text) == 0) {
                parser->rule->kind = TT_RULE_HEALTH;
                parser->rule->health = i;
                return parse_limit(parser, TT_RULE_UNIT_COUNT);
            }
        }
        return parse_column(parser, first, second);
    }
    parser->rule->kind = TT_RULE_TABLE;
    return parse_need(parser, "of") && parse_selector(parser) &&
           parse_column(parser, first, second);
}

static bool parse_statement(struct parser *parser)
{
    struct tt_rule *rule = parser->rule;
    if (parse_peek(parser)->kind == TT_TOKEN_FILTER) {
        rule->kind = TT_RULE_SEQUENCE;
        bool ok = parse_step(parser) && parse_need(parser, "then") && parse_step(parser);
        while (ok && accept(parser, "then")) {
            ok = parse_step(parser);
        }
        return ok && parse_same(parser) && parse_span(parser) && parse_window(parser);
    }
    if (parse_peek(parser)->kind != TT_TOKEN_WORD) {
        return parse_expected(parser, "a measure, every, never, no, count or a filter");
    }
    bool rate = parse_is_word(parser, "rate");
    if ((rate || parse_is_word(parser, "count")) && is_at(parser, 1, TT_TOKEN_WORD, "of") &&
        is_at(parser, 2, TT_TOKEN_FILTER, NULL)) {
        parser->next += 2;
        rule->kind = rate ? TT_RULE_RATE : TT_RULE_COUNT;
        return parse_step(parser) &&
               parse_limit(parser, rate ? TT_RULE_UNIT_HZ : TT_RULE_UNIT_COUNT) &&
               parse_window(parser);
    }
    if (tt_quantile_find(parse_peek(parser)->text, &rule->quantile) &&
        is_at(parser, 1, TT_TOKEN_WORD, "of") && is_at(parser, 2, TT_TOKEN_WORD, NULL) &&
        is_at(parser, 3, TT_TOKEN_WORD, "of") && is_at(parser, 4, TT_TOKEN_WORD, NULL)) {
        return parse_rows(parser);
    }
    if (accept(parser, "every")) {
        rule->kind = TT_RULE_EVERY;
        return parse_step(parser) && parse_need(parser, "is") && parse_need(parser, "followed") &&
               parse_need(parser, "by") && parse_step(parser) && parse_same(parser) &&
               parse_span(parser) && parse_window(parser);
    }
    if (accept(parser, "never")) {
        rule->kind = TT_RULE_NEVER;
        return parse_step(parser) && parse_window(parser);
    }
    if (accept(parser, "no")) {
        rule->kind = TT_RULE_ABSENCE;
        return parse_step(parser) && parse_need(parser, "between") && parse_step(parser) &&
               parse_need(parser, "and") && parse_step(parser) && parse_same(parser) &&
               parse_window(parser);
    }
    return parse_measure(parser);
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
    return parse_peek(&p)->kind == TT_TOKEN_END || parse_expected(&p, "the end of the rule");
}
