/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_cut: finds the slots of a file that lacks its header, since it was cut at the front.
 *
 *      |rest of the header, or of a slot|slot|slot|slot| ...
 *                                       ^ the first place from which slots agree
 *
 * Slots agree if all of them have a class, if most are known events with stamps shortly after one before, and if codes and
 * stamps differ: text, zeros and tables do not. Slots that begin in the middle of others may agree too: of the 16 places from the first one on
 * and both byte orders, that with the most known events is right. So is the release.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_decode.h"

#define RUN         64u  /* slots that agree */
#define COMPARED    512u /* slots that decide about place, byte order and release */
#define SEARCHED    (UINT64_C(64) << 10)
#define CODES_LEAST 4u
#define TIMES_LEAST (RUN / 4)
#define UNUSED_BITS 0xff8000u /* of a header */

/* The slots from a place on. */
struct slots {
    const uint8_t *bytes;
    uint32_t count;
    bool big;
};

static uint32_t header_at(const struct slots *slots, uint32_t index)
{
    return tt_load_u32(slots->bytes + (size_t)index * KEV_SLOT, slots->big);
}

/* Returns how many of the slots have a stamp shortly after that of the latest slot of their CPU, or of another. */
static uint32_t count_following(const struct slots *slots)
{
    uint32_t last[KEV_CPUS], before = tt_load_u32(slots->bytes + 4, slots->big), count = 0;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < slots->count; i++) {
        const uint32_t stamp = tt_load_u32(slots->bytes + (size_t)i * KEV_SLOT + 4, slots->big);
        const uint32_t cpu = kev_cpu(header_at(slots, i));
        count += seen >> cpu & 1 ? stamp - last[cpu] <= KEV_NEAR : kev_is_near(stamp, before);
        before = last[cpu] = stamp;
        seen |= UINT64_C(1) << cpu;
    }
    return count;
}

/* Returns whether all slots have a class, with codes and stamps that differ. */
static bool are_varied(const struct slots *slots)
{
    uint64_t codes = 0;
    uint32_t stamp = 0, times = 0, count = 0;
    for (uint32_t i = 0; i < slots->count; i++) {
        const uint32_t code = kev_code(header_at(slots, i)), before = stamp;
        if (!kev_has_class(code)) {
            return false;
        }
        stamp = tt_load_u32(slots->bytes + (size_t)i * KEV_SLOT + 4, slots->big);
        times += stamp != before;
        codes |= UINT64_C(1) << (code * 0x9e3779b1u >> 26);
    }
    for (; codes != 0; codes &= codes - 1) {
        count++;
    }
    return times >= TIMES_LEAST && count >= CODES_LEAST;
}

static struct slots slots_at(struct tt_bytes bytes, uint64_t pos, bool big, uint32_t most)
{
    const uint64_t count = bytes.size > pos ? (bytes.size - pos) / KEV_SLOT : 0;
    return (struct slots){bytes.data + pos, count < most ? (uint32_t)count : most, big};
}

/* Returns how many of the slots have an event of the release. Those of users have all numbers and prove nothing. */
static uint32_t count_known(const struct kev_decoder *decoder, const struct slots *slots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < slots->count; i++) {
        const uint32_t header = header_at(slots, i), code = kev_code(header);
        const uint32_t class_ = kev_class_of(code);
        count += (header & UNUSED_BITS) == 0 && kev_code_is_known(decoder, code) &&
                 class_ != KEV_CLASS_USER && class_ != KEV_CLASS_QUIP;
    }
    return count;
}

/* Returns whether slots are known events in order of time, but for one in eight. */
static bool agree(const struct kev_decoder *decoder, const struct slots *slots)
{
    const uint32_t most = slots->count - slots->count / 8;
    return count_following(slots) >= most && count_known(decoder, slots) >= most;
}

/* Returns whether slots begin at a place: the next 64, and then the next 512, or those up to the end. */
static bool kev_cut_begin(const struct kev_decoder *decoder, struct tt_bytes bytes, uint64_t pos,
                          bool big)
{
    const struct slots few = slots_at(bytes, pos, big, RUN);
    const struct slots many = slots_at(bytes, pos, big, COMPARED);
    return few.count == RUN && are_varied(&few) && agree(decoder, &few) && agree(decoder, &many);
}

/* Finds the first place from which slots agree; returns false if there is none. */
static bool kev_cut_find(const struct kev_decoder *decoder, struct tt_bytes bytes, uint64_t *pos)
{
    for (uint64_t at = 0; at < SEARCHED && at + (uint64_t)RUN * KEV_SLOT <= bytes.size; at++) {
        if (kev_cut_begin(decoder, bytes, at, false) || kev_cut_begin(decoder, bytes, at, true)) {
            *pos = at;
            return true;
        }
    }
    return false;
}

static void fill_tables(struct kev_decoder *decoder, enum kev_release release)
{
    memset(decoder->layouts, 0, KEV_CODES * sizeof *decoder->layouts);
    kev_tables_fill(decoder->layouts, release);
}

/* Sets the release: 7.x if others know no more events. */
static void decide_release(struct kev_decoder *decoder, struct tt_bytes bytes)
{
    static const enum kev_release releases[] = {KEV_7, KEV_8, KEV_6_6, KEV_6_4};
    const struct slots all = slots_at(bytes, decoder->slots, decoder->big, KEV_START_SLOTS);
    uint32_t most = 0;
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        fill_tables(decoder, releases[i]);
        const uint32_t known = count_known(decoder, &all);
        if (known > most) {
            most = known;
            decoder->release = releases[i];
        }
    }
}

bool kev_cut_probe(struct tt_bytes bytes)
{
    struct kev_decoder *decoder = calloc(1, sizeof *decoder);
    const struct kev_layout **layouts = calloc(KEV_CODES, sizeof *layouts);
    uint64_t first;
    bool found = false;
    if (decoder && layouts) {
        decoder->layouts = layouts;
        fill_tables(decoder, KEV_7);
        found = kev_cut_find(decoder, bytes, &first);
    }
    free(layouts);
    free(decoder);
    return found;
}

bool kev_cut_read(struct tt_capture *capture, struct kev_decoder *decoder)
{
    uint64_t first;
    fill_tables(decoder, KEV_7);
    const bool found = kev_cut_find(decoder, capture->bytes, &first);
    if (found) {
        /* Sets place and byte order of the slots from those at `first`. */
        struct tt_bytes bytes = capture->bytes;
        uint32_t most = 0;
        for (uint32_t k = 0; k < 2 * KEV_SLOT; k++) {
            const uint64_t at = first + k / 2;
            const bool big = k % 2 != 0;
            const struct slots all = slots_at(bytes, at, big, COMPARED);
            const uint32_t known =
                kev_cut_begin(decoder, bytes, at, big) ? count_known(decoder, &all) : 0;
            if (known > most) {
                most = known;
                decoder->slots = at;
                decoder->big = big;
            }
        }

        decide_release(decoder, capture->bytes);
        capture->big_endian = decoder->big;
        snprintf(capture->title, sizeof capture->title, "QNX");
        tt_health_add(capture, TT_HEALTH_MALFORMED, 0, decoder->slots, 0,
                      "no header: the release is inferred; --clock HZ gives the rate of the clock");
    }
    if (found && decoder->slots >= KEV_SLOT) {
        tt_health_add(capture, TT_HEALTH_DAMAGED, 0, decoder->slots, decoder->slots,
                      "bytes before the first slot");
    }
    memset(decoder->layouts, 0, KEV_CODES * sizeof *decoder->layouts);
    return found;
}
