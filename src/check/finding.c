/* SPDX-License-Identifier: Apache-2.0 */
/* finding: a value beside its limit, and the texts of a result. */
#include <string.h>

#include "base/text_units.h"
#include "check/judge.h"
#include "check/rules_internal.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

struct tt_finding tt_finding_of(uint64_t number, unsigned decimals)
{
    return (struct tt_finding){.known = true,
                               .value = {number, decimals},
                               .ticks = UINT64_MAX,
                               .at = TT_NO_AT,
                               .thread = TT_NO_THREAD,
                               .row = UINT64_MAX,
                               .where = "",
                               .kind = ""};
}

struct tt_decimal tt_check_number(const struct tt_table_cell *cell)
{
    if (cell->kind == TT_CELL_SIGNED) {
        return (struct tt_decimal){cell->signed_number > 0 ? (uint64_t)cell->signed_number : 0, 0};
    }
    return (struct tt_decimal){cell->number, cell->kind == TT_CELL_DECIMAL ? cell->decimals : 0};
}

struct tt_finding tt_finding_time(const struct tt_check *check, uint64_t ticks)
{
    struct tt_finding f = tt_finding_of(tt_line_ns(check->capture, ticks), 0);
    f.ticks = ticks;
    return f;
}

const char *tt_verdict_word(unsigned verdict)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_VERDICT_INFO(X)
#undef X
    };
    return words[verdict];
}

/* ---- verdicts ----------------------------------------------------------------------------- */

static bool uses_ticks(const struct tt_rule *rule)
{
    return rule->limit.unit == TT_RULE_UNIT_TICKS;
}

/* Returns the value, or its upper bound, in the unit of the limit. */
static struct tt_decimal in_unit(const struct tt_rule *rule, struct tt_decimal value,
                                 uint64_t ticks)
{
    return uses_ticks(rule) ? (struct tt_decimal){ticks, 0} : value;
}

static enum tt_verdict all_or_none(bool all, bool none)
{
    return all ? TT_VERDICT_PASSED : none ? TT_VERDICT_FAILED : TT_VERDICT_UNDECIDED;
}

static enum tt_verdict finding_verdict_of(const struct tt_rule *rule,
                                          const struct tt_finding *finding)
{
    int low, high;

    /*
     * Finds the lower and the upper end of the range of a finding compared with the limit: <0, 0,
     * >0.
     */
    int own = tt_decimal_compare(in_unit(rule, finding->value, finding->ticks), rule->limit.value);
    low = finding->doubt == TT_DOUBT_LESS || finding->doubt == TT_DOUBT_EITHER ? -2 : own;
    high = finding->doubt == TT_DOUBT_EITHER ? 2 : own;
    if (finding->doubt == TT_DOUBT_MORE) {
        high = finding->has_most
                   ? tt_decimal_compare(in_unit(rule, finding->most, finding->most_ticks),
                                        rule->limit.value)
                   : 2;
    }
    /* Nothing is less than 0. */
    if (low == -2 && rule->limit.value.number == 0) {
        low = own < 0 ? own : 0;
    }

    bool equal = low == 0 && high == 0, apart = low > 0 || high < 0;
    switch (rule->limit.compare) {
    case TT_LESS:
        return all_or_none(high < 0, low >= 0);
    case TT_LESS_EQUAL:
        return all_or_none(high <= 0, low > 0);
    case TT_MORE:
        return all_or_none(low > 0, high <= 0);
    case TT_MORE_EQUAL:
        return all_or_none(low >= 0, high < 0);
    case TT_EQUAL:
        return all_or_none(equal, apart);
    default:
        return all_or_none(apart, equal);
    }
}

/* Returns whether `left` is further on the wrong side of the limit than `right`. */
static bool is_worse(const struct tt_rule *rule, const struct tt_finding *left,
                     const struct tt_finding *right)
{
    int order = tt_decimal_compare(left->value, right->value);
    bool more = rule->limit.compare == TT_MORE || rule->limit.compare == TT_MORE_EQUAL;
    return more ? order < 0 : order > 0;
}

/* Returns whether a rule compares a time, or a share of time. */
static bool of_time(const struct tt_rule *rule, const struct tt_finding *finding)
{
    return finding->ticks != UINT64_MAX || rule->limit.unit == TT_RULE_UNIT_NS ||
           rule->limit.unit == TT_RULE_UNIT_TICKS || rule->limit.unit == TT_RULE_UNIT_PERCENT;
}

void tt_check_add_finding(struct tt_check *check, size_t index, const struct tt_finding *finding)
{
    const struct tt_rule *rule = tt_rules_at(check->request.rules, index);
    struct tt_judgement *judgement = &check->judged[index];
    if (rule->limit.unit == TT_RULE_UNIT_NS && !rule->limit.unitless &&
        check->capture->clock_hz == 0) {
        tt_check_miss(check, index,
                      "the capture has no clock: give the limit in ticks (500t), or "
                      "--clock");
        return;
    }
    if (of_time(rule, finding) && tt_health_count(check->capture, TT_HEALTH_COARSE_TIME) > 0) {
        tt_check_miss(check, index, "the capture's timer counts too slowly, or not at all");
        return;
    }
    enum tt_verdict verdict = finding_verdict_of(rule, finding);
    judgement->matches++;
    if (!judgement->any || verdict > judgement->verdict ||
        (verdict == judgement->verdict && is_worse(rule, finding, &judgement->worst))) {
        judgement->any = true;
        judgement->verdict = verdict;
        judgement->worst = *finding;
    }
}

void tt_check_miss(struct tt_check *check, size_t rule, const char *reason)
{
    if (!check->judged[rule].reason) {
        check->judged[rule].reason = reason;
    }
}

/* ---- texts -------------------------------------------------------------------------------- */

const char *tt_check_text(struct tt_check *check, const struct tt_text *text)
{
    const char *copy = tt_arena_text(&check->texts, text->buffer, text->used);
    return copy ? copy : "";
}

const char *tt_check_line(struct tt_check *check, const char *line)
{
    const char *copy = tt_arena_text(&check->texts, line, strlen(line));
    return copy ? copy : "";
}

void tt_check_place(const struct tt_check *check, struct tt_text *text, uint64_t ticks)
{
    tt_line_time(text, check->capture,
                 tt_relative_ticks(check->capture, ticks, check->first_ticks));
    tt_text_char(text, check->capture->clock_hz ? 's' : 't');
}

static enum tt_rule_unit measure_unit(const struct tt_rule *rule)
{
    enum tt_rule_unit unit = TT_RULE_UNIT_COUNT;
    switch (rule->kind) {
    case TT_RULE_TABLE:
        tt_rule_column(rule->column, &unit);
        return unit;
    case TT_RULE_ROWS:
        tt_rule_column(rule->column, &unit);
        return rule->quantile == TT_QUANTILE_COUNT ? TT_RULE_UNIT_COUNT : unit;
    case TT_RULE_TIME:
    case TT_RULE_REACTION:
        return rule->quantile == TT_QUANTILE_COUNT ? TT_RULE_UNIT_COUNT : TT_RULE_UNIT_NS;
    case TT_RULE_EVERY:
    case TT_RULE_SEQUENCE:
        return TT_RULE_UNIT_NS;
    case TT_RULE_RATE:
        return TT_RULE_UNIT_HZ;
    default:
        return TT_RULE_UNIT_COUNT;
    }
}

/* Appends nanoseconds exactly, in the largest unit without more than six decimals: 203.4 us. */
static void put_ns(struct tt_text *text, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        unsigned decimals;
        const char *unit;
    } units[] = {
        {1000000000, 9, " s"}, {1000000, 6, " ms"}, {1000, 3, TT_MICROSECONDS}, {1, 0, " ns"}};
    size_t i = 0;
    while (i < 3 && ns < units[i].ns) {
        i++;
    }
    tt_decimal_put(text, (struct tt_decimal){ns, units[i].decimals});
    tt_text_str(text, units[i].unit);
}

void tt_rule_put_value(struct tt_text *text, struct tt_decimal value, enum tt_rule_unit unit)
{
    static const char *const suffixes[] = {[TT_RULE_UNIT_COUNT] = "",
                                           [TT_RULE_UNIT_NS] = "",
                                           [TT_RULE_UNIT_TICKS] = " t",
                                           [TT_RULE_UNIT_PERCENT] = " %",
                                           [TT_RULE_UNIT_HZ] = " /s"};
    if (unit == TT_RULE_UNIT_NS) {
        put_ns(text, value.number);
    } else {
        tt_decimal_put(text, value);
        tt_text_str(text, suffixes[unit]);
    }
}

static const char *limit_text(struct tt_check *check, const struct tt_rule *rule)
{
    char buffer[80];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!rule->has_limit) {
        tt_text_str(&text, "= 0");
    } else {
        tt_text_put(&text, "%s ", tt_rule_compare_text(rule->limit.compare));
        tt_rule_put_value(&text, rule->limit.value, rule->limit.unit);
    }
    return tt_check_text(check, &text);
}

static void finding_set_value(struct tt_check *check, const struct tt_rule *rule,
                              const struct tt_finding *finding, struct tt_check_result *result)
{
    char buffer[80];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    result->unit = measure_unit(rule);
    bool ticks =
        result->unit == TT_RULE_UNIT_NS && (uses_ticks(rule) || check->capture->clock_hz == 0);
    result->unit = ticks ? TT_RULE_UNIT_TICKS : result->unit;
    result->has_value = finding->known;
    result->value = ticks ? (struct tt_decimal){finding->ticks, 0} : finding->value;
    if (!finding->known) {
        tt_text_char(&text, '-');
    } else {
        tt_text_str(&text, finding->absent ? "> " : "");
        tt_rule_put_value(&text, result->value, result->unit);
    }
    result->value_text = tt_check_text(check, &text);
    text = tt_text_of(buffer, sizeof buffer);
    if (finding->at != TT_NO_AT) {
        tt_check_place(check, &text, finding->at);
    }
    result->at = finding->at;
    result->at_text = tt_check_text(check, &text);
    result->where = finding->where;
    result->thread = finding->thread;
    result->from = finding->from;
    result->to = finding->to;
    result->kind = finding->kind;
}

struct tt_status tt_check_result_make(struct tt_check *check, size_t index)
{
    const struct tt_rule *rule = tt_rules_at(check->request.rules, index);
    const struct tt_judgement *judgement = &check->judged[index];
    struct tt_check_result *result = &check->results[index];
    struct tt_finding none = tt_finding_of(0, 0);
    none.known = false;
    *result = (struct tt_check_result){.rule = rule,
                                       .verdict = judgement->any ? judgement->verdict
                                                                 : TT_VERDICT_UNDECIDED,
                                       .reason = "",
                                       .command = "",
                                       .warning = "",
                                       .matches = judgement->matches};
    finding_set_value(check, rule, judgement->any ? &judgement->worst : &none, result);
    result->limit_text = limit_text(check, rule);
    tt_check_warn(check, index);
    if (result->verdict == TT_VERDICT_UNDECIDED) {
        result->reason = judgement->reason ? judgement->reason
                         : judgement->any && judgement->worst.absent && !check->request.growing
                             ? "the window ends before the limit: the event may follow later"
                         : judgement->any
                             ? (check->request.growing ? "the capture still grows"
                                                       : "records are lost, or a state is unknown, "
                                                         "in the window")
                             : "no sample in the window";
    }
    return result->verdict == TT_VERDICT_FAILED && !check->request.explain
               ? tt_check_explain(check, index, &judgement->worst)
               : tt_ok();
}
