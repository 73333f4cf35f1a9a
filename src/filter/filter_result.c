/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole trace held against a plan by several threads. Pieces of rows are handed out in order;
 * a piece is published when all before it are done, so that what is read is always a beginning.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/filter_plan.h"

#define PIECE_ROWS   4096u
#define PIECE_WORDS  (PIECE_ROWS / 64)
#define THREADS_MAX  16u
#define NOTIFY_EVERY 64u /* pieces */

struct tt_filter_result {
    const struct tt_filter_plan *plan;
    uint64_t total; /* rows */
    uint64_t pieces;
    uint64_t first; /* rows outside of [first, end) match nothing */
    uint64_t end;
    uint64_t *bits;
    uint64_t *before;  /* matches before each piece, and one more behind the last */
    uint16_t *matches; /* of each piece, until it is published */
    uint8_t *made;

    pthread_t threads[THREADS_MAX];
    unsigned thread_count;
    void (*notify)(void *arg);
    void *notify_arg;
    _Atomic uint64_t next; /* the piece that is tested next */
    _Atomic uint64_t done; /* pieces published */
    _Atomic bool cancel;
    _Atomic bool failed;
    _Atomic bool shrunk;
    _Atomic uint64_t undecided;
    pthread_mutex_t lock; /* made, and the publishing */
};

static unsigned bits_in(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_popcountll(word);
#else
    unsigned count = 0;
    for (; word; word &= word - 1) {
        count++;
    }
    return count;
#endif
}

/* ---- testing -------------------------------------------------------------------------------- */

/* May any row of a block match? */
static bool touches(const struct tt_filter_result *r, uint64_t row, uint32_t count)
{
    return row < r->end && row + count > r->first;
}

static uint32_t test_piece(struct tt_filter_result *r, struct tt_filter_worker *worker,
                           struct tt_events *reader, struct tt_event *events, uint64_t piece)
{
    uint64_t row = piece * PIECE_ROWS;
    uint64_t end = r->total - row > PIECE_ROWS ? row + PIECE_ROWS : r->total;
    uint64_t *bits = r->bits + piece * PIECE_WORDS;
    uint32_t matches = 0;
    while (row < end) {
        uint32_t ask = end - row > TT_FILTER_BLOCK ? TT_FILTER_BLOCK : (uint32_t)(end - row);
        uint32_t words = (ask + 63) / 64;
        uint32_t count = 0;
        if (touches(r, row, ask)) {
            count = tt_events_read(reader, row, ask, events);
            tt_filter_test(worker, events, row, count, bits);
            if (count < ask) {
                atomic_store(&r->shrunk, true);
            }
        }
        for (uint32_t word = 0; word < words && count > 0; word++) {
            matches += bits_in(bits[word]);
        }
        bits += words;
        row += ask;
    }
    return matches;
}

/* Publishes the pieces that are made without a gap; true when it is time to tell. */
static bool publish(struct tt_filter_result *r, uint64_t piece, uint32_t matches)
{
    pthread_mutex_lock(&r->lock);
    r->matches[piece] = (uint16_t)matches;
    r->made[piece] = 1;
    uint64_t done = atomic_load_explicit(&r->done, memory_order_relaxed);
    uint64_t before = done / NOTIFY_EVERY;
    while (done < r->pieces && r->made[done]) {
        r->before[done + 1] = r->before[done] + r->matches[done];
        done++;
    }
    atomic_store_explicit(&r->done, done, memory_order_release);
    pthread_mutex_unlock(&r->lock);
    return done / NOTIFY_EVERY != before || done == r->pieces;
}

static void test_pieces(struct tt_filter_result *r, struct tt_filter_worker *worker,
                        struct tt_events *reader, struct tt_event *events)
{
    while (!atomic_load_explicit(&r->cancel, memory_order_relaxed)) {
        uint64_t piece = atomic_fetch_add(&r->next, 1);
        if (piece >= r->pieces) {
            break;
        }
        uint64_t undecided = tt_filter_worker_undecided(worker);
        uint32_t matches = test_piece(r, worker, reader, events, piece);
        atomic_fetch_add(&r->undecided, tt_filter_worker_undecided(worker) - undecided);
        if (tt_filter_worker_failed(worker)) {
            atomic_store(&r->failed, true);
            atomic_store(&r->cancel, true);
            break;
        }
        if (publish(r, piece, matches) && r->notify) {
            r->notify(r->notify_arg);
        }
    }
    if (tt_filter_worker_shrunk(worker)) {
        atomic_store(&r->shrunk, true);
    }
}

static void *work(void *arg)
{
    struct tt_filter_result *r = arg;
    struct tt_events *reader = tt_events_new(r->plan->trace);
    struct tt_filter_worker *worker = reader ? tt_filter_worker_new(r->plan, reader) : NULL;
    struct tt_event *events = malloc(TT_FILTER_BLOCK * sizeof *events);
    if (worker && events) {
        test_pieces(r, worker, reader, events);
    } else {
        atomic_store(&r->failed, true);
        atomic_store(&r->cancel, true);
    }
    free(events);
    tt_filter_worker_free(worker);
    tt_events_free(reader);
    if (r->notify) {
        r->notify(r->notify_arg);
    }
    return NULL;
}

/* ---- starting and ending ----------------------------------------------------------------------
 */

static void result_drop(struct tt_filter_result *r)
{
    if (r) {
        pthread_mutex_destroy(&r->lock);
        free(r->bits);
        free(r->before);
        free(r->matches);
        free(r->made);
        free(r);
    }
}

static struct tt_filter_result *result_new(const struct tt_filter_plan *plan,
                                           struct tt_events *events)
{
    struct tt_filter_result *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->plan = plan;
    r->total = tt_events_rows(events);
    r->pieces = r->total / PIECE_ROWS + (r->total % PIECE_ROWS > 0);
    tt_filter_plan_rows(plan, events, &r->first, &r->end);
    if (r->pieces < SIZE_MAX / (PIECE_WORDS * sizeof *r->bits)) {
        size_t pieces = (size_t)r->pieces;
        r->bits = calloc(pieces * PIECE_WORDS + 1, sizeof *r->bits);
        r->before = calloc(pieces + 1, sizeof *r->before);
        r->matches = calloc(pieces + 1, sizeof *r->matches);
        r->made = calloc(pieces + 1, 1);
    }
    if (!r->bits || !r->before || !r->matches || !r->made) {
        result_drop(r);
        return NULL;
    }
    return r;
}

static unsigned threads_for(unsigned asked, uint64_t pieces)
{
    long processors = asked > 0 ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = processors < 1             ? 1
                     : processors > THREADS_MAX ? THREADS_MAX
                                                : (unsigned)processors;
    return pieces < count ? (unsigned)(pieces ? pieces : 1) : count;
}

/* Signals from outside are for the thread that started it; SIGBUS is the mapping's guard's. */
static void hold_signals(sigset_t *before)
{
    static const int faults[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_BLOCK, &all, before);
}

struct tt_status tt_filter_start(const struct tt_filter_plan *plan, unsigned threads,
                                 void (*notify)(void *arg), void *arg,
                                 struct tt_filter_result **result)
{
    *result = NULL;
    struct tt_events *events = tt_events_new(plan->trace);
    struct tt_filter_result *r = events ? result_new(plan, events) : NULL;
    tt_events_free(events);
    if (!r) {
        return tt_error_memory();
    }
    r->notify = notify;
    r->notify_arg = arg;
    unsigned wanted = threads_for(threads, r->pieces);
    sigset_t before;
    hold_signals(&before);
    while (r->thread_count < wanted &&
           pthread_create(&r->threads[r->thread_count], NULL, work, r) == 0) {
        r->thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (r->thread_count == 0) {
        result_drop(r);
        return tt_error(TT_ERR_MEMORY, "no thread could be started");
    }
    *result = r;
    return tt_ok();
}

void tt_filter_cancel(struct tt_filter_result *r)
{
    atomic_store(&r->cancel, true);
}

struct tt_status tt_filter_wait(struct tt_filter_result *r)
{
    for (unsigned i = 0; i < r->thread_count; i++) {
        pthread_join(r->threads[i], NULL);
    }
    r->thread_count = 0;
    if (atomic_load(&r->failed)) {
        return tt_error_memory();
    }
    return atomic_load(&r->done) == r->pieces ? tt_ok() : tt_error(TT_ERR_CANCELLED, "cancelled");
}

void tt_filter_result_free(struct tt_filter_result *r)
{
    if (r) {
        tt_filter_cancel(r);
        tt_filter_wait(r);
        result_drop(r);
    }
}

/* ---- asking -------------------------------------------------------------------------------------
 */

static uint64_t done_of(const struct tt_filter_result *r)
{
    return atomic_load_explicit(&r->done, memory_order_acquire);
}

uint64_t tt_filter_result_rows(const struct tt_filter_result *r)
{
    uint64_t done = done_of(r);
    return done == r->pieces ? r->total : done * PIECE_ROWS;
}

uint64_t tt_filter_result_total(const struct tt_filter_result *r)
{
    return r->total;
}

uint64_t tt_filter_result_count(const struct tt_filter_result *r)
{
    return r->before[done_of(r)];
}

uint64_t tt_filter_result_undecided(const struct tt_filter_result *r)
{
    return atomic_load(&r->undecided);
}

bool tt_filter_result_shrunk(const struct tt_filter_result *r)
{
    return atomic_load(&r->shrunk);
}

bool tt_filter_result_has(const struct tt_filter_result *r, uint64_t row)
{
    return row < tt_filter_result_rows(r) && (r->bits[row / 64] >> (row % 64) & 1u);
}

uint64_t tt_filter_result_rank(const struct tt_filter_result *r, uint64_t row)
{
    uint64_t rows = tt_filter_result_rows(r);
    if (row >= rows) {
        return tt_filter_result_count(r);
    }
    uint64_t piece = row / PIECE_ROWS;
    uint64_t rank = r->before[piece];
    for (uint64_t word = piece * PIECE_WORDS; word < row / 64; word++) {
        rank += bits_in(r->bits[word]);
    }
    uint64_t below = (UINT64_C(1) << (row % 64)) - 1;
    return rank + bits_in(r->bits[row / 64] & below);
}

/* The place of the set bit number `k` of a word that has so many. */
static unsigned bit_number(uint64_t word, uint64_t k)
{
    unsigned bit = 0;
    for (; k > 0 || !(word >> bit & 1u); bit++) {
        k -= word >> bit & 1u;
    }
    return bit;
}

uint64_t tt_filter_result_select(const struct tt_filter_result *r, uint64_t k)
{
    uint64_t low = 0, high = done_of(r);
    if (k >= r->before[high]) {
        return UINT64_MAX;
    }
    while (high - low > 1) { /* before[low] <= k < before[high] */
        uint64_t middle = low + (high - low) / 2;
        if (r->before[middle] <= k) {
            low = middle;
        } else {
            high = middle;
        }
    }
    k -= r->before[low];
    for (uint64_t word = low * PIECE_WORDS;; word++) {
        unsigned count = bits_in(r->bits[word]);
        if (k < count) {
            return word * 64 + bit_number(r->bits[word], k);
        }
        k -= count;
    }
}
