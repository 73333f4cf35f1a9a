/* SPDX-License-Identifier: Apache-2.0 */
/* options_check: combinations of options that have no meaning. */
#include "cli/options_check.h"

#include "table/registry.h"

#define ALPHA_MOST 500000000u /* 0.5 */
#define PARTS_MOST 1000000u   /* of a range */

/* Returns the table of --by. */
static const struct tt_table *options_check_table_of(const struct tt_options *options)
{
    return tt_table_any_at((size_t)options->by);
}

static struct tt_status unexpected(const char *what, const char *about)
{
    return tt_error(TT_ERR_USAGE, "%s '%.80s' (see tracetui --help)", what, about);
}

/* Checks that a command has the format; `table` is checked elsewhere. */
static struct tt_status check_format(const struct tt_options *options)
{
    static const char *const words[] = {"text", "csv",  "jsonl", "table", "fxt",         "svg",
                                        "html", "ansi", "tap",   "junit", "chrome-json", "folded"};
    static const struct {
        enum tt_command command;
        unsigned formats; /* 1 << format */
        const char *text;
    } rules[] = {
        {TT_COMMAND_INFO_, 1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL,
         "info prints text or jsonl"},
        {TT_COMMAND_WHY, 1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL, "why prints text or jsonl"},
        {TT_COMMAND_EXPORT,
         1u << TT_OUTPUT_FXT | 1u << TT_OUTPUT_CHROME_JSON | 1u << TT_OUTPUT_FOLDED,
         "export prints fxt, chrome-json or folded"},
        {TT_COMMAND_CHECK,
         1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_JSONL | 1u << TT_OUTPUT_TAP | 1u << TT_OUTPUT_JUNIT,
         "check prints table, jsonl, tap or junit"},
        {TT_COMMAND_RENDER,
         1u << TT_OUTPUT_TEXT | 1u << TT_OUTPUT_ANSI | 1u << TT_OUTPUT_SVG | 1u << TT_OUTPUT_HTML,
         "render prints text, ansi, svg or html"},
    };
    unsigned format = (unsigned)options->format;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && format != TT_OUTPUT_TABLE; i++) {
        if (rules[i].command == options->command) {
            return rules[i].formats >> format & 1u
                       ? tt_ok()
                       : tt_error(TT_ERR_USAGE, "%s, not %s", rules[i].text, words[format]);
        }
    }
    if (format < TT_OUTPUT_FXT ||
        (format == TT_OUTPUT_CHROME_JSON && options->command == TT_COMMAND_DUMP)) {
        return tt_ok();
    }
    return tt_error(TT_ERR_USAGE, "--format: %s works only with %s", words[format],
                    format == TT_OUTPUT_CHROME_JSON                         ? "dump and export"
                    : format == TT_OUTPUT_FXT || format == TT_OUTPUT_FOLDED ? "export"
                    : format >= TT_OUTPUT_TAP                               ? "check"
                                                                            : "render");
}

/* A document of JSON has one capture, and selects by range, thread, CPU and filter alone. */
static struct tt_status check_chrome_json(const struct tt_options *options)
{
    if (options->files.count > 1) {
        return unexpected("chrome-json has one file, unexpected", options->files.v[1]);
    }
    if (options->follow || options->messages || options->jobs || options->definitions ||
        options->resolve || options->style) {
        return tt_error(TT_ERR_USAGE, "--format chrome-json cannot be used with -f, --messages, "
                                      "--jobs, --definitions, --resolve and --style");
    }
    return tt_ok();
}

/* Checks that the intervals for `why` are selected in exactly one way. */
static struct tt_status check_why(const struct tt_options *options)
{
    bool range = options->from.kind != TT_TIME_SPEC_NONE || options->to.kind != TT_TIME_SPEC_NONE;
    bool at = options->at.kind != TT_TIME_SPEC_NONE;
    int given = at + (options->worst >= 0) + (options->each >= 0) + options->wakes;
    if (given > 1) {
        return tt_error(TT_ERR_USAGE, "why takes one of --at, --worst, --each and --wakes");
    }
    if (given == 0 && !range) {
        return tt_error(TT_ERR_USAGE, "why needs --at, --from, --to, --worst, --each or --wakes "
                                      "(see tracetui --help)");
    }
    if ((at || given == 0) && options->threads.count == 0) {
        return tt_error(TT_ERR_USAGE, "why needs --thread with a time");
    }
    if (at && range) {
        return tt_error(TT_ERR_USAGE, "--at cannot be used with --from and --to");
    }
    if (options->number && options->worst < 0) {
        return tt_error(TT_ERR_USAGE, "-n needs --worst");
    }
    return tt_ok();
}

static struct tt_status check_measure(const struct tt_options *options)
{
    if (options->has_interrupt) {
        if (options->begin || options->end || options->same || options->pair) {
            return tt_error(TT_ERR_USAGE, "--interrupt cannot be used with --begin, --end, --same "
                                          "and --pair");
        }
        return options->threads.count > 0 ? tt_ok()
                                          : tt_error(TT_ERR_USAGE, "--interrupt needs --thread");
    }
    if (!options->begin || !options->end) {
        return tt_error(TT_ERR_USAGE, "measure needs --begin and --end, or --interrupt (see "
                                      "tracetui --help)");
    }
    return options->threads.count == 0
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "--thread needs --interrupt; use terms in --begin and "
                                        "--end");
}

/* Checks the options of jobs. */
static struct tt_status check_jobs(const struct tt_options *options)
{
    bool by_job =
        options->command == TT_COMMAND_STATS && options_check_table_of(options) == &tt_table_jobs;
    if (options->command == TT_COMMAND_WHY) {
        const int kind = options->worst >= 0 ? options->worst : options->each;
        if (kind == TT_WORST_MISS && !options->deadlines) {
            return tt_error(TT_ERR_USAGE, "a miss needs --deadline, as 'sensor/1=2ms'");
        }
        if (options->deadlines && kind != TT_WORST_MISS) {
            return tt_error(TT_ERR_USAGE, "--deadline needs --worst or --each miss");
        }
        return !options->job_ends || kind == TT_LATE_RESPONSE || kind == TT_WORST_MISS
                   ? tt_ok()
                   : tt_error(TT_ERR_USAGE, "--job-ends needs --worst or --each response, or miss");
    }
    if ((options->job_ends || options->deadlines) && !options->jobs && !by_job &&
        !options->save_baseline && options->command != TT_COMMAND_CHECK &&
        (options->command != TT_COMMAND_DIFF || options->deadlines) &&
        options->command != TT_COMMAND_REPORT) {
        return tt_error(TT_ERR_USAGE, "--job-ends and --deadline need dump --jobs or stats --by "
                                      "job");
    }
    if (options->jobs &&
        (options->filter || options->style || options->follow || options->definitions)) {
        return tt_error(TT_ERR_USAGE,
                        "--filter, --style, --definitions and -f cannot be used with --jobs");
    }
    return tt_ok();
}

struct tt_status tt_options_check_whens(const struct tt_options *options)
{
    if (options->command != TT_COMMAND_AT) {
        return tt_ok();
    }
    for (int i = 0; i < options->whens.count; i++) {
        struct tt_time_spec when;
        struct tt_status status = tt_time_spec_parse(options->whens.v[i], &when);
        if (tt_failed(&status)) {
            return tt_status_context(status, "at");
        }
    }
    if (options->tree && options->format != TT_OUTPUT_TEXT) {
        return tt_error(TT_ERR_USAGE, "--tree prints text");
    }
    return options->whens.count > 0
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "at needs an instant, as 1.2s or 40%%");
}

static struct tt_status check_merge(const struct tt_options *options)
{
    const bool is_merged = options->merge || options->logs.count > 0;
    if (!is_merged && options->offsets.count + options->alignments.count > 0) {
        return tt_error(TT_ERR_USAGE, "--align and --offset need --merge or --log");
    }
    if (options->one_system && (!options->merge || options->logs.count > 0)) {
        return tt_error(TT_ERR_USAGE, options->merge ? "--log: not with --one-system"
                                                     : "--one-system needs --merge");
    }
    if (options->logs.count > 0 && !options->merge && options->files.count > 1) {
        return tt_error(TT_ERR_USAGE, "--log: several captures need --merge");
    }
    if (options->logs.count > 0 && options->find != 0) {
        return tt_error(TT_ERR_USAGE, "--log: not with --find");
    }
    if (options->merge && options->follow && options->files.count > 1) {
        return tt_error(TT_ERR_USAGE, "--merge: captures that are followed cannot be merged");
    }
    if (is_merged && options->style) {
        return tt_error(TT_ERR_USAGE, "--style: merged captures have no style of their own");
    }
    return tt_ok();
}

struct tt_status tt_options_check(const struct tt_options *options)
{
    struct tt_status format = check_format(options);
    if (tt_failed(&format)) {
        return format;
    }
    if (options->format == TT_OUTPUT_CHROME_JSON) {
        struct tt_status status = check_chrome_json(options);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (options->command == TT_COMMAND_WHY) {
        struct tt_status status = check_why(options);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (options->command == TT_COMMAND_MEASURE) {
        struct tt_status status = check_measure(options);
        if (tt_failed(&status)) {
            return status;
        }
    }
    struct tt_status jobs = check_jobs(options);
    if (tt_failed(&jobs)) {
        return jobs;
    }
    bool has_column =
        options->merge && options->command == TT_COMMAND_DUMP; /* lines of text have one, too */
    if (options->capture && !has_column && options->format != TT_OUTPUT_CSV &&
        options->format != TT_OUTPUT_JSONL) {
        return tt_error(TT_ERR_USAGE, "--capture needs --format csv or jsonl");
    }
    if (options->find != 0 && options->follow) {
        return tt_error(TT_ERR_USAGE, "--find cannot be used with -f");
    }
    if (options->strict && options->follow) {
        return tt_error(TT_ERR_USAGE, "--strict: a capture that is followed may be damaged later");
    }
    if (options->fail_fast && !options->follow) {
        return tt_error(TT_ERR_USAGE, "--fail-fast needs -f");
    }
    bool one_file = options->command == TT_COMMAND_RENDER ||
                    options->command == TT_COMMAND_EXPORT || options->command == TT_COMMAND_SAVE ||
                    options->command == TT_COMMAND_REPORT;
    struct tt_status merge = check_merge(options);
    if (tt_failed(&merge)) {
        return merge;
    }
    if (one_file && options->files.count > 1 && !options->merge) {
        return unexpected(
            options->command == TT_COMMAND_RENDER   ? "render accepts one file, unexpected"
            : options->command == TT_COMMAND_EXPORT ? "export accepts one file, unexpected"
            : options->command == TT_COMMAND_REPORT ? "report accepts one file, unexpected"
                                                    : "save accepts one file, unexpected",
            options->files.v[1]);
    }
    if (options->command != TT_COMMAND_STATS && options->command != TT_COMMAND_CHECK &&
        options->command != TT_COMMAND_DIFF && options->command != TT_COMMAND_SQL &&
        options->format == TT_OUTPUT_TABLE) {
        return tt_error(TT_ERR_USAGE, "--format: table works only with stats, diff, check and sql");
    }
    if (options->command == TT_COMMAND_DIFF && options->files.count > 2) {
        return unexpected("diff compares two files, unexpected", options->files.v[2]);
    }
    if (options->save_baseline &&
        (options->follow || options->filter || options->threads.count > 0 || options->cpus.given ||
         options->output || options->deadlines)) {
        return tt_error(TT_ERR_USAGE, "--save-baseline cannot be used with -f, -o, --filter, "
                                      "--thread, --cpu and --deadline");
    }
    if (options->save_baseline && options->files.count > 1) {
        return unexpected("--save-baseline saves one file, unexpected", options->files.v[1]);
    }
    if (options->command == TT_COMMAND_DIFF &&
        (options->alpha == 0 || options->alpha > ALPHA_MOST)) {
        return tt_error(TT_ERR_USAGE, "--alpha is more than 0 and at most 0.5");
    }
    if (options->command == TT_COMMAND_STATS && options_check_table_of(options) == &tt_table_cpus &&
        options->threads.count > 0) {
        return tt_error(TT_ERR_USAGE, "--thread cannot be used with --by cpu");
    }
    if (options->command == TT_COMMAND_STATS && options->cpus.given &&
        (options_check_table_of(options) == &tt_table_blame ||
         options_check_table_of(options) == &tt_table_inversions)) {
        return tt_error(TT_ERR_USAGE, "--cpu cannot be used with --by blame and --by inversion");
    }
    if (!options->follow && options->command != TT_COMMAND_SQL &&
        (options->until || options->timeout_ms || options->interval_ms)) {
        return tt_error(TT_ERR_USAGE, "--until, --timeout and --interval need -f");
    }
    if (options->blobs && (options->files.count > 1 || options->follow || options->messages ||
                           options->jobs || options->style || options->format != TT_OUTPUT_TEXT)) {
        return tt_error(TT_ERR_USAGE, "--blobs takes one file, and cannot be used with --format, "
                                      "-f, --messages, --jobs and --style");
    }
    if (options->conditions.count > 0 &&
        (options->by != 0 || options->follow || options->filter || options->save_baseline ||
         options->job_ends || options->deadlines)) {
        return tt_error(TT_ERR_USAGE, "--condition cannot be used with --by, -f, --filter, "
                                      "--save-baseline, --job-ends and --deadline");
    }
    if (options->command == TT_COMMAND_STATS && options_check_table_of(options)->next &&
        !options->save_baseline) {
        return tt_error(TT_ERR_USAGE, "--by %s: stats prints sums; sql and diff read single rows",
                        options_check_table_of(options)->name);
    }
    if (options->command == TT_COMMAND_STATS && options->number && options->conditions.count == 0) {
        return tt_error(TT_ERR_USAGE, "-n needs --condition");
    }
    if (options->conditions.count > 0 && options->number > PARTS_MOST) {
        return tt_error(TT_ERR_USAGE, "-n: at most %u parts", PARTS_MOST);
    }
    if (options->follow && options->files.count > 1) {
        return unexpected("-f follows one file, unexpected", options->files.v[1]);
    }
    if (options->follow && options->command == TT_COMMAND_DUMP &&
        (options->style || options->threads.count > 0 || options->from.kind != TT_TIME_SPEC_NONE ||
         options->to.kind != TT_TIME_SPEC_NONE)) {
        return tt_error(TT_ERR_USAGE, "--style, --thread, --from and --to cannot be used with dump "
                                      "-f; use --filter");
    }
    if (options->command == TT_COMMAND_STATS && options_check_table_of(options)->of_messages &&
        (options->follow || options->cpus.given)) {
        return tt_error(TT_ERR_USAGE,
                        "--by message, server, client, channel, single, imposed, matrix and "
                        "object cannot be used with -f and --cpu");
    }
    if (options->messages && (options->follow || options->style || options->jobs ||
                              options->definitions || options->cpus.given)) {
        return tt_error(TT_ERR_USAGE, "--messages cannot be used with -f, --style, --jobs, "
                                      "--definitions and --cpu");
    }
    if (options->style && (options->format != TT_OUTPUT_TEXT || options->resolve)) {
        return tt_error(TT_ERR_USAGE, "--style cannot be used with --format and --resolve");
    }
    return tt_ok();
}
