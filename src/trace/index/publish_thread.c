/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/index/publish_thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/worker_thread.h"

#define SLOTS 16u
/*
 * To wake a sleeping processor costs more than a part, above all in a virtual machine. So whoever
 * has nothing to do looks so many times first, and who sleeps is woken only when half of the queue
 * is his to work on. To give way in between (sched_yield) would be giving way to whatever else the
 * machine does: both threads then got no more done than one of them does alone.
 */
#define LOOKS 500u
#define HALF  (SLOTS / 2)

/* The arrays of a batch as they were decoded: what is put is exchanged for what stands here. */
struct slot {
    struct tt_event *events;
    struct tt_action *actions;
    struct tt_decoded part; /* of them */
};

struct tt_publish_thread {
    struct tt_publisher *publisher;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_cond_t emptied;
    _Atomic uint64_t put;   /* parts so far */
    _Atomic uint64_t taken; /* of these; a slot is free when its part was taken */
    _Atomic bool closing;
    _Atomic bool no_memory;
    bool relay_sleeps; /* under the lock, as is the next */
    bool indexer_sleeps;
    struct slot slots[SLOTS];
};

/* ---- the relay's thread ------------------------------------------------------------------ */

static uint64_t waiting(const struct tt_publish_thread *r)
{
    return atomic_load(&r->put) - atomic_load(&r->taken);
}

/* Is there a part to feed, or will no more come? */
static bool has_news(const struct tt_publish_thread *r)
{
    return waiting(r) > 0 || atomic_load(&r->closing);
}

/* The first parts are waited for by who looks at the screen. */
static bool has_much_news(const struct tt_publish_thread *r)
{
    bool some = waiting(r) > 0 && atomic_load(&r->put) <= HALF;
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

typedef bool (*condition)(const struct tt_publish_thread *r);

static bool look_for(const struct tt_publish_thread *r, condition is_so)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        if (is_so(r)) {
            return true;
        }
        tt_platform_pause();
    }
    return false;
}

/* Waits until it is so, or, once asleep, until it is much so. *sleeps tells the other thread that
 * it has to wake this one. */
static void wait_for(struct tt_publish_thread *r, condition is_so, condition is_much_so,
                     bool *sleeps, pthread_cond_t *woken)
{
    if (look_for(r, is_so)) {
        return;
    }
    pthread_mutex_lock(&r->lock);
    *sleeps = true;
    while (!is_much_so(r)) {
        pthread_cond_wait(woken, &r->lock);
    }
    *sleeps = false;
    pthread_mutex_unlock(&r->lock);
}

/* Something changed: wakes the other thread if it sleeps and is to go on. */
static void wake(struct tt_publish_thread *r, condition is_much_so, const bool *sleeps,
                 pthread_cond_t *woken)
{
    pthread_mutex_lock(&r->lock);
    if (*sleeps && is_much_so(r)) {
        pthread_cond_signal(woken);
    }
    pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg)
{
    struct tt_publish_thread *r = arg;
    bool good = true;
    for (;;) {
        wait_for(r, has_news, has_much_news, &r->relay_sleeps, &r->filled);
        uint64_t number = atomic_load(&r->taken);
        if (number == atomic_load(&r->put)) {
            return NULL;
        }
        good = good && tt_publisher_take(r->publisher, &r->slots[number % SLOTS].part);
        atomic_store(&r->no_memory, !good);
        atomic_store(&r->taken, number + 1);
        wake(r, has_much_room, &r->indexer_sleeps, &r->emptied);
    }
}

/* ---- the indexer's ------------------------------------------------------------------------ */

static void free_relay(struct tt_publish_thread *r)
{
    for (size_t i = 0; i < SLOTS; i++) {
        free(r->slots[i].events);
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
        free_relay(r);
        return NULL;
    }
    return r;
}

/* Has the slot arrays that can be given for the batch's? */
static bool has_arrays(struct slot *slot, const struct tt_batch *batch)
{
    if (!slot->events) {
        slot->events = malloc(batch->capacity * sizeof *slot->events);
    }
    if (!slot->actions) {
        slot->actions = malloc(batch->action_capacity * sizeof *slot->actions);
    }
    return slot->events && slot->actions;
}

static void exchange(struct slot *slot, struct tt_batch *batch)
{
    struct slot had = *slot;
    slot->events = batch->events;
    slot->actions = batch->actions;
    batch->events = had.events;
    batch->actions = had.actions;
}

static void copy(struct slot *slot)
{
    struct tt_decoded *part = &slot->part;
    memcpy(slot->events, part->events, part->count * sizeof *part->events);
    memcpy(slot->actions, part->actions, part->action_count * sizeof *part->actions);
    part->events = slot->events;
    part->actions = slot->actions;
}

bool tt_publish_thread_put(struct tt_publish_thread *r, struct tt_batch *batch,
                           const struct tt_decoded *part)
{
    wait_for(r, has_room, has_much_room, &r->indexer_sleeps, &r->emptied);
    uint64_t number = atomic_load(&r->put);
    struct slot *slot = &r->slots[number % SLOTS];
    if (atomic_load(&r->no_memory) || !has_arrays(slot, batch)) {
        return false;
    }
    slot->part = *part;
    if (part->goes_on) {
        copy(slot);
    } else {
        exchange(slot, batch);
    }
    atomic_store(&r->put, number + 1);
    wake(r, has_much_news, &r->relay_sleeps, &r->filled);
    return true;
}

bool tt_publish_thread_stop(struct tt_publish_thread *r)
{
    if (!r) {
        return true;
    }
    atomic_store(&r->closing, true);
    wake(r, has_much_news, &r->relay_sleeps, &r->filled);
    pthread_join(r->thread, NULL);
    bool good = !atomic_load(&r->no_memory);
    free_relay(r);
    return good;
}
