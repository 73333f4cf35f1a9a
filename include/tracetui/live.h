/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: the state of a capture that is followed while it grows. Plain data; any thread.
 */
#ifndef TRACETUI_LIVE_H
#define TRACETUI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

/* X(id, key in json, what a person reads, "the file ...") */
#define TT_CHANGE_INFO(X)                                                                          \
    X(TT_CHANGE_NONE, "none", "is what was read")                                                  \
    X(TT_CHANGE_FORBIDDEN, "forbidden", "may no longer be read by this user")                      \
    X(TT_CHANGE_DELETED, "deleted", "was deleted")                                                 \
    X(TT_CHANGE_TRUNCATED, "truncated", "was truncated")                                           \
    X(TT_CHANGE_REWRITTEN, "rewritten", "was written anew")                                        \
    X(TT_CHANGE_REPLACED, "replaced", "was replaced by another")                                   \
    X(TT_CHANGE_OUTGROWN, "outgrown", "tells more of itself now")

enum tt_file_change {
#define X(id, key, text) id,
    TT_CHANGE_INFO(X)
#undef X
        TT_CHANGE_COUNT
};

const char *tt_file_change_text(enum tt_file_change change);

struct tt_live {
    bool follows;   /* more may come */
    bool pipe;      /* through a pipe */
    bool ended;     /* the pipe ended */
    bool caught_up; /* what was there at the beginning is read */
    /*
     * From TRUNCATED on nothing more is read: another trace has to be opened (tt_trace_reopen).
     * With OUTGROWN what was read is good but was taken for something else at the beginning, when
     * there were few bytes.
     */
    enum tt_file_change change;
    uint32_t changes;        /* how often the file was seen to have changed again since */
    struct tt_status status; /* why the pipe ended early, if it did */
    uint64_t final_ticks;    /* all events before have come; UINT64_MAX: all there are */
    uint64_t late;           /* events that came after what was final had passed them */
    uint64_t bytes;          /* of the file */
    uint64_t bytes_per_s;    /* of about the last second */
    uint64_t events_per_s;
    int64_t last_wall; /* when bytes came last, seconds since 1970; 0: not since it was opened */
    uint32_t streams;
};

#endif
