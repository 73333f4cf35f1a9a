/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reactions: from an interrupt to the thread that it wakes, in parts.
 *
 *      CPU 0   INT_ENTR 37 | INT_HANDLER_ENTR .... INT_HANDLER_EXIT | THREADY t | ... | THRUNNING t
 *              ^ entry     ^ handler                ^ handler_end     ^ ready           ^ running
 *
 * The wakes are those of wakes.h; a reaction is a wake by the interrupt after which the thread runs.
 * Formats without events of handlers have no handler part. Times are ticks. One thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_REACTIONS_H
#define TRACETUI_ANALYSIS_CAUSES_REACTIONS_H

#include "analysis/causes/wakes.h"

/* The parts of a reaction, in order; each ends where the next begins. X(id, key, text) */
#define TT_REACTION_INFO(X)                                                                        \
    X(TT_REACTION_ENTRY, "entry", "entry to handler")                                              \
    X(TT_REACTION_HANDLER, "handler", "handler")                                                   \
    X(TT_REACTION_READY, "to_ready", "to ready")                                                   \
    X(TT_REACTION_RUNNING, "to_running", "to running")

enum tt_reaction_part {
#define X(id, key, text) id,
    TT_REACTION_INFO(X)
#undef X
        TT_REACTION_PARTS
};

struct tt_reaction {
    uint64_t from; /* entry of the interrupt */
    uint64_t to;   /* the thread runs */
    uint64_t vector;
    uint32_t thread;
    uint16_t cpu;                      /* of the interrupt */
    bool has_handler;                  /* otherwise all time up to ready is part READY */
    uint64_t parts[TT_REACTION_PARTS]; /* sums to `to` - `from` exactly */
};

/*
 * Calls `take` for each reaction of a thread to interrupt `vector` that ends in [from, to), in order
 * of time, until it returns false. One search of a wake for each blocked interval.
 */
void tt_reactions(struct tt_wakes *wakes, uint32_t thread, uint64_t vector, uint64_t from,
                  uint64_t to, bool (*take)(void *arg, const struct tt_reaction *reaction),
                  void *arg);

#endif
