/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index cache of a large capture through the interface of a trace: its states, a capture that
 * grows, and an index cache that is truncated.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"
#include "faults/faults.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define BLOB_BYTES 32000u
#define BLOBS      264u
#define FIRST_PART 16000u

static char folder[] = "/tmp/tracetui-cache-XXXXXX";
static char capture[64];
static char cache[80];

/* Blobs make it large; there are events before and after them. */
static void write_capture(void)
{
    uint64_t blob[BLOB_BYTES / 8 + 2] = {UINT64_C(0x0001000000000005), 'x'};
    blob[0] |= UINT64_C(4002) << 4 | UINT64_C(0x8001) << 16 | (uint64_t)BLOB_BYTES << 32;
    uint8_t small[FIRST_PART];
    FILE *from = fopen("tests/filter/small.fxt", "rb"), *to = fopen(capture, "wb");
    cr_assert(from && to);
    cr_assert_eq(fread(small, 1, sizeof small, from), sizeof small);
    cr_assert_eq(fwrite(small, 1, sizeof small, to), sizeof small);
    for (unsigned i = 0; i < BLOBS; i++) {
        cr_assert_eq(fwrite(blob, 1, sizeof blob, to), sizeof blob);
    }
    fclose(from);
    fclose(to);
}

static void grow_capture(void)
{
    uint8_t bytes[4096];
    FILE *from = fopen("tests/filter/small.fxt", "rb"), *to = fopen(capture, "ab");
    cr_assert(from && to);
    cr_assert_eq(fseek(from, FIRST_PART, SEEK_SET), 0);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, from)) > 0;) {
        cr_assert_eq(fwrite(bytes, 1, n, to), n);
    }
    fclose(from);
    fclose(to);
}

/* Waits until the time of the last write is in the past. */
static void settle(void)
{
    const struct timespec nap = {0, 150000000};
    nanosleep(&nap, NULL);
}

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(capture, sizeof capture, "%s/a.fxt", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    write_capture();
    settle();
}

/* Finds the only index cache. */
static void kept_path(char path[256])
{
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/index-*", cache);
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
    cr_assert_eq(found.gl_pathc, 1);
    snprintf(path, 256, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static void end(void)
{
    char path[256];
    kept_path(path);
    unlink(path);
    unlink(capture);
    rmdir(cache);
    cr_expect_eq(rmdir(folder), 0, "nothing else is left there");
}

static struct tt_trace *open_capture(bool cached)
{
    struct tt_trace_options options = {.cache = {.on = cached, .folder = cache}};
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(capture, &options, &trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    return trace;
}

static void make_index(struct tt_trace *trace)
{
    struct tt_status status = tt_trace_index(trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
}

static enum tt_cache_state state_of(struct tt_trace *trace)
{
    struct tt_status why;
    return tt_trace_cache(trace, &why);
}

static uint64_t sum_of(struct tt_trace *trace)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_capture *c = tt_trace_capture(trace);
    struct tt_progress p = tt_trace_progress(trace);
    uint64_t sum = p.events * 31 + p.records * 7 + p.last_ticks + tt_timelines_end(t);
    for (uint32_t n = 0; n < tt_thread_count(c); n++) {
        struct tt_interval_at at;
        for (bool more = tt_interval_first(t, n, &at); more; more = tt_interval_next(t, &at)) {
            struct tt_interval i = tt_interval_get(t, at);
            sum = sum * 31 + i.start + 3 * i.end + i.state;
        }
    }
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        sum = sum * 31 + tt_health_count(c, kind);
    }
    return sum;
}

static uint64_t sum_without(void)
{
    struct tt_trace *trace = open_capture(false);
    make_index(trace);
    uint64_t sum = sum_of(trace);
    tt_trace_close(trace);
    return sum;
}

TestSuite(cache_trace, ALONE);

Test(cache_trace, state_in_each_case)
{
    begin();
    struct tt_trace *trace = open_capture(false);
    cr_expect_eq(state_of(trace), TT_CACHE_OFF);
    tt_trace_close(trace);
    trace = open_capture(true);
    cr_expect_eq(state_of(trace), TT_CACHE_PENDING, "it will be kept, and is not left");
    make_index(trace);
    while (state_of(trace) == TT_CACHE_WRITING) {
        settle();
    }
    cr_expect_eq(state_of(trace), TT_CACHE_SAVED);
    tt_trace_close(trace);
    trace = open_capture(true);
    cr_expect_eq(state_of(trace), TT_CACHE_RESTORED);
    tt_trace_close(trace);
    end();
}

/* Opens and indexes the capture, and waits until its cache is written. */
static void keep(enum tt_cache_state expected)
{
    struct tt_trace *trace = open_capture(true);
    cr_expect_eq(state_of(trace), expected);
    make_index(trace);
    cr_expect_eq(sum_of(trace), sum_without());
    tt_trace_close(trace);
}

Test(cache_trace, the_index_of_a_capture_that_grew_replaces_the_one_before)
{
    begin();
    keep(TT_CACHE_PENDING);
    grow_capture();
    settle();
    keep(TT_CACHE_PENDING);
    keep(TT_CACHE_RESTORED);
    end(); /* expects one index cache */
}

Test(cache_trace, a_capture_that_grows_while_it_is_indexed_has_no_cache)
{
    struct tt_status why;
    begin();
    struct tt_trace *trace = open_capture(true);
    grow_capture();
    make_index(trace);
    while (state_of(trace) == TT_CACHE_WRITING) {
        settle();
    }
    cr_expect_eq(tt_trace_cache(trace, &why), TT_CACHE_FAILED);
    cr_expect_str_eq(why.text, "the capture changed during the write");
    tt_trace_close(trace);
    settle();
    keep(TT_CACHE_PENDING);
    keep(TT_CACHE_RESTORED);
    end();
}

Test(cache_trace, a_truncated_cache_is_detected_and_the_capture_reopens)
{
    char path[256];
    struct tt_trace *restarted = NULL;
    begin();
    struct tt_trace *trace = open_capture(true);
    make_index(trace);
    tt_trace_close(trace);
    trace = open_capture(true);
    make_index(trace);
    cr_expect_eq(state_of(trace), TT_CACHE_RESTORED);
    kept_path(path);
    cr_assert_eq(truncate(path, 64), 0);
    sum_of(trace); /* any result */
    cr_expect_eq(state_of(trace), TT_CACHE_TRUNCATED);
    struct tt_status status = tt_trace_restart(trace, &restarted);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    tt_trace_close(trace);
    make_index(restarted);
    cr_expect_neq(state_of(restarted), TT_CACHE_TRUNCATED);
    cr_expect_eq(sum_of(restarted), sum_without());
    tt_trace_close(restarted);
    end();
}

/* Info prints the reason after "cannot write the index cache: ": it does not name the cache again. */
static void expect_reason(struct tt_trace *trace, const char *reason)
{
    struct tt_status why;
    const struct timespec nap = {0, 1000000};
    while (tt_trace_cache(trace, &why) == TT_CACHE_WRITING) {
        nanosleep(&nap, NULL);
    }
    cr_expect_eq(tt_trace_cache(trace, &why), TT_CACHE_FAILED);
    cr_expect_str_eq(why.text, reason);
}

Test(cache_trace, the_reason_why_nothing_is_written)
{
    static const struct {
        struct fault fault;
        const char *reason;
    } failures[] = {
        {{.call = FAULT_TEMPORARY, .nth = 1, .error = EMFILE}, "open: Too many open files"},
        {{.call = FAULT_RENAME, .nth = 1, .error = EACCES}, "write: Permission denied"},
    };
    begin();
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        struct tt_trace *trace = open_capture(true);
        faults_arm(&failures[i].fault);
        make_index(trace);
        expect_reason(trace, failures[i].reason);
        faults_disarm();
        tt_trace_close(trace);
    }
    rmdir(cache);
    FILE *file = fopen(cache, "w"); /* in place of the folder */
    cr_assert_not_null(file);
    fclose(file);
    struct tt_trace *trace = open_capture(true);
    expect_reason(trace, "folder: Not a directory");
    tt_trace_close(trace);
    unlink(cache);
    unlink(capture);
    cr_expect_eq(rmdir(folder), 0, "nothing else is left there");
}

Test(cache_trace, nothing_is_computed_for_a_folder_that_cannot_be_written)
{
    struct tt_status why;
    begin();
    snprintf(cache, sizeof cache, "%s/cache", capture); /* below a file */
    struct tt_trace *trace = open_capture(true);
    cr_expect_eq(tt_trace_cache(trace, &why), TT_CACHE_FAILED);
    cr_expect_not_null(strstr(why.text, strerror(ENOTDIR)), "%s", why.text);
    make_index(trace);
    cr_expect_eq(tt_trace_cache(trace, &why), TT_CACHE_FAILED);
    cr_expect_eq(sum_of(trace), sum_without());
    tt_trace_close(trace);
    unlink(capture);
    cr_expect_eq(rmdir(folder), 0, "nothing else is left there");
}
