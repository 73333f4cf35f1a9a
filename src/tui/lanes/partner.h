/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partner: the message at the cursor: the one for whose answer the cursor's thread waits, that it
 * serves, or that it sent without waiting.
 *
 *      client   ████→─────────────────▒▒←███        send, client runs again
 *      server   ────────→███████████←───────        receive, answer
 *
 * One thread.
 */
#ifndef TRACETUI_TUI_LANES_PARTNER_H
#define TRACETUI_TUI_LANES_PARTNER_H

#include "analysis/messages/message_walk.h"
#include "tui/lanes/lanes.h"

struct tt_partner {
    bool found;
    bool complete; /* the search */
    struct tt_message message;
    struct tt_message_parts parts;
    /* The search: for the message of a thread in [from, first_to), or else in [from, to). */
    uint32_t thread;
    uint32_t number; /* of the timelines */
    uint64_t end;    /* of the timelines */
    uint64_t from, first_to, to;
    /* The messages that the thread serves, of the rows before `row`: for each of the two ranges. */
    bool any[2];
    struct tt_message served[2];
    uint32_t row;
    bool reading; /* `reader` is in the middle of the row */
    struct tt_message_reader reader;
};

/*
 * Finds the message of a thread in the column [from, to). A message that the thread waits for comes
 * before one that it serves. O(rows of messages log n), for at most TT_PARTNER_ROWS rows.
 */
#define TT_PARTNER_ROWS 16384u
void tt_partner_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                     uint64_t to, struct tt_partner *partner);
/*
 * Begins to find the message of the cursor's thread and column, unless it was begun before; none on the
 * axis of sequence. `*partner` is initially {0}.
 */
void tt_partner_at_cursor(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_partner *partner);
/* Continues until `until` (tt_now_ns); true when the message is found, or there is none. */
bool tt_partner_work(const struct tt_timelines *timelines, struct tt_partner *partner,
                     uint64_t until);
/* Draws the marks of the message on the lane of a thread. */
void tt_partner_draw(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                     const struct tt_partner *partner, struct tt_area area, int y, uint32_t thread);
/* Appends "message to fusion/1 fuse, received after 2.0 us" or "serves sensor/1 sample". */
void tt_partner_text(const struct tt_workspace *ws, const struct tt_partner *partner,
                     uint32_t thread, struct tt_text *text);
/*
 * Moves the cursor to the other thread of the message of `thread` at `ticks`: to the server, from the
 * receive on; to the client, from the send to its next run.
 */
void tt_partner_go(struct tt_workspace *ws, uint32_t thread, uint64_t ticks);

#endif
