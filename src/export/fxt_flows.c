/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_flows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/heap.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"

static const char *const step_names[TT_FXT_STEPS] = {
    [TT_FXT_STEP_SEND] = "send",
    [TT_FXT_STEP_RECEIVE] = "receive",
    [TT_FXT_STEP_ANSWER] = "answer",
};

struct tt_status tt_fxt_flows_open(struct tt_fxt_flows *flows,
                                   const struct tt_export_request *request,
                                   const struct tt_timelines *timelines,
                                   struct tt_fxt_events *events)
{
    struct tt_fxt_writer *writer = events->w;
    memset(flows, 0, sizeof *flows);
    flows->request = request;
    flows->events = events;
    if (tt_format_has(events->capture->format, TT_FORMAT_FLOWS) ||
        tt_message_rows(timelines) == 0) {
        return tt_ok();
    }
    flows->category = tt_fxt_writer_text(writer, "messages", strlen("messages"));
    flows->message = tt_fxt_writer_text(writer, "message", strlen("message"));
    flows->post = tt_fxt_writer_text(writer, "post", strlen("post"));
    for (unsigned i = 0; i < TT_FXT_STEPS; i++) {
        flows->names[i] = tt_fxt_writer_text(writer, step_names[i], strlen(step_names[i]));
    }
    if (!tt_message_walk_begin(&flows->walk, timelines, request->from)) {
        return tt_error_memory();
    }
    flows->has_next = tt_message_walk_next(&flows->walk, &flows->next);
    return tt_ok();
}

void tt_fxt_flows_close(struct tt_fxt_flows *flows)
{
    tt_message_walk_free(&flows->walk);
    free(flows->steps);
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool fxt_flows_is_before(const void *x, const void *y)
{
    const struct tt_fxt_step *left = x, *right = y;
    if (left->ticks != right->ticks) {
        return left->ticks < right->ticks;
    }
    return left->flow != right->flow ? left->flow < right->flow : left->step < right->step;
}

static bool fxt_flows_is_wanted(const struct tt_fxt_flows *flows, uint64_t ticks, uint32_t thread)
{
    const struct tt_export_request *request = flows->request;
    return ticks >= request->from && ticks < request->to &&
           thread < flows->events->tracks->threads &&
           tt_bit_selects(request->subset.threads, request->subset.thread_count, thread);
}

/* Stores the steps of a message that become records; returns their number. */
static unsigned steps_of(const struct tt_fxt_flows *flows, const struct tt_message *message,
                         struct tt_fxt_step out[TT_FXT_STEPS])
{
    bool answered = message->how == TT_MESSAGE_REPLIED || message->how == TT_MESSAGE_ERROR;
    const struct tt_fxt_step all[TT_FXT_STEPS] = {
        {message->send, flows->flows, message->client, TT_FXT_STEP_SEND, 0, message->async},
        {message->receive, flows->flows, message->server, TT_FXT_STEP_RECEIVE, 0, message->async},
        {answered ? message->end : TT_NO_TIME, flows->flows, message->client, TT_FXT_STEP_ANSWER, 0,
         message->async},
    };
    unsigned count = 0;
    bool received = false;
    for (unsigned i = 0; i < TT_FXT_STEPS; i++) {
        if (all[i].ticks != TT_NO_TIME && fxt_flows_is_wanted(flows, all[i].ticks, all[i].thread)) {
            received |= i == TT_FXT_STEP_RECEIVE;
            out[count] = all[i];
            out[count].event = TT_FXT_EVENT_FLOW_STEP;
            count++;
        }
    }
    if (!received || count < 2) {
        return 0;
    }
    out[0].event = TT_FXT_EVENT_FLOW_BEGIN;
    out[count - 1].event = TT_FXT_EVENT_FLOW_END;
    return count;
}

static bool add_message_flow(struct tt_fxt_flows *flows, const struct tt_message *message)
{
    struct tt_fxt_step steps[TT_FXT_STEPS];
    const struct tt_capture *capture = flows->events->capture;
    unsigned system = tt_merge_of_side(capture, message->process, message->client);
    if (tt_format_has(tt_merge_system(capture, system)->format, TT_FORMAT_FLOWS)) {
        return true; /* its events are flows */
    }
    unsigned count = steps_of(flows, message, steps);
    struct tt_fxt_step *room = tt_array_reserve(flows->steps, flows->count + TT_FXT_STEPS,
                                                &flows->capacity, sizeof *flows->steps);
    if (!room) {
        return false;
    }
    flows->steps = room;
    flows->flows += count > 0;
    for (unsigned i = 0; i < count; i++) {
        flows->steps[flows->count] = steps[i];
        tt_heap_up(flows->steps, sizeof *flows->steps, flows->count++, fxt_flows_is_before);
    }
    return true;
}

void tt_fxt_flows_until(struct tt_fxt_flows *flows, uint64_t ticks)
{
    while (!flows->no_memory) {
        uint64_t first = flows->count > 0 ? flows->steps[0].ticks : UINT64_MAX;
        if (flows->has_next && tt_message_begin(&flows->next) <= first) {
            if (tt_message_begin(&flows->next) >= ticks) {
                return;
            }
            flows->no_memory = !add_message_flow(flows, &flows->next);
            flows->has_next = tt_message_walk_next(&flows->walk, &flows->next);
        } else if (first < ticks) {
            const struct tt_fxt_step step = flows->steps[0];
            flows->steps[0] = flows->steps[--flows->count];
            tt_heap_down(flows->steps, flows->count, sizeof *flows->steps, 0, fxt_flows_is_before);

            struct tt_fxt_events *events = flows->events;
            const struct tt_fxt_type_texts own = {flows->category, flows->names[step.step], true};
            const struct tt_fxt_type_texts flow = {flows->category,
                                                   step.post ? flows->post : flows->message, true};
            bool bound = tt_fxt_events_in_call(events, step.thread);
            if (!bound) {
                tt_fxt_events_put_plain(events, TT_FXT_EVENT_BEGIN, step.thread, step.ticks, own,
                                        NULL);
            }
            tt_fxt_events_put_plain(events, (enum tt_fxt_event_kind)step.event, step.thread,
                                    step.ticks, flow, &step.flow);
            if (!bound) {
                tt_fxt_events_put_plain(events, TT_FXT_EVENT_END, step.thread, step.ticks, own,
                                        NULL);
            }
        } else {
            return;
        }
    }
}
