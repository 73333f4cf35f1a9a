/* SPDX-License-Identifier: Apache-2.0 */
/* tpt_decode: the records in order, as slots for kev's decoder. A place in the text is all that it needs besides kev's own state. */
#include "format/kev/kev_decode.h"
#include "format/tpt/tpt_internal.h"

static const struct tpt_decoder *decoder_of(const struct tt_capture *capture)
{
    return capture->decoder; /* begins with kev's */
}

static uint32_t header_of(const struct tpt_record *record, const struct tpt_payload *payload)
{
    return record->code | record->head.cpu << 24 |
           (uint32_t)(payload->words > 2 ? KEV_BEGIN : KEV_SIMPLE) << 30;
}

/* ---- events by place ------------------------------------------------------------------------ */

static bool gather(const struct tt_capture *capture, uint64_t pos, uint64_t limit,
                   struct kev_event *event, uint8_t *bytes, uint32_t size, struct tt_part *parts,
                   uint32_t max)
{
    struct tpt_record record;
    struct tpt_payload payload = {bytes, bytes ? size / 4 : 0, 0, decoder_of(capture)->kev.big};
    tpt_record_read(decoder_of(capture), tt_bytes_of(capture->bytes.data, limit), pos, true,
                    &record, &payload);
    if (record.sort > TPT_DOUBTFUL) {
        return false;
    }
    *event = (struct kev_event){.header = header_of(&record, &payload),
                                .stamp = (uint32_t)record.head.time,
                                .parts = 1,
                                .last_pos = pos,
                                .finished = true};
    tpt_put_word(&payload, 0); /* an event has an even number of words */
    payload.words -= payload.words & 1;
    while (payload.words < 2) {
        tpt_put_word(&payload, 0);
    }
    event->words = payload.words;
    if (parts && max > 0) {
        const uint64_t length = record.end - pos;
        parts[0] = (struct tt_part){pos, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX, 0};
    }
    return true;
}

/* Writes the header, the stamp and the first words of a record. */
static void put_slot(const struct tpt_decoder *decoder, uint32_t header, uint32_t stamp,
                     const uint8_t *words, uint8_t *slot)
{
    uint8_t head[8];
    struct tpt_payload first = {head, 2, 0, decoder->kev.big};
    tpt_put_word(&first, header);
    tpt_put_word(&first, stamp);
    memcpy(slot, head, sizeof head);
    memcpy(slot + sizeof head, words, KEV_SLOT - KEV_SLOT_HEAD);
}

static uint64_t next(const struct tt_capture *capture, uint64_t pos, uint64_t limit, uint8_t *slot)
{
    const struct tpt_decoder *decoder = decoder_of(capture);
    struct tpt_record record = {.end = pos};
    do {
        uint8_t words[KEV_SLOT - KEV_SLOT_HEAD] = {0};
        struct tpt_payload payload = {words, 2, 0, decoder->kev.big};
        tpt_record_read(decoder, tt_bytes_of(capture->bytes.data, limit), record.end, true, &record,
                        &payload);
        if (record.sort <= TPT_DOUBTFUL) {
            put_slot(decoder, header_of(&record, &payload), (uint32_t)record.head.time, words,
                     slot);
        }
    } while (record.sort == TPT_HEADER || record.sort == TPT_OTHER);
    return record.sort == TPT_CUT ? 0 : record.end;
}

const struct kev_source tpt_source = {gather, next};

/* ---- damaged times -------------------------------------------------------------------------- */

#define FAR_PARTS  16u /* a sixteenth of a second: closer times are not judged */
#define FAR_TICKS  (UINT64_C(1) << 26)
#define LOOK_LINES 512u /* records in which the next two of a CPU are searched */

/* The times of a CPU from its latest event on, in ticks after it; of stamps the low 32 bits. */
struct judge {
    uint64_t since;
    uint64_t mask;
    uint64_t next[2]; /* of the events after the one that is judged */
    unsigned count;
};

/* Reads the next two times of a CPU; false if they may still come. */
static bool read_next_times(struct tt_cursor *cursor, const struct tpt_record *judged,
                            struct judge *judge)
{
    const struct tpt_decoder *decoder = decoder_of(cursor->capture);
    const struct tt_bytes bytes = tt_bytes_of(cursor->capture->bytes.data, cursor->limit);
    struct tpt_record record = {.end = judged->end};
    for (unsigned i = 0; i < LOOK_LINES && judge->count < 2; i++) {
        struct tpt_payload none = {NULL, 0, 0, decoder->kev.big};
        tpt_record_read(decoder, bytes, record.end, cursor->final, &record, &none);
        if (record.sort == TPT_CUT) {
            return cursor->final;
        }
        if (record.sort <= TPT_DOUBTFUL && record.head.cpu == judged->head.cpu) {
            judge->next[judge->count++] = (record.head.time - judge->since) & judge->mask;
        }
    }
    return true;
}

/*
 * Replaces a time that is far from that of the event before on its CPU, and later than the next ones there: a digit of it
 * is damaged, since the times of a CPU do not go back. The event has the time of the one before.
 */
static void judge_time(struct tt_cursor *cursor, struct tpt_record *record)
{
    const struct tpt_decoder *decoder = decoder_of(cursor->capture);
    const uint64_t hz = cursor->capture->clock_hz, far = hz > 0 ? hz / FAR_PARTS : FAR_TICKS;
    const uint32_t cpu = record->head.cpu;
    if (cpu >= KEV_CPUS || (cursor->s.active >> cpu & 1) == 0) {
        return;
    }
    const bool whole = record->head.whole || decoder->whole_times;
    struct judge judge = {.since = cursor->cpu[cpu].ticks, .mask = whole ? UINT64_MAX : UINT32_MAX};
    const uint64_t time = (record->head.time - judge.since) & judge.mask;
    const uint64_t distance = time > judge.mask / 2 ? judge.mask - time + 1 : time;
    if (distance <= far || !read_next_times(cursor, record, &judge) || judge.count == 0 ||
        judge.next[0] >= time ||
        (judge.count == 2 && (judge.next[1] < judge.next[0] || judge.next[1] >= time))) {
        return;
    }
    kev_note(cursor, TT_HEALTH_BAD_TIME, cursor->s.pos, record->head.time,
             "time that the next events of its CPU contradict; that of the event before is used");
    record->head.time = whole ? judge.since : (uint32_t)judge.since;
}

/* ---- in order ------------------------------------------------------------------------------- */

/* Lists the event of a record. */
static void list_event(struct tt_cursor *cursor, const struct tpt_record *record,
                       const struct tpt_payload *payload, struct tt_batch *batch)
{
    const struct tpt_decoder *decoder = decoder_of(cursor->capture);
    const uint32_t header = header_of(record, payload), stamp = (uint32_t)record->head.time;
    const uint64_t length = record->end - cursor->s.pos;
    uint8_t bytes[2 * KEV_SLOT];
    put_slot(decoder, header, stamp, payload->bytes, bytes);
    put_slot(decoder, header | (uint32_t)KEV_END << 30, stamp, payload->bytes + 8,
             bytes + KEV_SLOT);
    struct kev_slot slot = {.bytes = bytes,
                            .ticks = record->head.time,
                            .header = header,
                            .stamp = stamp,
                            .code = record->code,
                            .cpu = record->head.cpu,
                            .chain = payload->words > 2 ? (payload->words + 1) / 2 : 1,
                            .whole = true,
                            .timed = record->head.whole || decoder->whole_times,
                            .open = -1,
                            .pos = cursor->s.pos};
    kev_decode_take(cursor, &slot, batch);
    batch->events[batch->count - 1].length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Lines that are no events and follow each other: they are one report. */
struct others {
    uint64_t pos;
    uint64_t line;
    uint64_t count;
};

static void note_others(struct tt_cursor *cursor, struct others *others)
{
    if (others->count > 0 && cursor->learn) {
        cursor->capture->line = others->line;
        kev_note(cursor, TT_HEALTH_OTHER_LINE, others->pos, others->count, "lines");
    }
    others->count = 0;
}

enum tt_decode_result tpt_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch)
{
    const struct tpt_decoder *decoder = decoder_of(cursor->capture);
    const struct tt_bytes bytes = tt_bytes_of(cursor->capture->bytes.data, limit);
    const uint64_t begin = cursor->s.pos;
    const bool bounded = batch->byte_budget > 0 && batch->byte_budget < UINT64_MAX - begin;
    const uint64_t stop = bounded ? begin + batch->byte_budget : UINT64_MAX;
    struct others others = {0};
    cursor->limit = limit;
    cursor->final = final;
    struct tpt_record record = {.sort = TPT_EVENT};
    while (batch->count < batch->capacity && kev_actions_fit(batch) && cursor->s.pos < stop) {
        uint8_t words[2 * (KEV_SLOT - KEV_SLOT_HEAD)] = {0};
        struct tpt_payload payload = {words, 4, 0, decoder->kev.big};
        tpt_record_read(decoder, bytes, cursor->s.pos, final, &record, &payload);
        if (record.sort == TPT_CUT) {
            break;
        }
        if (record.sort == TPT_OTHER && others.count++ == 0) {
            others.pos = cursor->s.pos;
            others.line = cursor->s.line + 1;
        } else if (record.sort != TPT_OTHER) {
            note_others(cursor, &others);
        }
        if (cursor->learn) {
            cursor->capture->line = cursor->s.line + 1;
        }
        if (record.sort == TPT_DOUBTFUL) {
            kev_note(cursor, TT_HEALTH_MALFORMED, cursor->s.pos, record.end - cursor->s.pos,
                     "bytes of an event whose arguments are not those of its label");
        }
        if (record.sort <= TPT_DOUBTFUL) {
            judge_time(cursor, &record);
            list_event(cursor, &record, &payload, batch);
        }
        cursor->s.pos = record.end;
        cursor->s.line += record.lines;
        batch->records++;
        if (cursor->out_of_memory) {
            return TT_DECODE_MEMORY;
        }
    }
    note_others(cursor, &others);
    return record.sort == TPT_CUT ? TT_DECODE_END : TT_DECODE_MORE;
}
