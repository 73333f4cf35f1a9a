/* SPDX-License-Identifier: Apache-2.0 */
/* The fast paths of writing a line give the same text as the general one. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/format_fast.h"
#include "tracetui/event_line.h"
#include "tracetui/trace.h"

#define LINE_MAX_BYTES 16384u
#define AT_ONCE        256u

static char careful[LINE_MAX_BYTES], quick[LINE_MAX_BYTES];

/*
 * With no spare room nothing is written unchecked. (Trailing blanks before hidden arguments are
 * removed again: such lines need more room than they use.)
 */
static size_t write_careful(const struct tt_capture *c, const struct tt_event *event,
                            const struct tt_args *args, uint64_t first)
{
    struct tt_text text = tt_text_of(careful, sizeof careful);
    tt_line_event(&text, c, event, args, first);
    size_t length = text.used;
    cr_assert(!text.truncated);
    for (size_t more = 0; more < 40; more++) {
        text = tt_text_of(careful, length + more);
        tt_line_event(&text, c, event, args, first);
        if (!text.truncated) {
            break;
        }
    }
    cr_assert(!text.truncated);
    cr_assert_eq(text.used, length);
    return length;
}

static void check_line(struct tt_line_run *run, const struct tt_event *event,
                       const struct tt_args *args)
{
    size_t length = write_careful(run->capture, event, args, run->first_ticks);
    struct tt_text text = tt_text_of(quick, sizeof quick);
    tt_line_event_next(&text, run, event, args);
    cr_assert(!text.truncated);
    cr_assert(text.used == length && memcmp(quick, careful, length) == 0, "%.*s\n%.*s", (int)length,
              careful, (int)text.used, quick);
    /* Too little room is reported, and nothing is written beyond it. */
    size_t room = event->pos % (length + 1);
    memset(quick, '#', length + 1);
    text = tt_text_of(quick, room);
    tt_line_event_next(&text, run, event, args);
    cr_assert(text.truncated || room == length);
    cr_assert_leq(text.used, room);
    cr_assert_eq(quick[room], '#');
}

static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 127 && c != '"' && c != '\\';
}

/* A text marked as plain needs no escaping. */
static void check_names(const struct tt_args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        for (uint32_t at = 0; arg->plain && at < arg->name.length; at++) {
            cr_assert(is_plain((unsigned char)arg->name.data[at]));
        }
    }
}

static struct tt_trace *index_file(const char *path, bool rows_only)
{
    const struct tt_trace_options options = {.capture.rows_only = rows_only};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_trace_timelines(trace) == NULL, rows_only);
    return trace;
}

/* Asserts that a trace without timelines has the rows of one with them, with the same names. */
static void check_rows_only(const char *path)
{
    struct tt_event events[2][AT_ONCE];
    struct tt_trace *traces[] = {index_file(path, false), index_file(path, true)};
    struct tt_events *readers[] = {tt_events_new(traces[0]), tt_events_new(traces[1])};
    uint64_t row = 0;
    for (uint32_t count; (count = tt_events_read(readers[0], row, AT_ONCE, events[0])) > 0;
         row += count) {
        cr_assert_eq(tt_events_read(readers[1], row, AT_ONCE, events[1]), count);
        for (uint32_t i = 0; i < count; i++) {
            struct tt_text texts[] = {tt_text_of(careful, sizeof careful),
                                      tt_text_of(quick, sizeof quick)};
            for (unsigned each = 0; each < 2; each++) {
                tt_line_event(&texts[each], tt_trace_capture(traces[each]), &events[each][i], NULL,
                              tt_trace_progress(traces[each]).first_ticks);
            }
            cr_assert_eq(events[0][i].pos, events[1][i].pos);
            cr_assert_str_eq(tt_text_cstr(&texts[0]), tt_text_cstr(&texts[1]));
        }
    }
    cr_assert_gt(row, 0);
    for (unsigned each = 0; each < 2; each++) {
        tt_events_free(readers[each]);
        tt_trace_close(traces[each]);
    }
}

/* Lines of a batch that a format writes itself. */
struct written {
    struct tt_events *reader;
    struct tt_line_run *run;
    const struct tt_event *events;
    struct tt_args *args;
    uint32_t count;
    uint64_t lines;
};

static void check_written(void *arg)
{
    struct written *written = arg;
    for (uint32_t i = 0; i < written->count; i++) {
        const struct tt_event *event = &written->events[i];
        struct tt_text text = tt_text_of(quick, sizeof quick);
        if (tt_events_put_line(written->reader, written->run, event, &text)) {
            tt_events_describe(written->reader, event, written->args);
            struct tt_text line = tt_text_of(careful, sizeof careful);
            tt_line_event(&line, written->run->capture, event, written->args,
                          written->run->first_ticks);
            cr_assert_str_eq(tt_text_cstr(&text), tt_text_cstr(&line));
            written->lines++;
        } else {
            cr_assert_eq(text.used, 0);
        }
        for (size_t room = event->pos % 64; room < 2048; room += 64) {
            memset(quick, '#', room + 1);
            text = tt_text_of(quick, room);
            tt_events_put_line(written->reader, written->run, event, &text);
            cr_assert_leq(text.used, room);
            cr_assert_eq(quick[room], '#');
        }
    }
}

static void check_file(const char *path, bool writes_lines)
{
    static struct tt_args args;
    struct tt_event events[AT_ONCE];
    struct tt_trace *trace = index_file(path, false);
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_line_names *names = tt_line_names_new(c);
    struct tt_events *reader = tt_events_new(trace);
    cr_assert(names && reader);
    struct tt_line_run run = tt_line_run_of(c, names, tt_trace_progress(trace).first_ticks);
    struct written written = {.reader = reader, .run = &run, .events = events, .args = &args};
    uint64_t row = 0;
    for (uint32_t count; (count = tt_events_read(reader, row, AT_ONCE, events)) > 0; row += count) {
        for (uint32_t i = 0; i < count; i++) {
            tt_events_describe(reader, &events[i], &args);
            check_names(&args);
            check_line(&run, &events[i], &args);
            struct tt_line_run late = tt_line_run_of(c, names, events[i].ticks + 5);
            check_line(&late, &events[i], &args); /* before the origin */
        }
        written.count = count;
        cr_assert(tt_events_guard(reader, check_written, &written));
    }
    cr_assert_gt(row, 0);
    cr_assert_eq(written.lines > 0, writes_lines);
    tt_events_free(reader);
    tt_line_names_free(names);
    tt_trace_close(trace);
}

Test(event_line, fast_path_equals_general_path_in_every_format)
{
    check_file("samples/demo.kev", false);
    check_file("samples/demo.fxt", false);
    check_file("samples/demo.trx", false);
    check_file("samples/demo.btrace", false);
    check_file("samples/demo.dat", true);
    check_file("samples/demo.lttng", true);
    check_file("samples/demo.zephyr", true);
}

Test(event_line, rows_need_no_timelines_in_any_format)
{
    check_rows_only("samples/demo.kev");
    check_rows_only("samples/demo.fxt");
    check_rows_only("samples/demo.trx");
    check_rows_only("samples/demo.btrace");
    check_rows_only("samples/demo.dat");
    check_rows_only("samples/demo.lttng");
    check_rows_only("samples/demo.zephyr");
}

Test(event_line, pens_write_what_printf_does)
{
    char out[32], expect[32];
    uint64_t value = 1;
    for (unsigned i = 0; i < 20000; i++) {
        value = value * 6364136223846793005u + 1442695040888963407u;
        uint64_t v = value >> (i % 64);
        char *end = tt_fast_u64(out, v);
        int length = snprintf(expect, sizeof expect, "%" PRIu64, v);
        cr_assert(end - out == length && memcmp(out, expect, (size_t)length) == 0, "%s", expect);
        end = tt_fast_i64(out, (int64_t)v);
        length = snprintf(expect, sizeof expect, "%" PRId64, (int64_t)v);
        cr_assert(end - out == length && memcmp(out, expect, (size_t)length) == 0, "%s", expect);
        unsigned digits = i % 17;
        end = tt_fast_hex(out, v, digits);
        length = snprintf(expect, sizeof expect, "%0*" PRIx64, (int)(digits ? digits : 1), v);
        cr_assert(end - out == length && memcmp(out, expect, (size_t)length) == 0, "%s", expect);
        uint32_t decimals = (uint32_t)(v % 1000000000);
        end = tt_fast_nine(out, decimals);
        length = snprintf(expect, sizeof expect, "%09" PRIu32, decimals);
        cr_assert(end - out == length && memcmp(out, expect, (size_t)length) == 0, "%s", expect);
    }
}

/* Numbers of a column that grow, jump, and shrink. */
Test(event_line, near_numbers_are_those_of_printf)
{
    char out[48], expect[32];
    struct tt_near_number near = {0};
    uint64_t value = 0, jump = 88172645463325252u;
    for (unsigned i = 0; i < 50000; i++) {
        char *end = tt_fast_near(out, &near, value);
        int length = snprintf(expect, sizeof expect, "%" PRIu64, value);
        cr_assert(end - out == length && memcmp(out, expect, (size_t)length) == 0, "%s", expect);
        jump = jump * 6364136223846793005u + 1442695040888963407u;
        value = i % 100 ? value + (jump >> (40 + i % 24)) : jump >> (i / 100 % 64);
    }
}

Test(event_line, json_numbers_beyond_a_double_are_strings)
{
    char out[48];
    *tt_fast_json_u64(out, TT_JSON_EXACT) = '\0';
    cr_assert_str_eq(out, "9007199254740992");
    *tt_fast_json_u64(out, TT_JSON_EXACT + 1) = '\0';
    cr_assert_str_eq(out, "\"9007199254740993\"");
    *tt_fast_json_u64(out, UINT64_MAX) = '\0';
    cr_assert_str_eq(out, "\"18446744073709551615\"");
    *tt_fast_json_i64(out, -(int64_t)TT_JSON_EXACT) = '\0';
    cr_assert_str_eq(out, "-9007199254740992");
    *tt_fast_json_i64(out, INT64_MIN) = '\0';
    cr_assert_str_eq(out, "\"-9223372036854775808\"");
    *tt_fast_json_i64(out, INT64_MAX) = '\0';
    cr_assert_str_eq(out, "\"9223372036854775807\"");
    *tt_fast_json_i64(out, 0) = '\0';
    cr_assert_str_eq(out, "0");
}

Test(event_line, plain_text_is_recognised_at_every_offset)
{
    char out[40];
    for (size_t length = 0; length <= 26; length++) {
        for (size_t at = 0; at < length; at++) {
            for (unsigned c = 0; c < 256; c++) {
                char text[26];
                memset(text, 'a' + (int)at, sizeof text);
                text[at] = (char)c;
                memset(out, '#', sizeof out);
                cr_assert_eq(tt_fast_plain(out, text, length), is_plain((unsigned char)c),
                             "%u at %zu of %zu", c, at, length);
                cr_assert(!is_plain((unsigned char)c) || memcmp(out, text, length) == 0);
                cr_assert_eq(out[length], '#');
            }
        }
        const char *letters = "abcdefghijklmnopqrstuvwxyz";
        memset(out, '#', sizeof out);
        cr_assert_eq(tt_fast_bytes(out, letters, length), out + length);
        cr_assert(memcmp(out, letters, length) == 0 && out[length] == '#', "%zu", length);
    }
    cr_assert(tt_fast_plain(out, "", 0));
}
