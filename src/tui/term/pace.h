/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pace: decides when the next frame may be sent, so that a slow line never has much more than one
 * frame on it.
 *
 *      frame, "are you there?" ---> slow line ---> terminal
 *             next frame       <--- "yes"     <---
 *
 * The question is a request for a status report (ECMA-48 DSR, ESC [ 5 n); the terminal answers it
 * after it has handled everything before it. Until then no frame is sent for news (a growing
 * capture, progress), and after it none for TT_PACE_REST times as long as the answer took; a large
 * frame is sent in parts. A key is drawn at once, and together with the keys before it if the frame
 * of a key is unanswered; on a slow line it is sent in parts as well, the lines of the prompt
 * first. A terminal that does not answer gets at most TT_PACE_BYTES a second for news, in parts of
 * half of that.
 *
 * A fast line has a budget for a growing capture, tt_pace_budget bytes a second, in whole frames: small
 * frames follow each other at the frame rate, large ones at a lower rate. After a pause, the budget of
 * TT_PACE_BURST_NS is sent without a wait, so that a single change is shown at once.
 *
 * Pure functions on a struct; the caller passes the time in nanoseconds of any steady clock. One
 * thread.
 */
#ifndef TRACETUI_TUI_TERM_PACE_H
#define TRACETUI_TUI_TERM_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_PACE_MAX_RATE   60u /* frames per second */
#define TT_PACE_RATE       25u /* the default */
#define TT_PACE_REST       2.6 /* news use 38 % of a slow line */
#define TT_PACE_BYTES      4000u
#define TT_PACE_BURST_NS   UINT64_C(1000000000)
#define TT_PACE_BUDGET_MIN 1000u
/* Time that a part of a frame may take on a slow line, and its least size in bytes. */
#define TT_PACE_PART_NS  UINT64_C(120000000)
#define TT_PACE_PART_MIN 512u
#define TT_PACE_PART_MAX 65536u /* a line that carries more is fast */
/* Longest wait for an answer; beyond it, news are sent to the terminal at this interval. */
#define TT_PACE_LATE_NS UINT64_C(2000000000)
/* Time without an answer after which the terminal counts as one that does not answer. */
#define TT_PACE_LOST_NS UINT64_C(20000000000)

enum tt_pace_reason {
    TT_PACE_NEWS,        /* something changed by itself */
    TT_PACE_KEY,         /* the user waits for the frame */
    TT_PACE_REST_OF_KEY, /* rows that the frame of a key had no room for */
    TT_PACE_PROGRESS     /* only for tt_pace_wait: news that end soon, without the budget */
};

/* A status request that was sent to the terminal after a frame. */
struct tt_pace_question {
    uint64_t asked;
    size_t bytes; /* of the frame */
    bool key;
};

struct tt_pace {
    unsigned rate;    /* maximum frames per second for news */
    unsigned cells;   /* of the screen */
    bool asked;       /* it was sent one */
    bool answers;     /* it answered one, so it is sent more */
    unsigned pending; /* unanswered questions: at most one for news, then one for a key */
    struct tt_pace_question questions[2];
    bool drew;        /* `drawn` is valid */
    uint64_t drawn;   /* when the last frame was sent */
    uint64_t rest;    /* no news until then */
    uint64_t covered; /* when the budget covers all bytes sent for news */
    uint64_t took;    /* duration of the last answer */
    uint64_t least;   /* shortest duration of an answer: mostly the way there and back */
    size_t part;      /* bytes that a slow line carries in TT_PACE_PART_NS; SIZE_MAX: it is fast */
};

/* Returns the bytes a second for a growing capture on a fast line: 3600 for 80x24 cells. */
unsigned tt_pace_budget(unsigned cells);

/* Starts, with the rate and the cells of before. `asked`: the terminal has been sent a first question now. */
void tt_pace_begin(struct tt_pace *pace, bool asked, uint64_t now);

/* Returns the nanoseconds until a frame may be sent; 0: now. An answer may shorten the time. */
uint64_t tt_pace_wait(const struct tt_pace *pace, enum tt_pace_reason reason, uint64_t now);

/* Returns the bytes after which a frame for news is interrupted, SIZE_MAX if it is sent whole. */
size_t tt_pace_part(const struct tt_pace *pace, enum tt_pace_reason reason);

/* Records a sent frame; returns true if a question must be sent after it. */
bool tt_pace_drawn(struct tt_pace *pace, enum tt_pace_reason reason, size_t bytes, uint64_t now);

/* Records an answer. */
void tt_pace_answered(struct tt_pace *pace, uint64_t now);

/* Records that the terminal does not answer; a later answer revokes it. */
void tt_pace_silent(struct tt_pace *pace);

#endif
