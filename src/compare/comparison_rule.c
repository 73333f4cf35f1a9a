/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/judge.h"

#define RULE_BYTES 4096u
#define WORSE      " worse"

/* ---- reading ------------------------------------------------------------------------------ */

/* Parses the text after `worse`: nothing, a share of -1, or " by 10%". */
static bool parse_share(const char *text, double *share)
{
    char *end;
    text += strspn(text, " ");
    *share = -1;
    if (*text == '\0') {
        return true;
    }
    if (strncmp(text, "by ", 3) != 0) {
        return false;
    }
    text += 3 + strspn(text + 3, " ");
    *share = strtod(text, &end) / 100;
    bool decimal = *text >= '0' && *text <= '9' && end == text + strspn(text, "0123456789.");
    end += strspn(end, " ");
    return decimal && strcmp(end, "%") == 0;
}

/* Parses the measure and the selector: a rule of check without its limit. */
static struct tt_status read_rule(const char *text, size_t length, struct tt_rules **rules)
{
    char buffer[RULE_BYTES];
    struct tt_text line = tt_text_of(buffer, sizeof buffer);
    tt_text_bytes(&line, text, length);
    tt_text_str(&line, " < 0");
    struct tt_status status = tt_rules_new(rules);
    if (!tt_failed(&status) && (line.truncated || line.used >= sizeof buffer)) {
        return tt_error(TT_ERR_USAGE, "the condition is too long");
    }
    if (!tt_failed(&status)) {
        status = tt_rules_read_text(*rules, "", tt_text_cstr(&line));
    }
    if (!tt_failed(&status) && tt_rules_error_count(*rules) > 0) {
        struct tt_rules_error error = tt_rules_error_at(*rules, 0);
        status = tt_error(TT_ERR_USAGE, "%s", error.text);
    }
    return status;
}

struct tt_status tt_comparison_rule_parse(const char *text, struct tt_comparison_rule *rule)
{
    const char *worse = NULL; /* the last one that is a word */
    memset(rule, 0, sizeof *rule);
    rule->text = text;
    for (const char *p = strstr(text, WORSE); p; p = strstr(p + 1, WORSE)) {
        char after = p[strlen(WORSE)];
        worse = after == ' ' || after == '\0' ? p : worse;
    }
    if (!worse || !parse_share(worse + strlen(WORSE), &rule->by)) {
        return tt_error(TT_ERR_USAGE, "a condition ends with 'worse' or 'worse by 10%%'");
    }
    struct tt_status status = read_rule(text, (size_t)(worse - text), &rule->rules);
    if (tt_failed(&status)) {
        return status;
    }
    rule->rule = tt_rules_count(rule->rules) == 1 ? tt_rules_at(rule->rules, 0) : NULL;
    if (!rule->rule || rule->rule->kind != TT_RULE_TABLE || !tt_baseline_has(rule->rule->table)) {
        return tt_error(TT_ERR_USAGE, "only values of the tables of diff can be compared");
    }
    return rule->rule->window.kind == TT_WINDOW_WHOLE
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "a condition has no window; use --from and --to");
}

void tt_comparison_rule_free(struct tt_comparison_rule *rule)
{
    tt_rules_free(rule->rules);
    memset(rule, 0, sizeof *rule);
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns whether a name is that of a thread, "sensor/1 sample": whole, or one of its parts. */
static bool comparison_rule_names_thread(const char *name, const char *thread)
{
    size_t number = strcspn(thread, " "), process = strcspn(thread, "/"), length = strlen(name);
    bool part = strncmp(thread, name, length) == 0 && (length == number || length == process);
    return part || strcmp(name, thread) == 0 ||
           (thread[number] && strcmp(thread + number + 1, name) == 0);
}

static bool comparison_rule_selects(const struct tt_rule_name *name, const char *text)
{
    bool exact = name->how == TT_NAME_IS || name->how == TT_NAME_IS_NOT;
    return exact ? comparison_rule_names_thread(name->text, text) == (name->how == TT_NAME_IS)
                 : tt_check_selects_text(name, text, strlen(text));
}

bool tt_comparison_rule_fits(const struct tt_comparison_rule *rule,
                             const struct tt_comparison *comparison)
{
    const struct tt_baseline *sides[] = {tt_comparison_side_a(comparison),
                                         tt_comparison_side_b(comparison)};
    unsigned found = 0;
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < sides[side]->measure_count; i++) {
            found |= (unsigned)(sides[side]->measures[i].column == rule->rule->column) << side;
        }
    }
    return sides[0]->table == rule->rule->table && found == 3;
}

struct tt_comparison_finding tt_comparison_rule_apply(const struct tt_comparison_rule *rule,
                                                      const struct tt_comparison *comparison)
{
    struct tt_comparison_finding f = {0};
    size_t count;
    const struct tt_comparison_change *changes = tt_comparison_changes(comparison, &count);
    bool named = tt_table_name_column(rule->rule->table, 0) != NULL;
    bool pairs = tt_table_name_column(rule->rule->table, 1) != NULL;
    for (size_t i = 0; i < count; i++) {
        const struct tt_comparison_change *change = &changes[i];
        const struct tt_baseline_row *row = change->row_b ? change->row_b : change->row_a;
        bool both = change->row_a && change->row_b;
        if (named && (!comparison_rule_selects(&rule->rule->of, row->first) ||
                      (pairs && !comparison_rule_selects(&rule->rule->to, row->second)))) {
            continue;
        }
        f.singles += !both;
        if (!both || change->measure->column != rule->rule->column) {
            continue;
        }
        f.rows++;
        if ((rule->by < 0 ? change->verdict : change->any_size) == TT_COMPARISON_WORSE &&
            fabs(change->change) >= rule->by) {
            f.worse++;
            f.worst = !f.worst || fabs(change->change) > fabs(f.worst->change) ? change : f.worst;
        }
    }
    return f;
}
