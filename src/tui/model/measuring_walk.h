/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measuring_walk: passes the intervals of a measurement on, in steps: pairs of events in the order of
 * their ends, or the reactions to an interrupt, thread by thread. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_MEASURING_WALK_H
#define TRACETUI_TUI_MODEL_MEASURING_WALK_H

#include "tui/model/measuring.h"

struct tt_measuring_walk;

struct tt_measuring_sink {
    bool (*take)(void *arg, const struct tt_measured *one); /* returns false if out of memory */
    void *arg;
};

/* Reads a command as tt_measuring_begin does. Free the walk before the capture is closed. */
struct tt_status tt_measuring_walk_new(struct tt_workspace *ws, const char *text,
                                       const struct tt_measuring_sink *sink,
                                       struct tt_measuring_walk **walk);
void tt_measuring_walk_free(struct tt_measuring_walk *walk);
/*
 * Passes the intervals of the next block of events, or of the next thread, on; *done: there are no
 * more. Returns false if out of memory. The index is complete.
 */
bool tt_measuring_walk_step(struct tt_workspace *ws, struct tt_measuring_walk *walk, bool *done);

bool tt_measuring_walk_is_of_reactions(const struct tt_measuring_walk *walk);
/* Returns the pairing, which has the samples; NULL for reactions. */
struct tt_measure *tt_measuring_walk_measure(const struct tt_measuring_walk *walk);
/* Returns the progress, and whether bytes of some events were gone. */
unsigned tt_measuring_walk_percent(const struct tt_measuring_walk *walk);
bool tt_measuring_walk_truncated(const struct tt_measuring_walk *walk);
/* Appends the rule without its limit: "max time from {A} to {B} same thread". */
void tt_measuring_walk_put_rule(const struct tt_measuring_walk *walk, struct tt_text *text);

#endif
