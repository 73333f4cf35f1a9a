/* SPDX-License-Identifier: Apache-2.0 */
/* log_time: times as logs write them. */
#include "format/log/log_internal.h"

#define DAY   86400
#define EPOCH INT64_C(1000000000) /* a number of seconds from here on is a date: 2001-09-09 */

/* Reads `count` digits, or up to that many if `least` is lower. */
static bool pass_digits(const uint8_t **at, const uint8_t *end, unsigned least, unsigned most,
                        uint64_t *value)
{
    const uint8_t *from = *at;
    uint64_t number = 0;
    while (*at < end && **at >= '0' && **at <= '9' && *at - from < (ptrdiff_t)most) {
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    }
    *value = number;
    return *at - from >= (ptrdiff_t)least;
}

static bool pass_char(const uint8_t **at, const uint8_t *end, char ch)
{
    const bool is_there = *at < end && **at == (uint8_t)ch;
    *at += is_there;
    return is_there;
}

static void pass_blanks(const uint8_t **at, const uint8_t *end)
{
    while (*at < end && (**at == ' ' || **at == '\t')) {
        ++*at;
    }
}

/* Reads ".123456" or ",123" if it is there; digits after the ninth are left out. */
static uint32_t pass_fraction(const uint8_t **at, const uint8_t *end)
{
    uint32_t ns = 0, unit = 100000000;
    if (end - *at < 2 || (**at != '.' && **at != ',') || (*at)[1] < '0' || (*at)[1] > '9') {
        return 0;
    }
    for (++*at; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        ns += (uint32_t)(**at - '0') * unit;
        unit /= 10;
    }
    return ns;
}

/* Reads HH:MM:SS with a fraction. */
static bool pass_clock(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    uint64_t hours, minutes, seconds;
    if (!pass_digits(at, end, 2, 2, &hours) || !pass_char(at, end, ':') ||
        !pass_digits(at, end, 2, 2, &minutes) || !pass_char(at, end, ':') ||
        !pass_digits(at, end, 2, 2, &seconds) || hours > 24 || minutes > 59 || seconds > 60) {
        return false;
    }
    time->seconds = (int64_t)(hours * 3600 + minutes * 60 + seconds);
    time->ns = pass_fraction(at, end);
    return true;
}

int64_t log_days_of(int64_t year, unsigned month, unsigned day)
{
    /* Years begin in March, so that the leap day is the last of a year; 400 years have 146,097 days. */
    const int64_t from = year - (month <= 2), era = (from >= 0 ? from : from - 399) / 400;
    const int64_t of_era = from - era * 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + (int64_t)day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Reads the zone after a time, "Z", "+01:00", "-0500", which is subtracted. */
static void pass_zone(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    const uint8_t *from = *at;
    uint64_t hours, minutes = 0;
    if (pass_char(at, end, 'Z')) {
        return;
    }
    pass_blanks(at, end);
    const bool west = *at < end && **at == '-';
    if ((pass_char(at, end, '+') || pass_char(at, end, '-')) &&
        pass_digits(at, end, 2, 2, &hours) &&
        (pass_char(at, end, ':'), pass_digits(at, end, 2, 2, &minutes)) && hours < 24 &&
        minutes < 60 &&
        (*at == end || **at == ' ' || **at == ']' || **at == '\t' || **at == ',' || **at == ':')) {
        const int64_t east = (int64_t)(hours * 3600 + minutes * 60);
        time->seconds -= west ? -east : east;
        return;
    }
    *at = from;
}

static bool is_day(uint64_t month, uint64_t day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* "Dec 04 03:05:54.082", with one digit of the day or two; the weekday before it and the year after it may be there. */
static bool pass_month_name(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    unsigned month = 0;
    while (month < 12 && (end - *at < 4 || memcmp(*at, names + 3 * month, 3) != 0)) {
        month++;
    }
    if (month == 12 || (*at)[3] != ' ') {
        return false;
    }
    uint64_t day, year;
    *at += 3;
    pass_blanks(at, end);
    if (!pass_digits(at, end, 1, 2, &day) || !pass_char(at, end, ' ') || !is_day(month + 1, day)) {
        return false;
    }
    const uint8_t *before_year = *at;
    bool has_year =
        pass_digits(at, end, 4, 4, &year) && pass_char(at, end, ' '); /* Dec 04 2025 03:05:54 */
    *at = has_year ? *at : before_year;
    if (!pass_clock(at, end, time)) {
        return false;
    }
    const uint8_t *after = *at;
    if (!has_year) { /* Wed Dec  4 03:05:54 2025 */
        has_year = pass_char(at, end, ' ') && pass_digits(at, end, 4, 4, &year) &&
                   (*at == end || **at == ' ' || **at == ']') && year >= 1970 && year < 2200;
        *at = has_year ? *at : after;
    }
    time->clock = has_year ? LOG_DATE : LOG_IN_YEAR;
    time->seconds += has_year ? log_days_of((int64_t)year, month + 1, (unsigned)day) * DAY : 0;
    time->month = (uint8_t)(month + 1);
    time->day = (uint8_t)day;
    time->shape = LOG_MONTH_NAME;
    return true;
}

/* "2025-01-21T19:12:22.090974+01:00", "2025/01/21 19:12:22" */
static bool pass_date(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    uint64_t year, month, day;
    if (!pass_digits(at, end, 4, 4, &year) || *at == end || (**at != '-' && **at != '/')) {
        return false;
    }
    const char between = (char)*(*at)++;
    if (!pass_digits(at, end, 2, 2, &month) || !pass_char(at, end, between) ||
        !pass_digits(at, end, 2, 2, &day) || !is_day(month, day)) {
        return false;
    }
    time->has_t = pass_char(at, end, 'T');
    if ((!time->has_t && !pass_char(at, end, ' ') && !pass_char(at, end, '_')) ||
        !pass_clock(at, end, time)) {
        return false;
    }
    time->clock = LOG_DATE;
    time->shape = between == '/' ? LOG_SLASHES : LOG_DASHES;
    time->seconds += log_days_of((int64_t)year, (unsigned)month, (unsigned)day) * DAY;
    pass_zone(at, end, time);
    return true;
}

/* "01-21 19:12:22.090" */
static bool pass_month_day(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    uint64_t month, day;
    if (!pass_digits(at, end, 2, 2, &month) || !pass_char(at, end, '-') ||
        !pass_digits(at, end, 2, 2, &day) || !pass_char(at, end, ' ') || !is_day(month, day) ||
        !pass_clock(at, end, time)) {
        return false;
    }
    time->clock = LOG_IN_YEAR;
    time->month = (uint8_t)month;
    time->day = (uint8_t)day;
    time->shape = LOG_MONTH_DAY;
    return true;
}

static bool pass_time_of_day(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    time->clock = LOG_IN_DAY;
    time->shape = LOG_TIME_OF_DAY;
    return pass_clock(at, end, time) &&
           (*at == end || **at == ' ' || **at == '\t' || **at == ']' || **at == ':');
}

/* "1737486742.090", "12.345678": with a fraction, or a date. */
static bool pass_seconds(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    uint64_t seconds;
    if (!pass_digits(at, end, 1, 11, &seconds)) {
        return false;
    }
    const uint8_t *after = *at;
    time->ns = pass_fraction(at, end);
    time->seconds = (int64_t)seconds;
    time->clock = time->seconds >= EPOCH ? LOG_DATE : LOG_UPTIME;
    time->shape = LOG_SECONDS;
    return (*at > after || time->clock == LOG_DATE) &&
           (*at == end || **at == ' ' || **at == '\t' || **at == ':' || **at == ']');
}

/* "[   12.345678]", also with the weekday of `dmesg -T`, "[Wed Dec  4 03:05:54 2025]" */
static bool pass_bracketed(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    static const char days[] = "MonTueWedThuFriSatSun";
    if (!pass_char(at, end, '[')) {
        return false;
    }
    pass_blanks(at, end);
    for (unsigned i = 0; i < 7 && end - *at > 4; i++) {
        if (memcmp(*at, days + 3 * i, 3) == 0 && (*at)[3] == ' ') {
            *at += 4;
            break;
        }
    }
    const uint8_t *inside = *at;
    if (pass_seconds(at, end, time)) {
        time->shape = LOG_BRACKETED;
    } else if ((*at = inside, !pass_month_name(at, end, time)) &&
               (*at = inside, !pass_date(at, end, time)) &&
               (*at = inside, !pass_month_day(at, end, time)) &&
               (*at = inside, !pass_time_of_day(at, end, time))) {
        return false;
    }
    return pass_char(at, end, ']');
}

bool log_time_pass(const uint8_t **at, const uint8_t *end, struct log_time *time)
{
    static bool (*const passes[])(const uint8_t **, const uint8_t *, struct log_time *) = {
        pass_month_name, pass_date, pass_month_day, pass_time_of_day, pass_seconds, pass_bracketed,
    };
    const uint8_t *from = *at;
    pass_blanks(&from, end);
    const bool is_digit = from < end && *from >= '0' && *from <= '9';
    const bool is_bracket = from < end && *from == '[';
    const bool is_letter = from < end && *from >= 'A' && *from <= 'S';
    for (unsigned i = is_letter    ? 0
                      : is_digit   ? 1
                      : is_bracket ? 5
                                   : 6;
         i < (is_letter  ? 1u
              : is_digit ? 5u
                         : 6u);
         i++) {
        const uint8_t *to = from;
        *time = (struct log_time){.clock = LOG_NO_CLOCK};
        if (passes[i](&to, end, time)) {
            *at = to;
            return true;
        }
    }
    *time = (struct log_time){.clock = LOG_NO_CLOCK};
    return false;
}

/* Returns the year of a day. */
static int64_t year_of(int64_t days)
{
    int64_t year = 1970 + days * 400 / 146097;
    while (log_days_of(year, 1, 1) > days) {
        year--;
    }
    while (log_days_of(year + 1, 1, 1) <= days) {
        year++;
    }
    return year;
}

int64_t log_seconds_near(const struct log_time *time, int64_t near)
{
    int64_t best = time->seconds, day = near / DAY - (near % DAY < 0);
    if (time->clock == LOG_DATE) {
        return best;
    }
    const int64_t year = time->clock == LOG_IN_YEAR ? year_of(day) : 0;
    for (int64_t step = -1; step <= 1; step++) {
        const int64_t of = time->clock == LOG_IN_YEAR
                               ? log_days_of(year + step, time->month, time->day)
                               : day + step;
        const int64_t seconds = of * DAY + time->seconds;
        const int64_t distance = seconds > near ? seconds - near : near - seconds;
        if (step == -1 || distance < (best > near ? best - near : near - best)) {
            best = seconds;
        }
    }
    return best;
}
