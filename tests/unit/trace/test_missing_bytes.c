/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of a mapped file that are gone when they are read: a file that shrank is not one that has
 * an I/O error. The error is a page of an empty file in place of one of the capture's: an access
 * raises the same signal, and the capture keeps its size.
 */
#define _XOPEN_SOURCE 700 /* mkstemp, truncate */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracetui/timeline.h"
#include "tracetui/trace.h"

static char path[] = "/tmp/tracetui-missing-XXXXXX";
static size_t page;

static void copy_sample(void)
{
    static uint8_t bytes[1 << 20];
    FILE *from = fopen("tests/filter/small.kev", "rb");
    cr_assert(from);
    size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
    page = (size_t)sysconf(_SC_PAGESIZE);
    cr_assert(size > 8 * page, "%zu", size);
}

static void remove_sample(void)
{
    unlink(path);
}

TestSuite(missing_bytes, .init = copy_sample, .fini = remove_sample);

static struct tt_trace *open_sample(void)
{
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

/* Replaces the pages from number `first` on by pages that cannot be read. */
static void break_pages(struct tt_trace *trace, size_t first)
{
    char name[] = "/tmp/tracetui-empty-XXXXXX";
    struct tt_bytes bytes = tt_trace_capture(trace)->bytes;
    int fd = mkstemp(name);
    cr_assert(fd >= 0);
    unlink(name);
    uint8_t *at = (uint8_t *)(uintptr_t)bytes.data + first * page;
    size_t length = (size_t)bytes.size - first * page;
    cr_assert_eq(mmap(at, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0), (void *)at);
    close(fd);
}

static uint64_t count(struct tt_trace *trace, enum tt_health_kind kind)
{
    return tt_health_count(tt_trace_capture(trace), kind);
}

static void make_index(struct tt_trace *trace)
{
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

Test(missing_bytes, an_io_error_is_no_truncation)
{
    struct tt_trace *trace = open_sample();
    break_pages(trace, 4);
    make_index(trace);
    cr_expect_eq(count(trace, TT_HEALTH_SHRUNK), 0);
    cr_expect_eq(count(trace, TT_HEALTH_UNREADABLE), 1);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.code, TT_ERR_FORMAT);
    cr_expect(damage.offset <= 4 * page, "%llu", (unsigned long long)damage.offset);
    cr_expect(strstr(damage.text, "could not be read"), "%s", damage.text);
    cr_expect(strstr(tt_trace_missing_text(trace), "could not be read"));
    tt_trace_close(trace);
}

Test(missing_bytes, a_truncation_is_no_io_error)
{
    struct tt_trace *trace = open_sample();
    cr_assert_eq(truncate(path, (off_t)(4 * page)), 0);
    make_index(trace);
    cr_expect_eq(count(trace, TT_HEALTH_SHRUNK), 1);
    cr_expect_eq(count(trace, TT_HEALTH_UNREADABLE), 0);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.offset, 4 * page);
    cr_expect(strstr(damage.text, "shrank"), "%s", damage.text);
    cr_expect(strstr(tt_trace_missing_text(trace), "shrank"));
    tt_trace_close(trace);
}

Test(missing_bytes, a_sound_capture_has_no_damage)
{
    struct tt_trace *trace = open_sample();
    make_index(trace);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.code, TT_OK, "%s", damage.text);
    tt_trace_close(trace);
}

/* The damage nearest to the start is named, that of the container before all; others are counted. */
Test(missing_bytes, the_first_damage_is_named)
{
    struct tt_trace *trace = open_sample();
    struct tt_capture *c = tt_trace_capture(trace);
    tt_health_add(c, TT_HEALTH_LOST, 3, 3, 1, "not damage");
    tt_health_add(c, TT_HEALTH_MALFORMED, 0x90, 0x90, 0, "late");
    cr_expect_str_eq(tt_health_damage(c).text, "malformed record: late");
    tt_health_add(c, TT_HEALTH_MALFORMED, 0x40, 0x40, 0, NULL);
    cr_expect_eq(tt_health_damage(c).offset, 0x40);
    cr_expect_str_eq(tt_health_damage(c).text, "malformed record (and 1 more: see tracetui info)");
    tt_health_add(c, TT_HEALTH_CONTAINER, 0x1000, 0, 0, "sum");
    tt_health_count_more(c, TT_HEALTH_TRUNCATED, 1000);
    cr_expect_eq(tt_health_damage(c).offset, 0x1000);
    cr_expect_str_eq(tt_health_damage(c).text,
                     "damaged container: sum (and 1,002 more: see tracetui info)");
    tt_trace_close(trace);
}

/* More problems than are kept: there is damage, and its place is unknown. */
Test(missing_bytes, damage_that_was_only_counted)
{
    struct tt_trace *trace = open_sample();
    struct tt_capture *c = tt_trace_capture(trace);
    tt_health_count_more(c, TT_HEALTH_TRUNCATED, 1);
    cr_expect_eq(tt_health_damage(c).offset, TT_NO_OFFSET);
    cr_expect_str_eq(tt_health_damage(c).text, "damaged");
    tt_trace_close(trace);
}
