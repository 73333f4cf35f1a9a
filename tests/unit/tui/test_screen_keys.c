/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of terminals other than TERM says, and terminals without a description, on a pseudo terminal. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "tui/term/screen.h"

static struct tt_screen *screen;
static int master;

static struct tt_status open_on(const char *term)
{
    const struct tt_screen_options options = {.colors = true};
    master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    cr_assert(slave >= 0 && dup2(slave, STDIN_FILENO) >= 0 && dup2(slave, STDOUT_FILENO) >= 0);
    cr_assert_eq(setenv("TERM", term, 1), 0);
    return tt_screen_open(&options, &screen);
}

/* Returns the key of a sequence; it arrives whole. */
static uint32_t key_of(const char *sequence)
{
    uint32_t key = TT_KEY_NONE;
    cr_assert_eq(write(master, sequence, strlen(sequence)), (ssize_t)strlen(sequence));
    for (unsigned i = 0; i < 1000 && key == TT_KEY_NONE; i++) {
        struct pollfd input = {.fd = tt_screen_fd(screen), .events = POLLIN};
        poll(&input, 1, 10);
        key = tt_screen_key(screen);
    }
    return key;
}

static const struct {
    const char *sequence;
    uint32_t key;
} usual[] = {
    {"\033[1~", TT_KEY_HOME},    {"\033[4~", TT_KEY_END},       {"\033[7~", TT_KEY_HOME},
    {"\033[8~", TT_KEY_END},     {"\033[H", TT_KEY_HOME},       {"\033[F", TT_KEY_END},
    {"\033OH", TT_KEY_HOME},     {"\033OF", TT_KEY_END},        {"\033[3~", TT_KEY_DELETE},
    {"\033[5~", TT_KEY_PAGE_UP}, {"\033[6~", TT_KEY_PAGE_DOWN},
};

static void check_usual_keys(const char *term)
{
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        cr_expect_eq(key_of(usual[i].sequence), usual[i].key, "%s: ESC %s", term,
                     usual[i].sequence + 1);
    }
    cr_expect_eq(key_of("j"), 'j');
}

static void check_terminal(const char *term)
{
    struct tt_status status = open_on(term);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_expect_null(tt_screen_undescribed(screen));
    check_usual_keys(term);
    tt_screen_close(screen);
}

TestSuite(screen_keys, ALONE);

Test(screen_keys, of_putty_in_xterm)
{
    check_terminal("xterm-256color");
}

Test(screen_keys, of_putty_in_vt100)
{
    check_terminal("vt100");
}

Test(screen_keys, of_a_terminal_without_a_description)
{
    struct tt_status status = open_on("xterm-no-such");
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_expect_str_eq(tt_screen_undescribed(screen), "xterm-no-such");
    cr_expect_gt(tt_screen_colors(screen), 8);
    check_usual_keys("xterm-no-such");
    tt_screen_close(screen);
}

Test(screen_keys, not_of_an_unknown_terminal)
{
    struct tt_status status = open_on("no-such-terminal");
    cr_expect(tt_failed(&status));
    cr_expect_not_null(strstr(status.text, "TERM=no-such-terminal"));
}
