/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence that a file begins with the bytes of which an index was made: of a small file every byte
 * counts, of a large one every byte of the pieces, and the file itself.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "trace/cache/evidence.h"

enum { PIECE = TT_EVIDENCE_PIECE, SIZE = 10 * PIECE + 777, GROWN = SIZE + 4321 };

#define ALL  UINT64_MAX
#define SOME (UINT64_C(4) * PIECE + 5) /* four pieces */

static uint8_t bytes[GROWN];
static char path[] = "/tmp/tracetui-evidence-XXXXXX";
static int fd;

static void begin(void)
{
    for (size_t i = 0; i < GROWN; i++) {
        bytes[i] = (uint8_t)(i * 131 + i / 1000);
    }
    fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, SIZE) == SIZE);
}

static void end(void)
{
    close(fd);
    unlink(path);
}

TestSuite(evidence, .init = begin, .fini = end, ALONE);

static struct tt_map *open_map(void)
{
    struct tt_map *map = NULL;
    struct tt_status status = tt_map_open(path, NULL, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return map;
}

static struct tt_evidence take(uint64_t size, uint64_t most)
{
    struct tt_evidence evidence;
    struct tt_map *map = open_map();
    cr_assert(tt_evidence_of(&evidence, map, size, most, NULL));
    cr_expect(tt_evidence_holds(&evidence, map));
    tt_map_close(map);
    return evidence;
}

static bool holds(const struct tt_evidence *evidence)
{
    struct tt_map *map = open_map();
    bool it_holds = tt_evidence_holds(evidence, map);
    tt_map_close(map);
    return it_holds;
}

static void grow(void)
{
    cr_assert_eq(pwrite(fd, bytes + SIZE, GROWN - SIZE, SIZE), GROWN - SIZE);
}

/* Returns whether the evidence holds after the byte at `at` was changed; changes it back. */
static bool holds_without(const struct tt_evidence *evidence, size_t at)
{
    uint8_t other = bytes[at] ^ 4;
    cr_assert_eq(pwrite(fd, &other, 1, (off_t)at), 1);
    bool it_holds = holds(evidence);
    cr_assert_eq(pwrite(fd, &bytes[at], 1, (off_t)at), 1);
    return it_holds;
}

Test(evidence, every_byte_of_a_small_file_counts)
{
    struct tt_evidence evidence = take(SIZE, ALL);
    cr_expect_eq(evidence.size, SIZE);
    cr_expect_eq(evidence.compared, SIZE);
    cr_expect(evidence.inode == 0 && evidence.born_s == 0 && evidence.born_ns == 0);
    grow();
    cr_expect(holds(&evidence));
    for (size_t at = 0; at < SIZE; at += 997) {
        cr_expect_not(holds_without(&evidence, at), "byte %zu", at);
    }
    cr_expect_not(holds_without(&evidence, SIZE - 1));
    cr_expect(holds_without(&evidence, SIZE), "the first of the bytes that were appended");
    cr_assert_eq(ftruncate(fd, SIZE - 1), 0);
    cr_expect_not(holds(&evidence));
}

/* The four pieces of a file of ten pieces and a rest, and the first byte after each. */
Test(evidence, every_byte_of_the_pieces_of_a_large_file_counts)
{
    const size_t gap = (SIZE - PIECE) / 3;
    const size_t pieces[] = {0, gap, 2 * gap, SIZE - PIECE};
    struct tt_evidence evidence = take(SIZE, SOME);
    cr_expect_eq(evidence.compared, 4 * PIECE);
    cr_expect_neq(evidence.inode, 0);
    grow();
    cr_expect(holds(&evidence));
    for (size_t i = 0; i < 4; i++) {
        cr_expect_not(holds_without(&evidence, pieces[i]), "first byte of piece %zu", i);
        cr_expect_not(holds_without(&evidence, pieces[i] + PIECE - 1), "last of piece %zu", i);
        cr_expect(holds_without(&evidence, pieces[i] + PIECE), "after piece %zu", i);
        if (i > 0) {
            cr_expect(holds_without(&evidence, pieces[i] - 1), "before piece %zu", i);
        }
    }
}

Test(evidence, the_limit_divides_small_from_large)
{
    cr_expect_eq(take(SIZE, SIZE).compared, SIZE);
    cr_expect_eq(take(SIZE, SIZE - 1).compared, 10 * PIECE);
    cr_expect_eq(take(4 * PIECE + 6, SOME).compared, 4 * PIECE);
    cr_expect_eq(take(4 * PIECE + 5, SOME).compared, 4 * PIECE + 5);
    cr_expect_eq(take(1, ALL).compared, 1);
}

/* Order matters: bytes that change places are other bytes. */
Test(evidence, strides_are_hashed_in_order)
{
    const size_t stride = (size_t)128 << 10;
    uint8_t *block = malloc(stride);
    cr_assert(block);
    for (int round = 0; round < 2; round++) {
        memset(block, round ? 'b' : 'a', stride);
        cr_assert_eq(pwrite(fd, block, stride, round ? (off_t)stride : 0), (ssize_t)stride);
    }
    struct tt_evidence evidence = take(2 * stride, ALL);
    cr_assert_eq(pwrite(fd, block, stride, 0), (ssize_t)stride);
    memset(block, 'a', stride);
    cr_assert_eq(pwrite(fd, block, stride, (off_t)stride), (ssize_t)stride);
    cr_expect_not(holds(&evidence));
    free(block);
}

/* A copy has the bytes; of a large file it has only the pieces for certain. */
Test(evidence, another_file_with_the_same_bytes)
{
    struct tt_evidence all = take(SIZE, ALL), some = take(SIZE, SOME);
    int old = fd;
    unlink(path);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    cr_assert(fd >= 0 && write(fd, bytes, SIZE) == SIZE);
    cr_expect(holds(&all));
    cr_expect_not(holds(&some));
    close(old);
}

struct field {
    const char *name;
    size_t at;
};

#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(struct tt_evidence, name)                                                  \
    }

static const struct field fields[] = {FIELD(size),  FIELD(compared), FIELD(sum),
                                      FIELD(inode), FIELD(born_s),   FIELD(born_ns)};

Test(evidence, any_other_member_is_refused)
{
    static const uint64_t values[] = {0, 1, PIECE, 2 * PIECE, SIZE, GROWN, UINT64_MAX};
    const uint64_t limits[] = {ALL, SOME};
    for (size_t l = 0; l < 2; l++) {
        const struct tt_evidence evidence = take(SIZE, limits[l]);
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                struct tt_evidence other = evidence;
                memcpy((uint8_t *)&other + fields[i].at, &values[v], sizeof values[v]);
                bool same = memcmp(&other, &evidence, sizeof other) == 0;
                cr_expect_eq(holds(&other), same, "%s = %llx", fields[i].name,
                             (unsigned long long)values[v]);
            }
        }
    }
}

Test(evidence, nothing_without_bytes_or_after_a_stop)
{
    struct tt_evidence evidence;
    _Atomic bool stop = true;
    struct tt_map *map = open_map();
    cr_expect_not(tt_evidence_of(&evidence, map, 0, ALL, NULL));
    cr_expect_not(tt_evidence_of(&evidence, map, SIZE + 1, ALL, NULL));
    cr_expect_not(tt_evidence_of(&evidence, map, SIZE, 2 * PIECE - 1, NULL), "one piece");
    cr_expect_not(tt_evidence_of(&evidence, map, SIZE, ALL, &stop));
    cr_expect_not(tt_evidence_of(&evidence, map, SIZE, SOME, &stop));
    stop = false;
    cr_expect(tt_evidence_of(&evidence, map, SIZE, ALL, &stop));
    cr_assert_eq(ftruncate(fd, 100), 0);
    cr_expect_not(tt_evidence_of(&evidence, map, SIZE, ALL, NULL), "truncated under the mapping");
    tt_map_close(map);
}
