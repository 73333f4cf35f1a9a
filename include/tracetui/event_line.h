/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_line: an event as one line of text, as `dump` prints it and a regex matches it.
 *
 *      1.204118204   2 ~io-blk/3 worker      COMM         REC_MESSAGE        rcvid=0x4f pid=4099
 *      |time         |cpu|                   |class       |event             |arguments
 *                        ~ the thread is inferred
 *
 * Columns are padded to a fixed position if they fit and are never truncated. Written without
 * printf into the caller's buffer; texts of the file are escaped. Any thread.
 */
#ifndef TRACETUI_EVENT_LINE_H
#define TRACETUI_EVENT_LINE_H

#include "tracetui/capture.h"
#include "tracetui/text.h"

/* A time relative to the capture's origin, or before it, with all 64 bits in either direction. */
struct tt_relative {
    uint64_t ticks;
    bool before; /* before the origin */
};

/* Returns `ticks` relative to the capture's origin, or to `first_ticks` if it has none. */
struct tt_relative tt_relative_ticks(const struct tt_capture *capture, uint64_t ticks,
                                     uint64_t first_ticks);

/* Appends a time: "1.204118204" with a clock, "123456" (ticks) without. */
void tt_line_time(struct tt_text *text, const struct tt_capture *capture, struct tt_relative time);

/* Returns the base name of a process, not NUL-terminated; *length 0: it has no name. */
const char *tt_process_base_name(const struct tt_capture *capture, const struct tt_process *process,
                                 size_t *length);
/*
 * Returns whether a thread has the number and the name of its process: the first thread of a process of Linux, or
 * all that is known of it. It is printed as "name-pid". Any thread.
 */
bool tt_line_is_own_process(const struct tt_capture *capture, uint32_t thread);

/*
 * Appends a thread: "io-blk/3 worker", "4099/3" without names; "-" for no thread. The process has
 * its base name.
 */
void tt_line_thread(struct tt_text *text, const struct tt_capture *capture, uint32_t thread);
/* Appends the id of a thread or of the process itself as the format writes it: 4107 or 0xc8000400. */
void tt_line_id(struct tt_text *text, const struct tt_capture *capture, uint32_t process,
                uint64_t id);
/* Appends the name of a process without its path, or else its id. */
void tt_line_process(struct tt_text *text, const struct tt_capture *capture, uint32_t process);
/* Appends it with the whole path of the process, as recorded: "proc/boot/io-blk/3 worker". */
void tt_line_thread_path(struct tt_text *text, const struct tt_capture *capture, uint32_t thread);

/*
 * Does the same with names written by `put` (tt_text_escaped, or the escaping of another output).
 */
void tt_line_thread_with(struct tt_text *text, const struct tt_capture *capture, uint32_t thread,
                         void (*put)(struct tt_text *text, const char *bytes, size_t length));

/* Appends an argument's value: 0x4f, 12, "text", MUTEX_SUSP. */
void tt_line_value(struct tt_text *text, const struct tt_arg *arg);

/* Appends all visible arguments, separated by one space: "rcvid=0x4f pid=4099". */
void tt_line_args(struct tt_text *text, const struct tt_args *args);

/*
 * Appends the whole line without a newline. `first_ticks`: first time of the trace, for relative
 * times.
 */
void tt_line_event(struct tt_text *text, const struct tt_capture *capture,
                   const struct tt_event *event, const struct tt_args *args, uint64_t first_ticks);

/*
 * The thread and type columns of a capture rendered once, for printing many events. Made when the
 * index is finished; later entries are rendered per event. Read-only: any number of threads may
 * share it.
 */
struct tt_line_names;

struct tt_line_names *
tt_line_names_new(const struct tt_capture *capture); /* NULL if out of memory */
void tt_line_names_free(struct tt_line_names *names);

/* Appends the same text as tt_line_event by a faster path. `names` may be NULL. */
void tt_line_event_named(struct tt_text *text, const struct tt_capture *capture,
                         const struct tt_line_names *names, const struct tt_event *event,
                         const struct tt_args *args, uint64_t first_ticks);

/* Columns of a line; the class and the event's name are columns of their own. */
enum tt_line_column {
    TT_LINE_TIME,
    TT_LINE_CPU,
    TT_LINE_THREAD, /* with the mark of an inferred thread */
    TT_LINE_CLASS,
    TT_LINE_EVENT,
    TT_LINE_ARGUMENTS,
    TT_LINE_COLUMN_COUNT
};

/* Byte ranges of the columns without their padding: [begin, end) from the start of the line. */
struct tt_line_spans {
    struct {
        size_t begin, end;
    } columns[TT_LINE_COLUMN_COUNT];
};

/* Appends the same text, and returns where its columns are. */
struct tt_line_spans tt_line_event_spans(struct tt_text *text, const struct tt_capture *capture,
                                         const struct tt_line_names *names,
                                         const struct tt_event *event, const struct tt_args *args,
                                         uint64_t first_ticks);

/* Byte column where the arguments of these lines begin. */
#define TT_LINE_ARGS 73u

#endif
