/* SPDX-License-Identifier: Apache-2.0 */
/* Zones of absolute times: their names, offsets and labels. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "tui/draw/time_zone.h"

/* 2025-01-01 and 2025-07-01, 12:00 UTC. */
#define WINTER INT64_C(1735732800)
#define SUMMER INT64_C(1751371200)

static void set(struct tt_time_zone *zone, const char *name)
{
    struct tt_status status = tt_time_zone_set(zone, name);
    cr_assert_not(tt_failed(&status), "%s: %s", name, status.text);
}

TestSuite(time_zone, ALONE);

Test(time_zone, by_offset)
{
    static const struct {
        const char *name;
        int32_t ahead; /* seconds */
    } zones[] = {{"UTC", 0},       {"+02:00", 7200}, {"-0330", -12600}, {"+2", 7200},
                 {"+5:45", 20700}, {"-12", -43200},  {"+00:00", 0}};
    struct tt_time_zone zone = {0};
    char label[TT_ZONE_BYTES];
    cr_expect_str_eq(tt_time_zone_name(&zone), "UTC");
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        set(&zone, zones[i].name);
        cr_expect_eq(tt_time_zone_ahead(&zone, SUMMER), zones[i].ahead, "%s", zones[i].name);
        cr_expect_str_eq(tt_time_zone_label(&zone, SUMMER, label), zones[i].name);
    }
}

Test(time_zone, that_does_not_exist_changes_nothing)
{
    static const char *const names[] = {
        "",       "+",       "+2:3",     "+02:60", "+123",
        "+99",    "02:00",   "No/Where", "Europe", "../zoneinfo/UTC",
        "/etc/x", "+02::00", "+02:",     "Europe/"};
    struct tt_time_zone zone = {0};
    set(&zone, "+02:00");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tt_status status = tt_time_zone_set(&zone, names[i]);
        cr_expect(tt_failed(&status), "\"%s\"", names[i]);
        cr_expect_eq(tt_time_zone_ahead(&zone, SUMMER), 7200, "\"%s\"", names[i]);
    }
}

/* A rule in TZ needs no database. Names restore it. */
Test(time_zone, local_and_by_name)
{
    struct tt_time_zone zone = {0};
    char label[TT_ZONE_BYTES];
    setenv("TZ", "AAA-3BBB,M3.5.0,M10.5.0/3", 1);
    set(&zone, "local");
    cr_expect_eq(tt_time_zone_ahead(&zone, WINTER), 3 * 3600);
    cr_expect_eq(tt_time_zone_ahead(&zone, SUMMER), 4 * 3600);
    cr_expect_str_eq(tt_time_zone_label(&zone, SUMMER, label), "BBB");
    if (access("/usr/share/zoneinfo/America/New_York", R_OK) != 0) {
        cr_skip_test("no zone database here");
    }
    set(&zone, "America/New_York");
    cr_expect_eq(tt_time_zone_ahead(&zone, WINTER), -5 * 3600);
    cr_expect_eq(tt_time_zone_ahead(&zone, SUMMER), -4 * 3600);
    cr_expect_str_eq(tt_time_zone_label(&zone, WINTER, label), "EST");
    set(&zone, "local");
    cr_expect_eq(tt_time_zone_ahead(&zone, WINTER), 3 * 3600);
}
