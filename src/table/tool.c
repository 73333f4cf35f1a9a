/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool: the tables that the format's own tool has. Not in steps, since captures of formats with such tables
 * are small.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/sums.h"
#include "tracetui/tool_rows.h"

struct tool_row {
    struct tt_subject of; /* thread; name and address of an instance */
    const char *kind;
    uint64_t v[TT_TOOL_VALUES];
};

/* Bytes of a stack; the fewest free ones are `min`. */
struct stack_row {
    struct tt_subject of;
    uint64_t size, used, used_pct, min;
    uint64_t min_event, min_at;
};

/* The rows that the format has passed. */
struct tool_rows {
    struct tt_tool_row *rows;
    size_t count;
    size_t capacity;
};

static bool add_tool_row(void *arg, const struct tt_tool_row *row)
{
    struct tool_rows *rows = arg;
    struct tt_tool_row *room =
        tt_array_grow(rows->rows, rows->count, &rows->capacity, sizeof *room);
    if (room) {
        rows->rows = room;
        room[rows->count++] = *row;
    }
    return room != NULL;
}

static bool make_tool_row(const struct tt_table_run *run, size_t index, void *room)
{
    const struct tt_tool_row *from = &((const struct tool_rows *)run->state)->rows[index];
    struct tool_row *row = room, *total = run->total;
    bool idle = from->thread == TT_NO_THREAD && strcmp(from->kind, "idle") == 0;
    row->of.thread = idle ? TT_OCCUPANT_IDLE : from->thread;
    row->of.number = from->object == UINT64_MAX ? TT_TABLE_NONE : from->object;
    row->of.name = from->name;
    row->kind = from->kind;
    memcpy(row->v, from->values, sizeof row->v);
    for (size_t i = 0; i < TT_TOOL_VALUES; i++) {
        total->v[i] += row->v[i];
    }
    return true;
}

static enum tt_made step_tool(struct tt_table_run *run)
{
    const struct tt_table_request *request = &run->request;
    struct tool_rows *rows = run->state;
    struct tool_row *total = run->total;
    struct tt_tool_query query = {.table = run->table == &tt_table_filex  ? TT_TOOL_FILEX
                                           : run->table == &tt_table_netx ? TT_TOOL_NETX
                                                                          : TT_TOOL_PROFILE,
                                  .range = request->keys,
                                  .threads = request->threads,
                                  .thread_limit = request->thread_limit,
                                  .cpus = request->window.cpus,
                                  .cpu_limit = request->window.cpu_limit};
    memset(total->v, 0, sizeof total->v);
    total->kind = total->of.name = "";
    total->of.number = TT_TABLE_NONE;
    rows->count = 0;
    if (!tt_events_tool_rows(request->events, &query, add_tool_row, rows) ||
        !tt_table_list(run, rows->count, make_tool_row)) {
        return TT_MADE_NO_MEMORY;
    }
    run->has_total = run->count > 1;
    return TT_MADE_ALL;
}

static void end_tool(struct tt_table_run *run)
{
    free(((struct tool_rows *)run->state)->rows);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static enum tt_made step_stacks(struct tt_table_run *run)
{
    uint32_t count = tt_thread_count(run->capture);
    struct tt_totals totals;
    struct tt_thread_totals *own = calloc((size_t)count + 1, sizeof *own);
    bool ok = own && tt_table_reserve(run, count);
    bool has = ok && tt_events_totals(run->request.events, &run->request.keys, &totals, own);
    for (uint32_t i = 0; ok && has && i < count; i++) {
        if (own[i].stack_size != TT_NO_TOTAL && tt_table_includes(run, i)) {
            uint64_t size = own[i].stack_size, used = size - own[i].stack_min;
            struct stack_row row;
            tt_table_clear_row(run->table, &row);
            row.of.thread = i;
            row.size = size;
            row.min = row.min_at = row.used = row.used_pct = row.min_event = TT_TABLE_NONE;
            if (own[i].stack_min != TT_NO_TOTAL && own[i].stack_min <= size) {
                row.min = own[i].stack_min;
                row.min_at = own[i].stack_ticks;
                row.used = used;
                row.used_pct = size == 0                  ? 100
                               : used <= UINT64_MAX / 100 ? used * 100 / size
                                                          : used / (size / 100);
                row.min_event =
                    tt_events_row_at_key(run->request.events, own[i].stack_ticks, own[i].stack_pos);
            }
            ok = tt_table_add(run, &row);
        }
    }
    free(own);
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static bool place_of_minimum(const struct tt_table_run *run, const struct tt_table_column *column,
                             const void *row, struct tt_table_place *place)
{
    (void)run;
    (void)column;
    place->at = ((const struct stack_row *)row)->min_at;
    return place->at != TT_TABLE_NONE;
}

/* ---- columns ------------------------------------------------------------------------------ */

static const char *missing_tool(const struct tt_capture *capture)
{
    return capture->format->tool.rows ? NULL : "only ThreadX captures have this table";
}

/* clang-format off */
#define ROW struct tool_row
static const struct tt_table_column profile_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("context", "context", LANE_NAME, of.thread, SCREEN("", "context", 0, 1), "Thread, interrupt or other context that had the CPU.", .is_key = true),
    COLUMN("events", "events", COUNT, v[1], SCREEN("", "events", 3, 4), "Number of events."),
    COLUMN("time", "time", TIME_MS, v[0], SCREEN("time", "", 1, 5), "Time in which it had the CPU."),
    COLUMN("time_pct", "% of range", SHARE, v[0], SCREEN("time", "%", 2, 6), "Time in which it had the CPU, in percent of the range."),
};

/* The columns of an instance, and its values. */
#define INSTANCE_COLUMNS \
    COLUMN("kind", "kind", TEXT, kind, SCREEN("", "kind", 1, 2), "Kind of the instance.", .is_key = true), \
    COLUMN("name", "name", TEXT, of.name, SCREEN("", "name", 0, 1), "Name of the instance.", .is_key = true), \
    COLUMN("address", NULL, COUNT, of.number, SCREEN("", "address", 2, 3), "Address on the target.", .is_key = true, .is_identity = true)
#define FILEX_VALUE(key, heading, group, head, rank, doc) \
    COLUMN(#key, heading, COUNT, v[TT_FILEX_##key], SCREEN(group, head, rank, 4), doc),
#define NETX_VALUE(key, heading, group, head, rank, doc) \
    COLUMN(#key, heading, COUNT, v[TT_NETX_##key], SCREEN(group, head, rank, 4), doc),

static const struct tt_table_column filex_columns[] = {INSTANCE_COLUMNS, TT_FILEX_VALUES(FILEX_VALUE)};
static const struct tt_table_column netx_columns[] = {INSTANCE_COLUMNS, TT_NETX_VALUES(NETX_VALUE)};
#undef ROW
#define ROW struct stack_row
static const struct tt_table_column stack_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 8, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 9, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("size", "size", COUNT, size, SCREEN("stack", "size", 1, 4), "Bytes of the stack."),
    COLUMN("used", "used", COUNT, used, SCREEN("stack", "used", 3, 5), "Most bytes of the stack in use."),
    COLUMN("used_pct", "used % of stack", COUNT, used_pct, SCREEN("stack", "%", 2, 6), "Most bytes of the stack in use, in percent."),
    COLUMN("min", "free", COUNT, min, SCREEN("stack", "free", 4, 7), "Least free bytes of the stack."),
    COLUMN("min_event", "event", COUNT, min_event, SCREEN("minimum", "event", 5, 8), "Event with the least free bytes.", .is_identity = true),
    COLUMN("min_at", "at", AT, min_at, SCREEN("minimum", "at", 6, 9), "When the fewest bytes were free."),
};
/* clang-format on */

#define OF_TOOL                                                                                    \
    OF_ROW(struct tool_row), .state_size = sizeof(struct tool_rows), .filter = TT_FILTER_THREADS,  \
                             .missing = missing_tool, .step = step_tool, .end = end_tool

const struct tt_table tt_table_profile = {
    NAMES("profile", "Profile", "A context that had the CPU.", "[context]"),
    COLUMNS(profile_columns),
    .order = "time",
    OF_TOOL,
};

const struct tt_table tt_table_filex = {
    NAMES("filex", "FileX", "A medium or file of FileX.", "[name]"),
    .row_title = "[kind] [name]",
    COLUMNS(filex_columns),
    .order = "operations",
    OF_TOOL,
};

const struct tt_table tt_table_netx = {
    NAMES("netx", "NetX", "An instance of NetX.", "[name]"),
    .row_title = "[kind] [name]",
    COLUMNS(netx_columns),
    .order = "operations",
    OF_TOOL,
};

const struct tt_table tt_table_stacks = {
    NAMES("stack", "Stacks", "The stack of a thread.", "[thread]"),
    COLUMNS(stack_columns),
    OF_ROW(struct stack_row),
    .filter = TT_FILTER_THREADS,
    .order = "used_pct",
    .missing = missing_tool,
    .step = step_stacks,
    .place = place_of_minimum,
};
