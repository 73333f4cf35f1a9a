/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_services: rows of the events of each thread by name, the most frequent first. The events of no
 * thread have a row per name too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/heap.h"
#include "table/builder.h"

#define BATCH     512u
#define LIST_WORK 32u /* cost of packing a row, in events */
#define SORT_WORK 16u /* cost of a step of the sort */

/* The events of a thread with one name. */
struct service {
    uint32_t thread;
    uint32_t type; /* the first of those with the name */
    uint64_t count;
    uint64_t first_at;
};

struct tt_services {
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

void tt_services_free(struct tt_services *services)
{
    if (services) {
        free(services->items);
        free(services->name_of);
        tt_hash_free(&services->by_key);
        tt_hash_free(&services->by_name);
        free(services);
    }
}

unsigned tt_services_percent(const struct tt_stat_builder *m)
{
    const struct tt_table_request *r = &m->request;
    uint64_t whole = r->end_row > r->first_row ? r->end_row - r->first_row : 0;
    uint64_t done = m->services->row > r->first_row ? m->services->row - r->first_row : 0;
    return whole > 0 && done < whole ? (unsigned)((double)done * 100.0 / (double)whole) : 99;
}

/* ---- counting ------------------------------------------------------------------------------ */

/* Returns the first type with the name of a type, which is added if it is new. */
static uint32_t first_type(struct tt_services *s, const struct tt_capture *c, uint32_t number)
{
    const struct tt_event_type *type = tt_types_at(c, number);
    uint64_t hash = tt_hash_of_pair(tt_hash_of(type->name, strlen(type->name)), type->class_id);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&s->by_name, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&s->by_name, &probe)) {
        const struct tt_event_type *other = tt_types_at(c, i);
        if (other->class_id == type->class_id && strcmp(other->name, type->name) == 0) {
            return i;
        }
    }
    return tt_hash_add(&s->by_name, hash, number) ? number : TT_HASH_NONE;
}

/* Finds the names of the types that have been added since the last call. */
static bool add_types(struct tt_services *s, const struct tt_capture *c)
{
    uint32_t types = tt_types_count(c);
    if (types == s->types) {
        return true;
    }
    uint32_t *room = realloc(s->name_of, types * sizeof *room);
    if (!room) {
        return false;
    }
    s->name_of = room;
    for (; s->types < types; s->types++) {
        room[s->types] = first_type(s, c, s->types);
        if (room[s->types] == TT_HASH_NONE) {
            return false;
        }
    }
    return true;
}

/* Returns the item of a thread and a name, which is added if it is new; NULL if out of memory. */
static struct service *item_of(struct tt_services *s, uint32_t thread, uint32_t type)
{
    uint64_t hash = tt_hash_of_pair(thread, type);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&s->by_key, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&s->by_key, &probe)) {
        if (s->items[i].thread == thread && s->items[i].type == type) {
            return &s->items[i];
        }
    }
    struct service *room = tt_array_grow(s->items, s->count, &s->capacity, sizeof *room);
    if (!room) {
        return NULL;
    }
    s->items = room;
    if (!tt_hash_add(&s->by_key, hash, (uint32_t)s->count)) {
        return NULL;
    }
    s->items[s->count] = (struct service){.thread = thread, .type = type};
    return &s->items[s->count++];
}

static bool is_wanted(const struct tt_table_request *r, const struct tt_event *event, uint64_t row)
{
    const struct tt_window *w = &r->window;
    return !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) &&
           tt_bit_selects(r->threads, r->thread_limit, event->thread) &&
           tt_bit_selects(w->cpus, w->cpu_limit, event->cpu) &&
           (!r->wanted || r->wanted(r->wanted_arg, row));
}

static bool count_batch(struct tt_stat_builder *m, uint32_t count)
{
    struct tt_services *s = m->services;
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_event *event = &s->events[i];
        if (event->type >= s->types || !is_wanted(&m->request, event, s->row + i)) {
            continue;
        }
        struct service *item = item_of(s, event->thread, s->name_of[event->type]);
        if (!item) {
            return false;
        }
        item->first_at = item->count == 0 ? event->ticks : item->first_at;
        item->count++;
    }
    return true;
}

/* Counts the events of this step; PART: there are more. */
static enum tt_made count_events(struct tt_stat_builder *m)
{
    struct tt_services *s = m->services;
    if (!add_types(s, m->capture)) {
        return TT_MADE_NO_MEMORY;
    }
    while (s->row < m->request.end_row) {
        uint64_t left = m->request.end_row - s->row;
        uint32_t count = tt_events_read(m->request.events, s->row,
                                        left < BATCH ? (uint32_t)left : BATCH, s->events);
        if (count == 0) {
            m->sheet->shrunk = true;
            return TT_MADE_ALL;
        }
        if (!count_batch(m, count)) {
            return TT_MADE_NO_MEMORY;
        }
        s->row += count;
        if (!tt_sheet_spend(m, count) && s->row < m->request.end_row) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Returns whether `a` has its place after `b`: the last row is the first of the heap. */
static bool comes_after(const void *x, const void *y)
{
    const struct service *a = x, *b = y;
    if (a->count != b->count) {
        return a->count < b->count;
    }
    if (a->thread != b->thread) {
        return a->thread > b->thread;
    }
    return a->type > b->type;
}

static bool add_service(struct tt_stat_builder *m, const struct service *item)
{
    const struct tt_event_type *type = tt_types_at(m->capture, item->type);
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = item->thread;
    row.count = item->count;
    row.first_at = item->first_at;
    row.e.class_name = tt_classes_name(m->capture, type->class_id);
    row.e.class_id = type->class_id;
    row.e.name = type->name;
    row.settled = true;
    return tt_table_add_new(m->sheet, &row);
}

/* Lists the items in steps; the sheet has them when ALL is returned. */
static enum tt_made list_rows(struct tt_stat_builder *m)
{
    const struct tt_services *s = m->services;
    if (!m->sheet->store->new_rows && !tt_table_reserve_new(m->sheet, s->count)) {
        return TT_MADE_NO_MEMORY;
    }
    while (m->sheet->store->new_count < s->count) {
        if (!add_service(m, &s->items[m->sheet->store->new_count])) {
            return TT_MADE_NO_MEMORY;
        }
        if (!tt_sheet_spend(m, LIST_WORK) && m->sheet->store->new_count < s->count) {
            return TT_MADE_PART;
        }
    }
    tt_table_use_new(m->sheet);
    return TT_MADE_ALL;
}

enum tt_made tt_refresh_services(struct tt_stat_builder *m)
{
    if (m->services->counted) {
        return TT_MADE_ALL;
    }
    enum tt_made made = list_rows(m);
    m->sheet->store->refreshing = made == TT_MADE_PART;
    return made;
}

/* Sorts the items in steps; from here on the tables of hashes are not used. */
static bool sort_services(struct tt_stat_builder *m)
{
    struct tt_services *s = m->services;
    size_t steps = m->work / SORT_WORK + 1;
    uint64_t before = s->sort.added + s->sort.placed;
    bool sorted =
        tt_heap_sort_step(s->items, s->count, sizeof *s->items, &s->sort, steps, comes_after);
    tt_sheet_spend(m, (s->sort.added + s->sort.placed - before) * SORT_WORK);
    return sorted;
}

enum tt_made tt_make_services(struct tt_stat_builder *m)
{
    if (!m->services) {
        m->services = calloc(1, sizeof *m->services);
        if (!m->services) {
            return TT_MADE_NO_MEMORY;
        }
        m->services->row = m->request.first_row;
    }
    if (!m->services->counted) {
        enum tt_made made = count_events(m);
        m->services->counted = made == TT_MADE_ALL;
        if (made != TT_MADE_ALL || m->work == 0) {
            return made == TT_MADE_ALL ? TT_MADE_PART : made;
        }
    }
    return sort_services(m) ? list_rows(m) : TT_MADE_PART;
}
