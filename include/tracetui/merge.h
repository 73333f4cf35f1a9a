/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge: several captures on one time line, read as one capture.
 *
 * A merged capture has a format of its own (src/format/merge). Its tape is the tapes of its members, one
 * after the other; its clock is a common one. The index merges the members as it merges runs of blocks that
 * overlap in time, so every reader of a trace works on a merged one:
 *
 *      tape      | member 0 ........ | member 1 .......... |
 *      run 0     |===================|                        in time order
 *      run 1            |=====================|
 *
 * The members share the tables of the merged capture: types of equal class, name and code are one type,
 * and the numbers of threads, processes and texts are those of the merged capture. Members of different
 * systems have processes of their own (struct tt_process, space) and CPUs of their own: the CPUs of a
 * member follow those of the member before. Members of one system (one_system) share processes and CPUs,
 * as if one recorder had written both files; they must have the same clock.
 *
 * Times of a member are mapped to the common clock with a tt_clock_map, when its events are decoded;
 * functions of the member's format get times of the member's clock.
 *
 * Ownership: the merged capture owns its members and copies the plan. Threads: as for struct tt_capture.
 */
#ifndef TRACETUI_MERGE_H
#define TRACETUI_MERGE_H

#include "tracetui/capture.h"
#include "tracetui/clock_map.h"

#define TT_MERGE_MOST      64u /* captures in one */
#define TT_MERGE_NAME_MOST 64u /* bytes of a capture's name, with the NUL */
#define TT_MERGE_VCPUS     64u /* CPUs of a guest */

/* Ways in which the time of a capture on the common time line was found. X(id, text) */
#define TT_MERGE_BY_INFO(X)                                                                        \
    X(TT_MERGE_BY_SYSTEM, "same clock")                                                            \
    X(TT_MERGE_BY_REFERENCE, "reference")                                                          \
    X(TT_MERGE_BY_DATE, "date")                                                                    \
    X(TT_MERGE_BY_OFFSET, "offset")                                                                \
    X(TT_MERGE_BY_EVENTS, "events")                                                                \
    X(TT_MERGE_BY_BOOT, "start of the system")                                                     \
    X(TT_MERGE_BY_GUEST, "clockcycles_offset")                                                     \
    X(TT_MERGE_BY_START, "start")

enum tt_merge_by {
#define X(id, text) id,
    TT_MERGE_BY_INFO(X)
#undef X
        TT_MERGE_BY_COUNT
};

/* Returns the text of a way; a constant. */
const char *tt_merge_by_text(unsigned by);

/* The thread of a host that is a CPU of a guest. */
struct tt_merge_vcpu {
    uint32_t pid;
    uint32_t tid;
    uint64_t when; /* its process exists then, as in tt_registry_find_thread */
};

/* How a host knows a guest. */
struct tt_merge_guest {
    unsigned host;       /* number of the host among the sources, from 1; 0: it is no guest */
    uint64_t offset;     /* ticks of the guest less those of the host, modulo 2^64 */
    uint32_t events;     /* that were compared with the runs of the guest, and are ... */
    uint32_t inside;     /* ... in one of them */
    unsigned vcpu_count; /* vcpus[n] is CPU n of the guest */
    struct tt_merge_vcpu vcpus[TT_MERGE_VCPUS];
};

/* A capture of a plan. */
struct tt_merge_source {
    const char *path;
    char name[TT_MERGE_NAME_MOST]; /* unique among the sources */
    struct tt_clock_map clock;     /* its clock to the common one */
    uint64_t hz;                   /* of its clock; 0: it has none */
    uint64_t residual;             /* of the alignment, in ticks of the common clock */
    uint32_t pairs;                /* of events it was aligned by */
    uint8_t by;                    /* enum tt_merge_by */
    bool is_log; /* lines of a log, which are written by threads of the first capture */
    const char
        *problem; /* why it is not known as a guest although a host has one; constant, or NULL */
    struct tt_merge_guest guest;
};

struct tt_merge_plan {
    struct tt_merge_source *sources;
    unsigned count; /* 1 to TT_MERGE_MOST */
    uint64_t hz;    /* of the common clock; 0: times are ticks */
    bool one_system;
    bool
        in_turn; /* files that one system has written in turn: they are opened as one, in their order */
    bool has_wall_clock; /* wall_clock is valid */
    int64_t wall_clock;  /* seconds since the epoch at tick 0 of the common clock */
    bool follows;        /* the files grow; all but the first are logs */
    bool has_log_date;   /* the dates for logs, as in struct tt_capture_options */
    int64_t log_date;
    int64_t log_begin;
};

struct tt_merge_member {
    struct tt_capture *capture;
    const struct tt_merge_source *source;
    struct tt_clock_map clock;
    _Atomic uint64_t begin;     /* time of its first event so far; UINT64_MAX: none has been read */
    _Atomic uint64_t end_pos;   /* position of its latest event; UINT64_MAX: not all is read yet */
    _Atomic uint16_t first_cpu; /* number of its CPU 0; valid from its first event on */
    uint16_t first_state;       /* numbers of its format's states, without state 0 */
};

struct tt_merge {
    struct tt_merge_member *members;
    unsigned count;
    bool one_system;
    _Atomic bool
        ends_late; /* the end of a member was found in a later block than its latest event */
};

/* Returns the number of the member with tape position `pos` of a merged capture. Any thread. */
unsigned tt_merge_at(const struct tt_merge *merge, uint64_t pos);

/*
 * Returns the capture that an event was read from and sets *own to the event as its decoder returned it:
 * times, positions and CPUs are the member's. Of a capture of one file: `capture` and the event itself. Any thread.
 */
const struct tt_capture *tt_merge_own(const struct tt_capture *capture,
                                      const struct tt_event *event, struct tt_event *own);

/* Returns the name of the capture with tape position `pos`; NULL for a capture of one file. Any thread. */
const char *tt_merge_name(const struct tt_capture *capture, uint64_t pos);

/*
 * Returns the number of the member that a process, a thread, a CPU or an event belongs to; 0 for members of one
 * system and for a capture of one file. Any thread.
 */
unsigned tt_merge_of_process(const struct tt_capture *capture, uint32_t process);
unsigned tt_merge_of_thread(const struct tt_capture *capture, uint32_t thread);
unsigned tt_merge_of_cpu(const struct tt_capture *capture, uint16_t cpu);
unsigned tt_merge_of_event(const struct tt_capture *capture, const struct tt_event *event);

/* Returns the thread of the host that is a CPU of a guest; TT_NO_THREAD: of no guest, or not known. Any thread. O(1). */
uint32_t tt_merge_vcpu(const struct tt_capture *capture, uint16_t cpu);

/*
 * Returns the number of headings for lanes: of members of different systems their number, else 0. Any
 * thread.
 */
unsigned tt_merge_headings(const struct tt_capture *capture);

/*
 * Returns a number that the ids of a member's messages, flows and operations are combined with (exclusive
 * or), so that ids of different systems differ; 0 for the first one, and for members of one system.
 */
uint64_t tt_merge_salt(const struct tt_merge *merge, unsigned member);

/* Returns that number for the system of a thread. Any thread. */
uint64_t tt_merge_salt_of(const struct tt_capture *capture, uint32_t thread);

/*
 * Returns the capture with the threads and processes of a system (struct tt_process, space): a member of a
 * merged capture, or, of a capture of one file or one system, `capture`. Any thread.
 */
const struct tt_capture *tt_merge_system(const struct tt_capture *capture, unsigned space);

/*
 * Returns the format of the system of a thread, whose properties apply to it: whether its
 * system has processes, which of two priorities is more urgent. Its states have other numbers in a merged
 * capture; `capture` has those. Any thread.
 */
const struct tt_format *tt_merge_format_of(const struct tt_capture *capture, uint32_t thread);

/*
 * Return the number of the system of a process, or, if that is not known, of a thread, and whether that
 * system has threads and no processes (tt_format, no_processes). Any thread.
 */
unsigned tt_merge_of_side(const struct tt_capture *capture, uint32_t process, uint32_t thread);
bool tt_merge_lacks_processes(const struct tt_capture *capture, uint32_t process, uint32_t thread);
/* Returns whether any system of the capture has threads and no processes. Any thread. */
bool tt_merge_any_lacks_processes(const struct tt_capture *capture);

/* Returns the position of an event in its own file. Any thread. */
uint64_t tt_merge_offset(const struct tt_capture *capture, uint64_t pos);

/*
 * Opens the members of a plan in the joined files of `c`, which has no format yet; see tt_capture_open. `paths`
 * of the plan break ties. Runs inside tt_sigbus_guard; after a fault, tt_capture_free frees everything.
 */
struct tt_map;
struct tt_capture_options;
struct tt_status tt_merge_open(struct tt_capture *capture, const struct tt_merge_plan *plan,
                               const struct tt_map *map, const struct tt_capture_options *options);

#endif
