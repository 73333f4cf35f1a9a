/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes and processes, from records of EThreadIdentification and from contexts.
 *
 * Lanes. An NThread is a lane. It gets known by its first use as a context, or by a record of
 * EThreadIdentification, which also gives its DProcess; a lane met before that stands under
 * process 0 and moves when its process gets known. A new lane begins where an address stands for
 * another thread: after ENanoThreadCreate, at the first name after a destroy record, at an
 * EThreadCreate for a thread that has a name already, or under another process; but a thread that
 * is created again in its process, at its address and with its name goes on in its lane. The tid
 * of a lane is the address; from the second lane of an address on, bits 32.. count them.
 */
#include <string.h>

#include "format/btrace/btrace_internal.h"

/* struct btrace_key.life, of threads and processes */
enum life {
    LIFE_FRESH = 1, /* a create record was there; what is new, the next name decides */
    LIFE_ENDED = 2,
    LIFE_NAMED = 4,
};

enum { GENERATION_SHIFT = 32 };

/* ---- lanes -------------------------------------------------------------------------------- */

static uint32_t newest_value(const struct btrace_names *names, uint32_t key)
{
    return btrace_names_value(names, key, UINT64_MAX).value;
}

/* A new lane for the address of `key`, from `pos` on or from where its thread was created. */
static uint32_t begin_lane(struct tt_cursor *cursor, uint32_t key, uint64_t pid, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct btrace_key *k = btrace_names_at(names, key);
    uint64_t tid = k->address | (uint64_t)k->generation << GENERATION_SHIFT;
    uint64_t from = k->life & LIFE_FRESH ? k->fresh_from : pos;
    uint32_t lane = tt_registry_thread(cursor->capture, pid, tid, pos);
    if (lane == UINT32_MAX || !btrace_names_set(names, key, from, lane)) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    k->generation++;
    k->life = 0;
    k->id = UINT32_MAX;
    return lane;
}

/* The lane that an address means when it is used and nothing more is said of it. */
static uint32_t lane_in_use(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_THREAD, nthread);
    if (key == BTRACE_NO_NAME) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    uint32_t lane = newest_value(names, key);
    if (lane == BTRACE_NO_NAME || (btrace_names_at(names, key)->life & LIFE_FRESH)) {
        lane = begin_lane(cursor, key, 0, pos);
    }
    return lane;
}

/* Does the address stand for another thread than before, now that a record tells of it? */
static bool is_another(const struct btrace_key *k, bool creates)
{
    return (k->life & (LIFE_FRESH | LIFE_ENDED)) || (creates && (k->life & LIFE_NAMED));
}

/*
 * The lane of a record that tells an NThread and its process, with the thread's name or 0;
 * `creates`: EThreadCreate.
 */
static uint32_t lane_of_member(struct tt_cursor *cursor, uint32_t nthread, uint32_t process,
                               uint64_t pos, tt_string name, bool creates)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct tt_capture *c = cursor->capture;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_THREAD, nthread);
    if (key == BTRACE_NO_NAME || process == BTRACE_NO_NAME) {
        cursor->learner->memory_short = true;
        return TT_NO_THREAD;
    }
    uint64_t pid = tt_process_at(c, process)->pid;
    struct btrace_key *k = btrace_names_at(names, key);
    uint32_t lane = newest_value(names, key);
    if (lane == BTRACE_NO_NAME) {
        return begin_lane(cursor, key, pid, pos);
    }
    uint32_t owner = tt_thread_at(c, lane)->process;
    if (is_another(k, creates)) {
        if (owner != process || name == 0 || tt_thread_at(c, lane)->name != name) {
            return begin_lane(cursor, key, pid, pos);
        }
        k->life &= (uint8_t) ~(LIFE_FRESH | LIFE_ENDED);
    }
    if (owner == process) {
        return lane;
    }
    if (tt_process_at(c, owner)->pid != 0) {
        return begin_lane(cursor, key, pid, pos);
    }
    btrace_set_name(cursor, BTRACE_OBJECT_OWNER, lane, 0, owner);
    btrace_set_name(cursor, BTRACE_OBJECT_OWNER, lane, pos, process);
    if (!tt_registry_thread_move(c, lane, process)) {
        cursor->learner->memory_short = true;
    }
    return lane;
}

static struct btrace_lane_slot *lane_slot(struct tt_cursor *cursor, uint32_t nthread)
{
    return &cursor->lanes[(nthread >> 2 ^ nthread >> 8 ^ nthread >> 14) % BTRACE_LANE_SLOTS];
}

uint32_t btrace_lane_of(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    if (nthread == 0) {
        return TT_NO_THREAD;
    }
    bool learns = btrace_learns(cursor, pos);
    struct btrace_lane_slot *slot = lane_slot(cursor, nthread);
    if (slot->key && slot->address == nthread && pos >= slot->from && pos < slot->until &&
        slot->newest == atomic_load_explicit(&slot->key->newest, memory_order_acquire) &&
        !(learns && (slot->key->life & LIFE_FRESH))) {
        return slot->lane;
    }
    struct btrace_names *names = &cursor->decoder->names;
    if (learns && lane_in_use(cursor, nthread, pos) == TT_NO_THREAD) {
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
    slot->from = found.from;
    slot->until = found.until;
    return found.value == BTRACE_NO_NAME ? TT_NO_THREAD : found.value;
}

/* ---- names -------------------------------------------------------------------------------- */

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

/* "Null" and "Null1", "Null2", ... of further CPUs (rules of the nanokernel's start-up). */
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
    tt_registry_thread_name(cursor->capture, lane, text);
    tt_registry_thread_idle(cursor->capture, lane, is_idle_name(name));
    btrace_names_at(names, key)->life |= LIFE_NAMED;
}

/* The process at an address, added if there is none; `begins`: it is another one from here on. */
static uint32_t process_of(struct tt_cursor *cursor, uint32_t address, uint64_t pos, bool begins)
{
    struct btrace_names *names = &cursor->decoder->names;
    struct tt_capture *c = cursor->capture;
    uint32_t key = btrace_names_key(names, BTRACE_OBJECT_PROCESS, address);
    if (key == BTRACE_NO_NAME) {
        return BTRACE_NO_NAME;
    }
    uint32_t process = newest_value(names, key);
    if (process != BTRACE_NO_NAME && !begins) {
        return process;
    }
    if (process != BTRACE_NO_NAME && !(btrace_names_at(names, key)->life & LIFE_ENDED)) {
        tt_registry_process_end(c, address, pos - 1); /* somewhere before, unseen */
    }
    process = tt_registry_process_begin(c, address, pos);
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
 * EProcessCreate. Of a process that is known and has not ended, either the filter was switched on
 * again and tells all that exists, or its end was lost and this is another: its name will tell.
 */
static void learn_process_create(struct tt_cursor *cursor, uint32_t address, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint8_t life = process_life(cursor, address);
    if (process_of(cursor, address, pos, (life & LIFE_ENDED) != 0) == BTRACE_NO_NAME ||
        (life & (LIFE_ENDED | LIFE_NAMED)) != LIFE_NAMED) {
        return;
    }
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_PROCESS, address, true);
    btrace_names_at(names, key)->life |= LIFE_FRESH;
    /* Behind the record itself, whose meaning was settled when it was read. */
    btrace_names_at(names, key)->fresh_from = pos + 1;
}

/*
 * EProcessName. With a thread, or behind EProcessCreate, a name that the process does not have
 * means another process at its address; else it is a change of name.
 */
static uint32_t named_process(struct tt_cursor *cursor, uint32_t nthread, uint32_t address,
                              tt_string name, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint8_t life = process_life(cursor, address);
    uint32_t process = process_of(cursor, address, pos, (life & LIFE_ENDED) != 0);
    if (process == BTRACE_NO_NAME || (life & LIFE_ENDED)) {
        return process;
    }
    struct btrace_key *k =
        btrace_names_at(names, btrace_names_find(names, BTRACE_OBJECT_PROCESS, address, true));
    bool fresh = (life & LIFE_FRESH) != 0;
    if ((nthread != 0 || fresh) && (life & LIFE_NAMED) &&
        tt_process_at(cursor->capture, process)->name != name) {
        return process_of(cursor, address, fresh ? k->fresh_from : pos, true);
    }
    k->life &= (uint8_t)~LIFE_FRESH;
    return process;
}

static void learn_process_name(struct tt_cursor *cursor, uint32_t nthread, uint32_t address,
                               struct tt_bytes name, uint64_t pos)
{
    struct tt_capture *c = cursor->capture;
    tt_string text = btrace_intern_name(cursor, name);
    uint32_t process = named_process(cursor, nthread, address, text, pos);
    if (process == BTRACE_NO_NAME) {
        return;
    }
    tt_registry_process_name(c, process, text);
    mark_process(cursor, address, LIFE_NAMED);
    uint32_t key = btrace_names_find(&cursor->decoder->names, BTRACE_OBJECT_THREAD, nthread, true);
    /* Whether a thread created at a known address is a new lane, its own name decides. */
    if (nthread != 0 && (key == BTRACE_NO_NAME ||
                         !is_another(btrace_names_at(&cursor->decoder->names, key), false) ||
                         newest_value(&cursor->decoder->names, key) == BTRACE_NO_NAME)) {
        lane_of_member(cursor, nthread, process, pos, 0, false);
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
    btrace_names_at(names, key)->life = LIFE_FRESH;
    btrace_names_at(names, key)->fresh_from = pos;
}

/* The records of one thread's end come in either order, and its address may be used again
   between them: an id that is another's says so. */
static void learn_thread_end(struct tt_cursor *cursor, uint32_t nthread, const uint32_t *id)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
    if (key == BTRACE_NO_NAME) {
        return;
    }
    struct btrace_key *k = btrace_names_at(names, key);
    if (!(k->life & LIFE_FRESH) && (!id || k->id == UINT32_MAX || k->id == *id)) {
        k->life |= LIFE_ENDED;
    }
}

static void learn_thread_id(struct tt_cursor *cursor, uint32_t nthread, uint32_t process,
                            uint32_t id, uint64_t pos)
{
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t lane = lane_of_member(cursor, nthread, process, pos, 0, false);
    if (lane != TT_NO_THREAD) {
        uint32_t key = btrace_names_find(names, BTRACE_OBJECT_THREAD, nthread, true);
        btrace_names_at(names, key)->id = id;
        btrace_set_name(cursor, BTRACE_OBJECT_RTHREAD, id, pos, lane);
    }
}

/* EThreadIdentification. The words: NThread, DProcess, then an id or the first bytes of a name. */
void btrace_learn_identity(struct tt_cursor *cursor, uint8_t sub, struct tt_bytes payload,
                           uint64_t pos)
{
    enum { NAME_AT = 8 };
    struct btrace_names *names = &cursor->decoder->names;
    uint32_t first = btrace_word(payload, 0), second = btrace_word(payload, 1);
    uint32_t third = btrace_word(payload, 2), lane;
    struct tt_bytes name = tt_bytes_slice(payload, NAME_AT, payload.size);
    bool has_process = payload.size >= NAME_AT;
    switch (sub) {
    case BTRACE_NANO_THREAD_CREATE:
        learn_nano_create(cursor, first, pos);
        break;
    case BTRACE_NANO_THREAD_DESTROY:
        btrace_lane_of(cursor, first, pos);
        learn_thread_end(cursor, first, NULL);
        break;
    case BTRACE_THREAD_CREATE:
    case BTRACE_THREAD_NAME:
        if (has_process && first != 0) {
            tt_string text = btrace_intern_name(cursor, name);
            lane = lane_of_member(cursor, first, process_of(cursor, second, pos, false), pos, text,
                                  sub == BTRACE_THREAD_CREATE);
            name_lane(cursor, first, lane, name, text);
        }
        break;
    case BTRACE_THREAD_DESTROY:
        if (has_process && first != 0 &&
            btrace_names_find(names, BTRACE_OBJECT_THREAD, first, true) == BTRACE_NO_NAME) {
            lane_of_member(cursor, first, process_of(cursor, second, pos, false), pos, 0, false);
        }
        learn_thread_end(cursor, first, payload.size > NAME_AT ? &third : NULL);
        break;
    case BTRACE_PROCESS_NAME:
        if (has_process) {
            learn_process_name(cursor, first, second, name, pos);
        }
        break;
    case BTRACE_THREAD_ID:
        if (has_process && first != 0) {
            learn_thread_id(cursor, first, process_of(cursor, second, pos, false), third, pos);
        }
        break;
    case BTRACE_PROCESS_CREATE:
        learn_process_create(cursor, first, pos);
        break;
    case BTRACE_PROCESS_DESTROY:
        process_of(cursor, first, pos, false);
        tt_registry_process_end(cursor->capture, first, pos);
        mark_process(cursor, first, LIFE_ENDED);
        break;
    default:
        break;
    }
}
