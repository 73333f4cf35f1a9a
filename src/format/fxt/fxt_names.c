/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_names: resolves references to strings, threads and event types. A cursor first looks in its
 * small direct-mapped caches, then in the tables that all cursors share; the learning cursor adds
 * what is missing.
 *
 *  Bytes of the file are hashed and compared in place and copied before anything is added, so that
 * a mapping fault leaves the tables consistent.
 */
#include "format/fxt/fxt_names.h"
#include "base/hash.h"

/* Texts with equal hash that are stored; further ones are dropped. */
#define SAME_HASH 8u

static bool learn_put(struct tt_cursor *cursor, struct tt_fxt_table *table, uint64_t a, uint64_t b,
                      uint64_t pos, uint64_t value)
{
    bool done = tt_fxt_table_put(table, a, b, pos, value);
    cursor->no_memory = cursor->no_memory || !done;
    return done;
}

/* ---- texts ------------------------------------------------------------------------------ */

static bool text_is(const struct tt_fxt *fxt, tt_string string, const char *bytes, uint32_t length)
{
    size_t known;
    const char *text = tt_capture_text(fxt->capture, string, &known);
    return known == length && memcmp(text, bytes, length) == 0;
}

/* Returns the number of a text; *nth is the first free place among those with its hash. */
static tt_string fxt_names_find_text(const struct tt_fxt *fxt, uint64_t hash, const char *bytes,
                                     uint32_t length, uint32_t *nth)
{
    for (*nth = 0; *nth < SAME_HASH; ++*nth) {
        uint64_t string;
        if (!tt_fxt_table_get(&fxt->texts, hash, *nth, 0, &string)) {
            return 0;
        }
        if (text_is(fxt, (tt_string)string, bytes, length)) {
            return (tt_string)string;
        }
    }
    return 0;
}

static tt_string learn_text(struct tt_cursor *cursor, const char *bytes, uint32_t length)
{
    memcpy(cursor->text, bytes, length);
    uint64_t hash = tt_hash_of(cursor->text, length);
    uint32_t nth;
    tt_string string = fxt_names_find_text(cursor->fxt, hash, cursor->text, length, &nth);
    if (string != 0) {
        return string;
    }
    string = tt_capture_intern(cursor->fxt->capture, cursor->text, length);
    cursor->no_memory = cursor->no_memory || string == 0;
    if (string != 0 && nth < SAME_HASH) {
        learn_put(cursor, &cursor->fxt->texts, hash, nth, 0, string);
    }
    return string;
}

tt_string tt_fxt_text(struct tt_cursor *cursor, const char *bytes, uint32_t length)
{
    if (length == 0) {
        return 0;
    }
    uint32_t nth;
    length = length < TT_FXT_MAX_TEXT ? length : TT_FXT_MAX_TEXT;
    tt_string string =
        fxt_names_find_text(cursor->fxt, tt_hash_of(bytes, length), bytes, length, &nth);
    return string != 0 || !cursor->learning ? string : learn_text(cursor, bytes, length);
}

tt_string tt_fxt_find_inline_text(struct tt_cursor *cursor, const char *bytes, uint32_t length,
                                  uint32_t place)
{
    tt_string string = tt_fxt_text(cursor, bytes, length);
    if (string != 0) {
        size_t known;
        struct tt_fxt_text_entry *entry = &cursor->texts[place];
        entry->text = tt_capture_text(cursor->fxt->capture, string, &known);
        entry->length = (uint32_t)known;
        entry->string = string;
    }
    return string;
}

/* Writes "<string 77>" or "<thread 77>"; returns its length. */
static uint32_t unknown_text(char text[TT_FXT_UNKNOWN_TEXT], const char *front, uint32_t index)
{
    uint32_t used = (uint32_t)strlen(front);
    memcpy(text, front, used);
    uint32_t digits = 1;
    for (uint32_t n = index; n >= 10; n /= 10) {
        digits++;
    }
    for (uint32_t i = digits; i-- > 0; index /= 10) {
        text[used + i] = (char)('0' + index % 10);
    }
    used += digits;
    text[used++] = '>';
    return used;
}

uint32_t tt_fxt_unknown_text(char text[TT_FXT_UNKNOWN_TEXT], uint32_t index)
{
    return unknown_text(text, "<string ", index);
}

/* ---- string refs ------------------------------------------------------------------------ */

bool tt_fxt_string_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      tt_string *string)
{
    uint64_t value;
    if (tt_fxt_table_get(&fxt->strings, provider, index, pos, &value) ||
        (provider != 0 && tt_fxt_table_get(&fxt->strings, 0, index, pos, &value))) {
        *string = (tt_string)value;
        return true;
    }
    return false;
}

tt_string tt_fxt_find_string_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 uint32_t ref, uint32_t at)
{
    if (ref == 0) {
        tt_fxt_remember_string(cursor, 0, 0);
        return 0;
    }
    if (tt_fxt_ref_is_inline(ref)) {
        return tt_fxt_inline_text(cursor, tt_fxt_bytes_at(record, at), tt_fxt_ref_length(ref));
    }
    tt_string string;
    uint64_t own;
    if (!tt_fxt_string_at(cursor->fxt, cursor->provider, ref, record->pos, &string)) {
        return TT_FXT_UNKNOWN;
    }
    cursor->used_implicit |=
        !tt_fxt_table_get(&cursor->fxt->strings, cursor->provider, ref, record->pos, &own);
    tt_fxt_remember_string(cursor, ref, string);
    return string;
}

void tt_fxt_remember_string(struct tt_cursor *cursor, uint32_t index, tt_string string)
{
    struct tt_fxt_string_entry entry = {
        .key = tt_fxt_string_key(cursor->provider, index),
        .string = string,
        .category = TT_FXT_UNKNOWN,
        .role = (uint8_t)tt_fxt_weight_of(&cursor->fxt->words, string),
    };
    cursor->strings[tt_fxt_string_place(cursor->provider, index)] = entry;
}

void tt_fxt_forget_string(struct tt_cursor *cursor, uint32_t index)
{
    cursor->strings[tt_fxt_string_place(cursor->provider, index)].key = TT_FXT_NO_KEY;
}

/* ---- threads ---------------------------------------------------------------------------- */

/*
 * Finds a thread in the registry: under its process, or under process 0 if its koid was seen first
 * without a process. Such a thread is an orphan until its process is known. Threads seen first with
 * their process are in the table `tids`.
 */
static uint32_t known_lane(const struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    const struct tt_capture *capture = cursor->fxt->capture;
    return cursor->learning ? tt_registry_known_thread(capture, pid, tid, 0)
                            : tt_registry_find_thread(capture, pid, tid, 0);
}

static bool is_orphan(const struct tt_capture *capture, uint32_t lane)
{
    return lane != TT_NO_THREAD &&
           tt_process_at(capture, tt_thread_at(capture, lane)->process)->pid == 0;
}

static uint32_t learn_lane_of_tid(struct tt_cursor *cursor, uint64_t tid)
{
    uint32_t lane = tt_registry_thread(cursor->fxt->capture, 0, tid, 0);
    cursor->no_memory = cursor->no_memory || lane == TT_NO_THREAD;
    return lane;
}

/* Adds the lane of a thread with its process; an orphan is moved to the process. */
static uint32_t learn_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    struct tt_fxt *fxt = cursor->fxt;
    struct tt_capture *capture = fxt->capture;
    uint64_t known;
    bool seen = tt_fxt_table_get(&fxt->tids, tid, 0, UINT64_MAX, &known);
    uint32_t met = seen ? TT_NO_THREAD : known_lane(cursor, 0, tid), lane = TT_NO_THREAD;
    if (!seen && met == TT_NO_THREAD && capture->label) {
        met = learn_lane_of_tid(cursor, tid); /* other captures of the system find it by its koid */
    }
    if (is_orphan(capture, met)) {
        uint32_t process = tt_registry_process(capture, pid, 0);
        if (process != UINT32_MAX && tt_registry_thread_move(capture, met, process)) {
            lane = met;
        }
    } else {
        lane = tt_registry_thread(capture, pid, tid, 0);
    }
    if (lane == TT_NO_THREAD) {
        cursor->no_memory = true;
    } else if (!seen && met == TT_NO_THREAD) {
        learn_put(cursor, &fxt->tids, tid, 0, cursor->pos, lane);
    }
    return lane;
}

uint32_t tt_fxt_find_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    uint32_t lane = known_lane(cursor, pid, tid);
    if (lane == TT_NO_THREAD && cursor->learning) {
        lane = learn_lane(cursor, pid, tid);
    }
    struct tt_fxt_lane_entry entry = {pid, tid, lane};
    cursor->lanes[tt_fxt_lane_place(pid, tid)] = entry;
    return entry.lane;
}

/* Finds the lane of a koid. */
static uint32_t lane_with_tid(const struct tt_cursor *cursor, uint64_t tid)
{
    uint64_t known;
    return tt_fxt_table_get(&cursor->fxt->tids, tid, 0, UINT64_MAX, &known)
               ? (uint32_t)known
               : known_lane(cursor, 0, tid);
}

static void remember_tid(struct tt_cursor *cursor, uint64_t tid, uint32_t lane)
{
    if (lane != TT_NO_THREAD && tid != 0 && tid != TT_FXT_NO_KEY) {
        bool idle = tt_thread_at(cursor->fxt->capture, lane)->idle;
        struct tt_fxt_tid_entry entry = {tid, lane, idle};
        cursor->tids[tt_fxt_tid_place(tid)] = entry;
    }
}

uint32_t tt_fxt_find_lane_of_tid(struct tt_cursor *cursor, uint64_t tid)
{
    uint32_t lane = lane_with_tid(cursor, tid);
    if (lane == TT_NO_THREAD && cursor->learning) {
        lane = learn_lane_of_tid(cursor, tid);
    }
    remember_tid(cursor, tid, lane);
    return lane;
}

bool tt_fxt_knows_tid(struct tt_cursor *cursor, uint64_t tid)
{
    if (cursor->tids[tt_fxt_tid_place(tid)].tid == tid) {
        return true;
    }
    uint32_t lane = lane_with_tid(cursor, tid);
    remember_tid(cursor, tid, lane);
    return lane != TT_NO_THREAD;
}

bool tt_fxt_knows_thread(const struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
    return (entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD) ||
           known_lane(cursor, pid, tid) != TT_NO_THREAD;
}

bool tt_fxt_thread_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      uint32_t *lane)
{
    uint64_t value;
    if (tt_fxt_table_get(&fxt->threads, provider, index, pos, &value) ||
        (provider != 0 && tt_fxt_table_get(&fxt->threads, 0, index, pos, &value))) {
        *lane = (uint32_t)value;
        return true;
    }
    return false;
}

/* Returns the lane of a reference to a thread that is not registered; a learning cursor adds it. */
static uint32_t lane_of_reference(struct tt_cursor *cursor, uint32_t ref)
{
    uint64_t tid = TT_FXT_REFERENCE | (uint64_t)cursor->provider << 8 | (ref & 0xff);
    if (tt_fxt_may_lack(cursor->fxt) && !tt_fxt_knows_thread(cursor, 0, tid)) {
        return TT_NO_THREAD;
    }
    uint32_t lane = tt_fxt_lane(cursor, 0, tid);
    if (lane != TT_NO_THREAD && cursor->learning &&
        tt_thread_at(cursor->fxt->capture, lane)->name == 0) {
        char text[TT_FXT_UNKNOWN_TEXT];
        uint32_t length = unknown_text(text, "<thread ", ref);
        tt_registry_thread_name(cursor->fxt->capture, lane, tt_fxt_text(cursor, text, length));
    }
    return lane;
}

uint32_t tt_fxt_find_thread_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                uint32_t ref, uint32_t at)
{
    if (ref == 0) {
        return tt_fxt_lane(cursor, tt_fxt_word(record, at), tt_fxt_word(record, at + 1));
    }
    uint32_t lane;
    if (!tt_fxt_thread_at(cursor->fxt, cursor->provider, ref, record->pos, &lane)) {
        tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, ref,
                      "thread that is not registered");
        return lane_of_reference(cursor, ref);
    }
    uint64_t own;
    cursor->used_implicit |=
        !tt_fxt_table_get(&cursor->fxt->threads, cursor->provider, ref, record->pos, &own);
    tt_fxt_remember_thread(cursor, ref, lane);
    return lane;
}

void tt_fxt_remember_thread(struct tt_cursor *cursor, uint32_t index, uint32_t lane)
{
    struct tt_fxt_thread_entry entry = {cursor->provider, lane};
    cursor->threads[tt_fxt_thread_place(cursor->provider, index)] = entry;
}

void tt_fxt_forget_thread(struct tt_cursor *cursor, uint32_t index)
{
    cursor->threads[tt_fxt_thread_place(cursor->provider, index)].provider = TT_FXT_NO_PROVIDER;
}

/* ---- providers -------------------------------------------------------------------------- */

uint64_t tt_fxt_rate_at(const struct tt_fxt *fxt, uint32_t provider, uint64_t pos)
{
    uint64_t rate;
    if (tt_fxt_table_get(&fxt->rates, provider, 0, pos, &rate) ||
        (provider != 0 && tt_fxt_table_get(&fxt->rates, 0, 0, pos, &rate))) {
        return rate;
    }
    return fxt->default_hz;
}

uint32_t tt_fxt_provider_at(const struct tt_fxt *fxt, uint64_t pos)
{
    uint64_t provider;
    return tt_fxt_table_get(&fxt->sections, 0, 0, pos, &provider) ? (uint32_t)provider : 0;
}

/* ---- event types ------------------------------------------------------------------------ */

static uint32_t learn_type(struct tt_cursor *cursor, tt_string category, tt_string name,
                           unsigned kind)
{
    struct tt_capture *capture = cursor->fxt->capture;
    uint32_t type = tt_types_add(capture, tt_capture_text(capture, category, NULL),
                                 tt_capture_text(capture, name, NULL), 0, kind);
    if (type == UINT32_MAX || !learn_put(cursor, &cursor->fxt->types, category, name, 0, type)) {
        cursor->no_memory = true;
    }
    return type;
}

uint32_t tt_fxt_find_type(struct tt_cursor *cursor, tt_string category, tt_string name,
                          unsigned kind)
{
    uint64_t type;
    if (!tt_fxt_table_get(&cursor->fxt->types, category, name, 0, &type)) {
        type = cursor->learning ? learn_type(cursor, category, name, kind) : UINT32_MAX;
    }
    struct tt_fxt_type_entry entry = {category, name, (uint32_t)type};
    cursor->types[tt_fxt_type_place(category, name)] = entry;
    return entry.type;
}

uint32_t tt_fxt_layout_type(struct tt_cursor *cursor, const struct tt_fxt_layout *layout)
{
    uint32_t *known = &cursor->layout_types[layout->number];
    if (*known == UINT32_MAX) {
        tt_string category =
            tt_fxt_text(cursor, layout->class_name, (uint32_t)strlen(layout->class_name));
        tt_string name = tt_fxt_text(cursor, layout->name, (uint32_t)strlen(layout->name));
        *known = tt_fxt_type(cursor, category, name, layout->kind);
    }
    return *known;
}

/* ---- caches ----------------------------------------------------------------------------- */

void tt_fxt_forget(struct tt_cursor *cursor)
{
    for (uint32_t i = 0; i < TT_FXT_STRING_CACHE; i++) {
        cursor->strings[i].key = TT_FXT_NO_KEY;
    }
    for (uint32_t i = 0; i < TT_FXT_THREADS * TT_FXT_THREAD_SETS; i++) {
        cursor->threads[i].provider = TT_FXT_NO_PROVIDER;
    }
    cursor->used_implicit = false;
}
