/* SPDX-License-Identifier: Apache-2.0 */
/* report_jsonl: verdicts as lines of JSON. docs/check.md lists the keys. */
#include "check/check_report.h"
#include "print/record/fields.h"
#include "tracetui/time.h"

/* An empty text is unknown. */
static void jsonl_put_text(struct tt_fields *fields, const char *key, const char *value)
{
    tt_field_text(fields, key, value[0] ? value : NULL);
}

static void jsonl_put_decimal(struct tt_fields *fields, const char *key, struct tt_decimal value)
{
    if (value.decimals == 0) {
        tt_field_u64(fields, key, value.number);
    } else if (tt_field_key(fields, key)) {
        tt_decimal_put(fields->text, value);
    }
}

static void put_result(struct tt_text *text, const struct tt_check_file *file,
                       const struct tt_check_result *result)
{
    static const char *const units[] = {[TT_RULE_UNIT_COUNT] = "",
                                        [TT_RULE_UNIT_NS] = "ns",
                                        [TT_RULE_UNIT_TICKS] = "ticks",
                                        [TT_RULE_UNIT_PERCENT] = "%",
                                        [TT_RULE_UNIT_HZ] = "/s"};
    const struct tt_rule *rule = result->rule;
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    jsonl_put_text(&fields, "capture", file->path);
    jsonl_put_text(&fields, "file", rule->file);
    tt_field_u64(&fields, "line", rule->line);
    jsonl_put_text(&fields, "name", rule->name);
    jsonl_put_text(&fields, "rule", rule->text);
    jsonl_put_text(&fields, "verdict", tt_verdict_word(result->verdict));
    if (result->has_value) {
        jsonl_put_decimal(&fields, "value", result->value);
    } else {
        tt_field_none(&fields, "value");
    }
    jsonl_put_text(&fields, "compare",
                   rule->has_limit ? tt_rule_compare_text(rule->limit.compare) : "=");
    jsonl_put_decimal(&fields, "limit", rule->limit.value);
    jsonl_put_text(&fields, "unit", units[result->unit]);
    jsonl_put_text(&fields, "where", result->where);

    uint64_t at = result->at;
    int64_t ns = 0;
    bool known = at != UINT64_MAX && (file->ticks || tt_ticks_to_ns(at, file->hz, &ns));
    tt_field_number(&fields, file->ticks ? "at_ticks" : "at_ns", known,
                    file->ticks ? at : (uint64_t)ns);

    jsonl_put_text(&fields, "reason", result->reason);
    jsonl_put_text(&fields, "warning", result->warning);
    tt_field_open(&fields, "why", '[');
    for (unsigned i = 0; i < result->why_count; i++) {
        tt_field_text(&fields, NULL, result->why[i]);
    }
    tt_field_close(&fields, ']');
    jsonl_put_text(&fields, "command", result->command);
    tt_fields_end(&fields);
}

void tt_report_jsonl(struct tt_check_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        for (size_t k = 0; k < report->files[i].count; k++) {
            TT_REPORT_LINE(report,
                           put_result(&text, &report->files[i], &report->files[i].results[k]));
        }
    }
}
