/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_clues: the roles of events in wakes. The kernel writes sched_waking at the waker. The flags of the event
 * show whether that is an interrupt, also if none was recorded; a thread is the one that runs, in the system call
 * that it is in. A thread that raises the priority of another one waits for what that one holds.
 */
#include "format/ftrace/ftrace_internal.h"

/* Kinds of wakes by the state that the call of the waker would sleep in: futex wakes waiters of a futex. */
static unsigned ftrace_clues_wake_of_call(unsigned call)
{
    switch (linux_call_state(call)) {
    case LINUX_FUTEX:
        return TT_WAKE_UNLOCK;
    case LINUX_MESSAGE:
        return TT_WAKE_MESSAGE;
    default:
        return TT_WAKE_UNKNOWN;
    }
}

static void clue_of_wake(const struct ftrace *ftrace, const struct ftrace_event *of,
                         const struct ftrace_record *record, const struct tt_event *event,
                         struct tt_clue *clue)
{
    if (of->meaning == FTRACE_WAKEUP && ftrace_has(ftrace, FTRACE_WAKING)) {
        return; /* the second event of a wake */
    }
    clue->role = TT_CLUE_READY;
    clue->thread =
        linux_known_lane(&ftrace->threads, (int32_t)ftrace_get(record, of->at[0]), event->cpu);
    if ((ftrace_get(record, ftrace->common_flags) & ftrace->interrupts) != 0) {
        uint32_t interrupt = atomic_load_explicit(&ftrace->interrupt, memory_order_acquire);
        clue->role = TT_CLUE_WOKEN;
        clue->other = interrupt - 1;
    } else if (of->meaning == FTRACE_WAKEUP_NEW) {
        clue->role = TT_CLUE_WOKEN;
        clue->other = event->thread;
        clue->kind = TT_WAKE_CREATE;
    }
}

/* A thread that raises another one: it asks for what that one holds. */
static void clue_of_priority(const struct ftrace *ftrace, const struct tt_event *event,
                             struct tt_clue *clue)
{
    const struct ftrace_note *note =
        ftrace_note_at(ftrace_stream_of(ftrace, event->pos), ftrace_place(ftrace, event->pos));
    if (note && note->owner != 0) {
        clue->role = TT_CLUE_CALL;
        clue->kind = TT_WAKE_UNLOCK;
        clue->value = note->object;
        clue->other = linux_known_lane(&ftrace->threads, note->owner, event->cpu);
    }
}

/* A timer is an interrupt of its own only if those around it are not recorded; it has no number. */
static void clue_of_timer(const struct ftrace *ftrace, const struct ftrace_event *of,
                          const struct tt_event *event, struct tt_clue *clue)
{
    bool enters = of->meaning == FTRACE_TIMER_ENTRY;
    if (event->kind != TT_KIND_INTERRUPT_ENTER && event->kind != TT_KIND_INTERRUPT_EXIT) {
        return; /* in a thread */
    }
    clue->role = ftrace->timers_nest ? TT_CLUE_HANDLER : enters ? TT_CLUE_IRQ : TT_CLUE_IRQ_END;
    clue->value = UINT64_MAX;
    clue->kind = TT_WAKE_TIMER;
}

void ftrace_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue)
{
    const struct ftrace *ftrace = capture->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    (void)with_details;
    if (!ftrace_find_record(ftrace, event, limit, &record, &of) || !of ||
        !ftrace_acts(ftrace, of, ftrace_stream_of(ftrace, event->pos))) {
        return;
    }
    switch ((enum ftrace_meaning)of->meaning) {
    case FTRACE_SWITCH:
        clue->role = ftrace_has(ftrace, FTRACE_WAKING) || ftrace_has(ftrace, FTRACE_WAKEUP)
                         ? TT_CLUE_RUNS
                         : TT_CLUE_SWITCH;
        clue->thread =
            linux_known_lane(&ftrace->threads, (int32_t)ftrace_get(&record, of->at[3]), event->cpu);
        break;
    case FTRACE_WAKING:
    case FTRACE_WAKEUP:
    case FTRACE_WAKEUP_NEW:
        clue_of_wake(ftrace, of, &record, event, clue);
        break;
    case FTRACE_SETPRIO:
        clue_of_priority(ftrace, event, clue);
        break;
    case FTRACE_IRQ_ENTRY:
    case FTRACE_VECTOR_ENTRY:
    case FTRACE_SOFTIRQ_ENTRY:
        clue->role = event->kind == TT_KIND_INTERRUPT_ENTER ? TT_CLUE_IRQ : TT_CLUE_NONE;
        clue->value = ftrace_get(&record, of->at[0]);
        clue->kind = of->is_clock ? TT_WAKE_TIMER : TT_WAKE_UNKNOWN;
        break;
    case FTRACE_IRQ_EXIT:
    case FTRACE_VECTOR_EXIT:
    case FTRACE_SOFTIRQ_EXIT:
        clue->role = event->kind == TT_KIND_INTERRUPT_EXIT ? TT_CLUE_IRQ_END : TT_CLUE_NONE;
        break;
    case FTRACE_TIMER_ENTRY:
    case FTRACE_TIMER_EXIT:
        clue_of_timer(ftrace, of, event, clue);
        break;
    case FTRACE_SYS_ENTER:
    case FTRACE_CALL_ENTER:
        clue->role = TT_CLUE_CALL;
        clue->kind = (uint8_t)ftrace_clues_wake_of_call(ftrace_call_of(ftrace, of, &record));
        clue->value =
            clue->kind == TT_WAKE_UNLOCK ? ftrace_get(&record, ftrace_argument(ftrace, of)) : 0;
        break;
    case FTRACE_SYS_EXIT:
    case FTRACE_CALL_EXIT:
        clue->role = TT_CLUE_CALL_END;
        break;
    default:
        break;
    }
}
