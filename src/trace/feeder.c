/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/feeder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/os.h"
#include "base/worker.h"

#define SLOTS 16u
/*
 * To wake a sleeping processor costs more than a part, above all in a virtual machine. So whoever
 * has nothing to do looks so many times first, and who sleeps is woken only when half of the queue
 * is his to work on. To give way in between (sched_yield) would be giving way to whatever else the
 * machine does: both threads then got no more done than one of them does alone.
 */
#define LOOKS 500u
#define HALF  (SLOTS / 2)

/* The actions of a batch as they were decoded: what is put is exchanged for what stands here. */
struct slot {
    struct tt_action *actions;
    struct tt_feed_part part; /* of them */
};

struct tt_feeder {
    struct tt_feed *feed;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_cond_t emptied;
    _Atomic uint64_t put;   /* parts so far */
    _Atomic uint64_t taken; /* of these; a slot is free when its part was taken */
    _Atomic bool closing;
    _Atomic bool no_memory;
    bool feeder_sleeps; /* under the lock, as is the next */
    bool indexer_sleeps;
    struct slot slots[SLOTS];
};

/* ---- the feeder's thread ------------------------------------------------------------------ */

static uint64_t waiting(const struct tt_feeder *f)
{
    return atomic_load(&f->put) - atomic_load(&f->taken);
}

/* Is there a part to feed, or will no more come? */
static bool has_news(const struct tt_feeder *f)
{
    return waiting(f) > 0 || atomic_load(&f->closing);
}

static bool has_much_news(const struct tt_feeder *f)
{
    return waiting(f) >= HALF || atomic_load(&f->closing);
}

static bool has_room(const struct tt_feeder *f)
{
    return waiting(f) < SLOTS;
}

static bool has_much_room(const struct tt_feeder *f)
{
    return waiting(f) <= HALF;
}

typedef bool (*condition)(const struct tt_feeder *f);

static bool look_for(const struct tt_feeder *f, condition is_so)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        if (is_so(f)) {
            return true;
        }
        tt_os_pause();
    }
    return false;
}

/* Waits until it is so, or, once asleep, until it is much so. *sleeps tells the other thread that
 * it has to wake this one. */
static void wait_for(struct tt_feeder *f, condition is_so, condition is_much_so, bool *sleeps,
                     pthread_cond_t *woken)
{
    if (look_for(f, is_so)) {
        return;
    }
    pthread_mutex_lock(&f->lock);
    *sleeps = true;
    while (!is_much_so(f)) {
        pthread_cond_wait(woken, &f->lock);
    }
    *sleeps = false;
    pthread_mutex_unlock(&f->lock);
}

/* Something changed: wakes the other thread if it sleeps and is to go on. */
static void wake(struct tt_feeder *f, condition is_much_so, const bool *sleeps,
                 pthread_cond_t *woken)
{
    pthread_mutex_lock(&f->lock);
    if (*sleeps && is_much_so(f)) {
        pthread_cond_signal(woken);
    }
    pthread_mutex_unlock(&f->lock);
}

static void *work(void *arg)
{
    struct tt_feeder *f = arg;
    bool good = true;
    for (;;) {
        wait_for(f, has_news, has_much_news, &f->feeder_sleeps, &f->filled);
        uint64_t number = atomic_load(&f->taken);
        if (number == atomic_load(&f->put)) {
            return NULL;
        }
        good = good && tt_feed_take(f->feed, &f->slots[number % SLOTS].part);
        atomic_store(&f->no_memory, !good);
        atomic_store(&f->taken, number + 1);
        wake(f, has_much_room, &f->indexer_sleeps, &f->emptied);
    }
}

/* ---- the indexer's ------------------------------------------------------------------------ */

static void free_feeder(struct tt_feeder *f)
{
    for (size_t i = 0; i < SLOTS; i++) {
        free(f->slots[i].actions);
    }
    pthread_cond_destroy(&f->emptied);
    pthread_cond_destroy(&f->filled);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

struct tt_feeder *tt_feeder_start(struct tt_feed *feed)
{
    struct tt_feeder *f = tt_os_processors() > 1 ? calloc(1, sizeof *f) : NULL;
    if (!f) {
        return NULL;
    }
    f->feed = feed;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->filled, NULL);
    pthread_cond_init(&f->emptied, NULL);
    if (tt_worker_start(&f->thread, work, f) != 0) {
        free_feeder(f);
        return NULL;
    }
    return f;
}

/* Has the slot an array that can be given for the batch's? */
static bool has_array(struct slot *slot, const struct tt_batch *batch)
{
    if (!slot->actions) {
        slot->actions = malloc(batch->action_capacity * sizeof *slot->actions);
    }
    return slot->actions != NULL;
}

bool tt_feeder_put(struct tt_feeder *f, struct tt_batch *batch, const struct tt_feed_part *part)
{
    wait_for(f, has_room, has_much_room, &f->indexer_sleeps, &f->emptied);
    uint64_t number = atomic_load(&f->put);
    struct slot *slot = &f->slots[number % SLOTS];
    if (atomic_load(&f->no_memory) || !has_array(slot, batch)) {
        return false;
    }
    struct tt_action *given = batch->actions;
    batch->actions = slot->actions;
    slot->actions = given;
    slot->part = *part;
    atomic_store(&f->put, number + 1);
    wake(f, has_much_news, &f->feeder_sleeps, &f->filled);
    return true;
}

bool tt_feeder_stop(struct tt_feeder *f)
{
    if (!f) {
        return true;
    }
    atomic_store(&f->closing, true);
    wake(f, has_much_news, &f->feeder_sleeps, &f->filled);
    pthread_join(f->thread, NULL);
    bool good = !atomic_load(&f->no_memory);
    free_feeder(f);
    return good;
}
