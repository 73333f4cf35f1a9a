/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_junit: verdicts as JUnit XML, a suite for each capture, in the schema that Jenkins, GitLab
 * and others read. An undecided rule is an error, or skipped if undecided rules are accepted.
 */
#include <string.h>

#include "check/check_report.h"

#define TEXT_BYTES 16384u

/* Appends text as XML: characters that XML does not allow become question marks. */
static void put_xml(struct tt_text *text, const char *plain)
{
    char buffer[TEXT_BYTES];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_report_text(&shown, plain);
    for (size_t i = 0; i < shown.used;) {
        uint32_t code;
        unsigned length = tt_utf8_decode(buffer + i, shown.used - i, &code);
        if (length == 0 || code == 0xfffe || code == 0xffff) {
            tt_text_char(text, '?');
        } else if (!tt_text_reference(text, code)) {
            tt_text_bytes(text, buffer + i, length);
        }
        i += length > 0 ? length : 1;
    }
}

static void put_attribute(struct tt_text *text, const char *name, const char *value)
{
    tt_text_put(text, " %s=\"", name);
    put_xml(text, value);
    tt_text_char(text, '"');
}

static void junit_put_number(struct tt_text *text, const char *name, size_t value)
{
    char buffer[24];
    struct tt_text digits = tt_text_of(buffer, sizeof buffer);
    tt_text_u64(&digits, value);
    put_attribute(text, name, tt_text_cstr(&digits));
}

/* Appends the counts of a suite, or of all suites. */
static void put_counts(struct tt_text *text, const struct tt_check_report *report, size_t tests,
                       size_t failed, size_t undecided, bool is_suite)
{
    junit_put_number(text, "tests", tests);
    junit_put_number(text, "failures", failed);
    junit_put_number(text, "errors", report->accept ? 0 : undecided);
    if (is_suite) {
        junit_put_number(text, "skipped", report->accept ? undecided : 0);
    }
    put_attribute(text, "time", "0");
}

static void junit_put_line(struct tt_text *text, const char *line)
{
    if (line[0]) {
        put_xml(text, line);
        tt_text_char(text, '\n');
    }
}

static void put_outcome(struct tt_text *text, const char *element,
                        const struct tt_check_result *result)
{
    tt_text_put(text, "      <%s", element);

    char buffer[TEXT_BYTES];
    struct tt_text message = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&message, "%s%s%s%s, limit %s",
                result->verdict == TT_VERDICT_FAILED ? "" : "undecided: ", result->reason,
                result->reason[0] ? "; " : "", result->value_text, result->limit_text);
    if (result->where[0]) {
        tt_text_put(&message, ", %s", result->where);
    }
    if (result->at_text[0]) {
        tt_text_put(&message, ", at %s", result->at_text);
    }
    put_attribute(text, "message", tt_text_cstr(&message));

    if (strcmp(element, "skipped") == 0) {
        tt_text_str(text, "/>\n");
        return;
    }
    put_attribute(text, "type", tt_verdict_word(result->verdict));
    tt_text_char(text, '>');
    junit_put_line(text, result->rule->text);
    for (unsigned i = 0; i < result->why_count; i++) {
        junit_put_line(text, result->why[i]);
    }
    junit_put_line(text, result->command);
    tt_text_put(text, "</%s>\n", element);
}

static void put_case(struct tt_text *text, const struct tt_check_report *report,
                     const struct tt_check_result *result)
{
    tt_text_str(text, "    <testcase");
    put_attribute(text, "classname", result->rule->file);
    put_attribute(text, "name", result->rule->name);
    put_attribute(text, "time", "0");
    if (result->verdict == TT_VERDICT_PASSED) {
        tt_text_str(text, "/>\n");
        return;
    }
    tt_text_str(text, ">\n");
    put_outcome(text,
                result->verdict == TT_VERDICT_FAILED ? "failure"
                : report->accept                     ? "skipped"
                                                     : "error",
                result);
    tt_text_str(text, "    </testcase>\n");
}

static void put_suite(struct tt_text *text, const struct tt_check_report *report,
                      const struct tt_check_file *file)
{
    tt_text_str(text, "  <testsuite");
    put_attribute(text, "name", file->path);
    put_counts(text, report, file->count, file->failed, file->undecided, true);
    tt_text_str(text, ">\n");
}

static void junit_put_begin(struct tt_text *text, const struct tt_check_report *report)
{
    size_t tests = 0, failed = 0, undecided = 0;
    for (size_t i = 0; i < report->count; i++) {
        tests += report->files[i].count;
        failed += report->files[i].failed;
        undecided += report->files[i].undecided;
    }
    tt_text_str(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute(text, "name", "tracetui check");
    put_counts(text, report, tests, failed, undecided, false);
    tt_text_str(text, ">\n");
}

void tt_report_junit(struct tt_check_report *report)
{
    TT_REPORT_LINE(report, junit_put_begin(&text, report));
    for (size_t i = 0; i < report->count; i++) {
        const struct tt_check_file *file = &report->files[i];
        if (!file->check) {
            continue;
        }
        TT_REPORT_LINE(report, put_suite(&text, report, file));
        for (size_t k = 0; k < file->count; k++) {
            TT_REPORT_LINE(report, put_case(&text, report, &file->results[k]));
        }
        TT_REPORT_LINE(report, tt_text_str(&text, "  </testsuite>\n"));
    }
    TT_REPORT_LINE(report, tt_text_str(&text, "</testsuites>\n"));
}
