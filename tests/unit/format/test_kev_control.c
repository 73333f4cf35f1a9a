/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, losses, counts, empty slots, the end of the file. */
#include <criterion/criterion.h>
#include <string.h>

#include "event_of.h"
#include "format/kev/kev_internal.h"
#include "kev_build.h"

static void buffer(struct kev_build *b, unsigned cpu, uint32_t *stamp, uint32_t sequence,
                   uint32_t events, uint32_t count)
{
    *stamp += 10;
    kev_build_buffer(b, cpu, *stamp, sequence, count);
    for (uint32_t i = 0; i < events; i++) {
        *stamp += 10;
        kev_build_event(b, cpu, KB_USER, 1, *stamp, 2, i, i);
    }
}

/* A header and a TIME, so that no missing TIME is reported. */
static void begin(struct kev_build *b, const char *release)
{
    kev_build_begin(b, release, false);
    kev_build_time(b, 0, 1, 0);
    b->slots = b->size;
}

static unsigned health(const struct kev_read *r, enum tt_health_kind kind)
{
    return (unsigned)tt_health_count(r->capture, kind);
}

Test(kev_control, consecutive_sequence)
{
    struct kev_build b;
    uint32_t stamp = 0;
    begin(&b, "7.1.0");
    for (uint32_t i = 0; i < 5; i++) {
        buffer(&b, i % 4, &stamp, 0x7fd + i, 3, 4); /* also beyond the bits that are printed */
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(tt_health_kept(r.capture), 0);
    char *printed = kev_read_style(&r, "traceprinter");
    cr_assert_not_null(strstr(printed, "sequence = 2047,"));
    cr_assert_not_null(strstr(printed, "sequence = 0,"));
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, gap_is_a_loss_and_clears_running_threads)
{
    struct kev_build b;
    begin(&b, "7.1.0");
    kev_build_buffer(&b, 0, 10, 33, 3);
    kev_build_event(&b, 0, KB_THREAD, 1, 20, 2, 4099, 1);
    kev_build_event(&b, 0, KB_USER, 1, 30, 2, 0, 0);
    kev_build_buffer(&b, 0, 40, 36, 2);
    kev_build_event(&b, 0, KB_USER, 1, 50, 2, 0, 0);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_LOST), 1);
    cr_assert_eq(tt_health_at(r.capture, 0).value, 2);
    cr_assert_eq(tt_health_at(r.capture, 0).offset, b.slots + 3 * 16);
    cr_assert_not(tt_health_damaged(r.capture));
    const struct tt_action *lost = kev_read_action(&r, TT_ACTION_LOST, 0);
    cr_assert_eq(event_of(lost, r.events, r.event_count), 4);
    cr_assert_eq(lost->cpu, TT_NO_CPU, "one ring for all CPUs");
    cr_assert_neq(r.events[3].thread, TT_NO_THREAD);
    cr_assert_eq(r.events[5].thread, TT_NO_THREAD);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, buffer_out_of_order)
{
    struct kev_build b;
    uint32_t stamp = 0;
    begin(&b, "6.4.1");
    buffer(&b, 0, &stamp, 33, 3, 4);
    buffer(&b, 0, &stamp, 35, 3, 4); /* one missing ... */
    uint32_t late = 35;
    buffer(&b, 0, &late, 34, 3, 4); /* ... that comes now */
    buffer(&b, 0, &stamp, 36, 3, 4);
    buffer(&b, 0, &stamp, 36, 3, 4); /* and one twice */
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_LOST), 1);
    cr_assert_eq(health(&r, TT_HEALTH_OUT_OF_ORDER), 2);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_LOST), 1);
    cr_assert_eq(r.events[10].ticks, 55, "its times are its own");
    cr_assert_not(tt_health_damaged(r.capture));
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, wrong_counts)
{
    struct kev_build b;
    uint32_t stamp = 0;
    begin(&b, "6.4.1");
    buffer(&b, 0, &stamp, 33, 3, 5);
    buffer(&b, 0, &stamp, 34, 3, 0); /* ring mode: not filled in */
    buffer(&b, 0, &stamp, 35, 3, 4);
    buffer(&b, 0, &stamp, 36, 3, 714); /* cut short */
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_COUNT_MISMATCH), 2);
    cr_assert_eq(tt_health_at(r.capture, 0).offset, b.slots);
    cr_assert_eq(tt_health_at(r.capture, 0).value, 5);
    cr_assert_eq(tt_health_at(r.capture, 1).offset, b.slots + 12 * 16);
    cr_assert_not(tt_health_damaged(r.capture));
    kev_read_free(&r);
    kev_build_free(&b);
}

/* An overrun: the numbers of the buffers have no gap. */
Test(kev_control, dropped_events_of_a_cpu_are_a_loss)
{
    struct kev_build b;
    begin(&b, "8.0.0");
    kev_build_time(&b, 1, 100, 2);
    kev_build_buffer(&b, 1, 100, 1, 4);
    kev_build_event(&b, 1, KB_THREAD, 1, 110, 2, 4099, 1);
    kev_build_event(&b, 1, KB_CONTROL, 4, 120, 2, 0xe6e6e6e6u, 0xe6e6e6e6u);
    kev_build_time(&b, 0, 100, 2);
    kev_build_buffer(&b, 0, 100, 1, 3);
    kev_build_event(&b, 0, KB_THREAD, 1, 130, 2, 4099, 2);
    kev_build_event(&b, 1, KB_CONTROL, 8, 900, 2, 120, 0);
    kev_build_time(&b, 1, 910, 2);
    kev_build_buffer(&b, 1, 910, 2, 3);
    kev_build_event(&b, 1, KB_USER, 1, 950, 2, 0, 0);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_LOST), 1);
    cr_assert_eq(tt_health_at(r.capture, 0).offset, b.slots + 7 * 16);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_LOST), 1);
    const struct tt_action *lost = kev_read_action(&r, TT_ACTION_LOST, 0);
    cr_expect_eq(lost->cpu, 1, "the loss is on that ring only");
    cr_expect_eq(lost->value, (UINT64_C(2) << 32) + 110, "since the last event before it");
    cr_expect_eq(lost->ticks, (UINT64_C(2) << 32) + 900);
    cr_expect_eq(r.events[r.event_count - 1].thread, TT_NO_THREAD);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A TIME inside a buffer does not hide the event with the same time. */
Test(kev_control, a_loss_begins_after_an_event_at_the_time_of_a_time)
{
    struct kev_build b;
    begin(&b, "8.0.0");
    kev_build_time(&b, 1, 100, 2);
    kev_build_buffer(&b, 1, 100, 1, 6);
    kev_build_event(&b, 1, KB_THREAD, 1, 110, 2, 4099, 1);
    kev_build_time(&b, 1, 200, 2);
    kev_build_event(&b, 1, KB_THREAD, 1, 200, 2, 4099, 2);
    kev_build_event(&b, 1, KB_CONTROL, 4, 220, 2, 0xe6e6e6e6u, 0xe6e6e6e6u);
    kev_build_time(&b, 1, 910, 2);
    kev_build_buffer(&b, 1, 910, 3, 3);
    struct kev_read r = kev_read_all(&b);
    const struct tt_action *lost = kev_read_action(&r, TT_ACTION_LOST, 0);
    cr_expect_eq(lost->value, (UINT64_C(2) << 32) + 200);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, rings_of_8)
{
    struct kev_build b;
    begin(&b, "8.0.0");
    for (uint32_t sequence = 1; sequence <= 3; sequence++) {
        for (unsigned cpu = 0; cpu < 2; cpu++) {
            uint32_t stamp = 1000 * sequence + 7 * cpu;
            kev_build_time(&b, cpu, stamp, 2);
            kev_build_buffer(&b, cpu, stamp, cpu == 1 && sequence == 3 ? 4 : sequence, 4);
            kev_build_event(&b, cpu, KB_THREAD, 1, stamp + 10, 2, 4099, cpu + 1);
            kev_build_event(&b, cpu, KB_CONTROL, 4, stamp + 20, 2, 0xe6e6e6e6u, 0xe6e6e6e6u);
        }
    }
    /* The buffer that is flushed at the stop may count from 1 again. */
    kev_build_time(&b, 0, 9000, 2);
    kev_build_buffer(&b, 0, 9000, 1, 3);
    kev_build_event(&b, 0, KB_USER, 1, 9010, 2, 0, 0);
    kev_build_event(&b, 0, KB_CONTROL, 4, 9020, 2, 0xe6e6e6e6u, 0xe6e6e6e6u);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_LOST), 1);
    cr_assert_eq(tt_health_kept(r.capture), 1);
    const struct tt_action *lost = kev_read_action(&r, TT_ACTION_LOST, 0);
    cr_assert_eq(lost->cpu, 1, "the loss is on that ring only");
    cr_assert_str_eq(kev_read_thread(&r, r.events[r.event_count - 2].thread), "4099/1");
    kev_read_free(&r);
    kev_build_free(&b);
}

/* CPUs are counted when the capture is opened; later ones are reported. */
Test(kev_control, cpu_that_the_header_does_not_count)
{
    struct kev_build b;
    begin(&b, "7.1.0");
    for (uint32_t i = 0; i < KEV_START_SLOTS; i++) {
        kev_build_event(&b, 0, KB_USER, 1, 10 + i, 2, 0, 0);
    }
    kev_build_event(&b, 63, KB_USER, 1, 100000, 2, 0, 0);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.capture->cpu_count, 4);
    cr_assert_eq(r.events[r.event_count - 1].cpu, 63);
    cr_assert_eq(health(&r, TT_HEALTH_HEADER), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, buffer_end_without_its_cookie)
{
    struct kev_build b;
    begin(&b, "8.0.0");
    kev_build_event(&b, 0, KB_CONTROL, 4, 1, 2, 0xe6e6e6e6u, 0);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(health(&r, TT_HEALTH_MALFORMED), 1);
    cr_assert(tt_health_damaged(r.capture));
    cr_assert_str_eq(kev_read_args(&r, 1), "cookie1=0xe6e6e6e6 cookie2=0x00000000");
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_control, half_a_slot_at_the_end)
{
    for (size_t rest = 1; rest < 16; rest++) {
        struct kev_build b;
        begin(&b, "7.1.0");
        kev_build_event(&b, 0, KB_USER, 1, 10, 2, 1, 2);
        kev_build_event(&b, 0, KB_USER, 2, 20, 2, 1, 2);
        b.size -= 16 - rest;
        struct kev_read r = kev_read_all(&b);
        cr_assert_eq(r.event_count, 2);
        cr_assert(tt_health_damaged(r.capture));
        cr_assert_eq(tt_health_at(r.capture, 0).kind, TT_HEALTH_TRUNCATED);
        cr_assert_eq(tt_health_at(r.capture, 0).offset, b.slots + 16);
        cr_assert_eq(tt_health_at(r.capture, 0).value, rest);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* ---- slots that the writer has not written yet -------------------------------------------- */

static const uint8_t zeros[96 * 1024];

static uint32_t decode_to(struct tt_capture *c, struct tt_cursor *cursor, uint64_t limit,
                          bool final)
{
    static struct tt_event events[4096];
    struct tt_batch batch = {.events = events, .capacity = 4096};
    cr_assert_eq(c->format->decode(cursor, limit, final, &batch), TT_DECODE_END);
    return batch.count;
}

static struct tt_capture *open_built(const struct kev_build *b)
{
    struct tt_capture *c = NULL;
    struct tt_capture_options options = {0};
    cr_assert_eq(tt_capture_new(tt_bytes_of(b->bytes, b->size), &c).code, TT_OK);
    cr_assert_eq(tt_capture_open(c, "x.kev", &options).code, TT_OK);
    return c;
}

Test(kev_control, empty_slots_are_pending_while_the_file_grows)
{
    struct kev_build b;
    begin(&b, "7.1.0");
    kev_build_event(&b, 0, KB_USER, 1, 10, 2, 1, 2);
    size_t written = b.size;
    kev_build_bytes(&b, zeros, 32 * 16);
    struct tt_capture *c = open_built(&b);
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    cr_assert_eq(decode_to(c, cursor, b.size, false), 2);
    cr_assert_eq(c->format->cursor_pos(cursor), written);
    cr_assert_eq(tt_health_kept(c), 0);
    /* The writer fills one of them. */
    struct kev_build more;
    kev_build_empty(&more, false);
    kev_build_event(&more, 0, KB_USER, 2, 20, 2, 1, 2);
    memcpy(b.bytes + written, more.bytes, 16);
    cr_assert_eq(decode_to(c, cursor, b.size, false), 1);
    cr_assert_eq(c->format->cursor_pos(cursor), written + 16);
    /* It will not grow: they are no events, and no damage. */
    cr_assert_eq(decode_to(c, cursor, b.size, true), 0);
    cr_assert_eq(tt_health_count(c, TT_HEALTH_COUNT_MISMATCH), 1);
    cr_assert_eq(tt_health_at(c, 0).value, 31);
    cr_assert_not(tt_health_damaged(c));
    c->format->cursor_free(cursor);
    tt_capture_free(c);
    kev_build_free(&more);
    kev_build_free(&b);
}

Test(kev_control, empty_slots_between_events)
{
    struct kev_build b;
    begin(&b, "7.1.0");
    kev_build_event(&b, 0, KB_USER, 1, 10, 2, 1, 2);
    size_t hole = b.size;
    kev_build_bytes(&b, zeros, 17 * 1024);
    kev_build_event(&b, 0, KB_USER, 2, 20, 2, 1, 2);
    struct tt_capture *c = open_built(&b);
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    /* Data follows more than a kernel buffer after them: the writer skipped them. */
    cr_assert_eq(decode_to(c, cursor, hole + 16 * 1024, false), 2);
    cr_assert_eq(c->format->cursor_pos(cursor), hole);
    cr_assert_eq(decode_to(c, cursor, b.size, false), 1);
    cr_assert_eq(tt_health_count(c, TT_HEALTH_MALFORMED), 1);
    cr_assert_eq(tt_health_at(c, 0).offset, hole);
    cr_assert_eq(tt_health_at(c, 0).value, 17 * 64);
    c->format->cursor_free(cursor);
    tt_capture_free(c);
    kev_build_free(&b);
}
