/* SPDX-License-Identifier: Apache-2.0 */
/* The longest messages of a window: a heap whose root is the shortest one kept. */
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/message_list.h"
#include "base/bits.h"
#include "base/heap.h"

#define FIRST_UPDATE   256u /* messages */
#define WORK_A_MESSAGE 20u  /* intervals that cost as much as a message */

struct tt_message_list {
    struct tt_message_window window;
    size_t limit;
    const struct tt_timelines *t; /* of the current step */
    uint32_t number;              /* generation of the timelines; 0: not begun */
    struct tt_message_walk walk;
    bool prepared;        /* the walk is */
    uint64_t reached;     /* begin of the last message */
    uint64_t all;         /* messages in the window */
    uint64_t next_update; /* number of messages at which `items` is updated */
    struct tt_listed_message *heap;
    size_t count;
    struct tt_listed_message *items;
    size_t item_count;
    uint64_t item_all;
    unsigned version;
};

/* <0 if `x` comes first: the longest, then the earliest. */
static int messages_list_compare(const void *x, const void *y)
{
    const struct tt_listed_message *left = x, *right = y;
    uint64_t p = tt_message_begin(&left->message), q = tt_message_begin(&right->message);
    if (left->length != right->length) {
        return left->length > right->length ? -1 : 1;
    }
    if (p != q) {
        return p < q ? -1 : 1;
    }
    return (left->message.row > right->message.row) - (left->message.row < right->message.row);
}

static bool messages_list_is_after(const void *a, const void *b)
{
    return messages_list_compare(a, b) > 0;
}

static uint64_t messages_list_length_of(const struct tt_message_list *list,
                                        const struct tt_listed_message *item)
{
    const struct tt_message *message = &item->message;
    uint64_t begin = tt_message_begin(message);
    uint64_t end = tt_timelines_end_of(list->t, tt_message_row_system(list->t, message->row));
    if (item->parts.round != TT_NO_TIME) {
        return item->parts.round;
    }
    end = end < list->window.to ? end : list->window.to;
    end = message->how == TT_MESSAGE_OPEN ? end : message->last;
    return end > begin ? end - begin : 0;
}

static bool messages_list_is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return thread < window->thread_limit && tt_bit_at(window->threads, thread);
}

static void messages_list_add(struct tt_message_list *list, const struct tt_message *message)
{
    const struct tt_message_window *window = &list->window;
    struct tt_listed_message item = {.message = *message};
    if (window->threads && !messages_list_is_picked(window, message->client) &&
        !messages_list_is_picked(window, message->server)) {
        return;
    }
    tt_message_parts_of(list->t, message, &item.parts);
    uint64_t last = item.parts.run != TT_NO_TIME ? item.parts.run : message->last;
    if (message->how != TT_MESSAGE_OPEN && last < window->from) {
        return;
    }
    item.length = messages_list_length_of(list, &item);
    list->all++;

    list->count = tt_heap_keep(list->heap, list->count, list->limit, sizeof item, &item,
                               messages_list_is_after);
}

struct tt_message_list *tt_message_list_new(const struct tt_message_window *window, size_t limit)
{
    struct tt_message_list *list = calloc(1, sizeof *list);
    if (!list) {
        return NULL;
    }
    list->window = *window;
    list->limit = limit;
    list->heap = calloc(limit + 1, sizeof *list->heap);
    list->items = calloc(limit + 1, sizeof *list->items);
    if (!list->heap || !list->items) {
        tt_message_list_free(list);
        return NULL;
    }
    return list;
}

static bool messages_list_begin(struct tt_message_list *list)
{
    tt_message_walk_free(&list->walk);
    list->count = 0;
    list->all = list->reached = 0;
    list->next_update = FIRST_UPDATE;
    list->number = tt_timelines_number(list->t);
    list->prepared = false;
    return tt_message_walk_start(&list->walk, list->t, list->window.from, true);
}

bool tt_message_list_step(struct tt_message_list *list, const struct tt_timelines *timelines,
                          uint64_t *work, bool *done)
{
    struct tt_message m;
    list->t = timelines;
    *done = false;
    if (list->number != tt_timelines_number(timelines) && !messages_list_begin(list)) {
        return false;
    }
    list->prepared = list->prepared || tt_message_walk_prepare(&list->walk, work);
    while (list->prepared && *work > 0 && !*done) {
        *work -= *work < WORK_A_MESSAGE ? *work : WORK_A_MESSAGE;
        if (!tt_message_walk_next(&list->walk, &m) || tt_message_begin(&m) >= list->window.to) {
            *done = true;
        } else {
            list->reached = tt_message_begin(&m);
            messages_list_add(list, &m);
        }
        if (*done || list->all >= list->next_update) {
            if (list->count > 0) {
                memcpy(list->items, list->heap, list->count * sizeof *list->items);
                qsort(list->items, list->count, sizeof *list->items, messages_list_compare);
            }
            list->item_count = list->count;
            list->item_all = list->all;
            list->version++;
            list->next_update = list->all > FIRST_UPDATE / 2 ? list->all * 2 : FIRST_UPDATE;
        }
    }
    return true;
}

const struct tt_listed_message *tt_message_list_items(const struct tt_message_list *list,
                                                      size_t *count, uint64_t *all,
                                                      unsigned *version)
{
    *count = list->item_count;
    *all = list->item_all;
    *version = list->version;
    return list->items;
}

unsigned tt_message_list_percent(const struct tt_message_list *list)
{
    return tt_message_percent(list->t, &list->window, list->reached);
}

void tt_message_list_free(struct tt_message_list *list)
{
    if (list) {
        tt_message_walk_free(&list->walk);
        free(list->heap);
        free(list->items);
        free(list);
    }
}
