/* SPDX-License-Identifier: Apache-2.0 */
/* top_threads: computes the occupants of a CPU. */
#include "tui/lanes/top_threads.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_AT_ONCE 256u
/* Entries after the threads: kernel, idle without a thread, unknown. */
#define OTHERS 3u

static bool top_threads_reserve(struct tt_top_threads *top, uint32_t threads)
{
    uint32_t wanted = threads + OTHERS;
    if (wanted <= top->room) {
        return true;
    }
    struct tt_top_threads_row *all = realloc(top->all, wanted * sizeof *all);
    if (all) {
        top->all = all;
    }
    struct tt_top_threads_row *rows = realloc(top->rows, wanted * sizeof *rows);
    if (rows) {
        top->rows = rows;
    }
    if (!all || !rows) {
        return false;
    }
    top->room = wanted;
    return true;
}

static struct tt_top_threads_row *top_threads_row_of(struct tt_top_threads *top, uint32_t occupant)
{
    if (occupant < top->threads) {
        return &top->all[occupant];
    }
    uint32_t other = UINT32_MAX - occupant; /* unknown, kernel, idle */
    return &top->all[top->threads + (other < OTHERS ? other : 0)];
}

static int compare_rows(const void *left, const void *right)
{
    const struct tt_top_threads_row *first = left, *second = right;
    if (first->ticks != second->ticks) {
        return first->ticks > second->ticks ? -1 : 1;
    }
    return (first->occupant > second->occupant) - (first->occupant < second->occupant);
}

static void top_threads_finish(struct tt_top_threads *top)
{
    top->going = false;
    top->count = 0;
    top->rows_cpu = top->cpu;
    for (uint32_t i = 0; i < top->threads + OTHERS; i++) {
        if (top->all[i].ticks > 0 || top->all[i].times > 0) {
            top->rows[top->count] = top->all[i];
            top->rows[top->count].occupant = i < top->threads ? i : UINT32_MAX - (i - top->threads);
            top->count++;
        }
    }
    qsort(top->rows, top->count, sizeof *top->rows, compare_rows);
}

bool tt_top_threads_ask(struct tt_top_threads *top, const struct tt_timelines *timelines,
                        uint16_t cpu, uint64_t from, uint64_t to, uint32_t threads)
{
    uint64_t end = tt_timelines_end(timelines);
    /* A window before the end does not change when the capture grows. */
    const bool stays = top->end == end || (to <= top->end && top->end < end);
    if (top->number == tt_timelines_number(timelines) && top->cpu == cpu && top->from == from &&
        top->to == to && stays && top->threads == threads) {
        return true;
    }
    if (top->going && top->number == tt_timelines_number(timelines) && top->cpu == cpu &&
        end > top->end && from >= top->from && to >= top->to && top->threads == threads) {
        return true; /* the capture has grown: what has begun is finished first */
    }
    bool same_rows = top->number == tt_timelines_number(timelines) && top->threads == threads;
    top->number = 0;
    top->going = false;
    if (!top_threads_reserve(top, threads)) {
        top->count = 0;
        return false;
    }
    memset(top->all, 0, (threads + OTHERS) * sizeof *top->all);
    top->t = timelines;
    top->number = tt_timelines_number(timelines);
    top->cpu = cpu;
    top->from = from;
    top->to = to;
    top->end = end;
    top->threads = threads;
    top->going = tt_occupation_find(timelines, cpu, from, &top->at) ||
                 tt_occupation_first(timelines, cpu, &top->at);
    top->count = top->going && same_rows ? top->count : 0;
    top->asked_ns = tt_now_ns();
    return true;
}

bool tt_top_threads_work(struct tt_top_threads *top, uint64_t deadline)
{
    while (top->going && tt_now_ns() < deadline) {
        for (unsigned i = 0; i < STEPS_AT_ONCE; i++) {
            struct tt_occupation o = tt_occupation_get(top->t, top->at);
            if (o.start < top->to) {
                uint64_t from = o.start > top->from ? o.start : top->from;
                uint64_t to = o.end < top->to ? o.end : top->to;
                to = to < top->end ? to : top->end;
                uint64_t ticks = to > from ? to - from : 0;
                struct tt_top_threads_row *row = top_threads_row_of(top, o.occupant);
                row->ticks += ticks;
                row->longest = ticks > row->longest ? ticks : row->longest;
                row->times += o.start >= top->from;
            }
            if (o.end >= top->to || !tt_occupation_next(top->t, &top->at)) {
                top_threads_finish(top);
                break;
            }
        }
    }
    return !top->going;
}

void tt_top_threads_free(struct tt_top_threads *top)
{
    free(top->all);
    free(top->rows);
    memset(top, 0, sizeof *top);
}
