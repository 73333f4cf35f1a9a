/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_stats: statistics of messages by pair of processes, server, client or channel, and the CPU
 * time that servers spend for their clients. docs/messages.md defines the numbers.
 *
 *      client A     |--self--|...................REPLY...................|--self--|
 *      server B              |######|.....REPLY......|########|                       imposed by A
 *      server C                     |######|                            imposed by A and by B
 *
 * Counts are of instants in the window [from, to), distributions of what ends in it. Times are
 * ticks. The caller owns the result; one thread computes it from finished timelines.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_MESSAGE_STATS_H
#define TRACETUI_ANALYSIS_MESSAGES_MESSAGE_STATS_H

#include "analysis/messages/message_walk.h"
#include "tracetui/stats.h"
#include "tracetui/status.h"

/* Row types. X(id, word) */
#define TT_MESSAGES_BY_INFO(X)                                                                     \
    X(TT_MESSAGES_BY_PAIR, "message")  /* a client process and a server process */                 \
    X(TT_MESSAGES_BY_SERVER, "server") /* a server process */                                      \
    X(TT_MESSAGES_BY_CLIENT, "client") /* a client thread */                                       \
    X(TT_MESSAGES_BY_CHANNEL,                                                                      \
      "channel") /* a channel of a server process, or a connection of it */                        \
    X(TT_MESSAGES_BY_IMPOSED, "imposed") /* CPU time, by thread */                                 \
    X(TT_MESSAGES_BY_MATRIX, "matrix")   /* CPU time, by client thread and server process */

enum tt_messages_by {
#define X(id, word) id,
    TT_MESSAGES_BY_INFO(X)
#undef X
        TT_MESSAGES_BY_COUNT
};

struct tt_message_stat {
    uint32_t client_process; /* or TT_NO_THREAD, as all of these */
    uint32_t client;         /* thread */
    uint32_t process;        /* of the server */
    uint32_t server; /* receiving thread, of pairs and servers in systems without processes */
    uint32_t system; /* of a merged capture, in which they were sent (struct tt_process, space) */
    bool post;       /* messages whose sender does not wait */
    uint64_t connection; /* of channels: TT_NO_CONNECTION if `channel` is known */
    uint64_t channel;    /* or TT_NO_CONNECTION */
    uint64_t count;      /* sends */
    uint64_t errors;     /* answers that are errors */
    uint64_t error;      /* the most frequent number of them; UINT64_MAX: not recorded */
    struct tt_distribution queue;
    struct tt_distribution service;
    struct tt_distribution back;
    struct tt_distribution round;
    /* Parts of the queue times in `queue`, where they are known. */
    uint64_t queue_busy;
    uint64_t queue_sched;
    /* Parts of the services in `service` of which the receiving thread is known, as in
     * struct tt_message_parts; their sum is `known`. */
    uint64_t class_ticks[TT_CLASS_COUNT];
    uint64_t irq;
    uint64_t known;
    /* By server. */
    uint64_t busy;        /* time with a received message */
    uint64_t waiting;     /* sum over time of the messages that wait to be received */
    uint64_t waiting_max; /* most of them at once */
    uint64_t serving_max; /* most received messages at once */
    /* By imposed. */
    uint64_t self;    /* CPU time of the thread */
    uint64_t imposed; /* CPU time of servers while they serve it, directly or through others */
    uint64_t imposed_gross; /* the same with interrupts */
    uint64_t charged;       /* the same, each instant given to one client only */
    uint64_t unserved;      /* part of `self` in which it serves no message */
    uint64_t total;         /* self + imposed */
};

struct tt_message_stats {
    struct tt_message_stat *rows; /* the most time first */
    size_t count;
    size_t capacity;
};

/*
 * The messages to count: those in a window, in ticks. `threads`: one bit per thread, clients or
 * receivers; NULL: all.
 */
struct tt_message_window {
    uint64_t from;
    uint64_t to;
    const uint64_t *threads;
    uint32_t thread_limit;
    /* Returns whether a message counts; NULL: all do. CPU times by client do not use it. */
    bool (*wanted)(void *arg, const struct tt_message *message);
    void *wanted_arg;
};

/*
 * Computes the rows. TT_ERR_MEMORY. The caller frees the result also after an error. O(messages log
 * messages); 16 to 24 bytes per message while it runs.
 */
struct tt_status tt_message_stats_compute(const struct tt_timelines *timelines,
                                          const struct tt_capture *capture, enum tt_messages_by by,
                                          const struct tt_message_window *window,
                                          struct tt_message_stats *stats);
void tt_message_stats_free(struct tt_message_stats *stats);

/* ---- in steps ----------------------------------------------------------------------------- */

/*
 * Counts in steps, for a screen. Rows are those of a part of the window until all is counted:
 *
 *      count .. settle: rows of a part .. count, twice as far .. settle .. done
 *
 * Belongs to one thread.
 */
struct tt_message_counting;

/* Returns NULL if out of memory; not for TT_MESSAGES_BY_IMPOSED. `window->threads` outlives it. */
struct tt_message_counting *tt_message_counting_new(const struct tt_capture *capture,
                                                    enum tt_messages_by by,
                                                    const struct tt_message_window *window);
/* Stands for the sends, which have no distribution. */
#define TT_MESSAGE_SENDS SIZE_MAX
/*
 * Counts nothing; passes the samples of one row to the sink: those of `distribution` (offset in struct
 * tt_message_stat), or its sends, with length 0. `of`: the members that identify a row. Before the
 * first step; the sink outlives the object.
 */
void tt_message_counting_watch(struct tt_message_counting *counting,
                               const struct tt_message_stat *of, size_t distribution,
                               struct tt_sample_sink *sink);
/*
 * Continues for about *work intervals, which are subtracted from *work; starts again if the
 * timelines have another generation. *done: all is counted. Returns false if out of memory.
 */
bool tt_message_counting_step(struct tt_message_counting *counting,
                              const struct tt_timelines *timelines, uint64_t *work, bool *done);
/* Returns the unsorted rows as last settled; *version changes when they do. */
const struct tt_message_stat *tt_message_counting_rows(const struct tt_message_counting *counting,
                                                       size_t *count, unsigned *version);
/* Returns the progress in percent of the window. */
unsigned tt_message_counting_percent(const struct tt_message_counting *counting);
/* Returns how much of the window ends before `reached`, in percent, at most 99. */
unsigned tt_message_percent(const struct tt_timelines *timelines,
                            const struct tt_message_window *window, uint64_t reached);
/* Frees at most *bytes of an object that is no longer used, see tt_samples_shrink. */
bool tt_message_counting_shrink(struct tt_message_counting *counting, size_t *bytes);
void tt_message_counting_free(struct tt_message_counting *counting);

#endif
