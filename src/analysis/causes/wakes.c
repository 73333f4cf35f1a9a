/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wakes: finds the event of a wake by its time, then walks backwards on its CPU to the interrupt or
 * the thread in whose context it happened.
 */
#include "analysis/causes/wakes.h"

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
    struct tt_wakes *wakes = calloc(1, sizeof *wakes);
    if (!wakes) {
        return NULL;
    }
    wakes->trace = trace;
    wakes->found_count = FOUND_FEW;
    wakes->capture = tt_trace_capture(trace);
    wakes->timelines = tt_trace_timelines(trace);
    wakes->all = wakes->events = tt_events_new(trace);
    if (!wakes->events || !wakes->timelines) {
        tt_wakes_free(wakes);
        return NULL;
    }
    return wakes;
}

void tt_wakes_keep_many(struct tt_wakes *wakes)
{
    uint64_t wanted = (uint64_t)tt_thread_count(wakes->capture) * FOUND_EACH;
    if (!wakes->found) {
        wakes->found_count = wanted > FOUND_MOST  ? FOUND_MOST
                             : wanted > FOUND_FEW ? (uint32_t)wanted
                                                  : FOUND_FEW;
        tt_events_keep_many(wakes->all);
    }
}

void tt_wakes_free(struct tt_wakes *wakes)
{
    if (wakes) {
        tt_events_free(wakes->all);
        free(wakes->found);
        free(wakes);
    }
}

const struct tt_timelines *tt_wakes_timelines(const struct tt_wakes *wakes)
{
    return wakes->timelines;
}

const struct tt_capture *tt_wakes_capture(const struct tt_wakes *wakes)
{
    return wakes->capture;
}

struct tt_events *tt_wakes_events(struct tt_wakes *wakes)
{
    return wakes->events;
}

void tt_wakes_search_in(struct tt_wakes *wakes, uint32_t thread)
{
    wakes->events = tt_events_of_system(wakes->all, tt_merge_of_thread(wakes->capture, thread));
}

struct tt_trace *tt_wakes_trace(struct tt_wakes *wakes)
{
    return wakes->trace;
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
static bool wakes_find_event(struct tt_wakes *wakes, uint32_t thread, uint64_t ticks,
                             struct place *place)
{
    uint64_t row = tt_events_row_at_time(wakes->events, ticks);
    for (uint32_t done = 0; done < SAME_TIME;) {
        uint32_t count = tt_events_read(wakes->events, row + done, WINDOW_FIRST, wakes->window);
        if (count == 0) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &wakes->window[i];
            if (event->ticks != ticks) {
                return false;
            }
            tt_events_clue(wakes->events, event, false, &place->clue);
            if (wakes->capture->lanes_by_time) {
                place->clue.thread = tt_registry_settle(wakes->capture, place->clue.thread, ticks);
            }
            if (is_wake_of(&place->clue, thread)) {
                place->event = *event;
                place->row = row + done + i;
                tt_events_clue(wakes->events, event, true, &place->clue);
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

static void end_walk(struct walk *walk, const struct tt_event *event, unsigned by)
{
    walk->found = true;
    walk->since = event->ticks;
    walk->at = *event;
    walk->by = (uint8_t)by;
}

static void pass_call(struct walk *walk, const struct tt_event *event, const struct tt_clue *clue)
{
    if (walk->depth > 0) {
        return;
    }
    walk->acted = true;
    if (!walk->call_over && !walk->has_call) {
        walk->has_call = true;
        walk->kind = clue->kind;
        walk->call = *event;
    }
}

/*
 * Passes the delivery of an interrupt, which has no end: it is the cause of the first thread that is
 * made ready after it, and of those whose timers expire. A thread that waits for something else may
 * owe its wake to the call that the interrupt interrupted.
 */
static void pass_delivery(struct walk *walk, const struct tt_event *event)
{
    if (walk->acted || walk->irqs_only || walk->readied) {
        return;
    }
    if (walk->timer || walk->waits_for_irq) {
        end_walk(walk, event, TT_WAKER_INTERRUPT);
    } else if (!walk->delivered) {
        walk->delivered = true;
        walk->delivery = *event;
    }
}

/*
 * Ends the walk at the event that made a thread run. If a handler was passed, its interrupt began
 * before the capture, or before a loss, and is not known.
 */
static void end_at_run(struct walk *walk, const struct tt_event *event)
{
    if (walk->in_handler) {
        end_walk(walk, event, TT_WAKER_UNKNOWN);
    } else if (walk->delivered && (!walk->has_call || walk->kind == TT_WAKE_UNKNOWN)) {
        end_walk(walk, &walk->delivery, TT_WAKER_INTERRUPT);
    } else {
        end_walk(walk, event, TT_WAKER_THREAD);
    }
}

/* Passes one event of the CPU. */
static void wakes_pass(struct walk *walk, const struct tt_event *event)
{
    struct tt_clue clue;
    tt_events_clue(walk->w->events, event, false, &clue);
    switch (clue.role) {
    case TT_CLUE_IRQ_END:
        walk->depth++;
        break;
    case TT_CLUE_IRQ:
        if (walk->depth == 0) {
            end_walk(walk, event, TT_WAKER_INTERRUPT);
        } else {
            walk->depth--;
        }
        break;
    case TT_CLUE_HANDLER:
        walk->in_handler |= walk->depth == 0;
        break;
    case TT_CLUE_DELIVER:
        pass_delivery(walk, event);
        break;
    case TT_CLUE_TIMER:
        walk->timer |= walk->depth == 0 && clue.thread == walk->woken;
        break;
    case TT_CLUE_CALL:
        pass_call(walk, event, &clue);
        break;
    case TT_CLUE_CALL_END:
        walk->acted |= walk->depth == 0;
        walk->call_over |= walk->depth == 0;
        break;
    case TT_CLUE_READY:
        walk->readied |= !walk->timer;
        break;
    case TT_CLUE_RUNS:
        if (walk->depth == 0 && !walk->irqs_only) {
            walk->runs = clue.thread;
            end_at_run(walk, event);
        }
        break;
    default:
        break;
    }
}

/* Walks back from the row before `row`. */
static void walk_back(struct walk *walk, uint64_t row)
{
    uint32_t window = WINDOW_FIRST, passed = 0;
    while (row > 0 && passed < TT_WAKE_REACH && !walk->found) {
        uint32_t count = row < window ? (uint32_t)row : window;
        row -= count;
        count = tt_events_read(walk->w->events, row, count, walk->w->window);
        for (uint32_t i = count; i-- > 0 && !walk->found;) {
            if (walk->w->window[i].cpu == walk->cpu) {
                wakes_pass(walk, &walk->w->window[i]);
            }
        }
        passed += count;
        window = window < WINDOW_LAST ? 2 * window : window;
        if (count == 0) {
            return;
        }
    }
}

static uint64_t wakes_value_of(struct tt_wakes *wakes, const struct tt_event *event, uint64_t none)
{
    struct tt_clue clue;
    tt_events_clue(wakes->events, event, true, &clue);
    return clue.role != TT_CLUE_NONE ? clue.value : none;
}

static bool is_of_clock(struct tt_wakes *wakes, const struct tt_event *event)
{
    struct tt_clue clue;
    tt_events_clue(wakes->events, event, true, &clue);
    return clue.kind == TT_WAKE_TIMER;
}

/*
 * Returns whether the first event of a CPU from a row on is the first one after a loss since `from`.
 * The CPUs of `seen` are passed over.
 */
static bool is_before_loss(struct tt_wakes *wakes, uint64_t row, uint64_t from, uint64_t seen)
{
    const struct tt_timelines *timelines = wakes->timelines;
    uint64_t loss;
    if (!tt_loss_in(timelines, from, UINT64_MAX, &loss)) {
        return false;
    }
    for (uint32_t passed = 0; passed < TT_WAKE_REACH;) {
        uint32_t count = tt_events_read(wakes->events, row + passed, WINDOW_LAST, wakes->window);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &wakes->window[i];
            uint64_t bit = UINT64_C(1) << (event->cpu % 64);
            bool first = event->cpu < 64 && !(seen & bit);
            if (first && tt_loss_on(timelines, event->cpu, from, event->ticks + 1)) {
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
static bool is_in_loss(struct tt_wakes *wakes, const struct place *place)
{
    uint64_t own = UINT64_C(1) << (place->event.cpu % 64);
    return is_before_loss(wakes, place->row + 1, place->event.ticks, own);
}

bool tt_wakes_lost(struct tt_wakes *wakes, uint64_t from, uint64_t to)
{
    return is_before_loss(wakes, tt_events_row_at_time(wakes->events, to + 1), from + 1, 0);
}

/* ---- wakes -------------------------------------------------------------------------------- */

/* Sets the event at which the interrupt began. */
static void set_since(const struct walk *walk, struct tt_wake *wake)
{
    wake->has_since = walk->found;
    wake->since = walk->found ? walk->at.ticks : 0;
    wake->since_pos = walk->found ? walk->at.pos : 0;
}

/* Sets the waker that the walk found, unless records were lost in between. */
static void set_waker(struct tt_wakes *wakes, const struct walk *walk, struct tt_wake *wake)
{
    const struct tt_capture *capture = wakes->capture;
    if (walk->by == TT_WAKER_UNKNOWN ||
        tt_loss_on(wakes->timelines, walk->cpu, walk->since + 1, wake->at + 1)) {
        return;
    }
    if (walk->by == TT_WAKER_INTERRUPT) {
        wake->by = TT_WAKER_INTERRUPT;
        wake->vector = wakes_value_of(wakes, &walk->at, TT_NO_VECTOR);
        set_since(walk, wake);
        wake->kind =
            walk->timer || is_of_clock(wakes, &walk->at) ? TT_WAKE_TIMER : TT_WAKE_INTERRUPT;
        return;
    }
    uint32_t thread =
        capture->lanes_by_time ? tt_registry_settle(capture, walk->runs, wake->at) : walk->runs;
    if (thread == wake->thread || thread >= tt_thread_count(capture) ||
        tt_thread_at(capture, thread)->idle) {
        return;
    }
    wake->by = TT_WAKER_THREAD;
    wake->waker = thread;
    if (walk->has_call) {
        wake->kind = walk->kind;
        wake->object = walk->kind != TT_WAKE_UNKNOWN ? wakes_value_of(wakes, &walk->call, 0) : 0;
    }
}

/* The event names the waker: a thread, the context of interrupts, or none. */
static void set_recorded_waker(struct tt_wakes *wakes, const struct place *place,
                               struct tt_wake *wake)
{
    const struct tt_capture *capture = wakes->capture;
    uint32_t waker = place->clue.other;
    wake->kind = place->clue.kind;
    wake->object = place->clue.value;
    if (waker >= tt_thread_count(capture) || waker == wake->thread ||
        tt_thread_at(capture, waker)->idle) {
        return;
    }
    if (!tt_thread_at(capture, waker)->pseudo) {
        wake->by = TT_WAKER_THREAD;
        wake->waker = waker;
        return;
    }
    struct walk k = {.w = wakes, .cpu = place->event.cpu, .woken = TT_NO_THREAD, .irqs_only = true};
    walk_back(&k, place->row);
    wake->by = TT_WAKER_INTERRUPT;
    wake->vector = k.found ? wakes_value_of(wakes, &k.at, TT_NO_VECTOR) : TT_NO_VECTOR;
    set_since(&k, wake);
    if (wake->kind == TT_WAKE_UNKNOWN) {
        wake->kind = k.found && is_of_clock(wakes, &k.at) ? TT_WAKE_TIMER : TT_WAKE_INTERRUPT;
    }
}

static void wakes_search(struct tt_wakes *wakes, const struct tt_interval *blocked,
                         struct tt_wake *wake)
{
    struct place place;
    struct tt_message m;
    if (tt_waits_for_answer(wakes->timelines, wakes->capture, blocked, &m)) {
        tt_answer_wake(wakes, blocked, &m, wake);
        return;
    }
    *wake = (struct tt_wake){.at = blocked->end,
                             .vector = TT_NO_VECTOR,
                             .thread = blocked->thread,
                             .waker = TT_NO_THREAD,
                             .state = blocked->state,
                             .cpu = TT_NO_CPU};
    if (!wakes_find_event(wakes, blocked->thread, blocked->end, &place)) {
        return;
    }
    wake->cpu = place.event.cpu;
    wake->pos = place.event.pos;
    wake->has_event = true;
    if (place.clue.role == TT_CLUE_SWITCH) {
        return;
    }
    if (place.clue.role == TT_CLUE_WOKEN) {
        set_recorded_waker(wakes, &place, wake);
        if (wake->kind == TT_WAKE_PLAIN) {
            tt_wake_flow(wakes, blocked, place.row, wake);
        }
    } else if (place.clue.role == TT_CLUE_READY || !is_in_loss(wakes, &place)) {
        const struct tt_state_info *state = tt_format_state(wakes->capture->format, blocked->state);
        struct walk k = {.w = wakes, .cpu = place.event.cpu, .woken = blocked->thread};
        k.waits_for_irq = state->wake == TT_WAKE_UNKNOWN;
        walk_back(&k, place.row);
        set_waker(wakes, &k, wake);
    }

    if (wake->by == TT_WAKER_INTERRUPT && blocked->class_ == TT_CLASS_SLEEP) {
        wake->kind = TT_WAKE_TIMER;
    } else if (wake->by == TT_WAKER_THREAD && wake->kind == TT_WAKE_UNKNOWN) {
        wake->kind = tt_format_state(wakes->capture->format, blocked->state)->wake;
    }
}

void tt_wake_find(struct tt_wakes *wakes, const struct tt_interval *blocked, struct tt_wake *wake)
{
    /* The cache entry of a wake. */
    uint32_t thread = blocked->thread;
    uint64_t end = blocked->end;
    if (!wakes->found) {
        /*
         * A zeroed entry is empty, since no wait ends at 0. calloc leaves the pages of up to 20 MB
         * untouched until they are used.
         */
        wakes->found = calloc(wakes->found_count, sizeof *wakes->found);
    }
    struct tt_wake *place =
        wakes->found ? &wakes->found[tt_hash_of_pair(thread, end) % wakes->found_count] : NULL;

    if (place && place->thread == blocked->thread && place->at == blocked->end && place->at > 0 &&
        place->state == blocked->state && blocked->class_ != TT_CLASS_UNKNOWN) {
        *wake = *place;
        return;
    }
    tt_wakes_search_in(wakes, blocked->thread);
    wakes_search(wakes, blocked, wake);
    if (place) {
        *place = *wake;
    }
}

uint64_t tt_wakes_interrupt_at(struct tt_wakes *wakes, uint16_t cpu, uint64_t ticks)
{
    struct walk k = {.w = wakes, .cpu = cpu, .woken = TT_NO_THREAD, .irqs_only = true};
    wakes->events = tt_events_of_system(wakes->all, tt_merge_of_cpu(wakes->capture, cpu));
    uint64_t row = ticks < UINT64_MAX ? tt_events_row_at_time(wakes->events, ticks + 1)
                                      : tt_events_rows(wakes->events);
    walk_back(&k, row);
    return k.found && k.by == TT_WAKER_INTERRUPT ? wakes_value_of(wakes, &k.at, TT_NO_VECTOR)
                                                 : TT_NO_VECTOR;
}
