/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracetui/timeline.h"

/* A row of slices: the next one to visit. */
struct calls_row {
    bool more;
    struct tt_slice next;
    struct tt_slice_at at;
};

/* A call that is open in the walk. */
struct calls_frame {
    uint32_t call;
    uint64_t begun;            /* of the slice */
    uint64_t start, end;       /* inside the window and the caller */
    uint64_t run_before;       /* run time of the thread at the begin */
    uint64_t below, run_below; /* of the calls that it made */
    bool is_whole;             /* begin and end are known, and the end is in the window */
    uint64_t length, ended;    /* of the slice */
};

/* The run time of the thread up to a time that only grows. */
struct calls_clock {
    uint64_t at, run;
    bool more;
    uint32_t count, index;
    struct tt_interval_at place;
    struct tt_interval list[TT_INTERVALS];
};

struct tt_calls_walk {
    const struct tt_timelines *timelines;
    uint32_t thread, rows, depth; /* `depth`: number of open frames */
    struct calls_clock clock;
    struct calls_row row[TT_SLICE_DEPTHS];
    struct calls_frame frame[TT_SLICE_DEPTHS];
};

void tt_calls_begin(struct tt_calls *calls, const struct tt_capture *capture, uint64_t from,
                    uint64_t to)
{
    *calls = (struct tt_calls){.capture = capture, .from = from, .to = to, .first = TT_NO_CALL};
}

void tt_calls_free(struct tt_calls *calls)
{
    free(calls->calls);
    free(calls->names);
    free(calls->walk);
    tt_hash_free(&calls->by_name);
    tt_hash_free(&calls->by_call);
    tt_calls_begin(calls, calls->capture, calls->from, calls->to);
}

/* ---- names and nodes ---------------------------------------------------------------------- */

static bool is_same_name(const struct tt_capture *capture, uint32_t left, uint32_t right)
{
    const struct tt_event_type *first = tt_types_at(capture, left);
    const struct tt_event_type *second = tt_types_at(capture, right);
    return left == right ||
           (first->class_id == second->class_id && strcmp(first->name, second->name) == 0);
}

/*
 * Returns the name of a process's slices of a type, which is added if it is new; TT_NO_CALL if out of memory. Types
 * with equal names are one: each is found by its number, and a new one by its text.
 */
static uint32_t calls_name_of(struct tt_calls *calls, uint32_t process, uint32_t type)
{
    struct tt_probe probe;
    const uint64_t hash = tt_hash_of_pair(process, type);
    for (uint32_t i = tt_hash_first(&calls->by_name, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&calls->by_name, &probe)) {
        if (calls->names[i].process == process &&
            is_same_name(calls->capture, calls->names[i].type, type)) {
            return i;
        }
    }
    const struct tt_event_type *its = tt_types_at(calls->capture, type);
    const uint64_t text = tt_hash_of(its->name, strlen(its->name));
    const uint64_t by_text = tt_hash_of_pair(text, (uint64_t)process << 32 | its->class_id);
    for (uint32_t i = tt_hash_first(&calls->by_name, by_text, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&calls->by_name, &probe)) {
        if (calls->names[i].process == process &&
            is_same_name(calls->capture, calls->names[i].type, type)) {
            return tt_hash_add(&calls->by_name, hash, i) ? i : TT_NO_CALL;
        }
    }
    struct tt_call_name *names =
        tt_array_grow(calls->names, calls->name_count, &calls->name_capacity, sizeof *names);
    const uint32_t added = (uint32_t)calls->name_count;
    if (!names || added == TT_NO_CALL) {
        return TT_NO_CALL;
    }
    calls->names = names;
    names[added] = (struct tt_call_name){.process = process, .type = type};
    if (!tt_hash_add(&calls->by_name, hash, added) ||
        !tt_hash_add(&calls->by_name, by_text, added)) {
        return TT_NO_CALL;
    }
    calls->name_count++;
    return added;
}

/* Returns the node of a name below a node, which is added if it is new; TT_NO_CALL if out of memory. */
static uint32_t calls_node_of(struct tt_calls *calls, uint32_t parent, uint32_t name)
{
    struct tt_probe probe;
    const uint64_t hash = tt_hash_of_pair(parent, name);
    for (uint32_t i = tt_hash_first(&calls->by_call, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&calls->by_call, &probe)) {
        if (calls->calls[i].parent == parent && calls->calls[i].name == name) {
            return i;
        }
    }
    struct tt_call *nodes =
        tt_array_grow(calls->calls, calls->call_count, &calls->call_capacity, sizeof *nodes);
    const uint32_t added = (uint32_t)calls->call_count;
    if (!nodes || added == TT_NO_CALL || !tt_hash_add(&calls->by_call, hash, added)) {
        calls->calls = nodes ? nodes : calls->calls;
        return TT_NO_CALL;
    }
    calls->calls = nodes;
    uint32_t *link = parent == TT_NO_CALL ? &calls->first : &nodes[parent].child;
    nodes[added] = (struct tt_call){.name = name,
                                    .parent = parent,
                                    .child = TT_NO_CALL,
                                    .next = *link,
                                    .depth = parent == TT_NO_CALL ? 0 : nodes[parent].depth + 1};
    *link = added;
    calls->call_count++;
    return added;
}

static void add_length(struct tt_call_sums *sums, uint64_t length, uint64_t end, uint32_t thread)
{
    sums->min = sums->count == 0 || length < sums->min ? length : sums->min;
    if (sums->count == 0 || length > sums->max) {
        sums->max = length;
        sums->max_at = end;
        sums->max_thread = thread;
    }
    sums->sum += length;
    sums->count++;
}

static void add_sums(struct tt_call_sums *sums, const struct tt_call_sums *more)
{
    sums->min =
        sums->count == 0 || (more->count > 0 && more->min < sums->min) ? more->min : sums->min;
    if (more->count > 0 && (sums->count == 0 || more->max > sums->max)) {
        sums->max = more->max;
        sums->max_at = more->max_at;
        sums->max_thread = more->max_thread;
    }
    sums->total += more->total;
    sums->self += more->self;
    sums->run += more->run;
    sums->self_run += more->self_run;
    sums->sum += more->sum;
    sums->count += more->count;
}

/* ---- run time ----------------------------------------------------------------------------- */

static void calls_clock_begin(struct tt_calls_walk *walk, uint64_t from)
{
    struct calls_clock *clock = &walk->clock;
    clock->at = from;
    clock->run = clock->count = clock->index = 0;
    clock->more = tt_interval_find(walk->timelines, walk->thread, from, &clock->place) ||
                  tt_interval_first(walk->timelines, walk->thread, &clock->place);
}

/* Moves the clock of the thread to a time, and returns the ticks that it has run since the begin. */
static uint64_t calls_clock_move(struct tt_calls_walk *walk, uint64_t time)
{
    struct calls_clock *clock = &walk->clock;
    while (clock->at < time) {
        if (clock->index == clock->count) {
            if (!clock->more) {
                clock->at = time;
                break;
            }
            clock->count =
                tt_intervals_read(walk->timelines, &clock->place, clock->list, &clock->more);
            clock->index = 0;
        }
        const struct tt_interval *interval = &clock->list[clock->index];
        const uint64_t from = interval->start > clock->at ? interval->start : clock->at;
        const uint64_t to = interval->end < time ? interval->end : time;
        if (interval->class_ == TT_CLASS_RUNNING && to > from) {
            bool has_cpu = interval->cpu != TT_NO_CPU;
            const uint64_t irq = has_cpu ? tt_cpu_irq(walk->timelines, interval->cpu, from, to) : 0;
            clock->run += irq < to - from ? to - from - irq : 0;
        }
        clock->at = to > clock->at ? to : clock->at;
        clock->at = interval->end > time ? time : clock->at;
        clock->index += interval->end <= time;
    }
    return clock->run;
}

/* ---- the walk ----------------------------------------------------------------------------- */

static void load_row(const struct tt_calls *calls, struct tt_calls_walk *walk, uint32_t depth)
{
    struct calls_row *row = &walk->row[depth];
    if (row->more) {
        row->next = tt_slice_get(walk->timelines, row->at);
        row->more = row->next.start < calls->to;
    }
}

static bool begin_thread(struct tt_calls *calls, const struct tt_timelines *timelines,
                         uint32_t thread)
{
    struct tt_calls_walk *walk = calls->walk ? calls->walk : malloc(sizeof *walk);
    if (!walk) {
        return false;
    }
    calls->walk = walk;
    walk->timelines = timelines;
    walk->thread = thread;
    walk->depth = 0;
    walk->rows = tt_slice_depths(timelines, thread);
    const uint64_t from = calls->from > 0 ? calls->from - 1 : 0; /* calls that end there count */
    for (uint32_t depth = 0; depth < walk->rows; depth++) {
        const struct tt_slice_row *slices = tt_slice_row(timelines, thread, depth);
        struct calls_row *row = &walk->row[depth];
        row->more = slices && tt_slice_first(timelines, slices, from, calls->to, &row->at);
        load_row(calls, walk, depth);
    }
    if (walk->rows > 0) {
        calls_clock_begin(walk, calls->from);
        calls->has_run |= tt_interval_count(timelines, thread) > 0;
    }
    return true;
}

static uint64_t later(uint64_t left, uint64_t right)
{
    return left > right ? left : right;
}

/* Opens the next slice of the row above the open ones; false if out of memory. */
static bool enter_call(struct tt_calls *calls, struct tt_calls_walk *walk)
{
    struct calls_row *row = &walk->row[walk->depth];
    const struct tt_slice slice = row->next;
    const struct calls_frame *caller = walk->depth > 0 ? &walk->frame[walk->depth - 1] : NULL;
    struct calls_frame *frame = &walk->frame[walk->depth];
    const uint64_t limit = caller ? caller->end : calls->to;
    const uint32_t process = tt_thread_at(calls->capture, walk->thread)->process;
    const uint32_t name = calls_name_of(calls, process, slice.type);
    *frame = (struct calls_frame){.begun = slice.start,
                                  .start = later(slice.start, caller ? caller->start : calls->from),
                                  .end = slice.end < limit ? slice.end : limit,
                                  .length = slice.end - slice.start,
                                  .ended = slice.end,
                                  .is_whole = !slice.open && !slice.cut && slice.end < calls->to &&
                                              slice.end >= calls->from};
    frame->end = later(frame->start, frame->end);
    frame->call = name == TT_NO_CALL
                      ? TT_NO_CALL
                      : calls_node_of(calls, caller ? caller->call : TT_NO_CALL, name);
    if (frame->call == TT_NO_CALL) {
        return false;
    }
    frame->run_before = calls_clock_move(walk, frame->start);
    calls->names[name].open++;
    walk->depth++;
    row->more = tt_slice_next(&row->at);
    load_row(calls, walk, walk->depth - 1);
    return true;
}

/* Closes the innermost open call. */
static void leave_call(struct tt_calls *calls, struct tt_calls_walk *walk)
{
    const struct calls_frame *frame = &walk->frame[--walk->depth];
    struct tt_call *call = &calls->calls[frame->call];
    struct tt_call_name *name = &calls->names[call->name];
    const uint64_t total = frame->end - frame->start;
    const uint64_t run = calls_clock_move(walk, frame->end) - frame->run_before;
    name->open--;
    call->sums.total += total;
    call->sums.run += run;
    call->sums.self += total - frame->below;
    call->sums.self_run += run - frame->run_below;
    name->sums.total += name->open == 0 ? total : 0;
    name->sums.run += name->open == 0 ? run : 0;
    name->sums.self += total - frame->below;
    name->sums.self_run += run - frame->run_below;
    if (frame->is_whole) {
        add_length(&call->sums, frame->length, frame->ended, walk->thread);
        add_length(&name->sums, frame->length, frame->ended, walk->thread);
    }
    if (walk->depth > 0) {
        walk->frame[walk->depth - 1].below += total;
        walk->frame[walk->depth - 1].run_below += run;
    }
}

/*
 * Returns whether the next slice of the row above the open ones is a call of the innermost one: it begins before the
 * next slice of that one's own row.
 */
static bool calls_next(const struct tt_calls_walk *walk)
{
    const struct calls_row *row = walk->depth < walk->rows ? &walk->row[walk->depth] : NULL;
    const struct calls_row *own = walk->depth > 0 ? &walk->row[walk->depth - 1] : NULL;
    return row && row->more && (!own || !own->more || row->next.start < own->next.start);
}

enum tt_calls_walked tt_calls_add(struct tt_calls *calls, const struct tt_timelines *timelines,
                                  uint32_t thread, uint64_t *work)
{
    struct tt_calls_walk *walk = calls->walk;
    if ((!walk || walk->rows == 0 || walk->thread != thread) &&
        !begin_thread(calls, timelines, thread)) {
        return TT_CALLS_NO_MEMORY;
    }
    walk = calls->walk;
    while (walk->rows > 0) {
        struct calls_row *row = &walk->row[walk->depth];
        if (!calls_next(walk)) {
            if (walk->depth > 0) {
                leave_call(calls, walk);
            } else {
                walk->rows = 0;
            }
        } else if (*work == 0) {
            return TT_CALLS_PART;
        } else if (row->next.end < calls->from ||
                   (walk->depth > 0 && row->next.start < walk->frame[walk->depth - 1].begun)) {
            row->more = tt_slice_next(&row->at); /* it, or its caller, ended before the window */
            load_row(calls, walk, walk->depth);
        } else if (!enter_call(calls, walk)) {
            return TT_CALLS_NO_MEMORY;
        }
        *work -= *work > 0;
    }
    return TT_CALLS_ALL;
}

/* ---- trees -------------------------------------------------------------------------------- */

/* Returns whether a call of the same name contains a call. */
static bool is_recursive(const struct tt_calls *calls, const struct tt_call *call)
{
    uint32_t at = call->parent;
    while (at != TT_NO_CALL && calls->calls[at].name != call->name) {
        at = calls->calls[at].parent;
    }
    return at != TT_NO_CALL;
}

bool tt_calls_invert(const struct tt_calls *calls, struct tt_calls *inverted)
{
    tt_calls_begin(inverted, calls->capture, calls->from, calls->to);
    inverted->has_run = calls->has_run;
    inverted->is_inverted = true;
    inverted->names = malloc((calls->name_count + 1) * sizeof *inverted->names);
    if (!inverted->names) {
        return false;
    }
    if (calls->name_count > 0) {
        memcpy(inverted->names, calls->names, calls->name_count * sizeof *inverted->names);
    }
    inverted->name_count = inverted->name_capacity = calls->name_count;
    for (size_t i = 0; i < calls->call_count; i++) {
        const struct tt_call *call = &calls->calls[i];
        struct tt_call_sums sums = call->sums;
        if (is_recursive(calls, call)) {
            sums.total = sums.run = 0;
        }
        uint32_t node = TT_NO_CALL;
        for (uint32_t at = (uint32_t)i; at != TT_NO_CALL; at = calls->calls[at].parent) {
            node = calls_node_of(inverted, node, calls->calls[at].name);
            if (node == TT_NO_CALL) {
                return false;
            }
            add_sums(&inverted->calls[node].sums, &sums);
        }
    }
    return true;
}

static int compare_calls(const void *x, const void *y)
{
    const struct tt_call *left = *(const struct tt_call *const *)x;
    const struct tt_call *right = *(const struct tt_call *const *)y;
    const uint64_t first = left->sums.total, second = right->sums.total;
    return first != second ? (first < second) - (first > second)
                           : (left->name > right->name) - (left->name < right->name);
}

static int compare_inverted(const void *x, const void *y)
{
    const struct tt_call *left = *(const struct tt_call *const *)x;
    const struct tt_call *right = *(const struct tt_call *const *)y;
    const uint64_t first = left->sums.self, second = right->sums.self;
    return first != second ? (first < second) - (first > second) : compare_calls(x, y);
}

bool tt_calls_sort(struct tt_calls *calls)
{
    const size_t count = calls->call_count;
    struct tt_call **sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &calls->calls[i];
    }
    if (count > 1) {
        qsort(sorted, count, sizeof *sorted, calls->is_inverted ? compare_inverted : compare_calls);
    }
    calls->first = TT_NO_CALL;
    for (size_t i = 0; i < count; i++) {
        sorted[i]->child = TT_NO_CALL;
    }
    for (size_t i = count; i-- > 0;) { /* the last one first: each is put before its siblings */
        const uint32_t parent = sorted[i]->parent;
        uint32_t *link = parent == TT_NO_CALL ? &calls->first : &calls->calls[parent].child;
        sorted[i]->next = *link;
        *link = (uint32_t)(sorted[i] - calls->calls);
    }
    free(sorted);
    return true;
}

uint32_t tt_calls_next(const struct tt_calls *calls, uint32_t call)
{
    uint32_t next = calls->calls[call].child;
    while (next == TT_NO_CALL && call != TT_NO_CALL) {
        next = calls->calls[call].next;
        call = calls->calls[call].parent;
    }
    return next;
}
