/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of timelines fed by hand: pairing, ends, orphans, posts, losses, parts. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fed_timelines.h"
#include "trace/cache/save_track.h"
#include "tracetui/message_walk.h"

enum { UNKNOWN, READY, RUNNING, SEND, REPLY, RECEIVE, DEAD, STATES };

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {"unknown", TT_CLASS_UNKNOWN}, [READY] = {"ready", TT_CLASS_READY},
    [RUNNING] = {"running", TT_CLASS_RUNNING}, [SEND] = {"SEND", TT_CLASS_IPC},
    [REPLY] = {"REPLY", TT_CLASS_IPC},         [RECEIVE] = {"RECEIVE", TT_CLASS_IPC},
    [DEAD] = {"dead", TT_CLASS_DEAD},
};

static bool awaits_reply(unsigned state)
{
    return state == SEND || state == REPLY;
}

/* As in QNX: the client's tid, counted from 0, above the number of the connection. */
static void message_id(uint64_t id, struct tt_message_id *parts)
{
    parts->connection = id & 0xffff;
    parts->tid = (id >> 16) + 1;
}

/* Threads 0 and 1 are of process 10, threads 2 and 3 of the server, process 20. */
enum { CLIENT, OTHER, SERVER, HELPER, THREADS };
enum { CLIENTS = 10, SERVERS = 20 };
#define ID(tid, connection) ((uint64_t)((tid)-1) << 16 | (connection))

static struct tt_format with_messages;

/* `of_process`: ids are those of a server process; `parts`: they name the connection and the client. */
static struct fed begin_with(bool of_process, bool parts)
{
    with_messages = format_of_states(states, STATES);
    with_messages.awaits_reply = awaits_reply;
    with_messages.message_id = parts ? message_id : NULL;
    with_messages.message_ids_of_process = of_process;
    struct fed f = fed_open(&with_messages);
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&f, i < SERVER ? CLIENTS : SERVERS, i % 2 + 1);
    }
    fed_begin(&f, 0);
    return f;
}

static struct fed begin(void)
{
    return begin_with(true, true);
}

/* Returns the number of the server's process. */
static uint32_t server_of(const struct fed *f)
{
    return tt_thread_at(f->trace->capture, SERVER)->process;
}

static void goes_to(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t state)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = TT_NO_THREAD,
                               .state = state,
                               .cpu = (uint16_t)thread,
                               .kind = TT_ACTION_STATE});
}

static void act(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread, uint32_t other,
                uint64_t value)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = other,
                               .value = value,
                               .cpu = TT_NO_CPU,
                               .kind = (uint8_t)kind});
}

static void sends(struct fed *f, uint64_t ticks, uint32_t client, uint64_t id)
{
    act(f, ticks, TT_ACTION_MESSAGE_SEND, client, server_of(f), id);
}

static void receives(struct fed *f, uint64_t ticks, uint32_t thread, uint64_t id)
{
    act(f, ticks, TT_ACTION_MESSAGE_RECEIVE, thread, TT_NO_THREAD, id);
}

static void replies(struct fed *f, uint64_t ticks, uint32_t thread, uint32_t client)
{
    act(f, ticks, TT_ACTION_MESSAGE_REPLY, thread, client, 0);
}

static void loses(struct fed *f, uint64_t ticks, uint16_t cpu, uint64_t since)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = TT_NO_THREAD,
                               .other = TT_NO_THREAD,
                               .cpu = cpu,
                               .value = since,
                               .kind = TT_ACTION_LOST});
}

/* Reads the n-th message in order of time; fails if there is none. */
static struct tt_message message(const struct fed *f, unsigned n)
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

static unsigned count(const struct fed *f, uint64_t from)
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

static void expect(const struct tt_message *m, uint64_t send, uint64_t receive, uint64_t reply,
                   uint32_t client, uint32_t server, enum tt_message_end how)
{
    cr_expect_eq(m->send, send);
    cr_expect_eq(m->receive, receive);
    cr_expect_eq(m->end, reply);
    cr_expect_eq(m->client, client);
    cr_expect_eq(m->server, server);
    cr_expect_eq(m->how, how, "%s", tt_message_end_name(m->how));
}

#define NONE TT_NO_TIME

Test(messages, replies_in_any_order_from_any_thread)
{
    struct fed f = begin();
    sends(&f, 10, CLIENT, ID(1, 7));
    sends(&f, 12, OTHER, ID(2, 7));
    receives(&f, 20, SERVER, ID(1, 7));
    receives(&f, 22, SERVER, ID(2, 7));
    replies(&f, 30, HELPER, OTHER); /* deferred, crossed, and by another thread */
    replies(&f, 40, SERVER, CLIENT);
    sends(&f, 50, CLIENT, ID(1, 7)); /* the same rcvid again */
    receives(&f, 60, HELPER, ID(1, 7));
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 20, 40, CLIENT, SERVER, TT_MESSAGE_REPLIED);
    cr_expect_eq(m.connection, 7);
    cr_expect_eq(m.process, server_of(&f));
    m = message(&f, 1);
    expect(&m, 12, 22, 30, OTHER, SERVER, TT_MESSAGE_REPLIED);
    m = message(&f, 2);
    expect(&m, 50, 60, NONE, CLIENT, HELPER, TT_MESSAGE_OPEN);
    cr_expect(tt_message_at(f.t, CLIENT, 25, &m));
    cr_expect_eq(m.send, 10);
    cr_expect_not(tt_message_at(f.t, CLIENT, 45, &m));
    cr_expect_eq(count(&f, 35), 2, "one ended before");
    fed_close(&f);
}

Test(messages, errors_and_clients_that_leave_or_die)
{
    struct fed f = begin();
    goes_to(&f, 5, CLIENT, RUNNING);
    sends(&f, 10, CLIENT, ID(1, 7));
    goes_to(&f, 11, CLIENT, SEND);
    goes_to(&f, 14, CLIENT, REPLY);
    goes_to(&f, 19, CLIENT, READY); /* a timeout */
    goes_to(&f, 20, CLIENT, RUNNING);
    sends(&f, 30, CLIENT, ID(1, 7));
    goes_to(&f, 31, CLIENT, REPLY);
    feed(&f, (struct tt_action){.ticks = 35,
                                .thread = SERVER,
                                .other = CLIENT,
                                .cpu = TT_NO_CPU,
                                .flags = TT_ACTION_FAILED,
                                .kind = TT_ACTION_MESSAGE_REPLY});
    goes_to(&f, 36, CLIENT, READY);
    sends(&f, 40, CLIENT, ID(1, 7));
    goes_to(&f, 41, CLIENT, REPLY);
    act(&f, 44, TT_ACTION_THREAD_DESTROY, CLIENT, TT_NO_THREAD, 0);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, NONE, 19, CLIENT, TT_NO_THREAD, TT_MESSAGE_LEFT);
    m = message(&f, 1);
    expect(&m, 30, NONE, 35, CLIENT, TT_NO_THREAD, TT_MESSAGE_ERROR);
    m = message(&f, 2);
    expect(&m, 40, NONE, 44, CLIENT, TT_NO_THREAD, TT_MESSAGE_DIED);
    fed_close(&f);
}

/* A send of a thread that is unknown is that of the client that the reply names. */
Test(messages, a_send_of_an_unknown_thread_is_that_of_its_client)
{
    struct fed f = begin();
    sends(&f, 10, CLIENT, ID(1, 7));
    receives(&f, 20, SERVER, ID(1, 7));
    replies(&f, 30, SERVER, CLIENT);
    sends(&f, 50, TT_NO_THREAD, ID(2, 7));
    receives(&f, 60, HELPER, ID(2, 7));
    replies(&f, 70, HELPER, OTHER);
    struct tt_message m = message(&f, 1);
    expect(&m, 50, 60, 70, OTHER, HELPER, TT_MESSAGE_REPLIED);
    fed_close(&f);
}

/* The row in which a thread waits may be any of the rows, also the last one. */
Test(messages, what_waits_for_answers_is_restored)
{
    struct fed f = begin();
    for (uint32_t thread = CLIENT; thread <= OTHER; thread++) {
        sends(&f, 10 + thread, thread, ID(thread + 1, 7));
        struct tt_section_writer *w = tt_section_writer_gathering();
        cr_assert(w);
        tt_section(w, TT_SECTION_CAPTURE);
        tt_messages_save_builder(f.t, w);
        cr_assert_not(tt_section_failed(w));
        struct tt_section section = {.bytes = tt_section_gathered(w)};
        struct tt_reader r = tt_section_reader(&section);
        cr_expect(tt_messages_restore_builder(f.t, &r), "%u messages", thread + 1);
        tt_section_writer_free(w);
    }
    fed_close(&f);
}

Test(messages, losses_make_the_rest_unknown)
{
    struct fed f = begin();
    sends(&f, 10, CLIENT, ID(1, 7));
    receives(&f, 20, SERVER, ID(1, 7));
    loses(&f, 50, TT_NO_CPU, 25);
    receives(&f, 60, SERVER, ID(2, 9)); /* of a connection that no message has shown */
    receives(&f, 62, HELPER, ID(1, 7)); /* of the client, as before */
    replies(&f, 70, HELPER, CLIENT);
    replies(&f, 72, SERVER, OTHER);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 20, NONE, CLIENT, SERVER, TT_MESSAGE_LOST);
    cr_expect_eq(m.last, 25);
    m = message(&f, 1);
    expect(&m, NONE, 62, 70, CLIENT, HELPER, TT_MESSAGE_REPLIED);
    m = message(&f, 2);
    expect(&m, NONE, NONE, 72, OTHER, TT_NO_THREAD, TT_MESSAGE_REPLIED);
    cr_expect_eq(m.process, server_of(&f));
    cr_expect(tt_message_gap(f.t, 20, 30));
    cr_expect_not(tt_message_gap(f.t, 50, 60));
    fed_close(&f);
}

/* While records of CPU 0 are lost, CPU 1 continues: its messages are not paired. */
Test(messages, a_loss_of_another_stream)
{
    struct fed f = begin();
    sends(&f, 10, CLIENT, ID(1, 7));
    receives(&f, 20, SERVER, ID(1, 7));
    replies(&f, 30, SERVER, CLIENT);
    sends(&f, 32, OTHER, ID(2, 7));
    receives(&f, 34, SERVER, ID(2, 7));
    replies(&f, 36, SERVER, OTHER);
    loses(&f, 40, 0, 25);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 20, NONE, CLIENT, SERVER, TT_MESSAGE_LOST);
    cr_expect_eq(m.last, 25);
    m = message(&f, 1);
    expect(&m, 32, NONE, NONE, OTHER, TT_NO_THREAD, TT_MESSAGE_LOST);
    fed_close(&f);
}

/* Lets a thread of the server wait for messages, which shows that the queue is empty, and run again. */
static void waits(struct fed *f, uint64_t ticks, uint32_t thread)
{
    goes_to(f, ticks, thread, RECEIVE);
    goes_to(f, ticks + 1, thread, READY);
    goes_to(f, ticks + 2, thread, RUNNING);
}

Test(messages, posts_are_received_in_order)
{
    struct fed f = begin();
    waits(&f, 2, SERVER);
    act(&f, 10, TT_ACTION_POST, CLIENT, server_of(&f), 7);
    act(&f, 12, TT_ACTION_POST, CLIENT, server_of(&f), 7);
    act(&f, 14, TT_ACTION_POST, TT_NO_THREAD, server_of(&f), 7);
    for (uint64_t i = 0; i < 3; i++) {
        act(&f, 20 + i, TT_ACTION_TAKE, SERVER, SERVERS, 7);
    }
    act(&f, 30, TT_ACTION_TAKE, SERVER, SERVERS, 7); /* posted before the capture */
    act(&f, 40, TT_ACTION_POST, CLIENT, server_of(&f), 7);
    act(&f, 41, TT_ACTION_TAKE, CLIENT, SERVERS, 7); /* in the context of another process */
    static const uint64_t sent[] = {10, 12, 14};
    for (unsigned i = 0; i < 3; i++) {
        struct tt_message m = message(&f, i);
        expect(&m, sent[i], 20 + i, 20 + i, i < 2 ? CLIENT : TT_NO_THREAD, SERVER,
               TT_MESSAGE_TAKEN);
        cr_expect(m.async);
    }
    struct tt_message m = message(&f, 3);
    expect(&m, 40, 41, 41, CLIENT, TT_NO_THREAD, TT_MESSAGE_TAKEN);
    cr_expect_eq(m.process, server_of(&f));
    cr_expect_eq(count(&f, 0), 4);
    fed_close(&f);
}

static void post(struct fed *f, uint64_t ticks, uint16_t cpu)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = CLIENT,
                               .other = server_of(f),
                               .value = 7,
                               .cpu = cpu,
                               .kind = TT_ACTION_POST});
}

static void take(struct fed *f, uint64_t ticks, uint32_t thread)
{
    act(f, ticks, TT_ACTION_TAKE, thread, SERVERS, 7);
}

/* The post that is received first may have been in the queue before the capture. */
Test(messages, posts_of_an_unknown_queue_are_not_paired)
{
    struct fed f = begin();
    post(&f, 10, TT_NO_CPU);
    take(&f, 20, SERVER);
    post(&f, 30, TT_NO_CPU);
    waits(&f, 40, SERVER); /* the queue is empty: it was received before */
    post(&f, 50, TT_NO_CPU);
    take(&f, 60, SERVER);
    loses(&f, 70, TT_NO_CPU, 65);
    post(&f, 80, TT_NO_CPU);
    take(&f, 90, SERVER);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    m = message(&f, 1);
    expect(&m, 30, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    m = message(&f, 2);
    expect(&m, 50, 60, 60, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    m = message(&f, 3);
    expect(&m, 80, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    fed_close(&f);
}

/* Two threads are woken by a post each, and run in the other order. */
Test(messages, a_post_is_received_by_the_thread_that_it_woke)
{
    struct fed f = begin();
    goes_to(&f, 2, SERVER, RECEIVE);
    goes_to(&f, 3, HELPER, RECEIVE);
    post(&f, 10, SERVER);
    goes_to(&f, 11, CLIENT, RUNNING); /* on another CPU */
    goes_to(&f, 12, SERVER, READY);
    post(&f, 20, HELPER);
    goes_to(&f, 21, HELPER, READY);
    post(&f, 30, CLIENT);
    goes_to(&f, 31, CLIENT, READY); /* it wakes no thread of the server */
    goes_to(&f, 32, HELPER, RUNNING);
    take(&f, 33, HELPER);
    goes_to(&f, 34, SERVER, RUNNING);
    take(&f, 35, SERVER);
    take(&f, 36, SERVER);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 35, 35, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    m = message(&f, 1);
    expect(&m, 20, 33, 33, CLIENT, HELPER, TT_MESSAGE_TAKEN);
    m = message(&f, 2);
    expect(&m, 30, 36, 36, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

static void fails(struct fed *f, uint64_t ticks, uint32_t thread, uint32_t client)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = client,
                               .cpu = TT_NO_CPU,
                               .flags = TT_ACTION_FAILED,
                               .kind = TT_ACTION_MESSAGE_REPLY});
}

Test(messages, errors_and_channels)
{
    struct fed f = begin();
    act(&f, 1, TT_ACTION_CHANNEL, SERVER, TT_NO_THREAD, 3);
    sends(&f, 10, CLIENT, ID(1, 7));
    receives(&f, 12, SERVER, ID(1, 7));
    act(&f, 13, TT_ACTION_ERROR_CODE, SERVER, 16, ID(1, 7));
    fails(&f, 14, SERVER, CLIENT);
    sends(&f, 20, CLIENT, ID(1, 7)); /* an error without the call */
    receives(&f, 22, SERVER, ID(1, 7));
    fails(&f, 24, SERVER, CLIENT);
    act(&f, 25, TT_ACTION_ERROR_CODE, SERVER, 16, ID(1, 7));
    loses(&f, 30, TT_NO_CPU, 26);
    sends(&f, 40, CLIENT,
          ID(1, 9)); /* the channel and the error from before the loss are unknown */
    receives(&f, 42, SERVER, ID(1, 9));
    fails(&f, 44, SERVER, CLIENT);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 12, 14, CLIENT, SERVER, TT_MESSAGE_ERROR);
    cr_expect_eq(m.error, 16);
    cr_expect_eq(m.channel, 3);
    m = message(&f, 1);
    cr_expect_eq(m.error, 0);
    cr_expect_eq(m.channel, 3);
    m = message(&f, 2);
    expect(&m, 40, 42, 44, CLIENT, SERVER, TT_MESSAGE_ERROR);
    cr_expect_eq(m.error, 0);
    cr_expect_eq(m.channel, TT_NO_CHANNEL);
    /* Another message of the connection comes from another channel. */
    act(&f, 50, TT_ACTION_CHANNEL, HELPER, TT_NO_THREAD, 4);
    sends(&f, 51, OTHER, ID(2, 7));
    receives(&f, 52, HELPER, ID(2, 7));
    m = message(&f, 0);
    cr_expect_eq(m.channel, TT_NO_CHANNEL);
    cr_expect_null(tt_message_error_name(f.trace->capture, 0, 16));
    fed_close(&f);
}

Test(messages, parts_sum_to_the_service)
{
    struct fed f = begin();
    goes_to(&f, 1, CLIENT, RUNNING);
    goes_to(&f, 2, SERVER, RECEIVE);
    sends(&f, 10, CLIENT, ID(1, 7));
    goes_to(&f, 11, CLIENT, REPLY);
    goes_to(&f, 12, SERVER, READY);
    goes_to(&f, 15, SERVER, RUNNING);
    receives(&f, 16, SERVER, ID(1, 7));
    goes_to(&f, 20, SERVER, READY);
    goes_to(&f, 23, SERVER, RUNNING);
    replies(&f, 30, SERVER, CLIENT);
    goes_to(&f, 31, CLIENT, READY);
    goes_to(&f, 34, CLIENT, RUNNING);
    struct tt_message m = message(&f, 0);
    struct tt_message_parts parts;
    tt_message_parts_of(f.t, &m, &parts);
    cr_expect_eq(parts.queue, 6);
    cr_expect_eq(parts.service, 14);
    cr_expect_eq(parts.back, 4);
    cr_expect_eq(parts.round, 24);
    cr_expect_eq(parts.class_ticks[TT_CLASS_RUNNING], 11);
    cr_expect_eq(parts.class_ticks[TT_CLASS_READY], 3);
    fed_close(&f);
}

/* Thousands of messages of two clients, with ids and places known from their numbers. */
Test(messages, many)
{
    struct fed f = begin();
    enum { MANY = 5000 };
    for (uint64_t i = 0; i < MANY; i++) {
        uint32_t client = i % 2 ? OTHER : CLIENT;
        uint64_t id = ID(client + 1, i % 3), at = 100 * i;
        sends(&f, at + 10, client, id);
        receives(&f, at + 20, i % 5 ? SERVER : HELPER, id);
        replies(&f, at + 30, SERVER, client);
    }
    struct tt_message_walk walk;
    struct tt_message m;
    cr_assert(tt_message_walk_begin(&walk, f.t, 100 * 2000));
    for (uint64_t i = 2000; i < MANY; i++) {
        cr_assert(tt_message_walk_next(&walk, &m));
        expect(&m, 100 * i + 10, 100 * i + 20, 100 * i + 30, i % 2 ? OTHER : CLIENT,
               i % 5 ? SERVER : HELPER, TT_MESSAGE_REPLIED);
        cr_expect_eq(m.connection, i % 3);
    }
    cr_expect_not(tt_message_walk_next(&walk, &m));
    tt_message_walk_free(&walk);
    cr_expect_eq(tt_message_steps(f.t), 3 * MANY);
    cr_expect_eq(tt_message_rows(f.t), 2);
    cr_expect_eq(tt_message_row_client(f.t, tt_message_row_of(f.t, OTHER)), OTHER);
    cr_expect_eq(tt_message_row_next(f.t, 0), TT_NO_ROW);
    fed_close(&f);
}

/* ---- queues and flows ---------------------------------------------------------------------- */

static void queue_act(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread,
                      unsigned before, unsigned flags)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = TT_NO_THREAD,
                               .value = 7,
                               .state = (uint16_t)(before + 1),
                               .flags = (uint8_t)flags,
                               .cpu = TT_NO_CPU,
                               .kind = (uint8_t)kind});
}

static struct fed begin_queues(void)
{
    return begin_with(false, true);
}

static struct fed begin_handles(void)
{
    return begin_with(false, false);
}

Test(messages, of_a_queue_that_was_not_empty_pair_after_its_content)
{
    struct fed f = begin_queues();
    queue_act(&f, 10, TT_ACTION_POST, CLIENT, 2, 0); /* after two of before the capture */
    queue_act(&f, 20, TT_ACTION_TAKE, SERVER, 3, 0);
    queue_act(&f, 30, TT_ACTION_TAKE, SERVER, 2, 0);
    queue_act(&f, 40, TT_ACTION_TAKE, SERVER, 1, 0);
    cr_assert_eq(count(&f, 0), 1);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

Test(messages, of_a_queue_that_is_flushed_are_lost)
{
    struct fed f = begin_queues();
    queue_act(&f, 10, TT_ACTION_POST, CLIENT, 0, 0);
    queue_act(&f, 11, TT_ACTION_POST, CLIENT, 1, 0);
    queue_act(&f, 20, TT_ACTION_TAKE, SERVER, 0, TT_ACTION_FAILED);
    queue_act(&f, 30, TT_ACTION_POST, CLIENT, 0, 0);
    queue_act(&f, 40, TT_ACTION_TAKE, SERVER, 1, 0);
    struct tt_message m = message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = message(&f, 1);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = message(&f, 2);
    expect(&m, 30, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

/* A post to an empty queue: what was in it before has left it. */
Test(messages, of_a_queue_that_has_become_empty_are_lost)
{
    struct fed f = begin_queues();
    queue_act(&f, 10, TT_ACTION_POST, CLIENT, 0, 0);
    queue_act(&f, 11, TT_ACTION_POST, CLIENT, 1, 0);
    queue_act(&f, 20, TT_ACTION_POST, CLIENT, 0, 0);
    queue_act(&f, 30, TT_ACTION_TAKE, SERVER, 1, 0);
    struct tt_message m = message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = message(&f, 1);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = message(&f, 2);
    expect(&m, 20, 30, 30, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

Test(messages, of_a_queue_with_more_of_them_than_rows_are_lost)
{
    struct fed f = begin_queues();
    for (unsigned i = 0; i <= TT_MESSAGE_ROWS; i++) {
        queue_act(&f, 10 + i, TT_ACTION_POST, CLIENT, i, 0);
    }
    queue_act(&f, 1000, TT_ACTION_TAKE, SERVER, TT_MESSAGE_ROWS + 1, 0);
    cr_assert_eq(count(&f, 0), TT_MESSAGE_ROWS);
    struct tt_message m = message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    fed_close(&f);
}

static void flow(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread)
{
    act(f, ticks, kind, thread, TT_NO_THREAD, 5);
}

Test(messages, of_flows_are_their_hops)
{
    struct fed f = begin_queues();
    flow(&f, 5, TT_ACTION_FLOW_STEP, OTHER); /* it began before the capture */
    flow(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT);
    flow(&f, 20, TT_ACTION_FLOW_STEP, OTHER);
    flow(&f, 30, TT_ACTION_FLOW_END, SERVER);
    flow(&f, 40, TT_ACTION_FLOW_END, SERVER);
    cr_assert_eq(count(&f, 0), 2);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 20, 20, CLIENT, OTHER, TT_MESSAGE_TAKEN);
    m = message(&f, 1);
    expect(&m, 20, 30, 30, OTHER, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

Test(messages, of_two_flows_of_a_process_with_one_id_are_unknown)
{
    struct fed f = begin_queues();
    flow(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT);
    flow(&f, 12, TT_ACTION_FLOW_BEGIN, OTHER);
    flow(&f, 15, TT_ACTION_FLOW_STEP, HELPER);
    flow(&f, 20, TT_ACTION_FLOW_END, SERVER);
    flow(&f, 30, TT_ACTION_FLOW_BEGIN, CLIENT); /* the id is free again */
    flow(&f, 40, TT_ACTION_FLOW_END, SERVER);
    cr_assert_eq(count(&f, 0), 3);
    for (unsigned i = 0; i < 2; i++) {
        struct tt_message m = message(&f, i);
        cr_expect_eq(m.how, TT_MESSAGE_LOST);
        cr_expect_eq(m.server, TT_NO_THREAD);
    }
    struct tt_message m = message(&f, 2);
    expect(&m, 30, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

/* A hop within a thread is its work between two events, as from a request to its answer. */
Test(messages, of_flows_within_a_thread_are_none)
{
    struct fed f = begin_queues();
    flow(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT);
    flow(&f, 12, TT_ACTION_FLOW_STEP, CLIENT);
    flow(&f, 20, TT_ACTION_FLOW_STEP, SERVER);
    flow(&f, 30, TT_ACTION_FLOW_END, SERVER);
    cr_assert_eq(count(&f, 0), 1);
    struct tt_message m = message(&f, 0);
    expect(&m, 12, 20, 20, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

/* Ids are those of a process, a category and a name. */
Test(messages, of_flows_of_two_processes_with_one_id)
{
    enum { NAME = 3, OTHER_NAME = 4, ID = 5 };
    struct fed f = begin_queues();
    act(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT, NAME, ID);
    act(&f, 11, TT_ACTION_FLOW_BEGIN, SERVER, NAME, ID);
    act(&f, 12, TT_ACTION_FLOW_BEGIN, CLIENT, OTHER_NAME, ID);
    act(&f, 13, TT_ACTION_FLOW_END, TT_NO_THREAD, NAME, ID); /* of which process is not known */
    act(&f, 20, TT_ACTION_FLOW_STEP, OTHER, NAME, ID);
    act(&f, 21, TT_ACTION_FLOW_END, HELPER, NAME, ID);
    act(&f, 22, TT_ACTION_FLOW_END, HELPER, OTHER_NAME, ID); /* the only one */
    act(&f, 30, TT_ACTION_FLOW_END, HELPER, NAME, ID);       /* and again */
    cr_assert_eq(count(&f, 0), 4);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 20, 20, CLIENT, OTHER, TT_MESSAGE_TAKEN);
    m = message(&f, 1);
    expect(&m, 11, 21, 21, SERVER, HELPER, TT_MESSAGE_TAKEN);
    m = message(&f, 2);
    expect(&m, 12, 22, 22, CLIENT, HELPER, TT_MESSAGE_TAKEN);
    m = message(&f, 3);
    expect(&m, 20, 30, 30, OTHER, HELPER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

/* ---- more open messages than the builder has entries for ids ------------------------------- */

enum { CROWD = 500 };

/* Many clients, each with one message, whose handles are valid in the whole system. */
Test(messages, of_handles_that_share_an_entry)
{
    struct fed f = begin_handles();
    for (uint32_t i = THREADS; i < CROWD; i++) {
        fed_thread(&f, CLIENTS, i);
    }
    for (unsigned round = 0; round < 2; round++) {
        uint64_t at = 10000 * round;
        for (uint32_t i = THREADS; i < CROWD; i++) {
            goes_to(&f, at + i, i, SEND);
            sends(&f, at + i, i, 0x1000 + 8 * i);
        }
        for (uint32_t i = THREADS; i < CROWD; i++) {
            receives(&f, at + 1000 + i, SERVER, 0x1000 + 8 * i);
        }
        for (uint32_t i = CROWD; i-- > THREADS;) {
            act(&f, at + 3000 - i, TT_ACTION_MESSAGE_REPLY, HELPER, TT_NO_THREAD, 0x1000 + 8 * i);
        }
    }
    cr_assert_eq(count(&f, 0), 2 * (CROWD - THREADS));
    struct tt_message_walk walk;
    struct tt_message m;
    cr_assert(tt_message_walk_begin(&walk, f.t, 0));
    for (uint32_t n = 0; n < 2 * (CROWD - THREADS); n++) {
        uint32_t i = THREADS + n % (CROWD - THREADS);
        uint64_t at = n < CROWD - THREADS ? 0 : 10000;
        cr_assert(tt_message_walk_next(&walk, &m));
        expect(&m, at + i, at + 1000 + i, at + 3000 - i, i, SERVER, TT_MESSAGE_REPLIED);
        cr_expect_eq(m.connection, TT_NO_CONNECTION);
    }
    tt_message_walk_free(&walk);
    fed_close(&f);
}

/* The process that a handle is sent to differs from that of the handle before; no receive shows it. */
Test(messages, of_handles_of_two_servers)
{
    struct fed f = begin_handles();
    const uint32_t servers[] = {server_of(&f), tt_thread_at(f.trace->capture, CLIENT)->process};
    for (unsigned i = 0; i < 6; i++) {
        goes_to(&f, 10 * i, OTHER, SEND);
        act(&f, 10 * i, TT_ACTION_MESSAGE_SEND, OTHER, servers[i / 2 % 2], 7 + i);
        act(&f, 10 * i + 2, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 7 + i);
    }
    for (unsigned i = 0; i < 6; i++) {
        struct tt_message m = message(&f, i);
        cr_expect_eq(m.send, 10 * i);
        cr_expect_eq(m.process, servers[i / 2 % 2], "of message %u", i);
        cr_expect_eq(m.how, TT_MESSAGE_REPLIED);
    }
    fed_close(&f);
}

/* The older message of a handle is found again after the later one has ended. */
Test(messages, of_one_handle_the_latest_is_received_first)
{
    struct fed f = begin_handles();
    sends(&f, 10, CLIENT, 7);
    sends(&f, 12, OTHER, 7);
    receives(&f, 20, SERVER, 7);
    act(&f, 22, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 7);
    receives(&f, 30, HELPER, 7);
    act(&f, 32, TT_ACTION_MESSAGE_REPLY, HELPER, TT_NO_THREAD, 7);
    struct tt_message m = message(&f, 0);
    expect(&m, 10, 30, 32, CLIENT, HELPER, TT_MESSAGE_REPLIED);
    m = message(&f, 1);
    expect(&m, 12, 20, 22, OTHER, SERVER, TT_MESSAGE_REPLIED);
    fed_close(&f);
}

/* Flows that are open at the same time, beside messages with the same ids. */
Test(messages, of_flows_that_share_an_entry)
{
    struct fed f = begin_handles();
    enum { FLOWS = 200 }; /* of two senders: each has at most 256 rows */
    sends(&f, 1, HELPER, 3);
    for (uint32_t i = 0; i < FLOWS; i++) {
        act(&f, 10 + i, TT_ACTION_FLOW_BEGIN, CLIENT, TT_NO_THREAD, i);
    }
    receives(&f, 500, SERVER, 3);
    for (uint32_t i = 0; i < FLOWS; i++) {
        act(&f, 1000 + i, TT_ACTION_FLOW_STEP, OTHER, TT_NO_THREAD, i);
    }
    act(&f, 1500, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 3);
    for (uint32_t i = FLOWS; i-- > 0;) {
        act(&f, 3000 - i, TT_ACTION_FLOW_END, SERVER, TT_NO_THREAD, i);
    }
    cr_assert_eq(count(&f, 0), 1 + 2 * FLOWS);
    struct tt_message m = message(&f, 0);
    expect(&m, 1, 500, 1500, HELPER, SERVER, TT_MESSAGE_REPLIED);
    for (uint32_t i = 0; i < FLOWS; i++) {
        m = message(&f, 1 + i);
        expect(&m, 10 + i, 1000 + i, 1000 + i, CLIENT, OTHER, TT_MESSAGE_TAKEN);
        m = message(&f, 1 + FLOWS + i);
        expect(&m, 1000 + i, 3000 - i, 3000 - i, OTHER, SERVER, TT_MESSAGE_TAKEN);
    }
    fed_close(&f);
}

/* One id in more processes than the builder keeps apart: the oldest are lost, the others are not. */
Test(messages, of_one_flow_id_in_many_processes)
{
    struct fed f = begin_handles();
    enum { KEPT = 257 };                             /* an entry of ids, and 256 others */
    for (uint32_t i = THREADS; i < 2 * CROWD; i++) { /* two threads of each process */
        fed_thread(&f, 1000 + i % CROWD, i);
    }
    for (uint32_t i = THREADS; i < CROWD; i++) {
        act(&f, i, TT_ACTION_FLOW_BEGIN, i, 0, 7);
    }
    for (uint32_t i = THREADS; i < CROWD; i++) {
        act(&f, 1000 + i, TT_ACTION_FLOW_END, CROWD + i, 0, 7);
    }
    for (uint32_t i = THREADS; i < CROWD; i++) {
        struct tt_message m = message(&f, i - THREADS);
        cr_expect_eq(m.client, i);
        cr_expect_eq(m.how, i < CROWD - KEPT ? TT_MESSAGE_LOST : TT_MESSAGE_TAKEN, "%u", i);
        cr_expect_eq(m.server, i < CROWD - KEPT ? TT_NO_THREAD : CROWD + i, "%u", i);
    }
    fed_close(&f);
}

/* More senders than the walk caches: their rows are prepared in steps, and merged in order. */
Test(messages, a_walk_over_many_senders)
{
    struct fed f = begin();
    enum { SENDERS = 2500, ROUNDS = 3 };
    for (uint32_t i = 0; i < SENDERS; i++) {
        cr_assert_eq(tt_registry_thread(f.trace->capture, CLIENTS, 10 + i, 0), THREADS + i);
    }
    for (uint64_t i = 0; i < (uint64_t)ROUNDS * SENDERS; i++) {
        uint32_t client = THREADS + (uint32_t)(i * 7 % SENDERS);
        sends(&f, 10 * i, client, ID(client, 7));
        replies(&f, 10 * i + 5, SERVER, client);
    }
    struct tt_message_walk walk;
    struct tt_message m;
    unsigned steps = 1;
    cr_assert(tt_message_walk_start(&walk, f.t, 10 * SENDERS, false));
    for (uint64_t work = 1000; !tt_message_walk_prepare(&walk, &work); work = 1000) {
        cr_assert_eq(work, 0);
        steps++;
    }
    cr_expect_geq(steps, 50);
    for (uint64_t i = SENDERS; i < (uint64_t)ROUNDS * SENDERS; i++) {
        cr_assert(tt_message_walk_next(&walk, &m));
        cr_assert_eq(m.send, 10 * i);
        cr_assert_eq(m.end, 10 * i + 5);
        cr_assert_eq(m.client, THREADS + i * 7 % SENDERS);
    }
    cr_expect_not(tt_message_walk_next(&walk, &m));
    tt_message_walk_free(&walk);
    fed_close(&f);
}
