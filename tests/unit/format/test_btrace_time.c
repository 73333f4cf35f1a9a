/* SPDX-License-Identifier: Apache-2.0 */
/* Time of BTrace records: widths, wraps, directions, periods. */
#include <string.h>

#include "btrace_build.h"
#include "format/btrace/btrace_clock.h"

/* Both periods, and the flag that the stamps are halves of one count; bytes of a file. */
static const uint8_t one_clock[] = {0xbd, 0x37, 0x86, 0xd5, 0xbd, 0x37, 0x86, 0xf5, 1, 0, 0, 0};

/* Appends a record that needs no names. */
static uint64_t plain(struct stream *s, uint32_t ts)
{
    return stream_words(s, 7, 0, ts, (const uint32_t[]){1, 2, 3}, 3);
}

static uint64_t plain64(struct stream *s, uint32_t ts, uint32_t ts2)
{
    return stream_record(
        s, &(struct rec){.flags = TS | TS2, .category = 15, .sub = 2, .ts = ts, .ts2 = ts2});
}

/* Health counts the steps back of the wanted times, and nothing else, as time going back. */
static void expect_ticks(const struct stream *s, const uint64_t *wanted, uint32_t count)
{
    struct reading r = read_stream(s);
    uint64_t back = 0;
    cr_assert_eq(r.count, count);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_eq(r.events[i].ticks, wanted[i], "event %u: %llu, wanted %llu", i,
                     (unsigned long long)r.events[i].ticks, (unsigned long long)wanted[i]);
        back += i > 0 && wanted[i] < wanted[i - 1];
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), back);
    reading_free(&r);
}

Test(btrace_time, thirty_two_bits_wrap)
{
    struct stream s = {0};
    const uint32_t stamps[] = {0xfffffff0, 0xfffffffe, 5, 0x80000000, 0xf0000000, 1};
    for (unsigned i = 0; i < 6; i++) {
        plain(&s, stamps[i]);
    }
    expect_ticks(&s,
                 (const uint64_t[]){0xfffffff0, 0xfffffffe, 0x100000005, 0x180000000, 0x1f0000000,
                                    0x200000001},
                 6);
    stream_free(&s);
}

Test(btrace_time, thirty_two_bits_counting_down)
{
    struct stream s = {0};
    const uint32_t stamps[] = {100, 40, 0xffffff00, 0xfffff000};
    for (unsigned i = 0; i < 4; i++) {
        plain(&s, stamps[i]);
    }
    struct reading r = read_stream(&s);
    const uint64_t steps[] = {0, 60, 40 + 0x100, 0xf00};
    for (uint32_t i = 1; i < 4; i++) {
        cr_expect_eq(r.events[i].ticks - r.events[i - 1].ticks, steps[i]);
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), 0);
    reading_free(&r);
    stream_free(&s);
}

/* Few records that are far apart: each step of more than 2^31 is a wrap, none is a step back. */
Test(btrace_time, long_steps_of_a_short_file_are_wraps)
{
    struct stream s = {0};
    const uint32_t stamps[] = {0x100, 0x90000100, 0x80000000, 0x20000000};
    for (unsigned i = 0; i < 4; i++) {
        plain(&s, stamps[i]);
    }
    expect_ticks(&s, (const uint64_t[]){0x100, 0x90000100, 0x180000000, 0x220000000}, 4);
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_time, a_small_step_back_is_not_a_wrap)
{
    struct stream s = {0};
    const uint32_t stamps[] = {5000, 6000, 5990, 7000, 7001};
    for (unsigned i = 0; i < 5; i++) {
        plain(&s, stamps[i]);
    }
    expect_ticks(&s, (const uint64_t[]){5000, 6000, 5990, 7000, 7001}, 5);
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), 1);
    cr_expect_eq(tt_health_at(r.capture, 0).offset, r.events[2].pos);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_time, sixty_four_bits_by_the_flag)
{
    struct stream s = {0};
    stream_record(&s, &(struct rec){.flags = TS | TS2,
                                    .category = 15,
                                    .ts = 0xffffff00,
                                    .ts2 = 7,
                                    .data = one_clock,
                                    .length = 12});
    plain64(&s, 0x10, 8);
    plain64(&s, 0x20, 0x10008);             /* far more than one wrap of the low half */
    stream_words(&s, 15, 2, 0x30, NULL, 0); /* only the low half */
    expect_ticks(&s, (const uint64_t[]){0x7ffffff00, 0x800000010, 0x1000800000020, 0x1000800000030},
                 4);
    struct reading r = read_stream(&s);
    cr_expect_eq(r.capture->clock_hz, 1000000);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_time, sixty_four_bits_by_behaviour)
{
    struct stream s = {0};
    plain64(&s, 0xfffffff0, 3);
    plain64(&s, 0xfffffff8, 3);
    plain64(&s, 0x00000004, 4); /* an x86 kernel has flags 0 and writes both halves */
    plain64(&s, 0x00000002, 9);
    expect_ticks(&s, (const uint64_t[]){0x3fffffff0, 0x3fffffff8, 0x400000004, 0x900000002}, 4);
    stream_free(&s);
}

Test(btrace_time, a_tick_count_is_not_a_high_half)
{
    struct stream s = {0};
    plain64(&s, 0xfffffff0, 100);
    plain64(&s, 0xfffffff8, 101);
    plain64(&s, 0x00000004, 101);
    plain64(&s, 0x00000104, 103);
    expect_ticks(&s, (const uint64_t[]){0xfffffff0, 0xfffffff8, 0x100000004, 0x100000104}, 4);
    stream_free(&s);
}

Test(btrace_time, sixty_four_bits_counting_down)
{
    struct stream s = {0};
    stream_record(&s, &(struct rec){.flags = TS | TS2,
                                    .category = 15,
                                    .ts = 0x100,
                                    .ts2 = 7,
                                    .data = one_clock,
                                    .length = 12});
    plain64(&s, 0x80, 7);
    plain64(&s, 0xffffff80, 6);
    struct reading r = read_stream(&s);
    cr_expect_eq(r.events[1].ticks - r.events[0].ticks, 0x80);
    cr_expect_eq(r.events[2].ticks - r.events[1].ticks, 0x100);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_time, only_the_second_timestamp)
{
    struct stream s = {0};
    for (uint32_t i = 0; i < 4; i++) {
        stream_record(&s, &(struct rec){.flags = TS2, .category = 15, .sub = 2, .ts2 = 50 + i * 3});
    }
    expect_ticks(&s, (const uint64_t[]){50, 53, 56, 59}, 4);
    stream_free(&s);
}

Test(btrace_time, no_timestamps_at_all)
{
    struct stream s = {0};
    for (uint32_t i = 0; i < 4; i++) {
        stream_record(&s, &(struct rec){.category = 15, .sub = 2});
    }
    expect_ticks(&s, (const uint64_t[]){0, 0, 0, 0}, 4);
    stream_free(&s);
}

Test(btrace_time, a_record_without_a_timestamp_has_the_previous_time)
{
    struct stream s = {0};
    stream_record(&s, &(struct rec){.category = 15, .sub = 2});
    for (uint32_t i = 0; i < 5; i++) {
        plain(&s, 1000 + i);
    }
    stream_record(&s, &(struct rec){.category = 15, .sub = 2});
    for (uint32_t i = 0; i < 5; i++) {
        plain(&s, 2000 + i);
    }
    expect_ticks(
        &s,
        (const uint64_t[]){1000, 1000, 1001, 1002, 1003, 1004, 1004, 2000, 2001, 2002, 2003, 2004},
        12);
    stream_free(&s);
}

/* Encodes like the kernel: floor((2^64 - 1) / rate) * 2^-64, shifted until it fits 24 bits. */
static uint32_t encode_period(uint64_t rate)
{
    uint64_t mantissa = UINT64_MAX / rate;
    int exponent = -64;
    while (mantissa >= 1u << 24) {
        mantissa >>= 1;
        exponent++;
    }
    return (uint32_t)mantissa | (uint32_t)(uint8_t)exponent << 24;
}

Test(btrace_time, rates_from_periods)
{
    static const uint64_t rates[] = {100,      1000,     32768,     1000000,    1193182,   1843200,
                                     3250000,  3579545,  13000000,  24000000,   26000000,  33333333,
                                     38400000, 66000000, 100000000, 1000000000, 2400000000};
    cr_expect_eq(encode_period(1000000), 0xd58637bd);
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint64_t got = btrace_period_hz(encode_period(rates[i]));
        if (rates[i] < 8388608 || rates[i] % 100000 == 0) {
            cr_expect_eq(got, rates[i], "%llu came back as %llu", (unsigned long long)rates[i],
                         (unsigned long long)got);
        } else { /* 24 bits are too few: within their precision */
            double off = (double)got / (double)rates[i] - 1;
            cr_expect(off < 2e-7 && off > -2e-7, "%llu came back as %llu",
                      (unsigned long long)rates[i], (unsigned long long)got);
        }
    }
    cr_expect_eq(btrace_period_hz(0xec000001), 1048576); /* 2^-20 s, not normalised */
    cr_expect_eq(btrace_period_hz(0x00000001), 1);       /* a second */
    cr_expect_eq(btrace_period_hz(0x00000000), 0);
    cr_expect_eq(btrace_period_hz(0x7f000001), 0); /* far longer than a second */
    cr_expect_eq(btrace_period_hz(0x80000001), 0); /* shorter than any counter's */
    cr_expect_float_eq(btrace_period_seconds(0xd58637bd), 1e-6, 1e-13);
}

static const char *period_text(uint32_t period)
{
    static char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    btrace_period_text(&text, period);
    return tt_text_cstr(&text);
}

Test(btrace_time, periods_as_text)
{
    cr_expect_str_eq(period_text(encode_period(1000000)), "1 µs");
    cr_expect_str_eq(period_text(encode_period(32768)), "30.51758 µs");
    cr_expect_str_eq(period_text(encode_period(3)), "333.3333 ms");
    cr_expect_str_eq(period_text(0xf58637bd), "4294.967 s");
    cr_expect_str_eq(period_text(0), "0 s");
    cr_expect_str_eq(period_text(0x00000001), "1 s");
    cr_expect_str_eq(period_text(encode_period(1000000000)), "1 ns");
    cr_expect_gt(strlen(period_text(0x7fffffff)), 3);
    cr_expect_gt(strlen(period_text(0x80000001)), 3);
}

Test(btrace_time, a_differing_second_period_is_reported)
{
    struct stream s = {0};
    const uint32_t info[] = {0xd58637bd, 0xe0431bde, 0};
    const uint32_t other[] = {0xd58637be, 0xe0431bde, 0};
    stream_words(&s, 15, 0, 1, info, 3);
    stream_words(&s, 15, 0, 2, info, 3);
    stream_words(&s, 15, 0, 3, other, 3);
    struct reading r = read_stream(&s);
    cr_expect_eq(r.capture->clock_hz, 1000000);
    cr_expect(strstr(args_line(&r, 0), "period=0xd58637bd(1 µs) period2=0xe0431bde(1.024 ms)"),
              "%s", args_line(&r, 0));
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_HEADER), 1);
    cr_expect_eq(tt_health_at(r.capture, 0).offset, r.events[2].pos);
    reading_free(&r);
    stream_free(&s);
}
