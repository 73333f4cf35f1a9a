/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and progress of captures on other machines, before and after the screen is on. */
#include <criterion/criterion.h>
#include <string.h>

#include "tui/model/remote_files.h"

struct calls {
    int messages, reports, wakes;
};

static struct calls calls;

static void count_message(void *arg, const char *host, const char *line)
{
    cr_assert_eq(arg, &calls);
    cr_assert_str_eq(host, "board");
    cr_assert_str_eq(line, "hello");
    calls.messages++;
}

static bool count_report(void *arg, const struct tt_remote_progress *progress)
{
    cr_assert_eq(arg, &calls);
    cr_assert_eq(progress->bytes, 5);
    calls.reports++;
    return false;
}

static void count_wake(void *arg)
{
    (void)arg;
    calls.wakes++;
}

Test(tui_remote_files, messages_go_to_the_screen_once_it_is_on)
{
    static struct tt_remote_files files;
    char note[TT_STATUS_TEXT];
    const struct tt_remote_options outer = {
        .shell = "rsh -n", .message = count_message, .progress = count_report, .arg = &calls};
    const struct tt_remote_progress progress = {.host = "board", .bytes = 5};
    tt_remote_files_init(&files, &outer, count_wake);
    const struct tt_remote_options *options = tt_remote_files_options(&files);
    cr_assert_str_eq(options->shell, "rsh -n");
    options->message(options->arg, "board", "hello");
    cr_assert(!options->progress(options->arg, &progress));
    cr_assert(calls.messages == 1 && calls.reports == 1 && calls.wakes == 0);
    cr_assert(!tt_remote_files_take(&files, note));

    tt_remote_files_use_screen(&files);
    cr_assert(options->quiet);
    options->message(options->arg, "board", "lost");
    options->message(options->arg, "board", "connected again");
    cr_assert(calls.messages == 1 && calls.wakes == 2);
    cr_assert(tt_remote_files_take(&files, note));
    cr_assert_str_eq(note, "board: connected again");
    cr_assert(!tt_remote_files_take(&files, note));
    const struct tt_remote_progress end = {.host = "board", .ended = true};
    cr_assert(options->progress(options->arg, &end));
    cr_assert_eq(calls.reports, 1);

    char longest[TT_REMOTE_SHELL_BYTES + 1];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    struct tt_status status = tt_remote_files_set_shell(&files, longest);
    cr_assert(tt_failed(&status));
    status = tt_remote_files_set_shell(&files, "ssh -p 2");
    cr_assert(!tt_failed(&status));
    cr_assert_str_eq(options->shell, "ssh -p 2");
    tt_remote_files_free(&files);
    tt_remote_files_init(&files, NULL, NULL);
    cr_assert_null(tt_remote_files_options(&files));
    tt_remote_files_free(&files);
}
