/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wakes and explanations: the pieces of any interval of any thread cover it exactly, on samples and
 * real captures; small captures show each rule of docs/causes.md; the bounds hold.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kit/kev_build.h"
#include "analysis/causes/explain.h"
#include "analysis/causes/why_text.h"
#include "tracetui/text.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

struct scene {
    struct tt_trace *trace;
    struct tt_wakes *wakes;
    const struct tt_timelines *t;
    struct tt_capture *c;
    struct tt_explanation e;
};

static void open_scene(struct scene *s, const char *path)
{
    struct tt_trace_options options = {0};
    memset(s, 0, sizeof *s);
    struct tt_status status = tt_trace_open(path, &options, &s->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(s->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    s->wakes = tt_wakes_new(s->trace);
    cr_assert(s->wakes);
    s->t = tt_wakes_timelines(s->wakes);
    s->c = tt_trace_capture(s->trace);
}

static void close_scene(struct scene *s)
{
    tt_explanation_free(&s->e);
    tt_wakes_free(s->wakes);
    tt_trace_close(s->trace);
}

static void explain(struct scene *s, uint32_t thread, uint64_t from, uint64_t to, unsigned depth,
                    size_t limit)
{
    struct tt_explain_request request = {thread, from, to, depth, limit};
    cr_assert(tt_explain(s->wakes, &request, &s->e));
}

/* ---- the partition ------------------------------------------------------------------------ */

/* Each entry is charged to something else, and they are in order. */
static void check_late(const struct scene *s)
{
    for (size_t i = 0; i < s->e.late_count; i++) {
        const struct tt_late_by *a = &s->e.late[i];
        for (size_t k = i + 1; k < s->e.late_count; k++) {
            const struct tt_late_by *b = &s->e.late[k];
            cr_assert_geq(a->ticks, b->ticks);
            cr_assert_neq(tt_charge_compare(&a->charge, &b->charge), 0);
        }
    }
}

static void check_partition(const struct scene *s)
{
    uint64_t at = s->e.from, late = 0;
    for (size_t i = 0; i < s->e.count; i++) {
        const struct tt_piece *p = &s->e.pieces[i];
        if (p->flags & TT_PIECE_WAIT) {
            cr_assert_eq(p->from, at);
            continue;
        }
        cr_assert_eq(p->from, at, "gap at %" PRIu64, at);
        cr_assert_lt(p->from, p->to);
        cr_assert_lt(p->depth, TT_EXPLAIN_DEPTH);
        at = p->to;
    }
    cr_assert_eq(at, s->e.to > s->e.from ? s->e.to : at);
    for (size_t i = 0; i < s->e.late_count; i++) {
        late += s->e.late[i].ticks;
    }
    cr_assert_eq(late, s->e.to > s->e.from ? s->e.to - s->e.from : 0);
    check_late(s);
}

/* Checks that an explanation in steps has the same pieces and sums as the one in `e`. */
static void check_steps(struct scene *s, const struct tt_explain_request *request, uint32_t pieces)
{
    struct tt_explanation parts = {0};
    struct tt_explaining *k = tt_explain_begin(s->wakes, request, &parts);
    enum tt_explain_state state = TT_EXPLAIN_PART;
    while (state == TT_EXPLAIN_PART) {
        size_t before = parts.count;
        state = tt_explain_step(k, pieces);
        cr_assert_leq(parts.count, before + 2 * (size_t)pieces + 16, "a step is bounded");
    }
    tt_explain_end(k);
    cr_assert_eq(state, TT_EXPLAIN_DONE);
    cr_assert_eq(parts.count, s->e.count);
    cr_assert_eq(parts.late_count, s->e.late_count);
    for (size_t i = 0; i < parts.count; i++) {
        const struct tt_piece *a = &parts.pieces[i], *b = &s->e.pieces[i];
        cr_assert(a->from == b->from && a->to == b->to && a->vector == b->vector &&
                      a->object == b->object && a->thread == b->thread && a->by == b->by &&
                      a->state == b->state && a->cpu == b->cpu && a->depth == b->depth &&
                      a->cause == b->cause && a->kind == b->kind && a->flags == b->flags,
                  "piece %zu", i);
    }
    for (size_t i = 0; i < parts.late_count; i++) {
        cr_assert_eq(parts.late[i].ticks, s->e.late[i].ticks);
        cr_assert_eq(parts.late[i].charge.by, s->e.late[i].charge.by);
    }
    tt_explanation_free(&parts);
}

static void check_random(struct scene *s, unsigned times)
{
    uint64_t begin = tt_timelines_begin(s->t), span = tt_timelines_end(s->t) - begin + 2;
    for (unsigned i = 0; i < times; i++) {
        uint32_t thread = (uint32_t)dice(tt_thread_count(s->c));
        uint64_t from = begin + dice(span), length = dice(dice(3) == 0 ? span : span / 50 + 2);
        struct tt_explain_request request = {thread, from, from + length, (unsigned)dice(6),
                                             dice(4) == 0 ? 1 + dice(9) : 0};
        explain(s, thread, from, from + length, request.depth, request.piece_limit);
        check_partition(s);
        check_steps(s, &request, 1 + (uint32_t)dice(5));
    }
}

/* Sums up the durations of the `what` intervals of all threads. */
static bool add_length(void *arg, const struct tt_late_interval *interval)
{
    *(uint64_t *)arg += interval->to - interval->from;
    return true;
}

/* The longest intervals of all threads so far. */
#define LONGEST 3u
struct longest {
    struct tt_late_interval items[LONGEST + 1];
    unsigned count;
    unsigned taken;
    uint64_t least;
};

static bool keep_longest(void *arg, const struct tt_late_interval *interval)
{
    struct longest *l = arg;
    unsigned i = l->count;
    for (; i > 0 && tt_late_compare(interval, &l->items[i - 1]) < 0; i--) {
        l->items[i] = l->items[i - 1];
    }
    l->items[i] = *interval;
    l->count += l->count < LONGEST;
    l->taken++;
    l->least = l->count == LONGEST ? l->items[LONGEST - 1].to - l->items[LONGEST - 1].from : 0;
    return true;
}

/* Returns how many intervals fewer are taken when short ones are skipped. */
static unsigned check_longest(struct scene *s, enum tt_late what, uint64_t from, uint64_t to)
{
    struct longest all = {.count = 0}, skipping = {.count = 0};
    for (uint32_t i = 0; i < tt_thread_count(s->c); i++) {
        tt_late_intervals(s->t, s->c, what, i, from, to, keep_longest, &all);
        tt_late_intervals_long(s->t, s->c, what, i, from, to, &skipping.least, keep_longest,
                               &skipping);
    }
    cr_assert_eq(all.count, skipping.count);
    for (unsigned i = 0; i < all.count; i++) {
        cr_assert_eq(tt_late_compare(&all.items[i], &skipping.items[i]), 0, "%u", what);
        cr_assert_eq(all.items[i].state, skipping.items[i].state);
    }
    return all.taken - skipping.taken;
}

struct floor {
    uint64_t least;
    uint64_t count;
    uint64_t ticks;
};

static bool add_if_long(void *arg, const struct tt_late_interval *interval)
{
    struct floor *f = arg;
    uint64_t length = interval->to - interval->from;
    f->count += length >= f->least;
    f->ticks += length >= f->least ? length : 0;
    return true;
}

/* Compares the number and the ticks of all intervals that last some ticks or longer. */
static void check_floor(struct scene *s, enum tt_late what, uint64_t least)
{
    struct floor all = {.least = least}, skipping = {.least = least};
    for (uint32_t i = 0; i < tt_thread_count(s->c); i++) {
        tt_late_intervals(s->t, s->c, what, i, 0, UINT64_MAX, add_if_long, &all);
        tt_late_intervals_long(s->t, s->c, what, i, 0, UINT64_MAX, &least, add_if_long, &skipping);
    }
    cr_assert_eq(all.count, skipping.count, "%u: at least %" PRIu64, what, least);
    cr_assert_eq(all.ticks, skipping.ticks);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 11;
}

TestSuite(explain, .init = begin_seed);

Test(explain, the_longest_are_found_when_short_ones_are_skipped)
{
    static const char *const files[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx",
                                        "samples/demo.btrace"};
    unsigned skipped = 0;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        struct scene s;
        open_scene(&s, files[i]);
        uint64_t end = tt_timelines_limit(s.t), begin = tt_timelines_begin(s.t);
        for (unsigned what = 0; what < TT_LATE_COUNT; what++) {
            skipped += check_longest(&s, (enum tt_late)what, 0, end);
            for (uint64_t least = 1; least < end - begin; least += least / 2 + 1) {
                check_floor(&s, (enum tt_late)what, least);
            }
            for (unsigned n = 0; n < 20; n++) {
                uint64_t from = begin + dice(end - begin);
                check_longest(&s, (enum tt_late)what, from, from + dice(end - from) + 1);
            }
        }
        close_scene(&s);
    }
    cr_assert_gt(skipped, 100);
}

static void check_file(const char *path, unsigned times)
{
    struct scene s;
    open_scene(&s, path);
    check_random(&s, times);
    for (uint32_t i = 0; i < tt_thread_count(s.c); i++) {
        for (unsigned what = 0; what < TT_LATE_COUNT; what++) {
            uint64_t whole = 0, parts = 0;
            uint64_t end = tt_timelines_limit(s.t), middle = tt_timelines_begin(s.t);
            middle += dice(end - middle);
            tt_late_intervals(s.t, s.c, (enum tt_late)what, i, 0, end, add_length, &whole);
            tt_late_intervals(s.t, s.c, (enum tt_late)what, i, 0, middle, add_length, &parts);
            tt_late_intervals(s.t, s.c, (enum tt_late)what, i, middle, end, add_length, &parts);
            cr_assert_eq(whole, parts, "%s: thread %u, %u", path, i, what);
        }
    }
    close_scene(&s);
}

static void check_files(const char *pattern, unsigned times)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        cr_assert(strncmp(pattern, "samples/", 8) != 0, "%s: samples are missing", pattern);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_file(found.gl_pathv[i], times);
    }
    globfree(&found);
}

Test(explain, pieces_cover_any_interval_of_the_samples)
{
    check_files("samples/*.kev", 150);
    check_files("samples/demo.fxt", 150);
    check_files("samples/demo.trx", 150);
    check_files("samples/demo.btrace", 150);
}

Test(explain, pieces_cover_any_interval_of_real_captures)
{
    check_files("../shared/captures/fxt/critical_path/*.fxt", 60);
    check_files("../shared/captures/fxt/ocaml*.fxt", 60);
    check_files("../shared/captures/trx/demo*.trx", 60);
    check_files("../shared/captures/trx/gen*.trx", 60);
}

/* ---- small QNX captures ------------------------------------------------------------------- */

enum { RUNNING = 1, READY, STOPPED, SEND, RECEIVE, REPLY };
enum { SLEEP = 12, MUTEX = 13, JOIN = 15, INTR = 16, SEM = 17 };

struct story {
    struct kev_build b;
    uint32_t at;
    char path[64];
};

static void begin_story(struct story *y, const char *release)
{
    memset(y, 0, sizeof *y);
    kev_build_begin(&y->b, release, false);
    kev_build_slots_begin(&y->b);
    kev_build_event(&y->b, 0, KB_CONTROL, 1, 0, 2, 0, 0);
    y->at = 1000;
}

/* Appends an event 10 ticks after the one before. */
static void tell(struct story *y, unsigned cpu, unsigned class_, unsigned event, uint32_t first,
                 uint32_t second)
{
    y->at += 10;
    kev_build_event(&y->b, cpu, class_, event, y->at, 2, first, second);
}

static void state(struct story *y, unsigned cpu, unsigned state_event, uint32_t pid, uint32_t tid)
{
    tell(y, cpu, KB_THREAD, state_event, pid, tid);
}

static void end_story(struct story *y, struct scene *s)
{
    static const char template[] = "/tmp/tt-explain-XXXXXX";
    memcpy(y->path, template, sizeof template);
    int fd = mkstemp(y->path);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, y->b.bytes, y->b.size), (ssize_t)y->b.size);
    close(fd);
    kev_build_free(&y->b);
    open_scene(s, y->path);
    unlink(y->path);
}

static uint32_t lane(const struct scene *s, uint64_t pid, uint64_t tid)
{
    for (uint32_t i = 0; i < tt_thread_count(s->c); i++) {
        const struct tt_thread *t = tt_thread_at(s->c, i);
        if (t->tid == tid && tt_process_at(s->c, t->process)->pid == pid) {
            return i;
        }
    }
    cr_assert(false, "no thread %" PRIu64 "/%" PRIu64, pid, tid);
    return TT_NO_THREAD;
}

/* Finds the wake that ends the blocked state of a thread at a time. */
static struct tt_wake wake_after(struct scene *s, uint64_t pid, uint64_t tid, uint64_t at)
{
    struct tt_interval_at place;
    struct tt_wake wake;
    cr_assert(tt_interval_find(s->t, lane(s, pid, tid), at, &place));
    struct tt_interval i = tt_interval_get(s->t, place);
    cr_assert(tt_class_is_blocked(i.class_));
    tt_wake_find(s->wakes, &i, &wake);
    return wake;
}

Test(explain, a_message_and_its_reply)
{
    struct story y;
    struct scene s;
    begin_story(&y, "7.1.0");
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, RECEIVE, 2, 1);
    state(&y, 0, RUNNING, 3, 1);
    uint32_t blocked = y.at;
    tell(&y, 0, KB_CALL, 11, 5, 0);
    tell(&y, 0, KB_COMM, 0, 0x10001, 2);
    state(&y, 0, REPLY, 3, 1);
    uint32_t reply = y.at;
    state(&y, 0, READY, 2, 1);
    uint32_t woken = y.at;
    state(&y, 0, RUNNING, 2, 1);
    tell(&y, 0, KB_CALL, 15, 0x10001, 0);
    tell(&y, 0, KB_COMM, 10, 1, 3);
    state(&y, 0, READY, 3, 1);
    tell(&y, 0, KB_CALL, 128 + 15, 0, 0);
    state(&y, 0, RECEIVE, 2, 1);
    state(&y, 0, RUNNING, 3, 1);
    uint32_t runs = y.at;
    state(&y, 0, RECEIVE, 3, 1);
    end_story(&y, &s);

    struct tt_wake wake = wake_after(&s, 2, 1, blocked);
    cr_assert_eq(wake.by, TT_WAKER_THREAD);
    cr_assert_eq(wake.waker, lane(&s, 3, 1));
    cr_assert_eq(wake.kind, TT_WAKE_MESSAGE);
    cr_assert_eq(wake.object, 0x10001);
    wake = wake_after(&s, 3, 1, reply);
    cr_assert_eq(wake.by, TT_WAKER_THREAD);
    cr_assert_eq(wake.waker, lane(&s, 2, 1));
    cr_assert_eq(wake.kind, TT_WAKE_REPLY);
    cr_assert_str_eq(tt_wake_kind_name(wake.kind), "reply");

    uint64_t from, to;
    uint16_t state_then;
    cr_assert(tt_explain_default(s.t, lane(&s, 3, 1), reply + 5, &from, &to, &state_then));
    cr_assert_eq(from, reply);
    cr_assert_eq(to, runs);
    explain(&s, lane(&s, 3, 1), from, to, 0, 0);
    check_partition(&s);
    /* wait | server: in the kernel until woken, ready, ran | client: ready */
    cr_assert(s.e.pieces[0].flags & TT_PIECE_WAIT);
    cr_assert_eq(s.e.pieces[1].cause, TT_CAUSE_HANDOVER);
    cr_assert_eq(s.e.pieces[1].to, woken);
    cr_assert_eq(s.e.pieces[2].cause, TT_CAUSE_KERNEL);
    cr_assert_eq(s.e.pieces[3].cause, TT_CAUSE_WORK);
    cr_assert_eq(s.e.pieces[3].by, lane(&s, 2, 1));
    cr_assert_eq(s.e.pieces[3].kind, TT_WAKE_REPLY);
    cr_assert_eq(s.e.pieces[4].cause, TT_CAUSE_OCCUPIED, "%s", tt_cause_name(s.e.pieces[4].cause));
    close_scene(&s);
}

Test(explain, wakes_by_interrupts)
{
    struct story y;
    struct scene s;
    begin_story(&y, "7.1.0");
    state(&y, 0, RUNNING, 1, 1);
    state(&y, 1, RUNNING, 2, 1);
    state(&y, 1, INTR, 2, 1);
    uint32_t first = y.at;
    state(&y, 1, RUNNING, 3, 1);
    tell(&y, 1, KB_INT, 1, 35, 0);
    tell(&y, 1, KB_INT, 1, 40, 0); /* a nested one that ends */
    tell(&y, 1, KB_INT, 2, 40, 0);
    state(&y, 1, READY, 2, 1);
    uint32_t ready = y.at;
    tell(&y, 1, KB_INT, 2, 35, 0);
    state(&y, 1, RUNNING, 2, 1);
    state(&y, 1, SLEEP, 2, 1);
    uint32_t second = y.at;
    tell(&y, 0, KB_INT, 1, 60, 0);
    state(&y, 0, READY, 2, 1);
    tell(&y, 0, KB_INT, 2, 60, 0);
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, SEM, 2, 1);
    uint32_t third = y.at;
    tell(&y, 0, KB_INT, 1, 60, 0);
    tell(&y, 0, KB_SYSTEM, 18, 2, 1);
    state(&y, 0, READY, 2, 1);
    tell(&y, 0, KB_INT, 2, 60, 0);
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, SEM, 2, 1);
    uint32_t fourth = y.at;
    state(&y, 0, RUNNING, 1, 1);
    state(&y, 0, READY, 2, 1); /* in the idle thread: unknown */
    state(&y, 0, RUNNING, 2, 1);
    end_story(&y, &s);

    struct tt_wake wake = wake_after(&s, 2, 1, first);
    cr_assert_eq(wake.by, TT_WAKER_INTERRUPT);
    cr_assert_eq(wake.vector, 35);
    cr_assert_eq(wake.cpu, 1);
    cr_assert_eq(wake.kind, TT_WAKE_INTERRUPT);
    cr_assert_eq(tt_wakes_interrupt_at(s.wakes, 1, ready), 35);
    cr_assert_eq(wake_after(&s, 2, 1, second).kind, TT_WAKE_TIMER);
    cr_assert_eq(wake_after(&s, 2, 1, third).kind, TT_WAKE_TIMER);
    cr_assert_eq(wake_after(&s, 2, 1, fourth).by, TT_WAKER_UNKNOWN);
    explain(&s, lane(&s, 2, 1), first, second, 0, 0);
    check_partition(&s);
    cr_assert_eq(s.e.pieces[0].cause, TT_CAUSE_INTERRUPT);
    cr_assert_eq(s.e.pieces[1].cause, TT_CAUSE_INTERRUPT); /* ready: the interrupt continues */
    cr_assert_eq(s.e.pieces[1].vector, 35);
    cr_assert_eq(s.e.pieces[2].cause, TT_CAUSE_OCCUPIED);
    close_scene(&s);
}

Test(explain, a_wake_without_a_call_has_its_kind_from_the_state)
{
    struct story y;
    struct scene s;
    begin_story(&y, "7.1.0");
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, JOIN, 2, 1);
    uint32_t blocked = y.at;
    state(&y, 0, RUNNING, 2, 2);
    state(&y, 0, READY, 2, 1);
    state(&y, 0, STOPPED, 2, 1);
    state(&y, 0, READY, 2, 1);
    state(&y, 0, RUNNING, 2, 1);
    uint32_t end = y.at;
    end_story(&y, &s);
    struct tt_wake wake = wake_after(&s, 2, 1, blocked);
    cr_assert_eq(wake.by, TT_WAKER_THREAD);
    cr_assert_eq(wake.waker, lane(&s, 2, 2));
    cr_assert_eq(wake.kind, TT_WAKE_EXIT);
    explain(&s, lane(&s, 2, 1), blocked, end, 0, 0);
    check_partition(&s);
    bool stopped = false;
    for (size_t i = 0; i < s.e.count; i++) {
        stopped |= s.e.pieces[i].cause == TT_CAUSE_STOPPED;
    }
    cr_assert(stopped);
    close_scene(&s);
}

Test(explain, interrupts_of_qnx_8_have_no_end)
{
    struct story y;
    struct scene s;
    begin_story(&y, "8.0.0");
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, INTR, 2, 1);
    uint32_t first = y.at;
    state(&y, 0, RUNNING, 2, 2);
    state(&y, 0, SEM, 2, 2);
    uint32_t second = y.at;
    state(&y, 0, RUNNING, 2, 3);
    tell(&y, 0, KB_CALL, 84, 0x1000, 0);
    tell(&y, 0, KB_INT, 7, 60, 0);
    state(&y, 0, READY, 2, 1);
    state(&y, 0, READY, 2, 2);
    tell(&y, 0, KB_CALL, 128 + 84, 0, 0);
    state(&y, 0, RUNNING, 2, 1);
    state(&y, 0, RECEIVE, 2, 1);
    uint32_t third = y.at;
    state(&y, 0, RUNNING, 2, 2);
    tell(&y, 0, KB_INT, 7, 61, 0);
    state(&y, 0, READY, 2, 1);
    state(&y, 0, RUNNING, 2, 1);
    end_story(&y, &s);
    cr_assert_eq(wake_after(&s, 2, 1, first).vector, 60);
    struct tt_wake wake = wake_after(&s, 2, 2, second);
    cr_assert_eq(wake.by, TT_WAKER_THREAD);
    cr_assert_eq(wake.kind, TT_WAKE_POST);
    wake = wake_after(&s, 2, 1, third);
    cr_assert_eq(wake.by, TT_WAKER_INTERRUPT); /* no call is open */
    cr_assert_eq(wake.vector, 61);
    close_scene(&s);
}

/* ---- waits that do not end ---------------------------------------------------------------- */

static void check_text(const struct scene *s, const struct tt_piece *piece, const char *part)
{
    char line[200];
    struct tt_text text = tt_text_of(line, sizeof line);
    struct tt_why_places places = {0};
    const struct tt_why_scene scene = {.capture = tt_trace_capture(s->trace), .timelines = s->t};
    tt_why_piece(&text, &scene, &tt_why_shape_text, &s->e, piece, &places);
    line[text.used < sizeof line ? text.used : sizeof line - 1] = '\0';
    cr_expect_not_null(strstr(line, part), "'%s' in '%s'", part, line);
}

Test(explain, a_wait_that_does_not_end_is_followed_to_the_thread_that_is_awaited)
{
    struct story y;
    struct scene s;
    begin_story(&y, "7.1.0");
    state(&y, 0, RUNNING, 2, 1);
    tell(&y, 0, KB_CALL, 50, 2, 0); /* joins thread 2 */
    state(&y, 0, JOIN, 2, 1);
    uint32_t joins = y.at;
    state(&y, 0, RUNNING, 2, 2);
    tell(&y, 0, KB_CALL, 80, 0x1000, 0x80000000u | 3u << 16 | 1); /* thread 1 of process 3 */
    state(&y, 0, MUTEX, 2, 2);
    state(&y, 0, RUNNING, 3, 1);
    tell(&y, 0, KB_CALL, 11, 5, 0);
    tell(&y, 0, KB_COMM, 0, 0x10001, 4); /* it is not received */
    state(&y, 0, SEND, 3, 1);
    state(&y, 0, RUNNING, 4, 1);
    state(&y, 0, RUNNING, 4, 2);
    end_story(&y, &s);
    explain(&s, lane(&s, 2, 1), joins, tt_timelines_end(s.t), 0, 0);
    check_partition(&s);
    cr_assert_eq(s.e.pieces[0].by, lane(&s, 2, 2));
    cr_assert(s.e.pieces[0].flags & TT_PIECE_UNFINISHED);
    check_text(&s, &s.e.pieces[0], "still waits for");
    const struct tt_piece *last = &s.e.pieces[s.e.count - 1];
    cr_assert_eq(last->thread, lane(&s, 3, 1));
    cr_assert_eq(last->cause, TT_CAUSE_UNFINISHED); /* two threads are possible */
    cr_assert_eq(last->object, 0x10001);
    close_scene(&s);
}

Test(explain, special_owners_of_a_mutex_are_no_threads)
{
    static const uint32_t owners[] = {0, 0xffffffffu, 0xffffff00u, 0xfffffffdu, 77u << 16 | 1};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        struct story y;
        struct scene s;
        begin_story(&y, "7.1.0");
        state(&y, 0, RUNNING, 2, 1);
        tell(&y, 0, KB_CALL, 80, 0x1000, owners[i]);
        state(&y, 0, MUTEX, 2, 1);
        uint32_t waits = y.at;
        state(&y, 0, RUNNING, 3, 1);
        end_story(&y, &s);
        explain(&s, lane(&s, 2, 1), waits, tt_timelines_end(s.t), 0, 0);
        cr_assert_eq(s.e.pieces[0].cause, TT_CAUSE_UNFINISHED);
        close_scene(&s);
    }
}

/* ---- bounds ------------------------------------------------------------------------------- */

/* Thread i waits for thread i + 1, for `count` threads; the last one runs. */
static void chain_of(struct story *y, struct scene *s, uint32_t count)
{
    begin_story(y, "7.1.0");
    for (uint32_t i = 1; i < count; i++) {
        state(y, 0, RUNNING, 2, i);
        state(y, 0, SEM, 2, i);
    }
    state(y, 0, RUNNING, 2, count);
    for (uint32_t i = count; i-- > 1;) {
        tell(y, 0, KB_CALL, 84, 0x1000, 0);
        state(y, 0, READY, 2, i);
        tell(y, 0, KB_CALL, 128 + 84, 0, 0);
        state(y, 0, RUNNING, 2, i);
    }
    end_story(y, s);
}

static bool has_cause(const struct scene *s, unsigned cause)
{
    for (size_t i = 0; i < s->e.count; i++) {
        if (s->e.pieces[i].cause == cause) {
            return true;
        }
    }
    return false;
}

Test(explain, a_long_chain_is_followed_for_64_levels)
{
    struct story y;
    struct scene s;
    chain_of(&y, &s, 10000);
    explain(&s, lane(&s, 2, 1), 1015, tt_timelines_end(s.t), 0, 0);
    check_partition(&s);
    cr_assert(has_cause(&s, TT_CAUSE_DEEP));
    unsigned deepest = 0;
    for (size_t i = 0; i < s.e.count; i++) {
        deepest = s.e.pieces[i].depth > deepest ? s.e.pieces[i].depth : deepest;
    }
    cr_assert_eq(deepest, TT_EXPLAIN_DEPTH - 1);
    explain(&s, lane(&s, 2, 1), 1015, tt_timelines_end(s.t), 1, 0);
    cr_assert_eq(s.e.pieces[1].cause, TT_CAUSE_DEEP);
    close_scene(&s);
}

/* Two threads wake each other in turns, `wakes` times. */
static void turns_of(struct story *y, struct scene *s, uint32_t wakes)
{
    begin_story(y, "7.1.0");
    for (uint32_t i = 0; i < wakes; i++) {
        state(y, 0, RUNNING, 2, 1 + i % 2);
        tell(y, 0, KB_CALL, 84, 0x1000, 0);
        state(y, 0, READY, 2, 2 - i % 2);
        state(y, 0, SEM, 2, 1 + i % 2);
    }
    end_story(y, s);
}

Test(explain, many_pieces_are_cut)
{
    struct story y;
    struct scene s;
    turns_of(&y, &s, 3000);
    explain(&s, lane(&s, 2, 1), 0, tt_timelines_end(s.t), 0, 100);
    check_partition(&s);
    cr_assert(has_cause(&s, TT_CAUSE_CUT));
    cr_assert_lt(s.e.count, 300);
    close_scene(&s);
}

Test(explain, a_thread_that_is_woken_very_often_is_cut_at_the_largest_number_of_pieces)
{
    struct story y;
    struct scene s;
    turns_of(&y, &s, TT_EXPLAIN_PIECES / 2);
    explain(&s, lane(&s, 2, 1), 0, tt_timelines_end(s.t), 0, 0);
    check_partition(&s);
    cr_assert(has_cause(&s, TT_CAUSE_CUT));
    cr_assert_leq(s.e.count, TT_EXPLAIN_PIECES + 2 * TT_EXPLAIN_DEPTH);
    struct tt_explain_request request = {lane(&s, 2, 1), 0, tt_timelines_end(s.t), 0, 0};
    check_steps(&s, &request, 8192);
    close_scene(&s);
}

Test(explain, names)
{
    for (unsigned i = 0; i < TT_CAUSE_COUNT; i++) {
        cr_assert(tt_cause_name(i)[0] != '\0' && tt_cause_text(i)[0] != '\0');
    }
    cr_assert_str_eq(tt_cause_name(TT_CAUSE_COUNT), "unknown");
    cr_assert_str_eq(tt_wake_kind_name(TT_WAKE_COUNT), "unknown");
}
