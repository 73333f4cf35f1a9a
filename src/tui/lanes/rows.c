/* SPDX-License-Identifier: Apache-2.0 */
/* rows: sorts, folds and pins the lanes. */
#include "tui/lanes/rows.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/counters.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/slices.h"

const char *tt_lanes_sort_name(unsigned sort)
{
    static const char *const names[] = {
#define X(id, name) name,
        TT_LANES_SORT_INFO(X)
#undef X
    };
    return sort < TT_LANES_SORT_COUNT ? names[sort] : "";
}

bool tt_lanes_sort_needs_numbers(enum tt_lanes_sort sort)
{
    return sort == TT_LANES_BY_RUN || sort == TT_LANES_BY_SWITCHES || sort == TT_LANES_BY_DELAY;
}

/* ---- order -------------------------------------------------------------------------------- */

/* Sort record of a thread: its numbers. */
struct place {
    uint64_t pid;
    uint64_t tid;
    uint32_t process;
    uint32_t thread;
};

/* Sort record by other keys: begins with the numbers. */
struct keyed_place {
    struct place place;
    union {
        uint64_t key;
        const char *name;
    } of_process, of_thread;
};

static int by_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Sorts empty names last. */
static int by_name(const char *a, const char *b)
{
    if (!a[0] || !b[0]) {
        return (b[0] != '\0') - (a[0] != '\0');
    }
    return strcmp(a, b);
}

static int by_numbers(const struct place *a, const struct place *b)
{
    int order = by_u64(a->pid, b->pid);
    order = order ? order : by_u64(a->process, b->process);
    order = order ? order : by_u64(a->tid, b->tid);
    return order ? order : by_u64(a->thread, b->thread);
}

static int by_keys(const struct keyed_place *a, const struct keyed_place *b)
{
    return a->place.process != b->place.process ? by_u64(b->of_process.key, a->of_process.key)
                                                : by_u64(b->of_thread.key, a->of_thread.key);
}

static int by_names(const struct keyed_place *a, const struct keyed_place *b)
{
    return a->place.process != b->place.process ? by_name(a->of_process.name, b->of_process.name)
                                                : by_name(a->of_thread.name, b->of_thread.name);
}

/* Keeps the threads of a process together, regardless of their keys. */
static int numbers_up(const void *a, const void *b)
{
    return by_numbers(a, b);
}

static int numbers_down(const void *a, const void *b)
{
    return -by_numbers(a, b);
}

static int keys_up(const void *a, const void *b)
{
    int order = by_keys(a, b);
    return order ? order : by_numbers(a, b);
}

static int keys_down(const void *a, const void *b)
{
    int order = -by_keys(a, b);
    return order ? order : by_numbers(a, b);
}

static int names_up(const void *a, const void *b)
{
    int order = by_names(a, b);
    return order ? order : by_numbers(a, b);
}

static int names_down(const void *a, const void *b)
{
    int order = -by_names(a, b);
    return order ? order : by_numbers(a, b);
}

/* Sorts `count` records of `size` bytes. qsort may copy them all, which sorted ones do not need. */
static void sort_records(void *records, size_t count, size_t size,
                         int (*compare)(const void *, const void *))
{
    const char *record = records;
    for (size_t i = 1; i < count; i++, record += size) {
        if (compare(record, record + size) > 0) {
            qsort(records, count, size, compare);
            return;
        }
    }
}

static void sort_places(void *places, uint32_t count, enum tt_lanes_sort sort, bool reverse)
{
    if (tt_lanes_sort_needs_numbers(sort)) {
        sort_records(places, count, sizeof(struct keyed_place), reverse ? keys_down : keys_up);
    } else if (sort == TT_LANES_BY_NAME) {
        sort_records(places, count, sizeof(struct keyed_place), reverse ? names_down : names_up);
    } else {
        sort_records(places, count, sizeof(struct place), reverse ? numbers_down : numbers_up);
    }
}

static uint64_t key_of(const struct tt_row_stats *numbers, enum tt_lanes_sort sort, uint32_t thread)
{
    if (!numbers || thread >= numbers->count) {
        return 0;
    }
    const struct tt_lane_number *n = &numbers->threads[thread];
    return sort == TT_LANES_BY_RUN ? n->run : sort == TT_LANES_BY_SWITCHES ? n->in : n->delay_max;
}

/* Adds a thread to the key of its process: a sum of run time or switches, a maximum of delays. */
static void add_key(uint64_t *key, enum tt_lanes_sort sort, uint64_t of_thread)
{
    if (sort != TT_LANES_BY_DELAY) {
        *key += of_thread;
    } else if (of_thread > *key) {
        *key = of_thread;
    }
}

static struct place place_of(const struct tt_capture *c, uint32_t thread)
{
    const struct tt_thread *info = tt_thread_at(c, thread);
    uint32_t process = info->process;
    struct place place = {.pid = tt_process_at(c, process)->pid,
                          .tid = info->tid,
                          .process = process,
                          .thread = thread};
    return place;
}

static bool has_no_processes(const struct tt_capture *c)
{
    return tt_process_count(c) <= 1 &&
           (tt_process_count(c) == 0 ||
            (tt_process_at(c, 0)->pid == 0 && tt_process_at(c, 0)->name == 0));
}

static bool reserve_order(struct tt_lane_rows *r, uint32_t threads)
{
    uint32_t room = threads > 0 ? threads : 1;
    if (room <= r->room) {
        return true;
    }
    uint32_t *order = realloc(r->order, room * sizeof *order);
    if (order) {
        r->order = order;
        r->room = room;
    }
    return order != NULL;
}

/* Fills in the names to sort by. */
static void fill_names(struct keyed_place *places, const struct tt_capture *c, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        size_t length;
        const struct tt_process *owner = tt_process_at(c, places[i].place.process);
        places[i].of_process.name = tt_process_base_name(c, owner, &length);
        places[i].of_thread.name = tt_capture_text(c, tt_thread_at(c, i)->name, &length);
    }
}

/* Fills in the numbers to sort by; returns false if out of memory. */
static bool fill_keys(struct keyed_place *places, const struct tt_capture *c, uint32_t threads,
                      enum tt_lanes_sort sort, const struct tt_row_stats *numbers)
{
    uint32_t processes = tt_process_count(c);
    uint64_t *keys = calloc((size_t)processes + 1, sizeof *keys);
    if (!keys) {
        return false;
    }
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t process = places[i].place.process;
        places[i].of_thread.key = key_of(numbers, sort, i);
        /* A process registered meanwhile has threads that are part of the next sort only. */
        if (process < processes && !tt_thread_at(c, i)->idle) {
            add_key(&keys[process], sort, places[i].of_thread.key);
        }
    }
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t process = places[i].place.process;
        places[i].of_process.key = process < processes ? keys[process] : 0;
    }
    free(keys);
    return true;
}

/*
 * Takes over the order of sorted places, each `size` bytes; returns their number. Threads of merged
 * captures stay together, in the order of the captures: a pass for each needs no memory in the places.
 */
static uint32_t take_order(struct tt_lane_rows *r, const struct tt_capture *c,
                           const uint8_t *places, uint32_t threads, size_t size)
{
    unsigned headings = tt_merge_headings(c);
    unsigned captures = headings > 0 ? headings : 1;
    uint32_t taken = 0;
    for (unsigned member = 0; member < captures; member++) {
        for (uint32_t i = 0; i < threads; i++) {
            const struct place *place = (const void *)(places + i * size);
            if (captures == 1 || tt_merge_of_process(c, place->process) == member) {
                r->order[taken++] = place->thread;
            }
        }
    }
    return taken;
}

bool tt_lane_rows_order(struct tt_lane_rows *r, const struct tt_capture *c, enum tt_lanes_sort sort,
                        bool reverse, const struct tt_row_stats *numbers)
{
    uint32_t threads = tt_thread_count(c);
    sort = tt_lanes_sort_needs_numbers(sort) && !numbers ? TT_LANES_BY_NUMBER : sort;
    bool by_key = tt_lanes_sort_needs_numbers(sort), by_text = sort == TT_LANES_BY_NAME;
    size_t size = by_key || by_text ? sizeof(struct keyed_place) : sizeof(struct place);
    uint8_t *places = calloc((size_t)threads + 1, size);
    bool ok = places && reserve_order(r, threads);
    for (uint32_t i = 0; ok && i < threads; i++) {
        *(struct place *)(void *)(places + i * size) = place_of(c, i);
    }
    if (ok && by_key) {
        ok = fill_keys((struct keyed_place *)(void *)places, c, threads, sort, numbers);
    } else if (ok && by_text) {
        fill_names((struct keyed_place *)(void *)places, c, threads);
    }
    if (ok) {
        sort_places(places, threads, sort, reverse);
        r->threads = take_order(r, c, places, threads, size);
        r->flat = has_no_processes(c);
    }
    free(places);
    return ok;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void add_row(struct tt_lane_rows *r, struct tt_lane_row row)
{
    if (r->count == r->row_room) {
        uint32_t room = r->row_room ? r->row_room * 2 : 64;
        struct tt_lane_row *rows = realloc(r->rows, room * sizeof *rows);
        if (!rows) {
            r->failed = true;
            return;
        }
        r->rows = rows;
        r->row_room = room;
    }
    r->rows[r->count++] = row;
}

static bool is_like(const struct tt_lane_row *a, const struct tt_lane_row *b)
{
    return a->kind == b->kind && a->thread == b->thread &&
           (a->thread != TT_NO_THREAD || a->process == b->process) &&
           (a->kind < TT_LANE_SLICES || a->number == b->number);
}

/* Arguments for building the rows. */
struct making {
    struct tt_lane_rows *rows;
    const struct tt_capture *capture;
    const struct tt_timelines *t; /* or NULL */
    const struct tt_lane_window *window;
};

static void add_slices(const struct making *m, uint32_t thread, uint32_t process)
{
    bool none = !m->t || tt_lane_rows_slices_folded(m->rows, thread);
    uint32_t count = none ? 0 : tt_slice_rows(m->t, thread);
    for (uint32_t i = 0; i < count && i < TT_LANE_SLICE_ROWS; i++) {
        struct tt_lane_row row = {
            .thread = thread, .process = process, .number = i, .kind = TT_LANE_SLICES};
        const struct tt_slice_row *slices = tt_slice_row(m->t, thread, i);
        struct tt_slice_at at;
        if (is_like(&row, &m->window->cursor) ||
            (slices && tt_slice_first(m->t, slices, m->window->from, m->window->to, &at))) {
            add_row(m->rows, row);
        }
    }
}

/* Adds the counters of a process; UINT32_MAX: those without a process. */
static void add_counters(struct tt_lane_rows *r, const struct tt_capture *c,
                         const struct tt_timelines *t, uint32_t process)
{
    uint32_t count = t ? tt_counter_series(t) : 0, known = tt_series_count(c);
    for (uint32_t i = 0; i < count && i < known; i++) {
        if (tt_series_at(c, i)->process == process && tt_counter_values(t, i) > 0) {
            struct tt_lane_row row = {
                .thread = TT_NO_THREAD, .process = process, .number = i, .kind = TT_LANE_COUNTER};
            add_row(r, row);
        }
    }
}

static bool is_on_top(const struct tt_lane_rows *r, uint32_t thread)
{
    return tt_lane_rows_is_pinned(r, thread) ||
           (r->has_pair && (thread == r->pair[0] || thread == r->pair[1]));
}

static void add_pinned(struct tt_lane_rows *r, const struct tt_capture *c)
{
    for (uint32_t i = 0; i < r->threads; i++) {
        if (is_on_top(r, r->order[i])) {
            struct tt_lane_row row = {.thread = r->order[i],
                                      .process = tt_thread_at(c, r->order[i])->process,
                                      .kind = TT_LANE_THREAD,
                                      .pinned = true};
            add_row(r, row);
        }
    }
    r->pinned = r->count;
}

static bool take_new_threads(struct tt_lane_rows *r, const struct tt_capture *c)
{
    uint32_t threads = tt_thread_count(c);
    if (threads > r->threads) {
        if (!reserve_order(r, threads)) {
            return false;
        }
        for (uint32_t i = r->threads; i < threads; i++) {
            r->order[i] = i;
        }
        r->threads = threads;
        r->flat = has_no_processes(c);
    }
    return true;
}

/* Adds the rows that follow the last thread of a process. */
static void close_process(struct tt_lane_rows *r, const struct tt_capture *c,
                          const struct tt_timelines *t, uint32_t process)
{
    if (process != UINT32_MAX && !r->flat && !tt_lane_rows_folded(r, process)) {
        add_counters(r, c, t, process);
    }
}

/* Adds the heading of a capture between processes of two captures, and before the first. */
static void add_heading(struct tt_lane_rows *r, const struct tt_capture *c, uint32_t last,
                        uint32_t process)
{
    unsigned number = tt_merge_of_process(c, process);
    if (tt_merge_headings(c) > 0 &&
        (last == UINT32_MAX || number != tt_merge_of_process(c, last))) {
        struct tt_lane_row row = {.thread = TT_NO_THREAD,
                                  .process = UINT32_MAX,
                                  .number = number,
                                  .kind = TT_LANE_CAPTURE};
        add_row(r, row);
    }
}

bool tt_lane_rows_make(struct tt_lane_rows *r, const struct tt_capture *c,
                       const struct tt_timelines *t, const struct tt_lane_window *window,
                       bool (*shown)(void *arg, uint32_t thread), void *arg)
{
    const struct making making = {r, c, t, window};
    r->count = 0;
    r->failed = false;
    if (!take_new_threads(r, c)) {
        return false;
    }
    add_pinned(r, c);
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < r->threads; i++) {
        uint32_t thread = r->order[i], process = tt_thread_at(c, thread)->process;
        if (is_on_top(r, thread) || !shown(arg, thread)) {
            continue;
        }
        bool alone = !r->flat && tt_process_at(c, process)->threads == 1;
        if (process != last) {
            close_process(r, c, t, last);
            add_heading(r, c, last, process);
        }
        if (process != last && !r->flat && !alone) {
            struct tt_lane_row row = {
                .thread = TT_NO_THREAD, .process = process, .kind = TT_LANE_PROCESS};
            add_row(r, row);
        }
        last = process;
        if (r->flat || alone || !tt_lane_rows_folded(r, process)) {
            struct tt_lane_row row = {
                .thread = thread, .process = process, .kind = TT_LANE_THREAD, .alone = alone};
            add_row(r, row);
            add_slices(&making, thread, process);
        }
    }
    close_process(r, c, t, last);
    for (uint32_t process = 0; r->flat && process < tt_process_count(c); process++) {
        add_counters(r, c, t, process);
    }
    add_slices(&making, TT_NO_THREAD, UINT32_MAX);
    add_counters(r, c, t, UINT32_MAX);
    return !r->failed;
}

uint32_t tt_lane_rows_find(const struct tt_lane_rows *r, const struct tt_lane_row *like)
{
    uint32_t of_thread = UINT32_MAX, of_process = UINT32_MAX;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct tt_lane_row *row = &r->rows[i];
        if (is_like(row, like)) {
            return i;
        }
        if (row->kind == TT_LANE_THREAD && row->thread == like->thread && of_thread == UINT32_MAX) {
            of_thread = i;
        }
        if (row->kind == TT_LANE_PROCESS && row->process == like->process) {
            of_process = i;
        }
    }
    return of_thread != UINT32_MAX ? of_thread : of_process;
}

/* ---- folds and pins ----------------------------------------------------------------------- */

static bool is_set(const uint8_t *set, uint32_t room, uint32_t number)
{
    return number < room && set[number] != 0;
}

static void set_to(uint8_t **set, uint32_t *room, uint32_t number, bool value)
{
    if (number >= *room) {
        uint32_t wanted = (number + 1) * 2;
        uint8_t *more = value ? realloc(*set, wanted) : NULL;
        if (!more) {
            return;
        }
        memset(more + *room, 0, wanted - *room);
        *set = more;
        *room = wanted;
    }
    (*set)[number] = value;
}

bool tt_lane_rows_folded(const struct tt_lane_rows *r, uint32_t process)
{
    return is_set(r->folded, r->folded_room, process);
}

void tt_lane_rows_fold(struct tt_lane_rows *r, uint32_t process, bool folded)
{
    set_to(&r->folded, &r->folded_room, process, folded);
}

/* Slices without a thread are never folded. */
bool tt_lane_rows_slices_folded(const struct tt_lane_rows *r, uint32_t thread)
{
    return is_set(r->unsliced, r->unsliced_room, thread);
}

void tt_lane_rows_fold_slices(struct tt_lane_rows *r, uint32_t thread, bool folded)
{
    if (thread != TT_NO_THREAD) {
        set_to(&r->unsliced, &r->unsliced_room, thread, folded);
    }
}

bool tt_lane_rows_is_pinned(const struct tt_lane_rows *r, uint32_t thread)
{
    return is_set(r->pins, r->pins_room, thread);
}

void tt_lane_rows_pin(struct tt_lane_rows *r, uint32_t thread, bool pinned)
{
    set_to(&r->pins, &r->pins_room, thread, pinned);
}

bool tt_lane_rows_set_pair(struct tt_lane_rows *r, bool on, uint32_t first, uint32_t second)
{
    bool same = on == r->has_pair && (!on || (r->pair[0] == first && r->pair[1] == second));
    r->has_pair = on;
    r->pair[0] = first;
    r->pair[1] = second;
    return !same;
}

void tt_lane_rows_free(struct tt_lane_rows *r)
{
    free(r->rows);
    free(r->order);
    free(r->folded);
    free(r->pins);
    free(r->unsliced);
    memset(r, 0, sizeof *r);
}
