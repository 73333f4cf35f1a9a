/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/findings.h"

#include "base/text_units.h"
#include "cli/reports/why.h"
#include "cli/stats.h"
#include "table/registry.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

#define LINES_MOST 60000u

/* Adds a line per kind of problem, with how often it was found. */
static void findings_add_health(const struct tt_capture *capture, struct tt_output *lines)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        const uint64_t count = tt_health_count(capture, (enum tt_health_kind)kind);
        if (count > 0) {
            TT_PRINT_LINE(lines,
                          { tt_text_put(&text, "%'ju x %s\n", count, tt_health_text(kind)); });
        }
    }
}

static struct tt_status add_misses(void *arg, const struct tt_table_run *sheet)
{
    uint64_t misses = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        struct tt_table_row row;
        tt_table_row_at(sheet, i, &row);
        misses += tt_table_number(sheet->table, &row, "misses");
    }
    TT_PRINT_LINE((struct tt_output *)arg, {
        tt_text_put(&text, "%'ju%s missed the deadline\n", misses, misses == 1 ? " job" : " jobs");
    });
    return tt_ok();
}

/* Adds the number of inversions, and the longest one, which is the first row. */
static struct tt_status add_inversions(void *arg, const struct tt_table_run *sheet)
{
    struct tt_table_row row;
    if (sheet->count == 0) {
        return tt_ok();
    }
    tt_table_row_at(sheet, 0, &row);
    const uint64_t length = tt_table_number(sheet->table, &row, "dur");
    TT_PRINT_LINE((struct tt_output *)arg, {
        tt_text_put(&text, "%'ju%s", sheet->count,
                    sheet->count == 1 ? " priority inversion" : " priority inversions");
        if (length != TT_TABLE_NONE) {
            tt_text_str(&text, ", the longest of ");
            tt_line_duration_with(&text, sheet->capture, length, TT_MICROSECONDS);
        }
        tt_text_str(&text, ": ");
        tt_table_row_title(&text, sheet, &row);
        tt_text_char(&text, '\n');
    });
    return tt_ok();
}

/* Adds the longest interval of a kind, and what most of it is charged to. */
static struct tt_status add_worst(void *arg, const struct tt_why_scene *scene,
                                  const struct tt_why_item *item,
                                  const struct tt_explanation *explanation)
{
    TT_PRINT_LINE((struct tt_output *)arg, {
        tt_text_put(&text, "worst %s: ", item->what);
        tt_line_thread(&text, scene->capture, item->thread);
        tt_text_char(&text, ' ');
        tt_line_duration_with(&text, scene->capture, item->to - item->from, TT_MICROSECONDS);
        if (explanation->late_count > 0) {
            tt_text_str(&text, "; ");
            tt_why_late_short(&text, scene, TT_MICROSECONDS, explanation, &explanation->late[0]);
        }
        tt_text_char(&text, '\n');
    });
    return tt_ok();
}

static struct tt_status add_table(const struct tt_options *options, struct tt_input *input,
                                  const struct tt_table *table, tt_stat_use *use,
                                  struct tt_output *lines)
{
    struct tt_options stats = *options;
    stats.command = TT_COMMAND_STATS;
    stats.by = 0;
    while (tt_table_at((size_t)stats.by) != table) {
        stats.by++;
    }
    return tt_stats_compute(&stats, input, use, lines);
}

struct tt_status tt_report_add_findings(struct tt_page *page, const struct tt_options *options,
                                        struct tt_input *input)
{
    static const enum tt_late kinds[] = {TT_LATE_DELAY, TT_LATE_MESSAGE, TT_LATE_RESPONSE};
    struct tt_output lines, none;
    struct tt_status status = tt_output_open_memory(&lines, LINES_MOST);
    struct tt_status opened = tt_output_open_memory(&none, LINES_MOST);
    status = tt_failed(&status) ? status : opened;
    if (!tt_failed(&status)) {
        findings_add_health(input->capture, &lines);
    }
    if (!tt_failed(&status) && options->deadlines) {
        status = add_table(options, input, &tt_table_jobs, add_misses, &lines);
    }
    if (!tt_failed(&status)) {
        status = add_table(options, input, &tt_table_inversions, add_inversions, &lines);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !tt_failed(&status); i++) {
        struct tt_options why = *options;
        why.command = TT_COMMAND_WHY;
        why.format = TT_OUTPUT_TEXT;
        why.worst = (int)kinds[i];
        why.number = 1;
        status = tt_why_explain(&why, input, &none, add_worst, &lines);
    }
    if (!tt_failed(&status) && lines.used > 0) {
        tt_page_section(page, "findings", "Findings");
        tt_page_lines(page, lines.buffer, lines.used);
    }
    tt_output_close(&none, false);
    struct tt_status memory = tt_output_close(&lines, false);
    return tt_failed(&status) ? status : memory;
}
