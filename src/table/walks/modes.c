/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes: the table of the system and the user time of threads, from the kernel entries and exits in the capture.
 *
 *      thread     |####run####|        |##run##|####run####|
 *      events            enter                exit
 *                 |-user-|-sys|        |--sys--|---user----|
 *
 * Run time from an entry to its exit is system time, from an exit to the next entry user time. Before the first of
 * them in the range the mode follows from it. It is unknown in a thread without any, from an entry to an entry, and
 * where records may be lost between two of them.
 */
#include <stdlib.h>
#include <string.h>

#include "table/sums.h"
#include "tracetui/timeline.h"

#define BATCH    512u
#define SUM_WORK 16u /* cost of the run time between two events, in events */

struct mode_row {
    struct tt_subject of;
    uint64_t run, user, system, unknown; /* ticks */
    uint64_t calls;
};

enum mode { MODE_UNKNOWN, MODE_USER, MODE_SYSTEM };

struct thread_mode {
    uint64_t since; /* the sums are complete up to it */
    uint64_t user, system, calls;
    enum mode mode; /* from then on */
};

struct modes {
    uint64_t row; /* next event */
    bool begun, counted, has_loss;
    uint64_t end; /* of the window inside the capture */
    struct thread_mode *threads;
    size_t count;
    struct tt_event events[BATCH];
};

/* ---- counting ------------------------------------------------------------------------------ */

static uint64_t run_between(const struct tt_table_run *run, uint32_t thread, uint64_t from,
                            uint64_t to)
{
    struct tt_thread_sums sums;
    struct tt_window window = run->request.window;
    window.from = from;
    window.to = to;
    tt_thread_sum_in(run->timelines, thread, &window, &sums);
    return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
}

/* Adds the run time up to an entry or an exit, or to the end. */
static void pass_edge(struct tt_table_run *run, struct modes *modes, uint32_t thread, uint64_t to,
                      enum mode before)
{
    struct thread_mode *mode = &modes->threads[thread];
    bool is_known = before != MODE_UNKNOWN &&
                    (mode->mode == before || mode->since == run->request.window.from) &&
                    !(modes->has_loss && tt_loss_between(run->timelines, thread, mode->since, to));
    if (is_known && to > mode->since) {
        *(before == MODE_USER ? &mode->user : &mode->system) +=
            run_between(run, thread, mode->since, to);
        tt_table_spend(run, SUM_WORK);
    }
    mode->since = to;
}

static bool begin_modes(struct tt_table_run *run, struct modes *modes)
{
    const struct tt_window *window = &run->request.window;
    uint64_t limit = tt_timelines_limit(run->timelines), at;
    modes->count = tt_thread_count(run->capture);
    modes->threads = calloc(modes->count + 1, sizeof *modes->threads);
    modes->row = run->request.first_row;
    modes->end = window->to < limit ? window->to : limit;
    modes->has_loss = tt_loss_in(run->timelines, 0, UINT64_MAX, &at);
    modes->begun = true;
    for (size_t i = 0; modes->threads && i < modes->count; i++) {
        modes->threads[i].since = window->from;
    }
    return modes->threads != NULL;
}

/* Handles the events of this step; PART: there are more. */
static enum tt_made pass_events(struct tt_table_run *run, struct modes *modes)
{
    const struct tt_table_request *request = &run->request;
    while (modes->row < request->end_row) {
        const uint64_t left = request->end_row - modes->row;
        uint32_t count = tt_events_read(request->events, modes->row,
                                        left < BATCH ? (uint32_t)left : BATCH, modes->events);
        if (count == 0) {
            run->shrunk = true;
            return TT_MADE_ALL;
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &modes->events[i];
            bool enters = event->kind == TT_KIND_ENTER;
            bool leaves = event->kind == TT_KIND_EXIT || event->kind == TT_KIND_INTERRUPTED;
            if ((enters || leaves) && event->thread < modes->count &&
                tt_table_counts(run, event->thread)) {
                struct thread_mode *mode = &modes->threads[event->thread];
                pass_edge(run, modes, event->thread, event->ticks,
                          enters ? MODE_USER : MODE_SYSTEM);
                mode->mode = enters ? MODE_SYSTEM : MODE_USER;
                mode->calls += enters;
            }
        }
        modes->row += count;
        if (!tt_table_spend(run, count) && modes->row < request->end_row) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

static bool make_mode(const struct tt_table_run *run, size_t index, void *room)
{
    const struct tt_window *window = &run->request.window;
    const struct modes *modes = run->state;
    const struct thread_mode *mode = &modes->threads[index];
    struct mode_row *row = room;
    row->of.thread = (uint32_t)index;
    if (!tt_table_counts(run, row->of.thread)) {
        return false;
    }
    row->run = run_between(run, row->of.thread, window->from, modes->end);
    row->user = mode->user;
    row->system = mode->system;
    row->unknown = row->run - row->user - row->system;
    row->calls = mode->calls;
    return row->run > 0 || row->calls > 0;
}

static enum tt_made step_modes(struct tt_table_run *run)
{
    struct modes *modes = run->state;
    if (!modes->begun && !begin_modes(run, modes)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!modes->counted) {
        enum tt_made made = pass_events(run, modes);
        if (made != TT_MADE_ALL) {
            return made;
        }
        for (uint32_t i = 0; i < modes->count; i++) {
            if (modes->threads[i].mode != MODE_UNKNOWN) {
                pass_edge(run, modes, i, modes->end, modes->threads[i].mode);
            }
        }
        modes->counted = true;
    }
    bool ok = tt_table_list(run, modes->count, make_mode);
    struct mode_row *total = run->total;
    for (size_t i = 0; ok && i < run->count; i++) {
        struct tt_table_row room;
        const struct mode_row *row = (const struct mode_row *)(const void *)&room;
        tt_table_row_at(run, i, &room);
        total->run += row->run;
        total->user += row->user;
        total->system += row->system;
        total->unknown += row->unknown;
        total->calls += row->calls;
    }
    run->has_total = run->count > 1;
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_modes(const struct tt_table_run *run)
{
    const struct modes *modes = run->state;
    const struct tt_table_request *request = &run->request;
    return tt_table_percent_of(
        modes->row > request->first_row ? modes->row - request->first_row : 0,
        request->end_row > request->first_row ? request->end_row - request->first_row : 0);
}

static void end_modes(struct tt_table_run *run)
{
    free(((struct modes *)run->state)->threads);
}

static int compare_modes(const void *x, const void *y)
{
    const struct mode_row *left = x, *right = y;
    return left->run != right->run
               ? (left->run < right->run ? 1 : -1)
               : (left->of.thread > right->of.thread) - (left->of.thread < right->of.thread);
}

/* Returns why a capture cannot have rows: types of events are known without reading them all. */
static const char *missing_modes(const struct tt_capture *capture)
{
    for (uint32_t i = 0; i < tt_types_count(capture); i++) {
        if (tt_types_at(capture, i)->kind == TT_KIND_ENTER) {
            return NULL;
        }
    }
    return "the capture has no kernel entries";
}

#define ROW struct mode_row
#define IN

/* clang-format off */
static const struct tt_table_column mode_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 9, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 10, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("run", "run", TIME_MS, run, SCREEN("run", "", 1, 4), "Time on a CPU, without interrupts.", .compared = 1, .is_sum = true),
    COLUMN("user", "user", TIME_US, user, SCREEN("user", "", 2, 5), "The part of it outside of kernel calls.", .compared = 2, .is_sum = true),
    KNOWN_BY("user_pct", "% of run", PART, user, run, SCREEN("user", "%", 5, 6), "The part of it outside of kernel calls, in percent."),
    COLUMN("system", "system", TIME_US, system, SCREEN("system", "", 3, 7), "The part of it from the entry to the exit of kernel calls.", .compared = 3, .is_sum = true),
    KNOWN_BY("system_pct", "% of run", PART, system, run, SCREEN("system", "%", 4, 8), "The part of it from the entry to the exit of kernel calls, in percent."),
    COLUMN("unknown", "unknown", TIME_US, unknown, SCREEN("", "unknown", 8, 9), "The part of it of which no entry or exit shows the mode.", .lost = TT_LOST_UNKNOWN, .is_sum = true),
    COLUMN("calls", "calls", COUNT, calls, SCREEN("", "calls", 6, 10), "Kernel entries.", .is_neutral = true, .compared = 4),
};
/* clang-format on */

const struct tt_table tt_table_modes = {
    NAMES("mode", "System and user time", "The run time of a thread in the kernel and outside.",
          "[thread]"),
    COLUMNS(mode_columns),
    OF_ROW(struct mode_row),
    .state_size = sizeof(struct modes),
    .filter = TT_FILTER_THREADS,
    .order = "run",
    .missing = missing_modes,
    .step = step_modes,
    .compare = compare_modes,
    .percent = percent_of_modes,
    .end = end_modes,
};
