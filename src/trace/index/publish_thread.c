/* SPDX-License-Identifier: Apache-2.0 */
/* The queue between the indexing and the publishing thread. */
#include "trace/index/publish_thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform.h"
#include "base/worker_thread.h"

#define SLOTS 16u
/*
 * Waking a sleeping CPU costs more than publishing a part, above all in a virtual machine. So an
 * idle thread first spins SPINS times with a CPU pause, and a sleeping thread is woken only when
 * half of the queue is ready for it. Calling sched_yield() between the spins yields to other
 * processes on the machine: both threads together were then no faster than one.
 */
#define SPINS 500u
#define HALF  (SLOTS / 2)

/* A queued part and its actions; tt_publish_thread_put swaps the array for that of the batch. */
struct slot {
    struct tt_action *actions;
    struct tt_decoded part; /* refers to the array */
};

/* Waits of one thread for the other. */
struct waits {
    bool asleep;             /* the other thread has to wake it */
    _Atomic uint64_t since;  /* time (ns) at which the current wait began; 0: none */
    _Atomic uint64_t waited; /* ns of earlier waits */
};

struct tt_publish_thread {
    struct tt_publisher *publisher;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_cond_t emptied;
    _Atomic uint64_t put;   /* parts queued since the start */
    _Atomic uint64_t taken; /* parts published since the start; their slots are free */
    _Atomic bool closing;
    _Atomic bool flushing; /* the indexing thread waits until the queue is empty */
    _Atomic bool no_memory;
    struct waits publisher_waits; /* `asleep` is guarded by `lock` */
    struct waits indexer_waits;
    struct tt_thread_choice choice; /* the indexing thread's */
    struct slot slots[SLOTS];
};

/* ---- publishing thread -------------------------------------------------------------------- */

static uint64_t waiting(const struct tt_publish_thread *r)
{
    return atomic_load(&r->put) - atomic_load(&r->taken);
}

/* Returns whether there is a part to publish, or the queue is closed. */
static bool has_work(const struct tt_publish_thread *r)
{
    return waiting(r) > 0 || atomic_load(&r->closing);
}

/* The first parts are published without delay: the user waits for the first screen. */
static bool has_much_work(const struct tt_publish_thread *r)
{
    bool at_once = atomic_load(&r->put) <= HALF || atomic_load(&r->flushing);
    bool some = waiting(r) > 0 && at_once;
    return some || waiting(r) >= HALF || atomic_load(&r->closing);
}

static bool has_room(const struct tt_publish_thread *r)
{
    return waiting(r) < SLOTS;
}

static bool has_much_room(const struct tt_publish_thread *r)
{
    return waiting(r) <= HALF;
}

static bool is_empty(const struct tt_publish_thread *r)
{
    return waiting(r) == 0;
}

typedef bool (*condition)(const struct tt_publish_thread *r);

static bool spin_until(const struct tt_publish_thread *r, condition is_ready)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (is_ready(r)) {
            return true;
        }
        tt_platform_pause();
    }
    return false;
}

/*
 * Spins until `is_ready` holds; then sleeps until `is_worth_waking` holds.
 */
static void wait_for(struct tt_publish_thread *r, condition is_ready, condition is_worth_waking,
                     struct waits *w, pthread_cond_t *woken)
{
    if (spin_until(r, is_ready)) {
        return;
    }
    uint64_t since = tt_now_ns();
    atomic_store_explicit(&w->since, since, memory_order_relaxed);
    pthread_mutex_lock(&r->lock);
    w->asleep = true;
    while (!is_worth_waking(r)) {
        pthread_cond_wait(woken, &r->lock);
    }
    w->asleep = false;
    pthread_mutex_unlock(&r->lock);
    uint64_t before = atomic_load_explicit(&w->waited, memory_order_relaxed);
    atomic_store_explicit(&w->since, 0, memory_order_relaxed);
    atomic_store_explicit(&w->waited, before + tt_now_ns() - since, memory_order_relaxed);
}

/* Returns the waits of a thread until `now` (ns), about: a wait may end meanwhile. */
static uint64_t waited_until(const struct waits *w, uint64_t now)
{
    uint64_t since = atomic_load_explicit(&w->since, memory_order_relaxed);
    uint64_t current = since != 0 && since < now ? now - since : 0;
    return atomic_load_explicit(&w->waited, memory_order_relaxed) + current;
}

/* Wakes the other thread if it sleeps and its condition holds. */
static void wake(struct tt_publish_thread *r, condition is_worth_waking, const struct waits *w,
                 pthread_cond_t *woken)
{
    pthread_mutex_lock(&r->lock);
    if (w->asleep && is_worth_waking(r)) {
        pthread_cond_signal(woken);
    }
    pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg)
{
    struct tt_publish_thread *r = arg;
    bool good = true;
    for (;;) {
        wait_for(r, has_work, has_much_work, &r->publisher_waits, &r->filled);
        uint64_t number = atomic_load(&r->taken);
        if (number == atomic_load(&r->put)) {
            return NULL;
        }
        good = good && tt_publisher_take(r->publisher, &r->slots[number % SLOTS].part);
        atomic_store(&r->no_memory, !good);
        atomic_store(&r->taken, number + 1);
        wake(r, has_much_room, &r->indexer_waits, &r->emptied);
    }
}

/* ---- indexing thread ---------------------------------------------------------------------- */

static void free_thread(struct tt_publish_thread *r)
{
    for (size_t i = 0; i < SLOTS; i++) {
        free(r->slots[i].actions);
    }
    pthread_cond_destroy(&r->emptied);
    pthread_cond_destroy(&r->filled);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

struct tt_publish_thread *tt_publish_thread_start(struct tt_publisher *publisher)
{
    struct tt_publish_thread *r = tt_platform_cpu_count() > 1 ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        return NULL;
    }
    r->publisher = publisher;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->filled, NULL);
    pthread_cond_init(&r->emptied, NULL);
    if (tt_worker_start(&r->thread, work, r) != 0) {
        free_thread(r);
        return NULL;
    }
    return r;
}

/* Allocates the slot's array on first use, with the capacity of the batch's. */
static bool make_array(struct slot *slot, const struct tt_batch *batch)
{
    if (!slot->actions) {
        slot->actions = malloc(batch->action_capacity * sizeof *slot->actions);
    }
    return slot->actions != NULL;
}

static void swap_arrays(struct slot *slot, struct tt_batch *batch)
{
    struct tt_action *had = slot->actions;
    slot->actions = batch->actions;
    batch->actions = had;
}

static void copy(struct slot *slot)
{
    struct tt_decoded *part = &slot->part;
    memcpy(slot->actions, part->actions, part->action_count * sizeof *part->actions);
    part->actions = slot->actions;
}

void tt_publish_thread_catch_up(struct tt_publish_thread *r)
{
    if (is_empty(r)) {
        return;
    }
    atomic_store(&r->flushing, true);
    wake(r, has_much_work, &r->publisher_waits, &r->filled);
    wait_for(r, is_empty, is_empty, &r->indexer_waits, &r->emptied);
    atomic_store(&r->flushing, false);
}

static bool queue(struct tt_publish_thread *r, struct tt_batch *batch,
                  const struct tt_decoded *part)
{
    wait_for(r, has_room, has_much_room, &r->indexer_waits, &r->emptied);
    uint64_t number = atomic_load(&r->put);
    struct slot *slot = &r->slots[number % SLOTS];
    if (atomic_load(&r->no_memory) || !make_array(slot, batch)) {
        return false;
    }
    slot->part = *part;
    if (part->array) {
        swap_arrays(slot, batch);
    } else {
        copy(slot);
    }
    slot->part.array = &slot->actions;
    atomic_store(&r->put, number + 1);
    wake(r, has_much_work, &r->publisher_waits, &r->filled);
    return true;
}

void tt_publish_thread_count_wait(struct tt_publish_thread *r, uint64_t ns)
{
    atomic_fetch_add_explicit(&r->indexer_waits.waited, ns, memory_order_relaxed);
}

static struct tt_choice_times times_of(const struct tt_publish_thread *r)
{
    uint64_t now = tt_now_ns();
    return (struct tt_choice_times){.now = now,
                                    .spent = tt_thread_ns(pthread_self()) + tt_thread_ns(r->thread),
                                    .waited = waited_until(&r->publisher_waits, now) +
                                              waited_until(&r->indexer_waits, now)};
}

/* Returns whether the threads of a phase have begun to work. */
static bool has_begun(struct tt_publish_thread *r)
{
    return tt_thread_choice_is_one(&r->choice) || atomic_load(&r->taken) > 0;
}

static void begin_choice(struct tt_publish_thread *r)
{
    struct tt_choice_times times = times_of(r);
    tt_thread_choice_begin(&r->choice, &times);
}

/* Chooses between one thread and two, if that is due. */
static void choose(struct tt_publish_thread *r)
{
    if (!has_begun(r)) {
        return;
    }
    if (r->choice.began.now == 0) {
        begin_choice(r);
    }
    if (!tt_thread_choice_is_due(&r->choice, tt_now_ns())) {
        return;
    }
    struct tt_choice_times times = times_of(r);
    times.one_cpu_left = tt_thread_choice_is_one(&r->choice) && tt_platform_is_one_cpu_left();
    tt_thread_choice_make(&r->choice, &times);
    if (tt_thread_choice_is_one(&r->choice)) {
        tt_publish_thread_catch_up(r);
    }
    begin_choice(r);
}

bool tt_publish_thread_put(struct tt_publish_thread *r, struct tt_batch *batch,
                           const struct tt_decoded *part)
{
    /* The queue is empty if the indexing thread publishes. */
    bool good = tt_thread_choice_is_one(&r->choice) ? tt_publisher_take(r->publisher, part)
                                                    : queue(r, batch, part);
    r->choice.work += part->count + part->action_count;
    choose(r);
    return good && !atomic_load(&r->no_memory);
}

struct tt_thread_choice *tt_publish_thread_choice(struct tt_publish_thread *r)
{
    return &r->choice;
}

bool tt_publish_thread_stop(struct tt_publish_thread *r)
{
    if (!r) {
        return true;
    }
    atomic_store(&r->closing, true);
    wake(r, has_much_work, &r->publisher_waits, &r->filled);
    pthread_join(r->thread, NULL);
    bool good = !atomic_load(&r->no_memory);
    free_thread(r);
    return good;
}
