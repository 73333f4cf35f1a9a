/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output: where the commands write: standard output, or a file that appears when it is whole.
 *
 * Lines are built in place in one large buffer and go out in large pieces:
 *
 *      buffer                      used                        capacity
 *       |--- lines not yet written --|--- the line being built ---|
 *
 *      do {
 *          text = tt_output_begin(out);
 *          ... write the line into text ...
 *      } while (!tt_output_end(out, &text));     again, with more room, when it did not fit
 *
 * A line is never cut: the buffer grows for one that is larger than all of it.
 *
 * `-o FILE`: the bytes go to a temporary file beside FILE, which takes its place at the end; a
 * failure, a signal or a refused close leaves FILE as it was and no temporary file
 * (base/atomic_file.h). What is no regular file (/dev/null, a FIFO) is written as it is.
 *
 * A closed pipe is no failure: writing stops, and tt_output_is_open says so. One thread.
 */
#ifndef TT_CLI_OUTPUT_H
#define TT_CLI_OUTPUT_H

#include "base/atomic_file.h"
#include "tracetui/status.h"
#include "tracetui/text.h"

struct tt_output {
    char *buffer;
    size_t used;
    size_t capacity;
    bool begun;  /* something has been put into it */
    bool closed; /* whoever read it has gone */
    struct tt_status status;
    const char *path;           /* NULL: standard output */
    struct tt_atomic_file file; /* not opened before the first bytes are written to it */
};

/* `path`: NULL for standard output. Makes no file yet. tt_output_close in any case. */
struct tt_status tt_output_open(struct tt_output *out, const char *path);

struct tt_text tt_output_begin(struct tt_output *out);
bool tt_output_end(struct tt_output *out, const struct tt_text *text);

/* Bytes as they are; false when nothing more is wanted. */
bool tt_output_write(struct tt_output *out, const char *bytes, size_t length);

/* Lets out what was written so far. */
void tt_output_flush(struct tt_output *out);

/* Is there still somebody to write for? False after a failure or a closed pipe. */
bool tt_output_is_open(const struct tt_output *out);

/* Writes what is left; with `keep` the file takes its place, without it vanishes. */
struct tt_status tt_output_close(struct tt_output *out, bool keep);

#endif
