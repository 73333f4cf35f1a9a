/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_decode: the cursor, and the events of a packet. */
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

/* ---- cursor --------------------------------------------------------------------------------- */

struct tt_cursor *ctf_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->d = capture->decoder;
        cursor->learn = learn;
    }
    return cursor;
}

size_t ctf_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->s) {
        memcpy(blob, &cursor->s, sizeof cursor->s);
    }
    return sizeof cursor->s;
}

bool ctf_state_is_valid(const struct ctf *ctf, uint64_t packet, const union ctf_state *state)
{
    const struct ctf_packet *of = tt_column_at(&ctf->packets, packet);
    const uint32_t lanes = tt_thread_count(ctf->capture);
    if (ctf_stream_at(ctf, of->stream)->trace->tracer != &ctf_zephyr) {
        return state->lttng.lane <= lanes;
    }
    return state->zephyr[0].lane <= lanes && state->zephyr[1].lane <= lanes &&
           state->zephyr[2].lane <= lanes && state->zephyr[3].lane <= lanes;
}

void ctf_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    if (size == sizeof cursor->s) {
        memcpy(&cursor->s, blob, size);
        if (cursor->s.packet >= tt_column_count(&cursor->d->packets) ||
            !ctf_state_is_valid(cursor->d, cursor->s.packet, &cursor->s.state)) {
            cursor->s.state = (union ctf_state){{0}};
        }
    }
}

/* Returns the tape position of a place in a packet. */
static inline uint64_t position(const struct ctf *ctf, const struct ctf_packet *packet, uint64_t at)
{
    return packet->base + (ctf->position_shift ? at : at / 8);
}

uint64_t ctf_cursor_pos(const struct tt_cursor *cursor)
{
    const struct ctf *ctf = cursor->d;
    if (cursor->s.packet < tt_column_count(&ctf->packets)) {
        return position(ctf, tt_column_at(&ctf->packets, cursor->s.packet), cursor->s.at);
    }
    return ctf->tape;
}

uint64_t ctf_offset(const struct tt_capture *capture, uint64_t pos)
{
    const struct ctf *ctf = capture->decoder;
    const struct ctf_packet *packet = ctf_packet_at(ctf, pos);
    return packet ? packet->offset + ((pos - packet->base) >> ctf->position_shift)
                  : capture->bytes.size;
}

/* Adds health at an event, if it is new. */
static void ctf_report(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t at,
                       uint64_t value, const char *detail)
{
    const struct ctf *ctf = cursor->d;
    if (cursor->learn) {
        const struct ctf_packet *packet = tt_column_at(&ctf->packets, cursor->s.packet);
        tt_health_add(ctf->capture, kind, packet->offset + at / 8, position(ctf, packet, at), value,
                      detail);
    }
}

/* ---- events --------------------------------------------------------------------------------- */

/* Returns the clock after a time of a header. */
static inline uint64_t clock_after(const struct ctf_record *record, const struct ctf_class *type,
                                   uint64_t at, uint64_t clock)
{
    uint64_t value = ctf_load(record->bytes, at, type);
    if (!record->stream->trace->is_implicit_clock || type->bits >= 64) {
        return ctf_clock_next(clock, value, type->bits);
    }
    /* Records of two CPUs in one stream can be out of order: a short step back is no wrap. */
    const uint64_t range = UINT64_C(1) << type->bits, step = (value - clock) & (range - 1);
    return step < range / 2 || clock < range - step ? clock + step : clock - (range - step);
}

/* Reads a part of the usual header. Returns the position after it; CTF_NONE if it leaves the packet. */
static inline uint64_t read_part(struct ctf_record *record, const struct ctf_header_part *part,
                                 uint64_t at, uint64_t *clock)
{
    at = ctf_align(at, part->align);
    if (at + part->bits > record->end) {
        return CTF_NONE;
    }
    if (part->id) {
        record->id = ctf_load(record->bytes, at + part->id_at, part->id);
    }
    if (part->time) {
        *clock = clock_after(record, part->time, at + part->time_at, *clock);
    }
    return at + part->bits;
}

static uint64_t read_usual_header(struct ctf_record *record, const struct ctf_header *header,
                                  uint64_t *clock)
{
    if (header->word != 0 && record->begin % 8 == 0 && record->begin + 32 <= record->end) {
        const uint32_t word = tt_load_u32(record->bytes + record->begin / 8, false);
        const uint32_t id = word & ((UINT32_C(1) << header->word) - 1);
        if (id >= header->options[0].ranges->low && id <= header->options[0].ranges->high) {
            record->id = record->registers[header->selector->save - 1] = id;
            *clock = ctf_clock_next(*clock, word >> header->word, 32 - header->word);
            return record->begin + 32;
        }
    }
    uint64_t at = read_part(record, &header->first, record->begin, clock);
    if (header->selector && at != CTF_NONE) {
        const uint64_t selector = record->id;
        record->registers[header->selector->save - 1] = selector;
        for (unsigned i = 0; i < header->option_count; i++) {
            const struct ctf_header_part *option = &header->options[i];
            if (selector >= option->ranges->low && selector <= option->ranges->high) {
                return read_part(record, option, at, clock);
            }
        }
        return CTF_NONE;
    }
    return at;
}

static uint64_t walk_header(struct ctf_record *record, const struct ctf_class *type,
                            uint64_t *clock)
{
    memset(record->registers, 0, CTF_REGISTERS * sizeof *record->registers);
    ctf_packet_registers(record);
    struct ctf_walk walk =
        ctf_walk_of(record->bytes, record->begin, record->end, record->registers);
    walk.clock = *clock;
    if (!ctf_walk_over(&walk, type)) {
        return CTF_NONE;
    }
    record->id = (walk.has >> CTF_ROLE_ID & 1) != 0 ? walk.roles[CTF_ROLE_ID] : 0;
    *clock = walk.clock;
    return walk.at;
}

/* Skips a part of an event and notes where it is. Returns false if it leaves the packet. */
static inline bool skip_part(struct ctf_record *record, unsigned scope, const struct ctf_plan *plan)
{
    record->at[scope] = record->after;
    if (!plan->type) {
        return true;
    }
    uint64_t at = ctf_align(record->after, plan->align);
    record->at[scope] = at;
    record->after = plan->bits != CTF_NONE
                        ? at + plan->bits
                        : ctf_skip(plan, record->bytes, at, record->end, record->registers);
    return record->after <= record->end;
}

bool ctf_read_event(struct ctf_record *record, uint64_t *clock)
{
    const struct ctf_stream_class *of = record->stream->of;
    const struct ctf_class *header = of->classes[CTF_EVENT_HEADER];
    record->id = 0;
    record->of = NULL;
    record->after = record->begin;
    record->at[CTF_EVENT_HEADER] = record->begin;
    if (header) {
        record->after = of->header.is_usual ? read_usual_header(record, &of->header, clock)
                                            : walk_header(record, header, clock);
        if (record->after == CTF_NONE) {
            return false;
        }
    }
    record->of = ctf_event_of(of, record->id);
    if (record->of && record->of->bits != CTF_NONE && record->after % 8 == 0) {
        for (unsigned scope = CTF_COMMON_CONTEXT; scope < CTF_SCOPES; scope++) {
            record->at[scope] = record->after + record->of->offsets[scope];
        }
        record->after += record->of->bits;
        return record->after <= record->end && record->after > record->begin;
    }
    for (unsigned i = 0; record->of && i < record->of->registers; i++) {
        record->registers[i] = 0;
    }
    if (!record->of || !skip_part(record, CTF_COMMON_CONTEXT, &of->plans[CTF_COMMON_CONTEXT]) ||
        !skip_part(record, CTF_EVENT_CONTEXT, &record->of->plans[CTF_EVENT_CONTEXT]) ||
        !skip_part(record, CTF_PAYLOAD, &record->of->plans[CTF_PAYLOAD])) {
        return false;
    }
    return record->after > record->begin;
}

static uint32_t ctf_decode_type_of(struct tt_cursor *cursor, struct ctf_event *event)
{
    uint32_t type = atomic_load_explicit(&event->type, memory_order_acquire);
    if (type == CTF_NO_TYPE && cursor->learn) {
        type = tt_types_add(cursor->d->capture, event->class_name, event->shown_name, event->id,
                            event->kind);
        atomic_store_explicit(&event->type, type, memory_order_release);
    }
    return type;
}

/* Emits an event, with its actions. */
static inline void ctf_decode_emit(struct tt_cursor *cursor, const struct ctf_packet *packet,
                                   const struct ctf_record *record, struct tt_batch *batch)
{
    const struct ctf *ctf = cursor->d;
    struct tt_event *event = &batch->events[batch->count++];
    uint64_t ticks = ctf_ticks(record->stream, cursor->s.clock);
    if (ticks > INT64_MAX) {
        ctf_report(cursor, TT_HEALTH_TIME_RANGE, record->begin, ticks, "time of an event");
        ticks = 0;
    }
    event->ticks = ticks;
    event->pos = position(ctf, packet, record->begin);
    event->length = (uint32_t)((record->after - record->begin + 7) / 8);
    event->cpu = packet->cpu;
    event->flags = 0;
    event->thread = TT_NO_THREAD;
    /* Types are added when they occur: the event's own number is all that changes. */
    event->type = ctf_decode_type_of(cursor, (struct ctf_event *)(uintptr_t)record->of);
    event->kind = record->of->kind;
    batch->records++;
    const struct ctf_tracer *tracer = record->stream->trace->tracer;
    if (cursor->s.first) {
        cursor->s.first = 0;
        if (packet->since != 0) {
            struct tt_action *action = ctf_act(batch, event, TT_ACTION_LOST, TT_NO_THREAD);
            if (action) {
                action->value = packet->since;
            }
        }
    }
    if (tracer->act) {
        tracer->act(cursor, record, event, batch);
    }
    tt_batch_note(batch, event);
}

/* ---- packets -------------------------------------------------------------------------------- */

static inline bool ctf_decode_is_full(const struct tt_batch *batch)
{
    return batch->count == batch->capacity ||
           (batch->actions && batch->action_capacity - batch->action_count < TT_ACTIONS_PER_EVENT);
}

/* Reports why the rest of a packet cannot be decoded. */
static void report_end(struct tt_cursor *cursor, const struct ctf_record *record)
{
    if (!record->of && record->after != CTF_NONE) {
        ctf_report(cursor, TT_HEALTH_UNKNOWN_EVENT, record->begin, record->id,
                   "id without an event block: the rest of the packet is not decoded");
        return;
    }
    ctf_report(cursor, TT_HEALTH_MALFORMED, record->begin, (record->end - record->begin) / 8,
               record->after == record->begin ? "bytes of a packet with events that have none"
                                              : "bytes of a packet from an event that is longer");
}

/* Decodes the current packet from the cursor on. Returns false if the batch is full before its end. */
static bool decode_packet(struct tt_cursor *cursor, uint64_t limit, bool final, uint64_t budget,
                          struct tt_batch *batch)
{
    struct ctf *ctf = cursor->d;
    const struct ctf_packet *packet = tt_column_at(&ctf->packets, cursor->s.packet);
    struct ctf_stream *stream = ctf_stream_at(ctf, packet->stream);
    const uint32_t align = stream->of->event_align;
    struct ctf_record record = {.d = ctf,
                                .stream = stream,
                                .bytes = ctf->capture->bytes.data + packet->offset,
                                .end = packet->content,
                                .registers = cursor->registers};
    uint64_t there = packet->offset < limit ? limit - packet->offset : 0;
    record.end = there < (record.end + 7) / 8 ? there * 8 : record.end;
    if (cursor->s.at == 0) {
        cursor->s.at = packet->events;
        cursor->s.clock = packet->clock;
        cursor->s.state = packet->state;
        cursor->s.first = 1;
    }
    ctf_packet_registers(&record);
    const uint32_t before = batch->count;
    const uint64_t until = budget ? cursor->s.at + budget * 8 : CTF_NONE;
    bool done = false;
    while (!ctf_decode_is_full(batch) && cursor->s.at < until) {
        record.begin = ctf_align(cursor->s.at, align);
        if (record.begin >= record.end) {
            done = true;
            break;
        }
        uint64_t clock = cursor->s.clock;
        if (!ctf_read_event(&record, &clock)) {
            const bool is_cut = record.of || record.after == CTF_NONE;
            if (cursor->learn && packet->is_open && !final && is_cut) {
                struct ctf_file *file = &ctf->files[packet->file]; /* the rest of the event comes */
                file->done = packet->offset - file->at + cursor->s.at / 8;
            } else {
                report_end(cursor, &record);
            }
            done = true;
            break;
        }
        cursor->s.clock = clock;
        ctf_decode_emit(cursor, packet, &record, batch);
        cursor->s.at = record.after;
    }
    if (cursor->learn) {
        stream->clock = cursor->s.clock;
        stream->state = cursor->s.state;
        stream->lost_since = cursor->s.first ? stream->lost_since : 0;
        if (batch->count > before) {
            stream->last = batch->events[batch->count - 1].ticks;
        }
    }
    return done;
}

enum tt_decode_result ctf_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch)
{
    struct ctf *ctf = cursor->d;
    const uint64_t begin = ctf_cursor_pos(cursor);
    while (!(ctf->no_memory || ctf->threads.no_memory) || !cursor->learn) {
        const uint64_t used = ctf_cursor_pos(cursor) - begin;
        if (ctf_decode_is_full(batch) || (batch->byte_budget && used >= batch->byte_budget)) {
            return TT_DECODE_MORE;
        }
        if (cursor->s.packet >= tt_column_count(&ctf->packets) &&
            !(cursor->learn && ctf_add_packet(ctf, final))) {
            return ctf->no_memory && cursor->learn ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
        uint64_t budget = batch->byte_budget ? batch->byte_budget - used : 0;
        if (!decode_packet(cursor, limit, final, budget, batch)) {
            return TT_DECODE_MORE;
        }
        cursor->s.packet++;
        cursor->s.at = 0;
    }
    return TT_DECODE_MEMORY;
}

bool ctf_find_record(const struct ctf *ctf, const struct tt_event *event, uint64_t limit,
                     struct ctf_record *record, uint64_t *registers)
{
    const struct ctf_packet *packet = ctf_packet_at(ctf, event->pos);
    uint64_t clock = 0;
    if (!packet || packet->offset >= limit) {
        return false;
    }
    uint64_t there = limit - packet->offset;
    *record = (struct ctf_record){.d = ctf,
                                  .stream = ctf_stream_at(ctf, packet->stream),
                                  .bytes = ctf->capture->bytes.data + packet->offset,
                                  .end = packet->content,
                                  .registers = registers};
    record->end = there < (record->end + 7) / 8 ? there * 8 : record->end;
    record->begin = (event->pos - packet->base) << (ctf->position_shift ? 0 : 3);
    ctf_packet_registers(record);
    return record->begin < record->end && ctf_read_event(record, &clock);
}
