/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_actions: what a record means for threads and CPUs. The state (threads on the CPUs,
 * interrupts, open measurements, sums of kernel memory) is updated even if no actions are
 * requested: the thread of records without a context depends on it.
 */
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "tracetui/object_kind.h"

void btrace_handle_loss(struct tt_cursor *cursor, uint64_t after)
{
    if (!cursor->state.lost) {
        cursor->state.lost_after = after;
    }
    cursor->state.lost = true;
    for (unsigned i = 0; i < cursor->state.cpu_count; i++) {
        btrace_cpu_reset(&cursor->state.cpus[i]);
    }
}

/* Returns the next action, for the event's time, thread and CPU. */
static inline struct tt_action *btrace_actions_emit(struct btrace_actor *actor,
                                                    enum tt_action_kind kind)
{
    const struct tt_event *event = actor->event;
    return tt_action_out_at(&actor->out, event->ticks, event->pos, kind, event->thread, event->cpu);
}

static inline struct tt_bytes payload_of(const struct btrace_actor *actor)
{
    return tt_bytes_of(actor->record + actor->header, actor->event->length - actor->header);
}

static inline uint8_t sub_of(const struct btrace_actor *actor)
{
    return actor->record[3];
}

static inline uint32_t btrace_actions_word(const struct btrace_actor *actor, unsigned index)
{
    return btrace_word(payload_of(actor), index);
}

static void health(struct btrace_actor *actor, enum tt_health_kind kind, uint64_t value,
                   const char *detail)
{
    btrace_learn_health(actor->cursor, kind, actor->event->pos, value, detail);
}

/* ---- CPUs ------------------------------------------------------------------------------- */

/* Leaves all interrupts on the CPU, which have no End record. */
static void leave_all(struct btrace_actor *actor)
{
    while (actor->cpu->depth > 0) {
        actor->cpu->depth--;
        btrace_actions_emit(actor, TT_ACTION_INTERRUPT_LEAVE)->value =
            btrace_interrupt_number(&actor->cpu->stack[actor->cpu->depth]);
    }
}

static inline void enter(struct btrace_actor *actor, enum btrace_context context)
{
    if (!actor->cpu) {
        return;
    }
    if (context == BTRACE_IN_IDFC) {
        if (btrace_cpu_is_badly_nested(actor->cpu)) {
            health(actor, TT_HEALTH_NESTING, actor->cpu->depth, "interrupts open at EIDFCStart");
        }
        leave_all(actor);
    }
    struct btrace_interrupt entered = {btrace_actions_word(actor, 0), context};
    if (btrace_cpu_enter(actor->cpu, context, entered.vector)) {
        btrace_actions_emit(actor, TT_ACTION_INTERRUPT_ENTER)->value =
            btrace_interrupt_number(&entered);
    } else {
        health(actor, TT_HEALTH_NESTING, actor->cpu->depth, "interrupts open");
    }
}

static inline void btrace_actions_leave(struct btrace_actor *actor, enum btrace_context context)
{
    if (!actor->cpu) {
        return;
    }
    struct btrace_interrupt left;
    if (btrace_cpu_leave(actor->cpu, context, &left)) {
        btrace_actions_emit(actor, TT_ACTION_INTERRUPT_LEAVE)->value =
            btrace_interrupt_number(&left);
    } else if (actor->cpu->thread != TT_NO_THREAD) {
        health(actor, TT_HEALTH_NESTING, sub_of(actor), "end of an interrupt that did not start");
    } /* otherwise it may have started before the capture or in a loss */
}

static void switch_to(struct btrace_actor *actor)
{
    if (!actor->cpu) {
        return;
    }
    if (btrace_cpu_is_badly_nested(actor->cpu)) {
        health(actor, TT_HEALTH_NESTING, actor->cpu->depth, "interrupts open at ENewThreadContext");
    }
    if (actor->cpu->depth > 0) {
        leave_all(actor);
    }
    uint32_t came = actor->event->thread;
    actor->cursor->state.switches = true;
    if (came != actor->cpu->thread) {
        struct tt_action *action = btrace_actions_emit(actor, TT_ACTION_SWITCH);
        action->thread = came;
        action->other = actor->cpu->thread;
        action->state = actor->cpu->leaving;
        /* Priming records the running thread; a ring that was overwritten has switches only. */
        if (actor->cpu->thread == TT_NO_THREAD && !actor->cursor->state.overwritten) {
            action->flags = TT_ACTION_RAN_BEFORE;
        }
    }
    if (actor->cpu->ending != UINT32_MAX) {
        btrace_actions_emit(actor, TT_ACTION_PROCESS_DESTROY)->value = actor->cpu->ending;
    }
    actor->cpu->thread = came;
    actor->cpu->leaving = BTRACE_STATE_UNKNOWN;
    actor->cpu->ending = UINT32_MAX;
}

/* ---- locks ------------------------------------------------------------------------------ */

static inline void btrace_actions_add_lock(struct btrace_actor *actor, enum tt_action_kind kind,
                                           unsigned object)
{
    struct tt_action *action = btrace_actions_emit(actor, kind);
    action->value = btrace_actions_word(actor, 0);
    action->state = (uint16_t)object;
}

/*
 * Handles a blocking record. A running thread continues to the switch, which then has the reason.
 * Captures without switches have only these records. (With switches, a thread not known to run was
 * seen after a loss: its state is unknown until it is switched to.)
 */
static inline void block(struct btrace_actor *actor, enum btrace_state state)
{
    uint32_t thread = actor->event->thread;
    btrace_actions_add_lock(actor, TT_ACTION_LOCK_WAIT, btrace_states[state].object);
    if (thread == TT_NO_THREAD) {
        return;
    }
    if (actor->cpu && actor->cpu->thread == thread) {
        actor->cpu->leaving = (uint8_t)state;
    } else if (!actor->cursor->state.switches) {
        btrace_actions_emit(actor, TT_ACTION_STATE)->state = (uint16_t)state;
    }
}

/* Handles an acquired lock: the thread does not leave the CPU. */
static void acquire(struct btrace_actor *actor)
{
    uint32_t thread = actor->event->thread;
    if (thread == TT_NO_THREAD) {
        return;
    }
    if (actor->cpu && actor->cpu->thread == thread) {
        actor->cpu->leaving = BTRACE_STATE_UNKNOWN;
    } else if (!actor->cursor->state.switches) {
        btrace_actions_emit(actor, TT_ACTION_STATE)->state = BTRACE_STATE_UNKNOWN;
    }
}

/* ---- lifetimes, priorities, messages, measurements -------------------------------------- */

/* Returns the value of an object at an address as known at the record, or BTRACE_NO_NAME. */
static uint32_t known_at(const struct btrace_actor *actor, enum btrace_object object,
                         uint32_t address)
{
    struct tt_cursor *cursor = actor->cursor;
    return btrace_names_lookup(&cursor->decoder->names, object, address, actor->event->pos,
                               cursor->learner != NULL);
}

/* Returns the process of a thread as known at the record; decoding it again could find more. */
static uint32_t btrace_actions_owner_at(const struct btrace_actor *actor, uint32_t thread)
{
    uint32_t owner = known_at(actor, BTRACE_OBJECT_OWNER, thread);
    return owner != BTRACE_NO_NAME ? owner : tt_thread_at(actor->cursor->capture, thread)->process;
}

/*
 * Returns the CPU whose thread is `lane` or belongs to `process`, or NULL. A thread that is
 * destroyed while it is on a CPU runs on to the switch, which makes it dead; its process ends then.
 */
static struct btrace_cpu *cpu_with(struct btrace_actor *actor, uint32_t lane, uint32_t process)
{
    struct btrace_state_blob *state = &actor->cursor->state;
    for (unsigned i = 0; i < state->cpu_count; i++) {
        uint32_t thread = state->cpus[i].thread;
        if (thread != TT_NO_THREAD &&
            (thread == lane ||
             (process != UINT32_MAX && btrace_actions_owner_at(actor, thread) == process))) {
            return &state->cpus[i];
        }
    }
    return NULL;
}

static void act_process(struct btrace_actor *actor, enum tt_action_kind kind)
{
    uint32_t process = known_at(actor, BTRACE_OBJECT_PROCESS, btrace_actions_word(actor, 0));
    if (process == BTRACE_NO_NAME) {
        return;
    }
    struct btrace_cpu *running =
        kind == TT_ACTION_PROCESS_DESTROY ? cpu_with(actor, TT_NO_THREAD, process) : NULL;
    if (running) {
        running->leaving = BTRACE_STATE_DEAD;
        running->ending = process;
    } else {
        btrace_actions_emit(actor, kind)->value = process;
    }
}

static void act_thread(struct btrace_actor *actor, enum tt_action_kind kind)
{
    /* Learning has added the lane: a record that names an ended thread creates no new one. */
    uint32_t lane = known_at(actor, BTRACE_OBJECT_THREAD, btrace_actions_word(actor, 0));
    if (btrace_actions_word(actor, 0) == 0 || lane == BTRACE_NO_NAME) {
        return;
    }
    struct btrace_cpu *running =
        kind == TT_ACTION_THREAD_DESTROY ? cpu_with(actor, lane, UINT32_MAX) : NULL;
    if (running) {
        running->leaving = BTRACE_STATE_DEAD;
        return;
    }
    struct tt_action *action = btrace_actions_emit(actor, kind);
    action->thread = lane;
    action->state = kind == TT_ACTION_THREAD_DESTROY ? BTRACE_STATE_DEAD : 0;
}

/* The scheduler uses the priority of ENThreadPriority; the other two are defaults. */
static void act_priority(struct btrace_actor *actor)
{
    uint32_t lane = TT_NO_THREAD, nthread = btrace_actions_word(actor, 0);
    /* A thread far from all others, which only this record mentions so far, may be damage. */
    if (payload_of(actor).size >= 8 && (!btrace_learns(actor->cursor, actor->event->pos) ||
                                        btrace_lane_exists(actor->cursor, nthread) ||
                                        !btrace_lane_is_far(actor->cursor, nthread))) {
        lane = btrace_lane_of(actor->cursor, nthread, actor->event->pos);
    }
    if (lane != TT_NO_THREAD) {
        struct tt_action *action = btrace_actions_emit(actor, TT_ACTION_PRIORITY);
        int32_t priority = (int32_t)btrace_actions_word(actor, 1);
        action->thread = lane;
        action->priority = priority > INT16_MAX    ? INT16_MAX
                           : priority <= INT16_MIN ? INT16_MIN + 1
                                                   : (int16_t)priority;
    }
}

static inline void btrace_actions_add_message(struct btrace_actor *actor, enum tt_action_kind kind)
{
    btrace_actions_emit(actor, kind)->value = btrace_actions_word(actor, 0);
}

static uint64_t measurement_id(const struct btrace_measurement *measurement)
{
    return (uint64_t)measurement->id << 32 | measurement->id2;
}

static void measurement_starts(struct btrace_actor *actor)
{
    struct btrace_state_blob *state = &actor->cursor->state;
    if (state->measurement_count == BTRACE_MEASUREMENTS) {
        health(actor, TT_HEALTH_UNFINISHED, state->measurements[0].id,
               "measurement without an end");
        memmove(&state->measurements[0], &state->measurements[1],
                sizeof state->measurements[0] * --state->measurement_count);
    }
    struct btrace_measurement *measurement = &state->measurements[state->measurement_count++];
    *measurement =
        (struct btrace_measurement){btrace_actions_word(actor, 0), btrace_actions_word(actor, 1),
                                    actor->event->thread, actor->event->type};
    bool on_thread = measurement->thread != TT_NO_THREAD;
    struct tt_action *action =
        btrace_actions_emit(actor, on_thread ? TT_ACTION_SLICE_BEGIN : TT_ACTION_ASYNC_BEGIN);
    action->other = measurement->type;
    action->value = measurement_id(measurement);
}

/* The end may come from another thread (the measuring tool), so the pair of words is compared. */
static void measurement_ends(struct btrace_actor *actor)
{
    struct btrace_state_blob *state = &actor->cursor->state;
    for (unsigned i = state->measurement_count; i-- > 0;) {
        struct btrace_measurement m = state->measurements[i];
        if (m.id == btrace_actions_word(actor, 0) && m.id2 == btrace_actions_word(actor, 1)) {
            memmove(&state->measurements[i], &state->measurements[i + 1],
                    sizeof state->measurements[0] * (state->measurement_count - i - 1u));
            state->measurement_count--;
            bool on_thread = m.thread != TT_NO_THREAD;
            struct tt_action *action =
                btrace_actions_emit(actor, on_thread ? TT_ACTION_SLICE_END : TT_ACTION_ASYNC_END);
            action->thread = m.thread;
            action->other = m.type;
            action->value = measurement_id(&m);
            return;
        }
    }
    health(actor, TT_HEALTH_UNMATCHED, btrace_actions_word(actor, 0),
           "end of a measurement that did not start");
}

/* ---- counters --------------------------------------------------------------------------- */

static void btrace_actions_count(struct btrace_actor *actor, uint32_t series, int64_t stands_at)
{
    double value = (double)stands_at;
    if (series == UINT32_MAX) {
        return;
    }
    struct tt_action *action = btrace_actions_emit(actor, TT_ACTION_COUNTER);
    action->other = series;
    memcpy(&action->value, &value, sizeof value);
}

static void act_kernel_memory(struct btrace_actor *actor)
{
    struct btrace_state_blob *state = &actor->cursor->state;
    const uint32_t *series = actor->cursor->decoder->series;
    bool address_first =
        sub_of(actor) == BTRACE_PHYS_FREE && btrace_phys_is_direct(payload_of(actor));
    int64_t bytes = btrace_actions_word(actor, address_first ? 1 : 0);
    switch (sub_of(actor)) {
    case BTRACE_INITIAL_FREE:
    case BTRACE_CURRENT_FREE:
        btrace_actions_count(actor, series[BTRACE_SERIES_FREE_RAM], bytes);
        break;
    case BTRACE_MISC_ALLOC:
    case BTRACE_MISC_FREE:
        state->kernel_misc += sub_of(actor) == BTRACE_MISC_ALLOC ? bytes : -bytes;
        btrace_actions_count(actor, series[BTRACE_SERIES_KERNEL_MISC], state->kernel_misc);
        break;
    case BTRACE_PAGING_CACHE:
        btrace_actions_count(actor, series[BTRACE_SERIES_PAGING_CACHE], bytes);
        break;
    case BTRACE_PHYS_ALLOC:
    case BTRACE_PHYS_FREE:
        state->driver_ram += sub_of(actor) == BTRACE_PHYS_ALLOC ? bytes : -bytes;
        btrace_actions_count(actor, series[BTRACE_SERIES_DRIVER_RAM], state->driver_ram);
        break;
    default:
        break;
    }
}

/* Returns whether the sums of heaps and chunks are valid: only for a cursor without gaps. */
static bool accounts(const struct btrace_actor *actor)
{
    return actor->out.actions != &actor->cursor->spare &&
           actor->cursor->ledger.pos == actor->event->pos;
}

static void act_chunk(struct btrace_actor *actor)
{
    struct btrace_ledger *ledger = &actor->cursor->ledger;
    uint32_t chunk = btrace_actions_word(actor, 0);
    int64_t size = btrace_actions_word(actor, 2), sum = 0;
    if (!accounts(actor)) {
        return;
    }
    switch (sub_of(actor)) {
    case BTRACE_CHUNK_CREATED:
    case BTRACE_CHUNK_DESTROYED:
        if (btrace_ledger_chunk_gone(ledger, chunk)) {
            btrace_actions_count(actor, known_at(actor, BTRACE_SERIES_CHUNK, chunk), 0);
            btrace_actions_count(actor, actor->cursor->decoder->series[BTRACE_SERIES_ALL_CHUNKS],
                                 ledger->all_chunks);
        }
        return;
    case BTRACE_CHUNK_ALLOCATED:
    case BTRACE_CHUNK_ADDED:
        break;
    case BTRACE_CHUNK_DEALLOCATED:
    case BTRACE_CHUNK_REMOVED:
        size = -size;
        break;
    default:
        return;
    }
    if (btrace_ledger_chunk(ledger, chunk, size, &sum)) {
        btrace_actions_count(actor, known_at(actor, BTRACE_SERIES_CHUNK, chunk), sum);
        btrace_actions_count(actor, actor->cursor->decoder->series[BTRACE_SERIES_ALL_CHUNKS],
                             ledger->all_chunks);
    }
}

static void act_heap(struct btrace_actor *actor)
{
    struct btrace_ledger *ledger = &actor->cursor->ledger;
    uint32_t heap = btrace_actions_word(actor, 0), address = btrace_actions_word(actor, 1),
             size = btrace_actions_word(actor, 2);
    int64_t sum = 0;
    bool good = false;
    if (!accounts(actor)) {
        return;
    }
    switch (sub_of(actor)) {
    case BTRACE_HEAP_CREATE:
        good = btrace_ledger_heap_create(ledger, heap);
        break;
    case BTRACE_HEAP_ALLOC:
        good = btrace_ledger_alloc(ledger, heap, address, size, &sum);
        break;
    case BTRACE_HEAP_REALLOC:
        good = btrace_ledger_release(ledger, heap, btrace_actions_word(actor, 4), &sum) &&
               btrace_ledger_alloc(ledger, heap, address, size, &sum);
        break;
    case BTRACE_HEAP_FREE:
        good = btrace_ledger_release(ledger, heap, address, &sum);
        break;
    default:
        break;
    }
    if (good) {
        btrace_actions_count(actor, known_at(actor, BTRACE_SERIES_HEAP, heap), sum);
    }
}

/* ---- single record ---------------------------------------------------------------------- */

enum btrace_effect btrace_effect_of(uint8_t category, uint8_t sub)
{
    static const struct {
        uint8_t category, sub, effect;
    } effects[] = {
        {BTRACE_THREAD_IDENTIFICATION, BTRACE_THREAD_CREATE, BTRACE_CREATES_THREAD},
        {BTRACE_THREAD_IDENTIFICATION, BTRACE_NANO_THREAD_DESTROY, BTRACE_DESTROYS_THREAD},
        {BTRACE_THREAD_IDENTIFICATION, BTRACE_THREAD_DESTROY, BTRACE_DESTROYS_THREAD},
        {BTRACE_THREAD_IDENTIFICATION, BTRACE_PROCESS_CREATE, BTRACE_CREATES_PROCESS},
        {BTRACE_THREAD_IDENTIFICATION, BTRACE_PROCESS_DESTROY, BTRACE_DESTROYS_PROCESS},
        {BTRACE_CPU_USAGE, BTRACE_IRQ_START, BTRACE_ENTERS_IRQ},
        {BTRACE_CPU_USAGE, BTRACE_IRQ_END, BTRACE_LEAVES_IRQ},
        {BTRACE_CPU_USAGE, BTRACE_FIQ_START, BTRACE_ENTERS_FIQ},
        {BTRACE_CPU_USAGE, BTRACE_FIQ_END, BTRACE_LEAVES_FIQ},
        {BTRACE_CPU_USAGE, BTRACE_IDFC_START, BTRACE_ENTERS_IDFC},
        {BTRACE_CPU_USAGE, BTRACE_IDFC_END, BTRACE_LEAVES_IDFC},
        {BTRACE_CPU_USAGE, BTRACE_NEW_THREAD_CONTEXT, BTRACE_SWITCHES},
        {BTRACE_CLIENT_SERVER, BTRACE_MESSAGE_SEND, BTRACE_SENDS_MESSAGE},
        {BTRACE_CLIENT_SERVER, BTRACE_MESSAGE_RECEIVE, BTRACE_RECEIVES_MESSAGE},
        {BTRACE_CLIENT_SERVER, BTRACE_MESSAGE_COMPLETE, BTRACE_COMPLETES_MESSAGE},
        {BTRACE_THREAD_PRIORITY, BTRACE_NTHREAD_PRIORITY, BTRACE_SETS_PRIORITY},
        {BTRACE_META_TRACE, BTRACE_MEASUREMENT_START, BTRACE_STARTS_MEASUREMENT},
        {BTRACE_META_TRACE, BTRACE_MEASUREMENT_END, BTRACE_ENDS_MEASUREMENT},
        {BTRACE_FAST_MUTEX, BTRACE_FAST_MUTEX_WAIT, BTRACE_ACQUIRES},
        {BTRACE_FAST_MUTEX, BTRACE_FAST_MUTEX_SIGNAL, BTRACE_FREES_FAST_MUTEX},
        {BTRACE_FAST_MUTEX, BTRACE_FAST_MUTEX_FLASH, BTRACE_FREES_FAST_MUTEX},
        {BTRACE_FAST_MUTEX, BTRACE_FAST_MUTEX_BLOCK, BTRACE_WAITS_FAST_MUTEX},
        {BTRACE_KERNEL_SYNC, BTRACE_SEMAPHORE_BLOCK, BTRACE_WAITS_SEMAPHORE},
        {BTRACE_KERNEL_SYNC, BTRACE_MUTEX_BLOCK, BTRACE_WAITS_MUTEX},
        {BTRACE_KERNEL_SYNC, BTRACE_CONDVAR_BLOCK, BTRACE_WAITS_CONDVAR},
        {BTRACE_KERNEL_SYNC, BTRACE_SEMAPHORE_ACQUIRE, BTRACE_ACQUIRES},
        {BTRACE_KERNEL_SYNC, BTRACE_MUTEX_ACQUIRE, BTRACE_ACQUIRES},
        {BTRACE_KERNEL_SYNC, BTRACE_CONDVAR_WAKE_UP, BTRACE_ACQUIRES},
        {BTRACE_KERNEL_SYNC, BTRACE_SEMAPHORE_RELEASE, BTRACE_FREES_SEMAPHORE},
        {BTRACE_KERNEL_SYNC, BTRACE_MUTEX_RELEASE, BTRACE_FREES_MUTEX},
        {BTRACE_KERNEL_SYNC, BTRACE_CONDVAR_SIGNAL, BTRACE_FREES_CONDVAR},
        {BTRACE_KERNEL_SYNC, BTRACE_CONDVAR_BROADCAST, BTRACE_FREES_CONDVAR},
    };
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        if (effects[i].category == category && effects[i].sub == sub) {
            return (enum btrace_effect)effects[i].effect;
        }
    }
    switch (category) {
    case BTRACE_KERNEL_MEMORY:
        return BTRACE_COUNTS_KERNEL_MEMORY;
    case BTRACE_CHUNKS:
        return BTRACE_COUNTS_CHUNK;
    case BTRACE_HEAP:
        return BTRACE_COUNTS_HEAP;
    default:
        return BTRACE_NO_EFFECT;
    }
}

void btrace_act_note(struct btrace_actor *actor)
{
    if (actor->event->thread != TT_NO_THREAD) {
        btrace_actions_emit(actor, TT_ACTION_NOTE)->other = actor->event->type;
    }
}

void btrace_act_loss(struct btrace_actor *actor)
{
    struct tt_cursor *cursor = actor->cursor;
    struct tt_action *lost = btrace_actions_emit(actor, TT_ACTION_LOST);
    lost->cpu = TT_NO_CPU;
    lost->value = cursor->state.lost_after;
    btrace_actions_emit(actor, TT_ACTION_LOST_SLICES)->value = cursor->state.lost_after;
    cursor->state.lost = false;
}

void btrace_act_resume(struct btrace_actor *actor)
{
    struct btrace_state_blob *state = &actor->cursor->state;
    unsigned first = 0;
    while (first < state->cpu_count && state->cpus[first].resumes == TT_NO_THREAD) {
        first++;
    }
    bool own = actor->cpu && actor->cpu->resumes != TT_NO_THREAD;
    struct btrace_cpu *cpu = own ? actor->cpu : &state->cpus[first];
    state->resuming = first < state->cpu_count;
    if (state->resuming) {
        struct tt_action *action = btrace_actions_emit(actor, TT_ACTION_SWITCH);
        action->thread = cpu->resumes;
        action->other = TT_NO_THREAD;
        action->cpu = (uint16_t)(cpu - state->cpus);
        cpu->thread = cpu->resumes;
        cpu->resumes = TT_NO_THREAD;
    }
}

/* ---- handlers, by effect ---------------------------------------------------------------- */

static void do_nothing(struct btrace_actor *actor)
{
    (void)actor;
}

/* HANDLER(name, call): a handler that makes the call */
#define HANDLER(name, call)                                                                        \
    static void name(struct btrace_actor *a)                                                       \
    {                                                                                              \
        call;                                                                                      \
    }
HANDLER(enter_irq, enter(a, BTRACE_IN_IRQ))
HANDLER(leave_irq, btrace_actions_leave(a, BTRACE_IN_IRQ))
HANDLER(enter_fiq, enter(a, BTRACE_IN_FIQ))
HANDLER(leave_fiq, btrace_actions_leave(a, BTRACE_IN_FIQ))
HANDLER(enter_idfc, enter(a, BTRACE_IN_IDFC))
HANDLER(leave_idfc, btrace_actions_leave(a, BTRACE_IN_IDFC))
HANDLER(wait_fast_mutex, block(a, BTRACE_STATE_FAST_MUTEX))
HANDLER(wait_mutex, block(a, BTRACE_STATE_MUTEX))
HANDLER(wait_semaphore, block(a, BTRACE_STATE_SEMAPHORE))
HANDLER(wait_condvar, block(a, BTRACE_STATE_CONDVAR))
HANDLER(free_fast_mutex, btrace_actions_add_lock(a, TT_ACTION_LOCK_FREE, TT_OBJECT_FAST_MUTEX))
HANDLER(free_mutex, btrace_actions_add_lock(a, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX))
HANDLER(free_semaphore, btrace_actions_add_lock(a, TT_ACTION_LOCK_FREE, TT_OBJECT_SEMAPHORE))
HANDLER(free_condvar, btrace_actions_add_lock(a, TT_ACTION_LOCK_FREE, TT_OBJECT_CONDVAR))
HANDLER(send_message, btrace_actions_add_message(a, TT_ACTION_MESSAGE_SEND))
HANDLER(receive_message, btrace_actions_add_message(a, TT_ACTION_MESSAGE_RECEIVE))
HANDLER(complete_message, btrace_actions_add_message(a, TT_ACTION_MESSAGE_REPLY))
HANDLER(create_thread, act_thread(a, TT_ACTION_THREAD_CREATE))
HANDLER(destroy_thread, act_thread(a, TT_ACTION_THREAD_DESTROY))
HANDLER(create_process, act_process(a, TT_ACTION_PROCESS_CREATE))
HANDLER(destroy_process, act_process(a, TT_ACTION_PROCESS_DESTROY))
#undef HANDLER

void (*const btrace_acts[BTRACE_EFFECTS])(struct btrace_actor *actor) = {
    [BTRACE_NO_EFFECT] = do_nothing,
    [BTRACE_SWITCHES] = switch_to,
    [BTRACE_ENTERS_IRQ] = enter_irq,
    [BTRACE_LEAVES_IRQ] = leave_irq,
    [BTRACE_ENTERS_FIQ] = enter_fiq,
    [BTRACE_LEAVES_FIQ] = leave_fiq,
    [BTRACE_ENTERS_IDFC] = enter_idfc,
    [BTRACE_LEAVES_IDFC] = leave_idfc,
    [BTRACE_ACQUIRES] = acquire,
    [BTRACE_WAITS_FAST_MUTEX] = wait_fast_mutex,
    [BTRACE_WAITS_MUTEX] = wait_mutex,
    [BTRACE_WAITS_SEMAPHORE] = wait_semaphore,
    [BTRACE_WAITS_CONDVAR] = wait_condvar,
    [BTRACE_FREES_FAST_MUTEX] = free_fast_mutex,
    [BTRACE_FREES_MUTEX] = free_mutex,
    [BTRACE_FREES_SEMAPHORE] = free_semaphore,
    [BTRACE_FREES_CONDVAR] = free_condvar,
    [BTRACE_SENDS_MESSAGE] = send_message,
    [BTRACE_RECEIVES_MESSAGE] = receive_message,
    [BTRACE_COMPLETES_MESSAGE] = complete_message,
    [BTRACE_SETS_PRIORITY] = act_priority,
    [BTRACE_CREATES_THREAD] = create_thread,
    [BTRACE_DESTROYS_THREAD] = destroy_thread,
    [BTRACE_CREATES_PROCESS] = create_process,
    [BTRACE_DESTROYS_PROCESS] = destroy_process,
    [BTRACE_STARTS_MEASUREMENT] = measurement_starts,
    [BTRACE_ENDS_MEASUREMENT] = measurement_ends,
    [BTRACE_COUNTS_KERNEL_MEMORY] = act_kernel_memory,
    [BTRACE_COUNTS_CHUNK] = act_chunk,
    [BTRACE_COUNTS_HEAP] = act_heap,
};
