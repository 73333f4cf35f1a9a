/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/panes/align_sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tracetui/filter.h"
#include "tracetui/time.h"
#include "tracetui/time_spec.h"
#include "tui/panes/pane.h"

/* The search for an event in A, then in B. */
struct tt_align_search {
    struct tt_filter *filter;
    int side;
    bool begun; /* the walk over the side's rows has begun */
    bool forward;
    uint64_t row, end; /* forward: [row, end) is left; backward: [end, row) */
    struct tt_filter_plan *plan;
    struct tt_filter_worker *worker;
    uint64_t ticks[2], pos[2]; /* of the events found */
    bool moves;                /* from the events aligned so far */
    struct tt_event events[TT_FILTER_BLOCK];
    uint64_t bits[TT_FILTER_WORDS];
};

/* ---- life cycle --------------------------------------------------------------------------- */

static void end_side(struct tt_align_search *search)
{
    tt_filter_worker_free(search->worker);
    tt_filter_plan_free(search->plan);
    search->worker = NULL;
    search->plan = NULL;
    search->begun = false;
}

static void align_sides_end_search(struct tt_align_sides *sides)
{
    if (sides->search) {
        end_side(sides->search);
        tt_filter_free(sides->search->filter);
        free(sides->search);
        sides->search = NULL;
    }
}

/* Closes what belongs to the captures; the moments stay. */
static void close_sides(struct tt_align_sides *sides)
{
    align_sides_end_search(sides);
    tt_thread_pairs_free(&sides->pairs);
    for (int side = 0; side < 2; side++) {
        tt_events_free(sides->other_events[side]);
        tt_trace_close(sides->others[side]);
        sides->other_events[side] = NULL;
        sides->others[side] = NULL;
    }
    sides->ready = false;
}

void tt_align_sides_free(struct tt_align_sides *sides)
{
    close_sides(sides);
    *sides = (struct tt_align_sides){0};
}

void tt_align_sides_drop(struct tt_align_sides *sides, struct tt_workspace *ws)
{
    const char *path = ws->opened.trace ? tt_trace_path(ws->opened.trace) : "";
    unsigned at = 0;
    while (at < TT_ALIGNED_MARKS && strcmp(sides->remembered[at].path, path) != 0) {
        at++;
    }
    if (at == TT_ALIGNED_MARKS) {
        at = sides->next_remembered++ % TT_ALIGNED_MARKS;
    }
    if (path[0] && strlen(path) < TT_COMPARING_PATH) {
        memcpy(sides->remembered[at].path, path, strlen(path) + 1);
        memcpy(sides->remembered[at].marks, ws->nav.marks, sizeof ws->nav.marks);
    }
    close_sides(sides);
}

/* Returns whether a word is a mark or a point in time. */
static bool is_place(const char *word)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(word, &when);
    return word[0] == '\'' || !tt_failed(&status);
}

struct tt_status tt_align_sides_begin(struct tt_align_sides *sides, struct tt_workspace *ws,
                                      const char *text)
{
    const struct tt_comparing *comparing = ws->comparing;
    struct tt_align_at where = {0};
    if (strlen(text) >= sizeof where.event) {
        return tt_error(TT_ERR_USAGE, "the command is too long");
    }
    if (!comparing || !comparing->path_a[0]) {
        return tt_error(TT_ERR_USAGE, "nothing to align with: :diff FILE first");
    }
    if (tt_baseline_is_file(comparing->path_a)) {
        return tt_error(TT_ERR_USAGE, "A is a baseline, which has no lanes");
    }
    size_t length = strcspn(text, " ");
    const char *second = text + length + strspn(text + length, " ");
    memcpy(where.places[0], text, length);
    snprintf(where.places[1], sizeof where.places[1], "%s", second[0] ? second : where.places[0]);
    if (length > 0 && (!is_place(where.places[0]) || !is_place(where.places[1]))) {
        where = (struct tt_align_at){0};
        snprintf(where.event, sizeof where.event, "%s", text);
    }
    close_sides(sides);
    sides->ws = ws;
    memcpy(sides->paths[0], comparing->path_a, sizeof comparing->path_a);
    memcpy(sides->paths[1], comparing->path_b, sizeof comparing->path_b);
    sides->keys[0] = comparing->keys_a;
    sides->keys[1] = comparing->keys_b;
    sides->where = where;
    sides->located = sides->placed = false;
    sides->status = tt_ok();
    return tt_ok();
}

/* ---- sides -------------------------------------------------------------------------------- */

bool tt_align_is_open(const struct tt_align_sides *sides, int side)
{
    return sides->ws->opened.trace &&
           strcmp(sides->paths[side], tt_trace_path(sides->ws->opened.trace)) == 0;
}

struct tt_trace *tt_align_trace(const struct tt_align_sides *sides, int side)
{
    return tt_align_is_open(sides, side) ? sides->ws->opened.trace : sides->others[side];
}

static struct tt_events *events_of(const struct tt_align_sides *sides, int side)
{
    return tt_align_is_open(sides, side) ? sides->ws->opened.events : sides->other_events[side];
}

/* Opens the sides that are not open; returns whether both are indexed. */
static bool sides_are_indexed(struct tt_align_sides *sides)
{
    bool all = sides->ws->index.progress.finished;
    for (int side = 0; side < 2 && !tt_failed(&sides->status); side++) {
        if (!tt_align_trace(sides, side)) {
            sides->status = tt_pane_open_trace(sides->ws, sides->paths[side], &sides->others[side]);
            sides->other_events[side] =
                sides->others[side] ? tt_events_new(sides->others[side]) : NULL;
            if (!tt_failed(&sides->status) && !sides->other_events[side]) {
                sides->status = tt_error_memory();
            }
        }
        if (sides->others[side] && !tt_failed(&sides->status) &&
            !tt_trace_progress(sides->others[side]).finished) {
            nanosleep(&(struct timespec){.tv_nsec = TT_PANE_CLOCK}, NULL);
            all = all && tt_trace_progress(sides->others[side]).finished;
        }
    }
    return all && !tt_failed(&sides->status);
}

/* Returns the range of a side inside its capture. */
static struct tt_thread_range align_sides_range_of(const struct tt_align_sides *sides, int side)
{
    struct tt_trace *trace = tt_align_trace(sides, side);
    const struct tt_timelines *timelines = tt_trace_timelines(trace);
    const struct tt_key_range *keys = &sides->keys[side];
    uint64_t begin = timelines ? tt_timelines_begin(timelines) : 0,
             end = timelines ? tt_timelines_limit(timelines) : 0;
    uint64_t from = keys->from_ticks > begin ? keys->from_ticks : begin;
    return (struct tt_thread_range){trace, from < end ? from : end,
                                    keys->to_ticks < end ? keys->to_ticks : end};
}

/* ---- time --------------------------------------------------------------------------------- */

static uint64_t hz_of(const struct tt_align_sides *sides, int side)
{
    return tt_trace_capture(tt_align_trace(sides, side))->clock_hz;
}

/* Converts a distance between the clocks of two sides; saturates. */
static uint64_t align_sides_convert(const struct tt_align_sides *sides, int from, int to,
                                    uint64_t ticks)
{
    uint64_t of_from = hz_of(sides, from), of_to = hz_of(sides, to), result;
    if (of_from == of_to || of_from == 0 || of_to == 0) {
        return ticks;
    }
    return tt_mul_div(ticks, of_to, of_from, &result) ? result : UINT64_MAX;
}

uint64_t tt_align_ticks(const struct tt_align_sides *sides, int side, uint64_t aligned)
{
    uint64_t at = sides->at[side];
    if (aligned < TT_ALIGNED_ZERO) {
        uint64_t before = align_sides_convert(sides, 1, side, TT_ALIGNED_ZERO - aligned);
        return before < at ? at - before : 0;
    }
    uint64_t after = align_sides_convert(sides, 1, side, aligned - TT_ALIGNED_ZERO);
    return after < UINT64_MAX - at ? at + after : UINT64_MAX;
}

uint64_t tt_align_time(const struct tt_align_sides *sides, int side, uint64_t ticks)
{
    uint64_t at = sides->at[side], most = TT_ALIGNED_ZERO - 1;
    uint64_t away = align_sides_convert(sides, side, 1, ticks < at ? at - ticks : ticks - at);
    away = away < most ? away : most;
    return ticks < at ? TT_ALIGNED_ZERO - away : TT_ALIGNED_ZERO + away;
}

struct tt_bounds tt_align_bounds(const struct tt_align_sides *sides)
{
    struct tt_bounds bounds = {UINT64_MAX, 0};
    for (int side = 0; side < 2; side++) {
        const struct tt_timelines *timelines = tt_trace_timelines(tt_align_trace(sides, side));
        uint64_t begin = tt_align_time(sides, side, timelines ? tt_timelines_begin(timelines) : 0);
        uint64_t end = tt_align_time(sides, side, timelines ? tt_timelines_limit(timelines) : 0);
        bounds.begin = begin < bounds.begin ? begin : bounds.begin;
        bounds.end = end > bounds.end ? end : bounds.end;
    }
    bounds.end += bounds.end <= bounds.begin;
    return bounds;
}

/* ---- events ------------------------------------------------------------------------------- */

/* Parses a filter, or the name of an event. */
static struct tt_status parse_event(const char *text, struct tt_filter **filter)
{
    struct tt_filter_error error;
    char named[TT_ALIGNED_TEXT + 16];
    snprintf(named, sizeof named, "event = \"%s\"", text);
    if (!strpbrk(text, "=<>~/\"() ") && tt_filter_parse(named, filter, &error)) {
        return tt_ok();
    }
    return tt_filter_parse(text, filter, &error) ? tt_ok() : error.status;
}

static struct tt_status begin_search(struct tt_align_sides *sides, bool moves, bool forward)
{
    align_sides_end_search(sides);
    sides->search = calloc(1, sizeof *sides->search);
    if (!sides->search) {
        return tt_error_memory();
    }
    sides->search->moves = moves;
    sides->search->forward = forward;
    struct tt_status status = parse_event(sides->where.event, &sides->search->filter);
    if (tt_failed(&status)) {
        align_sides_end_search(sides);
    }
    return status;
}

/* Begins the walk over the rows of a side: of its range, or from the event that is aligned. */
static struct tt_status begin_walk(struct tt_align_sides *sides)
{
    struct tt_align_search *search = sides->search;
    struct tt_events *events = events_of(sides, search->side);
    const struct tt_key_range *keys = &sides->keys[search->side];
    struct tt_filter_error error;
    if (!tt_filter_plan_new(search->filter, tt_align_trace(sides, search->side), events,
                            &search->plan, &error)) {
        return error.status;
    }
    search->worker = tt_filter_worker_new(search->plan, events);
    uint64_t first = tt_events_row_at_key(events, keys->from_ticks, keys->from_pos);
    uint64_t end = keys->to_ticks == UINT64_MAX
                       ? tt_events_rows(events)
                       : tt_events_row_at_key(events, keys->to_ticks, keys->to_pos);
    uint64_t here = search->moves ? tt_events_row_at_key(events, sides->at[search->side],
                                                         sides->pos[search->side])
                                  : 0;
    search->row = !search->moves ? first : search->forward ? here + 1 : here;
    search->end = search->forward ? end : first;
    search->begun = true;
    return search->worker ? tt_ok() : tt_error_memory();
}

/* Tests the next block of rows; returns whether it has a match, which is stored. */
static bool test_block(struct tt_align_sides *sides)
{
    struct tt_align_search *search = sides->search;
    uint64_t left = search->forward ? search->end - search->row : search->row - search->end;
    uint32_t count = left < TT_FILTER_BLOCK ? (uint32_t)left : TT_FILTER_BLOCK;
    uint64_t first = search->forward ? search->row : search->row - count;
    uint32_t got = tt_events_read(events_of(sides, search->side), first, count, search->events);
    tt_filter_test(search->worker, search->events, first, got, search->bits);
    search->row = search->forward ? first + count : first;
    for (uint32_t i = 0; i < got; i++) {
        uint32_t at = search->forward ? i : got - 1 - i;
        if (search->bits[at / 64] >> (at % 64) & 1u) {
            search->ticks[search->side] = search->events[at].ticks;
            search->pos[search->side] = search->events[at].pos;
            return true;
        }
    }
    return false;
}

/* Continues the search; false when the time is over. */
static bool search_until(struct tt_align_sides *sides, uint64_t deadline_ns)
{
    while (sides->search) {
        struct tt_align_search *search = sides->search;
        if (!search->begun) {
            sides->status = begin_walk(sides);
        }
        if (tt_failed(&sides->status)) {
            align_sides_end_search(sides);
        } else if (search->row == search->end || (search->forward && search->row > search->end) ||
                   (!search->forward && search->row < search->end)) {
            /* Ends a search without a match: a move stays where it was. */
            const char *side = sides->search->side == 0 ? "A" : "B";
            if (sides->search->moves) {
                tt_message_set(&sides->ws->message, TT_ROLE_WARNING, "no %s event \"%.60s\" in %s",
                               sides->search->forward ? "later" : "earlier", sides->where.event,
                               side);
            } else {
                sides->status = tt_error(TT_ERR_USAGE, "no event \"%.60s\" in the range of %s",
                                         sides->where.event, side);
            }
            align_sides_end_search(sides);
        } else if (test_block(sides)) {
            end_side(search);
            if (search->side++ == 1) { /* both events are found */
                memcpy(sides->at, search->ticks, sizeof sides->at);
                memcpy(sides->pos, search->pos, sizeof sides->pos);
                sides->located = true;
                align_sides_end_search(sides);
            }
        }
        if (sides->search && tt_now_ns() >= deadline_ns) {
            return false;
        }
    }
    return true;
}

struct tt_status tt_align_sides_move(struct tt_align_sides *sides, bool forward)
{
    if (!sides->ready || !sides->where.event[0]) {
        return tt_error(TT_ERR_USAGE, "A and B are not aligned at events: :align EVENT");
    }
    return begin_search(sides, true, forward);
}

/* ---- marks and places --------------------------------------------------------------------- */

/* Returns the marks of a side: those of the open capture, or those it had before it was closed. */
static const struct tt_bookmark *marks_of(const struct tt_align_sides *sides, int side)
{
    for (unsigned i = 0; i < TT_ALIGNED_MARKS; i++) {
        if (!tt_align_is_open(sides, side) &&
            strcmp(sides->remembered[i].path, sides->paths[side]) == 0) {
            return sides->remembered[i].marks;
        }
    }
    return tt_align_is_open(sides, side) ? sides->ws->nav.marks : NULL;
}

/* Sets the moment of a side to a mark or a place. */
static struct tt_status locate_place(struct tt_align_sides *sides, int side)
{
    const char *text = sides->where.places[side];
    struct tt_time_spec when;
    if (text[0] == '\'') {
        const struct tt_bookmark *marks = marks_of(sides, side);
        int mark = text[1] >= 'a' && text[1] <= 'z' && !text[2] ? text[1] - 'a' : -1;
        if (mark < 0 || !marks || !marks[mark].set) {
            return tt_error(TT_ERR_USAGE, "mark %.1s is not set in %s", text + 1,
                            side == 0 ? "A" : "B");
        }
        sides->at[side] = marks[mark].ticks;
        sides->pos[side] = marks[mark].pos;
        return tt_ok();
    }
    struct tt_status status = tt_time_spec_parse(text, &when);
    if (!tt_failed(&status)) {
        status = tt_time_spec_resolve(&when, tt_align_trace(sides, side), events_of(sides, side),
                                      &sides->at[side], &sides->pos[side]);
    }
    const struct tt_timelines *timelines = tt_trace_timelines(tt_align_trace(sides, side));
    if (!tt_failed(&status) && (!timelines || sides->at[side] >= tt_timelines_limit(timelines))) {
        status =
            tt_error(TT_ERR_USAGE, "%.40s is after the end of %s", text, side == 0 ? "A" : "B");
    }
    return status;
}

/* Sets the moments of both sides, or begins to search for events. */
static struct tt_status locate(struct tt_align_sides *sides)
{
    struct tt_status status = tt_ok();
    if (sides->where.event[0]) {
        return begin_search(sides, false, true);
    }
    if (!sides->where.places[0][0]) {
        /* Aligns without a place: at the mark of both sides that was set last, else at their beginnings. */
        const struct tt_bookmark *of_a = marks_of(sides, 0), *of_b = marks_of(sides, 1);
        bool same = of_a == of_b; /* one capture: its marks are no pair */
        int best = -1;
        for (int i = 0; of_a && of_b && !same && i < TT_BOOKMARKS; i++) {
            if (of_a[i].set && of_b[i].set && (best < 0 || of_b[i].set > of_b[best].set)) {
                best = i;
            }
        }
        for (int side = 0; side < 2; side++) {
            const struct tt_bookmark *marks = side == 0 ? of_a : of_b;
            sides->at[side] =
                best >= 0 ? marks[best].ticks : align_sides_range_of(sides, side).from;
            sides->pos[side] = best >= 0 ? marks[best].pos : 0;
            if (best >= 0) {
                snprintf(sides->where.places[side], sizeof sides->where.places[side], "'%c",
                         'a' + best);
            } else {
                sides->where.places[side][0] = '\0';
            }
        }
    }
    for (int side = 0; side < 2 && sides->where.places[0][0] && !tt_failed(&status); side++) {
        status = locate_place(sides, side);
    }
    sides->located = !tt_failed(&status);
    return status;
}

/* ---- steps -------------------------------------------------------------------------------- */

bool tt_align_sides_work(struct tt_align_sides *sides, uint64_t deadline_ns)
{
    if (!sides->paths[0][0] || tt_failed(&sides->status) || !sides->ws->opened.trace) {
        return true;
    }
    if (!sides->ready && !sides_are_indexed(sides)) {
        return tt_failed(&sides->status);
    }
    if (!sides->located && !sides->search) {
        sides->status = locate(sides);
    }
    if (!search_until(sides, deadline_ns)) {
        return false;
    }
    if (sides->located && !sides->ready && !tt_failed(&sides->status)) {
        struct tt_thread_range ranges[] = {align_sides_range_of(sides, 0),
                                           align_sides_range_of(sides, 1)};
        if ((hz_of(sides, 0) == 0) != (hz_of(sides, 1) == 0)) {
            sides->status = tt_error(TT_ERR_USAGE, "only one of the captures has a clock");
        } else if (!tt_thread_pairs_make(&sides->pairs, ranges)) {
            sides->status = tt_error_memory();
        } else {
            sides->ready = true;
        }
    }
    return true;
}
