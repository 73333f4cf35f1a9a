/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_row: an event as a row of CSV or an object of JSON, as `dump` writes them.
 *
 *      41,1200,1204118204,2,4099,3,io-blk/3 worker,COMM,REC_MESSAGE,message,rcvid=0x4f,288,16,0,0
 *      |n |ticks |ns     |c|pid|tid|thread        |class|event     |kind   |args      |offset ...
 *
 * Both have the same fields in the same order, and differ in the texts between them and in the
 * arguments. A row consists of a head (up to the arguments), the arguments, and a tail. Any thread.
 */
#ifndef TRACETUI_TRACE_EVENT_ROW_H
#define TRACETUI_TRACE_EVENT_ROW_H

#include "print/record/fields.h"
#include "tracetui/capture.h"

/*
 * The fields that depend on a thread, a type or a kind, rendered once per capture with their quotes
 * and escapes, for writing many events. Made when the index is finished; later threads are rendered
 * per event. Read-only: any number of threads may share it.
 */
struct tt_row_names;

/* Returns NULL if out of memory. */
struct tt_row_names *tt_row_names_new(const struct tt_capture *capture, enum tt_fields_form form);
void tt_row_names_free(struct tt_row_names *names);

/*
 * Digits of the last numbers of a row, which the next row of the same writer shares: numbers, times and
 * offsets grow along a capture. One thread.
 */
struct tt_row_run;

struct tt_row_run *tt_row_run_new(void); /* NULL if out of memory, which costs time only */
void tt_row_run_free(struct tt_row_run *run);

/* Appends the header of CSV; rows of a merged capture begin with the name of its member. */
void tt_row_header(struct tt_text *text, bool has_capture);
/*
 * Appends the fields before the arguments, and begins these. `names` of the same form, or NULL; `run`
 * may be NULL. `number` is ignored for events without one.
 */
struct tt_fields tt_row_head(struct tt_text *text, enum tt_fields_form form,
                             const struct tt_capture *capture, const struct tt_row_names *names,
                             struct tt_row_run *run, const struct tt_event *event, uint64_t number);
/* Ends the arguments, and appends the fields after them and a newline. */
void tt_row_tail(struct tt_fields *fields, const struct tt_capture *capture,
                 const struct tt_row_names *names, struct tt_row_run *run,
                 const struct tt_event *event);

#endif
