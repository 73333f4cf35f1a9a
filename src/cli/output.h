/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output: the destination of the commands: standard output, or a file that appears when complete.
 *
 * Lines are built in place in one large buffer and written in large pieces:
 *
 *      buffer                      used                        capacity
 *       |--- lines not yet written --|--- the line being built ---|
 *
 *      do {
 *          text = tt_output_begin(out);
 *          ... write the line into text ...
 *      } while (!tt_output_end(out, &text));     repeated with more room if it did not fit
 *
 * A line is never truncated: the buffer grows for a line larger than it.
 *
 * `-o FILE` writes to a temporary file beside FILE and renames it at the end; a failure, a signal
 * or a refused close leaves FILE unchanged and no temporary file (base/atomic_file.h). A device or
 * a FIFO is written in place.
 *
 * A closed pipe is not a failure: writing stops, and tt_output_is_open returns false. One thread.
 */
#ifndef TT_CLI_OUTPUT_H
#define TT_CLI_OUTPUT_H

#include "base/atomic_file.h"
#include "base/sink.h"
#include "tracetui/status.h"
#include "tracetui/text.h"

struct tt_output {
    char *buffer;
    size_t used;
    size_t capacity;
    bool begun;  /* bytes have been added */
    bool ascii;  /* units without UTF-8: us */
    bool closed; /* the reader closed the pipe, or the memory is full */
    size_t most; /* bytes that stay in `buffer` instead of being written; 0: written */
    struct tt_status status;
    const char *path;           /* NULL: standard output */
    struct tt_atomic_file file; /* opened when the first bytes are written */
};

/*
 * Prepares an output; `path` NULL or "-": standard output. Creates no file yet. Always call
 * tt_output_close or tt_output_finish.
 */
struct tt_status tt_output_open(struct tt_output *out, const char *path);

/*
 * Prepares an output that stays in memory: out->buffer[0, out->used). After `most` bytes no more
 * output is needed.
 */
struct tt_status tt_output_open_memory(struct tt_output *out, size_t most);

struct tt_text tt_output_begin(struct tt_output *out);
bool tt_output_end(struct tt_output *out, const struct tt_text *text);

/* Prints one line, which `call` appends to a tt_text named `text`. */
#define TT_PRINT_LINE(out, call)                                                                   \
    do {                                                                                           \
        struct tt_text text;                                                                       \
        do {                                                                                       \
            text = tt_output_begin(out);                                                           \
            call;                                                                                  \
        } while (!tt_output_end(out, &text));                                                      \
    } while (0)

/* Writes bytes unchanged; false if no more output is needed. */
bool tt_output_write(struct tt_output *out, const char *bytes, size_t length);
/* Returns the output as the destination of a writer, which stops when the output is closed. */
struct tt_sink tt_output_sink(struct tt_output *out);

/* Writes the buffered lines. */
void tt_output_flush(struct tt_output *out);

/* Returns false after a failure or if the pipe is closed. */
bool tt_output_is_open(const struct tt_output *out);

/* Writes the rest; with `keep` renames the file into place, else deletes it. */
struct tt_status tt_output_close(struct tt_output *out, bool keep);
/* Does the same after `status`, a failure of which also deletes the file; returns the first failure. */
struct tt_status tt_output_finish(struct tt_output *out, struct tt_status status, bool keep);

#endif
