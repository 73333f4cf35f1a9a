/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_stack: the stack of filters on a capture, and the set of events that pass them.
 *
 *      1 include    thread ~ /^io-/        12,881      an event is shown if every include filter
 *      2 exclude    class = CONTROL            94      and no exclude filter matches it;
 *      3 highlight  state = READY           1,204      a highlight filter hides nothing
 *
 * Each filter has a background run (filter/filter_run.h). The set of shown rows is combined from
 * the results in time slices, whenever more are known. While a filter's text is typed, the last
 * valid text applies; cancelling restores the previous text.
 *
 * Owns its runs. Only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_FILTER_FILTER_STACK_H
#define TRACETUI_TUI_FILTER_FILTER_STACK_H

#include "tui/filter/filter_run.h"

#define TT_FILTERS      16
#define TT_FILTER_NAME  32
#define TT_FILTER_TYPED (TT_FILTER_BYTES_MAX + 1)

/* X(id, name, what it does) */
#define TT_USE_INFO(X)                                                                             \
    X(TT_USE_INCLUDE, "include", "only matching events are shown")                                 \
    X(TT_USE_EXCLUDE, "exclude", "matching events are hidden")                                     \
    X(TT_USE_HIGHLIGHT, "highlight", "matching events are highlighted")

enum tt_use {
#define X(id, name, help) id,
    TT_USE_INFO(X)
#undef X
        TT_USE_COUNT
};

const char *tt_use_name(unsigned use);

struct tt_filter_entry {
    enum tt_use use;
    bool on;
    unsigned brief;            /* number of a filter that the way back undoes, from 1; 0: another */
    char name[TT_FILTER_NAME]; /* "": unnamed */
    char text[TT_FILTER_TYPED];
    struct tt_filter_run *run;       /* NULL: no text yet, or invalid for this capture */
    struct tt_filter_run *candidate; /* replaces `run` once it is worth showing */
    struct tt_filter_error error;    /* why `run` is NULL */
};

struct tt_filter_stack {
    struct tt_filter_entry stack[TT_FILTERS];
    unsigned count;
    unsigned quick; /* 1 + index of the filter that the filter key edits; 0: none yet */

    unsigned brief; /* number of the brief filter added last that is on; 0: none is */

    struct tt_row_set *shown; /* NULL: all events are shown */
    unsigned shown_version;   /* changes when known rows of `shown` change */
    uint64_t shown_sum;       /* identifies the sources `shown` was combined from */
    bool peek;                /* hidden events are shown temporarily */

    unsigned edited; /* 1 + index of the filter being typed; 0: none */
    bool edited_is_new;
    struct tt_filter_entry before_edit; /* the filter before the edit */
    bool stale; /* `shown` may lack changes or results since it was last combined */

    struct tt_filter_run_bin bin;
};

/* Ends all runs, waits for them and drops their results; call it before the capture is closed. */
void tt_filter_stack_detach(struct tt_filter_stack *stack);
/* Runs all filters on another capture. */
void tt_filter_stack_attach(struct tt_filter_stack *stack, const struct tt_filter_target *in);

/*
 * Continues all runs and the combining. *news: the shown rows may have changed. True: call again
 * soon, without waiting for a notification.
 */
bool tt_filter_stack_update(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                            bool *changed);
/* Waits for all runs. */
void tt_filter_stack_wait(struct tt_filter_stack *stack, const struct tt_filter_target *in);
/* Returns whether a run is active, or has ended with rows not combined yet. */
bool tt_filter_stack_busy(const struct tt_filter_stack *stack);
/* Stops all runs; false if none was active. */
bool tt_filter_stack_stop(struct tt_filter_stack *stack);
/* Returns the share of rows tested by all filters, in percent. */
unsigned tt_filter_stack_percent(const struct tt_filter_stack *stack);

/* ---- changing the stack ------------------------------------------------------------------- */

/* Adds a filter on top. Returns its index, or TT_FILTERS if the stack is full or on *error. */
unsigned tt_filter_stack_add(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                             enum tt_use use, const char *text, struct tt_filter_error *error);
/*
 * Brief filters are those of what the cursor is on: a place of the history has the number of the last one, and
 * returning to it turns on those up to this number. Adding one removes those that are off.
 */
unsigned tt_filter_stack_add_brief(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                                   enum tt_use use, const char *text,
                                   struct tt_filter_error *error);
void tt_filter_stack_show_brief(struct tt_filter_stack *stack, unsigned number);
void tt_filter_stack_remove(struct tt_filter_stack *stack, unsigned number);
void tt_filter_stack_enable(struct tt_filter_stack *stack, unsigned number, bool on);
void tt_filter_stack_set_use(struct tt_filter_stack *stack, unsigned number, enum tt_use use);
void tt_filter_stack_set_name(struct tt_filter_stack *stack, unsigned number, const char *name);
/* Swaps the filter with the one above or below; returns its new index. */
unsigned tt_filter_stack_shift(struct tt_filter_stack *stack, unsigned number, bool up);

/*
 * Typing: _edit begins with the filter at an index (stack->count: a new one of that use), _typed
 * takes each text and returns whether it is valid, _edited ends the edit and keeps or reverts it.
 * A filter with an empty text hides nothing; if it is kept empty, it is removed.
 */
void tt_filter_stack_edit(struct tt_filter_stack *stack, unsigned number, enum tt_use use);
bool tt_filter_stack_typed(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                           const char *text, struct tt_filter_error *error);
void tt_filter_stack_edited(struct tt_filter_stack *stack, bool keep);

/* ---- shown events ------------------------------------------------------------------------- */

/* Returns whether all rows are shown: nothing is filtered out, or hidden events are shown. */
bool tt_filter_stack_all_shown(const struct tt_filter_stack *stack);
/* Returns whether the row is filtered out, as far as known. */
bool tt_filter_stack_hides(const struct tt_filter_stack *stack, uint64_t row);
bool tt_filter_stack_highlighted(const struct tt_filter_stack *stack, uint64_t row);
/* Returns whether the filter hides or highlights anything now. */
bool tt_filter_entry_active(const struct tt_filter_entry *stacked);

#endif
