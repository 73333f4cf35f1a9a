/* SPDX-License-Identifier: Apache-2.0 */
/*
 * services: the table of the events of each thread by name, the most frequent first. The events of no
 * thread have a row per name too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "table/sums.h"

#define BATCH     512u
#define LIST_WORK 32u /* cost of packing a row, in events */

/* The events of a thread with one name. */
struct service {
    uint32_t thread;
    uint32_t type; /* the first of those with the name */
    uint64_t count;
    uint64_t first_at;
};

struct service_row {
    struct tt_subject of; /* thread, name and class */
    const char *class_name;
    uint64_t count;
    uint64_t first_at;
};

struct services {
    uint64_t row; /* next event */
    bool counted;
    struct tt_heap_sort sort; /* of the items, once all events are counted */
    struct service *items;
    size_t count;
    size_t capacity;
    struct tt_hash by_key;
    uint32_t *name_of; /* by type: the first type with its class and name */
    uint32_t types;
    struct tt_hash by_name;
    struct tt_event events[BATCH];
};

/* ---- counting ------------------------------------------------------------------------------ */

/* Returns the first type with the name of a type, which is added if it is new. */
static uint32_t first_type(struct services *services, const struct tt_capture *capture,
                           uint32_t number)
{
    const struct tt_event_type *type = tt_types_at(capture, number);
    uint64_t hash = tt_hash_of_pair(tt_hash_of(type->name, strlen(type->name)), type->class_id);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&services->by_name, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&services->by_name, &probe)) {
        const struct tt_event_type *other = tt_types_at(capture, i);
        if (other->class_id == type->class_id && strcmp(other->name, type->name) == 0) {
            return i;
        }
    }
    return tt_hash_add(&services->by_name, hash, number) ? number : TT_HASH_NONE;
}

/* Finds the names of the types that have been added since the last call. */
static bool services_add_types(struct services *services, const struct tt_capture *capture)
{
    uint32_t types = tt_types_count(capture);
    if (types == services->types) {
        return true;
    }
    uint32_t *room = realloc(services->name_of, types * sizeof *room);
    if (!room) {
        return false;
    }
    services->name_of = room;
    for (; services->types < types; services->types++) {
        room[services->types] = first_type(services, capture, services->types);
        if (room[services->types] == TT_HASH_NONE) {
            return false;
        }
    }
    return true;
}

/* Returns the item of a thread and a name, which is added if it is new; NULL if out of memory. */
static struct service *item_of(struct services *services, uint32_t thread, uint32_t type)
{
    uint64_t hash = tt_hash_of_pair(thread, type);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&services->by_key, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&services->by_key, &probe)) {
        if (services->items[i].thread == thread && services->items[i].type == type) {
            return &services->items[i];
        }
    }
    struct service *room =
        tt_array_grow(services->items, services->count, &services->capacity, sizeof *room);
    if (!room) {
        return NULL;
    }
    services->items = room;
    if (!tt_hash_add(&services->by_key, hash, (uint32_t)services->count)) {
        return NULL;
    }
    services->items[services->count] = (struct service){.thread = thread, .type = type};
    return &services->items[services->count++];
}

/* Counts the events of this step; PART: there are more. */
static enum tt_made count_events(struct tt_table_run *run, struct services *services)
{
    const struct tt_table_request *request = &run->request;
    if (!services_add_types(services, run->capture)) {
        return TT_MADE_NO_MEMORY;
    }
    services->row = services->row > request->first_row ? services->row : request->first_row;
    while (services->row < request->end_row) {
        uint64_t left = request->end_row - services->row;
        uint32_t count = tt_events_read(request->events, services->row,
                                        left < BATCH ? (uint32_t)left : BATCH, services->events);
        if (count == 0) {
            run->shrunk = true;
            return TT_MADE_ALL;
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &services->events[i];
            if (event->type >= services->types ||
                event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION) ||
                !tt_table_includes(run, event->thread) ||
                !tt_bit_selects(request->window.cpus, request->window.cpu_limit, event->cpu) ||
                (request->wanted && !request->wanted(request->wanted_arg, services->row + i))) {
                continue;
            }
            struct service *item = item_of(services, event->thread, services->name_of[event->type]);
            if (!item) {
                return TT_MADE_NO_MEMORY;
            }
            item->first_at = item->count == 0 ? event->ticks : item->first_at;
            item->count++;
        }
        services->row += count;
        if (!tt_table_spend(run, count) && services->row < request->end_row) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Returns whether `a` has its place after `b`: the last row is the first of the heap. */
static bool services_comes_after(const void *x, const void *y)
{
    const struct service *left = x, *right = y;
    if (left->count != right->count) {
        return left->count < right->count;
    }
    if (left->thread != right->thread) {
        return left->thread > right->thread;
    }
    return left->type > right->type;
}

static bool make_service(const struct tt_table_run *run, size_t index, void *room)
{
    const struct service *item = &((const struct services *)run->state)->items[index];
    const struct tt_event_type *type = tt_types_at(run->capture, item->type);
    struct service_row *row = room;
    row->of.thread = item->thread;
    row->of.name = type->name;
    row->of.class_id = type->class_id;
    row->class_name = tt_classes_name(run->capture, type->class_id);
    row->count = item->count;
    row->first_at = item->first_at;
    return true;
}

static enum tt_made refresh_services(struct tt_table_run *run)
{
    const struct services *services = run->state;
    return services->counted ? TT_MADE_ALL
                             : tt_table_list_step(run, services->count, make_service, LIST_WORK);
}

/* Counts, then sorts and lists; from the sort on the tables of hashes are not used. */
static enum tt_made step_services(struct tt_table_run *run)
{
    struct services *services = run->state;
    if (!services->counted) {
        enum tt_made made = count_events(run, services);
        services->counted = made == TT_MADE_ALL;
        if (made != TT_MADE_ALL || run->work == 0) {
            return made == TT_MADE_ALL ? TT_MADE_PART : made;
        }
    }
    return tt_table_sort_step(run, &services->sort, services->items, services->count,
                              sizeof *services->items, services_comes_after, false)
               ? tt_table_list_step(run, services->count, make_service, LIST_WORK)
               : TT_MADE_PART;
}

static unsigned percent_of_services(const struct tt_table_run *run)
{
    const struct services *services = run->state;
    const struct tt_table_request *request = &run->request;
    uint64_t whole =
        request->end_row > request->first_row ? request->end_row - request->first_row : 0;
    return tt_table_percent_of(
        services->row > request->first_row ? services->row - request->first_row : 0, whole);
}

static void end_services(struct tt_table_run *run)
{
    struct services *services = run->state;
    free(services->items);
    free(services->name_of);
    tt_hash_free(&services->by_key);
    tt_hash_free(&services->by_name);
}

static bool place_of_first(const struct tt_table_run *run, const struct tt_table_column *column,
                           const void *row, struct tt_table_place *place)
{
    (void)run;
    (void)column;
    place->at = ((const struct service_row *)row)->first_at;
    return place->at != TT_TABLE_NONE;
}

#define ROW struct service_row

/* clang-format off */
static const struct tt_table_column service_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 1, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("class", "class", TEXT, class_name, SCREEN("", "class", 5, 5), "Class of the event.", .is_key = true),
    COLUMN("event", "event", TEXT, of.name, SCREEN("", "event", 0, 4), "Name of the event.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 2, 6), "Number of the events."),
    COLUMN("rate_hz", "rate", RATE, count, SCREEN("", "rate", 3, 7), "Number of them per second."),
    COLUMN("first_at", NULL, AT, first_at, SCREEN("", "first", 4, 8), "When the first of them was."),
};
/* clang-format on */

const struct tt_table tt_table_services = {
    NAMES("service", "Services", "The events of a thread and a name.", "[thread] [event]"),
    .row_title = "[event] of [thread]",
    COLUMNS(service_columns),
    OF_ROW(struct service_row),
    .state_size = sizeof(struct services),
    .filter = TT_FILTER_EVENTS,
    .order = "count",
    .step = step_services,
    .refresh = refresh_services,
    .percent = percent_of_services,
    .end = end_services,
    .place = place_of_first,
};
