/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: a capture that a printing command follows (-f).
 *
 *      open (waits for a file that is one) --> wait --> print what is final --> wait --> ... -->
 * over ^                                |
 *                                                +---- opened anew (--on-change) -+
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
    bool over;      /* nothing more will come */
    bool timed_out; /* --timeout is over */
};

/* Waits until `path` is there and a capture, or the time is over. On failure nothing to close. */
struct tt_status tt_live_open(const char *path, const struct tt_options *options,
                              struct tt_live_input *l);
void tt_live_close(struct tt_live_input *l);

/* The same without keeping it open, for whoever opens it again; at once for what is no file. */
struct tt_status tt_live_wait_for_file(const char *path, const struct tt_options *options);

enum tt_live_news {
    TT_LIVE_MORE,    /* perhaps; or it is over */
    TT_LIVE_ANOTHER, /* the file is another: begin again */
    TT_LIVE_AGAIN,   /* the same file, opened anew: what was printed stands */
};

/*
 * Waits for something new, at most `most_ms`, and takes its progress. Opens the file anew where it
 * changed, saying so on standard error.
 */
enum tt_live_news tt_live_wait(struct tt_live_input *l, uint64_t most_ms);

/* dump -f */
enum tt_exit tt_dump_follow(const struct tt_options *options, const char *path,
                            struct tt_output *out);

#endif
