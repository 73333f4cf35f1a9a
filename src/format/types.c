/* SPDX-License-Identifier: Apache-2.0 */
/* types: the table of event types and of their classes. */
#include <string.h>

#include "format/capture_tables.h"

static uint64_t hash_type(const char *class_name, const char *name, uint64_t code)
{
    return tt_hash_of_pair(tt_hash_of(class_name, strlen(class_name)) ^ (code << 1),
                           tt_hash_of(name, strlen(name)));
}

/* Looks up by name: an FXT file can have as many categories as events. Writer only. */
static uint32_t class_number(struct tt_tables *t, const char *class_name)
{
    uint64_t hash = tt_hash_of(class_name, strlen(class_name));
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->class_hash, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->class_hash, &probe)) {
        const char **known = tt_column_at(&t->classes, n);
        if (*known == class_name || strcmp(*known, class_name) == 0) {
            return n;
        }
    }
    uint64_t count = tt_column_count(&t->classes);
    const char **entry = count < UINT32_MAX ? tt_column_next(&t->classes) : NULL;
    if (!tt_tables_saved(t, entry && tt_hash_add(&t->class_hash, hash, (uint32_t)count))) {
        return UINT32_MAX;
    }
    *entry = class_name;
    tt_column_publish(&t->classes);
    return (uint32_t)count;
}

/* Returns the type of another capture that shares the tables, or UINT32_MAX. */
static uint32_t shared_type(const struct tt_capture *c, const char *class_name, const char *name,
                            uint64_t code, unsigned kind)
{
    uint32_t type = c->tables->shared ? tt_types_find(c, class_name, name, code) : UINT32_MAX;
    return type != UINT32_MAX && tt_types_at(c, type)->kind == kind ? type : UINT32_MAX;
}

uint32_t tt_types_add(struct tt_capture *c, const char *class_name, const char *name, uint64_t code,
                      unsigned kind)
{
    struct tt_tables *t = c->tables;
    uint32_t known = shared_type(c, class_name, name, code, kind);
    if (known != UINT32_MAX) {
        return known;
    }
    uint64_t count = tt_column_count(&t->types);
    uint32_t class_id = class_number(t, class_name);
    struct tt_event_type *type = count < UINT32_MAX ? tt_column_next(&t->types) : NULL;
    if (!tt_tables_saved(t, class_id != UINT32_MAX && type)) {
        return UINT32_MAX;
    }
    type->class_name = class_name;
    type->name = name;
    type->code = code;
    type->class_id = class_id;
    type->kind = (uint8_t)kind;
    pthread_mutex_lock(&t->lock);
    bool added = tt_hash_add(&t->type_hash, hash_type(class_name, name, code), (uint32_t)count);
    if (added) {
        tt_column_publish(&t->types);
    }
    pthread_mutex_unlock(&t->lock);
    return tt_tables_saved(t, added) ? (uint32_t)count : UINT32_MAX;
}

uint32_t tt_types_find(const struct tt_capture *c, const char *class_name, const char *name,
                       uint64_t code)
{
    struct tt_tables *t = c->tables;
    uint32_t found = UINT32_MAX;
    struct tt_probe probe;
    pthread_mutex_lock(&t->lock);
    for (uint32_t n = tt_hash_first(&t->type_hash, hash_type(class_name, name, code), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&t->type_hash, &probe)) {
        const struct tt_event_type *type = tt_column_at(&t->types, n);
        if (type->code == code && strcmp(type->class_name, class_name) == 0 &&
            strcmp(type->name, name) == 0) {
            found = n;
            break;
        }
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

uint32_t tt_types_count(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->types);
}

const struct tt_event_type *tt_types_at(const struct tt_capture *c, uint32_t type)
{
    static const struct tt_event_type none = {"?", "?", 0, 0, TT_KIND_EVENT};
    if (type >= tt_types_count(c)) {
        return &none;
    }
    return tt_column_at(&c->tables->types, type);
}

uint32_t tt_classes_count(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->classes);
}

const char *tt_classes_name(const struct tt_capture *c, uint32_t class_id)
{
    if (class_id >= tt_classes_count(c)) {
        return "?";
    }
    const char **name = tt_column_at(&c->tables->classes, class_id);
    return *name;
}
