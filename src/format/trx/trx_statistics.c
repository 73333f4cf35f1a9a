/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_statistics: TraceX's performance statistics and stack usage, by its rules (docs/metrics.md).
 *
 *  The rules have state, so the walk begins with the first event whatever the range, and counts
 * inside the range only. TraceX has a single core; here each core has its own state, which is the
 * same for one core. Priority inversions are counted for the whole system, as mutexes are shared.
 */
#include <string.h>

#include "format/trx/trx_internal.h"

#define WINDOWS_MAX 64u /* mutexes waited for at the same time */

/* A mutex that a thread waits for while a less urgent one owns it. */
struct inversion {
    uint64_t mutex;
    uint64_t owner;
    uint16_t blocked_priority;
    struct tt_tool_inversion listed; /* as it is listed, without an end */
};

#define LISTED_MAX (2 * WINDOWS_MAX)

/*
 * The list of inversions; those in `open` end with the next event of their thread after one of another
 * thread.
 */
struct inversion_list {
    struct tt_tool_inversion open[LISTED_MAX];
    bool left[LISTED_MAX]; /* another thread has had an event since */
    size_t count;
    bool stopped;
    bool (*take)(void *arg, const struct tt_tool_inversion *inversion);
    void *arg;
};

/*
 * State of the rules on a core. A RESUME looks ahead for the first later event whose next context
 * is a thread; until then it is pending, with the RESUMEs since the one before.
 */
struct core_totals {
    uint32_t switched;  /* thread from which context switches are counted; TRX_IDLE: none yet */
    uint32_t thread;    /* last next context that is a thread; TRX_NO_CONTEXT: none yet */
    uint32_t preempted; /* like `thread`, but set by a RESUME to its thread; TRX_IDLE: none */
    uint32_t entered;   /* interrupts entered and not left */
    uint64_t pending;   /* pending RESUMEs in the range */
    uint64_t to_idle;   /* TIME_SLICEs in the range to idle while a RESUME was pending */
    bool has_pending;   /* a RESUME is pending, in the range or not */
    bool first_inside;  /* the first pending one is in the range */
};

struct statistics {
    const struct trx_decoder *d;
    const struct tt_key_range *range;
    struct tt_totals *totals;
    struct tt_thread_totals *threads;
    struct inversion_list *list; /* or NULL */
    struct inversion windows[WINDOWS_MAX];
    size_t window_count;
    struct core_totals cores[TRX_CORES];
};

/* The current event. */
struct current_event {
    struct trx_entry entry;
    uint64_t ticks, pos; /* its key */
    uint32_t id;
    uint32_t context;
    uint32_t next;
    bool inside;  /* in the range */
    bool derived; /* a RUNNING with the same next context follows */
};

static bool trx_statistics_is_a_thread(uint32_t context)
{
    return trx_is_thread(context) && context != TRX_IDLE;
}

/* Returns NULL if the context has no lane. */
static struct tt_thread_totals *totals_of(const struct statistics *statistics, uint32_t context)
{
    uint32_t thread = trx_statistics_is_a_thread(context)
                          ? trx_context_thread(statistics->d, context)
                          : TT_NO_THREAD;
    return thread == TT_NO_THREAD ? NULL : &statistics->threads[thread];
}

static void count_resume(struct statistics *statistics, struct core_totals *core,
                         const struct current_event *event)
{
    if (trx_statistics_is_a_thread(event->next) &&
        event->derived) { /* the RUNNING that follows is the event looked for */
        statistics->totals->preemptions += event->inside && event->next != core->preempted;
        core->preempted = event->next;
        return;
    }
    core->first_inside = core->has_pending ? core->first_inside : event->inside;
    core->pending += event->inside;
    core->has_pending = true;
}

/*
 * Counts preemptions. A RESUME preempts if the thread found is not the one on the core; TraceX
 * takes the thread found as the one on the core from then on. A RESUME that finds none does not
 * count.
 */
static void count_preemption(struct statistics *statistics, struct core_totals *core,
                             const struct current_event *event)
{
    bool thread_next = trx_statistics_is_a_thread(event->next);
    if (thread_next) {
        /*
         * Resolves the pending RESUMEs with the thread that runs next: only the first of them can
         * preempt.
         */
        uint32_t found = event->next;
        if (core->has_pending) {
            statistics->totals->preemptions += core->first_inside && found != core->preempted;
            statistics->totals->preemptions += core->to_idle;
            core->preempted = found;
            core->pending = core->to_idle = 0;
            core->has_pending = false;
        }
    }
    if (event->id == TRX_ID_RESUME) {
        count_resume(statistics, core, event);
    } else if (event->id == TRX_ID_TIME_SLICE) {
        uint32_t interrupted = event->entry.priority
                                   ? trx_context_find(statistics->d, event->entry.priority)
                                   : core->thread;
        statistics->totals->time_slices +=
            event->inside && trx_context_find(statistics->d, event->entry.info[0]) != interrupted;
        bool to_idle = event->next == TRX_IDLE && core->thread == TRX_NO_CONTEXT;
        if (core->has_pending && to_idle) {
            core->to_idle += event->inside; /* counts as preempted once a thread is found */
        } else {
            statistics->totals->preemptions +=
                event->inside && (core->has_pending || event->next != core->preempted);
        }
    }
    if (thread_next) {
        core->thread = event->next;
        core->preempted = event->id == TRX_ID_RESUME ? core->preempted : event->next;
    }
}

/* ---- priority inversions ---------------------------------------------------------------- */

static void count_listed(struct inversion_list *list, size_t index)
{
    list->stopped = list->stopped || !list->take(list->arg, &list->open[index]);
    size_t after = --list->count - index;
    memmove(list->open + index, list->open + index + 1, after * sizeof *list->open);
    memmove(list->left + index, list->left + index + 1, after * sizeof *list->left);
}

/* Lists an inversion; `by`: the thread that disturbs it, or TT_NO_THREAD. */
static void list_inversion(struct statistics *statistics, const struct tt_tool_inversion *inversion,
                           uint32_t by)
{
    struct inversion_list *list = statistics->list;
    if (!list) {
        return;
    }
    if (list->count == LISTED_MAX) {
        count_listed(list, 0);
    }
    list->left[list->count] = by != TT_NO_THREAD;
    list->open[list->count] = *inversion;
    list->open[list->count++].by = by;
}

static void close_window(struct statistics *statistics, size_t index)
{
    statistics->windows[index] = statistics->windows[--statistics->window_count];
}

static void open_window(struct statistics *statistics, const struct current_event *event)
{
    uint64_t mutex = event->entry.info[0], owner = event->entry.info[2];
    const struct tt_thread_totals *of_owner =
        totals_of(statistics, trx_context_find(statistics->d, owner));
    uint16_t own = trx_priority_of(event->entry.priority);
    bool known = owner != 0 && owner != event->entry.context && of_owner &&
                 of_owner->scratch != TRX_NO_PRIORITY;
    if (!known || of_owner->scratch <= own || statistics->window_count == WINDOWS_MAX) {
        return;
    }
    for (size_t k = 0; k < statistics->window_count; k++) {
        if (statistics->windows[k].mutex == mutex) {
            return;
        }
    }
    struct tt_tool_inversion listed = {
        .begin = event->ticks,
        .begin_pos = event->pos,
        .object = mutex,
        .thread = trx_context_thread(statistics->d, event->context),
        .holder = trx_context_thread(statistics->d, trx_context_find(statistics->d, owner)),
        .by = TT_NO_THREAD};
    statistics->windows[statistics->window_count++] = (struct inversion){mutex, owner, own, listed};
    statistics->totals->inversions_deterministic += event->inside;
    if (event->inside) {
        list_inversion(statistics, &listed, TT_NO_THREAD);
    }
}

static void count_inversions(struct statistics *statistics, const struct current_event *event)
{
    bool of_thread = trx_statistics_is_a_thread(event->context);
    struct tt_thread_totals *totals = totals_of(statistics, event->context);
    if (totals) {
        totals->scratch = trx_priority_of(event->entry.priority); /* its last known priority */
    }
    if (of_thread) {
        /* Ends the inversions of the thread whose event is the current one. */
        struct inversion_list *list = statistics->list;
        uint32_t thread = list ? trx_context_thread(statistics->d, event->context) : TT_NO_THREAD;
        for (size_t k = 0; list && k < list->count;) {
            if (list->open[k].thread != thread || !list->left[k]) {
                list->left[k] |= list->open[k].thread != thread;
                k++;
                continue;
            }
            list->open[k].end = event->ticks;
            list->open[k].end_pos = event->pos;
            list->open[k].has_end = true;
            count_listed(list, k);
        }

        /*
         * Marks inversions disturbed by a running thread that is not involved and less urgent than
         * the waiting one.
         */
        uint16_t priority = trx_priority_of(event->entry.priority);
        for (size_t k = statistics->window_count; k-- > 0;) {
            if (event->entry.context != statistics->windows[k].owner &&
                priority > statistics->windows[k].blocked_priority) {
                statistics->totals->inversions_nondeterministic += event->inside;
                if (event->inside) {
                    list_inversion(statistics, &statistics->windows[k].listed,
                                   trx_context_thread(statistics->d, event->context));
                }
                close_window(statistics, k);
            }
        }
    }
    if (event->id == TRX_ID_MUTEX_GET && of_thread) {
        open_window(statistics, event);
    } else if (event->id == TRX_ID_MUTEX_PUT && event->entry.info[2] == 1) {
        uint64_t mutex = event->entry.info[0];
        for (size_t k = statistics->window_count; k-- > 0;) {
            if (statistics->windows[k].mutex == mutex) {
                close_window(statistics, k);
            }
        }
    }
}

/* ---- threads ---------------------------------------------------------------------------- */

static void trx_statistics_count_thread(const struct statistics *statistics,
                                        const struct current_event *event)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct tt_thread_totals *own = event->inside ? totals_of(statistics, event->context) : NULL;
    if (!own) {
        return;
    }
    own->suspensions += event->id == TRX_ID_SUSPEND;
    own->resumptions += event->id == TRX_ID_RESUME;
    const struct trx_object *object =
        trx_registry_find(&statistics->d->registry, event->entry.context, threads);

    /*
     * Finds the word of an event that has the stack pointer of its thread; 4: none. That of
     * TIME_SLICE belongs to an interrupt; application events have none, whatever labels a names
     * file has.
     */
    uint32_t id = event->id;
    const struct trx_event_info *info = trx_type_info(statistics->d, id);
    unsigned word = info->class_ == TRX_CLASS_USER || id == TRX_ID_TIME_SLICE ? 4 : 0;
    while (word < 4 &&
           !(info->args[word].name && strcmp(info->args[word].name, "stack_ptr") == 0)) {
        word++;
    }

    if (object && object->type == TRX_OBJECT_THREAD && word < 4) {
        uint64_t start = object->parameters[0], pointer = event->entry.info[word];
        uint64_t left = pointer > start ? pointer - start : 0;
        if (left < own->stack_min) {
            own->stack_min = left;
            own->stack_ticks = event->ticks;
            own->stack_pos = event->pos;
        }
    }
}

static void begin_threads(const struct statistics *statistics)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    uint32_t count = tt_thread_count(statistics->d->capture);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = tt_thread_at(statistics->d->capture, i)->tid;
        const struct trx_object *object =
            trx_registry_find(&statistics->d->registry, address, threads);
        bool known = object && object->type == TRX_OBJECT_THREAD;
        statistics->threads[i] =
            (struct tt_thread_totals){.stack_min = TT_NO_TOTAL,
                                      .stack_ticks = TT_NO_TOTAL,
                                      .stack_size = known ? object->parameters[1] : TT_NO_TOTAL,
                                      .scratch = TRX_NO_PRIORITY};
    }
}

/* ---- the pass --------------------------------------------------------------------------- */

static bool trx_statistics_is_before(uint64_t ticks, uint64_t pos, uint64_t to_ticks,
                                     uint64_t to_pos)
{
    return ticks != to_ticks ? ticks < to_ticks : pos < to_pos;
}

static void count_entry(struct statistics *statistics, struct core_totals *core,
                        const struct current_event *event)
{
    /* ---- switches and preemptions ----------------------------------------------------------- */
    if (core->switched == TRX_IDLE && trx_is_thread(event->context)) {
        core->switched = event->context;
    }
    if (core->switched != TRX_IDLE && trx_is_thread(event->next) && event->next != core->switched) {
        statistics->totals->context_switches += event->inside;
    }
    if (trx_statistics_is_a_thread(event->next)) {
        core->switched = event->next;
    }

    count_preemption(statistics, core, event);

    /*
     * Counts an interrupt; without begin and end events, each event in an interrupt counts as one.
     * The end of an interrupt that began before the capture does not count.
     */
    if (event->context != TRX_ISR) {
        core->entered = 0;
    } else if (event->id == TRX_ID_ISR_ENTER) {
        statistics->totals->interrupts += event->inside;
        statistics->totals->nested_interrupts += event->inside && core->entered > 0;
        core->entered++;
    } else if (event->id == TRX_ID_ISR_EXIT) {
        core->entered -= core->entered > 0;
    } else if (core->entered == 0) {
        statistics->totals->interrupts += event->inside;
    }

    count_inversions(statistics, event);
    trx_statistics_count_thread(statistics, event);
    statistics->totals->suspensions += event->inside && event->id == TRX_ID_SUSPEND;
    statistics->totals->resumptions += event->inside && event->id == TRX_ID_RESUME;
}

static void trx_statistics_walk(struct statistics *statistics, uint64_t limit)
{
    const struct trx_header *header = &statistics->d->header;
    const struct trx_plan *plan = &statistics->d->plan;
    const struct tt_key_range *range = statistics->range;
    uint64_t ticks = 0, before = 0;
    for (uint32_t n = 0; n < plan->entries; n++) {
        struct current_event i;
        uint64_t offset = trx_entry_offset(statistics->d, n),
                 pos = (uint64_t)n * header->entry_size;
        if (offset > limit || limit - offset < header->entry_size) {
            return;
        }
        trx_entry_load(header, trx_entry_at(statistics->d, n), &i.entry);
        uint64_t stamp = trx_stamp_of(plan, header->mask, i.entry.event, i.entry.stamp);
        before = n > 0 ? before : stamp;
        ticks = trx_ticks_add(ticks, trx_stamp_step(plan, header->mask, &before, stamp));
        i.ticks = ticks;
        i.pos = pos;
        i.id = trx_id_of(i.entry.event);
        i.context = plan->steps[n].context & TRX_STEP_CONTEXT;
        i.derived = (plan->steps[n].context & TRX_STEP_DERIVED) != 0;
        i.next = plan->steps[n].next;
        i.inside = n >= plan->beginning &&
                   !trx_statistics_is_before(ticks, pos, range->from_ticks, range->from_pos) &&
                   trx_statistics_is_before(ticks, pos, range->to_ticks, range->to_pos);
        uint32_t core = trx_core_of(i.entry.event);
        count_entry(statistics, &statistics->cores[core == TRX_NO_CORE ? 0 : core], &i);
    }
}

static void walk_all(const struct tt_capture *capture, struct statistics *statistics,
                     uint64_t limit)
{
    const struct trx_decoder *decoder = capture->decoder;
    memset(statistics->totals, 0, sizeof *statistics->totals);
    statistics->d = decoder;
    begin_threads(statistics);
    for (size_t i = 0; i < TRX_CORES; i++) {
        statistics->cores[i].thread = TRX_NO_CONTEXT;
    }
    if (atomic_load_explicit(&decoder->planned, memory_order_acquire)) {
        trx_statistics_walk(statistics, decoder->image ? capture->bytes.size : limit);
    }
    for (size_t i = 0; i < TRX_CORES; i++) {
        statistics->totals->preemptions += statistics->cores[i].pending;
    }
}

void trx_totals(const struct tt_capture *capture, const struct tt_key_range *range, uint64_t limit,
                struct tt_totals *totals, struct tt_thread_totals *threads)
{
    struct statistics t = {.range = range, .totals = totals, .threads = threads};
    walk_all(capture, &t, limit);
}

void trx_tool_inversions(const struct tt_capture *capture, const struct tt_key_range *range,
                         uint64_t limit, struct tt_thread_totals *threads,
                         bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                         void *arg)
{
    struct tt_totals totals;
    struct inversion_list list = {.take = take, .arg = arg};
    struct statistics t = {.range = range, .totals = &totals, .threads = threads, .list = &list};
    walk_all(capture, &t, limit);
    while (list.count > 0 && !list.stopped) {
        count_listed(&list, 0);
    }
}
