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
static const uint8_t *trx_next_context_entry_at(const struct trx_plan_walk *walk, uint32_t index)
{
    return trx_entry_at(walk->d, index);
}

static inline uint64_t trx_next_context_word_of(const struct trx_plan_walk *walk,
                                                const uint8_t *entry, unsigned i)
{
    return trx_word(&walk->d->header, entry, i);
}

static inline uint32_t trx_next_context_context_of(const struct trx_plan_walk *walk, uint32_t index)
{
    return walk->steps[index].context & TRX_STEP_CONTEXT;
}

/* Links the entries of the piece from entry `from` on, unless that was done. */
static TRX_RARE void link_far(struct trx_plan_walk *walk, uint32_t from)
{
    uint32_t in_thread[TRX_CORES];
    if (walk->far_from != NONE) {
        return;
    }
    walk->far_from = from;
    memset(in_thread, 0xff, sizeof in_thread);
    memset(walk->upcoming, 0xff,
           (size_t)walk->d->plan.cores * walk->contexts * sizeof *walk->upcoming);
    for (uint32_t i = walk->end; i-- > from;) {
        uint32_t word = walk->steps[i].context, core = trx_step_core(word);
        uint32_t context = word & TRX_STEP_CONTEXT;
        uint32_t *next = &walk->upcoming[(size_t)core * walk->contexts + context];
        walk->far[i - walk->at] = (struct far_links){.in_thread = in_thread[core], .same = *next};
        *next = i;
        in_thread[core] = trx_is_thread(context) ? i : in_thread[core];
    }
}

/* Returns the next entry of the core of entry `index` in the context of a thread; NONE: not in the piece. */
static TRX_RARE uint32_t entry_in_thread(struct trx_plan_walk *walk, uint32_t index)
{
    uint32_t i = walk->links[index - walk->at].following;
    for (; walk->searches > 0; walk->searches--) {
        if (i == NONE || trx_is_thread(trx_next_context_context_of(walk, i))) {
            return i;
        }
        i = walk->links[i - walk->at].following;
    }
    link_far(walk, index);
    return walk->far[index - walk->at].in_thread;
}

/* Returns the next entry of a core after entry `index` with a context, by the far links. */
static uint32_t entry_with(struct trx_plan_walk *walk, uint32_t core, uint32_t context,
                           uint32_t index)
{
    uint32_t *upcoming = &walk->upcoming[(size_t)core * walk->contexts + context];
    while (*upcoming != NONE && *upcoming <= index) {
        *upcoming = walk->far[*upcoming - walk->at].same;
    }
    return *upcoming;
}

/*
 * Returns which of two threads has the next entry of a core after entry `index`, which is of this core;
 * TRX_NO_CONTEXT: neither in the piece. Contexts that are no threads have none.
 */
static TRX_RARE uint32_t trx_next_context_first_of(struct trx_plan_walk *walk, uint32_t core,
                                                   uint32_t index, const uint32_t threads[2])
{
    uint32_t i = walk->links[index - walk->at].following;
    for (; walk->searches > 0; walk->searches--) {
        uint32_t context = i != NONE ? trx_next_context_context_of(walk, i) : TRX_NO_CONTEXT;
        bool is_one = context == threads[0] || context == threads[1];
        if (i == NONE || (is_one && trx_is_thread(context))) {
            return context;
        }
        i = walk->links[i - walk->at].following;
    }
    uint32_t entries[2];
    link_far(walk, index);
    for (unsigned k = 0; k < 2; k++) {
        entries[k] = trx_is_thread(threads[k]) ? entry_with(walk, core, threads[k], index) : NONE;
    }
    uint32_t first = entries[0] <= entries[1] ? 0 : 1;
    return entries[first] != NONE ? threads[first] : TRX_NO_CONTEXT;
}

/* ---- entries in a thread's context -------------------------------------------------------- */

/* Returns whether a SUSPEND is that of its own thread; all contexts of the crowd have one number. */
static inline bool is_of_itself(const struct trx_plan_walk *walk, const struct spot *spot)
{
    if (TRX_RARELY(spot->context == TRX_CROWD)) {
        const uint8_t *at = trx_next_context_entry_at(walk, spot->index);
        return trx_next_context_word_of(walk, at, TRX_WORD_INFO) ==
               trx_next_context_word_of(walk, at, TRX_WORD_CONTEXT);
    }
    return spot->step->subject == spot->context;
}

static TRX_HOT uint32_t after_resume(struct trx_plan_walk *walk, const struct spot *spot)
{
    if (spot->step->next != TRX_IDLE) {
        return spot->step->next;
    }
    uint32_t later = entry_in_thread(walk, spot->index);
    return later != NONE && trx_next_context_context_of(walk, later) == spot->step->subject
               ? spot->step->subject
               : spot->context;
}

/* Returns whether an entry of this core between two others resumes or suspends `thread`. */
static bool changes_between(const struct trx_plan_walk *walk, const struct spot *from, uint32_t to,
                            uint64_t thread)
{
    for (uint32_t i = from->links->following; i != NONE && i < to;
         i = walk->links[i - walk->at].following) {
        enum trx_effect effect = trx_step_effect(walk->steps[i].context);
        if ((effect == TRX_RESUMES || effect == TRX_SUSPENDS) &&
            trx_next_context_word_of(walk, trx_next_context_entry_at(walk, i), TRX_WORD_INFO) ==
                thread) {
            return true;
        }
    }
    return false;
}

static TRX_RARE uint32_t after_relinquish(struct trx_plan_walk *walk, const struct spot *spot)
{
    if (spot->step->subject != TRX_IDLE) {
        return spot->step->subject;
    }
    uint32_t later = entry_in_thread(walk, spot->index);
    uint32_t taker = later != NONE ? trx_next_context_context_of(walk, later) : spot->context;
    bool changes = taker == spot->context ||
                   changes_between(walk, spot, later, walk->d->contexts.items[taker].address);
    return changes ? spot->context : taker;
}

/* Returns whether a thread can not run after entry `index`, this one or before, since it waits then. */
static inline bool is_waiting(const struct trx_plan_walk *walk, uint32_t context, uint32_t index)
{
    return TRX_RARELY(walk->ready != NULL) && walk->ready[context] > index;
}

/* Notes what an entry shows of the waits of threads. */
static TRX_RARE void note_waits(struct trx_plan_walk *walk, uint32_t index)
{
    const struct trx_step *step = &walk->steps[index];
    const enum trx_effect effect = trx_step_effect(step->context);
    if (index >= walk->d->plan.beginning) {
        const uint32_t context = step->context & TRX_STEP_CONTEXT;
        walk->ready[context] = walk->ready[context] == NONE ? index : walk->ready[context];
    }
    if (step->subject < TRX_FIRST_THREAD) {
        return;
    }
    if (effect == TRX_SUSPENDS &&
        trx_next_context_word_of(walk, trx_next_context_entry_at(walk, index), TRX_WORD_INFO + 1) !=
            TRX_CODE_PRIORITY) {
        walk->ready[step->subject] = NONE;
    } else if (effect == TRX_RESUMES && walk->ready[step->subject] == NONE) {
        walk->ready[step->subject] = index;
    }
}

static TRX_HOT uint32_t after_suspend(const struct trx_plan_walk *walk, const struct spot *spot)
{
    uint32_t following = spot->links->following;
    if (TRX_RARELY(is_waiting(walk, spot->context, spot->index))) {
        return spot->step->next != spot->context ? spot->step->next : TRX_IDLE;
    }
    /* With priority inheritance the thread is suspended formally and continues. */
    if (is_of_itself(walk, spot) && following != NONE &&
        trx_next_context_context_of(walk, following) == spot->context) {
        return spot->context;
    }
    return spot->step->next;
}

static TRX_HOT uint32_t after_other(const struct trx_plan_walk *walk, const struct spot *spot)
{
    uint32_t following = spot->links->following;
    uint32_t next =
        following != NONE ? trx_next_context_context_of(walk, following) : spot->context;
    return trx_is_thread(next) && !is_waiting(walk, next, spot->index) ? next : spot->context;
}

static TRX_HOT uint32_t next_in_thread(struct trx_plan_walk *walk, const struct spot *spot)
{
    uint32_t next;
    if (spot->effect == TRX_SUSPENDS) {
        next = after_suspend(walk, spot);
    } else if (spot->effect == TRX_RESUMES) {
        next = after_resume(walk, spot);
    } else if (spot->effect == TRX_RELINQUISHES) {
        const struct spot copy = *spot;
        next = after_relinquish(walk, &copy);
    } else {
        next = after_other(walk, spot);
    }
    spot->core->nesting = 0;
    spot->core->current = next;
    return next;
}

/* ---- entries in an interrupt or during initialization ------------------------------------- */

/*
 * Returns the last entry of the place that a core and a context have in the table of last entries, as its
 * index + 1; UINT32_MAX: any, since all contexts of the crowd have one number.
 */
static uint32_t last_of_pair(const struct trx_plan_walk *walk, uint32_t core, uint32_t context)
{
    const struct trx_last_entries *last = &walk->d->plan.last;
    uint64_t address = walk->d->contexts.items[context].address;
    return !trx_is_thread(context) ? 0
           : context == TRX_CROWD  ? UINT32_MAX
                                   : last->of_pair[trx_pair_place(last->shift, core, address)];
}

/*
 * Returns whether the entry before `last`, from last_of_pair, is of this core and context: the place may
 * have that of others with the same hash.
 */
static bool is_of_pair(const struct trx_plan_walk *walk, uint32_t last, uint32_t core,
                       uint32_t context)
{
    if (context == TRX_CROWD || last == 0) {
        return false;
    }
    const uint8_t *entry = trx_next_context_entry_at(walk, last - 1);
    uint32_t number = trx_core_of(trx_next_context_word_of(walk, entry, TRX_WORD_EVENT));
    return trx_next_context_word_of(walk, entry, TRX_WORD_CONTEXT) ==
               walk->d->contexts.items[context].address &&
           (number == TRX_NO_CORE ? 0 : number) == core;
}

/*
 * Returns the thread on a core after its entry `index`, an interrupt, resumed one, for kernels that do not
 * record it: the one of both that has the next entry. TRX_NO_CONTEXT if that depends on entries after the
 * piece.
 */
static uint32_t find_after_resume(struct trx_plan_walk *walk, uint32_t core, uint32_t index,
                                  uint32_t current, uint32_t resumed)
{
    const uint32_t threads[] = {current, resumed};
    const uint32_t last = last_of_pair(walk, core, resumed);
    if (resumed == current || last <= index + 1) {
        return current;
    }
    const bool comes = is_of_pair(walk, last, core, resumed);
    const uint32_t last_of_current = last_of_pair(walk, core, current);
    if (comes && last_of_current <= index + 1) {
        return resumed;
    }
    uint32_t first = trx_next_context_first_of(walk, core, index, threads);
    if (first != TRX_NO_CONTEXT) {
        return first;
    }
    if (walk->d->plan.last.of_core[core] <= walk->end || last <= walk->end) {
        return current;
    }
    return last_of_current <= walk->end && comes ? resumed : TRX_NO_CONTEXT;
}

/* Returns the same; the rules ask for it twice. */
static TRX_RARE uint32_t thread_after_resume(struct trx_plan_walk *walk, uint32_t core,
                                             uint32_t index, uint32_t current, uint32_t resumed)
{
    if (walk->answered != index) {
        walk->answered = index;
        walk->answer = find_after_resume(walk, core, index, current, resumed);
    }
    return walk->answer;
}

/*
 * Returns the thread that an entry's interrupt interrupted, if the entry has it; otherwise TRX_IDLE. TraceX
 * requires a second entry before it.
 */
static TRX_HOT uint32_t interrupted_by(const struct trx_plan_walk *walk, const struct spot *spot)
{
    bool has = spot->links->interrupted != TRX_IDLE && spot->core->count > 1 &&
               trx_next_context_context_of(walk, spot->core->last) != TRX_ISR;
    return has ? spot->links->interrupted : TRX_IDLE;
}

/*
 * Returns the thread on the core after a RESUME when `current` was on it; TRX_NO_CONTEXT as above. All
 * kernels for several cores record it: none means that the core stays idle.
 */
static inline uint32_t current_after_resume(struct trx_plan_walk *walk, const struct spot *spot,
                                            uint32_t current)
{
    return spot->step->next != TRX_IDLE || walk->ready != NULL
               ? spot->step->next
               : thread_after_resume(walk, trx_step_core(spot->step->context), spot->index, current,
                                     spot->step->subject);
}

static TRX_HOT void follow_interrupt(struct trx_plan_walk *walk, const struct spot *spot)
{
    struct core_state *core = spot->core;
    switch ((enum trx_effect)spot->effect) {
    case TRX_ENTERS:
        core->nesting++;
        break;
    case TRX_LEAVES:
        core->nesting -= core->nesting > 0;
        break;
    case TRX_SUSPENDS:
        core->current = spot->step->next;
        break;
    case TRX_SLICES:
        core->current = spot->step->subject;
        break;
    case TRX_RESUMES:
        core->current = current_after_resume(walk, spot, core->current);
        break;
    default:
        break;
    }
}

/* Returns the thread on the core, unless it waits: the core is idle then. */
static inline uint32_t current_of(const struct trx_plan_walk *walk, const struct spot *spot)
{
    const uint32_t current = spot->core->current;
    return is_waiting(walk, current, spot->index) ? TRX_IDLE : current;
}

static TRX_HOT uint32_t next_outside(struct trx_plan_walk *walk, const struct spot *spot)
{
    uint32_t interrupted = interrupted_by(walk, spot), following = spot->links->following;
    if (interrupted != TRX_IDLE) {
        spot->core->current = interrupted;
        if (!is_waiting(walk, interrupted, spot->core->last)) {
            walk->steps[spot->core->last].next = (uint16_t)interrupted;
        }
    }
    follow_interrupt(walk, spot);
    if (spot->core->nesting > 0) {
        return spot->context;
    }
    if (following == NONE) {
        return current_of(walk, spot);
    }
    uint32_t word = walk->steps[following].context, then = word & TRX_STEP_CONTEXT;
    if (then == TRX_ISR && trx_step_effect(word) != TRX_RESUMES) {
        then = walk->links[following - walk->at].interrupted;
        then = then != TRX_IDLE ? then : spot->core->current;
    }
    return is_waiting(walk, then, spot->index) ? current_of(walk, spot) : then;
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
static TRX_RARE bool is_resume_open(struct trx_plan_walk *walk, const struct spot *spot)
{
    uint32_t interrupted = interrupted_by(walk, spot);
    uint32_t current = interrupted != TRX_IDLE ? interrupted : spot->core->current;
    return current_after_resume(walk, spot, current) == TRX_NO_CONTEXT;
}

/*
 * Returns whether the rules for an entry need one after the piece: the next of its core, or of
 * certain threads.
 */
static TRX_RARE bool trx_next_context_is_open(struct trx_plan_walk *walk, const struct spot *spot)
{
    if (walk->end == walk->d->plan.entries ||
        walk->d->plan.last.of_core[trx_step_core(spot->step->context)] <= walk->end) {
        return false;
    }
    if (spot->links->following == NONE) {
        return true;
    }
    if (trx_is_thread(spot->context)) {
        return ((spot->effect == TRX_RESUMES && spot->step->next == TRX_IDLE) ||
                (spot->effect == TRX_RELINQUISHES && spot->step->subject == TRX_IDLE)) &&
               entry_in_thread(walk, spot->index) == NONE;
    }
    return spot->effect == TRX_RESUMES && is_resume_open(walk, spot);
}

/* Returns false for most entries, which is_open would return false for, too. */
static TRX_HOT bool may_be_open(const struct spot *spot)
{
    return spot->links->following == NONE || spot->effect == TRX_RELINQUISHES ||
           (spot->effect == TRX_RESUMES && spot->step->next == TRX_IDLE);
}

/* Finds the next context of an entry at the time `ticks`. */
static TRX_HOT void walk_entry(struct trx_plan_walk *walk, const struct spot *spot, uint64_t ticks)
{
    struct core_state *core = spot->core;
    if (TRX_RARELY(walk->ready != NULL)) {
        note_waits(walk, spot->index);
    }
    spot->step->next = (uint16_t)(trx_is_thread(spot->context) ? next_in_thread(walk, spot)
                                                               : next_outside(walk, spot));
    if (core->last != NONE && core->last >= walk->d->plan.beginning) {
        derive_running(&walk->steps[core->last], spot->context, ticks - core->last_ticks);
    }
    core->last = spot->index;
    core->last_ticks = ticks;
    core->count++;
}

/* Walks from entry `from` up to the first one that is open, which is returned. */
static TRX_HOT uint32_t walk_entries(struct trx_plan_walk *trx_plan_walk, uint32_t from, bool usual)
{
    const struct trx_header *header = &trx_plan_walk->d->header;
    struct trx_step *steps = trx_plan_walk->steps;
    const struct trx_links *links = trx_plan_walk->links + (from - trx_plan_walk->at);
    const uint32_t end = trx_plan_walk->end;
    struct trx_walk walk = trx_walk_begin(trx_plan_walk->d, from);
    uint32_t i = from;
    if (i == 0 && i < end) {
        trx_plan_walk->time =
            trx_time_begin(trx_plan_walk->d, trx_stamp_at(trx_plan_walk->d, walk.at));
    }
    struct trx_time time = trx_plan_walk->time;
    for (; i < end; i++, links++, trx_walk_next(&walk)) {
        uint32_t word = steps[i].context;
        struct spot e = {.step = &steps[i],
                         .links = links,
                         .core = &trx_plan_walk->cores[trx_step_core(word)],
                         .index = i,
                         .context = word & TRX_STEP_CONTEXT,
                         .effect = trx_step_effect(word)};
        if (TRX_RARELY(may_be_open(&e))) {
            const struct spot copy = e; /* so that `e` is in registers */
            if (trx_next_context_is_open(trx_plan_walk, &copy)) {
                break;
            }
        }
        trx_time_step(&time, usual, trx_word_if(usual, header, walk.at, TRX_WORD_EVENT),
                      trx_word_if(usual, header, walk.at, TRX_WORD_STAMP));
        walk_entry(trx_plan_walk, &e, time.ticks);
    }
    trx_plan_walk->time = time;
    return i;
}

/*
 * Walks the entries of the piece that show the beginning of an excerpt, whose time is that of the first: a
 * RELINQUISH has the occupant of its core, and ISR_ENTER an open interrupt. Returns the first other entry.
 */
static TRX_RARE uint32_t walk_beginning(struct trx_plan_walk *walk)
{
    const uint32_t end = walk->end < walk->d->plan.beginning ? walk->end : walk->d->plan.beginning;
    if (walk->at == 0) {
        walk->time =
            trx_time_begin(walk->d, trx_stamp_at(walk->d, trx_next_context_entry_at(walk, 0)));
    }
    uint32_t i = walk->at;
    for (; i < end; i++) {
        struct trx_step *step = &walk->steps[i];
        struct core_state *core = &walk->cores[trx_step_core(step->context)];
        const enum trx_effect effect = trx_step_effect(step->context);
        core->nesting += effect == TRX_ENTERS;
        core->current = effect == TRX_RELINQUISHES ? step->subject : core->current;
        step->next = (uint16_t)(core->nesting > 0 ? TRX_ISR : core->current);
        core->last = i;
        core->last_ticks = walk->time.ticks;
        core->count++;
        if (walk->ready) {
            note_waits(walk, i);
        }
    }
    return i;
}

/* ---- pieces ------------------------------------------------------------------------------- */

void trx_plan_walk_free(struct trx_plan_walk *walk)
{
    if (walk) {
        free(walk->links);
        free(walk->far);
        free(walk->upcoming);
        free(walk->ready);
        free(walk);
    }
}

/* Owned by the plan, so that a mapping fault leaks nothing. */
static struct trx_plan_walk *new_walk(struct trx_decoder *decoder)
{
    struct trx_plan_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        return NULL;
    }
    walk->d = decoder;
    walk->ready = decoder->plan.cores > 1 ? calloc(TRX_CONTEXTS_MAX, sizeof *walk->ready) : NULL;
    if (decoder->plan.cores > 1 && !walk->ready) {
        free(walk);
        return NULL;
    }
    walk->steps = decoder->plan.steps;
    walk->piece = decoder->plan.piece != 0 ? decoder->plan.piece : PIECE_ENTRIES;
    for (size_t i = 0; i < TRX_CORES; i++) {
        walk->cores[i].last = walk->cores[i].learned = NONE;
    }
    return walk;
}

static bool trx_next_context_reserve(struct trx_plan_walk *walk, uint32_t count)
{
    if (count <= walk->capacity) {
        return true;
    }
    struct trx_links *links = realloc(walk->links, count * sizeof *links);
    walk->links = links ? links : walk->links;
    struct far_links *far = links ? realloc(walk->far, count * sizeof *far) : NULL;
    walk->far = far ? far : walk->far;
    walk->capacity = far ? count : walk->capacity;
    return far != NULL;
}

/* Learns from the entries from index `from` to the end of the piece. */
static bool learn(struct trx_plan_walk *walk, uint32_t from)
{
    struct trx_links *last[TRX_CORES], none;
    for (unsigned i = 0; i < TRX_CORES; i++) {
        uint32_t learned = walk->cores[i].learned;
        last[i] = learned != NONE && learned >= walk->at ? &walk->links[learned - walk->at] : &none;
    }
    if (!trx_learn(walk->d, &walk->cache, from, walk->end, walk->links + (from - walk->at), last)) {
        return false;
    }
    for (unsigned i = 0; i < TRX_CORES; i++) {
        walk->cores[i].learned =
            last[i] != &none ? walk->at + (uint32_t)(last[i] - walk->links) : NONE;
    }

    /*
     * Makes room for the contexts that are known now; the next pieces cost more than clearing it.
     */
    walk->contexts = trx_context_count(walk->d);
    size_t places = (size_t)walk->d->plan.cores * walk->contexts;
    if (places > walk->places) {
        free(walk->upcoming);
        walk->places = places * 2;
        walk->upcoming = malloc(walk->places * sizeof *walk->upcoming);
    }
    if (walk->d->plan.piece == 0 && places > walk->piece) {
        walk->piece = (uint32_t)places;
    }
    return walk->upcoming != NULL;
}

static bool begin_piece(struct trx_plan_walk *walk)
{
    uint32_t left = walk->d->plan.entries - walk->at, known = walk->end - walk->at;
    uint32_t count = walk->piece < left ? walk->piece : left;
    if (known > 0) {
        memmove(walk->links, walk->links + (walk->at - walk->begin), known * sizeof *walk->links);
    }
    walk->begin = walk->at;
    walk->far_from = walk->answered = NONE;
    walk->searches = count;
    if (!trx_next_context_reserve(walk, count)) {
        return false;
    }
    if (walk->at + count > walk->end) {
        uint32_t learned = walk->end;
        walk->end = walk->at + count;
        return learn(walk, learned);
    }
    return true;
}

/* Returns the number of complete steps. */
static uint32_t count_complete(const struct trx_plan_walk *walk)
{
    uint32_t complete = walk->at;
    if (complete == walk->d->plan.entries) {
        return complete;
    }
    for (size_t i = 0; i < TRX_CORES; i++) {
        uint32_t last = walk->cores[i].last;
        if (last < complete && walk->d->plan.last.of_core[i] != last + 1) {
            complete = last;
        }
    }
    return complete;
}

void trx_plan_piece(struct trx_decoder *decoder, uint32_t entries)
{
    decoder->plan.piece = entries;
}

bool trx_plan_extend(struct trx_decoder *decoder)
{
    struct trx_plan *plan = &decoder->plan;
    uint32_t before = atomic_load_explicit(&decoder->ready, memory_order_relaxed), ready = before;
    plan->walk = plan->walk ? plan->walk : new_walk(decoder);
    struct trx_plan_walk *walk = plan->walk;
    while (walk && ready == before && ready < plan->entries) {
        if (!begin_piece(walk)) {
            return false;
        }

        /* The first entry that was not walked. */
        const uint32_t from =
            TRX_RARELY(walk->at < walk->d->plan.beginning) ? walk_beginning(walk) : walk->at;
        uint32_t walked = trx_is_usual(&walk->d->header) ? walk_entries(walk, from, true)
                                                         : walk_entries(walk, from, false);

        if (walked - walk->at <= walk->piece / 2 && walk->piece < plan->entries) {
            walk->piece *= 2;
        }
        walk->at = walked;
        ready = count_complete(walk);
    }
    if (!walk) {
        return false;
    }
    atomic_store_explicit(&decoder->ready, ready, memory_order_release);
    if (ready == plan->entries) {
        trx_plan_walk_free(walk);
        plan->walk = NULL;
        atomic_store_explicit(&decoder->planned, true, memory_order_release);
    }
    return true;
}
