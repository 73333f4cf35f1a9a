/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_names: resolves references of records to numbers of the capture: strings, threads, event
 * types.
 *
 *  Each function looks in the cursor's caches inline; the rest is in fxt_names.c. A cursor, and
 * every function that takes one, belongs to one thread; functions that take `struct tt_fxt` may be
 * called by any thread. Learning cursors add new entries; a failed allocation sets
 * cursor->no_memory.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_NAMES_H
#define TRACETUI_FORMAT_FXT_FXT_NAMES_H

#include "format/fxt/fxt_internal.h"

/* An undefined string; never the number of an interned text. */
#define TT_FXT_UNKNOWN UINT32_MAX

/* Returns the role of an argument by its name. */
static inline unsigned tt_fxt_weight_of(const struct tt_fxt_words *words, tt_string name)
{
    return name == words->incoming_weight || name == words->weight ? TT_FXT_WEIGHT_INCOMING
           : name == words->outgoing_weight                        ? TT_FXT_WEIGHT_OUTGOING
           : name == words->waker                                  ? TT_FXT_WEIGHT_WAKER
                                                                   : TT_FXT_WEIGHT_NONE;
}

void tt_fxt_forget(struct tt_cursor *cursor); /* empties the caches */
void tt_fxt_forget_string(struct tt_cursor *cursor, uint32_t index);
void tt_fxt_forget_thread(struct tt_cursor *cursor, uint32_t index);
/* Caches the string that the current provider has just registered for an index. */
void tt_fxt_remember_string(struct tt_cursor *cursor, uint32_t index, tt_string string);
void tt_fxt_remember_thread(struct tt_cursor *cursor, uint32_t index, uint32_t lane);

/* Returns the number of a text of the file; a learning cursor adds it. Returns 0 if it is empty or
 * unknown. */
tt_string tt_fxt_text(struct tt_cursor *cursor, const char *bytes, uint32_t length);

tt_string tt_fxt_find_inline_text(struct tt_cursor *cursor, const char *bytes, uint32_t length,
                                  uint32_t place);
/* The same for a stream in a record: whole words of `bytes` may be read. */
static inline tt_string tt_fxt_inline_text(struct tt_cursor *cursor, const char *bytes,
                                           uint32_t length)
{
    uint64_t first, last;
    if (length == 0) {
        return 0;
    }
    memcpy(&first, bytes, sizeof first);
    memcpy(&last, bytes + (length - 1) / 8 * 8, sizeof last);
    uint64_t mixed = (first ^ last << 7 ^ length) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(mixed >> 48) % TT_FXT_TEXT_CACHE;
    const struct tt_fxt_text_entry *entry = &cursor->texts[place];
    bool known = entry->length == length && memcmp(entry->text, bytes, length) == 0;
    return known ? entry->string : tt_fxt_find_inline_text(cursor, bytes, length, place);
}
static inline uint32_t tt_fxt_string_place(uint32_t provider, uint32_t ref)
{
    return (ref + provider * 311u) % TT_FXT_STRING_CACHE;
}

static inline uint64_t tt_fxt_string_key(uint32_t provider, uint32_t ref)
{
    return (uint64_t)provider << 32 | ref;
}

tt_string tt_fxt_find_string_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 uint32_t ref, uint32_t at);
/* Resolves a string ref; inline bytes begin at word `at`. Returns TT_FXT_UNKNOWN if undefined. */
static inline tt_string tt_fxt_string_ref(struct tt_cursor *cursor,
                                          const struct tt_fxt_record *record, uint32_t ref,
                                          uint32_t at)
{
    const struct tt_fxt_string_entry *entry =
        &cursor->strings[tt_fxt_string_place(cursor->provider, ref)];
    bool known = entry->key == tt_fxt_string_key(cursor->provider, ref);
    return known ? entry->string : tt_fxt_find_string_ref(cursor, record, ref, at);
}
/*
 * Resolves a string ref at any position without a cursor; returns false if undefined. Any thread.
 */
bool tt_fxt_string_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      tt_string *string);
bool tt_fxt_thread_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      uint32_t *lane);
uint64_t tt_fxt_rate_at(const struct tt_fxt *fxt, uint32_t provider, uint64_t pos);
uint32_t tt_fxt_provider_at(const struct tt_fxt *fxt, uint64_t pos);

/* Writes the text of an undefined ref, "<string 77>"; returns its length. */
#define TT_FXT_UNKNOWN_TEXT 24
uint32_t tt_fxt_unknown_text(char text[TT_FXT_UNKNOWN_TEXT], uint32_t index);

/*
 * Threads that are not registered are lanes of process 0, with an id of their own for each provider and
 * reference; no koid is as large unless its highest bit is set.
 */
#define TT_FXT_REFERENCE (UINT64_C(1) << 52)

static inline uint32_t tt_fxt_lane_place(uint64_t pid, uint64_t tid)
{
    return (uint32_t)(((tid ^ pid << 17) * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
}

uint32_t tt_fxt_find_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid);
/*
 * Returns the lane of a thread; a learning cursor adds it. TT_NO_THREAD: unknown or out of memory.
 */
static inline uint32_t tt_fxt_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
    bool known = entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
    return known ? entry->lane : tt_fxt_find_lane(cursor, pid, tid);
}

/* The place of 0 is 0. */
static inline uint32_t tt_fxt_tid_place(uint64_t tid)
{
    return (uint32_t)((tid * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TT_FXT_TID_BITS));
}

/* Returns whether the capture has a thread already; by its koid alone, or with its process. */
bool tt_fxt_knows_thread(const struct tt_cursor *cursor, uint64_t pid, uint64_t tid);
bool tt_fxt_knows_tid(struct tt_cursor *cursor, uint64_t tid);

uint32_t tt_fxt_find_lane_of_tid(struct tt_cursor *cursor, uint64_t tid);
/* Returns the lane of a thread without a process. */
static inline uint32_t tt_fxt_lane_of_tid(struct tt_cursor *cursor, uint64_t tid)
{
    const struct tt_fxt_tid_entry *entry = &cursor->tids[tt_fxt_tid_place(tid)];
    return entry->tid == tid ? entry->lane : tt_fxt_find_lane_of_tid(cursor, tid);
}

/* Thread refs of different providers have different places. */
static inline uint32_t tt_fxt_thread_place(uint32_t provider, uint32_t ref)
{
    return ref % TT_FXT_THREADS + provider % TT_FXT_THREAD_SETS * TT_FXT_THREADS;
}

uint32_t tt_fxt_find_thread_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                uint32_t ref, uint32_t at);
/* Resolves a thread ref; inline words begin at word `at`. Reports undefined refs to health. */
static inline uint32_t tt_fxt_thread_ref(struct tt_cursor *cursor,
                                         const struct tt_fxt_record *record, uint32_t ref,
                                         uint32_t at)
{
    const struct tt_fxt_thread_entry *entry =
        &cursor->threads[tt_fxt_thread_place(cursor->provider, ref)];
    bool known = ref != 0 && entry->provider == cursor->provider;
    return known ? entry->lane : tt_fxt_find_thread_ref(cursor, record, ref, at);
}

/*
 * Returns whether an argument of a counter is the number of the CPU that the counter's id has too, beside
 * the counted values: the key of the counter, no series. `bits`: of its value as a double.
 */
static inline bool tt_fxt_is_key(const struct tt_cursor *cursor, tt_string name, unsigned type,
                                 uint64_t bits, uint64_t id, uint32_t args)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return name == cursor->fxt->words.cpu && type != TT_FXT_ARG_DOUBLE && args > 1 &&
           value == (double)id;
}

/* Returns the place of a counter series in the cache. */
static inline uint32_t tt_fxt_series_place(uint32_t type, tt_string argument, uint64_t id,
                                           uint32_t process)
{
    uint64_t mixed = (id ^ (uint64_t)type << 40 ^ (uint64_t)argument << 20 ^ process) *
                     UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 54);
}

static inline bool tt_fxt_is_series(const struct tt_fxt_series_entry *entry, uint32_t type,
                                    tt_string argument, uint64_t id, uint32_t process)
{
    return entry->type == type && entry->argument == argument && entry->id == id &&
           entry->process == process && entry->series != UINT32_MAX;
}

/* Returns the entry of a series, or the one to replace: its place or the adjacent one. */
static inline const struct tt_fxt_series_entry *tt_fxt_cached_series(const struct tt_cursor *cursor,
                                                                     uint32_t type,
                                                                     tt_string argument,
                                                                     uint64_t id, uint32_t process)
{
    uint32_t place = tt_fxt_series_place(type, argument, id, process);
    const struct tt_fxt_series_entry *entry = &cursor->series[place];
    return tt_fxt_is_series(entry, type, argument, id, process) ? entry
                                                                : &cursor->series[place ^ 1];
}

static inline uint32_t tt_fxt_type_place(tt_string category, tt_string name)
{
    return (category * 131u + name) % TT_FXT_TYPE_CACHE;
}

uint32_t tt_fxt_find_type(struct tt_cursor *cursor, tt_string category, tt_string name,
                          unsigned kind);
/* Returns the event type of a category and a name. */
static inline uint32_t tt_fxt_type(struct tt_cursor *cursor, tt_string category, tt_string name,
                                   unsigned kind)
{
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    bool known = entry->category == category && entry->name == name && entry->type != UINT32_MAX;
    return known ? entry->type : tt_fxt_find_type(cursor, category, name, kind);
}
/* Returns the event type of a layout that has a fixed name. */
uint32_t tt_fxt_layout_type(struct tt_cursor *cursor, const struct tt_fxt_layout *layout);

#endif
