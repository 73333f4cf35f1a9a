/* SPDX-License-Identifier: Apache-2.0 */
/* dump: failures and changes while it works. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "faults/faults.h"

#define WORDS(...) ((char *[]){"tracetui", "dump", __VA_ARGS__, NULL})

static const char sample[] = "samples/demo.kev";
static char capture[] = "/tmp/tracetui-dump-XXXXXX";
static char output[] = "/tmp/tracetui-dumped-XXXXXX";
static uint8_t bytes[1 << 18]; /* of the capture */
static size_t size;
static int capture_fd;

static void make_files(void)
{
    FILE *from = fopen(sample, "rb");
    cr_assert(from);
    size = fread(bytes, 1, sizeof bytes, from);
    cr_assert(size > 0 && size < sizeof bytes);
    fclose(from);
    capture_fd = mkstemp(capture);
    int fd = mkstemp(output);
    cr_assert(capture_fd >= 0 && fd >= 0);
    cr_assert_eq(write(capture_fd, bytes, size), (ssize_t)size);
    close(fd);
    cr_assert(freopen("/dev/null", "r", stdin) && freopen("/dev/null", "w", stderr));
}

static void remove_files(void)
{
    faults_disarm();
    close(capture_fd);
    unlink(capture);
    unlink(output);
}

TestSuite(dump, .init = make_files, .fini = remove_files, ALONE);

static void parse(char **argv, struct tt_options *options)
{
    int argc = 0;
    while (argv[argc]) {
        argc++;
    }
    struct tt_status status = tt_options_parse(argc, argv, options);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

static enum tt_exit run(char **argv)
{
    struct tt_options options;
    parse(argv, &options);
    enum tt_exit code = tt_command_dump(&options);
    tt_options_free(&options);
    return code;
}

/* Returns the size of the output, and its bytes in *text, which the caller frees. */
static size_t read_output(char **text)
{
    FILE *f = fopen(output, "rb");
    cr_assert(f);
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(f);
    rewind(f);
    *text = malloc(length + 1);
    cr_assert(*text && fread(*text, 1, length, f) == length);
    fclose(f);
    return length;
}

/* ---- a file that shrinks ------------------------------------------------------------------ */

static pthread_t main_thread;
static uint64_t threads_of_index; /* threads that are started before the filter's */
static enum { WHOLE, SHRUNK, RESTORED } state;

/* The file is shorter while the filter's threads work, and whole again when events are printed. */
static void shrink_for_filter(enum fault_call call, uint64_t number)
{
    if (call == FAULT_THREAD && number == threads_of_index + 1) {
        cr_assert_eq(ftruncate(capture_fd, (off_t)size / 2), 0);
        state = SHRUNK;
    } else if (call == FAULT_MEMORY && state == SHRUNK &&
               pthread_equal(pthread_self(), main_thread)) {
        cr_assert_eq(pwrite(capture_fd, bytes + size / 2, size - size / 2, (off_t)size / 2),
                     (ssize_t)(size - size / 2));
        state = RESTORED;
    }
}

Test(dump, a_style_whose_filter_met_a_shorter_file)
{
    char **with_filter = WORDS("--no-cache", "--style", "traceprinter", "--filter",
                               "arg.priority > 0", "-o", output, capture);
    char **without = WORDS("--no-cache", "--style", "traceprinter", "-o", output, capture);
    const struct fault none = {0}, shrinking = {.notify = shrink_for_filter};
    char *whole, *part;

    faults_arm(&none);
    cr_assert_eq(run(without), TT_EXIT_GOOD);
    threads_of_index = faults_calls(FAULT_THREAD);
    cr_assert_eq(run(with_filter), TT_EXIT_GOOD);
    cr_assert_gt(faults_calls(FAULT_THREAD), 2 * threads_of_index, "a thread of the filter");
    size_t length = read_output(&whole);

    main_thread = pthread_self();
    faults_arm(&shrinking);
    enum tt_exit code = run(with_filter);
    faults_disarm();
    cr_expect_eq(state, RESTORED);
    cr_expect_eq(code, TT_EXIT_DAMAGED, "%d", code);
    cr_expect_lt(read_output(&part), length);
    free(whole);
    free(part);
}

/* ---- no memory ---------------------------------------------------------------------------- */

/* Limits the process to one CPU: which allocation is the n-th does not depend on the order of threads. */
static void use_one_cpu(void)
{
#ifdef __linux__
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
#endif
}

/*
 * Makes the allocations from the output's first one on fail, one per run: the command fails and
 * leaves the old output, or prints the same as with memory.
 */
static void check_memory(char **argv)
{
    char *wanted, *got;
    const struct fault none = {0};
    struct tt_options options;
    use_one_cpu();
    faults_arm(&none);
    parse(argv, &options);
    tt_options_free(&options);
    const uint64_t parsed = faults_calls(FAULT_MEMORY);
    faults_arm(&none);
    cr_assert_eq(run(argv), TT_EXIT_GOOD);
    uint64_t count = faults_calls(FAULT_MEMORY);
    size_t length = read_output(&wanted);
    unsigned failures = 0;
    /* Earlier allocations belong to opening and indexing. */
    for (uint64_t nth = count > parsed + 120 ? count - 120 : parsed + 1; nth <= count; nth++) {
        const struct fault no_memory = {.call = FAULT_MEMORY, .nth = nth};
        int fd = open(output, O_WRONLY | O_TRUNC);
        cr_assert(fd >= 0 && write(fd, "old", 3) == 3);
        close(fd);
        faults_arm(&no_memory);
        enum tt_exit code = run(argv);
        faults_disarm();
        size_t got_length = read_output(&got);
        if (code == TT_EXIT_GOOD) {
            cr_assert(got_length == length && memcmp(got, wanted, length) == 0,
                      "allocation %u of %u", (unsigned)nth, (unsigned)count);
        } else {
            cr_assert_eq(code, TT_EXIT_FAILED, "allocation %u: exit status %d", (unsigned)nth,
                         code);
            cr_assert(got_length == 3 && memcmp(got, "old", 3) == 0);
            failures++;
        }
        free(got);
    }
    cr_expect_gt(failures, 3);
    free(wanted);
}

Test(dump, without_memory)
{
    check_memory(WORDS("--no-cache", "--to", "2ms", "-o", output, capture));
}

Test(dump, without_memory_for_a_filter)
{
    check_memory(WORDS("--no-cache", "--format", "csv", "--filter", "arg.priority > 0", "-o",
                       output, capture));
}
