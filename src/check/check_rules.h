/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_rules: the conditions that a capture must meet, as text and as values. docs/check.md has
 * the grammar.
 *
 *      file, text --scan--> tokens of a line --parse--> struct tt_rule ... --judge--> check.h
 *
 * Rules do not depend on a capture. A measure is a column of `stats` (table.h), found by its key, so
 * that a rule and the command print the same value. Every error has the place FILE:LINE:COLUMN;
 * reading continues with the next line, so that all errors are found at once.
 *
 * Ownership: struct tt_rules owns all texts, filters and regexes until tt_rules_free. One thread
 * reads rules; any number may use them afterwards.
 */
#ifndef TRACETUI_CHECK_CHECK_RULES_H
#define TRACETUI_CHECK_CHECK_RULES_H

#include "analysis/measure.h"
#include "tracetui/filter.h"
#include "tracetui/status.h"
#include "tracetui/table.h"
#include "tracetui/time_spec.h"

#define TT_RULE_STEPS  8u         /* events of a sequence at most */
#define TT_RULE_TERMS  8u         /* conditions on a row at most */
#define TT_RULES_BYTES (1u << 20) /* a rules file is smaller */
#define TT_RULES_DEPTH 16u        /* nested includes at most */
#define TT_RULES_MOST  100000u    /* rules at most */
#define TT_NO_FILTER   UINT32_MAX

/* Kinds of rules. X(id, word in jsonl) */
#define TT_RULE_INFO(X)                                                                            \
    X(TT_RULE_TABLE, "measure")         /* a column of `stats` */                                  \
    X(TT_RULE_ROWS, "rows")             /* a column of any table, row by row */                    \
    X(TT_RULE_INVERSIONS, "inversions") /* the number of inversions of threads */                  \
    X(TT_RULE_HEALTH, "health")         /* a count of problems, as in `info` */                    \
    X(TT_RULE_TIME, "time")             /* from event to event, as in `measure` */                 \
    X(TT_RULE_REACTION, "reaction")     /* from an interrupt to a thread, as in `measure` */       \
    X(TT_RULE_COUNT, "count")           /* matching events */                                      \
    X(TT_RULE_RATE, "rate")             /* matching events per second */                           \
    X(TT_RULE_NEVER, "never")           /* no matching event */                                    \
    X(TT_RULE_EVERY, "every")           /* each first event is followed by a second one in time */ \
    X(TT_RULE_SEQUENCE, "then") /* the events occur in this order in time, at least once */        \
    X(TT_RULE_ABSENCE, "no")    /* no first event between a second and a third one */

enum tt_rule_kind {
#define X(id, word) id,
    TT_RULE_INFO(X)
#undef X
        TT_RULE_KIND_COUNT
};

enum tt_rule_compare { TT_LESS, TT_LESS_EQUAL, TT_MORE, TT_MORE_EQUAL, TT_EQUAL, TT_NOT_EQUAL };

enum tt_rule_unit {
    TT_RULE_UNIT_COUNT,
    TT_RULE_UNIT_NS,
    TT_RULE_UNIT_TICKS,
    TT_RULE_UNIT_PERCENT,
    TT_RULE_UNIT_HZ, /* per second */
};

/* A decimal: number / 10^decimals. */
struct tt_decimal {
    uint64_t number;
    unsigned decimals; /* at most 9 */
};

struct tt_rule_limit {
    enum tt_rule_compare compare;
    enum tt_rule_unit unit;
    struct tt_decimal value; /* times: whole nanoseconds or ticks */
    bool unitless;           /* 0 without a unit, for any measure */
};

enum tt_rule_match {
    TT_NAME_ANY, /* * */
    TT_NAME_IS,
    TT_NAME_IS_NOT,
    TT_NAME_MATCHES,
    TT_NAME_DIFFERS
};

struct tt_regex;

/* The rows of a table that a rule applies to, by name. */
struct tt_rule_name {
    enum tt_rule_match how;
    const char *text;       /* the name, or the pattern */
    struct tt_regex *regex; /* NULL without a pattern */
};

/* Quantiles of a time from event to event. X(id, word) */
#define TT_QUANTILE_INFO(X)                                                                        \
    X(TT_QUANTILE_COUNT, "count")                                                                  \
    X(TT_QUANTILE_MIN, "min")                                                                      \
    X(TT_QUANTILE_MEAN, "mean")                                                                    \
    X(TT_QUANTILE_P50, "p50")                                                                      \
    X(TT_QUANTILE_P95, "p95")                                                                      \
    X(TT_QUANTILE_P99, "p99")                                                                      \
    X(TT_QUANTILE_MAX, "max")

enum tt_quantile {
#define X(id, word) id,
    TT_QUANTILE_INFO(X)
#undef X
        TT_QUANTILE_COUNT_
};

enum tt_rule_window_kind {
    TT_WINDOW_WHOLE,
    TT_WINDOW_RANGE,  /* within FROM..TO */
    TT_WINDOW_DURING, /* during {A}: from each such event to its end */
    TT_WINDOW_BETWEEN /* during {A} to {B} */
};

struct tt_rule_window {
    enum tt_rule_window_kind kind;
    struct tt_time_spec from;
    struct tt_time_spec to;
    uint32_t first; /* filters, or TT_NO_FILTER */
    uint32_t last;
    uint32_t first_column; /* of their braces, see tt_rule_column_at */
    uint32_t last_column;
};

/* A condition on a row: a column is a number within a limit, or has a name. */
struct tt_rule_term {
    const struct tt_table_column *column;
    bool is_number;
    struct tt_rule_limit limit;
    struct tt_rule_name name;
};

struct tt_rule {
    enum tt_rule_kind kind;
    const char *file; /* of its text; "" for the command line */
    uint32_t line;    /* from 1 */
    const char *name; /* the text before the colon, or the rule itself */
    const char *text; /* the rule without its name, with variables replaced */
    /* TABLE */
    const struct tt_table *table;
    const struct tt_table_column *column;
    struct tt_rule_name of; /* also of inversions and reactions: threads */
    struct tt_rule_name to; /* the second name of pairs, messages and blame */
    uint64_t connection;    /* of a channel; UINT64_MAX: any */
    /* ROWS, with table, column and quantile: rows that meet all of these */
    const struct tt_rule_term *terms;
    unsigned term_count;
    /* HEALTH */
    unsigned health;
    /* TIME, REACTION */
    enum tt_quantile quantile; /* also of rows */
    int part;                  /* enum tt_reaction_part, or -1: the whole reaction */
    uint64_t vector;           /* of the interrupt */
    enum tt_measure_same same;
    const char *same_arg;
    bool pair_first;
    /* events */
    uint32_t filters[TT_RULE_STEPS];
    uint32_t columns[TT_RULE_STEPS]; /* of their braces, see tt_rule_column_at */
    unsigned filter_count;
    const uint32_t *source; /* columns in the file of the line's columns; NULL: the same */
    uint32_t source_count;
    struct tt_rule_limit limit; /* of sequences: the time */
    bool has_limit;
    struct tt_rule_window window;
};

struct tt_rules;

/* Returns the column in the file of a column of the rule's line with its variables replaced. */
uint32_t tt_rule_column_at(const struct tt_rule *rule, uint32_t column);

struct tt_status tt_rules_new(struct tt_rules **rules); /* TT_ERR_MEMORY */
void tt_rules_free(struct tt_rules *rules);

/* Sets a variable from "NAME=VALUE"; a later `set` in a file does not change it. TT_ERR_USAGE. */
struct tt_status tt_rules_set(struct tt_rules *rules, const char *assignment);
/*
 * Adds the rules of a file, or of a text with a name for messages. Wrong lines are counted as
 * errors. TT_ERR_IO, TT_ERR_MEMORY, TT_ERR_USAGE (too many rules).
 */
struct tt_status tt_rules_read_file(struct tt_rules *rules, const char *path);
struct tt_status tt_rules_read_text(struct tt_rules *rules, const char *name, const char *text);

size_t tt_rules_count(const struct tt_rules *rules);
const struct tt_rule *tt_rules_at(const struct tt_rules *rules, size_t index);
/* An error of a rules file. */
struct tt_rules_error {
    const char *place; /* "limits.check:3:14": file, line, column */
    const char *text;  /* "no measure 'dely' of thread; did you mean 'delay'?" */
};

/* Return the errors, in the order of the lines. */
size_t tt_rules_error_count(const struct tt_rules *rules);
struct tt_rules_error tt_rules_error_at(const struct tt_rules *rules, size_t index);
/* Return the filters of the rules, each text once. */
uint32_t tt_rules_filter_count(const struct tt_rules *rules);
const struct tt_filter *tt_rules_filter(const struct tt_rules *rules, uint32_t number);
const char *tt_rules_filter_text(const struct tt_rules *rules, uint32_t number);

/* Return the words of kinds, comparisons and quantiles. */
const char *tt_rule_kind_word(unsigned kind);
const char *tt_rule_compare_text(unsigned compare);
const char *tt_quantile_word(unsigned quantile);
/*
 * Returns whether a rule can use the column, which then is a number and no place or identity; *unit
 * is that of its limits.
 */
bool tt_rule_column(const struct tt_table_column *column, enum tt_rule_unit *unit);
/* Returns the word of the selector of a table, "thread"; NULL: the table needs none, or has none. */
const char *tt_rule_selector(const struct tt_table *table);
/* Returns whether a rule names rows of the table by two names: "a -> b". */
bool tt_rule_has_two(const struct tt_table *table);
/* Returns the word between them: "->" or "by". */
const char *tt_rule_between(const struct tt_table *table);

/* Appends a decimal without zeros at its end. */
void tt_decimal_put(struct tt_text *text, struct tt_decimal value);
/* Compares two decimals: <0, 0, >0. */
int tt_decimal_compare(struct tt_decimal a, struct tt_decimal b);

#endif
