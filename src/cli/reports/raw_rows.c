/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/reports/raw_rows.h"

#include <string.h>

#include "cli/stats.h"
#include "print/print.h"
#include "tracetui/merge.h"

struct tt_table_request tt_raw_request(const struct tt_table *table,
                                       const struct tt_options *options,
                                       const struct tt_input *input,
                                       const struct tt_event_selection *pick)
{
    bool has_from = options->from.kind != TT_TIME_SPEC_NONE;
    struct tt_key_range keys = {.from_ticks = has_from ? pick->from.ticks : 0,
                                .to_ticks = pick->to_end ? UINT64_MAX : pick->to.ticks};
    struct tt_table_request request = {.table = table,
                                       .trace = input->trace,
                                       .events = input->events,
                                       .threads = pick->threads,
                                       .thread_limit = pick->thread_count,
                                       .without_ready_by = options->format == TT_OUTPUT_TEXT,
                                       .in_order = true};
    if (options->cpus.given) {
        request.window.cpus = options->cpus.bits;
        request.window.cpu_limit = TT_CPU_LIMIT;
    }
    tt_table_request_range(&request, &keys);
    return request;
}

void tt_raw_put_capture(struct tt_text *text, const struct tt_capture *capture, int member)
{
    size_t width = sizeof "capture" - 1;
    for (unsigned i = 0; i < tt_merge_headings(capture); i++) {
        const size_t length = strlen(capture->merge->members[i].capture->label);
        width = length > width ? length : width;
    }
    if (tt_merge_headings(capture) > 0) {
        const char *label = member < 0 ? "capture" : capture->merge->members[member].capture->label;
        const size_t start = text->used;
        tt_text_escaped(text, label, strlen(label));
        tt_text_pad_to(text, start, width + 2, 2);
    }
}

struct tt_status tt_raw_print(const struct tt_table_request *request, int format,
                              struct tt_output *out, tt_raw_line *line, const void *arg)
{
    struct tt_table_run run;
    struct tt_print print;
    struct tt_table_row row;
    struct tt_status status = tt_table_begin(&run, request);
    bool is_text = tt_stats_form(format) == TT_PRINT_TEXT;
    if (!tt_failed(&status)) {
        tt_print_begin(&print, &run, tt_stats_form(format));
        if (format == TT_OUTPUT_CSV && !out->begun) {
            TT_PRINT_LINE(out, tt_print_header(&print, &text));
        }
        while (tt_output_is_open(out) && tt_table_next(&run, &row, &status)) {
            tt_table_complete(&run, &row);
            if (is_text) {
                TT_PRINT_LINE(out, {
                    tt_raw_put_capture(&text, run.capture, tt_table_member(&run, &row));
                    line(&text, &run, &row, arg);
                });
            } else {
                TT_PRINT_LINE(out, tt_print_row(&print, &text, &row));
            }
        }
    }
    tt_table_free(&run);
    return status;
}
