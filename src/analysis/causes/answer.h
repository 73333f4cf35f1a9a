/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer: waits for answers in formats that record messages but not why a thread leaves the CPU.
 *
 *      client   run SEND 5 |unknown ..................|run
 *      server                RECEIVE 5      ANSWER 5         the client waits until ANSWER
 */
#ifndef TT_ANALYSIS_CAUSES_ANSWER_H
#define TT_ANALYSIS_CAUSES_ANSWER_H

#include "analysis/causes/wakes.h"
#include "tracetui/messages.h"

/* Sets the wake that ends the wait for the answer to `message`, a message with an end. */
void tt_answer_wake(struct tt_wakes *wakes, const struct tt_interval *interval,
                    const struct tt_message *message, struct tt_wake *wake);

/*
 * Returns whether a wait is for a lock or for an answer, which the thread that ends it owes; `wake` is its kind,
 * UNKNOWN if it has no end. In other waits a thread is idle: it is no victim of an inversion. An interval without a
 * state that is explained is a wait for an answer (BTrace).
 */
bool tt_wait_is_owed(const struct tt_capture *capture, unsigned state, unsigned wake);

#endif
