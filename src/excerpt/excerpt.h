/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpt: writes a part of a capture as a capture of the same format.
 *
 *      capture   | header | records ............................................. |
 *                               from            to
 *      excerpt   | header | states at from, names | records of the range, selected |
 *
 * The excerpt has the same events in the range, and the same states of threads and CPUs. Records are
 * copied as they are. docs/save.md lists what differs for each format. A request without range and
 * selection copies the file byte for byte.
 *
 * Memory: one bit per 4 to 16 bytes of the range, and 8 bytes per thread. One thread. The trace is
 * completely indexed and outlives the excerpt.
 */
#ifndef TRACETUI_EXCERPT_EXCERPT_H
#define TRACETUI_EXCERPT_EXCERPT_H

#include "base/sink.h"
#include "trace/event_subset.h"
#include "tracetui/trace.h"

/* A mark of the capture, to be followed into the excerpt. */
struct tt_excerpt_mark {
    uint64_t ticks; /* the key of its event */
    uint64_t pos;
    const char *note;
    unsigned set; /* serial number */
    char letter;  /* a to z */
    /* Set by the excerpt: */
    bool is_event;   /* the capture has the event */
    bool is_saved;   /* the excerpt has it, too */
    uint32_t type;   /* of the event */
    uint64_t before; /* saved events of the same time and type before it */
};

struct tt_excerpt_request {
    struct tt_trace *trace;
    uint64_t first_row; /* rows [first_row, end_row) and all at the time of the first */
    uint64_t end_row;
    /*
     * Other events are left out unless they carry the states of threads and CPUs, names, buffers or
     * clocks.
     */
    struct tt_event_subset subset;
    struct tt_excerpt_mark *marks; /* borrowed until the end */
    unsigned mark_count;
    struct tt_sink sink; /* if it stops, the excerpt ends, which is not an error */
};

struct tt_excerpt_counts {
    uint64_t events;      /* of the range that are in the excerpt */
    uint64_t records;     /* of these events; 0 for a copy of the file */
    uint64_t bytes;       /* of the output */
    uint64_t begin_ticks; /* of the last recorded event before the range; 0: none */
    bool is_copy;         /* of the whole file: positions are the same */
    bool shrunk;          /* bytes of the capture were gone when they were read again */
};

struct tt_excerpt;

/*
 * Begins an excerpt. The request is copied; what it points to is borrowed. After a failed begin
 * *excerpt is NULL. Errors: TT_ERR_MEMORY; TT_ERR_USAGE if the range has no events, or if the format
 * cannot be saved.
 */
struct tt_status tt_excerpt_begin(const struct tt_excerpt_request *request,
                                  struct tt_excerpt **excerpt);
/* Does a part of the work, of about a millisecond; false if it is done, failed or stopped. */
bool tt_excerpt_step(struct tt_excerpt *excerpt);
/* Returns the part of the work that is done, in percent. */
unsigned tt_excerpt_percent(const struct tt_excerpt *excerpt);
/*
 * Frees the excerpt, also before all steps, and returns the error of any step: TT_ERR_MEMORY;
 * TT_ERR_USAGE if no event is selected.
 */
struct tt_status tt_excerpt_end(struct tt_excerpt *excerpt, struct tt_excerpt_counts *counts);

/* Does all of it. `counts` is filled in even after a failure. */
struct tt_status tt_excerpt_write(const struct tt_excerpt_request *request,
                                  struct tt_excerpt_counts *counts);

#endif
