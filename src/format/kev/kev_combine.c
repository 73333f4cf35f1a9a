/* SPDX-License-Identifier: Apache-2.0 */
/* kev_combine: gathers the slots of one event. */
#include <string.h>

#include "format/kev/kev_internal.h"

struct gathering {
    bool by_words;
    struct kev_event *event;
    uint8_t *payload;
    uint32_t payload_size;
    struct tt_part *parts;
    uint32_t max;
};

static void swap_word(uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    word = tt_swap32(word);
    memcpy(bytes, &word, sizeof word);
}

static void kev_combine_add_slot(struct gathering *gathering, const uint8_t *slot, uint64_t pos)
{
    uint32_t n = gathering->event->parts++;
    uint64_t at = (uint64_t)n * (KEV_SLOT - KEV_SLOT_HEAD);
    if (gathering->payload && at + KEV_SLOT - KEV_SLOT_HEAD <= gathering->payload_size) {
        memcpy(gathering->payload + at, slot + KEV_SLOT_HEAD, KEV_SLOT - KEV_SLOT_HEAD);
        if (gathering->by_words) {
            swap_word(gathering->payload + at);
            swap_word(gathering->payload + at + 4);
        }
    }
    if (n < gathering->max) {
        struct tt_part part = {pos, KEV_SLOT, KEV_SLOT_HEAD};
        gathering->parts[n] = part;
    }
    gathering->event->words += 2;
    gathering->event->last_pos = pos;
}

/* Adds the slots after the first one, `slot`, of a combine event. */
static void gather_later_slots(struct gathering *gathering, const struct tt_capture *capture,
                               const uint8_t *slot, uint64_t limit)
{
    const struct kev_decoder *decoder = capture->decoder;
    struct kev_event *event = gathering->event;
    uint64_t pos = event->last_pos;
    uint64_t slots = (limit - pos) / KEV_SLOT - 1;
    if (slots > KEV_REACH) {
        slots = KEV_REACH;
    }
    uint32_t unfinished = 0; /* later events of this CPU that are unfinished */
    for (; slots > 0 && unfinished < KEV_OPEN_EVENTS; slots--) {
        pos += KEV_SLOT;
        slot += KEV_SLOT;
        uint32_t header = tt_load_u32(slot, decoder->big);
        uint32_t structure = kev_structure(header);
        if (structure == KEV_SIMPLE || kev_cpu(header) != kev_cpu(event->header)) {
            continue;
        }
        bool same = ((header ^ event->header) & KEV_SAME_EVENT) == 0 &&
                    tt_load_u32(slot + 4, decoder->big) == event->stamp;
        if (structure == KEV_BEGIN) {
            if (same) {
                return; /* a new event: the following slots belong to it */
            }
            unfinished++;
        } else if (same) {
            kev_combine_add_slot(gathering, slot, pos);
            if (structure == KEV_END) {
                event->finished = true;
                return;
            }
        } else if (structure == KEV_END && unfinished > 0) {
            unfinished--;
        }
    }
}

bool kev_gather(const struct tt_capture *capture, uint64_t pos, uint64_t limit,
                struct kev_event *event, uint8_t *payload, uint32_t payload_size,
                struct tt_part *parts, uint32_t max)
{
    const struct kev_decoder *decoder = capture->decoder;
    if (decoder->source) {
        return decoder->source->gather(capture, pos, limit, event, payload, payload_size, parts,
                                       max);
    }
    if (limit < KEV_SLOT || pos > limit - KEV_SLOT) {
        return false;
    }
    const uint8_t *slot = capture->bytes.data + pos;
    struct kev_event found = {
        tt_load_u32(slot, decoder->big), tt_load_u32(slot + 4, decoder->big), 0, 0, pos, false};
    *event = found;
    struct gathering g = {decoder->by_words, event, payload, payload_size, parts, parts ? max : 0};
    kev_combine_add_slot(&g, slot, pos);
    event->finished = kev_structure(event->header) != KEV_BEGIN;
    if (!event->finished) {
        gather_later_slots(&g, capture, slot, limit);
    }
    return true;
}

uint32_t kev_parts(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_part *parts, uint32_t max)
{
    struct kev_event whole;
    return kev_gather(capture, event->pos, limit, &whole, NULL, 0, parts, max) ? whole.parts : 0;
}

/* ---- order of texts ----------------------------------------------------------------------- */

enum text_order { ORDER_UNKNOWN, ORDER_NATURAL, ORDER_BY_WORDS };

/* Returns whether only zeros follow the text's NUL, as in the right byte order. */
static bool is_zero_padded(const uint8_t *text, size_t size)
{
    const uint8_t *end = memchr(text, 0, size);
    for (; end && end < text + size; end++) {
        if (*end != 0) {
            return false;
        }
    }
    return true;
}

bool kev_order_find(const struct tt_capture *capture, const struct kev_decoder *decoder,
                    uint64_t limit)
{
    uint8_t payload[256];
    uint64_t pos = decoder->slots;
    for (uint32_t n = 0; n < KEV_START_SLOTS && limit >= KEV_SLOT && pos <= limit - KEV_SLOT; n++) {
        uint32_t header = tt_load_u32(capture->bytes.data + pos, decoder->big);
        uint32_t event = kev_code(header) & KEV_EVENT_MASK;
        struct kev_event whole;
        if (kev_structure(header) == KEV_BEGIN &&
            kev_class_of(kev_code(header)) == KEV_CLASS_THREAD && (event == 192 || event == 320) &&
            kev_gather(capture, pos, limit, &whole, payload, sizeof payload, NULL, 0) &&
            whole.finished && 4 * (uint64_t)whole.words <= sizeof payload) {
            uint8_t *text = payload + 8;
            size_t size = 4 * (size_t)whole.words - 8;
            bool natural = is_zero_padded(text, size);
            for (size_t i = 0; i + 4 <= size; i += 4) {
                swap_word(text + i);
            }
            bool swapped = is_zero_padded(text, size);
            enum text_order order = natural == swapped ? ORDER_UNKNOWN
                                    : natural          ? ORDER_NATURAL
                                                       : ORDER_BY_WORDS;

            if (order != ORDER_UNKNOWN) {
                return order == ORDER_BY_WORDS;
            }
        }
        pos += KEV_SLOT;
    }
    return false;
}
