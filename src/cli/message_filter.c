/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/message_filter.h"

#include "base/bits.h"

#define EVENTS_AT_ONCE 64u

bool tt_message_filter_begin(struct tt_message_filter *filter,
                             const struct tt_event_selection *pick, struct tt_input *input)
{
    *filter = (struct tt_message_filter){.events = input->events};
    if (pick->plan) {
        filter->worker = tt_filter_worker_new(pick->plan, input->events);
    }
    return filter->worker || !pick->plan;
}

/* Tests the events of a thread at a time; TT_NO_THREAD: of all threads. */
static bool test_step(struct tt_message_filter *filter, uint64_t ticks, uint32_t thread)
{
    struct tt_event events[EVENTS_AT_ONCE];
    if (ticks == TT_NO_TIME) {
        return false;
    }
    uint64_t row = tt_events_row_at_time(filter->events, ticks);
    for (uint32_t count; (count = tt_events_read(filter->events, row, EVENTS_AT_ONCE, events)) > 0;
         row += count) {
        uint64_t bits[TT_FILTER_WORDS];
        uint32_t at_time = 0;
        while (at_time < count && events[at_time].ticks == ticks) {
            at_time++;
        }
        if (at_time > 0) {
            tt_filter_test(filter->worker, events, row, at_time, bits);
        }
        for (uint32_t i = 0; i < at_time; i++) {
            bool of_thread = thread == TT_NO_THREAD || events[i].thread == thread;
            if (of_thread && tt_bit_at(bits, i)) {
                return true;
            }
        }
        if (at_time < count) {
            return false;
        }
    }
    return false;
}

bool tt_message_filter_test(struct tt_message_filter *filter, const struct tt_message *message)
{
    return !filter->worker || test_step(filter, message->send, message->client) ||
           test_step(filter, message->receive, message->server) ||
           (message->end != message->receive && test_step(filter, message->end, TT_NO_THREAD));
}

bool tt_message_filter_end(struct tt_message_filter *filter, struct tt_input *input)
{
    bool ok = true;
    if (filter->worker) {
        input->undecided += tt_filter_worker_undecided(filter->worker);
        input->shrunk |= tt_filter_worker_truncated(filter->worker);
        ok = !tt_filter_worker_failed(filter->worker);
        tt_filter_worker_free(filter->worker);
    }
    filter->worker = NULL;
    return ok;
}
