/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NAME_BYTES 256u

struct tt_status tt_fxt_lanes_open(struct tt_fxt_lanes *lanes,
                                   const struct tt_export_request *request,
                                   struct tt_events *events, const struct tt_fxt_tracks *tracks)
{
    lanes->request = request;
    lanes->process = tracks->free_koid;
    lanes->next_koid = tracks->free_koid + 1;
    if (tt_lane_list_now(tracks->capture->lanes)->count == 0) {
        return tt_ok();
    }
    const struct tt_lane_walk_request of = {.trace = request->trace,
                                            .events = events,
                                            .only = UINT32_MAX,
                                            .first_row = request->first_row,
                                            .end_row = request->end_row,
                                            .from = request->from,
                                            .to = request->to};
    lanes->walk = tt_lane_walk_new(&of);
    return lanes->walk ? tt_ok() : tt_error_memory();
}

void tt_fxt_lanes_close(struct tt_fxt_lanes *lanes)
{
    tt_lane_walk_free(lanes->walk);
    free(lanes->tracks);
}

static struct tt_fxt_text_ref fxt_lanes_text_of(struct tt_fxt_lanes *lanes, const char *text)
{
    return tt_fxt_writer_text(lanes->w, text, strlen(text));
}

/* Returns the track of a lane and key, whose name is written if it is new; NULL: out of memory, or of koids. */
static const struct tt_fxt_lane_track *track_of(struct tt_fxt_lanes *lanes,
                                                const struct tt_lane_span *span)
{
    for (size_t i = lanes->count; i-- > 0;) {
        if (lanes->tracks[i].lane == span->lane && lanes->tracks[i].key == span->key) {
            return &lanes->tracks[i];
        }
    }
    struct tt_fxt_lane_track *tracks =
        tt_array_grow(lanes->tracks, lanes->count, &lanes->capacity, sizeof *tracks);
    if (!tracks || lanes->next_koid == UINT32_MAX) {
        lanes->no_memory = true;
        return NULL;
    }
    char buffer[NAME_BYTES];
    struct tt_text name = tt_text_of(buffer, sizeof buffer);
    lanes->tracks = tracks;
    if (lanes->count == 0) {
        tt_fxt_writer_object(lanes->w, (struct tt_fxt_ids){lanes->process, 0},
                             fxt_lanes_text_of(lanes, "lanes"));
    }
    tt_text_put(&name, "%s ", tt_lane_walk_set(lanes->walk)->v[span->lane]->name);
    tt_lane_put_key(&name, lanes->walk, span);
    name.used -= name.used > 0 && buffer[name.used - 1] == ' ';
    tracks[lanes->count] = (struct tt_fxt_lane_track){span->lane, span->key, lanes->next_koid++};
    tt_fxt_writer_object(lanes->w, (struct tt_fxt_ids){lanes->process, tracks[lanes->count].koid},
                         tt_fxt_writer_text(lanes->w, buffer, name.used));
    return &tracks[lanes->count++];
}

static bool put_span(void *arg, const struct tt_lane_span *span)
{
    struct tt_fxt_lanes *lanes = arg;
    const struct tt_lane_definition *lane = tt_lane_walk_set(lanes->walk)->v[span->lane];
    const struct tt_fxt_lane_track *track = track_of(lanes, span);
    if (!track) {
        return false;
    }
    const char *state = tt_lane_state(lanes->walk, span);
    const uint64_t end = span->end != TT_LANE_OPEN ? span->end : lanes->limit;
    struct tt_fxt_out_arg value = {{0}, {.type = TT_ARG_DOUBLE, .value.d = span->value}};
    struct tt_fxt_event event = {.kind = TT_FXT_EVENT_COMPLETE,
                                 .ids = {lanes->process, track->koid},
                                 .ns = tt_fxt_time_of(lanes->clock, span->begin),
                                 .category = fxt_lanes_text_of(lanes, "lanes"),
                                 .name = fxt_lanes_text_of(lanes, state ? state : lane->name),
                                 .has_tail = true,
                                 .tail = tt_fxt_time_of(lanes->clock, end)};
    if (span->value == span->value) {
        value.name = fxt_lanes_text_of(lanes, lane->arg ? lane->arg : "value");
        event.args = &value;
        event.count = 1;
    }
    if (lane->kind == TT_LANE_VALUES) {
        event.kind = TT_FXT_EVENT_COUNTER;
        event.tail = (uint64_t)(track - lanes->tracks);
    } else if (lane->kind == TT_LANE_INTERVALS) {
        const uint64_t last = event.tail;
        event.kind = TT_FXT_EVENT_ASYNC_BEGIN;
        event.tail = ++lanes->next_id;
        tt_fxt_writer_event(lanes->w, &event);
        event.kind = TT_FXT_EVENT_ASYNC_END;
        event.ns = last;
    }
    tt_fxt_writer_event(lanes->w, &event);
    return true;
}

bool tt_fxt_lanes_step(struct tt_fxt_lanes *lanes)
{
    bool ok = true;
    if (!lanes->walk || lanes->no_memory || lanes->w->sink.stopped) {
        return false;
    }
    uint32_t count = tt_lane_walk_step(lanes->walk, UINT64_MAX, put_span, lanes, &ok);
    bool more = ok && count > 0;
    lanes->no_memory |= !ok || (!more && !tt_lane_walk_open(lanes->walk, put_span, lanes));
    return more;
}
