/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls: the tables of calls, the nested slices of threads: each name; the tree of callers above what they call; and
 * inverted, each name above its callers. The rows of the trees are in the order of the tree, and their paths are
 * those of folded stacks: "main;draw;swap".
 */
#include "analysis/calls.h"

#include <stdlib.h>
#include <string.h>

#include "table/sums.h"
#include "trace/slice_name.h"
#include "tracetui/timeline.h"

struct call_row {
    struct tt_subject of; /* process and name; `number`: of the path */
    const char *class_name;
    uint64_t node; /* of a tree */
    uint64_t depth;
    uint64_t total, self, run, self_run;
    struct tt_distribution duration; /* without percentiles */
    uint64_t min;
    uint32_t type, max_thread;
};

struct calls {
    uint32_t generation; /* of the timelines that were read; 0: none */
    uint32_t thread;     /* the next one */
    bool walked;
    struct tt_calls tree, inverted;
    uint32_t next; /* of a tree: the node of the next row */
};

static const struct tt_calls *shown_tree(const struct tt_table_run *run)
{
    const struct calls *calls = run->state;
    return run->table == &tt_table_callers && calls->walked ? &calls->inverted : &calls->tree;
}

/* ---- counting ------------------------------------------------------------------------------ */

/* Adds the calls of the threads that the request selects. */
static enum tt_made walk_calls(struct tt_table_run *run, struct calls *calls)
{
    const struct tt_window *window = &run->request.window;
    uint32_t generation = tt_timelines_number(run->timelines);
    if (calls->generation != generation) { /* they were rebuilt */
        tt_calls_free(&calls->tree);
        tt_calls_begin(&calls->tree, run->capture, window->from, window->to);
        calls->generation = generation;
        calls->thread = 0;
    }
    uint32_t threads = tt_thread_count(run->capture);
    for (; calls->thread < threads; calls->thread++) {
        enum tt_calls_walked walked =
            tt_table_includes(run, calls->thread)
                ? tt_calls_add(&calls->tree, run->timelines, calls->thread, &run->work)
                : TT_CALLS_ALL;
        if (walked != TT_CALLS_ALL) {
            return walked == TT_CALLS_PART ? TT_MADE_PART : TT_MADE_NO_MEMORY;
        }
        if (!tt_table_spend(run, 1)) {
            calls->thread++;
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* Returns a number of the path of a node, the same in each run. */
static uint64_t path_number(const struct tt_calls *tree, uint32_t node)
{
    uint64_t number = 0;
    for (; node != TT_NO_CALL; node = tree->calls[node].parent) {
        const char *name =
            tt_types_at(tree->capture, tree->names[tree->calls[node].name].type)->name;
        number = tt_hash_of_pair(number, tt_hash_of(name, strlen(name)));
    }
    return number;
}

static void set_row(const struct tt_calls *calls, const struct tt_call_name *name,
                    const struct tt_call_sums *sums, struct call_row *row)
{
    const struct tt_event_type *type = tt_types_at(calls->capture, name->type);
    row->of.process = name->process;
    row->of.name = type->name;
    row->of.class_id = type->class_id;
    row->class_name = tt_classes_name(calls->capture, type->class_id);
    row->type = name->type;
    row->total = sums->total;
    row->self = sums->self;
    row->run = calls->has_run ? sums->run : TT_TABLE_NONE;
    row->self_run = calls->has_run ? sums->self_run : TT_TABLE_NONE;
    row->duration = (struct tt_distribution){
        .count = sums->count, .sum = sums->sum, .max = sums->max, .max_at = sums->max_at};
    row->min = sums->min;
    row->max_thread = sums->count > 0 ? sums->max_thread : TT_NO_THREAD;
}

static bool make_name(const struct tt_table_run *run, size_t index, void *room)
{
    const struct calls *calls = run->state;
    const struct tt_call_name *name = &calls->tree.names[index];
    set_row(&calls->tree, name, &name->sums, room);
    return true;
}

/* Sets the row of the next node; the nodes of a tree that still grows are in no order. */
static bool make_node(const struct tt_table_run *run, size_t index, void *room)
{
    struct calls *calls = run->state;
    const struct tt_calls *tree = shown_tree(run);
    struct call_row *row = room;
    uint32_t node = !calls->walked ? (uint32_t)index : index == 0 ? tree->first : calls->next;
    const struct tt_call *call = &tree->calls[node];
    set_row(tree, &tree->names[call->name], &call->sums, row);
    row->of.number = path_number(tree, node);
    row->node = node;
    row->depth = call->depth;
    calls->next = calls->walked ? tt_calls_next(tree, node) : node;
    return true;
}

static enum tt_made list_calls(struct tt_table_run *run)
{
    const struct calls *calls = run->state;
    bool flat = run->table == &tt_table_calls;
    size_t count = flat ? calls->tree.name_count : shown_tree(run)->call_count;
    return tt_table_list(run, count, flat ? make_name : make_node) ? TT_MADE_ALL
                                                                   : TT_MADE_NO_MEMORY;
}

static enum tt_made refresh_calls(struct tt_table_run *run)
{
    const struct calls *calls = run->state;
    return calls->walked ? TT_MADE_ALL : list_calls(run);
}

static enum tt_made step_calls(struct tt_table_run *run)
{
    struct calls *calls = run->state;
    enum tt_made made = walk_calls(run, calls);
    if (made != TT_MADE_ALL) {
        return made;
    }
    bool inverts = run->table == &tt_table_callers;
    if ((inverts && !tt_calls_invert(&calls->tree, &calls->inverted)) ||
        !tt_calls_sort(inverts ? &calls->inverted : &calls->tree)) {
        return TT_MADE_NO_MEMORY;
    }
    calls->walked = true;
    return list_calls(run);
}

static unsigned percent_of_calls(const struct tt_table_run *run)
{
    return tt_table_percent_of(((const struct calls *)run->state)->thread,
                               tt_thread_count(run->capture));
}

static void end_calls(struct tt_table_run *run)
{
    struct calls *calls = run->state;
    tt_calls_free(&calls->tree);
    tt_calls_free(&calls->inverted);
}

/* Orders names by total time; equal ones by name. */
static int compare_names(const void *x, const void *y)
{
    const struct call_row *left = x, *right = y;
    if (left->total != right->total) {
        return left->total > right->total ? -1 : 1;
    }
    int by_name = strcmp(left->of.name, right->of.name);
    return by_name != 0 ? by_name
           : left->of.process != right->of.process
               ? (left->of.process > right->of.process) - (left->of.process < right->of.process)
               : (left->of.class_id > right->of.class_id) -
                     (left->of.class_id < right->of.class_id);
}

static bool place_of_longest(const struct tt_table_run *run, const struct tt_table_column *column,
                             const void *row, struct tt_table_place *place)
{
    const struct call_row *call = row;
    (void)run;
    (void)column;
    place->at = call->duration.max_at;
    place->length = call->duration.max;
    place->thread = call->max_thread;
    place->what = "call";
    return call->duration.count > 0;
}

/* ---- columns ------------------------------------------------------------------------------ */

static TT_CELL_FUNCTION(set_call)
{
    const struct call_row *call = row;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_slice_name(run->request.trace, call->of.process, call->type, &cell->text);
}

/* The same, below what is above it. */
static TT_CELL_FUNCTION(set_indented)
{
    const struct call_row *call = row;
    for (uint64_t i = 0; i < call->depth; i++) {
        tt_text_str(&cell->text, "  ");
    }
    set_call(run, column, row, cell);
}

static TT_CELL_FUNCTION(set_path)
{
    const struct tt_calls *tree = shown_tree(run);
    uint32_t path[TT_SLICE_DEPTHS];
    unsigned count = 0;
    (void)column;
    for (uint64_t node = ((const struct call_row *)row)->node;
         node < tree->call_count && count < TT_SLICE_DEPTHS; node = tree->calls[node].parent) {
        path[count++] = tree->calls[node].name;
    }
    cell->kind = TT_CELL_TEXT;
    while (count-- > 0) {
        const struct tt_call_name *name = &tree->names[path[count]];
        tt_slice_name(run->request.trace, name->process, name->type, &cell->text);
        tt_text_str(&cell->text, count > 0 ? ";" : "");
    }
}

#define ROW struct call_row
#define IN

/* clang-format off */
#define PROCESS_COLUMNS \
    COLUMN("pid", NULL, PROCESS_PID, of.process, SCREEN("", "pid", 20, 2), "Number of the process whose threads call it."), \
    COLUMN("process", "process", PROCESS_NAME, of.process, SCREEN("", "process", 4, 1), "Process whose threads call it.", .is_key = true)
#define CALL_COLUMNS \
    KNOWN_BY("min", "min", TIME_US, min, duration.count, SCREEN("duration", "min", 11, 13), "Duration of a call that ends in the range, the shortest."), \
    KNOWN_BY("mean", "mean", MEAN_US, duration, duration.count, SCREEN("duration", "mean", 9, 12), "Duration of a call that ends in the range, the mean.", .compared = 4), \
    KNOWN_BY("max", "max", TIME_US, duration.max, duration.count, SCREEN("duration", "max", 7, 14), "Duration of a call that ends in the range, the longest.", .compared = 5), \
    KNOWN_BY("max_at", "at", AT, duration.max_at, duration.count, SCREEN("duration", "at", 12, 15), "When the longest call ended.", .names_unit = true), \
    COLUMN("max_pid", NULL, LANE_PID, max_thread, OFF_SCREEN, "Process of the thread of the longest call."), \
    COLUMN("max_tid", NULL, LANE_TID, max_thread, OFF_SCREEN, "Number of the thread of the longest call."), \
    COLUMN("max_thread", NULL, LANE_NAME, max_thread, SCREEN("duration", "thread", 13, 16), "Thread of the longest call.")
#define TIME_COLUMNS \
    COLUMN("self", "self", TIME_US, self, SCREEN("self", "", 2, 6), "Time in it and in nothing that it called.", .compared = 1, .is_sum = true), \
    COLUMN("self_pct", NULL, SHARE, self, SCREEN("self", "%", 14, 7), "Time in it and in nothing that it called, in percent of the range."), \
    COLUMN("self_run", "self run", TIME_US, self_run, SCREEN("self", "run", 5, 8), "The part of self in which the thread had a CPU, without interrupts.", .is_sum = true)

static const struct tt_table_column name_columns[] = {
    PROCESS_COLUMNS,
    COLUMN("class", "class", TEXT, class_name, SCREEN("", "class", 10, 3), "Class of its slices: function, a category.", .is_key = true),
    MADE("call", "call", NAME, set_call, SCREEN("", "call", 0, 4), "Name of the slice or function.", .is_key = true),
    COLUMN("count", "count", COUNT, duration.count, SCREEN("", "count", 3, 5), "Calls that end in the range.", .compared = 3),
    TIME_COLUMNS,
    COLUMN("total", "total", TIME_US, total, SCREEN("total", "", 1, 9), "Time in it and in what it called, a call by itself counted once.", .compared = 2, .is_sum = true),
    COLUMN("total_pct", NULL, SHARE, total, SCREEN("total", "%", 15, 10), "Time in it and in what it called, in percent of the range."),
    COLUMN("run", "run", TIME_US, run, SCREEN("total", "run", 6, 11), "The part of total in which the thread had a CPU, without interrupts.", .is_sum = true),
    CALL_COLUMNS,
};

static const struct tt_table_column tree_columns[] = {
    PROCESS_COLUMNS,
    COLUMN("depth", NULL, COUNT, depth, OFF_SCREEN, "Number of calls above it.", .is_level = true, .is_neutral = true, .is_identity = true),
    COLUMN("class", NULL, TEXT, class_name, OFF_SCREEN, "Class of its slices: function, a category."),
    MADE("call", NULL, NAME, set_call, OFF_SCREEN, "Name of the slice or function."),
    MADE("path", NULL, NAME, set_path, OFF_SCREEN, "The calls from the top to this one, with `;` between them.", .is_key = true),
    COLUMN("count", "count", COUNT, duration.count, SCREEN("", "count", 3, 5), "Calls that end in the range.", .compared = 3),
    COLUMN("total", "total", TIME_US, total, SCREEN("total", "", 1, 9), "Time in these calls and in what they called.", .compared = 2, .is_sum = true),
    COLUMN("total_pct", "% of range", SHARE, total, SCREEN("total", "%", 15, 10), "Time in these calls and in what they called, in percent of the range."),
    COLUMN("run", "run", TIME_US, run, SCREEN("total", "run", 6, 11), "The part of total in which the thread had a CPU, without interrupts.", .is_sum = true),
    TIME_COLUMNS,
    CALL_COLUMNS,
    MADE("tree", "call", NAME, set_indented, SCREEN("", "call", 0, 4), "Name of the slice or function, below that of the row above it.", .is_text = true),
};
/* clang-format on */

#define CALLS                                                                                      \
    OF_ROW(struct call_row), .state_size = sizeof(struct calls), .filter = TT_FILTER_THREADS,      \
                             .step = step_calls, .refresh = refresh_calls,                         \
                             .percent = percent_of_calls, .end = end_calls,                        \
                             .place = place_of_longest

const struct tt_table tt_table_calls = {
    NAMES("call", "Calls", "A function or another named slice of the threads of a process.",
          "[call]| of [process?]"),
    COLUMNS(name_columns),
    CALLS,
    .order = "total",
    .compare = compare_names,
};

const struct tt_table tt_table_call_tree = {
    NAMES("calltree", "Call tree", "Calls of a process that have the same callers.",
          "[path]| of [process?]"),
    COLUMNS(tree_columns),
    CALLS,
};

const struct tt_table tt_table_callers = {
    NAMES("caller", "Callers", "Calls of a process, by the callers from the nearest one on.",
          "[path]| of [process?]"),
    COLUMNS(tree_columns),
    CALLS,
};
