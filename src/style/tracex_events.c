/* SPDX-License-Identifier: Apache-2.0 */
/* tracex_events: the events of a capture as TraceX lists them, and its objects. */
#include <stdlib.h>
#include <string.h>

#include "style/tracex.h"

#define TWINS_MAX 16u
#define CREATED   (TRX_TRACEX_NONE - 1) /* the threshold of a thread in its creation: unknown */

static bool is_a_thread(uint64_t context)
{
    return context != TRX_ADDRESS_ISR && context != TRX_ADDRESS_INIT;
}

/* Loads entry `index`; returns false if its bytes are gone. */
static bool load(const struct tracex *x, uint32_t index, struct trx_entry *entry)
{
    const struct trx_decoder *d = x->d;
    uint64_t offset = trx_entry_offset(d, index);
    uint64_t end = d->image ? d->capture->bytes.size : x->limit;
    if (offset > end || end - offset < d->header.entry_size) {
        return false;
    }
    trx_entry_load(&d->header, d->capture->bytes.data + offset, entry);
    return true;
}

/* ---- objects ------------------------------------------------------------------------------- */

uint32_t trx_tracex_object(const struct tracex *x, uint64_t address)
{
    static const uint8_t any[] = {TRX_OBJECT_NONE};
    const struct trx_object *object = trx_registry_find(&x->d->registry, address, any);
    if (object) {
        return (uint32_t)(object - x->d->registry.objects);
    }
    uint32_t context = trx_context_find(x->d, address);
    return context == TRX_NO_CONTEXT ? TRX_TRACEX_NONE : x->unnamed[context];
}

static void set_object(struct tracex_object *o, const struct trx_object *object, uint64_t address)
{
    bool has_priority = object && object->priority != TRX_NO_PRIORITY;
    uint64_t priority = has_priority ? object->priority : TRX_TRACEX_NONE;
    *o = (struct tracex_object){.object = object,
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
static void note_priority(struct tracex *x, const struct trx_entry *entry, bool first)
{
    uint32_t id = trx_id_of(entry->event);
    if (is_a_thread(entry->context) && id != TRX_ID_RUNNING) {
        uint32_t own = trx_tracex_object(x, entry->context);
        struct tracex_object *o = own == TRX_TRACEX_NONE ? NULL : &x->objects[own];
        uint16_t threshold = trx_threshold_of(entry->priority);
        if (o && (!first || o->first_priority == TRX_TRACEX_NONE)) {
            *(first ? &o->first_priority : &o->priority) = trx_priority_of(entry->priority);
            *(first ? &o->first_threshold : &o->threshold) =
                threshold == TRX_NO_PRIORITY ? TRX_TRACEX_NONE : threshold;
        }
    }
    uint32_t created = id == TRX_ID_CREATE ? trx_tracex_object(x, entry->info[0]) : TRX_TRACEX_NONE;
    if (created != TRX_TRACEX_NONE && entry->info[0] != entry->context) {
        struct tracex_object *o = &x->objects[created];
        if (!first || o->first_priority == TRX_TRACEX_NONE) {
            *(first ? &o->first_priority : &o->priority) = (uint32_t)entry->info[1];
            *(first ? &o->first_threshold : &o->threshold) = CREATED;
        }
    }
}

/* Adds the thread of an entry if the registry lacks it. */
static void add_unnamed(struct tracex *x, const struct trx_entry *entry)
{
    static const uint8_t any[] = {TRX_OBJECT_NONE};
    uint32_t context = trx_context_find(x->d, entry->context);
    if (!is_a_thread(entry->context) || context == TRX_NO_CONTEXT ||
        trx_registry_find(&x->d->registry, entry->context, any) ||
        x->unnamed[context] != TRX_TRACEX_NONE) {
        return;
    }
    x->unnamed[context] = x->object_count;
    set_object(&x->objects[x->object_count++], NULL, entry->context);
}

/* Links the objects with the same address; more than TWINS_MAX are left out. */
static void link_twins(struct tracex *x)
{
    for (uint32_t i = 0; i < x->object_count; i++) {
        uint32_t place = trx_tracex_object(x, x->objects[i].address), links = 0;
        for (; place != i && x->objects[place].twin != 0; links++) {
            place = x->objects[place].twin;
            if (links == TWINS_MAX) {
                break;
            }
        }
        if (place != i && x->objects[place].twin == 0) {
            x->objects[place].twin = i;
        }
    }
}

bool trx_tracex_open(struct tracex *x, const struct tt_capture *c, uint64_t limit)
{
    const struct trx_decoder *d = c->decoder;
    size_t contexts = trx_context_count(d), most = (size_t)d->registry.count + contexts;
    memset(x, 0, sizeof *x);
    x->d = d;
    x->limit = limit;
    x->objects = calloc(most + 1, sizeof *x->objects);
    x->unnamed = malloc((contexts + 1) * sizeof *x->unnamed);
    if (!x->objects || !x->unnamed) {
        return false;
    }
    memset(x->unnamed, 0xff, (contexts + 1) * sizeof *x->unnamed);
    for (uint32_t i = 0; i < d->registry.count; i++) {
        const struct trx_object *object = &d->registry.objects[i];
        set_object(&x->objects[x->object_count++], object, object->address);
    }
    link_twins(x);
    struct trx_entry entry;
    for (uint32_t i = 0; i < d->plan.entries && load(x, i, &entry); i++) {
        add_unnamed(x, &entry);
    }
    for (uint32_t i = 0; i < d->plan.entries && load(x, i, &entry); i++) {
        note_priority(x, &entry, true);
    }
    return true;
}

void trx_tracex_free(struct tracex *x)
{
    free(x->objects);
    free(x->unnamed);
    free(x->inversions);
    free(x->popular);
}

/* ---- events -------------------------------------------------------------------------------- */

void trx_tracex_walk_begin(struct tracex *x, struct tracex_walk *w)
{
    memset(w, 0, sizeof *w);
    w->x = x;
    for (uint32_t i = 0; i < x->object_count; i++) {
        x->objects[i].priority = x->objects[i].threshold = TRX_TRACEX_NONE;
    }
}

/* Makes the RUNNING event after the previous one, with the priority of its thread. */
static void make_inserted(struct tracex_walk *w, bool late, struct tracex_event *event)
{
    const struct tracex_event *before = &w->before;
    uint64_t delay = late ? TRX_DERIVED_DELAY : 0;
    bool down = w->x->d->plan.counts_down;
    *event = (struct tracex_event){.number = w->number++,
                                   .context = before->next,
                                   .next = before->next,
                                   .ticks = before->ticks + delay,
                                   .stamp = down ? before->stamp - delay : before->stamp + delay,
                                   .id = TRX_ID_RUNNING,
                                   .object = TRX_TRACEX_NONE,
                                   .inserted = true};
    if (!is_a_thread(event->context) || event->context == 0) {
        return;
    }
    event->object = trx_tracex_object(w->x, event->context);
    if (event->object == TRX_TRACEX_NONE) {
        return;
    }
    const struct tracex_object *o = &w->x->objects[event->object];
    bool seen = o->priority != TRX_TRACEX_NONE;
    uint32_t priority = seen ? o->priority : o->first_priority;
    if (o->is_thread && priority != TRX_TRACEX_NONE) {
        event->priority = priority;
        uint32_t threshold = seen ? o->threshold : o->first_threshold;
        event->threshold = threshold == CREATED ? 0 : threshold;
        event->has_threshold = threshold < CREATED;
    }
}

/* Returns the address of a context number. */
static uint64_t address_of(const struct trx_decoder *d, uint32_t context)
{
    return context < trx_context_count(d) ? d->contexts.items[context].address : 0;
}

static bool read_entry(struct tracex_walk *w, struct tracex_event *event)
{
    struct tracex *x = w->x;
    const struct trx_decoder *d = x->d;
    struct trx_entry entry;
    if (w->index >= d->plan.entries || !load(x, w->index, &entry)) {
        return false;
    }
    uint64_t stamp = trx_stamp_of(&d->plan, d->header.mask, entry.event, entry.stamp);
    w->stamp = w->index > 0 ? w->stamp : stamp;
    w->ticks = trx_ticks_add(w->ticks, trx_stamp_step(&d->plan, d->header.mask, &w->stamp, stamp));
    if (w->index > 0) {
        struct trx_entry last;
        if (load(x, w->index - 1, &last)) {
            note_priority(x, &last, false);
        }
    }
    uint16_t threshold = trx_threshold_of(entry.priority);
    bool has_threshold = is_a_thread(entry.context) && threshold != TRX_NO_PRIORITY;
    *event = (struct tracex_event){
        .number = w->number++,
        .context = entry.context,
        .next = address_of(d, d->plan.steps[w->index].next),
        .ticks = w->ticks,
        .stamp = entry.stamp & d->header.mask,
        .priority = is_a_thread(entry.context) ? trx_priority_of(entry.priority) : entry.priority,
        .threshold = has_threshold ? threshold : TRX_TRACEX_NONE,
        .has_threshold = has_threshold,
        .raw_id = entry.event,
        .raw_priority = entry.priority,
        .id = trx_id_of(entry.event),
        .object =
            is_a_thread(entry.context) ? trx_tracex_object(x, entry.context) : TRX_TRACEX_NONE};
    memcpy(event->info, entry.info, sizeof event->info);
    w->insert = (d->plan.steps[w->index].context & TRX_STEP_DERIVED) != 0;
    w->index++;
    return true;
}

bool trx_tracex_walk_next(struct tracex_walk *w, struct tracex_event *event)
{
    if (w->insert) {
        w->insert = false;
        bool late = w->x->d->plan.steps[w->index - 1].context & TRX_STEP_LATE;
        make_inserted(w, late, event);
        w->before = *event;
        return true;
    }
    if (!read_entry(w, event)) {
        return false;
    }
    w->before = *event;
    return true;
}
