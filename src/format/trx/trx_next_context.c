/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_next_context: the context that runs after each event, by TraceX's rules, and the RUNNING
 * events that follow from it.
 *
 *  TraceX treats a capture of several cores as one of a single core. Here the rules apply to the
 * entries of each core separately; with one core there is no difference.
 *
 *  The rules look ahead: to the next entry, to the next one of any thread, to the next one of two
 * given threads. One backward pass finds all three, so the cost is constant per entry:
 *
 *       entry        0   1   2   3   4   5
 *       context      A  ISR  B   A  ISR  A
 *       following    1   2   3   4   5   -       next entry of this core
 *       in_thread    2   2   3   5   5   -       next entry of this core in a thread's context
 *       same         3   4   -   5   -   -       next entry of this core with this context
 */
#include <stdlib.h>

#include "format/trx/trx_internal.h"

#define NONE UINT32_MAX

/* State of a core from entry to entry. */
struct core_state {
    uint32_t current; /* context number of the thread on the core */
    uint32_t nesting; /* of interrupts, from ISR_ENTER and ISR_EXIT */
    uint32_t count;   /* entries so far */
    uint32_t last;    /* previous entry; NONE */
    uint64_t last_ticks;
};

struct walk {
    struct trx_decoder *d;
    struct trx_step *steps;
    uint32_t entries;
    struct trx_links *links;
    uint32_t *upcoming; /* by core and context: its next entry after the current one */
    struct trx_context_cache *cache;
    struct core_state cores[TRX_CORES];
};

static void load(const struct walk *w, uint32_t index, struct trx_entry *entry)
{
    trx_entry_load(&w->d->header, w->d->capture->bytes.data + trx_entry_offset(w->d, index), entry);
}

static uint32_t context_of(const struct walk *w, uint32_t index)
{
    return w->steps[index].context & TRX_STEP_CONTEXT;
}

static uint32_t core_of(const struct walk *w, uint32_t index)
{
    return w->steps[index].context >> TRX_STEP_CORE & (TRX_CORES - 1);
}

/* Returns the place of the next entry of a core with this context. */
static uint32_t *upcoming_of(const struct walk *w, uint32_t core, uint32_t context)
{
    return &w->upcoming[(size_t)core * w->d->contexts.count + context];
}

/*
 * Returns the context number of an address; addresses that the scan did not add are in the crowd.
 */
static uint32_t number_of(const struct walk *w, uint64_t address)
{
    uint32_t context = trx_context_cached(w->d, w->cache, address);
    return context == TRX_NO_CONTEXT ? TRX_CROWD : context;
}

static void link_entries(struct walk *w)
{
    uint32_t following[TRX_CORES];
    uint32_t in_thread[TRX_CORES];
    for (size_t i = 0; i < TRX_CORES; i++) {
        following[i] = in_thread[i] = NONE;
    }
    for (size_t i = 0; i < (size_t)w->d->plan.cores * w->d->contexts.count; i++) {
        w->upcoming[i] = NONE;
    }
    for (uint32_t i = w->entries; i-- > 0;) {
        uint32_t core = core_of(w, i);
        uint32_t context = context_of(w, i);
        w->links[i].following = following[core];
        w->links[i].in_thread = in_thread[core];
        uint32_t *upcoming = upcoming_of(w, core, context);
        w->links[i].same = *upcoming;
        following[core] = i;
        if (trx_is_thread(context)) {
            in_thread[core] = i;
        }
        *upcoming = i;
    }
}

/* ---- entries in a thread's context ------------------------------------------------------ */

static uint32_t after_suspend(const struct walk *w, uint32_t index, const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    uint32_t following = w->links[index].following;
    bool of_itself = entry->info[0] == entry->context;
    /* With priority inheritance the thread is suspended formally and continues. */
    if (of_itself && following != NONE && context_of(w, following) == context) {
        return context;
    }
    return number_of(w, entry->info[3]);
}

static uint32_t after_resume(const struct walk *w, uint32_t index, const struct trx_entry *entry)
{
    if (entry->info[3] != 0) {
        return number_of(w, entry->info[3]);
    }
    uint32_t later = w->links[index].in_thread;
    uint32_t resumed = number_of(w, entry->info[0]);
    return later != NONE && context_of(w, later) == resumed ? resumed : context_of(w, index);
}

/* Returns whether an entry of this core between two others resumes or suspends `thread`. */
static bool changes_between(const struct walk *w, uint32_t from, uint32_t to, uint64_t thread)
{
    for (uint32_t i = w->links[from].following; i != NONE && i < to; i = w->links[i].following) {
        struct trx_entry entry;
        load(w, i, &entry);
        uint32_t id = trx_id_of(entry.event);
        if ((id == TRX_ID_RESUME || id == TRX_ID_SUSPEND) && entry.info[0] == thread) {
            return true;
        }
    }
    return false;
}

static uint32_t after_relinquish(const struct walk *w, uint32_t index,
                                 const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    if (entry->info[1] != 0) {
        return number_of(w, entry->info[1]);
    }
    uint32_t later = w->links[index].in_thread;
    uint32_t taker = later != NONE ? context_of(w, later) : context;
    if (taker != context &&
        !changes_between(w, index, later, w->d->contexts.items[taker].address)) {
        return taker;
    }
    return context;
}

static uint32_t after_other(const struct walk *w, uint32_t index)
{
    uint32_t following = w->links[index].following;
    if (following != NONE && trx_is_thread(context_of(w, following))) {
        return context_of(w, following);
    }
    return context_of(w, index);
}

static uint32_t next_in_thread(struct walk *w, struct core_state *core, uint32_t index,
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
static uint32_t entry_of_thread(const struct walk *w, uint32_t core, uint32_t context)
{
    return trx_is_thread(context) ? *upcoming_of(w, core, context) : NONE;
}

/*
 * Returns the thread on the core after an interrupt resumed one, for kernels that do not record it.
 */
static uint32_t thread_after_resume(const struct walk *w, uint32_t core, uint32_t current,
                                    uint32_t resumed)
{
    uint32_t back = entry_of_thread(w, core, current);
    uint32_t taken = entry_of_thread(w, core, resumed);
    return taken != NONE && (back == NONE || taken < back) ? resumed : current;
}

static void follow_interrupt(const struct walk *w, struct core_state *core,
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

static uint32_t next_outside(struct walk *w, struct core_state *core, uint32_t index,
                             const struct trx_entry *entry)
{
    uint32_t context = context_of(w, index);
    bool interrupted = context == TRX_ISR && entry->priority != 0;
    /*
     * The interrupt's entry has the interrupted thread. TraceX requires a second entry before it.
     */
    if (interrupted && core->count > 1 && context_of(w, core->last) != TRX_ISR) {
        core->current = number_of(w, entry->priority);
        w->steps[core->last].next = core->current;
    }
    follow_interrupt(w, core, entry);
    if (core->nesting > 0) {
        return context;
    }
    uint32_t following = w->links[index].following;
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
static void derive_running(struct walk *w, uint32_t before, uint32_t after, uint64_t ticks)
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

static void walk_entry(struct walk *w, uint32_t index, const struct trx_entry *entry,
                       uint64_t ticks)
{
    struct core_state *core = &w->cores[core_of(w, index)];
    uint32_t context = context_of(w, index);
    *upcoming_of(w, core_of(w, index), context) = w->links[index].same;
    w->steps[index].next = trx_is_thread(context) ? next_in_thread(w, core, index, entry)
                                                  : next_outside(w, core, index, entry);
    if (core->last != NONE) {
        derive_running(w, core->last, index, ticks - core->last_ticks);
    }
    core->last = index;
    core->last_ticks = ticks;
    core->count++;
}

static void walk_entries(struct walk *w)
{
    const struct trx_header *h = &w->d->header;
    uint64_t ticks = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < w->entries; i++) {
        struct trx_entry entry;
        load(w, i, &entry);
        uint64_t stamp = entry.stamp & h->mask;
        if (i > 0) {
            ticks = trx_ticks_add(
                ticks, trx_ticks_between(before, stamp, h->mask, w->d->plan.counts_down));
        }
        before = stamp;
        walk_entry(w, i, &entry, ticks);
    }
}

static bool has_derived(const struct walk *w)
{
    for (uint32_t i = 0; i < w->entries; i++) {
        if (w->steps[i].context & TRX_STEP_DERIVED) {
            return true;
        }
    }
    return false;
}

bool trx_next_contexts(struct trx_decoder *d, struct trx_plan *plan)
{
    struct trx_context_cache cache = {{0}};
    struct walk w = {.d = d, .steps = plan->steps, .entries = plan->entries, .cache = &cache};
    for (size_t i = 0; i < TRX_CORES; i++) {
        w.cores[i].last = NONE;
    }
    /* Owned by the plan, so that a mapping fault leaks nothing. */
    plan->links = malloc((plan->entries ? plan->entries : 1) * sizeof *plan->links);
    plan->upcoming = malloc((size_t)plan->cores * d->contexts.count * sizeof *plan->upcoming);
    w.links = plan->links;
    w.upcoming = plan->upcoming;
    bool good = w.links && w.upcoming;
    if (good) {
        link_entries(&w);
        walk_entries(&w);
    }
    trx_plan_free_work(plan);
    if (good && has_derived(&w)) {
        const struct trx_type *running = trx_type_add(d, TRX_ID_RUNNING);
        plan->running_type = running ? running->number : 0;
        good = running != NULL;
    }
    return good;
}
