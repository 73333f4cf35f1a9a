/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result: runs a plan over a whole trace on several threads. Threads claim pieces of rows in order;
 * a piece is published when all pieces between it and the origin are done, so that the published
 * part is always one stretch.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/platform.h"
#include "base/worker_thread.h"
#include "filter/plan.h"

#define THREADS_MAX    16u
#define NOTIFY_EVERY   64u /* pieces */
#define PIECES_CLAIMED 4u  /* claimed at once: a sequential reader stays close to the threads */

struct tt_filter_result {
    const struct tt_filter_plan *plan;
    struct tt_row_set *set;
    uint64_t first; /* rows outside [first, end) do not match */
    uint64_t end;
    uint64_t room;     /* capacity in pieces of the next three arrays */
    uint16_t *matches; /* of each piece, until it is published */
    uint16_t *gave_up; /* of each piece: number of undecided events */
    uint8_t *made;
    struct tt_event last; /* last event of all rows, to detect shifted rows */

    pthread_t threads[THREADS_MAX];
    unsigned thread_count;
    unsigned wanted; /* requested threads; 0: one per processor */
    void (*notify)(void *arg);
    void *notify_arg;
    uint64_t below;        /* this run tests the pieces below this one */
    uint64_t above;        /* and those from this one on */
    _Atomic uint64_t next; /* number of claimed pieces */
    _Atomic unsigned running;
    _Atomic bool cancel;
    _Atomic bool failed;
    _Atomic bool shrunk;
    _Atomic uint64_t undecided;
    pthread_mutex_t lock; /* protects `made` and publishing */
};

/* ---- testing -------------------------------------------------------------------------------- */

/* Returns whether any row of a block may match. */
static bool may_match(const struct tt_filter_result *r, uint64_t row, uint32_t count)
{
    return row < r->end && row + count > r->first;
}

static uint32_t test_piece(struct tt_filter_result *r, struct tt_filter_worker *worker,
                           struct tt_events *reader, struct tt_event *events, uint64_t piece)
{
    uint64_t row = piece * TT_PIECE_ROWS, total = tt_row_set_rows(r->set);
    uint64_t end = total - row > TT_PIECE_ROWS ? row + TT_PIECE_ROWS : total;
    uint64_t *bits = tt_row_set_piece(r->set, piece);
    uint32_t matches = 0;
    while (row < end && !atomic_load_explicit(&r->cancel, memory_order_relaxed)) {
        uint32_t ask = end - row > TT_FILTER_BLOCK ? TT_FILTER_BLOCK : (uint32_t)(end - row);
        uint32_t words = (ask + 63) / 64;
        uint32_t count = 0;
        if (may_match(r, row, ask)) {
            count = tt_events_read(reader, row, ask, events);
            tt_filter_test(worker, events, row, count, bits);
            if (count < ask) {
                atomic_store(&r->shrunk, true);
            }
        }
        for (uint32_t word = 0; word < words && count > 0; word++) {
            matches += tt_bits_in(bits[word]);
        }
        bits += words;
        row += ask;
    }
    return matches;
}

/* Publishes all contiguous finished pieces; returns whether a notification is due. */
static bool publish(struct tt_filter_result *r, uint64_t piece, uint32_t matches, uint32_t gave_up)
{
    uint64_t low, high;
    pthread_mutex_lock(&r->lock);
    r->matches[piece] = (uint16_t)matches;
    r->gave_up[piece] = (uint16_t)gave_up;
    r->made[piece] = 1;
    tt_row_set_piece_range(r->set, &low, &high);
    uint64_t before = (high - low) / NOTIFY_EVERY;
    for (; high < tt_row_set_pieces(r->set) && r->made[high]; high++) {
        tt_row_set_publish_high(r->set, r->matches[high]);
        atomic_fetch_add(&r->undecided, r->gave_up[high]);
    }
    for (; low > 0 && r->made[low - 1]; low--) {
        tt_row_set_publish_low(r->set, r->matches[low - 1]);
        atomic_fetch_add(&r->undecided, r->gave_up[low - 1]);
    }
    pthread_mutex_unlock(&r->lock);
    return (high - low) / NOTIFY_EVERY != before;
}

/*
 * Returns the piece for claim number `taken`: pieces above and below the known stretch alternate,
 * followed by the rest of the longer side. UINT64_MAX if there are no more.
 */
static uint64_t piece_number(const struct tt_filter_result *r, uint64_t taken)
{
    uint64_t above = tt_row_set_pieces(r->set) - r->above;
    uint64_t in_turn = above < r->below ? above : r->below;
    if (taken >= r->below + above) {
        return UINT64_MAX;
    }
    if (taken < 2 * in_turn) {
        return taken % 2 == 0 ? r->above + taken / 2 : r->below - 1 - taken / 2;
    }
    taken -= in_turn;
    return above > r->below ? r->above + taken : r->below - 1 - taken;
}

/* Tests and publishes a piece; returns false if it may be incomplete. */
static bool handle_piece(struct tt_filter_result *r, struct tt_filter_worker *worker,
                         struct tt_events *reader, struct tt_event *events, uint64_t piece)
{
    uint64_t undecided = tt_filter_worker_undecided(worker);
    uint32_t matches = test_piece(r, worker, reader, events, piece);
    undecided = tt_filter_worker_undecided(worker) - undecided;
    if (tt_filter_worker_failed(worker)) {
        atomic_store(&r->failed, true);
        atomic_store(&r->cancel, true);
    }
    if (atomic_load_explicit(&r->cancel, memory_order_relaxed)) {
        return false;
    }
    if (publish(r, piece, matches, (uint32_t)undecided) && r->notify) {
        r->notify(r->notify_arg);
    }
    return true;
}

static void test_pieces(struct tt_filter_result *r, struct tt_filter_worker *worker,
                        struct tt_events *reader, struct tt_event *events)
{
    bool more = true;
    while (more && !atomic_load_explicit(&r->cancel, memory_order_relaxed)) {
        uint64_t taken = atomic_fetch_add(&r->next, PIECES_CLAIMED);
        for (uint64_t i = 0; i < PIECES_CLAIMED && more; i++) {
            uint64_t piece = piece_number(r, taken + i);
            more = piece != UINT64_MAX && handle_piece(r, worker, reader, events, piece);
        }
    }
    if (tt_filter_worker_truncated(worker)) {
        atomic_store(&r->shrunk, true);
    }
}

static void *work(void *arg)
{
    struct tt_filter_result *r = arg;
    if (r->notify) {
        tt_platform_lower_priority(); /* yield to the thread of the screen */
    }
    tt_trace_reader_begin(r->plan->trace);
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
    tt_trace_reader_end(r->plan->trace);
    void (*notify)(void *notify_arg) = r->notify;
    void *notify_arg = r->notify_arg;
    atomic_fetch_sub(&r->running, 1); /* the result may be freed once this thread is joined */
    if (notify) {
        notify(notify_arg);
    }
    return NULL;
}

/* ---- start and end --------------------------------------------------------------------------- */

static void result_destroy(struct tt_filter_result *r)
{
    if (r) {
        pthread_mutex_destroy(&r->lock);
        tt_row_set_free(r->set);
        free(r->matches);
        free(r->gave_up);
        free(r->made);
        free(r);
    }
}

/* Grows the per-piece arrays; new entries are zero. */
static bool reserve_pieces(struct tt_filter_result *r, uint64_t pieces)
{
    if (r->made && pieces <= r->room) {
        return true;
    }
    size_t had = (size_t)r->room, room = (size_t)(pieces + pieces / 2 + 1);
    uint16_t *matches = realloc(r->matches, room * sizeof *matches);
    r->matches = matches ? matches : r->matches;
    uint16_t *gave_up = realloc(r->gave_up, room * sizeof *gave_up);
    r->gave_up = gave_up ? gave_up : r->gave_up;
    uint8_t *made = realloc(r->made, room);
    r->made = made ? made : r->made;
    if (!matches || !gave_up || !made) {
        return false;
    }
    memset(matches + had, 0, (room - had) * sizeof *matches);
    memset(gave_up + had, 0, (room - had) * sizeof *gave_up);
    memset(made + had, 0, room - had);
    r->room = room;
    /* cppcheck-suppress memleak ; all three hang in *r by now */
    return true;
}

static struct tt_filter_result *result_new(const struct tt_filter_plan *plan,
                                           struct tt_events *events, uint64_t row)
{
    struct tt_filter_result *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->plan = plan;
    r->set = tt_row_set_new(tt_events_rows(events), row);
    if (!r->set || !reserve_pieces(r, tt_row_set_pieces(r->set))) {
        result_destroy(r);
        return NULL;
    }
    return r;
}

static unsigned threads_for(unsigned asked, uint64_t pieces)
{
    long processors = asked > 0 ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = processors < 1                   ? 1
                     : processors > (long)THREADS_MAX ? THREADS_MAX
                                                      : (unsigned)processors;
    return pieces < count ? (unsigned)(pieces ? pieces : 1) : count;
}

/* Starts threads that test all unknown pieces. */
static struct tt_status start_threads(struct tt_filter_result *r, struct tt_events *events)
{
    uint64_t rows = tt_row_set_rows(r->set), pieces = tt_row_set_pieces(r->set);
    tt_filter_plan_rows(r->plan, events, &r->first, &r->end);
    if (rows == 0 || tt_events_read(events, rows - 1, 1, &r->last) == 0) {
        r->last = (struct tt_event){0};
    }
    tt_row_set_piece_range(r->set, &r->below, &r->above);
    atomic_store(&r->next, 0);
    atomic_store(&r->cancel, false);
    unsigned wanted = threads_for(r->wanted, pieces - r->above + r->below);
    while (r->thread_count < wanted) {
        atomic_fetch_add(&r->running, 1);
        if (tt_worker_start(&r->threads[r->thread_count], work, r) != 0) {
            atomic_fetch_sub(&r->running, 1);
            break;
        }
        r->thread_count++;
    }
    return r->thread_count > 0 ? tt_ok() : tt_error(TT_ERR_MEMORY, "cannot start a thread");
}

struct tt_status tt_filter_start_at(const struct tt_filter_plan *plan, unsigned threads,
                                    uint64_t row, void (*notify)(void *arg), void *arg,
                                    struct tt_filter_result **result)
{
    struct tt_status status = tt_error_memory();
    *result = NULL;
    struct tt_events *events = tt_events_new(plan->trace);
    struct tt_filter_result *r = events ? result_new(plan, events, row) : NULL;
    if (r) {
        r->notify = notify;
        r->notify_arg = arg;
        r->wanted = threads;
        status = start_threads(r, events);
        if (tt_failed(&status)) {
            result_destroy(r);
            r = NULL;
        }
    }
    tt_events_free(events);
    *result = r;
    return status;
}

struct tt_status tt_filter_start(const struct tt_filter_plan *plan, unsigned threads,
                                 void (*notify)(void *arg), void *arg,
                                 struct tt_filter_result **result)
{
    return tt_filter_start_at(plan, threads, 0, notify, arg, result);
}

/* Returns whether the rows are unshifted since `last` was stored. */
static bool rows_unshifted(const struct tt_filter_result *r, struct tt_events *events)
{
    uint64_t rows = tt_row_set_rows(r->set);
    return rows > 0 && rows <= tt_events_rows(events) &&
           tt_events_row_at_key(events, r->last.ticks, r->last.pos) == rows - 1;
}

struct tt_status tt_filter_resume(struct tt_filter_result *r, bool keep, uint64_t row, bool *kept)
{
    tt_filter_wait(r);
    struct tt_events *events = tt_events_new(r->plan->trace);
    if (!events) {
        return tt_error_memory();
    }
    uint64_t rows = tt_events_rows(events);
    *kept = keep && rows_unshifted(r, events);
    struct tt_status status = tt_error_memory();
    if (tt_row_set_grow(r->set, rows, *kept ? tt_row_set_rows(r->set) : 0, row) &&
        reserve_pieces(r, tt_row_set_pieces(r->set))) {
        uint64_t low, high;
        tt_row_set_piece_range(r->set, &low, &high);
        memset(r->made, 0, (size_t)r->room);
        memset(r->made + low, 1, (size_t)(high - low));
        uint64_t undecided = 0;
        for (uint64_t piece = low; piece < high; piece++) {
            undecided += r->gave_up[piece];
        }
        atomic_store(&r->undecided, undecided);
        atomic_store(&r->failed, false);
        status = start_threads(r, events);
    }
    tt_events_free(events);
    return status;
}

bool tt_filter_result_ended(const struct tt_filter_result *r)
{
    return atomic_load(&r->running) == 0;
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
    return tt_row_set_whole(r->set) ? tt_ok() : tt_error(TT_ERR_CANCELLED, "cancelled");
}

void tt_filter_result_free(struct tt_filter_result *r)
{
    if (r) {
        tt_filter_cancel(r);
        tt_filter_wait(r);
        result_destroy(r);
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

const struct tt_row_set *tt_filter_result_set(const struct tt_filter_result *r)
{
    return r->set;
}

uint64_t tt_filter_result_rows(const struct tt_filter_result *r)
{
    uint64_t from, to;
    tt_row_set_known(r->set, &from, &to);
    return to - from;
}

uint64_t tt_filter_result_total(const struct tt_filter_result *r)
{
    return tt_row_set_rows(r->set);
}

uint64_t tt_filter_result_count(const struct tt_filter_result *r)
{
    return tt_row_set_count(r->set);
}

uint64_t tt_filter_result_undecided(const struct tt_filter_result *r)
{
    return atomic_load(&r->undecided);
}

bool tt_filter_result_truncated(const struct tt_filter_result *r)
{
    return atomic_load(&r->shrunk);
}

bool tt_filter_result_has(const struct tt_filter_result *r, uint64_t row)
{
    return tt_row_set_has(r->set, row);
}

uint64_t tt_filter_result_rank(const struct tt_filter_result *r, uint64_t row)
{
    return tt_row_set_rank(r->set, row);
}

uint64_t tt_filter_result_select(const struct tt_filter_result *r, uint64_t k)
{
    return tt_row_set_select(r->set, k);
}
