/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/own_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tui/model/workspace.h"

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns the row of a lane and key, which is added after those of its lane; NULL: there are too many. */
static struct tt_own_lane *own_row_of(struct tt_own_lanes *own, const struct tt_lane_span *span)
{
    size_t at = 0, keys = 0;
    while (at < own->count && own->rows[at].like.lane <= span->lane) {
        if (own->rows[at].like.lane == span->lane) {
            if (own->rows[at].like.key == span->key) {
                return &own->rows[at];
            }
            keys++;
        }
        at++;
    }
    if (keys == TT_OWN_KEYS) {
        return NULL;
    }
    struct tt_own_lane *rows = tt_array_grow(own->rows, own->count, &own->capacity, sizeof *rows);
    if (!rows) {
        own->failed = true;
        return NULL;
    }
    own->rows = rows;
    memmove(&rows[at + 1], &rows[at], (own->count - at) * sizeof *rows);
    own->count++;
    rows[at] = (struct tt_own_lane){.like = *span};
    return &rows[at];
}

/* Appends a span, in place of those that it overlaps; they are in the order of their ends. */
static bool own_add_span(void *arg, const struct tt_lane_span *span)
{
    struct tt_own_lanes *own = arg;
    struct tt_own_lane *row = own_row_of(own, span);
    if (!row || (span->end == TT_LANE_OPEN && own->set->v[span->lane]->kind == TT_LANE_INTERVALS)) {
        return !own->failed;
    }
    struct tt_own_span next = {span->begin, span->end, span->value, span->state};
    while (row->count > 0 && next.begin < row->spans[row->count - 1].end &&
           row->spans[row->count - 1].begin >= next.begin) {
        row->count--;
    }
    struct tt_own_span *last = row->count > 0 ? &row->spans[row->count - 1] : NULL;
    if (last && next.begin < last->end) {
        if (next.state == last->state && isnan(next.value)) {
            last->end = next.end > last->end ? next.end : last->end;
            return true;
        }
        next.begin = last->end;
    }
    if (next.begin > next.end) {
        return true;
    }
    struct tt_own_span *spans =
        tt_array_grow(row->spans, row->count, &row->capacity, sizeof *spans);
    if (!spans) {
        own->failed = true;
        return false;
    }
    row->spans = spans;
    spans[row->count++] = next;
    row->is_open = span->end == TT_LANE_OPEN;
    if (!isnan(span->value)) {
        bool is_first = row->count == 1;
        row->least = is_first || span->value < row->least ? span->value : row->least;
        row->most = is_first || span->value > row->most ? span->value : row->most;
    }
    return true;
}

size_t tt_own_lane_find(const struct tt_own_lane *lane, uint64_t ticks)
{
    size_t low = 0, high = lane->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lane->spans[middle].end <= ticks) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- the pass ----------------------------------------------------------------------------- */

void tt_own_lanes_drop(struct tt_own_lanes *own)
{
    for (size_t i = 0; i < own->count; i++) {
        free(own->rows[i].spans);
    }
    free(own->rows);
    tt_lane_walk_free(own->walk);
    tt_events_free(own->events);
    *own = (struct tt_own_lanes){0};
}

/* Begins again if the lanes have changed, or events were inserted. */
static void own_refresh(struct tt_workspace *ws)
{
    struct tt_own_lanes *own = &ws->own;
    const struct tt_lane_set *set = tt_lane_list_now(ws->opened.capture->lanes);
    uint64_t late = ws->index.following.live.late;
    if (own->trace == ws->opened.trace && own->set == set && own->late == late) {
        return;
    }
    tt_own_lanes_drop(own);
    own->trace = ws->opened.trace;
    own->set = set;
    own->late = late;
    own->events = set->count > 0 ? tt_events_new(own->trace) : NULL;
    if (own->events) {
        const struct tt_lane_walk_request request = {.trace = own->trace,
                                                     .events = own->events,
                                                     .only = UINT32_MAX,
                                                     .end_row = UINT64_MAX,
                                                     .to = UINT64_MAX,
                                                     .without_queries =
                                                         !ws->index.progress.finished};
        own->walk = tt_lane_walk_new(&request);
    }
    own->failed = set->count > 0 && !own->walk;
}

/* Removes the spans without an end, whose ends may be there now. */
static void own_close_open(struct tt_own_lanes *own)
{
    for (size_t i = 0; i < own->count; i++) {
        own->rows[i].count -= own->rows[i].is_open;
        own->rows[i].is_open = false;
    }
}

bool tt_own_lanes_work(struct tt_workspace *ws, uint64_t deadline_ns)
{
    struct tt_own_lanes *own = &ws->own;
    const struct tt_live *live = &ws->index.following.live;
    if (!ws->opened.trace || (!ws->index.progress.finished && !live->follows)) {
        return true; /* rows are provisional */
    }
    own_refresh(ws);
    if (!own->walk || own->failed) {
        return true;
    }
    uint64_t rows = live->follows && live->final_ticks != UINT64_MAX
                        ? tt_events_row_at_time(own->events, live->final_ticks)
                        : tt_events_rows(own->events);
    if (own->complete && tt_lane_walk_row(own->walk) >= rows) {
        return true;
    }
    own_close_open(own);
    own->complete = false;
    for (bool ok = true; !own->failed;) {
        uint32_t count = tt_lane_walk_step(own->walk, rows, own_add_span, own, &ok);
        own->failed |= !ok;
        if (count == 0) {
            own->complete = true;
            break;
        }
        if (tt_now_ns() >= deadline_ns) {
            break;
        }
    }
    own->failed |= !tt_lane_walk_open(own->walk, own_add_span, own);
    return own->complete || own->failed;
}

/* ---- definitions -------------------------------------------------------------------------- */

struct tt_status tt_own_lanes_add(struct tt_lane_list *lanes, const char *name, const char *text)
{
    struct tt_lane_definition *definition;
    struct tt_status status = tt_lane_parse(name, text, &definition);
    if (tt_failed(&status)) {
        return status;
    }
    definition->is_of_session = true;
    return tt_lane_list_add(lanes, definition);
}

struct tt_status tt_own_lanes_define(struct tt_workspace *ws, const char *text)
{
    struct tt_lane_list *lanes = ws->opened.capture ? ws->opened.capture->lanes : NULL;
    const char *equals = strchr(text, '=');
    if (!lanes) {
        return tt_error(TT_ERR_USAGE, "no capture is open");
    }
    if (equals && equals[1 + strspn(equals + 1, " ")] == '\0') {
        char name[TT_LANE_NAME_BYTES];
        struct tt_text copy = tt_text_of(name, sizeof name);
        tt_text_bytes(&copy, text, strcspn(text, " ="));
        return tt_lane_list_remove(lanes, tt_text_cstr(&copy))
                   ? tt_ok()
                   : tt_error(TT_ERR_USAGE, "no lane \"%.60s\"", name);
    }
    struct tt_status status = tt_own_lanes_add(lanes, NULL, text);
    if (tt_failed(&status)) {
        return status;
    }
    /* A capture that cannot have the lane says why; the lane stays for the next one. */
    own_refresh(ws);
    return ws->own.walk ? tt_lane_walk_error(ws->own.walk) : status;
}
