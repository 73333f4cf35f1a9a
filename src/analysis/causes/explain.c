/* SPDX-License-Identifier: Apache-2.0 */
/* explain: the recursive walk from a wait to its waker, and the pieces of ready and running time. */
#include "tracetui/explain.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/blocked_on.h"
#include "analysis/causes/ready.h"
#include "base/array.h"

#define CHAIN_MOST 65536u /* consecutive blocked states that are searched for their end */

struct walk {
    struct tt_wakes *w;
    const struct tt_timelines *t;
    const struct tt_capture *c;
    struct tt_explanation *out;
    unsigned levels;
    size_t piece_limit;
    uint32_t steps;
    bool no_memory;
    uint32_t stack[TT_EXPLAIN_DEPTH + 1]; /* threads, by depth */
    bool open[TT_EXPLAIN_DEPTH + 1];      /* the wait at that depth has no end */
    uint8_t kinds[TT_EXPLAIN_DEPTH + 2];  /* wake that led to that depth */
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

const char *tt_cause_text(unsigned cause)
{
    return cause_texts[cause < TT_CAUSE_COUNT ? cause : TT_CAUSE_UNKNOWN][1];
}

/* ---- pieces ------------------------------------------------------------------------------- */

static bool are_alike(const struct tt_piece *a, const struct tt_piece *b)
{
    return a->to == b->from && a->vector == b->vector && a->object == b->object &&
           a->thread == b->thread && a->by == b->by && a->state == b->state && a->cpu == b->cpu &&
           a->depth == b->depth && a->cause == b->cause && a->kind == b->kind &&
           a->flags == b->flags && !(a->flags & TT_PIECE_WAIT);
}

/* Appends a piece or extends the last one; pieces without duration are dropped. */
static void put(struct walk *k, const struct tt_piece *piece)
{
    struct tt_explanation *out = k->out;
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
        k->no_memory = true;
        return;
    }
    out->pieces = room;
    out->pieces[out->count++] = *piece;
}

static struct tt_piece piece_of(const struct walk *k, const struct tt_interval *i, unsigned depth,
                                uint64_t from, uint64_t to)
{
    struct tt_piece piece = {.from = from,
                             .to = to,
                             .vector = TT_NO_VECTOR,
                             .thread = k->stack[depth],
                             .by = TT_NO_THREAD,
                             .state = i ? i->state : 0,
                             .cpu = TT_NO_CPU,
                             .depth = (uint8_t)depth,
                             .cause = TT_CAUSE_UNKNOWN,
                             .kind = k->kinds[depth]};
    return piece;
}

static void put_cause(struct walk *k, const struct tt_interval *i, unsigned depth, uint64_t from,
                      uint64_t to, unsigned cause)
{
    struct tt_piece piece = piece_of(k, i, depth, from, to);
    piece.cause = (uint8_t)cause;
    put(k, &piece);
}

/* Returns whether the limits are used up. */
static bool is_over(struct walk *k)
{
    if (k->steps > 0) {
        k->steps--;
    }
    return k->no_memory || k->steps == 0 || k->out->count >= k->piece_limit;
}

/* ---- running and ready -------------------------------------------------------------------- */

/* Puts a stretch in which an interrupt has the CPU. */
static void put_interrupt(struct walk *k, struct tt_piece piece)
{
    piece.cause = TT_CAUSE_INTERRUPT;
    piece.by = TT_NO_THREAD;
    piece.vector = tt_wakes_interrupt_at(k->w, piece.cpu, piece.from);
    put(k, &piece);
}

static void explain_running(struct walk *k, const struct tt_interval *i, unsigned depth,
                            uint64_t from, uint64_t to)
{
    for (uint64_t at = from, end; at < to; at = end) {
        uint32_t irqs = tt_cpu_irq_until(k->t, i->cpu, at, &end);
        end = tt_earlier(end, to);
        struct tt_piece piece = piece_of(k, i, depth, at, end);
        piece.cpu = i->cpu;
        if (is_over(k)) {
            put_cause(k, i, depth, at, to, TT_CAUSE_CUT);
            return;
        }
        if (irqs > 0) {
            put_interrupt(k, piece);
        } else {
            piece.cause = TT_CAUSE_WORK;
            piece.by = piece.thread;
            put(k, &piece);
        }
    }
}

/* Puts a ready piece, cut where an inversion begins or ends. */
static void put_ready(struct walk *k, struct tt_piece piece, const struct tt_ready_piece *ready)
{
    piece.cause = ready->cause;
    piece.by = ready->by;
    for (uint64_t at = ready->from, end; at < ready->to; at = end) {
        uint64_t root_until, by_until;
        int root = tt_thread_priority_until(k->t, k->stack[0], at, &root_until);
        int theirs = tt_thread_priority_until(k->t, ready->by, at, &by_until);
        bool judged = piece.depth > 0 && ready->by != TT_NO_THREAD && root != TT_NO_PRIORITY &&
                      theirs != TT_NO_PRIORITY;
        end = judged ? tt_earlier(ready->to, tt_earlier(root_until, by_until)) : ready->to;
        piece.from = at;
        piece.to = end;
        piece.flags = judged && tt_is_more_urgent(k->c, root, theirs) ? TT_PIECE_INVERSION : 0;
        put(k, &piece);
    }
}

static void explain_ready(struct walk *k, const struct tt_interval *i, uint16_t cpu, unsigned depth,
                          uint64_t from, uint64_t to)
{
    struct tt_ready_walk ready = {k->t, k->c, k->stack[depth], cpu, from, to};
    struct tt_ready_piece next;
    while (tt_ready_next(&ready, &next)) {
        struct tt_piece piece = piece_of(k, i, depth, next.from, next.to);
        piece.cpu = cpu;
        if (is_over(k)) {
            put_cause(k, i, depth, next.from, to, TT_CAUSE_CUT);
            return;
        }
        if (next.cause == TT_CAUSE_INTERRUPT) {
            put_interrupt(k, piece);
        } else if (next.cause == TT_CAUSE_UNKNOWN) {
            piece.cpu = TT_NO_CPU;
            put(k, &piece);
        } else {
            put_ready(k, piece, &next);
        }
    }
}

/* ---- blocked ------------------------------------------------------------------------------ */

static void explain_thread(struct walk *k, uint32_t thread, unsigned depth, uint64_t from,
                           uint64_t to);

static bool is_on_stack(const struct walk *k, uint32_t thread, unsigned depth)
{
    for (unsigned i = 0; i <= depth; i++) {
        if (k->stack[i] == thread) {
            return true;
        }
    }
    return false;
}

/* Returns whether no wait from that of `thread` on the stack on has an end. */
static bool is_deadlock(const struct walk *k, uint32_t thread, unsigned depth)
{
    for (unsigned i = depth; i > 0 && k->stack[i] != thread; i--) {
        if (!k->open[i - 1]) {
            return false;
        }
    }
    return true;
}

/* Explains a wait by what another thread did meanwhile. */
static void follow(struct walk *k, const struct tt_piece *wait, uint32_t thread, uint64_t from,
                   uint64_t to)
{
    unsigned depth = wait->depth;
    struct tt_piece head = *wait;
    head.flags |= TT_PIECE_WAIT;
    head.by = thread;
    put(k, &head);
    k->kinds[depth + 1] = wait->kind;
    explain_thread(k, thread, depth + 1, from, to);
}

/* A wait without an end: it is explained by whom the thread waits for. */
static void explain_unfinished(struct walk *k, const struct tt_interval *last, unsigned depth,
                               uint64_t from, uint64_t to)
{
    struct tt_piece piece = piece_of(k, last, depth, from, to);
    struct tt_blocked_on on;
    piece.cause = TT_CAUSE_UNFINISHED;
    bool known = tt_blocked_on_find(k->w, last, &on);
    piece.object = known ? on.object : 0;
    if (!known || on.thread == TT_NO_THREAD) {
        put(k, &piece);
        return;
    }
    piece.by = on.thread;
    if (is_on_stack(k, on.thread, depth)) {
        piece.cause = is_deadlock(k, on.thread, depth) ? TT_CAUSE_CYCLE : TT_CAUSE_HANDOVER;
        piece.by = piece.cause == TT_CAUSE_CYCLE ? on.thread : TT_NO_THREAD;
        put(k, &piece);
    } else if (depth + 1 >= k->levels) {
        piece.cause = TT_CAUSE_DEEP;
        put(k, &piece);
    } else {
        piece.flags |= TT_PIECE_UNFINISHED;
        piece.cause = TT_CAUSE_UNKNOWN;
        k->open[depth] = true;
        follow(k, &piece, on.thread, from, to);
        k->open[depth] = false;
    }
}

/* A wait that ended: `last` is its last state. */
static void explain_ended(struct walk *k, const struct tt_interval *last, unsigned depth,
                          uint64_t from, uint64_t to)
{
    struct tt_piece piece = piece_of(k, last, depth, from, to);
    struct tt_wake wake;
    tt_wake_find(k->w, last, &wake);
    piece.object = wake.object;
    if (wake.by == TT_WAKER_INTERRUPT) {
        piece.cause = wake.kind == TT_WAKE_TIMER ? TT_CAUSE_TIMER : TT_CAUSE_INTERRUPT;
        piece.kind = wake.kind;
        piece.vector = wake.vector;
        piece.cpu = wake.cpu;
        put(k, &piece);
    } else if (wake.by == TT_WAKER_UNKNOWN) {
        put(k, &piece);
    } else if (is_on_stack(k, wake.waker, depth)) {
        piece.cause = TT_CAUSE_HANDOVER;
        put(k, &piece);
    } else if (depth + 1 >= k->levels) {
        piece.cause = TT_CAUSE_DEEP;
        piece.by = wake.waker;
        put(k, &piece);
    } else {
        piece.kind = wake.kind;
        follow(k, &piece, wake.waker, from, to);
    }
}

/* Moves `at` from the first of consecutive blocked intervals to the one after the last. */
static bool pass_blocked(const struct walk *k, struct tt_interval_at *at, struct tt_interval *last,
                         struct tt_interval *next)
{
    for (uint32_t i = 0; i < CHAIN_MOST; i++) {
        *last = tt_interval_get(k->t, *at);
        if (!tt_interval_next(k->t, at)) {
            return false;
        }
        *next = tt_interval_get(k->t, *at);
        if (!tt_class_is_blocked(next->class_)) {
            return true;
        }
    }
    return true;
}

/* Explains the wait that begins at `at`; returns its end, and moves `at` after it. */
static uint64_t explain_blocked(struct walk *k, struct tt_interval_at *at, bool *more,
                                unsigned depth, uint64_t from, uint64_t to)
{
    struct tt_interval last, next;
    *more = pass_blocked(k, at, &last, &next);
    uint64_t end = tt_earlier(last.end, to);
    if (end <= from) {
        return from; /* it has no duration, or `from` is after the capture */
    }
    if (!*more && last.open) {
        explain_unfinished(k, &last, depth, from, end);
    } else if (*more && (next.class_ == TT_CLASS_READY || next.class_ == TT_CLASS_RUNNING)) {
        explain_ended(k, &last, depth, from, end);
    } else {
        put_cause(k, &last, depth, from, end, TT_CAUSE_UNKNOWN);
    }
    return end;
}

/* ---- all of them -------------------------------------------------------------------------- */

static void explain_interval(struct walk *k, struct tt_interval_at at, const struct tt_interval *i,
                             unsigned depth, uint64_t from, uint64_t to)
{
    switch (i->class_) {
    case TT_CLASS_RUNNING:
        explain_running(k, i, depth, from, to);
        break;
    case TT_CLASS_READY:
        explain_ready(k, i, tt_ready_cpu(k->t, at, i), depth, from, to);
        break;
    default:
        put_cause(k, i, depth, from, to,
                  i->class_ == TT_CLASS_STOPPED ? TT_CAUSE_STOPPED
                  : i->class_ == TT_CLASS_DEAD  ? TT_CAUSE_DEAD
                                                : TT_CAUSE_UNKNOWN);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): at most TT_EXPLAIN_DEPTH levels */
static void explain_thread(struct walk *k, uint32_t thread, unsigned depth, uint64_t from,
                           uint64_t to)
{
    struct tt_interval_at at;
    uint64_t reached = from;
    k->stack[depth] = thread;
    bool more = tt_interval_find(k->t, thread, from, &at) || tt_interval_first(k->t, thread, &at);
    while (more && reached < to) {
        struct tt_interval i = tt_interval_get(k->t, at);
        if (is_over(k)) {
            put_cause(k, &i, depth, reached, to, TT_CAUSE_CUT);
            return;
        }
        if (i.start >= to) {
            break;
        }
        if (i.start > reached) {
            put_cause(k, NULL, depth, reached, i.start, TT_CAUSE_UNKNOWN);
            reached = i.start;
        }
        if (tt_class_is_blocked(i.class_)) {
            reached = explain_blocked(k, &at, &more, depth, reached, to);
            continue;
        }
        uint64_t end = tt_earlier(i.end, to);
        if (end > reached) {
            explain_interval(k, at, &i, depth, reached, end);
            reached = end;
        }
        more = tt_interval_next(k->t, &at);
    }
    if (reached < to) {
        put_cause(k, NULL, depth, reached, to, TT_CAUSE_UNKNOWN);
    }
}

/* ---- sums --------------------------------------------------------------------------------- */

static bool is_charged_alike(const struct tt_late_by *late, const struct tt_piece *piece)
{
    uint16_t cpu = piece->cause == TT_CAUSE_INTERRUPT ? piece->cpu : TT_NO_CPU;
    return late->cause == piece->cause && late->by == piece->by && late->vector == piece->vector &&
           late->cpu == cpu && late->inversion == ((piece->flags & TT_PIECE_INVERSION) != 0);
}

#define LATE_SEARCH 4096u /* entries that are searched; what is charged to more is not summed up */

static bool add_late(struct tt_explanation *out, const struct tt_piece *piece)
{
    for (size_t i = 0; i < out->late_count && i < LATE_SEARCH; i++) {
        if (is_charged_alike(&out->late[i], piece)) {
            out->late[i].ticks += piece->to - piece->from;
            return true;
        }
    }
    struct tt_late_by *room =
        tt_array_grow(out->late, out->late_count, &out->late_capacity, sizeof *out->late);
    if (!room) {
        return false;
    }
    out->late = room;
    out->late[out->late_count++] =
        (struct tt_late_by){.ticks = piece->to - piece->from,
                            .vector = piece->vector,
                            .by = piece->by,
                            .cpu = piece->cause == TT_CAUSE_INTERRUPT ? piece->cpu : TT_NO_CPU,
                            .cause = piece->cause,
                            .inversion = (piece->flags & TT_PIECE_INVERSION) != 0};
    return true;
}

static int compare_late(const void *a, const void *b)
{
    const struct tt_late_by *x = a, *y = b;
    if (x->ticks != y->ticks) {
        return x->ticks < y->ticks ? 1 : -1;
    }
    if (x->cause != y->cause) {
        return x->cause < y->cause ? -1 : 1;
    }
    if (x->by != y->by) {
        return x->by < y->by ? -1 : 1;
    }
    return x->vector != y->vector ? (x->vector < y->vector ? -1 : 1) : (int)x->cpu - (int)y->cpu;
}

static bool sum_up(struct tt_explanation *out)
{
    for (size_t i = 0; i < out->count; i++) {
        if (!(out->pieces[i].flags & TT_PIECE_WAIT) && !add_late(out, &out->pieces[i])) {
            return false;
        }
    }
    if (out->late_count > 1) {
        qsort(out->late, out->late_count, sizeof *out->late, compare_late);
    }
    return true;
}

bool tt_explain(struct tt_wakes *w, const struct tt_explain_request *request,
                struct tt_explanation *result)
{
    struct walk k = {.w = w,
                     .t = tt_wakes_timelines(w),
                     .c = tt_wakes_capture(w),
                     .out = result,
                     .levels = request->depth,
                     .piece_limit = request->piece_limit,
                     .steps = TT_EXPLAIN_STEPS};
    k.levels = k.levels == 0 || k.levels > TT_EXPLAIN_DEPTH ? TT_EXPLAIN_DEPTH : k.levels;
    k.piece_limit = k.piece_limit == 0 ? TT_EXPLAIN_PIECES : k.piece_limit;
    result->thread = request->thread;
    result->from = request->from;
    result->to = request->to;
    result->count = result->late_count = 0;
    if (request->from < request->to) {
        explain_thread(&k, request->thread, 0, request->from, request->to);
    }
    return !k.no_memory && sum_up(result);
}

void tt_explanation_free(struct tt_explanation *result)
{
    free(result->pieces);
    free(result->late);
    memset(result, 0, sizeof *result);
}
