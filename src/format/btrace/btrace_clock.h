/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_clock: what the timestamps of a stream mean, and 64-bit time that goes up from them.
 *
 * A stream does not say in each record how its timestamps are made. One look at its first
 * BTRACE_LOOK_BYTES tells:
 *
 *   - EMetaTraceTimestampsInfo: the periods, and whether both words are one 64-bit count
 *     (class BTrace, enum TMetaTrace);
 *   - without that flag, the words are still one count if Timestamp2 steps on whenever
 *     Timestamp wraps and never else, or stands still where its period says it could not;
 *   - the counter counts down if most steps go down (HAL attribute EFastCounterCountsUp).
 *
 *      Timestamp    ..fffffff0 fffffff8 00000000 00000008     32 bits, wraps
 *      ticks           fffffff0 fffffff8 100000000 100000008   64 bits
 *
 * Pure functions; any thread.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_CLOCK_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "format/btrace/btrace_record.h"
#include "tracetui/text.h"

#define BTRACE_LOOK_BYTES (UINT64_C(256) << 10)

struct btrace_clock {
    bool wide;        /* Timestamp and Timestamp2 are halves of one count */
    bool down;        /* it counts down */
    bool second_only; /* there is no Timestamp, only Timestamp2 */
    bool has_periods;
    uint8_t stream_flags; /* which timestamps most records have */
    uint16_t cpus;        /* CPUs seen, at least 1 */
    uint32_t period;      /* as EMetaTraceTimestampsInfo gives it */
    uint32_t period2;
    uint32_t info_flags;
    uint64_t base;  /* a wide count that goes down: ticks are base - count */
    uint64_t hz;    /* 0: not known */
    uint64_t start; /* ticks of the first timestamp: the time of what comes before it */
};

/* Looks at the first BTRACE_LOOK_BYTES of a stream. */
struct btrace_clock btrace_clock_look(struct tt_bytes bytes);

/*
 * The rate that a period stands for, or 0: mantissa (bits 0..23) times two to the power of bits
 * 24..31 (signed), in seconds. A mantissa that fills its 24 bits was cut by the writer: of the
 * whole rates whose period is cut to the same word, the one with most zeros at its end is taken.
 */
uint64_t btrace_period_hz(uint32_t period);
/* The period in seconds. */
double btrace_period_seconds(uint32_t period);
/* The same for people, seven digits as its 24 bits hold: "1 us", "1.024 ms". */
void btrace_period_text(struct tt_text *text, uint32_t period);

/* The running time of a stream. */
struct btrace_time {
    uint64_t ticks;
    bool started;
};

/*
 * The time of the next record; one without a timestamp has the time of the one before it. A step
 * back by less than 2^20 of a 32-bit count is taken as such (false), any other as a wrap.
 */
bool btrace_time_step(const struct btrace_clock *clock, struct btrace_time *time,
                      const struct btrace_record *record);

#endif
