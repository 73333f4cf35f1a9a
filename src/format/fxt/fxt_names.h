/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_names: references of records to numbers of the capture: strings, threads, event types.
 *
 * Each function looks in the cursor's caches in line; the rest is in fxt_names.c. A cursor belongs
 * to one thread, and so does what is called with it; what takes `struct tt_fxt` any thread may
 * call. Learning cursors add what is new; a failed allocation sets cursor->no_memory.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_NAMES_H
#define TRACETUI_FORMAT_FXT_FXT_NAMES_H

#include "format/fxt/fxt_internal.h"

/* A string that could not be resolved. Never a number of an interned text. */
#define TT_FXT_UNKNOWN UINT32_MAX

void tt_fxt_forget(struct tt_cursor *cursor); /* empties the caches */
void tt_fxt_forget_string(struct tt_cursor *cursor, uint32_t index);
void tt_fxt_forget_thread(struct tt_cursor *cursor, uint32_t index);
/* What an index means from here on to the provider at hand, which has registered it just now. */
void tt_fxt_remember_string(struct tt_cursor *cursor, uint32_t index, tt_string string);
void tt_fxt_remember_thread(struct tt_cursor *cursor, uint32_t index, uint32_t lane);

/* Number of a text of the file; learnt if new. 0 when it is empty (or, not learning, unknown). */
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
/* Of a string ref whose inline bytes, if any, stand at word `at`. TT_FXT_UNKNOWN if undefined. */
static inline tt_string tt_fxt_string_ref(struct tt_cursor *cursor,
                                          const struct tt_fxt_record *record, uint32_t ref,
                                          uint32_t at)
{
    const struct tt_fxt_string_entry *entry =
        &cursor->strings[tt_fxt_string_place(cursor->provider, ref)];
    bool known = entry->key == tt_fxt_string_key(cursor->provider, ref);
    return known ? entry->string : tt_fxt_find_string_ref(cursor, record, ref, at);
}
/* The same at any position without a cursor; false if it was not defined there. Any thread. */
bool tt_fxt_string_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      tt_string *string);
bool tt_fxt_thread_at(const struct tt_fxt *fxt, uint32_t provider, uint32_t index, uint64_t pos,
                      uint32_t *lane);
uint64_t tt_fxt_rate_at(const struct tt_fxt *fxt, uint32_t provider, uint64_t pos);
uint32_t tt_fxt_provider_at(const struct tt_fxt *fxt, uint64_t pos);

/* The text that stands for a reference to nothing: "<string 77>". Returns its length. */
#define TT_FXT_UNKNOWN_TEXT 24
uint32_t tt_fxt_unknown_text(char text[TT_FXT_UNKNOWN_TEXT], uint32_t index);

static inline uint32_t tt_fxt_lane_place(uint64_t pid, uint64_t tid)
{
    return (uint32_t)(((tid ^ pid << 17) * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
}

uint32_t tt_fxt_find_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid);
/* The lane of a thread, learnt if new. TT_NO_THREAD: unknown (not learning) or no memory. */
static inline uint32_t tt_fxt_lane(struct tt_cursor *cursor, uint64_t pid, uint64_t tid)
{
    const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
    bool known = entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
    return known ? entry->lane : tt_fxt_find_lane(cursor, pid, tid);
}

uint32_t tt_fxt_find_lane_of_tid(struct tt_cursor *cursor, uint64_t tid);
/* The lane of a thread whose process is not given. */
static inline uint32_t tt_fxt_lane_of_tid(struct tt_cursor *cursor, uint64_t tid)
{
    const struct tt_fxt_lane_entry *entry = &cursor->tids[tt_fxt_lane_place(0, tid)];
    bool known = entry->tid == tid && entry->lane != TT_NO_THREAD;
    return known ? entry->lane : tt_fxt_find_lane_of_tid(cursor, tid);
}

/* Those of a few providers that take turns have places of their own. */
static inline uint32_t tt_fxt_thread_place(uint32_t provider, uint32_t ref)
{
    return ref % TT_FXT_THREADS + provider % TT_FXT_THREAD_SETS * TT_FXT_THREADS;
}

uint32_t tt_fxt_find_thread_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                uint32_t ref, uint32_t at);
/* Of a thread ref whose inline words, if any, stand at word `at`; unknown ones go to health. */
static inline uint32_t tt_fxt_thread_ref(struct tt_cursor *cursor,
                                         const struct tt_fxt_record *record, uint32_t ref,
                                         uint32_t at)
{
    const struct tt_fxt_thread_entry *entry =
        &cursor->threads[tt_fxt_thread_place(cursor->provider, ref)];
    bool known = ref != 0 && entry->provider == cursor->provider;
    return known ? entry->lane : tt_fxt_find_thread_ref(cursor, record, ref, at);
}

/* Where the cursor remembers a series of counters. */
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

/* Where it is, or else may be put: its place or the one beside it. */
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
/* Event type of a category and a name. */
static inline uint32_t tt_fxt_type(struct tt_cursor *cursor, tt_string category, tt_string name,
                                   unsigned kind)
{
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    bool known = entry->category == category && entry->name == name && entry->type != UINT32_MAX;
    return known ? entry->type : tt_fxt_find_type(cursor, category, name, kind);
}
/* Event type of a layout with a name of its own. */
uint32_t tt_fxt_layout_type(struct tt_cursor *cursor, const struct tt_fxt_layout *layout);

#endif
