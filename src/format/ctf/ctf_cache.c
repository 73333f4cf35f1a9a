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

void ctf_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    const struct ctf *ctf = capture->decoder;
    const uint64_t streams = tt_column_count(&ctf->streams),
                   packets = tt_column_count(&ctf->packets);
    tt_section_put_u64(writer, streams);
    for (uint64_t i = 0; i < streams; i++) {
        const struct ctf_stream *stream = ctf_stream_at(ctf, (uint32_t)i);
        tt_section_put_u64(writer, stream->trace->number);
        tt_section_put_u64(writer, stream->of->id);
        tt_section_put_u64(writer, stream->instance);
        tt_section_put_u64(writer, stream->cpu);
    }
    tt_section_put_u64(writer, ctf->tape);
    tt_section_put_u64(writer, packets);
    for (uint64_t i = 0; i < packets; i++) {
        tt_section_put(writer, tt_column_at(&ctf->packets, i), sizeof(struct ctf_packet));
    }
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        for (const struct ctf_stream_class *of = ctf->traces[i]->streams; of; of = of->next) {
            for (const struct ctf_event *event = of->events; event; event = event->next) {
                tt_section_put_u32(writer,
                                   atomic_load_explicit(&event->type, memory_order_relaxed));
            }
        }
    }
    for (unsigned i = 0; i <= LINUX_CALLS; i++) {
        tt_section_put_u32(writer, atomic_load_explicit(&ctf->call_types[i], memory_order_relaxed));
    }
}

static bool restore_streams(struct ctf *ctf, struct tt_reader *reader)
{
    const uint64_t count = tt_section_count(reader, 32);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t trace = tt_read_u64(reader), id = tt_read_u64(reader),
                       instance = tt_read_u64(reader), cpu = tt_read_u64(reader);
        if (reader->failed || trace >= ctf->trace_count ||
            (cpu >= LINUX_CPUS && cpu != TT_NO_CPU) || !ctf_stream_class(ctf->traces[trace], id) ||
            ctf_stream_of(ctf, ctf->traces[trace], ctf_stream_class(ctf->traces[trace], id),
                          instance, (uint16_t)cpu) != i) {
            return false;
        }
    }
    return !reader->failed;
}

static bool restore_packets(struct ctf *ctf, struct tt_reader *reader)
{
    uint64_t base = 0;
    ctf->tape = tt_read_u64(reader);
    const uint64_t count = tt_section_count(reader, sizeof(struct ctf_packet));
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(reader, sizeof(struct ctf_packet));
        struct ctf_packet *packet = bytes ? tt_column_next(&ctf->packets) : NULL;
        if (!packet) {
            return false;
        }
        memcpy(packet, bytes, sizeof *packet);
        if (packet->base < base || packet->base > ctf->tape || packet->content > UINT64_MAX / 16 ||
            !tt_bytes_has(ctf->capture->bytes, packet->offset, (packet->content + 7) / 8) ||
            packet->events > packet->content || packet->stream >= tt_column_count(&ctf->streams) ||
            !ctf_state_is_valid(ctf, i, &packet->state)) {
            return false;
        }
        base = packet->base;
        tt_column_publish(&ctf->packets);
    }
    return !reader->failed;
}

static bool ctf_cache_restore_types(struct ctf *ctf, struct tt_reader *reader)
{
    const uint32_t count = tt_types_count(ctf->capture);
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        for (struct ctf_stream_class *of = ctf->traces[i]->streams; of; of = of->next) {
            for (struct ctf_event *event = of->events; event; event = event->next) {
                const uint32_t type = tt_read_u32(reader);
                if (type >= count && type != CTF_NO_TYPE) {
                    return false;
                }
                atomic_store_explicit(&event->type, type, memory_order_release);
            }
        }
    }
    for (unsigned i = 0; i <= LINUX_CALLS; i++) {
        const uint32_t type = tt_read_u32(reader);
        if (type > count) {
            return false;
        }
        atomic_store_explicit(&ctf->call_types[i], type, memory_order_release);
    }
    return !reader->failed;
}

bool ctf_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct ctf *ctf = capture->decoder;
    tt_column_free(&ctf->streams);
    tt_column_init(&ctf->streams, sizeof(struct ctf_stream));
    memset(ctf->buckets, 0, sizeof ctf->buckets);
    if (!restore_streams(ctf, reader) || !restore_packets(ctf, reader) ||
        !ctf_cache_restore_types(ctf, reader) || reader->pos != reader->bytes.size ||
        !linux_threads_restore(&ctf->threads)) {
        return false;
    }
    ctf_ust_restore(ctf);
    return true;
}
