/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace: an opened capture with its index; events by number, by time and by place at the cost of
 * a block.
 *
 * The index holds no copy of the events. It cuts the decoder's tape into blocks of about a
 * thousand events and keeps for each where it starts, how many events it has, its first and last
 * key (ticks, pos), and the decoder's state to go on from there. The events of a block are sorted
 * when it is decoded. Blocks whose key ranges do not overlap form runs; the order of all events is
 * a merge of the runs, found by rank: never built, never sorted as a whole.
 *
 *      tape    | block 0 | block 1 | block 2 | block 3 |        in the order of the file
 *      run 0   |=block 0=====|  |=block 2======|  |block 3|     by time, no overlap
 *      run 1             |==block 1===|
 *      row            0 1 2 3 4 5 6 7 8 9 ...                   the merge, by (ticks, pos)
 *
 * Rows and numbers. A row is a place in that merged list. The `n` of an event counts real events
 * only: derived events and definitions (TT_EVENT_UNNUMBERED) have a row and no n. Both are final
 * when the index is done and provisional before. What lasts is an event's (ticks, pos).
 *
 * Threads. One indexer (tt_trace_index, or the worker of tt_trace_index_start) writes; any number
 * of `struct tt_events`, one a thread, read what has been published so far. A trace is opened
 * and closed by one thread, with no reader left at closing.
 */
#ifndef TRACETUI_TRACE_H
#define TRACETUI_TRACE_H

#include "tracetui/capture.h"
#include "tracetui/format.h"
#include "tracetui/index_cache.h"
#include "tracetui/live.h"
#include "tracetui/map.h"
#include "tracetui/progress.h"

struct tt_trace;

struct tt_trace_options {
    struct tt_capture_options capture;
    struct tt_map_options map; /* with `copy` a file that was changed is kept as it was */
    struct tt_cache_options cache;
};

/* Opens, maps and reads the header; indexes nothing yet, so it costs the same for any size. */
struct tt_status tt_trace_open(const char *path, const struct tt_trace_options *options,
                               struct tt_trace **trace);
/* Stops the worker if one runs, waits until what is to be kept is (after tt_trace_index), and frees
 * everything. */
void tt_trace_close(struct tt_trace *trace);

/* Opens the same file again, in the same way. */
struct tt_status tt_trace_restart(struct tt_trace *trace, struct tt_trace **anew);

struct tt_capture *tt_trace_capture(struct tt_trace *trace);
const char *tt_trace_path(const struct tt_trace *trace);

/* ---- indexing ----------------------------------------------------------------------------- */

/* Indexes the whole file on the calling thread. */
struct tt_status tt_trace_index(struct tt_trace *trace);

/*
 * Starts a worker that indexes. `notify(arg)` is called from the worker, at most every
 * TT_NOTIFY_MS, when there is more to see, at the end, and when it is known what became of keeping
 * the index (tt_trace_cache), from another thread; it must only wake its owner.
 */
struct tt_status tt_trace_index_start(struct tt_trace *trace, void (*notify)(void *arg), void *arg);
/* Asks the worker to stop and waits for it. What was indexed stays usable. */
void tt_trace_index_stop(struct tt_trace *trace);

/*
 * Where the index came from, and where it went; *why: with FAILED. With GONE, what was kept was cut
 * short while it was used: what was asked since may be answered wrongly, and tt_trace_restart gives a
 * trace that answers rightly. Any thread.
 */
enum tt_cache_state tt_trace_cache(const struct tt_trace *trace, struct tt_status *why);
/* Bytes of the capture whose index had been kept: all of them, less where it has grown since, 0. */
uint64_t tt_trace_cache_taken(const struct tt_trace *trace);

/*
 * Returns the timelines as they stand, or NULL while there are none; valid until the trace is
 * closed, or, where it follows, until tt_trace_forget_old frees them.
 */
struct tt_timelines;
const struct tt_timelines *tt_trace_timelines(struct tt_trace *trace);

/* ---- following ----------------------------------------------------------------------------- */

/*
 * A trace that was opened with `map.follow` is indexed by tt_trace_index_start until it is stopped:
 * rows are added as the file grows. Half a record at its end is "not yet".
 *
 *      rows    |########## final ##########|oooo provisional oooo|
 *                                          ^ live.final_ticks
 *
 * Rows, numbers and timelines before final_ticks stay what they are, but for data that come late
 * from a stream that was silent for 2 s (`late`): these are put in their place.
 */

struct tt_live tt_trace_live(const struct tt_trace *trace);
/* All that will be there is there: the index is finished as that of a whole file. */
void tt_trace_follow_end(struct tt_trace *trace);
/* For tests: after how many ms a silent stream stops holding back. Before the index is started. */
void tt_trace_follow_silence(struct tt_trace *trace, uint64_t ms);
/* Opens the same anew, as it is now; a pipe's bytes from its beginning. `trace` stays. */
struct tt_status tt_trace_reopen(struct tt_trace *trace, struct tt_trace **anew);
/*
 * Frees timelines older than `seen`, which tt_trace_timelines gave, or NULL: nothing is done. The
 * caller answers for it that nobody looks at any of them again but threads between the two calls
 * below; while there is one, nothing is freed.
 */
void tt_trace_forget_old(struct tt_trace *trace, const struct tt_timelines *seen);
/* A thread that goes to the timelines by itself begins, and ends: it takes them anew in between. */
void tt_trace_reader_begin(struct tt_trace *trace);
void tt_trace_reader_end(struct tt_trace *trace);

/* Waits until at least `rows` rows are published or the index is finished. */
void tt_trace_wait_rows(struct tt_trace *trace, uint64_t rows);

struct tt_progress tt_trace_progress(const struct tt_trace *trace);

/* Events of a type counted so far (derived ones included). */
uint64_t tt_trace_type_events(const struct tt_trace *trace, uint32_t type);

/* Bytes that the index holds, the mapping not counted. */
uint64_t tt_trace_memory(const struct tt_trace *trace);

/* ---- events ------------------------------------------------------------------------------- */

/* One thread's way to the events: it keeps a few decoded blocks. About 1 MB. */
struct tt_events;

struct tt_events *tt_events_new(struct tt_trace *trace); /* NULL: out of memory */
void tt_events_free(struct tt_events *events);

/* Rows published so far. */
uint64_t tt_events_rows(const struct tt_events *events);

/*
 * Copies up to `count` events from row `row` on; returns how many. O(log blocks) and one block
 * decoded for each run that is touched; next to nothing when the block is still held.
 */
uint32_t tt_events_read(struct tt_events *events, uint64_t row, uint32_t count,
                        struct tt_event *out);

/* The first row at or after `ticks`; the number of rows if there is none. */
uint64_t tt_events_row_at_time(struct tt_events *events, uint64_t ticks);

/* The row of the event with this key, or of the first one after it. */
uint64_t tt_events_row_at_key(struct tt_events *events, uint64_t ticks, uint64_t pos);

/*
 * The event whose bytes hold file offset `offset`, or the next one on the tape. False if there is
 * none.
 */
bool tt_events_at_offset(struct tt_events *events, uint64_t offset, struct tt_event *event);

/* The `n` of a row's event: real events before it. For a derived event: of the next real one. */
uint64_t tt_events_number(struct tt_events *events, uint64_t row);
/* The row of the real event with number n; the number of rows if there is none. */
uint64_t tt_events_row_of_number(struct tt_events *events, uint64_t n);

/*
 * These events were read and described, in the order of rows: the file's pages before them are not
 * needed for now and may go back to the system (see tt_map_forget). Nothing is done where the
 * events lie far apart in the file.
 */
void tt_events_forget(struct tt_events *events, const struct tt_event *all, uint32_t count);

/* The arguments; false if the file shrank and its bytes are gone. */
bool tt_events_describe(struct tt_events *events, const struct tt_event *event,
                        struct tt_args *args);
/*
 * Appends the lines of events, each with a newline, for the first ones that it can be done for
 * without describing them: how many they were. The next one is for tt_events_describe and
 * tt_line_event, or the text has no room for it.
 */
struct tt_line_names;
uint32_t tt_events_lines(struct tt_events *events, const struct tt_line_names *names,
                         const struct tt_event *of, uint32_t count, uint64_t first_ticks,
                         struct tt_text *text);
/* The records that carry it, as tt_format.parts. */
uint32_t tt_events_parts(struct tt_events *events, const struct tt_event *event,
                         struct tt_part *parts, uint32_t max);
/*
 * What `count` events begin and end (tt_format.edges), into room for TT_EDGES_PER_EVENT each.
 * Returns how many edges; *whole is false if bytes of some event are gone.
 */
uint32_t tt_events_edges(struct tt_events *events, const struct tt_event *of, uint32_t count,
                         struct tt_edge *edges, bool *whole);
/*
 * What the format's own tool counts in a range (tt_format.totals); `threads` has room for
 * tt_thread_count of them. False if it counts nothing, or the bytes are gone.
 */
bool tt_events_totals(struct tt_events *events, const struct tt_key_range *range,
                      struct tt_totals *totals, struct tt_thread_totals *threads);
/*
 * What some events mean for threads and CPUs: their actions, at most `max`, each with the key of
 * its event; returns how many. Costs a block decoded for each block that neighbours
 * in `events` do not share: for what a person looks at, not for a walk. Any thread that reads.
 */
uint32_t tt_trace_actions(struct tt_trace *trace, const struct tt_event *events,
                          uint32_t event_count, struct tt_action *actions, uint32_t max);
/* Copies bytes of the file, as many as are there; returns how many. */
size_t tt_events_copy_bytes(struct tt_events *events, uint64_t offset, uint8_t *out, size_t length);

#endif
