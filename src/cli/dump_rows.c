/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dump_rows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/platform.h"
#include "base/worker_thread.h"
#include "trace/arg_names.h"

/*
 * Blocks at the ends of a piece are decoded for the next one, too, if several runs are merged; two pieces a thread are
 * in memory.
 */
#define PIECE_ROWS     16384u
#define EVENTS_AT_ONCE TT_FILTER_BLOCK
#define FIRST_BYTES    ((size_t)2 * 1024 * 1024)
#define MAKERS_MAX     8u
#define SLOTS_MAX      (2 * MAKERS_MAX)

/* The lines of one piece. */
struct slot {
    char *buffer;
    size_t used;
    size_t capacity;
    bool made; /* ready to be written */
};

struct job {
    struct tt_input *input;
    const struct tt_event_selection *pick;
    const struct tt_event_list *given; /* NULL: the rows of `pick` */
    uint64_t first;                    /* rows, or indexes in `given`: [first, end) */
    uint64_t end;
    tt_writer *writer;
    bool writes_lines;           /* as the format writes them, if it does */
    struct tt_line_names *names; /* for lines of text; NULL for rows */
    struct tt_row_names *rows;   /* for rows of CSV or JSON; NULL for lines */
    uint64_t pieces;
    struct slot slots[SLOTS_MAX];
    unsigned slot_count;

    pthread_mutex_t lock;
    pthread_cond_t made;    /* a slot is filled */
    pthread_cond_t written; /* a slot is written, or the job ended */
    uint64_t next;          /* the next piece to format */
    uint64_t done;          /* number of written pieces */
    bool stop;
    bool shrunk;
    bool no_memory;
};

/* The state of one thread. */
struct maker {
    struct job *job;
    struct tt_events *reader;
    pthread_t thread;
    bool shrunk;
    struct tt_filter_worker *filter; /* NULL: all events match */
    uint64_t matches[TT_FILTER_WORDS];
    struct tt_row_run *run;
    struct tt_line_run line;
    struct tt_args args;
    struct tt_record record; /* of the next event, */
    struct slot *slot;       /* whose line is added here; */
    uint32_t at;             /* it is this event of the batch */
    uint32_t count;
    struct tt_event events[EVENTS_AT_ONCE];
};

/* ---- making a piece ----------------------------------------------------------------------- */

static bool dump_rows_grow(struct slot *slot)
{
    char *buffer = tt_array_more_text(slot->buffer, &slot->capacity, FIRST_BYTES);
    slot->buffer = buffer ? buffer : slot->buffer;
    return buffer != NULL;
}

/* Appends the line of the record; enlarges the buffer if it does not fit. Returns false if out of memory. */
static bool dump_rows_put(struct maker *maker)
{
    struct slot *slot = maker->slot;
    for (;;) {
        struct tt_text text = tt_text_of(slot->buffer + slot->used, slot->capacity - slot->used);
        maker->job->writer(&text, &maker->record);
        if (!text.truncated) {
            slot->used += text.used;
            return true;
        }
        if (!dump_rows_grow(slot)) {
            return false;
        }
    }
}

/* Returns whether event `i` of the batch matches. */
static bool dump_rows_wants(const struct maker *maker, uint32_t i)
{
    return (!maker->filter || tt_bit_at(maker->matches, i)) &&
           tt_event_selection_matches(maker->job->pick, &maker->events[i]);
}

/*
 * Reads at most `ask` events from `row` on; sets the number of the first if the list has numbers.
 */
static uint32_t next_events(struct maker *maker, uint64_t row, uint32_t ask, uint64_t *number)
{
    const struct tt_event_list *given = maker->job->given;
    if (!given) {
        return tt_events_read(maker->reader, row, ask, maker->events);
    }
    uint32_t count = tt_event_list_run(given, (size_t)row, ask); /* these events are in memory */
    memcpy(maker->events, given->events + row, count * sizeof *maker->events);
    *number = given->numbers[row];
    return count;
}

/* Appends the line of the record as its format writes it. Returns false if it does not. */
static bool dump_rows_put_line(struct maker *maker)
{
    struct slot *slot = maker->slot;
    struct tt_text text = tt_text_of(slot->buffer + slot->used, slot->capacity - slot->used);
    if (!tt_events_put_line(maker->reader, &maker->line, maker->record.event, &text)) {
        return false;
    }
    tt_text_char(&text, '\n');
    slot->used += text.truncated ? 0 : text.used;
    return !text.truncated;
}

/* Passes to the next event of the batch. */
static void dump_rows_pass(struct maker *maker)
{
    maker->record.number += !(maker->record.event->flags & TT_EVENT_UNNUMBERED);
    maker->record.event = &maker->events[++maker->at];
}

/* Formats the events of the batch from `at` on, inside a guard; they end early if there is no memory. */
static void dump_rows_put_batch(void *arg)
{
    struct maker *maker = arg;
    const struct tt_event_selection *pick = maker->job->pick;
    for (; maker->at < maker->count; dump_rows_pass(maker)) {
        if (!dump_rows_wants(maker, maker->at)) {
            continue;
        }
        if (maker->job->writes_lines && dump_rows_put_line(maker)) {
            continue;
        }
        if (!tt_events_describe(maker->reader, maker->record.event, &maker->args)) {
            maker->shrunk = true;
            tt_args_clear(&maker->args);
        }
        if (pick->resolve) {
            tt_args_resolve(maker->reader, maker->record.event, &maker->args);
        }
        if (!dump_rows_put(maker)) {
            return;
        }
    }
}

static bool make_lines(struct maker *maker, uint64_t row, uint64_t end, struct slot *slot)
{
    const struct job *job = maker->job;
    struct tt_input *input = job->input;
    maker->slot = slot;
    maker->record =
        (struct tt_record){.capture = input->capture,
                           .line = &maker->line,
                           .rows = job->rows,
                           .run = maker->run,
                           .args = &maker->args,
                           .number = job->given ? 0 : tt_events_number(maker->reader, row),
                           .first_ticks = input->progress.first_ticks,
                           .with_names = job->pick->with_names,
                           .colors = job->pick->colors};
    while (row < end) {
        uint32_t ask = end - row < EVENTS_AT_ONCE ? (uint32_t)(end - row) : EVENTS_AT_ONCE;
        maker->at = 0;
        maker->count = next_events(maker, row, ask, &maker->record.number);
        maker->record.event = maker->events;
        if (maker->filter) {
            uint64_t at =
                job->given ? tt_events_row_of_number(maker->reader, maker->record.number) : row;
            tt_filter_test(maker->filter, maker->events, at, maker->count, maker->matches);
        }
        while (!tt_events_guard(maker->reader, dump_rows_put_batch, maker)) {
            maker->shrunk = true; /* the bytes of this event are gone: its line has no arguments */
            tt_args_clear(&maker->args);
            if (!dump_rows_put(maker)) {
                return false;
            }
            dump_rows_pass(maker);
        }
        if (maker->at < maker->count) {
            return false;
        }
        if (maker->count == 0) { /* rows that existed are gone */
            maker->shrunk = true;
            return true;
        }
        tt_events_release_pages(maker->reader, maker->events, maker->count);
        row += maker->count;
    }
    return !maker->filter || !tt_filter_worker_failed(maker->filter);
}

/*
 * Formats a piece; false if out of memory. Works on a copy of the slot: slots share cache lines,
 * and every event changes `used`.
 */
static bool make_piece(struct maker *maker, uint64_t piece, struct slot *shared)
{
    const struct job *job = maker->job;
    uint64_t row = job->first + piece * PIECE_ROWS;
    uint64_t end = job->end - row > PIECE_ROWS ? row + PIECE_ROWS : job->end;
    struct slot slot = *shared;
    slot.used = 0;
    if (!slot.buffer && !dump_rows_grow(&slot)) {
        return false;
    }
    bool good = make_lines(maker, row, end, &slot);
    shared->buffer = slot.buffer;
    shared->used = slot.used;
    shared->capacity = slot.capacity;
    return good;
}

static struct maker *maker_new(struct job *job, struct tt_events *reader)
{
    struct maker *maker = calloc(1, sizeof *maker);
    if (!maker) {
        return NULL;
    }
    maker->job = job;
    maker->reader = reader;
    maker->run = job->rows ? tt_row_run_new() : NULL;
    maker->line = tt_line_run_of(job->input->capture, job->names, job->input->progress.first_ticks);
    if (job->pick->plan) {
        maker->filter = tt_filter_worker_new(job->pick->plan, reader);
        if (!maker->filter) {
            tt_row_run_free(maker->run);
            free(maker);
            return NULL;
        }
    }
    return maker;
}

/* Frees the worker's state and adds its results to the job. */
static void maker_end(struct maker *maker)
{
    maker->job->shrunk = maker->job->shrunk || maker->shrunk;
    if (maker->filter) {
        maker->job->shrunk = maker->job->shrunk || tt_filter_worker_truncated(maker->filter);
        maker->job->input->undecided += tt_filter_worker_undecided(maker->filter);
        tt_filter_worker_free(maker->filter);
    }
    tt_row_run_free(maker->run);
    free(maker);
}

/* ---- making and writing ------------------------------------------------------------------- */

static struct slot *dump_rows_slot_of(struct job *job, uint64_t piece)
{
    return &job->slots[piece % job->slot_count];
}

/*
 * Returns whether the slot for the next piece is free. Caller holds the lock, as for the next three
 * functions.
 */
static bool dump_rows_has_room(const struct job *job)
{
    return job->next < job->done + job->slot_count;
}

/* Returns whether the next piece to write is formatted. */
static bool is_made(struct job *job)
{
    return job->done < job->pieces && dump_rows_slot_of(job, job->done)->made;
}

/* Formats the next piece, whose slot is free; releases the lock meanwhile. */
static void make_next(struct maker *maker)
{
    struct job *job = maker->job;
    uint64_t piece = job->next++;
    pthread_mutex_unlock(&job->lock);
    bool good = make_piece(maker, piece, dump_rows_slot_of(job, piece));
    pthread_mutex_lock(&job->lock);
    dump_rows_slot_of(job, piece)->made = true;
    job->no_memory = job->no_memory || !good;
    job->stop = job->stop || !good;
}

static void *dump_rows_work(void *arg)
{
    struct maker *maker = arg;
    struct job *job = maker->job;
    pthread_mutex_lock(&job->lock);
    while (!job->stop && job->next < job->pieces) {
        if (dump_rows_has_room(job)) {
            make_next(maker);
            pthread_cond_signal(&job->made);
        } else {
            pthread_cond_wait(&job->written, &job->lock);
        }
    }
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/*
 * The calling thread writes formatted pieces in order, and formats pieces instead of waiting. A
 * thread that only writes would interrupt a worker for each piece.
 */
static void write_and_make(struct maker *maker, struct tt_output *out)
{
    struct job *job = maker->job;
    pthread_mutex_lock(&job->lock);
    while (!job->stop && job->done < job->pieces) {
        if (is_made(job)) {
            /* Writes the next piece, which is formatted; releases the lock meanwhile. */
            struct slot *slot = dump_rows_slot_of(job, job->done);
            pthread_mutex_unlock(&job->lock);
            bool wanted = tt_output_write(out, slot->buffer, slot->used) && tt_output_is_open(out);
            pthread_mutex_lock(&job->lock);
            slot->made = false;
            job->done++;
            job->stop = job->stop || !wanted;
            pthread_cond_broadcast(&job->written);
        } else if (job->next < job->pieces && dump_rows_has_room(job)) {
            make_next(maker);
        } else {
            pthread_cond_wait(&job->made, &job->lock);
        }
    }
    job->stop = true;
    pthread_cond_broadcast(&job->written);
    pthread_mutex_unlock(&job->lock);
}

/*
 * Starts a worker with its own reader; NULL on failure. External signals go to the calling thread,
 * which blocks them while a temporary file exists.
 */
static struct maker *start_worker(struct job *job)
{
    struct tt_events *reader = tt_events_new(job->input->trace);
    struct maker *maker = reader ? maker_new(job, reader) : NULL;
    if (!maker || tt_worker_start(&maker->thread, dump_rows_work, maker) != 0) {
        if (maker) {
            maker_end(maker);
        }
        tt_events_free(reader);
        return NULL;
    }
    return maker;
}

/* Starts `count` workers beside the calling thread. */
static void dump_rows_run(struct job *job, unsigned count, struct tt_output *out)
{
    struct maker *workers[MAKERS_MAX - 1];
    struct maker *own = maker_new(job, job->input->events);
    if (!own) {
        job->no_memory = true;
        return;
    }
    unsigned started = 0;
    while (started < count && (workers[started] = start_worker(job)) != NULL) {
        started++;
    }
    write_and_make(own, out);
    maker_end(own);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(workers[i]->thread, NULL);
        struct tt_events *reader = workers[i]->reader;
        maker_end(workers[i]);
        tt_events_free(reader);
    }
}

/* Returns the number of useful threads beside the calling one. */
static unsigned worker_count(uint64_t pieces)
{
    unsigned processors = tt_platform_cpu_count();
    if (processors < 2 || pieces < 4) {
        return 0;
    }
    return (processors > MAKERS_MAX ? MAKERS_MAX : processors) - 1;
}

static struct tt_status dump_range(struct tt_input *input, const struct tt_event_selection *pick,
                                   const struct tt_event_list *given, uint64_t first, uint64_t end,
                                   tt_writer *writer, struct tt_output *out)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        return tt_error_memory();
    }
    uint64_t rows = end > first ? end - first : 0;
    job->input = input;
    job->pick = pick;
    job->given = given;
    job->first = first;
    job->end = end;
    job->writer = writer;

    /* Renders the names for the writer's output. */
    const struct tt_capture *capture = job->input->capture;
    const bool csv = job->writer == tt_export_csv, json = job->writer == tt_export_jsonl;
    if (csv || json) {
        job->rows = tt_row_names_new(capture, csv ? TT_FIELDS_CSV : TT_FIELDS_JSON);
    } else {
        job->names = tt_line_names_new(capture);
        job->writes_lines = writer == tt_export_text && !pick->with_names;
    }
    /* without names, each event renders its own */
    job->pieces = rows / PIECE_ROWS + (rows % PIECE_ROWS > 0);
    unsigned workers = worker_count(job->pieces);
    job->slot_count = workers > 0 ? 2 * (workers + 1) : 1;
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->made, NULL);
    pthread_cond_init(&job->written, NULL);

    dump_rows_run(job, workers, out);

    pthread_cond_destroy(&job->written);
    pthread_cond_destroy(&job->made);
    pthread_mutex_destroy(&job->lock);
    for (unsigned i = 0; i < SLOTS_MAX; i++) {
        free(job->slots[i].buffer);
    }
    tt_line_names_free(job->names);
    tt_row_names_free(job->rows);
    input->shrunk = input->shrunk || job->shrunk;
    struct tt_status status = job->no_memory ? tt_error_memory() : tt_ok();
    free(job);
    return status;
}

struct tt_status tt_dump_rows(struct tt_input *input, const struct tt_event_selection *pick,
                              tt_writer *writer, struct tt_output *out)
{
    return dump_range(input, pick, NULL, pick->first_row, pick->end_row, writer, out);
}

/* ---- events in hand ----------------------------------------------------------------------- */

uint32_t tt_event_list_run(const struct tt_event_list *given, size_t from, uint32_t most)
{
    uint32_t count = 1;
    for (size_t i = from; count < most && i + 1 < given->count; i++, count++) {
        bool numbered = !(given->events[i].flags & TT_EVENT_UNNUMBERED);
        if (given->numbers[i + 1] != given->numbers[i] + numbered) {
            break;
        }
    }
    return count;
}

struct tt_status tt_dump_list(struct tt_input *input, const struct tt_event_selection *pick,
                              const struct tt_event_list *given, tt_writer *writer,
                              struct tt_output *out)
{
    return dump_range(input, pick, given, 0, given->count, writer, out);
}
