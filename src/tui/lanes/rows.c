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

static int by_numbers(const struct place *left, const struct place *right)
{
    int order = by_u64(left->pid, right->pid);
    order = order ? order : by_u64(left->process, right->process);
    order = order ? order : by_u64(left->tid, right->tid);
    return order ? order : by_u64(left->thread, right->thread);
}

static int by_keys(const struct keyed_place *left, const struct keyed_place *right)
{
    return left->place.process != right->place.process
               ? by_u64(right->of_process.key, left->of_process.key)
               : by_u64(right->of_thread.key, left->of_thread.key);
}

static int by_names(const struct keyed_place *left, const struct keyed_place *right)
{
    return left->place.process != right->place.process
               ? by_name(left->of_process.name, right->of_process.name)
               : by_name(left->of_thread.name, right->of_thread.name);
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

static uint64_t lane_rows_key_of(const struct tt_row_stats *numbers, enum tt_lanes_sort sort,
                                 uint32_t thread)
{
    if (!numbers || thread >= numbers->count) {
        return 0;
    }
    const struct tt_lane_number *number = &numbers->threads[thread];
    return sort == TT_LANES_BY_RUN        ? number->run
           : sort == TT_LANES_BY_SWITCHES ? number->in
                                          : number->delay_max;
}

static struct place lane_rows_place_of(const struct tt_capture *capture, uint32_t thread)
{
    const struct tt_thread *info = tt_thread_at(capture, thread);
    uint32_t process = info->process;
    struct place place = {.pid = tt_process_at(capture, process)->pid,
                          .tid = info->tid,
                          .process = process,
                          .thread = thread};
    return place;
}

static bool has_no_processes(const struct tt_capture *capture)
{
    return tt_process_count(capture) <= 1 &&
           (tt_process_count(capture) == 0 ||
            (tt_process_at(capture, 0)->pid == 0 && tt_process_at(capture, 0)->name == 0));
}

static bool reserve_order(struct tt_lane_rows *rows, uint32_t threads)
{
    uint32_t room = threads > 0 ? threads : 1;
    if (room <= rows->room) {
        return true;
    }
    uint32_t *order = realloc(rows->order, room * sizeof *order);
    if (order) {
        rows->order = order;
        rows->room = room;
    }
    return order != NULL;
}

/* Fills in the names to sort by. */
static void fill_names(struct keyed_place *places, const struct tt_capture *capture,
                       uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        size_t length;
        const struct tt_process *owner = tt_process_at(capture, places[i].place.process);
        places[i].of_process.name = tt_process_base_name(capture, owner, &length);
        places[i].of_thread.name =
            tt_capture_text(capture, tt_thread_at(capture, i)->name, &length);
    }
}

/* Fills in the numbers to sort by; returns false if out of memory. */
static bool fill_keys(struct keyed_place *places, const struct tt_capture *capture,
                      uint32_t threads, enum tt_lanes_sort sort, const struct tt_row_stats *numbers)
{
    uint32_t processes = tt_process_count(capture);
    uint64_t *keys = calloc((size_t)processes + 1, sizeof *keys);
    if (!keys) {
        return false;
    }
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t process = places[i].place.process;
        places[i].of_thread.key = lane_rows_key_of(numbers, sort, i);
        /* A process registered meanwhile has threads that are part of the next sort only. */
        if (process < processes && !tt_thread_at(capture, i)->idle) {
            /*
             * Adds a thread to the key of its process: a sum of run time or switches, a maximum of
             * delays.
             */
            uint64_t *key = &keys[process];
            uint64_t of_thread = places[i].of_thread.key;
            if (sort != TT_LANES_BY_DELAY) {
                *key += of_thread;
            } else if (of_thread > *key) {
                *key = of_thread;
            }
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
static uint32_t copy_order(struct tt_lane_rows *rows, const struct tt_capture *capture,
                           const uint8_t *places, uint32_t threads, size_t size)
{
    unsigned headings = tt_merge_headings(capture);
    unsigned captures = headings > 0 ? headings : 1;
    uint32_t taken = 0;
    for (unsigned member = 0; member < captures; member++) {
        for (uint32_t i = 0; i < threads; i++) {
            const struct place *place = (const void *)(places + i * size);
            if (captures == 1 || tt_merge_of_process(capture, place->process) == member) {
                rows->order[taken++] = place->thread;
            }
        }
    }
    return taken;
}

bool tt_lane_rows_order(struct tt_lane_rows *rows, const struct tt_capture *capture,
                        enum tt_lanes_sort sort, bool reverse, const struct tt_row_stats *numbers)
{
    uint32_t threads = tt_thread_count(capture);
    sort = tt_lanes_sort_needs_numbers(sort) && !numbers ? TT_LANES_BY_NUMBER : sort;
    bool by_key = tt_lanes_sort_needs_numbers(sort), by_text = sort == TT_LANES_BY_NAME;
    size_t size = by_key || by_text ? sizeof(struct keyed_place) : sizeof(struct place);
    uint8_t *places = calloc((size_t)threads + 1, size);
    bool ok = places && reserve_order(rows, threads);
    for (uint32_t i = 0; ok && i < threads; i++) {
        *(struct place *)(void *)(places + i * size) = lane_rows_place_of(capture, i);
    }
    if (ok && by_key) {
        ok = fill_keys((struct keyed_place *)(void *)places, capture, threads, sort, numbers);
    } else if (ok && by_text) {
        fill_names((struct keyed_place *)(void *)places, capture, threads);
    }
    if (ok) {
        if (tt_lanes_sort_needs_numbers(sort)) {
            sort_records(places, threads, sizeof(struct keyed_place),
                         reverse ? keys_down : keys_up);
        } else if (sort == TT_LANES_BY_NAME) {
            sort_records(places, threads, sizeof(struct keyed_place),
                         reverse ? names_down : names_up);
        } else {
            sort_records(places, threads, sizeof(struct place),
                         reverse ? numbers_down : numbers_up);
        }

        rows->threads = copy_order(rows, capture, places, threads, size);
        rows->flat = has_no_processes(capture);
    }
    free(places);
    return ok;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void lane_rows_add_row(struct tt_lane_rows *lane_rows, struct tt_lane_row row)
{
    if (lane_rows->count == lane_rows->row_room) {
        uint32_t room = lane_rows->row_room ? lane_rows->row_room * 2 : 64;
        struct tt_lane_row *rows = realloc(lane_rows->rows, room * sizeof *rows);
        if (!rows) {
            lane_rows->failed = true;
            return;
        }
        lane_rows->rows = rows;
        lane_rows->row_room = room;
    }
    lane_rows->rows[lane_rows->count++] = row;
}

static bool is_like(const struct tt_lane_row *left, const struct tt_lane_row *right)
{
    return left->kind == right->kind && left->thread == right->thread &&
           (left->thread != TT_NO_THREAD || left->process == right->process) &&
           (left->kind < TT_LANE_SLICES || left->number == right->number);
}

/* Arguments for building the rows. */
struct making {
    struct tt_lane_rows *rows;
    const struct tt_capture *capture;
    const struct tt_timelines *t; /* or NULL */
    const struct tt_lane_window *window;
};

static void add_slices(const struct making *making, uint32_t thread, uint32_t process)
{
    bool none = !making->t || tt_lane_rows_slices_folded(making->rows, thread);
    uint32_t count = none ? 0 : tt_slice_rows(making->t, thread);
    for (uint32_t i = 0; i < count && i < TT_LANE_SLICE_ROWS; i++) {
        struct tt_lane_row row = {
            .thread = thread, .process = process, .number = i, .kind = TT_LANE_SLICES};
        const struct tt_slice_row *slices = tt_slice_row(making->t, thread, i);
        struct tt_slice_at at;
        if (is_like(&row, &making->window->cursor) ||
            (slices &&
             tt_slice_first(making->t, slices, making->window->from, making->window->to, &at))) {
            lane_rows_add_row(making->rows, row);
        }
    }
}

/* Adds the counters of a process; UINT32_MAX: those without a process. */
static void lane_rows_add_counters(struct tt_lane_rows *rows, const struct tt_capture *capture,
                                   const struct tt_timelines *timelines, uint32_t process)
{
    uint32_t count = timelines ? tt_counter_series(timelines) : 0, known = tt_series_count(capture);
    for (uint32_t i = 0; i < count && i < known; i++) {
        if (tt_series_at(capture, i)->process == process && tt_counter_values(timelines, i) > 0) {
            struct tt_lane_row row = {
                .thread = TT_NO_THREAD, .process = process, .number = i, .kind = TT_LANE_COUNTER};
            lane_rows_add_row(rows, row);
        }
    }
}

static bool is_on_top(const struct tt_lane_rows *rows, uint32_t thread)
{
    return tt_lane_rows_is_pinned(rows, thread) ||
           (rows->has_pair && (thread == rows->pair[0] || thread == rows->pair[1]));
}

static void add_pinned(struct tt_lane_rows *rows, const struct tt_capture *capture)
{
    for (uint32_t i = 0; i < rows->threads; i++) {
        if (is_on_top(rows, rows->order[i])) {
            struct tt_lane_row row = {.thread = rows->order[i],
                                      .process = tt_thread_at(capture, rows->order[i])->process,
                                      .kind = TT_LANE_THREAD,
                                      .pinned = true};
            lane_rows_add_row(rows, row);
        }
    }
    rows->pinned = rows->count;
}

static bool add_new_threads(struct tt_lane_rows *rows, const struct tt_capture *capture)
{
    uint32_t threads = tt_thread_count(capture);
    if (threads > rows->threads) {
        if (!reserve_order(rows, threads)) {
            return false;
        }
        for (uint32_t i = rows->threads; i < threads; i++) {
            rows->order[i] = i;
        }
        rows->threads = threads;
        rows->flat = has_no_processes(capture);
    }
    return true;
}

/* Adds the rows that follow the last thread of a process. */
static void close_process(struct tt_lane_rows *rows, const struct tt_capture *capture,
                          const struct tt_timelines *timelines, uint32_t process)
{
    if (process != UINT32_MAX && !rows->flat && !tt_lane_rows_folded(rows, process)) {
        lane_rows_add_counters(rows, capture, timelines, process);
    }
}

/* Adds the heading of a capture between processes of two captures, and before the first. */
static void add_heading(struct tt_lane_rows *rows, const struct tt_capture *capture, uint32_t last,
                        uint32_t process)
{
    unsigned number = tt_merge_of_process(capture, process);
    if (tt_merge_headings(capture) > 0 &&
        (last == UINT32_MAX || number != tt_merge_of_process(capture, last))) {
        struct tt_lane_row row = {.thread = TT_NO_THREAD,
                                  .process = UINT32_MAX,
                                  .number = number,
                                  .kind = TT_LANE_CAPTURE};
        lane_rows_add_row(rows, row);
    }
}

bool tt_lane_rows_make(struct tt_lane_rows *rows, const struct tt_capture *capture,
                       const struct tt_timelines *timelines, const struct tt_lane_window *window,
                       bool (*shown)(void *arg, uint32_t thread), void *arg)
{
    const struct making making = {rows, capture, timelines, window};
    rows->count = 0;
    rows->failed = false;
    if (!add_new_threads(rows, capture)) {
        return false;
    }
    add_pinned(rows, capture);
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < rows->threads; i++) {
        uint32_t thread = rows->order[i], process = tt_thread_at(capture, thread)->process;
        if (is_on_top(rows, thread) || !shown(arg, thread)) {
            continue;
        }
        bool alone = !rows->flat && tt_process_at(capture, process)->threads == 1;
        if (process != last) {
            close_process(rows, capture, timelines, last);
            add_heading(rows, capture, last, process);
        }
        if (process != last && !rows->flat && !alone) {
            struct tt_lane_row row = {
                .thread = TT_NO_THREAD, .process = process, .kind = TT_LANE_PROCESS};
            lane_rows_add_row(rows, row);
        }
        last = process;
        if (rows->flat || alone || !tt_lane_rows_folded(rows, process)) {
            struct tt_lane_row row = {
                .thread = thread, .process = process, .kind = TT_LANE_THREAD, .alone = alone};
            lane_rows_add_row(rows, row);
            add_slices(&making, thread, process);
        }
    }
    close_process(rows, capture, timelines, last);
    for (uint32_t process = 0; rows->flat && process < tt_process_count(capture); process++) {
        lane_rows_add_counters(rows, capture, timelines, process);
    }
    add_slices(&making, TT_NO_THREAD, UINT32_MAX);
    lane_rows_add_counters(rows, capture, timelines, UINT32_MAX);
    return !rows->failed;
}

uint32_t tt_lane_rows_find(const struct tt_lane_rows *rows, const struct tt_lane_row *like)
{
    uint32_t of_thread = UINT32_MAX, of_process = UINT32_MAX;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct tt_lane_row *row = &rows->rows[i];
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

bool tt_lane_rows_folded(const struct tt_lane_rows *rows, uint32_t process)
{
    return is_set(rows->folded, rows->folded_room, process);
}

void tt_lane_rows_fold(struct tt_lane_rows *rows, uint32_t process, bool folded)
{
    set_to(&rows->folded, &rows->folded_room, process, folded);
}

/* Slices without a thread are never folded. */
bool tt_lane_rows_slices_folded(const struct tt_lane_rows *rows, uint32_t thread)
{
    return is_set(rows->unsliced, rows->unsliced_room, thread);
}

void tt_lane_rows_fold_slices(struct tt_lane_rows *rows, uint32_t thread, bool folded)
{
    if (thread != TT_NO_THREAD) {
        set_to(&rows->unsliced, &rows->unsliced_room, thread, folded);
    }
}

bool tt_lane_rows_is_pinned(const struct tt_lane_rows *rows, uint32_t thread)
{
    return is_set(rows->pins, rows->pins_room, thread);
}

void tt_lane_rows_pin(struct tt_lane_rows *rows, uint32_t thread, bool pinned)
{
    set_to(&rows->pins, &rows->pins_room, thread, pinned);
}

bool tt_lane_rows_set_pair(struct tt_lane_rows *rows, bool on, uint32_t first, uint32_t second)
{
    bool same =
        on == rows->has_pair && (!on || (rows->pair[0] == first && rows->pair[1] == second));
    rows->has_pair = on;
    rows->pair[0] = first;
    rows->pair[1] = second;
    return !same;
}

void tt_lane_rows_free(struct tt_lane_rows *rows)
{
    free(rows->rows);
    free(rows->order);
    free(rows->folded);
    free(rows->pins);
    free(rows->unsliced);
    memset(rows, 0, sizeof *rows);
}
