/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_flows: the messages of a capture as FXT flows, in time order.
 *
 *      client   |MsgSend  o---.      .--->o  |MsgSend                o: flow record
 *      server                  `-->o-'          |MsgReply
 *                        begin    step    end
 *
 * A message with a known receiver is a flow from its send to its receive and, if it is answered, to
 * its answer. Flows bind to durations: where no kernel call of the thread is open, the flow has a
 * duration of its own, of length 0. Captures that record flows keep their own.
 *
 * Memory: 32 bytes per open message and 600 per client. One thread.
 */
#ifndef TRACETUI_EXPORT_FXT_FLOWS_H
#define TRACETUI_EXPORT_FXT_FLOWS_H

#include "analysis/messages/message_walk.h"
#include "export/fxt_events.h"

enum tt_fxt_step_kind { TT_FXT_STEP_SEND, TT_FXT_STEP_RECEIVE, TT_FXT_STEP_ANSWER, TT_FXT_STEPS };

/* A step of a message that is to be written. */
struct tt_fxt_step {
    uint64_t ticks;
    uint64_t flow;
    uint32_t thread;
    uint8_t step;  /* enum tt_fxt_step_kind */
    uint8_t event; /* enum tt_fxt_event_kind: begin, step or end of the flow */
    bool post;
};

struct tt_fxt_flows {
    const struct tt_export_request *request;
    struct tt_fxt_events *events;
    struct tt_message_walk walk;
    struct tt_message next;
    bool has_next;
    struct tt_fxt_step *steps; /* a heap by time */
    size_t count;
    size_t capacity;
    uint64_t flows; /* written so far */
    struct tt_fxt_text_ref category;
    struct tt_fxt_text_ref message, post; /* names of flows */
    struct tt_fxt_text_ref names[TT_FXT_STEPS];
    bool no_memory;
};

/* Errors: TT_ERR_MEMORY. Call tt_fxt_flows_close in any case. `events` is borrowed. */
struct tt_status tt_fxt_flows_open(struct tt_fxt_flows *flows,
                                   const struct tt_export_request *request,
                                   const struct tt_timelines *timelines,
                                   struct tt_fxt_events *events);
void tt_fxt_flows_close(struct tt_fxt_flows *flows);

/* Writes the records of the steps before `ticks`. */
void tt_fxt_flows_until(struct tt_fxt_flows *flows, uint64_t ticks);

#endif
