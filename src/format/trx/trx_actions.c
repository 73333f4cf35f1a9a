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

static inline struct tt_action *trx_actions_add(struct trx_scene *scene, unsigned kind,
                                                uint32_t thread)
{
    return tt_action_out_next(&scene->out, scene->event, kind, thread, (uint16_t)scene->core);
}

/* Returns an information word of the entry. */
static inline uint64_t info(const struct trx_scene *scene, unsigned i)
{
    return trx_word(scene->header, scene->at, TRX_WORD_INFO + i);
}

static inline uint32_t trx_actions_context_of(const struct trx_scene *scene)
{
    return scene->step.context & TRX_STEP_CONTEXT;
}

static inline uint32_t lane(const struct trx_scene *scene, uint32_t context)
{
    return scene->items[context].thread;
}

/* Returns the lane of the thread on the core. */
static inline uint32_t lane_below(const struct trx_scene *scene)
{
    uint32_t thread = scene->occupant->thread;
    return thread < TRX_LEFT ? lane(scene, thread) : TT_NO_THREAD;
}

static inline void trx_actions_add_state(struct trx_scene *scene, uint32_t thread, uint16_t state,
                                         uint64_t before)
{
    struct tt_action *action = trx_actions_add(scene, TT_ACTION_STATE, thread);
    action->state = state;
    action->value = before;
}

/* ---- occupant of the core --------------------------------------------------------------- */

HANDLER void leave_interrupts(struct trx_scene *scene)
{
    for (; scene->occupant->depth > 0; scene->occupant->depth--) {
        trx_actions_add(scene, TT_ACTION_INTERRUPT_LEAVE, lane_below(scene));
    }
}

HANDLER void enter_interrupt(struct trx_scene *scene, uint64_t number)
{
    if (scene->occupant->depth == DEPTH_MAX) {
        return;
    }
    scene->occupant->depth++;
    trx_actions_add(scene, TT_ACTION_INTERRUPT_ENTER, lane_below(scene))->value = number;
}

/* Takes a thread that runs on this core now off the others. */
static TRX_RARE void leave_other_cores(struct trx_scene *scene, uint32_t thread)
{
    for (uint32_t i = 0; i < scene->cursor->d->plan.cores; i++) {
        struct trx_occupant *other = &scene->cursor->cores[i];
        if (other != scene->occupant && other->thread == thread) {
            other->thread = TRX_LEFT;
            other->leaves = 0;
        }
    }
}

HANDLER void switch_thread(struct trx_scene *scene, uint32_t to)
{
    struct trx_occupant *occupant = scene->occupant;
    if (scene->cursor->d->plan.cores > 1 && to >= TRX_FIRST_THREAD) {
        leave_other_cores(scene, to);
    }
    if (occupant->thread == TRX_NO_CONTEXT) {
        /* The first thread on this core: it runs, but its predecessor is unknown. */
        if (to != TRX_IDLE) {
            struct tt_action *action = trx_actions_add(scene, TT_ACTION_STATE, lane(scene, to));
            action->state = TRX_STATE_RUNNING;
            action->flags = TT_ACTION_RAN_BEFORE;
        }
    } else {
        struct tt_action *action = trx_actions_add(scene, TT_ACTION_SWITCH, lane(scene, to));
        action->other = lane_below(scene);
        /*
         * Finds the state in which a thread leaves its core: that of its SUSPEND, otherwise
         * ready, since a ThreadX thread blocks only with a SUSPEND. Returns 0 (unknown) if SUSPEND
         * events were not recorded.
         */
        action->state = scene->occupant->leaves != 0          ? scene->occupant->leaves
                        : scene->cursor->d->plan.has_internal ? TRX_STATE_READY
                                                              : 0;
    }
    occupant->thread = to;
    occupant->leaves = 0;
}

static inline void switch_to(struct trx_scene *scene, uint32_t to)
{
    if (to == TRX_ISR) {
        if (scene->occupant->depth == 0) {
            enter_interrupt(scene, 0);
        }
        return;
    }
    if (scene->occupant->depth > 0) {
        leave_interrupts(scene);
    }
    if (scene->occupant->thread != to) {
        switch_thread(scene, to);
    }
}

HANDLER void leave_interrupt(struct trx_scene *scene)
{
    scene->occupant->depth--;
    trx_actions_add(scene, TT_ACTION_INTERRUPT_LEAVE, lane_below(scene))->value = info(scene, 1);
}

/* Switches to an interrupt as the entry's own context; an ISR_ENTER has its number. */
static inline void switch_to_interrupt(struct trx_scene *scene, enum trx_effect effect)
{
    if (effect == TRX_ENTERS) {
        enter_interrupt(scene, info(scene, 1));
        return;
    }
    switch_to(scene, TRX_ISR);
    if (effect == TRX_LEAVES && scene->occupant->depth > 1) {
        leave_interrupt(scene);
    }
}

/* Returns the occupant entry of the first core that runs `context`, or NULL. */
static inline struct trx_occupant *core_of(const struct trx_scene *scene, uint32_t context)
{
    struct trx_occupant *cores = scene->cursor->cores, *found = NULL;
    /* All cores without a branch: which one it is can not be predicted. */
    for (uint32_t i = scene->cursor->d->plan.cores; i-- > 0;) {
        found = cores[i].thread == context ? &cores[i] : found;
    }
    return found;
}

/* ---- single events ---------------------------------------------------------------------- */

static uint16_t trx_actions_state_of(uint64_t code)
{
    return code < TRX_STATE_CODES ? TRX_STATE_OF(code) : 0;
}

HANDLER void act_suspend(struct trx_scene *scene)
{
    uint32_t context = scene->step.subject;
    if (context < TRX_FIRST_THREAD || info(scene, 1) == TRX_CODE_PRIORITY) {
        return; /* a priority change leaves the state as it is */
    }
    uint16_t state = trx_actions_state_of(info(scene, 1));
    struct trx_occupant *occupant = core_of(scene, context);
    if (!occupant) {
        trx_actions_add_state(scene, lane(scene, context), state, 0);
    } else if (occupant != scene->occupant) {
        occupant->thread = TRX_LEFT;
        occupant->leaves = 0;
        trx_actions_add_state(scene, lane(scene, context), state, 0);
    } else if (scene->step.next != context) {
        occupant->leaves = state;
        /* If the thread leaves at once, the switch has its state; otherwise it is set here. */
        if (occupant->depth > 0) {
            trx_actions_add_state(scene, lane(scene, context), state, 0);
        }
    }
}

static inline void act_resume(struct trx_scene *scene)
{
    uint32_t context = scene->step.subject;
    if (context < TRX_FIRST_THREAD || info(scene, 1) == TRX_CODE_PRIORITY) {
        return;
    }
    struct trx_occupant *occupant = core_of(scene, context);
    if (occupant && occupant->leaves == 0) {
        return;
    }
    if (occupant) { /* it was suspended in an interrupt, which may resume it again */
        occupant->thread = TRX_LEFT;
        occupant->leaves = 0;
    }
    uint16_t before = trx_actions_state_of(info(scene, 1));
    if (before != TRX_STATE_READY) {
        struct tt_action *action = trx_actions_add(scene, TT_ACTION_WAKEUP, lane(scene, context));
        action->other = lane(scene, trx_actions_context_of(scene));
        action->state = TRX_STATE_READY;
    }
    trx_actions_add_state(scene, lane(scene, context), TRX_STATE_READY, before);
}

HANDLER void add_priority(struct trx_scene *scene, uint32_t thread, uint64_t priority)
{
    if (thread != TT_NO_THREAD) {
        trx_actions_add(scene, TT_ACTION_PRIORITY, thread)->priority = (int16_t)(priority & 0x3ff);
    }
}

static void act_lifetime(struct trx_scene *scene, unsigned kind)
{
    uint32_t thread = lane(scene, scene->step.subject);
    if (thread != TT_NO_THREAD) {
        trx_actions_add(scene, kind, thread);
    }
    if (kind == TT_ACTION_THREAD_CREATE) {
        add_priority(scene, thread, info(scene, 1));
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
static inline void trx_actions_add_call(struct trx_scene *scene, unsigned kind, unsigned object,
                                        uint32_t owner)
{
    struct tt_action *action =
        trx_actions_add(scene, kind, lane(scene, trx_actions_context_of(scene)));
    action->value = info(scene, 0);
    action->other = owner;
    action->state = (uint16_t)object;
}

HANDLER void act_wait(struct trx_scene *scene)
{
    uint32_t id = trx_id_of(trx_word(scene->header, scene->at, TRX_WORD_EVENT));
    trx_actions_add_call(scene, TT_ACTION_LOCK_WAIT,
                         id < sizeof object_kinds ? object_kinds[id] : 0, TT_NO_THREAD);
}

/* Handles a request for a mutex, unless it is free or the thread already has it. */
HANDLER void act_mutex_get(struct trx_scene *scene)
{
    uint64_t owner = info(scene, 2);
    if (owner != 0 && owner != trx_word(scene->header, scene->at, TRX_WORD_CONTEXT)) {
        trx_actions_add_call(scene, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX,
                             lane(scene, scene->step.subject));
    }
}

/* Handles a release of a mutex, which is that of the last of its locks. */
HANDLER void act_mutex_put(struct trx_scene *scene)
{
    if (info(scene, 2) == 1) {
        trx_actions_add_call(scene, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, TT_NO_THREAD);
    }
}

enum { CODE_QUEUE_SUSP = 5 };

/*
 * Adds a message to a queue or takes one from it. `before`: messages in the queue; `flags`: FAILED if
 * which ones are in it is no longer known.
 */
static void trx_actions_add_message(struct trx_scene *scene, unsigned kind, uint32_t thread,
                                    uint64_t queue, uint64_t before, unsigned flags)
{
    const struct tt_capture *capture = scene->cursor->capture;
    struct tt_action *action = trx_actions_add(scene, kind, thread);
    if (kind == TT_ACTION_POST && thread < tt_thread_count(capture)) {
        action->other = tt_thread_at(capture, thread)->process;
    }
    action->value = queue;
    action->state = (uint16_t)(before < UINT16_MAX - 1 ? before + 1 : UINT16_MAX);
    action->flags = (uint8_t)flags;
}

/* Handles a send to a queue. A receive from an empty queue gets its message when it is resumed. */
HANDLER void act_send(struct trx_scene *scene, bool in_front)
{
    uint32_t thread = lane(scene, trx_actions_context_of(scene));
    uint64_t queue = info(scene, 0), enqueued = info(scene, 3);
    trx_actions_add_call(scene, TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE, TT_NO_THREAD);
    if (!in_front || enqueued == 0) {
        /*
         * Finds the number of messages that other cores hand over: the RESUME of the receiver
         * follows the send to an empty queue, and another core may send in between.
         */
        uint64_t handed = 0;
        for (uint32_t i = 0; i < scene->cursor->d->plan.cores; i++) {
            const struct trx_occupant *other = &scene->cursor->cores[i];
            handed += other != scene->occupant && other->sent == queue;
        }

        trx_actions_add_message(scene, TT_ACTION_POST, thread, queue, enqueued + handed, 0);
    } else {
        trx_actions_add_message(scene, TT_ACTION_TAKE, thread, queue, 0, TT_ACTION_FAILED);
    }
    scene->occupant->sent = enqueued == 0 ? queue : 0;
}

HANDLER void act_receive(struct trx_scene *scene)
{
    uint64_t enqueued = info(scene, 3);
    trx_actions_add_call(scene, TT_ACTION_LOCK_WAIT, TT_OBJECT_QUEUE, TT_NO_THREAD);
    if (enqueued > 0) {
        trx_actions_add_message(scene, TT_ACTION_TAKE, lane(scene, trx_actions_context_of(scene)),
                                info(scene, 0), enqueued, 0);
    }
}

/* Handles a receiver that is resumed by the send of its message. */
HANDLER void act_handover(struct trx_scene *scene)
{
    const struct tt_capture *capture = scene->cursor->capture;
    struct trx_entry entry, call;
    trx_entry_load(scene->header, scene->at, &entry);
    if (trx_find_call(capture, scene->index, capture->bytes.size, &entry, &call) &&
        (trx_id_of(call.event) == TRX_ID_QUEUE_SEND ||
         trx_id_of(call.event) == TRX_ID_QUEUE_FRONT_SEND)) {
        trx_actions_add_message(scene, TT_ACTION_TAKE, lane(scene, scene->step.subject),
                                call.info[0], 1, 0);
    }
}

HANDLER void act_resumed(struct trx_scene *scene)
{
    act_resume(scene);
    if (info(scene, 1) == CODE_QUEUE_SUSP) {
        act_handover(scene);
    }
}

static TRX_RARE void act_rarely(struct trx_scene *scene, enum trx_effect effect)
{
    switch (effect) {
    case TRX_CREATES:
        act_lifetime(scene, TT_ACTION_THREAD_CREATE);
        break;
    case TRX_DELETES:
        act_lifetime(scene, TT_ACTION_THREAD_DESTROY);
        break;
    case TRX_SETS_PRIORITY:
        add_priority(scene, lane(scene, scene->step.subject), info(scene, 1));
        break;
    case TRX_SENDS_FRONT:
        act_send(scene, true);
        break;
    case TRX_CLEARS_QUEUE:
        trx_actions_add_message(scene, TT_ACTION_TAKE, lane(scene, trx_actions_context_of(scene)),
                                info(scene, 0), 0, TT_ACTION_FAILED);
        break;
    default:
        break;
    }
}

static inline void act_event(struct trx_scene *scene, enum trx_effect effect)
{
    scene->occupant->sent = 0;
    switch (effect) {
    case TRX_NO_EFFECT:
    case TRX_ENTERS:
    case TRX_LEAVES:
    case TRX_SLICES:
    case TRX_RELINQUISHES:
        break;
    case TRX_SUSPENDS:
        act_suspend(scene);
        break;
    case TRX_RESUMES:
        act_resumed(scene);
        break;
    case TRX_WAITS:
        act_wait(scene);
        break;
    case TRX_GETS_MUTEX:
        act_mutex_get(scene);
        break;
    case TRX_PUTS_MUTEX:
        act_mutex_put(scene);
        break;
    case TRX_SENDS:
        act_send(scene, false);
        break;
    case TRX_RECEIVES:
        act_receive(scene);
        break;
    default:
        act_rarely(scene, effect);
        break;
    }
}

/* Makes all threads and cores unknown from the entry before the loss on. */
static TRX_RARE void trx_actions_add_loss(struct trx_scene *scene)
{
    struct tt_action *action = trx_actions_add(scene, TT_ACTION_LOST, TT_NO_THREAD);
    action->cpu = TT_NO_CPU;
    action->value = scene->before;
    trx_cursor_forget(scene->cursor);
}

/* Handles an entry that shows the beginning of an excerpt. */
static TRX_RARE void act_beginning(struct trx_scene *scene, enum trx_effect effect)
{
    const uint32_t subject = scene->step.subject;
    struct trx_occupant *occupant = scene->occupant;
    if (effect == TRX_ENTERS) {
        enter_interrupt(scene, info(scene, 1));
    } else if ((effect == TRX_RESUMES || effect == TRX_SUSPENDS) && subject >= TRX_FIRST_THREAD) {
        struct tt_action *action = trx_actions_add(scene, TT_ACTION_STATE, lane(scene, subject));
        action->state =
            effect == TRX_RESUMES ? TRX_STATE_READY : trx_actions_state_of(info(scene, 1));
        action->flags = TT_ACTION_RAN_BEFORE;
    } else if (effect == TRX_RELINQUISHES && occupant->thread == TRX_NO_CONTEXT) {
        if (subject == TRX_IDLE) {
            occupant->thread = TRX_LEFT;
        }
        switch_thread(scene, subject);
    }
}

/* Handles the entries up to `rare`; returns whether that was all. */
static TRX_RARE bool act_first(struct trx_scene *scene, uint32_t context, enum trx_effect effect)
{
    if (scene->index == scene->gap) {
        trx_actions_add_loss(scene);
    }
    if (scene->index >= scene->cursor->d->plan.beginning) {
        return false;
    }
    if (scene->step.context & TRX_STEP_PRIORITY) {
        add_priority(scene, lane(scene, context),
                     trx_word(scene->header, scene->at, TRX_WORD_PRIORITY));
    }
    act_beginning(scene, effect);
    return true;
}

void trx_note(struct trx_scene *scene)
{
    const struct tt_event *event = scene->event;
    if (event->thread != TT_NO_THREAD) {
        tt_action_out_next(&scene->out, event, TT_ACTION_NOTE, event->thread, event->cpu)->other =
            event->type;
    }
}

void trx_act(struct trx_scene *scene, struct trx_step step, struct trx_occupant *occupant)
{
    const uint32_t context = step.context & TRX_STEP_CONTEXT;
    const enum trx_effect effect = trx_step_effect(step.context);
    scene->step = step;
    scene->occupant = occupant;
    if (TRX_RARELY(scene->index < scene->rare) && act_first(scene, context, effect)) {
        return;
    }
    if (context == TRX_ISR) {
        switch_to_interrupt(scene, effect);
    } else {
        switch_to(scene, context);
    }
    if (step.context & TRX_STEP_PRIORITY) {
        add_priority(scene, lane(scene, context),
                     trx_word(scene->header, scene->at, TRX_WORD_PRIORITY));
    }
    act_event(scene, effect);
    if (step.next != context) {
        switch_to(scene, step.next);
    }
}
