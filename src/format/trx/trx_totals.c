/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TraceX's performance statistics and stack usage, by its rules (see docs/metrics.md).
 *
 * The rules carry state from event to event, so the walk begins with the first event whatever the
 * range, and counts inside the range only. TraceX knows one core; here each core has a state of its
 * own, which with one core is the same. Priority inversions are of the whole system, as mutexes
 * are.
 */
#include <string.h>

#include "format/trx/trx_internal.h"

#define WINDOWS_MAX 64u /* mutexes waited for at once */

/* A mutex that a thread waits for while a less urgent one owns it. */
struct inversion {
    uint64_t mutex;
    uint64_t owner;
    uint16_t blocked_priority;
};

struct core_totals {
    uint32_t current;   /* the thread or idleness that context switches are counted from */
    uint32_t thread;    /* the last thread that had the core */
    uint32_t interrupt; /* depth, as TraceX counts it */
    uint64_t resumes;   /* waiting to be told who runs next, all since `thread` was ... */
    uint32_t resumed_over;
    bool begun;
};

struct totalling {
    const struct trx_decoder *d;
    const struct tt_key_range *range;
    struct tt_totals *totals;
    struct tt_thread_totals *threads;
    struct inversion windows[WINDOWS_MAX];
    size_t window_count;
    struct core_totals cores[TRX_CORES];
};

/* The event at hand. */
struct instance {
    struct trx_entry entry;
    uint32_t id;
    uint32_t context;
    uint32_t next;
    bool inside; /* of the range */
};

static bool is_a_thread(uint32_t context)
{
    return trx_is_thread(context) && context != TRX_IDLE;
}

/* NULL for what has no lane. */
static struct tt_thread_totals *totals_of(const struct totalling *t, uint32_t context)
{
    uint32_t thread = is_a_thread(context) ? trx_context_thread(t->d, context) : TT_NO_THREAD;
    return thread == TT_NO_THREAD ? NULL : &t->threads[thread];
}

/* ---- switches and preemptions ------------------------------------------------------------- */

static void count_switch(struct totalling *t, struct core_totals *core, const struct instance *i)
{
    if (!core->begun && trx_is_thread(i->context)) {
        core->current = i->context;
        core->begun = true;
    }
    if (!core->begun || !trx_is_thread(i->next) || i->next == core->current) {
        return;
    }
    t->totals->context_switches += i->inside;
    if (is_a_thread(i->next)) {
        core->current = i->next;
    }
}

/*
 * A RESUME preempts when the next thread to have the core, by a later event, is not the one that
 * had it. One that no such event follows counts as well: TraceX has it so.
 */
static void count_preemption(struct totalling *t, struct core_totals *core,
                             const struct instance *i)
{
    bool thread_next = is_a_thread(i->next);
    if (thread_next && core->resumes > 0) {
        t->totals->preemptions += i->next != core->resumed_over ? core->resumes : 0;
        core->resumes = 0;
    }
    if (i->id == TRX_ID_RESUME && i->inside) {
        core->resumed_over = core->thread;
        core->resumes++;
    }
    if (i->id == TRX_ID_TIME_SLICE && i->inside) {
        t->totals->preemptions += i->next != core->thread;
        t->totals->time_slices +=
            trx_context_find(t->d, i->entry.info[0]) !=
            (i->entry.priority ? trx_context_find(t->d, i->entry.priority) : core->thread);
    }
    if (thread_next) {
        core->thread = i->next;
    }
}

static void count_interrupt(struct totalling *t, struct core_totals *core, const struct instance *i)
{
    if (i->context != TRX_ISR) {
        core->interrupt = 0;
    } else if (i->id == TRX_ID_ISR_ENTER) {
        t->totals->interrupts += i->inside;
        t->totals->nested_interrupts += i->inside && core->interrupt > 0;
        core->interrupt++;
    } else if (core->interrupt == 0) {
        t->totals->interrupts += i->inside; /* an interrupt that does not tell of itself */
        core->interrupt = 1;
    } else if (i->id == TRX_ID_ISR_EXIT) {
        core->interrupt--;
    }
}

/* ---- priority inversions ------------------------------------------------------------------ */

static void close_window(struct totalling *t, size_t index)
{
    t->windows[index] = t->windows[--t->window_count];
}

static void open_window(struct totalling *t, const struct instance *i)
{
    uint64_t mutex = i->entry.info[0], owner = i->entry.info[2];
    const struct tt_thread_totals *of_owner = totals_of(t, trx_context_find(t->d, owner));
    uint16_t own = trx_priority_of(i->entry.priority);
    bool known =
        owner != 0 && owner != i->entry.context && of_owner && of_owner->scratch != TRX_NO_PRIORITY;
    if (!known || of_owner->scratch <= own || t->window_count == WINDOWS_MAX) {
        return;
    }
    for (size_t k = 0; k < t->window_count; k++) {
        if (t->windows[k].mutex == mutex) {
            return;
        }
    }
    t->windows[t->window_count++] = (struct inversion){mutex, owner, own};
    t->totals->inversions_deterministic += i->inside;
}

/* A thread that has no part in it runs, less urgent than the one that waits. */
static void disturb_windows(struct totalling *t, const struct instance *i)
{
    uint16_t priority = trx_priority_of(i->entry.priority);
    for (size_t k = t->window_count; k-- > 0;) {
        if (i->entry.context != t->windows[k].owner && priority > t->windows[k].blocked_priority) {
            t->totals->inversions_nondeterministic += i->inside;
            close_window(t, k);
        }
    }
}

static void count_inversions(struct totalling *t, const struct instance *i)
{
    if (!is_a_thread(i->context)) {
        return;
    }
    struct tt_thread_totals *totals = totals_of(t, i->context);
    if (totals) {
        totals->scratch = trx_priority_of(i->entry.priority); /* the last one known of it */
    }
    disturb_windows(t, i);
    if (i->id == TRX_ID_MUTEX_GET) {
        open_window(t, i);
    } else if (i->id == TRX_ID_MUTEX_PUT && i->entry.info[2] == 1) {
        for (size_t k = t->window_count; k-- > 0;) {
            if (t->windows[k].mutex == i->entry.info[0]) {
                close_window(t, k);
            }
        }
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

/* The word of an event that holds the stack pointer of its thread; 4: none. */
static unsigned stack_word(const struct trx_decoder *d, uint32_t id)
{
    const struct trx_event_info *info = trx_type_info(d, id);
    unsigned word = 0;
    while (word < 4 &&
           !(info->args[word].name && strcmp(info->args[word].name, "stack_ptr") == 0)) {
        word++;
    }
    return word;
}

static void count_thread(const struct totalling *t, const struct instance *i)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct tt_thread_totals *own = i->inside ? totals_of(t, i->context) : NULL;
    if (!own) {
        return;
    }
    own->suspensions += i->id == TRX_ID_SUSPEND;
    own->resumptions += i->id == TRX_ID_RESUME;
    const struct trx_object *object = trx_registry_find(&t->d->registry, i->entry.context, threads);
    unsigned word = stack_word(t->d, i->id);
    if (object && object->type == TRX_OBJECT_THREAD && word < 4) {
        uint64_t start = object->parameters[0], pointer = i->entry.info[word];
        uint64_t left = pointer > start ? pointer - start : 0;
        own->stack_min = left < own->stack_min ? left : own->stack_min;
    }
}

static void begin_threads(const struct totalling *t)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    uint32_t count = tt_thread_count(t->d->capture);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = tt_thread_at(t->d->capture, i)->tid;
        const struct trx_object *object = trx_registry_find(&t->d->registry, address, threads);
        bool known = object && object->type == TRX_OBJECT_THREAD;
        t->threads[i] =
            (struct tt_thread_totals){.stack_min = TT_NO_TOTAL,
                                      .stack_size = known ? object->parameters[1] : TT_NO_TOTAL,
                                      .scratch = TRX_NO_PRIORITY};
    }
}

/* ---- the walk ----------------------------------------------------------------------------- */

static bool is_before(uint64_t ticks, uint64_t pos, uint64_t to_ticks, uint64_t to_pos)
{
    return ticks != to_ticks ? ticks < to_ticks : pos < to_pos;
}

static void count_entry(struct totalling *t, struct core_totals *core, const struct instance *i)
{
    count_switch(t, core, i);
    count_preemption(t, core, i);
    count_interrupt(t, core, i);
    count_inversions(t, i);
    count_thread(t, i);
    t->totals->suspensions += i->inside && i->id == TRX_ID_SUSPEND;
    t->totals->resumptions += i->inside && i->id == TRX_ID_RESUME;
}

static void walk(struct totalling *t, uint64_t limit)
{
    const struct trx_header *h = &t->d->header;
    const struct trx_plan *plan = &t->d->plan;
    const struct tt_key_range *r = t->range;
    uint64_t ticks = 0, before = 0;
    for (uint32_t n = 0; n < plan->entries; n++) {
        struct instance i;
        uint64_t offset = trx_entry_offset(t->d, n), pos = (uint64_t)n * h->entry_size;
        if (offset > limit || limit - offset < h->entry_size) {
            return;
        }
        trx_entry_load(h, t->d->capture->bytes.data + offset, &i.entry);
        uint64_t stamp = i.entry.stamp & h->mask;
        ticks += n > 0 ? trx_ticks_between(before, stamp, h->mask, plan->counts_down) : 0;
        before = stamp;
        i.id = trx_id_of(i.entry.event);
        i.context = plan->steps[n].context & TRX_STEP_CONTEXT;
        i.next = plan->steps[n].next;
        i.inside = !is_before(ticks, pos, r->from_ticks, r->from_pos) &&
                   is_before(ticks, pos, r->to_ticks, r->to_pos);
        uint32_t core = trx_core_of(i.entry.event);
        count_entry(t, &t->cores[core == TRX_NO_CORE ? 0 : core], &i);
    }
}

void trx_totals(const struct tt_capture *c, const struct tt_key_range *range, uint64_t limit,
                struct tt_totals *totals, struct tt_thread_totals *threads)
{
    const struct trx_decoder *d = c->decoder;
    struct totalling t = {.d = d, .range = range, .totals = totals, .threads = threads};
    memset(totals, 0, sizeof *totals);
    begin_threads(&t);
    for (size_t i = 0; i < TRX_CORES; i++) {
        t.cores[i].thread = TRX_NOBODY;
    }
    if (atomic_load_explicit(&d->planned, memory_order_acquire)) {
        walk(&t, d->image ? c->bytes.size : limit);
    }
    for (size_t i = 0; i < TRX_CORES; i++) {
        totals->preemptions += t.cores[i].resumes;
    }
}
