/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: bytes are readable as they arrive and wake those who poll; the end, errors, damage and the limit; files
 * that grow.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "alone.h"
#include "base/wake_pipe.h"
#include "faults/faults.h"
#include "input/spool.h"

#define LONG_MS 20000 /* never waited for unless the wake-up is missing */

static struct tt_spool *start(int *to, uint64_t limit)
{
    int ends[2];
    struct tt_spool *spool = NULL;
    cr_assert_eq(pipe(ends), 0);
    *to = ends[1];
    const struct tt_source source = tt_source_of_fd(ends[0], false);
    struct tt_status status = tt_spool_start(&source, limit, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return spool;
}

static bool has_ended(struct tt_spool *spool, struct tt_status *status, struct tt_damage *damage)
{
    const struct tt_arrival arrival = tt_spool_arrival(spool);
    *status = arrival.status;
    *damage = (struct tt_damage){arrival.damage, arrival.damage_at};
    cr_expect_eq(arrival.more, !arrival.over);
    return arrival.over;
}

static void await(struct tt_spool *spool, uint64_t bytes)
{
    const struct tt_spool_enough enough = {.bytes = bytes};
    tt_spool_wait(spool, &enough, UINT64_MAX, NULL, NULL);
}

Test(spool, each_piece_is_readable_when_it_has_arrived)
{
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start(&to, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(write(to, "piece", 5), 5);
        await(spool, 5 * i);
        cr_expect_eq(tt_spool_size(spool), 5 * i);
        cr_expect_not(has_ended(spool, &status, &damage));
        char bytes[16] = "";
        cr_expect_eq(pread(tt_spool_fd(spool), bytes, sizeof bytes, 0), (ssize_t)(5 * i));
        cr_expect_eq(memcmp(bytes, "piecepiecepiece", 5 * i), 0);
    }
    close(to);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_null(damage.detail);
    tt_spool_release(spool);
}

/* ---- the first bytes ------------------------------------------------------------------------- */

static void *write_in_two(void *arg)
{
    static const uint8_t bytes[1000];
    const int *to = arg;
    const struct timespec nap = {0, 20000000};
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(write(*to, bytes, 500), 500);
        nanosleep(&nap, NULL);
    }
    return NULL;
}

/* Returns how many bytes were there when 1000 of them, or `few` after `ms`, had arrived in two pieces. */
static uint64_t size_after_first(uint64_t few, uint32_t ms)
{
    int to;
    pthread_t writer;
    struct tt_spool *spool = start(&to, 0);
    const struct tt_spool_enough enough = {1000, few, ms};
    cr_assert_eq(pthread_create(&writer, NULL, write_in_two, &to), 0);
    tt_spool_wait(spool, &enough, UINT64_MAX, NULL, NULL);
    uint64_t size = tt_spool_size(spool);
    pthread_join(writer, NULL);
    close(to);
    tt_spool_release(spool);
    return size;
}

Test(spool, few_bytes_are_enough_after_a_time)
{
    int to;
    struct tt_spool *spool = start(&to, 0);
    const struct tt_spool_enough enough = {1000, 5, 1};
    cr_assert_eq(write(to, "piece", 5), 5);
    tt_spool_wait(spool, &enough, UINT64_MAX, NULL, NULL);
    cr_expect_eq(tt_spool_size(spool), 5u);
    cr_expect_geq(tt_spool_arrival(spool).elapsed_ms, 1u);
    close(to);
    tt_spool_release(spool);
    cr_expect_eq(size_after_first(5, 0), 1000u, "not without a time");
    cr_expect_eq(size_after_first(5, 60000), 1000u, "not before the time");
    cr_expect_eq(size_after_first(501, 1), 1000u, "fewer are not enough");
}

/* The first bytes are kept until the compression is known. */
Test(spool, fewer_bytes_than_a_magic_number)
{
    for (size_t size = 0; size < 4; size++) {
        int to;
        struct tt_status status;
        struct tt_damage damage;
        struct tt_spool *spool = start(&to, 0);
        cr_assert_eq(write(to, "\x1f\x8b\x07", size), (ssize_t)size);
        close(to);
        await(spool, UINT64_MAX);
        cr_expect(has_ended(spool, &status, &damage));
        cr_expect_not(tt_failed(&status), "%s", status.text);
        cr_expect_eq(tt_spool_size(spool), size);
        tt_spool_release(spool);
    }
}

Test(spool, freeing_it_ends_a_reader_that_waits)
{
    for (size_t size = 0; size < 6; size += 5) {
        int to;
        struct tt_spool *spool = start(&to, 0);
        cr_assert_eq(write(to, "piece", size), (ssize_t)size);
        await(spool, size);
        tt_spool_release(spool);
        close(to);
    }
}

static uint8_t packed[200000]; /* of a test */

/* Expects a regular end after `size` bytes. */
static void expect_whole(struct tt_spool *spool, uint64_t size)
{
    struct tt_status status;
    struct tt_damage damage;
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_null(damage.detail, "%s", damage.detail);
    cr_expect_eq(tt_spool_size(spool), size);
}

/* Returns a gzip member of many bytes that are all different enough. */
static size_t make_member(uint8_t *out, size_t capacity, size_t plain)
{
    uint8_t *bytes = malloc(plain);
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < plain; i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    z_stream z = {.next_in = bytes, .avail_in = (uInt)plain, .next_out = out};
    z.avail_out = (uInt)capacity;
    cr_assert_eq(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = z.total_out;
    deflateEnd(&z);
    free(bytes);
    return size;
}

/* Compressed bytes are unpacked while the rest is still to come. */
Test(spool, compressed_bytes_are_unpacked_as_they_arrive)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start(&to, 0);
    cr_assert_eq(write(to, packed, size / 2), (ssize_t)(size / 2));
    await(spool, 10000);
    cr_expect_geq(tt_spool_size(spool), 10000u);
    cr_expect_not(has_ended(spool, &status, &damage));
    cr_assert_eq(write(to, packed + size / 2, size - size / 2), (ssize_t)(size - size / 2));
    close(to);
    expect_whole(spool, 400000);
    tt_spool_release(spool);
}

/* ---- a source that is no descriptor ---------------------------------------------------------- */

/* A source whose bytes a test adds, and ends. */
struct feed {
    const uint8_t *bytes;
    size_t done;
    _Atomic size_t size;
    _Atomic bool over;
    _Atomic unsigned ends;
    struct tt_status result;
};

static struct tt_status read_feed(void *arg, int stop, uint8_t *buffer, size_t size, size_t *length)
{
    struct feed *f = arg;
    struct pollfd fd = {.fd = stop, .events = POLLIN};
    for (;;) {
        bool over = atomic_load(&f->over);
        size_t left = atomic_load(&f->size) - f->done;
        *length = left < size ? left : size;
        memcpy(buffer, f->bytes + f->done, *length);
        f->done += *length;
        if (*length > 0 || over) {
            return *length > 0 ? tt_ok() : f->result;
        }
        if (poll(&fd, 1, 1) > 0) {
            return tt_error(TT_ERR_CANCELLED, "cancelled");
        }
    }
}

static void describe_feed(void *arg, struct tt_arrival *arrival)
{
    (void)arg;
    arrival->total = 1000000;
    arrival->host = "far";
}

static void end_feed(void *arg)
{
    struct feed *f = arg;
    atomic_fetch_add(&f->ends, 1);
}

static void close_feed(void *arg)
{
    end_feed(arg);
}

static struct tt_spool *start_packed(struct feed *f)
{
    const struct tt_source source = {
        .intake = {f, read_feed}, .describe = describe_feed, .end = end_feed, .close = close_feed};
    struct tt_spool *spool = NULL;
    struct tt_status status = tt_spool_start(&source, 0, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return spool;
}

Test(spool, bytes_of_a_source_are_unpacked_as_they_arrive)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start_packed(&f);
    await(spool, 10000);
    cr_expect_geq(tt_spool_size(spool), 10000u);
    cr_expect_not(has_ended(spool, &status, &damage));
    struct tt_arrival half = tt_spool_arrival(spool);
    cr_expect(half.read == size / 2 && half.total == 1000000 && half.bytes >= 10000);
    atomic_store(&f.size, size);
    atomic_store(&f.over, true);
    expect_whole(spool, 400000);
    tt_spool_release(spool);
    cr_expect_eq(atomic_load(&f.ends), 2, "a spool ends its source, and closes it");
}

Test(spool, damage_ends_the_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 50000);
    packed[size - 6] ^= 1;
    struct feed f = {.bytes = packed, .size = size, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start_packed(&f);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_assert_not_null(damage.detail);
    cr_expect_str_eq(damage.detail, "incorrect data check");
    cr_expect_eq(atomic_load(&f.ends), 1, "before the spool is released");
    tt_spool_release(spool);
}

Test(spool, the_error_of_a_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_error(TT_ERR_IO, "lost")};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start_packed(&f);
    await(spool, 10000);
    atomic_store(&f.over, true);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_str_eq(status.text, "lost");
    tt_spool_release(spool);
}

Test(spool, a_cancel_ends_the_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start_packed(&f);
    tt_spool_cancel(spool);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    tt_spool_release(spool);
}

/* ---- damage, limits, errors ------------------------------------------------------------------ */

/* The bytes after the damage are read: the writer gets no signal. */
Test(spool, the_rest_of_a_damaged_pipe_is_read, ALONE)
{
    static uint8_t rest[300000];
    size_t size = make_member(packed, sizeof packed, 50000);
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start(&to, 0);
    packed[size - 6] ^= 1; /* of the sum and the length */
    memset(rest, 'x', sizeof rest);
    signal(SIGPIPE, SIG_DFL);
    cr_assert_eq(write(to, packed, size), (ssize_t)size);
    cr_assert_eq(write(to, rest, sizeof rest), (ssize_t)sizeof rest);
    close(to);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_assert_not_null(damage.detail);
    cr_expect_str_eq(damage.detail, "incorrect data check");
    cr_expect_eq(damage.offset, size - 8);
    cr_expect_eq(tt_spool_size(spool), 50000u);
    tt_spool_release(spool);
}

Test(spool, damage_before_any_byte_is_an_error)
{
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = start(&to, 0);
    cr_assert_eq(write(to, "\x1f\x8b\x08\xffnothing", 11), 11);
    close(to);
    await(spool, UINT64_MAX);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_FORMAT);
    cr_expect_eq(strncmp(status.text, "damaged container: ", 19), 0, "%s", status.text);
    tt_spool_release(spool);
}

/* Also of input that would never yield a byte: skippable frames of zstd. */
Test(spool, the_limit)
{
    static const char *const pieces[] = {"0123456789", "\x50\x2a\x4d\x18\x02\0\0\0xx"};
    for (size_t i = 0; i < 2; i++) {
        int to;
        struct tt_status status;
        struct tt_damage damage;
        struct tt_spool *spool = start(&to, 25);
        for (int n = 0; n < 3; n++) {
            cr_assert_eq(write(to, pieces[i], 10), 10);
        }
        await(spool, UINT64_MAX);
        cr_expect(has_ended(spool, &status, &damage));
        cr_expect_eq(status.code, TT_ERR_IO);
        cr_expect_str_eq(status.text, "unpacked: spool limit of 25 bytes exceeded");
        close(to);
        tt_spool_release(spool);
    }
}

Test(spool, a_read_error)
{
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = NULL;
    int fd = open("/dev/null", O_WRONLY); /* as descriptors are that were closed at the start */
    const struct tt_source source = tt_source_of_fd(fd, false);
    status = tt_spool_start(&source, 0, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    await(spool, 1);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_str_eq(status.text, "read: Bad file descriptor");
    tt_spool_release(spool);
}

/* Without a thread everything is copied at the start. */
Test(spool, where_no_thread_can_be_started)
{
    const struct fault none = {.call = FAULT_THREAD, .nth = 1, .error = EAGAIN};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool *spool = NULL;
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "piece", 5), 5);
    close(ends[1]);
    const struct tt_source source = tt_source_of_fd(ends[0], false);
    faults_arm(&none);
    status = tt_spool_start(&source, 0, &spool);
    faults_disarm();
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_expect(has_ended(spool, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_eq(tt_spool_size(spool), 5u);
    tt_spool_release(spool);
}

/* A source that may never end is not copied without one. */
Test(spool, an_endless_source_needs_a_thread)
{
    const struct fault none = {.call = FAULT_THREAD, .nth = 1, .error = EAGAIN};
    struct tt_spool *spool = NULL;
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    const struct tt_source source = tt_source_of_fd(ends[0], true);
    faults_arm(&none);
    struct tt_status status = tt_spool_start(&source, 0, &spool);
    faults_disarm();
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_null(spool);
    close(ends[1]);
}

/* ---- waking ---------------------------------------------------------------------------------- */

static bool is_woken(const struct tt_spool *spool)
{
    struct pollfd one = {.fd = tt_spool_wake_fd(spool), .events = POLLIN};
    return poll(&one, 1, LONG_MS) == 1 && (one.revents & POLLIN);
}

Test(spool, each_arrival_and_the_end_wake)
{
    int to;
    struct tt_spool *spool = start(&to, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(write(to, "piece", 5), 5);
        cr_assert(is_woken(spool), "piece %d", (int)i);
        tt_wake_drain(tt_spool_wake_fd(spool));
        cr_expect_eq(tt_spool_size(spool), 5 * i, "the bytes are there when it wakes");
        cr_expect_not(tt_spool_ended(spool));
    }
    close(to);
    cr_assert(is_woken(spool), "the end");
    cr_expect(tt_spool_ended(spool));
    cr_expect_eq(tt_spool_size(spool), 15);
    tt_spool_release(spool);
}

Test(spool, an_end_without_bytes_wakes)
{
    int to;
    struct tt_spool *spool = start(&to, 0);
    close(to);
    cr_assert(is_woken(spool));
    cr_expect(tt_spool_ended(spool));
    cr_expect_eq(tt_spool_size(spool), 0);
    tt_spool_release(spool);
}

/* A holder keeps it; the last release ends the thread, which may be waiting for bytes. */
Test(spool, the_last_release_ends_the_thread)
{
    int to;
    struct tt_spool *spool = start(&to, 0);
    tt_spool_hold(spool);
    tt_spool_release(spool);
    cr_assert_eq(write(to, "bytes", 5), 5);
    cr_expect(is_woken(spool));
    tt_spool_release(spool);
    close(to);
}

Test(spool, a_wait_has_a_limit)
{
    int to;
    struct tt_spool *spool = start(&to, 0);
    const struct tt_spool_enough enough = {.bytes = 1};
    tt_spool_wait(spool, &enough, 5, NULL, NULL);
    cr_expect_eq(tt_spool_size(spool), 0);
    cr_expect_geq(tt_spool_arrival(spool).elapsed_ms, 5);
    tt_spool_release(spool);
    close(to);
}

/* ---- watching -------------------------------------------------------------------------------- */

struct seen {
    unsigned calls, last;
    bool goes_on;
};

static bool see(void *arg, const struct tt_arrival *arrival)
{
    struct seen *seen = arg;
    cr_expect_str_eq(arrival->path, "name");
    cr_expect(arrival->connected);
    seen->calls++;
    seen->last += arrival->last;
    return seen->goes_on;
}

/* It is shown after the first byte, about every 100 ms, and at the end; returning false cancels. */
Test(spool, a_watch_may_cancel)
{
    int to;
    struct seen seen = {.goes_on = false};
    const struct tt_map_watch watch = {see, &seen};
    const struct tt_spool_enough enough = {.bytes = 6};
    struct tt_spool *spool = start(&to, 0);
    cr_assert_eq(write(to, "piece", 5), 5);
    tt_spool_wait(spool, &enough, UINT64_MAX, &watch, "name");
    cr_expect_eq(seen.calls, 2, "%u", seen.calls);
    cr_expect_eq(seen.last, 1);
    cr_expect_eq(tt_spool_arrival(spool).status.code, TT_ERR_CANCELLED);
    tt_spool_release(spool);
    close(to);
}

/* ---- a file that grows ----------------------------------------------------------------------- */

Test(spool, a_copy_grows_with_its_file)
{
    FILE *file = tmpfile();
    struct tt_spool *spool = NULL;
    char bytes[16] = "";
    cr_assert_not_null(file);
    struct tt_status status = tt_spool_of_file(fileno(file), 10, &spool);
    cr_assert(!tt_failed(&status), "%s", status.text);
    for (uint64_t i = 1; i <= 2; i++) {
        cr_assert_eq(write(fileno(file), "piece", 5), 5);
        status = tt_spool_copy_more(spool);
        cr_assert(!tt_failed(&status), "%s", status.text);
        cr_expect_eq(tt_spool_size(spool), 5 * i);
    }
    cr_expect_eq(pread(tt_spool_fd(spool), bytes, sizeof bytes, 0), 10);
    cr_expect_str_eq(bytes, "piecepiece");
    cr_expect_not(tt_spool_arrival(spool).over);
    cr_assert_eq(write(fileno(file), "x", 1), 1);
    status = tt_spool_copy_more(spool);
    cr_expect_eq(status.code, TT_ERR_IO, "the limit holds");
    tt_spool_release(spool);
    fclose(file);
}
