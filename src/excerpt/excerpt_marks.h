/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpt_marks: marks of a capture in an excerpt of it. The positions of events change, so that a
 * session beside the excerpt has the time, the type and the rank of each marked event:
 *
 *      moved a 22310 1 2 a%20note THREAD%20THRUNNING 22300
 *
 * ticks, events of the same time and type before it, serial number, note, type, ticks of the last
 * event before the range, from which the difference of the two clocks follows. A copy of the whole
 * file has `mark` lines, as other sessions.
 *
 * One thread.
 */
#ifndef TT_EXCERPT_EXCERPT_MARKS_H
#define TT_EXCERPT_EXCERPT_MARKS_H

#include "excerpt/excerpt.h"
#include "tracetui/text.h"

#define TT_EXCERPT_MARKS   26u
#define TT_EXCERPT_SESSION (64u << 10) /* bytes of a session with all marks */
#define TT_SESSION_BESIDE  ".session"  /* follows the name of the capture */

/* Finds the events of the marks; a mark without an event is not saved. */
void tt_excerpt_marks_open(const struct tt_excerpt_request *request, struct tt_events *events);
/* Counts a saved event. */
void tt_excerpt_marks_see(const struct tt_excerpt_request *request, const struct tt_event *event);

/* Returns the number of marks that are saved. */
unsigned tt_excerpt_marks_saved(const struct tt_excerpt_mark *marks, unsigned count);
/* Writes the session that belongs to an excerpt. */
void tt_excerpt_session(const struct tt_capture *capture, const struct tt_excerpt_mark *marks,
                        unsigned count, const struct tt_excerpt_counts *counts,
                        struct tt_text *text);
/*
 * Finds the event of a `moved` line in the excerpt, which is completely indexed. `words`: those of
 * the line, not decoded. At most 65,536 events are read.
 */
bool tt_excerpt_mark_find(struct tt_trace *trace, struct tt_events *events, char *const *words,
                          int count, struct tt_event *event);

#endif
