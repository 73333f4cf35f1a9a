/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/feeder.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/os.h"

#define SLOTS   32u
#define WAKE_AT 4u /* batches; to wake a thread for each would cost more than it brings */

/* The collected actions of one batch. */
struct slot {
    struct tt_timed_action *actions;
    size_t count;
    size_t capacity;
};

struct tt_feeder {
    struct tt_feed *feed;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_cond_t emptied;
    uint64_t put;   /* batches so far */
    uint64_t taken; /* of these; a slot is free when its batch was taken */
    bool closing;
    bool no_memory;
    struct slot slots[SLOTS];
};

/* ---- the feeder's thread ------------------------------------------------------------------ */

/* Waits for something to feed; how many batches there are. 0: no more will come. */
static uint64_t wait_filled(struct tt_feeder *f)
{
    pthread_mutex_lock(&f->lock);
    while (f->put - f->taken < WAKE_AT && !f->closing) {
        pthread_cond_wait(&f->filled, &f->lock);
    }
    uint64_t there = f->put - f->taken;
    pthread_mutex_unlock(&f->lock);
    return there;
}

/* The slot gets the feed's array in place of its own. */
static bool feed_slot(struct tt_feed *feed, struct slot *slot)
{
    struct slot old = {feed->block, 0, feed->block_capacity};
    feed->block = slot->actions;
    feed->block_count = slot->count;
    feed->block_capacity = slot->capacity;
    *slot = old;
    return tt_feed_take(feed);
}

static void *work(void *arg)
{
    struct tt_feeder *f = arg;
    bool good = true;
    for (uint64_t there; (there = wait_filled(f)) > 0;) {
        uint64_t first = f->taken; /* changed by this thread alone */
        for (uint64_t i = 0; i < there; i++) {
            good = good && feed_slot(f->feed, &f->slots[(first + i) % SLOTS]);
        }
        pthread_mutex_lock(&f->lock);
        f->taken += there;
        f->no_memory = !good;
        pthread_cond_signal(&f->emptied);
        pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

/* ---- the indexer's ------------------------------------------------------------------------ */

/* Signals are for the program's first thread; a fault in the mapping is for whoever touched it. */
static bool start_thread(struct tt_feeder *f)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&f->thread, NULL, work, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

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
    if (!start_thread(f)) {
        free_feeder(f);
        return NULL;
    }
    return f;
}

bool tt_feeder_put(struct tt_feeder *f, const struct tt_batch *batch, struct tt_feed_from from)
{
    pthread_mutex_lock(&f->lock);
    while (f->put - f->taken == SLOTS) {
        pthread_cond_wait(&f->emptied, &f->lock);
    }
    bool good = !f->no_memory;
    pthread_mutex_unlock(&f->lock);
    struct slot *slot = &f->slots[f->put % SLOTS];
    if (!good || !tt_feed_collect(batch, from, &slot->actions, &slot->count, &slot->capacity)) {
        return false;
    }
    pthread_mutex_lock(&f->lock);
    f->put++;
    if (f->put - f->taken >= WAKE_AT) {
        pthread_cond_signal(&f->filled);
    }
    pthread_mutex_unlock(&f->lock);
    return true;
}

bool tt_feeder_stop(struct tt_feeder *f)
{
    if (!f) {
        return true;
    }
    pthread_mutex_lock(&f->lock);
    f->closing = true;
    pthread_cond_signal(&f->filled);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    bool good = !f->no_memory;
    free_feeder(f);
    return good;
}
