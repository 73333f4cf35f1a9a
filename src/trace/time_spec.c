/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/time_spec.h"

#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/time.h"

#define FRACTION_DIGITS 9
#define BILLION         1000000000

struct unit {
    const char *name;
    enum tt_time_spec_kind kind;
    int64_t scale; /* size of a unit in those of its kind */
};

static const struct unit units[] = {
    {"s", TT_TIME_SPEC_NS, BILLION},   {"ms", TT_TIME_SPEC_NS, 1000000},
    {"us", TT_TIME_SPEC_NS, 1000},     {"\xc2\xb5s", TT_TIME_SPEC_NS, 1000}, /* the micro sign */
    {"ns", TT_TIME_SPEC_NS, 1},        {"t", TT_TIME_SPEC_TICKS, 1},
    {"%", TT_TIME_SPEC_PART, 10000000}};

/* A decimal number, split so that no digit is rounded. */
struct decimal {
    bool negative;
    int64_t whole;
    int64_t billionths;
    bool finer; /* nonzero digits after the ninth decimal */
};

static struct tt_status bad(const char *text, const char *why)
{
    return tt_error(TT_ERR_USAGE, "'%.60s' is not a time: %s", text, why);
}

/* Reads digits with an optional fraction; returns the rest, or NULL if there is no number. */
static const char *time_spec_parse_decimal(const char *p, struct decimal *decimal)
{
    *decimal = (struct decimal){false, 0, 0, false};
    if (*p == '-') {
        decimal->negative = true;
        p++;
    }
    const char *start = p;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (decimal->whole > (INT64_MAX - 9) / 10) {
            return NULL;
        }
        decimal->whole = decimal->whole * 10 + (*p - '0');
    }
    if (p == start) {
        return NULL;
    }
    if (*p != '.') {
        return p;
    }
    int64_t scale = BILLION / 10;
    for (p++; *p >= '0' && *p <= '9'; p++) {
        decimal->billionths += (*p - '0') * scale;
        decimal->finer = decimal->finer || (scale == 0 && *p != '0');
        scale /= 10;
    }
    return p;
}

static struct tt_status parse_event_number(const char *text, struct tt_time_spec *when)
{
    struct decimal d;
    const char *end = time_spec_parse_decimal(text + 1, &d);
    if (!end || *end != '\0' || d.negative || strchr(text, '.')) {
        return bad(text, "an event is # and its number, as #1234");
    }
    *when = (struct tt_time_spec){TT_TIME_SPEC_EVENT, d.whole};
    return tt_ok();
}

struct tt_status tt_time_spec_parse(const char *text, struct tt_time_spec *when)
{
    if (text[0] == '#') {
        return parse_event_number(text, when);
    }
    struct decimal d;
    const char *end = time_spec_parse_decimal(text, &d);
    if (!end) {
        return bad(text, "write it as 1.2s, 3ms, 4us, 5ns, 500t, #1234 or 40%");
    }
    if (*end == '\0') {
        return bad(text, "a unit is missing (s, ms, us, ns, t for ticks, %)");
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) != 0) {
            continue;
        }
        int64_t value;

        /* Computes whole.billionths * scale exactly. */
        int64_t scale = units[i].scale;
        if (d.finer || d.whole > (INT64_MAX - scale) / scale) {
            return bad(text, "too large, or too precise");
        }
        int64_t fraction = d.billionths / (BILLION / scale);
        if (d.billionths % (BILLION / scale) != 0) {
            return bad(text, "too large, or too precise");
        }
        value = d.whole * scale + fraction;
        if (d.negative) {
            value = -value;
        }

        if (units[i].kind == TT_TIME_SPEC_PART && (value < 0 || value > BILLION)) {
            return bad(text, "a part is 0% to 100%");
        }
        *when = (struct tt_time_spec){units[i].kind, value};
        return tt_ok();
    }
    return bad(text, "the units are s, ms, us, ns, t for ticks, %");
}

/* Returns the ticks from the origin to the first tick that is displayed as `ns` or later. */
static uint64_t ticks_reaching(uint64_t ns, uint64_t hz)
{
    uint64_t ticks;
    int64_t shown;
    if (!tt_ns_to_ticks(ns, hz, &ticks)) {
        return UINT64_MAX;
    }
    if (tt_ticks_to_ns(ticks, hz, &shown) && (uint64_t)shown < ns) {
        ticks++;
    }
    return ticks;
}

static uint64_t from_origin(uint64_t origin, bool back, uint64_t ticks)
{
    if (back) {
        return ticks > origin ? 0 : origin - ticks;
    }
    return ticks > UINT64_MAX - origin ? UINT64_MAX : origin + ticks;
}

static void event_key(struct tt_events *events, uint64_t n, uint64_t *ticks, uint64_t *pos)
{
    struct tt_event event;
    *ticks = UINT64_MAX;
    *pos = UINT64_MAX;
    if (tt_events_read(events, tt_events_row_of_number(events, n), 1, &event) == 1) {
        *ticks = event.ticks;
        *pos = event.pos;
    }
}

struct tt_status tt_time_spec_resolve(const struct tt_time_spec *when, struct tt_trace *trace,
                                      struct tt_events *events, uint64_t *ticks, uint64_t *pos)
{
    const struct tt_capture *capture = tt_trace_capture(trace);
    struct tt_progress progress = tt_trace_progress(trace);
    uint64_t first = progress.events > 0 ? progress.first_ticks : 0;
    uint64_t span = progress.events > 0 ? progress.last_ticks - first : 0;
    uint64_t origin = capture->origin_ticks == UINT64_MAX ? first : capture->origin_ticks;
    bool back = when->value < 0;
    uint64_t size = back ? 0 - (uint64_t)when->value : (uint64_t)when->value;

    *pos = 0;
    switch (when->kind) {
    case TT_TIME_SPEC_EVENT:
        event_key(events, size, ticks, pos);
        break;
    case TT_TIME_SPEC_PART:
        tt_mul_div(span, size, BILLION, ticks);
        *ticks += first;
        break;
    case TT_TIME_SPEC_TICKS:
        *ticks = from_origin(origin, back, size);
        break;
    case TT_TIME_SPEC_NS:
        if (capture->clock_hz == 0) {
            return tt_error(TT_ERR_USAGE, "a time in seconds, but the capture has no clock: use "
                                          "--clock HZ or a time in ticks (500t)");
        }
        if (back) { /* rounding towards the origin is rounding up */
            uint64_t whole;
            *ticks = tt_ns_to_ticks(size, capture->clock_hz, &whole)
                         ? from_origin(origin, true, whole)
                         : 0;
        } else {
            *ticks = from_origin(origin, false, ticks_reaching(size, capture->clock_hz));
        }
        break;
    case TT_TIME_SPEC_NONE:
        *ticks = 0;
        break;
    }
    return tt_ok();
}
