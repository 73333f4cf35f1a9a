/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_parts: parts of lines of text and of JSON: durations, columns of a fixed width, keys of times and
 * threads. Each function appends to the caller's text and does not allocate. Any thread.
 */
#ifndef TRACETUI_TRACE_LINE_PARTS_H
#define TRACETUI_TRACE_LINE_PARTS_H

#include "print/record/fields.h"
#include "tracetui/capture.h"
#include "tracetui/event.h"

/* Returns nanoseconds, or ticks without a clock. */
uint64_t tt_line_ns(const struct tt_capture *capture, uint64_t ticks);
/*
 * Converts a part of a duration, `before` ticks after its begin, by the times of the part's edges: the
 * parts of a duration then sum to it in nanoseconds, too.
 */
uint64_t tt_line_part_ns(const struct tt_capture *capture, uint64_t before, uint64_t ticks);
/*
 * Appends a duration with four significant digits: 12.40 µs, or ticks without a clock. A blank
 * follows seconds, so that right-aligned numbers are in line.
 */
void tt_line_duration(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks);
/* Does the same with another text for microseconds, and no blank after seconds. */
void tt_line_duration_with(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks,
                           const char *micro);
/* Appends the duration right-aligned in `width` columns; "-" if it is UINT64_MAX. */
void tt_line_duration_in(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks,
                         size_t width);
/* Returns the name of a state of the format; "unknown" if it has none. */
const char *tt_line_state(const struct tt_capture *capture, unsigned state);

/* Cuts the text from `start` on to `width` columns, with two dots at the end if it is longer. */
void tt_line_cut(struct tt_text *text, size_t start, size_t width);
/* Appends bytes in `width` columns, cut or padded, and a blank. */
void tt_line_column(struct tt_text *text, const char *bytes, size_t length, size_t width);
/* Appends a number right-aligned in `width` columns. */
void tt_line_number(struct tt_text *text, uint64_t number, size_t width);
/* Appends the name of a thread in `width` columns and a blank; TT_NO_THREAD: blanks. */
void tt_line_thread_in(struct tt_text *text, const struct tt_capture *capture, uint32_t thread,
                       size_t width);
/* Returns the columns of a thread's name; TT_NO_THREAD: 0. */
size_t tt_line_thread_columns(const struct tt_capture *capture, uint32_t thread);
/* Cuts the line from `start` on to `width` columns, removes blanks at its end, adds a newline. */
void tt_line_finish(struct tt_text *text, size_t start, size_t width);

/* Append fields of a record. */
/* A time: the key gets the suffix _ns, or _ticks without a clock. UINT64_MAX: unknown. */
void tt_field_time(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                   uint64_t ticks);
/* The same of a part of a duration, as tt_line_part_ns converts it. */
void tt_field_part(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                   uint64_t before, uint64_t ticks);
/* The name of a thread; TT_NO_THREAD: unknown. */
void tt_field_thread(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                     uint32_t thread);
/* pid, tid and name of a thread under three keys; `name` NULL: only two. Unknown for no thread. */
void tt_field_lane(struct tt_fields *fields, const struct tt_capture *capture, uint32_t thread,
                   const char *pid, const char *tid, const char *name);

#endif
