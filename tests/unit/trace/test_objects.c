/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of timelines fed by hand: requests, waits, releases, holds, losses, steps of a count. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/messages/object_stats.h"
#include "fed_timelines.h"

enum { UNKNOWN, READY, RUNNING, MUTEX, CONDVAR, SEM, DEAD, STATES };

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [MUTEX] = {.name = "MUTEX", .class_ = TT_CLASS_LOCK, .object = TT_OBJECT_MUTEX},
    [CONDVAR] = {.name = "CONDVAR", .class_ = TT_CLASS_CONDITION, .object = TT_OBJECT_CONDVAR},
    [SEM] = {.name = "SEM", .class_ = TT_CLASS_CONDITION, .object = TT_OBJECT_SEMAPHORE},
    [DEAD] = {.name = "dead", .class_ = TT_CLASS_DEAD},
};

static const char *object_name(const struct tt_capture *c, unsigned kind, uint64_t id,
                               size_t *length)
{
    (void)c;
    (void)kind;
    *length = 3;
    return id == 7 ? "map" : NULL;
}

/* The owner in a request is the number of the thread. */
static bool is_owner(const struct tt_capture *c, uint32_t thread, uint32_t owner)
{
    (void)c;
    return thread == owner;
}

/* Threads 0 to 2 are of process 10, thread 3 of process 20. */
enum { A, B, C, STRANGER, THREADS };

static struct tt_format with_objects;

static struct fed begin(void)
{
    with_objects = format_of_states(states, STATES);
    with_objects.refers.object_name = object_name;
    with_objects.refers.is_owner = is_owner;
    with_objects.flags |= TT_FORMAT_LOCAL_IDS;
    struct fed f = fed_open(&with_objects);
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&f, i < STRANGER ? 10 : 20, i + 1);
    }
    fed_begin(&f, 0);
    return f;
}

/* Feeds an action; only requests of locks have another thread. */
static void feed_lock(struct fed *f, struct tt_action a)
{
    a.other = a.kind == TT_ACTION_LOCK_WAIT ? a.other : TT_NO_THREAD;
    feed(f, a);
}

/* A thread becomes ready on CPU 1; all other states are recorded on CPU 0. */
static void goes_to(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t state)
{
    uint16_t cpu = state == RUNNING ? (uint16_t)thread : state == READY;
    feed_lock(
        f,
        (struct tt_action){
            .ticks = ticks, .thread = thread, .state = state, .cpu = cpu, .kind = TT_ACTION_STATE});
}

static void act(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread, unsigned object,
                uint64_t id)
{
    feed_lock(f, (struct tt_action){.ticks = ticks,
                                    .thread = thread,
                                    .state = (uint16_t)object,
                                    .value = id,
                                    .other = TT_NO_THREAD,
                                    .cpu = 1,
                                    .kind = (uint8_t)kind});
}

static void locks(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id)
{
    act(f, ticks, TT_ACTION_LOCK_WAIT, thread, TT_OBJECT_MUTEX, id);
}

/* The request names the thread that owns the mutex. */
static void locks_of(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id, uint32_t owner)
{
    feed_lock(f, (struct tt_action){.ticks = ticks,
                                    .thread = thread,
                                    .state = TT_OBJECT_MUTEX,
                                    .value = id,
                                    .other = owner,
                                    .cpu = 1,
                                    .kind = TT_ACTION_LOCK_WAIT});
}

static void unlocks(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id)
{
    act(f, ticks, TT_ACTION_LOCK_FREE, thread, TT_OBJECT_MUTEX, id);
}

static void loses(struct fed *f, uint64_t ticks, uint64_t since)
{
    feed_lock(f, (struct tt_action){.ticks = ticks,
                                    .thread = TT_NO_THREAD,
                                    .cpu = TT_NO_CPU,
                                    .value = since,
                                    .kind = TT_ACTION_LOST});
}

static struct tt_object_stats stats_in(const struct fed *f, uint64_t from, uint64_t to)
{
    struct tt_object_window window = {.from = from, .to = to};
    struct tt_object_stats stats;
    struct tt_status status = tt_object_stats_compute(f->t, &window, &stats);
    cr_assert(!tt_failed(&status));
    return stats;
}

/* A has the mutex, B and C wait for it; A hands it to B, and B to C. */
static struct fed convoy(void)
{
    struct fed f = begin();
    for (uint32_t thread = A; thread <= C; thread++) {
        goes_to(&f, 1, thread, RUNNING);
    }
    locks(&f, 10, B, 7);
    goes_to(&f, 11, B, MUTEX);
    locks(&f, 20, C, 7);
    goes_to(&f, 21, C, MUTEX);
    unlocks(&f, 50, A, 7);
    goes_to(&f, 51, B, READY);
    goes_to(&f, 55, B, RUNNING);
    unlocks(&f, 80, B, 7);
    goes_to(&f, 81, C, READY);
    goes_to(&f, 90, C, RUNNING);
    unlocks(&f, 95, C, 7); /* no thread waits: not stored */
    return f;
}

Test(objects, waits_and_holds_of_a_convoy)
{
    struct fed f = convoy();
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    cr_assert_eq(stats.count, 1);
    const struct tt_object_stat *row = &stats.rows[0];
    cr_expect_eq(row->object.id, 7);
    cr_expect_eq(row->waits, 2);
    cr_expect_eq(row->wait.sum, 40 + 60);
    cr_expect_eq(row->wait.max, 60);
    cr_expect_eq(row->wait.max_at, 81);
    cr_expect_eq(row->longest_waiter, C);
    cr_expect_eq(row->max_holder, B);
    cr_expect_eq(row->hold.count, 2);
    cr_expect_eq(row->hold.sum, 40 + 30, "of A from the first wait, of B from A's release");
    cr_expect_eq(row->longest_holder, A);
    cr_expect_eq(row->contended, 70);
    cr_expect_eq(row->waiting, 100);
    cr_expect_eq(row->waiting_max, 2);
    size_t length;
    cr_expect_eq(memcmp(tt_object_name(f.trace->capture, &row->object, &length), "map", 3), 0);
    cr_expect_eq(tt_object_waited_for(f.t, C, 60), 0);
    cr_expect_eq(tt_object_waited_for(f.t, C, 85), TT_NO_OBJECT);
    struct tt_object_reader r;
    struct tt_object_step step;
    unsigned steps = 0, releases = 0;
    tt_object_read_from(&r, f.t, 0, 0);
    for (; tt_object_read(&r, &step); steps++) {
        releases += step.is_release;
    }
    cr_expect_eq(steps, 4);
    cr_expect_eq(releases, 2);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, numbers_of_a_part)
{
    struct fed f = convoy();
    struct tt_object_stats stats = stats_in(&f, 30, 60);
    cr_assert_eq(stats.count, 1);
    cr_expect_eq(stats.rows[0].waits, 0);
    cr_expect_eq(stats.rows[0].wait.count, 1, "it began before the window");
    cr_expect_eq(stats.rows[0].wait.sum, 40);
    cr_expect_eq(stats.rows[0].contended, 30);
    cr_expect_eq(stats.rows[0].waiting, 21 * 2 + 9);
    tt_object_stats_free(&stats);
    uint64_t only_b = 1u << B;
    struct tt_object_window window = {.to = 100, .threads = &only_b, .thread_limit = 64};
    struct tt_status status = tt_object_stats_compute(f.t, &window, &stats);
    cr_assert(!tt_failed(&status));
    cr_expect_eq(stats.rows[0].wait.count, 1);
    cr_expect_eq(stats.rows[0].contended, 40);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, a_count_in_steps)
{
    struct fed f = convoy();
    struct tt_object_window window = {.to = 100};
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    struct tt_object_counting *k = tt_object_counting_new(f.t, &window);
    cr_assert(k);
    bool done = false;
    unsigned steps = 0;
    for (; !done; steps++) {
        struct tt_status status = tt_object_counting_step(k, 1, &done);
        cr_assert(!tt_failed(&status));
    }
    cr_expect_gt(steps, 4);
    cr_expect_eq(tt_object_counting_percent(k), 100);
    cr_assert_eq(tt_object_counting_stats(k)->count, stats.count);
    cr_expect_eq(memcmp(&tt_object_counting_stats(k)->rows[0].wait, &stats.rows[0].wait,
                        sizeof stats.rows[0].wait),
                 0);
    cr_expect_eq(tt_object_stat_compare(&stats.rows[0], &stats.rows[0]), 0);
    tt_object_counting_free(k);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, a_waiter_that_gives_up_ends_no_hold)
{
    struct fed f = begin();
    goes_to(&f, 1, B, RUNNING);
    goes_to(&f, 1, C, RUNNING);
    locks(&f, 10, B, 7);
    goes_to(&f, 10, B, MUTEX);
    locks(&f, 20, C, 7);
    goes_to(&f, 20, C, MUTEX);
    goes_to(&f, 40, B, READY); /* its timeout expired */
    unlocks(&f, 70, A, 7);
    goes_to(&f, 70, C, READY);
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    cr_expect_eq(stats.rows[0].hold.count, 1);
    cr_expect_eq(stats.rows[0].hold.sum, 60);
    cr_expect_eq(stats.rows[0].longest_holder, A);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, a_waiter_without_a_recorded_release_ends_the_hold)
{
    struct fed f = begin();
    goes_to(&f, 1, B, RUNNING);
    goes_to(&f, 1, C, RUNNING);
    locks(&f, 10, B, 7);
    goes_to(&f, 10, B, MUTEX);
    locks(&f, 20, C, 7);
    goes_to(&f, 20, C, MUTEX);
    goes_to(&f, 40, B, READY); /* it has the mutex: it is the next one that releases it */
    unlocks(&f, 70, B, 7);
    goes_to(&f, 70, C, READY);
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    cr_expect_eq(stats.rows[0].hold.count, 1);
    cr_expect_eq(stats.rows[0].hold.sum, 30);
    cr_expect_eq(stats.rows[0].longest_holder, B);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, a_mutex_that_two_processes_share)
{
    struct fed f = begin();
    goes_to(&f, 1, B, RUNNING);
    goes_to(&f, 1, STRANGER, RUNNING);
    locks(&f, 10, B, 7);
    goes_to(&f, 10, B, MUTEX);
    unlocks(&f, 20, STRANGER, 8); /* another address */
    unlocks(&f, 30, STRANGER, 7);
    goes_to(&f, 31, B, READY);
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    cr_assert_eq(stats.count, 1);
    cr_expect_eq(stats.rows[0].hold.sum, 21);
    cr_expect_eq(stats.rows[0].longest_holder, STRANGER);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, of_a_condition_the_mutex_is_locked_again)
{
    struct fed f = begin();
    goes_to(&f, 1, A, RUNNING);
    act(&f, 10, TT_ACTION_LOCK_WAIT, A, TT_OBJECT_CONDVAR, 5);
    locks(&f, 10, A, 7);
    goes_to(&f, 11, A, CONDVAR);
    goes_to(&f, 20, A, MUTEX);
    goes_to(&f, 30, A, READY);
    goes_to(&f, 30, A, RUNNING);
    goes_to(&f, 40, A, SEM); /* without a request */
    goes_to(&f, 50, A, READY);
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    static const unsigned kinds[] = {TT_OBJECT_MUTEX, TT_OBJECT_SEMAPHORE, TT_OBJECT_CONDVAR};
    static const uint64_t ids[] = {7, TT_NO_OBJECT_ID, 5}, sums[] = {10, 10, 9};
    cr_assert_eq(stats.count, 3);
    for (unsigned i = 0; i < 3; i++) {
        unsigned found = 0;
        while (stats.rows[found].object.kind != kinds[i]) {
            found++;
        }
        cr_expect_eq(stats.rows[found].object.id, ids[i]);
        cr_expect_eq(stats.rows[found].wait.sum, sums[i]);
    }
    tt_object_stats_free(&stats);
    fed_close(&f);
}

Test(objects, losses_make_requests_and_ends_unknown)
{
    struct fed f = begin();
    goes_to(&f, 1, A, RUNNING);
    goes_to(&f, 1, B, RUNNING);
    locks(&f, 10, A, 7);
    goes_to(&f, 10, A, MUTEX);
    locks(&f, 15, B, 7);
    loses(&f, 30, 20);
    goes_to(&f, 35, B, RUNNING);
    goes_to(&f, 40, B, MUTEX); /* its request may have been lost */
    goes_to(&f, 60, B, READY);
    struct tt_object_stats stats = stats_in(&f, 0, 100);
    cr_assert_eq(stats.count, 2);
    cr_expect_eq(stats.rows[0].object.id, TT_NO_OBJECT_ID);
    cr_expect_eq(stats.rows[0].wait.sum, 20);
    cr_expect_eq(stats.rows[1].object.id, 7);
    cr_expect_eq(stats.rows[1].waits, 1);
    cr_expect_eq(stats.rows[1].wait.count, 0, "its end is unknown");
    cr_expect_eq(stats.rows[1].contended, 10);
    tt_object_stats_free(&stats);
    fed_close(&f);
}

/* ---- owners ------------------------------------------------------------------------------- */

/* Returns how often another thread than the owner unlocked a mutex. */
static uint64_t disputes(const struct fed *f)
{
    return tt_health_count(f->trace->capture, TT_HEALTH_LOCK_OWNER);
}

/* B waits for mutex 7, which A owns by its request. */
static struct fed waiting(void)
{
    struct fed f = begin();
    for (uint32_t thread = A; thread <= C; thread++) {
        goes_to(&f, 1, thread, RUNNING);
    }
    locks_of(&f, 10, B, 7, A);
    goes_to(&f, 11, B, MUTEX);
    return f;
}

Test(objects, an_unlock_by_another_thread_than_the_owner_is_counted)
{
    struct fed f = waiting();
    unlocks(&f, 50, C, 7);
    goes_to(&f, 51, B, READY);
    cr_expect_eq(disputes(&f), 1);
    cr_expect_eq(tt_health_at(f.trace->capture, 0).kind, TT_HEALTH_LOCK_OWNER);
    unlocks(&f, 60, B, 7); /* no thread waits */
    locks_of(&f, 70, A, 7, C);
    goes_to(&f, 71, A, MUTEX);
    unlocks(&f, 80, B, 7);
    goes_to(&f, 81, A, READY);
    cr_expect_eq(disputes(&f), 2);
    fed_close(&f);
}

Test(objects, the_owner_of_a_mutex_that_two_processes_share)
{
    static const struct {
        uint32_t owner;
        unsigned disputes;
    } cases[] = {{STRANGER, 0}, {A, 1}};
    for (unsigned i = 0; i < 2; i++) {
        struct fed f = begin();
        goes_to(&f, 1, B, RUNNING);
        goes_to(&f, 1, STRANGER, RUNNING);
        locks_of(&f, 10, B, 7, cases[i].owner);
        goes_to(&f, 11, B, MUTEX);
        unlocks(&f, 30, STRANGER, 7);
        goes_to(&f, 31, B, READY);
        cr_expect_eq(disputes(&f), cases[i].disputes);
        fed_close(&f);
    }
}

Test(objects, a_mutex_that_is_passed_on_has_a_new_owner)
{
    struct fed f = waiting();
    locks_of(&f, 20, C, 7, A);
    goes_to(&f, 21, C, MUTEX);
    unlocks(&f, 50, A, 7);
    goes_to(&f, 51, B, READY);
    unlocks(&f, 80, B, 7); /* C's request named A */
    goes_to(&f, 81, C, READY);
    cr_expect_eq(disputes(&f), 0);
    fed_close(&f);
}

Test(objects, after_a_wait_without_a_release_the_owner_is_unknown)
{
    struct fed f = waiting();
    locks_of(&f, 20, C, 7, A);
    goes_to(&f, 21, C, MUTEX);
    goes_to(&f, 40, B, READY); /* A died, or B's timeout expired */
    unlocks(&f, 80, B, 7);
    goes_to(&f, 81, C, READY);
    cr_expect_eq(disputes(&f), 0);
    fed_close(&f);
}

Test(objects, an_unlock_that_wakes_no_waiter_is_not_compared)
{
    struct fed f = waiting();
    unlocks(&f, 50, C, 7);
    locks_of(&f, 55, A, 7, C); /* B has not got it yet; A's request is newer */
    goes_to(&f, 60, B, READY);
    cr_expect_eq(disputes(&f), 0);
    fed_close(&f);
}

Test(objects, the_owner_of_a_request_without_a_wait_is_unknown_to_later_waiters)
{
    struct fed f = begin();
    for (uint32_t thread = A; thread <= C; thread++) {
        goes_to(&f, 1, thread, RUNNING);
    }
    locks_of(&f, 10, B, 7, A); /* A unlocks it in user mode: B does not wait */
    locks(&f, 20, C, 7);
    goes_to(&f, 21, C, MUTEX);
    unlocks(&f, 50, B, 7);
    goes_to(&f, 51, C, READY);
    cr_expect_eq(disputes(&f), 0);
    fed_close(&f);
}

Test(objects, across_a_loss_the_owner_is_unknown)
{
    struct fed f = waiting();
    loses(&f, 30, 20);
    goes_to(&f, 40, B, RUNNING);
    goes_to(&f, 45, B, MUTEX); /* its request may have been lost */
    unlocks(&f, 50, C, 7);
    goes_to(&f, 51, B, READY);
    cr_expect_eq(disputes(&f), 0);
    fed_close(&f);
}

/* B waits for each mutex in turn, while A takes and releases all of them. */
Test(objects, of_many_mutexes_each_has_its_own_waits)
{
    enum { MANY = 1000 };
    struct fed f = begin();
    goes_to(&f, 1, A, RUNNING);
    goes_to(&f, 1, B, RUNNING);
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t at = 100 * (i + 1);
        locks(&f, at, B, 8 * i);
        goes_to(&f, at + 1, B, MUTEX);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t other = (i + 1 + k * 333) % MANY;
            locks(&f, at + 2, A, 8 * other);
            unlocks(&f, at + 2, A, 8 * other);
        }
        unlocks(&f, at + 50, A, 8 * i);
        goes_to(&f, at + 51, B, READY);
        goes_to(&f, at + 52, B, RUNNING);
        unlocks(&f, at + 60, B, 8 * i); /* no thread waits: not stored */
    }
    cr_assert_eq(tt_object_count(f.t), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        struct tt_object_reader r;
        struct tt_object_step step;
        uint64_t at = 100 * (tt_object_at(f.t, i).id / 8 + 1);
        tt_object_read_from(&r, f.t, i, 0);
        cr_assert(tt_object_read(&r, &step));
        cr_expect(!step.is_release && step.thread == B && step.time == at + 1);
        cr_assert(tt_object_read(&r, &step));
        cr_expect(step.is_release && step.thread == A && step.time == at + 50);
        cr_expect_not(tt_object_read(&r, &step));
    }
    fed_close(&f);
}

Test(objects, kinds)
{
    cr_expect_str_eq(tt_object_kind_name(TT_OBJECT_FLAGS), "event flags");
    cr_expect_str_eq(tt_object_kind_name(99), "none");
    cr_expect(tt_object_kind_is_held(TT_OBJECT_FAST_MUTEX));
    cr_expect(!tt_object_kind_is_held(99));
}
