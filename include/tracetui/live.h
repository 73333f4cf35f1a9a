/* SPDX-License-Identifier: Apache-2.0 */
/* live: the state of a capture that is followed while it grows. Plain data; any thread. */
#ifndef TRACETUI_LIVE_H
#define TRACETUI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

/* X(id, key in json, text for the user after "the file ...") */
#define TT_CHANGE_INFO(X)                                                                          \
    X(TT_CHANGE_NONE, "none", "is unchanged")                                                      \
    X(TT_CHANGE_FORBIDDEN, "forbidden", "is no longer readable")                                   \
    X(TT_CHANGE_DELETED, "deleted", "was deleted")                                                 \
    X(TT_CHANGE_TRUNCATED, "truncated", "was truncated")                                           \
    X(TT_CHANGE_REWRITTEN, "rewritten", "was rewritten")                                           \
    X(TT_CHANGE_REPLACED, "replaced", "was replaced")                                              \
    X(TT_CHANGE_OUTGROWN, "outgrown", "now has a recognized format")

enum tt_file_change {
#define X(id, key, text) id,
    TT_CHANGE_INFO(X)
#undef X
        TT_CHANGE_COUNT
};

/* Returns the text for the user; a constant. */
const char *tt_file_change_text(enum tt_file_change change);

struct tt_live {
    bool follows;   /* more data may arrive */
    bool pipe;      /* the source is a pipe */
    bool ended;     /* the pipe ended */
    bool caught_up; /* everything present at the start has been read */
    /*
     * From TRUNCATED on, reading has stopped and another trace must be opened (tt_trace_reopen).
     * OUTGROWN: events read so far are valid, but the file was identified when it had few bytes and
     * is something else.
     */
    enum tt_file_change change;
    uint32_t changes;        /* number of further changes of the file since */
    struct tt_status status; /* reason if the pipe ended early */
    uint64_t final_ticks;    /* watermark: all earlier events have arrived; UINT64_MAX: all
                                events */
    uint64_t late;           /* late events: earlier than the watermark when they arrived */
    uint64_t bytes;          /* size of the file */
    uint64_t bytes_per_s;    /* over about the last second */
    uint64_t events_per_s;
    int64_t last_wall; /* time of the last data, in seconds since 1970; 0: none since the file
                          was opened */
    uint32_t streams;
};

#endif
