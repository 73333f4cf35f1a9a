/* SPDX-License-Identifier: Apache-2.0 */
/* options_check: combinations of options that have no meaning. */
#include "cli/options_check.h"

#include "table/registry.h"

#define ALPHA_MOST 500000000u /* 0.5 */
#define PARTS_MOST 1000000u   /* of a range */

/* Returns the table of --by. */
static const struct tt_table *table_of(const struct tt_options *o)
{
    return tt_table_any_at((size_t)o->by);
}

static struct tt_status unexpected(const char *what, const char *about)
{
    return tt_error(TT_ERR_USAGE, "%s '%.80s' (see tracetui --help)", what, about);
}

/* Checks that a command has the format; `table` is checked elsewhere. */
static struct tt_status check_format(const struct tt_options *o)
{
    static const char *const words[] = {"text", "csv",  "jsonl", "table", "fxt",        "svg",
                                        "html", "ansi", "tap",   "junit", "chrome-json"};
    static const struct {
        enum tt_command command;
        unsigned formats; /* 1 << format */
        const char *text;
    } rules[] = {
        {TT_COMMAND_INFO_, 1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL,
         "info prints text or jsonl"},
        {TT_COMMAND_WHY, 1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL, "why prints text or jsonl"},
        {TT_COMMAND_EXPORT, 1u << TT_OUTPUT_FXT | 1u << TT_OUTPUT_CHROME_JSON,
         "export prints fxt or chrome-json"},
        {TT_COMMAND_CHECK,
         1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL | 1u << TT_OUTPUT_TAP | 1u << TT_OUTPUT_JUNIT,
         "check prints table, jsonl, tap or junit"},
        {TT_COMMAND_RENDER,
         1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_ANSI | 1u << TT_OUTPUT_SVG | 1u << TT_OUTPUT_HTML,
         "render prints text, ansi, svg or html"},
    };
    unsigned format = (unsigned)o->format;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && format != TT_OUTPUT_TABLE; i++) {
        if (rules[i].command == o->command) {
            return rules[i].formats >> format & 1u
                       ? tt_ok()
                       : tt_error(TT_ERR_USAGE, "%s, not %s", rules[i].text, words[format]);
        }
    }
    if (format < TT_OUTPUT_FXT ||
        (format == TT_OUTPUT_CHROME_JSON && o->command == TT_COMMAND_DUMP)) {
        return tt_ok();
    }
    return tt_error(TT_ERR_USAGE, "--format: %s works only with %s", words[format],
                    format == TT_OUTPUT_CHROME_JSON ? "dump and export"
                    : format == TT_OUTPUT_FXT       ? "export"
                    : format >= TT_OUTPUT_TAP       ? "check"
                                                    : "render");
}

/* A document of JSON has one capture, and selects by range, thread, CPU and filter alone. */
static struct tt_status check_chrome_json(const struct tt_options *o)
{
    if (o->files.count > 1) {
        return unexpected("chrome-json has one file, unexpected", o->files.v[1]);
    }
    if (o->follow || o->messages || o->jobs || o->definitions || o->resolve || o->style) {
        return tt_error(TT_ERR_USAGE, "--format chrome-json cannot be used with -f, --messages, "
                                      "--jobs, --definitions, --resolve and --style");
    }
    return tt_ok();
}

/* Checks that the intervals for `why` are selected in exactly one way. */
static struct tt_status check_why(const struct tt_options *o)
{
    bool range = o->from.kind != TT_TIME_SPEC_NONE || o->to.kind != TT_TIME_SPEC_NONE;
    bool at = o->at.kind != TT_TIME_SPEC_NONE;
    int given = at + (o->worst >= 0) + (o->each >= 0) + o->wakes;
    if (given > 1) {
        return tt_error(TT_ERR_USAGE, "why takes one of --at, --worst, --each and --wakes");
    }
    if (given == 0 && !range) {
        return tt_error(TT_ERR_USAGE, "why needs --at, --from, --to, --worst, --each or --wakes "
                                      "(see tracetui --help)");
    }
    if ((at || given == 0) && o->threads.count == 0) {
        return tt_error(TT_ERR_USAGE, "why needs --thread with a time");
    }
    if (at && range) {
        return tt_error(TT_ERR_USAGE, "--at cannot be used with --from and --to");
    }
    if (o->number && o->worst < 0) {
        return tt_error(TT_ERR_USAGE, "-n needs --worst");
    }
    return tt_ok();
}

static struct tt_status check_measure(const struct tt_options *o)
{
    if (o->has_interrupt) {
        if (o->begin || o->end || o->same || o->pair) {
            return tt_error(TT_ERR_USAGE, "--interrupt cannot be used with --begin, --end, --same "
                                          "and --pair");
        }
        return o->threads.count > 0 ? tt_ok()
                                    : tt_error(TT_ERR_USAGE, "--interrupt needs --thread");
    }
    if (!o->begin || !o->end) {
        return tt_error(TT_ERR_USAGE, "measure needs --begin and --end, or --interrupt (see "
                                      "tracetui --help)");
    }
    return o->threads.count == 0
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "--thread needs --interrupt; use terms in --begin and "
                                        "--end");
}

/* Checks the options of jobs. */
static struct tt_status check_jobs(const struct tt_options *o)
{
    bool by_job = o->command == TT_COMMAND_STATS && table_of(o) == &tt_table_jobs;
    if (o->command == TT_COMMAND_WHY) {
        const int kind = o->worst >= 0 ? o->worst : o->each;
        if (kind == TT_WORST_MISS && !o->deadlines) {
            return tt_error(TT_ERR_USAGE, "a miss needs --deadline, as 'sensor/1=2ms'");
        }
        if (o->deadlines && kind != TT_WORST_MISS) {
            return tt_error(TT_ERR_USAGE, "--deadline needs --worst or --each miss");
        }
        return !o->job_ends || kind == TT_LATE_RESPONSE || kind == TT_WORST_MISS
                   ? tt_ok()
                   : tt_error(TT_ERR_USAGE, "--job-ends needs --worst or --each response, or miss");
    }
    if ((o->job_ends || o->deadlines) && !o->jobs && !by_job && !o->save_baseline &&
        o->command != TT_COMMAND_CHECK && (o->command != TT_COMMAND_DIFF || o->deadlines) &&
        o->command != TT_COMMAND_REPORT) {
        return tt_error(TT_ERR_USAGE, "--job-ends and --deadline need dump --jobs or stats --by "
                                      "job");
    }
    if (o->jobs && (o->filter || o->style || o->follow || o->definitions)) {
        return tt_error(TT_ERR_USAGE,
                        "--filter, --style, --definitions and -f cannot be used with --jobs");
    }
    return tt_ok();
}

struct tt_status tt_options_check_whens(const struct tt_options *o)
{
    if (o->command != TT_COMMAND_AT) {
        return tt_ok();
    }
    for (int i = 0; i < o->whens.count; i++) {
        struct tt_time_spec when;
        struct tt_status status = tt_time_spec_parse(o->whens.v[i], &when);
        if (tt_failed(&status)) {
            return tt_status_context(status, "at");
        }
    }
    if (o->tree && o->format != TT_OUTPUT_TEXT) {
        return tt_error(TT_ERR_USAGE, "--tree prints text");
    }
    return o->whens.count > 0 ? tt_ok()
                              : tt_error(TT_ERR_USAGE, "at needs an instant, as 1.2s or 40%%");
}

static struct tt_status check_merge(const struct tt_options *o)
{
    if (!o->merge && (o->one_system || o->offsets.count + o->alignments.count > 0)) {
        return tt_error(TT_ERR_USAGE, "--align, --offset and --one-system need --merge");
    }
    if (o->merge && o->follow) {
        return tt_error(TT_ERR_USAGE, "--merge: captures that are followed cannot be merged");
    }
    if (o->merge && o->style) {
        return tt_error(TT_ERR_USAGE, "--style: merged captures have no style of their own");
    }
    return tt_ok();
}

struct tt_status tt_options_check(const struct tt_options *o)
{
    struct tt_status format = check_format(o);
    if (tt_failed(&format)) {
        return format;
    }
    if (o->format == TT_OUTPUT_CHROME_JSON) {
        struct tt_status status = check_chrome_json(o);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (o->command == TT_COMMAND_WHY) {
        struct tt_status status = check_why(o);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (o->command == TT_COMMAND_MEASURE) {
        struct tt_status status = check_measure(o);
        if (tt_failed(&status)) {
            return status;
        }
    }
    struct tt_status jobs = check_jobs(o);
    if (tt_failed(&jobs)) {
        return jobs;
    }
    bool has_column = o->merge && o->command == TT_COMMAND_DUMP; /* lines of text have one, too */
    if (o->capture && !has_column && o->format != TT_OUTPUT_CSV && o->format != TT_OUTPUT_JSONL) {
        return tt_error(TT_ERR_USAGE, "--capture needs --format csv or jsonl");
    }
    if (o->find != 0 && o->follow) {
        return tt_error(TT_ERR_USAGE, "--find cannot be used with -f");
    }
    if (o->fail_fast && !o->follow) {
        return tt_error(TT_ERR_USAGE, "--fail-fast needs -f");
    }
    bool one_file = o->command == TT_COMMAND_RENDER || o->command == TT_COMMAND_EXPORT ||
                    o->command == TT_COMMAND_SAVE || o->command == TT_COMMAND_REPORT;
    struct tt_status merge = check_merge(o);
    if (tt_failed(&merge)) {
        return merge;
    }
    if (one_file && o->files.count > 1 && !o->merge) {
        return unexpected(o->command == TT_COMMAND_RENDER   ? "render accepts one file, unexpected"
                          : o->command == TT_COMMAND_EXPORT ? "export accepts one file, unexpected"
                          : o->command == TT_COMMAND_REPORT ? "report accepts one file, unexpected"
                                                            : "save accepts one file, unexpected",
                          o->files.v[1]);
    }
    if (o->command != TT_COMMAND_STATS && o->command != TT_COMMAND_CHECK &&
        o->command != TT_COMMAND_DIFF && o->command != TT_COMMAND_SQL &&
        o->format == TT_OUTPUT_TABLE) {
        return tt_error(TT_ERR_USAGE, "--format: table works only with stats, diff, check and sql");
    }
    if (o->command == TT_COMMAND_DIFF && o->files.count > 2) {
        return unexpected("diff compares two files, unexpected", o->files.v[2]);
    }
    if (o->save_baseline && (o->follow || o->filter || o->threads.count > 0 || o->cpus.given ||
                             o->output || o->deadlines)) {
        return tt_error(TT_ERR_USAGE, "--save-baseline cannot be used with -f, -o, --filter, "
                                      "--thread, --cpu and --deadline");
    }
    if (o->save_baseline && o->files.count > 1) {
        return unexpected("--save-baseline saves one file, unexpected", o->files.v[1]);
    }
    if (o->command == TT_COMMAND_DIFF && (o->alpha == 0 || o->alpha > ALPHA_MOST)) {
        return tt_error(TT_ERR_USAGE, "--alpha is more than 0 and at most 0.5");
    }
    if (o->command == TT_COMMAND_STATS && table_of(o) == &tt_table_cpus && o->threads.count > 0) {
        return tt_error(TT_ERR_USAGE, "--thread cannot be used with --by cpu");
    }
    if (o->command == TT_COMMAND_STATS && o->cpus.given &&
        (table_of(o) == &tt_table_blame || table_of(o) == &tt_table_inversions)) {
        return tt_error(TT_ERR_USAGE, "--cpu cannot be used with --by blame and --by inversion");
    }
    if (!o->follow && o->command != TT_COMMAND_SQL &&
        (o->until || o->timeout_ms || o->interval_ms)) {
        return tt_error(TT_ERR_USAGE, "--until, --timeout and --interval need -f");
    }
    if (o->blobs && (o->files.count > 1 || o->follow || o->messages || o->jobs || o->style ||
                     o->format != TT_OUTPUT_TEXT)) {
        return tt_error(TT_ERR_USAGE, "--blobs takes one file, and cannot be used with --format, "
                                      "-f, --messages, --jobs and --style");
    }
    if (o->conditions.count > 0 &&
        (o->by != 0 || o->follow || o->filter || o->save_baseline || o->job_ends || o->deadlines)) {
        return tt_error(TT_ERR_USAGE, "--condition cannot be used with --by, -f, --filter, "
                                      "--save-baseline, --job-ends and --deadline");
    }
    if (o->command == TT_COMMAND_STATS && table_of(o)->next && !o->save_baseline) {
        return tt_error(TT_ERR_USAGE, "--by %s: stats prints sums; sql and diff read single rows",
                        table_of(o)->name);
    }
    if (o->command == TT_COMMAND_STATS && o->number && o->conditions.count == 0) {
        return tt_error(TT_ERR_USAGE, "-n needs --condition");
    }
    if (o->conditions.count > 0 && o->number > PARTS_MOST) {
        return tt_error(TT_ERR_USAGE, "-n: at most %u parts", PARTS_MOST);
    }
    if (o->follow && o->files.count > 1) {
        return unexpected("-f follows one file, unexpected", o->files.v[1]);
    }
    if (o->follow && o->command == TT_COMMAND_DUMP &&
        (o->style || o->threads.count > 0 || o->from.kind != TT_TIME_SPEC_NONE ||
         o->to.kind != TT_TIME_SPEC_NONE)) {
        return tt_error(TT_ERR_USAGE, "--style, --thread, --from and --to cannot be used with dump "
                                      "-f; use --filter");
    }
    if (o->command == TT_COMMAND_STATS && table_of(o)->of_messages &&
        (o->follow || o->cpus.given)) {
        return tt_error(TT_ERR_USAGE,
                        "--by message, server, client, channel, single, imposed, matrix and "
                        "object cannot be used with -f and --cpu");
    }
    if (o->messages && (o->follow || o->style || o->jobs || o->definitions || o->cpus.given)) {
        return tt_error(TT_ERR_USAGE, "--messages cannot be used with -f, --style, --jobs, "
                                      "--definitions and --cpu");
    }
    if (o->style && (o->format != TT_OUTPUT_TEXT || o->resolve)) {
        return tt_error(TT_ERR_USAGE, "--style cannot be used with --format and --resolve");
    }
    return tt_ok();
}
