/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace: an opened capture with its index: events by number, by time and by file position.
 *
 * The index holds no copy of the events. It divides the decoder's tape into blocks of about a
 * thousand events and stores for each block its start, its number of events, its first and last key
 * (ticks, pos) and a checkpoint of the decoder. The events of a block are sorted when the block is
 * decoded. Blocks whose key ranges do not overlap form runs. Record order over the whole capture is
 * a k-way merge of the runs; a row is located by rank, and the merged list is never built.
 *
 *      tape    | block 0 | block 1 | block 2 | block 3 |        in file order
 *      run 0   |=block 0=====|  |=block 2======|  |block 3|     in time order, no overlap
 *      run 1             |==block 1===|
 *      row            0 1 2 3 4 5 6 7 8 9 ...                   the merge, by (ticks, pos)
 *
 * Rows and numbers. A row is an index into the merged list. The number `n` of an event counts real
 * events only: derived events and definitions (TT_EVENT_UNNUMBERED) have a row but no n. Rows and
 * numbers are final when the index is finished and provisional before. Only the key (ticks, pos) of
 * an event is stable.
 *
 * Units. Times are ticks of the capture's clock, unless a name ends in a unit. Offsets and sizes
 * are bytes.
 *
 * Threads. One indexer (tt_trace_index, or the worker of tt_trace_index_start) writes. Any number
 * of `struct tt_events`, one per thread, read what has been published. One thread opens and closes
 * a trace; no reader may be left when it is closed.
 */
#ifndef TRACETUI_TRACE_H
#define TRACETUI_TRACE_H

#include "tracetui/capture.h"
#include "tracetui/find.h"
#include "tracetui/format.h"
#include "tracetui/index_cache.h"
#include "tracetui/live.h"
#include "tracetui/map.h"
#include "tracetui/merge.h"
#include "tracetui/progress.h"

struct tt_trace;

/* `map.early` for captures: opening hardly ever needs more bytes, and waits for few if it does not. */
#define TT_TRACE_EARLY (UINT64_C(2) << 20)
/* `map.early_few` and `map.early_ms` for captures that are shown as they arrive: some blocks of events. */
#define TT_TRACE_EARLY_FEW (UINT64_C(64) << 10)
#define TT_TRACE_EARLY_MS  100u

struct tt_trace_options {
    struct tt_capture_options capture;
    /*
     * With `copy`, the trace reads a private copy and is unaffected by changes to the file. With
     * `early`, a capture from a pipe or a compressed file is indexed while it arrives. Until tt_trace_index
     * has returned, the capture must not be used then; with tt_trace_index_start, see
     * tt_trace_is_outdated. Ignored where all bytes are needed first.
     */
    struct tt_map_options map;
    struct tt_cache_options cache;
    /*
     * Programs whose symbols name the addresses in arguments: "[PROCESS=]FILE[@ADDRESS]" each
     * (src/trace/symbol_names.h). The texts outlive the trace.
     */
    const char *const *symbols;
    uint32_t symbol_count;
    /*
     * NULL, or several captures to open as one (tracetui/merge.h); the path of tt_trace_open then only
     * names them. Borrowed: the plan outlives every trace opened with it. A merged trace is not cached,
     * and followed if the plan is.
     */
    const struct tt_merge_plan *merge;
    /* The capture is somewhere inside the file. It is neither followed nor cached. */
    struct tt_find_options find;
};

/*
 * Opens and maps `path` and reads the capture's header. Indexes nothing: the cost does not depend
 * on the size of the file. On success the caller owns *trace and closes it with tt_trace_close.
 * Errors: TT_ERR_IO, TT_ERR_USAGE, TT_ERR_NOT_CAPTURE, TT_ERR_FORMAT, TT_ERR_MEMORY; nothing is
 * left to free then.
 */
struct tt_status tt_trace_open(const char *path, const struct tt_trace_options *options,
                               struct tt_trace **trace);
/*
 * Stops the worker if it runs, waits for the index cache to be written (after tt_trace_index), and
 * frees the trace. NULL is allowed.
 */
void tt_trace_close(struct tt_trace *trace);

/*
 * Opens the same file again with the same options; of a trace that was opened early, the bytes that have
 * arrived, which are waited for. `trace` stays open; the caller owns *again.
 */
struct tt_status tt_trace_restart(struct tt_trace *trace, struct tt_trace **again);

/* Return the capture and the path, which are valid as long as the trace. */
struct tt_capture *tt_trace_capture(struct tt_trace *trace);
const char *tt_trace_path(const struct tt_trace *trace);

/* ---- indexing ----------------------------------------------------------------------------- */

/*
 * Indexes the whole file on the calling thread. Errors: TT_ERR_MEMORY, TT_ERR_CANCELLED; of a trace that
 * was opened early also those of tt_trace_open. Damage of the file is not an error; it is counted in the
 * capture's health. tt_trace_capture may return another capture than before.
 */
struct tt_status tt_trace_index(struct tt_trace *trace);

/*
 * Starts a worker thread that indexes. `notify(arg)` is called from the worker at most every
 * TT_NOTIFY_MS when more rows are published, and once at the end; it is called from another thread
 * when the state of the index cache changes (tt_trace_cache). It must not block; it may only wake
 * its owner. Errors: TT_ERR_IO.
 */
struct tt_status tt_trace_index_start(struct tt_trace *trace, void (*notify)(void *arg), void *arg);
/* Stops the worker and waits for it. What has been indexed remains usable. */
void tt_trace_index_stop(struct tt_trace *trace);

/*
 * Returns whether more bytes of a trace that was opened early may arrive, or have arrived and are not readable
 * yet, and the state of the input. Any thread.
 */
bool tt_trace_is_arriving(const struct tt_trace *trace, struct tt_arrival *arrival);
/*
 * Returns whether the complete bytes of a trace that was opened early are another capture than its first
 * bytes were: the compressed file is damaged, or a header described what came later. Known when the
 * index is finished. The published index is that of the first bytes; tt_trace_restart opens all bytes. Any
 * thread.
 */
bool tt_trace_is_outdated(const struct tt_trace *trace);

/*
 * Returns the state of the index cache for this trace; *why is the reason of FAILED. GONE means
 * that the cache file was truncated while in use: results since then may be wrong; those of the
 * trace that tt_trace_restart returns are right. Any thread.
 */
enum tt_cache_state tt_trace_cache(const struct tt_trace *trace, struct tt_status *why);

/*
 * Returns a constant text for bytes that were read once and are missing or different when they are
 * read again: the file shrank, or else it was written or has an I/O error. Any thread.
 */
const char *tt_trace_missing_text(const struct tt_trace *trace);

/*
 * Returns the newest published timelines, or NULL before the first are published. They are valid
 * until the trace is closed or, while it follows, until tt_trace_free_old_timelines frees them. Any thread.
 */
struct tt_timelines;
const struct tt_timelines *tt_trace_timelines(struct tt_trace *trace);

/* ---- following ----------------------------------------------------------------------------- */

/*
 * A trace opened with `map.follow` is indexed by tt_trace_index_start until it is stopped: rows are
 * added as the file grows. An incomplete record at the end of the file is read when the rest
 * arrives.
 *
 *      rows    |########## final ##########|oooo provisional oooo|
 *                                          ^ live.final_ticks
 *
 * Rows, numbers and timelines before final_ticks do not change, except for events that arrive late
 * from a stream that was silent for 2 s (`late`): these are inserted in time order.
 */

/* Returns a copy of the state of following. Any thread. */
struct tt_live tt_trace_live(const struct tt_trace *trace);
/*
 * Ends following: the worker finishes the index as for a file that does not grow. Does not wait for
 * it. Any thread.
 */
void tt_trace_follow_end(struct tt_trace *trace);
/*
 * Sets the time in ms after which a silent stream no longer holds back the watermark. For tests;
 * call it before the index is started.
 */
void tt_trace_follow_silence(struct tt_trace *trace, uint64_t ms);
/*
 * Opens the same source again in its current state; for a pipe, its bytes from the beginning.
 * `trace` stays open; the caller owns *again.
 */
struct tt_status tt_trace_reopen(struct tt_trace *trace, struct tt_trace **again);
/*
 * Frees timelines older than `seen`, a result of tt_trace_timelines. Does nothing if `seen` is NULL
 * or while a reader is between tt_trace_reader_begin and tt_trace_reader_end. The caller guarantees
 * that no other code uses the older timelines.
 */
void tt_trace_free_old_timelines(struct tt_trace *trace, const struct tt_timelines *seen);
/*
 * Marks the begin and the end of a reader on a thread of its own. The reader calls
 * tt_trace_timelines again after each tt_trace_reader_begin.
 */
void tt_trace_reader_begin(struct tt_trace *trace);
void tt_trace_reader_end(struct tt_trace *trace);

/* Blocks until at least `rows` rows are published or the index is finished. Any thread. */
void tt_trace_wait_rows(struct tt_trace *trace, uint64_t rows);

/* Returns a copy of the progress of indexing. Any thread. */
struct tt_progress tt_trace_progress(const struct tt_trace *trace);

/* Returns the number of events of a type counted so far, derived events included. Any thread. */
uint64_t tt_trace_type_events(const struct tt_trace *trace, uint32_t type);

/* Returns the bytes of memory that the index holds, without the mapped file. Any thread. */
uint64_t tt_trace_memory(const struct tt_trace *trace);

/* ---- events ------------------------------------------------------------------------------- */

/*
 * A reader of events with a cache of a few decoded blocks, about 1 MB. Belongs to one thread; the
 * trace outlives it.
 */
struct tt_events;

struct tt_events *tt_events_new(struct tt_trace *trace); /* NULL if out of memory */
/*
 * Returns a reader of the events of one system of a merged capture alone (struct tt_process, space), with
 * rows of its own; `events` itself for other captures, or if out of memory. It belongs to `events`.
 */
struct tt_events *tt_events_of_system(struct tt_events *events, unsigned system);
/* Frees a reader, also after its trace was closed. */
void tt_events_free(struct tt_events *events);

/* Returns the number of rows published so far. */
uint64_t tt_events_rows(const struct tt_events *events);

/*
 * Copies up to `count` events, starting with row `row`, into `out` and returns how many. O(log
 * blocks), plus one block decoded for each run that the rows touch; a cached block costs a copy.
 */
uint32_t tt_events_read(struct tt_events *events, uint64_t row, uint32_t count,
                        struct tt_event *out);

/*
 * Copies events from `row` on and before row `end`, and their rows: all of the wanted types, and others
 * where that costs no more. Returns their number, at most `max`, which is at least TT_FIND_EVENTS;
 * *next is the row from which to continue, `row` at the end. Reads a limited number of rows, so that
 * none may be found.
 */
#define TT_FIND_EVENTS 64u
struct tt_type_set;
uint32_t tt_events_find_types(struct tt_events *events, uint64_t row, uint64_t end,
                              const struct tt_type_set *types, uint32_t max, struct tt_event *out,
                              uint64_t *rows, uint64_t *next);

/* Returns the first row at or after `ticks`; the number of rows if there is none. */
uint64_t tt_events_row_at_time(struct tt_events *events, uint64_t ticks);

/*
 * Returns the row of the event with this key, or of the first event after it; the number of rows if
 * there is none.
 */
uint64_t tt_events_row_at_key(struct tt_events *events, uint64_t ticks, uint64_t pos);

/*
 * Finds the event whose record contains file offset `offset`, or the next event on the tape.
 * Returns false if there is none.
 */
bool tt_events_at_offset(struct tt_events *events, uint64_t offset, struct tt_event *event);

/*
 * Returns the `n` of a row's event: the number of real events before it. For a derived event it is
 * the n of the next real event.
 */
uint64_t tt_events_number(struct tt_events *events, uint64_t row);
/* Returns the row of the real event with number n; the number of rows if there is none. */
uint64_t tt_events_row_of_number(struct tt_events *events, uint64_t n);

/*
 * Returns the mapped pages of events that have been read to the system (tt_map_release_pages). The events
 * are in record order. Does nothing if they are scattered over the file.
 */
void tt_events_release_pages(struct tt_events *events, const struct tt_event *all, uint32_t count);

/*
 * Decodes the arguments of an event into `args`. Returns false if the file shrank and the bytes are
 * gone.
 */
bool tt_events_describe(struct tt_events *events, const struct tt_event *event,
                        struct tt_args *args);
/*
 * Calls work(arg) inside tt_sigbus_guard: tt_events_describe on this reader then costs less for many events. Returns
 * false if bytes were gone; the work has ended where it read them.
 */
bool tt_events_guard(struct tt_events *events, void (*work)(void *arg), void *arg);
struct tt_line_run;
/*
 * Appends the line of an event (tracetui/event_line.h), with its arguments, if the format writes their text itself; inside
 * tt_events_guard. Otherwise returns false with the text as it was: the event has to be described.
 */
bool tt_events_put_line(const struct tt_events *events, struct tt_line_run *run,
                        const struct tt_event *event, struct tt_text *text);
/*
 * Copies the location of the event's records, at most `max`, and returns their number (see
 * tt_capture_parts).
 */
uint32_t tt_events_parts(struct tt_events *events, const struct tt_event *event,
                         struct tt_part *parts, uint32_t max);
#define TT_EDGES_ALL UINT64_MAX
/* Kinds of events that begin or end interrupts and handlers; a switch may end several at once. */
#define TT_EDGES_OF_INTERRUPTS                                                                     \
    (UINT64_C(1) << TT_KIND_INTERRUPT_ENTER | UINT64_C(1) << TT_KIND_INTERRUPT_EXIT |              \
     UINT64_C(1) << TT_KIND_SWITCH)
/*
 * Computes the begin/end edges of `count` events (tt_format.edges) into `edges`, which has room for
 * TT_EDGES_PER_EVENT edges per event. `kinds` has the bits of enum tt_kind to consider. Returns the
 * number of edges; *whole is false if the bytes of some event are gone.
 */
uint32_t tt_events_edges(struct tt_events *events, const struct tt_event *of, uint32_t count,
                         uint64_t kinds, struct tt_edge *edges, bool *whole);
/*
 * Fills in the role of an event in a wake (tt_format.clue); NONE if its bytes are gone or the format
 * has no wakes.
 */
void tt_events_clue(struct tt_events *events, const struct tt_event *event, bool with_details,
                    struct tt_clue *clue);
/*
 * Computes the totals of a range as the format's own tool counts them (tt_tool.totals). `threads`
 * has room for tt_thread_count entries. Returns false if the format has no totals or the bytes are
 * gone.
 */
bool tt_events_totals(struct tt_events *events, const struct tt_key_range *range,
                      struct tt_totals *totals, struct tt_thread_totals *threads);
/*
 * Calls `take` for the priority inversions of a range by the rules of the format's own tool, until it
 * returns false. Nothing is called if the tool has none, or the index is not finished.
 */
void tt_events_tool_inversions(struct tt_events *events, const struct tt_key_range *range,
                               bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                               void *arg);

/*
 * Calls `take` for each row of a table of the format's tool until it returns false. Returns false if
 * out of memory. O(events).
 */
struct tt_tool_query;
struct tt_tool_row;
bool tt_events_tool_rows(struct tt_events *events, const struct tt_tool_query *query,
                         bool (*take)(void *arg, const struct tt_tool_row *row), void *arg);
/*
 * Copies the actions of `event_count` events, at most `max`, each with the key of its event, in the
 * order of `events`, and returns their number. Decodes each block of these events once: meant for
 * the events on a screen, not for a walk over the capture. Any thread that reads.
 */
uint32_t tt_trace_actions(struct tt_trace *trace, const struct tt_event *events,
                          uint32_t event_count, struct tt_action *actions, uint32_t max);
/* The same for actions of some kinds only, a bit each (1 << enum tt_action_kind): faster. */
uint32_t tt_trace_actions_of(struct tt_trace *trace, uint64_t kinds, const struct tt_event *events,
                             uint32_t event_count, struct tt_action *actions, uint32_t max);
/*
 * Reads the values of counters of formats in which they are sums (counters_are_sums), which
 * tt_trace_actions does not have: for a walk in order of time. In other formats there are none.
 * Decodes the tape once, from its start. One thread.
 */
struct tt_counter_reader;
struct tt_counter_reader *tt_counter_reader_new(struct tt_trace *trace); /* NULL: out of memory */
void tt_counter_reader_free(struct tt_counter_reader *reader);
/*
 * Finds the values (TT_ACTION_COUNTER) of an event, which is not before the last one in time; they
 * are valid until the next call. Returns false if out of memory.
 */
bool tt_counter_reader_read(struct tt_counter_reader *reader, const struct tt_event *event,
                            const struct tt_action **values, uint32_t *count);
/*
 * Copies up to `length` bytes of the file from `offset` and returns the number copied; less at the
 * end of the file or if it shrank.
 */
size_t tt_events_copy_bytes(struct tt_events *events, uint64_t offset, uint8_t *out, size_t length);

#endif
