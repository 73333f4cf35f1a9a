/* SPDX-License-Identifier: Apache-2.0 */
/* time_label: formats times for the screen as chosen by the user. */
#define _XOPEN_SOURCE 700
#include <time.h>

#include "tracetui/event_line.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/model/workspace.h"

/* Converts a time of the capture to a date and time of day in the zone. */
static bool to_date(const struct tt_workspace *ws, int64_t ns, struct tm *parts)
{
    int64_t utc = ws->opened.capture->wall_clock + ns / (int64_t)TT_NS_PER_S;
    time_t seconds = (time_t)(utc + tt_time_zone_ahead(&ws->nav.zone, utc));
    return gmtime_r(&seconds, parts) != NULL;
}

/* Appends the time of day: 14:03:22.204 118 204. */
static void write_time_of_day(struct tt_text *text, const struct tm *parts, int64_t ns)
{
    tt_text_u64_width(text, (uint64_t)parts->tm_hour, 2, '0');
    tt_text_char(text, ':');
    tt_text_u64_width(text, (uint64_t)parts->tm_min, 2, '0');
    tt_text_char(text, ':');
    tt_text_u64_width(text, (uint64_t)parts->tm_sec, 2, '0');
    char rest[32];
    struct tt_text fraction = tt_text_of(rest, sizeof rest);
    tt_units_seconds(&fraction, ns % (int64_t)TT_NS_PER_S);
    tt_text_bytes(text, rest + 1, fraction.used - 1); /* without the 0 before the decimal point */
}

void tt_time_label_date(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tm parts;
    int64_t ns;
    if (!capture->clock_hz || !tt_ticks_to_ns(ticks, capture->clock_hz, &ns) ||
        !to_date(ws, ns, &parts)) {
        tt_text_str(text, "unknown");
        return;
    }
    tt_text_i64(text, (int64_t)parts.tm_year + 1900);
    tt_text_char(text, '-');
    tt_text_u64_width(text, (uint64_t)parts.tm_mon + 1, 2, '0');
    tt_text_char(text, '-');
    tt_text_u64_width(text, (uint64_t)parts.tm_mday, 2, '0');
    tt_text_char(text, ' ');
    write_time_of_day(text, &parts, ns);
    char label[TT_ZONE_BYTES];
    tt_text_char(text, ' ');
    tt_text_str(text, tt_time_zone_label(&ws->nav.zone,
                                         capture->wall_clock + ns / (int64_t)TT_NS_PER_S, label));
}

static void write_relative(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tt_relative relative = tt_relative_ticks(capture, ticks, ws->index.progress.first_ticks);
    int64_t ns;
    if (capture->clock_hz && tt_ticks_to_ns(relative.ticks, capture->clock_hz, &ns)) {
        tt_units_seconds(text, relative.before ? -ns : ns);
    } else if (capture->clock_hz) { /* centuries */
        tt_line_time(text, capture, relative);
    } else {
        if (relative.before) {
            tt_text_char(text, '-');
        }
        tt_units_grouped(text, relative.ticks);
    }
}

static void write_absolute(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tm parts;
    int64_t ns;
    if (!capture->clock_hz || !tt_ticks_to_ns(ticks, capture->clock_hz, &ns)) {
        tt_text_u64(text, ticks);
    } else if (capture->has_wall_clock && to_date(ws, ns, &parts)) {
        write_time_of_day(text, &parts, ns);
    } else {
        tt_units_seconds(text, ns);
    }
}

void tt_time_label(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                   uint64_t before)
{
    const struct tt_capture *capture = ws->opened.capture;
    int64_t ns;
    switch (ws->nav.times) {
    case TT_TIMES_ABSOLUTE:
        write_absolute(ws, text, ticks);
        break;
    case TT_TIMES_DELTA:
        if (capture->clock_hz && tt_ticks_to_ns(ticks - before, capture->clock_hz, &ns)) {
            tt_units_seconds(text, ns);
        } else {
            tt_units_grouped(text, ticks - before);
        }
        break;
    case TT_TIMES_TICKS:
        tt_text_u64(text, ticks);
        break;
    default:
        write_relative(ws, text, ticks);
        break;
    }
}

void tt_time_label_moment(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    if (ws->nav.times == TT_TIMES_DELTA) {
        write_relative(ws, text, ticks);
    } else {
        tt_time_label(ws, text, ticks, ticks);
    }
}

void tt_time_label_place(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    tt_time_label_moment(ws, text, ticks);
    if (ws->nav.times == TT_TIMES_TICKS || !ws->opened.capture->clock_hz) {
        tt_text_str(text, " ticks");
    } else if (ws->nav.times != TT_TIMES_ABSOLUTE || !ws->opened.capture->has_wall_clock) {
        tt_text_str(text, " s");
    }
}

/* Returns the seconds since 1970 at a time. */
static int64_t utc_of(const struct tt_workspace *ws, uint64_t ticks)
{
    const struct tt_capture *capture = ws->opened.capture;
    int64_t ns;
    bool known = capture->clock_hz && tt_ticks_to_ns(ticks, capture->clock_hz, &ns);
    return capture->wall_clock + (known ? ns / (int64_t)TT_NS_PER_S : 0);
}

void tt_time_label_zone(const struct tt_workspace *ws, struct tt_text *text)
{
    char label[TT_ZONE_BYTES];
    int64_t utc = utc_of(ws, ws->index.progress.first_ticks);
    tt_text_str(text, tt_time_zone_label(&ws->nav.zone, utc, label));
}

int64_t tt_time_label_day(const struct tt_workspace *ws, uint64_t ticks)
{
    int32_t ahead = tt_time_zone_ahead(&ws->nav.zone, utc_of(ws, ticks));
    return (ws->opened.capture->wall_clock + ahead) % 86400;
}

const char *tt_time_label_unit(const struct tt_workspace *ws, char out[TT_TIME_UNIT_BYTES])
{
    struct tt_text text = tt_text_of(out, TT_TIME_UNIT_BYTES);
    if (ws->nav.times == TT_TIMES_TICKS || !ws->opened.capture->clock_hz) {
        tt_text_str(&text, "ticks");
    } else if (ws->nav.times == TT_TIMES_ABSOLUTE && ws->opened.capture->has_wall_clock) {
        tt_text_str(&text, "time ");
        tt_time_label_zone(ws, &text);
    } else {
        tt_text_str(&text, "time s");
    }
    return tt_text_cstr(&text);
}

void tt_time_label_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    int64_t ns;
    if (ws->opened.capture->clock_hz && tt_ticks_to_ns(ticks, ws->opened.capture->clock_hz, &ns)) {
        tt_units_duration(text, (uint64_t)ns, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
    } else {
        tt_units_grouped(text, ticks);
        tt_text_str(text, " ticks");
    }
}

#define WORDS(what)                                                                                \
    struct tt_words tt_words_##what(const struct tt_workspace *ws, uint64_t ticks)                 \
    {                                                                                              \
        struct tt_words words;                                                                     \
        struct tt_text text = tt_text_of(words.s, sizeof words.s);                                 \
        tt_time_label_##what(ws, &text, ticks);                                                    \
        tt_text_cstr(&text);                                                                       \
        return words;                                                                              \
    }
WORDS(moment)
WORDS(place)
WORDS(duration)
