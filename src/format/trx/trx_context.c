/* SPDX-License-Identifier: Apache-2.0 */
/* trx_context: contexts and event types by number, added by the learning cursor. */
#include <stdio.h>
#include <stdlib.h>

#include "format/trx/trx_internal.h"

/* ThreadX has no processes: all threads belong to one without a name. */
#define PROCESS 0u

/* Address of TRX_CROWD in the table; a thread at this address joins the crowd. */
#define TRX_ADDRESS_CROWD UINT64_MAX

static uint32_t look_up(const struct trx_contexts *contexts, uint64_t address)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&contexts->by_address, tt_hash_of_pair(address, 0), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&contexts->by_address, &probe)) {
        if (contexts->items[n].address == address) {
            return n;
        }
    }
    return TRX_NO_CONTEXT;
}

uint32_t trx_context_find_known(const struct trx_decoder *decoder, uint64_t address)
{
    return look_up(&decoder->contexts, address);
}

uint32_t trx_context_find(const struct trx_decoder *decoder, uint64_t address)
{
    if (atomic_load_explicit(&decoder->planned, memory_order_acquire)) {
        return look_up(&decoder->contexts, address); /* nothing is added any more */
    }
    struct trx_contexts *contexts = &((struct trx_decoder *)decoder->capture->decoder)->contexts;
    pthread_mutex_lock(&contexts->lock);
    uint32_t context = look_up(contexts, address);
    pthread_mutex_unlock(&contexts->lock);
    return context;
}

/* Adds a thread's lane with its name in the registry. */
static uint32_t make_thread(struct trx_decoder *decoder, uint64_t address)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct tt_capture *capture = decoder->capture;
    uint32_t thread = tt_registry_thread(capture, PROCESS, address, 0);
    if (thread == TT_NO_THREAD) {
        return TT_NO_THREAD;
    }
    const struct trx_object *object = trx_registry_find(&decoder->registry, address, threads);
    if (object) {
        tt_registry_thread_name(capture, thread, object->name);
    }
    return thread;
}

static bool trx_context_append(struct trx_contexts *contexts, uint64_t address, uint32_t thread)
{
    uint32_t count = atomic_load_explicit(&contexts->count, memory_order_relaxed);
    contexts->items[count] = (struct trx_context){address, thread, TRX_NO_PRIORITY};
    pthread_mutex_lock(&contexts->lock);
    bool good = tt_hash_add(&contexts->by_address, tt_hash_of_pair(address, 0), count);
    pthread_mutex_unlock(&contexts->lock);
    if (good) {
        atomic_store_explicit(&contexts->count, count + 1, memory_order_release);
    }
    return good;
}

bool trx_contexts_init(struct trx_contexts *contexts)
{
    /* The system provides the pages when they are written: few threads need few. */
    contexts->items = malloc(TRX_CONTEXTS_MAX * sizeof *contexts->items);
    /* The contexts with constant numbers. */
    return contexts->items && trx_context_append(contexts, 0, TT_NO_THREAD) &&
           trx_context_append(contexts, TRX_ADDRESS_ISR, TT_NO_THREAD) &&
           trx_context_append(contexts, TRX_ADDRESS_INIT, TT_NO_THREAD) &&
           trx_context_append(contexts, TRX_ADDRESS_CROWD, TT_NO_THREAD);
}

void trx_contexts_free(struct trx_contexts *contexts)
{
    free(contexts->items);
    tt_hash_free(&contexts->by_address);
    pthread_mutex_destroy(&contexts->lock);
}

uint32_t trx_context_add(struct trx_decoder *decoder, uint64_t address)
{
    struct trx_contexts *contexts = &decoder->contexts;
    uint32_t known = look_up(contexts, address), count = trx_context_count(decoder);
    if (known != TRX_NO_CONTEXT) {
        return known;
    }
    if (count >= TRX_CONTEXTS_MAX) {
        return TRX_CROWD;
    }
    uint32_t thread = make_thread(decoder, address);
    return thread != TT_NO_THREAD && trx_context_append(contexts, address, thread) ? count
                                                                                   : TRX_NO_CONTEXT;
}

bool trx_context_make_lane(struct trx_decoder *decoder, uint32_t context)
{
    const char *name = context == TRX_ISR ? "Interrupt" : "Initialize";
    struct trx_context *item = &decoder->contexts.items[context];
    if (item->thread == TT_NO_THREAD) {
        item->thread = tt_registry_thread(decoder->capture, PROCESS, item->address, 0);
        tt_registry_set_pseudo(decoder->capture, item->thread);
        tt_registry_thread_name(
            decoder->capture, item->thread,
            tt_capture_intern(decoder->capture, name, context == TRX_ISR ? 9 : 10));
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
 * Makes the info of an event that a names file names, or that has no row in the tables: an application event
 * or a newer kernel's. `known`: that of the tables, or NULL. Words with a label of the file are raw: another
 * version of the product may have written others.
 */
static const struct trx_event_info *make_info(struct trx_decoder *decoder, unsigned id,
                                              const struct trx_event_info *known,
                                              const struct trx_name *given)
{
    struct trx_event_info *info = tt_arena_alloc(&decoder->arena, sizeof *info);
    char text[24];
    bool user = given || id >= TRX_FIRST_USER_ID;
    int length = snprintf(text, sizeof text, user ? "USER_%u" : "UNKNOWN_%u", id);
    char *name = tt_arena_text(&decoder->arena, text, (size_t)length);
    if (!info || !name) {
        return NULL;
    }
    *info = known ? *known : trx_nameless;
    info->id = (uint16_t)id;
    info->name = known ? known->name : name;
    if (!known && user) {
        info->class_ = TRX_CLASS_USER;
        info->kind = TT_KIND_USER;
    }
    if (given && given->name[0]) {
        info->name = given->name;
    }
    for (size_t i = 0; given && i < 4; i++) {
        if (given->labels[i][0]) {
            info->args[i] = trx_nameless.args[i];
            info->args[i].name = given->labels[i];
        }
    }
    return info;
}

/* Returns the place of an id's type, on a page that is added if new; NULL when out of memory. */
static struct trx_type *type_place(struct trx_decoder *decoder, unsigned id)
{
    _Atomic(struct trx_type *) *place = &decoder->types[id / TRX_TYPES_PER_PAGE];
    struct trx_type *page = atomic_load_explicit(place, memory_order_relaxed);
    if (!page) {
        page = calloc(TRX_TYPES_PER_PAGE, sizeof *page);
        if (!page) {
            return NULL;
        }
        atomic_store_explicit(place, page, memory_order_release);
    }
    return &page[id % TRX_TYPES_PER_PAGE];
}

const struct trx_type *trx_type_make(struct trx_decoder *decoder, unsigned id)
{
    struct trx_type *type = type_place(decoder, id);
    if (!type || atomic_load_explicit(&type->info, memory_order_relaxed)) {
        return type;
    }
    const struct trx_event_info *info = trx_event_find(id);
    const struct trx_name *given = trx_names_find(&decoder->names, id);
    if (!info || given) {
        info = make_info(decoder, id, info, given);
    }
    if (!info) {
        return NULL;
    }
    uint32_t number =
        tt_types_add(decoder->capture, trx_class_name(info->class_), info->name, id, info->kind);
    if (number == UINT32_MAX) {
        return NULL;
    }
    type->number = number;
    type->kind = (uint8_t)info->kind;
    type->unknown = info->class_ == TRX_CLASS_UNKNOWN;
    atomic_store_explicit(&type->info, info, memory_order_release);
    if (id < TRX_CODES) {
        atomic_store_explicit(&decoder->codes[id], trx_code_of(type), memory_order_release);
    }
    return type;
}
