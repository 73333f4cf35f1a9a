/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_complete: completion of a rule at a prompt: words of the grammar, measures, selectors, and
 * the names of a capture.
 *
 *      delay p99 of thread sen|      thread names; `from` is the start of sen
 *      never {event = TH|            event names
 *
 * One thread.
 */
#ifndef TRACETUI_CHECK_CHECK_COMPLETE_H
#define TRACETUI_CHECK_CHECK_COMPLETE_H

#include "check/check_rules.h"

struct tt_rule_completion {
    const struct tt_capture *capture; /* or NULL: no names */
    /* Called for each word that may replace text [from, caret); the same word may come twice. */
    void (*offer)(void *arg, const char *word);
    void *arg;
    size_t from;
};

/* Sets `from`, and offers the words that begin with the text from there to the caret. */
void tt_rule_complete(struct tt_rule_completion *completion, const char *line, size_t caret);

#endif
