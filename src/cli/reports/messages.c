/* SPDX-License-Identifier: Apache-2.0 */
/* messages: dump --messages. */
#include "base/text_units.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/message_filter.h"
#include "cli/reports/raw_rows.h"
#include "trace/line_parts.h"

#define NAMES_COLUMN 14u
#define END_COLUMN   60u
#define PARTS_COLUMN 67u

/* Appends the cell of a name; "-": unknown. */
static void reports_messages_put_name(struct tt_text *text, const struct tt_table_run *run,
                                      const char *key, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell =
        tt_table_cell_of(run, tt_table_column_of(run->table, key), row, buffer, sizeof buffer);
    tt_table_put_cell(text, &cell);
}

/*
 * Appends "queue 12.40 µs": the parts of the round that are known, of the queue if the server was busy, and of
 * the service those that are not 0.
 */
static void put_parts(struct tt_text *text, const struct tt_table_run *run,
                      const struct tt_message_row *row)
{
    bool first = true;
    for (size_t i = 0; i < run->column_count; i++) {
        const struct tt_table_column *column = &run->columns[i];
        if (column->unit != TT_UNIT_TIME_US) {
            continue;
        }
        uint64_t ticks = tt_table_ticks_of(run, column, row);
        bool is_whole = column->field == offsetof(struct tt_message_row, parts.queue) ||
                        column->field == offsetof(struct tt_message_row, parts.service) ||
                        column->field == offsetof(struct tt_message_row, parts.back) ||
                        column->field == offsetof(struct tt_message_row, parts.round);
        bool is_idle = row->parts.queue_busy == 0 &&
                       column->field == offsetof(struct tt_message_row, parts.queue_sched);
        if (ticks == TT_TABLE_NONE || (!is_whole && (ticks == 0 || is_idle))) {
            continue;
        }
        tt_text_str(text, first ? "" : ", ");
        first = false;
        for (const char *letter = column->key; *letter; letter++) {
            tt_text_char(text, *letter == '_' ? ' ' : *letter);
        }
        tt_text_char(text, ' ');
        tt_line_duration_with(text, run->capture, ticks, TT_MICROSECONDS);
    }
}

static void reports_messages_put_message(struct tt_text *text, const struct tt_table_run *run,
                                         const void *room, const void *arg)
{
    (void)arg;
    const struct tt_message_row *row = room;
    size_t start = text->used;
    tt_line_time(text, run->capture, tt_relative_ticks(run->capture, row->begin, run->first_ticks));
    tt_text_pad_to(text, start, NAMES_COLUMN, 2);
    reports_messages_put_name(text, run, "client", row);
    tt_text_str(text, " -> ");
    reports_messages_put_name(text, run, "server", row);
    tt_text_pad_to(text, start, END_COLUMN, 2);
    tt_text_str(text, row->how);
    tt_text_pad_to(text, start, PARTS_COLUMN, 2);
    if (row->m.error != 0) {
        tt_text_str(text, "error=");
        if (row->error) {
            tt_text_str(text, row->error);
        } else {
            tt_text_u64(text, row->error_number);
        }
        tt_text_char(text, ' ');
    }
    put_parts(text, run, row);
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static bool reports_messages_is_wanted(void *filter, const struct tt_message *message)
{
    return tt_message_filter_test(filter, message);
}

static struct tt_status list_messages(const struct tt_options *options, struct tt_input *input,
                                      struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_message_filter filter;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_table_request request = tt_raw_request(&tt_table_message_rows, options, input, &pick);
    request.wanted_message = reports_messages_is_wanted;
    request.wanted_message_arg = &filter;
    bool ok = tt_message_filter_begin(&filter, &pick, input);
    if (ok) {
        status = tt_raw_print(&request, options->format, out, reports_messages_put_message, NULL);
    }
    ok = tt_message_filter_end(&filter, input) && ok;
    tt_event_selection_free(&pick);
    return ok || tt_failed(&status) ? status : tt_error_memory();
}

enum tt_exit tt_command_messages(const struct tt_options *options)
{
    return tt_command_each_input(options, list_messages);
}
