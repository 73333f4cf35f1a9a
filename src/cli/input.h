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
#include "cli/output.h"
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

/*
 * Says on standard error how the work on it failed, or else what was damaged; the exit status that
 * goes with it.
 */
enum tt_exit tt_input_verdict(const struct tt_input *input, const struct tt_status *worked);

void tt_input_close(struct tt_input *input);

typedef struct tt_status tt_input_work(const struct tt_options *options, struct tt_input *input,
                                       struct tt_output *out);
/* All of it: opens `path`, works, gives the verdict, closes. */
enum tt_exit tt_input_use(const struct tt_options *options, const char *path, struct tt_output *out,
                          tt_input_work *work);

/* The options that opening takes, out of the command line. */
struct tt_trace_options tt_input_options(const struct tt_options *options);

#endif
