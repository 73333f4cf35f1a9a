/* SPDX-License-Identifier: Apache-2.0 */
/* trx_edges: interrupts as begin and end events. */
#include "format/trx/trx_internal.h"

uint32_t trx_edges(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_edge *edges)
{
    (void)capture;
    (void)limit;
    if (event->kind != TT_KIND_INTERRUPT_ENTER && event->kind != TT_KIND_INTERRUPT_EXIT) {
        return 0;
    }
    edges->key = tt_hash_of_pair(event->cpu, 0);
    edges->side = event->kind == TT_KIND_INTERRUPT_ENTER ? TT_EDGE_BEGIN : TT_EDGE_END;
    edges->thread = TT_NO_THREAD;
    edges->cpu = event->cpu;
    return 1;
}
