/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why_text: explanations and wakes as text and as JSON, for `why` and for the screen.
 *
 *      panel/1 ask                    reply 4.219 ms, 0.036002767 .. 0.040222612      head
 *        4.216 ms  99 %  panel/1 ask        REPLY      reply by front/1 serve         piece
 *          202.6 us   4 %  front/1 serve      RUNNING    ran
 *      late by
 *        2.642 ms  62 %  video/1 decode..   had the CPU: INVERSION                    sum
 *      other CPUs while it was ready (*: it runs there, too)
 *        1.298 ms  49 %  CPU 2 *            idle                                      elsewhere
 *
 * Lines have no newline and at most `width` columns. Names are escaped. Writes into the caller's
 * buffer, without printf; TT_WHY_LINE bytes hold any line. Any thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_WHY_TEXT_H
#define TRACETUI_ANALYSIS_CAUSES_WHY_TEXT_H

#include "analysis/causes/elsewhere.h"
#include "tracetui/text.h"

#define TT_WHY_LINE 2048u

/* The capture that an explanation is about. */
struct tt_why_scene {
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    uint64_t first_ticks; /* of the trace, for relative times */
    struct tt_events
        *events; /* in which the page of a page fault is searched; NULL: it is not named */
};

/* Columns of a line. */
struct tt_why_shape {
    unsigned width; /* of the line, at least 20 */
    unsigned name;  /* of the thread */
    unsigned state;
    const char *micro; /* " us" or the same with a Greek letter */
};

/* 80 columns in ASCII, as `why` prints. */
extern const struct tt_why_shape tt_why_shape_text;

/* Columns at which the parts of a piece's line begin, for colours. */
struct tt_why_places {
    unsigned name;
    unsigned state;
    unsigned cause;
};

/* Append a line: the interval that is explained, a piece of it, a sum, a wake. */
void tt_why_head(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                 const char *what);
void tt_why_piece(struct tt_text *text, const struct tt_why_scene *scene,
                  const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                  const struct tt_piece *piece, struct tt_why_places *places);
void tt_why_late(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                 const struct tt_late_by *late);
void tt_why_wake(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_wake *wake);

/* Appends the heading of the other CPUs, and whether the thread runs on them. */
void tt_why_elsewhere_head(struct tt_text *text, const struct tt_elsewheres *all);
/*
 * Appends what another CPU did while the thread was ready: a line for the time idle and one, after a newline, for
 * that of less urgent threads. Shares are those of the ready time.
 */
void tt_why_elsewhere(struct tt_text *text, const struct tt_why_scene *scene,
                      const struct tt_why_shape *shape, const struct tt_elsewheres *all,
                      const struct tt_elsewhere *there);

/* Appends the same in a short form: "CPU 2 idle 49 %, less urgent 12 %". */
void tt_why_elsewhere_short(struct tt_text *text, const struct tt_elsewheres *all,
                            const struct tt_elsewhere *there);

/* Appends a sum in a short form: "netmgr/2 worker 1.530 ms 80 %". */
void tt_why_late_short(struct tt_text *text, const struct tt_why_scene *scene, const char *micro,
                       const struct tt_explanation *explanation, const struct tt_late_by *late);
/*
 * Appends "page /dev/hd0t179" for the wait for a page in which a thread is: the text of its last event before the wait.
 * Returns false if there is no such event, or without `events`.
 */
bool tt_why_page(struct tt_text *text, const struct tt_timelines *timelines,
                 struct tt_events *events, uint32_t thread, uint64_t ticks);
/* Appends what a wake is by: "reply by fusion/1", "timer by interrupt 27 on CPU 0". */
void tt_why_wake_by(struct tt_text *text, const struct tt_capture *capture,
                    const struct tt_wake *wake);

/* Append an explanation and a wake as one line of JSON, with its newline (docs/causes.md). */
void tt_why_json(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_explanation *explanation, const char *what);
void tt_why_json_wake(struct tt_text *text, const struct tt_why_scene *scene,
                      const struct tt_wake *wake);

#endif
