/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and lines formatted by a plan equal those of kev_describe(). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/writers.h"
#include "kev_build.h"
#include "tracetui/event_line.h"

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Words as in captures: small numbers, zero, all bits, characters, random. */
static uint32_t any_word(uint32_t *state)
{
    static const uint32_t some[] = {0, 0, 0, 1, 2, 3, 4, 0xffffffff, 0x80000000, 4099, 0x1004};
    uint32_t kind = random_next(state) % 16;
    if (kind < sizeof some / sizeof some[0]) {
        return some[kind];
    }
    uint32_t word = random_next(state) << 16 ^ random_next(state);
    return kind < 13 ? (word & 0x1f1f1f1f) + 0x41414141 : word;
}

/* Events of every number, short and long. */
static void build_any(struct kev_build *b, const char *release, bool big)
{
    static const unsigned events[] = {1024, 32, 1024, 32, 340, 64, 16, 16, 16, 16, 16, 16, 16, 64};
    uint32_t words[34], stamp = 1000, state = 7;
    kev_build_begin(b, release, big);
    for (unsigned class_ = KB_CONTROL + 1; class_ < sizeof events / sizeof events[0]; class_++) {
        for (unsigned i = 0; i < 8 * events[class_]; i++) {
            size_t count = i % 8 < 4 ? 2 : 2 * (random_next(&state) % 17 + 1);
            for (size_t word = 0; word < count; word++) {
                words[word] = any_word(&state);
            }
            kev_build_words(b, i % 3, class_, i / 8, stamp += 7, words, count);
        }
    }
}

/* Counts the events with a text from a plan. */
static uint32_t check_args(const struct tt_capture *c, const struct tt_event *events,
                           uint32_t count)
{
    static struct tt_args args;
    struct tt_texts *texts = c->format->texts.new_(c, TT_TEXTS_LINE);
    uint32_t with_plan = 0;
    cr_assert_not_null(texts);
    for (uint32_t i = 0; i < count; i++) {
        char direct[8192], described[8192];
        struct tt_text text = tt_text_of(described, sizeof described);
        char *end =
            c->format->texts.put(texts, c, &events[i], c->bytes.size, direct, sizeof direct);
        if (end) {
            cr_assert(c->format->describe(c, &events[i], c->bytes.size, &args));
            tt_line_args(&text, &args);
            cr_assert_eq((size_t)(end - direct), text.used, "event %u: %.*s, not %.*s", i,
                         (int)(end - direct), direct, (int)text.used, described);
            cr_assert_arr_eq(direct, described, text.used);
            with_plan++;
        }
    }
    c->format->texts.free_(texts);
    return with_plan;
}

Test(kev_text, arguments_equal_described_ones)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    for (size_t i = 0; i < 2 * sizeof releases / sizeof releases[0]; i++) {
        struct kev_build b;
        build_any(&b, releases[i / 2], i % 2 != 0);
        struct kev_read r = kev_read_all(&b);
        uint32_t with_plan = check_args(r.capture, r.events, r.event_count);
        cr_assert_gt(with_plan, r.event_count / 3);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* An event and its text by a plan; NULL: it has no plan and is described. */
struct planned {
    unsigned class_;
    unsigned event;
    uint32_t count;
    uint32_t words[6];
    const char *text;
};

/* clang-format off */
static const struct planned planned[] = {
    {KB_THREAD, 1, 2, {4099, 2}, "pid=4099 tid=2"},
    {KB_THREAD, 1, 4, {4099, 2, 10, 1}, "pid=4099 tid=2 priority=10 policy=1(FIFO)"},
    {KB_THREAD, 1, 4, {4099, 2, 10, 4}, "pid=4099 tid=2 priority=10 policy=4(SPORADIC)"},
    {KB_THREAD, 1, 4, {4099, 2, 10, 0}, "pid=4099 tid=2 priority=10 policy=0"},   /* no such label */
    {KB_THREAD, 1, 4, {4099, 2, 10, 5}, "pid=4099 tid=2 priority=10 policy=5"},
    {KB_SEC, 3, 2, {1, 2}, "nd=1 pid=2"},                                         /* the first fields */
    {KB_CALL, 11, 2, {3, 4}, "coid=0x00000003 msg[0]=0x00000004"},                /* not printable */
    {KB_CALL, 11, 2, {3, 0x64636261}, "coid=0x00000003 msg[0]=0x64636261(abcd)"},
    {KB_CALL, 128 + 11, 2, {0, 7}, "status=0 rmsg[0]=0x00000007"},
    {KB_CALL, 128 + 11, 2, {0xffffffff, 7}, NULL},                                /* failed */
    {KB_USER, 1, 2, {1, 2}, NULL},
    {KB_SYSTEM, 14, 2, {5, 0}, NULL},                                             /* a bit set */
};
/* clang-format on */

Test(kev_text, which_events_have_a_plan)
{
    for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++) {
        struct kev_build b;
        char text[1024];
        kev_build_begin(&b, "7.1.0", false);
        kev_build_words(&b, 0, planned[i].class_, planned[i].event, 100, planned[i].words,
                        planned[i].count);
        struct kev_read r = kev_read_all(&b);
        struct tt_texts *texts = r.capture->format->texts.new_(r.capture, TT_TEXTS_LINE);
        char *end =
            r.capture->format->texts.put(texts, r.capture, &r.events[0], b.size, text, sizeof text);
        if (end) {
            *end = '\0';
        }
        cr_expect_str_eq(end ? text : "described", planned[i].text ? planned[i].text : "described",
                         "row %zu: %s, described as %s", i, end ? text : "no plan",
                         kev_read_args(&r, 0));
        r.capture->format->texts.free_(texts);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* A truncated event is described, or formatted as one of the remaining slots. */
Test(kev_text, events_with_missing_slots)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 0, KB_CALL, 11, 100, 6, 1, 2, 3, 4, 5, 6);
    struct kev_read r = kev_read_all(&b);
    struct tt_texts *texts = r.capture->format->texts.new_(r.capture, TT_TEXTS_LINE);
    for (uint64_t limit = b.slots; limit < b.size; limit++) {
        char text[1024];
        cr_assert_null(
            r.capture->format->texts.put(texts, r.capture, &r.events[0], limit, text, sizeof text));
    }
    r.capture->format->texts.free_(texts);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* The lines of a capture, one by one, into room that ends anywhere. */
Test(kev_text, lines_equal_those_of_described_events)
{
    struct kev_build b;
    static struct tt_args args;
    build_any(&b, "7.1.0", false);
    struct kev_read r = kev_read_all(&b);
    struct tt_line_names *names = tt_line_names_new(r.capture);
    uint64_t first = r.events[0].ticks;
    for (uint32_t i = 0; i < r.event_count; i++) {
        char direct[8192], described[8192];
        struct tt_text line = tt_text_of(described, sizeof described);
        struct tt_text fast = tt_text_of(direct, i % 3 == 0 ? i % 400 : sizeof direct);
        uint32_t count = tt_lines_fast(&fast, r.capture, names, &r.events[i], 1, b.size, first);
        if (count == 0) {
            cr_assert_eq(fast.used, 0);
            continue;
        }
        cr_assert(r.capture->format->describe(r.capture, &r.events[i], b.size, &args));
        tt_line_event(&line, r.capture, &r.events[i], &args, first);
        tt_text_char(&line, '\n');
        cr_assert_leq(fast.used, fast.capacity);
        cr_assert_eq(fast.used, line.used);
        cr_assert_arr_eq(direct, described, line.used);
    }
    tt_line_names_free(names);
    kev_read_free(&r);
    kev_build_free(&b);
}

static tt_writer *const row_writers[] = {
    [TT_FIELDS_CSV] = tt_export_csv,
    [TT_FIELDS_JSON] = tt_export_jsonl,
};

/* Returns how many rows had a fast path. */
static uint32_t check_rows(const struct kev_read *r, uint64_t size, enum tt_fields_form form)
{
    static struct tt_args args;
    struct tt_row_names *names = tt_row_names_new(r->capture, form);
    uint32_t with_plan = 0;
    cr_assert_not_null(names);
    for (uint32_t i = 0; i < r->event_count; i++) {
        char direct[16384], described[16384];
        struct tt_text row = tt_text_of(described, sizeof described);
        struct tt_text fast = tt_text_of(direct, i % 3 == 0 ? i % 800 : sizeof direct);
        if (tt_rows_fast(&fast, r->capture, names, &r->events[i], 1, size, i) == 0) {
            cr_assert_eq(fast.used, 0);
            continue;
        }
        cr_assert(r->capture->format->describe(r->capture, &r->events[i], size, &args));
        row_writers[form](
            &row, &(struct tt_record){
                      .capture = r->capture, .event = &r->events[i], .args = &args, .number = i});
        cr_assert_leq(fast.used, fast.capacity);
        cr_assert(fast.used == row.used && memcmp(direct, described, row.used) == 0,
                  "event %u: %.*s, not %.*s", i, (int)fast.used, direct, (int)row.used, described);
        with_plan++;
    }
    tt_row_names_free(names);
    return with_plan;
}

/* Rows of CSV and JSON, one by one, into room that ends anywhere. */
Test(kev_text, rows_equal_those_of_described_events)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    for (size_t i = 0; i < 2 * sizeof releases / sizeof releases[0]; i++) {
        struct kev_build b;
        build_any(&b, releases[i / 2], i % 2 != 0);
        struct kev_read r = kev_read_all(&b);
        cr_assert_gt(check_rows(&r, b.size, TT_FIELDS_CSV), r.event_count / 4);
        cr_assert_gt(check_rows(&r, b.size, TT_FIELDS_JSON), r.event_count / 4);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}
