/* SPDX-License-Identifier: Apache-2.0 */
/*
 * messages: client, server and times of each message: send, receive, reply or error.
 *
 * A message goes from a client thread to a server process; a thread of that process receives it and
 * any thread of it answers. Rules: docs/messages.md.
 *
 *      client   ##send|..........SEND..........|........REPLY........|ready|##run
 *      server            |--other work--|ready|receive##########reply|
 *                     send             queue  receive    service  end  return
 *
 * Messages are stored in rows. The messages of a row do not overlap and are in time order. A
 * client that waits for its answer has one row; messages that do not wait (pulses, flows, queue
 * entries) go to the first free row of their sender. A row is a track (trace/track/track.h) with
 * an item per step, 6 to 10 bytes per message in all:
 *
 *      row 3   | sent, connection 7 | received, thread 12 | replied | sent, connection 7 | ...
 *
 * A connection is a server process and the format's number of the connection (QNX: the low half of
 * the rcvid). Its channel is that of the receiving call of a thread that received a message of it, where
 * the format records such calls. Steps that the capture does not show are unknown, not zero: a message that was open
 * when records were lost ends as TT_MESSAGE_LOST, and one whose beginning is not in the capture has
 * no send.
 *
 * Times are ticks. Threads: as in tracetui/timeline.h; rows are looked up again while the timelines
 * are provisional.
 */
#ifndef TRACETUI_MESSAGES_H
#define TRACETUI_MESSAGES_H

#include "tracetui/timeline.h"

/* How a message ended. X(id, name) */
#define TT_MESSAGE_END_INFO(X)                                                                     \
    X(TT_MESSAGE_OPEN, "open") /* it has not ended in the capture */                               \
    X(TT_MESSAGE_REPLIED, "reply")                                                                 \
    X(TT_MESSAGE_ERROR, "error") /* answered with an error */                                      \
    X(TT_MESSAGE_LEFT, "left")   /* the client stopped waiting: timeout, signal */                 \
    X(TT_MESSAGE_DIED, "died")   /* the client ended */                                            \
    X(TT_MESSAGE_TAKEN, "taken") /* received; there is no answer (pulses, queues) */               \
    X(TT_MESSAGE_LOST, "lost")   /* records were lost: the rest is unknown */

enum tt_message_end {
#define X(id, name) id,
    TT_MESSAGE_END_INFO(X)
#undef X
        TT_MESSAGE_ENDS
};

/* Returns the name of an end: "reply". */
const char *tt_message_end_name(unsigned end);

#define TT_NO_TIME UINT64_MAX

struct tt_message {
    uint64_t send;    /* TT_NO_TIME: unknown */
    uint64_t receive; /* TT_NO_TIME: not received, or unknown */
    uint64_t end;     /* TT_NO_TIME: OPEN or LOST */
    uint64_t last;    /* time of its last known step; of LOST: of the last event before the loss */
    uint64_t connection; /* the format's number of the connection, or TT_NO_CONNECTION */
    uint32_t channel;    /* number of the channel in the server process, or TT_NO_CHANNEL */
    uint32_t error;      /* of TT_MESSAGE_ERROR: the error's number; 0: not recorded */
    uint32_t client;     /* thread; TT_NO_THREAD: unknown, or the kernel sent it */
    uint32_t server;     /* thread that received; TT_NO_THREAD: unknown */
    uint32_t process;    /* server process, or TT_NO_THREAD */
    uint32_t row;        /* its row */
    uint8_t how;         /* enum tt_message_end */
    bool async;          /* the sender does not wait for an answer */
};

#define TT_NO_CONNECTION UINT64_MAX
#define TT_NO_CHANNEL    UINT32_MAX

/* Returns the name of an error in a system of the capture, "ENOENT"; NULL: it has no name. */
const char *tt_message_error_name(const struct tt_capture *capture, unsigned system,
                                  uint32_t error);

/* Returns the time of the first known step of a message. */
static inline uint64_t tt_message_begin(const struct tt_message *message)
{
    return message->send != TT_NO_TIME      ? message->send
           : message->receive != TT_NO_TIME ? message->receive
                                            : message->last;
}

/*
 * Returns the time at which the client runs again after the answer; TT_NO_TIME if it does not in the
 * capture, or records were lost in between. O(log n), and O(intervals) of the client until then.
 */
uint64_t tt_message_return(const struct tt_timelines *timelines, const struct tt_message *message);

/* Returns the number of rows; rows are numbered from 0. */
uint32_t tt_message_rows(const struct tt_timelines *timelines);
/* Returns the sender of a row's messages; TT_NO_THREAD: none. */
uint32_t tt_message_row_client(const struct tt_timelines *timelines, uint32_t row);
/* Returns the system, of a merged capture, in which a row's messages were sent (struct tt_process, space). */
unsigned tt_message_row_system(const struct tt_timelines *timelines, uint32_t row);
/* Returns the systems in which messages were sent, one bit each. O(rows). */
uint64_t tt_message_systems(const struct tt_timelines *timelines);
/*
 * Returns the first row of a thread, or TT_NO_ROW; tt_message_row_next returns the next row of the
 * same thread.
 */
#define TT_NO_ROW UINT32_MAX
uint32_t tt_message_row_of(const struct tt_timelines *timelines, uint32_t thread);
uint32_t tt_message_row_next(const struct tt_timelines *timelines, uint32_t row);
/* Returns the number of steps of all rows: at most three per message. O(rows). */
uint64_t tt_message_steps(const struct tt_timelines *timelines);

/*
 * Returns whether records of any stream may be lost between two times. A capture with one stream
 * per CPU has such gaps while other CPUs continue; their events in a gap are not paired. O(log n)
 * and a few steps.
 */
bool tt_message_gap(const struct tt_timelines *timelines, uint64_t from, uint64_t to);

/*
 * Reads the messages of one row in order. Plain data of its owner, about 600 bytes; valid as long
 * as the timelines.
 */
struct tt_message_reader {
    const struct tt_timelines *t;
    uint32_t row;
    uint32_t chunk, slot; /* next step */
    bool more;            /* the step exists */
    uint32_t loaded;      /* chunk of the cached steps, or UINT32_MAX */
    uint32_t count;
    uint64_t base;
    uint32_t delta[TT_INTERVALS];
    uint32_t value[TT_INTERVALS];
};

/* Starts with the first message of the row that is not over before `from`. O(log n). */
void tt_message_read_from(struct tt_message_reader *reader, const struct tt_timelines *timelines,
                          uint32_t row, uint64_t from);
/* Reads the next message; false if there is none. O(1). */
bool tt_message_read(struct tt_message_reader *reader, struct tt_message *message);

/*
 * Finds the message for whose answer a thread waits at `ticks`, from its send up to its end; false
 * if there is none. O(log n).
 */
bool tt_message_at(const struct tt_timelines *timelines, uint32_t client, uint64_t ticks,
                   struct tt_message *message);

#endif
