/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damage in the middle of a Fuchsia trace costs its own records: what follows is found at any
 * alignment, and garbage adds no thread, no time and no clock. Legal disorder is left alone.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fxt_decoded.h"

#define UNITS   400u
#define THREADS 10u
#define FIRST   UINT64_C(5000000000)
#define US      UINT64_C(1000)
#define DAY     (UINT64_C(86400) * 1000000000)
#define TID(n)  (UINT64_C(10000) + (n))

/* A capture, and the offset of each of its units: an event and a switch. */
struct busy {
    struct fxt_out out;
    size_t units[UNITS + 1];
};

static void put_switch(struct fxt_out *out, uint64_t cpu, uint64_t ticks, uint64_t outgoing,
                       uint64_t incoming)
{
    size_t at = fxt_begin(out, fxt_switch(cpu, 3, 2));
    fxt_word(out, ticks);
    fxt_word(out, outgoing);
    fxt_word(out, incoming);
    fxt_end(out, fxt_begin(out, 1 | UINT64_C(3) << 16 | UINT64_C(16) << 32));
    fxt_end(out, fxt_begin(out, 1 | UINT64_C(4) << 16 | UINT64_C(18) << 32));
    fxt_end(out, at);
}

/* Writes a unit: an event of a thread, and a switch of CPU 0 or 1 to its next thread. */
static void put_unit(struct fxt_out *out, uint64_t unit, uint64_t ticks)
{
    uint64_t cpu = unit % 2, turn = unit / 2 % (THREADS / 2), half = cpu * (THREADS / 2);
    size_t at = fxt_begin(out, fxt_event(0, 0, 1 + unit % THREADS, 1, 2));
    fxt_word(out, ticks);
    fxt_end(out, at);
    put_switch(out, cpu, ticks + 10, TID(half + turn), TID(half + (turn + 1) % (THREADS / 2)));
}

static struct busy *make_busy(void)
{
    static const char *const names[] = {"cat", "name", "outgoing_weight", "incoming_weight"};
    struct busy *busy = calloc(1, sizeof *busy);
    struct fxt_out *out = &busy->out;
    fxt_magic(out);
    for (uint64_t i = 0; i < 4; i++) {
        fxt_string(out, 1 + i, names[i]);
    }
    for (uint64_t i = 0; i < THREADS; i++) {
        fxt_thread(out, 1 + i, 10000, TID(i));
    }
    for (uint64_t i = 0; i < UNITS; i++) {
        busy->units[i] = out->size;
        put_unit(out, i, FIRST + i * US);
    }
    busy->units[UNITS] = out->size;
    return busy;
}

static void free_busy(struct busy *busy)
{
    free(busy->out.bytes);
    free(busy);
}

/* Replaces `length` bytes at `at` by `count` bytes. */
static void splice(struct busy *busy, size_t at, size_t length, const void *bytes, size_t count)
{
    struct fxt_out *out = &busy->out;
    uint8_t *changed = malloc(out->size + count);
    memcpy(changed, out->bytes, at);
    memcpy(changed + at, bytes, count);
    memcpy(changed + at + count, out->bytes + at + length, out->size - at - length);
    free(out->bytes);
    out->bytes = changed;
    out->size += count - length;
}

/* Returns how many events have a time of the units from `first` to before `end`. */
static size_t count_units(const struct fxt_reading *r, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        count += r->events[i].ticks >= FIRST + first * US && r->events[i].ticks < FIRST + end * US;
    }
    return count;
}

/* Expects that all units but some from `first` to before `end` are read as they were, and nothing else is. */
static void check_local(struct busy *busy, size_t first, size_t end)
{
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    cr_expect_eq(count_units(&r, 0, first), first * 2);
    cr_expect_eq(count_units(&r, end, UNITS), (UNITS - end) * 2);
    cr_expect_eq(count_units(&r, 0, UNITS), r.count, "times of no unit");
    cr_expect_eq(tt_thread_count(r.c), THREADS);
    cr_expect(tt_health_damaged(r.c));
    fxt_reading_free(&r);
}

/* ---- stretches -------------------------------------------------------------------------- */

Test(fxt_stretches, bytes_are_overwritten)
{
    struct busy *busy = make_busy();
    size_t at = busy->units[200];
    memset(busy->out.bytes + at, 0xa5, 100);
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_DAMAGED), 1);
    cr_assert_eq(tt_health_kept(r.c), 1);
    cr_assert_eq(tt_health_at(r.c, 0).offset, at);
    cr_assert_eq(tt_health_at(r.c, 0).value, busy->units[202] - at);
    fxt_reading_free(&r);
    check_local(busy, 200, 202);
    free_busy(busy);
}

Test(fxt_stretches, bytes_are_inserted_or_missing)
{
    static const char junk[] = "these bytes are of no record, and not a multiple of eight";
    for (size_t length = 1; length < sizeof junk; length++) {
        struct busy *busy = make_busy();
        splice(busy, busy->units[200] + length % 64, 0, junk, length);
        check_local(busy, 200, 202);
        free_busy(busy);
        busy = make_busy();
        splice(busy, busy->units[200] + length % 64, length, "", 0);
        check_local(busy, 200, 202);
        free_busy(busy);
    }
}

/* After damage the states are unknown until a record names them. */
Test(fxt_stretches, damage_is_a_loss)
{
    struct busy *busy = make_busy();
    splice(busy, busy->units[200], 20, "", 0);
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    size_t losses = 0, runners = 0;
    for (size_t i = 0; i < r.action_count; i++) {
        const struct tt_action *action = &r.actions[i];
        if (action->kind == TT_ACTION_LOST) {
            losses++;
            cr_expect_eq(action->value, FIRST + 199 * US + 10);
            cr_expect_eq(action->cpu, TT_NO_CPU);
        }
        if (action->kind == TT_ACTION_STATE) {
            runners++;
            cr_expect_eq(action->flags, TT_ACTION_RAN_BEFORE);
        }
    }
    cr_assert_eq(losses, 1);
    cr_assert_eq(runners, 2, "the threads that leave the two CPUs next run there");
    fxt_reading_free(&r);
    free_busy(busy);
}

/* A record of unknown type that covers good records is garbage. */
Test(fxt_stretches, a_large_record_over_good_ones)
{
    struct busy *busy = make_busy();
    uint64_t words = (busy->units[300] - busy->units[200]) / 8;
    fxt_put_word(busy->out.bytes + busy->units[200], 12 | words << 4, false);
    check_local(busy, 200, 201);
    free_busy(busy);
}

/* Definitions before damage are refused: another clock, another thread. */
Test(fxt_stretches, definitions_before_garbage)
{
    for (unsigned kind = 0; kind < 3; kind++) {
        struct busy *busy = make_busy();
        struct fxt_out junk = {0};
        if (kind == 0) {
            fxt_init(&junk, 1000);
        } else if (kind == 1) {
            fxt_thread(&junk, 1, 77, 78);
        } else {
            fxt_simple_event(&junk, 0, FIRST + 200 * US, 77, 78, "c", "n");
        }
        fxt_word(&junk, UINT64_C(0x8182838485868788));
        splice(busy, busy->units[200], 0, junk.bytes, junk.size);
        check_local(busy, 200, 200);
        free(junk.bytes);
        free_busy(busy);
    }
}

/* ---- single records --------------------------------------------------------------------- */

Test(fxt_stretches, one_wrong_time)
{
    static const uint64_t wrong[] = {FIRST + DAY, FIRST + 200000 * US, UINT64_MAX, 7};
    for (unsigned i = 0; i < 4; i++) {
        struct busy *busy = make_busy();
        fxt_put_word(busy->out.bytes + busy->units[200] + 16 + 8, wrong[i], false);
        struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
        cr_assert_eq(r.count, UNITS * 2);
        cr_assert_eq(r.events[401].flags, TT_EVENT_BAD_TIME);
        cr_assert_eq(r.events[401].ticks, FIRST + 200 * US, "that of the record before");
        cr_assert_null(fxt_action_of(&r, 401, 0));
        cr_assert_eq(tt_health_count(r.c, TT_HEALTH_BAD_TIME), 1);
        cr_assert_eq(tt_health_kept(r.c), 1 + (wrong[i] == UINT64_MAX));
        fxt_reading_free(&r);
        free_busy(busy);
    }
}

/* A thread that one switch alone names, and that the next switch of the CPU contradicts. */
Test(fxt_stretches, a_thread_of_one_switch)
{
    for (unsigned word = 2; word < 4; word++) {
        struct busy *busy = make_busy();
        fxt_put_word(busy->out.bytes + busy->units[200] + 16 + (size_t)word * 8, 10999, false);
        check_local(busy, 200, 201);
        free_busy(busy);
    }
}

Test(fxt_stretches, a_reference_that_is_used_once)
{
    struct busy *busy = make_busy();
    uint64_t header = fxt_get_word(busy->out.bytes + busy->units[200], false);
    fxt_put_word(busy->out.bytes + busy->units[200], header ^ UINT64_C(0xc0) << 24, false);
    check_local(busy, 200, 201);
    free_busy(busy);
}

/* A complete event whose end is centuries ahead. */
Test(fxt_stretches, an_end_that_cannot_be)
{
    struct busy *busy = make_busy();
    struct fxt_out slice = {0};
    size_t at = fxt_begin(&slice, fxt_event(4, 0, 1, 1, 2));
    fxt_word(&slice, FIRST + 200 * US);
    fxt_word(&slice, FIRST + 4 * DAY);
    fxt_end(&slice, at);
    splice(busy, busy->units[200], 0, slice.bytes, slice.size);
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    cr_assert_eq(r.count, UNITS * 2 + 1);
    cr_assert_eq(r.events[400].flags, TT_EVENT_BAD_TIME);
    cr_assert_null(fxt_action_of(&r, 400, 0));
    fxt_reading_free(&r);
    free(slice.bytes);
    free_busy(busy);
}

/* ---- legal disorder --------------------------------------------------------------------- */

/* Expects that no record is odd, and that all times are as they were written. */
static void check_legal(struct busy *busy, size_t events)
{
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    cr_expect_eq(r.count, events);
    cr_expect_eq(tt_health_kept(r.c), 0);
    for (size_t i = 0; i < r.count; i++) {
        cr_expect_eq(r.events[i].ticks, fxt_get_word(busy->out.bytes + r.events[i].pos + 8, false));
    }
    fxt_reading_free(&r);
}

/* Adds `by` to the times of the units from `first` to before `end`. */
static void shift(struct busy *busy, size_t first, size_t end, uint64_t by)
{
    for (size_t i = first; i < end; i++) {
        uint8_t *event = busy->out.bytes + busy->units[i] + 8, *change = event + 16;
        fxt_put_word(event, fxt_get_word(event, false) + by, false);
        fxt_put_word(change, fxt_get_word(change, false) + by, false);
    }
}

Test(fxt_stretches, pauses_and_unsorted_streams_are_legal)
{
    struct busy *busy = make_busy();
    shift(busy, 200, UNITS, 3 * DAY);
    check_legal(busy, UNITS * 2);
    shift(busy, 300, UNITS, -(3 * DAY));
    check_legal(busy, UNITS * 2);
    shift(busy, 0, 1, -FIRST);
    check_legal(busy, UNITS * 2);
    shift(busy, UNITS - 1, UNITS, DAY);
    check_legal(busy, UNITS * 2);
    free_busy(busy);
}

/* A complete event is written when it ends. */
Test(fxt_stretches, an_event_that_took_days_is_legal)
{
    struct busy *busy = make_busy();
    struct fxt_out slice = {0};
    size_t at = fxt_begin(&slice, fxt_event(4, 0, 1, 1, 2));
    fxt_word(&slice, 5);
    fxt_word(&slice, FIRST + 200 * US);
    fxt_end(&slice, at);
    splice(busy, busy->units[200], 0, slice.bytes, slice.size);
    check_legal(busy, UNITS * 2 + 1);
    free(slice.bytes);
    free_busy(busy);
}

/* ---- any place -------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random bytes in any place, inserted or over others, and missing bytes. */
Test(fxt_stretches, any_place, .timeout = 120)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (unsigned round = 0; round < 150; round++) {
        struct busy *busy = make_busy();
        uint64_t junk[64];
        for (unsigned i = 0; i < 64; i++) {
            junk[i] = next_random(&state);
        }
        size_t unit = 100 + next_random(&state) % 100;
        size_t at = busy->units[unit] + next_random(&state) % 64;
        size_t length = 1 + next_random(&state) % 511;
        splice(busy, at, round % 3 ? length : 0, junk, round % 3 == 2 ? 0 : length);
        struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
        size_t end = unit + 2 + length / 64;
        size_t before = count_units(&r, 0, unit), moved = tt_health_count(r.c, TT_HEALTH_BAD_TIME);
        cr_expect(before >= unit * 2 && before <= unit * 2 + moved, "round %u", round);
        cr_expect_eq(count_units(&r, end, UNITS), (UNITS - end) * 2, "round %u", round);
        cr_expect_eq(count_units(&r, 0, UNITS), r.count, "round %u", round);
        cr_expect_eq(tt_thread_count(r.c), THREADS, "round %u", round);
        fxt_reading_free(&r);
        free_busy(busy);
    }
}

/* A file that grows word by word has the events of the whole one. */
Test(fxt_stretches, a_growing_file)
{
    static struct tt_event events[UNITS * 2];
    static const char junk[] = "no record";
    struct busy *busy = make_busy();
    splice(busy, busy->units[100] + 20, 3, junk, sizeof junk);
    fxt_put_word(busy->out.bytes + busy->units[50] + 8, FIRST + DAY, false);
    struct fxt_reading r = fxt_read(busy->out.bytes, busy->out.size, false);
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(tt_bytes_of(busy->out.bytes, busy->out.size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, "a.fxt", NULL);
    cr_assert(!tt_failed(&status));
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    struct tt_batch batch = {.events = events, .capacity = UNITS * 2};
    for (uint64_t limit = 0; limit < busy->out.size; limit += 8) {
        c->format->decode(cursor, limit, false, &batch);
    }
    c->format->decode(cursor, busy->out.size, true, &batch);
    cr_assert_eq(batch.count, r.count);
    cr_assert_arr_eq(events, r.events, r.count * sizeof *events);
    cr_assert_eq(tt_health_count(c, TT_HEALTH_DAMAGED), 1);
    cr_assert_eq(tt_health_count(c, TT_HEALTH_BAD_TIME), 1);
    c->format->cursor_free(cursor);
    tt_capture_free(c);
    fxt_reading_free(&r);
    free_busy(busy);
}
