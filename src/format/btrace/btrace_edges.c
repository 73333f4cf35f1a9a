/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_edges: begin and end events of interrupts, IDFCs and client/server messages. */
#include "base/hash.h"
#include "format/btrace/btrace_internal.h"

enum edge_sort { EDGE_IRQ, EDGE_FIQ, EDGE_IDFC, EDGE_MESSAGE };

static void set_edge(struct tt_edge *edge, const struct tt_event *event, unsigned side,
                     unsigned sort)
{
    edge->key = tt_hash_of_pair(sort, event->cpu);
    edge->side = (uint8_t)side;
    edge->thread = TT_NO_THREAD;
    edge->cpu = event->cpu;
}

/* An interrupt without an End record ends when the next IDFC or thread starts on the CPU. */
static uint32_t edge_of_cpu_usage(const struct tt_event *event, unsigned sub, struct tt_edge *edges)
{
    static const uint8_t sorts[] = {EDGE_IRQ, EDGE_IRQ, EDGE_FIQ, EDGE_FIQ, EDGE_IDFC, EDGE_IDFC};
    uint32_t count = 0;
    if (sub == BTRACE_IDFC_START || sub == BTRACE_NEW_THREAD_CONTEXT) {
        for (unsigned sort = EDGE_IRQ; sort <= EDGE_IDFC; sort++) {
            set_edge(&edges[count++], event, TT_EDGE_END_ALL, sort);
        }
    }
    if (sub < sizeof sorts) {
        bool begins = event->kind == TT_KIND_INTERRUPT_ENTER;
        set_edge(&edges[count++], event, begins ? TT_EDGE_BEGIN : TT_EDGE_END, sorts[sub]);
    }
    return count;
}

uint32_t btrace_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges)
{
    struct btrace_record r;
    if ((event->kind != TT_KIND_INTERRUPT_ENTER && event->kind != TT_KIND_INTERRUPT_EXIT &&
         event->kind != TT_KIND_SWITCH && event->kind != TT_KIND_MESSAGE) ||
        btrace_record_read(tt_bytes_of(capture->bytes.data, limit), event->pos, &r) !=
            BTRACE_READ_OK) {
        return 0;
    }
    if (r.category == BTRACE_CPU_USAGE) {
        return edge_of_cpu_usage(event, r.sub, edges);
    }
    if (r.category != BTRACE_CLIENT_SERVER ||
        (r.sub != BTRACE_MESSAGE_SEND && r.sub != BTRACE_MESSAGE_COMPLETE)) {
        return 0;
    }
    set_edge(edges, event, r.sub == BTRACE_MESSAGE_SEND ? TT_EDGE_BEGIN : TT_EDGE_END, 0);
    edges->key = tt_hash_of_pair(EDGE_MESSAGE, btrace_word(btrace_payload(&r), 0));
    edges->cpu = TT_NO_CPU; /* it may move between CPUs */
    edges->alone = true;
    return 1;
}
