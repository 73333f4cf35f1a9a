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

static void end_side(struct tt_align_search *s)
{
    tt_filter_worker_free(s->worker);
    tt_filter_plan_free(s->plan);
    s->worker = NULL;
    s->plan = NULL;
    s->begun = false;
}

static void end_search(struct tt_align_sides *a)
{
    if (a->search) {
        end_side(a->search);
        tt_filter_free(a->search->filter);
        free(a->search);
        a->search = NULL;
    }
}

/* Closes what belongs to the captures; the moments stay. */
static void close_sides(struct tt_align_sides *a)
{
    end_search(a);
    tt_thread_pairs_free(&a->pairs);
    for (int side = 0; side < 2; side++) {
        tt_events_free(a->other_events[side]);
        tt_trace_close(a->others[side]);
        a->other_events[side] = NULL;
        a->others[side] = NULL;
    }
    a->ready = false;
}

void tt_align_sides_free(struct tt_align_sides *a)
{
    close_sides(a);
    *a = (struct tt_align_sides){0};
}

void tt_align_sides_drop(struct tt_align_sides *a, struct tt_workspace *ws)
{
    const char *path = ws->opened.trace ? tt_trace_path(ws->opened.trace) : "";
    unsigned at = 0;
    while (at < TT_ALIGNED_MARKS && strcmp(a->remembered[at].path, path) != 0) {
        at++;
    }
    if (at == TT_ALIGNED_MARKS) {
        at = a->next_remembered++ % TT_ALIGNED_MARKS;
    }
    if (path[0] && strlen(path) < TT_COMPARING_PATH) {
        memcpy(a->remembered[at].path, path, strlen(path) + 1);
        memcpy(a->remembered[at].marks, ws->nav.marks, sizeof ws->nav.marks);
    }
    close_sides(a);
}

/* Returns whether a word is a mark or a point in time. */
static bool is_place(const char *word)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(word, &when);
    return word[0] == '\'' || !tt_failed(&status);
}

struct tt_status tt_align_sides_begin(struct tt_align_sides *a, struct tt_workspace *ws,
                                      const char *text)
{
    const struct tt_comparing *c = ws->comparing;
    struct tt_align_at where = {0};
    if (strlen(text) >= sizeof where.event) {
        return tt_error(TT_ERR_USAGE, "the command is too long");
    }
    if (!c || !c->path_a[0]) {
        return tt_error(TT_ERR_USAGE, "nothing to align with: :diff FILE first");
    }
    if (tt_baseline_is_file(c->path_a)) {
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
    close_sides(a);
    a->ws = ws;
    memcpy(a->paths[0], c->path_a, sizeof c->path_a);
    memcpy(a->paths[1], c->path_b, sizeof c->path_b);
    a->keys[0] = c->keys_a;
    a->keys[1] = c->keys_b;
    a->where = where;
    a->located = a->placed = false;
    a->status = tt_ok();
    return tt_ok();
}

/* ---- sides -------------------------------------------------------------------------------- */

bool tt_align_is_open(const struct tt_align_sides *a, int side)
{
    return a->ws->opened.trace && strcmp(a->paths[side], tt_trace_path(a->ws->opened.trace)) == 0;
}

struct tt_trace *tt_align_trace(const struct tt_align_sides *a, int side)
{
    return tt_align_is_open(a, side) ? a->ws->opened.trace : a->others[side];
}

static struct tt_events *events_of(const struct tt_align_sides *a, int side)
{
    return tt_align_is_open(a, side) ? a->ws->opened.events : a->other_events[side];
}

/* Opens the sides that are not open; returns whether both are indexed. */
static bool sides_are_indexed(struct tt_align_sides *a)
{
    bool all = a->ws->index.progress.finished;
    for (int side = 0; side < 2 && !tt_failed(&a->status); side++) {
        if (!tt_align_trace(a, side)) {
            a->status = tt_pane_open_trace(a->ws, a->paths[side], &a->others[side]);
            a->other_events[side] = a->others[side] ? tt_events_new(a->others[side]) : NULL;
            if (!tt_failed(&a->status) && !a->other_events[side]) {
                a->status = tt_error_memory();
            }
        }
        if (a->others[side] && !tt_failed(&a->status) &&
            !tt_trace_progress(a->others[side]).finished) {
            nanosleep(&(struct timespec){.tv_nsec = TT_PANE_CLOCK}, NULL);
            all = all && tt_trace_progress(a->others[side]).finished;
        }
    }
    return all && !tt_failed(&a->status);
}

/* Returns the range of a side inside its capture. */
static struct tt_thread_range range_of(const struct tt_align_sides *a, int side)
{
    struct tt_trace *trace = tt_align_trace(a, side);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_key_range *keys = &a->keys[side];
    uint64_t begin = t ? tt_timelines_begin(t) : 0, end = t ? tt_timelines_limit(t) : 0;
    uint64_t from = keys->from_ticks > begin ? keys->from_ticks : begin;
    return (struct tt_thread_range){trace, from < end ? from : end,
                                    keys->to_ticks < end ? keys->to_ticks : end};
}

/* ---- time --------------------------------------------------------------------------------- */

static uint64_t hz_of(const struct tt_align_sides *a, int side)
{
    return tt_trace_capture(tt_align_trace(a, side))->clock_hz;
}

/* Converts a distance between the clocks of two sides; saturates. */
static uint64_t convert(const struct tt_align_sides *a, int from, int to, uint64_t ticks)
{
    uint64_t of_from = hz_of(a, from), of_to = hz_of(a, to), result;
    if (of_from == of_to || of_from == 0 || of_to == 0) {
        return ticks;
    }
    return tt_mul_div(ticks, of_to, of_from, &result) ? result : UINT64_MAX;
}

uint64_t tt_align_ticks(const struct tt_align_sides *a, int side, uint64_t aligned)
{
    uint64_t at = a->at[side];
    if (aligned < TT_ALIGNED_ZERO) {
        uint64_t before = convert(a, 1, side, TT_ALIGNED_ZERO - aligned);
        return before < at ? at - before : 0;
    }
    uint64_t after = convert(a, 1, side, aligned - TT_ALIGNED_ZERO);
    return after < UINT64_MAX - at ? at + after : UINT64_MAX;
}

uint64_t tt_align_time(const struct tt_align_sides *a, int side, uint64_t ticks)
{
    uint64_t at = a->at[side], most = TT_ALIGNED_ZERO - 1;
    uint64_t away = convert(a, side, 1, ticks < at ? at - ticks : ticks - at);
    away = away < most ? away : most;
    return ticks < at ? TT_ALIGNED_ZERO - away : TT_ALIGNED_ZERO + away;
}

struct tt_bounds tt_align_bounds(const struct tt_align_sides *a)
{
    struct tt_bounds bounds = {UINT64_MAX, 0};
    for (int side = 0; side < 2; side++) {
        const struct tt_timelines *t = tt_trace_timelines(tt_align_trace(a, side));
        uint64_t begin = tt_align_time(a, side, t ? tt_timelines_begin(t) : 0);
        uint64_t end = tt_align_time(a, side, t ? tt_timelines_limit(t) : 0);
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

static struct tt_status begin_search(struct tt_align_sides *a, bool moves, bool forward)
{
    end_search(a);
    a->search = calloc(1, sizeof *a->search);
    if (!a->search) {
        return tt_error_memory();
    }
    a->search->moves = moves;
    a->search->forward = forward;
    struct tt_status status = parse_event(a->where.event, &a->search->filter);
    if (tt_failed(&status)) {
        end_search(a);
    }
    return status;
}

/* Begins the walk over the rows of a side: of its range, or from the event that is aligned. */
static struct tt_status begin_walk(struct tt_align_sides *a)
{
    struct tt_align_search *s = a->search;
    struct tt_events *events = events_of(a, s->side);
    const struct tt_key_range *keys = &a->keys[s->side];
    struct tt_filter_error error;
    if (!tt_filter_plan_new(s->filter, tt_align_trace(a, s->side), events, &s->plan, &error)) {
        return error.status;
    }
    s->worker = tt_filter_worker_new(s->plan, events);
    uint64_t first = tt_events_row_at_key(events, keys->from_ticks, keys->from_pos);
    uint64_t end = keys->to_ticks == UINT64_MAX
                       ? tt_events_rows(events)
                       : tt_events_row_at_key(events, keys->to_ticks, keys->to_pos);
    uint64_t here = s->moves ? tt_events_row_at_key(events, a->at[s->side], a->pos[s->side]) : 0;
    s->row = !s->moves ? first : s->forward ? here + 1 : here;
    s->end = s->forward ? end : first;
    s->begun = true;
    return s->worker ? tt_ok() : tt_error_memory();
}

/* Tests the next block of rows; returns whether it has a match, which is stored. */
static bool test_block(struct tt_align_sides *a)
{
    struct tt_align_search *s = a->search;
    uint64_t left = s->forward ? s->end - s->row : s->row - s->end;
    uint32_t count = left < TT_FILTER_BLOCK ? (uint32_t)left : TT_FILTER_BLOCK;
    uint64_t first = s->forward ? s->row : s->row - count;
    uint32_t got = tt_events_read(events_of(a, s->side), first, count, s->events);
    tt_filter_test(s->worker, s->events, first, got, s->bits);
    s->row = s->forward ? first + count : first;
    for (uint32_t i = 0; i < got; i++) {
        uint32_t at = s->forward ? i : got - 1 - i;
        if (s->bits[at / 64] >> (at % 64) & 1u) {
            s->ticks[s->side] = s->events[at].ticks;
            s->pos[s->side] = s->events[at].pos;
            return true;
        }
    }
    return false;
}

/* Continues the search; false when the time is over. */
static bool search_until(struct tt_align_sides *a, uint64_t deadline_ns)
{
    while (a->search) {
        struct tt_align_search *s = a->search;
        if (!s->begun) {
            a->status = begin_walk(a);
        }
        if (tt_failed(&a->status)) {
            end_search(a);
        } else if (s->row == s->end || (s->forward && s->row > s->end) ||
                   (!s->forward && s->row < s->end)) {
            /* Ends a search without a match: a move stays where it was. */
            const char *side = a->search->side == 0 ? "A" : "B";
            if (a->search->moves) {
                tt_message_set(&a->ws->message, TT_ROLE_WARNING, "no %s event \"%.60s\" in %s",
                               a->search->forward ? "later" : "earlier", a->where.event, side);
            } else {
                a->status = tt_error(TT_ERR_USAGE, "no event \"%.60s\" in the range of %s",
                                     a->where.event, side);
            }
            end_search(a);
        } else if (test_block(a)) {
            end_side(s);
            if (s->side++ == 1) { /* both events are found */
                memcpy(a->at, s->ticks, sizeof a->at);
                memcpy(a->pos, s->pos, sizeof a->pos);
                a->located = true;
                end_search(a);
            }
        }
        if (a->search && tt_now_ns() >= deadline_ns) {
            return false;
        }
    }
    return true;
}

struct tt_status tt_align_sides_move(struct tt_align_sides *a, bool forward)
{
    if (!a->ready || !a->where.event[0]) {
        return tt_error(TT_ERR_USAGE, "A and B are not aligned at events: :align EVENT");
    }
    return begin_search(a, true, forward);
}

/* ---- marks and places --------------------------------------------------------------------- */

/* Returns the marks of a side: those of the open capture, or those it had before it was closed. */
static const struct tt_bookmark *marks_of(const struct tt_align_sides *a, int side)
{
    for (unsigned i = 0; i < TT_ALIGNED_MARKS; i++) {
        if (!tt_align_is_open(a, side) && strcmp(a->remembered[i].path, a->paths[side]) == 0) {
            return a->remembered[i].marks;
        }
    }
    return tt_align_is_open(a, side) ? a->ws->nav.marks : NULL;
}

/* Sets the moment of a side to a mark or a place. */
static struct tt_status locate_place(struct tt_align_sides *a, int side)
{
    const char *text = a->where.places[side];
    struct tt_time_spec when;
    if (text[0] == '\'') {
        const struct tt_bookmark *marks = marks_of(a, side);
        int mark = text[1] >= 'a' && text[1] <= 'z' && !text[2] ? text[1] - 'a' : -1;
        if (mark < 0 || !marks || !marks[mark].set) {
            return tt_error(TT_ERR_USAGE, "mark %.1s is not set in %s", text + 1,
                            side == 0 ? "A" : "B");
        }
        a->at[side] = marks[mark].ticks;
        a->pos[side] = marks[mark].pos;
        return tt_ok();
    }
    struct tt_status status = tt_time_spec_parse(text, &when);
    if (!tt_failed(&status)) {
        status = tt_time_spec_resolve(&when, tt_align_trace(a, side), events_of(a, side),
                                      &a->at[side], &a->pos[side]);
    }
    const struct tt_timelines *t = tt_trace_timelines(tt_align_trace(a, side));
    if (!tt_failed(&status) && (!t || a->at[side] >= tt_timelines_limit(t))) {
        status =
            tt_error(TT_ERR_USAGE, "%.40s is after the end of %s", text, side == 0 ? "A" : "B");
    }
    return status;
}

/* Sets the moments of both sides, or begins to search for events. */
static struct tt_status locate(struct tt_align_sides *a)
{
    struct tt_status status = tt_ok();
    if (a->where.event[0]) {
        return begin_search(a, false, true);
    }
    if (!a->where.places[0][0]) {
        /* Aligns without a place: at the mark of both sides that was set last, else at their beginnings. */
        const struct tt_bookmark *of_a = marks_of(a, 0), *of_b = marks_of(a, 1);
        bool same = of_a == of_b; /* one capture: its marks are no pair */
        int best = -1;
        for (int i = 0; of_a && of_b && !same && i < TT_BOOKMARKS; i++) {
            if (of_a[i].set && of_b[i].set && (best < 0 || of_b[i].set > of_b[best].set)) {
                best = i;
            }
        }
        for (int side = 0; side < 2; side++) {
            const struct tt_bookmark *marks = side == 0 ? of_a : of_b;
            a->at[side] = best >= 0 ? marks[best].ticks : range_of(a, side).from;
            a->pos[side] = best >= 0 ? marks[best].pos : 0;
            if (best >= 0) {
                snprintf(a->where.places[side], sizeof a->where.places[side], "'%c", 'a' + best);
            } else {
                a->where.places[side][0] = '\0';
            }
        }
    }
    for (int side = 0; side < 2 && a->where.places[0][0] && !tt_failed(&status); side++) {
        status = locate_place(a, side);
    }
    a->located = !tt_failed(&status);
    return status;
}

/* ---- steps -------------------------------------------------------------------------------- */

bool tt_align_sides_work(struct tt_align_sides *a, uint64_t deadline_ns)
{
    if (!a->paths[0][0] || tt_failed(&a->status) || !a->ws->opened.trace) {
        return true;
    }
    if (!a->ready && !sides_are_indexed(a)) {
        return tt_failed(&a->status);
    }
    if (!a->located && !a->search) {
        a->status = locate(a);
    }
    if (!search_until(a, deadline_ns)) {
        return false;
    }
    if (a->located && !a->ready && !tt_failed(&a->status)) {
        struct tt_thread_range sides[] = {range_of(a, 0), range_of(a, 1)};
        if ((hz_of(a, 0) == 0) != (hz_of(a, 1) == 0)) {
            a->status = tt_error(TT_ERR_USAGE, "only one of the captures has a clock");
        } else if (!tt_thread_pairs_make(&a->pairs, sides)) {
            a->status = tt_error_memory();
        } else {
            a->ready = true;
        }
    }
    return true;
}
