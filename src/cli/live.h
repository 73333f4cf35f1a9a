/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: a capture that a printing command follows (-f).
 *
 *      open --> wait --> print final events --> wait --> ... --> end
 *                ^                               |
 *                +----- reopened (--on-change) --+
 *
 * One thread prints; the indexer's thread wakes it. The struct owns what it points to until
 * tt_live_close.
 */
#ifndef TT_CLI_LIVE_H
#define TT_CLI_LIVE_H

#include "cli/input.h"
#include "cli/output.h"

struct tt_live_input {
    struct tt_input input;
    const struct tt_options *options;
    struct tt_live live;  /* as of the last wait */
    uint64_t deadline_ms; /* UINT64_MAX: none */
    int wake[2];
    bool over;      /* no more data can arrive */
    bool timed_out; /* --timeout is over */
};

/*
 * Waits until `path` exists and is a capture, or --timeout. On failure nothing needs to be closed.
 */
struct tt_status tt_live_open(const char *path, const struct tt_options *options,
                              struct tt_live_input *input);
void tt_live_close(struct tt_live_input *input);

/*
 * Waits likewise but does not keep the file open; returns at once if `path` is not a regular file.
 */
struct tt_status tt_live_wait_for_file(const char *path, const struct tt_options *options);

enum tt_live_news {
    TT_LIVE_MORE,    /* there may be new events, or the end is reached */
    TT_LIVE_ANOTHER, /* another file: start over */
    TT_LIVE_AGAIN,   /* the same file, reopened: printed lines remain valid */
};

/*
 * Waits for new events, at most `most_ms`, and updates the progress. Reopens a changed file and
 * reports that on standard error.
 */
enum tt_live_news tt_live_wait(struct tt_live_input *input, uint64_t most_ms);

/* dump -f */
enum tt_exit tt_dump_follow(const struct tt_options *options, const char *path,
                            struct tt_output *out);

#endif
