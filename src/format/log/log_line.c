/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_line: the parts of a line. Its time selects the rows of the table of forms that are tried; the last row of each
 * shape reads any text.
 */
#include "base/scan_number.h"
#include "format/log/log_internal.h"

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_blank(uint8_t ch)
{
    return ch == ' ' || ch == '\t';
}

static struct log_span trimmed(struct log_span span)
{
    while (span.at < span.end && is_blank(*span.at)) {
        span.at++;
    }
    while (span.at < span.end && (is_blank(span.end[-1]) || span.end[-1] == '\r')) {
        span.end--;
    }
    return span;
}

/* Returns the next word of the rest, and moves the rest after it and the blanks around it. */
static struct log_span pass_word(struct log_span *rest)
{
    *rest = trimmed(*rest);
    struct log_span word = {rest->at, rest->at};
    while (word.end < rest->end && !is_blank(*word.end)) {
        word.end++;
    }
    rest->at = word.end;
    while (rest->at < rest->end && is_blank(*rest->at)) {
        rest->at++;
    }
    return word;
}

bool log_number_of(struct log_span span, uint64_t *number)
{
    return tt_scan_decimal(&span.at, span.end, number) && span.at == span.end;
}

/* Reads the next word if it is a number. */
static bool pass_number(struct log_span *rest, uint64_t *number)
{
    struct log_span after = *rest;
    if (!log_number_of(pass_word(&after), number)) {
        return false;
    }
    *rest = after;
    return true;
}

static void add_field(struct log_line *line, const char *name, struct log_span value)
{
    if (value.at < value.end && line->field_count < LOG_FIELDS) {
        line->fields[line->field_count++] = (struct log_field){name, value};
    }
}

static void set_pid(struct log_line *line, uint64_t pid)
{
    line->pid = pid;
    line->has_pid = true;
}

static void set_tid(struct log_line *line, uint64_t tid)
{
    line->tid = tid;
    line->has_tid = true;
}

/* ---- levels --------------------------------------------------------------------------------- */

enum log_level log_level_of(struct log_span word)
{
    static const struct {
        const char *word;
        uint8_t level;
    } words[] = {
        {"error", LOG_ERROR},    {"err", LOG_ERROR},       {"e", LOG_ERROR},
        {"severe", LOG_ERROR},   {"warning", LOG_WARNING}, {"warn", LOG_WARNING},
        {"w", LOG_WARNING},      {"info", LOG_INFO},       {"i", LOG_INFO},
        {"debug", LOG_DEBUG},    {"d", LOG_DEBUG},         {"notice", LOG_NOTICE},
        {"n", LOG_NOTICE},       {"fatal", LOG_FATAL},     {"f", LOG_FATAL},
        {"a", LOG_FATAL},        {"crit", LOG_FATAL},      {"alert", LOG_FATAL},
        {"critical", LOG_FATAL}, {"emerg", LOG_FATAL},     {"panic", LOG_FATAL},
        {"trace", LOG_VERBOSE},  {"verbose", LOG_VERBOSE}, {"v", LOG_VERBOSE},
    };
    const size_t length = log_length(word);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = 0;
        while (at < length && words[i].word[at] && (word.at[at] | 0x20) == words[i].word[at]) {
            at++;
        }
        if (at == length && at > 0 && !words[i].word[at]) {
            return (enum log_level)words[i].level;
        }
    }
    return LOG_NO_LEVEL;
}

/* Sets the level to a number of syslog, 0 to 7. */
static void set_severity(struct log_line *line, uint64_t severity)
{
    static const uint8_t levels[] = {LOG_FATAL,   LOG_FATAL,  LOG_FATAL, LOG_ERROR,
                                     LOG_WARNING, LOG_NOTICE, LOG_INFO,  LOG_DEBUG};
    line->level = levels[severity & 7];
}

/* The same of slog2 and slog, whose numbers 2 to 7 are error, warning, notice, info, debug1, debug2. */
static void set_slog_severity(struct log_line *line, uint64_t severity)
{
    static const uint8_t levels[] = {LOG_FATAL,  LOG_FATAL, LOG_ERROR, LOG_WARNING,
                                     LOG_NOTICE, LOG_INFO,  LOG_DEBUG, LOG_VERBOSE};
    line->level = levels[severity & 7];
}

#define WORDS_WITH_LEVEL 4

/*
 * Sets the level to that of one of the first words which is written as one: in capitals, in brackets or before a
 * colon; a single letter in brackets only.
 */
static void find_level(struct log_span rest, struct log_line *line)
{
    for (unsigned i = 0; i < WORDS_WITH_LEVEL && rest.at < rest.end && line->level == LOG_NO_LEVEL;
         i++) {
        struct log_span word = pass_word(&rest);
        const bool is_enclosed = memchr("[(<|", *word.at, 4) != NULL;
        word.at += is_enclosed;
        struct log_span bare = {word.at, word.at};
        bool is_upper = true;
        while (bare.end < word.end && (uint32_t)((*bare.end | 0x20) - 'a') < 26) {
            is_upper = is_upper && *bare.end < 'a';
            bare.end++;
        }
        const bool is_marked = is_enclosed || (bare.end < word.end && memchr(":]|", *bare.end, 3));
        if ((is_marked || is_upper) && (is_enclosed || log_length(bare) > 1)) {
            line->level = (uint8_t)log_level_of(bare);
        }
    }
}

/* ---- forms ---------------------------------------------------------------------------------- */

/* name.pid or name.pid..instance  [buffer]  code [severity] text */
static bool read_slog2(struct log_span rest, struct log_line *line)
{
    struct log_span name = pass_word(&rest), after = rest, buffer = pass_word(&after);
    const uint8_t *at = name.end;
    uint64_t pid, code, severity;
    if (log_number_of(buffer, &code)) { /* a line about the buffers of a process has none */
        buffer.end = buffer.at;
    } else {
        rest = after;
    }
    while (at > name.at &&
           at[-1] != '.') { /* the digits after the last point, or those before two points */
        at--;
    }
    if (at - name.at > 2 && at[-2] == '.') {
        name.end = at - 2;
        for (at = name.end; at > name.at && at[-1] != '.';) {
            at--;
        }
    }
    if (at - name.at < 2 || !log_number_of((struct log_span){at, name.end}, &pid)) {
        return false;
    }
    struct log_span digits = rest;
    digits = pass_word(&digits);
    if (!pass_number(&rest, &code)) {
        return false;
    }
    set_pid(line, pid);
    line->name = (struct log_span){name.at, at - 1};
    if (rest.end - rest.at > 1 && *rest.at >= '0' && *rest.at <= '7' && is_blank(rest.at[1])) {
        pass_number(&rest, &severity);
        if (buffer.at < buffer.end) {
            set_slog_severity(line, severity);
        }
    }
    add_field(line, "buffer", buffer);
    add_field(line, "code", digits);
    line->text = rest;
    return true;
}

/* severity major minor text, of sloginfo */
static bool read_slog(struct log_span rest, struct log_line *line)
{
    uint64_t severity;
    if (!pass_number(&rest, &severity) || severity > 7) {
        return false;
    }
    struct log_span major = rest;
    uint64_t number;
    major = pass_word(&major);
    if (!pass_number(&rest, &number)) {
        return false;
    }
    struct log_span minor = rest;
    minor = pass_word(&minor);
    if (!pass_number(&rest, &number)) {
        return false;
    }
    set_slog_severity(line, severity);
    add_field(line, "major", major);
    add_field(line, "minor", minor);
    line->text = rest;
    return true;
}

/* Reads "tag[pid]: " or "tag: ". */
static bool pass_tag(struct log_span *rest, struct log_line *line)
{
    const uint8_t *at = rest->at;
    uint64_t pid = 0;
    while (at < rest->end && !is_blank(*at) && *at != '[' && *at != ':') {
        at++;
    }
    const struct log_span name = {rest->at, at};
    const bool has_pid = at < rest->end && *at == '[' &&
                         (at++, tt_scan_decimal(&at, rest->end, &pid)) && at < rest->end &&
                         *at++ == ']';
    if (name.at == name.end || at == rest->end || *at != ':') {
        return false;
    }
    line->name = name;
    if (has_pid) {
        set_pid(line, pid);
    }
    *rest = trimmed((struct log_span){at + 1, rest->end});
    return true;
}

/* host [facility.level] tag[pid]: text */
static bool read_syslog(struct log_span rest, struct log_line *line)
{
    const struct log_span host = pass_word(&rest);
    struct log_span after = rest, word = pass_word(&after);
    const uint8_t *point = word.at < word.end ? memchr(word.at, '.', log_length(word)) : NULL;
    const enum log_level level =
        point ? log_level_of((struct log_span){point + 1, word.end}) : LOG_NO_LEVEL;
    if (level != LOG_NO_LEVEL) {
        rest = after;
    }
    if (!pass_tag(&rest, line)) {
        return false;
    }
    line->level = level != LOG_NO_LEVEL ? (uint8_t)level : line->level;
    add_field(line, "host", host);
    line->text = rest;
    find_level(rest, line);
    return true;
}

/* The same as journalctl and rsyslog write it, after a time with a T; other programs write such times, too. */
static bool read_dated_syslog(struct log_span rest, struct log_line *line)
{
    return line->time.has_t && read_syslog(rest, line) && line->has_pid;
}

/* version time host app procid msgid [data] text, after the priority */
static bool read_5424(struct log_span rest, struct log_line *line)
{
    const struct log_span host = pass_word(&rest), name = pass_word(&rest),
                          process = pass_word(&rest), message = pass_word(&rest);
    struct log_span data = {rest.at, rest.at};
    if (rest.at < rest.end && *rest.at == '-') {
        rest.at++;
    } else {
        bool is_quoted = false, is_inside = false;
        while (data.end < rest.end && (is_inside || *data.end == '[')) {
            const uint8_t ch = *data.end++;
            if (ch == '\\' && is_quoted && data.end < rest.end) {
                data.end++;
            } else if (ch == '"') {
                is_quoted = !is_quoted;
            } else if (!is_quoted) {
                is_inside = ch == '[' || (is_inside && ch != ']');
            }
        }
        rest.at = data.end;
    }
    uint64_t pid;
    if (log_number_of(process, &pid)) {
        set_pid(line, pid);
    }
    const bool has_name = log_length(name) > 1 || (name.at < name.end && *name.at != '-');
    line->name = has_name ? name : line->name;
    const bool has_host = log_length(host) != 1 || *host.at != '-';
    add_field(line, "host", has_host ? host : data);
    if (log_length(message) != 1 || *message.at != '-') {
        add_field(line, "message", message);
    }
    add_field(line, "data", has_host ? data : (struct log_span){data.at, data.at});
    line->text = trimmed(rest);
    if (log_length(line->text) >= 3 && memcmp(line->text.at, "\xef\xbb\xbf", 3) == 0) {
        line->text.at += 3;
    }
    return true;
}

/* timestamp count ecu apid ctid [session] type subtype mode number text, of dlt-viewer and dlt-convert */
static bool read_dlt(struct log_span rest, struct log_line *line)
{
    static const char *const types[] = {"log", "app_trace", "nw_trace", "control"};
    uint64_t number, session = 0;
    const struct log_span stamp = pass_word(&rest);
    if (stamp.at == stamp.end || !pass_number(&rest, &number)) {
        return false;
    }
    const struct log_span ecu = pass_word(&rest), app = pass_word(&rest),
                          context = pass_word(&rest);
    pass_number(&rest, &session); /* of dlt-viewer: the process, in the sessions of the daemon */
    const struct log_span type = pass_word(&rest), subtype = pass_word(&rest),
                          mode = pass_word(&rest);
    bool is_type = false;
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
        is_type = is_type || (log_length(type) == strlen(types[i]) &&
                              memcmp(type.at, types[i], log_length(type)) == 0);
    }
    if (!is_type || mode.at == mode.end || !pass_number(&rest, &number)) {
        return false;
    }
    if (session > 0) {
        set_pid(line, session);
    }
    line->level = (uint8_t)log_level_of(subtype);
    line->name = app;
    add_field(line, "context", context);
    add_field(line, "ecu", ecu);
    if (line->level == LOG_NO_LEVEL) {
        add_field(line, "type", type);
        add_field(line, "subtype", subtype);
    }
    const bool is_bracketed = rest.end - rest.at >= 2 && *rest.at == '[' && rest.end[-1] == ']';
    line->text = is_bracketed ? (struct log_span){rest.at + 1, rest.end - 1} : rest;
    return true;
}

/* A level of logcat: a capital letter. */
static bool is_priority(struct log_span word)
{
    return log_length(word) == 1 && memchr("VDIWEFAS", *word.at, 8) != NULL;
}

/* [uid] pid tid L tag: text, of logcat -v threadtime */
static bool read_logcat(struct log_span rest, struct log_line *line)
{
    struct log_span words[4];
    unsigned count = 0;
    uint64_t pid, tid;
    while (count < 4 && (count == 0 || !is_priority(words[count - 1]))) {
        words[count++] = pass_word(&rest);
    }
    if (count < 3 || !is_priority(words[count - 1]) || !log_number_of(words[count - 2], &tid) ||
        !log_number_of(words[count - 3], &pid)) {
        return false;
    }
    const uint8_t *colon = rest.at;
    while (colon < rest.end && *colon != ':') {
        colon++;
    }
    if (colon == rest.end) {
        return false;
    }
    set_pid(line, pid);
    set_tid(line, tid);
    line->level = (uint8_t)log_level_of(words[count - 1]);
    add_field(line, "tag", trimmed((struct log_span){rest.at, colon}));
    line->text = trimmed((struct log_span){colon + 1, rest.end});
    return true;
}

/* L/tag( pid): text, of logcat -v time */
static bool read_logcat_time(struct log_span rest, struct log_line *line)
{
    rest = trimmed(rest);
    if (rest.end - rest.at < 4 || rest.at[1] != '/' ||
        !is_priority((struct log_span){rest.at, rest.at + 1})) {
        return false;
    }
    const uint8_t *open = rest.at;
    uint64_t pid;
    while (open < rest.end && *open != '(') {
        open++;
    }
    const uint8_t *close = open;
    while (close < rest.end && *close != ')') {
        close++;
    }
    if (rest.end - close < 2 || close[1] != ':' ||
        !log_number_of(trimmed((struct log_span){open + 1, close}), &pid)) {
        return false;
    }
    set_pid(line, pid);
    line->level = (uint8_t)log_level_of((struct log_span){rest.at, rest.at + 1});
    add_field(line, "tag", trimmed((struct log_span){rest.at + 2, open}));
    line->text = trimmed((struct log_span){close + 2, rest.end});
    return true;
}

/* [T123] text: the number of the task, if the kernel prints it */
static bool read_dmesg(struct log_span rest, struct log_line *line)
{
    rest = trimmed(rest);
    const uint8_t *at = rest.at + 1;
    uint64_t task;
    if (rest.at < rest.end && *rest.at == '[') {
        while (at < rest.end && is_blank(*at)) {
            at++;
        }
        const bool is_task = at < rest.end && *at == 'T';
        at += at < rest.end && (is_task || *at == 'C');
        if (tt_scan_decimal(&at, rest.end, &task) && at < rest.end && *at == ']') {
            rest = trimmed((struct log_span){at + 1, rest.end});
            if (is_task && task > 0) {
                set_pid(line, task);
                set_tid(line, task);
            }
        }
    }
    line->text = rest;
    return true;
}

static bool read_text(struct log_span rest, struct log_line *line)
{
    while (rest.at < rest.end && (is_blank(*rest.at) || *rest.at == ':')) {
        rest.at++;
    }
    line->text = trimmed(rest);
    find_level(line->text, line);
    return true;
}

/* A form, for times of one shape. */
struct form {
    const char *name;
    uint8_t shape;
    bool (*read)(struct log_span rest, struct log_line *line);
};

static const struct form forms[] = {
    {"slog2info", LOG_MONTH_NAME, read_slog2},
    {"sloginfo", LOG_MONTH_NAME, read_slog},
    {"syslog (RFC 3164)", LOG_MONTH_NAME, read_syslog},
    {"date and text", LOG_MONTH_NAME, read_text},
    {"dlt", LOG_SLASHES, read_dlt},
    {"date and text", LOG_SLASHES, read_text},
    {"logcat", LOG_DASHES, read_logcat},
    {"logcat", LOG_DASHES, read_logcat_time},
    {"syslog (ISO 8601)", LOG_DASHES, read_dated_syslog},
    {"ISO 8601", LOG_DASHES, read_text},
    {"logcat", LOG_MONTH_DAY, read_logcat},
    {"logcat", LOG_MONTH_DAY, read_logcat_time},
    {"date and text", LOG_MONTH_DAY, read_text},
    {"time of day", LOG_TIME_OF_DAY, read_text},
    {"logcat", LOG_SECONDS, read_logcat},
    {"seconds", LOG_SECONDS, read_text},
    {"dmesg", LOG_BRACKETED, read_dmesg},
};

/* ---- a line --------------------------------------------------------------------------------- */

struct log_span log_line_at(struct tt_bytes bytes, uint64_t pos, uint64_t *next)
{
    const uint8_t *from = bytes.data + pos, *end = bytes.data + bytes.size;
    const uint8_t *stop = pos < bytes.size ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    struct log_span line = {from, stop ? stop : end};
    *next = stop ? (uint64_t)(stop - bytes.data) + 1 : bytes.size;
    while (line.at < line.end && line.end[-1] == '\r') {
        line.end--;
    }
    return line;
}

/* Reads "<priority>", whose low bits are the level, and the version of RFC 5424. */
static bool pass_priority(struct log_span *rest, struct log_line *line, bool *is_5424)
{
    const uint8_t *at = rest->at;
    uint64_t priority;
    if (at == rest->end || *at != '<' || (at++, !tt_scan_decimal(&at, rest->end, &priority)) ||
        at == rest->end || *at != '>' || priority > 191) {
        return false;
    }
    rest->at = at + 1;
    set_severity(line, priority);
    *is_5424 =
        rest->end - rest->at > 2 && *rest->at >= '1' && *rest->at <= '9' && is_blank(rest->at[1]);
    rest->at += *is_5424 ? 2 : 0;
    return true;
}

/* Moves over the number that dlt-viewer and dlt-convert write before the date. */
static void pass_index(struct log_span *rest)
{
    struct log_span after = *rest;
    uint64_t number;
    if (pass_number(&after, &number) && after.end - after.at > 5 && after.at[4] == '/') {
        *rest = after;
    }
}

static bool is_weak(const struct log_time *time)
{
    return time->shape == LOG_SECONDS || time->shape == LOG_TIME_OF_DAY;
}

void log_line_read(const struct log_decoder *decoder, struct log_span span, struct log_line *line)
{
    *line = (struct log_line){.text = span};
    struct log_span rest = span;
    bool is_5424 = false;
    if (decoder->patterns && log_patterns_read(decoder->patterns, span, line)) {
        return;
    }
    while (rest.at < rest.end &&
           *rest.at == 0) { /* blocks that were never written, before the next line */
        rest.at++;
    }
    if (log_length(rest) >= 3 && memcmp(rest.at, "\xef\xbb\xbf", 3) == 0) {
        rest.at += 3;
    }
    if (rest.at < rest.end && *rest.at == '<') {
        pass_priority(&rest, line, &is_5424);
    } else if (rest.at < rest.end && *rest.at >= '0' && *rest.at <= '9') {
        pass_index(&rest);
    }
    if (!log_time_pass(&rest.at, rest.end, &line->time) ||
        (decoder->is_open && !decoder->is_weak && is_weak(&line->time))) {
        line->time.clock = LOG_NO_CLOCK;
        line->text = span;
        return;
    }
    const struct log_line without =
        *line; /* a form that does not read the line may have set parts of it */
    if (is_5424 && line->time.shape == LOG_DASHES) {
        line->form = "syslog (RFC 5424)";
        read_5424(trimmed(rest), line);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].shape != line->time.shape) {
            continue;
        }
        if (forms[i].read(trimmed(rest), line)) {
            line->form = forms[i].name;
            return;
        }
        *line = without;
    }
}
