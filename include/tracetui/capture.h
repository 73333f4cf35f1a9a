/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture: one opened file as its decoder sees it: the bytes, the header's facts, and the tables
 * that grow while it is read (event types, processes and threads, health).
 *
 * Who owns what: a capture owns its tables; the mapped bytes belong to whoever opened the map and
 * outlive the capture. Texts handed out live as long as the capture.
 *
 * Threads: exactly one thread (the indexer) adds to the tables, any thread reads them. Entries
 * never move; a count is published after the entry it covers, and fields that change later
 * (names, priorities) are atomic. Lookups by key take a lock only on the side of the readers and
 * of the one writer when it really adds.
 *
 *      strings    text <-> number, each text once
 *      types      number -> class, name, kind, count
 *      registry   processes and threads ("lanes"), by number and by (pid, tid, position)
 *      series     number -> name and process of a counter's values
 *      health     what is wrong or missing, with its place
 */
#ifndef TRACETUI_CAPTURE_H
#define TRACETUI_CAPTURE_H

#include <stdatomic.h>
#include <stddef.h>

#include "tracetui/action.h"
#include "tracetui/bytes.h"
#include "tracetui/event.h"
#include "tracetui/status.h"

struct tt_capture;
struct tt_format;

/* ---- strings ------------------------------------------------------------------------------ */

/* Number of an interned text. 0 is the empty text and also "none". */
typedef uint32_t tt_string;

/* The number of a text, added if new (writer only). 0 when out of memory. */
tt_string tt_capture_intern(struct tt_capture *c, const char *bytes, size_t length);
/* The number of a text that is known, or 0. Any thread; takes the lock. */
tt_string tt_capture_find_text(const struct tt_capture *c, const char *bytes, size_t length);
/* The text of a number, NUL-terminated, and its length in bytes. Any thread. */
const char *tt_capture_text(const struct tt_capture *c, tt_string string, size_t *length);

/*
 * Was there no memory for something that had to be kept? Then the capture is not to be shown as if
 * it were whole: opening and indexing end with an error. Any thread.
 */
bool tt_capture_incomplete(const struct tt_capture *c);

/* ---- event types -------------------------------------------------------------------------- */

struct tt_event_type {
    const char *class_name; /* "THREAD"; for FXT the category. From a const table or interned */
    const char *name;       /* "THRUNNING" */
    uint64_t code;          /* the format's own number for it */
    uint32_t class_id;      /* number of class_name among the classes seen in this capture */
    uint8_t kind;           /* enum tt_kind that most events of the type have */
};

/*
 * Adds a type (writer only). class_name and name must live as long as the capture.
 * UINT32_MAX when out of memory.
 */
uint32_t tt_types_add(struct tt_capture *c, const char *class_name, const char *name, uint64_t code,
                      unsigned kind);
/*
 * The number of the first type that was added with these names and this code, or UINT32_MAX.
 * Any thread; takes the lock: for tests and whoever asks rarely, never for each event.
 */
uint32_t tt_types_find(const struct tt_capture *c, const char *class_name, const char *name,
                       uint64_t code);
uint32_t tt_types_count(const struct tt_capture *c);
/* The type of a number below the count. */
const struct tt_event_type *tt_types_at(const struct tt_capture *c, uint32_t type);
/* Classes in order of appearance. */
uint32_t tt_classes_count(const struct tt_capture *c);
const char *tt_classes_name(const struct tt_capture *c, uint32_t class_id);

/* ---- processes and threads ---------------------------------------------------------------- */

/*
 * A lane is one (process, thread) from its first event to the end of its process: a tid that is
 * destroyed and created again in one process is the same lane; a pid used again after its
 * process ended is another process, with lanes of its own.
 *
 * Which process a pid means depends on `when`: a number that grows along the capture, of the
 * decoder's choice: tape positions, or ticks. Where the tape is in the order of time the two are
 * alike. Where it is not (a ring for each CPU) the decoder uses ticks and sets `lanes_by_time`:
 * events are then met before the creation or the end that decides whose they are, and whoever needs
 * the final answer asks tt_registry_settle when all is read.
 *
 *      pid 4099   process 7 |------------| ended     process 12 |-------------
 *                 first_when            end_when      first_when
 */
struct tt_process {
    uint64_t pid;
    _Atomic uint64_t first_when; /* from here on the pid means this process */
    _Atomic uint64_t end_when;   /* when it was destroyed; UINT64_MAX: not that we know */
    uint32_t older;              /* under the lock: neighbours with the same pid, or UINT32_MAX */
    uint32_t newer;
    uint32_t newest;          /* under the lock; good in the first of the pid that was met, */
    _Atomic uint32_t near;    /* as is this: a neighbour that was asked for lately */
    uint32_t told_again;      /* and this, the writer's: how many began while another had no end */
    bool begin_unknown;       /* the writer's: its end was met before its beginning */
    _Atomic bool shares_pid;  /* there are others with this pid */
    _Atomic uint32_t threads; /* lanes so far */
    _Atomic(tt_string) name;  /* 0: not named */
};

struct tt_thread {
    uint64_t tid;
    _Atomic uint32_t process; /* number of its process; can change once, when it gets known */
    uint32_t index;           /* how many-th lane of the process it was met in */
    _Atomic(tt_string) name;
    _Atomic bool idle;   /* an idle thread: left out of totals, counts as CPU idle */
    _Atomic bool pseudo; /* a context that is no thread (ISR, initialization): not counted */
};

/* The process that `pid` means at `when`; added if there is none (writer only). */
uint32_t tt_registry_process(struct tt_capture *c, uint64_t pid, uint64_t when);
/*
 * A process begins: a new one if the pid's last one has ended. With lanes_by_time, where its end
 * may not have been met yet, a new one if the last one was begun and named as well (writer only).
 */
uint32_t tt_registry_process_begin(struct tt_capture *c, uint64_t pid, uint64_t when);
void tt_registry_process_end(struct tt_capture *c, uint64_t pid, uint64_t when);
void tt_registry_process_name(struct tt_capture *c, uint32_t process, tt_string name);
/* The lane of (pid, tid) at `when`; added if there is none (writer only). UINT32_MAX: no memory. */
uint32_t tt_registry_thread(struct tt_capture *c, uint64_t pid, uint64_t tid, uint64_t when);
void tt_registry_thread_name(struct tt_capture *c, uint32_t thread, tt_string name);
void tt_registry_thread_idle(struct tt_capture *c, uint32_t thread, bool idle);
void tt_registry_thread_pseudo(struct tt_capture *c, uint32_t thread);
/*
 * The thread turns out to belong to `process`: from now on it is found under both (writer only).
 * False when out of memory.
 */
bool tt_registry_thread_move(struct tt_capture *c, uint32_t thread, uint32_t process);
/* Has any thread moved? Any thread. */
bool tt_registry_any_moved(const struct tt_capture *c);

/* The same without adding: UINT32_MAX where there is none. Any thread. O(1). */
uint32_t tt_registry_find_process(const struct tt_capture *c, uint64_t pid, uint64_t when);
uint32_t tt_registry_find_thread(const struct tt_capture *c, uint64_t pid, uint64_t tid,
                                 uint64_t when);

/* tt_registry_find_thread for the writer, which needs no lock. */
uint32_t tt_registry_known_thread(const struct tt_capture *c, uint64_t pid, uint64_t tid,
                                  uint64_t when);

/* The process that had the pid before this one, or UINT32_MAX. Any thread. */
uint32_t tt_registry_older_process(const struct tt_capture *c, uint32_t process);

/*
 * The lane that has this lane's pid and tid at `when`; the lane itself where its pid was used only
 * once, or where the right one was never met. Any thread.
 */
uint32_t tt_registry_settle(const struct tt_capture *c, uint32_t thread, uint64_t when);
/* The same, adding the right one where it was never met (writer only). */
uint32_t tt_registry_settle_adding(struct tt_capture *c, uint32_t thread, uint64_t when);

uint32_t tt_process_count(const struct tt_capture *c);
const struct tt_process *tt_process_at(const struct tt_capture *c, uint32_t process);
uint32_t tt_thread_count(const struct tt_capture *c);
const struct tt_thread *tt_thread_at(const struct tt_capture *c, uint32_t thread);

/* ---- counter series ----------------------------------------------------------------------- */

/* A row of values over time; TT_ACTION_COUNTER names it in `other`. */
struct tt_series {
    tt_string name;   /* "frames:dropped:7": counter, argument, the counter's id */
    uint32_t process; /* number of the process that counts, or UINT32_MAX */
};

/* Adds a series (writer only). UINT32_MAX when out of memory. */
uint32_t tt_series_add(struct tt_capture *c, tt_string name, uint32_t process);
uint32_t tt_series_count(const struct tt_capture *c);
/* The series of a number below the count. Any thread. */
const struct tt_series *tt_series_at(const struct tt_capture *c, uint32_t series);

/* ---- health ------------------------------------------------------------------------------- */

/*
 * What is wrong with a capture. `damage`: bytes of the file were malformed or cut short (exit 1);
 * the others are things that a sound file says of itself or that do not add up (exit 0).
 * X(id, key in json, damage, what a person reads)
 */
#define TT_HEALTH_INFO(X)                                                                          \
    X(TT_HEALTH_LOST, "lost", false, "records lost before this place")                             \
    X(TT_HEALTH_OUT_OF_ORDER, "out_of_order", false, "buffer out of order")                        \
    X(TT_HEALTH_COUNT_MISMATCH, "count_mismatch", false, "count does not match what is there")     \
    X(TT_HEALTH_TIME_BACK, "time_back", false, "time goes back")                                   \
    X(TT_HEALTH_TIME_RANGE, "time_range", false, "time does not fit")                              \
    X(TT_HEALTH_NO_TIME, "no_time", false, "high half of the time is not known")                   \
    X(TT_HEALTH_ORPHAN_PART, "orphan_part", false, "part of an event whose beginning is missing")  \
    X(TT_HEALTH_UNFINISHED, "unfinished", false, "event whose end is missing")                     \
    X(TT_HEALTH_CUT_BY_WRITER, "cut_by_writer", false, "record cut short by the writer")           \
    X(TT_HEALTH_UNKNOWN_EVENT, "unknown_event", false, "event of unknown type")                    \
    X(TT_HEALTH_UNKNOWN_REFERENCE, "unknown_reference", false, "refers to something not defined")  \
    X(TT_HEALTH_UNMATCHED, "unmatched", false, "end without beginning")                            \
    X(TT_HEALTH_NESTING, "nesting", false, "nesting that cannot be")                               \
    X(TT_HEALTH_TWO_CPUS, "two_cpus", false, "thread running on two CPUs at once")                 \
    X(TT_HEALTH_HEADER, "header", false, "header value missing or odd")                            \
    X(TT_HEALTH_MALFORMED, "malformed", true, "malformed record")                                  \
    X(TT_HEALTH_TRUNCATED, "truncated", true, "file ends inside a record")                         \
    X(TT_HEALTH_SHRUNK, "shrunk", true, "file shrank while it was read")                           \
    X(TT_HEALTH_CONTAINER, "container", true, "container is damaged")

enum tt_health_kind {
#define X(id, key, damage, text) id,
    TT_HEALTH_INFO(X)
#undef X
        TT_HEALTH_COUNT
};

const char *tt_health_key(unsigned kind);
const char *tt_health_text(unsigned kind);
bool tt_health_is_damage(unsigned kind);

struct tt_health_record {
    uint64_t offset;    /* in the file */
    uint64_t pos;       /* on the tape: where to jump */
    uint64_t value;     /* how many, which number: what `detail` says */
    const char *detail; /* const text that names the value or the trouble, or NULL */
    uint8_t kind;
};

#define TT_HEALTH_KEPT 4096 /* records kept in full; all are counted */

/* Notes one (writer only). `detail` is a const text. */
void tt_health_add(struct tt_capture *c, enum tt_health_kind kind, uint64_t offset, uint64_t pos,
                   uint64_t value, const char *detail);
/* Counts `times` more of which no record is kept (writer only). */
void tt_health_count_more(struct tt_capture *c, enum tt_health_kind kind, uint64_t times);
uint64_t tt_health_count(const struct tt_capture *c, enum tt_health_kind kind);
/* Records kept so far, in order of being found; at most TT_HEALTH_KEPT. */
uint32_t tt_health_kept(const struct tt_capture *c);
struct tt_health_record tt_health_at(const struct tt_capture *c, uint32_t index);
/* Was any of it damage? (exit status 1) */
bool tt_health_damaged(const struct tt_capture *c);

/* ---- the header's facts ------------------------------------------------------------------- */

/* One line of the Info view and of `info`: the file's own words, shown escaped. */
struct tt_fact {
    const char *section; /* "header", "clock", "recording", "registry" */
    const char *key;
    const char *value;
};

/* Adds a fact; the texts are copied (writer only). False when out of memory. */
bool tt_facts_add(struct tt_capture *c, const char *section, const char *key, const char *value,
                  size_t length);
uint32_t tt_facts_count(const struct tt_capture *c);
const struct tt_fact *tt_facts_at(const struct tt_capture *c, uint32_t index);

#define TT_NO_FACT UINT32_MAX

/*
 * The number of the fact after `number` where facts stand together by section, sections in the
 * order of their first facts; of the first one for TT_NO_FACT, and TT_NO_FACT after the last.
 * O(facts^2) at worst for a whole walk's sections: there are some dozen facts.
 */
uint32_t tt_facts_next(const struct tt_capture *c, uint32_t number);

/* Do both facts stand in one section? Not with TT_NO_FACT. */
bool tt_facts_together(const struct tt_capture *c, uint32_t number, uint32_t other);

/* ---- opening ------------------------------------------------------------------------------ */

struct tt_capture_options {
    uint64_t clock_hz;      /* a clock for formats that have none; 0: not given */
    const char *names_path; /* names for user events, vectors, ...; NULL: none */
    bool definitions;       /* list definition records among the events */
};

struct tt_capture {
    const struct tt_format *format;
    struct tt_bytes bytes; /* the file when it was opened (decoders get a limit that may grow), or
                              what a container in it holds, unpacked by the format's open */
    char version[48];      /* of the format or of the system that wrote it, for people */
    char title[96];        /* "QNX 7.1", for the status line */
    uint64_t clock_hz;     /* ticks a second; 0: no clock, times are ticks */
    uint64_t origin_ticks; /* relative times count from here; UINT64_MAX: from the first event */
    _Atomic uint32_t cpu_count; /* as the header says or as seen so far; at least 1 */
    bool big_endian;
    bool lanes_by_time;  /* see struct tt_process */
    bool has_wall_clock; /* wall_clock is good */
    int64_t wall_clock;  /* seconds since the epoch at tick 0 */
    void *decoder;       /* the format's own */
    struct tt_tables *tables;
};

/* Makes an empty capture over `bytes`, not yet opened by any format. */
struct tt_status tt_capture_new(struct tt_bytes bytes, struct tt_capture **capture);
/* Finds the format by content and lets it read the header. */
struct tt_status tt_capture_open(struct tt_capture *c, const char *path,
                                 const struct tt_capture_options *options);
void tt_capture_free(struct tt_capture *c);

/* File offset of a position on the tape (the same number for most formats). */
uint64_t tt_capture_offset(const struct tt_capture *c, uint64_t pos);

#endif
