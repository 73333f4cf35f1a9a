/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only public real capture: ulogger.log of a Symbian test run (2008), 1,924,896 bytes. The
 * numbers were measured by other means.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"

static const char path[] = "../shared/captures/btrace/ulogger.log";

static uint8_t *load(size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        cr_skip_test("%s is not there", path);
    }
    uint8_t *bytes = malloc(1 << 22);
    cr_assert_not_null(bytes);
    *size = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    cr_assert_eq(*size, 1924896);
    return bytes;
}

static uint32_t events_of(const struct reading *r, uint8_t category, uint8_t sub)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        count +=
            tt_types_at(r->capture, r->events[i].type)->code == ((uint64_t)category << 8 | sub);
    }
    return count;
}

Test(btrace_sample, every_record_is_accounted_for)
{
    size_t size;
    uint8_t *bytes = load(&size);
    struct reading r = read_bytes(bytes, size);
    cr_expect_eq(r.records, 42718);
    cr_expect_eq(r.count, 41045);
    cr_expect_eq(tt_health_kept(r.capture), 0, "no problems found");
    cr_expect_eq(tt_format_btrace.probe(tt_bytes_of(bytes, size), size), 90);
    /* Records by category and sub-category; further parts of multipart traces are counted
     * separately. */
    static const struct {
        uint8_t category, sub;
        uint32_t records, further_parts;
    } wanted[] = {
        {3, 0, 45, 0},     {3, 1, 24, 0},        {3, 2, 45, 0},      {3, 3, 24, 0},
        {3, 4, 35, 0},     {3, 5, 73, 0},        {3, 6, 71, 0},      {3, 7, 36, 0},
        {3, 8, 10, 0},     {194, 1, 1117, 70},   {194, 2, 7485, 0},  {194, 3, 7485, 0},
        {194, 4, 133, 0},  {194, 5, 100, 0},     {194, 6, 10311, 2}, {194, 7, 6478, 242},
        {194, 8, 1933, 0}, {195, 1, 7313, 1359},
    };
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        cr_expect_eq(events_of(&r, wanted[i].category, wanted[i].sub),
                     wanted[i].records - wanted[i].further_parts, "(%u,%u)", wanted[i].category,
                     wanted[i].sub);
        sum += wanted[i].records;
    }
    cr_expect_eq(sum, 42718);
    reading_free(&r);
    free(bytes);
}

Test(btrace_sample, multipart_traces)
{
    size_t size;
    uint8_t *bytes = load(&size);
    struct reading r = read_bytes(bytes, size);
    uint32_t groups = 0, middle = 0;
    for (uint32_t i = 0; i < r.count; i++) {
        if (!(r.events[i].flags & TT_EVENT_MULTIPART)) {
            continue;
        }
        struct tt_part parts[8];
        uint32_t count = tt_format_btrace.parts(r.capture, &r.events[i], size, parts, 8);
        uint32_t payload = 0;
        for (uint32_t p = 0; p < count && p < 8; p++) {
            payload += parts[p].length - parts[p].header;
        }
        /* N precedes A in the first part; the payload is without both. */
        uint32_t n = tt_load_u32(bytes + parts[0].offset + parts[0].header - 4, false);
        cr_assert_eq(payload, n + 4, "group %u", groups);
        if (groups == 0) {
            cr_expect_eq(n, 131);
            cr_expect_eq(count, 2);
            cr_expect_eq(parts[1].length - parts[1].header, 51);
        } else if (groups == 4) {
            cr_expect_eq(n, 161);
            cr_expect_eq(count, 3);
            cr_expect_eq(parts[2].length - parts[2].header, 1);
        }
        groups++;
        middle += count - 2;
    }
    cr_expect_eq(groups, 1544);
    cr_expect_eq(middle, 129);
    reading_free(&r);
    free(bytes);
}

Test(btrace_sample, time)
{
    size_t size;
    uint8_t *bytes = load(&size);
    struct reading r = read_bytes(bytes, size);
    cr_expect_eq(r.events[0].ticks, 2808778008);
    cr_expect_eq(r.events[r.count - 1].ticks - r.events[0].ticks, 4852315328);
    uint32_t wraps = 0;
    for (uint32_t i = 1; i < r.count; i++) {
        cr_assert_geq(r.events[i].ticks, r.events[i - 1].ticks);
        if (r.events[i].ticks >> 32 != r.events[i - 1].ticks >> 32) {
            wraps++;
            cr_expect_eq(r.events[i].pos, 974380);
        }
    }
    cr_expect_eq(wraps, 1);
    cr_expect_eq(r.capture->clock_hz, 0);
    reading_free(&r);
    free(bytes);
}

Test(btrace_sample, threads)
{
    size_t size;
    uint8_t *bytes = load(&size);
    struct reading r = read_bytes(bytes, size);
    cr_expect_eq(tt_process_count(r.capture), 36);
    /* One per id: one address was used twice with the same name, by ids 81 and 109. */
    cr_expect_eq(tt_thread_count(r.capture), 71);
    uint32_t *events = calloc(tt_thread_count(r.capture), sizeof *events);
    for (uint32_t i = 0; i < r.count; i++) {
        if (r.events[i].thread != TT_NO_THREAD) {
            cr_assert_eq(r.events[i].flags & TT_EVENT_INFERRED, 0);
            events[r.events[i].thread]++;
        }
    }
    uint32_t users = 0, sum = 0, with_name = 0;
    for (uint32_t i = 0; i < tt_thread_count(r.capture); i++) {
        users += events[i] > 0;
        sum += events[i];
        with_name += events[i] > 0 && thread_name(&r, i)[0] != '\0';
        cr_expect_neq(tt_process_at(r.capture, tt_thread_at(r.capture, i)->process)->pid, 0);
    }
    cr_expect_eq(users, 10);
    cr_expect_eq(with_name, 10);
    cr_expect_eq(sum, 40682, "all events of extensions have a context");
    cr_expect_str_eq(thread_name(&r, 0), "Null");
    cr_expect(tt_thread_at(r.capture, 0)->idle);
    cr_expect_str_eq(process_name_of(&r, 0), "EKern.exe[100041af]0001");
    free(events);
    reading_free(&r);
    free(bytes);
}
