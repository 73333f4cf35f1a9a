/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_clues: the roles of events in wakes, and the pairs of events that begin and end something. The kernel writes sched_waking at the waker. The flags of the event
 * show whether that is an interrupt, also if none was recorded; a thread is the one that runs, in the system call
 * that it is in. A thread that raises the priority of another one waits for what that one holds.
 */
#include "base/hash.h"
#include "format/ftrace/ftrace_internal.h"

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
    const struct ftrace_note *note;
    unsigned state;
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
        note =
            ftrace_note_at(ftrace_stream_of(ftrace, event->pos), ftrace_place(ftrace, event->pos));
        if (note &&
            note->owner != 0) { /* a thread that raises another one asks for what that one holds */
            clue->role = TT_CLUE_CALL;
            clue->kind = TT_WAKE_UNLOCK;
            clue->value = note->object;
            clue->other = linux_known_lane(&ftrace->threads, note->owner, event->cpu);
        }
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
        /* An interrupt of its own only if those around it are not recorded; it has no number. In a thread it is none. */
        if (event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT) {
            clue->role = ftrace->timers_nest                 ? TT_CLUE_HANDLER
                         : of->meaning == FTRACE_TIMER_ENTRY ? TT_CLUE_IRQ
                                                             : TT_CLUE_IRQ_END;
            clue->value = UINT64_MAX;
            clue->kind = TT_WAKE_TIMER;
        }
        break;
    case FTRACE_SYS_ENTER:
    case FTRACE_CALL_ENTER:
        state = linux_call_state(ftrace_call_of(ftrace, of, &record));
        clue->role = TT_CLUE_CALL;
        clue->kind = state == LINUX_FUTEX     ? TT_WAKE_UNLOCK /* it wakes waiters of a futex */
                     : state == LINUX_MESSAGE ? TT_WAKE_MESSAGE
                                              : TT_WAKE_UNKNOWN;
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

/* ---- pairs --------------------------------------------------------------------------------- */

uint32_t ftrace_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges)
{
    const struct ftrace *ftrace = capture->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    bool on_cpu = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT;
    bool call = event->kind == TT_KIND_ENTER || event->kind == TT_KIND_EXIT;
    bool slice = event->kind == TT_KIND_BEGIN || event->kind == TT_KIND_END;
    if ((!on_cpu && !call && !slice) || !ftrace_find_record(ftrace, event, limit, &record, &of) ||
        !of || of->meaning == FTRACE_PLAIN) {
        return 0;
    }
    uint64_t buffer = ftrace_stream_of(ftrace, event->pos)->buffer;
    uint64_t place = on_cpu ? event->cpu : event->thread;
    uint64_t number = call ? ftrace_get(&record, of->at[0]) : 0;
    bool begins = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_ENTER ||
                  event->kind == TT_KIND_BEGIN;
    /* Meanings of a begin and its end are neighbours: the key has that of the begin. */
    unsigned meaning = of->meaning - (!begins && of->meaning != FTRACE_PRINT ? 1u : 0u);
    edges->key = tt_hash_of_pair(buffer << 48 | (uint64_t)meaning << 40 | place, number);
    edges->side = begins ? TT_EDGE_BEGIN : TT_EDGE_END;
    edges->thread = on_cpu ? TT_NO_THREAD : event->thread;
    edges->cpu = on_cpu ? event->cpu : TT_NO_CPU;
    edges->alone = call;
    return on_cpu || event->thread != TT_NO_THREAD;
}
