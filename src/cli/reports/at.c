/* SPDX-License-Identifier: Apache-2.0 */
/* at: what every thread was doing at an instant, and what it waited for. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/causes/snapshot_text.h"
#include "base/bits.h"
#include "base/text_columns.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/stats.h"
#include "print/print.h"
#include "table/raw/raw_rows.h"
#include "table/registry.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"

#define WIDTH       80u
#define PID_WIDTH   6u
#define NAME_WIDTH  17u /* least columns, and those on a terminal */
#define STATE_WIDTH 9u
#define TIME_WIDTH  9u
#define INDENT_MOST 16u

struct at {
    const struct tt_options *options;
    struct tt_input *input;
    struct tt_output *out;
    struct tt_event_selection pick;
    struct tt_wakes *wakes;
    const struct tt_timelines *timelines;
    struct tt_snapshot snapshot;
    bool before;                           /* the instant is before the first event */
    size_t name_width, state_width, width; /* columns of text: on a terminal lines are cut */
    struct tt_snapshot_scene scene;
};

/* ---- which rows --------------------------------------------------------------------------- */

static bool at_is_word(const char *list, const char *word)
{
    size_t length = word ? strlen(word) : 0;
    while (*list && length > 0) {
        size_t part = strcspn(list, ",");
        if (part == length && strncasecmp(list, word, length) == 0) {
            return true;
        }
        list += part + (list[part] == ',');
    }
    return false;
}

/* Returns whether a row is printed; idle and ended threads only on request. */
static bool at_is_picked(const struct at *answer, const struct tt_snapshot_row *row)
{
    const struct tt_cpu_set *cpus = &answer->options->cpus;
    const uint64_t *threads = answer->pick.threads;
    bool ended = row->class_ == TT_CLASS_DEAD && !answer->options->state;
    if (threads ? !tt_bit_at(threads, row->thread)
                : tt_thread_at(answer->input->capture, row->thread)->idle || ended) {
        return false;
    }
    const char *list = answer->options->state;
    bool has_state =
        !list || at_is_word(list, tt_line_state(answer->input->capture, row->state)) ||
        at_is_word(list, tt_class_name(row->class_)) ||
        (tt_class_is_lock(row->class_) && at_is_word(list, tt_class_name(TT_CLASS_LOCK)));
    return has_state && tt_event_selection_has_cpu(cpus, row->cpu);
}

/* ---- text --------------------------------------------------------------------------------- */

/* Sets the widths: those of a terminal, or else wide enough for every name and state. */
static void set_widths(struct at *answer)
{
    answer->name_width = NAME_WIDTH;
    answer->state_width = STATE_WIDTH;
    answer->width = WIDTH;
    const struct tt_capture *capture = answer->input->capture;
    if (tt_command_is_on_terminal(answer->options)) {
        return;
    }
    answer->width = SIZE_MAX;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(answer->timelines) && cpu < TT_CPU_LIMIT; cpu++) {
        struct tt_snapshot_cpu on;
        size_t name = tt_snapshot_cpu(answer->wakes, answer->snapshot.at, (uint16_t)cpu, &on)
                          ? tt_line_thread_columns(capture, on.occupant)
                          : 0;
        answer->name_width = name > answer->name_width ? name : answer->name_width;
    }
    for (uint32_t i = 0; i < answer->snapshot.count; i++) {
        const struct tt_snapshot_row *row = &answer->snapshot.rows[i];
        if (at_is_picked(answer, row)) {
            size_t name = tt_line_thread_columns(capture, row->thread);
            size_t state = strlen(tt_line_state(capture, row->state));
            answer->name_width = name > answer->name_width ? name : answer->name_width;
            answer->state_width = state > answer->state_width ? state : answer->state_width;
        }
    }
}

/* Appends a distance in time with its sign: -1.19 ms. */
static void at_put_distance(struct tt_text *text, const struct tt_capture *capture, char sign,
                            bool known, uint64_t ticks)
{
    char buffer[40];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    if (known) {
        tt_text_char(&shown, sign);
        tt_line_duration(&shown, capture, ticks);
    } else {
        tt_text_char(&shown, '?');
    }
    const size_t columns = tt_text_columns(shown.buffer, shown.used);
    tt_text_fill(text, ' ', columns < TIME_WIDTH ? TIME_WIDTH - columns : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

static void at_put_priority(struct tt_text *text, int priority)
{
    char buffer[16];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    if (priority != TT_NO_PRIORITY) {
        tt_text_i64(&shown, priority);
    } else {
        tt_text_char(&shown, '-');
    }
    tt_text_fill(text, ' ', shown.used < 4 ? 4 - shown.used : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

/* In the order of pidin: process, thread, priority, state, what it waits for. */
static void at_put_row(struct tt_text *text, const struct at *answer,
                       const struct tt_snapshot_row *row)
{
    const struct tt_capture *capture = answer->input->capture;
    const char *state = tt_line_state(capture, row->state);
    size_t start = text->used;
    char buffer[32];
    struct tt_text pid = tt_text_of(buffer, sizeof buffer);
    uint32_t process = tt_thread_at(capture, row->thread)->process;
    tt_line_id(&pid, capture, process, tt_process_at(capture, process)->pid);
    tt_text_fill(text, ' ', pid.used < PID_WIDTH ? PID_WIDTH - pid.used : 0);
    tt_text_bytes(text, pid.buffer, pid.used);
    tt_text_char(text, ' ');
    tt_line_thread_in(text, capture, row->thread, answer->name_width);
    at_put_priority(text, row->priority);
    tt_text_char(text, ' ');
    tt_line_column(text, state, strlen(state), answer->state_width);
    at_put_distance(text, capture, '-', row->since_known, answer->snapshot.at - row->since);
    tt_text_char(text, ' ');
    at_put_distance(text, capture, '+', row->until_known, row->until - answer->snapshot.at);
    if (row->cpu != TT_NO_CPU) {
        tt_line_number(text, row->cpu, 3);
    } else {
        tt_text_str(text, "  -");
    }
    tt_text_char(text, ' ');
    tt_snapshot_put_wait(text, &answer->scene, row);
    tt_line_finish(text, start, answer->width);
}

static void put_cpu(struct tt_text *text, const struct at *answer, uint16_t cpu,
                    const struct tt_snapshot_cpu *snapshot_cpu)
{
    const struct tt_capture *capture = answer->input->capture;
    size_t start = text->used;
    tt_text_str(text, "CPU");
    tt_line_number(text, cpu, 3);
    tt_text_char(text, ' ');
    if (snapshot_cpu->occupant < tt_thread_count(capture)) {
        tt_line_thread_in(text, capture, snapshot_cpu->occupant, answer->name_width);
        at_put_priority(text, tt_thread_priority(answer->timelines, snapshot_cpu->occupant,
                                                 answer->snapshot.at));
    } else {
        const char *name = snapshot_cpu->occupant == TT_OCCUPANT_IDLE     ? "idle"
                           : snapshot_cpu->occupant == TT_OCCUPANT_KERNEL ? "kernel"
                                                                          : "unknown";
        tt_line_column(text, name, strlen(name), answer->name_width);
        tt_text_str(text, "    ");
    }
    tt_text_char(text, ' ');
    tt_text_fill(text, ' ', answer->state_width + 1);
    at_put_distance(text, capture, '-', true, answer->snapshot.at - snapshot_cpu->since);
    tt_text_str(text, "  ");
    tt_snapshot_put_cpu(text, capture, snapshot_cpu);
    tt_line_finish(text, start, answer->width);
}

/* ---- the tree ----------------------------------------------------------------------------- */

static void put_leaf(struct tt_text *text, const struct at *answer,
                     const struct tt_snapshot_row *row, uint32_t indent)
{
    const struct tt_capture *capture = answer->input->capture;
    size_t start = text->used;
    tt_text_fill(text, ' ', 2 * (size_t)(indent < INDENT_MOST ? indent : INDENT_MOST));
    tt_line_thread(text, capture, row->thread);
    tt_text_put(text, " %s since ", tt_line_state(capture, row->state));
    at_put_distance(text, capture, '-', row->since_known, answer->snapshot.at - row->since);
    if (row->doing == TT_DOING_IDLE) {
        tt_text_str(text, ", ");
        text->used -= tt_snapshot_put_chain(text, &answer->scene, row) ? 0 : 2;
    } else {
        tt_text_str(text, row->from_wake ? " (from the wake)" : "");
    }
    tt_text_str(text, row->deadlock ? " DEADLOCK" : "");
    tt_line_finish(text, start, answer->width);
}

static bool at_is_wanted(const void *at, const struct tt_snapshot_row *row)
{
    return at_is_picked(at, row);
}

static struct tt_status print_tree(const struct at *answer)
{
    struct tt_snapshot_tree tree = {0};
    if (!tt_snapshot_tree_make(&tree, &answer->snapshot, at_is_wanted, answer)) {
        return tt_error_memory();
    }
    for (uint32_t i = 0; i < tree.count && tt_output_is_open(answer->out); i++) {
        const struct tt_snapshot_line *line = &tree.lines[i];
        const struct tt_snapshot_row *row = &answer->snapshot.rows[line->row];
        if (line->root) {
            TT_PRINT_LINE(answer->out, (tt_snapshot_put_root(&text, answer->input->capture, row),
                                        tt_text_char(&text, '\n')));
        } else {
            TT_PRINT_LINE(answer->out, put_leaf(&text, answer, row, line->indent));
        }
    }
    tt_snapshot_tree_free(&tree);
    return tt_ok();
}

/* ---- the command -------------------------------------------------------------------------- */

/* Prints the instant, deadlocks, and then the CPUs and the threads, or their tree. */
static struct tt_status at_print_text(struct at *answer)
{
    const struct tt_capture *capture = answer->input->capture;
    const struct tt_snapshot *snapshot = &answer->snapshot;
    const char *where = answer->before || snapshot->at < tt_timelines_begin(answer->timelines)
                            ? ": before the first event\n"
                        : snapshot->at > tt_timelines_end(answer->timelines)
                            ? ": after the last event\n"
                            : "\n";
    if (answer->out->begun) {
        tt_output_write(answer->out, "\n", 1);
    }
    set_widths(answer);
    TT_PRINT_LINE(answer->out, {
        tt_text_str(&text, "at ");
        tt_line_time(&text, capture,
                     tt_relative_ticks(capture, snapshot->at, answer->input->progress.first_ticks));
        tt_text_str(&text, where);
    });
    for (uint32_t i = 0; i < snapshot->count && tt_output_is_open(answer->out); i++) {
        if (tt_snapshot_begins_deadlock(snapshot, &snapshot->rows[i])) {
            TT_PRINT_LINE(answer->out, {
                tt_text_str(&text, "deadlock: ");
                tt_snapshot_put_cycle(&text, capture, snapshot, &snapshot->rows[i]);
                tt_text_char(&text, '\n');
            });
        }
    }
    if (snapshot->count == 0 || answer->options->tree) {
        return snapshot->count == 0 ? tt_ok() : print_tree(answer);
    }
    for (uint32_t cpu = 0; cpu < tt_cpu_count(answer->timelines) && cpu < TT_CPU_LIMIT; cpu++) {
        struct tt_snapshot_cpu result;
        if (tt_event_selection_has_cpu(&answer->options->cpus, cpu) &&
            tt_snapshot_cpu(answer->wakes, snapshot->at, (uint16_t)cpu, &result)) {
            TT_PRINT_LINE(answer->out, put_cpu(&text, answer, (uint16_t)cpu, &result));
        }
    }
    TT_PRINT_LINE(answer->out, {
        tt_text_str(&text, "   pid ");
        tt_line_column(&text, "thread", 6, answer->name_width);
        tt_text_str(&text, " pri ");
        tt_line_column(&text, "STATE", 5, answer->state_width);
        tt_text_str(&text, "    since     until CPU waits for\n");
    });
    for (unsigned doing = TT_DOING_RUN; doing <= TT_DOING_IDLE; doing++) {
        for (uint32_t i = 0; i < snapshot->count && tt_output_is_open(answer->out); i++) {
            if (snapshot->rows[i].doing == doing && at_is_picked(answer, &snapshot->rows[i])) {
                TT_PRINT_LINE(answer->out, at_put_row(&text, answer, &snapshot->rows[i]));
            }
        }
    }
    return tt_ok();
}

/* Prints the rows as CSV or JSON. */
static struct tt_status at_print_lines(const struct at *answer)
{
    const struct tt_table_request request = {
        .table = &tt_table_snapshot_rows, .trace = answer->input->trace, .scene = &answer->scene};
    struct tt_table_run run;
    struct tt_print print;
    struct tt_table_row row;
    struct tt_status status = tt_table_begin(&run, &request);
    tt_print_begin(&print, &run, tt_stats_form(answer->options->format));
    if (answer->options->format == TT_OUTPUT_CSV && !answer->out->begun) {
        TT_PRINT_LINE(answer->out, tt_print_header(&print, &text));
    }
    for (uint32_t i = 0; i < answer->snapshot.count && tt_output_is_open(answer->out); i++) {
        if (at_is_picked(answer, &answer->snapshot.rows[i]) && !tt_failed(&status)) {
            tt_snapshot_row_make(&run, &answer->snapshot.rows[i], &row);
            TT_PRINT_LINE(answer->out, tt_print_row(&print, &text, &row));
        }
    }
    tt_table_free(&run);
    return status;
}

static struct tt_status at_print_at(struct at *answer, const char *when_text)
{
    struct tt_time_spec when;
    uint64_t at, pos;
    struct tt_status status = tt_time_spec_parse(when_text, &when);
    if (!tt_failed(&status)) {
        status =
            tt_time_spec_resolve(&when, answer->input->trace, answer->input->events, &at, &pos);
    }
    if (tt_failed(&status)) {
        return tt_status_context(status, when_text);
    }
    if (!tt_snapshot_make(answer->wakes, at, &answer->snapshot)) {
        return tt_error_memory();
    }
    /* Ticks before the origin may not exist: the result is then the smallest one. */
    answer->before = when.value < 0 && at == 0 && tt_timelines_begin(answer->timelines) == 0;
    answer->snapshot.count = answer->before ? 0 : answer->snapshot.count;
    if (answer->options->format == TT_OUTPUT_TEXT) {
        return at_print_text(answer);
    }
    return at_print_lines(answer);
}

static struct tt_status at_input(const struct tt_options *options, struct tt_input *input,
                                 struct tt_output *out)
{
    struct at a = {.options = options, .input = input, .out = out};
    struct tt_status status = tt_event_selection_make(options, input, &a.pick);
    if (tt_failed(&status)) {
        return status;
    }
    a.timelines = tt_trace_timelines(input->trace);
    a.wakes = a.timelines ? tt_wakes_new(input->trace) : NULL;
    a.scene = (struct tt_snapshot_scene){input->capture, a.timelines, &a.snapshot, input->events};
    if (a.timelines && !a.wakes) {
        status = tt_error_memory();
    } else if (!a.timelines && options->format != TT_OUTPUT_TEXT) {
        status = at_print_lines(&a); /* the header */
    }
    for (int i = 0; i < options->whens.count && a.wakes && !tt_failed(&status); i++) {
        status = at_print_at(&a, options->whens.v[i]);
    }
    tt_snapshot_free(&a.snapshot);
    tt_wakes_free(a.wakes);
    tt_event_selection_free(&a.pick);
    return status;
}

enum tt_exit tt_command_snapshot(const struct tt_options *options)
{
    return tt_command_each_input(options, at_input);
}
