/* SPDX-License-Identifier: Apache-2.0 */
/* message_stats: statistics of messages as a table, CSV or JSON. */
#include "cli/reports/message_stats.h"

#include <stdlib.h>
#include <string.h>

#include "cli/event_selection.h"
#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"
#include "tracetui/message_stats.h"
#include "tracetui/time.h"

#define CELL_BYTES 1024u

/* ---- columns ------------------------------------------------------------------------------ */

enum unit {
    UNIT_NUMBER, /* uint64_t */
    UNIT_TIME,   /* uint64_t ticks */
    UNIT_MEAN,   /* struct tt_distribution */
    UNIT_AT,     /* uint64_t ticks of the capture's clock */
    UNIT_RATE,   /* uint64_t in the window, per second */
    UNIT_SHARE,  /* uint64_t ticks, in percent of the window */
    UNIT_DEPTH,  /* uint64_t: sum over time, as a mean */
    UNIT_PID,    /* uint32_t: process */
    UNIT_PROCESS,
    UNIT_TID, /* uint32_t: thread */
    UNIT_THREAD,
    UNIT_KIND,  /* bool: post */
    UNIT_TOTAL, /* self + imposed */
};

#define PAIR    (1u << TT_MESSAGES_BY_PAIR)
#define SERVER  (1u << TT_MESSAGES_BY_SERVER)
#define CLIENT  (1u << TT_MESSAGES_BY_CLIENT)
#define CHANNEL (1u << TT_MESSAGES_BY_CHANNEL)
#define IMPOSED (1u << TT_MESSAGES_BY_IMPOSED)
#define COUNTED (PAIR | SERVER | CLIENT | CHANNEL)

#define AT(member)              offsetof(struct tt_message_stat, member)
#define OF(distribution, field) (AT(distribution) + offsetof(struct tt_distribution, field))

/* clang-format off */
static const struct column {
    const char *key;     /* without the unit of times */
    const char *heading; /* NULL: not in the table */
    enum unit unit;
    size_t field;
    size_t basis; /* offset of a count that must not be 0; SIZE_MAX: none */
    unsigned by;  /* row types that have it */
} columns[] = {
    {"client_pid", NULL, UNIT_PID, AT(client_process), SIZE_MAX, PAIR | CLIENT},
    {"client_tid", NULL, UNIT_TID, AT(client), SIZE_MAX, CLIENT},
    {"client", "client", UNIT_PROCESS, AT(client_process), SIZE_MAX, PAIR},
    {"client", "client", UNIT_THREAD, AT(client), SIZE_MAX, CLIENT},
    {"server_pid", NULL, UNIT_PID, AT(process), SIZE_MAX, PAIR | SERVER | CHANNEL},
    {"server", "server", UNIT_PROCESS, AT(process), SIZE_MAX, PAIR | SERVER | CHANNEL},
    {"connection", "connection", UNIT_NUMBER, AT(connection), SIZE_MAX, CHANNEL},
    {"kind", "kind", UNIT_KIND, AT(post), SIZE_MAX, COUNTED},
    {"count", "count", UNIT_NUMBER, AT(count), SIZE_MAX, COUNTED},
    {"rate_hz", "per second", UNIT_RATE, AT(count), SIZE_MAX, COUNTED},
    {"round_mean", "round mean", UNIT_MEAN, AT(round), OF(round, count), COUNTED},
    {"round_p50", NULL, UNIT_TIME, OF(round, p50), OF(round, count), COUNTED},
    {"round_p99", "p99", UNIT_TIME, OF(round, p99), OF(round, count), COUNTED},
    {"round_max", "max", UNIT_TIME, OF(round, max), OF(round, count), COUNTED},
    {"round_max_at", "at", UNIT_AT, OF(round, max_at), OF(round, count), COUNTED},
    {"queue_mean", "queue mean", UNIT_MEAN, AT(queue), OF(queue, count), COUNTED},
    {"queue_p50", NULL, UNIT_TIME, OF(queue, p50), OF(queue, count), COUNTED},
    {"queue_p99", NULL, UNIT_TIME, OF(queue, p99), OF(queue, count), COUNTED},
    {"queue_max", "max", UNIT_TIME, OF(queue, max), OF(queue, count), COUNTED},
    {"queue_max_at", NULL, UNIT_AT, OF(queue, max_at), OF(queue, count), COUNTED},
    {"service_mean", "service mean", UNIT_MEAN, AT(service), OF(service, count), COUNTED},
    {"service_p50", NULL, UNIT_TIME, OF(service, p50), OF(service, count), COUNTED},
    {"service_p99", NULL, UNIT_TIME, OF(service, p99), OF(service, count), COUNTED},
    {"service_max", "max", UNIT_TIME, OF(service, max), OF(service, count), COUNTED},
    {"service_max_at", NULL, UNIT_AT, OF(service, max_at), OF(service, count), COUNTED},
    {"errors", "errors", UNIT_NUMBER, AT(errors), SIZE_MAX, COUNTED},
    {"busy", NULL, UNIT_TIME, AT(busy), SIZE_MAX, SERVER},
    {"busy_pct", "busy%", UNIT_SHARE, AT(busy), SIZE_MAX, SERVER},
    {"waiting_mean", "waiting", UNIT_DEPTH, AT(waiting), SIZE_MAX, SERVER},
    {"waiting_max", "max", UNIT_NUMBER, AT(waiting_max), SIZE_MAX, SERVER},
    {"serving_max", "serving", UNIT_NUMBER, AT(serving_max), SIZE_MAX, SERVER},
    {"pid", NULL, UNIT_PID, AT(client_process), SIZE_MAX, IMPOSED},
    {"tid", NULL, UNIT_TID, AT(client), SIZE_MAX, IMPOSED},
    {"thread", "thread", UNIT_THREAD, AT(client), SIZE_MAX, IMPOSED},
    {"self", "self", UNIT_TIME, AT(self), SIZE_MAX, IMPOSED},
    {"imposed", "imposed", UNIT_TIME, AT(imposed), SIZE_MAX, IMPOSED},
    {"imposed_gross", "gross", UNIT_TIME, AT(imposed_gross), SIZE_MAX, IMPOSED},
    {"charged", "charged", UNIT_TIME, AT(charged), SIZE_MAX, IMPOSED},
    {"unserved", "unserved", UNIT_TIME, AT(unserved), SIZE_MAX, IMPOSED},
    {"total", "total", UNIT_TOTAL, AT(self), SIZE_MAX, IMPOSED},
};
/* clang-format on */

#define COLUMN_COUNT (sizeof columns / sizeof columns[0])

/* What is printed, and its units. */
struct report {
    const struct tt_capture *capture;
    struct tt_message_stats stats;
    unsigned by; /* 1 << enum tt_messages_by */
    uint64_t window;
    uint64_t first_ticks;
};

/* ---- cells -------------------------------------------------------------------------------- */

enum form { FORM_TABLE, FORM_CSV, FORM_JSON };

static bool is_time(enum unit unit)
{
    return unit == UNIT_TIME || unit == UNIT_MEAN || unit == UNIT_AT || unit == UNIT_TOTAL;
}

static bool is_text(enum unit unit)
{
    return unit == UNIT_PROCESS || unit == UNIT_THREAD || unit == UNIT_KIND;
}

static uint64_t u64_at(const struct tt_message_stat *row, size_t field)
{
    uint64_t value;
    memcpy(&value, (const char *)row + field, sizeof value);
    return value;
}

static uint32_t u32_at(const struct tt_message_stat *row, size_t field)
{
    uint32_t value;
    memcpy(&value, (const char *)row + field, sizeof value);
    return value;
}

/* Returns the number of a cell; false: the capture does not have it. */
static bool number_of(const struct report *r, const struct column *column,
                      const struct tt_message_stat *row, uint64_t *number)
{
    const struct tt_capture *c = r->capture;
    uint32_t at = u32_at(row, column->field);
    struct tt_distribution distribution;
    switch (column->unit) {
    case UNIT_PID:
        *number = at < tt_process_count(c) ? tt_process_at(c, at)->pid : 0;
        return at < tt_process_count(c);
    case UNIT_TID:
        *number = at < tt_thread_count(c) ? tt_thread_at(c, at)->tid : 0;
        return at < tt_thread_count(c);
    case UNIT_MEAN:
        memcpy(&distribution, (const char *)row + column->field, sizeof distribution);
        *number = tt_line_ns(c, distribution.sum) / (distribution.count ? distribution.count : 1);
        return distribution.count > 0;
    case UNIT_TOTAL:
        *number = tt_line_ns(c, row->self + row->imposed);
        return true;
    case UNIT_TIME:
    case UNIT_AT:
        *number = tt_line_ns(c, u64_at(row, column->field));
        return column->basis == SIZE_MAX || u64_at(row, column->basis) > 0;
    case UNIT_RATE: /* thousandths */
        *number = 0;
        return c->clock_hz > 0 && r->window > 0 &&
               tt_mul_div(u64_at(row, column->field) * 1000, c->clock_hz, r->window, number);
    case UNIT_SHARE: /* hundredths of a percent */
        *number = 0;
        return r->window > 0 && tt_mul_div(u64_at(row, column->field), 10000, r->window, number);
    case UNIT_DEPTH: /* thousandths */
        *number = 0;
        return r->window > 0 && tt_mul_div(u64_at(row, column->field), 1000, r->window, number);
    default:
        *number = u64_at(row, column->field);
        return *number != UINT64_MAX;
    }
}

static void put_decimal(struct tt_text *text, uint64_t number, unsigned decimals)
{
    uint64_t scale = decimals == 3 ? 1000 : decimals == 2 ? 100 : 1;
    tt_text_u64(text, number / scale);
    if (decimals > 0) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, number % scale, decimals, '0');
    }
}

/* Appends a name, escaped; "-": unknown. */
static void put_name(struct tt_text *text, const struct report *r, const struct column *column,
                     const struct tt_message_stat *row)
{
    const struct tt_capture *c = r->capture;
    uint32_t at = u32_at(row, column->field);
    size_t length = 0;
    if (column->unit == UNIT_KIND) {
        tt_text_str(text, row->post ? "post" : "message");
    } else if (column->unit == UNIT_THREAD) {
        tt_line_thread(text, c, at);
    } else if (at >= tt_process_count(c)) {
        tt_text_char(text, '-');
    } else {
        const char *name = tt_process_base_name(c, tt_process_at(c, at), &length);
        if (length > 0) {
            tt_text_escaped(text, name, length);
        } else {
            tt_text_u64(text, tt_process_at(c, at)->pid);
        }
    }
}

static void put_number(struct tt_text *text, const struct report *r, const struct column *column,
                       const struct tt_message_stat *row, enum form form)
{
    uint64_t number;
    if (!number_of(r, column, row, &number)) {
        tt_text_str(text, form == FORM_JSON ? "null" : form == FORM_TABLE ? "-" : "");
    } else if (column->unit == UNIT_SHARE) {
        put_decimal(text, number, 2);
    } else if (column->unit == UNIT_DEPTH || column->unit == UNIT_RATE) {
        put_decimal(text, number, 3);
    } else if (form == FORM_TABLE && column->unit == UNIT_AT) {
        tt_line_time(text, r->capture,
                     tt_relative_ticks(r->capture, u64_at(row, column->field), r->first_ticks));
    } else if (form == FORM_TABLE && is_time(column->unit)) {
        put_decimal(text, number, r->capture->clock_hz ? 3 : 0); /* microseconds */
    } else if (form == FORM_JSON) {
        tt_json_u64(text, number);
    } else {
        tt_text_u64(text, number);
    }
}

static void put_key(struct tt_text *text, const struct report *r, const struct column *column)
{
    tt_text_str(text, column->key);
    if (is_time(column->unit)) {
        tt_text_str(text, r->capture->clock_hz ? "_ns" : "_ticks");
    }
}

/* Appends a cell; `row` NULL: its heading or key. */
static void put_cell(struct tt_text *text, const struct report *r, const struct column *column,
                     const struct tt_message_stat *row, enum form form)
{
    size_t start = text->used;
    if (!row && form == FORM_TABLE) {
        tt_text_str(text, column->heading);
        tt_text_str(text, is_time(column->unit) && column->unit != UNIT_AT && r->capture->clock_hz
                              ? " us"
                              : "");
    } else if (!row) {
        put_key(text, r, column);
    } else if (!is_text(column->unit)) {
        put_number(text, r, column, row, form);
    } else {
        put_name(text, r, column, row);
        if (form == FORM_CSV) {
            tt_csv_text_from(text, start);
        }
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool is_shown(const struct report *r, const struct column *column, enum form form)
{
    return (column->by & r->by) != 0 && (form != FORM_TABLE || column->heading);
}

static size_t width_of(const char *bytes, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        width += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    }
    return width;
}

static void json_line(struct tt_text *text, const struct report *r,
                      const struct tt_message_stat *row)
{
    bool first = true;
    char buffer[CELL_BYTES];
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(r, &columns[i], FORM_JSON)) {
            continue;
        }
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        tt_text_str(text, first ? "{\"" : ",\"");
        put_key(text, r, &columns[i]);
        tt_text_str(text, "\":");
        put_cell(&cell, r, &columns[i], row, FORM_JSON);
        if (is_text(columns[i].unit)) {
            tt_text_json(text, cell.buffer, cell.used);
        } else {
            tt_text_bytes(text, cell.buffer, cell.used);
        }
        first = false;
    }
    tt_text_str(text, "}\n");
}

static void csv_line(struct tt_text *text, const struct report *r,
                     const struct tt_message_stat *row)
{
    bool first = true;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (is_shown(r, &columns[i], FORM_CSV)) {
            tt_text_str(text, first ? "" : ",");
            put_cell(text, r, &columns[i], row, FORM_CSV);
            first = false;
        }
    }
    tt_text_char(text, '\n');
}

static void table_line(struct tt_text *text, const struct report *r, const size_t *widths,
                       const struct tt_message_stat *row)
{
    char buffer[CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(r, &columns[i], FORM_TABLE)) {
            continue;
        }
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        put_cell(&cell, r, &columns[i], row, FORM_TABLE);
        size_t own = width_of(cell.buffer, cell.used);
        size_t pad = own < widths[i] ? widths[i] - own : 0;
        bool left = is_text(columns[i].unit);
        tt_text_str(text, first ? "" : "  ");
        tt_text_fill(text, ' ', left ? 0 : pad);
        tt_text_bytes(text, cell.buffer, cell.used);
        tt_text_fill(text, ' ', left ? pad : 0);
        first = false;
    }
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static void widen(const struct report *r, size_t *widths, const struct tt_message_stat *row)
{
    char buffer[CELL_BYTES];
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (is_shown(r, &columns[i], FORM_TABLE)) {
            struct tt_text cell = tt_text_of(buffer, sizeof buffer);
            put_cell(&cell, r, &columns[i], row, FORM_TABLE);
            size_t width = width_of(cell.buffer, cell.used);
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
}

static void print_line(const struct report *r, const size_t *widths,
                       const struct tt_message_stat *row, enum form form, struct tt_output *out)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        if (form == FORM_JSON) {
            json_line(&text, r, row);
        } else if (form == FORM_CSV) {
            csv_line(&text, r, row);
        } else {
            table_line(&text, r, widths, row);
        }
    } while (!tt_output_end(out, &text));
}

static void print_report(const struct report *r, int format, struct tt_output *out)
{
    enum form form = format == TT_OUTPUT_JSONL ? FORM_JSON
                     : format == TT_OUTPUT_CSV ? FORM_CSV
                                               : FORM_TABLE;
    size_t widths[COLUMN_COUNT] = {0};
    if (form == FORM_TABLE) {
        widen(r, widths, NULL);
        for (size_t i = 0; i < r->stats.count; i++) {
            widen(r, widths, &r->stats.rows[i]);
        }
    }
    if (form != FORM_JSON) {
        print_line(r, widths, NULL, form, out);
    }
    for (size_t i = 0; i < r->stats.count && tt_output_is_open(out); i++) {
        print_line(r, widths, &r->stats.rows[i], form, out);
    }
}

/* ---- the command -------------------------------------------------------------------------- */

bool tt_is_by_message(const struct tt_options *options)
{
    return options->command == TT_COMMAND_STATS && options->by >= TT_STATS_BY_COUNT;
}

static struct tt_status stats_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    const struct tt_timelines *t = tt_trace_timelines(input->trace);
    struct tt_event_selection pick;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status) || !t) {
        return status;
    }
    enum tt_messages_by by = (enum tt_messages_by)(options->by - TT_STATS_BY_COUNT);
    bool has_from = options->from.kind != TT_TIME_SPEC_NONE;
    struct tt_message_window window = {.from = has_from ? pick.from.ticks : tt_timelines_begin(t),
                                       .to = pick.to_end ? tt_timelines_limit(t) : pick.to.ticks,
                                       .threads = pick.threads,
                                       .thread_limit = pick.thread_count};
    uint64_t end = window.to < tt_timelines_end(t) ? window.to : tt_timelines_end(t);
    struct report report = {.capture = input->capture,
                            .by = 1u << by,
                            .window = end > window.from ? end - window.from : 0,
                            .first_ticks = input->progress.first_ticks};
    status = tt_message_stats_compute(t, input->capture, by, &window, &report.stats);
    if (!tt_failed(&status)) {
        print_report(&report, options->format, out);
    }
    tt_message_stats_free(&report.stats);
    tt_event_selection_free(&pick);
    return status;
}

static enum tt_exit stats_file(const struct tt_options *options, const char *path,
                               struct tt_output *out)
{
    return tt_input_use(options, path, out, stats_input);
}

enum tt_exit tt_command_message_stats(const struct tt_options *options)
{
    return tt_command_each(options, stats_file);
}
