/* SPDX-License-Identifier: Apache-2.0 */
#include "fed_messages.h"

#include <criterion/criterion.h>

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [SEND] = {.name = "SEND", .class_ = TT_CLASS_IPC, .flags = TT_STATE_AWAITS_REPLY},
    [REPLY] = {.name = "REPLY", .class_ = TT_CLASS_IPC, .flags = TT_STATE_AWAITS_REPLY},
    [RECEIVE] = {.name = "RECEIVE", .class_ = TT_CLASS_IPC},
    [DEAD] = {.name = "dead", .class_ = TT_CLASS_DEAD},
};

/* As in QNX: the client's tid, counted from 0, above the number of the connection. */
static void message_id(uint64_t id, struct tt_message_id *parts)
{
    parts->connection = id & 0xffff;
    parts->tid = (id >> 16) + 1;
}

static struct tt_format with_messages;

struct fed fed_messages_begin(bool of_process, bool parts)
{
    with_messages = format_of_states(states, STATES);
    with_messages.flags |= TT_FORMAT_REPLIES | (of_process ? TT_FORMAT_LOCAL_IDS : 0u);
    with_messages.refers.message_id = parts ? message_id : NULL;
    struct fed f = fed_open(&with_messages);
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&f, i < SERVER ? CLIENTS : SERVERS, i % 2 + 1);
    }
    fed_begin(&f, 0);
    return f;
}

uint32_t fed_server(const struct fed *f)
{
    return tt_thread_at(f->trace->capture, SERVER)->process;
}

void fed_goes(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t state)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = TT_NO_THREAD,
                               .state = state,
                               .cpu = (uint16_t)thread,
                               .kind = TT_ACTION_STATE});
}

void fed_act(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread, uint32_t other,
             uint64_t value)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = other,
                               .value = value,
                               .cpu = TT_NO_CPU,
                               .kind = (uint8_t)kind});
}

void fed_sends(struct fed *f, uint64_t ticks, uint32_t client, uint64_t id)
{
    fed_act(f, ticks, TT_ACTION_MESSAGE_SEND, client, fed_server(f), id);
}

void fed_receives(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id)
{
    fed_act(f, ticks, TT_ACTION_MESSAGE_RECEIVE, thread, TT_NO_THREAD, id);
}

void fed_replies(struct fed *f, uint64_t ticks, uint32_t thread, uint32_t client)
{
    fed_act(f, ticks, TT_ACTION_MESSAGE_REPLY, thread, client, 0);
}

void fed_loses(struct fed *f, uint64_t ticks, uint16_t cpu, uint64_t since)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = TT_NO_THREAD,
                               .other = TT_NO_THREAD,
                               .cpu = cpu,
                               .value = since,
                               .kind = TT_ACTION_LOST});
}

struct tt_message fed_message(const struct fed *f, unsigned n)
{
    struct tt_message_walk walk;
    struct tt_message m;
    cr_assert(tt_message_walk_begin(&walk, f->t, 0));
    for (unsigned i = 0; i <= n; i++) {
        cr_assert(tt_message_walk_next(&walk, &m), "there is no message %u", n);
    }
    tt_message_walk_free(&walk);
    return m;
}

unsigned fed_message_count(const struct fed *f, uint64_t from)
{
    struct tt_message_walk walk;
    struct tt_message m;
    unsigned n = 0;
    cr_assert(tt_message_walk_begin(&walk, f->t, from));
    while (tt_message_walk_next(&walk, &m)) {
        n++;
    }
    tt_message_walk_free(&walk);
    return n;
}

void fed_expect_message(const struct tt_message *m, uint64_t send, uint64_t receive, uint64_t reply,
                        uint32_t client, uint32_t server, enum tt_message_end how)
{
    cr_expect_eq(m->send, send);
    cr_expect_eq(m->receive, receive);
    cr_expect_eq(m->end, reply);
    cr_expect_eq(m->client, client);
    cr_expect_eq(m->server, server);
    cr_expect_eq(m->how, how, "%s", tt_message_end_name(m->how));
}
