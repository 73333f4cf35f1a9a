/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow: indexes a capture that is still being written.
 *
 *      check the file --> map new bytes --> decode --> feed --> notify --> wait
 *          |                                                          (input/file_watch.h)
 *          +--> not the file that was read: stop and report the change
 *
 * Fingerprints identify what was read: hashes of the file's first bytes and of the last bytes that
 * were decoded. A snapshot (.trx) is read from a copy, and its fingerprint covers the whole file.
 *
 * Delay of the timelines: while data arrives the latest TT_FOLLOW_KEPT actions stay in the reorder
 * buffer, for neighbours that arrive a little late. After TT_FOLLOW_LULL_MS without data all
 * actions before the watermark are fed; once all streams are silent, all actions. Late data makes
 * the timelines stale; they are then rebuilt, for at most a tenth of the time.
 */
#ifndef TRACETUI_TRACE_FOLLOW_FOLLOW_H
#define TRACETUI_TRACE_FOLLOW_FOLLOW_H

#include <sys/stat.h>

#include "input/file_watch.h"
#include "trace/index/build.h"
#include "tracetui/live.h"

#define TT_FOLLOW_KEPT       256u
#define TT_FOLLOW_LULL_MS    100u
#define TT_FOLLOW_SILENCE_MS 2000u
#define TT_FOLLOW_SAMPLES    8u

/* Fingerprint of a range of the file. */
struct tt_print {
    uint64_t at;
    uint64_t length;
    uint64_t hash;
};

/* Results of opening the capture, for comparison with those of opening it now. */
struct tt_opening {
    uint64_t size;
    uint32_t facts;
    uint32_t cpus;
    bool settled; /* more bytes cannot change the results */
};

struct tt_sample {
    uint64_t ms;
    uint64_t bytes;
    uint64_t events;
};

struct tt_follow_options {
    struct tt_capture_options capture; /* those that the file was opened with */
    bool copies;                       /* map.copy: the trace has a copy of the file */
};

struct tt_follow {
    const char *path; /* borrowed from the trace, which outlives this */
    struct tt_index *index;
    struct tt_follow_options options;
    struct tt_file_watch watch;
    uint64_t silence_ms;
    _Atomic bool end_asked;
    struct tt_live live;                         /* guarded by the index's lock, as the samples */
    struct tt_sample samples[TT_FOLLOW_SAMPLES]; /* in time order */
    uint32_t sample_count;
    /* Used by the indexing thread only. */
    struct tt_opening opening;
    struct tt_print head;
    struct tt_print tail;
    struct stat seen;     /* of the open file at the last check */
    struct stat named;    /* of the file at `path` at the last check */
    uint32_t changes;     /* number of checks that found a change */
    uint64_t verified_ms; /* time of the last comparison of the fingerprints */
    uint64_t quiet_since; /* time since which a snapshot has been unchanged */
    uint64_t quiet_hash;
    uint64_t final_ticks;   /* watermark */
    uint64_t grown_ms;      /* time of the last new bytes */
    uint64_t rebuilt_ms;    /* time of the last rebuild of the timelines, */
    uint64_t rebuild_takes; /* its processor time in ms, */
    uint64_t rebuilt_rows;  /* and the number of rows then */
    uint64_t reopen_takes;  /* duration of the last reopening in ms, */
    uint64_t reopened_ms;   /* and its time */
    uint64_t notified_ms;   /* time of the last notification */
    bool caught_up;         /* all bytes present at the start are indexed */
};

/* Creates a follower for the initialized index of the capture at `path`; borrows both. */
struct tt_status tt_follow_new(const char *path, struct tt_index *index,
                               const struct tt_follow_options *options, struct tt_follow **follow);
void tt_follow_free(struct tt_follow *follow);

/* Indexes until it is stopped or the capture has ended. */
struct tt_status tt_follow_run(struct tt_follow *follow);

/*
 * ---- follow/file_change.c ---------------------------------------------------------------------
 */

/* Returns what happened to the file since the last check. */
enum tt_file_change tt_follow_check(struct tt_follow *follow, uint64_t now_ms);
/* Updates the fingerprints after the tape was decoded up to `pos`. */
void tt_follow_update_prints(struct tt_follow *follow, uint64_t pos);
/*
 * Returns whether opening the same file gave `right` the results that `left` had when it was opened, with its
 * first `facts` facts.
 */
bool tt_follow_same_opening(const struct tt_capture *left, uint32_t facts,
                            const struct tt_capture *right);
/*
 * Returns whether opening the file now gives other results. Limits the time spent on this, unless
 * `at_once`.
 */
bool tt_follow_is_outgrown(struct tt_follow *follow, uint64_t now_ms, bool at_once);

#endif
