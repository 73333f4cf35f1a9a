/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files on other machines, and the commands that read them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/child_process.h"
#include "input/remote_name.h"
#include "tracetui/remote.h"

Test(remote_name, a_host_comes_before_the_first_colon)
{
    static const struct {
        const char *path, *host, *rest; /* host NULL: local, "": refused */
    } cases[] = {
        {"a.kev", NULL, NULL},       {"./a:b", NULL, NULL},
        {"/tmp/a:b", NULL, NULL},    {":/x", NULL, NULL},
        {"-", NULL, NULL},           {"[::1]/x:y", NULL, NULL},
        {"board:/x", "board", "/x"}, {"board:x:y", "board", "x:y"},
        {"board:~/x", "board", "x"}, {"me@board:x", "me@board", "x"},
        {"[::1]:/x", "::1", "/x"},   {"me@[fe80::1%eth0]:/x", "me@fe80::1%eth0", "/x"},
        {"-x:/y", "", NULL},         {"[-x]:/y", "", NULL},
        {"a b:/y", "", NULL},        {"a\nb:/y", "", NULL},
        {"a;b:/y", "", NULL},        {"\xc3\xa4:/y", "", NULL},
        {"[]:/y", "", NULL},         {"board:", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_remote_name name;
        const char *path = cases[i].path;
        cr_assert_eq(tt_remote_has_host(path), cases[i].host != NULL, "%s", path);
        if (!cases[i].host) {
            continue;
        }
        struct tt_status status = tt_remote_split(path, &name);
        cr_assert_eq(tt_failed(&status), cases[i].host[0] == '\0', "%s: %s", path, status.text);
        if (!tt_failed(&status)) {
            cr_assert_str_eq(name.host, cases[i].host);
            cr_assert_str_eq(name.path, cases[i].rest);
        }
    }
    char longest[400];
    struct tt_remote_name name;
    snprintf(longest, sizeof longest, "%0300d:x", 0);
    struct tt_status status = tt_remote_split(longest, &name);
    cr_assert(tt_failed(&status));
}

Test(remote_name, the_command_ends_with_an_encoded_path)
{
    char buffer[8192];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_remote_command(&text, "/tmp/run-1.kev", 0, false);
    const char *command = tt_text_cstr(&text);
    cr_assert(strstr(command, "' tracetui whole 1 0 '/tmp/run-1.kev'"));
    text.used = 0;
    tt_remote_command(&text, "a'b\n\xff$", 41, true);
    command = tt_text_cstr(&text);
    cr_assert(strstr(command, "' tracetui follow 42 1 'a\\0047b\\0012\\0377\\0044'"), "%s",
              command);
}

Test(remote_name, words_are_separated_by_blanks_outside_quotes)
{
    char *words[4];
    char text[] = "  ssh -p\t22 'a b'\"c d\"  ";
    cr_assert_eq(tt_remote_words(text, words, 4), 4);
    cr_assert_str_eq(words[0], "ssh");
    cr_assert_str_eq(words[2], "22");
    cr_assert_str_eq(words[3], "a bc d");
    char many[] = "a b c d e", open[] = "a 'b", none[] = " \t", empty[] = "a '' b";
    cr_assert_eq(tt_remote_words(many, words, 4), 0);
    cr_assert_eq(tt_remote_words(open, words, 4), 0);
    cr_assert_eq(tt_remote_words(none, words, 4), 0);
    cr_assert_eq(tt_remote_words(empty, words, 4), 3);
    cr_assert_str_eq(words[1], "");
    cr_assert(tt_remote_is_ssh("/usr/bin/ssh") && tt_remote_is_ssh("ssh"));
    cr_assert(!tt_remote_is_ssh("sshpass") && !tt_remote_is_ssh("/ssh/rsh"));
}

/* Starts a script; waits for its first line, if it prints one. */
static struct tt_child start_script(const char *script, bool prints, bool detached)
{
    struct tt_child child;
    char byte;
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    struct tt_status status = tt_child_start(&child, argv, detached);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_eq(read(child.out, &byte, 1), prints ? 1 : 0);
    return child;
}

Test(child_process, the_status_of_the_end_is_returned)
{
    static const struct {
        const char *script;
        int status;
        unsigned grace_ms;
        bool prints;
    } cases[] = {
        {"exit 3", 3, 60000, false},
        {"kill -9 $$", 128 + 9, 60000, false},
        {"echo; exec sleep 1000", 128 + 15, 0, true},
        {"trap '' TERM; echo; while :; do sleep 1; done", 128 + 9, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_child child = start_script(cases[i].script, cases[i].prints, i % 2 == 0);
        cr_assert_eq(tt_child_end(&child, cases[i].grace_ms), cases[i].status, "%s",
                     cases[i].script);
        cr_assert_eq(child.pid, 0);
    }
    struct tt_child none;
    char *missing[] = {"/no/such/program", NULL};
    struct tt_status status = tt_child_start(&none, missing, false);
    cr_assert_eq(status.code, TT_ERR_USAGE);
    cr_assert_eq(tt_child_end(&none, 0), -1);
}
