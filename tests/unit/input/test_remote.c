/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of another machine while it arrives. The remote shell is a script that answers, sends three bytes and
 * holds the rest until it is ended.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"
#include "base/clock.h"
#include "input/remote.h"
#include "input/spool.h"

#define PATIENCE_MS 60000u

static char script[] = "/tmp/tracetui-rsh-XXXXXX";

static void write_script(void)
{
    static const char text[] =
        "#!/bin/sh\necho tracetui-remote-1 plain 1 1000\nprintf abc\nexec sleep 1000\n";
    int fd = mkstemp(script);
    cr_assert(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
    cr_assert_eq(fchmod(fd, 0700), 0);
    close(fd);
}

static void remove_script(void)
{
    unlink(script);
}

TestSuite(remote, .init = write_script, .fini = remove_script, ALONE);

static void nap(long ms)
{
    const struct timespec pause = {0, ms * 1000000};
    nanosleep(&pause, NULL);
}

static struct tt_spool *start(const struct tt_remote_options *options, bool follow)
{
    struct tt_source source;
    struct tt_spool *spool = NULL;
    struct tt_status status = tt_remote_source("far:/file", options, follow, &source);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_spool_start(&source, 0, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return spool;
}

static void await(struct tt_spool *spool, uint64_t bytes)
{
    const struct tt_spool_enough enough = {.bytes = bytes};
    tt_spool_wait(spool, &enough, PATIENCE_MS, NULL, NULL);
}

/* It is connected as soon as the host has answered, with the size of the file. */
Test(remote, the_state_while_the_rest_arrives)
{
    const struct tt_remote_options options = {.shell = script};
    struct tt_spool *spool = start(&options, false);
    tt_spool_wait_connected(spool, 3, 1, NULL, NULL);
    struct tt_arrival arrival = tt_spool_arrival(spool);
    cr_expect(arrival.connected && arrival.total == 1000);
    cr_expect_str_eq(arrival.host, "far");
    for (uint64_t end = tt_now_ms() + PATIENCE_MS; tt_spool_arrival(spool).read < 3;) {
        cr_assert_lt(tt_now_ms(), end);
        nap(1);
    }
    tt_spool_release(spool);
}

/* A wait for bytes that do not come ends with the cancel, which is the result. */
Test(remote, a_cancel_ends_the_transfer)
{
    const struct tt_remote_options options = {.shell = script};
    struct tt_spool *spool = start(&options, false);
    tt_spool_wait_connected(spool, 3, 1, NULL, NULL);
    cr_expect_not(tt_spool_ended(spool));
    tt_spool_cancel(spool);
    await(spool, 5);
    cr_expect(tt_spool_ended(spool));
    cr_expect_eq(tt_spool_arrival(spool).status.code, TT_ERR_CANCELLED);
    tt_spool_release(spool);
}

static bool refuse(void *arg, const struct tt_arrival *arrival)
{
    atomic_fetch_add((_Atomic unsigned *)arg, !arrival->last);
    return false;
}

/* A watch is called before the host has answered, so that a connection that hangs can be cancelled. */
Test(remote, a_watch_cancels_a_connection_that_hangs)
{
    _Atomic unsigned calls = 0;
    const struct tt_map_watch watch = {refuse, &calls};
    char sleeper[] = "/tmp/tracetui-rsh-XXXXXX";
    const struct tt_remote_options hangs = {.shell = sleeper};
    static const char text[] = "#!/bin/sh\nexec sleep 1000\n";
    int fd = mkstemp(sleeper);
    cr_assert(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
    cr_assert_eq(fchmod(fd, 0700), 0);
    close(fd);
    struct tt_spool *spool = start(&hangs, true);
    tt_spool_wait_connected(spool, 3, 1, &watch, "far:/file");
    cr_expect_eq(atomic_load(&calls), 1);
    cr_expect_eq(tt_spool_arrival(spool).status.code, TT_ERR_CANCELLED);
    tt_spool_release(spool);
    unlink(sleeper);
}
