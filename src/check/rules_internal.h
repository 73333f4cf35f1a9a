/* SPDX-License-Identifier: Apache-2.0 */
/* rules_internal: the rules while they are read, for the files that read them. One thread. */
#ifndef TT_CHECK_RULES_INTERNAL_H
#define TT_CHECK_RULES_INTERNAL_H

#include "base/arena.h"
#include "check/check_rules.h"
#include "check/scan.h"

struct tt_variable {
    const char *name;
    const char *value;
    bool fixed; /* set by the caller, not by a file */
};

struct tt_rule_filter {
    const char *text;
    struct tt_filter *filter;
};

struct tt_rules {
    struct tt_arena texts;
    struct tt_rule *rules;
    size_t count, capacity;
    struct tt_rule_filter *filters;
    uint32_t filter_count, filter_capacity;
    struct tt_regex **regexes; /* owned */
    size_t regex_count, regex_capacity;
    struct tt_variable *variables;
    size_t variable_count, variable_capacity;
    struct tt_rules_error *errors;
    size_t error_count, error_capacity;
    const char *open[TT_RULES_DEPTH]; /* files being read, for includes in a circle */
    unsigned depth;
};

/* An error at a column of a line. */
struct tt_rule_error {
    uint32_t column;
    struct tt_status status;
};

/* Parses the tokens of a rule. Returns false with *error; the rule is then undefined. */
bool tt_rule_parse(struct tt_rules *rules, const struct tt_tokens *tokens, struct tt_rule *rule,
                   struct tt_rule_error *error);

/* Parses a limit of a column's unit from a word such as 200us or 80%. TT_ERR_USAGE. */
struct tt_status tt_rule_limit_parse(const char *word, enum tt_rule_unit unit,
                                     struct tt_rule_limit *limit);
/* Returns whether a word is a unit that may follow a number after a blank. */
bool tt_rule_is_unit(const char *word);

/* Appends a value with its unit: 203.4 us. */
void tt_rule_put_value(struct tt_text *text, struct tt_decimal value, enum tt_rule_unit unit);

/* Returns the table of a selector; NULL: there is none. */
const struct tt_table *tt_rule_table(const char *word);
/* Returns the table of a name; NULL: tries all names in `search`, which may be NULL. */
struct tt_nearest_word;
const struct tt_table *tt_rule_any_table(const char *word, struct tt_nearest_word *search);
/* Finds the quantile of a word; false: it is none. */
bool tt_quantile_find(const char *word, enum tt_quantile *quantile);
/* Returns the quantile at the end of a measure's key, "p99" of delay_p99; NULL: the measure is one word. */
const char *tt_rule_key_quantile(const struct tt_table *table, const char *key);
/* Returns whether a word is a reaction or a part of one. */
bool tt_rule_is_part(const char *word);
/* Tries all selectors in a search for the nearest word. */
void tt_rule_try_selectors(struct tt_nearest_word *search);

/*
 * Finds the column of a table by one or two words: "delay p99", "p99 delay", "delay_p99". `percent`
 * prefers the column of the share. TT_ERR_USAGE proposes another word.
 */
struct tt_status tt_rule_measure_find(const struct tt_table *table, const char *first,
                                      const char *second, bool percent,
                                      const struct tt_table_column **column);

#endif
