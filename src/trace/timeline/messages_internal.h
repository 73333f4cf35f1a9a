/* SPDX-License-Identifier: Apache-2.0 */
/*
 * messages_internal: the rows behind tracetui/messages.h, and their builder.
 *
 *      value of a step   | kind 3 | connection, thread or end 29 |
 *      end               | error 21 | enum tt_message_end 8 |
 *
 * The builder pairs steps. A send is registered in `known`, a table of the ids used last, or in `open`
 * under its key, the hash of the server process and the message's id (struct tt_format, message_id); a
 * receive finds it there, and an answer finds
 * the row of the client that it names. A receive without a send, after a loss or at the start of
 * the capture, is an orphan until an answer names its client; they are paired if an earlier message
 * has shown that the connection is one of the client's process.
 *
 *      `known`   | id | id | id | ...      the latest message of an id, by slot of the id
 *      `open`    key: message - message    older ones, those whose slot another id has, and posts
 *
 * The indexing thread builds; readers follow the published tracks and links.
 */
#ifndef TRACETUI_TRACE_TIMELINE_MESSAGES_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_MESSAGES_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "base/hash.h"
#include "trace/timeline/open_spans.h"
#include "trace/track/track.h"
#include "tracetui/messages.h"

enum message_step {
    STEP_SENT = 1, /* connection */
    STEP_UNSENT,   /* connection; the send is not in the capture */
    STEP_RECEIVED, /* thread, or STEP_NONE */
    STEP_TAKEN,    /* thread, or STEP_NONE: received, which ends it */
    STEP_ENDED,    /* enum tt_message_end */
};

#define STEP_NONE            ((UINT32_C(1) << 29) - 1)
#define STEP_OF(kind, value) ((uint32_t)(kind) << 29 | ((value)&STEP_NONE))
#define STEP_KIND(step)      ((step) >> 29)
#define STEP_VALUE(step)     ((step)&STEP_NONE)

#define END_OF(how, error) ((uint32_t)(error) << 8 | (uint32_t)(how))
#define END_HOW(end)       ((end)&0xffu)
#define END_ERROR(end)     ((end) >> 8)

/* Rows of a sender at most; further messages that do not wait are not stored. */
#define TT_MESSAGE_ROWS 256u

enum message_state {
    MESSAGE_IDLE,
    MESSAGE_SENT,
    MESSAGE_RECEIVED,
    MESSAGE_AMBIGUOUS, /* a flow that began while another one had its id */
};

struct tt_message_row {
    struct tt_track steps;
    _Atomic uint32_t next; /* next row of the same thread, or TT_NO_ROW */
    uint32_t thread;
    bool async;
    uint8_t system; /* in which it was sent */
    /* Used by the builder only, from here on. */
    bool listed;          /* it is in `listed` */
    uint8_t state;        /* enum message_state */
    uint8_t slot;         /* in `known`, where it is registered, + 1; 0: in `open`, or nowhere */
    uint32_t number;      /* of the row itself */
    uint64_t key;         /* of the current message; 0: not registered */
    uint32_t connection;  /* of the current message */
    uint32_t receiver;    /* of a post: thread + 1 that it woke; 0: it is in the queue */
    struct tt_lane *lane; /* of the thread, if it waits for answers; NULL: not looked up yet */
    struct tt_message_lane *of; /* that lists a row of posts; NULL: not looked up yet */
};

struct tt_message_lane {
    _Atomic uint32_t first; /* first row + 1; 0: none */
    /* Used by the builder only, from here on. */
    uint32_t waiting; /* row + 1 of the messages that wait for an answer */
    uint32_t channel; /* from which the thread receives, + 1; 0: not known */
    uint16_t error;   /* with which it answers next; 0: not known */
    uint16_t losses;  /* of the capture when `channel` and `error` were set */
    uint32_t process; /* of the thread, + 1; 0: not looked up yet */
    uint32_t pid;
    uint32_t row_count;         /* rows in the list; 0: not counted yet */
    uint32_t idle;              /* row + 1: the rows of posts before it have a message */
    struct tt_message_row *row; /* `waiting`, once its lane and the thread's process are known */
};

struct tt_connection {
    uint64_t id; /* or TT_NO_CONNECTION */
    uint32_t process;
    _Atomic uint32_t channel; /* + 1; 0: not known; CHANNEL_SEVERAL */
    /* Used by the builder only, from here on. */
    uint32_t client;  /* process of the last client, or TT_NO_THREAD */
    uint32_t counted; /* losses + 1: since the last loss all queued posts are in `open` */
};

/* Different messages of a connection were received from different channels. */
#define CHANNEL_SEVERAL UINT32_MAX

/* An id that was used lately, of messages with an answer or of a flow. */
struct tt_known_id {
    uint64_t id;
    uint64_t key;     /* 0: the entry is empty; 1: computed when it is needed (tt_known_key) */
    uint32_t process; /* of the server; where ids are those of the whole system, a KNOWN_ below */
    uint32_t connection;
    uint32_t row;    /* row + 1 of its open message, which is not in `open`; 0: none */
    uint32_t server; /* of KNOWN_HANDLE: process to which `connection` belongs; of KNOWN_FLOW: that
                        of the sender */
};

/* Addresses of what an entry of `known` refers to; NULL: find them by their numbers. */
struct tt_known_place {
    struct tt_message_row *row;
    struct tt_connection *connection;
};

#define TT_KNOWN_BITS 7u
#define TT_KNOWN_IDS  (1u << TT_KNOWN_BITS)
#define KNOWN_HANDLE  (UINT32_MAX - 1)
#define KNOWN_FLOW    (UINT32_MAX - 2)

/* Key and connection of a server process and an id, computed once. */
struct tt_message_route {
    uint64_t id;
    uint64_t key;        /* of posts with the id; 0: the entry is empty */
    uint32_t process;    /* of the server */
    uint32_t connection; /* number */
};

#define TT_ROUTE_BITS 6u

/* A message of a client that is not known yet. */
struct tt_message_orphan {
    uint64_t id;
    uint64_t send;    /* TT_NO_TIME: unknown */
    uint64_t receive; /* TT_NO_TIME: not received yet */
    uint64_t tid;     /* of the client */
    uint32_t process; /* of the server */
    uint32_t connection;
    uint32_t server; /* thread, or STEP_NONE */
    uint32_t system; /* its number */
};

#define TT_MESSAGE_ORPHANS 128u /* further ones are dropped */

struct tt_message_lanes {
    struct tt_column lanes;       /* struct tt_message_lane, by thread */
    struct tt_column rows;        /* struct tt_message_row */
    struct tt_column connections; /* struct tt_connection */
    struct tt_message_lane threadless;
    /*
     * Losses, by system: end; code of ticks since the last event before it; their maximum. `gaps` has those of
     * system 0; the others are an array, NULL if there is one system.
     */
    struct tt_track gaps;
    struct tt_track *other_gaps;
    unsigned systems;
    /* Used by the builder only, from here on. */
    struct tt_column_index lane_at; /* indexes of `lanes`, `rows` and `connections` */
    struct tt_column_index row_at;
    struct tt_column_index connection_at;
    /* Where ids are those of the whole system without parts: the last connection, of any handle. */
    uint32_t handle_server;          /* process */
    uint32_t handle_connection;      /* number + 1; 0: not looked up yet */
    struct tt_hash connection_by_id; /* numbers of connections by (process, id) */
    struct tt_open_spans open;
    struct tt_message_orphan orphans[TT_MESSAGE_ORPHANS];
    uint32_t orphan_count;
    uint32_t gap_max;
    uint16_t losses; /* so far, of the current system; the same applies to the other members here */
    /* The last post, until the next state that its CPU records; row + 1, 0: none. */
    uint32_t posted;
    uint32_t posted_process;
    uint16_t posted_cpu;
    struct tt_known_id known[TT_KNOWN_IDS];
    struct tt_known_place known_at[TT_KNOWN_IDS]; /* of the entries of `known` */
    struct tt_message_route routes[1u << TT_ROUTE_BITS];
    uint32_t flow_connection; /* number + 1 of the one of all flows; 0: not looked up yet */
    uint32_t *listed;         /* rows with an open message, which a loss affects */
    size_t listed_count;
    size_t listed_capacity;
};

/* Returns false when out of memory; tt_message_lanes_free then frees everything. */
bool tt_message_lanes_init(struct tt_message_lanes *messages, unsigned systems);
void tt_message_lanes_free(struct tt_message_lanes *messages);

struct tt_action;
struct tt_lane;
struct tt_timelines;

/* Handle one action of their kind. Return false when out of memory. */
bool tt_messages_send(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_receive(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_reply(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_post(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_handle(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_flow_begin(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_flow_step(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_flow_end(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_channel(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_messages_error_code(struct tt_timelines *timelines, const struct tt_action *action);
/*
 * Handles a new state of a thread that waits for an answer, or the first state after a post: the post
 * may have woken the thread.
 */
bool tt_messages_state(struct tt_timelines *timelines, struct tt_lane *lane,
                       const struct tt_action *action);
/* Ends the message that a thread waits for, as it stops waiting. */
bool tt_messages_leave(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time,
                       enum tt_message_end how);
/* Ends all open messages at the last event before the loss. */
bool tt_messages_lost(struct tt_timelines *timelines, const struct tt_action *action);

/* For the index cache: creates a row or lane or connection. NULL when out of memory. */
struct tt_message_row *tt_message_row_add(struct tt_message_lanes *messages, uint32_t thread,
                                          bool async, unsigned system);
bool tt_message_connection_add(struct tt_message_lanes *messages, uint32_t process, uint64_t id);

/*
 * The length of a gap in 32 bits, whose order is that of the lengths: 2^31 ticks and more are rounded up to
 * 2^16 ticks, at most 2^47.
 */
#define TT_MESSAGE_GAP_LONG (UINT32_C(1) << 31)

static inline uint32_t tt_message_gap_code(uint64_t ticks)
{
    uint64_t units = (ticks >> 16) + 1;
    return ticks < TT_MESSAGE_GAP_LONG   ? (uint32_t)ticks
           : units < TT_MESSAGE_GAP_LONG ? TT_MESSAGE_GAP_LONG | (uint32_t)units
                                         : UINT32_MAX;
}

static inline uint64_t tt_message_gap_length(uint32_t code)
{
    return code < TT_MESSAGE_GAP_LONG ? code : (uint64_t)(code - TT_MESSAGE_GAP_LONG) << 16;
}

/* ---- what the builders share: see also messages_steps.h ------------------------------------ */

/* Returns the number of a connection, created if needed; STEP_NONE when out of memory. */
uint32_t tt_message_connection_of(struct tt_timelines *timelines, uint32_t process, uint64_t id);
/* Returns the process of a thread, or TT_NO_THREAD. */
uint32_t tt_message_process_of(const struct tt_timelines *timelines, uint32_t thread);
/* Sets the process of a lane's thread. */
void tt_message_find_process(const struct tt_timelines *timelines, struct tt_message_lane *lane,
                             uint32_t thread);
/* Returns the parts of an id, as the format of the current action defines them. */
struct tt_message_id tt_message_id_of(const struct tt_timelines *timelines, uint64_t id);
/* Makes an entry of the routes that of another process and id. NULL when out of memory. */
const struct tt_message_route *tt_message_make_route(struct tt_timelines *timelines,
                                                     struct tt_message_route *route,
                                                     uint32_t process, uint64_t id);
/* Moves the open message of an entry of `known` to `open`. Returns false when out of memory. */
bool tt_message_move_to_open(struct tt_timelines *timelines, struct tt_known_id *known);
/* Returns a thread's lane, created if needed; NULL when out of memory. */
struct tt_message_lane *tt_message_lane_of(struct tt_timelines *timelines, uint32_t thread);
/* Returns the row of the messages whose answer a thread waits for; TT_NO_ROW: out of memory. */
uint32_t tt_message_waiting_row(struct tt_timelines *timelines, uint32_t thread);
/* Returns the sender's first free row; NULL with *full set, or when out of memory. */
struct tt_message_row *tt_message_free_row(struct tt_timelines *timelines, uint32_t thread,
                                           bool *full);
/* Appends a step that begins a chunk. Returns false when out of memory. */
bool tt_message_append_chunk(struct tt_timelines *timelines, struct tt_message_row *row,
                             uint64_t time, uint32_t step);
/* Adds a row to `listed`, for the next loss. Returns false when out of memory. */
bool tt_message_list_row(struct tt_timelines *timelines, struct tt_message_row *row);
/* Notes whether the thread of a row waits for an answer. */
void tt_message_set_waiting(const struct tt_timelines *timelines, struct tt_message_row *row,
                            bool waits);
/* Does the same with STEP_ENDED; `how`: enum tt_message_end, or END_OF. */
bool tt_message_end_with(struct tt_timelines *timelines, uint32_t number, uint64_t time,
                         uint32_t how);
/* Notes the channel of a connection as a thread receives a message of it. */
void tt_message_note_channel(struct tt_timelines *timelines, uint32_t thread, uint32_t number);
/* Finds the receiver's process and thread; the CPU may have been in another thread's context. */
uint32_t tt_message_receiver(const struct tt_timelines *timelines, const struct tt_action *action,
                             uint32_t *thread);

#endif
