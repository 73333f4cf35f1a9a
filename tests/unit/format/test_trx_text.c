/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of trace buffers: containers, and names of an application's events. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/trx/trx_container.h"
#include "format/trx/trx_names.h"
#include "format/trx/trx_tables.h"
#include "trx_build.h"

/* ---- containers ------------------------------------------------------------------------- */

static size_t decode(const char *text, uint8_t *out, size_t capacity,
                     struct trx_container_report *report)
{
    struct tt_bytes source = tt_bytes_of(text, strlen(text));
    return trx_container_decode(trx_container_guess(source), source, out, capacity, report);
}

Test(trx_container, guessed_by_content)
{
    static const struct {
        const char *text;
        enum trx_container container;
    } cases[] = {
        {":00000001FF", TRX_CONTAINER_INTEL_HEX},
        {"S00600004844521B", TRX_CONTAINER_S_RECORD},
        {"42545854", TRX_CONTAINER_HEX_DUMP},
        {"Sorry", TRX_CONTAINER_NONE},
        {":)", TRX_CONTAINER_NONE},
        {"<?xml", TRX_CONTAINER_NONE},
        {"", TRX_CONTAINER_NONE},
        {"4", TRX_CONTAINER_NONE},
        {"4g", TRX_CONTAINER_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tt_bytes source = tt_bytes_of(cases[i].text, strlen(cases[i].text));
        cr_assert_eq(trx_container_guess(source), cases[i].container, "'%s'", cases[i].text);
    }
}

Test(trx_container, intel_hex)
{
    struct trx_container_report report;
    uint8_t out[16];
    size_t length = decode(":020000042000DA\r\n:0400000001020304F2\r\n:020004000506EF\r\n"
                           ":00000001FF\r\nnot read\r\n",
                           out, sizeof out, &report);
    cr_assert_eq(length, 6);
    cr_assert_arr_eq(out, ((const uint8_t[]){1, 2, 3, 4, 5, 6}), 6);
    cr_assert_eq(report.bad_lines, 0);
    cr_assert_eq(report.bad_sums, 0);
    cr_assert_eq(report.jumps, 0);
    cr_assert_not(report.full);
}

/* Returns the number of jumps between 1 byte at 0xffff and 1 byte at 0 after a segment record. */
static uint64_t jumps_after(const char *first, const char *second)
{
    struct trx_container_report report;
    char text[200];
    uint8_t out[16];
    snprintf(text, sizeof text, "%s\n:01FFFF000100\n%s\n:010000000200\n:00000001FF\n", first,
             second);
    size_t length = decode(text, out, sizeof out, &report);
    cr_assert_eq(length, 2);
    return report.jumps;
}

/* Segments of type 2 count 16 bytes, those of type 4 64 KB; records of another length are none. */
Test(trx_container, intel_segments)
{
    static const struct {
        const char *first, *second;
        uint64_t jumps;
    } cases[] = {
        {":020000042000DA", ":020000042001D9", 0}, {":020000042000DA", ":020000042002D8", 1},
        {":020000021000EC", ":020000022000DC", 0}, {":020000021000EC", ":020000021001EB", 1},
        {":020000042000DA", ":0100000420DB", 1},   {":020000042000DA", ":03000004200100D8", 1},
        {":020000021000EC", ":0100000220DD", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(jumps_after(cases[i].first, cases[i].second), cases[i].jumps, "%s %s",
                     cases[i].first, cases[i].second);
    }
}

Test(trx_container, problems_are_reported_and_skipped)
{
    struct trx_container_report report;
    uint8_t out[16];
    size_t length = decode(":0100000001FE\n:01000100zzFC\n:0100020003FF\n:0100090004F2\n:05\n", out,
                           sizeof out, &report);
    cr_assert_eq(length, 3);
    cr_assert_arr_eq(out, ((const uint8_t[]){1, 3, 4}), 3);
    cr_assert_eq(report.bad_lines, 2);
    cr_assert_eq(report.first_bad_line, 14);
    cr_assert_eq(report.bad_sums, 1);
    cr_assert_eq(report.jumps, 2);
}

Test(trx_container, s_records_of_every_width)
{
    struct trx_container_report report;
    uint8_t out[16];
    size_t length = decode("S00600004844521B\nS10500001122C7\nS20600000233447F\n"
                           "S30700000004556639\nS5030003F9\nS9030000FC\nS1050000FFFFFC\n",
                           out, sizeof out, &report);
    cr_assert_eq(length, 6);
    cr_assert_arr_eq(out, ((const uint8_t[]){0x11, 0x22, 0x33, 0x44, 0x55, 0x66}), 6);
    cr_assert_eq(report.bad_lines, 0);
    cr_assert_eq(report.jumps, 0);
    cr_assert_eq(report.bad_sums, 1); /* the S2 record, whose data is used */
}

Test(trx_container, hex_dump)
{
    struct trx_container_report report;
    uint8_t out[16];
    size_t length = decode("0102\r\n a0\tFF\n!0", out, sizeof out, &report);
    cr_assert_eq(length, 4);
    cr_assert_arr_eq(out, ((const uint8_t[]){1, 2, 0xa0, 0xff}), 4);
    cr_assert_eq(report.bad_lines, 2);
}

Test(trx_container, never_beyond_the_capacity)
{
    struct trx_container_report report;
    uint8_t out[3];
    cr_assert_eq(decode(":0400000001020304F2\n:00000001FF\n", out, 3, &report), 3);
    cr_assert(report.full);
    cr_assert_eq(decode("0102030405", out, 3, &report), 3);
    cr_assert(report.full);
    cr_assert_eq(decode("010203\n", out, 3, &report), 3);
    cr_assert_not(report.full);
}

Test(trx_container, damage_in_a_container_is_damage_of_the_capture)
{
    static const struct trx_kit_entry entries[] = {{{0x1000, 5, 103, 1}}, {{0x1000, 5, 103, 2}}};
    struct trx_kit_buffer buffer = {
        .mask = UINT32_MAX, .entries = entries, .entry_count = 2, .oldest = 0};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct trx_bytes hex = trx_as_intel_hex(&bytes);
    struct trx_kit kit;
    trx_kit_load(&kit, &hex);
    cr_assert_eq(kit.count, 2);
    cr_assert_not(tt_health_damaged(kit.capture));
    cr_assert_str_eq(trx_kit_fact(&kit, "header", "container"), "Intel HEX");
    cr_assert_eq(kit.capture->bytes.size, bytes.size);
    cr_assert_arr_eq(kit.capture->bytes.data, bytes.data, bytes.size);
    trx_kit_close(&kit);

    char *line = strstr((char *)hex.data, ":20004000");
    cr_assert_not_null(line);
    line[10] = line[10] == '0' ? '1' : '0';
    trx_kit_load(&kit, &hex);
    cr_assert_eq(kit.count, 2);
    cr_assert(tt_health_damaged(kit.capture));
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    trx_bytes_free(&hex);
}

/* ---- names ------------------------------------------------------------------------------ */

static const char names_text[] =
    "// Custom events\r\n"
    "4095, before Start, AB, (0,0,0), (0,0,0), a, b, c, d\r\n"
    "Start\r\n"
    "// a comment\r\n"
    "4098, Frame done, FD, (r, g, b), (r, g, b), frame, late by, , peer\r\n"
    "4096,first,AA,(1,2,3),(4,5,6),one,two,three,four\n"
    "\n"
    "4096,second,AA,(1,2,3),(4,5,6),one,two,three,four\n"
    "70000,too high,AA,(1,2,3),(4,5,6),one,two,three,four\n"
    "4097,too few,AA,(1,2,3),(4,5,6),one,two,three\n"
    "End\n"
    "4099,after End,AA,(1,2,3),(4,5,6),one,two,three,four\n";

Test(trx_names, lines_between_start_and_end)
{
    struct trx_names names = {0};
    struct tt_status status = trx_names_parse(&names, names_text, sizeof names_text - 1);
    cr_assert_not(tt_failed(&status));
    cr_assert_eq(names.bad_lines, 2);
    cr_assert_eq(names.first_bad_line, 9);
    cr_assert_str_eq(trx_names_find(&names, 4096)->name, "first");
    cr_assert_str_eq(trx_names_find(&names, 4096)->labels[3], "four");
    cr_assert_str_eq(trx_names_find(&names, 4098)->name, "Frame done");
    cr_assert_str_eq(trx_names_find(&names, 4098)->labels[1], "late by");
    cr_assert_str_eq(trx_names_find(&names, 4098)->labels[2], "");
    cr_assert_null(trx_names_find(&names, 4095));
    cr_assert_null(trx_names_find(&names, 4097));
    cr_assert_null(trx_names_find(&names, 4099));
    trx_names_free(&names);
}

Test(trx_names, other_files)
{
    struct trx_names names = {0};
    struct tt_status status = trx_names_parse(&names, "hello\n", 6);
    cr_assert_eq(status.code, TT_ERR_USAGE);
    status = trx_names_read(&names, "/nonexistent/names.trxc");
    cr_assert_eq(status.code, TT_ERR_IO);
    cr_assert_not_null(strstr(status.text, "names.trxc"));
    trx_names_free(&names);
}

Test(trx_names, template_of_tracex)
{
    struct trx_names names = {0};
    struct trx_bytes bytes = trx_bytes_read(TRX_CAPTURES "tracex_custom.trxc");
    if (!bytes.data) {
        cr_skip_test(TRX_CAPTURES " is not there");
    }
    struct tt_status status = trx_names_parse(&names, (const char *)bytes.data, bytes.size);
    cr_assert_not(tt_failed(&status));
    cr_assert_eq(names.count, 0);
    cr_assert_eq(names.bad_lines, 0);
    trx_names_free(&names);
    trx_bytes_free(&bytes);
}

Test(trx_names, name_the_users_events)
{
    static const struct trx_kit_entry entries[] = {{{0x1000, 5, 4098, 1, 7, 8, 9, 0x1000}},
                                                   {{0x1000, 5, 4103, 2, 7, 8, 9, 10}}};
    static const struct trx_kit_object objects[] = {
        {.type = TRX_OBJECT_THREAD, .address = 0x1000, .name = "alpha"}};
    static struct tt_args args;
    char path[] = "/tmp/trx_names_XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, names_text, sizeof names_text - 1), (ssize_t)sizeof names_text - 1);
    close(fd);
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = objects,
                                    .object_count = 1,
                                    .entries = entries,
                                    .entry_count = 2};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct tt_capture_options options = {.names_path = path};
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, &options);
    unlink(path);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(trx_kit_decode(&kit, 8));
    cr_assert_str_eq(tt_types_at(kit.capture, kit.events[0].type)->name, "Frame done");
    cr_assert_str_eq(tt_types_at(kit.capture, kit.events[0].type)->class_name, "USER");
    cr_assert_str_eq(tt_types_at(kit.capture, kit.events[1].type)->name, "USER_4103");
    cr_assert(trx_kit_describe(&kit, 0, &args));
    cr_assert_eq(trx_kit_arg(&args, "frame")->value.u, 7);
    cr_assert_eq(trx_kit_arg(&args, "late by")->value.u, 8);
    cr_assert_eq(trx_kit_arg(&args, "info3")->value.u, 9);
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "peer"), "alpha"));
    cr_assert_str_eq(trx_kit_fact(&kit, "names", "events named"), "3");
    trx_kit_close(&kit);

    options.names_path = "/nonexistent/names.trxc";
    status = trx_kit_open(&kit, &bytes, &options);
    cr_assert_eq(status.code, TT_ERR_IO);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}
