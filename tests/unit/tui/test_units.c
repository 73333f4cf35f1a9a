/* SPDX-License-Identifier: Apache-2.0 */
/* Formatted numbers, and columns that share a line. */
#include <criterion/criterion.h>
#include <string.h>

#include "tui/draw/units.h"
#include "tui/model/event_columns.h"

static char buffer[64];
static struct tt_text text;

#define SHOWS(expected, call)                                                                      \
    do {                                                                                           \
        text = tt_text_of(buffer, sizeof buffer);                                                  \
        call;                                                                                      \
        cr_assert_str_eq(tt_text_cstr(&text), expected);                                           \
    } while (0)

Test(tui_units, seconds_in_groups)
{
    SHOWS("1.204 118 204", tt_units_seconds(&text, 1204118204));
    SHOWS("0.000 000 005", tt_units_seconds(&text, 5));
    SHOWS("-0.000 001 000", tt_units_seconds(&text, -1000));
    SHOWS("9223372036.854 775 807", tt_units_seconds(&text, INT64_MAX));
    SHOWS("-9223372036.854 775 808", tt_units_seconds(&text, INT64_MIN));
}

Test(tui_units, integers_in_groups)
{
    SHOWS("0", tt_units_spaced(&text, 0));
    SHOWS("999", tt_units_spaced(&text, 999));
    SHOWS("1 000", tt_units_spaced(&text, 1000));
    SHOWS("-1 234 567", tt_units_spaced(&text, -1234567));
    SHOWS("9 223 372 036 854 775 807", tt_units_spaced(&text, INT64_MAX));
}

Test(tui_units, a_delta_without_unit_is_microseconds)
{
    SHOWS("0.000", tt_units_delta(&text, 0));
    SHOWS("12.868", tt_units_delta(&text, 12868));
    SHOWS("9999.999", tt_units_delta(&text, 9999999));
    SHOWS("10.00 ms", tt_units_delta(&text, 10000000));
    SHOWS("999.9 ms", tt_units_delta(&text, 999999999));
    SHOWS("1.000 s", tt_units_delta(&text, 1000000000));
    SHOWS("12345 s", tt_units_delta(&text, 12345999999999));
}

Test(tui_units, durations_have_four_digits)
{
    SHOWS("731 ns", tt_units_duration(&text, 731, 'u'));
    SHOWS("21.45 us", tt_units_duration(&text, 21456, 'u'));
    SHOWS("2.104 ms", tt_units_duration(&text, 2104999, 'u'));
    SHOWS("12.40 s", tt_units_duration(&text, 12402000000, 'u'));
    SHOWS("21.45 \xc2\xb5s", tt_units_duration(&text, 21456, 0xb5));
}

Test(tui_units, counts)
{
    SHOWS("731", tt_units_count(&text, 731));
    SHOWS("9,999", tt_units_count(&text, 9999));
    SHOWS("21.5 k", tt_units_count(&text, 21560));
    SHOWS("3.10 M", tt_units_count(&text, 3104221));
    SHOWS("104 M", tt_units_count(&text, 104000000));
    SHOWS("1.20 G", tt_units_count(&text, 1204000000));
}

/* ---- columns ------------------------------------------------------------------------------- */

static struct tt_column_place places[TT_COLUMN_COUNT];

static void place(int width, uint32_t hidden)
{
    const struct tt_column_needs needs = {13, 1, 8, hidden, 0};
    tt_columns_place(width, &needs, places);
}

Test(tui_columns, columns_at_80)
{
    place(80, 1u << TT_COLUMN_CAPTURE);
    const struct tt_column_place expected[TT_COLUMN_COUNT] = {
        [TT_COLUMN_TIME] = {1, 13},       [TT_COLUMN_DELTA] = {15, 8},
        [TT_COLUMN_DURATION] = {24, 0},   [TT_COLUMN_CAPTURE] = {24, 0},
        [TT_COLUMN_CPU] = {24, 1},        [TT_COLUMN_THREAD] = {26, 16},
        [TT_COLUMN_CLASS] = {43, 0},      [TT_COLUMN_EVENT] = {43, 15},
        [TT_COLUMN_ARGUMENTS] = {59, 21},
    };
    for (int i = 0; i < TT_COLUMN_COUNT; i++) {
        cr_assert_eq(places[i].x, expected[i].x, "%d: x %d", i, places[i].x);
        cr_assert_eq(places[i].width, expected[i].width, "%d: width %d", i, places[i].width);
    }
}

Test(tui_columns, columns_fit_at_any_width)
{
    for (int width = 1; width < 300; width++) {
        for (uint32_t hidden = 0; hidden < 1u << TT_COLUMN_COUNT; hidden++) {
            place(width, hidden);
            int end = 0;
            for (int i = 0; i < TT_COLUMN_COUNT; i++) {
                if (places[i].width > 0) {
                    cr_assert_gt(places[i].x, end);
                    cr_assert_not(hidden & 1u << i);
                    end = places[i].x + places[i].width - 1;
                }
            }
            cr_assert_lt(end, width > 1 ? width : 2);
        }
    }
}

Test(tui_columns, less_important_columns_are_hidden_first)
{
    place(40, 0);
    cr_assert_gt(places[TT_COLUMN_EVENT].width, 0);
    cr_assert_gt(places[TT_COLUMN_TIME].width, 0);
    cr_assert_gt(places[TT_COLUMN_THREAD].width, 0);
    cr_assert_eq(places[TT_COLUMN_DELTA].width, 0);
    place(120, 0);
    cr_assert_gt(places[TT_COLUMN_CLASS].width, 0);
}

Test(tui_columns, a_wide_screen_widens_the_arguments)
{
    place(200, 0);
    for (int i = 0; i < TT_COLUMN_ARGUMENTS; i++) {
        cr_assert_lt(places[i].width, 33);
    }
    cr_assert_gt(places[TT_COLUMN_ARGUMENTS].width, 70);
}

Test(tui_units, a_printed_unit_becomes_that_of_the_screen)
{
    static const struct {
        const char *printed, *shown;
    } cases[] = {
        {"1.58 µs", "1.58 us"},
        {"874.8 µs  50 %, 1 µs.", "874.8 us  50 %, 1 us."},
        {" µs", " us"},
        {"3 used 4 us", "3 used 4 us"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, cases[i].printed);
        tt_units_adopt(&text, 'u');
        cr_expect_str_eq(tt_text_cstr(&text), cases[i].shown);
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, cases[i].printed);
        tt_units_adopt(&text, 0xb5);
        cr_expect_str_eq(tt_text_cstr(&text), cases[i].printed);
    }
}
