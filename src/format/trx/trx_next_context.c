/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_next_context: the context that runs after each event, by TraceX's rules, and the RUNNING
 * events that follow from it.
 *
 *  TraceX treats a capture of several cores as one of a single core. Here the rules apply to the
 * entries of each core separately; with one core there is no difference.
 *
 *  The rules look ahead: to the next entry, to the next one of any thread, to the next one of two
 * given threads. One backward pass over a piece of the ring finds all three, so the cost is constant
 * per entry:
 *
 *       entry        0   1   2   3   4   5
 *       context      A  ISR  B   A  ISR  A
 *       following    1   2   3   4   5   -       next entry of this core
 *       in_thread    2   2   3   5   5   -       next entry of this core in a thread's context
 *       same         3   4   -   5   -   -       next entry of this core with this context
 *
 *  A forward pass over the piece then applies the rules, up to the first entry whose rule needs an
 * entry after the piece. The next piece begins with that entry, and is larger if the last one gave
 * few steps; so the steps are the same as those of one pass over the whole ring. The rules may
 * change the step of the last entry of a core: the steps from there on are not complete yet.
 */
#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "format/trx/trx_internal.h"

#define NONE UINT32_MAX

#define PIECE_ENTRIES 2048u

/* State of a core from entry to entry. */
struct core_state {
    uint32_t current; /* context number of the thread on the core */
    uint32_t nesting; /* of interrupts, from ISR_ENTER and ISR_EXIT */
    uint32_t count;   /* entries so far */
    uint32_t last;    /* previous entry; NONE */
    uint64_t last_ticks;
};

struct trx_plan_walk {
    struct trx_decoder *d;
    struct trx_step *steps;
    uint32_t at;    /* first entry whose next context was not found yet; the piece begins there */
    uint32_t end;   /* of the piece; all entries before it are learned */
    uint32_t piece; /* entries of a piece */
    uint32_t capacity;
    struct trx_links *links; /* by entry of the piece */
    uint32_t *upcoming;      /* by core and context: its next entry after the current one */
    uint32_t contexts;       /* contexts of `upcoming` */
    size_t places;           /* allocated */
    uint64_t ticks;          /* of the entry before `at` */
    uint64_t stamp;
    struct trx_context_cache *cache; /* `own_cache` */
    struct trx_context_cache own_cache;
    struct core_state cores[TRX_CORES];
};

static void load(const struct trx_plan_walk *w, uint32_t index, struct trx_entry *entry)
{
    trx_entry_load(&w->d->header, w->d->capture->bytes.data + trx_entry_offset(w->d, index), entry);
}

static uint32_t context_of(const struct trx_plan_walk *w, uint32_t index)
{
    return w->steps[index].context & TRX_STEP_CONTEXT;
}

static uint32_t core_of(const struct trx_plan_walk *w, uint32_t index)
{
    return w->steps[index].context >> TRX_STEP_CORE & (TRX_CORES - 1);
}

/* Returns the place of the next entry of a core with this context. */
static uint32_t *upcoming_of(const struct trx_plan_walk *w, uint32_t core, uint32_t context)
{
    return &w->upcoming[(size_t)core * w->contexts + context];
}

/*
 * Returns the context number of an address; addresses that were not added are in the crowd.
 */
static uint32_t number_of(const struct trx_plan_walk *w, uint64_t address)
{
    uint32_t context = trx_context_cached(w->d, w->cache, address);
    return context == TRX_NO_CONTEXT ? TRX_CROWD : context;
}

static struct trx_links *links_of(const struct trx_plan_walk *w, uint32_t index)
{
    return &w->links[index - w->at];
}

static void link_entries(struct trx_plan_walk *w)
{
    uint32_t following[TRX_CORES];
    uint32_t in_thread[TRX_CORES];
    uint32_t *upcoming[TRX_CORES] = {NULL}; /* places by context, of each core */
    for (uint32_t i = 0; i < TRX_CORES; i++) {
        following[i] = in_thread[i] = NONE;
        upcoming[i] = i < w->d->plan.cores ? upcoming_of(w, i, 0) : NULL;
    }
    memset(w->upcoming, 0xff, (size_t)w->d->plan.cores * w->contexts * sizeof *w->upcoming);
    for (uint32_t i = w->end; i-- > w->at;) {
        uint32_t core = core_of(w, i);
        uint32_t context = context_of(w, i);
        uint32_t *next = &upcoming[core][context];
        *links_of(w, i) = (struct trx_links){following[core], in_thread[core], *next};
        following[core] = *next = i;
        in_thread[core] = trx_is_thread(context) ? i : in_thread[core];
    }
}

/* ---- entries in a thread's context ------------------------------------------------------ */

static uint32_t after_suspend(const struct trx_plan_walk *w, uint32_t index,
                              const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    uint32_t following = links_of(w, index)->following;
    bool of_itself = entry->info[0] == entry->context;
    /* With priority inheritance the thread is suspended formally and continues. */
    if (of_itself && following != NONE && context_of(w, following) == context) {
        return context;
    }
    return number_of(w, entry->info[3]);
}

static uint32_t after_resume(const struct trx_plan_walk *w, uint32_t index,
                             const struct trx_entry *entry)
{
    if (entry->info[3] != 0) {
        return number_of(w, entry->info[3]);
    }
    uint32_t later = links_of(w, index)->in_thread;
    uint32_t resumed = number_of(w, entry->info[0]);
    return later != NONE && context_of(w, later) == resumed ? resumed : context_of(w, index);
}

/* Returns whether an entry of this core between two others resumes or suspends `thread`. */
static bool changes_between(const struct trx_plan_walk *w, uint32_t from, uint32_t to,
                            uint64_t thread)
{
    for (uint32_t i = links_of(w, from)->following; i != NONE && i < to;
         i = links_of(w, i)->following) {
        struct trx_entry entry;
        load(w, i, &entry);
        uint32_t id = trx_id_of(entry.event);
        if ((id == TRX_ID_RESUME || id == TRX_ID_SUSPEND) && entry.info[0] == thread) {
            return true;
        }
    }
    return false;
}

static uint32_t after_relinquish(const struct trx_plan_walk *w, uint32_t index,
                                 const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    if (entry->info[1] != 0) {
        return number_of(w, entry->info[1]);
    }
    uint32_t later = links_of(w, index)->in_thread;
    uint32_t taker = later != NONE ? context_of(w, later) : context;
    if (taker != context &&
        !changes_between(w, index, later, w->d->contexts.items[taker].address)) {
        return taker;
    }
    return context;
}

static uint32_t after_other(const struct trx_plan_walk *w, uint32_t index)
{
    uint32_t following = links_of(w, index)->following;
    if (following != NONE && trx_is_thread(context_of(w, following))) {
        return context_of(w, following);
    }
    return context_of(w, index);
}

static uint32_t next_in_thread(struct trx_plan_walk *w, struct core_state *core, uint32_t index,
                               const struct trx_entry *entry)
{
    uint32_t next;
    switch (trx_id_of(entry->event)) {
    case TRX_ID_SUSPEND:
        next = after_suspend(w, index, entry);
        break;
    case TRX_ID_RESUME:
        next = after_resume(w, index, entry);
        break;
    case TRX_ID_RELINQUISH:
        next = after_relinquish(w, index, entry);
        break;
    default:
        next = after_other(w, index);
        break;
    }
    core->nesting = 0;
    core->current = next;
    return next;
}

/* ---- entries in an interrupt or during initialization ----------------------------------- */

/* Returns the next entry of a core in the context of a thread; NONE if it is not a thread. */
static uint32_t entry_of_thread(const struct trx_plan_walk *w, uint32_t core, uint32_t context)
{
    return trx_is_thread(context) ? *upcoming_of(w, core, context) : NONE;
}

/* Returns whether a core may have an entry in the context of a thread after the piece. */
static bool may_come(const struct trx_plan_walk *w, uint32_t core, uint32_t context)
{
    const struct trx_last_entries *last = &w->d->plan.last;
    uint64_t address = w->d->contexts.items[context].address;
    return trx_is_thread(context) &&
           (context == TRX_CROWD ||
            last->of_pair[trx_pair_place(last->shift, core, address)] > w->end);
}

/* Returns whether a core certainly has such an entry; requires may_come. */
static bool will_come(const struct trx_plan_walk *w, uint32_t core, uint32_t context)
{
    const struct trx_last_entries *last = &w->d->plan.last;
    uint64_t address = w->d->contexts.items[context].address;
    struct trx_entry entry;
    if (context == TRX_CROWD) {
        return false;
    }
    /* The entry at the place may be that of another core or context with the same hash. */
    load(w, last->of_pair[trx_pair_place(last->shift, core, address)] - 1, &entry);
    uint32_t number = trx_core_of(entry.event);
    return entry.context == address && (number == TRX_NO_CORE ? 0 : number) == core;
}

/*
 * Returns the thread on the core after an interrupt resumed one, for kernels that do not record it:
 * the one of both that has the next entry. TRX_NO_CONTEXT if that depends on entries after the piece.
 */
static uint32_t thread_after_resume(const struct trx_plan_walk *w, uint32_t core, uint32_t current,
                                    uint32_t resumed)
{
    uint32_t back = entry_of_thread(w, core, current);
    uint32_t taken = entry_of_thread(w, core, resumed);
    if (taken != back || resumed == current) {
        return taken < back ? resumed : current; /* NONE is the largest number */
    }
    if (w->end == w->d->plan.entries || !may_come(w, core, resumed)) {
        return current;
    }
    return !may_come(w, core, current) && will_come(w, core, resumed) ? resumed : TRX_NO_CONTEXT;
}

/*
 * Returns whether an entry has the thread that its interrupt interrupted. TraceX requires a second
 * entry before it.
 */
static bool has_interrupted(const struct trx_plan_walk *w, const struct core_state *core,
                            uint32_t index, const struct trx_entry *entry)
{
    return context_of(w, index) == TRX_ISR && entry->priority != 0 && core->count > 1 &&
           context_of(w, core->last) != TRX_ISR;
}

static void follow_interrupt(const struct trx_plan_walk *w, struct core_state *core,
                             const struct trx_entry *entry)
{
    switch (trx_id_of(entry->event)) {
    case TRX_ID_ISR_ENTER:
        core->nesting++;
        break;
    case TRX_ID_ISR_EXIT:
        core->nesting -= core->nesting > 0;
        break;
    case TRX_ID_SUSPEND:
        core->current = number_of(w, entry->info[3]);
        break;
    case TRX_ID_TIME_SLICE:
        core->current = number_of(w, entry->info[0]);
        break;
    case TRX_ID_RESUME:
        core->current = entry->info[3] != 0
                            ? number_of(w, entry->info[3])
                            : thread_after_resume(w, (uint32_t)(core - w->cores), core->current,
                                                  number_of(w, entry->info[0]));
        break;
    default:
        break;
    }
}

static uint32_t next_outside(struct trx_plan_walk *w, struct core_state *core, uint32_t index,
                             const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    if (has_interrupted(w, core, index, entry)) {
        core->current = number_of(w, entry->priority);
        w->steps[core->last].next = core->current;
    }
    follow_interrupt(w, core, entry);
    if (core->nesting > 0) {
        return context;
    }
    uint32_t following = links_of(w, index)->following;
    if (following == NONE) {
        return core->current;
    }
    struct trx_entry then;
    load(w, following, &then);
    if (context_of(w, following) == TRX_ISR && trx_id_of(then.event) != TRX_ID_RESUME) {
        return then.priority != 0 ? number_of(w, then.priority) : core->current;
    }
    return context_of(w, following);
}

/* ---- the pass --------------------------------------------------------------------------- */

/* Marks a RUNNING after `before` if the next context is neither its own nor that of `after`. */
static void derive_running(struct trx_plan_walk *w, uint32_t before, uint32_t after, uint64_t ticks)
{
    struct trx_step *step = &w->steps[before];
    if (context_of(w, before) == step->next || step->next == context_of(w, after)) {
        return;
    }
    step->context |= TRX_STEP_DERIVED;
    if (ticks > TRX_DERIVED_DELAY) {
        step->context |= TRX_STEP_LATE;
    }
}

/* Returns whether thread_after_resume needs an entry after the piece. */
static bool is_resume_open(const struct trx_plan_walk *w, uint32_t index,
                           const struct trx_entry *entry)
{
    uint32_t number = core_of(w, index);
    const struct core_state *core = &w->cores[number];
    uint32_t current =
        has_interrupted(w, core, index, entry) ? number_of(w, entry->priority) : core->current;
    return thread_after_resume(w, number, current, number_of(w, entry->info[0])) == TRX_NO_CONTEXT;
}

/*
 * Returns whether the rules for an entry need one after the piece: the next of its core, or of
 * certain threads.
 */
static bool is_open(const struct trx_plan_walk *w, uint32_t index, const struct trx_entry *entry)
{
    const struct trx_links *links = links_of(w, index);
    uint32_t id = trx_id_of(entry->event), core = core_of(w, index);
    if (w->end == w->d->plan.entries || w->d->plan.last.of_core[core] <= w->end) {
        return false;
    }
    if (links->following == NONE) {
        return true;
    }
    if (trx_is_thread(context_of(w, index))) {
        return links->in_thread == NONE && ((id == TRX_ID_RESUME && entry->info[3] == 0) ||
                                            (id == TRX_ID_RELINQUISH && entry->info[1] == 0));
    }
    return id == TRX_ID_RESUME && entry->info[3] == 0 && is_resume_open(w, index, entry);
}

static void walk_entry(struct trx_plan_walk *w, uint32_t index, const struct trx_entry *entry,
                       uint64_t ticks)
{
    struct core_state *core = &w->cores[core_of(w, index)];
    uint32_t context = context_of(w, index);
    *upcoming_of(w, core_of(w, index), context) = links_of(w, index)->same;
    w->steps[index].next = trx_is_thread(context) ? next_in_thread(w, core, index, entry)
                                                  : next_outside(w, core, index, entry);
    if (core->last != NONE) {
        derive_running(w, core->last, index, ticks - core->last_ticks);
    }
    core->last = index;
    core->last_ticks = ticks;
    core->count++;
}

/* Returns the first entry that was not walked. */
static uint32_t walk_piece(struct trx_plan_walk *w)
{
    const struct trx_header *h = &w->d->header;
    for (uint32_t i = w->at; i < w->end; i++) {
        struct trx_entry entry;
        tt_prefetch(w->d->capture->bytes.data + trx_entry_offset(w->d, i) + TT_AHEAD_BYTES);
        load(w, i, &entry);
        if (is_open(w, i, &entry)) {
            return i;
        }
        uint64_t stamp = entry.stamp & h->mask;
        if (i > 0) {
            w->ticks = trx_ticks_add(
                w->ticks, trx_ticks_between(w->stamp, stamp, h->mask, w->d->plan.counts_down));
        }
        w->stamp = stamp;
        walk_entry(w, i, &entry, w->ticks);
    }
    return w->end;
}

/* ---- pieces ------------------------------------------------------------------------------- */

void trx_plan_walk_free(struct trx_plan_walk *w)
{
    if (w) {
        free(w->links);
        free(w->upcoming);
        free(w);
    }
}

/* Owned by the plan, so that a mapping fault leaks nothing. */
static struct trx_plan_walk *new_walk(struct trx_decoder *d)
{
    struct trx_plan_walk *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->d = d;
    w->cache = &w->own_cache;
    w->steps = d->plan.steps;
    w->piece = d->plan.piece != 0 ? d->plan.piece : PIECE_ENTRIES;
    for (size_t i = 0; i < TRX_CORES; i++) {
        w->cores[i].last = NONE;
    }
    return w;
}

/* Makes room for the contexts that are known now; the next pieces cost more than clearing it. */
static bool make_upcoming(struct trx_plan_walk *w)
{
    w->contexts = trx_context_count(w->d);
    size_t places = (size_t)w->d->plan.cores * w->contexts;
    if (places > w->places) {
        free(w->upcoming);
        w->places = places * 2;
        w->upcoming = malloc(w->places * sizeof *w->upcoming);
    }
    if (w->d->plan.piece == 0 && places > w->piece) {
        w->piece = (uint32_t)places;
    }
    return w->upcoming != NULL;
}

static bool begin_piece(struct trx_plan_walk *w)
{
    uint32_t left = w->d->plan.entries - w->at;
    uint32_t count = w->piece < left ? w->piece : left;
    if (count > w->capacity) {
        struct trx_links *links = realloc(w->links, count * sizeof *links);
        if (!links) {
            return false;
        }
        w->links = links;
        w->capacity = count;
    }
    if (w->at + count > w->end) {
        uint32_t learned = w->end;
        w->end = w->at + count;
        if (!trx_learn(w->d, w->cache, learned, w->end) || !make_upcoming(w)) {
            return false;
        }
    }
    link_entries(w);
    return true;
}

/* Returns the number of complete steps. */
static uint32_t count_complete(const struct trx_plan_walk *w)
{
    uint32_t complete = w->at;
    if (complete == w->d->plan.entries) {
        return complete;
    }
    for (size_t i = 0; i < TRX_CORES; i++) {
        uint32_t last = w->cores[i].last;
        if (last < complete && w->d->plan.last.of_core[i] != last + 1) {
            complete = last;
        }
    }
    return complete;
}

void trx_plan_piece(struct trx_decoder *d, uint32_t entries)
{
    d->plan.piece = entries;
}

bool trx_plan_extend(struct trx_decoder *d)
{
    struct trx_plan *plan = &d->plan;
    uint32_t before = atomic_load_explicit(&d->ready, memory_order_relaxed), ready = before;
    plan->walk = plan->walk ? plan->walk : new_walk(d);
    struct trx_plan_walk *w = plan->walk;
    while (w && ready == before && ready < plan->entries) {
        if (!begin_piece(w)) {
            return false;
        }
        uint32_t walked = walk_piece(w);
        if (walked - w->at <= w->piece / 2 && w->piece < plan->entries) {
            w->piece *= 2;
        }
        w->at = walked;
        ready = count_complete(w);
    }
    if (!w) {
        return false;
    }
    atomic_store_explicit(&d->ready, ready, memory_order_release);
    if (ready == plan->entries) {
        trx_plan_walk_free(w);
        plan->walk = NULL;
        atomic_store_explicit(&d->planned, true, memory_order_release);
    }
    return true;
}
