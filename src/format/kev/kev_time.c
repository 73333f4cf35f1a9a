/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_time: finds the start of each CPU's 64-bit time.
 *
 * A slot has the low half of the time. CONTROL/TIME has a CPU's whole time, but the first one comes
 * after the first events, or is filtered out of the capture. Earlier times are computed back from
 * it: they are extended from an arbitrary high half up to the TIME; the difference there is the
 * error of all of them.
 */
#include <string.h>

#include "format/kev/kev_internal.h"

struct cpu_search {
    uint64_t first;      /* time of the first slot, high half arbitrary */
    uint64_t ticks;      /* of the latest slot, on the same scale */
    uint64_t first_slot; /* index of the first slot in the file */
    bool seen;
    bool found;
    uint64_t begin; /* true time of the first slot */
};

/* Processes one slot; returns whether it is a CPU's first TIME. */
static bool scan_slot(struct cpu_search *cpus, const uint8_t *slot, bool big, uint64_t number)
{
    uint32_t header = tt_load_u32(slot, big);
    if (kev_structure(header) >= KEV_MIDDLE || header == 0) {
        return false; /* carries the stamp of its event's first slot, or is empty */
    }
    struct cpu_search *cpu = &cpus[kev_cpu(header)];
    uint32_t stamp = tt_load_u32(slot + 4, big);
    if (!cpu->seen) {
        cpu->seen = true;
        cpu->first = (uint64_t)1 << 63 | stamp;
        cpu->ticks = cpu->first;
        cpu->first_slot = number;
    } else {
        cpu->ticks = kev_time_extend(cpu->ticks, stamp);
    }
    if (cpu->found || kev_code(header) != (KEV_CLASS_CONTROL << 10 | 1)) {
        return false;
    }

    uint64_t time = kev_time_of_event(tt_load_u32(slot + 4, big), tt_load_u32(slot + 8, big),
                                      tt_load_u32(slot + 12, big));
    uint64_t since_first = cpu->ticks - cpu->first;
    cpu->begin = time >= since_first ? time - since_first : cpu->first & UINT32_MAX;
    cpu->found = true;

    return true;
}

/* Places CPUs without a TIME near the first CPU that has one. */
static void place_others(const struct cpu_search *cpus, struct kev_start *start)
{
    const struct cpu_search *reference = NULL;
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (cpus[i].found && (!reference || cpus[i].first_slot < reference->first_slot)) {
            reference = &cpus[i];
        }
    }
    for (uint32_t i = 0; reference && i < KEV_CPUS; i++) {
        if (cpus[i].seen && !cpus[i].found) {
            uint32_t stamp = (uint32_t)cpus[i].first;
            int32_t offset = (int32_t)(stamp - (uint32_t)reference->begin);
            bool before_zero =
                offset < 0 && reference->begin < (uint64_t)0 - (uint64_t)(int64_t)offset;
            start->ticks[i] = before_zero ? stamp : reference->begin + (uint64_t)(int64_t)offset;
            start->known |= (uint64_t)1 << i;
        }
    }
}

bool kev_has_guests(const struct tt_capture *capture)
{
    const struct kev_decoder *decoder = capture->decoder;
    const uint64_t limit = capture->bytes.size;
    uint8_t written[KEV_SLOT];
    for (uint64_t pos = decoder->slots, next; pos <= limit - KEV_SLOT && limit >= KEV_SLOT;
         pos = next) {
        const uint8_t *slot = decoder->source ? written : capture->bytes.data + pos;
        next =
            decoder->source ? decoder->source->next(capture, pos, limit, written) : pos + KEV_SLOT;
        if (next == 0) {
            break;
        }
        if (kev_code(tt_load_u32(slot, decoder->big)) == KEV_GUEST_EXIT_CODE) {
            return true;
        }
    }
    return false;
}

void kev_start_find(const struct tt_capture *capture, const struct kev_decoder *decoder,
                    uint64_t limit, struct kev_start *start, uint64_t *cpus_seen)
{
    struct cpu_search cpus[KEV_CPUS];
    memset(cpus, 0, sizeof cpus);
    uint32_t missing = decoder->cpu_num > 0 ? decoder->cpu_num : KEV_CPUS;
    uint64_t next = decoder->slots;
    for (uint64_t n = 0; n < KEV_START_SLOTS && missing > 0; n++) {
        const uint64_t pos = next;
        const uint8_t *slot = capture->bytes.data + pos;
        uint8_t written[KEV_SLOT];
        if (decoder->source) {
            next = decoder->source->next(capture, pos, limit, written);
            slot = written;
        } else {
            next = limit >= KEV_SLOT && pos <= limit - KEV_SLOT ? pos + KEV_SLOT : 0;
        }
        if (next == 0) {
            break;
        }
        if (!decoder->source && kev_is_text(kev_code(tt_load_u32(slot, decoder->big))) &&
            kev_other_header(capture, pos, limit) != UINT64_MAX) {
            break;
        }
        if (scan_slot(cpus, slot, decoder->big, n)) {
            missing--;
        }
    }
    memset(start, 0, sizeof *start);
    *cpus_seen = 0;
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        *cpus_seen |= (uint64_t)cpus[i].seen << i;
        if (cpus[i].found) {
            start->ticks[i] = cpus[i].begin;
            start->known |= (uint64_t)1 << i;
            start->has_time = true;
        }
    }
    place_others(cpus, start);
}
