/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_edges: begin and end events: kernel calls and functions of a thread, interrupts and their handlers on a
 * CPU, messages from the sender's SND_MESSAGE to the REPLY that names the sender.
 */
#include "base/hash.h"
#include "format/kev/kev_internal.h"

enum edge_sort { EDGE_CALL, EDGE_INTERRUPT, EDGE_HANDLER, EDGE_MESSAGE, EDGE_FUNCTION };

/* COMM events by number. The others are pulses and receives. */
enum { COMM_SEND = 0, COMM_REPLY = 10, COMM_ERROR = 11 };

static uint64_t kev_edges_key_of(enum edge_sort sort, uint64_t lane, uint64_t number)
{
    return tt_hash_of_pair((uint64_t)sort << 32 | lane, number);
}

/* A thread is in one call at a time, except across a loss. */
static uint32_t edge_of_call(const struct tt_event *event, uint32_t code, struct tt_edge *edge)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    edge->key = kev_edges_key_of(EDGE_CALL, event->thread, number & (KEV_EXIT - 1));
    edge->side = number < KEV_EXIT         ? TT_EDGE_BEGIN
                 : number < KEV_BROKEN_OFF ? TT_EDGE_END
                                           : TT_EDGE_FORGET;
    edge->thread = event->thread;
    edge->cpu = TT_NO_CPU;
    edge->alone = true;
    return event->thread != TT_NO_THREAD;
}

static uint32_t edge_of_interrupt(const struct tt_event *event, uint32_t code, struct tt_edge *edge)
{
    uint32_t number = code & KEV_EVENT_MASK;
    bool handler = number == 3 || number == 4 || number == 6;
    edge->key = kev_edges_key_of(handler ? EDGE_HANDLER : EDGE_INTERRUPT, event->cpu, 0);
    edge->side = event->kind == TT_KIND_INTERRUPT_ENTER ? TT_EDGE_BEGIN : TT_EDGE_END;
    edge->thread = TT_NO_THREAD;
    edge->cpu = event->cpu;
    return 1;
}

static uint32_t edge_of_message(const struct tt_capture *capture, const struct tt_event *event,
                                uint32_t code, uint64_t limit, struct tt_edge *edge)
{
    uint32_t number = code & KEV_EVENT_MASK;
    bool send = number == COMM_SEND, reply = number == COMM_REPLY || number == COMM_ERROR;
    uint32_t client = event->thread;
    if (reply) {
        struct kev_event whole;
        uint8_t bytes[8];
        if (!kev_gather(capture, event->pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
            return 0;
        }
        const struct kev_decoder *decoder = capture->decoder;
        struct kev_payload p = {bytes, 2, kev_payload_big(decoder), false};
        uint64_t when = capture->lanes_by_time ? event->ticks : event->pos;
        client = tt_registry_find_thread(capture, kev_word(&p, 1), kev_word(&p, 0), when);
    }
    edge->key = kev_edges_key_of(EDGE_MESSAGE, client, 0);
    edge->side = send ? TT_EDGE_BEGIN : TT_EDGE_END;
    edge->thread = client;
    edge->cpu = TT_NO_CPU;
    edge->alone = true;
    return (send || reply) && client != TT_NO_THREAD;
}

static uint32_t edge_of_function(const struct tt_capture *capture, const struct tt_event *event,
                                 uint32_t code, uint64_t limit, struct tt_edge *edge)
{
    struct kev_event whole;
    uint8_t bytes[8];
    const struct kev_decoder *decoder = capture->decoder;
    if (event->thread == TT_NO_THREAD ||
        !kev_gather(capture, event->pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
        return 0;
    }
    const bool big = kev_payload_big(decoder);
    const uint64_t address = code & KEV_64_BIT ? tt_load_u64(bytes, big) : tt_load_u32(bytes, big);
    edge->key = kev_edges_key_of(EDGE_FUNCTION, event->thread, address);
    edge->side = event->kind == TT_KIND_BEGIN ? TT_EDGE_BEGIN : TT_EDGE_END;
    edge->thread = event->thread;
    edge->cpu = TT_NO_CPU;
    return 1;
}

uint32_t kev_edges(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_edge *edges)
{
    uint32_t code = (uint32_t)tt_types_at(capture, event->type)->code;
    switch (kev_class_of(code)) {
    case KEV_CLASS_CALL:
        return edge_of_call(event, code, edges);
    case KEV_CLASS_INTERRUPT:
        return event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT
                   ? edge_of_interrupt(event, code, edges)
                   : 0;
    case KEV_CLASS_COMM:
        return edge_of_message(capture, event, code, limit, edges);
    case KEV_CLASS_SYSTEM:
    case KEV_CLASS_SYSTEM_6_4:
        return event->kind == TT_KIND_BEGIN || event->kind == TT_KIND_END
                   ? edge_of_function(capture, event, code, limit, edges)
                   : 0;
    default:
        return 0;
    }
}
