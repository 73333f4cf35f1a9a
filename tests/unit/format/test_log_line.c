/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of logs in each form: their parts, their times, and times that lack a year or a date. */
#include <criterion/criterion.h>
#include <string.h>

#include "format/log/log_internal.h"

struct row {
    const char *line;
    const char *form; /* NULL: the line has no time */
    uint8_t level;
    int64_t seconds;
    uint32_t ns;
    int64_t pid; /* -1: none */
    int64_t tid;
    const char *text;
};

static bool is_text(struct log_span span, const char *text)
{
    return log_length(span) == strlen(text) && memcmp(span.at, text, strlen(text)) == 0;
}

#define DEC_4   (INT64_C(3) * 3600 + 5 * 60 + 54)
#define EVENING (INT64_C(19) * 3600 + 12 * 60 + 22)
#define JAN_21  (INT64_C(1737417600))

Test(log_line, each_form)
{
    static const struct row rows[] = {
        {"Dec 04 03:05:54.082 a.b_1.383 default*  8900  5  PPS on", "slog2info", LOG_INFO, DEC_4,
         82000000, 383, -1, "PPS on"},
        {"Dec 04 03:05:54.082 a.383     0  0  -----ONLINE-----", "slog2info", LOG_NO_LEVEL, DEC_4,
         82000000, 383, -1, "-----ONLINE-----"},
        {"Dec 04 03:05:54.082 iosock.12..1 slog* 0 12 cards", "slog2info", LOG_NO_LEVEL, DEC_4,
         82000000, 12, -1, "12 cards"},
        {"Dec 04 03:05:54    2    14     0 no driver", "sloginfo", LOG_ERROR, DEC_4, 0, -1, -1,
         "no driver"},
        {"<34>Dec  4 03:05:54 host su[12]: failed", "syslog (RFC 3164)", LOG_FATAL, DEC_4, 0, 12,
         -1, "failed"},
        {"Dec  4 03:05:54 host daemon.warn ntpd: slew", "syslog (RFC 3164)", LOG_WARNING, DEC_4, 0,
         -1, -1, "slew"},
        {"Dec  4 03:05:54 something else", "date and text", LOG_NO_LEVEL, DEC_4, 0, -1, -1,
         "something else"},
        {"<165>1 2025-01-21T19:12:22.5Z h app 77 ID4 [x@1 a=\"]\"][y] text", "syslog (RFC 5424)",
         LOG_NOTICE, JAN_21 + EVENING, 500000000, 77, -1, "text"},
        {"<165>1 2025-01-21T19:12:22.5Z - - - - - text", "syslog (RFC 5424)", LOG_NOTICE,
         JAN_21 + EVENING, 500000000, -1, -1, "text"},
        {"2025-01-21T20:12:22.5+01:00 host sshd[44]: hello", "syslog (ISO 8601)", LOG_NO_LEVEL,
         JAN_21 + EVENING, 500000000, 44, -1, "hello"},
        {"01-21 19:12:22.090  1234  1240 E Tag: x: y", "logcat", LOG_ERROR, EVENING, 90000000, 1234,
         1240, "x: y"},
        {"01-21 19:12:22.090 root 1234  1240 W Tag  : x", "logcat", LOG_WARNING, EVENING, 90000000,
         1234, 1240, "x"},
        {"01-21 19:12:22.090 D/Tag( 12): x", "logcat", LOG_DEBUG, EVENING, 90000000, 12, -1, "x"},
        {"2025-01-21 19:12:22.090  1234  1240 I Tag: x", "logcat", LOG_INFO, JAN_21 + EVENING,
         90000000, 1234, 1240, "x"},
        {"1737486742.090  1234  1240 I Tag: x", "logcat", LOG_INFO, JAN_21 + EVENING, 90000000,
         1234, 1240, "x"},
        {"      12.090  1234  1240 V Tag: x", "logcat", LOG_VERBOSE, 12, 90000000, 1234, 1240, "x"},
        {"2025/01/21 19:12:22.090974   28995094 000 ECU1 TEST EXPL log warn V 1 [a b]", "dlt",
         LOG_WARNING, JAN_21 + EVENING, 90974000, -1, -1, "a b"},
        {"7390 2025/01/21 19:12:22.090974 16.0780 252 ECU1 CEM CEM 668 log info verbose 1 : x",
         "dlt", LOG_INFO, JAN_21 + EVENING, 90974000, 668, -1, ": x"},
        {"2025/01/21 19:12:22 text", "date and text", LOG_NO_LEVEL, JAN_21 + EVENING, 0, -1, -1,
         "text"},
        {"2025-01-21 19:12:22,250 [main] ERROR com.a - x", "ISO 8601", LOG_ERROR, JAN_21 + EVENING,
         250000000, -1, -1, "[main] ERROR com.a - x"},
        {"[2025-01-21 19:12:22] a warning", "ISO 8601", LOG_NO_LEVEL, JAN_21 + EVENING, 0, -1, -1,
         "a warning"},
        {"<4>[    5.123456] usb 1-1: x", "dmesg", LOG_WARNING, 5, 123456000, -1, -1, "usb 1-1: x"},
        {"[    5.123456][  T123] usb", "dmesg", LOG_NO_LEVEL, 5, 123456000, 123, 123, "usb"},
        {"[Tue Jan 21 19:12:22 2025] usb", "date and text", LOG_NO_LEVEL, JAN_21 + EVENING, 0, -1,
         -1, "usb"},
        {"1737486742 text", "seconds", LOG_NO_LEVEL, JAN_21 + EVENING, 0, -1, -1, "text"},
        {"12.5: WARN: text", "seconds", LOG_WARNING, 12, 500000000, -1, -1, "WARN: text"},
        {"19:12:22.5 text", "time of day", LOG_NO_LEVEL, EVENING, 500000000, -1, -1, "text"},
        {"12 items", NULL, LOG_NO_LEVEL, 0, 0, -1, -1, "12 items"},
        {"December", NULL, LOG_NO_LEVEL, 0, 0, -1, -1, "December"},
        {"2025-13-21 19:12:22 x", NULL, LOG_NO_LEVEL, 0, 0, -1, -1, "2025-13-21 19:12:22 x"},
        {"", NULL, LOG_NO_LEVEL, 0, 0, -1, -1, ""},
    };
    const struct log_decoder none = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        const uint8_t *at = (const uint8_t *)row->line;
        struct log_line line;
        log_line_read(&none, (struct log_span){at, at + strlen(row->line)}, &line);
        cr_assert_eq(line.form == NULL, row->form == NULL, "%s: %s", row->line, line.form);
        cr_assert(!row->form || strcmp(line.form, row->form) == 0, "%s: %s", row->line, line.form);
        cr_assert_eq(line.level, row->level, "%s: level %u", row->line, line.level);
        cr_assert(!row->form || line.time.seconds == row->seconds, "%s: %lld s", row->line,
                  (long long)line.time.seconds);
        cr_assert(!row->form || line.time.ns == row->ns, "%s: %u ns", row->line, line.time.ns);
        cr_assert_eq(line.has_pid ? (int64_t)line.pid : -1, row->pid, "%s: pid", row->line);
        cr_assert_eq(line.has_tid ? (int64_t)line.tid : -1, row->tid, "%s: tid", row->line);
        cr_assert(is_text(line.text, row->text), "%s: %.*s", row->line, (int)log_length(line.text),
                  (const char *)line.text.at);
    }
}

Test(log_line, days_are_those_of_the_calendar)
{
    cr_assert_eq(log_days_of(1970, 1, 1), 0);
    cr_assert_eq(log_days_of(1969, 12, 31), -1);
    cr_assert_eq(log_days_of(2000, 2, 29), 11016);
    cr_assert_eq(log_days_of(2100, 3, 1) - log_days_of(2100, 2, 28), 1);
    cr_assert_eq(log_days_of(2025, 1, 21) * 86400, JAN_21);
}

/* A year or a date that is not written is that which is nearest to the line before. */
Test(log_line, the_nearest_date)
{
    const struct log_time december = {
        .clock = LOG_IN_YEAR, .month = 12, .day = 31, .seconds = 86399};
    const struct log_time january = {.clock = LOG_IN_YEAR, .month = 1, .day = 1, .seconds = 1};
    const struct log_time late = {.clock = LOG_IN_DAY, .seconds = 86399};
    const struct log_time early = {.clock = LOG_IN_DAY, .seconds = 1};
    const int64_t new_year = log_days_of(2025, 1, 1) * 86400;
    cr_assert_eq(log_seconds_near(&december, new_year + 100), new_year - 1);
    cr_assert_eq(log_seconds_near(&january, new_year - 100), new_year + 1);
    cr_assert_eq(log_seconds_near(&january, new_year + 100), new_year + 1);
    cr_assert_eq(log_seconds_near(&late, new_year + 100), new_year - 1);
    cr_assert_eq(log_seconds_near(&early, new_year - 100), new_year + 1);
    cr_assert_eq(log_seconds_near(&early, -100), 1);
}
