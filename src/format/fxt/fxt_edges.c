/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_edges: begin and end events of thread durations, complete and asynchronous events. */
#include "base/hash.h"
#include "format/fxt/fxt_names.h"
#include "tracetui/time.h"

/* Computes the ticks from an event to the end time in its record. */
static bool whole_ticks(const struct tt_fxt *fxt, const struct tt_fxt_record *record,
                        const struct tt_fxt_view *view, const struct tt_event *event,
                        uint64_t *ticks)
{
    uint64_t end = tt_fxt_word(record, view->at[TT_FXT_TAIL]);
    uint64_t rate = tt_fxt_rate_at(fxt, tt_fxt_provider_at(fxt, record->pos), record->pos);
    uint64_t clock = fxt->capture->clock_hz;
    if (rate != clock && !tt_mul_div(end, clock, rate, &end)) {
        return false;
    }
    *ticks = end - event->ticks;
    return end >= event->ticks;
}

enum edge_space { SLICE, ASYNC };

uint32_t tt_fxt_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges)
{
    const struct tt_fxt *fxt = capture->decoder;
    struct tt_fxt_record record;
    struct tt_fxt_view view;
    bool async = event->kind == TT_KIND_ASYNC_BEGIN || event->kind == TT_KIND_ASYNC_END;
    bool slice = event->kind == TT_KIND_BEGIN || event->kind == TT_KIND_END;
    bool begin = event->kind == TT_KIND_BEGIN || event->kind == TT_KIND_ASYNC_BEGIN;
    if (!async && !slice && event->kind != TT_KIND_COMPLETE) {
        return 0;
    }
    edges->side = begin ? TT_EDGE_BEGIN : TT_EDGE_END;
    edges->thread = async ? TT_NO_THREAD : event->thread;
    edges->cpu = TT_NO_CPU;
    edges->key = tt_hash_of_pair(SLICE, event->thread);
    if (slice) {
        return event->thread != TT_NO_THREAD;
    }
    if (!tt_fxt_find_record(fxt, event, limit, &record)) {
        return 0;
    }
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(tt_fxt_word(&record, 0));
    if (!layout) {
        return 0;
    }
    tt_fxt_parse(&record, layout, &view);
    if (!view.whole || !view.at[TT_FXT_TAIL]) {
        return 0;
    }
    if (async) {
        /*
         * Ids of asynchronous events are unique for a process, a category and a name. The captures
         * of a system share their operations, but not the numbers of their types.
         */
        uint64_t id = tt_fxt_word(&record, view.at[TT_FXT_TAIL]);
        uint32_t process = event->thread != TT_NO_THREAD
                               ? tt_thread_at(capture, event->thread)->process
                               : UINT32_MAX;
        uint32_t type = tt_types_whole(capture, event->type);
        edges->key = tt_hash_of_pair(tt_hash_of_pair((uint64_t)ASYNC << 32 | process, type), id);

        return 1;
    }
    edges->side = TT_EDGE_WHOLE;
    return whole_ticks(fxt, &record, &view, event, &edges->ticks);
}
