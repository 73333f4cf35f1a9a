/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input: a capture opened and indexed whole, as the printing commands need it.
 *
 * The struct owns what it points to until tt_input_close. One thread.
 */
#ifndef TT_CLI_INPUT_H
#define TT_CLI_INPUT_H

#include "cli/message.h"
#include "cli/options.h"
#include "tracetui/trace.h"

struct tt_input {
    const char *path;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_capture *capture;
    struct tt_progress progress;
    bool shrunk;        /* bytes were gone when they were asked for */
    uint64_t undecided; /* events that the filter's regex gave up on */
};

/* Opens and indexes `path`. On failure there is nothing to close. */
struct tt_status tt_input_open(const char *path, const struct tt_options *options,
                               struct tt_input *input);

/* Says on standard error what was damaged; the exit status that goes with it. */
enum tt_exit tt_input_verdict(const struct tt_input *input);

void tt_input_close(struct tt_input *input);

/* The options that opening takes, out of the command line. */
struct tt_trace_options tt_input_options(const struct tt_options *options);

#endif
