/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conditions: statistics of named filters: stats --condition NAME=FILTER. A row per condition, or, with -n, per
 * condition and part of the range. docs/metrics.md defines the keys.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/stats.h"
#include "print/print.h"
#include "table/columns.h"
#include "tracetui/stats.h"
#include "tracetui/timeline.h"

#define BATCH 1024u

/* A row: a condition in the range, or in a part of it. */
struct condition {
    const char *name; /* not NUL-terminated */
    size_t name_length;
    uint64_t from; /* ticks of the part */
    uint64_t to;
    uint64_t count;
    uint64_t first;
    uint64_t last;
    struct tt_distribution period;
};

#define ROW struct condition
#define IN

static void conditions_put_name(const struct tt_table_run *run,
                                const struct tt_table_column *column, const void *row,
                                struct tt_table_cell *cell)
{
    const struct condition *c = row;
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_escaped(&cell->text, c->name, c->name_length);
}

/* clang-format off */
/* A time of a condition that has events. */
#define OF_EVENT(key_, heading_, member, doc_) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_AT, .field = AT(member), .basis = AT(count), \
     .distribution = TT_TABLE_ALWAYS, .names_unit = true, .doc = doc_}

static const struct tt_table_column columns[] = {
    MADE("condition", "condition", NAME, conditions_put_name, OFF_SCREEN, "Name of the condition."),
    COLUMN("count", "count", COUNT, count, OFF_SCREEN, "Events of it."),
    COLUMN("rate_hz", "rate", RATE, count, OFF_SCREEN, "Events of it per second.", .names_unit = true, .is_precise = true),
    OF_EVENT("first_at", "first at", first, "When its first event was."),
    OF_EVENT("last_at", "last at", last, "When its last event was."),
    MEAN_OF("period_mean", "period mean", period, OFF_SCREEN, "Time from one event to the next, the mean."),
    OF("period_p50", "p50", TIME_US, period, p50, OFF_SCREEN, "Time from one event to the next, the median."),
    OF("period_p99", "p99", TIME_US, period, p99, OFF_SCREEN, "Time from one event to the next that 99 % do not exceed."),
    OF("period_max", "max", TIME_US, period, max, OFF_SCREEN, "Time from one event to the next, the longest."),
    OF("period_max_at", "at", AT, period, max_at, OFF_SCREEN, "When the longest period ended.", .names_unit = true),
};

static const struct tt_table_column part_columns[] = {
    MADE("condition", "condition", NAME, conditions_put_name, OFF_SCREEN, "Name of the condition."),
    COLUMN("from", "from", AT, from, OFF_SCREEN, "Begin of the part.", .names_unit = true),
    COLUMN("to", NULL, AT, to, OFF_SCREEN, "End of the part."),
    COLUMN("count", "count", COUNT, count, OFF_SCREEN, "Events of it in the part."),
    OF_EVENT("first_at", "first at", first, "When its first event was."),
    OF_EVENT("last_at", "last at", last, "When its last event was."),
};
/* clang-format on */

static const struct tt_table table_of_conditions = {
    .name = "condition",
    .title = "Conditions",
    .doc = "Events that match a filter.",
    .row_name = "[condition]",
    COLUMNS(columns),
    .row_size = sizeof(struct condition),
};

static const struct tt_table table_of_parts = {
    .name = "part",
    .title = "Conditions by part",
    .doc = "Events that match a filter, in a part of the range.",
    .row_name = "[condition]",
    COLUMNS(part_columns),
    .row_size = sizeof(struct condition),
};

/* The rows, while they are computed. */
struct work {
    struct tt_input *input;
    struct tt_event_selection *pick;
    uint64_t from; /* the range inside the capture */
    uint64_t to;
    uint64_t parts; /* 0: rows are conditions */
    struct condition *rows;
    size_t count;
    size_t capacity;
    struct tt_samples periods;
    struct tt_event batch[BATCH];
};

/* ---- parts -------------------------------------------------------------------------------- */

/* Returns from + floor(part * length / parts), without overflow. */
static uint64_t edge_of(const struct work *work, uint64_t part)
{
    uint64_t length = work->to - work->from, each = length / work->parts,
             rest = length % work->parts;
    return work->from + part * each + part * rest / work->parts;
}

static uint64_t conditions_part_of(const struct work *work, uint64_t ticks)
{
    uint64_t low = 0, high = work->parts;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (edge_of(work, middle) <= ticks) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Adds the rows of a condition, without events; returns the first, or NULL if out of memory. */
static struct condition *conditions_add_rows(struct work *work, const char *name, size_t length)
{
    size_t more = work->parts > 0 ? (size_t)work->parts : 1;
    struct condition *rows =
        tt_array_reserve(work->rows, work->count + more, &work->capacity, sizeof *work->rows);
    if (!rows) {
        return NULL;
    }
    work->rows = rows;
    rows += work->count;
    for (size_t i = 0; i < more; i++) {
        rows[i] = (struct condition){.name = name, .name_length = length};
        rows[i].from = work->parts > 0 ? edge_of(work, i) : work->from;
        rows[i].to = work->parts > 0 ? edge_of(work, i + 1) : work->to;
    }
    work->count += more;
    return rows;
}

/* ---- counting ----------------------------------------------------------------------------- */

/* Counts the events of the selection that match. */
static struct tt_status count_matches(struct work *work, const struct tt_filter_result *matches,
                                      struct condition *rows)
{
    uint64_t last = UINT64_MAX, row = work->pick->first_row;
    while (row < work->pick->end_row) {
        uint64_t left = work->pick->end_row - row;
        uint32_t ask = left < BATCH ? (uint32_t)left : BATCH;
        if (tt_filter_result_rank(matches, row) == tt_filter_result_rank(matches, row + ask)) {
            row += ask;
            continue;
        }
        uint32_t count = tt_events_read(work->input->events, row, ask, work->batch);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &work->batch[i];
            if (event->flags & TT_EVENT_UNNUMBERED || !tt_filter_result_has(matches, row + i) ||
                !tt_event_selection_matches(work->pick, event)) {
                continue;
            }
            struct condition *of =
                work->parts > 0 ? &rows[conditions_part_of(work, event->ticks)] : rows;
            of->first = of->count == 0 ? event->ticks : of->first;
            of->last = event->ticks;
            of->count++;
            if (work->parts == 0 && last != UINT64_MAX &&
                !tt_samples_add(&work->periods, event->ticks - last, event->ticks)) {
                return tt_error_memory();
            }
            last = event->ticks;
        }
        if (count == 0) { /* rows that existed are gone */
            work->input->shrunk = true;
            break;
        }
        row += count;
    }
    return tt_ok();
}

/* Adds the rows of NAME=FILTER. */
static struct tt_status add_condition(struct work *work, const char *text)
{
    const char *equals = strchr(text, '=');
    struct tt_filter *filter = NULL;
    struct tt_filter_plan *plan = NULL;
    struct tt_filter_result *matches = NULL;
    if (!equals || equals == text || equals[1] == '\0') {
        return tt_error(TT_ERR_USAGE, "--condition: '%.60s' is not NAME=FILTER", text);
    }
    struct condition *rows = conditions_add_rows(work, text, (size_t)(equals - text));
    struct tt_filter_error error;
    struct tt_status status = rows ? tt_ok() : tt_error_memory();
    if (rows &&
        (!tt_filter_parse(equals + 1, &filter, &error) ||
         !tt_filter_plan_new(filter, work->input->trace, work->input->events, &plan, &error))) {
        status = tt_status_context(error.status, "--condition");
    }
    if (!tt_failed(&status)) {
        struct tt_event_selection pick = {.plan = plan};
        status = tt_event_selection_find(&pick, work->input, &matches);
    }
    if (!tt_failed(&status)) {
        status = count_matches(work, matches, rows);
    }
    if (!tt_failed(&status) && work->periods.count > 0) {
        rows->period = tt_samples_distribution(&work->periods);
    }
    tt_samples_free(&work->periods);
    memset(&work->periods, 0, sizeof work->periods);
    tt_filter_result_free(matches);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    return status;
}

/* ---- the command -------------------------------------------------------------------------- */

static void print_rows(const struct work *work, int format, struct tt_output *out)
{
    const struct tt_table *table = work->parts > 0 ? &table_of_parts : &table_of_conditions;
    const struct tt_table_run run = {.table = table,
                                     .capture = work->input->capture,
                                     .columns = table->columns,
                                     .column_count = table->column_count,
                                     .window = work->to - work->from,
                                     .first_ticks = work->input->progress.first_ticks};
    enum tt_print_form form = tt_stats_form(format);
    struct tt_print print;
    tt_print_begin(&print, &run, form);
    for (size_t i = 0; form == TT_PRINT_TEXT && i < work->count; i++) {
        tt_print_measure(&print, &work->rows[i]);
    }
    tt_print_settle(&print);
    if (form != TT_PRINT_JSON) {
        TT_PRINT_LINE(out, tt_print_header(&print, &text));
    }
    for (size_t i = 0; i < work->count && tt_output_is_open(out); i++) {
        TT_PRINT_LINE(out, tt_print_row(&print, &text, &work->rows[i]));
    }
}

static struct tt_status conditions_input(const struct tt_options *options, struct tt_input *input,
                                         struct tt_output *out)
{
    struct tt_event_selection pick;
    struct work *work = calloc(1, sizeof *work);
    struct tt_status status = work ? tt_ok() : tt_error_memory();
    if (!tt_failed(&status)) {
        status = tt_event_selection_make(options, input, &pick);
    }
    if (tt_failed(&status)) {
        free(work);
        return status;
    }
    work->input = input;
    work->pick = &pick;
    work->parts = options->number;
    const struct tt_timelines *timelines = tt_trace_timelines(input->trace);
    if (timelines) { /* the range of the selection inside the capture */
        uint64_t begin = tt_timelines_begin(timelines), end = tt_timelines_limit(timelines);
        tt_event_selection_times(&pick, timelines, &work->from, &work->to);
        work->from = work->from > begin ? work->from : begin;
        work->to = work->to < end ? work->to : end;
        work->to = work->to > work->from ? work->to : work->from;
    }
    for (int i = 0; i < options->conditions.count && !tt_failed(&status); i++) {
        status = add_condition(work, options->conditions.v[i]);
    }
    if (!tt_failed(&status)) {
        print_rows(work, options->format, out);
    }
    tt_event_selection_free(&pick);
    free(work->rows);
    free(work);
    return status;
}

enum tt_exit tt_command_conditions(const struct tt_options *options)
{
    return tt_command_each_input(options, conditions_input);
}
