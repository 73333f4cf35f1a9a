/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_cache: the part of the index cache that is specific to QNX captures: the first slot and the
 * start of each CPU's time.
 *
 *      u64 first slot | u64 CPUs with known start, one bit each | u64 a TIME was found
 *      u64 ticks of the first slot, for each of those CPUs
 *
 * Cursors need nothing else: the word of a code (kev_info()) follows from the types, threads are in
 * the registry, names of events in the types.
 */
#include <string.h>

#include "base/section_file.h"
#include "format/kev/kev_internal.h"

void kev_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    const struct kev_decoder *decoder = capture->decoder;
    tt_section_put_u64(writer, decoder->slots);
    tt_section_put_u64(writer, decoder->start.known);
    tt_section_put_u64(writer, decoder->start.has_time);
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (decoder->start.known >> i & 1) {
            tt_section_put_u64(writer, decoder->start.ticks[i]);
        }
    }
}

static bool read_start(struct tt_reader *reader, struct kev_start *start)
{
    *start = (struct kev_start){.known = tt_read_u64(reader)};
    uint64_t has_time = tt_read_u64(reader);
    start->has_time = has_time == 1;
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (start->known >> i & 1) {
            start->ticks[i] = tt_read_u64(reader);
        }
    }
    return !reader->failed && reader->pos == reader->bytes.size && has_time <= 1;
}

/* Returns whether each type of events has a valid code; cursors look types up by code. */
static bool types_are_codes(const struct tt_capture *capture)
{
    uint32_t count = tt_types_count(capture);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_event_type *type = tt_types_at(capture, i);
        bool is_function =
            type->code >= KEV_FUNCTION_CODE && strcmp(type->class_name, KEV_FUNCTION) == 0;
        if (type->code >= KEV_CODES && !is_function) {
            return false;
        }
    }
    return count <= KEV_CODES + TT_ADDRESS_TYPES;
}

bool kev_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct kev_decoder *decoder = capture->decoder;
    struct kev_start start;
    tt_address_types_restore(capture, &decoder->functions, KEV_FUNCTION);
    if (tt_read_u64(reader) != decoder->slots || !read_start(reader, &start) ||
        !types_are_codes(capture)) {
        return false;
    }
    if (atomic_load_explicit(&decoder->start_known, memory_order_acquire)) {
        /* Opening searches the starts too; the stored ones must be equal. */
        return start.known == decoder->start.known && start.has_time == decoder->start.has_time &&
               memcmp(start.ticks, decoder->start.ticks, sizeof start.ticks) == 0;
    }
    decoder->start = start;
    atomic_store_explicit(&decoder->start_known, true, memory_order_release);
    return true;
}
