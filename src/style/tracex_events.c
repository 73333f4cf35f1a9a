/* SPDX-License-Identifier: Apache-2.0 */
/* tracex_events: the events of a capture as TraceX lists them, and its objects. */
#include <stdlib.h>
#include <string.h>

#include "style/tracex.h"

#define TWINS_MAX 16u
#define CREATED   (TRX_TRACEX_NONE - 1) /* the threshold of a thread in its creation: unknown */

static bool tracex_events_is_a_thread(uint64_t context)
{
    return context != TRX_ADDRESS_ISR && context != TRX_ADDRESS_INIT;
}

/* Loads entry `index`; returns false if its bytes are gone. */
static bool tracex_events_load(const struct tracex *tracex, uint32_t index, struct trx_entry *entry)
{
    const struct trx_decoder *decoder = tracex->d;
    uint64_t offset = trx_entry_offset(decoder, index);
    uint64_t end = decoder->image ? decoder->capture->bytes.size : tracex->limit;
    if (offset > end || end - offset < decoder->header.entry_size) {
        return false;
    }
    trx_entry_load(&decoder->header, decoder->capture->bytes.data + offset, entry);
    return true;
}

/* ---- objects ------------------------------------------------------------------------------- */

uint32_t trx_tracex_object(const struct tracex *tracex, uint64_t address)
{
    static const uint8_t any[] = {TRX_OBJECT_NONE};
    const struct trx_object *object = trx_registry_find(&tracex->d->registry, address, any);
    if (object) {
        return (uint32_t)(object - tracex->d->registry.objects);
    }
    uint32_t context = trx_context_find(tracex->d, address);
    return context == TRX_NO_CONTEXT ? TRX_TRACEX_NONE : tracex->unnamed[context];
}

static void set_object(struct tracex_object *tracex_object, const struct trx_object *object,
                       uint64_t address)
{
    bool has_priority = object && object->priority != TRX_NO_PRIORITY;
    uint64_t priority = has_priority ? object->priority : TRX_TRACEX_NONE;
    *tracex_object =
        (struct tracex_object){.object = object,
                               .address = address,
                               .is_thread = !object || object->type == TRX_OBJECT_THREAD,
                               .first_priority = TRX_TRACEX_NONE,
                               .first_threshold = TRX_TRACEX_NONE,
                               .priority = TRX_TRACEX_NONE,
                               .threshold = TRX_TRACEX_NONE,
                               .low = priority,
                               .high = priority,
                               .threshold_low = TRX_TRACEX_NONE,
                               .threshold_high = TRX_TRACEX_NONE,
                               .inserted_low = TRX_TRACEX_NONE,
                               .inserted_high = TRX_TRACEX_NONE,
                               .stack_min = object ? object->parameters[1] : 0,
                               .owner_priority = TRX_TRACEX_NONE};
}

/*
 * Notes the priority that an entry shows of a thread: its own, or that of the thread that it
 * creates, which has no threshold.
 */
static void note_priority(struct tracex *tracex, const struct trx_entry *entry, bool first)
{
    uint32_t id = trx_id_of(entry->event);
    if (tracex_events_is_a_thread(entry->context) && id != TRX_ID_RUNNING) {
        uint32_t own = trx_tracex_object(tracex, entry->context);
        struct tracex_object *object = own == TRX_TRACEX_NONE ? NULL : &tracex->objects[own];
        uint16_t threshold = trx_threshold_of(entry->priority);
        if (object && (!first || object->first_priority == TRX_TRACEX_NONE)) {
            *(first ? &object->first_priority : &object->priority) =
                trx_priority_of(entry->priority);
            *(first ? &object->first_threshold : &object->threshold) =
                threshold == TRX_NO_PRIORITY ? TRX_TRACEX_NONE : threshold;
        }
    }
    uint32_t created =
        id == TRX_ID_CREATE ? trx_tracex_object(tracex, entry->info[0]) : TRX_TRACEX_NONE;
    if (created != TRX_TRACEX_NONE && entry->info[0] != entry->context) {
        struct tracex_object *tracex_object = &tracex->objects[created];
        if (!first || tracex_object->first_priority == TRX_TRACEX_NONE) {
            *(first ? &tracex_object->first_priority : &tracex_object->priority) =
                (uint32_t)entry->info[1];
            *(first ? &tracex_object->first_threshold : &tracex_object->threshold) = CREATED;
        }
    }
}

/* Adds the thread of an entry if the registry lacks it. */
static void add_unnamed(struct tracex *tracex, const struct trx_entry *entry)
{
    static const uint8_t any[] = {TRX_OBJECT_NONE};
    uint32_t context = trx_context_find(tracex->d, entry->context);
    if (!tracex_events_is_a_thread(entry->context) || context == TRX_NO_CONTEXT ||
        trx_registry_find(&tracex->d->registry, entry->context, any) ||
        tracex->unnamed[context] != TRX_TRACEX_NONE) {
        return;
    }
    tracex->unnamed[context] = tracex->object_count;
    set_object(&tracex->objects[tracex->object_count++], NULL, entry->context);
}

bool trx_tracex_open(struct tracex *tracex, const struct tt_capture *capture, uint64_t limit)
{
    const struct trx_decoder *decoder = capture->decoder;
    size_t contexts = trx_context_count(decoder), most = (size_t)decoder->registry.count + contexts;
    memset(tracex, 0, sizeof *tracex);
    tracex->d = decoder;
    tracex->limit = limit;
    tracex->objects = calloc(most + 1, sizeof *tracex->objects);
    tracex->unnamed = malloc((contexts + 1) * sizeof *tracex->unnamed);
    if (!tracex->objects || !tracex->unnamed) {
        return false;
    }
    memset(tracex->unnamed, 0xff, (contexts + 1) * sizeof *tracex->unnamed);
    for (uint32_t i = 0; i < decoder->registry.count; i++) {
        const struct trx_object *object = &decoder->registry.objects[i];
        set_object(&tracex->objects[tracex->object_count++], object, object->address);
    }

    /* Links the objects with the same address; more than TWINS_MAX are left out. */
    for (uint32_t i = 0; i < tracex->object_count; i++) {
        uint32_t place = trx_tracex_object(tracex, tracex->objects[i].address), links = 0;
        for (; place != i && tracex->objects[place].twin != 0; links++) {
            place = tracex->objects[place].twin;
            if (links == TWINS_MAX) {
                break;
            }
        }
        if (place != i && tracex->objects[place].twin == 0) {
            tracex->objects[place].twin = i;
        }
    }

    struct trx_entry entry;
    for (uint32_t i = 0; i < decoder->plan.entries && tracex_events_load(tracex, i, &entry); i++) {
        add_unnamed(tracex, &entry);
    }
    for (uint32_t i = 0; i < decoder->plan.entries && tracex_events_load(tracex, i, &entry); i++) {
        note_priority(tracex, &entry, true);
    }
    return true;
}

void trx_tracex_free(struct tracex *tracex)
{
    free(tracex->objects);
    free(tracex->unnamed);
    free(tracex->inversions);
    free(tracex->popular);
}

/* ---- events -------------------------------------------------------------------------------- */

void trx_tracex_walk_begin(struct tracex *tracex, struct tracex_walk *walk)
{
    memset(walk, 0, sizeof *walk);
    walk->x = tracex;
    for (uint32_t i = 0; i < tracex->object_count; i++) {
        tracex->objects[i].priority = tracex->objects[i].threshold = TRX_TRACEX_NONE;
    }
}

/* Makes the RUNNING event after the previous one, with the priority of its thread. */
static void make_inserted(struct tracex_walk *walk, bool late, struct tracex_event *event)
{
    const struct tracex_event *before = &walk->before;
    uint64_t delay = late ? TRX_DERIVED_DELAY : 0;
    bool down = walk->x->d->plan.counts_down;
    *event = (struct tracex_event){.number = walk->number++,
                                   .context = before->next,
                                   .next = before->next,
                                   .ticks = before->ticks + delay,
                                   .stamp = down ? before->stamp - delay : before->stamp + delay,
                                   .id = TRX_ID_RUNNING,
                                   .object = TRX_TRACEX_NONE,
                                   .inserted = true};
    if (!tracex_events_is_a_thread(event->context) || event->context == 0) {
        return;
    }
    event->object = trx_tracex_object(walk->x, event->context);
    if (event->object == TRX_TRACEX_NONE) {
        return;
    }
    const struct tracex_object *object = &walk->x->objects[event->object];
    bool seen = object->priority != TRX_TRACEX_NONE;
    uint32_t priority = seen ? object->priority : object->first_priority;
    if (object->is_thread && priority != TRX_TRACEX_NONE) {
        event->priority = priority;
        uint32_t threshold = seen ? object->threshold : object->first_threshold;
        event->threshold = threshold == CREATED ? 0 : threshold;
        event->has_threshold = threshold < CREATED;
    }
}

/* Returns the address of a context number. */
static uint64_t tracex_events_address_of(const struct trx_decoder *decoder, uint32_t context)
{
    return context < trx_context_count(decoder) ? decoder->contexts.items[context].address : 0;
}

static bool read_entry(struct tracex_walk *walk, struct tracex_event *event)
{
    struct tracex *tracex = walk->x;
    const struct trx_decoder *decoder = tracex->d;
    struct trx_entry entry;
    if (walk->index >= decoder->plan.entries || !tracex_events_load(tracex, walk->index, &entry)) {
        return false;
    }
    uint64_t stamp = trx_stamp_of(&decoder->plan, decoder->header.mask, entry.event, entry.stamp);
    walk->stamp = walk->index > 0 ? walk->stamp : stamp;
    walk->ticks = trx_ticks_add(
        walk->ticks, trx_stamp_step(&decoder->plan, decoder->header.mask, &walk->stamp, stamp));
    if (walk->index > 0) {
        struct trx_entry last;
        if (tracex_events_load(tracex, walk->index - 1, &last)) {
            note_priority(tracex, &last, false);
        }
    }
    uint16_t threshold = trx_threshold_of(entry.priority);
    bool has_threshold = tracex_events_is_a_thread(entry.context) && threshold != TRX_NO_PRIORITY;
    *event = (struct tracex_event){
        .number = walk->number++,
        .context = entry.context,
        .next = tracex_events_address_of(decoder, decoder->plan.steps[walk->index].next),
        .ticks = walk->ticks,
        .stamp = entry.stamp & decoder->header.mask,
        .priority = tracex_events_is_a_thread(entry.context) ? trx_priority_of(entry.priority)
                                                             : entry.priority,
        .threshold = has_threshold ? threshold : TRX_TRACEX_NONE,
        .has_threshold = has_threshold,
        .raw_id = entry.event,
        .raw_priority = entry.priority,
        .id = trx_id_of(entry.event),
        .object = tracex_events_is_a_thread(entry.context)
                      ? trx_tracex_object(tracex, entry.context)
                      : TRX_TRACEX_NONE};
    memcpy(event->info, entry.info, sizeof event->info);
    walk->insert = (decoder->plan.steps[walk->index].context & TRX_STEP_DERIVED) != 0;
    walk->index++;
    return true;
}

bool trx_tracex_walk_next(struct tracex_walk *walk, struct tracex_event *event)
{
    if (walk->insert) {
        walk->insert = false;
        bool late = walk->x->d->plan.steps[walk->index - 1].context & TRX_STEP_LATE;
        make_inserted(walk, late, event);
        walk->before = *event;
        return true;
    }
    if (!read_entry(walk, event)) {
        return false;
    }
    walk->before = *event;
    return true;
}
