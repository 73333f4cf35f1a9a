/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_next_context: the context that runs after each event, by TraceX's rules, and the RUNNING
 * events that follow from it.
 *
 *  TraceX treats a capture of several cores as one of a single core. Here the rules apply to the
 * entries of each core separately; with one core there is no difference. The next entry of a core may be
 * of a thread that another core resumes later: such a thread, which waits, does not run before, even if it
 * suspended itself in the entry before.
 *
 *  The rules look ahead: to the next entry, which is known for all entries of a piece of the ring, and
 * few of them to the next one in any thread's context, or in that of one of two threads. Those are
 * searched for. When the searches in a piece have seen as many entries as it has, one backward pass over
 * the rest of it links the entries for the others; so the cost is constant per entry:
 *
 *       entry        0   1   2   3   4   5
 *       context      A  ISR  B   A  ISR  A
 *       following    1   2   3   4   5   -       next entry of this core
 *       in_thread    2   2   3   5   5   -       next entry of this core in a thread's context
 *       same         3   4   -   5   -   -       next entry of this core with this context
 *
 *  A forward pass over the piece applies the rules, up to the first entry whose rule needs an
 * entry after the piece. The next piece begins with that entry, and is larger if the last one gave
 * few steps; so the steps are the same as those of one pass over the whole ring. The rules may
 * change the step of the last entry of a core: the steps from there on are not complete yet.
 */
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_internal.h"

#define NONE TRX_NO_ENTRY

#define PIECE_ENTRIES 2048u

/* State of a core from entry to entry. */
struct core_state {
    uint32_t current; /* context number of the thread on the core */
    uint32_t nesting; /* of interrupts, from ISR_ENTER and ISR_EXIT */
    uint32_t count;   /* entries so far */
    uint32_t last;    /* previous entry; NONE */
    uint64_t last_ticks;
    uint32_t learned; /* last entry that is learned; NONE: none of this piece */
};

/* Entries of the same core further ahead, see above. */
struct far_links {
    uint32_t in_thread;
    uint32_t same;
};

struct trx_plan_walk {
    struct trx_decoder *d;
    struct trx_step *steps;
    uint32_t at;    /* first entry whose next context was not found yet; the piece begins there */
    uint32_t begin; /* first entry of `links`, which is `at` while a piece is walked */
    uint32_t end;   /* of the piece; all entries before it are learned */
    uint32_t piece; /* entries of a piece */
    uint32_t capacity;
    struct trx_links *links; /* by entry of the piece */
    struct far_links *far;   /* by entry of the piece, from `far_from` on */
    uint32_t far_from;       /* NONE: there was no need for far links yet */
    uint32_t searches;       /* entries of the piece that searches may still see */
    uint32_t answered;       /* entry of the last answer of thread_after_resume; NONE */
    uint32_t answer;
    uint32_t *ready; /* by context: entry of its last RESUME; NONE: it waits; NULL: a single core */
    uint32_t *upcoming; /* by core and context: its next entry, or one before it; with far links */
    uint32_t contexts;  /* contexts of `upcoming` */
    size_t places;      /* allocated */
    struct trx_time time; /* of the entry before `at` */
    struct trx_context_cache cache;
    struct core_state cores[TRX_CORES];
};

/* An entry of the piece. */
struct spot {
    struct trx_step *step;
    const struct trx_links *links;
    struct core_state *core;
    uint32_t index;
    uint32_t context;
    uint32_t effect; /* enum trx_effect */
};

/* Returns the begin of an entry. */
static const uint8_t *entry_at(const struct trx_plan_walk *w, uint32_t index)
{
    return trx_entry_at(w->d, index);
}

static inline uint64_t word_of(const struct trx_plan_walk *w, const uint8_t *entry, unsigned i)
{
    return trx_word(&w->d->header, entry, i);
}

static inline uint32_t context_of(const struct trx_plan_walk *w, uint32_t index)
{
    return w->steps[index].context & TRX_STEP_CONTEXT;
}

/* Links the entries of the piece from entry `from` on, unless that was done. */
static TRX_RARE void link_far(struct trx_plan_walk *w, uint32_t from)
{
    uint32_t in_thread[TRX_CORES];
    if (w->far_from != NONE) {
        return;
    }
    w->far_from = from;
    memset(in_thread, 0xff, sizeof in_thread);
    memset(w->upcoming, 0xff, (size_t)w->d->plan.cores * w->contexts * sizeof *w->upcoming);
    for (uint32_t i = w->end; i-- > from;) {
        uint32_t word = w->steps[i].context, core = trx_step_core(word);
        uint32_t context = word & TRX_STEP_CONTEXT;
        uint32_t *next = &w->upcoming[(size_t)core * w->contexts + context];
        w->far[i - w->at] = (struct far_links){.in_thread = in_thread[core], .same = *next};
        *next = i;
        in_thread[core] = trx_is_thread(context) ? i : in_thread[core];
    }
}

/* Returns the next entry of the core of entry `index` in the context of a thread; NONE: not in the piece. */
static TRX_RARE uint32_t entry_in_thread(struct trx_plan_walk *w, uint32_t index)
{
    uint32_t i = w->links[index - w->at].following;
    for (; w->searches > 0; w->searches--) {
        if (i == NONE || trx_is_thread(context_of(w, i))) {
            return i;
        }
        i = w->links[i - w->at].following;
    }
    link_far(w, index);
    return w->far[index - w->at].in_thread;
}

/* Returns the next entry of a core after entry `index` with a context, by the far links. */
static uint32_t entry_with(struct trx_plan_walk *w, uint32_t core, uint32_t context, uint32_t index)
{
    uint32_t *upcoming = &w->upcoming[(size_t)core * w->contexts + context];
    while (*upcoming != NONE && *upcoming <= index) {
        *upcoming = w->far[*upcoming - w->at].same;
    }
    return *upcoming;
}

/*
 * Returns which of two threads has the next entry of a core after entry `index`, which is of this core;
 * TRX_NO_CONTEXT: neither in the piece. Contexts that are no threads have none.
 */
static TRX_RARE uint32_t first_of(struct trx_plan_walk *w, uint32_t core, uint32_t index,
                                  const uint32_t threads[2])
{
    uint32_t i = w->links[index - w->at].following;
    for (; w->searches > 0; w->searches--) {
        uint32_t context = i != NONE ? context_of(w, i) : TRX_NO_CONTEXT;
        bool is_one = context == threads[0] || context == threads[1];
        if (i == NONE || (is_one && trx_is_thread(context))) {
            return context;
        }
        i = w->links[i - w->at].following;
    }
    uint32_t entries[2];
    link_far(w, index);
    for (unsigned k = 0; k < 2; k++) {
        entries[k] = trx_is_thread(threads[k]) ? entry_with(w, core, threads[k], index) : NONE;
    }
    uint32_t first = entries[0] <= entries[1] ? 0 : 1;
    return entries[first] != NONE ? threads[first] : TRX_NO_CONTEXT;
}

/* ---- entries in a thread's context -------------------------------------------------------- */

/* Returns whether a SUSPEND is that of its own thread; all contexts of the crowd have one number. */
static inline bool is_of_itself(const struct trx_plan_walk *w, const struct spot *e)
{
    if (TRX_RARELY(e->context == TRX_CROWD)) {
        const uint8_t *at = entry_at(w, e->index);
        return word_of(w, at, TRX_WORD_INFO) == word_of(w, at, TRX_WORD_CONTEXT);
    }
    return e->step->subject == e->context;
}

static TRX_HOT uint32_t after_resume(struct trx_plan_walk *w, const struct spot *e)
{
    if (e->step->next != TRX_IDLE) {
        return e->step->next;
    }
    uint32_t later = entry_in_thread(w, e->index);
    return later != NONE && context_of(w, later) == e->step->subject ? e->step->subject
                                                                     : e->context;
}

/* Returns whether an entry of this core between two others resumes or suspends `thread`. */
static bool changes_between(const struct trx_plan_walk *w, const struct spot *from, uint32_t to,
                            uint64_t thread)
{
    for (uint32_t i = from->links->following; i != NONE && i < to;
         i = w->links[i - w->at].following) {
        enum trx_effect effect = trx_step_effect(w->steps[i].context);
        if ((effect == TRX_RESUMES || effect == TRX_SUSPENDS) &&
            word_of(w, entry_at(w, i), TRX_WORD_INFO) == thread) {
            return true;
        }
    }
    return false;
}

static TRX_RARE uint32_t after_relinquish(struct trx_plan_walk *w, const struct spot *e)
{
    if (e->step->subject != TRX_IDLE) {
        return e->step->subject;
    }
    uint32_t later = entry_in_thread(w, e->index);
    uint32_t taker = later != NONE ? context_of(w, later) : e->context;
    bool changes =
        taker == e->context || changes_between(w, e, later, w->d->contexts.items[taker].address);
    return changes ? e->context : taker;
}

/* Returns whether a thread can not run after entry `index`, this one or before, since it waits then. */
static inline bool is_waiting(const struct trx_plan_walk *w, uint32_t context, uint32_t index)
{
    return TRX_RARELY(w->ready != NULL) && w->ready[context] > index;
}

/* Notes what an entry shows of the waits of threads. */
static TRX_RARE void note_waits(struct trx_plan_walk *w, uint32_t index)
{
    const struct trx_step *step = &w->steps[index];
    const enum trx_effect effect = trx_step_effect(step->context);
    if (index >= w->d->plan.beginning) {
        const uint32_t context = step->context & TRX_STEP_CONTEXT;
        w->ready[context] = w->ready[context] == NONE ? index : w->ready[context];
    }
    if (step->subject < TRX_FIRST_THREAD) {
        return;
    }
    if (effect == TRX_SUSPENDS &&
        word_of(w, entry_at(w, index), TRX_WORD_INFO + 1) != TRX_CODE_PRIORITY) {
        w->ready[step->subject] = NONE;
    } else if (effect == TRX_RESUMES && w->ready[step->subject] == NONE) {
        w->ready[step->subject] = index;
    }
}

static TRX_HOT uint32_t after_suspend(const struct trx_plan_walk *w, const struct spot *e)
{
    uint32_t following = e->links->following;
    if (TRX_RARELY(is_waiting(w, e->context, e->index))) {
        return e->step->next != e->context ? e->step->next : TRX_IDLE;
    }
    /* With priority inheritance the thread is suspended formally and continues. */
    if (is_of_itself(w, e) && following != NONE && context_of(w, following) == e->context) {
        return e->context;
    }
    return e->step->next;
}

static TRX_HOT uint32_t after_other(const struct trx_plan_walk *w, const struct spot *e)
{
    uint32_t following = e->links->following;
    uint32_t next = following != NONE ? context_of(w, following) : e->context;
    return trx_is_thread(next) && !is_waiting(w, next, e->index) ? next : e->context;
}

static TRX_HOT uint32_t next_in_thread(struct trx_plan_walk *w, const struct spot *e)
{
    uint32_t next;
    if (e->effect == TRX_SUSPENDS) {
        next = after_suspend(w, e);
    } else if (e->effect == TRX_RESUMES) {
        next = after_resume(w, e);
    } else if (e->effect == TRX_RELINQUISHES) {
        const struct spot copy = *e;
        next = after_relinquish(w, &copy);
    } else {
        next = after_other(w, e);
    }
    e->core->nesting = 0;
    e->core->current = next;
    return next;
}

/* ---- entries in an interrupt or during initialization ------------------------------------- */

/*
 * Returns the last entry of the place that a core and a context have in the table of last entries, as its
 * index + 1; UINT32_MAX: any, since all contexts of the crowd have one number.
 */
static uint32_t last_of_pair(const struct trx_plan_walk *w, uint32_t core, uint32_t context)
{
    const struct trx_last_entries *last = &w->d->plan.last;
    uint64_t address = w->d->contexts.items[context].address;
    return !trx_is_thread(context) ? 0
           : context == TRX_CROWD  ? UINT32_MAX
                                   : last->of_pair[trx_pair_place(last->shift, core, address)];
}

/*
 * Returns whether the entry before `last`, from last_of_pair, is of this core and context: the place may
 * have that of others with the same hash.
 */
static bool is_of_pair(const struct trx_plan_walk *w, uint32_t last, uint32_t core,
                       uint32_t context)
{
    if (context == TRX_CROWD || last == 0) {
        return false;
    }
    const uint8_t *entry = entry_at(w, last - 1);
    uint32_t number = trx_core_of(word_of(w, entry, TRX_WORD_EVENT));
    return word_of(w, entry, TRX_WORD_CONTEXT) == w->d->contexts.items[context].address &&
           (number == TRX_NO_CORE ? 0 : number) == core;
}

/*
 * Returns the thread on a core after its entry `index`, an interrupt, resumed one, for kernels that do not
 * record it: the one of both that has the next entry. TRX_NO_CONTEXT if that depends on entries after the
 * piece.
 */
static uint32_t find_after_resume(struct trx_plan_walk *w, uint32_t core, uint32_t index,
                                  uint32_t current, uint32_t resumed)
{
    const uint32_t threads[] = {current, resumed};
    const uint32_t last = last_of_pair(w, core, resumed);
    if (resumed == current || last <= index + 1) {
        return current;
    }
    const bool comes = is_of_pair(w, last, core, resumed);
    const uint32_t last_of_current = last_of_pair(w, core, current);
    if (comes && last_of_current <= index + 1) {
        return resumed;
    }
    uint32_t first = first_of(w, core, index, threads);
    if (first != TRX_NO_CONTEXT) {
        return first;
    }
    if (w->d->plan.last.of_core[core] <= w->end || last <= w->end) {
        return current;
    }
    return last_of_current <= w->end && comes ? resumed : TRX_NO_CONTEXT;
}

/* Returns the same; the rules ask for it twice. */
static TRX_RARE uint32_t thread_after_resume(struct trx_plan_walk *w, uint32_t core, uint32_t index,
                                             uint32_t current, uint32_t resumed)
{
    if (w->answered != index) {
        w->answered = index;
        w->answer = find_after_resume(w, core, index, current, resumed);
    }
    return w->answer;
}

/*
 * Returns the thread that an entry's interrupt interrupted, if the entry has it; otherwise TRX_IDLE. TraceX
 * requires a second entry before it.
 */
static TRX_HOT uint32_t interrupted_by(const struct trx_plan_walk *w, const struct spot *e)
{
    bool has = e->links->interrupted != TRX_IDLE && e->core->count > 1 &&
               context_of(w, e->core->last) != TRX_ISR;
    return has ? e->links->interrupted : TRX_IDLE;
}

/*
 * Returns the thread on the core after a RESUME when `current` was on it; TRX_NO_CONTEXT as above. All
 * kernels for several cores record it: none means that the core stays idle.
 */
static inline uint32_t current_after_resume(struct trx_plan_walk *w, const struct spot *e,
                                            uint32_t current)
{
    return e->step->next != TRX_IDLE || w->ready != NULL
               ? e->step->next
               : thread_after_resume(w, trx_step_core(e->step->context), e->index, current,
                                     e->step->subject);
}

static TRX_HOT void follow_interrupt(struct trx_plan_walk *w, const struct spot *e)
{
    struct core_state *core = e->core;
    switch ((enum trx_effect)e->effect) {
    case TRX_ENTERS:
        core->nesting++;
        break;
    case TRX_LEAVES:
        core->nesting -= core->nesting > 0;
        break;
    case TRX_SUSPENDS:
        core->current = e->step->next;
        break;
    case TRX_SLICES:
        core->current = e->step->subject;
        break;
    case TRX_RESUMES:
        core->current = current_after_resume(w, e, core->current);
        break;
    default:
        break;
    }
}

/* Returns the thread on the core, unless it waits: the core is idle then. */
static inline uint32_t current_of(const struct trx_plan_walk *w, const struct spot *e)
{
    const uint32_t current = e->core->current;
    return is_waiting(w, current, e->index) ? TRX_IDLE : current;
}

static TRX_HOT uint32_t next_outside(struct trx_plan_walk *w, const struct spot *e)
{
    uint32_t interrupted = interrupted_by(w, e), following = e->links->following;
    if (interrupted != TRX_IDLE) {
        e->core->current = interrupted;
        if (!is_waiting(w, interrupted, e->core->last)) {
            w->steps[e->core->last].next = (uint16_t)interrupted;
        }
    }
    follow_interrupt(w, e);
    if (e->core->nesting > 0) {
        return e->context;
    }
    if (following == NONE) {
        return current_of(w, e);
    }
    uint32_t word = w->steps[following].context, then = word & TRX_STEP_CONTEXT;
    if (then == TRX_ISR && trx_step_effect(word) != TRX_RESUMES) {
        then = w->links[following - w->at].interrupted;
        then = then != TRX_IDLE ? then : e->core->current;
    }
    return is_waiting(w, then, e->index) ? current_of(w, e) : then;
}

/* ---- the pass --------------------------------------------------------------------------- */

/* Marks a RUNNING after `before` if the next context is neither its own nor that of `after`. */
static inline void derive_running(struct trx_step *before, uint32_t after, uint64_t ticks)
{
    uint32_t flags =
        ticks > TRX_DERIVED_DELAY ? TRX_STEP_DERIVED | TRX_STEP_LATE : TRX_STEP_DERIVED;
    /* Without a branch, since it could not be predicted. */
    uint32_t derives =
        ((before->context & TRX_STEP_CONTEXT) != before->next) & (before->next != after);
    before->context |= flags & (0 - derives);
}

/* Returns whether thread_after_resume needs an entry after the piece. */
static TRX_RARE bool is_resume_open(struct trx_plan_walk *w, const struct spot *e)
{
    uint32_t interrupted = interrupted_by(w, e);
    uint32_t current = interrupted != TRX_IDLE ? interrupted : e->core->current;
    return current_after_resume(w, e, current) == TRX_NO_CONTEXT;
}

/*
 * Returns whether the rules for an entry need one after the piece: the next of its core, or of
 * certain threads.
 */
static TRX_RARE bool is_open(struct trx_plan_walk *w, const struct spot *e)
{
    if (w->end == w->d->plan.entries ||
        w->d->plan.last.of_core[trx_step_core(e->step->context)] <= w->end) {
        return false;
    }
    if (e->links->following == NONE) {
        return true;
    }
    if (trx_is_thread(e->context)) {
        return ((e->effect == TRX_RESUMES && e->step->next == TRX_IDLE) ||
                (e->effect == TRX_RELINQUISHES && e->step->subject == TRX_IDLE)) &&
               entry_in_thread(w, e->index) == NONE;
    }
    return e->effect == TRX_RESUMES && is_resume_open(w, e);
}

/* Returns false for most entries, which is_open would return false for, too. */
static TRX_HOT bool may_be_open(const struct spot *e)
{
    return e->links->following == NONE || e->effect == TRX_RELINQUISHES ||
           (e->effect == TRX_RESUMES && e->step->next == TRX_IDLE);
}

/* Finds the next context of an entry at the time `ticks`. */
static TRX_HOT void walk_entry(struct trx_plan_walk *w, const struct spot *e, uint64_t ticks)
{
    struct core_state *core = e->core;
    if (TRX_RARELY(w->ready != NULL)) {
        note_waits(w, e->index);
    }
    e->step->next =
        (uint16_t)(trx_is_thread(e->context) ? next_in_thread(w, e) : next_outside(w, e));
    if (core->last != NONE && core->last >= w->d->plan.beginning) {
        derive_running(&w->steps[core->last], e->context, ticks - core->last_ticks);
    }
    core->last = e->index;
    core->last_ticks = ticks;
    core->count++;
}

/* Walks from entry `from` up to the first one that is open, which is returned. */
static TRX_HOT uint32_t walk_entries(struct trx_plan_walk *w, uint32_t from, bool usual)
{
    const struct trx_header *h = &w->d->header;
    struct trx_step *steps = w->steps;
    const struct trx_links *links = w->links + (from - w->at);
    const uint32_t end = w->end;
    struct trx_walk walk = trx_walk_begin(w->d, from);
    uint32_t i = from;
    if (i == 0 && i < end) {
        w->time = trx_time_begin(w->d, trx_stamp_at(w->d, walk.at));
    }
    struct trx_time time = w->time;
    for (; i < end; i++, links++, trx_walk_next(&walk)) {
        uint32_t word = steps[i].context;
        struct spot e = {.step = &steps[i],
                         .links = links,
                         .core = &w->cores[trx_step_core(word)],
                         .index = i,
                         .context = word & TRX_STEP_CONTEXT,
                         .effect = trx_step_effect(word)};
        if (TRX_RARELY(may_be_open(&e))) {
            const struct spot copy = e; /* so that `e` is in registers */
            if (is_open(w, &copy)) {
                break;
            }
        }
        trx_time_step(&time, usual, trx_word_if(usual, h, walk.at, TRX_WORD_EVENT),
                      trx_word_if(usual, h, walk.at, TRX_WORD_STAMP));
        walk_entry(w, &e, time.ticks);
    }
    w->time = time;
    return i;
}

/*
 * Walks the entries of the piece that show the beginning of an excerpt, whose time is that of the first: a
 * RELINQUISH has the occupant of its core, and ISR_ENTER an open interrupt. Returns the first other entry.
 */
static TRX_RARE uint32_t walk_beginning(struct trx_plan_walk *w)
{
    const uint32_t end = w->end < w->d->plan.beginning ? w->end : w->d->plan.beginning;
    if (w->at == 0) {
        w->time = trx_time_begin(w->d, trx_stamp_at(w->d, entry_at(w, 0)));
    }
    uint32_t i = w->at;
    for (; i < end; i++) {
        struct trx_step *step = &w->steps[i];
        struct core_state *core = &w->cores[trx_step_core(step->context)];
        const enum trx_effect effect = trx_step_effect(step->context);
        core->nesting += effect == TRX_ENTERS;
        core->current = effect == TRX_RELINQUISHES ? step->subject : core->current;
        step->next = (uint16_t)(core->nesting > 0 ? TRX_ISR : core->current);
        core->last = i;
        core->last_ticks = w->time.ticks;
        core->count++;
        if (w->ready) {
            note_waits(w, i);
        }
    }
    return i;
}

/* Returns the first entry that was not walked. */
static uint32_t walk_piece(struct trx_plan_walk *w)
{
    const uint32_t from = TRX_RARELY(w->at < w->d->plan.beginning) ? walk_beginning(w) : w->at;
    return trx_is_usual(&w->d->header) ? walk_entries(w, from, true) : walk_entries(w, from, false);
}

/* ---- pieces ------------------------------------------------------------------------------- */

void trx_plan_walk_free(struct trx_plan_walk *w)
{
    if (w) {
        free(w->links);
        free(w->far);
        free(w->upcoming);
        free(w->ready);
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
    w->ready = d->plan.cores > 1 ? calloc(TRX_CONTEXTS_MAX, sizeof *w->ready) : NULL;
    if (d->plan.cores > 1 && !w->ready) {
        free(w);
        return NULL;
    }
    w->steps = d->plan.steps;
    w->piece = d->plan.piece != 0 ? d->plan.piece : PIECE_ENTRIES;
    for (size_t i = 0; i < TRX_CORES; i++) {
        w->cores[i].last = w->cores[i].learned = NONE;
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

static bool reserve(struct trx_plan_walk *w, uint32_t count)
{
    if (count <= w->capacity) {
        return true;
    }
    struct trx_links *links = realloc(w->links, count * sizeof *links);
    w->links = links ? links : w->links;
    struct far_links *far = links ? realloc(w->far, count * sizeof *far) : NULL;
    w->far = far ? far : w->far;
    w->capacity = far ? count : w->capacity;
    return far != NULL;
}

/* Learns from the entries from index `from` to the end of the piece. */
static bool learn(struct trx_plan_walk *w, uint32_t from)
{
    struct trx_links *last[TRX_CORES], none;
    for (unsigned i = 0; i < TRX_CORES; i++) {
        uint32_t learned = w->cores[i].learned;
        last[i] = learned != NONE && learned >= w->at ? &w->links[learned - w->at] : &none;
    }
    if (!trx_learn(w->d, &w->cache, from, w->end, w->links + (from - w->at), last)) {
        return false;
    }
    for (unsigned i = 0; i < TRX_CORES; i++) {
        w->cores[i].learned = last[i] != &none ? w->at + (uint32_t)(last[i] - w->links) : NONE;
    }
    return make_upcoming(w);
}

static bool begin_piece(struct trx_plan_walk *w)
{
    uint32_t left = w->d->plan.entries - w->at, known = w->end - w->at;
    uint32_t count = w->piece < left ? w->piece : left;
    if (known > 0) {
        memmove(w->links, w->links + (w->at - w->begin), known * sizeof *w->links);
    }
    w->begin = w->at;
    w->far_from = w->answered = NONE;
    w->searches = count;
    if (!reserve(w, count)) {
        return false;
    }
    if (w->at + count > w->end) {
        uint32_t learned = w->end;
        w->end = w->at + count;
        return learn(w, learned);
    }
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
