/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipe_spool: a thread that polls the descriptor of a followed pipe is woken by each arrival and
 * by the end.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/pipe_spool.h"

#define LONG_MS 20000 /* never waited for unless the wake-up is missing */

static bool is_woken(const struct tt_pipe_spool *spool)
{
    struct pollfd one = {.fd = tt_pipe_spool_wake_fd(spool), .events = POLLIN};
    return poll(&one, 1, LONG_MS) == 1 && (one.revents & POLLIN);
}

static struct tt_pipe_spool *start(int *to)
{
    int ends[2];
    struct tt_pipe_spool *spool = NULL;
    cr_assert_eq(pipe(ends), 0);
    *to = ends[1];
    struct tt_status status = tt_pipe_spool_start(ends[0], 0, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return spool;
}

Test(pipe_spool, each_arrival_and_the_end_wake)
{
    int to;
    struct tt_pipe_spool *spool = start(&to);
    struct tt_status status = tt_ok();
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(write(to, "piece", 5), 5);
        cr_assert(is_woken(spool), "piece %d", (int)i);
        tt_wake_drain(tt_pipe_spool_wake_fd(spool));
        cr_expect_eq(tt_pipe_spool_size(spool), 5 * i, "the bytes are there when it wakes");
        cr_expect_not(tt_pipe_spool_ended(spool, &status));
    }
    close(to);
    cr_assert(is_woken(spool), "the end");
    cr_expect(tt_pipe_spool_ended(spool, &status));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    char bytes[16] = "";
    cr_expect_eq(pread(tt_pipe_spool_file(spool), bytes, sizeof bytes, 0), 15);
    cr_expect_eq(memcmp(bytes, "piecepiecepiece", 15), 0);
    tt_pipe_spool_release(spool);
}

/* The end comes at once when nothing was written, and with an error beyond the limit. */
Test(pipe_spool, an_end_without_bytes_wakes)
{
    int to;
    struct tt_status status = tt_ok();
    struct tt_pipe_spool *spool = start(&to);
    close(to);
    cr_assert(is_woken(spool));
    cr_expect(tt_pipe_spool_ended(spool, &status));
    cr_expect_eq(tt_pipe_spool_size(spool), 0);
    tt_pipe_spool_release(spool);
}

/* A holder keeps it; the last release ends the reader, which may be waiting for bytes. */
Test(pipe_spool, the_last_release_ends_the_reader)
{
    int to;
    struct tt_pipe_spool *spool = start(&to);
    tt_pipe_spool_hold(spool);
    tt_pipe_spool_release(spool);
    cr_assert_eq(write(to, "x", 1), 1);
    cr_expect(is_woken(spool));
    tt_pipe_spool_release(spool);
    close(to);
}
