/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trail: the places that jumps have left, oldest first, and the one to which the user went back.
 *
 *      places   0   1   2   3   4        at == count: the user is at none of them
 *                       ^at     ^count   back: to 1, forward: to 3
 *
 * Before each key the place is noted in `here`; if the key is a jump, `left` is set, and the place
 * becomes the newest one (app/places.h). Places after `at` are dropped then, and the oldest one if there
 * are TT_PLACES. Going back updates the place that it leaves, so that going forward returns there.
 *
 * Results are in a list of their own.
 *
 * A place has the navigation, which of the files it is in, the state of the list of its view and of
 * its pane, and the explanations of the Why pane. Plain data; one thread.
 */
#ifndef TRACETUI_TUI_MODEL_TRAIL_H
#define TRACETUI_TUI_MODEL_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/model/navigation.h"
#include "tui/model/why.h"

#define TT_PLACES       100u
#define TT_RESULTS      50u
#define TT_SPOT_NUMBERS 12
#define TT_SPOT_NAME    96

/* The state of a list: its cursor, scroll position, order; the numbers have the meaning of its view. */
struct tt_spot {
    uint64_t numbers[TT_SPOT_NUMBERS];
    char name
        [TT_SPOT_NAME]; /* what the cursor is on, for the user; "": the time and thread are shown */
};

struct tt_visit {
    struct tt_nav_spot nav;
    size_t file; /* its number in the list of files */
    char file_name[TT_SPOT_NAME];
    struct tt_spot view, pane;
    char label[TT_SPOT_NAME]; /* "Threads 0.0123 s, logger/1" */
    /* While the Why pane is open: the navigation that closing it restores, and its explanations. */
    struct tt_nav_spot below;
    struct tt_why_subject subjects[TT_WHY_SUBJECTS];
    unsigned subject_count; /* 0: it is not open */
    unsigned brief;         /* number of the last filter of what a cursor was on; 0: none */
    unsigned result;        /* number of the result that its pane shows; 0: none */
};

/*
 * The result of a command: a place with the pane that shows it, and the command, which computes it
 * again if the pane has another result meanwhile. A search has no pane.
 */
struct tt_result {
    unsigned number; /* from 1 */
    unsigned of;     /* number of the result that it needs: the comparison of :align; 0: none */
    enum tt_overlay_id pane;
    char *command; /* "sql select ..." */
    struct tt_visit visit;
};

enum tt_awaited { TT_AWAITED_NONE, TT_AWAITED_BACK, TT_AWAITED_FORWARD, TT_AWAITED_RESULT };

struct tt_trail {
    struct tt_visit *visits; /* room for TT_PLACES; NULL until the first jump */
    size_t count;
    size_t at;
    struct tt_visit here; /* before the key that is handled, if `noted` */
    bool noted;
    bool left; /* the key was a jump */
    /* The file of `target` is open: the place is shown when its events are indexed. */
    enum tt_awaited awaited;
    struct tt_visit target;
    struct tt_result *results; /* room for TT_RESULTS, oldest first; NULL until the first one */
    size_t result_count;
    unsigned results_made;
    unsigned asked;                     /* number of the result that TT_AWAITED_RESULT is of */
    unsigned current[TT_OVERLAY_COUNT]; /* number of the result of each pane */
    bool reopens;                       /* the command that runs computes a result again */
};

#endif
