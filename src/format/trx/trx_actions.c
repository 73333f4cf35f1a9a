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

struct scene {
    struct tt_cursor *cursor;
    const struct trx_moment *moment;
    struct trx_occupant *occupant; /* of the entry's core */
    struct tt_batch *batch;
};

static struct tt_action *add(const struct scene *s, unsigned kind)
{
    struct tt_batch *batch = s->batch;
    struct tt_action *action = tt_batch_act(batch, &batch->events[batch->count], kind);
    if (action) {
        action->cpu = (uint16_t)s->moment->core;
    }
    return action;
}

static uint32_t lane(const struct scene *s, uint32_t context)
{
    return trx_context_thread(s->cursor->d, context);
}

static uint32_t context_at(const struct scene *s, uint64_t address)
{
    return trx_context_cached(s->cursor->d, &s->cursor->cache, address);
}

static uint32_t lane_of(const struct scene *s, uint64_t address)
{
    return lane(s, context_at(s, address));
}

static void add_state(const struct scene *s, uint32_t thread, uint16_t state, uint64_t before)
{
    struct tt_action *action = add(s, TT_ACTION_STATE);
    if (action) {
        action->thread = thread;
        action->state = state;
        action->value = before;
    }
}

/* ---- occupant of the core --------------------------------------------------------------- */

static void leave_interrupts(const struct scene *s)
{
    for (; s->occupant->depth > 0; s->occupant->depth--) {
        struct tt_action *action = add(s, TT_ACTION_INTERRUPT_LEAVE);
        if (action) {
            action->thread = lane(s, s->occupant->thread);
        }
    }
}

static void enter_interrupt(const struct scene *s, uint64_t number)
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
static uint16_t leaving_state(const struct scene *s)
{
    if (s->occupant->leaves != 0) {
        return s->occupant->leaves;
    }
    return s->cursor->d->plan.has_internal ? TRX_STATE_READY : 0;
}

static void switch_thread(const struct scene *s, uint32_t to)
{
    struct trx_occupant *occupant = s->occupant;
    if (occupant->thread == to) {
        return;
    }
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

static void switch_to(const struct scene *s, uint32_t to)
{
    if (to == TRX_ISR) {
        if (s->occupant->depth == 0) {
            enter_interrupt(s, 0);
        }
        return;
    }
    leave_interrupts(s);
    switch_thread(s, to);
}

/* Switches to the entry's own context; an ISR_ENTER has the number of the interrupt. */
static void switch_to_context(const struct scene *s)
{
    uint32_t id = trx_id_of(s->moment->entry->event);
    if (s->moment->context == TRX_ISR && id == TRX_ID_ISR_ENTER) {
        enter_interrupt(s, s->moment->entry->info[1]);
        return;
    }
    switch_to(s, s->moment->context);
    if (s->moment->context == TRX_ISR && id == TRX_ID_ISR_EXIT && s->occupant->depth > 1) {
        s->occupant->depth--;
        struct tt_action *action = add(s, TT_ACTION_INTERRUPT_LEAVE);
        if (action) {
            action->value = s->moment->entry->info[1];
            action->thread = lane(s, s->occupant->thread);
        }
    }
}

/* Returns the occupant entry of the core that runs `context`, or NULL. */
static struct trx_occupant *core_of(const struct scene *s, uint32_t context)
{
    for (uint32_t i = 0; i < s->cursor->d->plan.cores; i++) {
        if (s->cursor->cores[i].thread == context) {
            return &s->cursor->cores[i];
        }
    }
    return NULL;
}

/* ---- single events ---------------------------------------------------------------------- */

static uint16_t state_of(uint64_t code)
{
    return code < TRX_STATE_CODES ? TRX_STATE_OF(code) : 0;
}

static void act_suspend(const struct scene *s)
{
    const struct trx_entry *entry = s->moment->entry;
    uint32_t context = context_at(s, entry->info[0]);
    if (context < TRX_FIRST_THREAD || context == TRX_NO_CONTEXT ||
        entry->info[1] == TRX_CODE_PRIORITY) {
        return; /* a priority change leaves the state as it is */
    }
    uint16_t state = state_of(entry->info[1]);
    struct trx_occupant *occupant = core_of(s, context);
    if (!occupant) {
        add_state(s, lane(s, context), state, 0);
    } else if (occupant != s->occupant || s->moment->step->next != context) {
        occupant->leaves = state;
        /* If the thread leaves at once, the switch has its state; otherwise it is set here. */
        if (occupant != s->occupant || occupant->depth > 0) {
            add_state(s, lane(s, context), state, 0);
        }
    }
}

static void act_resume(const struct scene *s)
{
    const struct trx_entry *entry = s->moment->entry;
    uint32_t context = context_at(s, entry->info[0]);
    if (context < TRX_FIRST_THREAD || context == TRX_NO_CONTEXT ||
        entry->info[1] == TRX_CODE_PRIORITY) {
        return;
    }
    struct trx_occupant *occupant = core_of(s, context);
    if (occupant) {
        occupant->leaves = 0;
        return;
    }
    uint16_t before = state_of(entry->info[1]);
    if (before != TRX_STATE_READY) {
        struct tt_action *action = add(s, TT_ACTION_WAKEUP);
        if (action) {
            action->thread = lane(s, context);
            action->other = lane(s, s->moment->context);
            action->state = TRX_STATE_READY;
        }
    }
    add_state(s, lane(s, context), TRX_STATE_READY, before);
}

static void add_priority(const struct scene *s, uint32_t thread, uint64_t priority)
{
    struct tt_action *action = thread != TT_NO_THREAD ? add(s, TT_ACTION_PRIORITY) : NULL;
    if (action) {
        action->thread = thread;
        action->priority = (int16_t)(priority & 0x3ff);
    }
}

static void act_lifetime(const struct scene *s, unsigned kind)
{
    uint32_t thread = lane_of(s, s->moment->entry->info[0]);
    struct tt_action *action = thread != TT_NO_THREAD ? add(s, kind) : NULL;
    if (action) {
        action->thread = thread;
    }
    if (kind == TT_ACTION_THREAD_CREATE) {
        add_priority(s, thread, s->moment->entry->info[1]);
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
static void act_object(const struct scene *s, const struct object_call *call)
{
    const struct trx_entry *entry = s->moment->entry;
    uint32_t id = trx_id_of(entry->event);
    bool takes =
        id == TRX_ID_MUTEX_GET && (entry->info[2] == 0 || entry->info[2] == entry->context);
    bool keeps = id == TRX_ID_MUTEX_PUT && entry->info[2] != 1;
    struct tt_action *action = takes || keeps ? NULL : add(s, call->action);
    if (action) {
        action->thread = lane(s, s->moment->context);
        action->value = entry->info[0];
        action->other = id == TRX_ID_MUTEX_GET ? lane_of(s, entry->info[2]) : TT_NO_THREAD;
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
static void add_message(const struct scene *s, unsigned kind, uint32_t thread, uint64_t queue,
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
static uint64_t messages_on_their_way(const struct scene *s, uint64_t queue)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->cursor->d->plan.cores; i++) {
        const struct trx_occupant *other = &s->cursor->cores[i];
        count += other != s->occupant && other->sent == queue;
    }
    return count;
}

/* Handles a call for a queue. A receive from an empty queue gets its message when it is resumed. */
static void act_queue(const struct scene *s)
{
    const struct trx_entry *entry = s->moment->entry;
    uint32_t thread = lane(s, s->moment->context), id = trx_id_of(entry->event);
    uint64_t enqueued = entry->info[3];
    bool in_order = id == QUEUE_SEND || (id == QUEUE_FRONT_SEND && enqueued == 0);
    if (in_order) {
        uint64_t handed = messages_on_their_way(s, entry->info[0]);
        add_message(s, TT_ACTION_POST, thread, entry->info[0], enqueued + handed, 0);
    } else if (id == QUEUE_RECEIVE && enqueued > 0) {
        add_message(s, TT_ACTION_TAKE, thread, entry->info[0], enqueued, 0);
    } else if (id == QUEUE_FRONT_SEND || id == QUEUE_FLUSH || id == QUEUE_DELETE) {
        add_message(s, TT_ACTION_TAKE, thread, entry->info[0], 0, TT_ACTION_FAILED);
    }
}

/* Handles a receiver that is resumed by the send of its message. */
static void act_handover(const struct scene *s)
{
    const struct trx_entry *entry = s->moment->entry;
    const struct tt_capture *c = s->cursor->capture;
    struct trx_entry call;
    if (entry->info[1] == CODE_QUEUE_SUSP &&
        trx_find_call(c, s->cursor->place.index, c->bytes.size, entry, &call) &&
        (trx_id_of(call.event) == QUEUE_SEND || trx_id_of(call.event) == QUEUE_FRONT_SEND)) {
        add_message(s, TT_ACTION_TAKE, lane_of(s, entry->info[0]), call.info[0], 1, 0);
    }
}

/* Handles an event that is not of a thread's life. */
static void act_call(const struct scene *s)
{
    uint32_t id = trx_id_of(s->moment->entry->event);
    const size_t calls = sizeof object_calls / sizeof object_calls[0];
    if (id < calls && object_calls[id].object != TT_OBJECT_NONE) {
        act_object(s, &object_calls[id]);
    }
    if (id >= QUEUE_DELETE && id <= QUEUE_SEND) {
        act_queue(s);
    }
}

static void act_event(const struct scene *s)
{
    const struct trx_entry *entry = s->moment->entry;
    switch (trx_id_of(entry->event)) {
    case TRX_ID_SUSPEND:
        act_suspend(s);
        break;
    case TRX_ID_RESUME:
        act_resume(s);
        act_handover(s);
        break;
    case TRX_ID_CREATE:
        act_lifetime(s, TT_ACTION_THREAD_CREATE);
        break;
    case TRX_ID_DELETE:
        act_lifetime(s, TT_ACTION_THREAD_DESTROY);
        break;
    case TRX_ID_PRIORITY:
        add_priority(s, lane_of(s, entry->info[0]), entry->info[1]);
        break;
    default:
        act_call(s);
        break;
    }
}

/* Returns the queue to which an entry sends, if it was empty; 0: none. */
static uint64_t queue_that_was_empty(const struct trx_entry *entry)
{
    uint32_t id = trx_id_of(entry->event);
    bool sends = id == QUEUE_SEND || id == QUEUE_FRONT_SEND;
    return sends && entry->info[3] == 0 ? entry->info[0] : 0;
}

void trx_act(struct tt_cursor *cursor, const struct trx_moment *moment, struct tt_batch *batch)
{
    struct scene s = {cursor, moment, &cursor->cores[moment->core], batch};
    if (cursor->d->plan.gap != 0 && cursor->place.index == cursor->d->plan.gap) {
        add(&s, TT_ACTION_LOST);
    }
    switch_to_context(&s);
    if (moment->step->context & TRX_STEP_PRIORITY) {
        add_priority(&s, lane(&s, moment->context), moment->entry->priority);
    }
    act_event(&s);
    s.occupant->sent = queue_that_was_empty(moment->entry);
    switch_to(&s, moment->step->next);
}
