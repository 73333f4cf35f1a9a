/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt_states: reads the states at a time from the timelines. */
#include "excerpt/excerpt_states.h"

#include <stdlib.h>

#include "tracetui/timeline.h"

#define BATCH       1024u
#define ACTIONS     (4 * BATCH)
#define BATCHES_MAX 256u /* the search for the begin of an interrupt ends here */

struct tt_status tt_excerpt_states_open(struct tt_excerpt_states *states,
                                        const struct tt_capture *capture)
{
    states->first_pos = UINT64_MAX;
    states->thread_count = tt_thread_count(capture);
    states->threads = calloc((size_t)states->thread_count + 1, sizeof *states->threads);
    states->seen = calloc((size_t)states->thread_count / 64 + 1, sizeof *states->seen);
    return states->threads && states->seen ? tt_ok() : tt_error_memory();
}

void tt_excerpt_states_close(struct tt_excerpt_states *states)
{
    free(states->threads);
    free(states->seen);
    states->threads = NULL;
    states->seen = NULL;
}

void tt_excerpt_states_see(struct tt_excerpt_states *states, const struct tt_event *event)
{
    states->first_pos = event->pos < states->first_pos ? event->pos : states->first_pos;
    if (event->thread >= states->thread_count) {
        return;
    }
    uint64_t bit = UINT64_C(1) << (event->thread % 64);
    if (!(states->seen[event->thread / 64] & bit)) {
        states->seen[event->thread / 64] |= bit;
        /* A thread whose first event creates or names it needs no state before. */
        states->threads[event->thread].role =
            event->kind == TT_KIND_LIFETIME ? TT_EXCERPT_ABSENT : TT_EXCERPT_NAMED;
    }
}

/* Returns the format's state of a thread that has ended; 0 if there is none. */
static uint16_t dead_state(const struct tt_capture *capture)
{
    for (uint32_t i = 0; i < capture->format->state_count; i++) {
        if (capture->format->states[i].class_ == TT_CLASS_DEAD) {
            return (uint16_t)i;
        }
    }
    return 0;
}

/* Marks the thread that ran last on a CPU that runs the kernel. It may have ended. */
static void find_last_run(struct tt_excerpt_states *states, const struct tt_capture *capture,
                          const struct tt_timelines *timelines, uint16_t cpu)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(timelines, cpu, states->ticks, &at) ||
        tt_occupation_get(timelines, at).occupant != TT_OCCUPANT_KERNEL ||
        !tt_occupation_previous(timelines, &at)) {
        return;
    }
    uint32_t last = tt_occupation_get(timelines, at).occupant;
    if (last >= states->thread_count || states->threads[last].role == TT_EXCERPT_ON_CPU) {
        return;
    }
    if (states->threads[last].role != TT_EXCERPT_IN_STATE) {
        states->threads[last].state = dead_state(capture);
    }
    states->threads[last].role = TT_EXCERPT_LAST_RUN;
    states->threads[last].cpu = cpu;
}

/* ---- interrupts --------------------------------------------------------------------------- */

struct open_interrupts {
    uint32_t *due;  /* begins that are still to be found, by CPU */
    uint32_t *ends; /* ends whose begins are still to come, by CPU */
    uint32_t left;
};

/* A walk from the beginning of the excerpt backwards. */
struct walk {
    struct tt_trace *trace;
    struct tt_events *events;
    uint32_t cpus;
    struct tt_event batch[BATCH];
    struct tt_action actions[ACTIONS];
};

/* Keeps the events of interrupts and returns their number. */
static uint32_t keep_interrupts(struct tt_event *event, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (event[i].kind == TT_KIND_INTERRUPT_ENTER || event[i].kind == TT_KIND_INTERRUPT_EXIT) {
            event[kept++] = event[i];
        }
    }
    return kept;
}

static void search_backwards(struct tt_excerpt_states *states, struct walk *walk, uint64_t row,
                             struct open_interrupts *open)
{
    for (uint32_t n = 0; n < BATCHES_MAX && row > 0 && open->left > 0; n++) {
        uint32_t most = row < BATCH ? (uint32_t)row : BATCH;
        uint32_t count = tt_events_read(walk->events, row - most, most, walk->batch);
        uint32_t kept = keep_interrupts(walk->batch, count);
        uint32_t acting = tt_trace_actions(walk->trace, walk->batch, kept, walk->actions, ACTIONS);
        for (uint32_t i = acting; i-- > 0 && open->left > 0;) {
            const struct tt_action *action = &walk->actions[i];
            while (kept > 0 && walk->batch[kept - 1].pos != action->pos) {
                kept--;
            }
            if (kept > 0 && action->cpu < walk->cpus) {
                const struct tt_event *event = &walk->batch[kept - 1];
                if (action->kind == TT_ACTION_INTERRUPT_LEAVE) {
                    open->ends[action->cpu]++;
                } else if (action->kind != TT_ACTION_INTERRUPT_ENTER) {
                    continue;
                } else if (open->ends[action->cpu] > 0) {
                    open->ends[action->cpu]--;
                } else if (open->due[action->cpu] > 0) {
                    open->due[action->cpu]--;
                    open->left--;
                    states->interrupts[states->interrupt_count++] = *event;
                }
            }
        }
        row -= most;
    }
    for (uint32_t i = 0; i < states->interrupt_count / 2; i++) {
        struct tt_event other = states->interrupts[i];
        states->interrupts[i] = states->interrupts[states->interrupt_count - 1 - i];
        states->interrupts[states->interrupt_count - 1 - i] = other;
    }
}

static struct tt_status find_interrupts(struct tt_excerpt_states *states,
                                        const struct tt_timelines *timelines,
                                        struct tt_trace *trace, struct tt_events *events,
                                        uint64_t first_row)
{
    uint32_t cpus = tt_cpu_count(timelines);
    struct open_interrupts open = {calloc((size_t)cpus + 1, sizeof *open.due),
                                   calloc((size_t)cpus + 1, sizeof *open.ends), 0};
    struct walk *walk = malloc(sizeof *walk);
    bool ok = open.due && open.ends && walk;
    for (uint32_t cpu = 0; ok && cpu < cpus; cpu++) {
        uint32_t depth = tt_cpu_irq_depth(timelines, (uint16_t)cpu, states->ticks);
        uint32_t room = TT_EXCERPT_INTERRUPTS - open.left;
        open.due[cpu] = depth < room ? depth : room;
        open.left += open.due[cpu];
    }
    if (ok) {
        walk->trace = trace;
        walk->events = events;
        walk->cpus = cpus;
        search_backwards(states, walk, first_row, &open);
    }
    free(open.due);
    free(open.ends);
    free(walk);
    return ok ? tt_ok() : tt_error_memory();
}

struct tt_status tt_excerpt_states_find(struct tt_excerpt_states *states, struct tt_trace *trace,
                                        struct tt_events *events, uint64_t first_row)
{
    const struct tt_timelines *timelines = tt_trace_timelines(trace);
    struct tt_event before;
    if (first_row == 0 || tt_events_read(events, first_row - 1, 1, &before) != 1) {
        return tt_ok();
    }
    states->before_pos = before.pos;
    states->ticks = before.ticks; /* no state changes from here to the first event */
    for (uint32_t thread = 0; thread < states->thread_count; thread++) {
        /*
         * ---- threads
         * ------------------------------------------------------------------------------
         */
        struct tt_excerpt_thread *found = &states->threads[thread];
        struct tt_interval_at at;
        found->cpu = TT_NO_CPU;
        found->priority = TT_NO_PRIORITY;
        if (!tt_interval_find(timelines, thread, states->ticks, &at)) {
            continue;
        }
        struct tt_interval interval = tt_interval_get(timelines, at);
        if (interval.class_ == TT_CLASS_UNKNOWN || interval.class_ == TT_CLASS_DEAD) {
            continue;
        }
        found->state = interval.state;
        found->cpu = interval.cpu;
        found->priority = (int16_t)tt_thread_priority(timelines, thread, states->ticks);
        found->role = interval.class_ == TT_CLASS_RUNNING ? TT_EXCERPT_ON_CPU : TT_EXCERPT_IN_STATE;
    }
    for (uint32_t cpu = 0; cpu < tt_cpu_count(timelines); cpu++) {
        find_last_run(states, tt_trace_capture(trace), timelines, (uint16_t)cpu);
    }
    return find_interrupts(states, timelines, trace, events, first_row);
}
