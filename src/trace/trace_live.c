/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a trace that is followed. */
#include "trace/trace_internal.h"

struct tt_live tt_trace_live(const struct tt_trace *trace)
{
    struct tt_index *index = (struct tt_index *)&trace->index;
    struct tt_live live = {.status = tt_ok()};
    if (trace->follow) {
        pthread_mutex_lock(&index->lock);
        live = trace->follow->live;
        pthread_mutex_unlock(&index->lock);
    }
    return live;
}

void tt_trace_follow_end(struct tt_trace *trace)
{
    if (trace->follow) {
        atomic_store(&trace->follow->end_asked, true);
        tt_file_watch_wake(&trace->follow->watch);
    }
}

void tt_trace_follow_silence(struct tt_trace *trace, uint64_t ms)
{
    if (trace->follow) {
        trace->follow->silence_ms = ms;
    }
}

void tt_trace_free_old_timelines(struct tt_trace *trace, const struct tt_timelines *seen)
{
    struct tt_index *index = &trace->index;
    struct tt_timelines *older = NULL;
    pthread_mutex_lock(&index->lock);
    struct tt_timelines *timelines = atomic_load_explicit(&index->timelines, memory_order_relaxed);
    while (timelines && timelines != seen) {
        timelines = timelines->older;
    }
    if (timelines && index->readers == 0) {
        older = timelines->older;
        timelines->older = NULL;
    }
    pthread_mutex_unlock(&index->lock);
    tt_timelines_free(older);
}

void tt_trace_reader_begin(struct tt_trace *trace)
{
    pthread_mutex_lock(&trace->index.lock);
    trace->index.readers++;
    pthread_mutex_unlock(&trace->index.lock);
}

void tt_trace_reader_end(struct tt_trace *trace)
{
    pthread_mutex_lock(&trace->index.lock);
    trace->index.readers--;
    pthread_mutex_unlock(&trace->index.lock);
}
