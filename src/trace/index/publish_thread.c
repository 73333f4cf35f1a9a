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

static uint64_t waiting(const struct tt_publish_thread *thread)
{
    return atomic_load(&thread->put) - atomic_load(&thread->taken);
}

/* Returns whether there is a part to publish, or the queue is closed. */
static bool publish_thread_has_work(const struct tt_publish_thread *thread)
{
    return waiting(thread) > 0 || atomic_load(&thread->closing);
}

/* The first parts are published without delay: the user waits for the first screen. */
static bool has_much_work(const struct tt_publish_thread *thread)
{
    bool at_once = atomic_load(&thread->put) <= HALF || atomic_load(&thread->flushing);
    bool some = waiting(thread) > 0 && at_once;
    return some || waiting(thread) >= HALF || atomic_load(&thread->closing);
}

static bool publish_thread_has_room(const struct tt_publish_thread *thread)
{
    return waiting(thread) < SLOTS;
}

static bool has_much_room(const struct tt_publish_thread *thread)
{
    return waiting(thread) <= HALF;
}

static bool publish_thread_is_empty(const struct tt_publish_thread *thread)
{
    return waiting(thread) == 0;
}

typedef bool (*condition)(const struct tt_publish_thread *thread);

/*
 * Spins until `is_ready` holds; then sleeps until `is_worth_waking` holds.
 */
static void wait_for(struct tt_publish_thread *thread, condition is_ready,
                     condition is_worth_waking, struct waits *waits, pthread_cond_t *woken)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (is_ready(thread)) {
            return;
        }
        tt_platform_pause();
    }

    uint64_t since = tt_now_ns();
    atomic_store_explicit(&waits->since, since, memory_order_relaxed);
    pthread_mutex_lock(&thread->lock);
    waits->asleep = true;
    while (!is_worth_waking(thread)) {
        pthread_cond_wait(woken, &thread->lock);
    }
    waits->asleep = false;
    pthread_mutex_unlock(&thread->lock);
    uint64_t before = atomic_load_explicit(&waits->waited, memory_order_relaxed);
    atomic_store_explicit(&waits->since, 0, memory_order_relaxed);
    atomic_store_explicit(&waits->waited, before + tt_now_ns() - since, memory_order_relaxed);
}

/* Returns the waits of a thread until `now` (ns), about: a wait may end meanwhile. */
static uint64_t waited_until(const struct waits *waits, uint64_t now)
{
    uint64_t since = atomic_load_explicit(&waits->since, memory_order_relaxed);
    uint64_t current = since != 0 && since < now ? now - since : 0;
    return atomic_load_explicit(&waits->waited, memory_order_relaxed) + current;
}

/* Wakes the other thread if it sleeps and its condition holds. */
static void wake(struct tt_publish_thread *thread, condition is_worth_waking,
                 const struct waits *waits, pthread_cond_t *woken)
{
    pthread_mutex_lock(&thread->lock);
    if (waits->asleep && is_worth_waking(thread)) {
        pthread_cond_signal(woken);
    }
    pthread_mutex_unlock(&thread->lock);
}

static void *publish_thread_work(void *arg)
{
    struct tt_publish_thread *thread = arg;
    bool good = true;
    for (;;) {
        wait_for(thread, publish_thread_has_work, has_much_work, &thread->publisher_waits,
                 &thread->filled);
        uint64_t number = atomic_load(&thread->taken);
        if (number == atomic_load(&thread->put)) {
            return NULL;
        }
        good = good && tt_publisher_publish(thread->publisher, &thread->slots[number % SLOTS].part);
        atomic_store(&thread->no_memory, !good);
        atomic_store(&thread->taken, number + 1);
        wake(thread, has_much_room, &thread->indexer_waits, &thread->emptied);
    }
}

/* ---- indexing thread ---------------------------------------------------------------------- */

static void free_thread(struct tt_publish_thread *thread)
{
    for (size_t i = 0; i < SLOTS; i++) {
        free(thread->slots[i].actions);
    }
    pthread_cond_destroy(&thread->emptied);
    pthread_cond_destroy(&thread->filled);
    pthread_mutex_destroy(&thread->lock);
    free(thread);
}

struct tt_publish_thread *tt_publish_thread_start(struct tt_publisher *publisher)
{
    struct tt_publish_thread *thread =
        tt_platform_cpu_count() > 1 ? calloc(1, sizeof *thread) : NULL;
    if (!thread) {
        return NULL;
    }
    thread->publisher = publisher;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->filled, NULL);
    pthread_cond_init(&thread->emptied, NULL);
    if (tt_worker_start(&thread->thread, publish_thread_work, thread) != 0) {
        free_thread(thread);
        return NULL;
    }
    return thread;
}

/* Allocates the slot's array on first use, with the capacity of the batch's. */
static bool make_array(struct slot *slot, const struct tt_batch *batch)
{
    if (!slot->actions) {
        slot->actions = malloc(batch->action_capacity * sizeof *slot->actions);
    }
    return slot->actions != NULL;
}

static void publish_thread_copy(struct slot *slot)
{
    struct tt_decoded *part = &slot->part;
    memcpy(slot->actions, part->actions, part->action_count * sizeof *part->actions);
    part->actions = slot->actions;
}

void tt_publish_thread_catch_up(struct tt_publish_thread *thread)
{
    if (publish_thread_is_empty(thread)) {
        return;
    }
    atomic_store(&thread->flushing, true);
    wake(thread, has_much_work, &thread->publisher_waits, &thread->filled);
    wait_for(thread, publish_thread_is_empty, publish_thread_is_empty, &thread->indexer_waits,
             &thread->emptied);
    atomic_store(&thread->flushing, false);
}

static bool queue(struct tt_publish_thread *thread, struct tt_batch *batch,
                  const struct tt_decoded *part)
{
    wait_for(thread, publish_thread_has_room, has_much_room, &thread->indexer_waits,
             &thread->emptied);
    uint64_t number = atomic_load(&thread->put);
    struct slot *slot = &thread->slots[number % SLOTS];
    if (atomic_load(&thread->no_memory) || !make_array(slot, batch)) {
        return false;
    }
    slot->part = *part;
    if (part->array) {
        struct tt_action *had = slot->actions;
        slot->actions = batch->actions;
        batch->actions = had;
    } else {
        publish_thread_copy(slot);
    }
    slot->part.array = &slot->actions;
    atomic_store(&thread->put, number + 1);
    wake(thread, has_much_work, &thread->publisher_waits, &thread->filled);
    return true;
}

void tt_publish_thread_count_wait(struct tt_publish_thread *thread, uint64_t ns)
{
    atomic_fetch_add_explicit(&thread->indexer_waits.waited, ns, memory_order_relaxed);
}

static struct tt_choice_times publish_thread_times_of(const struct tt_publish_thread *thread)
{
    uint64_t now = tt_now_ns();
    return (struct tt_choice_times){.now = now,
                                    .spent =
                                        tt_thread_ns(pthread_self()) + tt_thread_ns(thread->thread),
                                    .waited = waited_until(&thread->publisher_waits, now) +
                                              waited_until(&thread->indexer_waits, now)};
}

/* Returns whether the threads of a phase have begun to work. */
static bool has_begun(struct tt_publish_thread *thread)
{
    return tt_thread_choice_is_one(&thread->choice) || atomic_load(&thread->taken) > 0;
}

static void begin_choice(struct tt_publish_thread *thread)
{
    struct tt_choice_times times = publish_thread_times_of(thread);
    tt_thread_choice_begin(&thread->choice, &times);
}

/* Chooses between one thread and two, if that is due. */
static void publish_thread_choose(struct tt_publish_thread *thread)
{
    if (!has_begun(thread)) {
        return;
    }
    if (thread->choice.began.now == 0) {
        begin_choice(thread);
    }
    if (!tt_thread_choice_is_due(&thread->choice, tt_now_ns())) {
        return;
    }
    struct tt_choice_times times = publish_thread_times_of(thread);
    times.one_cpu_left = tt_thread_choice_is_one(&thread->choice) && tt_platform_is_one_cpu_left();
    tt_thread_choice_make(&thread->choice, &times);
    if (tt_thread_choice_is_one(&thread->choice)) {
        tt_publish_thread_catch_up(thread);
    }
    begin_choice(thread);
}

bool tt_publish_thread_put(struct tt_publish_thread *thread, struct tt_batch *batch,
                           const struct tt_decoded *part)
{
    /* The queue is empty if the indexing thread publishes. */
    bool good = tt_thread_choice_is_one(&thread->choice)
                    ? tt_publisher_publish(thread->publisher, part)
                    : queue(thread, batch, part);
    thread->choice.work += part->count + part->action_count;
    publish_thread_choose(thread);
    return good && !atomic_load(&thread->no_memory);
}

struct tt_thread_choice *tt_publish_thread_choice(struct tt_publish_thread *thread)
{
    return &thread->choice;
}

bool tt_publish_thread_stop(struct tt_publish_thread *thread)
{
    if (!thread) {
        return true;
    }
    atomic_store(&thread->closing, true);
    wake(thread, has_much_work, &thread->publisher_waits, &thread->filled);
    pthread_join(thread->thread, NULL);
    bool good = !atomic_load(&thread->no_memory);
    free_thread(thread);
    return good;
}
