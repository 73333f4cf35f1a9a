/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

#define WORDS(...) ((char *[]){"tracetui", __VA_ARGS__, NULL})

/* Standard input is no data, whatever the tests run in. */
static void close_input(void)
{
    cr_assert(freopen("/dev/null", "r", stdin));
}

TestSuite(options, .init = close_input);

static struct tt_status parse(char **argv, struct tt_options *options)
{
    int argc = 0;
    while (argv[argc]) {
        argc++;
    }
    return tt_options_parse(argc, argv, options);
}

static void refuse(char **argv, const char *part)
{
    struct tt_options options;
    struct tt_status status = parse(argv, &options);
    cr_assert_eq(status.code, TT_ERR_USAGE, "%s was taken", argv[1]);
    cr_assert(strstr(status.text, part), "'%s' has no '%s'", status.text, part);
}

Test(options, a_file_alone_is_opened)
{
    struct tt_options o;
    struct tt_status status = parse(WORDS("a.kev", "b.kev"), &o);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(o.command, TT_COMMAND_OPEN);
    cr_assert_eq(o.files.count, 2);
    cr_assert_str_eq(o.files.v[1], "b.kev");
    tt_options_free(&o);
}

Test(options, words_in_any_order)
{
    struct tt_options o;
    struct tt_status status = parse(WORDS("--format=csv", "dump", "-", "--from", "1ms", "-oX",
                                          "--thread", "a/1", "--thread=b", "--cpu", "0,62-65"),
                                    &o);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_eq(o.command, TT_COMMAND_DUMP);
    cr_assert_eq(o.format, TT_OUTPUT_CSV);
    cr_assert_eq(o.files.count, 1);
    cr_assert_str_eq(o.files.v[0], "-");
    cr_assert_eq(o.from.value, 1000000);
    cr_assert_eq(o.to.kind, TT_TIME_SPEC_NONE);
    cr_assert_str_eq(o.output, "X");
    cr_assert_eq(o.threads.count, 2);
    cr_assert_str_eq(o.threads.v[1], "b");
    cr_assert(o.cpus.given);
    cr_assert_eq(o.cpus.bits[0], 1 | UINT64_C(3) << 62);
    cr_assert_eq(o.cpus.bits[1], 3);
    tt_options_free(&o);
}

Test(options, two_dashes_end_the_options)
{
    struct tt_options o;
    struct tt_status status = parse(WORDS("info", "--", "--format", "dump"), &o);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(o.command, TT_COMMAND_INFO_);
    cr_assert_eq(o.files.count, 2);
    cr_assert_str_eq(o.files.v[0], "--format");
    tt_options_free(&o);
}

Test(options, numbers_with_letters)
{
    struct tt_options o;
    struct tt_status status =
        parse(WORDS("info", "--clock", "24M", "--spool-limit", "2K", "x"), &o);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(o.clock_hz, 24000000);
    cr_assert_eq(o.spool_limit, 2048);
    tt_options_free(&o);
    status = parse(WORDS("dump", "--cache-limit", "500M", "--no-cache", "x"), &o);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(o.cache_limit, UINT64_C(500) << 20);
    cr_assert(o.no_cache);
    tt_options_free(&o);
}

Test(options, render_takes_a_view_and_a_size)
{
    struct tt_options o;
    struct tt_status status =
        parse(WORDS("render", "events", "--size", "120x40", "--ascii", "--keys", "", "x"), &o);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_str_eq(o.view, "events");
    cr_assert_eq(o.files.count, 1);
    cr_assert_str_eq(o.files.v[0], "x");
    cr_assert_eq(o.size.columns, 120);
    cr_assert_eq(o.size.rows, 40);
    cr_assert(o.ascii);
    tt_options_free(&o);
}

Test(options, color_needs_no_mode)
{
    struct tt_options o;
    struct tt_status status = parse(WORDS("dump", "--color", "Makefile"), &o);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_eq(o.color, TT_COLOR_ALWAYS);
    cr_assert_str_eq(o.files.v[0], "Makefile");
    tt_options_free(&o);
    status = parse(WORDS("--color", "dump", "x"), &o);
    cr_assert_eq(o.command, TT_COMMAND_DUMP);
    cr_assert_eq(o.color, TT_COLOR_ALWAYS);
    tt_options_free(&o);
    status = parse(WORDS("dump", "--color", "never", "x", "--color"), &o);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_eq(o.color, TT_COLOR_ALWAYS);
    tt_options_free(&o);
    status = parse(WORDS("dump", "x", "--color", "never"), &o);
    cr_assert_eq(o.color, TT_COLOR_NEVER);
    tt_options_free(&o);
    refuse(WORDS("dump", "--color=x", "y"), "'x' is not one of auto, always, never, 16, 256");
    refuse(WORDS("dump", "--color", "purple", "y"),
           "'purple' is not one of auto, always, never, 16, 256");
    refuse(WORDS("info", "--color", "--", "y"), "--color cannot be used with info");
}

Test(options, bad_words_are_named)
{
    refuse(WORDS("--nonsense", "x"), "--nonsense");
    refuse(WORDS("-q", "x"), "-q");
    refuse(WORDS("-x", "x"), "-x");
    refuse(WORDS("info", "--size", "80x24", "x"), "--size");
    refuse(WORDS("dump", "--format"), "--format");
    refuse(WORDS("dump", "--format", "xml", "x"), "text, csv, jsonl");
    refuse(WORDS("info", "--format", "csv", "x"), "csv");
    refuse(WORDS("info", "--style", "traceprinter", "x"), "--style");
    refuse(WORDS("--format", "csv", "x"), "--format");
    refuse(WORDS("dump", "--style", "a", "--format", "csv", "x"), "--style");
    refuse(WORDS("dump", "--ascii=yes", "x"), "--ascii");
    refuse(WORDS("dump", "--from", "1.5", "x"), "--from");
    refuse(WORDS("dump", "--cpu", "3-1", "x"), "--cpu");
    refuse(WORDS("dump", "--cpu", "1024", "x"), "--cpu");
    refuse(WORDS("dump", "--cpu", "1,", "x"), "--cpu");
    refuse(WORDS("dump", "--clock", "0", "x"), "--clock");
    refuse(WORDS("dump", "--clock", "99999999999G", "x"), "--clock");
    refuse(WORDS("dump", "--output=", "x"), "--output");
    refuse(WORDS("render", "events", "--size", "80", "x"), "--size");
    refuse(WORDS("render", "events", "--size", "0x24", "x"), "--size");
    refuse(WORDS("render", "events"), "no FILE");
    refuse(WORDS("render", "events", "a", "b"), "'b'");
    refuse(WORDS("dump"), "no FILE");
}

Test(options, a_pipe_on_standard_input_is_the_file)
{
    int ends[2];
    struct tt_options o;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(parse(WORDS("dump"), &o).code, TT_OK);
    cr_assert_eq(o.files.count, 1);
    cr_assert_str_eq(o.files.v[0], "-");
    tt_options_free(&o);
    cr_assert_eq(parse(WORDS("dump", "x"), &o).code, TT_OK);
    cr_assert_eq(o.files.count, 1);
    cr_assert_str_eq(o.files.v[0], "x");
    tt_options_free(&o);
    close(ends[0]);
    close(ends[1]);
}

Test(options, help_needs_no_file)
{
    struct tt_options o;
    struct tt_status status = parse(WORDS("dump", "-h"), &o);
    cr_assert_eq(status.code, TT_OK);
    cr_assert(o.help);
    cr_assert_eq(o.command, TT_COMMAND_DUMP);
    tt_options_free(&o);
}

Test(options, help_has_every_option_and_fits)
{
    char buffer[16384]; /* as of the command */
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_options_help(&text, TT_COMMAND_OPEN);
    const char *help = tt_text_cstr(&text);
    cr_assert_not(text.truncated);
    for (unsigned i = 0; tt_option_at(i); i++) {
        char name[40];
        snprintf(name, sizeof name, "--%s", tt_option_at(i)->name);
        cr_assert(strstr(help, name), "%s is not there", name);
    }
    for (const char *line = help; *line; line = strchr(line, '\n') + 1) {
        cr_assert_leq(strchr(line, '\n') - line, 80, "too long: %.90s", line);
    }
}

Test(options, help_of_a_command_has_its_own_only)
{
    char buffer[8192];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_options_help(&text, TT_COMMAND_INFO_);
    const char *help = tt_text_cstr(&text);
    cr_assert(strstr(help, "--format"));
    cr_assert_not(strstr(help, "--style"));
    cr_assert_not(strstr(help, "render"));
}
