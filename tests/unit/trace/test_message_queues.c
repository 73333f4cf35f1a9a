/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of timelines fed by hand: queues, flows, handles, and more of them than the builder has room for. */
#include <criterion/criterion.h>

#include "fed_messages.h"

static struct fed begin(void)
{
    return fed_messages_begin(true, true);
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
    return fed_messages_begin(false, true);
}

static struct fed begin_handles(void)
{
    return fed_messages_begin(false, false);
}

Test(messages, of_a_queue_that_was_not_empty_pair_after_its_content)
{
    struct fed f = begin_queues();
    queue_act(&f, 10, TT_ACTION_POST, CLIENT, 2, 0); /* after two of before the capture */
    queue_act(&f, 20, TT_ACTION_TAKE, SERVER, 3, 0);
    queue_act(&f, 30, TT_ACTION_TAKE, SERVER, 2, 0);
    queue_act(&f, 40, TT_ACTION_TAKE, SERVER, 1, 0);
    cr_assert_eq(fed_message_count(&f, 0), 1);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
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
    struct tt_message m = fed_message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = fed_message(&f, 1);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 30, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
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
    struct tt_message m = fed_message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = fed_message(&f, 1);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 20, 30, 30, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

Test(messages, of_a_queue_with_more_of_them_than_rows_are_lost)
{
    struct fed f = begin_queues();
    for (unsigned i = 0; i <= TT_MESSAGE_ROWS; i++) {
        queue_act(&f, 10 + i, TT_ACTION_POST, CLIENT, i, 0);
    }
    queue_act(&f, 1000, TT_ACTION_TAKE, SERVER, TT_MESSAGE_ROWS + 1, 0);
    cr_assert_eq(fed_message_count(&f, 0), TT_MESSAGE_ROWS);
    struct tt_message m = fed_message(&f, 0);
    cr_expect_eq(m.how, TT_MESSAGE_LOST);
    fed_close(&f);
}

static void flow(struct fed *f, uint64_t ticks, unsigned kind, uint32_t thread)
{
    fed_act(f, ticks, kind, thread, TT_NO_THREAD, 5);
}

Test(messages, of_flows_are_their_hops)
{
    struct fed f = begin_queues();
    flow(&f, 5, TT_ACTION_FLOW_STEP, OTHER); /* it began before the capture */
    flow(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT);
    flow(&f, 20, TT_ACTION_FLOW_STEP, OTHER);
    flow(&f, 30, TT_ACTION_FLOW_END, SERVER);
    flow(&f, 40, TT_ACTION_FLOW_END, SERVER);
    cr_assert_eq(fed_message_count(&f, 0), 2);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 20, 20, CLIENT, OTHER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 20, 30, 30, OTHER, SERVER, TT_MESSAGE_TAKEN);
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
    cr_assert_eq(fed_message_count(&f, 0), 3);
    for (unsigned i = 0; i < 2; i++) {
        struct tt_message m = fed_message(&f, i);
        cr_expect_eq(m.how, TT_MESSAGE_LOST);
        cr_expect_eq(m.server, TT_NO_THREAD);
    }
    struct tt_message m = fed_message(&f, 2);
    fed_expect_message(&m, 30, 40, 40, CLIENT, SERVER, TT_MESSAGE_TAKEN);
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
    cr_assert_eq(fed_message_count(&f, 0), 1);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 12, 20, 20, CLIENT, SERVER, TT_MESSAGE_TAKEN);
    fed_close(&f);
}

/* Ids are those of a process, a category and a name. */
Test(messages, of_flows_of_two_processes_with_one_id)
{
    enum { NAME = 3, OTHER_NAME = 4, ID = 5 };
    struct fed f = begin_queues();
    fed_act(&f, 10, TT_ACTION_FLOW_BEGIN, CLIENT, NAME, ID);
    fed_act(&f, 11, TT_ACTION_FLOW_BEGIN, SERVER, NAME, ID);
    fed_act(&f, 12, TT_ACTION_FLOW_BEGIN, CLIENT, OTHER_NAME, ID);
    fed_act(&f, 13, TT_ACTION_FLOW_END, TT_NO_THREAD, NAME, ID); /* of which process is not known */
    fed_act(&f, 20, TT_ACTION_FLOW_STEP, OTHER, NAME, ID);
    fed_act(&f, 21, TT_ACTION_FLOW_END, HELPER, NAME, ID);
    fed_act(&f, 22, TT_ACTION_FLOW_END, HELPER, OTHER_NAME, ID); /* the only one */
    fed_act(&f, 30, TT_ACTION_FLOW_END, HELPER, NAME, ID);       /* and again */
    cr_assert_eq(fed_message_count(&f, 0), 4);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 20, 20, CLIENT, OTHER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 11, 21, 21, SERVER, HELPER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 2);
    fed_expect_message(&m, 12, 22, 22, CLIENT, HELPER, TT_MESSAGE_TAKEN);
    m = fed_message(&f, 3);
    fed_expect_message(&m, 20, 30, 30, OTHER, HELPER, TT_MESSAGE_TAKEN);
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
            fed_goes(&f, at + i, i, SEND);
            fed_sends(&f, at + i, i, 0x1000 + 8 * i);
        }
        for (uint32_t i = THREADS; i < CROWD; i++) {
            fed_receives(&f, at + 1000 + i, SERVER, 0x1000 + 8 * i);
        }
        for (uint32_t i = CROWD; i-- > THREADS;) {
            fed_act(&f, at + 3000 - i, TT_ACTION_MESSAGE_REPLY, HELPER, TT_NO_THREAD,
                    0x1000 + 8 * i);
        }
    }
    cr_assert_eq(fed_message_count(&f, 0), 2 * (CROWD - THREADS));
    struct tt_message_walk walk;
    struct tt_message m;
    cr_assert(tt_message_walk_begin(&walk, f.t, 0));
    for (uint32_t n = 0; n < 2 * (CROWD - THREADS); n++) {
        uint32_t i = THREADS + n % (CROWD - THREADS);
        uint64_t at = n < CROWD - THREADS ? 0 : 10000;
        cr_assert(tt_message_walk_next(&walk, &m));
        fed_expect_message(&m, at + i, at + 1000 + i, at + 3000 - i, i, SERVER, TT_MESSAGE_REPLIED);
        cr_expect_eq(m.connection, TT_NO_CONNECTION);
    }
    tt_message_walk_free(&walk);
    fed_close(&f);
}

/* The process that a handle is sent to differs from that of the handle before; no receive shows it. */
Test(messages, of_handles_of_two_servers)
{
    struct fed f = begin_handles();
    const uint32_t servers[] = {fed_server(&f), tt_thread_at(f.trace->capture, CLIENT)->process};
    for (unsigned i = 0; i < 6; i++) {
        fed_goes(&f, 10 * i, OTHER, SEND);
        fed_act(&f, 10 * i, TT_ACTION_MESSAGE_SEND, OTHER, servers[i / 2 % 2], 7 + i);
        fed_act(&f, 10 * i + 2, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 7 + i);
    }
    for (unsigned i = 0; i < 6; i++) {
        struct tt_message m = fed_message(&f, i);
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
    fed_sends(&f, 10, CLIENT, 7);
    fed_sends(&f, 12, OTHER, 7);
    fed_receives(&f, 20, SERVER, 7);
    fed_act(&f, 22, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 7);
    fed_receives(&f, 30, HELPER, 7);
    fed_act(&f, 32, TT_ACTION_MESSAGE_REPLY, HELPER, TT_NO_THREAD, 7);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 10, 30, 32, CLIENT, HELPER, TT_MESSAGE_REPLIED);
    m = fed_message(&f, 1);
    fed_expect_message(&m, 12, 20, 22, OTHER, SERVER, TT_MESSAGE_REPLIED);
    fed_close(&f);
}

/* Flows that are open at the same time, beside messages with the same ids. */
Test(messages, of_flows_that_share_an_entry)
{
    struct fed f = begin_handles();
    enum { FLOWS = 200 }; /* of two senders: each has at most 256 rows */
    fed_sends(&f, 1, HELPER, 3);
    for (uint32_t i = 0; i < FLOWS; i++) {
        fed_act(&f, 10 + i, TT_ACTION_FLOW_BEGIN, CLIENT, TT_NO_THREAD, i);
    }
    fed_receives(&f, 500, SERVER, 3);
    for (uint32_t i = 0; i < FLOWS; i++) {
        fed_act(&f, 1000 + i, TT_ACTION_FLOW_STEP, OTHER, TT_NO_THREAD, i);
    }
    fed_act(&f, 1500, TT_ACTION_MESSAGE_REPLY, SERVER, TT_NO_THREAD, 3);
    for (uint32_t i = FLOWS; i-- > 0;) {
        fed_act(&f, 3000 - i, TT_ACTION_FLOW_END, SERVER, TT_NO_THREAD, i);
    }
    cr_assert_eq(fed_message_count(&f, 0), 1 + 2 * FLOWS);
    struct tt_message m = fed_message(&f, 0);
    fed_expect_message(&m, 1, 500, 1500, HELPER, SERVER, TT_MESSAGE_REPLIED);
    for (uint32_t i = 0; i < FLOWS; i++) {
        m = fed_message(&f, 1 + i);
        fed_expect_message(&m, 10 + i, 1000 + i, 1000 + i, CLIENT, OTHER, TT_MESSAGE_TAKEN);
        m = fed_message(&f, 1 + FLOWS + i);
        fed_expect_message(&m, 1000 + i, 3000 - i, 3000 - i, OTHER, SERVER, TT_MESSAGE_TAKEN);
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
        fed_act(&f, i, TT_ACTION_FLOW_BEGIN, i, 0, 7);
    }
    for (uint32_t i = THREADS; i < CROWD; i++) {
        fed_act(&f, 1000 + i, TT_ACTION_FLOW_END, CROWD + i, 0, 7);
    }
    for (uint32_t i = THREADS; i < CROWD; i++) {
        struct tt_message m = fed_message(&f, i - THREADS);
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
        fed_sends(&f, 10 * i, client, ID(client, 7));
        fed_replies(&f, 10 * i + 5, SERVER, client);
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
