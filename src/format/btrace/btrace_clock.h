/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_clock: the meaning of a stream's timestamps, and ascending 64-bit time from them.
 *
 *  Records do not describe their timestamps. A scan of the first BTRACE_SCAN_BYTES finds:
 *
 *    - EMetaTraceTimestampsInfo: the periods, and whether both words are one 64-bit count
 *      (class BTrace, enum TMetaTrace);
 *    - without that flag, the words are still one count if Timestamp2 steps exactly when Timestamp
 *      wraps, or is constant longer than its period allows;
 *    - the counter counts down if most steps go down (HAL attribute EFastCounterCountsUp).
 *
 *       Timestamp    ..fffffff0 fffffff8 00000000 00000008     32 bits, wraps
 *       ticks           fffffff0 fffffff8 100000000 100000008   64 bits
 *
 *  Pure functions; any thread.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_CLOCK_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "format/btrace/btrace_record.h"
#include "tracetui/text.h"

#define BTRACE_SCAN_BYTES (UINT64_C(256) << 10)

/* A step back by less is disorder, of which nothing is to be judged. */
#define BTRACE_STEP_BACK (UINT64_C(1) << 14)

struct btrace_clock {
    bool wide;        /* Timestamp and Timestamp2 are halves of one count */
    bool down;        /* the count goes down */
    bool second_only; /* only Timestamp2 exists */
    bool has_periods;
    uint8_t stream_flags; /* timestamps that most records have */
    uint16_t cpus;        /* CPUs seen, at least 1 */
    uint32_t period;      /* from EMetaTraceTimestampsInfo */
    uint32_t period2;
    uint32_t info_flags;
    uint64_t base;  /* of a wide count that goes down: ticks are base - count */
    uint64_t hz;    /* 0: unknown */
    uint64_t start; /* ticks of the first timestamp: the time of records before it */
    /* Steps of time that need no explanation, and those near damage (btrace_damage.h). */
    uint64_t step;
    uint64_t far_step;
};

/* Scans the first BTRACE_SCAN_BYTES of a stream, from its first record on. */
struct btrace_clock btrace_clock_scan(struct tt_bytes bytes, uint64_t front);

/*
 * Returns the rate of a period, or 0. The period is a mantissa (bits 0..23) times two to the power
 * of bits 24..31 (signed), in seconds. A mantissa of 24 bits was truncated by the writer: of the
 * integer rates whose period is truncated to the same word, the one with most trailing zeros is
 * returned.
 */
uint64_t btrace_period_hz(uint32_t period);
/* Returns the period in seconds. */
double btrace_period_seconds(uint32_t period);
/* Writes the period with a unit and seven digits, the precision of 24 bits: "1 us", "1.024 ms". */
void btrace_period_text(struct tt_text *text, uint32_t period);

/* Running time of a stream. */
struct btrace_time {
    uint64_t ticks;
    bool started;
};

/* btrace_time_step for a count of 64 bits. */
static inline bool btrace_time_step_wide(const struct btrace_clock *clock, struct btrace_time *time,
                                         uint64_t value)
{
    uint64_t ticks = value;
    if (clock->down) {
        ticks = value < clock->base ? clock->base - value : 0;
    }
    bool forward = !time->started || ticks >= time->ticks;
    time->ticks = ticks;
    time->started = true;
    return forward;
}

/* btrace_time_step for a count of 32 bits. */
static inline bool btrace_time_step_narrow(struct btrace_time *time, uint32_t value)
{
    const uint32_t disorder = UINT32_C(1) << 20; /* a larger backward step is a wrap */
    if (!time->started) {
        time->ticks = value;
        time->started = true;
        return true;
    }
    uint32_t back = (uint32_t)time->ticks - value;
    if (back != 0 && back < disorder && back <= time->ticks) {
        time->ticks -= back;
        return false;
    }
    time->ticks += value - (uint32_t)time->ticks;
    return true;
}

/*
 * Computes the time of the next record from its flags and timestamps; one without a timestamp has the
 * time of the previous one. Returns false for a backward step of less than 2^20 of a 32-bit count, which
 * is disorder; any other is a wrap.
 */
static inline bool btrace_time_step(const struct btrace_clock *clock, struct btrace_time *time,
                                    uint8_t flags, uint32_t timestamp, uint32_t timestamp2)
{
    uint8_t has = clock->second_only ? BTRACE_HAS_TIMESTAMP2 : BTRACE_HAS_TIMESTAMP;
    if (!(flags & has)) {
        return true;
    }
    if (clock->wide && (flags & BTRACE_HAS_TIMESTAMP2)) {
        return btrace_time_step_wide(clock, time, (uint64_t)timestamp2 << 32 | timestamp);
    }
    uint32_t value = clock->second_only ? timestamp2 : timestamp;
    if (clock->wide && clock->down) {
        value = (uint32_t)clock->base - value;
    } else if (clock->down) {
        value = ~value;
    }
    return btrace_time_step_narrow(time, value);
}

#endif
