/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writers: formats one event as a line of text, CSV or JSON.
 *
 * A writer appends the line and its newline to a tt_text; it does not allocate or call printf. If
 * the text is truncated, the caller enlarges it and calls again. Any thread.
 */
#ifndef TT_CLI_WRITERS_H
#define TT_CLI_WRITERS_H

#include "trace/event_row.h"
#include "trace/line_colors.h"
#include "tracetui/capture.h"
#include "tracetui/event.h"
#include "tracetui/event_line.h"
#include "tracetui/text.h"

struct tt_record {
    const struct tt_capture *capture;
    const struct tt_line_names *names; /* of the capture, rendered; or NULL */
    const struct tt_row_names *rows;   /* the same for CSV or JSON */
    struct tt_row_run *run;            /* of these rows; or NULL */
    const struct tt_event *event;
    const struct tt_args *args;
    uint64_t number;                     /* n; not for derived events */
    uint64_t first_ticks;                /* of the trace */
    bool with_names;                     /* JSON has the names of arguments */
    const struct tt_line_colors *colors; /* NULL: none */
};

typedef void tt_writer(struct tt_text *text, const struct tt_record *record);

/* Returns the writer for the format and the colours of `dump`. */
struct tt_options;
tt_writer *tt_writer_of(const struct tt_options *options);

void tt_export_text(struct tt_text *text, const struct tt_record *record);

/* Appends a row of CSV with the columns of tt_row_header. */
void tt_export_csv(struct tt_text *text, const struct tt_record *record);

/* Appends one JSON object; 64-bit values above 2^53 are decimal strings. */
void tt_export_jsonl(struct tt_text *text, const struct tt_record *record);

#endif
