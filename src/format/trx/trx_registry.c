/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_tables.h"

#define NAME_MAX_KEPT 255u
#define ANY_TYPE      256u
#define HAS_PRIORITY  0x80u

static uint64_t trx_registry_key_of(uint64_t address, unsigned type)
{
    return tt_hash_of_pair(address, type);
}

static const struct trx_object *find_exact(const struct trx_registry *registry, uint64_t address,
                                           unsigned type)
{
    struct tt_probe probe;
    for (uint32_t n =
             tt_hash_first(&registry->by_address, trx_registry_key_of(address, type), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&registry->by_address, &probe)) {
        const struct trx_object *object = &registry->objects[n];
        if (object->address == address && (type == ANY_TYPE || object->type == type)) {
            return object;
        }
    }
    return NULL;
}

const struct trx_object *trx_registry_find(const struct trx_registry *registry, uint64_t address,
                                           const uint8_t *types)
{
    for (; *types != TRX_OBJECT_NONE; types++) {
        const struct trx_object *object = find_exact(registry, address, *types);
        if (object) {
            return object;
        }
    }
    return find_exact(registry, address, ANY_TYPE);
}

bool trx_registry_has_thread(const struct trx_registry *registry, uint64_t address)
{
    return find_exact(registry, address, TRX_OBJECT_THREAD) != NULL;
}

/* Only the first object of an address and type is ever found, so only that one is indexed. */
static bool index_object(struct trx_registry *registry, uint32_t n)
{
    const struct trx_object *object = &registry->objects[n];
    if (!find_exact(registry, object->address, ANY_TYPE) &&
        !tt_hash_add(&registry->by_address, trx_registry_key_of(object->address, ANY_TYPE), n)) {
        return false;
    }
    return find_exact(registry, object->address, object->type) != NULL ||
           tt_hash_add(&registry->by_address, trx_registry_key_of(object->address, object->type),
                       n);
}

static bool read_slot(struct trx_registry *registry, struct tt_capture *capture,
                      const struct trx_header *header, const uint8_t *slot, uint32_t number)
{
    char name[NAME_MAX_KEPT] = "";
    struct trx_object object = {.slot = number, .type = slot[1], .deleted = slot[0] == 1};
    if (object.type == 0) {
        return true;
    }
    object.reserved[0] = slot[2];
    object.reserved[1] = slot[3];
    object.priority = TRX_NO_PRIORITY;
    if (object.type == TRX_OBJECT_THREAD && (slot[2] & HAS_PRIORITY)) {
        object.priority = (uint16_t)((slot[2] & 3u) << 8 | slot[3]);
    }
    object.address = trx_load(header, slot + header->word);
    object.parameters[0] = trx_load(header, slot + 2 * (size_t)header->word);
    object.parameters[1] = trx_load(header, slot + 3 * (size_t)header->word);

    size_t room = header->name_size < NAME_MAX_KEPT ? header->name_size : NAME_MAX_KEPT;
    size_t length = 0;
    /* Bytes after the NUL remain from an older name. */
    while (length < room && slot[4 * header->word + length] != 0) {
        name[length] = (char)slot[4 * header->word + length];
        length++;
    }

    object.name = tt_capture_intern(capture, name, length);
    if (length > 0 && object.name == 0) {
        return false;
    }
    registry->objects[registry->count] = object;
    return index_object(registry, registry->count++);
}

bool trx_registry_read(struct trx_registry *registry, struct tt_capture *capture,
                       const struct trx_header *header, struct tt_bytes bytes)
{
    struct tt_bytes all =
        tt_bytes_slice(bytes, header->registry_offset, header->slots * header->slot_size);
    uint64_t slots = all.size / header->slot_size;
    registry->slots = (uint32_t)(slots < TRX_SLOTS_MAX ? slots : TRX_SLOTS_MAX);
    registry->objects = calloc(registry->slots ? registry->slots : 1, sizeof *registry->objects);
    if (!registry->objects) {
        return false;
    }
    for (uint32_t i = 0; i < registry->slots; i++) {
        if (!read_slot(registry, capture, header, all.data + (size_t)i * header->slot_size, i)) {
            return false;
        }
    }
    return true;
}

void trx_registry_free(struct trx_registry *registry)
{
    free(registry->objects);
    tt_hash_free(&registry->by_address);
    memset(registry, 0, sizeof *registry);
}

static bool add_object_fact(struct tt_capture *capture, const struct trx_object *object)
{
    const struct trx_object_info *info = trx_object_info(object->type);
    char key[64];
    char value[NAME_MAX_KEPT + 160];
    size_t length;
    const char *name = tt_capture_text(capture, object->name, &length);
    snprintf(key, sizeof key, "%s 0x%" PRIx64, info->name, object->address);
    /* A name of the file may contain any byte but 0. */
    int used = snprintf(value, sizeof value, "name=\"%s\"", name);
    for (size_t i = 0; i < 2; i++) {
        if (info->parameters[i].name) {
            used += snprintf(value + used, sizeof value - (size_t)used,
                             info->parameters[i].hex ? " %s=0x%" PRIx64 : " %s=%" PRIu64,
                             info->parameters[i].name, object->parameters[i]);
        }
    }
    if (info == trx_object_info(TRX_OBJECT_NONE)) {
        used += snprintf(value + used, sizeof value - (size_t)used, " type=%u", object->type);
    }
    if (object->priority != TRX_NO_PRIORITY) {
        used +=
            snprintf(value + used, sizeof value - (size_t)used, " priority=%u", object->priority);
    }
    if (object->deleted) {
        used += snprintf(value + used, sizeof value - (size_t)used, " deleted");
    }
    return tt_facts_add(capture, "registry", key, value, (size_t)used);
}

bool trx_registry_facts(const struct trx_registry *registry, struct tt_capture *capture)
{
    char text[64];
    int used = snprintf(text, sizeof text, "%u of %u slots", registry->count, registry->slots);
    bool good = tt_facts_add(capture, "registry", "objects", text, (size_t)used);
    for (uint32_t i = 0; good && i < registry->count; i++) {
        good = add_object_fact(capture, &registry->objects[i]);
    }
    return good;
}
