/* SPDX-License-Identifier: Apache-2.0 */
/* blame: the tables of the causes of waits, and of priority inversions. */
#include <stdlib.h>

#include "analysis/causes/blame.h"
#include "base/array.h"
#include "table/sums.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/objects.h"
#include "tracetui/timeline.h"

#define LIST_WORK 32u  /* cost of packing a row, in intervals */
#define TOOL_WORK 500u /* and of a row with two searches of events */

/* Of a wait: thread and cause, CPU and number of an interrupt, and `to`, the thread that is charged. */
struct blame_row {
    struct tt_subject of;
    const char *by; /* what is charged if no thread is: "interrupt", "timer" */
    uint64_t ready, blocked, idle, total;
};

/* Of an inversion: thread and holder, number of the object, kind, begin, and `to`, the thread that ran. */
struct inversion_row {
    struct tt_subject of;
    const char *by;
    uint64_t to;
    uint64_t length;
    uint64_t begin_event, end_event; /* of the format's tool */
};

_Static_assert(offsetof(struct blame_row, by) == offsetof(struct inversion_row, by),
               "as in set_by");

struct blames {
    struct tt_blames *blames;
    bool counted;
    struct tt_tool_inversion *by_tool; /* inversions by the format's tool */
    size_t tool_count, tool_capacity;
    bool tool_failed;    /* out of memory */
    char count_text[40]; /* "12 inversions" */
};

/* ---- rows --------------------------------------------------------------------------------- */

static bool make_blame(const struct tt_table_run *run, size_t index, void *room)
{
    size_t count;
    const struct tt_blame *blame =
        &tt_blames_entries(((const struct blames *)run->state)->blames, &count)[index];
    const char *cause = tt_cause_name(blame->charge.cause);
    struct blame_row *row = room;
    row->of.thread = blame->thread;
    row->of.process = tt_thread_at(run->capture, blame->thread)->process;
    row->of.to = blame->charge.by;
    row->of.cpu = blame->charge.cpu;
    row->of.number = blame->charge.vector;
    row->of.name = blame->charge.inversion ? "inversion" : cause;
    row->by = blame->charge.by != TT_NO_THREAD ? "" : cause;
    row->ready = blame->ready;
    row->blocked = blame->blocked;
    row->idle = blame->idle;
    row->total = blame->ready + blame->blocked;
    return true;
}

/* Sets the row of an inversion: those of chains come first, then those by the format's tool. */
static bool make_inversion(const struct tt_table_run *run, size_t index, void *room)
{
    const struct blames *blames = run->state;
    struct inversion_row *row = room;
    size_t chains;
    const struct tt_inversion *chain = tt_blames_inversions(blames->blames, &chains);
    struct tt_events *events = run->request.events;
    uint64_t object;
    row->by = "";
    if (index < chains) {
        chain += index;
        object = chain->object;
        row->of.thread = chain->thread;
        row->of.from = chain->holder;
        row->of.to = chain->by;
        row->of.name = "chain";
        row->of.at = chain->from;
        row->to = chain->to;
        row->length = chain->to - chain->from;
        row->begin_event = row->end_event = TT_TABLE_NONE;
    } else {
        const struct tt_tool_inversion *inversion = &blames->by_tool[index - chains];
        object = inversion->object;
        row->of.thread = inversion->thread;
        row->of.from = inversion->holder;
        row->of.to = inversion->by;
        row->of.name = inversion->by == TT_NO_THREAD ? "deterministic" : "non-deterministic";
        row->of.at = inversion->begin;
        row->begin_event = tt_events_row_at_key(events, inversion->begin, inversion->begin_pos);
        row->to = row->length = row->end_event = TT_TABLE_NONE;
        if (inversion->has_end) {
            row->to = inversion->end;
            row->length = inversion->end - inversion->begin;
            row->end_event = tt_events_row_at_key(events, inversion->end, inversion->end_pos);
        }
    }
    row->of.process = tt_thread_at(run->capture, row->of.thread)->process;
    row->of.number = object ? object : TT_TABLE_NONE;
    return true;
}

static void total_inversions(struct tt_table_run *run, struct blames *blames)
{
    size_t count;
    const struct tt_inversion *list = tt_blames_inversions(blames->blames, &count);
    struct inversion_row *total = run->total;
    total->length = 0;
    total->of.name = "";
    total->of.at = total->to = total->of.number = TT_TABLE_NONE;
    total->begin_event = total->end_event = TT_TABLE_NONE;
    for (size_t i = 0; i < count; i++) {
        total->length += list[i].to - list[i].from;
    }
    struct tt_text text = tt_text_of(blames->count_text, sizeof blames->count_text);
    tt_text_u64(&text, count);
    tt_text_str(&text, count == 1 ? " inversion" : " inversions");
    total->by = tt_text_cstr(&text);
    run->has_total = true;
}

/* Lists the rows in steps; the run has them when ALL is returned. */
static enum tt_made list_blames(struct tt_table_run *run)
{
    struct blames *blames = run->state;
    size_t count;
    if (!blames->blames) {
        return TT_MADE_ALL;
    }
    if (run->table == &tt_table_blame) {
        tt_blames_entries(blames->blames, &count);
        return tt_table_list_step(run, count, make_blame, LIST_WORK);
    }
    tt_blames_inversions(blames->blames, &count);
    enum tt_made made = tt_table_list_step(run, count + blames->tool_count, make_inversion,
                                           blames->tool_count ? TOOL_WORK : LIST_WORK);
    if (made == TT_MADE_ALL) {
        total_inversions(run, blames);
    }
    return made;
}

/* ---- counting ----------------------------------------------------------------------------- */

static bool add_tool_inversion(void *arg, const struct tt_tool_inversion *inversion)
{
    struct tt_table_run *run = arg;
    struct blames *blames = run->state;
    if (inversion->thread < tt_thread_count(run->capture) &&
        tt_table_includes(run, inversion->thread)) {
        struct tt_tool_inversion *room = tt_array_grow(blames->by_tool, blames->tool_count,
                                                       &blames->tool_capacity, sizeof *room);
        blames->tool_failed = !room;
        if (room) {
            blames->by_tool = room;
            room[blames->tool_count++] = *inversion;
        }
    }
    return !blames->tool_failed;
}

/* Sums up all pieces in steps, then lists the rows. */
static enum tt_made step_blames(struct tt_table_run *run)
{
    struct blames *blames = run->state;
    const struct tt_table_request *table_request = &run->request;
    if (!blames->counted) {
        bool done = false;
        if (!blames->blames) {
            struct tt_blame_request request = {table_request->window.from, table_request->window.to,
                                               table_request->threads, table_request->thread_limit};
            blames->blames = tt_blames_new(table_request->trace, &request);
        }
        if (!blames->blames || !tt_blames_step(blames->blames, &run->work, &done)) {
            return TT_MADE_NO_MEMORY;
        }
        if (!done) {
            return TT_MADE_PART;
        }
        if (run->table == &tt_table_inversions && run->capture->format->tool.inversions) {
            run->has_tool = true;
            tt_events_tool_inversions(table_request->events, &table_request->keys,
                                      add_tool_inversion, run);
        }
        blames->counted = true;
    }
    return blames->tool_failed ? TT_MADE_NO_MEMORY : list_blames(run);
}

static unsigned percent_of_blames(const struct tt_table_run *run)
{
    const struct blames *blames = run->state;
    return blames->blames ? tt_blames_percent(blames->blames) : 0;
}

static void end_blames(struct tt_table_run *run)
{
    struct blames *blames = run->state;
    tt_blames_free(blames->blames);
    free(blames->by_tool);
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Sets the thread that a row is charged to, or the cause if it is no thread. */
static TT_CELL_FUNCTION(set_by)
{
    const struct blame_row *charge = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, charge->of.to, cell);
    if (cell->kind == TT_CELL_NONE && charge->by && charge->by[0]) {
        tt_table_set_text(cell, charge->by);
    }
}

/* Sets the state in which the thread waited, with the name or the address of a lock. */
static TT_CELL_FUNCTION(set_wait)
{
    const struct tt_subject *of = row;
    struct tt_interval_at at;
    (void)column;
    if (of->thread >= tt_thread_count(run->capture) ||
        !tt_interval_find(run->timelines, of->thread, of->at, &at)) {
        return;
    }
    /* By the rule of a format's tool an inversion begins with the request, before the wait. */
    const struct tt_interval wait = tt_interval_get(run->timelines, at);
    const bool waits = tt_class_is_waiting(wait.class_);
    tt_text_str(&cell->text, waits ? tt_line_state(run->capture, wait.state) : "");
    if ((wait.class_ == TT_CLASS_LOCK || !waits) && of->number != TT_TABLE_NONE) {
        const struct tt_object mutex = {
            .id = of->number, .process = of->process, .kind = TT_OBJECT_MUTEX};
        size_t length = 0;
        const char *name = tt_object_name(run->capture, &mutex, &length);
        tt_text_str(&cell->text, waits ? " " : "");
        if (length > 0) {
            tt_text_escaped(&cell->text, name, length);
        } else {
            tt_text_str(&cell->text, "0x");
            tt_text_hex(&cell->text, of->number, 1);
        }
    }
    cell->kind = cell->text.used > 0 ? TT_CELL_TEXT : TT_CELL_NONE;
}

/* Set the priority that the thread, or the one that ran instead, had at the beginning. */
static void set_priority_of(const struct tt_table_run *run, uint32_t thread, uint64_t at,
                            struct tt_table_cell *cell)
{
    const int priority = thread < tt_thread_count(run->capture)
                             ? tt_thread_priority(run->timelines, thread, at)
                             : TT_NO_PRIORITY;
    if (priority != TT_NO_PRIORITY) {
        cell->kind = TT_CELL_SIGNED;
        cell->signed_number = priority;
    }
}

static TT_CELL_FUNCTION(set_priority)
{
    (void)column;
    set_priority_of(run, ((const struct tt_subject *)row)->thread,
                    ((const struct tt_subject *)row)->at, cell);
}

static TT_CELL_FUNCTION(set_by_priority)
{
    (void)column;
    set_priority_of(run, ((const struct tt_subject *)row)->to, ((const struct tt_subject *)row)->at,
                    cell);
}

static bool place_of_inversion(const struct tt_table_run *run, const struct tt_table_column *column,
                               const void *row, struct tt_table_place *place)
{
    const struct inversion_row *inversion = row;
    (void)run;
    (void)column;
    place->at = inversion->to;
    place->length = inversion->to - inversion->of.at;
    place->what = "inversion";
    return inversion->to != TT_TABLE_NONE;
}

/* clang-format off */
#define ROW struct blame_row
static const struct tt_table_column blame_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Thread that waited.", .is_key = true),
    COLUMN("by_pid", NULL, LANE_PID, of.to, SCREEN("by", "pid", 8, 5), "Process of the thread that it is charged to."),
    COLUMN("by_tid", NULL, LANE_TID, of.to, SCREEN("by", "tid", 9, 6), "Number of the thread that it is charged to."),
    MADE("by", "by", NAME, set_by, SCREEN("", "by", 1, 4), "Thread that it is charged to, or another cause.", .is_key = true),
    COLUMN("cause", "cause", TEXT, of.name, SCREEN("", "cause", 2, 7), "Why: the kind of wait.", .is_key = true),
    COLUMN("cpu", NULL, CPU, of.cpu, SCREEN("interrupt", "CPU", 10, 8), "CPU of the interrupt that is the cause."),
    COLUMN("vector", "vec", COUNT, of.number, SCREEN("interrupt", "vector", 11, 9), "Number of the interrupt that is the cause.", .is_identity = true),
    COLUMN("ready", "ready", TIME_MS, ready, SCREEN("time", "ready", 4, 10), "Part of the time in which the thread was ready.", .compared = 2),
    COLUMN("blocked", "blocked", TIME_MS, blocked, SCREEN("time", "blocked", 5, 11), "Part of the time in which the thread waited.", .compared = 3),
    COLUMN("idle", NULL, TIME_MS, idle, SCREEN("time", "idle", 13, 14), "Part of blocked in which it waited for neither a lock nor an answer, and no thread took the time: sleep, timers, interrupts, messages that come later."),
    COLUMN("total", NULL, TIME_MS, total, SCREEN("time", "total", 12, 12), "Sum of both.", .compared = 1),
    COLUMN("total_pct", "% of range", SHARE, total, SCREEN("time", "%", 3, 13), "Sum of both, in percent of the range."),
};
#undef ROW
#define ROW struct inversion_row
static const struct tt_table_column inversion_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, OFF_SCREEN, "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, OFF_SCREEN, "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Thread of higher priority that waited."),
    MADE("priority", "pri", NUMBER, set_priority, SCREEN("", "pri", 3, 2), "Priority of the thread at the beginning."),
    COLUMN("holder_pid", NULL, LANE_PID, of.from, OFF_SCREEN, "Process of the holder."),
    COLUMN("holder_tid", NULL, LANE_TID, of.from, OFF_SCREEN, "Number of the holder."),
    COLUMN("holder", "holder", LANE_NAME, of.from, SCREEN("", "holder", 2, 4), "Thread that held it."),
    COLUMN("by_pid", NULL, LANE_PID, of.to, OFF_SCREEN, "Process of the thread that it is charged to."),
    COLUMN("by_tid", NULL, LANE_TID, of.to, OFF_SCREEN, "Number of the thread that it is charged to."),
    MADE("by", "by", NAME, set_by, SCREEN("", "by", 1, 7), "Thread that ran instead of the holder."),
    MADE("by_priority", "pri", NUMBER, set_by_priority, SCREEN("by", "pri", 4, 8), "Priority of that thread at the beginning."),
    COLUMN("object", NULL, HEX, of.number, OFF_SCREEN, "Address or number of the mutex.", .is_identity = true),
    MADE("wait", "wait", NAME, set_wait, SCREEN("", "waits for", 6, 3), "State in which the thread waited, with the name or address of a mutex."),
    COLUMN("from", "from", AT, of.at, SCREEN("", "from", 7, 11), "When it began."),
    COLUMN("to", NULL, AT, to, SCREEN("", "to", 12, 12), "When it ended."),
    COLUMN("dur", "time", TIME_US, length, SCREEN("", "time", 5, 13), "How long it lasted."),
    COLUMN("kind", "kind", TEXT, of.name, SCREEN("", "kind", 13, 14), "Kind of the inversion, as the format's tool names it.", .of_tool = true),
    COLUMN("begin_event", NULL, COUNT, begin_event, SCREEN("event", "begin", 14, 15), "Event at which it began.", .is_identity = true, .of_tool = true),
    COLUMN("end_event", NULL, COUNT, end_event, SCREEN("event", "end", 15, 16), "Event at which it ended.", .is_identity = true, .of_tool = true),
};
/* clang-format on */

#define OF_BLAMES                                                                                  \
    .state_size = sizeof(struct blames), .filter = TT_FILTER_THREADS, .step = step_blames,         \
    .refresh = list_blames, .percent = percent_of_blames, .end = end_blames

const struct tt_table tt_table_blame = {
    NAMES("blame", "Blame", "A thread that waited, and what it waited for.",
          "[thread] by [by]| ([cause?])"),
    .row_title = "[thread], [cause]| [by?]",
    COLUMNS(blame_columns),
    OF_ROW(struct blame_row),
    .order = "total_pct",
    OF_BLAMES,
};

const struct tt_table tt_table_inversions = {
    NAMES("inversion", "Priority inversions", "A priority inversion.", "[thread] by [by]"),
    .row_title = "[thread]: [by] had the CPU of [holder]",
    COLUMNS(inversion_columns),
    OF_ROW(struct inversion_row),
    .order = "dur",
    .place = place_of_inversion,
    OF_BLAMES,
};
