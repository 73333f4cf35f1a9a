/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writers: one event as a line of text, of CSV or of JSON.
 *
 * A writer appends to a tt_text and gives its newline with it; it allocates nothing and calls no
 * printf. When the text is truncated the caller gives it more room and calls again. Any thread.
 */
#ifndef TT_CLI_WRITERS_H
#define TT_CLI_WRITERS_H

#include "tracetui/capture.h"
#include "tracetui/event.h"
#include "tracetui/event_line.h"
#include "tracetui/text.h"

struct tt_record {
    const struct tt_capture *capture;
    const struct tt_line_names *names; /* of the capture, rendered; or NULL */
    const struct tt_event *event;
    const struct tt_args *args;
    uint64_t number;      /* n; not for derived events */
    uint64_t first_ticks; /* of the trace */
};

typedef void tt_writer(struct tt_text *text, const struct tt_record *record);

void tt_export_text(struct tt_text *text, const struct tt_record *record);

/* RFC 4180 quoting, newline-ended; the columns are those of tt_csv_header. */
void tt_export_csv(struct tt_text *text, const struct tt_record *record);
extern const char tt_csv_header[];

/* One object; 64-bit values above 2^53 are decimal strings. */
void tt_export_jsonl(struct tt_text *text, const struct tt_record *record);

/* A number in JSON: a string of its digits where a double could not hold it. */
void tt_json_u64(struct tt_text *text, uint64_t value);
void tt_json_i64(struct tt_text *text, int64_t value);
/* `"key":`, with a comma in front unless it is the first of its object. */
void tt_json_key(struct tt_text *text, const char *key);

#endif
