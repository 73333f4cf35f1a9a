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

static bool count_report(void *arg, const struct tt_arrival *arrival)
{
    cr_assert_eq(arg, &calls);
    cr_assert_eq(arrival->bytes, 5);
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
    const struct tt_remote_options outer_remote = {
        .shell = "rsh -n", .message = count_message, .arg = &calls};
    const struct tt_map_watch outer_watch = {count_report, &calls};
    const struct tt_map_options outer = {.remote = &outer_remote, .watch = &outer_watch};
    const struct tt_map_options local = {.watch = &outer_watch};
    const struct tt_arrival arrival = {.host = "board", .bytes = 5};
    struct tt_map_options map = {.follow = true};
    tt_remote_files_init(&files, &outer, count_wake);
    tt_remote_files_use(&files, &map);
    const struct tt_remote_options *options = map.remote;
    cr_assert_str_eq(options->shell, "rsh -n");
    options->message(options->arg, "board", "hello");
    cr_assert(!map.watch->show(map.watch->arg, &arrival));
    cr_assert(calls.messages == 1 && calls.reports == 1 && calls.wakes == 0);
    cr_assert(!tt_remote_files_pop_note(&files, note));

    tt_remote_files_use_screen(&files);
    cr_assert(options->quiet);
    options->message(options->arg, "board", "lost");
    options->message(options->arg, "board", "connected again");
    cr_assert(calls.messages == 1 && calls.wakes == 2);
    cr_assert(tt_remote_files_pop_note(&files, note));
    cr_assert_str_eq(note, "board: connected again");
    cr_assert(!tt_remote_files_pop_note(&files, note));
    const struct tt_arrival end = {.host = "board", .last = true};
    cr_assert(map.watch->show(map.watch->arg, &end));
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
    tt_remote_files_init(&files, &local, NULL);
    tt_remote_files_use(&files, &map);
    cr_assert_null(map.remote);
    tt_remote_files_free(&files);
}
