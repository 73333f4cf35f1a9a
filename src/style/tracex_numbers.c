/* SPDX-License-Identifier: Apache-2.0 */
/* tracex_numbers: the figures of TraceX's raw trace dump. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "style/tracex.h"

#define WINDOWS_MAX 256u  /* mutexes waited for at the same time */
#define SORTED_MAX  2048u /* event types that are sorted as TraceX sorts them */

/* RESUMEs that look ahead for the thread that runs next; see trx_statistics.c. */
struct preemptions {
    uint64_t current; /* thread; 0: none yet */
    bool pending;
    uint64_t resumes;     /* pending ones */
    uint64_t slices;      /* TIME_SLICEs meanwhile */
    uint64_t idle_slices; /* those of them that do not count without a thread */
    uint64_t last_next;
    bool last_is_resume;
};

struct counting {
    struct tracex *x;
    struct tracex_event previous;
    bool has_previous;
    uint64_t switched;
    struct preemptions p;
    uint64_t nesting;
    uint64_t time_slices; /* TIME_SLICE events */
    bool first_is_slice;
    uint32_t open[WINDOWS_MAX]; /* mutexes with an inversion, as objects in order */
    size_t opened;
    uint64_t started; /* event at which the latest inversion began */
    uint64_t *counts; /* by event id */
    uint16_t *order;  /* the ids in order of their first event */
    uint32_t ids;
    bool failed;
};

static bool is_special(uint64_t context)
{
    return context == TRX_ADDRESS_ISR || context == TRX_ADDRESS_INIT;
}

static bool tracex_numbers_is_a_thread(uint64_t context)
{
    return context != 0 && !is_special(context);
}

static void count_preemption(struct counting *counting, const struct tracex_event *event)
{
    struct preemptions *preemptions = &counting->p;
    if (preemptions->pending && tracex_numbers_is_a_thread(event->next)) {
        /* Counts what is pending when the thread that runs next is found. */
        uint64_t found = event->next;

        counting->x->preemptions += (found != preemptions->current) + preemptions->slices;
        preemptions->current = found;
        preemptions->pending = false;
        preemptions->slices = preemptions->resumes = preemptions->idle_slices = 0;
    }
    preemptions->last_next = event->next;
    preemptions->last_is_resume = event->id == TRX_ID_RESUME;
    if (event->id == TRX_ID_RESUME) {
        preemptions->pending = true;
        preemptions->resumes++;
    } else if (event->id == TRX_ID_TIME_SLICE && preemptions->pending) {
        preemptions->slices++;
        preemptions->idle_slices += event->next == preemptions->current;
    } else if (event->id == TRX_ID_TIME_SLICE) {
        counting->x->preemptions += event->next != preemptions->current;
    }
    if (event->id != TRX_ID_RESUME && tracex_numbers_is_a_thread(event->next)) {
        preemptions->current = event->next;
    }
}

static void end_preemptions(struct counting *counting)
{
    struct preemptions *preemptions = &counting->p;
    struct tracex *tracex = counting->x;
    uint64_t last = preemptions->last_is_resume ? 0 : preemptions->last_next;
    if (preemptions->pending) {
        uint64_t ahead = preemptions->resumes - preemptions->last_is_resume;
        tracex->preemptions += preemptions->last_next != preemptions->current ? ahead : 0;
        tracex->preemptions += preemptions->last_is_resume && preemptions->current != 0;
        tracex->preemptions += preemptions->slices - preemptions->idle_slices;
    }
    /* TraceX compares with what the walk above has left behind. */
    tracex->slices = tracex_numbers_is_a_thread(last) ? counting->first_is_slice
                     : last == 0                      ? 0
                                                      : counting->time_slices;
}

static void count_interrupt(struct counting *counting, const struct tracex_event *event)
{
    if (event->id == TRX_ID_ISR_ENTER) {
        counting->x->interrupts++;
        counting->x->nested += counting->nesting > 0;
        counting->nesting++;
    } else if (event->id == TRX_ID_ISR_EXIT) {
        counting->nesting -= counting->nesting > 0;
    } else if (event->context != TRX_ADDRESS_ISR) {
        counting->nesting = 0;
    } else if (counting->nesting == 0) {
        counting->x->interrupts++;
    }
}

static void count_time(struct counting *counting, const struct tracex_event *event)
{
    if (!counting->has_previous) {
        return;
    }
    struct tracex *tracex = counting->x;
    uint64_t ticks = event->ticks - counting->previous.ticks, next = counting->previous.next;
    uint32_t object =
        tracex_numbers_is_a_thread(next) ? trx_tracex_object(tracex, next) : TRX_TRACEX_NONE;
    tracex->interrupt_ticks += next == TRX_ADDRESS_ISR ? ticks : 0;
    tracex->idle_ticks += next == 0 ? ticks : 0;
    if (object != TRX_TRACEX_NONE) {
        tracex->objects[object].ticks += ticks;
    }
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Returns the word in which TraceX looks for the stack pointer; 4: none. */
static unsigned stack_word(uint32_t id)
{
    static const uint8_t words[130] = {
        [1] = 3,   [2] = 3,   [3] = 1,   [4] = 1,   [12] = 2,  [16] = 3,  [17] = 4,  [21] = 4,
        [22] = 2,  [26] = 3,  [30] = 2,  [31] = 2,  [40] = 2,  [50] = 3,  [51] = 2,  [56] = 3,
        [57] = 4,  [61] = 2,  [62] = 2,  [67] = 3,  [81] = 3,  [82] = 2,  [83] = 4,  [87] = 3,
        [88] = 4,  [100] = 3, [101] = 2, [102] = 3, [109] = 1, [111] = 3, [112] = 3, [114] = 3,
        [115] = 3, [117] = 3, [120] = 2, [125] = 2, [127] = 2,
    };
    return id < sizeof words && words[id] > 0 ? words[id] - 1u : 4;
}

static void count_stack(struct tracex_object *object, const struct tracex_event *event)
{
    unsigned word = stack_word(event->id);
    if (word == 4) {
        return;
    }
    uint64_t start = object->object ? object->object->parameters[0] : 0,
             pointer = event->info[word];
    uint64_t left = pointer < start ? 0 : pointer - start;
    if (pointer < start || left < object->stack_min) {
        object->stack_min = left;
        object->stack_event = event->number;
    }
}

static void tracex_numbers_widen(uint64_t *low, uint64_t *high, uint64_t value)
{
    bool first = *low == TRX_TRACEX_NONE;
    *low = first || value > *low ? value : *low;
    *high = first || value < *high ? value : *high;
}

static void tracex_numbers_count_thread(struct counting *counting, const struct tracex_event *event)
{
    if (event->object == TRX_TRACEX_NONE) {
        return;
    }
    struct tracex_object *object = &counting->x->objects[event->object];
    object->events++;
    if (!object->is_thread) {
        return;
    }
    bool known = !event->inserted || object->priority != TRX_TRACEX_NONE ||
                 object->first_priority != TRX_TRACEX_NONE;
    if (known) {
        tracex_numbers_widen(&object->low, &object->high, event->priority);
    }
    /* TraceX takes the first threshold after an event without one, and all of inserted events. */
    if (event->inserted && event->has_threshold) {
        tracex_numbers_widen(&object->inserted_low, &object->inserted_high, event->threshold);
    } else if (!event->inserted && !event->has_threshold) {
        object->threshold_low = TRX_TRACEX_NONE;
    } else if (!event->inserted && object->threshold_low == TRX_TRACEX_NONE) {
        object->threshold_low = object->threshold_high = event->threshold;
    }
    for (uint32_t i = event->object;;) {
        count_stack(&counting->x->objects[i], event);
        i = counting->x->objects[i].twin;
        if (i == 0) {
            break;
        }
    }
}

/* ---- priority inversions ------------------------------------------------------------------- */

/* TraceX takes the first object for an address that has none. */
static struct tracex_object *object_or_first(struct tracex *tracex, uint64_t address)
{
    uint32_t object = trx_tracex_object(tracex, address);
    return object < tracex->object_count ? &tracex->objects[object] : &tracex->objects[0];
}

/* Lists an inversion that ends with the next event of the thread, from the current one on. */
static void list_inversion(struct counting *counting, const struct tracex_event *event,
                           uint64_t thread, bool bad)
{
    struct tracex *tracex = counting->x;
    struct tracex_inversion *room =
        tt_array_grow(tracex->inversions, tracex->listed, &tracex->list_capacity, sizeof *room);
    if (!room) {
        counting->failed = true;
        return;
    }
    tracex->inversions = room;
    struct tracex_inversion *inversion = &room[tracex->listed];
    *inversion = (struct tracex_inversion){.begin = counting->started,
                                           .end = event->number,
                                           .sequence = (uint32_t)tracex->listed++,
                                           .bad = bad};
    uint32_t object =
        event->context == thread ? TRX_TRACEX_NONE : trx_tracex_object(tracex, thread);
    if (object != TRX_TRACEX_NONE) {
        inversion->following = tracex->objects[object].waiting;
        tracex->objects[object].waiting = (uint32_t)tracex->listed;
    }
}

static void end_waiting(struct counting *counting, const struct tracex_event *event)
{
    struct tracex *tracex = counting->x;
    if (event->object == TRX_TRACEX_NONE) {
        return;
    }
    uint32_t next = tracex->objects[event->object].waiting;
    tracex->objects[event->object].waiting = 0;
    while (next > 0) {
        tracex->inversions[next - 1].end = event->number;
        next = tracex->inversions[next - 1].following;
    }
}

static void remove_open(struct counting *counting, size_t place)
{
    counting->x->objects[counting->open[place]].blocked = 0;
    memmove(&counting->open[place], &counting->open[place + 1],
            (--counting->opened - place) * sizeof *counting->open);
}

static bool open_window(struct counting *counting, const struct tracex_event *event,
                        struct tracex_object *mutex)
{
    struct tracex *tracex = counting->x;
    if (event->id != TRX_ID_MUTEX_GET || event->info[2] == 0 || event->info[2] == event->context) {
        return false;
    }
    const struct tracex_object *owner = object_or_first(tracex, event->info[2]);
    if (owner->owner_priority == TRX_TRACEX_NONE || event->priority >= owner->owner_priority ||
        mutex->blocked != 0 || counting->opened == WINDOWS_MAX) {
        return false;
    }
    tracex->inversion_count++;
    mutex->blocked = event->context;
    mutex->blocked_priority = event->priority;
    mutex->owner = event->info[2];
    counting->started = event->number;
    uint32_t object = (uint32_t)(mutex - tracex->objects);
    size_t place = counting->opened++;
    while (place > 0 && counting->open[place - 1] > object) {
        counting->open[place] = counting->open[place - 1];
        place--;
    }
    counting->open[place] = object;
    return true;
}

static void count_inversions(struct counting *counting, const struct tracex_event *event)
{
    struct tracex *tracex = counting->x;
    if (event->context >= TRX_ADDRESS_INIT && event->context <= TRX_ADDRESS_ISR) {
        return;
    }
    object_or_first(tracex, event->context)->owner_priority = event->priority;
    struct tracex_object *mutex = object_or_first(tracex, event->info[0]);
    if (open_window(counting, event, mutex)) {
        return;
    }
    if (event->id == TRX_ID_MUTEX_PUT && mutex->blocked != 0 && event->info[2] == 1) {
        list_inversion(counting, event, mutex->blocked, false);
        for (size_t i = 0; i < counting->opened; i++) {
            if (&tracex->objects[counting->open[i]] == mutex) {
                remove_open(counting, i);
                break;
            }
        }
        return;
    }
    for (size_t i = 0; i < counting->opened;) {
        const struct tracex_object *object = &tracex->objects[counting->open[i]];
        if (event->context != object->owner && event->priority > object->blocked_priority) {
            tracex->bad_count++;
            list_inversion(counting, event, object->blocked, true);
            remove_open(counting, i);
        } else {
            i++;
        }
    }
}

static int compare_inversions(const void *x, const void *y)
{
    const struct tracex_inversion *left = x, *right = y;
    if (left->begin != right->begin) {
        return left->begin < right->begin ? -1 : 1;
    }
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

/* ---- popular services ---------------------------------------------------------------------- */

static int compare_popular(const void *x, const void *y)
{
    const struct tracex_popular *left = x, *right = y;
    return left->count > right->count   ? -1
           : left->count < right->count ? 1
           : left->id < right->id       ? -1
                                        : left->id > right->id;
}

/* Sorts by count as TraceX does, which determines the order of equal counts. */
static void sort_popular(struct tracex_popular *list, size_t count)
{
    if (count > SORTED_MAX) {
        qsort(list, count, sizeof *list, compare_popular);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (list[i].count < list[j].count) {
                struct tracex_popular other = list[i];
                list[i] = list[j];
                list[j] = other;
            }
        }
    }
}

static bool list_popular(struct counting *counting)
{
    struct tracex *tracex = counting->x;
    tracex->popular = calloc((size_t)counting->ids + 1, sizeof *tracex->popular);
    if (!tracex->popular) {
        return false;
    }
    for (uint32_t i = 0; i < counting->ids; i++) {
        tracex->popular[i] =
            (struct tracex_popular){counting->order[i], counting->counts[counting->order[i]]};
    }
    tracex->popular_count = counting->ids;
    sort_popular(tracex->popular, tracex->popular_count);
    return true;
}

/* ---- the walks ----------------------------------------------------------------------------- */

static void count_event(struct counting *counting, const struct tracex_event *event)
{
    struct tracex *tracex = counting->x;
    tracex->events++;
    tracex->ticks = event->ticks;
    tracex->suspensions += event->id == TRX_ID_SUSPEND;
    tracex->resumptions += event->id == TRX_ID_RESUME;
    counting->time_slices += event->id == TRX_ID_TIME_SLICE;
    counting->first_is_slice |= event->number == 0 && event->id == TRX_ID_TIME_SLICE;

    /*
     * ---- the system ----------------------------------------------------------------------------
     */
    if (counting->switched == 0 && !is_special(event->context)) {
        counting->switched = event->context;
    }
    counting->x->switches +=
        counting->switched != 0 && !is_special(event->next) && counting->switched != event->next;
    if (tracex_numbers_is_a_thread(event->next)) {
        counting->switched = event->next;
    }

    count_preemption(counting, event);
    count_interrupt(counting, event);
    count_time(counting, event);

    if (event->id != TRX_ID_RUNNING) {
        if (counting->counts[event->id]++ == 0) {
            counting->order[counting->ids++] = (uint16_t)event->id;
        }
    }

    tracex_numbers_count_thread(counting, event);
    end_waiting(counting, event);
    if (tracex->object_count > 0) {
        count_inversions(counting, event);
    }
    counting->previous = *event;
    counting->has_previous = true;
}

/* Sets the first priority of each thread, which the rule of inversions takes as the owner's. */
static void find_owner_priorities(struct tracex *tracex)
{
    struct tracex_walk w;
    struct tracex_event e;
    trx_tracex_walk_begin(tracex, &w);
    while (tracex->object_count > 0 && trx_tracex_walk_next(&w, &e)) {
        if (e.context >= TRX_ADDRESS_INIT && e.context <= TRX_ADDRESS_ISR) {
            continue;
        }
        struct tracex_object *object = object_or_first(tracex, e.context);
        if (object->owner_priority == TRX_TRACEX_NONE) {
            object->owner_priority = e.priority;
        }
    }
}

static bool count_all(struct counting *counting)
{
    struct tracex_walk w;
    struct tracex_event e;
    find_owner_priorities(counting->x);
    trx_tracex_walk_begin(counting->x, &w);
    while (!counting->failed && trx_tracex_walk_next(&w, &e)) {
        count_event(counting, &e);
    }
    end_preemptions(counting);

    struct tracex *tracex = counting->x;
    for (uint32_t i = 0; i < tracex->object_count; i++) {
        struct tracex_object *object = &tracex->objects[i];
        if (object->inserted_low != TRX_TRACEX_NONE) {
            tracex_numbers_widen(&object->threshold_low, &object->threshold_high,
                                 object->inserted_low);
            tracex_numbers_widen(&object->threshold_low, &object->threshold_high,
                                 object->inserted_high);
        }
    }

    if (counting->x->listed > 0) {
        qsort(counting->x->inversions, counting->x->listed, sizeof *counting->x->inversions,
              compare_inversions);
    }
    return !counting->failed && list_popular(counting);
}

/* Adds a row of a table to its sums. */
static bool add_values(void *arg, const struct tt_tool_row *row)
{
    uint64_t *sums = arg;
    for (size_t i = 0; i < TT_TOOL_VALUES; i++) {
        sums[i] += row->values[i];
    }
    return true;
}

bool trx_tracex_count(struct tracex *tracex, const struct tt_capture *capture)
{
    struct counting n = {.x = tracex};
    struct tt_tool_query query = {.table = TT_TOOL_FILEX, .range = {0, 0, UINT64_MAX, UINT64_MAX}};
    n.counts = calloc(65536, sizeof *n.counts);
    n.order = calloc(65536, sizeof *n.order);
    bool ok = n.counts && n.order && count_all(&n) &&
              trx_tool_rows(capture, &query, tracex->limit, add_values, tracex->filex);
    query.table = TT_TOOL_NETX;
    ok = ok && trx_tool_rows(capture, &query, tracex->limit, add_values, tracex->netx);
    free(n.counts);
    free(n.order);
    return ok;
}
