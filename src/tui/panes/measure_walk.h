/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure_walk: passes the intervals of a measurement on, in steps: pairs of events in the order of
 * their ends, or the reactions to an interrupt, thread by thread. One thread.
 */
#ifndef TRACETUI_TUI_PANES_MEASURE_WALK_H
#define TRACETUI_TUI_PANES_MEASURE_WALK_H

#include "analysis/causes/reactions.h"
#include "analysis/measure.h"
#include "tracetui/filter.h"
#include "tui/model/workspace.h"

#define TT_MEASURE_TEXT 512u

/* A pair, or a reaction. */
struct tt_measured {
    uint64_t from;
    uint64_t to;
    uint64_t to_row; /* pairs: row of the event at `to` */
    uint32_t thread; /* of the end, or TT_NO_THREAD */
    uint16_t cpu;    /* reactions: of the interrupt */
    bool has_handler;
    uint64_t parts[TT_REACTION_PARTS];
};

/* A filter, ready to test events. */
struct tt_measure_side {
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_worker *worker;
    uint64_t bits[TT_FILTER_WORDS];
};

struct tt_measure_walk {
    /* The command. */
    char begin[TT_MEASURE_TEXT], end[TT_MEASURE_TEXT], arg[TT_MEASURE_TEXT];
    char thread[TT_MEASURE_TEXT];
    struct tt_measure_request request;
    bool has_interrupt; /* reactions */
    uint64_t vector;
    /* Receives an interval; returns false if out of memory. */
    bool (*add)(void *arg, const struct tt_measured *one);
    void *add_arg;
    bool no_memory;
    bool truncated;   /* bytes of some events were gone */
    unsigned percent; /* progress */
    struct tt_events *events;
    struct tt_measure *measure; /* the pairing, which has the samples; NULL for reactions */
    struct tt_measure_side sides[2];
    uint64_t row;
    struct tt_wakes *wakes;
    uint32_t next; /* next thread, of reactions */
    struct tt_event block[TT_FILTER_BLOCK];
};

/*
 * Reads a command: "BEGIN -> END [--same WHAT] [--pair WHICH]", the same with --begin and --end, or
 * "--interrupt VECTOR --thread THREAD". Free the walk before the capture is closed.
 */
struct tt_status tt_measure_walk_new(struct tt_workspace *ws, const char *text,
                                     struct tt_measure_walk **made);
void tt_measure_walk_free(struct tt_measure_walk *walk);
/*
 * Passes the intervals of the next block of events, or of the next thread, on; *done: there are no
 * more. Returns false if out of memory. The index is complete.
 */
bool tt_measure_walk_step(struct tt_workspace *ws, struct tt_measure_walk *walk, bool *done);
/* Appends the rule without its limit: "max time from {A} to {B} same thread". */
void tt_measure_walk_put_rule(const struct tt_measure_walk *walk, struct tt_text *text);

#endif
