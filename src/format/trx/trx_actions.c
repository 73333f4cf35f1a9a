/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_actions: what entries mean for threads and cores.
 *
 *  At each entry the core switches from its occupant to the entry's context, and after the entry to
 * the next context that the ring scan found:
 *
 *       entry i-1            entry i                      entry i+1
 *       |   next of i-1       | context of i | next of i   |
 *
 *  A switch to an interrupt leaves the interrupted thread in place; a switch from one thread to
 * another is a SWITCH action. A core without a thread is idle: a switch to TT_NO_THREAD.
 *
 *  Another core may take the thread off a core, without an entry of that core: it runs there (TRX_LEFT
 * remains), or suspends it. Which thread has the core then is not known before its next entry.
 *
 *  An excerpt begins with entries that show states, occupants and interrupts that are older.
 */
#include "format/trx/trx_decode.h"
#include "tracetui/object_kind.h"

#define DEPTH_MAX 4u /* interrupts nested deeper count as one */

/*
 * Handlers of frequent effects: trx_act jumps to them, and each saves only the registers that it uses.
 */
#if defined(__GNUC__)
#define HANDLER static __attribute__((noinline))
#else
#define HANDLER static
#endif

static inline struct tt_action *add(struct trx_scene *s, unsigned kind, uint32_t thread)
{
    return tt_action_out_next(&s->out, s->event, kind, thread, (uint16_t)s->core);
}

/* Returns an information word of the entry. */
static inline uint64_t info(const struct trx_scene *s, unsigned i)
{
    return trx_word(s->header, s->at, TRX_WORD_INFO + i);
}

static inline uint32_t context_of(const struct trx_scene *s)
{
    return s->step.context & TRX_STEP_CONTEXT;
}

static inline uint32_t lane(const struct trx_scene *s, uint32_t context)
{
    return s->items[context].thread;
}

/* Returns the lane of the thread on the core. */
static inline uint32_t lane_below(const struct trx_scene *s)
{
    uint32_t thread = s->occupant->thread;
    return thread < TRX_LEFT ? lane(s, thread) : TT_NO_THREAD;
}

static inline void add_state(struct trx_scene *s, uint32_t thread, uint16_t state, uint64_t before)
{
    struct tt_action *action = add(s, TT_ACTION_STATE, thread);
    action->state = state;
    action->value = before;
}

/* ---- occupant of the core --------------------------------------------------------------- */

HANDLER void leave_interrupts(struct trx_scene *s)
{
    for (; s->occupant->depth > 0; s->occupant->depth--) {
        add(s, TT_ACTION_INTERRUPT_LEAVE, lane_below(s));
    }
}

HANDLER void enter_interrupt(struct trx_scene *s, uint64_t number)
{
    if (s->occupant->depth == DEPTH_MAX) {
        return;
    }
    s->occupant->depth++;
    add(s, TT_ACTION_INTERRUPT_ENTER, lane_below(s))->value = number;
}

/*
 * Returns the state in which a thread leaves its core: that of its SUSPEND, otherwise ready, since
 * a ThreadX thread blocks only with a SUSPEND. Returns 0 (unknown) if SUSPEND events were not
 * recorded.
 */
static uint16_t leaving_state(const struct trx_scene *s)
{
    if (s->occupant->leaves != 0) {
        return s->occupant->leaves;
    }
    return s->cursor->d->plan.has_internal ? TRX_STATE_READY : 0;
}

/* Takes a thread that runs on this core now off the others. */
static TRX_RARE void leave_other_cores(struct trx_scene *s, uint32_t thread)
{
    for (uint32_t i = 0; i < s->cursor->d->plan.cores; i++) {
        struct trx_occupant *other = &s->cursor->cores[i];
        if (other != s->occupant && other->thread == thread) {
            other->thread = TRX_LEFT;
            other->leaves = 0;
        }
    }
}

HANDLER void switch_thread(struct trx_scene *s, uint32_t to)
{
    struct trx_occupant *occupant = s->occupant;
    if (s->cursor->d->plan.cores > 1 && to >= TRX_FIRST_THREAD) {
        leave_other_cores(s, to);
    }
    if (occupant->thread == TRX_NO_CONTEXT) {
        /* The first thread on this core: it runs, but its predecessor is unknown. */
        if (to != TRX_IDLE) {
            struct tt_action *action = add(s, TT_ACTION_STATE, lane(s, to));
            action->state = TRX_STATE_RUNNING;
            action->flags = TT_ACTION_RAN_BEFORE;
        }
    } else {
        struct tt_action *action = add(s, TT_ACTION_SWITCH, lane(s, to));
        action->other = lane_below(s);
        action->state = leaving_state(s);
    }
    occupant->thread = to;
    occupant->leaves = 0;
}

static inline void switch_to(struct trx_scene *s, uint32_t to)
{
    if (to == TRX_ISR) {
        if (s->occupant->depth == 0) {
            enter_interrupt(s, 0);
        }
        return;
    }
    if (s->occupant->depth > 0) {
        leave_interrupts(s);
    }
    if (s->occupant->thread != to) {
        switch_thread(s, to);
    }
}

HANDLER void leave_interrupt(struct trx_scene *s)
{
    s->occupant->depth--;
    add(s, TT_ACTION_INTERRUPT_LEAVE, lane_below(s))->value = info(s, 1);
}

/* Switches to an interrupt as the entry's own context; an ISR_ENTER has its number. */
static inline void switch_to_interrupt(struct trx_scene *s, enum trx_effect effect)
{
    if (effect == TRX_ENTERS) {
        enter_interrupt(s, info(s, 1));
        return;
    }
    switch_to(s, TRX_ISR);
    if (effect == TRX_LEAVES && s->occupant->depth > 1) {
        leave_interrupt(s);
    }
}

/* Returns the occupant entry of the first core that runs `context`, or NULL. */
static inline struct trx_occupant *core_of(const struct trx_scene *s, uint32_t context)
{
    struct trx_occupant *cores = s->cursor->cores, *found = NULL;
    /* All cores without a branch: which one it is can not be predicted. */
    for (uint32_t i = s->cursor->d->plan.cores; i-- > 0;) {
        found = cores[i].thread == context ? &cores[i] : found;
    }
    return found;
}

/* ---- single events ---------------------------------------------------------------------- */

static uint16_t state_of(uint64_t code)
{
    return code < TRX_STATE_CODES ? TRX_STATE_OF(code) : 0;
}

HANDLER void act_suspend(struct trx_scene *s)
{
    uint32_t context = s->step.subject;
    if (context < TRX_FIRST_THREAD || info(s, 1) == TRX_CODE_PRIORITY) {
        return; /* a priority change leaves the state as it is */
    }
    uint16_t state = state_of(info(s, 1));
    struct trx_occupant *occupant = core_of(s, context);
    if (!occupant) {
        add_state(s, lane(s, context), state, 0);
    } else if (occupant != s->occupant) {
        occupant->thread = TRX_LEFT;
        occupant->leaves = 0;
        add_state(s, lane(s, context), state, 0);
    } else if (s->step.next != context) {
        occupant->leaves = state;
        /* If the thread leaves at once, the switch has its state; otherwise it is set here. */
        if (occupant->depth > 0) {
            add_state(s, lane(s, context), state, 0);
        }
    }
}

static inline void act_resume(struct trx_scene *s)
{
    uint32_t context = s->step.subject;
    if (context < TRX_FIRST_THREAD || info(s, 1) == TRX_CODE_PRIORITY) {
        return;
    }
    struct trx_occupant *occupant = core_of(s, context);
    if (occupant && occupant->leaves == 0) {
        return;
    }
    if (occupant) { /* it was suspended in an interrupt, which may resume it again */
        occupant->thread = TRX_LEFT;
        occupant->leaves = 0;
    }
    uint16_t before = state_of(info(s, 1));
    if (before != TRX_STATE_READY) {
        struct tt_action *action = add(s, TT_ACTION_WAKEUP, lane(s, context));
        action->other = lane(s, context_of(s));
        action->state = TRX_STATE_READY;
    }
    add_state(s, lane(s, context), TRX_STATE_READY, before);
}

HANDLER void add_priority(struct trx_scene *s, uint32_t thread, uint64_t priority)
{
    if (thread != TT_NO_THREAD) {
        add(s, TT_ACTION_PRIORITY, thread)->priority = (int16_t)(priority & 0x3ff);
    }
}

static void act_lifetime(struct trx_scene *s, unsigned kind)
{
    uint32_t thread = lane(s, s->step.subject);
    if (thread != TT_NO_THREAD) {
        add(s, kind, thread);
    }
    if (kind == TT_ACTION_THREAD_CREATE) {
        add_priority(s, thread, info(s, 1));
    }
}

/* The kind of the object that a call waits for, by id. */
static const uint8_t object_kinds[] = {
    [TRX_ID_BLOCK_ALLOCATE] = TT_OBJECT_BLOCK_POOL,
    [TRX_ID_BYTE_ALLOCATE] = TT_OBJECT_BYTE_POOL,
    [TRX_ID_FLAGS_GET] = TT_OBJECT_FLAGS,
    [TRX_ID_SEMAPHORE_GET] = TT_OBJECT_SEMAPHORE,
};

/* Adds a request or a release of the object in the first information word by the entry's thread. */
static inline void add_call(struct trx_scene *s, unsigned kind, unsigned object, uint32_t owner)
{
    struct tt_action *action = add(s, kind, lane(s, context_of(s)));
    action->value = info(s, 0);
    action->other = owner;
    action->state = (uint16_t)object;
}

HANDLER void act_wait(struct trx_scene *s)
{
    uint32_t id = trx_id_of(trx_word(s->header, s->at, TRX_WORD_EVENT));
    add_call(s, TT_ACTION_LOCK_WAIT, id < sizeof object_kinds ? object_kinds[id] : 0, TT_NO_THREAD);
}

/* Handles a request for a mutex, unless it is free or the thread already has it. */
HANDLER void act_mutex_get(struct trx_scene *s)
{
    uint64_t owner = info(s, 2);
    if (owner != 0 && owner != trx_word(s->header, s->at, TRX_WORD_CONTEXT)) {
        add_call(s, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX, lane(s, s->step.subject));
    }
}

/* Handles a release of a mutex, which is that of the last of its locks. */
HANDLER void act_mutex_put(struct trx_scene *s)
{
    if (info(s, 2) == 1) {
        add_call(s, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, TT_NO_THREAD);
    }
}

enum { CODE_QUEUE_SUSP = 5 };

/*
 * Adds a message to a queue or takes one from it. `before`: messages in the queue; `flags`: FAILED if
 * which ones are in it is no longer known.
 */
static void add_message(struct trx_scene *s, unsigned kind, uint32_t thread, uint64_t queue,
                        uint64_t before, unsigned flags)
{
    const struct tt_capture *c = s->cursor->capture;
    struct tt_action *action = add(s, kind, thread);
    if (kind == TT_ACTION_POST && thread < tt_thread_count(c)) {
        action->other = tt_thread_at(c, thread)->process;
    }
    action->value = queue;
    action->state = (uint16_t)(before < UINT16_MAX - 1 ? before + 1 : UINT16_MAX);
    action->flags = (uint8_t)flags;
}

/*
 * Returns the number of messages that other cores hand over: the RESUME of the receiver follows the send
 * to an empty queue, and another core may send in between.
 */
static uint64_t messages_on_their_way(const struct trx_scene *s, uint64_t queue)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->cursor->d->plan.cores; i++) {
        const struct trx_occupant *other = &s->cursor->cores[i];
        count += other != s->occupant && other->sent == queue;
    }
    return count;
}

/* Handles a send to a queue. A receive from an empty queue gets its message when it is resumed. */
HANDLER void act_send(struct trx_scene *s, bool in_front)
{
    uint32_t thread = lane(s, context_of(s));
    uint64_t queue = info(s, 0), enqueued = info(s, 3);
    add_call(s, TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE, TT_NO_THREAD);
    if (!in_front || enqueued == 0) {
        uint64_t handed = messages_on_their_way(s, queue);
        add_message(s, TT_ACTION_POST, thread, queue, enqueued + handed, 0);
    } else {
        add_message(s, TT_ACTION_TAKE, thread, queue, 0, TT_ACTION_FAILED);
    }
    s->occupant->sent = enqueued == 0 ? queue : 0;
}

HANDLER void act_receive(struct trx_scene *s)
{
    uint64_t enqueued = info(s, 3);
    add_call(s, TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE, TT_NO_THREAD);
    if (enqueued > 0) {
        add_message(s, TT_ACTION_TAKE, lane(s, context_of(s)), info(s, 0), enqueued, 0);
    }
}

/* Handles a receiver that is resumed by the send of its message. */
HANDLER void act_handover(struct trx_scene *s)
{
    const struct tt_capture *c = s->cursor->capture;
    struct trx_entry entry, call;
    trx_entry_load(s->header, s->at, &entry);
    if (trx_find_call(c, s->index, c->bytes.size, &entry, &call) &&
        (trx_id_of(call.event) == TRX_ID_QUEUE_SEND ||
         trx_id_of(call.event) == TRX_ID_QUEUE_FRONT_SEND)) {
        add_message(s, TT_ACTION_TAKE, lane(s, s->step.subject), call.info[0], 1, 0);
    }
}

HANDLER void act_resumed(struct trx_scene *s)
{
    act_resume(s);
    if (info(s, 1) == CODE_QUEUE_SUSP) {
        act_handover(s);
    }
}

static TRX_RARE void act_rarely(struct trx_scene *s, enum trx_effect effect)
{
    switch (effect) {
    case TRX_CREATES:
        act_lifetime(s, TT_ACTION_THREAD_CREATE);
        break;
    case TRX_DELETES:
        act_lifetime(s, TT_ACTION_THREAD_DESTROY);
        break;
    case TRX_SETS_PRIORITY:
        add_priority(s, lane(s, s->step.subject), info(s, 1));
        break;
    case TRX_SENDS_FRONT:
        act_send(s, true);
        break;
    case TRX_CLEARS_QUEUE:
        add_message(s, TT_ACTION_TAKE, lane(s, context_of(s)), info(s, 0), 0, TT_ACTION_FAILED);
        break;
    default:
        break;
    }
}

static inline void act_event(struct trx_scene *s, enum trx_effect effect)
{
    s->occupant->sent = 0;
    switch (effect) {
    case TRX_NO_EFFECT:
    case TRX_ENTERS:
    case TRX_LEAVES:
    case TRX_SLICES:
    case TRX_RELINQUISHES:
        break;
    case TRX_SUSPENDS:
        act_suspend(s);
        break;
    case TRX_RESUMES:
        act_resumed(s);
        break;
    case TRX_WAITS:
        act_wait(s);
        break;
    case TRX_GETS_MUTEX:
        act_mutex_get(s);
        break;
    case TRX_PUTS_MUTEX:
        act_mutex_put(s);
        break;
    case TRX_SENDS:
        act_send(s, false);
        break;
    case TRX_RECEIVES:
        act_receive(s);
        break;
    default:
        act_rarely(s, effect);
        break;
    }
}

/* Makes all threads and cores unknown from the entry before the loss on. */
static TRX_RARE void add_loss(struct trx_scene *s)
{
    struct tt_action *action = add(s, TT_ACTION_LOST, TT_NO_THREAD);
    action->cpu = TT_NO_CPU;
    action->value = s->before;
    trx_cursor_forget(s->cursor);
}

/* Handles an entry that shows the beginning of an excerpt. */
static TRX_RARE void act_beginning(struct trx_scene *s, enum trx_effect effect)
{
    const uint32_t subject = s->step.subject;
    struct trx_occupant *occupant = s->occupant;
    if (effect == TRX_ENTERS) {
        enter_interrupt(s, info(s, 1));
    } else if ((effect == TRX_RESUMES || effect == TRX_SUSPENDS) && subject >= TRX_FIRST_THREAD) {
        struct tt_action *action = add(s, TT_ACTION_STATE, lane(s, subject));
        action->state = effect == TRX_RESUMES ? TRX_STATE_READY : state_of(info(s, 1));
        action->flags = TT_ACTION_RAN_BEFORE;
    } else if (effect == TRX_RELINQUISHES && occupant->thread == TRX_NO_CONTEXT) {
        if (subject == TRX_IDLE) {
            occupant->thread = TRX_LEFT;
        }
        switch_thread(s, subject);
    }
}

/* Handles the entries up to `rare`; returns whether that was all. */
static TRX_RARE bool act_first(struct trx_scene *s, uint32_t context, enum trx_effect effect)
{
    if (s->index == s->gap) {
        add_loss(s);
    }
    if (s->index >= s->cursor->d->plan.beginning) {
        return false;
    }
    if (s->step.context & TRX_STEP_PRIORITY) {
        add_priority(s, lane(s, context), trx_word(s->header, s->at, TRX_WORD_PRIORITY));
    }
    act_beginning(s, effect);
    return true;
}

void trx_note(struct trx_scene *s)
{
    const struct tt_event *event = s->event;
    if (event->thread != TT_NO_THREAD) {
        tt_action_out_next(&s->out, event, TT_ACTION_NOTE, event->thread, event->cpu)->other =
            event->type;
    }
}

void trx_act(struct trx_scene *s, struct trx_step step, struct trx_occupant *occupant)
{
    const uint32_t context = step.context & TRX_STEP_CONTEXT;
    const enum trx_effect effect = trx_step_effect(step.context);
    s->step = step;
    s->occupant = occupant;
    if (TRX_RARELY(s->index < s->rare) && act_first(s, context, effect)) {
        return;
    }
    if (context == TRX_ISR) {
        switch_to_interrupt(s, effect);
    } else {
        switch_to(s, context);
    }
    if (step.context & TRX_STEP_PRIORITY) {
        add_priority(s, lane(s, context), trx_word(s->header, s->at, TRX_WORD_PRIORITY));
    }
    act_event(s, effect);
    if (step.next != context) {
        switch_to(s, step.next);
    }
}
