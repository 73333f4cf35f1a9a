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
#include "base/remote.h"

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

static bool count(void *arg, const struct tt_remote_progress *progress)
{
    atomic_fetch_add((_Atomic unsigned *)arg, !progress->ended);
    return true;
}

static void nap(long ms)
{
    const struct timespec pause = {0, ms * 1000000};
    nanosleep(&pause, NULL);
}

/* The progress ends with the opening, and closing ends the transfer. */
Test(remote, no_progress_while_the_rest_arrives)
{
    _Atomic unsigned calls = 0;
    const struct tt_remote_options options = {.shell = script, .progress = count, .arg = &calls};
    struct tt_growing_spool *spool;
    struct tt_remote *remote;
    uint64_t end = tt_now_ms() + PATIENCE_MS;
    struct tt_status status = tt_remote_arrive("far:/file", &options, 0, &spool, &remote);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_growing_spool_wait(spool, 3, NULL);
    cr_assert_eq(tt_growing_spool_size(spool), 3);
    struct tt_copy_progress arrived = tt_growing_spool_progress(spool);
    cr_expect(arrived.bytes == 3 && arrived.read == 3 && arrived.total == 1000);
    while (atomic_load(&calls) == 0) {
        cr_assert_lt(tt_now_ms(), end);
        nap(1);
    }
    tt_remote_opened(remote);
    unsigned before = atomic_load(&calls);
    nap(500);
    cr_expect_eq(atomic_load(&calls), before);
    tt_growing_spool_free(spool);
}

/* A wait for bytes that do not come ends with the cancel, which is the result. */
Test(remote, a_cancel_ends_the_transfer)
{
    const struct tt_remote_options options = {.shell = script};
    struct tt_growing_spool *spool;
    struct tt_remote *remote;
    struct tt_damage damage;
    struct tt_status status = tt_remote_arrive("far:/file", &options, 0, &spool, &remote);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_growing_spool_wait(spool, 3, NULL);
    cr_expect_not(tt_growing_spool_ended(spool, &status, &damage));
    tt_growing_spool_cancel(spool);
    tt_growing_spool_wait(spool, 4, NULL);
    cr_expect(tt_growing_spool_ended(spool, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    tt_growing_spool_free(spool);
}
