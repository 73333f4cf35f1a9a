/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events/durations: the durations of the events on the screen, and the longest ones of all events
 * that pass the filters. Both are computed in steps while the program is idle. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_EVENTS_DURATIONS_H
#define TRACETUI_TUI_VIEWS_EVENTS_DURATIONS_H

#include "analysis/causes/durations.h"
#include "tui/model/workspace.h"

#define TT_EVENTS_LONGEST 1000u /* events that are sorted by duration */
#define TT_EVENTS_LINES   512u  /* lines of a screen with durations */

/* The duration of the event in a row, in ticks. */
struct tt_row_duration {
    uint64_t row;
    uint64_t ticks;
};

/* State of a line's duration. */
enum tt_duration_state {
    TT_DURATION_NONE, /* the event has none */
    TT_DURATION_KNOWN,
    TT_DURATION_OPEN, /* its end is not reached yet */
};

struct tt_event_durations {
    struct tt_duration_walk *walk;
    uint64_t rows[TT_EVENTS_LINES]; /* of the lines, in ascending order */
    uint64_t ticks[TT_EVENTS_LINES];
    uint8_t state[TT_EVENTS_LINES]; /* enum tt_duration_state */
    uint32_t count;
    uint64_t at;       /* row that is read next */
    uint64_t all_rows; /* of the capture, when the search began */
    bool complete;
};

struct tt_event_longest {
    struct tt_duration_walk *walk;
    struct tt_row_duration *heap; /* the shortest one first; when complete, the longest one first */
    uint32_t count;
    uint64_t at;
    uint64_t all_rows;
    unsigned version; /* of the filters */
    bool begun;
    bool complete;
    bool failed;
};

/* Requests the durations of the events in `rows`; keeps those that are known. */
void tt_event_durations_ask(const struct tt_workspace *ws, struct tt_event_durations *durations,
                            const uint64_t *rows, uint32_t count);
/* Continues until `deadline` (tt_now_ns); true when all durations within reach are known. */
bool tt_event_durations_work(struct tt_workspace *ws, struct tt_event_durations *durations,
                             uint64_t deadline);
/* Returns the state of the duration of the event in a row. */
enum tt_duration_state tt_event_duration_of(const struct tt_event_durations *durations,
                                            uint64_t row, uint64_t *ticks);
void tt_event_durations_free(struct tt_event_durations *durations);

/* Requests the longest durations of the events that pass the filters. */
void tt_event_longest_ask(const struct tt_workspace *ws, struct tt_event_longest *longest);
/* Continues until `deadline`; true when it is complete. */
bool tt_event_longest_work(struct tt_workspace *ws, struct tt_event_longest *longest,
                           uint64_t deadline);
/* Returns the place of a row in the complete list, or its end. */
uint32_t tt_event_longest_rank(const struct tt_event_longest *longest, uint64_t row);
/* Returns the state of the duration of the event in a row of the list. */
enum tt_duration_state tt_event_longest_of(const struct tt_event_longest *longest, uint64_t row,
                                           uint64_t *ticks);
/* Returns how far it is, in percent. */
unsigned tt_event_longest_percent(const struct tt_event_longest *longest);
void tt_event_longest_free(struct tt_event_longest *longest);

#endif
