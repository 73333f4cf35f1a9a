/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_clues: the roles of QNX events in wakes. The kernel writes a thread's READY on the CPU of the
 * waker, inside the interrupt or the kernel call that wakes it ("System Analysis Toolkit User's
 * Guide", chapter 7: events of a message pass).
 */
#include <string.h>

#include "format/kev/kev_internal.h"
#include "tracetui/object_kind.h"

/*
 * Kernel calls that wake threads, by number. SYNC_CONDVAR_WAIT is not among them: it releases a mutex,
 * and the state of the thread that it wakes shows what for.
 */
static const struct {
    uint8_t call;
    uint8_t kind;
} call_wakes[] = {
    {11, TT_WAKE_MESSAGE}, /* MSG_SENDV */
    {12, TT_WAKE_MESSAGE}, /* MSG_SENDVNC */
    {13, TT_WAKE_ERROR},   /* MSG_ERROR */
    {15, TT_WAKE_REPLY},   /* MSG_REPLYV */
    {20, TT_WAKE_PULSE},   /* MSG_SEND_PULSE */
    {26, TT_WAKE_SIGNAL},  /* SIGNAL_KILL */
    {33, TT_WAKE_SIGNAL},  /* SIGNAL_KILL_SIGVAL */
    {46, TT_WAKE_CREATE},  /* THREAD_CREATE */
    {47, TT_WAKE_EXIT},    /* THREAD_DESTROY */
    {48, TT_WAKE_EXIT},    /* THREAD_DESTROYALL */
    {81, TT_WAKE_UNLOCK},  /* SYNC_MUTEX_UNLOCK */
    {83, TT_WAKE_CONDVAR}, /* SYNC_CONDVAR_SIGNAL */
    {84, TT_WAKE_POST},    /* SYNC_SEM_POST */
};

/* COMM events that wake threads, by number. */
static const uint8_t comm_wakes[] = {
    [0] = TT_WAKE_MESSAGE, [1] = TT_WAKE_PULSE,  [4] = TT_WAKE_PULSE, [5] = TT_WAKE_PULSE,
    [6] = TT_WAKE_PULSE,   [7] = TT_WAKE_PULSE,  [8] = TT_WAKE_PULSE, [9] = TT_WAKE_SIGNAL,
    [10] = TT_WAKE_REPLY,  [11] = TT_WAKE_ERROR,
};

enum { SYSTEM_TIMER = 18 };
enum {
    INT_ENTER = 1,
    INT_EXIT,
    HANDLER_ENTER,
    HANDLER_EXIT,
    INT_ENTER_64,
    HANDLER_ENTER_64,
    INT_DELIVER
};

/*
 * A rcvid has the client's tid, counted from 0, above the number of the connection in the server
 * process; a pulse has that number alone.
 */
void kev_message_id(uint64_t id, struct tt_message_id *parts)
{
    parts->connection = id & 0xffffu;
    parts->tid = (id >> 16 & 0xffffu) + 1;
}

static unsigned kev_clues_wake_of_call(uint32_t call)
{
    for (size_t i = 0; i < sizeof call_wakes / sizeof call_wakes[0]; i++) {
        if (call_wakes[i].call == call) {
            return call_wakes[i].kind;
        }
    }
    return TT_WAKE_UNKNOWN;
}

/* Returns the first argument: a number or, of 64-bit calls, an address. */
static uint64_t first_argument(const struct tt_capture *capture, const struct tt_event *event,
                               uint32_t code, uint64_t limit)
{
    struct kev_event whole;
    uint8_t bytes[8];
    if (!kev_gather(capture, event->pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
        return 0;
    }
    bool big = kev_payload_big(capture->decoder);
    bool is_64 = kev_class_of(code) == KEV_CLASS_CALL && (code & KEV_64_BIT) != 0 &&
                 (code & KEV_EVENT_MASK & ~KEV_64_BIT) >= 78; /* SYNC_...: an address */
    return is_64 ? tt_load_u64(bytes, big) : tt_load_u32(bytes, big);
}

/* Returns the value of an argument that is a number; false if the event lacks it. */
static bool kev_clues_argument(const struct tt_capture *capture, const struct tt_event *event,
                               uint64_t limit, const char *name, uint32_t *value)
{
    struct tt_args args;
    size_t length = strlen(name);
    if (!kev_describe(capture, event, limit, &args)) {
        return false;
    }
    for (unsigned i = 0; i < args.count; i++) {
        const struct tt_arg *arg = &args.v[i];
        if (arg->name.length == length && memcmp(arg->name.data, name, length) == 0) {
            *value = (uint32_t)arg->value.u;
            return true;
        }
    }
    return false;
}

/* Finds the only thread of the process that a message is sent to. */
static uint32_t only_thread_of(const struct tt_capture *capture, const struct tt_event *event,
                               uint32_t pid)
{
    uint64_t when = capture->lanes_by_time ? event->ticks : event->pos;
    uint32_t process = tt_registry_find_process(capture, pid, when), found = TT_NO_THREAD;
    if (process == UINT32_MAX || tt_process_at(capture, process)->threads != 1) {
        return TT_NO_THREAD;
    }
    for (uint32_t i = 0; i < tt_thread_count(capture) && found == TT_NO_THREAD; i++) {
        found = tt_thread_at(capture, i)->process == process ? i : TT_NO_THREAD;
    }
    return found;
}

enum { CALL_JOIN = 50, CALL_MUTEX_LOCK = 80, COMM_SEND = 0 };

/* Finds the thread that a call waits for, as far as its event shows it. */
static uint32_t awaited(const struct tt_capture *capture, const struct tt_event *event,
                        uint32_t code, uint64_t limit)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT, value;
    uint64_t when = capture->lanes_by_time ? event->ticks : event->pos;
    if (event->thread == TT_NO_THREAD) {
        return TT_NO_THREAD;
    }
    if (kev_class_of(code) == KEV_CLASS_COMM) {
        return number == COMM_SEND && kev_clues_argument(capture, event, limit, "pid", &value)
                   ? only_thread_of(capture, event, value)
                   : TT_NO_THREAD;
    }
    if (number == CALL_MUTEX_LOCK && kev_clues_argument(capture, event, limit, "owner", &value)) {
        const char *special;
        return kev_arg_owner(capture, event, value, &special);
    }
    if (number == CALL_JOIN && kev_clues_argument(capture, event, limit, "tid", &value)) {
        uint64_t own = tt_process_at(capture, tt_thread_at(capture, event->thread)->process)->pid;
        return tt_registry_find_thread(capture, own, value, when);
    }
    return TT_NO_THREAD;
}

static void clue_of_state(const struct kev_decoder *decoder, const struct tt_event *event,
                          uint32_t code, struct tt_clue *clue)
{
    uint32_t number = code & KEV_EVENT_MASK;
    if (number >= KEV_STATE_EVENTS || (decoder->release != KEV_8 && number >= 26)) {
        return;
    }
    unsigned class_ = kev_states[kev_state_of(decoder->release, number)].class_;
    clue->thread = event->thread;
    clue->role = class_ == TT_CLASS_RUNNING ? TT_CLUE_RUNS
                 : class_ == TT_CLASS_READY ? TT_CLUE_READY
                                            : TT_CLUE_NONE;
}

static void clue_of_interrupt(uint32_t number, struct tt_clue *clue)
{
    static const uint8_t roles[] = {
        [INT_ENTER] = TT_CLUE_IRQ,         [INT_EXIT] = TT_CLUE_IRQ_END,
        [HANDLER_ENTER] = TT_CLUE_HANDLER, [HANDLER_EXIT] = TT_CLUE_HANDLER,
        [INT_ENTER_64] = TT_CLUE_IRQ,      [HANDLER_ENTER_64] = TT_CLUE_HANDLER,
        [INT_DELIVER] = TT_CLUE_DELIVER,
    };
    clue->role = number < sizeof roles ? roles[number] : TT_CLUE_NONE;
}

void kev_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
              bool with_details, struct tt_clue *clue)
{
    uint32_t code = (uint32_t)tt_types_at(capture, event->type)->code;
    uint32_t number = code & KEV_EVENT_MASK;
    switch (kev_class_of(code)) {
    case KEV_CLASS_THREAD:
        clue_of_state(capture->decoder, event, code, clue);
        return;
    case KEV_CLASS_CALL:
        number &= ~KEV_64_BIT;
        clue->role = number < KEV_EXIT ? TT_CLUE_CALL : TT_CLUE_CALL_END;
        clue->kind =
            (uint8_t)(number < KEV_EXIT ? kev_clues_wake_of_call(number) : TT_WAKE_UNKNOWN);
        break;
    case KEV_CLASS_COMM:
        clue->kind = number < sizeof comm_wakes ? comm_wakes[number] : TT_WAKE_UNKNOWN;
        clue->role = clue->kind != TT_WAKE_UNKNOWN ? TT_CLUE_CALL : TT_CLUE_NONE;
        break;
    case KEV_CLASS_INTERRUPT:
        clue_of_interrupt(number, clue);
        break;
    case KEV_CLASS_SYSTEM:
        clue->role = number == SYSTEM_TIMER ? TT_CLUE_TIMER : TT_CLUE_NONE;
        clue->thread = event->thread;
        return;
    default:
        return;
    }
    if (with_details && clue->role != TT_CLUE_NONE && clue->role != TT_CLUE_CALL_END) {
        const struct kev_decoder *decoder = capture->decoder;
        clue->value = first_argument(capture, event, code, limit);
        clue->other =
            clue->role == TT_CLUE_CALL ? awaited(capture, event, code, limit) : TT_NO_THREAD;
        bool irq = clue->role == TT_CLUE_IRQ || clue->role == TT_CLUE_DELIVER;
        clue->kind = irq && clue->value == decoder->clock_vector ? TT_WAKE_TIMER : clue->kind;
    }
}
