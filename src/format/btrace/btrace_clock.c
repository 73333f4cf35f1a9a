/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_clock.h"

#include <math.h>

#include "base/text_units.h"
#include "format/btrace/btrace_damage.h"
#include "format/btrace/btrace_record_inline.h"

enum {
    MANTISSA_BITS = 24,
    MANTISSA_MASK = 0xffffff,
    INFO_WIDE = 1,
    INFO_BYTES = 12,
    BOTH = BTRACE_HAS_TIMESTAMP | BTRACE_HAS_TIMESTAMP2,
    /* Timestamp2 that is constant for this many of its periods is a high half. */
    STILL_PERIODS = 4,
    /* A high half steps no further between two records. */
    STEP2_MOST = 1 << 16,
    /* Up to this many steps, large backward steps are wraps of a count that goes up. */
    STEPS_FEW = 8,
    FAR_STEPS = 64,
};

/* Seconds to minutes of any known counter: more than between two records. */
#define FAR_BACK (UINT32_C(1) << 24)

/* ---- scan of the start ------------------------------------------------------------------ */

struct clock_scan {
    struct btrace_clock clock;
    uint32_t kinds[4]; /* records by timestamps: none, first, second, both */
    uint64_t ups;
    uint64_t downs;
    uint64_t far_downs; /* of these, FAR_BACK or more */
    uint64_t carries;   /* Timestamp2 stepped by one when Timestamp wrapped */
    uint64_t no_carry;  /* Timestamp2 stepped otherwise, or not at a wrap */
    uint64_t span;      /* total advance of Timestamp */
    uint32_t last;
    uint32_t last2;
    struct btrace_record first; /* with a timestamp */
    bool has_last;
    bool has_last2;
};

static bool first_place(struct tt_bytes bytes, uint64_t from, uint8_t stream_flags, bool known,
                        uint64_t *found)
{
    static const uint8_t usual[] = {BTRACE_HAS_TIMESTAMP, BOTH, 0, BTRACE_HAS_TIMESTAMP2};
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < sizeof usual; i++) {
        uint64_t resume = from + 1, at;
        const struct btrace_clock any_time = {.stream_flags = known ? stream_flags : usual[i],
                                              .step = UINT64_MAX,
                                              .far_step = UINT64_MAX};
        const struct btrace_judge judge = {
            .clock = &any_time, .bytes = bytes, .cpus = UINT16_MAX, .final = true};
        if (btrace_judge_recover(&judge, &resume, &at) && at < best) {
            best = at;
        }
        if (known) {
            break;
        }
    }
    *found = best;
    return best != UINT64_MAX;
}

static void scan_info(struct clock_scan *scan, const struct btrace_record *record)
{
    struct btrace_clock *clock = &scan->clock;
    if (record->category != BTRACE_META_TRACE || record->sub != BTRACE_TIMESTAMPS_INFO ||
        record->length < INFO_BYTES || clock->has_periods) {
        return;
    }
    clock->has_periods = true;
    clock->period = btrace_record_word(record, 0);
    clock->period2 = btrace_record_word(record, 1);
    clock->info_flags = btrace_record_word(record, 2);
}

static void scan_record(struct clock_scan *scan, const struct btrace_record *record)
{
    scan_info(scan, record);
    scan->kinds[(record->flags & BOTH) >> 1]++;
    if (record->cpu >= scan->clock.cpus && !(record->header2 & BTRACE_HEADER2_RESERVED)) {
        scan->clock.cpus = (uint16_t)(record->cpu + 1);
    }
    uint8_t has = scan->clock.second_only ? BTRACE_HAS_TIMESTAMP2 : BTRACE_HAS_TIMESTAMP;
    if (!(record->flags & has)) {
        return;
    }
    uint32_t now = scan->clock.second_only ? record->timestamp2 : record->timestamp;
    if (scan->has_last && now != scan->last) {
        bool up = now - scan->last < UINT32_C(1) << 31;
        *(up ? &scan->ups : &scan->downs) += 1;
        scan->far_downs += !up && scan->last - now >= FAR_BACK;
    }
    if (!scan->has_last) {
        scan->first = *record;
    }
    scan->last = now;
    scan->has_last = true;
}

/* Second pass, with known direction: counts whether Timestamp2 is a carry of Timestamp. */
static void scan_carry(struct clock_scan *scan, const struct btrace_record *record)
{
    if ((record->flags & BOTH) != BOTH) {
        return;
    }
    bool down = scan->clock.down;
    if (scan->has_last2) {
        uint32_t step2 = down ? scan->last2 - record->timestamp2 : record->timestamp2 - scan->last2;
        bool wraps = down ? record->timestamp > scan->last : record->timestamp < scan->last;
        scan->span += down ? scan->last - record->timestamp : record->timestamp - scan->last;
        if (wraps && step2 != 0 && step2 < STEP2_MOST) {
            scan->carries++;
        } else if (wraps || step2 != 0) {
            scan->no_carry++;
        }
    } else {
        scan->clock.base = (uint64_t)record->timestamp2 << 32 | record->timestamp;
    }
    scan->last = record->timestamp;
    scan->last2 = record->timestamp2;
    scan->has_last2 = true;
}

static void btrace_clock_walk(struct clock_scan *scan, struct tt_bytes bytes, uint64_t front,
                              void (*each)(struct clock_scan *scan,
                                           const struct btrace_record *record))
{
    struct btrace_record r;
    uint8_t stream_flags = 0;
    bool any = false;
    for (uint64_t pos = front; pos < bytes.size;) {
        enum btrace_read read = btrace_record_read(bytes, pos, &r);
        if (read == BTRACE_READ_OK) {
            each(scan, &r);
            any = true;
            stream_flags = r.flags & BOTH;
            pos = btrace_record_next(&r);
        } else if (read != BTRACE_READ_BAD || !first_place(bytes, pos, stream_flags, any, &pos)) {
            return;
        }
    }
}

/* Returns whether Timestamp2 is constant although its period is exceeded. */
static bool is_constant(const struct clock_scan *scan)
{
    double period = btrace_period_seconds(scan->clock.period);
    double period2 = btrace_period_seconds(scan->clock.period2);
    return scan->clock.has_periods && scan->has_last2 && scan->carries == 0 &&
           scan->no_carry == 0 && period2 > 0 &&
           (double)scan->span * period > STILL_PERIODS * period2;
}

struct btrace_clock btrace_clock_scan(struct tt_bytes bytes, uint64_t front)
{
    struct clock_scan scan = {.clock = {.cpus = 1}};
    bytes = tt_bytes_slice(bytes, 0, BTRACE_SCAN_BYTES);
    btrace_clock_walk(&scan, bytes, front, scan_record);
    struct btrace_clock *clock = &scan.clock;

    const uint32_t *kinds = scan.kinds;
    unsigned best = 0;
    for (unsigned i = 1; i < 4; i++) {
        if (kinds[i] > kinds[best]) {
            best = i;
        }
    }
    clock->stream_flags = (uint8_t)(best << 1);

    if (clock->stream_flags == BTRACE_HAS_TIMESTAMP2) {
        clock->second_only = true;
        scan.has_last = false;
        btrace_clock_walk(&scan, bytes, front, scan_record);
    }
    clock->down =
        scan.downs > scan.ups && (scan.ups + scan.downs >= STEPS_FEW || scan.far_downs == 0);
    btrace_clock_walk(&scan, bytes, front, scan_carry);
    clock->wide = scan.has_last2 && !clock->second_only &&
                  ((clock->info_flags & INFO_WIDE) || (scan.carries > 0 && scan.no_carry == 0) ||
                   is_constant(&scan));
    /* Leaves space above the first value for a record slightly out of order. */
    clock->base = clock->base > UINT64_MAX - UINT32_MAX ? UINT64_MAX : clock->base + UINT32_MAX;
    clock->hz = clock->has_periods
                    ? btrace_period_hz(clock->second_only ? clock->period2 : clock->period)
                    : 0;

    struct btrace_time time = {0};
    btrace_time_step(&scan.clock, &time, scan.first.flags, scan.first.timestamp,
                     scan.first.timestamp2);
    clock->start = time.ticks;

    /* Sets the steps that need no explanation: 2 ms; a step near damage may be 64 times as long. */
    const uint64_t least = UINT64_C(1) << 14, usual = UINT64_C(1) << 18, per_second = 512;
    uint64_t step = clock->hz == 0 ? usual : clock->hz / per_second;
    clock->step = step < least ? least : step;
    clock->far_step = clock->step > UINT64_MAX / FAR_STEPS ? UINT64_MAX : clock->step * FAR_STEPS;

    return *clock;
}

/* ---- periods ---------------------------------------------------------------------------- */

double btrace_period_seconds(uint32_t period)
{
    return ldexp((double)(period & MANTISSA_MASK), (int8_t)(period >> MANTISSA_BITS));
}

void btrace_period_text(struct tt_text *text, uint32_t period)
{
    static const char *const units[] = {" s", " ms", TT_MICROSECONDS, " ns"};
    const double seven_digits = 1e6, most = 1e9, one = 1 - 5e-8;
    double value = btrace_period_seconds(period);
    unsigned unit = 0;
    while (value > 0 && value < one && unit < 3) {
        value *= 1000;
        unit++;
    }
    if (value >= most || (value < one && value > 0)) {
        tt_text_double(text, value);
        tt_text_str(text, units[unit]);
        return;
    }
    uint64_t scale = 1;
    while (value * (double)scale < seven_digits * one && value > 0) {
        scale *= 10;
    }
    uint64_t digits = (uint64_t)llround(value * (double)scale);
    tt_text_u64(text, digits / scale);
    digits %= scale;
    for (char dot = '.'; digits > 0; dot = '\0') {
        if (dot) {
            tt_text_char(text, dot);
        }
        scale /= 10;
        /* cppcheck-suppress zerodivcond ; digits are below scale, so none are left at scale 1 */
        tt_text_u64(text, digits / scale);
        digits %= scale;
    }
    tt_text_str(text, units[unit]);
}

uint64_t btrace_period_hz(uint32_t period)
{
    const double most = 9007199254740992.0; /* 2^53: integers are exact below */
    double mantissa = period & MANTISSA_MASK;
    /* NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): a number of 8 bits, no character */
    int exponent = (int8_t)(period >> MANTISSA_BITS);
    if (mantissa < 1) {
        return 0;
    }
    double one = ldexp(1.0, -exponent);
    double rate = one / mantissa;
    if (!(rate >= 0.5 && rate <= most)) {
        return 0;
    }
    if (mantissa < (1 << (MANTISSA_BITS - 1))) {
        return (uint64_t)llround(rate);
    }
    double low = one / (mantissa + 1);
    double high = one / (mantissa - 0.5);
    double unit = 1e15;
    for (unsigned zeros = 15; zeros > 0; zeros--, unit /= 10) {
        double round_rate = floor(rate / unit + 0.5) * unit;
        if (round_rate >= low && round_rate <= high) {
            return (uint64_t)round_rate;
        }
    }
    return (uint64_t)llround(rate);
}
