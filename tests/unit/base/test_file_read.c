/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of the user, from files and FIFOs that give and take few bytes at a time. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "base/file_read.h"
#include "faults/faults.h"

enum { MOST = 70000 };

static char path[] = "/tmp/tracetui-text-XXXXXX";
static char content[MOST + 1];
static const struct fault slow = {.trickle = true, .restless = true};

static void make_file(void)
{
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    uint32_t seed = 7;
    for (size_t i = 0; i < sizeof content; i++) {
        seed = seed * 1103515245u + 12345u;
        content[i] = (char)('a' + (seed >> 16) % 26);
    }
}

static void remove_file(void)
{
    faults_disarm();
    unlink(path);
}

TestSuite(file_text, .init = make_file, .fini = remove_file, ALONE);

static void write_content(size_t size)
{
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(content, 1, size, f) == size && fclose(f) == 0);
}

static void expect_text(size_t size)
{
    char *text;
    size_t length;
    cr_assert_eq(tt_file_text(path, MOST, &text, &length), 0, "%zu bytes", size);
    cr_assert_eq(length, size);
    cr_assert(memcmp(text, content, size) == 0, "%zu bytes", size);
    cr_assert_eq(text[size], '\0');
    free(text);
}

static const size_t sizes[] = {0, 1, 2, 976, 977, 978, 16383, 16384, 16385, MOST - 1};

Test(file_text, a_file_of_any_length)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_content(sizes[i]);
        faults_arm(NULL);
        expect_text(sizes[i]);
        faults_arm(&slow);
        expect_text(sizes[i]);
        faults_disarm();
    }
}

Test(file_text, a_file_that_is_too_long)
{
    const struct fault *const faults[] = {NULL, &slow};
    for (size_t size = MOST; size <= MOST + 1; size++) {
        write_content(size);
        for (unsigned i = 0; i < 2; i++) {
            char *text;
            size_t length;
            faults_arm(faults[i]);
            cr_expect_eq(tt_file_text(path, MOST, &text, &length), EFBIG, "%zu bytes", size);
            cr_expect_null(text);
        }
    }
}

/* The file grows between two reads: the second one has room for what is left. */
static void grow(enum fault_call call, uint64_t number)
{
    if (call == FAULT_READ && number == 2) {
        FILE *f = fopen(path, "ab");
        cr_assert(f && fwrite(content, 1, MOST, f) == MOST && fclose(f) == 0);
    }
}

Test(file_text, a_file_that_grows_too_long)
{
    const struct fault growing = {.notify = grow};
    char *text;
    size_t length;
    write_content(MOST / 2);
    faults_arm(&growing);
    cr_expect_eq(tt_file_text(path, MOST, &text, &length), EFBIG);
    cr_expect_eq(length, MOST);
}

Test(file_text, a_failure_has_its_cause)
{
    static const struct {
        struct fault fault;
        int error;
    } cases[] = {
        {{.call = FAULT_READ, .nth = 1, .error = EIO}, EIO},
        {{.call = FAULT_READ, .nth = 2, .error = EIO, .trickle = true}, EIO},
        {{.call = FAULT_MEMORY, .nth = 1, .error = ENOMEM}, ENOMEM},
        {{.call = FAULT_OPEN, .nth = 1, .error = EACCES}, EACCES},
        {{.call = FAULT_STAT, .nth = 1, .error = EOVERFLOW}, EOVERFLOW},
    };
    write_content(MOST - 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        size_t length;
        faults_arm(&cases[i].fault);
        cr_expect_eq(tt_file_text(path, MOST, &text, &length), cases[i].error, "case %zu", i);
        cr_expect(faults_struck());
        cr_expect_null(text);
    }
}

/* ---- a FIFO, which is copied -------------------------------------------------------------- */

static void *feed(void *arg)
{
    size_t size = *(size_t *)arg;
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(content, 1, size, f) == size && fclose(f) == 0);
    return NULL;
}

/* The length of what slow calls take grows with their number: reads now take more than writes. */
static void lengthen_reads(void)
{
    char byte;
    for (unsigned i = 0; i < 700; i++) {
        cr_assert_leq(read(STDIN_FILENO, &byte, 0), 0);
    }
}

Test(file_text, a_fifo_of_any_length)
{
    for (size_t i = 1; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i];
        pthread_t writer;
        unlink(path);
        cr_assert_eq(mkfifo(path, 0600), 0);
        cr_assert_eq(pthread_create(&writer, NULL, feed, &size), 0);
        faults_arm(&slow);
        lengthen_reads();
        expect_text(size);
        faults_disarm();
        pthread_join(writer, NULL);
    }
}

/* A copy that cannot be written, rewound or made fails with its cause. */
Test(file_text, a_fifo_that_cannot_be_copied)
{
    static const struct fault cases[] = {
        {.call = FAULT_WRITE, .nth = 1, .error = ENOSPC},
        {.call = FAULT_WRITE, .nth = 3, .error = ENOSPC, .trickle = true},
        {.call = FAULT_SEEK, .nth = 1, .error = ENOSPC},
        {.call = FAULT_READ, .nth = 1, .error = ENOSPC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        size_t length, size = 3000;
        pthread_t writer;
        unlink(path);
        cr_assert_eq(mkfifo(path, 0600), 0);
        cr_assert_eq(pthread_create(&writer, NULL, feed, &size), 0);
        faults_arm(&cases[i]);
        cr_expect_eq(tt_file_text(path, MOST, &text, &length), ENOSPC, "case %zu", i);
        faults_disarm();
        pthread_join(writer, NULL);
    }
}
