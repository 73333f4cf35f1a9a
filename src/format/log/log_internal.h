/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_internal: declarations shared by the files that read texts of logs.
 *
 *      Dec 04 03:05:54.082   devb_umass.20485   default*   8900  5   mounted
 *      |      time       |   | name    | pid |  | fields      | level | text
 *
 * A line is an event of the class LOG, whose name is its level. Its form is that of the first row of the table of forms
 * that reads it, so that a line is read alike wherever decoding begins.
 *
 *      log.c          format table, probe, opening
 *      log_decode.c   lines in order: cursor, times on the clock of the capture, lanes; arguments
 *      log_line.c     the parts of a line, by the table of forms
 *      log_time.c     times at the beginning of a line
 *      log_pattern.c  forms of the user: a regular expression each
 *
 * Memory: the capture owns the decoder. Threads: nothing changes after open but the capture's tables.
 */
#ifndef TT_FORMAT_LOG_INTERNAL_H
#define TT_FORMAT_LOG_INTERNAL_H

#include "tracetui/format.h"

/* The text between two places. */
struct log_span {
    const uint8_t *at;
    const uint8_t *end;
};

static inline size_t log_length(struct log_span span)
{
    return (size_t)(span.end - span.at);
}

/* ---- times (log_time.c) --------------------------------------------------------------------- */

/* The instants from which times count. */
enum log_clock {
    LOG_NO_CLOCK, /* the line has no time */
    LOG_DATE,     /* the epoch */
    LOG_IN_YEAR,  /* the year is not written: `month` and `day`, and seconds of the day */
    LOG_IN_DAY,   /* the date is not written: seconds of the day */
    LOG_UPTIME,   /* the start of the system */
};

/* The form of a time as it is written. */
enum log_shape {
    LOG_MONTH_NAME,  /* Dec 04 03:05:54.082 */
    LOG_SLASHES,     /* 2025/01/21 19:12:22.090974 */
    LOG_DASHES,      /* 2025-01-21T19:12:22.090974+01:00, 2025-01-21 19:12:22,090 */
    LOG_MONTH_DAY,   /* 01-21 19:12:22.090 */
    LOG_TIME_OF_DAY, /* 19:12:22.090 */
    LOG_SECONDS,     /* 1737486742.090, 12.345678 */
    LOG_BRACKETED,   /* [   12.345678] */
    LOG_SHAPES
};

struct log_time {
    int64_t seconds;
    uint32_t ns;
    uint8_t clock; /* enum log_clock */
    uint8_t shape; /* enum log_shape */
    uint8_t month; /* of LOG_IN_YEAR: 1 to 12 */
    uint8_t day;
    bool has_t; /* of LOG_DASHES: a T is between date and time */
};

/* Reads the time at *at, after blanks, and moves *at after it. Returns false, without moving, if there is none. */
bool log_time_pass(const uint8_t **at, const uint8_t *end, struct log_time *time);
/* Returns the days from the epoch to a date. */
int64_t log_days_of(int64_t year, unsigned month, unsigned day);
/* Returns the seconds since the epoch of a time with a clock of dates; of those that are possible, the nearest to `near`. */
int64_t log_seconds_near(const struct log_time *time, int64_t near);

/* ---- lines (log_line.c) --------------------------------------------------------------------- */

/* Levels: X(id, name of the event, kind) */
#define LOG_LEVEL_INFO(X)                                                                          \
    X(LOG_NO_LEVEL, "LINE", TT_KIND_LOG)                                                           \
    X(LOG_FATAL, "FATAL", TT_KIND_LOG_ERROR)                                                       \
    X(LOG_ERROR, "ERROR", TT_KIND_LOG_ERROR)                                                       \
    X(LOG_WARNING, "WARNING", TT_KIND_LOG_WARNING)                                                 \
    X(LOG_NOTICE, "NOTICE", TT_KIND_LOG)                                                           \
    X(LOG_INFO, "INFO", TT_KIND_LOG)                                                               \
    X(LOG_DEBUG, "DEBUG", TT_KIND_LOG)                                                             \
    X(LOG_VERBOSE, "VERBOSE", TT_KIND_LOG)

enum log_level {
#define X(id, name, kind) id,
    LOG_LEVEL_INFO(X)
#undef X
        LOG_LEVELS
};

struct log_field {
    const char *name; /* a constant */
    struct log_span value;
};

#define LOG_FIELDS 5u

struct log_line {
    struct log_time time;
    const char *form; /* its name; NULL: no form reads the line */
    uint8_t level;    /* enum log_level */
    bool has_pid;
    bool has_tid;
    uint64_t pid;
    uint64_t tid;
    struct log_span name; /* of the process, or of what else has written it; empty: none */
    struct log_field fields[LOG_FIELDS];
    uint32_t field_count;
    struct log_span text;
};

struct log_decoder;

/* Reads a line without its end. A decoder that is not open accepts times of every shape. */
void log_line_read(const struct log_decoder *decoder, struct log_span span, struct log_line *line);
/* Returns the line that begins at `pos`, without CR and LF; *next is where the next one begins. */
struct log_span log_line_at(struct tt_bytes bytes, uint64_t pos, uint64_t *next);
/* Returns the level of a word in any case: "warn", "E"; LOG_NO_LEVEL if it is none. */
enum log_level log_level_of(struct log_span word);
/* Returns whether the span is a number, which it sets. */
bool log_number_of(struct log_span span, uint64_t *number);

/* ---- forms of the user (log_pattern.c) ------------------------------------------------------ */

struct log_patterns;

/* Compiles the forms. TT_ERR_USAGE with the name of a form that is none, TT_ERR_MEMORY. */
struct tt_status log_patterns_new(const struct tt_log_form *forms, uint32_t count,
                                  struct log_patterns **patterns);
void log_patterns_free(struct log_patterns *patterns);
/* Reads a line by the first form that matches it. Returns false if none does. Any thread. */
bool log_patterns_read(struct log_patterns *patterns, struct log_span span, struct log_line *line);

/* ---- decoder and cursor --------------------------------------------------------------------- */

struct log_decoder {
    struct log_patterns *patterns; /* NULL: none */
    int64_t base;                  /* seconds since the epoch at tick 0, or, of uptimes, 0 */
    int64_t first;                 /* seconds since the epoch near the first line */
    uint64_t begin;                /* ticks of the first line with a time */
    bool is_uptime;                /* the clock of the first line with a time */
    bool
        is_weak; /* the first time is a plain number or a time of the day, which other lines begin with by chance */
    bool is_open; /* the first line with a time is known */
};

#define LOG_SECONDS_MOST INT64_C(9000000000) /* from tick 0: ticks of a nanosecond have 63 bits */

struct tt_cursor *log_cursor_new(struct tt_capture *capture, bool learn);
size_t log_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void log_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t log_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result log_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch);
bool log_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args);

#endif
