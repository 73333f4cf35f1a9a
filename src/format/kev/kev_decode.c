/* SPDX-License-Identifier: Apache-2.0 */
/* kev_decode: decodes one event: its 64-bit time, its slots, the empty slots before it. */
#include <string.h>

#include "format/kev/kev_decode.h"

/* ---- time --------------------------------------------------------------------------------- */

/* Returns the start times: the capture's, or until those are known the cursor's own. */
static const struct kev_start *start_of(struct tt_cursor *cursor, uint64_t limit)
{
    struct kev_decoder *decoder = cursor->d;
    if (atomic_load_explicit(&decoder->start_known, memory_order_acquire)) {
        return &decoder->start;
    }
    if (!cursor->own_start_known) {
        uint64_t seen;
        kev_start_find(cursor->capture, decoder, limit, &cursor->own_start, &seen);
        cursor->own_start_known = true;
        if (cursor->learn) {
            decoder->start = cursor->own_start;
            atomic_store_explicit(&decoder->start_known, true, memory_order_release);
        }
    }
    return &cursor->own_start;
}

static KEV_COLD void start_cpu(struct tt_cursor *cursor, const struct kev_slot *slot,
                               uint32_t index, uint64_t limit)
{
    struct kev_cpu *cpu = &cursor->cpu[index];
    const struct kev_start *start = start_of(cursor, limit);
    cpu->running = TT_NO_THREAD;
    cpu->sequence = 0;
    if (start->known >> index & 1) {
        cpu->ticks = start->ticks[index];
    } else if (cursor->s.active != 0) {
        /* No TIME of its own: near the time of the other CPUs. */
        uint64_t reference = cursor->s.last_ticks;
        int32_t offset = (int32_t)(slot->stamp - (uint32_t)reference);
        bool before_zero = offset < 0 && reference < (uint64_t)0 - (uint64_t)(int64_t)offset;
        cpu->ticks = before_zero ? slot->stamp : reference + (uint64_t)(int64_t)offset;
    } else {
        cpu->ticks = slot->stamp;
    }
    kev_set_ticks(cursor, index, cpu->ticks);
    cursor->s.active |= (uint64_t)1 << index;
    if (index >= cursor->capture->cpu_count) {
        kev_note(cursor, TT_HEALTH_HEADER, slot->pos, index, "CPU that the header does not count");
    }
}

/* ---- combine events ----------------------------------------------------------------------- */

static void drop_open(struct tt_cursor *cursor, uint32_t cpu, uint32_t index)
{
    struct kev_open *list = cursor->open[cpu];
    uint32_t count = --cursor->open_count[cpu];
    memmove(&list[index], &list[index + 1], (count - index) * sizeof list[0]);
    cursor->s.open_count--;
}

static KEV_COLD void drop_unfinished(struct tt_cursor *cursor, uint32_t cpu, uint32_t index)
{
    kev_note(cursor, TT_HEALTH_UNFINISHED, cursor->open[cpu][index].pos,
             cursor->open[cpu][index].parts, "slots of the event found");
    drop_open(cursor, cpu, index);
}

static int find_open(const struct tt_cursor *cursor, uint32_t cpu, uint32_t code, uint32_t stamp)
{
    for (uint32_t i = 0; i < cursor->open_count[cpu]; i++) {
        const struct kev_open *open = &cursor->open[cpu][i];
        if (open->stamp == stamp && open->code == code) {
            return (int)i;
        }
    }
    return -1;
}

static KEV_COLD void open_event(struct tt_cursor *cursor, const struct kev_slot *slot,
                                uint32_t thread)
{
    int same = find_open(cursor, slot->cpu, slot->code, slot->stamp);
    if (same >= 0) {
        drop_unfinished(cursor, slot->cpu, (uint32_t)same);
    } else if (cursor->open_count[slot->cpu] == KEV_OPEN_EVENTS) {
        drop_unfinished(cursor, slot->cpu, 0);
    }
    struct kev_open open = {slot->pos,          slot->stamp, thread, (uint16_t)slot->code,
                            (uint8_t)slot->cpu, 1,           0};
    cursor->open[slot->cpu][cursor->open_count[slot->cpu]++] = open;
    cursor->s.open_count++;
}

/* Attaches a priority to the last event of the batch, or to the next event. */
static void late_priority(struct tt_cursor *cursor, uint32_t thread, int16_t priority, uint32_t cpu,
                          struct tt_batch *batch)
{
    if (batch->count == 0) {
        if (cursor->s.late_count < KEV_LATE_MAX) {
            struct kev_late late = {thread, priority, (uint16_t)cpu};
            cursor->late[cursor->s.late_count++] = late;
        }
        return;
    }
    struct tt_action *action =
        tt_batch_act(batch, &batch->events[batch->count - 1], TT_ACTION_PRIORITY);
    if (action) {
        action->thread = thread;
        action->priority = priority;
        action->cpu = (uint16_t)cpu;
    }
}

static KEV_COLD void flush_late(struct tt_cursor *cursor, struct tt_batch *batch)
{
    for (uint32_t i = 0; i < cursor->s.late_count; i++) {
        struct tt_action *action = kev_act(batch, TT_ACTION_PRIORITY);
        if (action) {
            action->thread = cursor->late[i].thread;
            action->priority = cursor->late[i].priority;
            action->cpu = cursor->late[i].cpu;
        }
    }
    cursor->s.late_count = 0;
}

/* Handles a continuation or end slot that is not adjacent to its event. */
static KEV_COLD void continue_event(struct tt_cursor *cursor, const struct kev_slot *slot,
                                    struct tt_batch *batch)
{
    int index = slot->open;
    if (index >= 0 &&
        slot->pos - cursor->open[slot->cpu][index].pos > (uint64_t)KEV_REACH * KEV_SLOT) {
        drop_unfinished(cursor, slot->cpu, (uint32_t)index);
        index = -1;
    }
    if (index < 0) {
        kev_note(cursor, TT_HEALTH_ORPHAN_PART, slot->pos, slot->code, "class * 1024 + event");
        return;
    }
    struct kev_open *open = &cursor->open[slot->cpu][index];
    if (open->thread != TT_NO_THREAD && open->parts == 1) {
        late_priority(cursor, open->thread, (int16_t)kev_slot_word(cursor, slot, 0), slot->cpu,
                      batch);
    }
    if (open->parts < UINT8_MAX) {
        open->parts++;
    }
    if (kev_structure(slot->header) == KEV_END) {
        kev_store_name(cursor, open->code, open->pos, slot->pos + KEV_SLOT);
        drop_open(cursor, slot->cpu, (uint32_t)index);
    }
}

/* Counts the adjacent slots of an event (usually all) and sets whether they are complete. */
static KEV_HOT void find_chain(struct kev_slot *slot, uint64_t limit, bool big)
{
    const uint8_t *next = slot->bytes;
    uint64_t left = (limit - slot->pos) / KEV_SLOT - 1;
    if (left > KEV_REACH) {
        left = KEV_REACH;
    }
    slot->chain = 1;
    slot->whole = false;
    for (; left > 0; left--) {
        next += KEV_SLOT;
        uint32_t header = tt_load_u32(next, big);
        if (((header ^ slot->header) & KEV_SAME_EVENT) != 0 || kev_structure(header) < KEV_MIDDLE ||
            tt_load_u32(next + 4, big) != slot->stamp) {
            return;
        }
        slot->chain++;
        if (kev_structure(header) == KEV_END) {
            slot->whole = true;
            return;
        }
    }
}

/* ---- empty slots -------------------------------------------------------------------------- */

static bool slot_is_empty(const uint8_t *slot)
{
    static const uint8_t zeros[KEV_SLOT];
    return memcmp(slot, zeros, KEV_SLOT) == 0;
}

/*
 * A writer that maps its file leaves zeros in the part not yet written. While the file may grow,
 * decoding stops at zeros, unless data follows more than a kernel buffer after them.
 */
#define LOOKAHEAD_FROM (16u << 10)
#define LOOKAHEAD_TO   (64u << 10)

static bool data_follows(const uint8_t *base, uint64_t pos, uint64_t limit)
{
    uint64_t to = limit - pos > LOOKAHEAD_TO ? pos + LOOKAHEAD_TO : limit;
    for (uint64_t at = pos + LOOKAHEAD_FROM; at < to && to - at >= KEV_SLOT; at += KEV_SLOT) {
        if (!slot_is_empty(base + at)) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether the adjacent slots of an event reach the current end of the bytes or unwritten
 * slots. The event then waits for the rest, so that it decodes as in the finished file.
 */
static KEV_COLD bool chain_is_cut(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                  uint64_t limit)
{
    const uint8_t *base = cursor->capture->bytes.data;
    if (slot->chain > KEV_REACH) {
        return false;
    }
    uint64_t end = slot->pos + (uint64_t)slot->chain * KEV_SLOT;
    return limit - end < KEV_SLOT || (slot_is_empty(base + end) && !data_follows(base, end, limit));
}

/* Skips empty slots; returns false, without moving, if they may still be written. */
static KEV_COLD bool skip_empty(struct tt_cursor *cursor, uint64_t limit, bool final)
{
    const uint8_t *base = cursor->capture->bytes.data;
    uint64_t pos = cursor->s.pos;
    if (!final && !data_follows(base, pos, limit)) {
        return false;
    }
    uint64_t end = pos;
    while (limit - end >= KEV_SLOT && slot_is_empty(base + end)) {
        end += KEV_SLOT;
    }
    uint64_t count = (end - pos) / KEV_SLOT;
    if (limit - end < KEV_SLOT) {
        kev_note(cursor, TT_HEALTH_COUNT_MISMATCH, pos, count, "slots at the end never written");
        if (cursor->learn) {
            cursor->zeros_end = pos;
        }
    } else {
        kev_note(cursor, TT_HEALTH_MALFORMED, pos, count, "empty slots between events");
    }
    cursor->s.pos = end;
    return true;
}

/* ---- one event ---------------------------------------------------------------------------- */

static KEV_COLD void note_time_back(struct tt_cursor *cursor, const struct kev_slot *slot,
                                    uint64_t before)
{
    kev_note(cursor, TT_HEALTH_TIME_BACK, slot->pos, before - slot->ticks,
             "ticks that the CPU's time goes back");
}

/*
 * For CPUs with their own rings: stores the time of the CPU's last event before its CONTROL events,
 * where a loss begins. An event with the time of a CONTROL event before it is found by its slot, in the
 * same buffer.
 */
static KEV_COLD void note_control(struct tt_cursor *cursor, const struct kev_slot *slot,
                                  struct kev_cpu *cpu, uint64_t before)
{
    bool has_slots =
        slot->pos != cursor->s.control_end && cursor->s.buffer_cpu == (uint8_t)slot->cpu;
    if (before != cpu->control || has_slots) {
        cpu->before_control = before;
    }
    cpu->control = slot->ticks;
    cursor->s.control_end = slot->pos + KEV_SLOT;
}

/* Returns the CPU with the clock of the event's stamp. */
static KEV_HOT uint32_t clock_of(const struct tt_cursor *cursor, const struct kev_slot *slot)
{
    /* One CPU writes the dump; the header has the CPU of the thread. */
    if (KEV_RARELY(cursor->s.in_dump) && kev_class_of(slot->code) == KEV_CLASS_THREAD &&
        kev_in_dump(cursor)) {
        return cursor->s.dump_cpu;
    }
    return slot->cpu;
}

/* In 8.0 a TIME of another CPU inside a dump is ahead of that CPU's own buffers. */
static bool is_foreign_time(const struct tt_cursor *cursor, const struct kev_slot *slot)
{
    return cursor->d->release == KEV_8 && kev_in_dump(cursor) && slot->cpu != cursor->s.dump_cpu;
}

static KEV_HOT void update_time(struct tt_cursor *cursor, struct kev_slot *slot, unsigned task,
                                uint64_t limit)
{
    uint32_t clock = clock_of(cursor, slot);
    if (KEV_RARELY(!(cursor->s.active >> clock & 1))) {
        start_cpu(cursor, slot, clock, limit);
    }
    if (KEV_RARELY(!(cursor->s.active >> slot->cpu & 1))) {
        start_cpu(cursor, slot, slot->cpu, limit);
    }
    uint64_t before = cursor->cpu[clock].ticks;
    if (KEV_RARELY(task == KEV_TIME)) {
        kev_on_time(cursor, slot);
        if (is_foreign_time(cursor, slot)) {
            return;
        }
    } else if (!slot->timed) {
        slot->ticks = kev_time_extend(before, slot->stamp);
    }
    /* A printed event of several slots is where its last one was: later ones of its CPU may be before it. */
    const bool is_late = cursor->d->source && kev_structure(slot->header) == KEV_BEGIN;
    if (KEV_RARELY(slot->ticks < before) && !(is_late && before - slot->ticks <= KEV_NEAR)) {
        note_time_back(cursor, slot, before);
    }
    if (KEV_RARELY(kev_class_of(slot->code) == KEV_CLASS_CONTROL)) {
        if (cursor->d->release == KEV_8) {
            note_control(cursor, slot, &cursor->cpu[clock], before);
        }
        cursor->before_buffer = cursor->s.last_ticks;
    }
    kev_set_ticks(cursor, clock, slot->ticks);
    cursor->s.last_ticks = slot->ticks;
}

static KEV_HOT void on_state(struct tt_cursor *cursor, const struct kev_slot *slot, bool big,
                             struct tt_batch *batch, struct tt_event *event)
{
    const uint8_t *words = slot->bytes + KEV_SLOT_HEAD;
    uint32_t lane =
        kev_lane_of(cursor, tt_load_u32(words, big), tt_load_u32(words + 4, big), slot->when);
    uint32_t number = slot->code & KEV_EVENT_MASK;
    event->thread = lane;
    event->flags &= (uint8_t)~TT_EVENT_INFERRED;
    if (number == 1) {
        cursor->cpu[slot->cpu].running = lane;
    }
    cursor->s.state_seen |= (uint64_t)!kev_in_dump(cursor) << slot->cpu;
    kev_add_action(cursor, KEV_STATE, slot, event, batch);
}

/* Does the task of a code. */
static KEV_HOT void do_task(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                            bool big, struct tt_batch *batch, struct tt_event *event)
{
    switch (task) {
    case KEV_PLAIN:
    case KEV_TRACE_EXIT:
        break;
    case KEV_STATE:
        on_state(cursor, slot, big, batch, event);
        break;
    default:
        kev_do_task(cursor, task, slot, batch, event);
        break;
    }
}

/* Lists an event whose time contradicts its neighbours: it has that of the event before, and no actions. */
static KEV_COLD void list_untimed(struct tt_cursor *cursor, struct kev_slot *slot,
                                  struct tt_batch *batch)
{
    uint32_t info = atomic_load_explicit(&cursor->d->codes[slot->code], memory_order_acquire);
    if (info == 0) {
        info = kev_code_info(cursor, slot->code);
    }
    const bool combine = kev_structure(slot->header) == KEV_BEGIN;
    const uint32_t thread = cursor->cpu[slot->cpu].running;
    kev_note(cursor, TT_HEALTH_BAD_TIME, slot->pos, slot->stamp, "stamp");
    batch->events[batch->count++] = (struct tt_event){
        .ticks = cursor->s.last_ticks,
        .pos = slot->pos,
        .type = kev_info_type(info),
        .thread = thread,
        .length = KEV_SLOT,
        .cpu = (uint16_t)slot->cpu,
        .kind = kev_info_kind(info),
        .flags = (uint8_t)(TT_EVENT_BAD_TIME | (thread != TT_NO_THREAD ? TT_EVENT_INFERRED : 0) |
                           (combine ? TT_EVENT_MULTIPART : 0)),
    };
    if (combine && !slot->whole) {
        open_event(cursor, slot, TT_NO_THREAD);
    }
}

/* Skips damaged bytes: what ran before them may not run after them. */
static KEV_COLD void kev_decode_skip_damage(struct tt_cursor *cursor, uint64_t end)
{
    kev_note(cursor, TT_HEALTH_DAMAGED, cursor->s.pos, end - cursor->s.pos,
             "bytes that are no slots");
    kev_forget_running(cursor, KEV_CPUS);
    cursor->generation++;
    cursor->s.damaged = 1;
    cursor->s.pos = end;
}

/* Returns whether an event that the release does not have goes back in time, or another one follows it. */
static KEV_COLD bool kev_decode_is_odd(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                       const struct kev_span *span)
{
    const struct kev_decoder *decoder = cursor->d;
    const uint32_t since = slot->stamp - (uint32_t)cursor->cpu[slot->cpu].ticks;
    if (kev_code_is_known(decoder, slot->code)) {
        return false;
    }
    if (since > INT32_MAX) {
        return true;
    }
    return span->limit - slot->pos < 2 * KEV_SLOT
               ? !span->final
               : !kev_code_is_known(decoder,
                                    kev_code(tt_load_u32(slot->bytes + KEV_SLOT, decoder->big)));
}

/* Returns whether a slot does not follow those before it: its CPU, its time or, of a part, its event. */
static KEV_HOT bool is_suspect(const struct tt_cursor *cursor, const struct kev_slot *slot,
                               const struct kev_span *span)
{
    if (kev_structure(slot->header) >= KEV_MIDDLE) {
        return slot->open < 0;
    }
    if (KEV_RARELY(!(cursor->s.active >> slot->cpu & 1))) {
        return cursor->s.active != 0;
    }
    if (KEV_RARELY(!cursor->d->layouts[slot->code]) && kev_decode_is_odd(cursor, slot, span)) {
        return true;
    }
    return KEV_RARELY(!kev_is_near(slot->stamp, (uint32_t)cursor->cpu[slot->cpu].ticks)) &&
           !kev_is_near(slot->stamp, (uint32_t)cursor->s.last_ticks) && !cursor->s.in_dump;
}

static KEV_HOT void list_event(struct tt_cursor *cursor, struct kev_slot *slot, uint64_t limit,
                               bool big, struct tt_batch *batch)
{
    uint32_t info = atomic_load_explicit(&cursor->d->codes[slot->code], memory_order_acquire);
    if (KEV_RARELY(info == 0)) {
        info = kev_code_info(cursor, slot->code);
    }
    unsigned task = kev_info_task(info);
    bool combine = kev_structure(slot->header) == KEV_BEGIN;
    const uint64_t before = cursor->s.last_ticks;
    update_time(cursor, slot, task, limit);
    slot->when = cursor->capture->lanes_by_time ? slot->ticks : slot->pos;
    if (KEV_RARELY(cursor->s.in_dump || !cursor->s.begun || task == KEV_THREAD_CREATE ||
                   task == KEV_PROCESS_CREATE)) {
        kev_track_dump(cursor, task, slot);
    }
    uint32_t thread = cursor->cpu[slot->cpu].running;
    struct tt_event *event = &batch->events[batch->count];
    event->ticks = slot->ticks;
    event->pos = slot->pos;
    event->type = kev_info_type(info);
    event->thread = thread;
    event->length = KEV_SLOT;
    event->cpu = (uint16_t)slot->cpu;
    event->kind = kev_info_kind(info);
    event->flags = (uint8_t)((thread != TT_NO_THREAD ? TT_EVENT_INFERRED : 0) |
                             (combine ? TT_EVENT_MULTIPART : 0));
    if (KEV_RARELY(cursor->s.late_count > 0)) {
        flush_late(cursor, batch);
    }
    if (KEV_RARELY(cursor->s.damaged)) {
        kev_on_damage(cursor, slot, before, batch);
    }
    do_task(cursor, task, slot, big, batch, event);
    tt_batch_note(batch, event);
    batch->count++;
    if (combine) {
        if (slot->whole) {
            if (cursor->learn && (task == KEV_PROCESS_CREATE || task == KEV_THREAD_NAME)) {
                kev_store_name(cursor, slot->code, slot->pos, limit);
            }
        } else {
            bool priority_due = task == KEV_STATE && slot->chain == 1;
            open_event(cursor, slot, priority_due ? event->thread : TT_NO_THREAD);
        }
    }
}

void kev_decode_take(struct tt_cursor *cursor, struct kev_slot *slot, struct tt_batch *batch)
{
    list_event(cursor, slot, cursor->limit, cursor->d->big, batch);
}

/* Judges a slot: nearly all are sound. */
static KEV_HOT enum kev_verdict kev_decode_judge(struct tt_cursor *cursor,
                                                 const struct kev_slot *slot,
                                                 const struct kev_span *span, uint64_t *end)
{
    enum kev_verdict verdict = KEV_SOUND;
    if (KEV_RARELY(is_suspect(cursor, slot, span))) {
        verdict = kev_judge(cursor, slot, span, end);
    }
    if (KEV_RARELY(slot->code == KEV_CODE_TIME) && verdict == KEV_SOUND) {
        verdict = kev_judge_time(cursor, slot, span);
    }
    if (KEV_RARELY(!span->final) && verdict == KEV_SOUND && kev_lacks_names(cursor, slot)) {
        verdict = KEV_WAIT;
    }
    return verdict;
}

/* Skips damaged bytes, or lists a slot with a wrong time. */
static KEV_COLD enum tt_decode_result decode_unsound(struct tt_cursor *cursor,
                                                     struct kev_slot *slot,
                                                     enum kev_verdict verdict, uint64_t end,
                                                     struct tt_batch *batch)
{
    if (verdict == KEV_WAIT) {
        return TT_DECODE_END;
    }
    if (verdict == KEV_DAMAGED) {
        batch->records++;
        kev_decode_skip_damage(cursor, end);
        return TT_DECODE_MORE;
    }
    list_untimed(cursor, slot, batch);
    const uint32_t chain = slot->whole ? slot->chain : 1;
    cursor->s.pos = slot->pos + (uint64_t)chain * KEV_SLOT;
    batch->records += chain;
    return cursor->out_of_memory ? TT_DECODE_MEMORY : TT_DECODE_MORE;
}

/* Decodes the slot at the cursor with the adjacent slots of its event, or skips empty slots. */
static KEV_HOT enum tt_decode_result
decode_slot(struct tt_cursor *cursor, const struct kev_span *span, bool big, struct tt_batch *batch)
{
    const uint64_t limit = span->limit;
    const uint64_t pos = cursor->s.pos;
    if (limit < KEV_SLOT || pos > limit - KEV_SLOT) {
        if (span->final) {
            kev_on_end(cursor, limit);
        }
        return TT_DECODE_END;
    }
    struct kev_slot slot = {.bytes = cursor->capture->bytes.data + pos};
    slot.header = tt_load_u32(slot.bytes, big);
    if (KEV_RARELY(slot.header == 0) && slot_is_empty(slot.bytes)) {
        return skip_empty(cursor, limit, span->final) ? TT_DECODE_MORE : TT_DECODE_END;
    }
    slot.pos = pos;
    slot.stamp = tt_load_u32(slot.bytes + 4, big);
    slot.code = kev_code(slot.header);
    slot.cpu = kev_cpu(slot.header);
    slot.chain = 1;
    slot.whole = true;
    slot.open = kev_structure(slot.header) >= KEV_MIDDLE
                    ? find_open(cursor, slot.cpu, slot.code, slot.stamp)
                    : -1;
    if (kev_structure(slot.header) == KEV_BEGIN) {
        find_chain(&slot, limit, big);
        if (KEV_RARELY(!slot.whole) && !span->final && chain_is_cut(cursor, &slot, limit)) {
            return TT_DECODE_END;
        }
    }
    if (KEV_RARELY(kev_is_text(slot.code)) &&
        kev_other_header(cursor->capture, pos, limit) != UINT64_MAX) {
        if (span->final) {
            kev_on_end(cursor, limit);
        }
        return TT_DECODE_END;
    }
    uint64_t end = 0;
    const enum kev_verdict verdict = kev_decode_judge(cursor, &slot, span, &end);
    if (KEV_RARELY(verdict != KEV_SOUND)) {
        return decode_unsound(cursor, &slot, verdict, end, batch);
    }
    if (kev_structure(slot.header) >= KEV_MIDDLE) {
        continue_event(cursor, &slot, batch);
    } else {
        list_event(cursor, &slot, limit, big, batch);
        if (!slot.whole) {
            slot.chain = 1;
        }
    }
    cursor->s.pos = pos + (uint64_t)slot.chain * KEV_SLOT;
    batch->records += slot.chain;
    return KEV_RARELY(cursor->out_of_memory) ? TT_DECODE_MEMORY : TT_DECODE_MORE;
}

/* Instantiated once per byte order, so that no slot tests it. */
static KEV_HOT enum tt_decode_result kev_decode_next_event(struct tt_cursor *cursor,
                                                           const struct kev_span *span, bool big,
                                                           struct tt_batch *batch)
{
    const uint32_t count = batch->count;
    enum tt_decode_result result;
    do {
        result = decode_slot(cursor, span, big, batch);
    } while (result == TT_DECODE_MORE && batch->count == count && cursor->s.pos < span->stop &&
             kev_actions_fit(batch));
    return result;
}

enum tt_decode_result kev_decode_event(struct tt_cursor *cursor, const struct kev_span *span,
                                       struct tt_batch *batch)
{
    return cursor->d->big ? kev_decode_next_event(cursor, span, true, batch)
                          : kev_decode_next_event(cursor, span, false, batch);
}
