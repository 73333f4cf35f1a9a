/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input: a capture that is opened and completely indexed, for the printing commands.
 *
 * The struct owns what it points to until tt_input_close. One thread.
 */
#ifndef TT_CLI_INPUT_H
#define TT_CLI_INPUT_H

#include "cli/message.h"
#include "cli/options.h"
#include "cli/output.h"
#include "tracetui/trace.h"

struct tt_input {
    const char *path;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_capture *capture;
    struct tt_progress progress;
    bool shrunk;        /* bytes of the file were gone when they were read */
    uint64_t undecided; /* events for which the filter's regex exceeded its limits */
};

/* Opens and indexes `path`. On failure nothing needs to be closed. */
struct tt_status tt_input_open(const char *path, const struct tt_options *options,
                               struct tt_input *input);

/* Reports the failure of the work, or else damage, on standard error; returns the exit status. */
enum tt_exit tt_input_verdict(const struct tt_input *input, const struct tt_status *worked);

void tt_input_close(struct tt_input *input);

typedef struct tt_status tt_input_work(const struct tt_options *options, struct tt_input *input,
                                       struct tt_output *out);
/* Opens `path`, calls the work function, reports the result and closes the input. */
enum tt_exit tt_input_use(const struct tt_options *options, const char *path, struct tt_output *out,
                          tt_input_work *work);

/* Returns the options for opening a capture. */
struct tt_trace_options tt_input_options(const struct tt_options *options);

#endif
