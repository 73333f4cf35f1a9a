/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_list: the longest messages of a window, found in steps.
 *
 * The length of a message is its round; where that is unknown, the time from its first known step to
 * its last one, and of an open message to the end of the window or of its capture. Times are ticks. A
 * list belongs to one thread.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_MESSAGE_LIST_H
#define TRACETUI_ANALYSIS_MESSAGES_MESSAGE_LIST_H

#include "analysis/messages/message_stats.h"

struct tt_listed_message {
    struct tt_message message;
    struct tt_message_parts parts;
    uint64_t length;
};

struct tt_message_list;

/* Returns NULL if out of memory. Keeps the `limit` longest messages. `window->threads` outlives it. */
struct tt_message_list *tt_message_list_new(const struct tt_message_window *window, size_t limit);
/*
 * Continues for about *work intervals, which are subtracted from *work; starts again if the
 * timelines have another generation. *done: all messages are compared. Returns false if out of memory.
 */
bool tt_message_list_step(struct tt_message_list *list, const struct tt_timelines *timelines,
                          uint64_t *work, bool *done);
/*
 * Returns the messages as of the last update, the longest first, and the number of messages then in
 * the window; *version changes with them.
 */
const struct tt_listed_message *tt_message_list_items(const struct tt_message_list *list,
                                                      size_t *count, uint64_t *all,
                                                      unsigned *version);
/* Returns the progress in percent of the window. */
unsigned tt_message_list_percent(const struct tt_message_list *list);
void tt_message_list_free(struct tt_message_list *list);

#endif
