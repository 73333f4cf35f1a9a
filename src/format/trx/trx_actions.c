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
 */
#include "format/trx/trx_decode.h"
#include "tracetui/object_kind.h"

#define DEPTH_MAX 4u /* interrupts nested deeper count as one */

static struct tt_action *add(const struct trx_scene *s, unsigned kind)
{
    struct tt_action *action = tt_batch_act(s->batch, s->event, kind);
    if (action) {
        action->cpu = (uint16_t)s->core;
    }
    return action;
}

/* Returns an information word of the entry. */
static inline uint64_t info(const struct trx_scene *s, unsigned i)
{
    return trx_word(s->header, s->at, TRX_WORD_INFO + i);
}

static uint32_t lane(const struct trx_scene *s, uint32_t context)
{
    return trx_context_thread(s->cursor->d, context);
}

static uint32_t context_at(const struct trx_scene *s, uint64_t address)
{
    return trx_context_cached(s->cursor->d, &s->cursor->cache, address);
}

static uint32_t lane_of(const struct trx_scene *s, uint64_t address)
{
    return lane(s, context_at(s, address));
}

static void add_state(const struct trx_scene *s, uint32_t thread, uint16_t state, uint64_t before)
{
    struct tt_action *action = add(s, TT_ACTION_STATE);
    if (action) {
        action->thread = thread;
        action->state = state;
        action->value = before;
    }
}

/* ---- occupant of the core --------------------------------------------------------------- */

static void leave_interrupts(const struct trx_scene *s)
{
    for (; s->occupant->depth > 0; s->occupant->depth--) {
        struct tt_action *action = add(s, TT_ACTION_INTERRUPT_LEAVE);
        if (action) {
            action->thread = lane(s, s->occupant->thread);
        }
    }
}

static void enter_interrupt(const struct trx_scene *s, uint64_t number)
{
    if (s->occupant->depth == DEPTH_MAX) {
        return;
    }
    s->occupant->depth++;
    struct tt_action *action = add(s, TT_ACTION_INTERRUPT_ENTER);
    if (action) {
        action->value = number;
        action->thread = lane(s, s->occupant->thread);
    }
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

static void switch_thread(const struct trx_scene *s, uint32_t to)
{
    struct trx_occupant *occupant = s->occupant;
    if (occupant->thread == TRX_NO_CONTEXT) {
        /* The first thread on this core: it runs, but its predecessor is unknown. */
        if (to != TRX_IDLE) {
            struct tt_action *action = add(s, TT_ACTION_STATE);
            if (action) {
                action->thread = lane(s, to);
                action->state = TRX_STATE_RUNNING;
                action->flags = TT_ACTION_RAN_BEFORE;
            }
        }
    } else {
        struct tt_action *action = add(s, TT_ACTION_SWITCH);
        if (action) {
            action->other = lane(s, occupant->thread);
            action->thread = lane(s, to);
            action->state = leaving_state(s);
        }
    }
    occupant->thread = to;
    occupant->leaves = 0;
}

static inline void switch_to(const struct trx_scene *s, uint32_t to)
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

/* Switches to an interrupt as the entry's own context; an ISR_ENTER has its number. */
static void switch_to_interrupt(const struct trx_scene *s)
{
    if (s->id == TRX_ID_ISR_ENTER) {
        enter_interrupt(s, info(s, 1));
        return;
    }
    switch_to(s, TRX_ISR);
    if (s->id == TRX_ID_ISR_EXIT && s->occupant->depth > 1) {
        s->occupant->depth--;
        struct tt_action *action = add(s, TT_ACTION_INTERRUPT_LEAVE);
        if (action) {
            action->value = info(s, 1);
            action->thread = lane(s, s->occupant->thread);
        }
    }
}

/* Returns the occupant entry of the first core that runs `context`, or NULL. */
static struct trx_occupant *core_of(const struct trx_scene *s, uint32_t context)
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

static void act_suspend(const struct trx_scene *s)
{
    uint32_t context = context_at(s, info(s, 0));
    if (context < TRX_FIRST_THREAD || context == TRX_NO_CONTEXT ||
        info(s, 1) == TRX_CODE_PRIORITY) {
        return; /* a priority change leaves the state as it is */
    }
    uint16_t state = state_of(info(s, 1));
    struct trx_occupant *occupant = core_of(s, context);
    if (!occupant) {
        add_state(s, lane(s, context), state, 0);
    } else if (occupant != s->occupant || s->step->next != context) {
        occupant->leaves = state;
        /* If the thread leaves at once, the switch has its state; otherwise it is set here. */
        if (occupant != s->occupant || occupant->depth > 0) {
            add_state(s, lane(s, context), state, 0);
        }
    }
}

static void act_resume(const struct trx_scene *s)
{
    uint32_t context = context_at(s, info(s, 0));
    if (context < TRX_FIRST_THREAD || context == TRX_NO_CONTEXT ||
        info(s, 1) == TRX_CODE_PRIORITY) {
        return;
    }
    struct trx_occupant *occupant = core_of(s, context);
    if (occupant) {
        occupant->leaves = 0;
        return;
    }
    uint16_t before = state_of(info(s, 1));
    if (before != TRX_STATE_READY) {
        struct tt_action *action = add(s, TT_ACTION_WAKEUP);
        if (action) {
            action->thread = lane(s, context);
            action->other = lane(s, s->context);
            action->state = TRX_STATE_READY;
        }
    }
    add_state(s, lane(s, context), TRX_STATE_READY, before);
}

static void add_priority(const struct trx_scene *s, uint32_t thread, uint64_t priority)
{
    struct tt_action *action = thread != TT_NO_THREAD ? add(s, TT_ACTION_PRIORITY) : NULL;
    if (action) {
        action->thread = thread;
        action->priority = (int16_t)(priority & 0x3ff);
    }
}

static void act_lifetime(const struct trx_scene *s, unsigned kind)
{
    uint32_t thread = lane_of(s, info(s, 0));
    struct tt_action *action = thread != TT_NO_THREAD ? add(s, kind) : NULL;
    if (action) {
        action->thread = thread;
    }
    if (kind == TT_ACTION_THREAD_CREATE) {
        add_priority(s, thread, info(s, 1));
    }
}

/* The calls that wait for an object or release one, by id. */
static const struct object_call {
    uint8_t action;
    uint8_t object; /* enum tt_object_kind; NONE: no such call */
} object_calls[] = {
    [10] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_BLOCK_POOL}, /* BLOCK_ALLOCATE */
    [20] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_BYTE_POOL},  /* BYTE_ALLOCATE */
    [32] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_FLAGS},      /* EVENT_FLAGS_GET */
    [TRX_ID_MUTEX_GET] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX},
    [TRX_ID_MUTEX_PUT] = {TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX},
    [63] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE},     /* QUEUE_FRONT_SEND */
    [68] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE},     /* QUEUE_RECEIVE */
    [69] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE},     /* QUEUE_SEND */
    [83] = {TT_ACTION_LOCK_WAIT, TT_OBJECT_SEMAPHORE}, /* SEMAPHORE_GET */
};

/* Handles a call of a thread for an object: a mutex is released with the last of its locks. */
static void act_object(const struct trx_scene *s, const struct object_call *call)
{
    bool takes = s->id == TRX_ID_MUTEX_GET &&
                 (info(s, 2) == 0 || info(s, 2) == trx_word(s->header, s->at, TRX_WORD_CONTEXT));
    bool keeps = s->id == TRX_ID_MUTEX_PUT && info(s, 2) != 1;
    struct tt_action *action = takes || keeps ? NULL : add(s, call->action);
    if (action) {
        action->thread = lane(s, s->context);
        action->value = info(s, 0);
        action->other = s->id == TRX_ID_MUTEX_GET ? lane_of(s, info(s, 2)) : TT_NO_THREAD;
        action->state = call->object;
    }
}

enum {
    QUEUE_DELETE = 61,
    QUEUE_FLUSH,
    QUEUE_FRONT_SEND,
    QUEUE_RECEIVE = 68,
    QUEUE_SEND,
    CODE_QUEUE_SUSP = 5
};

/*
 * Adds a message to a queue or takes one from it. `before`: messages in the queue; `flags`: FAILED if
 * which ones are in it is no longer known.
 */
static void add_message(const struct trx_scene *s, unsigned kind, uint32_t thread, uint64_t queue,
                        uint64_t before, unsigned flags)
{
    struct tt_action *action = add(s, kind);
    if (action) {
        action->thread = thread;
        action->other = kind == TT_ACTION_POST && thread < tt_thread_count(s->cursor->capture)
                            ? tt_thread_at(s->cursor->capture, thread)->process
                            : TT_NO_THREAD;
        action->value = queue;
        action->state = (uint16_t)(before < UINT16_MAX - 1 ? before + 1 : UINT16_MAX);
        action->flags = (uint8_t)flags;
    }
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

/* Handles a call for a queue. A receive from an empty queue gets its message when it is resumed. */
static void act_queue(const struct trx_scene *s)
{
    uint32_t thread = lane(s, s->context), id = s->id;
    uint64_t enqueued = info(s, 3);
    bool in_order = id == QUEUE_SEND || (id == QUEUE_FRONT_SEND && enqueued == 0);
    if (in_order) {
        uint64_t handed = messages_on_their_way(s, info(s, 0));
        add_message(s, TT_ACTION_POST, thread, info(s, 0), enqueued + handed, 0);
    } else if (id == QUEUE_RECEIVE && enqueued > 0) {
        add_message(s, TT_ACTION_TAKE, thread, info(s, 0), enqueued, 0);
    } else if (id == QUEUE_FRONT_SEND || id == QUEUE_FLUSH || id == QUEUE_DELETE) {
        add_message(s, TT_ACTION_TAKE, thread, info(s, 0), 0, TT_ACTION_FAILED);
    }
}

/* Handles a receiver that is resumed by the send of its message. */
static void act_handover(const struct trx_scene *s)
{
    const struct tt_capture *c = s->cursor->capture;
    struct trx_entry entry, call;
    if (info(s, 1) != CODE_QUEUE_SUSP) {
        return;
    }
    trx_entry_load(s->header, s->at, &entry);
    if (trx_find_call(c, s->cursor->place.index, c->bytes.size, &entry, &call) &&
        (trx_id_of(call.event) == QUEUE_SEND || trx_id_of(call.event) == QUEUE_FRONT_SEND)) {
        add_message(s, TT_ACTION_TAKE, lane_of(s, info(s, 0)), call.info[0], 1, 0);
    }
}

enum trx_effect trx_effect_of(unsigned id)
{
    const size_t calls = sizeof object_calls / sizeof object_calls[0];
    switch (id) {
    case TRX_ID_SUSPEND:
        return TRX_SUSPENDS;
    case TRX_ID_RESUME:
        return TRX_RESUMES;
    case TRX_ID_CREATE:
        return TRX_CREATES;
    case TRX_ID_DELETE:
        return TRX_DELETES;
    case TRX_ID_PRIORITY:
        return TRX_SETS_PRIORITY;
    default:
        return (id < calls && object_calls[id].object != TT_OBJECT_NONE) ||
                       (id >= QUEUE_DELETE && id <= QUEUE_SEND)
                   ? TRX_CALLS
                   : TRX_NO_EFFECT;
    }
}

/* Returns the queue to which an entry sends, if it was empty; 0: none. */
static uint64_t queue_that_was_empty(const struct trx_scene *s)
{
    bool sends = s->id == QUEUE_SEND || s->id == QUEUE_FRONT_SEND;
    return sends && info(s, 3) == 0 ? info(s, 0) : 0;
}

/* Handles an event of TRX_CALLS. */
static void act_call(const struct trx_scene *s)
{
    const size_t calls = sizeof object_calls / sizeof object_calls[0];
    if (s->id < calls && object_calls[s->id].object != TT_OBJECT_NONE) {
        act_object(s, &object_calls[s->id]);
    }
    if (s->id >= QUEUE_DELETE && s->id <= QUEUE_SEND) {
        act_queue(s);
    }
    s->occupant->sent = queue_that_was_empty(s);
}

static inline void act_event(const struct trx_scene *s, enum trx_effect effect)
{
    s->occupant->sent = 0;
    switch (effect) {
    case TRX_NO_EFFECT:
        break;
    case TRX_SUSPENDS:
        act_suspend(s);
        break;
    case TRX_RESUMES:
        act_resume(s);
        act_handover(s);
        break;
    case TRX_CREATES:
        act_lifetime(s, TT_ACTION_THREAD_CREATE);
        break;
    case TRX_DELETES:
        act_lifetime(s, TT_ACTION_THREAD_DESTROY);
        break;
    case TRX_SETS_PRIORITY:
        add_priority(s, lane_of(s, info(s, 0)), info(s, 1));
        break;
    case TRX_CALLS:
        act_call(s);
        break;
    }
}

void trx_act(const struct trx_scene *s, enum trx_effect effect)
{
    const uint32_t gap = s->cursor->d->plan.gap;
    if (s->cursor->place.index == gap && gap != 0) {
        add(s, TT_ACTION_LOST);
    }
    if (s->context == TRX_ISR) {
        switch_to_interrupt(s);
    } else {
        switch_to(s, s->context);
    }
    if (s->step->context & TRX_STEP_PRIORITY) {
        add_priority(s, lane(s, s->context), trx_word(s->header, s->at, TRX_WORD_PRIORITY));
    }
    act_event(s, effect);
    if (s->step->next != s->context) {
        switch_to(s, s->step->next);
    }
}
