/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of Criterion that the unit tests use, for machines without Criterion: other processors
 * under an emulator, where Criterion cannot start its own program again for each test. Here each
 * test runs in a fork. tests/cross.sh builds with this folder before the system's headers, and with
 * plain.c.
 *
 * A test that is killed or exceeds its time limit fails alone. The tests use no other features of
 * Criterion (parameters, theories, reports), so they are not implemented.
 */
#ifndef PLAIN_CRITERION_H
#define PLAIN_CRITERION_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_test {
    const char *suite;
    const char *name; /* NULL: the suite itself, which has only the next three members */
    void (*run)(void);
    void (*init)(void);
    void (*fini)(void);
    unsigned timeout; /* seconds, for a test that needs more than others */
    struct plain_test *next;
};

void plain_add(struct plain_test *test);

/* Counts and prints a failure with its place; ends the test if it is fatal. */
void plain_failed(bool fatal, const char *file, int line, const char *what, const char *why, ...);
_Noreturn void plain_skip(const char *why, ...);

#define PLAIN_ADD(id, ...)                                                                         \
    __attribute__((constructor)) static void id##_add(void)                                        \
    {                                                                                              \
        static struct plain_test test = {__VA_ARGS__};                                             \
        plain_add(&test);                                                                          \
    }

#define TestSuite(suite_, ...)                                                                     \
    PLAIN_ADD(plain_suite_##suite_, .suite = #suite_, __VA_ARGS__)                                 \
    struct plain_test

#define Test(suite_, name_, ...)                                                                   \
    static void plain_##suite_##_##name_(void);                                                    \
    PLAIN_ADD(plain_##suite_##_##name_, .suite = #suite_, .name = #name_,                          \
              .run = plain_##suite_##_##name_, __VA_ARGS__)                                        \
    static void plain_##suite_##_##name_(void)

#define PLAIN_CHECK(fatal, what, good, ...)                                                        \
    do {                                                                                           \
        if (!(good)) {                                                                             \
            plain_failed(fatal, __FILE__, __LINE__, what, "" __VA_ARGS__);                         \
        }                                                                                          \
    } while (0)

#define cr_assert(a, ...)           PLAIN_CHECK(true, #a, a, __VA_ARGS__)
#define cr_assert_not(a, ...)       PLAIN_CHECK(true, "not " #a, !(a), __VA_ARGS__)
#define cr_assert_null(a, ...)      PLAIN_CHECK(true, #a " is null", (a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...)  PLAIN_CHECK(true, #a " is not null", (a) != NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)     PLAIN_CHECK(true, #a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...)    PLAIN_CHECK(true, #a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...)     PLAIN_CHECK(true, #a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...)    PLAIN_CHECK(true, #a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...)     PLAIN_CHECK(true, #a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...)    PLAIN_CHECK(true, #a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) PLAIN_CHECK(true, #a " is " #b, !strcmp(a, b), __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)                                                               \
    PLAIN_CHECK(true, #a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...)                                                          \
    PLAIN_CHECK(true, #a " has the bytes of " #b, !memcmp(a, b, size), __VA_ARGS__)
#define cr_assert_float_eq(a, b, most, ...)                                                        \
    PLAIN_CHECK(true, #a " is about " #b, fabs((double)(a) - (double)(b)) <= (most), __VA_ARGS__)
#define cr_assert_fail(...) PLAIN_CHECK(true, "it fails", false, __VA_ARGS__)

#define cr_expect(a, ...)           PLAIN_CHECK(false, #a, a, __VA_ARGS__)
#define cr_expect_not(a, ...)       PLAIN_CHECK(false, "not " #a, !(a), __VA_ARGS__)
#define cr_expect_null(a, ...)      PLAIN_CHECK(false, #a " is null", (a) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...)  PLAIN_CHECK(false, #a " is not null", (a) != NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)     PLAIN_CHECK(false, #a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...)    PLAIN_CHECK(false, #a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...)     PLAIN_CHECK(false, #a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_expect_leq(a, b, ...)    PLAIN_CHECK(false, #a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...)     PLAIN_CHECK(false, #a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...)    PLAIN_CHECK(false, #a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) PLAIN_CHECK(false, #a " is " #b, !strcmp(a, b), __VA_ARGS__)
#define cr_expect_str_empty(a, ...) PLAIN_CHECK(false, #a " is empty", !*(a), __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...)                                                               \
    PLAIN_CHECK(false, #a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...)                                                          \
    PLAIN_CHECK(false, #a " has the bytes of " #b, !memcmp(a, b, size), __VA_ARGS__)
#define cr_expect_float_eq(a, b, most, ...)                                                        \
    PLAIN_CHECK(false, #a " is about " #b, fabs((double)(a) - (double)(b)) <= (most), __VA_ARGS__)
#define cr_expect_fail(...) PLAIN_CHECK(false, "it fails", false, __VA_ARGS__)

#define cr_skip(...)      plain_skip("" __VA_ARGS__)
#define cr_skip_test(...) plain_skip("" __VA_ARGS__)

#endif
