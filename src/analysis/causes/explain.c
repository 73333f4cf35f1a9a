/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain: the walk from a wait to its waker, and the pieces of ready and running time. The levels
 * are a stack of frames, so that the walk can be interrupted between two pieces.
 */
#include "analysis/causes/explain.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/answer.h"
#include "analysis/causes/blocked_on.h"
#include "analysis/causes/guests.h"
#include "analysis/causes/holder.h"
#include "analysis/causes/ready.h"
#include "base/array.h"
#include "tracetui/merge.h"

#define CHAIN_MOST 65536u /* consecutive blocked states that are searched for their end */
#define INSERTED_MOST                                                                              \
    16u /* pieces whose sums are inserted one by one instead of sorting all again */

/* A level: what one thread did in a wait of the level above. */
struct frame {
    uint32_t thread;
    uint8_t kind; /* of the wake that led here */
    uint8_t part; /* of the message wait that led here: TT_PIECE_QUEUED, _SERVED or 0 */
    bool owed;    /* each wait above is for a lock or an answer that the next thread owes */
    bool open;    /* the current wait of this level, which the next level explains, has no end */
    bool found;   /* `at` is valid: the interval at `reached` */
    bool more;    /* there is such an interval */
    struct tt_interval_at at;
    uint64_t reached;
    uint64_t to;
};

struct tt_explaining {
    struct tt_wakes *w;
    const struct tt_timelines *t;
    const struct tt_capture *c;
    struct tt_explanation *out;
    unsigned levels;
    size_t piece_limit;
    uint32_t steps;
    bool no_memory;
    uint32_t slice;      /* pieces until the walk is interrupted */
    size_t summed;       /* pieces that are in the sums */
    struct tt_wake wake; /* found last */
    unsigned count;      /* frames */
    struct frame frames[TT_EXPLAIN_DEPTH + 1];
};

static const char *const cause_texts[][2] = {
#define X(id, name, text) {name, text},
    TT_CAUSE_INFO(X)
#undef X
};

const char *tt_cause_name(unsigned cause)
{
    return cause_texts[cause < TT_CAUSE_COUNT ? cause : TT_CAUSE_UNKNOWN][0];
}

const char *tt_piece_part(const struct tt_piece *piece)
{
    return piece->flags & TT_PIECE_QUEUED   ? "queued"
           : piece->flags & TT_PIECE_SERVED ? "served"
                                            : NULL;
}

const char *tt_cause_text(unsigned cause)
{
    return cause_texts[cause < TT_CAUSE_COUNT ? cause : TT_CAUSE_UNKNOWN][1];
}

/* ---- pieces ------------------------------------------------------------------------------- */

static bool are_alike(const struct tt_piece *left, const struct tt_piece *right)
{
    return left->to == right->from && left->vector == right->vector &&
           left->object == right->object && left->thread == right->thread &&
           left->by == right->by && left->state == right->state && left->cpu == right->cpu &&
           left->depth == right->depth && left->cause == right->cause &&
           left->kind == right->kind && left->flags == right->flags &&
           !(left->flags & TT_PIECE_WAIT);
}

/* Appends a piece or extends the last one; pieces without duration are dropped. */
static void explain_put(struct tt_explaining *explaining, const struct tt_piece *piece)
{
    struct tt_explanation *out = explaining->out;
    if (piece->from >= piece->to) {
        return;
    }
    if (out->count > 0 && are_alike(&out->pieces[out->count - 1], piece)) {
        out->pieces[out->count - 1].to = piece->to;
        return;
    }
    struct tt_piece *room =
        tt_array_grow(out->pieces, out->count, &out->capacity, sizeof *out->pieces);
    if (!room) {
        explaining->no_memory = true;
        return;
    }
    out->pieces = room;
    out->pieces[out->count++] = *piece;
}

static struct tt_piece piece_of(const struct tt_explaining *explaining,
                                const struct tt_interval *interval, unsigned depth, uint64_t from,
                                uint64_t to)
{
    struct tt_piece piece = {.from = from,
                             .to = to,
                             .vector = TT_NO_VECTOR,
                             .thread = explaining->frames[depth].thread,
                             .by = TT_NO_THREAD,
                             .state = interval ? interval->state : 0,
                             .cpu = TT_NO_CPU,
                             .depth = (uint8_t)depth,
                             .cause = TT_CAUSE_UNKNOWN,
                             .kind = explaining->frames[depth].kind,
                             .flags = explaining->frames[depth].part};
    return piece;
}

static void explain_put_cause(struct tt_explaining *explaining, const struct tt_interval *interval,
                              unsigned depth, uint64_t from, uint64_t to, unsigned cause)
{
    struct tt_piece piece = piece_of(explaining, interval, depth, from, to);
    piece.cause = (uint8_t)cause;
    explain_put(explaining, &piece);
}

/* Returns whether the limits are used up. */
static bool explain_is_over(struct tt_explaining *explaining)
{
    if (explaining->steps > 0) {
        explaining->steps--;
    }
    return explaining->no_memory || explaining->steps == 0 ||
           explaining->out->count >= explaining->piece_limit;
}

/* Counts a piece; returns whether the walk is to be interrupted after it. */
static bool is_slice_over(struct tt_explaining *explaining)
{
    explaining->slice -= explaining->slice > 0;
    return explaining->slice == 0;
}

/* ---- running and ready -------------------------------------------------------------------- */

/* Puts a stretch in which an interrupt has the CPU. */
static void explain_put_interrupt(struct tt_explaining *explaining, struct tt_piece piece)
{
    piece.cause = TT_CAUSE_INTERRUPT;
    piece.by = TT_NO_THREAD;
    piece.vector = tt_wakes_interrupt_at(explaining->w, piece.cpu, piece.from);
    explain_put(explaining, &piece);
}

/*
 * The next functions explain [from, to) of an interval, or a part of it if the slice or the limits
 * are used up, and return the end of the explained part.
 */
static uint64_t explain_running(struct tt_explaining *explaining,
                                const struct tt_interval *interval, unsigned depth, uint64_t from,
                                uint64_t to)
{
    for (uint64_t at = from, end; at < to; at = end) {
        uint32_t irqs = tt_cpu_irq_until(explaining->t, interval->cpu, at, &end);
        end = tt_earlier(end, to);
        struct tt_piece piece = piece_of(explaining, interval, depth, at, end);
        piece.cpu = interval->cpu;
        if (explain_is_over(explaining)) {
            return at;
        }
        if (irqs > 0) {
            explain_put_interrupt(explaining, piece);
        } else {
            const uint32_t vcpu = tt_merge_vcpu(explaining->c, interval->cpu);
            uint64_t until;
            bool stolen = tt_steal_at(explaining->t, vcpu, at, &until);
            end = tt_earlier(end, until);
            bool guest = tt_guest_runs_at(explaining->t, piece.thread, at, &until);
            piece.to = end = tt_earlier(end, until);
            piece.cause = stolen ? TT_CAUSE_STEAL : guest ? TT_CAUSE_GUEST : TT_CAUSE_WORK;
            piece.by = stolen ? vcpu : piece.thread;
            explain_put(explaining, &piece);
        }
        if (is_slice_over(explaining)) {
            return end;
        }
    }
    return to;
}

/* Puts a ready piece, cut where an inversion begins or ends. */
static void explain_put_ready(struct tt_explaining *explaining, struct tt_piece piece,
                              const struct tt_ready_piece *ready)
{
    uint8_t part = piece.flags;
    piece.cause = ready->cause;
    piece.by = ready->by;
    for (uint64_t at = ready->from, end; at < ready->to; at = end) {
        uint64_t root_until, by_until;
        int root =
            tt_thread_priority_until(explaining->t, explaining->frames[0].thread, at, &root_until);
        int theirs = tt_thread_priority_until(explaining->t, ready->by, at, &by_until);
        bool judged = piece.depth > 0 && explaining->frames[piece.depth].owed &&
                      ready->by != TT_NO_THREAD && root != TT_NO_PRIORITY &&
                      theirs != TT_NO_PRIORITY;
        end = judged ? tt_earlier(ready->to, tt_earlier(root_until, by_until)) : ready->to;
        piece.from = at;
        piece.to = end;
        piece.flags = part;
        bool inverted = judged && tt_is_more_urgent(explaining->c, ready->by, root, theirs);
        piece.flags |= inverted ? TT_PIECE_INVERSION : 0;
        explain_put(explaining, &piece);
    }
}

static uint64_t explain_ready(struct tt_explaining *explaining, const struct tt_interval *interval,
                              uint16_t cpu, unsigned depth, uint64_t from, uint64_t to)
{
    struct tt_ready_walk ready = {.t = explaining->t,
                                  .c = explaining->c,
                                  .thread = explaining->frames[depth].thread,
                                  .cpu = cpu,
                                  .at = from,
                                  .to = to};
    struct tt_ready_piece next;
    while (tt_ready_next(&ready, &next)) {
        struct tt_piece piece = piece_of(explaining, interval, depth, next.from, next.to);
        piece.cpu = cpu;
        if (explain_is_over(explaining)) {
            return next.from;
        }
        if (next.cause == TT_CAUSE_INTERRUPT) {
            explain_put_interrupt(explaining, piece);
        } else if (next.cause == TT_CAUSE_UNKNOWN) {
            piece.cpu = TT_NO_CPU;
            explain_put(explaining, &piece);
        } else {
            explain_put_ready(explaining, piece, &next);
        }
        if (is_slice_over(explaining)) {
            return next.to;
        }
    }
    return to;
}

/* ---- blocked ------------------------------------------------------------------------------ */

static bool is_on_stack(const struct tt_explaining *explaining, uint32_t thread, unsigned depth)
{
    for (unsigned i = 0; i <= depth; i++) {
        if (explaining->frames[i].thread == thread) {
            return true;
        }
    }
    return false;
}

/* Returns whether no wait from that of `thread` on the stack on has an end. */
static bool is_deadlock(const struct tt_explaining *explaining, uint32_t thread, unsigned depth)
{
    for (unsigned i = depth; i > 0 && explaining->frames[i].thread != thread; i--) {
        if (!explaining->frames[i - 1].open) {
            return false;
        }
    }
    return true;
}

static void explain_push(struct tt_explaining *explaining, const struct frame *level)
{
    explaining->frames[explaining->count++] = *level;
}

/* Finds the message for whose answer a thread waits in a blocked interval. */
static bool explain_find_message(const struct tt_timelines *timelines,
                                 const struct tt_interval *blocked, struct tt_message *message)
{
    struct tt_message_reader reader;
    uint32_t row = tt_message_row_of(timelines, blocked->thread);
    for (; row != TT_NO_ROW; row = tt_message_row_next(timelines, row)) {
        tt_message_read_from(&reader, timelines, row, blocked->start);
        while (tt_message_read(&reader, message) && !message->async &&
               tt_message_begin(message) < blocked->end) {
            if (message->end == TT_NO_TIME || message->end > blocked->start) {
                return true;
            }
        }
    }
    return false;
}

/* Returns the part of the wait for a message at `from`, and sets *until where the other part begins. */
static uint8_t part_at(const struct tt_message *message, uint64_t from, uint64_t *until)
{
    *until =
        message->receive != TT_NO_TIME && message->receive > from ? message->receive : UINT64_MAX;
    return message->receive == TT_NO_TIME || message->receive > from ? TT_PIECE_QUEUED
                                                                     : TT_PIECE_SERVED;
}

/*
 * Returns the part of a message wait that begins at `from`, and sets *until where the other part
 * begins. Returns that of the level if the thread waits for no answer, or the part is not known.
 */
static uint8_t explain_part_of(const struct tt_explaining *explaining,
                               const struct tt_interval *last, unsigned depth, uint64_t from,
                               uint64_t *until)
{
    struct tt_message m;
    bool waits = tt_format_state(explaining->c->format, last->state)->flags & TT_STATE_AWAITS_REPLY;
    *until = UINT64_MAX;
    if (!waits || !explain_find_message(explaining->t, last, &m) ||
        (m.receive == TT_NO_TIME && (m.how == TT_MESSAGE_REPLIED || m.how == TT_MESSAGE_LOST))) {
        return explaining->frames[depth].part;
    }
    return part_at(&m, from, until);
}

/*
 * Explains a wait by the activity of another thread meanwhile: adds a level. `wake` is the kind of its end,
 * UNKNOWN if it has none.
 */
static void explain_follow(struct tt_explaining *explaining, const struct tt_piece *wait,
                           uint32_t thread, unsigned wake)
{
    const bool owed =
        explaining->frames[wait->depth].owed && tt_wait_is_owed(explaining->c, wait->state, wake);
    struct tt_piece head = *wait;
    head.flags |= TT_PIECE_WAIT;
    head.by = thread;
    explain_put(explaining, &head);
    explaining->frames[wait->depth].open = (wait->flags & TT_PIECE_UNFINISHED) != 0;
    explain_push(explaining,
                 &(struct frame){.thread = thread,
                                 .kind = wait->kind,
                                 .part = wait->flags & (TT_PIECE_QUEUED | TT_PIECE_SERVED),
                                 .owed = owed,
                                 .reached = wait->from,
                                 .to = wait->to});
}

/* Explains a wait without an end by the thread `by` that is waited for, or TT_NO_THREAD. */
static void explain_unfinished(struct tt_explaining *explaining, uint32_t by, struct tt_piece piece)
{
    unsigned depth = piece.depth;
    piece.cause = TT_CAUSE_UNFINISHED;
    if (by == TT_NO_THREAD) {
        explain_put(explaining, &piece);
        return;
    }
    piece.by = by;
    if (is_on_stack(explaining, by, depth)) {
        piece.cause = is_deadlock(explaining, by, depth) ? TT_CAUSE_CYCLE : TT_CAUSE_HANDOVER;
        piece.by = piece.cause == TT_CAUSE_CYCLE ? by : TT_NO_THREAD;
        explain_put(explaining, &piece);
    } else if (depth + 1 >= explaining->levels) {
        piece.cause = TT_CAUSE_DEEP;
        explain_put(explaining, &piece);
    } else {
        piece.flags |= TT_PIECE_UNFINISHED;
        piece.cause = TT_CAUSE_UNKNOWN;
        explain_follow(explaining, &piece, by, TT_WAKE_UNKNOWN);
    }
}

/*
 * Explains a wait that does not end in the capture, as long as the same thread is waited for;
 * returns the end of that part.
 */
static uint64_t explain_open(struct tt_explaining *explaining, const struct tt_interval *last,
                             struct tt_piece piece)
{
    struct tt_blocked_on on;
    uint64_t until;
    bool known = tt_blocked_on_find(explaining->w, last, &on);
    uint32_t by =
        tt_holder_at(explaining->w, last, known ? on.thread : TT_NO_THREAD, piece.from, &until);
    piece.object = known ? on.object : 0;
    piece.to = tt_earlier(piece.to, until);
    explain_unfinished(explaining, by, piece);
    return piece.to;
}

/* Explains a wait that ended; `last` is its last state, `end` the time of its wake. */
static void explain_ended(struct tt_explaining *explaining, const struct tt_interval *last,
                          uint64_t end, struct tt_piece piece)
{
    unsigned depth = piece.depth;
    if (explaining->wake.thread != last->thread || explaining->wake.at != end) {
        tt_wake_find(explaining->w, last, &explaining->wake);
    }
    struct tt_wake wake = explaining->wake;
    piece.object = wake.object;
    if (wake.by == TT_WAKER_INTERRUPT) {
        piece.cause = wake.kind == TT_WAKE_TIMER ? TT_CAUSE_TIMER : TT_CAUSE_INTERRUPT;
        piece.kind = wake.kind;
        piece.vector = wake.vector;
        piece.cpu = wake.cpu;
        explain_put(explaining, &piece);
    } else if (wake.by == TT_WAKER_UNKNOWN) {
        explain_put(explaining, &piece);
    } else if (is_on_stack(explaining, wake.waker, depth)) {
        piece.cause = TT_CAUSE_HANDOVER;
        explain_put(explaining, &piece);
    } else if (depth + 1 >= explaining->levels) {
        piece.cause = TT_CAUSE_DEEP;
        piece.by = wake.waker;
        explain_put(explaining, &piece);
    } else {
        piece.kind = wake.kind;
        explain_follow(explaining, &piece, wake.waker, wake.kind);
    }
}

/* Moves `at` from the first of consecutive blocked intervals to the one after the last. */
static bool pass_blocked(const struct tt_explaining *explaining, struct tt_interval_at *at,
                         struct tt_interval *last, struct tt_interval *next)
{
    for (uint32_t i = 0; i < CHAIN_MOST; i++) {
        *last = tt_interval_get(explaining->t, *at);
        if (!tt_interval_next(explaining->t, at)) {
            return false;
        }
        *next = tt_interval_get(explaining->t, *at);
        if (!tt_class_is_blocked(next->class_)) {
            return true;
        }
    }
    return true;
}

/*
 * Explains the wait that begins at `at`, or the part of it before its message is received; returns
 * the end of the explained part, and moves `at` after the wait.
 */
static uint64_t explain_blocked(struct tt_explaining *explaining, struct tt_interval_at *at,
                                bool *more, unsigned depth, uint64_t from, uint64_t to)
{
    struct tt_interval last, next;
    struct tt_interval_at after = *at;
    uint64_t until;
    bool ended = pass_blocked(explaining, &after, &last, &next);
    uint64_t end = tt_earlier(last.end, to);
    if (end > from) {
        struct tt_piece piece = piece_of(explaining, &last, depth, from, end);
        uint8_t part = explain_part_of(explaining, &last, depth, from, &until);
        piece.flags = part;
        piece.to = tt_earlier(end, until);
        if (!ended && last.open) {
            piece.to = explain_open(explaining, &last, piece);
        } else if (ended && (next.class_ == TT_CLASS_READY || next.class_ == TT_CLASS_RUNNING)) {
            explain_ended(explaining, &last, last.end, piece);
        } else {
            explain_put(explaining, &piece);
        }
        if (piece.to < end) {
            return piece.to;
        }
    } else {
        end = from; /* it has no duration, or `from` is after the capture */
    }
    *at = after;
    *more = ended;
    return end;
}

/* ---- all of them -------------------------------------------------------------------------- */

static uint64_t explain_interval(struct tt_explaining *explaining, struct tt_interval_at at,
                                 const struct tt_interval *interval, unsigned depth, uint64_t from,
                                 uint64_t to)
{
    struct tt_message m;
    switch (interval->class_) {
    case TT_CLASS_UNKNOWN:
        if (tt_waits_for_answer(explaining->t, explaining->c, interval, &m)) {
            /*
             * Explains an interval without a recorded state, in which the thread waits for the
             * answer to `m`, or a part of it. The time after the answer is unknown.
             */
            uint64_t until;
            if (m.end != TT_NO_TIME && from >= m.end) {
                explain_put_cause(explaining, interval, depth, from, to, TT_CAUSE_UNKNOWN);
                return to;
            }
            struct tt_piece piece = piece_of(explaining, interval, depth, from, to);
            piece.flags = part_at(&m, from, &until);
            piece.to = tt_earlier(tt_earlier(m.end, to), until);
            if (m.end == TT_NO_TIME) {
                explain_unfinished(explaining, m.server, piece);
            } else {
                explain_ended(explaining, interval, m.end, piece);
            }
            return piece.to;
        }
        explain_put_cause(explaining, interval, depth, from, to, TT_CAUSE_UNKNOWN);
        return to;
    case TT_CLASS_RUNNING:
        return explain_running(explaining, interval, depth, from, to);
    case TT_CLASS_READY:
        return explain_ready(explaining, interval, tt_ready_cpu(explaining->t, at, interval), depth,
                             from, to);
    default:
        explain_put_cause(explaining, interval, depth, from, to,
                          interval->class_ == TT_CLASS_STOPPED ? TT_CAUSE_STOPPED : TT_CAUSE_DEAD);
        return to;
    }
}

/* Ends the last level; the time that its lane does not cover is unknown. */
static void explain_pop(struct tt_explaining *explaining, struct frame *frame, unsigned depth)
{
    if (frame->reached < frame->to) {
        explain_put_cause(explaining, NULL, depth, frame->reached, frame->to, TT_CAUSE_UNKNOWN);
    }
    explaining->count--;
}

/* Explains the next interval of the last level, or a part of it. */
static void explain_next(struct tt_explaining *explaining)
{
    unsigned depth = explaining->count - 1;
    struct frame *frame = &explaining->frames[depth];
    if (!frame->found) {
        frame->more = tt_interval_find(explaining->t, frame->thread, frame->reached, &frame->at) ||
                      tt_interval_first(explaining->t, frame->thread, &frame->at);
        frame->found = true;
    }
    if (!frame->more || frame->reached >= frame->to) {
        explain_pop(explaining, frame, depth);
        return;
    }
    struct tt_interval i = tt_interval_get(explaining->t, frame->at);
    if (explain_is_over(explaining)) {
        explain_put_cause(explaining, &i, depth, frame->reached, frame->to, TT_CAUSE_CUT);
        explaining->count--;
        return;
    }
    if (i.start >= frame->to) {
        explain_pop(explaining, frame, depth);
        return;
    }
    if (i.start > frame->reached) {
        explain_put_cause(explaining, NULL, depth, frame->reached, i.start, TT_CAUSE_UNKNOWN);
        frame->reached = i.start;
    }
    if (tt_class_is_blocked(i.class_)) {
        frame->reached =
            explain_blocked(explaining, &frame->at, &frame->more, depth, frame->reached, frame->to);
        return;
    }
    uint64_t end = tt_earlier(i.end, frame->to);
    if (end > frame->reached) {
        frame->reached = explain_interval(explaining, frame->at, &i, depth, frame->reached, end);
    }
    if (frame->reached >= end) {
        frame->more = tt_interval_next(explaining->t, &frame->at);
    }
}

/* ---- sums --------------------------------------------------------------------------------- */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b)) {                                                                              \
        return (a) < (b) ? -1 : 1;                                                                 \
    }

struct tt_charge tt_charge_of(const struct tt_piece *piece)
{
    bool inversion = (piece->flags & TT_PIECE_INVERSION) != 0;
    return (struct tt_charge){.vector = piece->vector,
                              .by = piece->by,
                              .cpu = piece->cause == TT_CAUSE_INTERRUPT ? piece->cpu : TT_NO_CPU,
                              .cause = inversion ? (uint8_t)TT_CAUSE_LOWER : piece->cause,
                              .inversion = inversion};
}

int tt_charge_compare(const struct tt_charge *left, const struct tt_charge *right)
{
    COMPARE(left->cause, right->cause)
    COMPARE(left->by, right->by)
    COMPARE(left->vector, right->vector)
    COMPARE(left->cpu, right->cpu)
    COMPARE(left->inversion, right->inversion)
    return 0;
}

static int compare_charges(const void *a, const void *b)
{
    const struct tt_late_by *left = a, *right = b;
    return tt_charge_compare(&left->charge, &right->charge);
}

static int compare_late(const void *a, const void *b)
{
    const struct tt_late_by *left = a, *right = b;
    COMPARE(right->ticks, left->ticks)
    return compare_charges(a, b);
}

static bool add_late(struct tt_explanation *out, const struct tt_piece *piece)
{
    struct tt_late_by *room =
        tt_array_grow(out->late, out->late_count, &out->late_capacity, sizeof *out->late);
    if (!room) {
        return false;
    }
    out->late = room;
    out->late[out->late_count++] =
        (struct tt_late_by){.charge = tt_charge_of(piece), .ticks = piece->to - piece->from};
    return true;
}

/* Merges the entries that are charged alike, and sorts them, longest first. O(n log n). */
static void merge_late(struct tt_explanation *out)
{
    size_t used = 0;
    if (out->late_count < 2) {
        return;
    }
    qsort(out->late, out->late_count, sizeof *out->late, compare_charges);
    for (size_t i = 1; i < out->late_count; i++) {
        if (compare_charges(&out->late[used], &out->late[i]) == 0) {
            out->late[used].ticks += out->late[i].ticks;
        } else {
            out->late[++used] = out->late[i];
        }
    }
    out->late_count = used + 1;
    qsort(out->late, out->late_count, sizeof *out->late, compare_late);
}

/* Adds a piece to merged and sorted entries, which stay so. O(n). */
static bool insert_late(struct tt_explanation *out, const struct tt_piece *piece)
{
    const struct tt_charge charge = tt_charge_of(piece);
    size_t at = 0;
    while (at < out->late_count && tt_charge_compare(&out->late[at].charge, &charge) != 0) {
        at++;
    }
    if (at < out->late_count) {
        out->late[at].ticks += piece->to - piece->from;
    } else if (!add_late(out, piece)) {
        return false;
    }
    const struct tt_late_by entry = out->late[at];
    for (; at > 0 && compare_late(&entry, &out->late[at - 1]) < 0; at--) {
        out->late[at] = out->late[at - 1];
    }
    out->late[at] = entry;
    return true;
}

/*
 * Adds the pieces that are not in the sums yet; the last one only at the end, since it may still
 * grow.
 */
static bool sum_up(struct tt_explaining *explaining)
{
    struct tt_explanation *out = explaining->out;
    size_t end = explaining->count == 0 || out->count == 0 ? out->count : out->count - 1;
    bool few = end <= explaining->summed + INSERTED_MOST;
    for (; explaining->summed < end; explaining->summed++) {
        const struct tt_piece *piece = &out->pieces[explaining->summed];
        if (!(piece->flags & TT_PIECE_WAIT) &&
            !(few ? insert_late(out, piece) : add_late(out, piece))) {
            return false;
        }
    }
    if (!few) {
        merge_late(out);
    }
    return true;
}

struct tt_explaining *tt_explain_begin(struct tt_wakes *wakes,
                                       const struct tt_explain_request *request,
                                       struct tt_explanation *result)
{
    struct tt_explaining *explaining = calloc(1, sizeof *explaining);
    result->thread = request->thread;
    result->from = request->from;
    result->to = request->to;
    result->count = result->late_count = 0;
    if (!explaining) {
        return NULL;
    }
    explaining->w = wakes;
    explaining->t = tt_wakes_timelines(wakes);
    explaining->c = tt_wakes_capture(wakes);
    explaining->out = result;
    explaining->steps = TT_EXPLAIN_STEPS;
    explaining->levels = request->depth == 0 || request->depth > TT_EXPLAIN_DEPTH ? TT_EXPLAIN_DEPTH
                                                                                  : request->depth;
    explaining->piece_limit = request->piece_limit == 0 ? TT_EXPLAIN_PIECES : request->piece_limit;
    if (request->from < request->to) {
        explain_push(explaining, &(struct frame){.thread = request->thread,
                                                 .kind = TT_WAKE_UNKNOWN,
                                                 .owed = true,
                                                 .reached = request->from,
                                                 .to = request->to});
    }
    return explaining;
}

enum tt_explain_state tt_explain_step(struct tt_explaining *explaining, uint32_t pieces)
{
    for (explaining->slice = pieces > 0 ? pieces : 1;
         explaining->slice > 0 && explaining->count > 0 && !explaining->no_memory;) {
        explain_next(explaining);
        explaining->slice -= explaining->slice > 0;
    }
    explaining->no_memory = explaining->no_memory || !sum_up(explaining);
    return explaining->no_memory    ? TT_EXPLAIN_NO_MEMORY
           : explaining->count == 0 ? TT_EXPLAIN_DONE
                                    : TT_EXPLAIN_PART;
}

void tt_explain_end(struct tt_explaining *explaining)
{
    free(explaining);
}

bool tt_explain(struct tt_wakes *wakes, const struct tt_explain_request *request,
                struct tt_explanation *result)
{
    struct tt_explaining *explaining = tt_explain_begin(wakes, request, result);
    bool done = explaining && tt_explain_step(explaining, UINT32_MAX) == TT_EXPLAIN_DONE;
    tt_explain_end(explaining);
    return done;
}

void tt_explanation_free(struct tt_explanation *result)
{
    free(result->pieces);
    free(result->late);
    memset(result, 0, sizeof *result);
}
