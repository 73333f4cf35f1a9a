/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_filter: tests messages by the events of their steps.
 *
 *      send (client) -- receive (receiving thread) -- answer or other end (any thread)
 *
 * A message matches if one of these events does: an event at the time of the step, of its thread where
 * the thread is known. One thread.
 */
#ifndef TT_CLI_MESSAGE_FILTER_H
#define TT_CLI_MESSAGE_FILTER_H

#include "cli/event_selection.h"
#include "tracetui/messages.h"

struct tt_message_filter {
    struct tt_events *events;        /* of the input */
    struct tt_filter_worker *worker; /* NULL: all messages match */
};

/* Begins with the filter of a selection, if any. False: out of memory. The caller ends it. */
bool tt_message_filter_begin(struct tt_message_filter *filter,
                             const struct tt_event_selection *pick, struct tt_input *input);
/* Returns whether a message matches. O(log n) and a decoded block per step. */
bool tt_message_filter_test(struct tt_message_filter *filter, const struct tt_message *message);
/* Adds what the filter could not decide to the input; false if it ran out of memory. Frees it. */
bool tt_message_filter_end(struct tt_message_filter *filter, struct tt_input *input);

#endif
