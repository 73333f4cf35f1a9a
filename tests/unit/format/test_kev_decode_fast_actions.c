/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast loop (kev_decode_fast_actions.c) and the loop event by event (kev_cursor.c) decode any
 * bytes equally: events, actions, types, processes, threads, health. Input: samples, randomly changed
 * samples, pieces of any size.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_decode.h"
#include "kev_build.h"
#include "same_action.h"

enum { EVENTS = 1024, ACTIONS = 4 * EVENTS + TT_ACTIONS_PER_EVENT };

struct run {
    struct tt_capture *c;
    struct tt_cursor *cursor;
    struct tt_event events[EVENTS];
    struct tt_action actions[ACTIONS];
    struct tt_batch batch;
};

static bool open_run(struct run *w, const uint8_t *bytes, size_t size, bool fast)
{
    struct tt_capture_options options = {0};
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &w->c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(w->c, "test.kev", &options);
    if (tt_failed(&status) || strcmp(w->c->format->name, "kev") != 0) {
        tt_capture_free(w->c);
        return false;
    }
    w->cursor = w->c->format->cursor_new(w->c, true);
    cr_assert_not_null(w->cursor);
    w->cursor->fast = fast;
    return true;
}

static void close_run(struct run *w)
{
    w->c->format->cursor_free(w->cursor);
    tt_capture_free(w->c);
}

static enum tt_decode_result decode(struct run *w, uint64_t limit, uint32_t capacity,
                                    uint32_t actions, uint64_t budget)
{
    w->batch = (struct tt_batch){.events = w->events,
                                 .capacity = capacity,
                                 .actions = w->actions,
                                 .action_capacity = actions,
                                 .byte_budget = budget};
    return w->c->format->decode(w->cursor, limit, limit == w->c->bytes.size, &w->batch);
}

static void compare_batches(const struct run *a, const struct run *b)
{
    cr_assert_eq(a->batch.count, b->batch.count);
    cr_assert_eq(a->batch.records, b->batch.records);
    for (uint32_t i = 0; i < a->batch.count; i++) {
        const struct tt_event *x = &a->events[i], *y = &b->events[i];
        cr_assert(x->ticks == y->ticks && x->pos == y->pos && x->type == y->type &&
                      x->thread == y->thread && x->length == y->length && x->cpu == y->cpu &&
                      x->kind == y->kind && x->flags == y->flags,
                  "event %u at %llx", i, (unsigned long long)x->pos);
    }
    cr_assert_eq(a->batch.action_count, b->batch.action_count);
    for (uint32_t i = 0; i < a->batch.action_count; i++) {
        cr_assert(same_action(&a->actions[i], &b->actions[i]), "action %u at %llx", i,
                  (unsigned long long)a->actions[i].pos);
    }
}

/* A cursor that resumes there, learning or not, decodes the same. */
static void compare_states(const struct run *a, const struct run *b)
{
    static uint8_t one[1 << 16], other[1 << 16];
    size_t size = a->c->format->cursor_save(a->cursor, one, sizeof one);
    cr_assert_leq(size, sizeof one);
    cr_assert_eq(b->c->format->cursor_save(b->cursor, other, sizeof other), size);
    cr_assert_arr_eq(one, other, size);
}

static void compare_captures(const struct tt_capture *a, const struct tt_capture *b)
{
    cr_assert_eq(tt_types_count(a), tt_types_count(b));
    for (uint32_t i = 0; i < tt_types_count(a); i++) {
        cr_assert_str_eq(tt_types_at(a, i)->name, tt_types_at(b, i)->name);
        cr_assert_eq(tt_types_at(a, i)->code, tt_types_at(b, i)->code);
    }
    cr_assert_eq(tt_process_count(a), tt_process_count(b));
    for (uint32_t i = 0; i < tt_process_count(a); i++) {
        const struct tt_process *x = tt_process_at(a, i), *y = tt_process_at(b, i);
        cr_assert(x->pid == y->pid && x->first_when == y->first_when && x->end_when == y->end_when);
    }
    cr_assert_eq(tt_thread_count(a), tt_thread_count(b));
    for (uint32_t i = 0; i < tt_thread_count(a); i++) {
        const struct tt_thread *x = tt_thread_at(a, i), *y = tt_thread_at(b, i);
        cr_assert(x->tid == y->tid && x->process == y->process && x->idle == y->idle);
    }
    cr_assert_eq(tt_health_kept(a), tt_health_kept(b));
    for (uint32_t i = 0; i < tt_health_kept(a); i++) {
        struct tt_health_record x = tt_health_at(a, i), y = tt_health_at(b, i);
        cr_assert(x.kind == y.kind && x.pos == y.pos && x.value == y.value);
    }
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Batches are of `capacity` events, or of any size for 0, of a file that grows then. */
static void compare_runs(const uint8_t *bytes, size_t size, uint32_t capacity, uint64_t seed)
{
    static struct run fast, slow;
    if (!open_run(&fast, bytes, size, true)) {
        return;
    }
    cr_assert(open_run(&slow, bytes, size, false));
    uint64_t state = seed * 2 + 88172645463325252u;
    uint64_t limit = capacity > 0 ? size : 0;
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE || limit < size) {
        uint32_t events = capacity > 0 ? capacity : 1 + (uint32_t)(next_random(&state) % 80);
        uint32_t actions =
            next_random(&state) % 4 == 0 ? TT_ACTIONS_PER_EVENT + events / 4 : (uint32_t)ACTIONS;
        uint64_t budget = next_random(&state) % 3 == 0 ? 1 + next_random(&state) % 3000 : 0;
        if (result == TT_DECODE_END) {
            limit += next_random(&state) % (1 + size / 8);
            limit = limit < size ? limit : size;
        }
        result = decode(&fast, limit, events, actions, budget);
        cr_assert_eq(decode(&slow, limit, events, actions, budget), result);
        compare_batches(&fast, &slow);
        compare_states(&fast, &slow);
    }
    compare_captures(fast.c, slow.c);
    close_run(&fast);
    close_run(&slow);
}

static size_t read_sample(const char *path, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    cr_assert_lt(size, room, "%s", path);
    return size;
}

static const char *const samples[] = {"samples/demo.kev", "samples/fast1.kev", "samples/wide4.kev"};

static uint8_t sample[1 << 18];

Test(kev_fast_actions, samples_in_batches_of_any_size)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        size_t size = read_sample(samples[i], sample, sizeof sample);
        compare_runs(sample, size, EVENTS, 1);
        compare_runs(sample, size, 0, 2);
        compare_runs(sample, size - 7, 0, 3);
    }
}

/* Slots change places, lose their structure, are emptied, or get other bytes. */
static void damage(uint8_t *bytes, size_t size, uint64_t *state)
{
    size_t slots = size / KEV_SLOT;
    for (unsigned n = 1 + (unsigned)(next_random(state) % 12); n > 0; n--) {
        uint8_t *a = bytes + size % KEV_SLOT + next_random(state) % slots * KEV_SLOT;
        uint8_t *b = bytes + size % KEV_SLOT + next_random(state) % slots * KEV_SLOT;
        uint8_t t[KEV_SLOT];
        switch (next_random(state) % 5) {
        case 0:
            memcpy(t, a, sizeof t);
            memcpy(a, b, sizeof t);
            memcpy(b, t, sizeof t);
            break;
        case 1:
            a[3] ^= (uint8_t)(next_random(state) & 0xc0);
            break;
        case 2:
            memset(a, 0, KEV_SLOT);
            break;
        case 3:
            memcpy(a, b, KEV_SLOT);
            break;
        default:
            a[next_random(state) % KEV_SLOT] ^= (uint8_t)next_random(state);
            break;
        }
    }
}

Test(kev_fast_actions, damaged_samples)
{
    static uint8_t changed[1 << 18];
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        size_t size = read_sample(samples[i], sample, sizeof changed);
        size = size < 200000 ? size : 200000; /* the beginning is the most varied part */
        for (unsigned round = 0; round < 150; round++) {
            memcpy(changed, sample, size);
            damage(changed + 4096, size - 4096, &state);
            compare_runs(changed, size, round % 2 ? 0 : EVENTS, round);
        }
    }
}

/* Appends an event of one of few processes: a message, a state, an end, a creation, or a loss. */
static void build_any(struct kev_build *b, uint32_t stamp, uint32_t *sequence, uint64_t *state)
{
    const uint32_t pid = 4096 + (uint32_t)(next_random(state) % 6), tid = 1 + pid % 2;
    switch (next_random(state) % 64) {
    case 0:
        kev_build_event(b, 0, KB_THREAD, 128, stamp, 2, 1, pid); /* PROCDESTROY */
        break;
    case 1:
        kev_build_event(b, 0, KB_THREAD, 64, stamp, 2, 1, pid); /* PROCCREATE */
        break;
    case 2:
        *sequence += 1 + (uint32_t)(next_random(state) % 2);
        kev_build_buffer(b, 0, stamp, *sequence, 1000);
        break;
    default:
        switch (next_random(state) % 5) {
        case 0:
            kev_build_event(b, 0, KB_COMM, 0, stamp, 2, 7 + pid, pid); /* SND_MESSAGE */
            break;
        case 1:
            kev_build_event(b, 0, KB_COMM, 10, stamp, 2, tid, pid); /* REPLY_MESSAGE */
            break;
        case 2:
            kev_build_event(b, 0, KB_COMM, 11, stamp, 2, UINT32_MAX, pid); /* ERROR, no thread */
            break;
        case 3:
            kev_build_event(b, 0, KB_COMM, 0, stamp, 2, tid, tid == 1 ? 0 : UINT32_MAX);
            break;
        default:
            kev_build_event(b, 0, KB_THREAD, 1, stamp, 2, pid, tid); /* THRUNNING */
            break;
        }
        break;
    }
}

Test(kev_fast_actions, messages_of_processes_that_end)
{
    uint64_t state = 1;
    for (unsigned round = 0; round < 8; round++) {
        struct kev_build b;
        uint32_t sequence = 1;
        kev_build_begin(&b, "7.1.0", round % 4 == 3);
        kev_build_time(&b, 0, 10, 0);
        kev_build_buffer(&b, 0, 10, sequence, 1000);
        for (uint32_t i = 0; i < 3000; i++) {
            build_any(&b, 20 + 10 * i, &sequence, &state);
        }
        compare_runs(b.bytes, b.size, round % 2 ? 0 : EVENTS, round);
        kev_build_free(&b);
    }
}
