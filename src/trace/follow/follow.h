/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow: the indexer of a capture that is still being written.
 *
 *      look at the file --> map what is new --> decode it --> feed --> say so --> wait
 *          |                                                                 (file_watch.h)
 *          +--> it is not the file any more that was read: stop, say what happened
 *
 * What was read is known again by prints: hashes of the file's beginning and of the last bytes that
 * were decoded. A snapshot (.trx) is read from a copy, and its print is of the whole.
 *
 * How late the timelines are: while data flows the latest TT_FOLLOW_KEPT actions are held back, for
 * neighbours that come a little late; when nothing came for TT_FOLLOW_LULL_MS all that is final is
 * fed, and when all streams are silent all. Late data makes them stale; they are then built anew,
 * at most a tenth of the time.
 */
#ifndef TRACETUI_TRACE_FOLLOW_FOLLOW_H
#define TRACETUI_TRACE_FOLLOW_FOLLOW_H

#include <sys/stat.h>

#include "base/file_watch.h"
#include "trace/index/build.h"
#include "tracetui/live.h"

#define TT_FOLLOW_KEPT       256u
#define TT_FOLLOW_LULL_MS    100u
#define TT_FOLLOW_SILENCE_MS 2000u
#define TT_FOLLOW_SAMPLES    8u

/* Some bytes of the file as they were. */
struct tt_print {
    uint64_t at;
    uint64_t length;
    uint64_t hash;
};

/* What open found, to be compared with what it would find now. */
struct tt_opening {
    uint64_t size;
    uint32_t facts;
    uint32_t cpus;
    bool settled; /* it will not find anything else */
};

struct tt_sample {
    uint64_t ms;
    uint64_t bytes;
    uint64_t events;
};

struct tt_follow_options {
    struct tt_capture_options capture; /* with which the file was opened */
    bool copies;                       /* a changed file is kept as it was: map.copy */
};

struct tt_follow {
    const char *path; /* the trace's, which lasts longer */
    struct tt_index *index;
    struct tt_follow_options options;
    struct tt_file_watch watch;
    uint64_t silence_ms;
    _Atomic bool end_asked;
    struct tt_live live;                         /* under the index's lock, as the samples */
    struct tt_sample samples[TT_FOLLOW_SAMPLES]; /* the latest last */
    uint32_t sample_count;
    /* The worker's. */
    struct tt_opening opening;
    struct tt_print head;
    struct tt_print tail;
    struct stat seen;     /* of the file as it was looked at last */
    struct stat named;    /* of what has its name */
    uint32_t changes;     /* times that the file looked different */
    uint64_t verified_ms; /* when the prints were compared last */
    uint64_t quiet_since; /* since when a snapshot looks as it does */
    uint64_t quiet_hash;
    uint64_t final_ticks;   /* all events before have come */
    uint64_t grown_ms;      /* when bytes came last */
    uint64_t rebuilt_ms;    /* when the timelines were built anew, */
    uint64_t rebuild_takes; /* how many ms it took, */
    uint64_t rebuilt_rows;  /* and how many rows there were */
    uint64_t opened_takes;  /* ms that opening again took */
    uint64_t reopened_ms;
    uint64_t told_ms;
    bool caught_up; /* what was there at the beginning is read */
    bool slow_told; /* that the rates fell to nothing */
};

/* For the initialized index of the capture at `path`; borrows both. */
struct tt_status tt_follow_new(const char *path, struct tt_index *index,
                               const struct tt_follow_options *options, struct tt_follow **follow);
void tt_follow_free(struct tt_follow *follow);

/* Indexes until it is stopped, or nothing more will come. */
struct tt_status tt_follow_run(struct tt_follow *follow);

/* ---- follow/file_change.c ------------------------------------------------------------------------------- */

/* What happened to the file since it was looked at last. */
enum tt_file_change tt_follow_look(struct tt_follow *follow, uint64_t now_ms);
/* Takes the prints anew, after the tape was decoded up to `pos`. */
void tt_follow_take_prints(struct tt_follow *follow, uint64_t pos);
/* Would opening find something else now? Looks now and then only, unless `at_once`. */
bool tt_follow_is_outgrown(struct tt_follow *follow, uint64_t now_ms, bool at_once);

#endif
