/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of records that a capture lacks: small captures with all kinds but one.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kit/kev_build.h"
#include "analysis/missing.h"

enum { RUNNING = 1, READY = 2, RECEIVE = 5 };

#define SET(missing) (UINT32_C(1) << (missing))

struct recording {
    struct kev_build b;
    uint32_t at;
    uint32_t without; /* a set of enum tt_missing */
};

static bool has(const struct recording *r, unsigned missing)
{
    return (r->without >> missing & 1) == 0;
}

static void state(struct recording *r, unsigned state_event, uint32_t pid)
{
    r->at += 10;
    if (!has(r, TT_MISSING_SCHEDULING) || (state_event == READY && !has(r, TT_MISSING_WAKEUPS))) {
        return;
    }
    size_t words = has(r, TT_MISSING_PRIORITIES) ? 4 : 2;
    kev_build_event(&r->b, 0, KB_THREAD, state_event, r->at, words, pid, 1, 10, 1);
}

static void record(struct recording *r, unsigned missing, unsigned class_, unsigned event,
                   uint32_t first, uint32_t second)
{
    r->at += 10;
    if (has(r, missing)) {
        kev_build_event(&r->b, 0, class_, event, r->at, 2, first, second);
    }
}

/* Returns the kinds that a capture lacks if it was recorded without a set of records. */
static uint32_t found_without(const char *release, uint32_t without)
{
    struct recording r = {.at = 1000, .without = without};
    char path[] = "/tmp/tt-missing-XXXXXX";
    kev_build_begin(&r.b, release, false);
    kev_build_slots_begin(&r.b);
    kev_build_time(&r.b, 0, 0, 0);
    if (has(&r, TT_MISSING_NAMES)) {
        kev_build_named(&r.b, 0, 192, r.at, 1, 2, "sensor");
    }
    for (int i = 0; i < 3; i++) {
        state(&r, RUNNING, 2);
        record(&r, TT_MISSING_CALLS, KB_CALL, 14, 0, 0);
        state(&r, RECEIVE, 2);
        state(&r, RUNNING, 3);
        record(&r, TT_MISSING_MESSAGES, KB_COMM, 0, 0x10001, 2);
        record(&r, TT_MISSING_INTERRUPTS, KB_INT, 1, 35, 0);
        record(&r, TT_MISSING_INTERRUPTS, KB_INT, 4, 35, 0);
        state(&r, READY, 2);
    }
    kev_build_event(&r.b, 0, KB_USER, 1, r.at + 10, 2, 1, 2);
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, r.b.bytes, r.b.size), (ssize_t)r.b.size);
    close(fd);
    kev_build_free(&r.b);

    struct tt_trace_options options = {0};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    uint32_t missing = tt_missing_find(trace);
    tt_trace_close(trace);
    unlink(path);
    return missing;
}

Test(missing, nothing)
{
    cr_expect_eq(found_without("7.1.0", 0), 0, "0x%x", found_without("7.1.0", 0));
}

Test(missing, each_kind_of_records_alone)
{
    static const unsigned kinds[] = {
        TT_MISSING_SCHEDULING, TT_MISSING_WAKEUPS,  TT_MISSING_PRIORITIES, TT_MISSING_INTERRUPTS,
        TT_MISSING_CALLS,      TT_MISSING_MESSAGES, TT_MISSING_NAMES};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t missing = found_without("7.1.0", SET(kinds[i]));
        cr_expect_eq(missing, SET(kinds[i]), "without %s: 0x%x", tt_missing_key(kinds[i]), missing);
    }
}

Test(missing, several)
{
    uint32_t without = SET(TT_MISSING_WAKEUPS) | SET(TT_MISSING_CALLS) | SET(TT_MISSING_NAMES);
    cr_expect_eq(found_without("6.4.1", without), without);
}

Test(missing, interrupts_of_release_8_have_no_ends_to_record)
{
    uint32_t missing = found_without("8.0.0", SET(TT_MISSING_INTERRUPTS));
    cr_expect_eq(missing & SET(TT_MISSING_INTERRUPTS), 0, "0x%x", missing);
}

Test(missing, texts)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_slots_begin(&b);
    kev_build_time(&b, 0, 0, 0);
    struct kev_read r = kev_read_all(&b);
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        cr_expect_gt(strlen(tt_missing_key(i)), 0);
        cr_expect_gt(strlen(tt_missing_cost(i)), 0);
        /* a line of 80 columns has both */
        cr_expect_leq(strlen(tt_missing_cost(i)), 80 - 13, "%s", tt_missing_cost(i));
        const char *remedy = tt_missing_remedy(r.capture, i);
        cr_expect_eq(remedy == NULL, i == TT_MISSING_CLOCK, "%s", tt_missing_key(i));
        cr_expect(!remedy || strlen(remedy) <= 76, "%s", remedy ? remedy : "");
    }
    cr_expect_str_empty(tt_missing_key(TT_MISSING_COUNT));
    cr_expect_str_empty(tt_missing_cost(TT_MISSING_COUNT));
    cr_expect_null(tt_missing_remedy(r.capture, TT_MISSING_COUNT));
    kev_read_free(&r);
    kev_build_free(&b);
}
