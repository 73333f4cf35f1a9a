/* SPDX-License-Identifier: Apache-2.0 */
/* fed_messages: timelines of clients and servers, whose messages a test feeds by hand. */
#ifndef TRACETUI_TESTS_FED_MESSAGES_H
#define TRACETUI_TESTS_FED_MESSAGES_H

#include "analysis/messages/message_walk.h"
#include "fed_timelines.h"

/* The states of its format. */
enum { UNKNOWN, READY, RUNNING, SEND, REPLY, RECEIVE, DEAD, STATES };

/* Threads 0 and 1 are of process 10, threads 2 and 3 of the server, process 20. */
enum { CLIENT, OTHER, SERVER, HELPER, THREADS };
enum { CLIENTS = 10, SERVERS = 20 };
#define ID(tid, connection) ((uint64_t)((tid)-1) << 16 | (connection))
#define NONE                TT_NO_TIME

/* `of_process`: ids are those of a server process; `parts`: they name the connection and the client. */
struct fed fed_messages_begin(bool of_process, bool parts);
/* Returns the number of the server's process. */
uint32_t fed_server(const struct fed *f);

/* Feed an action at a time in ticks. */
void fed_goes(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t state);
void fed_act(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread, uint32_t other,
             uint64_t value);
void fed_sends(struct fed *f, uint64_t ticks, uint32_t client, uint64_t id);
void fed_receives(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id);
void fed_replies(struct fed *f, uint64_t ticks, uint32_t thread, uint32_t client);
void fed_loses(struct fed *f, uint64_t ticks, uint16_t cpu, uint64_t since);

/* Reads the n-th message in order of time; fails if there is none. */
struct tt_message fed_message(const struct fed *f, unsigned n);
/* Returns how many messages end after `from`. */
unsigned fed_message_count(const struct fed *f, uint64_t from);
void fed_expect_message(const struct tt_message *m, uint64_t send, uint64_t receive, uint64_t reply,
                        uint32_t client, uint32_t server, enum tt_message_end how);

#endif
