/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time by client: the System Profiler's example, deferred replies, and identities. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/messages/message_stats.h"
#include "fed_timelines.h"

enum { UNKNOWN, READY, RUNNING, BLOCKED, STATES };

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [BLOCKED] = {.name = "blocked", .class_ = TT_CLASS_IPC},
};

enum { A, B, C, D, THREADS };

static struct tt_format with_messages;

static struct fed begin(void)
{
    with_messages = format_of_states(states, STATES);
    struct fed f = fed_open(&with_messages);
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&f, i + 1, 1);
    }
    fed_begin(&f, 0);
    return f;
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

/* `client` sends to `server`, which receives at once. */
static void asks(struct fed *f, uint64_t ticks, uint32_t client, uint32_t server)
{
    struct tt_action a = {.ticks = ticks,
                          .thread = client,
                          .other = TT_NO_THREAD,
                          .value = client,
                          .cpu = TT_NO_CPU,
                          .kind = TT_ACTION_MESSAGE_SEND};
    feed(f, a);
    goes_to(f, ticks, client, BLOCKED);
    a.thread = server;
    a.kind = TT_ACTION_MESSAGE_RECEIVE;
    feed(f, a);
    goes_to(f, ticks, server, RUNNING);
}

static void answers(struct fed *f, uint64_t ticks, uint32_t server, uint32_t client)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = server,
                               .other = client,
                               .cpu = TT_NO_CPU,
                               .kind = TT_ACTION_MESSAGE_REPLY});
    goes_to(f, ticks, client, RUNNING);
}

/* Returns the row of a thread in [from, to), zeros if it has none; *self and *given: sums of all. */
static struct tt_message_stat row_of(const struct fed *f, uint32_t thread, uint64_t from,
                                     uint64_t to, uint64_t *self, uint64_t *given)
{
    struct tt_message_window window = {.from = from, .to = to};
    struct tt_message_stats stats;
    struct tt_message_stat found = {0};
    struct tt_status status =
        tt_message_stats_compute(f->t, f->trace->capture, TT_MESSAGES_BY_IMPOSED, &window, &stats);
    cr_assert_not(tt_failed(&status));
    *self = *given = 0;
    for (size_t i = 0; i < stats.count; i++) {
        *self += stats.rows[i].self;
        *given += stats.rows[i].charged + stats.rows[i].unserved;
        found = stats.rows[i].client == thread ? stats.rows[i] : found;
    }
    tt_message_stats_free(&stats);
    return found;
}

/*
 * A needs 2 units itself and sends to B, which needs 10; B sends to C for it, 2 units ("System
 * Profiler User's Guide"): A has self 2, imposed 12, total 14.
 */
Test(imposed, example_of_the_system_profiler)
{
    struct fed f = begin();
    uint64_t self, given;
    goes_to(&f, 0, A, RUNNING);
    asks(&f, 10, A, B);
    asks(&f, 60, B, C);
    answers(&f, 80, C, B);
    goes_to(&f, 80, C, BLOCKED);
    answers(&f, 130, B, A);
    goes_to(&f, 130, B, BLOCKED);
    goes_to(&f, 140, A, BLOCKED);
    struct tt_message_stat a = row_of(&f, A, 0, 200, &self, &given);
    cr_expect_eq(a.self, 20);
    cr_expect_eq(a.imposed, 120);
    cr_expect_eq(a.imposed_gross, 120);
    cr_expect_eq(a.charged, 120);
    cr_expect_eq(self, 140);
    cr_expect_eq(given, self);
    struct tt_message_stat b = row_of(&f, B, 0, 200, &self, &given);
    cr_expect_eq(b.self, 100);
    cr_expect_eq(b.imposed, 20);
    cr_expect_eq(b.charged, 0, "A is charged");
    fed_close(&f);
}

/* B receives from A and from D, and answers A first: each has its time, one is charged. */
Test(imposed, two_clients_of_one_thread)
{
    struct fed f = begin();
    uint64_t self, given;
    goes_to(&f, 0, A, RUNNING);
    goes_to(&f, 0, D, RUNNING);
    asks(&f, 10, A, B);
    asks(&f, 20, D, B);
    answers(&f, 50, B, A);
    goes_to(&f, 55, A, BLOCKED);
    answers(&f, 60, B, D);
    goes_to(&f, 65, B, BLOCKED);
    goes_to(&f, 70, D, BLOCKED);
    struct tt_message_stat a = row_of(&f, A, 0, 100, &self, &given);
    cr_expect_eq(a.imposed, 40);
    cr_expect_eq(a.charged, 10, "D was received last");
    struct tt_message_stat d = row_of(&f, D, 0, 100, &self, &given);
    cr_expect_eq(d.imposed, 40);
    cr_expect_eq(d.charged, 40);
    struct tt_message_stat b = row_of(&f, B, 0, 100, &self, &given);
    cr_expect_eq(b.unserved, 5);
    cr_expect_eq(given, self);
    fed_close(&f);
}

/* Threads that serve each other, which only a damaged capture has, end the walk. */
Test(imposed, a_cycle_ends)
{
    struct fed f = begin();
    uint64_t self, given;
    asks(&f, 10, A, B);
    asks(&f, 20, B, A);
    goes_to(&f, 40, B, RUNNING);
    goes_to(&f, 60, B, BLOCKED);
    row_of(&f, A, 0, 100, &self, &given);
    cr_expect_eq(given, self);
    fed_close(&f);
}

/* Random messages: charged and unserved time sum to the CPU time in any range. */
Test(imposed, all_time_is_given_to_one_thread)
{
    struct fed f = begin();
    uint64_t now = 0, self, given, seed = 1;
    uint32_t serves[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        serves[i] = TT_NO_THREAD;
        goes_to(&f, now, i, RUNNING);
    }
    for (unsigned i = 0; i < 3000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t client = seed >> 33 & 3, server = seed >> 35 & 3;
        now += seed >> 40 & 15;
        if (serves[client] != TT_NO_THREAD) {
            answers(&f, now, serves[client], client);
            serves[client] = TT_NO_THREAD;
        } else if (client != server) {
            asks(&f, now, client, server);
            serves[client] = server;
        } else {
            goes_to(&f, now, client, seed >> 50 & 1 ? READY : RUNNING);
        }
    }
    tt_timelines_reach(f.t, now + 10);
    for (unsigned i = 0; i < 40; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t from = (seed >> 30) % now, to = from + (seed >> 20 & 0x3ff);
        row_of(&f, A, from, to, &self, &given);
        cr_assert_eq(given, self);
    }
    fed_close(&f);
}

/* Counts, distributions and depths by server and by pair. */
Test(imposed, statistics_of_messages)
{
    struct fed f = begin();
    goes_to(&f, 0, A, RUNNING);
    goes_to(&f, 0, D, RUNNING);
    asks(&f, 10, A, B);
    asks(&f, 20, D, B);
    answers(&f, 50, B, A);
    answers(&f, 60, B, D);
    struct tt_message_window window = {.from = 0, .to = 100};
    struct tt_message_stats stats;
    for (int by = 0; by < TT_MESSAGES_BY_IMPOSED; by++) {
        struct tt_status status = tt_message_stats_compute(
            f.t, f.trace->capture, (enum tt_messages_by)by, &window, &stats);
        cr_assert_not(tt_failed(&status));
        uint64_t count = 0, service = 0;
        for (size_t i = 0; i < stats.count; i++) {
            count += stats.rows[i].count;
            service += stats.rows[i].service.sum;
        }
        cr_expect_eq(count, 2);
        cr_expect_eq(service, 80);
        if (by == TT_MESSAGES_BY_SERVER) {
            cr_assert_eq(stats.count, 1);
            cr_expect_eq(stats.rows[0].busy, 50);
            cr_expect_eq(stats.rows[0].serving_max, 2);
            cr_expect_eq(stats.rows[0].round.max, 40);
        }
        tt_message_stats_free(&stats);
    }
    fed_close(&f);
}
