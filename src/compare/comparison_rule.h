/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comparison_rule: a condition on a comparison, in the language of check:
 *
 *      delay p99 of thread ~ /^sensor/ worse by 10%
 *      run of process netmgr worse
 *
 * The part before `worse` is a value and a selector, as in a rule of check (check_rules.h). The
 * condition holds if a selected row is significantly worse, by at least that share of A; without a
 * share, by min_change of the comparison. A row is selected by its name, because a baseline from a
 * file has no numbers.
 *
 * A rule owns its texts until tt_comparison_rule_free. One thread.
 */
#ifndef TRACETUI_COMPARE_COMPARISON_RULE_H
#define TRACETUI_COMPARE_COMPARISON_RULE_H

#include "check/check_rules.h"
#include "compare/comparison.h"

struct tt_comparison_rule {
    struct tt_rules *rules; /* owns `rule` */
    const struct tt_rule *rule;
    const char *text; /* of the caller */
    double by;        /* 0.1 for 10 %; negative: min_change of the comparison */
};

/* The result of a rule. */
struct tt_comparison_finding {
    size_t rows;                              /* rows of both sides that it selects */
    size_t singles;                           /* rows of one side */
    size_t worse;                             /* rows for which the condition holds */
    const struct tt_comparison_change *worst; /* of these; NULL: none */
};

/*
 * Parses a rule; `text` outlives it. The caller frees it, also after an error. TT_ERR_MEMORY; TT_ERR_USAGE
 * with the reason.
 */
struct tt_status tt_comparison_rule_parse(const char *text, struct tt_comparison_rule *rule);
void tt_comparison_rule_free(struct tt_comparison_rule *rule);
/* Returns whether a comparison has the table and the value of the rule. */
bool tt_comparison_rule_fits(const struct tt_comparison_rule *rule,
                             const struct tt_comparison *comparison);
/* Applies a rule to a complete comparison that fits. */
struct tt_comparison_finding tt_comparison_rule_apply(const struct tt_comparison_rule *rule,
                                                      const struct tt_comparison *comparison);

#endif
