/* SPDX-License-Identifier: Apache-2.0 */
/* log: function table of logs; recognizes and opens them. */
#include <stdlib.h>

#include "base/hash.h"
#include "format/log/log_internal.h"
#include "tracetui/time.h"

#define PROBE_REACH (UINT64_C(64) << 10)
#define PROBE_LINES 64u
#define FIRST_REACH (UINT64_C(1) << 20) /* the first line with a time begins before it */
#define DAY         86400

/* A text is a log if it has a time in at least half of its first lines, which no control character is in. */
static int log_probe(struct tt_bytes head, uint64_t size)
{
    const struct log_decoder none = {0};
    const struct tt_bytes bytes = tt_bytes_slice(head, 0, PROBE_REACH);
    unsigned lines = 0, timed = 0;
    uint64_t next;
    for (uint64_t pos = 0; pos < bytes.size && lines < PROBE_LINES; pos = next) {
        const struct log_span span = log_line_at(bytes, pos, &next);
        struct log_line line;
        if (next == bytes.size && next < size && lines > 0) {
            break; /* the rest of the line is after what may be read */
        }
        for (const uint8_t *at = span.at; at < span.end; at++) {
            if (*at < '\t') {
                return 0;
            }
        }
        log_line_read(&none, span, &line);
        lines += span.at < span.end;
        timed += line.time.clock != LOG_NO_CLOCK;
    }
    return lines > 0 && timed * 2 >= lines ? 30 : 0;
}

/* Finds the first line with a time. Returns false if there is none. */
static bool find_first(struct tt_bytes bytes, const struct log_decoder *decoder,
                       struct log_line *line)
{
    uint64_t next;
    for (uint64_t pos = 0; pos < bytes.size && pos < FIRST_REACH; pos = next) {
        log_line_read(decoder, log_line_at(bytes, pos, &next), line);
        if (line->time.clock != LOG_NO_CLOCK) {
            return true;
        }
    }
    return false;
}

/*
 * Sets tick 0: of uptimes the start of the system; of dates that of the clock beside the log, or a day before the first
 * line if that is earlier or if there is no other clock, since a clock may be set back.
 */
static void set_clock(struct tt_capture *capture, struct log_decoder *decoder,
                      const struct tt_capture_options *options, const struct log_time *first)
{
    const bool is_beside = options && options->has_log_date;
    decoder->is_uptime = first->clock == LOG_UPTIME;
    decoder->is_weak = first->shape == LOG_SECONDS || first->shape == LOG_TIME_OF_DAY;
    decoder->first = is_beside ? options->log_date : 0;
    if (!decoder->is_uptime) {
        decoder->first = log_seconds_near(first, decoder->first);
        const bool is_after = is_beside && decoder->first >= options->log_begin;
        decoder->base = is_after ? options->log_begin : decoder->first - DAY;
    }
    const int64_t since = decoder->is_uptime ? first->seconds : decoder->first - decoder->base;
    decoder->begin = since <= LOG_SECONDS_MOST ? (uint64_t)since * TT_NS_PER_S + first->ns : 0;
    capture->clock_hz = TT_NS_PER_S;
    capture->has_wall_clock = !decoder->is_uptime && (first->clock == LOG_DATE || is_beside);
    capture->wall_clock = decoder->base;
    capture->since_boot = decoder->is_uptime;
}

static struct tt_status log_open(struct tt_capture *capture,
                                 const struct tt_capture_options *options)
{
    struct log_decoder *decoder = calloc(1, sizeof *decoder);
    struct log_line first;
    if (!decoder) {
        return tt_error_memory();
    }
    capture->decoder = decoder;
    struct tt_status status =
        options && options->log_form_count > 0
            ? log_patterns_new(options->log_forms, options->log_form_count, &decoder->patterns)
            : tt_ok();
    if (!tt_failed(&status) && !find_first(capture->bytes, decoder, &first)) {
        status = tt_error_at(TT_ERR_FORMAT, 0, "no line with a time");
    }
    if (tt_failed(&status)) {
        log_patterns_free(decoder->patterns);
        free(decoder);
        capture->decoder = NULL;
        return status;
    }
    set_clock(capture, decoder, options, &first.time);
    decoder->is_open = true;
    capture->opening = tt_hash_of_pair(decoder->begin, (uint64_t)decoder->base);
    if (capture->label) {
        capture->cpu_count = 0; /* it adds no CPU to the others */
    }
    static const char *const clocks[] = {"", "date", "date without a year", "time without a date",
                                         "since the start of the system"};
    const char *clock = clocks[first.time.clock];
    if ((first.time.clock == LOG_IN_YEAR || first.time.clock == LOG_IN_DAY) &&
        !capture->has_wall_clock) {
        capture->line = 1;
        tt_health_add(capture, TT_HEALTH_HEADER, 0, 0, 0,
                      first.time.clock == LOG_IN_YEAR ? "the times have no year"
                                                      : "the times have no date");
    }
    if (!tt_facts_add(capture, "log", "form", first.form, strlen(first.form)) ||
        !tt_facts_add(capture, "log", "clock", clock, strlen(clock))) {
        return tt_error_memory();
    }
    return tt_ok();
}

static void log_close(struct tt_capture *capture)
{
    struct log_decoder *decoder = capture->decoder;
    capture->decoder = NULL;
    if (decoder) {
        log_patterns_free(decoder->patterns);
    }
    free(decoder);
}

/* ---- format table --------------------------------------------------------------------------- */

static const struct tt_state_info states[] = {{.name = "unknown"}};

const struct tt_format tt_format_log = {
    .name = "log",
    .title = "log",
    .extensions = ".log .txt",
    .flags = TT_FORMAT_LOG,
    .states = states,
    .state_count = 1,
    .probe = log_probe,
    .open = log_open,
    .close = log_close,
    .cursor_new = log_cursor_new,
    .cursor_save = log_cursor_save,
    .cursor_load = log_cursor_load,
    .cursor_pos = log_cursor_pos,
    .decode = log_decode,
    .describe = log_describe,
};
