/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line: an event as one line of text, what `dump` prints and what a regex sees.
 *
 *      1.204118204   2 ~io-blk/3 worker      COMM         REC_MESSAGE        rcvid=0x4f pid=4099
 *      |time         |cpu|                   |class       |event             |arguments
 *                        ~ the thread is inferred
 *
 * Columns are padded to a fixed place where they fit and never cut. Written without printf, into
 * a buffer of the caller; texts of the file are escaped. Any thread.
 */
#ifndef TRACETUI_EVENT_LINE_H
#define TRACETUI_EVENT_LINE_H

#include "tracetui/capture.h"
#include "tracetui/text.h"

/* Ticks from the capture's origin, or before it: all of 64 bits either way. */
struct tt_relative {
    uint64_t ticks;
    bool before; /* the origin */
};

struct tt_relative tt_relative_ticks(const struct tt_capture *c, uint64_t ticks,
                                     uint64_t first_ticks);

/* "1.204118204" with a clock, "123456" (ticks) without. */
void tt_line_time(struct tt_text *text, const struct tt_capture *c, struct tt_relative time);

/* "io-blk/3 worker", "4099/3" without names; "-" for no thread. */
void tt_line_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread);

/* The same, its names written by `put` (tt_text_escaped, or what another form of output needs). */
void tt_line_thread_with(struct tt_text *text, const struct tt_capture *c, uint32_t thread,
                         void (*put)(struct tt_text *text, const char *bytes, size_t length));

/* The value alone: 0x4f, 12, "text", MUTEX_SUSP. */
void tt_line_value(struct tt_text *text, const struct tt_arg *arg);

/* "rcvid=0x4f pid=4099": all that are not hidden, with one space between. */
void tt_line_args(struct tt_text *text, const struct tt_args *args);

/* The whole line, without newline. `first_ticks`: of the trace, for relative times. */
void tt_line_event(struct tt_text *text, const struct tt_capture *c, const struct tt_event *event,
                   const struct tt_args *args, uint64_t first_ticks);

/*
 * The names of a capture rendered once, for whoever prints many events: the threads as
 * tt_line_thread gives them, the types as they stand in the line. Made when the index is done; what
 * is learnt later is rendered each time. Read-only once made: any number of threads may share it.
 */
struct tt_line_names;

struct tt_line_names *tt_line_names_new(const struct tt_capture *c); /* NULL: out of memory */
void tt_line_names_free(struct tt_line_names *names);

/* The very text of tt_line_event, sooner. `names` may be NULL. */
void tt_line_event_named(struct tt_text *text, const struct tt_capture *c,
                         const struct tt_line_names *names, const struct tt_event *event,
                         const struct tt_args *args, uint64_t first_ticks);

/* Where the arguments of these lines begin, if they have any. */
#define TT_LINE_ARGS 73u

/*
 * The lines of events, each with a newline, as long as they are of those that nearly all are: how
 * many they were. The next one is for tt_line_event, or there is no room. Reads bytes below
 * `limit`, inside tt_sigbus_guard; tt_events_lines is the way there.
 */
uint32_t tt_lines_soon(struct tt_text *text, const struct tt_capture *c,
                       const struct tt_line_names *names, const struct tt_event *events,
                       uint32_t count, uint64_t limit, uint64_t first_ticks);

#endif
