/* SPDX-License-Identifier: Apache-2.0 */
/* Signals wake the loop: the pipe is readable as soon as one has arrived. */
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>

#include "alone.h"
#include "tui/term/signals.h"

static bool is_readable(void)
{
    struct pollfd fd = {.fd = tt_signals_fd(), .events = POLLIN};
    return poll(&fd, 1, 0) == 1;
}

TestSuite(signals, ALONE);

Test(signals, each_signal_makes_the_pipe_readable_until_it_is_taken)
{
    static const int signals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT};
    struct tt_status status = tt_signals_open();
    cr_assert_not(tt_failed(&status), "%s", status.text);
    tt_signals_catch();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int signal = signals[i];
        cr_assert_not(is_readable());
        cr_assert_eq(raise(signal), 0);
        cr_expect(is_readable(), "signal %d", signal);
        struct tt_signals got = tt_signals_pop();
        cr_expect_eq(got.resize, signal == SIGWINCH, "signal %d", signal);
        cr_expect_eq(got.stop, signal == SIGTSTP, "signal %d", signal);
        cr_expect_eq(got.resume, signal == SIGCONT, "signal %d", signal);
        bool ends = signal == SIGTERM || signal == SIGHUP || signal == SIGINT;
        cr_expect_eq(got.end, ends ? signal : 0, "signal %d", signal);
    }
    tt_signals_wake(NULL);
    cr_expect(is_readable());
    cr_expect_eq(tt_signals_pop().end, 0);
    cr_expect_not(is_readable());
    tt_signals_close();
}

Test(signals, a_size_that_the_parent_ignores_is_taken)
{
    cr_assert_neq(signal(SIGWINCH, SIG_IGN), SIG_ERR);
    cr_assert_neq(signal(SIGHUP, SIG_IGN), SIG_ERR);
    struct tt_status status = tt_signals_open();
    cr_assert_not(tt_failed(&status), "%s", status.text);
    tt_signals_catch();
    cr_assert_eq(raise(SIGWINCH), 0);
    cr_assert_eq(raise(SIGHUP), 0);
    struct tt_signals got = tt_signals_pop();
    cr_expect(got.resize);
    cr_expect_eq(got.end, 0);
    tt_signals_close();
}
