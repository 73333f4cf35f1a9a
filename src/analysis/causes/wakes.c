/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wakes: finds the event of a wake by its time, then walks backwards on its CPU to the interrupt or
 * the thread in whose context it happened.
 */
#include "tracetui/wakes.h"

#include <stdlib.h>

#include "analysis/causes/answer.h"
#include "analysis/causes/wake_flow.h"
#include "base/hash.h"
#include "trace/events.h"
#include "tracetui/merge.h"

#define WINDOW_FIRST 32u /* events read at once, doubled as the walk continues */
#define WINDOW_LAST  1024u
#define SAME_TIME    4096u /* events of one instant that are searched */
#define FOUND_FEW    1024u
#define FOUND_MOST   262144u
#define FOUND_EACH   64u /* wakes per thread */

struct tt_wakes {
    struct tt_trace *trace;
    struct tt_events *all;    /* events */
    struct tt_events *events; /* those of the system that is searched */
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    struct tt_event window[WINDOW_LAST];
    struct tt_wake *found; /* wakes by thread and end of the wait, or NULL */
    uint32_t found_count;
};

struct tt_wakes *tt_wakes_new(struct tt_trace *trace)
{
    struct tt_wakes *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->trace = trace;
    w->found_count = FOUND_FEW;
    w->capture = tt_trace_capture(trace);
    w->timelines = tt_trace_timelines(trace);
    w->all = w->events = tt_events_new(trace);
    if (!w->events || !w->timelines) {
        tt_wakes_free(w);
        return NULL;
    }
    return w;
}

void tt_wakes_keep_many(struct tt_wakes *w)
{
    uint64_t wanted = (uint64_t)tt_thread_count(w->capture) * FOUND_EACH;
    if (!w->found) {
        w->found_count = wanted > FOUND_MOST  ? FOUND_MOST
                         : wanted > FOUND_FEW ? (uint32_t)wanted
                                              : FOUND_FEW;
        tt_events_keep_many(w->all);
    }
}

void tt_wakes_free(struct tt_wakes *w)
{
    if (w) {
        tt_events_free(w->all);
        free(w->found);
        free(w);
    }
}

const struct tt_timelines *tt_wakes_timelines(const struct tt_wakes *w)
{
    return w->timelines;
}

const struct tt_capture *tt_wakes_capture(const struct tt_wakes *w)
{
    return w->capture;
}

struct tt_events *tt_wakes_events(struct tt_wakes *w)
{
    return w->events;
}

void tt_wakes_search_in(struct tt_wakes *w, uint32_t thread)
{
    w->events = tt_events_of_system(w->all, tt_merge_of_thread(w->capture, thread));
}

struct tt_trace *tt_wakes_trace(struct tt_wakes *w)
{
    return w->trace;
}

const char *tt_wake_kind_name(unsigned kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        TT_WAKE_INFO(X)
#undef X
    };
    return names[kind < TT_WAKE_COUNT ? kind : TT_WAKE_UNKNOWN];
}

/* ---- the event of a wake ------------------------------------------------------------------ */

struct place {
    struct tt_event event;
    struct tt_clue clue;
    uint64_t row;
};

/* Returns whether an event makes `thread` ready or running. */
static bool is_wake_of(const struct tt_clue *clue, uint32_t thread)
{
    return clue->thread == thread && (clue->role == TT_CLUE_READY || clue->role == TT_CLUE_WOKEN ||
                                      clue->role == TT_CLUE_RUNS || clue->role == TT_CLUE_SWITCH);
}

/* Finds the event at `ticks` that makes the thread ready or running. */
static bool find_event(struct tt_wakes *w, uint32_t thread, uint64_t ticks, struct place *place)
{
    uint64_t row = tt_events_row_at_time(w->events, ticks);
    for (uint32_t done = 0; done < SAME_TIME;) {
        uint32_t count = tt_events_read(w->events, row + done, WINDOW_FIRST, w->window);
        if (count == 0) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &w->window[i];
            if (event->ticks != ticks) {
                return false;
            }
            tt_events_clue(w->events, event, false, &place->clue);
            if (w->capture->lanes_by_time) {
                place->clue.thread = tt_registry_settle(w->capture, place->clue.thread, ticks);
            }
            if (is_wake_of(&place->clue, thread)) {
                place->event = *event;
                place->row = row + done + i;
                tt_events_clue(w->events, event, true, &place->clue);
                return true;
            }
        }
        done += count;
    }
    return false;
}

/* ---- records before the wake --------------------------------------------------------------- */

/* The walk backwards from a row on one CPU. */
struct walk {
    struct tt_wakes *w;
    uint16_t cpu;
    uint32_t woken;     /* thread whose timer is searched for, or TT_NO_THREAD */
    unsigned depth;     /* ends of interrupts without their begins so far */
    bool irqs_only;     /* threads do not end the walk */
    bool in_handler;    /* the wake is in an interrupt whose begin has not been passed */
    bool acted;         /* a call of the thread that runs has been passed */
    bool call_over;     /* earlier calls had ended */
    bool timer;         /* a timer of `woken` expired in the open interrupt */
    bool found;         /* the walk has ended */
    uint64_t since;     /* time of the event that ended it */
    struct tt_event at; /* that event */
    uint8_t by;         /* enum tt_waker */
    uint32_t runs;
    uint8_t kind;
    bool has_call;
    struct tt_event call; /* of `kind` */
    bool waits_for_irq;   /* the state of `woken` has no other end than interrupts and timers */
    bool readied;         /* another thread was made ready, without a timer of `woken` */
    bool delivered;       /* an interrupt was delivered at `delivery` */
    struct tt_event delivery;
};

static void end_walk(struct walk *k, const struct tt_event *event, unsigned by)
{
    k->found = true;
    k->since = event->ticks;
    k->at = *event;
    k->by = (uint8_t)by;
}

static void pass_call(struct walk *k, const struct tt_event *event, const struct tt_clue *clue)
{
    if (k->depth > 0) {
        return;
    }
    k->acted = true;
    if (!k->call_over && !k->has_call) {
        k->has_call = true;
        k->kind = clue->kind;
        k->call = *event;
    }
}

/*
 * Passes the delivery of an interrupt, which has no end: it is the cause of the first thread that is
 * made ready after it, and of those whose timers expire. A thread that waits for something else may
 * owe its wake to the call that the interrupt interrupted.
 */
static void pass_delivery(struct walk *k, const struct tt_event *event)
{
    if (k->acted || k->irqs_only || k->readied) {
        return;
    }
    if (k->timer || k->waits_for_irq) {
        end_walk(k, event, TT_WAKER_INTERRUPT);
    } else if (!k->delivered) {
        k->delivered = true;
        k->delivery = *event;
    }
}

/*
 * Ends the walk at the event that made a thread run. If a handler was passed, its interrupt began
 * before the capture, or before a loss, and is not known.
 */
static void end_at_run(struct walk *k, const struct tt_event *event)
{
    if (k->in_handler) {
        end_walk(k, event, TT_WAKER_UNKNOWN);
    } else if (k->delivered && (!k->has_call || k->kind == TT_WAKE_UNKNOWN)) {
        end_walk(k, &k->delivery, TT_WAKER_INTERRUPT);
    } else {
        end_walk(k, event, TT_WAKER_THREAD);
    }
}

/* Passes one event of the CPU. */
static void pass(struct walk *k, const struct tt_event *event)
{
    struct tt_clue clue;
    tt_events_clue(k->w->events, event, false, &clue);
    switch (clue.role) {
    case TT_CLUE_IRQ_END:
        k->depth++;
        break;
    case TT_CLUE_IRQ:
        if (k->depth == 0) {
            end_walk(k, event, TT_WAKER_INTERRUPT);
        } else {
            k->depth--;
        }
        break;
    case TT_CLUE_HANDLER:
        k->in_handler |= k->depth == 0;
        break;
    case TT_CLUE_DELIVER:
        pass_delivery(k, event);
        break;
    case TT_CLUE_TIMER:
        k->timer |= k->depth == 0 && clue.thread == k->woken;
        break;
    case TT_CLUE_CALL:
        pass_call(k, event, &clue);
        break;
    case TT_CLUE_CALL_END:
        k->acted |= k->depth == 0;
        k->call_over |= k->depth == 0;
        break;
    case TT_CLUE_READY:
        k->readied |= !k->timer;
        break;
    case TT_CLUE_RUNS:
        if (k->depth == 0 && !k->irqs_only) {
            k->runs = clue.thread;
            end_at_run(k, event);
        }
        break;
    default:
        break;
    }
}

/* Walks back from the row before `row`. */
static void walk_back(struct walk *k, uint64_t row)
{
    uint32_t window = WINDOW_FIRST, passed = 0;
    while (row > 0 && passed < TT_WAKE_REACH && !k->found) {
        uint32_t count = row < window ? (uint32_t)row : window;
        row -= count;
        count = tt_events_read(k->w->events, row, count, k->w->window);
        for (uint32_t i = count; i-- > 0 && !k->found;) {
            if (k->w->window[i].cpu == k->cpu) {
                pass(k, &k->w->window[i]);
            }
        }
        passed += count;
        window = window < WINDOW_LAST ? 2 * window : window;
        if (count == 0) {
            return;
        }
    }
}

static uint64_t value_of(struct tt_wakes *w, const struct tt_event *event, uint64_t none)
{
    struct tt_clue clue;
    tt_events_clue(w->events, event, true, &clue);
    return clue.role != TT_CLUE_NONE ? clue.value : none;
}

static bool is_of_clock(struct tt_wakes *w, const struct tt_event *event)
{
    struct tt_clue clue;
    tt_events_clue(w->events, event, true, &clue);
    return clue.kind == TT_WAKE_TIMER;
}

/*
 * Returns whether the first event of a CPU from a row on is the first one after a loss since `from`.
 * The CPUs of `seen` are passed over.
 */
static bool is_before_loss(struct tt_wakes *w, uint64_t row, uint64_t from, uint64_t seen)
{
    const struct tt_timelines *t = w->timelines;
    uint64_t loss;
    if (!tt_loss_in(t, from, UINT64_MAX, &loss)) {
        return false;
    }
    for (uint32_t passed = 0; passed < TT_WAKE_REACH;) {
        uint32_t count = tt_events_read(w->events, row + passed, WINDOW_LAST, w->window);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &w->window[i];
            uint64_t bit = UINT64_C(1) << (event->cpu % 64);
            bool first = event->cpu < 64 && !(seen & bit);
            if (first && tt_loss_on(t, event->cpu, from, event->ticks + 1)) {
                return true;
            }
            seen |= event->cpu < 64 ? bit : 0;
        }
        passed += count;
        if (count < WINDOW_LAST) {
            break;
        }
    }
    return false;
}

/*
 * Returns whether records of another CPU are lost around a wake. A thread that runs directly after it
 * was blocked may have become ready in them.
 */
static bool is_in_loss(struct tt_wakes *w, const struct place *place)
{
    uint64_t own = UINT64_C(1) << (place->event.cpu % 64);
    return is_before_loss(w, place->row + 1, place->event.ticks, own);
}

bool tt_wakes_lost(struct tt_wakes *w, uint64_t from, uint64_t to)
{
    return is_before_loss(w, tt_events_row_at_time(w->events, to + 1), from + 1, 0);
}

/* ---- wakes -------------------------------------------------------------------------------- */

/* Sets the event at which the interrupt began. */
static void set_since(const struct walk *k, struct tt_wake *wake)
{
    wake->has_since = k->found;
    wake->since = k->found ? k->at.ticks : 0;
    wake->since_pos = k->found ? k->at.pos : 0;
}

/* Sets the waker that the walk found, unless records were lost in between. */
static void take_waker(struct tt_wakes *w, const struct walk *k, struct tt_wake *wake)
{
    const struct tt_capture *c = w->capture;
    if (k->by == TT_WAKER_UNKNOWN || tt_loss_on(w->timelines, k->cpu, k->since + 1, wake->at + 1)) {
        return;
    }
    if (k->by == TT_WAKER_INTERRUPT) {
        wake->by = TT_WAKER_INTERRUPT;
        wake->vector = value_of(w, &k->at, TT_NO_VECTOR);
        set_since(k, wake);
        wake->kind = k->timer || is_of_clock(w, &k->at) ? TT_WAKE_TIMER : TT_WAKE_INTERRUPT;
        return;
    }
    uint32_t thread = c->lanes_by_time ? tt_registry_settle(c, k->runs, wake->at) : k->runs;
    if (thread == wake->thread || thread >= tt_thread_count(c) || tt_thread_at(c, thread)->idle) {
        return;
    }
    wake->by = TT_WAKER_THREAD;
    wake->waker = thread;
    if (k->has_call) {
        wake->kind = k->kind;
        wake->object = k->kind != TT_WAKE_UNKNOWN ? value_of(w, &k->call, 0) : 0;
    }
}

/* The event names the waker: a thread, the context of interrupts, or none. */
static void set_recorded_waker(struct tt_wakes *w, const struct place *place, struct tt_wake *wake)
{
    const struct tt_capture *c = w->capture;
    uint32_t waker = place->clue.other;
    wake->kind = place->clue.kind;
    wake->object = place->clue.value;
    if (waker >= tt_thread_count(c) || waker == wake->thread || tt_thread_at(c, waker)->idle) {
        return;
    }
    if (!tt_thread_at(c, waker)->pseudo) {
        wake->by = TT_WAKER_THREAD;
        wake->waker = waker;
        return;
    }
    struct walk k = {.w = w, .cpu = place->event.cpu, .woken = TT_NO_THREAD, .irqs_only = true};
    walk_back(&k, place->row);
    wake->by = TT_WAKER_INTERRUPT;
    wake->vector = k.found ? value_of(w, &k.at, TT_NO_VECTOR) : TT_NO_VECTOR;
    set_since(&k, wake);
    if (wake->kind == TT_WAKE_UNKNOWN) {
        wake->kind = k.found && is_of_clock(w, &k.at) ? TT_WAKE_TIMER : TT_WAKE_INTERRUPT;
    }
}

static void kind_of_state(struct tt_wakes *w, const struct tt_interval *blocked,
                          struct tt_wake *wake)
{
    if (wake->by == TT_WAKER_INTERRUPT && blocked->class_ == TT_CLASS_SLEEP) {
        wake->kind = TT_WAKE_TIMER;
    } else if (wake->by == TT_WAKER_THREAD && wake->kind == TT_WAKE_UNKNOWN) {
        wake->kind = tt_format_state(w->capture->format, blocked->state)->wake;
    }
}

static void search(struct tt_wakes *w, const struct tt_interval *blocked, struct tt_wake *wake)
{
    struct place place;
    struct tt_message m;
    if (tt_waits_for_answer(w->timelines, w->capture, blocked, &m)) {
        tt_answer_wake(w, blocked, &m, wake);
        return;
    }
    *wake = (struct tt_wake){.at = blocked->end,
                             .vector = TT_NO_VECTOR,
                             .thread = blocked->thread,
                             .waker = TT_NO_THREAD,
                             .state = blocked->state,
                             .cpu = TT_NO_CPU};
    if (!find_event(w, blocked->thread, blocked->end, &place)) {
        return;
    }
    wake->cpu = place.event.cpu;
    wake->pos = place.event.pos;
    wake->has_event = true;
    if (place.clue.role == TT_CLUE_SWITCH) {
        return;
    }
    if (place.clue.role == TT_CLUE_WOKEN) {
        set_recorded_waker(w, &place, wake);
        if (wake->kind == TT_WAKE_PLAIN) {
            tt_wake_flow(w, blocked, place.row, wake);
        }
    } else if (place.clue.role == TT_CLUE_READY || !is_in_loss(w, &place)) {
        const struct tt_state_info *state = tt_format_state(w->capture->format, blocked->state);
        struct walk k = {.w = w, .cpu = place.event.cpu, .woken = blocked->thread};
        k.waits_for_irq = state->wake == TT_WAKE_UNKNOWN;
        walk_back(&k, place.row);
        take_waker(w, &k, wake);
    }
    kind_of_state(w, blocked, wake);
}

/* Returns the cache entry of a wake; NULL if out of memory. */
static struct tt_wake *place_of(struct tt_wakes *w, uint32_t thread, uint64_t end)
{
    if (!w->found) {
        /*
         * A zeroed entry is empty, since no wait ends at 0. calloc leaves the pages of up to 20 MB
         * untouched until they are used.
         */
        w->found = calloc(w->found_count, sizeof *w->found);
    }
    return w->found ? &w->found[tt_hash_of_pair(thread, end) % w->found_count] : NULL;
}

void tt_wake_find(struct tt_wakes *w, const struct tt_interval *blocked, struct tt_wake *wake)
{
    struct tt_wake *place = place_of(w, blocked->thread, blocked->end);
    if (place && place->thread == blocked->thread && place->at == blocked->end && place->at > 0 &&
        place->state == blocked->state && blocked->class_ != TT_CLASS_UNKNOWN) {
        *wake = *place;
        return;
    }
    tt_wakes_search_in(w, blocked->thread);
    search(w, blocked, wake);
    if (place) {
        *place = *wake;
    }
}

uint64_t tt_wakes_interrupt_at(struct tt_wakes *w, uint16_t cpu, uint64_t ticks)
{
    struct walk k = {.w = w, .cpu = cpu, .woken = TT_NO_THREAD, .irqs_only = true};
    w->events = tt_events_of_system(w->all, tt_merge_of_cpu(w->capture, cpu));
    uint64_t row = ticks < UINT64_MAX ? tt_events_row_at_time(w->events, ticks + 1)
                                      : tt_events_rows(w->events);
    walk_back(&k, row);
    return k.found && k.by == TT_WAKER_INTERRUPT ? value_of(w, &k.at, TT_NO_VECTOR) : TT_NO_VECTOR;
}
