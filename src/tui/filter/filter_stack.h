/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_stack: the stack of filters on a capture, and which events they leave.
 *
 *      1 include    thread ~ /^io-/        12,881      an event is shown if all that include
 *      2 exclude    class = CONTROL            94      match it, and none that excludes;
 *      3 highlight  state = READY           1,204      what highlights only lights it
 *
 * Each filter has a finding (filter/filter_run.h) that runs behind; the rows that are shown are combined from
 * theirs, a slice at a time, whenever there is more of them. While the text of one is typed, the
 * last good text is what holds, and the one before comes back if the person thinks better of it.
 *
 * Owns its findings. One thread, that of the screen.
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

struct tt_stacked {
    enum tt_use use;
    bool on;
    char name[TT_FILTER_NAME]; /* "": none given */
    char text[TT_FILTER_TYPED];
    struct tt_filter_run *finding;   /* NULL: nothing typed yet, or of no use for this capture */
    struct tt_filter_run *candidate; /* will replace it as soon as it is worth showing */
    struct tt_filter_error error;    /* why there is no finding */
};

struct tt_filter_stack {
    struct tt_stacked stack[TT_FILTERS];
    unsigned count;
    unsigned quick; /* 1 + the one that the filter's key edits; 0: none yet */

    struct tt_row_set *shown; /* NULL: every event is */
    unsigned shown_version;   /* changes when what was known of it is so no longer */
    uint64_t shown_sum;       /* of what it was combined from */
    bool peek;                /* what is filtered out is shown for now */

    unsigned edited; /* 1 + the one whose text is being typed; 0: none */
    bool edited_is_new;
    struct tt_stacked kept; /* as it was before */
    bool behind; /* what is shown may lack what was changed or found since it was combined */

    struct tt_filter_run_bin bin;
};

/* Ends all runs, waiting for them, and forgets what was found: the capture is being closed. */
void tt_filter_stack_detach(struct tt_filter_stack *filters);
/* Runs them all on another capture. */
void tt_filter_stack_attach(struct tt_filter_stack *filters, const struct tt_searched *in);

/*
 * Goes on with all that goes on. *news: something that is shown may have changed. True when it
 * should be called again soon although nobody notifies.
 */
bool tt_filter_stack_update(struct tt_filter_stack *filters, const struct tt_searched *in,
                            bool *news);
/* Waits for all runs. */
void tt_filter_stack_wait(struct tt_filter_stack *filters, const struct tt_searched *in);
/* Does a run go on, or has one ended whose rows were not combined yet? */
bool tt_filter_stack_busy(const struct tt_filter_stack *filters);
/* Stops all runs; false if none went on. */
bool tt_filter_stack_stop(struct tt_filter_stack *filters);
/* Part of the rows that is tested by all, in percent. */
unsigned tt_filter_stack_percent(const struct tt_filter_stack *filters);

/* ---- changing the stack ------------------------------------------------------------------- */

/* Adds one on top; its number, or TT_FILTERS if there is no room or *error says what is wrong. */
unsigned tt_filter_stack_add(struct tt_filter_stack *filters, const struct tt_searched *in,
                             enum tt_use use, const char *text, struct tt_filter_error *error);
void tt_filter_stack_remove(struct tt_filter_stack *filters, unsigned number);
void tt_filter_stack_turn(struct tt_filter_stack *filters, unsigned number, bool on);
void tt_filter_stack_set_use(struct tt_filter_stack *filters, unsigned number, enum tt_use use);
void tt_filter_stack_set_name(struct tt_filter_stack *filters, unsigned number, const char *name);
/* Exchanges it with the one above or below; its number then. */
unsigned tt_filter_stack_shift(struct tt_filter_stack *filters, unsigned number, bool up);

/*
 * Typing: begin with the filter of that number (filters->count: a new one of that use), then every
 * text that is good, then the end, with `keep` or not. A filter without a text holds back nothing;
 * kept so, it is removed.
 */
void tt_filter_stack_edit(struct tt_filter_stack *filters, unsigned number, enum tt_use use);
bool tt_filter_stack_typed(struct tt_filter_stack *filters, const struct tt_searched *in,
                           const char *text, struct tt_filter_error *error);
void tt_filter_stack_edited(struct tt_filter_stack *filters, bool keep);

/* ---- what is shown ------------------------------------------------------------------------ */

/* Is nothing filtered out, or shown in spite of it? Then shown is all rows. */
bool tt_filter_stack_all_shown(const struct tt_filter_stack *filters);
/* Is this row filtered out, as far as that is known? */
bool tt_filter_stack_out(const struct tt_filter_stack *filters, uint64_t row);
bool tt_filter_stack_highlighted(const struct tt_filter_stack *filters, uint64_t row);
/* Does it hold back or light anything now? */
bool tt_stacked_works(const struct tt_stacked *stacked);

#endif
