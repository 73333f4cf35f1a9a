/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_internal: the parsed filter, for the files of this folder.
 *
 *      cpu = 0 and not (thread ~ /^io-/ or dur > 1ms)
 *
 *      AND --+-- TERM cpu = 0
 *            +-- NOT --- OR --+-- TERM thread ~ /^io-/
 *                             +-- TERM dur > 1ms
 *
 * Nodes are stored in one array and refer to each other by index: `child` is a node's first child,
 * `next` its next sibling. A parsed filter never changes.
 */
#ifndef TT_FILTER_INTERNAL_H
#define TT_FILTER_INTERNAL_H

#include "filter/number.h"
#include "filter/regex.h"
#include "tracetui/filter.h"
#include "tracetui/time_spec.h"

#define TT_FILTER_DEPTH 64 /* maximum nesting of parentheses */
#define TT_NO_NODE      UINT32_MAX

enum tt_filter_op {
    TT_OP_EQ,
    TT_OP_NE,
    TT_OP_LT,
    TT_OP_LE,
    TT_OP_GT,
    TT_OP_GE,
    TT_OP_MATCH,
    TT_OP_NO_MATCH,
    TT_OP_IN,
    TT_OP_COUNT
};

#define TT_OPS(op)   (1u << (op))
#define TT_OPS_EQUAL (TT_OPS(TT_OP_EQ) | TT_OPS(TT_OP_NE))
#define TT_OPS_ORDER (TT_OPS(TT_OP_LT) | TT_OPS(TT_OP_LE) | TT_OPS(TT_OP_GT) | TT_OPS(TT_OP_GE))
#define TT_OPS_MATCH (TT_OPS(TT_OP_MATCH) | TT_OPS(TT_OP_NO_MATCH))
#define TT_OPS_LIST  (TT_OPS(TT_OP_IN))
#define TT_OPS_EVERY (TT_OPS_EQUAL | TT_OPS_ORDER | TT_OPS_MATCH | TT_OPS_LIST)

const char *tt_filter_op_text(enum tt_filter_op op);

enum tt_filter_field_id {
    TT_FIELD_LINE, /* unnamed: a regex alone */
    TT_FIELD_TIME,
    TT_FIELD_N,
    TT_FIELD_OFFSET,
    TT_FIELD_CPU,
    TT_FIELD_PID,
    TT_FIELD_TID,
    TT_FIELD_PROCESS,
    TT_FIELD_THREAD,
    TT_FIELD_CLASS,
    TT_FIELD_EVENT,
    TT_FIELD_KIND,
    TT_FIELD_STATE,
    TT_FIELD_PRIORITY,
    TT_FIELD_DUR,
    TT_FIELD_ARG,
    TT_FIELD_INFERRED,
    TT_FIELD_DERIVED,
    TT_FIELD_MALFORMED,
    TT_FIELD_CAPTURE,
    TT_FIELD_COUNT
};

/* Types of a field's values. */
enum tt_filter_values {
    TT_VALUES_TEXT,
    TT_VALUES_NUMBER,
    TT_VALUES_TIME,
    TT_VALUES_DURATION,
    TT_VALUES_KIND, /* a word of TT_KIND_INFO */
    TT_VALUES_FLAG, /* yes or no */
    TT_VALUES_ANY,  /* a number if it parses as one, and a text */
};

struct tt_filter_field_info {
    struct tt_filter_field shown;
    unsigned ops;
    enum tt_filter_values values;
    bool whole; /* integers only */
};

const struct tt_filter_field_info *tt_filter_field_info(enum tt_filter_field_id id);
/* Returns the field of that name, or TT_FIELD_COUNT. */
enum tt_filter_field_id tt_filter_field_find(const char *name, size_t length);
/* Returns the field whose name is at most two letters from `name`, or NULL. */
const char *tt_filter_field_nearest(const char *name, size_t length);

/* One operand of a term. `text` is NULL at the open end of a range. */
struct tt_filter_value {
    const char *text; /* NUL-terminated, unescaped */
    size_t length;
    uint32_t column;
    bool quoted;
    bool is_number;
    struct tt_number number;
    struct tt_time_spec when;
    unsigned word; /* kinds and flags only */
};

/* A single value (`to` is unused) or a range. */
struct tt_filter_span {
    struct tt_filter_value from;
    struct tt_filter_value to;
    bool is_range;
};

struct tt_filter_term {
    enum tt_filter_field_id field;
    enum tt_filter_op op;
    uint32_t column;
    const char *arg; /* TT_FIELD_ARG only */
    size_t arg_length;
    struct tt_filter_span *spans;
    uint32_t span_count;
    struct tt_regex *regex;  /* owned */
    const char *pattern;     /* NULL: no regex */
    uint32_t pattern_column; /* column of its first character */
};

enum tt_filter_node_kind { TT_NODE_AND, TT_NODE_OR, TT_NODE_NOT, TT_NODE_TERM };

struct tt_filter_node {
    enum tt_filter_node_kind kind;
    uint32_t child;
    uint32_t next;
    uint32_t term;
};

struct tt_filter {
    struct tt_filter_node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    struct tt_filter_term *terms;
    uint32_t term_count;
    uint32_t term_capacity;
    uint32_t root;
    bool plain;
    bool unknown_field; /* a term begins with a word that is no field: never a regex */
    char *texts;        /* values, names and patterns; capacity for twice the line */
    size_t texts_used;
};

/* Returns an error at a column; its text begins with "column N: ". */
struct tt_filter_error tt_filter_error_at(uint32_t column, const char *fmt, ...) TT_PRINTF(2, 3);
struct tt_filter_error tt_filter_error_memory(void);

/*
 * Parses the line as structured. TT_ERR_USAGE if it is not, with the column where it deviates.
 * `filter` has its text buffer; nodes and terms parsed so far remain in it.
 */
bool tt_filter_read(const char *text, struct tt_filter *filter, struct tt_filter_error *error);
/* Returns whether the line begins like a term. */
bool tt_filter_begins_like_term(const char *text);
/* Validates a parsed filter: compiles the regexes and parses the values. */
bool tt_filter_check(struct tt_filter *filter, struct tt_filter_error *error);
bool tt_filter_check_regex(struct tt_filter_term *term, struct tt_filter_error *error);

#endif
