/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identities of index caches: a change of any single field makes another identity, except size and
 * times, which change when a capture grows.
 */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"
#include "fake_format.h"
#include "trace/cache/identity.h"

enum { SIZE = 500000, LESS = 300000 };

static uint8_t bytes[SIZE];
static char path[] = "/tmp/tracetui-identity-XXXXXX";
static const struct tt_capture_options options = {.clock_hz = 5, .definitions = true};

static void settle(void)
{
    const struct timespec nap = {0, 150 * 1000 * 1000}; /* files just written have no identity */
    nanosleep(&nap, NULL);
}

static int make_file(size_t size)
{
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)(i * 131 + i / 1000);
    }
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    return fd;
}

static struct tt_map *open_map(void)
{
    struct tt_map *map = NULL;
    struct tt_status status = tt_map_open(path, NULL, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return map;
}

static bool identify(struct tt_identity *identity)
{
    struct tt_capture *c = NULL;
    struct tt_map *map = open_map();
    struct tt_status status = tt_capture_new(tt_map_bytes(map), &c);
    cr_assert(!tt_failed(&status), "%s", status.text);
    c->format = &fake_format;
    bool is = tt_identity_of(identity, map, c, &options);
    c->format = NULL;
    tt_capture_free(c);
    tt_map_close(map);
    return is;
}

TestSuite(identity, ALONE);

Test(identity, a_file_just_written_has_none)
{
    struct tt_identity identity;
    int fd = make_file(SIZE);
    cr_expect_not(identify(&identity));
    settle();
    cr_expect(identify(&identity));
    cr_expect_eq(identity.size, SIZE);
    close(fd);
    unlink(path);
}

/* The file, and the same file before it grew. */
static int grow(struct tt_identity *older, struct tt_identity *now)
{
    int fd = make_file(LESS);
    settle();
    cr_assert(identify(older));
    cr_assert_eq(write(fd, bytes + LESS, SIZE - LESS), SIZE - LESS);
    settle();
    cr_assert(identify(now));
    return fd;
}

struct field {
    const char *name;
    size_t at;
    bool stays; /* when a capture grows */
};

#define FIELD(name, stays)                                                                         \
    {                                                                                              \
#name, offsetof(struct tt_identity, name), stays                                           \
    }

static const struct field fields[] = {
    FIELD(modified_s, false),
    FIELD(modified_ns, false),
    FIELD(changed_s, false),
    FIELD(changed_ns, false),
    FIELD(beginning, true),
    FIELD(names, true),
    FIELD(clock_hz, true),
    FIELD(definitions, true),
    FIELD(format, true),
    {"another version", offsetof(struct tt_identity, program), true},
    {"another layout", offsetof(struct tt_identity, program) + strlen(TT_VERSION " "), true},
};

Test(identity, a_grown_capture_is_recognised)
{
    struct tt_identity older, now;
    int fd = grow(&older, &now);
    struct tt_map *map = open_map();
    char was[TT_IDENTITY_NAME + 1], is[TT_IDENTITY_NAME + 1];
    cr_assert(tt_identity_grew(&older, &now, map));
    cr_expect_not(tt_identity_grew(&now, &older, map), "it has not shrunk");
    cr_expect_not(tt_identity_grew(&now, &now, map), "it is as it is");
    tt_identity_name(&older, was);
    tt_identity_name(&now, is);
    cr_expect_eq(strlen(is), TT_IDENTITY_NAME);
    cr_expect_eq(memcmp(was, is, TT_IDENTITY_FAMILY), 0, "%s and %s", was, is);
    cr_expect_neq(strcmp(was, is), 0);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct tt_identity other = older;
        ((uint8_t *)&other)[fields[i].at] ^= 1;
        cr_expect_eq(tt_identity_grew(&other, &now, map), !fields[i].stays, "%s", fields[i].name);
        tt_identity_name(&other, was);
        cr_expect_eq(memcmp(was, is, TT_IDENTITY_FAMILY) == 0, !fields[i].stays, "%s: %s and %s",
                     fields[i].name, was, is);
    }
    struct tt_identity other = older;
    other.samples ^= 1;
    cr_expect_not(tt_identity_grew(&other, &now, map), "other bytes");
    other = older;
    other.size++;
    cr_expect_not(tt_identity_grew(&other, &now, map), "samples of another size");
    tt_map_close(map);
    close(fd);
    unlink(path);
}

Test(identity, bytes_changed_at_a_sample_are_detected)
{
    struct tt_identity older, now;
    int fd = grow(&older, &now);
    static const off_t places[] = {0, 65535, LESS - 65536, LESS - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint8_t other = (uint8_t)(bytes[places[i]] ^ 4);
        cr_assert_eq(pwrite(fd, &other, 1, places[i]), 1);
        struct tt_map *map = open_map();
        struct tt_identity changed = now;
        changed.beginning = older.beginning; /* ignored here */
        cr_expect_not(tt_identity_grew(&older, &changed, map), "byte %ld", (long)places[i]);
        tt_map_close(map);
        cr_assert_eq(pwrite(fd, &bytes[places[i]], 1, places[i]), 1);
    }
    close(fd);
    unlink(path);
}

/* Of a large file, the pieces at 1/65 .. 64/65 are compared, too. */
Test(identity, bytes_changed_in_any_piece_of_a_large_file_are_detected)
{
    const off_t large = 65 * 100000;
    struct tt_identity older, now;
    int fd = make_file(SIZE);
    cr_assert_eq(ftruncate(fd, large), 0);
    settle();
    cr_assert(identify(&older));
    for (off_t piece = 1; piece <= 64; piece += 9) {
        off_t place = piece * (large / 65) + 4095;
        uint8_t was, other;
        cr_assert_eq(pread(fd, &was, 1, place), 1);
        other = was ^ 4;
        cr_assert_eq(pwrite(fd, &other, 1, place), 1);
        now = older;
        struct tt_map *map = open_map();
        now.size++; /* grown by a byte, which is not read */
        cr_expect_not(tt_identity_grew(&older, &now, map), "piece %ld", (long)piece);
        tt_map_close(map);
        cr_assert_eq(pwrite(fd, &was, 1, place), 1);
    }
    struct tt_map *map = open_map();
    now = older;
    now.size++;
    cr_expect(tt_identity_grew(&older, &now, map), "unchanged");
    tt_map_close(map);
    close(fd);
    unlink(path);
}

Test(identity, a_capture_that_is_written_meanwhile_does_not_hold)
{
    struct tt_identity older, now;
    int fd = grow(&older, &now);
    struct tt_map *map = open_map();
    cr_expect(tt_identity_holds(&now, map));
    cr_expect(tt_identity_holds(&older, map), "it has grown");
    cr_assert_eq(pwrite(fd, bytes, 1, 0), 1);
    cr_expect_not(tt_identity_holds(&now, map), "written, though it says the same");
    cr_expect(tt_identity_holds(&older, map), "its samples are what they were");
    cr_assert_eq(ftruncate(fd, LESS - 1), 0);
    cr_expect_not(tt_identity_holds(&older, map));
    tt_map_close(map);
    close(fd);
    unlink(path);
}
