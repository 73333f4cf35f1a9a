/* SPDX-License-Identifier: Apache-2.0 */
/* trx_context: contexts and event types by number, added by the ring scan. */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "format/trx/trx_internal.h"

/* ThreadX has no processes: all threads belong to one without a name. */
#define PROCESS 0u

/* Address of TRX_CROWD in the table; a thread at this address joins the crowd. */
#define TRX_ADDRESS_CROWD UINT64_MAX

uint32_t trx_context_find(const struct trx_decoder *d, uint64_t address)
{
    const struct trx_contexts *contexts = &d->contexts;
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&contexts->by_address, tt_hash_of_pair(address, 0), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&contexts->by_address, &probe)) {
        if (contexts->items[n].address == address) {
            return n;
        }
    }
    return TRX_NO_CONTEXT;
}

/* Adds a thread's lane with its name in the registry. */
static uint32_t make_thread(struct trx_decoder *d, uint64_t address)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct tt_capture *c = d->capture;
    uint32_t thread = tt_registry_thread(c, PROCESS, address, 0);
    if (thread == TT_NO_THREAD) {
        return TT_NO_THREAD;
    }
    const struct trx_object *object = trx_registry_find(&d->registry, address, threads);
    if (object) {
        tt_registry_thread_name(c, thread, object->name);
    }
    return thread;
}

static bool grow(struct trx_contexts *contexts)
{
    struct trx_context *items =
        tt_array_grow_32(contexts->items, contexts->count, &contexts->capacity, sizeof *items);
    contexts->items = items ? items : contexts->items;
    return items != NULL;
}

static bool append(struct trx_contexts *contexts, uint64_t address, uint32_t thread)
{
    if (!grow(contexts) ||
        !tt_hash_add(&contexts->by_address, tt_hash_of_pair(address, 0), contexts->count)) {
        return false;
    }
    contexts->items[contexts->count].address = address;
    contexts->items[contexts->count].thread = thread;
    contexts->items[contexts->count].seen = false;
    contexts->items[contexts->count].priority = TRX_NO_PRIORITY;
    contexts->count++;
    return true;
}

/* Adds the contexts with constant numbers. */
static bool add_fixed(struct trx_contexts *contexts)
{
    return contexts->count >= TRX_FIRST_THREAD ||
           (append(contexts, 0, TT_NO_THREAD) && append(contexts, TRX_ADDRESS_ISR, TT_NO_THREAD) &&
            append(contexts, TRX_ADDRESS_INIT, TT_NO_THREAD) &&
            append(contexts, TRX_ADDRESS_CROWD, TT_NO_THREAD));
}

uint32_t trx_context_add(struct trx_decoder *d, uint64_t address)
{
    if (!add_fixed(&d->contexts)) {
        return TRX_NO_CONTEXT;
    }
    uint32_t known = trx_context_find(d, address);
    if (known != TRX_NO_CONTEXT) {
        return known;
    }
    if (d->contexts.count >= TRX_CONTEXTS_MAX) {
        return TRX_CROWD;
    }
    uint32_t thread = make_thread(d, address);
    if (thread == TT_NO_THREAD || !append(&d->contexts, address, thread)) {
        return TRX_NO_CONTEXT;
    }
    return d->contexts.count - 1;
}

bool trx_context_make_lane(struct trx_decoder *d, uint32_t context)
{
    const char *name = context == TRX_ISR ? "Interrupt" : "Initialize";
    struct trx_context *item = &d->contexts.items[context];
    if (item->thread == TT_NO_THREAD) {
        item->thread = tt_registry_thread(d->capture, PROCESS, item->address, 0);
        tt_registry_set_pseudo(d->capture, item->thread);
        tt_registry_thread_name(d->capture, item->thread,
                                tt_capture_intern(d->capture, name, context == TRX_ISR ? 9 : 10));
    }
    return item->thread != TT_NO_THREAD;
}

/* ---- types ------------------------------------------------------------------------------ */

const struct trx_event_info trx_nameless = {0,
                                            TRX_CLASS_UNKNOWN,
                                            TT_KIND_EVENT,
                                            "UNKNOWN",
                                            {{"info1", TRX_ARG_HEX},
                                             {"info2", TRX_ARG_HEX},
                                             {"info3", TRX_ARG_HEX},
                                             {"info4", TRX_ARG_HEX}}};

/*
 * Makes the info of an event without a row in the tables: an application event or a newer kernel's.
 */
static const struct trx_event_info *make_info(struct trx_decoder *d, unsigned id)
{
    struct trx_event_info *info = tt_arena_alloc(&d->arena, sizeof *info);
    char text[24];
    bool user = id >= TRX_FIRST_USER_ID;
    int length = snprintf(text, sizeof text, user ? "USER_%u" : "UNKNOWN_%u", id);
    char *name = tt_arena_text(&d->arena, text, (size_t)length);
    if (!info || !name) {
        return NULL;
    }
    *info = trx_nameless;
    info->id = (uint16_t)id;
    info->name = name;
    if (!user) {
        return info;
    }
    info->class_ = TRX_CLASS_USER;
    info->kind = TT_KIND_USER;
    const struct trx_name *given = trx_names_find(&d->names, id);
    if (given && given->name[0]) {
        info->name = given->name;
    }
    for (size_t i = 0; given && i < 4; i++) {
        if (given->labels[i][0]) {
            info->args[i].name = given->labels[i];
        }
    }
    return info;
}

const struct trx_type *trx_type_make(struct trx_decoder *d, unsigned id)
{
    struct trx_type **page = &d->types[id / TRX_TYPES_PER_PAGE];
    if (!*page) {
        *page = calloc(TRX_TYPES_PER_PAGE, sizeof **page);
        if (!*page) {
            return NULL;
        }
    }
    struct trx_type *type = &(*page)[id % TRX_TYPES_PER_PAGE];
    if (type->info) {
        return type;
    }
    const struct trx_event_info *info = trx_event_find(id);
    if (!info) {
        info = make_info(d, id);
    }
    if (!info) {
        return NULL;
    }
    uint32_t number =
        tt_types_add(d->capture, trx_class_name(info->class_), info->name, id, info->kind);
    if (number == UINT32_MAX) {
        return NULL;
    }
    type->number = number;
    type->info = info;
    return type;
}
