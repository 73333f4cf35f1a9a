/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_sched: turns scheduling records into switches and wakeups.
 *
 *  The newer context switch and the wakeup have thread koids, and by convention weights as
 * arguments ("outgoing_weight", "incoming_weight", "weight", "waker"); Zircon writes INT32_MIN as
 * the weight of a CPU's idle thread. The older context switch has thread refs and priorities; its
 * idle thread is in process 0 with priority 0.
 */
#include "format/fxt/fxt_sched.h"

/* A thread may wait for its next activation where it is blocked; the trace has no finer states. */
const struct tt_state_info tt_fxt_states[TT_FXT_STATES] = {
    [TT_FXT_STATE_UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [TT_FXT_STATE_READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [TT_FXT_STATE_RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [TT_FXT_STATE_SUSPENDED] = {.name = "suspended", .class_ = TT_CLASS_STOPPED},
    [TT_FXT_STATE_BLOCKED] = {"blocked", TT_CLASS_WAIT, TT_STATE_ENDS_JOB, 0, 0, NULL},
    [TT_FXT_STATE_DYING] = {.name = "dying", .class_ = TT_CLASS_DEAD},
    [TT_FXT_STATE_DEAD] = {.name = "dead", .class_ = TT_CLASS_DEAD},
};

const uint8_t tt_fxt_outgoing_states[16] = {
    TT_FXT_STATE_READY,   TT_FXT_STATE_READY, TT_FXT_STATE_SUSPENDED,
    TT_FXT_STATE_BLOCKED, TT_FXT_STATE_DYING, TT_FXT_STATE_DEAD,
};

/* ---- weights ---------------------------------------------------------------------------- */

/* Reads the arguments; *waker is the koid of the waking thread, if present. */
static bool read_args(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                      const struct tt_fxt_view *view, struct tt_fxt_sched *sched, uint64_t *waker)
{
    const struct tt_fxt_words *words = &cursor->fxt->words;
    uint32_t at = view->at[TT_FXT_ARGS];
    bool has_waker = false;
    for (uint32_t i = 0; i < view->args; i++) {
        uint64_t header = tt_fxt_word(record, at);
        tt_string name = tt_fxt_string_ref(cursor, record, (uint16_t)(header >> 16), at + 1);
        unsigned role = tt_fxt_weight_of(words, name);
        struct tt_fxt_arg arg;
        if ((header & 15) == TT_FXT_ARG_INT32) {
            tt_fxt_store_weight(role, (int32_t)(header >> 32), sched);
        } else if (tt_fxt_arg_at(record, at, &arg)) {
            if (arg.type >= TT_FXT_ARG_UINT32 && arg.type <= TT_FXT_ARG_UINT64) {
                tt_fxt_store_weight(role, (int64_t)arg.value, sched);
            }
            if (role == TT_FXT_WEIGHT_WAKER &&
                (arg.type == TT_FXT_ARG_KOID || arg.type == TT_FXT_ARG_UINT64)) {
                *waker = arg.value;
                has_waker = true;
            }
        }
        at += (uint32_t)tt_fxt_bits(header, 4, 12);
    }
    return has_waker;
}

/* ---- events and actions ----------------------------------------------------------------- */

/* Returns whether a thread of an old record is in process 0; one that is not registered is not known. */
static bool is_in_process_0(const struct tt_cursor *cursor, uint32_t lane)
{
    const struct tt_capture *capture = cursor->fxt->capture;
    if (lane == TT_NO_THREAD || (tt_thread_at(capture, lane)->tid & TT_FXT_REFERENCE)) {
        return false;
    }
    return tt_process_at(capture, tt_thread_at(capture, lane)->process)->pid == 0;
}

static void learn_idle(struct tt_cursor *cursor, uint32_t lane, bool idle)
{
    if (idle && cursor->learning && lane != TT_NO_THREAD &&
        !tt_thread_at(cursor->fxt->capture, lane)->idle) {
        tt_registry_set_idle(cursor->fxt->capture, lane, true);
    }
}

/* Records the capacity of a deadline thread by its deadline: its priority has the latter only. */
static void learn_deadline(struct tt_cursor *cursor, uint32_t lane, int32_t weight)
{
    if (weight == 0 || !cursor->learning || lane == TT_NO_THREAD) {
        return;
    }
    uint64_t deadline = (uint64_t)(-weight % TT_FXT_PACK);
    uint64_t capacity = (uint64_t)(-weight / TT_FXT_PACK);
    cursor->no_memory |=
        !tt_fxt_table_put(&cursor->fxt->deadlines, lane, deadline, cursor->pos, capacity);
    uint64_t tid = tt_thread_at(cursor->fxt->capture, lane)->tid;
    struct tt_fxt_tid_entry *entry = &cursor->tids[tt_fxt_tid_place(tid)];
    if (entry->tid == tid && entry->lane == lane) {
        entry->known = (uint32_t)weight;
    }
}

int32_t tt_fxt_weight(const struct tt_capture *capture, uint32_t thread, int16_t priority)
{
    const struct tt_fxt *fxt = capture->decoder;
    int32_t deadline = INT16_MAX - priority;
    uint64_t capacity;
    if (priority <= TT_FXT_FAIR_MOST ||
        !tt_fxt_table_get(&fxt->deadlines, thread, (uint64_t)deadline, UINT64_MAX, &capacity)) {
        return priority;
    }
    return -((int32_t)(capacity % TT_FXT_PACK) * TT_FXT_PACK + deadline);
}

/* A CPU number beyond any machine would create a lane for each CPU below it. */
static uint16_t fxt_sched_cpu_of(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 uint64_t cpu)
{
    if (cpu < TT_FXT_CPUS) {
        return (uint16_t)cpu;
    }
    tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, cpu, "CPU that cannot be");
    return TT_NO_CPU;
}

/* Stores which threads run when damage has ended. */
static void learn_runners(struct tt_cursor *cursor, const struct tt_event *event)
{
    uint64_t koids[TT_FXT_RUNNERS];
    uint32_t cpus;
    cursor->stream->damaged = false;
    tt_fxt_find_runners(cursor, event->pos, koids, &cpus);
    for (uint32_t cpu = 0; cpu < TT_FXT_RUNNERS; cpu++) {
        if ((cpus >> cpu & 1) && tt_fxt_knows_tid(cursor, koids[cpu])) {
            uint32_t lane = tt_fxt_lane_of_tid(cursor, koids[cpu]);
            cursor->no_memory |=
                !tt_fxt_table_put(&cursor->fxt->lost, event->pos, TT_FXT_RUNNER + cpu, 0, lane);
        }
    }
}

/* Adds the states of the threads that run when damage has ended. */
static void add_runners(const struct tt_cursor *cursor, const struct tt_event *event,
                        struct tt_batch *batch)
{
    const struct tt_fxt *fxt = cursor->fxt;
    uint64_t lane;
    for (uint32_t cpu = 0; cpu < TT_FXT_RUNNERS; cpu++) {
        if (tt_fxt_table_get(&fxt->lost, event->pos, TT_FXT_RUNNER + cpu, 0, &lane)) {
            struct tt_action *action = tt_fxt_action(batch, TT_ACTION_STATE, (uint32_t)lane);
            if (action) {
                action->cpu = (uint16_t)cpu;
                action->state = TT_FXT_STATE_RUNNING;
                action->flags = TT_ACTION_RAN_BEFORE;
            }
        }
    }
}

/* Returns the lane of a koid in a switch; koid 0 with the weight of idle is no thread. */
static uint32_t lane_of_koid(struct tt_cursor *cursor, uint64_t koid, bool idle)
{
    return koid == 0 && idle ? TT_NO_THREAD : tt_fxt_lane_of_tid(cursor, koid);
}

/* Adds the action of a switch to or from no thread: docs/format-fxt.md, "No thread". */
static void add_half_switch(const struct tt_fxt_sched *sched, uint16_t cpu, unsigned state,
                            struct tt_batch *batch)
{
    bool enters = sched->incoming != TT_NO_THREAD, lost = state == TT_FXT_OUTGOING_LOST;
    uint32_t thread = enters ? sched->incoming : sched->outgoing;
    unsigned kind = lost && !enters ? TT_ACTION_LOST : TT_ACTION_STATE;
    if (thread == TT_NO_THREAD && !lost) {
        return;
    }
    struct tt_action *action =
        tt_fxt_action(batch, kind, kind == TT_ACTION_LOST ? TT_NO_THREAD : thread);
    if (action) {
        action->cpu = cpu;
        action->state = enters ? TT_FXT_STATE_RUNNING : tt_fxt_outgoing_states[state & 15];
        action->priority = enters ? sched->incoming_priority : sched->outgoing_priority;
        action->flags = !enters || lost ? TT_ACTION_RAN_BEFORE : 0;
    }
}

static void emit_switch(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                        const struct tt_fxt_view *view, bool legacy, struct tt_batch *batch)
{
    uint64_t header = tt_fxt_word(record, 0);
    uint64_t state = tt_fxt_bits(header, legacy ? 24 : 36, 4);
    struct tt_event *event = &batch->events[batch->count - 1];
    struct tt_fxt_sched sched = TT_FXT_NO_SCHED;
    uint64_t waker;
    bool is_half = false;
    event->cpu =
        fxt_sched_cpu_of(cursor, record, tt_fxt_bits(header, legacy ? 16 : 20, legacy ? 8 : 16));
    if (legacy) {
        sched.outgoing =
            tt_fxt_thread_ref(cursor, record, view->value[TT_FXT_THREAD], view->at[TT_FXT_THREAD]);
        sched.incoming = tt_fxt_thread_ref(cursor, record, view->value[TT_FXT_INCOMING],
                                           view->at[TT_FXT_INCOMING]);
        sched.outgoing_priority = (int16_t)tt_fxt_bits(header, 44, 8);
        sched.incoming_priority = (int16_t)tt_fxt_bits(header, 52, 8);
        sched.outgoing_idle =
            sched.outgoing_priority == 0 && is_in_process_0(cursor, sched.outgoing);
        sched.incoming_idle =
            sched.incoming_priority == 0 && is_in_process_0(cursor, sched.incoming);
    } else {
        uint64_t outgoing = tt_fxt_word(record, view->at[TT_FXT_A]);
        uint64_t incoming = tt_fxt_word(record, view->at[TT_FXT_B]);
        if (cursor->learning || batch->actions || outgoing == 0 || incoming == 0) {
            read_args(cursor, record, view, &sched, &waker);
        }
        sched.outgoing = lane_of_koid(cursor, outgoing, sched.outgoing_idle);
        sched.incoming = lane_of_koid(cursor, incoming, sched.incoming_idle);
        is_half = (outgoing == 0 && sched.outgoing_idle) || (incoming == 0 && sched.incoming_idle);
    }
    event->thread = sched.incoming;
    learn_idle(cursor, sched.outgoing, sched.outgoing_idle);
    learn_idle(cursor, sched.incoming, sched.incoming_idle);
    learn_deadline(cursor, sched.outgoing, sched.outgoing_deadline);
    learn_deadline(cursor, sched.incoming, sched.incoming_deadline);
    if (is_half) {
        add_half_switch(&sched, event->cpu, (unsigned)state, batch);
    } else {
        tt_fxt_add_sched(&sched, true, event->cpu, (unsigned)state, batch);
    }
}

static void emit_wakeup(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                        const struct tt_fxt_view *view, struct tt_batch *batch)
{
    struct tt_event *event = &batch->events[batch->count - 1];
    struct tt_fxt_sched sched = TT_FXT_NO_SCHED;
    uint64_t waker = 0;
    event->cpu = fxt_sched_cpu_of(cursor, record, tt_fxt_bits(tt_fxt_word(record, 0), 20, 16));
    event->thread = tt_fxt_lane_of_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_A]));
    if (!cursor->learning && !batch->actions) {
        return;
    }
    bool has_waker = read_args(cursor, record, view, &sched, &waker);
    sched.incoming = event->thread;
    sched.outgoing = has_waker ? tt_fxt_lane_of_tid(cursor, waker) : TT_NO_THREAD;
    learn_idle(cursor, event->thread, sched.incoming_idle);
    learn_deadline(cursor, event->thread, sched.incoming_deadline);
    tt_fxt_add_sched(&sched, false, event->cpu, 0, batch);
}

void tt_fxt_emit_sched(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                       const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                       struct tt_batch *batch)
{
    /*
     * Adds the loss action of the first scheduling record after a loss: what is affected, and since
     * when.
     */
    const struct tt_event *event = &batch->events[batch->count - 1];
    struct tt_fxt *fxt = cursor->fxt;
    uint64_t since;
    if (cursor->learning) {
        /*
         * Records the time of a provider's scheduling record, and the loss before it if it is the
         * first after one.
         */

        struct tt_fxt_provider *provider = cursor->stream;
        if (provider->lost) {
            provider->lost = false;
            tt_fxt_mark(cursor, event->pos);
            if (provider->damaged) {
                learn_runners(cursor, event);
            }
            cursor->no_memory |=
                !tt_fxt_table_put(&fxt->lost, event->pos, 0, 0, provider->lost_since);
        }
        provider->last_switch = event->ticks;
    }
    if (atomic_load_explicit(&fxt->any_lost, memory_order_relaxed) &&
        tt_fxt_table_get(&fxt->lost, event->pos, 0, 0, &since)) {
        struct tt_action *action = tt_fxt_action(batch, TT_ACTION_LOST, TT_NO_THREAD);
        if (action) {
            action->value = since;
        }
        add_runners(cursor, event, batch);
    }

    if (layout->does == TT_FXT_DOES_WAKEUP) {
        emit_wakeup(cursor, record, view, batch);
    } else {
        emit_switch(cursor, record, view, layout->does == TT_FXT_DOES_SWITCH_LEGACY, batch);
    }

    uint16_t cpu = batch->events[batch->count - 1].cpu;
    struct tt_capture *capture = cursor->fxt->capture;
    if (cursor->learning && cpu != TT_NO_CPU && cpu >= capture->cpu_count) {
        capture->cpu_count = (uint32_t)cpu + 1;
    }
}
