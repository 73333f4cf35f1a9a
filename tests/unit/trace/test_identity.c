/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identities of index caches: what makes another name, and which changes of the file are detected.
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

struct field {
    const char *label;
    size_t at;
    bool of_name; /* captures that differ in it have index caches of different names */
};

#define FIELD(name, of_name)                                                                       \
    {                                                                                              \
#name, offsetof(struct tt_identity, name), of_name                                         \
    }

static const struct field fields[] = {
    FIELD(size, false),
    FIELD(modified_s, false),
    FIELD(modified_ns, false),
    FIELD(changed_s, false),
    FIELD(changed_ns, false),
    FIELD(samples, false),
    FIELD(device, true),
    FIELD(inode, true),
    FIELD(names, true),
    FIELD(clock_hz, true),
    FIELD(definitions, true),
    FIELD(format, true),
    {"another version", offsetof(struct tt_identity, program), true},
    {"another layout", offsetof(struct tt_identity, program) + strlen(TT_VERSION " "), true},
};

Test(identity, a_capture_that_changes_keeps_the_name_of_its_cache)
{
    struct tt_identity identity;
    char was[TT_IDENTITY_NAME + 1], is[TT_IDENTITY_NAME + 1];
    int fd = make_file(LESS);
    settle();
    cr_assert(identify(&identity));
    tt_identity_name(&identity, was);
    cr_expect_eq(strlen(was), TT_IDENTITY_NAME);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct tt_identity other = identity;
        ((uint8_t *)&other)[fields[i].at] ^= 1;
        tt_identity_name(&other, is);
        cr_expect_eq(strcmp(was, is) != 0, fields[i].of_name, "%s", fields[i].label);
    }
    cr_assert_eq(write(fd, bytes + LESS, SIZE - LESS), SIZE - LESS);
    settle();
    cr_assert(identify(&identity));
    tt_identity_name(&identity, is);
    cr_expect_str_eq(was, is, "it has grown");
    close(fd);
    unlink(path);
}

/* Changes a byte of the file; returns whether its samples are others then. The byte is restored. */
static bool is_sampled(int fd, off_t place)
{
    struct tt_identity before, after;
    uint8_t was, other;
    settle();
    cr_assert(identify(&before));
    cr_assert_eq(pread(fd, &was, 1, place), 1);
    other = was ^ 4;
    cr_assert_eq(pwrite(fd, &other, 1, place), 1);
    settle();
    cr_assert(identify(&after));
    cr_assert_eq(pwrite(fd, &was, 1, place), 1);
    return before.samples != after.samples;
}

/* Both ends of a file, and pieces at 1/65 .. 64/65, are compared. */
Test(identity, bytes_changed_at_a_sample_are_detected)
{
    const off_t large = 65 * 100000;
    int fd = make_file(SIZE);
    cr_assert_eq(ftruncate(fd, large), 0);
    const off_t places[] = {0, 65535, large - 65536, large - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        cr_expect(is_sampled(fd, places[i]), "byte %ld", (long)places[i]);
    }
    for (off_t piece = 1; piece <= 64; piece += 21) {
        cr_expect(is_sampled(fd, piece * (large / 65) + 4095), "piece %ld", (long)piece);
    }
    cr_expect_not(is_sampled(fd, 20 * (large / 65) + 4096), "between pieces");
    close(fd);
    unlink(path);
}

Test(identity, a_capture_that_is_written_meanwhile_does_not_hold)
{
    struct tt_identity identity;
    int fd = make_file(LESS);
    settle();
    cr_assert(identify(&identity));
    struct tt_map *map = open_map();
    cr_expect(tt_identity_holds(&identity, map));
    cr_assert_eq(pwrite(fd, bytes, 1, 0), 1);
    cr_expect_not(tt_identity_holds(&identity, map), "written, though it says the same");
    settle();
    cr_assert(identify(&identity));
    cr_assert_eq(pwrite(fd, bytes + LESS, SIZE - LESS, LESS), SIZE - LESS);
    cr_expect_not(tt_identity_holds(&identity, map), "it has grown");
    tt_map_close(map);
    close(fd);
    unlink(path);
}
