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

struct tt_status tt_fxt_flows_open(struct tt_fxt_flows *f, const struct tt_export_request *request,
                                   const struct tt_timelines *timelines,
                                   struct tt_fxt_events *events)
{
    struct tt_fxt_writer *w = events->w;
    memset(f, 0, sizeof *f);
    f->request = request;
    f->events = events;
    if (tt_format_has(events->capture->format, TT_FORMAT_FLOWS) ||
        tt_message_rows(timelines) == 0) {
        return tt_ok();
    }
    f->category = tt_fxt_writer_text(w, "messages", strlen("messages"));
    f->message = tt_fxt_writer_text(w, "message", strlen("message"));
    f->post = tt_fxt_writer_text(w, "post", strlen("post"));
    for (unsigned i = 0; i < TT_FXT_STEPS; i++) {
        f->names[i] = tt_fxt_writer_text(w, step_names[i], strlen(step_names[i]));
    }
    if (!tt_message_walk_begin(&f->walk, timelines, request->from)) {
        return tt_error_memory();
    }
    f->has_next = tt_message_walk_next(&f->walk, &f->next);
    return tt_ok();
}

void tt_fxt_flows_close(struct tt_fxt_flows *f)
{
    tt_message_walk_free(&f->walk);
    free(f->steps);
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool is_before(const void *x, const void *y)
{
    const struct tt_fxt_step *a = x, *b = y;
    if (a->ticks != b->ticks) {
        return a->ticks < b->ticks;
    }
    return a->flow != b->flow ? a->flow < b->flow : a->step < b->step;
}

static bool is_wanted(const struct tt_fxt_flows *f, uint64_t ticks, uint32_t thread)
{
    const struct tt_export_request *q = f->request;
    return ticks >= q->from && ticks < q->to && thread < f->events->tracks->threads &&
           tt_bit_selects(q->subset.threads, q->subset.thread_count, thread);
}

/* Stores the steps of a message that become records; returns their number. */
static unsigned steps_of(const struct tt_fxt_flows *f, const struct tt_message *m,
                         struct tt_fxt_step out[TT_FXT_STEPS])
{
    bool answered = m->how == TT_MESSAGE_REPLIED || m->how == TT_MESSAGE_ERROR;
    const struct tt_fxt_step all[TT_FXT_STEPS] = {
        {m->send, f->flows, m->client, TT_FXT_STEP_SEND, 0, m->async},
        {m->receive, f->flows, m->server, TT_FXT_STEP_RECEIVE, 0, m->async},
        {answered ? m->end : TT_NO_TIME, f->flows, m->client, TT_FXT_STEP_ANSWER, 0, m->async},
    };
    unsigned count = 0;
    bool received = false;
    for (unsigned i = 0; i < TT_FXT_STEPS; i++) {
        if (all[i].ticks != TT_NO_TIME && is_wanted(f, all[i].ticks, all[i].thread)) {
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

static bool take_message(struct tt_fxt_flows *f, const struct tt_message *message)
{
    struct tt_fxt_step steps[TT_FXT_STEPS];
    const struct tt_capture *c = f->events->capture;
    unsigned system = tt_merge_of_side(c, message->process, message->client);
    if (tt_format_has(tt_merge_system(c, system)->format, TT_FORMAT_FLOWS)) {
        return true; /* its events are flows */
    }
    unsigned count = steps_of(f, message, steps);
    struct tt_fxt_step *room =
        tt_array_reserve(f->steps, f->count + TT_FXT_STEPS, &f->capacity, sizeof *f->steps);
    if (!room) {
        return false;
    }
    f->steps = room;
    f->flows += count > 0;
    for (unsigned i = 0; i < count; i++) {
        f->steps[f->count] = steps[i];
        tt_heap_up(f->steps, sizeof *f->steps, f->count++, is_before);
    }
    return true;
}

static void put_step(struct tt_fxt_flows *f, const struct tt_fxt_step *step)
{
    struct tt_fxt_events *e = f->events;
    const struct tt_fxt_type_texts own = {f->category, f->names[step->step], true};
    const struct tt_fxt_type_texts flow = {f->category, step->post ? f->post : f->message, true};
    bool bound = tt_fxt_events_in_call(e, step->thread);
    if (!bound) {
        tt_fxt_events_put_plain(e, TT_FXT_EVENT_BEGIN, step->thread, step->ticks, own, NULL);
    }
    tt_fxt_events_put_plain(e, (enum tt_fxt_event_kind)step->event, step->thread, step->ticks, flow,
                            &step->flow);
    if (!bound) {
        tt_fxt_events_put_plain(e, TT_FXT_EVENT_END, step->thread, step->ticks, own, NULL);
    }
}

void tt_fxt_flows_until(struct tt_fxt_flows *f, uint64_t ticks)
{
    while (!f->no_memory) {
        uint64_t first = f->count > 0 ? f->steps[0].ticks : UINT64_MAX;
        if (f->has_next && tt_message_begin(&f->next) <= first) {
            if (tt_message_begin(&f->next) >= ticks) {
                return;
            }
            f->no_memory = !take_message(f, &f->next);
            f->has_next = tt_message_walk_next(&f->walk, &f->next);
        } else if (first < ticks) {
            const struct tt_fxt_step step = f->steps[0];
            f->steps[0] = f->steps[--f->count];
            tt_heap_down(f->steps, f->count, sizeof *f->steps, 0, is_before);
            put_step(f, &step);
        } else {
            return;
        }
    }
}
