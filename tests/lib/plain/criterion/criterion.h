/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of Criterion that the unit tests use, for plain.c, which runs many cases in one process;
 * Criterion starts its own program again for each, which takes longer than most cases. The build uses
 * this folder before the system's headers; FRAMEWORK=criterion builds the same tests with Criterion.
 *
 * A case that is killed or hangs fails alone. The tests use no other features of Criterion
 * (parameters, theories, reports), so they are not implemented.
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
    const char *name; /* NULL: the suite itself, which runs nothing */
    void (*run)(void);
    void (*init)(void);
    void (*fini)(void);
    unsigned timeout;        /* processor seconds; 0: those of the run */
    const char *description; /* ALONE, or NULL */
    struct plain_test *next;
};

void plain_add(struct plain_test *test);

/* Count and print a failure with its place; plain_ended also ends the test. */
void plain_failed(const char *file, int line, const char *what, const char *why, ...);
_Noreturn void plain_ended(const char *file, int line, const char *what, const char *why, ...);
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

#define PLAIN_CHECK(how, what, good, ...)                                                          \
    do {                                                                                           \
        if (!(good)) {                                                                             \
            plain_##how(__FILE__, __LINE__, what, "" __VA_ARGS__);                                 \
        }                                                                                          \
    } while (0)

#define cr_assert(a, ...)           PLAIN_CHECK(ended, #a, a, __VA_ARGS__)
#define cr_assert_not(a, ...)       PLAIN_CHECK(ended, "not " #a, !(a), __VA_ARGS__)
#define cr_assert_null(a, ...)      PLAIN_CHECK(ended, #a " is null", (a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...)  PLAIN_CHECK(ended, #a " is not null", (a) != NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)     PLAIN_CHECK(ended, #a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...)    PLAIN_CHECK(ended, #a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...)     PLAIN_CHECK(ended, #a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...)    PLAIN_CHECK(ended, #a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...)     PLAIN_CHECK(ended, #a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...)    PLAIN_CHECK(ended, #a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) PLAIN_CHECK(ended, #a " is " #b, !strcmp(a, b), __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)                                                               \
    PLAIN_CHECK(ended, #a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...)                                                          \
    PLAIN_CHECK(ended, #a " has the bytes of " #b, !memcmp(a, b, size), __VA_ARGS__)
#define cr_assert_float_eq(a, b, most, ...)                                                        \
    PLAIN_CHECK(ended, #a " is about " #b, fabs((double)(a) - (double)(b)) <= (most), __VA_ARGS__)
#define cr_assert_fail(...) PLAIN_CHECK(ended, "it fails", false, __VA_ARGS__)

#define cr_expect(a, ...)           PLAIN_CHECK(failed, #a, a, __VA_ARGS__)
#define cr_expect_not(a, ...)       PLAIN_CHECK(failed, "not " #a, !(a), __VA_ARGS__)
#define cr_expect_null(a, ...)      PLAIN_CHECK(failed, #a " is null", (a) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...)  PLAIN_CHECK(failed, #a " is not null", (a) != NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)     PLAIN_CHECK(failed, #a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...)    PLAIN_CHECK(failed, #a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...)     PLAIN_CHECK(failed, #a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_expect_leq(a, b, ...)    PLAIN_CHECK(failed, #a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...)     PLAIN_CHECK(failed, #a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...)    PLAIN_CHECK(failed, #a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) PLAIN_CHECK(failed, #a " is " #b, !strcmp(a, b), __VA_ARGS__)
#define cr_expect_str_empty(a, ...) PLAIN_CHECK(failed, #a " is empty", !*(a), __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...)                                                               \
    PLAIN_CHECK(failed, #a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...)                                                          \
    PLAIN_CHECK(failed, #a " has the bytes of " #b, !memcmp(a, b, size), __VA_ARGS__)
#define cr_expect_float_eq(a, b, most, ...)                                                        \
    PLAIN_CHECK(failed, #a " is about " #b, fabs((double)(a) - (double)(b)) <= (most), __VA_ARGS__)
#define cr_expect_fail(...) PLAIN_CHECK(failed, "it fails", false, __VA_ARGS__)

#define cr_skip(...)      plain_skip("" __VA_ARGS__)
#define cr_skip_test(...) plain_skip("" __VA_ARGS__)

#endif
