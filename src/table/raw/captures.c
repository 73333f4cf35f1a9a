/* SPDX-License-Identifier: Apache-2.0 */
/* captures: a capture, what its header contains, its problems, and its processes, threads and types. */
#include <string.h>

#include "table/raw/bounds.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

/* A run over numbers. */
struct numbers {
    uint64_t read, at;
};

/* Moves to the next number below `count` within the bounds; false: there is none. */
static bool next_number(const struct tt_table_run *run, uint64_t count)
{
    struct numbers *numbers = run->state;
    numbers->at = run->bounds.id_from + numbers->read;
    numbers->read += numbers->at < count && numbers->at <= run->bounds.id_last;
    return numbers->at < count && numbers->at <= run->bounds.id_last;
}

static uint64_t captures_number_of(const struct tt_table_run *run)
{
    return ((const struct numbers *)run->state)->at;
}

/* Returns a text of the capture; NULL: there is none. */
static const char *captures_text_of(const struct tt_table_run *run, tt_string string)
{
    size_t length;
    return string != 0 ? tt_capture_text(run->capture, string, &length) : NULL;
}

#define OF_NUMBERS(row)                                                                            \
    .number = captures_number_of, .needs_no_events = true, OF_RAW_ROWS(row, struct numbers)

/* ---- captures ----------------------------------------------------------------------------- */

struct capture_row {
    struct tt_progress progress;
    uint64_t threads, idle_threads, processes;
    uint64_t begin, end; /* TT_TABLE_NONE: no events */
    uint64_t number, clock_hz, cpus, is_damaged;
    const char *name, *path, *format, *version;
};

static enum tt_made next_capture(struct tt_table_run *run, void *room)
{
    struct capture_row *row = room;
    const struct tt_capture *capture = run->capture;
    if (!next_number(run, 1)) {
        return TT_MADE_ALL;
    }
    row->progress = tt_trace_progress(run->request.trace);
    struct tt_registry_totals totals;
    if (!tt_registry_totals(capture, &totals)) {
        return TT_MADE_NO_MEMORY;
    }
    row->threads = totals.threads;
    row->idle_threads = totals.idle;
    row->processes = totals.processes;
    bool has_events = row->progress.events + row->progress.derived > 0;
    row->begin = has_events ? row->progress.first_ticks : TT_TABLE_NONE;
    row->end = has_events ? row->progress.last_ticks : TT_TABLE_NONE;
    row->number = run->request.capture_number;
    row->clock_hz = capture->clock_hz != 0 ? capture->clock_hz : TT_TABLE_NONE;
    row->cpus = capture->cpu_count;
    row->is_damaged = tt_health_damaged(capture);
    row->name = run->request.capture_name;
    row->path = tt_trace_path(run->request.trace);
    row->format = capture->format->name;
    row->version = capture->version;
    return TT_MADE_PART;
}

static TT_CELL_FUNCTION(wall_clock)
{
    (void)column;
    (void)row;
    if (run->capture->has_wall_clock) {
        cell->kind = TT_CELL_SIGNED;
        cell->signed_number = run->capture->wall_clock;
    }
}

#define ROW struct capture_row

/* clang-format off */
static const struct tt_table_column capture_columns[] = {
    RAW("capture", TEXT, name, "Name of the capture, as in all tables.", .bound = TT_BOUND_CAPTURE),
    RAW("number", COUNT, number, "Its number, from 0.", .is_identity = true),
    RAW("path", TEXT, path, "Path of the file."),
    RAW("format", TEXT, format, "`kev`, `tpt`, `fxt`, `trx`, `btrace`, `ftrace`, `ctf` or `log`."),
    RAW("version", TEXT, version, "Version of the format or system."),
    RAW("clock_hz", HZ, clock_hz, "Ticks per second; null: no clock."),
    RAW("bytes", BYTES, progress.bytes_total, "Size of the file, unpacked."),
    RAW("begin", AT, begin, "When its first event was."),
    RAW("end", AT, end, "When its last event was."),
    RAW_MADE("wall_clock_s", COUNT, wall_clock, "UTC in seconds at tick 0, or null.", .is_identity = true),
    RAW("events", COUNT, progress.events, "Number of events, as in `info`."),
    RAW("derived", COUNT, progress.derived, "Number of derived events."),
    RAW("records", COUNT, progress.records, "Number of records (slots)."),
    RAW("cpus", COUNT, cpus, "Number of CPUs."),
    RAW("threads", COUNT, threads, "Threads, as in `info`: not idle ones."),
    RAW("idle_threads", COUNT, idle_threads, "Idle threads."),
    RAW("processes", COUNT, processes, "Processes of these threads."),
    RAW("damaged", FLAG, is_damaged, "1: bytes of the file are malformed."),
};
/* clang-format on */

const struct tt_table tt_table_capture_rows = {
    NAMES("captures", "Captures", "One row per file.", "[capture]"),
    COLUMNS(capture_columns),
    .next = next_capture,
    OF_NUMBERS(struct capture_row),
};

/* ---- facts -------------------------------------------------------------------------------- */

static enum tt_made next_fact(struct tt_table_run *run, void *room)
{
    if (!next_number(run, tt_facts_count(run->capture))) {
        return TT_MADE_ALL;
    }
    *(struct tt_fact *)room = *tt_facts_at(run->capture, (uint32_t)captures_number_of(run));
    return TT_MADE_PART;
}

/* Sets the text, which may be empty. */
static TT_CELL_FUNCTION(fact_value)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, ((const struct tt_fact *)row)->value);
}

#undef ROW
#define ROW struct tt_fact

/* clang-format off */
static const struct tt_table_column fact_columns[] = {
    RAW("section", TEXT, section, "`header`, `clock`, `recording`, ..."),
    RAW("key", TEXT, key, "Name of the fact, as in `info`."),
    RAW_MADE("value", NAME, fact_value, "Its text."),
};
/* clang-format on */

const struct tt_table tt_table_fact_rows = {
    NAMES("facts", "Facts", "What the header of a capture contains, as in `info`.", "[key]"),
    COLUMNS(fact_columns),
    .next = next_fact,
    OF_NUMBERS(struct tt_fact),
};

/* ---- health ------------------------------------------------------------------------------- */

struct health_row {
    const char *kind, *text, *detail;
    uint64_t value, offset, is_damage, count;
};

static enum tt_made next_health(struct tt_table_run *run, void *room)
{
    if (!next_number(run, tt_health_kept(run->capture))) {
        return TT_MADE_ALL;
    }
    struct tt_health_record record = tt_health_at(run->capture, (uint32_t)captures_number_of(run));
    *(struct health_row *)room =
        (struct health_row){.kind = tt_health_key(record.kind),
                            .text = tt_health_text(record.kind),
                            .detail = record.detail,
                            .value = record.value,
                            .offset = record.offset,
                            .is_damage = tt_health_is_damage(record.kind),
                            .count = tt_health_count(run->capture, record.kind)};
    return TT_MADE_PART;
}

#undef ROW
#define ROW struct health_row

/* clang-format off */
static const struct tt_table_column health_columns[] = {
    RAW("kind", TEXT, kind, "Kind of problem, as in `info`: `lost`.", .is_lasting = true),
    RAW("text", TEXT, text, "The same in words."),
    RAW("detail", TEXT, detail, "Meaning of `value`, or null."),
    RAW("value", COUNT, value, "A number, see `detail`.", .is_identity = true),
    RAW("offset", BYTES, offset, "Place in the file."),
    RAW("is_damage", FLAG, is_damage, "1: the bytes are malformed."),
    RAW("kind_count", COUNT, count, "Number of problems of this kind; 4,096 of all kinds have a row."),
};
/* clang-format on */

const struct tt_table tt_table_health_rows = {
    NAMES("health", "Health", "Problems found in a capture, in order of discovery.", "[kind]"),
    COLUMNS(health_columns),
    .next = next_health,
    OF_NUMBERS(struct health_row),
};

/* ---- processes ---------------------------------------------------------------------------- */

struct process_row {
    uint64_t pid, threads;
    const char *path;
    uint32_t number;
    uint32_t zero;
};

static enum tt_made next_process(struct tt_table_run *run, void *room)
{
    if (!next_number(run, tt_process_count(run->capture))) {
        return TT_MADE_ALL;
    }
    uint32_t number = (uint32_t)captures_number_of(run);
    const struct tt_process *process = tt_process_at(run->capture, number);
    *(struct process_row *)room = (struct process_row){.pid = process->pid,
                                                       .threads = process->threads,
                                                       .path = captures_text_of(run, process->name),
                                                       .number = number};
    return TT_MADE_PART;
}

static TT_CELL_FUNCTION(process_name)
{
    uint32_t process;
    memcpy(&process, (const char *)row + column->field, sizeof process);
    tt_raw_set_process(run->capture, process, cell);
}

#undef ROW
#define ROW struct process_row

/* clang-format off */
static const struct tt_table_column process_columns[] = {
    RAW_ID("upid", "Key: a reused pid is another process.", .bound = TT_BOUND_ID),
    RAW("pid", COUNT, pid, "Its number in the traced system.", .is_identity = true),
    RAW("process", NAME, number, "Last part of its name; without one its pid.", .cell = process_name),
    RAW("path", TEXT, path, "Its name as recorded, or null."),
    RAW("threads", COUNT, threads, "Number of its threads."),
};
/* clang-format on */

const struct tt_table tt_table_process_rows = {
    NAMES("processes", "Processes", "All processes.", "[process]"),
    COLUMNS(process_columns),
    .next = next_process,
    OF_NUMBERS(struct process_row),
};

/* ---- threads ------------------------------------------------------------------------------ */

struct thread_row {
    uint64_t is_idle, is_pseudo;
    uint64_t begin, states; /* costly */
    const char *name;
    uint32_t thread, process;
};

static enum tt_made next_thread(struct tt_table_run *run, void *room)
{
    struct numbers *numbers = run->state;
    if (!next_number(run, tt_thread_count(run->capture))) {
        return TT_MADE_ALL;
    }
    numbers->at = tt_raw_next_thread(run, (uint32_t)numbers->at);
    numbers->read = numbers->at + 1 - run->bounds.id_from;
    if (numbers->at >= tt_thread_count(run->capture) || numbers->at > run->bounds.id_last) {
        return TT_MADE_ALL;
    }
    const struct tt_thread *thread = tt_thread_at(run->capture, (uint32_t)numbers->at);
    *(struct thread_row *)room = (struct thread_row){.is_idle = thread->idle,
                                                     .is_pseudo = thread->pseudo,
                                                     .name = captures_text_of(run, thread->name),
                                                     .thread = (uint32_t)numbers->at,
                                                     .process = thread->process};
    return TT_MADE_PART;
}

static void complete_thread(const struct tt_table_run *run, void *room)
{
    const struct tt_timelines *timelines = run->timelines;
    struct thread_row *row = room;
    struct tt_interval_at at;
    bool has = timelines && tt_interval_first(timelines, row->thread, &at);
    row->begin = has ? tt_interval_get(timelines, at).start : TT_TABLE_NONE;
    row->states = timelines ? tt_interval_count(timelines, row->thread) : 0;
}

#undef ROW
#define ROW struct thread_row

/* clang-format off */
static const struct tt_table_column thread_columns[] = {
    RAW("utid", KEY, thread, "Key: tids repeat among processes.", .bound = TT_BOUND_THREAD),
    RAW("upid", KEY, process, "Process: key of `processes`.", .bound = TT_BOUND_PROCESS),
    RAW("pid", LANE_PID, thread, "Number of its process.", .bound = TT_BOUND_PID),
    RAW("tid", LANE_TID, thread, "Its number in the process.", .bound = TT_BOUND_TID),
    RAW("thread", LANE_NAME, thread, "Process, tid and name: `io-blk/3 worker`."),
    RAW("name", TEXT, name, "Its own name, or null."),
    RAW("process", NAME, process, "Name of its process.", .cell = process_name),
    RAW("is_idle", FLAG, is_idle, "1: an idle thread, in no total."),
    RAW("is_pseudo", FLAG, is_pseudo, "1: a context that is not a thread."),
    RAW("begin", AT, begin, "When its first state began, or null.", .is_costly = true),
    RAW("states", COUNT, states, "Number of its rows in `states`.", .is_costly = true),
};
/* clang-format on */

const struct tt_table tt_table_thread_rows = {
    NAMES("threads", "Threads", "All threads, idle ones too.", "[thread]"),
    COLUMNS(thread_columns),
    .next = next_thread,
    .complete = complete_thread,
    OF_NUMBERS(struct thread_row),
};

/* ---- types -------------------------------------------------------------------------------- */

struct type_row {
    const char *class_name, *name, *kind;
    uint64_t code, events;
};

static enum tt_made next_type(struct tt_table_run *run, void *room)
{
    if (!next_number(run, tt_types_count(run->capture))) {
        return TT_MADE_ALL;
    }
    uint32_t number = (uint32_t)captures_number_of(run);
    const struct tt_event_type *type = tt_types_at(run->capture, number);
    *(struct type_row *)room =
        (struct type_row){.class_name = type->class_name,
                          .name = type->name,
                          .kind = tt_kind_name(type->kind),
                          .code = type->code,
                          .events = tt_trace_type_events(run->request.trace, number)};
    return TT_MADE_PART;
}

#undef ROW
#define ROW struct type_row

/* clang-format off */
static const struct tt_table_column type_columns[] = {
    RAW_ID("type_id", "Key.", .bound = TT_BOUND_ID),
    RAW("class", TEXT, class_name, "Class: `KER_CALL`.", .is_lasting = true),
    RAW("event", TEXT, name, "Name: `MSG_SENDV`.", .is_lasting = true),
    RAW("kind", TEXT, kind, "Kind of most of its events, in all formats.", .is_lasting = true),
    RAW("code", COUNT, code, "The format's own number.", .is_identity = true),
    RAW("events", COUNT, events, "Number of its events."),
};
/* clang-format on */

const struct tt_table tt_table_type_rows = {
    NAMES("types", "Types of events", "Types of events.", "[event]"),
    COLUMNS(type_columns),
    .next = next_type,
    OF_NUMBERS(struct type_row),
};
