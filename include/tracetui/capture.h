/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture: an opened file as its decoder sees it: the bytes, the facts of the header, and the
 * tables that grow while it is read (event types, processes and threads, health).
 *
 * Ownership: a capture owns its tables. The mapped bytes belong to the owner of the map and outlive
 * the capture. Texts that functions return are valid as long as the capture.
 *
 * Threads: exactly one thread (the indexer, "writer" below) adds to the tables; any thread reads
 * them. Entries never move. A count is published after the entry it covers, and fields that change
 * later (names, priorities) are atomic. Readers look up keys under a lock, which the writer takes
 * only to add.
 *
 *      strings    text <-> number, each text once
 *      types      number -> class, name, kind, count
 *      registry   processes and threads ("lanes"), by number and by (pid, tid, position)
 *      series     number -> name and process of a counter's values
 *      health     problems found, with their file offsets
 */
#ifndef TRACETUI_CAPTURE_H
#define TRACETUI_CAPTURE_H

#include <stdatomic.h>
#include <stddef.h>

#include "tracetui/action.h"
#include "tracetui/bytes.h"
#include "tracetui/event.h"
#include "tracetui/status.h"

struct tt_text;

struct tt_capture;
struct tt_format;
struct tt_map;
struct tt_merge;

/* ---- strings ------------------------------------------------------------------------------ */

/* The number of an interned text. 0 is the empty text and means "none". */
typedef uint32_t tt_string;

/* Returns the number of a text and adds the text if it is new (writer only). 0 if out of memory. */
tt_string tt_capture_intern(struct tt_capture *capture, const char *bytes, size_t length);
/* Returns the NUL-terminated text of a number and its length in bytes. Any thread. */
const char *tt_capture_text(const struct tt_capture *capture, tt_string string, size_t *length);

/*
 * Returns whether an allocation for a table failed. The capture then lacks entries, and opening and
 * indexing fail with TT_ERR_MEMORY. Any thread.
 */
bool tt_capture_out_of_memory(const struct tt_capture *capture);

/* ---- event types -------------------------------------------------------------------------- */

struct tt_event_type {
    const char *class_name; /* "THREAD"; for FXT the category. A constant or interned */
    const char *name;       /* "THRUNNING" */
    uint64_t code;          /* the format's own number */
    uint32_t class_id;      /* number of class_name among the classes of this capture */
    uint8_t kind;           /* enum tt_kind of most events of the type */
};

/*
 * Adds a type and returns its number (writer only). class_name and name must live as long as the
 * capture. UINT32_MAX if out of memory.
 */
uint32_t tt_types_add(struct tt_capture *capture, const char *class_name, const char *name,
                      uint64_t code, unsigned kind);
/*
 * Returns the number of the first type added with these names and this code, or UINT32_MAX. Any
 * thread; takes the lock and searches, so do not call it per event.
 */
uint32_t tt_types_find(const struct tt_capture *capture, const char *class_name, const char *name,
                       uint64_t code);
/* Returns the number of published types. Any thread. */
uint32_t tt_types_count(const struct tt_capture *capture);
/* Returns the type with a number below the count. Any thread. */
const struct tt_event_type *tt_types_at(const struct tt_capture *capture, uint32_t type);
/*
 * Return the number that a type of a member has in the merged capture, and the reverse: UINT32_MAX if it is
 * no type of the member. Of any other capture: the type itself. Any thread.
 */
uint32_t tt_types_whole(const struct tt_capture *capture, uint32_t type);
uint32_t tt_types_own(const struct tt_capture *capture, uint32_t whole);
/* The classes, numbered in order of appearance. Any thread. */
uint32_t tt_classes_count(const struct tt_capture *capture);
const char *tt_classes_name(const struct tt_capture *capture, uint32_t class_id);

/* ---- processes and threads ---------------------------------------------------------------- */

/*
 * A lane is one (process, thread) from its first event to the end of its process. A tid that is
 * destroyed and created again in the same process is the same lane; a pid that is reused after its
 * process ended is another process with lanes of its own.
 *
 * The process of a pid depends on `when`, a number that grows along the capture: tape positions or
 * ticks, as the decoder chooses. The two are equivalent if the tape is in time order. If it is not
 * (one ring per CPU), the decoder uses ticks and sets `lanes_by_time`. Events may then precede, on
 * the tape, the creation or end that determines their process; tt_registry_settle returns the final
 * process when the whole capture is read.
 *
 *      pid 4099   process 7 |------------| ended     process 12 |-------------
 *                 first_when            end_when      first_when
 */
struct tt_process {
    uint64_t pid;
    _Atomic uint64_t first_when; /* from here on the pid means this process */
    _Atomic uint64_t end_when;   /* when it was destroyed; UINT64_MAX: unknown or alive */
    uint32_t older;              /* under the lock: neighbours with the same pid, or UINT32_MAX */
    uint32_t newer;
    uint32_t newest;          /* under the lock; valid in the first process with this pid, */
    _Atomic uint32_t near;    /* as is this: the neighbour that was looked up last */
    uint32_t repeated_begins; /* and this (writer only): number of begins while another had no
                                 end */
    bool begin_unknown;       /* writer only: the end was read before the begin */
    _Atomic bool shares_pid;  /* other processes have this pid */
    uint8_t space;            /* system with this pid, of captures that share the tables */
    _Atomic uint32_t threads; /* number of lanes */
    _Atomic(tt_string) name;  /* 0: unnamed */
};

struct tt_thread {
    uint64_t tid;
    _Atomic uint32_t process; /* process number; changes at most once, when the process becomes
                                 known */
    uint32_t index;           /* index among the lanes of the process in which it was first read */
    _Atomic(tt_string) name;
    _Atomic bool idle;   /* idle thread: excluded from totals, counts as CPU idle */
    _Atomic bool pseudo; /* a context that is not a thread (ISR, initialization): not counted */
};

/*
 * Returns the process of `pid` at `when`; adds it if there is none (writer only). UINT32_MAX if out
 * of memory.
 */
uint32_t tt_registry_process(struct tt_capture *capture, uint64_t pid, uint64_t when);
/*
 * Records the begin of a process and returns it: a new process if the last one with this pid has
 * ended. With lanes_by_time, where the end of the last one may not have been read yet, also if the
 * last one had a begin and a name (writer only).
 */
uint32_t tt_registry_process_begin(struct tt_capture *capture, uint64_t pid, uint64_t when);
/* Records the end of the process that has `pid` at `when` (writer only). */
void tt_registry_process_end(struct tt_capture *capture, uint64_t pid, uint64_t when);
/* Sets the name of a process (writer only). */
void tt_registry_process_name(struct tt_capture *capture, uint32_t process, tt_string name);
/*
 * Returns the lane of (pid, tid) at `when`; adds it if there is none (writer only). UINT32_MAX if
 * out of memory.
 */
uint32_t tt_registry_thread(struct tt_capture *capture, uint64_t pid, uint64_t tid, uint64_t when);
/*
 * Set the name of a thread, whether it is an idle thread, and that it is not a thread (writer
 * only).
 */
void tt_registry_thread_name(struct tt_capture *capture, uint32_t thread, tt_string name);
void tt_registry_set_idle(struct tt_capture *capture, uint32_t thread, bool idle);
void tt_registry_set_pseudo(struct tt_capture *capture, uint32_t thread);
/*
 * Moves a thread to `process`; it is then found under both processes (writer only). Returns false
 * if out of memory.
 */
bool tt_registry_thread_move(struct tt_capture *capture, uint32_t thread, uint32_t process);
/* Returns whether any thread has moved. Any thread. */
bool tt_registry_any_moved(const struct tt_capture *capture);

/* Look up without adding; UINT32_MAX if there is none. Any thread. O(1). */
uint32_t tt_registry_find_process(const struct tt_capture *capture, uint64_t pid, uint64_t when);
uint32_t tt_registry_find_thread(const struct tt_capture *capture, uint64_t pid, uint64_t tid,
                                 uint64_t when);

/* Does the same as tt_registry_find_thread without the lock (writer only). */
uint32_t tt_registry_known_thread(const struct tt_capture *capture, uint64_t pid, uint64_t tid,
                                  uint64_t when);

/* Returns the process that had the pid before this one, or UINT32_MAX. Any thread. */
uint32_t tt_registry_older_process(const struct tt_capture *capture, uint32_t process);

/*
 * Returns the lane with this lane's pid and tid at `when`; the lane itself if its pid was used only
 * once or if the right lane does not exist. Any thread.
 */
uint32_t tt_registry_settle(const struct tt_capture *capture, uint32_t thread, uint64_t when);
/* Does the same but adds the right lane if it does not exist (writer only). */
uint32_t tt_registry_settle_or_add(struct tt_capture *capture, uint32_t thread, uint64_t when);

/* Return the published processes and threads by number, below the count. Any thread. */
uint32_t tt_process_count(const struct tt_capture *capture);
const struct tt_process *tt_process_at(const struct tt_capture *capture, uint32_t process);
uint32_t tt_thread_count(const struct tt_capture *capture);
const struct tt_thread *tt_thread_at(const struct tt_capture *capture, uint32_t thread);
/* Returns whether a thread is counted in totals: it is neither idle nor a pseudo thread. */
static inline bool tt_thread_is_counted(const struct tt_thread *thread)
{
    return !thread->idle && !thread->pseudo;
}

struct tt_registry_totals {
    uint32_t threads;   /* counted ones */
    uint32_t idle;      /* idle threads */
    uint32_t processes; /* those of the counted threads */
};

/*
 * Counts the published threads and their processes, as `stats --by total` does. Any thread; O(n).
 * Returns false if out of memory; `processes` is then the number of all processes.
 */
bool tt_registry_totals(const struct tt_capture *capture, struct tt_registry_totals *totals);

/* ---- counter series ----------------------------------------------------------------------- */

/* A series of values over time; `other` of a TT_ACTION_COUNTER is its number. */
struct tt_series {
    tt_string name;   /* "frames:dropped:7": counter, argument, id of the counter */
    uint32_t process; /* number of the counting process, or UINT32_MAX */
};

/* Adds a series and returns its number (writer only). UINT32_MAX if out of memory. */
uint32_t tt_series_add(struct tt_capture *capture, tt_string name, uint32_t process);
/* Returns the number of published series. Any thread. */
uint32_t tt_series_count(const struct tt_capture *capture);
/* Returns the series with a number below the count. Any thread. */
const struct tt_series *tt_series_at(const struct tt_capture *capture, uint32_t series);

/* ---- health ------------------------------------------------------------------------------- */

/*
 * Problems of a capture. `damage`: bytes of the file are malformed or truncated (exit status 1).
 * The other kinds are losses that a sound file records, or data that do not add up (exit status 0).
 * X(id, key in json, damage, text for the user)
 */
#define TT_HEALTH_INFO(X)                                                                          \
    X(TT_HEALTH_LOST, "lost", false, "records lost before this offset")                            \
    X(TT_HEALTH_OUT_OF_ORDER, "out_of_order", false, "buffer out of order")                        \
    X(TT_HEALTH_COUNT_MISMATCH, "count_mismatch", false, "count does not match the contents")      \
    X(TT_HEALTH_TIME_BACK, "time_back", false, "time goes back")                                   \
    X(TT_HEALTH_TIME_RANGE, "time_range", false, "time out of range")                              \
    X(TT_HEALTH_NO_TIME, "no_time", false, "high half of the time unknown")                        \
    X(TT_HEALTH_COARSE_TIME, "coarse_time", false, "time equal to that of the event before")       \
    X(TT_HEALTH_ORPHAN_PART, "orphan_part", false, "part of an event without its begin record")    \
    X(TT_HEALTH_UNFINISHED, "unfinished", false, "event without its end record")                   \
    X(TT_HEALTH_CUT_BY_WRITER, "cut_by_writer", false, "record cut short by the writer")           \
    X(TT_HEALTH_UNKNOWN_EVENT, "unknown_event", false, "event of unknown type")                    \
    X(TT_HEALTH_UNKNOWN_REFERENCE, "unknown_reference", false, "reference to an undefined object") \
    X(TT_HEALTH_UNMATCHED, "unmatched", false, "end without begin")                                \
    X(TT_HEALTH_NESTING, "nesting", false, "invalid nesting")                                      \
    X(TT_HEALTH_TWO_CPUS, "two_cpus", false, "thread running on two CPUs at once")                 \
    X(TT_HEALTH_LOCK_OWNER, "lock_owner", false, "mutex unlocked by another thread than recorded") \
    X(TT_HEALTH_GUEST, "guest", false, "guest that is not aligned with its host")                  \
    X(TT_HEALTH_HEADER, "header", false, "header value missing or invalid")                        \
    X(TT_HEALTH_OTHER_LINE, "other_line", false, "lines of a text that are no events")             \
    X(TT_HEALTH_LINE_FORM, "line_form", false, "form of the lines changes")                        \
    X(TT_HEALTH_LINE_TIME, "line_time", false, "lines without a time have that of the one before") \
    X(TT_HEALTH_LONG_LINE, "long_line", false, "line of more than 64 KB")                          \
    X(TT_HEALTH_MALFORMED, "malformed", true, "malformed record")                                  \
    X(TT_HEALTH_TRUNCATED, "truncated", true, "file ends inside a record")                         \
    X(TT_HEALTH_DAMAGED, "damaged", true, "stretch of damaged bytes")                              \
    X(TT_HEALTH_BAD_TIME, "bad_time", true, "time that contradicts the records around it")         \
    X(TT_HEALTH_NOT_READ, "not_read", true, "bytes that are not read")                             \
    X(TT_HEALTH_SHRUNK, "shrunk", true, "file shrank while it was read")                           \
    X(TT_HEALTH_UNREADABLE, "unreadable", true, "file could not be read from here on")             \
    X(TT_HEALTH_CONTAINER, "container", true, "damaged container")

enum tt_health_kind {
#define X(id, key, damage, text) id,
    TT_HEALTH_INFO(X)
#undef X
        TT_HEALTH_COUNT
};

/* Return the key, the text and the damage flag of a kind. */
const char *tt_health_key(unsigned kind);
const char *tt_health_text(unsigned kind);
bool tt_health_is_damage(unsigned kind);

struct tt_health_record {
    uint64_t offset;    /* in the file */
    uint64_t pos;       /* on the tape: target of a jump */
    uint64_t line;      /* of a text, from 1; 0: the file is none */
    uint64_t value;     /* a count or a number, as described by `detail` */
    const char *detail; /* constant text that names the value or the problem, or NULL */
    uint8_t kind;
};

#define TT_HEALTH_KEPT 4096 /* number of records kept in full; all are counted */

/*
 * Adds a record (writer only). `offset` is a file offset, `pos` a tape position; `detail` is a
 * constant text or NULL.
 */
void tt_health_add(struct tt_capture *capture, enum tt_health_kind kind, uint64_t offset,
                   uint64_t pos, uint64_t value, const char *detail);
/* Adds `times` to the count without a record (writer only). */
void tt_health_count_more(struct tt_capture *capture, enum tt_health_kind kind, uint64_t times);
/* Returns the number of problems of a kind. Any thread. */
uint64_t tt_health_count(const struct tt_capture *capture, enum tt_health_kind kind);
/*
 * Returns the number of records kept, at most TT_HEALTH_KEPT. They are in order of discovery. Any
 * thread.
 */
uint32_t tt_health_kept(const struct tt_capture *capture);
/* Returns a kept record; `index` is below tt_health_kept. Any thread. */
struct tt_health_record tt_health_at(const struct tt_capture *capture, uint32_t index);
/* Returns the index of the first kept record of a kind from `index` on, or UINT32_MAX. Any thread. */
uint32_t tt_health_next(const struct tt_capture *capture, unsigned kind, uint32_t index);
/* Returns whether records are missing: lost by the writer, or among damaged bytes. Any thread. */
bool tt_health_has_gaps(const struct tt_capture *capture);
/* Appends the place of a record: "offset 0x7530", or "line 12". */
void tt_health_place_text(const struct tt_health_record *record, struct tt_text *text);
/* Appends the size and the offset of a record of TT_HEALTH_DAMAGED: "500 bytes at 0x7530". */
void tt_health_stretch_text(const struct tt_health_record *stretch, struct tt_text *text);

/* The stretches of damaged bytes together. */
struct tt_stretches {
    uint64_t count;
    uint64_t bytes;                  /* in all of them; UINT64_MAX: not all are kept */
    struct tt_health_record largest; /* of those kept; valid if `bytes` is above 0 */
};

/* Any thread; O(TT_HEALTH_KEPT). */
struct tt_stretches tt_health_stretches(const struct tt_capture *capture);
/* Returns whether any record is damage (exit status 1). Any thread. */
bool tt_health_damaged(const struct tt_capture *capture);
/*
 * Returns success if there is no damage, else an error with the offset and the text of the damage
 * nearest to the start of the file, and the number of others. O(TT_HEALTH_KEPT); any thread.
 */
struct tt_status tt_health_damage(const struct tt_capture *capture);

/* ---- the header's facts ------------------------------------------------------------------- */

/*
 * A line of the Info view and of `info`. Texts come from the file; they are escaped when printed.
 */
struct tt_fact {
    const char *section; /* "header", "clock", "recording", "registry" */
    const char *key;
    const char *value;
};

/* Adds a fact; copies the texts (writer only). Returns false if out of memory. */
bool tt_facts_add(struct tt_capture *capture, const char *section, const char *key,
                  const char *value, size_t length);
/* Return the published facts by number, below the count. Any thread. */
uint32_t tt_facts_count(const struct tt_capture *capture);
const struct tt_fact *tt_facts_at(const struct tt_capture *capture, uint32_t index);

#define TT_NO_FACT UINT32_MAX

/*
 * Returns the number of the fact after `number`, with facts grouped by section and sections in the
 * order of their first facts. TT_NO_FACT as `number` yields the first fact; the result after the
 * last fact is TT_NO_FACT. A walk over all facts is O(facts^2) at worst; there are a few dozen.
 */
uint32_t tt_facts_next(const struct tt_capture *capture, uint32_t number);

/* Returns whether two facts are in the same section. Neither may be TT_NO_FACT. */
bool tt_facts_same_section(const struct tt_capture *capture, uint32_t number, uint32_t other);

/* ---- opening ------------------------------------------------------------------------------ */

/* A form of the lines of a log: a regular expression of PCRE2 with a group `time`; also level, process, thread, text. */
struct tt_log_form {
    const char *name;
    const char *pattern;
};

struct tt_lane_list;

struct tt_capture_options {
    uint64_t clock_hz;      /* of captures that do not tell their clock; 0: not given */
    const char *names_path; /* file with names for user events, vectors, ...; NULL: none */
    bool definitions;       /* list definition records among the events */
    bool is_log;            /* the file is a log, whatever else it looks like */
    bool
        has_log_date; /* of a log beside a capture with a date: its times without a date are near */
    int64_t log_date; /* this one, in seconds since the epoch, and */
    int64_t log_begin; /* this one is that of tick 0 of the capture */
    const struct tt_log_form
        *log_forms; /* forms of the user, which are tried first; borrowed for open */
    uint32_t log_form_count;
    bool whole; /* one that is written at its end, and lacks bytes, is TT_ERR_FORMAT */
    struct tt_lane_list *lanes; /* that the user defines (src/lane); borrowed; NULL: none */
};

struct tt_capture {
    const struct tt_format *format;
    struct tt_bytes bytes; /* the file when it was opened (decoders get a limit that may grow),
                              or the contents of a container in it, unpacked by the format's open */
    const struct tt_map
        *files;        /* of a directory (tracetui/map.h): `bytes` begin with its file `metadata`;
                                   NULL: one file */
    char version[48];  /* version of the format or of the system that wrote it, for display */
    char title[96];    /* "QNX 7.1", for the status line */
    uint64_t clock_hz; /* ticks per second; 0: no clock, times are printed in ticks */
    uint64_t origin_ticks;      /* origin of relative times; UINT64_MAX: the first event */
    _Atomic uint32_t cpu_count; /* from the header or as seen so far; at least 1 */
    bool big_endian;
    uint32_t streams; /* number that the header announces, one per CPU; 0: unknown */
    /* How to record what is missing, by enum tt_missing; a NULL, the table or a row: it cannot be. */
    const char *const *recording;
    uint32_t unrecordable; /* what the target cannot record: one bit for each enum tt_missing */
    uint64_t line;      /* writer only: of a text, of the record that is decoded, from 1; 0: none */
    uint64_t opening;   /* hash of what open read beyond the other members and the facts */
    bool lanes_by_time; /* see struct tt_process */
    bool has_addresses; /* ids of threads and processes are written in hexadecimal */
    bool guessed;       /* further bytes could have changed a decision of the indexing cursor */
    bool has_wall_clock; /* wall_clock is valid */
    int64_t wall_clock;  /* seconds since the epoch at tick 0 */
    bool since_boot;     /* of a log: tick 0 is the start of the system */
    /* Ticks are (cycles of the CPU's counter * mult >> shift) + offset; `mult` 0: they are no cycles. */
    struct {
        uint32_t mult, shift;
        uint64_t offset;
    } cycles;
    void *decoder; /* owned by the format */
    struct tt_tables *tables;
    struct tt_lane_list *lanes;   /* those of the options */
    const struct tt_merge *merge; /* of a merged capture (tracetui/merge.h); NULL: of one file */
    uint32_t space;               /* of a member of a merged capture: see struct tt_process, */
    uint64_t base;                /* the position of its tape in that of the merged capture, */
    uint64_t file_base;           /* of its file in the joined files, */
    const char *label;            /* its name, and its types; NULL: the capture is not a member */
    struct tt_own_types *own_types;
    const struct tt_capture
        *beside; /* of a log: the capture whose threads have written lines of it; NULL: none */
};

/*
 * Creates an empty capture over `bytes`, not yet opened by a format. On success the caller owns
 * *capture and frees it with tt_capture_free. TT_ERR_MEMORY.
 */
struct tt_status tt_capture_new(struct tt_bytes bytes, struct tt_capture **capture);
/*
 * Does the same for a member of `whole`, which shares its tables with the member and must outlive
 * it.
 */
struct tt_status tt_capture_new_member(struct tt_bytes bytes, const struct tt_capture *whole,
                                       struct tt_capture **capture);
/*
 * Detects the format by content (`path` breaks ties) and reads the header. Errors:
 * TT_ERR_NOT_CAPTURE, TT_ERR_FORMAT, TT_ERR_MEMORY; TT_ERR_IO or TT_ERR_USAGE for names_path.
 */
struct tt_status tt_capture_open(struct tt_capture *capture, const char *path,
                                 const struct tt_capture_options *options);
/* Closes the decoder and frees the capture; NULL is allowed. No thread may read it any more. */
void tt_capture_free(struct tt_capture *capture);

/* Returns the file offset of a tape position (the same number for most formats). */
uint64_t tt_capture_offset(const struct tt_capture *capture, uint64_t pos);

#endif
