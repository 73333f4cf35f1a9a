/* SPDX-License-Identifier: Apache-2.0 */
/* lanes: the rows of lanes that the user defines. */
#include <math.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/reports/raw_rows.h"
#include "table/lanes/lane_rows.h"
#include "trace/line_parts.h"

#define WIDTH       80u
#define TIME_WIDTH  15u
#define DUR_WIDTH   12u
#define STATE_WIDTH 14u
#define KEY_WIDTH   24u

/* Columns of text: on a terminal lines are cut. */
struct lane_columns {
    size_t name, key, line;
};

/* Writes a line: when, how long, lane, key, state or value; * after a duration: records are lost in it. */
static void put_lane_row(struct tt_text *text, const struct tt_table_run *run, const void *room,
                         const void *arg)
{
    const struct lane_columns *columns = arg;
    const struct tt_lane_out *row = room;
    char buffer[TT_TABLE_CELL_BYTES];
    size_t start = text->used;
    struct tt_text time = tt_text_of(buffer, sizeof buffer);
    tt_line_time(&time, run->capture,
                 tt_relative_ticks(run->capture, row->span.begin, run->first_ticks));
    tt_text_fill(text, ' ', time.used < TIME_WIDTH ? TIME_WIDTH - time.used : 0);
    tt_text_bytes(text, time.buffer, time.used);
    if (row->is_open) {
        tt_line_column(text, "        open", DUR_WIDTH, DUR_WIDTH);
    } else {
        tt_line_duration_in(text, run->capture, row->length, DUR_WIDTH);
    }
    tt_text_str(text, row->is_lossy ? "* " : "  ");
    tt_line_column(text, row->name, strlen(row->name), columns->name);
    tt_text_char(text, ' ');
    const struct tt_table_column *key = tt_table_column_of(run->table, "key");
    struct tt_table_cell cell = tt_table_cell_of(run, key, row, buffer, sizeof buffer);
    if (columns->key > 0) {
        tt_line_column(text, cell.text.buffer, cell.kind == TT_CELL_TEXT ? cell.text.used : 0,
                       columns->key);
        tt_text_char(text, ' ');
    }
    if (row->state) {
        tt_text_escaped(text, row->state, strlen(row->state));
        tt_text_char(text, ' ');
    }
    if (!isnan(row->span.value)) {
        tt_text_double(text, row->span.value);
    }
    tt_line_finish(text, start, columns->line);
}

static struct tt_status list_lanes(const struct tt_options *options, struct tt_input *input,
                                   struct tt_output *out)
{
    const struct tt_lane_set *set = tt_lane_list_now(input->capture->lanes);
    struct tt_event_selection pick;
    struct lane_columns columns = {4, 0, tt_command_is_on_terminal(options) ? WIDTH : SIZE_MAX};
    if (set->count == 0) {
        return tt_error(TT_ERR_USAGE, "no lane is defined; expected --lane or --lanes");
    }
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const struct tt_lane_definition *lane = set->v[i];
        bool has_key = lane->pairing.same != TT_MEASURE_ANY || lane->kind == TT_LANE_QUERY;
        columns.key = has_key ? KEY_WIDTH : columns.key;
        columns.name = strlen(lane->name) > columns.name ? strlen(lane->name) : columns.name;
    }
    struct tt_table_request request = tt_raw_request(&tt_table_lane_rows, options, input, &pick);
    request.first_row = pick.first_row;
    request.end_row = pick.to_end ? UINT64_MAX : pick.end_row;
    status = tt_raw_print(&request, options->format, out, put_lane_row, &columns);
    tt_event_selection_free(&pick);
    return status;
}

enum tt_exit tt_command_lanes(const struct tt_options *options)
{
    return tt_command_each_input(options, list_lanes);
}
