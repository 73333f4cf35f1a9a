/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why: the explanation that the Why pane shows: the interval and its thread, its pieces, the chosen
 * piece, and the explanations before it.
 *
 *      open --> subject --> explanation, in steps --> piece at `at` --> cursor, lanes
 *                  ^                                        |
 *                  '---- the cause followed, the next worst ' (and back)
 *
 * While it is open, ws->nav belongs to the pane; closing restores the navigation from before. The
 * results are dropped with the timelines that they were found in, and found again. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_WHY_H
#define TRACETUI_TUI_MODEL_WHY_H

#include "analysis/causes/blame.h"
#include "analysis/causes/why_text.h"
#include "tui/model/navigation.h"

struct tt_workspace;

#define TT_WHY_SUBJECTS 32u

/* The kinds of intervals that are searched for: those of `why --worst`, and two more. */
/* Returns the word of a kind, "delay"; NULL after the last one. */
const char *tt_worst_word(unsigned kind);

/* An interval that is explained. */
struct tt_why_subject {
    uint32_t thread;
    uint64_t from;
    uint64_t to;
    const char *what; /* "wait", as in the output of `why` */
    bool growing;     /* the interval has no end yet: it grows with the capture */
    uint8_t kind;     /* enum tt_worst of the search that found it; TT_WORST_COUNT: none did */
    bool of_all;      /* `n` searches all threads, too, as after :worst */
    size_t at;        /* the chosen piece when another subject replaced this one */
};

/* The search for the next interval in the order of `why --worst`. */
struct tt_why_search {
    bool active;
    unsigned kind;    /* enum tt_worst */
    bool all;         /* of all threads */
    bool of_all;      /* of the subject that it finds */
    uint32_t thread;  /* being searched */
    uint32_t windows; /* parts of the time, searched one after the other */
    uint32_t window;
    bool found;
    struct tt_late_interval
        than; /* the interval before it in the order; of a miss: after its deadline */
    struct tt_late_interval best;
    uint64_t least; /* ticks of `best` */
};

struct tt_why {
    bool open;
    struct tt_why_subject subjects[TT_WHY_SUBJECTS];
    unsigned count;
    /* The explanation of the last subject, valid for these timelines. */
    struct tt_wakes *wakes;
    uint32_t timelines; /* number of the timelines; 0: none */
    struct tt_explaining *explaining;
    struct tt_explanation shown;
    struct tt_elsewheres elsewhere; /* of `shown`, once it is complete */
    struct tt_explanation fresh;    /* of a subject that has grown, until it is complete */
    bool uses_fresh;
    bool complete;
    bool failed;              /* out of memory */
    struct tt_blames *blames; /* the inversions, once a search has begun to find them */
    uint64_t end;             /* end of the timelines when it was begun */
    size_t at;                /* the chosen piece */
    size_t wanted;            /* piece to choose when there are as many */
    bool seeks;               /* choose the innermost piece at this time instead: */
    uint64_t sought;
    bool stays; /* the cursor stays at that time: the view below has its time, not only its event */
    unsigned version; /* changes with the subject */
    unsigned moves;   /* changes with the chosen piece */
    struct tt_why_search search;
    struct tt_nav_spot saved;
    bool saved_at_end; /* the capture was followed */
};

/*
 * Open the pane for the state of a thread at a time (tt_explain_default), or for an interval.
 * Without a thread or a state they set a message only; they return whether the pane is open.
 */
bool tt_why_open_at(struct tt_workspace *ws, uint32_t thread, uint64_t ticks);
/* Sets the message that a thread has no state at a time: since when it has one, if that is later. */
void tt_why_no_state(struct tt_workspace *ws, uint32_t thread, uint64_t ticks);
/* Appends the subject, with the server of a message: "sensor/1 sample message to fusion/1 fuse 1.447 ms". */
void tt_why_put_subject(const struct tt_workspace *ws, const char *micro, struct tt_text *text);
/* Appends the file, its system, the subject, and the command that prints the same in a shell. */
void tt_why_put_origin(const struct tt_workspace *ws, const char *micro, struct tt_text *text);
bool tt_why_open_range(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                       const char *what);
/*
 * Opens the pane as it was: with `count` subjects, the last one explained, and the cursor and the
 * window of `spot`.
 */
void tt_why_reopen(struct tt_workspace *ws, const struct tt_why_subject *subjects, unsigned count,
                   const struct tt_nav_spot *spot);
/* Closes the pane and restores view, cursor, window and lane; false if it is not open. */
bool tt_why_close(struct tt_workspace *ws);
/* Closes the pane at the chosen piece: its thread and its beginning. */
void tt_why_go(struct tt_workspace *ws);

/* Returns the subject, or NULL. */
const struct tt_why_subject *tt_why_subject(const struct tt_why *why);
/* Begins the explanation if it is missing or stale; call it before the results are used. */
void tt_why_refresh(struct tt_workspace *ws);
/* Continues until `deadline` (tt_now_ns); returns whether nothing is left to do. */
bool tt_why_work(struct tt_workspace *ws, uint64_t deadline);
bool tt_why_settled(const struct tt_why *why);
/* Returns whether the chosen piece is the final one: not while that at the cursor's time is awaited. */
bool tt_why_has_choice(const struct tt_why *why);

/* Chooses a piece, at most the last one. */
void tt_why_choose(struct tt_workspace *ws, size_t piece);
/* Chooses the innermost piece at a time. */
void tt_why_choose_at(struct tt_workspace *ws, uint64_t ticks);
/* Explains the thread that the chosen piece is charged to, and returns to the one before. */
void tt_why_follow(struct tt_workspace *ws);
void tt_why_back(struct tt_workspace *ws);
/*
 * Appends the rule that judges the longest interval of the subject's kind, with its length as limit.
 * TT_ERR_USAGE: intervals of this kind are no measure.
 */
struct tt_status tt_why_rule(const struct tt_workspace *ws, struct tt_text *text);
/* Opens the pane for the longest interval of a kind, of all threads, when it is found. */
void tt_why_worst(struct tt_workspace *ws, unsigned kind);
/*
 * Explains the next longest interval of the same kind, of the thread or of all, as the search before it.
 */
void tt_why_next_worst(struct tt_workspace *ws, bool all);

#endif
