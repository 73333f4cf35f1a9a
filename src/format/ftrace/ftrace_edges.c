/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_edges: begin and end events: interrupts, softirqs and timers on a CPU; system calls, work and functions of
 * a thread.
 */
#include "base/hash.h"
#include "format/ftrace/ftrace_internal.h"

/* Meanings of a begin and its end are neighbours: the key has that of the begin. */
static unsigned begin_of(const struct ftrace_event *of, const struct tt_event *event)
{
    bool ends = event->kind == TT_KIND_EXIT || event->kind == TT_KIND_INTERRUPT_EXIT ||
                event->kind == TT_KIND_END;
    return of->meaning - (ends && of->meaning != FTRACE_PRINT ? 1u : 0u);
}

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
    edges->key =
        tt_hash_of_pair(buffer << 48 | (uint64_t)begin_of(of, event) << 40 | place, number);
    edges->side = begins ? TT_EDGE_BEGIN : TT_EDGE_END;
    edges->thread = on_cpu ? TT_NO_THREAD : event->thread;
    edges->cpu = on_cpu ? event->cpu : TT_NO_CPU;
    edges->alone = call;
    return on_cpu || event->thread != TT_NO_THREAD;
}
