/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_walk: the messages of a capture in time order, and the parts of a message.
 *
 *      client   ##send|..........SEND..........|........REPLY........|ready|##run
 *      server            |--other work--|ready|receive##########reply|
 *                     |------- queue --------|----- service ----|-- back --|
 *                     |------------------------ round ---------------------|
 *
 * docs/messages.md has the rules. Times are ticks. A walk is a merge of the rows of messages
 * (tracetui/messages.h); it belongs to one thread and uses the timelines as they were at its begin.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_MESSAGE_WALK_H
#define TRACETUI_ANALYSIS_MESSAGES_MESSAGE_WALK_H

#include "tracetui/messages.h"

struct tt_message_head;

struct tt_message_walk {
    const struct tt_timelines *t;
    uint64_t from;
    bool returns;
    uint32_t rows;                 /* of the timelines at the begin */
    uint32_t row;                  /* next one to prepare */
    struct tt_message_head *heads; /* a heap by the begin of the next message, then by row */
    size_t count;
    struct tt_message_reader *readers; /* of the rows read last, by row */
    uint32_t reader_mask;
};

/*
 * Starts a walk over the messages that are not over before `from`; `returns`: also over those whose
 * client runs again at or after `from`. Returns false if out of memory. The caller frees it in any case.
 * About 110 bytes per row. tt_message_walk_prepare comes next.
 */
bool tt_message_walk_start(struct tt_message_walk *walk, const struct tt_timelines *timelines,
                           uint64_t from, bool returns);
/*
 * Prepares rows for about *work intervals, which are subtracted from *work. Returns true when all rows
 * are prepared. O(log n) per row; with `returns` also O(intervals) of its client from its last run to
 * `from`.
 */
bool tt_message_walk_prepare(struct tt_message_walk *walk, uint64_t *work);

/*
 * Returns the number of messages that begin before `from`. Valid only if no records were lost: a
 * loss may change where messages begin. O(steps before `from`), about 1 ns each.
 */
uint64_t tt_message_number_at(const struct tt_timelines *timelines, uint64_t from);

/* Starts and prepares a walk without `returns`. O(rows log n). */
bool tt_message_walk_begin(struct tt_message_walk *walk, const struct tt_timelines *timelines,
                           uint64_t from);
/* Reads the next message, in order of tt_message_begin; false after the last. O(log rows). */
bool tt_message_walk_next(struct tt_message_walk *walk, struct tt_message *message);
void tt_message_walk_free(struct tt_message_walk *walk);

/* Parts of a message; TT_NO_TIME where a step that they need is unknown. */
struct tt_message_parts {
    uint64_t run;     /* time at which the client runs again */
    uint64_t queue;   /* send to receive */
    uint64_t service; /* receive to answer */
    uint64_t back;    /* answer to the client's run */
    uint64_t round;   /* send to the client's run */
    /* The server thread during the service: the sum of these is exactly `service`. */
    uint64_t class_ticks[TT_CLASS_COUNT]; /* RUNNING: without interrupts */
    uint64_t irq;
    bool has_classes; /* the service and its thread are known */
    /* These sum to `queue`. TT_NO_TIME: the state of the receiving thread is not known. */
    uint64_t queue_busy;  /* the thread that receives was not waiting for messages */
    uint64_t queue_sched; /* it had been waiting: its wake-up and sch delay */
};

/* Computes the parts. O(log n), and O(intervals) of the client from the answer to its run. */
void tt_message_parts_of(const struct tt_timelines *timelines, const struct tt_message *message,
                         struct tt_message_parts *parts);

#endif
