/* SPDX-License-Identifier: Apache-2.0 */
/* capture_tables: creates and frees a capture's tables; interned texts and facts. */
#include "format/capture_tables.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/merge.h"
#include "tracetui/text.h"

struct tt_tables *tt_tables_new(void)
{
    struct tt_tables *tables = calloc(1, sizeof *tables);
    if (!tables) {
        return NULL;
    }
    if (pthread_mutex_init(&tables->lock, NULL) != 0) {
        free(tables);
        return NULL;
    }
    tt_column_init(&tables->strings, sizeof(struct tt_string_entry));
    tt_column_init(&tables->types, sizeof(struct tt_event_type));
    tt_column_init(&tables->classes, sizeof(const char *));
    tt_column_init(&tables->processes, sizeof(struct tt_process));
    tt_column_init(&tables->threads, sizeof(struct tt_thread));
    tt_column_init(&tables->moves, sizeof(struct tt_move));
    tt_column_init(&tables->series, sizeof(struct tt_series));
    tt_column_init(&tables->facts, sizeof(struct tt_fact));
    tt_column_init(&tables->health, sizeof(struct tt_health_record));
    struct tt_string_entry *none = tt_column_next(&tables->strings);
    if (!none) {
        tt_tables_free(tables);
        return NULL;
    }
    none->bytes = "";
    tt_column_publish(&tables->strings);
    return tables;
}

void tt_tables_free(struct tt_tables *tables)
{
    if (!tables) {
        return;
    }
    tt_column_free(&tables->strings);
    tt_column_free(&tables->types);
    tt_column_free(&tables->classes);
    tt_column_free(&tables->processes);
    tt_column_free(&tables->threads);
    tt_column_free(&tables->moves);
    tt_column_free(&tables->series);
    tt_column_free(&tables->facts);
    tt_column_free(&tables->health);
    tt_hash_free(&tables->string_hash);
    tt_hash_free(&tables->type_hash);
    tt_hash_free(&tables->class_hash);
    tt_hash_free(&tables->process_hash);
    tt_numbers_free(&tables->lanes);
    tt_arena_free(&tables->arena);
    pthread_mutex_destroy(&tables->lock);
    free(tables);
}

bool tt_capture_out_of_memory(const struct tt_capture *capture)
{
    return atomic_load_explicit(&capture->tables->incomplete, memory_order_relaxed);
}

static uint32_t find_string(const struct tt_tables *tables, uint64_t hash, const char *bytes,
                            size_t length)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&tables->string_hash, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&tables->string_hash, &probe)) {
        const struct tt_string_entry *entry = tt_column_at(&tables->strings, n);
        if (entry->length == length && memcmp(entry->bytes, bytes, length) == 0) {
            return n;
        }
    }
    return 0;
}

tt_string tt_capture_intern(struct tt_capture *capture, const char *bytes, size_t length)
{
    struct tt_tables *tables = capture->tables;
    if (length == 0) {
        return 0;
    }
    uint64_t hash = tt_hash_of(bytes, length);
    uint32_t n = find_string(tables, hash, bytes, length);
    if (n != 0) {
        return n;
    }
    uint64_t count = tt_column_count(&tables->strings);
    struct tt_string_entry *entry = count < UINT32_MAX ? tt_column_next(&tables->strings) : NULL;
    /* Copied before the lock is taken: `bytes` may be in a mapping that faults. */
    const char *copy = entry ? tt_arena_text(&tables->arena, bytes, length) : NULL;
    if (!tt_tables_saved(tables, copy != NULL)) {
        return 0;
    }
    entry->bytes = copy;
    entry->length = length;
    pthread_mutex_lock(&tables->lock);
    bool added = tt_hash_add(&tables->string_hash, hash, (uint32_t)count);
    if (added) {
        tt_column_publish(&tables->strings);
    }
    pthread_mutex_unlock(&tables->lock);
    return tt_tables_saved(tables, added) ? (tt_string)count : 0;
}

const char *tt_capture_text(const struct tt_capture *capture, tt_string string, size_t *length)
{
    if (string >= tt_column_count(&capture->tables->strings)) {
        string = 0;
    }
    const struct tt_string_entry *entry = tt_column_at(&capture->tables->strings, string);
    if (length) {
        *length = entry->length;
    }
    return entry->bytes;
}

bool tt_facts_add(struct tt_capture *capture, const char *section, const char *key,
                  const char *value, size_t length)
{
    struct tt_tables *tables = capture->tables;
    struct tt_fact *fact = tt_column_next(&tables->facts);
    if (!tt_tables_saved(tables, fact != NULL)) {
        return false;
    }
    char buffer[TT_MERGE_NAME_MOST + 80];
    struct tt_text whole = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&whole, capture->label ? capture->label : "");
    tt_text_str(&whole, capture->label ? ": " : "");
    tt_text_str(&whole, section);
    fact->section = tt_arena_text(&tables->arena, tt_text_cstr(&whole), whole.used);
    fact->key = tt_arena_text(&tables->arena, key, strlen(key));
    fact->value = tt_arena_text(&tables->arena, value, length);
    if (!tt_tables_saved(tables, fact->section && fact->key && fact->value)) {
        return false;
    }
    tt_column_publish(&tables->facts);
    return true;
}

uint32_t tt_facts_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->facts);
}

const struct tt_fact *tt_facts_at(const struct tt_capture *capture, uint32_t index)
{
    return tt_column_at(&capture->tables->facts, index);
}

bool tt_facts_same_section(const struct tt_capture *capture, uint32_t number, uint32_t other)
{
    return number != TT_NO_FACT && other != TT_NO_FACT &&
           strcmp(tt_facts_at(capture, number)->section, tt_facts_at(capture, other)->section) == 0;
}

static bool opens_section(const struct tt_capture *capture, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++) {
        if (tt_facts_same_section(capture, i, number)) {
            return false;
        }
    }
    return true;
}

uint32_t tt_facts_next(const struct tt_capture *capture, uint32_t number)
{
    uint32_t count = tt_facts_count(capture), first = 0;
    if (number != TT_NO_FACT) {
        for (uint32_t i = number + 1; i < count; i++) {
            if (tt_facts_same_section(capture, i, number)) {
                return i;
            }
        }
        while (!tt_facts_same_section(capture, first, number)) {
            first++;
        }
        first++;
    }
    while (first < count && !opens_section(capture, first)) {
        first++;
    }
    return first < count ? first : TT_NO_FACT;
}
