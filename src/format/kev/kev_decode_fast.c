/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode_fast: decodes a batch, with actions or without, learning or not. A stretch of slots is
 * walked twice: first to find where events begin, then to decode them. Neither walk branches on the
 * next slot's kind. All slots of an event must be present and adjacent, since no event may stay open:
 *
 *      slots   | S | CB| CC| CE| S | CB| CE| CB|      the last event continues after the stretch:
 *      begins  | 0 | 1 |   |   | 4 | 5 |   | 7 |      it is the first one of the next stretch
 *
 * Each event writes an action of the shape that its task has, which is kept if its kind is wanted.
 * Messages, requests and releases of objects, and times are decoded aside. Rare cases (a CPU's first
 * slot, CONTROL events, creations and ends, a dump, health notes, events with slots that are not
 * adjacent) go to kev_decode_event(), which has the action of a shape from here.
 */
#include "base/prefetch.h"
#include "format/kev/kev_write.h"

/* ---- a stretch ---------------------------------------------------------------------------- */

#define STRETCH 512u /* slots */

/* Returns the header and, in the upper half, the stamp of a slot. */
static KEV_HOT uint64_t head_at(const uint8_t *slot, bool big)
{
    const uint64_t head = tt_load_u64(slot, big);
    return big ? head << 32 | head >> 32 : head;
}

/*
 * Computes the time of an event of a CPU. Returns false if kev_decode_event() must do it: the CPU has
 * no slot yet (KEV_NO_TICKS), or its time goes back or more than KEV_NEAR on.
 */
static KEV_HOT bool kev_fast_time_of(const struct kev_cpu *cpu, uint32_t stamp, uint64_t *ticks)
{
    const uint64_t before = cpu->ticks;
    const uint32_t after = stamp - (uint32_t)before;
    *ticks = before + after;
    return !KEV_RARELY(after > KEV_NEAR) && !KEV_RARELY(before >> 63);
}

/*
 * Decodes the event that begins at the slot and sets *word to the properties of its code. Returns
 * false if kev_decode_event() must decode it: its code lacks a bit of `needs` (KEV_INFO_*), or
 * because of its time.
 */
static KEV_HOT bool fast_event(const struct kev_writer *writer, const uint8_t *slot, uint64_t pos,
                               bool big, uint32_t needs, uint32_t *word)
{
    const uint32_t header = tt_load_u32(slot, big);
    const uint64_t key = kev_key_at(slot, big);
    const uint32_t number = kev_cpu(header);
    const uint32_t info =
        atomic_load_explicit(&writer->codes[kev_code(header)], memory_order_acquire);
    struct kev_cpu *cpu = &writer->cursor->cpu[number];
    const struct kev_recent *recent = kev_recent_at(writer->cursor, key);
    uint64_t ticks;
    const bool in_time = kev_fast_time_of(cpu, tt_load_u32(slot + 4, big), &ticks);
    if (KEV_RARELY(!in_time) || KEV_RARELY((info & needs) != needs)) {
        return false;
    }
    const uint32_t running = cpu->running;
    uint32_t lane = recent->lane, names = kev_mask_of(info, KEV_INFO_NAMES_BIT);
    if (KEV_RARELY((recent->key ^ key) & (0u - (uint64_t)kev_info_names(info)))) {
        const struct kev_named named = kev_find_named(writer->cursor, key, info, pos, ticks);
        if (named.lane == KEV_UNDECIDED) {
            return false;
        }
        lane = named.lane;
        names = named.mask;
    }
    const uint32_t differs = lane ^ running;
    const uint32_t thread = running ^ (differs & names);
    cpu->ticks = ticks;
    cpu->running = running ^ (differs & kev_mask_of(info, KEV_INFO_RUNS_BIT));
    struct tt_event *event = writer->event;
    event->ticks = ticks;
    event->pos = pos;
    event->type = kev_info_type(info);
    event->thread = thread;
    event->length = KEV_SLOT;
    event->cpu = (uint16_t)number;
    event->kind = kev_info_kind(info);
    event->flags = (uint8_t)(((names + 1) & (thread != TT_NO_THREAD)) * TT_EVENT_INFERRED |
                             (header >> 30 & 1) * TT_EVENT_MULTIPART);
    *word = info;
    return true;
}

/* Returns the number of slots to walk as one stretch. */
static KEV_HOT uint32_t stretch_slots(uint64_t pos, const struct kev_span *span, uint32_t room)
{
    uint64_t available = span->limit > pos ? (span->limit - pos) / KEV_SLOT : 0;
    uint64_t before_stop = (span->stop - pos - 1) / KEV_SLOT + 1; /* rounded up */
    uint64_t most = room < STRETCH / 4 ? 2 * room + 8 : STRETCH;
    most = available < most ? available : most;
    return (uint32_t)(before_stop < most ? before_stop : most);
}

/* ---- where events begin ------------------------------------------------------------------- */

#define LIST_STEP  32u /* slots; STRETCH is a multiple */
#define SAME_EVENT (UINT64_C(0xffffffff) << 32 | KEV_SAME_EVENT)
#define CONTINUES  (UINT64_C(1) << 31)

/* Lists slots that begin an event. */
struct listing {
    uint64_t before; /* header and, in the upper half, stamp of the slot before */
    uint64_t parts;  /* SAME_EVENT: differences of slots that continue an event from those before */
    uint64_t
        structure;    /* CONTINUES: a slot continues no event, or one has a beginning but no end */
    uint16_t *begins; /* the next one */
};

/*
 * A slot continues the event of the one before if exactly one of that one's structure bits is set: it
 * is a beginning or a middle.
 */
static KEV_HOT void list_slot(struct listing *listing, const uint8_t *slot, uint32_t index,
                              bool big)
{
    const uint64_t head = head_at(slot, big), differs = head ^ listing->before;
    const int64_t continues = (int64_t)(head << 32) >> 63; /* -1, or 0 */
    listing->parts |= differs & (uint64_t)continues;
    listing->structure |= differs ^ listing->before << 1;
    *listing->begins = (uint16_t)index;
    listing->begins += continues + 1;
    listing->before = head;
}

static KEV_HOT bool is_adjacent(const struct listing *listing)
{
    return ((listing->parts & SAME_EVENT) | (listing->structure & CONTINUES)) == 0;
}

/* Lists a whole number of steps, up to slots that are not adjacent. Returns the number of slots. */
static KEV_HOT uint32_t list_steps(struct listing *listing, const uint8_t *bytes, uint32_t slots,
                                   bool big)
{
    uint32_t i = 0;
    while (slots - i >= LIST_STEP) {
        struct listing l = *listing;
        const uint8_t *slot = bytes + (size_t)i * KEV_SLOT;
        for (uint32_t k = 0; k < LIST_STEP; k += 4, slot += 4 * (size_t)KEV_SLOT) {
            list_slot(&l, slot, i + k, big);
            list_slot(&l, slot + KEV_SLOT, i + k + 1, big);
            list_slot(&l, slot + 2 * (size_t)KEV_SLOT, i + k + 2, big);
            list_slot(&l, slot + 3 * (size_t)KEV_SLOT, i + k + 3, big);
        }
        if (!is_adjacent(&l)) {
            break;
        }
        *listing = l;
        i += LIST_STEP;
    }
    return i;
}

/* Lists the events that are complete in `slots` slots, then the slot after the last one. */
static KEV_HOT uint32_t list(const uint8_t *bytes, uint32_t slots, bool big, uint16_t *begins)
{
    struct listing l = {.begins = begins};
    uint32_t i = list_steps(&l, bytes, slots, big);
    for (; i < slots; i++) {
        struct listing next = l;
        list_slot(&next, bytes + (size_t)i * KEV_SLOT, i, big);
        if (!is_adjacent(&next)) {
            break;
        }
        l = next;
    }
    const bool open = (l.before ^ l.before << 1) & CONTINUES;
    uint32_t count = (uint32_t)(l.begins - begins) - open;
    begins[count] = open ? begins[count] : (uint16_t)i;
    return count;
}

/* Not inlined, so that the loop has its registers. */
static KEV_APART uint32_t list_little(const uint8_t *bytes, uint32_t slots, uint16_t *begins)
{
    return list(bytes, slots, false, begins);
}
static KEV_APART uint32_t list_big(const uint8_t *bytes, uint32_t slots, uint16_t *begins)
{
    return list(bytes, slots, true, begins);
}

/* ---- one event ---------------------------------------------------------------------------- */

/*
 * Decodes the event that begins at the slot; returns false if another function must decode it. A
 * receive that failed has no action.
 */
static KEV_HOT bool decode_event(struct kev_writer *writer, const uint8_t *slot, uint64_t pos,
                                 bool states_due, bool big)
{
    uint32_t info;
    if (KEV_RARELY(tt_load_u64(slot + KEV_SLOT_HEAD, big) == UINT64_MAX) ||
        !fast_event(writer, slot, pos, big, KEV_INFO_FAST_ACTIONS, &info)) {
        return false;
    }
    if (writer->acts) {
        kev_write_action(writer, slot, kev_info_task(info), tt_load_u32(slot, big) >> 30 & 1, big);
    }
    if (KEV_RARELY(states_due)) {
        writer->cursor->s.state_seen |= (uint64_t)(kev_info_task(info) == KEV_STATE)
                                        << writer->event->cpu;
    }
    writer->event++;
    return true;
}

/* ---- many --------------------------------------------------------------------------------- */

/* Moves the cursor to the position of the walk, before another function continues. */
static KEV_HOT void commit(struct kev_writer *writer, uint64_t pos, struct tt_batch *batch)
{
    struct tt_cursor *cursor = writer->cursor;
    if (batch->actions) {
        batch->action_count = (uint32_t)(writer->action - batch->actions);
    }
    batch->count = (uint32_t)(writer->event - batch->events);
    batch->records += (pos - cursor->s.pos) / KEV_SLOT;
    cursor->s.pos = pos;
    if (batch->count > 0) {
        cursor->s.last_ticks = writer->event[-1].ticks;
    }
}

/* ---- events that are decoded aside -------------------------------------------------------- */

/* Adds the action of a call that waits for an object or releases one. */
static KEV_COLD void kev_fast_add_lock(struct kev_writer *writer, uint32_t task,
                                       const uint8_t *bytes, struct tt_batch *batch)
{
    const uint32_t header = tt_load_u32(bytes, writer->cursor->d->big);
    const struct kev_slot slot = {.bytes = bytes,
                                  .header = header,
                                  .code = kev_code(header),
                                  .cpu = kev_cpu(header),
                                  .chain = kev_structure(header) == KEV_BEGIN ? 2 : 1};
    if (!batch->actions) {
        return;
    }
    batch->count = (uint32_t)(writer->event - batch->events);
    batch->action_count = (uint32_t)(writer->action - batch->actions);
    kev_do_task(writer->cursor, task, &slot, batch, writer->event);
    writer->action = batch->actions + batch->action_count;
}

/*
 * Decodes the time of a CPU. `before`: the time of the event before. Returns false if
 * kev_decode_event() must decode it: the CPU has no slot yet, its time goes back or far on, or CPUs have their
 * own rings.
 */
static KEV_COLD bool read_time(struct tt_cursor *cursor, const uint8_t *bytes, uint64_t pos,
                               uint64_t before, struct tt_event *event)
{
    const bool big = cursor->d->big;
    const uint32_t header = tt_load_u32(bytes, big), stamp = tt_load_u32(bytes + 4, big);
    const uint32_t number = kev_cpu(header);
    const uint8_t *words = bytes + KEV_SLOT_HEAD;
    const uint64_t time =
        kev_time_of_event(stamp, tt_load_u32(words, big), tt_load_u32(words + 4, big));
    struct kev_slot slot = {.bytes = bytes, .stamp = stamp};
    if (cursor->d->release == KEV_8 || cursor->cpu[number].ticks > time ||
        time - cursor->cpu[number].ticks > KEV_NEAR) {
        return false;
    }
    const uint32_t info =
        atomic_load_explicit(&cursor->d->codes[kev_code(header)], memory_order_acquire);
    kev_on_time(cursor, &slot);
    kev_set_ticks(cursor, number, slot.ticks);
    cursor->before_buffer = before;
    *event =
        (struct tt_event){.ticks = slot.ticks,
                          .pos = pos,
                          .type = kev_info_type(info),
                          .thread = TT_NO_THREAD,
                          .length = KEV_SLOT,
                          .cpu = (uint16_t)number,
                          .kind = kev_info_kind(info),
                          .flags = kev_structure(header) == KEV_BEGIN ? TT_EVENT_MULTIPART : 0};
    return true;
}

static KEV_HOT uint64_t time_before(const struct kev_writer *writer, const struct tt_batch *batch)
{
    return writer->event > batch->events ? writer->event[-1].ticks : writer->cursor->s.last_ticks;
}

/* Decodes an event that decode_event() does not; returns false if kev_decode_event() must do it. */
static KEV_HOT bool decode_other(struct kev_writer *writer, const uint8_t *slot, uint64_t pos,
                                 bool big, struct tt_batch *batch)
{
    const uint32_t code = kev_code(tt_load_u32(slot, big));
    uint32_t info = atomic_load_explicit(&writer->codes[code], memory_order_acquire);
    const uint32_t task = kev_info_task(info);
    if (task == KEV_TIME) {
        if (!read_time(writer->cursor, slot, pos, time_before(writer, batch), writer->event)) {
            return false;
        }
        writer->event++;
        return true;
    }
    const bool is_message = KEV_LOOKUP_TASKS >> task & 1;
    const bool is_lock =
        (task == KEV_LOCK_FREE || (task == KEV_LOCK_WAIT && !kev_has_two_objects(code))) &&
        writer->cursor->d->layouts[code];
    if (!(is_message | is_lock) || !fast_event(writer, slot, pos, big, 0, &info)) {
        return false;
    }
    if (is_lock) {
        kev_fast_add_lock(writer, task, slot, batch);
    } else if (writer->acts && (~writer->unwanted & KEV_LOOKUP_KINDS)) {
        kev_write_message(writer, slot, task, big);
    }
    writer->event++;
    return true;
}

/* Returns how many events fit: each needs room for one action. */
static KEV_HOT uint32_t free_events(const struct tt_batch *batch)
{
    uint32_t events = batch->capacity - batch->count;
    uint32_t actions = batch->actions ? batch->action_capacity - batch->action_count : UINT32_MAX;
    actions = actions < TT_ACTIONS_PER_EVENT ? 0 : actions - TT_ACTIONS_PER_EVENT + 1;
    return events < actions ? events : actions;
}

/* Returns whether some CPU has had no state outside a dump. */
static KEV_HOT bool states_due(const struct tt_cursor *cursor)
{
    return (cursor->s.active & ~cursor->s.state_seen) != 0;
}

/* Decodes the events that are complete in `slots` slots and fit the batch. */
static KEV_HOT enum tt_decode_result decode_stretch(struct tt_cursor *cursor, uint32_t slots,
                                                    bool big, const struct kev_span *span,
                                                    struct tt_batch *batch)
{
    uint16_t begins[STRETCH + 1];
    const uint64_t pos = cursor->s.pos;
    const uint8_t *bytes = cursor->capture->bytes.data + pos;
    const uint32_t room = free_events(batch);
    uint32_t count = big ? list_big(bytes, slots, begins) : list_little(bytes, slots, begins);
    count = count < room ? count : room;
    if (count == 0) {
        return kev_decode_event(cursor, span, batch);
    }
    bool due = states_due(cursor);
    struct kev_writer w = kev_writer_begin(cursor, batch);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)begins[i] * KEV_SLOT;
        tt_prefetch(bytes + at + (uint64_t)STRETCH * KEV_SLOT);
        if (decode_event(&w, bytes + at, pos + at, due, big) ||
            decode_other(&w, bytes + at, pos + at, big, batch)) {
            continue;
        }
        commit(&w, pos + at, batch);
        enum tt_decode_result result = kev_decode_event(cursor, span, batch);
        if (result != TT_DECODE_MORE || cursor->s.in_dump ||
            cursor->s.pos != pos + (uint64_t)begins[i + 1] * KEV_SLOT) {
            return result;
        }
        uint32_t left = free_events(batch);
        count = count - i - 1 < left ? count : i + 1 + left;
        due = states_due(cursor);
        w = kev_writer_begin(cursor, batch);
    }
    commit(&w, pos + (uint64_t)begins[count] * KEV_SLOT, batch);
    return TT_DECODE_MORE;
}

static KEV_HOT enum tt_decode_result decode(struct tt_cursor *cursor, const struct kev_span *span,
                                            bool big, struct tt_batch *batch)
{
    enum tt_decode_result result = TT_DECODE_MORE;
    while (free_events(batch) > 0 && cursor->s.pos < span->stop && result == TT_DECODE_MORE) {
        uint32_t slots = stretch_slots(cursor->s.pos, span, batch->capacity - batch->count);
        bool fast = cursor->fast && slots > 0 && !cursor->s.in_dump && cursor->s.begun &&
                    cursor->s.late_count == 0 && !cursor->s.damaged;
        result = fast ? decode_stretch(cursor, slots, big, span, batch)
                      : kev_decode_event(cursor, span, batch);
        if (KEV_RARELY(cursor->out_of_memory)) {
            return TT_DECODE_MEMORY;
        }
    }
    return result;
}

enum tt_decode_result kev_decode_fast(struct tt_cursor *cursor, const struct kev_span *span,
                                      struct tt_batch *batch)
{
    kev_shapes_set(cursor, batch->unwanted);
    return cursor->d->big ? decode(cursor, span, true, batch) : decode(cursor, span, false, batch);
}
