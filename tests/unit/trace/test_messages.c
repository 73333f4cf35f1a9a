/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of timelines fed by hand: pairing, ends, orphans, posts, losses, parts. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fed_messages.h"

static struct fed begin(void)
{
    return fed_messages_begin(true, true);
}

Test(messages, replies_in_any_order_from_any_thread)
{
    struct fed f = begin();
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_sends(&f, 12, OTHER, ID(2, 7));
    fed_receives(&f, 20, SERVER, ID(1, 7));
    fed_receives(&f, 22, SERVER, ID(2, 7));
    fed_replies(&f, 30, HELPER, OTHER); /* deferred, crossed, and by another thread */
    fed_replies(&f, 40, SERVER, CLIENT);
    fed_sends(&f, 50, CLIENT, ID(1, 7)); /* the same rcvid again */
    fed_receives(&f, 60, HELPER, ID(1, 7));
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 20, 40, CLIENT, SERVER, TT_MESSAGE_REPLIED);
    cr_expect_eq(m.connection, 7);
    cr_expect_eq(m.process, fed_server(&f));
    m = fed_message(&f, 1);
    fed_expect_message(&m, 12, 22, 30, OTHER, SERVER, TT_MESSAGE_REPLIED);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 50, 60, NONE, CLIENT, HELPER, TT_MESSAGE_OPEN);
    cr_expect(tt_message_at(f.t, CLIENT, 25, &m));
    cr_expect_eq(m.send, 10);
    cr_expect_not(tt_message_at(f.t, CLIENT, 45, &m));
    cr_expect_eq(fed_message_count(&f, 35), 2, "one ended before");
    fed_close(&f);
}

Test(messages, errors_and_clients_that_leave_or_die)
{
    struct fed f = begin();
    fed_goes(&f, 5, CLIENT, RUNNING);
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_goes(&f, 11, CLIENT, SEND);
    fed_goes(&f, 14, CLIENT, REPLY);
    fed_goes(&f, 19, CLIENT, READY); /* a timeout */
    fed_goes(&f, 20, CLIENT, RUNNING);
    fed_sends(&f, 30, CLIENT, ID(1, 7));
    fed_goes(&f, 31, CLIENT, REPLY);
    feed(&f, (struct tt_action){.ticks = 35,
                                .thread = SERVER,
                                .other = CLIENT,
                                .cpu = TT_NO_CPU,
                                .flags = TT_ACTION_FAILED,
                                .kind = TT_ACTION_MESSAGE_REPLY});
    fed_goes(&f, 36, CLIENT, READY);
    fed_sends(&f, 40, CLIENT, ID(1, 7));
    fed_goes(&f, 41, CLIENT, REPLY);
    fed_act(&f, 44, TT_ACTION_THREAD_DESTROY, CLIENT, TT_NO_THREAD, 0);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, NONE, 19, CLIENT, TT_NO_THREAD, TT_MESSAGE_LEFT);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 30, NONE, 35, CLIENT, TT_NO_THREAD, TT_MESSAGE_ERROR);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 40, NONE, 44, CLIENT, TT_NO_THREAD, TT_MESSAGE_DIED);
    fed_close(&f);
}

/* A send of a thread that is unknown is that of the client that the reply names. */
Test(messages, a_send_of_an_unknown_thread_is_that_of_its_client)
{
    struct fed f = begin();
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_receives(&f, 20, SERVER, ID(1, 7));
    fed_replies(&f, 30, SERVER, CLIENT);
    fed_sends(&f, 50, TT_NO_THREAD, ID(2, 7));
    fed_receives(&f, 60, HELPER, ID(2, 7));
    fed_replies(&f, 70, HELPER, OTHER);
    struct tt_message m = fed_message(&f, 1);
    fed_expect_message(&m, 50, 60, 70, OTHER, HELPER, TT_MESSAGE_REPLIED);
    fed_close(&f);
}

Test(messages, losses_make_the_rest_unknown)
{
    struct fed f = begin();
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_receives(&f, 20, SERVER, ID(1, 7));
    fed_loses(&f, 50, TT_NO_CPU, 25);
    fed_receives(&f, 60, SERVER, ID(2, 9)); /* of a connection that no message has shown */
    fed_receives(&f, 62, HELPER, ID(1, 7)); /* of the client, as before */
    fed_replies(&f, 70, HELPER, CLIENT);
    fed_replies(&f, 72, SERVER, OTHER);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 20, NONE, CLIENT, SERVER, TT_MESSAGE_LOST);
    cr_expect_eq(m.last, 25);
    m = fed_message(&f, 1);
    fed_expect_message(&m, NONE, 62, 70, CLIENT, HELPER, TT_MESSAGE_REPLIED);
    m = fed_message(&f, 2);
    fed_expect_message(&m, NONE, NONE, 72, OTHER, TT_NO_THREAD, TT_MESSAGE_REPLIED);
    cr_expect_eq(m.process, fed_server(&f));
    cr_expect(tt_message_gap(f.t, 20, 30));
    cr_expect_not(tt_message_gap(f.t, 50, 60));
    fed_close(&f);
}

/* While records of CPU 0 are lost, CPU 1 continues: its messages are not paired. */
Test(messages, a_loss_of_another_stream)
{
    struct fed f = begin();
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_receives(&f, 20, SERVER, ID(1, 7));
    fed_replies(&f, 30, SERVER, CLIENT);
    fed_sends(&f, 32, OTHER, ID(2, 7));
    fed_receives(&f, 34, SERVER, ID(2, 7));
    fed_replies(&f, 36, SERVER, OTHER);
    fed_loses(&f, 40, 0, 25);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 20, NONE, CLIENT, SERVER, TT_MESSAGE_LOST);
    cr_expect_eq(m.last, 25);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 32, NONE, NONE, OTHER, TT_NO_THREAD, TT_MESSAGE_LOST);
    fed_close(&f);
}

/* Lets a thread of the server wait for messages, which shows that the queue is empty, and run again. */
static void waits(struct fed *f, uint64_t ticks, uint32_t thread)
{
    fed_goes(f, ticks, thread, RECEIVE);
    fed_goes(f, ticks + 1, thread, READY);
    fed_goes(f, ticks + 2, thread, RUNNING);
}

Test(messages, posts_are_received_in_order)
{
    struct fed f = begin();
    waits(&f, 2, SERVER);
    fed_act(&f, 10, TT_ACTION_POST, CLIENT, fed_server(&f), 7);
    fed_act(&f, 12, TT_ACTION_POST, CLIENT, fed_server(&f), 7);
    fed_act(&f, 14, TT_ACTION_POST, TT_NO_THREAD, fed_server(&f), 7);
    for (uint64_t i = 0; i < 3; i++) {
        fed_act(&f, 20 + i, TT_ACTION_TAKE, SERVER, SERVERS, 7);
    }
    fed_act(&f, 30, TT_ACTION_TAKE, SERVER, SERVERS, 7); /* posted before the capture */
    fed_act(&f, 40, TT_ACTION_POST, CLIENT, fed_server(&f), 7);
    fed_act(&f, 41, TT_ACTION_TAKE, CLIENT, SERVERS, 7); /* in the context of another process */
    static const uint64_t sent[] = {10, 12, 14};
    for (unsigned i = 0; i < 3; i++) {
        struct tt_message m = fed_message(&f, i);
        fed_expect_message(&m, sent[i], 20 + i, 20 + i, i < 2 ? CLIENT : TT_NO_THREAD, SERVER,
                           TT_MESSAGE_TAKEN);
        cr_expect(m.async);
    }
    struct tt_message m = fed_message(&f, 3);
    fed_expect_message(&m, 40, 41, 41, CLIENT, TT_NO_THREAD, TT_MESSAGE_TAKEN);
    cr_expect_eq(m.process, fed_server(&f));
    cr_expect_eq(fed_message_count(&f, 0), 4);
    fed_close(&f);
}

static void post(struct fed *f, uint64_t ticks, uint16_t cpu)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = CLIENT,
                               .other = fed_server(f),
                               .value = 7,
                               .cpu = cpu,
                               .kind = TT_ACTION_POST});
}

static void take(struct fed *f, uint64_t ticks, uint32_t thread)
{
    fed_act(f, ticks, TT_ACTION_TAKE, thread, SERVERS, 7);
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
    fed_loses(&f, 70, TT_NO_CPU, 65);
    post(&f, 80, TT_NO_CPU);
    take(&f, 90, SERVER);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 30, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 50, 60, 60, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 3);
    fed_expect_message(&m, 80, NONE, NONE, CLIENT, TT_NO_THREAD, TT_MESSAGE_LOST);
    fed_close(&f);
}

/* Two threads are woken by a post each, and run in the other order. */
Test(messages, a_post_is_received_by_the_thread_that_it_woke)
{
    struct fed f = begin();
    fed_goes(&f, 2, SERVER, RECEIVE);
    fed_goes(&f, 3, HELPER, RECEIVE);
    post(&f, 10, SERVER);
    fed_goes(&f, 11, CLIENT, RUNNING); /* on another CPU */
    fed_goes(&f, 12, SERVER, READY);
    post(&f, 20, HELPER);
    fed_goes(&f, 21, HELPER, READY);
    post(&f, 30, CLIENT);
    fed_goes(&f, 31, CLIENT, READY); /* it wakes no thread of the server */
    fed_goes(&f, 32, HELPER, RUNNING);
    take(&f, 33, HELPER);
    fed_goes(&f, 34, SERVER, RUNNING);
    take(&f, 35, SERVER);
    take(&f, 36, SERVER);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 35, 35, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 20, 33, 33, CLIENT, HELPER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 30, 36, 36, CLIENT, SERVER, TT_MESSAGE_TAKEN);
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
    fed_act(&f, 1, TT_ACTION_CHANNEL, SERVER, TT_NO_THREAD, 3);
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_receives(&f, 12, SERVER, ID(1, 7));
    fed_act(&f, 13, TT_ACTION_ERROR_CODE, SERVER, 16, ID(1, 7));
    fails(&f, 14, SERVER, CLIENT);
    fed_sends(&f, 20, CLIENT, ID(1, 7)); /* an error without the call */
    fed_receives(&f, 22, SERVER, ID(1, 7));
    fails(&f, 24, SERVER, CLIENT);
    fed_act(&f, 25, TT_ACTION_ERROR_CODE, SERVER, 16, ID(1, 7));
    fed_loses(&f, 30, TT_NO_CPU, 26);
    fed_sends(&f, 40, CLIENT,
              ID(1, 9)); /* the channel and the error from before the loss are unknown */
    fed_receives(&f, 42, SERVER, ID(1, 9));
    fails(&f, 44, SERVER, CLIENT);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 12, 14, CLIENT, SERVER, TT_MESSAGE_ERROR);
    cr_expect_eq(m.error, 16);
    cr_expect_eq(m.channel, 3);
    m = fed_message(&f, 1);
    cr_expect_eq(m.error, 0);
    cr_expect_eq(m.channel, 3);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 40, 42, 44, CLIENT, SERVER, TT_MESSAGE_ERROR);
    cr_expect_eq(m.error, 0);
    cr_expect_eq(m.channel, TT_NO_CHANNEL);
    /* Another message of the connection comes from another channel. */
    fed_act(&f, 50, TT_ACTION_CHANNEL, HELPER, TT_NO_THREAD, 4);
    fed_sends(&f, 51, OTHER, ID(2, 7));
    fed_receives(&f, 52, HELPER, ID(2, 7));
    m = fed_message(&f, 0);
    cr_expect_eq(m.channel, TT_NO_CHANNEL);
    cr_expect_null(tt_message_error_name(f.trace->capture, 0, 16));
    fed_close(&f);
}

Test(messages, parts_sum_to_the_service)
{
    struct fed f = begin();
    fed_goes(&f, 1, CLIENT, RUNNING);
    fed_goes(&f, 2, SERVER, RECEIVE);
    fed_sends(&f, 10, CLIENT, ID(1, 7));
    fed_goes(&f, 11, CLIENT, REPLY);
    fed_goes(&f, 12, SERVER, READY);
    fed_goes(&f, 15, SERVER, RUNNING);
    fed_receives(&f, 16, SERVER, ID(1, 7));
    fed_goes(&f, 20, SERVER, READY);
    fed_goes(&f, 23, SERVER, RUNNING);
    fed_replies(&f, 30, SERVER, CLIENT);
    fed_goes(&f, 31, CLIENT, READY);
    fed_goes(&f, 34, CLIENT, RUNNING);
    struct tt_message m = fed_message(&f, 0);
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
        fed_sends(&f, at + 10, client, id);
        fed_receives(&f, at + 20, i % 5 ? SERVER : HELPER, id);
        fed_replies(&f, at + 30, SERVER, client);
    }
    struct tt_message_walk walk;
    struct tt_message m;
    cr_assert(tt_message_walk_begin(&walk, f.t, 100 * 2000));
    for (uint64_t i = 2000; i < MANY; i++) {
        cr_assert(tt_message_walk_next(&walk, &m));
        fed_expect_message(&m, 100 * i + 10, 100 * i + 20, 100 * i + 30, i % 2 ? OTHER : CLIENT,
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
