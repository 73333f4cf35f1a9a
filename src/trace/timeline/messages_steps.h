/* SPDX-License-Identifier: Apache-2.0 */
/*
 * messages_steps: begins, ends and keys of messages, which the builders of messages with and without an
 * answer share.
 */
#ifndef TRACETUI_TRACE_TIMELINE_MESSAGES_STEPS_H
#define TRACETUI_TRACE_TIMELINE_MESSAGES_STEPS_H

#include "trace/timeline/timeline.h"

/* Returns the number of a connection, created if needed; STEP_NONE when out of memory. */
uint32_t tt_message_connection_of(struct tt_timelines *t, uint32_t process, uint64_t id);

/* Returns the process of a thread, or TT_NO_THREAD. */
uint32_t tt_message_process_of(const struct tt_timelines *t, uint32_t thread);

/* Returns the key of a message in `open`; never 0. */
uint64_t tt_message_key_of(const struct tt_timelines *t, uint32_t process, uint64_t id, bool async);

/* Returns the parts of an id, as the format defines them. */
struct tt_message_id tt_message_id_of(const struct tt_timelines *t, uint64_t id);

/* Begins a message of a row, and registers it in `open`. Returns false when out of memory. */
bool tt_message_begin_open(struct tt_timelines *t, uint32_t number, uint64_t time,
                           uint32_t connection, uint64_t key);

/* Ends the current message of a row with `step`. Returns false when out of memory. */
bool tt_message_finish(struct tt_timelines *t, uint32_t number, uint64_t time, uint32_t step);

/* Does the same with STEP_ENDED; `how`: enum tt_message_end, or END_OF. */
bool tt_message_end_with(struct tt_timelines *t, uint32_t number, uint64_t time, uint32_t how);

/* Returns the sender's first free row; TT_NO_ROW with *full set, or when out of memory. */
uint32_t tt_message_free_row(struct tt_timelines *t, uint32_t thread, bool *full);

/* Notes the channel of a connection as a thread receives a message of it. */
void tt_message_note_channel(struct tt_timelines *t, uint32_t thread, uint32_t number);

/* Finds the receiver's process and thread; the CPU may have been in another thread's context. */
uint32_t tt_message_receiver(const struct tt_timelines *t, const struct tt_action *a,
                             uint32_t *thread);

#endif
