/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_threads: lanes and processes, from records of EThreadIdentification and from contexts.
 *
 *  Lanes. An NThread is a lane from its creation to its destruction. It is added by its first use
 * as a context or by a record of EThreadIdentification, which also has its DProcess; until then the
 * lane is in process 0 and moves when its process becomes known. A new lane begins where an address
 * is reused:
 *
 *       ENanoThreadCreate, EThreadCreate    at an address with an earlier thread
 *       any record with the address         after a record of its thread's end
 *       a context                           after EThreadDestroy, unless the thread is on a CPU
 *       EThreadId, EThreadDestroy           with another RThread::Id() than the thread has
 *       a record with another process       than the thread's
 *
 *  An equal name in the same process does not mean the same thread. The tid of a lane is the
 * address; from the second lane of an address on, bits 32.. count them.
 */
#include <string.h>

#include "format/btrace/btrace_internal.h"

enum { GENERATION_SHIFT = 32 };

/* ---- lanes ------------------------------------------------------------------------------ */

void btrace_lanes_init(struct tt_cursor *cursor)
{
    static const struct btrace_key none;
    cursor->lanes[0] =
        (struct btrace_lane_slot){.lane = TT_NO_THREAD, .key = &none, .until = UINT64_MAX};
}

/* Makes the cursor look up the lane of an address again. Learner only, as the next one. */
static void unsettle(struct tt_cursor *cursor, uint32_t nthread)
{
    struct btrace_lane_slot *slot = btrace_lane_slot(cursor, nthread);
    if (slot->address == nthread && nthread != 0) {
        slot->settled = BTRACE_UNSETTLED;
    }
}

/* Handles the end of a process: its threads have ended. */
static void unsettle_all(struct tt_cursor *cursor)
{
    cursor->ends++;
    cursor->lanes[0].settled = cursor->ends;
}

/* Adds a lane at the address of `key`, from `pos` on or from the thread's creation. */
static uint32_t begin_lane(struct tt_cursor *cursor, uint32_t key, uint64_t pid, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct btrace_key *btrace_key = btrace_names_at(names, key);
    uint64_t tid = btrace_key->address | (uint64_t)btrace_key->generation << GENERATION_SHIFT;
    uint64_t from = btrace_key->life & BTRACE_LIFE_FRESH ? btrace_key->fresh_from : pos;
    uint32_t lane = tt_registry_thread(cursor->capture, pid, tid, pos);
    if (lane == UINT32_MAX || !btrace_names_set(names, key, from, lane)) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    unsettle(cursor, btrace_key->address);
    btrace_key->generation++;
    btrace_key->life = 0;
    btrace_key->id = UINT32_MAX;
    return lane;
}

/* Returns whether the thread is on a CPU: a thread destroyed there runs on to the switch. */
static bool is_on_cpu(const struct tt_cursor *cursor, uint32_t lane)
{
    const struct btrace_state_blob *state = &cursor->state;
    for (unsigned i = 0; i < state->cpu_count; i++) {
        if (state->cpus[i].thread == lane) {
            return true;
        }
    }
    return false;
}

/* Returns whether the thread or its process ended before `pos`. */
static bool btrace_threads_is_gone(const struct tt_cursor *cursor, uint32_t lane, uint8_t life,
                                   uint64_t pos)
{
    const struct tt_capture *capture = cursor->capture;
    return (life & BTRACE_LIFE_GONE) ||
           tt_process_at(capture, tt_thread_at(capture, lane)->process)->end_when < pos;
}

/* Returns the lane of an address that a record uses without further information. */
static uint32_t lane_in_use(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_THREAD, nthread);
    if (key == BTRACE_NO_NAME) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    uint32_t lane = btrace_names_newest(names, key);
    uint8_t life = btrace_names_at(names, key)->life;
    if (lane == BTRACE_NO_NAME || (life & BTRACE_LIFE_FRESH) ||
        (btrace_threads_is_gone(cursor, lane, life, pos) && !is_on_cpu(cursor, lane))) {
        lane = begin_lane(cursor, key, 0, pos);
    }
    return lane;
}

/* Returns whether a record with the address begins another thread. */
static bool begins_other_thread(const struct btrace_key *key, bool creates)
{
    return (key->life & (BTRACE_LIFE_FRESH | BTRACE_LIFE_ENDED)) ||
           (creates && (key->life & BTRACE_LIFE_NAMED));
}

/* Returns the lane of a record with NThread and process; `creates`: EThreadCreate. */
static uint32_t lane_of_member(struct tt_cursor *cursor, uint32_t nthread, uint32_t process,
                               uint64_t pos, bool creates)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct tt_capture *capture = cursor->capture;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_THREAD, nthread);
    if (key == BTRACE_NO_NAME || process == BTRACE_NO_NAME) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    uint64_t pid = tt_process_at(capture, process)->pid;
    uint32_t lane = btrace_names_newest(names, key);
    if (lane == BTRACE_NO_NAME || begins_other_thread(btrace_names_at(names, key), creates)) {
        return begin_lane(cursor, key, pid, pos);
    }
    uint32_t owner = tt_thread_at(capture, lane)->process;
    if (owner == process) {
        return lane;
    }
    if (tt_process_at(capture, owner)->pid != 0) {
        return begin_lane(cursor, key, pid, pos);
    }
    btrace_set_name(cursor, BTRACE_OBJECT_OWNER, lane, 0, owner);
    btrace_set_name(cursor, BTRACE_OBJECT_OWNER, lane, pos, process);
    if (!tt_registry_thread_move(capture, lane, process)) {
        cursor->learner->memory_short = true;
    }
    return lane;
}

/* Returns whether the learner's next lookups of an address will find the lane that the last one found. */
static bool btrace_threads_is_settled(const struct tt_cursor *cursor,
                                      const struct btrace_lane_slot *slot, uint64_t pos)
{
    return cursor->learner && slot->until == UINT64_MAX && btrace_lane_is_current(slot, pos) &&
           !(slot->key->life & (BTRACE_LIFE_FRESH | BTRACE_LIFE_GONE));
}

/* Returns whether the process of a slot's lane, which exists, ended before `pos`. */
static inline bool is_process_gone(const struct tt_cursor *cursor, struct btrace_lane_slot *slot,
                                   uint64_t pos)
{
    if (!slot->thread) {
        slot->thread = tt_thread_at(cursor->capture, slot->lane);
        slot->process = NULL;
    }
    if (!slot->process || slot->process_number != slot->thread->process) {
        slot->process_number = slot->thread->process;
        slot->process = tt_process_at(cursor->capture, slot->process_number);
    }
    return slot->process->end_when < pos;
}

/* Returns whether the lane of a slot that was settled before a process ended still is the address's. */
static inline bool is_lane_left(const struct tt_cursor *cursor, struct btrace_lane_slot *slot,
                                uint64_t pos)
{
    return btrace_learns(cursor, pos) && slot->lane != BTRACE_NO_NAME &&
           btrace_threads_is_settled(cursor, slot, pos) &&
           (!is_process_gone(cursor, slot, pos) || is_on_cpu(cursor, slot->lane));
}

uint32_t btrace_lane_find(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct btrace_lane_slot *slot = btrace_lane_slot(cursor, nthread);
    if (slot->address == nthread && is_lane_left(cursor, slot, pos)) {
        slot->settled = cursor->ends;
        return slot->lane;
    }
    if (btrace_learns(cursor, pos) && lane_in_use(cursor, nthread, pos) == TT_NO_THREAD) {
        return TT_NO_THREAD;
    }
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, cursor->learner != NULL);
    if (key == BTRACE_NO_NAME) {
        return TT_NO_THREAD;
    }
    slot->key = btrace_names_at(names, key);
    slot->address = nthread;
    slot->newest = atomic_load_explicit(&slot->key->newest, memory_order_acquire);
    struct btrace_found found = btrace_names_value(names, key, pos);
    slot->lane = found.value;
    slot->thread = NULL;
    slot->from = found.from;
    slot->until = found.until;
    slot->settled = btrace_threads_is_settled(cursor, slot, pos) ? cursor->ends : BTRACE_UNSETTLED;
    return found.value == BTRACE_NO_NAME ? TT_NO_THREAD : found.value;
}

bool btrace_lane_exists(const struct tt_cursor *cursor, uint32_t nthread)
{
    return btrace_names_find(&cursor->decoder->names, BTRACE_OBJECT_THREAD, nthread, true) !=
           BTRACE_NO_NAME;
}

bool btrace_lane_is_far(const struct tt_cursor *cursor, uint32_t nthread)
{
    enum { FEW = 4 };
    const uint32_t heap = UINT32_C(1) << 24;
    const uint32_t count = tt_thread_count(cursor->capture);
    /* The latest first: those of a heap follow each other. */
    for (uint32_t i = count; i-- > 0;) {
        uint32_t address = (uint32_t)tt_thread_at(cursor->capture, i)->tid;
        if (address - nthread < heap || nthread - address < heap) {
            return false;
        }
    }
    return count >= FEW;
}

/* ---- names ------------------------------------------------------------------------------ */

tt_string btrace_intern_name(struct tt_cursor *cursor, struct tt_bytes text)
{
    text = tt_bytes_slice(text, 0, BTRACE_NAME_MAX);
    return tt_capture_intern(cursor->capture, (const char *)text.data, (size_t)text.size);
}

void btrace_set_name(struct tt_cursor *cursor, enum btrace_object object, uint32_t address,
                     uint64_t pos, uint32_t value)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_key(names, object, address);
    if (key == BTRACE_NO_NAME || !btrace_names_set(names, key, pos, value)) {
        cursor->learner->memory_short = true;
    }
}

/*
 * Returns whether a name is "Null", or "Null1", "Null2", ... of further CPUs (nanokernel start-up).
 */
static bool is_idle_name(struct tt_bytes name)
{
    if (name.size < 4 || memcmp(name.data, "Null", 4) != 0) {
        return false;
    }
    for (uint64_t i = 4; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9') {
            return false;
        }
    }
    return true;
}

static void name_lane(struct tt_cursor *cursor, uint32_t nthread, uint32_t lane,
                      struct tt_bytes name, tt_string text)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    if (lane == TT_NO_THREAD || key == BTRACE_NO_NAME) {
        return;
    }
    struct btrace_key *btrace_key = btrace_names_at(names, key);
    btrace_key->name_before = tt_thread_at(cursor->capture, lane)->name;
    tt_registry_thread_name(cursor->capture, lane, text);
    tt_registry_set_idle(cursor->capture, lane, is_idle_name(name));
    btrace_key->life |= BTRACE_LIFE_NAMED | BTRACE_LIFE_RENAMED;
}

/*
 * Returns the process at an address, which is added if new; `begins`: another process from here on.
 */
static uint32_t btrace_threads_process_of(struct tt_cursor *cursor, uint32_t address, uint64_t pos,
                                          bool begins)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct tt_capture *capture = cursor->capture;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_PROCESS, address);
    if (key == BTRACE_NO_NAME) {
        return BTRACE_NO_NAME;
    }
    uint32_t process = btrace_names_newest(names, key);
    if (process != BTRACE_NO_NAME && !begins) {
        return process;
    }
    if (process != BTRACE_NO_NAME && !(btrace_names_at(names, key)->life & BTRACE_LIFE_ENDED)) {
        tt_registry_process_end(capture, address, pos - 1); /* at an unknown position before */
    }
    process = tt_registry_process_begin(capture, address, pos);
    if (process == UINT32_MAX || !btrace_names_set(names, key, pos, process)) {
        cursor->learner->memory_short = true;
        return BTRACE_NO_NAME;
    }
    btrace_names_at(names, key)->life = 0;
    return process;
}

static uint8_t process_life(struct tt_cursor *cursor, uint32_t address)
{
    const struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_find(&cursor->decoder->names, BTRACE_OBJECT_PROCESS, address, true);
    return key == BTRACE_NO_NAME ? 0 : btrace_names_at(names, key)->life;
}

static void mark_process(struct tt_cursor *cursor, uint32_t address, uint8_t life)
{
    const struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_find(&cursor->decoder->names, BTRACE_OBJECT_PROCESS, address, true);
    if (key != BTRACE_NO_NAME) {
        btrace_names_at(names, key)->life |= life;
    }
}

/*
 * Handles EProcessCreate. For a known process that has not ended, either the filter was switched on
 * again and all processes are reported, or its end was lost and this is another one: its name
 * decides.
 */
static void learn_process_create(struct tt_cursor *cursor, uint32_t address, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint8_t life = process_life(cursor, address);
    if (btrace_threads_process_of(cursor, address, pos, (life & BTRACE_LIFE_ENDED) != 0) ==
            BTRACE_NO_NAME ||
        (life & (BTRACE_LIFE_ENDED | BTRACE_LIFE_NAMED)) != BTRACE_LIFE_NAMED) {
        return;
    }
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_PROCESS, address, true);
    btrace_names_at(names, key)->life |= BTRACE_LIFE_FRESH;
    /* After the record itself, which has been read with the old value. */
    btrace_names_at(names, key)->fresh_from = pos + 1;
}

/*
 * Handles EProcessName. With a thread, or after EProcessCreate, a name that differs from the
 * process's means another process at its address; otherwise the process is renamed.
 */
static uint32_t named_process(struct tt_cursor *cursor, uint32_t nthread, uint32_t address,
                              tt_string name, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint8_t life = process_life(cursor, address);
    uint32_t process =
        btrace_threads_process_of(cursor, address, pos, (life & BTRACE_LIFE_ENDED) != 0);
    if (process == BTRACE_NO_NAME || (life & BTRACE_LIFE_ENDED)) {
        return process;
    }
    struct btrace_key *key =
        btrace_names_at(names, btrace_names_find(names, BTRACE_OBJECT_PROCESS, address, true));
    bool fresh = (life & BTRACE_LIFE_FRESH) != 0;
    if ((nthread != 0 || fresh) && (life & BTRACE_LIFE_NAMED) &&
        tt_process_at(cursor->capture, process)->name != name) {
        return btrace_threads_process_of(cursor, address, fresh ? key->fresh_from : pos, true);
    }
    key->life &= (uint8_t)~BTRACE_LIFE_FRESH;
    return process;
}

static void learn_process_name(struct tt_cursor *cursor, uint32_t nthread, uint32_t address,
                               struct tt_bytes name, uint64_t pos)
{
    struct tt_capture *capture = cursor->capture;
    tt_string text = btrace_intern_name(cursor, name);
    uint32_t process = named_process(cursor, nthread, address, text, pos);
    if (process == BTRACE_NO_NAME) {
        return;
    }
    tt_registry_process_name(capture, process, text);
    mark_process(cursor, address, BTRACE_LIFE_NAMED);
    if (nthread != 0) {
        lane_of_member(cursor, nthread, process, pos, false);
    }
}

static void learn_nano_create(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_THREAD, nthread);
    if (key == BTRACE_NO_NAME) {
        cursor->learner->memory_short = true;
        return;
    }
    btrace_names_at(names, key)->life = BTRACE_LIFE_FRESH;
    btrace_names_at(names, key)->fresh_from = pos;
    unsettle(cursor, nthread);
}

/* Returns whether the id belongs to another thread than the current one of the address. */
static bool is_foreign(const struct btrace_key *key, uint32_t id)
{
    return key->id != UINT32_MAX && key->id != id;
}

/*
 * Begins another thread for an id which the current one lacks: the end of that thread and
 * the beginning of another at its address were lost, and a name read since belongs to the new one.
 */
static uint32_t begin_other_thread(struct tt_cursor *cursor, uint32_t key, uint32_t lane,
                                   uint32_t process, uint64_t pos)
{
    struct tt_capture *capture = cursor->capture;
    struct btrace_key *btrace_key = btrace_names_at(&cursor->decoder->names, key);
    bool named = (btrace_key->life & BTRACE_LIFE_RENAMED) != 0;
    tt_string name = tt_thread_at(capture, lane)->name;
    bool idle = tt_thread_at(capture, lane)->idle;
    uint32_t another = begin_lane(cursor, key, tt_process_at(capture, process)->pid, pos);
    if (named && another != TT_NO_THREAD) {
        tt_registry_thread_name(capture, lane, btrace_key->name_before);
        tt_registry_thread_name(capture, another, name);
        tt_registry_set_idle(capture, another, idle);
        btrace_key->life |= BTRACE_LIFE_NAMED;
    }
    return another;
}

/* Returns whether the address had a thread with this id before the current one. */
static bool is_earlier_id(struct tt_cursor *cursor, uint32_t nthread, uint32_t id, uint64_t pos)
{
    uint32_t lane =
        btrace_names_lookup(&cursor->decoder->names, BTRACE_OBJECT_RTHREAD, id, pos, true);
    return lane != BTRACE_NO_NAME && (uint32_t)tt_thread_at(cursor->capture, lane)->tid == nthread;
}

/*
 * Handles ENanoThreadDestroy. The thread writes it itself, and runs on to the switch. A record that
 * comes while a thread is created at the address is late and belongs to the thread before.
 */
static void learn_nano_destroy(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    btrace_lane_of(cursor, nthread, pos);
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    if (key != BTRACE_NO_NAME && !(btrace_names_at(names, key)->life & BTRACE_LIFE_FRESH)) {
        btrace_names_at(names, key)->life |= BTRACE_LIFE_ENDED;
    }
}

/*
 * Handles EThreadDestroy; the record may end before its process (BTRACE_NO_NAME) and its id (NULL).
 */
static void learn_thread_destroy(struct tt_cursor *cursor, uint32_t nthread, uint32_t process,
                                 const uint32_t *id, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    if (key == BTRACE_NO_NAME || btrace_names_newest(names, key) == BTRACE_NO_NAME) {
        if (process == BTRACE_NO_NAME) {
            btrace_lane_of(cursor, nthread, pos);
        } else {
            lane_of_member(cursor, nthread, process, pos, false);
        }
        key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    }
    if (key == BTRACE_NO_NAME || (btrace_names_at(names, key)->life & BTRACE_LIFE_FRESH)) {
        return; /* late: belongs to the thread before */
    }
    struct btrace_key *btrace_key = btrace_names_at(names, key);
    if (id && is_foreign(btrace_key, *id)) {
        if (process == BTRACE_NO_NAME || is_earlier_id(cursor, nthread, *id, pos)) {
            return;
        }
        begin_lane(cursor, key, tt_process_at(cursor->capture, process)->pid, pos);
        btrace_key->id = *id;
    }
    btrace_key->life |= BTRACE_LIFE_ENDED | BTRACE_LIFE_GONE;
    unsettle(cursor, nthread);
}

static void learn_thread_id(struct tt_cursor *cursor, uint32_t nthread, uint32_t process,
                            uint32_t id, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t lane = lane_of_member(cursor, nthread, process, pos, false);
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    if (lane == TT_NO_THREAD || key == BTRACE_NO_NAME) {
        return;
    }
    struct btrace_key *btrace_key = btrace_names_at(names, key);
    if (is_foreign(btrace_key, id)) {
        lane = begin_other_thread(cursor, key, lane, process, pos);
    }
    if (lane != TT_NO_THREAD) {
        btrace_key->id = id;
        btrace_key->life &= (uint8_t)~BTRACE_LIFE_RENAMED;
        btrace_set_name(cursor, BTRACE_OBJECT_RTHREAD, id, pos, lane);
    }
}

/* Handles EThreadIdentification. The words are NThread, DProcess, then an id or the first bytes of
 * a name. */
void btrace_learn_identity(struct tt_cursor *cursor, uint8_t sub, struct tt_bytes payload,
                           uint64_t pos)
{
    enum { NAME_AT = 8 };
    uint32_t first = btrace_word(payload, 0), second = btrace_word(payload, 1);
    uint32_t third = btrace_word(payload, 2), lane;
    struct tt_bytes name = tt_bytes_slice(payload, NAME_AT, payload.size);
    bool has_process = payload.size >= NAME_AT;
    switch (sub) {
    case BTRACE_NANO_THREAD_CREATE:
        learn_nano_create(cursor, first, pos);
        break;
    case BTRACE_NANO_THREAD_DESTROY:
        learn_nano_destroy(cursor, first, pos);
        break;
    case BTRACE_THREAD_CREATE:
    case BTRACE_THREAD_NAME:
        if (has_process && first != 0) {
            tt_string text = btrace_intern_name(cursor, name);
            lane =
                lane_of_member(cursor, first, btrace_threads_process_of(cursor, second, pos, false),
                               pos, sub == BTRACE_THREAD_CREATE);
            name_lane(cursor, first, lane, name, text);
        } else {
            btrace_lane_of(cursor, first, pos);
        }
        break;
    case BTRACE_THREAD_DESTROY:
        if (first != 0) {
            uint32_t process = has_process ? btrace_threads_process_of(cursor, second, pos, false)
                                           : BTRACE_NO_NAME;
            learn_thread_destroy(cursor, first, process,
                                 tt_bytes_has(payload, NAME_AT, 4) ? &third : NULL, pos);
        }
        break;
    case BTRACE_PROCESS_NAME:
        if (has_process) {
            learn_process_name(cursor, first, second, name, pos);
        }
        break;
    case BTRACE_THREAD_ID:
        if (has_process && first != 0) {
            learn_thread_id(cursor, first, btrace_threads_process_of(cursor, second, pos, false),
                            third, pos);
        }
        break;
    case BTRACE_PROCESS_CREATE:
        learn_process_create(cursor, first, pos);
        break;
    case BTRACE_PROCESS_DESTROY:
        btrace_threads_process_of(cursor, first, pos, false);
        tt_registry_process_end(cursor->capture, first, pos);
        mark_process(cursor, first, BTRACE_LIFE_ENDED);
        unsettle_all(cursor);
        break;
    default:
        break;
    }
}
