/* SPDX-License-Identifier: Apache-2.0 */
/* report_jsonl: verdicts as lines of JSON. docs/check.md lists the keys. */
#include <string.h>

#include "tracetui/check_report.h"
#include "tracetui/json.h"
#include "tracetui/time.h"

static void put_text(struct tt_text *text, const char *key, const char *value)
{
    tt_json_key(text, key);
    if (value[0]) {
        tt_text_json(text, value, strlen(value));
    } else {
        tt_text_str(text, "null");
    }
}

static void put_decimal(struct tt_text *text, const char *key, bool known, struct tt_decimal value)
{
    tt_json_key(text, key);
    if (!known) {
        tt_text_str(text, "null");
    } else if (value.decimals == 0) {
        tt_json_u64(text, value.number);
    } else {
        tt_decimal_put(text, value);
    }
}

static void put_place(struct tt_text *text, const struct tt_check_file *file, uint64_t at)
{
    int64_t ns = 0;
    bool known = at != UINT64_MAX && (file->ticks || tt_ticks_to_ns(at, file->hz, &ns));
    put_decimal(text, file->ticks ? "at_ticks" : "at_ns", known,
                (struct tt_decimal){file->ticks ? at : (uint64_t)ns, 0});
}

static void put_result(struct tt_text *text, const struct tt_check_file *file,
                       const struct tt_check_result *r)
{
    static const char *const units[] = {[TT_RULE_UNIT_COUNT] = "",
                                        [TT_RULE_UNIT_NS] = "ns",
                                        [TT_RULE_UNIT_TICKS] = "ticks",
                                        [TT_RULE_UNIT_PERCENT] = "%",
                                        [TT_RULE_UNIT_HZ] = "/s"};
    const struct tt_rule *rule = r->rule;
    tt_text_char(text, '{');
    put_text(text, "capture", file->path);
    put_text(text, "file", rule->file);
    put_decimal(text, "line", true, (struct tt_decimal){rule->line, 0});
    put_text(text, "name", rule->name);
    put_text(text, "rule", rule->text);
    put_text(text, "verdict", tt_verdict_word(r->verdict));
    put_decimal(text, "value", r->has_value, r->value);
    put_text(text, "compare", rule->has_limit ? tt_rule_compare_text(rule->limit.compare) : "=");
    put_decimal(text, "limit", true, rule->limit.value);
    put_text(text, "unit", units[r->unit]);
    put_text(text, "where", r->where);
    put_place(text, file, r->at);
    put_text(text, "reason", r->reason);
    put_text(text, "warning", r->warning);
    tt_json_key(text, "why");
    tt_text_char(text, '[');
    for (unsigned i = 0; i < r->why_count; i++) {
        tt_text_str(text, i > 0 ? "," : "");
        tt_text_json(text, r->why[i], strlen(r->why[i]));
    }
    tt_text_char(text, ']');
    put_text(text, "command", r->command);
    tt_text_str(text, "}\n");
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
