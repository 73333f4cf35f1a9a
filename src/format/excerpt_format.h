/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpt_format: how a format writes a part of a capture as a capture of its own (tt_format.excerpt).
 *
 *      header | beginning: names, states at `ticks` | records of the set, in the order of the file
 *
 * The caller (excerpt/excerpt.c) selects the records and finds the states; the format writes bytes.
 * The functions run inside tt_sigbus_guard. One thread.
 */
#ifndef FORMAT_EXCERPT_FORMAT_H
#define FORMAT_EXCERPT_FORMAT_H

#include "format/excerpt_out.h"
#include "format/record_set.h"
#include "tracetui/format.h"

/* Data about a thread at the beginning of an excerpt. */
enum tt_excerpt_role {
    TT_EXCERPT_ABSENT,   /* nothing */
    TT_EXCERPT_NAMED,    /* its name: its state is unknown, or its first event is in the excerpt */
    TT_EXCERPT_IN_STATE, /* also its state */
    TT_EXCERPT_LAST_RUN, /* the same; it ran last on `cpu`, which now runs the kernel */
    TT_EXCERPT_ON_CPU,   /* the same; it runs on `cpu` */
};

struct tt_excerpt_thread {
    uint16_t state; /* number of the format's state */
    uint16_t cpu;
    int16_t priority; /* or TT_NO_PRIORITY */
    uint8_t role;     /* enum tt_excerpt_role */
};

struct tt_excerpt_job {
    const struct tt_capture *capture;
    uint64_t limit;                          /* readable bytes of the file */
    const struct tt_record_set *records;     /* beginnings of the records to be written */
    bool has_past;                           /* records before the first one are left out */
    uint64_t ticks;                          /* time of the beginning, before all records */
    uint64_t first_pos;                      /* tape position of the first record */
    const struct tt_excerpt_thread *threads; /* by number */
    uint32_t thread_count;
    uint64_t before_pos;               /* of the last event before the range, at `ticks` */
    const struct tt_event *interrupts; /* begins of those open at `ticks`, in order of the tape */
    uint32_t interrupt_count;
    struct tt_excerpt_out *out;
};

struct tt_excerpt_state; /* defined by the format */

struct tt_excerpt_format {
    uint32_t unit; /* records begin at multiples of it, relative to the offset of `base` */
    uint64_t (*base)(const struct tt_capture *capture);
    /*
     * Returns whether an event of the range is written whether or not it is selected: the states of
     * threads and CPUs, names, buffers and clocks, without which the other events would be wrong.
     */
    bool (*is_kept)(const struct tt_capture *capture, const struct tt_event *event);
    /*
     * Returns the time after the list of objects that begins the capture, which is not cut; 0 if there
     * is none. NULL: the format has none.
     */
    uint64_t (*list_end)(struct tt_capture *capture, uint64_t limit);
    /* Writes what precedes the records. NULL if out of memory. `job` is borrowed until `end`. */
    struct tt_excerpt_state *(*begin)(const struct tt_excerpt_job *job);
    /* Writes the next records, about 64 KB; false if there are no more. */
    bool (*step)(struct tt_excerpt_state *state);
    void (*end)(struct tt_excerpt_state *state);
};

#endif
