/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_cache: the decoder in the index cache: what the learning cursor found.
 *
 *      streams: trace, class, instance, CPU | packets | types of events | types of calls
 *
 * Metadata are read again by open. Threads are in the capture's tables.
 */
#include <string.h>

#include "base/section_file.h"
#include "format/ctf/ctf_internal.h"

static uint32_t type_number(const struct ctf_event *event)
{
    return atomic_load_explicit(&event->type, memory_order_relaxed);
}

void ctf_save(const struct tt_capture *c, struct tt_section_writer *w)
{
    const struct ctf *d = c->decoder;
    const uint64_t streams = tt_column_count(&d->streams), packets = tt_column_count(&d->packets);
    tt_section_put_u64(w, streams);
    for (uint64_t i = 0; i < streams; i++) {
        const struct ctf_stream *stream = ctf_stream_at(d, (uint32_t)i);
        tt_section_put_u64(w, stream->trace->number);
        tt_section_put_u64(w, stream->of->id);
        tt_section_put_u64(w, stream->instance);
        tt_section_put_u64(w, stream->cpu);
    }
    tt_section_put_u64(w, d->tape);
    tt_section_put_u64(w, packets);
    for (uint64_t i = 0; i < packets; i++) {
        tt_section_put(w, tt_column_at(&d->packets, i), sizeof(struct ctf_packet));
    }
    for (unsigned i = 0; i < d->trace_count; i++) {
        for (const struct ctf_stream_class *of = d->traces[i]->streams; of; of = of->next) {
            for (const struct ctf_event *event = of->events; event; event = event->next) {
                tt_section_put_u32(w, type_number(event));
            }
        }
    }
    for (unsigned i = 0; i <= LINUX_CALLS; i++) {
        tt_section_put_u32(w, atomic_load_explicit(&d->call_types[i], memory_order_relaxed));
    }
}

static bool restore_streams(struct ctf *d, struct tt_reader *r)
{
    const uint64_t count = tt_section_count(r, 32);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t trace = tt_read_u64(r), id = tt_read_u64(r), instance = tt_read_u64(r),
                       cpu = tt_read_u64(r);
        if (r->failed || trace >= d->trace_count || (cpu >= LINUX_CPUS && cpu != TT_NO_CPU) ||
            !ctf_stream_class(d->traces[trace], id) ||
            ctf_stream_of(d, d->traces[trace], ctf_stream_class(d->traces[trace], id), instance,
                          (uint16_t)cpu) != i) {
            return false;
        }
    }
    return !r->failed;
}

static bool restore_packets(struct ctf *d, struct tt_reader *r)
{
    uint64_t base = 0;
    d->tape = tt_read_u64(r);
    const uint64_t count = tt_section_count(r, sizeof(struct ctf_packet));
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(r, sizeof(struct ctf_packet));
        struct ctf_packet *packet = bytes ? tt_column_next(&d->packets) : NULL;
        if (!packet) {
            return false;
        }
        memcpy(packet, bytes, sizeof *packet);
        if (packet->base < base || packet->base > d->tape || packet->content > UINT64_MAX / 16 ||
            !tt_bytes_has(d->capture->bytes, packet->offset, (packet->content + 7) / 8) ||
            packet->events > packet->content || packet->stream >= tt_column_count(&d->streams) ||
            !ctf_state_is_valid(d, i, &packet->state)) {
            return false;
        }
        base = packet->base;
        tt_column_publish(&d->packets);
    }
    return !r->failed;
}

static bool restore_types(struct ctf *d, struct tt_reader *r)
{
    const uint32_t count = tt_types_count(d->capture);
    for (unsigned i = 0; i < d->trace_count; i++) {
        for (struct ctf_stream_class *of = d->traces[i]->streams; of; of = of->next) {
            for (struct ctf_event *event = of->events; event; event = event->next) {
                const uint32_t type = tt_read_u32(r);
                if (type >= count && type != CTF_NO_TYPE) {
                    return false;
                }
                atomic_store_explicit(&event->type, type, memory_order_release);
            }
        }
    }
    for (unsigned i = 0; i <= LINUX_CALLS; i++) {
        const uint32_t type = tt_read_u32(r);
        if (type > count) {
            return false;
        }
        atomic_store_explicit(&d->call_types[i], type, memory_order_release);
    }
    return !r->failed;
}

bool ctf_restore(struct tt_capture *c, struct tt_reader *r)
{
    struct ctf *d = c->decoder;
    tt_column_free(&d->streams);
    tt_column_init(&d->streams, sizeof(struct ctf_stream));
    memset(d->buckets, 0, sizeof d->buckets);
    if (!restore_streams(d, r) || !restore_packets(d, r) || !restore_types(d, r) ||
        r->pos != r->bytes.size || !linux_threads_restore(&d->threads)) {
        return false;
    }
    ctf_ust_restore(d);
    return true;
}
