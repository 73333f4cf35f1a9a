/* SPDX-License-Identifier: Apache-2.0 */
/* diff: compares both sides, prints the changes and applies the conditions. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/diff/diff_print.h"
#include "cli/diff/sides.h"
#include "compare/comparison_rule.h"
#include "compare/comparison_text.h"

struct run {
    const struct tt_options *options;
    struct tt_sides sides;
    struct tt_comparison_rule *rules; /* of --fail-if */
    int rule_count;
    struct tt_comparison *comparison; /* what is printed */
};

/* ---- conditions --------------------------------------------------------------------------- */

static struct tt_status parse_rules(struct run *run)
{
    const struct tt_text_list *texts = &run->options->fail_if;
    run->rules = calloc((size_t)texts->count + 1, sizeof *run->rules);
    struct tt_status status = run->rules ? tt_ok() : tt_error_memory();
    for (int i = 0; i < texts->count && !tt_failed(&status); i++) {
        run->rule_count++;
        status =
            tt_status_context(tt_comparison_rule_parse(texts->v[i], &run->rules[i]), "--fail-if");
    }
    return status;
}

/* Reports a condition that holds: its worst row, with both values. */
static void report_worse(const struct tt_comparison_rule *rule,
                         const struct tt_comparison_finding *finding,
                         const struct tt_comparison *comparison)
{
    const struct tt_baseline *side = tt_comparison_side_a(comparison);
    const struct tt_comparison_change *change = finding->worst;
    char buffer[2048];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&text, "%s: ", tt_comparison_name(change));
    tt_comparison_put_value(&text, side, change->measure, change->a);
    tt_text_str(&text, " -> ");
    tt_comparison_put_value(&text, side, change->measure, change->b);
    tt_text_str(&text, ", ");
    tt_comparison_put_change(&text, change);
    if (finding->worse > 1) {
        tt_text_put(&text, ", and %ju%s", finding->worse - 1,
                    finding->worse == 2 ? " more row" : " more rows");
    }
    struct tt_status status = tt_error(TT_ERR_USAGE, "%s", tt_text_cstr(&text));
    tt_message_error(rule->text, &status);
}

/* Applies a condition to a comparison that has its value. */
static enum tt_exit diff_apply(const struct tt_comparison_rule *rule,
                               const struct tt_comparison *comparison)
{
    struct tt_comparison_finding f = tt_comparison_rule_apply(rule, comparison);
    if (f.worse > 0) {
        report_worse(rule, &f, comparison);
        return TT_EXIT_NOT_MET;
    }
    if (f.rows > 0) {
        return TT_EXIT_GOOD;
    }
    struct tt_status status =
        f.singles > 0 ? tt_error(TT_ERR_USAGE, "the rows that match are on one side only")
                      : tt_error(TT_ERR_USAGE, "no row matches");
    tt_message_error(rule->text, &status);
    return f.singles > 0 ? TT_EXIT_UNDECIDED : TT_EXIT_FAILED;
}

/* Applies a condition; compares the sides again if another table or value is needed. */
static enum tt_exit diff_judge(struct run *run, const struct tt_comparison_rule *rule)
{
    struct tt_comparison *own = NULL;
    if (tt_comparison_rule_fits(rule, run->comparison)) {
        return diff_apply(rule, run->comparison);
    }
    struct tt_status status =
        tt_sides_compare(run->options, &run->sides, rule->rule->table, rule->rule->column, &own);
    enum tt_exit result = TT_EXIT_FAILED;
    if (!tt_failed(&status) && !tt_comparison_rule_fits(rule, own)) {
        status = tt_error(TT_ERR_USAGE, "the baseline does not have the value");
    }
    if (tt_failed(&status)) {
        tt_message_error(rule->text, &status);
    } else {
        result = diff_apply(rule, own);
    }
    tt_comparison_free(own);
    return result;
}

/* ---- the command -------------------------------------------------------------------------- */

static enum tt_exit diff_compare(struct run *run, const struct tt_table *table)
{
    struct tt_output out;
    struct tt_status status =
        tt_sides_compare(run->options, &run->sides, table, NULL, &run->comparison);
    if (!tt_failed(&status)) {
        status = tt_command_open_output(run->options, &out);
        if (!tt_failed(&status)) {
            status = tt_comparison_print(run->comparison, run->options, table, &out);
        }
        status = tt_output_finish(&out, status, true);
    }
    if (tt_failed(&status)) {
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    enum tt_exit result = tt_sides_verdict(&run->sides);
    for (int i = 0; i < run->rule_count; i++) {
        result = tt_exit_worse(result, diff_judge(run, &run->rules[i]));
    }
    return result;
}

enum tt_exit tt_command_diff(const struct tt_options *options)
{
    struct run r = {.options = options};
    const struct tt_table *table = tt_sides_table(options);
    struct tt_status status = tt_command_check_output(options);
    if (!tt_failed(&status) && !table) {
        status = tt_error(TT_ERR_USAGE,
                          "--by %s: its rows have no names by which two captures are compared",
                          tt_table_any_at((size_t)options->by)->name);
    }
    if (!tt_failed(&status)) {
        status = parse_rules(&r);
    }
    enum tt_exit result = tt_exit_of(&status, TT_EXIT_GOOD);
    if (result == TT_EXIT_GOOD) {
        result = tt_sides_open(options, &r.sides) ? diff_compare(&r, table) : TT_EXIT_FAILED;
    }
    tt_comparison_free(r.comparison);
    for (int i = 0; i < r.rule_count; i++) {
        tt_comparison_rule_free(&r.rules[i]);
    }
    free(r.rules);
    tt_sides_close(&r.sides);
    return result;
}
