/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_internal: declarations shared by the files of the decoder of trace.dat (trace-cmd, versions 6 and 7).
 *
 *      ftrace.c           the format table: probe, open, close
 *      ftrace_header.c    the begin of the file, version 6; ftrace_options.c: sections and options of both
 *      ftrace_perf.c      perf.data: its header, and its samples as pages
 *      ftrace_unpack.c    compressed sections, and the spool of compressed pages
 *      ftrace_formats.c   format descriptions of events: fields; ftrace_print.c: their print formats
 *      ftrace_events.c    what events mean, by name, with the places of the fields that matter
 *      ftrace_pages.c     where pages are, and their order; ftrace_decode.c: cursor and events
 *      ftrace_records.h   the records of a page
 *      ftrace_walk.c      what threads wait for, ahead of the cursor
 *      ftrace_actions.c   events to actions
 *      ftrace_markers.c   names of slices and counters, markers of programs
 *      ftrace_describe.c  arguments on demand
 *      ftrace_bprint.c    texts of trace_printk
 *      ftrace_symbols.c   names of kernel addresses
 *      ftrace_clues.c     the waker of each wake; begin and end events
 *      ftrace_cache.c     the decoder in the index cache
 *
 * The tape. Each CPU of each instance has a stream of pages, which decode alone. The tape is the pages of all
 * streams, the earliest first, at one distance from each other:
 *
 *      CPU 0   [page ......][page ..][page ...]
 *      CPU 1     [page .][page ........]
 *      tape    | 0 | 1 | 1 | 0 | 0 |        position = number of the page << page_shift | offset in it
 *
 * The learning cursor determines that order and appends it to `pages`; other cursors read it there. Events are
 * in order of time within a page, so the tape is out of order by at most a page per CPU.
 *
 * Pages are read where they are, or, if the file has them compressed, in a temporary file into which `open`
 * unpacks them. `struct ftrace` lives from open to close; each cursor belongs to its caller and to one thread.
 */
#ifndef TRACETUI_FORMAT_FTRACE_FTRACE_INTERNAL_H
#define TRACETUI_FORMAT_FTRACE_FTRACE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/column.h"
#include "base/u128.h"
#include "format/ftrace/ftrace_records.h"
#include "format/linux/linux_sched.h"
#include "format/linux/linux_syscalls.h"
#include "format/linux/linux_threads.h"
#include "tracetui/format.h"
#include "tracetui/map.h"

#define FTRACE_IDS        65536u
#define FTRACE_NO_TYPE    UINT32_MAX
#define FTRACE_NONE       UINT16_MAX /* no field */
#define FTRACE_MAX_FIELDS 63u

/* ---- events and fields -------------------------------------------------------------------- */

enum ftrace_field_kind {
    FTRACE_NUMBER,
    FTRACE_TEXT,     /* characters up to the first NUL */
    FTRACE_ARRAY,    /* numbers of `item` bytes */
    FTRACE_DYNAMIC,  /* __data_loc: length << 16 | offset in the event */
    FTRACE_RELATIVE, /* __rel_loc: the same, from the end of this number */
    FTRACE_REST,     /* the rest of the event */
};

/* Bases of numbers, and forms of bytes. */
enum ftrace_base {
    FTRACE_DECIMAL,
    FTRACE_HEX,
    FTRACE_ADDRESS,
    FTRACE_SYMBOL,
    FTRACE_IP,
    FTRACE_MAC,
    FTRACE_UUID
};

struct ftrace_label {
    uint64_t value;
    const char *text;
    uint32_t length;
};

struct ftrace_field {
    const char *name;
    const struct ftrace_label *labels; /* of the print format; NULL: none */
    uint64_t mask;                     /* bits that have labels */
    uint16_t label_count;
    uint16_t name_length;
    uint16_t offset;
    uint16_t size;
    uint8_t item; /* bytes of an item of an array */
    uint8_t kind; /* enum ftrace_field_kind */
    uint8_t base; /* enum ftrace_base */
    bool is_signed;
    bool is_text;  /* its items are characters */
    bool is_flags; /* the labels are of bits, else of values */
    bool common;   /* one of every event */
};

/* How the value of an argument is made from the bytes of its field. */
enum ftrace_step_kind {
    FTRACE_STEP_NUMBER,
    FTRACE_STEP_LABELS, /* a number with names of its bits, or of its value */
    FTRACE_STEP_SYMBOL, /* an address with the name of the symbol there */
    FTRACE_STEP_STATE,  /* prev_state, with its letters */
    FTRACE_STEP_CALL,   /* the number of a system call, with its name */
    FTRACE_STEP_TEXT,
    FTRACE_STEP_BYTES,
    FTRACE_STEP_FORM,  /* bytes as an internet address, ... */
    FTRACE_STEP_ITEMS, /* numbers, each of them an argument */
};

/* An argument as far as the format determines it. */
struct ftrace_step {
    struct tt_arg arg;                /* without value; its place is that of the field */
    const struct ftrace_field *field; /* NULL: an item of an array */
    uint8_t kind;                     /* enum ftrace_step_kind */
    bool is_fixed;                    /* the value is in the place of the field */
    bool is_signed;
};

/* A field of fixed place that actions need. */
struct ftrace_place {
    uint16_t offset; /* FTRACE_NONE: the event lacks it */
    uint8_t size;    /* 1, 2, 4 or 8 for a number */
    bool is_signed;
};

/* An entry has an even number, up to CONTENTION_END, and its exit the next one. CALL: syscalls:sys_enter_NAME. */
/* clang-format off */
enum ftrace_meaning {
    FTRACE_PLAIN, FTRACE_SWITCH, FTRACE_WAKING, FTRACE_WAKEUP, FTRACE_WAKEUP_NEW, FTRACE_MIGRATE,
    FTRACE_FORK, FTRACE_NEWTASK, FTRACE_RENAME, FTRACE_EXEC, FTRACE_EXIT, FTRACE_SETPRIO,
    FTRACE_IRQ_ENTRY, FTRACE_IRQ_EXIT, FTRACE_SOFTIRQ_ENTRY, FTRACE_SOFTIRQ_EXIT,
    FTRACE_VECTOR_ENTRY, FTRACE_VECTOR_EXIT, FTRACE_TIMER_ENTRY, FTRACE_TIMER_EXIT,
    FTRACE_SYS_ENTER, FTRACE_SYS_EXIT, FTRACE_CALL_ENTER, FTRACE_CALL_EXIT,
    FTRACE_CONTENTION_BEGIN, FTRACE_CONTENTION_END, FTRACE_WORK_START, FTRACE_WORK_END,
    FTRACE_FREQUENCY, FTRACE_PRINT, FTRACE_BPRINT, FTRACE_GRAPH_ENTRY, FTRACE_GRAPH_EXIT, FTRACE_FUNCTION,
    FTRACE_MEANINGS,
};
/* clang-format on */

#define FTRACE_PLACES 7

struct ftrace_event {
    const char *system;
    const char *name;
    struct ftrace_field *fields;
    struct ftrace_step *steps;             /* the plan of the arguments */
    struct ftrace_place at[FTRACE_PLACES]; /* by meaning: ftrace_events.c */
    _Atomic uint32_t type;                 /* FTRACE_NO_TYPE: none was recorded so far */
    uint16_t id;
    uint16_t field_count;
    uint16_t step_count;
    uint16_t common_count; /* fields that every event has, which come first */
    uint16_t least;        /* bytes up to the end of its fields */
    uint8_t meaning;       /* enum ftrace_meaning */
    uint8_t kind;          /* enum tt_kind */
    bool is_clock;         /* an interrupt in which timers expire */
    uint16_t call;         /* CALL_...: number of the name in linux_syscalls.h */
};

/* ---- buffers and pages -------------------------------------------------------------------- */

struct ftrace_buffer {
    const char *name; /* empty: the top instance */
    const char *clock;
    uint32_t page_size;
    uint64_t has; /* meanings of its events, a bit each */
};

/* Where version 6 has the table of an instance. */
struct ftrace_instance {
    uint64_t offset;
    const char *name;
};

/* The pages of a CPU in a buffer. */
struct ftrace_stream {
    uint64_t offset; /* in the file, or in the spool */
    _Atomic uint64_t size;
    uint32_t file; /* of several; 0: the first one */
    uint32_t page_size;
    uint16_t cpu;
    uint16_t buffer;
    bool packed;            /* the pages are compressed; in the spool after open */
    const uint64_t *places; /* of its pages, if they are not one after the other; NULL */
    uint64_t stop;          /* no page that was moved reaches beyond */
    uint64_t
        passed; /* learning cursor only: place of the next page in `pages`, or of the last one, */
    uint64_t time;               /* and its time; UINT64_MAX: there is no next one */
    struct ftrace_records ready; /* its records */
    struct ftrace_records begun; /* and those of the page before */
    bool has_pages;              /* some are in `pages` */
    bool is_broken;              /* bytes between that page and the one before are damaged */
    uint64_t last;               /* ticks of the last event; 0: none yet */
    uint32_t switches;           /* that it has decoded */
    uint64_t walked;             /* place of the page of the walk (ftrace_walk.c) */
    struct ftrace_records walk;
    int32_t walk_pid;       /* the thread that runs there */
    bool walk_lost;         /* events were lost before the next one */
    uint64_t searched;      /* place of the last page after which the next one was searched for, */
    uint64_t searched_to;   /* up to here in vain */
    struct tt_column jumps; /* struct ftrace_jump */
    struct tt_column left;  /* uint8_t: the state in which each switch leaves its thread */
    struct tt_column notes; /* struct ftrace_note */
};

/* A result of the walk at an event. */
struct ftrace_note {
    uint64_t at;     /* place of the event */
    uint64_t object; /* what the thread waits for from here on */
    uint32_t owner;  /* pid of its holder; 0: not known */
    uint32_t kind;   /* enum tt_object_kind, or FTRACE_UNBEGUN: a call ends that began before */
};

#define FTRACE_UNBEGUN UINT32_MAX

/* A page on the tape. */
struct ftrace_page {
    uint64_t offset;
    uint64_t until; /* no event is later: the time of the next one; UINT64_MAX: not known */
    uint32_t stream;
    uint32_t switches; /* of the stream before it */
    uint32_t end;      /* of its records, in bytes from its begin */
    uint16_t
        unsure; /* bytes of the last record, if damage follows, and may begin in it; 0: it is sound */
    bool is_first; /* of its CPU, or after a loss or damage */
};

#define FTRACE_NO_PLACE UINT64_MAX

/* A page that does not follow the one before it on the grid. */
struct ftrace_jump {
    uint64_t from, to; /* places */
};

/* A loss before a page: ticks of the last event of the stream before it. */
struct ftrace_loss {
    uint64_t page;
    uint64_t since;
};

/* The next page of a stream, or its next event of the walk: an item of a heap. */
struct ftrace_next {
    uint64_t time; /* in ticks of the file */
    uint32_t stream;
};

bool ftrace_next_before(const void *a, const void *b);

/* Places of unpacked chunks. */
struct ftrace_chunk {
    uint64_t spooled;
    uint64_t offset; /* in the file */
};

/* ---- threads ------------------------------------------------------------------------------ */

/* The facts about a thread that the walk has found; by pid. */
struct ftrace_wait {
    uint64_t object;     /* address of the lock or futex that it waits for; 0: none */
    uint32_t losses;     /* `walk_losses` when the rest was found */
    uint32_t owner;      /* pid of the object's owner; 0: not known */
    uint16_t call;       /* system call that it is in, + 1; 0: none */
    uint8_t object_kind; /* enum tt_object_kind */
    uint8_t contended;   /* contentions that it is in: the object is a lock of the kernel */
};

/* ---- the decoder -------------------------------------------------------------------------- */

/* Ticks of the file to ns. */
struct ftrace_clock {
    uint64_t offset; /* ns to add */
    uint32_t mult;   /* 0: ticks are ns, or have no unit */
    uint32_t shift;
};

struct ftrace {
    struct tt_capture *capture;
    struct tt_arena arena; /* formats and names; only `open` adds */
    bool big;
    unsigned version;
    bool is_perf; /* a perf.data */
    uint8_t user_long;
    uint8_t kernel_long;
    uint32_t page_size;
    char packer; /* 'z' zstd, 'g' zlib, 0 none */
    uint16_t commit_at;
    uint16_t data_at;
    const char *machine; /* of uname; empty: not known */
    const char *release;
    unsigned abi; /* enum linux_abi */
    struct ftrace_clock clock;
    uint64_t mark;          /* of the print format that was read last: the bit of preemption */
    const char *clock_name; /* of the top instance; empty: not known */
    uint32_t cpus;          /* of an option; 0: none */
    uint64_t options_end;   /* of the section of options that was read last */
    unsigned page_shift;

    struct ftrace_event **events; /* by id; FTRACE_IDS */
    uint32_t event_count;
    struct ftrace_place common_type, common_flags, common_preempt, common_pid;
    uint32_t common_end;      /* of type and pid, if they have 2 and 4 bytes; UINT32_MAX */
    struct linux_leave leave; /* what prev_state means */
    _Atomic uint32_t unknown_type;

    struct ftrace_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    struct ftrace_instance *instances; /* of version 6 */
    size_t instance_count, instance_capacity;
    struct ftrace_stream *streams;
    size_t stream_count, stream_capacity;
    bool is_rt;     /* a kernel with PREEMPT_RT */
    bool has_waits; /* descriptions of calls or contentions: what threads wait for is found ahead */
    uint8_t
        interrupts; /* bits of common_flags in an interrupt; on PREEMPT_RT softirqs run in threads */
    bool timers_nest; /* timers expire within interrupts that are recorded too: they are handlers */
    _Atomic uint16_t buffer_of[FTRACE_MEANINGS]; /* the instance whose events of a meaning act */

    struct tt_map *spool;   /* NULL: nothing is compressed */
    const uint8_t *spooled; /* its bytes, when all are there */
    uint64_t spooled_size;
    struct ftrace_chunk *chunks;
    size_t chunk_count, chunk_capacity;

    uint64_t limit;            /* of what the learning cursor reads */
    bool final;                /* and no more bytes will come */
    struct tt_column pages;    /* struct ftrace_page */
    struct tt_column losses;   /* struct ftrace_loss, in order of pages */
    struct ftrace_next *walks; /* the next event of each stream of the walk: a heap */
    size_t walk_count;
    uint32_t walk_losses;     /* losses that it has passed */
    struct ftrace_next *next; /* the next page of each stream: a heap */
    size_t next_count;
    struct ftrace_wait *waits[LINUX_TIDS / LINUX_TASK_GROUP];
    struct linux_threads threads;
    _Atomic uint32_t interrupt;                   /* a lane + 1 that is the context of interrupts */
    uint16_t calls[LINUX_CALL_NUMBERS];           /* calls by number */
    _Atomic uint32_t call_types[LINUX_CALLS + 1]; /* + 1: names of slices */
    _Atomic uint32_t *named;  /* + 1: types that name slices, by hash; FTRACE_NAMED */
    _Atomic uint32_t *series; /* + 1: counters, by hash; FTRACE_SERIES */
    bool no_memory;

    uint64_t kallsyms, kallsyms_size; /* where the symbols are in the file, */
    bool kallsyms_packed;             /* in a compressed section */
    _Atomic(struct ftrace_symbols *) symbols;
    struct tt_bytes printk; /* formats of bprint; copied */
};

/* ---- ftrace_header.c, ftrace_options.c ------------------------------------------------------ */

/* Reads the begin of the file and everything but the pages. */
struct tt_status ftrace_header_read(struct ftrace *ftrace);
/* Returns whether the bytes are the begin of a perf.data, and reads one: ftrace_perf.c. */
bool ftrace_is_perf(struct tt_bytes head);
struct tt_status ftrace_perf_read(struct ftrace *ftrace);
/* Copies a text that fits, with other characters than those of words as '_'. */
void ftrace_safe_text(char *to, size_t size, const char *text);
/* Adds a copy of a text; NULL if out of memory. */
const char *ftrace_text(struct ftrace *ftrace, const void *bytes, size_t length);
/* Reads a NUL-terminated text of at most `most` bytes, which it copies. */
const char *ftrace_read_text(struct ftrace *ftrace, struct tt_reader *reader, size_t most);
/* Reads the blocks of metadata from `reader`. */
void ftrace_read_header_info(struct ftrace *ftrace, struct tt_reader *reader);
bool ftrace_read_ftrace_formats(struct ftrace *ftrace, struct tt_reader *reader);
bool ftrace_read_event_formats(struct ftrace *ftrace, struct tt_reader *reader);
bool ftrace_read_cmdlines(struct ftrace *ftrace, struct tt_reader *reader);
bool ftrace_read_printk(struct ftrace *ftrace, struct tt_reader *reader);
/* Reads what version 6 has of them before its command lines. `user_long` is known. */
bool ftrace_read_descriptions(struct ftrace *ftrace, struct tt_reader *reader);
/* Reads the options of version 6 from `r`, or those of version 7 from a file offset. */
/* Adds a fact without blanks at its end, unless it is empty. Returns false if out of memory. */
bool ftrace_add_fact(struct ftrace *ftrace, const char *section, const char *key,
                     const char *value);
/* Returns the clock in use of a text of trace_clock: "[local] global counter". */
const char *ftrace_clock_in_use(struct ftrace *ftrace, const char *text);
struct tt_status ftrace_read_options_6(struct ftrace *ftrace, struct tt_reader *reader,
                                       uint32_t *cpus);
struct tt_status ftrace_read_options_7(struct ftrace *ftrace, uint64_t offset);
/* Reads a table of CPUs of version 6. */
struct ftrace_buffer *ftrace_add_buffer(struct ftrace *ftrace, const char *name);
bool ftrace_add_stream(struct ftrace *ftrace, uint64_t cpu, uint64_t offset, uint64_t size,
                       bool packed);

/* ---- ftrace_unpack.c ---------------------------------------------------------------------- */

/*
 * Returns the content of a section from `offset`: in the file, or unpacked into the arena. False, with
 * health, if it is damaged.
 */
bool ftrace_section(struct ftrace *ftrace, uint64_t offset, uint64_t size, bool packed,
                    struct tt_bytes *content);
/* Unpacks `from` to `to`; returns whether exactly `to.size` bytes resulted. */
bool ftrace_unpack(const struct ftrace *ftrace, struct tt_bytes from, uint8_t *to, size_t size);
/* Unpacks all compressed pages into the spool. */
struct tt_status ftrace_unpack_pages(struct ftrace *ftrace);
/* Maps what is in the spool. */
struct tt_status ftrace_spool_map(struct ftrace *ftrace);
void ftrace_spool_close(struct ftrace *ftrace);

/* ---- ftrace_formats.c, ftrace_print.c, ftrace_events.c -------------------------------------- */

/* Adds the event of a format description. Returns false if out of memory. */
bool ftrace_add_format(struct ftrace *ftrace, const char *system, struct tt_bytes text);
/* Adds the labels and bases of the print format to the fields. */
bool ftrace_read_print(struct ftrace *ftrace, struct ftrace_event *event, const char *text);
/* Determines the meaning of an event from its name. */
void ftrace_mean(struct ftrace *ftrace, struct ftrace_event *event);
const struct ftrace_field *ftrace_field_of(const struct ftrace_event *event, const char *name);
struct ftrace_place ftrace_place_of(const struct ftrace_event *event, const char *name);

/* Returns a number of a record; 0 if the record ends before. */
static inline uint64_t ftrace_number_at(const uint8_t *bytes, size_t size, bool big)
{
    switch (size) {
    case 1:
        return *bytes;
    case 2:
        return tt_load_u16(bytes, big);
    case 4:
        return tt_load_u32(bytes, big);
    case 8:
        return tt_load_u64(bytes, big);
    default:
        return 0;
    }
}

static inline uint64_t ftrace_extend(uint64_t value, unsigned size)
{
    unsigned unused = 64 - size * 8;
    return size == 0 || size >= 8 ? value : (uint64_t)((int64_t)(value << unused) >> unused);
}

static inline uint64_t ftrace_get(const struct ftrace_record *record, struct ftrace_place place)
{
    if (place.offset == FTRACE_NONE || (uint32_t)place.offset + place.size > record->size) {
        return 0;
    }
    uint64_t value = ftrace_number_at(record->data + place.offset, place.size, record->big);
    return place.is_signed ? ftrace_extend(value, place.size) : value;
}

/* Converts a time of the file to ticks. */
static inline uint64_t ftrace_ticks_of(const struct ftrace *ftrace, uint64_t time)
{
    if (ftrace->clock.mult) {
        struct tt_wide product = tt_u128_mul(time, ftrace->clock.mult);
        unsigned shift = ftrace->clock.shift;
        time = shift ? product.low >> shift | product.high << (64 - shift) : product.low;
    }
    return time + ftrace->clock.offset;
}

/* Return the number of the event of a record, and the pid of the thread that runs: nearly always of 2 and 4 bytes. */
static inline uint16_t ftrace_id_of(const struct ftrace *ftrace, const struct ftrace_record *record)
{
    return record->size >= ftrace->common_end
               ? tt_load_u16(record->data + ftrace->common_type.offset, record->big)
               : (uint16_t)ftrace_get(record, ftrace->common_type);
}

static inline int32_t ftrace_pid_of(const struct ftrace *ftrace, const struct ftrace_record *record)
{
    return record->size >= ftrace->common_end
               ? (int32_t)tt_load_u32(record->data + ftrace->common_pid.offset, record->big)
               : (int32_t)ftrace_get(record, ftrace->common_pid);
}

/* Returns how many items of an ascending array have a first member, a uint64_t, of at most `key`. */
static inline size_t ftrace_count_to(const void *items, size_t count, size_t each, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t first;
        memcpy(&first, (const uint8_t *)items + middle * each, sizeof first);
        if (first <= key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the item of an ascending column whose first member, a uint64_t, is `key`; NULL if there is none. Any thread. */
static inline const void *ftrace_item_at(const struct tt_column *column, uint64_t key)
{
    uint64_t low = 0, high = tt_column_count(column);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const uint64_t *first = tt_column_at(column, middle);
        if (*first == key) {
            return first;
        }
        if (*first < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* ---- ftrace_decode.c ---------------------------------------------------------------------- */

/* The state of a cursor: all that the index stores for a block. */
struct ftrace_place_in_page {
    uint64_t page;     /* number of the current page */
    uint64_t time;     /* of the last record, in ticks of the file */
    uint32_t at;       /* offset in the page of the next record; 0: its begin */
    uint32_t switches; /* number of the next switch */
    uint32_t first;    /* the next event is the first of its CPU, or the first after a loss */
    uint32_t padding;
};

struct tt_cursor {
    struct ftrace *d;
    struct ftrace_place_in_page s;
    bool learn;
};

struct tt_cursor *ftrace_cursor_new(struct tt_capture *capture, bool learn);
size_t ftrace_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void ftrace_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t ftrace_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result ftrace_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch);
/* Returns the ticks of the last event before the loss before a page; 0: none is known. */
uint64_t ftrace_lost_since(const struct ftrace *ftrace, uint64_t page);
/* Finds the record of an event. Returns false if its bytes are gone. */
bool ftrace_find_record(const struct ftrace *ftrace, const struct tt_event *event, uint64_t limit,
                        struct ftrace_record *record, const struct ftrace_event **of);
uint64_t ftrace_offset(const struct tt_capture *capture, uint64_t pos);
/* ---- ftrace_pages.c ------------------------------------------------------------------------- */

/* Determines which instance's events have actions, where each stream begins, and the time of its first page. */
void ftrace_survey(struct ftrace *ftrace);
/* Adds the pages that have come of files that grow: whole ones, until no more will come (learning cursor). */
void ftrace_find_new(struct ftrace *ftrace);
/* Appends the earliest page of all streams to the tape. Returns false at the end, or if out of memory. */
bool ftrace_add_page(struct ftrace *ftrace);
/*
 * Returns the place of the page after the one at a place, FTRACE_NO_PLACE for the first one (the learning cursor's thread);
 * FTRACE_NO_PLACE if there is none.
 */
uint64_t ftrace_next_place(struct ftrace *ftrace, struct ftrace_stream *stream, uint64_t place);
/* Begins the records of the page at a place, after that at `before`. Returns false if there is none. */
bool ftrace_begin_records(struct ftrace *ftrace, struct ftrace_stream *stream, uint64_t before,
                          uint64_t place, struct ftrace_records *records);
/* Returns the place of a position: in the file, or in the spool. */
uint64_t ftrace_place(const struct ftrace *ftrace, uint64_t pos);

/* ---- ftrace_walk.c ------------------------------------------------------------------------ */

/* Prepares the walk. Returns false if out of memory. */
bool ftrace_walk_start(struct ftrace *ftrace);
/* Continues in a stream that has grown. */
void ftrace_walk_more(struct ftrace *ftrace, struct ftrace_stream *stream);
/* Walks past the page at a place of a stream. */
void ftrace_walk_past(struct ftrace *ftrace, const struct ftrace_stream *until, uint64_t page);
/* Returns the note at an event; NULL if there is none. Any thread. */
static inline const struct ftrace_note *ftrace_note_at(const struct ftrace_stream *stream,
                                                       uint64_t at)
{
    return ftrace_item_at(&stream->notes, at);
}
const struct ftrace_stream *ftrace_stream_of(const struct ftrace *ftrace, uint64_t pos);

/* ---- ftrace_actions.c --------------------------------------------------------------------- */

/* Adds the lane of a pid on a CPU (learning cursor); TT_NO_THREAD, with health, if there is no such pid. */
uint32_t ftrace_add_lane(struct ftrace *ftrace, int64_t pid, uint16_t cpu, uint64_t pos);

/* Returns the lane of a pid on a CPU, which a learning cursor adds; TT_NO_THREAD if there is none. */
static inline uint32_t ftrace_lane(struct tt_cursor *cursor, int64_t pid, uint16_t cpu,
                                   uint64_t pos)
{
    uint32_t lane = linux_known_lane(&cursor->d->threads, pid, cpu);
    return lane == TT_NO_THREAD && cursor->learn ? ftrace_add_lane(cursor->d, pid, cpu, pos) : lane;
}

/* Adds the actions of the batch's last event, and what a learning cursor learns from it. */
void ftrace_act(struct tt_cursor *cursor, const struct ftrace_event *of,
                const struct ftrace_record *record, const struct ftrace_stream *stream,
                struct tt_batch *batch);
/* Returns whether some instance has events of a meaning. */
static inline bool ftrace_has(const struct ftrace *ftrace, unsigned meaning)
{
    return atomic_load_explicit(&ftrace->buffer_of[meaning], memory_order_relaxed) != FTRACE_NONE;
}

/* Returns whether the events of a stream act: those of another instance may repeat them. */
static inline bool ftrace_acts(const struct ftrace *ftrace, const struct ftrace_event *of,
                               const struct ftrace_stream *stream)
{
    return ftrace->buffer_count == 1 ||
           atomic_load_explicit(&ftrace->buffer_of[of->meaning], memory_order_relaxed) ==
               stream->buffer;
}

/* Returns the place of the first argument of a system call. */
struct ftrace_place ftrace_argument(const struct ftrace *ftrace, const struct ftrace_event *of);
/* Returns the call of an event (linux_syscalls.h). */
unsigned ftrace_call_of(const struct ftrace *ftrace, const struct ftrace_event *of,
                        const struct ftrace_record *record);

/* ---- ftrace_markers.c --------------------------------------------------------------------- */

#define FTRACE_NAMED        65536u
#define FTRACE_SERIES       4096u
#define FTRACE_SLICE_MARKER UINT64_C(0x400000000) /* id of the slices of markers */

/* Returns the type that names slices of a kernel function; `otherwise` if there is no room for it. */
uint32_t ftrace_function_type(struct tt_cursor *cursor, uint64_t address, uint32_t otherwise);
/* Adds a value of a counter. */
void ftrace_add_counter(struct tt_cursor *cursor, struct tt_batch *batch, const char *name,
                        size_t length, double value);
/* Adds what a text that a program wrote means, if it is a marker. */
void ftrace_add_marker(struct tt_cursor *cursor, const struct ftrace_event *of,
                       const struct ftrace_record *record, struct tt_batch *batch);

/* Find a type, or a series, again that the index cache had. */
void ftrace_restore_name(struct ftrace *ftrace, uint32_t type);
void ftrace_restore_series(struct ftrace *ftrace, uint32_t series);

/* ---- ftrace_cache.c ----------------------------------------------------------------------- */

void ftrace_save(const struct tt_capture *capture, struct tt_section_writer *writer);
bool ftrace_restore(struct tt_capture *capture, struct tt_reader *reader);

/* ---- ftrace_describe.c and others ----------------------------------------------------------- */

/* Makes the plan of an event's arguments. Returns false if out of memory. */
bool ftrace_plan(struct ftrace *ftrace, struct ftrace_event *event);
bool ftrace_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args);
uint32_t ftrace_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max);
uint32_t ftrace_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges);
void ftrace_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue);

/* Adds the text of a trace_printk, whose format is at an address. Returns false if the file does not have the format. */
bool ftrace_bprint_text(const struct ftrace *ftrace, uint64_t address, struct tt_bytes arguments,
                        struct tt_args *args);

/* Returns the name of the symbol at or before an address, and its distance; NULL if there is none. */
const char *ftrace_symbol(const struct ftrace *ftrace, uint64_t address, uint64_t limit,
                          uint64_t *distance);
void ftrace_symbols_free(struct ftrace *ftrace);

#endif
