/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status: describes the state under the cursor as text.
 *
 *       1.204 831 s  fusion/1  MUTEX for 229 µs of 418 µs, last on CPU 1
 *       after RUNNING 31.2 µs, then READY 782 ns  held by fusion/2 log
 *
 * and, if there is room, the states around it, one per line. Shows only what the capture contains:
 * ticks without a clock, "at least" for the duration of a state that began before the capture.
 */
#ifndef TRACETUI_TUI_LANES_STATUS_H
#define TRACETUI_TUI_LANES_STATUS_H

#include "tui/lanes/lanes.h"

/* ---- the states around the cursor ---------------------------------------------------------- */

/*
 * The states of a thread around the cursor, with the cause or the first event of each:
 *
 *      0.013 927 390   1.064 ms  █ RUNNING      CPU 0
 *    ▌ 0.014 992 200   229.0 us  ─ REPLY                  message to fusion/1 fuse, RUNNING
 *      0.015 221 200   18.31 us  ▒ READY                  answered by fusion/1 fuse
 *
 * A cause is found in the events, blocks of which are decoded for it. The texts are therefore written in
 * steps, the cursor's first, and kept for the next frames.
 */
#define TT_STATE_LIST_ROWS  16
#define TT_STATE_LIST_TEXTS 32u
#define TT_STATE_LIST_BYTES 512

/* The text about a state; it may depend on the time `at` inside it. */
struct tt_state_text {
    uint64_t start, end, at;
    uint32_t thread;
    size_t length;
    char bytes[TT_STATE_LIST_BYTES];
};

struct tt_state_list {
    struct tt_interval rows[TT_STATE_LIST_ROWS];
    int count;
    int cursor; /* the row of the cursor's state */
    /* The texts are valid for: */
    uint32_t number;      /* the timelines */
    uint64_t index_rows;  /* the events indexed */
    unsigned times;       /* the form of times */
    unsigned next, known; /* the text that is replaced next; number of texts */
    struct tt_state_text texts[TT_STATE_LIST_TEXTS];
};

/* Finds the states of the thread around the cursor, at most `lines`; none if its state is unknown. */
void tt_state_list_ask(const struct tt_workspace *ws, struct tt_state_list *list, uint32_t thread,
                       int lines);
/*
 * Writes at least one missing text, and more until `deadline`; true when all are written. `args`:
 * scratch space.
 */
bool tt_state_list_work(const struct tt_workspace *ws, struct tt_state_list *list,
                        struct tt_args *args, uint64_t deadline);
/* Returns the text of a state, or NULL if it is not written yet. */
const struct tt_state_text *tt_state_list_text(const struct tt_workspace *ws,
                                               const struct tt_state_list *list,
                                               const struct tt_interval *interval);

/* ---- texts and lines ----------------------------------------------------------------------- */

/* Appends the time of the cursor with its unit. */
void tt_lanes_status_time(const struct tt_workspace *ws, struct tt_text *text);
/* Appends "MUTEX for 229 us of 418 us"; `at` must be inside the interval. */
void tt_lanes_status_interval(const struct tt_workspace *ws, const struct tt_interval *interval,
                              uint64_t at, struct tt_text *text);
/* Returns the name of a state in the terms of the format. */
const char *tt_lanes_state_name(const struct tt_workspace *ws, unsigned state);

/*
 * Appends the cause of the interval (lanes/cause.h), else its first event; nothing if there is
 * neither. `args`: scratch space.
 */
void tt_lanes_status_event(const struct tt_workspace *ws, const struct tt_interval *interval,
                           struct tt_args *args, struct tt_text *text);

/* Returns how many states tt_lanes_status_thread needs of the list. */
int tt_lanes_status_rows(const struct tt_lanes_view *view);
/*
 * Draws the status of a thread on the status lines of the layout; `message`: the message that
 * it serves, or "".
 */
void tt_lanes_status_thread(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                            struct tt_area area, uint32_t thread,
                            const struct tt_state_list *states, const struct tt_text *message);
/* Draws the two status lines of other rows: cursor time, name and `first`; below it, `second`. */
void tt_lanes_status_lines(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, const struct tt_text *name,
                           const struct tt_text *first, const struct tt_text *second);
/* Appends the numbers of the selection; false if there is none. */
bool tt_lanes_status_selection(const struct tt_workspace *ws, uint32_t thread,
                               struct tt_text *text);

#endif
