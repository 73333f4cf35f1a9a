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
static bool may_match(const struct tt_filter_result *result, uint64_t row, uint32_t count)
{
    return row < result->end && row + count > result->first;
}

/* Publishes all contiguous finished pieces; returns whether a notification is due. */
static bool publish(struct tt_filter_result *result, uint64_t piece, uint32_t matches,
                    uint32_t gave_up)
{
    uint64_t low, high;
    pthread_mutex_lock(&result->lock);
    result->matches[piece] = (uint16_t)matches;
    result->gave_up[piece] = (uint16_t)gave_up;
    result->made[piece] = 1;
    tt_row_set_piece_range(result->set, &low, &high);
    uint64_t before = (high - low) / NOTIFY_EVERY;
    for (; high < tt_row_set_pieces(result->set) && result->made[high]; high++) {
        tt_row_set_publish_high(result->set, result->matches[high]);
        atomic_fetch_add(&result->undecided, result->gave_up[high]);
    }
    for (; low > 0 && result->made[low - 1]; low--) {
        tt_row_set_publish_low(result->set, result->matches[low - 1]);
        atomic_fetch_add(&result->undecided, result->gave_up[low - 1]);
    }
    pthread_mutex_unlock(&result->lock);
    return (high - low) / NOTIFY_EVERY != before;
}

/*
 * Returns the piece for claim number `taken`: pieces above and below the known stretch alternate,
 * followed by the rest of the longer side. UINT64_MAX if there are no more.
 */
static uint64_t piece_number(const struct tt_filter_result *result, uint64_t taken)
{
    uint64_t above = tt_row_set_pieces(result->set) - result->above;
    uint64_t in_turn = above < result->below ? above : result->below;
    if (taken >= result->below + above) {
        return UINT64_MAX;
    }
    if (taken < 2 * in_turn) {
        return taken % 2 == 0 ? result->above + taken / 2 : result->below - 1 - taken / 2;
    }
    taken -= in_turn;
    return above > result->below ? result->above + taken : result->below - 1 - taken;
}

/* Tests and publishes a piece; returns false if it may be incomplete. */
static bool handle_piece(struct tt_filter_result *result, struct tt_filter_worker *worker,
                         struct tt_events *reader, struct tt_event *events, uint64_t piece)
{
    uint64_t undecided = tt_filter_worker_undecided(worker);

    uint64_t row = piece * TT_PIECE_ROWS, total = tt_row_set_rows(result->set);
    uint64_t end = total - row > TT_PIECE_ROWS ? row + TT_PIECE_ROWS : total;
    uint64_t *bits = tt_row_set_piece(result->set, piece);
    uint32_t matches = 0;
    while (row < end && !atomic_load_explicit(&result->cancel, memory_order_relaxed)) {
        uint32_t ask = end - row > TT_FILTER_BLOCK ? TT_FILTER_BLOCK : (uint32_t)(end - row);
        uint32_t words = (ask + 63) / 64;
        uint32_t count = 0;
        if (may_match(result, row, ask)) {
            count = tt_events_read(reader, row, ask, events);
            tt_filter_test(worker, events, row, count, bits);
            if (count < ask) {
                atomic_store(&result->shrunk, true);
            }
        }
        for (uint32_t word = 0; word < words && count > 0; word++) {
            matches += tt_bits_in(bits[word]);
        }
        bits += words;
        row += ask;
    }

    undecided = tt_filter_worker_undecided(worker) - undecided;
    if (tt_filter_worker_failed(worker)) {
        atomic_store(&result->failed, true);
        atomic_store(&result->cancel, true);
    }
    if (atomic_load_explicit(&result->cancel, memory_order_relaxed)) {
        return false;
    }
    if (publish(result, piece, matches, (uint32_t)undecided) && result->notify) {
        result->notify(result->notify_arg);
    }
    return true;
}

static void *result_work(void *arg)
{
    struct tt_filter_result *result = arg;
    if (result->notify) {
        tt_platform_lower_priority(); /* yield to the thread of the screen */
    }
    tt_trace_reader_begin(result->plan->trace);
    struct tt_events *reader = tt_events_new(result->plan->trace);
    struct tt_filter_worker *worker = reader ? tt_filter_worker_new(result->plan, reader) : NULL;
    struct tt_event *events = malloc(TT_FILTER_BLOCK * sizeof *events);
    if (worker && events) {
        bool more = true;
        while (more && !atomic_load_explicit(&result->cancel, memory_order_relaxed)) {
            uint64_t taken = atomic_fetch_add(&result->next, PIECES_CLAIMED);
            for (uint64_t i = 0; i < PIECES_CLAIMED && more; i++) {
                uint64_t piece = piece_number(result, taken + i);
                more = piece != UINT64_MAX && handle_piece(result, worker, reader, events, piece);
            }
        }
        if (tt_filter_worker_truncated(worker)) {
            atomic_store(&result->shrunk, true);
        }
    } else {
        atomic_store(&result->failed, true);
        atomic_store(&result->cancel, true);
    }
    free(events);
    tt_filter_worker_free(worker);
    tt_events_free(reader);
    tt_trace_reader_end(result->plan->trace);
    void (*notify)(void *notify_arg) = result->notify;
    void *notify_arg = result->notify_arg;
    atomic_fetch_sub(&result->running, 1); /* the result may be freed once this thread is joined */
    if (notify) {
        notify(notify_arg);
    }
    return NULL;
}

/* ---- start and end --------------------------------------------------------------------------- */

static void result_destroy(struct tt_filter_result *result)
{
    if (result) {
        pthread_mutex_destroy(&result->lock);
        tt_row_set_free(result->set);
        free(result->matches);
        free(result->gave_up);
        free(result->made);
        free(result);
    }
}

/* Grows the per-piece arrays; new entries are zero. */
static bool reserve_pieces(struct tt_filter_result *result, uint64_t pieces)
{
    if (result->made && pieces <= result->room) {
        return true;
    }
    size_t had = (size_t)result->room, room = (size_t)(pieces + pieces / 2 + 1);
    uint16_t *matches = realloc(result->matches, room * sizeof *matches);
    result->matches = matches ? matches : result->matches;
    uint16_t *gave_up = realloc(result->gave_up, room * sizeof *gave_up);
    result->gave_up = gave_up ? gave_up : result->gave_up;
    uint8_t *made = realloc(result->made, room);
    result->made = made ? made : result->made;
    if (!matches || !gave_up || !made) {
        return false;
    }
    memset(matches + had, 0, (room - had) * sizeof *matches);
    memset(gave_up + had, 0, (room - had) * sizeof *gave_up);
    memset(made + had, 0, room - had);
    result->room = room;
    /* cppcheck-suppress memleak ; all three hang in *result by now */
    return true;
}

static struct tt_filter_result *result_new(const struct tt_filter_plan *plan,
                                           struct tt_events *events, uint64_t row)
{
    struct tt_filter_result *result = calloc(1, sizeof *result);
    if (!result) {
        return NULL;
    }
    pthread_mutex_init(&result->lock, NULL);
    result->plan = plan;
    result->set = tt_row_set_new(tt_events_rows(events), row);
    if (!result->set || !reserve_pieces(result, tt_row_set_pieces(result->set))) {
        result_destroy(result);
        return NULL;
    }
    return result;
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
static struct tt_status start_threads(struct tt_filter_result *result, struct tt_events *events)
{
    uint64_t rows = tt_row_set_rows(result->set), pieces = tt_row_set_pieces(result->set);
    tt_filter_plan_rows(result->plan, events, &result->first, &result->end);
    if (rows == 0 || tt_events_read(events, rows - 1, 1, &result->last) == 0) {
        result->last = (struct tt_event){0};
    }
    tt_row_set_piece_range(result->set, &result->below, &result->above);
    atomic_store(&result->next, 0);
    atomic_store(&result->cancel, false);
    unsigned wanted = threads_for(result->wanted, pieces - result->above + result->below);
    while (result->thread_count < wanted) {
        atomic_fetch_add(&result->running, 1);
        if (tt_worker_start(&result->threads[result->thread_count], result_work, result) != 0) {
            atomic_fetch_sub(&result->running, 1);
            break;
        }
        result->thread_count++;
    }
    return result->thread_count > 0 ? tt_ok() : tt_error(TT_ERR_MEMORY, "cannot start a thread");
}

struct tt_status tt_filter_start_at(const struct tt_filter_plan *plan, unsigned threads,
                                    uint64_t row, void (*notify)(void *arg), void *arg,
                                    struct tt_filter_result **result)
{
    struct tt_status status = tt_error_memory();
    *result = NULL;
    struct tt_events *events = tt_events_new(plan->trace);
    struct tt_filter_result *filter_result = events ? result_new(plan, events, row) : NULL;
    if (filter_result) {
        filter_result->notify = notify;
        filter_result->notify_arg = arg;
        filter_result->wanted = threads;
        status = start_threads(filter_result, events);
        if (tt_failed(&status)) {
            result_destroy(filter_result);
            filter_result = NULL;
        }
    }
    tt_events_free(events);
    *result = filter_result;
    return status;
}

struct tt_status tt_filter_start(const struct tt_filter_plan *plan, unsigned threads,
                                 void (*notify)(void *arg), void *arg,
                                 struct tt_filter_result **result)
{
    return tt_filter_start_at(plan, threads, 0, notify, arg, result);
}

/* Returns whether the rows are unshifted since `last` was stored. */
static bool rows_unshifted(const struct tt_filter_result *result, struct tt_events *events)
{
    uint64_t rows = tt_row_set_rows(result->set);
    return rows > 0 && rows <= tt_events_rows(events) &&
           tt_events_row_at_key(events, result->last.ticks, result->last.pos) == rows - 1;
}

struct tt_status tt_filter_resume(struct tt_filter_result *result, bool keep, uint64_t row,
                                  bool *kept)
{
    tt_filter_wait(result);
    struct tt_events *events = tt_events_new(result->plan->trace);
    if (!events) {
        return tt_error_memory();
    }
    uint64_t rows = tt_events_rows(events);
    *kept = keep && rows_unshifted(result, events);
    struct tt_status status = tt_error_memory();
    if (tt_row_set_grow(result->set, rows, *kept ? tt_row_set_rows(result->set) : 0, row) &&
        reserve_pieces(result, tt_row_set_pieces(result->set))) {
        uint64_t low, high;
        tt_row_set_piece_range(result->set, &low, &high);
        memset(result->made, 0, (size_t)result->room);
        memset(result->made + low, 1, (size_t)(high - low));
        uint64_t undecided = 0;
        for (uint64_t piece = low; piece < high; piece++) {
            undecided += result->gave_up[piece];
        }
        atomic_store(&result->undecided, undecided);
        atomic_store(&result->failed, false);
        status = start_threads(result, events);
    }
    tt_events_free(events);
    return status;
}

bool tt_filter_result_ended(const struct tt_filter_result *result)
{
    return atomic_load(&result->running) == 0;
}

void tt_filter_cancel(struct tt_filter_result *result)
{
    atomic_store(&result->cancel, true);
}

struct tt_status tt_filter_wait(struct tt_filter_result *result)
{
    for (unsigned i = 0; i < result->thread_count; i++) {
        pthread_join(result->threads[i], NULL);
    }
    result->thread_count = 0;
    if (atomic_load(&result->failed)) {
        return tt_error_memory();
    }
    return tt_row_set_whole(result->set) ? tt_ok() : tt_error(TT_ERR_CANCELLED, "cancelled");
}

void tt_filter_result_free(struct tt_filter_result *result)
{
    if (result) {
        tt_filter_cancel(result);
        tt_filter_wait(result);
        result_destroy(result);
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

const struct tt_row_set *tt_filter_result_set(const struct tt_filter_result *result)
{
    return result->set;
}

uint64_t tt_filter_result_rows(const struct tt_filter_result *result)
{
    uint64_t from, to;
    tt_row_set_known(result->set, &from, &to);
    return to - from;
}

uint64_t tt_filter_result_total(const struct tt_filter_result *result)
{
    return tt_row_set_rows(result->set);
}

uint64_t tt_filter_result_count(const struct tt_filter_result *result)
{
    return tt_row_set_count(result->set);
}

uint64_t tt_filter_result_undecided(const struct tt_filter_result *result)
{
    return atomic_load(&result->undecided);
}

bool tt_filter_result_truncated(const struct tt_filter_result *result)
{
    return atomic_load(&result->shrunk);
}

bool tt_filter_result_has(const struct tt_filter_result *result, uint64_t row)
{
    return tt_row_set_has(result->set, row);
}

uint64_t tt_filter_result_rank(const struct tt_filter_result *result, uint64_t row)
{
    return tt_row_set_rank(result->set, row);
}

uint64_t tt_filter_result_select(const struct tt_filter_result *result, uint64_t k)
{
    return tt_row_set_select(result->set, k);
}
