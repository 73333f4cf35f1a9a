/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit time of each CPU from low halves and CONTROL/TIME. */
#include <criterion/criterion.h>
#include <string.h>

#include "format/kev/kev_internal.h"
#include "kev_build.h"

#define HIGH(n) ((uint64_t)(n) << 32)

static void tick(struct kev_build *b, unsigned cpu, uint32_t stamp)
{
    kev_build_event(b, cpu, KB_USER, 1, stamp, 2, 0, 0);
}

static void check(const struct kev_build *b, const uint64_t *ticks, uint32_t count,
                  unsigned no_time, unsigned back)
{
    struct kev_read r = kev_read_all(b);
    cr_assert_eq(r.event_count, count, "%u events", r.event_count);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(r.events[i].ticks, ticks[i], "event %u: %#llx, not %#llx", i,
                     (unsigned long long)r.events[i].ticks, (unsigned long long)ticks[i]);
    }
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_NO_TIME), no_time);
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), back);
    cr_assert_not(tt_health_damaged(r.capture));
    kev_read_free(&r);
}

Test(kev_time, low_half_wraps_with_a_time_event)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_time(&b, 0, 0xfffffff0, 7);
    tick(&b, 0, 0xfffffff8);
    kev_build_time(&b, 0, 0x10, 8);
    tick(&b, 0, 0x20);
    uint64_t ticks[] = {HIGH(7) | 0xfffffff0, HIGH(7) | 0xfffffff8, HIGH(8) | 0x10, HIGH(8) | 0x20};
    check(&b, ticks, 4, 0, 0);
    kev_build_free(&b);
}

Test(kev_time, low_half_wraps_without_a_time_event)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, 0xfffffff0, 7);
    tick(&b, 0, 0x20);
    tick(&b, 0, 0x90000000);
    tick(&b, 0, 0x10000000);
    tick(&b, 0, 0xc0000000); /* silent for long: still forward */
    uint64_t ticks[] = {HIGH(7) | 0xfffffff0, HIGH(8) | 0x20, HIGH(8) | 0x90000000,
                        HIGH(9) | 0x10000000, HIGH(9) | 0xc0000000};
    check(&b, ticks, 5, 0, 0);
    kev_build_free(&b);
}

/* The stamp of a TIME is taken after its low half: a roll-over may be in between. */
Test(kev_time, stamp_of_time_is_later_than_its_low_half)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_slot(&b, 0, KB_SIMPLE, KB_CONTROL, 1, 5, 0x37b0, 0xfffffffe);
    tick(&b, 0, 9);
    uint64_t ticks[] = {HIGH(0x37b1) | 5, HIGH(0x37b1) | 9};
    check(&b, ticks, 2, 0, 0);
    kev_build_free(&b);
}

Test(kev_time, times_before_the_first_time_event_are_computed_back)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_buffer(&b, 0, 0xffffff00, 33, 5);
    tick(&b, 0, 0xffffff80);
    tick(&b, 0, 0x10);
    kev_build_time(&b, 0, 0x20, 9);
    tick(&b, 0, 0x30);
    uint64_t ticks[] = {HIGH(8) | 0xffffff00, HIGH(8) | 0xffffff80, HIGH(9) | 0x10, HIGH(9) | 0x20,
                        HIGH(9) | 0x30};
    check(&b, ticks, 5, 0, 0);
    kev_build_free(&b);
}

Test(kev_time, each_cpu_has_its_own)
{
    struct kev_build b;
    kev_build_begin(&b, "6.5.0", false);
    kev_build_time(&b, 0, 0x1000, 7);
    tick(&b, 1, 0x2000);
    kev_build_time(&b, 1, 0x3000, 20); /* this CPU's clock is elsewhere */
    tick(&b, 0, 0x4000);
    tick(&b, 1, 0x5000);
    tick(&b, 0, 0x10); /* rolled over */
    tick(&b, 1, 0x6000);
    uint64_t ticks[] = {HIGH(7) | 0x1000,  HIGH(20) | 0x2000, HIGH(20) | 0x3000, HIGH(7) | 0x4000,
                        HIGH(20) | 0x5000, HIGH(7) | 0x10,    HIGH(20) | 0x6000};
    /* 0x10 after 0x4000 is a little back, not a whole round on. */
    check(&b, ticks, 7, 0, 1);
    kev_build_free(&b);
}

Test(kev_time, cpu_without_a_time_of_its_own_is_near_the_others)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, 0xfffffff0, 7);
    tick(&b, 2, 0xfffffff8);
    tick(&b, 3, 0x10);
    tick(&b, 0, 0x20);
    uint64_t ticks[] = {HIGH(7) | 0xfffffff0, HIGH(7) | 0xfffffff8, HIGH(8) | 0x10, HIGH(8) | 0x20};
    check(&b, ticks, 4, 0, 0);
    kev_build_free(&b);
}

Test(kev_time, no_time_at_all)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_buffer(&b, 0, 0xfffffff0, 33, 3);
    tick(&b, 0, 0xfffffff8);
    tick(&b, 0, 0x10);
    uint64_t ticks[] = {0xfffffff0, 0xfffffff8, HIGH(1) | 0x10};
    check(&b, ticks, 3, 1, 0);
    kev_build_free(&b);
}

/* The parts of an event carry its stamp, also after an overflow. */
Test(kev_time, parts_do_not_move_the_clock)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_time(&b, 0, 0xffffff00, 7);
    kev_build_slot(&b, 0, KB_BEGIN, KB_CALL, 11, 0xfffffff0, 1, 2);
    kev_build_time(&b, 0, 0x10, 8);
    tick(&b, 0, 0x20);
    kev_build_slot(&b, 0, KB_END, KB_CALL, 11, 0xfffffff0, 3, 4);
    tick(&b, 0, 0x30);
    uint64_t ticks[] = {HIGH(7) | 0xffffff00, HIGH(7) | 0xfffffff0, HIGH(8) | 0x10, HIGH(8) | 0x20,
                        HIGH(8) | 0x30};
    check(&b, ticks, 5, 0, 0);
    kev_build_free(&b);
}

Test(kev_time, time_back_is_counted)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, 0x5000, 7);
    tick(&b, 0, 0x6000);
    tick(&b, 0, 0x5fff);
    kev_build_time(&b, 0, 0x7000, 6);
    uint64_t ticks[] = {HIGH(7) | 0x5000, HIGH(7) | 0x6000, HIGH(7) | 0x5fff, HIGH(6) | 0x7000};
    check(&b, ticks, 4, 0, 2);
    kev_build_free(&b);
}

Test(kev_time, search_for_the_first_time_is_bounded)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    for (uint32_t i = 0; i < KEV_START_SLOTS; i++) {
        tick(&b, 0, 1000 + i);
    }
    kev_build_time(&b, 0, 0x90000000, 7);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.events[0].ticks, 1000);
    cr_assert_eq(r.events[r.event_count - 1].ticks, HIGH(7) | 0x90000000);
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_NO_TIME), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* Begins a capture whose clocks agree (qtime flag 8). */
static void begin_with_one_clock(struct kev_build *b)
{
    uint8_t page[256] = {0};
    page[3] = 1; /* total size 256 */
    page[5] = 1; /* x86_64 */
    page[32] = 128;
    page[34] = 72;
    page[128 + 60] = 8;
    kev_build_empty(b, false);
    kev_build_text(b, "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_SYS_RELEASE::7.1.0"
                      "TRACE_CPU_NUM::5TRACE_CYCLES_PER_SEC::1000000"
                      "TRACE_SYSPAGE_LEN::256TRACE_HEADER_END::");
    kev_build_bytes(b, page, sizeof page);
}

/* One CPU's TIME keeps the others from missing a round. */
Test(kev_time, synchronous_clocks_advance_together)
{
    struct kev_build b;
    begin_with_one_clock(&b);
    kev_build_time(&b, 0, 0x1000, 1);
    kev_build_time(&b, 1, 0x1000, 1);
    kev_build_time(&b, 0, 0x1000, 5);
    tick(&b, 1, 0x2000);
    uint64_t ticks[] = {HIGH(1) | 0x1000, HIGH(1) | 0x1000, HIGH(5) | 0x1000, HIGH(5) | 0x2000};
    check(&b, ticks, 4, 0, 0);
    kev_build_free(&b);
}

/* Appends a TIME of CPU 0. */
static void advance_to(struct kev_build *b, uint64_t ticks)
{
    kev_build_time(b, 0, (uint32_t)ticks, (uint32_t)(ticks >> 32));
}

/*
 * CPU 0 counts in steps of 2^29 to 2^34: CPUs 1 and 2 are idle from the begin on, CPU 3 has two
 * events in between.
 */
Test(kev_time, idle_processors_advance_at_every_time)
{
    struct kev_build b;
    const uint64_t step = UINT64_C(1) << 29, start = HIGH(4);
    uint64_t ticks[64];
    uint32_t count = 0;
    begin_with_one_clock(&b);
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        kev_build_time(&b, cpu, (uint32_t)start + cpu, 4);
        ticks[count++] = start + cpu;
    }
    for (uint64_t i = 1; i <= 32; i++) {
        advance_to(&b, start + i * step);
        ticks[count++] = start + i * step;
        if (i == 7 || i == 31) {
            tick(&b, 3, (uint32_t)(start + i * step + 3));
            ticks[count++] = start + i * step + 3;
        }
    }
    for (unsigned cpu = 1; cpu < 4; cpu++) {
        tick(&b, cpu, (uint32_t)(start + 33 * step + cpu));
        ticks[count++] = start + 33 * step + cpu;
    }
    check(&b, ticks, count, 0, 0);
    kev_build_free(&b);
}

/* A processor whose time goes far back is advanced again with the next TIME. */
Test(kev_time, a_time_that_goes_back_is_advanced_again)
{
    struct kev_build b;
    const uint64_t start = HIGH(9), back = UINT64_C(3) << 28;
    begin_with_one_clock(&b);
    kev_build_time(&b, 0, (uint32_t)start, 9);
    kev_build_time(&b, 1, (uint32_t)start, 9);
    tick(&b, 1, (uint32_t)(start - back));
    tick(&b, 1, (uint32_t)(start - 2 * back));
    tick(&b, 1, (uint32_t)(start - 3 * back));
    tick(&b, 1, (uint32_t)(start - 4 * back));
    advance_to(&b, start + 1);
    tick(&b, 1, (uint32_t)(start + 2)); /* not one more step back */
    const uint64_t ticks[] = {
        start,     start,    start - back, start - 2 * back, start - 3 * back, start - 4 * back,
        start + 1, start + 2};
    check(&b, ticks, 8, 0, 4);
    kev_build_free(&b);
}

Test(kev_time, extend)
{
    cr_assert_eq(kev_time_extend(HIGH(3) | 5, 9), HIGH(3) | 9);
    cr_assert_eq(kev_time_extend(HIGH(3) | 5, 4), HIGH(3) | 4);
    cr_assert_eq(kev_time_extend(HIGH(3) | 5, 0xffffffff), HIGH(2) | 0xffffffff);
    cr_assert_eq(kev_time_extend(HIGH(3) | 0xffffffff, 2), HIGH(4) | 2);
    cr_assert_eq(kev_time_extend(HIGH(3), 0xbfffffff), HIGH(3) | 0xbfffffff);
    cr_assert_eq(kev_time_extend(HIGH(3), 0xc0000001), HIGH(2) | 0xc0000001);
    cr_assert_eq(kev_time_extend(5, 0xffffffff), 0xffffffff, "never below zero");
}
