/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_names.h"

bool btrace_names_init(struct btrace_names *names)
{
    *names = (struct btrace_names){0};
    if (pthread_mutex_init(&names->lock, NULL) != 0) {
        return false;
    }
    tt_column_init(&names->keys, sizeof(struct btrace_key));
    tt_column_init(&names->versions, sizeof(struct btrace_version));
    return true;
}

void btrace_names_free(struct btrace_names *names)
{
    tt_hash_free(&names->hash);
    tt_column_free(&names->keys);
    tt_column_free(&names->versions);
    pthread_mutex_destroy(&names->lock);
}

static uint32_t btrace_names_find_key(const struct btrace_names *names, uint64_t hash,
                                      enum btrace_object object, uint32_t address)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&names->hash, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&names->hash, &probe)) {
        const struct btrace_key *key = btrace_names_at(names, n);
        if (key->address == address && key->object == object) {
            return n;
        }
    }
    return BTRACE_NO_NAME;
}

/* Returns the place of an object in `recent`: objects of equal size in one heap have different ones. */
static inline uint32_t recent_place(enum btrace_object object, uint32_t address)
{
    return (address >> 6 ^ address >> 14 ^ (uint32_t)object << 4) % BTRACE_RECENT_KEYS;
}

/* Finds a key for the writer, which looks up the same ones again and again. */
static uint32_t find_for_writer(struct btrace_names *names, enum btrace_object object,
                                uint32_t address)
{
    struct btrace_recent *recent = &names->recent[recent_place(object, address)];
    if (recent->address == address && recent->object == object && recent->number != 0) {
        return recent->number - 1;
    }
    uint32_t n = btrace_names_find_key(names, tt_hash_of_pair(address, object), object, address);
    if (n != BTRACE_NO_NAME) {
        *recent = (struct btrace_recent){address, object, n + 1};
    }
    return n;
}

uint32_t btrace_names_find(struct btrace_names *names, enum btrace_object object, uint32_t address,
                           bool writer)
{
    if (writer) {
        return find_for_writer(names, object, address);
    }
    uint64_t hash = tt_hash_of_pair(address, object);
    pthread_mutex_lock(&names->lock);
    uint32_t n = btrace_names_find_key(names, hash, object, address);
    pthread_mutex_unlock(&names->lock);
    return n;
}

uint32_t btrace_names_key(struct btrace_names *names, enum btrace_object object, uint32_t address)
{
    uint32_t n = find_for_writer(names, object, address);
    if (n != BTRACE_NO_NAME) {
        return n;
    }
    uint64_t count = tt_column_count(&names->keys);
    struct btrace_key *key = count < BTRACE_NO_NAME ? tt_column_next(&names->keys) : NULL;
    if (!key) {
        return BTRACE_NO_NAME;
    }
    key->address = address;
    key->object = (uint8_t)object;
    key->newest = BTRACE_NO_NAME;
    pthread_mutex_lock(&names->lock);
    bool added = tt_hash_add(&names->hash, tt_hash_of_pair(address, object), (uint32_t)count);
    if (added) {
        tt_column_publish(&names->keys);
    }
    pthread_mutex_unlock(&names->lock);
    return added ? (uint32_t)count : BTRACE_NO_NAME;
}

static struct btrace_version *version_at(const struct btrace_names *names, uint32_t version)
{
    return (struct btrace_version *)tt_column_at(&names->versions, version);
}

/* Two jumps of equal length merge into one of twice the length plus one: any depth in O(log). */
static uint32_t jump_over(const struct btrace_names *names, uint32_t older)
{
    const struct btrace_version *version = version_at(names, older);
    const struct btrace_version *btrace_version = version_at(names, version->jump);
    const struct btrace_version *c = version_at(names, btrace_version->jump);
    return version->depth - btrace_version->depth == btrace_version->depth - c->depth
               ? btrace_version->jump
               : older;
}

bool btrace_names_set(struct btrace_names *names, uint32_t key, uint64_t from, uint32_t value)
{
    struct btrace_key *btrace_key = btrace_names_at(names, key);
    uint32_t newest = btrace_key->newest;
    if (newest != BTRACE_NO_NAME) {
        struct btrace_version *last = version_at(names, newest);
        if (last->value == value) {
            return true;
        }
        if (last->from >= from) {
            last->value = value;
            return true;
        }
    }
    uint64_t count = tt_column_count(&names->versions);
    struct btrace_version *added = count < BTRACE_NO_NAME ? tt_column_next(&names->versions) : NULL;
    if (!added) {
        return false;
    }
    uint32_t number = (uint32_t)count;
    added->from = from;
    added->value = value;
    added->older = newest;
    added->jump = newest == BTRACE_NO_NAME ? number : jump_over(names, newest);
    added->depth = newest == BTRACE_NO_NAME ? 0 : version_at(names, newest)->depth + 1;
    tt_column_publish(&names->versions);
    atomic_store_explicit(&btrace_key->newest, number, memory_order_release);
    return true;
}

uint32_t btrace_names_newest(const struct btrace_names *names, uint32_t key)
{
    uint32_t newest = btrace_names_at(names, key)->newest;
    return newest == BTRACE_NO_NAME ? BTRACE_NO_NAME : version_at(names, newest)->value;
}

struct btrace_found btrace_names_value(const struct btrace_names *names, uint32_t key, uint64_t pos)
{
    struct btrace_found found = {BTRACE_NO_NAME, 0, UINT64_MAX};
    const struct btrace_key *btrace_key = btrace_names_at(names, key);
    uint32_t at = atomic_load_explicit(&btrace_key->newest, memory_order_acquire);
    if (at == BTRACE_NO_NAME) {
        return found;
    }
    const struct btrace_version *version = version_at(names, at);
    while (version->from > pos) {
        found.until = version->from;
        if (version->older == BTRACE_NO_NAME) {
            break;
        }
        const struct btrace_version *jump = version_at(names, version->jump);
        version = jump->from > pos ? jump : version_at(names, version->older);
    }
    found.value = version->value;
    found.from = version->older == BTRACE_NO_NAME ? 0 : version->from;
    return found;
}

const struct btrace_version *btrace_names_version(const struct btrace_names *names,
                                                  uint32_t version)
{
    return version == BTRACE_NO_NAME ? NULL : version_at(names, version);
}

uint32_t btrace_names_versions(const struct btrace_names *names, uint32_t key,
                               const struct btrace_version **newest)
{
    const struct btrace_key *btrace_key = btrace_names_at(names, key);
    *newest = btrace_names_version(names,
                                   atomic_load_explicit(&btrace_key->newest, memory_order_acquire));
    return *newest ? (*newest)->depth + 1 : 0;
}

uint32_t btrace_names_lookup(struct btrace_names *names, enum btrace_object object,
                             uint32_t address, uint64_t pos, bool writer)
{
    uint32_t key = btrace_names_find(names, object, address, writer);
    return key == BTRACE_NO_NAME ? BTRACE_NO_NAME : btrace_names_value(names, key, pos).value;
}
