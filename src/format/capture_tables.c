/* SPDX-License-Identifier: Apache-2.0 */
/* capture_tables: creates and frees a capture's tables; interned texts and facts. */
#include "format/capture_tables.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/merge.h"
#include "tracetui/text.h"

struct tt_tables *tt_tables_new(void)
{
    struct tt_tables *t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    if (pthread_mutex_init(&t->lock, NULL) != 0) {
        free(t);
        return NULL;
    }
    tt_column_init(&t->strings, sizeof(struct tt_string_entry));
    tt_column_init(&t->types, sizeof(struct tt_event_type));
    tt_column_init(&t->classes, sizeof(const char *));
    tt_column_init(&t->processes, sizeof(struct tt_process));
    tt_column_init(&t->threads, sizeof(struct tt_thread));
    tt_column_init(&t->moves, sizeof(struct tt_move));
    tt_column_init(&t->series, sizeof(struct tt_series));
    tt_column_init(&t->facts, sizeof(struct tt_fact));
    tt_column_init(&t->health, sizeof(struct tt_health_record));
    struct tt_string_entry *none = tt_column_next(&t->strings);
    if (!none) {
        tt_tables_free(t);
        return NULL;
    }
    none->bytes = "";
    tt_column_publish(&t->strings);
    return t;
}

void tt_tables_free(struct tt_tables *t)
{
    if (!t) {
        return;
    }
    tt_column_free(&t->strings);
    tt_column_free(&t->types);
    tt_column_free(&t->classes);
    tt_column_free(&t->processes);
    tt_column_free(&t->threads);
    tt_column_free(&t->moves);
    tt_column_free(&t->series);
    tt_column_free(&t->facts);
    tt_column_free(&t->health);
    tt_hash_free(&t->string_hash);
    tt_hash_free(&t->type_hash);
    tt_hash_free(&t->class_hash);
    tt_hash_free(&t->process_hash);
    tt_numbers_free(&t->lanes);
    tt_arena_free(&t->arena);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

bool tt_capture_out_of_memory(const struct tt_capture *c)
{
    return atomic_load_explicit(&c->tables->incomplete, memory_order_relaxed);
}

static uint32_t find_string(const struct tt_tables *t, uint64_t hash, const char *bytes,
                            size_t length)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->string_hash, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->string_hash, &probe)) {
        const struct tt_string_entry *entry = tt_column_at(&t->strings, n);
        if (entry->length == length && memcmp(entry->bytes, bytes, length) == 0) {
            return n;
        }
    }
    return 0;
}

tt_string tt_capture_find_text(const struct tt_capture *c, const char *bytes, size_t length)
{
    if (length == 0) {
        return 0;
    }
    uint64_t hash = tt_hash_of(bytes, length);
    pthread_mutex_lock(&c->tables->lock);
    uint32_t n = find_string(c->tables, hash, bytes, length);
    pthread_mutex_unlock(&c->tables->lock);
    return n;
}

tt_string tt_capture_intern(struct tt_capture *c, const char *bytes, size_t length)
{
    struct tt_tables *t = c->tables;
    if (length == 0) {
        return 0;
    }
    uint64_t hash = tt_hash_of(bytes, length);
    uint32_t n = find_string(t, hash, bytes, length);
    if (n != 0) {
        return n;
    }
    uint64_t count = tt_column_count(&t->strings);
    struct tt_string_entry *entry = count < UINT32_MAX ? tt_column_next(&t->strings) : NULL;
    /* Copied before the lock is taken: `bytes` may be in a mapping that faults. */
    const char *copy = entry ? tt_arena_text(&t->arena, bytes, length) : NULL;
    if (!tt_tables_saved(t, copy != NULL)) {
        return 0;
    }
    entry->bytes = copy;
    entry->length = length;
    pthread_mutex_lock(&t->lock);
    bool added = tt_hash_add(&t->string_hash, hash, (uint32_t)count);
    if (added) {
        tt_column_publish(&t->strings);
    }
    pthread_mutex_unlock(&t->lock);
    return tt_tables_saved(t, added) ? (tt_string)count : 0;
}

const char *tt_capture_text(const struct tt_capture *c, tt_string string, size_t *length)
{
    if (string >= tt_column_count(&c->tables->strings)) {
        string = 0;
    }
    const struct tt_string_entry *entry = tt_column_at(&c->tables->strings, string);
    if (length) {
        *length = entry->length;
    }
    return entry->bytes;
}

bool tt_facts_add(struct tt_capture *c, const char *section, const char *key, const char *value,
                  size_t length)
{
    struct tt_tables *t = c->tables;
    struct tt_fact *fact = tt_column_next(&t->facts);
    if (!tt_tables_saved(t, fact != NULL)) {
        return false;
    }
    char buffer[TT_MERGE_NAME_MOST + 80];
    struct tt_text whole = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&whole, c->label ? c->label : "");
    tt_text_str(&whole, c->label ? ": " : "");
    tt_text_str(&whole, section);
    fact->section = tt_arena_text(&t->arena, tt_text_cstr(&whole), whole.used);
    fact->key = tt_arena_text(&t->arena, key, strlen(key));
    fact->value = tt_arena_text(&t->arena, value, length);
    if (!tt_tables_saved(t, fact->section && fact->key && fact->value)) {
        return false;
    }
    tt_column_publish(&t->facts);
    return true;
}

uint32_t tt_facts_count(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->facts);
}

const struct tt_fact *tt_facts_at(const struct tt_capture *c, uint32_t index)
{
    return tt_column_at(&c->tables->facts, index);
}

bool tt_facts_same_section(const struct tt_capture *c, uint32_t number, uint32_t other)
{
    return number != TT_NO_FACT && other != TT_NO_FACT &&
           strcmp(tt_facts_at(c, number)->section, tt_facts_at(c, other)->section) == 0;
}

static bool opens_section(const struct tt_capture *c, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++) {
        if (tt_facts_same_section(c, i, number)) {
            return false;
        }
    }
    return true;
}

uint32_t tt_facts_next(const struct tt_capture *c, uint32_t number)
{
    uint32_t count = tt_facts_count(c), first = 0;
    if (number != TT_NO_FACT) {
        for (uint32_t i = number + 1; i < count; i++) {
            if (tt_facts_same_section(c, i, number)) {
                return i;
            }
        }
        while (!tt_facts_same_section(c, first, number)) {
            first++;
        }
        first++;
    }
    while (first < count && !opens_section(c, first)) {
        first++;
    }
    return first < count ? first : TT_NO_FACT;
}
