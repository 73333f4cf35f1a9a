/* SPDX-License-Identifier: Apache-2.0 */
/*
 * growing_spool: bytes are readable as they arrive; the end, errors, damage and the limit are those of
 * tt_spool.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "alone.h"
#include "base/pipe_spool.h"
#include "faults/faults.h"

static struct tt_growing_spool *start(int *to, uint64_t limit)
{
    int ends[2];
    struct tt_growing_spool *g = NULL;
    cr_assert_eq(pipe(ends), 0);
    *to = ends[1];
    struct tt_status status = tt_growing_spool_start(ends[0], limit, &g);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return g;
}

static bool has_ended(struct tt_growing_spool *g, struct tt_status *status,
                      struct tt_damage *damage)
{
    return tt_growing_spool_ended(g, status, damage);
}

Test(growing_spool, each_piece_is_readable_when_it_has_arrived)
{
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start(&to, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(write(to, "piece", 5), 5);
        tt_growing_spool_wait(g, 5 * i, NULL);
        cr_expect_eq(tt_growing_spool_size(g), 5 * i);
        cr_expect_not(has_ended(g, &status, &damage));
        char bytes[16] = "";
        cr_expect_eq(pread(tt_growing_spool_file(g), bytes, sizeof bytes, 0), (ssize_t)(5 * i));
        cr_expect_eq(memcmp(bytes, "piecepiecepiece", 5 * i), 0);
    }
    close(to);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_null(damage.detail);
    tt_growing_spool_free(g);
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
    struct tt_growing_spool *g = start(&to, 0);
    const struct tt_spool_enough enough = {1000, few, ms};
    cr_assert_eq(pthread_create(&writer, NULL, write_in_two, &to), 0);
    tt_growing_spool_wait_first(g, &enough, NULL);
    uint64_t size = tt_growing_spool_size(g);
    pthread_join(writer, NULL);
    close(to);
    tt_growing_spool_free(g);
    return size;
}

Test(growing_spool, few_bytes_are_enough_after_a_time)
{
    int to;
    struct tt_growing_spool *g = start(&to, 0);
    const struct tt_spool_enough enough = {1000, 5, 1};
    cr_assert_eq(write(to, "piece", 5), 5);
    tt_growing_spool_wait_first(g, &enough, NULL);
    cr_expect_eq(tt_growing_spool_size(g), 5u);
    cr_expect_geq(tt_growing_spool_progress(g).elapsed_ms, 1u);
    close(to);
    tt_growing_spool_free(g);
    cr_expect_eq(size_after_first(5, 0), 1000u, "not without a time");
    cr_expect_eq(size_after_first(5, 60000), 1000u, "not before the time");
    cr_expect_eq(size_after_first(501, 1), 1000u, "fewer are not enough");
}

/* The first bytes are kept until the compression is known. */
Test(growing_spool, fewer_bytes_than_a_magic_number)
{
    for (size_t size = 0; size < 4; size++) {
        int to;
        struct tt_status status;
        struct tt_damage damage;
        struct tt_growing_spool *g = start(&to, 0);
        cr_assert_eq(write(to, "\x1f\x8b\x07", size), (ssize_t)size);
        close(to);
        tt_growing_spool_wait(g, UINT64_MAX, NULL);
        cr_expect(has_ended(g, &status, &damage));
        cr_expect_not(tt_failed(&status), "%s", status.text);
        cr_expect_eq(tt_growing_spool_size(g), size);
        tt_growing_spool_free(g);
    }
}

Test(growing_spool, freeing_it_ends_a_reader_that_waits)
{
    for (size_t size = 0; size < 6; size += 5) {
        int to;
        struct tt_growing_spool *g = start(&to, 0);
        cr_assert_eq(write(to, "piece", size), (ssize_t)size);
        tt_growing_spool_wait(g, size, NULL);
        tt_growing_spool_free(g);
        close(to);
    }
}

static uint8_t packed[200000]; /* of a test */

/* Expects a regular end after `size` bytes. */
static void expect_whole(struct tt_growing_spool *g, uint64_t size)
{
    struct tt_status status;
    struct tt_damage damage;
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_null(damage.detail, "%s", damage.detail);
    cr_expect_eq(tt_growing_spool_size(g), size);
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
Test(growing_spool, compressed_bytes_are_unpacked_as_they_arrive)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start(&to, 0);
    cr_assert_eq(write(to, packed, size / 2), (ssize_t)(size / 2));
    tt_growing_spool_wait(g, 10000, NULL);
    cr_expect_geq(tt_growing_spool_size(g), 10000u);
    cr_expect_not(has_ended(g, &status, &damage));
    cr_assert_eq(write(to, packed + size / 2, size - size / 2), (ssize_t)(size - size / 2));
    close(to);
    expect_whole(g, 400000);
    tt_growing_spool_free(g);
}

/* ---- bytes of another spool ------------------------------------------------------------------ */

/* A source whose bytes a test adds, and ends. */
struct feed {
    const uint8_t *bytes;
    _Atomic size_t size;
    _Atomic bool over;
    _Atomic bool cancelled;
    struct tt_status result;
};

static struct tt_status fill(void *arg, struct tt_spool_sink *sink)
{
    struct feed *f = arg;
    const struct timespec nap = {0, 1000000};
    for (size_t done = 0;;) {
        bool over = atomic_load(&f->over);
        size_t size = atomic_load(&f->size);
        tt_spool_put(sink, f->bytes + done, size - done);
        done = size;
        if (atomic_load(&f->cancelled)) {
            return tt_error(TT_ERR_CANCELLED, "cancelled");
        }
        if (over) {
            return f->result;
        }
        nanosleep(&nap, NULL);
    }
}

static uint64_t total(void *arg)
{
    (void)arg;
    return 1000000;
}

static void cancel_feed(void *arg)
{
    struct feed *f = arg;
    atomic_store(&f->cancelled, true);
}

static void close_feed(void *arg)
{
    (void)arg;
}

static struct tt_growing_spool *start_packed(struct feed *f)
{
    const struct tt_growing_source source = {f, fill, total, cancel_feed, close_feed};
    struct tt_growing_spool *stored = NULL, *g = NULL;
    struct tt_status status = tt_growing_spool_start_source(&source, 0, &stored);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_growing_spool_start_packed(stored, 0, &g);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return g;
}

Test(growing_spool, bytes_of_a_source_are_unpacked_as_they_arrive)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start_packed(&f);
    tt_growing_spool_wait(g, 10000, NULL);
    cr_expect_geq(tt_growing_spool_size(g), 10000u);
    cr_expect_not(has_ended(g, &status, &damage));
    struct tt_copy_progress half = tt_growing_spool_progress(g);
    cr_expect(half.read == size / 2 && half.total == 1000000 && half.bytes >= 10000);
    atomic_store(&f.size, size);
    atomic_store(&f.over, true);
    expect_whole(g, 400000);
    tt_growing_spool_free(g);
    cr_expect_eq(atomic_load(&f.cancelled), true, "a spool is freed with its source");
}

Test(growing_spool, damage_ends_the_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 50000);
    packed[size - 6] ^= 1;
    struct feed f = {.bytes = packed, .size = size, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start_packed(&f);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_assert_not_null(damage.detail);
    cr_expect_str_eq(damage.detail, "incorrect data check");
    cr_expect(atomic_load(&f.cancelled));
    tt_growing_spool_free(g);
}

Test(growing_spool, the_error_of_a_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_error(TT_ERR_IO, "lost")};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start_packed(&f);
    tt_growing_spool_wait(g, 10000, NULL);
    atomic_store(&f.over, true);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_str_eq(status.text, "lost");
    tt_growing_spool_free(g);
}

Test(growing_spool, a_cancel_ends_the_source_of_packed_bytes)
{
    size_t size = make_member(packed, sizeof packed, 400000);
    struct feed f = {.bytes = packed, .size = size / 2, .result = tt_ok()};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start_packed(&f);
    tt_growing_spool_cancel(g);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    tt_growing_spool_free(g);
}

/* ---- damage, limits, errors ------------------------------------------------------------------ */

/* The bytes after the damage are read: the writer gets no signal. */
Test(growing_spool, the_rest_of_a_damaged_pipe_is_read, ALONE)
{
    static uint8_t rest[300000];
    size_t size = make_member(packed, sizeof packed, 50000);
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start(&to, 0);
    packed[size - 6] ^= 1; /* of the sum and the length */
    memset(rest, 'x', sizeof rest);
    signal(SIGPIPE, SIG_DFL);
    cr_assert_eq(write(to, packed, size), (ssize_t)size);
    cr_assert_eq(write(to, rest, sizeof rest), (ssize_t)sizeof rest);
    close(to);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_assert_not_null(damage.detail);
    cr_expect_str_eq(damage.detail, "incorrect data check");
    cr_expect_eq(damage.offset, size - 8);
    cr_expect_eq(tt_growing_spool_size(g), 50000u);
    tt_growing_spool_free(g);
}

Test(growing_spool, damage_before_any_byte_is_an_error)
{
    int to;
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = start(&to, 0);
    cr_assert_eq(write(to, "\x1f\x8b\x08\xffnothing", 11), 11);
    close(to);
    tt_growing_spool_wait(g, UINT64_MAX, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_FORMAT);
    cr_expect_eq(strncmp(status.text, "damaged container: ", 19), 0, "%s", status.text);
    tt_growing_spool_free(g);
}

/* Also of input that would never yield a byte: skippable frames of zstd. */
Test(growing_spool, the_limit)
{
    static const char *const pieces[] = {"0123456789", "\x50\x2a\x4d\x18\x02\0\0\0xx"};
    for (size_t i = 0; i < 2; i++) {
        int to;
        struct tt_status status;
        struct tt_damage damage;
        struct tt_growing_spool *g = start(&to, 25);
        for (int n = 0; n < 3; n++) {
            cr_assert_eq(write(to, pieces[i], 10), 10);
        }
        tt_growing_spool_wait(g, UINT64_MAX, NULL);
        cr_expect(has_ended(g, &status, &damage));
        cr_expect_eq(status.code, TT_ERR_IO);
        cr_expect_str_eq(status.text, "unpacked: spool limit of 25 bytes exceeded");
        close(to);
        tt_growing_spool_free(g);
    }
}

Test(growing_spool, a_read_error)
{
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = NULL;
    int fd = open("/dev/null", O_WRONLY); /* as descriptors are that were closed at the start */
    status = tt_growing_spool_start(fd, 0, &g);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_growing_spool_wait(g, 1, NULL);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_str_eq(status.text, "read: Bad file descriptor");
    tt_growing_spool_free(g);
}

/* Without a thread everything is copied at the start. */
Test(growing_spool, where_no_thread_can_be_started)
{
    const struct fault none = {.call = FAULT_THREAD, .nth = 1, .error = EAGAIN};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_growing_spool *g = NULL;
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "piece", 5), 5);
    close(ends[1]);
    faults_arm(&none);
    status = tt_growing_spool_start(ends[0], 0, &g);
    faults_disarm();
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_expect(has_ended(g, &status, &damage));
    cr_expect_not(tt_failed(&status), "%s", status.text);
    cr_expect_eq(tt_growing_spool_size(g), 5u);
    tt_growing_spool_free(g);
}
