/* SPDX-License-Identifier: Apache-2.0 */
/* types: the table of event types and of their classes. */
#include <stdlib.h>
#include <string.h>

#include "format/capture_tables.h"

static uint64_t hash_type(const char *class_name, const char *name, uint64_t code)
{
    return tt_hash_of_pair(tt_hash_of(class_name, strlen(class_name)) ^ (code << 1),
                           tt_hash_of(name, strlen(name)));
}

/* Looks up by name: an FXT file can have as many categories as events. Writer only. */
static uint32_t class_number(struct tt_tables *tables, const char *class_name)
{
    uint64_t hash = tt_hash_of(class_name, strlen(class_name));
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&tables->class_hash, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&tables->class_hash, &probe)) {
        const char **known = tt_column_at(&tables->classes, n);
        if (*known == class_name || strcmp(*known, class_name) == 0) {
            return n;
        }
    }
    uint64_t count = tt_column_count(&tables->classes);
    const char **entry = count < UINT32_MAX ? tt_column_next(&tables->classes) : NULL;
    if (!tt_tables_saved(tables,
                         entry && tt_hash_add(&tables->class_hash, hash, (uint32_t)count))) {
        return UINT32_MAX;
    }
    *entry = class_name;
    tt_column_publish(&tables->classes);
    return (uint32_t)count;
}

/* ---- types of a member of a merged capture ------------------------------------------------- */

struct tt_own_types *tt_own_types_new(void)
{
    struct tt_own_types *own = calloc(1, sizeof *own);
    if (own) {
        tt_column_init(&own->whole, sizeof(uint32_t));
        tt_column_init(&own->number, sizeof(_Atomic uint32_t));
    }
    return own;
}

void tt_own_types_free(struct tt_own_types *own)
{
    if (own) {
        tt_column_free(&own->whole);
        tt_column_free(&own->number);
        free(own);
    }
}

uint32_t tt_types_whole(const struct tt_capture *capture, uint32_t type)
{
    const struct tt_own_types *own = capture->own_types;
    if (!own || type >= tt_column_count(&own->whole)) {
        return own ? UINT32_MAX : type;
    }
    const uint32_t *whole = tt_column_at(&own->whole, type);
    return *whole;
}

uint32_t tt_types_own(const struct tt_capture *capture, uint32_t whole)
{
    const struct tt_own_types *own = capture->own_types;
    if (!own || whole >= tt_column_count(&own->number)) {
        return own ? UINT32_MAX : whole;
    }
    const _Atomic uint32_t *number = tt_column_at(&own->number, whole);
    return atomic_load_explicit(number, memory_order_relaxed) - 1;
}

/* Makes a type of the merged capture the next one of the member. Returns false if out of memory. */
static bool add_own(struct tt_own_types *own, uint32_t whole)
{
    uint64_t count = tt_column_count(&own->whole);
    uint32_t *next = tt_column_next(&own->whole);
    while (tt_column_count(&own->number) <= whole && tt_column_next(&own->number)) {
        tt_column_publish(&own->number);
    }
    if (!next || count >= UINT32_MAX || tt_column_count(&own->number) <= whole) {
        return false;
    }
    _Atomic uint32_t *number = tt_column_at(&own->number, whole);
    atomic_store_explicit(number, (uint32_t)count + 1, memory_order_relaxed);
    *next = whole;
    tt_column_publish(&own->whole);
    return true;
}

/* ---- types ---------------------------------------------------------------------------------- */

static uint32_t types_add_type(struct tt_tables *tables, const char *class_name, const char *name,
                               uint64_t code, unsigned kind)
{
    uint64_t count = tt_column_count(&tables->types);
    uint32_t class_id = class_number(tables, class_name);
    struct tt_event_type *type = count < UINT32_MAX ? tt_column_next(&tables->types) : NULL;
    if (!tt_tables_saved(tables, class_id != UINT32_MAX && type)) {
        return UINT32_MAX;
    }
    type->class_name = class_name;
    type->name = name;
    type->code = code;
    type->class_id = class_id;
    type->kind = (uint8_t)kind;
    pthread_mutex_lock(&tables->lock);
    bool added =
        tt_hash_add(&tables->type_hash, hash_type(class_name, name, code), (uint32_t)count);
    if (added) {
        tt_column_publish(&tables->types);
    }
    pthread_mutex_unlock(&tables->lock);
    return tt_tables_saved(tables, added) ? (uint32_t)count : UINT32_MAX;
}

/* Returns the first type with these names and this code. The caller has the lock, or is the writer. */
static uint32_t types_find_type(const struct tt_tables *tables, const char *class_name,
                                const char *name, uint64_t code)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&tables->type_hash, hash_type(class_name, name, code), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&tables->type_hash, &probe)) {
        const struct tt_event_type *type = tt_column_at(&tables->types, n);
        if (type->code == code && strcmp(type->class_name, class_name) == 0 &&
            strcmp(type->name, name) == 0) {
            return n;
        }
    }
    return UINT32_MAX;
}

/* Adds a type of a member: an equal one of another member is the same type of the merged capture. */
static uint32_t add_of_member(struct tt_capture *capture, const char *class_name, const char *name,
                              uint64_t code, unsigned kind)
{
    struct tt_tables *tables = capture->tables;
    uint64_t count = tt_column_count(&capture->own_types->whole);
    uint32_t whole = types_find_type(tables, class_name, name, code);
    bool is_other = whole != UINT32_MAX &&
                    (tt_types_own(capture, whole) != UINT32_MAX ||
                     ((struct tt_event_type *)tt_column_at(&tables->types, whole))->kind != kind);
    if (whole == UINT32_MAX || is_other) {
        whole = types_add_type(tables, class_name, name, code, kind);
    }
    return whole != UINT32_MAX && tt_tables_saved(tables, add_own(capture->own_types, whole))
               ? (uint32_t)count
               : UINT32_MAX;
}

uint32_t tt_types_add(struct tt_capture *capture, const char *class_name, const char *name,
                      uint64_t code, unsigned kind)
{
    return capture->own_types ? add_of_member(capture, class_name, name, code, kind)
                              : types_add_type(capture->tables, class_name, name, code, kind);
}

uint32_t tt_types_find(const struct tt_capture *capture, const char *class_name, const char *name,
                       uint64_t code)
{
    pthread_mutex_lock(&capture->tables->lock);
    uint32_t found = types_find_type(capture->tables, class_name, name, code);
    pthread_mutex_unlock(&capture->tables->lock);
    return found == UINT32_MAX ? found : tt_types_own(capture, found);
}

uint32_t tt_types_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(capture->own_types ? &capture->own_types->whole
                                                        : &capture->tables->types);
}

const struct tt_event_type *tt_types_at(const struct tt_capture *capture, uint32_t type)
{
    static const struct tt_event_type none = {"?", "?", 0, 0, TT_KIND_EVENT};
    uint32_t whole = tt_types_whole(capture, type);
    if (whole >= tt_column_count(&capture->tables->types)) {
        return &none;
    }
    return tt_column_at(&capture->tables->types, whole);
}

uint32_t tt_classes_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->classes);
}

const char *tt_classes_name(const struct tt_capture *capture, uint32_t class_id)
{
    if (class_id >= tt_classes_count(capture)) {
        return "?";
    }
    const char **name = tt_column_at(&capture->tables->classes, class_id);
    return *name;
}
